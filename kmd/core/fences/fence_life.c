// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Life of fences and local fences. A fence lives as long as it has openings (opening.c), an
 * opening as long as it has local fences, shares and packets that signal it.
 *
 * Locking: the adapter's mutex for all of life. A fence that is found by its token may lose its last
 * opening on another adapter meanwhile, so it is found with a reference, under wait_lock.
 */
#include "fences/fence_life.h"

#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/opening.h"
#include "fences/storage.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"

static struct kmd_fence *kmd_fence_alloc(const struct kmd_adapter *adapter, u32 type, u32 flags)
{
	struct kmd_fence *fence = rf_alloc(sizeof(*fence));

	if (!fence)
		return NULL;
	fence->domain = adapter->sync_domain;
	fence->cross_adapter = flags & DRM_RINGFENCE_FENCE_CROSS_ADAPTER;
	fence->keeps_value = flags & DRM_RINGFENCE_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR;
	fence->is_32bit = type == DRM_RINGFENCE_FENCE_MONITORED && !fence->cross_adapter &&
			  !(flags & DRM_RINGFENCE_FENCE_NO_GPU_ACCESS) &&
			  (adapter->caps.scheduling_caps & RF_VIDSCH_NO_64_BIT_ATOMICS);
	fence->type = type == DRM_RINGFENCE_FENCE_INTRA_GPU ? RF_NATIVE_FENCE_TYPE_INTRA_GPU
							    : RF_NATIVE_FENCE_TYPE_DEFAULT;
	fence->share_token = flags & DRM_RINGFENCE_FENCE_SHARED ? rf_random() : 0;
	fence->references = 1; /* of the caller */
	rf_list_init(&fence->openings);
	rf_list_init(&fence->shared_link);
	rf_list_init(&fence->reached_link);
	return fence;
}

/* In a page of its own, before any adapter has it open. */
static int kmd_fence_create_host(struct kmd_file *file, struct kmd_fence *fence, u64 initial_value)
{
	int ret = kmd_value_create_host(file, fence, &fence->current_value);

	if (ret)
		return ret;
	rf_value_write(kmd_value_address(&fence->current_value), initial_value);
	fence->propagated = initial_value;
	return 0;
}

/* From now on it can be found by its token. */
static void kmd_fence_publish(struct kmd_fence *fence)
{
	unsigned long flags;

	if (!fence->share_token)
		return;
	flags = kmd_wait_lock(fence->domain);
	rf_list_insert(&fence->shared_link, &fence->domain->shared);
	kmd_wait_unlock(fence->domain, flags);
}

static int kmd_local_fence_open_hw(struct kmd_local_fence *local)
{
	struct kmd_adapter *adapter = local->opening->adapter;
	struct drm_ringfence_fence_mapping mapping;
	struct rf_open_native_fence open = {
		.h_global_native_fence = local->opening->h_global,
		.h_local_native_fence = (void *)(uintptr_t)local->handle,
		.h_process = local->file->h_process,
	};
	int ret;

	kmd_local_fence_mapping(local, &mapping);
	open.current_value_gpu_va = mapping.current_value_gpu_address;
	open.monitored_value_gpu_va = mapping.monitored_value_gpu_address;
	ret = adapter->ddi->open_native_fence(adapter->h_adapter, &open);
	if (!ret)
		local->h_local = open.h_local_native_fence;
	return ret;
}

static int kmd_local_fence_get_mappings(struct kmd_local_fence *local)
{
	const struct kmd_opening *opening = local->opening;
	struct kmd_file *file = local->file;
	int ret;

	ret = kmd_mapping_get(file, opening->current_value.page,
			      kmd_opening_current_access(opening, local->flags),
			      &local->current_mapping);
	if (ret || !opening->gpu_access)
		return ret;
	ret = kmd_mapping_get(file, opening->monitored.page, KMD_ACCESS_GPU,
			      &local->monitored_mapping);
	if (ret)
		kmd_mapping_put(file, local->current_mapping);
	return ret;
}

static void kmd_local_fence_put_mappings(struct kmd_local_fence *local)
{
	if (local->monitored_mapping)
		kmd_mapping_put(local->file, local->monitored_mapping);
	kmd_mapping_put(local->file, local->current_mapping);
}

/* It can be signalled again, by the process that has just opened it. */
static void kmd_fence_revive(struct kmd_local_fence *local)
{
	if (local->flags & DRM_RINGFENCE_FENCE_NO_SIGNAL)
		return;
	local->opening->signalers++;
	if (local->fence->cross_adapter && !local->opening->lost)
		local->fence->error = 0;
}

