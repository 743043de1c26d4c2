/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Page tables of one address space.
 *
 * Locking: PASSIVE, one caller at a time.
 */
#ifndef RF_PAGE_TABLE_H
#define RF_PAGE_TABLE_H

#include "rf_bus.h"
#include "rf_list.h"
#include "rf_types.h"
#include "ringfence_hw.h"

struct rf_page_table;

/* Bytes of a leaf of a level: 4 KiB, 2 MiB, 1 GiB. */
#define RF_LEAF_BYTES(level) (1ull << (RF_PAGE_SHIFT + 9 * (level)))
#define RF_PHYSICAL_LOCAL (1ull << 55) /* in a physical address: local memory */

/* Physical address of the page at @offset. */
u64 rf_mem_physical(const struct rf_mem *mem, u64 offset);
/* A root that maps nothing, or NULL. */
struct rf_page_table *rf_page_table_create(struct rf_bus *bus);
/* Nothing is mapped any more, and the device does not use it. */
void rf_page_table_destroy(struct rf_page_table *root);
/* As the register TRANSLATION.ROOT has it. */
u64 rf_page_table_root(const struct rf_page_table *root);
/*
 * Map pages. Pages that are mapped already are replaced; the device may use either translation
 * until it is invalidated. -ENOMEM: a part of them may be mapped.
 */
int rf_page_table_map(struct rf_bus *bus, struct rf_page_table *root, u64 address, u64 physical,
		      u64 bytes, bool writable);
/*
 * Unmap pages, mapped or not. Tables that become empty are added to @empty, to be freed by
 * rf_page_tables_free() after the invalidation. -ENOMEM: a leaf beyond the range could not be
 * split, so that a part of it is still mapped; never if all that one map made is unmapped.
 */
int rf_page_table_unmap(struct rf_bus *bus, struct rf_page_table *root, u64 address, u64 bytes,
			struct rf_list *empty);
void rf_page_tables_free(struct rf_list *tables);
/* The link of a table that is to be added to such a list. */
struct rf_list *rf_page_table_link(struct rf_page_table *root);

#endif /* RF_PAGE_TABLE_H */
