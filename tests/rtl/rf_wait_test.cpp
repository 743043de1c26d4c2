// SPDX-License-Identifier: Apache-2.0
//
// rf_wait: no missed and no false release for any interleaving of insert, read,
// snoop, notify, reread, invalidate and cancel. The modelled memory knows the cycle in
// which a value is performed; a snoop follows it, a read samples it.

#include <map>

#include "Vrf_wait.h"
#include "bits.h"
#include "fence_model.h"
#include "../../kmd/include/ringfence_hw.h"

using namespace rf;

namespace {

struct Physical {
	bool local;
	uint64_t address;
	bool operator<(const Physical &o) const
	{
		return local != o.local ? local < o.local : address < o.address;
	}
};

struct Wait {
	bool active = false;
	unsigned vmid = 0;
	uint64_t va = 0, value = 0, since = 0;
	bool allowed = false; /* the value was reached at some time since the wait began */
	bool expect_fault = false; /* its address may fault */
	uint64_t must_at = 0; /* reached and announced in this cycle; 0 not yet */
	uint64_t translated_at = 0, sampled_at = 0, stalled_at = 0, answered_sample = 0;
	uint64_t snooped_at = 0;
};

struct Read {
	uint64_t sample_at, response_at;
	bool sampled, fault;
	unsigned id, slot;
	uint64_t serial; /* of the wait that asked */
	Physical at;
	uint64_t value, va;
};

struct Bench {
	Vrf_wait top;
	Random random;
	Tap &tap;
	uint64_t now = 10;
	std::map<Physical, uint64_t> memory;
	uint64_t delta[16] = {};
	bool local[16] = {};
	uint64_t bad_page = ~0ull;
	unsigned fault_level = 2;
	unsigned read_status = 0; /* of every read */
	Wait wait[16];
	uint64_t serial[16] = {};
	std::vector<Read> reads;
	struct Snoop {
		uint64_t at;
		Physical where;
		uint64_t value;
	};
	std::deque<Snoop> snoops;
	struct Reread {
		uint64_t at, page;
	};
	std::deque<Reread> rereads; /* pages that another device has written */
	unsigned reads_of[16] = {}, reread_late = 0;
	struct Translation {
		uint64_t done_at;
		bool fault;
		unsigned vmid;
		uint64_t va;
		Physical at;
	};
	std::deque<Translation> translations;
	unsigned latency = 0, snoop_latency = 0, percent = 100;
	unsigned releases = 0, failures = 0, last_slot = 0, by_snoop = 0, stale_responses = 0;
	uint64_t last_release = 0;
	bool last_stalled = false;
	Failure last_failure = {};
	bool notify = false;
	unsigned invalidate = 0;
	unsigned invalid_pending = 0;
	unsigned answered_as_invalidated = 0;
	uint64_t invalid_at[16] = {}, owed[16] = {};
	int cancel = -1;
	struct {
		bool valid;
		unsigned slot, vmid;
		uint64_t va, value;
	} offer = {};
	bool accepted = false; /* in the cycle before */
	unsigned accepted_slot = 0;
	/* register reads, in random runs: what was asked in the cycle before, what is answered */
	unsigned inspect_percent = 0, inspected = 0;
	uint64_t inspect = 0;
	bool named[16] = {}; /* its registers show the wait, also one that was cancelled */
	uint64_t accepted_value = 0;

	Bench(Tap &t, uint64_t seed) : random(seed), tap(t)
	{
		for (unsigned v = 0; v < 16; v++) {
			delta[v] = v * 0x100000;
			local[v] = v & 1;
		}
		/* 14 and 15 share memory with 12 and 13 */
		delta[14] = delta[12], local[14] = local[12];
		delta[15] = delta[13], local[15] = local[13];
		top.rst_ni = 0;
		set(&top.register_i, 0, 88, 0);
		for (int i = 0; i < 4; i++) {
			top.clk_i = 0, top.eval();
			top.clk_i = 1, top.eval();
		}
		top.rst_ni = 1;
	}
	Physical map(unsigned vmid, uint64_t va) const { return { local[vmid], va + delta[vmid] }; }
	bool faults(uint64_t va) const { return va >> 12 == bad_page; }
	uint64_t value_at(const Wait &w) { return memory[map(w.vmid, w.va)]; }

