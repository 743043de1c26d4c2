// SPDX-License-Identifier: Apache-2.0
/* Fences, waits, interrupts and logs through the whole driver. */
#include "rf_bus.h"
#include "ringfence_hw.h"
#include "stack.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#define NONE UINT64_MAX /* MonitoredValue without a waiter */

/* Both places of MonitoredValue, if the device has both. */
static const uint32_t placements[] = { 0, RF_FENCE_PLAIN };

/* --- values and their mappings ------------------------------------------------------- */

static void user_store_faults(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 7);

	RF_CHECK(conform, stack_store_faults(fence->value), "user mode could write CurrentValue");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 7, "CurrentValue after the store");
	/* The address is right: what faulted is the page's permission. */
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 8), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 8, "CurrentValue after a signal");
}

static void kernel_reads_and_writes_current_value(struct rf_conform *conform)
{
	static const uint64_t values[] = {
		1, 0x4000000000000001, 0x8000000000000000, 0xc0000000ffffffff, UINT64_MAX, 3
	};
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	const struct rf_watch_note *update;
	unsigned int i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		rf_watch_clear();
		RF_CHECK_EQUAL(conform, rf_fence_signal(fence, values[i]), 0, "rf_fence_signal");
		RF_CHECK_EQUAL(conform, rf_fence_value(fence), values[i], "user mode reads");
		RF_CHECK_EQUAL(conform, rf_watch_read(fence->current_address), values[i],
			       "the kernel reads");
		update = rf_watch_find(RF_WATCH_UPDATE_CURRENT, 0);
		RF_CHECK(conform, update && update->value == values[i],
			 "the driver was not asked to store the value");
	}
}

/* Whether any page that user mode can map shows the word. */
static bool is_mapped(struct rf_device *device, uint64_t word)
{
	/* where offsets begin in process, and on a render node */
	static const uint64_t begins[] = { 0, 1ull << 32 };
	unsigned int i, k;
	uint64_t offset;
	void *page;

	for (i = 0; i < 2048; i++) {
		offset = begins[i / 1024] + i % 1024 * 4096;
		if (rf_carrier_map(device->carrier, offset, 4096, false, &page))
			continue;
		for (k = 0; k < 512; k++) {
			if (((const volatile uint64_t *)page)[k] == word)
				return true;
		}
	}
	return false;
}

static void monitored_value_is_not_mapped(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, RF_FENCE_PLAIN, 0);
	const uint64_t value = 0x123456789abcdef0;

	stack_notify(conform, fence, value);
	RF_CHECK_WATCHED(conform, stack_monitored(fence), value - 1,
			 "MonitoredValue in the kernel");
	RF_CHECK(conform, !is_mapped(fence->device, value - 1), "user mode sees MonitoredValue");
	/* The search finds what is mapped. */
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, value - 5), 0, "rf_fence_signal");
	RF_CHECK(conform, is_mapped(fence->device, value - 5), "CurrentValue is not found");
}

static void polling_needs_no_driver(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rfsim_statistics before, after;
	unsigned int steps = 0;

	stack_signal(conform, queue, fence, 5);
	rfsim_statistics(conform->setup.world.sim, &before);
	rf_watch_clear();
	while (rf_fence_value(fence) != 5) {
		RF_CHECK(conform, ++steps < 10000, "the value never changed");
		rfsim_step(conform->setup.world.simulation, 1);
	}
	stack_settle(conform);
	rfsim_statistics(conform->setup.world.sim, &after);
	RF_CHECK_EQUAL(conform, after.receive.tlps[RFSIM_TLP_MEMORY_READ],
		       before.receive.tlps[RFSIM_TLP_MEMORY_READ], "reads of the device");
	RF_CHECK_EQUAL(conform, rf_watch_position(RF_WATCH_INTERRUPT, 0), SIZE_MAX,
		       "first interrupt");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 0, "calls of the driver");
}

/* --- MonitoredValue follows the waiters ---------------------------------------------- */

static void check_monitored(struct rf_conform *conform, const struct rf_fence *fence, uint64_t want,
			    size_t updates, const char *when)
{
	RF_CHECK_EQUAL(conform, stack_monitored(fence), want, when);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_MONITORED), updates, when);
}

static void monitored_value_follows_waiters(struct rf_conform *conform)
{
	struct rf_event *at50, *at42, *at43, *also42;
	struct rf_fence *fence;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		fence = stack_fence(conform, placements[i], 41);
		rf_watch_clear();
		check_monitored(conform, fence, NONE, 0, "without a waiter");
		at50 = stack_notify(conform, fence, 50);
		check_monitored(conform, fence, 49, 1, "waiter for 50");
		at42 = stack_notify(conform, fence, 42);
		check_monitored(conform, fence, 41, 2, "and for 42");
		at43 = stack_notify(conform, fence, 43);
		also42 = stack_notify(conform, fence, 42);
		check_monitored(conform, fence, 41, 2, "and for 43, and 42 again");
		rf_event_destroy(at42);
		check_monitored(conform, fence, 41, 2, "one of the two for 42 gone");
		rf_event_destroy(also42);
		check_monitored(conform, fence, 42, 3, "both for 42 gone");
		RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 43), 0, "rf_fence_signal");
		RF_CHECK(conform, stack_is_set(at43), "43 did not wake its waiter");
		RF_CHECK(conform, !stack_is_set(at50), "43 woke the waiter for 50");
		check_monitored(conform, fence, 49, 4, "43 reached");
		rf_event_destroy(at50);
		check_monitored(conform, fence, NONE, 5, "nobody waits any more");
		/* A wait for what is there, and one for 0, arm nothing (S0-44, C24). */
		RF_CHECK(conform, stack_is_set(stack_notify(conform, fence, 43)), "43 is there");
		RF_CHECK(conform, stack_is_set(stack_notify(conform, fence, 0)), "0 is there");
		check_monitored(conform, fence, NONE, 5, "waits for what is there");
	}
}

static void blocking_wait_that_gives_up(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 1);
	struct rf_fence *other = stack_fence(conform, 0, 1);
	struct rf_fence *both[] = { fence, other };
	const uint64_t values[] = { 10, 2 };

	RF_CHECK_EQUAL(conform, rf_fence_wait(fence, 9, SECOND / 1000), (uint64_t)-ETIMEDOUT,
		       "wait for 9");
	RF_CHECK_EQUAL(conform, stack_monitored(fence), NONE, "MonitoredValue after a time-out");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 1, "CurrentValue after a time-out");
	RF_CHECK_EQUAL(conform, rf_fence_signal(other, 2), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, rf_fences_wait(both, values, 2, RF_WAIT_ANY, SECOND), 0,
		       "wait-any");
	RF_CHECK_EQUAL(conform, stack_monitored(fence), NONE, "MonitoredValue after wait-any");
}

static void forty_one_forty_two(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_event *at42, *at43;
	struct rf_fence *fence;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		fence = stack_fence(conform, placements[i], 0);
		stack_signal(conform, queue, fence, 40);
		stack_settle(conform);
		at42 = stack_notify(conform, fence, 42);
		at43 = stack_notify(conform, fence, 43);
		rf_watch_clear();

		stack_signal(conform, queue, fence, 41);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, rf_fence_value(fence), 41, "CurrentValue");
		RF_CHECK_EQUAL(conform, stack_monitored(fence), 41, "MonitoredValue at 41");
		RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts for 41");

		stack_signal(conform, queue, fence, 42);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 1, "interrupts for 42");
		RF_CHECK(conform, stack_is_set(at42), "42 did not wake its waiter");
		RF_CHECK(conform, !stack_is_set(at43), "42 woke the waiter for 43");
		RF_CHECK_EQUAL(conform, stack_monitored(fence), 42, "MonitoredValue at 42");

		stack_signal(conform, queue, fence, 43);
		stack_settle(conform);
		RF_CHECK(conform, stack_is_set(at43), "43 did not wake its waiter");
		RF_CHECK_EQUAL(conform, stack_monitored(fence), NONE, "MonitoredValue at the end");
	}
}

/* --- waiting and signalling ---------------------------------------------------------- */

static void thread_blocks_until_signalled(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_memory *memory;
	struct rf_commands *commands;
	struct rf_fence *fence;
	unsigned int i;

	RF_CHECK(conform,
		 !rf_memory_create(conform->setup.device, 65536, RF_MEMORY_SYSTEM, &memory),
		 "rf_memory_create");
	for (i = 0; i < 2; i++) {
		fence = stack_fence(conform, placements[i], 0);
		commands = stack_commands(conform, queue);
		/* Long enough for the thread to be asleep. */
		rf_command_fill(commands, rf_memory_address(memory), 65536, i);
		rf_command_signal(commands, fence, 10);
		rf_watch_clear();
		stack_submit(conform, commands);
		if (conform->setup.world.sim)
			RF_CHECK_EQUAL(conform, rf_fence_value(fence), 0,
				       "signalled before the fill");
		RF_CHECK_EQUAL(conform, rf_fence_wait(fence, 9, 20 * SECOND), 0, "rf_fence_wait");
		RF_CHECK_EQUAL(conform, rf_fence_value(fence), 10, "CurrentValue");
		if (conform->setup.world.sim)
			RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 1,
				       "interrupts");
		stack_settle(conform);
	}
}

