// SPDX-License-Identifier: Apache-2.0
/*
 * Several host threads in one world, built with ThreadSanitizer. Assertions of
 * the worker threads are counted and judged by the test's own thread.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "echo.h"

#define THREADS 6
#define ROUNDS 40

static struct rfsim_world *world;
static struct rfsim_device *device;
static _Atomic uint64_t memory[512];
static uint64_t bus;
static atomic_uint failures;
static atomic_uint raised[THREADS];

/* What a driver's interrupt lock guards; plain on purpose. */
static pthread_mutex_t interrupt_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int guarded, guarded_interrupts;

/* One composition and its play at a time. */
static pthread_mutex_t play_lock = PTHREAD_MUTEX_INITIALIZER;

static void require(bool good)
{
	if (!good)
		atomic_fetch_add(&failures, 1);
}

static void on_interrupt(void *context, struct rfsim_device *from, uint32_t data)
{
	(void)context;
	(void)from;
	pthread_mutex_lock(&interrupt_lock);
	guarded++;
	guarded_interrupts++;
	pthread_mutex_unlock(&interrupt_lock);
	atomic_fetch_add(&raised[data], 1);
}

static int setup(void **state)
{
	struct rfsim_config config;
	unsigned int i;
	int error;

	(void)state;
	rfsim_config_random(&config, 3);
	error = rfsim_world_create(&config, &world);
	if (!error)
		error = rfsim_device_create(world, &device);
	if (!error)
		error = rfsim_enumerate(device);
	if (!error)
		error = rfsim_memory_register(world, memory, sizeof(memory), &bus);
	rfsim_interrupt_callback(device, on_interrupt, NULL);
	atomic_store(&failures, 0);
	for (i = 0; i < THREADS; i++)
		atomic_store(&raised[i], 0);
	guarded = 0;
	guarded_interrupts = 0;
	return error;
}

static int teardown(void **state)
{
	const char *verdict = rfsim_world_check(world);

	(void)state;
	if (verdict)
		fprintf(stderr, "%s\n", verdict);
	rfsim_world_destroy(world);
	return verdict != NULL;
}

static void run_threads(void *(*function)(void *))
{
	static unsigned int numbers[THREADS];
	pthread_t threads[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, function, &numbers[i]), 0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&failures), 0);
}

/* Let the device write a word and raise an interrupt. */
static void kick(unsigned int number, uint64_t value)
{
	struct echo_script script = { .beats = 0 };
	uint32_t header[4], words[2] = { value, value >> 32 };

	tlp_memory_bytes(header, true, 0x100, 0, bus + 8 * number, 8);
	echo_tlp(&script, 0, header, words, 2);
	tlp_memory_bytes(header, true, 0x100, 0, RFSIM_MSI_BASE, 4);
	echo_tlp(&script, 0, header, &number, 1);
	pthread_mutex_lock(&play_lock);
	require(!echo_play(device, &script, 0));
	pthread_mutex_unlock(&play_lock);
}

struct target {
	unsigned int number, count;
};

static bool was_raised(void *context)
{
	struct target *target = context;

	return atomic_load(&raised[target->number]) >= target->count;
}

/* Each thread waits for its own interrupts; one of the waiting threads runs the clock. */
static void *wait_for_interrupts(void *context)
{
	struct target target = { *(unsigned int *)context, 0 };
	unsigned int i;

	for (i = 1; i <= ROUNDS; i++) {
		target.count = i;
		kick(target.number, i);
		require(!rfsim_wait(world, was_raised, &target, UINT64_MAX, 20000));
		/* The write before the interrupt is visible. */
		require(atomic_load(&memory[target.number]) == i);
	}
	return NULL;
}

static void every_waiter_is_woken(void **state)
{
	(void)state;
	run_threads(wait_for_interrupts);
	assert_int_equal(guarded_interrupts, THREADS * ROUNDS);
}

/* A driver's lock, taken with interrupts held, around register accesses. */
static void *access_under_lock(void *context)
{
	unsigned int number = *(unsigned int *)context, i;
	uint64_t value;

	for (i = 0; i < ROUNDS; i++) {
		kick(number, i);
		rfsim_interrupts_hold(world);
		pthread_mutex_lock(&interrupt_lock);
		guarded++;
		require(!rfsim_bar_read(device, 2, 8 * number, &value, 8));
		pthread_mutex_unlock(&interrupt_lock);
		rfsim_interrupts_release(world);
	}
	return NULL;
}

static bool all_raised(void *context)
{
	unsigned int i;

	(void)context;
	for (i = 0; i < THREADS; i++) {
		if (atomic_load(&raised[i]) != ROUNDS)
			return false;
	}
	return true;
}

static void interrupt_lock_never_deadlocks(void **state)
{
	(void)state;
	run_threads(access_under_lock);
	assert_int_equal(rfsim_wait(world, all_raised, NULL, 1000000, 20000), 0);
	assert_int_equal(guarded, 2 * THREADS * ROUNDS);
}

static atomic_bool flag;

static bool flag_set(void *context)
{
	(void)context;
	return atomic_load(&flag);
}

static void *wait_for_flag(void *context)
{
	(void)context;
	require(!rfsim_wait(world, flag_set, NULL, UINT64_MAX, -1));
	return NULL;
}

