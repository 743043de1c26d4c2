// SPDX-License-Identifier: Apache-2.0
/* A bus without hardware; see fake.h. */
#include <string.h>
#include <time.h>

#include "fake.h"

static struct fake_bus *fake_bus(struct rf_bus *bus)
{
	return container_of(bus, struct fake_bus, bus);
}

/* --- accesses ------------------------------------------------------------------------ */

static u64 bus_read64(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	if (bar != RF_BAR_LOCAL_MEMORY)
		return 0;
	assert_false(fake_of(bus)->d3);
	assert_true(offset + 8 <= FAKE_LOCAL_BYTES);
	if (fake_bus(bus)->before_read)
		fake_bus(bus)->before_read(fake_bus(bus), offset,
					   fake_bus(bus)->before_read_argument);
	return __atomic_load_n(&fake_bus(bus)->local[offset / 8], __ATOMIC_SEQ_CST);
}

static void bus_write64(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	struct fake_bus *fake = fake_bus(bus);

	if (bar == RF_BAR_LOCAL_MEMORY) {
		assert_false(fake_of(bus)->d3);
		assert_true(offset + 8 <= FAKE_LOCAL_BYTES);
		__atomic_store_n(&fake->local[offset / 8], value, __ATOMIC_SEQ_CST);
		return;
	}
	pthread_mutex_lock(&fake->mutex);
	fake->last_offset = offset;
	fake->last_value = value;
	fake->stores++;
	pthread_mutex_unlock(&fake->mutex);
}

static u32 bus_read32(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	return (u32)(bus_read64(bus, bar, offset & ~7ull) >> (offset % 8 * 8));
}

static void bus_write32(struct rf_bus *bus, unsigned int bar, u64 offset, u32 value)
{
	(void)bus;
	(void)bar;
	(void)offset;
	(void)value;
	fail_msg("the core writes 64 bits only");
}

static void bus_read_bytes(struct rf_bus *bus, unsigned int bar, u64 offset, void *data,
			   size_t bytes)
{
	assert_int_equal(bar, RF_BAR_LOCAL_MEMORY);
	assert_false(fake_of(bus)->d3);
	assert_true(offset + bytes <= FAKE_LOCAL_BYTES);
	memcpy(data, (char *)fake_bus(bus)->local + offset, bytes);
}

static void bus_write_bytes(struct rf_bus *bus, unsigned int bar, u64 offset, const void *data,
			    size_t bytes)
{
	assert_int_equal(bar, RF_BAR_LOCAL_MEMORY);
	assert_false(fake_of(bus)->d3);
	assert_true(offset + bytes <= FAKE_LOCAL_BYTES);
	memcpy((char *)fake_bus(bus)->local + offset, data, bytes);
}

static u64 bus_bar_bytes(struct rf_bus *bus, unsigned int bar)
{
	(void)bus;
	return bar == RF_BAR_LOCAL_MEMORY ? FAKE_LOCAL_BYTES : 0;
}

static int bus_map_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 *bus_address)
{
	assert_int_equal((uintptr_t)cpu % 4096, 0);
	assert_int_equal(bytes % 4096, 0);
	if (!fake_bus(bus)->has_dma)
		return -EOPNOTSUPP;
	if (fake_bus(bus)->no_memory)
		return -ENOMEM;
	*bus_address = (uintptr_t)cpu;
	__atomic_fetch_add(&fake_bus(bus)->mapped, 1, __ATOMIC_RELAXED);
	return 0;
}

static void bus_unmap_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 bus_address)
{
	(void)bytes;
	assert_int_equal((uintptr_t)cpu, bus_address);
	__atomic_fetch_sub(&fake_bus(bus)->mapped, 1, __ATOMIC_RELAXED);
}

/* --- interrupts ------------------------------------------------------------------------ */

/* mutex held; dropped around the handler */
static void deliver(struct fake_bus *fake)
{
	while (fake->pending && !__atomic_load_n(&fake->first->held, __ATOMIC_SEQ_CST) &&
	       !fake->delivering && fake->handler) {
		fake->pending = false;
		fake->delivering = true;
		fake->delivered++;
		pthread_mutex_unlock(&fake->mutex);
		fake->handler(fake->argument, 0);
		pthread_mutex_lock(&fake->mutex);
		fake->delivering = false;
		pthread_cond_broadcast(&fake->changed);
	}
}

void fake_bus_raise(struct fake_bus *fake)
{
	pthread_mutex_lock(&fake->mutex);
	fake->pending = true;
	deliver(fake);
	pthread_mutex_unlock(&fake->mutex);
}

/* What the test does there is another thread's. */
static void call_between(struct fake_bus *fake)
{
	unsigned int held = hosted_locks_held;

	if (!fake->between)
		return;
	hosted_locks_held = 0;
	fake->between(fake->between_argument);
	hosted_locks_held = held;
}

