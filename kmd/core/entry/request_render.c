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
 * A broadcast (S4-24) is for a queue of this adapter and one of the linked adapter. The DMA buffers are
 * built once, here, in pages that both processes map read-only; the last of the two packets that use a
 * page frees it. Only one adapter's mutex is held at a time:
 *
 *   begin   this adapter   the packets are built, and room for them is reserved
 *   append  the other one  its packets get their mappings, and are appended
 *   end     this adapter   the packets are appended, if the queue is still there
 *
 * What can fail for want of something comes before the first append. After it only the loss of this
 * side can: then the other one goes on, as it does after a loss a moment later.
 *
 * Locking: none to copy from user mode; then the adapter's mutex; wait_lock to append.
 */
#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/link.h"
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
 * @node: of it
 * @arguments: of the driver
 * @other: the linked process of a broadcast, or NULL
 * @packets: made so far, by kmd_packet.link
 * @others: of a broadcast: packets of @other for the same DMA buffers
 * @count: number of each
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
	u32 node;
	struct rf_render arguments;
	struct kmd_file *other;
	struct rf_list packets;
	struct rf_list others;
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

/* Memory for the DMA buffer of a packet. */
static int kmd_render_create_buffer(struct kmd_render *render, struct kmd_packet *packet)
{
	struct kmd_file *file = render->file;
	int ret;

	if (!render->other) {
		packet->memory = kmd_memory_create(file, DMA_BUFFER_BYTES);
		return packet->memory ? 0 : -ENOMEM;
	}
	ret = rf_mem_create(file->adapter->bus, RF_MEM_HOST, DMA_BUFFER_BYTES, &packet->pages);
	return ret ? ret : kmd_memory_import(file, packet->pages, &packet->memory);
}

/* The packet of the linked process for a DMA buffer; it is mapped there later. */
static int kmd_render_create_other(struct kmd_render *render, const struct kmd_packet *packet)
{
	struct kmd_packet *other = kmd_packet_create(KMD_PACKET_COMMANDS, 0);

	if (!other)
		return -ENOMEM;
	rf_mem_get(packet->pages);
	other->pages = packet->pages;
	other->submit.dma_buffer_size = packet->submit.dma_buffer_size;
	other->dma.continues = packet->dma.continues;
	rf_list_insert(&other->link, &render->others);
	return 0;
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
	ret = kmd_render_create_buffer(render, packet);
	if (ret)
		return ret;
	arguments->dma_buffer = (struct rf_value_address){ .mem = packet->memory->mem };
	more = adapter->ddi->render(adapter->h_adapter, arguments);
	if (more && more != -ENOSPC)
		return more;
	if (!(adapter->caps.scheduling_caps & RF_VIDSCH_NO_DMA_PATCHING))
		ret = kmd_render_patch(render);
	packet->submit.dma_buffer_virtual_address = packet->memory->gpu_address;
	packet->submit.dma_buffer_size = arguments->dma_used;
	packet->dma.continues = more;
	if (!ret && render->other)
		ret = kmd_render_create_other(render, packet);
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

/* There is room for them. wait_lock held. */
static void kmd_render_append_all(struct kmd_queue *queue, struct rf_list *packets,
				  u64 *progress_value)
{
	struct kmd_packet *packet;

	while (!rf_list_empty(packets)) {
		packet = rf_list_first(packets, struct kmd_packet, link);
		rf_list_remove(&packet->link);
		kmd_packet_append(queue, packet);
	}
	*progress_value = queue->packets.submitted;
}

/* Append all @count packets, or none. */
static int kmd_render_append(struct kmd_queue *queue, struct rf_list *packets, u32 count,
			     u64 *progress_value)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	int ret = kmd_kernel_queue_take_room(queue, count);

	if (!ret)
		kmd_render_append_all(queue, packets, progress_value);
	kmd_wait_unlock(domain, flags);
	return ret;
}

/* Packets that were not appended. The mutex is held, if they have memory. */
static void kmd_render_drop(struct rf_list *packets)
{
	struct kmd_packet *packet;

	while (!rf_list_empty(packets)) {
		packet = rf_list_first(packets, struct kmd_packet, link);
		rf_list_remove(&packet->link);
		kmd_packet_destroy(packet);
	}
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

/* A queue that takes DMA buffers, ready to run them. mutex held. */
static int kmd_render_find_queue(struct kmd_file *file, u32 handle, struct kmd_queue **queue)
{
	int ret = kmd_kernel_queue_find(file, handle, queue);

	if (!ret && !(*queue)->packet_context)
		ret = -EOPNOTSUPP;
	if (!ret)
		ret = kmd_engine_power_up(file->adapter, (*queue)->node);
	if (!ret)
		ret = kmd_packet_context_make_ready((*queue)->packet_context);
	return ret;
}

static int kmd_render_command(struct kmd_render *render,
			      const struct drm_ringfence_queue_render *request)
{
	int ret = kmd_render_find_queue(render->file, request->queue, &render->queue);

	if (!ret)
		ret = kmd_render_find_allocations(render);
	if (!ret)
		ret = kmd_render_build_all(render, request);
	return ret;
}

/* --- broadcasts ------------------------------------------------------------------------ */

static int kmd_render_reserve(struct kmd_queue *queue, u32 count)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	int ret = kmd_kernel_queue_reserve(queue, count);

	kmd_wait_unlock(domain, flags);
	return ret;
}

