/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Which packet of a hardware queue runs next: packets are issued to the ring of the context that
 * is loaded, contexts are loaded and saved, and the queue is preempted.
 *
 * Locking: DEVICE, but for DDI functions, which synchronize.
 */
#ifndef RF_PACKET_SCHEDULE_H
#define RF_PACKET_SCHEDULE_H

#include "rf_ddi.h"
#include "rf_types.h"

struct rf_hw;
struct rf_packet_queue;

/* 0, -EINVAL. */
int rf_submit_command(void *h_adapter, const struct rf_submit_command *arguments);
int rf_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments);

/* Do all that is possible now. */
void rf_packet_queue_advance(struct rf_hw *hw, struct rf_packet_queue *queue);
/*
 * Continue with a slot that is loading or stopping: rf_packet_slot_poll(), and one that has stopped
 * becomes EMPTY, after its packets and its fault are reported.
 */
int rf_packet_queue_poll_slot(struct rf_hw *hw, struct rf_packet_queue *queue);
/* Is the slot EMPTY, or one that takes commands? Else the DPC polls it, and this does not before. */
bool rf_packet_queue_slot_is_ready(struct rf_hw *hw, struct rf_packet_queue *queue);
/* The context that is loaded, or on its way, cannot continue: stop the slot, then report that. */
void rf_packet_queue_fault(struct rf_hw *hw, struct rf_packet_queue *queue, u32 error, u64 address);
/* The slot was saved, and is EMPTY: it was preempted, if that was asked for. */
void rf_packet_queue_saved(struct rf_hw *hw, struct rf_packet_queue *queue);
/* Of each node: complete what is complete, and advance. Records may have been lost. */
void rf_packet_queues_poll(struct rf_hw *hw);

#endif /* RF_PACKET_SCHEDULE_H */
