// SPDX-License-Identifier: Apache-2.0
/* What an operating system binds to fences: functions, stores, and queues that it gives up. */
#include <string.h>

#include "fake.h"
#include "hosted.h"
#include "kmd.h"

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

static struct kmd_file *core(struct world *world)
{
	return world->file->file;
}

static void told_once_when_reached(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 5);
	struct told now = { 0 }, later = { 0 };

	(void)state;
	assert_int_equal(kmd_fence_notify(core(world), fence, 5, false, tell, &now), 0);
	assert_int_equal(now.count, 1);
	assert_int_equal(now.result, 0);
	assert_int_equal(kmd_fence_notify(core(world), fence, 7, false, tell, &later), 0);
	/* the device is told to interrupt for it */
	assert_int_equal(fake_monitored(&world->fake, fake_last_fence(&world->fake)), 6);
	fake_signal(&world->fake, fake_last_fence(&world->fake), 6);
	assert_int_equal(later.count, 0);
	fake_signal(&world->fake, fake_last_fence(&world->fake), 7);
	fake_signal(&world->fake, fake_last_fence(&world->fake), 8);
	assert_int_equal(later.count, 1);
	assert_int_equal(later.result, 0);
	world_destroy(world);
	assert_int_equal(later.count, 1);
}

static void told_when_it_will_not_come(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0);
	u32 other = make_default(world->file, 0);
	struct told destroyed = { 0 }, closed = { 0 }, never = { 0 };

	(void)state;
	assert_int_equal(kmd_fence_notify(core(world), fence, 1, false, tell, &destroyed), 0);
	destroy_fence(world->file, fence);
	assert_int_equal(destroyed.count, 1);
	assert_int_equal(destroyed.result, -ECANCELED);
	assert_int_equal(kmd_fence_notify(core(world), fence, 1, false, tell, &never), -ENOENT);
	assert_int_equal(kmd_fence_notify(core(world), other, 1, false, tell, &closed), 0);
	world_destroy(world);
	assert_int_equal(closed.count, 1);
	assert_int_equal(closed.result, -ECANCELED);
	assert_int_equal(never.count, 0);
}

/* A value that no work was queued for might never come. */
static void only_what_is_queued(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_queue_create queue = make_queue(world->file, 0);
	struct fake_fence *progress = fake_last_fence(&world->fake);
	u64 *last_queued = map(world->file, queue.last_queued_mmap_offset);
	struct drm_ringfence_queue_create kernel = make_kernel_queue(world->file, 0);
	struct drm_ringfence_memory_create memory = make_memory(world->file, 4096, 0);
	u32 fence = make_default(world->file, 9);
	struct told told = { 0 };

	(void)state;
	assert_int_equal(kmd_fence_notify(core(world), fence, 9, true, tell, &told), -EINVAL);
	assert_int_equal(kmd_fence_notify(core(world), 12345, 1, true, tell, &told), -ENOENT);
	assert_int_equal(kmd_fence_notify(core(world), queue.progress_fence, 1, true, tell, &told),
			 -EINVAL);
	rf_write_once64(last_queued, 1);
	assert_int_equal(kmd_fence_notify(core(world), queue.progress_fence, 2, true, tell, &told),
			 -EINVAL);
	assert_int_equal(told.count, 0);
	assert_int_equal(kmd_fence_notify(core(world), queue.progress_fence, 1, true, tell, &told),
			 0);
	assert_int_equal(told.count, 0);
	fake_signal(&world->fake, progress, 1);
	assert_int_equal(told.count, 1);

	assert_int_equal(kmd_fence_notify(core(world), kernel.progress_fence, 1, true, tell, &told),
			 -EINVAL);
	assert_int_equal(submit_empty(world->file, kernel.handle, memory.handle), 0);
	assert_int_equal(kmd_fence_notify(core(world), kernel.progress_fence, 1, true, tell, &told),
			 0);
	world_destroy(world);
	assert_int_equal(told.count, 2);
	assert_int_equal(told.result, -ECANCELED);
}

static void stores_wake_and_are_checked(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_queue_create queue = make_queue(world->file, 0);
	u32 fence = make_default(world->file, 0);
	u32 event = wait_event(world->file, fence, 4);

	(void)state;
	assert_int_equal(kmd_fence_may_store(core(world), fence, 4), 0);
	assert_int_equal(look(world->file, event), -ETIMEDOUT);
	assert_int_equal(kmd_fence_store(core(world), fence, 4), 0);
	assert_int_equal(look(world->file, event), 0);
	assert_int_equal(kmd_fence_may_store(core(world), queue.progress_fence, 1), -EACCES);
	assert_int_equal(kmd_fence_store(core(world), queue.progress_fence, 1), -EACCES);
	destroy_fence(world->file, fence);
	assert_int_equal(kmd_fence_may_store(core(world), fence, 5), -ENOENT);
	assert_int_equal(kmd_fence_store(core(world), fence, 5), -ENOENT);
	world_destroy(world);
}

