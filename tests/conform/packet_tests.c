// SPDX-License-Identifier: Apache-2.0
/* The packet model through the whole driver: contexts that take nodes from each other. */
#include <string.h>

#include "rf_hosted.h"
#include "ringfence_hw.h"
#include "stack.h"

#define LOW 1
#define HIGH 9

/* A context, and a queue of the library's to record commands with. */
struct context {
	struct rf_conform *conform;
	struct rf_device *device;
	struct rf_queue *recorder;
	uint32_t handle;
	uint64_t submitted;
};

static struct context open_context_of(struct rf_conform *conform, struct rf_device *device,
				      uint32_t node, uint32_t priority)
{
	struct context context = { .conform = conform, .device = device };
	struct drm_ringfence_context_create group = { .node = node, .priority = priority };
	struct drm_ringfence_queue_create create = {
		.node = node,
		.flags = DRM_RINGFENCE_QUEUE_PACKETS,
	};

	RF_CHECK_EQUAL(conform,
		       rf_queue_create(device, node, 0, RF_QUEUE_KERNEL, &context.recorder), 0,
		       "rf_queue_create");
	RF_CHECK_EQUAL(conform, rf_request(context.device, DRM_RINGFENCE_CONTEXT_CREATE, &group), 0,
		       "its priority");
	create.context = group.handle;
	RF_CHECK_EQUAL(conform, rf_request(context.device, DRM_RINGFENCE_QUEUE_CREATE, &create), 0,
		       "a context");
	context.handle = create.handle;
	return context;
}

static struct context open_context(struct rf_conform *conform, uint32_t node, uint32_t priority)
{
	return open_context_of(conform, conform->setup.device, node, priority);
}

static struct rf_commands *record(struct context *context)
{
	return stack_commands(context->conform, context->recorder);
}

static void submit(struct context *context, struct rf_commands *commands)
{
	struct drm_ringfence_queue_submit request = {
		.queue = context->handle,
		.memory = commands->memory->handle,
		.size = commands->count * 8,
	};

	RF_CHECK_EQUAL(context->conform,
		       rf_request(context->device, DRM_RINGFENCE_QUEUE_SUBMIT, &request), 0,
		       "a submission");
	RF_CHECK_EQUAL(context->conform, request.progress_value, ++context->submitted,
		       "progress value");
}

static struct drm_ringfence_queue_status status_of(struct context *context)
{
	struct drm_ringfence_queue_status status = { .handle = context->handle };

	RF_CHECK_EQUAL(context->conform,
		       rf_request(context->device, DRM_RINGFENCE_QUEUE_STATUS, &status), 0,
		       "status");
	RF_CHECK_EQUAL(context->conform, status.error, 0, "error");
	return status;
}

static void finish(struct context *context)
{
	stack_settle(context->conform);
	RF_CHECK_EQUAL(context->conform, status_of(context).completed, context->submitted,
		       "completed");
}

static struct rf_memory *memory_in(struct rf_conform *conform, struct rf_device *device,
				   uint64_t bytes, uint32_t flags)
{
	struct rf_memory *memory;

	RF_CHECK_EQUAL(conform, rf_memory_create(device, bytes, flags, &memory), 0,
		       "rf_memory_create");
	return memory;
}

static struct rf_memory *memory_of(struct rf_conform *conform, uint64_t bytes, uint32_t flags)
{
	return memory_in(conform, conform->setup.device, bytes, flags);
}

/* --- work that shows each byte that went wrong --------------------------------------- */

#define BYTES 12000u

struct work {
	struct rf_memory *source, *target;
	uint8_t seed;
};

static struct work open_work(struct context *context)
{
	struct work work = {
		.source = memory_in(context->conform, context->device, BYTES, RF_MEMORY_SYSTEM),
		.target = memory_in(context->conform, context->device, 2 * BYTES, RF_MEMORY_SYSTEM),
	};

	return work;
}

