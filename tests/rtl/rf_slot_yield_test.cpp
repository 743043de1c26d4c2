/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_slot_yield: which slot of the scan is due for a yield record and why, once each, and that
 * it is settled behind a whole calm round alone.
 */
#include "Vrf_slot_yield.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_slot_yield top;
	rf::Clock<Vrf_slot_yield> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned told = 0, spent = 0, slot = 0, looked = 0, why[3] = {}, settled = 0, sending = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.oversubscribed_i = top.scan_i = top.may_yield_i = top.yielded_i = top.calm_i = 0;
	top.waiting_i = top.works_i = top.spent_i = top.rearm_i = 0;
	clock.reset(2);
	tap.begin("a slot that could be swapped is due once, for its reason");
	for (unsigned i = 0; i < 100000; i++) {
		bool lazy = i / 500 % 2; /* little happens: it settles */
		bool rests = sending || random.chance(lazy ? 0 : 10);
		uint16_t here = 1u << slot, some = random.next() & random.next();
		bool waits, works, due;

		if (!lazy || i % 500 == 0) {
			top.may_yield_i = random.next() | random.next();
			top.waiting_i = random.next() & random.next();
			top.works_i = random.next() | random.next();
		}
		top.oversubscribed_i = lazy || random.chance(90);
		top.spent_i = !lazy && random.chance(30) ? some : 0;
		top.rearm_i = !lazy && random.chance(30) ? some & random.next() : 0;
		top.scan_i = (uint32_t)rests << 22 | slot << 16 | here;
		top.yielded_i = sending == 1 ? here : 0;
		/* while it rests, something is told */
		top.calm_i = !rests && (lazy ? random.chance(99) : random.chance(50));
		waits = top.waiting_i & here;
		works = top.works_i & here;
		due = top.oversubscribed_i && !rests && (top.may_yield_i & here & ~told) &&
		      (waits || !works || (spent & here));
		top.eval();
		tap.equal(top.due_o, due, "due");
		if (due) {
			unsigned reason = waits	   ? RF_YIELD_REASON_BLOCKED
					  : !works ? RF_YIELD_REASON_IDLE
						   : RF_YIELD_REASON_QUANTUM;

			tap.equal(top.reason_o, reason, "reason");
			why[waits ? 0 : !works ? 1 : 2]++;
		}
		/* looked: slots seen in a row, none due, calm */
		if (top.settled_o && top.oversubscribed_i) {
			tap.check(!due && looked >= 16, "settled before a whole round", looked);
			settled++;
		}
		tap.check(top.settled_o || top.oversubscribed_i || due, "nothing is due for ever");
		tap.check(top.settled_o || due || looked < 48, "not settled", looked);

		told = (told | top.yielded_i) & ~top.rearm_i;
		spent = (spent | top.spent_i) & ~top.rearm_i;
		looked = top.calm_i && !due && top.oversubscribed_i ? looked + 1 : 0;
		if (sending)
			sending--;
		else if (due)
			sending = 3;
		if (!rests && !due)
			slot = (slot + 1) % 16;
		clock.tick();
	}
	tap.check(why[0] > 100 && why[1] > 100 && why[2] > 100 && settled > 1000,
		  "all of it happened", why[2], settled);
	tap.end();
	top.final();
	return tap.status();
}
