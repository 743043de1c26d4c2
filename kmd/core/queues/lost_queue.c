// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues and processes that are lost: their work does not complete, and waits for it fail (S3-30).
 *
 * Locking: wait_lock; a process, in addition, under the adapter's mutex.
 */
#include "queues/lost_queue.h"

#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "queues/doorbell.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/evaluate.h"
#include "waits/signal.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_hw.h"

void kmd_queue_mark_lost(struct kmd_queue *queue, u32 error, u64 address, bool halted)
{
	struct kmd_fence *progress = queue->progress->fence;

	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	queue->halted |= halted;
	if (queue->packet_context)
		kmd_node_drop_packets(queue->packet_context->node, queue->packet_context, halted);
	if (!queue->user_mode)
		kmd_queue_set_ready(queue);
	if (queue->error)
		return; /* the first error is kept */
	queue->error = error;
	queue->error_address = address;
	kmd_schedule_lost(queue);
	/* completed work counts; the rest will never complete */
	kmd_fence_evaluate(progress);
	kmd_fence_fail_all_waits(progress, -EIO);
	if (queue->doorbell)
		kmd_doorbell_abort(queue->doorbell);
}

void kmd_file_mark_lost(struct kmd_file *file)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_queue *queue;
	unsigned long flags;

	rf_assert_held(&file->adapter->mutex);
	if (file->lost)
		return;
	file->lost = true;
	flags = kmd_wait_lock(domain);
	rf_list_for_each(queue, &file->adapter->queues, link) {
		if (queue->file == file)
			kmd_queue_mark_lost(queue, RF_QUEUE_ERROR_ENGINE_RESET, 0, false);
		flags = kmd_hold_step(domain, flags);
	}
	flags = kmd_file_signal_fences_always(file, flags);
	kmd_wait_unlock(domain, flags);
}
