// SPDX-License-Identifier: Apache-2.0
/*
 * More queues than slots, and contexts that are suspended, through the whole driver.
 */
#include <string.h>

#include "base/adapter.h"
#include "scheduling/schedule.h"
#include "base/file.h"
#include "hosted.h"
#include "stack.h"

#define SLOTS 16 /* of the largest device */

static struct kmd_adapter *adapter_of(struct rf_conform *conform)
{
	return conform->setup.world.hosted_device->adapter;
}

static unsigned int slots(struct rf_conform *conform)
{
	return adapter_of(conform)->caps.hw_queue_slots;
}

static struct kmd_statistics statistics(struct rf_conform *conform)
{
	struct kmd_statistics statistics;

	kmd_adapter_statistics(adapter_of(conform), &statistics);
	return statistics;
}

/* --- work that is checked ------------------------------------------------------------------ */

#define ROUNDS 3
#define BYTES 512u
#define RING 16

/* A queue of some process. */
struct worker {
	struct rf_device *device;
	struct rf_queue *queue;
	struct rf_memory *memory; /* source, target of copies; of compute queues a counter */
	struct rf_commands *commands[RING]; /* those in flight must not change */
	uint32_t node;
	bool adds; /* its node has the vector engine: a counter that is added to, else written */
	uint32_t rounds;
	unsigned int filler; /* operations of no interest in each round */
};

static void worker_open(struct rf_conform *conform, struct worker *worker, struct rf_device *device,
			uint32_t node, struct rf_context *context, uint32_t flags)
{
	struct rf_device_info info;

	rf_device_info(device, &info);
	*worker = (struct worker){ .device = device, .node = node, .adds = info.vector_engine };
	if (context)
		RF_CHECK_EQUAL(conform,
			       rf_context_queue_create(context, RING, flags, &worker->queue), 0,
			       "rf_context_queue_create");
	else
		RF_CHECK_EQUAL(conform, rf_queue_create(device, node, RING, flags, &worker->queue),
			       0, "rf_queue_create");
	RF_CHECK_EQUAL(conform, rf_memory_create(device, 4096, 0, &worker->memory), 0,
		       "rf_memory_create");
}

/* The commands of the next round, still without any. */
static struct rf_commands *worker_commands(struct rf_conform *conform, struct worker *worker)
{
	struct rf_commands **commands = &worker->commands[worker->rounds % RING];

	if (*commands)
		rf_commands_reset(*commands);
	else
		RF_CHECK_EQUAL(conform, rf_commands_create(worker->queue, 4000, 0, commands), 0,
			       "rf_commands_create");
	return *commands;
}

static void record_filler(const struct worker *worker, struct rf_commands *commands)
{
	const uint64_t address = rf_memory_address(worker->memory) + 2048;
	unsigned int i;

	if (worker->adds)
		rf_command_vector(commands, RF_VECTOR_MAX, address, address, address, 256);
	for (i = 0; i < 16 && !worker->adds; i++)
		rf_command_write(commands, address, i);
}

/* One round more; a copy's source changes with each. */
static void record_round(struct worker *worker, struct rf_commands *commands)
{
	const uint64_t address = rf_memory_address(worker->memory);
	uint32_t *words = rf_memory_map(worker->memory);
	unsigned int i;

	worker->rounds++;
	for (i = 0; i < worker->filler; i++)
		record_filler(worker, commands);
	if (worker->node == RF_ENGINE_COPY) {
		for (i = 0; i < BYTES / 4; i++)
			words[i] = worker->rounds * 1000 + i;
		rf_command_copy(commands, address + 2048, address, BYTES);
	} else if (worker->adds) {
		rf_command_vector(commands, RF_VECTOR_AXPB, address, address, 3ull << 32 | 1,
				  BYTES / 4);
	} else {
		for (i = 0; i < BYTES / 8; i++)
			rf_command_write(commands, address + i * 8, worker->rounds * 0x300000003);
	}
}

static void worker_submit(struct rf_conform *conform, struct worker *worker)
{
	struct rf_commands *commands = worker_commands(conform, worker);

	record_round(worker, commands);
	stack_submit(conform, commands);
}

