/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sv39 page tables for the unit tests: a reference walk over any memory, and a
 * builder of tables. A physical address has 56 bits, bit 55 means local memory.
 */
#ifndef RF_TEST_PAGE_TABLES_H
#define RF_TEST_PAGE_TABLES_H

#include <cstdint>
#include <functional>

namespace rf {

constexpr uint64_t kLocalBit = 1ull << 55;

/* Bits of an entry */
enum : uint64_t {
	kV = 1 << 0,
	kR = 1 << 1,
	kW = 1 << 2,
	kX = 1 << 3,
	kU = 1 << 4,
	kG = 1 << 5,
	kA = 1 << 6,
	kD = 1 << 7,
	kReadOnly = kV | kR | kA,
	kReadWrite = kV | kR | kW | kA | kD,
};

inline uint64_t entry(uint64_t physical, uint64_t flags)
{
	return physical >> 12 << 10 | flags;
}

inline unsigned table_index(uint64_t va, unsigned level)
{
	return va >> (12 + 9 * level) & 511;
}

struct Translation {
	bool fault;
	unsigned level; /* of a fault */
	uint64_t physical; /* of the byte at va */
	bool operator==(const Translation &other) const
	{
		return fault == other.fault &&
		       (fault ? level == other.level : physical == other.physical);
	}
};

/*
 * The walk of the privileged specification, written from its text: @root is the
 * root register; @read gives the entry at a physical address, false: no such memory.
 */
inline Translation walk(uint64_t root, uint64_t va, bool store, unsigned local_log2,
			const std::function<bool(uint64_t, uint64_t &)> &read)
{
	auto exists = [&](uint64_t physical) {
		return !(physical & kLocalBit) || (physical & ~kLocalBit) >> local_log2 == 0;
	};
	const int64_t extended = static_cast<int64_t>(va << 25) >> 25;
	uint64_t table = root & 0x00fffffffffff000, pte;

	if (static_cast<uint64_t>(extended) != va || !(root & 1) || !exists(table))
		return { true, 3, 0 };
	for (int level = 2; level >= 0; level--) {
		const Translation fault = { true, static_cast<unsigned>(level), 0 };
		const uint64_t offset_mask = (1ull << (12 + 9 * level)) - 1;
		uint64_t base;

		if (!read(table + 8 * table_index(va, level), pte))
			return fault;
		if (!(pte & kV) || (!(pte & kR) && (pte & kW)) || pte >> 54)
			return fault;
		base = pte >> 10 << 12;
		if (!(pte & (kR | kX))) {
			if (!exists(base))
				return fault;
			table = base;
			continue;
		}
		if (!(pte & kR) || !(pte & kA) || (store && !((pte & kW) && (pte & kD))))
			return fault;
		if (base & offset_mask)
			return fault;
		if (!exists((base | (va & offset_mask)) & ~0xfffull))
			return fault;
		return { false, 0, base | (va & offset_mask) };
	}
	return { true, 0, 0 };
}

/*
 * Writes mappings through @write, reads back through @read, takes table pages from
 * @page, which gives zeroed ones.
 */
struct PageTables {
	std::function<uint64_t(uint64_t)> read;
	std::function<void(uint64_t, uint64_t)> write;
	std::function<uint64_t()> page;

	/* Set the entry of @va at @level, with pointers above it where there are none. */
	void set(uint64_t root, uint64_t va, unsigned level, uint64_t value)
	{
		uint64_t table = root;

		for (unsigned l = 2; l > level; l--) {
			uint64_t at = table + 8 * table_index(va, l), pte = read(at);

			if (!(pte & kV)) {
				pte = entry(page(), kV);
				write(at, pte);
			}
			table = pte >> 10 << 12;
		}
		write(table + 8 * table_index(va, level), value);
	}

	void map(uint64_t root, uint64_t va, uint64_t physical, uint64_t bytes,
		 uint64_t flags = kReadWrite)
	{
		for (uint64_t i = 0; i < bytes; i += 4096)
			set(root, va + i, 0, entry(physical + i, flags));
	}
};

} /* namespace rf */

#endif
