// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence bench: how many cycles, how much of the link, how many interrupts.
 * Streams are always ready and latencies fixed, so a device gives the same numbers
 * each time. A distance counts from the handshake of the first named event to the
 * handshake of the first beat of the second.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tests/conform/dev.h"
#include "arguments.h"
#include "bench_device.h"
#include "commands.h"
#include "output.h"
#include "recorder.h"
#include "rf_bus.h"
#include "rf_hosted.h"
#include "rf_sim_bus.h"
#include "ringfence.h"
#include "ringfence_hw.h"
#include "setup.h"
#include "wave.h"

#define GEN2_X1_RATE 4 /* wire bytes per cycle of 125 MHz, each direction */
#define COPY_BYTES (64u << 10)
#define SIGNALS 200u
#define INTERRUPT_SIGNALS 1000u

static const char usage[] =
	"Usage: ringfence bench [--output FILE] [--filter PATTERN] [--submit-instructions N]\n"
	"                       [--waves FOLDER] [--json]\n"
	"       ringfence bench --device DEVICE [--filter PATTERN] [--json]\n"
	"Measures the device in simulation, in cycles, and prints each value beside its aim; or\n"
	"what a program meets on a device.\n"
	"  --device DEVICE          \"sim:\", \"drm:\", \"drm:NODE\", \"pci:0000:00:04.0\"\n"
	"  --json                   as a JSON object\n"
	"  --output FILE            the same into a file\n"
	"  --filter PATTERN         only keys that match the shell pattern, such as 'copy_*'\n"
	"  --waves FOLDER           waves in FST format of what latencies were measured on\n"
	"  --submit-instructions N  what `make bench` measured with callgrind\n";

/* --- keys ---------------------------------------------------------------------------------- */

enum key {
	RING_TO_READ,
	RING_TO_READ_COLD,
	SIGNAL_TO_VALUE,
	VALUE_TO_MSIX_LOCAL,
	VALUE_TO_MSIX_LOGGED,
	VALUE_TO_MSIX_SYSTEM,
	RELEASE_LOCAL,
	RELEASE_SYSTEM,
	PREEMPT_IDLE,
	PREEMPT_SIGNALS,
	PREEMPT_WAIT,
	PREEMPT_COPY,
	PREEMPT_FILL,
	PREEMPT_VECTOR,
	RESUME_TO_PACKET,
	COPY_SPLIT,
	SIGNAL_INTERVAL,
	SIGNAL_SHARE,
	SIGNAL_LOGGED_SHARE,
	COPY_WRITE_SHARE,
	COPY_READ_SHARE_250NS,
	COPY_READ_SHARE_1US,
	COPY_READ_SHARE_4US,
	INTERRUPTS_UNWAITED,
	INTERRUPTS_WAITED,
	HELD_ROUNDS,
	SIMULATED_SPEED,
	SUBMIT_INSTRUCTIONS,
	KEYS,
};

/*
 * A preemption: one read latency, the transfer of one chunk, and 200 cycles more. Reads
 * take READ_LATENCY here, and an engine moves a word in each cycle.
 */
#define READ_LATENCY 32
#define PREEMPT_BOUND (READ_LATENCY + RF_PREEMPTION_CHUNK_BYTES / 8 + 200)

enum aim { AIM_NONE, AIM_AT_MOST, AIM_AT_LEAST };

static const struct {
	const char *name;
	const char *unit;
	int digits; /* behind the point */
	enum aim aim;
	double bound;
} keys[KEYS] = {
	[RING_TO_READ] = { "ring_to_read_cycles", "cycles", 0, AIM_AT_MOST, 8 },
	[RING_TO_READ_COLD] = { "ring_to_read_cold_cycles", "cycles", 0, AIM_NONE, 0 },
	[SIGNAL_TO_VALUE] = { "signal_to_value_cycles", "cycles", 0, AIM_AT_MOST, 6 },
	[VALUE_TO_MSIX_LOCAL] = { "value_to_msix_local_mv_cycles", "cycles", 0, AIM_AT_MOST, 10 },
	[VALUE_TO_MSIX_LOGGED] = { "value_to_msix_logged_cycles", "cycles", 0, AIM_AT_MOST, 17 },
	[VALUE_TO_MSIX_SYSTEM] = { "value_to_msix_system_mv_cycles", "cycles", 0, AIM_NONE },
	[RELEASE_LOCAL] = { "signal_to_release_local_cycles", "cycles", 0, AIM_AT_MOST, 8 },
	[RELEASE_SYSTEM] = { "signal_to_release_system_cycles", "cycles", 0, AIM_AT_MOST, 8 },
	[PREEMPT_IDLE] = { "preempt_to_saved_cycles_idle", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_SIGNALS] = { "preempt_to_saved_cycles_signals", "cycles", 0, AIM_AT_MOST,
			      PREEMPT_BOUND },
	[PREEMPT_WAIT] = { "preempt_to_saved_cycles_wait", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_COPY] = { "preempt_to_saved_cycles_copy", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_FILL] = { "preempt_to_saved_cycles_fill", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_VECTOR] = { "preempt_to_saved_cycles_vector", "cycles", 0, AIM_AT_MOST,
			     PREEMPT_BOUND },
	[RESUME_TO_PACKET] = { "resume_to_packet_cycles", "cycles", 0, AIM_NONE },
	[COPY_SPLIT] = { "copy_256_bytes_split_cycles", "cycles", 0, AIM_NONE },
	[SIGNAL_INTERVAL] = { "signal_interval_local_cycles", "cycles", 2, AIM_AT_MOST, 6 },
	[SIGNAL_SHARE] = { "signal_wire_share", "of the link", 3, AIM_AT_LEAST, 0.95 },
	[SIGNAL_LOGGED_SHARE] = { "signal_logged_wire_share", "of the link", 3, AIM_AT_LEAST,
				  0.95 },
	[COPY_WRITE_SHARE] = { "copy_write_wire_share", "of the link", 3, AIM_AT_LEAST, 0.95 },
	[COPY_READ_SHARE_250NS] = { "copy_read_wire_share_250ns", "of the link", 3, AIM_AT_LEAST,
				    0.90 },
	[COPY_READ_SHARE_1US] = { "copy_read_wire_share_1us", "of the link", 3, AIM_AT_LEAST,
				  0.90 },
	[COPY_READ_SHARE_4US] = { "copy_read_wire_share_4us", "of the link", 3, AIM_AT_LEAST,
				  0.90 },
	[INTERRUPTS_UNWAITED] = { "interrupts_per_1000_unwaited_signals", "interrupts", 0,
				  AIM_AT_MOST, 0 },
	[INTERRUPTS_WAITED] = { "interrupts_per_1000_waited_signals", "interrupts", 0, AIM_NONE },
	[HELD_ROUNDS] = { "interrupts_off_rounds", "rounds", 0, AIM_AT_MOST, RF_HOLD_ROUNDS_MAX },
	[SIMULATED_SPEED] = { "simulated_cycles_per_second", "cycles/s", 0, AIM_NONE },
	[SUBMIT_INSTRUCTIONS] = { "submit_instructions", "instructions", 0, AIM_AT_MOST, 60 },
};

