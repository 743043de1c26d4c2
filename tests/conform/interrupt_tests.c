// SPDX-License-Identifier: Apache-2.0
/* The interrupt ring and its vector: told once, told always, and told of what is lost. */
#include "dev.h"

#include <string.h>

#include "rf_bus.h"

#define NONE RF_MONITORED_NONE
#define VECTOR_BYTES 16 /* of the MSI-X table */
#define VECTOR_MASK 12 /* byte offset of vector control in an entry */

/* One signal with a waiter per call, with increasing values. */
static void interrupting_signal(struct rf_dev_queue *queue, struct rf_spot cv, uint64_t value,
				struct rf_spot mv)
{
	rf_dev_signal(queue, cv, value, mv, RF_DEV_NO_LOG);
	rf_dev_submit(queue);
}

/* --- firing -------------------------------------------------------------------------------- */

/* The vector fires when the ring goes from caught up to not, and not again. */
static void fires_once_until_consumed(struct rf_conform *conform)
{
	struct rf_interrupt_record records[8];
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	enum rf_place place;
	struct rf_dev dev;
	unsigned int i;

	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		rf_conform_restart(conform, NULL);
		rf_dev_open(&dev, conform, place);
		rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		for (i = 1; i <= 5; i++) {
			interrupting_signal(&queue, cv, i, mv);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts");
		}
		RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 8), 5, "records");
		for (i = 0; i < 5; i++)
			RF_CHECK_EQUAL(conform, records[i].value, i + 1, "value");
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts after all were taken");
		interrupting_signal(&queue, cv, 6, mv);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts, 2, "interrupts");

		/* Taken in part: what is left fires at once. */
		interrupting_signal(&queue, cv, 7, mv);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts, 2, "interrupts");
		RF_CHECK(conform, rf_dev_record(&dev, records), "no record");
		rf_dev_consume(&dev);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts, 3, "interrupts for what was left");
		rf_dev_close(&dev);
	}
}

struct rearm {
	struct rf_dev *dev;
	uint32_t consumer;
};

static void consume_action(void *context)
{
	struct rearm *rearm = context;

	rf_dev_register_write(rearm->dev, RF_REG_INTERRUPT_CONSUMER, rearm->consumer);
}

static void ring_action(void *queue)
{
	rf_dev_ring_now(queue);
}

/*
 * The host writes its consumer index in every cycle around the one in which the next
 * record is performed. Whatever the order, the record is followed by an interrupt.
 */
static void rearm_races_record(struct rf_conform *conform)
{
	unsigned int races = 0;
	enum rf_place place;
	int after;

	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_dev_queue queue;
		struct rfsim_world *world;
		struct rf_spot cv, mv;
		struct rf_dev dev;

		rf_conform_restart(conform, NULL);
		world = conform->setup.world.simulation;
		rf_dev_open(&dev, conform, place);
		rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		for (after = 0; after < 200; after++) {
			struct rf_interrupt_record record;
			struct rearm rearm = { .dev = &dev };
			unsigned int before;
			uint64_t start;

			/* The first record: interrupt taken, vector not yet armed again. */
			interrupting_signal(&queue, cv, 2 * after + 1, mv);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			RF_CHECK(conform, rf_dev_record(&dev, &record), "no first record");
			before = dev.interrupts;
			rearm.consumer = dev.consumer;

			rf_dev_signal(&queue, cv, 2 * after + 2, mv, RF_DEV_NO_LOG);
			rf_dev_append(&queue);
			rf_dev_flush(&dev);
			start = rfsim_cycle(world) + 8;
			rfsim_at(world, start, ring_action, &queue);
			rfsim_at(world, start + after, consume_action, &rearm);
			rf_dev_run(&dev, 8 + after);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			RF_CHECK(conform, dev.interrupts == before + 1,
				 "re-armed %d cycles after the ring: %u interrupts for the second "
				 "record",
				 after, dev.interrupts - before);
			RF_CHECK(conform, rf_dev_record(&dev, &record), "no second record");
			RF_CHECK_EQUAL(conform, record.value, 2 * after + 2, "value");
			rf_dev_consume(&dev);
			rf_dev_settle(&dev);
			RF_CHECK_EQUAL(conform, dev.interrupts, before + 1,
				       "interrupts after all were taken");
			races++;
		}
		rf_dev_close(&dev);
	}
	rf_conform_note(conform, "%u races", races);
}

