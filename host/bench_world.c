// SPDX-License-Identifier: Apache-2.0
/* A device without a driver, and when what it does is seen on its link and in its memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "rf_bus.h"
#include "rf_sim_bus.h"
#include "wave.h"

void rf_bench_open(struct rf_bench *bench, const struct rfsim_config *config, enum rf_place ring)
{
	struct rf_conform *conform = &bench->conform;
	struct rf_setup *setup = &conform->setup;

	memset(bench, 0, sizeof(*bench));
	rf_bench_must(rf_setup_create_bus(setup, config, NULL), "simulation");
	conform->bus = setup->world.bus;
	rf_dev_open(&bench->dev, conform, ring);
	bench->recorder = rf_recorder_create(setup->world.sim);
	rf_bench_must(bench->recorder ? 0 : -ENOMEM, "recorder");
}

void rf_bench_close(struct rf_bench *bench)
{
	const char *violation = rfsim_world_check(bench->conform.setup.world.simulation);

	RF_CHECK(&bench->conform, !violation, "the device broke a rule: %s", violation);
	rf_recorder_destroy(bench->recorder);
	rf_dev_close(&bench->dev);
	rf_sim_bus_destroy(bench->conform.bus);
	rfsim_world_destroy(bench->conform.setup.world.simulation);
}

/* A wave of what @key is measured on, until rf_bench_wave_end(). */
void rf_bench_wave_begin(struct rf_bench *bench, enum key key)
{
	char *path = rf_bench_wave_path(key);

	if (!path)
		return;
	rf_bench_must(rf_wave_begin(bench->conform.setup.world.sim, path,
				    rfsim_cycle(bench->conform.setup.world.simulation)),
		      "wave");
	free(path);
}

void rf_bench_wave_end(void)
{
	rf_bench_must(rf_wave_end(), "wave");
}

/* Any number of words as one submission, written but not yet rung. */
void rf_bench_append(struct rf_dev_queue *queue, const uint64_t *words, unsigned int count)
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
void rf_bench_ring_and_settle(struct rf_bench *bench, struct rf_dev_queue *queue)
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
uint64_t rf_bench_performed(struct rf_bench *bench, struct rf_spot value, uint64_t from)
{
	if (value.place == RF_PLACE_SYSTEM)
		return rf_recorder_tlp(bench->recorder, RFSIM_POSTED,
				       system_bus(&bench->dev, value), 8, from)
			->first_cycle;
	/* The snoop sees a word one cycle after it is committed. */
	return rf_recorder_event(bench->recorder, RF_EVENT_SNOOP, from, 0) - 1;
}

uint64_t rf_bench_msix(struct rf_bench *bench, uint64_t from)
{
	return rf_recorder_tlp(bench->recorder, RFSIM_POSTED, RFSIM_MSI_BASE, RFSIM_MSI_BYTES, from)
		->first_cycle;
}

uint64_t rf_bench_ring_read(struct rf_bench *bench, const struct rf_dev_queue *queue)
{
	return rf_recorder_tlp(bench->recorder, RFSIM_READ, system_bus(&bench->dev, queue->ring),
			       queue->entries * 16, 0)
		->first_cycle;
}

/* When the last beat of the doorbell's TLP came. */
uint64_t rf_bench_rung(struct rf_bench *bench, const struct rf_dev_queue *queue)
{
	struct rfsim_bar bar;

	rf_bench_must(rfsim_bar(bench->conform.setup.world.sim, 0, &bar), "BAR 0");
	return rf_recorder_tlp(bench->recorder, RFSIM_RECEIVE,
			       bar.address + RF_DOORBELL_BASE + queue->doorbell * 4096ull, 8, 0)
		->last_cycle;
}
