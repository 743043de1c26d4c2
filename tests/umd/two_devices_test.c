// SPDX-License-Identifier: Apache-2.0
/* Several devices of one world, through the library. With AddressSanitizer and UBSan. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ringfence.h"

#define SECOND 1000000000ull
#define PATIENCE (60 * SECOND)
#define DEVICES 3
#define COPY_BYTES 16384u

static const char *const names[DEVICES] = { "sim:seed=5,random", "sim:seed=5,device=1,random",
					    "sim:device=2,seed=5,random" };

/* A process on a device, and what it works with. */
struct process {
	struct rf_device *device;
	struct rf_queue *queue;
	struct rf_memory *memory;
};

static void process_open(struct process *process, const char *name)
{
	assert_int_equal(rf_device_open(name, &process->device), 0);
	assert_int_equal(rf_queue_create(process->device, RF_ENGINE_COPY, 8, 0, &process->queue),
			 0);
	assert_int_equal(rf_memory_create(process->device, 2 * COPY_BYTES + 4096, RF_MEMORY_SYSTEM,
					  &process->memory),
			 0);
}

static void process_close(struct process *process)
{
	rf_queue_destroy(process->queue);
	rf_memory_destroy(process->memory);
	rf_device_close(process->device);
}

/* Fill, copy and compare; @stamps: the device's time before and after. */
static void work(struct process *process, uint64_t pattern, uint64_t stamps[2])
{
	uint64_t address = rf_memory_address(process->memory), word;
	struct rf_commands *commands;
	size_t i;

	assert_int_equal(rf_commands_create(process->queue, 4096, RF_MEMORY_SYSTEM, &commands), 0);
	rf_command_timestamp(commands, address + 2 * COPY_BYTES);
	rf_command_fill(commands, address, COPY_BYTES, pattern);
	rf_command_barrier(commands);
	rf_command_copy(commands, address + COPY_BYTES, address, COPY_BYTES);
	rf_command_timestamp(commands, address + 2 * COPY_BYTES + 8);
	assert_int_equal(rf_queue_submit(process->queue, commands), 0);
	assert_int_equal(rf_queue_wait(process->queue, PATIENCE), 0);
	for (i = 0; i < COPY_BYTES; i += 8) {
		rf_memory_read(process->memory, COPY_BYTES + i, &word, 8);
		assert_int_equal(word, pattern);
	}
	rf_memory_read(process->memory, 2 * COPY_BYTES, stamps, 16);
	rf_commands_destroy(commands);
}

/* Each has its own engines and addresses; the memory of one is not the memory of another. */
static void devices_work_side_by_side(void **state)
{
	struct process processes[DEVICES];
	uint64_t stamps[2];
	int i;

	(void)state;
	for (i = 0; i < DEVICES; i++)
		process_open(&processes[i], names[i]);
	for (i = 0; i < DEVICES; i++)
		work(&processes[i], 0x1111111111111111 * (uint64_t)(i + 1), stamps);
	for (i = DEVICES - 1; i >= 0; i--)
		work(&processes[i], 0x2222222222222222 * (uint64_t)(i + 1), stamps);
	for (i = 0; i < DEVICES; i++)
		process_close(&processes[i]);
}

/* While one device works, time passes for the others too. */
static void one_clock_for_all(void **state)
{
	struct process processes[2];
	uint64_t first[2], between[2], last[2];

	(void)state;
	process_open(&processes[0], names[0]);
	process_open(&processes[1], names[1]);
	work(&processes[0], 1, first);
	work(&processes[1], 2, between);
	work(&processes[0], 3, last);
	assert_true(between[1] > between[0]);
	assert_true(last[0] - first[1] >= between[1] - between[0]);
	process_close(&processes[1]);
	process_close(&processes[0]);
}

/* A world of its own each time: it ends with the last close. */
static void run_three(uint64_t stamps[2 * DEVICES])
{
	struct process processes[DEVICES];
	int i;

	for (i = 0; i < DEVICES; i++)
		process_open(&processes[i], names[i]);
	for (i = 0; i < DEVICES; i++)
		work(&processes[i], 7, &stamps[2 * i]);
	for (i = 0; i < DEVICES; i++)
		process_close(&processes[i]);
}

static void same_calls_same_cycles(void **state)
{
	uint64_t one[2 * DEVICES], other[2 * DEVICES];

	(void)state;
	run_three(one);
	run_three(other);
	assert_memory_equal(one, other, sizeof(one));
}

/* The numbers below the one that is named are there as well, and are the same devices. */
static void the_last_one_first(void **state)
{
	struct process third, first;
	uint64_t stamps[2];

	(void)state;
	process_open(&third, names[2]);
	process_open(&first, names[0]);
	work(&first, 4, stamps);
	work(&third, 5, stamps);
	process_close(&first);
	work(&third, 6, stamps);
	process_close(&third);
}

