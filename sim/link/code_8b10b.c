// SPDX-License-Identifier: Apache-2.0
/*
 * 8b/10b: five bits become six (abcdei), three become four (fghj). A block has two codes, one for
 * each running disparity; blocks without disparity mostly have the same one for both.
 */
#include "code_8b10b.h"

/* The standard writes "a" first; here it is bit 0. */
#define SIX(abcdei)                                                                              \
	(((abcdei) >> 5 & 1) | ((abcdei) >> 3 & 2) | ((abcdei) >> 1 & 4) | ((abcdei) << 1 & 8) | \
	 ((abcdei) << 3 & 16) | ((abcdei) << 5 & 32))
#define FOUR(fghj) (((fghj) >> 3 & 1) | ((fghj) >> 1 & 2) | ((fghj) << 1 & 4) | ((fghj) << 3 & 8))

/* clang-format off */
/* x, code at negative, code at positive disparity. 32 stands for the 28 of K28. */
#define FIVE_SIX(X) \
	X( 0, 0x27, 0x18) X( 1, 0x1d, 0x22) X( 2, 0x2d, 0x12) X( 3, 0x31, 0x31) \
	X( 4, 0x35, 0x0a) X( 5, 0x29, 0x29) X( 6, 0x19, 0x19) X( 7, 0x38, 0x07) \
	X( 8, 0x39, 0x06) X( 9, 0x25, 0x25) X(10, 0x15, 0x15) X(11, 0x34, 0x34) \
	X(12, 0x0d, 0x0d) X(13, 0x2c, 0x2c) X(14, 0x1c, 0x1c) X(15, 0x17, 0x28) \
	X(16, 0x1b, 0x24) X(17, 0x23, 0x23) X(18, 0x13, 0x13) X(19, 0x32, 0x32) \
	X(20, 0x0b, 0x0b) X(21, 0x2a, 0x2a) X(22, 0x1a, 0x1a) X(23, 0x3a, 0x05) \
	X(24, 0x33, 0x0c) X(25, 0x26, 0x26) X(26, 0x16, 0x16) X(27, 0x36, 0x09) \
	X(28, 0x0e, 0x0e) X(29, 0x2e, 0x11) X(30, 0x1e, 0x21) X(31, 0x2b, 0x14) \
	X(32, 0x0f, 0x30)

/* y; 8 stands for the other form of 7, which avoids five equal bits in a row. */
#define THREE_FOUR(X) \
	X(0, 0xb, 0x4) X(1, 0x9, 0x9) X(2, 0x5, 0x5) X(3, 0xc, 0x3) \
	X(4, 0xd, 0x2) X(5, 0xa, 0xa) X(6, 0x6, 0x6) X(7, 0xe, 0x1) \
	X(8, 0x7, 0x8)
/* clang-format on */

#define K28 32
#define ALTERNATE_7 8
#define NONE 0xff

#define COLUMNS_SIX(x, negative, positive) { SIX(negative), SIX(positive) },
#define COLUMNS_FOUR(y, negative, positive) { FOUR(negative), FOUR(positive) },
static const uint8_t six[33][2] = { FIVE_SIX(COLUMNS_SIX) };
static const uint8_t four[9][2] = { THREE_FOUR(COLUMNS_FOUR) };

/* Back to x and y, plus one: 0 is no code. */
#define BACK_SIX(x, negative, positive) [SIX(negative)] = (x) + 1, [SIX(positive)] = (x) + 1,
#define BACK_FOUR(y, negative, positive) [FOUR(negative)] = (y) + 1, [FOUR(positive)] = (y) + 1,
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" /* codes that are the same at both disparities */
static const uint8_t five_of[64] = { FIVE_SIX(BACK_SIX) };
static const uint8_t three_of[16] = { THREE_FOUR(BACK_FOUR) };
#pragma GCC diagnostic pop

/* Running disparity behind a block (802.3, 36.2.4.4). */
static bool disparity_after(unsigned int block, unsigned int bits, bool positive)
{
	unsigned int ones = __builtin_popcount(block);

	if (2 * ones != bits)
		return 2 * ones > bits;
	if (block == (bits == 6 ? SIX(0x07) : FOUR(0x3)))
		return true;
	if (block == (bits == 6 ? SIX(0x38) : FOUR(0xc)))
		return false;
	return positive;
}

static bool k_by_seven(unsigned int x)
{
	return x == 23 || x == 27 || x == 29 || x == 30;
}

bool code_8b10b_is_control(uint8_t value)
{
	unsigned int x = value & 31, y = value >> 5;

	return x == 28 || (y == 7 && k_by_seven(x));
}

/* The second form of y = 7 is for these, and for every control symbol. */
static bool alternate(unsigned int x, bool k, bool positive)
{
	if (k)
		return true;
	return positive ? x == 11 || x == 13 || x == 14 : x == 17 || x == 18 || x == 20;
}

uint16_t code_8b10b_encode(uint8_t value, bool k, bool *positive)
{
	unsigned int x = value & 31, y = value >> 5, low, high;

	low = six[k && x == 28 ? K28 : x][*positive];
	*positive = disparity_after(low, 6, *positive);
	if (y == 7 && alternate(x, k, *positive))
		y = ALTERNATE_7;
	/* Control symbols are complements of each other in the two columns, as a whole. */
	if (k && y != ALTERNATE_7)
		high = *positive ? four[y][1] : ~four[y][1] & 0xf;
	else
		high = four[y][*positive];
	*positive = disparity_after(high, 4, *positive);
	return low | high << 6;
}

enum code_result code_8b10b_decode(uint16_t bits, bool *positive, uint8_t *value, bool *k)
{
	unsigned int low = bits & 0x3f, high = bits >> 6 & 0xf, x, y;
	bool before = *positive, other = !before, control;
	uint8_t symbol;

	*positive = disparity_after(high, 4, disparity_after(low, 6, before));
	/* K28 at positive disparity: its second block is complemented as well. */
	if (low == six[K28][1])
		high = ~high & 0xf;
	x = five_of[low];
	y = three_of[high];
	if (!x-- || !y--)
		return CODE_ERROR;
	control = x == K28 || (y == ALTERNATE_7 && k_by_seven(x));
	symbol = (x == K28 ? 28 : x) | (y == ALTERNATE_7 ? 7 : y) << 5;
	/* Blocks that exist need not exist together: only what can be sent is a code. */
	if (code_8b10b_encode(symbol, control, &(bool){ before }) == bits) {
		*value = symbol;
		*k = control;
		return CODE_GOOD;
	}
	if (code_8b10b_encode(symbol, control, &other) == bits) {
		*value = symbol;
		*k = control;
		return CODE_DISPARITY_ERROR;
	}
	return CODE_ERROR;
}
