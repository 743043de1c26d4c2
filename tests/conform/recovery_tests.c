// SPDX-License-Identifier: Apache-2.0
/*
 * Recovery of the device by itself: hangs that are real (requests of an engine that
 * are not accepted, a completion that never comes), and what the reset of an engine leaves of
 * the others.
 */
#include "victim.h"

#include <string.h>

#include "rf_bus.h"

#define SIM RF_CONFORM_SIM_ONLY
#define DEV RF_CONFORM_DEV
#define BYTES 2048u
#define SOON 2000u /* cycles that no reset of this file needs */

/* --- a queue with engine work ------------------------------------------------------------ */

struct victim {
	struct rf_dev_queue queue;
	struct rf_spot source, target;
};

static void victim_open(struct victim *victim, struct rf_dev *dev, unsigned int slot,
			unsigned int node)
{
	uint8_t bytes[BYTES];
	unsigned int i;

	rf_dev_queue_open(&victim->queue, dev, slot, node, 1, RF_PLACE_SYSTEM);
	victim->source = rf_dev_alloc(dev, RF_PLACE_SYSTEM, BYTES, 4096);
	victim->target = rf_dev_alloc(dev, RF_PLACE_SYSTEM, BYTES, 4096);
	for (i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(1 + rf_conform_random(dev->conform, 255));
	rf_dev_write_bytes(dev, victim->source, bytes, BYTES);
}

/* One operation of the node's engine, from source to target. */
static void victim_record(struct victim *victim)
{
	struct rf_dev_queue *queue = &victim->queue;
	const uint64_t to = rf_dev_address(queue->dev, queue->vmid, victim->target);
	const uint64_t from = rf_dev_address(queue->dev, queue->vmid, victim->source);
	const uint64_t copy[] = { to, from, BYTES };
	const uint64_t axpb[] = { to, from, BYTES / 4, 1 };

	if (queue->node == RF_NODE_COPY)
		rf_dev_packet(queue, RF_OPCODE_COPY, 0, 0, copy, 3);
	else
		rf_dev_packet(queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_AXPB, axpb, 4);
}

static void victim_clear(struct victim *victim)
{
	static const uint8_t zero[BYTES];

	rf_dev_write_bytes(victim->queue.dev, victim->target, zero, BYTES);
}

/* Bytes of the target that are the source's; the others must be as they were, 0. */
static unsigned int victim_moved(struct victim *victim)
{
	struct rf_dev *dev = victim->queue.dev;
	uint8_t source[BYTES], target[BYTES];
	unsigned int i, moved = 0;

	rf_dev_read_bytes(dev, victim->source, source, BYTES);
	rf_dev_read_bytes(dev, victim->target, target, BYTES);
	for (i = 0; i < BYTES; i++) {
		RF_CHECK(dev->conform, !target[i] || target[i] == source[i], "byte %u", i);
		moved += target[i] == source[i];
	}
	return moved;
}

/* --- the engine's register --------------------------------------------------------------- */

static void engine_write(struct rf_dev *dev, unsigned int node, uint64_t value)
{
	rf_dev_register_write(dev, RF_REG_NODE_ENGINE(node), value);
}

/* In reset, nothing in flight. */
static void engine_stop(struct rf_dev *dev, unsigned int node)
{
	unsigned int looks;

	engine_write(dev, node, RF_NODE_ENGINE_RESET_MASK);
	for (looks = 0;
	     !(rf_dev_register(dev, RF_REG_NODE_ENGINE(node)) & RF_NODE_ENGINE_IN_RESET_MASK);
	     looks++)
		RF_CHECK(dev->conform, looks < SOON, "the reset does not end");
}

/* A queue with engine work that hangs: nothing moves any more. */
static void engine_hang(struct victim *victim)
{
	struct rf_dev *dev = victim->queue.dev;
	unsigned int node = victim->queue.node;
	uint64_t alive;

	engine_write(dev, node, RF_NODE_ENGINE_HOLD_MASK);
	victim_clear(victim);
	victim_record(victim);
	rf_dev_submit(&victim->queue);
	rf_dev_run(dev, 1000);
	alive = rf_dev_register(dev, RF_REG_NODE_ALIVE(node));
	rf_dev_run(dev, 1000);
	RF_CHECK_EQUAL(dev->conform, rf_dev_register(dev, RF_REG_NODE_ALIVE(node)), alive,
		       "ALIVE of a hung engine");
	RF_CHECK_EQUAL(dev->conform, rf_dev_queue_state(&victim->queue), RF_SLOT_STATE_RUNNING,
		       "state of the queue that hangs");
	RF_CHECK_EQUAL(
		dev->conform,
		(rf_dev_register(dev, RF_REG_NODE_ENGINE(node)) & RF_NODE_ENGINE_OPERATIONS_MASK) >>
			RF_NODE_ENGINE_OPERATIONS_SHIFT,
		1, "operations of the engine");
}

/* The victim is enabled again, and the engine does for it what it did not. */
static void victim_again(struct victim *victim)
{
	struct rf_dev *dev = victim->queue.dev;

	rf_dev_queue_close(&victim->queue);
	rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(victim->queue.slot),
			      RF_SLOT_CONTROL_ENABLE_MASK);
	victim_clear(victim);
	victim_record(victim);
	rf_dev_submit(&victim->queue);
	rf_dev_finish(&victim->queue);
	if (victim->queue.node == RF_NODE_COPY)
		RF_CHECK_EQUAL(dev->conform, victim_moved(victim), BYTES, "bytes copied");
}

