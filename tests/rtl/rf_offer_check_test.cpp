/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_offer_check: fails in the cycle in which what waits is withdrawn or another, and in no other.
 */
// parameters: -GWidth=8
#include "Vrf_offer_check.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_offer_check top;
	rf::Clock<Vrf_offer_check> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	bool waits = false;
	unsigned offered = 0, kept = 0, withdrawn = 0, other = 0, resets = 0;
	const unsigned rounds = 4000;

	printf("# seed %" PRIu64 "\n", rf::seed());
	/* failures are counted, and end nothing */
	Verilated::threadContextp()->errorLimit(2 * rounds);
	top.valid_i = 0;
	clock.reset(2);
	tap.begin("an offer that waits has to stay as it is");
	for (unsigned i = 0; i < rounds; i++) {
		int before = Verilated::threadContextp()->errorCount();
		bool wrong;

		if (random.chance(2)) {
			clock.reset(1);
			tap.equal(Verilated::threadContextp()->errorCount(), before,
				  "none in reset");
			waits = false;
			resets++;
		}
		top.valid_i = random.chance(waits ? 90 : 50);
		top.ready_i = random.chance(50);
		if (!waits || random.chance(10))
			top.data_i = random.below(256);
		wrong = waits && (!top.valid_i || top.data_i != offered);
		withdrawn += waits && !top.valid_i;
		other += waits && top.valid_i && top.data_i != offered;
		kept += waits && !wrong;
		before = Verilated::threadContextp()->errorCount();
		clock.tick();
		tap.equal(Verilated::threadContextp()->errorCount() - before, wrong, "it fails");
		waits = top.valid_i && !top.ready_i;
		offered = top.data_i;
	}
	tap.check(withdrawn > 20 && other > 20 && kept > 200 && resets > 20, "all of it happened",
		  withdrawn, other);
	tap.end();
	top.final();
	return tap.status();
}
