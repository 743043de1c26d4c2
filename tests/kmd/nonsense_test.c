// SPDX-License-Identifier: Apache-2.0
/*
 * A device that answers nonsense, under the real miniport: registers that read all ones or
 * anything else in mid-work, records that cannot be written, interrupts that do not come,
 * a device that has forgotten everything. What is read from the device steers no loop and
 * no index before it was checked, and every waiter gets the right result, or an
 * error.
 */
#include <string.h>
#include <unistd.h>

#include "../time_scale.h"
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "scheduling/queue.h"
#include "fake_device.h"
#include "rf_queue.h"

#define SECOND 1000000000ull
/* Of one interrupt, or one look, whatever the device answers */
#define READS_MAX 200u

/* A queue in a slot. */
struct work {
	struct rig rig;
	struct rf_hw_queue *hw;
	u64 *ring;
};

static struct rf_hw_queue *hw_queue(struct device_world *world, u32 handle)
{
	struct kmd_queue *queue = kmd_table_find(&world->file->file->table, KMD_QUEUE, handle);

	assert_non_null(queue);
	return queue->h_hw_queue;
}

/* It has announced one value, and rung for it. */
static struct work work_begin(struct device_world *world, u32 node)
{
	struct work work = { .rig = make_rig(world->file, node) };
	struct drm_ringfence_doorbell_connect connect = { .handle = work.rig.doorbell.handle };

	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect),
			 0);
	work.hw = hw_queue(world, work.rig.queue.handle);
	assert_int_equal(work.hw->residence.state, RF_QUEUE_RESIDENT);
	work.ring = map(world->file, work.rig.memory.mmap_offset);
	rf_write_once64(map(world->file, work.rig.queue.last_queued_mmap_offset), 1);
	rf_write_once64(work.ring + 2048 / 8, 1);
	*fake_device_register(&world->device, RF_REG_SLOT_WRITE_POINTER(work.hw->residence.slot)) =
		1;
	return work;
}

static struct drm_ringfence_queue_status status_of(struct device_world *world, u32 queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return status;
}

/* A thread waits for work of the queue. */
static u32 wait_for(struct device_world *world, const struct work *work)
{
	return wait_event(world->file, work->rig.queue.progress_fence, 1);
}

/* Some looks of the watch, over some seconds. */
static void watch(struct device_world *world)
{
	u32 i;

	for (i = 0; i < 12; i++)
		device_world_look(world, SECOND / 2);
}

/* A process that comes next finds a device that works. */
static void assert_next_run_works(struct device_world *world)
{
	struct rf_file *before = world->file;
	struct work work;

	world->device.answer = NULL;
	assert_int_equal(rf_hosted_open(world->shell, &world->file), 0);
	work = work_begin(world, 0);
	fake_device_record(&world->device, &(struct rf_interrupt_record){
						   .kind = RF_RECORD_KIND_QUEUE_ERROR,
						   .handle = work.hw->handle,
						   .detail = RF_QUEUE_ERROR_OPCODE,
					   });
	assert_int_equal(status_of(world, work.rig.queue.handle).error, RF_QUEUE_ERROR_OPCODE);
	rf_hosted_close(world->file);
	world->file = before;
}

/* --- the count of records ------------------------------------------------------------------ */

static u64 answer_producer(struct fake_device *device, u64 offset, u64 value)
{
	return offset == RF_REG_INTERRUPT_PRODUCER ? device->argument : value;
}

/* With one record taken, a count of 0 is 2^32 - 1 records ahead. */
static void count_out_of_range(void **state)
{
	static const u64 counts[] = { 0, 0xffffffff, 1u << 31, 258, U64_MAX - 1, 1ull << 40 };
	u32 i;

	(void)state;
	alarm(time_limit(60)); /* a loop that does not end is a failure */
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		struct device_world *world = device_world_new();
		struct work work = work_begin(world, 0);
		u32 event = wait_for(world, &work);

		fake_device_record(&world->device, &(struct rf_interrupt_record){
							   .kind = RF_RECORD_KIND_YIELD,
							   .handle = work.hw->handle,
						   });
		world->device.argument = counts[i];
		world->device.answer = answer_producer;
		world->device.reads = 0;
		fake_bus_raise(&world->device.fake.bus);
		assert_in_range(world->device.reads, 1, READS_MAX);
		world->device.answer = NULL;
		watch(world);
		assert_int_equal(look(world->file, event), -EIO);
		assert_int_equal(world->device.resets, 1);
		assert_next_run_works(world);
		device_world_destroy(world);
	}
	alarm(0);
}

