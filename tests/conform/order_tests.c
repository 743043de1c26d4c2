// SPDX-License-Identifier: Apache-2.0
/*
 * What was handed over and has not happened: reads that the link does not accept, registers
 * written while a context is saved, records without a ring, commands given twice.
 */
#include <string.h>

#include "rf_bus.h"
#include "victim.h"

#define SLOT_WORD(name) (RF_REG_SLOT_##name(0) - RF_REG_SLOT_RING_BASE(0))

/* --- reads that the link does not accept ------------------------------------------------- */

static void hold_reads(struct rf_conform *conform, bool hold)
{
	struct rfsim_port_config port;

	rfsim_port_config(conform->setup.world.sim, &port);
	port.read_stall_percent = hold ? 100 : 0;
	RF_CHECK(conform, !rfsim_port_configure(conform->setup.world.sim, &port), "port");
}

static uint64_t reads_seen(struct rf_conform *conform)
{
	struct rfsim_statistics statistics;

	rfsim_statistics(conform->setup.world.sim, &statistics);
	return statistics.transmit.tlps[RFSIM_TLP_MEMORY_READ];
}

/*
 * Time runs for a read from its departure: one that waits for credits for longer than twice the
 * completion time-out is not lost, keeps its tag, and fails no queue.
 */
static void read_without_credits(struct rf_conform *conform)
{
	const unsigned int timeout = 3000, bytes = 16384;
	static const unsigned int waits[] = { 2500, 7000, 20000 };
	static uint8_t wanted[16384], found[16384];
	const unsigned int clock = rf_conform_clock(conform);
	struct rf_dev_queue queue;
	uint64_t reads;
	struct rf_spot from, to;
	unsigned int i, j, held = 0;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_register_write(&dev, RF_REG_DEVICE_COMPLETION_TIMEOUT, timeout);
	from = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, bytes, 4096);
	to = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, bytes, 4096);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	for (i = 0; i < 4 * RF_COUNT(waits); i++) {
		const uint64_t copy[] = { rf_dev_address(&dev, 1, to),
					  rf_dev_address(&dev, 1, from), bytes };

		for (j = 0; j < bytes; j++)
			wanted[j] = rf_conform_random(conform, 256);
		rf_dev_write_bytes(&dev, from, wanted, bytes);
		rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, copy, 3);
		rf_dev_submit(&queue);
		rf_dev_run(&dev, rf_conform_random(conform, 2000));
		hold_reads(conform, true);
		rf_dev_run(&dev,
			   waits[i / 4] * clock / 2); /* behind a link some have credits still */
		reads = reads_seen(conform);
		rf_dev_run(&dev, waits[i / 4] * clock / 2);
		held += rf_dev_queue_done(&queue) <= i && reads_seen(conform) == reads;
		hold_reads(conform, false);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		rf_dev_read_bytes(&dev, to, found, bytes);
		RF_CHECK(conform, !memcmp(wanted, found, bytes), "copy %u", i);
	}
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_COMPLETION_TIMEOUTS), 0,
		       "time-outs");
	RF_CHECK(conform, held >= 8, "%u copies were held up", held);
	rf_dev_close(&dev);
}

/*
 * Behind a link reads still go that have credits of before. A long copy by another queue, of another
 * VMID, uses them up, and then waits itself.
 */
static void use_up_credits(struct rf_dev_queue *reader, struct rf_dev *dev, unsigned int slot,
			   unsigned int vmid)
{
	struct rf_spot spot = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 32768, 4096);
	const uint64_t copy[] = { rf_dev_address(dev, vmid, spot) + 16384,
				  rf_dev_address(dev, vmid, spot), 16384 };

	rf_dev_queue_open(reader, dev, slot, RF_NODE_COPY, vmid, RF_PLACE_SYSTEM);
	rf_dev_packet(reader, RF_OPCODE_COPY, 0, 0, copy, 3);
	rf_dev_submit(reader);
	rf_dev_run(dev, 5000); /* it is under way, and all it needs is in the TLB */
	hold_reads(dev->conform, true);
	rf_dev_run(dev, 5000);
	RF_CHECK_EQUAL(dev->conform, rf_dev_queue_done(reader), 0, "the copy is held up");
}