/* A copy, a fill and a counter, each with its place. */
static void submit_work(struct context *context, struct work *work)
{
	struct rf_commands *commands = record(context);
	uint8_t bytes[BYTES];
	uint64_t target = rf_memory_address(work->target);
	uint32_t i;

	work->seed = (uint8_t)rf_conform_random(context->conform, 256);
	for (i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(work->seed + i * 7);
	rf_memory_write(work->source, 0, bytes, BYTES);
	rf_command_copy(commands, target, rf_memory_address(work->source), BYTES - 8);
	rf_command_fill(commands, target + BYTES, BYTES, work->seed * 0x0101010101010101ull);
	rf_command_write(commands, target + BYTES - 8, work->seed);
	submit(context, commands);
	rf_commands_destroy(commands); /* the kernel holds it as long as it needs */
}

static void check_work(struct context *context, struct work *work)
{
	uint8_t bytes[2 * BYTES];
	uint64_t word;
	uint32_t i;

	rf_memory_read(work->target, 0, bytes, sizeof(bytes));
	for (i = 0; i < BYTES - 8; i++)
		RF_CHECK_EQUAL(context->conform, bytes[i], (uint8_t)(work->seed + i * 7), "copy");
	for (i = BYTES; i < 2 * BYTES; i++)
		RF_CHECK_EQUAL(context->conform, bytes[i], work->seed, "fill");
	memcpy(&word, bytes + BYTES - 8, 8);
	RF_CHECK_EQUAL(context->conform, word, work->seed, "write");
}

/* --- work that shows how often it was done ------------------------------------------- */

#define COUNTS 5

/* Packets that each copy a counter to a cell of its own, and count: each has to run once. */
static void submit_counts(struct context *context, struct rf_memory *cells)
{
	uint64_t base = rf_memory_address(cells);
	struct rf_commands *commands;
	unsigned int i;

	for (i = 0; i < COUNTS; i++) {
		commands = record(context);
		rf_command_copy(commands, base + 8 * (i + 1), base, 8);
		rf_command_barrier(commands);
		rf_command_write(commands, base, i + 1);
		submit(context, commands);
		rf_commands_destroy(commands);
	}
}

static void check_counts(struct rf_conform *conform, struct rf_memory *cells)
{
	uint64_t value;
	unsigned int i;

	for (i = 0; i < COUNTS; i++) {
		rf_memory_read(cells, 8 * (i + 1), &value, 8);
		RF_CHECK_EQUAL(conform, value, i, "count that the packet found");
	}
}

/* --- tests --------------------------------------------------------------------------- */

/* The device loses its power in the midst of packets, of which none is lost. */
static void packets_go_on_after_d3(struct rf_conform *conform)
{
	struct context low = open_context(conform, RF_NODE_COPY, LOW);
	struct context high = open_context(conform, RF_NODE_COPY, HIGH);
	struct context beside = open_context(conform, RF_NODE_COPY, LOW);
	struct work works[] = { open_work(&low), open_work(&high) };
	struct rf_memory *cells = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	unsigned int i, unfinished = 0;

	for (i = 0; i < 24; i++) {
		submit_work(&low, &works[0]);
		rf_memory_write(cells, 0, &(uint64_t){ 0 }, 8);
		submit_counts(&beside, cells);
		if (i % 3)
			submit_work(&high, &works[1]);
		rfsim_step(conform->setup.world.simulation, 40 * i);
		RF_CHECK_EQUAL(conform, rf_hosted_sleep(conform->setup.world.hosted_device), 0,
			       "rf_hosted_sleep");
		stack_lose_power(conform);
		RF_CHECK_EQUAL(conform, rf_hosted_wake(conform->setup.world.hosted_device), 0,
			       "rf_hosted_wake");
		unfinished += status_of(&low).completed != low.submitted;
		finish(&low);
		finish(&high);
		finish(&beside);
		check_work(&low, &works[0]);
		if (i % 3)
			check_work(&high, &works[1]);
		check_counts(conform, cells);
		if (i % 8 == 0)
			open_context(conform, RF_NODE_COPY, LOW); /* paging goes on too */
	}
	RF_CHECK(conform, unfinished, "nothing was under way");
	rf_conform_note(conform, "%u of %u in the midst of work", unfinished, i);
}

/* The caps, as user mode and as the kernel learns them. */
static void caps_are_stated(struct rf_conform *conform)
{
	struct drm_ringfence_adapter_info info = { 0 };
	struct drm_ringfence_query query = {
		.type = DRM_RINGFENCE_QUERY_ADAPTER,
		.size = sizeof(info),
		.pointer = (uintptr_t)&info,
	};
	struct rf_queue *queue;
	uint64_t caps = ~0ull;
	size_t i;

	for (i = 0; rf_watch_find(RF_WATCH_QUERY, i); i++)
		if (rf_watch_find(RF_WATCH_QUERY, i)->value == RF_QUERY_DRIVER_CAPS)
			caps = rf_watch_find(RF_WATCH_QUERY, i)->extra;
	RF_CHECK(conform, caps & RF_VIDSCH_PREEMPTION_AWARE, "PreemptionAware");
	RF_CHECK(conform, caps & RF_VIDSCH_MULTI_ENGINE_AWARE, "MultiEngineAware");
	RF_CHECK_EQUAL(conform, rf_request(conform->setup.device, DRM_RINGFENCE_QUERY, &query), 0,
		       "query");
	RF_CHECK_EQUAL(conform, info.graphics_preemption, RF_GRAPHICS_PREEMPTION_NONE, "graphics");
	RF_CHECK_EQUAL(conform, info.compute_preemption,
		       RF_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY, "compute");
	/* the paging node is the kernel's */
	RF_CHECK_EQUAL(conform, info.node_count, RF_NODE_PAGING + 1, "nodes");
	RF_CHECK_EQUAL(conform,
		       rf_queue_create(conform->setup.device, RF_NODE_PAGING, 16, 0, &queue),
		       (uint64_t)-EOPNOTSUPP, "a user-mode queue on the paging node");
	RF_CHECK_EQUAL(
		conform,
		rf_queue_create(conform->setup.device, RF_NODE_PAGING, 0, RF_QUEUE_KERNEL, &queue),
		(uint64_t)-EACCES, "a kernel-mode queue on the paging node");
}

/* Contexts of both nodes take turns; more packets than a hardware queue holds. */
static void contexts_take_turns(struct rf_conform *conform)
{
	struct context contexts[4];
	struct work work[4];
	unsigned int i, round;

	for (i = 0; i < 4; i++) {
		contexts[i] = open_context(conform, RF_NODE_COPY, LOW);
		work[i] = open_work(&contexts[i]);
	}
	for (round = 0; round < 5; round++) {
		for (i = 0; i < 4; i++) {
			submit_work(&contexts[i], &work[i]);
			rfsim_step(conform->setup.world.simulation,
				   rf_conform_random(conform, 400));
		}
		for (i = 0; i < 4; i++) {
			finish(&contexts[i]);
			check_work(&contexts[i], &work[i]);
		}
	}
}

/*
 * More processes with contexts than the device has VMIDs, all with work, and one that wants
 * nothing but a queue of its own: no process keeps an address space from another.
 */
static void processes_share_a_node(struct rf_conform *conform)
{
	enum { PROCESSES = 18, ROUNDS = 3 };
	struct context contexts[PROCESSES];
	struct work work[PROCESSES], own;
	struct rf_device *modest = stack_process(conform);
	struct context recorder = { .conform = conform, .device = modest };
	unsigned int i, round;

	for (i = 0; i < PROCESSES; i++) {
		contexts[i] = open_context_of(conform, stack_process(conform), RF_NODE_COPY, LOW);
		work[i] = open_work(&contexts[i]);
		submit_work(&contexts[i], &work[i]);
	}
	RF_CHECK_EQUAL(conform, rf_queue_create(modest, RF_NODE_COPY, 16, 0, &recorder.recorder), 0,
		       "rf_queue_create");
	own = open_work(&recorder);
	for (round = 0; round < ROUNDS; round++) {
		struct rf_commands *commands = record(&recorder);

		rf_command_fill(commands, rf_memory_address(own.target), BYTES, round + 1);
		stack_submit(conform, commands);
		for (i = 0; i < PROCESSES; i++)
			if (round)
				submit_work(&contexts[i], &work[i]);
		RF_CHECK_EQUAL(conform, rf_queue_wait(recorder.recorder, 20 * SECOND), 0,
			       "the modest queue");
		rf_commands_destroy(commands);
		for (i = 0; i < PROCESSES; i++) {
			finish(&contexts[i]);
			check_work(&contexts[i], &work[i]);
		}
	}
	/* the process that ends, and the one that replaces it */
	for (i = 0; i < PROCESSES; i += 3) {
		rf_device_close(contexts[i].device);
		contexts[i] = open_context_of(conform, stack_process(conform), RF_NODE_COPY, LOW);
		work[i] = open_work(&contexts[i]);
		submit_work(&contexts[i], &work[i]);
		finish(&contexts[i]);
		check_work(&contexts[i], &work[i]);
	}
	for (i = 0; i < PROCESSES; i++)
		rf_device_close(contexts[i].device);
	rf_device_close(modest);
}

/* Each packet copies the counter that the one before, of another context, has written. */
static void packets_in_submission_order(struct rf_conform *conform)
{
	enum { COUNT = 40 };
	struct rf_memory *memory = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	uint64_t base = rf_memory_address(memory), value;
	struct rf_commands *commands;
	struct context contexts[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		contexts[i] = open_context(conform, RF_NODE_COPY, LOW);
	for (i = 0; i < COUNT; i++) {
		struct context *context = &contexts[rf_conform_random(conform, 3)];

		commands = record(context);
		rf_command_copy(commands, base + 8 * (i + 1), base, 8);
		rf_command_barrier(commands);
		rf_command_write(commands, base, i + 1);
		submit(context, commands);
		rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 60));
	}
	for (i = 0; i < 3; i++)
		finish(&contexts[i]);
	for (i = 0; i < COUNT; i++) {
		rf_memory_read(memory, 8 * (i + 1), &value, 8);
		RF_CHECK_EQUAL(conform, value, i, "counter that the packet found");
	}
}

