/* SPDX-License-Identifier: Apache-2.0 */
/* Devices that this process hosts itself, with the driver, by name. */
#ifndef RF_HOSTED_DEVICE_H
#define RF_HOSTED_DEVICE_H

struct rf_hosted_device;
struct rf_named_device;

/*
 * "sim:...", "pci:...", "serial:...", "miniport:...": from the first get of a name to the last put;
 * "sim:" strings that differ only in "device=" are devices of one world. Errors as of
 * rf_device_open(); @reason as of rf_carrier_open().
 */
int rf_named_device_get(const char *name, struct rf_named_device **device, char *reason);
void rf_named_device_put(struct rf_named_device *device);
struct rf_hosted_device *rf_named_device_hosted(const struct rf_named_device *device);

#endif
