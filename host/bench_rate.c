// SPDX-License-Identifier: Apache-2.0
/* Signals and bytes per cycle, as shares of what the link carries; and cycles per second. */
#include <string.h>
#include <time.h>

#include "bench.h"

#define GEN2_X1_RATE 4 /* wire bytes per cycle of 125 MHz, each direction */
#define SIGNALS 200u

/* Many signals of one queue back to back, without a waiter, commands in local memory. */
static void run_signals(struct rf_bench *bench, enum rf_place place, bool log)
{
	struct rf_dev *dev = &bench->dev;
	unsigned int words = log ? RF_PACKET_SIGNAL_WORDS_MAX : RF_PACKET_SIGNAL_WORDS_MIN;
	uint64_t commands[SIGNALS * RF_PACKET_SIGNAL_WORDS_MAX];
	struct rf_spot value, never;
	struct rf_dev_queue queue;
	unsigned int i;

	rf_dev_queue_open(&queue, dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	for (i = 0; i < RF_DEV_COMMAND_BYTES; i += 4096)
		rf_dev_warm(dev, 1, 1, rf_spot_at(queue.commands, i));
	if (log)
		rf_dev_queue_logs(&queue, RF_PLACE_SYSTEM, 64);
	value = rf_dev_alloc(dev, place, 8, 64);
	never = rf_dev_alloc(dev, RF_PLACE_LOCAL, 8, 64);
	rf_dev_write(dev, never, RF_MONITORED_NONE);
	for (i = 0; i < SIGNALS; i++) {
		rf_dev_signal(&queue, value, i + 1, never, log ? (int)(i % 64) : RF_DEV_NO_LOG);
		memcpy(&commands[i * words], queue.packets, words * 8);
		queue.count = 0;
	}
	rf_bench_append(&queue, commands, SIGNALS * words);
	rf_bench_ring_and_settle(bench, &queue);
	RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value), SIGNALS, "CurrentValue");
}

void rf_bench_signal_interval(void)
{
	struct rfsim_config config;
	struct rf_bench bench;
	uint64_t first, last;

	rfsim_config_init(&config);
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	run_signals(&bench, RF_PLACE_LOCAL, false);
	/* The middle half: neither its begin nor its end shows. */
	first = rf_recorder_event(bench.recorder, RF_EVENT_FENCE_DONE, 0, SIGNALS / 4);
	last = rf_recorder_event(bench.recorder, RF_EVENT_FENCE_DONE, 0, SIGNALS * 3 / 4);
	rf_bench_set(SIGNAL_INTERVAL, (double)(last - first) / (SIGNALS / 2), "mean of %u",
		     SIGNALS / 2);
	rf_bench_close(&bench);
}

static void gen2_x1_config(struct rfsim_config *config)
{
	rfsim_config_init(config);
	config->port.transmit_rate = GEN2_X1_RATE;
	config->port.receive_rate = GEN2_X1_RATE;
}

static void bench_signal_share(enum key key, bool log)
{
	struct rfsim_config config;
	struct rf_bench bench;

	gen2_x1_config(&config);
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	run_signals(&bench, RF_PLACE_SYSTEM, log);
	rf_bench_set(key, rf_recorder_share(bench.recorder, GEN2_X1_RATE),
		     "%.1f wire bytes per signal",
		     (double)rf_recorder_wire_bytes(bench.recorder) / SIGNALS);
	rf_bench_close(&bench);
}

void rf_bench_signal_wire(void)
{
	bench_signal_share(SIGNAL_SHARE, false);
}

void rf_bench_signal_logged_wire(void)
{
	bench_signal_share(SIGNAL_LOGGED_SHARE, true);
}

void rf_bench_append_copy(struct rf_dev_queue *queue, enum rf_place from)
{
	struct rf_spot source = { from, RF_BENCH_COPY_OFFSET };
	struct rf_spot destination = { from == RF_PLACE_LOCAL ? RF_PLACE_SYSTEM : RF_PLACE_LOCAL,
				       RF_BENCH_COPY_OFFSET };
	const uint64_t operands[] = { rf_dev_address(queue->dev, queue->vmid, destination),
				      rf_dev_address(queue->dev, queue->vmid, source),
				      RF_BENCH_COPY_BYTES };

	rf_dev_packet(queue, RF_OPCODE_COPY, 0, 0, operands, 3);
	rf_dev_append(queue);
}

/*
 * One long copy between the memories, twice: the first time none of the pages is in the TLB.
 * @share: of the link in the direction of the data.
 */
static void run_copy(struct rf_bench *bench, enum rf_place from, double share[2])
{
	struct rf_dev_queue queue;
	unsigned int i;

	rf_dev_queue_open(&queue, &bench->dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	for (i = 0; i < 2; i++) {
		rf_bench_append_copy(&queue, from);
		rf_bench_ring_and_settle(bench, &queue);
		share[i] = rf_recorder_share(bench->recorder, GEN2_X1_RATE);
	}
}

static void bench_copy(enum key key, enum rf_place from, unsigned int read_latency)
{
	struct rfsim_config config;
	struct rf_bench bench;
	double share[2];

	gen2_x1_config(&config);
	config.port.read_latency_min = read_latency;
	config.port.read_latency_max = read_latency;
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	run_copy(&bench, from, share);
	rf_bench_set(
		key, share[1], "%u KiB, max payload %u, max read %u; pages not in the TLB: %.3f",
		RF_BENCH_COPY_BYTES >> 10, config.port.max_payload, config.port.max_read, share[0]);
	rf_bench_close(&bench);
}

void rf_bench_copy_write(void)
{
	bench_copy(COPY_WRITE_SHARE, RF_PLACE_LOCAL, 32);
}

void rf_bench_copy_read_250ns(void)
{
	bench_copy(COPY_READ_SHARE_250NS, RF_PLACE_SYSTEM, 31);
}

void rf_bench_copy_read_1us(void)
{
	bench_copy(COPY_READ_SHARE_1US, RF_PLACE_SYSTEM, 125);
}

void rf_bench_copy_read_4us(void)
{
	bench_copy(COPY_READ_SHARE_4US, RF_PLACE_SYSTEM, 500);
}

/* --- the simulator ------------------------------------------------------------------------ */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A device that copies; this one number differs from run to run. */
void rf_bench_speed(void)
{
	struct rfsim_config config;
	struct rf_bench bench;
	double share[2], start;
	uint64_t cycles;

	rfsim_config_init(&config);
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	cycles = rfsim_cycle(bench.conform.setup.world.simulation);
	start = now();
	run_copy(&bench, RF_PLACE_SYSTEM, share);
	cycles = rfsim_cycle(bench.conform.setup.world.simulation) - cycles;
	rf_bench_set(SIMULATED_SPEED, (double)cycles / (now() - start),
		     "of real time, not deterministic");
	rf_bench_close(&bench);
}
