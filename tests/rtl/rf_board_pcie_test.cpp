/* SPDX-License-Identifier: Apache-2.0 */
/* The LEDs of a board in a slot: each shows what docs/board.md says of it, and nothing else. */
#include "Vrf_board_pcie_tb.h"
#include "harness.h"

namespace {

using Top = Vrf_board_pcie_tb;

constexpr unsigned quiet = 1 << 22; /* cycles without a code error that led_symbols wants */

class Bench {
public:
	Bench() : clock(top)
	{
		top.ready_i = top.code_error_i = top.active_i = top.recovery_i = 0;
		top.slot_idle_i = 1;
		clock.reset();
		run(8); /* rf_reset */
	}
	void run(unsigned cycles)
	{
		while (cycles--)
			clock.tick();
	}

	Top top;
	rf::Clock<Top> clock;
	rf::Tap tap;
};

/* All values of what the first three show, and of what they do not */
void levels(Bench &bench)
{
	Top &top = bench.top;

	bench.tap.begin("link: active; l0: in L0; signal: the slot's transmitter is not idle");
	for (unsigned i = 0; i < 32; i++) {
		top.active_i = i & 1;
		top.recovery_i = i >> 1 & 1;
		top.slot_idle_i = i >> 2 & 1;
		top.ready_i = i >> 3 & 1;
		top.code_error_i = i >> 4 & 1;
		bench.run(4);
		bench.tap.equal(top.led_link_o, top.active_i, "link");
		bench.tap.equal(top.led_l0_o, !top.recovery_i, "l0");
		bench.tap.equal(top.led_signal_o, !top.slot_idle_i, "signal");
		bench.tap.equal(top.led_symbols_o, 0, "symbols, which come later");
	}
	bench.tap.end();
}

/* From dark to lit: not before its time, and then it stays. */
void lights(Bench &bench)
{
	bench.run(quiet - 4);
	bench.tap.equal(bench.top.led_symbols_o, 0, "not yet");
	bench.run(8);
	bench.tap.equal(bench.top.led_symbols_o, 1, "lit");
	bench.run(1000);
	bench.tap.equal(bench.top.led_symbols_o, 1, "it stays");
}

void symbols(Bench &bench)
{
	Top &top = bench.top;

	bench.tap.begin("symbols: the receiver is ready, and 2^22 cycles had no code error");
	top.ready_i = 0;
	top.code_error_i = 0;
	bench.run(4);
	top.ready_i = 1;
	lights(bench);
	top.code_error_i = 1; /* one */
	bench.run(1);
	top.code_error_i = 0;
	bench.run(2);
	bench.tap.equal(top.led_symbols_o, 0, "a code error");
	lights(bench);
	top.ready_i = 0;
	bench.run(2);
	bench.tap.equal(top.led_symbols_o, 0, "the receiver is not ready");
	bench.run(quiet + 4);
	bench.tap.equal(top.led_symbols_o, 0, "and stays so");
	bench.tap.end();
}

} // namespace

int main()
{
	Bench bench;

	levels(bench);
	symbols(bench);
	return bench.tap.status();
}
