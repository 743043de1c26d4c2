// SPDX-License-Identifier: Apache-2.0
/*
 * Requests of the host: queued, sent in order, matched with their completions.
 *
 * Posted and non-posted requests have a queue each; they leave in the order of
 * their stamps, except that writes pass reads while the device holds as many
 * reads as it has room for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define COMMAND 0x04
#define COMMAND_MEMORY (1u << 1)
#define COMMAND_MASTER (1u << 2)
#define CAPABILITIES 0x34
#define CAPABILITY_EXPRESS 0x10
#define DEVICE_CONTROL 0x08
#define DEVICE_CONTROL_EXTENDED_TAGS (1u << 8)
#define DEVICE_CONTROL_RESET (1u << 15)

/* --- queues --------------------------------------------------------------- */

/* An entry: payload words and error flag, slot + 1, stamp (2), header (4), payload. */
#define ENTRY_WORDS 8
#define ENTRY_ERROR (1u << 31)

static uint32_t *queue_word(struct tlp_queue *queue, size_t index)
{
	return &queue->words[(queue->head + index) & (queue->capacity - 1)];
}

static int queue_reserve(struct tlp_queue *queue, size_t words)
{
	size_t capacity = queue->capacity ? queue->capacity : 1024;
	uint32_t *grown;
	size_t i;

	while (capacity < queue->used + words)
		capacity *= 2;
	if (capacity == queue->capacity)
		return 0;
	grown = malloc(capacity * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (i = 0; i < queue->used; i++)
		grown[i] = *queue_word(queue, i);
	free(queue->words);
	queue->words = grown;
	queue->capacity = capacity;
	queue->head = 0;
	return 0;
}

int queue_push(struct rfsim_device *device, bool posted, const uint32_t *header,
	       const uint32_t *payload, unsigned int words, struct host_request *request,
	       bool link_error)
{
	struct tlp_queue *queue = posted ? &device->posted : &device->nonposted;
	uint64_t stamp = device->next_stamp++;
	size_t at;
	unsigned int i;

	if (queue_reserve(queue, ENTRY_WORDS + words))
		return -ENOMEM;
	at = queue->used;
	*queue_word(queue, at++) = words | (link_error ? ENTRY_ERROR : 0);
	*queue_word(queue, at++) = request ? request - device->requests + 1 : 0;
	*queue_word(queue, at++) = stamp;
	*queue_word(queue, at++) = stamp >> 32;
	for (i = 0; i < TLP_HEADER_WORDS; i++)
		*queue_word(queue, at++) = header[i];
	for (i = 0; i < words; i++)
		*queue_word(queue, at++) = payload[i];
	queue->used = at;
	world_changed(device->world);
	return 0;
}

static uint64_t queue_stamp(struct tlp_queue *queue)
{
	if (!queue->used)
		return UINT64_MAX;
	return *queue_word(queue, 2) | (uint64_t)*queue_word(queue, 3) << 32;
}

static void queue_pop(struct rfsim_device *device, struct tlp_queue *queue)
{
	struct outgoing *out = &device->out;
	uint32_t slot = *queue_word(queue, 1);
	size_t at = 4;
	unsigned int i;

	out->words = *queue_word(queue, 0) & ~ENTRY_ERROR;
	out->link_error = *queue_word(queue, 0) & ENTRY_ERROR;
	out->request = slot ? &device->requests[slot - 1] : NULL;
	for (i = 0; i < TLP_HEADER_WORDS; i++)
		out->header[i] = *queue_word(queue, at++);
	for (i = 0; i < out->words; i++)
		out->payload[i] = *queue_word(queue, at++);
	queue->head = (queue->head + at) & (queue->capacity - 1);
	queue->used -= at;
}

bool requester_next(struct rfsim_device *device)
{
	uint64_t posted = queue_stamp(&device->posted);
	uint64_t nonposted = queue_stamp(&device->nonposted);

	/* A request given up before it was sent is sent all the same. */
	if (nonposted != UINT64_MAX && *queue_word(&device->nonposted, 1) &&
	    device->requests_sent + device->peer_reads >= HOST_READS)
		nonposted = UINT64_MAX;
	if (posted == UINT64_MAX && nonposted == UINT64_MAX)
		return false;
	queue_pop(device, posted < nonposted ? &device->posted : &device->nonposted);
	return true;
}

bool requester_pending(const struct rfsim_device *device)
{
	return device->posted.used || device->nonposted.used || device->requests_busy;
}

void requester_sent(struct rfsim_device *device)
{
	struct host_request *request = device->out.request;

	request->sent = true;
	request->memory_allowed = device->memory_space;
	if (!request->abandoned)
		device->requests_sent++;
}

/* --- completions ---------------------------------------------------------- */

static void request_finish(struct rfsim_device *device, struct host_request *request, int error)
{
	request->error = error;
	request->done = true;
	if (request->abandoned) {
		request->busy = false;
		return;
	}
	device->requests_busy--;
	if (request->sent)
		device->requests_sent--;
}

void requester_completion(struct rfsim_device *device, const uint32_t *header,
			  const uint32_t *payload, unsigned int words)
{
	struct host_request *request = NULL;
	unsigned int skip, bytes;

	if (tlp_requester(header) != RFSIM_HOST_ID) {
		checker_observed(device, header);
		peer_completion(device, header, payload, words);
		return;
	}
	if (tlp_tag(header) < HOST_TAGS)
		request = &device->requests[tlp_tag(header)];
	if (!checker_expected(device, request, header))
		return;
	if (!checker_completion(device, request, header, words)) {
		request_finish(device, request, -EIO);
		return;
	}
	if (tlp_completion_status(header) != TLP_STATUS_SUCCESS) {
		request_finish(device, request, -EIO);
		return;
	}
	if (!words) {
		request_finish(device, request, 0);
		return;
	}
	if (header[0] & TLP_DW0_POISONED)
		request->error = -EIO;
	if (request->data)
		memcpy(request->data + request->received, payload, 4 * words);
	request->received += words;
	skip = request->next_byte & 3;
	bytes = 4 * words - skip;
	if (bytes < request->remaining) {
		request->remaining -= bytes;
		request->next_byte += bytes;
		return;
	}
	request->remaining = 0;
	request_finish(device, request, request->error);
}

void requester_link_down(struct rfsim_device *device)
{
	unsigned int i;

	device->posted.used = 0;
	device->nonposted.used = 0;
	device->out.request = NULL;
	for (i = 0; i < HOST_TAGS; i++) {
		if (device->requests[i].busy && !device->requests[i].done)
			request_finish(device, &device->requests[i], -ENOLINK);
	}
}

/* --- one access ----------------------------------------------------------- */

struct slot_wait {
	struct rfsim_device *device;
	struct host_request *request;
};

static bool slot_free(void *context)
{
	struct slot_wait *wait = context;
	unsigned int i;

	for (i = 0; i < HOST_TAGS; i++) {
		wait->request = &wait->device->requests[i];
		if (!wait->request->busy)
			return true;
	}
	wait->request = NULL;
	return false;
}

static bool request_sent(void *context)
{
	const struct host_request *request = context;

	return request->sent || request->done;
}

static bool request_done(void *context)
{
	const struct host_request *request = context;

	return request->done;
}

/*
 * Send a non-posted request, whose tag is filled in here, and run the clock until
 * its last completion. A read leaves whole words in data.
 */
static int host_access(struct rfsim_device *device, uint32_t *header, const uint32_t *payload,
		       uint32_t *data)
{
	struct rfsim_world *world = device->world;
	struct slot_wait wait = { .device = device };
	struct host_request *request;
	uint64_t ahead;
	int error;

	if (!device->link_up)
		return -ENOLINK;
	world_run(world, slot_free, &wait, world->cycle + world->host_timeout);
	request = wait.request;
	if (!request || request->busy)
		return -ETIMEDOUT;
	header[1] |= (uint32_t)(request - device->requests) << 8;
	*request = (struct host_request){
		.busy = true,
		.data = data,
		.next_byte = tlp_is_memory_read(header) ? tlp_first_byte(header) : 0,
		.remaining = tlp_is_memory_read(header) ? tlp_request_bytes(header) : 4,
	};
	memcpy(request->header, header, sizeof(request->header));
	error = queue_push(device, false, header, payload, tlp_payload_words(header), request,
			   false);
	if (error) {
		request->busy = false;
		return error;
	}
	device->requests_busy++;
	/* The time counts from its sending; writes ahead of it may be many. */
	do {
		ahead = queue_stamp(&device->posted);
		world_run(world, request_sent, request, world->cycle + world->host_timeout);
	} while (!request_sent(request) && queue_stamp(&device->posted) != ahead);
	if (request->sent)
		world_run(world, request_done, request, world->cycle + world->host_timeout);
	if (request->done) {
		error = request->error;
		request->busy = false;
		return error;
	}
	violation(device, RFSIM_RULE_MISSING_COMPLETION, header, "no completion in %llu cycles",
		  (unsigned long long)world->host_timeout);
	request->abandoned = true;
	request->data = NULL;
	device->requests_busy--;
	if (request->sent)
		device->requests_sent--;
	return -ETIMEDOUT;
}

/* --- configuration space -------------------------------------------------- */

static bool config_access_valid(unsigned int offset, unsigned int bytes)
{
	return (bytes == 1 || bytes == 2 || bytes == 4) && offset % bytes == 0 && offset < 4096;
}

static int config_read(struct rfsim_device *device, unsigned int offset, unsigned int bytes,
		       uint32_t *value)
{
	unsigned int shift = 8 * (offset & 3);
	uint32_t mask = bytes == 4 ? ~0u : (1u << 8 * bytes) - 1;
	uint32_t header[TLP_HEADER_WORDS], word = 0;
	int error;

	tlp_config_request(header, false, RFSIM_HOST_ID, 0, device->id, offset,
			   ((1u << bytes) - 1) << (offset & 3));
	error = host_access(device, header, NULL, &word);
	*value = error ? mask : word >> shift & mask;
	return error;
}

int rfsim_config_read(struct rfsim_device *device, unsigned int offset, unsigned int bytes,
		      uint32_t *value)
{
	int error;

	if (!config_access_valid(offset, bytes))
		return -EINVAL;
	if (!world_enter(device->world))
		return -EDEADLK;
	error = config_read(device, offset, bytes, value);
	world_unlock(device->world);
	return error;
}

static unsigned int config_find(struct rfsim_device *device, unsigned int id)
{
	unsigned int hops;
	uint32_t at, word;

	if (config_read(device, CAPABILITIES, 1, &at))
		return 0;
	for (hops = 0; at >= 0x40 && hops < 48; hops++) {
		if (config_read(device, at & ~3u, 4, &word))
			return 0;
		if ((word & 0xff) == id)
			return at & ~3u;
		at = word >> 8 & 0xff;
	}
	return 0;
}

unsigned int rfsim_config_find(struct rfsim_device *device, unsigned int id)
{
	unsigned int offset;

	if (!world_enter(device->world))
		return 0;
	offset = config_find(device, id);
	world_unlock(device->world);
	return offset;
}

static unsigned int larger(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/*
 * Track what the device is permitted to do. A configuration write in flight can only extend the
 * permissions; from its completion on the written value applies.
 */
static void config_track(struct rfsim_device *device, unsigned int offset, unsigned int bytes,
			 uint32_t value, bool complete)
{
	unsigned int control = device->express_capability + DEVICE_CONTROL;

	device->id_possible = true;
	device->id_given |= complete;
	if (offset <= COMMAND + 1 && offset + bytes > COMMAND + 1) {
		unsigned int serr = (value << 8 * (offset - COMMAND)) & ERRORS_SERR;

		device->errors = (device->errors & (complete ? ~ERRORS_SERR : ~0u)) | serr;
	}
	if (offset == COMMAND) {
		bool memory = value & COMMAND_MEMORY, master = value & COMMAND_MASTER;

		device->memory_space = memory || (!complete && device->memory_space);
		device->bus_master = master || (!complete && device->bus_master);
	}
	if (!device->express_capability || offset > control + 1 || offset + bytes <= control)
		return;
	if (offset + bytes > control + 1) {
		unsigned int high = value >> 8 * (control + 1 - offset);
		unsigned int read = 128u << (high >> 4 & 7);

		device->max_read = complete ? read : larger(read, device->max_read);
		device->extended_tags = (high & DEVICE_CONTROL_EXTENDED_TAGS >> 8) ||
					(!complete && device->extended_tags);
		if (complete && (high & DEVICE_CONTROL_RESET >> 8)) {
			/* Function level reset: as after power-up, but for the payload size. */
			device->id_given = false;
			device->memory_space = false;
			device->bus_master = false;
			device->max_read = 512;
			device->extended_tags = false;
			device->errors = 0;
			completer_reset(device);
			return;
		}
	}
	if (offset <= control) {
		unsigned int payload = 128u << (value >> 8 * (control - offset) >> 5 & 7);

		device->errors = (device->errors & (complete ? ERRORS_SERR : ~0u)) |
				 (value >> 8 * (control - offset) & 7);
		device->max_payload = complete ? payload : larger(payload, device->max_payload);
		if (complete || payload < device->host_payload)
			device->host_payload = payload;
	}
}

int rfsim_config_write(struct rfsim_device *device, unsigned int offset, unsigned int bytes,
		       uint32_t value)
{
	uint32_t header[TLP_HEADER_WORDS], word = value << 8 * (offset & 3);
	int error;

	if (!config_access_valid(offset, bytes))
		return -EINVAL;
	if (!world_enter(device->world))
		return -EDEADLK;
	if (offset >= 0x40 && !device->express_capability)
		device->express_capability = config_find(device, CAPABILITY_EXPRESS);
	tlp_config_request(header, true, RFSIM_HOST_ID, 0, device->id, offset,
			   ((1u << bytes) - 1) << (offset & 3));
	config_track(device, offset, bytes, value, false);
	error = host_access(device, header, &word, NULL);
	if (!error)
		config_track(device, offset, bytes, value, true);
	world_unlock(device->world);
	return error;
}

/* --- BARs ----------------------------------------------------------------- */

bool bar_access_valid(const struct rfsim_device *device, unsigned int bar, uint64_t offset,
		      uint64_t bytes)
{
	return bar < 6 && device->bars[bar].bytes && offset <= device->bars[bar].bytes &&
	       bytes <= device->bars[bar].bytes - offset;
}

int rfsim_bar_read(struct rfsim_device *device, unsigned int bar, uint64_t offset, void *data,
		   size_t bytes)
{
	uint8_t *to = data;
	int result = 0;

	if (!world_enter(device->world))
		return -EDEADLK;
	if (!bar_access_valid(device, bar, offset, bytes)) {
		world_unlock(device->world);
		return -EINVAL;
	}
	while (bytes) {
		uint64_t address = device->bars[bar].address + offset;
		size_t part = HOST_READ_BYTES - address % HOST_READ_BYTES;
		uint32_t header[TLP_HEADER_WORDS], words[HOST_READ_BYTES / 4];
		int error;

		if (part > bytes)
			part = bytes;
		tlp_memory_bytes(header, false, RFSIM_HOST_ID, 0, address, part);
		error = host_access(device, header, NULL, words);
		if (error) {
			memset(to, 0xff, part);
			result = error;
		} else {
			memcpy(to, (uint8_t *)words + address % 4, part);
		}
		to += part;
		offset += part;
		bytes -= part;
	}
	world_unlock(device->world);
	return result;
}

int rfsim_bar_write(struct rfsim_device *device, unsigned int bar, uint64_t offset,
		    const void *data, size_t bytes)
{
	const uint8_t *from = data;
	int error = 0;

	world_lock(device->world);
	if (!bar_access_valid(device, bar, offset, bytes))
		error = -EINVAL;
	else if (hold_ring(device, bar, offset, data, bytes))
		bytes = 0;
	/* A write to a lost link is lost. */
	while (!error && bytes && device->link_up) {
		uint64_t address = device->bars[bar].address + offset;
		size_t limit = device->host_payload;
		size_t part = limit - address % limit;
		uint32_t header[TLP_HEADER_WORDS], words[TLP_MAX_PAYLOAD_WORDS];

		if (part > bytes)
			part = bytes;
		tlp_memory_bytes(header, true, RFSIM_HOST_ID, 0, address, part);
		words[0] = 0;
		words[tlp_length(header) - 1] = 0;
		memcpy((uint8_t *)words + address % 4, from, part);
		error = queue_push(device, true, header, words, tlp_length(header), NULL, false);
		from += part;
		offset += part;
		bytes -= part;
	}
	world_unlock(device->world);
	return error;
}

int rfsim_tlp_send(struct rfsim_device *device, const uint32_t header[4], const uint32_t *payload,
		   unsigned int words, bool link_error)
{
	bool posted = tlp_is_memory_write(header) || tlp_is_completion(header) ||
		      (header[0] >> 27 & 3) == 2; /* messages */
	int error = 0;

	if (words > TLP_MAX_PAYLOAD_WORDS)
		return -EINVAL;
	world_lock(device->world);
	if (device->link_up)
		error = queue_push(device, posted, header, payload, words, NULL, link_error);
	world_unlock(device->world);
	return error;
}
