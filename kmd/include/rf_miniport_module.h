/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A miniport of another device, as a shared object: `ringfence conform --miniport ./mine.so`,
 * or the device "miniport:./mine.so". The graphics kernel (kmd/core) runs in the process that
 * loads it and calls the functions of its DDI table (rf_ddi.h).
 *
 * The shared object defines one symbol:
 *
 *	const struct rf_miniport_module rf_miniport_module = { RF_MINIPORT_MODULE_HEADER, ... };
 *
 * It needs no symbol of the program: rf_ddi.h and rf_bus.h have inline functions only, and
 * everything else is a callback. rf_alloc(), rf_spin_lock() and the other functions of rf_os.h
 * are not there; use libc and pthreads. Inline functions that many miniports need are in
 * rf_miniport_memory.h (GPU addresses), rf_miniport_reports.h (interrupts) and rf_stream.h
 * (command streams), and at the end of this file.
 */
#ifndef RF_MINIPORT_MODULE_H
#define RF_MINIPORT_MODULE_H

#include "rf_bus.h"
#include "rf_ddi.h"

#define RF_MINIPORT_MODULE_VERSION 1u
#define RF_MINIPORT_MODULE_SYMBOL "rf_miniport_module"

/**
 * struct rf_miniport_bus - the bus of such a device
 * @bus: what rf_start_device.bus is
 * @ops: of @bus; open() may replace functions. Without that, system memory has its address in this
 *       process as its bus address, and BAR 2 is @local
 * @local: local memory, zeroed, page aligned; NULL: none
 * @device: for the miniport
 * @raise: raise an interrupt vector. Any thread, with no lock held that interrupt_routine takes.
 *         interrupt_routine is called before it returns, or later if interrupts are held. In a
 *         device with run(): only in its calls, and interrupt_routine is called after the call
 */
struct rf_miniport_bus {
	struct rf_bus bus;
	struct rf_bus_ops ops;
	void *local;
	void *device;
	void (*raise)(struct rf_miniport_bus *bus, unsigned int vector);
};

static inline struct rf_miniport_bus *rf_miniport_bus(struct rf_bus *bus)
{
	return container_of(bus, struct rf_miniport_bus, bus);
}

/**
 * struct rf_miniport_module - what the shared object is
 * @version: RF_MINIPORT_MODULE_VERSION of the headers that it was compiled with
 * @ddi_bytes: size of struct rf_ddi there
 * @name: of the device, for messages
 * @local_memory_bytes: size of local memory, a multiple of 4096; may be 0
 * @ddi: its functions. Those that the loader does not ask for may be NULL
 *       (docs/bench-your-device.md)
 * @open: before start_device: 0 or a negative errno. May be NULL
 * @close: after stop_device. May be NULL
 * @store: a store of 8 bytes to BAR 0 at @offset: a doorbell. Any thread, at any time, with no
 *         lock held
 * @run: let the device execute what it can. With it the loader makes calls one at a time: of the
 *       functions of @ddi, but for start_device and stop_device, and of @store; after each it calls
 *       @run, and then delivers the interrupts that were raised meanwhile. So a device in software
 *       needs neither a lock nor a thread. Of the core's callbacks only those that may be called
 *       under a lock are allowed (rf_ddi.h). NULL: calls overlap as rf_ddi.h says
 * @is_idle: true: nothing that was submitted can still change anything by itself. Any thread.
 *           NULL: the bench waits for some time instead
 */
struct rf_miniport_module {
	u32 version;
	u32 ddi_bytes;
	const char *name;
	u64 local_memory_bytes;
	const struct rf_ddi *ddi;
	int (*open)(struct rf_miniport_bus *bus);
	void (*close)(struct rf_miniport_bus *bus);
	void (*store)(struct rf_miniport_bus *bus, u64 offset, u64 value);
	void (*run)(struct rf_miniport_bus *bus);
	bool (*is_idle)(struct rf_miniport_bus *bus);
};

#define RF_MINIPORT_MODULE_HEADER \
	.version = RF_MINIPORT_MODULE_VERSION, .ddi_bytes = sizeof(struct rf_ddi)

extern const struct rf_miniport_module rf_miniport_module __attribute__((visibility("default")));

/* --- what start_device and query_adapter_info have in common ---------------------------- */

/* For start_device: ask for native fences, as a miniport must that advertises them (S0-45). */
static inline int rf_miniport_ask_for_native_fences(const struct rf_start_device *arguments)
{
	const struct rf_dxgk_callbacks *callbacks = arguments->callbacks;
	struct rf_feature_native_fence_caps_1 caps;
	struct rf_feature_native_fence_1 table;
	struct rf_feature_result result;
	int ret =
		callbacks->is_feature_enabled(arguments->h_core, RF_FEATURE_NATIVE_FENCE, &result);

	if (!ret)
		ret = callbacks->query_feature_interface(arguments->h_core, RF_FEATURE_NATIVE_FENCE,
							 1, &table, sizeof(table));
	return ret ?: table.get_os_caps(arguments->h_core, &caps);
}

/* Capabilities that do not change. */
struct rf_miniport_caps {
	struct rf_driver_caps driver;
	struct rf_native_fence_caps native_fence;
	struct rf_user_mode_submission_caps submission;
};

/*
 * Where the values of a fence are: a CurrentValue that the CPU waits for is in its memory, others
 * and every MonitoredValue in local memory, if there is room.
 */
static inline void rf_miniport_place_value(struct rf_fence_storage *storage)
{
	bool is_local = storage->fence_storage_value_type == RF_FENCE_STORAGE_MONITORED_VALUE ||
			storage->fence_storage_type == RF_NATIVE_FENCE_TYPE_INTRA_GPU;

	storage->preferred_segment = is_local ? RF_MEM_LOCAL : RF_MEM_SYSTEM;
	storage->supported_segment_set = 1u << RF_MEM_SYSTEM | 1u << storage->preferred_segment;
}

/* For query_adapter_info. Every node but the paging node takes queues of user mode. */
static inline int rf_miniport_answer(const struct rf_miniport_caps *caps,
				     const struct rf_query_adapter_info *arguments)
{
	struct rf_node_metadata *node = arguments->output;

	switch (arguments->type) {
	case RF_QUERY_DRIVER_CAPS:
		*(struct rf_driver_caps *)arguments->output = caps->driver;
		return 0;
	case RF_QUERY_NATIVE_FENCE_CAPS:
		*(struct rf_native_fence_caps *)arguments->output = caps->native_fence;
		return 0;
	case RF_QUERY_USER_MODE_SUBMISSION_CAPS:
		*(struct rf_user_mode_submission_caps *)arguments->output = caps->submission;
		return 0;
	case RF_QUERY_NODE_METADATA:
		node->flags = node->node_ordinal == caps->driver.paging_node
				      ? 0
				      : RF_NODE_USER_MODE_SUBMISSION;
		return 0;
	case RF_QUERY_FENCE_STORAGE:
		rf_miniport_place_value(arguments->output);
		return 0;
	}
	return -EINVAL;
}

#endif /* RF_MINIPORT_MODULE_H */