static bool worker_is_right(const struct worker *worker)
{
	const volatile uint32_t *words = rf_memory_map(worker->memory);
	unsigned int i;

	for (i = 0; i < BYTES / 4; i++)
		if (worker->node == RF_ENGINE_COMPUTE ? words[i] != worker->rounds * 3
						      : words[512 + i] != worker->rounds * 1000 + i)
			return false;
	return true;
}

static void worker_finish(struct rf_conform *conform, struct worker *worker)
{
	uint64_t address;
	uint32_t error;

	RF_CHECK_EQUAL(conform, rf_queue_wait(worker->queue, 100 * SECOND), 0, "rf_queue_wait");
	RF_CHECK_EQUAL(conform, rf_queue_status(worker->queue, &error, &address), 0, "status");
	RF_CHECK(conform, worker_is_right(worker), "the result is wrong after round %u",
		 worker->rounds);
}

/* --- more queues than slots ------------------------------------------------------------------ */

#define PROCESSES 32
#define QUEUES 8 /* of each */

/* Each has work in each round; 16 are resident, 8 have a doorbell, 15 processes a VMID. */
static void many_queues_of_many_processes(struct rf_conform *conform)
{
	static struct worker workers[PROCESSES][QUEUES];
	struct rf_device *devices[PROCESSES];
	struct kmd_statistics end;
	unsigned int p, q, round;

	for (p = 0; p < PROCESSES; p++) {
		devices[p] = p ? stack_process(conform) : conform->setup.device;
		for (q = 0; q < QUEUES; q++)
			worker_open(conform, &workers[p][q], devices[p], q % 2, NULL, 0);
	}
	for (round = 0; round < ROUNDS; round++) {
		for (q = 0; q < QUEUES; q++)
			for (p = 0; p < PROCESSES; p++)
				worker_submit(conform, &workers[p][q]);
		for (p = 0; p < PROCESSES; p++)
			for (q = 0; q < QUEUES; q++)
				worker_finish(conform, &workers[p][q]);
	}
	if (conform->setup.world.hosted_device) {
		end = statistics(conform);
		RF_CHECK(conform, end.residences >= PROCESSES * QUEUES, "%llu times made resident",
			 (unsigned long long)end.residences);
		rf_conform_note(conform, "%u queues, %llu residences", PROCESSES * QUEUES,
				(unsigned long long)end.residences);
	}
	for (p = 1; p < PROCESSES; p++)
		rf_device_close(devices[p]);
}

/* All slots hold waiting queues; the signaller has no slot. */
static void waiters_fill_every_slot(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct worker waiters[SLOTS], signaller;
	struct kmd_statistics before;
	struct rf_commands *commands;
	unsigned int i, count = slots(conform);

	for (i = 0; i < count; i++) {
		worker_open(conform, &waiters[i], conform->setup.device, i % 2, NULL, 0);
		commands = worker_commands(conform, &waiters[i]);
		rf_command_wait(commands, fence, i < count / 2 ? 1 : 2);
		rf_command_write(commands, rf_memory_address(waiters[i].memory), 7);
		stack_submit(conform, commands);
	}
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, adapter_of(conform)->scheduler->residents, count, "residents");
	before = statistics(conform);
	worker_open(conform, &signaller, conform->setup.device, RF_ENGINE_COMPUTE, NULL, 0);
	stack_signal(conform, signaller.queue, fence, 1);
	RF_CHECK_EQUAL(conform, rf_queue_wait(signaller.queue, 20 * SECOND), 0, "the signaller");
	for (i = 0; i < count / 2; i++)
		RF_CHECK_EQUAL(conform, rf_queue_wait(waiters[i].queue, 20 * SECOND), 0,
			       "a waiter for 1");
	RF_CHECK(conform, statistics(conform).evictions > before.evictions, "nobody was evicted");
	for (i = count / 2; i < count; i++)
		RF_CHECK_EQUAL(conform, rf_queue_completed(waiters[i].queue), 0, "one for 2");
	/* those that the device holds and those that the kernel holds */
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 2), 0, "rf_fence_signal");
	for (i = count / 2; i < count; i++)
		RF_CHECK_EQUAL(conform, rf_queue_wait(waiters[i].queue, 20 * SECOND), 0,
			       "a waiter for 2");
	for (i = 0; i < count; i++)
		RF_CHECK_EQUAL(conform, *(uint64_t *)rf_memory_map(waiters[i].memory), 7,
			       "what it wrote");
}