static void no_waiter_no_interrupt(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_fence *plain = stack_fence(conform, RF_FENCE_PLAIN, 0);
	struct rf_commands *commands = stack_commands(conform, queue);
	unsigned int i;

	rf_watch_clear();
	for (i = 1; i <= 40; i++) {
		rf_command_signal(commands, fence, i);
		rf_command_signal(commands, plain, i == 40 ? UINT64_MAX : i);
	}
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 40, "CurrentValue");
	RF_CHECK_EQUAL(conform, rf_fence_value(plain), UINT64_MAX, "CurrentValue of the other");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts");
}

static void engine_releases_engine(struct rf_conform *conform)
{
	struct rf_queue *copy = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *compute = stack_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_fence *start = stack_fence(conform, 0, 0);
	struct rf_fence *end = stack_fence(conform, 0, 0);
	struct rf_commands *waiting = stack_commands(conform, copy);
	struct rf_commands *signalling = stack_commands(conform, compute);
	struct rfsim_statistics before, after;

	rf_command_wait(waiting, start, 100);
	rf_command_signal(waiting, end, 1);
	stack_submit(conform, waiting);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(end), 0, "released before the signal");

	rf_command_signal(signalling, start, 101);
	rf_watch_clear();
	stack_submit(conform, signalling);
	rfsim_step(conform->setup.world.simulation, 4); /* the ring itself */
	rfsim_statistics(conform->setup.world.sim, &before);
	stack_settle(conform);
	rfsim_statistics(conform->setup.world.sim, &after);
	RF_CHECK_EQUAL(conform, rf_fence_value(end), 1, "the waiting queue");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts");
	RF_CHECK_EQUAL(conform,
		       after.receive.tlps[RFSIM_TLP_MEMORY_WRITE] +
			       after.receive.tlps[RFSIM_TLP_MEMORY_READ],
		       before.receive.tlps[RFSIM_TLP_MEMORY_WRITE] +
			       before.receive.tlps[RFSIM_TLP_MEMORY_READ],
		       "accesses of the CPU to the device");
}

/* All four pairings of waiter and signaller, on one fence. */
static void everybody_waits_and_signals(struct rf_conform *conform)
{
	struct rf_queue *copy = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_fence *end = stack_fence(conform, 0, 0);
	struct rf_commands *commands = stack_commands(conform, copy);
	struct rf_event *event;

	rf_command_wait(commands, fence, 5);
	rf_command_signal(commands, end, 1);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(end), 0, "released too early");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 5), 0, "CPU signal");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(end), 1, "CPU signals, GPU waits");

	event = stack_notify(conform, fence, 6);
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 6), 0, "CPU signal");
	RF_CHECK(conform, stack_is_set(event), "CPU signals, CPU waits");
	event = stack_notify(conform, fence, 7);
	stack_signal(conform, copy, fence, 7);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "GPU signals, CPU waits");
}

/* 1..32 fences, all or any of them. */
static void all_and_any_of_32(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_event *all, *any;
	struct rf_fence *fences[33];
	struct rf_commands *commands;
	uint64_t values[33];
	unsigned int i;

	for (i = 0; i < 33; i++) {
		fences[i] = stack_fence(conform, placements[i % 2], 0);
		values[i] = 3 + i;
	}
	RF_CHECK(conform, !rf_event_create(conform->setup.device, &all), "rf_event_create");
	RF_CHECK(conform, !rf_event_create(conform->setup.device, &any), "rf_event_create");
	RF_CHECK_EQUAL(conform, rf_fences_notify(fences, values, 33, RF_WAIT_ALL, all),
		       (uint64_t)-EINVAL, "33 fences");
	RF_CHECK_EQUAL(conform, rf_fences_notify(fences, values, 0, RF_WAIT_ALL, all),
		       (uint64_t)-EINVAL, "no fence");
	RF_CHECK_EQUAL(conform, rf_fences_notify(fences, values, 32, RF_WAIT_ALL, all), 0,
		       "32 fences");
	RF_CHECK_EQUAL(conform, rf_fences_notify(fences, values, 32, RF_WAIT_ANY, any), 0,
		       "32 fences");
	for (i = 0; i < 32; i++)
		RF_CHECK_WATCHED(conform, stack_monitored(fences[i]), values[i] - 1,
				 "MonitoredValue of each");
	for (i = 31; i < 32; i--) {
		commands = stack_commands(conform, queue);
		rf_command_signal(commands, fences[i], values[i] - 1); /* not enough */
		rf_command_signal(commands, fences[i], values[i] + i); /* or more */
		stack_submit(conform, commands);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, stack_is_set(any), i == 31, "wait-any");
		RF_CHECK_EQUAL(conform, stack_is_set(all), i == 0, "wait-all");
	}
	RF_CHECK_EQUAL(conform, rf_fences_wait(fences, values, 32, RF_WAIT_ALL, 0), 0,
		       "all are there");
	RF_CHECK_EQUAL(conform, rf_fences_wait(fences, values, 33, RF_WAIT_ANY, 0),
		       (uint64_t)-EINVAL, "33 fences");
}

static void event_collects_waits(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_fence *one = stack_fence(conform, 0, 0);
	struct rf_fence *two = stack_fence(conform, RF_FENCE_PLAIN, 0);
	struct rf_event *event = stack_notify(conform, one, 1);
	uint64_t value = 1;

	RF_CHECK_EQUAL(conform, rf_fences_notify(&two, &value, 1, RF_WAIT_ALL, event), 0,
		       "a second wait of one event");
	RF_CHECK_EQUAL(conform, rf_event_wait(event, 0), (uint64_t)-ETIMEDOUT, "not set");
	stack_signal(conform, queue, two, 1);
	RF_CHECK_EQUAL(conform, rf_event_wait(event, 20 * SECOND), 0, "the second wait");
	RF_CHECK_EQUAL(conform, rf_event_wait(event, 0), (uint64_t)-ETIMEDOUT, "cleared");
	stack_signal(conform, queue, one, 1);
	RF_CHECK_EQUAL(conform, rf_event_wait(event, 20 * SECOND), 0, "the first wait");
	value = 2;
	RF_CHECK_EQUAL(conform, rf_fences_notify(&two, &value, 1, RF_WAIT_ALL, event), 0, "notify");
	rf_fence_destroy(two);
	RF_CHECK_EQUAL(conform, rf_event_wait(event, 20 * SECOND), (uint64_t)-ECANCELED,
		       "the fence is gone");
}

static void intra_gpu_fences_know_no_cpu(struct rf_conform *conform)
{
	struct rf_queue *copy = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *compute = stack_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_fence *end = stack_fence(conform, 0, 0), *fence, *failed;
	struct rf_device *device = conform->setup.device;
	struct rf_commands *commands;
	struct rf_mem *mem;
	uint64_t offset;

	RF_CHECK_EQUAL(conform, rf_fence_create(device, RF_FENCE_INTRA_GPU, 0, 3, &failed),
		       (uint64_t)-EINVAL, "a first value from the CPU");
	rf_watch_clear();
	RF_CHECK_EQUAL(conform, rf_fence_create(device, RF_FENCE_INTRA_GPU, 0, 0, &fence), 0,
		       "rf_fence_create");
	RF_CHECK(conform, rf_watch_count(RF_WATCH_QUERY) >= 2, "no query for the segments");
	mem = rf_watch_memory(fence->current_address, &offset);
	RF_CHECK(conform, mem && mem->kind == RF_MEM_LOCAL, "CurrentValue is not in local memory");
	RF_CHECK(conform, !fence->value, "user mode has a mapping");
	RF_CHECK_EQUAL(conform, rf_fence_wait(fence, 1, 0), (uint64_t)-EOPNOTSUPP, "CPU wait");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 1), (uint64_t)-EOPNOTSUPP, "CPU signal");

	/* The first value comes from a queue; then engines release each other by it. */
	stack_signal(conform, copy, fence, 1);
	stack_settle(conform);
	commands = stack_commands(conform, compute);
	rf_command_wait(commands, fence, 2);
	rf_command_signal(commands, end, 1);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(end), 0, "released too early");
	stack_signal(conform, copy, fence, 2);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(end), 1, "not released");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts");
}

/* --- races of threads ---------------------------------------------------------------- */

#define RACE_ROUNDS 400

struct race {
	struct rf_conform *conform;
	struct rf_queue *queue;
	struct rf_fence *fence;
	uint64_t wanted; /* atomic */
};

/* As soon as a value is wanted, while its wait begins. */
static void *signal_what_is_wanted(void *argument)
{
	struct race *race = argument;
	struct rf_commands *commands;
	uint64_t value, i;

	for (value = 1; value <= RACE_ROUNDS; value++) {
		commands = stack_commands(race->conform, race->queue);
		rf_command_signal(commands, race->fence, value);
		/* a thread that yields comes back late on a busy processor */
		for (i = 1; __atomic_load_n(&race->wanted, __ATOMIC_ACQUIRE) < value; i++)
			if (i % 65536 == 0)
				sched_yield();
		stack_submit(race->conform, commands);
	}
	return NULL;
}

