// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * F-states of engines (S3-37..S3-40).
 *
 *   F0 --the driver reports it idle--> DRAINING --no queue and no packet on it--> F1
 *   DRAINING --there is work, or a request needs it--> F0
 *   F1 --a request needs it--> F0
 *
 * The steps to F1 lose no doorbell ring, whatever races with them. First the doorbells of all
 * queues of the engine are disconnected, each in the order of doorbell.c (C11), so user mode sees
 * from then on that a ring did not reach the device. Then the queues leave the device; what was
 * rung before is in their rings. Then the rings are polled, and work that is found ends the
 * transition. Only after that the component changes its state.
 *
 * Requests that need an engine are: connecting a doorbell, submitting through the kernel and
 * resuming a context; each continues only when the engine is in F0 (S3-39).
 *
 * Locking: the adapter's mutex for every step, so that no doorbell is connected and nothing is
 * submitted between the poll of the rings and F1; wait_lock in addition to change the state, which
 * decides which queues may be resident.
 */
#include "recovery/engine_power.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "interrupts/dpc.h"
#include "queues/doorbell.h"
#include "recovery/exported_fence.h"
#include "scheduling/context.h"
#include "scheduling/engine.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* --- idle reports of the driver ----------------------------------------------------- */

static bool kmd_engine_take_idle_note(struct kmd_adapter *adapter, u32 node)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool noted = adapter->nodes[node].note_idle;

	adapter->nodes[node].note_idle = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	return noted;
}

void kmd_adapter_look_for_idle(struct kmd_adapter *adapter)
{
	rf_mutex_lock(&adapter->mutex);
	if (!adapter->in_d3 && !kmd_adapter_is_wedged(adapter)) {
		adapter->ddi->look_for_idle(adapter->h_adapter);
		kmd_adapter_run_deferred(adapter);
	}
	rf_mutex_unlock(&adapter->mutex);
	kmd_adapter_work(adapter);
}

bool kmd_adapter_is_idle(struct kmd_adapter *adapter)
{
	unsigned long flags;
	bool idle = true;
	u32 node;

	rf_mutex_lock(&adapter->mutex);
	for (node = 0; node < adapter->caps.node_count; node++)
		idle &= adapter->nodes[node].state == KMD_ENGINE_F1;
	idle &= !kmd_adapter_wants_reset(adapter);
	idle |= adapter->in_d3 || kmd_adapter_is_wedged(adapter);
	flags = kmd_wait_lock(adapter->sync_domain);
	idle &= !kmd_adapter_has_exported_fences(adapter);
	kmd_wait_unlock(adapter->sync_domain, flags);
	rf_mutex_unlock(&adapter->mutex);
	return idle;
}

/* --- work of an engine -------------------------------------------------------------- */

/* Submitted and not completed (S3-51). wait_lock held. */
static bool kmd_queue_is_pending(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (queue->error || queue->context->state != KMD_CONTEXT_RESUMED)
		return false;
	if (!queue->user_mode)
		return queue->packets.count;
	/* in this order: completed work was queued before */
	return kmd_fence_read(queue->progress->fence) < kmd_queue_last_queued(queue);
}

/* Also work in a ring whose doorbell user mode did not ring. */
static bool kmd_queue_has_work(struct kmd_queue *queue)
{
	return kmd_queue_is_pending(queue) || kmd_schedule_has_work(queue);
}

/*
 * Whether @is_so is true for any queue of the node. wait_lock is held for one queue at a time: the
 * mutex keeps the list, and a queue that gets work later is runnable.
 */
static bool kmd_engine_any_queue(struct kmd_adapter *adapter, u32 node,
				 bool (*is_so)(struct kmd_queue *queue))
{
	struct kmd_queue *queue;
	unsigned long flags;
	bool found = false;

	rf_list_for_each(queue, &adapter->queues, link) {
		if (queue->node != node)
			continue;
		flags = kmd_wait_lock(adapter->sync_domain);
		found = is_so(queue);
		kmd_wait_unlock(adapter->sync_domain, flags);
		if (found)
			break;
	}
	return found;
}

/* --- the transition ----------------------------------------------------------------------- */

/* Begin the transition to F1 (S3-38). */
static void kmd_engine_drain(struct kmd_adapter *adapter, u32 node)
{
	struct kmd_doorbell *doorbell;
	unsigned long flags;

	rf_list_for_each(doorbell, &adapter->doorbells, link)
		if (doorbell->queue->node == node)
			kmd_doorbell_disconnect(doorbell, RF_DOORBELL_DISCONNECTED_RETRY);
	flags = kmd_wait_lock(adapter->sync_domain);
	adapter->nodes[node].state = KMD_ENGINE_DRAINING;
	kmd_schedule_evict_node(adapter, node);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

static void kmd_engine_finish_drain(struct kmd_adapter *adapter, u32 node)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	/* the hardware queue may still hold a packet of a lost queue */
	bool empty = kmd_schedule_is_empty(adapter, node) && !adapter->nodes[node].depth;
	bool off;

	kmd_wait_unlock(adapter->sync_domain, flags);
	if (!empty)
		return; /* no queue enters a slot meanwhile */
	off = !kmd_engine_any_queue(adapter, node, kmd_queue_has_work);
	flags = kmd_wait_lock(adapter->sync_domain);
	off = off && !adapter->nodes[node].depth && !kmd_schedule_has_runnable(adapter, node);
	if (off)
		adapter->nodes[node].state = KMD_ENGINE_F1;
	else
		kmd_engine_set_f0(adapter, node);
	kmd_wait_unlock(adapter->sync_domain, flags);
	if (!off)
		return;
	if (!kmd_engine_set_f_state(adapter, node, 1)) {
		flags = kmd_wait_lock(adapter->sync_domain);
		adapter->statistics.f1_transitions++;
		kmd_wait_unlock(adapter->sync_domain, flags);
		return;
	}
	flags = kmd_wait_lock(adapter->sync_domain);
	kmd_engine_set_f0(adapter, node);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

void kmd_engines_drain(struct kmd_adapter *adapter)
{
	u32 node;

	rf_assert_held(&adapter->mutex);
	for (node = 0; node < adapter->caps.node_count; node++) {
		bool idle = kmd_engine_take_idle_note(adapter, node);

		if (kmd_adapter_is_wedged(adapter))
			continue;
		if (idle && adapter->nodes[node].state == KMD_ENGINE_F0 &&
		    !kmd_engine_any_queue(adapter, node, kmd_queue_is_pending))
			kmd_engine_drain(adapter, node);
		if (adapter->nodes[node].state == KMD_ENGINE_DRAINING)
			kmd_engine_finish_drain(adapter, node);
	}
}
