/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Start and stop of a device. Locking: PASSIVE, while no other function of the miniport runs. */
#ifndef RF_START_H
#define RF_START_H

#include "rf_ddi.h"
#include "rf_hw.h"

/* 0, -ENOMEM, -ENODEV, -EIO. */
int rf_start(struct rf_start_device *arguments, const struct rf_configuration *configuration);
void rf_stop_device(void *h_adapter);

#endif /* RF_START_H */
