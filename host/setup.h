/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated device with the whole driver on top, in this process: what run,
 * bench and conform start from.
 */
#ifndef RF_SETUP_H
#define RF_SETUP_H

#include <stdint.h>

#include "ringfence_hosted.h"
#include "rfsim.h"

struct rf_ddi;

struct rf_setup {
	struct rfsim_world *world;
	struct rfsim_device *sim;
	struct rf_bus *bus;
	struct rf_hosted *hosted;
	struct rf_hosted_device *hosted_device;
	struct rf_device *device; /* the first process */
};

/*
 * @config: NULL for the defaults of rfsim_config_init(). @ddi: NULL for the
 * miniport that reports interrupts by fence. On failure says why on stderr.
 */
int rf_setup_create(struct rf_setup *setup, const struct rfsim_config *config,
		    const struct rf_ddi *ddi);

/* The verdict of the root complex on the run: 0, or -EIO and a line on stderr. */
int rf_setup_destroy(struct rf_setup *setup);

/* A register of the device, past the driver. */
uint64_t rf_setup_register(struct rf_setup *setup, uint64_t offset);

#endif
