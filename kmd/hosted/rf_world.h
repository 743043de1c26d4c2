/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A device that this process hosts, from its bus to its driver: the simulated one, a board on a
 * serial line, a PCIe function without a driver in the kernel, or one of a loaded miniport.
 */
#ifndef RF_WORLD_H
#define RF_WORLD_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rf_bus;
struct rf_ddi;
struct rf_hosted;
struct rf_hosted_device;
struct rf_loaded_miniport;
struct rfsim_config;
struct rfsim_device;
struct rfsim_string;
struct rfsim_world;

/* Devices of one world, at most */
#define RF_WORLD_DEVICES 8

/**
 * struct rf_world_device - a further device of a simulation
 * @sim: behind a root port of its own, with BARs of its own
 * @bus: how the driver reaches it
 * @hosted_device: in the graphics kernel of the first device
 */
struct rf_world_device {
	struct rfsim_device *sim;
	struct rf_bus *bus;
	struct rf_hosted_device *hosted_device;
};

/**
 * struct rf_world - what was made so far; the rest is NULL
 * @simulation: root complex, host memory and clock; NULL for a PCIe function or a miniport
 * @sim: the device on it
 * @miniport: or what was loaded
 * @bus: how the driver reaches it
 * @hosted: the graphics kernel
 * @hosted_device: the device there
 * @watched: rf_world_watch() was called
 * @more: further devices: host memory, clock and graphics kernel are the same
 * @more_count: of them that are complete; atomic
 */
struct rf_world {
	struct rfsim_world *simulation;
	struct rfsim_device *sim;
	struct rf_loaded_miniport *miniport;
	struct rf_bus *bus;
	struct rf_hosted *hosted;
	struct rf_hosted_device *hosted_device;
	bool watched;
	struct rf_world_device more[RF_WORLD_DEVICES - 1];
	unsigned int more_count;
};

/*
 * The functions return 0 or a negative errno; after an error rf_world_destroy() is due. @world is
 * all 0 before the first.
 *
 * A simulated device, or (@line is not NULL) the board at the other end of that tty, on a simulated
 * root complex. @config: NULL for the defaults of rfsim_config_init().
 */
int rf_world_create_bus(struct rf_world *world, const struct rfsim_config *config,
			const char *line);
/*
 * The simulated devices of a device string, one of which is @world's own: string->device, which is
 * less than string->devices. The others are there, and rf_world_add_device() gives them drivers in the
 * order of their numbers. On failure @problem, of RFSIM_STRING_PROBLEM bytes, receives a line.
 */
int rf_world_create_string(struct rf_world *world, const struct rfsim_string *string,
			   char *problem);
/* The PCIe function, named as in rf_pci_bus_create(). */
int rf_world_create_pci_bus(struct rf_world *world, const char *function);
/* As rf_miniport_load(). */
int rf_world_create_miniport(struct rf_world *world, const char *path, char *problem);
/* The graphics kernel and the driver over the bus. @ddi: NULL for the device's own miniport. */
int rf_world_add_driver(struct rf_world *world, const struct rf_ddi *ddi);
/*
 * Another device of the simulation, with a driver; the one of rf_world_add_driver() is there. One
 * caller at a time; other threads may use the devices that exist. @device: what was made, as long
 * as the world; @ddi as above. -ENOSPC: RF_WORLD_DEVICES are there. After an error the others go on.
 */
int rf_world_add_device(struct rf_world *world, const struct rf_ddi *ddi,
			struct rf_hosted_device **device);

/*
 * From now on every thread that waits for a device also looks for engines that hang, and
 * recovers (rf_hosted_watch_progress()), by the device's clock: an engine that has work and does
 * nothing for RF_WORLD_TDR_CYCLES is preempted, and reset if that takes as long again. A read of
 * the device that is not answered is given up in half of that. For a simulated device with a driver, and for those that are added to it.
 */
#define RF_WORLD_TDR_CYCLES 262144u
void rf_world_watch(struct rf_world *world);

/*
 * Destroy all there is; files of the device are closed before. Returns the verdict of the root
 * complex on the run, and whether the files of its device string are complete: 0, or -EIO and a
 * line on stderr.
 */
int rf_world_destroy(struct rf_world *world);

#ifdef __cplusplus
}
#endif

#endif /* RF_WORLD_H */