/* An interrupt met by a device that does not answer is looked for again. */
static void records_behind_all_ones(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	world->device.msi_off = true;
	fake_device_record(&world->device, &(struct rf_interrupt_record){
						   .kind = RF_RECORD_KIND_QUEUE_ERROR,
						   .handle = work.hw->handle,
						   .detail = RF_QUEUE_ERROR_LENGTH,
					   });
	world->device.memory_off = true;
	fake_bus_raise(&world->device.fake.bus);
	world->device.memory_off = false;
	assert_int_equal(look(world->file, event), -ETIMEDOUT);
	watch(world);
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_equal(status_of(world, work.rig.queue.handle).error, RF_QUEUE_ERROR_LENGTH);
	assert_int_equal(world->device.resets, 0);
	device_world_destroy(world);
}

/* --- records that could not be written ------------------------------------------------------- */

static void error_without_a_record(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0), other = work_begin(world, 1);
	u32 event = wait_for(world, &work), others = wait_for(world, &other);
	u32 slot = work.hw->residence.slot;

	(void)state;
	fake_device_set_state(&world->device, slot, RF_SLOT_STATE_ERROR,
			      RF_QUEUE_ERROR_BUS_MASTER_DISABLED);
	*fake_device_register(&world->device, RF_REG_SLOT_ERROR_ADDRESS(slot)) = 0x1000;
	world->device.master_off = true;
	fake_device_record(&world->device, &(struct rf_interrupt_record){
						   .kind = RF_RECORD_KIND_QUEUE_ERROR,
						   .handle = work.hw->handle,
						   .detail = RF_QUEUE_ERROR_BUS_MASTER_DISABLED,
						   .address = 0x1000,
					   });
	world->device.master_off = false;
	assert_int_equal(look(world->file, event), -ETIMEDOUT);
	watch(world);
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_equal(status_of(world, work.rig.queue.handle).error,
			 RF_QUEUE_ERROR_BUS_MASTER_DISABLED);
	assert_int_equal(status_of(world, work.rig.queue.handle).error_address, 0x1000);
	/* and no other queue is affected */
	assert_int_equal(look(world->file, others), -ETIMEDOUT);
	assert_int_equal(status_of(world, other.rig.queue.handle).error, 0);
	assert_int_equal(world->device.resets, 0);
	device_world_destroy(world);
}

/* The flag alone is noticed at the next interrupt for another reason. */
static void failed_record_is_followed_up(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	fake_device_set_state(&world->device, work.hw->residence.slot, RF_SLOT_STATE_ERROR,
			      RF_QUEUE_ERROR_OPCODE);
	*fake_device_register(&world->device, RF_REG_INTERRUPT_OVERFLOW) =
		RF_INTERRUPT_OVERFLOW_FAILED_MASK;
	fake_bus_raise(&world->device.fake.bus);
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_equal(*fake_device_register(&world->device, RF_REG_INTERRUPT_OVERFLOW), 0);
	device_world_destroy(world);
}

/* What a packet asked of the host is in the record, and nowhere else. */
static void stop_without_a_record(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	fake_device_set_state(&world->device, work.hw->residence.slot, RF_SLOT_STATE_STOPPED_HOST,
			      0);
	watch(world);
	assert_int_equal(look(world->file, event), -EIO);
	device_world_destroy(world);
}

/* One that was told is no fault, for as long as it stands. */
static void stop_with_a_record(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	struct drm_ringfence_queue_resume resume = { .handle = work.rig.queue.handle };
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++) {
		fake_device_set_state(&world->device, work.hw->residence.slot,
				      RF_SLOT_STATE_STOPPED_HOST, 0);
		fake_device_record(&world->device, &(struct rf_interrupt_record){
							   .kind = RF_RECORD_KIND_TRAP,
							   .handle = work.hw->handle,
							   .address = 7,
						   });
		watch(world);
		assert_true(status_of(world, work.rig.queue.handle).trapped);
		assert_int_equal(status_of(world, work.rig.queue.handle).error, 0);
		assert_int_equal(
			rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_RESUME, &resume), 0);
	}
	device_world_destroy(world);
}

/* The slot is free, whatever became of what was saved. */
static void preemption_without_a_record(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	world->device.master_off = true;
	/* TDR: the queue has work and makes no progress, and its node says that it hangs */
	*fake_device_register(&world->device, RF_REG_NODE_STATUS(0)) = RF_NODE_STATUS_BUSY_MASK;
	device_world_look(world, SECOND / 2);
	device_world_look(world, SECOND / 2);
	device_world_look(world, 2 * SECOND);
	assert_int_equal(work.hw->residence.state, RF_QUEUE_LEAVING);
	*fake_device_register(&world->device, RF_REG_NODE_STATUS(0)) = 0;
	world->device.master_off = false;
	device_world_look(world, SECOND / 2);
	device_world_look(world, SECOND / 2);
	device_world_look(world, SECOND / 2);
	assert_int_equal(work.hw->residence.state, RF_QUEUE_SAVED);
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_equal(world->device.resets, 0); /* for one queue */
	device_world_destroy(world);
}

