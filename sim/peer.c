// SPDX-License-Identifier: Apache-2.0
/*
 * Requests of one device to a BAR of another, which the root complex routes.
 *
 * What a device sends to a BAR waits in the list of its port and leaves it in the order of its
 * acceptance, the configured delay later. A write is performed for the other device behind every
 * earlier write of this one, to host memory too, since those are performed when they are accepted. A
 * read waits there for its turn, and for room among the reads that the other device holds; the
 * completions that it sends are put together here, and sent as those of a read of host memory are.
 *
 * The host says which parts of a BAR a device may reach. Any other request to a BAR is an error of
 * the run, as one to memory that is not registered. A root complex that does not route
 * (rfsim_port_config.peer_off) drops writes and completes reads as Unsupported Requests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/**
 * struct peer_item - a request on its way
 * @next: the next one of this device
 * @to: the device whose BAR it is for
 * @due: cycle in which it is passed on
 * @header: as it came
 * @words: of @payload
 * @payload: of a write
 */
struct peer_item {
	struct peer_item *next;
	struct rfsim_device *to;
	uint64_t due;
	uint32_t header[TLP_HEADER_WORDS];
	unsigned int words;
	uint32_t payload[];
};

/* --- windows ------------------------------------------------------------------------------- */

static bool bar_holds(const struct rfsim_device *to, unsigned int bar, uint64_t offset,
		      uint64_t bytes)
{
	return to->enumerated && bytes && bar_access_valid(to, bar, offset, bytes);
}

int rfsim_peer_open(struct rfsim_device *from, struct rfsim_device *to, unsigned int bar,
		    uint64_t offset, uint64_t bytes)
{
	struct rfsim_world *world = from->world;
	int error = -EINVAL;

	world_lock(world);
	if (from != to && to->world == world && bar_holds(to, bar, offset, bytes))
		error = from->window_count < PEER_WINDOWS ? 0 : -ENOSPC;
	if (!error)
		from->windows[from->window_count++] =
			(struct peer_window){ to, to->bars[bar].address + offset, bytes };
	world_unlock(world);
	return error;
}

void rfsim_peer_close(struct rfsim_device *from, const struct rfsim_device *to)
{
	unsigned int i, kept = 0;

	world_lock(from->world);
	for (i = 0; i < from->window_count; i++)
		if (from->windows[i].to != to)
			from->windows[kept++] = from->windows[i];
	from->window_count = kept;
	world_unlock(from->world);
}

static bool is_open(const struct rfsim_device *from, const struct rfsim_device *to, uint64_t first,
		    uint64_t bytes)
{
	unsigned int i;

	for (i = 0; i < from->window_count; i++) {
		const struct peer_window *window = &from->windows[i];

		if (window->to == to && first - window->first < window->bytes &&
		    bytes <= window->bytes - (first - window->first))
			return true;
	}
	return false;
}

/* --- on the way ---------------------------------------------------------------------------- */

static uint64_t peer_delay(struct rfsim_device *from)
{
	return 1 + random_between(&from->random, from->config.peer_delay_min,
				  from->config.peer_delay_max);
}

/* False: there is no memory, and the request is lost. */
static bool peer_append(struct rfsim_device *from, struct rfsim_device *to, const uint32_t *header,
			const uint32_t *payload, unsigned int words)
{
	struct peer_item *item = malloc(sizeof(*item) + words * sizeof(payload[0]));
	uint64_t due = from->world->cycle + peer_delay(from);

	if (!item)
		return false;
	item->next = NULL;
	item->to = to;
	item->due = due < from->peer_due ? from->peer_due : due;
	item->words = words;
	memcpy(item->header, header, sizeof(item->header));
	if (words)
		memcpy(item->payload, payload, words * sizeof(payload[0]));
	from->peer_due = item->due;
	*(from->peer_last ? &from->peer_last->next : &from->peer_first) = item;
	from->peer_last = item;
	return true;
}

static void peer_remove_first(struct rfsim_device *from)
{
	struct peer_item *item = from->peer_first;

	from->peer_first = item->next;
	if (!from->peer_first)
		from->peer_last = NULL;
	free(item);
}

struct rfsim_device *peer_find(struct rfsim_world *world, uint64_t address)
{
	unsigned int i, bar;

	if (world->device_count < 2 || world->iommu)
		return NULL;
	for (i = 0; i < world->device_count; i++)
		for (bar = 0; bar < 6; bar++)
			if (bar_holds(world->devices[i], bar,
				      address - world->devices[i]->bars[bar].address, 1))
				return world->devices[i];
	return NULL;
}

