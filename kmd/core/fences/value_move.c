// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Moving pages of values.
 *
 * MonitoredValues in local memory are moved to make room for memory that can be nowhere else, while
 * engines signal and waits begin and end. From the first step to the last both places are valid:
 *
 *   1. what the device was given is copied, and every update stores in both places
 *   2. the new page replaces the old one in the process and in the system process; then no engine
 *      reads the old one any more
 *   3. updates store only in the new page, and the old one is freed
 *
 * An update stores in the old place first and reads it back: the completion of that read is ordered
 * after the CurrentValue of every signal that read the older MonitoredValue there, so the read of
 * CurrentValue that follows the update finds it (S0-39, S0-40).
 *
 * Locking: the adapter's mutex; steps 1 and 3, and updates, under wait_lock.
 */
#include "fences/value_move.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/gpu_va.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/storage.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* Make @mem the page; from now on updates store in the old one as well. */
static void kmd_value_page_move_begin(struct kmd_adapter *adapter, struct kmd_value_page *page,
				      struct rf_mem *mem)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	struct kmd_opening *opening;

	page->old = page->mem;
	page->mem = mem;
	/* the mutex guards the list; an update between two holds stores in both pages */
	rf_list_for_each(opening, &adapter->fences, link) {
		if (opening->monitored.page == page)
			rf_value_write(kmd_value_address(&opening->monitored),
				       opening->monitored_value);
		flags = kmd_hold_step(adapter->sync_domain, flags);
	}
	rf_wmb();
	kmd_wait_unlock(adapter->sync_domain, flags);
}

static int kmd_value_page_replace_mappings(struct kmd_adapter *adapter,
					   const struct kmd_value_page *page, struct rf_mem *mem)
{
	struct kmd_mapping *mapping;
	struct kmd_file *file;
	int ret = 0;

	rf_list_for_each(file, &adapter->files, link)
		rf_list_for_each(mapping, &file->mappings, link)
			if (!ret && mapping->page == page && mapping->gpu_address)
				ret = kmd_gpu_replace(adapter, file, mem,
						      mapping->access & KMD_ACCESS_GPU_WRITE
							      ? 0
							      : RF_MAP_READ_ONLY,
						      mapping->gpu_address);
	if (!ret && page->system_address)
		ret = kmd_gpu_replace(adapter, NULL, mem, 0, page->system_address);
	return ret;
}

static void kmd_value_page_move_end(struct kmd_adapter *adapter, struct kmd_value_page *page,
				    bool moved)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	struct rf_mem *unused = moved ? page->old : page->mem;

	if (moved)
		adapter->statistics.demotions++;
	else
		page->mem = page->old;
	page->old = NULL;
	kmd_wait_unlock(adapter->sync_domain, flags);
	rf_mem_put(unused);
}

static bool kmd_value_page_demote_one(struct kmd_adapter *adapter, struct kmd_value_page *page)
{
	struct rf_mem *mem;
	bool moved;

	if (rf_mem_create(adapter->bus, RF_MEM_SYSTEM, KMD_PAGE_BYTES, &mem))
		return false;
	kmd_value_page_move_begin(adapter, page, mem);
	moved = !kmd_value_page_replace_mappings(adapter, page, mem);
	if (!moved)
		kmd_value_page_replace_mappings(adapter, page, page->old);
	kmd_value_page_move_end(adapter, page, moved);
	return moved;
}

bool kmd_value_page_demote(struct kmd_adapter *adapter)
{
	struct kmd_value_page *page;
	struct kmd_file *file;

	rf_assert_held(&adapter->mutex);
	rf_list_for_each(file, &adapter->files, link)
		rf_list_for_each(page, &file->pages, link)
			if (page->value == RF_FENCE_STORAGE_MONITORED_VALUE &&
			    page->mem->kind == RF_MEM_LOCAL)
				return kmd_value_page_demote_one(adapter, page);
	return false;
}

void kmd_value_detach(struct kmd_adapter *adapter, const struct kmd_value *value, u64 number)
{
	struct kmd_value_page *page = value->page;
	struct rf_mem *mem;
	unsigned long flags;

	rf_assert_held(&adapter->mutex);
	if (page->engines || rf_mem_create(adapter->bus, RF_MEM_SYSTEM, KMD_PAGE_BYTES, &mem))
		return;
	rf_mem_write64(mem, value->offset, number);
	flags = kmd_wait_lock(adapter->sync_domain);
	page->engines = mem;
	kmd_wait_unlock(adapter->sync_domain, flags);
	if (!kmd_value_page_replace_mappings(adapter, page, mem))
		return;
	kmd_value_page_replace_mappings(adapter, page, page->mem);
	flags = kmd_wait_lock(adapter->sync_domain);
	page->engines = NULL;
	kmd_wait_unlock(adapter->sync_domain, flags);
	rf_mem_put(mem);
}
