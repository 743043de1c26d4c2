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
	unsigned int i, count = 0;

	if (error) {
		world->simulation = NULL;
		return error;
	}
	for (i = 0; i < string->devices; i++) {
		struct rfsim_device *device = rfsim_world_device(world->simulation, i);

		if (i == string->device)
			world->sim = device;
		else
			world->more[count++].sim = device;
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

/* Timelines of the simulation have arrows between handles of one fence. */
static void rf_world_note_fence(void *argument, uint32_t handle, uint64_t token)
{
	rfsim_note_fence(argument, handle, token);
}

int rf_world_add_driver(struct rf_world *world, const struct rf_ddi *ddi)
{
	int error = rf_hosted_create(&world->hosted);

	if (error)
		return error;
	if (!ddi)
		ddi = world->miniport ? rf_miniport_get_ddi(world->miniport) : &rf_ringfence_ddi;
	error = rf_hosted_add_device(world->hosted, world->bus, ddi, &world->hosted_device);
	if (!error && world->sim)
		rf_hosted_trace_fences(world->hosted_device, rf_world_note_fence, world->sim);
	return error;
}

/* --- the watch --------------------------------------------------------------------------- */

/* Several times in a TDR delay */
#define WATCH_CYCLES (RF_WORLD_TDR_CYCLES / 4)
#define NANOSECONDS_PER_CYCLE (1000000000u / RFSIM_HZ)

static void rf_world_look(void *context, uint64_t cycle)
{
	struct rf_world *world = context;
	unsigned int i, count = __atomic_load_n(&world->more_count, __ATOMIC_ACQUIRE);

	rf_hosted_watch_progress(world->hosted_device, cycle * NANOSECONDS_PER_CYCLE);
	for (i = 0; i < count; i++)
		rf_hosted_watch_progress(world->more[i].hosted_device,
					 cycle * NANOSECONDS_PER_CYCLE);
}

static void rf_world_set_limits(struct rf_hosted_device *device, struct rf_bus *bus)
{
	rf_hosted_set_tdr_delay(device, (uint64_t)RF_WORLD_TDR_CYCLES * NANOSECONDS_PER_CYCLE);
	rf_bus_write64(bus, RF_BAR_REGISTERS, RF_REG_DEVICE_COMPLETION_TIMEOUT,
		       RF_WORLD_TDR_CYCLES / 2);
}

void rf_world_watch(struct rf_world *world)
{
	unsigned int i;

	rf_world_set_limits(world->hosted_device, world->bus);
	for (i = 0; i < world->more_count; i++)
		rf_world_set_limits(world->more[i].hosted_device, world->more[i].bus);
	world->watched = true;
	/* all of them by the bus that the threads wait at */
	rf_sim_bus_watch(world->bus, WATCH_CYCLES, rf_world_look, world);
}

/* --- further devices ----------------------------------------------------------------------- */

int rf_world_add_device(struct rf_world *world, const struct rf_ddi *ddi,
			struct rf_hosted_device **device)
{
	unsigned int count = world->more_count;
	struct rf_world_device *more = &world->more[count];
	int error;

	if (!world->simulation)
		return -EOPNOTSUPP;
	if (count == RF_WORLD_DEVICES - 1)
		return -ENOSPC;
	/* what the device string or a failed call has made is used */
	error = more->sim ? 0 : rfsim_device_create(world->simulation, &more->sim);
	if (!error && !more->bus)
		error = rf_sim_bus_create(world->simulation, more->sim, &more->bus);
	if (!error)
		error = rf_hosted_add_device(world->hosted, more->bus,
					     ddi ? ddi : &rf_ringfence_ddi, &more->hosted_device);
	if (error)
		return error;
	rf_hosted_trace_fences(more->hosted_device, rf_world_note_fence, more->sim);
	if (world->watched)
		rf_world_set_limits(more->hosted_device, more->bus);
	__atomic_store_n(&world->more_count, count + 1, __ATOMIC_RELEASE);
	*device = more->hosted_device;
	return 0;
}

static void rf_world_destroy_more(struct rf_world *world)
{
	unsigned int i;

	for (i = RF_WORLD_DEVICES - 1; i-- > 0;) {
		if (world->more[i].hosted_device)
			rf_hosted_remove_device(world->more[i].hosted_device);
		if (world->more[i].bus)
			rf_sim_bus_destroy(world->more[i].bus);
	}
}

int rf_world_destroy(struct rf_world *world)
{
	char problem[RFSIM_STRING_PROBLEM];
	const char *violation = NULL;
	int error = 0;

	rf_world_destroy_more(world);
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
		error = rfsim_string_close(rfsim_world_device(world->simulation, 0), problem);
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