/* Long enough for the other thread to begin; asleep, should there be one processor for both. */
static void delay(struct rf_conform *conform)
{
	uint64_t rounds = rf_conform_random(conform, 20000);

	if (rounds % 2)
		usleep((unsigned int)rounds % 256);
	while (rounds--)
		__asm__ volatile("" : : : "memory");
}

/* A thread begins a wait while another has an engine signal; whoever is first, it ends. */
static void waits_race_signals(struct rf_conform *conform)
{
	unsigned int i, waited = 0;

	for (i = 0; i < 2; i++) {
		struct race race = {
			.conform = conform,
			.queue = stack_queue(conform, RF_ENGINE_COPY),
			.fence = stack_fence(conform, placements[i], 0),
		};
		pthread_t thread;
		uint64_t value;

		RF_CHECK(conform, !pthread_create(&thread, NULL, signal_what_is_wanted, &race),
			 "pthread_create");
		for (value = 1; value <= RACE_ROUNDS; value++) {
			__atomic_store_n(&race.wanted, value, __ATOMIC_RELEASE);
			delay(conform);
			waited += rf_fence_value(race.fence) < value;
			RF_CHECK_EQUAL(conform, rf_fence_wait(race.fence, value, 20 * SECOND), 0,
				       "rf_fence_wait");
		}
		pthread_join(thread, NULL);
	}
	rf_conform_note(conform, "%u of %u waits began before their signal", waited,
			2 * RACE_ROUNDS);
	RF_CHECK(conform, waited, "no wait began before its signal");
}

/* --- races with the driver's update -------------------------------------------------- */

/*
 * A waiter comes at any time before, while and after a signal is on its way. Who
 * wakes it differs; that it is woken must not.
 */
static void late_waiter(struct rf_conform *conform)
{
	unsigned int delay, i, at_once = 0, by_resample = 0, by_interrupt = 0;
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rfsim_port_config port;
	struct rf_device_info info;
	struct rf_fence *fence[2];
	struct rf_event *event;
	uint64_t value = 0;

	rf_device_info(conform->setup.device, &info);
	fence[0] = stack_fence(conform, placements[0], 0);
	fence[1] = stack_fence(conform, placements[1], 0);
	rfsim_port_config(conform->setup.world.sim, &port);
	port.read_latency_max = 60;
	port.posted_stall_percent = 20;
	port.read_stall_percent = 20;
	RF_CHECK(conform, !rfsim_port_configure(conform->setup.world.sim, &port), "port");
	for (delay = 0; delay < 1040; delay++) {
		for (i = 0; i < 2; i++) {
			struct rf_commands *commands = stack_commands(conform, queue);

			value++;
			rf_command_signal(commands, fence[i], value);
			stack_submit(conform, commands);
			rfsim_step(conform->setup.world.simulation, delay);
			rf_watch_clear();
			event = stack_notify(conform, fence[i], value);
			if (!rf_watch_count(RF_WATCH_UPDATE_MONITORED))
				at_once++;
			if (stack_is_set(event)) {
				by_resample += !!rf_watch_count(RF_WATCH_UPDATE_MONITORED);
				stack_settle(conform);
			} else {
				stack_settle(conform);
				by_interrupt += !!rf_watch_count(RF_WATCH_NOTIFY);
				RF_CHECK(conform, stack_is_set(event),
					 "the waiter that came %u cycles after the ring sleeps "
					 "(placement %u)",
					 delay, i);
			}
			RF_CHECK_EQUAL(conform, stack_monitored(fence[i]), NONE,
				       "MonitoredValue afterwards");
			rf_event_destroy(event);
			rf_commands_destroy(commands);
		}
	}
	rf_conform_note(conform,
			"waiter 0..1039 cycles after the ring: %u at once, %u by the "
			"second look or an interrupt within it, %u by a later interrupt",
			at_once, by_resample, by_interrupt);
	/* Without the update port an update takes no time: nothing falls within it. */
	RF_CHECK(conform, at_once && by_interrupt && (by_resample || !info.monitored_local),
		 "window missed: %u at once, %u within, %u later", at_once, by_resample,
		 by_interrupt);
}

/*
 * A wait for many fences: the device takes the new MonitoredValues one after the
 * other. What is signalled before its own turn raises no interrupt, and only the
 * second look at CurrentValue finds it.
 */
static void second_look_finds_what_raised_no_interrupt(struct rf_conform *conform)
{
	const unsigned int stretch = rf_conform_stretch(conform);
	unsigned int delay, i, at_once = 0, by_second_look = 0, by_interrupt = 0;
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fences[20];
	uint64_t values[20], value = 0;

	for (i = 0; i < 20; i++) {
		/* The last one's MonitoredValue is not compared by the update itself. */
		fences[i] = stack_fence(conform, i < 19 ? 0 : RF_FENCE_PLAIN, 0);
		values[i] = 1u << 30;
	}
	for (delay = 0; delay < 260 * stretch; delay += stretch) {
		struct rf_commands *commands = stack_commands(conform, queue);
		struct rf_event *event;
		bool set;

		RF_CHECK(conform, !rf_event_create(conform->setup.device, &event),
			 "rf_event_create");
		values[19] = ++value;
		rf_command_signal(commands, fences[19], value);
		stack_submit(conform, commands);
		rfsim_step(conform->setup.world.simulation, delay);
		rf_watch_clear();
		RF_CHECK_EQUAL(conform, rf_fences_notify(fences, values, 20, RF_WAIT_ANY, event), 0,
			       "rf_fences_notify");
		set = stack_is_set(event);
		if (!rf_watch_count(RF_WATCH_UPDATE_MONITORED))
			at_once++;
		else if (set && !rf_watch_count(RF_WATCH_INTERRUPT))
			by_second_look++;
		stack_settle(conform);
		if (!set) {
			by_interrupt++;
			RF_CHECK(conform, stack_is_set(event),
				 "the waiter that came %u cycles after the ring sleeps", delay);
		}
		for (i = 0; i < 20; i++)
			RF_CHECK_EQUAL(conform, stack_monitored(fences[i]), NONE,
				       "MonitoredValue afterwards");
		rf_event_destroy(event);
		rf_commands_destroy(commands);
	}
	rf_conform_note(conform,
			"waiter 0..%u cycles after the ring: %u at once, %u by the second look, "
			"%u by an interrupt",
			delay - stretch, at_once, by_second_look, by_interrupt);
	RF_CHECK(conform, at_once && by_second_look,
		 "window missed: %u at once, %u by the second look", at_once, by_second_look);
}

struct exclusion {
	struct rf_conform *conform;
	struct rf_fence *fence;
	bool stop;
};

static void *update_again_and_again(void *argument)
{
	struct exclusion *exclusion = argument;
	struct rf_event *event;
	uint64_t value = UINT64_MAX;

	while (!__atomic_load_n(&exclusion->stop, __ATOMIC_ACQUIRE)) {
		if (rf_event_create(exclusion->fence->device, &event))
			break;
		rf_fences_notify(&exclusion->fence, &value, 1, RF_WAIT_ALL, event);
		rf_event_destroy(event);
	}
	return NULL;
}

static void update_excludes_interrupt_service(struct rf_conform *conform)
{
	struct exclusion exclusion = { .conform = conform };
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *signalled = stack_fence(conform, 0, 0);
	struct rf_event *event;
	pthread_t thread;
	uint64_t value;

	exclusion.fence = stack_fence(conform, 0, 0);
	rf_watch_clear();
	RF_CHECK(conform, !pthread_create(&thread, NULL, update_again_and_again, &exclusion),
		 "pthread_create");
	for (value = 1; value <= 240; value++) {
		event = stack_notify(conform, signalled, value);
		stack_signal(conform, queue, signalled, value);
		RF_CHECK_EQUAL(conform, rf_event_wait(event, 20 * SECOND), 0, "rf_event_wait");
		rf_event_destroy(event);
	}
	__atomic_store_n(&exclusion.stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	rf_conform_note(conform, "%zu interrupts, %zu updates", rf_watch_count(RF_WATCH_INTERRUPT),
			rf_watch_count(RF_WATCH_UPDATE_MONITORED));
	RF_CHECK(conform, rf_watch_count(RF_WATCH_INTERRUPT) > 10, "too few interrupts");
	RF_CHECK(conform, rf_watch_count(RF_WATCH_UPDATE_MONITORED) > 10, "too few updates");
	RF_CHECK_EQUAL(conform, rf_watch_overlaps(), 0, "interrupt services inside an update");
}

static void spurious_interrupt_changes_nothing(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	const struct rf_watch_note *created;
	struct rf_fence *waited, *other;
	struct rf_event *event, *set;

	rf_watch_clear();
	waited = stack_fence(conform, 0, 4);
	created = rf_watch_find(RF_WATCH_CREATE_FENCE, 0);
	rf_watch_change.extra_fence = created->core;
	other = stack_fence(conform, 0, 0);
	event = stack_notify(conform, waited, 10);
	set = stack_notify(conform, other, 1);
	stack_signal(conform, queue, other, 1);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(set), "the fence that was signalled");
	RF_CHECK(conform, !stack_is_set(event), "woken by nothing");
	RF_CHECK_EQUAL(conform, stack_monitored(waited), 9, "MonitoredValue");
	RF_CHECK_EQUAL(conform, rf_fence_value(waited), 4, "CurrentValue");
	rf_watch_change.extra_fence = NULL;
	stack_signal(conform, queue, waited, 10);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "10 did not wake its waiter");
}

