// SPDX-License-Identifier: Apache-2.0
/*
 * Random waits, signals, cancellations, fences and processes, against a model that
 * a reader can check by eye. At every quiescent point: MonitoredValue is the least
 * waited value minus 1, and an event is set exactly if what it waits for has been
 * reached since. SEED=n repeats a run.
 */
#include <stdio.h>
#include <string.h>

#include "fake.h"

#define FENCES 12
#define EVENTS 40
#define FENCES_PER_WAIT 4
#define STEPS 60000

struct model_fence {
	struct drm_ringfence_fence_create create;
	u32 handles[2]; /* in each process; 0: not there */
	struct fake_fence *hw;
	u64 value;
};

struct model_event {
	u32 handle; /* 0: none */
	u32 process;
	bool any, pending;
	bool set;
	int error;
	u32 count;
	u32 fences[FENCES_PER_WAIT];
	u64 values[FENCES_PER_WAIT];
	bool reached[FENCES_PER_WAIT];
};

static struct world *world;
static struct rf_file *files[2];
static struct model_fence fences[FENCES];
static struct model_event events[EVENTS];
static u64 random_state;

static u32 random_below(u32 limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (u32)(random_state >> 33) % limit;
}

/* A fence has this value now: what follows, by definition. */
static void model_settle(void)
{
	u32 i, j;

	for (i = 0; i < EVENTS; i++) {
		struct model_event *event = &events[i];
		u32 reached = 0;

		if (!event->handle || !event->pending)
			continue;
		for (j = 0; j < event->count; j++) {
			event->reached[j] |= fences[event->fences[j]].value >= event->values[j];
			reached += event->reached[j];
		}
		if (event->any ? reached > 0 : reached == event->count) {
			event->pending = false;
			event->set = true;
		}
	}
}

static u64 model_monitored(u32 fence)
{
	u64 least = U64_MAX;
	bool waited = false;
	u32 i, j;

	for (i = 0; i < EVENTS; i++)
		for (j = 0; events[i].handle && events[i].pending && j < events[i].count; j++)
			if (events[i].fences[j] == fence && !events[i].reached[j] &&
			    events[i].values[j] <= least) {
				least = events[i].values[j];
				waited = true;
			}
	return waited ? least - 1 : U64_MAX;
}

static void check(void)
{
	u32 i;

	for (i = 0; i < FENCES; i++)
		if (fences[i].hw)
			assert_int_equal(fake_monitored(&world->fake, fences[i].hw),
					 model_monitored(i));
	for (i = 0; i < EVENTS; i++) {
		struct model_event *event = &events[i];
		int expected = event->error ? event->error : event->set ? 0 : -ETIMEDOUT;

		if (!event->handle)
			continue;
		assert_int_equal(look(files[event->process], event->handle), expected);
		/* seen once */
		if (event->error)
			event->error = 0;
		else
			event->set = false;
	}
}

/* --- steps ---------------------------------------------------------------------------- */

static void step_fence(u32 i)
{
	struct model_fence *fence = &fences[i];
	u32 process = random_below(2);
	u32 j, k;

	if (!fence->hw) {
		bool shared = random_below(2);

		fence->value = random_below(50);
		fence->create = make_fence(files[process], 0,
					   shared ? DRM_RINGFENCE_FENCE_SHARED : 0, fence->value);
		fence->handles[process] = fence->create.handle;
		fence->handles[!process] = 0;
		fence->hw = fake_last_fence(&world->fake);
		return;
	}
	if (!fence->handles[process]) {
		struct drm_ringfence_fence_open open = { .share_token = fence->create.share_token };

		if (!open.share_token)
			return;
		assert_int_equal(rf_hosted_request(files[process], DRM_RINGFENCE_FENCE_OPEN, &open),
				 0);
		fence->handles[process] = open.handle;
		return;
	}
	destroy_fence(files[process], fence->handles[process]);
	fence->handles[process] = 0;
	for (j = 0; j < EVENTS; j++)
		for (k = 0; events[j].pending && k < events[j].count; k++)
			if (events[j].process == process && events[j].fences[k] == i &&
			    !events[j].reached[k]) {
				events[j].pending = false;
				events[j].error = -ECANCELED;
			}
	if (!fence->handles[!process])
		fence->hw = NULL;
}

static void step_wait(u32 i)
{
	struct drm_ringfence_fence_value values[FENCES_PER_WAIT] = { 0 };
	struct model_event *event = &events[i];
	u32 j;

	if (event->handle) {
		destroy_event(files[event->process], event->handle);
		memset(event, 0, sizeof(*event));
		return;
	}
	event->process = random_below(2);
	event->any = random_below(2);
	event->count = 1 + random_below(FENCES_PER_WAIT);
	for (j = 0; j < event->count; j++) {
		u32 which = random_below(FENCES);

		if (!fences[which].hw || !fences[which].handles[event->process])
			return;
		event->fences[j] = which;
		event->values[j] = fences[which].value + random_below(20) - 3;
		if (event->values[j] > fences[which].value + 20)
			event->values[j] = 0; /* below 0 */
		event->reached[j] = false;
		values[j].handle = fences[which].handles[event->process];
		values[j].value = event->values[j];
	}
	event->handle = make_event(files[event->process]);
	event->pending = true;
	assert_int_equal(wait_fences(files[event->process], values, event->count,
				     event->any ? DRM_RINGFENCE_WAIT_ANY : 0, 0, event->handle),
			 0);
	model_settle();
}

static void step_signal(u32 i)
{
	struct model_fence *fence = &fences[i];
	u32 process = random_below(2);
	u64 value;

	if (!fence->hw)
		return;
	/* mostly upwards, sometimes back (C25) */
	value = random_below(20) ? fence->value + random_below(6) : fence->value / 2;
	fence->value = value;
	world->fake.report = random_below(4) ? FAKE_REPORT_EXACT : FAKE_REPORT_NULL;
	world->fake.no_device_resample = random_below(2);
	if (fence->handles[process] && random_below(3) == 0)
		assert_int_equal(signal_fence(files[process], fence->handles[process], value), 0);
	else
		fake_signal(&world->fake, fence->hw, value);
	model_settle();
}

static void random_world(void **state)
{
	const char *text = getenv("SEED");
	u64 seed = text ? strtoull(text, NULL, 0) : 1;
	struct kmd_statistics statistics;
	u32 step;

	(void)state;
	print_message("# SEED=%llu\n", (unsigned long long)seed);
	random_state = seed;
	world = world_new();
	files[0] = world->file;
	assert_int_equal(rf_hosted_open(world->device, &files[1]), 0);
	for (step = 0; step < STEPS; step++) {
		u32 what = random_below(10);

		if (what == 0)
			step_fence(random_below(FENCES));
		else if (what < 5)
			step_wait(random_below(EVENTS));
		else
			step_signal(random_below(FENCES));
		check();
	}
	statistics = world_statistics(world);
	print_message("# %llu waits, %llu wakes, %llu updates, %llu interrupts\n",
		      (unsigned long long)statistics.waits, (unsigned long long)statistics.wakes,
		      (unsigned long long)statistics.monitored_updates,
		      (unsigned long long)statistics.interrupts);
	/* worth something only if it went through all of this */
	assert_true(statistics.waits > 1000);
	assert_true(statistics.wakes > 500);
	assert_true(statistics.interrupts > 200);
	assert_true(statistics.evaluate_all > 50);
	rf_hosted_close(files[1]);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-6,S0-9..S0-16,S0-44.random-world-against-a-model", random_world),
	};

	return cmocka_run_group_tests_name("stress", tests, NULL, NULL);
}
