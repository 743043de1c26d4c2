/* SPDX-License-Identifier: Apache-2.0 */
/* rf_record_word: the words of a record as rf_interrupt writes them to the ring. */
#include "Vrf_record_word.h"
#include "bits.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_record_word top;
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("each word of a record, 0 if none is asked for");
	for (unsigned i = 0; i < 2000; i++) {
		unsigned kind = random.below(256), node = random.below(16), vmid = random.below(16);
		unsigned detail = random.below(256);
		uint32_t handle = random.next();
		uint64_t address = random.next(), value = random.next();

		rf::put(top.record_i, 176, 8, kind);
		rf::put(top.record_i, 172, 4, node);
		rf::put(top.record_i, 168, 4, vmid);
		rf::put(top.record_i, 160, 8, detail);
		rf::put(top.record_i, 128, 32, handle);
		rf::put(top.record_i, 64, 64, address);
		rf::put(top.record_i, 0, 64, value);
		top.show_i = 0;
		top.eval();
		tap.equal(top.word_o, 0, "none");
		top.show_i = 1;
		top.eval();
		tap.equal(top.word_o,
			  kind | node << 8 | vmid << 16 | (uint64_t)detail << 24 |
				  (uint64_t)handle << 32,
			  "kind, node, VMID, detail, handle");
		top.show_i = 2;
		top.eval();
		tap.equal(top.word_o, address, "address");
		top.show_i = 4;
		top.eval();
		tap.equal(top.word_o, value, "value");
	}
	tap.end();
	top.final();
	return tap.status();
}
