/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Engines that hang, and resets: DDI functions.
 *
 * Locking: PASSIVE, one at a time, without a spinlock. Flags that the interrupt service reads are
 * guarded by rf_hw.lock.
 */
#ifndef RF_RESET_H
#define RF_RESET_H

#include "rf_ddi.h"

/* 0, -EINVAL; -EIO: a reset of the engine does not help. */
int rf_query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments);
int rf_query_dependent_engine_group(void *h_adapter,
				    struct rf_query_dependent_engine_group *arguments);
int rf_reset_engine(void *h_adapter, struct rf_reset_engine *arguments);
int rf_reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments);
int rf_resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments);
/* 0; -EIO: the device does not come back. */
int rf_reset_from_timeout(void *h_adapter);
int rf_restart_from_timeout(void *h_adapter);

#endif /* RF_RESET_H */