	/* a device write: performed now, snooped later */
	void write(Physical at, uint64_t value)
	{
		uint64_t due = now + random.below(snoop_latency + 1);

		memory[at] = value;
		if (!snoops.empty() && due <= snoops.back().at)
			due = snoops.back().at + 1;
		snoops.push_back({ due, at, value });
		for (Wait &w : wait) {
			if (w.active && !(map(w.vmid, w.va) < at) && !(at < map(w.vmid, w.va)) &&
			    value >= w.value) {
				w.allowed = true;
				if (!w.must_at)
					w.must_at = now;
			}
		}
	}
	/* a write by the CPU: not snooped */
	void write_silently(Physical at, uint64_t value)
	{
		memory[at] = value;
		for (Wait &w : wait)
			w.allowed |= w.active && value_at(w) >= w.value;
	}
	/* another device writes the first word of a page, and tells of it later */
	void write_elsewhere(uint64_t page, uint64_t value)
	{
		write_silently({ false, page }, value);
		rereads.push_back({ now + random.below(4 * snoop_latency + 1), page });
	}
	void ask(unsigned slot, unsigned vmid, uint64_t va, uint64_t value)
	{
		offer = { true, slot, vmid, va, value };
	}
	bool waits(unsigned slot) { return wait[slot].active; }
	/* cycles within which a wait that has to be released is, without an invalidation */
	uint64_t limit() const { return 450 + 20 * latency; }
	bool overdue(const Wait &w, uint64_t limit) const
	{
		return w.active && w.must_at && !w.expect_fault && now - w.must_at >= limit;
	}
	bool any_overdue() const
	{
		for (const Wait &w : wait) {
			if (overdue(w, limit()))
				return true;
		}
		return false;
	}

