// SPDX-License-Identifier: Apache-2.0
/*
 * The mapping of result bits into the fields (tables 3-7 and 3-8) reverses each byte; a register
 * that shifts to the right does so by itself, with the polynomial's bits in reverse order.
 */
#include "crc.h"

#define DLLP_REVERSED 0xd008u /* 100bh */

uint32_t link_lcrc(const uint8_t *bytes, size_t count)
{
	/* Of the sixteen values of four bits; 04c11db7h reversed is edb88320h */
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	uint32_t crc = ~0u;
	size_t i;

	for (i = 0; i < count; i++) {
		crc ^= bytes[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

uint16_t link_dllp_crc(const uint8_t *bytes)
{
	uint16_t crc = 0xffff;
	int i, bit;

	for (i = 0; i < 4; i++) {
		crc ^= bytes[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? DLLP_REVERSED : 0);
	}
	return ~crc;
}
