// SPDX-License-Identifier: Apache-2.0
/* How long the device takes to save a queue during each kind of work, and to restore it. */
#include <inttypes.h>

#include "bench.h"
#include "rf_bus.h"

#define PREEMPT_BYTES (64u << 10)
#define PREEMPTIONS 40u /* instants at which each is preempted: 520 cycles, every phase of 16 */

/* When the last beat of a write of SLOT_CONTROL came. */
static uint64_t controlled(struct rf_bench *bench, unsigned int slot)
{
	struct rfsim_bar bar;

	rf_bench_must(rfsim_bar(bench->conform.setup.world.sim, 0, &bar), "BAR 0");
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
	struct rf_bench bench;
	struct rf_spot save;
	unsigned int i;

	rfsim_config_init(&config);
	RF_CHECK_EQUAL(&bench.conform, config.port.read_latency_max, READ_LATENCY, "read latency");
	for (i = 0; i < PREEMPTIONS; i++) {
		struct rf_dev *dev = &bench.dev;
		uint64_t written, cycles;

		rf_bench_open(&bench, &config, RF_PLACE_LOCAL);
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
			rf_bench_wave_begin(&bench, key);
		if (key != PREEMPT_IDLE)
			rf_dev_ring(&queue);
		rf_dev_run(dev, 150 + 13 * i);
		rf_recorder_begin(bench.recorder);
		rf_dev_register_write(dev, control, RF_SLOT_CONTROL_PREEMPT_MASK);
		rf_dev_settle(dev);
		rf_recorder_end(bench.recorder);
		rf_bench_wave_end();
		written = controlled(&bench, slot);
		cycles = rf_bench_msix(&bench, written) - written;
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
		rf_bench_close(&bench);
	}
	rf_bench_set(key, (double)worst, "to the record's MSI-X; at best %" PRIu64, best);
	if (key == PREEMPT_SIGNALS)
		rf_bench_set(RESUME_TO_PACKET, (double)resumed,
			     "from RESTORE; context and queue are local");
}

void rf_bench_preempt(void)
{
	enum key key;

	for (key = PREEMPT_IDLE; key <= PREEMPT_VECTOR; key++) {
		if (rf_bench_wanted(key) ||
		    (key == PREEMPT_SIGNALS && rf_bench_wanted(RESUME_TO_PACKET)))
			bench_preempt_of(key);
	}
}
