// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The capabilities of the miniport, and the rules for them (S0-45..S0-48, S0-60, C7). PASSIVE. */
#include "entry/caps.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/sync_domain.h"
#include "fences/storage.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "ringfence_drm.h"

#define NATIVE_FENCE_VERSION 1
#define USER_MODE_SUBMISSION_VERSION 1

int kmd_is_feature_enabled(void *h_core, enum rf_feature_id feature,
			   struct rf_feature_result *result)
{
	struct kmd_adapter *adapter = h_core;

	result->enabled = false;
	result->version = 0;
	switch (feature) {
	case RF_FEATURE_NATIVE_FENCE:
		adapter->asked_native_fence = true;
		result->enabled = adapter->features.native_fence;
		result->version = result->enabled ? NATIVE_FENCE_VERSION : 0;
		return 0;
	case RF_FEATURE_USER_MODE_SUBMISSION:
		result->enabled = adapter->features.user_mode_submission;
		result->version = result->enabled ? USER_MODE_SUBMISSION_VERSION : 0;
		return 0;
	case RF_FEATURE_HWSCH:
	case RF_FEATURE_HWFLIPQUEUE:
		return 0;
	}
	return -EINVAL;
}

static int kmd_get_os_caps(void *h_core, struct rf_feature_native_fence_caps_1 *caps)
{
	const struct kmd_adapter *adapter = h_core;

	caps->support_optimized_default_fence_type = adapter->features.optimized_default_fence;
	caps->support_intra_gpu_fence_type = adapter->features.intra_gpu_fence;
	return 0;
}

int kmd_query_feature_interface(void *h_core, enum rf_feature_id feature, u16 version, void *table,
				size_t bytes)
{
	static const struct rf_feature_native_fence_1 native_fence = { .get_os_caps =
									       kmd_get_os_caps };
	const struct kmd_adapter *adapter = h_core;

	if (feature != RF_FEATURE_NATIVE_FENCE || !adapter->features.native_fence ||
	    version != NATIVE_FENCE_VERSION || bytes != sizeof(native_fence))
		return -EINVAL;
	memcpy(table, &native_fence, sizeof(native_fence));
	return 0;
}

static int kmd_caps_query(struct kmd_adapter *adapter, enum rf_query_type type, void *output,
			  size_t size)
{
	const struct rf_query_adapter_info arguments = {
		.type = type,
		.output = output,
		.output_size = size,
	};

	return adapter->ddi->query_adapter_info(adapter->h_adapter, &arguments);
}

static int kmd_caps_refuse(struct kmd_adapter *adapter, const char *reason)
{
	rf_log_error(adapter->bus->os, "adapter refused: %s", reason);
	return -EINVAL;
}

static bool kmd_caps_has_peer_ddi(const struct kmd_adapter *adapter)
{
	const struct rf_ddi *ddi = adapter->ddi;

	return adapter->caps.peer_targets <= RF_PEER_TARGETS_MAX &&
	       (adapter->caps.scheduling_caps & RF_VIDSCH_NATIVE_GPU_FENCE) &&
	       ddi->set_peer_region && ddi->connect_peer && ddi->disconnect_peer &&
	       ddi->set_peer_fence;
}

