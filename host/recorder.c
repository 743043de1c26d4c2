// SPDX-License-Identifier: Apache-2.0
#include "recorder.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tlp.h"

struct event {
	uint64_t cycle;
	uint64_t events;
};

struct packet {
	struct rfsim_tlp tlp; /* payload NULL */
	uint32_t header[TLP_HEADER_WORDS];
};

struct rf_recorder {
	struct rfsim_device *device;
	struct event *events;
	size_t event_count, event_capacity;
	struct packet *packets; /* by the cycle of their last beat */
	size_t packet_count, packet_capacity;
};

static void __attribute__((noreturn)) fail(const char *what)
{
	fprintf(stderr, "ringfence: %s\n", what);
	exit(1);
}

/* Room for one more element. */
static void *grow(void *array, size_t count, size_t *capacity, size_t bytes)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 1024;
	array = realloc(array, *capacity * bytes);
	if (!array)
		fail("no memory for what the device did");
	return array;
}

static void on_event(void *context, struct rfsim_device *device, uint64_t cycle, uint64_t events)
{
	struct rf_recorder *recorder = context;

	(void)device;
	recorder->events = grow(recorder->events, recorder->event_count, &recorder->event_capacity,
				sizeof(*recorder->events));
	recorder->events[recorder->event_count++] =
		(struct event){ .cycle = cycle, .events = events };
}

static void on_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct rf_recorder *recorder = context;
	struct packet *packet;
	unsigned int i;

	(void)device;
	recorder->packets = grow(recorder->packets, recorder->packet_count,
				 &recorder->packet_capacity, sizeof(*recorder->packets));
	packet = &recorder->packets[recorder->packet_count++];
	packet->tlp = *tlp;
	packet->tlp.payload = NULL;
	for (i = 0; i < TLP_HEADER_WORDS; i++)
		packet->header[i] = tlp->header[i];
}

struct rf_recorder *rf_recorder_create(struct rfsim_device *device)
{
	struct rf_recorder *recorder = calloc(1, sizeof(*recorder));

	if (recorder)
		recorder->device = device;
	return recorder;
}

void rf_recorder_destroy(struct rf_recorder *recorder)
{
	if (!recorder)
		return;
	rf_recorder_end(recorder);
	free(recorder->events);
	free(recorder->packets);
	free(recorder);
}

void rf_recorder_begin(struct rf_recorder *recorder)
{
	recorder->event_count = 0;
	recorder->packet_count = 0;
	rfsim_event_callback(recorder->device, ~0ull, on_event, recorder);
	rfsim_tlp_callback(recorder->device, on_tlp, recorder);
}

void rf_recorder_end(struct rf_recorder *recorder)
{
	rfsim_event_callback(recorder->device, 0, NULL, NULL);
	rfsim_tlp_callback(recorder->device, NULL, NULL);
}

uint64_t rf_recorder_event(const struct rf_recorder *recorder, uint64_t events, uint64_t from,
			   unsigned int number)
{
	size_t i;

	for (i = 0; i < recorder->event_count; i++) {
		const struct event *event = &recorder->events[i];

		if (event->cycle >= from && event->events & events && !number--)
			return event->cycle;
	}
	fail("an event that is to be measured did not happen");
}

static bool is_request(const uint32_t *header)
{
	return tlp_is_memory_read(header) || tlp_is_memory_write(header);
}

const struct rfsim_tlp *rf_recorder_tlp(const struct rf_recorder *recorder,
					enum rfsim_stream stream, uint64_t address, uint64_t bytes,
					uint64_t from)
{
	size_t i;

	for (i = 0; i < recorder->packet_count; i++) {
		const struct packet *packet = &recorder->packets[i];

		if (packet->tlp.stream == stream && packet->tlp.first_cycle >= from &&
		    is_request(packet->header) && tlp_address(packet->header) >= address &&
		    tlp_address(packet->header) < address + bytes)
			return &packet->tlp;
	}
	fail("a TLP that is to be measured was not sent");
}

static bool in_direction(const struct packet *packet, bool to_device)
{
	return (packet->tlp.stream == RFSIM_RECEIVE) == to_device;
}

const struct rfsim_tlp *rf_recorder_completion(const struct rf_recorder *recorder, uint64_t from)
{
	size_t i;

	for (i = 0; i < recorder->packet_count; i++) {
		const struct packet *packet = &recorder->packets[i];

		if (in_direction(packet, true) && packet->tlp.first_cycle >= from &&
		    tlp_is_completion(packet->header))
			return &packet->tlp;
	}
	fail("a completion that is to be measured did not come");
}

static uint64_t direction_bytes(const struct rf_recorder *recorder, bool to_device, size_t *count)
{
	uint64_t bytes = 0;
	size_t i;

	*count = 0;
	for (i = 0; i < recorder->packet_count; i++) {
		if (!in_direction(&recorder->packets[i], to_device))
			continue;
		bytes += tlp_wire_bytes(recorder->packets[i].header);
		++*count;
	}
	return bytes;
}

uint64_t rf_recorder_wire_bytes(const struct rf_recorder *recorder)
{
	size_t count;
	uint64_t in = direction_bytes(recorder, true, &count);
	uint64_t out = direction_bytes(recorder, false, &count);

	return in > out ? in : out;
}

double rf_recorder_share(const struct rf_recorder *recorder, uint32_t rate)
{
	uint64_t first = 0, bytes = 0;
	size_t in_count, out_count, count, i, number = 0;
	bool to_device = direction_bytes(recorder, true, &in_count) >
			 direction_bytes(recorder, false, &out_count);

	count = to_device ? in_count : out_count;
	for (i = 0; i < recorder->packet_count; i++) {
		const struct packet *packet = &recorder->packets[i];

		if (!in_direction(packet, to_device))
			continue;
		if (number == count / 4)
			first = packet->tlp.first_cycle;
		if (number == count * 3 / 4 && packet->tlp.first_cycle > first)
			return (double)bytes /
			       ((double)rate * (double)(packet->tlp.first_cycle - first));
		if (number >= count / 4)
			bytes += tlp_wire_bytes(packet->header);
		number++;
	}
	fail("too little on the link to measure");
}
