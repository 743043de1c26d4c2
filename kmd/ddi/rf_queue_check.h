/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Slots of queues, compared with what is known of the queues: records and rings that were lost.
 *
 * Locking: DEVICE, without rf_hw.lock.
 */
#ifndef RF_QUEUE_CHECK_H
#define RF_QUEUE_CHECK_H

struct rf_hw;

/* Report queues in slots that are in error, unless that was reported. */
void rf_queues_check_errors(struct rf_hw *hw);
/* All that rf_check.c lists of slots of queues. */
void rf_queues_check(struct rf_hw *hw);

#endif /* RF_QUEUE_CHECK_H */
