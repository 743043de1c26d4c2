// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The hardware queue of packets of a node. Its packets are performed in the order in
 * which they came, whatever their contexts; the node has one slot, which is loaded with
 * the context of the packet that runs (S4-14, S4-27, S4-28).
 *
 * Packets of one context that stand one behind the other are in its ring together; their
 * PROGRESS packets write their fence ids to one word of the node, whose MonitoredValue is
 * 0, so that each one interrupts. The record only says that it is time to look, and a lost
 * one is made up for by the next look. What is complete is told by the slot's read pointer,
 * which no command can move: the word is any PROGRESS packet's of the process, and only says
 * whether what a packet stored is visible already. When the slot makes no access any more
 * it is, and the word says nothing: so a process that writes there may hear of its own packets
 * later, but not before they are done, and of nobody else's.
 *
 * Another context: the slot is preempted when all of the loaded one is complete, which
 * saves it, and restored from the other's save area. Preemption: the slot is preempted
 * in the midst of a packet. That packet stays in the ring of its context, where the
 * saved context stands in it; it gets its new fence id when it is submitted again. Those
 * behind it are taken back, by making them empty, since the core may have packets of
 * others run in between.
 *
 * What the device does by and by is a state of the slot: loading, saving, stopping. Nothing waits
 * for it at level DEVICE: the record or the DPC goes on (rf_poll.c), and a thread that ends a
 * context or a hang takes steps, and sleeps between them.
 *
 * Locking: the core's device lock for everything: by synchronize_execution, or in the
 * interrupt service.
 */
#include "rf_miniport.h"

static u64 rf_slot_register(struct rf_miniport *miniport, const struct rf_packet_node *node,
			    u64 register_offset)
{
	return RF_REGISTER_AT(miniport, SLOT, RING_BASE, node->slot) + register_offset -
	       RF_REG_SLOT_RING_BASE(0);
}

#define RF_PACKET_SLOT(miniport, node, REGISTER) \
	rf_slot_register(miniport, node, RF_REG_SLOT_##REGISTER(0))

static struct rf_packet *rf_packet_at(struct rf_packet_node *node, u32 count)
{
	return &node->packets[count % RF_PACKET_CAP];
}

/* --- the slot ------------------------------------------------------------------------ */

bool rf_packet_node_has(const struct rf_miniport *miniport, u32 slot)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++)
		if (miniport->packet_node[i].contexts && miniport->packet_node[i].slot == slot)
			return true;
	return false;
}

/* Hardware queues take slots from the other end. rf_miniport.lock is held. */
static int rf_slot_take(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	u32 slot = miniport->slots;

	while (slot--) {
		if (miniport->slot[slot] || rf_packet_node_has(miniport, slot))
			continue;
		node->slot = slot;
		return 0;
	}
	return -EBUSY;
}

static int rf_progress_create(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	struct rf_map_gpu_virtual_address map = { 0 };
	int error = rf_mem_create(miniport->bus, RF_MEM_SYSTEM, 2 * RF_PACKET_MONITORED,
				  &node->progress);

	if (error)
		return error;
	map.mem = node->progress;
	error = rf_map_gpu_virtual_address(miniport, &map);
	if (error)
		rf_mem_put(node->progress);
	else
		node->progress_address = map.gpu_virtual_address;
	return error;
}

static void rf_progress_destroy(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	rf_unmap_gpu_virtual_address(miniport,
				     &(struct rf_unmap_gpu_virtual_address){
					     .mem = node->progress,
					     .gpu_virtual_address = node->progress_address,
				     });
	rf_mem_put(node->progress);
}

/* The kernel's own node is for one space, and all others are for those of user mode. */
static int rf_vmid_take(struct rf_miniport *miniport, struct rf_packet_node *node,
			const struct rf_address_space *space)
{
	node->vmid = space == &miniport->system ? 0 : rf_node_vmid_take(miniport);
	return !node->vmid && space != &miniport->system ? -EBUSY : 0;
}

