// SPDX-License-Identifier: Apache-2.0
//
// rf_wait_release: what ends a wait, and what is told of it.

#include "Vrf_wait_release.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

int main()
{
	Vrf_wait_release top;
	Random r(seed());
	Tap tap;
	static const unsigned errors[] = {
		RF_QUEUE_ERROR_NONE,
		RF_QUEUE_ERROR_TRANSLATION,
		RF_QUEUE_ERROR_UNSUPPORTED_REQUEST,
		RF_QUEUE_ERROR_COMPLETER_ABORT,
		RF_QUEUE_ERROR_POISONED,
		RF_QUEUE_ERROR_COMPLETION_TIMEOUT,
	};
	unsigned hits = 0, answers = 0, failures = 0, faults = 0, stopped = 0, low = 0;

	tap.begin("a hit, an answer or a fault ends a wait, unless it is cancelled");
	for (unsigned i = 0; i < 100000; i++) {
		unsigned kind = r.below(4), status = r.chance(60) ? 0 : 1 + r.below(5), error = 0;
		bool ends = false;

		top.hit_i = kind == 1, top.judge_i = kind == 2, top.fault_i = kind == 3;
		top.hit_slot_i = r.below(16), top.answer_slot_i = r.below(16);
		top.fault_slot_i = r.below(16);
		top.reaches_i = r.chance(50);
		top.status_i = status, top.level_i = r.below(4), top.fault_level_i = r.below(4);
		top.asked_va_i = r.next();
		unsigned slot = kind == 1   ? top.hit_slot_i
				: kind == 2 ? top.answer_slot_i
					    : top.fault_slot_i;
		top.cancel_valid_i = r.chance(30);
		top.cancel_slot_i = r.chance(50) ? slot : r.below(16);
		top.eval();

		if (kind == 2)
			error = errors[status], ends = status || top.reaches_i;
		else
			error = kind == 3 ? RF_QUEUE_ERROR_TRANSLATION : 0, ends = kind != 0;
		bool valid = ends && !(top.cancel_valid_i && top.cancel_slot_i == slot);

		tap.equal(top.valid_o, valid, "release");
		tap.equal(top.ended_o, ends ? 1u << slot : 0, "the place that ends");
		if (ends) {
			tap.equal(top.slot_o, slot, "slot");
			tap.equal(bits(top.failure_o, 67, 8), error, "error");
			tap.equal(bits(top.failure_o, 64, 1), 0, "a load");
			tap.equal(bits(top.failure_o, 0, 64), top.asked_va_i, "address");
			if (error)
				tap.equal(bits(top.failure_o, 65, 2),
					  kind == 3 ? top.fault_level_i : top.level_i, "level");
		}
		hits += valid && kind == 1, answers += valid && kind == 2 && !status;
		failures += valid && kind == 2 && status, faults += valid && kind == 3;
		stopped += ends && !valid, low += kind == 2 && !ends;
	}
	tap.check(hits > 1000 && answers > 1000 && failures > 1000 && faults > 1000 &&
			  stopped > 1000 && low > 1000,
		  "all of it happened", hits, stopped);
	tap.end();
	top.final();
	return tap.status();
}
