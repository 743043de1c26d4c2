/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ordered sets in a stream of symbols, as the partner's makes them, at either place of a word, with
 * gaps between words: each is told once with its fields and its place in a row; what is damaged is
 * not. SKPs are dropped before, as in rf_link_elastic.
 */
// partner: sim/link
#include <vector>

#include "Vrf_link_ordered_receive.h"
#include "harness.h"
#include "link_words.h"

extern "C" {
#include "link/ordered_set.h"
}

namespace {

struct Symbol : rf::Symbol {
	bool skipped;
};

struct Told {
	bool ts2, inverted;
	int link, lane;
	uint8_t fts, rate, control;
	unsigned row;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.valid_i = top.word_i = top.skips_i = top.clear_i = 0;
		clock.reset();
		tap.equal(top.set_valid_o | top.eios_o | top.skp_o, 0, "behind a reset");
		told.clear();
		eios = skps = 0;
		skipped = false;
	}

	void put(uint8_t value, bool k, bool bad = false)
	{
		if (k && !bad && value == LINK_SKP) {
			skipped = true;
			return;
		}
		waiting.push_back({ { value, k, bad }, skipped });
		skipped = false;
	}

	void put(const struct ordered_set &set, unsigned skips = 3, int damaged = -1)
	{
		struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
		int count = ordered_set_make(&set, skips, symbols);

		for (int i = 0; i < count; i++) {
			bool invert = set.inverted && i >= 6;
			uint8_t value = invert ? ~symbols[i].value : symbols[i].value;

			put(value, symbols[i].k, i == damaged);
		}
	}

	struct ordered_set draw()
	{
		struct ordered_set set = {};

		set.kind = random.chance(50) ? ORDERED_SET_TS1 : ORDERED_SET_TS2;
		set.link = random.chance(30) ? LINK_NUMBER_PAD : int(random.below(256));
		set.lane = random.chance(30) ? LINK_NUMBER_PAD : int(random.below(256));
		set.fts = random.next();
		set.rate = random.next();
		set.control = random.next();
		set.inverted = random.chance(30);
		return set;
	}

	/* All that waits, then idle until it is told; a symbol less than a word stays. */
	void flush()
	{
		while (waiting.size() >= 2)
			word();
		for (unsigned i = 0; i < 6; i++)
			tick();
	}

	void word()
	{
		top.valid_i = 1;
		top.word_i = rf::link_word(waiting[0], waiting[1]);
		top.skips_i = 0;
		for (unsigned i = 0; i < 2; i++)
			top.skips_i |= waiting[i].skipped << (3 * i + i);
		waiting.erase(waiting.begin(), waiting.begin() + 2);
		tick();
		top.valid_i = 0;
		if (gaps && random.chance(30))
			tick();
	}

	void tick()
	{
		clock.tick();
		top.clear_i = 0;
		eios += top.eios_o;
		skps += top.skp_o;
		if (!top.set_valid_o)
			return;
		uint64_t set = top.set_o;

		told.push_back({ bool(set >> 43 & 1), bool(set >> 42 & 1),
				 set >> 41 & 1 ? LINK_NUMBER_PAD : int(set >> 32 & 0xff),
				 set >> 40 & 1 ? LINK_NUMBER_PAD : int(set >> 24 & 0xff),
				 uint8_t(set >> 16), uint8_t(set >> 8), uint8_t(set), top.row_o });
	}

	void check(const Told &got, const struct ordered_set &set, unsigned row)
	{
		tap.equal(got.ts2, set.kind == ORDERED_SET_TS2, "TS2");
		tap.equal(got.inverted, set.inverted, "inverted");
		tap.equal(got.link, set.link, "link");
		tap.equal(got.lane, set.lane, "lane");
		tap.equal(got.fts, set.fts, "N_FTS");
		tap.equal(got.rate, set.rate, "rate");
		tap.equal(got.control, set.control, "control");
		tap.equal(got.row, row, "row");
	}

	Vrf_link_ordered_receive top;
	rf::Clock<Vrf_link_ordered_receive> clock;
	rf::Random random;
	rf::Tap tap;
	std::vector<Symbol> waiting;
	std::vector<Told> told;
	unsigned eios = 0, skps = 0;
	bool gaps = true, skipped = false;
};

