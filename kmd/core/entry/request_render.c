// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Render commands: the driver builds DMA buffers from the commands of user mode, as many as it
 * needs. Each is a packet like any other, in the order of its queue, and packets of other contexts
 * may run in between (S4-22, S4-23).
 *
 * If the driver patches addresses (NoDmaPatching 0), the device may keep slots bound after a
 * buffer. The patch lists are verified: a slot that one buffer of a split command leaves bound has
 * to be rebound or unbound in the next one; otherwise the whole command is rejected before any of
 * it is submitted (S4-19..S4-21).
 *
 * Locking: none to copy from user mode; then the adapter's mutex; wait_lock to append.
 */
#include "base/adapter.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "entry/render.h"
#include "entry/requests.h"
#include "entry/user_array.h"
#include "queues/context_allocation.h"
#include "queues/kernel_queue.h"
#include "recovery/device_power.h"
#include "scheduling/engine.h"
#include "scheduling/queue.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"

#define DMA_BUFFER_BYTES KMD_PAGE_BYTES
/* Entries that the driver may add for slots that it unbinds */
#define PATCH_ROOM (DRM_RINGFENCE_RENDER_PATCHES + DRM_RINGFENCE_PATCH_SLOTS)

/**
 * struct kmd_render - a render command being built
 * @file: process
 * @queue: its queue
 * @arguments: of the driver
 * @packets: made so far, by kmd_packet.link
 * @count: number of these
 * @bound: slots that the last DMA buffer left bound
 * @handles: of the allocations, from element 1 on
 * @allocation_count: including element 0, which is unused
 * @addresses: of the allocations
 * @bytes: sizes of the allocations
 * @patches: from user mode
 * @list: the driver's patch list for one DMA buffer
 */
struct kmd_render {
	struct kmd_file *file;
	struct kmd_queue *queue;
	struct rf_render arguments;
	struct rf_list packets;
	u32 count;
	u32 bound;
	u32 handles[DRM_RINGFENCE_RENDER_ALLOCATIONS + 1];
	u32 allocation_count;
	u64 addresses[DRM_RINGFENCE_RENDER_ALLOCATIONS + 1];
	u64 bytes[DRM_RINGFENCE_RENDER_ALLOCATIONS + 1];
	struct rf_patch_location patches[DRM_RINGFENCE_RENDER_PATCHES];
	struct rf_patch_location list[PATCH_ROOM];
};

/* --- arrays of user mode ------------------------------------------------------------ */

static int kmd_render_copy_allocations(struct kmd_render *render,
				       const struct drm_ringfence_array *array)
{
	int ret = kmd_array_check(array, DRM_RINGFENCE_RENDER_ALLOCATIONS,
				  sizeof(render->handles[0]));
	u32 i;

	for (i = 0; i < array->count && !ret; i++)
		ret = kmd_array_copy(array, i, &render->handles[i + 1], sizeof(render->handles[0]));
	render->allocation_count = array->count + 1;
	return ret;
}

static int kmd_render_copy_patch(struct kmd_render *render, const struct drm_ringfence_array *array,
				 u32 index)
{
	struct drm_ringfence_patch_location patch;
	int ret = kmd_array_copy(array, index, &patch, sizeof(patch));

	if (ret)
		return ret;
	if (patch.pad || patch.slot >= DRM_RINGFENCE_PATCH_SLOTS)
		return -EINVAL;
	if (index && patch.patch_offset <= render->patches[index - 1].patch_offset)
		return -EINVAL;
	render->patches[index] = (struct rf_patch_location){
		.allocation_index = patch.allocation,
		.slot_id = patch.slot,
		.patch_offset = patch.patch_offset,
		.allocation_offset = patch.allocation_offset,
	};
	return 0;
}

