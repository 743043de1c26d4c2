// SPDX-License-Identifier: Apache-2.0
/*
 * "sim:" and a device string name a simulated device, "pci:0000:00:04.0" a PCIe function
 * without a driver in the kernel, "serial:PATH" a board at the other end of that tty,
 * "miniport:PATH" the device of a shared object, "miniport:" that of the sample. The
 * graphics kernel runs in this process, and the device's bus with it, from the first get
 * of the name to the last put.
 *
 * "sim:device=1" is the second device of the world that "sim:" names: names that differ in this
 * word only share a world, which lives from the first get of one of its devices to the last put.
 */
#include "hosted_device.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_string.h"
#include "problem.h"
#include "rf_miniport_loader.h"
#include "rf_world.h"

struct rf_named_world;

/**
 * struct rf_named_device - a device of a world
 * @world: the world
 * @hosted: the device in its graphics kernel; NULL: not there yet
 */
struct rf_named_device {
	struct rf_named_world *world;
	struct rf_hosted_device *hosted;
};

/**
 * struct rf_named_world - what a name stands for without its "device="
 * @least: devices that it has in any case: "devices="
 * @next: in @worlds
 * @name: that name
 * @users: gets of its devices
 * @world: what is behind it
 * @devices: by their number
 */
struct rf_named_world {
	struct rf_named_world *next;
	char *name;
	unsigned int users, least;
	struct rf_world world;
	struct rf_named_device devices[RF_WORLD_DEVICES];
};

static pthread_mutex_t worlds_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rf_named_world *worlds;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* What was open is the parent's: the same name is another device here. */
static void in_child(void)
{
	worlds_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	worlds = NULL;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

_Static_assert(RFSIM_STRING_PROBLEM <= RF_OPEN_PROBLEM, "what is said about a device string");
_Static_assert(RFSIM_STRING_DEVICES == RF_WORLD_DEVICES, "devices of a world");
_Static_assert(RF_MINIPORT_PROBLEM <= RF_OPEN_PROBLEM, "what is said about a miniport");

/* A simulated device, with its driver. */
static int create_simulation(struct rf_named_world *named, char *problem)
{
	struct rfsim_string string;
	int error = rfsim_string_parse(named->name, &string, problem);

	if (!error)
		error = rf_world_create_string(&named->world, &string, problem);
	if (error)
		return error;
	named->least = string.devices;
	error = rf_world_add_driver(&named->world, NULL);
	if (error)
		snprintf(problem, RFSIM_STRING_PROBLEM, "the driver does not start: %s",
			 strerror(-error));
	else
		rf_world_watch(&named->world);
	return error;
}

static int create_miniport(struct rf_named_world *named, char *reason)
{
	const char *path = named->name + strlen(RF_MINIPORT_PREFIX);
	int error = rf_world_create_miniport(&named->world, path, reason);

	if (error)
		return error;
	error = rf_world_add_driver(&named->world, NULL);
	if (error)
		snprintf(reason, RF_MINIPORT_PROBLEM, "the miniport does not start: %s",
			 strerror(-error));
	return error;
}

static int create_bus(struct rf_named_world *named)
{
	if (!strncmp(named->name, "pci:", 4))
		return rf_world_create_pci_bus(&named->world, named->name + 4);
	return rf_world_create_bus(&named->world, NULL, named->name + strlen("serial:"));
}

static bool is_simulation(const char *name)
{
	return !strncmp(name, RFSIM_STRING_PREFIX, strlen(RFSIM_STRING_PREFIX));
}

static int create_world(struct rf_named_world *named, char *reason)
{
	int error;

	if (is_simulation(named->name))
		return create_simulation(named, reason);
	if (!strncmp(named->name, RF_MINIPORT_PREFIX, strlen(RF_MINIPORT_PREFIX)))
		return create_miniport(named, reason);
	error = create_bus(named);
	return error ? error : rf_world_add_driver(&named->world, NULL);
}

static void destroy(struct rf_named_world *named)
{
	rf_world_destroy(&named->world);
	free(named->name);
	free(named);
}

/* Takes over the name. */
static int create(char *name, struct rf_named_world **result, char *reason)
{
	struct rf_named_world *named = calloc(1, sizeof(*named));
	unsigned int i;
	int error;

	if (!named) {
		free(name);
		return -ENOMEM;
	}
	named->name = name;
	for (i = 0; i < RF_WORLD_DEVICES; i++)
		named->devices[i].world = named;
	error = create_world(named, reason);
	if (error) {
		destroy(named);
		return error;
	}
	named->devices[0].hosted = named->world.hosted_device;
	*result = named;
	return 0;
}

/* The world of a name, and the number of the device in it. */
static int take_apart(const char *name, char **world, unsigned int *number, char *reason)
{
	struct rfsim_string string;
	int error;

	*number = 0;
	*world = strdup(name);
	if (!*world)
		return -ENOMEM;
	if (!is_simulation(name))
		return 0;
	error = rfsim_string_parse(name, &string, reason);
	if (error) {
		free(*world);
		return error;
	}
	*number = string.device;
	rfsim_string_world(name, *world);
	return 0;
}

/* Devices are made in the order of their numbers, so that the same names give the same world. */
static int add_devices(struct rf_named_world *named, unsigned int number, char *reason)
{
	unsigned int i, end = number < named->least ? named->least : number + 1;
	int error;

	for (i = 1; i < end; i++) {
		if (named->devices[i].hosted)
			continue;
		error = rf_world_add_device(&named->world, NULL, &named->devices[i].hosted);
		if (error) {
			snprintf(reason, RF_OPEN_PROBLEM, "device %u does not start: %s", i,
				 strerror(-error));
			return error;
		}
	}
	return 0;
}

/* worlds_lock held. Takes over the name. */
static int get(char *name, unsigned int number, struct rf_named_device **result, char *reason)
{
	struct rf_named_world *named = worlds;
	int error;

	while (named && strcmp(named->name, name))
		named = named->next;
	if (named) {
		free(name);
	} else {
		error = create(name, &named, reason);
		if (error)
			return error;
		named->next = worlds;
		worlds = named;
	}
	error = add_devices(named, number, reason);
	if (!error) {
		named->users++;
		*result = &named->devices[number];
	} else if (!named->users) {
		worlds = named->next; /* it was made for this */
		destroy(named);
	}
	return error;
}

int rf_named_device_get(const char *name, struct rf_named_device **device, char *reason)
{
	unsigned int number;
	char *world;
	int error;

	pthread_once(&once, watch_forks);
	error = take_apart(name, &world, &number, reason);
	if (error)
		return error;
	pthread_mutex_lock(&worlds_lock);
	error = get(world, number, device, reason);
	pthread_mutex_unlock(&worlds_lock);
	return error;
}

void rf_named_device_put(struct rf_named_device *device)
{
	struct rf_named_world *named = device->world;
	struct rf_named_world **link = &worlds;

	pthread_mutex_lock(&worlds_lock);
	if (!--named->users) {
		while (*link != named)
			link = &(*link)->next;
		*link = named->next;
		destroy(named);
	}
	pthread_mutex_unlock(&worlds_lock);
}

struct rf_hosted_device *rf_named_device_hosted(const struct rf_named_device *device)
{
	return device->hosted;
}
