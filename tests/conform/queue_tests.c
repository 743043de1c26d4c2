// SPDX-License-Identifier: Apache-2.0
/* Doorbells, rings, and what a queue may ask for; what it may not stops it alone. */
#include "victim.h"

#include <string.h>

#include "rf_bus.h"

#define DEDICATED 8
#define PAGE(page) (RF_DOORBELL_BASE + (page)*4096ull)
#define GLOBAL_RING(token, pointer) ((uint64_t)(token) << 48 | (pointer))

static void ring(struct rf_dev *dev, unsigned int page, uint64_t value)
{
	rf_bus_write64(dev->bus, RF_BAR_REGISTERS, PAGE(page), value);
}

static void nop(struct rf_dev_queue *queue)
{
	rf_dev_packet(queue, RF_OPCODE_NOP, 0, 0, NULL, 0);
}

/* --- doorbells ------------------------------------------------------------------------------ */

/* Eight doorbells, eight queues on both nodes; each ring runs its queue and no other. */
static void dedicated(struct rf_conform *conform)
{
	struct rf_dev_queue queues[DEDICATED];
	unsigned int order, i, k;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < DEDICATED; i++) {
		/* doorbell k is not slot k: the slots are used from the top */
		rf_dev_queue_open(&queues[i], &dev, dev.slots - 1 - i, i & 1, 1 + i % 3,
				  RF_PLACE_SYSTEM);
		RF_CHECK_EQUAL(conform, queues[i].doorbell, 7 - i, "doorbell");
		nop(&queues[i]);
		rf_dev_append(&queues[i]);
	}
	for (order = 0; order < DEDICATED; order++) {
		i = order * 5 % DEDICATED;
		rf_dev_ring(&queues[i]);
		rf_dev_settle(&dev);
		for (k = 0; k < DEDICATED; k++) {
			uint64_t done = rf_dev_queue_done(&queues[k]);
			bool rung = false;
			unsigned int j;

			for (j = 0; j <= order; j++)
				rung |= j * 5 % DEDICATED == k;
			RF_CHECK_EQUAL(conform, done, rung, "entries completed");
		}
	}
	rf_dev_close(&dev);
}

/*
 * The device tells how many slots there are. Registers of others read 0 and keep nothing, and a
 * doorbell names none of them.
 */
static void slots_there_are(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct rf_dev dev;
	unsigned int slot;
	uint64_t word;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	RF_CHECK(conform, dev.slots == 8 || dev.slots == 16, "%u slots", dev.slots);
	word = rf_dev_register(&dev, RF_SLOT_BLOCK_OFFSET + RF_BLOCK_HEADER_INDEXED);
	RF_CHECK_EQUAL(conform, word & RF_BLOCK_HEADER_INDEXED_COUNT_MASK, dev.slots, "count");
	for (slot = dev.slots; slot < RF_SLOT_INDEXED_COUNT; slot++) {
		rf_dev_register_write(&dev, RF_REG_SLOT_CONFIG(slot), ~0ull);
		rf_dev_register_write(&dev, RF_REG_SLOT_RING_BASE(slot), ~0ull);
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(slot), RF_SLOT_CONTROL_ENABLE_MASK);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_SLOT_CONFIG(slot)), 0,
			       "CONFIG");
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_SLOT_RING_BASE(slot)), 0,
			       "RING_BASE");
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_SLOT_STATUS(slot)), 0,
			       "STATUS");
	}
	rf_dev_register_write(&dev, RF_REG_DOORBELL_BIND(0), RF_DOORBELL_BIND_SLOT_MASK);
	word = rf_dev_register(&dev, RF_REG_DOORBELL_BIND(0)) & RF_DOORBELL_BIND_SLOT_MASK;
	RF_CHECK_EQUAL(conform, word >> RF_DOORBELL_BIND_SLOT_SHIFT, dev.slots - 1, "slot of BIND");
	/* none of that was for a slot that there is */
	for (slot = 0; slot < dev.slots; slot++)
		RF_CHECK_EQUAL(conform,
			       rf_dev_register(&dev, RF_REG_SLOT_STATUS(slot)) &
				       RF_SLOT_STATUS_STATE_MASK,
			       RF_SLOT_STATE_DISABLED, "state");
	rf_dev_queue_open(&queue, &dev, dev.slots - 1, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	nop(&queue);
	rf_dev_submit(&queue);
	rf_dev_finish(&queue);
	rf_dev_close(&dev);
}

/* One page, a queue in every slot: the token says which. */
static void global(struct rf_conform *conform)
{
	struct rf_dev_queue queues[16];
	unsigned int i, round;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < dev.slots; i++)
		rf_dev_queue_open(&queues[i], &dev, i, i & 1, 1 + i % 3, RF_PLACE_SYSTEM);
	for (i = 0; i < DEDICATED; i++)
		rf_dev_register_write(&dev, RF_REG_DOORBELL_BIND(i), 0);
	for (round = 1; round <= 3; round++) {
		for (i = 0; i < dev.slots; i++) {
			nop(&queues[i]);
			rf_dev_append(&queues[i]);
		}
		for (i = 0; i < dev.slots; i++)
			ring(&dev, DEDICATED, GLOBAL_RING((i * 7 % dev.slots) + 1, round));
		for (i = 0; i < dev.slots; i++)
			rf_dev_finish(&queues[i]);
	}
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DOORBELL_RINGS), 3 * dev.slots,
		       "rings");
	rf_dev_close(&dev);
}

struct ring_counts {
	uint64_t moved, stale, repeated, range, unmapped;
};

static void expect_counts(struct rf_dev *dev, const struct ring_counts *want)
{
	struct rf_conform *conform = dev->conform;

	rf_dev_settle(dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_DOORBELL_RINGS), want->moved, "rings");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_DOORBELL_RINGS_STALE), want->stale,
		       "stale rings");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_DOORBELL_RINGS_REPEATED),
		       want->repeated, "repeated rings");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_DOORBELL_RINGS_RANGE), want->range,
		       "rings out of range");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_DOORBELL_RINGS_UNMAPPED),
		       want->unmapped, "unmapped rings");
}