/* The CPU sees 43 when it hears of 42, and wakes both waiters. */
static void newer_value_is_seen(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 41);
	struct rf_event *at42 = stack_notify(conform, fence, 42);
	struct rf_event *at43 = stack_notify(conform, fence, 43);
	struct rf_commands *commands = stack_commands(conform, queue);

	rfsim_interrupts_hold(conform->setup.world.simulation);
	rf_command_signal(commands, fence, 42);
	rf_command_signal(commands, fence, 43);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK(conform, !stack_is_set(at42), "woken without an interrupt");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 43, "CurrentValue");
	rf_watch_clear();
	rfsim_interrupts_release(conform->setup.world.simulation);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(at42) && stack_is_set(at43), "a waiter sleeps");
	RF_CHECK_EQUAL(conform, stack_monitored(fence), NONE, "MonitoredValue");
}

/* --- storage ------------------------------------------------------------------------- */

static void values_are_packed(struct rf_conform *conform)
{
	struct rf_device *device = conform->setup.device, *other;
	struct rf_fence *first = stack_fence(conform, 0, 0), *fence, *foreign;
	struct rf_mem *current, *monitored, *next_current, *next_monitored, *mem;
	struct rf_device_info info;
	uint64_t offset, used = 0;
	unsigned int i;

	rf_device_info(device, &info);
	RF_CHECK(conform, info.fence_stride >= 8 && !(info.fence_stride & (info.fence_stride - 1)),
		 "stride %u", info.fence_stride);
	current = rf_watch_memory(first->current_address, &offset);
	monitored = rf_watch_memory(first->monitored_address, &offset);
	RF_CHECK(conform, current && monitored && current != monitored,
		 "CurrentValue and MonitoredValue lie in one page");
	RF_CHECK(conform, current->kind == RF_MEM_SYSTEM, "CurrentValue of a DEFAULT fence");
	RF_CHECK(conform, monitored->kind == (info.monitored_local ? RF_MEM_LOCAL : RF_MEM_SYSTEM),
		 "MonitoredValue is not where the driver prefers it");
	for (i = 0; i < 4096 / info.fence_stride - 1; i++) {
		fence = stack_fence(conform, 0, 0);
		mem = rf_watch_memory(fence->current_address, &offset);
		RF_CHECK(conform, mem == current, "fence %u has a page of its own", i);
		RF_CHECK_EQUAL(conform, offset % info.fence_stride, 0, "place of a value");
		if (info.fence_stride == 64) {
			RF_CHECK(conform, !(used & 1ull << offset / 64), "a place taken twice");
			used |= 1ull << offset / 64;
		}
	}
	/* One more begins a page, in which there is room for others. */
	fence = stack_fence(conform, 0, 0);
	next_current = rf_watch_memory(fence->current_address, &offset);
	next_monitored = rf_watch_memory(fence->monitored_address, &offset);
	RF_CHECK(conform, next_current != current && next_monitored != monitored,
		 "more values than places in a page");

	/* Another process, and a shareable fence, have pages of their own. */
	other = stack_process(conform);
	RF_CHECK(conform, !rf_fence_create(other, RF_FENCE_DEFAULT, 0, 0, &foreign),
		 "rf_fence_create");
	mem = rf_watch_memory(foreign->current_address, &offset);
	RF_CHECK(conform, mem != current && mem != next_current,
		 "two processes share a page of CurrentValues");
	mem = rf_watch_memory(foreign->monitored_address, &offset);
	RF_CHECK(conform, mem != monitored && mem != next_monitored,
		 "two processes share a page of MonitoredValues");
	rf_fence_destroy(foreign);
	rf_device_close(other);
}

static void shareable_fences_have_own_pages(struct rf_conform *conform)
{
	struct rf_mem *pages[12];
	struct rf_fence *fence;
	unsigned int i, j, count = 0;
	uint64_t offset;

	for (i = 0; i < 6; i++) {
		fence = stack_fence(conform, i % 3 ? RF_FENCE_SHARED : 0, 0);
		if (i % 3 == 0)
			continue;
		pages[count++] = rf_watch_memory(fence->current_address, &offset);
		/* What may be seen by another adapter lies in system memory. */
		RF_CHECK(conform, pages[count - 1]->kind == RF_MEM_SYSTEM,
			 "CurrentValue of a shareable fence");
		pages[count++] = rf_watch_memory(fence->monitored_address, &offset);
	}
	fence = stack_fence(conform, 0, 0);
	pages[count++] = rf_watch_memory(fence->current_address, &offset);
	pages[count++] = rf_watch_memory(fence->monitored_address, &offset);
	for (i = 0; i < count; i++) {
		for (j = 0; j < i; j++)
			RF_CHECK(conform, pages[i] != pages[j],
				 "values of a shareable fence share a page");
	}
}

/* The process addresses and the system process's name the same words. */
static void mapped_in_the_system_process(struct rf_conform *conform)
{
	uint64_t current_offset, monitored_offset, offset;
	const struct rf_watch_note *created;
	struct rf_mem *current, *monitored;
	struct rf_fence *fence;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		rf_watch_clear();
		fence = stack_fence(conform, placements[i], 0);
		created = rf_watch_find(RF_WATCH_CREATE_FENCE, 0);
		RF_CHECK(conform, created && created->value && created->address,
			 "no system addresses at creation");
		current = rf_watch_memory(fence->current_address, &current_offset);
		monitored = rf_watch_memory(fence->monitored_address, &monitored_offset);
		RF_CHECK(conform,
			 rf_watch_memory(created->value, &offset) == current &&
				 offset == current_offset,
			 "CurrentValue");
		RF_CHECK(conform,
			 rf_watch_memory(created->address, &offset) == monitored &&
				 offset == monitored_offset,
			 "MonitoredValue");
		RF_CHECK(conform, created->value != fence->current_address,
			 "the system process has the process's address");
		/* Engines of the process may not write MonitoredValue (S0-8). */
		RF_CHECK_EQUAL(conform, rf_watch_map_flags(fence->monitored_address),
			       RF_MAP_READ_ONLY, "mapping of MonitoredValue");
		RF_CHECK_EQUAL(conform, rf_watch_map_flags(fence->current_address), 0,
			       "mapping of CurrentValue");
	}
}

/* --- features and caps --------------------------------------------------------------- */

static void driver_asks_before_it_advertises(struct rf_conform *conform)
{
	const struct rf_watch_note *asked, *table, *caps;
	struct rf_device_info info;
	size_t i;

	/* The notes of this test begin with the start of the device. */
	asked = rf_watch_find(RF_WATCH_IS_FEATURE_ENABLED, 0);
	RF_CHECK(conform, asked && asked->value == RF_FEATURE_NATIVE_FENCE && asked->extra,
		 "the driver did not ask for native fences");
	table = rf_watch_find(RF_WATCH_QUERY_INTERFACE, 0);
	RF_CHECK(conform, table && table->value == RF_FEATURE_NATIVE_FENCE && !table->extra,
		 "the interface of an enabled feature was refused");
	for (i = 0; (caps = rf_watch_find(RF_WATCH_QUERY, i)); i++)
		if (caps->value == RF_QUERY_DRIVER_CAPS)
			break;
	RF_CHECK(conform, caps && caps->extra & RF_VIDSCH_NATIVE_GPU_FENCE,
		 "the driver does not advertise native fences");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_IS_FEATURE_ENABLED, 0) <
			 rf_watch_position(RF_WATCH_QUERY, i),
		 "advertised before it asked");
	for (i = 0; (caps = rf_watch_find(RF_WATCH_QUERY, i)); i++)
		if (caps->value == RF_QUERY_NATIVE_FENCE_CAPS)
			break;
	RF_CHECK(conform, caps, "NATIVE_FENCE_CAPS were not asked for");
	rf_device_info(conform->setup.device, &info);
	RF_CHECK_EQUAL(conform, info.native_fence, 1, "NativeGpuFenceSupported");
	RF_CHECK_EQUAL(conform, info.fence_stride, 64, "MonitoredValueStride");
}

extern const struct rf_ddi rf_ringfence_ddi, rf_ringfence_optimized_ddi;

static void table_is_complete(struct rf_conform *conform)
{
	const struct rf_ddi *tables[] = { &rf_ringfence_ddi, &rf_ringfence_optimized_ddi };
	unsigned int i;

	for (i = 0; i < 2; i++)
		RF_CHECK(conform,
			 tables[i]->create_native_fence && tables[i]->destroy_native_fence &&
				 tables[i]->open_native_fence && tables[i]->close_native_fence &&
				 tables[i]->set_native_fence_log_buffer &&
				 tables[i]->update_native_fence_logs,
			 "an entry of the table is missing");
}

/* --- life ---------------------------------------------------------------------------- */