/* Is the request passed on? */
static bool peer_routes(struct rfsim_device *from, struct rfsim_device *to, const uint32_t *header)
{
	uint64_t first = tlp_first_byte(header);

	if (!is_open(from, to, first, tlp_request_bytes(header))) {
		violation(from, RFSIM_RULE_UNMAPPED, header,
			  "request at 0x%llx, to a BAR of device %u that was not opened to it",
			  (unsigned long long)first, to->index);
		return false;
	}
	return !from->config.peer_off;
}

void peer_write(struct rfsim_device *from, struct rfsim_device *to, const uint32_t *header,
		const uint32_t *payload, unsigned int words)
{
	if (peer_routes(from, to, header))
		peer_append(from, to, header, payload, words);
}

bool peer_read(struct rfsim_device *from, struct rfsim_device *to, const uint32_t *header)
{
	return peer_routes(from, to, header) && peer_append(from, to, header, NULL, 0);
}

/* --- arrival ------------------------------------------------------------------------------- */

/* The read ends; its completions follow. */
static void peer_finish(struct rfsim_device *from, struct device_read *read, enum tlp_status status)
{
	if (read->peer_sent)
		read->peer->peer_reads--;
	read->peer = NULL;
	read->status = status;
	read->sampled = true;
	read->held = false;
	read->due = from->world->cycle + peer_delay(from);
	world_changed(from->world);
}

/* False: the other device has no room for it yet. */
static bool peer_pass_on(struct rfsim_device *from, const struct peer_item *item)
{
	struct rfsim_device *to = item->to;
	bool read = tlp_is_memory_read(item->header);
	struct device_read *waiting = &from->reads[tlp_tag(item->header)];

	/* the link of the reader was down meanwhile, or is now that of the other one */
	if (read && (!waiting->busy || waiting->peer != to))
		return true;
	if (!to->link_up) {
		if (read)
			peer_finish(from, waiting, TLP_STATUS_UNSUPPORTED);
		return true;
	}
	if (read && to->requests_sent + to->peer_reads >= HOST_READS)
		return false;
	if (queue_push(to, !read, item->header, item->payload, item->words, NULL, false)) {
		if (read)
			peer_finish(from, waiting, TLP_STATUS_UNSUPPORTED);
		return true;
	}
	if (read) {
		waiting->peer_sent = true;
		to->peer_reads++;
	}
	return true;
}

void peer_cycle(struct rfsim_device *from)
{
	while (from->peer_first && from->peer_first->due <= from->world->cycle &&
	       peer_pass_on(from, from->peer_first))
		peer_remove_first(from);
}

void peer_completion(struct rfsim_device *to, const uint32_t *header, const uint32_t *payload,
		     unsigned int words)
{
	struct rfsim_world *world = to->world;
	struct rfsim_device *from = NULL;
	struct device_read *read;
	unsigned int i;

	for (i = 0; i < world->device_count; i++)
		if (world->devices[i]->id == tlp_requester(header))
			from = world->devices[i];
	if (!from)
		return;
	read = &from->reads[tlp_tag(header)];
	if (!read->busy || read->peer != to)
		return;
	if (tlp_completion_status(header) != TLP_STATUS_SUCCESS) {
		peer_finish(from, read, tlp_completion_status(header));
		return;
	}
	if (header[0] & TLP_DW0_POISONED)
		read->poisoned = true;
	if (words > tlp_length(read->header) - read->peer_words)
		words = tlp_length(read->header) - read->peer_words;
	memcpy(read->data + read->peer_words, payload, words * sizeof(payload[0]));
	read->peer_words += words;
	if (read->peer_words == tlp_length(read->header))
		peer_finish(from, read, TLP_STATUS_SUCCESS);
}

void peer_link_down(struct rfsim_device *device)
{
	struct rfsim_world *world = device->world;
	unsigned int i, k;

	while (device->peer_first)
		peer_remove_first(device);
	for (i = 0; i < world->device_count; i++) {
		struct rfsim_device *from = world->devices[i];

		for (k = 0; k < from->read_count; k++) {
			struct device_read *read = &from->reads[from->read_order[k]];

			if (read->peer == device && read->peer_sent)
				peer_finish(from, read, TLP_STATUS_UNSUPPORTED);
		}
	}
}
