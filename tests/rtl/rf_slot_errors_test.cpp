/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_slot_errors under failures of every kind at once, yields and slow records: each slot that
 * failed has one record with the first failure of one kind, and is in error from the store of its
 * address until it is enabled; nobody is told before, and nothing is left over.
 */
#include <vector>

#include "Vrf_slot_errors.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

namespace {

enum : unsigned { SLOTS = 16, FENCE = 0, FAULT, WAIT, NODE0, NODE1, RESAMPLE, KINDS };

struct Failure {
	unsigned kind, error, level, store;
	uint64_t address;
};

struct Slot {
	uint64_t config = 0;
	std::vector<Failure> failures; /* since it was enabled */
	bool sure = false; /* one of them must be told: no WAIT that was cancelled */
	bool told = false, waiting = false, released = false;
	bool yields = false; /* it could be swapped */
	uint64_t cancelled = 0, failed_at = 0; /* cycles */
	Failure stored = {}; /* the one told, when told */
};

struct Bench {
	Vrf_slot_errors top;
	Clock<Vrf_slot_errors> clock{ top };
	Random random;
	Tap &tap;
	Slot slot[SLOTS];
	bool failing[3] = {}; /* nodes, RESAMPLE: until the slot is in error */
	unsigned fail_slot[3] = {};
	Failure failed[3];
	unsigned scan = 0, error = 0, held = 0, stored_slot = 0, reason = 0;
	bool moves = false, free = false, stores = false, shown = false, read = false;
	uint64_t stored = 0, told[KINDS] = {}, yields = 0, waits_failed = 0, cancels = 0;

