// SPDX-License-Identifier: Apache-2.0
/* Kernel-mode queues: submission, order, limits, and what they refuse. */
#include <string.h>

#include "queues/kernel_queue.h"
#include "fake.h"

/* A world with one kernel-mode queue and memory for command buffers. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	struct drm_ringfence_queue_create queue;
	struct fake_queue *hw;
	struct drm_ringfence_memory_create memory;
};

static struct scene scene_new(void)
{
	struct scene scene = { .world = world_new() };

	scene.fake = &scene.world->fake;
	scene.file = scene.world->file;
	scene.queue = make_kernel_queue(scene.file, 0);
	scene.hw = fake_last_queue(scene.fake);
	scene.memory = make_memory(scene.file, 8192, 0);
	return scene;
}

static void scene_end(struct scene *scene)
{
	world_destroy(scene->world);
}

static struct drm_ringfence_queue_submit buffer(const struct scene *scene, u64 offset, u32 size)
{
	return (struct drm_ringfence_queue_submit){
		.queue = scene->queue.handle,
		.memory = scene->memory.handle,
		.offset = offset,
		.size = size,
	};
}

static int submit(struct scene *scene, struct drm_ringfence_queue_submit *request)
{
	return rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_SUBMIT, request);
}

/* Returns the progress value. */
static u64 submit_some(struct scene *scene)
{
	struct drm_ringfence_queue_submit request = buffer(scene, 0, 64);

	assert_int_equal(submit(scene, &request), 0);
	return request.progress_value;
}

static void destroy_memory(struct scene *scene, u32 handle)
{
	struct drm_ringfence_memory_destroy destroy = { .handle = handle };

	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy), 0);
}

static bool is_mapped(struct scene *scene, u64 address)
{
	u64 value;

	return !fake_gpu_read(scene->fake, scene->hw->context->arguments.h_process, address,
			      &value);
}

/* --- the two kinds ----------------------------------------------------------------------- */

static void both_kinds_at_once(void **state)
{
	struct scene scene = scene_new();
	struct rig rig = make_rig(scene.file, 0);
	struct drm_ringfence_doorbell_connect connect = { .handle = rig.doorbell.handle };
	struct fake_queue *user = fake_last_queue(scene.fake);

	(void)state;
	assert_false(scene.hw->arguments.flags & RF_HW_QUEUE_USER_MODE_SUBMISSION);
	assert_true(user->arguments.flags & RF_HW_QUEUE_USER_MODE_SUBMISSION);
	assert_int_equal(scene.hw->context->arguments.node_ordinal,
			 user->context->arguments.node_ordinal);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect),
			 0);
	rf_hosted_ring(rig.page, 1);
	assert_int_equal(scene.fake->bus.stores, 1);
	assert_int_equal(submit_some(&scene), 1);
	assert_int_equal(scene.hw->submitted, 1);
	rf_hosted_ring(rig.page, 2);
	assert_int_equal(scene.fake->bus.stores, 2);
	scene_end(&scene);
}

static void no_logs(void **state)
{
	static const struct drm_ringfence_log_detail none;
	struct scene scene = scene_new();

	(void)state;
	assert_int_equal(scene.fake->calls[FAKE_SET_LOG], 0);
	assert_memory_equal(&scene.queue.log, &none, sizeof(none));
	assert_int_equal(scene.queue.last_queued_mmap_offset, 0);
	/* and user-mode queues have theirs */
	make_queue(scene.file, 0);
	assert_int_equal(scene.fake->calls[FAKE_SET_LOG], 2);
	scene_end(&scene);
}

static void user_mode_queue_refuses_submissions(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = buffer(&scene, 0, 64);

	(void)state;
	request.queue = make_queue(scene.file, 0).handle;
	assert_int_equal(submit(&scene, &request), -EOPNOTSUPP);
	request.flags = DRM_RINGFENCE_SUBMIT_PRESENT; /* S3-3 */
	assert_int_equal(submit(&scene, &request), -EOPNOTSUPP);
	assert_int_equal(scene.fake->calls[FAKE_SUBMIT], 0);
	scene_end(&scene);
}

static void kernel_mode_queue_refuses_doorbells(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_doorbell_create create = {
		.queue = scene.queue.handle,
		.ring_memory = scene.memory.handle,
		.ring_control_memory = scene.memory.handle,
		.ring_control_offset = 4096,
		.ring_entries = 16,
	};
	struct drm_ringfence_queue_notify notify = { .handle = scene.queue.handle };

	(void)state;
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_DOORBELL_CREATE, &create),
			 -EOPNOTSUPP);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_NOTIFY, &notify),
			 -EOPNOTSUPP);
	assert_int_equal(scene.fake->calls[FAKE_CREATE_DOORBELL], 0);
	assert_int_equal(scene.fake->calls[FAKE_NOTIFY], 0);
	/* the same ring is fine for the other kind */
	create.queue = make_queue(scene.file, 0).handle;
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_DOORBELL_CREATE, &create), 0);
	scene_end(&scene);
}

