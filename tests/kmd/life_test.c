// SPDX-License-Identifier: Apache-2.0
/*
 * Objects that are made and destroyed while others name them, step by step: whatever the
 * core does without a spinlock, another thread may do something in between. Here the test
 * is that thread, at every such point.
 */
#include <string.h>

#include "fake.h"
#include "hosted.h"
#include "kmd.h"
#include "life_loops.h"

/**
 * struct other - the other thread
 * @world: where
 * @act: what it does at each point; no spinlock is held
 * @points: passed so far
 * @acting: it is called from what it does itself
 */
struct other {
	struct world *world;
	void (*act)(struct other *other);
	u32 points;
	bool acting;
	u32 handle; /* of the object that it names */
	u32 begun, told; /* waits */
	int result; /* of the last one that was told */
};

static void between(void *argument)
{
	struct other *other = argument;

	if (other->acting || other->world->fake.bus.held)
		return;
	other->acting = true;
	other->act(other);
	other->points++;
	other->acting = false;
}

static void begin(struct other *other)
{
	other->points = 0;
	other->world->fake.bus.between_argument = other;
	other->world->fake.bus.between = between;
}

static void end(struct other *other)
{
	other->world->fake.bus.between = NULL;
}

static int request(struct world *world, unsigned int number, void *arguments)
{
	return rf_hosted_request(world->file, number, arguments);
}

/* --- queues and exports of their progress ------------------------------------------------- */

static void tell(void *argument, int result)
{
	struct other *other = argument;

	other->told++;
	other->result = result;
}

static void export_value(struct other *other)
{
	struct kmd_file *file = other->world->file->file;
	int ret = kmd_fence_notify(file, other->handle, 1, true, tell, other);

	assert_true(!ret || ret == -ENOENT || ret == -EINVAL);
	other->begun += !ret;
}

static void queue_value(struct world *world, const struct drm_ringfence_queue_create *queue)
{
	struct drm_ringfence_memory_create memory;

	if (queue->last_queued_mmap_offset) {
		rf_write_once64(map(world->file, queue->last_queued_mmap_offset), 1);
		return;
	}
	memory = make_memory(world->file, 4096, 0);
	assert_int_equal(submit_empty(world->file, queue->handle, memory.handle), 0);
}

/* What is exported meanwhile ends with the queue, and nothing of the queue is read after. */
static void exports_while_a_queue_ends(void **state)
{
	static const u32 kinds[] = { DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION, 0,
				     DRM_RINGFENCE_QUEUE_PACKETS };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct world *world = world_new();
		struct drm_ringfence_queue_create queue = { .node = 0, .flags = kinds[i] };
		struct drm_ringfence_queue_destroy destroy = { 0 };
		struct other other = { .world = world, .act = export_value };

		assert_int_equal(request(world, DRM_RINGFENCE_QUEUE_CREATE, &queue), 0);
		queue_value(world, &queue);
		other.handle = queue.progress_fence;
		destroy.handle = queue.handle;
		begin(&other);
		assert_int_equal(request(world, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
		end(&other);
		assert_true(other.points > 5);
		assert_true(other.begun > 0);
		assert_int_equal(other.told, other.begun);
		assert_int_equal(other.result, -ECANCELED);
		world_destroy(world);
	}
}

/* Handles can be guessed. */
static void guess(struct other *other)
{
	u32 generation, slot;

	for (generation = 0; generation < 3; generation++)
		for (slot = 1; slot < 16; slot++) {
			u32 handle = generation << 20 | slot;
			int ret;

			other->handle = handle;
			export_value(other);
			ret = signal_fence(other->world->file, handle, 1);
			assert_true(ret == -ENOENT || ret == -EACCES);
		}
}

/* A progress fence is its queue's from the first moment on. */
static void exports_while_a_queue_begins(void **state)
{
	static const u32 kinds[] = { DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION, 0,
				     DRM_RINGFENCE_QUEUE_PACKETS };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct world *world = world_new();
		struct drm_ringfence_queue_create queue = { .node = 0, .flags = kinds[i] };
		struct other other = { .world = world, .act = guess };

		begin(&other);
		assert_int_equal(request(world, DRM_RINGFENCE_QUEUE_CREATE, &queue), 0);
		end(&other);
		assert_true(other.points > 5);
		assert_int_equal(other.begun, 0); /* nothing was queued */
		world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("exports-while-a-queue-ends", exports_while_a_queue_ends),
		TEST("exports-while-a-queue-begins", exports_while_a_queue_begins),
		TEST("objects-live-and-die-under-many-threads", life_loops),
	};

	return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