int rf_packet_node_get(struct rf_miniport *miniport, struct rf_packet_node *node,
		       struct rf_address_space *space)
{
	int error = node->contexts ? 0 : rf_progress_create(miniport, node);
	unsigned long flags;

	if (error)
		return error;
	flags = rf_spin_lock(&miniport->lock);
	if (!node->contexts)
		error = rf_slot_take(miniport, node);
	if (!node->contexts && !error)
		error = rf_vmid_take(miniport, node, space);
	if (!error)
		node->contexts++;
	rf_spin_unlock(&miniport->lock, flags);
	if (error && !node->contexts)
		rf_progress_destroy(miniport, node);
	return error;
}

void rf_packet_node_put(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool last = !--node->contexts;

	rf_spin_unlock(&miniport->lock, flags);
	if (last && node->vmid)
		rf_node_vmid_give(miniport, node->vmid);
	if (last)
		rf_progress_destroy(miniport, node);
}

/* --- what the slot does --------------------------------------------------------------- */

static void rf_slot_command(struct rf_miniport *miniport, const struct rf_packet_node *node,
			    u64 command)
{
	rf_register_write(miniport, RF_PACKET_SLOT(miniport, node, CONTROL), command);
}

/* Until the state of the slot is DISABLED, or is anything else, and @mask is 0. */
static void rf_slot_expect(struct rf_miniport *miniport, struct rf_packet_node *node, bool loaded,
			   u64 mask)
{
	node->pending = (struct rf_pending){
		.offset = RF_PACKET_SLOT(miniport, node, STATUS),
		.mask = RF_SLOT_STATUS_STATE_MASK | mask,
		.value = RF_FIELD(RF_SLOT_STATUS_STATE, RF_SLOT_STATE_DISABLED),
		.differs = loaded,
	};
}

static void rf_slot_load(struct rf_miniport *miniport, struct rf_packet_node *node,
			 struct rf_packet_context *context)
{
	/* nothing is left of what others wrote there; their stores ended before they left */
	rf_mem_write64(node->progress, 0, 0);
	rf_wmb();
	rf_register_write(miniport, RF_PACKET_SLOT(miniport, node, SAVE_ADDRESS),
			  context->save_address);
	rf_slot_command(miniport, node, RF_SLOT_CONTROL_RESTORE_MASK);
	node->loaded = context;
	node->state = RF_PACKET_SLOT_LOADING;
	rf_slot_expect(miniport, node, true, 0);
}

static void rf_slot_save(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	rf_slot_command(miniport, node, RF_SLOT_CONTROL_PREEMPT_MASK);
	node->state = RF_PACKET_SLOT_SAVING;
	rf_slot_expect(miniport, node, false, 0);
}

/* The `preempted` record is to come, and counts as any: see rf_preempted_record(). */
static void rf_record_expect(struct rf_miniport *miniport, const struct rf_packet_node *node)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	miniport->vmid[node->vmid].queues++;
	rf_spin_unlock(&miniport->lock, flags);
}

static void rf_slot_disable(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	if (node->state == RF_PACKET_SLOT_SAVING)
		rf_record_expect(miniport, node);
	rf_slot_command(miniport, node, RF_SLOT_CONTROL_DISABLE_MASK);
	node->state = RF_PACKET_SLOT_STOPPING;
	rf_slot_expect(miniport, node, false, RF_SLOT_STATUS_RESAMPLING_MASK);
}

/* Its context is not saved. One that is being loaded takes no command before. */
static void rf_slot_stop(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	if (node->state == RF_PACKET_SLOT_LOADING)
		node->stop = true;
	else if (node->state == RF_PACKET_SLOT_LOADED || node->state == RF_PACKET_SLOT_SAVING)
		rf_slot_disable(miniport, node);
}

