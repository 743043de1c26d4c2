/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The hardware queue of packets of a node: what is in it, and which packets are complete.
 *
 * Locking: DEVICE.
 */
#ifndef RF_PACKET_QUEUE_H
#define RF_PACKET_QUEUE_H

#include "rf_packet_node.h"
#include "rf_types.h"

struct rf_hw;
struct rf_packet_context;

#define RF_PACKET_CAP 8u /* HwQueuePacketCap */

/**
 * struct rf_packet - a packet
 * @context: of it; NULL: a packet of the null context, which has no commands
 * @fence_id: of its submission
 * @address: of its commands
 * @size: ditto
 * @submission: in the context's ring, once it is issued
 */
struct rf_packet {
	struct rf_packet_context *context;
	u64 fence_id;
	u64 address;
	u32 size;
	u64 submission;
};

/* A context that cannot continue. It is reported once the slot makes no access any more. */
struct rf_packet_fault {
	struct rf_packet_context *context; /* NULL: none */
	u32 error;
	u64 address;
};

/**
 * struct rf_packet_queue - the hardware queue of a node
 * @node: the node
 * @packets: by the three counts
 * @completed: packets complete; free-running, as the next two
 * @issued: packets in the rings of their contexts
 * @submitted: packets of the core
 * @last_completed_id: fence id
 * @preemption_id: of a preemption under way; 0: none
 * @frozen: no packet is issued, and no context loaded: packets are being withdrawn
 * @fault: to be reported
 */
struct rf_packet_queue {
	struct rf_packet_node node;
	struct rf_packet packets[RF_PACKET_CAP];
	u32 completed, issued, submitted;
	u64 last_completed_id;
	u64 preemption_id;
	bool frozen;
	struct rf_packet_fault fault;
};

static inline struct rf_packet *rf_packet_at(struct rf_packet_queue *queue, u32 count)
{
	return &queue->packets[count % RF_PACKET_CAP];
}

static inline bool rf_packet_queue_is_empty(const struct rf_packet_queue *queue)
{
	return queue->completed == queue->submitted;
}

/* Complete the first packet of the queue; it is not reported. */
void rf_packet_complete_first(struct rf_packet_queue *queue);
/* Report that the last completed packet, and all before, are complete. */
void rf_report_packets_completed(struct rf_hw *hw, const struct rf_packet_queue *queue);
/* Complete what is complete while the slot runs. */
void rf_packet_queue_poll(struct rf_hw *hw, struct rf_packet_queue *queue);
/* The slot makes no access any more: complete what is complete, and set it EMPTY. */
void rf_packet_queue_slot_left(struct rf_hw *hw, struct rf_packet_queue *queue);
/* Remove the packets of a context that is not loaded. */
void rf_packet_queue_drop(struct rf_packet_queue *queue, const struct rf_packet_context *context);
/* No context is loaded: remove all packets; the first of them stays in its ring as preempted. */
void rf_packet_queue_withdraw(struct rf_packet_queue *queue);

#endif /* RF_PACKET_QUEUE_H */
