// SPDX-License-Identifier: Apache-2.0
/* Render commands: split, patched, verified, and others between their parts. */
#include <string.h>

#include "fake.h"

#define LOW 2
#define HIGH 9
#define WORDS 12 /* of the command */
#define PART 4 /* of which go into one DMA buffer */
#define CAP 4 /* of the fake's hardware queues */

struct scene {
	struct world *world;
	struct fake *fake;
	struct fake_node *node;
	struct rf_file *file;
	u32 queue;
	u32 memory; /* of the command */
	u32 allocations[2];
	u64 addresses[2];
	struct drm_ringfence_patch_location patches[4];
};

/* Addresses at words 1 and 3, one for each slot, of allocations 1 and 2; 9 is slot 0 again. */
static struct scene scene_from(struct world *world)
{
	struct scene scene = {
		.world = world,
		.patches = {
			{ .allocation = 1, .slot = 0, .patch_offset = 8, .allocation_offset = 16 },
			{ .allocation = 2, .slot = 1, .patch_offset = 24 },
			{ .allocation = 2, .slot = 0, .patch_offset = 72, .allocation_offset = 8 },
		},
	};
	u64 *words;
	u32 i;

	world->fake.render_words = PART;
	world_start(world);
	scene.fake = &world->fake;
	scene.node = &world->fake.nodes[0];
	scene.file = world->file;
	scene.queue = make_packet_queue(world->file, 0, LOW).handle;
	for (i = 0; i < 2; i++) {
		struct drm_ringfence_memory_create memory = make_memory(world->file, 4096, 0);

		scene.allocations[i] = memory.handle;
		scene.addresses[i] = memory.gpu_address;
	}
	{
		struct drm_ringfence_memory_create memory = make_memory(world->file, 4096, 0);

		scene.memory = memory.handle;
		words = map(world->file, memory.mmap_offset);
		for (i = 0; i < 512; i++)
			words[i] = 1000 + i;
	}
	return scene;
}

static struct scene scene_new(u32 caps)
{
	struct world *world = world_create();

	world->fake.caps.scheduling_caps |= caps;
	return scene_from(world);
}

static void scene_end(struct scene *scene)
{
	world_destroy(scene->world);
}

static struct drm_ringfence_queue_render command(struct scene *scene, u32 words)
{
	return (struct drm_ringfence_queue_render){
		.queue = scene->queue,
		.memory = scene->memory,
		.size = words * 8,
		.allocations = { .stride = 4, .count = 2, .array = (uintptr_t)scene->allocations },
		.patches = { .stride = sizeof(scene->patches[0]),
			     .count = 3,
			     .array = (uintptr_t)scene->patches },
	};
}

static int render(struct scene *scene, struct drm_ringfence_queue_render *request)
{
	return rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_RENDER, request);
}

/* A word of DMA buffer @index of the hardware queue, as engines of the process read it. */
static u64 word(struct scene *scene, u32 index, u32 place)
{
	const struct rf_submit_command *packet = &scene->node->packets[index];
	struct fake_packet_context *context = packet->h_context;
	u64 value;

	assert_true(index < scene->node->count);
	assert_int_equal(fake_gpu_read(scene->fake, context->arguments.h_process,
				       packet->dma_buffer_virtual_address + 8 * place, &value),
			 0);
	return value;
}

static void split_and_patched(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_queue_render request = command(&scene, WORDS);
	u32 i;

	(void)state;
	assert_int_equal(render(&scene, &request), 0);
	assert_int_equal(request.progress_value, WORDS / PART);
	assert_int_equal(scene.node->count, WORDS / PART);
	assert_int_equal(scene.fake->calls[FAKE_PATCH], WORDS / PART);
	for (i = 0; i < WORDS; i++) {
		u64 want = 1000 + i;

		if (i == 1)
			want = scene.addresses[0] + 16;
		else if (i == 3)
			want = scene.addresses[1];
		else if (i == 9)
			want = scene.addresses[1] + 8;
		assert_int_equal(word(&scene, i / PART, i % PART), want);
	}
	for (i = 0; i < WORDS / PART; i++) {
		assert_int_equal(scene.node->packets[0].dma_buffer_size, PART * 8);
		fake_complete_packet(scene.fake, 0);
	}
	scene_end(&scene);
}

