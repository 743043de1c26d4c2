// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Which packet of a hardware queue runs next. Packets run in the order in which they came, whatever
 * their contexts; the node has one slot, which is loaded with the context of the packet that runs
 * (S4-14, S4-27, S4-28). Packets of one context that stand one behind the other are in its ring
 * together.
 *
 * Another context: the slot is preempted when all packets of the loaded one are complete, which
 * saves it, and restored from the other's save area. Preemption: the slot is preempted in the
 * middle of a packet. That packet stays in the ring of its context, where the saved context stands
 * in it; it gets its new fence id when it is submitted again. Those behind it are withdrawn, by
 * making them empty, since the core may have packets of other contexts run in between.
 */
#include "rf_packet_schedule.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_kernel_ring.h"
#include "rf_os.h"
#include "rf_packet_context.h"
#include "rf_packet_node.h"
#include "rf_packet_queue.h"
#include "rf_packet_slot.h"
#include "rf_space.h"
#include "rf_types.h"

/* --- faults ------------------------------------------------------------------------------ */

/* The slot was stopped for the fault: the packet that failed is the first that is not complete. */
static void rf_report_packet_fault(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	const struct rf_packet_fault fault = queue->fault;
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PAGE_FAULTED,
		.dma_page_faulted = {
			.faulted_virtual_address = fault.address,
			.node_ordinal = queue->node.ordinal,
			.fault_error_code = fault.error ? fault.error : RF_QUEUE_ERROR_ENGINE,
		},
	};

	queue->fault.context = NULL;
	if (!fault.context)
		return;
	if (queue->completed != queue->issued) {
		data.dma_page_faulted.faulted_fence_id =
			rf_packet_at(queue, queue->completed)->fence_id;
		rf_notify(hw, &data);
	}
	rf_packet_queue_drop(queue, fault.context);
}

void rf_packet_queue_fault(struct rf_hw *hw, struct rf_packet_queue *queue, u32 error, u64 address)
{
	if (queue->node.state == RF_PACKET_SLOT_STOPPING)
		return; /* it ends already */
	if (!queue->fault.context)
		queue->fault = (struct rf_packet_fault){ queue->node.loaded, error, address };
	rf_packet_slot_stop(hw, &queue->node);
	rf_packet_queue_advance(hw, queue);
}

/* --- the slot ----------------------------------------------------------------------------- */

int rf_packet_queue_poll_slot(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	int error = rf_packet_slot_poll(hw, &queue->node);

	if (error || queue->node.state != RF_PACKET_SLOT_STOPPING)
		return error;
	rf_packet_queue_slot_left(hw, queue);
	rf_report_packet_fault(hw, queue);
	return 0;
}

bool rf_packet_queue_slot_is_ready(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	int error;

	if (queue->node.state != RF_PACKET_SLOT_LOADING &&
	    queue->node.state != RF_PACKET_SLOT_STOPPING)
		return true;
	if (rf_hw_is_busy(hw))
		return false;
	error = rf_packet_queue_poll_slot(hw, queue);
	if (error == -EINPROGRESS)
		rf_report_busy(hw);
	return !error;
}

/* False: not yet. */
static bool rf_packet_can_load(struct rf_hw *hw, struct rf_packet_queue *queue,
			       const struct rf_packet_context *context)
{
	unsigned long flags;
	int error;

	if (rf_hw_is_busy(hw))
		return false;
	flags = rf_spin_lock(&hw->lock);
	error = rf_node_vmid_bind(hw, queue->node.vmid, context->space);
	rf_spin_unlock(&hw->lock, flags);
	if (error == -EINPROGRESS)
		rf_report_busy(hw);
	return !error;
}

/* --- packets ------------------------------------------------------------------------------- */

/* Put a packet into the ring of its context; false: there is no room yet. */
static bool rf_packet_issue(struct rf_packet *packet)
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

/* Issue packets of the context that is loaded, or can be; then have the device read its ring. */
static void rf_packets_issue(struct rf_hw *hw, struct rf_packet_queue *queue,
			     struct rf_packet_context *context)
{
	u32 issued = queue->issued;

	if (queue->node.loaded != context && !rf_packet_can_load(hw, queue, context))
		return;
	while (queue->issued != queue->submitted &&
	       rf_packet_at(queue, queue->issued)->context == context &&
	       rf_packet_issue(rf_packet_at(queue, queue->issued)))
		queue->issued++;
	if (queue->node.loaded != context)
		rf_packet_slot_load(hw, &queue->node, context);
	else if (queue->issued != issued)
		rf_packet_slot_resample(hw, &queue->node);
}

