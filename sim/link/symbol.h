/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of a lane at 2.5 GT/s: names of the special ones, and what a lane carries in one symbol
 * time. PCI Express Base Specification 4.2.1.1.2, table "Special Symbols".
 *
 * A symbol time is 4 ns. It is the unit of every time in sim/link/.
 */
#ifndef LINK_SYMBOL_H
#define LINK_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

/* Value of Kx.y: y in bits 7:5, x in bits 4:0. */
#define LINK_SYMBOL(x, y) ((y) << 5 | (x))

enum link_special {
	LINK_SKP = LINK_SYMBOL(28, 0),
	LINK_FTS = LINK_SYMBOL(28, 1),
	LINK_SDP = LINK_SYMBOL(28, 2),
	LINK_IDL = LINK_SYMBOL(28, 3),
	LINK_COM = LINK_SYMBOL(28, 5),
	LINK_EIE = LINK_SYMBOL(28, 7),
	LINK_PAD = LINK_SYMBOL(23, 7),
	LINK_STP = LINK_SYMBOL(27, 7),
	LINK_END = LINK_SYMBOL(29, 7),
	LINK_EDB = LINK_SYMBOL(30, 7),
};

/**
 * struct lane_symbol - a lane in one symbol time, at both levels.
 * @bits: the 8b/10b code, bit 0 ("a") first on the lane
 * @value: decoded
 * @k: a special symbol
 * @idle: electrical idle; nothing else is valid
 * @code_error: @bits are in neither column of the code; @value is undefined
 * @disparity_error: @bits are in the column of the other running disparity
 */
struct lane_symbol {
	uint16_t bits;
	uint8_t value;
	bool k;
	bool idle;
	bool code_error;
	bool disparity_error;
};

static inline bool lane_symbol_bad(const struct lane_symbol *symbol)
{
	return symbol->code_error || symbol->disparity_error;
}

/* One of the special symbols, without an error? */
static inline bool lane_symbol_is(const struct lane_symbol *symbol, enum link_special special)
{
	return !symbol->idle && !lane_symbol_bad(symbol) && symbol->k && symbol->value == special;
}

#endif
