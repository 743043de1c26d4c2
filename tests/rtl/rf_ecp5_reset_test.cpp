/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SERDES' resets in their order, with their waits; the receive PCS in reset whenever the recovered
 * clock may be unstable; what is lost begins again from the right place.
 */
// parameters: -GPulseCycles=4 -GPllCycles=50 -GCdrCycles=100 -GCheckCycles=60 -GCheckErrors=8 -GLimitLog2=10
#include "Vrf_ecp5_reset.h"
#include "harness.h"

namespace {

constexpr unsigned Pulse = 4, PllWait = 50, CdrWait = 100, Check = 60, Limit = 1024;
constexpr unsigned Steady = 10; /* of rf_link_electrical_idle */

enum Step { All, Pll, Signal, Cdr, Lock, Settle, Run };

/* The cell: its CDR reports no signal in reset and for a while afterwards, and locks later. */
class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		pll = lockable = false;
		signal = false;
		errors = 0;
		after_cdr = 0;
		top.restart_i = top.hold_i = top.code_error_i = 0;
		drive();
		clock.reset();
	}
	void drive()
	{
		top.pll_unlocked_i = !pll;
		top.rx_silent_i = !signal || top.reset_cdr_o || after_cdr < 20;
		top.cdr_unlocked_i = !lockable || top.reset_cdr_o || after_cdr < 45;
	}
	void tick()
	{
		drive();
		top.code_error_i = errors && random.chance(errors);
		clock.tick();
		after_cdr = top.reset_cdr_o ? 0 : after_cdr + 1;
		/* What holds in every cycle */
		if (!top.tx_ready_o)
			tap.check(!top.rx_ready_o, "no receiver without a transmitter");
		tap.check(!top.reset_all_o || top.reset_pll_o, "all resets begin together");
		tap.check(!top.reset_pll_o ||
				  (top.reset_tx_pcs_o && top.reset_cdr_o && top.reset_rx_pcs_o),
			  "the PLL's reset is everybody's");
		tap.check(!top.reset_cdr_o || top.reset_rx_pcs_o, "no receive PCS without a CDR");
		tap.check(!top.rx_ready_o || !top.reset_rx_pcs_o, "ready means out of reset");
		pll_lost += top.pll_lost_o;
		cdr_lost += top.cdr_lost_o;
	}
	/* Cycles until a step, or 0 after the limit */
	unsigned until(Step step, unsigned limit = 5000)
	{
		for (unsigned i = 1; i <= limit; i++) {
			tick();
			if (top.step_o == step)
				return i;
		}
		return 0;
	}
	void run()
	{
		reset();
		pll = signal = lockable = true;
		tap.check(until(Run), "it runs");
		tick();
	}

	Vrf_ecp5_reset top;
	rf::Clock<Vrf_ecp5_reset> clock;
	rf::Random random;
	rf::Tap tap;
	bool pll, signal, lockable;
	unsigned errors, after_cdr;
	unsigned pll_lost = 0, cdr_lost = 0;
};

} /* namespace */

