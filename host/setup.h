/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device to work with, by its name, and with as much of it as this process has: of a
 * simulated one everything, of a bare PCIe function the driver, of a render node nothing
 * but the library's view. A simulation may have several devices.
 */
#ifndef RF_SETUP_H
#define RF_SETUP_H

#include <stdint.h>
#include <stdio.h>

#include "device_string.h"
#include "rf_world.h"
#include "ringfence_hosted.h"
#include "rfsim.h"

struct rf_ddi;
struct rf_timeline;

struct rf_setup {
	struct rf_world world; /* of a render node: all 0 */
	struct rf_device *device; /* the first process, on the device of the command */
	struct rf_device *more[RF_WORLD_DEVICES - 1]; /* and one on each of world.more */
	struct rf_timeline *timeline; /* if the device string wants one */
	FILE *timeline_file, *page_file;
	struct rfsim_string string; /* that names them */
	uint64_t stalled; /* cycle of the last rf_setup_stalled() */
};

/* What a command is to work with: @name, else RINGFENCE_DEVICE, else "sim:". */
const char *rf_setup_name(const char *name);

/*
 * The device of a name; of several in a world the one of device=, and the others have no driver. On
 * failure the reason is printed on stderr. The files that a device string
 * names begin here, behind the start of the driver; the wave has a save file for gtkwave beside it.
 * Threads that the program has already get the signals that end a wave (wave.h).
 */
int rf_setup_open(struct rf_setup *setup, const char *name);

/* All devices of its world, or the one of device= if the name has that word. */
int rf_setup_open_world(struct rf_setup *setup, const char *name);

/*
 * The devices of a name, for a command that works with up to RF_SETUP_DEVICES. @count: what its
 * option --devices says, as the word devices= of a device string does; 0: it was not given.
 */
#define RF_SETUP_DEVICES 2
int rf_setup_open_devices(struct rf_setup *setup, const char *name, uint64_t count);

/* As a device string says, but for its files: a driver for the device of device=. @ddi as below. */
int rf_setup_create_string(struct rf_setup *setup, const struct rfsim_string *string,
			   const struct rf_ddi *ddi);
/* Its bus, without a driver. */
int rf_setup_create_string_bus(struct rf_setup *setup, const struct rfsim_string *string);

/* A device of a loaded miniport, without a driver. On failure the reason is printed on stderr. */
int rf_setup_create_miniport(struct rf_setup *setup, const char *path);

/*
 * Parse a device string that begins with "sim:"; on failure print the reason. With device= the world
 * has at least the devices up to that one.
 */
int rf_setup_parse(const char *name, struct rfsim_string *string);

/*
 * A simulated device.
 * @config: NULL for the defaults of rfsim_config_init(). @ddi: NULL for the
 * miniport that reports interrupts by fence. On failure the reason is printed on stderr.
 */
int rf_setup_create(struct rf_setup *setup, const struct rfsim_config *config,
		    const struct rf_ddi *ddi);

/*
 * The bus of a device, without a driver; @line: of the board at the end of this tty, instead of a
 * simulated device. On failure nothing is printed, and rf_setup_destroy() is due.
 */
int rf_setup_create_bus(struct rf_setup *setup, const struct rfsim_config *config,
			const char *line);

/*
 * To be called again and again while a wait takes long. A simulation that is idle stands still, and
 * with it the watch that finds lost interrupts: its time goes on then.
 */
void rf_setup_stalled(struct rf_setup *setup);

/*
 * Also completes the files of the device string. The verdict on them and, by the root complex, on
 * the run: 0, or -EIO and a line on stderr.
 */
int rf_setup_destroy(struct rf_setup *setup);

/* Address of the PCIe function, as 0000:00:04.0; -ENODEV it is simulated, or none. */
int rf_setup_function(const struct rf_setup *setup, const char *name, char function[16]);

/* The devices, counted from 0: how many, and of each what there is of it, else NULL. */
unsigned int rf_setup_count(const struct rf_setup *setup);
struct rf_device *rf_setup_device(const struct rf_setup *setup, unsigned int device);
struct rf_hosted_device *rf_setup_hosted(const struct rf_setup *setup, unsigned int device);
struct rfsim_device *rf_setup_sim(const struct rf_setup *setup, unsigned int device);

/* A register of a device, past the driver; only where there is a bus, and no loaded miniport. */
uint64_t rf_setup_register(struct rf_setup *setup, unsigned int device, uint64_t offset);

#endif
