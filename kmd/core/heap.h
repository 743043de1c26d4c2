/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intrusive heap ordered by a 64-bit value: the CPU waiters of a fence.
 *
 * A fence asks for its least waited value after every change and takes waiters
 * off in order of value; cancelled ones leave from the middle. A sorted list makes
 * adding linear in the number of waiters, which user mode chooses, under a
 * spinlock; a pairing heap adds in constant time and removes in logarithmic
 * amortised time, needs no memory, no recursion and no colours.
 *
 * Each node points to its first child, its next sibling, and back to its previous
 * sibling or, for a first child, its parent.
 */
#ifndef KMD_HEAP_H
#define KMD_HEAP_H

#include "rf_types.h"

struct kmd_heap_node {
	u64 value;
	struct kmd_heap_node *child;
	struct kmd_heap_node *next;
	struct kmd_heap_node *back;
};

struct kmd_heap {
	struct kmd_heap_node *first;
	u32 count;
};

/* Make the larger root the first child of the smaller. Both have no siblings. */
static inline struct kmd_heap_node *kmd_heap_meld(struct kmd_heap_node *a, struct kmd_heap_node *b)
{
	struct kmd_heap_node *swap = a;

	if (!a || !b)
		return a ? a : b;
	if (b->value < a->value) {
		a = b;
		b = swap;
	}
	b->next = a->child;
	if (b->next)
		b->next->back = b;
	b->back = a;
	a->child = b;
	return a;
}

/* Meld the siblings from @list on: pairs from left to right, then all into one. */
static inline struct kmd_heap_node *kmd_heap_meld_siblings(struct kmd_heap_node *list)
{
	struct kmd_heap_node *pairs = NULL;
	struct kmd_heap_node *root = NULL;

	while (list) {
		struct kmd_heap_node *a = list;
		struct kmd_heap_node *b = a->next;

		list = b ? b->next : NULL;
		a->next = NULL;
		a->back = NULL;
		if (b) {
			b->next = NULL;
			b->back = NULL;
		}
		a = kmd_heap_meld(a, b);
		a->next = pairs;
		pairs = a;
	}
	while (pairs) {
		struct kmd_heap_node *rest = pairs->next;

		pairs->next = NULL;
		root = kmd_heap_meld(root, pairs);
		pairs = rest;
	}
	return root;
}

static inline void kmd_heap_insert(struct kmd_heap *heap, struct kmd_heap_node *node, u64 value)
{
	node->value = value;
	node->child = NULL;
	node->next = NULL;
	node->back = NULL;
	heap->first = kmd_heap_meld(heap->first, node);
	heap->count++;
}

static inline void kmd_heap_remove(struct kmd_heap *heap, struct kmd_heap_node *node)
{
	struct kmd_heap_node *children = kmd_heap_meld_siblings(node->child);

	heap->count--;
	node->child = NULL;
	if (!node->back) {
		heap->first = children;
		return;
	}
	if (node->back->child == node)
		node->back->child = node->next;
	else
		node->back->next = node->next;
	if (node->next)
		node->next->back = node->back;
	heap->first = kmd_heap_meld(heap->first, children);
}

#endif /* KMD_HEAP_H */
