// SPDX-License-Identifier: Apache-2.0
/*
 * A link partner that sends anything that must be harmless: requests to unused addresses,
 * accesses where nothing is lost by them, unexpected completions, and
 * accesses that would do the greatest harm but are malformed, poisoned or bad on the
 * link, and so must not happen.
 */
#include <string.h>

#include "../../sim/tlp.h"
#include "fuzz.h"

#define REQUESTER 0x0700 /* not the host of the simulation: it only looks on */
#define REQUESTS 6 /* at once, of the 8 that the device takes */
#define NOWHERE 0x700000000000ull
#define TYPE_IO 0x02
#define TYPE_CONFIG1 0x05
#define TYPE_MESSAGE 0x30
#define TYPE_FETCH_ADD 0x4c
#define DEVICE_TAGS 16 /* tags from here on the device never uses */

static void on_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct fuzz *fuzz = context;
	struct fuzz_request *request;

	(void)device;
	if (tlp->stream == RFSIM_READ)
		fuzz->function = tlp_requester(tlp->header);
	if (tlp->stream != RFSIM_POSTED || !tlp_is_completion(tlp->header) ||
	    tlp_requester(tlp->header) != REQUESTER)
		return;
	request = &fuzz->requests[tlp_tag(tlp->header)];
	RF_CHECK(&fuzz->conform, request->waiting, "a completion with tag %u that nobody waits for",
		 tlp_tag(tlp->header));
	RF_CHECK(&fuzz->conform, tlp->words <= request->words || !tlp->words,
		 "a completion with too much data");
	request->words -= tlp->words;
	/* without data: of a write, or a refusal */
	if (!tlp->words || !request->words) {
		request->waiting = false;
		fuzz->waiting--;
		fuzz->answered++;
	}
}

void tlps_open(struct fuzz *fuzz)
{
	rfsim_tlp_callback(fuzz->conform.setup.world.sim, on_tlp, fuzz);
}

/* TD is drawn for every TLP: it means nothing once the link has taken the digest off. */
static void send(struct fuzz *fuzz, uint32_t *header, unsigned int words, bool link_error)
{
	uint32_t payload[TLP_MAX_PAYLOAD_WORDS];
	unsigned int i;

	if (chance(fuzz, 10))
		header[0] |= TLP_DW0_DIGEST;

	for (i = 0; i < words; i++)
		payload[i] = (uint32_t)draw(fuzz, 1ull << 32);
	RF_CHECK_EQUAL(
		&fuzz->conform,
		rfsim_tlp_send(fuzz->conform.setup.world.sim, header, payload, words, link_error),
		0, "rfsim_tlp_send");
	fuzz->tlps++;
}

static uint64_t bar(struct fuzz *fuzz, unsigned int index)
{
	struct rfsim_bar found;

	RF_CHECK_EQUAL(&fuzz->conform, rfsim_bar(fuzz->conform.setup.world.sim, index, &found), 0,
		       "BAR");
	return found.address;
}

/* A tag of its own for a request that will be answered by @words of data, or none. */
static uint8_t expect(struct fuzz *fuzz, unsigned int words)
{
	unsigned int tag = (unsigned int)draw(fuzz, 256);

	while (fuzz->requests[tag].waiting)
		tag = (tag + 1) % 256;
	fuzz->requests[tag] = (struct fuzz_request){ .waiting = true, .words = words };
	fuzz->waiting++;
	return (uint8_t)tag;
}

static void set_enables(struct fuzz *fuzz, uint32_t *header)
{
	unsigned int first = 1 + (unsigned int)draw(fuzz, 15);
	unsigned int last = 1 + (unsigned int)draw(fuzz, 15);

	header[1] = (header[1] & ~0xffu) | (tlp_length(header) == 1 ? 0 : last << 4) | first;
}

/* A read of anything readable, any length that does not leave its page. */
static void send_read(struct fuzz *fuzz)
{
	static const unsigned int bars[] = { 0, 2, 4 };
	unsigned int index = bars[draw(fuzz, 3)];
	uint64_t bytes = index == 0   ? RF_BAR0_BYTES
			 : index == 2 ? fuzz->dev.local_bytes
				      : RF_BAR4_BYTES;
	uint64_t address = bar(fuzz, index) + (draw(fuzz, bytes) & ~3ull);
	unsigned int limit = (unsigned int)(4096 - address % 4096) / 4, words;
	uint32_t header[4];

	words = 1 + (unsigned int)draw(fuzz, chance(fuzz, 90) && limit > 8 ? 8 : limit);
	tlp_memory_request(header, false, REQUESTER, expect(fuzz, words), address, words, 0, 0);
	set_enables(fuzz, header);
	if (words == 1 && chance(fuzz, 10))
		header[1] &= ~0xfu; /* a flush */
	send(fuzz, header, 0, false);
}

