/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes of registers by frames; nothing else is an access, and every frame that is not
 * answered is told.
 */
#include <map>

#include "Vrf_frame_registers.h"
#include "harness.h"
#include "serial_line.h"

namespace {

uint32_t value_at(unsigned address)
{
	return 0x1000193u * (address + 1) ^ address << 20;
}

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.byte_valid_i = top.end_i = top.good_i = top.ready_i = 0;
		clock.reset();
		tap.equal(top.valid_o | top.read_valid_o | top.write_valid_o | top.error_o, 0,
			  "behind a reset");
		answer.clear();
		writes.clear();
		errors = read_wait = ended = 0;
	}
	void tick()
	{
		top.ready_i = random.chance(ready);
		top.eval();
		bool sent = top.valid_o && top.ready_i;

		if (sent)
			answer.push_back(top.data_o);
		ended += sent && top.last_o;
		clock.tick();
		/* A register's value is there three cycles after the request, and then no more. */
		top.read_data_i = random.next();
		if (read_wait && !--read_wait)
			top.read_data_i = value_at(read_address);
		if (top.read_valid_o) {
			read_wait = 3;
			read_address = top.address_o;
			reads++;
		}
		if (top.write_valid_o)
			writes[top.address_o] = top.write_data_o;
		errors += top.error_o;
	}
	void frame(const rf::Bytes &content, bool good = true, unsigned gap = 5)
	{
		for (uint8_t byte : rf::with_crc(content)) {
			for (unsigned k = random.below(gap); k; k--)
				tick();
			top.byte_valid_i = 1;
			top.byte_i = byte;
			tick();
			top.byte_valid_i = 0;
		}
		top.end_i = 1;
		top.good_i = good;
		tick();
		top.end_i = top.good_i = 0;
	}
	bool wait_answer()
	{
		for (unsigned i = 0; i < 20000 && !ended; i++)
			tick();
		bool there = ended == 1;

		ended = 0;
		return there;
	}

	Vrf_frame_registers top;
	rf::Clock<Vrf_frame_registers> clock;
	rf::Random random;
	rf::Tap tap;
	rf::Bytes answer;
	std::map<unsigned, uint32_t> writes;
	unsigned ready = 50, ended = 0, errors = 0, reads = 0, read_wait = 0, read_address = 0;
};

} /* namespace */

int main()
{
	Bench bench;
	rf::Tap &tap = bench.tap;

	tap.begin("reads of 1 to 255 words");
	bench.reset();
	for (unsigned i = 0; i < 300; i++) {
		unsigned address = bench.random.below(0x1000);
		unsigned words = i < 255 ? i + 1 : 1 + bench.random.below(255);

		bench.ready = i % 3 ? 50 : 100;
		bench.reads = 0;
		bench.answer.clear();
		bench.frame({ 0x40, (uint8_t)address, (uint8_t)(address >> 8), (uint8_t)words });
		tap.check(bench.wait_answer(), "an answer");
		tap.equal(bench.reads, words, "a read each");
		tap.equal(bench.answer.size(), 3 + 4 * words, "its length");
		tap.equal(bench.answer[0], 0xc0, "its kind");
		tap.equal(bench.answer[1] | bench.answer[2] << 8, address, "its address");
		for (unsigned k = 0; k < words && bench.answer.size() == 3 + 4 * words; k++) {
			uint32_t got = 0;

			for (unsigned b = 0; b < 4; b++)
				got |= (uint32_t)bench.answer[3 + 4 * k + b] << 8 * b;
			tap.equal(got, value_at((address + k) & 0xfff), "a word");
		}
	}
	tap.equal(bench.errors, 0, "no error");
	tap.check(bench.writes.empty(), "no write");
	tap.end();

	tap.begin("writes");
	bench.reset();
	for (unsigned i = 0; i < 300; i++) {
		unsigned address = bench.random.below(0x1000);
		uint32_t value = bench.random.next();

		bench.answer.clear();
		bench.writes.clear();
		bench.frame({ 0x50, (uint8_t)address, (uint8_t)(address >> 8), (uint8_t)value,
			      (uint8_t)(value >> 8), (uint8_t)(value >> 16),
			      (uint8_t)(value >> 24) });
		tap.check(bench.wait_answer(), "an answer");
		tap.check(bench.writes.size() == 1 && bench.writes.count(address) &&
				  bench.writes[address] == value,
			  "one write of the value");
		tap.check(bench.answer ==
				  rf::Bytes({ 0xd0, (uint8_t)address, (uint8_t)(address >> 8), 0 }),
			  "its answer");
	}
	tap.end();

	tap.begin("wrong CRCs, kinds and lengths are dropped and told");
	bench.reset();
	bench.reads = 0;
	static const rf::Bytes wrong[] = {
		{ 0x40, 1, 0 },
		{ 0x40, 1, 0, 1, 0 },
		{ 0x40, 1, 0, 0 },
		{ 0x50, 1, 0, 1, 2, 3 },
		{ 0x41, 1, 0, 1 },
		{ 0x50, 1, 0, 1, 2, 3, 4, 5 },
		{ 4, 7, 0, 0 },
		{ 0x51, 1, 0, 1, 2, 3, 4 },
		{ 0x40, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, /* 24 bytes */
	};
	unsigned count = 0;
	for (const rf::Bytes &content : wrong) {
		bench.frame(content);
		tap.equal(bench.errors, ++count, "told");
	}
	bench.frame({ 0x40, 1, 0, 1 }, false);
	tap.equal(bench.errors, ++count, "a CRC");
	bench.frame({ 0x50, 1, 0, 1, 2, 3, 4 }, false);
	tap.equal(bench.errors, ++count, "a CRC");
	tap.check(!bench.reads && bench.writes.empty() && bench.answer.empty(), "no access");
	bench.frame({ 0x40, 1, 0, 1 });
	tap.check(bench.wait_answer(), "the next one is answered");
	tap.end();

	tap.begin("a request before the last one's answer has gone is dropped whole");
	unsigned dropped = 0;

	for (unsigned i = 0; i < 1000; i++) {
		bench.reset();
		bench.ready = 10;
		bench.answer.clear();
		bench.frame({ 0x40, 5, 0, 3 }, true, 2);
		for (unsigned k = bench.random.below(260); k; k--)
			bench.tick();
		bool gone = bench.ended;

		if (i & 1)
			bench.frame({ 0x50, 9, 0, 1, 2, 3, 4 }, true, 1);
		else
			bench.frame({ 0x40, 9, 0, 2 }, true, 1);
		for (unsigned k = 0; k < 2000; k++)
			bench.tick();
		dropped += !gone;
		tap.equal(bench.errors, !gone, "told");
		tap.equal(bench.writes.size(), gone && (i & 1), "a write");
		tap.equal(bench.answer.size(), 15 + (gone ? i & 1 ? 4 : 11 : 0), "whole answers");
	}
	tap.check(dropped > 50, "often", dropped, 50);
	tap.end();
	return tap.status();
}
