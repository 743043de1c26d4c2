/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_release: a release comes out one cycle later, as it went in, unless its wait is
 * cancelled in that cycle.
 */
#include "Vrf_release.h"
#include "bits.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_release top;
	rf::Clock<Vrf_release> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	bool pending = false, stalled = false;
	unsigned slot = 0, released = 0, cancelled = 0, passed_by = 0;
	uint64_t address = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.release_valid_i = top.cancel_valid_i = 0;
	clock.reset(2);
	tap.begin("a release comes a cycle later, unless it is cancelled");
	for (unsigned i = 0; i < 20000; i++) {
		bool meets;

		top.cancel_valid_i = random.chance(50);
		top.cancel_slot_i = random.chance(50) ? slot : random.below(16);
		meets = pending && top.cancel_valid_i && top.cancel_slot_i == slot;
		top.eval();
		tap.equal(top.release_valid_o, pending && !meets, "valid");
		tap.equal(top.idle_o, !pending, "idle");
		if (top.release_valid_o) {
			tap.equal(top.release_slot_o, slot, "slot");
			tap.equal(top.release_stalled_o, stalled, "stalled");
			tap.equal(rf::bits(top.release_failure_o, 0, 64), address, "address");
		}
		released += pending && !meets;
		cancelled += meets;
		passed_by += pending && top.cancel_valid_i && !meets;

		pending = random.chance(60);
		slot = random.below(16);
		stalled = random.chance(50);
		address = random.next();
		top.release_valid_i = pending;
		top.release_slot_i = slot;
		top.release_stalled_i = stalled;
		rf::put(top.release_failure_i, 0, 64, address);
		clock.tick();
	}
	tap.check(released > 1000 && cancelled > 1000 && passed_by > 1000, "all of it happened",
		  released, cancelled);
	tap.end();
	top.final();
	return tap.status();
}