/* Slot 1 is bound in the first buffer, and the second says nothing of it. */
static void leak_is_rejected(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_queue_render request = command(&scene, WORDS);

	(void)state;
	scene.fake->render_leaks = true;
	assert_int_equal(render(&scene, &request), -EINVAL);
	assert_int_equal(scene.node->diary_length, 0);
	/* in one buffer nothing leaks to another */
	request.size = PART * 8;
	assert_int_equal(render(&scene, &request), 0);
	fake_complete_packet(scene.fake, 0);
	/* bound anew */
	scene.patches[2] = (struct drm_ringfence_patch_location){
		.allocation = 1,
		.slot = 0,
		.patch_offset = 40,
	};
	scene.patches[3] = (struct drm_ringfence_patch_location){
		.allocation = 1,
		.slot = 1,
		.patch_offset = 48,
	};
	request = command(&scene, 2 * PART);
	request.patches.count = 4;
	assert_int_equal(render(&scene, &request), 0);
	assert_int_equal(scene.node->count, 2);
	/* or unbound */
	scene.patches[3].allocation = 0;
	assert_int_equal(render(&scene, &request), 0);
	/* or only one of the two */
	request.patches.count = 3;
	assert_int_equal(render(&scene, &request), -EINVAL);
	assert_int_equal(scene.node->count, 4);
	scene_end(&scene);
}

static void nobody_verifies_without_patching(void **state)
{
	struct scene scene = scene_new(RF_VIDSCH_NO_DMA_PATCHING);
	struct drm_ringfence_queue_render request = command(&scene, WORDS);
	u32 i;

	(void)state;
	scene.fake->render_leaks = true;
	assert_int_equal(render(&scene, &request), 0);
	assert_int_equal(scene.fake->calls[FAKE_PATCH], 0);
	for (i = 0; i < WORDS; i++)
		assert_int_equal(word(&scene, i / PART, i % PART), 1000 + i);
	scene_end(&scene);
}

static void submit(struct scene *scene, u32 queue, u32 size)
{
	struct drm_ringfence_queue_submit request = {
		.queue = queue,
		.memory = scene->memory,
		.size = size,
	};

	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_SUBMIT, &request), 0);
}

static void others_run_between_the_parts(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_queue_render request = command(&scene, (CAP + 2) * PART);
	u32 high = make_packet_queue(scene.file, 0, HIGH).handle;

	(void)state;
	scene.fake->preempts_at_once = true;
	assert_int_equal(render(&scene, &request), 0);
	fake_complete_packet(scene.fake, 0);
	submit(&scene, high, 800);
	assert_int_equal(scene.node->packets[0].dma_buffer_size, 800);
	assert_int_equal(scene.node->packets[1].flags, RF_SUBMIT_RESUBMISSION);
	while (scene.node->count)
		fake_complete_packet(scene.fake, 0);
	scene_end(&scene);
}

/* As Windows 7 has it: the parts follow each other directly, whatever else waits. */
static void parts_stay_together(void **state)
{
	struct world *world = world_create();
	struct drm_ringfence_queue_render request;
	struct scene scene;
	u32 high, i;

	(void)state;
	world->fake.caps.scheduling_caps &= ~RF_VIDSCH_PREEMPTION_AWARE;
	scene = scene_from(world);
	request = command(&scene, (CAP + 2) * PART);
	high = make_packet_queue(scene.file, 0, HIGH).handle;
	assert_int_equal(render(&scene, &request), 0);
	submit(&scene, high, 800);
	for (i = 0; i < CAP + 2; i++) {
		assert_int_equal(scene.node->packets[0].dma_buffer_size, PART * 8);
		fake_complete_packet(scene.fake, 0);
	}
	assert_int_equal(scene.node->packets[0].dma_buffer_size, 800);
	fake_complete_packet(scene.fake, 0);
	scene_end(&scene);
}

