/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Submission to kernel-mode queues.
 *
 * Locking: guarded by the core's order of submissions; takes rf_hw.lock.
 */
#ifndef RF_SUBMIT_H
#define RF_SUBMIT_H

#include "rf_ddi.h"

/* 0; -EAGAIN: the ring is full; -EIO. */
int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments);

#endif /* RF_SUBMIT_H */
