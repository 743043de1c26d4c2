/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state machine alone: how many sets have to be received and sent, which ones count, what ends
 * the way, and that a state changes in turn_i only. Its times are in rf_link_physical_test.cpp.
 *
 * DOWNSTREAM: the parameter: 1 is the side that leads Configuration.
 */
// parameters: -GTickCycles=8 -GMillisecond=250
#ifndef DOWNSTREAM
#define DOWNSTREAM 0
#endif
#include "Vrf_ltssm.h"
#include "harness.h"

extern "C" {
#include "link/ltssm.h"
}

namespace {

enum {
#define STATE(state, name) state,
	LTSSM_STATES(STATE)
};

enum { Quiet, Ts1, Ts2, Eios, Idle, Packets, Compliance, Loop };

constexpr int PAD = -1;
constexpr bool leads = DOWNSTREAM;
constexpr unsigned link_number = leads ? 1 : 0x5a; /* what the side that leads says */
constexpr unsigned millisecond = 8 * 250; /* cycles */

struct Set {
	bool ts2;
	int link, lane;
	unsigned control;
	bool inverted;
};

class Bench {
public:
	Bench() : clock(top) {}

	void reset()
	{
		top.set_valid_i = top.eios_i = top.skp_i = 0;
		top.word_valid_i = top.word_idle_i = top.packet_i = 0;
		top.rx_idle_i = 1;
		top.detect_done_i = top.detect_present_i = 0;
		top.turn_i = top.sent_i = 0;
		top.retrain_i = top.enter_l1_i = top.enter_l2_i = 0;
		clock.reset();
	}

	/* A word that ends nothing */
	void wait(unsigned n = 3)
	{
		while (n--)
			clock.tick();
	}

	/* @n: items of what is asked for; the last one's end lets a latched cause through. */
	void send(unsigned n = 1)
	{
		while (n--) {
			wait();
			top.turn_i = top.sent_i = 1;
			top.sent_kind_i = top.request_o;
			clock.tick();
			top.turn_i = top.sent_i = 0;
			wait();
		}
	}

	/*
	 * The state ends so long behind the last one; the end of an item never keeps it. @lasted:
	 * the cycles of it that are over: those of wait(), if an item's end led to it.
	 */
	void lasts(unsigned milliseconds, const char *what, unsigned lasted = 3)
	{
		const unsigned before = top.state_o, least = milliseconds * millisecond;
		unsigned cycles = 0;

		top.turn_i = 1;
		for (; top.state_o == before && cycles <= 2 * least; cycles++)
			clock.tick();
		top.turn_i = 0;
		/* A cycle until its time counts, one to see it, one to compare it, and two to leave. */
		tap.equal(cycles + lasted, least + 5, what);
	}

	/* The end of another item, a SKP set's */
	void turn()
	{
		wait();
		top.turn_i = top.sent_i = 1;
		top.sent_kind_i = 8;
		clock.tick();
		top.turn_i = top.sent_i = 0;
		wait();
	}

	/* A set that has been received, in this cycle */
	void set(const Set &set, unsigned row)
	{
		top.set_i = uint64_t(set.ts2) << 43 | uint64_t(set.inverted) << 42 |
			    uint64_t(set.link < 0) << 41 | uint64_t(set.lane < 0) << 40 |
			    uint64_t(set.link & 0xff) << 32 | uint64_t(set.lane & 0xff) << 24 |
			    set.control;
		top.row_i = row;
		top.set_valid_i = 1;
		top.eval();
	}

	void receive(const Set &set, unsigned n, unsigned row = 1)
	{
		for (unsigned i = 0; i < n; i++, row += row < 8) {
			this->set(set, row);
			clock.tick();
			top.set_valid_i = 0;
			wait();
		}
	}

	void idle_words(unsigned n, bool idle = true)
	{
		while (n--) {
			top.word_valid_i = 1;
			top.word_idle_i = idle;
			clock.tick();
			top.word_valid_i = 0;
			wait(1);
		}
	}

	void packet()
	{
		top.packet_i = 1;
		clock.tick();
		top.packet_i = 0;
	}

	void state(unsigned wanted, const char *what) { tap.equal(top.state_o, wanted, what); }

	/* --- ways to a state ------------------------------------------------------------- */

	/* From a reset; with @goes_on from where it is, in Detect.Quiet */
	void to_polling()
	{
		if (!goes_on)
			reset();
		top.rx_idle_i = 0;
		turn();
		top.detect_done_i = top.detect_present_i = 1;
		turn();
		top.detect_done_i = 0;
		state(POLLING_ACTIVE, "Polling.Active");
	}

	void to_polling_configuration()
	{
		to_polling();
		receive({ false, PAD, PAD }, 8);
		send(1025);
		state(POLLING_CONFIGURATION, "Polling.Configuration");
	}

	void to_linkwidth_start()
	{
		to_polling_configuration();
		receive({ true, PAD, PAD }, 8);
		send(17);
		state(CONFIGURATION_LINKWIDTH_START, "Linkwidth.Start");
	}