/* As many as there are slots never stop; the others get their turn. */
static void nobody_starves_outside(struct rf_conform *conform)
{
	struct worker busy[SLOTS], late[4];
	unsigned int i, j, count = slots(conform);

	for (i = 0; i < count; i++) {
		worker_open(conform, &busy[i], conform->setup.device, RF_ENGINE_COMPUTE, NULL, 0);
		busy[i].filler = 5;
		for (j = 0; j < 4; j++)
			worker_submit(conform, &busy[i]);
	}
	for (i = 0; i < 4; i++) {
		worker_open(conform, &late[i], conform->setup.device, i % 2, NULL, 0);
		worker_submit(conform, &late[i]);
	}
	for (i = 0; i < 4; i++) {
		worker_finish(conform, &late[i]);
		RF_CHECK(conform, rf_queue_completed(busy[0].queue) < 4, "it waited to the end");
	}
	for (i = 0; i < count; i++)
		worker_finish(conform, &busy[i]);
}

/* Of two that are due, the higher band comes in first; the lowest makes room. */
static void bands_decide_who_is_resident(struct rf_conform *conform)
{
	struct rf_context *high, *low;
	struct worker busy[SLOTS], late, urgent;
	unsigned int i, j, count = slots(conform);

	RF_CHECK_EQUAL(conform,
		       rf_context_create(conform->setup.device, RF_ENGINE_COMPUTE, 9, &high), 0,
		       "rf_context_create");
	RF_CHECK_EQUAL(conform,
		       rf_context_create(conform->setup.device, RF_ENGINE_COMPUTE, 2, &low), 0,
		       "rf_context_create");
	for (i = 0; i < count; i++) {
		worker_open(conform, &busy[i], conform->setup.device, RF_ENGINE_COMPUTE, low, 0);
		busy[i].filler = 5;
		for (j = 0; j < 4; j++)
			worker_submit(conform, &busy[i]);
	}
	worker_open(conform, &late, conform->setup.device, RF_ENGINE_COMPUTE, NULL, 0); /* band 0 */
	worker_submit(conform, &late);
	worker_open(conform, &urgent, conform->setup.device, RF_ENGINE_COMPUTE, high, 0);
	worker_submit(conform, &urgent);
	worker_finish(conform, &urgent);
	for (i = 0; i < count; i++)
		RF_CHECK(conform, rf_queue_completed(busy[i].queue) < 4,
			 "it waited for a lower band");
	RF_CHECK_EQUAL(conform, rf_queue_completed(late.queue), 0, "the lowest band");
	for (i = 0; i < count; i++)
		worker_finish(conform, &busy[i]);
	worker_finish(conform, &late);
}

/* --- the global doorbell ---------------------------------------------------------------------- */

/* More objects than there are doorbells, all connected to the same, and none is a victim. */
static void objects_share_the_global_doorbell(struct rf_conform *conform)
{
	const struct rf_watch_note *connect, *first = NULL;
	struct worker workers[SLOTS];
	unsigned int i, j;

	for (i = 0; i < SLOTS; i++) {
		worker_open(conform, &workers[i], conform->setup.device, i % 2, NULL, 0);
		worker_submit(conform, &workers[i]);
		connect = rf_watch_find(RF_WATCH_CONNECT_DOORBELL, i);
		RF_CHECK(conform, connect, "the driver was not asked");
		first = rf_watch_find(RF_WATCH_CONNECT_DOORBELL, 0);
		RF_CHECK_EQUAL(conform, connect->address, first->address, "offset of the doorbell");
		for (j = 0; j < i; j++)
			RF_CHECK(conform, workers[j].queue->token != workers[i].queue->token,
				 "two queues with one token");
	}
	for (j = 0; j < ROUNDS; j++)
		for (i = 0; i < SLOTS; i++) {
			worker_finish(conform, &workers[i]);
			worker_submit(conform, &workers[i]);
		}
	for (i = 0; i < SLOTS; i++) {
		worker_finish(conform, &workers[i]);
		RF_CHECK_EQUAL(conform, *workers[i].queue->status, RF_DOORBELL_CONNECTED, "status");
	}
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_DISCONNECT_CALLBACK), 0, "victims");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_CONNECT_DOORBELL), SLOTS, "connections");
}

