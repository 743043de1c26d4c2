/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pulses over two clocks of any ratio and phase: behind each one comes a pulse on its bit, soon,
 * never more than there were, and just as many if they are far enough apart.
 */
// parameters: -GWidth=3
#include "Vrf_pulse_cross.h"
#include "harness.h"

namespace {

constexpr unsigned Width = 3;

class Bench {
public:
	Bench() : random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.from_clk_i = top.to_clk_i = top.pulses_i = 0;
		top.from_rst_ni = top.to_rst_ni = 0;
		top.eval();
		tap.equal(top.pulses_o, 0, "pulses in a reset");
		top.from_rst_ni = top.to_rst_ni = 1;
		top.eval();
	}

	void from_edge(unsigned pulses)
	{
		top.pulses_i = pulses;
		top.from_clk_i = 1;
		top.eval();
		top.from_clk_i = 0;
		top.eval();
		for (unsigned i = 0; i < Width; i++)
			if (pulses >> i & 1) {
				went[i]++;
				waiting[i] = true;
				since[i] = 0;
			}
	}

	void to_edge()
	{
		top.to_clk_i = 1;
		top.eval();
		top.to_clk_i = 0;
		top.eval();
		for (unsigned i = 0; i < Width; i++) {
			since[i]++;
			if (!(top.pulses_o >> i & 1))
				continue;
			tap.check(++came[i] <= went[i], "a pulse is invented", i);
			last[i] = since[i];
			/* A sooner one is that of an earlier pulse. */
			if (since[i] >= 3)
				waiting[i] = false;
		}
	}

	Vrf_pulse_cross top;
	rf::Random random;
	rf::Tap tap;
	bool waiting[Width] = {};
	unsigned went[Width] = {}, came[Width] = {}, since[Width] = {}, last[Width] = {};
};

} // namespace

int main()
{
	Bench b;

	b.tap.begin("a reset takes what is under way");
	for (unsigned i = 0; i < 60; i++) {
		b.reset();
		b.from_edge(1 + i % 7);
		for (unsigned n = 0; n < i % 6; n++) {
			b.from_edge(0);
			b.to_edge();
		}
		b.reset();
		for (unsigned n = 0; n < 8; n++) {
			b.from_edge(0);
			b.to_edge();
			b.tap.equal(b.top.pulses_o, 0, "pulses behind a reset");
		}
		for (unsigned bit = 0; bit < Width; bit++) {
			b.waiting[bit] = false;
			b.went[bit] = b.came[bit];
		}
	}
	b.tap.end();

	b.tap.begin("a pulse follows each, with any two clocks");
	for (unsigned round = 0; round < 200; round++) {
		unsigned from_period = 50 + b.random.below(400);
		unsigned to_period = 50 + b.random.below(400);
		unsigned from_at = b.random.below(from_period), to_at = b.random.below(to_period);
		unsigned rate = b.random.below(60);

		if (round % 10 == 0) {
			b.reset();
			for (unsigned i = 0; i < Width; i++) {
				b.waiting[i] = false;
				b.went[i] = b.came[i];
			}
		}
		for (unsigned time = 0; time < 60000; time++) {
			/* Nothing comes any more at the end. */
			if (time == from_at) {
				b.from_edge(time < 50000 && b.random.chance(rate)
						    ? b.random.below(8)
						    : 0);
				from_at += from_period;
			}
			if (time == to_at) {
				b.to_edge();
				to_at += to_period;
			}
		}
		for (unsigned i = 0; i < Width; i++)
			b.tap.equal(b.waiting[i], 0, "a pulse is lost");
	}
	for (unsigned i = 0; i < Width; i++)
		b.tap.check(b.came[i] > 1000, "pulses", b.came[i]);
	b.tap.end();

	b.tap.begin("far enough apart, as many as there were, within three cycles");
	b.reset();
	for (unsigned i = 0; i < 100; i++) {
		unsigned before = b.came[i % Width];

		b.from_edge(1 << i % Width);
		for (unsigned n = 0; n < 8; n++) {
			b.from_edge(0);
			b.to_edge();
		}
		b.tap.equal(b.came[i % Width], before + 1, "pulses");
		b.tap.check(b.last[i % Width] <= 3, "cycles", b.last[i % Width], 3);
	}
	b.tap.end();
	return b.tap.status();
}