static void harmless_rings(struct rf_conform *conform)
{
	struct ring_counts counts = { 0 };
	struct rf_interrupt_record record;
	struct rf_neighbour neighbour;
	struct rf_dev_queue queue;
	const uint32_t word = 3;
	uint64_t fetches;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 2, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 3, RF_NODE_COPY, RF_PLACE_SYSTEM);
	for (i = 0; i < 2; i++) {
		nop(&queue);
		rf_dev_append(&queue);
	}
	rf_dev_ring(&queue);
	rf_dev_finish(&queue);
	counts.moved = 1;
	expect_counts(&dev, &counts);
	fetches = rf_dev_counter(&dev, RF_COUNTER_RING_FETCHES);

	ring(&dev, 2, 2);
	ring(&dev, 2, 2);
	ring(&dev, DEDICATED, GLOBAL_RING(3, 2));
	counts.repeated = 3;
	expect_counts(&dev, &counts);
	ring(&dev, 2, 1);
	ring(&dev, 2, 0);
	counts.stale = 2;
	expect_counts(&dev, &counts);
	ring(&dev, 2, 2 + queue.entries + 1); /* more than a ring ahead */
	ring(&dev, 2, (1ull << RF_WRITE_POINTER_BITS) - 1);
	ring(&dev, 2, 1ull << RF_WRITE_POINTER_BITS | 3); /* reserved bits */
	dev.bus->ops->write32(dev.bus, RF_BAR_REGISTERS, PAGE(2), word); /* half a store */
	rf_bus_write64(dev.bus, RF_BAR_REGISTERS, PAGE(2) + 8, 3); /* not at offset 0 */
	rf_bus_write64(dev.bus, RF_BAR_REGISTERS, PAGE(2) + 4088, 3);
	counts.range = 6;
	expect_counts(&dev, &counts);
	ring(&dev, 0, 3); /* not bound */
	ring(&dev, RF_PEER_PAGE + 1, 3); /* no such page */
	ring(&dev, DEDICATED, GLOBAL_RING(0, 3)); /* no token */
	counts.unmapped = 3;
	expect_counts(&dev, &counts);
	RF_CHECK_EQUAL(conform, rf_bus_read64(dev.bus, RF_BAR_REGISTERS, PAGE(2)), 0,
		       "a doorbell that is read");

	RF_CHECK_EQUAL(conform, rf_dev_queue_done(&queue), 2, "entries completed");
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_SLOT_WRITE_POINTER(2)), 2,
		       "write pointer");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_RING_FETCHES), fetches,
		       "fetches for nothing");
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "a record of a harmless ring");
	rf_neighbour_work(&neighbour);
	rf_neighbour_check(&neighbour);

	/* exactly one ring ahead is fine */
	for (i = 0; i < queue.entries; i++) {
		nop(&queue);
		rf_dev_append(&queue);
	}
	rf_dev_ring(&queue);
	rf_dev_finish(&queue);
	counts.moved += 2; /* the neighbour rang too */
	expect_counts(&dev, &counts);
	rf_dev_close(&dev);
}

/* A dedicated page shows its queue to one process: no store in it reaches another queue. */
static void pages_are_apart(struct rf_conform *conform)
{
	struct rf_dev_queue mine, theirs;
	struct rf_dev dev;
	uint64_t offset;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&mine, &dev, 4, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&theirs, &dev, 5, RF_NODE_COPY, 2, RF_PLACE_SYSTEM);
	nop(&theirs);
	rf_dev_append(&theirs);
	for (offset = 0; offset < 4096; offset += 8)
		rf_bus_write64(dev.bus, RF_BAR_REGISTERS, PAGE(4) + offset,
			       offset & 8 ? GLOBAL_RING(6, 1) : 1);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_SLOT_WRITE_POINTER(5)), 0,
		       "write pointer of the other queue");
	rf_dev_close(&dev);
}

/* A queue that has no slot: the ring is kept, and the host told once. */
static void ring_without_slot(struct rf_conform *conform)
{
	const uint64_t bound =
		RF_DOORBELL_BIND_BOUND_MASK | 0x777ull << RF_DOORBELL_BIND_HANDLE_SHIFT;
	struct rf_interrupt_record record;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_register_write(&dev, RF_REG_DOORBELL_BIND(1), bound);
	ring(&dev, 1, 5);
	ring(&dev, 1, 6);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DOORBELL_BIND(1)),
		       bound | RF_DOORBELL_BIND_PENDING_MASK, "binding");
	RF_CHECK(conform, rf_dev_record(&dev, &record), "no record");
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_DOORBELL_PENDING, "record kind");
	RF_CHECK_EQUAL(conform, record.handle, 0x777, "record queue");
	RF_CHECK_EQUAL(conform, record.address, 0, "record token");
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "a second record while pending");
	rf_dev_consume(&dev);
	RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts");

	/* written as 1 the bit stays; cleared, the next ring sends the next record */
	rf_dev_register_write(&dev, RF_REG_DOORBELL_BIND(1), bound | RF_DOORBELL_BIND_PENDING_MASK);
	ring(&dev, 1, 7);
	rf_dev_settle(&dev);
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "a record although it pends");
	rf_dev_register_write(&dev, RF_REG_DOORBELL_BIND(1), bound);
	ring(&dev, 1, 8);
	rf_dev_settle(&dev);
	RF_CHECK(conform, rf_dev_record(&dev, &record), "no record after the bit was cleared");
	rf_dev_consume(&dev);

	/* the global page: the first token is kept, others are marked as lost */
	ring(&dev, DEDICATED, GLOBAL_RING(0x1234, 1));
	ring(&dev, DEDICATED, GLOBAL_RING(0x1234, 2));
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DOORBELL_GLOBAL_PENDING), 0x12340001,
		       "GLOBAL_PENDING");
	RF_CHECK(conform, rf_dev_record(&dev, &record), "no record of the token");
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_DOORBELL_PENDING, "record kind");
	RF_CHECK_EQUAL(conform, record.address, 0x1234, "record token");
	ring(&dev, DEDICATED, GLOBAL_RING(0x4321, 1));
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DOORBELL_GLOBAL_PENDING), 0x12340003,
		       "GLOBAL_PENDING with another lost");
	rf_dev_register_write(&dev, RF_REG_DOORBELL_GLOBAL_PENDING, 3);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DOORBELL_GLOBAL_PENDING) & 3, 0,
		       "GLOBAL_PENDING cleared");
	rf_dev_consume(&dev);
	rf_dev_close(&dev);
}

