// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Life of native fences (S0-54..S0-59): create is followed by open, another
 * process only opens, the last close is followed by destroy. Interrupts name a
 * fence by the core's global handle, the miniport's calls by the miniport's (C18).
 *
 * Locking: the adapter's mutex for all of life; lists that the deferred part of the
 * interrupt walks, under wait_lock as well. A global handle is live until the
 * miniport's destroy returned: an interrupt on its way may name it until then.
 */
#include "core.h"

/* --- the fence ---------------------------------------------------------------------- */

static int global_create(struct kmd_fence *fence)
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

static void global_destroy(struct kmd_fence *fence)
{
	const struct rf_destroy_native_fence destroy = {
		.h_global_native_fence = fence->native.h_global,
	};
	struct kmd_adapter *adapter = fence->native.adapter;
	unsigned long wait_flags, flags;

	adapter->ddi->destroy_native_fence(adapter->h_adapter, &destroy);
	/* under wait_lock: the deferred part may have taken the note of this fence */
	wait_flags = rf_spin_lock(&adapter->domain->wait_lock);
	flags = rf_spin_lock(&adapter->device_lock);
	kmd_table_remove(&adapter->globals, KMD_FENCE, fence->native.handle);
	rf_list_remove(&fence->native.signaled_link);
	rf_spin_unlock(&adapter->device_lock, flags);
	rf_spin_unlock(&adapter->domain->wait_lock, wait_flags);
}

static struct kmd_fence *fence_create(struct kmd_file *file, enum rf_native_fence_type type,
				      u32 flags, u64 initial_value, int *error)
{
	bool shared = flags & DRM_RINGFENCE_FENCE_SHARED;
	bool system = shared || (flags & DRM_RINGFENCE_FENCE_MONITORED_SYSTEM);
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_domain *domain = adapter->domain;
	struct kmd_fence *fence;
	unsigned long lock_flags;
	int ret = -ENOMEM;

	fence = rf_alloc(sizeof(*fence));
	if (!fence)
		goto fail;
	fence->type = type;
	fence->share_token = shared ? rf_random() : 0;
	fence->native.fence = fence;
	fence->native.adapter = adapter;
	fence->native.monitored_value = RF_MONITORED_NONE;
	rf_list_init(&fence->shared_link);
	rf_list_init(&fence->native.link);
	rf_list_init(&fence->native.unarmed_link);
	rf_list_init(&fence->native.signaled_link);

	/* what is shared lies in system memory always */
	ret = kmd_value_create(
		file, type, RF_FENCE_STORAGE_CURRENT_VALUE,
		shared ? RF_MEM_SYSTEM
		       : kmd_fence_storage(adapter, type, RF_FENCE_STORAGE_CURRENT_VALUE),
		shared, &fence->current_value);
	if (ret)
		goto free_fence;
	ret = kmd_value_create(
		file, type, RF_FENCE_STORAGE_MONITORED_VALUE,
		system ? RF_MEM_SYSTEM
		       : kmd_fence_storage(adapter, type, RF_FENCE_STORAGE_MONITORED_VALUE),
		shared, &fence->native.monitored);
	if (ret)
		goto destroy_current;
	/* no engine knows these addresses yet; a queue gives INTRA_GPU its first value */
	if (type == RF_NATIVE_FENCE_TYPE_DEFAULT)
		rf_value_write(kmd_value_address(&fence->current_value), initial_value);
	rf_value_write(kmd_value_address(&fence->native.monitored), RF_MONITORED_NONE);
	rf_wmb();
	ret = global_create(fence);
	if (ret)
		goto destroy_monitored;

	lock_flags = rf_spin_lock(&domain->wait_lock);
	rf_list_insert(&fence->native.link, &adapter->fences);
	if (shared)
		rf_list_insert(&fence->shared_link, &domain->shared);
	rf_spin_unlock(&domain->wait_lock, lock_flags);
	return fence;

destroy_monitored:
	kmd_value_destroy(adapter, &fence->native.monitored);
destroy_current:
	kmd_value_destroy(adapter, &fence->current_value);
free_fence:
	rf_free(fence);
fail:
	*error = ret;
	return NULL;
}

