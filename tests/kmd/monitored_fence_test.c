// SPDX-License-Identifier: Apache-2.0
/* Monitored fences, and the waits and signals of kernel-mode queues. */
#include <string.h>

#include "queues/kernel_queue.h"
#include "fake.h"

/* A world with a monitored fence and a kernel-mode queue. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	struct drm_ringfence_fence_create fence;
	const u64 *value;
	u32 queue, memory, progress;
	struct fake_queue *hw;
	void *h_process;
};

static struct drm_ringfence_fence_create make_monitored(struct rf_file *file, u32 flags,
							u64 initial)
{
	return make_fence(file, DRM_RINGFENCE_FENCE_MONITORED, flags, initial);
}

static const u64 *map_value(struct rf_file *file, const struct drm_ringfence_fence_mapping *mapping)
{
	return (const u64 *)((const char *)map(file, mapping->current_value_mmap_offset) +
			     mapping->current_value_page_offset);
}

static void scene_fill(struct scene *scene, u64 initial)
{
	struct drm_ringfence_queue_create queue;

	scene->fake = &scene->world->fake;
	scene->file = scene->world->file;
	scene->fence = make_monitored(scene->file, 0, initial);
	scene->value = map_value(scene->file, &scene->fence.mapping);
	queue = make_kernel_queue(scene->file, 0);
	scene->queue = queue.handle;
	scene->progress = queue.progress_fence;
	scene->memory = make_memory(scene->file, 4096, 0).handle;
	scene->hw = fake_last_queue(scene->fake);
	scene->h_process = scene->hw->context->arguments.h_process;
}

static struct scene scene_new(u64 initial)
{
	struct scene scene = { .world = world_new() };

	scene_fill(&scene, initial);
	return scene;
}

static void scene_end(struct scene *scene)
{
	world_destroy(scene->world);
}

/* An engine with advanced support signals the fence. */
static void engine_signals(struct scene *scene, u64 value)
{
	fake_store_and_interrupt(scene->fake, scene->h_process,
				 scene->fence.mapping.current_value_gpu_address, value);
}

static void submit(struct scene *scene)
{
	assert_int_equal(submit_empty(scene->file, scene->queue, scene->memory), 0);
}

#define assert_pending(scene, event) assert_int_equal(look((scene)->file, event), -ETIMEDOUT)
#define assert_woken(scene, event) assert_int_equal(look((scene)->file, event), 0)

/* --- the fence -------------------------------------------------------------------------- */

static void initial_value_at_both_addresses(void **state)
{
	static const u64 values[] = {
		0, 7, 0x4000000000000000, 0x8000000000000000, 0xc000000000000001, U64_MAX
	};
	struct scene scene = scene_new(0);
	u64 value;
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		struct drm_ringfence_fence_create fence = make_monitored(
			scene.file, i % 2 ? DRM_RINGFENCE_FENCE_SHARED : 0, values[i]);
		u64 address = fence.mapping.current_value_gpu_address;
		const u64 *cpu = map_value(scene.file, &fence.mapping);

		assert_int_equal(*cpu, values[i]);
		assert_int_equal(fake_gpu_read(scene.fake, scene.h_process, address, &value), 0);
		assert_int_equal(value, values[i]);
		assert_int_equal((uintptr_t)cpu % 64, 0);
		assert_int_equal(address % 64, 0);
		fake_store(scene.fake, scene.h_process, address, values[i] - 3);
		assert_int_equal(rf_read_once64(cpu), values[i] - 3);
		/* the word that each signal is compared with */
		assert_int_equal(fake_gpu_read(scene.fake, scene.h_process,
					       fence.mapping.monitored_value_gpu_address, &value),
				 0);
		assert_int_equal(value, 0);
		assert_int_equal(fake_gpu_write(scene.fake, scene.h_process,
						fence.mapping.monitored_value_gpu_address, 1),
				 -EFAULT);
	}
	scene_end(&scene);
}

static void miniport_knows_native_fences_only(void **state)
{
	struct scene scene = scene_new(0);
	u32 created = scene.fake->calls[FAKE_CREATE_FENCE];
	struct drm_ringfence_fence_create fence =
		make_monitored(scene.file, DRM_RINGFENCE_FENCE_SHARED, 0);
	struct fake_mapping *mapping;

	(void)state;
	wait_event(scene.file, fence.handle, 5);
	assert_int_equal(signal_fence(scene.file, fence.handle, 5), 0);
	destroy_fence(scene.file, fence.handle);
	assert_int_equal(scene.fake->calls[FAKE_CREATE_FENCE], created);
	assert_int_equal(scene.fake->calls[FAKE_OPEN_FENCE], created);
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_CURRENT], 0);
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_MONITORED], 0);
	/* and its values are not in the system process */
	fence = make_monitored(scene.file, DRM_RINGFENCE_FENCE_SHARED, 0x1234567);
	rf_list_for_each(mapping, &scene.fake->mappings, link)
		if (fake_mem_read64(mapping->mem, 0) == 0x1234567)
			assert_non_null(mapping->h_process);
	scene_end(&scene);
}

