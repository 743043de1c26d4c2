// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The context of a queue: 32 words, which are a slot's registers while the queue is
 * resident, and else lie in its save area, word i for register i. What the driver reads
 * or writes of a queue is the same in both places; only commands (SLOT_CONTROL,
 * LOG_SWITCH) need a slot.
 *
 * Save areas are 256 bytes in the system process, 16 to a page, in local memory as long
 * as there is room, where a preemption is quickest. Making and freeing is PASSIVE.
 */
#include "rf_miniport.h"

#define RF_CONTEXTS_PER_PAGE ((1u << RF_PAGE_SHIFT) / RF_CONTEXT_BYTES)

static_assert(RF_CONTEXT_BYTES == RF_SLOT_INDEXED_STRIDE, "a context is a slot's registers");

struct rf_save_page {
	struct rf_list link; /* in rf_miniport.save_pages */
	struct rf_mem *mem;
	u64 address; /* system process */
	u32 used; /* bit i: area i */
};

static int rf_save_memory(struct rf_miniport *miniport, struct rf_mem **mem)
{
	const u64 bytes = 1u << RF_PAGE_SHIFT;

	if (!rf_mem_create(miniport->bus, RF_MEM_LOCAL, bytes, mem))
		return 0;
	return rf_mem_create(miniport->bus, RF_MEM_SYSTEM, bytes, mem);
}

static struct rf_save_page *rf_save_page_create(struct rf_miniport *miniport)
{
	struct rf_map_gpu_virtual_address map = { 0 };
	struct rf_save_page *page = rf_alloc(sizeof(*page));

	if (!page)
		return NULL;
	if (rf_save_memory(miniport, &page->mem))
		goto free_page;
	map.mem = page->mem;
	if (rf_map_gpu_virtual_address(miniport, &map))
		goto put_mem;
	page->address = map.gpu_virtual_address;
	rf_list_insert(&page->link, &miniport->save_pages);
	return page;

put_mem:
	rf_mem_put(page->mem);
free_page:
	rf_free(page);
	return NULL;
}

int rf_save_area_create(struct rf_miniport *miniport, struct rf_save_area *area)
{
	struct rf_save_page *page = NULL, *other;
	u32 i;

	rf_list_for_each(other, &miniport->save_pages, link)
		if (other->used != (1u << RF_CONTEXTS_PER_PAGE) - 1)
			page = other;
	if (!page)
		page = rf_save_page_create(miniport);
	if (!page)
		return -ENOMEM;
	for (i = 0; page->used & (1u << i); i++)
		;
	page->used |= 1u << i;
	area->page = page;
	area->offset = i * RF_CONTEXT_BYTES;
	for (i = 0; i < RF_CONTEXT_BYTES; i += sizeof(u64))
		rf_mem_write64(page->mem, area->offset + i, 0);
	return 0;
}

void rf_save_area_destroy(struct rf_miniport *miniport, struct rf_save_area *area)
{
	struct rf_save_page *page = area->page;

	page->used &= ~(1u << area->offset / RF_CONTEXT_BYTES);
	if (page->used)
		return;
	rf_unmap_gpu_virtual_address(miniport, &(struct rf_unmap_gpu_virtual_address){
						       .mem = page->mem,
						       .gpu_virtual_address = page->address,
					       });
	rf_list_remove(&page->link);
	rf_mem_put(page->mem);
	rf_free(page);
}

u64 rf_save_area_address(const struct rf_save_area *area)
{
	return area->page->address + area->offset;
}

u64 rf_saved_read(const struct rf_hw_queue *queue, u64 offset)
{
	return rf_private_read64(queue->save.page->mem, queue->save.offset + offset);
}

void rf_saved_write(struct rf_hw_queue *queue, u64 offset, u64 value)
{
	rf_mem_write64(queue->save.page->mem, queue->save.offset + offset, value);
}

void rf_saved_resume(struct rf_hw_queue *queue)
{
	rf_saved_write(queue, RF_CONTEXT(FLAGS),
		       rf_saved_read(queue, RF_CONTEXT(FLAGS)) & ~RF_SLOT_FLAGS_STOPPED_MASK);
}

bool rf_queue_in_slot(const struct rf_hw_queue *queue)
{
	return queue->residence == RF_QUEUE_RESIDENT && !queue->loading;
}

u64 rf_context_read(struct rf_miniport *miniport, struct rf_hw_queue *queue, u64 offset)
{
	if (rf_queue_in_slot(queue))
		return rf_register_read(miniport, RF_SLOT_REGISTER(miniport, queue, offset));
	return rf_saved_read(queue, offset);
}
