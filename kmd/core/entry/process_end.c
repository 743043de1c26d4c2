// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Destroying a queue after its work is done, and the end of a process.
 *
 * Normal (S3-58): a process that wants its work to complete destroys each queue with FINISH: the
 * doorbell is disconnected, so no later ring counts; the last queued value is waited for, with the
 * ring in place; then doorbell and queue are destroyed.
 *
 * Abnormal (S3-59): a process ends without this, at any moment:
 *   0. a process on a linked adapter does not find it any more
 *   1. it is marked as lost: its queues get no more work, and its doorbells are ABORT
 *   2. its contexts are suspended, which takes its queues off the device while rings and all
 *      memory are still in place; no work is waited for (S3-60)
 *   3. of each queue, the doorbell is disconnected, and doorbell and queue are destroyed
 *   4. everything else is freed, memory last: nothing accesses it any more (S3-61)
 *
 * Locking: the adapter's mutex; it is released while waiting for a queue to finish.
 */
#include "entry/process_end.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/link.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "queues/doorbell.h"
#include "queues/queue_life.h"
#include "queues/suspension.h"
#include "recovery/device_power.h"
#include "recovery/recovery.h"
#include "scheduling/context.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/event.h"
#include "waits/close.h"
#include "waits/wait.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* --- normal ----------------------------------------------------------------------------- */

/* 0: it is finished; 1: the wait has begun; -EIO, -ENODEV. wait_lock held. */
static int kmd_queue_begin_finish_wait(struct kmd_queue *queue, struct kmd_wait *wait)
{
	struct kmd_fence *progress = queue->progress->fence;
	u64 last = kmd_queue_last_queued(queue); /* as queued at the disconnect */

	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (kmd_fence_read(progress) >= last)
		return 0;
	if (kmd_adapter_is_wedged(wait->adapter))
		return -ENODEV;
	if (progress->error)
		return progress->error;
	kmd_wait_for_one(wait, queue->progress, last);
	return 1;
}

static int kmd_queue_begin_finish(struct kmd_file *file, u32 handle, struct kmd_wait *wait)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_queue *queue;
	unsigned long flags;
	int ret;

	ret = kmd_request_lock_destroy(file->adapter);
	if (ret)
		return ret;
	ret = -ENOENT;
	queue = kmd_table_find(&file->table, KMD_QUEUE, handle);
	if (queue) {
		if (queue->doorbell)
			kmd_doorbell_disconnect(queue->doorbell, RF_DOORBELL_DISCONNECTED_RETRY);
		flags = kmd_wait_lock(domain);
		ret = kmd_queue_begin_finish_wait(queue, wait);
		kmd_wait_unlock(domain, flags);
	}
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

int kmd_queue_finish(struct kmd_file *file, u32 handle, u64 deadline)
{
	struct kmd_wait *wait = kmd_wait_create(file->adapter, 1, false);
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags;
	int ret;

	if (!wait)
		return -ENOMEM;
	ret = kmd_queue_begin_finish(file, handle, wait);
	if (ret > 0) {
		ret = rf_completion_wait_interruptible(&wait->completion, deadline);
		flags = kmd_wait_lock(domain);
		if (wait->over)
			ret = wait->result;
		kmd_wait_cancel(wait);
		kmd_wait_unlock(domain, flags);
	}
	kmd_wait_free(wait);
	return ret;
}

/* --- abnormal --------------------------------------------------------------------------- */

static void kmd_process_end_mark_queues(struct kmd_file *file)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_queue *queue;

	rf_list_for_each(queue, &file->adapter->queues, link) {
		flags = kmd_hold_step(domain, flags);
		if (queue->file != file)
			continue;
		queue->dying = true;
		kmd_schedule_remove(queue);
		if (queue->doorbell)
			kmd_doorbell_abort(queue->doorbell);
	}
	kmd_wait_unlock(domain, flags);
}

/* An engine that does not respond in time is reset, and the end of the process continues. */
static void kmd_process_end_suspend(struct kmd_file *file)
{
	struct kmd_adapter *adapter = file->adapter;
	u32 late = KMD_NODES_MAX;

	if (kmd_adapter_is_wedged(adapter))
		return;
	kmd_contexts_suspend_all(adapter, file, &late);
	if (late < KMD_NODES_MAX)
		kmd_engine_recover(adapter, late);
}

static void kmd_process_end_destroy_queues(struct kmd_file *file)
{
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_context *context, *next_context;
	struct kmd_queue *queue, *next;

	rf_list_for_each_safe(queue, next, &adapter->queues, link)
		if (queue->file == file)
			kmd_queue_destroy(queue);
	rf_list_for_each_safe(context, next_context, &adapter->contexts, link)
		if (context->file == file)
			kmd_context_destroy(context);
}

void kmd_file_close(struct kmd_file *file)
{
	struct rf_destroy_process destroy = { .h_process = file->h_process };
	struct kmd_adapter *adapter = file->adapter;
	unsigned long flags;

	kmd_link_end(file);
	kmd_adapter_lock_awake(adapter);
	kmd_process_end_mark_queues(file);
	kmd_process_end_suspend(file);
	kmd_process_end_destroy_queues(file);
	while (!rf_list_empty(&file->events))
		kmd_event_destroy(file, rf_list_first(&file->events, struct kmd_event, link));
	while (!rf_list_empty(&file->local_fences))
		kmd_local_fence_close(
			rf_list_first(&file->local_fences, struct kmd_local_fence, link));
	while (!rf_list_empty(&file->memories))
		kmd_memory_close(rf_list_first(&file->memories, struct kmd_memory, link));
	if (adapter->ddi->destroy_process(adapter->h_adapter, &destroy))
		kmd_adapter_want_reset(adapter);
	flags = kmd_wait_lock(adapter->sync_domain);
	rf_list_remove(&file->link);
	kmd_wait_unlock(adapter->sync_domain, flags);
	rf_mutex_unlock(&adapter->mutex);

	kmd_table_destroy(&file->table);
	kmd_file_leave_user(file);
	kmd_schedule_file_destroy(file);
	rf_free(file);
}
