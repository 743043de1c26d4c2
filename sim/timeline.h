/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The activity of the devices of a world, from their event bits and TLPs: latencies between events,
 * and which queue ran when. They have one clock. See rf_device.sv for the bits.
 */
#ifndef RF_TIMELINE_H
#define RF_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

#include "rfsim.h"

struct rf_timeline;

/* A distance between two events, in cycles. */
struct rf_latency {
	uint64_t count;
	uint64_t least;
	uint64_t most;
	uint64_t sum;
};

struct rf_latencies {
	struct rf_latency ring_to_read; /* doorbell TLP to ring read */
	struct rf_latency signal; /* from packet passed to its unit, to value performed */
	struct rf_latency release; /* performed to the waiter's next packet */
	struct rf_latency interrupt; /* performed to MSI-X */
};

/* Observe the devices that a world has, from now on. NULL: no memory. */
struct rf_timeline *rf_timeline_create(struct rfsim_world *world);
void rf_timeline_destroy(struct rf_timeline *timeline);
/* Forget what was observed; the present cycle is the first. */
void rf_timeline_restart(struct rf_timeline *timeline);

/* Name a queue slot of the device with this index; "": by its number. */
void rf_timeline_name(struct rf_timeline *timeline, unsigned int device, unsigned int slot,
		      const char *name);
/* And a fence, by its hNativeFence where it was made; up to 32. */
void rf_timeline_name_fence(struct rf_timeline *timeline, unsigned int device, uint32_t handle,
			    const char *name);

const struct rf_latencies *rf_timeline_latencies(const struct rf_timeline *timeline);

/* Engine work per queue as @columns characters a row. */
void rf_timeline_print(const struct rf_timeline *timeline, FILE *file, unsigned int columns);

/*
 * Trace Event format (opens in Perfetto). 0, or -ENOMEM if there was no memory for all of it; errors
 * of the file are left in it.
 */
int rf_timeline_write(struct rf_timeline *timeline, FILE *file);

/**
 * struct rf_timeline_page - what else the page names; each may be ""
 * @device: the device string
 * @path: of the page
 * @trace: of the file that rf_timeline_write() has written, for a link
 */
struct rf_timeline_page {
	const char *device;
	const char *path;
	const char *trace;
};

/*
 * An HTML page that needs nothing else. It has at most RF_TIMELINE_PAGE_ITEMS items: if there are
 * more, it has no TLPs, then only the first items, and it says so. Returns as above.
 */
#define RF_TIMELINE_PAGE_ITEMS 200000
int rf_timeline_write_page(struct rf_timeline *timeline, FILE *file,
			   const struct rf_timeline_page *page);

#endif
