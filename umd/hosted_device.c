// SPDX-License-Identifier: Apache-2.0
/*
 * "sim:" and "sim:seed=N" name a simulated device, "pci:0000:00:04.0" a PCIe function
 * without a driver in the kernel, "serial:PATH" a board at the other end of that tty. The
 * graphics kernel runs in this process, and the device's bus with it, from the first get
 * of the name to the last put.
 */
#include "hosted_device.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "rf_hosted.h"
#include "rf_pci_bus.h"
#include "rf_sim_bus.h"
#include "rfsim.h"

extern const struct rf_ddi rf_ringfence_ddi;

struct rf_named_device {
	struct rf_named_device *next;
	char *name;
	unsigned int users;
	struct rfsim_world *world; /* its root complex; NULL: it has a real one */
	struct rf_bus *bus;
	struct rf_hosted *hosted;
	struct rf_hosted_device *device;
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

/* What follows "sim:". */
static int parse_seed(const char *text, uint64_t *seed)
{
	*seed = 1;
	if (!*text)
		return 0;
	if (strncmp(text, "seed=", 5) != 0)
		return -EINVAL;
	return rf_number(text + 5, seed);
}

static int make_sim_bus(struct rf_named_device *device, const char *text)
{
	struct rfsim_config config;
	struct rfsim_device *sim;
	int error;

	rfsim_config_init(&config);
	error = parse_seed(text, &config.seed);
	if (!error)
		error = rfsim_world_create(&config, &device->world);
	if (!error)
		error = rfsim_device_create(device->world, &sim);
	if (!error)
		error = rf_sim_bus_create(device->world, sim, &device->bus);
	return error;
}

static int make_serial_bus(struct rf_named_device *device, const char *path)
{
	struct rfsim_device *board;
	int error = rfsim_world_create(NULL, &device->world);

	if (!error)
		error = rfsim_device_open_serial(device->world, path, &board);
	if (!error)
		error = rf_sim_bus_create(device->world, board, &device->bus);
	return error;
}

static int make_bus(struct rf_named_device *device)
{
	if (!strncmp(device->name, "pci:", 4))
		return rf_pci_bus_create(device->name + 4, &device->bus);
	if (!strncmp(device->name, "serial:", 7))
		return make_serial_bus(device, device->name + 7);
	return make_sim_bus(device, device->name + 4);
}

static void destroy_bus(struct rf_named_device *device)
{
	const char *violation;

	if (!device->world) {
		if (device->bus)
			rf_pci_bus_destroy(device->bus);
		return;
	}
	if (device->bus)
		rf_sim_bus_destroy(device->bus);
	violation = rfsim_world_check(device->world);
	if (violation)
		fprintf(stderr, "ringfence: simulation: %s\n", violation);
	rfsim_world_destroy(device->world);
}

static void destroy(struct rf_named_device *device)
{
	if (device->device)
		rf_hosted_remove_device(device->device);
	if (device->hosted)
		rf_hosted_destroy(device->hosted);
	destroy_bus(device);
	free(device->name);
	free(device);
}

static int create(const char *name, struct rf_named_device **result)
{
	struct rf_named_device *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return -ENOMEM;
	device->name = strdup(name);
	error = device->name ? make_bus(device) : -ENOMEM;
	if (!error)
		error = rf_hosted_create(&device->hosted);
	if (!error)
		error = rf_hosted_add_device(device->hosted, device->bus, &rf_ringfence_ddi,
					     &device->device);
	if (error) {
		destroy(device);
		return error;
	}
	*result = device;
	return 0;
}

int rf_named_device_get(const char *name, struct rf_named_device **result)
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
		error = create(name, &device);
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
	return device->device;
}
