// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Contexts: the queues of a process on a node that are suspended and resumed together.
 *
 *   RESUMED --suspend(f)--> SUSPENDING --acknowledged(f)--> SUSPENDED --resume--> RESUMED
 *                           SUSPENDING --resume--> RESUMED, and the acknowledgement of f
 *                                                  that may still come is stale
 *
 * Each suspension has a fence value of its own, greater than those before: an
 * acknowledgement counts for the suspension whose value it carries, and for no later one
 * . While a context is not resumed none of its queues is made resident; its rings
 * and doorbells stay as they are, and what is submitted stays in the rings (S3-31, S3-32,
 * S3-64). Once it is resumed, every queue is looked at as after a ring (S3-34).
 *
 * Locking: the adapter's mutex for life and for requests; wait_lock for the state, and
 * device_lock in addition for the fence value and the note.
 */
#include "core.h"

static void kmd_context_link(struct kmd_context *context, bool add)
{
	struct kmd_adapter *adapter = context->file->adapter;
	unsigned long wait_flags = kmd_wait_lock(adapter->domain);
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	if (add) {
		rf_list_insert(&context->link, &adapter->contexts);
		rf_list_insert(&context->bucket,
			       kmd_context_bucket(adapter, context->h_hw_context));
		kmd_walked_insert(&context->walked, adapter->walk_round, &adapter->all_contexts);
	} else {
		rf_list_remove(&context->link);
		rf_list_remove(&context->bucket);
		rf_list_remove(&context->noted_link);
		rf_list_remove(&context->walked.link);
	}
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->domain, wait_flags);
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
	rf_completion_init(&context->completion, adapter->domain->os);
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

static void kmd_context_free(struct kmd_context *context)
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

	if (context->handle)
		kmd_table_remove(&context->file->table, KMD_CONTEXT, context->handle);
	kmd_context_link(context, false);
	kmd_uncharge(context->file, KMD_LIMIT_CONTEXTS, 1);
	adapter->ddi->destroy_hw_context(adapter->h_adapter, &destroy);
	flags = kmd_wait_lock(adapter->domain);
	context->dead = true;
	rf_completion_complete(&context->completion);
	last = !context->users;
	kmd_wait_unlock(adapter->domain, flags);
	if (last)
		kmd_context_free(context);
}

/* --- suspension --------------------------------------------------------------------------- */

static void kmd_context_set_suspended(struct kmd_context *context)
{
	context->state = KMD_CONTEXT_SUSPENDED;
	rf_completion_complete(&context->completion);
}

int kmd_context_suspend_begin(struct kmd_context *context)
{
	struct kmd_adapter *adapter = context->file->adapter;
	struct rf_suspend_context suspend = { .h_hw_context = context->h_hw_context };
	unsigned long wait_flags, flags;
	int ret;

	wait_flags = kmd_wait_lock(adapter->domain);
	if (kmd_adapter_is_fatal(adapter)) {
		kmd_wait_unlock(adapter->domain, wait_flags);
		return -ENODEV; /* nobody would acknowledge it */
	}
	flags = rf_spin_lock(&adapter->device_lock);
	suspend.context_suspend_fence = ++context->suspend_fence;
	rf_spin_unlock(&adapter->device_lock, flags);
	context->state = KMD_CONTEXT_SUSPENDING;
	rf_completion_reset(&context->completion);
	kmd_schedule_suspend(context);
	kmd_wait_unlock(adapter->domain, wait_flags);

	ret = kmd_packet_contexts_suspend(context);
	if (ret)
		return ret;
	ret = adapter->ddi->suspend_context(adapter->h_adapter, &suspend);
	if (ret && ret != -EINPROGRESS) {
		kmd_adapter_fail(adapter, "suspend_context failed");
		return -ENODEV;
	}
	wait_flags = kmd_wait_lock(adapter->domain);
	if (!ret && context->state == KMD_CONTEXT_SUSPENDING)
		kmd_context_set_suspended(context);
	kmd_wait_unlock(adapter->domain, wait_flags);
	return 0;
}

void kmd_context_resume_locked(struct kmd_context *context)
{
	const struct rf_resume_context resume = { .h_hw_context = context->h_hw_context };
	struct kmd_adapter *adapter = context->file->adapter;
	unsigned long flags;

	adapter->ddi->resume_context(adapter->h_adapter, &resume);
	flags = kmd_wait_lock(adapter->domain);
	context->state = KMD_CONTEXT_RESUMED;
	rf_completion_complete(&context->completion); /* of a suspension that is called off */
	kmd_schedule_resume(context);
	kmd_packet_contexts_resume(context);
	kmd_wait_unlock(adapter->domain, flags);
}

/* Wait until a suspension is over; whether it was in time. */
static bool kmd_context_await_acknowledged(struct kmd_context *context, u64 deadline)
{
	struct kmd_domain *domain = context->file->adapter->domain;
	unsigned long flags;
	bool suspended;

	rf_completion_wait(&context->completion, deadline);
	flags = kmd_wait_lock(domain);
	suspended = context->state == KMD_CONTEXT_SUSPENDED;
	kmd_wait_unlock(domain, flags);
	return suspended;
}

static bool kmd_context_is_resumed(const struct kmd_context *context)
{
	struct kmd_domain *domain = context->file->adapter->domain;
	unsigned long flags = kmd_wait_lock(domain);
	bool resumed = context->state == KMD_CONTEXT_RESUMED;

	kmd_wait_unlock(domain, flags);
	return resumed;
}

int kmd_contexts_hold(struct kmd_adapter *adapter, struct kmd_file *file, u32 *node)
{
	struct kmd_context *context;
	u64 deadline;
	int ret;

	rf_list_for_each(context, &adapter->contexts, link) {
		if ((file && context->file != file) || !kmd_context_is_resumed(context))
			continue;
		ret = kmd_context_suspend_begin(context);
		if (ret)
			return ret;
		context->held = true;
	}
	deadline = rf_time() + adapter->tdr_timeout;
	rf_list_for_each(context, &adapter->contexts, link) {
		if ((file && context->file != file) || kmd_context_await_acknowledged(context, deadline))
			continue;
		*node = context->node;
		return -EIO;
	}
	return 0;
}

void kmd_contexts_release(struct kmd_adapter *adapter)
{
	struct kmd_context *context;

	rf_list_for_each(context, &adapter->contexts, link) {
		if (!context->held)
			continue;
		context->held = false;
		kmd_context_resume_locked(context);
	}
}

void kmd_context_acknowledge(struct kmd_context *context, u64 suspend_fence)
{
	if (context->state == KMD_CONTEXT_SUSPENDING && suspend_fence == context->suspend_fence)
		kmd_context_set_suspended(context);
}

/* --- requests ------------------------------------------------------------------------------ */

/* Wait until the suspension is over, one way or another; the context has a user more. */
static int kmd_context_await_suspended(struct kmd_context *context)
{
	struct kmd_adapter *adapter = context->file->adapter;
	struct kmd_domain *domain = adapter->domain;
	unsigned long flags;
	bool late, last;
	u32 node = context->node;
	int ret;

	rf_completion_wait(&context->completion, rf_time() + adapter->tdr_timeout);
	flags = kmd_wait_lock(domain);
	late = !context->dead && !kmd_adapter_is_fatal(adapter) &&
	       context->state == KMD_CONTEXT_SUSPENDING;
	if (kmd_adapter_is_fatal(adapter))
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
		flags = kmd_wait_lock(adapter->domain);
		context->users++;
		kmd_wait_unlock(adapter->domain, flags);
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
		ret = kmd_engine_use(file->adapter, context->node);
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
