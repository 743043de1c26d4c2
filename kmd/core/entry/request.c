// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The entry point of all requests. An access to user memory may block for any time, so arrays are
 * copied before, and answers after the request, with no lock held.
 */
#include "base/adapter.h"
#include "base/file.h"
#include "entry/render.h"
#include "entry/requests.h"
#include "entry/user_array.h"
#include "kmd.h"
#include "rf_os.h"
#include "rf_shell.h"
#include "ringfence_drm.h"

/**
 * struct request - how a request is carried out
 * @bytes: size of its arguments
 * @function: this function; or
 * @on_call: this function, for a request with arrays or an answer
 * @copy: copies its arrays before
 * @array: for @copy: offset of the array in the arguments
 * @on_wedged: also allowed on a wedged adapter
 */
struct request {
	u32 bytes;
	int (*function)(struct kmd_file *file, void *arguments);
	int (*on_call)(struct kmd_file *file, struct kmd_call *call);
	int (*copy)(struct kmd_call *call, size_t array);
	size_t array;
	bool on_wedged;
};

static int kmd_call_copy_fence_values(struct kmd_call *call, size_t array)
{
	const u8 *arguments = call->arguments;

	return kmd_copy_fence_values((const struct drm_ringfence_array *)(arguments + array),
				     call->values);
}

static int kmd_call_copy_render(struct kmd_call *call, size_t array)
{
	(void)array; /* a render command has three arrays */
	return kmd_render_copy(call);
}

