// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Requests: fences, by handle, by token, and as shares that an object of the shell holds.
 *
 * Locking: the adapter's mutex.
 */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "entry/requests.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "fences/opening.h"
#include "recovery/device_power.h"
#include "waits/close.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "ringfence_drm.h"

#define KEEPS_VALUE DRM_RINGFENCE_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR
#define NO_ACCESS (DRM_RINGFENCE_FENCE_NO_SIGNAL | DRM_RINGFENCE_FENCE_NO_WAIT)

static int kmd_request_check_fence(const struct kmd_adapter *adapter,
				   const struct drm_ringfence_fence_create *request)
{
	static const u32 known[] = {
		[DRM_RINGFENCE_FENCE_DEFAULT] = DRM_RINGFENCE_FENCE_SHARED |
						DRM_RINGFENCE_FENCE_MONITORED_SYSTEM | NO_ACCESS |
						KEEPS_VALUE | DRM_RINGFENCE_FENCE_CROSS_ADAPTER,
		[DRM_RINGFENCE_FENCE_INTRA_GPU] = DRM_RINGFENCE_FENCE_SHARED | KEEPS_VALUE,
		[DRM_RINGFENCE_FENCE_MONITORED] = DRM_RINGFENCE_FENCE_SHARED | NO_ACCESS |
						  DRM_RINGFENCE_FENCE_NO_GPU_ACCESS | KEEPS_VALUE |
						  DRM_RINGFENCE_FENCE_CROSS_ADAPTER,
	};

	if (request->pad || request->type >= ARRAY_SIZE(known) ||
	    (request->flags & ~known[rf_index_nospec(request->type, ARRAY_SIZE(known))]) ||
	    (request->flags & NO_ACCESS) == NO_ACCESS)
		return -EINVAL;
	if (request->type == DRM_RINGFENCE_FENCE_INTRA_GPU && request->initial_value)
		return -EINVAL;
	if (request->type != DRM_RINGFENCE_FENCE_MONITORED && !adapter->native_fence)
		return -EOPNOTSUPP;
	if (request->type == DRM_RINGFENCE_FENCE_INTRA_GPU && !adapter->features.intra_gpu_fence)
		return -EOPNOTSUPP;
	return 0;
}

int kmd_request_fence_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_fence_create *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_local_fence *local;
	int ret;

	ret = kmd_request_check_fence(adapter, request);
	if (ret)
		return ret;
	ret = kmd_request_lock_awake(adapter);
	if (ret)
		return ret;
	ret = kmd_fence_create(file, request->type, request->flags, request->initial_value, NULL,
			       &local);
	if (!ret) {
		request->handle = local->handle;
		request->share_token = local->fence->share_token;
		kmd_local_fence_mapping(local, &request->mapping);
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

/* mutex held */
static int kmd_fence_open_shared(struct kmd_file *file, struct kmd_fence *fence, u32 flags,
				 u32 *handle, u32 *type,
				 struct drm_ringfence_fence_mapping *mapping)
{
	struct kmd_local_fence *local;
	int ret;

	rf_assert_held(&file->adapter->mutex);
	/*
	 * INTRA_GPU fences are never signalled or waited for by a CPU, so there is nothing to
	 * restrict
	 */
	if (flags == NO_ACCESS || (fence->type == RF_NATIVE_FENCE_TYPE_INTRA_GPU && flags))
		return -EINVAL;
	ret = kmd_local_fence_create(file, fence, flags, NULL, &local);
	if (ret)
		return ret;
	*handle = local->handle;
	*type = kmd_local_fence_type(local);
	kmd_local_fence_mapping(local, mapping);
	return 0;
}

int kmd_request_fence_open(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_fence_open *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_fence *fence;
	int ret;

	if ((request->flags & ~NO_ACCESS) || request->flags == NO_ACCESS || request->pad)
		return -EINVAL;
	ret = kmd_request_lock_awake(adapter);
	if (ret)
		return ret;
	ret = -ENOENT;
	fence = kmd_fence_find_shared(adapter, request->share_token);
	if (fence)
		ret = kmd_fence_open_shared(file, fence, request->flags, &request->handle,
					    &request->type, &request->mapping);
	if (fence)
		kmd_fence_drop(fence);
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

int kmd_request_fence_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_fence_destroy *request = arguments;
	struct kmd_local_fence *local;
	int ret;

	if (request->pad)
		return -EINVAL;
	ret = kmd_request_lock_destroy(file->adapter);
	if (ret)
		return ret;
	local = kmd_table_find(&file->table, KMD_FENCE, request->handle);
	if (!local)
		ret = -ENOENT;
	else if (local->queue)
		ret = -EBUSY;
	else
		kmd_local_fence_close(local);
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

int kmd_fence_share(struct kmd_file *file, u32 handle, u32 *flags, struct kmd_opening **share)
{
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_local_fence *local;
	int ret;

	if (*flags & ~NO_ACCESS)
		return -EINVAL;
	ret = kmd_request_lock_awake(adapter);
	if (ret)
		return ret;
	local = kmd_table_find(&file->table, KMD_FENCE, handle);
	if (!local)
		ret = -ENOENT;
	else if (!local->fence->share_token || (*flags | local->flags) == NO_ACCESS)
		ret = -EINVAL;
	if (!ret) {
		*flags |= local->flags;
		*share = local->opening;
		local->opening->references++;
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

int kmd_fence_hold_share(const struct kmd_file *file, const struct kmd_opening *share,
			 struct kmd_fence **fence)
{
	const struct kmd_adapter *adapter = file->adapter;
	unsigned long flags;

	if (share->fence->domain != adapter->sync_domain ||
	    (share->adapter != adapter && !share->fence->cross_adapter))
		return -EINVAL;
	*fence = share->fence;
	flags = kmd_wait_lock(adapter->sync_domain);
	(*fence)->references++;
	kmd_wait_unlock(adapter->sync_domain, flags);
	return 0;
}

void kmd_fence_end_hold(struct kmd_fence *fence)
{
	kmd_fence_drop(fence);
}

int kmd_fence_open_held(struct kmd_file *file, struct kmd_fence *fence, u32 flags, u32 *handle,
			u32 *type, struct drm_ringfence_fence_mapping *mapping)
{
	struct kmd_adapter *adapter = file->adapter;
	int ret;

	if (flags & ~NO_ACCESS)
		return -EINVAL;
	ret = kmd_request_lock_awake(adapter);
	if (ret)
		return ret;
	ret = kmd_fence_open_shared(file, fence, flags, handle, type, mapping);
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

void kmd_fence_end_share(struct kmd_opening *share)
{
	struct kmd_adapter *adapter = share->adapter;

	kmd_adapter_lock_awake(adapter);
	kmd_opening_put(share);
	rf_mutex_unlock(&adapter->mutex);
}
