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
 * are not there; use libc and pthreads.
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
 *         interrupt_routine is called before it returns, or later if interrupts are held
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
	bool (*is_idle)(struct rf_miniport_bus *bus);
};

#define RF_MINIPORT_MODULE_HEADER \
	.version = RF_MINIPORT_MODULE_VERSION, .ddi_bytes = sizeof(struct rf_ddi)

extern const struct rf_miniport_module rf_miniport_module __attribute__((visibility("default")));

#endif /* RF_MINIPORT_MODULE_H */