struct result {
	bool measured;
	double value;
	char note[160];
};

static struct result results[KEYS];

static void __attribute__((format(printf, 3, 4)))
set(enum key key, double value, const char *format, ...)
{
	va_list arguments;

	results[key].measured = true;
	results[key].value = value;
	va_start(arguments, format);
	vsnprintf(results[key].note, sizeof(results[key].note), format, arguments);
	va_end(arguments);
}

static bool met(enum key key)
{
	return keys[key].aim == AIM_NONE ||
	       (keys[key].aim == AIM_AT_MOST ? results[key].value <= keys[key].bound
					     : results[key].value >= keys[key].bound);
}

static void must(int error, const char *what)
{
	if (error) {
		fprintf(stderr, "ringfence: %s: %s\n", what, strerror(-error));
		exit(1);
	}
}

/* --- a device without driver ------------------------------------------------------------------ */

struct bench {
	struct rf_conform conform;
	struct rf_dev dev;
	struct rf_recorder *recorder;
};

static void bench_open(struct bench *bench, const struct rfsim_config *config, enum rf_place ring)
{
	struct rf_conform *conform = &bench->conform;
	struct rf_setup *setup = &conform->setup;

	memset(bench, 0, sizeof(*bench));
	must(rfsim_world_create(config, &setup->world), "simulation");
	must(rfsim_device_create(setup->world, &setup->sim), "simulation");
	must(rf_sim_bus_create(setup->world, setup->sim, &setup->bus), "PCIe enumeration");
	conform->bus = setup->bus;
	rf_dev_open(&bench->dev, conform, ring);
	bench->recorder = rf_recorder_create(setup->sim);
	must(bench->recorder ? 0 : -ENOMEM, "recorder");
}

static void bench_close(struct bench *bench)
{
	const char *violation = rfsim_world_check(bench->conform.setup.world);

	RF_CHECK(&bench->conform, !violation, "the device broke a rule: %s", violation);
	rf_recorder_destroy(bench->recorder);
	rf_dev_close(&bench->dev);
	rf_sim_bus_destroy(bench->conform.bus);
	rfsim_world_destroy(bench->conform.setup.world);
}

static const char *filter = "*"; /* of keys */
static const char *waves; /* folder, or NULL: none are wanted */

static bool wanted(enum key key)
{
	return !fnmatch(filter, keys[key].name, 0);
}

/* A wave of what @key is measured on, until wave_end(). */
static void wave_begin(struct bench *bench, enum key key)
{
	char *path;

	if (!waves)
		return;
	path = rf_output_path(waves, keys[key].name, ".fst");
	must(path ? rf_wave_begin(bench->conform.setup.sim, path) : -ENOMEM, "wave");
	free(path);
}

static void wave_end(struct bench *bench)
{
	(void)bench;
	must(rf_wave_end(), "wave");
}

/* Any number of words as one submission, written but not yet rung. */
static void append(struct rf_dev_queue *queue, const uint64_t *words, unsigned int count)
{
	struct rf_dev *dev = queue->dev;
	struct rf_spot buffer = rf_spot_at(queue->commands, queue->commands_next);
	struct rf_ring_entry entry = { .address = rf_dev_address(dev, queue->vmid, buffer),
				       .size = count * 8 };

	RF_CHECK(dev->conform, queue->commands_next + count * 8 <= RF_DEV_COMMAND_BYTES,
		 "the commands do not fit");
	queue->commands_next += count * 8;
	rf_dev_write_bytes(dev, buffer, words, count * 8);
	rf_dev_write_bytes(dev, rf_spot_at(queue->ring, queue->write_pointer % queue->entries * 16),
			   &entry, sizeof(entry));
	queue->write_pointer++;
	rf_dev_write(dev, queue->write_pointer_record, queue->write_pointer);
}

