// SPDX-License-Identifier: Apache-2.0
/*
 * Two linked devices, through the whole driver: a command is broadcast to both, and each splits, preempts
 * and resubmits it by itself (S4-24). DMA buffers are compared byte by byte, as the kernel has them.
 */
#include <string.h>

#include "base/adapter.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "hosted.h"
#include "kmd.h"
#include "ringfence_hw.h"
#include "two.h"

#define LOW 1
#define HIGH 9

/* --- calls of the second device's miniport; those of the first are watched ------------------------ */

static struct {
	unsigned int renders, preemptions, submissions, resubmissions;
	uint64_t last_id;
	bool ids_increase;
} second_calls;

static int second_render(void *h_adapter, struct rf_render *arguments)
{
	second_calls.renders++;
	return rf_ringfence_ddi.render(h_adapter, arguments);
}

static int second_preempt(void *h_adapter, const struct rf_preempt_command *arguments)
{
	second_calls.preemptions++;
	return rf_ringfence_ddi.preempt_command(h_adapter, arguments);
}

static int second_submit(void *h_adapter, const struct rf_submit_command *arguments)
{
	second_calls.submissions++;
	second_calls.resubmissions += !!(arguments->flags & RF_SUBMIT_RESUBMISSION);
	/* paging is another node's, with ids of its own */
	if (arguments->node_ordinal == RF_NODE_COPY) {
		second_calls.ids_increase &= arguments->submission_fence_id > second_calls.last_id;
		second_calls.last_id = arguments->submission_fence_id;
	}
	return rf_ringfence_ddi.submit_command(h_adapter, arguments);
}

/* --- the pair ------------------------------------------------------------------------------------ */

/* Step i copies word i to word i + 1 of the cells, then writes i + 1 behind them: 64 bytes each. */
#define STEPS 170u
#define PARTS 3u /* 64 steps go into a DMA buffer */
#define CELLS (STEPS + 2)

/**
 * struct linked - two linked devices
 * @devices: a process on each
 * @queues: of a low priority, for broadcasts
 * @high: of a high one, for others that come between
 * @cells: on each device its own, at one address
 * @words: of the others, on each device
 * @rounds: of others so far, on each device
 */
struct linked {
	struct rf_conform *conform;
	struct rf_device *devices[2];
	struct rf_hosted_device *second;
	struct rf_queue *queues[2], *high[2];
	struct rf_memory *cells[2];
	struct rf_memory *words[2];
	uint64_t rounds[2];
	uint64_t first[2];
};

static struct kmd_adapter *adapter_of(const struct linked *linked, unsigned int device)
{
	const struct rf_world *world = &linked->conform->setup.world;

	return device ? linked->second->adapter : world->hosted_device->adapter;
}

static struct rf_queue *packet_queue(struct linked *linked, unsigned int device, uint32_t priority)
{
	struct rf_conform *conform = linked->conform;
	struct rf_context *context;
	struct rf_queue *queue;

	RF_CHECK_EQUAL(conform,
		       rf_context_create(linked->devices[device], RF_NODE_COPY, priority, &context),
		       0, "rf_context_create");
	RF_CHECK_EQUAL(conform, rf_context_queue_create(context, 0, RF_QUEUE_PACKETS, &queue), 0,
		       "rf_context_queue_create");
	return queue;
}

static struct linked linked_new(struct rf_conform *conform)
{
	static struct rf_ddi ddi;
	struct linked linked = { .conform = conform, .devices = { conform->setup.device } };
	unsigned int i;

	memset(&second_calls, 0, sizeof(second_calls));
	second_calls.ids_increase = true;
	ddi = rf_ringfence_ddi;
	ddi.render = second_render;
	ddi.preempt_command = second_preempt;
	ddi.submit_command = second_submit;
	linked.devices[1] = two_add_device(conform, &ddi, &linked.second);
	RF_CHECK_EQUAL(conform, rf_device_link(linked.devices[0], linked.devices[1]), 0,
		       "rf_device_link");
	RF_CHECK_EQUAL(
		conform,
		rf_linked_memory_create(linked.devices, CELLS * 8, RF_MEMORY_SYSTEM, linked.cells),
		0, "rf_linked_memory_create");
	RF_CHECK_EQUAL(conform, rf_memory_address(linked.cells[0]),
		       rf_memory_address(linked.cells[1]), "address");
	for (i = 0; i < 2; i++) {
		linked.queues[i] = packet_queue(&linked, i, LOW);
		linked.high[i] = packet_queue(&linked, i, HIGH);
		RF_CHECK_EQUAL(conform,
			       rf_memory_create(linked.devices[i], 4096, RF_MEMORY_SYSTEM,
						&linked.words[i]),
			       0, "rf_memory_create");
	}
	rf_watch_clear();
	return linked;
}

