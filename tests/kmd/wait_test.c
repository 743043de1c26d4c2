// SPDX-License-Identifier: Apache-2.0
/* CPU waits and signals, MonitoredValue upkeep, and the interrupt contract. */
#include <string.h>

#include <errno.h>

#include "base/adapter.h"
#include "fake.h"

#define NONE U64_MAX

/* A world with one DEFAULT fence. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	u32 fence;
	struct fake_fence *hw;
};

static struct scene scene_new(u64 initial)
{
	struct scene scene = { .world = world_new() };

	scene.fake = &scene.world->fake;
	scene.file = scene.world->file;
	scene.fence = make_default(scene.file, initial);
	scene.hw = fake_last_fence(scene.fake);
	return scene;
}

static void scene_end(struct scene *scene)
{
	world_destroy(scene->world);
}

static u64 monitored(const struct scene *scene)
{
	return fake_monitored(scene->fake, scene->hw);
}

#define assert_pending(scene, event) assert_int_equal(look((scene)->file, event), -ETIMEDOUT)
#define assert_woken(scene, event) assert_int_equal(look((scene)->file, event), 0)

/* --- MonitoredValue ------------------------------------------------------------------- */

static void monitored_is_least_minus_one(void **state)
{
	/* values waited for, in order of arrival, and MonitoredValue after each */
	static const struct {
		u64 value, monitored;
	} steps[] = {
		{ 50, 49 }, { 70, 49 }, { 42, 41 }, { 42, 41 }, { 100, 41 }, { 1, 0 }, { NONE, 0 },
	};
	struct scene scene = scene_new(0);
	u32 i;

	(void)state;
	assert_int_equal(monitored(&scene), NONE);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		wait_event(scene.file, scene.fence, steps[i].value);
		assert_int_equal(monitored(&scene), steps[i].monitored);
	}
	scene_end(&scene);
}

static void none_without_waiters(void **state)
{
	struct scene scene = scene_new(0);
	u32 event;

	(void)state;
	assert_int_equal(monitored(&scene), NONE);
	event = wait_event(scene.file, scene.fence, 5);
	assert_int_equal(monitored(&scene), 4);
	fake_signal(scene.fake, scene.hw, 5);
	assert_woken(&scene, event);
	assert_int_equal(monitored(&scene), NONE);
	scene_end(&scene);
}

static void removal_of_the_least_raises_it(void **state)
{
	struct scene scene = scene_new(0);
	u32 least = wait_event(scene.file, scene.fence, 10);
	u32 next = wait_event(scene.file, scene.fence, 20);

	(void)state;
	assert_int_equal(monitored(&scene), 9);
	destroy_event(scene.file, least); /* abandoned */
	assert_int_equal(monitored(&scene), 19);
	destroy_event(scene.file, next);
	assert_int_equal(monitored(&scene), NONE);
	/* a wait that times out leaves, too */
	assert_int_equal(wait_fence(scene.file, scene.fence, 7, soon(2)), -ETIMEDOUT);
	assert_int_equal(monitored(&scene), NONE);
	scene_end(&scene);
}

static void update_only_when_it_changes(void **state)
{
	struct scene scene = scene_new(0);

	(void)state;
	wait_event(scene.file, scene.fence, 10);
	assert_int_equal(scene.fake->update_fences, 1);
	wait_event(scene.file, scene.fence, 10);
	wait_event(scene.file, scene.fence, 11);
	assert_int_equal(scene.fake->update_fences, 1);
	wait_event(scene.file, scene.fence, 9);
	assert_int_equal(scene.fake->update_fences, 2);
	scene_end(&scene);
}

static void forty_one_forty_two(void **state)
{
	struct scene scene = scene_new(41);
	u32 event = wait_event(scene.file, scene.fence, 42);

	(void)state;
	assert_int_equal(monitored(&scene), 41);
	fake_signal(scene.fake, scene.hw, 41); /* equal: no interrupt */
	assert_int_equal(scene.fake->interrupts_raised, 0);
	assert_pending(&scene, event);
	fake_signal(scene.fake, scene.hw, 42);
	assert_int_equal(scene.fake->interrupts_raised, 1);
	assert_woken(&scene, event);
	scene_end(&scene);
}

