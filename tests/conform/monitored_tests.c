// SPDX-License-Identifier: Apache-2.0
/* Monitored fences through the whole driver. */
#include "rf_bus.h"
#include "rf_hosted.h"
#include "ringfence_hw.h"
#include "stack.h"

static struct rf_fence *monitored_fence(struct rf_conform *conform, uint32_t flags,
					uint64_t initial)
{
	struct rf_fence *fence;

	RF_CHECK_EQUAL(
		conform,
		rf_fence_create(conform->setup.device, RF_FENCE_MONITORED, flags, initial, &fence),
		0, "rf_fence_create");
	return fence;
}

static struct rf_memory *make_memory(struct rf_conform *conform)
{
	struct rf_memory *memory;

	RF_CHECK(conform, !rf_memory_create(conform->setup.device, 4096, RF_MEMORY_SYSTEM, &memory),
		 "rf_memory_create");
	return memory;
}

static uint64_t word(struct rf_memory *memory, unsigned int index)
{
	uint64_t value = 0;

	rf_memory_read(memory, index * 8, &value, 8);
	return value;
}

/* A command buffer of one WRITE. */
static void submit_write(struct rf_conform *conform, struct rf_queue *queue, uint64_t address,
			 uint64_t value)
{
	struct rf_commands *commands = stack_commands(conform, queue);

	rf_command_write(commands, address, value);
	stack_submit(conform, commands);
}

static void hold(struct rf_conform *conform, struct rf_queue *queue, struct rf_fence *fence,
		 uint64_t value)
{
	RF_CHECK_EQUAL(conform, rf_queue_wait_for(queue, &fence, &value, 1), 0,
		       "rf_queue_wait_for");
}

static void signal_in_order(struct rf_conform *conform, struct rf_queue *queue,
			    struct rf_fence *fence, uint64_t value)
{
	RF_CHECK_EQUAL(conform, rf_queue_signal(queue, &fence, &value, 1), 0, "rf_queue_signal");
}

/* --- the fence -------------------------------------------------------------------------- */

static void value_at_both_addresses(struct rf_conform *conform)
{
	static const uint64_t values[] = { 0, 7, 0x4000000000000000, 0xc000000000000001,
					   UINT64_MAX };
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_memory *memory = make_memory(conform);
	struct rf_commands *commands;
	struct rf_fence *fence;
	unsigned int i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		fence = monitored_fence(conform, i % 2 ? RF_FENCE_SHARED : 0, values[i]);
		RF_CHECK(conform, fence->handle && fence->value && fence->current_address,
			 "a handle or an address is missing");
		RF_CHECK_EQUAL(conform, (uintptr_t)fence->value % 64, 0, "CPU address");
		RF_CHECK_EQUAL(conform, fence->current_address % 64, 0, "GPU address");
		RF_CHECK_EQUAL(conform, rf_fence_value(fence), values[i], "the CPU reads");
		commands = stack_commands(conform, queue);
		rf_command_copy(commands, rf_memory_address(memory), fence->current_address, 8);
		rf_command_barrier(commands);
		rf_command_write(commands, fence->current_address, ~values[i]);
		stack_submit(conform, commands);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, word(memory, 0), values[i], "an engine reads");
		RF_CHECK_EQUAL(conform, rf_fence_value(fence), ~values[i],
			       "what an engine wrote, by a plain load");
	}
}

static void user_store_faults(struct rf_conform *conform)
{
	struct rf_fence *fence = monitored_fence(conform, 0, 7);

	RF_CHECK(conform, stack_store_faults(fence->value), "user mode could write the value");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 7, "the value after the store");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 8), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 8, "the value after a signal");
}

