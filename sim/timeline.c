// SPDX-License-Identifier: Apache-2.0
#include "timeline.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "internal.h"
#include "ringfence_hw.h"
#include "timeline_items.h"

#define NODES TIMELINE_NODES
#define SLOTS TIMELINE_SLOTS
#define PAGES 8 /* dedicated doorbells */
#define RINGS 16
/* From the last beat of a doorbell TLP to its effect; more if writes in front hold it. */
#define RING_CYCLES 3
#define RING_CYCLES_MOST 16
/* From a value performed to the release by it; later it was something else. */
#define RELEASE_CYCLES 8
#define ENTRY_WORDS (RF_LOG_ENTRY_BYTES / 4)
#define VALUE_WORDS 2
#define WRITES 4
/* From the last beat of a write to its event. */
#define WRITE_CYCLES 3

/**
 * struct write - a short write of the device to system memory
 * @cycle: its last beat
 * @words: 32-bit words, up to ENTRY_WORDS
 */
struct write {
	uint64_t address, cycle;
	unsigned int words;
	uint32_t data[ENTRY_WORDS];
};

struct rf_timeline {
	struct rfsim_device *device;
	struct observer observer;
	uint64_t doorbells, doorbells_end; /* bus addresses of the pages */
	uint64_t binds; /* and of the registers that bind them */
	uint8_t bound[PAGES]; /* slot of a page; at first given out in the same order */

	struct timeline_items kept;
	size_t wait[SLOTS]; /* the last wait of the slot, as index + 1; 0: none, or named */

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
	struct write writes[WRITES]; /* the last writes of the device */
	unsigned int write_count;
	uint64_t value_address, value; /* of the fence operation under way; 0: not on the link */
	bool logged; /* and it has this log entry: */
	struct rf_log_entry entry;
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

/* Where it is, or NULL: no memory. */
static struct item *item_add(struct rf_timeline *timeline, struct item item)
{
	struct timeline_items *kept = &timeline->kept;

	if (kept->count == kept->capacity) {
		size_t capacity = kept->capacity ? 2 * kept->capacity : 1024;
		struct item *items = realloc(kept->items, capacity * sizeof(*items));

		if (!items) {
			kept->truncated = true;
			return NULL;
		}
		kept->items = items;
		kept->capacity = capacity;
	}
	if (item.first < kept->begin)
		item.first = kept->begin;
	if (item.kind < ITEM_RECEIVED && item.last >= kept->end)
		kept->end = item.last + 1;
	if (item.kind <= ITEM_SIGNAL)
		kept->seen[item.slot] = true;
	kept->items[kept->count] = item;
	return &kept->items[kept->count++];
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
		item_add(timeline, (struct item){ .kind = ITEM_WORK,
						  .slot = timeline->work[node].slot[first],
						  .detail = (uint8_t)node,
						  .first = timeline->work[node].start[first],
						  .last = cycle });
	}
	if (events & RF_EVENT_ENGINE_START(node) && timeline->work[node].count < 4) {
		unsigned int last = timeline->work[node].first + timeline->work[node].count++;

		timeline->work[node].start[last % 4] = cycle;
		timeline->work[node].slot[last % 4] = (uint8_t)slot;
	}
}

/* The last write of so many words that has just ended, or NULL: it went to local memory. */
static const struct write *find_write(const struct rf_timeline *timeline, uint64_t cycle,
				      unsigned int words)
{
	unsigned int back;

	for (back = 1; back <= WRITES && back <= timeline->write_count; back++) {
		const struct write *write =
			&timeline->writes[(timeline->write_count - back) % WRITES];

		if (write->words == words && write->cycle + WRITE_CYCLES >= cycle)
			return write;
	}
	return NULL;
}

/* An operation writes its value, if it has one, and then what belongs into the log. */
static void fence_written(struct rf_timeline *timeline, uint64_t cycle)
{
	const struct write *entry = find_write(timeline, cycle, ENTRY_WORDS);
	const struct write *value = find_write(timeline, cycle, VALUE_WORDS);

	if (entry) {
		memcpy(&timeline->entry, entry->data, sizeof(timeline->entry));
		timeline->logged = true;
	}
	if (timeline->writing)
		return;
	timeline->written = cycle - 1;
	timeline->writing = true;
	timeline->value_address = value ? value->address : 0;
	if (value)
		memcpy(&timeline->value, value->data, sizeof(timeline->value));
}

static void add_signal(struct rf_timeline *timeline, unsigned int slot)
{
	uint64_t address = timeline->value_address;
	struct item item = { .kind = ITEM_SIGNAL,
			     .slot = (uint8_t)slot,
			     .first = timeline->written,
			     .last = timeline->written,
			     .address = address,
			     .value = address ? timeline->value : 0 };

	if (timeline->logged) {
		item.handle = timeline->entry.fence_handle;
		item.value = timeline->entry.fence_value;
	}
	item_add(timeline, item);
}