/* Nothing on its way when the ring comes; then until nothing is on its way again. */
static void ring_and_settle(struct bench *bench, struct rf_dev_queue *queue)
{
	rf_dev_settle(&bench->dev);
	rf_recorder_begin(bench->recorder);
	rf_dev_ring(queue);
	rf_dev_settle(&bench->dev);
	rf_recorder_end(bench->recorder);
	rf_dev_finish(queue);
}

static uint64_t system_bus(struct rf_dev *dev, struct rf_spot spot)
{
	return dev->system_bus + spot.offset;
}

/* When a value was performed: its TLP was accepted, or local memory committed it. */
static uint64_t performed(struct bench *bench, struct rf_spot value, uint64_t from)
{
	if (value.place == RF_PLACE_SYSTEM)
		return rf_recorder_tlp(bench->recorder, RFSIM_POSTED,
				       system_bus(&bench->dev, value), 8, from)
			->first_cycle;
	/* The snoop sees a word one cycle after it is committed. */
	return rf_recorder_event(bench->recorder, RF_EVENT_SNOOP, from, 0) - 1;
}

static uint64_t msix(struct bench *bench, uint64_t from)
{
	return rf_recorder_tlp(bench->recorder, RFSIM_POSTED, RFSIM_MSI_BASE, RFSIM_MSI_BYTES, from)
		->first_cycle;
}

static uint64_t ring_read(struct bench *bench, const struct rf_dev_queue *queue)
{
	return rf_recorder_tlp(bench->recorder, RFSIM_READ, system_bus(&bench->dev, queue->ring),
			       queue->entries * 16, 0)
		->first_cycle;
}

/* When the last beat of the doorbell's TLP came. */
static uint64_t rung(struct bench *bench, const struct rf_dev_queue *queue)
{
	struct rfsim_bar bar;

	must(rfsim_bar(bench->conform.setup.sim, 0, &bar), "BAR 0");
	return rf_recorder_tlp(bench->recorder, RFSIM_RECEIVE,
			       bar.address + RF_DOORBELL_BASE + queue->doorbell * 4096ull, 8, 0)
		->last_cycle;
}

/* --- latencies --------------------------------------------------------------------------------- */

struct signal_times {
	uint64_t ring, read, handed, value, msix;
	uint64_t cold; /* from ring to read when the TLB knows no page of the process */
};

/*
 * The second of two signals that interrupt, with everything as the arguments say.
 * Commands are in local memory, so that nothing but the signal is on the link. @key: of
 * its wave; KEYS: none.
 */
static struct signal_times time_signal(struct bench *bench, enum key key, unsigned int slot,
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
			wave_begin(bench, key);
		ring_and_settle(bench, &queue);
		RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value), i, "CurrentValue");
		dev->consumer++;
		rf_dev_consume(dev);
		if (i == 1 && queue_place == RF_PLACE_SYSTEM)
			times.cold = ring_read(bench, &queue) - rung(bench, &queue);
	}
	wave_end(bench);
	times.ring = rung(bench, &queue);
	times.read = queue_place == RF_PLACE_SYSTEM ? ring_read(bench, &queue) : 0;
	times.handed = rf_recorder_event(bench->recorder, RF_EVENT_FENCE(RF_NODE_COPY), 0, 0);
	times.value = performed(bench, value, times.handed);
	times.msix = msix(bench, times.value);
	rf_dev_queue_close(&queue);
	return times;
}

/* CPU waits for it, MonitoredValue local or not; the interrupt ring where drivers have it. */
static void bench_signal(void)
{
	struct signal_times local, logged, system, all_local, near_ring;
	struct rfsim_config config;
	struct bench bench;

	rfsim_config_init(&config);
	bench_open(&bench, &config, RF_PLACE_LOCAL);
	near_ring = time_signal(&bench, KEYS, 0, RF_PLACE_LOCAL, RF_PLACE_SYSTEM, RF_PLACE_LOCAL,
				false);
	bench_close(&bench);

	bench_open(&bench, &config, RF_PLACE_SYSTEM);
	local = time_signal(&bench, VALUE_TO_MSIX_LOCAL, 0, RF_PLACE_LOCAL, RF_PLACE_SYSTEM,
			    RF_PLACE_LOCAL, false);
	all_local =
		time_signal(&bench, KEYS, 1, RF_PLACE_LOCAL, RF_PLACE_LOCAL, RF_PLACE_LOCAL, false);
	logged = time_signal(&bench, VALUE_TO_MSIX_LOGGED, 2, RF_PLACE_LOCAL, RF_PLACE_SYSTEM,
			     RF_PLACE_LOCAL, true);
	system = time_signal(&bench, VALUE_TO_MSIX_SYSTEM, 3, RF_PLACE_SYSTEM, RF_PLACE_SYSTEM,
			     RF_PLACE_SYSTEM, false);
	bench_close(&bench);

	set(RING_TO_READ, (double)(system.read - system.ring), "dedicated doorbell, idle node");
	set(RING_TO_READ_COLD,
	    (double)system.cold - RF_PAGE_TABLE_LEVELS * config.port.read_latency_max,
	    "three page tables in system memory, less the read latency of 3 x %u",
	    config.port.read_latency_max);
	set(SIGNAL_TO_VALUE, (double)(local.value - local.handed),
	    "CurrentValue in local memory: %" PRIu64, all_local.value - all_local.handed);
	set(VALUE_TO_MSIX_LOCAL, (double)(local.msix - local.value),
	    "interrupt ring in system memory; in local memory: %" PRIu64,
	    near_ring.msix - near_ring.value);
	set(VALUE_TO_MSIX_LOGGED, (double)(logged.msix - logged.value),
	    "log and interrupt ring in system memory");
	set(VALUE_TO_MSIX_SYSTEM,
	    (double)(system.msix - system.value) - config.port.read_latency_max,
	    "less the read latency of %u", config.port.read_latency_max);
}

