// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Bringing the device up and saying what it can do. Register blocks are found by
 * walking their chain, so one driver serves every configuration; a block of a
 * newer version than this driver knows is refused.
 */
#include "rf_miniport.h"

void rf_device_flush(struct rf_miniport *miniport)
{
	rf_register_read(miniport, RF_REGISTER(miniport, DEVICE, LIVENESS));
	rf_rmb();
}

int rf_check_alive(struct rf_miniport *miniport)
{
	u64 offset = RF_REGISTER(miniport, DEVICE, LIVENESS);
	u64 first = rf_register_read(miniport, offset);
	u64 second = rf_register_read(miniport, offset);

	if (first == U64_MAX || second == U64_MAX || first == second) {
		rf_log_error(miniport->bus->os,
			     "the device does not answer (liveness 0x%llx, 0x%llx)",
			     (unsigned long long)first, (unsigned long long)second);
		return -EIO;
	}
	return 0;
}

/* What the registers of any block take, those of slots and the like apart */
#define RF_BLOCK_BYTES 0x100u

/* Does all that a block says to have lie in BAR 0? */
static bool rf_block_fits(struct rf_miniport *miniport, const struct rf_block *block, u64 stride)
{
	u64 bytes = miniport->bus->ops->bar_bytes(miniport->bus, RF_BAR_REGISTERS);

	if (block->offset % sizeof(u64) || block->offset + RF_BLOCK_BYTES > bytes)
		return false;
	return !block->count ||
	       (block->base % sizeof(u64) == 0 && block->stride % sizeof(u64) == 0 &&
		block->stride >= stride && block->base + block->count * block->stride <= bytes);
}

static int rf_discover(struct rf_miniport *miniport)
{
	static const u8 versions[] = {
		[RF_BLOCK_TYPE_DEVICE] = RF_DEVICE_BLOCK_VERSION,
		[RF_BLOCK_TYPE_DOORBELL] = RF_DOORBELL_BLOCK_VERSION,
		[RF_BLOCK_TYPE_SLOT] = RF_SLOT_BLOCK_VERSION,
		[RF_BLOCK_TYPE_FENCE] = RF_FENCE_BLOCK_VERSION,
		[RF_BLOCK_TYPE_INTERRUPT] = RF_INTERRUPT_BLOCK_VERSION,
		[RF_BLOCK_TYPE_TRANSLATION] = RF_TRANSLATION_BLOCK_VERSION,
		[RF_BLOCK_TYPE_COUNTER] = RF_COUNTER_BLOCK_VERSION,
		[RF_BLOCK_TYPE_NODE] = RF_NODE_BLOCK_VERSION,
	};
	static const u64 strides[] = {
		[RF_BLOCK_TYPE_SLOT] = RF_SLOT_INDEXED_STRIDE,
		[RF_BLOCK_TYPE_TRANSLATION] = RF_TRANSLATION_INDEXED_STRIDE,
		[RF_BLOCK_TYPE_NODE] = RF_NODE_INDEXED_STRIDE,
	};
	u64 bytes = miniport->bus->ops->bar_bytes(miniport->bus, RF_BAR_REGISTERS);
	struct rf_os *os = miniport->bus->os;
	unsigned int found = 0, steps = 0;
	u64 offset = 0;

	static_assert(ARRAY_SIZE(strides) == ARRAY_SIZE(versions), "of each type");
	if (bytes < RF_BLOCK_BYTES)
		return -ENODEV;
	do {
		u64 identity = rf_register_read(miniport, offset + RF_BLOCK_HEADER_IDENTITY);
		u64 indexed = rf_register_read(miniport, offset + RF_BLOCK_HEADER_INDEXED);
		u64 type = RF_FIELD_GET(RF_BLOCK_HEADER_IDENTITY_TYPE, identity);
		u64 version = RF_FIELD_GET(RF_BLOCK_HEADER_IDENTITY_VERSION, identity);

		if (identity == U64_MAX || ++steps > 64) {
			rf_log_error(os, "no register blocks at 0x%llx",
				     (unsigned long long)offset);
			return -ENODEV;
		}
		/* Blocks of unknown type are for newer drivers. */
		if (type > 0 && type < ARRAY_SIZE(versions)) {
			struct rf_block *block = &miniport->block[type];

			if (version != versions[type]) {
				rf_log_error(os, "register block %llu has version %llu, not %u",
					     (unsigned long long)type, (unsigned long long)version,
					     versions[type]);
				return -ENODEV;
			}
			block->offset = offset;
			block->base = RF_FIELD_GET(RF_BLOCK_HEADER_INDEXED_BASE, indexed);
			block->stride = RF_FIELD_GET(RF_BLOCK_HEADER_INDEXED_STRIDE, indexed);
			block->count = (u32)RF_FIELD_GET(RF_BLOCK_HEADER_INDEXED_COUNT, indexed);
			if (!rf_block_fits(miniport, block, strides[type])) {
				rf_log_error(os, "register block %llu does not fit into BAR 0",
					     (unsigned long long)type);
				return -ENODEV;
			}
			found |= 1u << type;
		}
		offset = RF_FIELD_GET(RF_BLOCK_HEADER_IDENTITY_NEXT, identity);
		if (offset % sizeof(u64) || offset + RF_BLOCK_BYTES > bytes) {
			rf_log_error(os, "a register block at 0x%llx is beyond BAR 0",
				     (unsigned long long)offset);
			return -ENODEV;
		}
	} while (offset);

	if (found != (1u << ARRAY_SIZE(versions)) - 2) {
		rf_log_error(os, "register blocks missing: found types 0x%x", found);
		return -ENODEV;
	}
	return 0;
}

