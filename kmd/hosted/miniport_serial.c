// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Calls of a miniport whose module has run(): one at a time, each followed by run(). Every function
 * of the table takes the bus's serial lock; h_adapter of the table's callers is the bus.
 *
 * Locking: miniport_bus.serial is taken under any lock of the core. Interrupts that the miniport
 * raises under it are delivered when it is released.
 */
#include "miniport_bus.h"

static const struct rf_ddi *hosted_serial_enter(struct miniport_bus *bus)
{
	pthread_mutex_lock(&bus->serial);
	return &bus->ddi;
}

static void hosted_serial_leave(struct miniport_bus *bus)
{
	unsigned int vector;
	u32 raised;

	bus->module->run(&bus->base);
	raised = bus->serial_raised;
	bus->serial_raised = 0;
	pthread_mutex_unlock(&bus->serial);
	for (vector = 0; vector < MINIPORT_VECTORS; vector++)
		if (raised & 1u << vector)
			miniport_bus_raise(&bus->base, vector);
}

/* raise() of the miniport's bus, under the lock. */
static void hosted_serial_raise(struct rf_miniport_bus *base, unsigned int vector)
{
	if (vector < MINIPORT_VECTORS)
		container_of(base, struct miniport_bus, base)->serial_raised |= 1u << vector;
}

/* --- the table ------------------------------------------------------------------------- */

/* Functions of (h_adapter, pointer to arguments), which return int or void */
#define INT_FUNCTIONS(X)                                                                  \
	X(query_adapter_info, const struct rf_query_adapter_info)                         \
	X(create_process, struct rf_create_process)                                       \
	X(destroy_process, const struct rf_destroy_process)                               \
	X(map_gpu_virtual_address, struct rf_map_gpu_virtual_address)                     \
	X(replace_gpu_page, const struct rf_replace_gpu_page)                             \
	X(unmap_gpu_virtual_address, const struct rf_unmap_gpu_virtual_address)           \
	X(create_native_fence, struct rf_create_native_fence)                             \
	X(open_native_fence, struct rf_open_native_fence)                                 \
	X(close_native_fence, const struct rf_close_native_fence)                         \
	X(destroy_native_fence, const struct rf_destroy_native_fence)                     \
	X(update_monitored_values, const struct rf_update_monitored_values)               \
	X(update_current_values_from_cpu, const struct rf_update_current_values_from_cpu) \
	X(create_hw_context, struct rf_create_hw_context)                                 \
	X(suspend_context, const struct rf_suspend_context)                               \
	X(create_hw_queue, struct rf_create_hw_queue)                                     \
	X(submit_command_to_hw_queue, const struct rf_submit_command_to_hw_queue)         \
	X(make_hw_queue_resident, struct rf_make_hw_queue_resident)                       \
	X(set_native_fence_log_buffer, const struct rf_set_native_fence_log_buffer)       \
	X(update_native_fence_logs, const struct rf_update_native_fence_logs)             \
	X(create_context, struct rf_create_context)                                       \
	X(render, struct rf_render)                                                       \
	X(patch, const struct rf_patch)                                                   \
	X(submit_command, const struct rf_submit_command)                                 \
	X(build_paging_buffer, struct rf_build_paging_buffer)                             \
	X(create_doorbell, struct rf_create_doorbell)                                     \
	X(connect_doorbell, struct rf_connect_doorbell)                                   \
	X(set_power_component_f_state, const struct rf_set_power_component_f_state)       \
	X(set_power_state, const struct rf_set_power_state)                               \
	X(query_engine_status, struct rf_query_engine_status)                             \
	X(query_dependent_engine_group, struct rf_query_dependent_engine_group)           \
	X(reset_engine, struct rf_reset_engine)                                           \
	X(reset_hw_engine, const struct rf_hw_engine)                                     \
	X(resume_hw_engine, const struct rf_hw_engine)                                    \
	X(preempt_command, const struct rf_preempt_command)

#define VOID_FUNCTIONS(X)                                                 \
	X(destroy_hw_context, const struct rf_destroy_hw_context)         \
	X(resume_context, const struct rf_resume_context)                 \
	X(destroy_hw_queue, const struct rf_destroy_hw_queue)             \
	X(evict_hw_queue, const struct rf_evict_hw_queue)                 \
	X(rearm_hw_queue, const struct rf_rearm_hw_queue)                 \
	X(query_hw_queue_work, struct rf_query_hw_queue_work)             \
	X(resume_hw_queue, const struct rf_resume_hw_queue)               \
	X(destroy_context, const struct rf_destroy_context)               \
	X(disconnect_doorbell, const struct rf_disconnect_doorbell)       \
	X(destroy_doorbell, const struct rf_destroy_doorbell)             \
	X(notify_work_submission, const struct rf_notify_work_submission) \
	X(collect_debug_info, struct rf_writer)