	void step()
	{
		/* its value comes in the cycle behind a wait, and no other wait then */
		top.wait_valid_i = offer.valid && !accepted;
		pack(&top.wait_i, 0, { { 4, offer.slot }, { 4, offer.vmid } });
		top.word_i = accepted ? accepted_value : offer.va;
		top.cancel_valid_i = cancel >= 0;
		top.cancel_slot_i = cancel >= 0 ? cancel : random.below(16);
		top.notify_i = notify;
		top.invalidate_i = invalidate != 0;
		top.wait_translate_ready_i = random.chance(percent);
		top.wait_translate_done_i = 0;
		if (!translations.empty() && translations.front().done_at <= now) {
			Translation &t = translations.front();

			top.wait_translate_done_i = 1;
			top.wait_translate_fault_i = t.fault;
			top.wait_translate_level_i = fault_level;
			top.wait_translate_local_i = t.at.local;
			top.wait_translate_address_i = t.at.address >> 3;
			translations.pop_front();
		}
		uint64_t asks = 0, expected = 0;
		if (inspect_percent) {
			unsigned slot = random.below(16);

			if (random.chance(inspect_percent))
				asks = random.chance(10)   ? RF_REG_FENCE_WAITING
				       : random.chance(50) ? RF_REG_SLOT_WAIT_ADDRESS(slot)
							   : RF_REG_SLOT_WAIT_VALUE(slot);
			pack(&top.register_i, 0,
			     { { 1, asks != 0 },
			       { 1, 0 },
			       { 14, asks >> 3 },
			       { 64, 0 },
			       { 8, 0 } });
			top.slot_read_i = asks >= RF_SLOT_INDEXED_BASE;
			top.slot_i = slot;
		}
		top.read_ready_i = random.chance(percent);
		/* reads sample memory, and are answered in any order */
		for (Read &r : reads) {
			if (!r.sampled && r.sample_at <= now) {
				r.sampled = true;
				r.value = memory[r.at];
			}
		}
		top.response_valid_i = 0;
		pack(&top.response_i, 0, { { 4, 3 }, { 5, random.below(32) }, { 70, 0 } });
		std::vector<size_t> due;
		for (size_t i = 0; i < reads.size(); i++) {
			if (reads[i].sampled && reads[i].response_at <= now)
				due.push_back(i);
		}
		if (!due.empty()) {
			size_t i = due[random.below(due.size())];
			Read r = reads[i];
			unsigned status = r.fault ? 1 : read_status;

			top.response_valid_i = 1;
			pack(&top.response_i, 0,
			     { { 4, 2 },
			       { 5, r.id },
			       { 1, 1 },
			       { 3, status },
			       { 2, status ? fault_level : 0 },
			       { 64, status ? ~0ull : r.value } });
			reads.erase(reads.begin() + i);
			stale_responses += r.serial != serial[r.slot];
			if (r.serial == serial[r.slot]) {
				Wait &w = wait[r.slot];

				w.answered_sample = r.sample_at;
				answered_as_invalidated += invalidate != 0;
				if (r.value < w.value)
					w.stalled_at = now;
			}
		} else if (random.chance(30)) {
			top.response_valid_i = 1; /* of another master */
		}
		rf::put(top.snoop_i, 117, 1, 0);
		rf::put(top.snoop_i, 0, 64, random.next());
		if (!snoops.empty() && snoops.front().at <= now) {
			Snoop s = snoops.front();

			snoops.pop_front();
			rf::put(top.snoop_i, 117, 1, 1);
			rf::put(top.snoop_i, 116, 1, s.where.local);
			rf::put(top.snoop_i, 64, 52, s.where.address >> 3);
			rf::put(top.snoop_i, 0, 64, s.value);
		}
		top.reread_valid_i = !rereads.empty() && rereads.front().at <= now;
		top.reread_page_i = (rereads.empty() ? random.next() : rereads.front().page) >> 12;
		top.clk_i = 0;
		top.eval();

		bool looked = inspect != 0;
		if (inspect == RF_REG_FENCE_WAITING) {
			for (unsigned s = 0; s < 16; s++)
				expected |= (uint64_t)wait[s].active << s;
		} else if (looked) {
			unsigned slot = (inspect - RF_SLOT_INDEXED_BASE) / RF_SLOT_INDEXED_STRIDE;
			bool comes = (top.wait_valid_i && top.wait_ready_o && offer.slot == slot) ||
				     (accepted && accepted_slot == slot);

			inspected += named[slot] && !comes;
			if (named[slot] && !comes)
				expected = inspect == RF_REG_SLOT_WAIT_ADDRESS(slot)
						   ? wait[slot].va
						   : wait[slot].value;
		}
		inspect = asks;
		if (top.release_valid_o) {
			Wait &w = wait[top.release_slot_o];
			Failure f = failure_of(&top.release_failure_o);

			releases++;
			last_slot = top.release_slot_o;
			last_release = now;
			last_stalled = top.release_stalled_o;
			last_failure = f;
			tap.check(w.active, "a release without a wait", top.release_slot_o, now);
			tap.check((int)top.release_slot_o != cancel,
				  "a release in the cycle of its cancel");
			if (f.error) {
				failures++;
				tap.check(w.expect_fault || read_status,
					  "a failure without a fault", f.error);
				tap.equal(f.address, w.va, "failing address");
				tap.equal(f.store, 0, "a load");
			} else {
				tap.check(w.allowed, "false release", w.value, value_at(w));
			}
			if (w.stalled_at < w.since)
				tap.equal(top.release_stalled_o, 0, "stalled without a low read");
			w.active = false;
			named[top.release_slot_o] = false;
		}
		if (top.wait_translate_valid_o && top.wait_translate_ready_i) {
			uint64_t va = top.wait_translate_va_o << 3;
			unsigned vmid = top.wait_translate_vmid_o;

			translations.push_back({ now + 2 + random.below(latency + 1), faults(va),
						 vmid, va, map(vmid, va) });
			for (Wait &w : wait) {
				if (w.active && w.vmid == vmid && w.va == va)
					w.translated_at = now;
			}
		}
		if (top.read_valid_o && top.read_ready_i) {
			unsigned id = get(&top.read_o, 0, 5), slot = id & 15;
			uint64_t va = get(&top.read_o, 12, 64);
			unsigned vmid = get(&top.read_o, 76, 4);
			uint64_t sample = now + 1 + random.below(latency + 1);

			tap.equal(get(&top.read_o, 5, 7), 1, "one word");
			reads_of[slot]++;
			for (Read &r : reads)
				tap.check(r.id != id, "two reads of one id");
			reads.push_back({ sample, sample + 1 + random.below(latency + 1), false,
					  faults(va), id, slot, serial[slot], map(vmid, va), 0,
					  va });
		}
		/* what happens at the end of this cycle */
		if (notify) {
			for (Wait &w : wait) {
				if (w.active && value_at(w) >= w.value && !w.must_at)
					w.must_at = now;
			}
		}
		bool reread = top.reread_valid_i && top.reread_ready_o;
		if (reread) {
			Physical at = { false, rereads.front().page };

			rereads.pop_front();
			for (Wait &w : wait) {
				Physical of = map(w.vmid, w.va);

				if (w.active && !w.must_at && !(of < at) && !(at < of) &&
				    value_at(w) >= w.value)
					w.must_at = now;
			}
		}
		reread_late += top.reread_valid_i && !reread;
		for (unsigned s = 0; s < 16; s++) {
			Wait &w = wait[s];

			if (w.active && invalidate) {
				invalid_pending |= 1u << s;
				invalid_at[s] = now;
			}
			if (invalid_pending >> s & 1 && !w.active)
				invalid_pending &= ~(1u << s);
		}
		if (cancel >= 0) {
			wait[cancel].active = false;
			invalid_pending &= ~(1u << cancel);
		}
		accepted = top.wait_valid_i && top.wait_ready_o;
		if (accepted) {
			Wait &w = wait[offer.slot];

			w = Wait();
			w.active = true;
			w.vmid = offer.vmid;
			w.va = offer.va;
			accepted_value = offer.value;
			w.value = offer.value;
			w.since = now;
			w.expect_fault = faults(offer.va);
			w.allowed = value_at(w) >= w.value;
			if (w.allowed)
				w.must_at = now;
			serial[offer.slot]++;
			named[offer.slot] = true;
			accepted_slot = offer.slot;
			offer.valid = false;
		}
		bool waits = std::any_of(wait, wait + 16, [](const Wait &w) { return w.active; });
		bool written = rf::bits(top.snoop_i, 117, 1) || reread;
		bool woken = accepted || notify || invalidate || (written && waits);

		tap.check(top.waits_o || !waits || accepted, "a wait that is not told of");
		notify = false;
		cancel = -1;
		bool just_invalidated = invalidate != 0;
		invalidate = 0;
		top.clk_i = 1;
		top.eval();
		now++;
		if (inspect_percent)
			tap.equal(top.register_data_o, looked ? expected : 0, "a register");
		if (woken)
			tap.check(!top.idle_o, "idle in the cycle behind what woke it");
		if (top.idle_o)
			tap.check(!top.wait_translate_valid_o && !top.read_valid_o &&
					  !top.release_valid_o,
				  "idle with something on its way");
		if (!just_invalidated && invalid_pending && !top.invalidate_busy_o) {
			for (unsigned s = 0; s < 16; s++) {
				if (!(invalid_pending >> s & 1) || !wait[s].active)
					continue;
				/* else its release was decided before and is about to come */
				if (wait[s].translated_at <= invalid_at[s] ||
				    wait[s].answered_sample <= invalid_at[s])
					owed[s] = now + 20;
			}
			invalid_pending = 0;
		}
		for (unsigned s = 0; s < 16; s++) {
			if (owed[s] && !wait[s].active)
				owed[s] = 0;
			tap.check(!owed[s] || now < owed[s],
				  "invalidation ends before translation and read", s, now);
			tap.check(!overdue(wait[s], 2 * limit()), "missed release", s,
				  wait[s].value);
		}
	}
	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}
	void begin(unsigned slot, unsigned vmid, uint64_t va, uint64_t value)
	{
		ask(slot, vmid, va, value);
		do
			step();
		while (!accepted);
	}
	/* a register is looked at in the cycle behind that of its read */
	void reg_ask(uint64_t address)
	{
		uint64_t slot = (address - RF_SLOT_INDEXED_BASE) / RF_SLOT_INDEXED_STRIDE;

		pack(&top.register_i, 0,
		     { { 1, 1 }, { 1, 0 }, { 14, address >> 3 }, { 64, 0 }, { 8, 0 } });
		top.slot_read_i = slot < RF_SLOT_INDEXED_COUNT;
		top.slot_i = slot & 15;
		step();
		set(&top.register_i, 87, 1, 0);
		top.slot_read_i = 0;
	}
	uint64_t reg_response()
	{
		step();
		return top.register_data_o;
	}
	uint64_t reg_read(uint64_t address)
	{
		reg_ask(address);
		return reg_response();
	}
};