static void rf_look_left(struct rf_miniport *miniport, struct rf_packet_node *node);

/* The slot makes no access any more, and what it did was seen. */
static void rf_slot_is_left(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	rf_look_left(miniport, node);
	node->loaded = NULL;
	node->state = RF_PACKET_SLOT_EMPTY;
	node->stop = false;
}

static void rf_fault_tell(struct rf_miniport *miniport, struct rf_packet_node *node);

/*
 * Go on with a slot that is loaded or stopped. 0: it takes commands, or is empty, or is being
 * saved, which a record ends; -EINPROGRESS: not yet; -EIO: the device is lost, or away.
 */
static int rf_slot_look(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	int error = 0;

	if (node->state == RF_PACKET_SLOT_LOADING) {
		error = rf_pending_look(miniport, &node->pending);
		if (error)
			return error;
		node->state = RF_PACKET_SLOT_LOADED;
		if (node->stop)
			rf_slot_disable(miniport, node);
	}
	if (node->state == RF_PACKET_SLOT_STOPPING) {
		error = rf_pending_look(miniport, &node->pending);
		if (error)
			return error;
		rf_slot_is_left(miniport, node);
		rf_fault_tell(miniport, node);
	}
	return 0;
}

/* Is the slot one that takes commands, or an empty one? Else the DPC looks again, and this
 * does not before. */
static bool rf_slot_is_ready(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	int error;

	if (node->state != RF_PACKET_SLOT_LOADING && node->state != RF_PACKET_SLOT_STOPPING)
		return true;
	if (rf_is_busy(miniport))
		return false;
	error = rf_slot_look(miniport, node);
	if (error == -EINPROGRESS)
		rf_tell_busy(miniport);
	return !error;
}

/* --- what is told -------------------------------------------------------------------- */

