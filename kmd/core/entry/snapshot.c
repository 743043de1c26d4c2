// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A snapshot of the waits of a process, in the log: a line for each of its fences and queues, at
 * most as many as a report may have; objects of other processes are not shown. It changes nothing
 * (C6a).
 *
 * Locking: wait_lock.
 */
#include "entry/snapshot.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "scheduling/queue.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* Remaining lines; further ones are only counted. */
struct snapshot {
	struct rf_os *os;
	u32 lines;
	u32 left_out;
};

static bool kmd_snapshot_take_line(struct snapshot *snapshot)
{
	if (snapshot->lines) {
		snapshot->lines--;
		return true;
	}
	snapshot->left_out++;
	return false;
}

static void kmd_snapshot_log_fence(struct snapshot *snapshot, struct kmd_local_fence *local)
{
	struct kmd_fence *fence = local->fence;
	unsigned long long least = fence->waiters.first ? fence->waiters.first->value : 0;
	unsigned long long value;
	u32 waiters = fence->waiters.count;

	/* the CPU cannot read values that only engines use */
	if (fence->type != RF_NATIVE_FENCE_TYPE_DEFAULT || !kmd_snapshot_take_line(snapshot))
		return;
	value = kmd_fence_read(fence);
	if (local->opening->is_native)
		rf_log_report(snapshot->os,
			      "native fence %x: value %llu, monitored value %llu, %u waiters, "
			      "least value waited for: %llu",
			      local->handle, value,
			      (unsigned long long)local->opening->monitored_value, waiters, least);
	else
		rf_log_report(snapshot->os,
			      "monitored fence %x: value %llu, %u waiters, "
			      "least value waited for: %llu",
			      local->handle, value, waiters, least);
}

static void kmd_snapshot_log_queue(struct snapshot *snapshot, struct kmd_queue *queue)
{
	unsigned long long completed = kmd_fence_read(queue->progress->fence);
	const char *state = queue->error ? "lost" : queue->trapped ? "trapped" : "sound";

	if (!kmd_snapshot_take_line(snapshot))
		return;
	if (queue->user_mode)
		rf_log_report(snapshot->os,
			      "user-mode queue %u on node %u: %s, completed %llu of %llu",
			      queue->handle, queue->node, state, completed,
			      (unsigned long long)kmd_queue_last_queued(queue));
	else
		rf_log_report(snapshot->os,
			      "kernel-mode queue %u on node %u: %s, completed %llu of %llu, "
			      "%u packets",
			      queue->handle, queue->node, state, completed,
			      (unsigned long long)queue->packets.submitted, queue->packets.count);
}

void kmd_snapshot_log(struct kmd_file *file)
{
	struct kmd_adapter *adapter = file->adapter;
	struct snapshot snapshot = {
		.os = adapter->bus->os,
		.lines = RF_LOG_REPORT_LINES - 2, /* without the first and the last */
	};
	struct kmd_local_fence *local;
	struct kmd_queue *queue;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	if (!rf_log_may_report(snapshot.os))
		return;
	rf_log_report(snapshot.os, "a wait is not over; fences and queues of its process:");
	rf_list_for_each(queue, &adapter->queues, link)
		if (queue->file == file)
			kmd_snapshot_log_queue(&snapshot, queue);
	/* fences with waiters first */
	rf_list_for_each(local, &file->local_fences, link)
		if (local->fence->waiters.count)
			kmd_snapshot_log_fence(&snapshot, local);
	rf_list_for_each(local, &file->local_fences, link)
		if (!local->fence->waiters.count)
			kmd_snapshot_log_fence(&snapshot, local);
	if (snapshot.left_out)
		rf_log_report(snapshot.os, "and %u more", snapshot.left_out);
}