/* Work rung before the doorbell is taken away is done; the record holds what came after. */
static void rung_before_disconnect(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	for (i = 0; i < 3; i++) {
		nop(&queue);
		rf_dev_append(&queue);
	}
	ring(&dev, 0, 2);
	rf_dev_register_write(&dev, RF_REG_DOORBELL_BIND(0), 0);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_queue_done(&queue), 2, "entries rung before");
	ring(&dev, 0, 3);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_queue_done(&queue), 2, "a ring after");
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_RESAMPLE_MASK);
	rf_dev_finish(&queue);
	rf_dev_close(&dev);
}

/* --- what a queue may not ask for -------------------------------------------------------------- */

/* A queue recorded as @words words of packets goes into error; what follows never runs. */
static void expect_bad_packet(struct rf_dev *dev, struct rf_neighbour *neighbours,
			      enum rf_node node, const uint64_t *words, unsigned int count,
			      enum rf_queue_error error, const char *what)
{
	struct rf_dev_queue queue;
	struct rf_spot before, after;
	unsigned int i;

	rf_dev_queue_open(&queue, dev, 0, node, 1, RF_PLACE_SYSTEM);
	before = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 8);
	after = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_write_packet(&queue, before, 1);
	memcpy(&queue.packets[queue.count], words, 8 * count);
	queue.count += count;
	rf_dev_append(&queue);
	rf_dev_write_packet(&queue, after, 1);
	for (i = 0; i < 2; i++)
		rf_neighbour_work(&neighbours[i]);
	rf_dev_submit(&queue);
	for (i = 0; i < 2; i++)
		rf_neighbour_work(&neighbours[i]);
	rf_dev_await_state(&queue, RF_SLOT_STATE_ERROR);
	if (rf_dev_queue_error(&queue) != error)
		rf_conform_fail(dev->conform, __FILE__, __LINE__, "%s: error %u, want %u", what,
				rf_dev_queue_error(&queue), error);
	rf_victim_stopped(&queue, error, rf_dev_address(dev, 1, queue.commands) + 24, false);
	RF_CHECK_EQUAL(dev->conform,
		       rf_dev_register(dev, RF_REG_SLOT_STATUS(0)) >>
			       RF_SLOT_STATUS_PACKET_WORDS_SHIFT,
		       3, "word offset of the bad packet");
	RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, before), 1, "the packet before");
	RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, after), 0, "the packet behind");
	RF_CHECK_EQUAL(dev->conform, rf_dev_queue_done(&queue), 0, what);
	for (i = 0; i < 2; i++)
		rf_neighbour_check(&neighbours[i]);
	rf_dev_queue_close(&queue);
	/* the next one takes its place */
	dev->next[RF_PLACE_SYSTEM] = queue.ring.offset;
	if (dev->dma) /* else it is cleared where it is used */
		memset(dev->system + queue.ring.offset, 0, after.offset + 8 - queue.ring.offset);
}

#define HEADER(opcode, words, flags, argument)                 \
	((uint64_t)(opcode) << RF_PACKET_HEADER_OPCODE_SHIFT | \
	 (uint64_t)(words) << RF_PACKET_HEADER_WORDS_SHIFT |   \
	 (uint64_t)(flags) << RF_PACKET_HEADER_FLAGS_SHIFT |   \
	 (uint64_t)(argument) << RF_PACKET_HEADER_ARGUMENT_SHIFT)

struct shape {
	const char *name;
	enum rf_opcode opcode;
	int node; /* -1: any */
	unsigned int min, max, flags;
	uint32_t argument;
	unsigned int aligned8, aligned4; /* operands, bit i: operand i */
};

static const struct shape shapes[] = {
	{ "NOP", RF_OPCODE_NOP, -1, 1, 8, 0, 0, 0, 0 },
	{ "SIGNAL", RF_OPCODE_SIGNAL, -1, 4, 5, 1, 0xffff, 0x5, 0 },
	{ "WAIT", RF_OPCODE_WAIT, -1, 3, 4, 1, 0xffff, 0x1, 0 },
	{ "WRITE", RF_OPCODE_WRITE, -1, 3, 3, 0, 0, 0x1, 0 },
	{ "TIMESTAMP", RF_OPCODE_TIMESTAMP, -1, 2, 2, 0, 0, 0x1, 0 },
	{ "PROGRESS", RF_OPCODE_PROGRESS, -1, 2, 2, 0, 0, 0, 0 },
	{ "BARRIER", RF_OPCODE_BARRIER, -1, 1, 1, 0, 0, 0, 0 },
	{ "SOFTWARE_SIGNAL", RF_OPCODE_SOFTWARE_SIGNAL, -1, 3, 3, 0, 0, 0, 0 },
	{ "TRAP", RF_OPCODE_TRAP, -1, 2, 2, 0, 0, 0, 0 },
	{ "COPY", RF_OPCODE_COPY, RF_NODE_COPY, 4, 4, 0, 0, 0, 0 },
	{ "FILL", RF_OPCODE_FILL, RF_NODE_COPY, 4, 4, 0, 0, 0, 0 },
	{ "VECTOR", RF_OPCODE_VECTOR, RF_NODE_COMPUTE, 5, 5, 0, 0xff, 0, 0xb },
};

static bool known(unsigned int opcode)
{
	unsigned int i;

	for (i = 0; i < RF_COUNT(shapes); i++)
		if (shapes[i].opcode == opcode)
			return true;
	return false;
}