static void create_open_close_destroy(struct rf_conform *conform)
{
	const struct rf_watch_note *created, *opened, *opened_by_b;
	struct rf_device *a = conform->setup.device, *b;
	struct rf_fence *mine, *theirs, *none;
	const void *global, *local, *local_of_b;
	struct rf_queue *queue;
	uint64_t token = 0;

	b = stack_process(conform);
	rf_watch_clear();
	mine = stack_fence(conform, RF_FENCE_SHARED, 3);
	RF_CHECK(conform, !rf_fence_share(mine, &token) && token, "rf_fence_share");
	created = rf_watch_find(RF_WATCH_CREATE_FENCE, 0);
	opened = rf_watch_find(RF_WATCH_OPEN_FENCE, 0);
	RF_CHECK(conform, created && opened && created < opened && opened->other == created->object,
		 "not created, then opened");
	global = created->object;
	local = opened->object;

	rf_watch_clear();
	RF_CHECK_EQUAL(conform, rf_fence_open(b, token, 0, &theirs), 0, "rf_fence_open");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_CREATE_FENCE), 0, "creations by B");
	opened_by_b = rf_watch_find(RF_WATCH_OPEN_FENCE, 0);
	RF_CHECK(conform, opened_by_b && opened_by_b->other == global, "B opens the global fence");
	local_of_b = opened_by_b->object;
	RF_CHECK(conform, local_of_b != local, "B's local handle is A's");
	RF_CHECK(conform, theirs->current_address != mine->current_address,
		 "both processes have the same addresses");
	RF_CHECK_EQUAL(conform, rf_fence_value(theirs), 3, "CurrentValue in B");

	rf_watch_clear();
	rf_fence_destroy(mine);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_CLOSE_FENCE), 1, "closes by A");
	RF_CHECK(conform, rf_watch_find(RF_WATCH_CLOSE_FENCE, 0)->object == local, "A's instance");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_DESTROY_FENCE), 0, "destroyed by A");
	/* B's instance goes on: CPU signal, GPU signal, wait. */
	RF_CHECK_EQUAL(conform, rf_fence_signal(theirs, 4), 0, "CPU signal by B");
	RF_CHECK(conform, !rf_queue_create(b, RF_ENGINE_COPY, 16, 0, &queue), "queue of B");
	stack_signal(conform, queue, theirs, 5);
	RF_CHECK_EQUAL(conform, rf_fence_wait(theirs, 5, 20 * SECOND), 0, "wait by B");

	rf_watch_clear();
	rf_fence_destroy(theirs);
	RF_CHECK(conform,
		 rf_watch_count(RF_WATCH_CLOSE_FENCE) == 1 &&
			 rf_watch_find(RF_WATCH_CLOSE_FENCE, 0)->object == local_of_b,
		 "B's instance was not closed");
	RF_CHECK(conform,
		 rf_watch_count(RF_WATCH_DESTROY_FENCE) == 1 &&
			 rf_watch_find(RF_WATCH_DESTROY_FENCE, 0)->object == global,
		 "the global fence was not destroyed");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_CLOSE_FENCE, 0) <
			 rf_watch_position(RF_WATCH_DESTROY_FENCE, 0),
		 "destroyed before it was closed");
	RF_CHECK_EQUAL(conform, rf_fence_open(a, token, 0, &none), (uint64_t)-ENOENT,
		       "the token of a fence that is gone");
	rf_queue_destroy(queue);
	rf_device_close(b);
}

static void stale_handles_are_rejected(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0), *next;
	struct rf_device *other;
	struct rf_fence stale = *fence;
	unsigned int i;

	other = stack_process(conform);
	rf_fence_destroy(fence);
	for (i = 0; i < 300; i++) {
		next = stack_fence(conform, 0, 0);
		RF_CHECK(conform, next->handle != stale.handle, "a handle used twice");
		RF_CHECK_EQUAL(conform, rf_fence_signal(&stale, 1), (uint64_t)-ENOENT,
			       "signal by a stale handle");
		RF_CHECK_EQUAL(conform,
			       rf_fences_wait((struct rf_fence *[]){ &stale }, (uint64_t[]){ 1 }, 1,
					      RF_WAIT_ALL, 0),
			       (uint64_t)-ENOENT, "wait by a stale handle");
		RF_CHECK_EQUAL(conform, rf_fence_value(next), 0, "the fence in its place");
		if (i == 299) {
			stale = *next;
			stale.device = other;
			RF_CHECK_EQUAL(conform, rf_fence_signal(&stale, 1), (uint64_t)-ENOENT,
				       "a handle of another process");
		}
		rf_fence_destroy(next);
	}
	rf_device_close(other);
}

static void pending_waits_end_with_their_fence(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, RF_FENCE_SHARED, 0), *second;
	struct rf_event *event = stack_notify(conform, fence, 5), *kept;
	uint64_t token;

	RF_CHECK(conform, !rf_fence_share(fence, &token), "rf_fence_share");
	RF_CHECK_EQUAL(conform, rf_fence_open(conform->setup.device, token, 0, &second), 0,
		       "opening it again");
	RF_CHECK_EQUAL(conform, second->current_address, fence->current_address,
		       "address in the same process (A-13)");
	kept = stack_notify(conform, second, 6);
	rf_fence_destroy(fence);
	RF_CHECK_EQUAL(conform, rf_event_wait(event, 0), (uint64_t)-ECANCELED, "its wait");
	RF_CHECK_EQUAL(conform, rf_event_wait(kept, 0), (uint64_t)-ETIMEDOUT, "the other's wait");
	RF_CHECK_WATCHED(conform, stack_monitored(second), 5, "MonitoredValue");
	RF_CHECK_EQUAL(conform, rf_fence_signal(second, 6), 0, "rf_fence_signal");
	RF_CHECK(conform, stack_is_set(kept), "the other's wait was not satisfied");
}

static void progress_fence_is_native(struct rf_conform *conform)
{
	const struct rf_watch_note *fence, *queue;

	rf_watch_clear();
	stack_queue(conform, RF_ENGINE_COMPUTE);
	fence = rf_watch_find(RF_WATCH_CREATE_FENCE, 0);
	queue = rf_watch_find(RF_WATCH_CREATE_QUEUE, 0);
	RF_CHECK(conform, fence && queue && fence < queue, "no fence before the queue");
	RF_CHECK(conform, queue->value & RF_HW_QUEUE_NATIVE_PROGRESS_FENCE,
		 "NativeProgressFence is not set");
	RF_CHECK(conform, queue->other == fence->object, "it names another fence");
}

/* --- interrupts ---------------------------------------------------------------------- */

static void names_exactly_the_waited_fences(struct rf_conform *conform)
{
	struct rf_queue *queues[2] = { stack_queue(conform, RF_ENGINE_COMPUTE),
				       stack_queue(conform, RF_ENGINE_COPY) };
	const struct rf_watch_note *notify;
	struct rf_event *events[4] = { 0 };
	const void *handles[4];
	struct rf_fence *fences[4];
	unsigned int i, node, named[4];
	struct rf_commands *commands;
	size_t k;

	for (i = 0; i < 4; i++) {
		rf_watch_clear();
		fences[i] = stack_fence(conform, placements[i / 2], 0);
		handles[i] = rf_watch_find(RF_WATCH_CREATE_FENCE, 0)->core;
	}
	for (node = 0; node < 2; node++) {
		events[1] = stack_notify(conform, fences[1], node + 1);
		events[2] = stack_notify(conform, fences[2], node + 1);
		rf_watch_clear();
		commands = stack_commands(conform, queues[node]);
		for (i = 0; i < 4; i++)
			rf_command_signal(commands, fences[i], node + 1);
		stack_submit(conform, commands);
		stack_settle(conform);
		RF_CHECK(conform, stack_is_set(events[1]) && stack_is_set(events[2]),
			 "a waiter sleeps");
		memset(named, 0, sizeof(named));
		for (k = 0; k < rf_watch_count(RF_WATCH_NOTIFY_FENCE); k++) {
			const void *handle = rf_watch_find(RF_WATCH_NOTIFY_FENCE, k)->object;

			for (i = 0; i < 4 && handles[i] != handle; i++)
				;
			RF_CHECK(conform, i < 4, "a handle of no fence");
			named[i]++;
		}
		RF_CHECK(conform, !named[0] && named[1] && named[2] && !named[3],
			 "fences named %u %u %u %u times", named[0], named[1], named[2], named[3]);
		for (k = 0; (notify = rf_watch_find(RF_WATCH_NOTIFY, k)); k++) {
			RF_CHECK_EQUAL(conform, notify->value, 19, "NATIVE_FENCE_SIGNALED");
			RF_CHECK_EQUAL(conform, notify->extra, node, "NodeOrdinal");
		}
		RF_CHECK(conform, k > 0, "no report");
	}
}

static void destroyed_handle_is_fatal(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0), *dead;
	struct rf_commands *commands = stack_commands(conform, queue);
	struct rf_event *event, *never;

	rf_watch_clear();
	dead = stack_fence(conform, 0, 0);
	rf_watch_change.extra_fence = rf_watch_find(RF_WATCH_CREATE_FENCE, 0)->core;
	rf_fence_destroy(dead);
	event = stack_notify(conform, fence, 1);
	never = stack_notify(conform, fence, 100);
	rf_command_signal(commands, fence, 1);
	stack_submit_bad(conform, commands);
	stack_settle(conform);
	/* Never a silent success: the device is not used any more. */
	RF_CHECK_EQUAL(conform, rf_event_wait(never, 0), (uint64_t)-ENODEV, "a pending wait");
	RF_CHECK_EQUAL(conform, rf_fence_wait(fence, 200, 0), (uint64_t)-ENODEV, "a new wait");
	(void)event;
}