constexpr uint64_t kVa = 0x40000;

/* Values that a comparison of halves would get wrong. */
uint64_t next_value(Random &r, uint64_t value)
{
	switch (r.below(4)) {
	case 0:
		return value + 1;
	case 1:
		return (value | 0xffffffff) + 1;
	case 2:
		return value | 0xffffffff;
	default:
		return value + (1ull << 32) + r.below(5);
	}
}

void random_run(Tap &tap, unsigned latency, unsigned snoop_latency, unsigned percent,
		const char *name)
{
	tap.begin(name);
	Bench b(tap, seed() * 101 + latency);
	Random &r = b.random;
	unsigned cancels = 0, invalidates = 0, notifies = 0, elsewhere = 0;

	b.latency = latency;
	b.snoop_latency = snoop_latency;
	b.percent = percent;
	b.inspect_percent = latency > 20 ? 0 : 10;
	b.bad_page = (kVa + 0x3000) >> 12;
	auto every_case = [&] {
		return b.releases > 1000 && b.failures > 5 && cancels > 50 && invalidates > 50 &&
		       notifies > 100 && elsewhere > 100 && (!snoop_latency || b.reread_late > 5) &&
		       (latency < 20 || b.stale_responses > 50);
	};
	for (unsigned i = 0; i < 60000 || (i < 1000000 && !every_case()); i++) {
		if (!b.offer.valid && r.chance(20)) {
			unsigned slot = r.below(16), vmid = r.below(16);

			if (!b.waits(slot)) {
				uint64_t va = kVa + r.below(4) * 8 + (r.chance(2) ? 0x3000 : 0);
				uint64_t at = b.memory[b.map(vmid, va)];
				uint64_t value = r.chance(30) ? at : next_value(r, at);

				b.ask(slot, vmid, va, r.chance(30) ? next_value(r, value) : value);
			}
		}
		if (r.chance(15)) {
			Physical at = b.map(r.below(16), kVa + r.below(4) * 8);
			uint64_t old = b.memory[at];

			if (r.chance(25) && !at.local && !(at.address & 0xfff)) {
				b.write_elsewhere(at.address, next_value(r, old));
				elsewhere++;
			} else if (r.chance(25)) { /* the CPU signals and notifies */
				b.write_silently(at, next_value(r, old));
				b.notify = true;
				notifies++;
			} else {
				b.write(at, next_value(r, old));
			}
		}
		if (r.chance(2)) {
			unsigned slot = r.below(16);

			if (b.waits(slot) && !(b.offer.valid && b.offer.slot == slot)) {
				b.cancel = slot;
				cancels++;
			}
		}
		/*
		 * An address space moves; the driver stops its writers first. Each invalidation
		 * makes every place begin anew: none comes while a release is late.
		 */
		if (r.chance(1) && !b.any_overdue()) {
			unsigned vmid = r.below(12);

			if (b.snoops.empty() && b.rereads.empty()) {
				b.delta[vmid] = r.below(64) * 0x100000;
				b.local[vmid] = r.chance(50);
				b.invalidate = 1u << vmid | (r.chance(10) ? 0xffff : 0);
				invalidates++;
				for (Wait &w : b.wait) {
					/* what was announced of the old place counts no more */
					if (w.active && w.vmid == vmid) {
						bool reached = b.value_at(w) >= w.value;

						w.allowed |= reached;
						w.must_at = reached ? b.now : 0;
					}
				}
			}
		}
		b.step();
	}
	tap.check(every_case(), "every case was met", b.releases, b.stale_responses);
	printf("# %u releases, %u failures, %u cancels, %u invalidations, %u stale responses\n",
	       b.releases, b.failures, cancels, invalidates, b.stale_responses);
	tap.end();
}

