// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The interrupt contract (S0-63..S0-71, S0-114, S0-125..S0-130).
 *
 * An interrupt is handled in three parts. The service, at level DEVICE, lets the
 * miniport say what happened and takes notes. The deferred part, at DISPATCH, acts
 * on the notes: it evaluates waiters. Work at PASSIVE rotates doorbell pages away
 * from lost queues, for which the shell may have to sleep.
 *
 * Locking: notes are guarded by device_lock, which the service holds throughout
 * and update_monitored_values runs under: the two exclude each other (S0-38). The
 * deferred part takes the notes of one queue or context after the other, each in a hold of
 * wait_lock that is bounded (wait.c); a fence cannot die while it does.
 *
 * What has a note is on a list, so that an interrupt costs what it tells of, however many
 * queues there are. A queue is found by the miniport's handle in a table of hash chains.
 */
#include "core.h"

/* --- level DEVICE ------------------------------------------------------------------- */

static struct kmd_queue *kmd_note_find_queue(struct kmd_adapter *adapter, const void *h_hw_queue)
{
	struct kmd_queue *queue = kmd_queue_called(adapter, h_hw_queue);

	if (!queue)
		kmd_adapter_set_fatal(adapter, "interrupt names a queue that does not exist");
	return queue;
}

/* It has a note. */
static void kmd_note_queue(struct kmd_queue *queue)
{
	if (rf_list_empty(&queue->noted_link))
		rf_list_insert(&queue->noted_link, &queue->file->adapter->noted);
}

static void kmd_note_fences(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	u32 i;

	for (i = 0; i < data->native_fence_signaled.signaled_native_fence_count; i++) {
		u32 handle =
			(u32)(uintptr_t)data->native_fence_signaled.signaled_native_fence_array[i];
		struct kmd_native_fence *native =
			kmd_table_find(&adapter->globals, KMD_FENCE, handle);

		if (!native) {
			kmd_adapter_set_fatal(adapter, "interrupt names a destroyed fence");
			continue;
		}
		adapter->statistics.fences_listed++;
		if (rf_list_empty(&native->signaled_link))
			rf_list_insert(&native->signaled_link, &adapter->signaled);
	}
	adapter->note_logs = true;
}

static void kmd_note_log(struct kmd_queue *queue)
{
	queue->note_log = true;
	kmd_note_queue(queue);
}

static void kmd_note_native_fence(struct kmd_adapter *adapter,
			      const struct rf_notify_interrupt_data *data)
{
	if (adapter->optimized_interrupt) {
		struct kmd_queue *queue;

		if (!data->native_fence_signaled.h_hw_queue) {
			if (data->native_fence_signaled.node_ordinal < KMD_NODES_MAX)
				adapter->note_log_nodes |=
					1u << data->native_fence_signaled.node_ordinal;
			return;
		}
		queue = kmd_note_find_queue(adapter, data->native_fence_signaled.h_hw_queue);
		if (queue)
			kmd_note_log(queue);
	} else if (data->native_fence_signaled.signaled_native_fence_array) {
		kmd_note_fences(adapter, data);
	} else {
		adapter->note_all = true;
		adapter->note_logs = true;
		adapter->statistics.evaluate_all++;
	}
	if (data->flags & RF_INTERRUPT_EVALUATE_LEGACY_MONITORED_FENCES)
		adapter->note_legacy = true;
}

static void kmd_note_fault(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue = kmd_note_find_queue(adapter, data->hw_queue_page_faulted.faulted_hw_queue);

	if (!queue || queue->note_fault)
		return;
	kmd_note_queue(queue);
	queue->note_fault = true;
	queue->fault_error = data->hw_queue_page_faulted.fault_error_code;
	queue->fault_address = data->hw_queue_page_faulted.faulted_virtual_address;
}

/* The node that a report is of, or U32_MAX. */
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
	default: /* named by queue or context */
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
	adapter->note_engines = true;
}

static void kmd_note_stop(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue = kmd_note_find_queue(adapter, data->hw_queue_stopped.stopped_hw_queue);

	if (!queue)
		return;
	kmd_note_queue(queue);
	queue->note_stop = true;
	queue->stop_reason = data->hw_queue_stopped.reason;
	queue->stop_argument = data->hw_queue_stopped.argument;
	queue->stop_value = data->hw_queue_stopped.value;
}

static void kmd_note_yield(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue = kmd_note_find_queue(adapter, data->hw_queue_yield.yielding_hw_queue);

	if (!queue)
		return;
	queue->note_yield = data->hw_queue_yield.kind;
	kmd_note_queue(queue);
}

