// SPDX-License-Identifier: Apache-2.0
/*
 * Requests of the device: writes to host memory, MSIs, reads and their
 * completions, with the configured latency, splits, order and faults.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

/* --- faults --------------------------------------------------------------- */

int rfsim_fault_add(struct rfsim_device *device, const struct rfsim_fault *fault)
{
	int error = -ENOSPC;

	world_lock(device->world);
	if (device->fault_count < FAULT_RULES) {
		device->faults[device->fault_count++] = (struct fault_rule){ *fault, 0 };
		error = 0;
	}
	world_unlock(device->world);
	return error;
}

void rfsim_fault_clear(struct rfsim_device *device)
{
	world_lock(device->world);
	device->fault_count = 0;
	world_unlock(device->world);
}

uint64_t rfsim_fault_hits(struct rfsim_device *device)
{
	uint64_t hits;

	world_lock(device->world);
	hits = device->fault_hits;
	world_unlock(device->world);
	return hits;
}

/* The rule that hits a read of [first, last], or NULL. */
static const struct rfsim_fault *fault_find(struct rfsim_device *device, uint64_t first,
					    uint64_t last)
{
	unsigned int i;

	for (i = 0; i < device->fault_count; i++) {
		struct fault_rule *rule = &device->faults[i];
		uint64_t seen;

		if (last < rule->fault.first || first > rule->fault.last)
			continue;
		seen = rule->seen++;
		if (seen < rule->fault.skip)
			continue;
		if (rule->fault.count && seen - rule->fault.skip >= rule->fault.count)
			continue;
		device->fault_hits++;
		return &rule->fault;
	}
	return NULL;
}

/* --- writes --------------------------------------------------------------- */

void completer_write(struct rfsim_device *device, const uint32_t *header, const uint32_t *payload,
		     unsigned int words)
{
	const struct rfsim_port_config *config = &device->config;
	struct rfsim_world *world = device->world;
	uint64_t address = tlp_address(header);
	struct rfsim_device *peer = peer_find(world, address);

	if (peer && peer != device) {
		peer_write(device, peer, header, payload, words);
		return;
	}
	if (address - RFSIM_MSI_BASE < RFSIM_MSI_BYTES) {
		uint64_t due = world->cycle + 1 +
			       random_between(&device->random, config->msi_delay_min,
					      config->msi_delay_max);

		if (hold_msi(device, payload[0]))
			return;
		if (due < device->last_interrupt_due)
			due = device->last_interrupt_due;
		device->last_interrupt_due = due;
		world_interrupt(device, payload[0], due);
		return;
	}
	if (memory_write(memory_space(device), address, payload, words, tlp_first_enables(header),
			 tlp_last_enables(header)))
		world_changed(world);
	else if (!memory_is_lost(memory_space(device), address))
		violation(device, RFSIM_RULE_UNMAPPED, header,
			  "write of %u words at 0x%llx outside registered memory", words,
			  (unsigned long long)address);
}

/* --- messages ------------------------------------------------------------- */

void completer_message(struct rfsim_device *device, const uint32_t *header)
{
	static const enum rfsim_error errors[] = {
		[TLP_ERR_COR & 3] = RFSIM_ERROR_CORRECTABLE,
		[TLP_ERR_NONFATAL & 3] = RFSIM_ERROR_NONFATAL,
		[TLP_ERR_FATAL & 3] = RFSIM_ERROR_FATAL,
	};

	if (tlp_type(header) == TLP_MSG_ROOT) /* else PME_TO_Ack */
		device->statistics.errors[errors[tlp_message_code(header) & 3]]++;
	world_changed(device->world);
}

/* --- reads ---------------------------------------------------------------- */

void completer_read(struct rfsim_device *device, const uint32_t *header)
{
	const struct rfsim_port_config *config = &device->config;
	struct memory_space *space = memory_space(device);
	struct rfsim_world *world = device->world;
	uint64_t first = tlp_first_byte(header);
	unsigned int bytes = tlp_request_bytes(header);
	struct device_read *read = &device->reads[tlp_tag(header)];
	const struct rfsim_fault *fault = fault_find(device, first, first + bytes - 1);
	struct rfsim_device *peer = peer_find(world, first);

	hold_event(device, RFSIM_EVENT_READ);
	read->busy = true;
	read->tag = tlp_tag(header);
	read->status = TLP_STATUS_SUCCESS;
	read->poisoned = false;
	read->sampled = false;
	read->peer = NULL;
	read->peer_sent = false;
	read->peer_words = 0;
	read->next_byte = first;
	read->remaining = bytes;
	read->due =
		world->cycle + 1 +
		random_between(&device->random, config->read_latency_min, config->read_latency_max);
	memcpy(read->header, header, sizeof(read->header));

	if (fault) {
		switch (fault->kind) {
		case RFSIM_FAULT_UNSUPPORTED:
			read->status = TLP_STATUS_UNSUPPORTED;
			break;
		case RFSIM_FAULT_ABORT:
			read->status = TLP_STATUS_ABORT;
			break;
		case RFSIM_FAULT_POISONED:
			read->poisoned = true;
			break;
		case RFSIM_FAULT_SILENCE:
			read->busy = false;
			return;
		case RFSIM_FAULT_LINK_DOWN:
			read->busy = false;
			rfsim_link_set(device, false);
			return;
		}
	} else if (peer && peer != device) {
		read->peer = peer;
		if (!peer_read(device, peer, header)) {
			read->peer = NULL;
			read->status = TLP_STATUS_UNSUPPORTED;
		}
	} else if (memory_is_lost(space, first)) {
		read->status = TLP_STATUS_UNSUPPORTED;
	} else if (!memory_covers(space, first, bytes)) {
		violation(device, RFSIM_RULE_UNMAPPED, header,
			  "read of %u bytes at 0x%llx outside registered memory", bytes,
			  (unsigned long long)first);
		read->status = TLP_STATUS_UNSUPPORTED;
	}
	if (read->status == TLP_STATUS_SUCCESS && !read->peer &&
	    random_chance(&device->random, config->read_early_percent)) {
		memory_read(space, tlp_address(header), read->data, tlp_length(header));
		read->sampled = true;
		if (memory_is_lost(space, first)) /* in this very access */
			read->status = TLP_STATUS_UNSUPPORTED;
	}
	read->held = hold_completion(device, read->tag) || read->peer;
	device->read_order[device->read_count++] = read->tag;
}