#define CROWD 40u

/* Rings for queues that are out, several at a time. */
static void global_rings_of_queues_without_slots(struct rf_conform *conform)
{
	static struct worker workers[CROWD];
	unsigned int i, round;

	for (i = 0; i < CROWD; i++)
		worker_open(conform, &workers[i], conform->setup.device, i % 2, NULL, 0);
	for (round = 0; round < 5; round++) {
		for (i = 0; i < CROWD; i++)
			worker_submit(conform, &workers[(i * 7 + round) % CROWD]);
		for (i = 0; i < CROWD; i++)
			worker_finish(conform, &workers[i]);
	}
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_DISCONNECT_CALLBACK), 0, "victims");
	RF_CHECK(conform, statistics(conform).evictions, "nobody was evicted");
}

/* --- suspension ------------------------------------------------------------------------------ */

static struct kmd_file *file_of(struct rf_conform *conform)
{
	return rf_list_first(&adapter_of(conform)->files, struct kmd_file, link);
}

static void suspend(struct rf_conform *conform, struct rf_context *context)
{
	RF_CHECK_EQUAL(conform, kmd_context_suspend(file_of(conform), context->handle), 0,
		       "suspension");
}

static void resume(struct rf_conform *conform, struct rf_context *context)
{
	RF_CHECK_EQUAL(conform, kmd_context_resume(file_of(conform), context->handle), 0,
		       "resumption");
}

static struct rf_context *context_open(struct rf_conform *conform, uint32_t node)
{
	struct rf_context *context;

	RF_CHECK_EQUAL(conform, rf_context_create(conform->setup.device, node, 1, &context), 0,
		       "rf_context_create");
	return context;
}

static uint64_t status_of(const struct worker *worker)
{
	return __atomic_load_n(worker->queue->status, __ATOMIC_ACQUIRE);
}

/* Of the reports since the notes were cleared: how many queues left before the completion. */
static unsigned int preempted_before_completion(void)
{
	const struct rf_watch_note *note;
	unsigned int i, preempted = 0;

	for (i = 0; (note = rf_watch_find(RF_WATCH_NOTIFY, i)); i++) {
		if (note->value == RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED)
			return preempted;
		preempted += note->value == RF_INTERRUPT_HWQUEUE_PREEMPTED;
	}
	return 0;
}

#define LARGE (64u << 10)

/*
 * Suspended in the midst of work: nothing of it moves, what is rung waits, others go on. The
 * queue that is idle is out long before the other one.
 */
static void suspended_context_stands_still(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COPY);
	struct worker worker, second, other;
	struct rf_commands *commands;
	struct rf_memory *large;
	const uint8_t *target;
	uint64_t offset, before;
	struct rf_mem *ring;
	unsigned int i;

	RF_CHECK_EQUAL(conform, rf_memory_create(conform->setup.device, 2 * LARGE, 0, &large), 0,
		       "rf_memory_create");
	memset(rf_memory_map(large), 0xff, LARGE);
	target = (const uint8_t *)rf_memory_map(large) + LARGE;
	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COPY, context, 0);
	worker_open(conform, &second, conform->setup.device, RF_ENGINE_COPY, context, 0);
	worker_open(conform, &other, conform->setup.device, RF_ENGINE_COPY, NULL, 0);
	worker_submit(conform, &second);
	worker_finish(conform, &second);
	commands = stack_commands(conform, worker.queue);
	rf_command_copy(commands, rf_memory_address(large) + LARGE, rf_memory_address(large),
			LARGE);
	stack_submit(conform, commands);
	rfsim_step(conform->setup.world.simulation, 2000);
	rf_watch_clear();
	suspend(conform, context);
	RF_CHECK_EQUAL(conform, preempted_before_completion(), 2, "queues out at the completion");
	for (before = 0; before < LARGE && target[before]; before++)
		;
	RF_CHECK(conform, before && before < LARGE, "suspended in the midst: %llu bytes",
		 (unsigned long long)before);
	RF_CHECK_EQUAL(conform, status_of(&worker), RF_DOORBELL_CONNECTED, "doorbell status");
	ring = rf_watch_memory(rf_memory_address(worker.queue->ring), &offset);
	RF_CHECK(conform, ring, "the ring is mapped");
	/* rings are accepted */
	for (i = 0; i < 3; i++)
		worker_submit(conform, &second);
	worker_submit(conform, &worker);
	for (i = 0; i < 3; i++) {
		worker_submit(conform, &other);
		worker_finish(conform, &other);
	}
	rfsim_step(conform->setup.world.simulation, 20000);
	RF_CHECK(conform, !target[before], "it went on");
	RF_CHECK(conform, rf_queue_completed(second.queue) == 1, "the second queue went on");
	RF_CHECK_EQUAL(conform, rf_queue_completed(worker.queue), 0, "completed");
	resume(conform, context);
	worker_finish(conform, &worker);
	worker_finish(conform, &second);
	for (offset = 0; offset < LARGE; offset++)
		RF_CHECK(conform, target[offset] == 0xff, "byte %llu was not copied",
			 (unsigned long long)offset);
}

