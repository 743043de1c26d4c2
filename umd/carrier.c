// SPDX-License-Identifier: Apache-2.0
/* Which carrier a name stands for, and the way to each. */
#include "carrier.h"

#include <errno.h>
#include <string.h>

int rf_carrier_open(const char *name, struct rf_carrier **carrier, char *reason)
{
	if (!strncmp(name, "sim:", 4) || !strncmp(name, "pci:", 4) ||
	    !strncmp(name, "serial:", 7) || !strncmp(name, "miniport:", 9))
		return rf_carrier_open_named(name, carrier, reason);
	if (!strncmp(name, "drm:", 4))
		return rf_carrier_open_drm(name + 4, carrier);
	return -ENODEV;
}

void rf_carrier_close(struct rf_carrier *carrier)
{
	carrier->ops->close(carrier);
}

void rf_carrier_abandon(struct rf_carrier *carrier)
{
	carrier->ops->abandon(carrier);
}

int rf_carrier_fd(struct rf_carrier *carrier)
{
	return carrier->ops->fd ? carrier->ops->fd(carrier) : -EOPNOTSUPP;
}

int rf_carrier_request(struct rf_carrier *carrier, unsigned int request, void *arguments)
{
	return carrier->ops->request(carrier, request, arguments);
}

int rf_carrier_map(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes, bool writable,
		   void **pointer)
{
	return carrier->ops->map(carrier, offset, bytes, writable, pointer);
}

void rf_carrier_unmap(struct rf_carrier *carrier, void *pointer)
{
	if (pointer)
		carrier->ops->unmap(carrier, pointer);
}

int rf_carrier_memory_read(struct rf_carrier *carrier, uint32_t handle, uint64_t offset, void *data,
			   size_t bytes)
{
	if (!carrier->ops->memory_read)
		return -EOPNOTSUPP;
	return carrier->ops->memory_read(carrier, handle, offset, data, bytes);
}

int rf_carrier_memory_write(struct rf_carrier *carrier, uint32_t handle, uint64_t offset,
			    const void *data, size_t bytes)
{
	if (!carrier->ops->memory_write)
		return -EOPNOTSUPP;
	return carrier->ops->memory_write(carrier, handle, offset, data, bytes);
}

int rf_carrier_doorbell_map(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes,
			    struct rf_carrier_doorbell **doorbell)
{
	return carrier->ops->doorbell_map(carrier, offset, bytes, doorbell);
}

void rf_carrier_doorbell_unmap(struct rf_carrier *carrier, struct rf_carrier_doorbell *doorbell)
{
	if (doorbell)
		carrier->ops->doorbell_unmap(carrier, doorbell);
}

void rf_carrier_ring(struct rf_carrier_doorbell *doorbell, uint64_t value)
{
	doorbell->ring(doorbell, value);
}