/* Six command buffers for each queue, of twelve signals each, numbered from this one on. */
static void ring_signals(struct rf_dev_queue *queues, const struct rf_spot *cv, struct rf_spot mv,
			 uint64_t value)
{
	unsigned int i, j;

	for (i = 0; i < 2; i++) {
		for (j = 0; j < 72; j++) {
			rf_dev_signal(&queues[i], cv[i], value + j, mv, RF_DEV_NO_LOG);
			if (j % 12 == 11)
				rf_dev_append(&queues[i]);
		}
		rf_dev_ring(&queues[i]);
	}
}

/*
 * A stream of records with a host that takes them at any time: all arrive, in order. Never
 * are there more than a ring of 256 has room for behind its reserve, so a slow host loses
 * none.
 */
static void no_record_is_lost(struct rf_conform *conform)
{
	unsigned int world, total = 0;

	for (world = 0; world < 6; world++) {
		struct rfsim_config config;
		struct rf_interrupt_record record;
		struct rf_dev_queue queues[2];
		struct rf_spot cv[2], mv;
		uint64_t next[2] = { 1, 1 };
		unsigned int i, taken, rung = 0;
		struct rf_dev dev;

		rfsim_config_random(&config, conform->seed * 10 + world);
		rf_conform_restart(conform, &config);
		rf_dev_open(&dev, conform, world & 1);
		mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		for (i = 0; i < 2; i++) {
			rf_dev_queue_open(&queues[i], &dev, i, i, 1, RF_PLACE_LOCAL);
			cv[i] = rf_dev_alloc(&dev, i, 8, 64);
		}
		/* The host sleeps until it is interrupted: a lost one would stop it. */
		for (taken = 0; taken < 288;) {
			unsigned int seen = dev.interrupts, looks;

			if (taken == rung) {
				ring_signals(queues, cv, mv, rung / 2 + 1);
				rung += 144;
			}
			for (looks = 0; looks < 16 && rf_dev_record(&dev, &record); looks++) {
				i = record.handle - RF_DEV_HANDLE(0);
				RF_CHECK(conform, i < 2 && record.value == next[i],
					 "record %u: queue %u, value %llu", taken, i,
					 (unsigned long long)record.value);
				next[i]++;
				taken++;
			}
			rf_dev_consume(&dev);
			for (looks = 0; taken < rung && dev.interrupts == seen; looks++) {
				RF_CHECK(conform, looks < 4000, "no interrupt after %u records",
					 taken);
				rf_dev_run(&dev, 10);
			}
		}
		rf_dev_finish(&queues[0]);
		rf_dev_finish(&queues[1]);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_OVERFLOW), 0,
			       "overflow");
		total += taken;
		rf_dev_close(&dev);
	}
	rf_conform_note(conform, "%u records in six worlds of random latency", total);
}

/* --- overflow --------------------------------------------------------------------------------- */

/*
 * A host that takes nothing: fence records beyond the room for them are dropped
 * under the sticky flag, never over records that are not taken, and the room kept
 * back takes a queue's error. Each time that it re-arms with the flag set, the host
 * is interrupted, so that it evaluates every waiter.
 */
