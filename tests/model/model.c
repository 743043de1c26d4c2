// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static void give_up(const char *why)
{
	fprintf(stderr, "model: %s\n", why);
	exit(2);
}

void model_map(struct model_process *process, uint64_t address, uint8_t *data, uint64_t bytes,
	       bool writable)
{
	if (process->count == MODEL_RANGES)
		give_up("too many ranges");
	process->ranges[process->count++] = (struct model_range){ address, bytes, data, writable };
}

void model_submit(struct model_queue *queue, const uint64_t *words, size_t count)
{
	queue->words = realloc(queue->words, (queue->count + count) * sizeof(*words));
	if (!queue->words)
		give_up("no memory");
	memcpy(&queue->words[queue->count], words, count * sizeof(*words));
	queue->count += count;
}

bool model_is_done(const struct model_queue *queue)
{
	return queue->error || queue->next == queue->count;
}

static void stop(struct model_queue *queue, enum rf_queue_error error, uint64_t address)
{
	queue->error = error;
	queue->error_address = address;
}

/* A byte at an address, or NULL, and then the queue has stopped. */
static uint8_t *at(struct model_queue *queue, uint64_t address, bool store)
{
	const struct model_process *process = queue->process;
	unsigned int i;

	for (i = 0; i < process->count; i++) {
		const struct model_range *range = &process->ranges[i];

		if (address >= range->address && address - range->address < range->bytes &&
		    (range->writable || !store))
			return range->data + (address - range->address);
	}
	stop(queue, RF_QUEUE_ERROR_TRANSLATION, address);
	return NULL;
}

static uint64_t load(struct model_queue *queue, uint64_t address, unsigned int bytes)
{
	uint64_t value = 0;
	const uint8_t *byte;
	unsigned int i;

	for (i = 0; i < bytes && !queue->error; i++) {
		byte = at(queue, address + i, false);
		if (byte)
			value |= (uint64_t)*byte << 8 * i;
	}
	return value;
}

static void store(struct model_queue *queue, uint64_t address, uint64_t value, unsigned int bytes)
{
	unsigned int i;
	uint8_t *byte;

	for (i = 0; i < bytes && !queue->error; i++) {
		byte = at(queue, address + i, true);
		if (byte)
			*byte = (uint8_t)(value >> 8 * i);
	}
}

/* --- engines ---------------------------------------------------------------------------- */

static void copy(struct model_queue *queue, const uint64_t *packet)
{
	uint64_t i;

	for (i = 0; i < packet[3] && !queue->error; i++)
		store(queue, packet[1] + i, load(queue, packet[2] + i, 1), 1);
}

static void fill(struct model_queue *queue, const uint64_t *packet)
{
	uint64_t i;

	for (i = 0; i < packet[2] && !queue->error; i++)
		store(queue, packet[1] + i, packet[3] >> 8 * ((packet[1] + i) % 8), 1);
}

static uint32_t element(uint32_t operation, uint32_t x, uint32_t y, uint64_t scalars)
{
	switch (operation) {
	case RF_VECTOR_OPERATION_AXPB:
		return (uint32_t)scalars * x + (uint32_t)(scalars >> 32);
	case RF_VECTOR_OPERATION_ADD:
		return x + y;
	case RF_VECTOR_OPERATION_XOR:
		return x ^ y;
	case RF_VECTOR_OPERATION_MIN:
		return (int32_t)x < (int32_t)y ? x : y;
	case RF_VECTOR_OPERATION_MAX:
		return (int32_t)x > (int32_t)y ? x : y;
	}
	give_up("no such operation on vectors");
	return 0;
}

static void vector(struct model_queue *queue, uint32_t operation, const uint64_t *packet)
{
	bool scalar = operation == RF_VECTOR_OPERATION_AXPB;
	uint64_t sum = 0, i;
	uint32_t x, y;

	for (i = 0; i < packet[3] && !queue->error; i++) {
		x = (uint32_t)load(queue, packet[2] + 4 * i, 4);
		if (operation == RF_VECTOR_OPERATION_SUM) {
			sum += (uint64_t)(int64_t)(int32_t)x;
			continue;
		}
		y = scalar ? 0 : (uint32_t)load(queue, packet[4] + 4 * i, 4);
		store(queue, packet[1] + 4 * i, element(operation, x, y, packet[4]), 4);
	}
	if (operation == RF_VECTOR_OPERATION_SUM)
		store(queue, packet[1], sum, 8);
}

/* --- packets ---------------------------------------------------------------------------- */

static void note_log(struct model_queue *queue, uint32_t type, uint64_t payload, uint64_t value)
{
	if (queue->log_count == MODEL_LOG)
		give_up("too many log entries");
	queue->log[queue->log_count++] = (struct model_log_entry){
		.type = type,
		.fence = (uint32_t)payload,
		.operation = (uint32_t)(payload >> 32),
		.value = value,
	};
}

static void stamp(struct model_queue *queue, uint64_t address)
{
	uint8_t *word = at(queue, address, true);

	if (queue->stamp_count == MODEL_STAMPS)
		give_up("too many timestamps");
	if (word)
		queue->stamps[queue->stamp_count++] = word;
}

static void execute(struct model_queue *queue, const uint64_t *packet)
{
	uint32_t argument = (uint32_t)(packet[0] >> RF_PACKET_HEADER_ARGUMENT_SHIFT);
	uint32_t flags = packet[0] >> RF_PACKET_HEADER_FLAGS_SHIFT & 0xffff;

	switch (packet[0] & RF_PACKET_HEADER_OPCODE_MASK) {
	case RF_OPCODE_NOP:
	case RF_OPCODE_BARRIER: /* one after another they are anyway */
		return;
	case RF_OPCODE_SIGNAL:
		store(queue, packet[1], packet[2], 8);
		if (!queue->error && (flags & RF_PACKET_SIGNAL_FLAG_LOG))
			note_log(queue, RF_LOG_TYPE_SIGNALS, packet[4], packet[2]);
		return;
	case RF_OPCODE_WAIT:
		if (flags & RF_PACKET_WAIT_FLAG_LOG)
			note_log(queue, RF_LOG_TYPE_WAITS, packet[3], packet[2]);
		return;
	case RF_OPCODE_WRITE:
		store(queue, packet[1], packet[2], 8);
		return;
	case RF_OPCODE_TIMESTAMP:
		stamp(queue, packet[1]);
		return;
	case RF_OPCODE_PROGRESS:
		queue->progress = packet[1];
		return;
	case RF_OPCODE_COPY:
		copy(queue, packet);
		return;
	case RF_OPCODE_FILL:
		fill(queue, packet);
		return;
	case RF_OPCODE_VECTOR:
		vector(queue, argument & 0xff, packet);
		return;
	}
	give_up("no such packet");
}

static bool may_go(struct model_queue *queue, const uint64_t *packet)
{
	if ((packet[0] & RF_PACKET_HEADER_OPCODE_MASK) != RF_OPCODE_WAIT)
		return true;
	return load(queue, packet[1], 8) >= packet[2];
}

bool model_step(struct model_queue *queue)
{
	const uint64_t *packet;

	if (model_is_done(queue))
		return false;
	packet = &queue->words[queue->next];
	if (!may_go(queue, packet))
		return queue->error;
	execute(queue, packet);
	if (!queue->error)
		queue->next += packet[0] >> RF_PACKET_HEADER_WORDS_SHIFT & 0xff;
	return true;
}
