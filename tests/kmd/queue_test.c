// SPDX-License-Identifier: Apache-2.0
/* User-mode queues, doorbells and progress fences. */
#include <string.h>

#include "fake.h"

static int connect_rig(struct rf_file *file, const struct rig *rig)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = rig->doorbell.handle };

	return rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect);
}

static int destroy_doorbell(struct rf_file *file, u32 handle)
{
	struct drm_ringfence_doorbell_destroy destroy = { .handle = handle };

	return rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_DESTROY, &destroy);
}

static struct drm_ringfence_queue_status queue_status(struct rf_file *file, u32 queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return status;
}

/* --- queues ------------------------------------------------------------------------------ */

static void nodes_decide(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_queue_create create = {
		.node = FAKE_NODE_KERNEL,
		.flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
	};

	(void)state;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_CREATE, &create),
			 -EOPNOTSUPP);
	create.node = FAKE_NODES;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_CREATE, &create),
			 -EINVAL);
	assert_int_equal(world->fake.calls[FAKE_CREATE_QUEUE], 0);
	make_queue(world->file, 1);
	assert_int_equal(fake_last_queue(&world->fake)->context->arguments.node_ordinal, 1);
	make_kernel_queue(world->file, FAKE_NODE_KERNEL);
	assert_int_equal(fake_last_queue(&world->fake)->context->arguments.node_ordinal,
			 FAKE_NODE_KERNEL);
	world_destroy(world);
}

static void progress_fence_is_native(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_queue_create queue = make_queue(world->file, 0);
	struct fake_queue *hw = fake_last_queue(&world->fake);
	struct fake_fence *progress = hw->arguments.h_hw_queue_native_progress_fence;
	struct drm_ringfence_fence_destroy destroy = { .handle = queue.progress_fence };
	const u64 *value = map(world->file, queue.progress_mapping.current_value_mmap_offset);
	u32 event;

	(void)state;
	/* S0-62: the flag, and a fence that create_native_fence made */
	assert_true(hw->arguments.flags & RF_HW_QUEUE_NATIVE_PROGRESS_FENCE);
	assert_true(hw->arguments.flags & RF_HW_QUEUE_USER_MODE_SUBMISSION);
	assert_ptr_equal(progress, fake_last_fence(&world->fake));
	event = wait_event(world->file, queue.progress_fence, 2);
	fake_signal(&world->fake, progress, 1);
	assert_int_equal(look(world->file, event), -ETIMEDOUT);
	fake_signal(&world->fake, progress, 2);
	assert_int_equal(look(world->file, event), 0);
	assert_int_equal(
		rf_read_once64((const u64 *)((const char *)value +
					     queue.progress_mapping.current_value_page_offset)),
		2);
	/* it is the queue's */
	assert_int_equal(signal_fence(world->file, queue.progress_fence, 9), -EACCES);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_FENCE_DESTROY, &destroy),
			 -EBUSY);
	world_destroy(world);
}

static void pending_work_is_last_queued_above_completed(void **state)
{
	struct world *world = world_new();
	struct drm_ringfence_queue_create queue = make_queue(world->file, 0);
	struct fake_fence *progress = fake_last_fence(&world->fake);
	u64 *last_queued = map(world->file, queue.last_queued_mmap_offset);
	struct drm_ringfence_queue_status status;

	(void)state;
	assert_int_equal(*last_queued, 0);
	rf_write_once64(last_queued, 3);
	fake_signal(&world->fake, progress, 2);
	status = queue_status(world->file, queue.handle);
	assert_int_equal(status.last_queued, 3);
	assert_int_equal(status.completed, 2);
	assert_int_equal(status.error, 0);
	world_destroy(world);
}

/* --- doorbells ------------------------------------------------------------------------------ */

static void created_disconnected_on_the_dummy(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct fake_doorbell *hw = fake_last_queue(&world->fake)->doorbell;

	(void)state;
	assert_int_not_equal(rig.doorbell.doorbell_mmap_offset, 0);
	assert_int_not_equal(rig.doorbell.status_mmap_offset, 0);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY);
	assert_int_equal(hw->physical, -1); /* S3-15 */
	rf_hosted_ring(rig.page, 1); /* S3-28 */
	assert_int_equal(world->fake.bus.stores, 0);
	assert_int_equal(hw->arguments.ring_buffer_entries, 16);
	assert_int_equal(hw->arguments.ring_buffer_gpu_va, rig.memory.gpu_address);
	assert_int_equal(hw->arguments.ring_buffer_control_gpu_va, rig.memory.gpu_address + 2048);
	world_destroy(world);
}

