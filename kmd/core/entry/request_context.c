// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: contexts, and their suspension by the shell. Locking: the adapter's mutex. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "entry/requests.h"
#include "queues/suspension.h"
#include "recovery/device_power.h"
#include "recovery/recovery.h"
#include "scheduling/context.h"
#include "scheduling/engine.h"
#include "kmd.h"
#include "rf_os.h"

/* Wait until the suspension is over or cancelled; the caller has counted itself as a user. */
static int kmd_context_await_suspended(struct kmd_context *context)
{
	struct kmd_adapter *adapter = context->file->adapter;
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags;
	bool late, last;
	u32 node = context->node;
	int ret;

	rf_completion_wait(&context->completion, rf_time() + adapter->tdr_timeout);
	flags = kmd_wait_lock(domain);
	late = !context->dead && !kmd_adapter_is_wedged(adapter) &&
	       context->state == KMD_CONTEXT_SUSPENDING;
	if (kmd_adapter_is_wedged(adapter))
		ret = -ENODEV;
	else if (late)
		ret = -EIO;
	else
		ret = context->state == KMD_CONTEXT_SUSPENDED ? 0 : -ECANCELED;
	last = !--context->users && context->dead;
	kmd_wait_unlock(domain, flags);
	if (last)
		kmd_context_free(context);
	if (late) { /* */
		kmd_adapter_lock_awake(adapter);
		kmd_engine_recover(adapter, node);
		rf_mutex_unlock(&adapter->mutex);
		kmd_adapter_work(adapter);
	}
	return ret;
}

int kmd_context_suspend(struct kmd_file *file, u32 handle)
{
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_context *context;
	unsigned long flags;
	int ret = -ENOENT;

	kmd_adapter_lock_awake(adapter);
	context = kmd_table_find(&file->table, KMD_CONTEXT, handle);
	if (context) {
		flags = kmd_wait_lock(adapter->sync_domain);
		context->users++;
		kmd_wait_unlock(adapter->sync_domain, flags);
		ret = kmd_context_suspend_begin(context);
	}
	rf_mutex_unlock(&adapter->mutex);
	return context ? kmd_context_await_suspended(context) : ret;
}

int kmd_context_resume(struct kmd_file *file, u32 handle)
{
	struct kmd_context *context;
	int ret = -ENOENT;

	kmd_adapter_lock_awake(file->adapter);
	context = kmd_table_find(&file->table, KMD_CONTEXT, handle);
	if (context)
		ret = kmd_engine_power_up(file->adapter, context->node);
	if (!ret)
		kmd_context_resume_locked(context);
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

int kmd_request_context_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_context_create *request = arguments;
	struct kmd_context *context = NULL;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_request_lock_awake(file->adapter);
	if (ret)
		return ret;
	ret = kmd_context_create(file, request->node, request->priority, &context);
	if (!ret) {
		ret = kmd_table_insert(&file->table, KMD_CONTEXT, context, &context->handle);
		if (ret)
			kmd_context_destroy(context);
		else
			request->handle = context->handle;
	}
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

int kmd_request_context_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_context_destroy *request = arguments;
	struct kmd_context *context;
	int ret;

	if (request->pad)
		return -EINVAL;
	ret = kmd_request_lock_destroy(file->adapter);
	if (ret)
		return ret;
	context = kmd_table_find(&file->table, KMD_CONTEXT, request->handle);
	if (!context)
		ret = -ENOENT;
	else if (context->queues)
		ret = -EBUSY;
	else
		kmd_context_destroy(context);
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}