/* From the value performed by one queue to the next packet of a queue on the other node. */
static uint64_t time_release(struct bench *bench, enum key key, unsigned int slot,
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
			wave_begin(bench, key);
		ring_and_settle(bench, &signaler);
		rf_dev_finish(&waiter);
	}
	wave_end(bench);
	handed = rf_recorder_event(bench->recorder, RF_EVENT_FENCE(RF_NODE_COMPUTE), 0, 0);
	value_cycle = performed(bench, value, handed);
	rf_dev_queue_close(&signaler);
	rf_dev_queue_close(&waiter);
	return rf_recorder_event(bench->recorder, RF_EVENT_PACKET(RF_NODE_COPY), value_cycle, 0) -
	       value_cycle;
}

static void bench_release(void)
{
	struct rfsim_config config;
	struct bench bench;

	rfsim_config_init(&config);
	bench_open(&bench, &config, RF_PLACE_SYSTEM);
	set(RELEASE_LOCAL, (double)time_release(&bench, RELEASE_LOCAL, 0, RF_PLACE_LOCAL),
	    "the waiter is on the other node, its packet fetched");
	set(RELEASE_SYSTEM, (double)time_release(&bench, RELEASE_SYSTEM, 2, RF_PLACE_SYSTEM),
	    "the waiter is on the other node, its packet fetched");
	bench_close(&bench);
}

/*
 * A COPY of 256 bytes out of system memory, from its start in the engine to its done: one
 * read, whose completions are cut at every boundary.
 */
static void bench_copy_split(void)
{
	struct rfsim_config config;
	struct rf_dev_queue queue;
	struct rf_spot from, to;
	struct bench bench;
	uint64_t start, done;
	unsigned int i;

	rfsim_config_init(&config);
	config.port.split_percent = 100;
	bench_open(&bench, &config, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &bench.dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	from = rf_dev_alloc(&bench.dev, RF_PLACE_SYSTEM, 256, 256);
	to = rf_dev_alloc(&bench.dev, RF_PLACE_LOCAL, 256, 256);
	for (i = 1; i <= 2; i++) {
		const uint64_t operands[] = { rf_dev_address(&bench.dev, 1, to),
					      rf_dev_address(&bench.dev, 1, from), 256 };

		rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
		rf_dev_append(&queue);
		if (i == 2)
			wave_begin(&bench, COPY_SPLIT);
		ring_and_settle(&bench, &queue);
	}
	wave_end(&bench);
	start = rf_recorder_event(bench.recorder, RF_EVENT_ENGINE_START(RF_NODE_COPY), 0, 0);
	done = rf_recorder_event(bench.recorder, RF_EVENT_ENGINE_DONE(RF_NODE_COPY), start, 0);
	set(COPY_SPLIT, (double)(done - start) - config.port.read_latency_max,
	    "four completions of 64 bytes; less the read latency of %u",
	    config.port.read_latency_max);
	bench_close(&bench);
}

/* --- rates ---------------------------------------------------------------------------------------- */

/* Many signals of one queue back to back, nobody waits, commands in local memory. */
static void run_signals(struct bench *bench, enum rf_place place, bool log)
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
	append(&queue, commands, SIGNALS * words);
	ring_and_settle(bench, &queue);
	RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value), SIGNALS, "CurrentValue");
}

static void bench_signal_interval(void)
{
	struct rfsim_config config;
	struct bench bench;
	uint64_t first, last;

	rfsim_config_init(&config);
	bench_open(&bench, &config, RF_PLACE_SYSTEM);
	run_signals(&bench, RF_PLACE_LOCAL, false);
	/* The middle half: neither its begin nor its end shows. */
	first = rf_recorder_event(bench.recorder, RF_EVENT_FENCE_DONE, 0, SIGNALS / 4);
	last = rf_recorder_event(bench.recorder, RF_EVENT_FENCE_DONE, 0, SIGNALS * 3 / 4);
	set(SIGNAL_INTERVAL, (double)(last - first) / (SIGNALS / 2), "mean of %u", SIGNALS / 2);
	bench_close(&bench);
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
	struct bench bench;

	gen2_x1_config(&config);
	bench_open(&bench, &config, RF_PLACE_SYSTEM);
	run_signals(&bench, RF_PLACE_SYSTEM, log);
	set(key, rf_recorder_share(bench.recorder, GEN2_X1_RATE), "%.1f wire bytes per signal",
	    (double)rf_recorder_wire_bytes(bench.recorder) / SIGNALS);
	bench_close(&bench);
}