static void rf_tell_completed(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_COMPLETED,
		.dma_completed = {
			.submission_fence_id = node->last_completed_id,
			.node_ordinal = node->ordinal,
		},
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

static void rf_tell_preempted(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PREEMPTED,
		.dma_preempted = {
			.preemption_fence_id = node->preemption_id,
			.last_completed_fence_id = node->last_completed_id,
			.node_ordinal = node->ordinal,
		},
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

/* --- completion ---------------------------------------------------------------------- */

static void rf_complete_first(struct rf_packet_node *node)
{
	const struct rf_packet *packet = rf_packet_at(node, node->completed++);

	if (packet->context)
		packet->context->ring.taken = (packet->submission + 1) * RF_SUBMISSION_ENTRIES;
	node->last_completed_id = packet->fence_id;
}

static void rf_complete_up_to(struct rf_miniport *miniport, struct rf_packet_node *node, u32 end)
{
	if (node->completed == end)
		return;
	while (node->completed != end)
		rf_complete_first(node);
	rf_tell_completed(miniport, node);
}

/* Does the slot still show what was in it before? */
static bool rf_slot_is_loading(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	return node->state == RF_PACKET_SLOT_LOADING &&
	       rf_pending_look_once(miniport, &node->pending);
}

/* Entries that the slot has done of the ring of what is loaded, which go forward, and never
 * past what was written; 0: it does not show that. */
static u64 rf_entries_done(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	const struct rf_kernel_ring *ring;
	u64 pointer;

	if (!node->loaded || node->completed == node->given || rf_slot_is_loading(miniport, node))
		return 0;
	ring = &node->loaded->ring;
	pointer = rf_register_read(miniport, RF_PACKET_SLOT(miniport, node, POINTERS));
	return pointer - ring->taken > ring->written - ring->taken ? 0 : pointer;
}

/* The end of the packets given of which that many entries, or all, are among those done. */
static u32 rf_end_of(struct rf_packet_node *node, u64 done, u32 entries)
{
	u32 end = node->completed;

	while (end != node->given &&
	       rf_packet_at(node, end)->submission * RF_SUBMISSION_ENTRIES + entries <= done)
		end++;
	return end;
}

/*
 * While the slot runs: the commands of a packet are done, and the word says so, so that what
 * they stored is visible. The read pointer may still stand at the PROGRESS packet.
 */
static void rf_look_at(struct rf_miniport *miniport, struct rf_packet_node *node, u64 done)
{
	u32 end = rf_end_of(node, done, 1);
	u64 value = rf_untrusted_read64(node->progress, 0);

	rf_rmb();
	while (end != node->completed && rf_packet_at(node, end - 1)->fence_id != value)
		end--;
	rf_complete_up_to(miniport, node, end);
}

static void rf_look(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	u64 done = rf_entries_done(miniport, node);

	if (done)
		rf_look_at(miniport, node, done);
}

/* Of a queue in error packets may be done that were handed over behind the one that failed. */
static bool rf_slot_has_failed(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	u64 status = rf_register_read(miniport, RF_PACKET_SLOT(miniport, node, STATUS));

	return status & RF_SLOT_STATUS_ERROR_MASK;
}

/* The slot makes no access any more. */
static void rf_look_left(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	u64 done = rf_entries_done(miniport, node);

	if (!done)
		return;
	rf_rmb();
	if (!rf_slot_has_failed(miniport, node))
		rf_complete_up_to(miniport, node, rf_end_of(node, done, RF_SUBMISSION_ENTRIES));
	rf_look_at(miniport, node, done); /* one may have left behind its PROGRESS packet */
}

/* --- preemption ---------------------------------------------------------------------- */

/* No context is loaded any more; what is left does not run. */
static void rf_take_back(struct rf_packet_node *node)
{
	struct rf_packet *packet = rf_packet_at(node, node->completed);
	u32 i;

	if (node->completed != node->given) {
		packet->context->is_preempted = true;
		packet->context->preempted_submission = packet->submission;
		packet->context->preempted_address = packet->address;
		for (i = node->completed + 1; i != node->given; i++)
			rf_kernel_ring_clear(&packet->context->ring,
					     rf_packet_at(node, i)->submission);
	}
	node->completed = node->submitted;
	node->given = node->submitted;
}

static void rf_finish_preemption(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	rf_take_back(node);
	rf_tell_preempted(miniport, node);
	node->preemption_id = 0;
}

/* --- going on ------------------------------------------------------------------------ */

/* Put a packet into the ring of its context; false: there is no room yet. */
static bool rf_give(struct rf_packet *packet)
{
	struct rf_packet_context *context = packet->context;

	if (context->is_preempted) {
		context->is_preempted = false;
		packet->submission = context->preempted_submission;
		rf_kernel_ring_set_progress(&context->ring, packet->submission, packet->fence_id);
		rf_wmb();
		return true;
	}
	if (rf_kernel_ring_is_full(&context->ring))
		return false;
	packet->submission = rf_kernel_ring_append(&context->ring, packet->address, packet->size,
						   packet->fence_id);
	return true;
}

/* False: not yet. */
static bool rf_can_load(struct rf_miniport *miniport, struct rf_packet_node *node,
			const struct rf_packet_context *context)
{
	unsigned long flags;
	int error;

	if (rf_is_busy(miniport))
		return false;
	flags = rf_spin_lock(&miniport->lock);
	error = rf_node_vmid_bind(miniport, node->vmid, context->space);
	rf_spin_unlock(&miniport->lock, flags);
	if (error == -EINPROGRESS)
		rf_tell_busy(miniport);
	return !error;
}

/* Give packets of the context that is loaded, or can be; then have the device look. */
static void rf_give_all(struct rf_miniport *miniport, struct rf_packet_node *node,
			struct rf_packet_context *context)
{
	u32 given = node->given;

	if (node->loaded != context && !rf_can_load(miniport, node, context))
		return;
	while (node->given != node->submitted &&
	       rf_packet_at(node, node->given)->context == context &&
	       rf_give(rf_packet_at(node, node->given)))
		node->given++;
	if (node->loaded != context)
		rf_slot_load(miniport, node, context);
	else if (node->given != given)
		rf_slot_command(miniport, node, RF_SLOT_CONTROL_RESAMPLE_MASK);
}

static void rf_advance(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	struct rf_packet_context *context;

	if (node->held || !rf_slot_is_ready(miniport, node))
		return;
	while (node->state != RF_PACKET_SLOT_SAVING && node->given != node->submitted &&
	       !node->preemption_id) {
		context = rf_packet_at(node, node->given)->context;
		if (context && context == node->loaded) {
			rf_give_all(miniport, node, context);
			return;
		}
		if (node->completed != node->given)
			return; /* the one that is loaded is not done */
		if (node->loaded) {
			rf_slot_save(miniport, node);
		} else if (context) {
			rf_give_all(miniport, node, context);
			return;
		} else {
			node->given++;
			rf_complete_first(node);
			rf_tell_completed(miniport, node);
		}
	}
	if (!node->preemption_id || node->state == RF_PACKET_SLOT_SAVING)
		return;
	if (node->completed != node->given)
		rf_slot_save(miniport, node);
	else
		rf_finish_preemption(miniport, node);
}

/* --- calls of the core --------------------------------------------------------------- */

struct rf_packet_call {
	struct rf_miniport *miniport;
	struct rf_packet_node *node;
	const struct rf_submit_command *submit;
	u64 preemption_id;
	int error;
};

/* The preempted packet is the first of its context to come back. */
static bool rf_is_in_order(struct rf_packet_node *node, const struct rf_submit_command *submit)
{
	const struct rf_packet_context *context = submit->h_context;
	u32 i;

	if (!context || !context->is_preempted)
		return true;
	for (i = node->given; i != node->submitted; i++)
		if (rf_packet_at(node, i)->context == context)
			return true;
	return context->preempted_address == submit->dma_buffer_virtual_address;
}

static void rf_submit_synchronized(void *argument)
{
	struct rf_packet_call *call = argument;
	struct rf_packet_context *context = call->submit->h_context;
	struct rf_packet_node *node = call->node;

	if (node->submitted - node->completed == RF_PACKET_CAP || node->preemption_id ||
	    !rf_is_in_order(node, call->submit)) {
		call->error = -EINVAL;
		return;
	}
	*rf_packet_at(node, node->submitted++) = (struct rf_packet){
		.context = context,
		.fence_id = call->submit->submission_fence_id,
		.address = call->submit->dma_buffer_virtual_address,
		.size = call->submit->dma_buffer_size,
	};
	rf_advance(call->miniport, node);
}

int rf_submit_command(void *h_adapter, const struct rf_submit_command *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_packet_call call = {
		.miniport = miniport,
		.node = &miniport->packet_node[arguments->node_ordinal],
		.submit = arguments,
	};

	miniport->callbacks->synchronize_execution(miniport->h_core, rf_submit_synchronized, &call);
	return call.error;
}

static void rf_preempt_synchronized(void *argument)
{
	struct rf_packet_call *call = argument;

	/* with an empty hardware queue the device does not hear of it */
	call->node->preemption_id = call->preemption_id;
	rf_advance(call->miniport, call->node);
}

int rf_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_packet_call call = {
		.miniport = miniport,
		.node = &miniport->packet_node[arguments->node_ordinal],
		.preemption_id = arguments->preemption_fence_id,
	};

	if (call.node->preemption_id)
		return -EINVAL;
	miniport->callbacks->synchronize_execution(miniport->h_core, rf_preempt_synchronized,
						   &call);
	return 0;
}

/* --- what ends ------------------------------------------------------------------------ */

/* Packets of a context that is not loaded. */
static void rf_packets_drop(struct rf_packet_node *node, const struct rf_packet_context *context)
{
	u32 from, to, given;

	for (from = to = given = node->completed; from != node->submitted; from++) {
		const struct rf_packet packet = *rf_packet_at(node, from);

		if (packet.context == context)
			continue;
		*rf_packet_at(node, to++) = packet;
		if ((s32)(from - node->given) < 0)
			given = to;
	}
	node->submitted = to;
	node->given = given;
}

/* The slot was emptied for it: the packet that failed is the first that is not complete. */
static void rf_fault_tell(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	const struct rf_packet_fault fault = node->fault;
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PAGE_FAULTED,
		.dma_page_faulted = {
			.faulted_virtual_address = fault.address,
			.node_ordinal = node->ordinal,
			.fault_error_code = fault.error ? fault.error : RF_QUEUE_ERROR_ENGINE,
		},
	};

	node->fault.context = NULL;
	if (!fault.context)
		return;
	if (node->completed != node->given) {
		data.dma_page_faulted.faulted_fence_id =
			rf_packet_at(node, node->completed)->fence_id;
		miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	}
	rf_packets_drop(node, fault.context);
}

