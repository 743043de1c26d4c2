// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues in and out of the device's slots (docs/scheduling.md), and contexts whose
 * queues stay out for the time being. Which queue is to be in is the core's business.
 *
 * In: the context goes from its save area to a free slot. When the slot is seen enabled, now or
 * by the DPC, the doorbell is bound to it, and the write pointer is sampled once more after
 * that: a ring before the binding set but a bit that the binding clears, and its record was
 * stored before it. What is asked of a queue that is loading (to leave, to go on) is done then.
 * Out: rings are made to set the doorbell's pending bit first, so that each one is in
 * the saved write pointer or tells the host; then the slot is preempted, which ends
 * with a `preempted` record.
 *
 * Locking: rf_miniport.lock.
 */
#include "rf_miniport.h"

/* --- in -------------------------------------------------------------------------------- */

static void rf_slot_command(struct rf_miniport *miniport, const struct rf_hw_queue *queue,
			    u64 command)
{
	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
			  command);
}

static void rf_slot_restore(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	u64 config = rf_saved_read(queue, RF_CONTEXT(CONFIG)) & ~RF_SLOT_CONFIG_VMID_MASK;

	config |= RF_FIELD(RF_SLOT_CONFIG_VMID, queue->context->space->vmid);
	rf_saved_write(queue, RF_CONTEXT(CONFIG), config);
	rf_wmb();
	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(SAVE_ADDRESS)),
			  rf_save_area_address(&queue->save));
	rf_slot_command(miniport, queue, RF_SLOT_CONTROL_RESTORE_MASK);
	queue->loading = true;
	queue->pending = (struct rf_pending){
		.offset = RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(STATUS)),
		.mask = RF_SLOT_STATUS_STATE_MASK,
		.value = RF_FIELD(RF_SLOT_STATUS_STATE, RF_SLOT_STATE_DISABLED),
		.differs = true,
	};
}

/* What the queue is to do, now that its slot takes commands. */
static void rf_queue_loaded(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	struct rf_pending resampling = {
		.offset = RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(STATUS)),
		.mask = RF_SLOT_STATUS_RESAMPLING_MASK,
	};

	queue->loading = false;
	if (queue->residence == RF_QUEUE_LEAVING) {
		rf_slot_command(miniport, queue, RF_SLOT_CONTROL_PREEMPT_MASK);
		return;
	}
	if (queue->resuming)
		rf_slot_command(miniport, queue, RF_SLOT_CONTROL_RESUME_MASK);
	queue->resuming = false;
	rf_doorbell_set_resident(miniport, queue, true);
	rf_slot_command(miniport, queue, RF_SLOT_CONTROL_RESAMPLE_MASK);
	/* what is written to the record from now on is taken when it is told of, if the device
	 * is as quick as it nearly always is */
	rf_pending_look(miniport, &resampling);
}

int rf_queue_look_loaded(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	int error;

	if (!queue->loading)
		return 0;
	error = rf_pending_look(miniport, &queue->pending);
	if (!error)
		rf_queue_loaded(miniport, queue);
	return error;
}

/* The first that is loading, or NULL. lock held. */
static struct rf_hw_queue *rf_queue_find_loading(const struct rf_miniport *miniport)
{
	u32 slot;

	for (slot = 0; slot < miniport->slots; slot++)
		if (miniport->slot[slot] && miniport->slot[slot]->loading)
			return miniport->slot[slot];
	return NULL;
}

bool rf_queues_look_loaded(struct rf_miniport *miniport)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	struct rf_hw_queue *queue = rf_queue_find_loading(miniport);
	bool more = false;

	if (queue) {
		/* one that is away is asked again by the watch */
		more = rf_queue_look_loaded(miniport, queue) != -EIO &&
		       rf_queue_find_loading(miniport);
	}
	rf_spin_unlock(&miniport->lock, flags);
	return more;
}

static u32 rf_slot_find(const struct rf_miniport *miniport)
{
	u32 slot;

	for (slot = 0; slot < miniport->slots; slot++)
		if (!miniport->slot[slot] && !rf_packet_node_has(miniport, slot))
			return slot;
	return RF_SLOT_NONE;
}

static int rf_queue_enter(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	u32 slot = rf_slot_find(miniport);
	int error;

	if (slot == RF_SLOT_NONE)
		return -EBUSY;
	error = rf_space_assign(miniport, queue->context->space);
	if (error)
		return error;
	queue->slot = slot;
	rf_slot_restore(miniport, queue);
	queue->residence = RF_QUEUE_RESIDENT;
	miniport->slot[slot] = queue;
	miniport->vmid[queue->context->space->vmid].queues++;
	queue->context->residents++;
	return 0;
}

int rf_make_hw_queue_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);
	int error = rf_queue_enter(miniport, queue);

	if (!error)
		arguments->is_busy = rf_queue_look_loaded(miniport, queue) == -EINPROGRESS;
	if (arguments->is_busy)
		rf_set_busy(miniport);
	rf_spin_unlock(&miniport->lock, flags);
	return error;
}

