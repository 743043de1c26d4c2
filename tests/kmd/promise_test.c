// SPDX-License-Identifier: Apache-2.0
/*
 * A promise ends in time, whatever becomes of the device and whatever the process and its
 * engines write: KMD_EXPORTED_FENCE_DELAYS TDR delays after the watch saw it first.
 */
#include <string.h>

#include "base/adapter.h"
#include "recovery/recovery.h"
#include "fake.h"

#define SECOND 1000000000ull
#define PATIENCE (KMD_EXPORTED_FENCE_DELAYS * (u64)KMD_TDR_DELAY)
#define PERIOD (SECOND / 2) /* of the watch */

struct told {
	unsigned int count;
	int result;
};

static void tell(void *argument, int result)
{
	struct told *told = argument;

	told->count++;
	told->result = result;
}

/* A user-mode queue with last-queued value 1, and a promise of it. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct kmd_adapter *adapter;
	struct rf_file *file;
	struct drm_ringfence_queue_create queue;
	struct fake_fence *progress;
	u64 *last_queued;
	struct told told;
	u64 now;
};

static struct scene scene_in(struct world *world)
{
	struct scene scene = { .world = world, .now = SECOND };

	scene.fake = &scene.world->fake;
	scene.adapter = scene.world->device->adapter;
	scene.file = scene.world->file;
	scene.queue = make_queue(scene.file, 0);
	scene.progress = fake_last_fence(scene.fake);
	scene.last_queued = map(scene.file, scene.queue.last_queued_mmap_offset);
	rf_write_once64(scene.last_queued, 1);
	return scene;
}

static struct scene scene_new(void)
{
	return scene_in(world_new());
}

static void promise(struct scene *scene, u32 fence, u64 value, struct told *told)
{
	assert_int_equal(kmd_fence_notify(scene->file->file, fence, value, true, tell, told), 0);
}

/* As a shell does it. */
static void look_all(struct scene *scene)
{
	kmd_adapter_watch(scene->adapter, scene->now);
	kmd_adapter_look_for_idle(scene->adapter);
}

/* Looks until just before the deadline, and at it. The first one has seen the promise. */
static void let_time_pass(struct scene *scene, void (*look)(struct scene *scene))
{
	u64 deadline = scene->now + PATIENCE;

	look(scene);
	while (scene->now + PERIOD < deadline) {
		scene->now += PERIOD;
		look(scene);
	}
	scene->now = deadline - 1;
	look(scene);
	assert_int_equal(scene->told.count, 0);
	scene->now = deadline;
	look(scene);
	assert_int_equal(scene->told.count, 1);
}

static u32 queue_error(struct scene *scene)
{
	struct drm_ringfence_queue_status status = { .handle = scene->queue.handle };

	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return status.error;
}

static void expect_lost(struct scene *scene)
{
	struct told never = { 0 };

	assert_int_equal(scene->told.count, 1);
	assert_int_equal(scene->told.result, -EIO);
	assert_int_equal(queue_error(scene), RF_QUEUE_ERROR_ENGINE);
	/* what is lost stays so */
	rf_write_once64(scene->last_queued, 1);
	assert_int_equal(kmd_fence_notify(scene->file->file, scene->queue.progress_fence, 1, true,
					  tell, &never),
			 -EIO);
	assert_int_equal(never.count, 0);
}

static void scene_end(struct scene *scene)
{
	world_destroy(scene->world);
	assert_int_equal(scene->told.count, 1);
}

/* --- the deadline ---------------------------------------------------------------------------- */

static void only_who_owes_is_lost(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	look_all(&scene);
	scene.now += 2 * PATIENCE; /* no promise depends on it */
	look_all(&scene);
	assert_int_equal(queue_error(&scene), 0);
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	let_time_pass(&scene, look_all);
	expect_lost(&scene);
	scene_end(&scene);
}

static void a_value_that_comes_in_time(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	look_all(&scene);
	scene.now += PATIENCE - 1;
	look_all(&scene);
	fake_signal(scene.fake, scene.progress, 1);
	assert_int_equal(scene.told.count, 1);
	assert_int_equal(scene.told.result, 0);
	scene.now += PATIENCE;
	look_all(&scene);
	assert_int_equal(queue_error(&scene), 0);
	scene_end(&scene);
}