int kmd_local_fence_create(struct kmd_file *file, struct kmd_fence *fence, u32 flags,
			   struct kmd_queue *queue, struct kmd_local_fence **result)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_local_fence *local;
	unsigned long lock_flags;
	int ret;

	rf_assert_held(&file->adapter->mutex);
	local = rf_alloc(sizeof(*local));
	if (!local)
		return -ENOMEM;
	local->file = file;
	local->fence = fence;
	local->queue = queue; /* before a handle names it */
	local->flags = flags & (DRM_RINGFENCE_FENCE_NO_SIGNAL | DRM_RINGFENCE_FENCE_NO_WAIT);
	rf_list_init(&local->link);
	rf_list_init(&local->opening_link);
	rf_list_init(&local->waiters);
	ret = kmd_charge_file(file, KMD_LIMIT_FENCES, 1);
	if (ret)
		goto free_local;
	ret = kmd_opening_get(file, fence, &local->opening);
	if (ret)
		goto uncharge;
	ret = kmd_local_fence_get_mappings(local);
	if (ret)
		goto put_opening;
	/* reserved: it can be found, and waited for, only when it is complete */
	ret = kmd_table_insert(&file->table, KMD_FENCE, NULL, &local->handle);
	if (ret)
		goto put_mappings;
	ret = local->opening->is_native ? kmd_local_fence_open_hw(local) : 0;
	if (ret)
		goto remove_handle;

	lock_flags = kmd_wait_lock(domain);
	rf_list_insert(&local->link, &file->local_fences);
	rf_list_insert(&local->opening_link, &local->opening->locals);
	kmd_fence_revive(local);
	kmd_wait_unlock(domain, lock_flags);
	kmd_table_publish(&file->table, KMD_FENCE, local->handle, local);
	*result = local;
	return 0;

remove_handle:
	kmd_table_remove(&file->table, KMD_FENCE, local->handle);
put_mappings:
	kmd_local_fence_put_mappings(local);
put_opening:
	kmd_opening_put(local->opening);
uncharge:
	kmd_uncharge_file(file, KMD_LIMIT_FENCES, 1);
free_local:
	rf_free(local);
	return ret;
}

void kmd_local_fence_destroy(struct kmd_local_fence *local)
{
	const struct rf_close_native_fence close = {
		.h_local_native_fence = local->h_local,
	};
	struct kmd_opening *opening = local->opening;
	struct kmd_adapter *adapter = opening->adapter;

	rf_assert_held(&local->file->adapter->mutex);
	if (opening->is_native)
		adapter->ddi->close_native_fence(adapter->h_adapter, &close);
	kmd_local_fence_put_mappings(local);
	kmd_uncharge_file(local->file, KMD_LIMIT_FENCES, 1);
	rf_free(local);
	kmd_opening_put(opening);
}

void kmd_local_fence_mapping(const struct kmd_local_fence *local,
			     struct drm_ringfence_fence_mapping *mapping)
{
	const struct kmd_opening *opening = local->opening;
	u32 offset = opening->current_value.offset;

	*mapping = (struct drm_ringfence_fence_mapping){
		.current_value_mmap_offset = local->current_mapping->mmap_offset,
	};
	if (mapping->current_value_mmap_offset)
		mapping->current_value_page_offset = offset;
	if (!opening->gpu_access)
		return;
	mapping->current_value_gpu_address = local->current_mapping->gpu_address + offset;
	mapping->monitored_value_gpu_address =
		local->monitored_mapping->gpu_address + opening->monitored.offset;
}

u32 kmd_local_fence_type(const struct kmd_local_fence *local)
{
	return local->opening->is_native ? (u32)local->fence->type
					 : (u32)DRM_RINGFENCE_FENCE_MONITORED;
}

int kmd_fence_create(struct kmd_file *file, u32 type, u32 flags, u64 initial_value,
		     struct kmd_queue *queue, struct kmd_local_fence **local)
{
	struct kmd_fence *fence;
	struct kmd_opening *opening;
	int ret = 0;

	rf_assert_held(&file->adapter->mutex);
	if (flags & DRM_RINGFENCE_FENCE_CROSS_ADAPTER)
		flags |= DRM_RINGFENCE_FENCE_SHARED;
	fence = kmd_fence_alloc(file->adapter, type, flags);
	if (!fence)
		return -ENOMEM;
	if (fence->cross_adapter)
		ret = kmd_fence_create_host(file, fence, initial_value);
	if (ret) {
		rf_free(fence);
		return ret;
	}
	ret = kmd_opening_create(file, fence, type != DRM_RINGFENCE_FENCE_MONITORED, flags,
				 initial_value, &opening);
	if (ret)
		goto drop_fence;
	ret = kmd_local_fence_create(file, fence, flags, queue, local);
	kmd_opening_put(opening); /* the local fence has a reference of its own */
	if (!ret)
		kmd_fence_publish(fence);
drop_fence:
	kmd_fence_drop(fence);
	return ret;
}

struct kmd_fence *kmd_fence_find_shared(struct kmd_adapter *adapter, u64 token)
{
	struct kmd_fence *fence, *found = NULL;
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	rf_list_for_each(fence, &adapter->sync_domain->shared, shared_link)
		if (fence->share_token == token)
			found = fence;
	if (found)
		found->references++;
	kmd_wait_unlock(adapter->sync_domain, flags);
	return found;
}

int kmd_local_fence_check_signal(const struct kmd_local_fence *local)
{
	if (local->fence->type == RF_NATIVE_FENCE_TYPE_INTRA_GPU)
		return -EOPNOTSUPP;
	/* only its queue signals a progress fence */
	if (local->queue || (local->flags & DRM_RINGFENCE_FENCE_NO_SIGNAL))
		return -EACCES;
	return 0;
}
