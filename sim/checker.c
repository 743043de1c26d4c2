// SPDX-License-Identifier: Apache-2.0
/*
 * The rules for what a device sends. They are those of the PCI Express base
 * specification (chapter 2) for an endpoint, narrowed to what this project
 * promises at its TLP seam. A violation is counted, the first one is the
 * verdict of the run.
 *
 * What cannot be seen from outside is not judged here: which completion belongs
 * after which write, and when a read was issued. READ_ORDER judges the one case
 * that leaves no doubt, see there.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/*
 * Boundary at which a completer that is not a root complex may split completions (2.3.1.1); the
 * read completion boundary in Link Control applies to the *root port*.
 */
#define ENDPOINT_BOUNDARY 128

/* Cycles from a read's admission to its appearance, and ample reserve. */
#define ADMISSION_CYCLES 32

void violation(struct rfsim_device *device, enum rfsim_rule rule, const uint32_t *header,
	       const char *format, ...)
{
	struct rfsim_world *world = device->world;
	char text[160];
	va_list arguments;

	if (world->violations[rule]++ || world->verdict[0])
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	snprintf(world->verdict, sizeof(world->verdict),
		 "device %u, cycle %llu: %s: %s (header %08x %08x %08x %08x)", device->index,
		 (unsigned long long)world->cycle, rfsim_rule_name(rule), text, header[0],
		 header[1], header[2], header[3]);
}

/* --- beats ---------------------------------------------------------------- */

static bool header_equal(const uint32_t *a, const uint32_t *b)
{
	return !memcmp(a, b, TLP_HEADER_WORDS * sizeof(*a));
}

/* STABLE: what is valid stays, unchanged, until it is taken. */
void checker_stable(struct rfsim_device *device)
{
	const struct device_beat *now = &device->outputs.posted;
	const struct device_beat *before = &device->previous.posted;

	if (device->posted_stalled &&
	    !(now->valid && now->data == before->data && now->strb == before->strb &&
	      now->sop == before->sop && now->eop == before->eop &&
	      header_equal(now->header, before->header)))
		violation(device, RFSIM_RULE_STABLE, before->header,
			  "posted stream changed while it was not ready");
	if (device->read_stalled &&
	    !(device->outputs.read_valid &&
	      header_equal(device->outputs.read_header, device->previous.read_header)))
		violation(device, RFSIM_RULE_STABLE, device->previous.read_header,
			  "read stream changed while it was not ready");
}

/*
 * FRAMING: sop on the first beat and only there, one header on all of them.
 * STROBE: a packet without payload is one beat without strobes; with payload
 * every beat is full, but the last may be half.
 */
void checker_beat(struct rfsim_device *device, const struct device_beat *beat)
{
	struct incoming *in = &device->in;

	if (beat->sop == in->started) {
		violation(device, RFSIM_RULE_FRAMING, beat->header, "%s",
			  beat->sop ? "sop within a packet" : "first beat without sop");
		in->bad = true;
	}
	if (in->started && !header_equal(beat->header, in->header)) {
		violation(device, RFSIM_RULE_FRAMING, beat->header,
			  "header changed within a packet");
		in->bad = true;
	}
	if (tlp_has_data(beat->header) ? beat->strb != 3 && !(beat->eop && beat->strb == 1)
				       : beat->strb != 0) {
		violation(device, RFSIM_RULE_STROBE, beat->header, "strobe %u%s", beat->strb,
			  beat->eop ? " on the last beat" : "");
		in->bad = true;
	}
}

/*
 * MAX_PAYLOAD, MAX_READ: work that began under a larger size may continue with it, which cannot be
 * observed on the link; so a smaller size is checked only after the device was idle. So is whether
 * errors are reported.
 */
void checker_sizes(struct rfsim_device *device)
{
	if (device->quiet || device->payload_since_idle < device->max_payload)
		device->payload_since_idle = device->max_payload;
	if (device->quiet || device->read_since_idle < device->max_read)
		device->read_since_idle = device->max_read;
	device->errors_since_idle =
		device->errors | (device->quiet ? 0 : device->errors_since_idle);
}

