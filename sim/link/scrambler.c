// SPDX-License-Identifier: Apache-2.0
/* The scrambler, bit by bit as the specification draws it. */
#include "scrambler.h"
#include "symbol.h"

#define SEED 0xffff
#define TAPS 0x0039 /* x^5, x^4, x^3, 1 */

void scrambler_reset(struct scrambler *scrambler)
{
	scrambler->lfsr = SEED;
	scrambler->off = false;
}

uint8_t scrambler_symbol(struct scrambler *scrambler, uint8_t value, bool k, bool plain)
{
	uint16_t lfsr = scrambler->lfsr;
	uint8_t key = 0;
	int bit;

	if (k && value == LINK_COM) {
		scrambler->lfsr = SEED;
		return value;
	}
	if (k && value == LINK_SKP)
		return value;
	for (bit = 0; bit < 8; bit++) {
		bool out = lfsr >> 15;

		key |= out << bit;
		lfsr = lfsr << 1 ^ (out ? TAPS : 0);
	}
	scrambler->lfsr = lfsr;
	return k || plain || scrambler->off ? value : value ^ key;
}
