// SPDX-License-Identifier: Apache-2.0
/* Kernel-mode queues through the whole driver. */
#include "rf_bus.h"
#include "ringfence_hw.h"
#include "stack.h"

static struct rf_memory *make_memory(struct rf_conform *conform, uint64_t bytes)
{
	struct rf_memory *memory;

	RF_CHECK(conform,
		 !rf_memory_create(conform->setup.device, bytes, RF_MEMORY_SYSTEM, &memory),
		 "rf_memory_create");
	return memory;
}

static void wait_for_queue(struct rf_conform *conform, struct rf_queue *queue)
{
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
}

static int submit(struct rf_queue *queue, struct rf_commands *commands, uint32_t flags)
{
	struct drm_ringfence_queue_submit request = {
		.queue = queue->handle,
		.flags = flags,
		.memory = commands->memory->handle,
		.size = commands->count * 8,
	};

	return rf_request(queue->device, DRM_RINGFENCE_QUEUE_SUBMIT, &request);
}

/* --- the two kinds of queue -------------------------------------------------------------- */

/* On each node one of each kind, with work at the same time. */
static void both_kinds_at_once(struct rf_conform *conform)
{
	struct rf_memory *memory = make_memory(conform, 4096);
	const struct rf_watch_note *created;
	struct rf_commands *commands[4];
	struct rf_queue *queues[4];
	uint64_t value;
	unsigned int i, round;

	for (i = 0; i < 4; i++) {
		rf_watch_clear();
		queues[i] =
			i % 2 ? stack_kernel_queue(conform, i / 2) : stack_queue(conform, i / 2);
		created = rf_watch_find(RF_WATCH_CREATE_QUEUE, 0);
		RF_CHECK_EQUAL(conform, !(created->value & RF_HW_QUEUE_USER_MODE_SUBMISSION), i % 2,
			       "UserModeSubmission");
	}
	for (round = 1; round <= 20; round++) {
		for (i = 0; i < 4; i++) {
			commands[i] = stack_commands(conform, queues[i]);
			rf_command_write(commands[i], rf_memory_address(memory) + i * 8, round);
			stack_submit(conform, commands[i]);
		}
		for (i = 0; i < 4; i++) {
			wait_for_queue(conform, queues[i]);
			rf_memory_read(memory, i * 8, &value, 8);
			RF_CHECK_EQUAL(conform, value, round, "what the queue wrote");
			RF_CHECK_EQUAL(conform, rf_queue_completed(queues[i]), round, "progress");
			rf_commands_destroy(commands[i]);
		}
	}
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_SUBMIT), 40, "submissions by the kernel");
}

static void kernel_queue_has_no_log(struct rf_conform *conform)
{
	const uint64_t signal[] = { RF_OPCODE_SIGNAL | RF_PACKET_SIGNAL_WORDS_MAX << 8 |
					    RF_PACKET_SIGNAL_FLAG_LOG << 16,
				    0, 1, 0, 0 };
	struct rf_queue *user, *kernel;
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_commands *commands;
	uint64_t words[5], address;
	uint32_t error;

	/* The kernel-mode queue gets slot and save area of one that had logs. */
	user = stack_queue(conform, RF_ENGINE_COPY);
	stack_queue(conform, RF_ENGINE_COPY);
	rf_queue_destroy(user);
	rf_watch_clear();
	kernel = stack_kernel_queue(conform, RF_ENGINE_COPY);
	RF_CHECK_WATCHED(conform, rf_watch_count(RF_WATCH_SET_LOG), 0, "logs for the driver");
	RF_CHECK(conform,
		 !kernel->log.wait_log_number_of_entries &&
			 !kernel->log.signal_log_number_of_entries &&
			 !kernel->log.wait_log_gpu_address && !kernel->log.signal_log_gpu_address,
		 "user mode is told of a log");

	/* What the library records is not logged, and what is logged all the same fails. */
	commands = stack_commands(conform, kernel);
	rf_command_signal(commands, fence, 1);
	stack_submit(conform, commands);
	wait_for_queue(conform, kernel);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 1, "CurrentValue");
	commands = stack_commands(conform, kernel);
	memcpy(words, signal, sizeof(words));
	words[1] = fence->current_address;
	words[2] = 2;
	words[3] = fence->monitored_address;
	rf_command_raw(commands, words, 5);
	stack_submit(conform, commands);
	RF_CHECK_EQUAL(conform, rf_queue_wait(kernel, 20 * SECOND), (uint64_t)-EIO,
		       "a signal that wants a log");
	rf_queue_status(kernel, &error, &address);
	RF_CHECK_EQUAL(conform, error, RF_QUEUE_ERROR_LOG_INDEX, "error of the queue");

	/* A user-mode queue has both. */
	rf_watch_clear();
	stack_queue(conform, RF_ENGINE_COPY);
	RF_CHECK_WATCHED(conform, rf_watch_count(RF_WATCH_SET_LOG), 2, "logs of a user-mode queue");
}

