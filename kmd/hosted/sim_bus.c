// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A simulated device as a struct rf_bus: each operation is one of librfsim.
 *
 * Locking: handlers are changed by the shell and read by whichever thread delivers
 * an interrupt, under the mutex; a handler is called without it. Time stands still
 * while the device is idle, so that a deadline, which is one of the host's clock,
 * is kept by the time that a thread sleeps.
 */
#include <limits.h>
#include <stdlib.h>

#include "hosted.h"
#include "rf_bus.h"
#include "rf_sim_bus.h"
#include "ringfence_hw.h"
#include "rfsim.h"

/* How far the clock runs before the host's time is looked at again */
#define WAIT_CYCLES 65536
#define NANOSECONDS_PER_MILLISECOND 1000000u

struct handler {
	rf_bus_interrupt_fn function;
	void *argument;
};

/* A page of another device that this one reaches. */
struct peer_page {
	struct rfsim_device *device;
	u64 address; /* on the bus; 0: none */
};

/* One for each other device of a world */
#define PEER_PAGES 8

struct sim_bus {
	struct rf_bus bus;
	struct rfsim_world *world;
	struct rfsim_device *device;
	unsigned int vectors;
	u64 bar_bytes[6];
	pthread_mutex_t mutex;
	pthread_cond_t idle;
	struct handler handlers[RF_MSIX_VECTORS];
	bool calling; /* a handler is under way */
	rf_sim_bus_watch_fn *watch; /* or NULL */
	void *watch_context;
	u64 watch_cycles, watch_next; /* the next call, in cycles */
	struct peer_page peers[PEER_PAGES];
	bool watching; /* it is under way */
};

static struct sim_bus *hosted_to_sim_bus(struct rf_bus *bus)
{
	return container_of(bus, struct sim_bus, bus);
}

/* --- accesses ------------------------------------------------------------------------ */

static void hosted_sim_read_bytes(struct rf_bus *bus, unsigned int bar, u64 offset, void *data,
				  size_t bytes)
{
	/* failed parts are all ones, which is what a lost device reads as */
	(void)rfsim_bar_read(hosted_to_sim_bus(bus)->device, bar, offset, data, bytes);
}

static void hosted_sim_write_bytes(struct rf_bus *bus, unsigned int bar, u64 offset,
				   const void *data, size_t bytes)
{
	(void)rfsim_bar_write(hosted_to_sim_bus(bus)->device, bar, offset, data, bytes);
}

static u32 hosted_sim_read32(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	u32 value = U32_MAX;

	hosted_sim_read_bytes(bus, bar, offset, &value, sizeof(value));
	return value;
}

static u64 hosted_sim_read64(struct rf_bus *bus, unsigned int bar, u64 offset)
{
	u64 value = U64_MAX;

	hosted_sim_read_bytes(bus, bar, offset, &value, sizeof(value));
	return value;
}

static void hosted_sim_write32(struct rf_bus *bus, unsigned int bar, u64 offset, u32 value)
{
	hosted_sim_write_bytes(bus, bar, offset, &value, sizeof(value));
}

static void hosted_sim_write64(struct rf_bus *bus, unsigned int bar, u64 offset, u64 value)
{
	hosted_sim_write_bytes(bus, bar, offset, &value, sizeof(value));
}

static u64 hosted_sim_bar_bytes(struct rf_bus *bus, unsigned int bar)
{
	return bar < ARRAY_SIZE(hosted_to_sim_bus(bus)->bar_bytes)
		       ? hosted_to_sim_bus(bus)->bar_bytes[bar]
		       : 0;
}

static int hosted_sim_map_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 *bus_address)
{
	uint64_t address;
	int ret = rfsim_memory_register(hosted_to_sim_bus(bus)->world, cpu, bytes, &address);

	if (!ret)
		*bus_address = address;
	return ret;
}