/*
 * Every way in which a packet can be wrong, for every opcode: on each node, with two
 * queues at work, one on the same node.
 */
static void bad_packets(struct rf_conform *conform)
{
	unsigned int i, k, cases = 0, words;
	struct rf_neighbour neighbours[2];
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < 2; i++)
		rf_neighbour_open(&neighbours[i], &dev, 1 + i, i, RF_PLACE_SYSTEM);
#define BAD(node, list, count, error, what)                                                    \
	do {                                                                                   \
		cases++;                                                                       \
		expect_bad_packet(&dev, neighbours, node, list, count, RF_QUEUE_ERROR_##error, \
				  what);                                                       \
	} while (0)

	for (i = 0; i < 256; i++) {
		const uint64_t packet[] = { HEADER(i, 1, 0, 0) };

		if (!known(i) && (i < 0x30 || i % 37 == 0 || i == 255))
			BAD((enum rf_node)(i & 1), packet, 1, OPCODE, "unknown opcode");
	}
	for (i = 0; i < RF_COUNT(shapes); i++) {
		const struct shape *shape = &shapes[i];
		enum rf_node node =
			shape->node >= 0 ? (enum rf_node)shape->node : (enum rf_node)(i & 1);
		uint64_t packet[16] = { 0 };

		if (shape->opcode == RF_OPCODE_VECTOR && !dev.vector) {
			packet[0] = HEADER(shape->opcode, shape->min, 0, 0);
			BAD(node, packet, shape->min, OPCODE, "VECTOR without an engine");
			continue;
		}
		if (shape->node >= 0) {
			packet[0] = HEADER(shape->opcode, shape->min, 0, 0);
			BAD((enum rf_node) !node, packet, shape->min, OPCODE,
			    "opcode of the other node");
		}
		for (words = 0; words <= 10; words++) {
			if (words >= shape->min && words <= shape->max)
				continue;
			packet[0] = HEADER(shape->opcode, words, 0, 0);
			BAD(node, packet, words + 1, LENGTH, shape->name);
		}
		packet[0] = HEADER(shape->opcode, 255, 0, 0);
		BAD(node, packet, 10, LENGTH, shape->name);
		/* one word beyond the end of the buffer */
		packet[0] = HEADER(shape->opcode, shape->min, 0, 0);
		if (shape->min > 1)
			BAD(node, packet, shape->min - 1, LENGTH, shape->name);
		for (k = 0; k < 16; k++) {
			packet[0] = HEADER(shape->opcode, shape->min, 1u << k, 0);
			if (!(shape->flags >> k & 1))
				BAD(node, packet, shape->min, FLAGS, shape->name);
		}
		for (k = 0; k < 32; k += 1 + k % 3) {
			packet[0] = HEADER(shape->opcode, shape->min, 0, 1u << k);
			if (!(shape->argument >> k & 1))
				BAD(node, packet, shape->min, FLAGS, shape->name);
		}
		packet[0] = HEADER(shape->opcode, shape->min, 0,
				   shape->opcode == RF_OPCODE_VECTOR ? RF_VECTOR_OPERATION_ADD : 0);
		for (k = 0; k < 4; k++) {
			unsigned int bad;

			for (bad = 1; bad < 8; bad++) {
				bool eight = shape->aligned8 >> k & 1,
				     four = shape->aligned4 >> k & 1;

				packet[1 + k] = bad;
				if (eight || (four && bad & 3))
					BAD(node, packet, shape->min, ALIGNMENT, shape->name);
				packet[1 + k] = 0;
			}
		}
		/* with a log word and no flag, or a flag and no log word */
		if (shape->flags & 1) {
			packet[0] = HEADER(shape->opcode, shape->max, 0, 0);
			BAD(node, packet, shape->max, LENGTH, shape->name);
			packet[0] = HEADER(shape->opcode, shape->min, 1, 0);
			BAD(node, packet, shape->min, LENGTH, shape->name);
		}
	}
	{
		const uint64_t long_copy[] = { HEADER(RF_OPCODE_COPY, 4, 0, 0), 0, 0, 1ull << 32 };
		const uint64_t long_fill[] = { HEADER(RF_OPCODE_FILL, 4, 0, 0), 0, 1ull << 63, 0 };
		const uint64_t long_vector[] = { HEADER(RF_OPCODE_VECTOR, 5, 0, 0), 0, 0, 1u << 30,
						 0 };
		const uint64_t no_operation[] = {
			HEADER(RF_OPCODE_VECTOR, 5, 0, RF_VECTOR_OPERATION_SUM + 1), 0, 0, 1, 0
		};
		const uint64_t sum_of_two[] = {
			HEADER(RF_OPCODE_VECTOR, 5, 0, RF_VECTOR_OPERATION_SUM), 0, 0, 1, 8
		};
		const uint64_t sum_at_four[] = {
			HEADER(RF_OPCODE_VECTOR, 5, 0, RF_VECTOR_OPERATION_SUM), 4, 0, 1, 0
		};

		BAD(RF_NODE_COPY, long_copy, 4, OPERAND, "COPY");
		BAD(RF_NODE_COPY, long_fill, 4, OPERAND, "FILL");
		if (dev.vector) {
			BAD(RF_NODE_COMPUTE, long_vector, 5, OPERAND, "VECTOR");
			BAD(RF_NODE_COMPUTE, no_operation, 5, OPERAND, "VECTOR");
			BAD(RF_NODE_COMPUTE, sum_of_two, 5, OPERAND, "VECTOR sum");
			BAD(RF_NODE_COMPUTE, sum_at_four, 5, ALIGNMENT, "VECTOR sum");
		}
	}
#undef BAD
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_FAULTS), 0, "faults");
	rf_conform_note(conform, "%u bad packets", cases);
	rf_dev_close(&dev);
}

