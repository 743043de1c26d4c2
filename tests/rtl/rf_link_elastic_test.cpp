/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of a lane with a clock of its own: all but SKPs come out in order, each with the mark of
 * SKPs before it, and none is lost as long as the SKPs make up for the clocks.
 */
#include <deque>

#include "Vrf_link_elastic.h"
#include "harness.h"
#include "link_words.h"

namespace {

struct Symbol : rf::Symbol {
	unsigned skips;
};

class Bench {
public:
	Bench() : random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.clk_i = top.rx_clk_i = 0;
		top.rst_ni = top.rx_rst_ni = 0;
		top.word_i = 0;
		top.eval();
		top.rst_ni = top.rx_rst_ni = 1;
		top.eval();
		tap.check(!top.overflow_o && !top.valid_o, "a reset tells of nothing");
		wanted.clear();
		skips = place = 0;
		both_bad = false;
		overflows = gaps = 0;
	}

	/* A SKP set now and then; its SKPs never come out. */
	Symbol draw(unsigned interval, unsigned skips)
	{
		Symbol symbol = {};

		if (++place >= interval + skips)
			place = 0;
		if (place == 0) {
			symbol.value = 0xbc;
			symbol.k = true;
		} else if (place <= skips) {
			symbol.value = 0x1c;
			symbol.k = true;
		} else {
			symbol.value = random.next();
			/* 1c is a SKP only as a special symbol, and without an error */
			if (random.chance(5))
				symbol.value = 0x1c;
			symbol.bad = random.chance(2);
			symbol.k = symbol.bad && random.chance(50);
		}
		return symbol;
	}

	void receive(const Symbol &low, const Symbol &high)
	{
		top.word_i = rf::link_word(low, high);
		bool twice = both_bad && low.bad && high.bad;

		both_bad = low.bad && high.bad;
		for (Symbol symbol : { low, high }) {
			if (twice)
				continue;
			if (symbol.k && !symbol.bad && symbol.value == 0x1c) {
				skips += skips < 7;
				continue;
			}
			symbol.skips = skips;
			skips = 0;
			wanted.push_back(symbol);
		}
		top.eval();
		top.rx_clk_i = 1;
		top.eval();
		top.rx_clk_i = 0;
		top.eval();
	}

	void clock()
	{
		top.clk_i = 1;
		top.eval();
		top.clk_i = 0;
		top.eval();
		overflows += top.overflow_o;
		gaps += !top.valid_o;
		for (unsigned i = 0; i < 2 && top.valid_o && !lossy; i++) {
			tap.check(!wanted.empty(), "a symbol that came");
			if (wanted.empty())
				return;
			const Symbol &symbol = wanted.front();

			const rf::Symbol got = rf::link_symbol(top.word_o, i);

			tap.equal(got.value, symbol.value, "value");
			tap.equal(got.k, symbol.k, "k");
			tap.equal(got.bad, symbol.bad, "bad");
			tap.equal(top.skips_o >> (3 * i) & 7, symbol.skips, "SKPs before it");
			wanted.pop_front();
		}
	}

	/* @ppm: of the received clock, faster than the link's */
	void run(unsigned words, int ppm, unsigned interval, unsigned skips)
	{
		int phase = 0;

		while (words--) {
			phase += 1000000 + ppm;
			for (; phase >= 1000000; phase -= 1000000) {
				Symbol low = draw(interval, skips);

				receive(low, draw(interval, skips));
			}
			clock();
			if (random.chance(50))
				continue;
		}
	}

	Vrf_link_elastic top;
	rf::Random random;
	rf::Tap tap;
	std::deque<Symbol> wanted;
	unsigned overflows = 0, gaps = 0, place = 0;
	unsigned skips = 0;
	bool both_bad = false, lossy = false;
};

} // namespace

int main()
{
	Bench b;

	b.tap.begin("every symbol but SKPs, with clocks 600 ppm apart and one SKP in 1538");
	for (unsigned i = 0; i < 30; i++) {
		b.reset();
		b.run(40000,
		      i % 3 == 0   ? 600
		      : i % 3 == 1 ? -600
				   : int(b.random.below(1201)) - 600,
		      1538 - b.random.below(359), 1 + i % 5);
		b.tap.equal(b.overflows, 0, "overflows");
		b.tap.check(b.wanted.size() < 24, "nothing stays", b.wanted.size());
	}
	b.tap.end();

	b.tap.begin("SKPs at any place of a word");
	for (unsigned i = 0; i < 200; i++) {
		b.reset();
		b.run(300, 0, 1 + b.random.below(20), 1 + b.random.below(5));
		b.tap.check(b.gaps > 10, "a gap for each word of SKPs", b.gaps);
	}
	b.tap.end();

	b.tap.begin("a clock that SKPs cannot make up for: the loss is told");
	b.reset();
	b.lossy = true;
	b.run(40000, 5000, 1538, 1);
	b.tap.check(b.overflows > 20, "overflows", b.overflows);
	b.lossy = false;
	b.tap.end();

	b.tap.begin("without a signal, words of errors do not add up");
	b.reset();
	for (unsigned i = 0; i < 100000; i++) {
		const Symbol bad = { { 0xee, true, true }, 0 };

		b.receive(bad, bad);
		if (i % 50)
			b.clock();
	}
	b.tap.equal(b.overflows, 0, "overflows");
	b.tap.end();
	return b.tap.status();
}
