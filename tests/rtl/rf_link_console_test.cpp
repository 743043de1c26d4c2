/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host on the console's line, bit by bit: what it can read and switch while the link's clock runs or
 * stands; the SERDES' own registers with the strobes that they need.
 */
// parameters: -GDivider=4
#include <deque>

#include "Vrf_link_console.h"
#include "harness.h"
#include "serial_line.h"

namespace {

constexpr unsigned Divider = 4;

class Bench {
public:
	Bench() : random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.clk_i = top.link_clk_i = top.rx_clk_i = 0;
		top.rx_i = 1;
		top.rst_ni = 0;
		top.state_i = top.errors_i = top.events_i = 0;
		top.build_i = 5;
		for (unsigned i = 0; i < 8; i++)
			tick();
		top.rst_ni = 1;
		for (unsigned i = 0; i < 8; i++)
			tick();
	}
	void tick()
	{
		/* The link's clocks are twice as fast. */
		for (unsigned half = 0; half < 2; half++) {
			if (link_runs)
				top.link_clk_i = 1;
			if (rx_runs)
				top.rx_clk_i = 1;
			if (half)
				top.clk_i = 1;
			top.eval();
			top.link_clk_i = top.rx_clk_i = 0;
			if (half) {
				top.clk_i = 0;
				top.events_i = 0;
			}
			top.errors_i = 0;
			top.eval();
		}
		cycle++;
		listen();
		sci();
		restarts += top.restart_o;
	}
	void send(uint8_t byte)
	{
		unsigned bits = byte << 1 | 1 << 9;

		for (unsigned i = 0; i < 10; i++, bits >>= 1) {
			top.rx_i = bits & 1;
			for (unsigned k = 0; k < Divider; k++)
				tick();
		}
	}
	/* An answer's content; empty if none comes. */
	rf::Bytes ask(const rf::Bytes &content)
	{
		rf::Bytes answer;

		heard.clear();
		for (uint8_t byte : rf::line_bytes(content))
			send(byte);
		for (unsigned i = 0; i < 50000; i++) {
			tick();
			while (!heard.empty()) {
				uint8_t byte = heard.front();

				heard.pop_front();
				if (deframer.byte(byte, answer) == rf::Deframer::Good)
					return answer;
			}
		}
		return {};
	}
	uint32_t read(unsigned address)
	{
		rf::Bytes answer = ask({ 0x40, (uint8_t)address, (uint8_t)(address >> 8), 1 });

		tap.check(answer.size() == 7 && answer[0] == 0xc0, "an answer", answer.size(), 7);
		if (answer.size() != 7)
			return 0xdeadbeef;
		return answer[3] | answer[4] << 8 | answer[5] << 16 | (uint32_t)answer[6] << 24;
	}
	void write(unsigned address, uint32_t value)
	{
		rf::Bytes answer = ask({ 0x50, (uint8_t)address, (uint8_t)(address >> 8),
					 (uint8_t)value, (uint8_t)(value >> 8),
					 (uint8_t)(value >> 16), (uint8_t)(value >> 24) });

		tap.check(answer.size() == 4 && answer[0] == 0xd0, "an answer", answer.size(), 4);
	}
	void run(unsigned cycles)
	{
		for (unsigned i = 0; i < cycles; i++)
			tick();
	}

	Vrf_link_console top;
	rf::Random random;
	rf::Tap tap;
	bool link_runs = true, rx_runs = true;
	unsigned restarts = 0;
	uint8_t memory[2][64] = {}; /* the SERDES' registers: channel, common */
	unsigned reads = 0, writes = 0;

private:
	void listen()
	{
		if (!bits_left) {
			if (!top.tx_o) {
				bits_left = 9;
				wait = Divider + Divider / 2;
			}
			return;
		}
		if (--wait)
			return;
		wait = Divider;
		if (--bits_left) {
			shift = shift >> 1 | top.tx_o << 7;
			return;
		}
		tap.check(top.tx_o, "a stop bit");
		heard.push_back(shift);
	}
	/* A strobe of four cycles; nothing changes around it. */
	void sci()
	{
		bool common = top.sci_common_o;
		uint32_t now = top.sci_address_o | top.sci_data_o << 8 | common << 16;

		steady = now == last ? steady + 1 : 0;
		last = now;
		top.sci_data_i = top.sci_read_o ? memory[common][top.sci_address_o] : 0xa5;
		if (top.sci_read_o || top.sci_write_o) {
			tap.check(steady >= 1, "steady before and during the strobe", steady);
			tap.check(top.sci_common_o != top.sci_channel_o, "one of them");
			tap.check(top.sci_read_o != top.sci_write_o, "one strobe");
			strobe++;
		} else if (strobe) {
			tap.check(steady >= 1, "steady after it", steady);
			tap.equal(strobe, 4, "its length");
			strobe = 0;
		}
		if (top.sci_write_o && !was_write) {
			memory[common][top.sci_address_o] = top.sci_data_o;
			writes++;
		}
		if (top.sci_read_o && !was_read)
			reads++;
		was_write = top.sci_write_o;
		was_read = top.sci_read_o;
	}

