// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The hardware queue of packets of a node.
 *
 * PROGRESS packets in the contexts' rings store fence ids to one word of the node, whose
 * MonitoredValue is 0, so that each one interrupts. The record only causes a poll, and the next
 * poll makes up for a lost one. Which packets are complete is known by the slot's read pointer,
 * which no command can move. The word may be written by any PROGRESS packet of the process, and
 * only shows whether what a packet stored is visible already. When the slot makes no access any
 * more everything is visible, and the word does not count: so a process that writes there may
 * delay the completion of its own packets, but cannot have them complete before they are done,
 * and does not affect those of other processes.
 */
#include "rf_packet_queue.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_kernel_ring.h"
#include "rf_mapping.h"
#include "rf_os.h"
#include "rf_packet_context.h"
#include "rf_packet_node.h"
#include "rf_packet_slot.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

void rf_report_packets_completed(struct rf_hw *hw, const struct rf_packet_queue *queue)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_COMPLETED,
		.dma_completed = {
			.submission_fence_id = queue->last_completed_id,
			.node_ordinal = queue->node.ordinal,
		},
	};

	rf_notify(hw, &data);
}

void rf_packet_complete_first(struct rf_packet_queue *queue)
{
	const struct rf_packet *packet = rf_packet_at(queue, queue->completed++);

	if (packet->context)
		packet->context->ring.consumed = (packet->submission + 1) * RF_SUBMISSION_ENTRIES;
	queue->last_completed_id = packet->fence_id;
}

static void rf_packet_complete_up_to(struct rf_hw *hw, struct rf_packet_queue *queue, u32 end)
{
	if (queue->completed == end)
		return;
	while (queue->completed != end)
		rf_packet_complete_first(queue);
	rf_report_packets_completed(hw, queue);
}

/* Entries that the slot has done of the ring of what is loaded, which go forward, and never
 * past what was written; 0: it does not show that. */
static u64 rf_packet_entries_done(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	struct rf_packet_node *node = &queue->node;
	const struct rf_kernel_ring *ring;
	u64 pointer;

	if (!node->loaded || queue->completed == queue->issued ||
	    rf_packet_slot_shows_previous(hw, node))
		return 0;
	ring = &node->loaded->ring;
	pointer = rf_slot_read(hw, node->slot, RF_CONTEXT(POINTERS));
	return pointer - ring->consumed > ring->written - ring->consumed ? 0 : pointer;
}

/* The end of the packets issued of which that many entries, or all, are among those done. */
static u32 rf_packet_end_of(struct rf_packet_queue *queue, u64 done, u32 entries)
{
	u32 end = queue->completed;

	while (end != queue->issued &&
	       rf_packet_at(queue, end)->submission * RF_SUBMISSION_ENTRIES + entries <= done)
		end++;
	return end;
}

/*
 * While the slot runs: a packet is complete if its commands are done and the word has its fence
 * id, or a later one, so that what they stored is visible. The read pointer may still stand at the
 * PROGRESS packet.
 */
static void rf_packet_complete_visible(struct rf_hw *hw, struct rf_packet_queue *queue, u64 done)
{
	u32 end = rf_packet_end_of(queue, done, 1);
	u64 value = rf_untrusted_read64(queue->node.progress.mem, 0);

	rf_rmb();
	while (end != queue->completed && rf_packet_at(queue, end - 1)->fence_id != value)
		end--;
	rf_packet_complete_up_to(hw, queue, end);
}

void rf_packet_queue_poll(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	u64 done = rf_packet_entries_done(hw, queue);

	if (done)
		rf_packet_complete_visible(hw, queue, done);
}

/* In a slot in error the packets behind the one that failed may count as done. */
static bool rf_packet_slot_has_failed(struct rf_hw *hw, const struct rf_packet_node *node)
{
	u64 status = rf_slot_read(hw, node->slot, RF_CONTEXT(STATUS));

	return status & RF_SLOT_STATUS_ERROR_MASK;
}

static void rf_packet_complete_left(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	u64 done = rf_packet_entries_done(hw, queue);

	if (!done)
		return;
	rf_rmb();
	if (!rf_packet_slot_has_failed(hw, &queue->node))
		rf_packet_complete_up_to(hw, queue,
					 rf_packet_end_of(queue, done, RF_SUBMISSION_ENTRIES));
	/* a packet may have left behind its PROGRESS packet */
	rf_packet_complete_visible(hw, queue, done);
}

void rf_packet_queue_slot_left(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	rf_packet_complete_left(hw, queue);
	queue->node.loaded = NULL;
	queue->node.state = RF_PACKET_SLOT_EMPTY;
	queue->node.stop = false;
}

/* --- packets that are removed ------------------------------------------------------------------ */

void rf_packet_queue_drop(struct rf_packet_queue *queue, const struct rf_packet_context *context)
{
	u32 from, to, issued;

	for (from = to = issued = queue->completed; from != queue->submitted; from++) {
		const struct rf_packet packet = *rf_packet_at(queue, from);

		if (packet.context == context)
			continue;
		*rf_packet_at(queue, to++) = packet;
		if ((s32)(from - queue->issued) < 0)
			issued = to;
	}
	queue->submitted = to;
	queue->issued = issued;
}

void rf_packet_queue_withdraw(struct rf_packet_queue *queue)
{
	struct rf_packet *packet = rf_packet_at(queue, queue->completed);
	u32 i;

	if (queue->completed != queue->issued) {
		packet->context->is_preempted = true;
		packet->context->preempted_submission = packet->submission;
		packet->context->preempted_address = packet->address;
		for (i = queue->completed + 1; i != queue->issued; i++)
			rf_kernel_ring_clear(&packet->context->ring,
					     rf_packet_at(queue, i)->submission);
	}
	queue->completed = queue->submitted;
	queue->issued = queue->submitted;
}