static void overflow_is_told(struct rf_conform *conform)
{
	const unsigned int entries = 256, room = entries - RF_INTERRUPT_RESERVED;
	struct rf_interrupt_record records[256];
	struct rf_dev_queue queue, bad;
	unsigned int i, count, before;
	struct rf_spot cv, mv;
	enum rf_place place;
	struct rf_dev dev;

	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		rf_conform_restart(conform, NULL);
		rf_dev_open(&dev, conform, place);
		rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		rf_dev_queue_open(&bad, &dev, 1, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
		cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		for (i = 1; i <= room + 8;) {
			unsigned int j;

			for (j = 0; j < 10; j++, i++)
				rf_dev_signal(&queue, cv, i, mv, RF_DEV_NO_LOG);
			rf_dev_submit(&queue);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_OVERFLOW),
				       i - 1 > room, "overflow");
		}
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_PRODUCER), room,
			       "records, the reserve is not for fences");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), i - 1, "CurrentValue goes on");
		RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts");

		rf_dev_packet(&bad, 0xff, 0, 0, NULL, 0);
		rf_dev_submit(&bad);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_PRODUCER), room + 1,
			       "records with the queue's error");

		before = dev.interrupts;
		count = rf_dev_records(&dev, records, 256); /* re-arms */
		RF_CHECK_EQUAL(conform, count, room + 1, "records");
		for (i = 0; i < room; i++)
			RF_CHECK_EQUAL(conform, records[i].value, i + 1, "value");
		RF_CHECK_EQUAL(conform, records[room].kind, RF_RECORD_KIND_QUEUE_ERROR, "kind");
		RF_CHECK_EQUAL(conform, records[room].detail, RF_QUEUE_ERROR_OPCODE, "detail");
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts, before + 1,
			       "interrupts for the flag alone");

		rf_dev_register_write(&dev, RF_REG_INTERRUPT_OVERFLOW, 1);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_OVERFLOW), 0,
			       "overflow, cleared");
		rf_dev_consume(&dev);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts, before + 1, "interrupts after that");
		interrupting_signal(&queue, cv, 1000, mv);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 256), 1, "records");
		RF_CHECK_EQUAL(conform, records[0].value, 1000, "value");
		rf_dev_close(&dev);
	}
}

/* The ring lies in a circle: many times its size passes through it. */
static void ring_goes_round(struct rf_conform *conform)
{
	struct rf_interrupt_record records[64];
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	uint64_t value = 0;
	unsigned int i, round;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
	cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	for (round = 0; round < 50; round++) {
		for (i = 0; i < 15; i++)
			rf_dev_signal(&queue, cv, value + i + 1, mv, RF_DEV_NO_LOG);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 64), 15, "records");
		for (i = 0; i < 15; i++)
			RF_CHECK_EQUAL(conform, records[i].value, ++value, "value");
	}
}

/* --- the vector ----------------------------------------------------------------------------------- */

static uint32_t pending(struct rf_dev *dev)
{
	return (uint32_t)rf_bus_read64(dev->bus, RF_BAR_MSIX, RF_MSIX_PBA_OFFSET);
}

static void mask(struct rf_dev *dev, unsigned int vector, bool masked)
{
	dev->bus->ops->write32(dev->bus, RF_BAR_MSIX, vector * VECTOR_BYTES + VECTOR_MASK, masked);
	rf_dev_flush(dev);
}

/* Masked, the vector pends, whatever number of records come; unmasked, it fires once. */
static void masked_vector_pends(struct rf_conform *conform)
{
	struct rf_interrupt_record records[8];
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_need_dma(&dev);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	mask(&dev, 0, true);
	RF_CHECK_EQUAL(conform, pending(&dev), 0, "pending");
	for (i = 1; i <= 3; i++) {
		interrupting_signal(&queue, cv, i, mv);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 8), 1, "records");
		RF_CHECK_EQUAL(conform, pending(&dev), 1, "pending");
		RF_CHECK_EQUAL(conform, dev.interrupts, 0, "interrupts while masked");
	}
	mask(&dev, 0, false);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts once unmasked");
	RF_CHECK_EQUAL(conform, pending(&dev), 0, "pending");
	interrupting_signal(&queue, cv, 9, mv);
	rf_dev_finish(&queue);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, dev.interrupts, 2, "interrupts");
}