	rf::Deframer deframer;
	std::deque<uint8_t> heard;
	uint64_t cycle = 0;
	unsigned bits_left = 0, wait = 0, strobe = 0, steady = 0;
	uint32_t last = 0;
	uint8_t shift = 0;
	bool was_write = false, was_read = false;
};

} /* namespace */

int main()
{
	Bench bench;
	rf::Tap &tap = bench.tap;

	tap.begin("what it is, and what it was built with");
	bench.reset();
	tap.equal(bench.read(0), 0x4b4c4652, "identity");
	tap.equal(bench.read(1), 6250 << 16 | 5 << 8 | 1, "clock, build, version");
	tap.end();

	tap.begin("status, and clocks that run and stand");
	for (unsigned i = 0; i < 4; i++) {
		bench.link_runs = i & 1;
		bench.rx_runs = i & 2;
		bench.top.status_i = 0x1234 << i;
		bench.run(3 * 4096);
		tap.equal(bench.read(2), (0x1234 << i) & 0xffff, "status");
		uint32_t clocks = bench.read(6);

		tap.check((clocks & 0xffff) + 1 >= (i & 1 ? 256 : 0) &&
				  (clocks & 0xffff) <= (i & 1 ? 257 : 0),
			  "link", clocks & 0xffff);
		tap.check((clocks >> 16) + 1 >= (i & 2 ? 256 : 0) &&
				  clocks >> 16 <= (i & 2 ? 257 : 0),
			  "receiver", clocks >> 16);
	}
	tap.end();

	tap.begin("states are read back, in one frame, and with the link's clock gone");
	bench.link_runs = bench.rx_runs = true;
	bench.reset();
	static const unsigned states[] = { 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11 };
	for (unsigned state : states) {
		bench.top.flags_i = state;
		bench.top.state_i = state;
		bench.run(200);
	}
	bench.top.errors_i = 1 << 3;
	bench.top.events_i = 1 << 1;
	bench.run(50);
	bench.link_runs = false;
	tap.equal(bench.read(5), 10, "ten have ended");
	tap.equal(bench.read(4) >> 27, 11, "the one now");
	rf::Bytes entries = bench.ask({ 0x40, 0x00, 0x04, 10 });
	tap.equal(entries.size(), 43, "ten words");
	for (unsigned i = 0; i < 10 && entries.size() == 43; i++)
		tap.equal(entries[3 + 4 * i + 3] >> 3, states[i], "a state");
	tap.equal(bench.read(0x600 + 3), 1, "an error");
	tap.equal(bench.read(0x600 + 9), 1, "an event");
	tap.equal(bench.read(0x600 + 6), 1, "L0");
	tap.end();

	tap.begin("a bad frame is not answered, and counted");
	for (uint8_t byte : { 0x7e, 0x40, 1, 2, 3, 0x7e })
		bench.send(byte);
	tap.equal(bench.read(0x600 + 15), 1, "counted");
	tap.end();

	tap.begin("switches, restart, clear");
	bench.link_runs = true;
	for (unsigned i = 0; i < 32; i++) {
		bench.write(3, i);
		tap.equal(bench.top.settings_o, i & 15, "settings");
		tap.equal(bench.read(3), i, "read back");
	}
	bench.write(3, 0);
	bench.restarts = 0;
	bench.write(4, 1);
	tap.equal(bench.restarts, 1, "restart is a pulse");
	tap.equal(bench.read(5), 10, "and no more");
	bench.write(4, 2);
	tap.equal(bench.read(5), 0, "no entries");
	tap.equal(bench.read(0x600 + 15), 0, "no counts");
	tap.equal(bench.restarts, 1, "no restart");
	tap.end();

	tap.begin("gear and compensation are switches if the build says so, and begin as built");
	for (unsigned build = 0; build < 16; build++) {
		const unsigned gear = build >> 2 & 1, compensation = build >> 1 & 1;

		bench.reset();
		bench.top.build_i = build;
		bench.run(8);
		const unsigned begin = build & 8 ? compensation << 1 | gear : 0;

		tap.equal(bench.read(3), begin << 5, "as built");
		tap.equal(bench.top.settings_o, begin << 4, "settings as built");
		for (unsigned pair : { 1, 0, 3, 2 }) {
			const unsigned want = build & 8 ? pair : 0;

			bench.write(3, pair << 5 | 1 << 4 | 9);
			tap.equal(bench.top.settings_o, want << 4 | 9, "settings");
			tap.equal(bench.read(3), want << 5 | 1 << 4 | 9, "read back");
		}
	}
	tap.end();
	bench.reset();

	tap.begin("the SERDES' registers");
	for (unsigned i = 0; i < 200; i++) {
		bool common = bench.random.chance(50);
		unsigned address = bench.random.below(64), value = bench.random.below(256);

		if (bench.random.chance(50)) {
			unsigned before = bench.writes;

			bench.write(7, 1u << 31 | common << 30 | address << 8 | value);
			bench.run(20);
			tap.equal(bench.writes, before + 1, "one write");
			tap.equal(bench.memory[common][address], value, "written");
		} else {
			unsigned before = bench.reads;

			bench.memory[common][address] = value;
			bench.write(7, common << 30 | address << 8);
			tap.equal(bench.read(7), value, "read");
			tap.equal(bench.reads, before + 1, "one read");
		}
	}
	tap.end();
	return tap.status();
}
