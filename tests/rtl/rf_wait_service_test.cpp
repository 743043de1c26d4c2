// SPDX-License-Identifier: Apache-2.0
//
// rf_wait_service: every place that wants a request begins it, in turn; what is offered stays;
// one translation at a time, whose fault stays until it is taken.

#include "Vrf_wait_service.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

namespace {

struct Bench {
	Vrf_wait_service top;
	Tap &tap;
	Random random;
	uint16_t translate = 0, read = 0;
	uint64_t va[16];
	unsigned vmid[16], waits[16] = {};
	unsigned started = 16; /* the slot that began in the last cycle */
	bool started_read = false, translating = false, fault = false, offered = false;
	unsigned translate_slot = 0, level = 0, translations = 0, reads = 0, faults = 0;
	bool done = false, bad = false, taken = false, lookup = true, fresh = false;
	bool out = false; /* a translation was taken and is not answered */
	bool after_done = false; /* one was done in the last cycle */
	unsigned newest = 16; /* the slot of the newest wait or of a reread, until it was visited */
	bool reread = false; /* one comes */
	unsigned reread_slot = 0;
	unsigned fresh_slot = 0, done_level = 0, ready = 100, longest = 0;

	Bench(Tap &t, uint64_t number) : tap(t), random(number)
	{
		Clock<Vrf_wait_service> clock(top);

		top.translate_i = top.read_i = top.wait_translate_done_i = top.fault_taken_i = 0;
		top.wait_translate_ready_i = top.read_ready_i = top.new_i = top.lookup_i = 0;
		top.reread_i = 0;
		for (unsigned s = 0; s < 16; s++)
			va[s] = random.next(), vmid[s] = random.below(16);
		clock.reset();
	}
	void step()
	{
		bool translate_waits, read_waits;

		top.translate_i = translate, top.read_i = read;
		top.new_i = fresh, top.new_slot_i = fresh_slot, top.lookup_i = lookup;
		top.reread_i = reread, top.reread_slot_i = reread_slot;
		bool kept =
			reread && !fresh && newest == 16; /* one is visited out of turn at a time */
		top.wait_translate_ready_i = random.chance(ready);
		top.read_ready_i = random.chance(ready);
		top.wait_translate_done_i = done, top.wait_translate_fault_i = bad;
		top.wait_translate_level_i = done_level, top.fault_taken_i = taken;
		top.clk_i = 0;
		top.eval();
		unsigned slot = top.slot_o;
		top.asked_vmid_i = lookup ? vmid[slot] : random.below(16);
		top.asked_va_i = lookup ? va[slot] : random.next();
		top.eval();

		tap.equal(top.translating_o, translating, "translating");
		tap.equal(top.fault_valid_o, fault, "fault");
		if (translating)
			tap.equal(top.translate_slot_o, translate_slot, "slot under translation");
		if (fault)
			tap.equal(top.fault_level_o, level, "level of the fault");
		/* what began in the last cycle is offered now */
		if (started < 16) {
			tap.equal(started_read ? top.read_valid_o : top.wait_translate_valid_o, 1,
				  "offered a cycle later");
		}
		tap.check(!(top.read_valid_o && top.wait_translate_valid_o), "one offer at a time");
		if (top.wait_translate_valid_o) {
			tap.equal(top.wait_translate_vmid_o, vmid[translate_slot], "VMID");
			tap.equal(top.wait_translate_va_o, va[translate_slot] >> 3, "address");
		}
		if (top.read_valid_o) {
			unsigned id = bits(top.read_o, 0, 5);

			tap.check(id < 16, "id of a read", id);
			tap.equal(bits(top.read_o, 5, 7), 1, "one word");
			tap.equal(bits(top.read_o, 12, 64), va[id & 15], "address of a read");
			tap.equal(bits(top.read_o, 76, 4), vmid[id & 15], "VMID of a read");
			if (started < 16 && started_read)
				tap.equal(id, started, "the read that began");
		}
		translate_waits = top.wait_translate_valid_o && !top.wait_translate_ready_i;
		read_waits = top.read_valid_o && !top.read_ready_i;
		offered = translate_waits || read_waits;

		uint16_t begins = top.translate_start_o, looks = top.read_start_o,
			 all = begins | looks;

		tap.check(!(all & (all - 1)) && !(begins & looks), "one begins at a time", all);
		tap.check(!(begins & ~translate) && !(looks & ~read), "one that wants it");
		tap.check(!all || all == 1u << slot, "the one that is looked up");
		tap.check(!all || (lookup && !offered), "only if it can be looked up and offered");
		tap.check(!begins || !translating, "one translation at a time");
		/* visited out of turn */
		if (fresh)
			newest = fresh_slot;
		if (newest < 16 && lookup && !offered && !translating && !after_done) {
			if (translate >> newest & 1)
				tap.equal(begins, 1u << newest, "the newest wait begins first");
			else if (read >> newest & 1)
				tap.equal(looks, 1u << newest, "a reread begins first");
			newest = 16;
		}
		if (kept)
			newest = reread_slot;
		if (after_done && read >> translate_slot & 1 && lookup && !offered)
			tap.equal(looks, 1u << translate_slot, "what is translated reads at once");
		for (unsigned s = 0; s < 16; s++) {
			bool wants = (translate | read) >> s & 1;

			waits[s] = wants && !(all >> s & 1) ? waits[s] + 1 : 0;
			longest = std::max(longest, waits[s]);
		}
		started = all ? __builtin_ctz(all) : 16;
		started_read = looks;
		translations += begins != 0;
		reads += looks != 0;
		bool ends = done && bad && translating;
		if (ends)
			level = done_level;
		if (taken || (done && !bad))
			translating = false;
		if (begins)
			translating = true, translate_slot = started;
		after_done = done;
		faults += ends;
		fault = ends || (fault && !taken);
		translate &= ~begins, read &= ~looks;
		bool translate_valid = top.wait_translate_valid_o, read_valid = top.read_valid_o;
		top.clk_i = 1;
		top.eval();
		if (translate_valid && translate_waits)
			tap.equal(top.wait_translate_valid_o, 1, "a translation on offer stays");
		if (read_valid && read_waits)
			tap.equal(top.read_valid_o, 1, "a read on offer stays");
		if (translate_valid && !translate_waits && !begins)
			tap.equal(top.wait_translate_valid_o, 0, "a translation is offered once");
		if (read_valid && !read_waits && !looks)
			tap.equal(top.read_valid_o, 0, "a read is offered once");
		out = (out && !done) || (translate_valid && !translate_waits);
		done = taken = fresh = false;
		if (reread)
			read |= (1u << reread_slot) & ~translate;
		reread = false;
	}
};

} /* namespace */