/* All packets that run are complete, or were saved: end the preemption under way. */
static void rf_packet_finish_preemption(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PREEMPTED,
		.dma_preempted = {
			.preemption_fence_id = queue->preemption_id,
			.last_completed_fence_id = queue->last_completed_id,
			.node_ordinal = queue->node.ordinal,
		},
	};

	rf_packet_queue_withdraw(queue);
	rf_notify(hw, &data);
	queue->preemption_id = 0;
}

void rf_packet_queue_advance(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	struct rf_packet_node *node = &queue->node;
	struct rf_packet_context *context;

	if (queue->frozen || !rf_packet_queue_slot_is_ready(hw, queue))
		return;
	while (node->state != RF_PACKET_SLOT_SAVING && queue->issued != queue->submitted &&
	       !queue->preemption_id) {
		context = rf_packet_at(queue, queue->issued)->context;
		if (context && context == node->loaded) {
			rf_packets_issue(hw, queue, context);
			return;
		}
		if (queue->completed != queue->issued)
			return; /* packets of the context that is loaded run */
		if (node->loaded) {
			rf_packet_slot_save(hw, node);
		} else if (context) {
			rf_packets_issue(hw, queue, context);
			return;
		} else {
			queue->issued++;
			rf_packet_complete_first(queue);
			rf_report_packets_completed(hw, queue);
		}
	}
	if (!queue->preemption_id || node->state == RF_PACKET_SLOT_SAVING)
		return;
	if (queue->completed != queue->issued)
		rf_packet_slot_save(hw, node);
	else
		rf_packet_finish_preemption(hw, queue);
}

void rf_packet_queue_saved(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	if (queue->preemption_id)
		rf_packet_finish_preemption(hw, queue);
	rf_packet_queue_advance(hw, queue);
}

void rf_packet_queues_poll(struct rf_hw *hw)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++) {
		struct rf_packet_queue *queue = &hw->packet_queue[i];

		if (!queue->node.contexts)
			continue;
		rf_packet_queue_poll(hw, queue);
		rf_packet_queue_advance(hw, queue);
	}
}

/* --- calls of the core --------------------------------------------------------------- */

struct rf_packet_call {
	struct rf_hw *hw;
	struct rf_packet_queue *queue;
	const struct rf_submit_command *submit;
	u64 preemption_id;
	int error;
};

/* The preempted packet is the first of its context to come back. */
static bool rf_packet_is_in_order(struct rf_packet_queue *queue,
				  const struct rf_submit_command *submit)
{
	const struct rf_packet_context *context = submit->h_context;
	u32 i;

	if (!context || !context->is_preempted)
		return true;
	for (i = queue->issued; i != queue->submitted; i++)
		if (rf_packet_at(queue, i)->context == context)
			return true;
	return context->preempted_address == submit->dma_buffer_virtual_address;
}

static void rf_submit_synchronized(void *argument)
{
	struct rf_packet_call *call = argument;
	struct rf_packet_context *context = call->submit->h_context;
	struct rf_packet_queue *queue = call->queue;

	if (queue->submitted - queue->completed == RF_PACKET_CAP || queue->preemption_id ||
	    !rf_packet_is_in_order(queue, call->submit)) {
		call->error = -EINVAL;
		return;
	}
	*rf_packet_at(queue, queue->submitted++) = (struct rf_packet){
		.context = context,
		.fence_id = call->submit->submission_fence_id,
		.address = call->submit->dma_buffer_virtual_address,
		.size = call->submit->dma_buffer_size,
	};
	rf_packet_queue_advance(call->hw, queue);
}

int rf_submit_command(void *h_adapter, const struct rf_submit_command *arguments)
{
	struct rf_hw *hw = h_adapter;
	struct rf_packet_call call = {
		.hw = hw,
		.queue = &hw->packet_queue[arguments->node_ordinal],
		.submit = arguments,
	};

	rf_synchronize(hw, rf_submit_synchronized, &call);
	return call.error;
}

static void rf_preempt_synchronized(void *argument)
{
	struct rf_packet_call *call = argument;

	/* with an empty hardware queue no command goes to the device */
	call->queue->preemption_id = call->preemption_id;
	rf_packet_queue_advance(call->hw, call->queue);
}

int rf_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments)
{
	struct rf_hw *hw = h_adapter;
	struct rf_packet_call call = {
		.hw = hw,
		.queue = &hw->packet_queue[arguments->node_ordinal],
		.preemption_id = arguments->preemption_fence_id,
	};

	if (call.queue->preemption_id)
		return -EINVAL;
	rf_synchronize(hw, rf_preempt_synchronized, &call);
	return 0;
}
