/* SPDX-License-Identifier: Apache-2.0 */
/* The detector's word counts once it has said the same for eight cycles. */
#include "Vrf_link_electrical_idle.h"
#include "harness.h"

int main()
{
	Vrf_link_electrical_idle top;
	rf::Clock<Vrf_link_electrical_idle> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.idle_i = 1;
	clock.reset();
	tap.begin(
		"a reset is idle at once, and until the detector has said otherwise for eight cycles");
	for (bool again : { false, true }) {
		tap.equal(top.idle_o, !again, "before");
		top.rst_ni = 0;
		top.eval();
		tap.equal(top.idle_o, 1, "in the reset");
		top.idle_i = 0;
		top.rst_ni = 1;
		for (unsigned k = 0; k < 9; k++) {
			clock.tick();
			tap.equal(top.idle_o, 1, "nine cycles behind it");
		}
		clock.tick();
		tap.equal(top.idle_o, 0, "ten");
	}
	tap.end();

	tap.begin("glitches of up to seven cycles change nothing, eight do, both ways");
	for (unsigned i = 0; i < 2000; i++) {
		bool now = top.idle_o;
		unsigned cycles = 1 + random.below(12);

		top.idle_i = !now;
		for (unsigned k = 0; k < cycles; k++)
			clock.tick();
		if (cycles < 8)
			top.idle_i = now;
		for (unsigned k = 0; k < 12; k++) {
			tap.check(cycles >= 8 || top.idle_o == now, "steady", cycles);
			clock.tick();
		}
		tap.equal(top.idle_o, cycles >= 8 ? !now : now, "the detector's");
	}
	tap.end();

	tap.begin("ten cycles from the detector to the output");
	for (unsigned i = 0; i < 10; i++) {
		bool now = top.idle_o;

		top.idle_i = !now;
		for (unsigned k = 0; k < 9; k++)
			clock.tick();
		tap.equal(top.idle_o, now, "nine");
		clock.tick();
		tap.equal(top.idle_o, !now, "ten");
	}
	tap.end();
	return tap.status();
}
