/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two clocks of any ratio and phase: words come out once and in order, with room for a word and
 * another one as long as it says so.
 */
// parameters: -GWidth=16 -GDepthLog2=4
#include <deque>

#include "Vrf_link_buffer.h"
#include "harness.h"

namespace {

constexpr unsigned Depth = 16;

class Bench {
public:
	Bench() : random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.write_clk_i = top.read_clk_i = 0;
		top.write_rst_ni = top.read_rst_ni = 0;
		top.valid_i = top.ready_i = 0;
		top.eval();
		top.write_clk_i = top.read_clk_i = 1;
		top.eval();
		top.write_clk_i = top.read_clk_i = 0;
		top.eval();
		top.write_rst_ni = top.read_rst_ni = 1;
		top.eval();
		inside.clear();
		extra = false;
	}

	/* With room, two words may come; the second without asking again. */
	void write_edge(unsigned percent)
	{
		top.eval();
		if (top.room_o)
			extra = true;
		top.valid_i =
			random.chance(percent) && (top.room_o || (extra && random.chance(50)));
		top.data_i = next;
		if (top.valid_i) {
			if (!top.room_o)
				extra = false;
			inside.push_back(next++);
			tap.check(inside.size() <= Depth + 1, "no room is invented", inside.size());
		}
		full += !top.room_o;
		top.write_clk_i = 1;
		top.eval();
		top.write_clk_i = 0;
		top.eval();
	}

	void read_edge(unsigned percent)
	{
		top.ready_i = random.chance(percent);
		top.eval();
		empty += !top.valid_o;
		if (stays)
			tap.check(top.valid_o && top.data_o == word, "what is offered stays");
		word = top.data_o;
		stays = top.valid_o && !top.ready_i;
		if (top.valid_o && top.ready_i) {
			tap.check(!inside.empty(), "no word is invented");
			if (!inside.empty()) {
				tap.equal(top.data_o, inside.front(), "order");
				inside.pop_front();
			}
		}
		top.read_clk_i = 1;
		top.eval();
		top.read_clk_i = 0;
		top.eval();
	}

	Vrf_link_buffer top;
	rf::Random random;
	rf::Tap tap;
	std::deque<uint16_t> inside;
	uint16_t next = 0xff00, word = 0;
	unsigned full = 0, empty = 0;
	bool extra = false, stays = false;
};

} // namespace

int main()
{
	Bench b;

	b.tap.begin("words in their order, with any two clocks");
	for (unsigned round = 0; round < 200; round++) {
		unsigned write_period = 50 + b.random.below(200);
		unsigned read_period = 50 + b.random.below(200);
		unsigned writes = b.random.below(101), reads = b.random.below(101);
		unsigned write_at = b.random.below(write_period);
		unsigned read_at = b.random.below(read_period);

		if (round % 10 == 0) {
			b.reset();
			b.stays = false;
		}
		for (unsigned time = 0; time < 50000; time++) {
			if (time == write_at) {
				b.write_edge(writes);
				write_at += write_period;
			}
			if (time == read_at) {
				b.read_edge(reads);
				read_at += read_period;
			}
		}
	}
	b.tap.check(b.full > 1000, "it was full", b.full);
	b.tap.check(b.empty > 1000, "it was empty", b.empty);
	b.tap.end();

	b.tap.begin("it holds sixteen words, a word is read in each cycle, and it drains");
	b.reset();
	for (unsigned i = 0; i < 40; i++)
		b.write_edge(100);
	b.tap.equal(b.inside.size(), Depth, "words");
	for (unsigned i = 0; i < 3; i++)
		b.read_edge(0);
	for (unsigned i = 0; i < Depth; i++)
		b.read_edge(100);
	b.tap.equal(b.inside.size(), 0, "words");
	b.tap.end();

	b.tap.begin("a word is seen by the fourth read edge, room by the third write edge");
	b.reset();
	b.stays = false;
	b.write_edge(100);
	for (unsigned i = 0; i < 3; i++)
		b.read_edge(0);
	b.tap.equal(b.top.valid_o, 1, "word");
	for (unsigned i = 0; i < 40; i++)
		b.write_edge(100);
	for (unsigned i = 0; i < 3; i++)
		b.read_edge(0);
	for (unsigned i = 0; i < 2; i++)
		b.read_edge(100);
	b.write_edge(0);
	b.write_edge(0);
	b.tap.equal(b.top.room_o, 1, "room");
	b.tap.end();
	return b.tap.status();
}
