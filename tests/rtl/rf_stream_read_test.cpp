/* SPDX-License-Identifier: Apache-2.0 */
/* A range of memory as a stream of words, whatever the order of the responses. */
#include "Vrf_stream_read.h"
#include "stream_memory.h"

namespace {

const unsigned read_copy = 6; /* rf_bus_pkg::ReadCopy, the default master */

struct Bench {
	Bench(Vrf_stream_read &top, rf::Random &random, rf::Tap &tap) :
	    top(top), random(random), tap(tap),
	    memory(0xfedcba97ffffd000, 1 << 16, random), /* over a multiple of 4 GiB */
	    reads(top, memory, random, tap, read_copy), clock(top)
	{
		top.start_i = top.carry_i = top.empty_i = top.stop_i = top.ready_i = 0;
		top.response_valid_i = top.read_ready_i = 0;
		top.max_read_words_i = 64;
		clock.reset();
	}

	void step()
	{
		top.clk_i = 0;
		reads.drive(clock.cycle);
		top.ready_i = random.chance(ready_percent);
		top.eval();
		reads.sample(clock.cycle);
		if (held && !top.stop_i)
			tap.check(top.valid_o && top.data_o == held_data, "a word stays",
				  top.data_o, held_data);
		held = top.valid_o && !top.ready_i;
		held_data = top.data_o;
		if (top.valid_o && top.ready_i) {
			words.push_back(top.data_o);
			tap.check(!last, "nothing follows the last word");
			last = top.last_o;
		}
		if (!top.busy_o)
			tap.equal(reads.outstanding(), 0, "reads in flight of an idle stream");
		clock.tick();
	}

	/* Starts a range and runs to its end, or to the cycle in which it is stopped. */
	void run(uint64_t start, uint64_t bytes, const rf::Behaviour &b, int stop_after = -1)
	{
		reads.begin(b, 5, { { start, start + bytes } });
		words.clear();
		last = held = false;
		top.max_read_words_i = b.max_read;
		top.vmid_i = 5;
		top.carry_i = random.chance(50);
		top.address_i = start - ((uint64_t)top.carry_i << 32);
		top.behind_i = bytes - 1;
		top.empty_i = !bytes;
		top.start_i = 1;
		step();
		top.start_i = 0;
		top.vmid_i = random.next();
		top.carry_i = random.chance(50);
		top.address_i = random.next();
		top.behind_i = random.next();
		top.empty_i = random.chance(50);
		for (int now = 0; top.busy_o; now++) {
			if (now == stop_after)
				top.stop_i = 1;
			step();
			if (now == stop_after)
				words_at_stop = words.size();
			if (now > 1000000) {
				printf("Bail out! the stream hangs\n");
				exit(1);
			}
		}
		if (top.stop_i)
			tap.equal(words.size(), words_at_stop, "words taken after the stop");
		top.stop_i = 0;
	}

	/* The words delivered are those at the start of the range. */
	void check_words(uint64_t start, uint64_t expected)
	{
		tap.equal(words.size(), expected, "words");
		for (size_t i = 0; i < words.size() && i < expected; i++)
			tap.equal(words[i], memory.word((start & ~7ull) + 8 * i), "word");
	}

	Vrf_stream_read &top;
	rf::Random &random;
	rf::Tap &tap;
	rf::Memory memory;
	rf::ReadPort<Vrf_stream_read> reads;
	rf::Clock<Vrf_stream_read> clock;
	std::vector<uint64_t> words;
	size_t words_at_stop = 0;
	unsigned ready_percent = 100;
	bool last = false, held = false;
	uint64_t held_data = 0;
};

uint64_t words_of(uint64_t start, uint64_t bytes)
{
	return bytes ? (start + bytes + 7) / 8 - start / 8 : 0;
}

} /* namespace */

