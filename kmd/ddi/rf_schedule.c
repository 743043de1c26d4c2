// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues in and out of the device's slots (docs/scheduling.md), and contexts whose
 * queues stay out for the time being. Which queue is to be in is the core's business.
 *
 * In: the context goes from its save area to a free slot, the doorbell is bound to it,
 * and the write pointer is sampled once more after that: a ring before the binding set
 * but a bit that the binding clears, and its record was stored before it.
 * Out: rings are made to set the doorbell's pending bit first, so that each one is in
 * the saved write pointer or tells the host; then the slot is preempted, which ends
 * with a `preempted` record.
 *
 * Locking: rf_miniport.lock.
 */
#include "rf_miniport.h"

/* --- in -------------------------------------------------------------------------------- */

static int rf_slot_restore(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	u64 status = RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(STATUS));
	u64 config = rf_saved_read(queue, RF_CONTEXT(CONFIG)) & ~RF_SLOT_CONFIG_VMID_MASK;

	config |= RF_FIELD(RF_SLOT_CONFIG_VMID, queue->context->space->vmid);
	rf_saved_write(queue, RF_CONTEXT(CONFIG), config);
	rf_wmb();
	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(SAVE_ADDRESS)),
			  rf_save_area_address(&queue->save));
	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
			  RF_SLOT_CONTROL_RESTORE_MASK);
	/* a slot that is not enabled yet could not be preempted */
	return rf_register_poll_not(miniport, status, RF_SLOT_STATUS_STATE_MASK,
				    RF_FIELD(RF_SLOT_STATUS_STATE, RF_SLOT_STATE_DISABLED));
}

static int rf_queue_enter(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	u32 slot;
	int error;

	for (slot = 0; slot < miniport->slots; slot++)
		if (!miniport->slot[slot] && !rf_packet_node_has(miniport, slot))
			break;
	if (slot == miniport->slots)
		return -EBUSY;
	error = rf_space_assign(miniport, queue->context->space);
	if (error)
		return error;
	queue->slot = slot;
	error = rf_slot_restore(miniport, queue);
	if (error)
		return error;
	queue->residence = RF_QUEUE_RESIDENT;
	miniport->slot[slot] = queue;
	miniport->vmid[queue->context->space->vmid].queues++;
	queue->context->residents++;
	rf_doorbell_set_resident(miniport, queue, true);
	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
			  RF_SLOT_CONTROL_RESAMPLE_MASK);
	/* no look at the record is under way that could see what is not told yet */
	return rf_register_poll(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(STATUS)),
				RF_SLOT_STATUS_RESAMPLING_MASK, 0);
}

int rf_make_hw_queue_resident(void *h_adapter, const struct rf_make_hw_queue_resident *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);
	int error = rf_queue_enter(miniport, queue);

	rf_spin_unlock(&miniport->lock, flags);
	return error;
}

/* --- out ------------------------------------------------------------------------------- */

void rf_queue_leave(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	if (queue->residence != RF_QUEUE_RESIDENT)
		return;
	rf_doorbell_set_resident(miniport, queue, false);
	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
			  RF_SLOT_CONTROL_PREEMPT_MASK);
	queue->residence = RF_QUEUE_LEAVING;
}

void rf_evict_hw_queue(void *h_adapter, const struct rf_evict_hw_queue *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	rf_queue_leave(miniport, arguments->h_hw_queue);
	rf_spin_unlock(&miniport->lock, flags);
}

void rf_queue_left(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	miniport->slot[queue->slot] = NULL;
	queue->context->residents--;
	queue->residence = RF_QUEUE_SAVED;
}

void rf_tell_suspended(struct rf_miniport *miniport)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED,
	};
	struct rf_hw_context *context;
	unsigned long flags;
	bool found;

	do {
		found = false;
		flags = rf_spin_lock(&miniport->lock);
		rf_list_for_each(context, &miniport->contexts, link) {
			if (!context->suspending || context->residents)
				continue;
			context->suspending = false;
			data.suspend_context_completed.h_hw_context = context;
			data.suspend_context_completed.context_suspend_fence =
				context->suspend_fence;
			found = true;
			break;
		}
		rf_spin_unlock(&miniport->lock, flags);
		if (found)
			miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	} while (found);
}