static void bus_hold_interrupts(struct rf_bus *bus)
{
	struct fake_bus *fake = fake_bus(bus);

	call_between(fake);
	__atomic_fetch_add(&fake->first->held, 1, __ATOMIC_SEQ_CST);
}

static void bus_release_interrupts(struct rf_bus *bus)
{
	struct fake_bus *fake = fake_bus(bus);
	struct fake_bus *other = fake;

	assert_true(__atomic_fetch_sub(&fake->first->held, 1, __ATOMIC_SEQ_CST));
	do {
		pthread_mutex_lock(&other->mutex);
		deliver(other);
		pthread_mutex_unlock(&other->mutex);
		other = other->next;
	} while (other != fake);
	call_between(fake);
}

static unsigned int bus_vectors(struct rf_bus *bus)
{
	(void)bus;
	return 1;
}

static int bus_request_interrupt(struct rf_bus *bus, unsigned int vector,
				 rf_bus_interrupt_fn handler, void *argument)
{
	struct fake_bus *fake = fake_bus(bus);

	assert_int_equal(vector, 0);
	pthread_mutex_lock(&fake->mutex);
	fake->handler = handler;
	fake->argument = argument;
	pthread_mutex_unlock(&fake->mutex);
	return 0;
}

static void bus_synchronize_interrupt(struct rf_bus *bus, unsigned int vector)
{
	struct fake_bus *fake = fake_bus(bus);

	(void)vector;
	pthread_mutex_lock(&fake->mutex);
	while (fake->delivering)
		pthread_cond_wait(&fake->changed, &fake->mutex);
	pthread_mutex_unlock(&fake->mutex);
}

static void bus_free_interrupt(struct rf_bus *bus, unsigned int vector)
{
	struct fake_bus *fake = fake_bus(bus);

	pthread_mutex_lock(&fake->mutex);
	fake->handler = NULL;
	pthread_mutex_unlock(&fake->mutex);
	bus_synchronize_interrupt(bus, vector);
}

static int bus_wait(struct rf_bus *bus, bool (*done)(void *argument), void *argument, u64 deadline)
{
	struct fake_bus *fake = fake_bus(bus);
	struct timespec until = {
		.tv_sec = (time_t)(deadline / 1000000000u),
		.tv_nsec = (long)(deadline % 1000000000u),
	};
	int ret = 0;

	if (fake->blocks)
		fake->blocks(fake->between_argument);
	pthread_mutex_lock(&fake->mutex);
	while (!done(argument) && !ret) {
		if (deadline == RF_TIME_NEVER)
			pthread_cond_wait(&fake->changed, &fake->mutex);
		else
			ret = -pthread_cond_timedwait(&fake->changed, &fake->mutex, &until);
	}
	pthread_mutex_unlock(&fake->mutex);
	return done(argument) ? 0 : ret;
}

static void bus_wake(struct rf_bus *bus)
{
	struct fake_bus *fake = fake_bus(bus);

	pthread_mutex_lock(&fake->mutex);
	pthread_cond_broadcast(&fake->changed);
	pthread_mutex_unlock(&fake->mutex);
}

static const struct rf_bus_ops fake_bus_ops = {
	.read32 = bus_read32,
	.read64 = bus_read64,
	.write32 = bus_write32,
	.write64 = bus_write64,
	.read_bytes = bus_read_bytes,
	.write_bytes = bus_write_bytes,
	.bar_bytes = bus_bar_bytes,
	.map_memory = bus_map_memory,
	.unmap_memory = bus_unmap_memory,
	.open_peer = fake_open_peer,
	.close_peer = fake_close_peer,
	.vectors = bus_vectors,
	.request_interrupt = bus_request_interrupt,
	.free_interrupt = bus_free_interrupt,
	.synchronize_interrupt = bus_synchronize_interrupt,
	.hold_interrupts = bus_hold_interrupts,
	.release_interrupts = bus_release_interrupts,
	.wait = bus_wait,
	.wake = bus_wake,
};

void fake_bus_init(struct fake_bus *fake)
{
	pthread_condattr_t monotonic;

	memset(fake, 0, sizeof(*fake));
	fake->bus.ops = &fake_bus_ops;
	fake->first = fake;
	fake->next = fake;
	fake->has_dma = true;
	pthread_mutex_init(&fake->mutex, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&fake->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void fake_bus_join(struct fake_bus *first, struct fake_bus *fake)
{
	fake->first = first;
	fake->next = first->next;
	first->next = fake;
}

void fake_bus_destroy(struct fake_bus *fake)
{
	struct fake_bus *before = fake;

	while (before->next != fake)
		before = before->next;
	before->next = fake->next;
	assert_int_equal(fake->mapped, 0);
	assert_int_equal(fake->held, 0);
	pthread_cond_destroy(&fake->changed);
	pthread_mutex_destroy(&fake->mutex);
}
