// SPDX-License-Identifier: Apache-2.0
/*
 * Many user threads, queues and processes at once, under ThreadSanitizer: blocking
 * waits and events, victims, fences that die under their waiters. Every result is
 * checked; a lost wake-up is a time-out.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>

#include <cmocka.h>

#include "ringfence.h"
#include "test_device.h"

#define LONG (60 * 1000000000ull)

static struct rf_device *device;

static int setup(void **state)
{
	(void)state;
	return rf_device_open(test_device(), &device);
}

static int teardown(void **state)
{
	(void)state;
	rf_device_close(device);
	return 0;
}

/* A failure is counted: asserts belong to the main thread. */
#define EXPECT(condition) __atomic_fetch_add(failures, !(condition), __ATOMIC_RELAXED)

/*
 * The acquire that orders this read is that of the fence's value; but it is made in
 * the read-only view of it, and the sanitizer does not know that this is the memory
 * which the device stores to.
 */
static uint64_t read_word(struct rf_memory *memory)
{
	return __atomic_load_n((uint64_t *)rf_memory_map(memory), __ATOMIC_ACQUIRE);
}

/* --- each thread its own queue and fence --------------------------------------------- */

struct worker {
	unsigned int *failures;
	struct rf_device *device;
	uint32_t node;
	unsigned int rounds;
	bool kernel; /* a kernel-mode queue */
};

static void *work(void *argument)
{
	const struct worker *worker = argument;
	unsigned int *failures = worker->failures;
	struct rf_commands *commands;
	struct rf_memory *memory;
	struct rf_queue *queue;
	struct rf_fence *fence;
	struct rf_event *event;
	uint64_t value;

	if (rf_queue_create(worker->device, worker->node, worker->kernel ? 0 : 4,
			    worker->kernel ? RF_QUEUE_KERNEL : worker->node, &queue) ||
	    rf_memory_create(worker->device, 4096, RF_MEMORY_SYSTEM, &memory) ||
	    rf_commands_create(queue, 256, worker->node, &commands) ||
	    rf_fence_create(worker->device, RF_FENCE_DEFAULT, worker->node ? RF_FENCE_PLAIN : 0, 0,
			    &fence) ||
	    rf_event_create(worker->device, &event)) {
		EXPECT(false);
		return NULL;
	}
	for (value = 1; value <= worker->rounds; value++) {
		rf_commands_reset(commands);
		rf_command_write(commands, rf_memory_address(memory), value * 3);
		rf_command_signal(commands, fence, value);
		if (value % 2)
			EXPECT(!rf_fences_notify(&fence, &value, 1, RF_WAIT_ALL, event));
		EXPECT(!rf_queue_submit(queue, commands));
		if (value % 2)
			EXPECT(!rf_event_wait(event, LONG));
		else
			EXPECT(!rf_fence_wait(fence, value, LONG));
		EXPECT(rf_fence_value(fence) == value);
		EXPECT(read_word(memory) == value * 3);
		EXPECT(!rf_queue_wait(queue, LONG));
	}
	rf_event_destroy(event);
	rf_fence_destroy(fence);
	rf_commands_destroy(commands);
	rf_memory_destroy(memory);
	rf_queue_destroy(queue);
	return NULL;
}

static void own_queues(void **state)
{
	enum { WORKERS = 6 };
	struct worker workers[WORKERS];
	struct rf_device *other;
	pthread_t threads[WORKERS];
	unsigned int failures = 0, i;

	(void)state;
	assert_int_equal(rf_device_open(test_device(), &other), 0);
	for (i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){ .failures = &failures,
					      .device = i % 3 ? device : other,
					      .node = i % 2,
					      .rounds = 25,
					      .kernel = i >= 3 };
		assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	}
	for (i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	rf_device_close(other);
	assert_int_equal(failures, 0);
}

/* --- more threads than doorbells: every submission may find its doorbell taken ------- */

static void victims(void **state)
{
	enum { WORKERS = 10 };
	struct worker workers[WORKERS];
	pthread_t threads[WORKERS];
	unsigned int failures = 0, i;

	(void)state;
	for (i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){ .failures = &failures,
					      .device = device,
					      .node = i % 2,
					      .rounds = 12 };
		assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	}
	for (i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(failures, 0);
}

/* --- one chain: CPU, engine, CPU, engine, ... ---------------------------------------- */

enum { CHAIN = 40, LISTENERS = 4 };

struct chain {
	unsigned int failures;
	struct rf_fence *ping, *pong;
};

static void *answer(void *argument)
{
	struct chain *chain = argument;
	unsigned int *failures = &chain->failures;
	uint64_t value;

	for (value = 1; value <= CHAIN; value++) {
		EXPECT(!rf_fence_wait(chain->ping, value, LONG));
		EXPECT(!rf_fence_signal(chain->pong, value));
	}
	return NULL;
}

/* Both fences at once, any and all, at values of its own. */
static void *listen(void *argument)
{
	struct chain *chain = argument;
	struct rf_fence *fences[] = { chain->ping, chain->pong };
	unsigned int *failures = &chain->failures;
	uint64_t value;

	for (value = 1; value <= CHAIN; value += 3) {
		const uint64_t values[] = { value, value };

		EXPECT(!rf_fences_wait(fences, values, 2, RF_WAIT_ANY, LONG));
		EXPECT(rf_fence_value(chain->ping) >= value ||
		       rf_fence_value(chain->pong) >= value);
		EXPECT(!rf_fences_wait(fences, values, 2, RF_WAIT_ALL, LONG));
		EXPECT(rf_fence_value(chain->ping) >= value &&
		       rf_fence_value(chain->pong) >= value);
	}
	return NULL;
}

