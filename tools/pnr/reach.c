// SPDX-License-Identifier: Apache-2.0
/*
 * Dijkstra's search from the inputs of a tile in the middle, back over all of the device. Rows
 * and columns of large cells make tiles differ; some are measured, and the nearest counts.
 */

#include "reach.h"
#include "design.h"
#include "heap.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD = 12 }; /* tiles in which wires repeat */

struct left *left_from(const struct reach *reach, int kind, enum input input, int columns, int rows)
{
	int x = columns + reach->columns, y = rows + reach->rows;

	return &reach->left[((input * reach->kinds + kind) * (2 * reach->rows + 1) + y) *
				    (2 * reach->columns + 1) +
			    x];
}

enum input input_of(const char *name)
{
	if (!strncmp(name, "CE", 2))
		return TO_CE;
	if (!strncmp(name, "LSR", 3))
		return TO_LSR;
	return *name == 'M' && strlen(name) == 2 ? TO_M : TO_LUT;
}

static bool is_input(const char *name, enum input input, enum purpose purpose)
{
	static const char
		*const first[] = { [TO_LUT] = "ABCD", [TO_M] = "M", [TO_CE] = "C", [TO_LSR] = "L" };

	return (purpose == SEARCHED ? !!strchr(first[input], *name) : *first[input] == *name) &&
	       input_of(name) == input && strspn(name + 1, "ESR01234567") == strlen(name + 1);
}

static void measure(struct reach *reach, const struct fabric *f, int tile, enum input input,
		    float hop, enum purpose purpose)
{
	int x = tile % f->columns, y = tile / f->columns;
	float *best = array(f->wires, sizeof(*best));
	struct heap heap = {};

	for (int w = 0; w < f->wires; w++)
		best[w] = INFINITY;
	for (int w = f->first_wire[tile]; w < f->first_wire[tile + 1]; w++)
		if (is_input(base_name(f, w), input, purpose)) {
			best[w] = 0;
			push(&heap, (struct queued){ 0, 0, w });
		}
	while (heap.count) {
		struct queued next = pop(&heap);
		int from[MOST_UPHILL], delay[MOST_UPHILL], count;
		int at = f->tile[next.wire];
		struct left *left = left_from(reach, f->kind[next.wire], input, x - at % f->columns,
					      y - at / f->columns);
		float *value = hop > 0 ? &left->cost : &left->delay;

		if (next.cost > best[next.wire])
			continue;
		*value = fminf(*value, next.cost);
		count = uphill(f, next.wire, from, delay, MOST_UPHILL);
		for (int i = 0; i < count && i < MOST_UPHILL; i++) {
			float cost = next.cost + hop + f->delays[delay[i]].base +
				     f->delays[delay[i]].load;

			if (cost < best[from[i]] && !is_clock_wire(f, from[i])) {
				best[from[i]] = cost;
				push(&heap, (struct queued){ cost, cost, from[i] });
			}
		}
	}
	free(heap.items);
	free(best);
}

/* Further than was seen: as much more for each tile as in the last dozen before */
static struct left further(struct left near, struct left before)
{
	if (isinf(near.delay) || isinf(before.delay))
		return near;
	return (struct left){ near.delay + (near.delay - before.delay) / PERIOD,
			      near.cost + (near.cost - before.cost) / PERIOD };
}

static void fill(const struct reach *reach, int kind, enum input input)
{
	for (int i = 0; i <= 2 * reach->rows; i++)
		for (int k = 0; k <= 2 * reach->columns; k++) {
			/* from the middle to all sides */
			int rows = (i + 1) / 2 * (i % 2 ? 1 : -1), down = rows < 0 ? -1 : 1;
			int columns = (k + 1) / 2 * (k % 2 ? 1 : -1), right = columns < 0 ? -1 : 1;
			struct left *here = left_from(reach, kind, input, columns, rows);

			if (isinf(here->delay) && abs(columns) > PERIOD)
				*here = further(
					*left_from(reach, kind, input, columns - right, rows),
					*left_from(reach, kind, input,
						   columns - (PERIOD + 1) * right, rows));
			if (isinf(here->delay) && abs(rows) > PERIOD)
				*here = further(
					*left_from(reach, kind, input, columns, rows - down),
					*left_from(reach, kind, input, columns,
						   rows - (PERIOD + 1) * down));
		}
}

/* The next tile of logic */
static int logic_behind(const struct fabric *f, int tile)
{
	for (; tile < f->columns * f->rows; tile++)
		for (int w = f->first_wire[tile]; w < f->first_wire[tile + 1]; w++)
			if (!strcmp(base_name(f, w), "A0_SLICE"))
				return tile;
	fail("the part has no logic");
}

void measure_reach(struct reach *reach, const struct fabric *f, enum purpose purpose)
{
	int middle = f->columns / 2 + f->columns * (f->rows / 2), size;
	int tiles[] = { logic_behind(f, middle), logic_behind(f, middle + 5 * f->columns),
			logic_behind(f, middle - 7 - 5 * f->columns) };

	reach->kinds = f->kinds;
	reach->columns = f->columns - 1;
	reach->rows = f->rows - 1;
	size = INPUTS * f->kinds * (2 * reach->columns + 1) * (2 * reach->rows + 1);
	reach->left = array(size, sizeof(*reach->left));
	for (int i = 0; i < size; i++)
		reach->left[i] = (struct left){ INFINITY, INFINITY };
	for (unsigned int i = 0; i < sizeof(tiles) / sizeof(*tiles); i++)
		for (enum input input = 0; input < INPUTS; input++) {
			measure(reach, f, tiles[i], input, 0, purpose);
			if (purpose == SEARCHED)
				measure(reach, f, tiles[i], input, HOP, purpose);
		}
	for (int kind = 0; kind < f->kinds; kind++)
		for (enum input input = 0; input < INPUTS; input++)
			fill(reach, kind, input);
}