/* The mask falls and rises in every cycle around the request: it fires exactly once. */
static void mask_races_request(struct rf_conform *conform)
{
	struct rf_interrupt_record record;
	const unsigned int stretch = rf_conform_stretch(conform);
	unsigned int after, requests = 0, masked = 0;
	struct rf_dev_queue queue;
	struct rfsim_world *world;
	struct rf_spot cv, mv;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	world = conform->setup.world.simulation;
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	for (after = 0; after < 150 * stretch; after += stretch) {
		unsigned int before = dev.interrupts;

		rf_dev_signal(&queue, cv, ++requests, mv, RF_DEV_NO_LOG);
		rf_dev_append(&queue);
		rf_dev_flush(&dev);
		rfsim_at(world, rfsim_cycle(world), ring_action, &queue);
		rf_dev_run(&dev, after);
		dev.bus->ops->write32(dev.bus, RF_BAR_MSIX, VECTOR_MASK, 1);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts - before + pending(&dev), 1,
			       "interrupts and pending bits");
		masked += pending(&dev);
		mask(&dev, 0, false);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, dev.interrupts - before, 1, "interrupts");
		RF_CHECK_EQUAL(conform, pending(&dev), 0, "pending");
		RF_CHECK(conform, rf_dev_record(&dev, &record), "no record");
		rf_dev_consume(&dev);
	}
	RF_CHECK(conform, masked && masked < requests, "%u of %u were masked", masked, requests);
	rf_conform_note(conform, "%u requests, %u masked before they were sent", requests, masked);
}

static unsigned int fired[RF_MSIX_VECTORS];

static void count_vector(void *argument, unsigned int vector)
{
	(void)argument;
	fired[vector]++;
}

/* The self-test register raises any vector, and any number of them together. */
static void self_test_raises_any_vector(struct rf_conform *conform)
{
	unsigned int vector, set, i;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_need_dma(&dev);
	memset(fired, 0, sizeof(fired));
	for (vector = 0; vector < RF_MSIX_VECTORS; vector++)
		RF_CHECK_EQUAL(conform,
			       dev.bus->ops->request_interrupt(dev.bus, vector, count_vector, NULL),
			       0, "request_interrupt");
	for (set = 1; set < 1u << RF_MSIX_VECTORS; set++) {
		memset(fired, 0, sizeof(fired));
		rf_dev_register_write(&dev, RF_REG_DEVICE_INTERRUPT_TEST, set);
		rf_dev_settle(&dev);
		for (i = 0; i < RF_MSIX_VECTORS; i++)
			RF_CHECK_EQUAL(conform, fired[i], set >> i & 1,
				       "times that a vector fired");
	}
	/* Masked ones pend, the others do not wait for them. */
	memset(fired, 0, sizeof(fired));
	mask(&dev, 1, true);
	rf_dev_register_write(&dev, RF_REG_DEVICE_INTERRUPT_TEST, (1u << RF_MSIX_VECTORS) - 1);
	rf_dev_settle(&dev);
	for (i = 0; i < RF_MSIX_VECTORS; i++)
		RF_CHECK_EQUAL(conform, fired[i], i != 1, "times that a vector fired");
	RF_CHECK_EQUAL(conform, pending(&dev), 2, "pending");
	mask(&dev, 1, false);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, fired[1], 1, "times that the masked vector fired");
	for (vector = 1; vector < RF_MSIX_VECTORS; vector++)
		dev.bus->ops->free_interrupt(dev.bus, vector);
}

#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_interrupt_tests[] = {
	{ "S0-13.fires_once_until_consumed", "S0-43", RF_CONFORM_DEV, 0,
	  fires_once_until_consumed },
	{ "S0-43.rearm_races_record", "S0-13", RF_CONFORM_DEV, SIM, rearm_races_record },
	{ "S0-43.no_record_is_lost", "S0-13 S0-64", RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  no_record_is_lost },
	{ "S0-68.overflow_is_told", "S0-43 S0-66", RF_CONFORM_DEV, 0, overflow_is_told },
	{ "device.interrupt_ring_goes_round", NULL, RF_CONFORM_DEV, 0, ring_goes_round },
	{ "S0-43.masked_vector_pends", "S0-13", RF_CONFORM_DEV, 0, masked_vector_pends },
	{ "S0-43.mask_races_request", "S0-13", RF_CONFORM_DEV, SIM, mask_races_request },
	{ "device.self_test_raises_any_vector", NULL, RF_CONFORM_DEV, 0,
	  self_test_raises_any_vector },
	{ 0 },
};