/* --- tests ------------------------------------------------------------------------------- */

/* Packets of a queue in so many cycles. */
static uint64_t rate(struct rf_dev *dev, struct rf_dev_queue *queue, struct rf_spot cell)
{
	uint64_t before = rf_dev_read(dev, cell), rounds;

	for (rounds = 0; rounds < 8; rounds++) {
		rf_dev_write_packet(queue, cell, ++before);
		rf_dev_append(queue);
	}
	rounds = rfsim_cycle(dev->conform->setup.world.simulation);
	rf_dev_ring(queue);
	rf_dev_finish(queue);
	return rfsim_cycle(dev->conform->setup.world.simulation) - rounds;
}

static void others_run(struct rf_conform *conform, unsigned int node)
{
	struct rf_neighbour beside, behind;
	/* SKP sets and DLLPs of a link lie between TLPs */
	const uint64_t slack = 4 * rf_conform_stretch(conform);
	uint64_t before, during, after;
	struct rf_dev_queue busy;
	struct victim victim;
	struct rf_spot cell;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	victim_open(&victim, &dev, 0, node);
	rf_neighbour_open(&beside, &dev, 1, node ^ 1, RF_PLACE_SYSTEM);
	rf_neighbour_open(&behind, &dev, 2, node, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&busy, &dev, 3, node ^ 1, 3, RF_PLACE_SYSTEM);
	cell = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_register_write(&dev, RF_REG_SLOT_QUANTUM(0), 0);
	rate(&dev, &busy, cell); /* warm */
	before = rate(&dev, &busy, cell);

	engine_hang(&victim);
	during = rate(&dev, &busy, cell);
	rf_neighbour_work(&beside);
	rf_neighbour_work(&behind);
	rf_neighbour_check(&beside);
	/* An abort is what DISABLE brings, and a hung engine does not heed it. */
	rf_dev_run(&dev, 500);
	RF_CHECK_EQUAL(conform, rf_dev_queue_done(&behind.queue), 0, "done behind the hang");

	engine_stop(&dev, node);
	rf_dev_run(&dev, 500);
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(&victim.queue), RF_SLOT_STATE_RUNNING,
		       "nobody is told before the reset's end");
	engine_write(&dev, node, 0);
	rf_neighbour_check(&behind);
	rf_victim_stopped(&victim.queue, RF_QUEUE_ERROR_ENGINE_RESET, 0, false);
	after = rate(&dev, &busy, cell);
	victim_moved(&victim);
	victim_again(&victim);
	rf_neighbour_work(&beside);
	rf_neighbour_work(&behind);
	rf_neighbour_check(&beside);
	rf_neighbour_check(&behind);
	RF_CHECK(conform, during <= before + slack && after <= before + slack,
		 "cycles of another queue: %llu, then %llu, then %llu", (unsigned long long)before,
		 (unsigned long long)during, (unsigned long long)after);
	rf_conform_note(conform,
			"8 packets of another queue: %llu cycles, %llu beside the hang, "
			"%llu behind it",
			(unsigned long long)before, (unsigned long long)during,
			(unsigned long long)after);
	rf_dev_close(&dev);
}

