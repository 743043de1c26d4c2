/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets in the data stream of one lane: STP or SDP, bytes, END or EDB. PCI Express Base
 * Specification 4.2.1.2.
 */
#ifndef LINK_FRAMER_H
#define LINK_FRAMER_H

#include "dllp.h"
#include "ordered_set.h"
#include "symbol.h"

/* Sequence number, the longest TLP (4 DW of header, 4096 bytes, digest), LCRC. */
#define PACKET_BYTES (2 + 16 + 4096 + 4 + 4)
#define PACKET_SYMBOLS (PACKET_BYTES + 2)

enum packet_kind {
	PACKET_TLP,
	PACKET_NULLIFIED_TLP, /* ended by EDB */
	PACKET_DLLP,
};

/* Its symbols, unscrambled, @count + 2; @count <= PACKET_BYTES. */
unsigned int framer_make(enum packet_kind kind, const uint8_t *bytes, unsigned int count,
			 struct plain_symbol *symbols);

enum deframer_event {
	DEFRAMER_NOTHING,
	DEFRAMER_TLP,
	DEFRAMER_NULLIFIED_TLP,
	DEFRAMER_DLLP,
	DEFRAMER_LOST_TLP, /* an error, while one was received */
	DEFRAMER_ERROR, /* an error elsewhere */
};

/**
 * struct deframer - finds packets in descrambled symbols outside of ordered sets.
 * @state: in what
 * @bytes, @count: of the packet, also after it is complete
 */
struct deframer {
	enum { DEFRAMER_IDLE, DEFRAMER_IN_TLP, DEFRAMER_IN_DLLP } state;
	uint8_t bytes[PACKET_BYTES];
	unsigned int count;
};

/* The next symbol. A DLLP of another length than DLLP_BYTES is an error. */
enum deframer_event deframer_receive(struct deframer *deframer, const struct lane_symbol *symbol);

/* An ordered set begins, or the link goes down: what was begun ends. */
enum deframer_event deframer_abort(struct deframer *deframer);

#endif