static void kmd_note_preempted(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue = kmd_note_find_queue(adapter, data->hw_queue_preempted.preempted_hw_queue);

	if (!queue)
		return;
	queue->note_preempted = true;
	queue->note_yield = RF_YIELD_NONE;
	queue->is_waiting = data->hw_queue_preempted.is_waiting;
	queue->wait_fence = data->hw_queue_preempted.h_native_fence;
	queue->wait_value = data->hw_queue_preempted.value;
	kmd_note_queue(queue);
}

static void kmd_note_work(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_queue *queue;

	if (!data->hw_queue_work.h_hw_queue) {
		adapter->note_work = true;
		return;
	}
	queue = kmd_note_find_queue(adapter, data->hw_queue_work.h_hw_queue);
	if (!queue)
		return;
	queue->note_work = true;
	kmd_note_queue(queue);
}

/* */
static void kmd_note_suspended(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	const void *h_context = data->suspend_context_completed.h_hw_context;
	u64 fence = data->suspend_context_completed.context_suspend_fence;
	struct kmd_context *context;

	rf_list_for_each(context, kmd_context_bucket(adapter, h_context), bucket) {
		if (context->h_hw_context != h_context)
			continue;
		if (fence > context->suspend_fence || !fence) {
			kmd_adapter_set_fatal(adapter, "a suspension acknowledged but not issued");
			return;
		}
		if (!context->note_suspended || fence > context->acknowledged)
			context->acknowledged = fence;
		context->note_suspended = true;
		if (rf_list_empty(&context->noted_link))
			rf_list_insert(&context->noted_link, &adapter->noted_contexts);
		return;
	}
	kmd_adapter_set_fatal(adapter, "interrupt names a context that does not exist");
}

/* Callback of the miniport: from interrupt_routine, so that device_lock is held. */
void kmd_notify_interrupt(void *h_core, const struct rf_notify_interrupt_data *data)
{
	struct kmd_adapter *adapter = h_core;
	u32 node = kmd_note_node_of(data);

	if (node < adapter->caps.node_count && adapter->nodes && adapter->nodes[node].stopped)
		kmd_adapter_set_fatal(adapter, "interrupt of an engine between reset and resume");
	switch (data->interrupt_type) {
	case RF_INTERRUPT_NATIVE_FENCE_SIGNALED:
		kmd_note_native_fence(adapter, data);
		break;
	case RF_INTERRUPT_MONITORED_FENCE_SIGNALED:
		adapter->note_legacy = true;
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
		adapter->note_lost = true;
		adapter->note_engines = true; /* work is to be done */
		break;
	case RF_INTERRUPT_DEVICE_BUSY:
		adapter->note_busy = true;
		break;
	}
}

/* Callback of the miniport, as above. */
void kmd_queue_dpc(void *h_core)
{
	struct kmd_adapter *adapter = h_core;

	adapter->dpc_queued = true;
}

/* Callback of the miniport: as from interrupt_routine. */
void kmd_synchronize_execution(void *h_core, void (*routine)(void *argument), void *argument)
{
	struct kmd_adapter *adapter = h_core;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	routine(argument);
	rf_spin_unlock(&adapter->device_lock, flags);
}

void kmd_adapter_run_deferred(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool queued = adapter->dpc_queued;

	adapter->dpc_queued = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	if (queued)
		kmd_adapter_dpc(adapter);
	else if (kmd_adapter_is_fatal(adapter))
		kmd_adapter_end_waits(adapter);
}

bool kmd_adapter_interrupt(struct kmd_adapter *adapter, u32 vector)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool queued;

	adapter->statistics.interrupts++;
	if (!adapter->asleep) /* else it was on its way */
		adapter->ddi->interrupt_routine(adapter->h_adapter, vector);
	/* whoever runs the deferred part finds the error, if nothing else */
	queued = adapter->dpc_queued || kmd_adapter_is_fatal(adapter);
	adapter->dpc_queued = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	return queued;
}

/* --- level DISPATCH ------------------------------------------------------------------ */

/* Take the oldest note of a signalled fence, or NULL. */
static struct kmd_native_fence *kmd_dpc_take_signaled(struct kmd_adapter *adapter)
{
	struct kmd_native_fence *native = NULL;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	if (!rf_list_empty(&adapter->signaled)) {
		native = rf_list_first(&adapter->signaled, struct kmd_native_fence, signaled_link);
		rf_list_remove(&native->signaled_link);
	}
	rf_spin_unlock(&adapter->device_lock, flags);
	return native;
}

