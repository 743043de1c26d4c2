/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps to L1 and to L2/L3 Ready, one by one: what each waits for, what Recovery ends, and what
 * wakes the link.
 */
#include "Vrf_link_power.h"
#include "harness.h"

namespace {

constexpr unsigned Idle = 1250; /* cycles */

enum { L0 = 11, RecoveryRcvrLock = 12, L1Entry = 20, L1Idle = 21, L2Entry = 22, L2Idle = 23 };

class Bench {
public:
	Bench() : clock(top) {}

	void reset()
	{
		top.active_i = 1;
		top.state_i = L0;
		top.ask_l1_i = top.ask_l23_i = 0;
		top.tx_waits_i = top.rx_end_i = top.granted_i = top.packet_i = 0;
		top.tx_idle_i = top.admits_i = 1;
		clock.reset();
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			clock.tick();
	}

	/* What is asked of the others, and nothing else */
	void expect(unsigned wanted, const char *what)
	{
		unsigned got = top.hold_o << 6 | top.enter_l1_o << 5 | top.enter_l23_o << 4 |
			       top.quiet_o << 3 | top.ltssm_l1_o << 2 | top.ltssm_l2_o << 1 |
			       top.wake_o;

		tap.equal(got, wanted, what);
	}

	enum {
		Hold = 64,
		DllpL1 = 32,
		DllpL23 = 16,
		Quiet = 8,
		EnterL1 = 4,
		EnterL2 = 2,
		Wake = 1
	};

	Vrf_link_power top;
	rf::Clock<Vrf_link_power> clock;
	rf::Tap tap;
};

void steps(Bench &b)
{
	for (bool l23 : { false, true }) {
		unsigned dllp = l23 ? b.DllpL23 : b.DllpL1;

		b.tap.begin(std::string("the steps to ") + (l23 ? "L2/L3 Ready" : "L1"));
		b.reset();
		b.run(3 * Idle);
		b.expect(0, "nobody asks");
		(l23 ? b.top.ask_l23_i : b.top.ask_l1_i) = 1;
		b.top.admits_i = b.top.tx_idle_i = 0;
		b.run(2);
		b.expect(b.Hold, "no TLP enters");
		/* What else is asked for waits until this is over. */
		b.top.ask_l1_i = b.top.ask_l23_i = 1;
		b.top.tx_idle_i = 1;
		b.run(5);
		b.expect(b.Hold, "no credits");
		b.top.tx_idle_i = 0;
		b.top.admits_i = 1;
		b.run(5);
		b.expect(b.Hold, "not all is acknowledged");
		b.top.tx_idle_i = 1;
		b.run(1);
		b.expect(b.Hold | dllp, "the DLLP");
		b.run(500);
		b.expect(b.Hold | dllp, "until it is granted");
		b.top.granted_i = b.top.packet_i = 1;
		b.run(1);
		b.top.granted_i = 0;
		b.expect(b.Hold | b.Quiet, "a packet is under way");
		b.run(10);
		b.expect(b.Hold | b.Quiet, "a packet is under way");
		b.top.packet_i = 0;
		b.top.eval();
		b.expect(b.Hold | b.Quiet | (l23 ? b.EnterL2 : b.EnterL1), "to the LTSSM");
		b.run(3);
		b.top.state_i = l23 ? L2Entry : L1Entry;
		b.top.tx_waits_i = 1;
		b.run(3);
		b.expect(b.Hold | b.Quiet, "not yet to be woken");
		b.top.state_i = l23 ? L2Idle : L1Idle;
		b.run(3);
		b.expect(b.Hold | b.Quiet | (l23 ? 0 : b.Wake), "a TLP wakes L1 alone");
		b.top.ask_l1_i = b.top.ask_l23_i = 0;
		b.top.state_i = RecoveryRcvrLock;
		b.run(2);
		b.expect(0, "Recovery ends it");
		b.tap.end();
	}
}

void idle(Bench &b)
{
	b.tap.begin("L1 is asked for when no TLP came or waited for 10 us");
	b.reset();
	b.top.ask_l1_i = 1;
	b.run(Idle);
	b.expect(0, "not before, behind a reset");
	b.run(1);
	b.expect(b.Hold, "then");
	for (unsigned kind = 0; kind < 4; kind++) {
		b.reset();
		b.top.ask_l1_i = 1;
		b.run(Idle - 10);
		b.top.tx_waits_i = kind == 0;
		b.top.rx_end_i = kind == 1;
		b.top.tx_idle_i = kind != 2;
		b.top.state_i = kind == 3 ? RecoveryRcvrLock : L0;
		b.run(1);
		b.top.tx_waits_i = b.top.rx_end_i = 0;
		b.top.tx_idle_i = 1;
		b.top.state_i = L0;
		b.run(Idle);
		b.expect(0, "not yet");
		b.run(1);
		b.expect(b.Hold, "now");
		b.run(1);
		b.expect(b.Hold | b.DllpL1, "the DLLP");
	}
	b.tap.end();
}

void recovery(Bench &b)
{
	b.tap.begin("Recovery ends each step");
	for (unsigned step = 0; step < 3; step++) {
		b.reset();
		b.top.ask_l1_i = 1;
		b.top.admits_i = step > 0;
		b.run(Idle + 5);
		b.top.granted_i = step > 1;
		b.top.packet_i = 1;
		b.run(1);
		b.top.granted_i = 0;
		b.expect(b.Hold | (step == 1 ? b.DllpL1 : 0) | (step == 2 ? b.Quiet : 0), "step");
		b.top.state_i = RecoveryRcvrLock;
		b.run(2);
		b.expect(0, "over");
		b.top.state_i = L0;
		b.top.admits_i = 1;
		b.run(Idle / 2);
		b.expect(0, "not at once");
		b.run(Idle / 2 + 5);
		b.expect(b.Hold | b.DllpL1, "again");
	}
	b.reset();
	b.top.ask_l23_i = 1;
	b.top.active_i = 0;
	b.run(10);
	b.expect(0, "not in DL_Inactive");
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	steps(b);
	idle(b);
	recovery(b);
	return b.tap.status();
}