/* A page that another device wrote is read again by who waits for its first word, and by nobody else. */
void read_again(Tap &tap)
{
	tap.begin("a page that another device wrote is read again by who waits for it alone");
	Bench b(tap, seed() * 11);
	const unsigned vmid = 4; /* system memory */
	const uint64_t page = b.map(vmid, kVa).address;

	b.begin(1, vmid, kVa, 5);
	b.begin(2, vmid, kVa + 8, 5);
	b.begin(3, vmid, kVa + 0x2000, 5);
	b.begin(6, 6, kVa, 5);
	b.begin(7, 5, kVa + (4 - 5) * 0x100000, 5); /* local memory, the same address */
	b.begin(9, vmid, kVa, 7);
	b.run(100);
	for (unsigned &reads : b.reads_of)
		reads = 0;
	b.write_elsewhere(page, 5);
	b.run(100);
	for (unsigned s = 0; s < 16; s++)
		tap.equal(b.reads_of[s], s == 1 || s == 9, "reads");
	tap.check(!b.waits(1) && b.waits(9), "released, and not released");
	b.write_elsewhere(page, 7);
	b.run(100);
	tap.check(!b.waits(9), "released");
	tap.equal(b.reads_of[2] + b.reads_of[3] + b.reads_of[6] + b.reads_of[7], 0, "others");
	tap.end();
}

/* What is to be read again loses its translation in each cycle around that. */
void read_again_sweep(Tap &tap)
{
	tap.begin("a page that another device wrote is read again, also with an invalidation");
	for (int offset = -15; offset < 15; offset++) {
		for (unsigned reached = 0; reached < 2; reached++) {
			Bench b(tap, seed());
			const unsigned vmid = 4;

			b.begin(1, vmid, kVa, 5);
			b.run(60);
			for (int c = -20; c < 20; c++) {
				if (c == 0)
					b.write_elsewhere(b.map(vmid, kVa).address,
							  reached ? 5 : 4);
				if (c == offset)
					b.invalidate = 1u << vmid;
				b.step();
			}
			b.run(100);
			tap.equal(b.waits(1), !reached, "it waits still");
		}
	}
	tap.end();
}

