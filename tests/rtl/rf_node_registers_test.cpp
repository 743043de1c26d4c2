/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The read-only registers of a node against a model, from the reset on: reads and writes of every
 * address of its block, and of others with one address bit more.
 */
#ifndef NODE
#define NODE 0
#endif
#include "Vrf_node_registers.h"
#include "../../kmd/include/ringfence_hw.h"
#include "bits.h"
#include "harness.h"

using namespace rf;

namespace {

/* The words of the block's header: type, version and no block behind it; the registers of nodes. */
constexpr uint64_t kIdentity =
	RF_BLOCK_TYPE_NODE | RF_NODE_BLOCK_VERSION << 16 | (uint64_t)RF_COUNTER_BLOCK_OFFSET << 32;
constexpr uint64_t kIndexed =
	RF_NODE_INDEXED_COUNT | RF_NODE_INDEXED_STRIDE << 16 | (uint64_t)RF_NODE_INDEXED_BASE << 32;

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_node_registers top;
	Clock<Vrf_node_registers> clock(top);
	Random random(seed());
	Tap tap;
	uint64_t want = 0, reads[5] = {}, returned = 0;
	uint32_t retired = 0;
	bool packet = false;

	printf("# seed %" PRIu64 "\n", seed());
	tap.begin("every register of the node");
	for (unsigned i = 0; i < 60000; i++) {
		if (i % 2000 == 0) {
			put_register(top.register_i, false, 0, 0);
			put(top.register_i, 87, 1, 0);
			top.retires_i = top.back_i = 0;
			clock.reset(2);
			want = retired = 0;
			packet = false;
		}
		tap.equal(top.register_data_o, want, "data, 0 without a read");

		uint64_t address = RF_NODE_BLOCK_OFFSET + 8 * random.below(32);
		bool valid = random.chance(70), write = random.chance(30);

		if (random.chance(20)) /* of another block */
			address ^= 8ull << (5 + random.below(9));
		put_register(top.register_i, write, address, random.next());
		put(top.register_i, 87, 1, valid);
		top.busy_i = random.chance(50);
		top.slot_i = random.below(16);
		top.engine_busy_i = random.chance(50);
		top.engine_progress_i = random.next();
		want = 0;
		if (valid && !write) {
			if (address == RF_REG_NODE_STATUS(NODE)) {
				want = (uint64_t)top.busy_i << RF_NODE_STATUS_BUSY_SHIFT |
				       (uint64_t)top.slot_i << RF_NODE_STATUS_SLOT_SHIFT |
				       (uint64_t)top.engine_busy_i
					       << RF_NODE_STATUS_ENGINE_BUSY_SHIFT;
				reads[0]++;
			} else if (address == RF_REG_NODE_PROGRESS(NODE)) {
				want = top.engine_progress_i;
				reads[1]++;
			} else if (address == RF_REG_NODE_RETIRED(NODE)) {
				want = retired;
				reads[2]++;
			} else if (!NODE && address == RF_NODE_BLOCK_OFFSET) {
				want = kIdentity;
				reads[3]++;
			} else if (!NODE && address == RF_NODE_BLOCK_OFFSET + 8) {
				want = kIndexed;
				reads[4]++;
			}
		}

		/* A packet counts one cycle later, operations that come back at once. Sometimes
		 * more come back than were counted since the reset: the counter wraps. */
		retired += packet;
		top.back_i = random.chance(10) ? random.below(8) : 0;
		retired -= top.back_i;
		returned += top.back_i;
		top.retires_i = random.chance(50);
		packet = top.retires_i;
		clock.tick();
	}
	tap.end();
	tap.begin("each of them was read, and operations came back");
	for (unsigned r = 0; r < (NODE ? 3 : 5); r++)
		tap.check(reads[r] > 100, "reads", reads[r], 100);
	tap.check(returned > 1000, "operations", returned, 1000);
	tap.end();
	top.final();
	return tap.status();
}