static void forbidden_operations(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_fence_create mute, deaf, both;
	u32 types[] = { DRM_RINGFENCE_FENCE_MONITORED, DRM_RINGFENCE_FENCE_DEFAULT };
	u64 value;
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		mute = make_fence(scene.file, types[i], DRM_RINGFENCE_FENCE_NO_SIGNAL, 3);
		assert_int_equal(signal_fence(scene.file, mute.handle, 4), -EACCES);
		assert_int_equal(queue_signal(scene.file, scene.queue, mute.handle, 4), -EACCES);
		assert_int_equal(fake_gpu_write(scene.fake, scene.h_process,
						mute.mapping.current_value_gpu_address, 4),
				 -EFAULT);
		assert_int_equal(fake_gpu_read(scene.fake, scene.h_process,
					       mute.mapping.current_value_gpu_address, &value),
				 0);
		assert_int_equal(value, 3);
		assert_int_equal(wait_fence(scene.file, mute.handle, 3, 0), 0);
		assert_int_equal(queue_wait(scene.file, scene.queue, mute.handle, 3), 0);

		deaf = make_fence(scene.file, types[i], DRM_RINGFENCE_FENCE_NO_WAIT, 3);
		assert_int_equal(wait_fence(scene.file, deaf.handle, 3, 0), -EACCES);
		assert_int_equal(queue_wait(scene.file, scene.queue, deaf.handle, 3), -EACCES);
		assert_int_equal(signal_fence(scene.file, deaf.handle, 4), 0);
		assert_int_equal(queue_signal(scene.file, scene.queue, deaf.handle, 5), 0);
		assert_int_equal(*map_value(scene.file, &deaf.mapping), 5);
		fake_store(scene.fake, scene.h_process, deaf.mapping.current_value_gpu_address, 6);

		both = (struct drm_ringfence_fence_create){
			.type = types[i],
			.flags = DRM_RINGFENCE_FENCE_NO_SIGNAL | DRM_RINGFENCE_FENCE_NO_WAIT,
		};
		assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_FENCE_CREATE, &both),
				 -EINVAL);
	}
	scene_end(&scene);
}

/* The limits are those of the handle, not of the fence. */
static void limits_of_an_opened_handle(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_fence_create fence =
		make_monitored(scene.file, DRM_RINGFENCE_FENCE_SHARED, 1);
	struct drm_ringfence_fence_open mute = {
		.share_token = fence.share_token,
		.flags = DRM_RINGFENCE_FENCE_NO_SIGNAL,
	};
	struct drm_ringfence_fence_open both = {
		.share_token = fence.share_token,
		.flags = DRM_RINGFENCE_FENCE_NO_SIGNAL | DRM_RINGFENCE_FENCE_NO_WAIT,
	};
	struct rf_file *other;
	void *h_other;
	u64 value;

	(void)state;
	assert_int_equal(rf_hosted_open(scene.world->device, &other), 0);
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN, &both), -EINVAL);
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN, &mute), 0);
	assert_int_equal(mute.type, DRM_RINGFENCE_FENCE_MONITORED);
	make_kernel_queue(other, 0);
	h_other = fake_last_queue(scene.fake)->context->arguments.h_process;
	assert_int_equal(signal_fence(other, mute.handle, 2), -EACCES);
	assert_int_equal(
		fake_gpu_write(scene.fake, h_other, mute.mapping.current_value_gpu_address, 2),
		-EFAULT);
	assert_int_equal(
		fake_gpu_read(scene.fake, h_other, mute.mapping.current_value_gpu_address, &value),
		0);
	fake_store(scene.fake, scene.h_process, fence.mapping.current_value_gpu_address, 2);
	assert_int_equal(wait_fence(other, mute.handle, 2, 0), 0);
	/* the same process may hold both: two addresses, one of them read only */
	mute.flags = DRM_RINGFENCE_FENCE_NO_SIGNAL;
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_FENCE_OPEN, &mute), 0);
	assert_int_not_equal(mute.mapping.current_value_gpu_address,
			     fence.mapping.current_value_gpu_address);
	assert_int_equal(fake_gpu_write(scene.fake, scene.h_process,
					mute.mapping.current_value_gpu_address, 3),
			 -EFAULT);
	assert_int_equal(signal_fence(scene.file, fence.handle, 3), 0);
	rf_hosted_close(other);
	scene_end(&scene);
}

