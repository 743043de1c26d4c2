// SPDX-License-Identifier: Apache-2.0
/* A world to test in, and requests in few words; see fake.h. */
#include <string.h>

#include "../time_scale.h"
#include "fake.h"

struct world *world_create(void)
{
	struct world *world = calloc(1, sizeof(*world));

	fake_init(&world->fake);
	return world;
}

void world_start(struct world *world)
{
	assert_int_equal(rf_hosted_create(&world->hosted), 0);
	assert_int_equal(rf_hosted_add_device(world->hosted, &world->fake.bus.bus, &fake_ddi,
					      &world->device),
			 0);
	assert_int_equal(rf_hosted_open(world->device, &world->file), 0);
}

struct world *world_new(void)
{
	struct world *world = world_create();

	world_start(world);
	return world;
}

void world_destroy(struct world *world)
{
	if (world->file)
		rf_hosted_close(world->file);
	rf_hosted_remove_device(world->device);
	rf_hosted_destroy(world->hosted);
	fake_destroy(&world->fake);
	free(world);
}

struct kmd_statistics world_statistics(struct world *world)
{
	struct kmd_statistics statistics;

	kmd_adapter_statistics(world->device->adapter, &statistics);
	return statistics;
}

struct drm_ringfence_fence_create make_fence(struct rf_file *file, u32 type, u32 flags, u64 initial)
{
	struct drm_ringfence_fence_create create = {
		.type = type,
		.flags = flags,
		.initial_value = initial,
	};

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_FENCE_CREATE, &create), 0);
	assert_int_not_equal(create.handle, 0);
	return create;
}

u32 make_default(struct rf_file *file, u64 initial)
{
	return make_fence(file, DRM_RINGFENCE_FENCE_DEFAULT, 0, initial).handle;
}

void destroy_fence(struct rf_file *file, u32 fence)
{
	struct drm_ringfence_fence_destroy destroy = { .handle = fence };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_FENCE_DESTROY, &destroy), 0);
}

u32 make_event(struct rf_file *file)
{
	struct drm_ringfence_event_create create = { 0 };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_EVENT_CREATE, &create), 0);
	return create.handle;
}

void destroy_event(struct rf_file *file, u32 event)
{
	struct drm_ringfence_event_destroy destroy = { .handle = event };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_EVENT_DESTROY, &destroy), 0);
}

int wait_fences(struct rf_file *file, const struct drm_ringfence_fence_value *values, u32 count,
		u32 flags, u64 deadline, u32 event)
{
	struct drm_ringfence_fence_wait wait = {
		.fences = { .stride = sizeof(*values), .count = count, .array = (uintptr_t)values },
		.deadline = deadline,
		.flags = flags,
		.event = event,
	};

	return rf_hosted_request(file, DRM_RINGFENCE_FENCE_WAIT, &wait);
}

int wait_fence(struct rf_file *file, u32 fence, u64 value, u64 deadline)
{
	const struct drm_ringfence_fence_value one = { .handle = fence, .value = value };

	return wait_fences(file, &one, 1, 0, deadline, 0);
}

u32 wait_event(struct rf_file *file, u32 fence, u64 value)
{
	const struct drm_ringfence_fence_value one = { .handle = fence, .value = value };
	u32 event = make_event(file);

	assert_int_equal(wait_fences(file, &one, 1, 0, 0, event), 0);
	return event;
}

int look(struct rf_file *file, u32 event)
{
	struct drm_ringfence_event_wait wait = { .handle = event };

	return rf_hosted_request(file, DRM_RINGFENCE_EVENT_WAIT, &wait);
}

int signal_fence(struct rf_file *file, u32 fence, u64 value)
{
	const struct drm_ringfence_fence_value one = { .handle = fence, .value = value };
	struct drm_ringfence_fence_signal signal = {
		.fences = { .stride = sizeof(one), .count = 1, .array = (uintptr_t)&one },
	};

	return rf_hosted_request(file, DRM_RINGFENCE_FENCE_SIGNAL, &signal);
}

u64 soon(u64 milliseconds)
{
	return rf_time() + (u64)time_limit(milliseconds) * 1000000u;
}

u32 make_context(struct rf_file *file, u32 node, u32 priority)
{
	struct drm_ringfence_context_create create = { .node = node, .priority = priority };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_CONTEXT_CREATE, &create), 0);
	return create.handle;
}

