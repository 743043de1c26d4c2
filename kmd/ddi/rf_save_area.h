/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Save areas: the 256 bytes where the device saves the context of a queue, word i for register i
 * of a slot.
 *
 * Locking: made and ended at level PASSIVE, one at a time; words are guarded as the queue.
 */
#ifndef RF_SAVE_AREA_H
#define RF_SAVE_AREA_H

#include "rf_list.h"
#include "rf_types.h"

struct rf_hw;
struct rf_save_page;

struct rf_save_area {
	struct rf_save_page *page;
	u64 offset;
};

struct rf_save_pages {
	struct rf_list pages; /* by rf_save_page.link */
};

void rf_save_pages_init(struct rf_save_pages *pages);
/* All 0. -ENOMEM. */
int rf_save_area_create(struct rf_hw *hw, struct rf_save_area *area);
void rf_save_area_destroy(struct rf_hw *hw, struct rf_save_area *area);
/* In the system process. */
u64 rf_save_area_address(const struct rf_save_area *area);
/* A word, by RF_CONTEXT(). Any level. */
u64 rf_save_area_read(const struct rf_save_area *area, u64 offset);
void rf_save_area_write(struct rf_save_area *area, u64 offset, u64 value);

#endif /* RF_SAVE_AREA_H */
