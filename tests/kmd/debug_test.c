// SPDX-License-Identifier: Apache-2.0
/* Debug time-outs of waits, snapshots, and the watchdog. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

/* --- what the driver writes to its log (stderr) ------------------------------------------ */

struct log {
	int saved;
	FILE *file;
	char text[8192];
};

static void log_begin(struct log *log)
{
	fflush(stderr);
	log->saved = dup(STDERR_FILENO);
	log->file = tmpfile();
	assert_non_null(log->file);
	dup2(fileno(log->file), STDERR_FILENO);
}

static void log_end(struct log *log)
{
	size_t bytes;

	fflush(stderr);
	dup2(log->saved, STDERR_FILENO);
	close(log->saved);
	rewind(log->file);
	bytes = fread(log->text, 1, sizeof(log->text) - 1, log->file);
	log->text[bytes] = 0;
	fclose(log->file);
}

static bool log_has(const struct log *log, const char *text)
{
	return strstr(log->text, text) != NULL;
}

/* --- debug time-out ------------------------------------------------------------------------ */

static int wait_debug(struct rf_file *file, u32 fence, u64 value, u64 deadline, u64 debug)
{
	const struct drm_ringfence_fence_value one = { .handle = fence, .value = value };
	struct drm_ringfence_fence_wait wait = {
		.fences = { sizeof(one), 1, (uintptr_t)&one },
		.deadline = deadline,
		.debug_timeout = debug,
	};

	return rf_hosted_request(file, DRM_RINGFENCE_FENCE_WAIT, &wait);
}

static void snapshot_and_no_change(void **state)
{
	struct world *world = world_new();
	u32 native = make_default(world->file, 1234);
	struct fake_fence *hw = fake_last_fence(&world->fake);
	u32 monitored = make_fence(world->file, DRM_RINGFENCE_FENCE_MONITORED, 0, 4321).handle;
	u32 other = wait_event(world->file, native, 5678);
	u32 also = wait_event(world->file, monitored, 8765);
	struct drm_ringfence_queue_create queue = make_kernel_queue(world->file, 1);
	u32 memory = make_memory(world->file, 1, 0).handle;
	u64 begin = rf_time();
	char line[128];
	struct log log;

	(void)state;
	submit_empty(world->file, queue.handle, memory);
	submit_empty(world->file, queue.handle, memory);
	log_begin(&log);
	assert_int_equal(wait_debug(world->file, native, 5000, RF_TIME_NEVER, 5000000), -ETIME);
	log_end(&log);
	assert_true(rf_time() - begin >= 5000000);
	assert_true(log_has(&log, "value 1234, monitored value 4999, 2 waiters, "
				  "least value waited for: 5000\n"));
	assert_true(log_has(&log, "value 4321, 1 waiters, least value waited for: 8765\n"));
	snprintf(line, sizeof(line),
		 "kernel-mode queue %u on node 1: sound, completed 0 of 2, 2 packets\n",
		 queue.handle);
	assert_true(log_has(&log, line));
	/* the value is as it was, and so are the other waits */
	assert_int_equal(fake_current(&world->fake, hw), 1234);
	assert_int_equal(fake_monitored(&world->fake, hw), 5677);
	assert_int_equal(look(world->file, other), -ETIMEDOUT);
	assert_int_equal(look(world->file, also), -ETIMEDOUT);
	assert_int_equal(world->fake.calls[FAKE_UPDATE_CURRENT], 0);
	fake_signal(&world->fake, hw, 5678);
	assert_int_equal(look(world->file, other), 0);
	world_destroy(world);
}

static void off_unless_asked_for(void **state)
{
	struct world *world = world_new();
	const struct drm_ringfence_fence_value one = {
		.handle = make_default(world->file, 0),
		.value = 1,
	};
	struct drm_ringfence_fence_wait event = {
		.fences = { sizeof(one), 1, (uintptr_t)&one },
		.event = make_event(world->file),
		.debug_timeout = 1,
	};
	struct log log;

	(void)state;
	log_begin(&log);
	assert_int_equal(wait_debug(world->file, one.handle, 1, soon(5), 0), -ETIMEDOUT);
	/* whatever comes first counts */
	assert_int_equal(wait_debug(world->file, one.handle, 1, soon(5), 1000000000), -ETIMEDOUT);
	assert_int_equal(wait_debug(world->file, one.handle, 1, soon(5), U64_MAX), -ETIMEDOUT);
	assert_int_equal(wait_debug(world->file, one.handle, 0, RF_TIME_NEVER, 1), 0);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_WAIT, &event), -EINVAL);
	log_end(&log);
	assert_string_equal(log.text, "");
	world_destroy(world);
}

/* --- watchdog ------------------------------------------------------------------------------- */

static u64 lost(struct world *world)
{
	return rf_hosted_lost_interrupts(world->device);
}

static void watch(struct world *world)
{
	kmd_adapter_watchdog(world->device->adapter);
}