/* What was told about preemption @index of this test. */
static void check_preemption(struct rf_conform *conform, size_t index)
{
	const struct rf_watch_note *asked = rf_watch_find(RF_WATCH_PREEMPT, index), *told = NULL;
	uint64_t last = 0;
	size_t i;

	for (i = 0; rf_watch_find(RF_WATCH_NOTIFY_DMA, i); i++) {
		told = rf_watch_find(RF_WATCH_NOTIFY_DMA, i);
		if (told->value == RF_INTERRUPT_DMA_PREEMPTED && told->address == asked->value)
			break;
		if (told->value == RF_INTERRUPT_DMA_COMPLETED && told->address > last)
			last = told->address;
		told = NULL;
	}
	RF_CHECK(conform, told, "no report of preemption %llu", (unsigned long long)asked->value);
	RF_CHECK_EQUAL(conform, told->extra, last, "last completed id");
}

/*
 * A long packet of low priority, and at any moment of it a short one of a high priority,
 * which is done long before the long one, and both come out right.
 */
static void high_priority_preempts(struct rf_conform *conform)
{
	struct context low = open_context(conform, RF_NODE_COPY, LOW);
	struct context high = open_context(conform, RF_NODE_COPY, HIGH);
	struct work work = open_work(&low), other = open_work(&low);
	struct rf_memory *cell = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	struct rf_commands *commands;
	unsigned int delay, midway = 0;
	size_t before, asked;
	uint64_t value;

	rf_watch_clear();
	for (delay = 0; delay < 3000; delay += 1 + (unsigned int)rf_conform_random(conform, 150)) {
		before = rf_watch_count(RF_WATCH_PREEMPT);
		submit_work(&low, &work);
		submit_work(&low, &other);
		rfsim_step(conform->setup.world.simulation, delay);
		commands = record(&high);
		rf_command_write(commands, rf_memory_address(cell), delay + 1);
		submit(&high, commands);
		rf_commands_destroy(commands);
		asked = rf_watch_count(RF_WATCH_PREEMPT);
		rfsim_step(conform->setup.world.simulation, 3000);
		rf_memory_read(cell, 0, &value, 8);
		RF_CHECK_EQUAL(conform, value, delay + 1, "the short packet after 3000 cycles");
		if (asked != before && status_of(&low).completed + 2 == low.submitted)
			midway++;
		finish(&high);
		finish(&low);
		check_work(&low, &work);
		check_work(&low, &other);
		for (; before < asked; before++)
			check_preemption(conform, before);
	}
	RF_CHECK(conform, midway > 10, "preempted in the midst only %u times", midway);
	rf_conform_note(conform, "%u times before the first packet was done", midway);
}

