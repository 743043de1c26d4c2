/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Power: idle engines, F-states, D-states.
 *
 * Locking: PASSIVE, one at a time.
 */
#ifndef RF_POWER_H
#define RF_POWER_H

#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_types.h"

struct rf_power {
	u64 retired[RF_NODES_MAX]; /* by node: packets retired at the last rf_look_for_idle() */
};

void rf_look_for_idle(void *h_adapter);
/* 0, -EINVAL; -EBUSY: the engine works. */
int rf_set_power_component_f_state(void *h_adapter,
				   const struct rf_set_power_component_f_state *arguments);
/* 0; -EIO: the device does not come back. */
int rf_set_power_state(void *h_adapter, const struct rf_set_power_state *arguments);

#endif /* RF_POWER_H */
