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
#define ROW_BYTES 256 /* of what is printed, at most */
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

/* One device, as its events and TLPs are followed. */
struct tracker {
	struct rf_timeline *timeline;
	struct rfsim_device *device;
	struct observer observer;
	uint64_t doorbells, doorbells_end; /* bus addresses of the pages */
	uint64_t binds; /* and of the registers that bind them */
	uint8_t bound[PAGES]; /* slot of a page; at first given out in the same order */

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
};

struct rf_timeline {
	struct rfsim_world *world;
	struct timeline_items kept;
	struct rf_latencies latencies; /* of all devices */
	struct tracker *trackers; /* by device */
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
static struct item *item_add(struct tracker *tracker, struct item item)
{
	struct timeline_items *kept = &tracker->timeline->kept;

	item.device = (uint8_t)rfsim_device_index(tracker->device);
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
		kept->seen[item.device][item.slot] = true;
	kept->items[kept->count] = item;
	return &kept->items[kept->count++];
}

static void node_event(struct tracker *tracker, unsigned int node, uint64_t cycle, uint64_t events)
{
	unsigned int slot = RF_EVENT_NODE_SLOT(events, node);

	if (events & RF_EVENT_RING_FETCH(node) && tracker->moved[slot]) {
		tracker->fetched = cycle;
		tracker->fetched_for = tracker->moved[slot];
		tracker->moved[slot] = 0;
	}
	if (events & RF_EVENT_PACKET(node) && tracker->released_by[slot]) {
		latency_add(&tracker->timeline->latencies.release,
			    cycle - tracker->released_by[slot]);
		tracker->released_by[slot] = 0;
	}
	if (events & RF_EVENT_WAIT(node))
		tracker->wait_since[slot] = cycle;
	if (events & RF_EVENT_FENCE(node) && tracker->handed_count < 16) {
		unsigned int last = tracker->handed_first + tracker->handed_count++;

		tracker->handed[last % 16] = cycle;
	}
	if (events & RF_EVENT_ENGINE_DONE(node) && tracker->work[node].count) {
		unsigned int first = tracker->work[node].first++ % 4;

		tracker->work[node].count--;
		item_add(tracker, (struct item){ .kind = ITEM_WORK,
						 .slot = tracker->work[node].slot[first],
						 .detail = (uint8_t)node,
						 .first = tracker->work[node].start[first],
						 .last = cycle });
	}
	if (events & RF_EVENT_ENGINE_START(node) && tracker->work[node].count < 4) {
		unsigned int last = tracker->work[node].first + tracker->work[node].count++;

		tracker->work[node].start[last % 4] = cycle;
		tracker->work[node].slot[last % 4] = (uint8_t)slot;
	}
}

/* The last write of so many words that has just ended, or NULL: it went to local memory. */
static const struct write *find_write(const struct tracker *tracker, uint64_t cycle,
				      unsigned int words)
{
	unsigned int back;

	for (back = 1; back <= WRITES && back <= tracker->write_count; back++) {
		const struct write *write =
			&tracker->writes[(tracker->write_count - back) % WRITES];

		if (write->words == words && write->cycle + WRITE_CYCLES >= cycle)
			return write;
	}
	return NULL;
}

/* An operation writes its value, if it has one, and then what belongs into the log. */
static void fence_written(struct tracker *tracker, uint64_t cycle)
{
	const struct write *entry = find_write(tracker, cycle, ENTRY_WORDS);
	const struct write *value = find_write(tracker, cycle, VALUE_WORDS);

	if (entry) {
		memcpy(&tracker->entry, entry->data, sizeof(tracker->entry));
		tracker->logged = true;
	}
	if (tracker->writing)
		return;
	tracker->written = cycle - 1;
	tracker->writing = true;
	tracker->value_address = value ? value->address : 0;
	if (value)
		memcpy(&tracker->value, value->data, sizeof(tracker->value));
}

static void add_signal(struct tracker *tracker, unsigned int slot)
{
	uint64_t address = tracker->value_address;
	struct item item = { .kind = ITEM_SIGNAL,
			     .slot = (uint8_t)slot,
			     .first = tracker->written,
			     .last = tracker->written,
			     .address = address,
			     .value = address ? tracker->value : 0 };

	if (tracker->logged) {
		item.handle = tracker->entry.fence_handle;
		item.value = tracker->entry.fence_value;
	}
	item_add(tracker, item);
}

/* A wait's log entry is written after its release. */
static void name_wait(struct tracker *tracker, unsigned int slot)
{
	struct item *item;

	if (!tracker->wait[slot] || !tracker->logged)
		return;
	item = &tracker->timeline->kept.items[tracker->wait[slot] - 1];
	item->handle = tracker->entry.fence_handle;
	item->value = tracker->entry.fence_value;
	tracker->wait[slot] = 0;
}

static void fence_done(struct tracker *tracker, uint64_t events)
{
	bool value = tracker->writing && !(events & RF_EVENT_FENCE_LOG_ONLY);
	unsigned int slot = RF_EVENT_DONE_SLOT(events);

	if (value)
		add_signal(tracker, slot);
	else
		name_wait(tracker, slot);
	tracker->writing = tracker->logged = false;
	if (tracker->handed_count) {
		if (value)
			latency_add(&tracker->timeline->latencies.signal,
				    tracker->written - tracker->handed[tracker->handed_first % 16]);
		tracker->handed_first++;
		tracker->handed_count--;
	}
	if (value)
		tracker->performed = tracker->written;
}

static void wait_over(struct tracker *tracker, uint64_t cycle, unsigned int slot)
{
	struct item *item;

	if (!tracker->wait_since[slot])
		return;
	item = item_add(tracker, (struct item){ .kind = ITEM_WAIT,
						.slot = (uint8_t)slot,
						.first = tracker->wait_since[slot],
						.last = cycle });
	tracker->wait[slot] = item ? tracker->timeline->kept.count : 0;
	tracker->wait_since[slot] = 0;
}

/* By the latest TLP that could, if it is no older than one held back; else by a RESAMPLE. */
static void ring_moved(struct tracker *tracker, uint64_t cycle)
{
	unsigned int back;

	for (back = 1; back <= RINGS && back <= tracker->rings; back++) {
		unsigned int i = (tracker->rings - back) % RINGS;
		unsigned int slot = tracker->rung[i].slot;

		if (tracker->rung[i].cycle + RING_CYCLES > cycle)
			continue;
		if (tracker->rung[i].cycle + RING_CYCLES_MOST >= cycle && !tracker->moved[slot])
			tracker->moved[slot] = tracker->rung[i].cycle;
		return;
	}
}

static void on_event(void *context, struct rfsim_device *device, uint64_t cycle, uint64_t events)
{
	struct tracker *tracker = context;
	unsigned int node;

	(void)device;
	if (events & RF_EVENT_FENCE_WRITTEN)
		fence_written(tracker, cycle);
	if (events & RF_EVENT_FENCE_DONE)
		fence_done(tracker, events);
	if (events & RF_EVENT_RING)
		ring_moved(tracker, cycle);
	if (events & RF_EVENT_SUPPRESSED)
		item_add(tracker,
			 (struct item){ .kind = ITEM_SUPPRESSED, .first = cycle, .last = cycle });
	if (events & RF_EVENT_RECORD && !tracker->recorded)
		tracker->recorded = tracker->performed;
	for (node = 0; node < NODES; node++)
		node_event(tracker, node, cycle, events);
	if (events & RF_EVENT_RELEASE) {
		unsigned int slot = RF_EVENT_RELEASE_SLOT(events);

		wait_over(tracker, cycle, slot);
		/* Released by the value just performed, on a node that served no other queue meanwhile. */
		tracker->released_by[slot] = 0;
		for (node = 0; node < NODES; node++) {
			if (cycle - tracker->written <= RELEASE_CYCLES &&
			    slot == RF_EVENT_NODE_SLOT(events, node))
				tracker->released_by[slot] = tracker->written;
		}
	}
}

/* Once the device is enumerated. */
static void find_registers(struct tracker *tracker)
{
	uint64_t bar = tracker->device->enumerated ? tracker->device->bars[0].address : 0;

	if (!bar)
		return;
	tracker->doorbells = bar + RF_DOORBELL_BASE;
	tracker->doorbells_end = tracker->doorbells + PAGES * 4096;
	tracker->binds = bar + RF_REG_DOORBELL_BIND(0);
}

/* The parts of a log entry that crosses a page are one write. */
static void keep_write(struct tracker *tracker, const struct rfsim_tlp *tlp, uint64_t address)
{
	struct write *last = &tracker->writes[(tracker->write_count - 1) % WRITES];
	struct write *write = &tracker->writes[tracker->write_count % WRITES];

	if (tlp->words > ENTRY_WORDS)
		return;
	if (tracker->write_count && address % 4096 == 0 && tlp->words > VALUE_WORDS &&
	    address == last->address + 4 * last->words && last->words + tlp->words == ENTRY_WORDS)
		write = last;
	else
		*write = (struct write){ .address = address };
	memcpy(&write->data[write->words], tlp->payload, 4 * tlp->words);
	write->words += tlp->words;
	write->cycle = tlp->last_cycle;
	if (write != last)
		tracker->write_count++;
}

static void keep_tlp(struct tracker *tracker, const struct rfsim_tlp *tlp)
{
	static const enum item_kind kinds[] = {
		[RFSIM_RECEIVE] = ITEM_RECEIVED,
		[RFSIM_POSTED] = ITEM_POSTED,
		[RFSIM_READ] = ITEM_READ,
	};
	bool completion = tlp_is_completion(tlp->header);
	bool read = tlp_is_memory_read(tlp->header), message = tlp_is_message(tlp->header);

	item_add(tracker,
		 (struct item){ .kind = kinds[tlp->stream],
				.detail = tlp_type(tlp->header),
				.first = tlp->first_cycle,
				.last = tlp->last_cycle,
				.code = message ? tlp_message_code(tlp->header) : 0,
				.address = completion || message ? 0 : tlp_address(tlp->header),
				.value = read ? tlp_request_bytes(tlp->header) : 4 * tlp->words });
}

static void on_received(struct tracker *tracker, const struct rfsim_tlp *tlp)
{
	uint64_t address = tlp_address(tlp->header);

	if (!tracker->doorbells)
		find_registers(tracker);
	if (!tracker->doorbells || !tlp_is_memory_write(tlp->header))
		return;
	if (address >= tracker->doorbells && address < tracker->doorbells_end) {
		unsigned int slot = tracker->bound[(address - tracker->doorbells) >> 12];

		tracker->rung[tracker->rings % RINGS].cycle = tlp->last_cycle;
		tracker->rung[tracker->rings++ % RINGS].slot = slot;
		item_add(tracker, (struct item){ .kind = ITEM_RING,
						 .slot = (uint8_t)slot,
						 .first = tlp->last_cycle,
						 .last = tlp->last_cycle });
	} else if (address >= tracker->binds && address < tracker->binds + 8 * PAGES) {
		tracker->bound[(address - tracker->binds) / 8] =
			(tlp->payload[0] & RF_DOORBELL_BIND_SLOT_MASK) >>
			RF_DOORBELL_BIND_SLOT_SHIFT;
	}
}

static void on_posted(struct tracker *tracker, const struct rfsim_tlp *tlp)
{
	uint64_t address = tlp_address(tlp->header);

	if (!tlp_is_memory_write(tlp->header))
		return;
	if (address < RFSIM_MSI_BASE || address >= RFSIM_MSI_BASE + RFSIM_MSI_BYTES) {
		keep_write(tracker, tlp, address);
		return;
	}
	if (tracker->recorded)
		latency_add(&tracker->timeline->latencies.interrupt,
			    tlp->first_cycle - tracker->recorded);
	tracker->recorded = 0;
	item_add(tracker, (struct item){ .kind = ITEM_INTERRUPT,
					 .first = tlp->first_cycle,
					 .last = tlp->first_cycle });
}

static void on_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct tracker *tracker = context;