/* --- what did not get to the device ------------------------------------------------------------- */

/* A ring is a write: with memory decode off it is gone. */
static void lost_ring(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u64 *control =
		fake_device_register(&world->device, RF_REG_SLOT_CONTROL(work.hw->residence.slot));

	(void)state;
	watch(world);
	*control = 0;
	rf_write_once64(work.ring + 2048 / 8, 2);
	/* the fake has no engine: that it is told to look is all */
	assert_int_equal(world->device.fake.bus.delivered, 0);
	world->device.samples = 0;
	watch(world);
	assert_in_range(world->device.samples, 1, 12);
	/* what has arrived is not told again */
	*fake_device_register(&world->device, RF_REG_SLOT_WRITE_POINTER(work.hw->residence.slot)) =
		2;
	world->device.samples = 0;
	watch(world);
	assert_int_equal(world->device.samples, 0);
	device_world_destroy(world);
}

/* --- a device that has forgotten everything ----------------------------------------------------------- */

static void surprise_reset(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	fake_device_clear(&world->device);
	watch(world);
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_equal(world->device.resets, 1);
	assert_next_run_works(world);
	device_world_destroy(world);
}

/* Also without any queue. */
static void surprise_reset_of_an_idle_device(void **state)
{
	struct device_world *world = device_world_new();

	(void)state;
	fake_device_clear(&world->device);
	watch(world);
	assert_int_equal(world->device.resets, 1);
	assert_next_run_works(world);
	device_world_destroy(world);
}

static void memory_decode_stays_off(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	world->device.memory_off = true;
	device_world_look(world, SECOND / 2);
	assert_int_equal(world->device.resets, 0); /* it may be back at once */
	watch(world);
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_equal(world->device.resets, 1);
	assert_next_run_works(world);
	device_world_destroy(world);
}

static void memory_decode_off_for_a_moment(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work), i;

	(void)state;
	for (i = 0; i < 20; i++) {
		world->device.memory_off = i % 2;
		device_world_look(world, SECOND / 2);
	}
	world->device.memory_off = false;
	assert_int_equal(world->device.resets, 0);
	assert_int_equal(look(world->file, event), -ETIMEDOUT);
	fake_device_record(&world->device, &(struct rf_interrupt_record){
						   .kind = RF_RECORD_KIND_QUEUE_ERROR,
						   .handle = work.hw->handle,
						   .detail = RF_QUEUE_ERROR_OPCODE,
					   });
	assert_int_equal(look(world->file, event), -EIO);
	device_world_destroy(world);
}

/* --- a device that does not do what it is told -------------------------------------------------- */

static void destroy_memory(struct device_world *world, u32 handle)
{
	struct drm_ringfence_memory_destroy destroy = { .handle = handle };

	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy), 0);
}

/* An invalidation that never ends, while interrupts are disabled. */
static void waited_for_once(void **state)
{
	struct device_world *world = device_world_new();
	u32 memory[2] = { make_memory(world->file, 4096, 0).handle,
			  make_memory(world->file, 4096, 0).handle };
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	world->device.stuck = true;
	world->device.reads = 0;
	destroy_memory(world, memory[0]);
	assert_in_range(world->device.reads, 1, RF_READS_MAX + READS_MAX);
	world->device.reads = 0;
	destroy_memory(world, memory[1]);
	assert_in_range(world->device.reads, 0, READS_MAX);
	/* and for any register */
	world->device.reads = 0;
	assert_int_equal(
		rf_register_await(world->shell->adapter->h_adapter, RF_REG_DEVICE_SCRATCH, 1, 1),
		-EIO);
	assert_int_equal(world->device.reads, 0);
	watch(world);
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_equal(world->device.resets, 1);
	assert_next_run_works(world);
	device_world_destroy(world);
}

/* --- records of nonsense ------------------------------------------------------------------------ */

static u64 seed;

static u64 random64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* An error is an error, whatever its number. */
static void error_without_a_number(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_begin(world, 0);
	u32 event = wait_for(world, &work);

	(void)state;
	fake_device_record(&world->device, &(struct rf_interrupt_record){
						   .kind = RF_RECORD_KIND_QUEUE_ERROR,
						   .handle = work.hw->handle,
						   .detail = 0,
					   });
	assert_int_equal(look(world->file, event), -EIO);
	assert_int_not_equal(status_of(world, work.rig.queue.handle).error, 0);
	device_world_destroy(world);
}

