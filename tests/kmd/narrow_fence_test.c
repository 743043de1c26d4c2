// SPDX-License-Identifier: Apache-2.0
/* Monitored fences on an adapter whose engines update 32 bits only (C7). */
#include <errno.h>
#include <string.h>

#include "fences/fence.h"
#include "fences/fence_value.h"
#include "scheduling/queue.h"
#include "fake.h"

#define WRAP 0x100000000ull
#define FAR DRM_RINGFENCE_VALUE_DISTANCE_MAX

/* A world with a monitored fence and a kernel-mode queue. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	struct drm_ringfence_fence_create fence;
	const u64 *value;
	u32 queue, memory, progress;
	struct fake_queue *hw;
};

static struct scene scene_new(u64 initial)
{
	struct scene scene = { .world = world_create() };
	struct drm_ringfence_queue_create queue;

	scene.world->fake.caps.scheduling_caps =
		RF_VIDSCH_MULTI_ENGINE_AWARE | RF_VIDSCH_NO_64_BIT_ATOMICS;
	world_start(scene.world);
	scene.fake = &scene.world->fake;
	scene.file = scene.world->file;
	scene.fence = make_fence(scene.file, DRM_RINGFENCE_FENCE_MONITORED, 0, initial);
	scene.value =
		(const u64 *)((const char *)map(scene.file,
						scene.fence.mapping.current_value_mmap_offset) +
			      scene.fence.mapping.current_value_page_offset);
	queue = make_kernel_queue(scene.file, 0);
	scene.queue = queue.handle;
	scene.progress = queue.progress_fence;
	scene.hw = fake_last_queue(scene.fake);
	scene.memory = make_memory(scene.file, 1, 0).handle;
	return scene;
}

static void scene_end(struct scene *scene)
{
	world_destroy(scene->world);
}

/* Of the value only 32 bits get there. */
static void engine_signals(struct scene *scene, u64 value)
{
	fake_store_and_interrupt(scene->fake, scene->hw->context->arguments.h_process,
				 scene->fence.mapping.current_value_gpu_address, value);
}

static int cpu_signals(struct scene *scene, u64 value)
{
	return signal_fence(scene->file, scene->fence.handle, value);
}

/* Has it reached the value? */
static int reached(struct scene *scene, u64 value)
{
	return wait_fence(scene->file, scene->fence.handle, value, 0);
}

#define assert_at(scene, at)                                            \
	do {                                                            \
		assert_int_equal(reached(scene, at), 0);                \
		assert_int_equal(reached(scene, (at) + 1), -ETIMEDOUT); \
	} while (0)

static void caps_and_types(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_adapter_info info;
	struct drm_ringfence_query query = {
		.type = DRM_RINGFENCE_QUERY_ADAPTER,
		.size = sizeof(info),
		.pointer = (uintptr_t)&info,
	};
	struct drm_ringfence_fence_create native = { .type = DRM_RINGFENCE_FENCE_DEFAULT };
	struct drm_ringfence_queue_create queue = {
		.flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
	};

	(void)state;
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUERY, &query), 0);
	assert_int_equal(info.flags, DRM_RINGFENCE_ADAPTER_NO_64_BIT_ATOMICS);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_FENCE_CREATE, &native),
			 -EOPNOTSUPP);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_CREATE, &queue),
			 -EOPNOTSUPP);
	scene_end(&scene);
}

static void order_across_the_wrap(void **state)
{
	static const u64 waited[] = { WRAP + 1, 0xffffffff, WRAP, WRAP + 0x7ffffff0, 0xfffffff1 };
	struct scene scene = scene_new(0xfffffff0);
	u32 events[ARRAY_SIZE(waited)];
	static const u64 steps[] = { 0xfffffff0, 0xfffffff1, 0xfffffffe,       0xffffffff,
				     WRAP,	 WRAP + 1,   WRAP + 0x7fffffef };
	u32 i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(waited); i++)
		if (waited[i] - 0xfffffff0 <= FAR)
			events[i] = wait_event(scene.file, scene.fence.handle, waited[i]);
		else
			events[i] = 0;
	for (k = 0; k < ARRAY_SIZE(steps); k++) {
		engine_signals(&scene, steps[k]);
		assert_at(&scene, steps[k]);
		for (i = 0; i < ARRAY_SIZE(waited); i++)
			if (events[i] && steps[k] >= waited[i]) {
				assert_int_equal(look(scene.file, events[i]), 0);
				events[i] = 0;
			} else if (events[i]) {
				assert_int_equal(look(scene.file, events[i]), -ETIMEDOUT);
			}
		/* 32 bits are what lies in memory */
		assert_int_equal(rf_read_once64(scene.value), (u32)steps[k]);
	}
	scene_end(&scene);
}

