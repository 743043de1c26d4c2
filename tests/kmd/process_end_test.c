// SPDX-License-Identifier: Apache-2.0
/*
 * The end of queues and of processes. The killer ends processes in whatever state a
 * random number of random steps left them, while another process is watched; that the
 * device has nothing left of them is checked by the fake, leaks by the sanitizer.
 */
#include <time.h>

#include "base/adapter.h"
#include "fake.h"

static int finish(struct rf_file *file, u32 queue, u64 deadline)
{
	struct drm_ringfence_queue_destroy destroy = {
		.handle = queue,
		.flags = DRM_RINGFENCE_QUEUE_DESTROY_FINISH,
		.deadline = deadline,
	};

	return rf_hosted_request(file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy);
}

static void connect_rig(struct rf_file *file, const struct rig *rig)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = rig->doorbell.handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect), 0);
}

static u32 first(const struct fake *fake, enum fake_call call)
{
	u32 i;

	for (i = 0; i < fake->diary_length; i++)
		if (fake->diary[i] == call)
			return i;
	fail_msg("call %u was not made", call);
	return 0;
}

static u32 last(const struct fake *fake, enum fake_call call)
{
	u32 i;

	for (i = fake->diary_length; i--;)
		if (fake->diary[i] == call)
			return i;
	fail_msg("call %u was not made", call);
	return 0;
}

/* --- normal --------------------------------------------------------------------------------- */

/* The device gets to the end of what was queued while the end is waited for. */
struct progress {
	struct fake *fake;
	struct fake_fence *fence;
	struct fake_queue *queue;
	const struct rig *rig;
	u64 value;
};

static void *complete(void *argument)
{
	const struct progress *progress = argument;
	const struct timespec pause = { .tv_nsec = 5000000 };

	nanosleep(&pause, NULL);
	/* disconnected, and its ring in place */
	assert_int_equal(rig_status(progress->rig), RF_DOORBELL_DISCONNECTED_RETRY);
	assert_non_null(progress->queue->doorbell);
	fake_signal(progress->fake, progress->fence, progress->value);
	return NULL;
}

/* S3-58 */
static void a_queue_finishes_first(void **state)
{
	struct world *world = world_new();
	struct progress progress = { .fake = &world->fake, .value = 3 };
	struct fake *fake = &world->fake;
	struct rig rig = make_rig(world->file, 0);
	pthread_t thread;

	(void)state;
	progress.rig = &rig;
	progress.queue = fake_last_queue(fake);
	progress.fence = progress.queue->arguments.h_hw_queue_native_progress_fence;
	connect_rig(world->file, &rig);
	*(u64 *)map(world->file, rig.queue.last_queued_mmap_offset) = 3;
	fake->diary_length = 0;
	pthread_create(&thread, NULL, complete, &progress);
	assert_int_equal(finish(world->file, rig.queue.handle, soon(5000)), 0);
	pthread_join(thread, NULL);
	assert_true(last(fake, FAKE_DISCONNECT_DOORBELL) < first(fake, FAKE_DESTROY_DOORBELL));
	assert_true(last(fake, FAKE_DESTROY_DOORBELL) < first(fake, FAKE_DESTROY_QUEUE));
	world_destroy(world);
}

static void a_queue_that_does_not_finish_stays(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct fake_queue *queue = fake_last_queue(&world->fake);

	(void)state;
	connect_rig(world->file, &rig);
	*(u64 *)map(world->file, rig.queue.last_queued_mmap_offset) = 1;
	assert_int_equal(finish(world->file, rig.queue.handle, soon(2)), -ETIMEDOUT);
	connect_rig(world->file, &rig);
	assert_int_equal(rig_status(&rig), RF_DOORBELL_CONNECTED);
	/* one that is lost never finishes; one with nothing queued has */
	fake_fault(&world->fake, queue, RF_QUEUE_ERROR_OPERAND, 0);
	assert_int_equal(finish(world->file, rig.queue.handle, soon(5000)), -EIO);
	*(u64 *)map(world->file, rig.queue.last_queued_mmap_offset) = 0;
	assert_int_equal(finish(world->file, rig.queue.handle, 0), 0);
	assert_int_equal(finish(world->file, rig.queue.handle, 0), -ENOENT);
	world_destroy(world);
}

