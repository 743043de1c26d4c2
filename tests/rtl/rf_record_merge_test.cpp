/* SPDX-License-Identifier: Apache-2.0 */
/* rf_record_merge: each record once and whole; only the source whose record is taken shows words. */
#include "Vrf_record_merge.h"
#include "bits.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_record_merge top;
	rf::Clock<Vrf_record_merge> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	uint64_t record[2][3] = {}, taken[2] = {};
	bool offered[2] = {};
	int shown = -1; /* the source whose record is on offer and was not taken */

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.valid_i = top.ready_i = top.show_i = 0;
	clock.reset();
	tap.begin("records of two sources, word by word");
	for (unsigned i = 0; i < 50000; i++) {
		for (unsigned s = 0; s < 2; s++) {
			if (offered[s] || !random.chance(30))
				continue;
			offered[s] = true;
			for (uint64_t &word : record[s])
				word = random.next();
		}
		top.valid_i = offered[0] | offered[1] << 1;
		top.ready_i = random.chance(40);
		top.show_i = random.chance(80) ? 1u << random.below(3) : 0;
		top.eval();
		uint64_t words[2] = {}; /* a source that is asked for none shows 0 */
		for (unsigned s = 0; s < 2; s++) {
			for (unsigned w = 0; w < 3; w++)
				words[s] |= top.show_o >> (3 * s + w) & 1 ? record[s][w] : 0;
			rf::put(top.word_i, 64 * s, 64, words[s]);
		}
		top.eval();
		unsigned ready = top.ready_o & top.valid_i;

		tap.equal(ready != 0, top.valid_o && top.ready_i, "taken when it is taken");
		tap.check(ready != 3, "one at a time");
		if (shown >= 0)
			tap.check(top.valid_o, "a record stays");
		int source = -1;
		for (int s = 0; s < 2 && top.valid_o && top.show_i; s++)
			source = top.show_o == (unsigned)top.show_i << 3 * s ? s : source;
		if (top.valid_o && top.show_i) {
			tap.check(source >= 0, "one source shows", top.show_o);
			if (source >= 0) {
				tap.check(offered[source], "a source without a record", source);
				for (unsigned w = 0; w < 3; w++)
					if (top.show_i >> w & 1)
						tap.equal(top.word_o, record[source][w], "word");
				if (ready)
					tap.equal(ready, 1u << source, "the one that was shown");
				if (shown >= 0)
					tap.equal(source, shown, "the same one");
			}
		} else if (!top.show_i) {
			tap.equal(top.show_o, 0, "nothing is shown");
		}
		shown = top.valid_o && !ready ? (source >= 0 ? source : shown) : -1;
		clock.tick();
		for (unsigned s = 0; s < 2; s++) {
			if (!(ready >> s & 1))
				continue;
			offered[s] = false;
			taken[s]++;
		}
	}
	tap.check(taken[0] > 1000 && taken[1] > 1000, "both were taken", taken[0], taken[1]);
	tap.end();
	top.final();
	return tap.status();
}