/* The dummy is as large as what takes its place, and that is what the driver said. */
static void mapped_in_the_driver_s_size(void **state)
{
	static const u32 sizes[] = { 8, 4096, 4104, 16384 };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct world *world = world_create();
		uint64_t pages = (sizes[i] + 4095) / 4096, bytes = 0;
		struct rig first, second;

		world->fake.submission_caps.doorbell_size_in_bytes = sizes[i];
		world_start(world);
		first = make_rig(world->file, 0);
		second = make_rig(world->file, 0);
		assert_int_equal(first.page_bytes, pages * 4096);
		assert_true(second.doorbell.doorbell_mmap_offset -
				    first.doorbell.doorbell_mmap_offset >=
			    pages * 4096);
		assert_int_equal(connect_rig(world->file, &first), 0);
		assert_ptr_equal(rf_hosted_doorbell(world->file,
						    first.doorbell.doorbell_mmap_offset, &bytes),
				 first.page);
		assert_int_equal(bytes, pages * 4096);
		world_destroy(world);
	}
}

static void connected_rings_reach_the_device(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct fake_bus *bus = &world->fake.bus;
	u32 calls;

	(void)state;
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_CONNECTED);
	calls = world->fake.diary_length;
	rf_hosted_ring(rig.page, 0x1234);
	assert_int_equal(bus->stores, 1);
	assert_int_equal(bus->last_offset, FAKE_DOORBELL_BASE);
	assert_int_equal(bus->last_value, 0x1234);
	assert_int_equal(world->fake.diary_length, calls); /* S3-21 */

	/* connecting again changes nothing */
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_int_equal(world->fake.calls[FAKE_CONNECT_DOORBELL], 1);
	world_destroy(world);
}

static void destroy_tells_the_driver(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct drm_ringfence_doorbell_create again = rig.doorbell;

	(void)state;
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_DOORBELL_CREATE, &again),
			 -EBUSY);
	assert_int_equal(destroy_doorbell(world->file, rig.doorbell.handle), 0);
	assert_int_equal(world->fake.calls[FAKE_DISCONNECT_DOORBELL], 1);
	assert_int_equal(world->fake.calls[FAKE_DESTROY_DOORBELL], 1);
	assert_int_equal(destroy_doorbell(world->file, rig.doorbell.handle), -ENOENT);
	/* the ring stays, and takes a new doorbell (S3-23) */
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_DOORBELL_CREATE, &again), 0);
	world_destroy(world);
}

static void ring_memory_is_held(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct drm_ringfence_memory_destroy destroy = { .handle = rig.memory.handle };
	u64 value;
	struct fake_queue *queue = fake_last_queue(&world->fake);

	(void)state;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy), 0);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy),
			 -ENOENT);
	/* the device still reaches ring and write pointer */
	assert_int_equal(fake_gpu_read(&world->fake, queue->context->arguments.h_process,
				       rig.memory.gpu_address, &value),
			 0);
	rf_value_write(queue->doorbell->arguments.ring_buffer_control_cpu_va, 1);
	assert_int_equal(destroy_doorbell(world->file, rig.doorbell.handle), 0);
	assert_int_equal(fake_gpu_read(&world->fake, queue->context->arguments.h_process,
				       rig.memory.gpu_address, &value),
			 -EFAULT);
	world_destroy(world);
}

static void notify_exactly_once(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct drm_ringfence_queue_notify notify = { .handle = rig.queue.handle };

	(void)state;
	world->fake.notify_status = true;
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_CONNECTED_NOTIFY);
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_NOTIFY, &notify), 0);
	assert_int_equal(fake_last_queue(&world->fake)->notified, 1);
	notify.flags = 1;
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_NOTIFY, &notify),
			 -EINVAL);
	notify = (struct drm_ringfence_queue_notify){ .handle = rig.doorbell.handle };
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_NOTIFY, &notify),
			 -EINVAL);
	assert_int_equal(fake_last_queue(&world->fake)->notified, 1);
	world_destroy(world);
}

