/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Where GPU virtual addresses are in this process, for miniports that are loaded: one that reads
 * rings and packets (rf_stream.h), or whose device has no page tables. A list of mappings; calls do
 * not overlap.
 */
#ifndef RF_MINIPORT_MEMORY_H
#define RF_MINIPORT_MEMORY_H

#include <stdlib.h>

#include "rf_miniport_module.h"
#include "ringfence_hw.h"

/**
 * struct rf_miniport_mapping - memory at an address range of a process
 * @process: miniport's handle; NULL: the system process
 * @mem: all of it is mapped
 * @address: of the first byte
 * @flags: RF_MAP_*
 */
struct rf_miniport_mapping {
	struct rf_miniport_mapping *next;
	const void *process;
	struct rf_mem *mem;
	u64 address;
	u32 flags;
};

/**
 * struct rf_miniport_memory - all of them
 * @bus: of the device, for its local memory
 * @mappings: the list
 * @blocks: of RF_RING_BLOCK_BYTES, that addresses were given from; address 0 is in none
 *
 * Initially zeroed, but for @bus.
 */
struct rf_miniport_memory {
	struct rf_miniport_bus *bus;
	struct rf_miniport_mapping *mappings;
	u64 blocks;
};

/* Where the pointer to the mapping at @address is; it is NULL if there is none. */
static inline struct rf_miniport_mapping **rf_miniport_mapping_at(struct rf_miniport_memory *memory,
								  const void *process, u64 address)
{
	struct rf_miniport_mapping **link = &memory->mappings;

	while (*link && ((*link)->process != process || address < (*link)->address ||
			 address - (*link)->address >= (*link)->mem->bytes))
		link = &(*link)->next;
	return link;
}

/**
 * rf_miniport_find() - where @address of a process is in this process
 * @store: it must be writable
 * @bytes: [out] how many bytes of the mapping follow there
 *
 * NULL: it is not mapped, or may not be written.
 */
static inline void *rf_miniport_find(struct rf_miniport_memory *memory, const void *process,
				     u64 address, bool store, u64 *bytes)
{
	const struct rf_miniport_mapping *mapping =
		*rf_miniport_mapping_at(memory, process, address);
	u64 base, offset;

	if (!mapping || (store && mapping->flags & RF_MAP_READ_ONLY))
		return NULL;
	offset = address - mapping->address;
	base = mapping->mem->kind == RF_MEM_LOCAL ? (uintptr_t)memory->bus->local : 0;
	*bytes = mapping->mem->bytes - offset;
	return (void *)(uintptr_t)(base + mapping->mem->address + offset);
}

/* The address space of one process. */
struct rf_miniport_space {
	struct rf_miniport_memory *memory;
	const void *process;
};

/* rf_miniport_find() as find() of a struct rf_stream_space. @argument: struct rf_miniport_space */
static inline void *rf_miniport_find_in(void *argument, u64 address, bool store, u64 *bytes)
{
	const struct rf_miniport_space *space = argument;

	return rf_miniport_find(space->memory, space->process, address, store, bytes);
}

/* As map_gpu_virtual_address (rf_ddi.h), which may ask for any address. */
static inline int rf_miniport_map(struct rf_miniport_memory *memory,
				  struct rf_map_gpu_virtual_address *arguments)
{
	struct rf_miniport_mapping *mapping = malloc(sizeof(*mapping));

	if (!mapping)
		return -ENOMEM;
	if (!arguments->gpu_virtual_address) {
		/* a ring of any size is in one block */
		arguments->gpu_virtual_address = ++memory->blocks * RF_RING_BLOCK_BYTES;
		memory->blocks += arguments->mem->bytes / RF_RING_BLOCK_BYTES;
	}
	*mapping = (struct rf_miniport_mapping){ memory->mappings, arguments->h_process,
						 arguments->mem, arguments->gpu_virtual_address,
						 arguments->flags };
	memory->mappings = mapping;
	return 0;
}

/* As replace_gpu_page. */
static inline void rf_miniport_replace(struct rf_miniport_memory *memory,
				       const struct rf_replace_gpu_page *arguments)
{
	struct rf_miniport_mapping *mapping = *rf_miniport_mapping_at(
		memory, arguments->h_process, arguments->gpu_virtual_address);

	mapping->mem = arguments->mem;
	mapping->flags = arguments->flags;
}

/* As unmap_gpu_virtual_address. */
static inline void rf_miniport_unmap(struct rf_miniport_memory *memory,
				     const struct rf_unmap_gpu_virtual_address *arguments)
{
	struct rf_miniport_mapping **link = rf_miniport_mapping_at(memory, arguments->h_process,
								   arguments->gpu_virtual_address);
	struct rf_miniport_mapping *mapping = *link;

	*link = mapping->next;
	free(mapping);
}

#endif /* RF_MINIPORT_MEMORY_H */
