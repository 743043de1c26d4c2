/* SPDX-License-Identifier: Apache-2.0 */
/* rf_select against a model of both its round robins, cycle by cycle from the reset on. */
// parameters: -GFirst=20
#include "Vrf_select.h"
#include "harness.h"

namespace {

enum : unsigned { PORTS = 5, FIRST = 20 }; /* ports 2 and 4 */

/* The first requester above the last one, one-hot; 0: none. */
unsigned in_turn(unsigned requests, unsigned last)
{
	for (unsigned i = 1; i <= PORTS; i++) {
		unsigned port = (last + i) % PORTS;

		if (requests >> port & 1)
			return 1u << port;
	}
	return 0;
}

unsigned number(unsigned one_hot)
{
	unsigned n = 0;

	while (one_hot >> n > 1)
		n++;
	return n;
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_select top;
	rf::Clock<Vrf_select> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned last[2] = {}, select = 0, kinds[3] = {}; /* request, hint, waiting */
	bool first_last = false;

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("requests in turn, then the hint, then the lowest that waits");
	for (unsigned i = 0; i < 100000; i++) {
		if (i % 400 == 0) {
			top.keep_i = random.chance(50);
			clock.reset(2);
			last[0] = last[1] = PORTS - 1;
			select = 0;
			first_last = false;
		}
		unsigned requests = random.chance(60) ? random.next() & 31 : 0;

		top.keep_i = random.chance(30);
		top.request_i = requests;
		top.hint_i = random.chance(50) ? 1u << random.below(PORTS) : 0;
		top.waiting_i = random.next() & 31;
		top.eval();
		tap.equal(top.select_o, select, "selected");
		if (select || i % 400 == 0)
			tap.equal(top.index_o, number(select), "index");
		if (!top.keep_i) {
			unsigned first = requests & FIRST, others = requests & ~FIRST;
			bool takes = first && !(first_last && others);

			if (requests) {
				select = in_turn(takes ? first : others, last[takes]);
				last[takes] = number(select);
				first_last = takes;
				kinds[0]++;
			} else if (top.hint_i) {
				select = top.hint_i;
				kinds[1]++;
			} else {
				select = top.waiting_i & -top.waiting_i;
				kinds[2]++;
			}
		}
		clock.tick();
	}
	tap.check(kinds[0] > 1000 && kinds[1] > 1000 && kinds[2] > 1000, "all of it happened");
	tap.end();
	top.final();
	return tap.status();
}