int main()
{
	Vrf_stream_read top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, random, tap);
	uint64_t base = bench.memory.base;

	auto pick = [&](uint64_t &start, uint64_t &bytes, rf::Behaviour &b) {
		start = base + random.below(0x4000);
		bytes = random.chance(30) ? random.below(20) : random.below(9000);
		b = rf::random_behaviour(random);
		bench.ready_percent = random.chance(50) ? 100 : 5 + random.below(95);
	};
	uint64_t start, bytes;
	rf::Behaviour b;

	tap.begin("every word of the range once, in order, the last one marked");
	for (int i = 0; i < 1500; i++) {
		pick(start, bytes, b);
		bench.run(start, bytes, b);
		bench.check_words(start, words_of(start, bytes));
		tap.check(bench.last == (bytes != 0), "the last word is marked");
		tap.check(!top.failed_o, "no failure");
	}
	tap.end();

	tap.begin("responses in any order of the requests are delivered in order");
	for (int i = 0; i < 50; i++) {
		/* Sixteen requests in flight before the first may be answered. */
		b = rf::Behaviour();
		b.latency_min = 60;
		b.latency_max = 200;
		b.reorder = b.interleave = true;
		start = base + 8 * random.below(100);
		bench.ready_percent = 100;
		bench.run(start, 16000, b);
		bench.check_words(start, words_of(start, 16000));
		tap.equal(bench.reads.most_outstanding, 16, "reads in flight");
	}
	tap.end();

	tap.begin("no read is issued without a slot: a stalled stream stops at 16");
	{
		b = rf::Behaviour();
		bench.ready_percent = 0;
		bench.reads.begin(b, 5, { { base, base + 0x8000 } });
		bench.reads.most_outstanding = 0;
		bench.words.clear();
		bench.last = false;
		top.max_read_words_i = 64;
		top.vmid_i = 5;
		top.carry_i = 0;
		top.address_i = base;
		top.behind_i = 0x8000 - 1;
		top.empty_i = 0;
		top.start_i = 1;
		bench.step();
		top.start_i = 0;
		for (int i = 0; i < 2000; i++)
			bench.step();
		tap.equal(bench.reads.count, 16, "reads while no word is taken");
		bench.ready_percent = 100;
		while (top.busy_o)
			bench.step();
		bench.check_words(base, 0x1000);
	}
	tap.end();

	tap.begin("a failed read ends the stream in its turn, when nothing is in flight");
	{
		unsigned failures = 0;

		for (int i = 0; i < 600; i++) {
			pick(start, bytes, b);
			b.fail_read = random.below(20);
			b.fail_status = 1 + random.below(6);
			b.fail_level = random.below(4);
			bench.run(start, bytes, b);
			if ((int)bench.reads.count <= b.fail_read) {
				bench.check_words(start, words_of(start, bytes));
				tap.check(!top.failed_o, "no failure");
				continue;
			}
			failures++;
			tap.check(top.failed_o, "failed");
			tap.equal(rf::bits(top.failure_o, 64, 1), 0, "store");
			tap.equal(rf::bits(top.failure_o, 67, 3), b.fail_status, "status");
			tap.equal(rf::bits(top.failure_o, 65, 2), b.fail_level, "level");
			tap.equal(rf::bits(top.failure_o, 0, 64), bench.reads.failed_address,
				  "address");
			bench.check_words(start,
					  (bench.reads.failed_address - (start & ~7ull)) / 8);
			tap.check(!bench.last, "the last word did not come");
		}
		tap.check(failures > 100, "failures provoked", failures);
	}
	tap.end();

	tap.begin("a stopped stream delivers nothing more and drains");
	{
		unsigned stopped = 0;

		for (int i = 0; i < 600; i++) {
			pick(start, bytes, b);
			bench.run(start, bytes, b, random.below(random.chance(50) ? 20 : 3000));
			stopped += !bench.last;
			bench.check_words(start, bench.words.size());
		}
		tap.check(stopped > 100, "streams stopped early", stopped);
	}
	tap.end();

	tap.begin("after a reset, wherever the slots stood, as at first");
	for (int i = 0; i < 100; i++) {
		pick(start, bytes, b);
		bench.run(start, bytes, b);
		bench.clock.reset();
		pick(start, bytes, b);
		bench.run(start, bytes, b);
		bench.check_words(start, words_of(start, bytes));
	}
	tap.end();

	tap.begin("bits 63:40 of an address never count: a range does not wrap to 0");
	{
		unsigned seen = 0;

		bench.clock.reset();
		while (top.busy_o)
			bench.step();
		bench.reads.begin(rf::Behaviour(), 5, {});
		top.read_ready_i = 1;
		top.response_valid_i = 0;
		top.max_read_words_i = 32;
		top.carry_i = top.empty_i = 0;
		top.address_i = -0x200ull;
		top.behind_i = 0x3ff;
		top.start_i = 1;
		for (int i = 0; i < 60; i++) {
			top.eval();
			if (top.read_valid_o) {
				uint64_t va = 0xffffff0000000000 |
					      ((-0x200ull + 0x100 * seen) & 0xffffffffff);

				tap.equal(rf::bits(top.read_o, 12, 64), va, "address");
				seen++;
			}
			bench.clock.tick();
			top.start_i = 0;
		}
		tap.equal(seen, 4, "requests");
		bench.clock.reset();
	}
	tap.end();

	return tap.status();
}
