// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Memory that the device may still reach although nobody has it mapped: that of an
 * invalidation which did not end. Nobody can say then which translations the device goes on
 * using, so that from there on every unmapping keeps what it unmaps, and its page tables,
 * without asking the device again, until a reset of the function has made it forget
 * everything.
 *
 * Locking: PASSIVE functions come one at a time; @stale is set with rf_miniport.lock held,
 * or where nobody else is about.
 */
#include "rf_miniport.h"

bool rf_is_stale(const struct rf_miniport *miniport)
{
	return __atomic_load_n(&miniport->stale, __ATOMIC_ACQUIRE);
}

void rf_set_stale(struct rf_miniport *miniport)
{
	__atomic_store_n(&miniport->stale, true, __ATOMIC_RELEASE);
	rf_device_set_lost(miniport, "an invalidation does not end");
}

void rf_keep_mem(struct rf_miniport *miniport, struct rf_mem *mem)
{
	if (mem->is_kept)
		return; /* it was mapped more than once */
	rf_mem_get(mem);
	mem->is_kept = true;
	mem->next_kept = miniport->kept_mems;
	miniport->kept_mems = mem;
}

void rf_keep_tables(struct rf_miniport *miniport, struct rf_list *tables)
{
	while (!rf_list_empty(tables)) {
		struct rf_list *first = tables->next;

		rf_list_remove(first);
		rf_list_insert(first, &miniport->kept_tables);
	}
}

/* Give back what is kept; of memory of the host only if @all. */
static void rf_give_back(struct rf_miniport *miniport, bool all)
{
	struct rf_mem *mem;

	while ((mem = miniport->kept_mems)) {
		miniport->kept_mems = mem->next_kept;
		mem->next_kept = NULL;
		mem->is_kept = false;
		if (all || mem->kind == RF_MEM_LOCAL)
			rf_mem_put(mem);
	}
}

void rf_forget_kept(struct rf_miniport *miniport)
{
	__atomic_store_n(&miniport->stale, false, __ATOMIC_RELEASE);
	rf_page_tables_free(&miniport->kept_tables);
	rf_give_back(miniport, true);
}

/*
 * The device is left. If nothing can be done to keep it from memory, what is kept of the host's
 * stays so for good: it is lost to the system, and nothing else is. Local memory is not: the
 * device serves nobody again before it has invalidated everything.
 */
void rf_end_kept(struct rf_miniport *miniport)
{
	const struct rf_bus_ops *ops = miniport->bus->ops;

	if (!rf_is_stale(miniport))
		return;
	if ((!ops->stop_access || ops->stop_access(miniport->bus)) &&
	    ops->reset_function(miniport->bus)) {
		rf_log_error(miniport->bus->os,
			     "memory that the device may still reach is kept for good");
		rf_give_back(miniport, false);
		return;
	}
	rf_forget_kept(miniport);
}
