// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Life of fences. For native ones the miniport has objects (S0-54..S0-59): create is followed by
 * open, another process only opens, the last close is followed by destroy. Interrupts name a fence
 * by the core's global handle, calls of the miniport by the miniport's handle (C18). The miniport
 * does not know monitored fences (S1-1..S1-3): they are values in memory, with a word that is
 * always 0 in the place of a native fence's MonitoredValue.
 *
 * Locking: the adapter's mutex for all of life; lists that the deferred part of the interrupt walks
 * are also changed under wait_lock. A global handle is valid until the miniport's destroy has
 * returned: a pending interrupt may name it until then.
 */
#include "fences/fence_life.h"

#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "fences/storage.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"
#include "ringfence_hw.h"

static int kmd_fence_create_global(struct kmd_fence *fence)
{
	struct kmd_native_fence *native = &fence->native;
	struct kmd_adapter *adapter = native->adapter;
	struct rf_create_native_fence create = {
		.type = fence->type,
		.current_value_system_process_gpu_va =
			kmd_value_system_address(&fence->current_value),
		.monitored_value_system_process_gpu_va =
			kmd_value_system_address(&native->monitored),
	};
	int ret;

	ret = kmd_table_insert(&adapter->globals, KMD_FENCE, native, &native->handle);
	if (ret)
		return ret;
	create.h_global_native_fence = (void *)(uintptr_t)native->handle;
	ret = adapter->ddi->create_native_fence(adapter->h_adapter, &create);
	if (ret)
		kmd_table_remove(&adapter->globals, KMD_FENCE, native->handle);
	else
		native->h_global = create.h_global_native_fence;
	return ret;
}

static void kmd_fence_destroy_global(struct kmd_fence *fence)
{
	const struct rf_destroy_native_fence destroy = {
		.h_global_native_fence = fence->native.h_global,
	};
	struct kmd_adapter *adapter = fence->native.adapter;
	unsigned long wait_flags, flags;

	adapter->ddi->destroy_native_fence(adapter->h_adapter, &destroy);
	/* under wait_lock: the deferred part may be using the note of this fence */
	wait_flags = kmd_wait_lock(adapter->sync_domain);
	flags = rf_spin_lock(&adapter->device_lock);
	kmd_table_remove(&adapter->globals, KMD_FENCE, fence->native.handle);
	rf_list_remove(&fence->native.signaled_link);
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);
}

/* How engines and user mode may access CurrentValue through a handle with these flags. */
static u32 kmd_fence_current_access(const struct kmd_fence *fence, u32 flags)
{
	u32 access = 0;

	if (fence->type == RF_NATIVE_FENCE_TYPE_DEFAULT)
		access |= KMD_ACCESS_CPU;
	if (fence->gpu_access)
		access |= KMD_ACCESS_GPU;
	if (fence->gpu_access && !(flags & DRM_RINGFENCE_FENCE_NO_SIGNAL))
		access |= KMD_ACCESS_GPU_WRITE;
	return access;
}

static int kmd_fence_create_values(struct kmd_file *file, struct kmd_fence *fence, u32 flags)
{
	bool shared = flags & DRM_RINGFENCE_FENCE_SHARED;
	/*
	 * values of shared fences, and CurrentValues that each signal reads, are in system memory
	 */
	bool system = shared || !fence->is_native || (flags & DRM_RINGFENCE_FENCE_MONITORED_SYSTEM);
	u32 process = fence->is_native ? KMD_ACCESS_SYSTEM_PROCESS : 0;
	/* another process may have more access than this one */
	u32 current_flags = shared ? 0 : flags;
	int ret;

	ret = kmd_value_create(file, fence->type, RF_FENCE_STORAGE_CURRENT_VALUE,
			       process | kmd_fence_current_access(fence, current_flags),
			       shared ? RF_MEM_SYSTEM
				      : kmd_fence_storage(file->adapter, fence->type,
							  RF_FENCE_STORAGE_CURRENT_VALUE),
			       shared, &fence->current_value);
	if (ret || !fence->gpu_access)
		return ret;
	ret = kmd_value_create(file, fence->type, RF_FENCE_STORAGE_MONITORED_VALUE,
			       process | KMD_ACCESS_GPU,
			       system ? RF_MEM_SYSTEM
				      : kmd_fence_storage(file->adapter, fence->type,
							  RF_FENCE_STORAGE_MONITORED_VALUE),
			       shared, &fence->native.monitored);
	if (ret)
		kmd_value_destroy(file->adapter, &fence->current_value);
	return ret;
}

