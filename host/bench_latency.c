// SPDX-License-Identifier: Apache-2.0
/* Cycles from one event of the device to another. */
#include <inttypes.h>
#include <string.h>

#include "bench.h"

struct signal_times {
	uint64_t ring, read, handed, value, msix;
	uint64_t cold; /* from doorbell to ring read when no page of the process is in the TLB */
};

/*
 * The times of the second of two signals that interrupt. Commands are in local memory, so that only
 * the signal is on the link. @key: of its wave; KEYS: none.
 */
static struct signal_times time_signal(struct rf_bench *bench, enum key key, unsigned int slot,
				       enum rf_place queue_place, enum rf_place value_place,
				       enum rf_place monitored_place, bool log)
{
	struct rf_dev *dev = &bench->dev;
	struct signal_times times = { 0 };
	struct rf_dev_queue queue;
	struct rf_spot value, monitored;
	unsigned int i;

	rf_dev_queue_open(&queue, dev, slot, RF_NODE_COPY, 1, queue_place);
	if (log)
		rf_dev_queue_logs(&queue, RF_PLACE_SYSTEM, 8);
	value = rf_dev_alloc(dev, value_place, 8, 64);
	monitored = rf_dev_alloc(dev, monitored_place, 8, 64);
	rf_dev_invalidate(dev, 1);
	for (i = 1; i <= 2; i++) {
		rf_dev_signal(&queue, value, i, monitored, log ? (int)i : RF_DEV_NO_LOG);
		rf_dev_append(&queue);
		if (i == 2 && key != KEYS)
			rf_bench_wave_begin(bench, key);
		rf_bench_ring_and_settle(bench, &queue);
		RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value), i, "CurrentValue");
		dev->consumer++;
		rf_dev_consume(dev);
		if (i == 1 && queue_place == RF_PLACE_SYSTEM)
			times.cold =
				rf_bench_ring_read(bench, &queue) - rf_bench_rung(bench, &queue);
	}
	rf_bench_wave_end();
	times.ring = rf_bench_rung(bench, &queue);
	times.read = queue_place == RF_PLACE_SYSTEM ? rf_bench_ring_read(bench, &queue) : 0;
	times.handed = rf_recorder_event(bench->recorder, RF_EVENT_FENCE(RF_NODE_COPY), 0, 0);
	times.value = rf_bench_performed(bench, value, times.handed);
	times.msix = rf_bench_msix(bench, times.value);
	rf_dev_queue_close(&queue);
	return times;
}

/* CPU waits for it, MonitoredValue local or not; the interrupt ring where drivers have it. */
void rf_bench_signal(void)
{
	struct signal_times local, logged, system, all_local, near_ring;
	struct rfsim_config config;
	struct rf_bench bench;

	rfsim_config_init(&config);
	rf_bench_open(&bench, &config, RF_PLACE_LOCAL);
	near_ring = time_signal(&bench, KEYS, 0, RF_PLACE_LOCAL, RF_PLACE_SYSTEM, RF_PLACE_LOCAL,
				false);
	rf_bench_close(&bench);

	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	local = time_signal(&bench, VALUE_TO_MSIX_LOCAL, 0, RF_PLACE_LOCAL, RF_PLACE_SYSTEM,
			    RF_PLACE_LOCAL, false);
	all_local =
		time_signal(&bench, KEYS, 1, RF_PLACE_LOCAL, RF_PLACE_LOCAL, RF_PLACE_LOCAL, false);
	logged = time_signal(&bench, VALUE_TO_MSIX_LOGGED, 2, RF_PLACE_LOCAL, RF_PLACE_SYSTEM,
			     RF_PLACE_LOCAL, true);
	system = time_signal(&bench, VALUE_TO_MSIX_SYSTEM, 3, RF_PLACE_SYSTEM, RF_PLACE_SYSTEM,
			     RF_PLACE_SYSTEM, false);
	rf_bench_close(&bench);

	rf_bench_set(RING_TO_READ, (double)(system.read - system.ring),
		     "dedicated doorbell, idle node");
	rf_bench_set(RING_TO_READ_COLD,
		     (double)system.cold - RF_PAGE_TABLE_LEVELS * config.port.read_latency_max,
		     "three page tables in system memory, less the read latency of 3 x %u",
		     config.port.read_latency_max);
	rf_bench_set(SIGNAL_TO_VALUE, (double)(local.value - local.handed),
		     "CurrentValue in local memory: %" PRIu64, all_local.value - all_local.handed);
	rf_bench_set(VALUE_TO_MSIX_LOCAL, (double)(local.msix - local.value),
		     "interrupt ring in system memory; in local memory: %" PRIu64,
		     near_ring.msix - near_ring.value);
	rf_bench_set(VALUE_TO_MSIX_LOGGED, (double)(logged.msix - logged.value),
		     "log and interrupt ring in system memory");
	rf_bench_set(VALUE_TO_MSIX_SYSTEM,
		     (double)(system.msix - system.value) - config.port.read_latency_max,
		     "less the read latency of %u", config.port.read_latency_max);
}

