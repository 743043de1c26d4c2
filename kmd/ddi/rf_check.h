/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Checks of the whole device, for what the interrupt ring did not report.
 *
 * Locking: DEVICE.
 */
#ifndef RF_CHECK_H
#define RF_CHECK_H

/* 0; -EIO: the device is away. */
int rf_check_device(void *h_adapter);

#endif /* RF_CHECK_H */
