/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States with their lengths, in order, the last 512 of them; counters; a link's clock that is faster,
 * slower or stands.
 */
#include <deque>

#include "Vrf_link_trace.h"
#include "harness.h"

namespace {

constexpr unsigned Unit = 16, Entries = 512, L0 = 11, Recovery = 12;

class Bench {
public:
	Bench() : random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.clk_i = top.link_clk_i = 0;
		top.rst_ni = top.link_rst_ni = 0;
		top.state_i = top.errors_i = top.events_i = 0;
		top.flags_i = 0;
		top.freeze_i = top.clear_i = top.read_i = 0;
		top.eval();
		for (unsigned i = 0; i < 4; i++)
			tick();
		top.rst_ni = top.link_rst_ni = 1;
		for (unsigned i = 0; i < 40; i++)
			tick();
	}
	/* A cycle of clk_i; the link's clock has its own period, or none. */
	void tick()
	{
		for (unsigned t = 0; t < 16; t++, time++) {
			bool link = period && time % period == 0;

			if (link) {
				top.link_clk_i = 1;
				top.eval();
				top.errors_i = 0;
				top.link_clk_i = 0;
			}
			if (t == 8) {
				top.clk_i = 1;
				top.eval();
				top.events_i = 0;
				top.clear_i = 0;
				top.clk_i = 0;
			}
			top.eval();
		}
	}
	uint32_t read(unsigned address)
	{
		top.read_i = 1;
		top.read_address_i = address;
		tick();
		top.read_i = 0;
		tick();
		return top.read_data_o;
	}
	unsigned counter(unsigned number)
	{
		for (unsigned i = 0; i < 40; i++)
			tick();
		return read(512 + number);
	}
	void be(unsigned state, unsigned cycles)
	{
		top.state_i = state;
		for (unsigned i = 0; i < cycles; i++)
			tick();
	}

	Vrf_link_trace top;
	rf::Random random;
	rf::Tap tap;
	uint64_t time = 0;
	unsigned period = 8; /* of the link's clock; clk_i has 16 */
};

} /* namespace */

