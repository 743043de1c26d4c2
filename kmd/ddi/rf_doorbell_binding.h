/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Registers of doorbells: BIND of each physical doorbell, and GLOBAL_PENDING.
 *
 * Locking: rf_hw.lock guards BIND and rf_hw_queue.binding.
 */
#ifndef RF_DOORBELL_BINDING_H
#define RF_DOORBELL_BINDING_H

#include "rf_types.h"

struct rf_hw;
struct rf_hw_queue;

/* Have a queue have a physical doorbell. rf_hw.lock is held, here and in the next two. */
void rf_doorbell_bind(struct rf_hw *hw, struct rf_hw_queue *queue, u32 physical);
void rf_doorbell_unbind(struct rf_hw *hw, struct rf_hw_queue *queue);
/* Let rings reach the queue's slot; or else set the doorbell's pending bit, which is cleared now. */
void rf_doorbell_set_resident(struct rf_hw *hw, const struct rf_hw_queue *queue, bool resident);
/* The next ring is reported again, if the queue is not in a slot. Takes rf_hw.lock. Any level. */
void rf_doorbell_clear_pending(struct rf_hw *hw, const struct rf_hw_queue *queue);
/*
 * A record says that the global doorbell was rung for the queue with @token, which has no slot.
 * Returns @token, or 0 if there were rings for other queues too. Any level.
 */
u32 rf_doorbell_clear_global_pending(struct rf_hw *hw, u32 token);

#endif /* RF_DOORBELL_BINDING_H */