/* --- abnormal ------------------------------------------------------------------------------- */

/* S3-59, S3-60, S3-61 */
static void a_process_ends_in_order(void **state)
{
	struct drm_ringfence_queue_create kernel;
	struct drm_ringfence_memory_create memory;
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	struct rf_file *dying;
	struct rig rigs[2];
	u32 fence, i;

	(void)state;
	assert_int_equal(rf_hosted_open(world->device, &dying), 0);
	for (i = 0; i < 2; i++) {
		rigs[i] = make_rig(dying, i);
		connect_rig(dying, &rigs[i]);
		*(u64 *)map(dying, rigs[i].queue.last_queued_mmap_offset) = 9;
	}
	/* work that is behind a wait is never begun */
	memory = make_memory(dying, 4096, 0);
	kernel = make_kernel_queue(dying, 2);
	fence = make_default(dying, 0);
	assert_int_equal(queue_wait(dying, kernel.handle, fence, 1), 0);
	assert_int_equal(submit_empty(dying, kernel.handle, memory.handle), 0);
	fake->diary_length = 0;
	rf_hosted_close(dying);
	assert_int_equal(fake->calls[FAKE_SUSPEND], 3);
	assert_int_equal(fake->calls[FAKE_SUBMIT], 0);
	assert_true(last(fake, FAKE_SUSPEND) < first(fake, FAKE_DISCONNECT_DOORBELL));
	assert_true(first(fake, FAKE_DISCONNECT_DOORBELL) < first(fake, FAKE_DESTROY_DOORBELL));
	assert_true(first(fake, FAKE_DESTROY_DOORBELL) < first(fake, FAKE_DESTROY_QUEUE));
	assert_true(last(fake, FAKE_DESTROY_QUEUE) < first(fake, FAKE_DESTROY_PROCESS));
	world_destroy(world);
}

static void an_end_waits_for_no_engine_forever(void **state)
{
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	struct rf_file *dying;

	(void)state;
	assert_int_equal(rf_hosted_open(world->device, &dying), 0);
	make_rig(dying, 0);
	world->device->adapter->tdr_timeout = 2000000;
	fake->hung = 1u << 0;
	rf_hosted_close(dying);
	assert_int_equal(fake->calls[FAKE_RESET_HW_ENGINE], 1);
	assert_false(kmd_adapter_is_wedged(world->device->adapter));
	world_destroy(world);
}

/* --- the killer ------------------------------------------------------------------------------- */

#define ENDS 400
#define THINGS 24

static u64 seed;

static u32 draw(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % below;
}

/* A process, and what it has made so far. */
struct prey {
	struct world *world;
	struct rf_file *file;
	struct rig rigs[THINGS];
	struct drm_ringfence_queue_create kernels[THINGS];
	struct drm_ringfence_memory_create memories[THINGS];
	u32 fences[THINGS];
	u32 contexts[THINGS];
	u32 rig_count, kernel_count, memory_count, fence_count, context_count;
};