	Bench(Tap &t, uint64_t seed_value) : random(seed_value), tap(t)
	{
		quiet_inputs();
		for (unsigned s = 0; s < SLOTS; s++)
			slot[s].config = (random.next() & ~0xffffull) | (s * 37 & 255) << 4;
		clock.reset();
	}
	void quiet_inputs()
	{
		top.fence_valid_i = top.fault_valid_i = top.release_valid_i = 0;
		top.fail_valid_i = top.yield_i = top.clear_i = 0;
	}
	Failure make(unsigned s, unsigned kind)
	{
		Failure f = { kind, (unsigned)(1 + random.below(31)), (unsigned)random.below(4),
			      (unsigned)random.below(2), random.next() };

		slot[s].failures.push_back(f);
		if (kind != WAIT && !slot[s].sure) {
			slot[s].sure = true;
			slot[s].failed_at = clock.cycle;
		}
		return f;
	}
	template <class Wide> void put_failure(Wide &port, unsigned lsb, const Failure &f)
	{
		put(port, lsb, 64, f.address);
		put(port, lsb + 64, 1, f.store);
		put(port, lsb + 65, 2, f.level);
		put(port, lsb + 67, 8, f.error);
	}
	void upset(unsigned rate);
	void look();
	void look_at_record();
	void cycle(unsigned rate, unsigned ready);
	void settle();
};

/* Failures, each about so often in a thousand cycles; waits and what ends them. */
void Bench::upset(unsigned rate)
{
	unsigned s = random.below(SLOTS);

	if (random.below(1000) < rate) {
		put_failure(top.fence_failure_i, 0, make(s, FENCE));
		top.fence_slot_i = s;
		top.fence_valid_i = 1;
	}
	s = random.below(SLOTS);
	if (random.below(1000) < rate) {
		put_failure(top.fault_failure_i, 0, make(s, FAULT));
		top.fault_slot_i = s;
		top.fault_valid_i = 1;
	}
	s = random.below(SLOTS);
	if (slot[s].waiting && !slot[s].released && random.below(1000) < 4 * rate) {
		put_failure(top.release_failure_i, 0, make(s, WAIT));
		top.release_slot_i = s;
		top.release_valid_i = slot[s].released = true;
	} else if (slot[s].waiting && random.chance(2)) {
		slot[s].waiting = slot[s].released = false;
		slot[s].cancelled = clock.cycle;
		cancels++;
	} else if (rate && !slot[s].waiting && clock.cycle > slot[s].cancelled + 40) {
		slot[s].waiting = true;
	}
	for (unsigned i = 0; i < 3; i++) {
		if (failing[i] && error >> fail_slot[i] & 1)
			failing[i] = false;
		else if (!failing[i] && random.below(1000) < rate && !(error >> s & 1)) {
			failing[i] = true;
			fail_slot[i] = s = random.below(SLOTS);
			if (error >> s & 1)
				failing[i] = false;
			else
				failed[i] = make(s, NODE0 + i);
		}
		put_failure(top.fail_i, 75 * i, failing[i] ? failed[i] : Failure{ 0, 9, 1, 1, 99 });
		top.fail_valid_i |= failing[i] << i;
	}
	top.fail_slot_i = fail_slot[0] | fail_slot[1] << 4 | fail_slot[2] << 8;
}

void Bench::look_at_record()
{
	uint64_t value = bits(top.record_o, 0, 64), address = bits(top.record_o, 64, 64);
	unsigned handle = bits(top.record_o, 128, 32), detail = bits(top.record_o, 160, 8);
	Slot &m = slot[scan];

	tap.equal(handle, m.config >> 32, "handle");
	tap.equal(bits(top.record_o, 168, 8), m.config >> 4 & 255, "node and vmid");
	if (bits(top.record_o, 176, 8) == RF_RECORD_KIND_YIELD) {
		tap.check(m.yields, "a yield that nobody asked for", scan);
		tap.equal(detail, reason, "reason");
		tap.equal(address, 0, "address of a yield");
		tap.equal(value, 0, "value of a yield");
		return;
	}
	tap.equal(bits(top.record_o, 176, 8), RF_RECORD_KIND_QUEUE_ERROR, "kind");
	tap.check(!m.told, "one record for each slot in error", scan);
	tap.equal(address, stored, "the address that was stored");
	bool kinds[KINDS] = {}, found = false;
	for (const Failure &f : m.failures) {
		/* of pulses the first one; but a cancelled WAIT leaves none */
		if (f.address == address && !(f.kind < WAIT && kinds[f.kind])) {
			found = true;
			tap.equal(detail, f.error, "cause");
			tap.equal(value, f.level << 12 | f.store << 14, "level and store");
			m.stored = f;
			told[f.kind]++;
		}
		kinds[f.kind] = true;
	}
	tap.check(found, "a failure of this slot, the first of its kind", scan, address);
	m.told = true;
}

/* What is shown in this cycle, against what was there before. */
void Bench::look()
{
	tap.equal(top.scan_o, (scan + moves) % SLOTS, "the scan goes on");
	scan = top.scan_o;
	tap.equal(top.scan_here_o, 1u << scan, "one-hot");
	tap.equal(top.error_o, error | (stores ? 1u << stored_slot : 0),
		  "in error when the address is stored");
	error = top.error_o;
	tap.check(!(held & ~top.fence_held_o & ~error), "held until the slot is in error", held);
	held = top.fence_held_o;

	stores = top.store_valid_o;
	if (stores) {
		tap.check(free, "stored when the memory is free");
		stored = top.store_data_o;
		stored_slot = scan;
	} else {
		tap.equal(top.store_data_o, 0, "no data beside a store");
	}
	bool first = top.record_valid_o && !shown;
	if (first)
		look_at_record();
	if (shown)
		tap.check(top.record_valid_o, "a record stays");
	bool yielded = top.record_valid_o && top.record_ready_i &&
		       bits(top.record_o, 176, 8) == RF_RECORD_KIND_YIELD;
	tap.equal(top.yielded_o, yielded ? 1u << scan : 0, "told");
	if (yielded) {
		slot[scan].yields = false;
		yields++;
	}
	shown = top.record_valid_o && !top.record_ready_i;
	bool open = top.record_valid_o || top.store_valid_o || top.config_read_o;
	for (Slot &m : slot)
		open |= m.sure && !m.told && m.failed_at < clock.cycle;
	tap.check(!open || !top.idle_o, "idle with a failure that is not told");
	tap.check(!open || !top.record_valid_o || top.scan_rests_o, "the scan rests for a record");

	for (unsigned s = 0; s < SLOTS; s++) {
		Slot &m = slot[s];

		if (!(top.wait_failed_o >> s & 1))
			continue;
		tap.check((m.waiting && m.released) || m.cancelled + 40 >= clock.cycle,
			  "a WAIT that did not fail", s);
		tap.check(stores || error >> s & 1, "a WAIT fails when its slot is in error", s);
		m.waiting = m.released = false;
		waits_failed++;
	}
	/* Causes for the status register. */
	const Slot &m = slot[top.read_slot_i];
	if (m.told) {
		tap.equal(top.read_error_o, m.stored.error, "cause as read");
		tap.equal(top.read_level_o, m.stored.level, "level as read");
		tap.equal(top.read_store_o, m.stored.store, "store as read");
	}
}

void Bench::cycle(unsigned rate, unsigned ready)
{
	bool settling = !rate;

	/* A WAIT of a slot in error is cancelled when the scan comes to it. */
	Slot &looked = slot[scan];
	if (moves && error >> scan & 1 && looked.waiting && !(top.wait_failed_o >> scan & 1)) {
		looked.waiting = looked.released = false;
		looked.cancelled = clock.cycle;
	}
	quiet_inputs();
	top.waiting_i = 0;
	upset(rate);
	for (unsigned s = 0; s < SLOTS; s++)
		top.waiting_i |= slot[s].waiting << s;
	top.read_slot_i = random.below(SLOTS);
	top.record_ready_i = random.chance(ready);
	top.store_free_i = random.chance(60);
	top.config_ready_i = random.chance(60);
	top.config_i = read ? slot[scan].config : random.next();
	if (!settling && random.chance(5))
		slot[random.below(SLOTS)].yields = true;
	top.eval();
	unsigned now = top.scan_o;
	top.yield_i = !top.scan_rests_o && slot[now].yields;
	top.yield_reason_i = 1 + random.below(255);
	top.eval();
	if (top.yield_i)
		reason = top.yield_reason_i;
	look();
	moves = !top.scan_rests_o && !top.yield_i;
	free = top.store_free_i;
	read = top.config_read_o && top.config_ready_i;
	clock.tick();
}

/* Until all is told; then some slots are enabled again. */
void Bench::settle()
{
	unsigned limit = 4000;

	do
		cycle(0, 100);
	while (--limit && !(top.idle_o && !top.fail_valid_i));
	tap.check(limit, "all is told");
	for (unsigned i = 0; i < 40; i++)
		cycle(0, 100);
	tap.check(top.idle_o, "idle");
	for (unsigned s = 0; s < SLOTS; s++) {
		Slot &m = slot[s];

		tap.check(m.told || !m.sure, "a failure has its record", s);
		tap.equal(error >> s & 1, m.told, "in error");
		tap.check(!m.waiting || !m.released, "a WAIT that failed is over", s);
		tap.check(!m.yields, "a yield has its record", s);
	}
	tap.equal(held, 0, "fences held");
	quiet_inputs();
	top.clear_i = random.next();
	top.eval();
	look();
	moves = true;
	for (unsigned s = 0; s < SLOTS; s++) {
		if (!(top.clear_i >> s & 1))
			continue;
		slot[s].failures.clear();
		slot[s].sure = slot[s].told = false;
	}
	clock.tick();
	error &= ~top.clear_i;
	stores = false;
	free = read = false;
	top.clear_i = 0;
}

void run(Tap &tap, const char *name, uint64_t seed_value, unsigned rate, unsigned ready)
{
	Bench b(tap, seed_value);

	tap.begin(name);
	for (unsigned part = 0; part < 300; part++) {
		for (unsigned i = 0; i < 200; i++)
			b.cycle(rate, ready);
		b.settle();
	}
	printf("# told: fences %" PRIu64 ", faults %" PRIu64 ", waits %" PRIu64 ", nodes %" PRIu64
	       " and %" PRIu64 ", RESAMPLE %" PRIu64 "; yields %" PRIu64 "\n",
	       b.told[FENCE], b.told[FAULT], b.told[WAIT], b.told[NODE0], b.told[NODE1],
	       b.told[RESAMPLE], b.yields);
	for (uint64_t count : b.told)
		tap.check(count > 20, "all kinds were told", count);
	tap.check(b.yields > 100 && b.waits_failed > 20 && b.cancels > 20, "yields, waits",
		  b.yields, b.waits_failed);
	tap.end();
	b.top.final();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Tap tap;

	printf("# seed %" PRIu64 "\n", seed());
	run(tap, "now and then a failure", seed(), 4, 90);
	run(tap, "failures of many units at once", seed() + 1, 60, 60);
	run(tap, "and records seldom taken", seed() + 2, 30, 5);
	return tap.status();
}