/* From the value performed by one queue to the next packet of a queue on the other node. */
static uint64_t time_release(struct rf_bench *bench, enum key key, unsigned int slot,
			     enum rf_place place)
{
	struct rf_dev *dev = &bench->dev;
	struct rf_dev_queue signaler, waiter;
	struct rf_spot value, never, other;
	uint64_t handed, value_cycle;
	unsigned int i;

	rf_dev_queue_open(&signaler, dev, slot, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
	rf_dev_queue_open(&waiter, dev, slot + 1, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	value = rf_dev_alloc(dev, place, 8, 64);
	other = rf_dev_alloc(dev, place, 8, 64);
	never = rf_dev_alloc(dev, RF_PLACE_LOCAL, 8, 64);
	rf_dev_write(dev, never, RF_MONITORED_NONE);
	for (i = 1; i <= 2; i++) {
		rf_dev_wait(&waiter, value, i, RF_DEV_NO_LOG);
		rf_dev_signal(&waiter, other, i, never, RF_DEV_NO_LOG);
		rf_dev_submit(&waiter);
		rf_dev_run(dev, 1000); /* it waits, its next packet fetched */
		rf_dev_signal(&signaler, value, i, never, RF_DEV_NO_LOG);
		rf_dev_append(&signaler);
		if (i == 2)
			rf_bench_wave_begin(bench, key);
		rf_bench_ring_and_settle(bench, &signaler);
		rf_dev_finish(&waiter);
	}
	rf_bench_wave_end();
	handed = rf_recorder_event(bench->recorder, RF_EVENT_FENCE(RF_NODE_COMPUTE), 0, 0);
	value_cycle = rf_bench_performed(bench, value, handed);
	rf_dev_queue_close(&signaler);
	rf_dev_queue_close(&waiter);
	return rf_recorder_event(bench->recorder, RF_EVENT_PACKET(RF_NODE_COPY), value_cycle, 0) -
	       value_cycle;
}

void rf_bench_release(void)
{
	struct rfsim_config config;
	struct rf_bench bench;

	rfsim_config_init(&config);
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	rf_bench_set(RELEASE_LOCAL, (double)time_release(&bench, RELEASE_LOCAL, 0, RF_PLACE_LOCAL),
		     "the waiter is on the other node, its packet fetched");
	rf_bench_set(RELEASE_SYSTEM,
		     (double)time_release(&bench, RELEASE_SYSTEM, 2, RF_PLACE_SYSTEM),
		     "the waiter is on the other node, its packet fetched");
	rf_bench_close(&bench);
}

#define HOPS 64u /* there and back is two */

/*
 * Two queues hand a value back and forth: each waits for what the other one has signaled and
 * signals it in turn. All of it is queued before the first hop, in local memory as the values
 * are; with @log each of these packets has its log entry, in system memory.
 */
static void bench_hop(enum key key, unsigned int second_node, bool log)
{
	struct rf_dev_queue queues[2];
	struct rf_spot value[2], never;
	struct rfsim_config config;
	struct rf_bench bench;
	struct rf_dev *dev = &bench.dev;
	uint64_t first, last;
	unsigned int i, j;

	rfsim_config_init(&config);
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	never = rf_dev_alloc(dev, RF_PLACE_LOCAL, 8, 64);
	rf_dev_write(dev, never, RF_MONITORED_NONE);
	for (i = 0; i < 2; i++) {
		value[i] = rf_dev_alloc(dev, RF_PLACE_LOCAL, 8, 64);
		rf_dev_queue_open(&queues[i], dev, i, i ? second_node : RF_NODE_COPY, 1,
				  RF_PLACE_LOCAL);
		for (j = 0; j < RF_DEV_COMMAND_BYTES; j += 4096)
			rf_dev_warm(dev, 2, 1, rf_spot_at(queues[i].commands, j));
		if (log)
			rf_dev_queue_logs(&queues[i], RF_PLACE_SYSTEM, HOPS / 2);
	}
	for (i = 0; i < 2; i++) {
		struct rf_dev_queue *queue = &queues[i];
		uint64_t commands[HOPS / 2 *
				  (RF_PACKET_SIGNAL_WORDS_MAX + RF_PACKET_WAIT_WORDS_MAX)];
		unsigned int words = 0;

		for (j = 0; j < HOPS / 2; j++) {
			const int index = log ? (int)j : RF_DEV_NO_LOG;

			rf_dev_wait(queue, value[!i], i ? j + 1 : j, index);
			rf_dev_signal(queue, value[i], j + 1, never, index);
			memcpy(&commands[words], queue->packets, queue->count * 8);
			words += queue->count;
			queue->count = 0;
		}
		rf_bench_append(queue, commands, words);
	}
	/* The second queue waits before the first one begins. */
	rf_dev_ring(&queues[1]);
	rf_dev_run(dev, 1000);
	rf_bench_ring_and_settle(&bench, &queues[0]);
	rf_dev_finish(&queues[1]);
	RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value[0]), HOPS / 2, "value of the first");
	RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value[1]), HOPS / 2, "value of the second");
	/* The middle half: neither its begin nor its end shows. */
	first = rf_recorder_event(bench.recorder, RF_EVENT_RELEASE, 0, HOPS / 4);
	last = rf_recorder_event(bench.recorder, RF_EVENT_RELEASE, 0, HOPS * 3 / 4);
	rf_bench_set(key, (double)(last - first) / (HOPS / 2),
		     "mean of %u, everything queued before", HOPS / 2);
	rf_bench_close(&bench);
}

