// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The deferred part of interrupts, at level DISPATCH: it handles the notes of one queue or context
 * after the other, each in a bounded hold of wait_lock. A fence cannot be destroyed while that hold
 * lasts.
 *
 * Locking: wait_lock; device_lock to take a note.
 */
#include "interrupts/dpc.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/fence.h"
#include "interrupts/service.h"
#include "queues/log.h"
#include "queues/lost_queue.h"
#include "queues/stopped_queue.h"
#include "queues/suspension.h"
#include "scheduling/context.h"
#include "scheduling/engine.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/evaluate.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* --- level DEVICE ------------------------------------------------------------------- */

void kmd_adapter_run_deferred(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool queued = adapter->notes.dpc_queued;

	adapter->notes.dpc_queued = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	if (queued)
		kmd_adapter_dpc(adapter);
	else if (kmd_adapter_is_wedged(adapter))
		kmd_adapter_fail_all_waits(adapter);
}

/* --- level DISPATCH ------------------------------------------------------------------ */

/* Take the oldest note of a signalled fence, or NULL. */
static struct kmd_opening *kmd_dpc_take_signaled(struct kmd_adapter *adapter)
{
	struct kmd_opening *opening = NULL;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	if (!rf_list_empty(&adapter->notes.signaled)) {
		opening =
			rf_list_first(&adapter->notes.signaled, struct kmd_opening, signaled_link);
		rf_list_remove(&opening->signaled_link);
	}
	rf_spin_unlock(&adapter->device_lock, flags);
	return opening;
}

static u32 kmd_dpc_take_log_nodes(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	u32 nodes = adapter->notes.log_nodes;

	adapter->notes.log_nodes = 0;
	rf_spin_unlock(&adapter->device_lock, flags);
	return nodes;
}

static bool kmd_dpc_take_note(struct kmd_adapter *adapter, bool *note)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool taken = *note;

	*note = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	return taken;
}

/* The queue with the oldest note, or NULL. */
static struct kmd_queue *kmd_dpc_take_noted_queue(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	struct kmd_queue *queue = NULL;

	if (!rf_list_empty(&adapter->notes.queues)) {
		queue = rf_list_first(&adapter->notes.queues, struct kmd_queue, notes.link);
		rf_list_remove(&queue->notes.link);
	}
	rf_spin_unlock(&adapter->device_lock, flags);
	return queue;
}

static void kmd_dpc_take_residency(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool preempted = queue->notes.preempted, work = queue->notes.work;
	enum rf_yield_kind yield = queue->notes.yield;
	bool is_waiting = queue->notes.is_waiting;
	void *fence = queue->notes.wait_fence;
	u64 value = queue->notes.wait_value;

	queue->notes.preempted = false;
	queue->notes.work = false;
	queue->notes.yield = RF_YIELD_NONE;
	rf_spin_unlock(&adapter->device_lock, flags);
	if (preempted)
		kmd_schedule_preempted(queue, is_waiting, fence, value);
	if (work)
		kmd_schedule_poll_ring(queue);
	if (yield != RF_YIELD_NONE)
		kmd_schedule_yield(queue, yield);
}

/* Handle the oldest note of a context; false: there is none. */
static bool kmd_dpc_take_suspension(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	struct kmd_context *context = NULL;
	u64 fence = 0;

	if (!rf_list_empty(&adapter->notes.contexts)) {
		context = rf_list_first(&adapter->notes.contexts, struct kmd_context, noted_link);
		rf_list_remove(&context->noted_link);
		context->note_suspended = false;
		fence = context->acknowledged;
	}
	rf_spin_unlock(&adapter->device_lock, flags);
	if (context)
		kmd_context_acknowledge(context, fence);
	return context;
}

static unsigned long kmd_dpc_take_contexts(struct kmd_adapter *adapter, unsigned long flags)
{
	while (kmd_dpc_take_suspension(adapter))
		flags = kmd_hold_step(adapter->sync_domain, flags);
	return flags;
}

/* Read the rest of the log in the next hold. */
static void kmd_dpc_put_log_note_back(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	kmd_note_log(queue);
	rf_spin_unlock(&adapter->device_lock, flags);
}

static void kmd_dpc_take_queue_notes(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	if (kmd_dpc_take_note(adapter, &queue->notes.log) && !kmd_queue_read_logs(queue, true))
		kmd_dpc_put_log_note_back(queue);
	kmd_dpc_take_residency(queue);
	if (kmd_dpc_take_note(adapter, &queue->notes.faulted))
		kmd_queue_mark_lost(queue, queue->notes.fault_error, queue->notes.fault_address,
				    true);
	/* the queue has stopped: the next such note can come only after it has been resumed */
	if (kmd_dpc_take_note(adapter, &queue->notes.stopped) && !queue->dying)
		kmd_queue_stopped(queue, queue->notes.stop_reason, queue->notes.stop_argument,
				  queue->notes.stop_value);
}

/* wait_lock held; released between two queues. */
static unsigned long kmd_dpc_take_queues(struct kmd_adapter *adapter, unsigned long flags)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_queue *queue;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	while ((queue = kmd_dpc_take_noted_queue(adapter))) {
		kmd_dpc_take_queue_notes(queue);
		flags = kmd_wait_relock(domain, flags);
	}
	/*
	 * a doorbell of a queue that is not resident was rung, and the interrupt did not name the
	 * queue
	 */
	if (kmd_dpc_take_note(adapter, &adapter->notes.work))
		kmd_adapter_walk(adapter, KMD_WALK_POLL_RINGS);
	return flags;
}

bool kmd_adapter_dpc(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_opening *opening;
	unsigned long flags;
	bool work;
	u32 nodes;

	adapter->ddi->dpc_routine(adapter->h_adapter);

	flags = kmd_wait_lock(domain);
	while ((opening = kmd_dpc_take_signaled(adapter))) {
		kmd_opening_signaled(opening);
		flags = kmd_hold_step(domain, flags);
	}
	if (kmd_dpc_take_note(adapter, &adapter->notes.all))
		kmd_adapter_walk(adapter, KMD_WALK_NATIVE);
	if (kmd_dpc_take_note(adapter, &adapter->notes.legacy)) {
		adapter->statistics.evaluate_legacy++;
		kmd_adapter_walk(adapter, KMD_WALK_MONITORED);
	}
	/* all signalled fences are evaluated without logs: these are read only for tracing */
	if (kmd_dpc_take_note(adapter, &adapter->notes.logs))
		kmd_adapter_walk(adapter, KMD_WALK_LOGS);
	nodes = kmd_dpc_take_log_nodes(adapter);
	adapter->walk.nodes |= nodes;
	if (nodes)
		kmd_adapter_walk(adapter, KMD_WALK_EVALUATE);
	flags = kmd_dpc_take_queues(adapter, flags);
	flags = kmd_dpc_take_contexts(adapter, flags);
	kmd_nodes_take_notes(adapter);
	kmd_nodes_end_preemptions(adapter);
	if (kmd_dpc_take_note(adapter, &adapter->notes.engines))
		adapter->work = true;
	kmd_flush_pending(domain); /* may set @work */
	work = adapter->work;
	kmd_wait_unlock(domain, flags);
	return work;
}
