// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A snapshot of what everybody waits for, in the log: one line for each fence and each
 * queue. It looks and changes nothing (C6a).
 *
 * Locking: wait_lock.
 */
#include "core.h"

static void log_fence(struct kmd_adapter *adapter, struct kmd_fence *fence)
{
	struct rf_os *os = adapter->domain->os;
	unsigned long long value = kmd_fence_read(fence);
	u32 waiters = fence->waiters.count;

	if (!fence->is_native)
		rf_log_info(os, "monitored fence: value %llu, %u waiters", value, waiters);
	else
		rf_log_info(os, "native fence %u: value %llu, monitored value %llu, %u waiters",
			    fence->native.handle, value,
			    (unsigned long long)fence->native.monitored_value, waiters);
	if (waiters)
		rf_log_info(os, "  least value waited for: %llu",
			    (unsigned long long)fence->waiters.first->value);
}

static void log_queue(struct kmd_queue *queue)
{
	struct rf_os *os = queue->file->adapter->domain->os;
	unsigned long long completed = kmd_fence_read(queue->progress->fence);
	const char *state = queue->error ? "lost" : queue->trapped ? "trapped" : "sound";

	if (queue->user_mode)
		rf_log_info(os, "user-mode queue %u on node %u: %s, completed %llu of %llu",
			    queue->handle, queue->node, state, completed,
			    (unsigned long long)rf_mem_read64(queue->last_queued, 0));
	else
		rf_log_info(os,
			    "kernel-mode queue %u on node %u: %s, completed %llu of %llu, "
			    "%u packets",
			    queue->handle, queue->node, state, completed,
			    (unsigned long long)queue->submitted, queue->packets);
}

void kmd_snapshot_log(struct kmd_adapter *adapter)
{
	struct kmd_native_fence *native;
	struct kmd_queue *queue;

	rf_log_info(adapter->domain->os, "a wait is not over; fences and queues:");
	rf_list_for_each(native, &adapter->fences, link)
		if (native->fence->type == RF_NATIVE_FENCE_TYPE_DEFAULT)
			log_fence(adapter, native->fence);
	rf_list_for_each(native, &adapter->monitored_fences, link)
		log_fence(adapter, native->fence);
	rf_list_for_each(queue, &adapter->queues, link)
		log_queue(queue);
}
