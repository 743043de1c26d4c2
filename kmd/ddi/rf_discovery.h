/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Where the register blocks are, and how many slots, doorbells and nodes the device has. */
#ifndef RF_DISCOVERY_H
#define RF_DISCOVERY_H

struct rf_hw;

/* Find the register blocks and read what the device has; changes no register. 0, -ENODEV. */
int rf_discover(struct rf_hw *hw);

#endif /* RF_DISCOVERY_H */