static void kmd_fence_destroy_values(struct kmd_adapter *adapter, struct kmd_fence *fence)
{
	if (fence->gpu_access)
		kmd_value_destroy(adapter, &fence->native.monitored);
	kmd_value_destroy(adapter, &fence->current_value);
}

static void kmd_fence_write_values(struct kmd_fence *fence, u64 initial_value)
{
	/* no engine has these addresses yet; for INTRA_GPU fences a queue stores the first value */
	if (!fence->is_native)
		kmd_monitored_fence_write(fence, initial_value);
	else if (fence->type == RF_NATIVE_FENCE_TYPE_DEFAULT)
		rf_value_write(kmd_value_address(&fence->current_value), initial_value);
	if (fence->gpu_access)
		rf_value_write(kmd_value_address(&fence->native.monitored),
			       fence->is_native ? RF_MONITORED_NONE : 0);
	rf_wmb();
}

static void kmd_fence_free(struct kmd_adapter *adapter, struct kmd_fence *fence)
{
	kmd_uncharge_user(adapter, fence->user, KMD_LIMIT_FENCES, 1);
	kmd_user_put(adapter, fence->user);
	rf_free(fence);
}

static struct kmd_fence *kmd_fence_alloc(struct kmd_file *file, u32 type, u32 flags,
					 u64 initial_value, int *error)
{
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_fence *fence;
	unsigned long lock_flags;
	int ret = -ENOMEM;

	fence = rf_alloc(sizeof(*fence));
	if (!fence)
		goto fail;
	ret = kmd_charge_user(file, KMD_LIMIT_FENCES, 1);
	if (ret) {
		rf_free(fence);
		goto fail;
	}
	fence->user = kmd_user_share(adapter, file->user);
	fence->is_native = type != DRM_RINGFENCE_FENCE_MONITORED;
	fence->gpu_access = !(flags & DRM_RINGFENCE_FENCE_NO_GPU_ACCESS);
	fence->keeps_value = flags & DRM_RINGFENCE_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR;
	fence->is_32bit = !fence->is_native && fence->gpu_access &&
			  (adapter->caps.scheduling_caps & RF_VIDSCH_NO_64_BIT_ATOMICS);
	fence->type = type == DRM_RINGFENCE_FENCE_INTRA_GPU ? RF_NATIVE_FENCE_TYPE_INTRA_GPU
							    : RF_NATIVE_FENCE_TYPE_DEFAULT;
	fence->share_token = flags & DRM_RINGFENCE_FENCE_SHARED ? rf_random() : 0;
	fence->native.fence = fence;
	fence->native.adapter = adapter;
	fence->native.monitored_value = RF_MONITORED_NONE;
	rf_list_init(&fence->shared_link);
	rf_list_init(&fence->native.link);
	rf_list_init(&fence->native.unarmed_link);
	rf_list_init(&fence->native.signaled_link);
	rf_list_init(&fence->native.walked.link);
	rf_list_init(&fence->native.watched.link);
	rf_list_init(&fence->reached_link);

	ret = kmd_fence_create_values(file, fence, flags);
	if (ret)
		goto free_fence;
	kmd_fence_write_values(fence, initial_value);
	if (fence->is_native)
		ret = kmd_fence_create_global(fence);
	if (ret)
		goto destroy_values;

	lock_flags = kmd_wait_lock(domain);
	rf_list_insert(&fence->native.link,
		       fence->is_native ? &adapter->fences : &adapter->monitored_fences);
	/* the walk under way does not visit it */
	kmd_walked_insert(&fence->native.walked, adapter->walk.round, &adapter->walk.all_fences);
	kmd_fence_update_watched(fence);
	if (fence->share_token)
		rf_list_insert(&fence->shared_link, &domain->shared);
	kmd_wait_unlock(domain, lock_flags);
	return fence;

destroy_values:
	kmd_fence_destroy_values(adapter, fence);
free_fence:
	kmd_fence_free(adapter, fence);
fail:
	*error = ret;
	return NULL;
}

static void kmd_fence_destroy(struct kmd_fence *fence)
{
	struct kmd_adapter *adapter = fence->native.adapter;
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	/* notes may name it until the miniport's destroy has returned */
	fence->native.dying = true;
	rf_list_remove(&fence->native.link);
	rf_list_remove(&fence->native.walked.link);
	rf_list_remove(&fence->native.watched.link);
	rf_list_remove(&fence->native.unarmed_link);
	rf_list_remove(&fence->reached_link);
	rf_list_remove(&fence->shared_link);
	kmd_wait_unlock(adapter->sync_domain, flags);

	if (fence->is_native)
		kmd_fence_destroy_global(fence);
	kmd_fence_destroy_values(adapter, fence);
	kmd_fence_free(adapter, fence);
}