static void next_waiter_is_armed(void **state)
{
	struct scene scene = scene_new(0);
	u32 first = wait_event(scene.file, scene.fence, 42);
	u32 second = wait_event(scene.file, scene.fence, 43);

	(void)state;
	fake_signal(scene.fake, scene.hw, 42);
	assert_woken(&scene, first);
	assert_pending(&scene, second);
	assert_int_equal(monitored(&scene), 42); /* = CurrentValue, and the compare is strict */
	fake_signal(scene.fake, scene.hw, 42);
	assert_int_equal(scene.fake->interrupts_raised, 1);
	fake_signal(scene.fake, scene.hw, 43);
	assert_woken(&scene, second);
	assert_int_equal(monitored(&scene), NONE);
	scene_end(&scene);
}

static void wakes_whom_it_covers_and_no_other(void **state)
{
	static const u64 values[] = { 7, 3, 9, 3, 1, 8, 0x4000000000000000, 0xc000000000000000, 5 };
	struct scene scene = scene_new(0);
	u32 events[ARRAY_SIZE(values)];
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(values); i++)
		events[i] = wait_event(scene.file, scene.fence, values[i]);
	fake_signal(scene.fake, scene.hw, 7);
	for (i = 0; i < ARRAY_SIZE(values); i++)
		assert_int_equal(look(scene.file, events[i]), values[i] <= 7 ? 0 : -ETIMEDOUT);
	assert_int_equal(monitored(&scene), 7);
	/* bits 63..62 are value as any other (C5a) */
	fake_signal(scene.fake, scene.hw, 0x8000000000000000);
	assert_woken(&scene, events[6]);
	assert_pending(&scene, events[7]);
	scene_end(&scene);
}

static void no_waiter_no_interrupt(void **state)
{
	struct scene scene = scene_new(0);
	u64 value;

	(void)state;
	for (value = 1; value <= 1000; value++)
		fake_signal(scene.fake, scene.hw, value);
	assert_int_equal(scene.fake->interrupts_raised, 0);
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_MONITORED], 0);
	scene_end(&scene);
}

static void spurious_interrupt_changes_nothing(void **state)
{
	struct scene scene = scene_new(5);
	u32 event = wait_event(scene.file, scene.fence, 10);

	(void)state;
	fake_report_handle(scene.fake, scene.hw->core);
	assert_pending(&scene, event);
	assert_int_equal(monitored(&scene), 9);
	assert_int_equal(fake_current(scene.fake, scene.hw), 5);
	fake_signal(scene.fake, scene.hw, 12); /* newer than what was waited for */
	assert_woken(&scene, event);
	scene_end(&scene);
}

static void satisfied_at_once_without_arming(void **state)
{
	struct scene scene = scene_new(10);

	(void)state;
	assert_int_equal(wait_fence(scene.file, scene.fence, 10, 0), 0);
	assert_int_equal(wait_fence(scene.file, scene.fence, 3, 0), 0);
	assert_int_equal(wait_fence(scene.file, scene.fence, 0, 0), 0); /* C24 */
	assert_woken(&scene, wait_event(scene.file, scene.fence, 10));
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_MONITORED], 0);
	scene_end(&scene);
}

static void waiter_on_zero_never_waits(void **state)
{
	struct scene scene = scene_new(0);

	(void)state;
	assert_woken(&scene, wait_event(scene.file, scene.fence, 0));
	assert_int_equal(monitored(&scene), NONE);
	scene_end(&scene);
}

static void rewind_is_stored_and_wakes_nobody(void **state)
{
	struct scene scene = scene_new(100);
	u32 event = wait_event(scene.file, scene.fence, 101);

	(void)state;
	assert_int_equal(signal_fence(scene.file, scene.fence, 50), 0);
	assert_int_equal(fake_current(scene.fake, scene.hw), 50);
	assert_pending(&scene, event);
	fake_signal(scene.fake, scene.hw, 60);
	assert_int_equal(scene.fake->interrupts_raised, 0);
	fake_signal(scene.fake, scene.hw, 101);
	assert_woken(&scene, event);
	scene_end(&scene);
}

/* --- races --------------------------------------------------------------------------------- */

/*
 * One or two GPU signals, in their four steps each, against one update of
 * MonitoredValue and the core's resample. A schedule puts each step into one of six
 * slots: before the wait begins, at the four points inside the update, after it.
 * Every schedule must wake the waiter, and tell the device the right value.
 */