static bool completer_due(const struct rfsim_device *device, unsigned int index)
{
	const struct device_read *read = &device->reads[device->read_order[index]];

	return !read->held && read->due <= device->world->cycle;
}

/* Index in read_order of the read whose completion is sent next, or -1. */
static int completer_pick(struct rfsim_device *device)
{
	bool reorder = device->config.reorder_percent;
	unsigned int i;

	if (!device->read_count)
		return -1;
	if (random_chance(&device->random, device->config.reorder_percent)) {
		i = random_next(&device->random) % device->read_count;
		if (completer_due(device, i))
			return i;
	}
	for (i = 0; i < device->read_count; i++) {
		if (completer_due(device, i))
			return i;
		/* In order, one that is not due yet holds up those behind it. */
		if (!reorder && !device->reads[device->read_order[i]].held)
			return -1;
	}
	return -1;
}

static void completer_retire(struct rfsim_device *device, unsigned int index)
{
	struct device_read *read = &device->reads[device->read_order[index]];

	if (read->peer && read->peer_sent)
		read->peer->peer_reads--; /* its completions are dropped when they come */
	read->peer = NULL;
	read->busy = false;
	device->read_count--;
	memmove(device->read_order + index, device->read_order + index + 1,
		device->read_count - index);
	device->completion_last_cycle = device->world->cycle;
}

/* The end of the completion that starts at next_byte. */
static uint64_t completer_cut(struct rfsim_device *device, const struct device_read *read)
{
	uint64_t boundary = device->config.completion_boundary;
	uint64_t limit = (read->next_byte & ~3ull) + device->host_payload;
	uint64_t end = read->next_byte + read->remaining;
	uint64_t cut = (read->next_byte / boundary + 1) * boundary;

	while (cut < end) {
		uint64_t further = cut + boundary < end ? cut + boundary : end;

		if (further > limit || random_chance(&device->random, device->config.split_percent))
			return cut;
		cut = further;
	}
	return end;
}

bool completer_next(struct rfsim_device *device)
{
	struct outgoing *out = &device->out;
	int index = completer_pick(device);
	struct device_read *read;
	uint64_t cut, start;

	if (index < 0)
		return false;
	read = &device->reads[device->read_order[index]];
	start = read->next_byte & ~3ull;
	cut = read->next_byte + read->remaining;
	out->request = NULL;
	out->link_error = false;
	out->words = 0;
	if (read->status == TLP_STATUS_SUCCESS) {
		cut = completer_cut(device, read);
		out->words = (cut + 3 - start) / 4;
		if (read->sampled) {
			memcpy(out->payload, read->data + (start - tlp_address(read->header)) / 4,
			       4 * out->words);
		} else {
			memory_read(memory_space(device), start, out->payload, out->words);
			if (memory_is_lost(memory_space(device), read->next_byte)) {
				read->status = TLP_STATUS_UNSUPPORTED;
				read->poisoned = false;
				out->words = 0;
				cut = read->next_byte + read->remaining;
			} else if (!read->poisoned &&
				   !memory_covers(memory_space(device), read->next_byte,
						  cut - read->next_byte))
				violation(device, RFSIM_RULE_UNMAPPED, read->header,
					  "memory unregistered while being read");
		}
	}
	tlp_completion(out->header, RFSIM_HOST_ID, read->status, read->remaining,
		       tlp_requester(read->header), read->tag, read->next_byte, out->words);
	if (read->poisoned)
		out->header[0] |= TLP_DW0_POISONED;
	read->remaining -= cut - read->next_byte;
	read->next_byte = cut;
	if (!read->remaining)
		completer_retire(device, index);
	return true;
}

void completer_reset(struct rfsim_device *device)
{
	while (device->read_count)
		completer_retire(device, device->read_count - 1);
	hold_drop(device, RFSIM_HOLD_COMPLETION);
}
