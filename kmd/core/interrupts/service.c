// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The interrupt contract (S0-63..S0-71, S0-114, S0-125..S0-130).
 *
 * An interrupt is handled in three parts. The service, at level DEVICE, calls the miniport, which
 * reports what happened, and takes notes. The deferred part (dpc.c), at DISPATCH, handles the
 * notes: it evaluates waiters. Work at PASSIVE (entry/work.c) disconnects the doorbell pages of
 * lost queues, for which the shell may have to sleep.
 *
 * Locking: notes are guarded by device_lock, which the service holds throughout, and under which
 * update_monitored_values runs: the two exclude each other (S0-38). The deferred part handles the
 * notes of one queue or context after the other, each in a bounded hold of wait_lock
 * (base/sync_domain.c); a fence cannot be destroyed during a hold.
 *
 * Each object that has a note is on a list, so the cost of an interrupt depends on what it reports,
 * and not on the number of queues. A queue is found by the miniport's handle in a hash table.
 */
#include "interrupts/service.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/hash.h"
#include "fences/fence.h"
#include "scheduling/context.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static struct kmd_queue *kmd_note_find_queue(struct kmd_adapter *adapter, const void *h_hw_queue)
{
	struct kmd_queue *queue = kmd_queue_find(adapter, h_hw_queue);

	if (!queue)
		kmd_adapter_set_wedged(adapter, "interrupt names a queue that does not exist");
	return queue;
}

/* Put the queue on the list of those with notes. */
static void kmd_note_queue(struct kmd_queue *queue)
{
	if (rf_list_empty(&queue->notes.link))
		rf_list_insert(&queue->notes.link, &queue->file->adapter->notes.queues);
}

static void kmd_note_fences(struct kmd_adapter *adapter,
			    const struct rf_notify_interrupt_data *data)
{
	u32 i;

	for (i = 0; i < data->native_fence_signaled.signaled_native_fence_count; i++) {
		u32 handle =
			(u32)(uintptr_t)data->native_fence_signaled.signaled_native_fence_array[i];
		struct kmd_opening *opening = kmd_table_find(&adapter->globals, KMD_FENCE, handle);

		if (!opening) {
			kmd_adapter_set_wedged(adapter, "interrupt names a destroyed fence");
			continue;
		}
		adapter->statistics.fences_listed++;
		if (rf_list_empty(&opening->signaled_link))
			rf_list_insert(&opening->signaled_link, &adapter->notes.signaled);
	}
	adapter->notes.logs = true;
}

void kmd_note_log(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->device_lock);
	queue->notes.log = true;
	kmd_note_queue(queue);
}

static void kmd_note_native_fence(struct kmd_adapter *adapter,
				  const struct rf_notify_interrupt_data *data)
{
	if (adapter->optimized_interrupt) {
		struct kmd_queue *queue;

		if (!data->native_fence_signaled.h_hw_queue) {
			if (data->native_fence_signaled.node_ordinal < KMD_NODES_MAX)
				adapter->notes.log_nodes |=
					1u << data->native_fence_signaled.node_ordinal;
			return;
		}
		queue = kmd_note_find_queue(adapter, data->native_fence_signaled.h_hw_queue);
		if (queue)
			kmd_note_log(queue);
	} else if (data->native_fence_signaled.signaled_native_fence_array) {
		kmd_note_fences(adapter, data);
	} else {
		adapter->notes.all = true;
		adapter->notes.logs = true;
		adapter->statistics.evaluate_all++;
	}
	if (data->flags & RF_INTERRUPT_EVALUATE_LEGACY_MONITORED_FENCES)
		adapter->notes.legacy = true;
}

static void kmd_note_fault(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue =
		kmd_note_find_queue(adapter, data->hw_queue_page_faulted.faulted_hw_queue);

	if (!queue || queue->notes.faulted)
		return;
	kmd_note_queue(queue);
	queue->notes.faulted = true;
	queue->notes.fault_error = data->hw_queue_page_faulted.fault_error_code;
	queue->notes.fault_address = data->hw_queue_page_faulted.faulted_virtual_address;
}

/* The node that a report is about, or U32_MAX. */
static u32 kmd_note_node_of(const struct rf_notify_interrupt_data *data)
{
	switch (data->interrupt_type) {
	case RF_INTERRUPT_DMA_COMPLETED:
		return data->dma_completed.node_ordinal;
	case RF_INTERRUPT_DMA_PREEMPTED:
		return data->dma_preempted.node_ordinal;
	case RF_INTERRUPT_DMA_PAGE_FAULTED:
		return data->dma_page_faulted.node_ordinal;
	case RF_INTERRUPT_MONITORED_FENCE_SIGNALED:
		return data->monitored_fence_signaled.node_ordinal;
	case RF_INTERRUPT_HWQUEUE_PAGE_FAULTED:
		return data->hw_queue_page_faulted.node_ordinal;
	case RF_INTERRUPT_NATIVE_FENCE_SIGNALED:
		return data->native_fence_signaled.node_ordinal;
	case RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE:
		return data->engine_state_change.node_ordinal;
	default: /* these reports name a queue or a context */
		return U32_MAX;
	}
}

static void kmd_note_engine_state(struct kmd_adapter *adapter,
				  const struct rf_notify_interrupt_data *data)
{
	struct kmd_node *node = kmd_node_find(adapter, data->engine_state_change.node_ordinal);

	if (!node)
		return;
	node->note_idle |= data->engine_state_change.new_state == RF_ENGINE_TRANSITION_TO_F1;
	node->note_hung |= data->engine_state_change.new_state == RF_ENGINE_HUNG;
	adapter->notes.engines = true;
}