#define SLOTS 6
/* A device that is late adds two points: it has taken the update, and it is still at it. */
#define LATE_SLOTS 8

struct race {
	bool late;
	struct fake_signal signals[2];
	u32 slots[2 * FAKE_SIGNAL_STEPS];
	u32 steps;
	u32 next;
};

static void run_slot(struct fake *fake, struct race *race, u32 slot)
{
	while (race->next < race->steps && race->slots[race->next] == slot) {
		fake_signal_step(fake, &race->signals[race->next / FAKE_SIGNAL_STEPS]);
		race->next++;
	}
}

static void race_in_update(struct fake *fake, u32 point, void *argument)
{
	static const u32 late[] = {
		3, 4, 5, 6, [FAKE_POINT_TAKEN] = 1, [FAKE_POINT_REFUSED] = 2,
	};

	run_slot(fake, argument, fake->late ? late[point] : 1 + point);
}

static u32 slots_of(const struct race *race)
{
	return race->late ? LATE_SLOTS : SLOTS;
}

static u32 run_schedule(struct race *race, u64 first, u64 last, bool device_resamples, u32 *hits)
{
	struct scene scene = scene_new(0);
	u32 event;
	u32 i;

	race->next = 0;
	for (i = 0; i < race->steps / FAKE_SIGNAL_STEPS; i++)
		race->signals[i] = (struct fake_signal){
			.fence = scene.hw,
			.value = i ? last : first,
		};
	scene.fake->late = race->late;
	scene.fake->no_device_resample = !device_resamples;
	scene.fake->during_update = race_in_update;
	scene.fake->argument = race;
	run_slot(scene.fake, race, 0);
	event = wait_event(scene.file, scene.fence, 42);
	/* no update happened if the value was there before: the rest comes after */
	for (i = 1; i < slots_of(race); i++)
		run_slot(scene.fake, race, i);
	scene.fake->during_update = NULL;

	assert_woken(&scene, event);
	assert_int_equal(monitored(&scene), NONE);
	hits[0] += scene.fake->interrupts_raised > 0;
	hits[1] += world_statistics(scene.world).resample_hits > 0;
	hits[2] += scene.fake->update_fences == 0;
	scene_end(&scene);
	return 1;
}

static u32 all_schedules(struct race *race, u32 step, u32 slot, u64 first, u64 last,
			 bool device_resamples, u32 *hits)
{
	u32 count = 0;

	if (step == race->steps)
		return run_schedule(race, first, last, device_resamples, hits);
	for (; slot < slots_of(race); slot++) {
		race->slots[step] = slot;
		count += all_schedules(race, step + 1, slot, first, last, device_resamples, hits);
	}
	return count;
}

static void sweep_device(bool late, u32 signals, u64 first, u64 last, bool device_resamples)
{
	struct race race = { .late = late, .steps = signals * FAKE_SIGNAL_STEPS };
	u32 hits[3] = { 0 };
	u32 count = all_schedules(&race, 0, 0, first, last, device_resamples, hits);

	print_message("# %u schedules: %u with interrupts, %u resampled, %u reached before\n",
		      count, hits[0], hits[1], hits[2]);
	/* the sweep is worth something only if it went through each way of waking */
	assert_true(hits[0] && hits[1] && hits[2]);
}

static void sweep(u32 signals, u64 first, u64 last, bool device_resamples)
{
	sweep_device(false, signals, first, last, device_resamples);
}

/* The device takes an update, and is not done with it when it is asked first. */
static void late_update_races_signal(void **state)
{
	(void)state;
	sweep_device(true, 1, 42, 0, true);
	sweep_device(true, 1, 42, 0, false);
}

/* More than one call takes: those behind find the device at the first ones. */
static void late_updates_of_many(void **state)
{
	struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX];
	struct fake_fence *hw[DRM_RINGFENCE_OBJECTS_MAX];
	struct scene scene = scene_new(0);
	u32 event = make_event(scene.file), i;

	(void)state;
	static_assert(DRM_RINGFENCE_OBJECTS_MAX > RF_UPDATE_FENCES_MAX, "more than one call");
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		values[i].handle = make_default(scene.file, 0);
		values[i].value = 10 + i;
		values[i].pad = 0;
		hw[i] = fake_last_fence(scene.fake);
	}
	scene.fake->late = true;
	assert_int_equal(wait_fences(scene.file, values, ARRAY_SIZE(values), 0, 0, event), 0);
	for (i = 0; i < ARRAY_SIZE(values); i++)
		assert_int_equal(fake_monitored(scene.fake, hw[i]), 9 + i);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		assert_pending(&scene, event);
		fake_signal(scene.fake, hw[i], 10 + i);
	}
	assert_woken(&scene, event);
	scene_end(&scene);
}

