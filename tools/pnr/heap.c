// SPDX-License-Identifier: Apache-2.0
#include "heap.h"
#include "design.h"

#include <stdlib.h>

void push(struct heap *heap, struct queued item)
{
	int at = heap->count++;

	if (heap->count > heap->room) {
		heap->room = heap->room ? 2 * heap->room : 1 << 16;
		heap->items = realloc(heap->items, heap->room * sizeof(*heap->items));
		if (!heap->items)
			fail("no memory for a queue of %d wires", heap->room);
	}
	while (at && heap->items[(at - 1) / 2].cost > item.cost) {
		heap->items[at] = heap->items[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->items[at] = item;
}

struct queued pop(struct heap *heap)
{
	struct queued top = heap->items[0], last = heap->items[--heap->count];
	int at = 0;

	for (;;) {
		int next = 2 * at + 1;

		if (next >= heap->count)
			break;
		if (next + 1 < heap->count && heap->items[next + 1].cost < heap->items[next].cost)
			next++;
		if (heap->items[next].cost >= last.cost)
			break;
		heap->items[at] = heap->items[next];
		at = next;
	}
	heap->items[at] = last;
	return top;
}
