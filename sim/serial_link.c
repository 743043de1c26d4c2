// SPDX-License-Identifier: Apache-2.0
/*
 * The serial link layer: frames (RFC 1662), sequence numbers, Ack, Nak, replay.
 */
#include <string.h>

#include "serial_link.h"

#define FLAG 0x7e
#define ESCAPE 0x7d
#define ESCAPE_BIT 0x20

/* Byte 0 of a frame; then link number, acknowledged number, sequence number. */
#define FRAME_TLP 0x01
#define FRAME_NAK 0x02
#define FRAME_RESET 0x04
#define FRAME_TICK 0x08
#define FRAME_IDLE 0x80
#define FRAME_HEADER 4
#define FRAME_CRC 4

/* Ticks of the board after which TLPs are sent again. */
#define REPLAY_TICKS 4

/* The CRC of Ethernet and of PCIe's LCRC. */
static uint32_t crc32(const uint8_t *bytes, size_t count)
{
	uint32_t crc = ~0u;
	size_t i;
	int bit;

	for (i = 0; i < count; i++) {
		crc ^= bytes[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static size_t put_words(uint8_t *to, const uint32_t *words, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < 4 * count; i++)
		to[i] = words[i / 4] >> 8 * (i % 4);
	return 4 * count;
}

static void get_words(const uint8_t *from, uint32_t *words, unsigned int count)
{
	unsigned int i;

	memset(words, 0, 4 * count);
	for (i = 0; i < 4 * count; i++)
		words[i / 4] |= (uint32_t)from[i] << 8 * (i % 4);
}

void serial_link_reset(struct serial_link *link, uint8_t number)
{
	memset(link, 0, sizeof(*link));
	link->number = number;
	link->reset_due = true;
}

/* --- from the board --------------------------------------------------------- */

static void acknowledged(struct serial_link *link, uint8_t number)
{
	uint8_t distance = number - link->acked;

	if (!distance || distance > (uint8_t)(link->tail - link->acked))
		return;
	if ((uint8_t)(link->next - link->acked) < distance)
		link->next = number;
	link->acked = number;
	link->ticks = 0;
}

static void replay(struct serial_link *link)
{
	if (link->next != link->acked)
		link->replays++;
	link->next = link->acked;
	link->ticks = 0;
}

static void lost(struct serial_link *link)
{
	link->nak_due |= !link->nak_told;
	link->nak_told = true;
}

static void tlp_came(struct serial_link *link, uint8_t sequence, const uint8_t *body, size_t bytes)
{
	struct serial_tlp *tlp = &link->received[sequence % SERIAL_WINDOW];
	uint8_t ahead = sequence - link->expected;

	if (ahead >= 128) {
		link->ack_due = true; /* a duplicate */
		return;
	}
	if (ahead) {
		lost(link);
		return;
	}
	if (bytes < 4 * TLP_HEADER_WORDS || bytes % 4 ||
	    (uint8_t)(link->expected - link->consumed) == SERIAL_WINDOW)
		return;
	tlp->words = bytes / 4 - TLP_HEADER_WORDS;
	get_words(body, tlp->header, TLP_HEADER_WORDS);
	get_words(body + 4 * TLP_HEADER_WORDS, tlp->payload, tlp->words);
	link->expected++;
}

static void frame_came(struct serial_link *link)
{
	const uint8_t *frame = link->frame;
	size_t content = link->bytes - FRAME_CRC;
	uint32_t crc;

	if (link->bytes < FRAME_HEADER + FRAME_CRC || link->bytes > sizeof(link->frame) ||
	    link->escaped) {
		link->bad++;
		lost(link);
		return;
	}
	get_words(frame + content, &crc, 1);
	if (crc != crc32(frame, content)) {
		link->bad++;
		lost(link);
		return;
	}
	if (frame[1] != link->number) {
		link->foreign |= link->answered;
		return;
	}
	link->answered = true;
	link->reset_due = false;
	link->nak_told = false;
	link->idle = frame[0] & FRAME_IDLE;
	acknowledged(link, frame[2]);
	if (frame[0] & FRAME_NAK) {
		link->naks++;
		replay(link);
	}
	if (frame[0] & FRAME_TICK && link->next != link->acked && ++link->ticks == REPLAY_TICKS)
		replay(link);
	if (frame[0] & FRAME_TLP)
		tlp_came(link, frame[3], frame + FRAME_HEADER, content - FRAME_HEADER);
}

void serial_link_hear(struct serial_link *link, const uint8_t *line, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++) {
		uint8_t byte = line[i];

		if (byte == FLAG) {
			if (link->bytes || link->escaped)
				frame_came(link);
			link->bytes = 0;
			link->escaped = false;
			continue;
		}
		if (byte == ESCAPE && !link->escaped) {
			link->escaped = true;
			continue;
		}
		if (link->bytes < sizeof(link->frame))
			link->frame[link->bytes] = link->escaped ? byte ^ ESCAPE_BIT : byte;
		if (link->bytes <= sizeof(link->frame))
			link->bytes++;
		link->escaped = false;
	}
}

/* --- to the board ------------------------------------------------------------- */

static size_t to_line(uint8_t *line, const uint8_t *frame, size_t bytes)
{
	size_t at = 0, i;

	line[at++] = FLAG;
	for (i = 0; i < bytes; i++) {
		if (frame[i] == FLAG || frame[i] == ESCAPE) {
			line[at++] = ESCAPE;
			line[at++] = frame[i] ^ ESCAPE_BIT;
		} else {
			line[at++] = frame[i];
		}
	}
	line[at++] = FLAG;
	return at;
}

size_t serial_link_say(struct serial_link *link, uint8_t *line)
{
	uint8_t frame[SERIAL_FRAME_BYTES] = { 0 };
	size_t bytes = FRAME_HEADER;
	uint32_t crc;

	frame[1] = link->number;
	if (link->reset_due) {
		frame[0] = FRAME_RESET;
		link->reset_due = false;
	} else if (link->answered && (link->next != link->tail || link->ack_due || link->nak_due)) {
		frame[0] = link->nak_due ? FRAME_NAK : 0;
		frame[2] = link->consumed;
		frame[3] = link->next;
		if (link->next != link->tail) {
			const struct serial_tlp *tlp = &link->kept[link->next % SERIAL_WINDOW];

			frame[0] |= FRAME_TLP;
			bytes += put_words(frame + bytes, tlp->header, TLP_HEADER_WORDS);
			bytes += put_words(frame + bytes, tlp->payload, tlp->words);
			link->next++;
		}
		link->ack_due = false;
		link->nak_due = false;
	} else {
		return 0;
	}
	crc = crc32(frame, bytes);
	bytes += put_words(frame + bytes, &crc, 1);
	return to_line(line, frame, bytes);
}

/* --- TLPs ------------------------------------------------------------------------ */

bool serial_link_ready(const struct serial_link *link)
{
	return (uint8_t)(link->tail - link->acked) < SERIAL_WINDOW;
}

void serial_link_send(struct serial_link *link, const struct serial_tlp *tlp)
{
	link->kept[link->tail++ % SERIAL_WINDOW] = *tlp;
}

const struct serial_tlp *serial_link_received(const struct serial_link *link)
{
	return link->expected == link->consumed ? NULL
						: &link->received[link->consumed % SERIAL_WINDOW];
}

void serial_link_release(struct serial_link *link)
{
	link->consumed++;
	link->ack_due = true;
}

bool serial_link_empty(const struct serial_link *link)
{
	return link->tail == link->acked && link->expected == link->consumed;
}