static void all_64_bits_are_the_users(struct rf_conform *conform)
{
	const struct rf_watch_note *caps;
	struct rf_fence *fence;
	struct rf_event *event;
	struct rf_queue *queue;
	size_t i;

	for (i = 0; (caps = rf_watch_find(RF_WATCH_QUERY, i)); i++)
		if (caps->value == RF_QUERY_DRIVER_CAPS)
			break;
	RF_CHECK(conform, caps && !(caps->extra & RF_VIDSCH_NO_64_BIT_ATOMICS),
		 "the driver declares No64BitAtomics");
	queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	fence = monitored_fence(conform, 0, 0xffffffff);
	event = stack_notify(conform, fence, 0xc000000000000000);
	stack_signal(conform, queue, fence, 0xbfffffffffffffff);
	stack_settle(conform);
	RF_CHECK(conform, !stack_is_set(event), "woken by a lower value");
	stack_signal(conform, queue, fence, 0xc000000000000000);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 0xc000000000000000, "the value");
}

static void handle_that_may_not(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *mute = monitored_fence(conform, RF_FENCE_NO_SIGNAL, 1), *none;
	struct rf_fence *deaf = monitored_fence(conform, RF_FENCE_NO_WAIT, 1);
	struct rf_fence *alone = monitored_fence(conform, RF_FENCE_NO_GPU_ACCESS, 1);
	const uint64_t value = 2;

	RF_CHECK_EQUAL(conform, rf_fence_signal(mute, 2), (uint64_t)-EACCES, "CPU signal");
	RF_CHECK_EQUAL(conform, rf_queue_signal(queue, &mute, &value, 1), (uint64_t)-EACCES,
		       "signal of a queue");
	RF_CHECK_WATCHED(conform, rf_watch_map_flags(mute->current_address), RF_MAP_READ_ONLY,
			 "mapping for engines");
	RF_CHECK_EQUAL(conform, rf_fences_wait(&mute, &value, 1, RF_WAIT_ALL, 0),
		       (uint64_t)-ETIMEDOUT, "CPU wait");
	RF_CHECK_EQUAL(conform, rf_fences_wait(&deaf, &value, 1, RF_WAIT_ALL, 0), (uint64_t)-EACCES,
		       "CPU wait");
	RF_CHECK_EQUAL(conform, rf_queue_wait_for(queue, &deaf, &value, 1), (uint64_t)-EACCES,
		       "wait of a queue");
	RF_CHECK_WATCHED(conform, rf_watch_map_flags(deaf->current_address), 0, "mapping");
	RF_CHECK_EQUAL(conform, rf_fence_signal(deaf, 2), 0, "CPU signal");
	RF_CHECK_EQUAL(conform,
		       rf_fence_create(queue->device, RF_FENCE_MONITORED,
				       RF_FENCE_NO_SIGNAL | RF_FENCE_NO_WAIT, 0, &none),
		       (uint64_t)-EINVAL, "both");
	RF_CHECK_EQUAL(conform, alone->current_address, 0, "address without GPU access");
	signal_in_order(conform, queue, alone, 2);
	RF_CHECK_EQUAL(conform, rf_fence_value(alone), 2, "value without GPU access");
}

static void user_mode_queue_refuses(struct rf_conform *conform)
{
	struct rf_fence *fence = monitored_fence(conform, 0, 5);
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_commands *commands = stack_commands(conform, queue);
	const uint64_t value = 6;

	rf_command_signal(commands, fence, 6);
	RF_CHECK_EQUAL(conform, rf_queue_submit(queue, commands), (uint64_t)-EOPNOTSUPP, "SIGNAL");
	rf_commands_reset(commands);
	rf_command_wait(commands, fence, 5);
	RF_CHECK_EQUAL(conform, rf_queue_submit(queue, commands), (uint64_t)-EOPNOTSUPP, "WAIT");
	RF_CHECK_EQUAL(conform, rf_queue_wait_for(queue, &fence, &value, 1), (uint64_t)-EOPNOTSUPP,
		       "wait request");
	RF_CHECK_EQUAL(conform, rf_queue_signal(queue, &fence, &value, 1), (uint64_t)-EOPNOTSUPP,
		       "signal request");
	rf_commands_reset(commands);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 5, "the value");
}

/* --- signals by engines -------------------------------------------------------------------- */

