// SPDX-License-Identifier: Apache-2.0
#include "setup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rf_hosted.h"
#include "rf_sim_bus.h"

extern const struct rf_ddi rf_ringfence_ddi;

int rf_setup_create(struct rf_setup *setup, const struct rfsim_config *config,
		    const struct rf_ddi *ddi)
{
	const char *step = "simulation";
	int error;

	memset(setup, 0, sizeof(*setup));
	error = rfsim_world_create(config, &setup->world);
	if (!error)
		error = rfsim_device_create(setup->world, &setup->sim);
	if (!error) {
		step = "PCIe enumeration";
		error = rf_sim_bus_create(setup->world, setup->sim, &setup->bus);
	}
	if (!error) {
		step = "driver";
		error = rf_hosted_create(&setup->hosted);
	}
	if (!error)
		error = rf_hosted_add_device(setup->hosted, setup->bus,
					     ddi ? ddi : &rf_ringfence_ddi, &setup->hosted_device);
	if (!error) {
		step = "device open";
		error = rf_device_open_hosted(setup->hosted_device, &setup->device);
	}
	if (error) {
		fprintf(stderr, "ringfence: %s failed: %s\n", step, strerror(-error));
		rf_setup_destroy(setup);
	}
	return error;
}

int rf_setup_destroy(struct rf_setup *setup)
{
	const char *violation = NULL;
	int error = 0;

	if (setup->device)
		rf_device_close(setup->device);
	if (setup->hosted_device)
		rf_hosted_remove_device(setup->hosted_device);
	if (setup->hosted)
		rf_hosted_destroy(setup->hosted);
	if (setup->bus)
		rf_sim_bus_destroy(setup->bus);
	if (setup->world)
		violation = rfsim_world_check(setup->world);
	if (violation) {
		fprintf(stderr, "ringfence: the device broke a rule: %s\n", violation);
		error = -EIO;
	}
	if (setup->world)
		rfsim_world_destroy(setup->world);
	memset(setup, 0, sizeof(*setup));
	return error;
}

uint64_t rf_setup_register(struct rf_setup *setup, uint64_t offset)
{
	uint64_t value = 0;

	rfsim_bar_read(setup->sim, 0, offset, &value, sizeof(value));
	return value;
}
