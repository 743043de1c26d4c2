// SPDX-License-Identifier: Apache-2.0
/* Devices and their memory. */
#include "ringfence_hosted.h"
#include "umd.h"

static int query_adapter(struct rf_device *device)
{
	struct drm_ringfence_query query = {
		.type = DRM_RINGFENCE_QUERY_ADAPTER,
		.size = sizeof(device->info),
		.pointer = (uintptr_t)&device->info,
	};

	return rf_request(device, DRM_RINGFENCE_QUERY, &query);
}

/* Takes over the carrier. */
static int make_device(struct rf_carrier *carrier, struct rf_device **result)
{
	struct rf_device *device = calloc(1, sizeof(*device));
	int error = -ENOMEM;

	if (!device)
		goto close_carrier;
	device->carrier = carrier;
	error = query_adapter(device);
	if (error)
		goto free_device;
	*result = device;
	return 0;

free_device:
	free(device);
close_carrier:
	rf_carrier_close(carrier);
	return error;
}

int rf_device_open(const char *name, struct rf_device **device)
{
	struct rf_carrier *carrier;
	int error;

	if (!name)
		name = getenv("RINGFENCE_DEVICE");
	if (!name)
		name = rf_carrier_default;
	error = rf_carrier_open(name, &carrier);
	return error ? error : make_device(carrier, device);
}

int rf_device_open_hosted(struct rf_hosted_device *hosted, struct rf_device **device)
{
	struct rf_carrier *carrier;
	int error = rf_carrier_open_hosted(hosted, &carrier);

	return error ? error : make_device(carrier, device);
}

void rf_device_close(struct rf_device *device)
{
	if (!device)
		return;
	rf_carrier_close(device->carrier);
	free(device);
}

int rf_device_info(struct rf_device *device, struct rf_device_info *info)
{
	const struct drm_ringfence_adapter_info *adapter = &device->info;

	*info = (struct rf_device_info){
		.doorbells = adapter->doorbell_count,
		.nodes = adapter->node_count,
		.fence_stride = adapter->fence_value_stride,
		.local_memory_bytes = adapter->local_memory_bytes,
		.timestamp_hz = adapter->timestamp_frequency,
		.native_fence = !!(adapter->flags & DRM_RINGFENCE_ADAPTER_NATIVE_FENCE),
		.monitored_local = !!(adapter->flags & DRM_RINGFENCE_ADAPTER_OPTIMIZED_FENCE),
	};
	return 0;
}

/* --- memory -------------------------------------------------------------------------- */

int rf_memory_create(struct rf_device *device, uint64_t bytes, uint32_t flags,
		     struct rf_memory **result)
{
	struct drm_ringfence_memory_create create = {
		.bytes = bytes,
		.flags = flags & RF_MEMORY_LOCAL ? DRM_RINGFENCE_MEMORY_LOCAL : 0,
	};
	struct rf_memory *memory;
	int error;

	if (!bytes || flags & ~RF_MEMORY_LOCAL)
		return -EINVAL;
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	error = rf_request(device, DRM_RINGFENCE_MEMORY_CREATE, &create);
	if (error)
		goto free_memory;
	memory->device = device;
	memory->handle = create.handle;
	memory->flags = flags;
	memory->bytes = create.bytes;
	memory->address = create.gpu_address;
	error = rf_carrier_map(device->carrier, create.mmap_offset, create.bytes, true,
			       &memory->cpu);
	if (error && error != -EOPNOTSUPP)
		goto destroy_memory;
	*result = memory;
	return 0;

destroy_memory:
	rf_request(device, DRM_RINGFENCE_MEMORY_DESTROY,
		   &(struct drm_ringfence_memory_destroy){ .handle = create.handle });
free_memory:
	free(memory);
	return error;
}

void rf_memory_destroy(struct rf_memory *memory)
{
	if (!memory)
		return;
	rf_carrier_unmap(memory->device->carrier, memory->cpu);
	rf_request(memory->device, DRM_RINGFENCE_MEMORY_DESTROY,
		   &(struct drm_ringfence_memory_destroy){ .handle = memory->handle });
	free(memory);
}

uint64_t rf_memory_address(const struct rf_memory *memory)
{
	return memory->address;
}

void *rf_memory_map(struct rf_memory *memory)
{
	return memory->cpu;
}

static bool out_of_range(const struct rf_memory *memory, uint64_t offset, size_t bytes)
{
	return offset > memory->bytes || bytes > memory->bytes - offset;
}

int rf_memory_write(struct rf_memory *memory, uint64_t offset, const void *data, size_t bytes)
{
	if (out_of_range(memory, offset, bytes))
		return -ERANGE;
	if (!memory->cpu)
		return rf_carrier_memory_write(memory->device->carrier, memory->handle, offset,
					       data, bytes);
	memcpy((char *)memory->cpu + offset, data, bytes);
	return 0;
}

int rf_memory_read(struct rf_memory *memory, uint64_t offset, void *data, size_t bytes)
{
	if (out_of_range(memory, offset, bytes))
		return -ERANGE;
	if (!memory->cpu)
		return rf_carrier_memory_read(memory->device->carrier, memory->handle, offset, data,
					      bytes);
	memcpy(data, (const char *)memory->cpu + offset, bytes);
	return 0;
}