int main()
{
	Bench bench;
	rf::Tap &tap = bench.tap;
	unsigned cycles;

	tap.begin("in order, each wait as long as it has to be");
	bench.reset();
	tap.check(bench.top.reset_all_o && bench.top.reset_pll_o && bench.top.reset_tx_pcs_o &&
			  bench.top.reset_cdr_o && bench.top.reset_rx_pcs_o,
		  "all begin in reset");
	cycles = bench.until(Pll);
	tap.check(cycles >= Pulse, "pulse", cycles, Pulse);
	tap.equal(bench.until(Signal, 3000), 0, "without a PLL nothing goes on");
	tap.check(bench.top.reset_tx_pcs_o && !bench.top.tx_ready_o, "nor the transmitter");
	bench.pll = true;
	cycles = bench.until(Signal);
	tap.check(cycles >= PllWait && cycles <= PllWait + Steady + 4, "PLL", cycles, PllWait);
	bench.tick();
	tap.check(bench.top.tx_ready_o && !bench.top.reset_tx_pcs_o, "the transmitter first");
	tap.check(!bench.top.reset_cdr_o && bench.top.reset_rx_pcs_o, "a CDR to look for a signal");
	tap.equal(bench.until(Cdr, 3000), 0, "without a signal nothing goes on");
	bench.signal = bench.lockable = true;
	cycles = bench.until(Cdr);
	tap.check(cycles && cycles <= Steady + 2, "signal", cycles);
	bench.tick();
	tap.check(bench.top.reset_cdr_o && bench.top.tx_ready_o, "the CDR's own reset");
	cycles = bench.until(Lock);
	tap.equal(cycles + 1, Pulse, "its pulse");
	cycles = bench.until(Settle);
	tap.check(cycles >= CdrWait + 45 && cycles <= CdrWait + 45 + Steady + 4, "lock", cycles);
	tap.check(!bench.top.rx_ready_o, "not yet ready");
	bench.tick();
	tap.check(!bench.top.reset_rx_pcs_o, "receive PCS");
	cycles = bench.until(Run);
	tap.equal(cycles + 1, Check, "settles");
	bench.tick();
	tap.check(bench.top.rx_ready_o, "ready");
	tap.equal(bench.pll_lost + bench.cdr_lost, 0, "nothing was lost");
	tap.end();

	tap.begin("a lock that comes and goes does not count");
	bench.reset();
	bench.pll = bench.signal = true;
	bench.until(Lock);
	for (unsigned i = 0; i < 8; i++) {
		bench.lockable = true;
		for (unsigned k = 0; k < CdrWait - 2; k++)
			bench.tick();
		bench.lockable = false;
		for (unsigned k = 0; k < 20; k++)
			bench.tick();
		tap.check(bench.top.reset_rx_pcs_o, "in reset");
	}
	tap.end();

	tap.begin("a CDR that does not lock is reset again");
	bench.reset();
	bench.pll = bench.signal = true;
	bench.until(Lock);
	bench.cdr_lost = 0;
	cycles = bench.until(Cdr);
	tap.check(cycles >= Limit && cycles < Limit + 40, "limit", cycles, Limit);
	tap.equal(bench.cdr_lost, 1, "told");
	tap.end();

	tap.begin("glitches of the signals change nothing; losses begin again");
	bench.run();
	for (unsigned i = 0; i < 50; i++) {
		for (unsigned what = 0; what < 3; what++) {
			(what == 0 ? bench.pll : what == 1 ? bench.signal : bench.lockable) = false;
			for (unsigned k = bench.random.below(7) + 1; k; k--)
				bench.tick();
			bench.pll = bench.signal = bench.lockable = true;
			for (unsigned k = 0; k < 12; k++) {
				bench.tick();
				tap.equal(bench.top.step_o, Run, "a glitch");
			}
		}
	}
	for (unsigned what = 0; what < 2; what++) {
		bench.cdr_lost = 0;
		(what ? bench.signal : bench.lockable) = false;
		cycles = bench.until(Signal);
		tap.check(cycles && cycles <= Steady + 2, what ? "no signal" : "no lock", cycles);
		bench.tick();
		tap.check(bench.top.reset_rx_pcs_o && bench.top.tx_ready_o,
			  "the receive PCS alone");
		tap.equal(bench.cdr_lost, 1, "told");
		bench.signal = bench.lockable = true;
		tap.check(bench.until(Run), "runs again");
	}
	bench.pll_lost = 0;
	bench.pll = false;
	cycles = bench.until(All);
	tap.check(cycles && cycles <= Steady + 2, "no PLL", cycles);
	bench.tick();
	tap.check(bench.top.reset_all_o && !bench.top.tx_ready_o, "everything");
	tap.equal(bench.pll_lost, 1, "told");
	tap.end();

	tap.begin("code errors: some are no matter, many reset the CDR");
	bench.run();
	bench.errors = 3; /* in a hundred cycles: a window has 60, and 8 are too many */
	bench.cdr_lost = 0;
	bench.errors = 0;
	for (unsigned i = 0; i < 100 * Check; i++) {
		bench.top.code_error_i = 0;
		bench.drive();
		bench.top.code_error_i = i % 20 == 0; /* three in a window */
		bench.clock.tick();
		tap.equal(bench.top.step_o, Run, "few");
	}
	bench.errors = 60;
	cycles = bench.until(Cdr);
	tap.check(cycles && cycles < 2 * Check, "many", cycles);
	bench.errors = 0;
	tap.check(bench.until(Run), "runs again");
	tap.end();

	tap.begin("restart_i begins with everything, at any time");
	for (unsigned i = 0; i < 100; i++) {
		bench.reset();
		bench.pll = bench.signal = bench.lockable = true;
		for (unsigned k = bench.random.below(500); k; k--)
			bench.tick();
		bench.top.restart_i = 1;
		bench.tick();
		bench.top.restart_i = 0;
		tap.equal(bench.top.step_o, All, "begins");
		bench.tick();
		tap.check(bench.top.reset_all_o, "in reset");
		tap.check(bench.until(Run), "runs");
	}
	tap.end();

	tap.begin(
		"hold_i stops behind the reset of everything, and stays there without a PLL, too");
	bench.run();
	bench.top.restart_i = bench.top.hold_i = 1;
	bench.tick();
	bench.top.restart_i = 0;
	tap.check(bench.until(Pll), "the PLL");
	for (unsigned i = 0; i < 20 * PllWait; i++) {
		bench.pll = i / PllWait != 9;
		bench.tick();
		tap.equal(bench.top.step_o, Pll, "held");
		tap.check(!bench.top.reset_all_o && bench.top.reset_tx_pcs_o &&
				  !bench.top.tx_ready_o,
			  "the PLL alone runs");
	}
	bench.top.hold_i = 0;
	cycles = bench.until(Signal);
	tap.check(cycles && cycles <= PllWait, "it goes on", cycles);
	tap.check(bench.until(Run), "runs");
	tap.end();
	return tap.status();
}
