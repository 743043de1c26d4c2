// SPDX-License-Identifier: Apache-2.0
#include "timeline.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "internal.h"
#include "ringfence_hw.h"

#define NODES 2
#define SLOTS 16
#define PAGES 8 /* dedicated doorbells */
#define RINGS 16
/* From the last beat of a doorbell TLP to its effect; more if writes in front hold it. */
#define RING_CYCLES 3
#define RING_CYCLES_MOST 16
/* From a value performed to the release by it; later it was something else. */
#define RELEASE_CYCLES 8

enum item_kind { ITEM_WORK, ITEM_WAIT, ITEM_SIGNAL, ITEM_RING, ITEM_INTERRUPT };

/* A slice, or an instant where first == last. */
struct item {
	enum item_kind kind;
	uint8_t slot;
	uint64_t first, last;
};

struct rf_timeline {
	struct rfsim_device *device;
	struct observer observer;
	uint64_t doorbells, doorbells_end; /* bus addresses of the pages */
	uint64_t binds; /* and of the registers that bind them */
	uint8_t bound[PAGES]; /* slot of a page; at first given out in the same order */
	uint64_t begin;

	struct item *items;
	size_t count, capacity;
	bool truncated; /* out of memory: the picture ends there */
	char name[SLOTS][16];
	bool seen[SLOTS];

	/* engine work under way, in order, per node */
	struct {
		uint64_t start[4];
		uint8_t slot[4];
		unsigned int first, count;
	} work[NODES];
	uint64_t wait_since[SLOTS]; /* 0: does not wait */

	struct {
		uint64_t cycle; /* last beat */
		unsigned int slot;
	} rung[RINGS]; /* the last doorbell TLPs */
	unsigned int rings;
	uint64_t moved[SLOTS]; /* last beat of one that moved; no fetch of the slot followed yet */
	uint64_t fetched; /* cycle of that fetch, not yet followed by its TLP */
	uint64_t fetched_for; /* last beat of the doorbell TLP that it is for */
	uint64_t handed[16]; /* fence operations on their way */
	unsigned int handed_first, handed_count;
	uint64_t written; /* cycle in which the last fence value was performed */
	bool writing; /* of the same operation, the log's words come */
	uint64_t performed; /* of the last fence operation that is over, its value's cycle */
	uint64_t recorded; /* ... when its record was offered; 0: none on its way */
	uint64_t released_by[SLOTS]; /* 0, or cycle of the value that released the slot */
	struct rf_latencies latencies;
};

static void latency_add(struct rf_latency *latency, uint64_t cycles)
{
	if (!latency->count || cycles < latency->least)
		latency->least = cycles;
	if (cycles > latency->most)
		latency->most = cycles;
	latency->sum += cycles;
	latency->count++;
}

static void item_add(struct rf_timeline *timeline, enum item_kind kind, unsigned int slot,
		     uint64_t first, uint64_t last)
{
	if (timeline->count == timeline->capacity) {
		size_t capacity = timeline->capacity ? 2 * timeline->capacity : 1024;
		struct item *items = realloc(timeline->items, capacity * sizeof(*items));

		if (!items) {
			timeline->truncated = true;
			return;
		}
		timeline->items = items;
		timeline->capacity = capacity;
	}
	timeline->items[timeline->count++] =
		(struct item){ .kind = kind, .slot = (uint8_t)slot, .first = first, .last = last };
	timeline->seen[slot] = true;
}