static void cpu_and_engine_take_turns(void **state)
{
	pthread_t threads[1 + LISTENERS];
	struct rf_commands *commands;
	struct chain chain = { 0 };
	struct rf_queue *queue;
	uint64_t value;
	unsigned int i;

	(void)state;
	assert_int_equal(rf_queue_create(device, RF_ENGINE_COPY, 4, 0, &queue), 0);
	assert_int_equal(rf_commands_create(queue, 16384, 0, &commands), 0);
	assert_int_equal(rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &chain.ping), 0);
	assert_int_equal(rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &chain.pong), 0);
	for (value = 1; value <= CHAIN; value++) {
		rf_command_signal(commands, chain.ping, value);
		rf_command_wait(commands, chain.pong, value);
	}
	assert_int_equal(pthread_create(&threads[0], NULL, answer, &chain), 0);
	for (i = 1; i <= LISTENERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, listen, &chain), 0);
	assert_int_equal(rf_queue_submit(queue, commands), 0);
	assert_int_equal(rf_queue_wait(queue, LONG), 0);
	for (i = 0; i <= LISTENERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(chain.failures, 0);
	rf_fence_destroy(chain.pong);
	rf_fence_destroy(chain.ping);
	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
}

/* --- a ring of kernel-mode queues, each waits for the one before ---------------------- */

enum { RING = 4, LAPS = 20 };

struct runner {
	unsigned int *failures;
	struct rf_fence *before, *own;
	uint32_t node;
	bool first;
};

static void *run(void *argument)
{
	const struct runner *runner = argument;
	unsigned int *failures = runner->failures;
	struct rf_fence *before = runner->before, *own = runner->own;
	struct rf_commands *commands;
	struct rf_queue *queue;
	uint64_t lap;

	if (rf_queue_create(device, runner->node, 0, RF_QUEUE_KERNEL, &queue) ||
	    rf_commands_create(queue, 64, RF_MEMORY_SYSTEM, &commands)) {
		EXPECT(false);
		return NULL;
	}
	for (lap = 1; lap <= LAPS; lap++) {
		const uint64_t wanted = lap - runner->first;

		EXPECT(!rf_queue_wait_for(queue, &before, &wanted, 1));
		rf_commands_reset(commands);
		/* each of the three ways */
		if (lap % 3 == 0)
			rf_command_signal(commands, own, lap);
		if (lap % 3 == 1)
			rf_command_software_signal(commands, own, lap);
		EXPECT(!rf_queue_submit(queue, commands));
		if (lap % 3 == 2)
			EXPECT(!rf_queue_signal(queue, &own, &lap, 1));
		EXPECT(!rf_queue_wait(queue, LONG));
		EXPECT(rf_fence_value(before) >= wanted);
	}
	EXPECT(!rf_fence_wait(own, LAPS, LONG));
	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
	return NULL;
}

static void ring_of_queues(void **state)
{
	struct runner runners[RING];
	struct rf_fence *fences[RING];
	pthread_t threads[RING];
	unsigned int failures = 0, i;

	(void)state;
	for (i = 0; i < RING; i++)
		assert_int_equal(rf_fence_create(device, RF_FENCE_MONITORED, 0, 0, &fences[i]), 0);
	for (i = 0; i < RING; i++) {
		runners[i] = (struct runner){ &failures, fences[(i + RING - 1) % RING], fences[i],
					      i % 2, !i };
		assert_int_equal(pthread_create(&threads[i], NULL, run, &runners[i]), 0);
	}
	for (i = 0; i < RING; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(failures, 0);
	for (i = 0; i < RING; i++)
		rf_fence_destroy(fences[i]);
}

/* --- things end while others wait for them ------------------------------------------- */

struct end {
	unsigned int *failures;
	struct rf_fence *fence;
	struct rf_event *event;
};

static void *wait_for_ever(void *argument)
{
	struct end *end = argument;
	unsigned int *failures = end->failures;

	EXPECT(rf_event_wait(end->event, RF_TIMEOUT_NONE) == -ECANCELED);
	return NULL;
}

static void fences_die_under_their_waiters(void **state)
{
	const uint64_t never = UINT64_MAX;
	unsigned int failures = 0, i;
	pthread_t thread, noise;
	struct worker worker = { &failures, device, RF_ENGINE_COPY, 25, false };
	struct end end = { .failures = &failures };

	(void)state;
	assert_int_equal(pthread_create(&noise, NULL, work, &worker), 0);
	for (i = 0; i < 20; i++) {
		assert_int_equal(rf_fence_create(device, RF_FENCE_DEFAULT, 0, i, &end.fence), 0);
		assert_int_equal(rf_event_create(device, &end.event), 0);
		assert_int_equal(rf_fences_notify(&end.fence, &never, 1, RF_WAIT_ANY, end.event),
				 0);
		assert_int_equal(pthread_create(&thread, NULL, wait_for_ever, &end), 0);
		rf_fence_destroy(end.fence);
		pthread_join(thread, NULL);
		rf_event_destroy(end.event);
	}
	pthread_join(noise, NULL);
	assert_int_equal(failures, 0);
}

#define TEST(name, function)                          \
	{                                             \
		name, function, setup, teardown, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-18,S0-36,S3-1.own-queues", own_queues),
		TEST("S3-11,S3-52.victims", victims),
		TEST("S0-36,S1-30,A-18.cpu-and-engine-take-turns", cpu_and_engine_take_turns),
		TEST("S1-16,S1-22,S1-30.ring-of-kernel-mode-queues", ring_of_queues),
		TEST("fences-die-under-their-waiters", fences_die_under_their_waiters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
