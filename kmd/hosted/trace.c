// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Fence logs, as the core reads them, and handles of fences, for tools of the process. */
#include <stdlib.h>

#include "hosted.h"

static void hosted_trace_entry(void *argument, const struct kmd_log_event *event)
{
	struct rf_hosted_device *device = argument;
	struct rf_hosted_log_event log = {
		.queue = event->queue,
		.wait = event->type == RF_LOG_TYPE_WAITS,
		.lost = event->lost,
	};

	if (event->entry) {
		log.fence = event->entry->fence_handle;
		log.value = event->entry->fence_value;
		log.observed = event->entry->fence_observed_gpu_timestamp;
		log.end = event->entry->fence_end_gpu_timestamp;
	}
	device->trace(device->trace_argument, &log);
}

void rf_hosted_trace(struct rf_hosted_device *device, rf_hosted_trace_fn *function, void *argument)
{
	kmd_adapter_trace(device->adapter, NULL, NULL);
	device->trace = function;
	device->trace_argument = argument;
	if (function)
		kmd_adapter_trace(device->adapter, hosted_trace_entry, device);
}

void rf_hosted_trace_fences(struct rf_hosted_device *device, rf_hosted_fence_fn *function,
			    void *argument)
{
	device->fence_argument = argument;
	device->fence = function;
}

void hosted_trace_request(const struct rf_hosted_device *device, unsigned int request,
			  const void *arguments)
{
	const struct drm_ringfence_fence_create *create = arguments;
	const struct drm_ringfence_fence_open *open = arguments;

	if (!device->fence)
		return;
	if (request == DRM_RINGFENCE_FENCE_CREATE)
		device->fence(device->fence_argument, create->handle, create->share_token);
	else if (request == DRM_RINGFENCE_FENCE_OPEN)
		device->fence(device->fence_argument, open->handle, open->share_token);
}