/* A store without interrupt: the end of the command buffer tells. */
static void engine_store_is_a_signal(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *gate = stack_fence(conform, 0, 0);
	struct rf_fence *fence = monitored_fence(conform, 0, 0);
	struct rf_event *reached = stack_notify(conform, fence, 5);
	struct rf_event *pending = stack_notify(conform, fence, 6);
	struct rf_commands *commands = stack_commands(conform, queue);

	rf_command_write(commands, fence->current_address, 5);
	rf_command_wait(commands, gate, 1);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 5, "the value before the end");
	RF_CHECK(conform, !stack_is_set(reached), "woken by nothing");
	RF_CHECK_EQUAL(conform, rf_fence_signal(gate, 1), 0, "rf_fence_signal");
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(reached), "the waiter sleeps");
	RF_CHECK(conform, !stack_is_set(pending), "the waiter for 6 was woken");
	submit_write(conform, queue, fence->current_address, 6);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(pending), "the waiter for 6 sleeps");
}

/* A SIGNAL in the command stream interrupts, long before the end of the buffer. */
static void signal_in_the_command_stream(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *gate = stack_fence(conform, 0, 0);
	struct rf_fence *fence = monitored_fence(conform, 0, 0);
	struct rf_event *reached = stack_notify(conform, fence, 5);
	struct rf_event *pending = stack_notify(conform, fence, 6);
	struct rf_commands *commands = stack_commands(conform, queue);

	rf_command_signal(commands, fence, 4);
	rf_command_signal(commands, fence, 5);
	rf_command_wait(commands, gate, 1);
	rf_watch_clear();
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(queue), 0, "progress");
	RF_CHECK(conform, stack_is_set(reached), "the waiter sleeps");
	RF_CHECK(conform, !stack_is_set(pending), "the waiter for 6 was woken");
	/* No part of the driver signalled. */
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT), 0, "signals by the CPU");
	RF_CHECK_EQUAL(conform, rf_fence_signal(gate, 1), 0, "rf_fence_signal");
	stack_settle(conform);
}

static void reported_as_monitored(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = monitored_fence(conform, 0, 0);
	struct rf_event *event = stack_notify(conform, fence, 1);
	struct rf_commands *commands = stack_commands(conform, queue);
	struct rf_fence *gate = stack_fence(conform, 0, 0);

	rf_command_signal(commands, fence, 1);
	rf_command_wait(commands, gate, 1);
	rf_watch_clear();
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY), 1, "reports");
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_NOTIFY, 0)->value,
		       RF_INTERRUPT_MONITORED_FENCE_SIGNALED, "type of the report");
	RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
	RF_CHECK_EQUAL(conform, rf_fence_signal(gate, 1), 0, "rf_fence_signal");
	stack_settle(conform);
}

/*
 * One queue floods the interrupt ring, and the records of another's signals are dropped.
 * They are of fences of either kind, no log tells of them, and the end of their command
 * buffer comes later.
 */
static void overflow_evaluates_both_kinds(struct rf_conform *conform)
{
	struct rf_queue *flooding = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *flood = stack_fence(conform, 0, 0), *gate = stack_fence(conform, 0, 0);
	struct rf_fence *dropped[] = { monitored_fence(conform, 0, 0), stack_fence(conform, 0, 0) };
	struct rf_event *events[2];
	struct rf_commands *commands;
	uint64_t value = 0;
	unsigned int i;

	stack_notify(conform, flood, 1);
	for (i = 0; i < 2; i++)
		events[i] = stack_notify(conform, dropped[i], 1);
	rfsim_interrupts_hold(conform->setup.world.simulation);
	RF_CHECK(conform, !rf_commands_create(flooding, 16384, RF_MEMORY_SYSTEM, &commands),
		 "rf_commands_create");
	rf_commands_log(commands, 0);
	while (value < 300)
		rf_command_signal(commands, flood, ++value);
	stack_submit(conform, commands);
	stack_settle(conform);
	commands = stack_commands(conform, queue);
	for (i = 0; i < 2; i++)
		rf_command_signal(commands, dropped[i], 1);
	rf_command_wait(commands, gate, 1);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK(conform,
		 rf_bus_read64(conform->bus, RF_BAR_REGISTERS, RF_REG_INTERRUPT_OVERFLOW) &
			 RF_INTERRUPT_OVERFLOW_OVERFLOW_MASK,
		 "the records did not overflow the ring");
	rfsim_interrupts_release(conform->setup.world.simulation);
	stack_settle(conform);
	for (i = 0; i < 2; i++)
		RF_CHECK(conform, stack_is_set(events[i]), "waiter %u sleeps", i);
	RF_CHECK_EQUAL(conform, rf_fence_signal(gate, 1), 0, "rf_fence_signal");
	stack_settle(conform);
}

