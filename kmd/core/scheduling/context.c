// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Life of contexts. Locking: see context.h.
 */
#include "scheduling/context.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/hash.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static void kmd_context_link(struct kmd_context *context, bool add)
{
	struct kmd_adapter *adapter = context->file->adapter;
	unsigned long wait_flags = kmd_wait_lock(adapter->sync_domain);
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	if (add) {
		rf_list_insert(&context->link, &adapter->contexts);
		rf_list_insert(&context->chain,
			       kmd_hash_chain(&adapter->context_hash, context->h_hw_context));
		kmd_walked_insert(&context->walked, adapter->walk.round,
				  &adapter->walk.all_contexts);
	} else {
		rf_list_remove(&context->link);
		rf_list_remove(&context->chain);
		rf_list_remove(&context->noted_link);
		rf_list_remove(&context->walked.link);
	}
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);
}

int kmd_context_create(struct kmd_file *file, u32 node, u32 priority, struct kmd_context **result)
{
	struct kmd_adapter *adapter = file->adapter;
	struct rf_create_hw_context create = {
		.h_process = file->h_process,
		.priority = priority,
	};
	struct kmd_context *context;
	int ret;

	rf_assert_held(&file->adapter->mutex);
	if (node >= adapter->caps.node_count || priority >= RF_PRIORITY_BANDS)
		return -EINVAL;
	ret = kmd_check_priority(file, priority);
	if (!ret)
		ret = kmd_charge(file, KMD_LIMIT_CONTEXTS, 1);
	if (ret)
		return ret;
	node = rf_index_nospec(node, adapter->caps.node_count);
	context = rf_alloc(sizeof(*context));
	if (!context) {
		kmd_uncharge(file, KMD_LIMIT_CONTEXTS, 1);
		return -ENOMEM;
	}
	context->file = file;
	context->node = node;
	context->priority = priority;
	rf_list_init(&context->noted_link);
	rf_list_init(&context->members);
	create.node_ordinal = node;
	rf_completion_init(&context->completion, adapter->sync_domain->os);
	create.h_hw_context = context;
	ret = adapter->ddi->create_hw_context(adapter->h_adapter, &create);
	if (ret) {
		rf_completion_destroy(&context->completion);
		rf_free(context);
		kmd_uncharge(file, KMD_LIMIT_CONTEXTS, 1);
		return ret;
	}
	context->h_hw_context = create.h_hw_context;
	kmd_context_link(context, true);
	*result = context;
	return 0;
}

void kmd_context_free(struct kmd_context *context)
{
	rf_completion_destroy(&context->completion);
	rf_free(context);
}

void kmd_context_destroy(struct kmd_context *context)
{
	const struct rf_destroy_hw_context destroy = { .h_hw_context = context->h_hw_context };
	struct kmd_adapter *adapter = context->file->adapter;
	unsigned long flags;
	bool last;

	rf_assert_held(&context->file->adapter->mutex);
	if (context->handle)
		kmd_table_remove(&context->file->table, KMD_CONTEXT, context->handle);
	kmd_context_link(context, false);
	kmd_uncharge(context->file, KMD_LIMIT_CONTEXTS, 1);
	adapter->ddi->destroy_hw_context(adapter->h_adapter, &destroy);
	flags = kmd_wait_lock(adapter->sync_domain);
	context->dead = true;
	rf_completion_complete(&context->completion);
	last = !context->users;
	kmd_wait_unlock(adapter->sync_domain, flags);
	if (last)
		kmd_context_free(context);
}