static void second_look_finds_it(void **state)
{
	struct world *world = world_new();
	u32 native = make_default(world->file, 0);
	struct fake_fence *hw = fake_last_fence(&world->fake);
	struct drm_ringfence_fence_create monitored =
		make_fence(world->file, DRM_RINGFENCE_FENCE_MONITORED, 0, 0);
	u32 covered[2], not_covered, i;
	struct log log;
	void *h_process;

	(void)state;
	make_kernel_queue(world->file, 0);
	h_process = fake_last_queue(&world->fake)->context->arguments.h_process;
	covered[0] = wait_event(world->file, native, 5);
	covered[1] = wait_event(world->file, monitored.handle, 5);
	not_covered = wait_event(world->file, native, 6);
	world->fake.report = FAKE_REPORT_NOTHING;
	fake_signal(&world->fake, hw, 5);
	fake_store(&world->fake, h_process, monitored.mapping.current_value_gpu_address, 5);
	log_begin(&log);
	watch(world);
	for (i = 0; i < 2; i++)
		assert_int_equal(look(world->file, covered[i]), -ETIMEDOUT);
	assert_int_equal(lost(world), 0);
	watch(world);
	log_end(&log);
	for (i = 0; i < 2; i++)
		assert_int_equal(look(world->file, covered[i]), 0);
	assert_int_equal(lost(world), 2);
	assert_true(log_has(&log, "lost interrupt: a waiter for 5 sleeps at value 5\n"));
	assert_int_equal(look(world->file, not_covered), -ETIMEDOUT);
	assert_int_equal(fake_monitored(&world->fake, hw), 5);
	world_destroy(world);
}

/* An interrupt that is on its way is not lost, whatever step the signal has reached. */
static void on_its_way_is_not_lost(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0);
	struct fake_fence *hw = fake_last_fence(&world->fake);
	u64 value;
	u32 step;

	(void)state;
	for (value = 1; value < 100; value++) {
		struct fake_signal signal = { .fence = hw, .value = value };
		u32 event = wait_event(world->file, fence, value);

		for (step = 0; step < FAKE_SIGNAL_STEPS; step++) {
			if (value % FAKE_SIGNAL_STEPS == step)
				watch(world);
			fake_signal_step(&world->fake, &signal);
		}
		assert_int_equal(look(world->file, event), 0);
		destroy_event(world->file, event);
	}
	watch(world);
	watch(world);
	assert_int_equal(lost(world), 0);
	assert_int_equal(world->fake.interrupts_raised, 99);
	world_destroy(world);
}

static u64 steps_of_the_core;

static void count_step(void *argument)
{
	(void)argument;
	__atomic_fetch_add(&steps_of_the_core, 1, __ATOMIC_RELAXED);
}

static void off_by_default(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0);
	u32 event = wait_event(world->file, fence, 1);
	struct drm_ringfence_event_wait wait = { .handle = event };
	struct log log;

	(void)state;
	world->fake.report = FAKE_REPORT_NOTHING;
	fake_signal(&world->fake, fake_last_fence(&world->fake), 1);
	/* nothing of the core runs while nothing happens */
	steps_of_the_core = 0;
	world->fake.bus.between = count_step;
	usleep(20000);
	world->fake.bus.between = NULL;
	assert_int_equal(steps_of_the_core, 0);
	assert_int_equal(look(world->file, event), -ETIMEDOUT);

	assert_int_equal(rf_hosted_watchdog(world->device, KMD_WATCHDOG_PERIOD_MIN - 1), -EINVAL);
	log_begin(&log);
	assert_int_equal(rf_hosted_watchdog(world->device, KMD_WATCHDOG_PERIOD_MIN), 0);
	wait.deadline = soon(20000);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_EVENT_WAIT, &wait), 0);
	assert_int_equal(rf_hosted_watchdog(world->device, 2000000), 0); /* another period */
	log_end(&log);
	assert_int_equal(lost(world), 1);
	assert_int_equal(rf_hosted_watchdog(world->device, 0), 0);
	assert_int_equal(rf_hosted_watchdog(world->device, 0), 0);
	steps_of_the_core = 0;
	world->fake.bus.between = count_step;
	usleep(20000);
	world->fake.bus.between = NULL;
	assert_int_equal(steps_of_the_core, 0);
	/* and a device that is removed stops its own */
	assert_int_equal(rf_hosted_watchdog(world->device, 50000), 0);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S2-7,S2-25..S2-27,C6a.a-snapshot-and-no-change", snapshot_and_no_change),
		TEST("S2-6,C6a.off-unless-asked-for", off_unless_asked_for),
		TEST("S2-10,C6.the-second-look-finds-it", second_look_finds_it),
		TEST("S2-10,C6.on-its-way-is-not-lost", on_its_way_is_not_lost),
		TEST("S2-10,C6.off-by-default", off_by_default),
	};

	return cmocka_run_group_tests_name("debug", tests, NULL, NULL);
}