static void bench_signal_wire(void)
{
	bench_signal_share(SIGNAL_SHARE, false);
}

static void bench_signal_logged_wire(void)
{
	bench_signal_share(SIGNAL_LOGGED_SHARE, true);
}

/*
 * One long copy between the memories, twice: the first time the TLB knows none of the
 * pages. The share of the direction that the data takes.
 */
static void run_copy(struct bench *bench, enum rf_place from, double share[2])
{
	const uint64_t offset = 512u << 10;
	struct rf_spot source = { from, offset };
	struct rf_spot destination = { from == RF_PLACE_LOCAL ? RF_PLACE_SYSTEM : RF_PLACE_LOCAL,
				       offset };
	const uint64_t operands[] = { rf_dev_address(&bench->dev, 1, destination),
				      rf_dev_address(&bench->dev, 1, source), COPY_BYTES };
	struct rf_dev_queue queue;
	unsigned int i;

	rf_dev_queue_open(&queue, &bench->dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	for (i = 0; i < 2; i++) {
		rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
		rf_dev_append(&queue);
		ring_and_settle(bench, &queue);
		share[i] = rf_recorder_share(bench->recorder, GEN2_X1_RATE);
	}
}

static void bench_copy(enum key key, enum rf_place from, unsigned int read_latency)
{
	struct rfsim_config config;
	struct bench bench;
	double share[2];

	gen2_x1_config(&config);
	config.port.read_latency_min = read_latency;
	config.port.read_latency_max = read_latency;
	bench_open(&bench, &config, RF_PLACE_SYSTEM);
	run_copy(&bench, from, share);
	set(key, share[1], "%u KiB, max payload %u, max read %u; pages not in the TLB: %.3f",
	    COPY_BYTES >> 10, config.port.max_payload, config.port.max_read, share[0]);
	bench_close(&bench);
}

static void bench_copy_write(void)
{
	bench_copy(COPY_WRITE_SHARE, RF_PLACE_LOCAL, 32);
}

static void bench_copy_read_250ns(void)
{
	bench_copy(COPY_READ_SHARE_250NS, RF_PLACE_SYSTEM, 31);
}

static void bench_copy_read_1us(void)
{
	bench_copy(COPY_READ_SHARE_1US, RF_PLACE_SYSTEM, 125);
}

static void bench_copy_read_4us(void)
{
	bench_copy(COPY_READ_SHARE_4US, RF_PLACE_SYSTEM, 500);
}

/* --- interrupts, with the driver --------------------------------------------------------------------- */

struct job {
	struct rf_setup setup;
	struct rf_queue *queue;
	struct rf_fence *fence;
	struct rf_commands *commands;
};

static void job_open(struct job *job)
{
	must(rf_setup_create(&job->setup, NULL, NULL), "set-up");
	must(rf_queue_create(job->setup.device, RF_ENGINE_COPY, 16, 0, &job->queue), "queue");
	must(rf_fence_create(job->setup.device, RF_FENCE_DEFAULT, 0, 0, &job->fence), "fence");
	must(rf_commands_create(job->queue, INTERRUPT_SIGNALS * RF_PACKET_SIGNAL_WORDS_MAX * 8,
				RF_MEMORY_SYSTEM, &job->commands),
	     "commands");
}

static void job_close(struct job *job)
{
	rf_fence_destroy(job->fence);
	rf_queue_destroy(job->queue);
	rf_commands_destroy(job->commands);
	must(rf_setup_destroy(&job->setup), "the end");
}

static bool world_idle(void *context)
{
	return rfsim_idle(context);
}

static uint64_t interrupts(struct job *job)
{
	struct rfsim_statistics statistics;

	rfsim_statistics(job->setup.sim, &statistics);
	return statistics.transmit.tlps[RFSIM_TLP_MSI];
}

/* Signals 1, 2, 3, ... in one submission; the number of MSI-X that they caused. */
static uint64_t signal_all(struct job *job)
{
	uint64_t before = interrupts(job);
	unsigned int i;

	for (i = 1; i <= INTERRUPT_SIGNALS; i++)
		rf_command_signal(job->commands, job->fence, i);
	must(rf_queue_submit(job->queue, job->commands), "submission");
	must(rfsim_run_until(job->setup.world, world_idle, job->setup.world, 10000000), "signals");
	must(rf_fence_value(job->fence) == INTERRUPT_SIGNALS ? 0 : -EIO, "signals");
	return interrupts(job) - before;
}

static void bench_unwaited(void)
{
	struct job job;

	job_open(&job);
	set(INTERRUPTS_UNWAITED, (double)signal_all(&job), "signals back to back");
	job_close(&job);
}

/* A thousand CPU waits, one for each value, are pending when the signals begin. */
static uint64_t interrupts_all_pending(void)
{
	struct rf_event *event;
	struct job job;
	uint64_t value, count;

	job_open(&job);
	must(rf_event_create(job.setup.device, &event), "event");
	for (value = 1; value <= INTERRUPT_SIGNALS; value++)
		must(rf_fences_notify(&job.fence, &value, 1, RF_WAIT_ALL, event), "wait");
	count = signal_all(&job);
	rf_event_destroy(event);
	job_close(&job);
	return count;
}

/* One after the other: submit a signal, wait for it. */
static void bench_waited(void)
{
	struct job job;
	uint64_t value, before;

	job_open(&job);
	before = interrupts(&job);
	for (value = 1; value <= INTERRUPT_SIGNALS; value++) {
		rf_command_signal(job.commands, job.fence, value);
		must(rf_queue_submit(job.queue, job.commands), "submission");
		must(rf_fence_wait(job.fence, value, RF_TIMEOUT_NONE), "wait");
		must(rfsim_run_until(job.setup.world, world_idle, job.setup.world, 10000), "rest");
		rf_commands_reset(job.commands);
	}
	set(INTERRUPTS_WAITED, (double)(interrupts(&job) - before),
	    "waited for one by one; signals back to back, a wait for each pending: %" PRIu64,
	    interrupts_all_pending());
	job_close(&job);
}

/* --- interrupts off -------------------------------------------------------------------------------------- */

#define HELD_QUEUES 200

/*
 * Rounds of loops of the driver, over lists or until a register changes, in one hold of its
 * spinlocks: with a crowd of queues and of waits, some looks of the watch, and a sleep.
 */
static void bench_held(void)
{
	struct rf_queue *queues[HELD_QUEUES];
	struct rf_event *event;
	struct job job;
	uint64_t value;
	unsigned int i;

	job_open(&job);
	rf_hosted_longest_hold();
	must(rf_event_create(job.setup.device, &event), "event");
	for (i = 0; i < HELD_QUEUES; i++)
		must(rf_queue_create(job.setup.device, i % 2 ? RF_ENGINE_COPY : RF_ENGINE_COMPUTE,
				     16, 0, &queues[i]),
		     "queue");
	for (value = 1; value <= INTERRUPT_SIGNALS; value++)
		must(rf_fences_notify(&job.fence, &value, 1, RF_WAIT_ALL, event), "wait");
	signal_all(&job);
	for (i = 0; i < 4; i++)
		rf_hosted_watch_progress(job.setup.hosted_device, i * 1000000000ull);
	must(rf_hosted_sleep(job.setup.hosted_device), "sleep");
	must(rf_hosted_wake(job.setup.hosted_device), "wake");
	for (i = 0; i < HELD_QUEUES; i++)
		rf_queue_destroy(queues[i]);
	rf_event_destroy(event);
	job_close(&job);
	set(HELD_ROUNDS, rf_hosted_longest_hold(), "%u queues, %u waits, D3 and back", HELD_QUEUES,
	    INTERRUPT_SIGNALS);
}

/* --- the simulator -------------------------------------------------------------------------------------- */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A device that copies; this one number differs from run to run. */
static void bench_speed(void)
{
	struct rfsim_config config;
	struct bench bench;
	double share[2], start;
	uint64_t cycles;

	rfsim_config_init(&config);
	bench_open(&bench, &config, RF_PLACE_SYSTEM);
	cycles = rfsim_cycle(bench.conform.setup.world);
	start = now();
	run_copy(&bench, RF_PLACE_SYSTEM, share);
	cycles = rfsim_cycle(bench.conform.setup.world) - cycles;
	set(SIMULATED_SPEED, (double)cycles / (now() - start), "of real time, not deterministic");
	bench_close(&bench);
}

/* --- all of them ------------------------------------------------------------------------------------------ */

/* --- preemption ------------------------------------------------------------------------------ */

#define PREEMPT_BYTES (64u << 10)
#define PREEMPTIONS 40u /* instants at which each is preempted: 520 cycles, every phase of 16 */

/* When the last beat of a write of SLOT_CONTROL came. */
static uint64_t controlled(struct bench *bench, unsigned int slot)
{
	struct rfsim_bar bar;

	must(rfsim_bar(bench->conform.setup.sim, 0, &bar), "BAR 0");
	return rf_recorder_tlp(bench->recorder, RFSIM_RECEIVE,
			       bar.address + RF_REG_SLOT_CONTROL(slot), 8, 0)
		->last_cycle;
}

/* Page walks are measured by ring_to_read_cold. */
static void warm_pages(struct rf_dev *dev, unsigned int vmid, struct rf_spot spot, uint64_t bytes)
{
	uint64_t offset;

	for (offset = 0; offset < bytes; offset += 4096)
		rf_dev_warm(dev, 1, vmid, rf_spot_at(spot, offset));
	rf_dev_warm(dev, 1, vmid, rf_spot_at(spot, bytes - 8));
}

static void record_work(enum key key, struct rf_dev_queue *queue)
{
	struct rf_dev *dev = queue->dev;
	struct rf_spot fence = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 8);
	struct rf_spot never = rf_dev_alloc(dev, RF_PLACE_LOCAL, 8, 8);
	struct rf_spot from = rf_dev_alloc(dev, RF_PLACE_SYSTEM, PREEMPT_BYTES, 4096);
	struct rf_spot to = rf_dev_alloc(dev, RF_PLACE_SYSTEM, PREEMPT_BYTES, 4096);
	const uint64_t copy[] = { rf_dev_address(dev, 1, to), rf_dev_address(dev, 1, from),
				  PREEMPT_BYTES };
	const uint64_t fill[] = { copy[0], PREEMPT_BYTES, 0 };
	const uint64_t add[] = { copy[0], copy[1], PREEMPT_BYTES / 4, copy[1] };
	unsigned int i;

	rf_dev_write(dev, never, RF_MONITORED_NONE);
	warm_pages(dev, 1, queue->ring, 16 * sizeof(struct rf_ring_entry));
	warm_pages(dev, 1, queue->commands, RF_DEV_COMMAND_BYTES);
	switch (key) {
	case PREEMPT_SIGNALS:
		warm_pages(dev, 1, never, 8);
		warm_pages(dev, 0, queue->signal_log, 4096);
		/* fall through */
	case PREEMPT_WAIT:
		warm_pages(dev, 1, fence, 8);
		break;
	case PREEMPT_COPY:
	case PREEMPT_FILL:
	case PREEMPT_VECTOR:
		warm_pages(dev, 1, from, PREEMPT_BYTES);
		warm_pages(dev, 1, to, PREEMPT_BYTES);
		break;
	default:
		break;
	}
	switch (key) {
	case PREEMPT_SIGNALS:
		for (i = 0; i < 14 * 12; i++) {
			rf_dev_signal(queue, fence, i + 1, never, i % 4 ? RF_DEV_NO_LOG : 0);
			if (i % 12 == 11)
				rf_dev_append(queue);
		}
		break;
	case PREEMPT_WAIT:
		rf_dev_wait(queue, fence, 1, RF_DEV_NO_LOG);
		rf_dev_append(queue);
		break;
	case PREEMPT_COPY:
	case PREEMPT_FILL:
	case PREEMPT_VECTOR: /* two, one waits at the engine */
		for (i = 0; i < 2; i++) {
			if (key == PREEMPT_COPY)
				rf_dev_packet(queue, RF_OPCODE_COPY, 0, 0, copy, 3);
			else if (key == PREEMPT_FILL)
				rf_dev_packet(queue, RF_OPCODE_FILL, 0, 0, fill, 3);
			else
				rf_dev_packet(queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_ADD,
					      add, 4);
		}
		rf_dev_append(queue);
		break;
	default:
		break;
	}
}

