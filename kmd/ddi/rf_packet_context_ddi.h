/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * DDI functions of contexts of the packet model.
 *
 * Locking: PASSIVE, one caller at a time.
 */
#ifndef RF_PACKET_CONTEXT_DDI_H
#define RF_PACKET_CONTEXT_DDI_H

#include "rf_ddi.h"

/* 0, -EINVAL, -ENOMEM, -EBUSY. */
int rf_create_context(void *h_adapter, struct rf_create_context *arguments);
/* It sleeps until the device has forgotten the context. */
void rf_destroy_context(void *h_adapter, const struct rf_destroy_context *arguments);

#endif /* RF_PACKET_CONTEXT_DDI_H */
