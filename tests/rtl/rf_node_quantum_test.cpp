/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_node_quantum: what is left of a quantum, cycle by cycle: loaded, begun anew when nothing
 * was left, without end, counted down while the node runs.
 */
#include "Vrf_node_quantum.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_node_quantum top;
	rf::Clock<Vrf_node_quantum> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned over = 0, anew = 0, endless_runs = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.start_i = top.running_i = top.load_left_i = top.load_quantum_i = top.load_data_i = 0;
	clock.reset(2);
	tap.begin("no quantum is over before the first slot");
	tap.equal(top.left_o, 0, "left");
	for (unsigned i = 0; i < 4; i++) {
		tap.equal(top.spent_o, 0, "spent");
		top.running_i = 1;
		clock.tick();
	}
	tap.end();

	tap.begin("a slot has its quantum, or what is left of it");
	for (unsigned i = 0; i < 4000; i++) {
		unsigned kept = random.chance(40) ? 0 : 1 + random.below(40);
		unsigned quantum = random.chance(20) ? 0 : 1 + random.below(60);
		unsigned left = kept ? kept : quantum, run = 10 + random.below(100), ran = 0;
		bool running = random.chance(50); /* already while it is loaded */

		anew += !kept && quantum;
		top.start_i = 1;
		top.running_i = 0;
		clock.tick();
		top.start_i = 0;
		tap.equal(top.spent_o, 0, "nothing is spent at the start");
		top.running_i = running;
		top.load_data_i = kept;
		top.load_left_i = 1;
		clock.tick();
		top.load_left_i = 0;
		tap.equal(top.left_o, kept, "QUANTUM_LEFT");
		for (unsigned w = random.below(4); w; w--)
			clock.tick();
		tap.equal(top.left_o, kept, "no end before it is known");
		tap.equal(top.spent_o, 0, "nor over");
		top.load_data_i = quantum;
		top.load_quantum_i = 1;
		clock.tick();
		top.load_quantum_i = 0;
		top.load_data_i = random.next() & 0xffffff;
		tap.equal(top.left_o, left, "begun anew if nothing was left");
		bool was_over = false;
		for (unsigned c = 0; c < run; c++) {
			bool is_over = quantum && left == ran;

			tap.equal(top.left_o, left - ran, "left");
			if (c)
				tap.equal(top.spent_o, was_over, "over a cycle ago");
			was_over = is_over;
			top.running_i = random.chance(80);
			clock.tick();
			ran += top.running_i && quantum && !is_over;
		}
		over += was_over;
		endless_runs += !quantum;
	}
	tap.check(over > 500 && anew > 500 && endless_runs > 300, "all of it happened", over, anew);
	tap.end();
	top.final();
	return tap.status();
}