/* Longer elements, of which this driver does not know the end */
static void lists_may_grow(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_queue_render request = command(&scene, WORDS);
	struct {
		struct drm_ringfence_patch_location patch;
		u64 tail;
	} patches[3] = { 0 };
	u64 allocations[2];
	u32 i;

	(void)state;
	for (i = 0; i < 3; i++)
		patches[i].patch = scene.patches[i];
	for (i = 0; i < 2; i++)
		allocations[i] = scene.allocations[i];
	request.patches.stride = sizeof(patches[0]);
	request.patches.array = (uintptr_t)patches;
	request.allocations.stride = sizeof(allocations[0]);
	request.allocations.array = (uintptr_t)allocations;
	assert_int_equal(render(&scene, &request), 0);
	assert_int_equal(word(&scene, 0, 1), scene.addresses[0] + 16);
	patches[2].tail = 1ull << 56;
	assert_int_equal(render(&scene, &request), -EINVAL);
	patches[2].tail = 0;
	allocations[1] |= 1ull << 63;
	assert_int_equal(render(&scene, &request), -EINVAL);
	for (i = 0; i < WORDS / PART; i++)
		fake_complete_packet(scene.fake, 0);
	scene_end(&scene);
}

static void lists_are_checked(void **state)
{
	struct scene scene = scene_new(0);
	const struct drm_ringfence_patch_location good = scene.patches[0];
	static const u32 nobody[2] = { 77777, 77777 };
	struct drm_ringfence_queue_render request;
	u32 i;

	(void)state;
	for (i = 0; i < 17; i++) {
		int want = -EINVAL;

		request = command(&scene, WORDS);
		scene.patches[0] = good;
		switch (i) {
		case 0:
			want = 0;
			break;
		case 1:
			scene.patches[0].allocation = 3;
			break;
		case 2:
			scene.patches[0].slot = DRM_RINGFENCE_PATCH_SLOTS;
			break;
		case 3:
			scene.patches[0].patch_offset = 4;
			break;
		case 4: /* not in order */
			scene.patches[0].patch_offset = 24;
			break;
		case 5:
			scene.patches[0].allocation_offset = 4096;
			break;
		case 6:
			scene.patches[0].pad = 1;
			break;
		case 7:
			request.allocations.count = DRM_RINGFENCE_RENDER_ALLOCATIONS + 1;
			break;
		case 8:
			request.patches.count = DRM_RINGFENCE_RENDER_PATCHES + 1;
			break;
		case 9:
			request.patches.stride = 16;
			break;
		case 10:
			request.allocations.stride = 2;
			break;
		case 11:
			request.offset = 4;
			break;
		case 12:
			request.offset = 4096;
			break;
		case 13:
			request.size = 12;
			break;
		case 14:
			request.memory = 77777;
			want = -ENOENT;
			break;
		case 15:
			request.queue = make_kernel_queue(scene.file, 0).handle;
			want = -EOPNOTSUPP;
			break;
		case 16:
			request.allocations.array = (uintptr_t)nobody;
			want = -ENOENT;
			break;
		}
		assert_int_equal(render(&scene, &request), want);
		assert_int_equal(scene.node->diary_length, WORDS / PART);
	}
	scene_end(&scene);
}

/* More parts than a queue takes: none of them is submitted. */
static void all_or_nothing(void **state)
{
	struct scene scene = scene_new(0);
	struct drm_ringfence_queue_render request;
	u32 i;

	(void)state;
	scene.fake->render_words = 1;
	request = command(&scene, 512);
	assert_int_equal(render(&scene, &request), 0);
	for (i = 0; i < 3; i++)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(render(&scene, &request), 0);
	assert_int_equal(request.progress_value, 1024);
	request.size = 4 * 8;
	assert_int_equal(render(&scene, &request), -EAGAIN);
	request.size = 3 * 8;
	assert_int_equal(render(&scene, &request), 0);
	assert_int_equal(request.progress_value, 1027);
	scene.fake->fail = FAKE_PATCH;
	assert_int_equal(render(&scene, &request), -EIO);
	scene.fake->fail = FAKE_CALLS;
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S4-19.split-and-patched", split_and_patched),
		TEST("S4-20.a-leak-is-rejected", leak_is_rejected),
		TEST("S4-21.nobody-verifies-without-patching", nobody_verifies_without_patching),
		TEST("S4-22.others-run-between-the-parts", others_run_between_the_parts),
		TEST("S4-5.parts-stay-together-as-in-windows-7", parts_stay_together),
		TEST("lists-may-grow", lists_may_grow),
		TEST("lists-are-checked", lists_are_checked),
		TEST("all-parts-or-none", all_or_nothing),
	};

	return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