static int kmd_render_begin(struct kmd_render *render,
			    const struct drm_ringfence_queue_render *request)
{
	struct kmd_adapter *adapter = render->file->adapter;
	int ret = kmd_request_lock_awake(adapter);

	if (ret)
		return ret;
	ret = kmd_render_command(render, request);
	if (!ret)
		ret = kmd_render_reserve(render->queue, render->count);
	if (ret)
		kmd_render_drop(&render->packets);
	else
		render->node = render->queue->node;
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

/* Map the DMA buffers in the linked process. */
static int kmd_render_map_others(struct kmd_render *render)
{
	struct kmd_packet *packet;
	int ret;

	rf_list_for_each(packet, &render->others, link) {
		ret = kmd_memory_import(render->other, packet->pages, &packet->memory);
		if (ret)
			return ret;
		packet->submit.dma_buffer_virtual_address = packet->memory->gpu_address;
	}
	return 0;
}

static int kmd_render_append_others(struct kmd_render *render,
				    struct drm_ringfence_queue_render *request)
{
	struct kmd_queue *queue;
	int ret = kmd_render_find_queue(render->other, request->linked_queue, &queue);

	if (!ret && queue->node != render->node)
		ret = -EINVAL;
	if (!ret)
		ret = kmd_render_map_others(render);
	if (!ret)
		ret = kmd_render_append(queue, &render->others, render->count,
					&request->linked_progress_value);
	return ret;
}

/* The part of the linked process. Packets that are not appended stay. */
static int kmd_render_linked(struct kmd_render *render, struct drm_ringfence_queue_render *request)
{
	struct kmd_adapter *adapter = render->other->adapter;
	int ret = kmd_request_lock_awake(adapter);

	if (ret)
		return ret == -ENODEV ? -ENOLINK : ret;
	ret = kmd_render_append_others(render, request);
	kmd_render_drop(&render->others);
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

/* @ret: of what came before. The queue may be lost by now. */
static int kmd_render_use_room(struct kmd_render *render, struct kmd_queue *queue,
			       struct drm_ringfence_queue_render *request, int ret)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	if (!ret && queue->error)
		ret = -EIO;
	kmd_kernel_queue_end_reservation(queue, render->count, !ret);
	if (!ret)
		kmd_render_append_all(queue, &render->packets, &request->progress_value);
	kmd_wait_unlock(domain, flags);
	return ret;
}

/* The same. The queue may be destroyed by now. */
static int kmd_render_append_own(struct kmd_render *render,
				 struct drm_ringfence_queue_render *request, int ret)
{
	struct kmd_file *file = render->file;
	struct kmd_queue *queue = kmd_table_find(&file->table, KMD_QUEUE, request->queue);

	if (!queue) {
		kmd_uncharge(file, KMD_LIMIT_PACKETS, render->count);
		return ret ? ret : -ENOENT;
	}
	if (!ret && kmd_adapter_is_wedged(file->adapter))
		ret = -ENODEV;
	if (!ret)
		ret = kmd_render_find_queue(file, request->queue, &queue);
	return kmd_render_use_room(render, queue, request, ret);
}

/* A request that has got so far does not end for a signal: room is to be returned. */
static int kmd_render_end(struct kmd_render *render, struct drm_ringfence_queue_render *request,
			  int ret)
{
	struct kmd_adapter *adapter = render->file->adapter;

	kmd_adapter_lock_awake(adapter);
	ret = kmd_render_append_own(render, request, ret);
	kmd_render_drop(&render->packets);
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

static int kmd_render_broadcast(struct kmd_render *render,
				struct drm_ringfence_queue_render *request)
{
	int ret;

	render->other = kmd_link_visit(render->file);
	if (!render->other)
		return -ENOLINK;
	ret = kmd_render_begin(render, request);
	if (!ret) {
		ret = kmd_render_linked(render, request);
		ret = kmd_render_end(render, request, ret);
	}
	kmd_render_drop(&render->others); /* they are mapped nowhere */
	kmd_link_leave(render->other);
	return ret;
}

static int kmd_render_one(struct kmd_render *render, struct drm_ringfence_queue_render *request)
{
	struct kmd_adapter *adapter = render->file->adapter;
	int ret = kmd_request_lock_awake(adapter);

	if (ret)
		return ret;
	ret = kmd_render_command(render, request);
	if (!ret)
		ret = kmd_render_append(render->queue, &render->packets, render->count,
					&request->progress_value);
	kmd_render_drop(&render->packets);
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

int kmd_request_queue_render(struct kmd_file *file, struct kmd_call *call)
{
	struct drm_ringfence_queue_render *request = call->arguments;
	struct kmd_render *render = call->render;

	if (request->flags || request->pad)
		return -EINVAL;
	render->file = file;
	rf_list_init(&render->packets);
	rf_list_init(&render->others);
	request->linked_progress_value = 0;
	return request->linked_queue ? kmd_render_broadcast(render, request)
				     : kmd_render_one(render, request);
}
