/* SPDX-License-Identifier: Apache-2.0 */
/* Which operation a performed write ends, and what is told of it. */
#include "Vrf_fence_tracker.h"
#include "bits.h"
#include "harness.h"

#include <deque>

namespace {

struct Operation {
	bool logged, compare, log_only;
	unsigned slot, last_step;
	uint64_t address;
	/* of its first write that failed */
	bool failed = false;
	unsigned step = 0, status = 0, level = 0, failed_step = 0, cycles = 0;
};

class Bench {
public:
	Bench(Vrf_fence_tracker &top, rf::Random &random, rf::Tap &tap) :
	    top(top), random(random), tap(tap), clock(top)
	{
		top.enter_i = top.write_done_i = top.value_failed_i = 0;
		top.error_i = 0;
		clock.reset();
	}

	/* One operation enters; those with log come alone. */
	void enter(bool logged)
	{
		Operation op;

		op.logged = logged;
		op.compare = random.chance(50);
		op.log_only = logged && random.chance(40);
		op.slot = random.below(16);
		op.address = random.next();
		op.last_step = logged ? 1 + random.below(3) : random.below(4);
		top.enter_i = 1;
		top.logged_i = op.logged;
		top.compare_i = op.compare;
		top.slot_i = op.slot;
		top.log_only_i = op.log_only;
		top.address_i = op.address;
		top.last_step_i = op.last_step;
		open.push_back(op);
	}

	/* A write is performed, with a status; looks at what is told in its cycle. */
	void perform(unsigned status)
	{
		Operation &op = open.front();
		bool last = !op.logged || op.step == op.last_step;

		top.write_done_i = 1;
		top.write_done_status_i = status;
		top.write_done_level_i = random.below(4);
		top.failed_address_i = random.next() >> 3;
		top.eval();
		if (status && !op.failed) {
			op.failed = true;
			op.status = status;
			op.level = top.write_done_level_i;
			op.failed_step = op.step;
		}
		if (op.logged)
			tap.equal(top.failed_step_o, op.failed ? op.failed_step : op.step, "step");
		tap.equal(top.done_valid_o, last, "done with its last write");
		tap.equal(top.log_done_o, last && op.logged, "the one with log is over");
		if (last) {
			tap.equal(top.done_slot_o, op.slot, "slot");
			tap.equal(top.done_log_only_o, op.log_only, "log only");
			tap.equal(top.done_compare_o, op.compare, "comparison");
			tap.equal(top.done_fails_o, op.failed, "fails");
			tap.equal(top.done_lost_o, op.logged ? top.value_failed_i : status != 0,
				  "lost");
			tap.equal(rf::bits(top.done_failure_o, 67, 8),
				  op.failed ? RF_QUEUE_ERROR_TRANSLATION - 1 + op.status : 0,
				  "error");
			if (op.failed) {
				tap.equal(rf::bits(top.done_failure_o, 65, 2), op.level, "level");
				tap.equal(rf::bits(top.done_failure_o, 64, 1), 1, "store");
				tap.equal(rf::bits(top.done_failure_o, 0, 64),
					  op.logged ? (uint64_t)top.failed_address_i << 3
						    : op.address,
					  "address");
			}
		}
		op.step++;
		if (last)
			ended = true;
	}

	/* Ends the cycle; what is offered meanwhile is nothing. */
	void step()
	{
		bool performs = top.write_done_i;

		top.eval();
		if (!performs) {
			tap.check(!top.done_valid_o && !top.done_fails_o && !top.log_done_o,
				  "nothing is done");
		}
		clock.tick();
		if (ended)
			open.pop_front();
		ended = false;
		for (Operation &op : open)
			op.cycles++;
		top.enter_i = top.write_done_i = 0;
		/* What the inputs of an entry are later does not matter, but for the one with log. */
		if (!logged()) {
			top.logged_i = random.chance(50);
			top.compare_i = random.chance(50);
			top.slot_i = random.next();
			top.log_only_i = random.chance(50);
			top.last_step_i = random.next();
		}
		top.address_i = random.next();
		top.eval();
		tap.equal(top.ready_o, open.size() < 4, "room");
		tap.equal(top.alone_o, open.size() == 1, "one is under way");
		tap.equal(top.idle_o, open.empty(), "idle");
	}

	bool logged() const { return open.size() && open.back().logged; }

	Vrf_fence_tracker &top;
	rf::Random &random;
	rf::Tap &tap;
	rf::Clock<Vrf_fence_tracker> clock;
	std::deque<Operation> open;
	bool ended = false;
};

} /* namespace */

int main()
{
	Vrf_fence_tracker top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, random, tap);

	tap.begin("operations end in order, each with its last write, and with its first failure");
	{
		unsigned most = 0, failures = 0, logs = 0;

		for (int i = 0; i < 40000; i++) {
			unsigned enter_percent = i & 512 ? 80 : 20, status = 0;
			bool was_open = !bench.open.empty();

			if (random.chance(20))
				status = 1 + random.below(6);
			top.value_failed_i = random.chance(30);
			/* One with log comes alone, and nothing enters behind it. */
			if (random.chance(enter_percent) && bench.open.size() < 4 &&
			    !bench.logged()) {
				bool logged = !was_open && random.chance(30);

				bench.enter(logged);
				logs += logged;
			}
			/* A write takes some cycles. */
			if (was_open && random.chance(50) && bench.open.front().cycles > 2) {
				bench.perform(status);
				failures += status != 0;
			}
			bench.step();
			if (bench.open.size() > most)
				most = bench.open.size();
		}
		while (!bench.open.empty()) {
			bench.perform(0);
			bench.step();
		}
		tap.equal(most, 4, "operations under way");
		tap.check(logs > 300 && failures > 500, "logs and failures", logs, failures);
	}
	tap.end();

	tap.begin("one that is refused ends alone, behind all others, with its error");
	for (int i = 0; i < 500; i++) {
		unsigned count = random.below(4), error = 1 + random.below(20),
			 slot = random.below(16);

		for (unsigned n = 0; n < count; n++) {
			bench.enter(false);
			bench.step();
		}
		/* It is shown until it is over. */
		top.error_i = error;
		for (unsigned n = 0; n < count; n++) {
			for (unsigned wait = random.below(4); wait; wait--) {
				bench.step();
				tap.check(!top.done_fails_o, "not before the others");
			}
			bench.perform(0);
			top.slot_i = slot;
			top.log_only_i = i & 1;
			bench.step();
		}
		for (unsigned wait = 0; !top.done_valid_o && wait < 3; wait++) {
			top.slot_i = slot;
			top.log_only_i = i & 1;
			bench.clock.tick();
		}
		tap.check(top.done_valid_o && top.log_done_o && top.done_fails_o, "over");
		tap.equal(top.done_slot_o, slot, "slot");
		tap.equal(top.done_log_only_o, i & 1, "log only");
		tap.equal(top.done_compare_o, 0, "nothing is compared");
		tap.equal(rf::bits(top.done_failure_o, 67, 8), error, "error");
		tap.equal(rf::bits(top.done_failure_o, 0, 64), 0, "no address");
		bench.clock.tick();
		tap.check(!top.done_valid_o, "once");
		top.error_i = 0;
		bench.clock.tick();
		tap.check(!top.done_valid_o, "once");
	}
	tap.end();

	tap.begin("a reset forgets all");
	bench.enter(false);
	bench.step();
	bench.open.clear();
	bench.clock.reset();
	tap.check(top.idle_o && top.ready_o && !top.alone_o, "idle");
	tap.end();

	return tap.status();
}