/* In an idle world a waiter sleeps; another thread's change wakes it. */
static void idle_waiter_is_woken(void **state)
{
	struct timespec nap = { 0, 30000000 };
	struct target target = { 0, 1 };
	pthread_t thread;
	uint64_t cycle;

	(void)state;
	rfsim_step(world, 1000);
	atomic_store(&flag, false);
	cycle = rfsim_cycle(world);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_flag, NULL), 0);
	nanosleep(&nap, NULL);
	assert_int_equal(rfsim_cycle(world), cycle);
	/* Work that others queue is run by the sleeper, or by this thread. */
	kick(0, 1);
	assert_int_equal(rfsim_wait(world, was_raised, &target, UINT64_MAX, 20000), 0);
	atomic_store(&flag, true);
	rfsim_wake(world);
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&failures), 0);
}

/* The sleeper alone runs what another thread queued without waiting. */
static void sleeper_runs_the_work_of_others(void **state)
{
	struct timespec nap = { 0, 1000000 };
	pthread_t thread;
	unsigned int i;

	(void)state;
	rfsim_step(world, 1000);
	atomic_store(&flag, false);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_flag, NULL), 0);
	nanosleep(&nap, NULL);
	kick(0, 77);
	for (i = 0; i < 10000 && !atomic_load(&raised[0]); i++)
		nanosleep(&nap, NULL);
	assert_int_equal(atomic_load(&raised[0]), 1);
	atomic_store(&flag, true);
	rfsim_wake(world);
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&failures), 0);
}

static bool never(void *context)
{
	(void)context;
	return false;
}

static void *watch_word(void *context)
{
	unsigned int *changes = context;
	uint64_t last = 0;

	while (!atomic_load(&flag)) {
		uint64_t value = atomic_load_explicit(&memory[0], memory_order_acquire);

		require(!value || value == UINT64_MAX);
		*changes += value != last;
		last = value;
	}
	return NULL;
}

/* A 64-bit word that the device writes is never seen half written. */
static void words_are_never_torn(void **state)
{
	static const uint32_t values[2][2] = { { ~0u, ~0u }, { 0, 0 } };
	unsigned int changes = 0, i;
	struct echo_script script = { .beats = 0 };
	uint32_t header[4];
	pthread_t thread;

	(void)state;
	atomic_store(&memory[0], 0);
	atomic_store(&flag, false);
	assert_int_equal(pthread_create(&thread, NULL, watch_word, &changes), 0);
	tlp_memory_bytes(header, true, 0x100, 0, bus, 8);
	for (i = 0; i < 256; i++)
		echo_tlp(&script, 0, header, values[i % 2], 2);
	for (i = 0; i < 120; i++) {
		assert_int_equal(echo_play(device, &script, 0), 0);
		assert_int_equal(rfsim_wait(world, never, NULL, 100000, 0), -ETIMEDOUT);
	}
	atomic_store(&flag, true);
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&failures), 0);
	assert_true(changes > 0);
}

#define LONG_STEP 3000000

static void *step_for_long(void *context)
{
	(void)context;
	require(!rfsim_step(world, LONG_STEP));
	return NULL;
}

/* A thread that runs the clock for long lets others in on the way. */
static void long_steps_let_others_in(void **state)
{
	uint64_t begin = rfsim_cycle(world);
	pthread_t thread;
	uint64_t value;
	unsigned int i;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, step_for_long, NULL), 0);
	while (rfsim_cycle(world) == begin)
		;
	for (i = 0; i < 20; i++)
		assert_int_equal(rfsim_bar_read(device, 2, 0, &value, 8), 0);
	assert_true(rfsim_cycle(world) < begin + LONG_STEP);
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&failures), 0);
}

static atomic_bool entered, left;

static void slow_interrupt(void *context, struct rfsim_device *from, uint32_t data)
{
	struct timespec nap = { 0, 20000000 };

	(void)context;
	(void)from;
	(void)data;
	atomic_store(&entered, true);
	nanosleep(&nap, NULL);
	atomic_store(&left, true);
}

static void *step_a_little(void *context)
{
	(void)context;
	require(!rfsim_step(world, 2000));
	return NULL;
}

/* After a callback is removed, what it uses may be freed. */
static void removed_callback_has_returned(void **state)
{
	pthread_t thread;

	(void)state;
	atomic_store(&entered, false);
	atomic_store(&left, false);
	rfsim_interrupt_callback(device, slow_interrupt, NULL);
	kick(0, 1);
	assert_int_equal(pthread_create(&thread, NULL, step_a_little, NULL), 0);
	while (!atomic_load(&entered))
		sched_yield();
	rfsim_interrupt_callback(device, NULL, NULL);
	assert_true(atomic_load(&left));
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&failures), 0);
}

int main(void)
{
#define TEST(function)                                               \
	{                                                            \
		"thread." #function, function, setup, teardown, NULL \
	}
	const struct CMUnitTest tests[] = {
		TEST(every_waiter_is_woken),	     TEST(interrupt_lock_never_deadlocks),
		TEST(idle_waiter_is_woken),	     TEST(sleeper_runs_the_work_of_others),
		TEST(words_are_never_torn),	     TEST(long_steps_let_others_in),
		TEST(removed_callback_has_returned),
	};

	/* A deadlock shall end the run. */
	alarm(120);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
