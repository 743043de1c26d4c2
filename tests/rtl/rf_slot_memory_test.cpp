/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_slot_memory against a memory of 512 words: the register bus, errors and both nodes at once,
 * in their order of priority.
 */
#include "Vrf_slot_memory.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_slot_memory top;
	Random random(seed());
	Tap tap;
	uint64_t words[512] = {}, want = 0;
	bool known[512] = {}, expected = false;
	unsigned stores[4] = {}, loads[4] = {}; /* registers, errors, nodes */
	const unsigned config = RF_REG_SLOT_CONFIG(0) / 8 % 32;
	const unsigned error_address = RF_REG_SLOT_ERROR_ADDRESS(0) / 8 % 32;

	printf("# seed %" PRIu64 "\n", seed());
	tap.begin("one access a cycle: registers, then errors, then node 0, then node 1");
	for (unsigned i = 0; i < 200000; i++) {
		bool bus = random.chance(40), error = !bus && random.chance(20);
		bool clears = bus && random.chance(10), writes = bus && random.chance(40);
		bool reads = bus && !writes && random.chance(60), wants_config = random.chance(20);
		unsigned at = random.below(512), error_slot = random.below(16);
		uint64_t data = random.next(), error_data = error ? random.next() : 0;
		uint64_t node_data[2] = { random.next(), random.next() };
		unsigned node_at[2] = { (unsigned)random.below(512), (unsigned)random.below(512) };
		unsigned does[2]; /* nothing, a store, a load */
		uint8_t strobe = random.chance(50) ? 0xff : random.next();

		for (unsigned n = 0; n < 2; n++)
			does[n] = random.chance(40) ? 1 + random.below(2) : 0;
		top.register_valid_i = bus;
		top.register_read_i = reads;
		top.register_write_i = writes;
		top.register_clear_i = clears;
		top.register_slot_i = at >> 5;
		top.register_number_i = at & 31;
		top.register_data_i = data;
		top.register_strobe_i = strobe;
		top.error_valid_i = error;
		top.config_valid_i = wants_config;
		top.error_slot_i = error_slot;
		top.error_data_i = error_data;
		top.node_store_i = (does[0] == 1) | (does[1] == 1) << 1;
		top.node_load_i = (does[0] == 2) | (does[1] == 2) << 1;
		top.node_slot_i = node_at[0] >> 5 | node_at[1] >> 5 << 4;
		top.node_number_i = (node_at[0] & 31) | (node_at[1] & 31) << 5;
		for (unsigned n = 0; n < 2; n++)
			put(top.node_data_i, 64 * n, 64, node_data[n]);
		top.clk_i = 0;
		top.eval();

		/* A node that asks for nothing may be told anything. */
		bool free = !bus && !error && !wants_config;
		tap.equal(top.config_ready_o, !bus, "CONFIG is read when the bus is free");
		if (does[0])
			tap.equal(top.node_ready_o & 1, free, "node 0");
		if (does[1])
			tap.equal(top.node_ready_o >> 1, free && !does[0], "node 1");
		if (expected)
			tap.equal(top.data_o, want, "what was read");

		/* The read sees what was written before this cycle. */
		int read = -1, wrote = -1, node = does[0] ? 0 : 1;
		uint64_t value = 0;
		if (bus) {
			read = reads ? (int)at : -1;
			loads[0] += reads;
			if (writes || clears) {
				wrote = at;
				value = clears ? 0 : data;
				stores[0]++;
			}
		} else {
			if (wants_config)
				read = error_slot << 5 | config;
			else if (does[node] == 2 && !error)
				read = node_at[node];
			loads[wants_config ? 1 : 2 + node] += read >= 0;
			if (error) {
				wrote = error_slot << 5 | error_address;
				value = error_data;
				stores[1]++;
			} else if (does[node] == 1 && !wants_config) {
				wrote = node_at[node];
				value = node_data[node];
				stores[2 + node]++;
			} else if (does[node] == 1) {
				/* not taken: the node offers it again, it may be there before */
				known[node_at[node]] = false;
			}
		}
		expected = read >= 0 && known[read];
		if (expected)
			want = words[read];
		if (wrote >= 0) {
			uint8_t lanes = bus && !clears ? strobe : 0xff;

			for (unsigned b = 0; b < 8; b++)
				if (lanes >> b & 1)
					words[wrote] = (words[wrote] & ~(0xffull << 8 * b)) |
						       (value & 0xffull << 8 * b);
			known[wrote] = known[wrote] || lanes == 0xff;
			if (read == wrote)
				expected = false;
		}
		top.clk_i = 1;
		top.eval();
	}
	for (unsigned i = 0; i < 4; i++)
		tap.check(stores[i] > 1000 && loads[i] > 1000, "all of it happened", i, stores[i]);
	tap.end();
	top.final();
	return tap.status();
}
