/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Suspension of hardware contexts: their queues leave their slots, and stay out until the context
 * is resumed.
 *
 * Locking: rf_hw.lock.
 */
#ifndef RF_SUSPEND_H
#define RF_SUSPEND_H

#include "rf_ddi.h"

struct rf_hw;

/* -EINPROGRESS: the core is notified when the last queue has left. */
int rf_suspend_context(void *h_adapter, const struct rf_suspend_context *arguments);
void rf_resume_context(void *h_adapter, const struct rf_resume_context *arguments);
/* A queue has left its slot: report contexts whose last one that was. DEVICE, without rf_hw.lock. */
void rf_report_suspended(struct rf_hw *hw);

#endif /* RF_SUSPEND_H */