static void others_run_copy(struct rf_conform *conform)
{
	others_run(conform, RF_NODE_COPY);
}

static void others_run_vector(struct rf_conform *conform)
{
	others_run(conform, RF_NODE_COMPUTE);
}

/* The request to reset comes in any cycle of an operation. */
static void reset_at_any_cycle(struct rf_conform *conform)
{
	unsigned int round, whole, hit = 0, cut = 0;
	struct rf_interrupt_record record;
	uint64_t start;
	struct rf_neighbour beside;
	struct rfsim_config config;
	struct victim victim;
	struct rf_dev dev;

	rfsim_config_random(&config, conform->seed);
	rf_conform_restart(conform, &config);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	victim_open(&victim, &dev, 0, RF_NODE_COPY);
	rf_neighbour_open(&beside, &dev, 1, RF_NODE_COMPUTE, RF_PLACE_LOCAL);
	victim_record(&victim);
	start = rfsim_cycle(conform->setup.world.simulation);
	rf_dev_submit(&victim.queue);
	rf_dev_finish(&victim.queue);
	whole = (unsigned int)(rfsim_cycle(conform->setup.world.simulation) - start);
	for (round = 0; round < 150; round++) {
		unsigned int delay = (unsigned int)rf_conform_random(conform, whole);
		unsigned int moved;

		victim_clear(&victim);
		victim_record(&victim);
		rf_neighbour_work(&beside);
		rf_dev_submit(&victim.queue);
		rf_dev_run(&dev, delay);
		engine_stop(&dev, RF_NODE_COPY);
		engine_write(&dev, RF_NODE_COPY, 0);
		rf_neighbour_check(&beside);
		rf_dev_settle(&dev);
		moved = victim_moved(&victim);
		cut += moved && moved < BYTES;
		while (rf_dev_record(&dev, &record)) {
			RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_QUEUE_ERROR, "kind");
			RF_CHECK_EQUAL(conform, record.detail, RF_QUEUE_ERROR_ENGINE_RESET,
				       "error");
			hit++;
		}
		rf_dev_consume(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_NODE_ENGINE(RF_NODE_COPY)), 0,
			       "ENGINE at rest");
		/* Not hit: it ran on behind the reset, or was done. */
		if (rf_dev_queue_state(&victim.queue) == RF_SLOT_STATE_ERROR)
			victim_again(&victim);
		else
			RF_CHECK_EQUAL(conform, moved, BYTES, "bytes of a whole copy");
	}
	RF_CHECK(conform, hit > 10 && cut > 5, "%u hits, %u in the midst of the copy", hit, cut);
	rf_conform_note(conform, "%u resets hit, %u in the midst of the copy", hit, cut);
	rf_dev_close(&dev);
}

/* A PREEMPT that the hung engine does not answer is answered when it is reset. */
static void preempt_survives(struct rf_conform *conform)
{
	struct rf_interrupt_record records[4];
	struct victim victim;
	struct rf_spot save;
	struct rf_dev dev;
	unsigned int count;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	victim_open(&victim, &dev, 0, RF_NODE_COMPUTE);
	save = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 256, 256);
	engine_hang(&victim);
	rf_dev_register_write(&dev, RF_REG_SLOT_SAVE_ADDRESS(0), rf_dev_address(&dev, 0, save));
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_PREEMPT_MASK);
	rf_dev_run(&dev, SOON);
	RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 0, "records while it hangs");
	engine_stop(&dev, RF_NODE_COMPUTE);
	engine_write(&dev, RF_NODE_COMPUTE, 0);
	rf_dev_settle(&dev);
	count = rf_dev_records(&dev, records, 4);
	RF_CHECK_EQUAL(conform, count, 2, "records");
	RF_CHECK_EQUAL(conform, records[0].kind, RF_RECORD_KIND_QUEUE_ERROR, "first record");
	RF_CHECK_EQUAL(conform, records[1].kind, RF_RECORD_KIND_PREEMPTED, "second record");
	RF_CHECK_EQUAL(conform,
		       (records[1].value & RF_SLOT_STATUS_ERROR_MASK) >> RF_SLOT_STATUS_ERROR_SHIFT,
		       RF_QUEUE_ERROR_ENGINE_RESET, "error in the saved status");
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(&victim.queue), RF_SLOT_STATE_DISABLED, "state");
	rf_dev_close(&dev);
}

