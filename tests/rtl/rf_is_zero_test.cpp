/* SPDX-License-Identifier: Apache-2.0 */
/* Words with no bit, one bit and many. */
#include "Vrf_is_zero.h"
#include "harness.h"

int main()
{
	Vrf_is_zero top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	auto zero = [&](uint64_t data) {
		top.data_i = data;
		top.eval();
		return (bool)top.zero_o;
	};

	tap.begin("0 is zero, and nothing else");
	tap.check(zero(0), "0");
	for (unsigned bit = 0; bit < 64; bit++)
		tap.check(!zero(1ull << bit), "one bit", bit);
	for (unsigned i = 0; i < 1000; i++)
		tap.check(!zero(random.next() | 1ull << random.below(64)), "many bits", i);
	tap.end();
	return tap.status();
}
