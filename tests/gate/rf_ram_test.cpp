/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of the block RAM (ecp5_cells.sv) against rf_ram as it is written: a model that
 * is wrong in a mode differs here, in whatever the tests of the whole device look at.
 */
#include <algorithm>

#include "Vrf_ram_tb.h"
#include "harness.h"

// Up to 64 bits are a number to Verilator, which must have no bits above; more an array.
template <typename Port> static void draw(Port &port, unsigned bits, rf::Random &random)
{
	port = (Port)(random.next() >> (64 - bits));
}

template <std::size_t Words>
static void draw(VlWide<Words> &port, unsigned bits, rf::Random &random)
{
	for (unsigned word = 0; word < bits / 32; word++)
		port[word] = (EData)random.next();
}

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_ram_tb top;
	rf::Clock<Vrf_ram_tb> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	const unsigned words = 1u << DEPTH_LOG2, near = std::min(words, 32u);
	uint64_t collisions = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	for (unsigned word = 0; word < words; word++) {
		top.write_i = 1;
		top.write_address_i = word;
		draw(top.write_data_i, WIDTH, random);
		top.write_strobe_i = (1u << WIDTH / 8) - 1;
		top.read_i = 0;
		clock.tick();
	}
	top.write_i = 0;
	tap.begin("every word is where it was written");
	for (unsigned word = 0; word < words; word++) {
		top.read_i = 1;
		top.read_address_i = word;
		clock.tick();
		tap.equal(top.differs_o, 0, "difference");
	}
	tap.end();
	tap.begin("every strobe, every address, and what is read while it is written");
	for (unsigned i = 0; i < 200000; i++) {
		unsigned range = i % 2 ? near : words;

		top.write_i = random.chance(70);
		top.write_address_i = random.below(range);
		draw(top.write_data_i, WIDTH, random);
		draw(top.write_strobe_i, WIDTH / 8, random);
		top.read_i = random.chance(70);
		top.read_address_i = random.below(range);
		top.eval();
		collisions += top.collides_o;
		clock.tick();
		tap.equal(top.differs_o, 0, "difference");
	}
	tap.check(collisions > 100, "too few reads met a write", collisions);
	tap.end();
	return tap.status();
}