/* Preempted again and again, with packets of others between; ids new each time. */
static void preempted_again_and_again(struct rf_conform *conform)
{
	enum { LOWS = 4, ROUNDS = 60 };
	struct context low[LOWS], high = open_context(conform, RF_NODE_COPY, HIGH);
	struct rf_memory *cells[LOWS];
	struct work work[LOWS];
	struct rf_memory *cell = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	uint64_t last = 0, id, flags, resubmitted = 0;
	struct rf_commands *commands;
	unsigned int i, round;
	size_t n;

	for (i = 0; i < LOWS; i++) {
		low[i] = open_context(conform, RF_NODE_COPY, LOW);
		work[i] = open_work(&low[i]);
		cells[i] = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
		submit_work(&low[i], &work[i]);
		submit_counts(&low[i], cells[i]);
	}
	rf_watch_clear();
	for (round = 0; round < ROUNDS; round++) {
		commands = record(&high);
		rf_command_write(commands, rf_memory_address(cell), round);
		submit(&high, commands);
		rf_commands_destroy(commands);
		rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 900));
	}
	finish(&high);
	for (i = 0; i < LOWS; i++) {
		finish(&low[i]);
		check_work(&low[i], &work[i]);
		check_counts(conform, cells[i]);
	}
	for (n = 0; rf_watch_find(RF_WATCH_SUBMIT_COMMAND, n); n++) {
		id = rf_watch_find(RF_WATCH_SUBMIT_COMMAND, n)->value;
		flags = rf_watch_find(RF_WATCH_SUBMIT_COMMAND, n)->extra >> 32;
		RF_CHECK(conform, id > last, "id %llu after %llu", (unsigned long long)id,
			 (unsigned long long)last);
		last = id;
		resubmitted += !!(flags & RF_SUBMIT_RESUBMISSION);
	}
	RF_CHECK(conform, rf_watch_count(RF_WATCH_PREEMPT) > 10 && resubmitted > 20,
		 "%zu preemptions, %llu packets resubmitted", rf_watch_count(RF_WATCH_PREEMPT),
		 (unsigned long long)resubmitted);
	rf_conform_note(conform, "%zu preemptions, %llu packets resubmitted",
			rf_watch_count(RF_WATCH_PREEMPT), (unsigned long long)resubmitted);
}

