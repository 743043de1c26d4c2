/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Records about hardware queues, and what the core is notified of.
 *
 * Locking: DEVICE, without rf_hw.lock.
 */
#ifndef RF_QUEUE_RECORD_H
#define RF_QUEUE_RECORD_H

#include "rf_types.h"
#include "ringfence_hw.h"

struct rf_hw;
struct rf_hw_queue;

/* Report the error that a queue is in, as STATUS and ERROR_ADDRESS of its slot have it. */
void rf_report_queue_error(struct rf_hw *hw, struct rf_hw_queue *queue, u64 error, u64 address,
			   u64 status);
/* Its `preempted` record was lost: report that it left its slot, and that it is lost. */
void rf_report_preemption_lost(struct rf_hw *hw, struct rf_hw_queue *queue);

void rf_queue_error_record(struct rf_hw *hw, const struct rf_interrupt_record *record);
void rf_queue_stop_record(struct rf_hw *hw, const struct rf_interrupt_record *record);
void rf_queue_yield_record(struct rf_hw *hw, const struct rf_interrupt_record *record);
void rf_doorbell_pending_record(struct rf_hw *hw, const struct rf_interrupt_record *record);
/*
 * A `preempted` record whose save did not succeed: was it about a queue that could not be loaded?
 */
bool rf_queue_restore_failed_record(struct rf_hw *hw, const struct rf_interrupt_record *record);

/**
 * struct rf_preemption - what a `preempted` record was about
 * @queue: that has left its slot, or NULL
 * @is_waiting: it waits for a fence
 * @h_native_fence: for this, or NULL
 * @value: ditto
 * @node_is_idle: it was the last record of a node's VMID: the node may continue
 */
struct rf_preemption {
	struct rf_hw_queue *queue;
	bool is_waiting;
	void *h_native_fence;
	u64 value;
	bool node_is_idle;
};

/* Free the queue's slot. */
struct rf_preemption rf_queue_preempted_record(struct rf_hw *hw,
					       const struct rf_interrupt_record *record);
/* Report it. */
void rf_report_preempted(struct rf_hw *hw, const struct rf_preemption *preemption,
			 const struct rf_interrupt_record *record);

/* The device was reset: free all slots of queues, and report that they were preempted. */
void rf_queues_forget_slots(struct rf_hw *hw);

#endif /* RF_QUEUE_RECORD_H */