	(void)device;
	switch (tlp->stream) {
	case RFSIM_RECEIVE:
		on_received(tracker, tlp);
		break;
	case RFSIM_READ:
		if (tracker->fetched && tlp->first_cycle > tracker->fetched) {
			latency_add(&tracker->timeline->latencies.ring_to_read,
				    tlp->first_cycle - tracker->fetched_for);
			tracker->fetched = 0;
		}
		break;
	case RFSIM_POSTED:
		on_posted(tracker, tlp);
		break;
	}
	keep_tlp(tracker, tlp);
}

/* The first one with the token was said first. */
static void on_fence(void *context, uint64_t cycle, uint32_t handle, uint64_t token)
{
	const struct tracker *tracker = context;
	struct timeline_items *kept = &tracker->timeline->kept;
	struct fence_maker maker = { rfsim_device_index(tracker->device), handle };
	size_t i;

	if (kept->note_count == kept->note_capacity) {
		size_t capacity = kept->note_capacity ? 2 * kept->note_capacity : 64;
		struct fence_note *notes = realloc(kept->notes, capacity * sizeof(*notes));

		if (!notes) {
			kept->truncated = true;
			return;
		}
		kept->notes = notes;
		kept->note_capacity = capacity;
	}
	kept->notes[kept->note_count] = (struct fence_note){ .device = maker.device,
							     .handle = handle,
							     .token = token,
							     .cycle = cycle,
							     .maker = maker };
	for (i = 0; i < kept->note_count && token; i++) {
		if (kept->notes[i].token != token)
			continue;
		kept->notes[kept->note_count].maker = kept->notes[i].maker;
		break;
	}
	kept->note_count++;
}

