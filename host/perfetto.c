// SPDX-License-Identifier: Apache-2.0
/*
 * A trace in Perfetto's protobuf. Field numbers are those of perfetto/trace/trace_packet.proto
 * and what it includes; the encoding is that of protobuf.dev: a message is a sequence of
 * fields, each a number and a kind, then a varint, or a length and so many bytes.
 *
 * Stages are GpuRenderStageEvents, whose event_wait_ids are drawn as arrows. Their times are of the
 * device's clock, which a ClockSnapshot relates to the CPU's clock.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "output.h"
#include "trace_file.h"

/* --- the encoding ------------------------------------------------------------------------ */

#define KIND_VARINT 0u
#define KIND_BYTES 2u

struct message {
	uint8_t *bytes;
	size_t count, capacity;
	bool failed; /* no memory */
};

static void put(struct message *message, const void *bytes, size_t count)
{
	if (message->count + count > message->capacity) {
		size_t capacity = 2 * (message->count + count);
		uint8_t *larger = realloc(message->bytes, capacity);

		if (!larger) {
			message->failed = true;
			return;
		}
		message->bytes = larger;
		message->capacity = capacity;
	}
	memcpy(message->bytes + message->count, bytes, count);
	message->count += count;
}

static void put_varint(struct message *message, uint64_t value)
{
	uint8_t bytes[10];
	size_t count = 0;

	do {
		bytes[count++] = (uint8_t)(value & 127) | (value > 127 ? 128 : 0);
		value >>= 7;
	} while (value);
	put(message, bytes, count);
}

static void put_number(struct message *message, unsigned int field, uint64_t value)
{
	put_varint(message, field << 3 | KIND_VARINT);
	put_varint(message, value);
}

static void put_bytes(struct message *message, unsigned int field, const void *bytes, size_t count)
{
	put_varint(message, field << 3 | KIND_BYTES);
	put_varint(message, count);
	put(message, bytes, count);
}

/* A message as a field of another; it is over. */
static void put_message(struct message *message, unsigned int field, struct message *part)
{
	put_bytes(message, field, part->bytes, part->count);
	message->failed |= part->failed;
	free(part->bytes);
	*part = (struct message){ 0 };
}

/* Text is UTF-8; what is none becomes U+FFFD. */
static void put_text(struct message *message, unsigned int field, const char *text)
{
	struct message copy = { 0 };
	size_t length;

	for (; *text; text += length ? length : 1) {
		length = rf_utf8_length(text);
		put(&copy, length ? text : "\xef\xbf\xbd", length ? length : 3);
	}
	put_message(message, field, &copy);
}

/* --- packets ------------------------------------------------------------------------------- */

#define TRACE_PACKET 1

#define PACKET_CLOCK_SNAPSHOT 6
#define PACKET_TIMESTAMP 8
#define PACKET_SEQUENCE 10
#define PACKET_TRACK_EVENT 11
#define PACKET_INTERNED_DATA 12
#define PACKET_SEQUENCE_FLAGS 13
#define PACKET_RENDER_STAGE 53
#define PACKET_CLOCK 58
#define PACKET_TRACK_DESCRIPTOR 60

/* The incremental state begins here, and is needed to read what follows. */
#define SEQUENCE_CLEARED 1
#define SEQUENCE_NEEDED 2

#define CLOCK_ID_MONOTONIC 3
#define CLOCK_ID_BOOTTIME 6
#define CLOCK_ID_DEVICE 64 /* the first of those that a sequence defines */

#define SEQUENCE 1
#define CONTEXT 1
#define PROCESS_TRACK 1
#define ROW_TRACK(row) (2 + (row))

/* Interned ids, from 1 */
#define STAGE_WORK 1
#define STAGE_WAIT 2
#define STAGE_QUEUE(queue) (3 + (queue))

/* A packet of the sequence ends. */
static void put_packet(struct message *trace, struct message *packet, unsigned int flags)
{
	put_number(packet, PACKET_SEQUENCE, SEQUENCE);
	put_number(packet, PACKET_SEQUENCE_FLAGS, flags);
	put_message(trace, TRACE_PACKET, packet);
}

static void put_time(struct message *packet, uint64_t time, unsigned int clock)
{
	put_number(packet, PACKET_TIMESTAMP, time);
	put_number(packet, PACKET_CLOCK, clock);
}

static void put_clock(struct message *snapshot, unsigned int id, uint64_t time)
{
	struct message clock = { 0 };

	put_number(&clock, 1, id);
	put_number(&clock, 2, time);
	put_message(snapshot, 1, &clock);
}

static void put_clocks(struct message *file, const struct rf_trace *trace)
{
	struct message packet = { 0 }, snapshot = { 0 };

	put_clock(&snapshot, CLOCK_ID_DEVICE, trace->device_ns);
	put_clock(&snapshot, CLOCK_ID_MONOTONIC, trace->cpu_ns);
	put_clock(&snapshot, CLOCK_ID_BOOTTIME, trace->boot_ns);
	put_message(&packet, PACKET_CLOCK_SNAPSHOT, &snapshot);
	put_packet(file, &packet, SEQUENCE_CLEARED | SEQUENCE_NEEDED);
}

