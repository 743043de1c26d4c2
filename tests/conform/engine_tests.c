// SPDX-License-Identifier: Apache-2.0
/* What the engines leave in memory, byte for byte, against plain C. */
#include "victim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rf_bus.h"

#define AREA (3 * 4096) /* of each memory; ranges keep GUARD from its ends */
#define GUARD 64

/* The two memories, each with what the test believes is in it. */
struct areas {
	struct rf_dev *dev;
	struct rf_spot spots[2];
	uint8_t *bytes[2];
};

static void load(struct areas *areas, enum rf_place place)
{
	if (place == RF_PLACE_SYSTEM)
		memcpy(areas->dev->system + areas->spots[place].offset, areas->bytes[place], AREA);
	else
		areas->dev->bus->ops->write_bytes(areas->dev->bus, RF_BAR_LOCAL_MEMORY,
						  areas->spots[place].offset, areas->bytes[place],
						  AREA);
}

/* The bytes from @first to before @last. */
static void compare_part(struct areas *areas, enum rf_place place, unsigned int first,
			 unsigned int last, const char *what)
{
	static uint8_t got[AREA];
	unsigned int i;

	if (place == RF_PLACE_SYSTEM)
		memcpy(got + first, areas->dev->system + areas->spots[place].offset + first,
		       last - first);
	else
		areas->dev->bus->ops->read_bytes(areas->dev->bus, RF_BAR_LOCAL_MEMORY,
						 areas->spots[place].offset + first, got + first,
						 last - first);
	for (i = first; i < last; i++)
		if (got[i] != areas->bytes[place][i])
			rf_conform_fail(areas->dev->conform, __FILE__, __LINE__,
					"%s: byte 0x%x of %s memory is 0x%02x, want 0x%02x", what,
					i, place == RF_PLACE_LOCAL ? "local" : "system", got[i],
					areas->bytes[place][i]);
}

static void compare(struct areas *areas, enum rf_place place, const char *what)
{
	compare_part(areas, place, 0, AREA, what);
}

/*
 * What an operation left, which should be @bytes at @offset. A serial line gives local
 * memory in seconds: there only what is near, and all of it at the end of the test.
 */
static void compare_near(struct areas *areas, enum rf_place place, unsigned int offset,
			 unsigned int bytes, const char *what)
{
	if (place == RF_PLACE_LOCAL && rfsim_device_is_serial(areas->dev->conform->setup.world.sim))
		compare_part(areas, place, offset - GUARD, offset + bytes + GUARD, what);
	else
		compare(areas, place, what);
}

static void areas_open(struct areas *areas, struct rf_dev *dev)
{
	unsigned int place, i;

	areas->dev = dev;
	for (place = 0; place < 2; place++) {
		areas->spots[place] = rf_dev_alloc(dev, (enum rf_place)place, AREA, 4096);
		areas->bytes[place] = malloc(AREA);
		RF_CHECK(dev->conform, areas->bytes[place], "no memory");
		for (i = 0; i < AREA; i++)
			areas->bytes[place][i] = (uint8_t)rf_conform_random(dev->conform, 256);
		load(areas, (enum rf_place)place);
	}
}

static void areas_close(struct areas *areas)
{
	compare(areas, RF_PLACE_SYSTEM, "all of it");
	compare(areas, RF_PLACE_LOCAL, "all of it");
	free(areas->bytes[0]);
	free(areas->bytes[1]);
}

static uint64_t area_address(struct areas *areas, unsigned int vmid, enum rf_place place,
			     unsigned int offset)
{
	return rf_dev_address(areas->dev, vmid, rf_spot_at(areas->spots[place], offset));
}

/* Root ports of every kind, so that answers come late, cut and out of order. */
static void restart_random(struct rf_conform *conform)
{
	struct rfsim_config config;

	rfsim_config_random(&config, conform->seed);
	rf_conform_restart(conform, &config);
}

/* --- COPY, FILL ------------------------------------------------------------------------------ */

/* Short, at every alignment of both ends, or long; often around a page boundary. */
static unsigned int draw_bytes(struct rf_conform *conform)
{
	switch (rf_conform_random(conform, 4)) {
	case 0:
		return (unsigned int)rf_conform_random(conform, 20);
	case 1:
		return (unsigned int)rf_conform_random(conform, 300);
	case 2:
		return 64 * (unsigned int)rf_conform_random(conform, 20);
	default:
		return (unsigned int)rf_conform_random(conform, 5000);
	}
}

static unsigned int draw_offset(struct rf_conform *conform, unsigned int bytes)
{
	unsigned int offset;

	do {
		if (rf_conform_random(conform, 2))
			offset = 4096 * (1 + (unsigned int)rf_conform_random(conform, 2)) -
				 (unsigned int)rf_conform_random(conform, 64);
		else
			offset = (unsigned int)rf_conform_random(conform, AREA);
	} while (offset < GUARD || offset + bytes > AREA - GUARD);
	return offset;
}

