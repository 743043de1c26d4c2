/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of Verilated ports; those wider than 64 bits are arrays of 32-bit words.
 */
#ifndef RF_TEST_BITS_H
#define RF_TEST_BITS_H

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "../../kmd/include/ringfence_hw.h"

namespace rf {

/* {vmid, va[63:12]} as the translation looks it up: rf_bus_pkg::virtual_page. */
inline uint32_t virtual_page(uint64_t request)
{
	const uint64_t page = request & ((1ull << 52) - 1);
	const bool sign = page >> 26 & 1, canonical = page >> 27 == (sign ? (1u << 25) - 1 : 0);

	return request >> 52 << 28 | (sign == canonical) << 27 | (page & ((1u << 27) - 1));
}

/* Bits of a port, wide or not. */
inline uint64_t bits(uint64_t port, unsigned lsb, unsigned width)
{
	return port >> lsb & (width < 64 ? (1ull << width) - 1 : ~0ull);
}
template <class Wide, class = std::enable_if_t<!std::is_integral<Wide>::value>>
uint64_t bits(const Wide &wide, unsigned lsb, unsigned width)
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

/* What stands on the bus without an access; a block may make nothing of it. */
template <class Wide>
void put_no_access(Wide &port, bool write, uint64_t address, uint64_t data, uint64_t strobe = 0xff)
{
	put_register(port, write, address, data, strobe);
	put(port, 87, 1, 0);
}
template <class Wide> bool is_access(const Wide &port)
{
	return bits(port, 87, 1);
}
template <class Wide> bool is_read(const Wide &port)
{
	return is_access(port) && !bits(port, 86, 1);
}

/* rf_bus_pkg::slot_event_t, and slot_result_t with its failure_t in bits 74:0. */
inline unsigned slot_event(bool valid, unsigned slot)
{
	return valid << 4 | slot;
}
template <class Wide> bool result_valid(const Wide &port)
{
	return bits(port, 79, 1);
}
template <class Wide> unsigned result_slot(const Wide &port)
{
	return bits(port, 75, 4);
}
template <class Wide> void put_result(Wide &port, bool valid, unsigned slot = 0)
{
	put(port, 79, 1, valid);
	put(port, 75, 4, slot);
}

/* The same for a block that gets accesses to slot registers decoded. */
template <class Top> void put_slot_register(Top &top, bool write, uint64_t address, uint64_t data,
					    uint64_t strobe = 0xff)
{
	uint64_t slot = (address - RF_SLOT_INDEXED_BASE) / RF_SLOT_INDEXED_STRIDE;
	bool hit = slot < RF_SLOT_INDEXED_COUNT;

	put_register(top.register_i, write, address, data, strobe);
	top.slot_access_i = (hit && !write) << 5 | (hit && write) << 4 | (slot & 15);
}

} /* namespace rf */

#endif