/* A read of an older table that waits for the link is still to come: INVALIDATE says so. */
static void invalidate_waits_for_older_tables(struct rf_conform *conform)
{
	const unsigned int stretch = rf_conform_stretch(conform);
	struct rf_dev_queue queue, reader;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_need_dma(&dev);
	for (i = 0; i < 8; i++) {
		const unsigned int vmid = 1 + i % 3;

		/* behind a link not on the node that is at work then */
		rf_dev_queue_open(&queue, &dev, i, stretch > 1 ? RF_NODE_COMPUTE : i & 1, vmid,
				  RF_PLACE_SYSTEM);
		rf_dev_invalidate(&dev, vmid); /* nothing is known of its pages */
		rf_dev_packet(&queue, RF_OPCODE_NOP, 0, 0, NULL, 0);
		if (stretch > 1)
			use_up_credits(&reader, &dev, (i + 1) % 8,
				       1 + vmid % 3); /* another doorbell */
		hold_reads(conform, true);
		rf_dev_submit(&queue);
		rf_dev_run(&dev,
			   (100 + i) *
				   stretch); /* the root is asked for, in order to read the ring */
		rf_dev_register_write(&dev, RF_REG_TRANSLATION_INVALIDATE, 1u << vmid);
		rf_dev_run(&dev, 500 * stretch);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_TRANSLATION_INVALIDATE),
			       1u << vmid, "INVALIDATE with a read of the table on offer");
		hold_reads(conform, false);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_TRANSLATION_INVALIDATE), 0,
			       "INVALIDATE when it is answered");
		rf_dev_finish(&queue);
		rf_dev_queue_close(&queue);
		if (stretch > 1)
			rf_dev_queue_close(&reader);
	}
	rf_dev_close(&dev);
}

/* --- a log that is switched while its slot is saved ----------------------------------------- */

static void log_switch_during_a_save(struct rf_conform *conform)
{
	unsigned int i, before = 0, after = 0;
	struct rf_interrupt_record record;
	struct rf_spot logs[2], save;
	struct rf_dev_queue queue;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 2, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	rf_dev_queue_logs(&queue, RF_PLACE_SYSTEM, 8);
	logs[0] = queue.signal_log;
	logs[1] = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 4096, 4096);
	save = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 256, 256);
	for (i = 0; i < 160; i++) {
		const uint64_t address = rf_dev_address(&dev, 0, logs[!(i & 1)]);
		uint64_t status;

		rf_dev_register_write(&dev, RF_REG_SLOT_SIGNAL_LOG_ADDRESS(2), address);
		rf_dev_register_write(&dev, RF_REG_SLOT_SAVE_ADDRESS(2),
				      rf_dev_address(&dev, 0, save));
		rf_dev_flush(&dev);
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_PREEMPT_MASK);
		rf_dev_run(&dev, i * rf_conform_clock(conform));
		rf_dev_register_write(&dev, RF_REG_SLOT_LOG_SWITCH(2),
				      RF_SLOT_LOG_SWITCH_SIGNAL_MASK);
		status = rf_dev_register(&dev, RF_REG_SLOT_STATUS(2));
		rf_dev_await_state(&queue, RF_SLOT_STATE_DISABLED);
		rf_dev_settle(&dev);
		RF_CHECK(conform, rf_dev_record(&dev, &record), "no record");
		RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_PREEMPTED, "kind");
		rf_dev_consume(&dev);
		if ((status & RF_SLOT_STATUS_STATE_MASK) != RF_SLOT_STATE_DISABLED) {
			/* written before it was disabled: what is saved has it */
			RF_CHECK_EQUAL(
				conform,
				rf_dev_read(&dev, rf_spot_at(save, SLOT_WORD(SIGNAL_LOG_PLACE))),
				address, "place of the log in the saved context");
			RF_CHECK_EQUAL(conform,
				       rf_dev_read(&dev, rf_spot_at(save, SLOT_WORD(LOG_SWITCH))),
				       0, "switch under way in the saved context");
			before++;
		} else {
			after++;
		}
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_RESTORE_MASK);
		while (rf_dev_queue_state(&queue) == RF_SLOT_STATE_DISABLED)
			rf_dev_run(&dev, 16);
	}
	RF_CHECK(conform, before >= 40 && after >= 8, "%u switches before, %u behind", before,
		 after);
	rf_conform_note(conform, "%u switches before the slot was disabled, %u behind", before,
			after);
	rf_dev_close(&dev);
}

