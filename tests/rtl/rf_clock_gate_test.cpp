/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_clock_gate: an edge in each cycle in which the block is awake, for so many behind it and
 * behind a reset, and in no other; none but with an edge of the clock.
 */
// parameters: -GLinger=5 -DRF_CLOCK_GATES
#include "Vrf_clock_gate.h"
#include "harness.h"

static const unsigned Linger = 5;

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_clock_gate top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned left = Linger, edges = 0, asleep = 0, woken = 0, resets = 0;
	bool sleeps = false;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.wake_i = 0;
	rf::Clock<Vrf_clock_gate>(top).reset();
	top.clk_i = 0;
	top.eval();
	tap.begin("the edges of a block that is awake");
	for (unsigned i = 0; i < 20000; i++) {
		bool reset = random.chance(1), wake = random.chance(15), edge;

		/* settles while the clock is low, also by way of something else */
		top.wake_i = !wake;
		top.eval();
		tap.equal(top.clk_o, 0, "none while the clock is low");
		top.rst_ni = !reset;
		top.wake_i = wake;
		top.eval();
		tap.equal(top.clk_o, 0, "none while the clock is low");
		if (reset)
			left = Linger;
		edge = reset || wake || left;
		top.clk_i = 1;
		top.eval();
		tap.equal(top.clk_o, edge, "an edge");
		if (!reset)
			left = wake ? Linger : left ? left - 1 : 0;
		/* what follows from the edge comes while the clock is high */
		top.wake_i = random.chance(50);
		top.eval();
		tap.equal(top.clk_o, edge, "no glitch");
		top.clk_i = 0;
		top.eval();
		edges += edge;
		asleep += !edge;
		woken += sleeps && wake;
		resets += reset;
		sleeps = !edge;
	}
	tap.check(edges > 1000 && asleep > 1000 && woken > 100 && resets > 50, "all of it happened",
		  woken, resets);
	tap.end();
	top.final();
	return tap.status();
}