/* Beyond any clock */
#define RF_HZ_MAX 100000000000ull

static int rf_read_parameters(struct rf_miniport *miniport)
{
	u64 parameters = rf_register_read(miniport, RF_REGISTER(miniport, DEVICE, PARAMETERS));

	miniport->slots = miniport->block[RF_BLOCK_TYPE_SLOT].count;
	miniport->doorbells = (u32)RF_FIELD_GET(RF_DEVICE_PARAMETERS_DOORBELLS, parameters);
	/* the paging node shares the engine of the last one */
	miniport->nodes = miniport->block[RF_BLOCK_TYPE_NODE].count + 1;
	miniport->monitored_shadow = parameters & RF_DEVICE_PARAMETERS_MONITORED_SHADOW_MASK;
	miniport->local_memory_bytes =
		1ULL << RF_FIELD_GET(RF_DEVICE_PARAMETERS_LOCAL_MEMORY_LOG2, parameters);
	miniport->timestamp_hz =
		rf_register_read(miniport, RF_REGISTER(miniport, DEVICE, TIMESTAMP_HZ));

	if (!miniport->slots || miniport->slots > RF_SLOTS_MAX || !miniport->doorbells ||
	    miniport->doorbells > RF_DOORBELLS_MAX || miniport->nodes != RF_NODES_MAX ||
	    !miniport->timestamp_hz || miniport->timestamp_hz > RF_HZ_MAX ||
	    miniport->block[RF_BLOCK_TYPE_TRANSLATION].count < RF_VMIDS) {
		rf_log_error(miniport->bus->os,
			     "%u slots, %u doorbells, %u nodes: not what this driver serves",
			     miniport->slots, miniport->doorbells, miniport->nodes);
		return -ENODEV;
	}
	return 0;
}

int rf_device_identify(struct rf_miniport *miniport)
{
	int error = rf_discover(miniport);

	return error ? error : rf_read_parameters(miniport);
}

/* S0-45: the driver asks before it advertises. */
static int rf_query_features(struct rf_miniport *miniport)
{
	const struct rf_dxgk_callbacks *callbacks = miniport->callbacks;
	struct rf_feature_native_fence_1 table;
	struct rf_feature_result result;
	int error;

	error = callbacks->is_feature_enabled(miniport->h_core, RF_FEATURE_NATIVE_FENCE, &result);
	if (error)
		return error;
	if (!result.enabled || result.version != 1)
		return 0;
	error = callbacks->query_feature_interface(miniport->h_core, RF_FEATURE_NATIVE_FENCE,
						   result.version, &table, sizeof(table));
	if (error)
		return error;
	error = table.get_os_caps(miniport->h_core, &miniport->os_caps);
	if (error)
		return error;
	miniport->native_fence = true;
	return 0;
}