void rf_bench_hop_two_nodes(void)
{
	bench_hop(HOP_TWO_NODES, RF_NODE_COMPUTE, false);
}

void rf_bench_hop_two_nodes_logged(void)
{
	bench_hop(HOP_TWO_NODES_LOGGED, RF_NODE_COMPUTE, true);
}

void rf_bench_hop_one_node(void)
{
	bench_hop(HOP_ONE_NODE, RF_NODE_COPY, false);
}

/*
 * A COPY of 256 bytes out of system memory, from its start in the engine to its done: one
 * read, whose completions are cut at every boundary.
 */
void rf_bench_copy_split(void)
{
	struct rfsim_config config;
	struct rf_dev_queue queue;
	struct rf_spot from, to;
	struct rf_bench bench;
	uint64_t start, done;
	unsigned int i;

	rfsim_config_init(&config);
	config.port.split_percent = 100;
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &bench.dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	from = rf_dev_alloc(&bench.dev, RF_PLACE_SYSTEM, 256, 256);
	to = rf_dev_alloc(&bench.dev, RF_PLACE_LOCAL, 256, 256);
	for (i = 1; i <= 2; i++) {
		const uint64_t operands[] = { rf_dev_address(&bench.dev, 1, to),
					      rf_dev_address(&bench.dev, 1, from), 256 };

		rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
		rf_dev_append(&queue);
		if (i == 2)
			rf_bench_wave_begin(&bench, COPY_SPLIT);
		rf_bench_ring_and_settle(&bench, &queue);
	}
	rf_bench_wave_end();
	start = rf_recorder_event(bench.recorder, RF_EVENT_ENGINE_START(RF_NODE_COPY), 0, 0);
	done = rf_recorder_event(bench.recorder, RF_EVENT_ENGINE_DONE(RF_NODE_COPY), start, 0);
	rf_bench_set(COPY_SPLIT, (double)(done - start) - config.port.read_latency_max,
		     "four completions of 64 bytes; less the read latency of %u",
		     config.port.read_latency_max);
	rf_bench_close(&bench);
}