static void put_specification(struct message *interned, unsigned int id, const char *name,
			      const char *description)
{
	struct message specification = { 0 };

	put_number(&specification, 1, id);
	put_text(&specification, 2, name);
	put_text(&specification, 3, description);
	put_message(interned, 24, &specification);
}

/* What stages refer to: the process, kinds of stages, queues. */
static void put_interned(struct message *file, const struct rf_trace *trace)
{
	struct message packet = { 0 }, interned = { 0 }, context = { 0 };
	char device[RF_TRACE_DEVICE];
	unsigned int queue;

	put_number(&context, 1, CONTEXT);
	put_number(&context, 2, (uint64_t)getpid());
	put_message(&interned, 23, &context);
	put_specification(&interned, STAGE_WORK, "work", "from the entry of the fence log before");
	put_specification(&interned, STAGE_WAIT, "wait", "the queue stalled, its engine was free");
	for (queue = 0; queue < trace->queue_count; queue++) {
		rf_trace_device_name(trace, trace->queues[queue].device, device, sizeof(device));
		put_specification(&interned, STAGE_QUEUE(queue), trace->queues[queue].name, device);
	}
	put_message(&packet, PACKET_INTERNED_DATA, &interned);
	put_packet(file, &packet, SEQUENCE_NEEDED);
}

static void put_stage(struct message *file, const struct rf_trace *trace,
		      const struct rf_stage *stage)
{
	struct message packet = { 0 }, event = { 0 };
	char name[64];
	unsigned int i;

	rf_trace_stage_name(trace, stage, name, sizeof(name));
	put_number(&event, 1, stage->id);
	put_number(&event, 2, stage->end - stage->begin);
	put_number(&event, 5, CONTEXT);
	put_number(&event, 11, trace->queues[stage->queue].device);
	put_number(&event, 13, STAGE_QUEUE(stage->queue));
	put_number(&event, 14, stage->wait ? STAGE_WAIT : STAGE_WORK);
	put_text(&event, 17, name);
	for (i = 0; i < stage->wait_count; i++)
		put_number(&event, 18, stage->waits[i]);
	put_time(&packet, stage->begin, CLOCK_ID_DEVICE);
	put_message(&packet, PACKET_RENDER_STAGE, &event);
	put_packet(file, &packet, SEQUENCE_NEEDED);
}

static void put_process(struct message *file)
{
	struct message packet = { 0 }, track = { 0 }, process = { 0 };

	put_number(&process, 1, (uint64_t)getpid());
	put_text(&process, 6, "ringfence");
	put_number(&track, 1, PROCESS_TRACK);
	put_message(&track, 3, &process);
	put_message(&packet, PACKET_TRACK_DESCRIPTOR, &track);
	put_packet(file, &packet, SEQUENCE_NEEDED);
}

static void put_row(struct message *file, unsigned int row, const char *name)
{
	struct message packet = { 0 }, track = { 0 };

	put_number(&track, 1, ROW_TRACK(row));
	put_text(&track, 2, name);
	put_number(&track, 5, PROCESS_TRACK);
	put_message(&packet, PACKET_TRACK_DESCRIPTOR, &track);
	put_packet(file, &packet, SEQUENCE_NEEDED);
}

enum event_type { EVENT_BEGIN = 1, EVENT_END = 2, EVENT_INSTANT = 3 };

static void put_event(struct message *file, const struct rf_cpu_slice *slice, uint64_t time,
		      enum event_type type)
{
	struct message packet = { 0 }, event = { 0 };

	put_number(&event, 9, type);
	put_number(&event, 11, ROW_TRACK(slice->row));
	if (type != EVENT_END)
		put_text(&event, 23, slice->name);
	put_time(&packet, time, CLOCK_ID_MONOTONIC);
	put_message(&packet, PACKET_TRACK_EVENT, &event);
	put_packet(file, &packet, SEQUENCE_NEEDED);
}

static void put_slice(struct message *file, const struct rf_cpu_slice *slice)
{
	if (slice->begin == slice->end) {
		put_event(file, slice, slice->begin, EVENT_INSTANT);
		return;
	}
	put_event(file, slice, slice->begin, EVENT_BEGIN);
	put_event(file, slice, slice->end, EVENT_END);
}

int rf_trace_write_perfetto(const struct rf_trace *trace, const char *path)
{
	struct message file = { 0 };
	unsigned int row;
	size_t i;
	int error;

	put_clocks(&file, trace);
	put_interned(&file, trace);
	put_process(&file);
	for (row = 0; row < trace->row_count; row++)
		put_row(&file, row, trace->rows[row]);
	for (i = 0; i < trace->stage_count; i++)
		put_stage(&file, trace, &trace->stages[i]);
	for (i = 0; i < trace->slice_count; i++)
		put_slice(&file, &trace->slices[i]);
	if (file.failed) {
		fprintf(stderr, "ringfence: no memory for %s\n", path);
		error = -ENOMEM;
	} else {
		error = rf_output_write(path, file.bytes, file.count);
	}
	free(file.bytes);
	return error;
}
