/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_node_kept under random turns, against a model: whose words are still in the fetch, as a node
 * takes its slots.
 */
#include "Vrf_node_kept.h"
#include "harness.h"

namespace {

struct Place {
	bool valid = false; /* the last turn here began with work, and nothing came since */
	unsigned owner = 16, behind = 0, shift = 0;
	bool skipped = false;
};

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_node_kept top;
	rf::Clock<Vrf_node_kept> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	Place place[4];
	bool idle = true;
	unsigned slot = 0, turn = 0, kept = 0, others = 0, empty = 0; /* turn: cycles of it */

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.start_i = top.work_i = top.slot_write_i = top.invalidate_i = 0;
	top.slot_i = 0;
	top.idle_i = 1;
	tap.begin("what is kept is that of the slot's last turn, with nothing written since");
	clock.reset(1);
	for (unsigned i = 0; i < 100000; i++) {
		bool calm = i / 1000 % 2;

		if (random.below(500) == 0) { /* nothing is kept behind a reset */
			top.rst_ni = 0;
			top.eval();
			top.rst_ni = 1;
			idle = true;
			for (Place &any : place)
				any.valid = false;
		}
		if (idle && random.chance(30)) { /* the next turn */
			slot = random.below(calm ? 6 : 16);
			idle = false;
			turn = 0;
		} else if (!idle && random.chance(30)) {
			idle = true;
		}
		Place &p = place[slot % 4];
		bool known = !idle && turn++ > 0;
		bool start = known && random.chance(40), work = random.chance(80);
		bool write = random.chance(calm ? 1 : 5), invalidate = random.chance(calm ? 1 : 5);
		bool failed = random.chance(calm ? 1 : 5), skipped = random.chance(50);
		unsigned behind = random.below(16), shift = random.below(16);

		top.slot_i = slot;
		top.idle_i = idle;
		top.start_i = start;
		top.work_i = work;
		top.skipped_i = skipped;
		top.slot_write_i = write;
		top.invalidate_i = invalidate;
		top.fetched_i = failed << 8 | behind << 4 | shift;
		top.eval();
		bool valid = p.valid && p.owner == slot;
		tap.equal(top.kept_o >> 9, slot % 4, "the place of a slot");
		if (known) {
			tap.equal(top.kept_o >> 8 & 1, valid, "its words are there");
			tap.equal(top.skips_o, valid && p.skipped, "the WAIT is skipped");
		}
		if (known && valid)
			tap.equal(top.kept_o & 0xff, p.behind << 4 | p.shift, "up to where");
		kept += start && valid;
		others += start && p.valid && !valid;
		empty += start && valid && !work;
		if (idle)
			p.owner = slot, p.behind = behind, p.shift = shift, p.skipped = skipped;
		if (start)
			p.valid = work;
		if (write || invalidate || failed)
			for (Place &any : place)
				any.valid = false;
		clock.tick();
	}
	tap.check(kept > 500 && others > 100 && empty > 100, "all of it happened", kept, others);
	tap.end();
	top.final();
	return tap.status();
}
