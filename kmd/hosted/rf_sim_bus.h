/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A simulated device as a struct rf_bus. */
#ifndef RF_SIM_BUS_H
#define RF_SIM_BUS_H

#ifdef __cplusplus
extern "C" {
#endif

struct rf_bus;
struct rfsim_device;
struct rfsim_world;

/*
 * @device of @world is not enumerated yet: this does it, and enables MSI-X. The device's
 * interrupt callback belongs to the bus from now on. -ENOMEM or an error of rfsim.
 */
int rf_sim_bus_create(struct rfsim_world *world, struct rfsim_device *device, struct rf_bus **bus);
void rf_sim_bus_destroy(struct rf_bus *bus);

#ifdef __cplusplus
}
#endif

#endif /* RF_SIM_BUS_H */
