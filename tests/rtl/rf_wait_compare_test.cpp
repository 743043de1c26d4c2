// SPDX-License-Identifier: Apache-2.0
//
// rf_wait_compare against a model, cycle by cycle: which place is compared with a snoop, which
// are left to read again, and what the comparison says; with register reads in between.

#include "Vrf_wait_compare.h"
#include "harness.h"

using namespace rf;

namespace {

struct Place {
	bool local = false;
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
	uint16_t candidates = 0, inserted = 0;
	Place snoop;
	unsigned hits = 0, lost = 0, kept = 0, far = 0, inspected = 0, reached = 0;
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
		top.inserted_i = inserted;
		top.snoop_valid_i = r.chance(40);
		top.snoop_local_i = r.chance(50), top.snoop_address_i = some_address(r);
		top.snoop_data_i = some_value(r, place[r.below(16)].value);
		top.answer_slot_i = r.below(16);
		top.answer_data_i = some_value(r, place[top.answer_slot_i].value);
		top.inspect_i = r.chance(20), top.inspect_slot_i = r.below(16);
		top.clk_i = 0;
		top.eval();

		uint16_t now = candidates, first = now & -now, left, match = 0;
		unsigned index = first ? __builtin_ctz(first) : 0;

		busy = top.inspect_i;
		left = (busy ? now : now & ~first) & inserted;
		for (unsigned s = 0; s < 16; s++) {
			if (top.snoop_valid_i && inserted >> s & 1 &&
			    place[s].local == top.snoop_local_i &&
			    (place[s].address & kLow) == (top.snoop_address_i & kLow))
				match |= 1u << s;
		}
		bool hit = (first & inserted) && !busy &&
			   place[index].address >> 8 == snoop.address >> 8 &&
			   snoop.value >= place[index].value;

		tap.equal(top.idle_o, candidates == 0, "idle");
		tap.equal(top.compares_o, now != 0, "a place is compared");
		tap.equal(top.hit_o, hit, "hit");
		if (hit)
			tap.equal(top.hit_slot_o, index, "slot of the hit");
		tap.equal(top.overtaken_o, match ? left : 0, "overtaken");
		if (busy)
			tap.equal(top.value_o, place[top.inspect_slot_i].value,
				  "value of a register");
		else if (!now)
			tap.equal(top.reaches_o,
				  top.answer_data_i >= place[top.answer_slot_i].value, "reaches");
		hits += hit;
		lost += match && left;
		kept += !match && left && busy;
		far += (first & inserted) && !busy && !hit && snoop.value >= place[index].value;
		inspected += busy && now;
		reached += !busy && !now && top.reaches_o;
		compared += now && !busy;

		candidates = match ? match : left;
		if (match)
			snoop = { (bool)top.snoop_local_i, top.snoop_address_i, top.snoop_data_i };
		if (top.value_valid_i)
			place[slot].value = top.value_i;
		if (top.address_valid_i) {
			place[slot].local = top.address_local_i;
			place[slot].address = top.address_i;
		}
		top.clk_i = 1;
		top.eval();
		/* all known before the first is inserted */
		if (i > 2000)
			inserted = (inserted | 1u << r.below(16)) &
				   ~(r.chance(30) ? 1u << r.below(16) : 0);
	}
	tap.check(hits > 1000 && lost > 1000 && kept > 1000 && far > 1000 && inspected > 1000 &&
			  reached > 1000,
		  "all of it happened", hits, compared);
	tap.end();
	top.final();
	return tap.status();
}