static void track(struct tracker *tracker, struct rf_timeline *timeline,
		  struct rfsim_device *device)
{
	unsigned int slot;

	tracker->timeline = timeline;
	tracker->device = device;
	for (slot = 0; slot < PAGES; slot++)
		tracker->bound[slot] = (uint8_t)slot;
	tracker->observer = (struct observer){ .context = tracker,
					       .tlp = on_tlp,
					       .event = on_event,
					       .fence = on_fence,
					       .mask = ~0ull };
	observer_add(device, &tracker->observer);
}

struct rf_timeline *rf_timeline_create(struct rfsim_world *world)
{
	struct rf_timeline *timeline = calloc(1, sizeof(*timeline));
	struct timeline_items *kept = timeline ? &timeline->kept : NULL;
	unsigned int i, slot;

	if (!timeline)
		return NULL;
	while (kept->devices < TIMELINE_DEVICES && rfsim_world_device(world, kept->devices))
		kept->devices++;
	timeline->trackers = calloc(kept->devices, sizeof(*timeline->trackers));
	if (!timeline->trackers) {
		free(timeline);
		return NULL;
	}
	timeline->world = world;
	kept->begin = kept->end = rfsim_cycle(world);
	for (i = 0; i < kept->devices; i++) {
		for (slot = 0; slot < SLOTS; slot++)
			rf_timeline_name(timeline, i, slot, "");
		track(&timeline->trackers[i], timeline, rfsim_world_device(world, i));
	}
	return timeline;
}

