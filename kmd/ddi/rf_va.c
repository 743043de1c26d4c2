// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * GPU virtual addresses. They lie in the lower half of Sv39. The search for room goes on where the
 * last one ended and leaves a page free behind every mapping, so that an access beyond an end, or
 * soon after an unmapping, faults; and spaces begin at different places, so that an address of one
 * is rarely one of another. Memory that is larger than a large page lies in its large page as it
 * does physically, so that the page tables may use one. Smaller memory begins where a ring at its
 * start is in one block.
 */
#include "rf_va.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_page_table.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_VA_PAGE RF_LEAF_BYTES(0)
#define RF_VA_FIRST (1ull << 20)
#define RF_VA_PLACES 16 /* at which spaces begin */
#define RF_VA_STRIDE (RF_VA_END / RF_VA_PLACES)

void rf_va_init(struct rf_va *va, u32 place)
{
	rf_list_init(&va->ranges);
	va->next = RF_VA_FIRST + place % RF_VA_PLACES * RF_VA_STRIDE;
}

/*
 * The first address from @start on that lies in its page of the largest size as @physical does,
 * or from which on @bytes cross as few blocks of a ring as they can.
 */
static u64 rf_va_align(u64 start, u64 physical, u64 bytes)
{
	u32 level = RF_PAGE_TABLE_LEVELS - 1;
	u64 align;

	while (level && bytes < RF_LEAF_BYTES(level))
		level--;
	align = RF_LEAF_BYTES(level);
	if (!level) {
		physical = 0;
		while (align < bytes && align < RF_RING_BLOCK_BYTES)
			align *= 2;
	}
	return start + ((physical - start) & (align - 1));
}

/* Room for @range from @start on: its address, and the range behind it. */
static bool rf_va_find_room(struct rf_va *va, u64 start, u64 physical, struct rf_va_range *range,
			    struct rf_list **behind)
{
	struct rf_va_range *other;

	range->address = rf_va_align(start, physical, range->bytes);
	rf_list_for_each(other, &va->ranges, link) {
		if (other->address >= range->address + range->bytes + RF_VA_PAGE)
			break;
		if (other->address + other->bytes + RF_VA_PAGE > range->address)
			range->address = rf_va_align(other->address + other->bytes + RF_VA_PAGE,
						     physical, range->bytes);
	}
	*behind = &other->link;
	return range->address + range->bytes + RF_VA_PAGE <= RF_VA_END;
}

static bool rf_va_choose(struct rf_va *va, u64 address, u64 physical, struct rf_va_range *range,
			 struct rf_list **behind)
{
	if (address)
		return rf_va_find_room(va, address, address, range, behind) &&
		       range->address == address;
	if (!rf_va_find_room(va, va->next, physical, range, behind) &&
	    !rf_va_find_room(va, RF_VA_FIRST, physical, range, behind))
		return false;
	va->next = range->address + range->bytes + RF_VA_PAGE;
	return true;
}

struct rf_va_range *rf_va_alloc(struct rf_va *va, u64 address, u64 physical, u64 bytes, int *error)
{
	struct rf_va_range *range = rf_alloc(sizeof(*range));
	struct rf_list *behind;

	if (!range) {
		*error = -ENOMEM;
		return NULL;
	}
	range->bytes = bytes;
	if (!rf_va_choose(va, address, physical, range, &behind)) {
		*error = -ENOSPC;
		rf_free(range);
		return NULL;
	}
	rf_list_insert(&range->link, behind);
	return range;
}

void rf_va_free(struct rf_va_range *range)
{
	rf_list_remove(&range->link);
	rf_free(range);
}

struct rf_va_range *rf_va_find(struct rf_va *va, u64 address)
{
	struct rf_va_range *range;

	rf_list_for_each(range, &va->ranges, link)
		if (range->address == address)
			return range;
	return NULL;
}
