// SPDX-License-Identifier: Apache-2.0
/* Fences of Linux: sync_file, syncobj through the device's file, eventfd; and file descriptors. */
#include <errno.h>

#include "umd.h"

int rf_device_fd(struct rf_device *device)
{
	return device->inherited ? -ENODEV : rf_carrier_fd(device->carrier);
}

/* Carriers without a file descriptor do not support these requests. */
static int request(struct rf_device *device, unsigned int request, void *arguments)
{
	int error = rf_request(device, request, arguments);

	return error == -ENOTTY ? -EOPNOTSUPP : error;
}

int rf_queue_export(struct rf_queue *queue, int *fd)
{
	struct drm_ringfence_fence_export arguments = {
		.fence = queue->progress.handle,
		.flags = DRM_RINGFENCE_SYNC_FILE,
		.value = queue->submitted,
	};
	int error = request(queue->device, DRM_RINGFENCE_FENCE_EXPORT, &arguments);

	if (!error)
		*fd = arguments.fd;
	return error;
}

int rf_queue_export_point(struct rf_queue *queue, uint32_t syncobj, uint64_t point)
{
	struct drm_ringfence_fence_export arguments = {
		.fence = queue->progress.handle,
		.value = queue->submitted,
		.syncobj = syncobj,
		.point = point,
	};

	return request(queue->device, DRM_RINGFENCE_FENCE_EXPORT, &arguments);
}

int rf_fence_import(struct rf_fence *fence, uint64_t value, int fd)
{
	struct drm_ringfence_fence_import arguments = {
		.fence = fence->handle,
		.flags = DRM_RINGFENCE_SYNC_FILE,
		.value = value,
		.fd = fd,
	};

	return request(fence->device, DRM_RINGFENCE_FENCE_IMPORT, &arguments);
}

int rf_fence_import_point(struct rf_fence *fence, uint64_t value, uint32_t syncobj, uint64_t point)
{
	struct drm_ringfence_fence_import arguments = {
		.fence = fence->handle,
		.value = value,
		.syncobj = syncobj,
		.point = point,
	};

	return request(fence->device, DRM_RINGFENCE_FENCE_IMPORT, &arguments);
}

int rf_fence_eventfd(struct rf_fence *fence, uint64_t value, int fd)
{
	struct drm_ringfence_fence_eventfd arguments = {
		.fence = fence->handle,
		.fd = fd,
		.value = value,
	};

	return request(fence->device, DRM_RINGFENCE_FENCE_EVENTFD, &arguments);
}

int rf_fence_to_fd(struct rf_fence *fence, uint32_t flags, int *fd)
{
	struct drm_ringfence_fence_to_fd arguments = { .fence = fence->handle, .flags = flags };
	int error = request(fence->device, DRM_RINGFENCE_FENCE_TO_FD, &arguments);

	if (!error)
		*fd = arguments.fd;
	return error;
}

int rf_fence_from_fd(struct rf_device *device, int fd, uint32_t flags, struct rf_fence **fence)
{
	struct drm_ringfence_fence_from_fd arguments = { .fd = fd, .flags = flags };
	int error = request(device, DRM_RINGFENCE_FENCE_FROM_FD, &arguments);

	if (error)
		return error;
	/* the kernel adds what the descriptor does not allow */
	return rf_fence_make(device, arguments.handle, arguments.type, arguments.flags, 0,
			     &arguments.mapping, fence);
}