/* A ring entry that is none. */
static void bad_ring_entries(struct rf_conform *conform)
{
	static const struct {
		uint64_t address;
		uint32_t size, flags;
	} bad[] = { { 4, 0, 0 },  { 1, 0, 0 }, { 0, 4, 0 },
		    { 0, 12, 0 }, { 0, 8, 1 }, { 0, 8, 0x80000000u } };
	struct rf_neighbour neighbour;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 1, RF_NODE_COPY, RF_PLACE_SYSTEM);
	for (i = 0; i < RF_COUNT(bad); i++) {
		struct rf_ring_entry entry;
		struct rf_dev_queue queue;

		rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
		nop(&queue);
		rf_dev_append(&queue);
		nop(&queue);
		rf_dev_append(&queue);
		rf_dev_read_bytes(&dev, rf_spot_at(queue.ring, 16), &entry, sizeof(entry));
		entry.address += bad[i].address;
		entry.size = bad[i].size;
		entry.flags = bad[i].flags;
		rf_dev_write_bytes(&dev, rf_spot_at(queue.ring, 16), &entry, sizeof(entry));
		rf_neighbour_work(&neighbour);
		rf_dev_ring(&queue);
		rf_victim_stopped(&queue, RF_QUEUE_ERROR_RING_ENTRY, entry.address, false);
		RF_CHECK_EQUAL(conform, rf_dev_queue_done(&queue), 1, "entries completed");
		rf_neighbour_work(&neighbour);
		rf_neighbour_check(&neighbour);
		rf_dev_queue_close(&queue);
	}
	rf_dev_close(&dev);
}

/* --- translation --------------------------------------------------------------------------------- */

struct addressed {
	const char *name;
	enum rf_opcode opcode;
	enum rf_node node;
	uint32_t argument;
	unsigned int operand; /* that names RF_DEV_NOWHERE */
	bool store;
	uint64_t operands[4]; /* OK: an address that is fine */
};

#define OK (~0ull)

static const struct addressed addressed[] = {
	{ "SIGNAL value", RF_OPCODE_SIGNAL, RF_NODE_COPY, 0, 0, true, { 0, 1, OK } },
	{ "SIGNAL monitored", RF_OPCODE_SIGNAL, RF_NODE_COPY, 0, 2, false, { OK, 1, 0 } },
	{ "WAIT", RF_OPCODE_WAIT, RF_NODE_COMPUTE, 0, 0, false, { 0, 1 } },
	{ "WRITE", RF_OPCODE_WRITE, RF_NODE_COMPUTE, 0, 0, true, { 0, 1 } },
	{ "TIMESTAMP", RF_OPCODE_TIMESTAMP, RF_NODE_COPY, 0, 0, true, { 0 } },
	{ "COPY destination", RF_OPCODE_COPY, RF_NODE_COPY, 0, 0, true, { 0, OK, 64 } },
	{ "COPY source", RF_OPCODE_COPY, RF_NODE_COPY, 0, 1, false, { OK, 0, 64 } },
	{ "FILL", RF_OPCODE_FILL, RF_NODE_COPY, 0, 0, true, { 0, 64, 5 } },
	{ "VECTOR destination",
	  RF_OPCODE_VECTOR,
	  RF_NODE_COMPUTE,
	  RF_VECTOR_OPERATION_ADD,
	  0,
	  true,
	  { 0, OK, 16, OK } },
	{ "VECTOR x",
	  RF_OPCODE_VECTOR,
	  RF_NODE_COMPUTE,
	  RF_VECTOR_OPERATION_ADD,
	  1,
	  false,
	  { OK, 0, 16, OK } },
	{ "VECTOR y",
	  RF_OPCODE_VECTOR,
	  RF_NODE_COMPUTE,
	  RF_VECTOR_OPERATION_XOR,
	  3,
	  false,
	  { OK, OK, 16, 0 } },
	{ "VECTOR sum",
	  RF_OPCODE_VECTOR,
	  RF_NODE_COMPUTE,
	  RF_VECTOR_OPERATION_SUM,
	  0,
	  true,
	  { 0, OK, 16, 0 } },
};

/* The address that faults, in each place where a packet names one. */
static void translation_faults(struct rf_conform *conform)
{
	struct rf_neighbour neighbours[2];
	struct rf_interrupt_record record;
	unsigned int i, k, faults = 0;
	struct rf_dev_queue queue;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < 2; i++)
		rf_neighbour_open(&neighbours[i], &dev, 1 + i, i, RF_PLACE_SYSTEM);
	for (i = 0; i < RF_COUNT(addressed); i++) {
		const struct addressed *entry = &addressed[i];
		uint64_t operands[4], nowhere = RF_DEV_NOWHERE + 64 * i;
		struct rf_spot fine;

		if (entry->opcode == RF_OPCODE_VECTOR && !dev.vector)
			continue;
		rf_dev_queue_open(&queue, &dev, 0, entry->node, 3, RF_PLACE_SYSTEM);
		fine = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 64, 64);
		for (k = 0; k < 4; k++)
			operands[k] = k == entry->operand	 ? nowhere
				      : entry->operands[k] == OK ? rf_dev_address(&dev, 3, fine)
								 : entry->operands[k];
		rf_dev_packet(&queue, entry->opcode, 0, entry->argument, operands,
			      entry->opcode == RF_OPCODE_VECTOR	     ? 4
			      : entry->opcode == RF_OPCODE_TIMESTAMP ? 1
			      : entry->opcode == RF_OPCODE_WAIT || entry->opcode == RF_OPCODE_WRITE
				      ? 2
				      : 3);
		for (k = 0; k < 2; k++)
			rf_neighbour_work(&neighbours[k]);
		rf_dev_submit(&queue);
		if (entry->opcode == RF_OPCODE_SIGNAL && entry->operand == 2) {
			/* if MonitoredValue cannot be read, the host is notified */
			rf_dev_await_state(&queue, RF_SLOT_STATE_ERROR);
			rf_dev_settle(&dev);
			RF_CHECK(conform, rf_dev_record(&dev, &record), "no record");
			RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_FENCE_SIGNALED,
				       "record kind");
		}
		rf_victim_stopped(&queue, RF_QUEUE_ERROR_TRANSLATION, nowhere, entry->store);
		faults++;
		for (k = 0; k < 2; k++) {
			rf_neighbour_work(&neighbours[k]);
			rf_neighbour_check(&neighbours[k]);
		}
		rf_dev_queue_close(&queue);
	}
	RF_CHECK(conform, rf_dev_counter(&dev, RF_COUNTER_FAULTS) >= faults,
		 "faults are not counted");
	rf_dev_close(&dev);
}

