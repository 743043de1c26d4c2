// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Requests to kernel-mode queues: a request becomes a packet that holds all it needs (memory, waits
 * or fences), and is appended to the queue.
 *
 * Locking: the adapter's mutex for all of a request; wait_lock to append.
 */
#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "entry/requests.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "fences/fence_value.h"
#include "queues/context_allocation.h"
#include "queues/kernel_queue.h"
#include "recovery/device_power.h"
#include "scheduling/engine.h"
#include "scheduling/queue.h"
#include "waits/signal.h"
#include "waits/wait.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "ringfence_drm.h"

/* --- command buffers --------------------------------------------------------------------- */

static int kmd_submit_check_buffer(const struct drm_ringfence_queue_submit *request,
				   const struct rf_mem *mem)
{
	if (request->size % sizeof(u64) || request->offset % sizeof(u64))
		return -EINVAL;
	if (request->size > mem->bytes || request->offset > mem->bytes - request->size)
		return -EINVAL;
	return 0;
}

static int kmd_submit_create_commands(struct kmd_file *file,
				      const struct drm_ringfence_queue_submit *request,
				      struct kmd_packet **result)
{
	struct kmd_packet *packet = kmd_packet_create(KMD_PACKET_COMMANDS, 0);
	int ret = -ENOENT;

	if (!packet)
		return -ENOMEM;
	packet->memory = kmd_memory_get(file, request->memory);
	if (packet->memory)
		ret = kmd_submit_check_buffer(request, packet->memory->mem);
	if (ret) {
		kmd_packet_destroy(packet);
		return ret;
	}
	packet->submit.dma_buffer_virtual_address = packet->memory->gpu_address + request->offset;
	packet->submit.dma_buffer_size = request->size;
	if (request->flags & DRM_RINGFENCE_SUBMIT_PRESENT)
		packet->submit.flags = RF_SUBMIT_PRESENT;
	*result = packet;
	return 0;
}

static int kmd_submit_commands(struct kmd_file *file, struct drm_ringfence_queue_submit *request)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_packet *packet = NULL;
	struct kmd_queue *queue = NULL;
	unsigned long flags;
	int ret;

	ret = kmd_kernel_queue_find(file, request->queue, &queue);
	if (!ret)
		ret = kmd_engine_power_up(file->adapter, queue->node);
	if (!ret && queue->packet_context)
		ret = kmd_packet_context_make_ready(queue->packet_context);
	if (ret)
		return ret;
	ret = kmd_submit_create_commands(file, request, &packet);
	if (ret)
		return ret;
	flags = kmd_wait_lock(domain);
	ret = kmd_kernel_queue_take_room(queue, 1);
	if (!ret) {
		kmd_packet_append(queue, packet);
		request->progress_value = queue->packets.submitted;
	}
	kmd_wait_unlock(domain, flags);
	if (ret)
		kmd_packet_destroy(packet);
	else if (kmd_adapter_is_wedged(file->adapter))
		ret = -ENODEV;
	return ret;
}

int kmd_request_queue_submit(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_queue_submit *request = arguments;
	int ret;

	if (request->flags & ~DRM_RINGFENCE_SUBMIT_PRESENT)
		return -EINVAL;
	ret = kmd_request_lock_awake(file->adapter);
	if (ret)
		return ret;
	ret = kmd_submit_commands(file, request);
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

/* --- waits ------------------------------------------------------------------------------- */

static int kmd_submit_create_wait(struct kmd_queue *queue, u32 count, struct kmd_packet **result)
{
	struct kmd_packet *packet = kmd_packet_create(KMD_PACKET_WAIT, 0);

	if (!packet)
		return -ENOMEM;
	packet->wait = kmd_kernel_queue_wait_create(queue, count);
	if (!packet->wait) {
		kmd_packet_destroy(packet);
		return -ENOMEM;
	}
	*result = packet;
	return 0;
}

static int kmd_submit_wait(struct kmd_queue *queue, const struct drm_ringfence_fence_value *values,
			   u32 count)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	struct kmd_packet *packet = NULL;
	unsigned long flags;
	bool begun;
	int ret, room;

	ret = kmd_submit_create_wait(queue, count, &packet);
	if (ret)
		return ret;
	flags = kmd_wait_lock(domain);
	room = kmd_kernel_queue_take_room(queue, 1);
	ret = room ? room : kmd_wait_begin(queue->file, packet->wait, values);
	begun = ret > 0; /* a reached wait blocks nothing, and needs no packet */
	if (begun)
		kmd_packet_append(queue, packet);
	kmd_wait_unlock(domain, flags);
	if (begun)
		return 0;
	if (!room)
		kmd_uncharge(queue->file, KMD_LIMIT_PACKETS, 1);
	kmd_packet_destroy(packet);
	return ret;
}

/* --- signals ----------------------------------------------------------------------------- */

static int kmd_submit_create_signal(struct kmd_file *file,
				    const struct drm_ringfence_fence_value *values, u32 count,
				    struct kmd_packet **result)
{
	struct kmd_packet *packet = kmd_packet_create(KMD_PACKET_SIGNAL, count);
	struct kmd_local_fence *local;
	u32 i;
	int ret;

	if (!packet)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		local = kmd_table_find(&file->table, KMD_FENCE, values[i].handle);
		ret = local ? kmd_local_fence_check_signal(local) : -ENOENT;
		if (ret) {
			kmd_packet_destroy(packet);
			return ret;
		}
		packet->signals[packet->count++] =
			(struct kmd_signal){ local->opening, values[i].value };
		local->opening->references++;
	}
	*result = packet;
	return 0;
}

static int kmd_submit_signal(struct kmd_queue *queue,
			     const struct drm_ringfence_fence_value *values, u32 count)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	struct kmd_packet *packet = NULL;
	unsigned long flags;
	int ret;
	u32 i;

	ret = kmd_submit_create_signal(queue->file, values, count, &packet);
	if (ret)
		return ret;
	flags = kmd_wait_lock(domain);
	for (i = 0; i < count && !ret; i++)
		ret = kmd_fence_check_signal(packet->signals[i].opening->fence,
					     packet->signals[i].value);
	if (!ret)
		ret = kmd_kernel_queue_take_room(queue, 1);
	if (!ret)
		kmd_packet_append(queue, packet);
	kmd_wait_unlock(domain, flags);
	if (ret)
		kmd_packet_destroy(packet);
	return ret;
}

/* --- requests about fences ------------------------------------------------------------------ */

typedef int queue_fences_fn(struct kmd_queue *queue, const struct drm_ringfence_fence_value *values,
			    u32 count);

static int kmd_submit_with_fences(struct kmd_file *file, u32 handle,
				  const struct drm_ringfence_fence_value *values, u32 count,
				  queue_fences_fn *function)
{
	struct kmd_queue *queue = NULL;
	int ret;

	ret = kmd_request_lock_awake(file->adapter);
	if (ret)
		return ret;
	ret = kmd_kernel_queue_find(file, handle, &queue);
	if (!ret)
		ret = function(queue, values, count);
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

int kmd_request_queue_wait(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_queue_wait *request = call->arguments;

	if (request->flags)
		return -EINVAL;
	return kmd_submit_with_fences(file, request->queue, call->values, request->fences.count,
				      kmd_submit_wait);
}

int kmd_request_queue_signal(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_queue_signal *request = call->arguments;

	if (request->flags)
		return -EINVAL;
	return kmd_submit_with_fences(file, request->queue, call->values, request->fences.count,
				      kmd_submit_signal);
}
