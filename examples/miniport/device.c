// SPDX-License-Identifier: Apache-2.0
/*
 * The device of the sample miniport: signals, waits, engines and queues in software. A device of
 * your own is in place of this file.
 */
#include "device.h"

#include <time.h>

/* --- signals and waits --------------------------------------------------------------- */

static u64 now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (u64)time.tv_sec * 1000000000u + (u64)time.tv_nsec;
}

/* The queue stops for good. @address: that it could not reach, or of the bad packet. */
static void fail(struct device *device, struct queue *queue, u32 error, u64 address, bool store)
{
	struct rf_notify_interrupt_data *data =
		device_report(device, queue, RF_INTERRUPT_HWQUEUE_PAGE_FAULTED);

	queue->failed = true;
	data->hw_queue_page_faulted.faulted_fence_id = queue->progressed;
	data->hw_queue_page_faulted.faulted_virtual_address = address;
	data->hw_queue_page_faulted.faulted_hw_queue = queue;
	data->hw_queue_page_faulted.node_ordinal = queue->context->node;
	data->hw_queue_page_faulted.page_fault_flags = store;
	data->hw_queue_page_faulted.fault_error_code = error;
}

/*
 * What is at @address for the queue; NULL: it has failed. @bytes: wanted; on return no more than
 * there are in one piece.
 */
static void *reach(struct device *device, struct queue *queue, u64 address, bool store,
		   u32 alignment, u64 *bytes)
{
	u64 room;
	void *place = device_find(device, queue->context->process, address, store, &room);

	if (place && address % alignment == 0) {
		*bytes = *bytes < room ? *bytes : room;
		return place;
	}
	fail(device, queue,
	     address % alignment ? RF_QUEUE_ERROR_ALIGNMENT : RF_QUEUE_ERROR_TRANSLATION, address,
	     store);
	return NULL;
}

static u64 *word(struct device *device, struct queue *queue, u64 address, bool store)
{
	u64 bytes = sizeof(u64);

	return reach(device, queue, address, store, sizeof(u64), &bytes);
}

/* A value of no native fence is that of a monitored fence. */
void device_report_signaled(struct device *device, const struct fence *fence, u32 node)
{
	device_report(device, fence,
		      fence ? RF_INTERRUPT_NATIVE_FENCE_SIGNALED
			    : RF_INTERRUPT_MONITORED_FENCE_SIGNALED)
		->native_fence_signaled.node_ordinal = node;
}

/* First CurrentValue, then the comparison: UpdateMonitoredValues does it in the other order. */
static void signal(struct device *device, struct queue *queue, u64 *current, const u64 *monitored,
		   u64 value)
{
	rf_write_once64(current, value);
	rf_mb();
	if (value > rf_read_once64(monitored))
		device_report_signaled(device, device_find_fence(device, current),
				       queue->context->node);
}

static void signal_progress(struct device *device, struct queue *queue, u64 value)
{
	queue->progressed = value;
	signal(device, queue, queue->progress->current, queue->progress->monitored, value);
}

static void stop(struct device *device, struct queue *queue, enum rf_stop_reason reason,
		 u64 argument, u64 value)
{
	struct rf_notify_interrupt_data *data =
		device_report(device, queue, RF_INTERRUPT_HWQUEUE_STOPPED);

	queue->stopped = true;
	data->hw_queue_stopped.stopped_hw_queue = queue;
	data->hw_queue_stopped.reason = reason;
	data->hw_queue_stopped.argument = argument;
	data->hw_queue_stopped.value = value;
}

/* --- engines ---------------------------------------------------------------------- */

static u32 element(u32 operation, u32 x, u32 y, u64 constants)
{
	switch (operation) {
	case RF_VECTOR_OPERATION_AXPB:
		return (u32)constants * x + (u32)(constants >> 32);
	case RF_VECTOR_OPERATION_ADD:
		return x + y;
	case RF_VECTOR_OPERATION_XOR:
		return x ^ y;
	case RF_VECTOR_OPERATION_MIN:
		return (s32)x < (s32)y ? x : y;
	}
	return (s32)x > (s32)y ? x : y;
}

/* Ranges are done in pieces: mappings that follow one another may be anywhere. */
static void copy(struct device *device, struct queue *queue, const struct rf_packet_copy *packet)
{
	u64 done, bytes;
	char *from, *to;

	for (done = 0; done < packet->bytes; done += bytes) {
		bytes = packet->bytes - done;
		from = reach(device, queue, packet->source + done, false, 1, &bytes);
		to = from ? reach(device, queue, packet->destination + done, true, 1, &bytes)
			  : NULL;
		if (!to)
			return;
		memmove(to, from, bytes);
	}
}