/* --- headers -------------------------------------------------------------- */

/* RESERVED: of every packet. */
static void check_first_word(struct rfsim_device *device, const uint32_t *header)
{
	uint32_t first = header[0];

	if (first & (TLP_DW0_RESERVED | TLP_DW0_HINT | TLP_DW0_DIGEST | TLP_DW0_ADDRESS_TYPE))
		violation(device, RFSIM_RULE_RESERVED, header,
			  "reserved, hint, digest or address-type bits");
	if (!tlp_is_4dw(header) && header[3])
		violation(device, RFSIM_RULE_RESERVED, header, "fourth word of a 3-DW header");
}

/* BYTE_ENABLES, section 2.2.5; false if they are not valid. */
static bool check_enables(struct rfsim_device *device, const uint32_t *header)
{
	unsigned int first = tlp_first_enables(header), last = tlp_last_enables(header);
	unsigned int length = tlp_length(header);
	bool aligned_pair = length == 2 && tlp_address(header) % 8 == 0;
	const char *wrong = NULL;

	if (length == 1) {
		if (last)
			wrong = "last enables of a single word";
	} else if (!first || !last) {
		wrong = "no bytes in the first or last word";
	} else if (!aligned_pair && ((first | (first - 1)) != 0xf || (last & (last + 1)))) {
		wrong = "gap in the enabled bytes";
	}
	if (!wrong)
		return true;
	violation(device, RFSIM_RULE_BYTE_ENABLES, header, "%s", wrong);
	return false;
}

/*
 * The rules that memory reads and writes share; false if it cannot be done.
 * @bus_master: whether bus mastering was on when it showed up. What the link then
 * kept waiting is not taken back.
 */
static bool check_request(struct rfsim_device *device, const uint32_t *header, bool bus_master)
{
	uint64_t address = tlp_address(header);
	unsigned int bytes = 4 * tlp_length(header);
	uint16_t requester = tlp_requester(header);
	uint32_t low = tlp_is_4dw(header) ? header[3] : header[2];
	bool good = true;

	check_first_word(device, header);
	if (header[0] & TLP_DW0_TRAFFIC_CLASS)
		violation(device, RFSIM_RULE_TRAFFIC_CLASS, header, "traffic class not 0");
	if (low & 3)
		violation(device, RFSIM_RULE_RESERVED, header, "address bits 1:0");
	if (header[0] & (TLP_DW0_RELAXED | TLP_DW0_NO_SNOOP | TLP_DW0_ID_ORDER))
		violation(device, RFSIM_RULE_ATTRIBUTES, header, "attributes of a request not 0");
	if (tlp_is_4dw(header) != (address >> 32 != 0))
		violation(device, RFSIM_RULE_ADDRESS_FORMAT, header,
			  "%u-bit format of address 0x%llx", tlp_is_4dw(header) ? 64 : 32,
			  (unsigned long long)address);
	if (address / 4096 != (address + bytes - 1) / 4096) {
		violation(device, RFSIM_RULE_PAGE_CROSSING, header,
			  "%u bytes at 0x%llx cross 4 KiB", bytes, (unsigned long long)address);
		good = false;
	}
	if (!check_enables(device, header))
		good = false;
	if (requester != device->id || !device->id_possible)
		violation(device, RFSIM_RULE_REQUESTER, header, "requester 0x%04x, assigned 0x%04x",
			  requester, device->id);
	if (!bus_master) {
		violation(device, RFSIM_RULE_BUS_MASTER, header,
			  "request while bus mastering is off");
		good = false;
	}
	return good;
}

/* MSI_FORMAT: one whole aligned word. */
static void check_msi(struct rfsim_device *device, const uint32_t *header)
{
	if (tlp_address(header) - RFSIM_MSI_BASE < RFSIM_MSI_BYTES &&
	    (tlp_length(header) != 1 || tlp_first_enables(header) != 0xf))
		violation(device, RFSIM_RULE_MSI_FORMAT, header, "MSI of %u words, enables 0x%x",
			  tlp_length(header), tlp_first_enables(header));
}