static void linked_end(struct linked *linked)
{
	rf_device_close(linked->devices[1]);
}

/* Preemptions that a miniport was asked for so far. */
static size_t preemptions(unsigned int device)
{
	return device ? second_calls.preemptions : rf_watch_count(RF_WATCH_PREEMPT);
}

/* --- a command, and what it does -------------------------------------------------------------------- */

static struct rf_commands *record_steps(struct linked *linked)
{
	uint64_t base = rf_memory_address(linked->cells[0]);
	struct rf_commands *commands;
	unsigned int i;

	RF_CHECK_EQUAL(
		linked->conform,
		rf_commands_create(linked->queues[0], STEPS * 64, RF_MEMORY_SYSTEM, &commands), 0,
		"rf_commands_create");
	for (i = 0; i < STEPS; i++) {
		rf_command_copy(commands, base + 8 * (i + 1), base + 8 * i, 8);
		rf_command_barrier(commands);
		rf_command_write(commands, base + 8 * (STEPS + 1), i + 1);
	}
	RF_CHECK_EQUAL(linked->conform, commands->count, STEPS * 8, "words of the command");
	return commands;
}

/* Each device begins with a number of its own. */
static void fill_cells(struct linked *linked)
{
	static const uint64_t zero[CELLS];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		linked->first[i] = rf_conform_random(linked->conform, 1ull << 60);
		rf_memory_write(linked->cells[i], 0, zero, sizeof(zero));
		rf_memory_write(linked->cells[i], 0, &linked->first[i], 8);
	}
}

static void check_cells(struct linked *linked, unsigned int device)
{
	uint64_t cells[CELLS];
	unsigned int i;

	rf_memory_read(linked->cells[device], 0, cells, sizeof(cells));
	for (i = 0; i <= STEPS; i++)
		RF_CHECK_EQUAL(linked->conform, cells[i], linked->first[device], "cell");
	RF_CHECK_EQUAL(linked->conform, cells[STEPS + 1], STEPS, "steps done");
}

/* A packet of another context, of a higher priority, on one device. */
static void come_between(struct linked *linked, unsigned int device)
{
	struct rf_commands *commands = stack_commands(linked->conform, linked->high[device]);

	rf_command_write(commands, rf_memory_address(linked->words[device]),
			 ++linked->rounds[device]);
	stack_submit(linked->conform, commands);
	rf_commands_destroy(commands);
}

static void check_between(struct linked *linked, unsigned int device)
{
	uint64_t word;

	rf_memory_read(linked->words[device], 0, &word, 8);
	RF_CHECK_EQUAL(linked->conform, word, linked->rounds[device], "word of the other context");
}

/* --- DMA buffers ------------------------------------------------------------------------------------- */

#define BUFFER_BYTES 4096u

/* The DMA buffers of a broadcast, held, and what was in them when they were built. */
struct buffers {
	struct rf_mem *mem[PARTS];
	uint8_t bytes[PARTS][BUFFER_BYTES];
	unsigned int count;
};

/* Memory of the kernel's own in the process: DMA buffers, in the order in which they were built. */
static unsigned int buffers_of(const struct linked *linked, unsigned int device,
			       struct rf_mem *mem[PARTS])
{
	struct kmd_adapter *adapter = adapter_of(linked, device);
	struct kmd_file *file = rf_list_first(&adapter->files, struct kmd_file, link);
	struct kmd_memory *memory;
	unsigned int count = 0;

	rf_list_for_each(memory, &file->memories, link) {
		if (memory->handle || memory->charged)
			continue;
		RF_CHECK(linked->conform, count < PARTS, "more DMA buffers than parts");
		mem[count++] = memory->mem;
	}
	return count;
}

static void hold_buffers(struct linked *linked, const struct rf_commands *commands,
			 struct buffers *buffers)
{
	struct rf_conform *conform = linked->conform;
	struct rf_mem *other[PARTS];
	uint32_t left = commands->count * 8, offset = 0, bytes;
	unsigned int i;