/* The context that is loaded, or was to be, cannot go on: its slot is emptied first. */
static void rf_packet_fault(struct rf_miniport *miniport, struct rf_packet_node *node,
			    struct rf_packet_context *context, u32 error, u64 address)
{
	if (node->state == RF_PACKET_SLOT_STOPPING)
		return; /* it ends already */
	if (!node->fault.context)
		node->fault = (struct rf_packet_fault){ context, error, address };
	rf_slot_stop(miniport, node);
	rf_advance(miniport, node);
}

/* What a thread has the slot of a node do, by steps of level DEVICE. */
struct rf_packet_end {
	struct rf_miniport *miniport;
	struct rf_packet_node *node;
	void (*step)(void *argument); /* of this */
	struct rf_packet_context *context; /* that is to go, or */
	u32 slot; /* that the engine was reset for */
	u64 last_id;
	bool given_up; /* by the device, which is lost: nothing more is waited for */
	bool done;
};

/* Is the slot empty, or never will be? Whoever is at it says when it has taken too long. */
static bool rf_slot_is_empty(struct rf_packet_end *end)
{
	struct rf_packet_node *node = end->node;
	int error;

	if (node->state == RF_PACKET_SLOT_STOPPING)
		node->pending.reads = 0;
	error = rf_slot_look(end->miniport, node);
	if (node->state == RF_PACKET_SLOT_EMPTY)
		return true;
	if (error != -EIO && !end->given_up)
		return false;
	rf_slot_is_left(end->miniport, node);
	return true;
}

