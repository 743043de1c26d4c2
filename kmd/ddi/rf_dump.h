/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Dumps of every register of the device.
 *
 * Locking: PASSIVE; what is dumped may change meanwhile.
 */
#ifndef RF_DUMP_H
#define RF_DUMP_H

struct rf_bus;
struct rf_writer;

void rf_collect_debug_info(void *h_adapter, struct rf_writer *writer);
/*
 * What rf_collect_debug_info() writes, of a device that no driver was started for, or whose
 * driver was stopped. 0, -ENODEV, -ENOMEM.
 */
int rf_dump_device(struct rf_bus *bus, struct rf_writer *writer);

#endif /* RF_DUMP_H */
