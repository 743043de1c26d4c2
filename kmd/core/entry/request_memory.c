// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: memory. Locking: the adapter's mutex. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/gpu_va.h"
#include "base/limit.h"
#include "base/memory.h"
#include "entry/requests.h"
#include "fences/value_move.h"
#include "queues/context_allocation.h"
#include "recovery/device_power.h"
#include "rf_bus.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"
#include "ringfence_drm.h"

static int kmd_memory_create_in_shell(struct kmd_memory *memory,
				      struct drm_ringfence_memory_create *request,
				      enum rf_mem_kind kind)
{
	return rf_file_memory_create(memory->file->shell, kind, request->bytes, &memory->handle,
				     &request->mmap_offset, &memory->mem);
}

/* Move a movable object out of local memory; false: there is none. */
static bool kmd_memory_make_room(struct kmd_adapter *adapter)
{
	return kmd_packet_contexts_evict(adapter) || kmd_value_page_demote(adapter);
}

static int kmd_memory_create_local(struct kmd_memory *memory,
				   struct drm_ringfence_memory_create *request)
{
	struct kmd_adapter *adapter = memory->file->adapter;
	int ret;

	/* do not evict for a request larger than local memory */
	if (request->bytes > adapter->caps.local_memory_bytes)
		return -ENOMEM;
	do
		ret = kmd_memory_create_in_shell(memory, request, RF_MEM_LOCAL);
	while (ret == -ENOMEM && kmd_memory_make_room(adapter));
	return ret;
}

int kmd_request_memory_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_memory_create *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_memory *memory;
	int ret;

	if (!request->bytes || (request->flags & ~DRM_RINGFENCE_MEMORY_LOCAL))
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
		      ? kmd_memory_create_local(memory, request)
		      : kmd_memory_create_in_shell(memory, request, RF_MEM_SYSTEM);
	if (ret)
		goto unlock;
	ret = kmd_gpu_map(adapter, file, memory->mem, 0, &memory->gpu_address);
	if (ret)
		goto destroy_handle;
	rf_list_insert(&memory->link, &file->memories);
	request->bytes = memory->mem->bytes;
	request->handle = memory->handle;
	request->gpu_address = memory->gpu_address;
	rf_mutex_unlock(&adapter->mutex);
	return 0;

destroy_handle:
	rf_file_memory_destroy(file->shell, memory->handle);
	rf_mem_put(memory->mem);
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
