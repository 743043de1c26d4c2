// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: capabilities of adapter and nodes. Locking: the adapter's mutex. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/link.h"
#include "base/sync_domain.h"
#include "entry/requests.h"
#include "fences/storage.h"
#include "recovery/device_power.h"
#include "scheduling/node.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "ringfence_drm.h"
#include "ringfence_hw.h"

static bool kmd_query_is_local_storage(struct kmd_file *file, enum rf_native_fence_type type,
				       enum rf_fence_storage_value_type value)
{
	return kmd_fence_storage(file->adapter, type, value) == RF_MEM_LOCAL;
}

static void kmd_query_fill_adapter(struct kmd_file *file, struct drm_ringfence_adapter_info *info)
{
	const struct kmd_adapter *adapter = file->adapter;
	unsigned long flags;

	info->fence_value_stride = adapter->value_stride;
	if (adapter->caps.scheduling_caps & RF_VIDSCH_NO_64_BIT_ATOMICS)
		info->flags |= DRM_RINGFENCE_ADAPTER_NO_64_BIT_ATOMICS;
	if (adapter->native_fence) {
		info->flags |= DRM_RINGFENCE_ADAPTER_NATIVE_FENCE;
		if (kmd_query_is_local_storage(file, RF_NATIVE_FENCE_TYPE_DEFAULT,
					       RF_FENCE_STORAGE_MONITORED_VALUE))
			info->flags |= DRM_RINGFENCE_ADAPTER_OPTIMIZED_FENCE;
		if (adapter->features.intra_gpu_fence)
			info->flags |= DRM_RINGFENCE_ADAPTER_INTRA_GPU_FENCE;
	}
	if (adapter->user_mode_submission) {
		info->flags |= DRM_RINGFENCE_ADAPTER_USER_MODE_SUBMISSION;
		info->doorbell_bytes = adapter->submission_caps.doorbell_size_in_bytes;
		info->doorbell_count = adapter->submission_caps.doorbell_count;
		info->ring_entries_max = RF_RING_ENTRIES_MAX;
	}
	info->node_count = adapter->caps.node_count;
	info->local_memory_bytes = adapter->caps.local_memory_bytes;
	info->timestamp_frequency = adapter->caps.timestamp_frequency;
	info->graphics_preemption = adapter->caps.preemption_caps.graphics_preemption_granularity;
	info->compute_preemption = adapter->caps.preemption_caps.compute_preemption_granularity;
	flags = kmd_wait_lock(adapter->sync_domain);
	info->physical_adapters = kmd_adapter_linked(adapter) ? 2 : 1;
	kmd_wait_unlock(adapter->sync_domain, flags);
}

int kmd_request_query(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_query *request = call->arguments;
	struct kmd_adapter *adapter = file->adapter;
	u32 flags = 0;
	int ret;

	if (request->pad || (request->type == DRM_RINGFENCE_QUERY_ADAPTER && request->index))
		return -EINVAL;
	ret = kmd_request_lock(adapter);
	if (ret)
		return ret;
	switch (request->type) {
	case DRM_RINGFENCE_QUERY_ADAPTER:
		call->answer.adapter = (struct drm_ringfence_adapter_info){ 0 };
		call->answer_bytes = sizeof(call->answer.adapter);
		kmd_query_fill_adapter(file, &call->answer.adapter);
		break;
	case DRM_RINGFENCE_QUERY_NODE:
		call->answer.node = (struct drm_ringfence_node_info){ 0 };
		call->answer_bytes = sizeof(call->answer.node);
		ret = kmd_node_flags(adapter, request->index, &flags);
		if (adapter->user_mode_submission && (flags & RF_NODE_USER_MODE_SUBMISSION))
			call->answer.node.flags |= DRM_RINGFENCE_NODE_USER_MODE_SUBMISSION;
		if (flags & RF_NODE_NO_ENGINE)
			call->answer.node.flags |= DRM_RINGFENCE_NODE_NO_ENGINE;
		break;
	default:
		ret = -EINVAL;
		break;
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}
