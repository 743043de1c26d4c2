// SPDX-License-Identifier: Apache-2.0
/*
 * Devices and their memory.
 *
 * A child of fork() has a copy of this library's data, but a device is the process's that
 * opened it: rings and doorbells, and in process the whole driver, exist once. In the child
 * every device that was open is marked, no call reaches its carrier any more, and closing it
 * frees what the child has a copy of.
 */
#include "problem.h"
#include "ringfence_hosted.h"
#include "umd.h"

/* --- this process's devices ---------------------------------------------------------- */

static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER; /* before any device's */
static struct rf_device *devices;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* So that the child finds no list half changed. */
static void before_fork(void)
{
	struct rf_device *device;

	pthread_mutex_lock(&devices_lock);
	for (device = devices; device; device = device->next)
		pthread_mutex_lock(&device->lock);
}

static void after_fork(void)
{
	struct rf_device *device;

	for (device = devices; device; device = device->next)
		pthread_mutex_unlock(&device->lock);
	pthread_mutex_unlock(&devices_lock);
}

static void in_child(void)
{
	struct rf_device *device;
	struct rf_queue *queue;

	for (device = devices; device; device = device->next) {
		device->inherited = true;
		/* Always full: rf_queue_submit() finds out why. */
		for (queue = device->queues; queue; queue = queue->next)
			queue->entry_count = 1;
	}
	after_fork();
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

static void remember(struct rf_device *device)
{
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&devices_lock);
	device->next = devices;
	devices = device;
	pthread_mutex_unlock(&devices_lock);
}

static void forget(struct rf_device *device)
{
	struct rf_device **link = &devices;

	pthread_mutex_lock(&devices_lock);
	while (*link != device)
		link = &(*link)->next;
	*link = device->next;
	pthread_mutex_unlock(&devices_lock);
}

/* --- devices ------------------------------------------------------------------------- */

static int query_adapter(struct rf_device *device)
{
	struct drm_ringfence_query query = {
		.type = DRM_RINGFENCE_QUERY_ADAPTER,
		.size = sizeof(device->info),
		.pointer = (uintptr_t)&device->info,
	};

	return rf_request(device, DRM_RINGFENCE_QUERY, &query);
}

static int query_compute_node(struct rf_device *device)
{
	struct drm_ringfence_node_info node = { 0 };
	struct drm_ringfence_query query = {
		.type = DRM_RINGFENCE_QUERY_NODE,
		.index = RF_ENGINE_COMPUTE,
		.size = sizeof(node),
		.pointer = (uintptr_t)&node,
	};
	int error = rf_request(device, DRM_RINGFENCE_QUERY, &query);

	device->vector_engine = !(node.flags & DRM_RINGFENCE_NODE_NO_ENGINE);
	return error;
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
	if (!error)
		error = query_compute_node(device);
	if (error)
		goto free_device;
	pthread_mutex_init(&device->lock, NULL);
	remember(device);
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
	char reason[RF_OPEN_PROBLEM] = "";
	struct rf_carrier *carrier;
	int error;

	if (!name)
		name = getenv("RINGFENCE_DEVICE");
	if (!name)
		name = rf_carrier_default;
	rf_open_succeeded();
	error = rf_carrier_open(name, &carrier, reason);
	if (!error)
		error = make_device(carrier, device);
	if (error)
		rf_open_failed(name, *reason ? reason : rf_open_reason(name, error));
	return error;
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
	forget(device);
	if (device->inherited)
		rf_carrier_abandon(device->carrier);
	else
		rf_carrier_close(device->carrier);
	pthread_mutex_destroy(&device->lock);
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
		.vector_engine = device->vector_engine,
	};
	return 0;
}

/* --- memory -------------------------------------------------------------------------- */

int rf_memory_create(struct rf_device *device, uint64_t bytes, uint32_t flags,
		     struct rf_memory **result)
{
	return rf_memory_create_at(device, bytes, flags, 0, result);
}

int rf_memory_create_at(struct rf_device *device, uint64_t bytes, uint32_t flags, uint32_t linked,
			struct rf_memory **result)
{
	struct drm_ringfence_memory_create create = {
		.bytes = bytes,
		.linked = linked,
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
	rf_unmap(memory->device, memory->cpu);
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

static int check_access(const struct rf_memory *memory, uint64_t offset, size_t bytes)
{
	if (out_of_range(memory, offset, bytes))
		return -ERANGE;
	return memory->device->inherited ? -ENODEV : 0;
}

int rf_memory_write(struct rf_memory *memory, uint64_t offset, const void *data, size_t bytes)
{
	int error = check_access(memory, offset, bytes);

	if (error)
		return error;
	if (!memory->cpu)
		return rf_carrier_memory_write(memory->device->carrier, memory->handle, offset,
					       data, bytes);
	memcpy((char *)memory->cpu + offset, data, bytes);
	return 0;
}

int rf_memory_read(struct rf_memory *memory, uint64_t offset, void *data, size_t bytes)
{
	int error = check_access(memory, offset, bytes);

	if (error)
		return error;
	if (!memory->cpu)
		return rf_carrier_memory_read(memory->device->carrier, memory->handle, offset, data,
					      bytes);
	memcpy(data, (const char *)memory->cpu + offset, bytes);
	return 0;
}