static void no_gpu_access(void **state)
{
	struct scene scene = scene_new(0);
	u32 mappings = 0, before = 0, event;
	struct drm_ringfence_fence_create fence;
	struct drm_ringfence_fence_create native = {
		.flags = DRM_RINGFENCE_FENCE_NO_GPU_ACCESS,
	};
	struct fake_mapping *mapping;

	(void)state;
	rf_list_for_each(mapping, &scene.fake->mappings, link)
		before++;
	fence = make_monitored(scene.file, DRM_RINGFENCE_FENCE_NO_GPU_ACCESS, 9);
	rf_list_for_each(mapping, &scene.fake->mappings, link)
		mappings++;
	assert_int_equal(mappings, before);
	assert_int_equal(fence.mapping.current_value_gpu_address, 0);
	assert_int_equal(fence.mapping.monitored_value_gpu_address, 0);
	assert_int_equal(*map_value(scene.file, &fence.mapping), 9);
	/* by requests it works, and 64 bits are there */
	event = wait_event(scene.file, fence.handle, 1ull << 40);
	assert_int_equal(queue_signal(scene.file, scene.queue, fence.handle, 1ull << 40), 0);
	assert_woken(&scene, event);
	assert_int_equal(queue_wait(scene.file, scene.queue, fence.handle, 1ull << 41), 0);
	submit(&scene);
	assert_int_equal(scene.hw->submitted, 0);
	assert_int_equal(signal_fence(scene.file, fence.handle, 1ull << 41), 0);
	assert_int_equal(scene.hw->submitted, 1);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_FENCE_CREATE, &native),
			 -EINVAL);
	scene_end(&scene);
}

/* --- how the kernel notices ------------------------------------------------------------------ */

static void advanced_engine_interrupts(void **state)
{
	struct scene scene = scene_new(0);
	u32 reached = wait_event(scene.file, scene.fence.handle, 5);
	u32 pending = wait_event(scene.file, scene.fence.handle, 6);

	(void)state;
	engine_signals(&scene, 4);
	assert_pending(&scene, reached);
	engine_signals(&scene, 5);
	assert_woken(&scene, reached);
	assert_pending(&scene, pending);
	engine_signals(&scene, 0x8000000000000000);
	assert_woken(&scene, pending);
	scene_end(&scene);
}

static void basic_engine_is_noticed_at_completion(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_fence_create second = make_monitored(scene.file, 0, 0);
	u32 reached = wait_event(scene.file, scene.fence.handle, 5);
	u32 other = wait_event(scene.file, second.handle, 7);
	u32 pending = wait_event(scene.file, scene.fence.handle, 6);

	(void)state;
	submit(&scene);
	submit(&scene);
	fake_store(scene.fake, scene.h_process, scene.fence.mapping.current_value_gpu_address, 5);
	fake_store(scene.fake, scene.h_process, second.mapping.current_value_gpu_address, 7);
	assert_int_equal(rf_read_once64(scene.value), 5); /* by a plain load, at once */
	assert_pending(&scene, reached);
	fake_complete(scene.fake, scene.hw);
	assert_woken(&scene, reached);
	assert_woken(&scene, other);
	assert_pending(&scene, pending); /* S1-20 */
	fake_store(scene.fake, scene.h_process, scene.fence.mapping.current_value_gpu_address, 6);
	fake_complete(scene.fake, scene.hw);
	assert_woken(&scene, pending);
	scene_end(&scene);
}

static void one_interrupt_for_both_kinds(void **state)
{
	struct scene scene = scene_new(0);
	u32 native = make_default(scene.file, 0);
	struct fake_fence *hw = fake_last_fence(scene.fake);
	u32 events[2] = { wait_event(scene.file, scene.fence.handle, 1),
			  wait_event(scene.file, native, 1) };

	(void)state;
	/* the set is unknown, but of native fences only (S0-69) */
	scene.fake->report = FAKE_REPORT_NULL;
	fake_signal(scene.fake, hw, 1);
	engine_signals(&scene, 1);
	assert_pending(&scene, events[0]);
	assert_woken(&scene, events[1]);
	/* hardware that cannot tell (S0-70, S0-71) */
	events[1] = wait_event(scene.file, native, 2);
	scene.fake->report = FAKE_REPORT_LEGACY;
	fake_signal(scene.fake, hw, 2);
	assert_woken(&scene, events[0]);
	assert_woken(&scene, events[1]);
	scene_end(&scene);
}