static void node_event(struct rf_timeline *timeline, unsigned int node, uint64_t cycle,
		       uint64_t events)
{
	unsigned int slot = RF_EVENT_NODE_SLOT(events, node);

	if (events & RF_EVENT_RING_FETCH(node) && timeline->moved[slot]) {
		timeline->fetched = cycle;
		timeline->fetched_for = timeline->moved[slot];
		timeline->moved[slot] = 0;
	}
	if (events & RF_EVENT_PACKET(node) && timeline->released_by[slot]) {
		latency_add(&timeline->latencies.release, cycle - timeline->released_by[slot]);
		timeline->released_by[slot] = 0;
	}
	if (events & RF_EVENT_WAIT(node))
		timeline->wait_since[slot] = cycle;
	if (events & RF_EVENT_FENCE(node) && timeline->handed_count < 16) {
		unsigned int last = timeline->handed_first + timeline->handed_count++;

		timeline->handed[last % 16] = cycle;
	}
	if (events & RF_EVENT_ENGINE_DONE(node) && timeline->work[node].count) {
		unsigned int first = timeline->work[node].first++ % 4;

		timeline->work[node].count--;
		item_add(timeline, ITEM_WORK, timeline->work[node].slot[first],
			 timeline->work[node].start[first], cycle);
	}
	if (events & RF_EVENT_ENGINE_START(node) && timeline->work[node].count < 4) {
		unsigned int last = timeline->work[node].first + timeline->work[node].count++;

		timeline->work[node].start[last % 4] = cycle;
		timeline->work[node].slot[last % 4] = (uint8_t)slot;
	}
}

/* An operation writes its value, if it has one, and then what belongs into the log. */
static void fence_written(struct rf_timeline *timeline, uint64_t cycle)
{
	if (!timeline->writing)
		timeline->written = cycle - 1;
	timeline->writing = true;
}

static void fence_done(struct rf_timeline *timeline, uint64_t events)
{
	bool value = timeline->writing && !(events & RF_EVENT_FENCE_LOG_ONLY);

	timeline->writing = false;
	if (timeline->handed_count) {
		if (value)
			latency_add(&timeline->latencies.signal,
				    timeline->written -
					    timeline->handed[timeline->handed_first % 16]);
		timeline->handed_first++;
		timeline->handed_count--;
	}
	if (!value)
		return;
	timeline->performed = timeline->written;
	item_add(timeline, ITEM_SIGNAL, RF_EVENT_DONE_SLOT(events), timeline->written,
		 timeline->written);
}

static void wait_over(struct rf_timeline *timeline, uint64_t cycle, unsigned int slot)
{
	if (timeline->wait_since[slot])
		item_add(timeline, ITEM_WAIT, slot, timeline->wait_since[slot], cycle);
	timeline->wait_since[slot] = 0;
}

/* By the latest TLP that could, if it is no older than one held back; else by a RESAMPLE. */
static void ring_moved(struct rf_timeline *timeline, uint64_t cycle)
{
	unsigned int back;

	for (back = 1; back <= RINGS && back <= timeline->rings; back++) {
		unsigned int i = (timeline->rings - back) % RINGS;
		unsigned int slot = timeline->rung[i].slot;

		if (timeline->rung[i].cycle + RING_CYCLES > cycle)
			continue;
		if (timeline->rung[i].cycle + RING_CYCLES_MOST >= cycle && !timeline->moved[slot])
			timeline->moved[slot] = timeline->rung[i].cycle;
		return;
	}
}

static void on_event(void *context, struct rfsim_device *device, uint64_t cycle, uint64_t events)
{
	struct rf_timeline *timeline = context;
	unsigned int node;

	(void)device;
	if (events & RF_EVENT_FENCE_WRITTEN)
		fence_written(timeline, cycle);
	if (events & RF_EVENT_FENCE_DONE)
		fence_done(timeline, events);
	if (events & RF_EVENT_RING)
		ring_moved(timeline, cycle);
	if (events & RF_EVENT_RECORD && !timeline->recorded)
		timeline->recorded = timeline->performed;
	for (node = 0; node < NODES; node++)
		node_event(timeline, node, cycle, events);
	if (events & RF_EVENT_RELEASE) {
		unsigned int slot = RF_EVENT_RELEASE_SLOT(events);

		wait_over(timeline, cycle, slot);
		/* Released by the value just performed, on a node that served no other queue meanwhile. */
		timeline->released_by[slot] = 0;
		for (node = 0; node < NODES; node++) {
			if (cycle - timeline->written <= RELEASE_CYCLES &&
			    slot == RF_EVENT_NODE_SLOT(events, node))
				timeline->released_by[slot] = timeline->written;
		}
	}
}