/* As rf_queue_submit() without the ring. */
static void append_only(struct rf_conform *conform, struct worker *worker)
{
	struct rf_carrier_doorbell *doorbell = worker->queue->doorbell;
	struct worker quiet;

	worker_open(conform, &quiet, worker->device, worker->node, NULL, 0);
	worker->queue->doorbell = quiet.queue->doorbell; /* on its dummy page */
	worker_submit(conform, worker);
	worker->queue->doorbell = doorbell;
}

static void pointers_advanced_while_suspended(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	uint64_t rings;
	struct worker worker;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
	suspend(conform, context);
	rings = stack_counter(conform, RF_COUNTER_RINGS);
	append_only(conform, &worker);
	append_only(conform, &worker);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(worker.queue), 1, "completed");
	RF_CHECK_EQUAL(conform, stack_counter(conform, RF_COUNTER_RINGS), rings, "rings");
	resume(conform, context);
	worker_finish(conform, &worker);
}

static void doorbell_changes_hands_while_suspended(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct worker worker, others[8];
	unsigned int i;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
	suspend(conform, context);
	for (i = 0; i < 8; i++) {
		worker_open(conform, &others[i], conform->setup.device, i % 2, NULL, 0);
		worker_submit(conform, &others[i]);
		worker_finish(conform, &others[i]);
	}
	RF_CHECK_EQUAL(conform, status_of(&worker), RF_DOORBELL_DISCONNECTED_RETRY,
		       "status of the victim");
	/* it gets one again, and does not wait for anything */
	worker_submit(conform, &worker);
	RF_CHECK_EQUAL(conform, status_of(&worker), RF_DOORBELL_CONNECTED, "status");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(worker.queue), 1, "completed");
	resume(conform, context);
	worker_finish(conform, &worker);
}

static void kernel_submission_waits_for_resume(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct rf_queue *queue;
	struct rf_commands *commands;
	struct rf_memory *memory;
	unsigned int i;

	RF_CHECK_EQUAL(conform, rf_context_queue_create(context, 0, RF_QUEUE_KERNEL, &queue), 0,
		       "rf_context_queue_create");
	RF_CHECK_EQUAL(conform, rf_memory_create(conform->setup.device, 4096, 0, &memory), 0,
		       "rf_memory_create");
	commands = stack_commands(conform, queue);
	rf_command_vector(commands, RF_VECTOR_AXPB, rf_memory_address(memory),
			  rf_memory_address(memory), 1ull << 32 | 1, 1);
	stack_submit(conform, commands);
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "before");
	suspend(conform, context);
	for (i = 0; i < 70; i++) /* more than the driver's ring holds */
		stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, *(volatile uint32_t *)rf_memory_map(memory), 1, "executed");
	resume(conform, context);
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "after");
	RF_CHECK_EQUAL(conform, *(volatile uint32_t *)rf_memory_map(memory), 71, "executed");
}

/*
 * A queue that is out and has its doorbell, while another one is in its slot: a ring brings
 * it in, and does not reach the other.
 */