static void watch_promises(struct scene *scene)
{
	kmd_adapter_watch_exported_fences(scene->adapter, scene->now);
}

/* A value that is reached without an interrupt, while the rest of the watch waits. */
static void a_lost_interrupt_breaks_no_promise(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	scene.fake->report = FAKE_REPORT_NOTHING;
	fake_signal(scene.fake, scene.progress, 1);
	let_time_pass(&scene, watch_promises);
	assert_int_equal(scene.told.result, 0);
	assert_int_equal(queue_error(&scene), 0);
	scene_end(&scene);
}

/* Each has its own deadline, and the shell learns of the next. */
static void deadlines_in_their_order(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_create other = make_queue(scene.file, 1);
	struct drm_ringfence_queue_create third = make_queue(scene.file, 1);
	struct told early = { 0 }, late = { 0 };

	(void)state;
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, 5), RF_TIME_NEVER);
	rf_write_once64(map(scene.file, other.last_queued_mmap_offset), 7);
	rf_write_once64(map(scene.file, third.last_queued_mmap_offset), 7);
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, 10), 10 + PATIENCE);
	promise(&scene, other.progress_fence, 7, &late);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, 20), 10 + PATIENCE);
	/* from now on promises are to be kept sooner, but not those that were made */
	kmd_adapter_set_tdr_delay(scene.adapter, KMD_TDR_DELAY / 2);
	promise(&scene, third.progress_fence, 7, &early);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, 30), 30 + PATIENCE / 2);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, 30 + PATIENCE / 2),
			 10 + PATIENCE);
	assert_int_equal(early.count, 1);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, 19 + PATIENCE),
			 20 + PATIENCE);
	assert_int_equal(scene.told.count, 1);
	assert_int_equal(late.count, 0);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, 20 + PATIENCE),
			 RF_TIME_NEVER);
	assert_int_equal(late.count, 1);
	scene_end(&scene);
}

/* All that a queue owes ends with it. */
static void one_that_is_broken_breaks_all(void **state)
{
	struct scene scene = scene_new();
	struct told later[40] = { 0 };
	u32 i;

	(void)state;
	rf_write_once64(scene.last_queued, ARRAY_SIZE(later) + 1);
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	look_all(&scene);
	scene.now += PATIENCE - 1;
	for (i = 0; i < ARRAY_SIZE(later); i++)
		promise(&scene, scene.queue.progress_fence, i + 2, &later[i]);
	look_all(&scene);
	scene.now++;
	look_all(&scene);
	expect_lost(&scene);
	for (i = 0; i < ARRAY_SIZE(later); i++) {
		assert_int_equal(later[i].count, 1);
		assert_int_equal(later[i].result, -EIO);
	}
	scene_end(&scene);
}

static void a_destroyed_queue_owes_nothing(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_destroy destroy = { .handle = scene.queue.handle };

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	look_all(&scene);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
	assert_int_equal(scene.told.count, 1);
	assert_int_equal(scene.told.result, -ECANCELED);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, scene.now + PATIENCE),
			 RF_TIME_NEVER);
	scene_end(&scene);
}

/* --- what the process writes ------------------------------------------------------------------ */

static void takes_last_queued_back(struct scene *scene)
{
	rf_write_once64(scene->last_queued, 0);
	look_all(scene);
	if (!scene->told.count)
		assert_false(kmd_adapter_is_idle(scene->adapter)); /* the watch goes on */
}

static void last_queued_counts_once(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	scene.fake->idle = 0xf;
	let_time_pass(&scene, takes_last_queued_back);
	expect_lost(&scene);
	scene_end(&scene);
}

/* Engines of the process, those of other nodes too, reach its progress word. */
static void writes_progress(struct scene *scene)
{
	void *process = fake_last_queue(scene->fake)->context->arguments.h_process;
	u64 some = scene->now / PERIOD;

	if (scene->now / SECOND % 9)
		assert_int_equal(
			fake_gpu_write(scene->fake, process,
				       scene->queue.progress_mapping.current_value_gpu_address,
				       some),
			0);
	fake_report_handle(scene->fake, scene->progress->core);
	look_all(scene);
}

