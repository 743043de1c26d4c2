// SPDX-License-Identifier: Apache-2.0
/* What packets ask of the host: software signals and traps. */
#include <string.h>

#include "fake.h"

/* A world with a queue of each kind and a native fence. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	u32 queues[2];
	struct fake_queue *hw[2]; /* user mode, kernel mode */
	u32 fence;
	struct fake_fence *hw_fence;
};

static struct scene scene_new(void)
{
	struct scene scene = { .world = world_new() };

	scene.fake = &scene.world->fake;
	scene.file = scene.world->file;
	scene.queues[0] = make_queue(scene.file, 0).handle;
	scene.hw[0] = fake_last_queue(scene.fake);
	scene.queues[1] = make_kernel_queue(scene.file, 0).handle;
	scene.hw[1] = fake_last_queue(scene.fake);
	scene.fence = make_default(scene.file, 0);
	scene.hw_fence = fake_last_fence(scene.fake);
	return scene;
}

static struct drm_ringfence_queue_status status_of(const struct scene *scene, u32 queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return status;
}

static int resume(const struct scene *scene, u32 queue)
{
	struct drm_ringfence_queue_resume request = { .handle = queue };

	return rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_RESUME, &request);
}

static void signal_and_go_on(void **state)
{
	struct scene scene = scene_new();
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++) {
		u64 value = 0x123456789abcdef0 + i;
		u32 event = wait_event(scene.file, scene.fence, value);

		fake_stop(scene.fake, scene.hw[i], RF_STOP_SOFTWARE_SIGNAL, scene.fence, value);
		assert_int_equal(look(scene.file, event), 0);
		assert_int_equal(fake_current(scene.fake, scene.hw_fence), value);
		assert_false(scene.hw[i]->stopped);
		assert_int_equal(status_of(&scene, scene.queues[i]).error, 0);
		assert_int_equal(resume(&scene, scene.queues[i]), -EINVAL);
	}
	assert_int_equal(scene.fake->calls[FAKE_RESUME], 2);
	world_destroy(scene.world);
}

static void monitored_fence_by_a_kernel_mode_queue(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_fence_create fence = make_fence(
		scene.file, DRM_RINGFENCE_FENCE_MONITORED, DRM_RINGFENCE_FENCE_NO_GPU_ACCESS, 0);
	u32 event = wait_event(scene.file, fence.handle, 5);

	(void)state;
	fake_stop(scene.fake, scene.hw[1], RF_STOP_SOFTWARE_SIGNAL, fence.handle, 5);
	assert_int_equal(look(scene.file, event), 0);
	assert_false(scene.hw[1]->stopped);
	world_destroy(scene.world);
}

static void what_may_not_be_signalled_loses_the_queue(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_create other = make_queue(scene.file, 0);
	struct fake_queue *hw_other = fake_last_queue(scene.fake);
	u32 stale = make_default(scene.file, 0);
	const u64 handles[] = {
		0,
		stale,
		12345,
		scene.fence | 1ull << 32,
		other.progress_fence,
		make_fence(scene.file, DRM_RINGFENCE_FENCE_INTRA_GPU, 0, 0).handle,
		make_fence(scene.file, DRM_RINGFENCE_FENCE_DEFAULT, DRM_RINGFENCE_FENCE_NO_SIGNAL,
			   0)
			.handle,
		/* of a user-mode queue (S0-86) */
		make_fence(scene.file, DRM_RINGFENCE_FENCE_MONITORED, 0, 0).handle,
	};
	u32 i;

	(void)state;
	destroy_fence(scene.file, stale);
	for (i = 0; i < ARRAY_SIZE(handles); i++) {
		struct drm_ringfence_queue_create queue = make_queue(scene.file, 0);
		struct fake_queue *hw = fake_last_queue(scene.fake);
		struct drm_ringfence_queue_status status;

		fake_stop(scene.fake, hw, RF_STOP_SOFTWARE_SIGNAL, handles[i], 1);
		status = status_of(&scene, queue.handle);
		assert_int_equal(status.error, RF_QUEUE_ERROR_OPERAND);
		assert_int_equal(status.error_address, handles[i]);
		assert_true(hw->stopped);
		assert_int_equal(wait_fence(scene.file, queue.progress_fence, 1, soon(1000)), -EIO);
	}
	assert_int_equal(scene.fake->calls[FAKE_RESUME], 0);
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_CURRENT], 0);
	/* and no other */
	fake_stop(scene.fake, hw_other, RF_STOP_SOFTWARE_SIGNAL, scene.fence, 1);
	assert_int_equal(status_of(&scene, other.handle).error, 0);
	world_destroy(scene.world);
}

static void trap_stands_until_resumed(void **state)
{
	struct scene scene = scene_new();
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct drm_ringfence_queue_status status = status_of(&scene, scene.queues[i]);

		assert_int_equal(status.trapped, 0);
		assert_int_equal(resume(&scene, scene.queues[i]), -EINVAL);
		fake_stop(scene.fake, scene.hw[i], RF_STOP_TRAP, 0xc0de0000 + i, 0);
		assert_true(scene.hw[i]->stopped);
		status = status_of(&scene, scene.queues[i]);
		assert_int_equal(status.trapped, 1);
		assert_int_equal(status.trap_code, 0xc0de0000 + i);
		assert_int_equal(status.error, 0);
		assert_int_equal(resume(&scene, scene.queues[i]), 0);
		assert_false(scene.hw[i]->stopped);
		status = status_of(&scene, scene.queues[i]);
		assert_int_equal(status.trapped, 0);
		assert_int_equal(status.trap_code, 0);
		assert_int_equal(resume(&scene, scene.queues[i]), -EINVAL);
	}
	/* lost while it stands */
	fake_stop(scene.fake, scene.hw[0], RF_STOP_TRAP, 1, 0);
	fake_fault(scene.fake, scene.hw[0], RF_QUEUE_ERROR_ENGINE, 0);
	assert_int_equal(resume(&scene, scene.queues[0]), -EIO);
	/* destroyed while it stands */
	fake_stop(scene.fake, scene.hw[1], RF_STOP_TRAP, 1, 0);
	world_destroy(scene.world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S1-16,S2-19.signal-and-go-on", signal_and_go_on),
		TEST("S1-16.monitored-fence-by-a-kernel-mode-queue",
		     monitored_fence_by_a_kernel_mode_queue),
		TEST("S0-86.what-may-not-be-signalled-loses-the-queue",
		     what_may_not_be_signalled_loses_the_queue),
		TEST("a-trap-stands-until-resumed", trap_stands_until_resumed),
	};

	return cmocka_run_group_tests_name("stopped_queue", tests, NULL, NULL);
}