static void open_shared(struct prey *prey, u64 token)
{
	struct drm_ringfence_fence_open open = { .share_token = token };

	assert_int_equal(rf_hosted_request(prey->file, DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	prey->fences[prey->fence_count++] = open.handle;
}

static void random_step(struct prey *prey, u64 token)
{
	struct rf_file *file = prey->file;
	struct fake *fake = &prey->world->fake;
	struct rig *rig;

	switch (draw(14)) {
	case 0:
		prey->fences[prey->fence_count++] =
			make_fence(file,
				   draw(2) ? DRM_RINGFENCE_FENCE_DEFAULT
					   : DRM_RINGFENCE_FENCE_MONITORED,
				   draw(2) ? DRM_RINGFENCE_FENCE_SHARED : 0, 0)
				.handle;
		break;
	case 1:
		open_shared(prey, token);
		break;
	case 2:
		prey->memories[prey->memory_count++] =
			make_memory(file, 4096, draw(2) ? DRM_RINGFENCE_MEMORY_LOCAL : 0);
		break;
	case 3:
		prey->contexts[prey->context_count++] = make_context(file, draw(2), draw(4));
		break;
	case 4:
	case 5:
		prey->rigs[prey->rig_count++] = make_rig(file, draw(2));
		break;
	case 6:
		prey->kernels[prey->kernel_count++] = make_kernel_queue(file, 2);
		break;
	case 7:
		if (prey->rig_count)
			connect_rig(file, &prey->rigs[draw(prey->rig_count)]);
		break;
	case 8: /* a submission, as far as it got */
		if (!prey->rig_count)
			break;
		rig = &prey->rigs[draw(prey->rig_count)];
		*(u64 *)map(file, rig->queue.last_queued_mmap_offset) += 1;
		if (draw(2))
			*(u64 *)((char *)map(file, rig->memory.mmap_offset) + 2048) += 1;
		if (draw(2))
			rf_hosted_ring(rig->page, 1);
		break;
	case 9:
		if (prey->fence_count)
			wait_event(file, prey->fences[draw(prey->fence_count)], 1 + draw(9));
		break;
	case 10:
		if (prey->kernel_count && prey->fence_count)
			queue_wait(file, prey->kernels[draw(prey->kernel_count)].handle,
				   prey->fences[draw(prey->fence_count)], 1 + draw(9));
		break;
	case 11:
		if (prey->kernel_count && prey->memory_count)
			submit_empty(file, prey->kernels[draw(prey->kernel_count)].handle,
				     prey->memories[draw(prey->memory_count)].handle);
		break;
	case 12:
		if (prey->context_count)
			kmd_context_suspend(file->file, prey->contexts[draw(prey->context_count)]);
		break;
	case 13:
		if (!draw(4))
			assert_int_equal(rf_hosted_sleep(prey->world->device), 0);
		else
			fake->idle = draw(8), rf_hosted_look_for_idle(prey->world->device);
		break;
	}
}

static void random_ends(void **state)
{
	struct world *world = world_create();
	struct drm_ringfence_fence_create shared;
	struct fake *fake = &world->fake;
	struct fake_queue *queue;
	struct fake_fence *hw;
	u32 end, steps, event;
	struct rig rig;
	u64 value = 0;

	(void)state;
	seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : (u64)time(NULL);
	print_message("# SEED=%llu\n", (unsigned long long)seed);
	fake->caps.hw_queue_slots = 3;
	fake->residents_max = 3;
	world_start(world);
	/* the process that continues meanwhile */
	rig = make_rig(world->file, 0);
	queue = fake_last_queue(fake);
	shared =
		make_fence(world->file, DRM_RINGFENCE_FENCE_DEFAULT, DRM_RINGFENCE_FENCE_SHARED, 0);
	hw = fake_last_fence(fake);
	for (end = 0; end < ENDS; end++) {
		struct prey prey = { .world = world };

		event = wait_event(world->file, shared.handle, value + 1);
		assert_int_equal(rf_hosted_open(world->device, &prey.file), 0);
		for (steps = draw(THINGS); steps; steps--)
			random_step(&prey, shared.share_token);
		rf_hosted_close(prey.file);
		assert_int_equal(fake->processes, 1);

		assert_int_equal(look(world->file, event), -ETIMEDOUT);
		connect_rig(world->file, &rig);
		*(u64 *)((char *)map(world->file, rig.memory.mmap_offset) + 2048) = end + 1;
		fake_ring(fake, queue);
		assert_true(queue->resident);
		fake_sample(queue);
		assert_int_equal(queue->seen, end + 1);
		fake_yield(fake, queue, RF_YIELD_IDLE);
		fake_signal(fake, hw, ++value);
		assert_int_equal(look(world->file, event), 0);
		destroy_event(world->file, event);
		assert_int_equal(fake_monitored(fake, hw), U64_MAX);
		fake->diary_length = 0;
	}
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S3-58.a-queue-finishes-first", a_queue_finishes_first),
		TEST("S3-58.a-queue-that-does-not-finish-stays",
		     a_queue_that_does_not_finish_stays),
		TEST("S3-59,S3-60,S3-61.a-process-ends-in-order", a_process_ends_in_order),
		TEST("S3-60.an-end-waits-for-no-engine-forever",
		     an_end_waits_for_no_engine_forever),
		TEST("S3-59,S3-61.processes-end-at-random-points", random_ends),
	};

	return cmocka_run_group_tests_name("process_end", tests, NULL, NULL);
}