static void victims_make_room(void **state)
{
	struct world *world = world_new();
	struct rig rigs[FAKE_PHYSICAL_DOORBELLS + 1];
	struct fake_bus *bus = &world->fake.bus;
	u64 stores;
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rigs); i++) {
		rigs[i] = make_rig(world->file, 0);
		assert_int_equal(rig_status(&rigs[i]), DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY);
		if (i < FAKE_PHYSICAL_DOORBELLS)
			assert_int_equal(connect_rig(world->file, &rigs[i]), 0);
	}
	/* creating the one too many did not disturb the others (S3-56) */
	assert_int_equal(rig_status(&rigs[0]), DRM_RINGFENCE_DOORBELL_CONNECTED);
	assert_int_equal(connect_rig(world->file, &rigs[FAKE_PHYSICAL_DOORBELLS]), 0);
	assert_int_equal(rig_status(&rigs[0]), DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY);
	assert_int_equal(rig_status(&rigs[FAKE_PHYSICAL_DOORBELLS]),
			 DRM_RINGFENCE_DOORBELL_CONNECTED);
	stores = bus->stores;
	rf_hosted_ring(rigs[0].page, 5);
	assert_int_equal(bus->stores, stores); /* S3-55 */
	rf_hosted_ring(rigs[FAKE_PHYSICAL_DOORBELLS].page, 6);
	assert_int_equal(bus->last_value, 6);
	/* and the victim comes back, at the same page (S3-17) */
	assert_int_equal(connect_rig(world->file, &rigs[0]), 0);
	rf_hosted_ring(rigs[0].page, 7);
	assert_int_equal(bus->last_value, 7);
	assert_ptr_equal(rf_hosted_doorbell(world->file, rigs[0].doorbell.doorbell_mmap_offset,
					    &rigs[0].page_bytes),
			 rigs[0].page);
	world_destroy(world);
}

static void callback_of_the_driver(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct fake_queue *queue = fake_last_queue(&world->fake);
	struct rf_disconnect_doorbell_callback unknown = {
		.h_hw_queue = &unknown,
		.h_doorbell = &unknown,
		.disconnect_reason = RF_DOORBELL_DISCONNECTED_RETRY,
	};

	(void)state;
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_int_equal(fake_victimize(&world->fake, queue, RF_DOORBELL_DISCONNECTED_RETRY), 0);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY);
	/* again: fine; another queue, another reason: not */
	assert_int_equal(fake_victimize(&world->fake, queue, RF_DOORBELL_DISCONNECTED_RETRY), 0);
	assert_int_equal(fake_victimize(&world->fake, queue, RF_DOORBELL_CONNECTED), -EINVAL);
	assert_int_equal(world->fake.callbacks->disconnect_doorbell(world->fake.h_core, &unknown),
			 -EINVAL);
	/* the core did not call the driver's disconnect for what the driver took */
	assert_int_equal(world->fake.calls[FAKE_DISCONNECT_DOORBELL], 0);
	world_destroy(world);
}

/*
 * User mode that rings, and looks, between any two steps of the core: a ring that
 * went to the dummy page must never be told that it was connected.
 */
struct order {
	const struct rig *rig;
	struct fake_bus *bus;
	u32 reached, lost;
};

static void ring_and_look(void *argument)
{
	struct order *order = argument;
	u64 stores = order->bus->stores;

	rf_hosted_ring(order->rig->page, 1);
	if (order->bus->stores != stores) {
		order->reached++;
		return;
	}
	assert_int_equal(rig_status(order->rig), DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY);
	order->lost++;
}

static void status_and_page_in_order(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);
	struct order order = { .rig = &rig, .bus = &world->fake.bus };

	(void)state;
	world->fake.bus.between_argument = &order;
	world->fake.bus.between = ring_and_look;
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_true(order.reached && order.lost);
	order = (struct order){ .rig = &rig, .bus = &world->fake.bus };
	assert_int_equal(fake_victimize(&world->fake, fake_last_queue(&world->fake),
					RF_DOORBELL_DISCONNECTED_RETRY),
			 0);
	assert_true(order.reached);
	world->fake.bus.between = NULL;
	world_destroy(world);
}

/* The driver takes the doorbell back while it is being connected. */
static void take_back(struct fake *fake, void *argument)
{
	(void)argument;
	assert_int_equal(
		fake_victimize(fake, fake_last_queue(fake), RF_DOORBELL_DISCONNECTED_RETRY), 0);
}