#define RF_SCHEDULING_CAPS (RF_VIDSCH_PREEMPTION_AWARE | RF_VIDSCH_NO_DMA_PATCHING)

/* What the drivers of this device differ in; see rf_miniport. */
struct rf_configuration {
	bool optimized;
	bool global_doorbell;
	u32 scheduling_caps;
};

static int rf_start(struct rf_start_device *arguments, struct rf_configuration configuration)
{
	struct rf_miniport *miniport;
	unsigned int i;
	int error;

	miniport = rf_alloc(sizeof(*miniport));
	if (!miniport)
		return -ENOMEM;
	miniport->bus = arguments->bus;
	miniport->h_core = arguments->h_core;
	miniport->callbacks = arguments->callbacks;
	miniport->optimized = configuration.optimized;
	miniport->global_doorbell = configuration.global_doorbell;
	miniport->scheduling_caps = configuration.scheduling_caps;
	for (i = 0; i < RF_FENCE_BUCKETS; i++)
		rf_list_init(&miniport->fences[i]);
	for (i = 0; i < RF_NODES_MAX; i++)
		miniport->packet_node[i].ordinal = i;
	for (i = 0; i < RF_QUEUE_BUCKETS; i++)
		rf_list_init(&miniport->queues[i]);
	rf_list_init(&miniport->contexts);
	rf_list_init(&miniport->save_pages);
	rf_list_init(&miniport->kept_tables);
	rf_spin_init(&miniport->lock, miniport->bus->os);

	error = rf_device_identify(miniport);
	if (!error)
		error = rf_check_alive(miniport);
	if (!error)
		error = rf_query_features(miniport);
	if (error)
		goto free_miniport;

	miniport->updates_posted = (u32)rf_register_read(
		miniport, RF_REGISTER(miniport, FENCE, UPDATE_DONE)); /* of an earlier start */
	rf_engines_watch(miniport);
	error = rf_address_start(miniport);
	if (error)
		goto free_miniport;
	error = rf_interrupt_start(miniport);
	if (error)
		goto stop_address;

	arguments->h_adapter = miniport;
	arguments->interrupt_vectors = 1;
	return 0;

stop_address:
	rf_address_stop(miniport);
free_miniport:
	rf_end_kept(miniport);
	rf_spin_destroy(&miniport->lock);
	rf_free(miniport);
	return error;
}

static int rf_start_device(struct rf_start_device *arguments)
{
	return rf_start(arguments,
			(struct rf_configuration){ .scheduling_caps = RF_SCHEDULING_CAPS });
}

static int rf_start_device_optimized(struct rf_start_device *arguments)
{
	return rf_start(arguments, (struct rf_configuration){
					   .optimized = true,
					   .scheduling_caps = RF_SCHEDULING_CAPS,
				   });
}

static int rf_start_device_global_doorbell(struct rf_start_device *arguments)
{
	return rf_start(arguments, (struct rf_configuration){
					   .global_doorbell = true,
					   .scheduling_caps = RF_SCHEDULING_CAPS,
				   });
}

static int rf_start_device_patching(struct rf_start_device *arguments)
{
	return rf_start(arguments, (struct rf_configuration){
					   .scheduling_caps = RF_VIDSCH_PREEMPTION_AWARE,
				   });
}

static int rf_start_device_windows7(struct rf_start_device *arguments)
{
	return rf_start(arguments, (struct rf_configuration){ .scheduling_caps = 0 });
}

static void rf_stop_device(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;

	rf_interrupt_stop(miniport);
	rf_address_stop(miniport);
	rf_end_kept(miniport);
	rf_spin_destroy(&miniport->lock);
	rf_free(miniport);
}