	void to_linkwidth_accept()
	{
		to_linkwidth_start();
		receive({ false, link_number, PAD }, 2);
		send();
		state(CONFIGURATION_LINKWIDTH_ACCEPT, "Linkwidth.Accept");
	}

	void to_lanenum_wait()
	{
		to_linkwidth_accept();
		if (!leads)
			receive({ false, link_number, 0 }, 2);
		send();
		state(CONFIGURATION_LANENUM_WAIT, "Lanenum.Wait");
	}

	/* The side that leads goes on by TS1s, the other one by TS2s. */
	void to_lanenum_accept()
	{
		to_lanenum_wait();
		receive({ !leads, link_number, 0 }, 2);
		send();
		state(CONFIGURATION_LANENUM_ACCEPT, "Lanenum.Accept");
	}

	void to_complete()
	{
		to_lanenum_accept();
		receive({ !leads, link_number, 0 }, 2);
		send();
		state(CONFIGURATION_COMPLETE, "Complete");
	}

	void to_configuration_idle(unsigned control = 0)
	{
		to_complete();
		receive({ true, link_number, 0, control }, 8);
		send(17);
		state(CONFIGURATION_IDLE, "Configuration.Idle");
	}

	void to_l0()
	{
		to_configuration_idle();
		idle_words(4);
		send(10);
		state(L0, "L0");
	}

	void to_recovery()
	{
		to_l0();
		top.retrain_i = 1;
		wait();
		top.retrain_i = 0;
		send();
		state(RECOVERY_RCVRLOCK, "Recovery.RcvrLock");
	}

	/* From Recovery.RcvrLock on */
	void lock()
	{
		receive({ false, link_number, 0 }, 8);
		send();
		state(RECOVERY_RCVRCFG, "Recovery.RcvrCfg");
	}

	void lock_to_idle()
	{
		lock();
		receive({ true, link_number, 0 }, 8);
		send(17);
		state(RECOVERY_IDLE, "Recovery.Idle");
	}

	void to_recovery_configuration()
	{
		to_recovery();
		lock();
	}

	void to_recovery_idle()
	{
		to_recovery();
		lock_to_idle();
	}