/* The root complex never answers a read of the engine; with and without a time-out. */
static void lost_completion(struct rf_conform *conform)
{
	struct rfsim_fault fault = { .kind = RFSIM_FAULT_SILENCE, .skip = 2, .count = 1 };
	struct victim victim;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_LOCAL);
	victim_open(&victim, &dev, 0, RF_NODE_COPY);
	fault.first = rf_dev_physical(&dev, victim.source);
	fault.last = fault.first + BYTES - 1;
	victim_record(&victim);
	RF_CHECK_EQUAL(conform, rfsim_fault_add(conform->setup.world.sim, &fault), 0, "fault");
	rf_dev_register_write(&dev, RF_REG_DEVICE_COMPLETION_TIMEOUT, 1000);
	rf_dev_submit(&victim.queue);
	rf_dev_await_state(&victim.queue, RF_SLOT_STATE_ERROR);
	RF_CHECK_EQUAL(conform, rf_dev_queue_error(&victim.queue),
		       RF_QUEUE_ERROR_COMPLETION_TIMEOUT, "error");
	RF_CHECK_EQUAL(conform, rfsim_fault_hits(conform->setup.world.sim), 1, "completions lost");
	victim_again(&victim);

	/* A reset waits for what the time-out will end, and no longer. */
	rfsim_fault_clear(conform->setup.world.sim);
	fault.skip = 0;
	RF_CHECK_EQUAL(conform, rfsim_fault_add(conform->setup.world.sim, &fault), 0, "fault");
	rf_dev_register_write(&dev, RF_REG_DEVICE_COMPLETION_TIMEOUT, 20000);
	victim_clear(&victim);
	victim_record(&victim);
	rf_dev_submit(&victim.queue);
	rf_dev_run(&dev, 1000);
	engine_write(&dev, RF_NODE_COPY, RF_NODE_ENGINE_RESET_MASK);
	rf_dev_run(&dev, 10000);
	RF_CHECK_EQUAL(conform,
		       rf_dev_register(&dev, RF_REG_NODE_ENGINE(RF_NODE_COPY)) &
			       (RF_NODE_ENGINE_IN_RESET_MASK | RF_NODE_ENGINE_READS_MASK),
		       1ull << RF_NODE_ENGINE_READS_SHIFT, "one read in flight");
	engine_stop(&dev, RF_NODE_COPY);
	engine_write(&dev, RF_NODE_COPY, 0);
	rf_dev_await_state(&victim.queue, RF_SLOT_STATE_ERROR);
	RF_CHECK_EQUAL(conform, rf_dev_queue_error(&victim.queue), RF_QUEUE_ERROR_ENGINE_RESET,
		       "error");
	victim_again(&victim);
	rf_dev_close(&dev);
}

const struct rf_conform_test rf_conform_recovery_tests[] = {
	{ "S3-41.copy_engine_reset_leaves_the_others", NULL, DEV, SIM, others_run_copy },
	{ "S3-41.compute_engine_reset_leaves_the_others", NULL, DEV, SIM | RF_CONFORM_VECTOR,
	  others_run_vector },
	{ "S3-41.engine_reset_at_any_cycle", NULL, DEV, SIM, reset_at_any_cycle },
	{ "S4-3.pending_preemption_survives_the_reset", NULL, DEV,
	  RF_CONFORM_ROOT_COMPLEX | RF_CONFORM_VECTOR, preempt_survives },
	{ "S3-41.reset_waits_for_a_lost_completion", NULL, DEV, SIM, lost_completion },
	{ 0 },
};