void insert_sweep(Tap &tap, unsigned latency, unsigned snoop_latency, const char *name)
{
	tap.begin(name);
	Bench b(tap, seed() * 7 + latency);
	unsigned stalled = 0, at_once = 0;
	uint64_t value = 100;

	b.latency = latency;
	b.snoop_latency = snoop_latency;
	for (int round = 0; round < 4; round++) {
		for (int offset = -10; offset < 30 + (int)(4 * latency); offset++) {
			unsigned before = b.releases;

			value++;
			for (int c = 0; c < 20; c++) {
				if (c == 10 + offset)
					b.write(b.map(3, kVa), value);
				b.step();
				if (c == 9)
					b.ask(5, 3, kVa, value);
			}
			for (int c = 20; c < 100 + (int)(12 * latency); c++) {
				if (c == 10 + offset)
					b.write(b.map(3, kVa), value);
				b.step();
			}
			tap.equal(b.releases - before, 1, "released once");
			stalled += b.last_stalled;
			at_once += !b.last_stalled;
		}
	}
	tap.check(stalled > 20 && at_once > 20, "both sides of the window were met", stalled,
		  at_once);
	tap.end();
}

void notify_sweep(Tap &tap)
{
	tap.begin("notify while a read is outstanding makes it read again");
	Bench b(tap, seed() * 5);
	unsigned window = 0;
	uint64_t value = 100;

	b.latency = 12;
	for (int offset = 0; offset < 60; offset++) {
		for (int round = 0; round < 6; round++) {
			unsigned before = b.releases;
			bool written = false;

			value++;
			b.begin(7, 2, kVa, value);
			for (int c = 0; c < 200; c++) {
				if (c == offset) {
					/* sampled before the write, not answered at the notify */
					for (Read &r : b.reads)
						window += r.sampled && r.slot == 7;
					b.write_silently(b.map(2, kVa), value);
					b.notify = true;
					written = true;
				}
				b.step();
			}
			tap.check(written && b.releases - before == 1, "released once",
				  b.releases - before, 1);
		}
	}
	tap.check(window > 20, "the window was met", window, 20);
	tap.end();
}

void cancel_sweep(Tap &tap)
{
	tap.begin("a cancelled wait is not confused with the next one of its slot");
	Bench b(tap, seed() * 17);
	uint64_t value = 100;

	b.latency = 15;
	for (int i = 0; i < 70 || (i < 7000 && b.stale_responses <= 30); i++) {
		int offset = i % 70;

		for (int twice = 0; twice < 2; twice++) {
			unsigned before = b.releases;

			value += 10;
			b.write_silently(b.map(4, kVa), value + 1000); /* old: will be satisfied */
			b.run(100);
			b.begin(9, 4, kVa, value + 1000);
			b.run(offset);
			unsigned by_then = b.releases;
			b.cancel = 9;
			b.step();
			if (twice) {
				b.begin(9, 4, kVa, value + 1000);
				b.cancel = 9;
				b.step();
			}
			b.begin(9, 5, kVa + 8, value); /* new: it is never signalled */
			unsigned start = b.releases;
			b.run(150);
			tap.equal(b.releases - start, 0, "no release of the new wait");
			tap.check(by_then - before <= 1, "at most one release before the cancel");
			b.write(b.map(5, kVa + 8), value);
			b.run(100);
			tap.equal(b.releases - start, 1, "then it is released");
		}
	}
	tap.check(b.stale_responses > 30, "stale responses were met", b.stale_responses, 30);
	tap.end();
}

/*
 * The old place holds the value, the new one does not. A release may come in the
 * cycle behind an invalidation, decided with it; later ones would be of the old read.
 */
void invalidate_sweep(Tap &tap)
{
	tap.begin("an old read releases nobody behind an invalidation");
	Bench b(tap, seed() * 19);
	Physical old_place = { false, 0x800000 + kVa }, new_place = { false, 0x900000 + kVa };
	unsigned early = 0, late = 0;
	uint64_t value = 100;

	for (int offset = 0; offset < 30; offset++) {
		value += 10;
		b.write_silently(old_place, value);
		b.delta[6] = old_place.address - kVa;
		b.local[6] = old_place.local;
		unsigned before = b.releases;
		b.begin(11, 6, kVa, value);
		b.run(offset);
		b.delta[6] = new_place.address - kVa;
		b.invalidate = 1u << 6;
		b.wait[11].must_at = 0; /* what was announced of the old place counts no more */
		b.run(2); /* what was decided with it is released a cycle later */
		unsigned by_then = b.releases;
		b.run(40);
		tap.equal(b.releases - by_then, 0, "releases of the old read");
		if (by_then != before) {
			early++;
			continue;
		}
		late++;
		b.write(new_place, value);
		b.run(20);
		tap.equal(b.releases - by_then, 1, "then it is released");
	}
	tap.check(early && late && b.answered_as_invalidated,
		  "a response came with an invalidation", early, late);
	tap.end();
}