static void null_array_evaluates_all(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fences[20];
	struct rf_event *reached[20], *not_reached[20];
	unsigned int i;

	for (i = 0; i < 20; i++) {
		fences[i] = stack_fence(conform, placements[i % 2], 0);
		reached[i] = stack_notify(conform, fences[i], 1);
		not_reached[i] = stack_notify(conform, fences[i], 3);
	}
	rf_watch_change.null_array = true;
	rfsim_interrupts_hold(conform->setup.world.simulation);
	for (i = 0; i < 20; i += 10) {
		struct rf_commands *commands = stack_commands(conform, queue);
		unsigned int k;

		for (k = i; k < i + 10; k++)
			rf_command_signal(commands, fences[k], 2);
		stack_submit(conform, commands);
	}
	stack_settle(conform);
	rfsim_interrupts_release(conform->setup.world.simulation);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 0, "fences named");
	for (i = 0; i < 20; i++) {
		RF_CHECK(conform, stack_is_set(reached[i]), "waiter %u sleeps", i);
		RF_CHECK(conform, !stack_is_set(not_reached[i]), "waiter %u for 3 was woken", i);
	}
}

/* No log tells of the dropped record: its entries would be evaluated after an overrun. */
static void overflow_evaluates_all(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *flood = stack_fence(conform, 0, 0), *dropped = stack_fence(conform, 0, 0);
	struct rf_event *reached = stack_notify(conform, dropped, 1);
	struct rf_commands *commands;
	uint64_t value = 0;
	unsigned int i;

	stack_notify(conform, flood, 1);
	rfsim_interrupts_hold(conform->setup.world.simulation);
	for (i = 0; i < 6; i++) {
		commands = stack_commands(conform, queue);
		rf_commands_log(commands, 0);
		while (value < 50 * (i + 1))
			rf_command_signal(commands, flood, ++value);
		if (i == 5)
			rf_command_signal(commands, dropped, 1);
		stack_submit(conform, commands);
	}
	stack_settle(conform);
	RF_CHECK(conform,
		 rf_bus_read64(conform->bus, RF_BAR_REGISTERS, RF_REG_INTERRUPT_OVERFLOW) &
			 RF_INTERRUPT_OVERFLOW_OVERFLOW_MASK,
		 "300 records did not overflow the ring");
	rfsim_interrupts_release(conform->setup.world.simulation);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(reached), "the waiter of the dropped record sleeps");
}

static void batches_apply_all(struct rf_conform *conform)
{
	struct drm_ringfence_fence_value elements[32];
	struct drm_ringfence_fence_signal signal = {
		.fences = { .stride = sizeof(elements[0]),
			    .count = 32,
			    .array = (uintptr_t)elements },
	};
	struct rf_fence *fences[32];
	struct rf_event *event;
	uint64_t values[32];
	unsigned int i;

	for (i = 0; i < 32; i++) {
		fences[i] = stack_fence(conform, placements[i % 2], 0);
		values[i] = 100 + i * 7;
		elements[i] = (struct drm_ringfence_fence_value){ .handle = fences[i]->handle,
								  .value = values[i] };
	}
	RF_CHECK(conform, !rf_event_create(conform->setup.device, &event), "rf_event_create");
	rf_watch_clear();
	RF_CHECK_EQUAL(conform, rf_fences_notify(fences, values, 32, RF_WAIT_ALL, event), 0,
		       "rf_fences_notify");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_MONITORED), 32, "pairs");
	RF_CHECK(conform, rf_watch_find(RF_WATCH_UPDATE_MONITORED, 0)->extra > 1,
		 "the pairs came one by one");
	for (i = 0; i < 32; i++)
		RF_CHECK_EQUAL(conform, stack_monitored(fences[i]), values[i] - 1,
			       "MonitoredValue");
	rf_watch_clear();
	RF_CHECK_EQUAL(conform,
		       rf_carrier_request(conform->setup.device->carrier,
					  DRM_RINGFENCE_FENCE_SIGNAL, &signal),
		       0, "a signal of 32 fences");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 32, "pairs");
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_UPDATE_CURRENT, 0)->extra, 32, "one batch");
	for (i = 0; i < 32; i++)
		RF_CHECK_EQUAL(conform, rf_fence_value(fences[i]), values[i], "CurrentValue");
	RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
}

/* --- logs ---------------------------------------------------------------------------- */

/* Logs of the queue that was made last, as the kernel sees them. */
struct logs {
	struct rf_mem *mem[2]; /* by RF_LOG_TYPE_* - waits, signals */
	uint32_t entries[2];
};

static struct rf_queue *queue_with_logs(struct rf_conform *conform, uint32_t node,
					struct logs *logs)
{
	const struct rf_watch_note *set;
	struct rf_queue *queue;
	unsigned int i;

	rf_watch_clear();
	queue = stack_queue(conform, node);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_SET_LOG), 2, "log buffers set");
	for (i = 0; i < 2; i++) {
		set = rf_watch_find(RF_WATCH_SET_LOG, i);
		RF_CHECK_EQUAL(conform, set->value, i ? RF_LOG_TYPE_SIGNALS : RF_LOG_TYPE_WAITS,
			       "log type");
		logs->mem[i] = set->mem;
		logs->entries[i] = (uint32_t)set->extra;
	}
	return queue;
}

#define WAITS 0
#define SIGNALS 1

static uint64_t log_word(const struct logs *logs, unsigned int log)
{
	return rf_mem_read64(logs->mem[log], 0);
}

static struct rf_log_entry log_entry(const struct logs *logs, unsigned int log, uint32_t index)
{
	uint64_t words[RF_LOG_ENTRY_BYTES / 8];
	struct rf_log_entry entry;
	unsigned int i;

	for (i = 0; i < RF_LOG_ENTRY_BYTES / 8; i++)
		words[i] = rf_mem_read64(logs->mem[log],
					 RF_LOG_HEADER_BYTES + index * RF_LOG_ENTRY_BYTES + i * 8);
	memcpy(&entry, words, sizeof(entry));
	return entry;
}

static void two_logs_of_a_page(struct rf_conform *conform)
{
	const struct rf_watch_note *map;
	struct rf_queue *queue;
	struct logs logs;
	unsigned int i;
	uint64_t offset;
	size_t k, in_process, in_system;

	queue = queue_with_logs(conform, RF_ENGINE_COPY, &logs);
	RF_CHECK(conform, logs.mem[0] != logs.mem[1], "one buffer for both logs");
	for (i = 0; i < 2; i++) {
		RF_CHECK_EQUAL(conform, logs.mem[i]->bytes, 4096, "bytes of a log");
		RF_CHECK_EQUAL(conform, logs.entries[i], 84, "entries of a log");
		in_process = in_system = 0;
		for (k = 0; (map = rf_watch_find(RF_WATCH_MAP, k)); k++) {
			if (map->mem != logs.mem[i])
				continue;
			RF_CHECK_EQUAL(conform, map->value, 0, "a log is mapped to be written");
			if (map->object)
				in_process++;
			else
				in_system++;
		}
		RF_CHECK(conform, in_process == 1 && in_system == 1,
			 "mapped %zu times in the process, %zu in the system process", in_process,
			 in_system);
	}
	RF_CHECK(conform,
		 rf_watch_memory(queue->log.wait_log_gpu_address, &offset) == logs.mem[WAITS] &&
			 rf_watch_memory(queue->log.signal_log_gpu_address, &offset) ==
				 logs.mem[SIGNALS],
		 "user mode has other addresses than the device");
	/* A value that stands in a log entry only: user mode finds it nowhere. */
	RF_CHECK_EQUAL(conform, rf_mem_read64(logs.mem[SIGNALS], 8) & UINT32_MAX,
		       RF_LOG_TYPE_SIGNALS, "the header");
	rf_mem_write64(logs.mem[SIGNALS], RF_LOG_HEADER_BYTES + 40, 0xfeedfacecafebeef);
	rf_mem_write64(logs.mem[WAITS], RF_LOG_HEADER_BYTES + 40, 0xfeedfacecafebeef);
	RF_CHECK(conform, !is_mapped(queue->device, 0xfeedfacecafebeef),
		 "user mode has a mapping of a log");
}