/* A packet that waits for a fence delays no other, and waits again when it is back. */
static void waiting_packet_makes_way(struct rf_conform *conform)
{
	struct context low = open_context(conform, RF_NODE_COPY, LOW);
	struct context high = open_context(conform, RF_NODE_COPY, HIGH);
	struct rf_memory *cell = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_commands *commands = record(&low);
	uint64_t value;

	rf_command_wait(commands, fence, 5);
	rf_command_write(commands, rf_memory_address(cell), 1);
	submit(&low, commands);
	stack_settle(conform);
	commands = record(&high);
	rf_command_write(commands, rf_memory_address(cell) + 8, 2);
	submit(&high, commands);
	finish(&high);
	rf_memory_read(cell, 8, &value, 8);
	RF_CHECK_EQUAL(conform, value, 2, "what the other wrote");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 4), 0, "rf_fence_signal");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, status_of(&low).completed, 0, "released too early");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 5), 0, "rf_fence_signal");
	finish(&low);
	rf_memory_read(cell, 0, &value, 8);
	RF_CHECK_EQUAL(conform, value, 1, "what was behind the wait");
}

/*
 * A packet waits for a value that is never signalled: another process of the same priority has the node from
 * the second look of the watch on, again and again, and the waiting one goes on when it can.
 */
static void waiting_packet_lets_others_go(struct rf_conform *conform)
{
	struct context greedy = open_context(conform, RF_NODE_COPY, LOW);
	struct rf_device *modest = stack_process(conform);
	struct context other = open_context_of(conform, modest, RF_NODE_COPY, LOW);
	struct rf_memory *cell = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_commands *commands = record(&greedy);
	struct work work = open_work(&other);
	uint64_t now = 0, value;
	unsigned int round, looks;

	rf_command_wait(commands, fence, 1);
	rf_command_write(commands, rf_memory_address(cell), 7);
	submit(&greedy, commands);
	stack_settle(conform);
	for (round = 0; round < 4; round++) {
		submit_work(&other, &work);
		for (looks = 0; looks < 2; looks++) {
			stack_settle(conform);
			RF_CHECK_EQUAL(conform, status_of(&other).completed, round,
				       "packets before the second look");
			now += SECOND / 2;
			rf_hosted_watch_progress(conform->setup.world.hosted_device, now);
		}
		finish(&other);
		check_work(&other, &work);
		RF_CHECK_EQUAL(conform, status_of(&greedy).completed, 0, "the waiting packet");
	}
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 1), 0, "rf_fence_signal");
	finish(&greedy);
	rf_memory_read(cell, 0, &value, 8);
	RF_CHECK_EQUAL(conform, value, 7, "what was behind the wait");
	rf_device_close(modest);
}

/* A signal is a packet's like any other: each comes once, whatever preempts it. */
static void signals_once(struct rf_conform *conform)
{
	struct context low = open_context(conform, RF_NODE_COPY, LOW);
	struct context high = open_context(conform, RF_NODE_COPY, HIGH);
	struct work work = open_work(&low);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_commands *commands;
	struct rf_event *event;
	uint64_t signals, value;

	for (value = 1; value < 40; value++) {
		submit_work(&low, &work);
		event = stack_notify(conform, fence, value);
		signals = stack_counter(conform, RF_COUNTER_SIGNALS);
		commands = record(&low);
		rf_command_signal(commands, fence, value);
		submit(&low, commands);
		rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 4000));
		commands = record(&high);
		rf_command_nop(commands, 1);
		submit(&high, commands);
		finish(&low);
		finish(&high);
		RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
		RF_CHECK_EQUAL(conform, rf_fence_value(fence), value, "value");
		/* the fence, and the three packets' ids */
		RF_CHECK_EQUAL(conform, stack_counter(conform, RF_COUNTER_SIGNALS) - signals, 4,
			       "signals");
		check_work(&low, &work);
		rf_event_destroy(event);
	}
}

/*
 * Local memory runs out: what the driver keeps of contexts is moved to system memory by
 * the paging node, behind a switch to the null context, in the midst of their work.
 */