static void user_queue_refuses_submission(struct rf_conform *conform)
{
	struct rf_queue *user = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *kernel = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_commands *commands = stack_commands(conform, user);

	rf_command_nop(commands, 1);
	rf_watch_clear();
	RF_CHECK_EQUAL(conform, submit(user, commands, 0), (uint64_t)-EOPNOTSUPP,
		       "kernel-mode submission to a user-mode queue");
	stack_settle(conform);
	RF_CHECK_WATCHED(conform, rf_watch_count(RF_WATCH_SUBMIT), 0, "submissions");
	RF_CHECK_EQUAL(conform, rf_queue_completed(user), 0, "progress");
	RF_CHECK_EQUAL(conform, submit(kernel, commands, 0), 0, "to a kernel-mode queue");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(kernel), 1, "its progress");
}

static void kernel_queue_refuses_doorbell(struct rf_conform *conform)
{
	struct rf_queue *kernel = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_memory *memory = make_memory(conform, 8192);
	struct drm_ringfence_doorbell_create create = {
		.queue = kernel->handle,
		.ring_memory = memory->handle,
		.ring_control_memory = memory->handle,
		.ring_control_offset = 4096,
		.ring_entries = 16,
	};

	rf_watch_clear();
	RF_CHECK_EQUAL(conform, rf_request(kernel->device, DRM_RINGFENCE_DOORBELL_CREATE, &create),
		       (uint64_t)-EOPNOTSUPP, "doorbell of a kernel-mode queue");
	RF_CHECK_WATCHED(conform, rf_watch_count(RF_WATCH_CREATE_DOORBELL), 0, "doorbells");
}

static void presents_stay_with_the_kernel(struct rf_conform *conform)
{
	struct rf_queue *user = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *kernel = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_commands *commands = stack_commands(conform, kernel);

	rf_command_nop(commands, 1);
	rf_watch_clear();
	RF_CHECK_EQUAL(conform, submit(user, commands, DRM_RINGFENCE_SUBMIT_PRESENT),
		       (uint64_t)-EOPNOTSUPP, "presentation on a user-mode queue");
	RF_CHECK_EQUAL(conform, submit(kernel, commands, DRM_RINGFENCE_SUBMIT_PRESENT), 0,
		       "presentation on a kernel-mode queue");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_SUBMIT), 1, "submissions");
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_SUBMIT, 0)->extra >> 32, RF_SUBMIT_PRESENT,
		       "flags of the submission");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(kernel), 1, "progress");
}

/* --- submission ---------------------------------------------------------------------------- */

#define MANY 300