/* What wants an answer although it is not for this device. */
static void send_unsupported(struct fuzz *fuzz)
{
	uint8_t tag = expect(fuzz, 1);
	uint32_t header[4];
	unsigned int data = 0;

	tlp_memory_request(header, false, REQUESTER, tag, NOWHERE + 4 * draw(fuzz, 512), 1, 0xf, 0);
	switch (draw(fuzz, 5)) {
	case 0:
		break;
	case 1:
		header[0] = TYPE_IO << 24 | 1;
		header[2] = (uint32_t)draw(fuzz, 65536) & ~3u;
		header[3] = 0;
		break;
	case 2: /* configuration of type 1 */
		header[0] = (TYPE_CONFIG1 | (chance(fuzz, 50) ? 0x40u : 0u)) << 24 | 1;
		header[3] = 0;
		data = header[0] >> 30 & 1;
		break;
	case 3: /* another function */
		tlp_config_request(header, chance(fuzz, 50), REQUESTER, tag,
				   (uint16_t)((fuzz->function & ~7u) | (1 + draw(fuzz, 7))),
				   (unsigned int)draw(fuzz, 1024) * 4, 0xf);
		data = tlp_payload_words(header);
		break;
	default: /* an atomic operation on local memory */
		tlp_memory_request(header, true, REQUESTER, tag,
				   rf_dev_register(&fuzz->dev, RF_REG_DEVICE_SCRATCH) +
					   bar(fuzz, 2),
				   1, 0xf, 0);
		header[0] = (header[0] & ~(0x1fu << 24)) | (TYPE_FETCH_ADD & 0x1fu) << 24;
		data = 1;
		break;
	}
	send(fuzz, header, data, false);
}

static void send_config_read(struct fuzz *fuzz)
{
	uint32_t header[4];

	tlp_config_request(header, false, REQUESTER, expect(fuzz, 1), fuzz->function,
			   (unsigned int)draw(fuzz, 1024) * 4, (unsigned int)draw(fuzz, 16));
	send(fuzz, header, 0, false);
}

/* Writes that mean nothing: registers that do not exist, read-only ones, unbound pages. */
static void send_harmless_write(struct fuzz *fuzz)
{
	static const uint64_t places[] = { 0x3000,
					   0x5ff0,
					   0x7ff0,
					   RF_REG_DEVICE_LIVENESS,
					   RF_REG_COUNTER_VALUE(3),
					   RF_REG_SLOT_STATUS(0),
					   RF_DOORBELL_BASE + 9 * 4096,
					   0x1fff0 };
	unsigned int words = 1 + (unsigned int)draw(fuzz, 2);
	uint64_t address = bar(fuzz, 0) + places[draw(fuzz, sizeof(places) / sizeof(places[0]))];
	uint32_t header[4];

	if (chance(fuzz, 40)) { /* the playground in local memory, up to a full payload */
		words = 1 + (unsigned int)draw(fuzz, 32);
		address = bar(fuzz, 2) + fuzz->playground[RF_PLACE_LOCAL].offset + 2048 +
			  4 * draw(fuzz, 256);
	}
	if (words > (4096 - address % 4096) / 4)
		words = (unsigned int)(4096 - address % 4096) / 4;
	tlp_memory_request(header, true, REQUESTER, 0, address, words, 0, 0);
	set_enables(fuzz, header);
	send(fuzz, header, words, false);
}

/* Posted, to no function. */
static void send_to_nowhere(struct fuzz *fuzz)
{
	unsigned int words = 1 + (unsigned int)draw(fuzz, 32);
	uint32_t header[4];

	tlp_memory_request(header, true, REQUESTER, 0, NOWHERE, words, 0xf, words == 1 ? 0 : 0xf);
	if (chance(fuzz, 40)) { /* a message, with data or without */
		bool data = chance(fuzz, 50);

		header[0] = (uint32_t)(TYPE_MESSAGE | draw(fuzz, 8) | (data ? 0x40u : 0u)) << 24 |
			    (data ? words : 0);
		header[1] = (uint32_t)REQUESTER << 16 | (uint32_t)draw(fuzz, 256);
		words = data ? words : 0;
	}
	send(fuzz, header, words, false);
}