static void taken_back_while_connecting(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);

	(void)state;
	world->fake.during_disconnect = take_back;
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY);
	rf_hosted_ring(rig.page, 1);
	assert_int_equal(world->fake.bus.stores, 0);
	world->fake.during_disconnect = NULL;
	assert_int_equal(connect_rig(world->file, &rig), 0);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_CONNECTED);
	world_destroy(world);
}

static void failed_connect_aborts(void **state)
{
	struct world *world = world_new();
	struct rig rig = make_rig(world->file, 0);

	(void)state;
	world->fake.fail = FAKE_CONNECT_DOORBELL;
	assert_int_equal(connect_rig(world->file, &rig), -EIO);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_DISCONNECTED_ABORT);
	world->fake.fail = FAKE_CALLS;
	/* terminal (table 4.1) */
	assert_int_equal(connect_rig(world->file, &rig), -EIO);
	assert_int_equal(world->fake.calls[FAKE_CONNECT_DOORBELL], 1);
	assert_int_equal(fake_victimize(&world->fake, fake_last_queue(&world->fake),
					RF_DOORBELL_DISCONNECTED_RETRY),
			 0);
	assert_int_equal(rig_status(&rig), DRM_RINGFENCE_DOORBELL_DISCONNECTED_ABORT);
	world_destroy(world);
}

static void faulted_queue_is_lost_and_no_other(void **state)
{
	struct world *world = world_new();
	struct rig lost = make_rig(world->file, 0);
	struct fake_queue *hw = fake_last_queue(&world->fake);
	struct fake_fence *progress = fake_last_fence(&world->fake);
	struct rig fine = make_rig(world->file, 0);
	struct drm_ringfence_queue_status status;
	u32 done, never;

	(void)state;
	assert_int_equal(connect_rig(world->file, &lost), 0);
	assert_int_equal(connect_rig(world->file, &fine), 0);
	done = wait_event(world->file, lost.queue.progress_fence, 1);
	never = wait_event(world->file, lost.queue.progress_fence, 2);
	world->fake.report = FAKE_REPORT_NOTHING;
	fake_signal(&world->fake, progress, 1);
	fake_fault(&world->fake, hw, RF_QUEUE_ERROR_TRANSLATION, 0xabc000);

	assert_int_equal(rig_status(&lost), DRM_RINGFENCE_DOORBELL_DISCONNECTED_ABORT);
	status = queue_status(world->file, lost.queue.handle);
	assert_int_equal(status.error, RF_QUEUE_ERROR_TRANSLATION);
	assert_int_equal(status.error_address, 0xabc000);
	/* what it finished counts; what it did not never comes */
	assert_int_equal(look(world->file, done), 0);
	assert_int_equal(look(world->file, never), -EIO);
	assert_int_equal(wait_fence(world->file, lost.queue.progress_fence, 1, 0), 0);
	assert_int_equal(wait_fence(world->file, lost.queue.progress_fence, 2, soon(1000)), -EIO);
	/* the page was turned as soon as a thread could (S3-29) */
	assert_int_equal(world->fake.calls[FAKE_DISCONNECT_DOORBELL], 1);
	assert_int_equal(connect_rig(world->file, &lost), -EIO);
	assert_int_equal(rig_status(&fine), DRM_RINGFENCE_DOORBELL_CONNECTED);
	assert_int_equal(queue_status(world->file, fine.queue.handle).error, 0);
	/* destroyed and made anew it works (S3-30) */
	destroy_rig(world->file, &lost);
	lost = make_rig(world->file, 0);
	assert_int_equal(connect_rig(world->file, &lost), 0);
	world_destroy(world);
}

static void expect_doorbell(struct world *world, struct drm_ringfence_doorbell_create *create,
			    int result)
{
	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_DOORBELL_CREATE, create),
			 result);
	if (!result)
		assert_int_equal(destroy_doorbell(world->file, create->handle), 0);
}