static void progress_postpones_nothing(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	rf_write_once64(scene.last_queued, U64_MAX);
	promise(&scene, scene.queue.progress_fence, U64_MAX - 1, &scene.told);
	let_time_pass(&scene, writes_progress);
	assert_int_equal(scene.told.result, -EIO);
	scene_end(&scene);
}

/* A kernel-mode queue that waits for a fence of user mode's. */
static void whatever_a_queue_waits_for(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_memory_create memory = make_memory(scene.file, 4096, 0);

	(void)state;
	scene.queue = make_kernel_queue(scene.file, 1);
	assert_int_equal(queue_wait(scene.file, scene.queue.handle, make_default(scene.file, 0), 1),
			 0);
	assert_int_equal(submit_empty(scene.file, scene.queue.handle, memory.handle), 0);
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	let_time_pass(&scene, look_all);
	expect_lost(&scene);
	scene_end(&scene);
}

/* --- what becomes of the device ---------------------------------------------------------------- */

static void is_not_idle(struct scene *scene)
{
	look_all(scene);
	assert_false(kmd_adapter_is_idle(scene->adapter));
}

static void an_adapter_that_owes_is_not_idle(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	scene.fake->idle = 0xf;
	rf_write_once64(scene.last_queued, 1);
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	rf_write_once64(scene.last_queued, 0);
	look_all(&scene);
	assert_int_equal(scene.fake->f1, 0xf); /* its engines are */
	let_time_pass(&scene, is_not_idle);
	expect_lost(&scene);
	look_all(&scene);
	assert_true(kmd_adapter_is_idle(scene.adapter));
	scene_end(&scene);
}

static void watch_in_d3(struct scene *scene)
{
	kmd_adapter_watch_exported_fences(scene->adapter, scene->now);
	if (!scene->told.count)
		assert_false(kmd_adapter_is_idle(scene->adapter));
	assert_true(scene->fake->d3);
}

static void d3_ends_no_watch(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	assert_int_equal(kmd_adapter_sleep(scene.adapter), 0);
	let_time_pass(&scene, watch_in_d3);
	kmd_adapter_watch_exported_fences(scene.adapter, scene.now);
	assert_true(kmd_adapter_is_idle(scene.adapter));
	assert_int_equal(kmd_adapter_wake(scene.adapter), 0);
	expect_lost(&scene);
	/* and the device is as before */
	make_rig(scene.file, 0);
	scene_end(&scene);
}

/* System suspend and resume: the device sleeps and wakes, again and again, with all it has. */
static void sleeps_and_wakes(struct scene *scene)
{
	kmd_adapter_watch_exported_fences(scene->adapter, scene->now);
	assert_int_equal(kmd_adapter_sleep(scene->adapter), 0);
	kmd_adapter_watch_exported_fences(scene->adapter, scene->now);
	assert_int_equal(kmd_adapter_wake(scene->adapter), 0);
	look_all(scene);
}

static void neither_does_suspend(void **state)
{
	struct scene scene = scene_new();
	struct rig rig = make_rig(scene.file, 0);

	(void)state;
	scene.queue = rig.queue;
	rf_write_once64(map(scene.file, rig.queue.last_queued_mmap_offset), 1);
	promise(&scene, rig.queue.progress_fence, 1, &scene.told);
	let_time_pass(&scene, sleeps_and_wakes);
	expect_lost(&scene);
	scene_end(&scene);
}

static void nor_does_a_trap(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	fake_stop(scene.fake, fake_last_queue(scene.fake), RF_STOP_TRAP, 1, 0);
	let_time_pass(&scene, look_all);
	expect_lost(&scene);
	scene_end(&scene);
}

static void nor_a_suspended_context(void **state)
{
	struct scene scene = scene_new();
	u32 context = make_context(scene.file, 0, 3);
	struct rig rig = make_rig_in(scene.file, 0, context);

	(void)state;
	scene.queue = rig.queue;
	rf_write_once64(map(scene.file, rig.queue.last_queued_mmap_offset), 1);
	promise(&scene, rig.queue.progress_fence, 1, &scene.told);
	assert_int_equal(kmd_context_suspend(scene.file->file, context), 0);
	let_time_pass(&scene, look_all);
	expect_lost(&scene);
	assert_int_equal(kmd_context_resume(scene.file->file, context), 0);
	scene_end(&scene);
}

/* The engine hangs repeatedly for another process, and is reset. */
static void hangs(struct scene *scene)
{
	scene->fake->hung = 1;
	look_all(scene);
}

