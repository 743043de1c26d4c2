/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of the serial link layer: TLPs over a line of bytes that may lose,
 * break and invent some; each arrives once and in order. Format and rules are in
 * docs/serial-line.md, the board's end is rtl/serial/. Knows no file and no time: its replay
 * timer counts the ticks that the board sends.
 */
#ifndef RFSIM_SERIAL_LINK_H
#define RFSIM_SERIAL_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tlp.h"

#define SERIAL_WINDOW 8 /* TLPs that are not acknowledged */
#define SERIAL_PAYLOAD_WORDS 64
/* Header, TLP and CRC. */
#define SERIAL_FRAME_BYTES (4 + 4 * (TLP_HEADER_WORDS + SERIAL_PAYLOAD_WORDS) + 4)
/* The same on the line: every byte escaped, and two flags. */
#define SERIAL_LINE_BYTES (2 * SERIAL_FRAME_BYTES + 2)

struct serial_tlp {
	uint32_t header[TLP_HEADER_WORDS];
	uint32_t payload[SERIAL_PAYLOAD_WORDS];
	unsigned int words;
};

/**
 * struct serial_link - one end.
 * @number: of the link, in every frame
 * @answered: the board has that number
 * @foreign: it answered, and later had another: it has been reset
 * @idle: what the board last said of its device
 * @reset_due: a frame that resets the link shall be sent
 * @ack_due: a frame shall tell what was taken
 * @nak_due: ... and that something was lost
 * @nak_told: ... which was told, and no good frame has come since
 * @kept: replay buffer; TLP n is at n % SERIAL_WINDOW
 * @acked: the oldest TLP in it
 * @next: the one to be sent next
 * @tail: the one to be stored next
 * @ticks: since the last Ack that counted
 * @received: receive buffer
 * @expected: number of the next TLP
 * @consumed: the oldest TLP in it
 * @frame: what has come of a frame
 * @bytes: of @frame; more than it holds: none is that long
 * @escaped: the byte before was an escape
 * @naks: frames of the board that said so
 * @bad: frames with a wrong CRC or length
 * @replays: times that TLPs were sent again
 */
struct serial_link {
	uint8_t number;
	bool answered, foreign, idle;
	bool reset_due, ack_due, nak_due, nak_told;

	struct serial_tlp kept[SERIAL_WINDOW];
	uint8_t acked, next, tail;
	unsigned int ticks;

	struct serial_tlp received[SERIAL_WINDOW];
	uint8_t expected, consumed;

	uint8_t frame[SERIAL_FRAME_BYTES];
	size_t bytes;
	bool escaped;

	uint64_t naks, bad, replays;
};

/* Begin to reset the link to this number; done once @answered. */
void serial_link_reset(struct serial_link *link, uint8_t number);

/* Bytes came. */
void serial_link_hear(struct serial_link *link, const uint8_t *line, size_t bytes);

/* The next frame for the line, SERIAL_LINE_BYTES at most; 0: nothing is due. */
size_t serial_link_say(struct serial_link *link, uint8_t *line);

/* Room for one more TLP to be sent. */
bool serial_link_ready(const struct serial_link *link);
void serial_link_send(struct serial_link *link, const struct serial_tlp *tlp);

/* The oldest TLP that came, or NULL; it is acknowledged by being released. */
const struct serial_tlp *serial_link_received(const struct serial_link *link);
void serial_link_release(struct serial_link *link);

/* Everything that was sent is acknowledged, and everything that came released. */
bool serial_link_empty(const struct serial_link *link);

#endif