/* "devices=" makes them at once; the names that differ in "device=" are of that world. */
static void the_word_devices(void **state)
{
	struct process first, second;
	struct rf_device *third;
	uint64_t one[2], other[2];

	(void)state;
	process_open(&first, "sim:seed=5,devices=2");
	process_open(&second, "sim:seed=5,devices=2,device=1");
	work(&first, 8, one);
	work(&second, 9, other);
	/* they were reset in the same cycle, so their times can be compared */
	assert_true(other[0] > one[1]);
	assert_int_equal(rf_device_open("sim:seed=5,devices=2,device=2", &third), -EINVAL);
	assert_non_null(strstr(rf_device_open_error(), "2 is not a device of devices=2"));
	process_close(&first);
	process_close(&second);
}

/* --- fences of both ------------------------------------------------------------------------- */

static struct rf_fence *fence_of(struct process *process, uint32_t flags)
{
	struct rf_fence *fence;

	assert_int_equal(rf_fence_create(process->device, RF_FENCE_DEFAULT, flags, 0, &fence), 0);
	return fence;
}

static int open_on(struct process *process, struct rf_fence *other, struct rf_fence **fence)
{
	uint64_t token;

	assert_int_equal(rf_fence_share(other, &token), 0);
	return rf_fence_open(process->device, token, 0, fence);
}

/* Commands of each device that wait for the other; no thread takes part. */
static void devices_wait_for_each_other(void **state)
{
	struct rf_commands *commands[2];
	struct process processes[2];
	struct rf_fence *fences[2][2]; /* by maker, by device */
	uint64_t round;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		process_open(&processes[i], names[i]);
		fences[i][i] = fence_of(&processes[i], RF_FENCE_CROSS_ADAPTER);
		assert_int_equal(rf_commands_create(processes[i].queue, 4096, RF_MEMORY_SYSTEM,
						    &commands[i]),
				 0);
	}
	for (i = 0; i < 2; i++)
		assert_int_equal(open_on(&processes[!i], fences[i][i], &fences[i][!i]), 0);
	for (round = 1; round <= 6; round++) {
		rf_command_signal(commands[0], fences[0][0], round);
		rf_command_wait(commands[0], fences[1][0], round);
		rf_command_wait(commands[1], fences[0][1], round);
		rf_command_signal(commands[1], fences[1][1], round);
	}
	for (i = 1; i >= 0; i--)
		assert_int_equal(rf_queue_submit(processes[i].queue, commands[i]), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(rf_queue_wait(processes[i].queue, PATIENCE), 0);
		assert_int_equal(rf_fence_value(fences[0][i]), 6);
		assert_int_equal(rf_fence_value(fences[1][i]), 6);
		/* a thread of either device */
		assert_int_equal(rf_fence_wait(fences[!i][i], 6, 0), 0);
		assert_int_equal(rf_fence_wait(fences[!i][i], 7, 0), -ETIMEDOUT);
	}
	for (i = 0; i < 2; i++) {
		rf_commands_destroy(commands[i]);
		rf_fence_destroy(fences[0][i]);
		rf_fence_destroy(fences[1][i]);
		process_close(&processes[i]);
	}
}

static void what_cannot_be_shared(void **state)
{
	struct rf_fence *one_device, *both, *opened, *pair[2];
	const uint64_t values[2] = { 0, 0 };
	struct process processes[2];

	(void)state;
	process_open(&processes[0], names[0]);
	process_open(&processes[1], names[1]);
	one_device = fence_of(&processes[0], RF_FENCE_SHARED);
	both = fence_of(&processes[0], RF_FENCE_CROSS_ADAPTER);
	assert_int_equal(open_on(&processes[1], one_device, &opened), -ENOENT);
	assert_int_equal(open_on(&processes[1], both, &opened), 0);
	/* each device has an object of its own */
	pair[0] = both;
	pair[1] = opened;
	assert_int_equal(rf_fences_wait(pair, values, 2, RF_WAIT_ALL, 0), -EINVAL);
	rf_fence_destroy(both);
	assert_int_equal(rf_fence_signal(opened, 3), 0);
	assert_int_equal(rf_fence_wait(opened, 3, 0), 0);
	rf_fence_destroy(opened);
	rf_fence_destroy(one_device);
	process_close(&processes[1]);
	process_close(&processes[0]);
}

/* --- linked devices ----------------------------------------------------------------------------- */

/* Linked, with a queue for broadcasts on each. */
static void pair_open(struct process processes[2], struct rf_queue *queues[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		process_open(&processes[i], names[i]);
		assert_int_equal(rf_queue_create(processes[i].device, RF_ENGINE_COPY, 0,
						 RF_QUEUE_PACKETS, &queues[i]),
				 0);
	}
	assert_int_equal(rf_device_link(processes[0].device, processes[1].device), 0);
}

static void pair_close(struct process processes[2], struct rf_queue *queues[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		rf_queue_destroy(queues[i]);
		process_close(&processes[i]);
	}
}

