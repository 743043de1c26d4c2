// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Page tables: RISC-V Sv39. The only writer of page-table entries.
 *
 * A table is a page that the device reads and, beside it, a copy of its entries for the driver,
 * so that the page itself is never read. A table exists as long as it has an entry; the root for
 * as long as its owner wants. A new table is complete before an entry points to it. A leaf is as
 * large as addresses and length allow, and is split into a table of smaller ones when a part of it
 * changes; an entry is written by one store, so that the device never reads half of one.
 */
#include "rf_page_table.h"
#include "rf_bus.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_TABLE_ENTRIES 512u
#define RF_TABLE_BYTES RF_LEAF_BYTES(0)
#define RF_LEAF_READ                                                      \
	(RF_PAGE_TABLE_ENTRY_VALID_MASK | RF_PAGE_TABLE_ENTRY_READ_MASK | \
	 RF_PAGE_TABLE_ENTRY_ACCESSED_MASK)
#define RF_LEAF_WRITE (RF_PAGE_TABLE_ENTRY_WRITE_MASK | RF_PAGE_TABLE_ENTRY_DIRTY_MASK)

struct rf_page_table {
	struct rf_list link; /* of tables that are to be freed, or are in quarantine */
	struct rf_mem *mem;
	u32 used; /* entries that are not 0 */
	u64 entry[RF_TABLE_ENTRIES]; /* as in @mem */
	struct rf_page_table *next[]; /* by entry, NULL: a leaf or 0; level 0 has none */
};

u64 rf_mem_physical(const struct rf_mem *mem, u64 offset)
{
	u64 address = mem->pages ? mem->pages[offset >> RF_PAGE_SHIFT] : mem->address + offset;

	return mem->kind == RF_MEM_LOCAL ? RF_PHYSICAL_LOCAL | address : address;
}

static struct rf_page_table *rf_table_create(struct rf_bus *bus, u32 level)
{
	size_t next = level ? RF_TABLE_ENTRIES * sizeof(struct rf_page_table *) : 0;
	struct rf_page_table *table = rf_alloc(sizeof(*table) + next);

	if (!table)
		return NULL;
	rf_list_init(&table->link);
	if (rf_mem_create_private(bus, RF_TABLE_BYTES, &table->mem)) {
		rf_free(table);
		return NULL;
	}
	return table;
}

struct rf_page_table *rf_page_table_create(struct rf_bus *bus)
{
	return rf_table_create(bus, RF_PAGE_TABLE_LEVELS - 1);
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

struct rf_list *rf_page_table_link(struct rf_page_table *root)
{
	return &root->link;
}

u64 rf_page_table_root(const struct rf_page_table *root)
{
	return rf_mem_physical(root->mem, 0) | RF_TRANSLATION_ROOT_VALID_MASK;
}

static u32 rf_table_index(u64 address, u32 level)
{
	return (u32)(address >> (RF_PAGE_SHIFT + 9 * level)) % RF_TABLE_ENTRIES;
}

static u64 rf_table_entry(u64 physical, u64 flags)
{
	return physical >> RF_PAGE_SHIFT << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT | flags;
}

static void rf_table_entry_set(struct rf_page_table *table, u32 index, u64 entry)
{
	table->used += !table->entry[index] && entry;
	table->used -= table->entry[index] && !entry;
	table->entry[index] = entry;
	rf_mem_write64(table->mem, 8 * index, entry);
}

/* Fill a new table of @level with the leaves that make up @leaf of the level above. */
static void rf_leaf_split(struct rf_page_table *table, u32 level, u64 leaf)
{
	u64 pages = RF_LEAF_BYTES(level) >> RF_PAGE_SHIFT << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT;
	u32 i;

	for (i = 0; leaf && i < RF_TABLE_ENTRIES; i++)
		rf_table_entry_set(table, i, leaf + i * pages);
}

/*
 * Pages from @address to @end are what lies from @physical on with the @flags of a
 * leaf, or nothing if they are 0. -ENOMEM: a part of it is done.
 */
static int rf_table_change(struct rf_bus *bus, struct rf_page_table *table, u32 level, u64 address,
			   u64 end, u64 physical, u64 flags, struct rf_list *empty)
{
	u64 span = RF_LEAF_BYTES(level), next;

	for (; address < end; physical += next - address, address = next) {
		u32 index = rf_table_index(address, level);
		struct rf_page_table *below = level ? table->next[index] : NULL;
		int error;

		next = (address | (span - 1)) + 1;
		if (next > end)
			next = end;
		if (!below && !flags && !table->entry[index])
			continue;
		if (!below && next - address == span && (!flags || physical % span == 0)) {
			rf_table_entry_set(table, index,
					   flags ? rf_table_entry(physical, flags) : 0);
			continue;
		}
		if (!below) {
			below = rf_table_create(bus, level - 1);
			if (!below)
				return -ENOMEM;
			rf_leaf_split(below, level - 1, table->entry[index]);
		}
		error = rf_table_change(bus, below, level - 1, address, next, physical, flags,
					empty);
		if (!below->used && !table->next[index]) {
			rf_table_free(below);
		} else if (!below->used) {
			rf_table_entry_set(table, index, 0);
			table->next[index] = NULL;
			rf_list_insert(&below->link, empty);
		} else if (!table->next[index]) {
			rf_wmb();
			rf_table_entry_set(table, index,
					   rf_table_entry(rf_mem_physical(below->mem, 0),
							  RF_PAGE_TABLE_ENTRY_VALID_MASK));
			table->next[index] = below;
		}
		if (error)
			return error;
	}
	return 0;
}

int rf_page_table_unmap(struct rf_bus *bus, struct rf_page_table *root, u64 address, u64 bytes,
			struct rf_list *empty)
{
	int error = rf_table_change(bus, root, RF_PAGE_TABLE_LEVELS - 1, address, address + bytes,
				    0, 0, empty);

	rf_wmb();
	return error;
}

int rf_page_table_map(struct rf_bus *bus, struct rf_page_table *root, u64 address, u64 physical,
		      u64 bytes, bool writable)
{
	u64 flags = RF_LEAF_READ | (writable ? RF_LEAF_WRITE : 0);
	int error = rf_table_change(bus, root, RF_PAGE_TABLE_LEVELS - 1, address, address + bytes,
				    physical, flags, NULL);

	rf_wmb();
	return error;
}