/* --- out ------------------------------------------------------------------------------- */

void rf_queue_leave(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	if (queue->residence != RF_QUEUE_RESIDENT)
		return;
	queue->residence = RF_QUEUE_LEAVING;
	rf_doorbell_set_resident(miniport, queue, false);
	/* else it is told so when that is over */
	if (!queue->loading && !queue->switching)
		rf_slot_command(miniport, queue, RF_SLOT_CONTROL_PREEMPT_MASK);
}

void rf_queue_set_switching(struct rf_miniport *miniport, struct rf_hw_queue *queue, bool switching)
{
	queue->switching = switching;
	if (!switching && queue->residence == RF_QUEUE_LEAVING)
		rf_slot_command(miniport, queue, RF_SLOT_CONTROL_PREEMPT_MASK);
}

/* Is its slot enabled, or does the queue make no access from there any more? */
static bool rf_queue_is_settled(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	struct rf_pending stopping = {
		.offset = RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(STATUS)),
		.mask = RF_SLOT_STATUS_STATE_MASK,
		.value = RF_FIELD(RF_SLOT_STATUS_STATE, RF_SLOT_STATE_DISABLED),
	};

	if (queue->residence == RF_QUEUE_SAVED)
		return true;
	if (rf_queue_look_loaded(miniport, queue) == -EINPROGRESS)
		return false;
	if (queue->residence != RF_QUEUE_LEAVING)
		return true;
	/* the words are in place before the slot is disabled */
	if (rf_pending_look_once(miniport, &stopping) == -EINPROGRESS)
		return false;
	rf_rmb();
	return true;
}

/* Its record may come between two looks, and the slot be another's then. */
static bool rf_queue_settle(struct rf_miniport *miniport, void *argument)
{
	struct rf_hw_queue *queue = argument;
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool settled = rf_queue_is_settled(miniport, queue);

	rf_spin_unlock(&miniport->lock, flags);
	return settled;
}

unsigned long rf_queue_lock_settled(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	/* it may be told to leave as soon as it is in */
	while (!rf_queue_is_settled(miniport, queue)) {
		u32 slot = queue->slot;

		rf_spin_unlock(&miniport->lock, flags);
		rf_await_stopped(miniport, queue->context->node, slot, rf_queue_settle, queue);
		flags = rf_spin_lock(&miniport->lock);
	}
	return flags;
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
	queue->loading = false;
	if (queue->resuming)
		rf_saved_resume(queue);
	queue->resuming = false;
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

/* There is no context to go on from. */
static void rf_tell_context_lost(struct rf_miniport *miniport, struct rf_hw_queue *queue,
				 const struct rf_interrupt_record *record)
{
	const struct rf_notify_interrupt_data lost = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PAGE_FAULTED,
		.hw_queue_page_faulted = {
			.faulted_hw_queue = queue,
			.faulted_virtual_address = record->address,
			.node_ordinal = queue->context->node,
			.page_fault_flags = 1,
			.fault_error_code = RF_QUEUE_ERROR_TRANSLATION,
		},
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &lost);
}

/* The queue that is to be loaded from there, or NULL. lock held. */
static struct rf_hw_queue *rf_queue_find_restoring(const struct rf_miniport *miniport, u64 address)
{
	u32 slot;

	for (slot = 0; slot < miniport->slots; slot++) {
		struct rf_hw_queue *queue = miniport->slot[slot];

		if (queue && queue->loading && rf_save_area_address(&queue->save) == address)
			return queue;
	}
	return NULL;
}

/*
 * Nothing was loaded: the record has the handle, node and VMID of whoever was in the slot
 * before, and only its address is that of the queue.
 */
bool rf_restore_failed_record(struct rf_miniport *miniport,
			      const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PREEMPTED,
	};
	unsigned long flags = rf_spin_lock(&miniport->lock);
	struct rf_hw_queue *queue = rf_queue_find_restoring(miniport, record->address);

	if (queue) {
		miniport->vmid[queue->context->space->vmid].queues--;
		rf_queue_left(miniport, queue);
	}
	rf_spin_unlock(&miniport->lock, flags);
	if (!queue)
		return false;
	data.hw_queue_preempted.preempted_hw_queue = queue;
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	rf_tell_context_lost(miniport, queue, record);
	rf_tell_suspended(miniport);
	return true;
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
	if (queue && record->detail != RF_ACCESS_STATUS_OK)
		rf_tell_context_lost(miniport, queue, record);
	rf_tell_suspended(miniport);
}

/* --- hints ----------------------------------------------------------------------------- */

void rf_rearm_hw_queue(void *h_adapter, const struct rf_rearm_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	if (rf_queue_in_slot(queue))
		rf_slot_command(miniport, queue, RF_SLOT_CONTROL_REARM_MASK);
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
