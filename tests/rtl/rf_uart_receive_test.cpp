/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A UART's receiver at its smallest divider: every byte of a sender whose clock is 2 %
 * off and of any phase; no byte from a glitch, a break or a wrong stop bit, and the
 * byte after it.
 */
// parameters: -GDivider=4
#include <deque>

#include "Vrf_uart_receive.h"
#include "harness.h"

namespace {

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	/* Hold the line for a time in cycles, which need not be whole. */
	void hold(bool level, double cycles)
	{
		for (end += cycles; now < end; now++) {
			top.rx_i = level;
			clock.tick();
			if (!top.valid_o)
				continue;
			got++;
			tap.check(!sent.empty(), "a byte from nowhere", top.data_o);
			if (sent.empty())
				continue;
			tap.equal(top.data_o, sent.front(), "byte");
			sent.pop_front();
		}
	}
	void byte(uint8_t data, double bit, bool stop = true)
	{
		if (stop)
			sent.push_back(data);
		hold(false, bit);
		for (unsigned i = 0; i < 8; i++)
			hold(data >> i & 1, bit);
		hold(stop, bit);
	}

	Vrf_uart_receive top;
	rf::Clock<Vrf_uart_receive> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<uint8_t> sent;
	double now = 0, end = 0;
	uint64_t got = 0;
};

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Bench b;

	b.top.rx_i = 1;
	b.clock.reset();
	b.tap.begin("a reset is no byte");
	b.tap.equal(b.top.valid_o, 0, "in the first cycle behind it");
	b.hold(true, 100);
	b.tap.equal(b.got, 0, "bytes");
	b.tap.end();
	for (double bit : { 3.92, 4.0, 4.08 }) {
		b.tap.begin("bits of " + std::to_string(bit) + " cycles: every byte");
		for (unsigned i = 0; i < 3000; i++) {
			b.byte(b.random.next(), bit);
			if (b.random.chance(30))
				b.hold(true, b.random.below(1000) / 100.0);
		}
		b.hold(true, 100);
		b.tap.equal(b.sent.size(), 0, "bytes not heard");
		b.tap.end();
	}
	b.tap.begin("a glitch, a break and a wrong stop bit are no bytes");
	for (unsigned i = 0; i < 300; i++) {
		switch (b.random.below(3)) {
		case 0:
			b.hold(false, 1);
			break;
		case 1:
			b.hold(false, 40);
			break;
		default:
			b.byte(b.random.next() | 0x80, 4, false);
		}
		b.hold(true, 60);
		b.byte(b.random.next(), 4);
		b.hold(true, 20);
		b.tap.equal(b.sent.size(), 0, "bytes not heard");
		b.sent.clear();
	}
	b.tap.end();
	b.top.final();
	return b.tap.status();
}