static void hosted_sim_unmap_memory(struct rf_bus *bus, void *cpu, u64 bytes, u64 bus_address)
{
	(void)cpu;
	(void)bytes;
	(void)rfsim_memory_unregister(hosted_to_sim_bus(bus)->world, bus_address);
}

/* --- other devices --------------------------------------------------------------------- */

/* The page with that address on the bus; 0: one that is free. mutex held. */
static struct peer_page *hosted_sim_find_peer(struct sim_bus *sim, u64 address)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sim->peers); i++)
		if (sim->peers[i].address == address)
			return &sim->peers[i];
	return NULL;
}

static const struct rf_bus_ops sim_bus_ops;

static int hosted_sim_open_peer(struct rf_bus *bus, struct rf_bus *peer, unsigned int bar,
				u64 offset, u64 *bus_address)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus), *other = hosted_to_sim_bus(peer);
	struct rfsim_port_config config;
	struct peer_page *page;
	struct rfsim_bar place;
	int ret;

	rfsim_port_config(sim->device, &config);
	if (peer->ops != &sim_bus_ops || config.peer_off || rfsim_bar(other->device, bar, &place))
		return -EOPNOTSUPP;
	pthread_mutex_lock(&sim->mutex);
	page = hosted_sim_find_peer(sim, 0);
	ret = page ? rfsim_peer_open(sim->device, other->device, bar, offset, HOSTED_PAGE_BYTES)
		   : -ENOSPC;
	if (!ret)
		*page = (struct peer_page){ other->device, place.address + offset };
	pthread_mutex_unlock(&sim->mutex);
	if (!ret)
		*bus_address = place.address + offset;
	return ret;
}

static void hosted_sim_close_peer(struct rf_bus *bus, u64 bus_address)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);
	struct peer_page *page;

	pthread_mutex_lock(&sim->mutex);
	page = hosted_sim_find_peer(sim, bus_address);
	rfsim_peer_close(sim->device, page->device);
	*page = (struct peer_page){ 0 };
	pthread_mutex_unlock(&sim->mutex);
}

/* --- interrupts ------------------------------------------------------------------------ */

static void hosted_sim_deliver(void *context, struct rfsim_device *device, uint32_t data)
{
	struct sim_bus *sim = context;
	struct handler handler = { 0 };

	(void)device;
	pthread_mutex_lock(&sim->mutex);
	if (data < ARRAY_SIZE(sim->handlers))
		handler = sim->handlers[data];
	sim->calling = true;
	pthread_mutex_unlock(&sim->mutex);

	if (handler.function)
		handler.function(handler.argument, data);

	pthread_mutex_lock(&sim->mutex);
	sim->calling = false;
	pthread_cond_broadcast(&sim->idle);
	pthread_mutex_unlock(&sim->mutex);
}

static unsigned int hosted_sim_vectors(struct rf_bus *bus)
{
	return hosted_to_sim_bus(bus)->vectors;
}

static int hosted_sim_request_interrupt(struct rf_bus *bus, unsigned int vector,
					rf_bus_interrupt_fn function, void *argument)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);

	if (vector >= sim->vectors)
		return -EINVAL;
	pthread_mutex_lock(&sim->mutex);
	sim->handlers[vector] = (struct handler){ function, argument };
	pthread_mutex_unlock(&sim->mutex);
	return 0;
}

static void hosted_sim_synchronize_interrupt(struct rf_bus *bus, unsigned int vector)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);

	(void)vector;
	pthread_mutex_lock(&sim->mutex);
	while (sim->calling)
		pthread_cond_wait(&sim->idle, &sim->mutex);
	pthread_mutex_unlock(&sim->mutex);
}

static void hosted_sim_free_interrupt(struct rf_bus *bus, unsigned int vector)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);

	pthread_mutex_lock(&sim->mutex);
	sim->handlers[vector] = (struct handler){ 0 };
	pthread_mutex_unlock(&sim->mutex);
	hosted_sim_synchronize_interrupt(bus, vector);
}