static void distances_of_waits(void **state)
{
	static const u64 starts[] = {
		0, 1, 0x7fffffff, 0x80000000, 0xffffffff, WRAP, 5 * WRAP + 7
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		struct scene scene = scene_new(starts[i]);
		u32 fence = scene.fence.handle;
		const struct drm_ringfence_fence_value too_far = {
			.handle = fence,
			.value = starts[i] + FAR + 1,
		};
		u32 event;

		assert_at(&scene, starts[i]);
		event = wait_event(scene.file, fence, starts[i] + FAR);
		assert_int_equal(wait_fences(scene.file, &too_far, 1, 0, 0, make_event(scene.file)),
				 -ERANGE);
		assert_int_equal(wait_fence(scene.file, fence, too_far.value, 0), -ERANGE);
		assert_int_equal(queue_wait(scene.file, scene.queue, fence, too_far.value),
				 -ERANGE);
		assert_int_equal(queue_wait(scene.file, scene.queue, fence, starts[i] + FAR), 0);
		/* what is reached is reached, from however far */
		assert_int_equal(wait_fence(scene.file, fence, 0, 0), 0);
		engine_signals(&scene, starts[i] + FAR);
		assert_int_equal(look(scene.file, event), 0);
		assert_at(&scene, starts[i] + FAR);
		scene_end(&scene);
	}
}

static void distances_of_signals(void **state)
{
	const u64 start = 3 * WRAP;
	struct scene scene = scene_new(start);
	u32 fence = scene.fence.handle;

	(void)state;
	assert_int_equal(cpu_signals(&scene, start + FAR + 1), -ERANGE);
	assert_int_equal(cpu_signals(&scene, start - FAR - 1), -ERANGE);
	assert_int_equal(queue_signal(scene.file, scene.queue, fence, start + FAR + 1), -ERANGE);
	assert_int_equal(queue_signal(scene.file, scene.queue, fence, start - FAR - 1), -ERANGE);
	assert_at(&scene, start);
	assert_int_equal(cpu_signals(&scene, start + FAR), 0);
	assert_at(&scene, start + FAR);
	assert_int_equal(cpu_signals(&scene, start), 0); /* back */
	assert_int_equal(queue_signal(scene.file, scene.queue, fence, start - FAR), 0);
	assert_at(&scene, start - FAR);
	assert_int_equal(queue_signal(scene.file, scene.queue, fence, start), 0);
	assert_at(&scene, start);
	/* a packet's signal that is too far is an error of the packet */
	fake_stop(scene.fake, scene.hw, RF_STOP_SOFTWARE_SIGNAL, fence, start + FAR);
	assert_at(&scene, start + FAR);
	fake_stop(scene.fake, scene.hw, RF_STOP_SOFTWARE_SIGNAL, fence, start + 2ull * FAR + 1);
	assert_at(&scene, start + FAR);
	assert_int_equal(submit_empty(scene.file, scene.queue, scene.memory), -EIO);
	scene_end(&scene);
}

static void value_is_followed_though_nobody_waits(void **state)
{
	struct scene scene = scene_new(0);
	u64 value = 0;
	u32 i;

	(void)state;
	for (i = 0; i < 20; i++)
		engine_signals(&scene, value += FAR);
	assert_at(&scene, value);
	/* by completions alone, where engines do not interrupt */
	for (i = 0; i < 20; i++) {
		assert_int_equal(submit_empty(scene.file, scene.queue, scene.memory), 0);
		fake_store(scene.fake, scene.hw->context->arguments.h_process,
			   scene.fence.mapping.current_value_gpu_address, value += FAR);
		fake_complete(scene.fake, scene.hw);
	}
	assert_at(&scene, value);
	scene_end(&scene);
}