static void contexts_move_under_pressure(struct rf_conform *conform)
{
	struct context contexts[3];
	struct work work[3];
	struct rf_memory *taken[64];
	unsigned int i, n = 0;
	uint64_t bytes, flags;
	size_t null_switches = 0, transfers = 0, k;

	for (i = 0; i < 3; i++) {
		contexts[i] = open_context(conform, RF_NODE_COPY, LOW);
		work[i] = open_work(&contexts[i]);
		submit_work(&contexts[i], &work[i]);
		finish(&contexts[i]);
		submit_work(&contexts[i], &work[i]);
		submit_work(&contexts[i], &work[i]);
	}
	rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 2000));
	rf_watch_clear();
	for (bytes = 1ull << 30; bytes >= 4096; bytes /= 2)
		while (n < 64 &&
		       !rf_memory_create(conform->setup.device, bytes, RF_MEMORY_LOCAL, &taken[n]))
			n++;
	for (k = 0; rf_watch_find(RF_WATCH_SUBMIT_COMMAND, k); k++) {
		flags = rf_watch_find(RF_WATCH_SUBMIT_COMMAND, k)->extra >> 32;
		if (flags & RF_SUBMIT_CONTEXT_SWITCH) {
			null_switches++;
			RF_CHECK_EQUAL(conform,
				       (uint32_t)rf_watch_find(RF_WATCH_SUBMIT_COMMAND, k)->extra,
				       0, "size of a null-context switch");
		}
	}
	for (k = 0; rf_watch_find(RF_WATCH_BUILD_PAGING, k); k++)
		transfers += rf_watch_find(RF_WATCH_BUILD_PAGING, k)->value == RF_PAGING_TRANSFER;
	RF_CHECK(conform, null_switches >= 3, "%zu null-context switches", null_switches);
	RF_CHECK_EQUAL(conform, transfers, 3, "transfers");
	for (i = 0; i < 3; i++) {
		finish(&contexts[i]);
		check_work(&contexts[i], &work[i]);
	}
	/* and from where they are now */
	for (i = 0; i < 3; i++)
		submit_work(&contexts[i], &work[i]);
	for (i = 0; i < 3; i++) {
		finish(&contexts[i]);
		check_work(&contexts[i], &work[i]);
	}
}

/* A packet that fails takes its context with it, and no other. */
static void fault_is_of_one_context(struct rf_conform *conform)
{
	struct context bad = open_context(conform, RF_NODE_COPY, LOW);
	struct context good = open_context(conform, RF_NODE_COPY, LOW);
	struct drm_ringfence_queue_status status = { .handle = bad.handle };
	struct work work = open_work(&good), wasted = open_work(&bad);
	struct rf_commands *commands = record(&bad);

	submit_work(&good, &work);
	rf_command_write(commands, 0x7000000000, 1);
	submit(&bad, commands);
	submit_work(&bad, &wasted);
	submit_work(&good, &work);
	finish(&good);
	check_work(&good, &work);
	RF_CHECK_EQUAL(conform, rf_request(bad.device, DRM_RINGFENCE_QUEUE_STATUS, &status), 0,
		       "status");
	RF_CHECK_EQUAL(conform, status.error, RF_QUEUE_ERROR_TRANSLATION, "error");
	RF_CHECK_EQUAL(conform, status.error_address, 0x7000000000, "address");
	RF_CHECK_EQUAL(conform, status.completed, 0, "completed");
	submit_work(&good, &work);
	finish(&good);
	check_work(&good, &work);
}

/* Every slot has a queue in it, all of them at work: contexts get theirs, and give it back. */
static void slots_are_taken_from_queues(struct rf_conform *conform)
{
	struct rf_memory *cells = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_queue *queues[20];
	struct rf_commands *commands;
	struct context context;
	struct work work;
	unsigned int i;
	uint64_t value;

	for (i = 0; i < 20; i++) {
		queues[i] = stack_queue(conform, i % 2);
		commands = stack_commands(conform, queues[i]);
		rf_command_wait(commands, fence, 1);
		rf_command_write(commands, rf_memory_address(cells) + 8 * i, i + 1);
		stack_submit(conform, commands);
	}
	stack_settle(conform);
	context = open_context(conform, RF_NODE_COPY, LOW);
	work = open_work(&context);
	submit_work(&context, &work);
	finish(&context);
	check_work(&context, &work);
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 1), 0, "rf_fence_signal");
	for (i = 0; i < 20; i++) {
		RF_CHECK_EQUAL(conform, rf_queue_wait(queues[i], 60 * SECOND), 0, "rf_queue_wait");
		rf_memory_read(cells, 8 * i, &value, 8);
		RF_CHECK_EQUAL(conform, value, i + 1, "cell");
	}
}

/* --- render commands ----------------------------------------------------------------- */

#define STEPS 170u /* of the command: 64 bytes each, more than two DMA buffers */

/*
 * Step i copies word i - 1 to word i of the cells, then writes i to the counter: what one
 * part leaves undone or does twice is seen in all that follow. The commands have addresses
 * of their own, or patches for them.
 */