static void update_races_signal(void **state)
{
	(void)state;
	sweep(1, 42, 0, true);
}

static void resample_alone_closes_the_race(void **state)
{
	(void)state;
	sweep(1, 42, 0, false);
}

static void newer_value_while_deciding(void **state)
{
	(void)state;
	sweep(2, 42, 43, true);
	sweep(2, 41, 42, false);
}

/* --- interrupts ------------------------------------------------------------------------------ */

static void fence_is_named_exactly(void **state)
{
	struct scene scene = scene_new(0);
	u32 other = make_default(scene.file, 0);
	struct fake_fence *other_hw = fake_last_fence(scene.fake);
	u32 mine = wait_event(scene.file, scene.fence, 1);
	u32 others = wait_event(scene.file, other, 1);

	(void)state;
	/* the value is there, but no interrupt names the fence: it is not looked at */
	fake_gpu_write(scene.fake, NULL, scene.hw->arguments.current_value_system_process_gpu_va,
		       1);
	fake_signal(scene.fake, other_hw, 1);
	assert_woken(&scene, others);
	assert_pending(&scene, mine);
	fake_report_handle(scene.fake, scene.hw->core);
	assert_woken(&scene, mine);
	scene_end(&scene);
}

static void null_array_evaluates_all(void **state)
{
	struct scene scene = scene_new(0);
	u32 other = make_default(scene.file, 0);
	struct fake_fence *other_hw = fake_last_fence(scene.fake);
	u32 mine = wait_event(scene.file, scene.fence, 1);
	u32 others = wait_event(scene.file, other, 1);
	struct kmd_statistics statistics;

	(void)state;
	scene.fake->report = FAKE_REPORT_NULL;
	fake_gpu_write(scene.fake, NULL, scene.hw->arguments.current_value_system_process_gpu_va,
		       1);
	fake_signal(scene.fake, other_hw, 1);
	assert_woken(&scene, others);
	assert_woken(&scene, mine);
	statistics = world_statistics(scene.world);
	assert_int_equal(statistics.evaluate_all, 1);
	assert_int_equal(statistics.evaluate_legacy, 0); /* S0-69 */
	scene_end(&scene);
}

static void legacy_flag_evaluates_both(void **state)
{
	struct scene scene = scene_new(0);
	u32 event = wait_event(scene.file, scene.fence, 1);

	(void)state;
	scene.fake->report = FAKE_REPORT_LEGACY;
	fake_signal(scene.fake, scene.hw, 1);
	assert_woken(&scene, event);
	assert_int_equal(world_statistics(scene.world).evaluate_legacy, 1);
	scene_end(&scene);
}

static void handle_of_destroyed_fence_is_fatal(void **state)
{
	struct scene scene = scene_new(0);
	u32 other = make_default(scene.file, 0);
	void *stale = fake_last_fence(scene.fake)->core;
	u32 event = wait_event(scene.file, scene.fence, 1);
	struct drm_ringfence_fence_create create = { 0 };

	(void)state;
	destroy_fence(scene.file, other);
	fake_report_handle(scene.fake, stale);
	/* never a silent success: every waiter returns, and the device is no longer used */
	assert_int_equal(look(scene.file, event), -ENODEV);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_FENCE_CREATE, &create),
			 -ENODEV);
	assert_int_equal(wait_fence(scene.file, scene.fence, 1, soon(1000)), -ENODEV);
	destroy_fence(scene.file, scene.fence); /* cleaning up still works */
	scene_end(&scene);
}