/* --- waits and signals of a queue ------------------------------------------------------------ */

static void wait_holds_what_is_behind_it(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *other = stack_kernel_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_fence *fence = monitored_fence(conform, 0, 0);
	struct rf_memory *memory = make_memory(conform);
	unsigned int i;

	submit_write(conform, queue, rf_memory_address(memory), 1);
	hold(conform, queue, fence, 3);
	for (i = 2; i < 200; i++) /* more than the ring takes, and each returns at once */
		submit_write(conform, queue, rf_memory_address(memory), i);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 0), 1, "what was submitted before");
	RF_CHECK_EQUAL(conform, rf_queue_completed(queue), 1, "progress");
	RF_CHECK_WATCHED(conform, rf_watch_count(RF_WATCH_SUBMIT), 1, "submissions");
	stack_signal(conform, other, fence, 2);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 0), 1, "released by a lower value");
	stack_signal(conform, other, fence, 3);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(queue), 199, "progress");
	RF_CHECK_EQUAL(conform, word(memory, 0), 199, "the last of them");
}

static void both_of_two_fences(struct rf_conform *conform)
{
	struct rf_fence *fences[] = { monitored_fence(conform, 0, 0), stack_fence(conform, 0, 0) };
	const uint64_t values[] = { 100, 200 };
	unsigned int first;

	for (first = 0; first < 2; first++) {
		struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
		struct rf_memory *memory = make_memory(conform);

		rf_fence_signal(fences[0], 0);
		rf_fence_signal(fences[1], 0);
		RF_CHECK_EQUAL(conform, rf_queue_wait_for(queue, fences, values, 2), 0,
			       "rf_queue_wait_for");
		submit_write(conform, queue, rf_memory_address(memory), 1);
		rf_fence_signal(fences[first], values[first]);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, word(memory, 0), 0, "with one of both");
		rf_fence_signal(fences[!first], values[!first]);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, word(memory, 0), 1, "with both");
	}
}

static void signal_in_the_order_of_the_queue(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_kernel_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *gate = stack_fence(conform, 0, 0);
	struct rf_fence *fence = monitored_fence(conform, RF_FENCE_NO_GPU_ACCESS, 0);
	struct rf_memory *memory = make_memory(conform);
	struct rf_commands *commands = stack_commands(conform, queue);

	rf_command_wait(commands, gate, 1);
	rf_command_write(commands, rf_memory_address(memory), 1);
	stack_submit(conform, commands);
	signal_in_order(conform, queue, fence, 0x123456789abcdef0);
	commands = stack_commands(conform, queue);
	rf_command_write(commands, rf_memory_address(memory) + 8, 1);
	rf_command_wait(commands, gate, 2);
	stack_submit(conform, commands);
	signal_in_order(conform, queue, fence, UINT64_MAX);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 0, "signalled before its turn");
	RF_CHECK_EQUAL(conform, word(memory, 1), 0, "begun before the signal");
	RF_CHECK_EQUAL(conform, rf_fence_signal(gate, 1), 0, "rf_fence_signal");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 0), 1, "what was before the signal");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 0x123456789abcdef0, "the value");
	RF_CHECK_EQUAL(conform, word(memory, 1), 1, "what is behind the signal");
	RF_CHECK_EQUAL(conform, rf_fence_signal(gate, 2), 0, "rf_fence_signal");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), UINT64_MAX, "the last value");
}

