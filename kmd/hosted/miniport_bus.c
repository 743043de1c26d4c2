// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The bus of a loaded miniport. BAR 0 is the miniport's store(), BAR 2 memory of this process,
 * and an interrupt is a call on the thread that raises it, or on the one that releases the last
 * hold.
 *
 * Locking: miniport_bus.mutex is a leaf. Handlers are called without it, one at a time.
 */
#include "miniport_bus.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define NANOSECONDS_PER_SECOND 1000000000u

static struct miniport_bus *hosted_to_miniport_bus(struct rf_bus *bus)
{
	return container_of(bus, struct miniport_bus, base.bus);
}

/* --- accesses ------------------------------------------------------------------------ */

/* Local memory, or NULL outside. */
static char *hosted_miniport_local(struct rf_bus *bus, unsigned int bar, u64 offset, u64 bytes)
{
	struct miniport_bus *miniport = hosted_to_miniport_bus(bus);
	u64 size = miniport->module->local_memory_bytes;

	if (bar != RF_BAR_LOCAL_MEMORY || bytes > size || offset > size - bytes)
		return NULL;
	return (char *)miniport->base.local + offset;
}

static u64 hosted_miniport_read64(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	char *place = hosted_miniport_local(bus, bar, offset, sizeof(u64));

	return place ? rf_read_once64((u64 *)place) : U64_MAX;
}

static u32 hosted_miniport_read32(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return (u32)(hosted_miniport_read64(bus, bar, offset & ~7ull) >> (offset % 8 * 8));
}

static void hosted_miniport_write64(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	struct miniport_bus *miniport = hosted_to_miniport_bus(bus);
	char *place = hosted_miniport_local(bus, bar, offset, sizeof(u64));

	if (place)
		rf_write_once64((u64 *)place, value);
	else if (bar == RF_BAR_REGISTERS && miniport->module->run)
		miniport_serial_store(miniport, offset, value);
	else if (bar == RF_BAR_REGISTERS)
		miniport->module->store(&miniport->base, offset, value);
}

static void hosted_miniport_write32(struct rf_bus *bus, unsigned int bar, u64 offset, u32 value)
{
	char *place = hosted_miniport_local(bus, bar, offset, sizeof(u32));

	if (place)
		__atomic_store_n((u32 *)place, value, __ATOMIC_RELEASE);
}

static void hosted_miniport_read_bytes(struct rf_bus *bus, unsigned int bar, u64 offset, void *data,
				       size_t bytes)
{
	const char *place = hosted_miniport_local(bus, bar, offset, bytes);

	if (place)
		memcpy(data, place, bytes);
	else
		memset(data, 0xff, bytes);
}

static void hosted_miniport_write_bytes(struct rf_bus *bus, unsigned int bar, u64 offset,
					const void *data, size_t bytes)
{
	char *place = hosted_miniport_local(bus, bar, offset, bytes);

	if (place)
		memcpy(place, data, bytes);
}

static u64 hosted_miniport_bar_bytes(struct rf_bus *bus, unsigned int bar)
{
	return bar == RF_BAR_LOCAL_MEMORY ? hosted_to_miniport_bus(bus)->module->local_memory_bytes
					  : 0;
}

static int hosted_miniport_map_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 *bus_address)
{
	(void)bus;
	(void)bytes;
	*bus_address = (uintptr_t)cpu;
	return 0;
}

static void hosted_miniport_unmap_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 bus_address)
{
	(void)bus;
	(void)cpu;
	(void)bytes;
	(void)bus_address;
}

/* --- interrupts ------------------------------------------------------------------------ */

/* mutex held; dropped around the handler. */
static void hosted_miniport_deliver(struct miniport_bus *bus)
{
	while (bus->pending && !bus->held && !bus->delivering) {
		unsigned int vector = (unsigned int)__builtin_ctz(bus->pending);
		rf_bus_interrupt_fn handler = bus->handlers[vector];
		void *argument = bus->arguments[vector];

		bus->pending &= ~(1u << vector);
		if (!handler)
			continue;
		bus->delivering = true;
		pthread_mutex_unlock(&bus->mutex);
		handler(argument, vector);
		pthread_mutex_lock(&bus->mutex);
		bus->delivering = false;
		pthread_cond_broadcast(&bus->changed);
	}
}

void miniport_bus_raise(struct rf_miniport_bus *base, unsigned int vector)
{
	struct miniport_bus *bus = container_of(base, struct miniport_bus, base);

	if (vector >= MINIPORT_VECTORS)
		return;
	pthread_mutex_lock(&bus->mutex);
	bus->pending |= 1u << vector;
	bus->raised++;
	hosted_miniport_deliver(bus);
	pthread_mutex_unlock(&bus->mutex);
}

static unsigned int hosted_miniport_vectors(struct rf_bus *bus)
{
	(void)bus;
	return MINIPORT_VECTORS;
}

static void hosted_miniport_set_handler(struct miniport_bus *bus, unsigned int vector,
					rf_bus_interrupt_fn handler, void *argument)
{
	pthread_mutex_lock(&bus->mutex);
	bus->handlers[vector] = handler;
	bus->arguments[vector] = argument;
	pthread_mutex_unlock(&bus->mutex);
}