static void presents_stay_with_the_kernel(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = buffer(&scene, 0, 64);

	(void)state;
	request.flags = DRM_RINGFENCE_SUBMIT_PRESENT;
	assert_int_equal(submit(&scene, &request), 0);
	assert_int_equal(scene.hw->ring[0].flags, RF_SUBMIT_PRESENT);
	submit_some(&scene);
	assert_int_equal(scene.hw->ring[1].flags, 0);
	scene_end(&scene);
}

/* --- submission ---------------------------------------------------------------------------- */

static void driver_gets_the_buffer(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = buffer(&scene, 4096, 128);

	(void)state;
	assert_int_equal(submit(&scene, &request), 0);
	assert_int_equal(request.progress_value, 1);
	assert_ptr_equal(scene.hw->ring[0].h_hw_queue, scene.hw);
	assert_int_equal(scene.hw->ring[0].dma_buffer_virtual_address,
			 scene.memory.gpu_address + 4096);
	assert_int_equal(scene.hw->ring[0].dma_buffer_size, 128);
	assert_int_equal(scene.hw->ring[0].hw_queue_progress_fence_id, 1);
	assert_int_equal(submit_some(&scene), 2);
	scene_end(&scene);
}

static void buffer_must_lie_in_its_memory(void **state)
{
	static const struct {
		u64 offset;
		u32 size;
		int result;
	} cases[] = {
		{ 0, 8192, 0 },
		{ 0, 8200, -EINVAL },
		{ 8192, 0, 0 },
		{ 8200, 0, -EINVAL },
		{ 8184, 8, 0 },
		{ 8184, 16, -EINVAL },
		{ 4, 8, -EINVAL },
		{ 0, 12, -EINVAL },
		{ U64_MAX - 7, 8, -EINVAL },
		{ 8, U32_MAX - 7, -EINVAL },
	};
	struct scene scene = scene_new();
	u32 i, good = 0;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drm_ringfence_queue_submit request =
			buffer(&scene, cases[i].offset, cases[i].size);

		assert_int_equal(submit(&scene, &request), cases[i].result);
		good += !cases[i].result;
	}
	assert_int_equal(scene.hw->submitted, good);
	scene_end(&scene);
}

static void bad_handles(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = buffer(&scene, 0, 64);

	(void)state;
	request.memory = 12345;
	assert_int_equal(submit(&scene, &request), -ENOENT);
	request = buffer(&scene, 0, 64);
	request.queue = 12345;
	assert_int_equal(submit(&scene, &request), -ENOENT);
	assert_int_equal(scene.fake->calls[FAKE_SUBMIT], 0);
	scene_end(&scene);
}

static void completion_is_the_progress_fence(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_status status = { .handle = scene.queue.handle };
	u32 first, second;

	(void)state;
	first = wait_event(scene.file, scene.queue.progress_fence, submit_some(&scene));
	second = wait_event(scene.file, scene.queue.progress_fence, submit_some(&scene));
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(look(scene.file, first), 0);
	assert_int_equal(look(scene.file, second), -ETIMEDOUT);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	assert_int_equal(status.last_queued, 2);
	assert_int_equal(status.completed, 1);
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(look(scene.file, second), 0);
	/* the queue's, as that of any queue is */
	assert_int_equal(signal_fence(scene.file, scene.queue.progress_fence, 9), -EACCES);
	scene_end(&scene);
}

/* User mode does not wait: the kernel itself does, once for each completion. */
static void kernel_hears_of_each_completion(void **state)
{
	struct scene scene = scene_new();
	struct fake_fence *progress = scene.hw->arguments.h_hw_queue_native_progress_fence;
	u32 i;

	(void)state;
	assert_int_equal(fake_monitored(scene.fake, progress), U64_MAX);
	for (i = 0; i < 3; i++)
		submit_some(&scene);
	for (i = 0; i < 3; i++) {
		assert_int_equal(fake_monitored(scene.fake, progress), i);
		fake_complete(scene.fake, scene.hw);
	}
	assert_int_equal(scene.fake->interrupts_raised, 3);
	assert_int_equal(fake_monitored(scene.fake, progress), U64_MAX);
	scene_end(&scene);
}

static void more_than_the_ring_takes(void **state)
{
	struct scene scene = scene_new();
	u64 i;

	(void)state;
	for (i = 1; i <= 3 * FAKE_RING; i++)
		assert_int_equal(submit_some(&scene), i);
	assert_int_equal(scene.hw->submitted, FAKE_RING);
	for (i = 1; i <= 3 * FAKE_RING; i++) {
		assert_int_equal(scene.hw->ring[(i - 1) % FAKE_RING].hw_queue_progress_fence_id, i);
		fake_complete(scene.fake, scene.hw);
	}
	assert_int_equal(scene.hw->submitted, 3 * FAKE_RING);
	assert_int_equal(wait_fence(scene.file, scene.queue.progress_fence, 3 * FAKE_RING, 0), 0);
	scene_end(&scene);
}