	buffers->count = buffers_of(linked, 0, buffers->mem);
	RF_CHECK_EQUAL(conform, buffers->count, PARTS, "DMA buffers");
	RF_CHECK_EQUAL(conform, buffers_of(linked, 1, other), PARTS, "of the second device");
	for (i = 0; i < PARTS; i++) {
		/* the same bytes, and no copy of them */
		RF_CHECK(conform, buffers->mem[i]->cpu == other[i]->cpu, "buffer %u is a copy", i);
		rf_mem_get(buffers->mem[i]);
		memcpy(buffers->bytes[i], buffers->mem[i]->cpu, BUFFER_BYTES);
		bytes = left < BUFFER_BYTES ? left : BUFFER_BYTES;
		RF_CHECK(conform,
			 !memcmp(buffers->bytes[i], (const char *)commands->words + offset, bytes),
			 "buffer %u has other commands", i);
		offset += bytes;
		left -= bytes;
	}
	RF_CHECK_EQUAL(conform, left, 0, "bytes in no buffer");
}

static void check_buffers(struct linked *linked, const struct buffers *buffers)
{
	unsigned int i, k;

	for (i = 0; i < buffers->count; i++) {
		const uint8_t *now = buffers->mem[i]->cpu;

		for (k = 0; k < BUFFER_BYTES; k++)
			if (now[k] != buffers->bytes[i][k])
				rf_conform_fail(linked->conform, __FILE__, __LINE__,
						"byte %u of DMA buffer %u: 0x%x, was 0x%x", k, i,
						now[k], buffers->bytes[i][k]);
	}
}

static void release_buffers(struct buffers *buffers)
{
	unsigned int i;

	for (i = 0; i < buffers->count; i++)
		rf_mem_put(buffers->mem[i]);
}

/* --- tests ------------------------------------------------------------------------------------------- */

static void finish(struct linked *linked, unsigned int device)
{
	RF_CHECK_EQUAL(linked->conform, rf_queue_wait(linked->queues[device], 60 * SECOND), 0,
		       "rf_queue_wait");
	RF_CHECK_EQUAL(linked->conform, rf_queue_completed(linked->queues[device]),
		       rf_queue_submitted(linked->queues[device]), "completed");
}

/* Without any other work: the driver builds once, and both devices do the same. */
static void built_once(struct rf_conform *conform)
{
	struct linked linked = linked_new(conform);
	struct rf_commands *commands = record_steps(&linked);
	struct buffers buffers;
	unsigned int i;

	fill_cells(&linked);
	RF_CHECK_EQUAL(conform, rf_queue_broadcast(linked.queues[0], linked.queues[1], commands), 0,
		       "rf_queue_broadcast");
	for (i = 0; i < 2; i++)
		RF_CHECK_EQUAL(conform, rf_queue_submitted(linked.queues[i]), PARTS, "parts");
	hold_buffers(&linked, commands, &buffers);
	rf_commands_destroy(commands); /* they were copied */
	for (i = 0; i < 2; i++) {
		finish(&linked, i);
		check_cells(&linked, i);
	}
	check_buffers(&linked, &buffers);
	release_buffers(&buffers);
	RF_CHECK_EQUAL(conform, second_calls.renders, 0, "render calls of the second driver");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_PATCH), 0, "patch calls");
	RF_CHECK_EQUAL(conform, preemptions(0) + preemptions(1), 0, "preemptions");
	linked_end(&linked);
}

/* One broadcast; @on: bit d: device d is preempted, first after @delay cycles. */
static void broadcast_once(struct linked *linked, unsigned int on, uint64_t delay)
{
	struct rf_conform *conform = linked->conform;
	size_t before[2] = { preemptions(0), preemptions(1) };
	struct rf_commands *commands = record_steps(linked);
	struct buffers buffers;
	unsigned int i, round;

	fill_cells(linked);
	RF_CHECK_EQUAL(conform, rf_queue_broadcast(linked->queues[0], linked->queues[1], commands),
		       0, "rf_queue_broadcast");
	hold_buffers(linked, commands, &buffers);
	rf_commands_destroy(commands);
	rfsim_step(conform->setup.world.simulation, delay);
	for (round = 0; round < 6; round++) {
		for (i = 0; i < 2; i++) {
			if (!(on >> i & 1) || (round && rf_conform_random(conform, 4) == 0))
				continue;
			come_between(linked, i);
			rfsim_step(conform->setup.world.simulation,
				   rf_conform_random(conform, 200));
		}
		check_buffers(linked, &buffers);
		rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 1500));
		check_buffers(linked, &buffers);
	}
	for (i = 0; i < 2; i++) {
		finish(linked, i);
		RF_CHECK_EQUAL(conform, rf_queue_wait(linked->high[i], 60 * SECOND), 0, "others");
		check_cells(linked, i);
		check_between(linked, i);
		if (!(on >> i & 1))
			RF_CHECK_EQUAL(conform, preemptions(i) - before[i], 0,
				       "preemptions of the other device");
	}
	check_buffers(linked, &buffers);
	release_buffers(&buffers);
}

