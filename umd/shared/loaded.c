// SPDX-License-Identifier: Apache-2.0
/*
 * In place of carrier_hosted.c in the shared library: the simulator, and the driver for devices
 * that a process drives itself, are in a library of their own, which is loaded when such a device
 * is opened for the first time, and stays. Both libraries are built from the same source: the
 * function that is looked up has this version.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "../carrier.h"
#include "../problem.h"
#include "ringfence_version.h"

#define LIBRARY "libringfence-sim.so.1"
#define PACKAGE "libringfence-sim"
#define VERSION "RINGFENCE_PRIVATE_" RF_VERSION

typedef int open_function(const char *name, struct rf_carrier **carrier, char *reason);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *library;
static open_function *open_named;

/* With the lock held; 0 or -ENODEV and a reason. */
static int load(char *reason)
{
	if (!library)
		library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		snprintf(reason, RF_OPEN_PROBLEM,
			 "the simulator is not installed; install the package " PACKAGE " (%s)",
			 dlerror());
		return -ENODEV;
	}
	if (!open_named)
		*(void **)&open_named = dlvsym(library, "rf_carrier_open_named", VERSION);
	if (!open_named) {
		snprintf(reason, RF_OPEN_PROBLEM,
			 "the simulator is of another version than libringfence " RF_VERSION
			 "; install the package " PACKAGE " of this one (%s)",
			 dlerror());
		return -ENODEV;
	}
	return 0;
}

const char rf_carrier_default[] = "drm:";

int rf_carrier_open_named(const char *name, struct rf_carrier **carrier, char *reason)
{
	int error;

	pthread_mutex_lock(&lock);
	error = load(reason);
	pthread_mutex_unlock(&lock);
	return error ? error : open_named(name, carrier, reason);
}

int rf_carrier_open_hosted(struct rf_hosted_device *device, struct rf_carrier **carrier)
{
	(void)device;
	(void)carrier;
	return -ENODEV;
}