/* --- capabilities ----------------------------------------------------------------- */

static void rf_driver_caps(const struct rf_miniport *miniport, struct rf_driver_caps *caps)
{
	*caps = (struct rf_driver_caps){
		.scheduling_caps = RF_VIDSCH_MULTI_ENGINE_AWARE | miniport->scheduling_caps |
				   RF_PACKET_CAP << RF_VIDSCH_HW_QUEUE_PACKET_CAP_SHIFT,
		/* No engine draws. Those that there are stop between chunks of an operation,
		 * which is to COPY, FILL and VECTOR what a thread group is to a dispatch. */
		.preemption_caps = { RF_GRAPHICS_PREEMPTION_NONE,
				     RF_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY },
		.support_per_engine_tdr = true,
		.node_count = miniport->nodes,
		.paging_node = RF_NODE_PAGING,
		.process_count = RF_PROCESSES_MAX,
		.hw_queue_slots = miniport->slots,
		.packet_node_slots = 1,
		.local_memory_bytes = miniport->local_memory_bytes,
		.timestamp_frequency = miniport->timestamp_hz,
	};
	if (miniport->native_fence)
		caps->scheduling_caps |= RF_VIDSCH_NATIVE_GPU_FENCE;
	if (miniport->native_fence && miniport->optimized)
		caps->scheduling_caps |= RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
}

/*
 * MonitoredValue of an optimised DEFAULT fence lies in local memory, next to the
 * comparator, if the update port exists. CurrentValue of INTRA_GPU fences is
 * local as well: no CPU ever looks at it.
 */
static void rf_fence_storage(const struct rf_miniport *miniport, struct rf_fence_storage *storage)
{
	bool local;

	if (storage->fence_storage_value_type == RF_FENCE_STORAGE_MONITORED_VALUE)
		local = miniport->monitored_shadow;
	else
		local = storage->fence_storage_type == RF_NATIVE_FENCE_TYPE_INTRA_GPU;

	storage->supported_segment_set = 1u << RF_MEM_SYSTEM;
	if (local)
		storage->supported_segment_set |= 1u << RF_MEM_LOCAL;
	storage->preferred_segment = local ? RF_MEM_LOCAL : RF_MEM_SYSTEM;
}

static int rf_query_adapter_info(void *h_adapter, const struct rf_query_adapter_info *arguments)
{
	static const size_t size[] = {
		[RF_QUERY_DRIVER_CAPS] = sizeof(struct rf_driver_caps),
		[RF_QUERY_NATIVE_FENCE_CAPS] = sizeof(struct rf_native_fence_caps),
		[RF_QUERY_USER_MODE_SUBMISSION_CAPS] = sizeof(struct rf_user_mode_submission_caps),
	};
	struct rf_miniport *miniport = h_adapter;
	struct rf_node_metadata *node = arguments->output;

	if ((size_t)arguments->type < ARRAY_SIZE(size) &&
	    arguments->output_size != size[arguments->type])
		return -EINVAL;

	switch (arguments->type) {
	case RF_QUERY_DRIVER_CAPS:
		rf_driver_caps(miniport, arguments->output);
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
				.doorbell_count = miniport->doorbells,
			};
		return 0;
	case RF_QUERY_NODE_METADATA:
		if (arguments->output_size != sizeof(*node) ||
		    node->node_ordinal >= miniport->nodes)
			return -EINVAL;
		node->flags =
			node->node_ordinal == RF_NODE_PAGING ? 0 : RF_NODE_USER_MODE_SUBMISSION;
		return 0;
	case RF_QUERY_FENCE_STORAGE:
		if (arguments->output_size != sizeof(struct rf_fence_storage))
			return -EINVAL;
		rf_fence_storage(miniport, arguments->output);
		return 0;
	}
	return -EINVAL;
}

