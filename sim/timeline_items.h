/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a timeline has observed, as timeline.c keeps it and timeline_file.c writes it. Both files
 * that are written have the same items, names and arrows.
 */
#ifndef RF_TIMELINE_ITEMS_H
#define RF_TIMELINE_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMELINE_NODES 2
#define TIMELINE_SLOTS 16
#define TIMELINE_FENCE_NAMES 32
#define TIMELINE_DEVICES 8
#define TIMELINE_NAME 16 /* bytes of the name of a queue, with its end */

enum item_kind {
	ITEM_WORK, /* of an engine for a queue */
	ITEM_WAIT, /* of a queue for a fence, from the WAIT packet to the release */
	ITEM_SIGNAL, /* a fence value is performed */
	ITEM_RING, /* a doorbell TLP */
	ITEM_INTERRUPT, /* an MSI-X TLP */
	ITEM_SUPPRESSED, /* a value for which no CPU waits: no interrupt */
	ITEM_RECEIVED, /* a TLP to the device, */
	ITEM_POSTED, /* from it, a write or a completion, */
	ITEM_READ, /* or a read request */
	ITEM_KINDS,
};

/**
 * struct item - a slice of time, or an instant, where first == last
 * @device: its index in the world
 * @slot: of work, waits, signals and doorbells
 * @detail: the node of work; first byte of the header of a TLP
 * @code: of a message
 * @handle: hNativeFence of a wait or signal, from its log entry; 0: it has none
 * @open: of work and waits: not over when the timeline was written
 * @first, @last: cycles
 * @address: of the value of a signal, 0 in local memory; or of the TLP, 0 of a completion
 *	or message
 * @value: of a wait or signal; bytes of payload of a TLP, or bytes to read
 */
struct item {
	enum item_kind kind;
	uint8_t device;
	uint8_t slot;
	uint8_t detail;
	uint8_t code;
	bool open;
	uint32_t handle;
	uint64_t first, last;
	uint64_t address;
	uint64_t value;
};

/**
 * struct timeline_fence - a name that a fence was given
 * @device, @handle: where it was made
 */
struct timeline_fence {
	unsigned int device;
	uint32_t handle;
	char name[32];
};

/**
 * struct fence_note - what rfsim_note_fence() said
 * @cycle: from when on
 * @maker: the first in the list with the same token: the handle that was made first
 */
struct fence_note {
	unsigned int device;
	uint32_t handle;
	uint64_t token, cycle;
	struct fence_maker {
		unsigned int device;
		uint32_t handle;
	} maker;
};

/**
 * struct timeline_items - all of them, in the order of their ends
 * @devices: whose items they are
 * @truncated: out of memory, so the end is missing
 * @seen: slots that have items
 * @begin: the first cycle
 * @end: behind the last item that is no TLP
 */
struct timeline_items {
	struct item *items;
	size_t count, capacity;
	unsigned int devices;
	bool truncated;
	bool seen[TIMELINE_DEVICES][TIMELINE_SLOTS];
	uint64_t begin, end;
	char name[TIMELINE_DEVICES][TIMELINE_SLOTS][TIMELINE_NAME];
	struct timeline_fence fences[TIMELINE_FENCE_NAMES];
	unsigned int fence_count;
	struct fence_note *notes; /* by device, handle and cycle when they are written */
	size_t note_count, note_capacity;
};

struct rf_timeline;
/* For writing them: what is under way is added, and ends in the present cycle. */
const struct timeline_items *timeline_items(struct rf_timeline *timeline);

#endif
