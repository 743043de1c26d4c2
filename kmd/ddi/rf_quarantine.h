/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Memory and page tables that are unmapped, but that the device may still access, because an
 * invalidation did not end. They are not freed before the function was reset.
 *
 * Locking: PASSIVE, one caller at a time, but for @stale, which is set with rf_hw.lock held or
 * while no other function of the miniport runs.
 */
#ifndef RF_QUARANTINE_H
#define RF_QUARANTINE_H

#include "rf_bus.h"
#include "rf_list.h"
#include "rf_types.h"

struct rf_hw;
struct rf_page_table;

/**
 * struct rf_quarantine - what is not freed
 * @stale: the device may use translations that were removed; atomic
 * @tables: page tables
 * @mems: memory, by rf_mem.next_quarantined
 */
struct rf_quarantine {
	bool stale;
	struct rf_list tables;
	struct rf_mem *mems;
};

void rf_quarantine_init(struct rf_quarantine *quarantine);
/* Any level. */
bool rf_translations_are_stale(const struct rf_hw *hw);
/* An invalidation did not end: from now on everything that is unmapped goes into quarantine, and
 * the device is lost. Any level. */
void rf_translations_set_stale(struct rf_hw *hw);
/* Takes a reference. */
void rf_quarantine_mem(struct rf_hw *hw, struct rf_mem *mem);
void rf_quarantine_tables(struct rf_hw *hw, struct rf_list *tables);
void rf_quarantine_root(struct rf_hw *hw, struct rf_page_table *root);
/* The function was reset, and the device has no translation. */
void rf_quarantine_release(struct rf_hw *hw);
/* The device is not used any more. */
void rf_quarantine_end(struct rf_hw *hw);

#endif /* RF_QUARANTINE_H */