static void fill(struct device *device, struct queue *queue, const struct rf_packet_fill *packet)
{
	u64 done, bytes, i;
	char *to;

	for (done = 0; done < packet->bytes; done += bytes) {
		bytes = packet->bytes - done;
		to = reach(device, queue, packet->destination + done, true, 1, &bytes);
		if (!to)
			return;
		for (i = 0; i < bytes; i++)
			to[i] = packet->pattern >> (packet->destination + done + i) % 8 * 8;
	}
}

static void vector(struct device *device, struct queue *queue,
		   const struct rf_packet_vector *packet)
{
	u32 operation = packet->header >> RF_PACKET_HEADER_ARGUMENT_SHIFT, *x, *y, *to;
	bool sums = operation == RF_VECTOR_OPERATION_SUM, has_y = !sums && operation;
	u64 done, bytes, i, sum = 0, *place;

	if (operation > RF_VECTOR_OPERATION_SUM || packet->count >> 30)
		return fail(device, queue, RF_QUEUE_ERROR_OPERAND, packet->destination, false);
	for (done = 0; done < packet->count * 4; done += bytes) {
		bytes = packet->count * 4 - done;
		to = x = y = reach(device, queue, packet->x + done, false, 4, &bytes);
		if (x && has_y)
			to = y = reach(device, queue, packet->y + done, false, 4, &bytes);
		if (y && !sums)
			to = reach(device, queue, packet->destination + done, true, 4, &bytes);
		if (!to)
			return;
		for (i = 0; i < bytes / 4; i++) {
			if (sums)
				sum += (u64)(s32)x[i];
			else
				to[i] = element(operation, x[i], y[i], packet->y);
		}
	}
	place = sums ? word(device, queue, packet->destination, true) : NULL;
	if (place)
		*place = sum;
}

/* --- queues ------------------------------------------------------------------------ */

#define WORDS(name) RF_PACKET_##name##_WORDS_MIN, RF_PACKET_##name##_WORDS_MAX
#define ANY_NODE (1u << RF_NODE_COMPUTE | 1u << RF_NODE_COPY)

static const struct {
	u8 least, most, nodes;
} formats[256] = {
	[RF_OPCODE_NOP] = { WORDS(NOP), ANY_NODE },
	[RF_OPCODE_SIGNAL] = { WORDS(SIGNAL), ANY_NODE },
	[RF_OPCODE_WAIT] = { WORDS(WAIT), ANY_NODE },
	[RF_OPCODE_WRITE] = { WORDS(WRITE), ANY_NODE },
	[RF_OPCODE_TIMESTAMP] = { WORDS(TIMESTAMP), ANY_NODE },
	[RF_OPCODE_PROGRESS] = { WORDS(PROGRESS), ANY_NODE },
	[RF_OPCODE_BARRIER] = { WORDS(BARRIER), ANY_NODE },
	[RF_OPCODE_SOFTWARE_SIGNAL] = { WORDS(SOFTWARE_SIGNAL), ANY_NODE },
	[RF_OPCODE_TRAP] = { WORDS(TRAP), ANY_NODE },
	[RF_OPCODE_COPY] = { WORDS(COPY), 1u << RF_NODE_COPY },
	[RF_OPCODE_FILL] = { WORDS(FILL), 1u << RF_NODE_COPY },
	[RF_OPCODE_VECTOR] = { WORDS(VECTOR), 1u << RF_NODE_COMPUTE },
};

static void perform(struct device *device, struct queue *queue, const u64 *packet)
{
	u64 *place, *monitored;

	switch ((u8)packet[0]) {
	case RF_OPCODE_SIGNAL:
		place = word(device, queue, packet[1], true);
		monitored = place ? word(device, queue, packet[3], false) : NULL;
		if (monitored)
			signal(device, queue, place, monitored, packet[2]);
		break;
	case RF_OPCODE_WAIT:
		place = word(device, queue, packet[1], false);
		queue->waits = place && rf_read_once64(place) < packet[2];
		queue->wait_address = packet[1];
		queue->wait_value = packet[2];
		break;
	case RF_OPCODE_WRITE:
	case RF_OPCODE_TIMESTAMP:
		place = word(device, queue, packet[1], true);
		if (place)
			rf_write_once64(place,
					(u8)packet[0] == RF_OPCODE_WRITE ? packet[2] : now());
		break;
	case RF_OPCODE_PROGRESS:
		signal_progress(device, queue, packet[1]);
		break;
	case RF_OPCODE_SOFTWARE_SIGNAL:
		stop(device, queue, RF_STOP_SOFTWARE_SIGNAL, packet[1], packet[2]);
		break;
	case RF_OPCODE_TRAP:
		stop(device, queue, RF_STOP_TRAP, packet[1], 0);
		break;
	case RF_OPCODE_COPY:
		copy(device, queue, (const void *)packet);
		break;
	case RF_OPCODE_FILL:
		fill(device, queue, (const void *)packet);
		break;
	case RF_OPCODE_VECTOR:
		vector(device, queue, (const void *)packet);
		break;
	}
}

