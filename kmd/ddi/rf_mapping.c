// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Memory in address spaces. What is unmapped is given back after the invalidation of its
 * translation, or goes into quarantine if that does not end.
 */
#include "rf_mapping.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_invalidation.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_page_table.h"
#include "rf_quarantine.h"
#include "rf_space.h"
#include "rf_types.h"
#include "rf_va.h"
#include "ringfence_hw.h"

#define RF_PAGE_BYTES RF_LEAF_BYTES(0)

/*
 * On return no access through what was mapped in [address, address + bytes) is possible, or
 * (-EIO) that is not known: a space without a VMID may have had one whose invalidation failed.
 */
static int rf_space_invalidate(struct rf_hw *hw, const struct rf_address_space *space, u64 address,
			       u64 bytes)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	int error = rf_invalidation_await(hw, RF_INVALIDATIONS_ALL, &flags);
	u64 vmids = rf_space_vmids(hw, space), number;

	if (!error && vmids) {
		number = rf_invalidation_begin(hw, vmids, address, address + bytes - 1);
		error = rf_invalidation_await(hw, number, &flags);
	}
	rf_spin_unlock(&hw->lock, flags);
	return error;
}

static int rf_range_unmap(struct rf_hw *hw, struct rf_address_space *space,
			  struct rf_va_range *range, struct rf_mem *mem)
{
	struct rf_list empty;
	int error;

	rf_list_init(&empty);
	rf_page_table_unmap(hw->bus, space->root, range->address, range->bytes, &empty);
	error = rf_space_invalidate(hw, space, range->address, range->bytes);
	if (error) {
		rf_quarantine_tables(hw, &empty);
		rf_quarantine_mem(hw, mem);
	} else {
		rf_page_tables_free(&empty);
	}
	rf_va_free(range);
	return error;
}

/* Bytes from @offset on that lie behind one another on the bus. */
static u64 rf_mem_contiguous(const struct rf_mem *mem, u64 offset)
{
	u64 end = offset + RF_PAGE_BYTES;

	if (!mem->pages)
		return mem->bytes - offset;
	while (end < mem->bytes && mem->pages[end >> RF_PAGE_SHIFT] ==
					   mem->pages[(end - 1) >> RF_PAGE_SHIFT] + RF_PAGE_BYTES)
		end += RF_PAGE_BYTES;
	return end - offset;
}

static int rf_mem_map(struct rf_hw *hw, struct rf_address_space *space, u64 address,
		      const struct rf_mem *mem, bool writable)
{
	u64 offset, bytes;
	int error;

	for (offset = 0; offset < mem->bytes; offset += bytes) {
		u64 physical = rf_mem_physical(mem, offset);

		bytes = rf_mem_contiguous(mem, offset);
		if (mem->kind == RF_MEM_SYSTEM && physical + bytes > RF_PHYSICAL_LOCAL) {
			rf_log_error(hw->bus->os, "bus address 0x%llx has more than 55 bits",
				     (unsigned long long)physical);
			return -EINVAL;
		}
		error = rf_page_table_map(hw->bus, space->root, address + offset, physical, bytes,
					  writable);
		if (error)
			return error;
	}
	return 0;
}

int rf_map_gpu_virtual_address(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	struct rf_hw *hw = h_adapter;
	struct rf_address_space *space = rf_process_space(hw, arguments->h_process);
	const struct rf_mem *mem = arguments->mem;
	struct rf_va_range *range;
	int error;

	if (mem->kind == RF_MEM_HOST || mem->bytes > RF_VA_END)
		return -EINVAL;
	range = rf_va_alloc(&space->va, arguments->gpu_virtual_address, rf_mem_physical(mem, 0),
			    mem->bytes, &error);
	if (!range)
		return error;
	error = rf_mem_map(hw, space, range->address, mem, !(arguments->flags & RF_MAP_READ_ONLY));
	if (error) {
		rf_range_unmap(hw, space, range, arguments->mem);
		return error;
	}
	arguments->gpu_virtual_address = range->address;
	return 0;
}

/* The tables are there already, so that nothing but the address can be wrong. */
int rf_replace_gpu_page(void *h_adapter, const struct rf_replace_gpu_page *arguments)
{
	struct rf_hw *hw = h_adapter;
	struct rf_address_space *space = rf_process_space(hw, arguments->h_process);
	int error;

	if (arguments->mem->bytes != RF_PAGE_BYTES)
		return -EINVAL;
	error = rf_mem_map(hw, space, arguments->gpu_virtual_address, arguments->mem,
			   !(arguments->flags & RF_MAP_READ_ONLY));
	if (error)
		return error;
	error = rf_space_invalidate(hw, space, arguments->gpu_virtual_address, RF_PAGE_BYTES);
	if (error) /* on this error the core puts the old page back */
		rf_quarantine_mem(hw, arguments->mem);
	return error;
}

int rf_unmap_gpu_virtual_address(void *h_adapter,
				 const struct rf_unmap_gpu_virtual_address *arguments)
{
	struct rf_hw *hw = h_adapter;
	struct rf_address_space *space = rf_process_space(hw, arguments->h_process);
	struct rf_va_range *range = rf_va_find(&space->va, arguments->gpu_virtual_address);

	return range ? rf_range_unmap(hw, space, range, arguments->mem) : 0;
}

/* --- buffers of the driver ---------------------------------------------------------------- */

int rf_buffer_map(struct rf_hw *hw, struct rf_address_space *space, struct rf_mem *mem, u32 flags,
		  struct rf_buffer *buffer)
{
	struct rf_map_gpu_virtual_address map = {
		.h_process = space,
		.mem = mem,
		.flags = flags,
	};
	int error = rf_map_gpu_virtual_address(hw, &map);

	if (error) {
		rf_mem_put(mem);
		buffer->mem = NULL;
		return error;
	}
	buffer->mem = mem;
	buffer->address = map.gpu_virtual_address;
	return 0;
}

int rf_buffer_create(struct rf_hw *hw, struct rf_address_space *space, enum rf_mem_kind kind,
		     u64 bytes, u32 flags, struct rf_buffer *buffer)
{
	struct rf_mem *mem;
	int error = rf_mem_create(hw->bus, kind, bytes, &mem);

	return error ? error : rf_buffer_map(hw, space, mem, flags, buffer);
}

void rf_buffer_destroy(struct rf_hw *hw, struct rf_address_space *space, struct rf_buffer *buffer)
{
	rf_unmap_gpu_virtual_address(hw, &(struct rf_unmap_gpu_virtual_address){
						 .h_process = space,
						 .mem = buffer->mem,
						 .gpu_virtual_address = buffer->address,
					 });
	rf_mem_put(buffer->mem);
}
