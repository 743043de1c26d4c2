// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Contexts: the queues of a process on a node that are suspended and resumed together.
 *
 *   RESUMED --suspend(f)--> SUSPENDING --acknowledged(f)--> SUSPENDED --resume--> RESUMED
 *                           SUSPENDING --resume--> RESUMED, and the acknowledgement of f
 *                                                  that may still come is stale
 *
 * Each suspension has a fence value of its own, greater than those before: an acknowledgement
 * counts for the suspension whose value it carries, and for no later one. While a context is
 * not resumed none of its queues is made resident; its rings and doorbells stay as they are, and
 * submitted work stays in the rings (S3-31, S3-32, S3-64). Once it is resumed, the ring of every
 * queue is polled, as after a doorbell ring (S3-34).
 *
 * Locking: the adapter's mutex for life and for requests; wait_lock for the state, and device_lock
 * in addition for the fence value and the note.
 */
#include "queues/suspension.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "queues/paging.h"
#include "scheduling/context.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static int kmd_context_suspend_packets(const struct kmd_context *context)
{
	struct kmd_queue *queue;
	int ret = 0;

	/* packets of a dying queue are dropped without waiting for them (S3-60) */
	rf_list_for_each(queue, &context->members, context_link)
		if (!ret && queue->packet_context && !queue->dying)
			ret = kmd_node_switch_to_null(queue->packet_context->node);
	return ret;
}

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

	rf_assert_held(&context->file->adapter->mutex);
	wait_flags = kmd_wait_lock(adapter->sync_domain);
	if (kmd_adapter_is_wedged(adapter)) {
		kmd_wait_unlock(adapter->sync_domain, wait_flags);
		return -ENODEV; /* no acknowledgement would come */
	}
	flags = rf_spin_lock(&adapter->device_lock);
	suspend.context_suspend_fence = ++context->suspend_fence;
	rf_spin_unlock(&adapter->device_lock, flags);
	context->state = KMD_CONTEXT_SUSPENDING;
	rf_completion_reset(&context->completion);
	kmd_schedule_suspend(context);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);

	ret = kmd_context_suspend_packets(context);
	if (ret)
		return ret;
	ret = adapter->ddi->suspend_context(adapter->h_adapter, &suspend);
	if (ret && ret != -EINPROGRESS) {
		kmd_adapter_wedge(adapter, "suspend_context failed");
		return -ENODEV;
	}
	wait_flags = kmd_wait_lock(adapter->sync_domain);
	if (!ret && context->state == KMD_CONTEXT_SUSPENDING)
		kmd_context_set_suspended(context);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);
	return 0;
}

void kmd_context_resume_locked(struct kmd_context *context)
{
	const struct rf_resume_context resume = { .h_hw_context = context->h_hw_context };
	struct kmd_adapter *adapter = context->file->adapter;
	unsigned long flags;

	rf_assert_held(&context->file->adapter->mutex);
	adapter->ddi->resume_context(adapter->h_adapter, &resume);
	flags = kmd_wait_lock(adapter->sync_domain);
	context->state = KMD_CONTEXT_RESUMED;
	rf_completion_complete(&context->completion); /* wakes waiters of a cancelled suspension */
	kmd_schedule_resume(context);
	kmd_node_resume_context(context);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/* Wait until a suspension is over; false: @deadline passed, or it was cancelled. */
static bool kmd_context_await_acknowledged(struct kmd_context *context, u64 deadline)
{
	struct kmd_sync_domain *domain = context->file->adapter->sync_domain;
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
	struct kmd_sync_domain *domain = context->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	bool resumed = context->state == KMD_CONTEXT_RESUMED;

	kmd_wait_unlock(domain, flags);
	return resumed;
}

int kmd_contexts_suspend_all(struct kmd_adapter *adapter, struct kmd_file *file, u32 *node)
{
	struct kmd_context *context;
	u64 deadline;
	int ret;

	rf_assert_held(&adapter->mutex);
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
		if ((file && context->file != file) ||
		    kmd_context_await_acknowledged(context, deadline))
			continue;
		*node = context->node;
		return -EIO;
	}
	return 0;
}

void kmd_contexts_resume_all(struct kmd_adapter *adapter)
{
	struct kmd_context *context;

	rf_assert_held(&adapter->mutex);
	rf_list_for_each(context, &adapter->contexts, link) {
		if (!context->held)
			continue;
		context->held = false;
		kmd_context_resume_locked(context);
	}
}

void kmd_context_acknowledge(struct kmd_context *context, u64 suspend_fence)
{
	rf_assert_held(&context->file->adapter->sync_domain->wait_lock);
	if (context->state == KMD_CONTEXT_SUSPENDING && suspend_fence == context->suspend_fence)
		kmd_context_set_suspended(context);
}
