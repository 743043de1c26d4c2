// SPDX-License-Identifier: Apache-2.0
/* The rules that hold for every request, and the layout of its structure. */
#include <string.h>

#include "fake.h"
#include "base/heap.h"

/* 64 bytes hold every request but two. */
union arguments {
	struct drm_ringfence_query query;
	struct drm_ringfence_memory_create memory_create;
	struct drm_ringfence_memory_destroy memory_destroy;
	struct drm_ringfence_fence_create fence_create;
	struct drm_ringfence_fence_open fence_open;
	struct drm_ringfence_fence_destroy fence_destroy;
	struct drm_ringfence_fence_signal fence_signal;
	struct drm_ringfence_fence_wait fence_wait;
	struct drm_ringfence_event_create event_create;
	struct drm_ringfence_event_destroy event_destroy;
	struct drm_ringfence_event_wait event_wait;
	struct drm_ringfence_queue_create queue_create;
	struct drm_ringfence_queue_destroy queue_destroy;
	struct drm_ringfence_queue_status queue_status;
	struct drm_ringfence_queue_notify queue_notify;
	struct drm_ringfence_doorbell_create doorbell_create;
	struct drm_ringfence_doorbell_connect doorbell_connect;
	struct drm_ringfence_doorbell_destroy doorbell_destroy;
	struct drm_ringfence_queue_submit queue_submit;
	struct drm_ringfence_queue_wait queue_wait;
	struct drm_ringfence_queue_signal queue_signal;
	struct drm_ringfence_queue_resume queue_resume;
	struct drm_ringfence_queue_render queue_render;
	struct drm_ringfence_context_create context_create;
	struct drm_ringfence_context_destroy context_destroy;
	struct drm_ringfence_link link;
	u8 bytes[128];
};

