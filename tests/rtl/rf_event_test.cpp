/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events between clocks of many ratios: none is lost, none is invented, those that are close together
 * may be one; a reset of either side is none.
 */
#include "Vrf_event.h"
#include "harness.h"

int main()
{
	Vrf_event top;
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	static const unsigned periods[][2] = { { 8, 8 },  { 8, 16 }, { 8, 31 }, { 16, 8 },
					       { 50, 8 }, { 8, 9 },  { 9, 8 },	{ 7, 27 } };
	for (auto &period : periods) {
		unsigned sent = 0, seen = 0, outstanding = 0, last = 0, gap = 0;

		tap.begin("periods of " + std::to_string(period[0]) + " and " +
			  std::to_string(period[1]));
		top.from_clk_i = top.to_clk_i = top.event_i = 0;
		top.from_rst_ni = top.to_rst_ni = 0;
		top.eval();
		top.from_rst_ni = top.to_rst_ni = 1;
		for (unsigned t = 0; t < 400000; t++) {
			bool from = t % period[0] == 0, to = (t + 3) % period[1] == 0;

			if (from) {
				top.event_i = gap == 0;
				if (top.event_i) {
					/* often far from the next, sometimes close */
					gap = random.chance(30) ? random.below(20)
								: 60 + random.below(60);
					sent++;
					outstanding = 1;
					last = t;
				} else {
					gap--;
				}
			}
			top.from_clk_i = from;
			top.to_clk_i = to;
			top.eval();
			top.from_clk_i = top.to_clk_i = 0;
			if (to && top.event_o) {
				tap.check(seen < sent, "none is invented", seen, sent);
				seen++;
				outstanding = 0;
			}
			top.eval();
			if (outstanding && t - last > 40 * period[0] + 5 * period[1]) {
				tap.check(false, "lost", t, last);
				outstanding = 0;
			}
		}
		tap.check(seen * 2 > sent && seen <= sent, "about as many", seen, sent);
		tap.end();
	}

	tap.begin("an event in the first cycle behind a reset is one");
	for (auto &period : periods) {
		unsigned seen = 0;

		top.from_clk_i = top.to_clk_i = top.event_i = 0;
		top.from_rst_ni = top.to_rst_ni = 0;
		top.eval();
		top.from_rst_ni = top.to_rst_ni = 1;
		for (unsigned t = 0; t < 100 * period[0]; t++) {
			bool to = (t + 3) % period[1] == 0;

			top.event_i = t == 0;
			top.from_clk_i = t % period[0] == 0;
			top.to_clk_i = to;
			top.eval();
			top.from_clk_i = top.to_clk_i = 0;
			top.eval();
			seen += to && top.event_o;
		}
		tap.equal(seen, 1, "events");
	}
	tap.end();

	tap.begin("a reset of one side is no event");
	for (unsigned i = 0; i < 200; i++) {
		unsigned before = 0;

		top.event_i = 0;
		for (unsigned t = 0; t < 60; t++) {
			if (t == 20 && i & 1)
				top.from_rst_ni = 0;
			if (t == 20 && !(i & 1))
				top.to_rst_ni = 0;
			if (t == 24)
				top.from_rst_ni = top.to_rst_ni = 1;
			top.from_clk_i = top.to_clk_i = 1;
			top.eval();
			top.from_clk_i = top.to_clk_i = 0;
			top.eval();
			before += t > 20 && top.event_o;
		}
		tap.equal(before, 0, "none");
	}
	tap.end();
	return tap.status();
}