static void reused_handle_of_destroyed_fence_is_fatal(void **state)
{
	struct scene scene = scene_new(0);
	void *stale = fake_last_fence(scene.fake)->core;
	u32 fence, i;

	(void)state;
	destroy_fence(scene.file, scene.fence);
	for (i = 0; i < 100; i++) { /* the slot is surely used again */
		fence = make_default(scene.file, 0);
		assert_ptr_not_equal(fake_last_fence(scene.fake)->core, stale);
		if (i < 99)
			destroy_fence(scene.file, fence);
	}
	fake_report_handle(scene.fake, stale);
	assert_int_equal(signal_fence(scene.file, fence, 1), -ENODEV);
	scene_end(&scene);
}

static void raise_in_update(struct fake *fake, u32 point, void *argument)
{
	struct kmd_adapter *adapter = fake->h_core;
	u64 *delivered = argument;

	(void)point;
	/* not even a service that has begun on another thread is inside */
	assert_int_equal(pthread_mutex_trylock(&adapter->device_lock.mutex), EBUSY);
	fake_report_handle(fake, fake_last_fence(fake)->core);
	*delivered = fake->bus.delivered;
}

static void update_excludes_service(void **state)
{
	struct scene scene = scene_new(5);
	u64 inside = 1;

	(void)state;
	scene.fake->during_update = raise_in_update;
	scene.fake->argument = &inside;
	wait_event(scene.file, scene.fence, 6);
	assert_int_equal(inside, 0); /* it pended */
	assert_true(scene.fake->bus.delivered > 0); /* and came afterwards */
	assert_int_equal(scene.fake->isr_while_updating, 0);
	scene_end(&scene);
}

static void failed_signal_is_fatal(void **state)
{
	struct scene scene = scene_new(0);
	u32 event = wait_event(scene.file, scene.fence, 5);

	(void)state;
	scene.fake->fail = FAKE_UPDATE_CURRENT;
	assert_int_equal(signal_fence(scene.file, scene.fence, 1), -ENODEV);
	assert_int_equal(look(scene.file, event), -ENODEV);
	assert_int_equal(signal_fence(scene.file, scene.fence, 5), -ENODEV);
	scene_end(&scene);
}

/* A device that does not take it is reset, and files keep it. */
static void failed_update_is_a_reset(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_fence_value one = { .handle = scene.fence, .value = 5 };
	struct drm_ringfence_fence_wait wait = {
		.fences = { .array = (uintptr_t)&one, .count = 1, .stride = sizeof(one) },
	};
	struct rf_file *next;
	u32 event = make_event(scene.file), fence;

	(void)state;
	scene.fake->idle = U32_MAX;
	rf_hosted_look_for_idle(scene.world->device);
	assert_true(kmd_adapter_is_idle(scene.world->device->adapter));
	scene.fake->fail = FAKE_UPDATE_MONITORED;
	wait.event = event;
	assert_int_equal(kmd_request(scene.file->file, DRM_RINGFENCE_FENCE_WAIT, &wait), 0);
	scene.fake->fail = FAKE_CALLS;
	/* it is watched, so that it is reset */
	assert_false(kmd_adapter_is_idle(scene.world->device->adapter));
	/* which the next one of the process's calls does */
	make_event(scene.file);
	assert_int_equal(world_statistics(scene.world).adapter_resets, 1);
	/* fences of a lost process have the greatest value */
	assert_int_equal(look(scene.file, event), 0);
	assert_int_equal(rf_hosted_open(scene.world->device, &next), 0);
	fence = make_default(next, 0);
	event = wait_event(next, fence, 5);
	fake_signal(scene.fake, fake_last_fence(scene.fake), 5);
	assert_int_equal(look(next, event), 0);
	rf_hosted_close(next);
	scene_end(&scene);
}

/* --- signals ------------------------------------------------------------------------------------ */

static void cpu_signal_wakes_and_tells_the_device(void **state)
{
	struct scene scene = scene_new(0);
	const u64 *value = map(scene.file, 0x1000);
	u32 event = wait_event(scene.file, scene.fence, 10);

	(void)state;
	assert_int_equal(signal_fence(scene.file, scene.fence, 9), 0);
	assert_pending(&scene, event);
	assert_int_equal(signal_fence(scene.file, scene.fence, 10), 0);
	assert_woken(&scene, event);
	assert_int_equal(scene.fake->update_current_fences, 2);
	assert_int_equal(rf_read_once64(value), 10); /* by polling, too (S0-17) */
	assert_int_equal(monitored(&scene), NONE);
	/* a signal stores, it does not add (C2) */
	assert_int_equal(signal_fence(scene.file, scene.fence, 10), 0);
	assert_int_equal(rf_read_once64(value), 10);
	scene_end(&scene);
}