#define FIELD(request, type, field)                                                     \
	{                                                                               \
		request, offsetof(struct drm_ringfence_##type, field), #type "." #field \
	}

/* Pads and flags: 32-bit fields of which bit 31 is not defined anywhere. */
static const struct {
	u32 request;
	size_t offset;
	const char *name;
} checked[] = {
	FIELD(DRM_RINGFENCE_QUERY, query, pad),
	FIELD(DRM_RINGFENCE_QUERY, query, type),
	FIELD(DRM_RINGFENCE_QUERY, query, index),
	FIELD(DRM_RINGFENCE_MEMORY_CREATE, memory_create, flags),
	FIELD(DRM_RINGFENCE_MEMORY_CREATE, memory_create, pad),
	FIELD(DRM_RINGFENCE_MEMORY_DESTROY, memory_destroy, pad),
	FIELD(DRM_RINGFENCE_FENCE_CREATE, fence_create, type),
	FIELD(DRM_RINGFENCE_FENCE_CREATE, fence_create, flags),
	FIELD(DRM_RINGFENCE_FENCE_CREATE, fence_create, pad),
	FIELD(DRM_RINGFENCE_FENCE_OPEN, fence_open, flags),
	FIELD(DRM_RINGFENCE_FENCE_OPEN, fence_open, pad),
	FIELD(DRM_RINGFENCE_FENCE_DESTROY, fence_destroy, pad),
	FIELD(DRM_RINGFENCE_FENCE_SIGNAL, fence_signal, flags),
	FIELD(DRM_RINGFENCE_FENCE_SIGNAL, fence_signal, pad),
	FIELD(DRM_RINGFENCE_FENCE_WAIT, fence_wait, flags),
	FIELD(DRM_RINGFENCE_EVENT_CREATE, event_create, flags),
	FIELD(DRM_RINGFENCE_EVENT_DESTROY, event_destroy, pad),
	FIELD(DRM_RINGFENCE_EVENT_WAIT, event_wait, flags),
	FIELD(DRM_RINGFENCE_QUEUE_CREATE, queue_create, flags),
	FIELD(DRM_RINGFENCE_QUEUE_CREATE, queue_create, pad),
	FIELD(DRM_RINGFENCE_QUEUE_DESTROY, queue_destroy, flags),
	FIELD(DRM_RINGFENCE_QUEUE_NOTIFY, queue_notify, flags),
	FIELD(DRM_RINGFENCE_DOORBELL_CREATE, doorbell_create, flags),
	FIELD(DRM_RINGFENCE_DOORBELL_CONNECT, doorbell_connect, flags),
	FIELD(DRM_RINGFENCE_DOORBELL_DESTROY, doorbell_destroy, pad),
	FIELD(DRM_RINGFENCE_QUEUE_SUBMIT, queue_submit, flags),
	FIELD(DRM_RINGFENCE_QUEUE_WAIT, queue_wait, flags),
	FIELD(DRM_RINGFENCE_QUEUE_SIGNAL, queue_signal, flags),
	FIELD(DRM_RINGFENCE_QUEUE_STATUS, queue_status, pad),
	FIELD(DRM_RINGFENCE_QUEUE_RESUME, queue_resume, flags),
	FIELD(DRM_RINGFENCE_QUEUE_RENDER, queue_render, flags),
	FIELD(DRM_RINGFENCE_QUEUE_RENDER, queue_render, pad),
	FIELD(DRM_RINGFENCE_LINK, link, flags),
	FIELD(DRM_RINGFENCE_LINK, link, pad),
	FIELD(DRM_RINGFENCE_QUEUE_CREATE, queue_create, pad),
	FIELD(DRM_RINGFENCE_CONTEXT_CREATE, context_create, flags),
	FIELD(DRM_RINGFENCE_CONTEXT_CREATE, context_create, priority),
	FIELD(DRM_RINGFENCE_CONTEXT_DESTROY, context_destroy, pad),
};

/* A legal request of each kind, so that only the field under test is wrong. */
static void fill(struct world *world, u32 request, union arguments *arguments,
		 struct drm_ringfence_fence_value *value)
{
	struct rf_file *file = world->file;
	static struct rig rig;

	memset(arguments, 0, sizeof(*arguments));
	*value = (struct drm_ringfence_fence_value){ 0 };
	switch (request) {
	case DRM_RINGFENCE_MEMORY_CREATE:
		arguments->memory_create.bytes = 1;
		break;
	case DRM_RINGFENCE_MEMORY_DESTROY:
		arguments->memory_destroy.handle = make_memory(file, 1, 0).handle;
		break;
	case DRM_RINGFENCE_FENCE_OPEN:
		arguments->fence_open.share_token =
			make_fence(file, 0, DRM_RINGFENCE_FENCE_SHARED, 0).share_token;
		break;
	case DRM_RINGFENCE_FENCE_DESTROY:
		arguments->fence_destroy.handle = make_default(file, 0);
		break;
	case DRM_RINGFENCE_FENCE_SIGNAL:
	case DRM_RINGFENCE_FENCE_WAIT:
		value->handle = make_default(file, 5);
		value->value = 5;
		/* the array comes first in both */
		arguments->fence_wait.fences = (struct drm_ringfence_array){
			.stride = sizeof(*value),
			.count = 1,
			.array = (uintptr_t)value,
		};
		break;
	case DRM_RINGFENCE_EVENT_DESTROY:
		arguments->event_destroy.handle = make_event(file);
		break;
	case DRM_RINGFENCE_EVENT_WAIT:
		arguments->event_wait.handle = wait_event(file, make_default(file, 5), 5);
		break;
	case DRM_RINGFENCE_QUEUE_DESTROY:
	case DRM_RINGFENCE_QUEUE_STATUS:
	case DRM_RINGFENCE_QUEUE_NOTIFY:
		arguments->queue_destroy.handle = make_queue(file, 0).handle;
		break;
	case DRM_RINGFENCE_DOORBELL_CREATE:
		arguments->doorbell_create.queue = make_queue(file, 0).handle;
		arguments->doorbell_create.ring_memory = make_memory(file, 1, 0).handle;
		arguments->doorbell_create.ring_control_memory =
			arguments->doorbell_create.ring_memory;
		arguments->doorbell_create.ring_control_offset = 2048;
		arguments->doorbell_create.ring_entries = 16;
		break;
	case DRM_RINGFENCE_DOORBELL_CONNECT:
	case DRM_RINGFENCE_DOORBELL_DESTROY:
		rig = make_rig(file, 0);
		arguments->doorbell_connect.handle = rig.doorbell.handle;
		break;
	case DRM_RINGFENCE_QUEUE_SUBMIT:
		arguments->queue_submit.queue = make_kernel_queue(file, 0).handle;
		arguments->queue_submit.memory = make_memory(file, 1, 0).handle;
		break;
	case DRM_RINGFENCE_QUEUE_RENDER:
		arguments->queue_render.queue = make_packet_queue(file, 0, 0).handle;
		arguments->queue_render.memory = make_memory(file, 1, 0).handle;
		break;
	case DRM_RINGFENCE_QUEUE_RESUME:
		arguments->queue_resume.handle = make_kernel_queue(file, 0).handle;
		fake_stop(&world->fake, fake_last_queue(&world->fake), RF_STOP_TRAP, 0, 0);
		break;
	case DRM_RINGFENCE_CONTEXT_DESTROY:
		arguments->context_destroy.handle = make_context(file, 0, 0);
		break;
	case DRM_RINGFENCE_QUEUE_WAIT:
	case DRM_RINGFENCE_QUEUE_SIGNAL:
		value->handle = make_default(file, 5);
		value->value = 6;
		arguments->queue_wait.queue = make_kernel_queue(file, 0).handle;
		arguments->queue_wait.fences = (struct drm_ringfence_array){
			.stride = sizeof(*value),
			.count = 1,
			.array = (uintptr_t)value,
		};
		break;
	}
}

static void undefined_bits_are_refused(void **state)
{
	struct world *world = world_create();
	struct drm_ringfence_fence_value value;
	union arguments arguments;
	u32 i;

	(void)state;
	/* so that it can be linked */
	world->fake.caps.chain_uid = 1;
	world->fake.caps.scheduling_caps |= RF_VIDSCH_NO_DMA_PATCHING;
	world_start(world);
	for (i = 0; i < ARRAY_SIZE(checked); i++) {
		u32 wrong = 1u << 31;

		fill(world, checked[i].request, &arguments, &value);
		memcpy(&arguments.bytes[checked[i].offset], &wrong, sizeof(wrong));
		if (rf_hosted_request(world->file, checked[i].request, &arguments) != -EINVAL)
			fail_msg("%s", checked[i].name);
	}
	/* and each of them is legal without */
	for (i = 0; i < DRM_RINGFENCE_REQUESTS; i++) {
		fill(world, i, &arguments, &value);
		if (rf_hosted_request(world->file, i, &arguments))
			fail_msg("request %u", i);
	}
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_REQUESTS, &arguments),
			 -ENOTTY);
	world_destroy(world);
}