/* Ring, command buffer and write-pointer record are fetched in the queue's own VMID. */
static void fetch_faults(struct rf_conform *conform)
{
	struct rf_neighbour neighbour;
	struct rf_ring_entry entry;
	struct rf_dev_queue queue;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 1, RF_NODE_COPY, RF_PLACE_SYSTEM);

	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_register_write(&dev, RF_REG_SLOT_RING_BASE(0), RF_DEV_NOWHERE);
	rf_neighbour_work(&neighbour);
	ring(&dev, 0, 1);
	rf_victim_stopped(&queue, RF_QUEUE_ERROR_TRANSLATION, RF_DEV_NOWHERE, false);
	rf_dev_queue_close(&queue);

	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	entry = (struct rf_ring_entry){ .address = RF_DEV_NOWHERE + 8, .size = 8 };
	rf_dev_write_bytes(&dev, queue.ring, &entry, sizeof(entry));
	ring(&dev, 0, 1);
	rf_victim_stopped(&queue, RF_QUEUE_ERROR_TRANSLATION, RF_DEV_NOWHERE + 8, false);
	rf_dev_queue_close(&queue);

	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_register_write(&dev, RF_REG_SLOT_WRITE_POINTER_ADDRESS(0), RF_DEV_NOWHERE + 16);
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_RESAMPLE_MASK);
	rf_victim_stopped(&queue, RF_QUEUE_ERROR_TRANSLATION, RF_DEV_NOWHERE + 16, false);
	rf_dev_queue_close(&queue);

	/* what VMID 2 may see, VMID 1 may not */
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_map(&dev, 1, (rf_dev_address(&dev, 1, queue.commands) | 0xfff) + 1, 0, 0);
	rf_dev_invalidate(&dev, 1);
	entry = (struct rf_ring_entry){
		.address = (rf_dev_address(&dev, 1, queue.commands) | 0xfff) + 1,
		.size = 8
	};
	rf_dev_write_bytes(&dev, queue.ring, &entry, sizeof(entry));
	ring(&dev, 0, 1);
	rf_victim_stopped(&queue, RF_QUEUE_ERROR_TRANSLATION, entry.address, false);

	rf_neighbour_work(&neighbour);
	rf_neighbour_check(&neighbour);
	rf_dev_close(&dev);
}

/* --- what a queue does ------------------------------------------------------------------------------ */

/* SOFTWARE_SIGNAL and TRAP tell the host what they carry, and go on when it says so. */
static void stop_and_resume(struct rf_conform *conform)
{
	const uint64_t fence[] = { 0xfedcba9876543210ull, 0x0123456789abcdefull };
	const uint64_t code[] = { 0x1122334455667788ull };
	struct rf_interrupt_record record;
	struct rf_neighbour neighbour;
	struct rf_dev_queue queue;
	struct rf_spot cells;
	struct rf_dev dev;
	unsigned int node;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (node = 0; node < 2; node++) {
		rf_dev_queue_open(&queue, &dev, node, node, 1, RF_PLACE_SYSTEM);
		rf_neighbour_open(&neighbour, &dev, 4 + node, node, RF_PLACE_SYSTEM);
		cells = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 24, 8);
		rf_dev_write_packet(&queue, cells, 1);
		rf_dev_packet(&queue, RF_OPCODE_SOFTWARE_SIGNAL, 0, 0, fence, 2);
		rf_dev_write_packet(&queue, rf_spot_at(cells, 8), 1);
		rf_dev_packet(&queue, RF_OPCODE_TRAP, 0, 0, code, 1);
		rf_dev_write_packet(&queue, rf_spot_at(cells, 16), 1);
		rf_dev_submit(&queue);

		rf_dev_await_state(&queue, RF_SLOT_STATE_STOPPED_HOST);
		rf_neighbour_work(&neighbour);
		rf_neighbour_check(&neighbour);
		rf_dev_settle(&dev);
		RF_CHECK(conform, rf_dev_record(&dev, &record), "no software_signal record");
		RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_SOFTWARE_SIGNAL, "record kind");
		RF_CHECK_EQUAL(conform, record.address, fence[0], "record fence");
		RF_CHECK_EQUAL(conform, record.value, fence[1], "record value");
		RF_CHECK_EQUAL(conform, record.handle, RF_DEV_HANDLE(node), "record queue");
		RF_CHECK_EQUAL(conform, record.node, node, "record node");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cells), 1, "the packet before");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(cells, 8)), 0,
			       "the packet behind");
		ring(&dev, queue.doorbell, 1); /* a ring does not resume */
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_queue_state(&queue), RF_SLOT_STATE_STOPPED_HOST,
			       "state after a ring");

		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(node), RF_SLOT_CONTROL_RESUME_MASK);
		rf_dev_await(&dev, rf_spot_at(cells, 8), 1);
		rf_dev_await_state(&queue, RF_SLOT_STATE_STOPPED_HOST);
		rf_dev_settle(&dev);
		RF_CHECK(conform, rf_dev_record(&dev, &record), "no trap record");
		RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_TRAP, "record kind");
		RF_CHECK_EQUAL(conform, record.address, code[0], "record code");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(cells, 16)), 0,
			       "the packet behind the trap");
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(node), RF_SLOT_CONTROL_RESUME_MASK);
		rf_dev_finish(&queue);
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(cells, 16)), 1, "the last");
		RF_CHECK(conform, !rf_dev_record(&dev, &record), "one more record");
		rf_dev_consume(&dev);
	}
	rf_dev_close(&dev);
}

