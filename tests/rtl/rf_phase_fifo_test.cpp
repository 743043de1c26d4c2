/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words between two clocks of one source, of the same or twice the rate and any phase, with jitter: all
 * come out, in order, each after two cycles in the memory at least; again after each reset.
 */
// parameters: -GWidth=16
#include <algorithm>
#include <deque>

#include "Vrf_phase_fifo.h"
#include "harness.h"

namespace {

constexpr unsigned Cycle = 8000; /* picoseconds of a word */
constexpr unsigned Jitter = 300; /* of an edge, to either side */
constexpr unsigned Words = 300; /* after one reset */

/* A clock with one or two edges for a word, and the synchronizer of its side's reset */
class Clock {
public:
	Clock(rf::Random &random, unsigned edges) :
	    random(random), edges(edges), ideal(Cycle + random.below(Cycle)),
	    place(random.below(edges)), wait(2 + random.below(2))
	{
		step();
	}
	uint64_t next() const { return edge; }
	void step()
	{
		ideal += Cycle / edges;
		edge = ideal + random.below(2 * Jitter) - Jitter;
		place++;
	}
	/* The edge that begins or takes a word */
	bool word() const { return place % edges == 0; }
	/* The reset ends with the second or third edge, as the first flip-flop has seen it or not. */
	bool runs(uint64_t release)
	{
		if (wait && edge >= release)
			wait--;
		return !wait;
	}

private:
	rf::Random &random;
	unsigned edges;
	uint64_t ideal, edge = 0;
	unsigned place, wait;
};

class Bench {
public:
	Bench() : random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void run(unsigned write_edges, unsigned read_edges)
	{
		const uint64_t release = 4 * Cycle + random.below(Cycle);
		Clock write(random, write_edges), read(random, read_edges);

		inside.clear();
		count = 0;
		top.write_rst_ni = top.read_rst_ni = top.write_clk_i = top.read_clk_i = 0;
		top.eval();
		while (count < Words && write.next() < (Words + 50) * uint64_t(Cycle)) {
			if (write.next() < read.next())
				write_edge(write, release);
			else
				read_edge(read, release);
		}
		tap.equal(count, Words, "all words");
	}

	rf::Tap tap;

private:
	void write_edge(Clock &clock, uint64_t release)
	{
		top.write_i = clock.word();
		top.word_i = random.below(0x10000);
		if (top.write_rst_ni && top.write_i)
			inside.emplace_back(clock.next(), top.word_i);
		top.eval();
		top.write_clk_i = 1;
		top.eval();
		top.write_rst_ni = clock.runs(release);
		top.write_clk_i = 0;
		top.eval();
		clock.step();
	}
	void read_edge(Clock &clock, uint64_t release)
	{
		top.read_i = clock.word();
		top.eval();
		top.read_clk_i = 1;
		top.eval();
		const bool reads = top.read_i && top.valid_o;

		if (reads && inside.empty()) {
			tap.check(false, "no word is invented");
		} else if (reads) {
			const uint64_t stay = clock.next() - inside.front().first;

			tap.equal(top.word_o, inside.front().second, "order");
			/* Two words written, two flip-flops: two intervals, each of two edges */
			tap.check(stay + 4 * Jitter >= 2 * Cycle, "two cycles in the memory", stay);
			tap.check(inside.size() <= 6, "six words at most", inside.size());
			inside.pop_front();
			count++;
		} else {
			tap.equal(top.valid_o, count != 0, "valid from the first one on");
		}
		top.read_rst_ni = clock.runs(release);
		top.read_clk_i = 0;
		top.eval();
		clock.step();
	}

	Vrf_phase_fifo top;
	rf::Random random;
	std::deque<std::pair<uint64_t, unsigned>> inside; /* when written */
	unsigned count = 0;
};

} /* namespace */

int main()
{
	static const unsigned edges[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 } };
	Bench bench;

	for (const auto &pair : edges) {
		bench.tap.begin("edges for a word, written and read: " + std::to_string(pair[0]) +
				", " + std::to_string(pair[1]));
		for (unsigned i = 0; i < 500; i++)
			bench.run(pair[0], pair[1]);
		bench.tap.end();
	}
	return bench.tap.status();
}