static void copy_once(struct areas *areas, struct rf_dev_queue *queue, enum rf_place to,
		      unsigned int to_offset, enum rf_place from, unsigned int from_offset,
		      unsigned int bytes)
{
	const uint64_t operands[] = { area_address(areas, queue->vmid, to, to_offset),
				      area_address(areas, queue->vmid, from, from_offset), bytes };
	char what[96];

	rf_dev_packet(queue, RF_OPCODE_COPY, 0, 0, operands, 3);
	rf_dev_submit(queue);
	rf_dev_finish(queue);
	memcpy(areas->bytes[to] + to_offset, areas->bytes[from] + from_offset, bytes);
	snprintf(what, sizeof(what), "COPY of %u bytes from %u:0x%x to %u:0x%x", bytes, from,
		 from_offset, to, to_offset);
	compare_near(areas, to, to_offset, bytes, what);
}

/* Both memories; source and destination may share pages, never bytes. */
static void copy_any_alignment(struct rf_conform *conform)
{
	unsigned int i, shift, bytes, copies = 0;
	struct rf_dev_queue queue;
	struct areas areas;
	struct rf_dev dev;

	restart_random(conform);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	areas_open(&areas, &dev);
	/* all 64 pairs of alignments, from a byte to more than two words */
	for (i = 0; i < 64; i++) {
		for (bytes = 1 + i % 3; bytes < 20; bytes += 5, copies++)
			copy_once(&areas, &queue, RF_PLACE_SYSTEM, 4096 - 8 + i % 8,
				  RF_PLACE_SYSTEM, 8192 - 8 + i / 8, bytes);
	}
	for (i = 0; i < 240; i++, copies++) {
		enum rf_place to = (enum rf_place)(i & 1), from = (enum rf_place)(i >> 1 & 1);
		unsigned int to_offset, from_offset;

		bytes = draw_bytes(conform);
		do {
			to_offset = draw_offset(conform, bytes);
			from_offset = draw_offset(conform, bytes);
		} while (to == from && to_offset < from_offset + bytes &&
			 from_offset < to_offset + bytes);
		copy_once(&areas, &queue, to, to_offset, from, from_offset, bytes);
	}
	/* one page, source and destination side by side, without a gap */
	for (shift = 1; shift < 70; shift += 3, copies++)
		copy_once(&areas, &queue, RF_PLACE_SYSTEM, 4096 + 512 + shift, RF_PLACE_SYSTEM,
			  4096 + 512, shift);
	rf_conform_note(conform, "%u copies", copies);
	areas_close(&areas);
	rf_dev_close(&dev);
}

static void fill_any_alignment(struct rf_conform *conform)
{
	unsigned int i, k, fills = 0;
	struct rf_dev_queue queue;
	struct areas areas;
	struct rf_dev dev;

	restart_random(conform);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 3, RF_PLACE_LOCAL);
	areas_open(&areas, &dev);
	for (i = 0; i < 260; i++, fills++) {
		enum rf_place place = (enum rf_place)(i & 1);
		unsigned int bytes = i < 160 ? i / 8 : draw_bytes(conform);
		unsigned int offset = i < 160 ? 4096 - 8 + i % 8 : draw_offset(conform, bytes);
		uint64_t operands[3];
		char what[64];

		operands[0] = area_address(&areas, 3, place, offset);
		operands[1] = bytes;
		operands[2] = rf_conform_random(conform, ~0ull);
		rf_dev_packet(&queue, RF_OPCODE_FILL, 0, 0, operands, 3);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		for (k = 0; k < bytes; k++)
			areas.bytes[place][offset + k] =
				(uint8_t)(operands[2] >> 8 * ((operands[0] + k) % 8));
		snprintf(what, sizeof(what), "FILL of %u bytes at 0x%x", bytes, offset);
		compare_near(&areas, place, offset, bytes, what);
	}
	rf_conform_note(conform, "%u fills", fills);
	areas_close(&areas);
	rf_dev_close(&dev);
}

/* A chain in one buffer, each packet on what the one before left: order within a queue. */
static void packets_in_order(struct rf_conform *conform)
{
	unsigned int round, i;
	struct rf_dev_queue queue;
	struct areas areas;
	struct rf_dev dev;

	restart_random(conform);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	areas_open(&areas, &dev);
	for (round = 0; round < 30; round++) {
		for (i = 0; i < 6; i++) {
			enum rf_place to = (enum rf_place)rf_conform_random(conform, 2);
			enum rf_place from = (enum rf_place) !to;
			unsigned int bytes = 1 + (unsigned int)rf_conform_random(conform, 900);
			unsigned int to_offset = draw_offset(conform, bytes);
			unsigned int from_offset = draw_offset(conform, bytes);
			const uint64_t operands[] = { area_address(&areas, 1, to, to_offset),
						      area_address(&areas, 1, from, from_offset),
						      bytes };

			rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
			rf_dev_packet(&queue, RF_OPCODE_BARRIER, 0, 0, NULL, 0);
			memcpy(areas.bytes[to] + to_offset, areas.bytes[from] + from_offset, bytes);
		}
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		compare(&areas, RF_PLACE_SYSTEM, "six copies");
		compare(&areas, RF_PLACE_LOCAL, "six copies");
	}
	areas_close(&areas);
	rf_dev_close(&dev);
}

