/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performance counters: every read is exact, whatever the events and reads around
 * it, also with all events in every cycle and right after a reset. It tells of the
 * cycles before its own.
 */
#include "Vrf_counters.h"
#include "harness.h"

#include <algorithm>

namespace {

constexpr unsigned First = 0x840, Header = 0x800; /* byte offsets in BAR 0 */
constexpr uint32_t Wide = 1u << 14 | 1u << 16 | 1u << 18 | 1u << 21 | 1u << 24;
constexpr uint32_t Twice = 0x1e | 1u << 7 | 1u << 10 | 1u << 11 | 1u << 12;

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		request(false, 0);
		top.event_i = top.second_i = 0;
		clock.reset(1);
		for (uint64_t &count : counts)
			count = 0;
	}

	/* One cycle with these events; they count in the model, too. */
	void cycle(uint32_t event, uint32_t second, bool largest = false)
	{
		uint32_t slot = 0;

		top.event_i = event;
		top.second_i = second;
		top.amount_i = 0;
		for (unsigned i = 0; i < 32; i++) {
			if (!(Wide >> i & 1)) {
				counts[i] += (event >> i & 1) + ((second & Twice) >> i & 1);
				continue;
			}
			/* Of a read request 128 DWs at most; others come two DWs a cycle. */
			uint64_t most = slot == 1 ? 128 : std::min(ahead[slot] + 2, 64u), dwords;

			dwords = event >> i & 1 ? largest ? most : random.below(most + 1) : 0;
			if (slot != 1)
				ahead[slot] += 2 - dwords;
			ahead[slot] = std::min(ahead[slot], 64u);
			counts[i] += 4 * dwords;
			top.amount_i |= dwords << 8 * slot++;
		}
		clock.tick();
	}

	void request(bool valid, unsigned address, bool write = false)
	{
		top.register_i[0] = 0xff;
		top.register_i[1] = 0;
		top.register_i[2] = valid << 23 | write << 22 | (address >> 3) << 8;
	}

	Vrf_counters top;
	rf::Clock<Vrf_counters> clock;
	rf::Random random;
	rf::Tap tap;
	uint64_t counts[32] = {};
	unsigned ahead[5] = {}; /* DWs that may come at once */
};

void read_exact(Bench &b, const char *name, unsigned cycles, unsigned reads, bool largest,
		bool same = false)
{
	unsigned performed = 0, pause = 0, counter = 0, left = 0;

	b.tap.begin(name);
	for (unsigned c = 0; c < cycles; c++) {
		bool read = !pause && (left || b.random.chance(reads));

		/* At most every fourth cycle, and up to 32 in a row. */
		if (read && !left) {
			left = largest ? 32 : b.random.below(32) + 1;
			counter = b.random.below(32);
		}
		if (read && !same)
			counter = largest ? (counter + 1) % 32 : b.random.below(32);
		left -= read;
		pause = read ? 3 + !largest * (b.random.below(4) / 3) : pause - !!pause;
		uint64_t want = read ? b.counts[counter] : 0;

		b.request(read, First + 8 * counter);
		if (largest && c % 256 < 64) /* then a TLP of 64 DWs may come at once */
			b.cycle(0, 0);
		else if (largest)
			b.cycle(~0u, ~0u & ~Wide, true);
		else
			b.cycle(b.random.next(), b.random.next() & b.random.next());
		b.tap.equal(b.top.register_data_o, want, "value");
		performed += read;
	}
	b.request(false, 0);
	b.tap.check(performed > cycles / 8, "reads", performed);
	b.tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Bench b;

	b.reset();
	read_exact(b, "a read is exact with random events", 20000, 20, false);
	read_exact(b, "... and with every event in every cycle", 20000, 100, true);
	read_exact(b, "... the same again and again, also the one that is visited", 40000, 40, true,
		   true);

	b.tap.begin("a reset sets every counter to 0, also for the reads of the first cycles");
	for (unsigned wait = 0; wait < 80; wait++) {
		for (unsigned c = 0; c < 70; c++)
			b.cycle(b.random.next(), b.random.next());
		/* A read that the reset comes upon has no response: others answer on the same bus. */
		b.request(true, First + 8 * (wait % 32));
		b.cycle(0, 0);
		b.top.rst_ni = 0;
		b.top.eval();
		b.tap.equal(b.top.register_data_o, 0, "response in a reset");
		b.reset();
		b.tap.equal(b.top.register_data_o, 0, "response behind a reset");
		for (unsigned c = 0; c < wait; c++)
			b.cycle(b.random.next(), b.random.next());
		for (unsigned r = 0; r < 2; r++) {
			for (unsigned i = 0; i < 32; i++) {
				unsigned counter = (i * 13 + wait) % 32;
				uint64_t want = b.counts[counter];

				b.request(true, First + 8 * counter);
				b.cycle(b.random.next(), b.random.next());
				b.tap.equal(b.top.register_data_o, want, "value");
				b.request(false, 0);
				for (unsigned c = 0; c < 3; c++)
					b.cycle(b.random.next(), b.random.next());
			}
		}
	}
	b.tap.end();

	b.tap.begin("only the registers of the block response");
	for (unsigned address = 0; address < 0x20000; address += 8) {
		uint64_t want = address >= First && address < First + 256
					? b.counts[(address - First) / 8]
					: 0;

		b.request(true, address);
		b.cycle(0, 0);
		if (address == Header) /* type counter, version 1 */
			want = 1 << 16 | 7;
		b.tap.equal(b.top.register_data_o, want, "value");
		/* neither to a write nor without a request */
		b.request(true, address, true);
		b.cycle(0, 0);
		b.tap.equal(b.top.register_data_o, 0, "response to a write");
		b.request(false, address);
		b.cycle(0, 0);
		b.tap.equal(b.top.register_data_o, 0, "response to no request");
		b.request(false, 0);
		b.cycle(0, 0);
	}
	b.tap.end();
	b.top.final();
	return b.tap.status();
}