static void without_gpu_access_64_bits(void **state)
{
	struct scene scene = scene_new(0);
	u32 fence = make_fence(scene.file, DRM_RINGFENCE_FENCE_MONITORED,
			       DRM_RINGFENCE_FENCE_NO_GPU_ACCESS, 5)
			    .handle;
	u32 event = wait_event(scene.file, fence, 0xc000000000000000);

	(void)state;
	assert_int_equal(signal_fence(scene.file, fence, 0xbfffffffffffffff), 0);
	assert_int_equal(look(scene.file, event), -ETIMEDOUT);
	assert_int_equal(queue_signal(scene.file, scene.queue, fence, 0xc000000000000000), 0);
	assert_int_equal(look(scene.file, event), 0);
	scene_end(&scene);
}

/* The queue's own progress is such a fence as well. */
static void progress_wraps(void **state)
{
	struct scene scene = scene_new(0);
	struct kmd_queue *queue = scene.hw->arguments.h_hw_queue; /* the core's, as it came in */
	struct kmd_fence *progress = queue->progress->fence;
	const u64 start = 0xfffffffe;
	u32 i;

	(void)state;
	queue->packets.submitted = start;
	kmd_monitored_fence_write(progress, start);
	for (i = 0; i < 4; i++)
		assert_int_equal(submit_empty(scene.file, scene.queue, scene.memory), 0);
	assert_int_equal(queue_signal(scene.file, scene.queue, scene.fence.handle, 1), 0);
	for (i = 1; i <= 4; i++) {
		assert_int_equal(rf_read_once64(scene.value), 0);
		assert_int_equal(wait_fence(scene.file, scene.progress, start + i, 0), -ETIMEDOUT);
		fake_complete(scene.fake, scene.hw);
		assert_int_equal(wait_fence(scene.file, scene.progress, start + i, 0), 0);
	}
	assert_int_equal(rf_read_once64(scene.value), 1);
	scene_end(&scene);
}

/* Random steps, up and down, by engines and by the CPU, against a value of 64 bits. */
static void random_steps(void **state)
{
	struct scene scene = scene_new(WRAP);
	u64 value = WRAP, waited = 0;
	u32 event = 0, step;

	(void)state;
	srand(1);
	for (step = 0; step < 20000; step++) {
		u64 distance = (u64)rand() % ((u64)FAR + 1);

		if (rand() % 4 == 0)
			distance = FAR;
		if (!event) {
			waited = value + distance + !distance;
			event = wait_event(scene.file, scene.fence.handle, waited);
			continue;
		}
		/* mostly up, and never below 0 */
		if (rand() % 3 == 0 && value > distance)
			value -= distance;
		else
			value += distance;
		if (rand() % 2)
			engine_signals(&scene, value);
		else
			assert_int_equal(cpu_signals(&scene, value), 0);
		assert_at(&scene, value);
		if (value >= waited) {
			assert_int_equal(look(scene.file, event), 0);
			destroy_event(scene.file, event);
			event = 0;
		} else {
			assert_int_equal(look(scene.file, event), -ETIMEDOUT);
		}
	}
	assert_true(value > 100 * WRAP);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S1-13,C7.caps-and-types", caps_and_types),
		TEST("S1-14,S2-14,S2-16,C7.order-across-the-wrap", order_across_the_wrap),
		TEST("S1-15,S2-17,C7.distances-of-waits", distances_of_waits),
		TEST("S1-15,S2-17,C7.distances-of-signals", distances_of_signals),
		TEST("S1-14,C7.the-value-is-followed-though-nobody-waits",
		     value_is_followed_though_nobody_waits),
		TEST("C7.without-gpu-access-64-bits", without_gpu_access_64_bits),
		TEST("S1-14,C7.progress-wraps", progress_wraps),
		TEST("S1-14,S2-14,C7.random-steps", random_steps),
	};

	return cmocka_run_group_tests_name("narrow_fence", tests, NULL, NULL);
}