/* Its packets, and its fault, go with it. */
static void rf_drop_step(void *argument)
{
	struct rf_packet_end *end = argument;
	struct rf_packet_node *node = end->node;

	if (end->done)
		return;
	node->held = true; /* nothing of it begins again meanwhile */
	if (node->fault.context == end->context)
		node->fault.context = NULL;
	if (node->loaded == end->context) {
		rf_slot_stop(end->miniport, node);
		if (!rf_slot_is_empty(end))
			return;
	}
	rf_packets_drop(node, end->context);
	node->held = false;
	rf_advance(end->miniport, node);
	end->done = true;
}

/* Has a slot been saved whose record is told later, or not at all? */
static bool rf_slot_is_saved(struct rf_packet_end *end)
{
	struct rf_packet_node *node = end->node;

	if (node->state == RF_PACKET_SLOT_LOADED)
		rf_slot_save(end->miniport, node);
	if (node->state != RF_PACKET_SLOT_SAVING)
		return false;
	node->pending.reads = 0;
	if (rf_pending_look(end->miniport, &node->pending) == -EINPROGRESS)
		return false;
	rf_record_expect(end->miniport, node);
	rf_slot_is_left(end->miniport, node);
	return true;
}

static void rf_abort_step(void *argument)
{
	struct rf_packet_end *end = argument;
	struct rf_packet_node *node = end->node;

	if (end->done)
		return;
	node->held = true; /* what leaves the slot is not followed by another */
	if (node->slot == end->slot)
		rf_slot_stop(end->miniport, node);
	if (!rf_slot_is_empty(end) && (node->slot == end->slot || !rf_slot_is_saved(end)))
		return;
	end->last_id = node->last_completed_id;
	if (node->slot == end->slot && node->completed != node->given) {
		end->last_id = rf_packet_at(node, node->completed)->fence_id;
		node->completed = node->given; /* its context does not come back */
	}
	rf_take_back(node);
	node->fault.context = NULL;
	node->last_completed_id = end->last_id;
	node->preemption_id = 0;
	node->held = false;
	end->done = true;
}

