/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A simulated device as a struct rf_bus. */
#ifndef RF_SIM_BUS_H
#define RF_SIM_BUS_H

#include <stdint.h>

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

/*
 * Have @function called by a thread that waits for the device and holds no lock of the driver,
 * each time that @cycles have passed or later; never by two threads at once. @cycle: the present
 * one. Call it before other threads use the bus.
 */
typedef void rf_sim_bus_watch_fn(void *context, uint64_t cycle);
void rf_sim_bus_watch(struct rf_bus *bus, uint64_t cycles, rf_sim_bus_watch_fn *function,
		      void *context);

#ifdef __cplusplus
}
#endif

#endif /* RF_SIM_BUS_H */
