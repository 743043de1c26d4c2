// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues that have stopped because a packet needs the host.
 *
 * SOFTWARE_SIGNAL names a fence by its handle in the queue's process, and a value: the kernel
 * signals, as for a request of the process, and resumes the queue, so the signal is ordered between
 * the packets before and behind this one (S1-16). A signal that the process is not permitted is an
 * error of the packet. TRAP is a breakpoint of user mode: the queue stays stopped until user mode
 * resumes it.
 *
 * Locking: wait_lock; a stopped queue has one reason at a time.
 */
#include "queues/stopped_queue.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "fences/fence_value.h"
#include "queues/lost_queue.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/signal.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "ringfence_hw.h"

void kmd_queue_resume_stopped(struct kmd_queue *queue)
{
	const struct rf_resume_hw_queue arguments = { .h_hw_queue = queue->h_hw_queue };
	struct kmd_adapter *adapter = queue->file->adapter;

	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	kmd_hold_access(adapter->sync_domain, adapter);
	adapter->ddi->resume_hw_queue(adapter->h_adapter, &arguments);
	kmd_schedule_poll_ring(queue);
}

/* The fence that a packet names, or NULL. */
static struct kmd_opening *kmd_queue_find_signal_fence(const struct kmd_queue *queue, u64 handle,
						       u64 value)
{
	struct kmd_local_fence *local;

	if (handle > U32_MAX)
		return NULL;
	local = kmd_table_find(&queue->file->table, KMD_FENCE, (u32)handle);
	if (!local || kmd_local_fence_check_signal(local))
		return NULL;
	/* only kernel-mode queues may signal monitored fences (S0-86) */
	if (queue->user_mode && !local->opening->is_native)
		return NULL;
	if (kmd_fence_check_signal(local->fence, value))
		return NULL;
	return local->opening;
}

static void kmd_queue_software_signal(struct kmd_queue *queue, u64 handle, u64 value)
{
	const struct kmd_signal signal = {
		.opening = kmd_queue_find_signal_fence(queue, handle, value),
		.value = value,
	};

	if (!signal.opening) {
		kmd_queue_mark_lost(queue, RF_QUEUE_ERROR_OPERAND, handle, true);
		return;
	}
	if (!kmd_fences_signal(queue->file->adapter, &signal, 1))
		kmd_queue_resume_stopped(queue);
}

void kmd_queue_stopped(struct kmd_queue *queue, enum rf_stop_reason reason, u64 argument, u64 value)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	switch (reason) {
	case RF_STOP_SOFTWARE_SIGNAL:
		kmd_queue_software_signal(queue, argument, value);
		break;
	case RF_STOP_TRAP:
		queue->trapped = true;
		queue->trap_code = argument;
		break;
	}
}