/* For another requester, of a tag that is never used, or one that does not fit its request. */
static void send_completion(struct fuzz *fuzz)
{
	unsigned int words = (unsigned int)draw(fuzz, 33), tag = (unsigned int)draw(fuzz, 256);
	enum tlp_status status = (enum tlp_status)draw(fuzz, 8);
	uint16_t requester = fuzz->function;
	uint32_t header[4];

	/* A failure is believed whatever else it says, so it must not name a live tag. */
	if (status != TLP_STATUS_SUCCESS && tag < DEVICE_TAGS)
		tag += DEVICE_TAGS;
	if (chance(fuzz, 30)) {
		requester = (uint16_t)(fuzz->function ^ (1u << draw(fuzz, 16)));
		status = TLP_STATUS_SUCCESS;
	}
	/* The device asks for whole words: an odd byte count is never right. */
	tlp_completion(header, 0, status, (unsigned int)draw(fuzz, 4096) | 1, requester,
		       (uint8_t)tag, (unsigned int)draw(fuzz, 128), words);
	send(fuzz, header, words, false);
}

/* A write or read that would hurt, or a completion that would be believed, spoiled. */
static void send_spoiled(struct fuzz *fuzz)
{
	static const unsigned int bars[] = { 0, 0, 2, 4 };
	unsigned int index = bars[draw(fuzz, 4)], words = 1 + (unsigned int)draw(fuzz, 8), sent;
	uint64_t address = bar(fuzz, index) + draw(fuzz, 4096 - 64) / 4 * 4;
	bool write = chance(fuzz, 80), link_error = false;
	uint32_t header[4];

	if (index == 0)
		address += draw(fuzz, RF_BAR0_BYTES / 4096) * 4096;
	else if (index == 2)
		address += draw(fuzz, fuzz->dev.local_bytes / 4096) * 4096;
	tlp_memory_request(header, write, REQUESTER, (uint8_t)draw(fuzz, 256), address, words, 0xf,
			   words == 1 ? 0 : 0xf);
	if (chance(fuzz, 15)) {
		words = 2;
		tlp_completion(header, 0, TLP_STATUS_SUCCESS, 8, fuzz->function,
			       (uint8_t)draw(fuzz, DEVICE_TAGS), 0, words);
		write = true;
	}
	sent = write ? words : 0;
	switch (draw(fuzz, 6)) {
	case 0:
		link_error = true;
		break;
	case 1: /* too much or too little data */
		do
			sent = (unsigned int)draw(fuzz, 80);
		while (sent == (write ? words : 0));
		break;
	case 2: /* longer than any payload may be, or over a page */
		sent = 65 + (unsigned int)draw(fuzz, 200);
		header[0] = (header[0] & ~0x3ffu) | sent;
		if (!write)
			link_error = true;
		break;
	case 3: /* no such type, or a prefix */
		if (chance(fuzz, 50))
			header[0] |= 0x80u << 24;
		else
			header[0] = (header[0] & ~(0x1fu << 24)) | 0x18u << 24 |
				    (uint32_t)draw(fuzz, 8) << 24;
		break;
	case 4: /* byte enables that do not go with the length */
		if (tlp_is_completion(header))
			link_error = true;
		else if (words == 1)
			header[1] |= (1 + (uint32_t)draw(fuzz, 15)) << 4;
		else
			header[1] &= chance(fuzz, 50) ? ~0xfu : ~0xf0u;
		break;
	default:
		if (write && !tlp_is_completion(header))
			header[0] |= TLP_DW0_POISONED;
		else
			link_error = true;
		break;
	}
	send(fuzz, header, sent, link_error);
}

void tlps_act(struct fuzz *fuzz)
{
	unsigned int kind = (unsigned int)draw(fuzz, 20);

	if (fuzz->waiting >= REQUESTS && kind < 8)
		kind += 8;
	if (!fuzz->function) /* until the device's number is known */
		kind = 19;
	if (kind < 4)
		send_read(fuzz);
	else if (kind < 7)
		send_unsupported(fuzz);
	else if (kind < 8)
		send_config_read(fuzz);
	else if (kind < 11)
		send_harmless_write(fuzz);
	else if (kind < 13)
		send_to_nowhere(fuzz);
	else if (kind < 15 && fuzz->function)
		send_completion(fuzz);
	else
		send_spoiled(fuzz);
}

void tlps_close(struct fuzz *fuzz)
{
	unsigned int looks;

	for (looks = 0; looks < 1000 && fuzz->waiting; looks++)
		rf_dev_run(&fuzz->dev, 64);
	RF_CHECK_EQUAL(&fuzz->conform, fuzz->waiting, 0, "requests without an answer");
	rfsim_tlp_callback(fuzz->conform.setup.world.sim, NULL, NULL);
}