/* Functions of (h_adapter) */
#define INT_FUNCTIONS_OF_ADAPTER(X) X(reset_from_timeout) X(restart_from_timeout) X(check_device)
#define VOID_FUNCTIONS_OF_ADAPTER(X) X(look_for_idle) X(dpc_routine)

#define CALL_INT(function, type)                                                         \
	static int hosted_serial_##function(void *h_adapter, type *arguments)            \
	{                                                                                \
		struct miniport_bus *bus = h_adapter;                                    \
		int ret = hosted_serial_enter(bus)->function(bus->h_adapter, arguments); \
                                                                                         \
		hosted_serial_leave(bus);                                                \
		return ret;                                                              \
	}
#define CALL_VOID(function, type)                                              \
	static void hosted_serial_##function(void *h_adapter, type *arguments) \
	{                                                                      \
		struct miniport_bus *bus = h_adapter;                          \
                                                                               \
		hosted_serial_enter(bus)->function(bus->h_adapter, arguments); \
		hosted_serial_leave(bus);                                      \
	}
#define CALL_INT_OF_ADAPTER(function)                                         \
	static int hosted_serial_##function(void *h_adapter)                  \
	{                                                                     \
		struct miniport_bus *bus = h_adapter;                         \
		int ret = hosted_serial_enter(bus)->function(bus->h_adapter); \
                                                                              \
		hosted_serial_leave(bus);                                     \
		return ret;                                                   \
	}
#define CALL_VOID_OF_ADAPTER(function)                              \
	static void hosted_serial_##function(void *h_adapter)       \
	{                                                           \
		struct miniport_bus *bus = h_adapter;               \
                                                                    \
		hosted_serial_enter(bus)->function(bus->h_adapter); \
		hosted_serial_leave(bus);                           \
	}

INT_FUNCTIONS(CALL_INT)
VOID_FUNCTIONS(CALL_VOID)
INT_FUNCTIONS_OF_ADAPTER(CALL_INT_OF_ADAPTER)
VOID_FUNCTIONS_OF_ADAPTER(CALL_VOID_OF_ADAPTER)

static bool hosted_serial_interrupt_routine(void *h_adapter, u32 message_number)
{
	struct miniport_bus *bus = h_adapter;
	bool ret = hosted_serial_enter(bus)->interrupt_routine(bus->h_adapter, message_number);

	hosted_serial_leave(bus);
	return ret;
}

/* Nothing else can be called yet, and any callback may be called. */
static int hosted_serial_start_device(struct rf_start_device *arguments)
{
	struct miniport_bus *bus =
		container_of(rf_miniport_bus(arguments->bus), struct miniport_bus, base);
	int ret = bus->ddi.start_device(arguments);

	bus->h_adapter = arguments->h_adapter;
	arguments->h_adapter = bus;
	return ret;
}

static void hosted_serial_stop_device(void *h_adapter)
{
	struct miniport_bus *bus = h_adapter;

	bus->ddi.stop_device(bus->h_adapter);
}

void miniport_serial_store(struct miniport_bus *bus, u64 offset, u64 value)
{
	hosted_serial_enter(bus);
	bus->module->store(&bus->base, offset, value);
	hosted_serial_leave(bus);
}

void miniport_serial_wrap(struct miniport_bus *bus, struct rf_ddi *ddi)
{
	bus->ddi = *ddi;
	bus->base.raise = hosted_serial_raise;
	ddi->start_device = hosted_serial_start_device;
	ddi->stop_device = hosted_serial_stop_device;
	ddi->interrupt_routine = hosted_serial_interrupt_routine;
#define WRAP(function, type) ddi->function = ddi->function ? hosted_serial_##function : NULL;
#define WRAP_OF_ADAPTER(function) WRAP(function, )
	INT_FUNCTIONS(WRAP)
	VOID_FUNCTIONS(WRAP)
	INT_FUNCTIONS_OF_ADAPTER(WRAP_OF_ADAPTER)
	VOID_FUNCTIONS_OF_ADAPTER(WRAP_OF_ADAPTER)
}
