/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intrusive heap ordered by a 64-bit value: the CPU waiters of a fence.
 *
 * After every change a fence needs its least waited value; waiters are removed in order of value,
 * and cancelled ones from the middle. User mode chooses how many there are, and each step is taken
 * under a spinlock: so each single step must be logarithmic in their number, which it is not in a
 * sorted list or in a heap with an amortised bound. A leftist heap has this bound, and needs
 * neither memory nor recursion.
 *
 * The rank of a node is the length of its right spine. No right child has a greater rank than the
 * left one, so a node of rank r has at least 2^r - 1 nodes below it, and a spine is short. Melding
 * walks two right spines. Removing a node melds its children, and walks up as long as ranks change:
 * each that changes is greater than the one before.
 */
#ifndef KMD_HEAP_H
#define KMD_HEAP_H

#include "rf_types.h"

struct kmd_heap_node {
	u64 value;
	struct kmd_heap_node *left;
	struct kmd_heap_node *right;
	struct kmd_heap_node *parent;
	u32 rank;
};

struct kmd_heap {
	struct kmd_heap_node *first;
	u32 count;
};

static inline u32 kmd_heap_rank(const struct kmd_heap_node *node)
{
	return node ? node->rank : 0;
}

/*
 * Recompute the rank, and put the child of greater rank on the left. Returns whether the rank
 * changed.
 */
static inline bool kmd_heap_mend(struct kmd_heap_node *node)
{
	struct kmd_heap_node *left = node->left;
	u32 before = node->rank;

	if (kmd_heap_rank(left) < kmd_heap_rank(node->right)) {
		node->left = node->right;
		node->right = left;
	}
	node->rank = kmd_heap_rank(node->right) + 1;
	return node->rank != before;
}

/* Meld two heaps into one; its root has no parent. */
static inline struct kmd_heap_node *kmd_heap_meld(struct kmd_heap_node *a, struct kmd_heap_node *b)
{
	struct kmd_heap_node *root = NULL, *last = NULL, *smaller;
	struct kmd_heap_node **place = &root;

	while (a && b) {
		smaller = b->value < a->value ? b : a;
		if (smaller == b)
			b = a;
		a = smaller->right;
		smaller->parent = last;
		*place = smaller;
		place = &smaller->right;
		last = smaller;
	}
	*place = a ? a : b;
	if (*place)
		(*place)->parent = last;
	for (; last; last = last->parent)
		kmd_heap_mend(last);
	return root;
}

static inline void kmd_heap_insert(struct kmd_heap *heap, struct kmd_heap_node *node, u64 value)
{
	*node = (struct kmd_heap_node){ .value = value, .rank = 1 };
	heap->first = kmd_heap_meld(heap->first, node);
	heap->count++;
}

static inline void kmd_heap_remove(struct kmd_heap *heap, struct kmd_heap_node *node)
{
	struct kmd_heap_node *children = kmd_heap_meld(node->left, node->right);
	struct kmd_heap_node *parent = node->parent;

	heap->count--;
	if (children)
		children->parent = parent;
	if (!parent) {
		heap->first = children;
		return;
	}
	if (parent->left == node)
		parent->left = children;
	else
		parent->right = children;
	while (parent && kmd_heap_mend(parent))
		parent = parent->parent;
}

#endif /* KMD_HEAP_H */