static void hosted_sim_hold_interrupts(struct rf_bus *bus)
{
	rfsim_interrupts_hold(hosted_to_sim_bus(bus)->world);
}

static void hosted_sim_release_interrupts(struct rf_bus *bus)
{
	rfsim_interrupts_release(hosted_to_sim_bus(bus)->world);
}

/* --- set-up ------------------------------------------------------------------------------ */

/* Cycles of the device; a line holds a completion up as no PCIe link does. */
#define SERIAL_COMPLETION_TIMEOUT 0x7fffffffu

/* What firmware and operating system do. The number of vectors, or an error of rfsim. */
static int hosted_sim_function_set_up(struct sim_bus *sim)
{
	const u64 timeout = SERIAL_COMPLETION_TIMEOUT;
	int ret = rfsim_enumerate(sim->device);

	if (!ret && rfsim_device_is_serial(sim->device))
		ret = rfsim_bar_write(sim->device, RF_BAR_REGISTERS,
				      RF_REG_DEVICE_COMPLETION_TIMEOUT, &timeout, sizeof(timeout));
	return ret ? ret : rfsim_msix_enable(sim->device);
}

/* --- reset ------------------------------------------------------------------------------ */

#define CAPABILITY_EXPRESS 0x10
#define EXPRESS_DEVICE_CONTROL 0x08
#define EXPRESS_DEVICE_STATUS 0x0a
#define EXPRESS_INITIATE_RESET (1u << 15)
#define EXPRESS_TRANSACTIONS_PENDING (1u << 5)
#define COMMAND 0x04
/* Longer than any completion takes that comes at all */
#define RESET_CYCLES 100000u
#define RESET_STEP 1000u

static bool hosted_sim_has_transactions_pending(struct sim_bus *sim, unsigned int capability)
{
	uint32_t status;

	return rfsim_config_read(sim->device, capability + EXPRESS_DEVICE_STATUS, 2, &status) ||
	       (status & EXPRESS_TRANSACTIONS_PENDING);
}

/* What firmware and operating system set up is set up again, at the same addresses. */
static int hosted_sim_reset_function(struct rf_bus *bus)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);
	unsigned int capability = rfsim_config_find(sim->device, CAPABILITY_EXPRESS);
	uint32_t control, cycles;

	if (!capability ||
	    rfsim_config_read(sim->device, capability + EXPRESS_DEVICE_CONTROL, 2, &control))
		return -EIO;
	rfsim_config_write(sim->device, COMMAND, 2, 0);
	for (cycles = 0;
	     hosted_sim_has_transactions_pending(sim, capability) && cycles < RESET_CYCLES;
	     cycles += RESET_STEP)
		rfsim_step(sim->world, RESET_STEP);
	rfsim_config_write(sim->device, capability + EXPRESS_DEVICE_CONTROL, 2,
			   control | EXPRESS_INITIATE_RESET);
	rfsim_step(sim->world, RESET_STEP);
	return hosted_sim_function_set_up(sim) < 0 ? -EIO : 0;
}

/* --- waiting ---------------------------------------------------------------------------- */

/* The call that is due, if nobody makes it and this thread may. */
static void hosted_sim_watch(struct sim_bus *sim)
{
	u64 cycle = rfsim_cycle(sim->world);
	bool due;

	if (hosted_locks_held)
		return;
	pthread_mutex_lock(&sim->mutex);
	due = !sim->watching && cycle >= sim->watch_next;
	if (due)
		sim->watching = true;
	pthread_mutex_unlock(&sim->mutex);
	if (!due)
		return;
	sim->watch(sim->watch_context, cycle);
	pthread_mutex_lock(&sim->mutex);
	sim->watch_next = rfsim_cycle(sim->world) + sim->watch_cycles;
	sim->watching = false;
	pthread_mutex_unlock(&sim->mutex);
}

