/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ordered sets: made and recognised. PCI Express Base Specification 4.2.5 (training sequences,
 * EIOS, FTS) and 4.2.8.1 (SKP), for 2.5 GT/s.
 */
#ifndef LINK_ORDERED_SET_H
#define LINK_ORDERED_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol.h"

#define TRAINING_SET_SYMBOLS 16
#define LINK_NUMBER_PAD (-1)

/* Training control, symbol 5. */
enum training_control {
	TRAINING_HOT_RESET = 0x01,
	TRAINING_DISABLE = 0x02,
	TRAINING_LOOPBACK = 0x04,
	TRAINING_NO_SCRAMBLING = 0x08,
	TRAINING_COMPLIANCE = 0x10,
};

#define TRAINING_RATE_2_5 0x02 /* data rate identifier, symbol 4: 2.5 GT/s alone */

enum ordered_set_kind {
	ORDERED_SET_TS1,
	ORDERED_SET_TS2,
	ORDERED_SET_SKP,
	ORDERED_SET_EIOS,
	ORDERED_SET_FTS,
};

/**
 * struct ordered_set - one set.
 * @link, @lane: 0..255, or LINK_NUMBER_PAD; these and the rest of TS1 and TS2 only
 * @fts: N_FTS, 0..255
 * @rate: data rate identifier
 * @control: enum training_control
 * @inverted: it came with the lane's wires swapped (4.2.5.5); never sent
 */
struct ordered_set {
	enum ordered_set_kind kind;
	int link, lane;
	uint8_t fts, rate, control;
	bool inverted;
};

struct plain_symbol {
	uint8_t value;
	bool k;
};

/*
 * Its symbols, unscrambled, TRAINING_SET_SYMBOLS at most; returns their number.
 * @skips: SKPs of a SKP set, 1..5; a transmitter sends 3
 */
unsigned int ordered_set_make(const struct ordered_set *set, unsigned int skips,
			      struct plain_symbol *symbols);

enum ordered_set_progress {
	ORDERED_SET_OUTSIDE, /* the symbol is in no set */
	ORDERED_SET_INSIDE,
	ORDERED_SET_COMPLETE, /* it is in one, which is known now */
	ORDERED_SET_BROKEN, /* it ends one that is none; it counts as outside */
};

/**
 * struct ordered_set_receiver - recognises sets in received symbols, before descrambling.
 * @count: symbols of the present set, 0 outside
 * @symbols: these
 * @idles: IDLs in it
 */
struct ordered_set_receiver {
	unsigned int count;
	struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
	unsigned int idles;
};

/*
 * The next symbol, not in electrical idle. @set: written if COMPLETE. A SKP set is complete with
 * its first SKP and takes up to six, one more than a lane may carry: symbols come from an elastic
 * buffer. An EIOS is complete with the second IDL of three (4.2.5.3).
 */
enum ordered_set_progress ordered_set_receive(struct ordered_set_receiver *receiver,
					      const struct lane_symbol *symbol,
					      struct ordered_set *set);

#endif