static u32 kmd_dpc_take_log_nodes(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	u32 nodes = adapter->note_log_nodes;

	adapter->note_log_nodes = 0;
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

/* The queue that has had a note for longest, or NULL. */
static struct kmd_queue *kmd_dpc_take_noted_queue(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	struct kmd_queue *queue = NULL;

	if (!rf_list_empty(&adapter->noted)) {
		queue = rf_list_first(&adapter->noted, struct kmd_queue, noted_link);
		rf_list_remove(&queue->noted_link);
	}
	rf_spin_unlock(&adapter->device_lock, flags);
	return queue;
}

static void kmd_dpc_take_residency(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool preempted = queue->note_preempted, work = queue->note_work;
	enum rf_yield_kind yield = queue->note_yield;
	bool is_waiting = queue->is_waiting;
	void *fence = queue->wait_fence;
	u64 value = queue->wait_value;

	queue->note_preempted = false;
	queue->note_work = false;
	queue->note_yield = RF_YIELD_NONE;
	rf_spin_unlock(&adapter->device_lock, flags);
	if (preempted)
		kmd_schedule_preempted(queue, is_waiting, fence, value);
	if (work)
		kmd_schedule_look(queue);
	if (yield != RF_YIELD_NONE)
		kmd_schedule_yield(queue, yield);
}

/* The context that has had a note for longest; false: none has. */
static bool kmd_dpc_take_suspension(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	struct kmd_context *context = NULL;
	u64 fence = 0;

	if (!rf_list_empty(&adapter->noted_contexts)) {
		context = rf_list_first(&adapter->noted_contexts, struct kmd_context, noted_link);
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
		flags = kmd_hold_step(adapter->domain, flags);
	return flags;
}

/* The rest is for the next hold. */
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

	if (kmd_dpc_take_note(adapter, &queue->note_log) && !kmd_queue_read_logs(queue, true))
		kmd_dpc_put_log_note_back(queue);
	kmd_dpc_take_residency(queue);
	if (kmd_dpc_take_note(adapter, &queue->note_fault))
		kmd_queue_lose(queue, queue->fault_error, queue->fault_address, true);
	if (kmd_dpc_take_note(adapter, &queue->note_stop) && !queue->dying)
		kmd_queue_stopped(queue);
}

/* wait_lock held; dropped between two queues. */
static unsigned long kmd_dpc_take_queues(struct kmd_adapter *adapter, unsigned long flags)
{
	struct kmd_domain *domain = adapter->domain;
	struct kmd_queue *queue;

	while ((queue = kmd_dpc_take_noted_queue(adapter))) {
		kmd_dpc_take_queue_notes(queue);
		flags = kmd_wait_relock(domain, flags);
	}
	/* a ring for queues that were out, and nobody knows for which */
	if (kmd_dpc_take_note(adapter, &adapter->note_work))
		kmd_adapter_walk(adapter, KMD_WALK_LOOK);
	return flags;
}

bool kmd_adapter_dpc(struct kmd_adapter *adapter)
{
	struct kmd_domain *domain = adapter->domain;
	struct kmd_native_fence *native;
	unsigned long flags;
	bool work;
	u32 nodes;

	adapter->ddi->dpc_routine(adapter->h_adapter);

	flags = kmd_wait_lock(domain);
	while ((native = kmd_dpc_take_signaled(adapter))) {
		kmd_fence_evaluate(native->fence);
		flags = kmd_hold_step(domain, flags);
	}
	if (kmd_dpc_take_note(adapter, &adapter->note_all))
		kmd_adapter_walk(adapter, KMD_WALK_NATIVE);
	if (kmd_dpc_take_note(adapter, &adapter->note_legacy)) {
		adapter->statistics.evaluate_legacy++;
		kmd_adapter_walk(adapter, KMD_WALK_MONITORED);
	}
	/* each fence was named, or all are looked at: then logs are for who traces them */
	if (kmd_dpc_take_note(adapter, &adapter->note_logs))
		kmd_adapter_walk(adapter, KMD_WALK_LOGS);
	nodes = kmd_dpc_take_log_nodes(adapter);
	adapter->walk_nodes |= nodes;
	if (nodes)
		kmd_adapter_walk(adapter, KMD_WALK_EVALUATE);
	flags = kmd_dpc_take_queues(adapter, flags);
	flags = kmd_dpc_take_contexts(adapter, flags);
	kmd_nodes_take_notes(adapter);
	kmd_nodes_end_preemptions(adapter);
	if (kmd_dpc_take_note(adapter, &adapter->note_engines))
		adapter->work = true;
	kmd_flush_pending(domain); /* which may ask for work */
	work = adapter->work;
	kmd_wait_unlock(domain, flags);
	return work;
}