static void ring_of_a_queue_that_is_out(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct worker worker, other;
	unsigned int i;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	for (i = 0; i < 3; i++) {
		worker_submit(conform, &worker);
		worker_finish(conform, &worker);
	}
	suspend(conform, context);
	worker_open(conform, &other, conform->setup.device, RF_ENGINE_COMPUTE, NULL, 0);
	worker_submit(conform, &other);
	worker_finish(conform, &other);
	resume(conform, context);
	RF_CHECK_EQUAL(conform, adapter_of(conform)->scheduler->residents, 1, "residents");
	RF_CHECK_EQUAL(conform, status_of(&worker), RF_DOORBELL_CONNECTED, "status");
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
	worker_submit(conform, &other);
	worker_finish(conform, &other);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_CONNECT_DOORBELL), 2, "connections");
}

/* How often the core was told that a queue has work. */
static unsigned int told_of_work(void)
{
	const struct rf_watch_note *note;
	unsigned int i, count = 0;

	for (i = 0; (note = rf_watch_find(RF_WATCH_NOTIFY, i)); i++)
		count += note->value == RF_INTERRUPT_HWQUEUE_WORK;
	return count;
}

/*
 * A queue that is out is rung for what it has done already, as by a program that found its
 * doorbell taken and repeats the ring: nothing comes of it, and the next ring is told again.
 */
static void ring_without_work_of_a_queue_that_is_out(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct worker worker;
	unsigned int i;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
	suspend(conform, context);
	resume(conform, context);
	for (i = 0; i < 3; i++) {
		rf_watch_clear();
		rf_carrier_ring(worker.queue->doorbell,
				rf_queue_submitted(worker.queue) | worker.queue->token);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, told_of_work(), 1, "reports of the ring");
		RF_CHECK_EQUAL(conform, adapter_of(conform)->scheduler->residents, 0, "residents");
	}
	RF_CHECK_EQUAL(conform, status_of(&worker), RF_DOORBELL_CONNECTED, "status");
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
}

/* A sweep of rings, each a cycle later behind the begin of a swap than the one before. */
struct late_ring {
	struct worker *worker;
	struct rf_commands *commands;
	uint64_t begin; /* cycle of the last one's swap */
	uint64_t longest; /* swap so far */
	int result;
};

static void ring_now(void *argument)
{
	struct late_ring *late = argument;

	late->result = rf_queue_submit(late->worker->queue, late->commands);
}

static void begin_swap(struct rf_conform *conform, struct late_ring *late, uint64_t delay)
{
	stack_settle(conform);
	late->commands = worker_commands(conform, late->worker);
	record_round(late->worker, late->commands);
	late->result = 1;
	late->begin = rfsim_cycle(conform->setup.world.simulation);
	RF_CHECK(conform,
		 !rfsim_at(conform->setup.world.simulation, late->begin + delay, ring_now, late),
		 "rfsim_at");
}

/* The swap is over, and then the ring of this delay, too. */
static void end_swap(struct rf_conform *conform, struct late_ring *late, uint64_t delay)
{
	if (rfsim_cycle(conform->setup.world.simulation) - late->begin > late->longest)
		late->longest = rfsim_cycle(conform->setup.world.simulation) - late->begin;
	while (rfsim_cycle(conform->setup.world.simulation) <= late->begin + delay)
		rfsim_step(conform->setup.world.simulation, 1);
	RF_CHECK_EQUAL(conform, late->result, 0, "rf_queue_submit");
}

/* Nothing that was rung is still to be done. */
static void expect_no_ring_lost(struct rf_conform *conform, struct late_ring *late, uint64_t delay,
				const char *swap)
{
	stack_settle(conform);
	RF_CHECK(conform,
		 rf_queue_completed(late->worker->queue) == rf_queue_submitted(late->worker->queue),
		 "the ring in cycle %llu %s is lost", (unsigned long long)delay, swap);
	worker_finish(conform, late->worker);
}

#define SWAP_MOST 2500u /* cycles of one with registers that come late; stretched */
#define RINGS 100u /* in a pass, about, behind a link */

/*
 * A ring in each cycle in which a queue goes out, and in which it comes in; then once more
 * with the driver's writes late, so that there is time between any two of them, and with the
 * device's answers late and what it reads old, so that there is time between its look at the
 * write pointer and what the driver does next.
 */