/* Places that are still to be compared when the next word is snooped read instead. */
void overtaken_snoop(Tap &tap)
{
	tap.begin("S0-21 words that follow each other: every waiter of the first is released");
	Bench b(tap, seed() * 23);

	/* The second word is another waiter's, or nobody's, and reaches nobody's value. */
	for (unsigned waiters = 1; waiters <= 16; waiters++) {
		unsigned before = b.releases;

		for (unsigned s = 0; s < waiters; s++)
			b.begin(s, 12, kVa, waiters);
		if (waiters < 16)
			b.begin(15, 12, kVa + 8, 1000 * waiters);
		b.run(100);
		tap.equal(b.releases - before, 0, "nobody yet");
		b.write(b.map(12, kVa), waiters);
		b.step();
		b.write(b.map(12, kVa + 8), 1000 * waiters - 1);
		b.run(60);
		tap.equal(b.releases - before, waiters, "all of them");
		b.write(b.map(12, kVa + 8), 1000 * waiters);
		b.run(60);
		tap.equal(b.releases - before, waiters + (waiters < 16), "the other one");
	}
	tap.end();
}

/* Responses decide two waits while what a snoop hits takes the turn of the first. */
void overtaken_releases(Tap &tap)
{
	tap.begin("S0-21 releases that a hit overtakes come behind it, each once");
	for (unsigned apart = 1; apart < 4; apart++) {
		for (unsigned delay = 0; delay < 40; delay++) {
			Bench b(tap, seed());
			unsigned slots[] = { 3, 3 + apart, 12 };

			for (unsigned i = 0; i < 3; i++)
				b.begin(slots[i], 12, kVa + 8 * i, 50);
			b.run(60);
			tap.equal(b.releases, 0, "nobody yet");
			for (unsigned i = 0; i < 2; i++)
				b.write_silently(b.map(12, kVa + 8 * i), 50);
			b.notify = true;
			b.run(delay);
			b.write(b.map(12, kVa + 16), 50);
			b.run(60);
			tap.equal(b.releases, 3, "all of them");
			tap.equal(b.reg_read(RF_REG_FENCE_WAITING), 0, "WAITING");
		}
	}
	tap.end();
}

/* From the first cycle on. */
void behind_a_reset(Tap &tap)
{
	tap.begin("a reset leaves no wait, and nothing is asked for");
	Bench b(tap, seed());

	for (unsigned i = 0; i < 30; i++) {
		b.step();
		tap.check(!b.top.wait_translate_valid_o && !b.top.read_valid_o &&
				  !b.top.release_valid_o && !b.top.waits_o,
			  "something is done", i);
		tap.check(i < 2 || b.top.idle_o, "idle", i);
	}
	for (uint64_t address : { RF_REG_FENCE_WAITING, RF_REG_FENCE_WAIT_STAGES })
		tap.equal(b.reg_read(address), 0, "register");
	tap.end();
}