static void cpu_signals_and_waits(void **state)
{
	struct scene scene = scene_new(0);
	u32 event = wait_event(scene.file, scene.fence.handle, 10);
	const struct drm_ringfence_fence_value mixed[] = {
		{ .handle = scene.fence.handle, .value = 12 },
		{ .handle = make_default(scene.file, 0), .value = 1 },
	};
	struct drm_ringfence_fence_signal signal = {
		.fences = { sizeof(mixed[0]), 2, (uintptr_t)mixed },
	};

	(void)state;
	assert_int_equal(wait_fence(scene.file, scene.fence.handle, 10, soon(2)), -ETIMEDOUT);
	assert_int_equal(signal_fence(scene.file, scene.fence.handle, 9), 0);
	assert_pending(&scene, event);
	assert_int_equal(signal_fence(scene.file, scene.fence.handle, 11), 0);
	assert_int_equal(rf_read_once64(scene.value), 11);
	assert_woken(&scene, event);
	assert_int_equal(wait_fence(scene.file, scene.fence.handle, 11, 0), 0);
	/* both kinds in one signal and one wait */
	event = make_event(scene.file);
	assert_int_equal(wait_fences(scene.file, mixed, 2, 0, 0, event), 0);
	assert_pending(&scene, event);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_FENCE_SIGNAL, &signal), 0);
	assert_woken(&scene, event);
	assert_int_equal(scene.fake->update_current_fences, 1);
	scene_end(&scene);
}

/* --- waits of a queue ------------------------------------------------------------------------ */

static void wait_holds_what_is_behind_it(void **state)
{
	struct scene scene = scene_new(0);
	u32 i;

	(void)state;
	submit(&scene);
	assert_int_equal(queue_wait(scene.file, scene.queue, scene.fence.handle, 3), 0);
	for (i = 0; i < 20; i++)
		submit(&scene);
	/* earlier submissions are not held, later ones are, and no caller was blocked */
	assert_int_equal(scene.hw->submitted, 1);
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(scene.hw->submitted, 1);
	engine_signals(&scene, 2);
	assert_int_equal(scene.hw->submitted, 1);
	engine_signals(&scene, 3);
	assert_int_equal(scene.hw->submitted, 1 + FAKE_RING);
	for (i = 0; i < 20; i++)
		fake_complete(scene.fake, scene.hw);
	assert_int_equal(scene.hw->submitted, 21);
	scene_end(&scene);
}

static void native_fences_hold_as_well(void **state)
{
	struct scene scene = scene_new(0);
	u32 native = make_default(scene.file, 0);
	struct fake_fence *hw = fake_last_fence(scene.fake);

	(void)state;
	assert_int_equal(queue_wait(scene.file, scene.queue, native, 5), 0);
	submit(&scene);
	assert_int_equal(fake_monitored(scene.fake, hw), 4);
	fake_signal(scene.fake, hw, 4);
	assert_int_equal(scene.hw->submitted, 0);
	fake_signal(scene.fake, hw, 5);
	assert_int_equal(scene.hw->submitted, 1);
	assert_int_equal(fake_monitored(scene.fake, hw), U64_MAX);
	scene_end(&scene);
}

static void all_of_them_in_any_order(void **state)
{
	struct scene scene = scene_new(0);
	const struct drm_ringfence_fence_value values[] = {
		{ .handle = scene.fence.handle, .value = 100 },
		{ .handle = make_default(scene.file, 0), .value = 200 },
		{ .handle = make_monitored(scene.file, 0, 0).handle, .value = 300 },
	};
	u32 first;

	(void)state;
	for (first = 0; first < 3; first++) {
		struct drm_ringfence_queue_wait wait = {
			.queue = make_kernel_queue(scene.file, 0).handle,
			.fences = { sizeof(values[0]), 3, (uintptr_t)values },
		};
		struct fake_queue *hw = fake_last_queue(scene.fake);
		u32 i;

		for (i = 0; i < 3; i++)
			assert_int_equal(signal_fence(scene.file, values[i].handle, 0), 0);
		assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_WAIT, &wait), 0);
		assert_int_equal(submit_empty(scene.file, wait.queue, scene.memory), 0);
		for (i = 0; i < 3; i++) {
			const struct drm_ringfence_fence_value *value = &values[(first + i) % 3];

			assert_int_equal(hw->submitted, 0);
			assert_int_equal(signal_fence(scene.file, value->handle, value->value), 0);
		}
		assert_int_equal(hw->submitted, 1);
	}
	scene_end(&scene);
}

