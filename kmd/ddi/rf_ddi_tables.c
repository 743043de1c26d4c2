// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The miniport, as the core sees it: see rf_ddi_tables.h. */
#include "rf_ddi_tables.h"
#include "rf_caps.h"
#include "rf_check.h"
#include "rf_ddi.h"
#include "rf_doorbell.h"
#include "rf_dump.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_interrupt.h"
#include "rf_mapping.h"
#include "rf_packet_context_ddi.h"
#include "rf_packet_schedule.h"
#include "rf_paging.h"
#include "rf_peer.h"
#include "rf_power.h"
#include "rf_queue_ddi.h"
#include "rf_queue_log.h"
#include "rf_queue_ring.h"
#include "rf_render.h"
#include "rf_reset.h"
#include "rf_residence.h"
#include "rf_space.h"
#include "rf_start.h"
#include "rf_submit.h"
#include "rf_suspend.h"

#define RF_SCHEDULING_CAPS (RF_VIDSCH_PREEMPTION_AWARE | RF_VIDSCH_NO_DMA_PATCHING)

static int rf_start_device(struct rf_start_device *arguments)
{
	return rf_start(arguments, &(struct rf_configuration){
					   .scheduling_caps = RF_SCHEDULING_CAPS,
				   });
}

static int rf_start_device_optimized(struct rf_start_device *arguments)
{
	return rf_start(arguments, &(struct rf_configuration){
					   .optimized = true,
					   .scheduling_caps = RF_SCHEDULING_CAPS,
				   });
}

static int rf_start_device_global_doorbell(struct rf_start_device *arguments)
{
	return rf_start(arguments, &(struct rf_configuration){
					   .global_doorbell = true,
					   .scheduling_caps = RF_SCHEDULING_CAPS,
				   });
}

static int rf_start_device_patching(struct rf_start_device *arguments)
{
	return rf_start(arguments, &(struct rf_configuration){
					   .scheduling_caps = RF_VIDSCH_PREEMPTION_AWARE,
				   });
}

static int rf_start_device_windows7(struct rf_start_device *arguments)
{
	return rf_start(arguments, &(struct rf_configuration){ .scheduling_caps = 0 });
}

static int rf_start_device_monitored(struct rf_start_device *arguments)
{
	return rf_start(arguments,
			&(struct rf_configuration){
				.scheduling_caps = RF_SCHEDULING_CAPS | RF_VIDSCH_NO_64_BIT_ATOMICS,
			});
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
	.set_peer_region = rf_set_peer_region,                                \
	.connect_peer = rf_connect_peer,                                      \
	.disconnect_peer = rf_disconnect_peer,                                \
	.set_peer_fence = rf_set_peer_fence,                                  \
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

const struct rf_ddi rf_ringfence_monitored_ddi = {
	.start_device = rf_start_device_monitored,
	RF_DDI_FUNCTIONS,
};