/* Once the device is enumerated. */
static void find_registers(struct rf_timeline *timeline)
{
	uint64_t bar = timeline->device->enumerated ? timeline->device->bars[0].address : 0;

	if (!bar)
		return;
	timeline->doorbells = bar + RF_DOORBELL_BASE;
	timeline->doorbells_end = timeline->doorbells + PAGES * 4096;
	timeline->binds = bar + RF_REG_DOORBELL_BIND(0);
}

static void on_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct rf_timeline *timeline = context;
	uint64_t address = tlp_address(tlp->header);
	bool write = tlp_is_memory_write(tlp->header);

	(void)device;
	switch (tlp->stream) {
	case RFSIM_RECEIVE:
		if (!timeline->doorbells)
			find_registers(timeline);
		if (write && address >= timeline->doorbells && address < timeline->doorbells_end) {
			timeline->rung[timeline->rings % RINGS].cycle = tlp->last_cycle;
			timeline->rung[timeline->rings++ % RINGS].slot =
				timeline->bound[(address - timeline->doorbells) >> 12];
			item_add(timeline, ITEM_RING, 0, tlp->last_cycle, tlp->last_cycle);
		}
		if (write && address >= timeline->binds && address < timeline->binds + 8 * PAGES)
			timeline->bound[(address - timeline->binds) / 8] =
				(tlp->payload[0] & RF_DOORBELL_BIND_SLOT_MASK) >>
				RF_DOORBELL_BIND_SLOT_SHIFT;
		break;
	case RFSIM_READ:
		if (timeline->fetched && tlp->first_cycle > timeline->fetched) {
			latency_add(&timeline->latencies.ring_to_read,
				    tlp->first_cycle - timeline->fetched_for);
			timeline->fetched = 0;
		}
		break;
	case RFSIM_POSTED:
		if (write && address >= RFSIM_MSI_BASE &&
		    address < RFSIM_MSI_BASE + RFSIM_MSI_BYTES) {
			if (timeline->recorded)
				latency_add(&timeline->latencies.interrupt,
					    tlp->first_cycle - timeline->recorded);
			timeline->recorded = 0;
			item_add(timeline, ITEM_INTERRUPT, 0, tlp->first_cycle, tlp->first_cycle);
		}
		break;
	}
}

struct rf_timeline *rf_timeline_create(struct rfsim_device *device)
{
	struct rf_timeline *timeline = calloc(1, sizeof(*timeline));
	unsigned int slot;

	if (!timeline)
		return NULL;
	timeline->device = device;
	timeline->begin = rfsim_cycle(device->world);
	for (slot = 0; slot < PAGES; slot++)
		timeline->bound[slot] = (uint8_t)slot;
	for (slot = 0; slot < SLOTS; slot++)
		snprintf(timeline->name[slot], sizeof(timeline->name[slot]), "queue %u", slot);
	timeline->observer = (struct observer){ .context = timeline,
						.tlp = on_tlp,
						.event = on_event,
						.mask = ~0ull };
	observer_add(device, &timeline->observer);
	return timeline;
}

void rf_timeline_restart(struct rf_timeline *timeline)
{
	timeline->begin = rfsim_cycle(timeline->device->world);
	timeline->count = 0;
	memset(timeline->seen, 0, sizeof(timeline->seen));
	memset(&timeline->latencies, 0, sizeof(timeline->latencies));
}

void rf_timeline_destroy(struct rf_timeline *timeline)
{
	if (!timeline)
		return;
	observer_remove(timeline->device, &timeline->observer);
	free(timeline->items);
	free(timeline);
}

