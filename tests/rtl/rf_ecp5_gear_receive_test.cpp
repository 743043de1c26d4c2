/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the fast clock come as words of the slow one; words change with its falling edge alone. */
#include <deque>

#include "Vrf_ecp5_gear_receive.h"
#include "harness.h"

int main()
{
	Vrf_ecp5_gear_receive top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	std::deque<unsigned> symbols;
	unsigned half = 0, words = 0;
	bool begun = false;

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("two symbols a word, none lost");
	top.symbol_i = 0;
	for (unsigned i = 0; i < 10000; i++) {
		uint32_t before = top.word_o;

		top.symbol_i = random.below(1 << 12);
		symbols.push_back(top.symbol_i);
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
		if (!half && top.half_clk_o)
			tap.equal(top.word_o, before, "no change with the rising edge");
		if (half && !top.half_clk_o) {
			if (!begun)
				while (symbols.size() > 2)
					symbols.pop_front();
			begun = symbols.size() == 2;
			if (begun) {
				tap.equal(top.word_o, symbols[0] | symbols[1] << 12,
					  "the last two");
				symbols.clear();
				words++;
			}
		}
		half = top.half_clk_o;
	}
	tap.check(words > 4990, "all", words, 4990);
	tap.end();
	return tap.status();
}