/* A packet that asks the host: the signal lies between what is before and behind it. */
static void software_signal_packet(struct rf_conform *conform)
{
	struct rf_queue *queues[2] = { stack_queue(conform, RF_ENGINE_COPY),
				       stack_kernel_queue(conform, RF_ENGINE_COPY) };
	struct rf_fence *fences[2] = { stack_fence(conform, 0, 0),
				       monitored_fence(conform, RF_FENCE_NO_GPU_ACCESS, 0) };
	struct rf_memory *memory = make_memory(conform);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct rf_commands *commands = stack_commands(conform, queues[i]);
		struct rf_event *event = stack_notify(conform, fences[i], 0x123456789abcdef0);
		uint64_t address = rf_memory_address(memory) + i * 64;

		rf_command_write(commands, address, 1);
		rf_command_software_signal(commands, fences[i], 0x123456789abcdef0);
		rf_command_write(commands, address + 8, 2);
		rfsim_interrupts_hold(conform->setup.world.simulation);
		stack_submit(conform, commands);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, word(memory, i * 8), 1, "what is before");
		RF_CHECK_EQUAL(conform, word(memory, i * 8 + 1), 0, "what is behind");
		RF_CHECK_EQUAL(conform, rf_fence_value(fences[i]), 0, "the value");
		rfsim_interrupts_release(conform->setup.world.simulation);
		stack_settle(conform);
		RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
		RF_CHECK_EQUAL(conform, rf_fence_value(fences[i]), 0x123456789abcdef0, "the value");
		RF_CHECK_EQUAL(conform, word(memory, i * 8 + 1), 2, "what is behind");
		RF_CHECK_EQUAL(conform, rf_queue_completed(queues[i]), 1, "progress");
	}
}

static void software_signal_of_nothing(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *other = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0), gone = *fence;
	struct rf_commands *commands = stack_commands(conform, queue);
	uint64_t address = 0;
	uint32_t error = 0;

	rf_fence_destroy(fence);
	fence = stack_fence(conform, 0, 0);
	rf_command_software_signal(commands, &gone, 7);
	stack_submit_bad(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_status(queue, &error, &address), (uint64_t)-EIO,
		       "the queue");
	RF_CHECK_EQUAL(conform, error, RF_QUEUE_ERROR_OPERAND, "error");
	RF_CHECK_EQUAL(conform, address, gone.handle, "what it names");
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 0, "the fence in its place");
	stack_signal(conform, other, fence, 1);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 1, "another queue");
}

static void trap_stands_until_resumed(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *other = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_commands *commands = stack_commands(conform, queue);
	struct rf_memory *memory = make_memory(conform);
	uint64_t code = 0;

	rf_command_write(commands, rf_memory_address(memory), 1);
	rf_command_trap(commands, 0xc0de);
	rf_command_write(commands, rf_memory_address(memory), 2);
	RF_CHECK_EQUAL(conform, rf_queue_trapped(queue, &code), (uint64_t)-EAGAIN, "before");
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_trapped(queue, &code), 0, "at the trap");
	RF_CHECK_EQUAL(conform, code, 0xc0de, "code");
	RF_CHECK_EQUAL(conform, word(memory, 0), 1, "what is before");
	submit_write(conform, other, rf_memory_address(memory) + 8, 1);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 1), 1, "another queue of the node");
	RF_CHECK_EQUAL(conform, word(memory, 0), 1, "what is behind");
	RF_CHECK_EQUAL(conform, rf_queue_resume(queue), 0, "rf_queue_resume");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 0), 2, "what is behind");
	RF_CHECK_EQUAL(conform, rf_queue_resume(queue), (uint64_t)-EINVAL, "resumed twice");
}

