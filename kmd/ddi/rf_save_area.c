// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Save areas are 256 bytes in the system process, 16 to a page, in local memory as long as there
 * is room, where a preemption is quickest.
 */
#include "rf_save_area.h"
#include "rf_bus.h"
#include "rf_hw.h"
#include "rf_list.h"
#include "rf_mapping.h"
#include "rf_os.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_CONTEXTS_PER_PAGE ((1u << RF_PAGE_SHIFT) / RF_CONTEXT_BYTES)

static_assert(RF_CONTEXT_BYTES == RF_SLOT_INDEXED_STRIDE, "a context is a slot's registers");

struct rf_save_page {
	struct rf_list link; /* in rf_save_pages.pages */
	struct rf_buffer buffer;
	u32 used; /* bit i: area i */
};

void rf_save_pages_init(struct rf_save_pages *pages)
{
	rf_list_init(&pages->pages);
}

static int rf_save_mem_create(struct rf_hw *hw, struct rf_mem **mem)
{
	const u64 bytes = 1u << RF_PAGE_SHIFT;

	if (!rf_mem_create(hw->bus, RF_MEM_LOCAL, bytes, mem))
		return 0;
	return rf_mem_create(hw->bus, RF_MEM_SYSTEM, bytes, mem);
}

static struct rf_save_page *rf_save_page_create(struct rf_hw *hw)
{
	struct rf_save_page *page = rf_alloc(sizeof(*page));
	struct rf_mem *mem;

	if (!page)
		return NULL;
	if (rf_save_mem_create(hw, &mem) || rf_buffer_map(hw, NULL, mem, 0, &page->buffer)) {
		rf_free(page);
		return NULL;
	}
	rf_list_insert(&page->link, &hw->save_pages->pages);
	return page;
}

int rf_save_area_create(struct rf_hw *hw, struct rf_save_area *area)
{
	struct rf_save_page *page = NULL, *other;
	u32 i;

	rf_list_for_each(other, &hw->save_pages->pages, link)
		if (other->used != (1u << RF_CONTEXTS_PER_PAGE) - 1)
			page = other;
	if (!page)
		page = rf_save_page_create(hw);
	if (!page)
		return -ENOMEM;
	for (i = 0; page->used & (1u << i); i++)
		;
	page->used |= 1u << i;
	area->page = page;
	area->offset = i * RF_CONTEXT_BYTES;
	for (i = 0; i < RF_CONTEXT_BYTES; i += sizeof(u64))
		rf_save_area_write(area, i, 0);
	return 0;
}

void rf_save_area_destroy(struct rf_hw *hw, struct rf_save_area *area)
{
	struct rf_save_page *page = area->page;

	page->used &= ~(1u << area->offset / RF_CONTEXT_BYTES);
	if (page->used)
		return;
	rf_list_remove(&page->link);
	rf_buffer_destroy(hw, NULL, &page->buffer);
	rf_free(page);
}

u64 rf_save_area_address(const struct rf_save_area *area)
{
	return area->page->buffer.address + area->offset;
}

u64 rf_save_area_read(const struct rf_save_area *area, u64 offset)
{
	return rf_private_read64(area->page->buffer.mem, area->offset + offset);
}

void rf_save_area_write(struct rf_save_area *area, u64 offset, u64 value)
{
	rf_mem_write64(area->page->buffer.mem, area->offset + offset, value);
}
