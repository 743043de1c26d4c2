/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of the serial link layer: TLPs over a line that may lose, corrupt and insert bytes;
 * each TLP arrives once and in order. Format and rules are in docs/serial-line.md, the board's end
 * is rtl/serial/. Uses neither files nor clocks: its replay timer counts the ticks that the board
 * sends.
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
 * @foreign: the board answered, and later had another number: it has been reset
 * @idle: the device is idle, as last reported by the board
 * @reset_due: a frame that resets the link shall be sent
 * @ack_due: an Ack shall be sent
 * @nak_due: a Nak shall be sent
 * @nak_told: a Nak was sent, and no good frame has come since
 * @kept: replay buffer; TLP n is at n % SERIAL_WINDOW
 * @acked: the oldest TLP in it
 * @next: the one to be sent next
 * @tail: the one to be stored next
 * @ticks: since the last Ack that counted
 * @received: receive buffer
 * @expected: number of the next TLP
 * @consumed: the oldest TLP in it
 * @frame: received bytes of the present frame
 * @bytes: of @frame; more than it holds: none is that long
 * @escaped: the byte before was an escape
 * @naks: Naks of the board
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