/* Between two TIMESTAMPs lies the engine's work, and time never runs backwards. */
static void timestamps(struct rf_conform *conform)
{
	struct rf_spot stamps, from, to;
	uint64_t operands[3], last, now;
	const uint32_t bytes = 16384;
	struct rf_dev_queue queue;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	stamps = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 64, 64);
	from = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, bytes, 4096);
	to = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, bytes, 4096);
	memset(dev.system + from.offset, 0x5a, bytes);
	last = rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP);
	for (i = 0; i < 3; i++) {
		operands[0] = rf_dev_address(&dev, 1, rf_spot_at(stamps, 8 * i));
		rf_dev_packet(&queue, RF_OPCODE_TIMESTAMP, 0, 0, operands, 1);
		operands[0] = rf_dev_address(&dev, 1, to);
		operands[1] = rf_dev_address(&dev, 1, from);
		operands[2] = bytes;
		if (i == 1)
			rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
	}
	rf_dev_packet(&queue, RF_OPCODE_BARRIER, 0, 0, NULL, 0);
	rf_dev_submit(&queue);
	while (!rf_dev_read(&dev, rf_spot_at(stamps, 16)))
		rf_dev_run(&dev, 1);
	/* in the very cycle in which the third one lands the copy is all there */
	RF_CHECK_EQUAL(conform, dev.system[to.offset + bytes - 1], 0x5a, "last byte of the copy");
	rf_dev_finish(&queue);
	for (i = 0; i < 3; i++) {
		now = rf_dev_read(&dev, rf_spot_at(stamps, 8 * i));
		RF_CHECK(conform, now > last, "timestamp %u runs backwards", i);
		if (i == 2)
			RF_CHECK(conform, now - last >= bytes / 8, "%u bytes copied in %llu cycles",
				 bytes, (unsigned long long)(now - last));
		last = now;
	}
	RF_CHECK(conform, rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP) > last, "TIMESTAMP");
	rf_dev_close(&dev);
}

/* PROGRESS signals the fence that the slot names, in VMID 0; without one it is an error. */
static void progress(struct rf_conform *conform)
{
	const uint64_t values[] = { 10, 20 }, *value;
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_write(&dev, mv, 15);
	rf_dev_queue_progress(&queue, cv, mv);
	for (value = values; value < values + 2; value++) {
		rf_dev_packet(&queue, RF_OPCODE_PROGRESS, 0, 0, value, 1);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), *value, "progress fence");
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_SLOT_PROGRESS_VALUE(0)),
			       *value, "PROGRESS_VALUE");
		RF_CHECK_EQUAL(conform, rf_dev_record(&dev, &record), *value > 15, "record");
	}
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_FENCE_SIGNALED, "record kind");
	RF_CHECK_EQUAL(conform, record.vmid, 0, "record VMID");
	RF_CHECK_EQUAL(conform, record.address, rf_dev_address(&dev, 0, cv), "record address");
	rf_dev_consume(&dev);
	rf_dev_register_write(&dev, RF_REG_SLOT_PROGRESS_ADDRESS(0), 0);
	rf_dev_packet(&queue, RF_OPCODE_PROGRESS, 0, 0, values, 1);
	rf_dev_submit(&queue);
	rf_victim_stopped(&queue, RF_QUEUE_ERROR_OPERAND, 0, false);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), 20, "progress fence after the error");
	rf_dev_close(&dev);
}

/* --- what the device tells of itself ------------------------------------------------------------------ */

struct expected_count {
	enum rf_counter counter;
	uint64_t count;
	const char *name;
};

/* A job whose every TLP is known: everything in system memory, one line each. */
static void counters(struct rf_conform *conform)
{
	static const struct expected_count expected[] = {
		{ RF_COUNTER_RINGS, 2, "rings" },
		{ RF_COUNTER_RING_FETCHES, 2, "ring fetches" },
		{ RF_COUNTER_COMMAND_FETCHES, 2 + 1, "command fetches" },
		{ RF_COUNTER_PACKETS, 6, "packets" },
		{ RF_COUNTER_SIGNALS, 2, "signals" },
		{ RF_COUNTER_INTERRUPTS_RAISED, 1, "interrupts raised" },
		{ RF_COUNTER_INTERRUPTS_SUPPRESSED, 1, "interrupts suppressed" },
		{ RF_COUNTER_WAITS, 1, "waits" },
		{ RF_COUNTER_TX_WRITE_TLPS, 5, "write TLPs" },
		{ RF_COUNTER_TX_WRITE_BYTES, 4 * 8 + 24, "bytes written" },
		{ RF_COUNTER_TX_READ_TLPS, 2 + 3 + 2 + 1, "read TLPs" },
		{ RF_COUNTER_TX_MSIX_TLPS, 1, "MSI-X TLPs" },
		{ RF_COUNTER_RX_COMPLETION_TLPS, 8, "completions received" },
		{ RF_COUNTER_RX_MALFORMED_TLPS, 0, "malformed TLPs" },
		{ RF_COUNTER_RX_UNSUPPORTED_TLPS, 0, "unsupported TLPs" },
		{ RF_COUNTER_RX_UNEXPECTED_COMPLETIONS, 0, "unexpected completions" },
		{ RF_COUNTER_COMPLETION_TIMEOUTS, 0, "time-outs" },
		{ RF_COUNTER_FAULTS, 0, "faults" },
		{ RF_COUNTER_UPDATES, 0, "updates" },
	};
	uint64_t before[RF_COUNT(expected)], retired;
	struct rf_dev_queue one, two;
	struct rf_spot cv, mv, cells;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_need_dma(&dev);
	rf_dev_queue_open(&one, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&two, &dev, 1, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	cells = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 16, 64);
	rf_dev_write(&dev, mv, 1);
	/* Reads of page tables are read TLPs: the TLB is to know every page. */
	rf_dev_warm(&dev, 2, 0, dev.interrupt_ring);
	for (i = 0; i < 2; i++) {
		rf_dev_warm(&dev, 2, 1, i ? two.ring : one.ring);
		rf_dev_warm(&dev, 2, 1, i ? two.commands : one.commands);
	}
	rf_dev_warm(&dev, 2, 1, cells);
	retired = rf_dev_register(&dev, RF_REG_NODE_RETIRED(RF_NODE_COPY));
	for (i = 0; i < RF_COUNT(expected); i++)
		before[i] = rf_dev_counter(&dev, expected[i].counter);

	rf_dev_write_packet(&one, cells, 1);
	rf_dev_signal(&one, cv, 1, mv, RF_DEV_NO_LOG);
	rf_dev_signal(&one, cv, 2, mv, RF_DEV_NO_LOG);
	rf_dev_submit(&one);
	rf_dev_finish(&one);
	rf_dev_settle(&dev);
	rf_dev_wait(&two, cv, 2, RF_DEV_NO_LOG);
	rf_dev_write_packet(&two, rf_spot_at(cells, 8), 1);
	rf_dev_packet(&two, RF_OPCODE_BARRIER, 0, 0, NULL, 0);
	rf_dev_submit(&two);
	rf_dev_finish(&two);
	rf_dev_settle(&dev);
	for (i = 0; i < RF_COUNT(expected); i++)
		RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, expected[i].counter) - before[i],
			       expected[i].count, expected[i].name);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_NODE_RETIRED(RF_NODE_COPY)),
		       retired + 3, "packets retired by the copy node");
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_NODE_RETIRED(RF_NODE_COMPUTE)), 3,
		       "packets retired by the compute node");
	rf_dev_close(&dev);
}