static int kmd_render_copy_patches(struct kmd_render *render,
				   const struct drm_ringfence_array *array)
{
	int ret = kmd_array_check(array, DRM_RINGFENCE_RENDER_PATCHES,
				  sizeof(struct drm_ringfence_patch_location));
	u32 i;

	for (i = 0; i < array->count && !ret; i++)
		ret = kmd_render_copy_patch(render, array, i);
	render->arguments.command_patch_list = render->patches;
	render->arguments.command_patch_list_size = array->count;
	return ret;
}

int kmd_render_copy(struct kmd_call *call)
{
	const struct drm_ringfence_queue_render *request = call->arguments;
	struct kmd_render *render = rf_alloc(sizeof(*render));
	int ret;

	if (!render)
		return -ENOMEM;
	ret = kmd_render_copy_allocations(render, &request->allocations);
	if (!ret)
		ret = kmd_render_copy_patches(render, &request->patches);
	if (ret)
		rf_free(render);
	else
		call->render = render;
	return ret;
}

/* --- DMA buffers --------------------------------------------------------------------- */

/* True if the patch names an allocation, and lies within the buffer. */
static bool kmd_render_is_sound(const struct kmd_render *render,
				const struct rf_patch_location *patch)
{
	u32 used = render->arguments.dma_used;

	if (patch->slot_id >= DRM_RINGFENCE_PATCH_SLOTS ||
	    patch->allocation_index >= render->allocation_count)
		return false;
	if (!patch->allocation_index)
		return true;
	return patch->allocation_offset < render->bytes[patch->allocation_index] &&
	       !(patch->patch_offset % sizeof(u64)) && used >= sizeof(u64) &&
	       patch->patch_offset <= used - sizeof(u64);
}

bool kmd_patch_list_verify(const struct rf_patch_location *list, u32 count, u32 *bound)
{
	u32 now = *bound, named = 0, i;

	for (i = 0; i < count; i++) {
		u32 slot = 1u << list[i].slot_id;

		named |= slot;
		now = list[i].allocation_index ? now | slot : now & ~slot;
	}
	if (*bound & ~named)
		return false;
	*bound = now;
	return true;
}

static int kmd_render_patch(struct kmd_render *render)
{
	const struct rf_render *arguments = &render->arguments;
	struct kmd_adapter *adapter = render->file->adapter;
	const struct rf_patch patch = {
		.dma_buffer = arguments->dma_buffer,
		.dma_size = arguments->dma_used,
		.allocation_list = render->addresses,
		.patch_list = render->list,
		.patch_list_size = arguments->patch_list_size,
	};
	u32 i;

	for (i = 0; i < patch.patch_list_size; i++) {
		struct rf_patch_location *location = &render->list[i];

		if (!kmd_render_is_sound(render, location))
			return -EINVAL;
		location->allocation_index =
			rf_index_nospec(location->allocation_index, render->allocation_count);
	}
	if (!kmd_patch_list_verify(render->list, patch.patch_list_size, &render->bound)) {
		rf_log_user(adapter->bus->os, "a split DMA buffer leaves slots bound");
		return -EINVAL;
	}
	return adapter->ddi->patch(adapter->h_adapter, &patch);
}

/* Build one more packet; -ENOSPC: the command needs another one. */
static int kmd_render_build(struct kmd_render *render)
{
	struct kmd_adapter *adapter = render->file->adapter;
	struct kmd_packet *packet = kmd_packet_create(KMD_PACKET_COMMANDS, 0);
	struct rf_render *arguments = &render->arguments;
	int more, ret = 0;

	if (!packet)
		return -ENOMEM;
	rf_list_insert(&packet->link, &render->packets);
	if (++render->count > KMD_PACKETS_MAX)
		return -EAGAIN;
	packet->memory = kmd_memory_create(render->file, DMA_BUFFER_BYTES);
	if (!packet->memory)
		return -ENOMEM;
	arguments->dma_buffer = (struct rf_value_address){ .mem = packet->memory->mem };
	more = adapter->ddi->render(adapter->h_adapter, arguments);
	if (more && more != -ENOSPC)
		return more;
	if (!(adapter->caps.scheduling_caps & RF_VIDSCH_NO_DMA_PATCHING))
		ret = kmd_render_patch(render);
	packet->submit.dma_buffer_virtual_address = packet->memory->gpu_address;
	packet->submit.dma_buffer_size = arguments->dma_used;
	packet->dma.continues = more;
	return ret ? ret : more;
}

