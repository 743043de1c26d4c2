/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The bus of a loaded miniport, between the loader and its functions. */
#ifndef MINIPORT_BUS_H
#define MINIPORT_BUS_H

#include <pthread.h>

#include "rf_miniport_module.h"

#define MINIPORT_VECTORS 32u

/**
 * struct miniport_bus - the bus of one device
 * @base: what the miniport sees
 * @module: the shared object's table
 * @mutex: guards all below
 * @changed: a handler has returned, or bus->ops->wake()
 * @held: calls of hold_interrupts without a release
 * @pending: vectors that were raised and not delivered
 * @raised: calls of raise()
 * @delivering: a handler is under way
 * @handlers: by vector
 * @arguments: of the handlers
 * @serial: with module->run: one call of the miniport at a time (miniport_serial.c); guards
 * @serial_raised: vectors to deliver after the call
 * @ddi: with module->run: the miniport's table
 * @h_adapter: for that
 */
struct miniport_bus {
	struct rf_miniport_bus base;
	const struct rf_miniport_module *module;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned int held;
	u32 pending;
	u64 raised;
	bool delivering;
	rf_bus_interrupt_fn handlers[MINIPORT_VECTORS];
	void *arguments[MINIPORT_VECTORS];
	pthread_mutex_t serial;
	u32 serial_raised;
	struct rf_ddi ddi;
	void *h_adapter;
};

/* -ENOMEM */
int miniport_bus_init(struct miniport_bus *bus, const struct rf_miniport_module *module);
void miniport_bus_destroy(struct miniport_bus *bus);
/* raise() of the bus. */
void miniport_bus_raise(struct rf_miniport_bus *bus, unsigned int vector);

/* Before the device starts: @ddi, which is complete, becomes a table of serial calls. */
void miniport_serial_wrap(struct miniport_bus *bus, struct rf_ddi *ddi);
/* module->store(), as such a call. */
void miniport_serial_store(struct miniport_bus *bus, u64 offset, u64 value);

#endif /* MINIPORT_BUS_H */