/* CPU and engine, each waits and each signals, on one fence, from two processes. */
static void everybody_waits_and_signals(struct rf_conform *conform)
{
	struct rf_fence *mine = monitored_fence(conform, RF_FENCE_SHARED, 0), *theirs;
	struct rf_queue *queues[2] = { stack_kernel_queue(conform, RF_ENGINE_COPY) };
	struct rf_memory *memory = make_memory(conform);
	struct rf_device *other;
	struct rf_event *event;
	uint64_t token;

	other = stack_process(conform);
	RF_CHECK(conform, !rf_fence_share(mine, &token), "rf_fence_share");
	RF_CHECK_EQUAL(conform, rf_fence_open(other, token, 0, &theirs), 0, "rf_fence_open");
	RF_CHECK_EQUAL(conform, theirs->type, RF_FENCE_MONITORED, "type");
	RF_CHECK(conform,
		 !rf_queue_create(other, RF_ENGINE_COMPUTE, 0, RF_QUEUE_KERNEL, &queues[1]),
		 "rf_queue_create");

	event = stack_notify(conform, mine, 1);
	RF_CHECK_EQUAL(conform, rf_fence_signal(theirs, 1), 0, "rf_fence_signal");
	RF_CHECK(conform, stack_is_set(event), "CPU signals, CPU waits");

	hold(conform, queues[0], mine, 2);
	submit_write(conform, queues[0], rf_memory_address(memory), 2);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 0), 0, "released too early");
	RF_CHECK_EQUAL(conform, rf_fence_signal(theirs, 2), 0, "rf_fence_signal");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 0), 2, "CPU signals, GPU waits");

	event = stack_notify(conform, mine, 3);
	stack_signal(conform, queues[1], theirs, 3);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "GPU signals, CPU waits");

	hold(conform, queues[0], mine, 4);
	submit_write(conform, queues[0], rf_memory_address(memory), 4);
	stack_signal(conform, queues[1], theirs, 4);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, word(memory, 0), 4, "GPU signals, GPU waits");

	rf_queue_destroy(queues[1]);
	rf_device_close(other);
}

/* --- for debugging ---------------------------------------------------------------------------- */

static void debug_timeout_changes_nothing(struct rf_conform *conform)
{
	struct rf_fence *fences[] = { stack_fence(conform, 0, 5), monitored_fence(conform, 0, 5) };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct rf_event *event = stack_notify(conform, fences[i], 7);
		uint64_t monitored = rf_watching() ? stack_monitored(fences[i]) : 0;

		RF_CHECK_EQUAL(conform, rf_fence_wait(fences[i], 6, SECOND / 500),
			       (uint64_t)-ETIMEDOUT, "a wait, by default");
		rf_device_debug_waits(conform->setup.device, SECOND / 500);
		RF_CHECK_EQUAL(conform, rf_fence_wait(fences[i], 6, RF_TIMEOUT_NONE),
			       (uint64_t)-ETIME, "a wait that is watched");
		rf_device_debug_waits(conform->setup.device, 0);
		RF_CHECK_EQUAL(conform, rf_fence_value(fences[i]), 5, "CurrentValue");
		RF_CHECK_WATCHED(conform, stack_monitored(fences[i]), monitored, "MonitoredValue");
		RF_CHECK(conform, !stack_is_set(event), "another waiter was woken");
		RF_CHECK_EQUAL(conform, rf_fence_signal(fences[i], 7), 0, "rf_fence_signal");
		RF_CHECK(conform, stack_is_set(event), "the other waiter sleeps");
	}
}

/* The root complex holds the interrupt back: for the driver it is lost. */
static void watchdog_finds_a_lost_interrupt(struct rf_conform *conform)
{
	struct rf_hosted_device *device = conform->setup.world.hosted_device;
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_event *reached = stack_notify(conform, fence, 1);
	struct rf_event *pending = stack_notify(conform, fence, 2);

	rfsim_interrupts_hold(conform->setup.world.simulation);
	stack_signal(conform, queue, fence, 1);
	stack_settle(conform);
	RF_CHECK(conform, !stack_is_set(reached), "woken without an interrupt");
	RF_CHECK_EQUAL(conform, rf_hosted_watchdog(device, 9999), (uint64_t)-EINVAL, "too often");
	RF_CHECK_EQUAL(conform, rf_hosted_watchdog(device, SECOND / 1000), 0, "watchdog");
	RF_CHECK_EQUAL(conform, rf_event_wait(reached, 20 * SECOND), 0, "the waiter");
	RF_CHECK_EQUAL(conform, rf_hosted_watchdog(device, 0), 0, "watchdog off");
	RF_CHECK_EQUAL(conform, rf_hosted_lost_interrupts(device), 1, "interrupts lost");
	RF_CHECK(conform, !stack_is_set(pending), "the waiter for 2 was woken");
	/* It comes after all, and is one too many; then all is as ever. */
	rfsim_interrupts_release(conform->setup.world.simulation);
	stack_settle(conform);
	stack_signal(conform, queue, fence, 2);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(pending), "the waiter for 2 sleeps");
	RF_CHECK_EQUAL(conform, rf_hosted_lost_interrupts(device), 1, "interrupts lost");
}

