/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local memory: a word is read as a whole, also while it is written.
 */
// parameters: -GLocalMemoryLog2=13
#include "Vrf_local_memory.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_local_memory top;
	rf::Clock<Vrf_local_memory> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	static uint64_t words[16];
	uint64_t want = 0, collisions = 0;
	bool read = false;

	printf("# seed %" PRIu64 "\n", rf::seed());
	for (unsigned w = 0; w < 16; w++) {
		top.write_i = 1;
		top.write_address_i = w;
		top.write_data_i = words[w] = random.next();
		top.write_strobe_i = 0xff;
		top.read_i = 0;
		clock.tick();
	}
	tap.begin("a read gives every write of its cycle and before, for every strobe");
	for (unsigned i = 0; i < 40000; i++) {
		top.write_i = random.chance(70);
		top.write_address_i = random.below(16);
		top.write_data_i = random.next();
		top.write_strobe_i = i;
		top.read_i = random.chance(70);
		top.read_address_i = random.below(16);
		top.eval();
		if (read)
			tap.equal(top.read_data_o, want, "word");
		for (unsigned b = 0; b < 8 && top.write_i; b++) {
			uint64_t mask = 0xffull << (8 * b);

			if (top.write_strobe_i >> b & 1)
				words[top.write_address_i] = (words[top.write_address_i] & ~mask) |
							     (top.write_data_i & mask);
		}
		read = top.read_i;
		want = words[top.read_address_i];
		collisions += read && top.write_i && top.write_address_i == top.read_address_i;
		clock.tick();
	}
	tap.check(collisions > 500, "words read while written", collisions);
	tap.end();
	top.final();
	return tap.status();
}