/* --- the interrupt ring is off ---------------------------------------------------------------- */

/* A record that cannot be written is dropped and reported: it blocks no slot. */
static void records_without_a_ring(struct rf_conform *conform)
{
	struct rf_neighbour neighbour;
	struct rf_dev_queue bad[3];
	unsigned int i, before;
	uint64_t control;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 7, RF_NODE_COPY, RF_PLACE_SYSTEM);
	control = rf_dev_register(&dev, RF_REG_INTERRUPT_CONTROL);
	rf_dev_register_write(&dev, RF_REG_INTERRUPT_CONTROL, 0);
	while (rf_dev_register(&dev, RF_REG_INTERRUPT_CONTROL))
		;
	before = dev.interrupts;
	for (i = 0; i < RF_COUNT(bad); i++) {
		rf_dev_queue_open(&bad[i], &dev, 1 + i, i & 1, 1, RF_PLACE_SYSTEM);
		rf_dev_packet(&bad[i], 0xff, 0, 0, NULL, 0);
		rf_dev_submit(&bad[i]);
		rf_dev_await_state(&bad[i], RF_SLOT_STATE_ERROR);
		rf_neighbour_work(&neighbour);
	}
	rf_dev_settle(&dev);
	rf_neighbour_check(&neighbour);
	for (i = 0; i < RF_COUNT(bad); i++)
		rf_dev_queue_close(&bad[i]);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_OVERFLOW), 1, "OVERFLOW");
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_PRODUCER), 0, "records");
	rf_dev_register_write(&dev, RF_REG_INTERRUPT_CONTROL, control);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, dev.interrupts, before + 1, "interrupts that tell of it");
	rf_dev_register_write(&dev, RF_REG_INTERRUPT_OVERFLOW, 1);
	rf_dev_close(&dev);
}

/* --- the driver's mistakes ------------------------------------------------------------------ */

/*
 * A token that two slots have names the one that got it last, not the slot with the number of both
 * together; one that shares only the low bits names no queue.
 */