#define STACK RF_CONFORM_STACK

#define PORTABLE RF_CONFORM_PORTABLE

const struct rf_conform_test rf_conform_monitored_tests[] = {
	{ "S1-1.value_at_both_addresses", "S1-2 S1-3 S1-6 S1-8 S1-12 S2-2 S2-3 S2-12 S2-13 S2-29",
	  STACK, PORTABLE, value_at_both_addresses },
	{ "S1-4.monitored_user_store_faults", "S1-7", STACK, PORTABLE, user_store_faults },
	{ "S1-13.all_64_bits_are_the_users", "S1-12 S2-16", STACK, PORTABLE,
	  all_64_bits_are_the_users },
	{ "A-12.handle_that_may_not", "S1-1", STACK, PORTABLE, handle_that_may_not },
	{ "S0-86.user_mode_queue_refuses_monitored_fences", NULL, STACK, PORTABLE,
	  user_mode_queue_refuses },
	{ "S1-11.engine_store_is_a_signal", "S1-18 S1-19 S1-20 S2-23", STACK, PORTABLE,
	  engine_store_is_a_signal },
	{ "S1-17.signal_in_the_command_stream", "S1-11 S1-18", STACK, PORTABLE,
	  signal_in_the_command_stream },
	{ "S1-17.also_with_interrupts_by_queue", NULL, STACK, RF_CONFORM_OPTIMIZED,
	  signal_in_the_command_stream },
	{ "S0-63.monitored_fences_have_their_own_report", NULL, STACK, PORTABLE,
	  reported_as_monitored },
	{ "S0-70.overflow_evaluates_both_kinds", "S0-66 S0-71", STACK, RF_CONFORM_SIM_ONLY,
	  overflow_evaluates_both_kinds },
	{ "S0-127.overflow_evaluates_every_engine", NULL, STACK,
	  RF_CONFORM_SIM_ONLY | RF_CONFORM_OPTIMIZED, overflow_evaluates_both_kinds },
	{ "S1-22.wait_holds_what_is_behind_it", "S1-21 S1-23 S1-24", STACK, PORTABLE,
	  wait_holds_what_is_behind_it },
	{ "S2-24.both_of_two_fences", NULL, STACK, PORTABLE, both_of_two_fences },
	{ "S1-16.signal_in_the_order_of_the_queue", "S2-19 S2-20", STACK, PORTABLE,
	  signal_in_the_order_of_the_queue },
	{ "S1-16.software_signal_packet", "S2-19", STACK, RF_CONFORM_SIM_ONLY,
	  software_signal_packet },
	{ "S1-16.software_signal_of_nothing", NULL, STACK, PORTABLE, software_signal_of_nothing },
	{ "device.trap_stands_until_resumed", NULL, STACK, PORTABLE, trap_stands_until_resumed },
	{ "S2-25.debug_timeout_changes_nothing", "S2-6 S2-26 S2-27", STACK, PORTABLE,
	  debug_timeout_changes_nothing },
	{ "S2-10.watchdog_finds_a_lost_interrupt", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  watchdog_finds_a_lost_interrupt },
	{ "S1-30.everybody_waits_and_signals_monitored", "S2-1 S2-4 S1-25 S1-26 S1-27", STACK,
	  PORTABLE, everybody_waits_and_signals },
	{ 0 },
};
