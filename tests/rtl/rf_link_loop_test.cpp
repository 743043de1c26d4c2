/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words from an elastic buffer, with gaps where SKPs were: every symbol comes back in order, and
 * each SKP set with as many SKPs as it had, one more or one less; none are anywhere else.
 */
#include <deque>
#include <vector>

#include "Vrf_link_loop.h"
#include "harness.h"
#include "link_words.h"

namespace {

struct Symbol : rf::Symbol {
	unsigned skips;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	/* As from rf_link_elastic: a set's SKPs are gone, and what is left moves up. */
	void arrive(unsigned interval, unsigned skips)
	{
		for (unsigned i = 0; i < 2; i++) {
			if (++place >= interval + 1 + skips)
				place = 0;
			if (place >= 1 && place <= skips) {
				skips_before++;
				continue;
			}
			bool bad = place && random.chance(5); /* a K symbol with an error */
			Symbol symbol = { { place ? uint8_t(random.next() | 0x40) : uint8_t(0xbc),
					    !place || bad, bad },
					  skips_before };

			skips_before = 0;
			line.push_back(symbol);
		}
	}

	void cycle(bool active)
	{
		top.active_i = active;
		top.valid_i = line.size() >= 2;
		if (top.valid_i) {
			const Symbol low = line[0], high = line[1];

			top.word_i = rf::link_word(low, high);
			top.skips_i = low.skips | high.skips << 3;
			line.erase(line.begin(), line.begin() + 2);
			sent.push_back(low);
			sent.push_back(high);
		}
		top.eval();
		if (active)
			for (unsigned i = 0; i < 2; i++)
				back(top.word_o >> (8 * i), top.word_o >> (16 + i) & 1);
		clock.tick();
	}

	void back(uint8_t value, bool k)
	{
		if (k && value == 0x1c)
			skps++;
		else
			came.push_back({ value, k, skps });
		if (!k || value != 0x1c)
			skps = 0;
	}

	/* Where the loop began, the symbols say. */
	void compare(bool same_clocks)
	{
		size_t begin = 0, same = 0, changed = 0;

		for (; begin < 4000 && same < 64; begin++)
			for (same = 0; same < 64 && came[same].value == sent[begin + same].value;)
				same++;
		tap.equal(same, 64, "symbols that came");
		begin--;
		for (size_t i = 1; i < came.size() && begin + i < sent.size(); i++) {
			const Symbol &want = sent[begin + i];

			tap.equal(came[i].value, want.value, "value");
			tap.equal(came[i].k, want.k && !want.bad, "k");
			sets += want.skips != 0;
			tap.check(want.skips ? came[i].skps && came[i].skps <= want.skips + 1 &&
						       came[i].skps + 1 >= want.skips
					     : !came[i].skps,
				  "SKPs", came[i].skps, want.skips);
			changed += came[i].skps != want.skips;
		}
		/* Once the FIFO is at its level, it stays. */
		tap.check(!same_clocks || changed <= 1, "SKPs with equal clocks", changed);
	}

	struct Came {
		uint8_t value;
		bool k;
		unsigned skps;
	};

	std::vector<Symbol> sent;
	std::vector<Came> came;
	Vrf_link_loop top;
	rf::Clock<Vrf_link_loop> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<Symbol> line;
	unsigned place = 0, skps = 0, sets = 0;
	unsigned skips_before = 0;
};

} // namespace

int main()
{
	Bench b;

	b.tap.begin("all symbols in order, with SKPs where there were some, clocks 600 ppm apart");
	for (unsigned i = 0; i < 60; i++) {
		int ppm = i % 3 == 0 ? 600 : i % 3 == 1 ? -600 : 0, phase = 0;
		unsigned skips = 1 + i % 5, interval = 1180 + b.random.below(359);

		/* The only SKP of a set cannot be dropped. */
		if (skips == 1 && ppm > 0)
			ppm = 0;
		b.top.active_i = b.top.valid_i = b.top.word_i = b.top.skips_i = 0;
		b.clock.reset();
		b.line.clear();
		b.sent.clear();
		b.came.clear();
		b.place = b.random.below(1000);
		b.skips_before = 0;
		b.sets = b.skps = 0;
		for (unsigned k = 0; k < 60000; k++) {
			phase += 1000000 + ppm;
			for (; phase >= 1000000; phase -= 1000000)
				b.arrive(interval, skips);
			b.cycle(k > 500);
		}
		b.compare(!ppm);
		b.tap.check(b.sets > 70, "SKP sets", b.sets);
	}
	b.tap.end();

	b.tap.begin("a symbol with an error is no special one");
	b.top.active_i = 0;
	b.clock.reset();
	b.top.valid_i = 1;
	b.top.skips_i = 0;
	b.top.word_i = 0xfeeee;
	for (unsigned i = 0; i < 20; i++)
		b.clock.tick();
	b.top.active_i = 1;
	b.clock.tick();
	b.tap.equal(b.top.word_o, 0xeeee, "word");
	b.tap.end();
	return b.tap.status();
}
