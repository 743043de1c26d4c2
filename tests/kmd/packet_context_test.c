// SPDX-License-Identifier: Apache-2.0
/* Contexts: their allocations, how these are filled and moved, and the null context. */
#include <string.h>

#include "base/adapter.h"
#include "queues/context_allocation.h"
#include "fake.h"

static struct rf_create_context_allocation legal(struct fake *fake)
{
	struct fake_packet_context *context = fake_last_packet_context(fake);

	return (struct rf_create_context_allocation){
		.h_process = context->arguments.h_process,
		.h_context = context->arguments.h_context,
		.h_driver_allocation = context,
		.size = 64,
		.alignment = 8,
		.supported_segment_set = 1u << RF_MEM_SYSTEM,
		.preferred_segment = RF_MEM_SYSTEM,
	};
}

static int create(struct fake *fake, struct rf_create_context_allocation *arguments)
{
	struct kmd_adapter *adapter = fake->h_core;
	int ret;

	rf_mutex_lock(&adapter->mutex);
	ret = fake->callbacks->create_context_allocation(adapter, arguments);
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

static int destroy(struct fake *fake, void *h_allocation)
{
	const struct rf_destroy_context_allocation arguments = { .h_allocation = h_allocation };

	struct kmd_adapter *adapter = fake->h_core;
	int ret;

	rf_mutex_lock(&adapter->mutex);
	ret = fake->callbacks->destroy_context_allocation(adapter, &arguments);
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

static u64 word(struct fake *fake, struct fake_packet_context *context, u32 index)
{
	u64 value;

	assert_int_equal(fake_gpu_read(fake, NULL,
				       context->allocation.gpu_virtual_address + 8 * index, &value),
			 0);
	return value;
}

static struct rf_mem *memory_of(struct fake_packet_context *context)
{
	struct kmd_context_allocation *allocation = context->allocation.h_allocation;

	return allocation->mem;
}

/* --- allocations --------------------------------------------------------------------- */

static void restrictions(void **state)
{
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	struct rf_create_context_allocation arguments;
	struct fake_packet_context *user, *system;
	u32 i;

	(void)state;
	make_packet_queue(world->file, 0, 0);
	user = fake_last_packet_context(fake);
	system = fake_system_context(fake);
	for (i = 0; i < 13; i++) {
		bool good = i < 2;

		arguments = legal(fake);
		switch (i) {
		case 0:
			break;
		case 1: /* a device-context allocation */
			arguments.context_allocation_flags =
				RF_CONTEXT_ALLOCATION_SHARED_ACROSS_CONTEXTS;
			arguments.h_context = NULL;
			break;
		case 2: /* which names no context */
			arguments.context_allocation_flags =
				RF_CONTEXT_ALLOCATION_SHARED_ACROSS_CONTEXTS;
			break;
		case 3: /* and not the system process */
			arguments.context_allocation_flags =
				RF_CONTEXT_ALLOCATION_SHARED_ACROSS_CONTEXTS;
			arguments.h_context = NULL;
			arguments.h_process = NULL;
			break;
		case 4:
			arguments.h_context = NULL;
			break;
		case 5: /* not of a system context */
			arguments.h_context = system->arguments.h_context;
			arguments.h_process = system->arguments.h_process;
			break;
		case 6:
			arguments.h_context = system->arguments.h_context;
			break;
		case 7:
			arguments.size = 0;
			break;
		case 8:
			arguments.alignment = 24;
			break;
		case 9:
			arguments.alignment = 8192;
			break;
		case 10: /* not where it is preferred */
			arguments.preferred_segment = RF_MEM_LOCAL;
			break;
		case 11: /* not where the device does not reach */
			arguments.supported_segment_set |= 1u << RF_MEM_HOST;
			break;
		case 12:
			arguments.context_allocation_flags = 1u << 7;
			break;
		}
		assert_int_equal(create(fake, &arguments), good ? 0 : -EINVAL);
		if (good) {
			assert_int_equal(destroy(fake, arguments.h_allocation), 0);
			assert_int_equal(destroy(fake, arguments.h_allocation), -EINVAL);
		}
	}
	assert_int_equal(destroy(fake, user), -EINVAL);
	world_destroy(world);
}

static void made_filled_and_given_back(void **state)
{
	struct world *world = world_new();
	struct fake *fake = &world->fake;
	struct drm_ringfence_queue_destroy end;
	struct fake_packet_context *context;
	u64 address, value;
	u32 i;

	(void)state;
	end = (struct drm_ringfence_queue_destroy){
		.handle = make_packet_queue(world->file, 0, 0).handle,
	};
	context = fake_last_packet_context(fake);
	address = context->allocation.gpu_virtual_address;
	assert_int_equal(fake->calls[FAKE_BUILD_PAGING], 1);
	/* a packet of the system context on the paging node did it, before the request ended */
	assert_int_equal(fake->nodes[FAKE_NODE_PAGING].diary_length, 1);
	assert_int_equal(fake->nodes[FAKE_NODE_PAGING].diary[0].flags, RF_SUBMIT_PAGING);
	for (i = 0; i < FAKE_CONTEXT_BYTES / 8; i++)
		assert_int_equal(word(fake, context, i), (uintptr_t)context);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_DESTROY, &end), 0);
	assert_int_equal(fake_gpu_read(fake, NULL, address, &value), -EFAULT);
	world_destroy(world);
}