/*
 * From the write of PREEMPT to the MSI-X of its record; everything but what runs is
 * local, and every translation is known. The worst of several instants. With the signals
 * it is restored as well.
 */
static void bench_preempt_of(enum key key)
{
	const uint64_t slot = 3, control = RF_REG_SLOT_CONTROL(slot);
	uint64_t worst = 0, best = UINT64_MAX, resumed = 0;
	struct rfsim_config config;
	struct rf_dev_queue queue;
	struct bench bench;
	struct rf_spot save;
	unsigned int i;

	rfsim_config_init(&config);
	RF_CHECK_EQUAL(&bench.conform, config.port.read_latency_max, READ_LATENCY, "read latency");
	for (i = 0; i < PREEMPTIONS; i++) {
		struct rf_dev *dev = &bench.dev;
		uint64_t written, cycles;

		bench_open(&bench, &config, RF_PLACE_LOCAL);
		rf_dev_queue_open(&queue, dev, slot,
				  key == PREEMPT_VECTOR ? RF_NODE_COMPUTE : RF_NODE_COPY, 1,
				  RF_PLACE_LOCAL);
		if (key == PREEMPT_SIGNALS)
			rf_dev_queue_logs(&queue, RF_PLACE_LOCAL, 8);
		save = rf_dev_alloc(dev, RF_PLACE_LOCAL, 256, 256);
		rf_dev_register_write(dev, RF_REG_SLOT_SAVE_ADDRESS(slot),
				      rf_dev_address(dev, 0, save));
		warm_pages(dev, 0, save, 256);
		warm_pages(dev, 0, dev->interrupt_ring, 64);
		record_work(key, &queue);
		rf_dev_settle(dev);
		if (!i)
			wave_begin(&bench, key);
		if (key != PREEMPT_IDLE)
			rf_dev_ring(&queue);
		rf_dev_run(dev, 150 + 13 * i);
		rf_recorder_begin(bench.recorder);
		rf_dev_register_write(dev, control, RF_SLOT_CONTROL_PREEMPT_MASK);
		rf_dev_settle(dev);
		rf_recorder_end(bench.recorder);
		wave_end(&bench);
		written = controlled(&bench, slot);
		cycles = msix(&bench, written) - written;
		worst = cycles > worst ? cycles : worst;
		best = cycles < best ? cycles : best;
		if (key == PREEMPT_SIGNALS) {
			dev->consumer++;
			rf_dev_consume(dev);
			rf_dev_settle(dev);
			rf_recorder_begin(bench.recorder);
			rf_dev_register_write(dev, control, RF_SLOT_CONTROL_RESTORE_MASK);
			rf_dev_settle(dev);
			rf_recorder_end(bench.recorder);
			written = controlled(&bench, slot);
			cycles = rf_recorder_event(bench.recorder, RF_EVENT_FENCE(RF_NODE_COPY),
						   written, 0) -
				 written;
			resumed = cycles > resumed ? cycles : resumed;
			rf_dev_finish(&queue);
		}
		bench_close(&bench);
	}
	set(key, (double)worst, "to the record's MSI-X; at best %" PRIu64, best);
	if (key == PREEMPT_SIGNALS)
		set(RESUME_TO_PACKET, (double)resumed, "from RESTORE; context and queue are local");
}

