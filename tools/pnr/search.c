// SPDX-License-Identifier: Apache-2.0
/*
 * A search goes from all wires of the net so far, by the cost of the way to a wire and what is
 * left from there at least (A*). Where time does not count, what is left is taken for somewhat
 * more than it is at least: that saves most of the search and costs little wire.
 */

#include "search.h"
#include "design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GREED 1.25f
#define HASTE 1.05f /* the same where time does count */
#define YIELD 0.01f /* the share of what a crowd costs that the most urgent pay */

enum {
	MARGIN = 8, /* tiles around both ends of a connection */
	LONGEST = 1000, /* wires of a connection */
};

static void find_leaves(struct space *s)
{
	const struct fabric *f = &s->fabric;
	bool more = true;

	while (more) {
		more = false;
		for (int w = f->wires - 1; w >= 0; w--) {
			bool leaf = true;

			if (is_clock_wire(f, w)) {
				s->nodes[w].leaf = true;
				continue;
			}
			for (int p = f->first_pip[w]; leaf && p < f->first_pip[w + 1]; p++)
				leaf = f->to[p] < 0 || s->nodes[f->to[p]].leaf;
			more |= leaf && !s->nodes[w].leaf;
			s->nodes[w].leaf = leaf;
		}
	}
}

void read_space(struct space *s, const char *database, int speed)
{
	const struct fabric *f = &s->fabric;

	read_fabric(&s->fabric, database, speed);
	s->nodes = array(f->wires, sizeof(*s->nodes));
	for (int w = 0; w < f->wires; w++)
		s->nodes[w] = (struct node){ .branch = NONE,
					     .kind = f->kind[w],
					     .x = f->tile[w] % f->columns,
					     .y = f->tile[w] / f->columns };
}

void measure_space(struct space *s)
{
	measure_reach(&s->reach, &s->fabric, SEARCHED);
	find_leaves(s);
}

static void make_room(struct tree *tree, int room)
{
	tree->room = room;
	tree->branches = realloc(tree->branches, room * sizeof(*tree->branches));
	if (!tree->branches)
		fail("no memory for routes");
}

void copy_tree(struct tree *to, const struct tree *from)
{
	if (to->room < from->count)
		make_room(to, from->count);
	to->count = from->count;
	if (from->count)
		memcpy(to->branches, from->branches, from->count * sizeof(*to->branches));
}

static int add(struct space *s, struct tree *tree, struct branch branch)
{
	if (tree->count == tree->room)
		make_room(tree, tree->room ? 2 * tree->room : 8);
	tree->branches[tree->count] = branch;
	s->nodes[branch.wire].branch = tree->count;
	s->nodes[branch.wire].nets++;
	return tree->count++;
}

void plant(struct space *s, struct tree *tree, int driver)
{
	add(s, tree, (struct branch){ .wire = driver, .driver = NONE, .pip = NONE });
	s->nodes[driver].branch = NONE;
}

static struct branch *branch_at(const struct space *s, const struct tree *tree, int wire)
{
	int index = wire == NONE ? NONE : s->nodes[wire].branch;

	return index == NONE ? NULL : &tree->branches[index];
}

static void keep(const struct space *s, const struct tree *tree, int sink)
{
	struct branch *b;

	for (b = branch_at(s, tree, sink); b; b = branch_at(s, tree, b->driver))
		if (s->nodes[b->wire].nets > 1)
			return;
	for (b = branch_at(s, tree, sink); b && !b->kept; b = branch_at(s, tree, b->driver))
		b->kept = true;
}

void begin_growth(struct space *s, struct tree *tree, const int *sinks, const bool *again,
		  int count)
{
	int kept = 0;

	for (int i = 0; i < tree->count; i++) {
		s->nodes[tree->branches[i].wire].branch = i;
		tree->branches[i].kept = !i;
	}
	for (int i = 0; i < count; i++)
		if (sinks[i] != NONE && !again[i])
			keep(s, tree, sinks[i]);
	for (int i = 0; i < tree->count; i++) {
		struct branch branch = tree->branches[i], *driver;

		if (!branch.kept) {
			s->nodes[branch.wire].nets--;
			s->nodes[branch.wire].branch = NONE;
			continue;
		}
		driver = branch_at(s, tree, branch.driver);
		if (driver)
			driver->load++;
		branch.load = 0;
		s->nodes[branch.wire].branch = kept;
		tree->branches[kept++] = branch;
	}
	tree->count = kept;
}

static float pip_time(const struct fabric *f, int pip, int load)
{
	const struct pip_delay *delay = &f->delays[f->delay[pip]];

	return delay->base + load * delay->load;
}

void settle(struct space *s, struct tree *tree)
{
	for (int i = 0; i < tree->count; i++) {
		struct branch *branch = &tree->branches[i];
		const struct branch *driver = branch_at(s, tree, branch->driver);

		if (driver)
			branch->arrival =
				driver->arrival + pip_time(&s->fabric, branch->pip, driver->load);
	}
}

float arrival_at(const struct space *s, const struct tree *tree, int wire)
{
	return branch_at(s, tree, wire)->arrival;
}

void end_growth(struct space *s, struct tree *tree)
{
	for (int i = 0; i < tree->count; i++)
		s->nodes[tree->branches[i].wire].branch = NONE;
}

/* --- the search -------------------------------------------------------------------------- */

struct aim {
	int sink, x, y;
	enum input input;
	float critical, easy, yield;
	int x0, x1, y0, y1; /* where to search */
};