static void shared_token(struct rf_conform *conform)
{
	const unsigned int token = 0x5aa5;
	const unsigned int stranger = token ^ 1u << RF_DOORBELL_TOKEN_INDEX_BITS;
	struct rf_interrupt_record record;
	struct rf_dev_queue queues[16];
	struct rf_dev dev;
	unsigned int i, k, slot[2];
	uint64_t word;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	slot[0] = dev.slots / 3; /* 5 and 10, or 2 and 5: both together are the last one */
	slot[1] = dev.slots - 1 - slot[0];
	for (i = 0; i < dev.slots; i++) {
		rf_dev_queue_open(&queues[i], &dev, i, i & 1, 1, RF_PLACE_SYSTEM);
		rf_dev_packet(&queues[i], RF_OPCODE_NOP, 0, 0, NULL, 0);
		rf_dev_append(&queues[i]);
	}
	for (k = 0; k < 2; k++) {
		i = slot[k];
		rf_dev_queue_close(&queues[i]);
		word = rf_dev_register(&dev, RF_REG_SLOT_CONFIG(i)) & ~RF_SLOT_CONFIG_TOKEN_MASK;
		rf_dev_register_write(&dev, RF_REG_SLOT_CONFIG(i),
				      word | (uint64_t)token << RF_SLOT_CONFIG_TOKEN_SHIFT);
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(i), RF_SLOT_CONTROL_ENABLE_MASK);
	}
	rf_bus_write64(dev.bus, RF_BAR_REGISTERS, RF_DOORBELL_BASE + 8 * 4096ull,
		       (uint64_t)token << 48 | 1);
	rf_dev_settle(&dev);
	for (i = 0; i < dev.slots; i++)
		RF_CHECK_EQUAL(conform, rf_dev_queue_done(&queues[i]), i == slot[1],
			       "entries completed");
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DOORBELL_RINGS), 1, "rings");
	rf_bus_write64(dev.bus, RF_BAR_REGISTERS, RF_DOORBELL_BASE + 8 * 4096ull,
		       (uint64_t)stranger << 48 | 1);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DOORBELL_RINGS), 1, "rings");
	word = rf_dev_register(&dev, RF_REG_DOORBELL_GLOBAL_PENDING);
	RF_CHECK(conform, word & RF_DOORBELL_GLOBAL_PENDING_PENDING_MASK, "not pending");
	RF_CHECK_EQUAL(conform, word >> RF_DOORBELL_GLOBAL_PENDING_TOKEN_SHIFT & 0xffff, stranger,
		       "token");
	RF_CHECK(conform, rf_dev_record(&dev, &record), "no record");
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_DOORBELL_PENDING, "kind");
	rf_dev_close(&dev);
}

/*
 * A fence operation that fails stops its queue before the next one, whenever ENABLE is written
 * to the slot, which has it: in every cycle around the failure.
 */
static void enable_twice(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct rf_spot cell, mv;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	cell = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	for (i = 0; i < 120; i++) {
		const uint64_t bad[] = { RF_DEV_NOWHERE, 1 };
		struct rf_interrupt_record record;

		rf_dev_queue_open(&queue, &dev, 1, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		dev.next[RF_PLACE_LOCAL] = queue.ring.offset; /* for the next queue again */
		rf_dev_packet(&queue, RF_OPCODE_WRITE, 0, 0, bad, 2);
		rf_dev_write_packet(&queue, cell, i + 1);
		rf_dev_signal(&queue, cell, i + 1, mv, RF_DEV_NO_LOG);
		rf_dev_submit(&queue);
		rf_dev_run(&dev, i);
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(1), RF_SLOT_CONTROL_ENABLE_MASK);
		rf_dev_await_state(&queue, RF_SLOT_STATE_ERROR);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_queue_error(&queue), RF_QUEUE_ERROR_TRANSLATION,
			       "error");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cell), 0, "what came behind it");
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(1), RF_SLOT_CONTROL_ENABLE_MASK);
		RF_CHECK_EQUAL(conform, rf_dev_queue_state(&queue), RF_SLOT_STATE_ERROR,
			       "state behind another ENABLE");
		RF_CHECK_EQUAL(conform, rf_dev_records(&dev, &record, 1), 1, "records");
		rf_dev_queue_close(&queue);
	}
	rf_dev_close(&dev);
}

#define SIM RF_CONFORM_SIM_ONLY
#define ROOT_COMPLEX RF_CONFORM_ROOT_COMPLEX

const struct rf_conform_test rf_conform_order_tests[] = {
	{ "device.read_without_credits_does_not_time_out", NULL, RF_CONFORM_DEV, SIM,
	  read_without_credits },
	{ "device.invalidate_waits_for_older_tables", NULL, RF_CONFORM_DEV, SIM,
	  invalidate_waits_for_older_tables },
	{ "device.log_switch_during_a_save", NULL, RF_CONFORM_DEV, SIM, log_switch_during_a_save },
	{ "device.records_without_a_ring", NULL, RF_CONFORM_DEV, ROOT_COMPLEX,
	  records_without_a_ring },
	{ "device.shared_token_names_no_third", NULL, RF_CONFORM_DEV, 0, shared_token },
	{ "device.enable_twice_keeps_the_error", NULL, RF_CONFORM_DEV, SIM, enable_twice },
	{ 0 },
};