static int kmd_render_build_all(struct kmd_render *render,
				const struct drm_ringfence_queue_render *request)
{
	struct kmd_memory *memory = kmd_memory_get(render->file, request->memory);
	struct rf_render *arguments = &render->arguments;
	int ret;

	if (!memory)
		return -ENOENT;
	arguments->command = (struct rf_value_address){ memory->mem, request->offset };
	arguments->command_length = request->size;
	arguments->dma_size = DMA_BUFFER_BYTES;
	arguments->patch_list = render->list;
	arguments->patch_list_room = PATCH_ROOM;
	ret = -EINVAL;
	if (!(request->size % sizeof(u64)) && !(request->offset % sizeof(u64)) &&
	    request->size <= memory->mem->bytes &&
	    request->offset <= memory->mem->bytes - request->size)
		ret = rf_mem_vmap(memory->mem);
	if (!ret) {
		do
			ret = kmd_render_build(render);
		while (ret == -ENOSPC);
	}
	kmd_memory_put(memory);
	return ret;
}

/* --- requests ------------------------------------------------------------------------ */

/* Append all packets, or none. */
static int kmd_render_append(struct kmd_render *render, u64 *progress_value)
{
	struct kmd_queue *queue = render->queue;
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	int ret = kmd_kernel_queue_take_room(queue, render->count);
	struct kmd_packet *packet;

	while (!ret && !rf_list_empty(&render->packets)) {
		packet = rf_list_first(&render->packets, struct kmd_packet, link);
		rf_list_remove(&packet->link);
		kmd_packet_append(queue, packet);
	}
	*progress_value = queue->packets.submitted;
	kmd_wait_unlock(domain, flags);
	return ret;
}

static int kmd_render_find_allocations(struct kmd_render *render)
{
	struct kmd_memory *memory;
	u32 i;

	for (i = 1; i < render->allocation_count; i++) {
		memory = kmd_memory_get(render->file, render->handles[i]);
		if (!memory)
			return -ENOENT;
		render->addresses[i] = memory->gpu_address;
		render->bytes[i] = memory->mem->bytes;
		kmd_memory_put(memory); /* no reference: freed memory harms only this process */
	}
	return 0;
}

static int kmd_render_command(struct kmd_render *render, struct drm_ringfence_queue_render *request)
{
	int ret = kmd_kernel_queue_find(render->file, request->queue, &render->queue);

	if (!ret && !render->queue->packet_context)
		ret = -EOPNOTSUPP;
	if (!ret)
		ret = kmd_engine_power_up(render->file->adapter, render->queue->node);
	if (!ret)
		ret = kmd_packet_context_make_ready(render->queue->packet_context);
	if (!ret)
		ret = kmd_render_find_allocations(render);
	if (!ret)
		ret = kmd_render_build_all(render, request);
	if (!ret)
		ret = kmd_render_append(render, &request->progress_value);
	return ret;
}

int kmd_request_queue_render(struct kmd_file *file, struct kmd_call *call)
{
	struct drm_ringfence_queue_render *request = call->arguments;
	struct kmd_render *render = call->render;
	struct kmd_packet *packet;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_request_lock_awake(file->adapter);
	if (ret)
		return ret;
	render->file = file;
	rf_list_init(&render->packets);
	ret = kmd_render_command(render, request);
	while (!rf_list_empty(&render->packets)) {
		packet = rf_list_first(&render->packets, struct kmd_packet, link);
		rf_list_remove(&packet->link);
		kmd_packet_destroy(packet);
	}
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}
