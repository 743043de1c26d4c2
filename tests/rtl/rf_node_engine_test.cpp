/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_node_engine: an engine that is done with operations in order, fails, and cuts off what it
 * has when it is asked to; against a queue of what it was handed.
 */
#include "Vrf_node_engine.h"
#include "bits.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_node_engine top;
	rf::Clock<Vrf_node_engine> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned count = 0, back = 0, fails = 0, aborts = 0, rewinds = 0, full = 0;
	bool failed = false, rewound = false, cutting = false;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.offered_i = top.issued_i = top.stops_i = top.leaves_i = top.slot_error_i = 0;
	rf::put(top.result_i, 0, 64, 0);
	rf::put(top.result_i, 64, 64, 0);
	rf::put(top.result_i, 128, 45, 0);
	clock.reset(2);
	tap.begin("operations are counted, come back and fail");
	for (unsigned i = 0; i < 200000; i++) {
		bool done, cut, bad;

		top.slot_error_i = random.chance(failed ? 30 : 2);
		top.offered_i = count < 7 && !rewound && random.chance(i / 1000 % 2 ? 60 : 20);
		top.issued_i = top.offered_i && random.chance(60);
		top.stops_i = cutting || random.chance(2);
		/* as the engine does: asked for when it has something */
		cut = top.stops_i && count && random.chance(50);
		done = count && (cut || random.chance(20));
		bad = done && !cut && random.chance(10);
		cutting = (cutting || cut) && (count > 1 || !done || top.issued_i);
		top.leaves_i = !count && !top.offered_i && rewound && random.chance(30);
		rf::put(top.result_i, 172, 1, done);
		rf::put(top.result_i, 171, 1, cut);
		rf::put(top.result_i, 163, 8, bad ? 1 + random.below(255) : 0);
		top.eval();
		tap.equal(top.idle_o, !count, "idle");
		tap.equal(top.room_o, count < 7, "room for one more");
		tap.equal(top.fails_o, bad, "fails");
		tap.equal(top.failed_o, failed, "failed until the slot is in error");
		tap.equal(top.failed_next_o, bad || (failed && !top.slot_error_i),
			  "failed from now on");
		tap.equal(top.rewinds_o, done && cut && !rewound, "the first that comes back");
		tap.equal(top.rewound_o, rewound, "until the slot is left");
		tap.equal(top.back_o, back, "how many came back");
		tap.equal(top.control_o >> 1, count && (top.slot_error_i || failed), "abort");
		tap.equal(top.control_o & 1, top.stops_i && (count || top.offered_i), "preempt");
		full += count == 7;
		fails += bad;
		rewinds += top.rewinds_o;
		aborts += top.control_o >> 1;

		back = done && cut && !rewound ? count : 0;
		rewound = (rewound || (done && cut)) && !top.leaves_i;
		failed = bad || (failed && !top.slot_error_i);
		count += top.issued_i - done;
		clock.tick();
	}
	tap.check(full > 100 && fails > 100 && rewinds > 100 && aborts > 100, "all of it happened",
		  full, rewinds);
	tap.end();
	top.final();
	return tap.status();
}