/* One packet. */
static void step(struct device *device, struct queue *queue)
{
	u64 packet[RF_PACKET_WORDS_MAX] = { 0 }, address, *place;
	u32 count = 1, i;
	u8 opcode;

	for (i = 0; i < count; i++) {
		address = queue->buffer + (queue->at + i) * 8ull;
		place = word(device, queue, address, false);
		if (!place)
			return;
		packet[i] = rf_read_once64(place);
		if (i)
			continue;
		opcode = (u8)packet[0];
		count = packet[0] >> RF_PACKET_HEADER_WORDS_SHIFT & 0xff;
		if (!(formats[opcode].nodes & 1u << queue->context->node))
			return fail(device, queue, RF_QUEUE_ERROR_OPCODE, address, false);
		if (count < formats[opcode].least || count > formats[opcode].most ||
		    count > queue->words - queue->at)
			return fail(device, queue, RF_QUEUE_ERROR_LENGTH, address, false);
	}
	perform(device, queue, packet);
	if (!queue->failed && !queue->waits)
		queue->at += count;
}

void device_offer(struct queue *queue, u64 written)
{
	if (written > queue->written && written - queue->read <= queue->entries &&
	    !(written >> RF_WRITE_POINTER_BITS))
		queue->written = written;
}

void device_sample(struct device *device, struct queue *queue)
{
	u64 bytes;
	u64 *control = device_find(device, queue->context->process, queue->control, false, &bytes);

	if (queue->user_mode && control)
		device_offer(queue, rf_read_once64(control));
}

/* The next command buffer. */
static void begin(struct device *device, struct queue *queue)
{
	u64 entry = queue->ring + queue->read % queue->entries * RF_RING_ENTRY_BYTES;
	u64 *address, *size;

	if (!queue->user_mode) {
		const struct rf_submit_command_to_hw_queue *submission =
			&queue->submissions[queue->read % SUBMISSIONS];

		queue->buffer = submission->dma_buffer_virtual_address;
		queue->words = submission->dma_buffer_size / 8;
	} else {
		address = word(device, queue, entry, false);
		size = address ? word(device, queue, entry + 8, false) : NULL;
		if (!size)
			return;
		if (*address % 8 || *size % 8 || *size >> 32)
			return fail(device, queue, RF_QUEUE_ERROR_RING_ENTRY, entry, false);
		queue->buffer = *address;
		queue->words = (u32)*size / 8;
	}
	queue->at = 0;
	queue->active = true;
	queue->read++;
}

/* The driver promises progress for what the kernel submits; user mode has packets of its own. */
static void end(struct device *device, struct queue *queue)
{
	queue->active = false;
	if (!queue->user_mode)
		signal_progress(device, queue,
				queue->submissions[(queue->read - 1) % SUBMISSIONS]
					.hw_queue_progress_fence_id);
}

/* A wait for a word that is gone goes on, and fails. */
static bool can_go_on(struct device *device, struct queue *queue)
{
	u64 bytes, *place;

	if (!queue || !queue->resident || queue->stopped || queue->failed)
		return false;
	if (queue->waits) {
		place = device_find(device, queue->context->process, queue->wait_address, false,
				    &bytes);
		if (place && rf_read_once64(place) < queue->wait_value)
			return false;
	}
	return queue->active || queue->read != queue->written;
}

void device_run(struct device *device)
{
	bool any;
	u32 i;

	do {
		any = false;
		for (i = 0; i < QUEUES; i++) {
			struct queue *queue = device->queues[i];

			while (can_go_on(device, queue)) {
				any = true;
				if (!queue->active)
					begin(device, queue);
				else if (queue->at == queue->words)
					end(device, queue);
				else
					step(device, queue);
			}
		}
	} while (any);
}