static void fence_destroy(struct kmd_fence *fence)
{
	struct kmd_adapter *adapter = fence->native.adapter;
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);

	rf_list_remove(&fence->native.link);
	rf_list_remove(&fence->shared_link);
	rf_spin_unlock(&adapter->domain->wait_lock, flags);

	global_destroy(fence);
	kmd_value_destroy(adapter, &fence->native.monitored);
	kmd_value_destroy(adapter, &fence->current_value);
	rf_free(fence);
}

/* --- instances ------------------------------------------------------------------------ */

static int local_open(struct kmd_instance *instance)
{
	const struct kmd_fence *fence = instance->fence;
	struct kmd_adapter *adapter = fence->native.adapter;
	struct drm_ringfence_fence_mapping mapping;
	struct rf_open_native_fence open = {
		.h_global_native_fence = fence->native.h_global,
		.h_local_native_fence = (void *)(uintptr_t)instance->handle,
		.h_process = instance->file->h_process,
	};
	int ret;

	kmd_instance_mapping(instance, &mapping);
	open.current_value_gpu_va = mapping.current_value_gpu_address;
	open.monitored_value_gpu_va = mapping.monitored_value_gpu_address;
	ret = adapter->ddi->open_native_fence(adapter->h_adapter, &open);
	if (!ret)
		instance->h_local = open.h_local_native_fence;
	return ret;
}

/* The handle is stale already, so that no wait begins after this. */
static void instance_cancel(struct kmd_instance *instance)
{
	struct kmd_domain *domain = instance->file->adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);

	rf_list_remove(&instance->link);
	kmd_waits_cancel_instance(instance, -ECANCELED);
	kmd_domain_settle(domain);
	rf_spin_unlock(&domain->wait_lock, flags);
}

static int instance_create(struct kmd_file *file, struct kmd_fence *fence,
			   struct kmd_instance **result)
{
	struct kmd_domain *domain = file->adapter->domain;
	struct kmd_instance *instance;
	unsigned long flags;
	int ret;

	instance = rf_alloc(sizeof(*instance));
	if (!instance)
		return -ENOMEM;
	instance->file = file;
	instance->fence = fence;
	rf_list_init(&instance->link);
	rf_list_init(&instance->waiters);
	ret = kmd_mapping_get(file, fence->current_value.page, &instance->current_mapping);
	if (ret)
		goto free_instance;
	ret = kmd_mapping_get(file, fence->native.monitored.page, &instance->monitored_mapping);
	if (ret)
		goto put_current;
	ret = kmd_table_insert(&file->table, KMD_FENCE, instance, &instance->handle);
	if (ret)
		goto put_monitored;
	ret = local_open(instance);
	if (ret)
		goto remove_handle;

	fence->instances++;
	flags = rf_spin_lock(&domain->wait_lock);
	rf_list_insert(&instance->link, &file->instances);
	rf_spin_unlock(&domain->wait_lock, flags);
	*result = instance;
	return 0;

remove_handle:
	kmd_table_remove(&file->table, KMD_FENCE, instance->handle);
	instance_cancel(instance); /* a thread that guessed the handle */
put_monitored:
	kmd_mapping_put(file, instance->monitored_mapping);
put_current:
	kmd_mapping_put(file, instance->current_mapping);
free_instance:
	rf_free(instance);
	return ret;
}

void kmd_instance_destroy(struct kmd_instance *instance)
{
	const struct rf_close_native_fence close = {
		.h_local_native_fence = instance->h_local,
	};
	struct kmd_fence *fence = instance->fence;
	struct kmd_adapter *adapter = fence->native.adapter;
	struct kmd_file *file = instance->file;

	kmd_table_remove(&file->table, KMD_FENCE, instance->handle);
	instance_cancel(instance);
	adapter->ddi->close_native_fence(adapter->h_adapter, &close);
	kmd_mapping_put(file, instance->monitored_mapping);
	kmd_mapping_put(file, instance->current_mapping);
	rf_free(instance);
	if (!--fence->instances)
		fence_destroy(fence);
}