/* --- VECTOR -------------------------------------------------------------------------------------- */

static uint32_t element(struct areas *areas, enum rf_place place, unsigned int offset)
{
	uint32_t value;

	memcpy(&value, areas->bytes[place] + offset, 4);
	return value;
}

static uint32_t apply(enum rf_vector_operation operation, uint32_t x, uint64_t y)
{
	switch (operation) {
	case RF_VECTOR_OPERATION_AXPB:
		return (uint32_t)y * x + (uint32_t)(y >> 32);
	case RF_VECTOR_OPERATION_ADD:
		return x + (uint32_t)y;
	case RF_VECTOR_OPERATION_XOR:
		return x ^ (uint32_t)y;
	case RF_VECTOR_OPERATION_MIN:
		return (int32_t)x < (int32_t)(uint32_t)y ? x : (uint32_t)y;
	default:
		return (int32_t)x > (int32_t)(uint32_t)y ? x : (uint32_t)y;
	}
}

static bool apart(unsigned int a, unsigned int a_bytes, unsigned int b, unsigned int b_bytes)
{
	return a + a_bytes <= b || b + b_bytes <= a;
}

static void vector_against_c(struct rf_conform *conform)
{
	static const uint32_t edges[] = { 0, 1, ~0u, 0x7fffffff, 0x80000000, 0x80000001 };
	unsigned int i, k, runs = 0;
	struct rf_dev_queue queue;
	struct areas areas;
	struct rf_dev dev;

	restart_random(conform);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	areas_open(&areas, &dev);
	/* every pair of edge values meets somewhere */
	for (k = 0; k < 2; k++) {
		for (i = 0; i < 36; i++) {
			uint32_t value = k ? edges[i / 6] : edges[i % 6];

			memcpy(areas.bytes[k] + 4096 + 4 * i, &value, 4);
		}
		load(&areas, (enum rf_place)k);
	}
	for (i = 0; i < 300; i++, runs++) {
		enum rf_vector_operation operation = (enum rf_vector_operation)(i % 6);
		bool sum = operation == RF_VECTOR_OPERATION_SUM;
		bool axpb = operation == RF_VECTOR_OPERATION_AXPB;
		enum rf_place to = (enum rf_place)rf_conform_random(conform, 2);
		enum rf_place x = (enum rf_place)rf_conform_random(conform, 2);
		enum rf_place y = (enum rf_place)rf_conform_random(conform, 2);
		unsigned int count = i < 6    ? 36
				     : i < 12 ? 0
					      : draw_bytes(conform) / 4,
			     bytes = 4 * count;
		unsigned int to_bytes = sum ? 8 : bytes, at, x_at, y_at;
		uint64_t operands[4], total = 0;
		uint32_t results[AREA / 4];
		char what[96];

		if (i < 6) {
			x = RF_PLACE_SYSTEM;
			y = RF_PLACE_LOCAL;
		}
		do {
			at = draw_offset(conform, to_bytes) & (sum ? ~7u : ~3u);
			x_at = i < 6 ? 4096 : draw_offset(conform, bytes) & ~3u;
			y_at = i < 6 ? 4096 : draw_offset(conform, bytes) & ~3u;
			if (!sum && i % 5 == 1) { /* in place */
				to = x;
				at = x_at;
			} else if (!sum && !axpb && i % 5 == 2) {
				to = y;
				at = y_at;
			}
		} while ((to == x && at != x_at && !apart(at, to_bytes, x_at, bytes)) ||
			 (to == y && at != y_at && !apart(at, to_bytes, y_at, bytes)) ||
			 (sum && ((to == x && at == x_at) || (to == y && at == y_at))));
		operands[0] = area_address(&areas, 1, to, at);
		operands[1] = area_address(&areas, 1, x, x_at);
		operands[2] = count;
		operands[3] = sum    ? 0
			      : axpb ? rf_conform_random(conform, ~0ull)
				     : area_address(&areas, 1, y, y_at);
		rf_dev_packet(&queue, RF_OPCODE_VECTOR, 0, operation, operands, 4);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		for (k = 0; k < count; k++) {
			uint32_t value = element(&areas, x, x_at + 4 * k);

			total += (uint64_t)(int64_t)(int32_t)value;
			if (!sum)
				results[k] = apply(operation, value,
						   axpb ? operands[3]
							: element(&areas, y, y_at + 4 * k));
		}
		if (sum)
			memcpy(areas.bytes[to] + at, &total, 8);
		else
			memcpy(areas.bytes[to] + at, results, bytes);
		snprintf(what, sizeof(what), "VECTOR operation %u of %u elements", operation,
			 count);
		compare_near(&areas, to, at, to_bytes, what);
	}
	rf_conform_note(conform, "%u operations", runs);
	areas_close(&areas);
	rf_dev_close(&dev);
}