static void reached_before_holds_nobody(void **state)
{
	struct scene scene = scene_new(7);

	(void)state;
	assert_int_equal(queue_wait(scene.file, scene.queue, scene.fence.handle, 7), 0);
	/* at any time since the request: a lower value afterwards changes nothing */
	assert_int_equal(signal_fence(scene.file, scene.fence.handle, 1), 0);
	submit(&scene);
	assert_int_equal(scene.hw->submitted, 1);
	scene_end(&scene);
}

static void limits_and_bad_handles(void **state)
{
	struct scene scene = scene_new(0);
	u32 user = make_queue(scene.file, 0).handle;
	u32 intra = make_fence(scene.file, DRM_RINGFENCE_FENCE_INTRA_GPU, 0, 0).handle;
	u32 i;

	(void)state;
	assert_int_equal(queue_wait(scene.file, user, scene.fence.handle, 1), -EOPNOTSUPP);
	assert_int_equal(queue_signal(scene.file, user, scene.fence.handle, 1), -EOPNOTSUPP);
	assert_int_equal(queue_wait(scene.file, scene.queue, 12345, 1), -ENOENT);
	assert_int_equal(queue_signal(scene.file, scene.queue, 12345, 1), -ENOENT);
	assert_int_equal(queue_wait(scene.file, 12345, scene.fence.handle, 1), -ENOENT);
	assert_int_equal(queue_signal(scene.file, 12345, scene.fence.handle, 1), -ENOENT);
	assert_int_equal(queue_wait(scene.file, scene.queue, intra, 1), -EOPNOTSUPP);
	assert_int_equal(queue_signal(scene.file, scene.queue, intra, 1), -EOPNOTSUPP);
	assert_int_equal(queue_signal(scene.file, scene.queue, scene.progress, 1), -EACCES);
	assert_int_equal(rf_read_once64(scene.value), 0);
	/* waits and signals count as packets do */
	assert_int_equal(queue_wait(scene.file, scene.queue, scene.fence.handle, 1), 0);
	for (i = 1; i < KMD_PACKETS_MAX; i++)
		assert_int_equal(queue_signal(scene.file, scene.queue, scene.fence.handle, 5), 0);
	assert_int_equal(queue_signal(scene.file, scene.queue, scene.fence.handle, 5), -EAGAIN);
	assert_int_equal(queue_wait(scene.file, scene.queue, scene.fence.handle, 5), -EAGAIN);
	assert_int_equal(submit_empty(scene.file, scene.queue, scene.memory), -EAGAIN);
	scene_end(&scene);
}

/* --- signals of a queue ---------------------------------------------------------------------- */

static void signal_in_the_order_of_its_queue(void **state)
{
	struct scene scene = scene_new(0);

	(void)state;
	submit(&scene);
	submit(&scene);
	assert_int_equal(
		queue_signal(scene.file, scene.queue, scene.fence.handle, 0x123456789abcdef0), 0);
	submit(&scene);
	assert_int_equal(queue_signal(scene.file, scene.queue, scene.fence.handle, 2), 0);
	/* not before what is ahead is complete, and nothing behind is begun */
	assert_int_equal(scene.hw->submitted, 2);
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(rf_read_once64(scene.value), 0);
	assert_int_equal(scene.hw->submitted, 2);
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(rf_read_once64(scene.value), 0x123456789abcdef0);
	assert_int_equal(scene.hw->submitted, 3);
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(rf_read_once64(scene.value), 2);
	scene_end(&scene);
}

static void signal_outlives_its_handle(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_fence_create fence =
		make_monitored(scene.file, DRM_RINGFENCE_FENCE_SHARED, 0);
	struct drm_ringfence_fence_open open = { .share_token = fence.share_token };
	struct rf_file *other;
	u32 event, alone = make_default(scene.file, 0);

	(void)state;
	assert_int_equal(rf_hosted_open(scene.world->device, &other), 0);
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	event = wait_event(other, open.handle, 4);
	submit(&scene);
	assert_int_equal(queue_signal(scene.file, scene.queue, fence.handle, 4), 0);
	assert_int_equal(queue_signal(scene.file, scene.queue, alone, 4), 0);
	destroy_fence(scene.file, fence.handle);
	destroy_fence(scene.file, alone);
	assert_int_equal(look(other, event), -ETIMEDOUT);
	fake_complete(scene.fake, scene.hw);
	assert_int_equal(look(other, event), 0);
	rf_hosted_close(other);
	scene_end(&scene);
}

