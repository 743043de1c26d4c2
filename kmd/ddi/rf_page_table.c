// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Page tables: RISC-V Sv39, leaves of 4 KiB. The only writer of page-table entries.
 *
 * A table is a page that the device reads and, beside it, what the entries of an upper
 * one point at, so that the tables themselves need never be read. A table exists as
 * long as it has an entry; the root for as long as its owner wants. PASSIVE, one
 * caller at a time.
 */
#include "rf_miniport.h"

#define RF_TABLE_ENTRIES 512u
#define RF_PAGE_BYTES (1ull << RF_PAGE_SHIFT)
#define RF_LEAF_READ                                                      \
	(RF_PAGE_TABLE_ENTRY_VALID_MASK | RF_PAGE_TABLE_ENTRY_READ_MASK | \
	 RF_PAGE_TABLE_ENTRY_ACCESSED_MASK)
#define RF_LEAF_WRITE (RF_PAGE_TABLE_ENTRY_WRITE_MASK | RF_PAGE_TABLE_ENTRY_DIRTY_MASK)

struct rf_page_table {
	struct rf_list link; /* of tables that are to be freed */
	struct rf_mem *mem;
	u32 used; /* entries that are not 0 */
	struct rf_page_table *next[]; /* by entry; the last level has none */
};

u64 rf_mem_physical(const struct rf_mem *mem)
{
	return mem->kind == RF_MEM_LOCAL ? RF_PHYSICAL_LOCAL | mem->address : mem->address;
}

static struct rf_page_table *rf_table_create(struct rf_miniport *miniport, u32 level)
{
	size_t next = level ? RF_TABLE_ENTRIES * sizeof(struct rf_page_table *) : 0;
	struct rf_page_table *table = rf_alloc(sizeof(*table) + next);

	if (!table)
		return NULL;
	rf_list_init(&table->link);
	if (rf_device_memory(miniport, RF_PAGE_BYTES, &table->mem)) {
		rf_free(table);
		return NULL;
	}
	return table;
}

struct rf_page_table *rf_page_table_create(struct rf_miniport *miniport)
{
	return rf_table_create(miniport, RF_PAGE_TABLE_LEVELS - 1);
}

static void rf_table_free(struct rf_page_table *table)
{
	rf_mem_put(table->mem);
	rf_free(table);
}

void rf_page_table_destroy(struct rf_page_table *root)
{
	rf_table_free(root);
}

void rf_page_tables_free(struct rf_list *tables)
{
	struct rf_page_table *table, *following;

	rf_list_for_each_safe(table, following, tables, link) {
		rf_list_remove(&table->link);
		rf_table_free(table);
	}
}

u64 rf_page_table_root(const struct rf_page_table *root)
{
	return rf_mem_physical(root->mem) | RF_TRANSLATION_ROOT_VALID_MASK;
}

static u32 rf_table_index(u64 address, u32 level)
{
	return (u32)(address >> (RF_PAGE_SHIFT + 9 * level)) % RF_TABLE_ENTRIES;
}

static void rf_entry_set(struct rf_page_table *table, u32 index, u64 physical, u64 flags)
{
	u64 page = physical >> RF_PAGE_SHIFT << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT;

	rf_mem_write64(table->mem, 8 * index, page | flags);
	table->used++;
}

static void rf_entry_clear(struct rf_page_table *table, u32 index)
{
	rf_mem_write64(table->mem, 8 * index, 0);
	table->used--;
}

static int rf_page_map(struct rf_miniport *miniport, struct rf_page_table *table, u64 address,
		       u64 physical, u64 flags)
{
	u32 level, index;

	for (level = RF_PAGE_TABLE_LEVELS - 1; level > 0; level--) {
		index = rf_table_index(address, level);
		if (!table->next[index]) {
			table->next[index] = rf_table_create(miniport, level - 1);
			if (!table->next[index])
				return -ENOMEM;
			/* Its page is zero before it can be found. */
			rf_wmb();
			rf_entry_set(table, index, rf_mem_physical(table->next[index]->mem),
				     RF_PAGE_TABLE_ENTRY_VALID_MASK);
		}
		table = table->next[index];
	}
	rf_entry_set(table, rf_table_index(address, 0), physical, flags);
	return 0;
}

/* Also of a page whose tables were made, but not its entry. */
static void rf_page_unmap(struct rf_page_table *table, u64 address, struct rf_list *empty)
{
	struct rf_page_table *path[RF_PAGE_TABLE_LEVELS] = { NULL };
	u32 level;

	for (level = RF_PAGE_TABLE_LEVELS - 1; level > 0; level--) {
		path[level] = table;
		table = table->next[rf_table_index(address, level)];
		if (!table)
			break;
	}
	if (table) {
		path[0] = table;
		if (rf_mem_read64(table->mem, 8 * rf_table_index(address, 0)))
			rf_entry_clear(table, rf_table_index(address, 0));
	}
	for (level = 0; level < RF_PAGE_TABLE_LEVELS - 1; level++) {
		u32 index = rf_table_index(address, level + 1);

		if (!path[level] || path[level]->used)
			continue;
		rf_entry_clear(path[level + 1], index);
		path[level + 1]->next[index] = NULL;
		rf_list_insert(&path[level]->link, empty);
	}
}

void rf_page_table_unmap(struct rf_page_table *root, u64 address, u64 bytes, struct rf_list *empty)
{
	u64 offset;

	for (offset = 0; offset < bytes; offset += RF_PAGE_BYTES)
		rf_page_unmap(root, address + offset, empty);
	rf_wmb();
}

int rf_page_table_map(struct rf_miniport *miniport, struct rf_page_table *root, u64 address,
		      u64 physical, u64 bytes, bool writable)
{
	u64 flags = RF_LEAF_READ | (writable ? RF_LEAF_WRITE : 0);
	u64 offset;
	int error;

	for (offset = 0; offset < bytes; offset += RF_PAGE_BYTES) {
		error = rf_page_map(miniport, root, address + offset, physical + offset, flags);
		if (error)
			return error;
	}
	rf_wmb();
	return 0;
}