int main()
{
	Bench bench;
	rf::Tap &tap = bench.tap;

	for (unsigned period : { 8u, 16u, 5u, 11u, 30u }) {
		struct Want {
			unsigned state, flags, cycles;
		};
		std::deque<Want> wants;
		unsigned state = 0, l0 = 0, recovery = 0;

		tap.begin("each state with its flags and length, link period " +
			  std::to_string(period));
		bench.period = period;
		bench.reset();
		for (unsigned i = 0; i < 1300; i++) {
			unsigned cycles = 12 + bench.random.below(i % 20 ? 60 : 3000);
			unsigned flags = bench.random.below(16);

			bench.top.flags_i = flags;
			bench.be(state, cycles);
			wants.push_back({ state, flags, cycles });
			unsigned next = bench.random.below(24);

			if (next == state)
				next = (next + 1) % 24;
			state = next;
			bench.top.state_i = state;
			for (unsigned k = 0; k < 11; k++)
				bench.tick();
			l0 += state == L0;
			recovery += state == Recovery;
			bench.top.flags_i = 0;
			tap.equal(bench.top.position_o, (i + 1) % Entries, "place of the next");
			tap.equal(bench.top.wrapped_o, i + 1 >= Entries, "wrapped");
			/* Its last cycles are seen late; so were those of the one before. */
			wants.back().cycles += i ? 11 : 0;
		}
		tap.equal(bench.top.position_o, 1300 % Entries, "position");
		tap.equal(bench.top.wrapped_o, 1, "wrapped");
		tap.equal(bench.top.now_o >> 27, state, "the state now");
		for (unsigned i = 0; i < Entries; i++) {
			const Want &want = wants[wants.size() - Entries + i];
			uint32_t entry = bench.read((bench.top.position_o + i) % Entries);
			unsigned length = entry & 0x7fffff, cycles = want.cycles;

			tap.equal(entry >> 27, want.state, "state");
			tap.equal(entry >> 23 & 15, want.flags, "flags");
			tap.check(length + 1 >= cycles / Unit && length <= cycles / Unit + 1,
				  "length", length, cycles / Unit);
		}
		tap.equal(bench.counter(6), l0, "entries into L0");
		tap.equal(bench.counter(7), recovery, "entries into Recovery");
		tap.end();
	}

	tap.begin("a length is in units of 16 cycles that have passed, from none on");
	bench.period = 8;
	bench.reset();
	bench.be(1, 20);
	for (unsigned cycles = 4; cycles < 200; cycles++) {
		unsigned place = bench.top.position_o;

		if (cycles % Unit < 2)
			continue; /* of these the last may be the next state's */
		bench.be(2, cycles);
		bench.be(1, 20);
		tap.equal(bench.read((place + 1) % Entries) & 0x7fffff, cycles / Unit, "length");
	}
	tap.end();

	tap.begin("errors and events are counted, several at once each");
	bench.period = 8;
	bench.reset();
	unsigned want[16] = {};
	for (unsigned i = 0; i < 1000; i++) {
		unsigned errors = bench.random.below(64), events = bench.random.below(256);

		bench.top.errors_i = errors;
		bench.top.events_i = events;
		bench.tick();
		for (unsigned k = 0; k < 6; k++)
			want[k] += errors >> k & 1;
		for (unsigned k = 0; k < 8; k++)
			want[8 + k] += events >> k & 1;
		for (unsigned k = 0; k < 30; k++) {
			if (k == 10 && i % 4 == 0)
				bench.read(bench.random.below(528));
			bench.tick();
		}
	}
	for (unsigned k = 0; k < 16; k++)
		tap.equal(bench.counter(k), want[k], "counter");
	tap.end();

	tap.begin("a counter stops at 65535");
	bench.reset();
	for (unsigned i = 0; i < 65540; i++) {
		bench.top.events_i = 1 << 3;
		for (unsigned k = 0; k < 17; k++)
			bench.tick();
	}
	tap.equal(bench.counter(11), 65535, "it stays");
	tap.equal(bench.counter(10), 0, "no other one counts");
	tap.end();

	tap.begin("clear_i empties all; freeze_i keeps the entries, and the counters count");
	bench.top.clear_i = 1;
	bench.tick();
	tap.equal(bench.counter(11), 0, "counter");
	tap.check(!bench.top.position_o && !bench.top.wrapped_o, "entries");
	for (bool reset : { false, true }) {
		bench.top.clear_i = !reset;
		bench.top.rst_ni = !reset;
		bench.tick();
		bench.top.rst_ni = 1;
		for (unsigned i = 0; i < 16; i++)
			bench.tick();
		bench.top.events_i = 1 << 3;
		bench.tick();
		tap.equal(bench.counter(11), 1, "an event behind the 16 cycles");
	}
	bench.reset();
	bench.be(1, 100);
	bench.be(2, 100);
	tap.equal(bench.top.position_o, 2, "two ended");
	bench.top.freeze_i = 1;
	bench.be(L0, 100);
	bench.be(4, 100);
	tap.equal(bench.top.position_o, 2, "frozen");
	tap.equal(bench.top.now_o >> 27, 4, "the state now");
	tap.equal(bench.counter(6), 1, "L0 is counted");
	bench.top.freeze_i = 0;
	bench.be(5, 100);
	tap.equal(bench.read(2) >> 27, 4, "goes on");
	tap.end();

	tap.begin("states that change too fast: some are left out, not the last one");
	bench.reset();
	bench.period = 1;
	for (unsigned i = 0; i < 200; i++) {
		unsigned last = 1 + bench.random.below(23);

		for (unsigned k = 0; k < 40; k++) {
			bench.top.state_i = k & 1 ? last : 0;
			bench.top.link_clk_i = 1;
			bench.top.eval();
			bench.top.link_clk_i = 0;
			bench.top.eval();
		}
		bench.be(last, 30);
		tap.equal(bench.top.now_o >> 27, last, "the last one");
	}
	tap.end();

	tap.begin("a link's clock that stands does not stop a reader; a length stops at its limit");
	bench.reset();
	bench.be(3, 50);
	bench.period = 0;
	for (unsigned i = 0; i < 5000; i++)
		bench.tick();
	tap.equal(bench.top.now_o >> 27, 3, "the last state");
	tap.check((bench.top.now_o & 0x7fffff) >= 5000 / Unit, "time goes on");
	bench.top.events_i = 1;
	bench.tick();
	tap.equal(bench.counter(8), 1, "events count");
	bench.period = 8;
	bench.be(4, 50);
	tap.equal(bench.read(1) >> 27, 3, "and it ends when the clock runs");
	tap.end();
	return tap.status();
}
