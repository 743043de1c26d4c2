// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: memory. Locking: the adapter's mutex. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/gpu_va.h"
#include "base/limit.h"
#include "base/link.h"
#include "base/memory.h"
#include "entry/requests.h"
#include "fences/value_move.h"
#include "queues/context_allocation.h"
#include "recovery/device_power.h"
#include "rf_bus.h"
#include "rf_os.h"
#include "ringfence_drm.h"

/* Move a movable object out of local memory; false: there is none. */
static bool kmd_memory_make_room(struct kmd_adapter *adapter)
{
	return kmd_packet_contexts_evict(adapter) || kmd_value_page_demote(adapter);
}

static int kmd_memory_create_local(struct kmd_memory *memory, u64 bytes)
{
	struct kmd_adapter *adapter = memory->file->adapter;
	int ret;

	/* do not evict for a request larger than local memory */
	if (bytes > adapter->caps.local_memory_bytes)
		return -ENOMEM;
	do
		ret = kmd_memory_create_user(memory, RF_MEM_LOCAL, bytes);
	while (ret == -ENOMEM && kmd_memory_make_room(adapter));
	return ret;
}

/* @address: 0: any */
static int kmd_memory_map(struct kmd_memory *memory, u64 address)
{
	struct kmd_file *file = memory->file;
	int ret;

	if (!address)
		return kmd_gpu_map(file->adapter, file, memory->mem, 0, &memory->gpu_address);
	memory->gpu_address = address;
	ret = kmd_gpu_map_at(file->adapter, file, memory->mem, address);
	return ret == -ENOSPC ? -EADDRINUSE : ret;
}

int kmd_request_memory_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_memory_create *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_memory *memory;
	u64 address = 0;
	int ret;

	if (!request->bytes || (request->flags & ~DRM_RINGFENCE_MEMORY_LOCAL) || request->pad)
		return -EINVAL;
	if (request->bytes > U64_MAX - KMD_PAGE_BYTES)
		return -ENOMEM;
	memory = rf_alloc(sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	memory->file = file;
	memory->references = 1;
	ret = kmd_memory_charge(memory, request->bytes,
				request->flags & DRM_RINGFENCE_MEMORY_LOCAL
					? KMD_LIMIT_LOCAL_BYTES
					: KMD_LIMIT_SYSTEM_BYTES);
	if (ret)
		goto free_memory;

	ret = kmd_request_lock_awake(adapter);
	if (ret)
		goto uncharge;
	ret = request->flags & DRM_RINGFENCE_MEMORY_LOCAL
		      ? kmd_memory_create_local(memory, request->bytes)
		      : kmd_memory_create_user(memory, RF_MEM_SYSTEM, request->bytes);
	if (ret)
		goto unlock;
	if (request->linked)
		ret = kmd_link_address(file, request->linked, memory->mem->bytes, &address);
	if (!ret)
		ret = kmd_memory_map(memory, address);
	if (ret)
		goto destroy_memory;
	ret = kmd_memory_publish(memory);
	if (ret)
		goto unmap;
	request->bytes = memory->mem->bytes;
	request->handle = memory->handle;
	request->mmap_offset = memory->mmap_offset;
	request->gpu_address = memory->gpu_address;
	rf_mutex_unlock(&adapter->mutex);
	return 0;

unmap:
	kmd_gpu_unmap(adapter, file, memory->mem, memory->gpu_address);
destroy_memory:
	kmd_memory_destroy_user(memory);
unlock:
	rf_mutex_unlock(&adapter->mutex);
uncharge:
	kmd_memory_uncharge(memory);
free_memory:
	rf_free(memory);
	return ret;
}

int kmd_request_memory_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_memory_destroy *request = arguments;
	struct kmd_memory *memory;
	int ret;

	if (request->pad)
		return -EINVAL;
	ret = kmd_request_lock_destroy(file->adapter);
	if (ret)
		return ret;
	memory = kmd_memory_find(file, request->handle);
	if (memory)
		kmd_memory_close(memory);
	rf_mutex_unlock(&file->adapter->mutex);
	return memory ? 0 : -ENOENT;
}
