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
	unsigned hits = 0, responses = 0, failures = 0, stopped = 0, low = 0;

	tap.begin("a hit, a response or a fault ends a wait, unless it is cancelled");
	for (unsigned i = 0; i < 100000; i++) {
		unsigned kind = r.below(3), status = r.chance(60) ? 0 : 1 + r.below(5), error = 0;
		bool ends = kind == 1;

		top.hit_i = kind == 1, top.judge_i = kind == 2;
		top.slot_i = r.below(16), top.slot_onehot_i = 1u << top.slot_i;
		top.reaches_i = r.chance(50);
		top.status_i = status, top.level_i = r.below(4);
		top.asked_va_i = r.next();
		top.cancel_valid_i = r.chance(30);
		top.cancel_slot_i = r.chance(50) ? top.slot_i : r.below(16);
		top.eval();

		if (kind == 2)
			error = errors[status], ends = status || top.reaches_i;
		bool valid = ends && !(top.cancel_valid_i && top.cancel_slot_i == top.slot_i);

		tap.equal(top.valid_o, valid, "release");
		tap.equal(top.ended_o, ends ? 1u << top.slot_i : 0, "the place that ends");
		if (ends) {
			tap.equal(bits(top.failure_o, 67, 8), error, "error");
			tap.equal(bits(top.failure_o, 64, 1), 0, "a load");
			tap.equal(bits(top.failure_o, 0, 64), top.asked_va_i, "address");
			if (error)
				tap.equal(bits(top.failure_o, 65, 2), top.level_i, "level");
		}
		hits += valid && kind == 1, responses += valid && kind == 2 && !status;
		failures += valid && kind == 2 && status;
		stopped += ends && !valid, low += kind == 2 && !ends;
	}
	tap.check(hits > 1000 && responses > 1000 && failures > 1000 && stopped > 1000 &&
			  low > 1000,
		  "all of it happened", hits, stopped);
	tap.end();
	top.final();
	return tap.status();
}