void rf_timeline_restart(struct rf_timeline *timeline)
{
	unsigned int i;

	timeline->kept.begin = timeline->kept.end = rfsim_cycle(timeline->world);
	timeline->kept.count = 0;
	memset(timeline->kept.seen, 0, sizeof(timeline->kept.seen));
	memset(&timeline->latencies, 0, sizeof(timeline->latencies));
	for (i = 0; i < timeline->kept.devices; i++)
		memset(timeline->trackers[i].wait, 0, sizeof(timeline->trackers[i].wait));
}

void rf_timeline_destroy(struct rf_timeline *timeline)
{
	unsigned int i;

	if (!timeline)
		return;
	for (i = 0; i < timeline->kept.devices; i++)
		observer_remove(timeline->trackers[i].device, &timeline->trackers[i].observer);
	free(timeline->trackers);
	free(timeline->kept.notes);
	free(timeline->kept.items);
	free(timeline);
}

void rf_timeline_name(struct rf_timeline *timeline, unsigned int device, unsigned int slot,
		      const char *name)
{
	char *kept;

	if (device >= timeline->kept.devices || slot >= SLOTS)
		return;
	kept = timeline->kept.name[device][slot];
	if (*name)
		snprintf(kept, TIMELINE_NAME, "%s", name);
	else
		snprintf(kept, TIMELINE_NAME, "queue %u", slot);
}

