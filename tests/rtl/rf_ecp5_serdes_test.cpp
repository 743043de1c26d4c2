/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wrapper of the SERDES around a model of the cell (rf_dcua_model.sv): words of both directions
 * bit by bit, resets and what they do to words, electrical idle, detection, switches, the SCI.
 * rf_ecp5_serdes_gears_test and rf_ecp5_serdes_ctc_test are the same with other parameters, and
 * rf_ecp5_serdes_switches_test with parameters that change while it runs.
 *
 * RF_SERDES_LOSSES=1: losses of the switched ones, too (make link-soak)
 */
// module: rf_ecp5_serdes_tb
// parameters: -y tests/rtl -y rtl/board/ecp5
#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "Vrf_ecp5_serdes_tb.h"
#include "harness.h"

#ifndef GEAR
#define GEAR 1
#endif
#ifndef CTC
#define CTC 0
#endif
#ifndef SWITCHES
#define SWITCHES 0
#endif

namespace {

constexpr uint64_t microsecond = 1000000000; /* in femtoseconds, as all times here */
constexpr uint64_t cold = 700 * microsecond; /* from reset to a receiver that is ready */
constexpr unsigned CodeError = 0x3ee; /* bad, K, as received symbols have them */
constexpr unsigned Com = 0x1bc, Skp = 0x11c;

constexpr unsigned IdleWords = SWITCHES ? 32 : 16; /* before the pin */

enum Switch { Present = 1, NotBit = 2, NotPin = 4, Hold = 8, Geared = 16, Compensates = 32 };
enum Status { TxReady = 1, RxReady = 2, PllUnlocked = 32, Silent = 128, Found = 256, Failed = 512 };
enum Step { All, Pll, Signal, Cdr, Lock, Settle, Run };

using Symbols = std::vector<unsigned>;

class Bench {
public:
	Bench() : random(rf::seed())
	{
		printf("# seed %" PRIu64 "\n", rf::seed());
		next[LateLane] += random.below(4000000);
		next[LateLine] += random.below(4000000);
		set(0);
		top.perst_ni = top.board_rst_ni = 0;
		top.tx_idle_i = top.receiver_i = top.answers_i = 1;
		top.line_symbol_i = 0x200;
		run(microsecond);
		top.board_rst_ni = 1;
		run(microsecond);
	}

	/* Settings, and those of gear and compensation */
	void set(unsigned settings)
	{
		top.settings_i = settings | (gear ? Geared : 0) | (ctc ? Compensates : 0);
	}
	bool status(unsigned bits) const { return (top.status_o & bits) == bits; }
	Step step() const { return Step(top.status_o >> 2 & 7); }

	void run(uint64_t time)
	{
		for (const uint64_t end = now + time; now < end;)
			edge();
	}
	/* Until @done, for @limit at most */
	bool until(uint64_t limit, const std::function<bool()> &done)
	{
		for (const uint64_t end = now + limit; now < end; edge())
			if (done())
				return true;
		return false;
	}
	bool ready()
	{
		return until(cold, [&] { return status(TxReady | RxReady); });
	}
	void settle()
	{
		run(2 * microsecond);
		line.clear();
		received.clear();
		taken.clear();
		lane.clear();
		code_errors = pll_losses = cdr_losses = undetected = 0;
	}

	Vrf_ecp5_serdes_tb top;
	rf::Random random;
	rf::Tap tap;
	uint64_t now = 0;
	bool refclk = true, gear = GEAR, ctc = CTC;
	int64_t line_ppm = 0;
	std::function<unsigned()> line_source = [] { return 0x200u; };
	std::function<void()> tx_source = [] {};
	/* What was on the line and what came of it; what was to be sent and what is on the lane */
	Symbols line, received, taken, lane;
	unsigned code_errors = 0, pll_losses = 0, cdr_losses = 0, undetected = 0;
	unsigned idle_words = 0; /* taken one after the other */
	unsigned words = 0, rx_words = 0;
	bool pin_switch = true;

private:
	enum { Reference, Lane, Line, Board, LateLane, LateLine, Clocks };