#define FENCES(name) \
	.copy = kmd_call_copy_fence_values, .array = offsetof(struct drm_ringfence_##name, fences)
/* Arguments that are too large do not compile: the division is by 0. */
#define BYTES(name)                            \
	(sizeof(struct drm_ringfence_##name) / \
	 (sizeof(struct drm_ringfence_##name) <= KMD_ARGUMENT_BYTES_MAX))

static const struct request requests[DRM_RINGFENCE_REQUESTS] = {
	[DRM_RINGFENCE_QUERY] = { BYTES(query), .on_call = kmd_request_query },
	[DRM_RINGFENCE_MEMORY_CREATE] = { BYTES(memory_create), kmd_request_memory_create },
	[DRM_RINGFENCE_MEMORY_DESTROY] = { BYTES(memory_destroy), kmd_request_memory_destroy,
					   .on_wedged = true },
	[DRM_RINGFENCE_FENCE_CREATE] = { BYTES(fence_create), kmd_request_fence_create },
	[DRM_RINGFENCE_FENCE_OPEN] = { BYTES(fence_open), kmd_request_fence_open },
	[DRM_RINGFENCE_FENCE_DESTROY] = { BYTES(fence_destroy), kmd_request_fence_destroy,
					  .on_wedged = true },
	[DRM_RINGFENCE_FENCE_SIGNAL] = { BYTES(fence_signal), .on_call = kmd_request_fence_signal,
					 FENCES(fence_signal) },
	[DRM_RINGFENCE_FENCE_WAIT] = { BYTES(fence_wait), .on_call = kmd_request_fence_wait,
				       FENCES(fence_wait) },
	[DRM_RINGFENCE_EVENT_CREATE] = { BYTES(event_create), kmd_request_event_create },
	[DRM_RINGFENCE_EVENT_DESTROY] = { BYTES(event_destroy), kmd_request_event_destroy,
					  .on_wedged = true },
	[DRM_RINGFENCE_EVENT_WAIT] = { BYTES(event_wait), kmd_request_event_wait,
				       .on_wedged = true },
	[DRM_RINGFENCE_QUEUE_CREATE] = { BYTES(queue_create), kmd_request_queue_create },
	[DRM_RINGFENCE_QUEUE_DESTROY] = { BYTES(queue_destroy), kmd_request_queue_destroy,
					  .on_wedged = true },
	[DRM_RINGFENCE_QUEUE_STATUS] = { BYTES(queue_status), kmd_request_queue_status },
	[DRM_RINGFENCE_QUEUE_NOTIFY] = { BYTES(queue_notify), kmd_request_queue_notify },
	[DRM_RINGFENCE_DOORBELL_CREATE] = { BYTES(doorbell_create), kmd_request_doorbell_create },
	[DRM_RINGFENCE_DOORBELL_CONNECT] = { BYTES(doorbell_connect),
					     kmd_request_doorbell_connect },
	[DRM_RINGFENCE_DOORBELL_DESTROY] = { BYTES(doorbell_destroy), kmd_request_doorbell_destroy,
					     .on_wedged = true },
	[DRM_RINGFENCE_QUEUE_SUBMIT] = { BYTES(queue_submit), kmd_request_queue_submit },
	[DRM_RINGFENCE_QUEUE_WAIT] = { BYTES(queue_wait), .on_call = kmd_request_queue_wait,
				       FENCES(queue_wait) },
	[DRM_RINGFENCE_QUEUE_SIGNAL] = { BYTES(queue_signal), .on_call = kmd_request_queue_signal,
					 FENCES(queue_signal) },
	[DRM_RINGFENCE_QUEUE_RESUME] = { BYTES(queue_resume), kmd_request_queue_resume },
	[DRM_RINGFENCE_QUEUE_RENDER] = { BYTES(queue_render), .on_call = kmd_request_queue_render,
					 .copy = kmd_call_copy_render },
	[DRM_RINGFENCE_LINK] = { BYTES(link), kmd_request_link },
	[DRM_RINGFENCE_CONTEXT_CREATE] = { BYTES(context_create), kmd_request_context_create },
	[DRM_RINGFENCE_CONTEXT_DESTROY] = { BYTES(context_destroy), kmd_request_context_destroy,
					    .on_wedged = true },
};

int kmd_call_begin(struct kmd_call *call, unsigned int request, void *arguments)
{
	call->request = request;
	call->arguments = arguments;
	call->answer_bytes = 0;
	call->render = NULL;
	if (request >= DRM_RINGFENCE_REQUESTS)
		return 0;
	request = rf_index_nospec(request, DRM_RINGFENCE_REQUESTS);
	memcpy(call->given, arguments, requests[request].bytes);
	return requests[request].copy ? requests[request].copy(call, requests[request].array) : 0;
}

int kmd_call_carry_out(struct kmd_call *call, struct kmd_file *file)
{
	const struct request *request;
	int ret;

	if (call->request >= DRM_RINGFENCE_REQUESTS)
		return -ENOTTY;
	request = &requests[rf_index_nospec(call->request, DRM_RINGFENCE_REQUESTS)];
	if (kmd_adapter_is_wedged(file->adapter) && !request->on_wedged)
		return -ENODEV;
	ret = request->on_call ? request->on_call(file, call)
			       : request->function(file, call->arguments);
	/* on a wedged adapter any error is reported as -ENODEV */
	if (ret && kmd_adapter_is_wedged(file->adapter) && !request->on_wedged)
		ret = -ENODEV;
	return ret;
}

/* No lock held. */
static int kmd_call_copy_answer(struct kmd_call *call)
{
	struct drm_ringfence_query *request = call->arguments;
	u32 size = call->answer_bytes;
	u32 space = request->size;

	request->size = size;
	if (!request->pointer)
		return 0;
	if (rf_copy_to_user(request->pointer, &call->answer, space < size ? space : size))
		return -EFAULT;
	if (space > size && rf_clear_user(request->pointer + size, space - size))
		return -EFAULT;
	return 0;
}

int kmd_call_end(struct kmd_call *call, int result)
{
	rf_free(call->render);
	if (!result && call->answer_bytes)
		result = kmd_call_copy_answer(call);
	if (result && call->request < DRM_RINGFENCE_REQUESTS)
		memcpy(call->arguments, call->given,
		       requests[rf_index_nospec(call->request, DRM_RINGFENCE_REQUESTS)].bytes);
	return result;
}

int kmd_request(struct kmd_file *file, unsigned int request, void *arguments)
{
	struct kmd_call call;
	int ret = kmd_call_begin(&call, request, arguments);

	if (ret)
		return ret;
	return kmd_call_end(&call, kmd_call_carry_out(&call, file));
}
