/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of wires of which the cheapest comes first. */
#ifndef HEAP_H
#define HEAP_H

struct queued {
	float cost; /* by which they come */
	float so_far; /* of that, what is known */
	int wire;
};

struct heap {
	struct queued *items;
	int count, room;
};

void push(struct heap *heap, struct queued item);

/* The heap is not empty. */
struct queued pop(struct heap *heap);

#endif