static void unknown_handles_are_refused(void **state)
{
	/* requests whose first field is a handle */
	static const u32 requests[] = {
		DRM_RINGFENCE_MEMORY_DESTROY,	DRM_RINGFENCE_FENCE_DESTROY,
		DRM_RINGFENCE_EVENT_DESTROY,	DRM_RINGFENCE_EVENT_WAIT,
		DRM_RINGFENCE_QUEUE_DESTROY,	DRM_RINGFENCE_QUEUE_STATUS,
		DRM_RINGFENCE_DOORBELL_CONNECT, DRM_RINGFENCE_DOORBELL_DESTROY,
		DRM_RINGFENCE_QUEUE_SUBMIT,	DRM_RINGFENCE_QUEUE_RESUME,
		DRM_RINGFENCE_CONTEXT_DESTROY,
	};
	static const u32 handles[] = { 0, 1, 0x100001, 0xfffff, U32_MAX };
	struct world *world = world_new();
	u32 i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(requests); i++)
		for (j = 0; j < ARRAY_SIZE(handles); j++) {
			union arguments arguments = { .bytes = { 0 } };

			arguments.queue_status.handle = handles[j];
			assert_int_equal(rf_hosted_request(world->file, requests[i], &arguments),
					 -ENOENT);
		}
	world_destroy(world);
}