void rf_timeline_name_fence(struct rf_timeline *timeline, unsigned int device, uint32_t handle,
			    const char *name)
{
	struct timeline_items *kept = &timeline->kept;
	struct timeline_fence *fence = &kept->fences[kept->fence_count];

	if (kept->fence_count == TIMELINE_FENCE_NAMES)
		return;
	fence->device = device;
	fence->handle = handle;
	snprintf(fence->name, sizeof(fence->name), "%s", name);
	kept->fence_count++;
}

/* What is under way lasts until now. */
static void end_tracker(struct tracker *tracker, uint64_t now)
{
	unsigned int slot, node;

	for (slot = 0; slot < SLOTS; slot++) {
		if (tracker->wait_since[slot])
			item_add(tracker, (struct item){ .kind = ITEM_WAIT,
							 .slot = (uint8_t)slot,
							 .open = true,
							 .first = tracker->wait_since[slot],
							 .last = now });
		tracker->wait_since[slot] = 0;
	}
	for (node = 0; node < NODES; node++) {
		for (; tracker->work[node].count; tracker->work[node].count--) {
			unsigned int first = tracker->work[node].first++ % 4;

			item_add(tracker, (struct item){ .kind = ITEM_WORK,
							 .slot = tracker->work[node].slot[first],
							 .detail = (uint8_t)node,
							 .open = true,
							 .first = tracker->work[node].start[first],
							 .last = now });
		}
	}
}

static int compare_notes(const void *left, const void *right)
{
	const struct fence_note *a = left, *b = right;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->handle != b->handle)
		return a->handle < b->handle ? -1 : 1;
	return a->cycle < b->cycle ? -1 : a->cycle > b->cycle;
}

const struct timeline_items *timeline_items(struct rf_timeline *timeline)
{
	uint64_t now = rfsim_cycle(timeline->world);
	unsigned int i;

	if (timeline->kept.note_count)
		qsort(timeline->kept.notes, timeline->kept.note_count,
		      sizeof(*timeline->kept.notes), compare_notes);

	for (i = 0; i < timeline->kept.devices; i++)
		end_tracker(&timeline->trackers[i], now);
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

static void print_row(const struct timeline_items *kept, FILE *file, unsigned int device,
		      unsigned int slot, uint64_t end, unsigned int columns)
{
	char row[ROW_BYTES];
	size_t i;

	memset(row, ' ', columns);
	row[columns] = 0;
	for (i = 0; i < kept->count; i++) {
		const struct item *item = &kept->items[i];

		if (item->device != device || item->slot != slot || item->last >= end)
			continue;
		if (item->kind == ITEM_WORK)
			paint(row, columns, item, kept->begin, end - kept->begin, '#');
		else if (item->kind == ITEM_WAIT)
			paint(row, columns, item, kept->begin, end - kept->begin, '.');
	}
	fprintf(file, "  %-9s|%s|\n", kept->name[device][slot], row);
}

void rf_timeline_print(const struct rf_timeline *timeline, FILE *file, unsigned int columns)
{
	const struct timeline_items *kept = &timeline->kept;
	uint64_t end = kept->begin + 1;
	unsigned int device, slot;
	size_t i;

	if (columns >= ROW_BYTES)
		columns = ROW_BYTES - 1;
	for (i = 0; i < kept->count; i++) {
		if (kept->items[i].kind <= ITEM_INTERRUPT)
			end = kept->items[i].last + 1;
	}
	for (device = 0; device < kept->devices; device++) {
		if (kept->devices > 1)
			fprintf(file, "  device %u\n", device);
		for (slot = 0; slot < SLOTS; slot++)
			if (kept->seen[device][slot])
				print_row(kept, file, device, slot, end, columns);
	}
	fprintf(file, "  %-9s %-*s%llu\n", "cycle", (int)columns - 8, "0",
		(unsigned long long)(end - kept->begin));
	fprintf(file, "  # engine at work   . queue waits for a fence, its engine is free\n");
}