static struct drm_ringfence_queue_create create_queue(struct rf_file *file, u32 node, u32 flags,
						      u32 context)
{
	struct drm_ringfence_queue_create create = {
		.node = node,
		.flags = flags,
		.context = context,
	};

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_CREATE, &create), 0);
	return create;
}

struct drm_ringfence_queue_create make_queue(struct rf_file *file, u32 node)
{
	return create_queue(file, node, DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION, 0);
}

struct drm_ringfence_queue_create make_kernel_queue(struct rf_file *file, u32 node)
{
	return create_queue(file, node, 0, 0);
}

struct drm_ringfence_queue_create make_packet_queue(struct rf_file *file, u32 node, u32 priority)
{
	struct drm_ringfence_context_create context = { .node = node, .priority = priority };
	struct drm_ringfence_queue_create create = {
		.node = node,
		.flags = DRM_RINGFENCE_QUEUE_PACKETS,
	};

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_CONTEXT_CREATE, &context), 0);
	create.context = context.handle;
	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_CREATE, &create), 0);
	return create;
}

u64 submit_packet(struct rf_file *file, u32 queue, u32 memory, u32 size)
{
	struct drm_ringfence_queue_submit submit = {
		.queue = queue,
		.memory = memory,
		.size = size,
	};

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_SUBMIT, &submit), 0);
	return submit.progress_value;
}

int submit_empty(struct rf_file *file, u32 queue, u32 memory)
{
	struct drm_ringfence_queue_submit submit = { .queue = queue, .memory = memory };

	return rf_hosted_request(file, DRM_RINGFENCE_QUEUE_SUBMIT, &submit);
}

int queue_wait(struct rf_file *file, u32 queue, u32 fence, u64 value)
{
	const struct drm_ringfence_fence_value one = { .handle = fence, .value = value };
	struct drm_ringfence_queue_wait wait = {
		.queue = queue,
		.fences = { sizeof(one), 1, (uintptr_t)&one },
	};

	return rf_hosted_request(file, DRM_RINGFENCE_QUEUE_WAIT, &wait);
}

int queue_signal(struct rf_file *file, u32 queue, u32 fence, u64 value)
{
	const struct drm_ringfence_fence_value one = { .handle = fence, .value = value };
	struct drm_ringfence_queue_signal signal = {
		.queue = queue,
		.fences = { sizeof(one), 1, (uintptr_t)&one },
	};

	return rf_hosted_request(file, DRM_RINGFENCE_QUEUE_SIGNAL, &signal);
}

struct drm_ringfence_memory_create make_memory(struct rf_file *file, u64 bytes, u32 flags)
{
	struct drm_ringfence_memory_create create = { .bytes = bytes, .flags = flags };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_MEMORY_CREATE, &create), 0);
	return create;
}

void *map(struct rf_file *file, u64 offset)
{
	void *pointer;

	assert_int_equal(rf_hosted_map(file, offset, &pointer), 0);
	return pointer;
}

struct rig make_rig(struct rf_file *file, u32 node)
{
	return make_rig_in(file, node, 0);
}

struct rig make_rig_in(struct rf_file *file, u32 node, u32 context)
{
	struct rig rig = { 0 };

	rig.queue = create_queue(file, node, DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION, context);
	rig.memory = make_memory(file, 4096, 0);
	rig.doorbell = (struct drm_ringfence_doorbell_create){
		.queue = rig.queue.handle,
		.ring_memory = rig.memory.handle,
		.ring_control_memory = rig.memory.handle,
		.ring_control_offset = 2048,
		.ring_entries = 16,
	};
	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_CREATE, &rig.doorbell), 0);
	rig.status = map(file, rig.doorbell.status_mmap_offset);
	rig.page = rf_hosted_doorbell(file, rig.doorbell.doorbell_mmap_offset, &rig.page_bytes);
	assert_non_null(rig.page);
	return rig;
}

void destroy_rig(struct rf_file *file, struct rig *rig)
{
	struct drm_ringfence_memory_destroy memory = { .handle = rig->memory.handle };
	struct drm_ringfence_queue_destroy queue = { .handle = rig->queue.handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_DESTROY, &queue), 0);
	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_MEMORY_DESTROY, &memory), 0);
}

u64 rig_status(const struct rig *rig)
{
	return __atomic_load_n((const u64 *)rig->status, __ATOMIC_SEQ_CST);
}