static void arrays_may_grow(void **state)
{
	struct {
		struct drm_ringfence_fence_value value;
		u64 tail;
	} elements[2] = { 0 };
	struct world *world = world_new();
	struct drm_ringfence_fence_wait wait = {
		.fences = { .stride = sizeof(elements[0]),
			    .count = 2,
			    .array = (uintptr_t)elements },
	};
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++)
		elements[i].value.handle = make_default(world->file, 0);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_WAIT, &wait), 0);
	elements[1].tail = 1ull << 56;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_WAIT, &wait), -EINVAL);
	elements[1].tail = 0;
	elements[0].value.pad = 1;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_WAIT, &wait), -EINVAL);
	elements[0].value.pad = 0;
	wait.fences.stride = 8;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_WAIT, &wait), -EINVAL);
	wait.fences.stride = 5000;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_WAIT, &wait), -EINVAL);
	wait.fences.stride = 24;
	wait.fences.array = 0;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_WAIT, &wait), -EFAULT);
	world_destroy(world);
}

/* Work for a queue that waits: as much as it takes. */
static void fill_queue(struct world *world, u32 queue)
{
	struct drm_ringfence_fence_value value = {
		.handle = make_default(world->file, 0),
		.value = 1,
	};
	struct drm_ringfence_queue_wait wait = {
		.queue = queue,
		.fences = { .stride = sizeof(value), .count = 1, .array = (uintptr_t)&value },
	};

	while (!rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_WAIT, &wait))
		;
}

/* Whichever call of the miniport fails, and whatever the request had done by then */
static void failures_change_no_argument(void **state)
{
	static const u32 requests[] = {
		DRM_RINGFENCE_MEMORY_CREATE,	DRM_RINGFENCE_FENCE_CREATE,
		DRM_RINGFENCE_FENCE_OPEN,	DRM_RINGFENCE_CONTEXT_CREATE,
		DRM_RINGFENCE_QUEUE_CREATE,	DRM_RINGFENCE_DOORBELL_CREATE,
		DRM_RINGFENCE_DOORBELL_CONNECT, DRM_RINGFENCE_QUEUE_RENDER,
	};
	struct drm_ringfence_fence_value value;
	union arguments arguments, before;
	u32 call, i, failures = 0;
	struct world *world;

	(void)state;
	for (call = FAKE_REPLACE; call < FAKE_CALLS; call++)
		for (i = 0; i < ARRAY_SIZE(requests); i++) {
			world = world_new();
			fill(world, requests[i], &arguments, &value);
			before = arguments;
			world->fake.fail = call;
			if (rf_hosted_request(world->file, requests[i], &arguments)) {
				assert_memory_equal(&arguments, &before, sizeof(before));
				failures++;
			}
			world->fake.fail = FAKE_CALLS;
			world_destroy(world);
		}
	assert_true(failures > 8);

	world = world_new();
	fill(world, DRM_RINGFENCE_QUEUE_RENDER, &arguments, &value);
	fill_queue(world, arguments.queue_render.queue);
	arguments.queue_render.progress_value = 77;
	arguments.queue_render.linked_progress_value = 78;
	before = arguments;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_RENDER, &arguments),
			 -EAGAIN);
	assert_memory_equal(&arguments, &before, sizeof(before));
	world_destroy(world);
}

static void combinations_are_refused(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_fence_create fence = {
		.type = DRM_RINGFENCE_FENCE_INTRA_GPU,
		.initial_value = 1,
	};
	struct drm_ringfence_memory_create memory = { .bytes = 0 };
	struct drm_ringfence_fence_value value = { .handle = make_default(world->file, 0) };

	(void)state;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_CREATE, &fence),
			 -EINVAL);
	fence.initial_value = 0;
	fence.flags = DRM_RINGFENCE_FENCE_MONITORED_SYSTEM;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_CREATE, &fence),
			 -EINVAL);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &memory),
			 -EINVAL);
	memory.bytes = U64_MAX;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_CREATE, &memory),
			 -ENOMEM);
	/* the event form has no deadline */
	assert_int_equal(wait_fences(world->file, &value, 1, 0, 5, make_event(world->file)),
			 -EINVAL);
	world_destroy(world);
}