static void rings_beside_a_swap(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct rfsim_port_config port;
	struct worker worker;
	const uint64_t most = SWAP_MOST * rf_conform_stretch(conform);
	struct late_ring late = { .worker = &worker };
	uint64_t before, delay;
	unsigned int pass;
	bool in;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
	rfsim_port_config(conform->setup.world.sim, &port);
	for (pass = 0; pass < 6; pass++) {
		in = pass % 2;
		port.receive_gap_percent = pass / 2 == 1 ? 85 : 0;
		port.posted_stall_percent = pass / 2 == 2 ? 90 : 0;
		port.read_early_percent = pass / 2 == 2 ? 100 : 0;
		RF_CHECK(conform, !rfsim_port_configure(conform->setup.world.sim, &port), "port");
		late.longest = 0;
		for (delay = 0; delay < most && delay < late.longest + 20;
		     delay += rf_conform_stride(conform, late.longest, RINGS)) {
			if (in) {
				suspend(conform, context);
				worker_submit(conform, &worker);
			}
			before = rf_queue_submitted(worker.queue);
			begin_swap(conform, &late, delay);
			if (in) {
				resume(conform, context);
				while (rf_queue_completed(worker.queue) < before)
					rfsim_step(conform->setup.world.simulation, 1);
			} else {
				suspend(conform, context);
			}
			end_swap(conform, &late, delay);
			if (!in)
				resume(conform, context);
			expect_no_ring_lost(conform, &late, delay,
					    in ? "of coming in" : "of going out");
		}
	}
	rf_conform_note(conform, "a ring in each %s; a late swap takes up to %llu",
			most > SWAP_MOST ? "part" : "cycle", (unsigned long long)late.longest);
	RF_CHECK(conform, late.longest < most, "a swap takes %llu cycles",
		 (unsigned long long)late.longest);
}

/*
 * Another queue is rung in each cycle in which one goes out and comes in again: registers of a
 * slot are written and read meanwhile, its pointers among them, as a ring moves pointers.
 */
static void rings_of_another_beside_a_swap(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct worker worker, other;
	const uint64_t most = SWAP_MOST * rf_conform_stretch(conform);
	struct late_ring late = { .worker = &other };
	unsigned int rings = 0;
	uint64_t delay;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
	worker_open(conform, &other, conform->setup.device, RF_ENGINE_COPY, NULL, 0);
	worker_submit(conform, &other);
	worker_finish(conform, &other);
	for (delay = 0; delay < most && delay < late.longest + 20;
	     delay += rf_conform_stride(conform, late.longest, RINGS), rings++) {
		begin_swap(conform, &late, delay);
		suspend(conform, context);
		worker_submit(conform, &worker);
		resume(conform, context);
		worker_finish(conform, &worker);
		end_swap(conform, &late, delay);
		expect_no_ring_lost(conform, &late, delay, "of another's swap");
	}
	rf_conform_note(conform, "%u rings in %llu cycles", rings, (unsigned long long)delay);
	RF_CHECK(conform, delay < most, "a swap takes %llu cycles",
		 (unsigned long long)late.longest);
}

/* Brought out at its breakpoint, and resumed there. */
static void breakpoint_is_passed_outside(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct rf_commands *commands;
	struct worker worker;
	uint64_t code;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	commands = worker_commands(conform, &worker);
	rf_command_trap(commands, 5);
	record_round(&worker, commands);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_trapped(worker.queue, &code), 0, "rf_queue_trapped");
	suspend(conform, context);
	resume(conform, context);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(worker.queue), 0, "completed");
	suspend(conform, context);
	RF_CHECK_EQUAL(conform, rf_queue_resume(worker.queue), 0, "rf_queue_resume");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(worker.queue), 0, "completed");
	resume(conform, context);
	worker_finish(conform, &worker);
}

static size_t completions(void)
{
	const struct rf_watch_note *note;
	size_t i, count = 0;

	for (i = 0; (note = rf_watch_find(RF_WATCH_NOTIFY, i)); i++)
		count += note->value == RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED;
	return count;
}

