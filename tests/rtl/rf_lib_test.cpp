/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The leaf cells, each against its promise: nothing lost, doubled or out of order;
 * at most one grant and nobody starved; RAM words as written.
 */
#include <algorithm>
#include <deque>

#include "Vrf_lib_tb.h"
#include "harness.h"

namespace {

using Top = Vrf_lib_tb;

/* A stream through a cell: what went in comes out, and valid and data wait for ready. */
struct Stream {
	std::deque<uint32_t> inside;
	bool waited = false;
	uint32_t shown = 0;
	uint64_t moved = 0;
	size_t most = 0;

	void step(rf::Tap &tap, bool in, uint32_t data, bool valid, bool ready, uint32_t out)
	{
		if (waited) {
			tap.check(valid, "valid was withdrawn");
			tap.equal(out, shown, "data changed while it waited");
		}
		waited = valid && !ready;
		shown = out;
		if (valid && ready) {
			tap.check(!inside.empty(), "a word from nowhere", out);
			if (!inside.empty()) {
				tap.equal(out, inside.front(), "order and value");
				inside.pop_front();
			}
			moved++;
		}
		if (in)
			inside.push_back(data);
		most = std::max(most, inside.size());
	}
};

void streams(Top &top, rf::Clock<Top> &clock, rf::Random &random, rf::Tap &tap)
{
	Stream fifo, skid, slice;

	tap.begin("FIFOs, skid buffer and register slice keep every word once, in order");
	for (unsigned i = 0; i < 20000; i++) {
		unsigned in = i / 1000 % 5 * 25, out = i / 5000 * 30 + 10;

		if (!top.fifo_valid_i || top.fifo_ready_o)
			top.fifo_valid_i = random.chance(in);
		top.skid_valid_i = random.chance(in);
		top.slice_valid_i = random.chance(in);
		top.data_i = random.next();
		top.fifo_ready_i = random.chance(out);
		top.skid_ready_i = random.chance(out);
		top.slice_ready_i = random.chance(out);
		top.eval();
		tap.equal(top.fifo_count_o, fifo.inside.size(), "count");
		tap.equal(top.head_count_o, top.fifo_count_o, "count with the oldest in registers");
		tap.equal(top.head_ready_o, top.fifo_ready_o, "ready, likewise");
		tap.equal(top.head_valid_o, top.fifo_valid_o, "valid, likewise");
		if (top.fifo_valid_o)
			tap.equal(top.head_data_o, top.fifo_data_o, "the oldest, likewise");
		fifo.step(tap, top.fifo_valid_i && top.fifo_ready_o, top.data_i, top.fifo_valid_o,
			  top.fifo_ready_i, top.fifo_data_o);
		skid.step(tap, top.skid_valid_i && top.skid_ready_o, top.data_i, top.skid_valid_o,
			  top.skid_ready_i, top.skid_data_o);
		slice.step(tap, top.slice_valid_i && top.slice_ready_o, top.data_i,
			   top.slice_valid_o, top.slice_ready_i, top.slice_data_o);
		clock.tick();
	}
	tap.equal(fifo.most, 4, "the FIFO was full");
	tap.equal(skid.most, 2, "the skid buffer was full");
	tap.equal(slice.most, 1, "the register slice was full");
	tap.end();

	tap.begin("rf_fifo and rf_skid move a word every cycle");
	fifo.moved = skid.moved = 0;
	for (unsigned i = 0; i < 100; i++) {
		top.fifo_valid_i = top.skid_valid_i = 1;
		top.fifo_ready_i = top.skid_ready_i = 1;
		top.data_i = i;
		top.eval();
		fifo.step(tap, top.fifo_ready_o, i, top.fifo_valid_o, true, top.fifo_data_o);
		skid.step(tap, top.skid_ready_o, i, top.skid_valid_o, true, top.skid_data_o);
		clock.tick();
	}
	tap.check(fifo.moved >= 99 && skid.moved >= 99, "words in 100 cycles", fifo.moved,
		  skid.moved);
	tap.end();
	top.fifo_valid_i = top.skid_valid_i = top.slice_valid_i = 0;
}

void merge(Top &top, rf::Clock<Top> &clock, rf::Random &random, rf::Tap &tap)
{
	uint32_t data[2] = {}, shown = 0;
	unsigned passed[2] = {};
	uint64_t taken[2] = {};
	bool waited = false;

	tap.begin("rf_merge takes from two sources in turn and keeps what it shows");
	top.merge_valid_i = 0;
	top.merge_ready_i = 1;
	clock.reset(1);
	tap.equal(top.merge_ready_o, 1, "source 0 comes first behind a reset");
	for (unsigned i = 0; i < 20000; i++) {
		unsigned rate[2] = { i % 4000 / 1000 * 33 + 1, i % 3000 / 1000 * 50 };

		for (unsigned p = 0; p < 2; p++) {
			if (top.merge_valid_i >> p & 1 || !random.chance(rate[p]))
				continue;
			top.merge_valid_i |= 1 << p;
			data[p] = random.next() << 1 | p;
		}
		top.merge_data_i = (uint64_t)data[1] << 32 | data[0];
		top.merge_ready_i = random.chance(60);
		top.eval();
		unsigned ready = top.merge_ready_o & top.merge_valid_i;

		if (waited) {
			tap.check(top.merge_valid_o, "valid was withdrawn");
			tap.equal(top.merge_data_o, shown, "data changed while it waited");
		}
		waited = top.merge_valid_o && !top.merge_ready_i;
		shown = top.merge_data_o;
		tap.equal(ready != 0, top.merge_valid_o && top.merge_ready_i,
			  "taken on both sides or on none");
		tap.check(ready != 3, "one at a time");
		if (top.merge_valid_o)
			tap.equal(shown, data[shown & 1], "a word of its source");
		for (unsigned p = 0; p < 2; p++) {
			if (ready >> p & 1) {
				tap.equal(shown & 1, p, "the source that is taken is shown");
				taken[p]++;
				passed[p] = 0;
			} else if ((top.merge_valid_i >> p & 1) && ready) {
				tap.check(++passed[p] < 2, "a source waits for one of the other",
					  p);
			}
		}
		clock.tick();
		top.merge_valid_i &= ~ready;
	}
	tap.check(taken[0] > 2000 && taken[1] > 2000, "both were taken", taken[0], taken[1]);
	tap.end();
	/* What is offered stays until it is taken. */
	top.merge_ready_i = 1;
	while (top.merge_valid_i) {
		top.eval();
		unsigned ready = top.merge_ready_o & top.merge_valid_i;
		clock.tick();
		top.merge_valid_i &= ~ready;
	}
}

void arbiters(Top &top, rf::Clock<Top> &clock, rf::Random &random, rf::Tap &tap)
{
	unsigned last = 4, waited[5] = {}, selected[5] = {};

	tap.begin("rf_round_robin grants the next requester behind the last winner");
	for (unsigned i = 0; i < 20000; i++) {
		top.request_i = random.below(32);
		top.advance_i = random.chance(60);
		top.eval();
		unsigned want = 0, index = 0;

		for (unsigned p = 1; p <= 5 && !want; p++) {
			index = (last + p) % 5;
			if (top.request_i >> index & 1)
				want = 1u << index;
		}
		tap.equal(top.grant_o, want, "grant");
		if (want) {
			tap.equal(top.index_o, index, "index");
			if (top.advance_i)
				last = index;
		}
		clock.tick();
	}
	tap.end();

	tap.begin("rf_lowest grants the lowest requester");
	for (unsigned requests = 0; requests < 32; requests++) {
		top.request_i = requests;
		top.eval();
		tap.equal(top.lowest_o, requests & -requests, "grant");
		tap.equal(top.lowest_index_o, requests ? __builtin_ctz(requests) : 0, "index");
	}
	tap.end();

	tap.begin("rf_choice grants the next requester behind the last that was taken");
	unsigned choice = 0, choice_index = 0;

	last = 4;
	for (unsigned i = 0; i < 20000; i++) {
		tap.equal(top.choice_valid_o, choice != 0, "a choice");
		if (choice)
			tap.equal(top.choice_o, choice, "the choice");
		top.request_i = random.below(32);
		top.choose_i = random.chance(60);
		top.take_i = choice && random.chance(70);
		unsigned want = 0, index = 0;

		for (unsigned p = 1; p <= 5 && !want; p++) {
			index = (last + p) % 5;
			if (top.choose_i && top.request_i >> index & 1)
				want = 1u << index;
		}
		if (top.take_i)
			last = choice_index;
		choice = want;
		choice_index = index;
		clock.tick();
	}
	top.choose_i = top.take_i = 0;
	tap.end();

	tap.begin("rf_select chooses requesters, none of them waits for ever");
	unsigned steady = 0, before = 0;

	for (unsigned i = 0; i < 20000; i++) {
		/* Requesters stay until they were selected; a choice is seen one cycle later. */
		steady |= random.below(32) & random.below(32);
		top.request_i = steady;
		top.keep_i = random.chance(20);
		top.hint_i = 1u << random.below(5);
		top.waiting_i = random.below(32);
		before = top.select_o;
		clock.tick();
		unsigned now = top.select_o;

		if (top.keep_i) {
			tap.equal(now, before, "kept");
			continue;
		}
		tap.check((now & (now - 1)) == 0, "at most one", now);
		if (now)
			tap.equal(1u << top.select_index_o, now, "index");
		if (steady)
			tap.check((now & steady) != 0, "a requester", now, steady);
		else
			tap.equal(now, top.hint_i, "the hint, without a request");
		for (unsigned p = 0; p < 5; p++) {
			waited[p] = (steady >> p & 1) && !(now >> p & 1) ? waited[p] + 1 : 0;
			tap.check(waited[p] <= 10, "choices that passed a requester", waited[p],
				  10);
		}
		steady &= ~now;
	}
	for (unsigned i = 0; i < 1000; i++) {
		top.request_i = 31;
		top.keep_i = 0;
		clock.tick();
		for (unsigned p = 0; p < 5; p++)
			selected[p] += top.select_o >> p & 1;
	}
	tap.check(selected[2] >= 499 && selected[2] <= 501,
		  "the first class has every other choice", selected[2], 500);
	for (unsigned p : { 0u, 1u, 3u, 4u })
		tap.check(selected[p] >= 124 && selected[p] <= 126, "the others share the rest",
			  selected[p], 125);
	top.request_i = 0;
	top.hint_i = 0;
	top.waiting_i = 0b11000;
	clock.tick();
	tap.equal(top.select_o, 0b01000, "the lowest that waits, when there is nothing else");
	tap.end();
}

void memories(Top &top, rf::Clock<Top> &clock, rf::Random &random, rf::Tap &tap)
{
	uint32_t words[16] = {}, plain[16] = {}, want = 0;
	uint64_t collisions = 0;
	bool read = false;

	bool reads = false; /* a cycle ago */

	tap.begin("rf_ram and rf_lutram give the word written last");
	for (unsigned a = 0; a < 16; a++) {
		top.write_i = 1;
		top.write_strobe_i = 15;
		top.write_address_i = a;
		top.write_data_i = words[a] = plain[a] = random.next();
		top.read_i = 0;
		clock.tick();
	}
	for (unsigned i = 0; i < 20000; i++) {
		top.write_i = random.chance(60);
		top.write_address_i = random.below(16);
		top.write_data_i = random.next();
		top.write_strobe_i = random.below(16);
		top.read_i = random.chance(60);
		top.read_address_i = random.below(16);
		top.eval();
		tap.equal(top.lutram_data_o, plain[top.read_address_i], "distributed RAM");
		if (read)
			tap.equal(top.ram_data_o, want, "block RAM, held until the next read");
		if (i)
			tap.equal(top.zero_data_o, reads ? want : 0, "that which shows 0 else");
		reads = top.read_i;
		if (top.read_i) {
			bool same = top.write_i && top.write_address_i == top.read_address_i;

			read = true;
			want = words[top.read_address_i];
			/* Bytes written in the same cycle: neither old nor new. */
			for (unsigned b = 0; b < 4; b++) {
				uint32_t mask = 0xffu << (8 * b);

				if (same && (top.write_strobe_i >> b & 1)) {
					want = (want & ~mask) | (~top.write_data_i & mask);
					collisions++;
				}
			}
		}
		for (unsigned b = 0; b < 4; b++) {
			uint32_t mask = 0xffu << (8 * b);

			if (top.write_i && (top.write_strobe_i >> b & 1))
				words[top.write_address_i] = (words[top.write_address_i] & ~mask) |
							     (top.write_data_i & mask);
		}
		if (top.write_i)
			plain[top.write_address_i] = top.write_data_i;
		clock.tick();
	}
	tap.check(collisions > 100, "bytes read while written", collisions);
	tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Top top;
	rf::Clock<Top> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	clock.reset();
	streams(top, clock, random, tap);
	merge(top, clock, random, tap);
	arbiters(top, clock, random, tap);
	memories(top, clock, random, tap);
	top.final();
	return tap.status();
}
