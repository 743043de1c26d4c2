/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of words becomes writes of exactly one range of bytes. */
#include "Vrf_stream_write.h"
#include "stream_memory.h"

namespace {

struct Bench {
	Bench(Vrf_stream_write &top, rf::Random &random, rf::Tap &tap) :
	    top(top), random(random), tap(tap),
	    memory(0xfedcba97ffffe000, 1 << 15, random), /* over a multiple of 4 GiB */
	    writes(top, memory, random, tap), clock(top)
	{
		top.start_i = top.carry_i = top.empty_i = top.stop_i = top.valid_i = 0;
		top.write_ready_i = top.write_data_ready_i = top.write_done_i = 0;
		top.max_payload_words_i = 32;
		clock.reset();
	}

	void step()
	{
		top.clk_i = 0;
		writes.drive(clock.cycle);
		/* A word on offer stays. */
		if (!top.valid_i) {
			top.valid_i = taken < limit && random.chance(valid_percent);
			top.data_i = random.next();
		}
		top.eval();
		writes.sample(clock.cycle);
		bool take = top.valid_i && top.ready_o;
		if (take) {
			for (unsigned i = 0; i < 8; i++) {
				uint64_t address = (range.start & ~7ull) + 8 * taken + i;

				if (address >= range.start && address < range.end)
					want.push_back(top.data_i >> (8 * i));
			}
			taken++;
		}
		if (!top.busy_o)
			tap.equal(writes.outstanding(), 0, "writes in flight of an idle stream");
		performed += top.performed_o;
		tap.equal(performed, writes.performed_bytes, "bytes performed");
		clock.tick();
		if (take)
			top.valid_i = 0;
	}

	void start(uint64_t address, uint64_t bytes, const rf::Behaviour &b)
	{
		/* The limit stands before an operation starts. */
		top.max_payload_words_i = b.max_payload;
		step();
		range = { address, address + bytes };
		writes.begin(b, 9, range);
		want.clear();
		taken = performed = 0;
		top.valid_i = 0;
		before = memory.bytes;
		top.vmid_i = 9;
		top.carry_i = random.chance(50);
		top.address_i = address - ((uint64_t)top.carry_i << 32);
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
	}

	void run(uint64_t address, uint64_t bytes, const rf::Behaviour &b, int stop_after = -1)
	{
		start(address, bytes, b);
		for (int now = 0; top.busy_o; now++) {
			if (now == stop_after)
				top.stop_i = 1;
			step();
			if (now > 1000000) {
				printf("Bail out! the stream hangs\n");
				exit(1);
			}
		}
		top.stop_i = 0;
		if (!top.failed_o)
			tap.equal(top.complete_o, performed == bytes, "complete");
	}

	/* The first `bytes` of the range hold the stream, all else is as before. */
	void check_memory(uint64_t bytes, uint64_t undefined_from)
	{
		for (size_t i = 0; i < memory.bytes.size(); i++) {
			uint64_t address = memory.base + i, offset = address - range.start;

			if (address >= range.start && offset < bytes)
				tap.equal(memory.bytes[i],
					  offset < want.size() ? want[offset] : ~0ull,
					  "byte of the range");
			else if (address < range.start || address >= undefined_from)
				tap.equal(memory.bytes[i], before[i], "byte outside");
		}
	}

	Vrf_stream_write &top;
	rf::Random &random;
	rf::Tap &tap;
	rf::Memory memory;
	rf::WritePort<Vrf_stream_write> writes;
	rf::Clock<Vrf_stream_write> clock;
	rf::Range range = {};
	std::vector<uint8_t> want, before;
	uint64_t taken = 0, performed = 0, limit = ~0ull;
	unsigned valid_percent = 100;
};

} /* namespace */

