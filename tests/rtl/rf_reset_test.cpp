/* SPDX-License-Identifier: Apache-2.0 */
/* A reset begins at once, also without a clock, and ends with the second edge behind its cause. */
#include "Vrf_reset.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_reset top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned ends = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.clk_i = 0;
	top.arst_ni = 1;
	top.eval();
	tap.begin("it begins at once and ends with the second edge of the clock");
	for (unsigned i = 0; i < 5000; i++) {
		unsigned in_reset = random.below(4), behind = random.below(5);

		top.clk_i = random.chance(50);
		top.eval();
		top.arst_ni = 0;
		top.eval();
		tap.equal(top.rst_no, 0, "begins without an edge");
		for (unsigned edge = 0; edge < in_reset; edge++) {
			top.clk_i = 0;
			top.eval();
			top.clk_i = 1;
			top.eval();
			tap.equal(top.rst_no, 0, "lasts");
		}
		top.clk_i = 0;
		top.eval();
		top.arst_ni = 1;
		top.eval();
		tap.equal(top.rst_no, 0, "does not end without an edge");
		for (unsigned edge = 1; edge <= behind; edge++) {
			top.clk_i = 1;
			top.eval();
			tap.equal(top.rst_no, edge >= 2, "ends with the second edge");
			top.clk_i = 0;
			top.eval();
			ends += edge == 2;
		}
	}
	tap.check(ends > 1000, "resets that ended", ends);
	tap.end();
	top.final();
	return tap.status();
}