/* ERROR_MESSAGE: the message is enabled (6.2.6). False if it reports no error. */
static bool check_error(struct rfsim_device *device, const uint32_t *header)
{
	unsigned int enabled = device->errors | device->errors_since_idle;
	uint8_t code = tlp_message_code(header);
	unsigned int wanted;

	if (tlp_type(header) != TLP_MSG_ROOT ||
	    (code != TLP_ERR_COR && code != TLP_ERR_NONFATAL && code != TLP_ERR_FATAL))
		return false;
	wanted = code == TLP_ERR_COR ? 1 : (code == TLP_ERR_NONFATAL ? 2 : 4) | ERRORS_SERR;
	if (!(enabled & wanted))
		violation(device, RFSIM_RULE_ERROR_MESSAGE, header, "message 0x%02x is not enabled",
			  code);
	return true;
}

/* PME_TO_Ack, once for each PME_Turn_Off (5.3.3.2.1) */
static bool check_turned_off(struct rfsim_device *device, const uint32_t *header)
{
	bool right = device->turned_off && tlp_type(header) == TLP_MSG_GATHERED &&
		     tlp_message_code(header) == TLP_PME_TO_ACK;

	device->turned_off &= !right;
	return right;
}

/*
 * Of a message's header what the specification leaves open is 0. False if it is no message that an
 * endpoint like this one sends.
 */
static bool check_message(struct rfsim_device *device, const uint32_t *header)
{
	if (!check_error(device, header) && !check_turned_off(device, header)) {
		violation(device, RFSIM_RULE_TYPE, header, "message 0x%02x, type 0x%02x",
			  tlp_message_code(header), tlp_type(header));
		return false;
	}
	check_first_word(device, header);
	if (header[0] & (TLP_DW0_POISONED | 0x3ff) || tlp_tag(header) || header[2] || header[3])
		violation(device, RFSIM_RULE_RESERVED, header, "reserved bits of a message");
	if (header[0] & TLP_DW0_TRAFFIC_CLASS)
		violation(device, RFSIM_RULE_TRAFFIC_CLASS, header, "traffic class not 0");
	if (header[0] & (TLP_DW0_RELAXED | TLP_DW0_NO_SNOOP | TLP_DW0_ID_ORDER))
		violation(device, RFSIM_RULE_ATTRIBUTES, header, "attributes of a message not 0");
	if (tlp_requester(header) != device->id || !device->id_possible)
		violation(device, RFSIM_RULE_REQUESTER, header, "requester 0x%04x, assigned 0x%04x",
			  tlp_requester(header), device->id);
	return true;
}

/* TYPE, LENGTH, MAX_PAYLOAD, and of completions COMPLETER. */
bool checker_posted(struct rfsim_device *device, const uint32_t *header, unsigned int words,
		    bool bad)
{
	unsigned int limit;

	if (!tlp_is_memory_write(header) && !tlp_is_completion(header) && !tlp_is_message(header)) {
		violation(device, RFSIM_RULE_TYPE, header, "type 0x%02x on the posted stream",
			  tlp_type(header));
		return false;
	}
	if (words != tlp_payload_words(header)) {
		violation(device, RFSIM_RULE_LENGTH, header, "%u words sent, header says %u", words,
			  tlp_payload_words(header));
		return false;
	}
	if (tlp_is_message(header))
		return check_message(device, header) && !bad;
	/* A completion is cut when it is formed. */
	limit = tlp_is_completion(header) ? device->max_payload : device->payload_since_idle;
	if (4 * words > limit)
		violation(device, RFSIM_RULE_MAX_PAYLOAD, header, "%u bytes, max payload is %u",
			  4 * words, limit);
	if (tlp_is_memory_write(header)) {
		if (header[0] & TLP_DW0_POISONED)
			violation(device, RFSIM_RULE_RESERVED, header, "poisoned write");
		check_msi(device, header);
		return check_request(device, header, device->bus_master) && !bad;
	}

	check_first_word(device, header);
	if (header[1] >> 12 & 1 || header[2] >> 7 & 1)
		violation(device, RFSIM_RULE_RESERVED, header, "reserved bits of a completion");
	if (device->id_given ? tlp_completer(header) != device->id
			     : tlp_completer(header) && tlp_completer(header) != device->id)
		violation(device, RFSIM_RULE_COMPLETER, header, "completer 0x%04x, assigned 0x%04x",
			  tlp_completer(header), device->id);
	return !bad;
}

