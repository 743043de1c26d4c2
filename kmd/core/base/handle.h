/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * 32-bit handles to objects.
 *
 * A handle is {generation[31:20], slot[19:0]}, never 0. Slots are reused in the order in which they
 * became free, each time with the next generation, so a stale handle can match a new one only after
 * 4095 reuses of its slot.
 *
 * Locking: kmd_table.lock, level DEVICE: interrupts name fences by handles.
 */
#ifndef KMD_HANDLE_H
#define KMD_HANDLE_H

#include "rf_os.h"

enum kmd_kind {
	KMD_FREE,
	KMD_FENCE,
	KMD_EVENT,
	KMD_QUEUE,
	KMD_DOORBELL,
	KMD_CONTEXT,
	KMD_MEMORY,
};

struct kmd_slot {
	void *object;
	enum kmd_kind kind;
	u32 generation;
	u32 next_free;
};

/**
 * struct kmd_table - handles of one process, or of one adapter
 * @lock: guards everything below
 * @slots: slot 0 is not used
 * @size: of @slots
 * @first_free: head of the queue of free slots, 0 if it is empty
 * @last_free: its tail
 */
struct kmd_table {
	struct rf_spinlock lock;
	struct kmd_slot *slots;
	u32 size;
	u32 first_free;
	u32 last_free;
};

void kmd_table_init(struct kmd_table *table, struct rf_os *os);
void kmd_table_destroy(struct kmd_table *table);
/*
 * One caller at a time. -ENOMEM, -ENOSPC. PASSIVE. A handle whose @object is NULL is reserved: it
 * is not found before kmd_table_publish().
 */
int kmd_table_insert(struct kmd_table *table, enum kmd_kind kind, void *object, u32 *handle);
void kmd_table_publish(struct kmd_table *table, enum kmd_kind kind, u32 handle, void *object);
/* The object, or NULL for a handle that is stale or of another kind. Any level. */
void *kmd_table_find(struct kmd_table *table, enum kmd_kind kind, u32 handle);
/* The same, and the handle is stale on return. */
void *kmd_table_remove(struct kmd_table *table, enum kmd_kind kind, u32 handle);

#endif /* KMD_HANDLE_H */
