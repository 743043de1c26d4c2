// SPDX-License-Identifier: GPL-2.0 OR MIT
/* See rf_world.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device_string.h"
#include "rf_bus.h"
#include "rf_ddi_tables.h"
#include "rf_hosted.h"
#include "rf_miniport_loader.h"
#include "rf_pci_bus.h"
#include "rf_sim_bus.h"
#include "rf_world.h"
#include "ringfence_hw.h"
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

int rf_world_create_string(struct rf_world *world, const struct rfsim_string *string, char *problem)
{
	int error = rfsim_string_create(string, &world->simulation, &world->sim, problem);

	if (error) {
		world->simulation = NULL;
		return error;
	}
	error = rf_sim_bus_create(world->simulation, world->sim, &world->bus);
	if (error)
		snprintf(problem, RFSIM_STRING_PROBLEM, "PCIe enumeration failed: %s",
			 strerror(-error));
	return error;
}

int rf_world_create_pci_bus(struct rf_world *world, const char *function)
{
	return rf_pci_bus_create(function, &world->bus);
}

int rf_world_create_miniport(struct rf_world *world, const char *path, char *problem)
{
	int error = rf_miniport_load(path, &world->miniport, problem);

	if (!error)
		world->bus = rf_miniport_get_bus(world->miniport);
	return error;
}

int rf_world_add_driver(struct rf_world *world, const struct rf_ddi *ddi)
{
	int error = rf_hosted_create(&world->hosted);

	if (error)
		return error;
	if (!ddi)
		ddi = world->miniport ? rf_miniport_get_ddi(world->miniport) : &rf_ringfence_ddi;
	return rf_hosted_add_device(world->hosted, world->bus, ddi, &world->hosted_device);
}

/* --- the watch --------------------------------------------------------------------------- */

/* Several times in a TDR delay */
#define WATCH_CYCLES (RF_WORLD_TDR_CYCLES / 4)
#define NANOSECONDS_PER_CYCLE (1000000000u / RFSIM_HZ)

static void rf_world_look(void *context, uint64_t cycle)
{
	rf_hosted_watch_progress(context, cycle * NANOSECONDS_PER_CYCLE);
}

void rf_world_watch(struct rf_world *world)
{
	rf_hosted_set_tdr_delay(world->hosted_device,
				(uint64_t)RF_WORLD_TDR_CYCLES * NANOSECONDS_PER_CYCLE);
	rf_bus_write64(world->bus, RF_BAR_REGISTERS, RF_REG_DEVICE_COMPLETION_TIMEOUT,
		       RF_WORLD_TDR_CYCLES / 2);
	rf_sim_bus_watch(world->bus, WATCH_CYCLES, rf_world_look, world->hosted_device);
}

int rf_world_destroy(struct rf_world *world)
{
	char problem[RFSIM_STRING_PROBLEM];
	const char *violation = NULL;
	int error = 0;

	if (world->hosted_device)
		rf_hosted_remove_device(world->hosted_device);
	if (world->hosted)
		rf_hosted_destroy(world->hosted);
	if (world->bus && world->simulation)
		rf_sim_bus_destroy(world->bus);
	else if (world->miniport)
		rf_miniport_unload(world->miniport);
	else if (world->bus)
		rf_pci_bus_destroy(world->bus);
	if (world->simulation && world->sim)
		error = rfsim_string_close(world->sim, problem);
	if (error)
		fprintf(stderr, "ringfence: %s\n", problem);
	if (world->simulation)
		violation = rfsim_world_check(world->simulation);
	if (violation)
		fprintf(stderr, "ringfence: the device broke a rule: %s\n", violation);
	if (world->simulation)
		rfsim_world_destroy(world->simulation);
	memset(world, 0, sizeof(*world));
	return violation || error ? -EIO : 0;
}