static void nor_the_reset_of_an_engine(void **state)
{
	struct world *world = world_create();
	struct rf_file *other;
	struct scene scene;
	struct rig rig;

	(void)state;
	world->fake.caps.support_per_engine_tdr = true;
	world_start(world);
	scene = scene_in(world);
	assert_int_equal(rf_hosted_open(world->device, &other), 0);
	rig = make_rig(other, 0);
	world->fake.on_engine = fake_last_queue(scene.fake);
	rf_write_once64(map(other, rig.queue.last_queued_mmap_offset), 1);
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	let_time_pass(&scene, hangs);
	assert_int_equal(world_statistics(world).engine_resets, 1);
	expect_lost(&scene);
	scene.fake->hung = 0;
	rf_hosted_close(other);
	scene_end(&scene);
}

static void the_reset_of_the_adapter_breaks_all(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	look_all(&scene);
	rf_mutex_lock(&scene.adapter->mutex);
	scene.fake->fail = FAKE_RESET_HW_ENGINE;
	kmd_engine_recover(scene.adapter, 0);
	rf_mutex_unlock(&scene.adapter->mutex);
	assert_int_equal(world_statistics(scene.world).adapter_resets, 1);
	assert_int_equal(scene.told.count, 1);
	assert_int_equal(scene.told.result, -EIO);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, scene.now),
			 RF_TIME_NEVER);
	scene_end(&scene);
}

static void so_does_its_removal(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	kmd_adapter_notify_removal(scene.adapter);
	assert_int_equal(scene.told.count, 1);
	assert_int_equal(scene.told.result, -ENODEV);
	assert_int_equal(kmd_adapter_watch_exported_fences(scene.adapter, scene.now),
			 RF_TIME_NEVER);
	assert_true(kmd_adapter_is_idle(scene.adapter));
	scene_end(&scene);
}

/* A holder of the mutex may wait for memory, and that for a waiter for the value. */
static void promises_need_no_mutex(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	promise(&scene, scene.queue.progress_fence, 1, &scene.told);
	rf_mutex_lock(&scene.adapter->mutex);
	kmd_adapter_watch_exported_fences(scene.adapter, 1);
	kmd_adapter_watch_exported_fences(scene.adapter, PATIENCE);
	assert_int_equal(scene.told.count, 0);
	kmd_adapter_watch_exported_fences(scene.adapter, PATIENCE + 1);
	assert_int_equal(scene.told.count, 1);
	assert_int_equal(scene.told.result, -EIO);
	rf_mutex_unlock(&scene.adapter->mutex);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("promises.only-who-owes-is-lost", only_who_owes_is_lost),
		TEST("promises.a-value-comes-in-time", a_value_that_comes_in_time),
		TEST("promises.a-lost-interrupt-breaks-none", a_lost_interrupt_breaks_no_promise),
		TEST("promises.deadlines-in-their-order", deadlines_in_their_order),
		TEST("promises.one-that-is-broken-breaks-all", one_that_is_broken_breaks_all),
		TEST("promises.a-destroyed-queue-owes-nothing", a_destroyed_queue_owes_nothing),
		TEST("promises.last-queued-counts-once", last_queued_counts_once),
		TEST("promises.progress-postpones-nothing", progress_postpones_nothing),
		TEST("promises.whatever-a-queue-waits-for", whatever_a_queue_waits_for),
		TEST("promises.who-owes-is-not-idle", an_adapter_that_owes_is_not_idle),
		TEST("promises.D3-ends-no-watch", d3_ends_no_watch),
		TEST("promises.suspend-ends-no-watch", neither_does_suspend),
		TEST("promises.a-trap-ends-no-watch", nor_does_a_trap),
		TEST("promises.a-suspended-context-ends-no-watch", nor_a_suspended_context),
		TEST("promises.an-engine-reset-ends-no-watch", nor_the_reset_of_an_engine),
		TEST("promises.an-adapter-reset-breaks-all", the_reset_of_the_adapter_breaks_all),
		TEST("promises.removal-breaks-all", so_does_its_removal),
		TEST("promises.need-no-mutex", promises_need_no_mutex),
	};

	return cmocka_run_group_tests_name("promise", tests, NULL, NULL);
}