static void ring_must_lie_in_its_memory(void **state)
{
	static const struct {
		u64 ring, control;
		u32 entries;
		int result;
	} cases[] = {
		{ 0, 2048, 0, -EINVAL },
		{ 0, 2048, 3, -EINVAL },
		{ 0, 2048, 8192, -EINVAL },
		{ 0, 2048, 512, -EINVAL }, /* larger than the memory */
		{ 0, 2048, 256, 0 }, /* all of it: the control is inside, which is allowed */
		{ 16, 2048, 256, -EINVAL },
		{ 8, 2048, 16, -EINVAL },
		{ 4096, 0, 1, -EINVAL },
		{ U64_MAX - 15, 0, 1, -EINVAL },
		{ 4080, 0, 1, 0 },
		{ 0, 4088, 1, 0 },
		{ 0, 4096, 1, -EINVAL },
		{ 0, 4092, 1, -EINVAL },
		{ 0, U64_MAX - 7, 1, -EINVAL },
	};
	struct world *world = world_new();
	struct drm_ringfence_queue_create queue = make_queue(world->file, 0);
	struct drm_ringfence_memory_create memory = make_memory(world->file, 1, 0);
	u32 i;

	(void)state;
	assert_int_equal(memory.bytes, 4096);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drm_ringfence_doorbell_create create = {
			.queue = queue.handle,
			.ring_memory = memory.handle,
			.ring_control_memory = memory.handle,
			.ring_offset = cases[i].ring,
			.ring_control_offset = cases[i].control,
			.ring_entries = cases[i].entries,
		};

		expect_doorbell(world, &create, cases[i].result);
	}
	world_destroy(world);
}

/* The device adds an entry's index to the low bits of the ring's address. */
static void rings_lie_in_one_block(void **state)
{
	static const struct {
		u64 offset;
		u32 entries;
		int result;
	} cases[] = {
		{ 0, 4096, 0 },
		{ 16, 4096, -EINVAL },
		{ RF_RING_BLOCK_BYTES, 4096, 0 },
		{ RF_RING_BLOCK_BYTES - 256, 16, 0 },
		{ RF_RING_BLOCK_BYTES - 240, 16, -EINVAL },
		{ RF_RING_BLOCK_BYTES - 16, 1, 0 },
	};
	struct world *world = world_new();
	struct drm_ringfence_queue_create queue = make_queue(world->file, 0);
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drm_ringfence_memory_create memory =
			make_memory(world->file, 3 * RF_RING_BLOCK_BYTES, 0);
		u64 block = -memory.gpu_address % RF_RING_BLOCK_BYTES;
		struct drm_ringfence_doorbell_create create = {
			.queue = queue.handle,
			.ring_memory = memory.handle,
			.ring_control_memory = memory.handle,
			.ring_offset = block + cases[i].offset,
			.ring_entries = cases[i].entries,
		};

		expect_doorbell(world, &create, cases[i].result);
	}
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S3-4.the-node-decides", nodes_decide),
		TEST("S0-62,S3-47.the-progress-fence-is-native", progress_fence_is_native),
		TEST("S3-48,S3-51.pending-is-last-queued-above-completed",
		     pending_work_is_last_queued_above_completed),
		TEST("S3-13,S3-14,S3-15,S3-28.created-disconnected-on-the-dummy",
		     created_disconnected_on_the_dummy),
		TEST("S3-5,S3-6.mapped-in-the-driver's-size", mapped_in_the_driver_s_size),
		TEST("S3-16,S3-21.rings-reach-the-device-without-a-call",
		     connected_rings_reach_the_device),
		TEST("S3-18,S3-23.destroying-tells-the-driver", destroy_tells_the_driver),
		TEST("S3-24.the-ring-is-held", ring_memory_is_held),
		TEST("S3-20,A-15.notify-exactly-once", notify_exactly_once),
		TEST("S3-11,S3-17,S3-53..S3-56.victims-make-room", victims_make_room),
		TEST("A-16.the-driver's-callback", callback_of_the_driver),
		TEST("C11.status-and-page-in-order", status_and_page_in_order),
		TEST("C11.taken-back-while-connecting", taken_back_while_connecting),
		TEST("S3-19.a-failed-connect-aborts", failed_connect_aborts),
		TEST("S3-29,S3-30.a-faulted-queue-is-lost-and-no-other",
		     faulted_queue_is_lost_and_no_other),
		TEST("S3-22.the-ring-must-lie-in-its-memory", ring_must_lie_in_its_memory),
		TEST("rings-lie-in-one-block", rings_lie_in_one_block),
	};

	return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