/* A wait's log entry is written after its release. */
static void name_wait(struct rf_timeline *timeline, unsigned int slot)
{
	struct item *item;

	if (!timeline->wait[slot] || !timeline->logged)
		return;
	item = &timeline->kept.items[timeline->wait[slot] - 1];
	item->handle = timeline->entry.fence_handle;
	item->value = timeline->entry.fence_value;
	timeline->wait[slot] = 0;
}

static void fence_done(struct rf_timeline *timeline, uint64_t events)
{
	bool value = timeline->writing && !(events & RF_EVENT_FENCE_LOG_ONLY);
	unsigned int slot = RF_EVENT_DONE_SLOT(events);

	if (value)
		add_signal(timeline, slot);
	else
		name_wait(timeline, slot);
	timeline->writing = timeline->logged = false;
	if (timeline->handed_count) {
		if (value)
			latency_add(&timeline->latencies.signal,
				    timeline->written -
					    timeline->handed[timeline->handed_first % 16]);
		timeline->handed_first++;
		timeline->handed_count--;
	}
	if (value)
		timeline->performed = timeline->written;
}

static void wait_over(struct rf_timeline *timeline, uint64_t cycle, unsigned int slot)
{
	struct item *item;

	if (!timeline->wait_since[slot])
		return;
	item = item_add(timeline, (struct item){ .kind = ITEM_WAIT,
						 .slot = (uint8_t)slot,
						 .first = timeline->wait_since[slot],
						 .last = cycle });
	timeline->wait[slot] = item ? timeline->kept.count : 0;
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
	if (events & RF_EVENT_SUPPRESSED)
		item_add(timeline,
			 (struct item){ .kind = ITEM_SUPPRESSED, .first = cycle, .last = cycle });
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

/* The parts of a log entry that crosses a page are one write. */
static void keep_write(struct rf_timeline *timeline, const struct rfsim_tlp *tlp, uint64_t address)
{
	struct write *last = &timeline->writes[(timeline->write_count - 1) % WRITES];
	struct write *write = &timeline->writes[timeline->write_count % WRITES];

	if (tlp->words > ENTRY_WORDS)
		return;
	if (timeline->write_count && address % 4096 == 0 && tlp->words > VALUE_WORDS &&
	    address == last->address + 4 * last->words && last->words + tlp->words == ENTRY_WORDS)
		write = last;
	else
		*write = (struct write){ .address = address };
	memcpy(&write->data[write->words], tlp->payload, 4 * tlp->words);
	write->words += tlp->words;
	write->cycle = tlp->last_cycle;
	if (write != last)
		timeline->write_count++;
}

static void keep_tlp(struct rf_timeline *timeline, const struct rfsim_tlp *tlp)
{
	static const enum item_kind kinds[] = {
		[RFSIM_RECEIVE] = ITEM_RECEIVED,
		[RFSIM_POSTED] = ITEM_POSTED,
		[RFSIM_READ] = ITEM_READ,
	};
	bool completion = tlp_is_completion(tlp->header);
	bool read = tlp_is_memory_read(tlp->header);

	item_add(timeline,
		 (struct item){ .kind = kinds[tlp->stream],
				.detail = tlp_type(tlp->header),
				.first = tlp->first_cycle,
				.last = tlp->last_cycle,
				.address = completion ? 0 : tlp_address(tlp->header),
				.value = read ? tlp_request_bytes(tlp->header) : 4 * tlp->words });
}

static void on_received(struct rf_timeline *timeline, const struct rfsim_tlp *tlp)
{
	uint64_t address = tlp_address(tlp->header);

	if (!timeline->doorbells)
		find_registers(timeline);
	if (!timeline->doorbells || !tlp_is_memory_write(tlp->header))
		return;
	if (address >= timeline->doorbells && address < timeline->doorbells_end) {
		unsigned int slot = timeline->bound[(address - timeline->doorbells) >> 12];

		timeline->rung[timeline->rings % RINGS].cycle = tlp->last_cycle;
		timeline->rung[timeline->rings++ % RINGS].slot = slot;
		item_add(timeline, (struct item){ .kind = ITEM_RING,
						  .slot = (uint8_t)slot,
						  .first = tlp->last_cycle,
						  .last = tlp->last_cycle });
	} else if (address >= timeline->binds && address < timeline->binds + 8 * PAGES) {
		timeline->bound[(address - timeline->binds) / 8] =
			(tlp->payload[0] & RF_DOORBELL_BIND_SLOT_MASK) >>
			RF_DOORBELL_BIND_SLOT_SHIFT;
	}
}

static void on_posted(struct rf_timeline *timeline, const struct rfsim_tlp *tlp)
{
	uint64_t address = tlp_address(tlp->header);

	if (!tlp_is_memory_write(tlp->header))
		return;
	if (address < RFSIM_MSI_BASE || address >= RFSIM_MSI_BASE + RFSIM_MSI_BYTES) {
		keep_write(timeline, tlp, address);
		return;
	}
	if (timeline->recorded)
		latency_add(&timeline->latencies.interrupt, tlp->first_cycle - timeline->recorded);
	timeline->recorded = 0;
	item_add(timeline, (struct item){ .kind = ITEM_INTERRUPT,
					  .first = tlp->first_cycle,
					  .last = tlp->first_cycle });
}

static void on_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct rf_timeline *timeline = context;

	(void)device;
	switch (tlp->stream) {
	case RFSIM_RECEIVE:
		on_received(timeline, tlp);
		break;
	case RFSIM_READ:
		if (timeline->fetched && tlp->first_cycle > timeline->fetched) {
			latency_add(&timeline->latencies.ring_to_read,
				    tlp->first_cycle - timeline->fetched_for);
			timeline->fetched = 0;
		}
		break;
	case RFSIM_POSTED:
		on_posted(timeline, tlp);
		break;
	}
	keep_tlp(timeline, tlp);
}

