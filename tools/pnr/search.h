/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The routes of nets as trees of wires, and the search for the way to one more sink.
 *
 * Nets may share wires at first; what that costs grows until none does (route.c). Times in ps.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "fabric.h"
#include "heap.h"
#include "reach.h"

#include <stdbool.h>

enum { NONE = -1, TAKEN = UINT8_MAX };

struct node { /* a wire; what a search touches of it stands together */
	float cost; /* of the way to it, if it is of this search */
	int search;
	int open; /* of a leaf: the last search that may enter it */
	int from, pip; /* by which that way comes */
	int branch; /* of the tree that grows, or NONE */
	float history; /* of sharing */
	uint8_t nets; /* on it, or TAKEN: by what is not routed here */
	uint8_t x, y;
	uint8_t kind : 7, leaf : 1; /* leaf: leads to inputs of cells only, or to clocks */
};

struct branch { /* a wire of a net's tree */
	int wire;
	int driver, pip; /* wire and pip that lead to it, or NONE: this is the net's driver */
	int load; /* pips that it drives */
	float arrival;
	bool kept;
};

struct tree {
	struct branch *branches; /* each behind its driver */
	int count, room;
};

struct space {
	struct fabric fabric;
	struct reach reach;
	struct node *nodes;
	struct heap heap;
	int search; /* number of the last one */
	float present; /* what each other net on a wire costs */
};

void read_space(struct space *space, const char *database, int speed);

/* What is left to every sink; takes seconds. Before the first search. */
void measure_space(struct space *space);

void copy_tree(struct tree *to, const struct tree *from);

/* A tree with its driver only */
void plant(struct space *space, struct tree *tree, int driver);

/*
 * While a tree grows its wires know their branches. Begins that, and takes out all that shares
 * a wire, or that no sink needs; of sinks those with again are not counted.
 */
void begin_growth(struct space *space, struct tree *tree, const int *sinks, const bool *again,
		  int count);
void end_growth(struct space *space, struct tree *tree);

/* When the net arrives at a wire of the tree that grows, behind its driver: with all branches,
 * once settle() has looked at them. */
void settle(struct space *space, struct tree *tree);
float arrival_at(const struct space *space, const struct tree *tree, int wire);

/*
 * The cheapest way to a sink, into the tree. critical is 0 to 1: the share of time in what is
 * cheap. Returns if there is a way.
 */
bool grow(struct space *space, struct tree *tree, int sink, float critical);

/* What a route from wire to wire needs in an empty device */
float least_delay(const struct space *space, int driver, int sink);

#endif