static void signal_batch_applies_all(void **state)
{
	struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX] = { 0 };
	struct fake_fence *hw[DRM_RINGFENCE_OBJECTS_MAX];
	struct world *world = world_new();
	struct drm_ringfence_fence_signal signal = {
		.fences = { .stride = sizeof(values[0]),
			    .count = DRM_RINGFENCE_OBJECTS_MAX,
			    .array = (uintptr_t)values },
	};
	u32 i;

	(void)state;
	for (i = 0; i < DRM_RINGFENCE_OBJECTS_MAX; i++) {
		values[i].handle = make_default(world->file, 0);
		values[i].value = 100 + i;
		hw[i] = fake_last_fence(&world->fake);
	}
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_SIGNAL, &signal), 0);
	assert_int_equal(world->fake.calls[FAKE_UPDATE_CURRENT], 1);
	assert_int_equal(world->fake.update_current_fences, DRM_RINGFENCE_OBJECTS_MAX);
	for (i = 0; i < DRM_RINGFENCE_OBJECTS_MAX; i++)
		assert_int_equal(fake_current(&world->fake, hw[i]), 100 + i);

	/* one bad element: nothing is signalled */
	values[31].handle = 0xdead;
	values[0].value = 1;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_SIGNAL, &signal),
			 -ENOENT);
	assert_int_equal(fake_current(&world->fake, hw[0]), 100);
	world_destroy(world);
}

static void monitored_batch_applies_all(void **state)
{
	struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX] = { 0 };
	struct fake_fence *hw[DRM_RINGFENCE_OBJECTS_MAX];
	struct world *world = world_new();
	u32 event = make_event(world->file);
	u32 i;

	(void)state;
	for (i = 0; i < DRM_RINGFENCE_OBJECTS_MAX; i++) {
		values[i].handle = make_default(world->file, 0);
		values[i].value = 100 + i;
		hw[i] = fake_last_fence(&world->fake);
	}
	assert_int_equal(wait_fences(world->file, values, DRM_RINGFENCE_OBJECTS_MAX, 0, 0, event),
			 0);
	for (i = 0; i < DRM_RINGFENCE_OBJECTS_MAX; i++)
		assert_int_equal(fake_monitored(&world->fake, hw[i]), 99 + i);
	assert_true(world->fake.calls[FAKE_UPDATE_MONITORED] < DRM_RINGFENCE_OBJECTS_MAX);
	assert_int_equal(world->fake.update_fences, DRM_RINGFENCE_OBJECTS_MAX);
	world_destroy(world);
}

/* --- several fences -------------------------------------------------------------------------------- */

static void wait_all_in_any_order(void **state)
{
	struct scene scene = scene_new(0);
	u32 other = make_default(scene.file, 0);
	struct fake_fence *other_hw = fake_last_fence(scene.fake);
	const struct drm_ringfence_fence_value values[] = {
		{ .handle = scene.fence, .value = 100 },
		{ .handle = other, .value = 200 },
	};
	u32 first = make_event(scene.file);
	u32 second = make_event(scene.file);

	(void)state;
	assert_int_equal(wait_fences(scene.file, values, 2, 0, 0, first), 0);
	fake_signal(scene.fake, other_hw, 250);
	assert_pending(&scene, first);
	/* what was reached stays reached, whatever comes after */
	fake_signal(scene.fake, other_hw, 0);
	fake_signal(scene.fake, scene.hw, 99);
	assert_pending(&scene, first);
	fake_signal(scene.fake, scene.hw, 100);
	assert_woken(&scene, first);

	/* one of them is reached already */
	fake_signal(scene.fake, other_hw, 0);
	assert_int_equal(wait_fences(scene.file, values, 2, 0, 0, second), 0);
	assert_int_equal(monitored(&scene), NONE);
	fake_signal(scene.fake, other_hw, 200);
	assert_woken(&scene, second);
	assert_pending(&scene, second); /* told once */
	scene_end(&scene);
}