static bool rf_end_step(struct rf_miniport *miniport, void *argument)
{
	struct rf_packet_end *end = argument;

	miniport->callbacks->synchronize_execution(miniport->h_core, end->step, end);
	return end->done;
}

static void rf_end_run(struct rf_packet_end *end)
{
	rf_await_stopped(end->miniport, end->node->ordinal, end->node->slot, rf_end_step, end);
	end->given_up = true;
	rf_end_step(end->miniport, end);
}

void rf_packet_node_drop(struct rf_miniport *miniport, struct rf_packet_context *context)
{
	struct rf_packet_end end = {
		.miniport = miniport,
		.node = context->node,
		.step = rf_drop_step,
		.context = context,
	};

	rf_end_run(&end);
}

u64 rf_packet_node_abort(struct rf_miniport *miniport, struct rf_packet_node *node, u32 slot)
{
	struct rf_packet_end end = {
		.miniport = miniport,
		.node = node,
		.step = rf_abort_step,
		.slot = slot,
	};

	rf_end_run(&end);
	return end.last_id;
}

/* --- a reset of the device ----------------------------------------------------------- */

static void rf_packet_node_forget(struct rf_packet_node *node)
{
	/* others are lost, but the kernel's own begins anew */
	if (node->loaded && node->loaded->save)
		rf_packet_context_reset(node->loaded);
	node->loaded = NULL;
	node->state = RF_PACKET_SLOT_EMPTY;
	node->stop = false;
	node->held = false;
	node->fault.context = NULL;
	node->completed = node->submitted;
	node->given = node->submitted;
	node->preemption_id = 0;
}

void rf_packet_nodes_forget(struct rf_miniport *miniport)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++)
		rf_packet_node_forget(&miniport->packet_node[i]);
}

/* --- records of the device ----------------------------------------------------------- */

static struct rf_packet_node *rf_packet_node_find(struct rf_miniport *miniport, u32 handle)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++)
		if (miniport->packet_node[i].loaded &&
		    miniport->packet_node[i].loaded->handle == handle)
			return &miniport->packet_node[i];
	return NULL;
}

static void rf_saved(struct rf_miniport *miniport, struct rf_packet_node *node,
		     const struct rf_interrupt_record *record)
{
	if (node->state != RF_PACKET_SLOT_SAVING || record->detail != RF_ACCESS_STATUS_OK) {
		/* nothing was saved, and this was the record */
		node->state = RF_PACKET_SLOT_LOADED;
		rf_packet_fault(miniport, node, node->loaded, RF_QUEUE_ERROR_TRANSLATION,
				record->address);
		return;
	}
	rf_slot_is_left(miniport, node);
	if (node->preemption_id)
		rf_finish_preemption(miniport, node);
	rf_advance(miniport, node);
}