static int hosted_sim_wait(struct rf_bus *bus, bool (*done)(void *argument), void *argument,
			   u64 deadline)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);
	struct rfsim_world *world = sim->world;
	int milliseconds = -1;
	int ret;

	do {
		if (deadline != RF_TIME_NEVER) {
			u64 now = rf_time();
			u64 left = deadline > now ? deadline - now : 0;

			left = (left + NANOSECONDS_PER_MILLISECOND - 1) /
			       NANOSECONDS_PER_MILLISECOND;
			if (!left)
				return done(argument) ? 0 : -ETIMEDOUT;
			milliseconds = left > INT_MAX ? INT_MAX : (int)left;
		}
		ret = rfsim_wait(world, done, argument, WAIT_CYCLES, milliseconds);
		if (ret == -ETIMEDOUT && sim->watch)
			hosted_sim_watch(sim);
	} while (ret == -ETIMEDOUT);
	return ret;
}

static void hosted_sim_wake(struct rf_bus *bus)
{
	rfsim_wake(hosted_to_sim_bus(bus)->world);
}

static const struct rf_bus_ops sim_bus_ops = {
	.read32 = hosted_sim_read32,
	.read64 = hosted_sim_read64,
	.write32 = hosted_sim_write32,
	.write64 = hosted_sim_write64,
	.read_bytes = hosted_sim_read_bytes,
	.write_bytes = hosted_sim_write_bytes,
	.bar_bytes = hosted_sim_bar_bytes,
	.map_memory = hosted_sim_map_memory,
	.unmap_memory = hosted_sim_unmap_memory,
	.open_peer = hosted_sim_open_peer,
	.close_peer = hosted_sim_close_peer,
	.vectors = hosted_sim_vectors,
	.request_interrupt = hosted_sim_request_interrupt,
	.free_interrupt = hosted_sim_free_interrupt,
	.synchronize_interrupt = hosted_sim_synchronize_interrupt,
	.reset_function = hosted_sim_reset_function,
	.hold_interrupts = hosted_sim_hold_interrupts,
	.release_interrupts = hosted_sim_release_interrupts,
	.wait = hosted_sim_wait,
	.wake = hosted_sim_wake,
};

int rf_sim_bus_create(struct rfsim_world *world, struct rfsim_device *device,
		      struct rf_bus **result)
{
	struct sim_bus *sim = calloc(1, sizeof(*sim));
	unsigned int i;
	int ret;

	if (!sim)
		return -ENOMEM;
	sim->world = world;
	sim->device = device;
	ret = hosted_sim_function_set_up(sim);
	if (ret < 0)
		goto free_sim;
	sim->vectors = (unsigned int)ret < RF_MSIX_VECTORS ? (unsigned int)ret : RF_MSIX_VECTORS;
	for (i = 0; i < ARRAY_SIZE(sim->bar_bytes); i++) {
		struct rfsim_bar bar;

		if (!rfsim_bar(device, i, &bar))
			sim->bar_bytes[i] = bar.bytes;
	}
	sim->bus.ops = &sim_bus_ops;
	pthread_mutex_init(&sim->mutex, NULL);
	pthread_cond_init(&sim->idle, NULL);
	rfsim_interrupt_callback(device, hosted_sim_deliver, sim);
	*result = &sim->bus;
	return 0;

free_sim:
	free(sim);
	return ret;
}

void rf_sim_bus_watch(struct rf_bus *bus, uint64_t cycles, rf_sim_bus_watch_fn *function,
		      void *context)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);

	sim->watch_context = context;
	sim->watch_cycles = cycles;
	sim->watch_next = rfsim_cycle(sim->world) + cycles;
	sim->watch = function;
}

void rf_sim_bus_destroy(struct rf_bus *bus)
{
	struct sim_bus *sim = hosted_to_sim_bus(bus);

	rfsim_interrupt_callback(sim->device, NULL, NULL);
	hosted_sim_synchronize_interrupt(bus, 0);
	pthread_cond_destroy(&sim->idle);
	pthread_mutex_destroy(&sim->mutex);
	free(sim);
}