/* At each of many moments, on the one device, on the other one, and on both. */
static void preempted_on_each(struct rf_conform *conform)
{
	struct linked linked = linked_new(conform);
	unsigned int on, count = 0, i;
	uint64_t delay;
	size_t before[2];

	for (on = 1; on <= 3; on++) {
		for (i = 0; i < 2; i++)
			before[i] = preemptions(i);
		for (delay = 0; delay < 6000; delay += 300 + rf_conform_random(conform, 300)) {
			broadcast_once(&linked, on, delay);
			count++;
		}
		for (i = 0; i < 2; i++)
			if (on >> i & 1)
				RF_CHECK(conform, preemptions(i) - before[i] > 10,
					 "device %u: only %zu preemptions", i,
					 preemptions(i) - before[i]);
	}
	RF_CHECK(conform, second_calls.resubmissions > 20, "only %u packets came again",
		 second_calls.resubmissions);
	RF_CHECK(conform, second_calls.ids_increase, "ids of the second device");
	RF_CHECK_EQUAL(conform, second_calls.renders, 0, "render calls of the second driver");
	rf_conform_note(conform, "%u broadcasts, %zu and %zu preemptions", count, preemptions(0),
			preemptions(1));
	linked_end(&linked);
}

/* Two broadcasts at a time, from either side, and the devices far apart in their work. */
static void from_both_sides(struct rf_conform *conform)
{
	struct linked linked = linked_new(conform);
	struct rf_commands *commands[2];
	struct rf_memory *cells[2];
	uint64_t base, word;
	unsigned int i;

	RF_CHECK_EQUAL(conform,
		       rf_linked_memory_create(linked.devices, 8 * 4096, RF_MEMORY_LOCAL, cells), 0,
		       "rf_linked_memory_create");
	base = rf_memory_address(cells[0]);
	for (i = 0; i < 2; i++) {
		commands[i] = stack_commands(conform, linked.queues[i]);
		rf_command_fill(commands[i], base + i * 8192, 8192,
				0x1111111111111111ull * (i + 1));
		RF_CHECK_EQUAL(conform,
			       rf_queue_broadcast(linked.queues[i], linked.queues[!i], commands[i]),
			       0, "rf_queue_broadcast");
		come_between(&linked, i);
		rfsim_step(conform->setup.world.simulation, 100);
	}
	for (i = 0; i < 2; i++)
		finish(&linked, i);
	for (i = 0; i < 4; i++) {
		rf_memory_read(cells[i / 2], i % 2 * 8192 + 8184, &word, 8);
		RF_CHECK_EQUAL(conform, word, 0x1111111111111111ull * (i % 2 + 1), "fill");
	}
	linked_end(&linked);
}

/* One device is lost, or its process ends, in the midst of a broadcast: the other one completes it. */
static void other_goes_on(struct rf_conform *conform)
{
	struct linked linked;
	struct rf_commands *commands;
	struct buffers buffers;
	unsigned int lost, unfinished = 0;

	/* with one that is not lost the first device would stay linked */
	for (lost = 2; lost--;) {
		linked = linked_new(conform);
		commands = record_steps(&linked);
		fill_cells(&linked);
		RF_CHECK_EQUAL(conform,
			       rf_queue_broadcast(linked.queues[0], linked.queues[1], commands), 0,
			       "rf_queue_broadcast");
		hold_buffers(&linked, commands, &buffers);
		rfsim_step(conform->setup.world.simulation, 1000);
		unfinished += rf_queue_completed(linked.queues[1]) < PARTS;
		if (lost)
			kmd_adapter_notify_removal(adapter_of(&linked, 1));
		else
			linked_end(&linked);
		finish(&linked, 0);
		check_cells(&linked, 0);
		check_buffers(&linked, &buffers);
		release_buffers(&buffers);
		if (lost) {
			RF_CHECK_EQUAL(
				conform,
				rf_queue_broadcast(linked.queues[0], linked.queues[1], commands),
				(uint64_t)-ENOLINK, "a broadcast to a lost device");
			linked_end(&linked);
		}
		rf_commands_destroy(commands);
	}
	RF_CHECK_EQUAL(conform, unfinished, 2, "broadcasts in the midst of work");
}

