/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Where a queue's ring is. */
#ifndef RF_RING_H
#define RF_RING_H

#include "rf_ddi.h"
#include "rf_types.h"

/**
 * struct rf_ring - a ring in an address space
 * @address: of its entries
 * @write_pointer_address: of the write-pointer record
 * @write_pointer: the same record, for the CPU
 * @entries: power of two
 */
struct rf_ring {
	u64 address;
	u64 write_pointer_address;
	struct rf_value_address write_pointer;
	u32 entries;
};

/* As the field SLOT.CONFIG.RING_LOG2 has it. */
static inline u32 rf_ring_log2(const struct rf_ring *ring)
{
	u32 entries = ring->entries, log2 = 0;

	while (entries >>= 1)
		log2++;
	return log2;
}

#endif /* RF_RING_H */
