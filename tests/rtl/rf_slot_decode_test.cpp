/* SPDX-License-Identifier: Apache-2.0 */
/* Every page of 256 bytes of BAR 0: that of slot n is n's, no other is a slot's. */
#include "Vrf_slot_decode.h"
#include "../../kmd/include/ringfence_hw.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_slot_decode top;
	rf::Tap tap;
	unsigned hits = 0;

	tap.begin("registers of slots, and no others");
	for (uint64_t address = 0; address < 1 << 17; address += 256) {
		uint64_t offset = address - RF_SLOT_INDEXED_BASE;
		bool hit = address >= RF_SLOT_INDEXED_BASE &&
			   offset / RF_SLOT_INDEXED_STRIDE < RF_SLOT_INDEXED_COUNT;

		top.address_i = address >> 8;
		top.eval();
		tap.equal(top.hit_o, hit, "hit");
		if (hit)
			tap.equal(top.slot_o, offset / RF_SLOT_INDEXED_STRIDE, "slot");
		hits += top.hit_o;
	}
	tap.equal(hits, RF_SLOT_INDEXED_COUNT, "slots");
	tap.end();
	top.final();
	return tap.status();
}