/* Queue A waits for what queue B signals: one entry in A's wait log, one in B's signal log. */
static void two_queue_example(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_log_entry waited, signalled;
	struct logs logs_a, logs_b;
	struct rf_commands *commands;
	struct rf_queue *a, *b;
	uint64_t now;

	a = queue_with_logs(conform, RF_ENGINE_COPY, &logs_a);
	b = queue_with_logs(conform, RF_ENGINE_COMPUTE, &logs_b);
	commands = stack_commands(conform, a);
	rf_command_wait(commands, fence, 77);
	stack_submit(conform, commands);
	rfsim_step(conform->setup.world.simulation, 500);
	stack_signal(conform, b, fence, 77);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, log_word(&logs_a, WAITS), 1, "entries in A's wait log");
	RF_CHECK_EQUAL(conform, log_word(&logs_a, SIGNALS), 0, "entries in A's signal log");
	RF_CHECK_EQUAL(conform, log_word(&logs_b, WAITS), 0, "entries in B's wait log");
	RF_CHECK_EQUAL(conform, log_word(&logs_b, SIGNALS), 1, "entries in B's signal log");
	waited = log_entry(&logs_a, WAITS, 0);
	signalled = log_entry(&logs_b, SIGNALS, 0);
	RF_CHECK_EQUAL(conform, waited.fence_handle, fence->handle, "fence of the wait");
	RF_CHECK_EQUAL(conform, waited.fence_value, 77, "value of the wait");
	RF_CHECK_EQUAL(conform, waited.operation_type, RF_LOG_OPERATION_WAIT_UNBLOCKED,
		       "its operation");
	RF_CHECK(conform, waited.fence_observed_gpu_timestamp && waited.fence_end_gpu_timestamp,
		 "a wait that stalled has two times");
	RF_CHECK(conform, waited.fence_observed_gpu_timestamp <= waited.fence_end_gpu_timestamp,
		 "observed after it ended");
	RF_CHECK_EQUAL(conform, signalled.fence_handle, fence->handle, "fence of the signal");
	RF_CHECK_EQUAL(conform, signalled.fence_value, 77, "value of the signal");
	RF_CHECK_EQUAL(conform, signalled.operation_type, RF_LOG_OPERATION_SIGNAL_EXECUTED,
		       "its operation");
	RF_CHECK(conform, signalled.fence_end_gpu_timestamp, "a signal has a time");
	/* Times are the device's; nothing of the CPU's is in an entry. */
	now = stack_register(conform, RF_REG_DEVICE_TIMESTAMP);
	RF_CHECK(conform,
		 signalled.fence_end_gpu_timestamp < now && waited.fence_end_gpu_timestamp < now,
		 "a time that the device has not reached");
	RF_CHECK(conform,
		 !waited.reserved0 && !waited.reserved1 && !signalled.reserved0 &&
			 !signalled.reserved1,
		 "a word that nobody has defined");
}

struct visible {
	const struct logs *logs;
	unsigned int calls;
	uint64_t word;
	struct rf_log_entry last;
};

static void look_at_the_log(void *argument)
{
	struct visible *visible = argument;

	visible->calls++;
	visible->word = log_word(visible->logs, SIGNALS);
	visible->last = log_entry(visible->logs, SIGNALS, (uint32_t)visible->word - 1);
}

/* In the interrupt of the third signal, three entries are there, and complete. */
static void log_is_there_with_the_interrupt(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct visible visible = { 0 };
	struct rf_commands *commands;
	const struct rf_watch_note *flush;
	struct rf_queue *queue, *idle;
	struct logs logs, idle_logs;
	struct rf_event *event;

	queue = queue_with_logs(conform, RF_ENGINE_COPY, &logs);
	idle = queue_with_logs(conform, RF_ENGINE_COPY, &idle_logs);
	visible.logs = &logs;
	rf_watch_change.on_notify = look_at_the_log;
	rf_watch_change.argument = &visible;
	event = stack_notify(conform, fence, 3);
	rf_watch_clear();
	commands = stack_commands(conform, queue);
	rf_command_signal(commands, fence, 1);
	rf_command_signal(commands, fence, 2);
	rf_command_signal(commands, fence, 3);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
	RF_CHECK_EQUAL(conform, visible.calls, 1, "reports");
	RF_CHECK_EQUAL(conform, visible.word, 3, "entries seen in the interrupt");
	RF_CHECK_EQUAL(conform, visible.last.fence_value, 3, "value in the last entry");
	RF_CHECK(conform, visible.last.fence_end_gpu_timestamp, "the last entry is not complete");
	/* Flushed: the queue with entries, after the report, and no other queue. */
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_LOGS), 1, "queues flushed");
	flush = rf_watch_find(RF_WATCH_UPDATE_LOGS, 0);
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_NOTIFY, 0) < rf_watch_position(RF_WATCH_UPDATE_LOGS, 0),
		 "flushed before the interrupt");
	rf_watch_clear();
	rf_queue_destroy(queue);
	RF_CHECK(conform,
		 rf_watch_find(RF_WATCH_DESTROY_QUEUE, 0)->object == flush->object ||
			 rf_watch_count(RF_WATCH_DESTROY_QUEUE) == 1,
		 "another queue was flushed");
	(void)idle;
}

/*
 * More signals than the log holds before the host reads it: no wake-up is lost,
 * and what was overwritten is still counted by the wraparound.
 */
static void overrun_loses_no_waiter(struct rf_conform *conform)
{
	struct rf_fence *fences[4], *filler = stack_fence(conform, 0, 0);
	struct rf_event *events[4], *later;
	struct rf_commands *commands;
	struct rf_queue *queue;
	struct logs logs;
	unsigned int i, k;

	queue = queue_with_logs(conform, RF_ENGINE_COPY, &logs);
	for (i = 0; i < 4; i++) {
		fences[i] = stack_fence(conform, placements[i % 2], 0);
		events[i] = stack_notify(conform, fences[i], 1);
	}
	later = stack_notify(conform, fences[0], 2);
	rfsim_interrupts_hold(conform->setup.world.simulation);
	commands = stack_commands(conform, queue);
	for (i = 0; i < 4; i++)
		rf_command_signal(commands, fences[i], 1);
	stack_submit(conform, commands);
	for (k = 0; k < 3; k++) {
		commands = stack_commands(conform, queue);
		for (i = 0; i < 60; i++)
			rf_command_signal(commands, filler, k * 60 + i + 1);
		stack_submit(conform, commands);
	}
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, log_word(&logs, SIGNALS), (184ull / 84) << 32 | 184 % 84,
		       "wraparounds and index after 184 signals");
	rfsim_interrupts_release(conform->setup.world.simulation);
	stack_settle(conform);
	for (i = 0; i < 4; i++)
		RF_CHECK(conform, stack_is_set(events[i]), "waiter %u sleeps", i);
	RF_CHECK(conform, !stack_is_set(later), "a waiter was woken for nothing");
	/* The reader goes on behind the overrun. */
	stack_signal(conform, queue, fences[0], 2);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(later), "the reader does not go on");
}

/* --- how the driver reports ---------------------------------------------------------- */

static void reports_fences_without_the_cap(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	const struct rf_watch_note *notify;
	struct rf_event *event;
	struct rf_queue *queue;
	struct logs logs;

	queue = queue_with_logs(conform, RF_ENGINE_COPY, &logs);
	event = stack_notify(conform, fence, 1);
	rf_watch_clear();
	stack_signal(conform, queue, fence, 1);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
	notify = rf_watch_find(RF_WATCH_NOTIFY, 0);
	RF_CHECK(conform, notify && notify->address == 1, "no array of one fence");
	/* The logs are scanned separately, for the times. */
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_LOGS), 1, "queues scanned");
}

static void optimized_driver_reports_the_queue(struct rf_conform *conform)
{
	struct rf_fence *one = stack_fence(conform, 0, 0), *two = stack_fence(conform, 0, 0);
	const struct rf_watch_note *notify;
	struct rf_event *event, *other;
	struct rf_queue *queue;
	const void *handle;
	struct logs logs;

	queue = queue_with_logs(conform, RF_ENGINE_COMPUTE, &logs);
	handle = rf_watch_find(RF_WATCH_CREATE_QUEUE, 0)->object;
	event = stack_notify(conform, one, 1);
	other = stack_notify(conform, two, 5);
	rf_watch_clear();
	stack_signal(conform, queue, one, 1);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
	RF_CHECK(conform, !stack_is_set(other), "a waiter was woken for nothing");
	notify = rf_watch_find(RF_WATCH_NOTIFY, 0);
	RF_CHECK(conform, notify && notify->address == 0 && notify->other == handle,
		 "the report does not name the queue");
	RF_CHECK(conform,
		 rf_watch_find(RF_WATCH_UPDATE_LOGS, 0) &&
			 rf_watch_find(RF_WATCH_UPDATE_LOGS, 0)->object == handle,
		 "the queue's log was not read");
}

/*
 * F1@V1, F1@V2 and F2@V3 need no interrupt when they are executed: nobody waits
 * yet, or the interrupt is masked; E4 interrupts, and all of them wake.
 */
static void log_finds_signals_without_interrupt(struct rf_conform *conform)
{
	struct rf_fence *one = stack_fence(conform, 0, 0), *two = stack_fence(conform, 0, 0);
	struct rf_fence *last = stack_fence(conform, 0, 0);
	struct rf_event *events[4];
	struct rf_commands *commands;
	struct rf_queue *queue;
	struct logs logs;
	unsigned int i;

	queue = queue_with_logs(conform, RF_ENGINE_COPY, &logs);
	events[0] = stack_notify(conform, one, 1);
	events[1] = stack_notify(conform, one, 2);
	events[2] = stack_notify(conform, two, 3);
	events[3] = stack_notify(conform, last, 4);
	/* The device forgets that anybody waits for the first two. */
	for (i = 0; i < 2; i++) {
		uint64_t offset;
		struct rf_mem *mem = rf_watch_memory((i ? two : one)->monitored_address, &offset);

		rf_mem_write64(mem, offset, NONE);
	}
	rf_watch_clear();
	commands = stack_commands(conform, queue);
	rf_command_signal(commands, one, 1);
	rf_command_signal(commands, one, 2);
	rf_command_signal(commands, two, 3);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts for E1..E3");
	stack_signal(conform, queue, last, 4);
	stack_settle(conform);
	for (i = 0; i < 4; i++)
		RF_CHECK(conform, stack_is_set(events[i]), "waiter %u sleeps", i);
}