	void edge()
	{
		const bool clk = top.clk_o, rx_clk = top.rx_clk_o;

		out_of_reset = top.rst_no;

		now = *std::min_element(next, next + Clocks);
		if (next[Reference] == now) {
			top.refclk_i = refclk && !top.refclk_i;
			next[Reference] += 5000000;
		}
		if (next[Lane] == now) {
			top.lane_clk_i = !top.lane_clk_i;
			next[Lane] += 2000000;
		}
		if (next[Line] == now) {
			top.line_clk_i = !top.line_clk_i;
			next[Line] += uint64_t(2000000 - 2 * line_ppm);
			if (top.line_clk_i)
				line.push_back(top.line_symbol_i & 0x200 ? CodeError
									 : top.line_symbol_i);
			else
				top.line_symbol_i = line_source();
		}
		if (next[Board] == now) {
			top.board_clk_i = !top.board_clk_i;
			next[Board] += 8000000;
		}
		if (next[LateLane] == now) {
			top.lane_late_clk_i = !top.lane_late_clk_i;
			next[LateLane] += 2000000;
		}
		if (next[LateLine] == now) {
			top.line_late_clk_i = !top.line_late_clk_i;
			next[LateLine] += uint64_t(2000000 - 2 * line_ppm);
		}
		const bool lane_rises = next[Lane] == now + 2000000 && top.lane_clk_i;
		const bool board_rises = next[Board] == now + 8000000 && top.board_clk_i;

		top.eval();
		if (top.clk_o && !clk)
			sent();
		if (top.rx_clk_o && !rx_clk)
			receive();
		if (lane_rises)
			watch();
		if (board_rises) {
			code_errors += top.code_error_o;
			pll_losses += top.pll_lost_o;
			cdr_losses += top.cdr_lost_o;
			undetected += top.detect_failed_o;
		}
	}
	/* A word was taken: the symbol of the lower half is the first. */
	void sent()
	{
		words++;
		for (unsigned i = 0; i < 2; i++)
			taken.push_back(unsigned(top.tx_idle_i) << 11 |
					(top.tx_word_i >> (16 + i) & 1) << 8 |
					(top.tx_word_i >> 8 * i & 0xff));
		idle_words = out_of_reset && top.tx_idle_i ? idle_words + 1 : 0;
		if (out_of_reset)
			tap.equal(top.lane_pin_o, idle_words >= IdleWords && pin_switch,
				  "the pin, after sixteen words, or 32");
		else
			tap.equal(top.lane_pin_o, 1, "the pin in reset");
		tx_source();
		top.eval();
	}
	void receive()
	{
		rx_words++;
		for (unsigned i = 0; i < 2; i++)
			received.push_back((top.rx_word_o >> (18 + i) & 1) << 9 |
					   (top.rx_word_o >> (16 + i) & 1) << 8 |
					   (top.rx_word_o >> 8 * i & 0xff));
		if (!status(RxReady) && !was_ready)
			tap.check(!top.rx_rst_no || top.rx_word_o >> 18 == 3,
				  "good words of a receiver that is not ready", top.rx_word_o);
		/* Two synchronizers and two words are what a change takes. */
		ready_q = ready_q << 1 | status(RxReady);
		was_ready = ready_q & 0x1f;
	}
	void watch()
	{
		lane.push_back(top.lane_symbol_o);
		if (top.rst_no && !(top.lane_symbol_o & 0x800) && !(top.settings_i & NotBit))
			tap.check(!top.lane_idle_o, "a symbol is cut off", top.lane_symbol_o);
	}