static int kmd_caps_check_scheduling(struct kmd_adapter *adapter)
{
	u32 caps = adapter->caps.scheduling_caps;
	bool native = caps & RF_VIDSCH_NATIVE_GPU_FENCE;

	if ((caps & RF_VIDSCH_PREEMPTION_AWARE) && !(caps & RF_VIDSCH_MULTI_ENGINE_AWARE))
		return kmd_caps_refuse(adapter, "PreemptionAware without MultiEngineAware");
	if ((caps & RF_VIDSCH_NO_DMA_PATCHING) &&
	    (~caps & (RF_VIDSCH_PREEMPTION_AWARE | RF_VIDSCH_MULTI_ENGINE_AWARE)))
		return kmd_caps_refuse(adapter,
				       "NoDmaPatching without PreemptionAware, MultiEngineAware");
	if ((caps & RF_VIDSCH_CANCEL_COMMAND_AWARE) && !(caps & RF_VIDSCH_MULTI_ENGINE_AWARE))
		return kmd_caps_refuse(adapter, "CancelCommandAware without MultiEngineAware");
	if (adapter->caps.peer_targets && !kmd_caps_has_peer_ddi(adapter))
		return kmd_caps_refuse(adapter, "peer_targets, but too many, or functions for them "
						"or native fences are missing");
	if ((caps & RF_VIDSCH_PREEMPTION_AWARE) && !adapter->ddi->preempt_command)
		return kmd_caps_refuse(adapter, "PreemptionAware, but preempt_command is missing");
	if (!(caps & RF_VIDSCH_NO_DMA_PATCHING) && !adapter->ddi->patch)
		return kmd_caps_refuse(adapter, "no NoDmaPatching, but patch is missing");
	if (native && !adapter->features.native_fence)
		return kmd_caps_refuse(adapter, "NativeGpuFence, but the feature is not enabled");
	if (native && !adapter->asked_native_fence)
		return kmd_caps_refuse(adapter,
				       "NativeGpuFence, but the feature was not asked for");
	if (native && (caps & RF_VIDSCH_NO_64_BIT_ATOMICS))
		return kmd_caps_refuse(adapter, "NativeGpuFence with No64BitAtomics");
	return 0;
}

static bool kmd_caps_has_native_fence_ddi(const struct rf_ddi *ddi)
{
	return ddi->create_native_fence && ddi->open_native_fence && ddi->close_native_fence &&
	       ddi->destroy_native_fence && ddi->update_monitored_values &&
	       ddi->update_current_values_from_cpu && ddi->set_native_fence_log_buffer &&
	       ddi->update_native_fence_logs;
}

static int kmd_caps_query_native_fence(struct kmd_adapter *adapter)
{
	u32 stride;
	int ret;

	if (!kmd_caps_has_native_fence_ddi(adapter->ddi))
		return kmd_caps_refuse(adapter,
				       "NativeGpuFence, but native-fence functions are missing");
	ret = kmd_caps_query(adapter, RF_QUERY_NATIVE_FENCE_CAPS, &adapter->native_caps,
			     sizeof(adapter->native_caps));
	if (ret)
		return ret;
	stride = adapter->native_caps.monitored_value_stride;
	if (stride < KMD_VALUE_BYTES_MIN || stride > KMD_PAGE_BYTES || (stride & (stride - 1)))
		return kmd_caps_refuse(adapter,
				       "MonitoredValueStride is no power of two in 8 .. 4096");
	adapter->native_fence = true;
	adapter->value_stride = stride;
	adapter->optimized_interrupt =
		adapter->caps.scheduling_caps & RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	return 0;
}

int kmd_caps_read(struct kmd_adapter *adapter)
{
	int ret;

	ret = kmd_caps_query(adapter, RF_QUERY_DRIVER_CAPS, &adapter->caps, sizeof(adapter->caps));
	if (ret)
		return ret;
	ret = kmd_caps_check_scheduling(adapter);
	if (ret)
		return ret;
	if (!adapter->caps.hw_queue_slots || adapter->caps.hw_queue_slots > KMD_SLOTS_MAX ||
	    adapter->caps.node_count > KMD_NODES_MAX)
		return kmd_caps_refuse(adapter,
				       "no slots for queues, or too many, or too many nodes");
	kmd_limits_init(&adapter->limits, adapter->caps.local_memory_bytes);
	adapter->value_stride = KMD_VALUE_STRIDE;
	adapter->packet_cap =
		(adapter->caps.scheduling_caps & RF_VIDSCH_HW_QUEUE_PACKET_CAP_MASK) >>
		RF_VIDSCH_HW_QUEUE_PACKET_CAP_SHIFT;
	if (!adapter->packet_cap)
		adapter->packet_cap = RF_PACKET_CAP_DEFAULT;
	if (adapter->caps.scheduling_caps & RF_VIDSCH_NATIVE_GPU_FENCE) {
		ret = kmd_caps_query_native_fence(adapter);
		if (ret)
			return ret;
	}
	/* the progress fence of a user-mode queue is a native fence */
	if (adapter->features.user_mode_submission && adapter->native_fence) {
		ret = kmd_caps_query(adapter, RF_QUERY_USER_MODE_SUBMISSION_CAPS,
				     &adapter->submission_caps, sizeof(adapter->submission_caps));
		if (ret)
			return ret;
		adapter->user_mode_submission = true;
	}
	return 0;
}
