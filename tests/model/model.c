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
	return queue->space.error || queue->next == queue->count;
}

static void *find(void *argument, u64 address, bool store, u64 *bytes)
{
	const struct model_process *process = argument;
	unsigned int i;

	for (i = 0; i < process->count; i++) {
		const struct model_range *range = &process->ranges[i];

		if (address >= range->address && address - range->address < range->bytes &&
		    (range->writable || !store)) {
			*bytes = range->bytes - (address - range->address);
			return range->data + (address - range->address);
		}
	}
	return NULL;
}

void model_init(struct model_queue *queue, struct model_process *process, bool copies)
{
	queue->process = process;
	queue->copies = copies;
	queue->space.find = find;
	queue->space.argument = process;
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
	u64 *word = rf_stream_word(&queue->space, address, true);

	if (queue->stamp_count == MODEL_STAMPS)
		give_up("too many timestamps");
	if (word)
		queue->stamps[queue->stamp_count++] = (uint8_t *)word;
}

static void signal(struct model_queue *queue, const u64 *packet, uint32_t flags)
{
	u64 *current = rf_stream_word(&queue->space, packet[1], true);

	if (!current)
		return;
	*current = packet[2];
	if (flags & RF_PACKET_SIGNAL_FLAG_LOG)
		note_log(queue, RF_LOG_TYPE_SIGNALS, packet[4], packet[2]);
}

static void execute(struct model_queue *queue, const u64 *packet)
{
	uint32_t flags = packet[0] >> RF_PACKET_HEADER_FLAGS_SHIFT & 0xffff;

	switch (packet[0] & RF_PACKET_HEADER_OPCODE_MASK) {
	case RF_OPCODE_SIGNAL:
		return signal(queue, packet, flags);
	case RF_OPCODE_WAIT:
		if (flags & RF_PACKET_WAIT_FLAG_LOG)
			note_log(queue, RF_LOG_TYPE_WAITS, packet[3], packet[2]);
		return;
	case RF_OPCODE_TIMESTAMP:
		return stamp(queue, packet[1]);
	case RF_OPCODE_PROGRESS:
		queue->progress = packet[1];
		return;
	}
	rf_stream_work(&queue->space, packet); /* NOP and BARRIER have none */
}

static bool may_go(struct model_queue *queue, const u64 *packet)
{
	const u64 *current;

	if ((packet[0] & RF_PACKET_HEADER_OPCODE_MASK) != RF_OPCODE_WAIT)
		return true;
	current = rf_stream_word(&queue->space, packet[1], false);
	return current && *current >= packet[2];
}

bool model_step(struct model_queue *queue)
{
	const u64 *packet;

	if (model_is_done(queue))
		return false;
	packet = (const u64 *)&queue->words[queue->next];
	if (!may_go(queue, packet))
		return queue->space.error;
	execute(queue, packet);
	if (!queue->space.error)
		queue->next += packet[0] >> RF_PACKET_HEADER_WORDS_SHIFT & 0xff;
	return true;
}
