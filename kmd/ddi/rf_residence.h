/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queues in and out of slots. Which queue is to be in one is decided by the core.
 *
 * Locking: rf_hw.lock.
 */
#ifndef RF_RESIDENCE_H
#define RF_RESIDENCE_H

#include "rf_ddi.h"
#include "rf_types.h"

struct rf_hw;
struct rf_hw_queue;

/* -EBUSY: no slot, or no VMID, is free; -EINPROGRESS: the device is busy, call again; -EIO. */
int rf_make_hw_queue_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments);
void rf_evict_hw_queue(void *h_adapter, const struct rf_evict_hw_queue *arguments);

/* Have a resident queue preempted. rf_hw.lock is held. */
void rf_queue_leave(struct rf_hw *hw, struct rf_hw_queue *queue);
/* It was, and has no slot any more. rf_hw.lock is held. */
void rf_queue_left(struct rf_hw *hw, struct rf_hw_queue *queue);
/* The device switches one of its logs, or is done: it leaves afterwards. rf_hw.lock is held. */
void rf_queue_set_switching(struct rf_hw *hw, struct rf_hw_queue *queue, bool switching);
/* Continue with the first queue that is loading; true: more of them are. DEVICE. */
bool rf_queues_poll_loading(struct rf_hw *hw);
/*
 * Take rf_hw.lock at a moment when the queue is in its slot, or makes no access from there any
 * more and its context is saved. PASSIVE; it sleeps.
 */
unsigned long rf_queue_lock_stable(struct rf_hw *hw, struct rf_hw_queue *queue);

#endif /* RF_RESIDENCE_H */