static void completion_carries_the_fence_value(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	const struct rf_watch_note *asked, *told;
	struct worker worker;
	unsigned int i, j;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	for (i = 1; i < 4; i++) {
		worker_submit(conform, &worker);
		worker_finish(conform, &worker);
		rf_watch_clear();
		suspend(conform, context);
		asked = rf_watch_find(RF_WATCH_SUSPEND, 0);
		RF_CHECK_EQUAL(conform, asked->value, i, "fence value asked for");
		RF_CHECK_EQUAL(conform, asked->extra, (uint64_t)-EINPROGRESS, "answer");
		told = NULL;
		for (j = 0; (told = rf_watch_find(RF_WATCH_NOTIFY, j)); j++)
			if (told->value == RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED)
				break;
		RF_CHECK(conform, told, "no completion");
		RF_CHECK_EQUAL(conform, told->address, i, "fence value told");
		RF_CHECK(conform, told->other == asked->object, "context told");
		resume(conform, context);
		worker_submit(conform, &worker);
		worker_finish(conform, &worker);
	}
}

static void suspended_twice_without_an_interrupt(struct rf_conform *conform)
{
	struct rf_context *context = context_open(conform, RF_ENGINE_COMPUTE);
	struct worker worker;

	worker_open(conform, &worker, conform->setup.device, RF_ENGINE_COMPUTE, context, 0);
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
	suspend(conform, context);
	rf_watch_clear();
	suspend(conform, context);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_SUSPEND, 0)->extra, 0, "answer");
	RF_CHECK_EQUAL(conform, completions(), 0, "completions");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_INTERRUPT), 0, "interrupts");
	resume(conform, context);
	worker_submit(conform, &worker);
	worker_finish(conform, &worker);
}

#define STACK RF_CONFORM_STACK

const struct rf_conform_test rf_conform_swap_tests[] = {
	{ "S3-11.many_queues_of_many_processes", NULL, STACK, 0, many_queues_of_many_processes },
	{ "device.waiters_fill_every_slot", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  waiters_fill_every_slot },
	{ "device.ring_of_a_queue_that_is_out", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  ring_of_a_queue_that_is_out },
	{ "device.ring_without_work_of_a_queue_that_is_out", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  ring_without_work_of_a_queue_that_is_out },
	{ "device.nobody_starves_outside", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  nobody_starves_outside },
	{ "device.bands_decide_who_is_resident", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  bands_decide_who_is_resident },
	{ "S3-12.objects_share_the_global_doorbell", "S3-9", STACK, RF_CONFORM_GLOBAL_DOORBELL,
	  objects_share_the_global_doorbell },
	{ "S3-12.global_rings_of_queues_without_slots", "S3-9", STACK, RF_CONFORM_GLOBAL_DOORBELL,
	  global_rings_of_queues_without_slots },
	{ "S3-31.suspended_context_stands_still", "S3-32 S3-33", STACK, RF_CONFORM_SIM_ONLY,
	  suspended_context_stands_still },
	{ "S3-34.pointers_advanced_while_suspended", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  pointers_advanced_while_suspended },
	{ "S3-35.doorbell_changes_hands_while_suspended", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  doorbell_changes_hands_while_suspended },
	{ "S3-64.kernel_submission_waits_for_resume", NULL, STACK,
	  RF_CONFORM_SIM_ONLY | RF_CONFORM_VECTOR, kernel_submission_waits_for_resume },
	{ "S3-57.rings_beside_a_swap", "S3-32 S3-34", STACK, RF_CONFORM_SIM_ONLY,
	  rings_beside_a_swap },
	{ "S3-57.global_rings_beside_a_swap", "S3-12 S3-32 S3-34", STACK,
	  RF_CONFORM_SIM_ONLY | RF_CONFORM_GLOBAL_DOORBELL, rings_beside_a_swap },
	{ "device.rings_of_another_beside_a_swap", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  rings_of_another_beside_a_swap },
	{ "device.breakpoint_is_passed_outside", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  breakpoint_is_passed_outside },
	{ "A-6.completion_carries_the_fence_value", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  completion_carries_the_fence_value },
	{ "A-7.suspended_twice_without_an_interrupt", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  suspended_twice_without_an_interrupt },
	{ 0 },
};