bool rf_packet_restore_failed_record(struct rf_miniport *miniport,
				     const struct rf_interrupt_record *record)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++) {
		struct rf_packet_node *node = &miniport->packet_node[i];

		if (node->state != RF_PACKET_SLOT_LOADING ||
		    node->loaded->save_address != record->address)
			continue;
		node->state = RF_PACKET_SLOT_LOADED; /* it takes commands, and has nothing */
		rf_packet_fault(miniport, node, node->loaded, RF_QUEUE_ERROR_TRANSLATION,
				record->address);
		return true;
	}
	return false;
}

bool rf_packet_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	struct rf_packet_node *node = rf_packet_node_find(miniport, record->handle);

	if (!node)
		return false;
	switch (record->kind) {
	case RF_RECORD_KIND_PREEMPTED:
		if (node->state == RF_PACKET_SLOT_STOPPING)
			return false; /* it was to be saved before: the record is only counted */
		rf_saved(miniport, node, record);
		return true;
	case RF_RECORD_KIND_QUEUE_ERROR:
		rf_packet_fault(miniport, node, node->loaded, record->detail, record->address);
		return true;
	case RF_RECORD_KIND_TRAP:
	case RF_RECORD_KIND_SOFTWARE_SIGNAL:
		/* Nobody would have a packet go on. */
		rf_packet_fault(miniport, node, node->loaded, RF_QUEUE_ERROR_OPCODE,
				record->address);
		return true;
	case RF_RECORD_KIND_FENCE_SIGNALED:
		rf_look(miniport, node);
		rf_advance(miniport, node);
		/* the fence may be one that packets of the process signal */
		return record->address == node->progress_address && !record->vmid;
	}
	return false;
}

/* The slot of a node, against what is known of it. */
static void rf_packet_node_check(struct rf_miniport *miniport, struct rf_packet_node *node)
{
	static const struct rf_interrupt_record lost = {
		.detail = RF_ACCESS_STATUS_BUS_MASTER_DISABLED
	};
	u64 status, state;
	bool stays;

	if (!rf_slot_is_ready(miniport, node) || !node->loaded)
		return;
	status = rf_register_read(miniport, RF_PACKET_SLOT(miniport, node, STATUS));
	if (status == U64_MAX)
		return;
	state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);
	stays = rf_slot_stays(miniport, node->slot, node->loaded->handle, state);
	if (state == RF_SLOT_STATE_ERROR)
		rf_packet_fault(
			miniport, node, node->loaded,
			(u32)RF_FIELD_GET(RF_SLOT_STATUS_ERROR, status),
			rf_register_read(miniport, RF_PACKET_SLOT(miniport, node, ERROR_ADDRESS)));
	else if (state == RF_SLOT_STATE_STOPPED_HOST && stays)
		rf_packet_fault(miniport, node, node->loaded, RF_QUEUE_ERROR_OPCODE, 0);
	else if (state == RF_SLOT_STATE_DISABLED && stays && node->state == RF_PACKET_SLOT_SAVING)
		rf_saved(miniport, node, &lost);
	else if (state == RF_SLOT_STATE_DISABLED && stays)
		rf_device_set_lost(miniport, "a slot has forgotten its context");
	else if (state == RF_SLOT_STATE_IDLE && stays && node->completed != node->given)
		rf_register_write(miniport, RF_PACKET_SLOT(miniport, node, CONTROL),
				  RF_SLOT_CONTROL_RESAMPLE_MASK);
}

void rf_packet_nodes_check(struct rf_miniport *miniport)
{
	u32 i;

	rf_packet_nodes_look(miniport);
	for (i = 0; i < RF_NODES_MAX && !rf_device_is_lost(miniport); i++)
		if (miniport->packet_node[i].contexts && miniport->packet_node[i].loaded)
			rf_packet_node_check(miniport, &miniport->packet_node[i]);
}

void rf_packet_nodes_look(struct rf_miniport *miniport)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++) {
		if (!miniport->packet_node[i].contexts)
			continue;
		rf_look(miniport, &miniport->packet_node[i]);
		rf_advance(miniport, &miniport->packet_node[i]);
	}
}