/* Queue to queue to queue, by the kernel alone. */
static void chain_of_queues(void **state)
{
	enum { QUEUES = 8 };
	struct scene scene = scene_new(0);
	struct fake_queue *hw[QUEUES];
	u32 fences[QUEUES + 1], queues[QUEUES], i;

	(void)state;
	for (i = 0; i <= QUEUES; i++)
		fences[i] = i % 2 ? make_default(scene.file, 0)
				  : make_monitored(scene.file, 0, 0).handle;
	for (i = QUEUES - 1; i < QUEUES; i--) {
		queues[i] = make_kernel_queue(scene.file, 0).handle;
		hw[i] = fake_last_queue(scene.fake);
		assert_int_equal(queue_wait(scene.file, queues[i], fences[i], 1), 0);
		if (i % 3 == 0)
			assert_int_equal(submit_empty(scene.file, queues[i], scene.memory), 0);
		assert_int_equal(queue_signal(scene.file, queues[i], fences[i + 1], 1), 0);
	}
	assert_int_equal(signal_fence(scene.file, fences[0], 1), 0);
	for (i = 0; i < QUEUES; i += 3) {
		assert_int_equal(hw[i]->submitted, 1);
		assert_int_equal(wait_fence(scene.file, fences[i + 1], 1, 0), -ETIMEDOUT);
		fake_complete(scene.fake, hw[i]);
		assert_int_equal(wait_fence(scene.file, fences[i + 1], 1, 0), 0);
	}
	assert_int_equal(wait_fence(scene.file, fences[QUEUES], 1, 0), 0);
	scene_end(&scene);
}

/* --- ends ------------------------------------------------------------------------------------ */

static void ends_let_the_queue_go_on(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_queue_create other = make_kernel_queue(scene.file, 0);
	struct fake_queue *lost = fake_last_queue(scene.fake);

	(void)state;
	assert_int_equal(queue_wait(scene.file, scene.queue, scene.fence.handle, 1), 0);
	submit(&scene);
	assert_int_equal(queue_wait(scene.file, scene.queue, other.progress_fence, 1), 0);
	submit(&scene);
	destroy_fence(scene.file, scene.fence.handle);
	assert_int_equal(scene.hw->submitted, 1);
	fake_fault(scene.fake, lost, RF_QUEUE_ERROR_OPCODE, 0);
	assert_int_equal(scene.hw->submitted, 2);
	scene_end(&scene);
}

static void queue_with_waits_is_destroyed(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_queue_destroy destroy = { .handle = scene.queue };
	u32 native = make_default(scene.file, 0);
	struct fake_fence *hw = fake_last_fence(scene.fake);
	u32 round;

	(void)state;
	for (round = 0; round < 2; round++) {
		submit(&scene);
		assert_int_equal(queue_wait(scene.file, scene.queue, native, 1), 0);
		assert_int_equal(queue_wait(scene.file, scene.queue, scene.fence.handle, 1), 0);
		assert_int_equal(queue_signal(scene.file, scene.queue, scene.fence.handle, 2), 0);
		submit(&scene);
		assert_int_equal(fake_monitored(scene.fake, hw), 0);
		if (round)
			break; /* with its process */
		assert_int_equal(
			rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
		assert_int_equal(fake_monitored(scene.fake, hw), U64_MAX);
		assert_int_equal(rf_read_once64(scene.value), 0);
		scene.queue = make_kernel_queue(scene.file, 0).handle;
	}
	scene_end(&scene);
}

static void without_native_fences(void **state)
{
	struct scene scene = { .world = world_create() };
	struct drm_ringfence_fence_create native = { .type = DRM_RINGFENCE_FENCE_DEFAULT };
	u32 i, event;

	(void)state;
	scene.world->fake.caps.scheduling_caps = RF_VIDSCH_MULTI_ENGINE_AWARE;
	world_start(scene.world);
	scene_fill(&scene, 0);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_FENCE_CREATE, &native),
			 -EOPNOTSUPP);
	assert_false(scene.hw->arguments.flags & RF_HW_QUEUE_NATIVE_PROGRESS_FENCE);
	assert_null(scene.hw->arguments.h_hw_queue_native_progress_fence);
	for (i = 0; i < 2 * FAKE_RING; i++)
		submit(&scene);
	assert_int_equal(queue_signal(scene.file, scene.queue, scene.fence.handle, 3), 0);
	event = wait_event(scene.file, scene.progress, 2 * FAKE_RING);
	for (i = 0; i < 2 * FAKE_RING; i++) {
		assert_pending(&scene, event);
		assert_int_equal(rf_read_once64(scene.value), 0);
		fake_complete(scene.fake, scene.hw);
	}
	assert_woken(&scene, event);
	assert_int_equal(rf_read_once64(scene.value), 3);
	assert_int_equal(scene.fake->calls[FAKE_CREATE_FENCE], 0);
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_MONITORED], 0);
	scene_end(&scene);
}