static void failures_leave_nothing(void **state)
{
	static const enum fake_call calls[] = { FAKE_CREATE_PACKET_CONTEXT, FAKE_BUILD_PAGING };
	struct drm_ringfence_queue_create request = { .flags = DRM_RINGFENCE_QUEUE_PACKETS };
	struct world *world = world_new();
	u32 i;

	(void)state;
	make_packet_queue(world->file, 1, 0); /* the system context is there */
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		world->fake.fail = calls[i];
		assert_int_equal(
			rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_CREATE, &request), -EIO);
	}
	world->fake.fail = FAKE_CALLS;
	world_destroy(world);
}

/* --- moves --------------------------------------------------------------------------- */

/* Ask for local memory, of which there is not enough as long as contexts have some. */
static void press(struct world *world, u32 contexts)
{
	struct drm_ringfence_memory_create request = {
		.bytes = FAKE_LOCAL_BYTES - (contexts - 1) * KMD_PAGE_BYTES,
		.flags = DRM_RINGFENCE_MEMORY_LOCAL,
	};
	struct drm_ringfence_memory_destroy end = { 0 };

	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &request), 0);
	end.handle = request.handle;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_DESTROY, &end), 0);
}

/* Progress fences take no local memory. */
static struct world *small_world(void)
{
	struct world *world = world_create();

	world->fake.storage_segments = 1u << RF_MEM_SYSTEM;
	return world;
}

static void mark(struct fake *fake, struct fake_packet_context *context)
{
	assert_int_equal(
		fake_gpu_write(fake, NULL, context->allocation.gpu_virtual_address + 24, 0x5eed),
		0);
}

/* The null context first, by a zero-length packet, then the copy; the contents are there. */
static void contents_survive_a_move(void **state)
{
	struct world *world = small_world();
	struct fake *fake = &world->fake;
	struct fake_packet_context *context;
	const struct rf_submit_command *last;

	(void)state;
	world_start(world);
	make_packet_queue(world->file, 0, 0);
	context = fake_last_packet_context(fake);
	assert_int_equal(memory_of(context)->kind, RF_MEM_LOCAL);
	mark(fake, context);
	fake->diary_length = 0;
	press(world, 1);
	assert_int_equal(fake->nodes[0].diary_length, 1);
	last = &fake->nodes[0].diary[0];
	assert_int_equal(last->flags, RF_SUBMIT_CONTEXT_SWITCH);
	assert_int_equal(last->dma_buffer_size, 0);
	assert_null(fake->nodes[0].current);
	assert_int_equal(memory_of(context)->kind, RF_MEM_SYSTEM);
	assert_int_equal(word(fake, context, 3), 0x5eed);
	assert_int_equal(word(fake, context, 4), (uintptr_t)context);
	world_destroy(world);
}

