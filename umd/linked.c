// SPDX-License-Identifier: Apache-2.0
/* Linked devices: see ringfence.h. */
#include "umd.h"

int rf_device_link(struct rf_device *device, struct rf_device *other)
{
	struct drm_ringfence_link link = { 0 };
	int error = rf_request(other, DRM_RINGFENCE_LINK, &link);

	if (error)
		return error;
	error = rf_request(device, DRM_RINGFENCE_LINK, &link);
	if (error) /* -ENOENT: the other one is in no kernel of this one */
		return error == -ENOENT ? -EOPNOTSUPP : error;
	__atomic_store_n(&device->linked, other, __ATOMIC_RELAXED);
	__atomic_store_n(&other->linked, device, __ATOMIC_RELAXED);
	return 0;
}

static int create_both(struct rf_device *const devices[2], uint64_t bytes, uint32_t flags,
		       struct rf_memory *memories[2])
{
	int error = rf_memory_create(devices[0], bytes, flags, &memories[0]);

	if (error)
		return error;
	error = rf_memory_create_at(devices[1], bytes, flags, memories[0]->handle, &memories[1]);
	if (error)
		rf_memory_destroy(memories[0]);
	return error;
}

/* Addresses go up: where one device has something, what the other one chooses is mostly free on both. */
int rf_linked_memory_create(struct rf_device *const devices[2], uint64_t bytes, uint32_t flags,
			    struct rf_memory *memories[2])
{
	struct rf_device *const swapped[2] = { devices[1], devices[0] };
	struct rf_memory *both[2];
	int error;

	if (__atomic_load_n(&devices[0]->linked, __ATOMIC_RELAXED) != devices[1])
		return -ENOLINK;
	error = create_both(devices, bytes, flags, both);
	if (!error) {
		memories[0] = both[0];
		memories[1] = both[1];
	}
	if (error != -EADDRINUSE)
		return error;
	error = create_both(swapped, bytes, flags, both);
	if (error)
		return error;
	memories[0] = both[1];
	memories[1] = both[0];
	return 0;
}