static void unknown_queue_reads_the_engine(struct rf_conform *conform)
{
	struct rf_fence *fences[3];
	struct rf_event *events[3];
	struct rf_queue *queues[3];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		queues[i] = stack_queue(conform, RF_ENGINE_COPY);
		fences[i] = stack_fence(conform, 0, 0);
		events[i] = stack_notify(conform, fences[i], 1);
	}
	rf_watch_change.null_array = true; /* and no queue */
	rfsim_interrupts_hold(conform->setup.world.simulation);
	for (i = 0; i < 3; i++)
		stack_signal(conform, queues[i], fences[i], 1);
	stack_settle(conform);
	rfsim_interrupts_release(conform->setup.world.simulation);
	stack_settle(conform);
	for (i = 0; i < 3; i++)
		RF_CHECK(conform, stack_is_set(events[i]), "waiter %u sleeps", i);
}

/* On a device without a vector engine such work is refused before it can stop the queue. */
static void vector_work_is_done_or_refused(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_commands *commands = stack_commands(conform, queue);
	struct rf_device_info info;
	struct rf_memory *memory;
	uint32_t *word;

	rf_device_info(conform->setup.device, &info);
	RF_CHECK_EQUAL(conform, rf_memory_create(conform->setup.device, 4096, 0, &memory), 0,
		       "rf_memory_create");
	word = rf_memory_map(memory);
	*word = 6;
	rf_command_vector(commands, RF_VECTOR_AXPB, rf_memory_address(memory),
			  rf_memory_address(memory), 7, 1);
	RF_CHECK_EQUAL(conform, rf_queue_submit(queue, commands),
		       info.vector_engine ? 0 : (uint64_t)-EOPNOTSUPP, "rf_queue_submit");
	stack_signal(conform, queue, fence, 1);
	RF_CHECK_EQUAL(conform, rf_fence_wait(fence, 1, 20 * SECOND), 0, "work behind it");
	RF_CHECK_EQUAL(conform, *(volatile uint32_t *)word, info.vector_engine ? 42 : 6,
		       "7 * 6 + 0");
}

#define STACK RF_CONFORM_STACK

#define PORTABLE RF_CONFORM_PORTABLE

const struct rf_conform_test rf_conform_stack_tests[] = {
	{ "S0-2.user_store_faults", "S1-4", STACK, PORTABLE, user_store_faults },
	{ "S0-3.kernel_reads_and_writes_current_value", "S0-19 S1-25 S1-26", STACK, PORTABLE,
	  kernel_reads_and_writes_current_value },
	{ "S0-7.monitored_value_is_not_mapped", NULL, STACK, PORTABLE,
	  monitored_value_is_not_mapped },
	{ "S0-17.polling_needs_no_driver", "S1-6", STACK, RF_CONFORM_SIM_ONLY,
	  polling_needs_no_driver },
	{ "S0-9.monitored_value_follows_waiters", "S0-6 S0-10 S0-11 S0-32 S0-44", STACK, PORTABLE,
	  monitored_value_follows_waiters },
	{ "S0-11.blocking_wait_that_gives_up", NULL, STACK, PORTABLE, blocking_wait_that_gives_up },
	{ "S0-12.forty_one_forty_two", "S0-13 S0-14 S0-15 S0-16 S1-20", STACK, PORTABLE,
	  forty_one_forty_two },
	{ "S0-18.thread_blocks_until_signalled", "S1-28 S0-20", STACK, PORTABLE,
	  thread_blocks_until_signalled },
	{ "S0-22.no_waiter_no_interrupt", NULL, STACK, PORTABLE, no_waiter_no_interrupt },
	{ "S0-21.engine_releases_engine", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  engine_releases_engine },
	{ "S1-30.everybody_waits_and_signals", "S0-19 S0-20 S1-27", STACK, PORTABLE,
	  everybody_waits_and_signals },
	{ "A-18.all_and_any_of_32", "S2-24", STACK, PORTABLE, all_and_any_of_32 },
	{ "S1-29.event_collects_waits", NULL, STACK, PORTABLE, event_collects_waits },
	{ "S0-61.intra_gpu_fences_know_no_cpu", "S0-23 S0-28 S0-30", STACK, PORTABLE,
	  intra_gpu_fences_know_no_cpu },
	{ "S0-36.waits_race_signals", "S0-18 S0-40 S0-43", STACK, PORTABLE, waits_race_signals },
	{ "S0-36.late_waiter", "S0-39 S0-40 S0-43 S0-44", STACK, RF_CONFORM_SIM_ONLY, late_waiter },
	{ "S0-40.second_look_finds_what_raised_no_interrupt", "S0-36 S0-39 S0-43", STACK,
	  RF_CONFORM_SIM_ONLY | RF_CONFORM_SHADOW, second_look_finds_what_raised_no_interrupt },
	{ "S0-38.update_excludes_interrupt_service", NULL, STACK, PORTABLE,
	  update_excludes_interrupt_service },
	{ "S0-41.spurious_interrupt_changes_nothing", NULL, STACK, PORTABLE,
	  spurious_interrupt_changes_nothing },
	{ "S0-42.newer_value_is_seen", "S0-15", STACK, RF_CONFORM_SIM_ONLY, newer_value_is_seen },
	{ "S0-25.values_are_packed", "S0-24 S0-26 S0-28 S0-30 S0-31", STACK, PORTABLE,
	  values_are_packed },
	{ "S0-27.shareable_fences_have_own_pages", "S0-29", STACK, PORTABLE,
	  shareable_fences_have_own_pages },
	{ "S0-51.mapped_in_the_system_process", "S0-4", STACK, PORTABLE,
	  mapped_in_the_system_process },
	{ "S0-45.driver_asks_before_it_advertises", "S0-47 S0-48 S0-49 S0-50", STACK, PORTABLE,
	  driver_asks_before_it_advertises },
	{ "S0-60.table_is_complete", NULL, STACK, RF_CONFORM_SIM_ONLY, table_is_complete },
	{ "S0-54.create_open_close_destroy", "S0-55 S0-56 S0-57 S0-58 S0-59 S2-4", STACK, PORTABLE,
	  create_open_close_destroy },
	{ "S2-11.stale_handles_are_rejected", NULL, STACK, PORTABLE, stale_handles_are_rejected },
	{ "S0-59.pending_waits_end_with_their_fence", "A-13", STACK, PORTABLE,
	  pending_waits_end_with_their_fence },
	{ "S0-62.progress_fence_is_native", NULL, STACK, PORTABLE, progress_fence_is_native },
	{ "S0-64.names_exactly_the_waited_fences", "S0-63 S0-68", STACK, PORTABLE,
	  names_exactly_the_waited_fences },
	{ "S0-65.destroyed_handle_is_fatal", NULL, STACK, PORTABLE, destroyed_handle_is_fatal },
	{ "S0-67.null_array_evaluates_all", "S0-66 S0-68", STACK, RF_CONFORM_SIM_ONLY,
	  null_array_evaluates_all },
	{ "S0-66.overflow_evaluates_all", "S0-67 S0-68", STACK, RF_CONFORM_SIM_ONLY,
	  overflow_evaluates_all },
	{ "S0-72.batches_apply_all", "S0-73", STACK, PORTABLE, batches_apply_all },
	{ "S0-100.two_logs_of_a_page", "S0-102 S0-103 S0-105", STACK, PORTABLE,
	  two_logs_of_a_page },
	{ "S0-124.one_entry_in_each_log", "S0-106 S0-107 S0-108 S0-122", STACK, RF_CONFORM_SIM_ONLY,
	  two_queue_example },
	{ "S0-112.log_is_there_with_the_interrupt", "S0-113 S0-114 S0-115 S0-111", STACK,
	  RF_CONFORM_SIM_ONLY, log_is_there_with_the_interrupt },
	{ "S0-118.overrun_loses_no_waiter", "S0-116 S0-117", STACK, RF_CONFORM_SIM_ONLY,
	  overrun_loses_no_waiter },
	{ "S0-128.overrun_falls_back_to_live_values", "S0-116 S0-117 S0-118", STACK,
	  RF_CONFORM_SIM_ONLY | RF_CONFORM_OPTIMIZED, overrun_loses_no_waiter },
	{ "S0-130.reports_fences_without_the_cap", "S0-125", STACK, 0,
	  reports_fences_without_the_cap },
	{ "S0-126.optimized_driver_reports_the_queue", NULL, STACK, RF_CONFORM_OPTIMIZED,
	  optimized_driver_reports_the_queue },
	{ "S0-129.log_finds_signals_without_interrupt", NULL, STACK, RF_CONFORM_OPTIMIZED,
	  log_finds_signals_without_interrupt },
	{ "S0-127.unknown_queue_reads_the_engine", NULL, STACK,
	  RF_CONFORM_SIM_ONLY | RF_CONFORM_OPTIMIZED, unknown_queue_reads_the_engine },
	{ "device.vector_work_is_done_or_refused", NULL, STACK, 0, vector_work_is_done_or_refused },
	{ 0 },
};