/* --- random packets against a model ---------------------------------------------------------- */

enum { QUEUES = 4, FENCES = 3, PACKETS = 64, STEPS = 20000 };

struct model_packet {
	enum kmd_packet_kind kind;
	u32 fence;
	u64 value;
	bool over; /* the value was reached once */
};

struct model_queue {
	u32 handle;
	struct fake_queue *hw;
	struct model_packet packets[PACKETS];
	u32 head, tail; /* free-running */
	u32 submitted, completed;
};

struct model {
	struct scene *scene;
	u32 fences[FENCES];
	const u64 *addresses[FENCES];
	u64 values[FENCES];
	struct model_queue queues[QUEUES];
};

static bool model_step(struct model *model, struct model_queue *queue)
{
	struct model_packet *packet = &queue->packets[queue->head % PACKETS];

	if (queue->head == queue->tail)
		return false;
	switch (packet->kind) {
	case KMD_PACKET_COMMANDS:
		if (queue->submitted - queue->completed == FAKE_RING)
			return false;
		queue->submitted++;
		break;
	case KMD_PACKET_WAIT:
		if (!packet->over)
			return false;
		break;
	case KMD_PACKET_SIGNAL:
		if (queue->submitted != queue->completed)
			return false;
		model->values[packet->fence] = packet->value;
		break;
	}
	queue->head++;
	return true;
}

static void model_settle(struct model *model)
{
	bool again;
	u32 i, k;

	do {
		again = false;
		for (i = 0; i < QUEUES; i++) {
			struct model_queue *queue = &model->queues[i];

			for (k = queue->head; k != queue->tail; k++) {
				struct model_packet *packet = &queue->packets[k % PACKETS];

				packet->over |= packet->kind == KMD_PACKET_WAIT &&
						model->values[packet->fence] >= packet->value;
			}
			again |= model_step(model, queue);
		}
	} while (again);
}

static void model_check(struct model *model)
{
	u32 i;

	for (i = 0; i < QUEUES; i++)
		assert_int_equal(model->queues[i].hw->submitted, model->queues[i].submitted);
	for (i = 0; i < FENCES; i++)
		assert_int_equal(rf_read_once64(model->addresses[i]), model->values[i]);
}

/* Values only grow, so that the order in which queues are served does not matter. */
static void model_request(struct model *model, u64 *clock)
{
	struct model_queue *queue = &model->queues[rand() % QUEUES];
	struct model_packet *packet = &queue->packets[queue->tail % PACKETS];
	struct rf_file *file = model->scene->file;

	if (queue->tail - queue->head == PACKETS)
		return;
	*packet = (struct model_packet){
		.kind = (enum kmd_packet_kind)(rand() % 3),
		.fence = (u32)(rand() % FENCES),
	};
	switch (packet->kind) {
	case KMD_PACKET_COMMANDS:
		assert_int_equal(submit_empty(file, queue->handle, model->scene->memory), 0);
		break;
	case KMD_PACKET_WAIT:
		packet->value = *clock - (u64)(rand() % 8);
		assert_int_equal(queue_wait(file, queue->handle, model->fences[packet->fence],
					    packet->value),
				 0);
		break;
	case KMD_PACKET_SIGNAL:
		/* one queue signals each fence */
		packet->fence = (u32)(queue - model->queues) % FENCES;
		if (queue - model->queues >= FENCES)
			return;
		packet->value = ++*clock;
		assert_int_equal(queue_signal(file, queue->handle, model->fences[packet->fence],
					      packet->value),
				 0);
		break;
	}
	queue->tail++;
}

