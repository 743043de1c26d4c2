/* SPDX-License-Identifier: Apache-2.0 */
/* Each bit of each word is seen, in its place alone. */
#include "Vrf_or_late.h"
#include "bits.h"
#include "harness.h"

int main()
{
	Vrf_or_late top;
	rf::Random random(rf::seed());
	rf::Tap tap;

	tap.begin("the OR of all words");
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t word[3];

		for (uint64_t &w : word)
			w = i < 500 ? random.next() & random.next() & random.next() : 0;
		if (i >= 500) /* one bit alone */
			word[i % 3] = 1ull << random.below(64);
		rf::put(top.late_i, 0, 64, word[0]);
		rf::put(top.late_i, 64, 64, word[1]);
		top.early_i = word[2];
		top.eval();
		tap.equal(top.data_o, word[0] | word[1] | word[2], "data");
	}
	tap.end();
	return tap.status();
}