static int hosted_miniport_request_interrupt(struct rf_bus *bus, unsigned int vector,
					     rf_bus_interrupt_fn handler, void *argument)
{
	if (vector >= MINIPORT_VECTORS)
		return -EINVAL;
	hosted_miniport_set_handler(hosted_to_miniport_bus(bus), vector, handler, argument);
	return 0;
}

static void hosted_miniport_synchronize(struct rf_bus *base, unsigned int vector)
{
	struct miniport_bus *bus = hosted_to_miniport_bus(base);

	(void)vector;
	pthread_mutex_lock(&bus->mutex);
	while (bus->delivering)
		pthread_cond_wait(&bus->changed, &bus->mutex);
	pthread_mutex_unlock(&bus->mutex);
}

static void hosted_miniport_free_interrupt(struct rf_bus *bus, unsigned int vector)
{
	hosted_miniport_set_handler(hosted_to_miniport_bus(bus), vector, NULL, NULL);
	hosted_miniport_synchronize(bus, vector);
}

static void hosted_miniport_hold(struct rf_bus *base)
{
	struct miniport_bus *bus = hosted_to_miniport_bus(base);

	pthread_mutex_lock(&bus->mutex);
	bus->held++;
	pthread_mutex_unlock(&bus->mutex);
}

static void hosted_miniport_release(struct rf_bus *base)
{
	struct miniport_bus *bus = hosted_to_miniport_bus(base);

	pthread_mutex_lock(&bus->mutex);
	bus->held--;
	hosted_miniport_deliver(bus);
	pthread_mutex_unlock(&bus->mutex);
}

/* --- the rest -------------------------------------------------------------------------- */

/* Recovery is by the DDI's functions. */
static int hosted_miniport_reset(struct rf_bus *bus)
{
	(void)bus;
	return -EIO;
}

static int hosted_miniport_wait(struct rf_bus *base, bool (*done)(void *argument), void *argument,
				u64 deadline)
{
	struct miniport_bus *bus = hosted_to_miniport_bus(base);
	const struct timespec until = {
		.tv_sec = (time_t)(deadline / NANOSECONDS_PER_SECOND),
		.tv_nsec = (long)(deadline % NANOSECONDS_PER_SECOND),
	};
	int ret = 0;

	pthread_mutex_lock(&bus->mutex);
	while (!done(argument) && !ret) {
		if (deadline == RF_TIME_NEVER)
			pthread_cond_wait(&bus->changed, &bus->mutex);
		else
			ret = -pthread_cond_timedwait(&bus->changed, &bus->mutex, &until);
	}
	pthread_mutex_unlock(&bus->mutex);
	return done(argument) ? 0 : ret;
}

static void hosted_miniport_wake(struct rf_bus *base)
{
	struct miniport_bus *bus = hosted_to_miniport_bus(base);

	pthread_mutex_lock(&bus->mutex);
	pthread_cond_broadcast(&bus->changed);
	pthread_mutex_unlock(&bus->mutex);
}

static const struct rf_bus_ops miniport_bus_ops = {
	.read32 = hosted_miniport_read32,
	.read64 = hosted_miniport_read64,
	.write32 = hosted_miniport_write32,
	.write64 = hosted_miniport_write64,
	.read_bytes = hosted_miniport_read_bytes,
	.write_bytes = hosted_miniport_write_bytes,
	.bar_bytes = hosted_miniport_bar_bytes,
	.map_memory = hosted_miniport_map_memory,
	.unmap_memory = hosted_miniport_unmap_memory,
	.vectors = hosted_miniport_vectors,
	.request_interrupt = hosted_miniport_request_interrupt,
	.free_interrupt = hosted_miniport_free_interrupt,
	.synchronize_interrupt = hosted_miniport_synchronize,
	.reset_function = hosted_miniport_reset,
	.hold_interrupts = hosted_miniport_hold,
	.release_interrupts = hosted_miniport_release,
	.wait = hosted_miniport_wait,
	.wake = hosted_miniport_wake,
};

int miniport_bus_init(struct miniport_bus *bus, const struct rf_miniport_module *module)
{
	pthread_condattr_t monotonic;

	memset(bus, 0, sizeof(*bus));
	bus->module = module;
	bus->base.ops = miniport_bus_ops;
	bus->base.bus.ops = &bus->base.ops;
	bus->base.raise = miniport_bus_raise;
	if (module->local_memory_bytes) {
		bus->base.local = mmap(NULL, module->local_memory_bytes, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (bus->base.local == MAP_FAILED)
			return -ENOMEM;
	}
	pthread_mutex_init(&bus->mutex, NULL);
	pthread_mutex_init(&bus->serial, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&bus->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return 0;
}

void miniport_bus_destroy(struct miniport_bus *bus)
{
	if (bus->base.local)
		munmap(bus->base.local, bus->module->local_memory_bytes);
	pthread_cond_destroy(&bus->changed);
	pthread_mutex_destroy(&bus->serial);
	pthread_mutex_destroy(&bus->mutex);
}
