// SPDX-License-Identifier: Apache-2.0
/*
 * The in-process carrier: the graphics kernel and the root complex of a device in the
 * caller's own process. "sim:" and "sim:seed=N" name a simulation, "serial:PATH" a
 * board at the other end of that tty; either lives from the first open of that name to
 * the last close.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carrier.h"
#include "rf_hosted.h"
#include "rf_sim_bus.h"
#include "rfsim.h"

struct rf_bus;
struct rf_ddi;
extern const struct rf_ddi rf_ringfence_ddi;

struct simulation {
	struct simulation *next;
	uint64_t seed;
	char *line; /* NULL: the device is simulated here */
	unsigned int users;
	struct rfsim_world *world;
	struct rf_bus *bus;
	struct rf_hosted *hosted;
	struct rf_hosted_device *device;
};

struct hosted_carrier {
	struct rf_carrier base;
	struct rf_file *file;
	struct simulation *simulation; /* NULL: the caller's device */
};

struct hosted_doorbell {
	struct rf_carrier_doorbell base;
	struct rf_doorbell_page *page;
};

/* Looks at a line before a read is given up: more than the largest queue of writes takes. */
#define SERIAL_HOST_TIMEOUT 1000000

static pthread_mutex_t simulations_lock = PTHREAD_MUTEX_INITIALIZER;
static struct simulation *simulations;

static void simulation_destroy(struct simulation *simulation)
{
	const char *violation;

	if (simulation->device)
		rf_hosted_remove_device(simulation->device);
	if (simulation->hosted)
		rf_hosted_destroy(simulation->hosted);
	if (simulation->bus)
		rf_sim_bus_destroy(simulation->bus);
	if (simulation->world) {
		violation = rfsim_world_check(simulation->world);
		if (violation)
			fprintf(stderr, "ringfence: simulation: %s\n", violation);
		rfsim_world_destroy(simulation->world);
	}
	free(simulation->line);
	free(simulation);
}

static int simulation_create(uint64_t seed, const char *line, struct simulation **result)
{
	struct simulation *simulation = calloc(1, sizeof(*simulation));
	struct rfsim_device *device;
	struct rfsim_config config;
	int error;

	if (!simulation)
		return -ENOMEM;
	simulation->seed = seed;
	rfsim_config_init(&config);
	config.seed = seed;
	if (line) {
		config.host_timeout = SERIAL_HOST_TIMEOUT;
		simulation->line = strdup(line);
	}
	error = line && !simulation->line ? -ENOMEM : 0;
	if (!error)
		error = rfsim_world_create(&config, &simulation->world);
	if (!error)
		error = line ? rfsim_device_open_serial(simulation->world, line, &device)
			     : rfsim_device_create(simulation->world, &device);
	if (!error)
		error = rf_sim_bus_create(simulation->world, device, &simulation->bus);
	if (!error)
		error = rf_hosted_create(&simulation->hosted);
	if (!error)
		error = rf_hosted_add_device(simulation->hosted, simulation->bus, &rf_ringfence_ddi,
					     &simulation->device);
	if (error) {
		simulation_destroy(simulation);
		return error;
	}
	*result = simulation;
	return 0;
}

static bool is_named(const struct simulation *simulation, uint64_t seed, const char *line)
{
	if (line || simulation->line)
		return line && simulation->line && !strcmp(line, simulation->line);
	return simulation->seed == seed;
}

static int simulation_get(uint64_t seed, const char *line, struct simulation **result)
{
	struct simulation *simulation;
	int error = 0;

	pthread_mutex_lock(&simulations_lock);
	for (simulation = simulations; simulation; simulation = simulation->next) {
		if (is_named(simulation, seed, line))
			break;
	}
	if (!simulation) {
		error = simulation_create(seed, line, &simulation);
		if (!error) {
			simulation->next = simulations;
			simulations = simulation;
		}
	}
	if (!error) {
		simulation->users++;
		*result = simulation;
	}
	pthread_mutex_unlock(&simulations_lock);
	return error;
}

static void simulation_put(struct simulation *simulation)
{
	struct simulation **link = &simulations;

	pthread_mutex_lock(&simulations_lock);
	if (!--simulation->users) {
		while (*link != simulation)
			link = &(*link)->next;
		*link = simulation->next;
		simulation_destroy(simulation);
	}
	pthread_mutex_unlock(&simulations_lock);
}

