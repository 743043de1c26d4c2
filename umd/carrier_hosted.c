// SPDX-License-Identifier: Apache-2.0
/*
 * The in-process carrier: the graphics kernel in the caller's own process, over a device
 * that is named (hosted_device.h) or that the caller hosts.
 */
#include <errno.h>
#include <stdlib.h>

#include "carrier.h"
#include "hosted_device.h"
#include "rf_hosted.h"

struct hosted_carrier {
	struct rf_carrier base;
	struct rf_file *file;
	struct rf_named_device *named; /* NULL: the caller's device */
};

struct hosted_doorbell {
	struct rf_carrier_doorbell base;
	struct rf_doorbell_page *page;
};

/* --- operations ---------------------------------------------------------------------- */

static struct hosted_carrier *to_hosted(struct rf_carrier *carrier)
{
	return (struct hosted_carrier *)carrier;
}

static void hosted_close(struct rf_carrier *base)
{
	struct hosted_carrier *carrier = to_hosted(base);

	rf_hosted_close(carrier->file);
	if (carrier->named)
		rf_named_device_put(carrier->named);
	free(carrier);
}

/* The copy of the driver is left as it is. */
static void hosted_abandon(struct rf_carrier *base)
{
	free(to_hosted(base));
}

static int hosted_request(struct rf_carrier *carrier, unsigned int request, void *arguments)
{
	return rf_hosted_request(to_hosted(carrier)->file, request, arguments);
}

/* Size and access of a mapping are those that the shell gave it. */
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
	.abandon = hosted_abandon,
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

int rf_carrier_open_named(const char *name, struct rf_carrier **result, char *reason)
{
	struct rf_named_device *named;
	int error;

	error = rf_named_device_get(name, &named, reason);
	if (error)
		return error;
	error = rf_carrier_open_hosted(rf_named_device_hosted(named), result);
	if (error) {
		rf_named_device_put(named);
		return error;
	}
	to_hosted(*result)->named = named;
	return 0;
}