int main()
{
	Tap tap;

	tap.begin("any places want requests, any delays");
	for (unsigned ready : { 100u, 50u, 10u }) {
		Bench b(tap, seed() * 31 + ready);
		Random &r = b.random;

		b.ready = ready;
		for (unsigned i = 0; i < 60000; i++) {
			unsigned slot = r.below(16);

			b.lookup = r.chance(80);
			if (!((b.translate | b.read) >> slot & 1) && r.chance(40)) {
				(r.chance(50) ? b.translate : b.read) |= 1u << slot;
				if (b.translate >> slot & 1)
					b.fresh = true, b.fresh_slot = slot;
			}
			b.reread = r.chance(20), b.reread_slot = r.below(16);
			b.done = b.out && r.chance(30);
			b.bad = r.chance(20);
			b.done_level = r.below(4);
			b.taken = b.fault && r.chance(30);
			b.step();
		}
		tap.check(b.translations > 500 && b.reads > 500 && b.faults > 100,
			  "all of it happened", b.translations, b.reads);
		/* A round is 16 visits; each waits for a translation at most. */
		tap.check(b.longest < 16 * 16 * 100 / ready, "nobody waits for ever", b.longest);
	}
	tap.end();

	tap.begin("places take turns: all want reads, each reads once in sixteen");
	{
		Bench b(tap, seed());
		unsigned count[16] = {};

		for (unsigned i = 0; i < 1600; i++) {
			b.read = 0xffff;
			b.step();
			if (b.started < 16)
				count[b.started]++;
		}
		for (unsigned s = 0; s < 16; s++)
			tap.check(count[s] >= 99 && count[s] <= 101, "reads of a place", count[s],
				  100);
	}
	tap.end();

	tap.begin("a place that has to read again does so in the next cycle");
	for (unsigned offset = 0; offset < 16; offset++) {
		Bench b(tap, seed());

		for (unsigned i = 0; i < offset; i++)
			b.step();
		b.reread = true, b.reread_slot = 5;
		b.step();
		tap.equal(b.started, 16, "not in the cycle in which it is told");
		b.step();
		tap.equal(b.started, 5, "the place");
	}
	tap.end();

	tap.begin("rereads in each cycle leave each second visit to the others");
	{
		Bench b(tap, seed());
		unsigned count[16] = {};

		for (unsigned i = 0; i < 3200; i++) {
			b.read = 0xffff;
			b.reread = true, b.reread_slot = 3;
			b.step();
			if (b.started < 16)
				count[b.started]++;
		}
		for (unsigned s = 0; s < 16; s++)
			tap.check(count[s] >= 99 && (s == 3 || count[s] <= 101), "reads of a place",
				  count[s], 100);
	}
	tap.end();

	tap.begin("a place that cannot begin keeps its turn");
	for (unsigned offset = 0; offset < 20; offset++) {
		Bench b(tap, seed());

		/* slot 0 is being translated; slot 9 wants a translation, all others reads */
		b.translate = 1;
		for (unsigned i = 0; i < 20; i++)
			b.step();
		b.translate = 1u << 9;
		for (unsigned i = 0; i < 40 + offset; i++)
			b.step();
		b.read = 0xfdff;
		b.done = true;
		b.step();
		b.read = 0xfdff;
		b.step(); /* the place that was translated, out of turn */
		tap.equal(b.started, 0, "what is translated reads");
		b.read = 0xfdff;
		b.step();
		tap.equal(b.started, 9, "then the place whose turn it is");
	}
	tap.end();
	return tap.status();
}