/* What follows "sim:". */
static int parse_name(const char *name, uint64_t *seed)
{
	char *end;

	*seed = 1;
	if (!*name)
		return 0;
	if (strncmp(name, "seed=", 5) != 0 || !name[5])
		return -EINVAL;
	*seed = strtoull(name + 5, &end, 0);
	return *end ? -EINVAL : 0;
}

/* --- operations ---------------------------------------------------------------------- */

static struct hosted_carrier *to_hosted(struct rf_carrier *carrier)
{
	return (struct hosted_carrier *)carrier;
}

static void hosted_close(struct rf_carrier *base)
{
	struct hosted_carrier *carrier = to_hosted(base);

	rf_hosted_close(carrier->file);
	if (carrier->simulation)
		simulation_put(carrier->simulation);
	free(carrier);
}

static int hosted_request(struct rf_carrier *carrier, unsigned int request, void *arguments)
{
	return rf_hosted_request(to_hosted(carrier)->file, request, arguments);
}

/* The shell knows the size and the access of what it maps. */
static int hosted_map(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes, bool writable,
		      void **pointer)
{
	(void)bytes;
	(void)writable;
	return rf_hosted_map(to_hosted(carrier)->file, offset, pointer);
}

/* Mappings end with their objects. */
static void hosted_unmap(struct rf_carrier *carrier, void *pointer)
{
	(void)carrier;
	(void)pointer;
}

static int hosted_memory_read(struct rf_carrier *carrier, uint32_t handle, uint64_t offset,
			      void *data, size_t bytes)
{
	return rf_hosted_memory_read(to_hosted(carrier)->file, handle, offset, data, bytes);
}

static int hosted_memory_write(struct rf_carrier *carrier, uint32_t handle, uint64_t offset,
			       const void *data, size_t bytes)
{
	return rf_hosted_memory_write(to_hosted(carrier)->file, handle, offset, data, bytes);
}

static void hosted_ring(struct rf_carrier_doorbell *doorbell, uint64_t value)
{
	rf_hosted_ring(((struct hosted_doorbell *)doorbell)->page, value);
}

static int hosted_doorbell_map(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes,
			       struct rf_carrier_doorbell **result)
{
	struct hosted_doorbell *doorbell = malloc(sizeof(*doorbell));

	if (!doorbell)
		return -ENOMEM;
	doorbell->base.ring = hosted_ring;
	doorbell->page = rf_hosted_doorbell(to_hosted(carrier)->file, offset, &bytes);
	if (!doorbell->page) {
		free(doorbell);
		return -EINVAL;
	}
	*result = &doorbell->base;
	return 0;
}

static void hosted_doorbell_unmap(struct rf_carrier *carrier, struct rf_carrier_doorbell *doorbell)
{
	(void)carrier;
	free(doorbell);
}

static const struct rf_carrier_ops hosted_ops = {
	.close = hosted_close,
	.request = hosted_request,
	.map = hosted_map,
	.unmap = hosted_unmap,
	.memory_read = hosted_memory_read,
	.memory_write = hosted_memory_write,
	.doorbell_map = hosted_doorbell_map,
	.doorbell_unmap = hosted_doorbell_unmap,
};

/* --- opening --------------------------------------------------------------------------- */

const char rf_carrier_default[] = "sim:";

int rf_carrier_open_hosted(struct rf_hosted_device *device, struct rf_carrier **result)
{
	struct hosted_carrier *carrier = calloc(1, sizeof(*carrier));
	int error;

	if (!carrier)
		return -ENOMEM;
	carrier->base.ops = &hosted_ops;
	error = rf_hosted_open(device, &carrier->file);
	if (error) {
		free(carrier);
		return error;
	}
	*result = &carrier->base;
	return 0;
}

static int open_simulation(uint64_t seed, const char *line, struct rf_carrier **result)
{
	struct simulation *simulation;
	int error = simulation_get(seed, line, &simulation);

	if (error)
		return error;
	error = rf_carrier_open_hosted(simulation->device, result);
	if (error) {
		simulation_put(simulation);
		return error;
	}
	to_hosted(*result)->simulation = simulation;
	return 0;
}

int rf_carrier_open_sim(const char *name, struct rf_carrier **result)
{
	uint64_t seed;
	int error = parse_name(name, &seed);

	return error ? error : open_simulation(seed, NULL, result);
}

int rf_carrier_open_serial(const char *name, struct rf_carrier **result)
{
	return *name ? open_simulation(1, name, result) : -EINVAL;
}
