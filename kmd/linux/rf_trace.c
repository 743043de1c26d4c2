// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The trace events of requests. */
#include <drm/drm_file.h>

#include "ringfence_drm.h"

#define CREATE_TRACE_POINTS
#include "rf_trace.h"

static void rf_trace_signal(struct rf_file *file, const struct kmd_call *call, int result)
{
	const struct drm_ringfence_fence_signal *request = call->arguments;

	trace_ringfence_signal(file, request->fences.count, call->values[0].handle,
			       call->values[0].value, result);
}

static void rf_trace_wait_begin(struct rf_file *file, const struct kmd_call *call)
{
	const struct drm_ringfence_fence_wait *request = call->arguments;

	trace_ringfence_wait_begin(file, request->fences.count, call->values[0].handle,
				   call->values[0].value, 0);
}

static void rf_trace_wait_end(struct rf_file *file, const struct kmd_call *call, int result)
{
	const struct drm_ringfence_fence_wait *request = call->arguments;

	trace_ringfence_wait_end(file, request->fences.count, call->values[0].handle,
				 call->values[0].value, result);
}

void rf_trace_request_begin(struct rf_file *file, const struct kmd_call *call)
{
	const struct drm_ringfence_queue_notify *notify = call->arguments;

	switch (call->request) {
	case DRM_RINGFENCE_QUEUE_NOTIFY:
		trace_ringfence_ring(file, notify->handle);
		break;
	case DRM_RINGFENCE_FENCE_WAIT:
		rf_trace_wait_begin(file, call);
		break;
	}
}

void rf_trace_request_end(struct rf_file *file, const struct kmd_call *call, int result)
{
	switch (call->request) {
	case DRM_RINGFENCE_FENCE_SIGNAL:
		rf_trace_signal(file, call, result);
		break;
	case DRM_RINGFENCE_FENCE_WAIT:
		rf_trace_wait_end(file, call, result);
		break;
	}
}