static void render_steps(struct context *context, struct rf_memory *cells, bool patched)
{
	static struct drm_ringfence_patch_location patches[3 * STEPS];
	struct rf_memory *memory = memory_of(context->conform, STEPS * 64, RF_MEMORY_SYSTEM);
	uint64_t base = patched ? 0 : rf_memory_address(cells);
	struct drm_ringfence_queue_render request = {
		.queue = context->handle,
		.memory = memory->handle,
		.size = STEPS * 64,
		.allocations = { .stride = 4, .count = 1, .array = (uintptr_t)&cells->handle },
		.patches = { .stride = sizeof(patches[0]),
			     .count = 3 * STEPS,
			     .array = (uintptr_t)patches },
	};
	uint64_t words[8];
	uint32_t i;

	for (i = 0; i < STEPS; i++) {
		words[0] = RF_OPCODE_COPY | 4 << 8;
		words[1] = base + 8 * (i + 1);
		words[2] = base + 8 * i;
		words[3] = 8;
		words[4] = RF_OPCODE_BARRIER | 1 << 8;
		words[5] = RF_OPCODE_WRITE | 3 << 8;
		words[6] = base + 8 * (STEPS + 1);
		words[7] = i + 1;
		rf_memory_write(memory, i * 64, words, 64);
		patches[3 * i] = (struct drm_ringfence_patch_location){
			.allocation = 1,
			.slot = 0,
			.patch_offset = i * 64 + 8,
			.allocation_offset = 8 * (i + 1),
		};
		patches[3 * i + 1] = (struct drm_ringfence_patch_location){
			.allocation = 1,
			.slot = 1,
			.patch_offset = i * 64 + 16,
			.allocation_offset = 8 * i,
		};
		patches[3 * i + 2] = (struct drm_ringfence_patch_location){
			.allocation = 1,
			.slot = 2,
			.patch_offset = i * 64 + 48,
			.allocation_offset = 8 * (STEPS + 1),
		};
	}
	if (!patched)
		request.patches.count = 0;
	RF_CHECK_EQUAL(context->conform,
		       rf_request(context->device, DRM_RINGFENCE_QUEUE_RENDER, &request), 0,
		       "QUEUE_RENDER");
	context->submitted = request.progress_value;
	rf_memory_destroy(memory); /* it was copied */
}

static void check_steps(struct rf_conform *conform, struct rf_memory *cells, uint64_t first)
{
	uint64_t value;
	uint32_t i;

	for (i = 0; i <= STEPS; i++) {
		rf_memory_read(cells, 8 * i, &value, 8);
		RF_CHECK_EQUAL(conform, value, first, "cell");
	}
	rf_memory_read(cells, 8 * (STEPS + 1), &value, 8);
	RF_CHECK_EQUAL(conform, value, STEPS, "steps");
}

/* Split commands of two contexts, and a third with a high priority between their parts. */
static void split_commands(struct rf_conform *conform, bool patched)
{
	struct context contexts[2], high = open_context(conform, RF_NODE_COPY, HIGH);
	struct rf_memory *cells[2], *cell = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	struct rf_commands *commands;
	unsigned int i, round;
	uint64_t first[2];

	for (i = 0; i < 2; i++) {
		contexts[i] = open_context(conform, RF_NODE_COPY, LOW);
		cells[i] = memory_of(conform, 8 * (STEPS + 2), RF_MEMORY_SYSTEM);
		first[i] = rf_conform_random(conform, 1ull << 60);
		rf_memory_write(cells[i], 0, &first[i], 8);
	}
	rf_watch_clear();
	for (i = 0; i < 2; i++)
		render_steps(&contexts[i], cells[i], patched);
	for (round = 0; round < 60; round++) {
		rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 600));
		commands = record(&high);
		rf_command_write(commands, rf_memory_address(cell), round);
		submit(&high, commands);
		rf_commands_destroy(commands);
	}
	finish(&high);
	for (i = 0; i < 2; i++) {
		finish(&contexts[i]);
		RF_CHECK(conform, contexts[i].submitted > 2, "only %llu parts",
			 (unsigned long long)contexts[i].submitted);
		check_steps(conform, cells[i], first[i]);
	}
}

static void split_and_patched(struct rf_conform *conform)
{
	size_t i;

	split_commands(conform, true);
	RF_CHECK(conform, rf_watch_count(RF_WATCH_PREEMPT) > 5, "nobody came between");
	RF_CHECK(conform, rf_watch_count(RF_WATCH_PATCH) == 6, "lists of patches");
	for (i = 0; rf_watch_find(RF_WATCH_PATCH, i); i++) {
		RF_CHECK(conform, rf_watch_find(RF_WATCH_PATCH, i)->value > 3, "an empty list");
		RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_PATCH, i)->extra, 3,
			       "slots that the driver unbinds");
	}
}

static void split_without_patches(struct rf_conform *conform)
{
	split_commands(conform, false);
	RF_CHECK(conform, rf_watch_count(RF_WATCH_PREEMPT) > 5, "nobody came between");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_PATCH), 0, "lists of patches");
}

/* The driver takes no part in preemption: the node is never asked to, and order is by age
 * once a packet is with the device. */
