// SPDX-License-Identifier: Apache-2.0
/* Fences and events. Values are read by plain loads; waits that block are requests to the driver. */
#include <time.h>

#include <assert.h>

#include "umd.h"

static_assert((int)RF_FENCE_MONITORED == DRM_RINGFENCE_FENCE_MONITORED, "types of fences");
static_assert(RF_FENCE_SHARED == DRM_RINGFENCE_FENCE_SHARED &&
		      RF_FENCE_PLAIN == DRM_RINGFENCE_FENCE_MONITORED_SYSTEM &&
		      RF_FENCE_NO_SIGNAL == DRM_RINGFENCE_FENCE_NO_SIGNAL &&
		      RF_FENCE_NO_WAIT == DRM_RINGFENCE_FENCE_NO_WAIT &&
		      RF_FENCE_NO_GPU_ACCESS == DRM_RINGFENCE_FENCE_NO_GPU_ACCESS &&
		      RF_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR ==
			      DRM_RINGFENCE_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR &&
		      RF_FENCE_CROSS_ADAPTER == DRM_RINGFENCE_FENCE_CROSS_ADAPTER,
	      "flags of fences");

int rf_fence_map(struct rf_fence *fence, const struct drm_ringfence_fence_mapping *mapping)
{
	void *page;
	int error;

	fence->current_address = mapping->current_value_gpu_address;
	fence->monitored_address = mapping->monitored_value_gpu_address;
	if (!mapping->current_value_mmap_offset)
		return 0;
	error = rf_carrier_map(fence->device->carrier, mapping->current_value_mmap_offset,
			       PAGE_BYTES, false, &page);
	if (error)
		return error;
	fence->value = (const uint64_t *)((char *)page + mapping->current_value_page_offset);
	return 0;
}

/* Values lie in the first page of what is mapped. */
void rf_fence_unmap(const struct rf_fence *fence)
{
	rf_unmap(fence->device, (void *)((uintptr_t)fence->value & ~(uintptr_t)(PAGE_BYTES - 1)));
}

static void destroy_handle(struct rf_device *device, uint32_t handle)
{
	rf_request(device, DRM_RINGFENCE_FENCE_DESTROY,
		   &(struct drm_ringfence_fence_destroy){ .handle = handle });
}

int rf_fence_make(struct rf_device *device, uint32_t handle, uint32_t type, uint32_t flags,
		  uint64_t token, const struct drm_ringfence_fence_mapping *mapping,
		  struct rf_fence **result)
{
	struct rf_fence *fence = calloc(1, sizeof(*fence));
	int error = -ENOMEM;

	if (!fence)
		goto destroy;
	fence->device = device;
	fence->handle = handle;
	fence->type = type;
	fence->flags = flags & (RF_FENCE_NO_SIGNAL | RF_FENCE_NO_WAIT);
	fence->token = token;
	error = rf_fence_map(fence, mapping);
	if (error)
		goto free_fence;
	*result = fence;
	return 0;

free_fence:
	free(fence);
destroy:
	destroy_handle(device, handle);
	return error;
}

int rf_fence_create(struct rf_device *device, uint32_t type, uint32_t flags, uint64_t initial,
		    struct rf_fence **fence)
{
	struct drm_ringfence_fence_create create = { .type = type, .initial_value = initial };
	int error;

	create.flags = flags;
	error = rf_request(device, DRM_RINGFENCE_FENCE_CREATE, &create);
	if (error)
		return error;
	return rf_fence_make(device, create.handle, type, flags, create.share_token,
			     &create.mapping, fence);
}

int rf_fence_share(struct rf_fence *fence, uint64_t *token)
{
	if (!fence->token)
		return -EINVAL;
	*token = fence->token;
	return 0;
}

int rf_fence_open(struct rf_device *device, uint64_t token, uint32_t flags, struct rf_fence **fence)
{
	struct drm_ringfence_fence_open open = { .share_token = token, .flags = flags };
	int error = rf_request(device, DRM_RINGFENCE_FENCE_OPEN, &open);

	if (error)
		return error;
	return rf_fence_make(device, open.handle, open.type, flags, token, &open.mapping, fence);
}

void rf_fence_destroy(struct rf_fence *fence)
{
	if (!fence || fence->of_queue)
		return;
	rf_fence_unmap(fence);
	destroy_handle(fence->device, fence->handle);
	free(fence);
}

uint64_t rf_fence_value(const struct rf_fence *fence)
{
	return fence->value ? __atomic_load_n(fence->value, __ATOMIC_ACQUIRE) : 0;
}

int rf_fence_signal(struct rf_fence *fence, uint64_t value)
{
	struct drm_ringfence_fence_value element = { .handle = fence->handle, .value = value };
	struct drm_ringfence_fence_signal signal = {
		.fences = { .stride = sizeof(element), .count = 1, .array = (uintptr_t)&element },
	};

	return rf_request(fence->device, DRM_RINGFENCE_FENCE_SIGNAL, &signal);
}