/* --- a fence that one of the two writes ----------------------------------------------------------------- */

#define SIGNALS 200u /* twice around a log, and more */

struct events {
	struct rf_log_entry entries[4 * SIGNALS];
	unsigned int count, lost;
};

static void on_event(void *argument, const struct kmd_log_event *event)
{
	struct events *events = argument;

	if (event->type != RF_LOG_TYPE_SIGNALS)
		return;
	if (event->lost)
		events->lost++;
	else if (events->count < sizeof(events->entries) / sizeof(events->entries[0]))
		events->entries[events->count++] = *event->entry;
}

/* Read what is in the logs of the second device: a CPU waits for a value that comes. */
static void read_logs(struct linked *linked, struct rf_queue *queue, struct rf_fence *fence,
		      uint64_t value)
{
	struct rf_event *event = stack_notify(linked->conform, fence, value);

	stack_signal(linked->conform, queue, fence, value);
	RF_CHECK_EQUAL(linked->conform, rf_queue_wait(queue, 60 * SECOND), 0, "rf_queue_wait");
	stack_settle(linked->conform);
	RF_CHECK(linked->conform, stack_is_set(event), "the waiter sleeps");
	rf_event_destroy(event);
}

/*
 * The first device writes a fence of both; the second one skips the write, and logs it with the time 0
 * between signals of its own. The log begins to be traced in the midst, and wraps.
 */
static void skipped_write_is_logged(struct rf_conform *conform)
{
	struct linked linked = linked_new(conform);
	struct kmd_adapter *adapter = adapter_of(&linked, 1);
	struct rf_fence *fences[2], *own;
	struct rf_queue *queues[2];
	struct kmd_statistics statistics;
	static struct events events;
	struct rf_commands *commands;
	uint64_t i, time, skipped = 0, last = 0;

	memset(&events, 0, sizeof(events));
	fences[0] = two_make_fence(conform, linked.devices[0], RF_FENCE_DEFAULT, 0);
	fences[1] = two_open_fence(conform, linked.devices[1], fences[0]);
	RF_CHECK_EQUAL(conform, rf_fence_create(linked.devices[1], RF_FENCE_DEFAULT, 0, 0, &own), 0,
		       "rf_fence_create");
	for (i = 0; i < 2; i++)
		RF_CHECK_EQUAL(
			conform,
			rf_queue_create(linked.devices[i], RF_ENGINE_COPY, 16, 0, &queues[i]), 0,
			"rf_queue_create");
	for (i = 1; i <= SIGNALS; i++) {
		if (i == 50)
			kmd_adapter_trace(adapter, on_event, &events);
		stack_signal(conform, queues[0], fences[0], i);
		commands = stack_commands(conform, queues[1]);
		rf_command_signal_skipped(commands, fences[1], i);
		rf_command_signal(commands, own, i);
		stack_submit(conform, commands);
		RF_CHECK_EQUAL(conform, rf_queue_wait(queues[1], 60 * SECOND), 0, "rf_queue_wait");
		rf_commands_destroy(commands);
		RF_CHECK_EQUAL(conform, rf_queue_wait(queues[0], 60 * SECOND), 0, "rf_queue_wait");
	}
	RF_CHECK_EQUAL(conform, rf_fence_value(fences[1]), SIGNALS, "value that the first wrote");
	read_logs(&linked, queues[1], own, SIGNALS + 1);
	RF_CHECK(conform, events.count > 2 * (SIGNALS - 50), "only %u entries", events.count);
	for (i = 0; i < events.count; i++) {
		time = events.entries[i].fence_end_gpu_timestamp;
		if (events.entries[i].fence_handle == fences[1]->handle) {
			RF_CHECK_EQUAL(conform, time, 0, "time of a write that was skipped");
			skipped++;
			continue;
		}
		RF_CHECK_EQUAL(conform, events.entries[i].fence_handle, own->handle, "handle");
		RF_CHECK(conform, time && time >= last, "the time goes back at entry %llu",
			 (unsigned long long)i);
		last = time;
	}
	RF_CHECK(conform, skipped > SIGNALS - 50, "only %llu skipped", (unsigned long long)skipped);
	kmd_adapter_statistics(adapter, &statistics);
	RF_CHECK_EQUAL(conform, statistics.log_refused, 0, "entries refused");

	/* now an entry with a time, but an old one */
	commands = stack_commands(conform, queues[1]);
	rf_command_signal_skipped(commands, fences[1], 77);
	commands->words[commands->count - 1] = 1;
	stack_submit(conform, commands);
	i = events.count;
	read_logs(&linked, queues[1], own, SIGNALS + 2);
	kmd_adapter_statistics(adapter, &statistics);
	RF_CHECK_EQUAL(conform, statistics.log_refused, 1, "entries refused");
	RF_CHECK_EQUAL(conform, events.count, i + 1, "entries reported");
	RF_CHECK_EQUAL(conform, events.lost, 0, "overruns");
	kmd_adapter_trace(adapter, NULL, NULL);
	rf_conform_note(conform, "%llu entries without a time", (unsigned long long)skipped);
	linked_end(&linked);
}

