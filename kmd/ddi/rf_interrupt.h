/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The interrupt service and its DPC.
 *
 * Locking: rf_interrupt_routine() is called with the device lock held, rf_dpc_routine() without.
 */
#ifndef RF_INTERRUPT_H
#define RF_INTERRUPT_H

#include "rf_types.h"

/* False: the device did not interrupt; it is gone, or away. */
bool rf_interrupt_routine(void *h_adapter, u32 message_number);
void rf_dpc_routine(void *h_adapter);

#endif /* RF_INTERRUPT_H */
