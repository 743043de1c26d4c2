/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The ring of a queue: which one it has, and whether its write-pointer record is ahead of what
 * the device has accepted.
 *
 * Locking: rf_hw.lock.
 */
#ifndef RF_QUEUE_RING_H
#define RF_QUEUE_RING_H

#include "rf_ddi.h"
#include "rf_types.h"

struct rf_hw;
struct rf_hw_queue;
struct rf_ring;

/* Give a queue that is not resident its ring, at count 0; NULL: take it away. PASSIVE. */
void rf_queue_set_ring(struct rf_hw *hw, struct rf_hw_queue *queue, const struct rf_ring *ring);
/* If the queue is in its slot, have the device read its write-pointer record. PASSIVE; it sleeps.
 * 0, -EIO. */
int rf_queue_resample(struct rf_hw *hw, struct rf_hw_queue *queue);
/* Has the record a write pointer beyond @accepted that a device that has read up to @read would
 * accept? */
bool rf_queue_record_is_ahead(const struct rf_hw_queue *queue, u64 accepted, u64 read);
void rf_query_hw_queue_work(void *h_adapter, struct rf_query_hw_queue_work *arguments);

#endif /* RF_QUEUE_RING_H */