static void backlog_is_bounded(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = buffer(&scene, 0, 64);
	u32 i;

	(void)state;
	for (i = 0; i < KMD_PACKETS_MAX; i++)
		submit_some(&scene);
	assert_int_equal(submit(&scene, &request), -EAGAIN);
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(submit_some(&scene), KMD_PACKETS_MAX + 1);
	assert_int_equal(submit(&scene, &request), -EAGAIN);
	scene_end(&scene);
}

static void memory_is_held(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	submit_some(&scene);
	submit_some(&scene);
	destroy_memory(&scene, scene.memory.handle);
	assert_true(is_mapped(&scene, scene.memory.gpu_address));
	fake_complete(scene.fake, scene.hw);
	make_event(scene.file); /* any request: work is done behind it */
	assert_true(is_mapped(&scene, scene.memory.gpu_address));
	fake_complete(scene.fake, scene.hw);
	make_event(scene.file);
	assert_false(is_mapped(&scene, scene.memory.gpu_address));
	scene_end(&scene);
}

/* --- ends ------------------------------------------------------------------------------------ */

static void lost_queue_drops_its_work(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = buffer(&scene, 0, 64);
	struct drm_ringfence_queue_create other = make_kernel_queue(scene.file, 0);
	u32 i, event;

	(void)state;
	for (i = 0; i < 2 * FAKE_RING; i++)
		submit_some(&scene);
	event = wait_event(scene.file, scene.queue.progress_fence, 2);
	destroy_memory(&scene, scene.memory.handle);
	fake_complete(scene.fake, scene.hw);
	fake_fault(scene.fake, scene.hw, RF_QUEUE_ERROR_OPCODE, 0x1000);
	assert_int_equal(look(scene.file, event), -EIO);
	assert_false(is_mapped(&scene, scene.memory.gpu_address));
	assert_int_equal(scene.hw->submitted, FAKE_RING + 1);
	scene.memory = make_memory(scene.file, 8192, 0);
	request.memory = scene.memory.handle;
	assert_int_equal(submit(&scene, &request), -EIO);
	request.queue = other.handle;
	assert_int_equal(submit(&scene, &request), 0);
	scene_end(&scene);
}

static void busy_queue_is_destroyed(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_destroy destroy = { .handle = scene.queue.handle };
	void *h_process = scene.hw->context->arguments.h_process;
	u64 value;
	u32 i;

	(void)state;
	for (i = 0; i < 2 * FAKE_RING; i++)
		submit_some(&scene);
	destroy_memory(&scene, scene.memory.handle);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
	assert_int_equal(fake_gpu_read(scene.fake, h_process, scene.memory.gpu_address, &value),
			 -EFAULT);
	/* and another ends with its process */
	scene.queue = make_kernel_queue(scene.file, 0);
	scene.memory = make_memory(scene.file, 8192, 0);
	for (i = 0; i < 2 * FAKE_RING; i++)
		submit_some(&scene);
	scene_end(&scene);
}

static void refusal_of_the_driver_is_fatal(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = buffer(&scene, 0, 64);
	u32 event;

	(void)state;
	submit_some(&scene);
	event = wait_event(scene.file, scene.queue.progress_fence, 1);
	scene.fake->fail = FAKE_SUBMIT;
	assert_int_equal(submit(&scene, &request), -ENODEV);
	assert_int_equal(look(scene.file, event), -ENODEV);
	scene.fake->fail = FAKE_CALLS;
	assert_int_equal(submit(&scene, &request), -ENODEV);
	assert_int_equal(scene.fake->calls[FAKE_SUBMIT], 2);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S3-1,S3-2.both-kinds-at-once", both_kinds_at_once),
		TEST("S0-101.a-kernel-mode-queue-has-no-log", no_logs),
		TEST("S3-7.a-user-mode-queue-refuses-submissions",
		     user_mode_queue_refuses_submissions),
		TEST("S3-8.a-kernel-mode-queue-refuses-doorbells",
		     kernel_mode_queue_refuses_doorbells),
		TEST("S3-3.presents-stay-with-the-kernel", presents_stay_with_the_kernel),
		TEST("the-driver-gets-the-buffer", driver_gets_the_buffer),
		TEST("the-buffer-must-lie-in-its-memory", buffer_must_lie_in_its_memory),
		TEST("bad-handles-are-refused", bad_handles),
		TEST("completion-is-the-progress-fence", completion_is_the_progress_fence),
		TEST("the-kernel-hears-of-each-completion", kernel_hears_of_each_completion),
		TEST("more-than-the-ring-takes", more_than_the_ring_takes),
		TEST("the-backlog-is-bounded", backlog_is_bounded),
		TEST("S3-24.memory-is-held-until-completion", memory_is_held),
		TEST("a-lost-queue-drops-its-work", lost_queue_drops_its_work),
		TEST("a-busy-queue-is-destroyed", busy_queue_is_destroyed),
		TEST("a-refusal-of-the-driver-is-fatal", refusal_of_the_driver_is_fatal),
	};

	return cmocka_run_group_tests_name("kernel_queue", tests, NULL, NULL);
}
