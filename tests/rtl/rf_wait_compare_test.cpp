// SPDX-License-Identifier: Apache-2.0
//
// rf_wait_compare against a model, cycle by cycle: which place is looked up for a snoop, which
// are left to read again, and what its comparison says in the next cycle; with register reads in
// between.

#include "Vrf_wait_compare.h"
#include "harness.h"

using namespace rf;

namespace {

struct Place {
	bool local = false, reread = false; /* reread, of a write: its value is not known here */
	uint64_t address = 0, value = 0; /* address: in words */
};

constexpr uint64_t kLow = 0xff; /* the bits that are compared at once */

/* Few addresses, that differ in one bit anywhere; values that halves would compare wrongly. */
uint64_t some_address(Random &r)
{
	uint64_t address = 0x5a5a5a5a5a5a5ull;

	return r.chance(70) ? address : address ^ 1ull << r.below(52);
}
uint64_t some_value(Random &r, uint64_t near)
{
	switch (r.below(6)) {
	case 0:
		return near;
	case 1:
		return near - 1;
	case 2:
		return near + 1;
	case 3:
		return near ^ 1ull << r.below(64);
	case 4:
		return near << 32 | near >> 32;
	default:
		return r.next();
	}
}

} /* namespace */

int main()
{
	Vrf_wait_compare top;
	Clock<Vrf_wait_compare> clock(top);
	Random r(seed());
	Tap tap;
	Place place[16];
	uint16_t matched = 0, candidates = 0, inserted = 0;
	Place match, snoop; /* of matched, and of candidates: written address and data */
	unsigned fell_at[16] = {};
	enum { NOTHING, SNOOP, ANSWER } kind = NOTHING; /* looked up a cycle ago: what for, */
	unsigned looked = 0; /* which place, its value then, */
	uint64_t value = 0, data = 0; /* and what it is compared with */
	unsigned hits = 0, lost = 0, kept = 0, far = 0, inspected = 0, reached = 0, gone = 0,
		 again = 0, rereads = 0;
	uint64_t compared = 0;

	top.value_valid_i = top.address_valid_i = top.snoop_valid_i = top.inspect_i = 0;
	top.inserted_i = 0;
	clock.reset();
	top.eval();
	tap.begin("snoops, reads and registers share the comparator");
	tap.equal(top.idle_o, 1, "idle after reset");
	for (unsigned i = 0; i < 200000; i++) {
		unsigned slot = r.below(16);
		bool busy;

		/* a place changes while it is not inserted */
		top.value_valid_i = top.address_valid_i = 0;
		top.value_slot_i = r.below(16), top.value_i = r.next();
		top.address_slot_i = r.below(16), top.address_onehot_i = 1u << top.address_slot_i;
		top.address_local_i = r.chance(50), top.address_i = some_address(r);
		if (!(inserted >> slot & 1)) {
			top.value_valid_i = r.chance(50), top.address_valid_i = r.chance(50);
			top.value_slot_i = top.address_slot_i = slot;
			top.address_onehot_i = 1u << slot;
			top.value_i = some_value(r, place[r.below(16)].value);
		}
		/*
		 * All known before the first is inserted; one that fell is inserted again two
		 * cycles later at the earliest: what matched before is compared then.
		 */
		unsigned rising = r.below(16), falling = r.chance(30) ? looked : r.below(16);
		bool rises = i > 2000 && !(inserted >> rising & 1) && i > fell_at[rising] + 1;
		bool falls = !rises && inserted >> falling & 1 && r.chance(30);

		top.inserted_i = inserted;
		top.released_i = falls && falling == looked && r.chance(50);
		top.falls_i = falls && !top.released_i ? 1u << falling : 0;
		top.snoop_valid_i = r.chance(40);
		top.snoop_local_i = r.chance(50), top.snoop_address_i = some_address(r);
		top.snoop_data_i = some_value(r, place[r.below(16)].value);
		top.snoop_reread_i = r.chance(20);
		top.response_slot_i = r.below(16);
		top.response_data_i = some_value(r, place[top.response_slot_i].value);
		top.inspect_i = r.chance(20), top.inspect_slot_i = r.below(16);
		top.clk_i = 0;
		top.eval();

		/* third cycle */
		bool waits = kind == SNOOP && inserted >> looked & 1;
		bool near = place[looked].address >> 8 == snoop.address >> 8;
		bool hit = waits && near && !snoop.reread && snoop.value >= place[looked].value;
		bool reread = waits && near && snoop.reread;

		tap.equal(top.hit_o, hit, "hit");
		tap.equal(top.reread_o, reread, "has to read again");
		rereads += reread;
		again += kind == SNOOP && falls && falling == looked &&
			 (matched & -matched) == 1u << looked;
		if (i) {
			tap.equal(top.slot_onehot_o, 1u << looked, "the same, one-hot");
			tap.equal(top.slot_o, looked, "the place that was looked up");
			tap.equal(top.value_o, value, "its value");
		}
		if (kind != NOTHING)
			tap.equal(top.reaches_o, data >= value, "reaches");
		hits += hit;
		far += waits && !near && data >= value;
		gone += kind == SNOOP && !waits && near && data >= value;
		reached += kind == ANSWER && data >= value;

		/* second cycle */
		uint16_t overtaken = matched ? candidates & inserted : 0;

		tap.equal(top.idle_o, !(matched | candidates), "idle");
		tap.equal(top.compares_o, (matched | candidates) != 0, "a place is looked up");
		tap.equal(top.overtaken_o, overtaken, "overtaken");
		lost += overtaken != 0;
		if (matched)
			candidates = matched, snoop = match;
		uint16_t first = candidates & -candidates;

		busy = top.inspect_i;
		kind = busy ? NOTHING : candidates ? SNOOP : ANSWER;
		looked = busy	      ? top.inspect_slot_i
			 : candidates ? __builtin_ctz(first)
				      : top.response_slot_i;
		value = place[looked].value;
		data = kind == SNOOP ? snoop.value : top.response_data_i;
		inspected += busy && candidates;
		compared += kind == SNOOP;
		candidates = (busy ? candidates : candidates & ~first) & inserted;
		kept += busy && candidates;

		/* first cycle */
		matched = 0;
		for (unsigned s = 0; s < 16; s++) {
			if (top.snoop_valid_i && inserted >> s & 1 &&
			    place[s].local == top.snoop_local_i &&
			    (place[s].address & kLow) == (top.snoop_address_i & kLow))
				matched |= 1u << s;
		}
		match = { (bool)top.snoop_local_i, (bool)top.snoop_reread_i, top.snoop_address_i,
			  top.snoop_data_i };
		if (top.value_valid_i)
			place[slot].value = top.value_i;
		if (top.address_valid_i) {
			place[slot].local = top.address_local_i;
			place[slot].address = top.address_i;
		}
		top.clk_i = 1;
		top.eval();

		if (rises)
			inserted |= 1u << rising;
		else if (falls)
			inserted &= ~(1u << falling), fell_at[falling] = i;
	}
	tap.check(hits > 1000 && lost > 1000 && kept > 1000 && far > 1000 && inspected > 1000 &&
			  reached > 1000 && gone > 100 && again > 100 && rereads > 1000,
		  "all of it happened", hits, compared);
	tap.end();
	top.final();
	return tap.status();
}