void kmd_fence_put(struct kmd_fence *fence)
{
	rf_assert_held(&fence->native.adapter->mutex);
	if (!--fence->references)
		kmd_fence_destroy(fence);
}

static int kmd_local_fence_open_hw(struct kmd_local_fence *local)
{
	const struct kmd_fence *fence = local->fence;
	struct kmd_adapter *adapter = fence->native.adapter;
	struct drm_ringfence_fence_mapping mapping;
	struct rf_open_native_fence open = {
		.h_global_native_fence = fence->native.h_global,
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
	const struct kmd_fence *fence = local->fence;
	struct kmd_file *file = local->file;
	int ret;

	ret = kmd_mapping_get(file, fence->current_value.page,
			      kmd_fence_current_access(fence, local->flags),
			      &local->current_mapping);
	if (ret || !fence->gpu_access)
		return ret;
	ret = kmd_mapping_get(file, fence->native.monitored.page, KMD_ACCESS_GPU,
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
	rf_list_init(&local->waiters);
	ret = kmd_charge_file(file, KMD_LIMIT_FENCES, 1);
	if (ret)
		goto free_local;
	ret = kmd_local_fence_get_mappings(local);
	if (ret)
		goto uncharge;
	/* reserved: it can be found, and waited for, only when it is complete */
	ret = kmd_table_insert(&file->table, KMD_FENCE, NULL, &local->handle);
	if (ret)
		goto put_mappings;
	ret = fence->is_native ? kmd_local_fence_open_hw(local) : 0;
	if (ret)
		goto remove_handle;

	fence->references++;
	lock_flags = kmd_wait_lock(domain);
	rf_list_insert(&local->link, &file->local_fences);
	kmd_wait_unlock(domain, lock_flags);
	kmd_table_publish(&file->table, KMD_FENCE, local->handle, local);
	*result = local;
	return 0;

remove_handle:
	kmd_table_remove(&file->table, KMD_FENCE, local->handle);
put_mappings:
	kmd_local_fence_put_mappings(local);
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
	struct kmd_fence *fence = local->fence;
	struct kmd_adapter *adapter = fence->native.adapter;

	rf_assert_held(&local->file->adapter->mutex);
	if (fence->is_native)
		adapter->ddi->close_native_fence(adapter->h_adapter, &close);
	kmd_local_fence_put_mappings(local);
	kmd_uncharge_file(local->file, KMD_LIMIT_FENCES, 1);
	rf_free(local);
	kmd_fence_put(fence);
}

void kmd_local_fence_mapping(const struct kmd_local_fence *local,
			     struct drm_ringfence_fence_mapping *mapping)
{
	const struct kmd_fence *fence = local->fence;
	u32 offset = fence->current_value.offset;

	*mapping = (struct drm_ringfence_fence_mapping){
		.current_value_mmap_offset = local->current_mapping->mmap_offset,
	};
	if (mapping->current_value_mmap_offset)
		mapping->current_value_page_offset = offset;
	if (!fence->gpu_access)
		return;
	mapping->current_value_gpu_address = local->current_mapping->gpu_address + offset;
	mapping->monitored_value_gpu_address =
		local->monitored_mapping->gpu_address + fence->native.monitored.offset;
}

int kmd_fence_create(struct kmd_file *file, u32 type, u32 flags, u64 initial_value,
		     struct kmd_queue *queue, struct kmd_local_fence **local)
{
	struct kmd_fence *fence;
	int ret = 0;

	rf_assert_held(&file->adapter->mutex);
	fence = kmd_fence_alloc(file, type, flags, initial_value, &ret);
	if (!fence)
		return ret;
	ret = kmd_local_fence_create(file, fence, flags, queue, local);
	if (ret)
		kmd_fence_destroy(fence);
	return ret;
}

struct kmd_fence *kmd_fence_find_shared(struct kmd_adapter *adapter, u64 token)
{
	struct kmd_fence *fence, *found = NULL;
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	rf_assert_held(&adapter->mutex);
	rf_list_for_each(fence, &adapter->sync_domain->shared, shared_link)
		if (fence->share_token == token && fence->native.adapter == adapter)
			found = fence;
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
