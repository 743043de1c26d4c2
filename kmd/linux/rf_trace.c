// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Which trace event tells of which request. */
#include <drm/drm_file.h>

#include "ringfence_drm.h"

#define CREATE_TRACE_POINTS
#include "rf_trace.h"

/* User mode may change it meanwhile: what is told is what was there a moment ago. */
static struct drm_ringfence_fence_value first_of(const struct drm_ringfence_array *fences)
{
	struct drm_ringfence_fence_value first = { 0 };

	if (fences->count)
		rf_copy_from_user(&first, fences->array, sizeof(first));
	return first;
}

static void trace_signal(struct rf_file *file, const struct drm_ringfence_fence_signal *request,
			 int result)
{
	struct drm_ringfence_fence_value first;

	if (!trace_ringfence_signal_enabled())
		return;
	first = first_of(&request->fences);
	trace_ringfence_signal(file, request->fences.count, first.handle, first.value, result);
}

static void trace_wait_begin(struct rf_file *file, const struct drm_ringfence_fence_wait *request)
{
	struct drm_ringfence_fence_value first;

	if (!trace_ringfence_wait_begin_enabled())
		return;
	first = first_of(&request->fences);
	trace_ringfence_wait_begin(file, request->fences.count, first.handle, first.value, 0);
}

static void trace_wait_end(struct rf_file *file, const struct drm_ringfence_fence_wait *request,
			   int result)
{
	struct drm_ringfence_fence_value first;

	if (!trace_ringfence_wait_end_enabled())
		return;
	first = first_of(&request->fences);
	trace_ringfence_wait_end(file, request->fences.count, first.handle, first.value, result);
}

void rf_trace_request_begin(struct rf_file *file, unsigned int request, const void *arguments)
{
	const struct drm_ringfence_queue_notify *notify = arguments;

	switch (request) {
	case DRM_RINGFENCE_QUEUE_NOTIFY:
		trace_ringfence_ring(file, notify->handle);
		break;
	case DRM_RINGFENCE_FENCE_WAIT:
		trace_wait_begin(file, arguments);
		break;
	}
}

void rf_trace_request_end(struct rf_file *file, unsigned int request, const void *arguments,
			  int result)
{
	switch (request) {
	case DRM_RINGFENCE_FENCE_SIGNAL:
		trace_signal(file, arguments, result);
		break;
	case DRM_RINGFENCE_FENCE_WAIT:
		trace_wait_end(file, arguments, result);
		break;
	}
}