int main()
{
	Vrf_stream_write top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, random, tap);
	uint64_t base = bench.memory.base, address, bytes;
	rf::Behaviour b;

	auto pick = [&]() {
		address = base + random.below(0x3000);
		bytes = random.chance(30) ? random.below(20) : random.below(6000);
		b = rf::random_behaviour(random);
		bench.valid_percent = random.chance(50) ? 100 : 5 + random.below(95);
	};

	tap.begin("exactly the bytes of the range are written, for each pair of end lanes");
	b = rf::Behaviour();
	for (unsigned lead = 0; lead < 8; lead++)
		for (bytes = 0; bytes < 34; bytes++) {
			bench.run(base + 0xff0 + lead, bytes, b);
			tap.equal(bench.writes.performed_bytes, bytes, "bytes");
			bench.check_memory(bytes, bench.range.end);
		}
	tap.end();

	tap.begin("random ranges, payload sizes, rates and latencies");
	for (int i = 0; i < 1000; i++) {
		pick();
		bench.run(address, bytes, b);
		tap.check(!top.failed_o, "no failure");
		tap.equal(bench.writes.performed_bytes, bytes, "bytes");
		bench.check_memory(bytes, bench.range.end);
	}
	tap.end();

	tap.begin("no more words are taken than the range has");
	bench.valid_percent = 100;
	for (int i = 0; i < 100; i++) {
		pick();
		bench.run(address, bytes, b);
		for (int wait = 0; wait < 100; wait++)
			bench.step();
		tap.equal(bench.taken, bytes ? (address + bytes + 7) / 8 - address / 8 : 0,
			  "words");
	}
	tap.end();

	tap.begin("a write is offered only when all of its words follow without further input");
	for (int i = 0; i < 200; i++) {
		b = rf::Behaviour();
		b.max_payload = 1u << random.below(6);
		bench.valid_percent = 100;
		bench.limit = random.below(300);
		address = base + 8 * random.below(64);
		bench.start(address, 4096, b);
		for (int wait = 0; wait < 800; wait++)
			bench.step();
		tap.equal(bench.writes.outstanding(), 0, "writes that wait for input");
		tap.equal(bench.taken, bench.limit, "words taken");
		uint64_t end = (address + 8 * bench.limit) & -(8ull * b.max_payload);
		tap.equal(bench.writes.performed_bytes, end > address ? end - address : 0,
			  "every write that can be made was made");
		bench.limit = ~0ull;
		while (top.busy_o)
			bench.step();
		bench.check_memory(4096, bench.range.end);
	}
	tap.end();

	tap.begin("a failed write: reported with its address, progress stops before it");
	{
		unsigned failures = 0;

		for (int i = 0; i < 600; i++) {
			pick();
			b.fail_write = random.below(20);
			b.fail_status = 1 + random.below(6);
			b.fail_level = random.below(4);
			bench.run(address, bytes, b);
			if ((int)bench.writes.performed <= b.fail_write) {
				tap.check(!top.failed_o, "no failure");
				bench.check_memory(bytes, bench.range.end);
				continue;
			}
			failures++;
			tap.check(top.failed_o, "failed");
			tap.equal(rf::bits(top.failure_o, 64, 1), 1, "store");
			tap.equal(rf::bits(top.failure_o, 67, 3), b.fail_status, "status");
			tap.equal(rf::bits(top.failure_o, 65, 2), b.fail_level, "level");
			tap.equal(rf::bits(top.failure_o, 0, 64), bench.writes.failed_address,
				  "address");
			bench.check_memory(bench.writes.performed_bytes, bench.range.end);
		}
		tap.check(failures > 100, "failures provoked", failures);
	}
	tap.end();

	tap.begin("a stopped stream performs what it offered, and nothing else");
	{
		unsigned stopped = 0;

		for (int i = 0; i < 600; i++) {
			pick();
			bench.run(address, bytes, b, random.below(random.chance(50) ? 20 : 1500));
			stopped += bench.writes.performed_bytes != bytes;
			/* No failure: what was performed is a prefix, exactly. */
			bench.check_memory(bench.writes.performed_bytes,
					   address + bench.writes.performed_bytes);
		}
		tap.check(stopped > 100, "streams stopped early", stopped);
	}
	tap.end();

	tap.begin("a word per cycle into full-size writes");
	for (unsigned payload : { 16u, 32u }) {
		b = rf::Behaviour();
		b.max_payload = payload;
		b.write_latency_min = b.write_latency_max = 8;
		bench.valid_percent = 100;
		uint64_t start = bench.clock.cycle;
		bench.run(base + 0x1000, 0x4000, b);
		tap.check(bench.clock.cycle - start < 0x800 + 60, "cycles",
			  bench.clock.cycle - start, 0x800 + 60);
		tap.equal(bench.writes.count, 0x800 / payload, "writes");
	}
	tap.end();

	tap.begin("bits 63:40 of an address never count: a range does not wrap to 0");
	{
		unsigned seen = 0;

		bench.clock.reset();
		top.max_payload_words_i = 16;
		top.write_ready_i = top.write_data_ready_i = 1;
		top.write_done_i = 0;
		bench.clock.tick();
		top.carry_i = top.empty_i = 0;
		top.address_i = -0x100ull;
		top.behind_i = 0x1ff;
		top.start_i = top.valid_i = 1;
		for (int i = 0; i < 100; i++) {
			top.eval();
			if (top.write_valid_o) {
				uint64_t va = 0xffffff0000000000 |
					      ((-0x100ull + 0x80 * seen) & 0xffffffffff);

				tap.equal(rf::bits(top.write_o, 22, 61), va >> 3, "address");
				seen++;
			}
			bench.clock.tick();
			top.start_i = 0;
		}
		tap.equal(seen, 4, "writes");
		bench.clock.reset();
	}
	tap.end();

	return tap.status();
}