struct rf_timeline *rf_timeline_create(struct rfsim_device *device)
{
	struct rf_timeline *timeline = calloc(1, sizeof(*timeline));
	unsigned int slot;

	if (!timeline)
		return NULL;
	timeline->device = device;
	timeline->kept.begin = timeline->kept.end = rfsim_cycle(device->world);
	for (slot = 0; slot < PAGES; slot++)
		timeline->bound[slot] = (uint8_t)slot;
	for (slot = 0; slot < SLOTS; slot++)
		snprintf(timeline->kept.name[slot], sizeof(timeline->kept.name[slot]), "queue %u",
			 slot);
	timeline->observer = (struct observer){ .context = timeline,
						.tlp = on_tlp,
						.event = on_event,
						.mask = ~0ull };
	observer_add(device, &timeline->observer);
	return timeline;
}

void rf_timeline_restart(struct rf_timeline *timeline)
{
	timeline->kept.begin = timeline->kept.end = rfsim_cycle(timeline->device->world);
	timeline->kept.count = 0;
	memset(timeline->kept.seen, 0, sizeof(timeline->kept.seen));
	memset(timeline->wait, 0, sizeof(timeline->wait));
	memset(&timeline->latencies, 0, sizeof(timeline->latencies));
}

void rf_timeline_destroy(struct rf_timeline *timeline)
{
	if (!timeline)
		return;
	observer_remove(timeline->device, &timeline->observer);
	free(timeline->kept.items);
	free(timeline);
}

void rf_timeline_name(struct rf_timeline *timeline, unsigned int slot, const char *name)
{
	if (slot < SLOTS)
		snprintf(timeline->kept.name[slot], sizeof(timeline->kept.name[slot]), "%s", name);
}

void rf_timeline_name_fence(struct rf_timeline *timeline, uint32_t handle, const char *name)
{
	struct timeline_items *kept = &timeline->kept;

	if (kept->fence_count == TIMELINE_FENCE_NAMES)
		return;
	kept->fences[kept->fence_count].handle = handle;
	snprintf(kept->fences[kept->fence_count].name, sizeof(kept->fences[0].name), "%s", name);
	kept->fence_count++;
}

/* What is under way lasts until now. */
const struct timeline_items *timeline_items(struct rf_timeline *timeline)
{
	uint64_t now = rfsim_cycle(timeline->device->world);
	unsigned int slot, node;

	for (slot = 0; slot < SLOTS; slot++) {
		if (timeline->wait_since[slot])
			item_add(timeline, (struct item){ .kind = ITEM_WAIT,
							  .slot = (uint8_t)slot,
							  .open = true,
							  .first = timeline->wait_since[slot],
							  .last = now });
		timeline->wait_since[slot] = 0;
	}
	for (node = 0; node < NODES; node++) {
		for (; timeline->work[node].count; timeline->work[node].count--) {
			unsigned int first = timeline->work[node].first++ % 4;

			item_add(timeline,
				 (struct item){ .kind = ITEM_WORK,
						.slot = timeline->work[node].slot[first],
						.detail = (uint8_t)node,
						.open = true,
						.first = timeline->work[node].start[first],
						.last = now });
		}
	}
	return &timeline->kept;
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
	const struct timeline_items *kept = &timeline->kept;
	uint64_t end = kept->begin + 1, cycles;
	unsigned int slot;
	char row[256];
	size_t i;

	if (columns >= sizeof(row))
		columns = sizeof(row) - 1;
	for (i = 0; i < kept->count; i++) {
		if (kept->items[i].kind <= ITEM_INTERRUPT)
			end = kept->items[i].last + 1;
	}
	cycles = end - kept->begin;
	for (slot = 0; slot < SLOTS; slot++) {
		if (!kept->seen[slot])
			continue;
		memset(row, ' ', columns);
		row[columns] = 0;
		for (i = 0; i < kept->count; i++) {
			const struct item *item = &kept->items[i];

			if (item->slot != slot || item->last >= end)
				continue;
			if (item->kind == ITEM_WORK)
				paint(row, columns, item, kept->begin, cycles, '#');
			else if (item->kind == ITEM_WAIT)
				paint(row, columns, item, kept->begin, cycles, '.');
		}
		fprintf(file, "  %-9s|%s|\n", kept->name[slot], row);
	}
	fprintf(file, "  %-9s %-*s%llu\n", "cycle", (int)columns - 8, "0",
		(unsigned long long)cycles);
	fprintf(file, "  # engine at work   . queue waits for a fence, its engine is free\n");
}
