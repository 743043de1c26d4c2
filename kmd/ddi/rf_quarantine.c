// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Quarantine. After an invalidation that did not end it is not known which translations the device
 * still uses. From then on every unmapping adds what it unmaps, and its page tables, without
 * starting another invalidation, until a reset of the function has removed all translations.
 */
#include "rf_quarantine.h"
#include "rf_bus.h"
#include "rf_hw.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_page_table.h"
#include "rf_types.h"

void rf_quarantine_init(struct rf_quarantine *quarantine)
{
	rf_list_init(&quarantine->tables);
}

bool rf_translations_are_stale(const struct rf_hw *hw)
{
	return __atomic_load_n(&hw->quarantine->stale, __ATOMIC_ACQUIRE);
}

void rf_translations_set_stale(struct rf_hw *hw)
{
	__atomic_store_n(&hw->quarantine->stale, true, __ATOMIC_RELEASE);
	rf_hw_set_lost(hw, "an invalidation does not end");
}

void rf_quarantine_mem(struct rf_hw *hw, struct rf_mem *mem)
{
	if (mem->is_quarantined)
		return; /* it was mapped more than once */
	rf_mem_get(mem);
	mem->is_quarantined = true;
	mem->next_quarantined = hw->quarantine->mems;
	hw->quarantine->mems = mem;
}

void rf_quarantine_tables(struct rf_hw *hw, struct rf_list *tables)
{
	while (!rf_list_empty(tables)) {
		struct rf_list *first = tables->next;

		rf_list_remove(first);
		rf_list_insert(first, &hw->quarantine->tables);
	}
}

void rf_quarantine_root(struct rf_hw *hw, struct rf_page_table *root)
{
	rf_list_insert(rf_page_table_link(root), &hw->quarantine->tables);
}

/* Drop the references; that of host memory only if @all. */
static void rf_quarantine_put_mems(struct rf_hw *hw, bool all)
{
	struct rf_mem *mem;

	while ((mem = hw->quarantine->mems)) {
		hw->quarantine->mems = mem->next_quarantined;
		mem->next_quarantined = NULL;
		mem->is_quarantined = false;
		if (all || mem->kind == RF_MEM_LOCAL)
			rf_mem_put(mem);
	}
}

void rf_quarantine_release(struct rf_hw *hw)
{
	__atomic_store_n(&hw->quarantine->stale, false, __ATOMIC_RELEASE);
	rf_page_tables_free(&hw->quarantine->tables);
	rf_quarantine_put_mems(hw, true);
}

/*
 * If neither stopping the device's accesses nor a reset succeeds, host memory and page tables stay
 * allocated for good: they are lost to the system, and nothing else is. Local memory is not: the
 * device serves no process again before it has invalidated everything.
 */
void rf_quarantine_end(struct rf_hw *hw)
{
	const struct rf_bus_ops *ops = hw->bus->ops;

	if (!rf_translations_are_stale(hw))
		return;
	if ((!ops->stop_access || ops->stop_access(hw->bus)) && ops->reset_function(hw->bus)) {
		rf_log_error(hw->bus->os,
			     "memory that the device may still reach is kept for good");
		rf_quarantine_put_mems(hw, false);
		return;
	}
	rf_quarantine_release(hw);
}
