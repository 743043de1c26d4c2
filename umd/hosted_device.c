// SPDX-License-Identifier: Apache-2.0
/*
 * "sim:" and a device string name a simulated device, "pci:0000:00:04.0" a PCIe function
 * without a driver in the kernel, "serial:PATH" a board at the other end of that tty,
 * "miniport:PATH" the device of a shared object, "miniport:" that of the sample. The
 * graphics kernel runs in this process, and the device's bus with it, from the first get
 * of the name to the last put.
 */
#include "hosted_device.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_string.h"
#include "problem.h"
#include "rf_miniport_loader.h"
#include "rf_world.h"

struct rf_named_device {
	struct rf_named_device *next;
	char *name;
	unsigned int users;
	struct rf_world world;
};

static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rf_named_device *devices;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* What was open is the parent's: the same name is another device here. */
static void in_child(void)
{
	devices_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	devices = NULL;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

_Static_assert(RFSIM_STRING_PROBLEM <= RF_OPEN_PROBLEM, "what is said about a device string");
_Static_assert(RF_MINIPORT_PROBLEM <= RF_OPEN_PROBLEM, "what is said about a miniport");

/* A simulated device, with its driver. */
static int create_simulation(struct rf_named_device *device, char *problem)
{
	struct rfsim_string string;
	int error = rfsim_string_parse(device->name, &string, problem);

	if (!error)
		error = rf_world_create_string(&device->world, &string, problem);
	if (error)
		return error;
	error = rf_world_add_driver(&device->world, NULL);
	if (error)
		snprintf(problem, RFSIM_STRING_PROBLEM, "the driver does not start: %s",
			 strerror(-error));
	else
		rf_world_watch(&device->world);
	return error;
}

static int create_miniport(struct rf_named_device *device, char *reason)
{
	const char *path = device->name + strlen(RF_MINIPORT_PREFIX);
	int error = rf_world_create_miniport(&device->world, path, reason);

	if (error)
		return error;
	error = rf_world_add_driver(&device->world, NULL);
	if (error)
		snprintf(reason, RF_MINIPORT_PROBLEM, "the miniport does not start: %s",
			 strerror(-error));
	return error;
}

static int create_bus(struct rf_named_device *device)
{
	if (!strncmp(device->name, "pci:", 4))
		return rf_world_create_pci_bus(&device->world, device->name + 4);
	return rf_world_create_bus(&device->world, NULL, device->name + strlen("serial:"));
}

static int create_world(struct rf_named_device *device, char *reason)
{
	int error;

	if (!strncmp(device->name, RFSIM_STRING_PREFIX, strlen(RFSIM_STRING_PREFIX)))
		return create_simulation(device, reason);
	if (!strncmp(device->name, RF_MINIPORT_PREFIX, strlen(RF_MINIPORT_PREFIX)))
		return create_miniport(device, reason);
	error = create_bus(device);
	return error ? error : rf_world_add_driver(&device->world, NULL);
}

static void destroy(struct rf_named_device *device)
{
	rf_world_destroy(&device->world);
	free(device->name);
	free(device);
}

static int create(const char *name, struct rf_named_device **result, char *reason)
{
	struct rf_named_device *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return -ENOMEM;
	device->name = strdup(name);
	error = device->name ? create_world(device, reason) : -ENOMEM;
	if (error) {
		destroy(device);
		return error;
	}
	*result = device;
	return 0;
}

int rf_named_device_get(const char *name, struct rf_named_device **result, char *reason)
{
	struct rf_named_device *device;
	int error = 0;

	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&devices_lock);
	for (device = devices; device; device = device->next) {
		if (!strcmp(device->name, name))
			break;
	}
	if (!device) {
		error = create(name, &device, reason);
		if (!error) {
			device->next = devices;
			devices = device;
		}
	}
	if (!error) {
		device->users++;
		*result = device;
	}
	pthread_mutex_unlock(&devices_lock);
	return error;
}

void rf_named_device_put(struct rf_named_device *device)
{
	struct rf_named_device **link = &devices;

	pthread_mutex_lock(&devices_lock);
	if (!--device->users) {
		while (*link != device)
			link = &(*link)->next;
		*link = device->next;
		destroy(device);
	}
	pthread_mutex_unlock(&devices_lock);
}

struct rf_hosted_device *rf_named_device_hosted(const struct rf_named_device *device)
{
	return device->world.hosted_device;
}
