// SPDX-License-Identifier: Apache-2.0
/*
 * The link partner's symbols: 8b/10b, scrambler, CRCs, DLLPs, ordered sets, packets. Expected
 * values are published ones, or follow from rules of the standards; each place says which.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "link/code_8b10b.h"
#include "link/crc.h"
#include "link/dllp.h"
#include "link/framer.h"
#include "link/lane.h"
#include "link/ordered_set.h"
#include "link/scrambler.h"

/* "abcdei fghj" as the standards print it. */
static uint16_t printed(const char *text)
{
	uint16_t bits = 0;
	int at = 0;

	for (; *text; text++) {
		if (*text != ' ')
			bits |= (*text == '1') << at++;
	}
	assert_int_equal(at, 10);
	return bits;
}

static uint16_t code(uint8_t value, bool k, bool positive)
{
	return code_8b10b_encode(value, k, &positive);
}

#define FOR_EACH_SYMBOL(k, value)                           \
	for ((k) = 0; (k) < 2; (k)++)                       \
		for ((value) = 0; (value) < 256; (value)++) \
			if (!(k) || code_8b10b_is_control(value))

/* --- 8b/10b ------------------------------------------------------------------------ */

/* IEEE 802.3 tables 36-1a to 36-2. The data rows have every form of the second block. */
static void codes_are_the_published_ones(void **state)
{
	static const struct {
		uint8_t x, y;
		bool k;
		const char *negative, *positive;
	} rows[] = {
		{ 0, 0, false, "100111 0100", "011000 1011" },
		{ 1, 0, false, "011101 0100", "100010 1011" },
		{ 3, 0, false, "110001 1011", "110001 0100" },
		{ 7, 0, false, "111000 1011", "000111 0100" },
		{ 31, 1, false, "101011 1001", "010100 1001" },
		{ 5, 2, false, "101001 0101", "101001 0101" },
		{ 10, 2, false, "010101 0101", "010101 0101" },
		{ 16, 2, false, "011011 0101", "100100 0101" },
		{ 7, 3, false, "111000 1100", "000111 0011" },
		{ 21, 3, false, "101010 1100", "101010 0011" },
		{ 8, 4, false, "111001 0010", "000110 1101" },
		{ 9, 4, false, "100101 1101", "100101 0010" },
		{ 21, 5, false, "101010 1010", "101010 1010" },
		{ 26, 5, false, "010110 1010", "010110 1010" },
		{ 30, 6, false, "011110 0110", "100001 0110" },
		{ 0, 7, false, "100111 0001", "011000 1110" },
		{ 11, 7, false, "110100 1110", "110100 1000" },
		{ 13, 7, false, "101100 1110", "101100 1000" },
		{ 14, 7, false, "011100 1110", "011100 1000" },
		{ 17, 7, false, "100011 0111", "100011 0001" },
		{ 18, 7, false, "010011 0111", "010011 0001" },
		{ 20, 7, false, "001011 0111", "001011 0001" },
		{ 31, 7, false, "101011 0001", "010100 1110" },
		{ 28, 0, true, "001111 0100", "110000 1011" },
		{ 28, 1, true, "001111 1001", "110000 0110" },
		{ 28, 2, true, "001111 0101", "110000 1010" },
		{ 28, 3, true, "001111 0011", "110000 1100" },
		{ 28, 4, true, "001111 0010", "110000 1101" },
		{ 28, 5, true, "001111 1010", "110000 0101" },
		{ 28, 6, true, "001111 0110", "110000 1001" },
		{ 28, 7, true, "001111 1000", "110000 0111" },
		{ 23, 7, true, "111010 1000", "000101 0111" },
		{ 27, 7, true, "110110 1000", "001001 0111" },
		{ 29, 7, true, "101110 1000", "010001 0111" },
		{ 30, 7, true, "011110 1000", "100001 0111" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t value = LINK_SYMBOL(rows[i].x, rows[i].y);

		assert_int_equal(code(value, rows[i].k, false), printed(rows[i].negative));
		assert_int_equal(code(value, rows[i].k, true), printed(rows[i].positive));
	}
}

static void there_are_twelve_control_symbols(void **state)
{
	unsigned int value, count = 0;

	(void)state;
	for (value = 0; value < 256; value++)
		count += code_8b10b_is_control(value);
	assert_int_equal(count, 12);
}

/*
 * 802.3, 36.2.4.4: a code of the negative column has as many ones as zeros or two more, one of the
 * positive column as many or two fewer; the running disparity follows.
 */
static void disparity_of_each_code(void **state)
{
	unsigned int k, value, positive;

	(void)state;
	FOR_EACH_SYMBOL(k, value)
	{
		for (positive = 0; positive < 2; positive++) {
			bool after = positive;
			int ones = __builtin_popcount(code_8b10b_encode(value, k, &after));

			assert_true(ones == 5 || ones == (positive ? 4 : 6));
			assert_int_equal(after, positive ^ (ones != 5));
		}
	}
}

/* Never more than five equal bits, and the comma's seven bits are at the start of K28.1, .5, .7 only. */
static void runs_and_commas_of_each_pair(void **state)
{
	unsigned int k, value, k2, value2, start, at, run;

	(void)state;
	for (start = 0; start < 2; start++) {
		FOR_EACH_SYMBOL(k, value)
		{
			FOR_EACH_SYMBOL(k2, value2)
			{
				bool positive = start;
				uint32_t bits = code_8b10b_encode(value, k, &positive);

				bits |= (uint32_t)code_8b10b_encode(value2, k2, &positive) << 10;
				for (at = 1, run = 1; at < 20; at++) {
					run = (bits >> at & 1) == (bits >> (at - 1) & 1) ? run + 1
											 : 1;
					assert_in_range(run, 1, 5);
				}
				for (at = 1; at < 10; at++) {
					unsigned int seven = bits >> at & 0x7f;

					/* K28.7 makes one of its own with what follows. */
					if (k && value == LINK_EIE)
						break;
					assert_int_not_equal(seven, 0x7c);
					assert_int_not_equal(seven, 0x03);
				}
			}
		}
	}
}

static void every_symbol_comes_back(void **state)
{
	unsigned int k, value, positive;
	bool known[1024] = { false };

	(void)state;
	FOR_EACH_SYMBOL(k, value)
	{
		for (positive = 0; positive < 2; positive++) {
			bool sent = positive, received = positive, is_k = !k;
			uint16_t bits = code_8b10b_encode(value, k, &sent);
			uint8_t back = ~value;

			assert_int_equal(code_8b10b_decode(bits, &received, &back, &is_k),
					 CODE_GOOD);
			assert_int_equal(back, value);
			assert_int_equal(is_k, k);
			assert_int_equal(received, sent);
			known[bits] = true;
		}
	}
	/* What no symbol has is an error at both disparities. */
	for (value = 0; value < 1024; value++) {
		for (positive = 0; positive < 2 && !known[value]; positive++) {
			uint8_t back;
			bool is_k, received = positive;

			assert_int_equal(code_8b10b_decode(value, &received, &back, &is_k),
					 CODE_ERROR);
		}
	}
}

/* The code of the other column is a disparity error, unless it is the same code. */
static void the_wrong_column_is_a_disparity_error(void **state)
{
	unsigned int k, value, positive;

	(void)state;
	FOR_EACH_SYMBOL(k, value)
	{
		for (positive = 0; positive < 2; positive++) {
			uint16_t right = code(value, k, positive),
				 wrong = code(value, k, !positive);
			bool received = positive, is_k;
			uint8_t back;

			assert_int_equal(code_8b10b_decode(wrong, &received, &back, &is_k),
					 wrong == right ? CODE_GOOD : CODE_DISPARITY_ERROR);
			assert_int_equal(back, value);
			assert_int_equal(is_k, k);
		}
	}
}

/* A flipped bit changes the disparity by two: it is seen at once or, at the latest, by another symbol. */
static void each_flipped_bit_is_noticed(void **state)
{
	unsigned int value, bit, positive;

	(void)state;
	for (value = 0; value < 256; value++) {
		for (bit = 0; bit < 10; bit++) {
			for (positive = 0; positive < 2; positive++) {
				bool sent = positive, received = positive, is_k;
				uint16_t bits = code_8b10b_encode(value, false, &sent) ^ 1 << bit;
				enum code_result result;
				uint8_t back;

				result = code_8b10b_decode(bits, &received, &back, &is_k);
				if (result == CODE_GOOD)
					assert_int_not_equal(received, sent);
			}
		}
	}
}

/* 4.2.1.1.3: the first symbol sets the disparity, from whichever column it is. */
static void the_first_symbol_sets_the_disparity(void **state)
{
	unsigned int start, i;

	(void)state;
	for (start = 0; start < 2; start++) {
		struct lane_receiver receiver = { 0 };
		struct lane_symbol symbol = { 0 }, out;
		bool positive = start;

		for (i = 0; i < 20; i++) {
			symbol.bits = code_8b10b_encode(i ? i : LINK_COM, !i, &positive);
			out = lane_receive(&receiver, &symbol);
			assert_int_equal(lane_symbol_bad(&out), !i); /* no lock yet */
			if (i)
				assert_int_equal(out.value, i > 1 ? i - 1 : LINK_COM);
		}
	}
}

/* --- scrambler ---------------------------------------------------------------------- */

/* Published: appendix C of the specification; the same generator in SpaceFibre (ECSS-E-ST-50-11C). */
static const uint8_t keys[] = {
	0xff, 0x17, 0xc0, 0x14, 0xb2, 0xe7, 0x02, 0x82, 0x72, 0x6e, 0x28,
	0xa6, 0xbe, 0x6d, 0xbf, 0x8d, 0xbe, 0x40, 0xa7, 0xe6, 0x2c, 0xd3,
	0xe2, 0xb2, 0x07, 0x02, 0x77, 0x2a, 0xcd, 0x34, 0xbe, 0xe0,
};

static void keys_are_the_published_ones(void **state)
{
	struct scrambler scrambler;
	unsigned int i;

	(void)state;
	scrambler_reset(&scrambler);
	for (i = 0; i < sizeof(keys); i++)
		assert_int_equal(scrambler_symbol(&scrambler, 0, false, false), keys[i]);
}

static void com_sets_and_skp_holds_the_scrambler(void **state)
{
	struct scrambler scrambler;

	(void)state;
	scrambler_reset(&scrambler);
	scrambler_symbol(&scrambler, 0x55, false, false);
	assert_int_equal(scrambler_symbol(&scrambler, LINK_COM, true, false), LINK_COM);
	assert_int_equal(scrambler_symbol(&scrambler, 0, false, false), keys[0]);
	assert_int_equal(scrambler_symbol(&scrambler, LINK_SKP, true, false), LINK_SKP);
	assert_int_equal(scrambler_symbol(&scrambler, 0, false, false), keys[1]);
	/* Every other control symbol, and data of ordered sets, advance it unchanged. */
	assert_int_equal(scrambler_symbol(&scrambler, LINK_STP, true, false), LINK_STP);
	assert_int_equal(scrambler_symbol(&scrambler, 0x4a, false, true), 0x4a);
	assert_int_equal(scrambler_symbol(&scrambler, 0xa5, false, false), 0xa5 ^ keys[4]);
	scrambler.off = true;
	assert_int_equal(scrambler_symbol(&scrambler, 0xa5, false, false), 0xa5);
}

/* --- CRCs ----------------------------------------------------------------------------- */

/* As the specification's figures 3-16 and 3-19 draw them: shift left, then map bit by bit. */
static uint32_t drawn_crc(const uint8_t *bytes, size_t count, unsigned int width,
			  uint32_t polynomial)
{
	uint32_t mask = width == 32 ? ~0u : (1u << width) - 1, crc = mask, field = 0;
	unsigned int bit;
	size_t i;

	for (i = 0; i < 8 * count; i++) {
		bool feedback = (crc >> (width - 1) & 1) ^ (bytes[i / 8] >> i % 8 & 1);

		crc = (crc << 1 ^ (feedback ? polynomial : 0)) & mask;
	}
	crc = ~crc & mask;
	/* Tables 3-7 and 3-8: result bit n is bit 7 - n of its byte; the field's high byte is sent first. */
	for (bit = 0; bit < width; bit++)
		field |= (crc >> bit & 1) << (bit / 8 * 8 + 7 - bit % 8);
	return field;
}

static void lcrc_is_the_drawn_one(void **state)
{
	uint8_t bytes[64];
	unsigned int seed = 0x1c4c, count, i;

	(void)state;
	for (count = 0; count < sizeof(bytes); count++) {
		for (i = 0; i < count; i++)
			bytes[i] = rand_r(&seed);
		/* The field's high byte is sent first, and link_lcrc() has it in bits 7:0. */
		assert_int_equal(link_lcrc(bytes, count),
				 __builtin_bswap32(drawn_crc(bytes, count, 32, 0x04c11db7)));
	}
	/* The check value of this CRC in every catalogue. */
	assert_int_equal(link_lcrc((const uint8_t *)"123456789", 9), 0xcbf43926);
}

/* Known answers that other decoders of PCIe publish: DLLP, CRC as sent. */
static void dllp_crc_is_the_published_one(void **state)
{
	static const uint8_t known[][6] = {
		{ 0x40, 0x08, 0x03, 0xf0, 0x35, 0xbc }, { 0x50, 0x08, 0x00, 0x01, 0xb1, 0xf6 },
		{ 0x60, 0x00, 0x00, 0x00, 0xd8, 0x92 }, { 0xc0, 0x08, 0x03, 0xf0, 0x4f, 0xc3 },
		{ 0xd0, 0x08, 0x00, 0x01, 0xcb, 0x89 }, { 0xe0, 0x00, 0x00, 0x00, 0xa2, 0xed },
		{ 0x00, 0x00, 0x00, 0x00, 0xb3, 0x62 }, { 0x00, 0x00, 0x0f, 0xff, 0x25, 0xa8 },
		{ 0x10, 0x00, 0x00, 0x05, 0x7d, 0x70 }, { 0x80, 0x02, 0x80, 0xc8, 0xec, 0xf8 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		uint16_t crc = link_dllp_crc(known[i]);
		struct dllp dllp;

		assert_int_equal(crc & 0xff, known[i][4]);
		assert_int_equal(crc >> 8, known[i][5]);
		assert_int_equal(__builtin_bswap16(crc), drawn_crc(known[i], 4, 16, 0x100b));
		assert_int_equal(dllp_decode(known[i], &dllp), DLLP_GOOD);
	}
}

/* --- DLLPs ------------------------------------------------------------------------------ */

static void dllps_come_back(void **state)
{
	static const uint8_t types[] = {
		DLLP_ACK,
		DLLP_NAK,
		DLLP_PM_ENTER_L1,
		DLLP_PM_ENTER_L23,
		DLLP_PM_REQUEST_ACK,
		DLLP_INITFC1_P,
		DLLP_INITFC1_NP,
		DLLP_INITFC1_CPL,
		DLLP_INITFC2_P,
		DLLP_INITFC2_NP,
		DLLP_INITFC2_CPL,
		DLLP_UPDATEFC_P,
		DLLP_UPDATEFC_NP,
		DLLP_UPDATEFC_CPL,
		DLLP_VENDOR,
		DLLP_NOP,
		DLLP_PM_ACTIVE_STATE_REQUEST_L1,
	};
	unsigned int i, bit;

	(void)state;
	for (i = 0; i < sizeof(types); i++) {
		bool acknowledge = types[i] <= DLLP_NAK;
		bool credits = dllp_is_flow_control(types[i]);
		struct dllp sent = { .type = types[i] }, received;
		uint8_t bytes[DLLP_BYTES];

		sent.sequence = acknowledge ? 0xabc : 0;
		sent.header_credits = credits ? 0xe5 : 0;
		sent.data_credits = credits ? 0xd3a : 0;
		dllp_encode(&sent, bytes);
		assert_int_equal(dllp_decode(bytes, &received), DLLP_GOOD);
		assert_int_equal(received.type, sent.type);
		assert_int_equal(received.sequence, sent.sequence);
		assert_int_equal(received.header_credits, sent.header_credits);
		assert_int_equal(received.data_credits, sent.data_credits);
		for (bit = 0; bit < 8 * DLLP_BYTES; bit++) {
			bytes[bit / 8] ^= 1 << bit % 8;
			assert_int_equal(dllp_decode(bytes, &received), DLLP_BAD_CRC);
			bytes[bit / 8] ^= 1 << bit % 8;
		}
	}
}

/* Figures 3-6 and 3-9: HdrFC in bits 21:14, DataFC in 11:0, AckNak_Seq_Num in 11:0. */
static void fields_of_dllps(void **state)
{
	struct dllp dllp = { .type = DLLP_UPDATEFC_P,
			     .header_credits = 0x0a,
			     .data_credits = 0x0c8 };
	uint8_t bytes[DLLP_BYTES];

	(void)state;
	dllp_encode(&dllp, bytes);
	assert_memory_equal(bytes, ((uint8_t[]){ 0x80, 0x02, 0x80, 0xc8, 0xec, 0xf8 }), 6);
	dllp = (struct dllp){ .type = DLLP_NAK, .sequence = 5 };
	dllp_encode(&dllp, bytes);
	assert_memory_equal(bytes, ((uint8_t[]){ 0x10, 0x00, 0x00, 0x05, 0x7d, 0x70 }), 6);
}

static void other_dllps_are_unknown(void **state)
{
	uint8_t bytes[DLLP_BYTES] = { 0x41, 1, 2, 3 }; /* InitFC1-P of virtual channel 1 */
	struct dllp dllp;
	uint16_t crc = link_dllp_crc(bytes);

	(void)state;
	bytes[4] = crc;
	bytes[5] = crc >> 8;
	assert_int_equal(dllp_decode(bytes, &dllp), DLLP_UNKNOWN);
}

/* --- ordered sets ------------------------------------------------------------------------ */

static struct lane_symbol lane(struct plain_symbol symbol)
{
	return (struct lane_symbol){ .value = symbol.value, .k = symbol.k };
}

/* What is recognised in these symbols last, and by which. */
static enum ordered_set_progress receive(const struct plain_symbol *symbols, unsigned int count,
					 struct ordered_set *set, unsigned int *by)
{
	struct ordered_set_receiver receiver = { 0 };
	enum ordered_set_progress last = ORDERED_SET_OUTSIDE;
	struct ordered_set found;
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct lane_symbol symbol = lane(symbols[i]);
		enum ordered_set_progress progress =
			ordered_set_receive(&receiver, &symbol, &found);

		if (progress == ORDERED_SET_COMPLETE) {
			*set = found;
			*by = i;
			last = progress;
		}
	}
	return last;
}

static void training_sets_come_back(void **state)
{
	struct ordered_set sent = { .kind = ORDERED_SET_TS2,
				    .link = 7,
				    .lane = LINK_NUMBER_PAD,
				    .fts = 33,
				    .rate = TRAINING_RATE_2_5,
				    .control = TRAINING_LOOPBACK };
	/* Table "TS1 Ordered Set": COM, link, lane, N_FTS, rate, control, ten identifiers. */
	static const struct plain_symbol expected[] = {
		{ 0xbc, true }, { 7, false }, { 0xf7, true },  { 33, false },
		{ 2, false },	{ 4, false }, { 0x45, false }, { 0x45, false },
	};
	struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
	struct ordered_set set;
	unsigned int i, by;

	(void)state;
	assert_int_equal(ordered_set_make(&sent, 3, symbols), 16);
	for (i = 0; i < 8; i++) {
		assert_int_equal(symbols[i].value, expected[i].value);
		assert_int_equal(symbols[i].k, expected[i].k);
	}
	assert_int_equal(receive(symbols, 16, &set, &by), ORDERED_SET_COMPLETE);
	assert_int_equal(by, 15);
	assert_int_equal(set.kind, sent.kind);
	assert_int_equal(set.link, 7);
	assert_int_equal(set.lane, LINK_NUMBER_PAD);
	assert_int_equal(set.fts, 33);
	assert_int_equal(set.control, TRAINING_LOOPBACK);
	assert_false(set.inverted);
}

/* 4.2.5.5: D10.2 arrives as D21.5, D5.2 as D26.5. */
static void swapped_wires_are_seen(void **state)
{
	static const uint8_t seen[] = { LINK_SYMBOL(21, 5), LINK_SYMBOL(26, 5) };
	unsigned int kind, i, by;

	(void)state;
	for (kind = ORDERED_SET_TS1; kind <= ORDERED_SET_TS2; kind++) {
		struct ordered_set sent = { .kind = kind,
					    .link = LINK_NUMBER_PAD,
					    .lane = LINK_NUMBER_PAD,
					    .rate = TRAINING_RATE_2_5 };
		struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
		struct ordered_set set;
		bool positive = false, inverted = true;

		ordered_set_make(&sent, 3, symbols);
		for (i = 0; i < 16; i++) {
			uint16_t bits =
				code_8b10b_encode(symbols[i].value, symbols[i].k, &positive);

			assert_int_equal(code_8b10b_decode(~bits & 0x3ff, &inverted,
							   &symbols[i].value, &symbols[i].k),
					 CODE_GOOD);
		}
		assert_int_equal(symbols[6].value, seen[kind]);
		assert_int_equal(receive(symbols, 16, &set, &by), ORDERED_SET_COMPLETE);
		assert_true(set.inverted);
		assert_int_equal(set.kind, kind);
	}
}

static void skp_sets_have_one_to_five(void **state)
{
	struct ordered_set sent = { .kind = ORDERED_SET_SKP }, set;
	struct ordered_set_receiver receiver = { 0 };
	struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
	unsigned int skips, count, i, by;

	(void)state;
	for (skips = 1; skips <= 5; skips++) {
		count = ordered_set_make(&sent, skips, symbols);
		assert_int_equal(count, 1 + skips);
		assert_int_equal(receive(symbols, count, &set, &by), ORDERED_SET_COMPLETE);
		assert_int_equal(set.kind, ORDERED_SET_SKP);
		assert_int_equal(by, 1);
	}
	/* An elastic buffer may add a sixth; a seventh is none. */
	for (i = 0; i < 8; i++) {
		struct lane_symbol symbol = { .value = i ? LINK_SKP : LINK_COM, .k = true };
		enum ordered_set_progress progress = ordered_set_receive(&receiver, &symbol, &set);

		assert_int_equal(progress == ORDERED_SET_BROKEN, i == 7);
	}
}

/* 4.2.5.3: COM and two of the three IDLs. */
static void eios_with_one_symbol_lost(void **state)
{
	struct ordered_set sent = { .kind = ORDERED_SET_EIOS }, set;
	struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
	unsigned int broken, second, i;

	(void)state;
	assert_int_equal(ordered_set_make(&sent, 3, symbols), 4);
	for (broken = 0; broken < 4; broken++) {
		for (second = 0; second < 4; second++) {
			struct ordered_set_receiver receiver = { 0 };
			bool found = false;

			for (i = 0; i < 4; i++) {
				struct lane_symbol symbol = lane(symbols[i]);

				symbol.code_error = i && (i == broken || i == second);
				found |= ordered_set_receive(&receiver, &symbol, &set) ==
					 ORDERED_SET_COMPLETE;
			}
			assert_int_equal(found, !(broken && second && broken != second));
			assert_int_equal(receiver.count, 0);
		}
	}
}

static void fts_is_known(void **state)
{
	struct ordered_set sent = { .kind = ORDERED_SET_FTS }, set;
	struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
	unsigned int by;

	(void)state;
	assert_int_equal(ordered_set_make(&sent, 3, symbols), 4);
	assert_int_equal(symbols[3].value, LINK_FTS);
	assert_int_equal(receive(symbols, 4, &set, &by), ORDERED_SET_COMPLETE);
	assert_int_equal(set.kind, ORDERED_SET_FTS);
}

/* One symbol of sixteen wrong, or a code error in it: no training set. */
static void broken_training_sets_are_none(void **state)
{
	struct ordered_set sent = { .kind = ORDERED_SET_TS1, .link = 1, .lane = 0 }, set;
	struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
	unsigned int at, i, by;

	(void)state;
	ordered_set_make(&sent, 3, symbols);
	for (at = 0; at < 16; at++) {
		struct ordered_set_receiver receiver = { 0 };
		struct plain_symbol kept = symbols[at];

		symbols[at] = (struct plain_symbol){ LINK_SYMBOL(28, 4), true };
		assert_int_equal(receive(symbols, 16, &set, &by), ORDERED_SET_OUTSIDE);
		symbols[at] = kept;
		for (i = 0; i < 16; i++) {
			struct lane_symbol symbol = lane(symbols[i]);

			symbol.disparity_error = i == at;
			assert_int_not_equal(ordered_set_receive(&receiver, &symbol, &set),
					     ORDERED_SET_COMPLETE);
		}
	}
}

/* --- packets ------------------------------------------------------------------------------ */

static enum deframer_event feed(struct deframer *deframer, uint8_t value, bool k, bool bad)
{
	struct lane_symbol symbol = { .value = value, .k = k, .code_error = bad };

	return deframer_receive(deframer, &symbol);
}

static enum deframer_event feed_packet(struct deframer *deframer, enum packet_kind kind,
				       const uint8_t *bytes, unsigned int count)
{
	struct plain_symbol symbols[64];
	unsigned int i, total = framer_make(kind, bytes, count, symbols);

	assert_int_equal(total, count + 2);
	for (i = 0; i + 1 < total; i++)
		assert_int_equal(feed(deframer, symbols[i].value, symbols[i].k, false),
				 DEFRAMER_NOTHING);
	return feed(deframer, symbols[i].value, symbols[i].k, false);
}

static void packets_come_back(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	struct deframer deframer = { 0 };

	(void)state;
	assert_int_equal(feed_packet(&deframer, PACKET_TLP, bytes, 10), DEFRAMER_TLP);
	assert_int_equal(deframer.count, 10);
	assert_memory_equal(deframer.bytes, bytes, 10);
	assert_int_equal(feed_packet(&deframer, PACKET_DLLP, bytes, 6), DEFRAMER_DLLP);
	assert_int_equal(deframer.count, 6);
	assert_int_equal(feed(&deframer, 0, false, false), DEFRAMER_NOTHING);
	assert_int_equal(feed_packet(&deframer, PACKET_NULLIFIED_TLP, bytes, 9),
			 DEFRAMER_NULLIFIED_TLP);
	assert_int_equal(feed_packet(&deframer, PACKET_DLLP, bytes, 5), DEFRAMER_ERROR);
	assert_int_equal(feed_packet(&deframer, PACKET_DLLP, bytes, 7), DEFRAMER_ERROR);
}

static void errors_end_a_packet(void **state)
{
	struct deframer deframer = { 0 };

	(void)state;
	assert_int_equal(feed(&deframer, LINK_END, true, false), DEFRAMER_ERROR);
	assert_int_equal(feed(&deframer, LINK_STP, true, false), DEFRAMER_NOTHING);
	assert_int_equal(feed(&deframer, 1, false, true), DEFRAMER_LOST_TLP);
	assert_int_equal(feed(&deframer, LINK_END, true, false), DEFRAMER_ERROR);
	assert_int_equal(feed(&deframer, LINK_STP, true, false), DEFRAMER_NOTHING);
	assert_int_equal(feed(&deframer, LINK_SDP, true, false), DEFRAMER_LOST_TLP);
	assert_int_equal(feed(&deframer, LINK_STP, true, false), DEFRAMER_ERROR);
	assert_int_equal(deframer_abort(&deframer), DEFRAMER_LOST_TLP);
	assert_int_equal(deframer_abort(&deframer), DEFRAMER_NOTHING);
	assert_int_equal(feed(&deframer, LINK_STP, true, false), DEFRAMER_NOTHING);
	assert_int_equal(feed(&deframer, LINK_IDL, true, false), DEFRAMER_LOST_TLP);
}

static void no_packet_is_longer_than_the_longest(void **state)
{
	struct deframer deframer = { 0 };
	unsigned int i;

	(void)state;
	feed(&deframer, LINK_STP, true, false);
	for (i = 0; i < PACKET_BYTES; i++)
		assert_int_equal(feed(&deframer, i, false, false), DEFRAMER_NOTHING);
	assert_int_equal(feed(&deframer, 0, false, false), DEFRAMER_LOST_TLP);
}

int main(void)
{
#define TEST(function)                                        \
	{                                                     \
		"link." #function, function, NULL, NULL, NULL \
	}
	const struct CMUnitTest tests[] = {
		TEST(codes_are_the_published_ones),
		TEST(there_are_twelve_control_symbols),
		TEST(disparity_of_each_code),
		TEST(runs_and_commas_of_each_pair),
		TEST(every_symbol_comes_back),
		TEST(the_wrong_column_is_a_disparity_error),
		TEST(each_flipped_bit_is_noticed),
		TEST(the_first_symbol_sets_the_disparity),
		TEST(keys_are_the_published_ones),
		TEST(com_sets_and_skp_holds_the_scrambler),
		TEST(lcrc_is_the_drawn_one),
		TEST(dllp_crc_is_the_published_one),
		TEST(dllps_come_back),
		TEST(fields_of_dllps),
		TEST(other_dllps_are_unknown),
		TEST(training_sets_come_back),
		TEST(swapped_wires_are_seen),
		TEST(skp_sets_have_one_to_five),
		TEST(eios_with_one_symbol_lost),
		TEST(fts_is_known),
		TEST(broken_training_sets_are_none),
		TEST(packets_come_back),
		TEST(errors_end_a_packet),
		TEST(no_packet_is_longer_than_the_longest),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (getenv("RF_TEST"))
		cmocka_set_test_filter(getenv("RF_TEST"));
	return cmocka_run_group_tests_name("link_symbol", tests, NULL, NULL);
}