static void wait_any_takes_the_first(void **state)
{
	struct scene scene = scene_new(0);
	u32 other = make_default(scene.file, 0);
	struct fake_fence *other_hw = fake_last_fence(scene.fake);
	const struct drm_ringfence_fence_value values[] = {
		{ .handle = scene.fence, .value = 100 },
		{ .handle = other, .value = 200 },
		{ .handle = scene.fence, .value = 50 }, /* the same fence again */
	};
	u32 event = make_event(scene.file);

	(void)state;
	assert_int_equal(wait_fences(scene.file, values, 3, DRM_RINGFENCE_WAIT_ANY, 0, event), 0);
	assert_int_equal(monitored(&scene), 49);
	assert_int_equal(fake_monitored(scene.fake, other_hw), 199);
	fake_signal(scene.fake, scene.hw, 50);
	assert_woken(&scene, event);
	/* the others have left, and their MonitoredValues with them */
	assert_int_equal(monitored(&scene), NONE);
	assert_int_equal(fake_monitored(scene.fake, other_hw), NONE);
	/* reached at once: never armed */
	assert_int_equal(wait_fences(scene.file, values, 3, DRM_RINGFENCE_WAIT_ANY, 0, 0), 0);
	scene_end(&scene);
}

static void at_most_32(void **state)
{
	struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX + 1] = { 0 };
	struct scene scene = scene_new(5);
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(values); i++)
		values[i] = (struct drm_ringfence_fence_value){ .handle = scene.fence, .value = 5 };
	assert_int_equal(wait_fences(scene.file, values, 32, 0, 0, 0), 0);
	assert_int_equal(wait_fences(scene.file, values, 33, 0, 0, 0), -EINVAL);
	assert_int_equal(wait_fences(scene.file, values, 0, 0, 0, 0), -EINVAL);
	scene_end(&scene);
}

/* --- ends ------------------------------------------------------------------------------------------------ */

static void time_out(void **state)
{
	struct scene scene = scene_new(0);
	u64 begin = rf_time();

	(void)state;
	assert_int_equal(wait_fence(scene.file, scene.fence, 1, begin + 5000000), -ETIMEDOUT);
	assert_true(rf_time() >= begin + 5000000);
	assert_int_equal(wait_fence(scene.file, scene.fence, 1, 0), -ETIMEDOUT);
	assert_int_equal(fake_current(scene.fake, scene.hw), 0); /* never forced (C6a) */
	scene_end(&scene);
}

static void destroying_ends_waits(void **state)
{
	struct scene scene = scene_new(0);
	u32 other = make_default(scene.file, 0);
	struct fake_fence *other_hw = fake_last_fence(scene.fake);
	const struct drm_ringfence_fence_value values[] = {
		{ .handle = scene.fence, .value = 1 },
		{ .handle = other, .value = 1 },
	};
	u32 event = make_event(scene.file);

	(void)state;
	assert_int_equal(wait_fences(scene.file, values, 2, 0, 0, event), 0);
	destroy_fence(scene.file, scene.fence);
	assert_int_equal(look(scene.file, event), -ECANCELED);
	assert_pending(&scene, event); /* told once */
	assert_int_equal(fake_monitored(scene.fake, other_hw), NONE);
	fake_signal(scene.fake, other_hw, 1);
	assert_pending(&scene, event);
	scene_end(&scene);
}

static void event_collects_several_waits(void **state)
{
	struct scene scene = scene_new(0);
	const struct drm_ringfence_fence_value one = { .handle = scene.fence, .value = 1 };
	const struct drm_ringfence_fence_value two = { .handle = scene.fence, .value = 2 };
	u32 event = make_event(scene.file);

	(void)state;
	assert_int_equal(wait_fences(scene.file, &one, 1, 0, 0, event), 0);
	assert_int_equal(wait_fences(scene.file, &two, 1, 0, 0, event), 0);
	fake_signal(scene.fake, scene.hw, 1);
	assert_woken(&scene, event);
	assert_pending(&scene, event);
	fake_signal(scene.fake, scene.hw, 2);
	assert_woken(&scene, event);
	destroy_event(scene.file, event);
	assert_int_equal(look(scene.file, event), -ENOENT);
	scene_end(&scene);
}