	uint64_t next[Clocks] = { 1000, 2000, 1003000, 5000, 2000, 1003000 };
	unsigned ready_q = 0;
	bool was_ready = false, out_of_reset = false;
};

/* Symbols for the line: random, with a SKP set in each @interval, if any */
class Source {
public:
	Source(rf::Random &random, unsigned interval) : random(random), interval(interval) {}
	unsigned operator()()
	{
		static const unsigned ks[] = { 0x1fb, 0x15c, 0x1fd, 0x1fe, 0x1f7, 0x17c };

		count++;
		if (interval && count % interval < 4)
			return count % interval ? Skp : Com;
		if (error_interval && count % error_interval == 0) {
			errors++;
			return 0x2ee ^ random.below(0x200);
		}
		if (random.chance(10))
			return ks[random.below(6)];
		return random.chance(10) ? 0xee : random.below(256);
	}

	unsigned error_interval = 0, errors = 0;

private:
	rf::Random &random;
	unsigned interval, count = 0;
};

/* @wanted is in @got from the first symbol on, but for what is still under way */
bool same(const Symbols &got, const Symbols &wanted, unsigned mask = 0xfff)
{
	for (size_t skip = 0; skip < 120 && skip < got.size(); skip++) {
		const size_t length = std::min(got.size() - skip, wanted.size());
		size_t i = 0;

		while (i < length && (got[skip + i] & mask) == (wanted[i] & mask))
			i++;
		if (i == length)
			return length > wanted.size() * 9 / 10 && length > 500;
	}
	return false;
}

/* Clock compensation adds and removes SKP sets: @added, and nothing else. */
bool same_but_sets(const Symbols &got, const Symbols &wanted, int &added)
{
	const auto data = [](const Symbols &symbols) {
		Symbols rest;

		std::copy_if(symbols.begin(), symbols.end(), std::back_inserter(rest),
			     [](unsigned symbol) { return symbol != Com && symbol != Skp; });
		return rest;
	};

	added = int(std::count(got.begin(), got.end(), Com)) -
		int(std::count(wanted.begin(), wanted.end(), Com));
	return same(data(got), data(wanted));
}

unsigned read_sci(Bench &bench, bool common, unsigned address)
{
	bench.top.sci_address_i = address;
	bench.top.sci_common_i = common;
	bench.top.sci_channel_i = !common;
	bench.run(microsecond / 10);
	bench.top.sci_read_i = 1;
	bench.run(microsecond / 10);
	const unsigned byte = bench.top.sci_data_o;

	bench.top.sci_read_i = 0;
	bench.run(microsecond / 10);
	bench.top.sci_common_i = bench.top.sci_channel_i = 0;
	return byte;
}

void write_sci(Bench &bench, bool common, unsigned address, unsigned byte)
{
	bench.top.sci_address_i = address;
	bench.top.sci_data_i = byte;
	bench.top.sci_common_i = common;
	bench.top.sci_channel_i = !common;
	bench.run(microsecond / 10);
	bench.top.sci_write_i = 1;
	bench.run(microsecond / 10);
	bench.top.sci_write_i = 0;
	bench.run(microsecond / 10);
	bench.top.sci_common_i = bench.top.sci_channel_i = 0;
}

/* Of register 0x1f: recovered clock; half-rate clocks on and full-rate ones off, of both directions */
unsigned clock_words(const Bench &bench)
{
	const unsigned halves = bench.gear ? 0x0a : 0;
	const unsigned off = bench.gear && !SWITCHES ? bench.ctc ? 0x04 : 0x14 : 0;

	return !bench.ctc | halves | off;
}

/* As docs/board.md has it: hold, settings, words, go. */
void switch_to(Bench &bench, bool gear, bool ctc)
{
	bench.set(Hold);
	bench.run(microsecond);
	bench.gear = gear;
	bench.ctc = ctc;
	bench.set(Hold);
	bench.run(microsecond);
	write_sci(bench, false, 0x02, gear ? 0x0c : 0);
	write_sci(bench, false, 0x04, ctc ? 0 : 0x10);
	write_sci(bench, false, 0x1f, clock_words(bench));
	bench.run(50 * microsecond);
	bench.tap.check(!bench.top.rst_no && !bench.top.rx_rst_no, "held in reset");
	bench.tap.check(bench.top.tx_idle_i, "the link sends nothing");
	bench.lane.clear();
	bench.set(0);
	bench.tap.check(bench.ready(), "ready");
	bench.tap.check(std::all_of(bench.lane.begin(), bench.lane.end(),
				    [](unsigned symbol) { return symbol & 0x800; }),
			"electrical idle before there are words");
}

void resets(Bench &bench)
{
	rf::Tap &tap = bench.tap;

	tap.begin("from the slot's reset to a transmitter, to a receiver when there is a signal");
	bench.run(50 * microsecond);
	tap.equal(bench.step(), All, "PERST# holds all");
	tap.check(!bench.top.rst_no && !bench.top.rx_rst_no, "the link is in reset");
	bench.lane.clear();
	bench.top.perst_ni = 1;
	uint64_t begin = bench.now;
	tap.check(bench.until(100 * microsecond, [&] { return bench.status(TxReady); }),
		  "transmitter");
	tap.check(bench.now - begin >= 32 * microsecond, "the PLL's 32 us", bench.now - begin);
	bench.run(microsecond);
	tap.check(bench.top.rst_no && bench.top.rx_rst_no, "the link leaves reset");
	tap.check(std::all_of(bench.lane.begin(), bench.lane.end(),
			      [](unsigned symbol) { return symbol & 0x800; }),
		  "electrical idle since the reset");
	bench.run(100 * microsecond);
	tap.check(bench.step() == Signal && !bench.status(RxReady), "no receiver without a signal");
	tap.check(bench.status(Silent) && bench.top.rx_idle_o, "idle");
	bench.line_source = Source(bench.random, 600);
	bench.top.line_signal_i = 1;
	begin = bench.now;
	tap.check(bench.ready(), "receiver");
	tap.check(bench.now - begin >= 500 * microsecond, "the CDR's 500 us", bench.now - begin);
	tap.check(!bench.top.rx_idle_o && bench.status(Found), "symbols");
	tap.check(!(bench.top.status_o & (Silent | PllUnlocked | Failed)), "all is well");
	bench.settle();
	const unsigned words = bench.words, rx_words = bench.rx_words;

	bench.run(80 * microsecond);
	tap.check(bench.words - words >= 9990 && bench.words - words <= 10010, "125 MHz",
		  bench.words - words);
	tap.check(bench.rx_words - rx_words >= 9990 && bench.rx_words - rx_words <= 10010,
		  "125 MHz received", bench.rx_words - rx_words);
	tap.equal(bench.pll_losses + bench.cdr_losses + bench.code_errors, 0, "losses");
	tap.end();
}

void received(Bench &bench)
{
	rf::Tap &tap = bench.tap;
	int added;

	for (int ppm : { 0, 300, -300 }) {
		tap.begin("received symbols in their order, K and all bits, " +
			  std::to_string(ppm) + " ppm");
		bench.line_ppm = ppm;
		bench.settle();
		bench.run(200 * microsecond);
		if (bench.ctc) {
			tap.check(same_but_sets(bench.received, bench.line, added), "symbols",
				  bench.received.size(), bench.line.size());
			tap.check(ppm > 0   ? added < -1
				  : ppm < 0 ? added > 1
					    : abs(added) < 2,
				  "SKP sets", added);
		} else {
			tap.check(same(bench.received, bench.line), "symbols",
				  bench.received.size(), bench.line.size());
		}
		tap.equal(bench.code_errors, 0, "code errors");
		tap.check(!bench.status(Failed), "compensation");
		tap.end();
	}
	bench.line_ppm = 0;

	tap.begin("a symbol that cannot be decoded is bad, and is counted");
	Source source(bench.random, 600);

	source.error_interval = 777; /* in either half of a word */
	bench.line_source = std::ref(source);
	bench.settle();
	source.errors = 0;
	bench.run(100 * microsecond);
	const unsigned errors = source.errors;
	if (bench.ctc)
		tap.check(same_but_sets(bench.received, bench.line, added), "symbols");
	else
		tap.check(same(bench.received, bench.line), "symbols");
	tap.check(errors > 20 && bench.code_errors + 1 >= errors && bench.code_errors <= errors + 1,
		  "code errors", bench.code_errors, errors);
	tap.check(bench.status(RxReady), "the receiver stays");
	bench.line_source = Source(bench.random, 600);
	tap.end();

	if (bench.ctc) {
		tap.begin("without SKP sets the compensation fails, and says so");
		for (int ppm : { 300, -300 }) {
			bench.line_source = Source(bench.random, 0);
			bench.line_ppm = ppm;
			tap.check(bench.until(400 * microsecond,
					      [&] { return bench.status(Failed); }),
				  "failed");
			bench.line_ppm = 0;
			bench.line_source = Source(bench.random, 600);
			bench.top.restart_i = 1;
			bench.run(microsecond);
			bench.top.restart_i = 0;
			tap.check(bench.ready() && !bench.status(Failed), "again");
		}
		tap.end();
	}
}

/* Bursts of words and of idle, of 1 to 40 words each */
class Bursts {
public:
	explicit Bursts(Bench &bench) : bench(bench) {}
	void operator()()
	{
		if (!left--) {
			left = bench.random.below(40);
			bench.top.tx_idle_i = !bench.top.tx_idle_i;
		}
		bench.top.tx_word_i = bench.random.below(0x40000);
	}

private:
	Bench &bench;
	unsigned left = 0;
};

void sent(Bench &bench)
{
	rf::Tap &tap = bench.tap;

	tap.begin("sent symbols in their order, K, idle beside each, the pin after sixteen words");
	bench.tx_source = Bursts(bench);
	bench.settle();
	bench.run(200 * microsecond);
	tap.check(same(bench.lane, bench.taken), "symbols", bench.lane.size(), bench.taken.size());
	tap.check(!bench.top.lane_slipped_o, "the rate of words is the lane's");
	tap.end();

	tap.begin("idle by the pin alone, by the bit alone");
	bench.set(NotBit);
	bench.settle();
	bench.run(50 * microsecond);
	tap.check(same(bench.lane, bench.taken, 0x7ff), "symbols");
	tap.check(std::none_of(bench.lane.begin(), bench.lane.end(),
			       [](unsigned symbol) { return symbol & 0x800; }),
		  "no bit");
	bench.set(NotPin);
	bench.pin_switch = false;
	bench.settle();
	bench.run(50 * microsecond);
	tap.check(same(bench.lane, bench.taken), "symbols");
	bench.set(0);
	bench.pin_switch = true;
	bench.tx_source = [] {};
	bench.top.tx_idle_i = 1;
	bench.settle();
	tap.check(bench.top.lane_pin_o && bench.top.lane_idle_o, "by both");
	tap.end();
}

void detection(Bench &bench)
{
	rf::Tap &tap = bench.tap;
	const auto done = [&] { return bench.top.detect_done_o; };

	tap.begin("receiver detection: found, not found, no answer, left out");
	for (bool found : { true, false, true }) {
		bench.top.receiver_i = found;
		bench.top.detect_i = 1;
		tap.check(bench.until(20 * microsecond, done), "done");
		tap.equal(bench.top.detect_present_o, found, "present");
		bench.top.detect_i = 0;
		bench.run(microsecond);
		tap.check(!bench.top.detect_done_o, "for as long as it is asked");
	}
	tap.equal(bench.undetected, 0, "answers");
	bench.top.answers_i = 0;
	bench.top.detect_i = 1;
	tap.check(bench.until(100 * microsecond, done), "done without an answer");
	tap.check(!bench.top.detect_present_o, "nothing found");
	bench.run(microsecond);
	tap.equal(bench.undetected, 1, "told");
	bench.top.detect_i = 0;
	bench.set(Present);
	bench.run(microsecond);
	bench.top.detect_i = 1;
	tap.check(bench.until(microsecond, done), "at once");
	tap.equal(bench.top.detect_present_o, 1, "the switch says so");
	bench.top.detect_i = 0;
	bench.set(0);
	bench.top.answers_i = 1;
	bench.settle();
	tap.end();
}

void inversion(Bench &bench)
{
	rf::Tap &tap = bench.tap;
	unsigned count = 0;

	tap.begin("swapped wires are swapped again by the link's word");
	bench.line_source = [&] { return ++count % 16 ? 0x4au : Com; };
	bench.settle();
	bench.run(5 * microsecond);
	tap.check(same(bench.received, bench.line), "D10.2");
	bench.top.line_swapped_i = 1;
	bench.settle();
	bench.run(5 * microsecond);
	tap.check(!same(bench.received, bench.line), "swapped");
	for (unsigned &symbol : bench.line)
		symbol = symbol == 0x4a ? 0xb5 : symbol;
	tap.check(same(bench.received, bench.line), "D21.5");
	bench.top.rx_invert_i = 1;
	bench.settle();
	bench.run(5 * microsecond);
	tap.check(same(bench.received, bench.line), "inverted");
	bench.top.line_swapped_i = bench.top.rx_invert_i = 0;
	bench.line_source = Source(bench.random, 600);
	tap.end();
}

/* Words are as they were before, of both directions. */
void works(Bench &bench)
{
	int added;

	bench.tx_source = Bursts(bench);
	bench.settle();
	bench.run(20 * microsecond);
	bench.tap.check(bench.ctc ? same_but_sets(bench.received, bench.line, added)
				  : same(bench.received, bench.line),
			"symbols received");
	bench.tap.check(same(bench.lane, bench.taken), "symbols sent");
	bench.tx_source = [] {};
	bench.top.tx_idle_i = 1;
	bench.settle();
}

void losses(Bench &bench)
{
	rf::Tap &tap = bench.tap;

	tap.begin("the signal lost: words are bad, the receiver comes again");
	bench.settle();
	bench.top.line_signal_i = 0;
	bench.run(5 * microsecond);
	tap.check(bench.step() == Signal && bench.status(TxReady) && !bench.status(RxReady),
		  "it waits for a signal", bench.step());
	tap.equal(bench.cdr_losses, 1, "told");
	tap.check(bench.top.rst_no && bench.top.rx_rst_no, "the link stays out of reset");
	tap.check(bench.top.rx_idle_o, "idle");
	bench.top.line_signal_i = 1;
	tap.check(bench.ready(), "receiver");
	works(bench);
	tap.end();

	tap.begin("a CDR that has locked to something else is reset");
	bench.line_source = [&] { return 0x200 | bench.random.below(512); };
	bench.settle();
	tap.check(bench.until(20 * microsecond, [&] { return bench.cdr_losses; }), "lost");
	bench.run(microsecond / 10);
	tap.check(!bench.status(RxReady), "not ready");
	bench.line_source = Source(bench.random, 600);
	tap.check(bench.ready(), "receiver");
	works(bench);
	tap.end();

	tap.begin("the reference clock lost: all begins again when it is back");
	bench.refclk = false;
	bench.run(5 * microsecond);
	tap.check(bench.step() == All || bench.step() == Pll, "from the beginning", bench.step());
	tap.equal(bench.pll_losses, 1, "told once");
	tap.check(bench.status(PllUnlocked) && !bench.status(TxReady), "no transmitter");
	tap.check(!bench.top.rst_no && !bench.top.rx_rst_no, "the link is in reset");
	bench.run(100 * microsecond);
	tap.check(!bench.status(TxReady), "without a clock nothing goes on");
	bench.refclk = true;
	tap.check(bench.ready(), "both");
	works(bench);
	tap.end();

	tap.begin("held in reset by the switch, restarted by a pulse, reset by the slot");
	for (unsigned way = 0; way < 3; way++) {
		bench.settle();
		if (way == 0)
			bench.set(Hold);
		else if (way == 1)
			bench.top.restart_i = 1;
		else
			bench.top.perst_ni = 0;
		bench.run(microsecond / 10);
		bench.top.restart_i = 0;
		bench.run(microsecond);
		tap.check(!bench.top.rst_no && !bench.top.rx_rst_no, "the link is in reset", way);
		if (way != 1) {
			bench.run(50 * microsecond);
			tap.equal(bench.step(), SWITCHES && way == 0 ? Pll : All, "held");
		}
		bench.set(0);
		bench.top.perst_ni = 1;
		tap.check(bench.ready(), "both", way);
	}
	works(bench);
	tap.end();
}

void registers(Bench &bench)
{
	rf::Tap &tap = bench.tap;

	tap.begin(
		"registers of the SERDES: the words it was built with or switched to, written and read");
	tap.equal(read_sci(bench, false, 0x02), bench.gear ? 0x0c : 0, "gears");
	tap.equal(read_sci(bench, false, 0x04), bench.ctc ? 0 : 0x10,
		  "clock compensation bypassed");
	tap.equal(read_sci(bench, false, 0x1f), clock_words(bench), "clocks");
	for (unsigned address : { 0x15, 0x2a, 0x3f }) {
		write_sci(bench, false, address, 0x80 | address);
		write_sci(bench, true, address, 0x40 ^ address);
		tap.equal(read_sci(bench, false, address), 0x80 | address, "the channel's");
		tap.equal(read_sci(bench, true, address), 0x40 ^ address, "the common ones");
	}
	tap.equal(bench.top.sci_data_o, 0, "nothing is read");
	works(bench);
	tap.end();
}

const char *name_of(unsigned pair)
{
	static const char *const names[] = { "neither", "gears", "compensation", "both" };

	return names[pair];
}

/* All pairs of the two switches; gears alone are what it begins with, as built. */
void switches(Bench &bench)
{
	rf::Tap &tap = bench.tap;

	for (unsigned pair : { 2, 0, 3 }) {
		tap.begin(std::string("at run time: ") + name_of(pair));
		switch_to(bench, pair & 1, pair & 2);
		tap.end();
		received(bench);
		sent(bench);
		registers(bench);
	}
	if (getenv("RF_SERDES_LOSSES")) /* those of the gears alone are before */
		losses(bench);
	tap.begin("back and across");
	for (unsigned pair : { 1, 3, 2, 1, 0 }) {
		switch_to(bench, pair & 1, pair & 2);
		works(bench);
	}
	tap.end();

	tap.begin("a reset of everything that undoes the words: those of hold stay");
	bench.top.forgets_i = 1;
	for (unsigned pair : { 2, 1 }) {
		switch_to(bench, pair & 1, pair & 2);
		works(bench);
	}
	bench.top.forgets_i = 0;
	tap.end();

	tap.begin("settings alone do nothing before a reset");
	bench.gear = false;
	bench.ctc = true;
	bench.set(0);
	bench.gear = true;
	bench.ctc = false;
	bench.run(20 * microsecond);
	tap.check(bench.status(TxReady | RxReady), "it runs");
	works(bench);
	bench.set(0);
	tap.end();
}

} /* namespace */

int main()
{
	Bench bench;

	resets(bench);
	received(bench);
	sent(bench);
	detection(bench);
	inversion(bench);
	registers(bench);
	losses(bench);
	if (SWITCHES)
		switches(bench);
	return bench.tap.status();
}