/* TYPE, MAX_READ, TAG_RANGE, TAG_IN_FLIGHT. */
bool checker_read(struct rfsim_device *device, const uint32_t *header)
{
	unsigned int tags = device->extended_tags ? 256 : 32;
	bool good;

	if (!tlp_is_memory_read(header)) {
		violation(device, RFSIM_RULE_TYPE, header, "type 0x%02x on the read stream",
			  tlp_type(header));
		return false;
	}
	good = check_request(device, header, device->read_bus_master);
	if (header[0] & TLP_DW0_POISONED)
		violation(device, RFSIM_RULE_RESERVED, header, "poisoned read");
	if (4 * tlp_length(header) > device->read_since_idle)
		violation(device, RFSIM_RULE_MAX_READ, header, "%u bytes, max read is %u",
			  4 * tlp_length(header), device->read_since_idle);
	if (tlp_tag(header) >= tags)
		violation(device, RFSIM_RULE_TAG_RANGE, header, "tag %u of %u", tlp_tag(header),
			  tags);
	if (device->reads[tlp_tag(header)].busy) {
		violation(device, RFSIM_RULE_TAG_IN_FLIGHT, header, "tag %u is still in flight",
			  tlp_tag(header));
		good = false;
	}
	return good;
}

/*
 * READ_ORDER: a read is admitted only after every posted write that was issued
 * before it was accepted whole. When a read was issued cannot be seen; but one that
 * shows up out of a silent read stream while a write, from its first beat to its
 * last, has been on its way for far longer than admission takes, and that no freed
 * tag explains, was issued later than the write and admitted before its end.
 */
void checker_read_order(struct rfsim_device *device, const uint32_t *header)
{
	uint64_t cycle = device->world->cycle;
	const uint32_t *posted =
		device->in.started ? device->in.header : device->outputs.posted.header;

	if (!device->in.active || !tlp_is_memory_write(posted))
		return;
	if (cycle - device->in.valid_since < ADMISSION_CYCLES ||
	    cycle - device->read_last_valid < ADMISSION_CYCLES ||
	    cycle - device->completion_last_cycle < ADMISSION_CYCLES)
		return;
	violation(device, RFSIM_RULE_READ_ORDER, header,
		  "read admitted within a write that began %llu cycles ago",
		  (unsigned long long)(cycle - device->in.valid_since));
}

/* --- completions ---------------------------------------------------------- */

#define ATTRIBUTES (TLP_DW0_RELAXED | TLP_DW0_NO_SNOOP | TLP_DW0_ID_ORDER)

/* TRAFFIC_CLASS, ATTRIBUTES: a completion has those of its request (2.2.9). */
static void check_same_class(struct rfsim_device *device, const uint32_t *header, uint32_t request)
{
	if ((header[0] ^ request) & TLP_DW0_TRAFFIC_CLASS)
		violation(device, RFSIM_RULE_TRAFFIC_CLASS, header,
			  "traffic class differs from that of the request");
	if ((header[0] ^ request) & ATTRIBUTES)
		violation(device, RFSIM_RULE_ATTRIBUTES, header,
			  "attributes differ from those of the request");
}

void checker_sent(struct rfsim_device *device, const uint32_t *header)
{
	device->turned_off |= tlp_type(header) == TLP_MSG_BROADCAST &&
			      tlp_message_code(header) == TLP_PME_TURN_OFF;
	if (tlp_is_memory_write(header) || tlp_is_completion(header) || tlp_is_message(header))
		return;
	device->sent[device->sent_count++ % SENT_REQUESTS] = (struct sent_request){
		.requester = tlp_requester(header),
		.tag = tlp_tag(header),
		.first = header[0],
	};
}

