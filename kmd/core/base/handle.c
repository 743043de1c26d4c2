// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Handle tables: 32-bit handles with a generation (C8).
 *
 * Locking: table->lock guards the table and is a leaf; it is taken at every level, since interrupts
 * name fences by handle. Growing the table allocates, so kmd_table_insert() is PASSIVE, and its
 * callers are serialised.
 */
#include "base/handle.h"

#include "rf_os.h"

#define SLOT_BITS 20
#define SLOT_MASK ((1u << SLOT_BITS) - 1)
#define GENERATION_MASK ((1u << (32 - SLOT_BITS)) - 1)
#define SLOTS_FIRST 16u

void kmd_table_init(struct kmd_table *table, struct rf_os *os)
{
	rf_spin_init(&table->lock, os);
	table->slots = NULL;
	table->size = 0;
	table->first_free = 0;
	table->last_free = 0;
}

void kmd_table_destroy(struct kmd_table *table)
{
	rf_free(table->slots);
	rf_spin_destroy(&table->lock);
}

static void kmd_table_append_free(struct kmd_table *table, u32 index)
{
	table->slots[index].next_free = 0;
	if (table->first_free)
		table->slots[table->last_free].next_free = index;
	else
		table->first_free = index;
	table->last_free = index;
}

static int kmd_table_grow(struct kmd_table *table)
{
	u32 size = table->size ? 2 * table->size : SLOTS_FIRST;
	struct kmd_slot *slots, *old = table->slots;
	unsigned long flags;
	u32 i;

	if (size > SLOT_MASK + 1)
		return -ENOSPC;
	slots = rf_alloc(size * sizeof(*slots));
	if (!slots)
		return -ENOMEM;

	flags = rf_spin_lock(&table->lock);
	if (old)
		memcpy(slots, old, table->size * sizeof(*slots));
	table->slots = slots;
	for (i = table->size ? table->size : 1; i < size; i++)
		kmd_table_append_free(table, i);
	table->size = size;
	rf_spin_unlock(&table->lock, flags);

	rf_free(old);
	return 0;
}

int kmd_table_insert(struct kmd_table *table, enum kmd_kind kind, void *object, u32 *handle)
{
	struct kmd_slot *slot;
	unsigned long flags;
	u32 index;
	int ret;

	flags = rf_spin_lock(&table->lock);
	if (!table->first_free) {
		rf_spin_unlock(&table->lock, flags);
		ret = kmd_table_grow(table);
		if (ret)
			return ret;
		flags = rf_spin_lock(&table->lock);
	}
	index = table->first_free;
	slot = &table->slots[index];
	table->first_free = slot->next_free;
	slot->object = object;
	slot->kind = kind;
	*handle = slot->generation << SLOT_BITS | index;
	rf_spin_unlock(&table->lock, flags);
	return 0;
}

static struct kmd_slot *kmd_table_find_slot(struct kmd_table *table, enum kmd_kind kind, u32 handle)
{
	u32 index = handle & SLOT_MASK;
	struct kmd_slot *slot;

	if (!index || index >= table->size)
		return NULL;
	slot = &table->slots[rf_index_nospec(index, table->size)];
	if (slot->kind != kind || slot->generation != handle >> SLOT_BITS)
		return NULL;
	return slot;
}

void kmd_table_publish(struct kmd_table *table, enum kmd_kind kind, u32 handle, void *object)
{
	unsigned long flags = rf_spin_lock(&table->lock);

	kmd_table_find_slot(table, kind, handle)->object = object;
	rf_spin_unlock(&table->lock, flags);
}

void *kmd_table_find(struct kmd_table *table, enum kmd_kind kind, u32 handle)
{
	unsigned long flags = rf_spin_lock(&table->lock);
	struct kmd_slot *slot = kmd_table_find_slot(table, kind, handle);
	void *object = slot ? slot->object : NULL;

	rf_spin_unlock(&table->lock, flags);
	return object;
}

void *kmd_table_remove(struct kmd_table *table, enum kmd_kind kind, u32 handle)
{
	unsigned long flags = rf_spin_lock(&table->lock);
	struct kmd_slot *slot = kmd_table_find_slot(table, kind, handle);
	void *object = NULL;

	if (slot) {
		object = slot->object;
		slot->object = NULL;
		slot->kind = KMD_FREE;
		slot->generation = (slot->generation + 1) & GENERATION_MASK;
		kmd_table_append_free(table, handle & SLOT_MASK);
	}
	rf_spin_unlock(&table->lock, flags);
	return object;
}