static void bench_preempt(void)
{
	enum key key;

	for (key = PREEMPT_IDLE; key <= PREEMPT_VECTOR; key++) {
		if (wanted(key) || (key == PREEMPT_SIGNALS && wanted(RESUME_TO_PACKET)))
			bench_preempt_of(key);
	}
}

static const struct {
	void (*run)(void);
	enum key first, last; /* the keys that it measures */
} benches[] = {
	{ bench_signal, RING_TO_READ, VALUE_TO_MSIX_SYSTEM },
	{ bench_release, RELEASE_LOCAL, RELEASE_SYSTEM },
	{ bench_preempt, PREEMPT_IDLE, RESUME_TO_PACKET },
	{ bench_copy_split, COPY_SPLIT, COPY_SPLIT },
	{ bench_signal_interval, SIGNAL_INTERVAL, SIGNAL_INTERVAL },
	{ bench_signal_wire, SIGNAL_SHARE, SIGNAL_SHARE },
	{ bench_signal_logged_wire, SIGNAL_LOGGED_SHARE, SIGNAL_LOGGED_SHARE },
	{ bench_copy_write, COPY_WRITE_SHARE, COPY_WRITE_SHARE },
	{ bench_copy_read_250ns, COPY_READ_SHARE_250NS, COPY_READ_SHARE_250NS },
	{ bench_copy_read_1us, COPY_READ_SHARE_1US, COPY_READ_SHARE_1US },
	{ bench_copy_read_4us, COPY_READ_SHARE_4US, COPY_READ_SHARE_4US },
	{ bench_unwaited, INTERRUPTS_UNWAITED, INTERRUPTS_UNWAITED },
	{ bench_waited, INTERRUPTS_WAITED, INTERRUPTS_WAITED },
	{ bench_held, HELD_ROUNDS, HELD_ROUNDS },
	{ bench_speed, SIMULATED_SPEED, SIMULATED_SPEED },
};