void kmd_instance_mapping(const struct kmd_instance *instance,
			  struct drm_ringfence_fence_mapping *mapping)
{
	const struct kmd_fence *fence = instance->fence;
	u32 offset = fence->current_value.offset;

	mapping->current_value_mmap_offset = instance->current_mapping->mmap_offset;
	mapping->current_value_page_offset = mapping->current_value_mmap_offset ? offset : 0;
	mapping->current_value_gpu_address = instance->current_mapping->gpu_address + offset;
	mapping->monitored_value_gpu_address =
		instance->monitored_mapping->gpu_address + fence->native.monitored.offset;
}

int kmd_fence_create(struct kmd_file *file, enum rf_native_fence_type type, u32 flags,
		     u64 initial_value, struct kmd_instance **instance)
{
	struct kmd_fence *fence;
	int ret = 0;

	fence = fence_create(file, type, flags, initial_value, &ret);
	if (!fence)
		return ret;
	ret = instance_create(file, fence, instance);
	if (ret)
		fence_destroy(fence);
	return ret;
}

/* --- requests --------------------------------------------------------------------------- */

int kmd_request_fence_create(struct kmd_file *file, void *arguments)
{
	const u32 known = DRM_RINGFENCE_FENCE_SHARED | DRM_RINGFENCE_FENCE_MONITORED_SYSTEM;
	struct drm_ringfence_fence_create *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_instance *instance;
	int ret;

	if (request->pad || (request->flags & ~known))
		return -EINVAL;
	if (!adapter->native_fence)
		return -EOPNOTSUPP;
	switch (request->type) {
	case DRM_RINGFENCE_FENCE_DEFAULT:
		break;
	case DRM_RINGFENCE_FENCE_INTRA_GPU:
		if (request->initial_value ||
		    (request->flags & DRM_RINGFENCE_FENCE_MONITORED_SYSTEM))
			return -EINVAL;
		if (!adapter->features.intra_gpu_fence)
			return -EOPNOTSUPP;
		break;
	default:
		return -EINVAL;
	}

	rf_mutex_lock(&adapter->mutex);
	ret = kmd_fence_create(file, (enum rf_native_fence_type)request->type, request->flags,
			       request->initial_value, &instance);
	if (!ret) {
		request->handle = instance->handle;
		request->share_token = instance->fence->share_token;
		kmd_instance_mapping(instance, &request->mapping);
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

static struct kmd_fence *find_shared(struct kmd_adapter *adapter, u64 token)
{
	struct kmd_fence *fence, *found = NULL;
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);

	rf_list_for_each(fence, &adapter->domain->shared, shared_link)
		if (fence->share_token == token && fence->native.adapter == adapter)
			found = fence;
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
	return found;
}

int kmd_request_fence_open(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_fence_open *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_instance *instance;
	struct kmd_fence *fence;
	int ret = -ENOENT;

	if (request->flags || request->pad)
		return -EINVAL;
	rf_mutex_lock(&adapter->mutex);
	fence = find_shared(adapter, request->share_token);
	if (fence)
		ret = instance_create(file, fence, &instance);
	if (!ret) {
		request->handle = instance->handle;
		request->type = fence->type;
		kmd_instance_mapping(instance, &request->mapping);
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

int kmd_request_fence_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_fence_destroy *request = arguments;
	struct kmd_instance *instance;
	int ret = 0;

	if (request->pad)
		return -EINVAL;
	rf_mutex_lock(&file->adapter->mutex);
	instance = kmd_table_find(&file->table, KMD_FENCE, request->handle);
	if (!instance)
		ret = -ENOENT;
	else if (instance->queue)
		ret = -EBUSY;
	else
		kmd_instance_destroy(instance);
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}