/* Handles are only comparable within one process. */
int rf_fence_values(struct rf_device *device, struct rf_fence *const *fences,
		    const uint64_t *values, unsigned int count,
		    struct drm_ringfence_fence_value elements[DRM_RINGFENCE_OBJECTS_MAX])
{
	unsigned int i;

	if (!count || count > DRM_RINGFENCE_OBJECTS_MAX)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		if (fences[i]->device != device)
			return -EINVAL;
		elements[i] = (struct drm_ringfence_fence_value){
			.handle = fences[i]->handle,
			.value = values[i],
		};
	}
	return 0;
}

/* --- waits ------------------------------------------------------------------------- */

static uint64_t deadline_after(uint64_t timeout_ns)
{
	struct timespec now;
	uint64_t ns;

	if (timeout_ns == RF_TIMEOUT_NONE)
		return DRM_RINGFENCE_DEADLINE_NEVER;
	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
	return ns + timeout_ns < ns ? DRM_RINGFENCE_DEADLINE_NEVER : ns + timeout_ns;
}

static int wait_request(struct rf_fence *const *fences, const uint64_t *values, unsigned int count,
			uint32_t mode, uint64_t deadline, uint32_t event)
{
	struct drm_ringfence_fence_value elements[DRM_RINGFENCE_OBJECTS_MAX];
	struct drm_ringfence_fence_wait wait = {
		.fences = { sizeof(elements[0]), count, (uintptr_t)elements },
		.deadline = deadline,
		.flags = mode == RF_WAIT_ANY ? DRM_RINGFENCE_WAIT_ANY : 0,
		.event = event,
	};
	int error;

	if (!count || mode > RF_WAIT_ANY)
		return -EINVAL;
	if (!event)
		wait.debug_timeout =
			__atomic_load_n(&fences[0]->device->debug_timeout, __ATOMIC_RELAXED);
	error = rf_fence_values(fences[0]->device, fences, values, count, elements);
	return error ? error : rf_request(fences[0]->device, DRM_RINGFENCE_FENCE_WAIT, &wait);
}

void rf_device_debug_waits(struct rf_device *device, uint64_t timeout_ns)
{
	__atomic_store_n(&device->debug_timeout, timeout_ns, __ATOMIC_RELAXED);
}

/* Did RF_FENCE_VALUE_LOST end the wait, although a smaller value was waited for? */
static bool is_lost(const struct rf_fence *fence, uint64_t value)
{
	return value != RF_FENCE_VALUE_LOST && rf_fence_value(fence) == RF_FENCE_VALUE_LOST;
}

static bool is_reached(const struct rf_fence *fence, uint64_t value)
{
	return rf_fence_value(fence) >= value && !is_lost(fence, value);
}

int rf_fences_wait(struct rf_fence *const *fences, const uint64_t *values, unsigned int count,
		   uint32_t mode, uint64_t timeout_ns)
{
	bool any = mode == RF_WAIT_ANY, reached = false, lost = false;
	int error = wait_request(fences, values, count, mode, deadline_after(timeout_ns), 0);
	unsigned int i;

	for (i = 0; i < count && !error; i++) {
		reached |= is_reached(fences[i], values[i]);
		lost |= is_lost(fences[i], values[i]);
	}
	return !error && lost && !(any && reached) ? -EIO : error;
}

int rf_fence_wait(struct rf_fence *fence, uint64_t value, uint64_t timeout_ns)
{
	/* Reached already: no call (S0-17). */
	if (fence->value && rf_fence_value(fence) >= value && !(fence->flags & RF_FENCE_NO_WAIT))
		return is_lost(fence, value) ? -EIO : 0;
	return rf_fences_wait(&fence, &value, 1, RF_WAIT_ALL, timeout_ns);
}

int rf_fences_notify(struct rf_fence *const *fences, const uint64_t *values, unsigned int count,
		     uint32_t mode, struct rf_event *event)
{
	if (count && fences[0]->device != event->device)
		return -EINVAL;
	return wait_request(fences, values, count, mode, 0, event->handle);
}

int rf_event_create(struct rf_device *device, struct rf_event **result)
{
	struct drm_ringfence_event_create create = { 0 };
	struct rf_event *event = calloc(1, sizeof(*event));
	int error;

	if (!event)
		return -ENOMEM;
	error = rf_request(device, DRM_RINGFENCE_EVENT_CREATE, &create);
	if (error) {
		free(event);
		return error;
	}
	event->device = device;
	event->handle = create.handle;
	*result = event;
	return 0;
}

void rf_event_destroy(struct rf_event *event)
{
	if (!event)
		return;
	rf_request(event->device, DRM_RINGFENCE_EVENT_DESTROY,
		   &(struct drm_ringfence_event_destroy){ .handle = event->handle });
	free(event);
}

int rf_event_wait(struct rf_event *event, uint64_t timeout_ns)
{
	struct drm_ringfence_event_wait wait = {
		.handle = event->handle,
		.deadline = deadline_after(timeout_ns),
	};

	return rf_request(event->device, DRM_RINGFENCE_EVENT_WAIT, &wait);
}