static void clocks(struct rf_conform *conform)
{
	uint64_t first, second, latched;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_LIVENESS) + 1,
		       rf_dev_register(&dev, RF_REG_DEVICE_LIVENESS), "LIVENESS counts reads");
	first = rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP);
	rf_dev_register_write(&dev, RF_REG_DEVICE_CORRELATION, 0x1122334455667788ull);
	rf_dev_flush(&dev);
	second = rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP);
	latched = rf_dev_register(&dev, RF_REG_DEVICE_CORRELATION_TIMESTAMP);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_CORRELATION),
		       0x1122334455667788ull, "CORRELATION");
	RF_CHECK(conform, first < latched && latched < second, "%llu is not between %llu and %llu",
		 (unsigned long long)latched, (unsigned long long)first,
		 (unsigned long long)second);
	rf_dev_run(&dev, 1000);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_CORRELATION_TIMESTAMP), latched,
		       "CORRELATION_TIMESTAMP stands still");
	RF_CHECK(conform,
		 rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP) >=
			 second + 1000 / rf_conform_clock(conform),
		 "TIMESTAMP does not run");
	rf_dev_close(&dev);
}

/* Idle when nothing is to be done, not idle while a copy runs. */
static void idle(struct rf_conform *conform)
{
	struct rf_spot from, to, cv;
	struct rf_dev_queue queue, waiter;
	uint64_t operands[3];
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&waiter, &dev, 1, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	from = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 65536, 64);
	to = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 65536, 64);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_STATUS), 1, "STATUS at rest");
	operands[0] = rf_dev_address(&dev, 1, to);
	operands[1] = rf_dev_address(&dev, 1, from);
	operands[2] = 65536;
	rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
	rf_dev_submit(&queue);
	rf_dev_run(&dev, 500);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_STATUS), 0,
		       "STATUS while a copy runs");
	rf_dev_finish(&queue);
	/* a queue that waits for the CPU does nothing */
	rf_dev_wait(&waiter, cv, 1, RF_DEV_NO_LOG);
	rf_dev_submit(&waiter);
	rf_dev_await_state(&waiter, RF_SLOT_STATE_WAITING);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_STATUS), 1,
		       "STATUS while a queue waits");
	rf_dev_write(&dev, cv, 1);
	rf_dev_register_write(&dev, RF_REG_FENCE_NOTIFY, 1);
	rf_dev_finish(&waiter);
	rf_dev_close(&dev);
}

const struct rf_conform_test rf_conform_queue_tests[] = {
	{ "S3-10.dedicated_doorbell_rings_its_queue", NULL, RF_CONFORM_DEV, 0, dedicated },
	{ "S3-10.slots_there_are", NULL, RF_CONFORM_DEV, 0, slots_there_are },
	{ "S3-9.global_doorbell_rings_by_token", NULL, RF_CONFORM_DEV, 0, global },
	{ "S3-57.rung_before_disconnect_is_done", NULL, RF_CONFORM_DEV, 0, rung_before_disconnect },
	{ "S3-63.pages_are_apart", NULL, RF_CONFORM_DEV, 0, pages_are_apart },
	{ "device.harmless_rings_are_counted", NULL, RF_CONFORM_DEV, 0, harmless_rings },
	{ "device.ring_without_slot_pends", NULL, RF_CONFORM_DEV, 0, ring_without_slot },
	{ "device.bad_packet_stops_its_queue", NULL, RF_CONFORM_DEV, 0, bad_packets },
	{ "device.bad_ring_entry_stops_its_queue", NULL, RF_CONFORM_DEV, 0, bad_ring_entries },
	{ "device.translation_fault_names_address", NULL, RF_CONFORM_DEV, 0, translation_faults },
	{ "device.fetch_fault_names_address", NULL, RF_CONFORM_DEV, 0, fetch_faults },
	{ "device.trap_stops_until_resume", NULL, RF_CONFORM_DEV, 0, stop_and_resume },
	{ "device.timestamp_follows_the_engine", NULL, RF_CONFORM_DEV, 0, timestamps },
	{ "device.progress_signals_its_fence", NULL, RF_CONFORM_DEV, 0, progress },
	{ "device.counters_are_exact", NULL, RF_CONFORM_DEV, 0, counters },
	{ "device.correlation_and_liveness", NULL, RF_CONFORM_DEV, 0, clocks },
	{ "device.idle_says_so", NULL, RF_CONFORM_DEV, 0, idle },
	{ 0 },
};