/* --- what is refused -------------------------------------------------------------------------------------- */

static void links_are_checked(struct rf_conform *conform)
{
	struct linked linked = linked_new(conform);
	struct rf_hosted_device *hosted;
	struct rf_device *third = two_add_device(conform, NULL, &hosted);
	struct rf_device *again = stack_process(conform);
	struct rf_memory *memories[2];
	struct rf_device *strangers[2] = { linked.devices[0], third };
	struct rf_commands *commands = record_steps(&linked);
	struct rf_queue *queue;

	RF_CHECK_EQUAL(conform, rf_device_link(third, linked.devices[0]), (uint64_t)-EBUSY,
		       "a third device");
	RF_CHECK_EQUAL(conform, rf_device_link(third, again), (uint64_t)-EBUSY,
		       "a third device, and another process");
	RF_CHECK_EQUAL(conform, rf_device_link(again, again), (uint64_t)-EINVAL, "with itself");
	RF_CHECK_EQUAL(conform, rf_linked_memory_create(strangers, 4096, 0, memories),
		       (uint64_t)-ENOLINK, "memory of devices that are not linked");
	RF_CHECK_EQUAL(conform, rf_queue_create(third, RF_NODE_COPY, 0, RF_QUEUE_PACKETS, &queue),
		       0, "rf_queue_create");
	RF_CHECK_EQUAL(conform, rf_queue_broadcast(linked.queues[0], queue, commands),
		       (uint64_t)-ENOLINK, "a broadcast to a third device");
	RF_CHECK_EQUAL(
		conform,
		rf_queue_create(linked.devices[1], RF_NODE_COMPUTE, 0, RF_QUEUE_PACKETS, &queue), 0,
		"rf_queue_create");
	RF_CHECK_EQUAL(conform, rf_queue_broadcast(linked.queues[0], queue, commands),
		       (uint64_t)-EINVAL, "a broadcast to another node");
	RF_CHECK_EQUAL(conform, rf_queue_submitted(linked.queues[0]), 0, "submitted");
	rf_device_close(again);
	rf_device_close(third);
	linked_end(&linked);
}

/* A driver that patches addresses would have to write to the buffer for each device. */
static void patching_is_not_linked(struct rf_conform *conform)
{
	struct rf_hosted_device *hosted;
	struct rf_device *other = two_add_device(conform, NULL, &hosted);

	RF_CHECK_EQUAL(conform, rf_device_link(conform->setup.device, other), (uint64_t)-EOPNOTSUPP,
		       "rf_device_link");
	RF_CHECK_EQUAL(conform, rf_device_link(other, conform->setup.device), (uint64_t)-EOPNOTSUPP,
		       "rf_device_link");
	rf_device_close(other);
}

#define STACK RF_CONFORM_STACK
#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_linked_tests[] = {
	{ "S4-24.built_once", NULL, STACK, SIM, built_once },
	{ "S4-24.preempted_on_each", "S4-14 S4-17 S4-22 S4-23 S4-27", STACK, SIM,
	  preempted_on_each },
	{ "S4-24.from_both_sides", NULL, STACK, SIM, from_both_sides },
	{ "S4-24.other_goes_on", NULL, STACK, SIM, other_goes_on },
	{ "S4-24.links_are_checked", NULL, STACK, SIM, links_are_checked },
	{ "S4-24.patching_is_not_linked", NULL, STACK, SIM | RF_CONFORM_PATCHING,
	  patching_is_not_linked },
	{ "S0-121.skipped_write_is_logged", NULL, STACK, SIM, skipped_write_is_logged },
	{ 0 },
};