static void windows_7(struct rf_conform *conform)
{
	struct context low = open_context(conform, RF_NODE_COPY, LOW);
	struct context high = open_context(conform, RF_NODE_COPY, HIGH);
	struct work work = open_work(&low);
	struct rf_memory *cell = memory_of(conform, 4096, RF_MEMORY_SYSTEM);
	struct rf_commands *commands = record(&high);
	uint64_t value;

	RF_CHECK(conform, !(rf_watch_find(RF_WATCH_QUERY, 0)->extra & RF_VIDSCH_PREEMPTION_AWARE),
		 "PreemptionAware");
	submit_work(&low, &work);
	rfsim_step(conform->setup.world.simulation, 300);
	rf_command_write(commands, rf_memory_address(cell), 1);
	submit(&high, commands);
	while (!status_of(&low).completed) {
		rf_memory_read(cell, 0, &value, 8);
		RF_CHECK(conform, !value || status_of(&low).completed, "it did not wait");
		rfsim_step(conform->setup.world.simulation, 16);
	}
	finish(&low);
	finish(&high);
	check_work(&low, &work);
	rf_memory_read(cell, 0, &value, 8);
	RF_CHECK_EQUAL(conform, value, 1, "cell");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_PREEMPT), 0, "preemptions");
	split_commands(conform, true);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_PREEMPT), 0, "preemptions");
}

/*
 * Every stack test takes the kernel addresses of the two update functions away when these
 * return; here both are called often, for both places of MonitoredValue.
 */
static void addresses_end_with_the_call(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	size_t before = rf_watch_taken_away();
	struct rf_fence *fences[3];
	struct rf_event *event;
	uint64_t value;
	unsigned int i;

	for (i = 0; i < 3; i++)
		fences[i] = stack_fence(conform, 0, 0);
	rf_watch_clear();
	for (value = 1; value < 20; value++) {
		for (i = 0; i < 3; i++) {
			event = stack_notify(conform, fences[i], value);
			if (value % 2)
				stack_signal(conform, queue, fences[i], value);
			else
				RF_CHECK_EQUAL(conform, rf_fence_signal(fences[i], value), 0,
					       "rf_fence_signal");
			stack_settle(conform);
			RF_CHECK(conform, stack_is_set(event), "the waiter sleeps");
			rf_event_destroy(event);
		}
	}
	RF_CHECK(conform, rf_watch_count(RF_WATCH_UPDATE_MONITORED) > 50, "MonitoredValues");
	RF_CHECK(conform, rf_watch_count(RF_WATCH_UPDATE_CURRENT) > 20, "CurrentValues");
	RF_CHECK_EQUAL(conform, rf_watch_taken_away() - before,
		       rf_watch_count(RF_WATCH_UPDATE_MONITORED) +
			       rf_watch_count(RF_WATCH_UPDATE_CURRENT),
		       "addresses taken away");
}

#define STACK RF_CONFORM_STACK
#define SIM RF_CONFORM_SIM_ONLY

#define PORTABLE RF_CONFORM_PORTABLE

const struct rf_conform_test rf_conform_packet_tests[] = {
	{ "S4-7.caps_are_stated", "S4-6 S3-4", STACK, 0, caps_are_stated },
	{ "device.processes_share_a_node", NULL, STACK, SIM, processes_share_a_node },
	{ "device.contexts_take_turns", NULL, STACK, SIM, contexts_take_turns },
	{ "device.packets_in_submission_order", NULL, STACK, SIM, packets_in_submission_order },
	{ "S4-4.high_priority_preempts", "S4-14 S4-27 S4-28", STACK, SIM, high_priority_preempts },
	{ "S4-17.preempted_again_and_again", "S4-14 S4-22 S4-23 S4-27", STACK, SIM,
	  preempted_again_and_again },
	{ "S3-43.packets_go_on_after_d3", "S3-42", STACK, SIM, packets_go_on_after_d3 },
	{ "S4-26.waiting_packet_makes_way", NULL, STACK, SIM, waiting_packet_makes_way },
	{ "device.waiting_packet_lets_others_go", NULL, STACK, SIM, waiting_packet_lets_others_go },
	{ "S4-25.signals_once", NULL, STACK, SIM, signals_once },
	{ "S4-8.contexts_move_under_pressure", "S4-9 S4-11 S4-12", STACK, SIM,
	  contexts_move_under_pressure },
	{ "S4-19.split_and_patched", "S4-22 S4-23", STACK, SIM | RF_CONFORM_PATCHING,
	  split_and_patched },
	{ "S4-21.split_without_patches", "S4-22 S4-23", STACK, SIM, split_without_patches },
	{ "S4-5.windows_7", NULL, STACK, SIM | RF_CONFORM_WINDOWS7, windows_7 },
	{ "A-9.addresses_end_with_the_call", NULL, STACK, PORTABLE, addresses_end_with_the_call },
	{ "device.slots_are_taken_from_queues", NULL, STACK, SIM, slots_are_taken_from_queues },
	{ "device.fault_is_of_one_context", NULL, STACK, SIM, fault_is_of_one_context },
	{ 0 },
};
