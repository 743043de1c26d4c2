// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Capabilities: see rf_caps.h. */
#include "rf_caps.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_packet_queue.h"
#include "rf_peer.h"
#include "rf_space.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Devices that execute the same packets may be linked with each other: any numbers but 0. */
#define RF_CHAIN_UID 1u
#define RF_CHAIN_UID_NO_VECTOR 2u

/* S0-45: the driver queries the feature before it advertises it. */
int rf_caps_query_features(struct rf_hw *hw)
{
	const struct rf_dxgk_callbacks *callbacks = hw->callbacks;
	struct rf_feature_native_fence_caps_1 os_caps;
	struct rf_feature_native_fence_1 table;
	struct rf_feature_result result;
	int error;

	if (hw->configuration.scheduling_caps & RF_VIDSCH_NO_64_BIT_ATOMICS)
		return 0; /* native fences have 64 bits (C7) */
	error = callbacks->is_feature_enabled(hw->h_core, RF_FEATURE_NATIVE_FENCE, &result);
	if (error)
		return error;
	if (!result.enabled || result.version != 1)
		return 0;
	error = callbacks->query_feature_interface(hw->h_core, RF_FEATURE_NATIVE_FENCE,
						   result.version, &table, sizeof(table));
	if (error)
		return error;
	error = table.get_os_caps(hw->h_core, &os_caps);
	if (error)
		return error;
	hw->native_fence = true;
	return 0;
}

static void rf_query_driver_caps(const struct rf_hw *hw, struct rf_driver_caps *caps)
{
	*caps = (struct rf_driver_caps){
		.scheduling_caps = RF_VIDSCH_MULTI_ENGINE_AWARE |
				   hw->configuration.scheduling_caps |
				   RF_PACKET_CAP << RF_VIDSCH_HW_QUEUE_PACKET_CAP_SHIFT,
		/* No engine draws. The engines stop between chunks of an operation: a chunk is to
		 * COPY, FILL and VECTOR what a thread group is to a dispatch. */
		.preemption_caps = { RF_GRAPHICS_PREEMPTION_NONE,
				     RF_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY },
		.support_per_engine_tdr = true,
		.node_count = hw->node_count,
		.paging_node = RF_NODE_PAGING,
		.process_count = RF_PROCESSES_MAX,
		.hw_queue_slots = hw->slot_count,
		.packet_node_slots = 1,
		.local_memory_bytes = hw->local_memory_bytes,
		.timestamp_frequency = hw->timestamp_hz,
	};
	if (caps->scheduling_caps & RF_VIDSCH_NO_DMA_PATCHING)
		caps->chain_uid = hw->vector_engine ? RF_CHAIN_UID : RF_CHAIN_UID_NO_VECTOR;
	if (hw->native_fence)
		caps->scheduling_caps |= RF_VIDSCH_NATIVE_GPU_FENCE;
	if (hw->native_fence && rf_peers_are_supported(hw)) {
		caps->peer_targets = RF_PEER_TARGETS;
		caps->peer_page = RF_DOORBELL_BASE + ((u64)RF_PEER_PAGE << RF_PAGE_SHIFT);
	}
	if (hw->native_fence && hw->configuration.optimized)
		caps->scheduling_caps |= RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
}

/*
 * MonitoredValue of an optimised DEFAULT fence lies in local memory, next to the
 * comparator, if the update port exists. CurrentValue of INTRA_GPU fences is
 * local as well: no CPU ever reads it.
 */
static void rf_query_fence_storage(const struct rf_hw *hw, struct rf_fence_storage *storage)
{
	bool local;

	if (storage->fence_storage_value_type == RF_FENCE_STORAGE_MONITORED_VALUE)
		local = hw->monitored_shadow;
	else
		local = storage->fence_storage_type == RF_NATIVE_FENCE_TYPE_INTRA_GPU;

	storage->supported_segment_set = 1u << RF_MEM_SYSTEM;
	if (local)
		storage->supported_segment_set |= 1u << RF_MEM_LOCAL;
	storage->preferred_segment = local ? RF_MEM_LOCAL : RF_MEM_SYSTEM;
}

static u32 rf_node_flags(const struct rf_hw *hw, u32 node)
{
	u32 flags = 0;

	if (node != RF_NODE_PAGING)
		flags |= RF_NODE_USER_MODE_SUBMISSION;
	if (node == RF_NODE_COMPUTE && !hw->vector_engine)
		flags |= RF_NODE_NO_ENGINE;
	return flags;
}

int rf_query_adapter_info(void *h_adapter, const struct rf_query_adapter_info *arguments)
{
	static const size_t size[] = {
		[RF_QUERY_DRIVER_CAPS] = sizeof(struct rf_driver_caps),
		[RF_QUERY_NATIVE_FENCE_CAPS] = sizeof(struct rf_native_fence_caps),
		[RF_QUERY_USER_MODE_SUBMISSION_CAPS] = sizeof(struct rf_user_mode_submission_caps),
	};
	struct rf_hw *hw = h_adapter;
	struct rf_node_metadata *node = arguments->output;

	if ((size_t)arguments->type < ARRAY_SIZE(size) &&
	    arguments->output_size != size[arguments->type])
		return -EINVAL;

	switch (arguments->type) {
	case RF_QUERY_DRIVER_CAPS:
		rf_query_driver_caps(hw, arguments->output);
		return 0;
	case RF_QUERY_NATIVE_FENCE_CAPS:
		*(struct rf_native_fence_caps *)arguments->output = (struct rf_native_fence_caps){
			.monitored_value_stride = 64,
			.map_to_gpu_system_process = true,
		};
		return 0;
	case RF_QUERY_USER_MODE_SUBMISSION_CAPS:
		*(struct rf_user_mode_submission_caps *)arguments->output =
			(struct rf_user_mode_submission_caps){
				.doorbell_size_in_bytes = RF_DOORBELL_BYTES,
				.doorbell_count = hw->doorbell_count,
			};
		return 0;
	case RF_QUERY_NODE_METADATA:
		if (arguments->output_size != sizeof(*node) || node->node_ordinal >= hw->node_count)
			return -EINVAL;
		node->flags = rf_node_flags(hw, node->node_ordinal);
		return 0;
	case RF_QUERY_FENCE_STORAGE:
		if (arguments->output_size != sizeof(struct rf_fence_storage))
			return -EINVAL;
		rf_query_fence_storage(hw, arguments->output);
		return 0;
	}
	return -EINVAL;
}