static void kmd_note_stop(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue =
		kmd_note_find_queue(adapter, data->hw_queue_stopped.stopped_hw_queue);

	if (!queue)
		return;
	kmd_note_queue(queue);
	queue->notes.stopped = true;
	queue->notes.stop_reason = data->hw_queue_stopped.reason;
	queue->notes.stop_argument = data->hw_queue_stopped.argument;
	queue->notes.stop_value = data->hw_queue_stopped.value;
}

static void kmd_note_yield(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue =
		kmd_note_find_queue(adapter, data->hw_queue_yield.yielding_hw_queue);

	if (!queue)
		return;
	queue->notes.yield = data->hw_queue_yield.kind;
	kmd_note_queue(queue);
}

static void kmd_note_preempted(struct kmd_adapter *adapter,
			       const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue =
		kmd_note_find_queue(adapter, data->hw_queue_preempted.preempted_hw_queue);

	if (!queue)
		return;
	queue->notes.preempted = true;
	queue->notes.yield = RF_YIELD_NONE;
	queue->notes.is_waiting = data->hw_queue_preempted.is_waiting;
	queue->notes.wait_fence = data->hw_queue_preempted.h_native_fence;
	queue->notes.wait_value = data->hw_queue_preempted.value;
	kmd_note_queue(queue);
}

static void kmd_note_work(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue;

	if (!data->hw_queue_work.h_hw_queue) {
		adapter->notes.work = true;
		return;
	}
	queue = kmd_note_find_queue(adapter, data->hw_queue_work.h_hw_queue);
	if (!queue)
		return;
	queue->notes.work = true;
	kmd_note_queue(queue);
}

/* */
static void kmd_note_suspended(struct kmd_adapter *adapter,
			       const struct rf_notify_interrupt_data *data)
{
	const void *h_context = data->suspend_context_completed.h_hw_context;
	u64 fence = data->suspend_context_completed.context_suspend_fence;
	struct kmd_context *context;

	rf_list_for_each(context, kmd_hash_chain(&adapter->context_hash, h_context), chain) {
		if (context->h_hw_context != h_context)
			continue;
		if (fence > context->suspend_fence || !fence) {
			kmd_adapter_set_wedged(adapter, "a suspension acknowledged but not issued");
			return;
		}
		if (!context->note_suspended || fence > context->acknowledged)
			context->acknowledged = fence;
		context->note_suspended = true;
		if (rf_list_empty(&context->noted_link))
			rf_list_insert(&context->noted_link, &adapter->notes.contexts);
		return;
	}
	kmd_adapter_set_wedged(adapter, "interrupt names a context that does not exist");
}

/* Callback of the miniport: called in interrupt_routine, so device_lock is held. */
void kmd_notify_interrupt(void *h_core, const struct rf_notify_interrupt_data *data)
{
	struct kmd_adapter *adapter = h_core;
	u32 node = kmd_note_node_of(data);

	rf_assert_held(&adapter->device_lock);
	if (node < adapter->caps.node_count && adapter->nodes && adapter->nodes[node].stopped)
		kmd_adapter_set_wedged(adapter, "interrupt of an engine between reset and resume");
	switch (data->interrupt_type) {
	case RF_INTERRUPT_NATIVE_FENCE_SIGNALED:
		kmd_note_native_fence(adapter, data);
		break;
	case RF_INTERRUPT_MONITORED_FENCE_SIGNALED:
		adapter->notes.legacy = true;
		break;
	case RF_INTERRUPT_HWQUEUE_PAGE_FAULTED:
		kmd_note_fault(adapter, data);
		break;
	case RF_INTERRUPT_HWQUEUE_STOPPED:
		kmd_note_stop(adapter, data);
		break;
	case RF_INTERRUPT_DMA_COMPLETED:
	case RF_INTERRUPT_DMA_PREEMPTED:
	case RF_INTERRUPT_DMA_PAGE_FAULTED:
		kmd_node_note(adapter, data);
		break;
	case RF_INTERRUPT_HWQUEUE_YIELD:
		kmd_note_yield(adapter, data);
		break;
	case RF_INTERRUPT_HWQUEUE_PREEMPTED:
		kmd_note_preempted(adapter, data);
		break;
	case RF_INTERRUPT_HWQUEUE_WORK:
		kmd_note_work(adapter, data);
		break;
	case RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED:
		kmd_note_suspended(adapter, data);
		break;
	case RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE:
		kmd_note_engine_state(adapter, data);
		break;
	case RF_INTERRUPT_DEVICE_LOST:
		adapter->notes.lost = true;
		adapter->notes.engines = true; /* has kmd_adapter_work() called */
		break;
	case RF_INTERRUPT_DEVICE_BUSY:
		adapter->notes.busy = true;
		break;
	}
}

/* Callback of the miniport, as above. */
void kmd_queue_dpc(void *h_core)
{
	struct kmd_adapter *adapter = h_core;

	rf_assert_held(&adapter->device_lock);
	adapter->notes.dpc_queued = true;
}

/* Callback of the miniport: runs @routine under device_lock, as interrupt_routine runs. */
void kmd_synchronize_execution(void *h_core, void (*routine)(void *argument), void *argument)
{
	struct kmd_adapter *adapter = h_core;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	routine(argument);
	rf_spin_unlock(&adapter->device_lock, flags);
}

bool kmd_adapter_interrupt(struct kmd_adapter *adapter, u32 vector)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool queued;

	adapter->statistics.interrupts++;
	if (!adapter->in_d3) /* else the interrupt was raised before D3 */
		adapter->ddi->interrupt_routine(adapter->h_adapter, vector);
	/* if the adapter is wedged, the deferred part has to fail its waits */
	queued = adapter->notes.dpc_queued || kmd_adapter_is_wedged(adapter);
	adapter->notes.dpc_queued = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	return queued;
}
