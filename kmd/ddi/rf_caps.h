/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Capabilities of the device and of the driver. Locking: constant once started. */
#ifndef RF_CAPS_H
#define RF_CAPS_H

#include "rf_ddi.h"

struct rf_hw;

/* Which features has the OS enabled? PASSIVE. */
int rf_caps_query_features(struct rf_hw *hw);
/* 0, -EINVAL. */
int rf_query_adapter_info(void *h_adapter, const struct rf_query_adapter_info *arguments);

#endif /* RF_CAPS_H */