/* As a shell does */
static int open_share(struct rf_file *file, struct kmd_opening *share, u32 flags, u32 *handle,
		      u32 *type)
{
	struct drm_ringfence_fence_mapping mapping;
	struct kmd_fence *fence;
	int ret = kmd_fence_hold_share(file->file, share, &fence);

	if (ret)
		return ret;
	ret = kmd_fence_open_held(file->file, fence, flags, handle, type, &mapping);
	kmd_fence_end_hold(fence);
	return ret;
}

/* A share is no instance, and yet keeps the fence. */
static void share_keeps_the_fence(void **state)
{
	struct world *world = world_new();
	struct rf_file *other;
	struct drm_ringfence_fence_create created =
		make_fence(world->file, 0, DRM_RINGFENCE_FENCE_SHARED, 7);
	struct fake_fence *hw = fake_last_fence(&world->fake);
	u32 alone = make_default(world->file, 5);
	struct kmd_opening *share = NULL;
	u32 flags = 0, handle = 0, type = 9;

	(void)state;
	assert_int_equal(rf_hosted_open(world->device, &other), 0);
	assert_int_equal(kmd_fence_share(core(world), alone, &flags, &share), -EINVAL);
	assert_int_equal(kmd_fence_share(core(world), 12345, &flags, &share), -ENOENT);
	assert_int_equal(kmd_fence_share(core(world), created.handle, &flags, &share), 0);
	assert_int_equal(flags, 0);
	destroy_fence(world->file, created.handle);
	assert_int_equal(hw->opens, 0);
	assert_false(hw->destroyed);
	assert_int_equal(open_share(other, share, 0, &handle, &type), 0);
	assert_int_equal(type, DRM_RINGFENCE_FENCE_DEFAULT);
	assert_int_equal(hw->opens, 1);
	assert_int_equal(wait_fence(other, handle, 7, 0), 0);
	destroy_fence(other, handle);
	assert_false(hw->destroyed);
	kmd_fence_end_share(share);
	assert_true(hw->destroyed);
	rf_hosted_close(other);
	world_destroy(world);
}

/* No process passes on more rights than it has. */
static void share_takes_rights_only(void **state)
{
	struct world *world = world_new();
	struct rf_file *other;
	struct drm_ringfence_fence_create created =
		make_fence(world->file, 0, DRM_RINGFENCE_FENCE_SHARED, 7);
	u32 flags = DRM_RINGFENCE_FENCE_NO_SIGNAL, handle = 0, type = 9;
	struct kmd_opening *share = NULL, *again = NULL;

	(void)state;
	assert_int_equal(rf_hosted_open(world->device, &other), 0);
	assert_int_equal(kmd_fence_share(core(world), created.handle, &flags, &share), 0);
	assert_int_equal(flags, DRM_RINGFENCE_FENCE_NO_SIGNAL);
	assert_int_equal(open_share(other, share, flags, &handle, &type), 0);
	assert_int_equal(signal_fence(other, handle, 8), -EACCES);
	flags = 0;
	assert_int_equal(kmd_fence_share(other->file, handle, &flags, &again), 0);
	assert_int_equal(flags, DRM_RINGFENCE_FENCE_NO_SIGNAL);
	kmd_fence_end_share(again);
	flags = DRM_RINGFENCE_FENCE_NO_WAIT;
	assert_int_equal(kmd_fence_share(other->file, handle, &flags, &again), -EINVAL);
	flags = DRM_RINGFENCE_FENCE_NO_WAIT | DRM_RINGFENCE_FENCE_NO_SIGNAL;
	assert_int_equal(open_share(other, share, flags, &handle, &type), -EINVAL);
	flags = DRM_RINGFENCE_FENCE_SHARED;
	assert_int_equal(open_share(other, share, flags, &handle, &type), -EINVAL);
	assert_int_equal(kmd_fence_share(core(world), created.handle, &flags, &again), -EINVAL);
	kmd_fence_end_share(share);
	rf_hosted_close(other);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a-function-is-told-once-when-reached", told_once_when_reached),
		TEST("it-is-told-of-what-will-not-come", told_when_it_will_not_come),
		TEST("only-queued-values-are-promised", only_what_is_queued),
		TEST("stores-wake-and-are-checked", stores_wake_and_are_checked),
		TEST("S0-57,S0-58.a-share-keeps-the-fence", share_keeps_the_fence),
		TEST("A-12.a-share-takes-rights-only", share_takes_rights_only),
	};

	return cmocka_run_group_tests_name("shell_fence", tests, NULL, NULL);
}
