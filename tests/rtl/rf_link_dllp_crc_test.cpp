/* SPDX-License-Identifier: Apache-2.0 */
/* The partner's CRC of DLLPs, which tests/sim/ has checked against published ones. */
// partner: sim/link
#include "Vrf_link_dllp_crc.h"
#include "harness.h"

extern "C" {
#include "link/crc.h"
}

namespace {

Vrf_link_dllp_crc top;

uint16_t step(uint16_t crc, uint8_t first, uint8_t second)
{
	top.crc_i = crc;
	top.data_i = first | second << 8;
	top.eval();
	return top.crc_o;
}

} // namespace

int main()
{
	rf::Tap tap;
	rf::Random random(rf::seed());

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("the partner's CRC, and what a good DLLP ends as");
	for (unsigned i = 0; i < 1000; i++) {
		uint8_t bytes[4];

		for (uint8_t &byte : bytes)
			byte = random.next();
		uint16_t want = link_dllp_crc(bytes);
		uint16_t crc = step(step(0xffff, bytes[0], bytes[1]), bytes[2], bytes[3]);

		tap.equal(~crc & 0xffff, want, "CRC");
		tap.equal(step(crc, want, want >> 8), 0x556f, "of a good DLLP");
	}
	tap.end();
	return tap.status();
}