void rf_slots_forget(struct rf_miniport *miniport)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PREEMPTED,
	};
	unsigned long flags;
	u32 i;

	for (i = 0; i < miniport->slots; i++) {
		struct rf_hw_queue *queue;

		flags = rf_spin_lock(&miniport->lock);
		queue = miniport->slot[i];
		if (queue)
			rf_queue_left(miniport, queue);
		rf_spin_unlock(&miniport->lock, flags);
		data.hw_queue_preempted.preempted_hw_queue = queue;
		if (queue)
			miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	}
	flags = rf_spin_lock(&miniport->lock);
	for (i = 0; i < RF_VMIDS; i++)
		miniport->vmid[i].queues = 0; /* no record of theirs comes any more */
	rf_spin_unlock(&miniport->lock, flags);
	rf_tell_suspended(miniport);
}

void rf_preempted_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PREEMPTED,
	};
	struct rf_hw_queue *queue;
	unsigned long flags;
	bool node;

	flags = rf_spin_lock(&miniport->lock);
	if (miniport->vmid[record->vmid].queues)
		miniport->vmid[record->vmid].queues--;
	queue = rf_queue_find(miniport, record->handle);
	if (queue && queue->residence == RF_QUEUE_LEAVING) {
		rf_queue_left(miniport, queue);
		data.hw_queue_preempted.preempted_hw_queue = queue;
		if (RF_FIELD_GET(RF_SLOT_STATUS_STATE, record->value) == RF_SLOT_STATE_WAITING) {
			data.hw_queue_preempted.is_waiting = true;
			data.hw_queue_preempted.value =
				rf_saved_read(queue, RF_CONTEXT(WAIT_VALUE));
			data.hw_queue_preempted.h_native_fence =
				rf_fence_find(miniport, queue->context->space,
					      rf_saved_read(queue, RF_CONTEXT(WAIT_ADDRESS)));
		}
	} else {
		queue = NULL; /* it was destroyed meanwhile */
	}
	node = !miniport->vmid[record->vmid % RF_VMIDS].queues &&
	       miniport->vmid[record->vmid % RF_VMIDS].is_node;
	rf_spin_unlock(&miniport->lock, flags);
	if (node) /* it may have waited for this */
		rf_packet_nodes_look(miniport);
	if (queue)
		miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	if (queue && record->detail != RF_ACCESS_STATUS_OK) {
		/* There is no context to go on from. */
		const struct rf_notify_interrupt_data lost = {
			.interrupt_type = RF_INTERRUPT_HWQUEUE_PAGE_FAULTED,
			.hw_queue_page_faulted = {
				.faulted_hw_queue = queue,
				.faulted_virtual_address = record->address,
				.node_ordinal = record->node,
				.page_fault_flags = 1,
				.fault_error_code = RF_QUEUE_ERROR_TRANSLATION,
			},
		};

		miniport->callbacks->notify_interrupt(miniport->h_core, &lost);
	}
	rf_tell_suspended(miniport);
}

/* --- hints ----------------------------------------------------------------------------- */

void rf_rearm_hw_queue(void *h_adapter, const struct rf_rearm_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	if (queue->residence == RF_QUEUE_RESIDENT)
		rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
				  RF_SLOT_CONTROL_REARM_MASK);
	rf_spin_unlock(&miniport->lock, flags);
}

/*
 * Entries that were accepted, or that the write-pointer record names and the device
 * would accept; what else stands there is user mode's own affair.
 */
static bool rf_saved_has_work(const struct rf_hw_queue *queue)
{
	u64 state = rf_saved_read(queue, RF_CONTEXT(FLAGS));
	u64 read, written, record;

	if (!queue->write_pointer.mem || (state & RF_SLOT_FLAGS_STOPPED_MASK))
		return false;
	read = rf_saved_read(queue, RF_CONTEXT(POINTERS));
	written = rf_saved_read(queue, RF_CONTEXT(WRITE_POINTER));
	if ((state & RF_SLOT_FLAGS_IN_BUFFER_MASK) || written != read)
		return true;
	record = rf_untrusted_value_read(queue->write_pointer);
	return record > written && record - read <= queue->entries;
}

void rf_query_hw_queue_work(void *h_adapter, struct rf_query_hw_queue_work *arguments)
{
	const struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	arguments->has_work = queue->residence == RF_QUEUE_SAVED && rf_saved_has_work(queue);
	rf_spin_unlock(&miniport->lock, flags);
}