static void intra_gpu_knows_no_cpu(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_fence_create fence =
		make_fence(world->file, DRM_RINGFENCE_FENCE_INTRA_GPU, 0, 0);
	struct fake_fence *hw = fake_last_fence(&world->fake);

	(void)state;
	assert_int_equal(fence.mapping.current_value_mmap_offset, 0);
	assert_int_equal(wait_fence(world->file, fence.handle, 0, 0), -EOPNOTSUPP);
	assert_int_equal(signal_fence(world->file, fence.handle, 1), -EOPNOTSUPP);
	/* the GPU gives the first value, and no interrupt ever comes of it */
	fake_signal(&world->fake, hw, 77);
	assert_int_equal(fake_current(&world->fake, hw), 77);
	assert_int_equal(world->fake.interrupts_raised, 0);
	assert_int_equal(world->fake.calls[FAKE_UPDATE_CURRENT], 0);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-6,S0-10,C24.monitored-value-is-the-least-minus-1",
		     monitored_is_least_minus_one),
		TEST("S0-9.none-without-waiters", none_without_waiters),
		TEST("S0-11.removing-the-least-raises-it", removal_of_the_least_raises_it),
		TEST("S0-32.updates-only-when-it-changes", update_only_when_it_changes),
		TEST("S0-12,S0-13,S0-14.41-and-42", forty_one_forty_two),
		TEST("S0-16,C26.the-next-waiter-is-armed", next_waiter_is_armed),
		TEST("S0-15,C5a,S2-22.wakes-whom-it-covers-and-no-other",
		     wakes_whom_it_covers_and_no_other),
		TEST("S0-22.no-waiter-no-interrupt", no_waiter_no_interrupt),
		TEST("S0-41,S0-42.spurious-interrupt-changes-nothing",
		     spurious_interrupt_changes_nothing),
		TEST("S0-44,C24.reached-at-registration-is-not-armed",
		     satisfied_at_once_without_arming),
		TEST("C24.a-waiter-on-0-never-waits", waiter_on_zero_never_waits),
		TEST("C25.a-rewind-is-stored-and-wakes-nobody", rewind_is_stored_and_wakes_nobody),
		TEST("S0-36,S0-40,S0-43.every-interleaving-of-update-and-signal",
		     update_races_signal),
		TEST("S0-39,S0-40.a-late-update-races-a-signal", late_update_races_signal),
		TEST("S0-40.late-updates-of-many", late_updates_of_many),
		TEST("S0-40.the-resample-alone-closes-the-race", resample_alone_closes_the_race),
		TEST("S0-37.every-interleaving-with-a-newer-value", newer_value_while_deciding),
		TEST("S0-64,S0-68.a-named-fence-is-evaluated-alone", fence_is_named_exactly),
		TEST("S0-66,S0-67,S0-69.a-null-array-evaluates-all", null_array_evaluates_all),
		TEST("S0-70,S0-71.the-legacy-flag-evaluates-both", legacy_flag_evaluates_both),
		TEST("S0-65.the-handle-of-a-destroyed-fence-is-fatal",
		     handle_of_destroyed_fence_is_fatal),
		TEST("S0-65,C8.also-when-its-slot-is-used-again",
		     reused_handle_of_destroyed_fence_is_fatal),
		TEST("S0-38.no-service-inside-an-update", update_excludes_service),
		TEST("a-failed-signal-is-fatal", failed_signal_is_fatal),
		TEST("a-failed-update-is-a-reset", failed_update_is_a_reset),
		TEST("S0-17,S0-18,S0-19,C2,C21.cpu-signal", cpu_signal_wakes_and_tells_the_device),
		TEST("S0-73.a-batch-of-signals-applies-all", signal_batch_applies_all),
		TEST("S0-72.a-batch-of-updates-applies-all", monitored_batch_applies_all),
		TEST("A-18,S2-24.wait-all-in-any-order", wait_all_in_any_order),
		TEST("A-18,S0-11.wait-any-takes-the-first", wait_any_takes_the_first),
		TEST("A-18.at-most-32", at_most_32),
		TEST("C6a.time-out-changes-nothing", time_out),
		TEST("destroying-a-fence-ends-its-waits", destroying_ends_waits),
		TEST("S1-29.an-event-collects-waits", event_collects_several_waits),
		TEST("intra-gpu-fences-know-no-cpu", intra_gpu_knows_no_cpu),
	};

	return cmocka_run_group_tests_name("wait", tests, NULL, NULL);
}