	Vrf_ltssm top;
	rf::Clock<Vrf_ltssm> clock;
	rf::Tap tap;
	bool goes_on = false;
};

void polling(Bench &b)
{
	b.tap.begin("Polling.Active: 1024 TS1s sent and eight sets in a row received");
	b.to_polling();
	b.receive({ false, PAD, PAD }, 8);
	b.send(1023);
	b.turn();
	b.turn();
	b.state(POLLING_ACTIVE, "1023 sent");
	b.send(2);
	b.state(POLLING_CONFIGURATION, "1024 sent");
	b.to_polling();
	b.send(2200);
	b.receive({ false, PAD, PAD }, 8);
	b.turn();
	b.state(POLLING_CONFIGURATION, "many more sent");
	b.tap.equal(b.top.set_o >> 8 & 0xffff, 0xff02, "any number of FTSs, 2.5 GT/s");
	b.to_polling();
	b.send(1030);
	b.receive({ false, PAD, PAD }, 7);
	b.turn();
	b.state(POLLING_ACTIVE, "seven received");
	b.receive({ true, PAD, PAD }, 1, 8);
	b.turn();
	b.state(POLLING_CONFIGURATION, "eight received, and TS2s count, too");
	b.to_polling();
	b.send(1030);
	b.receive({ false, 1, PAD }, 8);
	b.receive({ false, PAD, 0 }, 8);
	b.turn();
	b.state(POLLING_ACTIVE, "numbers other than PAD");
	b.tap.end();

	b.tap.begin("a time-out ends its state alone: the next one lasts as long as it may, too");
	b.to_polling();
	b.top.rx_idle_i = 1;
	b.lasts(24, "Polling.Active");
	b.state(DETECT_QUIET, "no sets");
	b.lasts(12, "Detect.Quiet", 0);
	b.state(DETECT_ACTIVE, "12 ms");
	b.reset();
	b.lasts(12, "Detect.Quiet behind a reset, where its time counts at once", 1);
	b.tap.end();

	b.tap.begin("Polling.Compliance: entered without any signal, left with one");
	b.reset();
	b.tap.equal(b.top.detect_o, 0, "no detection yet");
	b.lasts(12, "Detect.Quiet", 1);
	b.tap.equal(b.top.detect_o, 1, "detection");
	b.top.detect_done_i = b.top.detect_present_i = 1;
	b.clock.tick();
	b.tap.equal(b.top.detect_o, 0, "it is done");
	b.turn();
	b.top.detect_done_i = 0;
	b.state(POLLING_ACTIVE, "a receiver, no signal");
	b.lasts(24, "Polling.Active");
	b.state(POLLING_COMPLIANCE, "a load");
	b.tap.equal(b.top.request_o, Compliance, "the pattern");
	b.wait(3 * millisecond);
	b.turn();
	b.state(POLLING_COMPLIANCE, "no signal");
	b.top.rx_idle_i = 0;
	b.turn();
	b.state(POLLING_ACTIVE, "a signal");
	b.tap.end();

	b.tap.begin("swapped wires: the receiver is changed once, and upright sets count");
	b.to_polling();
	b.send(1030);
	b.receive({ false, PAD, PAD, 0, true }, 7);
	b.tap.equal(b.top.invert_o, 0, "seven");
	b.receive({ false, PAD, PAD, 0, true }, 1, 8);
	b.tap.equal(b.top.invert_o, 1, "eight");
	b.turn();
	b.state(POLLING_ACTIVE, "inverted ones do not count");
	b.receive({ false, PAD, PAD, 0, true }, 1, 8);
	b.tap.equal(b.top.invert_o, 1, "those on their way do not change it back");
	b.wait(40);
	b.receive({ false, PAD, PAD }, 8);
	b.turn();
	b.state(POLLING_CONFIGURATION, "upright ones");
	b.receive({ true, PAD, PAD, 0, true }, 8);
	b.tap.equal(b.top.invert_o, 0, "a wrong guess is put right");
	b.tap.end();

	b.tap.begin("equal sets are counted anew when the state or the polarity changes, not else");
	b.to_polling();
	b.set({ false, PAD, PAD, 0, true }, 7);
	b.tap.equal(b.top.row_clear_o, 0, "seven inverted ones");
	b.set({ false, PAD, PAD, 0, true }, 8);
	b.tap.equal(b.top.row_clear_o, 1, "eight");
	b.top.set_valid_i = 0;
	b.top.eval();
	b.tap.equal(b.top.row_clear_o, 0, "no set");
	b.top.turn_i = 1;
	b.top.eval();
	b.tap.equal(b.top.row_clear_o, 0, "no cause to leave");
	b.top.turn_i = 0;
	b.receive({ false, PAD, PAD }, 8);
	b.send(1024);
	b.top.turn_i = 1;
	b.top.eval();
	b.tap.equal(b.top.row_clear_o, 1, "the state changes");
	b.top.turn_i = 0;
	b.tap.end();

	b.tap.begin("Polling.Configuration: eight TS2s, sixteen sent after the first");
	b.to_polling_configuration();
	b.send(40);
	b.receive({ true, PAD, PAD }, 8);
	b.send(15);
	b.turn();
	b.turn();
	b.state(POLLING_CONFIGURATION, "fifteen sent");
	b.send(2);
	b.state(CONFIGURATION_LINKWIDTH_START, "sixteen sent");
	b.to_polling_configuration();
	b.receive({ false, PAD, PAD }, 8);
	b.receive({ true, PAD, PAD }, 7);
	b.receive({ true, 1, PAD }, 8);
	b.receive({ true, PAD, 0 }, 8);
	b.receive({ true, PAD, PAD, 0, true }, 7);
	b.send(40);
	b.state(POLLING_CONFIGURATION, "TS1s, seven TS2s, others with numbers or inverted");
	b.to_polling_configuration();
	b.lasts(48, "Polling.Configuration");
	b.state(DETECT_QUIET, "no answer");
	b.tap.end();
}

/* What is sent: PAD, link number, lane number */
void numbers(Bench &b, unsigned pads, unsigned link, const char *what)
{
	b.tap.equal(b.top.set_o >> 40 & 3, pads, what);
	b.tap.equal(b.top.set_o >> 24 & 0xffff, link << 8, what);
	b.tap.equal(b.top.request_o, Ts1, "TS1s");
}

/* The side that leads: it says the numbers, and goes on when the other one says them, too. */
void leading(Bench &b)
{
	constexpr unsigned none = 3, no_lane = 1, both = 0;

	b.tap.begin("Configuration.Linkwidth.Start: TS1s with a link number until two come back");
	b.to_polling_configuration();
	b.tap.equal(b.top.set_o >> 40 & 3, none, "no numbers before");
	b.to_linkwidth_start();
	numbers(b, no_lane, link_number, "the link number is sent from the first TS1 on");
	b.receive({ false, link_number, PAD }, 1);
	b.receive({ false, PAD, PAD }, 2);
	b.receive({ false, 0, PAD }, 2);
	b.receive({ false, link_number + 1, PAD }, 2);
	b.receive({ false, link_number, 0 }, 2);
	b.receive({ true, link_number, PAD }, 2);
	b.receive({ false, PAD, PAD, TRAINING_DISABLE }, 2);
	b.receive({ false, PAD, PAD, TRAINING_HOT_RESET }, 2);
	b.receive({ false, PAD, PAD, TRAINING_LOOPBACK }, 1);
	b.receive({ true, PAD, PAD, TRAINING_LOOPBACK }, 2);
	b.send();
	b.state(CONFIGURATION_LINKWIDTH_START, "none of these");
	numbers(b, no_lane, link_number, "no number that was received");
	b.receive({ false, link_number, PAD }, 2);
	b.wait(30);
	b.state(CONFIGURATION_LINKWIDTH_START, "no change without the end of what is sent");
	b.send();
	b.state(CONFIGURATION_LINKWIDTH_ACCEPT, "two TS1s");
	b.to_linkwidth_start();
	b.receive({ false, PAD, PAD, TRAINING_LOOPBACK }, 2);
	b.send();
	b.state(LOOPBACK_ENTRY, "Loopback");
	b.to_linkwidth_start();
	b.lasts(24, "Linkwidth.Start");
	b.state(DETECT_QUIET, "no answer");
	b.tap.end();

	b.tap.begin("Configuration.Linkwidth.Accept: lane 0 is sent, and one TS1 later awaited");
	b.to_linkwidth_accept();
	numbers(b, both, link_number, "both numbers");
	b.wait(30);
	b.state(CONFIGURATION_LINKWIDTH_ACCEPT, "no change without the end of what is sent");
	b.send();
	b.state(CONFIGURATION_LANENUM_WAIT, "one");
	numbers(b, both, link_number, "both numbers");
	b.tap.end();

	b.tap.begin("Configuration.Lanenum.Wait: two TS1s with a lane number in place of PAD");
	b.receive({ false, link_number, 0 }, 1);
	b.receive({ false, link_number, PAD }, 2);
	b.receive({ false, PAD, 0 }, 2);
	b.receive({ true, link_number, 0 }, 2);
	b.receive({ false, PAD, PAD }, 1);
	b.receive({ true, PAD, PAD }, 2);
	b.send();
	b.state(CONFIGURATION_LANENUM_WAIT, "none of these");
	b.receive({ false, link_number, 3 }, 2);
	b.send();
	b.state(CONFIGURATION_LANENUM_ACCEPT, "one, of whatever number");
	numbers(b, both, link_number, "both numbers");
	b.to_lanenum_wait();
	b.receive({ false, PAD, PAD }, 2);
	b.send();
	b.state(DETECT_QUIET, "PAD");
	b.to_lanenum_wait();
	b.lasts(2, "Lanenum.Wait");
	b.state(DETECT_QUIET, "no answer");
	b.tap.end();

	b.tap.begin("Configuration.Lanenum.Accept: two TS1s with both numbers that are sent");
	b.to_lanenum_accept();
	b.receive({ false, link_number, 0 }, 1);
	b.receive({ false, link_number + 1, 0 }, 2);
	b.receive({ false, link_number, 1 }, 2);
	b.receive({ false, link_number, PAD }, 2);
	b.receive({ true, link_number, 0 }, 2);
	b.receive({ false, PAD, PAD }, 1);
	b.receive({ true, PAD, PAD }, 2);
	b.send();
	b.state(CONFIGURATION_LANENUM_ACCEPT, "none of these");
	b.receive({ false, link_number, 0 }, 2);
	b.send();
	b.state(CONFIGURATION_COMPLETE, "two TS1s");
	b.tap.equal(b.top.request_o, Ts2, "TS2s");
	b.tap.equal(b.top.set_o >> 24 & 0x3ffff, link_number << 8, "both numbers");
	b.to_lanenum_accept();
	b.receive({ false, PAD, PAD }, 2);
	b.send();
	b.state(DETECT_QUIET, "PAD");
	b.to_lanenum_accept();
	b.lasts(2, "Lanenum.Accept");
	b.state(DETECT_QUIET, "no link that can be formed");
	b.tap.end();

	b.tap.begin("Recovery to Configuration: the same link number again, no lane");
	b.to_recovery_configuration();
	b.receive({ false, PAD, PAD }, 8);
	b.send(17);
	b.state(CONFIGURATION_LINKWIDTH_START, "TS1s without numbers");
	numbers(b, no_lane, link_number, "the link number");
	b.tap.end();
}

void following(Bench &b)
{
	b.tap.begin("Configuration.Linkwidth.Start: two TS1s with a link number, or to elsewhere");
	b.to_linkwidth_start();
	b.tap.equal(b.top.set_o >> 40 & 3, 3, "PAD is sent");
	b.receive({ false, link_number, PAD }, 1);
	b.receive({ true, link_number, PAD }, 2);
	b.receive({ false, link_number, 0 }, 2);
	b.receive({ false, PAD, PAD }, 2);
	b.receive({ false, PAD, PAD, TRAINING_LOOPBACK }, 1);
	b.receive({ true, PAD, PAD, TRAINING_LOOPBACK }, 2);
	b.receive({ false, PAD, PAD, TRAINING_DISABLE }, 1);
	b.receive({ true, PAD, PAD, TRAINING_DISABLE }, 2);
	b.send();
	b.state(CONFIGURATION_LINKWIDTH_START, "none of these");
	b.receive({ false, link_number, PAD }, 2);
	b.receive({ false, 9, PAD }, 2);
	b.send();
	b.state(CONFIGURATION_LINKWIDTH_ACCEPT, "two TS1s");
	b.tap.equal(b.top.set_o >> 32 & 0x3ff, 1 << 8 | link_number, "the link number is sent");
	b.to_linkwidth_start();
	b.receive({ false, 9, PAD }, 1);
	b.receive({ false, link_number, PAD }, 1, 2);
	b.send();
	b.tap.equal(b.top.set_o >> 32 & 0x3ff, 1 << 8 | link_number, "that of the second one");
	b.to_linkwidth_start();
	b.receive({ false, PAD, PAD, TRAINING_DISABLE }, 2);
	b.send();
	b.state(DISABLED, "Disabled");
	b.to_linkwidth_start();
	b.receive({ false, PAD, PAD, TRAINING_LOOPBACK }, 2);
	b.send();
	b.state(LOOPBACK_ENTRY, "Loopback");
	b.send();
	b.state(LOOPBACK_ACTIVE, "Loopback");
	b.tap.end();

	b.tap.begin("Configuration: link and lane numbers as the partner says, PAD ends it");
	b.to_linkwidth_accept();
	b.receive({ false, link_number + 1, 0 }, 2);
	b.receive({ false, link_number, PAD }, 2);
	b.receive({ false, link_number, 0 }, 1);
	b.receive({ false, PAD, PAD }, 1);
	b.receive({ true, PAD, PAD }, 2);
	b.send();
	b.state(CONFIGURATION_LINKWIDTH_ACCEPT, "none of these");
	b.receive({ false, PAD, PAD }, 2);
	b.send();
	b.state(DETECT_QUIET, "PAD");
	b.to_lanenum_wait();
	b.tap.equal(b.top.set_o >> 24 & 0x3ffff, link_number << 8, "lane 0 is sent");
	b.receive({ false, link_number, 0 }, 2);
	b.receive({ true, link_number, 0 }, 1);
	b.receive({ false, PAD, PAD }, 1);
	b.send();
	b.state(CONFIGURATION_LANENUM_WAIT, "TS1s, one TS2, one with PAD");
	b.receive({ false, PAD, PAD }, 2);
	b.send();
	b.state(DETECT_QUIET, "PAD");
	b.to_lanenum_wait();
	b.receive({ true, link_number, 0 }, 2);
	b.send();
	b.receive({ true, link_number + 1, 0 }, 2);
	b.receive({ true, link_number, 1 }, 2);
	b.receive({ false, link_number, 0 }, 2);
	b.receive({ false, PAD, PAD }, 1);
	b.receive({ true, PAD, PAD }, 2);
	b.send();
	b.state(CONFIGURATION_LANENUM_ACCEPT, "numbers that differ");
	b.receive({ false, PAD, PAD }, 2);
	b.send();
	b.state(DETECT_QUIET, "PAD");
	b.tap.end();
}

void configuration(Bench &b)
{
	leads ? leading(b) : following(b);

	b.tap.begin("Configuration.Complete: eight TS2s of the link, sixteen sent after the first");
	b.to_complete();
	b.receive({ true, link_number + 1, 0 }, 8);
	b.receive({ true, link_number, PAD }, 8);
	b.send(20);
	b.receive({ true, link_number, 0 }, 8);
	b.send(15);
	b.turn();
	b.state(CONFIGURATION_COMPLETE, "fifteen");
	b.tap.equal(b.top.link_up_o, 0, "LinkUp");
	b.send(2);
	b.state(CONFIGURATION_IDLE, "sixteen");
	b.tap.equal(b.top.link_up_o, 1, "LinkUp");
	b.tap.equal(b.top.scramble_off_o, 0, "scrambling");
	b.to_configuration_idle(TRAINING_NO_SCRAMBLING);
	b.tap.equal(b.top.scramble_off_o, 1, "no scrambling");
	b.to_complete();
	b.receive({ true, link_number, 0, TRAINING_NO_SCRAMBLING }, 1);
	b.receive({ false, link_number, 0, TRAINING_NO_SCRAMBLING }, 8);
	b.receive({ true, link_number + 1, 0, TRAINING_NO_SCRAMBLING }, 8);
	b.tap.equal(b.top.scramble_off_o, 0, "one TS2, TS1s, another's TS2s");
	b.to_recovery();
	b.receive({ false, link_number, 0, TRAINING_NO_SCRAMBLING }, 8);
	b.receive({ true, link_number, 0, TRAINING_NO_SCRAMBLING }, 8);
	b.tap.equal(b.top.scramble_off_o, 0, "in Recovery");
	b.tap.end();

	b.tap.begin("idle: eight symbols in a row, sixteen sent after the first");
	b.to_configuration_idle();
	b.send(20);
	b.idle_words(3);
	b.idle_words(1, false);
	b.idle_words(3);
	b.send(20);
	b.state(CONFIGURATION_IDLE, "six in a row");
	b.idle_words(1);
	b.send();
	b.state(L0, "eight");
	b.to_configuration_idle();
	b.send(20);
	b.idle_words(4);
	b.send(7);
	b.turn();
	b.state(CONFIGURATION_IDLE, "fourteen sent");
	b.send(2);
	b.state(L0, "sixteen sent");
	b.to_configuration_idle();
	b.idle_words(1);
	b.idle_words(1, false);
	b.send(8);
	b.idle_words(4);
	b.send();
	b.state(L0, "sixteen sent since the first word, whatever came behind it");
	b.tap.end();
}

/* The other side is in L0, and its packets leave no idle symbols, or the line spoils them. */
void packets_for_idle(Bench &b)
{
	b.tap.begin("idle: a packet counts as eight symbols, in this state alone");
	for (bool again : { false, true }) {
		const unsigned idle = again ? RECOVERY_IDLE : CONFIGURATION_IDLE;

		again ? b.to_recovery_idle() : b.to_configuration_idle();
		b.idle_words(40, false);
		b.send(20);
		b.state(idle, "neither idle nor a packet");
		b.packet();
		b.send(7);
		b.turn();
		b.state(idle, "fourteen sent since");
		b.send(2);
		b.state(L0, "sixteen sent");
	}
	b.to_recovery();
	b.packet();
	b.send(20);
	b.state(RECOVERY_RCVRLOCK, "a packet of before");
	b.receive({ false, link_number, 0 }, 8);
	b.send();
	b.packet();
	b.send(20);
	b.state(RECOVERY_RCVRCFG, "no set");
	b.receive({ true, link_number, 0 }, 8);
	b.send(17);
	b.idle_words(40, false);
	b.send(20);
	b.state(RECOVERY_IDLE, "none in this state");
	b.tap.end();
}

void recovery(Bench &b)
{
	b.tap.begin("L0: one training set or an EIOS leads to Recovery, a cause of one cycle, too");
	b.to_l0();
	b.receive({ false, link_number, 0 }, 1);
	b.send();
	b.state(RECOVERY_RCVRLOCK, "TS1");
	b.to_l0();
	b.receive({ true, 1, 1 }, 1);
	b.send();
	b.state(RECOVERY_RCVRLOCK, "TS2");
	b.to_l0();
	b.top.eios_i = 1;
	b.clock.tick();
	b.top.eios_i = 0;
	b.wait(30);
	b.state(L0, "no change without the end of what is sent");
	b.turn();
	b.state(RECOVERY_RCVRLOCK, "EIOS");
	b.to_l0();
	b.top.rx_idle_i = 1;
	b.wait(100);
	b.turn();
	b.state(L0, "the detector of electrical idle alone changes nothing");
	b.tap.end();

	b.tap.begin("L0: 128 microseconds without a SKP set lead to Recovery");
	b.to_l0();
	for (unsigned i = 0; i < 3; i++) {
		b.top.skp_i = 1;
		b.clock.tick();
		b.top.skp_i = 0;
		b.wait(8 * 125);
		b.turn();
		b.state(L0, "with SKP sets");
	}
	b.wait(8 * 3);
	b.turn();
	b.state(RECOVERY_RCVRLOCK, "without");
	b.tap.end();

	b.tap.begin("idle: its time-out leads to Recovery once, then to Detect");
	for (bool again : { false, true }) {
		again ? b.to_recovery_idle() : b.to_configuration_idle();
		b.lasts(2, "idle");
		b.state(RECOVERY_RCVRLOCK, "once");
		b.lock_to_idle();
		b.lasts(2, "Recovery.Idle");
		b.state(DETECT_QUIET, "twice");
	}
	b.goes_on = true;
	b.to_configuration_idle();
	b.lasts(2, "idle");
	b.state(RECOVERY_RCVRLOCK, "Detect lets it be once again");
	b.goes_on = false;
	b.to_configuration_idle();
	b.lasts(2, "idle");
	b.lock_to_idle();
	b.idle_words(4);
	b.send(10);
	b.state(L0, "L0");
	b.receive({ false, link_number, 0 }, 1);
	b.send();
	b.lock_to_idle();
	b.lasts(2, "Recovery.Idle");
	b.state(RECOVERY_RCVRLOCK, "L0 lets it be once again");
	b.tap.end();

	b.tap.begin("packets count until the first training set of Recovery, and in idle");
	b.to_recovery();
	b.tap.equal(b.top.takes_packets_o, 1, "before");
	b.receive({ false, link_number, 0 }, 1);
	b.tap.equal(b.top.takes_packets_o, 0, "behind");
	b.to_recovery_idle();
	b.tap.equal(b.top.takes_packets_o, 1, "idle");
	b.tap.end();

	b.tap.begin(
		"Recovery: eight sets of the link; eight TS1s of another lead to Configuration");
	b.to_recovery();
	b.receive({ false, link_number + 1, 0 }, 8);
	b.receive({ false, link_number, 1 }, 8);
	b.receive({ false, link_number, PAD }, 8);
	b.receive({ true, link_number, 0 }, 7);
	b.send();
	b.state(RECOVERY_RCVRLOCK, "none of these");
	b.receive({ true, link_number, 0 }, 1, 8);
	b.send();
	b.state(RECOVERY_RCVRCFG, "eight");
	b.receive({ false, link_number, 0 }, 8);
	b.receive({ true, link_number + 1, 0 }, 8);
	b.send(40);
	b.state(RECOVERY_RCVRCFG, "TS1s, another's TS2s");
	b.receive({ true, link_number, 0 }, 8);
	b.send(15);
	b.turn();
	b.state(RECOVERY_RCVRCFG, "fifteen sent");
	b.send(2);
	b.state(RECOVERY_IDLE, "sixteen sent");
	b.to_recovery_configuration();
	b.receive({ false, PAD, PAD }, 7);
	b.send(40);
	b.state(RECOVERY_RCVRCFG, "seven of another link");
	b.to_recovery_configuration();
	b.send(40);
	b.receive({ false, PAD, PAD }, 8);
	b.send(15);
	b.turn();
	b.state(RECOVERY_RCVRCFG, "fifteen sent");
	b.send(2);
	b.state(CONFIGURATION_LINKWIDTH_START, "sixteen sent");
	b.tap.equal(b.top.link_up_o, 1, "LinkUp");
	b.tap.end();

	b.tap.begin(
		"Recovery.RcvrLock: behind a set of the link the time-out leads to Configuration");
	b.to_recovery();
	b.receive({ false, link_number + 1, 0 }, 1);
	b.lasts(24, "without", 3 + 4);
	b.state(DETECT_QUIET, "another's alone");
	b.to_recovery();
	b.receive({ false, link_number, 0 }, 1);
	b.receive({ false, link_number + 1, 0 }, 1);
	b.lasts(24, "with one", 3 + 2 * 4);
	b.state(CONFIGURATION_LINKWIDTH_START, "one, another's behind it");
	b.tap.end();

	b.tap.begin("Recovery.RcvrLock with Extended Synch: 1024 TS1s are sent, in Recovery alone");
	b.top.extended_synch_i = 1;
	b.to_recovery();
	b.receive({ true, link_number, 0 }, 8);
	b.send(1023);
	b.turn();
	b.state(RECOVERY_RCVRLOCK, "1023 sent");
	b.send(2);
	b.state(RECOVERY_RCVRCFG, "1024 sent");
	b.receive({ true, link_number, 0 }, 8);
	b.send(17);
	b.state(RECOVERY_IDLE, "sixteen sent");
	b.to_recovery();
	b.send(1030);
	b.state(RECOVERY_RCVRLOCK, "none received");
	b.receive({ true, link_number, 0 }, 8);
	b.send();
	b.state(RECOVERY_RCVRCFG, "eight");
	b.top.extended_synch_i = 0;
	b.tap.end();

	static const struct {
		Set set;
		unsigned state;
	} ways[] = {
		{ { false, link_number, 0, TRAINING_HOT_RESET }, HOT_RESET },
		{ { false, link_number, 0, TRAINING_DISABLE }, DISABLED },
		{ { false, link_number, 0, TRAINING_LOOPBACK }, LOOPBACK_ENTRY },
		{ { false, link_number, PAD, 0 }, CONFIGURATION_LINKWIDTH_START },
	};

	b.tap.begin("Recovery.Idle: two TS1s lead elsewhere, one does not");
	for (const auto &way : ways) {
		if (leads && (way.state == HOT_RESET || way.state == DISABLED)) {
			b.to_recovery_idle();
			b.receive(way.set, 8);
			b.send();
			b.state(RECOVERY_IDLE, "who leads is not sent there");
			continue;
		}
		b.to_recovery_idle();
		b.receive(way.set, 1);
		b.receive({ true, way.set.link, way.set.lane, way.set.control }, 2);
		b.send();
		b.state(RECOVERY_IDLE, "one TS1, two TS2s");
		b.receive(way.set, 2);
		b.send();
		b.state(way.state, "two");
		b.tap.equal(b.top.link_up_o,
			    way.state == DISABLED || way.state == CONFIGURATION_LINKWIDTH_START,
			    "LinkUp");
	}
	b.tap.end();
}

void directed(Bench &b)
{
	b.tap.begin("Disabled: sixteen TS1s with the bit, one EIOS, quiet");
	b.to_recovery_idle();
	b.receive({ false, link_number, 0, TRAINING_DISABLE }, 2);
	b.send();
	for (unsigned i = 0; i < 18; i++) {
		b.tap.equal(b.top.request_o, i < 16 ? Ts1 : i < 17 ? Eios : Quiet, "sent");
		b.tap.equal(b.top.set_o & 0xff, TRAINING_DISABLE, "the bit");
		b.send();
	}
	b.tap.equal(b.top.link_up_o, 1, "LinkUp");
	b.top.eios_i = 1;
	b.clock.tick();
	b.top.eios_i = 0;
	b.wait();
	b.tap.equal(b.top.link_up_o, 0, "LinkUp behind the EIOS");
	b.turn();
	b.state(DISABLED, "no exit without an entry");
	b.top.rx_idle_i = 1;
	b.wait();
	b.turn();
	b.state(DISABLED, "electrical idle");
	b.top.rx_idle_i = 0;
	b.wait();
	b.turn();
	b.state(DETECT_QUIET, "its end");
	b.turn();
	b.top.detect_done_i = b.top.detect_present_i = 1;
	b.turn();
	b.top.detect_done_i = 0;
	b.state(POLLING_ACTIVE, "Polling.Active");
	b.tap.equal(b.top.set_o >> 40 & 3, 3, "the link's numbers are forgotten");
	b.to_recovery_idle();
	b.receive({ false, link_number, 0, TRAINING_DISABLE }, 2);
	b.send();
	b.top.eios_i = 1;
	b.clock.tick();
	b.top.eios_i = 0;
	b.send(16);
	b.tap.equal(b.top.link_up_o, 1, "LinkUp, all TS1s sent");
	b.send();
	b.tap.equal(b.top.link_up_o, 0, "LinkUp with an EIOS that came early, ours sent");
	b.to_recovery_idle();
	b.receive({ false, link_number, 0, TRAINING_DISABLE }, 2);
	b.send();
	b.lasts(2, "Disabled");
	b.state(DETECT_QUIET, "no EIOS");
	b.tap.end();

	b.tap.begin("Hot Reset: the bit and the link's numbers are sent");
	b.to_recovery_idle();
	b.receive({ false, link_number, 0, TRAINING_HOT_RESET }, 2);
	b.send();
	b.tap.equal(b.top.request_o, Ts1, "TS1");
	b.tap.equal(b.top.set_o & 0xff, TRAINING_HOT_RESET, "the bit");
	b.tap.equal(b.top.set_o >> 24 & 0x3ffff, link_number << 8, "numbers");
	for (unsigned i = 0; i < 3; i++) {
		b.wait(3 * millisecond / 2);
		b.receive({ false, link_number, 0, TRAINING_HOT_RESET }, 2);
	}
	b.turn();
	b.state(HOT_RESET, "the other side's TS1s with the bit prolong it");
	b.receive({ false, link_number, 0 }, 2);
	b.receive({ true, link_number, 0, TRAINING_HOT_RESET }, 2);
	b.wait(3 * millisecond / 2);
	b.receive({ false, link_number, 0 }, 2);
	b.receive({ false, link_number, 0, TRAINING_HOT_RESET }, 1);
	b.receive({ true, link_number, 0, TRAINING_HOT_RESET }, 2);
	b.wait(millisecond / 2);
	b.turn();
	b.state(DETECT_QUIET, "others do not");
	b.tap.end();
}

/* What comes goes back, until the other side ends it: by an EIOS, or with its signal. */
void loopback(Bench &b)
{
	constexpr unsigned settle = 3 * 8; /* cycles, in which the last words go back */

	b.tap.begin("Loopback.Active: ends behind an EIOS or with the signal, not before");
	for (bool eios : { true, false }) {
		b.to_recovery_idle();
		b.receive({ false, link_number, 0, TRAINING_LOOPBACK }, 2);
		b.send();
		b.state(LOOPBACK_ENTRY, "Loopback.Entry");
		b.tap.equal(b.top.set_o >> 40 & 3, 3, "no numbers");
		b.turn();
		b.state(LOOPBACK_ACTIVE, "Loopback.Active");
		b.tap.equal(b.top.request_o, Loop, "the loop");
		b.wait(3 * settle);
		b.turn();
		b.receive({ false, link_number, 0 }, 8);
		b.turn();
		b.state(LOOPBACK_ACTIVE, "no end");
		b.top.eios_i = eios;
		b.top.rx_idle_i = !eios;
		b.clock.tick();
		b.top.eios_i = 0;
		b.turn();
		b.state(LOOPBACK_ACTIVE, "the last words go back");
		b.wait(settle);
		b.turn();
		b.state(LOOPBACK_EXIT, "Loopback.Exit");
		b.tap.equal(b.top.request_o, Quiet, "quiet");
		b.lasts(2, "Loopback.Exit");
		b.state(DETECT_QUIET, "Detect.Quiet");
	}
	b.tap.end();
}

void power(Bench &b)
{
	b.tap.begin("L1: an EIOS each way; exit behind electrical idle, or by a training set");
	for (unsigned step = 0; step < 3; step++) {
		const bool way = step == 1;

		b.to_l0();
		(way ? b.top.enter_l2_i : b.top.enter_l1_i) = 1;
		b.turn();
		b.top.enter_l1_i = b.top.enter_l2_i = 0;
		b.state(way ? L2_ENTRY : L1_ENTRY, "entry");
		b.tap.equal(b.top.request_o, Eios, "EIOS");
		b.top.eios_i = 1;
		b.clock.tick();
		b.top.eios_i = 0;
		b.turn();
		b.state(way ? L2_ENTRY : L1_ENTRY, "ours is not sent yet");
		b.send();
		b.tap.equal(b.top.request_o, Quiet, "quiet");
		b.turn();
		b.state(way ? L2_IDLE : L1_IDLE, "idle");
		b.turn();
		b.state(way ? L2_IDLE : L1_IDLE, "the signal is not gone yet");
		b.top.rx_idle_i = step < 2;
		b.turn();
		b.turn();
		b.state(way ? L2_IDLE : L1_IDLE, "the signal is gone");
		b.top.rx_idle_i = 0;
		if (step == 2) /* the idle was too short to be seen */
			b.receive({ false, link_number, 0, 0 }, 1);
		b.turn();
		b.state(way ? DETECT_QUIET : RECOVERY_RCVRLOCK, "exit");
	}
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	polling(b);
	configuration(b);
	packets_for_idle(b);
	recovery(b);
	if (!leads)
		directed(b);
	loopback(b);
	power(b);
	return b.tap.status();
}
