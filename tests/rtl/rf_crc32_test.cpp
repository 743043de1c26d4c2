/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published check value of CRC-32, the partner's LCRC, and what a good and a nullified TLP end
 * as: every message of two bytes a step.
 */
// partner: sim/link
#include <vector>

#include "Vrf_crc32.h"
#include "harness.h"

extern "C" {
#include "link/crc.h"
}

namespace {

Vrf_crc32 top;

uint32_t over(const std::vector<uint8_t> &bytes)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < bytes.size(); i += 2) {
		top.crc_i = crc;
		top.data_i = bytes[i] | bytes[i + 1] << 8;
		top.eval();
		crc = top.crc_o;
	}
	return crc;
}

void add(std::vector<uint8_t> &bytes, uint32_t crc)
{
	for (unsigned i = 0; i < 4; i++)
		bytes.push_back(crc >> 8 * i);
}

} // namespace

int main()
{
	rf::Tap tap;
	rf::Random random(rf::seed());

	printf("# seed %" PRIu64 "\n", rf::seed());
	tap.begin("CRC-32 of \"12345678\"");
	tap.equal(~over({ '1', '2', '3', '4', '5', '6', '7', '8' }) & 0xffffffff, 0x9ae0daaf,
		  "CRC");
	tap.end();

	tap.begin("the partner's LCRC, and what it ends as");
	for (unsigned i = 0; i < 1000; i++) {
		std::vector<uint8_t> bytes(2 + 4 * (3 + random.below(20))), nullified;

		for (uint8_t &byte : bytes)
			byte = random.next();
		uint32_t crc = link_lcrc(bytes.data(), bytes.size());

		tap.equal(~over(bytes) & 0xffffffff, crc, "LCRC");
		nullified = bytes;
		add(bytes, crc);
		add(nullified, ~crc);
		tap.equal(over(bytes), 0xdebb20e3, "of a good TLP");
		tap.equal(over(nullified), 0, "of a nullified TLP");
	}
	tap.end();
	return tap.status();
}