/* Any record, of queues that exist and others: no access goes astray, and it ends. */
static void records_at_random(void **state)
{
	u32 round;

	(void)state;
	for (round = 1; round <= 60; round++) {
		struct device_world *world = device_world_new();
		struct work work[2] = { work_begin(world, 0), work_begin(world, 1) };
		u32 i;

		seed = round * 0x9e3779b97f4a7c15;
		for (i = 0; i < 64; i++) {
			const struct rf_interrupt_record record = {
				.kind = (u8)(random64() % 12),
				.node = (u8)(random64() % 4 ? random64() % 3 : random64()),
				.vmid = (u8)random64(),
				.detail = (u8)(random64() % 20),
				.handle = random64() % 4 ? work[random64() % 2].hw->handle
							 : (u32)random64(),
				.address = random64(),
				.value = random64(),
			};

			world->device.reads = 0;
			fake_device_record(&world->device, &record);
			assert_in_range(world->device.reads, 0, READS_MAX);
		}
		watch(world);
		assert_next_run_works(world);
		device_world_destroy(world);
	}
}

/* --- any register ----------------------------------------------------------------------------------- */

static u64 answer_at_random(struct fake_device *device, u64 offset, u64 value)
{
	(void)offset;
	if (random64() % 100 >= device->argument)
		return value;
	switch (random64() % 4) {
	case 0:
		return 0;
	case 1:
		return U64_MAX;
	case 2:
		return value ^ 1ull << random64() % 64;
	default:
		return random64();
	}
}

/* What starts a driver decides where it reads and writes from then on. */
static void start_at_random(void **state)
{
	u32 round;

	(void)state;
	for (round = 1; round <= 300; round++) {
		struct device_world *world = device_world_new();
		struct rf_hosted_device *shell;

		rf_hosted_close(world->file);
		world->file = NULL;
		rf_hosted_remove_device(world->shell);
		seed = round * 0x9e3779b97f4a7c15;
		world->device.argument = round % 2 ? 5 : 30;
		world->device.answer = answer_at_random;
		if (rf_hosted_add_device(world->hosted, &world->device.fake.bus.bus,
					 &rf_ringfence_ddi, &shell)) {
			world->device.answer = NULL;
			assert_int_equal(rf_hosted_add_device(world->hosted,
							      &world->device.fake.bus.bus,
							      &rf_ringfence_ddi, &shell),
					 0);
		}
		world->device.answer = NULL;
		world->shell = shell;
		device_world_destroy(world);
	}
}

/* During work: every waiter returns, and a good device works afterwards. */
static void answers_at_random(void **state)
{
	u32 round;

	(void)state;
	for (round = 1; round <= 60; round++) {
		struct device_world *world = device_world_new();
		struct work work = work_begin(world, round % 2);
		u32 i;

		seed = round * 0x9e3779b97f4a7c15;
		world->device.argument = 1 + round % 60;
		world->device.answer = answer_at_random;
		for (i = 0; i < 16; i++) {
			fake_device_record(&world->device, &(struct rf_interrupt_record){
								   .kind = RF_RECORD_KIND_YIELD,
								   .handle = work.hw->handle,
								   .detail = (u8)(i % 3),
							   });
			device_world_look(world, SECOND / 4);
		}
		world->device.answer = NULL;
		watch(world);
		if (!kmd_adapter_is_wedged(world->shell->adapter))
			assert_next_run_works(world);
		device_world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a-count-of-records-out-of-range-ends-with-a-reset", count_out_of_range),
		TEST("records-behind-an-interrupt-that-read-all-ones-are-found",
		     records_behind_all_ones),
		TEST("an-error-whose-record-failed-is-found", error_without_a_record),
		TEST("a-failed-record-is-followed-up-at-once", failed_record_is_followed_up),
		TEST("a-stop-whose-record-failed-ends-the-queue", stop_without_a_record),
		TEST("a-stop-that-was-told-is-left-alone", stop_with_a_record),
		TEST("a-preemption-whose-record-failed-is-found", preemption_without_a_record),
		TEST("a-lost-ring-is-made-up-for", lost_ring),
		TEST("a-surprise-reset-is-found", surprise_reset),
		TEST("a-surprise-reset-of-an-idle-device-is-found",
		     surprise_reset_of_an_idle_device),
		TEST("a-device-that-stays-away-is-reset", memory_decode_stays_off),
		TEST("a-device-that-is-away-for-a-moment-is-not", memory_decode_off_for_a_moment),
		TEST("a-device-that-does-nothing-is-waited-for-once", waited_for_once),
		TEST("an-error-without-a-number-is-an-error", error_without_a_number),
		TEST("records-at-random-go-nowhere", records_at_random),
		TEST("no-start-reaches-beyond-the-registers", start_at_random),
		TEST("registers-at-random-end-with-an-answer", answers_at_random),
	};

	return cmocka_run_group_tests_name("nonsense", tests, NULL, NULL);
}
