/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The miniport, as the core sees it. The second table reports interrupts by queue (S0-126), the
 * third one gives all queues one doorbell (S3-9), the fourth one patches addresses (NoDmaPatching
 * 0), the fifth one leaves preemption out as well (S4-5), and the sixth one has atomics of 32 bits,
 * and so no native fences (C7).
 */
#ifndef RF_DDI_TABLES_H
#define RF_DDI_TABLES_H

#include "rf_ddi.h"

extern const struct rf_ddi rf_ringfence_ddi;
extern const struct rf_ddi rf_ringfence_optimized_ddi;
extern const struct rf_ddi rf_ringfence_global_doorbell_ddi;
extern const struct rf_ddi rf_ringfence_patching_ddi;
extern const struct rf_ddi rf_ringfence_windows7_ddi;
extern const struct rf_ddi rf_ringfence_monitored_ddi;

#endif /* RF_DDI_TABLES_H */
