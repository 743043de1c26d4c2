// SPDX-License-Identifier: GPL-2.0 OR MIT
/* See rf_world.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rf_ddi_tables.h"
#include "rf_hosted.h"
#include "rf_pci_bus.h"
#include "rf_sim_bus.h"
#include "rf_world.h"
#include "rfsim.h"

int rf_world_create_bus(struct rf_world *world, const struct rfsim_config *config, const char *line)
{
	int error = rfsim_world_create(config, &world->simulation);

	if (!error && line)
		error = rfsim_device_open_serial(world->simulation, line, &world->sim);
	else if (!error)
		error = rfsim_device_create(world->simulation, &world->sim);
	return error ? error : rf_sim_bus_create(world->simulation, world->sim, &world->bus);
}

int rf_world_create_pci_bus(struct rf_world *world, const char *function)
{
	return rf_pci_bus_create(function, &world->bus);
}

int rf_world_add_driver(struct rf_world *world, const struct rf_ddi *ddi)
{
	int error = rf_hosted_create(&world->hosted);

	if (error)
		return error;
	return rf_hosted_add_device(world->hosted, world->bus, ddi ? ddi : &rf_ringfence_ddi,
				    &world->hosted_device);
}

int rf_world_destroy(struct rf_world *world)
{
	const char *violation = NULL;

	if (world->hosted_device)
		rf_hosted_remove_device(world->hosted_device);
	if (world->hosted)
		rf_hosted_destroy(world->hosted);
	if (world->bus && world->simulation)
		rf_sim_bus_destroy(world->bus);
	else if (world->bus)
		rf_pci_bus_destroy(world->bus);
	if (world->simulation)
		violation = rfsim_world_check(world->simulation);
	if (violation)
		fprintf(stderr, "ringfence: the device broke a rule: %s\n", violation);
	if (world->simulation)
		rfsim_world_destroy(world->simulation);
	memset(world, 0, sizeof(*world));
	return violation ? -EIO : 0;
}