/* Inputs of large cells come by a wire of a tile of logic, whatever their own tile. */
static int logic_input(const struct space *s, int wire)
{
	int from[2], delay[2];

	while (uphill(&s->fabric, wire, from, delay, 2) == 1)
		wire = from[0];
	return wire;
}

static struct aim aim_at(const struct space *s, int sink, float critical)
{
	int input = logic_input(s, sink);

	return (struct aim){ .sink = sink,
			     .x = s->nodes[input].x,
			     .y = s->nodes[input].y,
			     .input = input_of(base_name(&s->fabric, input)),
			     .critical = critical,
			     .easy = 1 - critical,
			     .yield = fmaxf(1 - critical, YIELD) };
}

static const struct left *left_at(const struct space *s, const struct node *node,
				  const struct aim *aim)
{
	return left_from(&s->reach, node->kind, aim->input, aim->x - node->x, aim->y - node->y);
}

float least_delay(const struct space *s, int driver, int sink)
{
	struct aim aim = aim_at(s, sink, 1);
	float delay = left_at(s, &s->nodes[driver], &aim)->delay;

	return isinf(delay) ? 0 : delay;
}

/* Leaves that lead to the sink; no other may be entered. */
static void open_leaves(struct space *s, int wire)
{
	int from[MOST_UPHILL], delay[MOST_UPHILL], count;

	if (!s->nodes[wire].leaf || s->nodes[wire].open == s->search)
		return;
	s->nodes[wire].open = s->search;
	count = uphill(&s->fabric, wire, from, delay, MOST_UPHILL);
	for (int i = 0; i < count && i < MOST_UPHILL; i++)
		open_leaves(s, from[i]);
}

static float rest_at(const struct space *s, const struct node *node, const struct aim *aim)
{
	const struct left *left;
	float rest;

	if (node->leaf)
		return 0;
	left = left_at(s, node, aim);
	rest = aim->critical * HASTE * left->delay + GREED * aim->easy * left->cost;
	return isinf(rest) ? 0 : rest;
}

static void offer(struct space *s, const struct aim *aim, int wire, int from, int pip, float cost)
{
	struct node *node = &s->nodes[wire];

	if (node->search == s->search && node->cost <= cost)
		return;
	node->cost = cost;
	node->search = s->search;
	node->from = from;
	node->pip = pip;
	push(&s->heap, (struct queued){ cost + rest_at(s, node, aim), cost, wire });
}

static int least(int one, int other)
{
	return one < other ? one : other;
}

static int most(int one, int other)
{
	return one > other ? one : other;
}

/* Where a wire is crowded all around, a search would flood the device before it says so. */
static void bound(struct aim *aim, const struct node *start, int margin)
{
	aim->x0 = least(start->x, aim->x) - margin;
	aim->x1 = most(start->x, aim->x) + margin;
	aim->y0 = least(start->y, aim->y) - margin;
	aim->y1 = most(start->y, aim->y) + margin;
}

static void look_behind(struct space *s, const struct tree *tree, const struct aim *aim,
			const struct queued *here)
{
	const struct fabric *f = &s->fabric;
	const struct branch *branch = branch_at(s, tree, here->wire);
	int load = branch ? branch->load + 1 : 1;

	for (int p = f->first_pip[here->wire]; p < f->first_pip[here->wire + 1]; p++) {
		const struct node *node = &s->nodes[f->to[p]];
		float time, crowd;

		if (f->to[p] < 0 || node->branch != NONE || node->nets == TAKEN ||
		    (node->leaf ? node->open != s->search
				: node->x < aim->x0 || node->x > aim->x1 || node->y < aim->y0 ||
					  node->y > aim->y1))
			continue;
		time = pip_time(f, p, load);
		crowd = (1 + node->nets * s->present) * (1 + node->history) - 1;
		offer(s, aim, f->to[p], here->wire, p,
		      here->so_far + time + aim->easy * HOP + aim->yield * crowd * (time + HOP));
	}
}

static bool find(struct space *s, const struct tree *tree, struct aim *aim, int margin)
{
	s->search++;
	s->heap.count = 0;
	open_leaves(s, aim->sink);
	for (int i = 0; i < tree->count; i++)
		offer(s, aim, tree->branches[i].wire, NONE, NONE,
		      aim->critical * tree->branches[i].arrival);
	bound(aim, &s->nodes[s->heap.items->wire], margin);
	while (s->heap.count) {
		struct queued here = pop(&s->heap);

		if (here.wire == aim->sink)
			return true;
		if (here.so_far <= s->nodes[here.wire].cost)
			look_behind(s, tree, aim, &here);
	}
	return false;
}

bool grow(struct space *s, struct tree *tree, int sink, float critical)
{
	struct aim aim = aim_at(s, sink, critical);
	int path[LONGEST], count = 0;

	if (!find(s, tree, &aim, MARGIN) && !find(s, tree, &aim, s->fabric.columns))
		return false;
	for (int w = sink; s->nodes[w].branch == NONE; w = s->nodes[w].from) {
		if (count == LONGEST)
			fail("a route has more than %d wires", count);
		path[count++] = w;
	}
	while (count--) {
		const struct node *node = &s->nodes[path[count]];
		struct branch *driver = branch_at(s, tree, node->from);

		add(s, tree,
		    (struct branch){ .wire = path[count],
				     .driver = node->from,
				     .pip = node->pip,
				     .arrival = driver->arrival +
						pip_time(&s->fabric, node->pip, ++driver->load) });
	}
	return true;
}
