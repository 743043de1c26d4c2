/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the slow clock come out as symbols of the fast one, none lost, the lower half first. */
#include <vector>

#include "Vrf_ecp5_gear_send.h"
#include "harness.h"

int main()
{
	Vrf_ecp5_gear_send top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	std::vector<unsigned> want(10010, ~0u);
	unsigned half = 0, compared = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("each word's two symbols, in order, two slow cycles after it");
	top.word_i = 0;
	for (unsigned i = 0; i < 10000; i++) {
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
		if (want[i] != ~0u) {
			tap.equal(top.symbol_o, want[i], "symbol");
			compared++;
		}
		if (!half && top.half_clk_o) { /* the slow clock's edge: its registers change */
			top.word_i = (uint32_t)random.below(1 << 24);
			want[i + 3] = top.word_i & 0xfff;
			want[i + 4] = top.word_i >> 12;
		}
		half = top.half_clk_o;
	}
	tap.check(compared > 9900, "all", compared, 9900);
	tap.end();
	return tap.status();
}
