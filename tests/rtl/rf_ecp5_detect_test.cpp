/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Receiver detection against a model of the cell that checks the order and the times of TN1261.
 */
// parameters: -GLimitCycles=2000
#include "Vrf_ecp5_detect.h"
#include "harness.h"

namespace {

constexpr unsigned Time120ns = 15, Strobe = 2, Limit = 2000;

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.present_i = top.detect_i = 0;
		top.tx_idle_i = 1;
		top.cell_done_i = top.cell_present_i = 0;
		idle = enabled = strobed = 0;
		fall = rise = 0;
		failed = runs = 0;
		clock.reset();
	}
	/* The cell: done falls @low cycles after the strobe began, rises @busy later, with @found. */
	void tick()
	{
		clock.tick();
		idle = top.tx_idle_i ? idle + 1 : 0;
		if (top.enable_o && !enabled)
			tap.check(idle >= Time120ns, "idle before enable", idle, Time120ns);
		if (top.strobe_o && !strobed) {
			tap.check(enabled >= Time120ns, "enable before the strobe", enabled,
				  Time120ns);
			runs++;
			fall = low;
		}
		if (!top.strobe_o && strobed && top.detect_i)
			tap.equal(strobed, Strobe, "four byte clocks");
		if (!top.enable_o && enabled && fall + rise)
			tap.check(broken || !top.detect_i, "enable stays until the end");
		enabled = top.enable_o ? enabled + 1 : 0;
		strobed = top.strobe_o ? strobed + 1 : 0;
		if (fall && !--fall) {
			top.cell_done_i = 0;
			top.cell_present_i = broken || random.chance(50); /* not yet valid */
			rise = busy;
		}
		if (rise && !--rise && !(broken & 2)) {
			top.cell_done_i = 1;
			top.cell_present_i = found;
		}
		failed += top.failed_o;
	}
	/* Cycles until done, 0 if it does not come */
	unsigned detect()
	{
		top.detect_i = 1;
		for (unsigned i = 1; i < 3 * Limit; i++) {
			tick();
			if (top.done_o)
				return i;
		}
		return 0;
	}
	void end()
	{
		top.detect_i = 0;
		tick();
		tick();
		tap.check(!top.done_o && !top.enable_o, "done only while asked");
	}

	Vrf_ecp5_detect top;
	rf::Clock<Vrf_ecp5_detect> clock;
	rf::Random random;
	rf::Tap tap;
	unsigned idle, enabled, strobed, fall, rise, low = 4, busy = 1000, broken = 0;
	unsigned failed, runs;
	bool found = false;
};

} /* namespace */

int main()
{
	Bench bench;
	rf::Tap &tap = bench.tap;

	tap.begin("both answers, whatever done was before, and however long the cell takes");
	bench.reset();
	for (unsigned i = 0; i < 200; i++) {
		bench.low = 1 + bench.random.below(40);
		bench.busy = 3 + bench.random.below(1500);
		bench.found = bench.random.chance(50);
		bench.top.cell_done_i = bench.random.chance(80);
		if (bench.random.chance(50))
			bench.top.cell_present_i = !bench.found;
		tap.check(bench.detect(), "an answer");
		tap.equal(bench.top.present_o, bench.found, "the cell's");
		for (unsigned k = bench.random.below(20); k; k--) {
			bench.tick();
			tap.check(bench.top.done_o && bench.top.present_o == bench.found,
				  "it stays");
		}
		bench.end();
		for (unsigned k = bench.random.below(20); k; k--)
			bench.tick();
	}
	tap.equal(bench.runs, 200, "a strobe each");
	tap.equal(bench.failed, 0, "none failed");
	tap.end();

	tap.begin("it waits for electrical idle");
	bench.reset();
	bench.found = true;
	bench.top.tx_idle_i = 0;
	bench.top.detect_i = 1;
	for (unsigned i = 0; i < 300; i++) {
		bench.tick();
		tap.check(!bench.top.enable_o, "not idle");
	}
	for (unsigned i = 0; i < 20; i++) { /* not steady */
		bench.top.tx_idle_i = i & 1;
		for (unsigned k = 0; k < 10; k++)
			bench.tick();
		tap.check(!bench.top.enable_o, "not for long");
	}
	bench.top.tx_idle_i = 1;
	tap.check(bench.detect() && bench.top.present_o, "then it does");
	bench.end();
	tap.end();

	tap.begin("a cell without an answer: nothing is found, and it is told");
	for (unsigned broken = 1; broken < 3; broken++) {
		bench.reset();
		bench.found = true;
		bench.broken = broken;
		bench.top.cell_done_i = 1;
		bench.top.cell_present_i = 1;
		bench.low = broken == 1 ? 0 : 4; /* done does not fall, or does not rise */
		tap.check(bench.detect() >= Limit, "after the limit");
		tap.equal(bench.top.present_o, 0, "nothing");
		tap.equal(bench.failed, 1, "told once");
		bench.end();
	}
	bench.broken = 0;
	tap.end();

	tap.begin("the switch: there is a receiver, whatever the cell says");
	bench.reset();
	bench.low = 4;
	bench.found = false;
	bench.top.present_i = 1;
	for (unsigned i = 0; i < 4; i++)
		bench.tick();
	tap.check(bench.detect() < 5, "at once");
	tap.equal(bench.top.present_o, 1, "present");
	tap.equal(bench.runs, 0, "no strobe");
	bench.end();
	bench.top.present_i = 0;
	for (unsigned i = 0; i < 4; i++)
		bench.tick();
	tap.check(bench.detect(), "an answer");
	tap.equal(bench.top.present_o, 0, "the cell's again");
	tap.end();

	tap.begin("it can be given up at any time");
	for (unsigned i = 0; i < 200; i++) {
		bench.reset();
		bench.low = 4;
		bench.busy = 30;
		bench.found = true;
		bench.top.detect_i = 1;
		for (unsigned k = bench.random.below(120); k; k--)
			bench.tick();
		bench.end();
		for (unsigned k = 0; k < 60; k++)
			bench.tick();
		tap.check(bench.detect() && bench.top.present_o, "and begun again");
	}
	tap.end();
	return tap.status();
}