static void random_packets(void **state)
{
	struct scene scene = scene_new(0);
	struct model model = { .scene = &scene };
	u64 clock = 8;
	u32 i, step;

	(void)state;
	srand(1);
	for (i = 0; i < FENCES; i++) {
		struct drm_ringfence_fence_create fence =
			make_fence(scene.file, i ? DRM_RINGFENCE_FENCE_MONITORED : 0, 0, 0);

		model.fences[i] = fence.handle;
		model.addresses[i] = map_value(scene.file, &fence.mapping);
	}
	for (i = 0; i < QUEUES; i++) {
		model.queues[i].handle = make_kernel_queue(scene.file, i % 2).handle;
		model.queues[i].hw = fake_last_queue(scene.fake);
	}
	for (step = 0; step < STEPS; step++) {
		struct model_queue *queue = &model.queues[rand() % QUEUES];

		if (rand() % 3) {
			model_request(&model, &clock);
		} else if (queue->submitted != queue->completed) {
			queue->completed++;
			fake_complete(scene.fake, queue->hw);
		} else if (rand() % 8 == 0) {
			/* the CPU helps out: nothing is stuck for ever */
			for (i = 0; i < FENCES; i++) {
				assert_int_equal(signal_fence(scene.file, model.fences[i], clock),
						 0);
				model.values[i] = clock;
				model_settle(&model);
			}
		}
		model_settle(&model);
		model_check(&model);
	}
	for (i = 0; i < QUEUES; i++)
		assert_true(model.queues[i].completed > STEPS / 100);
	scene_end(&scene);
}

/*
 * A shared fence has an unguessable token, which is passed on like an NT handle.
 * A handle is good in its own process only, whether its fence is shared or not.
 */
static void handles_are_not_shared(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_fence_create fences[2] = {
		make_fence(world->file, DRM_RINGFENCE_FENCE_MONITORED, DRM_RINGFENCE_FENCE_SHARED,
			   0),
		make_fence(world->file, DRM_RINGFENCE_FENCE_MONITORED, 0, 0),
	};
	struct rf_file *other;
	u32 i;

	(void)state;
	assert_int_equal(rf_hosted_open(world->device, &other), 0);
	assert_int_not_equal(fences[0].share_token, 0);
	assert_int_equal(fences[1].share_token, 0);
	for (i = 0; i < 2; i++) {
		struct drm_ringfence_fence_open open = { .share_token = fences[i].handle };

		assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN, &open),
				 -ENOENT);
		assert_int_equal(signal_fence(other, fences[i].handle, 1), -ENOENT);
		assert_int_equal(wait_fence(other, fences[i].handle, 0, 0), -ENOENT);
	}
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN,
					   &(struct drm_ringfence_fence_open){
						   .share_token = fences[1].share_token }),
			 -ENOENT);
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN,
					   &(struct drm_ringfence_fence_open){
						   .share_token = fences[0].share_token }),
			 0);
	rf_hosted_close(other);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S1-1..S1-3,S1-8,S1-12,S2-2,S2-3,S2-12,C5a.the-value-at-both-addresses",
		     initial_value_at_both_addresses),
		TEST("S0-53.the-miniport-knows-native-fences-only",
		     miniport_knows_native_fences_only),
		TEST("A-12.forbidden-operations", forbidden_operations),
		TEST("A-12.limits-of-an-opened-handle", limits_of_an_opened_handle),
		TEST("no-gpu-access", no_gpu_access),
		TEST("S1-11,S1-18.an-advanced-engine-interrupts", advanced_engine_interrupts),
		TEST("S1-6,S1-18..S1-20,S2-23.a-basic-engine-is-noticed-at-completion",
		     basic_engine_is_noticed_at_completion),
		TEST("S0-69..S0-71.one-interrupt-for-both-kinds", one_interrupt_for_both_kinds),
		TEST("A-14.handles-are-not-shared", handles_are_not_shared),
		TEST("S1-25..S1-29.the-cpu-signals-and-waits", cpu_signals_and_waits),
		TEST("S1-21..S1-24.a-wait-holds-what-is-behind-it", wait_holds_what_is_behind_it),
		TEST("S1-23.native-fences-hold-as-well", native_fences_hold_as_well),
		TEST("S2-24.all-of-them-in-any-order", all_of_them_in_any_order),
		TEST("S2-16.reached-before-holds-nobody", reached_before_holds_nobody),
		TEST("limits-and-bad-handles", limits_and_bad_handles),
		TEST("S1-16,S2-19,S2-20.a-signal-in-the-order-of-its-queue",
		     signal_in_the_order_of_its_queue),
		TEST("a-signal-outlives-its-handle", signal_outlives_its_handle),
		TEST("a-chain-of-queues", chain_of_queues),
		TEST("ends-let-the-queue-go-on", ends_let_the_queue_go_on),
		TEST("a-queue-with-waits-is-destroyed", queue_with_waits_is_destroyed),
		TEST("S3-1.without-native-fences", without_native_fences),
		TEST("S1-16,S1-23.random-packets-against-a-model", random_packets),
	};

	return cmocka_run_group_tests_name("monitored_fence", tests, NULL, NULL);
}