void rf_yield_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	static const enum rf_yield_kind kinds[] = {
		[RF_YIELD_REASON_BLOCKED] = RF_YIELD_BLOCKED,
		[RF_YIELD_REASON_IDLE] = RF_YIELD_IDLE,
		[RF_YIELD_REASON_QUANTUM] = RF_YIELD_QUANTUM,
	};
	struct rf_notify_interrupt_data data = { .interrupt_type = RF_INTERRUPT_HWQUEUE_YIELD };
	struct rf_hw_queue *queue;
	unsigned long flags;

	flags = rf_spin_lock(&miniport->lock);
	queue = rf_queue_find(miniport, record->handle);
	if (queue && queue->residence != RF_QUEUE_RESIDENT)
		queue = NULL;
	rf_spin_unlock(&miniport->lock, flags);
	if (!queue || record->detail >= ARRAY_SIZE(kinds))
		return;
	data.hw_queue_yield.yielding_hw_queue = queue;
	data.hw_queue_yield.kind = kinds[record->detail];
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

void rf_pending_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = { .interrupt_type = RF_INTERRUPT_HWQUEUE_WORK };
	struct rf_hw_queue *queue = NULL;
	unsigned long flags;
	u32 token = 0;
	bool any;

	if (!record->handle)
		token = rf_global_pending(miniport, (u32)record->address);
	any = !record->handle && !token; /* then NULL says so */
	flags = rf_spin_lock(&miniport->lock);
	if (!any)
		queue = record->handle ? rf_queue_find(miniport, record->handle)
				       : rf_queue_find_token(miniport, token);
	rf_spin_unlock(&miniport->lock, flags);
	if (!queue && !any)
		return;
	if (queue && record->handle)
		rf_doorbell_clear_pending(miniport, queue);
	data.hw_queue_work.h_hw_queue = queue;
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

void rf_schedule_count(struct rf_miniport *miniport)
{
	bool more = miniport->queue_count > miniport->slots || miniport->processes >= RF_VMIDS;

	rf_register_write(miniport, RF_REGISTER(miniport, SLOT, OVERSUBSCRIBED), more);
}

/* --- contexts -------------------------------------------------------------------------- */

int rf_create_hw_context(void *h_adapter, struct rf_create_hw_context *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_hw_context *context;
	unsigned long flags;

	if (arguments->node_ordinal >= miniport->nodes || arguments->priority >= RF_PRIORITY_BANDS)
		return -EINVAL;
	context = rf_alloc(sizeof(*context));
	if (!context)
		return -ENOMEM;
	context->space = arguments->h_process;
	context->node = arguments->node_ordinal;
	context->priority = arguments->priority;
	rf_list_init(&context->queues);
	flags = rf_spin_lock(&miniport->lock);
	rf_list_insert(&context->link, &miniport->contexts);
	rf_spin_unlock(&miniport->lock, flags);
	arguments->h_hw_context = context;
	return 0;
}

void rf_destroy_hw_context(void *h_adapter, const struct rf_destroy_hw_context *arguments)
{
	struct rf_hw_context *context = arguments->h_hw_context;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	rf_list_remove(&context->link);
	rf_spin_unlock(&miniport->lock, flags);
	rf_free(context);
}

int rf_suspend_context(void *h_adapter, const struct rf_suspend_context *arguments)
{
	struct rf_hw_context *context = arguments->h_hw_context;
	struct rf_miniport *miniport = h_adapter;
	struct rf_hw_queue *queue;
	unsigned long flags;
	bool suspending;

	flags = rf_spin_lock(&miniport->lock);
	rf_list_for_each(queue, &context->queues, context_link)
		rf_queue_leave(miniport, queue);
	suspending = context->residents;
	context->suspending = suspending;
	context->suspend_fence = arguments->context_suspend_fence;
	rf_spin_unlock(&miniport->lock, flags);
	return suspending ? -EINPROGRESS : 0;
}

void rf_resume_context(void *h_adapter, const struct rf_resume_context *arguments)
{
	struct rf_hw_context *context = arguments->h_hw_context;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	/* nobody waits for it any more */
	context->suspending = false;
	rf_spin_unlock(&miniport->lock, flags);
}