/* --- both at once --------------------------------------------------------------------------------- */

/* Two engines in the same memories, in ranges of their own. */
static void engines_together(struct rf_conform *conform)
{
	const unsigned int half = 4096, bytes = 4000;
	struct rf_dev_queue copy, vector;
	struct areas areas;
	struct rf_dev dev;
	unsigned int i, k;

	restart_random(conform);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&copy, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&vector, &dev, 1, RF_NODE_COMPUTE, 2, RF_PLACE_SYSTEM);
	areas_open(&areas, &dev);
	for (i = 0; i < 20; i++) {
		unsigned int skew = 64 + (unsigned int)rf_conform_random(conform, 16);
		const uint64_t copied[] = { area_address(&areas, 1, RF_PLACE_LOCAL, half + skew),
					    area_address(&areas, 1, RF_PLACE_SYSTEM, 2 * half + 17),
					    bytes };
		const uint64_t added[] = { area_address(&areas, 2, RF_PLACE_SYSTEM, 64),
					   area_address(&areas, 2, RF_PLACE_SYSTEM, 64), bytes / 4,
					   area_address(&areas, 2, RF_PLACE_LOCAL, 64) };

		rf_dev_packet(&copy, RF_OPCODE_COPY, 0, 0, copied, 3);
		rf_dev_packet(&vector, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_ADD, added, 4);
		rf_dev_submit(&copy);
		rf_dev_submit(&vector);
		rf_dev_finish(&copy);
		rf_dev_finish(&vector);
		memcpy(areas.bytes[RF_PLACE_LOCAL] + half + skew,
		       areas.bytes[RF_PLACE_SYSTEM] + 2 * half + 17, bytes);
		for (k = 0; k < bytes; k += 4) {
			uint32_t value = element(&areas, RF_PLACE_SYSTEM, 64 + k) +
					 element(&areas, RF_PLACE_LOCAL, 64 + k);

			memcpy(areas.bytes[RF_PLACE_SYSTEM] + 64 + k, &value, 4);
		}
		compare(&areas, RF_PLACE_SYSTEM, "both engines");
		compare(&areas, RF_PLACE_LOCAL, "both engines");
	}
	areas_close(&areas);
	rf_dev_close(&dev);
}

/*
 * PARAMETERS tells whether there is a vector engine. Without one VECTOR is an unknown opcode, which
 * stops its queue and no other.
 */
static void vector_engine_as_told(struct rf_conform *conform)
{
	struct rf_neighbour neighbour;
	struct rf_dev_queue queue;
	struct rf_spot x;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 1, RF_NODE_COMPUTE, RF_PLACE_SYSTEM);
	x = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_write(&dev, x, 6);
	{
		const uint64_t axpb[] = { rf_dev_address(&dev, 1, x), rf_dev_address(&dev, 1, x), 1,
					  7 };

		rf_dev_packet(&queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_AXPB, axpb, 4);
	}
	rf_neighbour_work(&neighbour);
	rf_dev_submit(&queue);
	if (dev.vector)
		rf_dev_finish(&queue);
	else
		rf_victim_stopped(&queue, RF_QUEUE_ERROR_OPCODE,
				  rf_dev_address(&dev, 1, queue.commands), false);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, x), dev.vector ? 42 : 6, "7 * 6 + 0");
	rf_neighbour_work(&neighbour);
	rf_neighbour_check(&neighbour);
	rf_dev_close(&dev);
}

const struct rf_conform_test rf_conform_engine_tests[] = {
	{ "device.copy_any_alignment", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  copy_any_alignment },
	{ "device.fill_any_alignment", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  fill_any_alignment },
	{ "device.barrier_keeps_copies_in_order", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  packets_in_order },
	{ "device.vector_equals_c", NULL, RF_CONFORM_DEV,
	  RF_CONFORM_ROOT_COMPLEX | RF_CONFORM_VECTOR, vector_against_c },
	{ "device.engines_together", NULL, RF_CONFORM_DEV,
	  RF_CONFORM_ROOT_COMPLEX | RF_CONFORM_VECTOR, engines_together },
	{ "device.vector_engine_is_as_told", NULL, RF_CONFORM_DEV, 0, vector_engine_as_told },
	{ 0 },
};
