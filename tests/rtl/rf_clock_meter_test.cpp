/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The count is the ratio of the clocks, and 0 for one that stands, as it is behind a reset until the
 * first window is over.
 */
// parameters: -GWindowLog2=12
#include "Vrf_clock_meter.h"
#include "harness.h"

int main()
{
	Vrf_clock_meter top;
	rf::Tap tap;
	uint64_t time = 0;
	static const unsigned periods[] = { 16, 8, 11, 40, 5, 0, 8 };

	tap.begin("a clock that stands has 0 from the reset on, and one that runs for a window");
	top.clk_i = top.other_clk_i = 0;
	top.rst_ni = top.other_rst_ni = 1;
	top.eval();
	for (bool runs : { true, false }) {
		top.clk_i = top.other_clk_i = 0;
		top.rst_ni = top.other_rst_ni = 0;
		top.eval();
		tap.equal(top.count_o, 0, "count in the reset");
		top.rst_ni = top.other_rst_ni = 1;
		for (unsigned cycle = 0; cycle < (runs ? 4094 : 3 * 4096); cycle++) {
			for (unsigned clk : { 0, 1 }) {
				top.clk_i = clk;
				top.other_clk_i = runs && clk;
				top.eval();
			}
			tap.equal(top.count_o, 0, "count");
		}
		/* With a count to lose, the next reset is not the first. */
		for (unsigned t = 0; t < 4 * 4096; t++) {
			top.clk_i = top.other_clk_i = t % 2;
			top.eval();
		}
		tap.check(top.count_o > 120, "count of a clock of the same speed", top.count_o,
			  128);
	}
	tap.end();

	tap.begin("ratios from a half to three, and a clock that stands");
	top.clk_i = top.other_clk_i = 0;
	top.rst_ni = top.other_rst_ni = 0;
	top.eval();
	top.rst_ni = top.other_rst_ni = 1;
	for (unsigned period : periods) { /* clk_i has 16 */
		for (unsigned t = 0; t < 16 * 3 * 4096; t++, time++) {
			top.clk_i = time % 16 < 8;
			if (period)
				top.other_clk_i = time % period < period / 2 + period % 2;
			top.eval();
		}
		unsigned want = period ? 4096 * 16 / period / 32 : 0;

		tap.check(top.count_o + 1 >= want && top.count_o <= want + 1, "count", top.count_o,
			  want);
	}
	tap.end();
	return tap.status();
}
