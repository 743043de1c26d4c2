/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * DDI functions of hardware queues. A queue is made as a context that was never in a slot: what it
 * starts with is written to its save area, its ring when its doorbell is made, or at once if the
 * driver writes the ring (rf_submit.c).
 *
 * Locking: made and ended at level PASSIVE, one at a time.
 */
#ifndef RF_QUEUE_DDI_H
#define RF_QUEUE_DDI_H

#include "rf_ddi.h"

int rf_create_hw_queue(void *h_adapter, struct rf_create_hw_queue *arguments);
void rf_destroy_hw_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments);
void rf_resume_hw_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments);
void rf_rearm_hw_queue(void *h_adapter, const struct rf_rearm_hw_queue *arguments);

#endif /* RF_QUEUE_DDI_H */
