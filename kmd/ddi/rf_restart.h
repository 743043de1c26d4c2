/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Programming a device that was reset, or was in D3. */
#ifndef RF_RESTART_H
#define RF_RESTART_H

struct rf_hw;

/* Write every register that the driver relies on. -EIO: the device does not come back. PASSIVE,
 * while no interrupt is delivered. */
int rf_hw_restart(struct rf_hw *hw);

#endif /* RF_RESTART_H */