static void layout_is_for_ever(void **state)
{
	(void)state;
#define SIZE(type, bytes)                                                              \
	static_assert(sizeof(struct drm_ringfence_##type) == (bytes), "changed size"); \
	static_assert((bytes) % 8 == 0, "not a multiple of 8")
	SIZE(array, 16);
	SIZE(adapter_info, 56);
	SIZE(node_info, 8);
	SIZE(query, 24);
	SIZE(memory_create, 40);
	SIZE(memory_destroy, 8);
	SIZE(fence_mapping, 32);
	SIZE(fence_create, 64);
	SIZE(fence_open, 56);
	SIZE(fence_destroy, 8);
	SIZE(fence_value, 16);
	SIZE(fence_signal, 24);
	SIZE(fence_wait, 40);
	SIZE(event_create, 8);
	SIZE(event_destroy, 8);
	SIZE(event_wait, 16);
	SIZE(log_detail, 24);
	SIZE(queue_create, 88);
	SIZE(context_create, 16);
	SIZE(context_destroy, 8);
	SIZE(queue_destroy, 16);
	SIZE(queue_status, 48);
	SIZE(queue_notify, 8);
	SIZE(doorbell_create, 56);
	SIZE(doorbell_connect, 16);
	SIZE(doorbell_destroy, 8);
	SIZE(queue_submit, 32);
	SIZE(queue_wait, 24);
	SIZE(queue_signal, 24);
	SIZE(queue_resume, 8);
	SIZE(queue_render, 80);
	SIZE(patch_location, 24);
	SIZE(link, 16);
#undef SIZE
}

/* --- the heap of waiters --------------------------------------------------------------------- */

#define NODES 200

static void check_heap(const struct kmd_heap_node *node, u32 *count)
{
	const struct kmd_heap_node *child;
	u32 i;

	(*count)++;
	assert_int_equal(node->rank, kmd_heap_rank(node->right) + 1);
	assert_true(kmd_heap_rank(node->left) >= kmd_heap_rank(node->right));
	for (i = 0; i < 2; i++) {
		child = i ? node->right : node->left;
		if (!child)
			continue;
		assert_true(child->value >= node->value);
		assert_ptr_equal(child->parent, node);
		check_heap(child, count);
	}
}

static void heap_against_a_list(void **state)
{
	struct kmd_heap_node nodes[NODES] = { 0 };
	bool in[NODES] = { 0 };
	struct kmd_heap heap = { 0 };
	u32 step, i, size = 0;

	(void)state;
	srand(1);
	for (step = 0; step < 50000; step++) {
		u32 which = (u32)rand() % NODES;
		u64 least = U64_MAX;
		u32 count = 0;

		if (in[which]) {
			kmd_heap_remove(&heap, &nodes[which]);
			size--;
		} else {
			kmd_heap_insert(&heap, &nodes[which], (u64)rand() % 64);
			size++;
		}
		in[which] = !in[which];
		for (i = 0; i < NODES; i++)
			if (in[i] && nodes[i].value < least)
				least = nodes[i].value;
		assert_int_equal(heap.first != NULL, size != 0);
		assert_int_equal(heap.count, size);
		if (!heap.first)
			continue;
		assert_int_equal(heap.first->value, least);
		assert_null(heap.first->parent);
		if (step % 64 == 0) {
			check_heap(heap.first, &count);
			assert_int_equal(count, size);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("undefined-bits-are-refused", undefined_bits_are_refused),
		TEST("unknown-handles-are-refused", unknown_handles_are_refused),
		TEST("arrays-may-grow", arrays_may_grow),
		TEST("a-request-that-fails-changes-no-argument", failures_change_no_argument),
		TEST("illegal-combinations-are-refused", combinations_are_refused),
		TEST("the-layout-is-for-ever", layout_is_for_ever),
		TEST("S2-22.the-heap-of-waiters-against-a-list", heap_against_a_list),
	};

	return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