/* clang-format off */
#define RF_DDI_FUNCTIONS                                                      \
	.stop_device = rf_stop_device,                                        \
	.query_adapter_info = rf_query_adapter_info,                          \
	.create_process = rf_create_process,                                  \
	.destroy_process = rf_destroy_process,                                \
	.map_gpu_virtual_address = rf_map_gpu_virtual_address,                \
	.replace_gpu_page = rf_replace_gpu_page,                              \
	.unmap_gpu_virtual_address = rf_unmap_gpu_virtual_address,            \
	.create_native_fence = rf_create_native_fence,                        \
	.open_native_fence = rf_open_native_fence,                            \
	.close_native_fence = rf_close_native_fence,                          \
	.destroy_native_fence = rf_destroy_native_fence,                      \
	.update_monitored_values = rf_update_monitored_values,                \
	.update_current_values_from_cpu = rf_update_current_values_from_cpu,  \
	.create_hw_context = rf_create_hw_context,                            \
	.destroy_hw_context = rf_destroy_hw_context,                          \
	.suspend_context = rf_suspend_context,                                \
	.resume_context = rf_resume_context,                                  \
	.make_hw_queue_resident = rf_make_hw_queue_resident,                  \
	.evict_hw_queue = rf_evict_hw_queue,                                  \
	.rearm_hw_queue = rf_rearm_hw_queue,                                  \
	.query_hw_queue_work = rf_query_hw_queue_work,                        \
	.create_hw_queue = rf_create_hw_queue,                                \
	.destroy_hw_queue = rf_destroy_hw_queue,                              \
	.submit_command_to_hw_queue = rf_submit_command_to_hw_queue,          \
	.resume_hw_queue = rf_resume_hw_queue,                                \
	.create_context = rf_create_context,                                  \
	.destroy_context = rf_destroy_context,                                \
	.render = rf_render,                                                  \
	.patch = rf_patch,                                                    \
	.submit_command = rf_submit_command,                                  \
	.preempt_command = rf_preempt_command,                                \
	.build_paging_buffer = rf_build_paging_buffer,                        \
	.set_native_fence_log_buffer = rf_set_native_fence_log_buffer,        \
	.update_native_fence_logs = rf_update_native_fence_logs,              \
	.create_doorbell = rf_create_doorbell,                                \
	.connect_doorbell = rf_connect_doorbell,                              \
	.disconnect_doorbell = rf_disconnect_doorbell,                        \
	.destroy_doorbell = rf_destroy_doorbell,                              \
	.notify_work_submission = rf_notify_work_submission,                  \
	.look_for_idle = rf_look_for_idle,                                    \
	.set_power_component_f_state = rf_set_power_component_f_state,        \
	.set_power_state = rf_set_power_state,                                \
	.query_engine_status = rf_query_engine_status,                        \
	.query_dependent_engine_group = rf_query_dependent_engine_group,      \
	.reset_engine = rf_reset_engine,                                      \
	.reset_hw_engine = rf_reset_hw_engine,                                \
	.resume_hw_engine = rf_resume_hw_engine,                              \
	.reset_from_timeout = rf_reset_from_timeout,                          \
	.restart_from_timeout = rf_restart_from_timeout,                      \
	.collect_debug_info = rf_collect_debug_info,                          \
	.check_device = rf_check_device,                                      \
	.interrupt_routine = rf_interrupt_routine,                            \
	.dpc_routine = rf_dpc_routine
/* clang-format on */

const struct rf_ddi rf_ringfence_ddi = {
	.start_device = rf_start_device,
	RF_DDI_FUNCTIONS,
};

const struct rf_ddi rf_ringfence_optimized_ddi = {
	.start_device = rf_start_device_optimized,
	RF_DDI_FUNCTIONS,
};

const struct rf_ddi rf_ringfence_global_doorbell_ddi = {
	.start_device = rf_start_device_global_doorbell,
	RF_DDI_FUNCTIONS,
};

const struct rf_ddi rf_ringfence_patching_ddi = {
	.start_device = rf_start_device_patching,
	RF_DDI_FUNCTIONS,
};

const struct rf_ddi rf_ringfence_windows7_ddi = {
	.start_device = rf_start_device_windows7,
	RF_DDI_FUNCTIONS,
};
