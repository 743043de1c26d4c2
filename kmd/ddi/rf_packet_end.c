// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What removes packets. A thread that ends a context, or the packets of an engine that hangs, takes
 * steps of level DEVICE, and sleeps between them while the slot of the node is being stopped.
 */
#include "rf_packet_end.h"
#include "rf_engine.h"
#include "rf_hw.h"
#include "rf_packet_context.h"
#include "rf_packet_node.h"
#include "rf_packet_queue.h"
#include "rf_packet_schedule.h"
#include "rf_packet_slot.h"
#include "rf_poll.h"
#include "rf_types.h"

/**
 * struct rf_packet_end - what a thread does with a hardware queue
 * @hw: the device
 * @queue: the queue
 * @poll_stopped: is the slot out of use, or will never be? Else a step later
 * @finish: what follows, once
 * @context: that is to go, or
 * @slot: that the engine was reset for
 * @last_id: see rf_packet_queue_abort()
 * @give_up: the slot is not waited for: the device is lost
 * @done: @finish was called
 */
struct rf_packet_end {
	struct rf_hw *hw;
	struct rf_packet_queue *queue;
	bool (*poll_stopped)(struct rf_packet_end *end);
	void (*finish)(struct rf_packet_end *end);
	struct rf_packet_context *context;
	u32 slot;
	u64 last_id;
	bool give_up;
	bool done;
};

static void rf_packet_end_step(void *argument)
{
	struct rf_packet_end *end = argument;

	if (end->done)
		return;
	end->queue->frozen = true; /* until the last step */
	if (!end->poll_stopped(end))
		return;
	end->queue->frozen = false;
	end->finish(end);
	end->done = true;
}

static int rf_packet_end_poll(struct rf_hw *hw, void *argument)
{
	struct rf_packet_end *end = argument;

	rf_synchronize(hw, rf_packet_end_step, end);
	return end->done ? 0 : -EINPROGRESS;
}

static void rf_packet_end_run(struct rf_packet_end *end)
{
	const struct rf_packet_node *node = &end->queue->node;

	rf_slot_await_stopped(end->hw, node->ordinal, node->slot, rf_packet_end_poll, end);
	end->give_up = true;
	rf_packet_end_poll(end->hw, end);
}

/* Is the slot empty, or never will be? rf_slot_await_stopped() decides when it has taken too long. */
static bool rf_packet_end_is_empty(struct rf_packet_end *end)
{
	struct rf_packet_node *node = &end->queue->node;
	int error;

	if (node->state == RF_PACKET_SLOT_STOPPING)
		node->pending.reads = 0;
	error = rf_packet_queue_poll_slot(end->hw, end->queue);
	if (node->state == RF_PACKET_SLOT_EMPTY)
		return true;
	if (error != -EIO && !end->give_up)
		return false;
	rf_packet_queue_slot_left(end->hw, end->queue);
	return true;
}

/* --- the end of a context ------------------------------------------------------------------ */

static bool rf_drop_poll_stopped(struct rf_packet_end *end)
{
	struct rf_packet_queue *queue = end->queue;

	if (queue->fault.context == end->context)
		queue->fault.context = NULL;
	if (queue->node.loaded != end->context)
		return true;
	rf_packet_slot_stop(end->hw, &queue->node);
	return rf_packet_end_is_empty(end);
}

static void rf_drop_finish(struct rf_packet_end *end)
{
	rf_packet_queue_drop(end->queue, end->context);
	rf_packet_queue_advance(end->hw, end->queue);
}

void rf_packet_context_drop(struct rf_hw *hw, struct rf_packet_context *context)
{
	struct rf_packet_end end = {
		.hw = hw,
		.queue = container_of(context->node, struct rf_packet_queue, node),
		.poll_stopped = rf_drop_poll_stopped,
		.finish = rf_drop_finish,
		.context = context,
	};

	rf_packet_end_run(&end);
}

/* --- the reset of an engine ---------------------------------------------------------------- */

/* Has the slot been saved? Its record is reported later, or not at all. */
static bool rf_abort_is_saved(struct rf_packet_end *end)
{
	struct rf_packet_node *node = &end->queue->node;

	if (node->state == RF_PACKET_SLOT_LOADED)
		rf_packet_slot_save(end->hw, node);
	if (node->state != RF_PACKET_SLOT_SAVING)
		return false;
	node->pending.reads = 0;
	if (rf_pending_poll(end->hw, &node->pending) == -EINPROGRESS)
		return false;
	rf_packet_slot_expect_record(end->hw, node);
	rf_packet_queue_slot_left(end->hw, end->queue);
	return true;
}

static bool rf_abort_poll_stopped(struct rf_packet_end *end)
{
	bool is_reset = end->queue->node.slot == end->slot;

	if (is_reset)
		rf_packet_slot_stop(end->hw, &end->queue->node);
	return rf_packet_end_is_empty(end) || (!is_reset && rf_abort_is_saved(end));
}

static void rf_abort_finish(struct rf_packet_end *end)
{
	struct rf_packet_queue *queue = end->queue;

	end->last_id = queue->last_completed_id;
	if (queue->node.slot == end->slot && queue->completed != queue->issued) {
		end->last_id = rf_packet_at(queue, queue->completed)->fence_id;
		queue->completed = queue->issued; /* its context does not come back */
	}
	rf_packet_queue_withdraw(queue);
	queue->fault.context = NULL;
	queue->last_completed_id = end->last_id;
	queue->preemption_id = 0;
}

u64 rf_packet_queue_abort(struct rf_hw *hw, u32 node, u32 slot)
{
	struct rf_packet_end end = {
		.hw = hw,
		.queue = &hw->packet_queue[node],
		.poll_stopped = rf_abort_poll_stopped,
		.finish = rf_abort_finish,
		.slot = slot,
	};

	rf_packet_end_run(&end);
	return end.last_id;
}

/* --- the reset of the device ----------------------------------------------------------------- */

static void rf_packet_queue_forget(struct rf_packet_queue *queue)
{
	struct rf_packet_node *node = &queue->node;

	/* other contexts are lost, but the system context begins anew */
	if (node->loaded && rf_packet_context_is_system(node->loaded))
		rf_packet_context_reset(node->loaded);
	node->loaded = NULL;
	node->state = RF_PACKET_SLOT_EMPTY;
	node->stop = false;
	queue->frozen = false;
	queue->fault.context = NULL;
	queue->completed = queue->submitted;
	queue->issued = queue->submitted;
	queue->preemption_id = 0;
}

void rf_packet_queues_forget(struct rf_hw *hw)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++)
		rf_packet_queue_forget(&hw->packet_queue[i]);
}