void rf_timeline_name(struct rf_timeline *timeline, unsigned int slot, const char *name)
{
	if (slot < SLOTS)
		snprintf(timeline->name[slot], sizeof(timeline->name[slot]), "%s", name);
}

const struct rf_latencies *rf_timeline_latencies(const struct rf_timeline *timeline)
{
	return &timeline->latencies;
}

/* --- pictures ------------------------------------------------------------------------- */

static void paint(char *row, unsigned int columns, const struct item *item, uint64_t begin,
		  uint64_t cycles, char mark)
{
	uint64_t first = (item->first - begin) * columns / cycles;
	uint64_t last = (item->last - begin) * columns / cycles;
	uint64_t i;

	for (i = first; i <= last && i < columns; i++) {
		/* Work is stronger than waiting. */
		if (row[i] != '#')
			row[i] = mark;
	}
}

void rf_timeline_print(const struct rf_timeline *timeline, FILE *file, unsigned int columns)
{
	uint64_t end = timeline->count ? timeline->items[timeline->count - 1].last + 1
				       : timeline->begin + 1;
	uint64_t cycles = end - timeline->begin;
	unsigned int slot;
	char row[256];
	size_t i;

	if (columns >= sizeof(row))
		columns = sizeof(row) - 1;
	for (slot = 0; slot < SLOTS; slot++) {
		if (!timeline->seen[slot])
			continue;
		memset(row, ' ', columns);
		row[columns] = 0;
		for (i = 0; i < timeline->count; i++) {
			const struct item *item = &timeline->items[i];

			if (item->slot != slot || item->last >= end)
				continue;
			if (item->kind == ITEM_WORK)
				paint(row, columns, item, timeline->begin, cycles, '#');
			else if (item->kind == ITEM_WAIT)
				paint(row, columns, item, timeline->begin, cycles, '.');
		}
		fprintf(file, "  %-9s|%s|\n", timeline->name[slot], row);
	}
	fprintf(file, "  %-9s %-*s%llu\n", "cycle", (int)columns - 8, "0",
		(unsigned long long)cycles);
	fprintf(file, "  # engine at work   . queue waits for a fence, its engine is free\n");
}

int rf_timeline_write(const struct rf_timeline *timeline, FILE *file)
{
	static const char *const names[] = {
		[ITEM_WORK] = "work",	  [ITEM_WAIT] = "wait",	      [ITEM_SIGNAL] = "signal",
		[ITEM_RING] = "doorbell", [ITEM_INTERRUPT] = "MSI-X",
	};
	const double scale = 1e6 / RFSIM_HZ;
	unsigned int slot;
	size_t i;

	fprintf(file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	fprintf(file,
		"{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"device\"}}");
	for (slot = 0; slot < SLOTS; slot++) {
		if (timeline->seen[slot])
			fprintf(file,
				",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\","
				"\"args\":{\"name\":\"%s\"}}",
				slot + 1, timeline->name[slot]);
	}
	fprintf(file, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":100,\"name\":\"thread_name\","
		      "\"args\":{\"name\":\"PCIe\"}}");
	for (i = 0; i < timeline->count; i++) {
		const struct item *item = &timeline->items[i];
		bool link = item->kind == ITEM_RING || item->kind == ITEM_INTERRUPT;
		unsigned int thread = link ? 100 : item->slot + 1u;
		double start = (double)(item->first - timeline->begin) * scale;

		if (item->kind == ITEM_WORK || item->kind == ITEM_WAIT)
			fprintf(file,
				",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"name\":\"%s\",\"ts\":%.3f,"
				"\"dur\":%.3f}",
				thread, names[item->kind], start,
				(double)(item->last - item->first) * scale);
		else
			fprintf(file,
				",\n{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":%u,\"name\":\"%s\","
				"\"ts\":%.3f}",
				thread, names[item->kind], start);
	}
	fprintf(file, "\n]}\n");
	return timeline->truncated ? -ENOMEM : 0;
}