/* More than the driver's ring holds, then as fast as they go; none lost, none out of order. */
static void many_submissions_in_order(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_memory *memory = make_memory(conform, MANY * 8);
	struct rf_memory *counter = make_memory(conform, 4096);
	struct rf_fence *start = stack_fence(conform, 0, 0);
	struct rf_commands *commands[MANY];
	uint64_t value, base = rf_memory_address(counter);
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		commands[i] = stack_commands(conform, queue);
		if (i == 0)
			rf_command_wait(commands[i], start, 1);
		if (i == MANY / 2)
			RF_CHECK_EQUAL(conform, rf_fence_signal(start, 1), 0, "rf_fence_signal");
		/* Each copies the counter that the one before has written. */
		rf_command_copy(commands[i], rf_memory_address(memory) + i * 8, base, 8);
		rf_command_barrier(commands[i]);
		rf_command_write(commands[i], base, i + 1);
		stack_submit(conform, commands[i]);
		RF_CHECK_EQUAL(conform, rf_queue_submitted(queue), i + 1, "progress value");
		if (conform->setup.world.simulation)
			rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 40));
	}
	wait_for_queue(conform, queue);
	for (i = 0; i < MANY; i++) {
		rf_memory_read(memory, i * 8, &value, 8);
		RF_CHECK_EQUAL(conform, value, i, "counter that the submission found");
	}
	RF_CHECK(conform, rf_watch_count(RF_WATCH_SUBMIT) > MANY, "the ring was never full");
}

static void memory_is_held(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_memory *memory = make_memory(conform, 4096), *next;
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_commands *commands = stack_commands(conform, queue);
	uint64_t value, address = commands->memory->address, offset;

	rf_command_wait(commands, fence, 1);
	rf_command_write(commands, rf_memory_address(memory), 7);
	stack_submit(conform, commands);
	rf_commands_destroy(commands);
	next = make_memory(conform, 4096);
	RF_CHECK(conform, rf_watch_memory(address, &offset), "the buffer is gone before its end");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 1), 0, "rf_fence_signal");
	wait_for_queue(conform, queue);
	rf_memory_read(memory, 0, &value, 8);
	RF_CHECK_EQUAL(conform, value, 7, "what the buffer wrote");
	rf_memory_destroy(next); /* any request; what is done is freed behind it */
	RF_CHECK(conform, !rf_watch_memory(address, &offset), "the buffer is held for ever");
}

/* An interrupt that names the queue: what it signals past a log wakes as well. */
static void unlogged_signals_wake(struct rf_conform *conform)
{
	struct rf_queue *queues[2] = { stack_queue(conform, RF_ENGINE_COPY),
				       stack_kernel_queue(conform, RF_ENGINE_COPY) };
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_event *signalled = stack_notify(conform, fence, 2), *progress;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		progress = stack_notify(conform, rf_queue_progress(queues[i]), 1);
		stack_signal(conform, queues[i], fence, i + 1);
		stack_settle(conform);
		RF_CHECK(conform, stack_is_set(progress), "the waiter for progress %u sleeps", i);
	}
	RF_CHECK(conform, stack_is_set(signalled), "the waiter for the signal sleeps");
}

#define STACK RF_CONFORM_STACK

#define PORTABLE RF_CONFORM_PORTABLE

const struct rf_conform_test rf_conform_kernel_tests[] = {
	{ "S3-1.both_kinds_at_once", "S3-2", STACK, PORTABLE, both_kinds_at_once },
	{ "S0-101.kernel_queue_has_no_log", NULL, STACK, 0, kernel_queue_has_no_log },
	{ "S3-7.user_queue_refuses_submission", NULL, STACK, PORTABLE,
	  user_queue_refuses_submission },
	{ "S3-8.kernel_queue_refuses_doorbell", NULL, STACK, PORTABLE,
	  kernel_queue_refuses_doorbell },
	{ "S3-3.presents_stay_with_the_kernel", NULL, STACK, PORTABLE,
	  presents_stay_with_the_kernel },
	{ "S3-1.many_submissions_in_order", NULL, STACK, PORTABLE, many_submissions_in_order },
	{ "S3-24.submitted_memory_is_held", NULL, STACK, PORTABLE, memory_is_held },
	{ "S0-126.unlogged_signals_wake", NULL, STACK, RF_CONFORM_OPTIMIZED,
	  unlogged_signals_wake },
	{ 0 },
};