/* Rows of equal sets with SKP sets between, and what ends a row */
void rows(Bench &b)
{
	b.tap.begin("rows of training sets, SKP sets between them or not");
	for (unsigned i = 0; i < 400; i++) {
		struct ordered_set set = b.draw();
		struct ordered_set skp = {};
		unsigned count = 1 + b.random.below(12), between = 0;

		skp.kind = ORDERED_SET_SKP;
		b.told.clear();
		b.skps = 0;
		b.put(0x4a, false); /* no row goes on from the round before */
		b.put(0x4a, false);
		for (unsigned k = 0; k < count; k++) {
			if (b.random.chance(20)) {
				b.put(skp, 1 + b.random.below(5));
				between++;
			}
			b.put(set);
		}
		if (b.random.chance(50)) /* the next round's places are the others */
			b.put(0, false);
		b.put(0, false);
		b.put(0, false);
		b.flush();
		b.tap.equal(b.told.size(), count, "sets");
		b.tap.equal(b.skps, between, "SKP sets");
		for (unsigned k = 0; k < b.told.size(); k++)
			b.check(b.told[k], set, k < 8 ? k + 1 : 8);
	}
	b.tap.end();
}

void ends_of_rows(Bench &b)
{
	b.tap.begin("any other symbol, an error, another field and clear_i end a row");
	for (unsigned i = 0; i < 800; i++) {
		struct ordered_set set = b.draw(), other = set;
		unsigned kind = i % 8;
		bool cleared = false;

		b.told.clear();
		b.put(0x4a, false);
		b.put(0x4a, false);
		b.put(set);
		b.put(set);
		if (kind == 0)
			b.put(b.random.next(), false);
		else if (kind == 1)
			b.put(set, 3, b.random.below(16));
		else if (kind == 2)
			other.control ^= 1 << b.random.below(8);
		else if (kind == 3)
			other.link = set.link == 7 ? 8 : 7;
		else if (kind == 4)
			other.kind =
				set.kind == ORDERED_SET_TS1 ? ORDERED_SET_TS2 : ORDERED_SET_TS1;
		else if (kind == 5) {
			b.put(0, false);
			b.put(0, false);
			b.flush();
			b.waiting.clear();
			b.told.clear();
			b.put(set);
			b.put(set);
			b.flush();
			b.top.clear_i = cleared = true;
			b.tick();
		} else if (kind == 6)
			b.put(0xee, true, true);
		else
			b.put(LINK_COM, true);
		b.put(other);
		b.put(0, false);
		b.put(0, false);
		b.flush();
		b.tap.equal(b.told.size(), 3, "whole sets");
		if (b.told.size() == 3) {
			b.check(b.told[1], set, 2);
			b.check(b.told[2], other, 1);
		}
	}
	b.tap.end();
}

void damaged(Bench &b)
{
	b.tap.begin("a set with a wrong symbol is none");
	for (unsigned i = 0; i < 1600; i++) {
		struct ordered_set set = b.draw();
		struct plain_symbol symbols[TRAINING_SET_SYMBOLS];
		unsigned at = i % 16;

		ordered_set_make(&set, 3, symbols);
		b.told.clear();
		b.put(0, false);
		b.put(0, false);
		for (unsigned k = 0; k < 16; k++) {
			uint8_t value =
				set.inverted && k >= 6 ? ~symbols[k].value : symbols[k].value;

			if (k != at)
				b.put(value, symbols[k].k);
			else if (at == 0 || i & 16) /* lost, or with an error */
				b.put(value, symbols[k].k, true);
			else if (at >= 6)
				b.put(value ^ (1 << b.random.below(8)), false);
			else
				b.put(LINK_FTS, true);
		}
		b.put(0, false);
		b.put(0, false);
		b.flush();
		b.tap.equal(b.told.size(), 0, "sets");
	}
	b.tap.end();
}

void electrical_idle(Bench &b)
{
	b.tap.begin("an EIOS is two of three IDLs");
	for (unsigned i = 0; i < 400; i++) {
		unsigned good = b.random.below(8), count = 0;

		b.eios = 0;
		if (i & 1)
			b.put(0, false);
		b.put(LINK_COM, true);
		for (unsigned k = 0; k < 3; k++) {
			count += good >> k & 1;
			if (good >> k & 1)
				b.put(LINK_IDL, true);
			else
				b.put(b.random.next(), k && b.random.chance(50), true);
		}
		b.put(0, false);
		b.put(0, false);
		b.flush();
		b.tap.equal(b.eios, count >= 2, "EIOS");
	}
	b.tap.equal(b.told.size(), 0, "no training set");
	b.tap.end();

	b.tap.begin("what a COM or SKPs part is no EIOS");
	for (unsigned i = 0; i < 32; i++) {
		bool com = i & 2, late = i & 4;

		b.eios = 0;
		if (i & 1)
			b.put(0, false);
		b.put(LINK_COM, true);
		b.put(LINK_IDL, true);
		if (late)
			b.put(0, false);
		b.put(com ? LINK_COM : LINK_SKP, true);
		b.put(LINK_IDL, true);
		b.put(0, false);
		b.put(0, false);
		b.flush();
		b.tap.equal(b.eios, 0, "EIOS");
	}
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	b.reset();
	rows(b);
	ends_of_rows(b);
	damaged(b);
	b.told.clear();
	electrical_idle(b);
	return b.tap.status();
}