static uint64_t word_at(struct rf_memory *memory, uint64_t offset)
{
	uint64_t word;

	assert_int_equal(rf_memory_read(memory, offset, &word, 8), 0);
	return word;
}

/* Recorded once, done by both; the recorder is free at once. */
static void commands_for_both(void **state)
{
	struct process processes[2];
	struct rf_device *devices[2];
	struct rf_queue *queues[2];
	struct rf_memory *memories[2], *more[9];
	struct rf_commands *commands;
	uint64_t round;
	int i;

	(void)state;
	pair_open(processes, queues);
	for (i = 0; i < 2; i++)
		devices[i] = processes[i].device;
	/* what one of the two has at an address is no obstacle */
	for (i = 0; i < 9; i++)
		assert_int_equal(rf_memory_create(devices[i > 3], 4096, 0, &more[i]), 0);
	assert_int_equal(rf_linked_memory_create(devices, 4096, RF_MEMORY_LOCAL, memories), 0);
	assert_int_equal(rf_memory_address(memories[0]), rf_memory_address(memories[1]));
	assert_int_equal(rf_commands_create(queues[0], 4096, RF_MEMORY_SYSTEM, &commands), 0);
	for (round = 1; round <= 5; round++) {
		rf_command_write(commands, rf_memory_address(memories[0]) + 8 * round, 100 + round);
		assert_int_equal(rf_queue_broadcast(queues[0], queues[1], commands), 0);
		rf_commands_reset(commands);
		for (i = 0; i < 2; i++)
			assert_int_equal(rf_queue_submitted(queues[i]), round);
	}
	/* and one for the first device alone */
	rf_command_write(commands, rf_memory_address(memories[0]), 7);
	assert_int_equal(rf_queue_submit(queues[0], commands), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(rf_queue_wait(queues[i], PATIENCE), 0);
		assert_int_equal(word_at(memories[i], 0), i ? 0 : 7);
		for (round = 1; round <= 5; round++)
			assert_int_equal(word_at(memories[i], 8 * round), 100 + round);
		rf_memory_destroy(memories[i]);
	}
	for (i = 0; i < 9; i++)
		rf_memory_destroy(more[i]);
	rf_commands_destroy(commands);
	pair_close(processes, queues);
}

static void what_cannot_be_broadcast(void **state)
{
	struct process processes[2], third;
	struct rf_queue *queues[2], *other;
	struct rf_commands *commands;
	struct rf_memory *memories[2];
	struct rf_device *same[2];

	(void)state;
	pair_open(processes, queues);
	process_open(&third, names[2]);
	assert_int_equal(rf_queue_create(third.device, RF_ENGINE_COPY, 0, RF_QUEUE_PACKETS, &other),
			 0);
	assert_int_equal(rf_device_link(third.device, processes[1].device), -EBUSY);
	assert_int_equal(rf_device_link(third.device, third.device), -EINVAL);
	assert_int_equal(rf_commands_create(queues[0], 4096, RF_MEMORY_SYSTEM, &commands), 0);
	rf_command_nop(commands, 2);
	assert_int_equal(rf_queue_broadcast(queues[0], other, commands), -ENOLINK);
	assert_int_equal(rf_queue_broadcast(queues[1], queues[0], commands), -EINVAL);
	/* user-mode queues get their work by doorbells */
	assert_int_equal(rf_queue_broadcast(queues[0], processes[1].queue, commands), -EOPNOTSUPP);
	same[0] = same[1] = processes[0].device;
	assert_int_equal(rf_linked_memory_create(same, 4096, 0, memories), -ENOLINK);
	assert_int_equal(rf_queue_broadcast(queues[0], queues[1], commands), 0);
	rf_queue_destroy(other);
	process_close(&third);
	/* the other one leaves; what this one has is its own */
	rf_queue_destroy(queues[1]);
	process_close(&processes[1]);
	assert_int_equal(rf_queue_wait(queues[0], PATIENCE), 0);
	assert_int_equal(rf_queue_completed(queues[0]), 1);
	rf_commands_destroy(commands);
	rf_queue_destroy(queues[0]);
	process_close(&processes[0]);
}

static void there_is_no_ninth(void **state)
{
	struct rf_device *device;

	(void)state;
	assert_int_equal(rf_device_open("sim:device=8", &device), -EINVAL);
	assert_non_null(strstr(rf_device_open_error(), "8 is not from 0 to 7"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_work_side_by_side),
		cmocka_unit_test(one_clock_for_all),
		cmocka_unit_test(same_calls_same_cycles),
		cmocka_unit_test(the_last_one_first),
		cmocka_unit_test(the_word_devices),
		cmocka_unit_test(devices_wait_for_each_other),
		cmocka_unit_test(what_cannot_be_shared),
		cmocka_unit_test(commands_for_both),
		cmocka_unit_test(what_cannot_be_broadcast),
		cmocka_unit_test(there_is_no_ninth),
	};

	return cmocka_run_group_tests_name("two_devices", tests, NULL, NULL);
}
