/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of Verilated ports wider than 64 bits, which are arrays of 32-bit words.
 */
#ifndef RF_TEST_BITS_H
#define RF_TEST_BITS_H

#include <algorithm>
#include <cstdint>

#include "../../kmd/include/ringfence_hw.h"

namespace rf {

/* Bits of a wide port. */
template <class Wide> uint64_t bits(const Wide &wide, unsigned lsb, unsigned width)
{
	uint64_t value = 0;

	for (unsigned done = 0; done < width;) {
		unsigned at = (lsb + done) % 32, part = std::min(32 - at, width - done);

		value |= ((uint64_t)wide[(lsb + done) / 32] >> at & ((1ull << part) - 1)) << done;
		done += part;
	}
	return value;
}
template <class Wide> void put(Wide &wide, unsigned lsb, unsigned width, uint64_t value)
{
	for (unsigned done = 0; done < width;) {
		unsigned at = (lsb + done) % 32, part = std::min(32 - at, width - done);
		uint32_t mask = (uint32_t)((1ull << part) - 1) << at;

		wide[(lsb + done) / 32] &= ~mask;
		wide[(lsb + done) / 32] |= (uint32_t)(value >> done << at) & mask;
		done += part;
	}
}

template <class Wide>
void put_register(Wide &port, bool write, uint64_t address, uint64_t data, uint64_t strobe = 0xff)
{
	put(port, 87, 1, 1);
	put(port, 86, 1, write);
	put(port, 72, 14, address >> 3);
	put(port, 8, 64, data);
	put(port, 0, 8, strobe);
}

/* Early in the cycle, to who hears of an access then */
template <class Top> auto tell_soon(Top &top, int) -> decltype(top.slot_soon_i, void())
{
	top.slot_soon_i = top.slot_read_i || top.slot_write_i;
}
template <class Top> void tell_soon(Top &, long) {}

/* The same for a block that gets accesses to slot registers decoded. */
template <class Top> void put_slot_register(Top &top, bool write, uint64_t address, uint64_t data,
					    uint64_t strobe = 0xff)
{
	uint64_t slot = (address - RF_SLOT_INDEXED_BASE) / RF_SLOT_INDEXED_STRIDE;
	bool hit = slot < RF_SLOT_INDEXED_COUNT;

	put_register(top.register_i, write, address, data, strobe);
	top.slot_read_i = hit && !write;
	top.slot_write_i = hit && write;
	top.slot_i = slot & 15;
	tell_soon(top, 0);
}

} /* namespace rf */

#endif