void directed(Tap &tap)
{
	tap.begin("S0-21 snoop to release in two cycles, all matching waiters, registers");
	Bench b(tap, seed());

	for (unsigned s = 0; s < 16; s++)
		b.begin(s, s & 1 ? 12 : 14, kVa, s < 12 ? 50 : 51); /* one memory word, two VMIDs */
	b.run(200);
	tap.equal(b.releases, 0, "nobody yet");
	tap.equal(b.reg_read(RF_REG_FENCE_WAITING), 0xffff, "WAITING");
	tap.equal(b.reg_read(RF_REG_FENCE_WAIT_STAGES),
		  RF_FENCE_WAIT_STAGES_INSERTED_MASK | RF_FENCE_WAIT_STAGES_STALLED_MASK,
		  "WAIT_STAGES");
	tap.equal(b.reg_read(RF_REG_SLOT_WAIT_ADDRESS(15)), kVa, "WAIT_ADDRESS");
	tap.equal(b.reg_read(RF_REG_SLOT_WAIT_VALUE(15)), 51, "WAIT_VALUE");
	tap.check(b.top.idle_o, "waiting is idle");
	b.write(b.map(12, kVa), 49);
	b.run(20);
	tap.equal(b.releases, 0, "49 releases nobody");
	b.write(b.map(12, kVa), 50);
	uint64_t snooped = b.now;
	b.run(3);
	tap.equal(b.releases, 1, "first release");
	tap.equal(b.last_release - snooped, 2, "cycles from snoop to release");
	b.run(11);
	tap.equal(b.releases, 12, "one release a cycle");
	b.run(20);
	tap.equal(b.releases, 12, "51 still waits");
	tap.equal(b.reg_read(RF_REG_FENCE_WAITING), 0xf000, "WAITING");
	tap.equal(b.reg_read(RF_REG_SLOT_WAIT_VALUE(1)), 0, "a slot that does not wait");
	b.write(b.map(13, kVa), 99); /* same address in the other memory */
	b.write(b.map(12, kVa + 8), 99);
	b.run(20);
	tap.equal(b.releases, 12, "another address releases nobody");
	tap.check(b.last_stalled, "stalled is told");
	b.bad_page = (kVa + 0x3000) >> 12;
	b.begin(2, 3, kVa + 0x3000, 1);
	b.run(40);
	tap.equal(b.last_failure.error, RF_QUEUE_ERROR_TRANSLATION, "translation fault");
	tap.equal(b.last_failure.level, 2, "level");
	b.read_status = 5;
	b.begin(3, 3, kVa + 0x80, 1);
	b.run(40);
	tap.equal(b.last_failure.error, RF_QUEUE_ERROR_COMPLETION_TIMEOUT, "PCIe error");
	tap.end();

	tap.begin("a wait that comes while its registers are read is named from the next cycle on");
	b.read_status = 0;
	b.begin(6, 3, kVa + 0x700, 1000);
	b.run(50);
	b.cancel = 6;
	b.step();
	tap.equal(b.reg_read(RF_REG_SLOT_WAIT_VALUE(6)), 1000, "a wait that was cancelled");
	b.reg_ask(RF_REG_SLOT_WAIT_VALUE(6));
	b.ask(6, 3, kVa + 0x708, 2000);
	tap.equal(b.reg_response(), 0, "in its own cycle");
	tap.check(b.accepted, "it came in that cycle");
	tap.equal(b.reg_read(RF_REG_SLOT_WAIT_VALUE(6)), 2000, "behind it");
	b.run(50);
	b.cancel = 6;
	b.step();
	tap.end();

	tap.begin("a failed look is told of the slot that it was for, as it was");
	static const unsigned errors[] = {
		RF_QUEUE_ERROR_TRANSLATION,	   RF_QUEUE_ERROR_UNSUPPORTED_REQUEST,
		RF_QUEUE_ERROR_COMPLETER_ABORT,	   RF_QUEUE_ERROR_POISONED,
		RF_QUEUE_ERROR_COMPLETION_TIMEOUT,
	};

	b.write(b.map(12, kVa), 51);
	b.run(20);
	tap.equal(b.reg_read(RF_REG_FENCE_WAITING), 0, "WAITING");
	for (unsigned slot = 0; slot < 16; slot++) {
		b.read_status = 1 + slot % 5;
		b.fault_level = 3 - slot % 4;
		b.begin(slot, 3, kVa + 0x100 + 8 * slot, 1);
		b.run(40);
		tap.equal(b.last_slot, slot, "slot");
		tap.equal(b.last_failure.error, errors[slot % 5], "error");
		tap.equal(b.last_failure.level, 3 - slot % 4, "level of a failed read");
		b.read_status = 0;
		b.fault_level = slot % 4;
		b.begin(slot, 3, kVa + 0x3000 + 8 * slot, 1);
		b.run(40);
		tap.equal(b.last_slot, slot, "slot");
		tap.equal(b.last_failure.error, RF_QUEUE_ERROR_TRANSLATION, "translation fault");
		tap.equal(b.last_failure.level, slot % 4, "level");
	}
	tap.end();
}

} /* namespace */

int main()
{
	Tap tap;

	behind_a_reset(tap);
	directed(tap);
	read_again(tap);
	read_again_sweep(tap);
	insert_sweep(tap, 0, 0, "S0-21 insert against signal at every cycle, fast");
	insert_sweep(tap, 8, 4, "S0-21 insert against signal at every cycle, random latency");
	notify_sweep(tap);
	cancel_sweep(tap);
	invalidate_sweep(tap);
	overtaken_snoop(tap);
	overtaken_releases(tap);
	random_run(tap, 0, 0, 100, "no missed and no false release, fast memory");
	random_run(tap, 5, 3, 70, "no missed and no false release, random latency");
	random_run(tap, 40, 1, 50, "no missed and no false release, slow memory");
	return tap.status();
}