/* A context in the midst of its work: preempted, moved, and run from where it is now. */
static void busy_context_moves(void **state)
{
	struct world *world = small_world();
	struct fake *fake = &world->fake;
	struct fake_packet_context *context;
	struct fake_node *node = &fake->nodes[0];
	u32 queue, memory;
	u32 i;

	(void)state;
	world_start(world);
	fake->preempts_at_once = true;
	queue = make_packet_queue(world->file, 0, 3).handle;
	context = fake_last_packet_context(fake);
	memory = make_memory(world->file, 4096, 0).handle;
	for (i = 0; i < 3; i++)
		submit_empty(world->file, queue, memory);
	press(world, 1);
	assert_int_equal(memory_of(context)->kind, RF_MEM_SYSTEM);
	assert_int_equal(node->hardware_preemptions, 1);
	assert_int_equal(node->diary[3].flags, RF_SUBMIT_CONTEXT_SWITCH);
	assert_int_equal(node->count, 3);
	for (i = 0; i < 3; i++) {
		assert_true(node->packets[i].flags & RF_SUBMIT_RESUBMISSION);
		assert_int_equal(node->packets[i].submission_fence_id, 6 + i);
	}
	while (node->count)
		fake_complete_packet(fake, 0);
	world_destroy(world);
}

/* Memory that contexts use in one segment only: kept elsewhere, and brought back. */
static void evicted_and_brought_back(void **state)
{
	struct world *world = small_world();
	struct fake *fake = &world->fake;
	struct fake_packet_context *context;
	struct drm_ringfence_memory_create taken;
	u64 address, value, before;
	u32 queue, memory;

	(void)state;
	fake->context_segments = 1u << RF_MEM_LOCAL;
	world_start(world);
	queue = make_packet_queue(world->file, 0, 0).handle;
	context = fake_last_packet_context(fake);
	memory = make_memory(world->file, 4096, 0).handle;
	address = context->allocation.gpu_virtual_address;
	before = memory_of(context)->address;
	mark(fake, context);
	press(world, 1);
	assert_int_equal(fake_gpu_read(fake, NULL, address, &value), -EFAULT);

	/* it comes to another place, under the same address */
	taken = make_memory(world->file, 4096, DRM_RINGFENCE_MEMORY_LOCAL);
	submit_empty(world->file, queue, memory);
	assert_int_equal(memory_of(context)->kind, RF_MEM_LOCAL);
	assert_int_not_equal(memory_of(context)->address, before);
	assert_int_equal(word(fake, context, 3), 0x5eed);
	assert_int_equal(fake->nodes[0].count, 1);

	/* while there is work, it stays */
	taken.bytes = FAKE_LOCAL_BYTES - 2 * KMD_PAGE_BYTES + 1;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &taken),
			 -ENOMEM);
	assert_int_equal(word(fake, context, 3), 0x5eed);
	fake_complete_packet(fake, 0);
	world_destroy(world);
}

/* No room to bring it back to: the request fails, and does so harmlessly. */
static void no_room_to_come_back(void **state)
{
	struct world *world = small_world();
	struct fake *fake = &world->fake;
	struct drm_ringfence_memory_create all = {
		.bytes = FAKE_LOCAL_BYTES,
		.flags = DRM_RINGFENCE_MEMORY_LOCAL,
	};
	struct drm_ringfence_memory_destroy end = { 0 };
	struct drm_ringfence_queue_submit request = { 0 };
	struct fake_packet_context *context;

	(void)state;
	fake->context_segments = 1u << RF_MEM_LOCAL;
	world_start(world);
	request.queue = make_packet_queue(world->file, 0, 0).handle;
	request.memory = make_memory(world->file, 4096, 0).handle;
	context = fake_last_packet_context(fake);
	mark(fake, context);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &all), 0);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_SUBMIT, &request),
			 -ENOMEM);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_SUBMIT, &request),
			 -ENOMEM);
	end.handle = all.handle;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_DESTROY, &end), 0);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_SUBMIT, &request), 0);
	assert_int_equal(word(fake, context, 3), 0x5eed);
	fake_complete_packet(fake, 0);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S4-9,S4-10.restrictions-of-context-allocations", restrictions),
		TEST("S4-10,S4-11.made-filled-and-given-back", made_filled_and_given_back),
		TEST("failures-leave-nothing-behind", failures_leave_nothing),
		TEST("S4-8,S4-12.contents-survive-a-move", contents_survive_a_move),
		TEST("S4-8,S4-12.a-busy-context-moves", busy_context_moves),
		TEST("S4-12.evicted-and-brought-back", evicted_and_brought_back),
		TEST("S4-12.no-room-to-come-back-to", no_room_to_come_back),
	};

	return cmocka_run_group_tests_name("packet_context", tests, NULL, NULL);
}
