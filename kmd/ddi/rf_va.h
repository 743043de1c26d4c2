/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * GPU virtual addresses of one space: which ranges are in use, and where the next one goes. This
 * is independent of page tables and of the device.
 *
 * Locking: PASSIVE, one caller at a time.
 */
#ifndef RF_VA_H
#define RF_VA_H

#include "rf_list.h"
#include "rf_types.h"

#define RF_VA_END (1ull << 38)

/* A range in use. */
struct rf_va_range {
	struct rf_list link; /* in rf_va.ranges, by address */
	u64 address;
	u64 bytes;
};

struct rf_va {
	struct rf_list ranges; /* by address */
	u64 next; /* where the search for room begins */
};

/* @place: number of the space: addresses of two spaces with consecutive ones differ. */
void rf_va_init(struct rf_va *va, u32 place);
/*
 * A new range, or NULL and -ENOMEM or -ENOSPC: at @address or, if that is 0, anywhere that suits
 * memory at @physical. @bytes is not more than RF_VA_END.
 */
struct rf_va_range *rf_va_alloc(struct rf_va *va, u64 address, u64 physical, u64 bytes, int *error);
void rf_va_free(struct rf_va_range *range);
/* The range that begins at @address, or NULL. */
struct rf_va_range *rf_va_find(struct rf_va *va, u64 address);

#endif /* RF_VA_H */