static void run_benches(void)
{
	enum key key;
	size_t i;

	for (i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		for (key = benches[i].first; key <= benches[i].last; key++) {
			if (wanted(key))
				break;
		}
		if (key <= benches[i].last)
			benches[i].run();
	}
}

/* --- what it prints ------------------------------------------------------------------------------------- */

static void print_aim(char *text, size_t bytes, enum key key)
{
	text[0] = 0;
	if (keys[key].aim != AIM_NONE)
		snprintf(text, bytes, "%s %g",
			 keys[key].aim == AIM_AT_MOST ? "<=" : ">=", keys[key].bound);
}

static void print_table(void)
{
	char value[32], aim[32];
	enum key key;

	printf("%-37s %10s %-12s %-9s %-7s %s\n", "key", "value", "unit", "aim", "", "note");
	for (key = 0; key < KEYS; key++) {
		if (!wanted(key))
			continue;
		if (!results[key].measured) {
			printf("%-37s %10s %s\n", keys[key].name, "-", "not measured");
			continue;
		}
		snprintf(value, sizeof(value), "%.*f", keys[key].digits, results[key].value);
		print_aim(aim, sizeof(aim), key);
		printf("%-37s %10s %-12s %-9s %-7s %s\n", keys[key].name, value, keys[key].unit,
		       aim,
		       keys[key].aim == AIM_NONE ? "stated"
		       : met(key)		 ? "met"
						 : "missed",
		       results[key].note);
	}
}

static void print_json(FILE *file)
{
	const char *separator = "";
	char value[32], aim[32];
	enum key key;

	fprintf(file, "{\n");
	for (key = 0; key < KEYS; key++) {
		if (!wanted(key) || !results[key].measured)
			continue;
		snprintf(value, sizeof(value), "%.*f", keys[key].digits, results[key].value);
		print_aim(aim, sizeof(aim), key);
		fprintf(file,
			"%s  \"%s\": {\"value\": %s, \"unit\": \"%s\", \"aim\": %s%s%s, \"met\": %s, "
			"\"note\": \"%s\"}",
			separator, keys[key].name, value, keys[key].unit, aim[0] ? "\"" : "",
			aim[0] ? aim : "null", aim[0] ? "\"" : "",
			keys[key].aim == AIM_NONE ? "null"
			: met(key)		  ? "true"
						  : "false",
			results[key].note);
		separator = ",\n";
	}
	fprintf(file, "\n}\n");
}

static int write_json(const char *path)
{
	FILE *file = rf_output_open(path);

	if (!file)
		return -EIO;
	print_json(file);
	return rf_output_close(file, path);
}

int rf_main_bench(int argc, char **argv)
{
	const char *device = NULL, *output = NULL;
	uint64_t instructions = 0;
	bool json = false;
	const struct rf_option options[] = {
		{ "device", .text = &device },
		{ "json", .flag = &json },
		{ "output", .text = &output },
		{ "filter", .text = &filter },
		{ "waves", .text = &waves },
		{ "submit-instructions", .number = &instructions },
		{ 0 },
	};
	int error;

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	if (device && (output || waves || instructions)) {
		fprintf(stderr,
			"ringfence: --output, --waves and --submit-instructions are not for a "
			"device\n%s",
			usage);
		return 2;
	}
	if (device)
		return rf_bench_device(device, filter, json);
	if (instructions)
		set(SUBMIT_INSTRUCTIONS, (double)instructions,
		    "callgrind, up to and with the doorbell store");
	if (waves && rf_wave_prepare())
		return 1;
	run_benches();
	if (json)
		print_json(stdout);
	else
		print_table();
	error = output ? write_json(output) : 0;
	return error ? 1 : 0;
}
