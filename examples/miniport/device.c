// SPDX-License-Identifier: Apache-2.0
/*
 * The device of the sample: fences, packets and queues in software. A device of your own is in place
 * of this file.
 */
#include "device.h"

/* --- fences ------------------------------------------------------------------------ */

u64 *device_word(struct device *device, u64 address)
{
	u64 bytes;

	return rf_miniport_find(&device->memory, NULL, address, false, &bytes);
}

struct fence *device_find_fence(struct device *device, const u64 *current)
{
	struct fence *fence = device->fences;

	while (fence && device_word(device, fence->current) != current)
		fence = fence->next;
	return fence;
}

static void report_signaled(struct device *device, const u64 *current, u32 node)
{
	struct fence *fence = device_find_fence(device, current);

	if (fence)
		rf_report_fence(&device->reports, fence, fence->core, node);
	else
		rf_report_monitored_fence(&device->reports, node);
}

/* First CurrentValue, then the comparison: UpdateMonitoredValues does it in the other order. */
static void signal(struct queue *queue, u64 *current, const u64 *monitored, u64 value)
{
	rf_write_once64(current, value);
	rf_mb();
	if (value > rf_read_once64(monitored))
		report_signaled(queue->device, current, queue->context->node);
}

static void signal_progress(struct queue *queue, u64 value)
{
	queue->progressed = value;
	signal(queue, device_word(queue->device, queue->progress->current),
	       device_word(queue->device, queue->progress->monitored), value);
}

/* --- packets ----------------------------------------------------------------------- */

static void stop(struct queue *queue, enum rf_stop_reason reason, u64 argument, u64 value)
{
	queue->stopped = true;
	rf_report_stopped(&queue->device->reports, queue, reason, argument, value);
}

static void perform(struct queue *queue, const u64 *packet)
{
	struct rf_stream_space *space = &queue->stream.space;
	u64 *current, *monitored;

	switch ((u8)packet[0]) {
	case RF_OPCODE_SIGNAL:
		current = rf_stream_word(space, packet[1], true);
		monitored = current ? rf_stream_word(space, packet[3], false) : NULL;
		if (monitored)
			signal(queue, current, monitored, packet[2]);
		break;
	case RF_OPCODE_WAIT:
		current = rf_stream_word(space, packet[1], false);
		queue->waits = current && rf_read_once64(current) < packet[2];
		queue->wait_address = packet[1];
		queue->wait_value = packet[2];
		break;
	case RF_OPCODE_PROGRESS:
		signal_progress(queue, packet[1]);
		break;
	case RF_OPCODE_SOFTWARE_SIGNAL:
		stop(queue, RF_STOP_SOFTWARE_SIGNAL, packet[1], packet[2]);
		break;
	case RF_OPCODE_TRAP:
		stop(queue, RF_STOP_TRAP, packet[1], 0);
		break;
	default:
		rf_stream_work(space, packet);
	}
}

/* A WAIT that is not satisfied is read again the next time. */
static void step(struct queue *queue)
{
	u64 packet[RF_PACKET_WORDS_MAX];
	u32 words = rf_stream_read(&queue->stream, packet);

	queue->waits = false;
	if (words)
		perform(queue, packet);
	if (!queue->stream.space.error && !queue->waits)
		queue->stream.at += words * 8;
}

/* --- queues ------------------------------------------------------------------------ */

/* The driver promises progress for what the kernel submits; user mode has packets of its own. */
static void end_buffer(struct queue *queue)
{
	queue->active = false;
	if (queue->stream.of_kernel)
		signal_progress(queue,
				rf_stream_submission(&queue->stream)->hw_queue_progress_fence_id);
}

/* The next packet, or the begin or end of a command buffer; false: there is none, or it waits. */
static bool go_on(struct queue *queue)
{
	if (!queue || !queue->resident || queue->stopped || queue->stream.space.error ||
	    (!queue->active && !rf_stream_has_entry(&queue->stream)))
		return false;
	if (!queue->active)
		queue->active = rf_stream_begin(&queue->stream);
	else if (queue->stream.at == queue->stream.end)
		end_buffer(queue);
	else
		step(queue);
	if (queue->stream.space.error)
		rf_report_error(&queue->device->reports, queue, &queue->stream, queue->progressed);
	return !queue->waits;
}

void device_run(struct device *device)
{
	bool any;
	u32 i;

	do {
		any = false;
		for (i = 0; i < QUEUES; i++)
			while (go_on(device->queues[i]))
				any = true;
	} while (any);
}