/*
 * Tests may send several with the same tag: it is enough that one fits. What is not remembered
 * is not judged.
 */
bool checker_observed(struct rfsim_device *device, const uint32_t *header)
{
	const struct sent_request *found = NULL;
	unsigned int i;

	for (i = 0; i < SENT_REQUESTS && i < device->sent_count; i++) {
		const struct sent_request *sent = &device->sent[i];

		if (sent->requester != tlp_requester(header) || sent->tag != tlp_tag(header))
			continue;
		if (!((sent->first ^ header[0]) & (TLP_DW0_TRAFFIC_CLASS | ATTRIBUTES)))
			return true;
		found = sent;
	}
	if (found)
		check_same_class(device, header, found->first);
	return found;
}

/* Of a successful completion of a memory read; false if data would not fit. */
static bool check_data(struct rfsim_device *device, const struct host_request *request,
		       const uint32_t *header, unsigned int words)
{
	unsigned int skip = request->next_byte & 3;
	unsigned int needed = (skip + request->remaining + 3) / 4;

	if (!device->memory_space && !request->memory_allowed)
		violation(device, RFSIM_RULE_MEMORY_SPACE, header,
			  "success while memory space is off");
	if (!words || words > needed) {
		violation(device, RFSIM_RULE_COMPLETION_LENGTH, header, "%u words, %u are due",
			  words, needed);
		return false;
	}
	if (words < needed && (request->next_byte / 4 + words) * 4 % ENDPOINT_BOUNDARY)
		violation(device, RFSIM_RULE_COMPLETION_BOUNDARY, header,
			  "cut at 0x%llx, not on %u bytes",
			  (unsigned long long)(request->next_byte / 4 + words) * 4,
			  ENDPOINT_BOUNDARY);
	return true;
}

bool checker_expected(struct rfsim_device *device, const struct host_request *request,
		      const uint32_t *header)
{
	if (request && request->busy && request->sent && !request->done)
		return true;
	if (checker_observed(device, header))
		return false;
	violation(device, RFSIM_RULE_UNEXPECTED_COMPLETION, header, "tag %u has no request",
		  tlp_tag(header));
	return false;
}

bool checker_completion(struct rfsim_device *device, const struct host_request *request,
			const uint32_t *header, unsigned int words)
{
	enum tlp_status status = tlp_completion_status(header);
	bool memory = tlp_is_memory_read(request->header);
	bool config_read = tlp_type(request->header) == TLP_CFGRD0;

	check_same_class(device, header, request->header[0]);
	if ((status != TLP_STATUS_SUCCESS && status != TLP_STATUS_UNSUPPORTED &&
	     status != TLP_STATUS_ABORT && status != TLP_STATUS_RETRY) ||
	    (status == TLP_STATUS_RETRY && memory)) {
		violation(device, RFSIM_RULE_COMPLETION_STATUS, header, "status %u",
			  (unsigned int)status);
		return false;
	}
	/* BYTE_COUNT, LOWER_ADDRESS, section 2.2.9. */
	if (tlp_byte_count(header) != request->remaining)
		violation(device, RFSIM_RULE_BYTE_COUNT, header, "byte count %u, due are %u",
			  tlp_byte_count(header), request->remaining);
	if (tlp_lower_address(header) != (request->next_byte & 0x7f))
		violation(device, RFSIM_RULE_LOWER_ADDRESS, header,
			  "lower address 0x%x, due is 0x%x", tlp_lower_address(header),
			  (unsigned int)(request->next_byte & 0x7f));

	if (status != TLP_STATUS_SUCCESS) {
		if (words)
			violation(device, RFSIM_RULE_COMPLETION_LENGTH, header,
				  "data with status %u", (unsigned int)status);
		return true;
	}
	if (memory)
		return check_data(device, request, header, words);
	if (words != (config_read ? 1u : 0u)) {
		violation(device, RFSIM_RULE_COMPLETION_LENGTH, header,
			  "%u words for a configuration %s", words, config_read ? "read" : "write");
		return false;
	}
	return true;
}
