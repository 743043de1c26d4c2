// SPDX-License-Identifier: Apache-2.0
/*
 * Moves: what stands in two places changes places.
 *
 * A cell goes by itself, its slice with it, or its tile, and in a carry chain all tiles of
 * the chain: so that any placement can be reached although much may not stand side by
 * side. What is moved is moved at once, so that costs are those of the new places, and
 * moved back if it is not wanted.
 */

#include "design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_MOVED = 1024, /* cells in one move */
	SMALL_NET = 12, /* is measured anew sooner than followed */
	AIMED = 4, /* one move out of so many goes to where a connection leads */
	TRIES = 3, /* connections looked at for that */
	AIM = 3, /* tiles around it */
};

enum direction { WEST, EAST, NORTH, SOUTH, DIRECTIONS };

/* The corners of a net, the tile of its driver, and how many of its cells are on each side */
struct box {
	int16_t x0, x1, y0, y1, from_x, from_y;
	int16_t at_x0, at_x1, at_y0, at_y1; /* at_x0 0: to be measured */
	float price; /* of the wire in it */
};

struct moved {
	int cell, where; /* where it was */
	struct place at;
};

struct new_delay {
	int connection;
	float delay;
};

static struct box *boxes; /* of each net */
static struct box *new_boxes; /* of the nets touched */
static int *touched, *touch_of; /* those nets; of each net where it is among them, or -1 */
static struct new_delay *delays; /* that the move brings */
static int *last_move; /* of each cell */
static struct moved moved[MOST_MOVED];
static int touched_count, delay_count, moved_count, move_number;
static int *free_cells, *bound_cells, *block_cells; /* in the rows that are moved */
static int free_count, bound_count, block_count;
static struct rows rows;
static uint64_t state;

/* Maps of tiles, with a row and a column more, of wire: each has a direction, and there are as
 * many of each. */
static float *wanted, *crowd_sums[DIRECTIONS];

#define CROWDED 4.0f /* what wire costs more where twice as much is wanted as is enough */
#define ENOUGH 25.0f /* wires of one direction through a tile */

static unsigned int draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 32;
}

static int below(int limit)
{
	return ((uint64_t)draw() * limit) >> 32;
}

/* --- what it costs ------------------------------------------------------------------ */

static void widen(int16_t *low, int16_t *at_low, int16_t *high, int16_t *at_high, int place)
{
	if (place < *low) {
		*low = place;
		*at_low = 0;
	}
	if (place > *high) {
		*high = place;
		*at_high = 0;
	}
	*at_low += place == *low;
	*at_high += place == *high;
}

static void include(struct box *box, const struct place *at)
{
	widen(&box->x0, &box->at_x0, &box->x1, &box->at_x1, at->x);
	widen(&box->y0, &box->at_y0, &box->y1, &box->at_y1, at->y);
}

static struct box measure(const struct design *d, int index)
{
	const struct net *net = &d->nets[index];
	const struct place *driver = &d->at[net->driver];
	struct box box = { .x0 = driver->x,
			   .x1 = driver->x,
			   .y0 = driver->y,
			   .y1 = driver->y,
			   .from_x = driver->x,
			   .from_y = driver->y,
			   .at_x0 = 1,
			   .at_x1 = 1,
			   .at_y0 = 1,
			   .at_y1 = 1 };

	for (int i = net->first; i < net->first + net->sinks; i++)
		include(&box, &d->at[d->sinks[i]]);
	return box;
}

/* The sum of a map over a box, from the sums over all that is left of and above each tile */
static float sum_over(const struct design *d, const float *sums, const struct box *box)
{
	int columns = d->columns + 1;

	return sums[box->y1 * columns + columns + box->x1 + 1] -
	       sums[box->y0 * columns + box->x1 + 1] - sums[box->y1 * columns + columns + box->x0] +
	       sums[box->y0 * columns + box->x0];
}

static int area(const struct box *box)
{
	return (box->x1 - box->x0 + 1) * (box->y1 - box->y0 + 1);
}

/* The part of a net's box that lies in a direction from its driver */
static struct box part_of(const struct box *box, enum direction direction)
{
	struct box part = *box;

	switch (direction) {
	case WEST:
		part.x1 = box->from_x;
		break;
	case EAST:
		part.x0 = box->from_x;
		break;
	case NORTH:
		part.y1 = box->from_y;
		break;
	default:
		part.y0 = box->from_y;
	}
	return part;
}

static int length(const struct box *part, enum direction direction)
{
	return direction == WEST || direction == EAST ? part->x1 - part->x0 : part->y1 - part->y0;
}

/* A net of many sinks takes more wire than half its corners' distance. */
static float price_of_wire(const struct design *d, int net, const struct box *box)
{
	float wire = box->x1 - box->x0 + box->y1 - box->y0;

	for (enum direction i = WEST; i < DIRECTIONS; i++) {
		struct box part = part_of(box, i);
		int tiles = length(&part, i);

		if (tiles)
			wire += tiles * sum_over(d, crowd_sums[i], &part) / area(&part);
	}
	return d->nets[net].branching * wire;
}

static void add_to(const struct design *d, float *map, const struct box *box, float value)
{
	int columns = d->columns + 1;

	map[box->y0 * columns + box->x0] += value;
	map[box->y0 * columns + box->x1 + 1] -= value;
	map[(box->y1 + 1) * columns + box->x0] -= value;
	map[(box->y1 + 1) * columns + box->x1 + 1] += value;
}

/* Each value becomes the sum of all up to it. */
static void sum_up(const struct design *d, float *map)
{
	int columns = d->columns + 1;

	for (int y = 0; y <= d->rows; y++)
		for (int x = 0; x < columns; x++) {
			float *here = &map[y * columns + x];

			*here += (x ? here[-1] : 0) + (y ? here[-columns] : 0) -
				 (x && y ? here[-columns - 1] : 0);
		}
}

/* How much wire of a direction all nets want in each tile: each evenly in its box */
static void find_wanted(const struct design *d, enum direction direction)
{
	memset(wanted, 0, (d->columns + 1) * (d->rows + 1) * sizeof(*wanted));
	for (int i = 0; i < d->net_count; i++) {
		struct box part = part_of(&boxes[i], direction);
		int tiles = length(&part, direction);

		if (!d->nets[i].ignored && tiles)
			add_to(d, wanted, &part, d->nets[i].branching * tiles / area(&part));
	}
	sum_up(d, wanted);
}

/* What it costs more there; returns the most that is wanted anywhere. */
static float find_crowds(const struct design *d, enum direction direction)
{
	float *crowds = crowd_sums[direction], most = 0;
	int columns = d->columns + 1;

	find_wanted(d, direction);
	memset(crowds, 0, columns * (d->rows + 1) * sizeof(*crowds));
	for (int y = 0; y < d->rows; y++)
		for (int x = 0; x < d->columns; x++) {
			float want = wanted[y * columns + x];

			most = fmaxf(most, want);
			crowds[(y + 1) * columns + x + 1] = CROWDED * fmaxf(want / ENOUGH - 1, 0);
		}
	sum_up(d, crowds);
	return most;
}

/* One cell of a side goes elsewhere; false if the side is empty then. */
static bool follow(int16_t *low, int16_t *at_low, int16_t *high, int16_t *at_high, int from, int to)
{
	if (from == to)
		return true;
	widen(low, at_low, high, at_high, to);
	*at_low -= from == *low;
	*at_high -= from == *high;
	return *at_low && *at_high;
}

static void touch(const struct design *d, const struct moved *from)
{
	const struct cell *cell = &d->cells[from->cell];
	const struct place *to = &d->at[from->cell];

	for (int i = cell->first_net; i < cell->first_net + cell->nets; i++) {
		int net = d->nets_of[i].net;
		struct box *box;

		if (touch_of[net] < 0) {
			touch_of[net] = touched_count;
			touched[touched_count] = net;
			new_boxes[touched_count] = boxes[net];
			new_boxes[touched_count].from_x = d->at[d->nets[net].driver].x;
			new_boxes[touched_count].from_y = d->at[d->nets[net].driver].y;
			if (d->nets[net].sinks < SMALL_NET)
				new_boxes[touched_count].at_x0 = 0;
			touched_count++;
		}
		box = &new_boxes[touch_of[net]];
		for (int left = box->at_x0 ? d->nets_of[i].count : 0; left; left--)
			if (!follow(&box->x0, &box->at_x0, &box->x1, &box->at_x1, from->at.x,
				    to->x) ||
			    !follow(&box->y0, &box->at_y0, &box->y1, &box->at_y1, from->at.y,
				    to->y)) {
				box->at_x0 = 0;
				break;
			}
	}
}

static double delay_change(const struct design *d, int index)
{
	const struct connection *connection = &d->connections[index];
	float delay = delay_of(d, index);

	if (delay == connection->delay)
		return 0;
	delays[delay_count++] = (struct new_delay){ index, delay };
	return price_of(connection, delay) - price_of(connection, connection->delay);
}

/* Of the cell's connections; one between two that move is told by the cell it leads to. */
static double timing_change(const struct design *d, const struct cell *cell)
{
	double change = 0;

	for (int i = cell->first_input; i < cell->first_input + cell->inputs; i++)
		change += delay_change(d, d->inputs[i]);
	for (int i = cell->first_output; i < cell->first_output + cell->outputs; i++) {
		const struct net *net = &d->nets[d->outputs[i]];

		for (int k = net->first; k < net->first + net->sinks; k++)
			if (last_move[d->sinks[k]] != move_number)
				change += delay_change(d, k);
	}
	return change;
}

static struct cost cost_of_move(const struct design *d)
{
	struct cost cost = {};

	move_number++;
	touched_count = 0;
	delay_count = 0;
	for (int i = 0; i < moved_count; i++)
		last_move[moved[i].cell] = move_number;
	for (int i = 0; i < moved_count; i++) {
		const struct place *at = &d->at[moved[i].cell];

		if (at->x != moved[i].at.x || at->y != moved[i].at.y)
			touch(d, &moved[i]);
		cost.timing += timing_change(d, &d->cells[moved[i].cell]);
	}
	for (int i = 0; i < touched_count; i++) {
		if (!new_boxes[i].at_x0)
			new_boxes[i] = measure(d, touched[i]);
		new_boxes[i].price = price_of_wire(d, touched[i], &new_boxes[i]);
		cost.wire += new_boxes[i].price - boxes[touched[i]].price;
		touch_of[touched[i]] = -1;
	}
	return cost;
}

struct cost whole_cost(struct design *d)
{
	struct cost cost = {};

	for (int i = 0; i < d->net_count; i++) {
		const struct net *net = &d->nets[i];

		if (net->ignored)
			continue;
		boxes[i] = measure(d, i);
		for (int k = net->first; k < net->first + net->sinks; k++)
			cost.timing += d->connections[k].weight * d->connections[k].delay;
	}
	for (enum direction i = WEST; i < DIRECTIONS; i++)
		cost.crowd = fmaxf(cost.crowd, find_crowds(d, i));
	for (int i = 0; i < d->net_count; i++)
		if (!d->nets[i].ignored) {
			boxes[i].price = price_of_wire(d, i, &boxes[i]);
			cost.wire += boxes[i].price;
		}
	return cost;
}

/* --- what may stand together -------------------------------------------------------- */

static bool is_carry(const struct design *d, int lut)
{
	return d->cells[lut].bond == IN_CARRY;
}

static bool slice_is_legal(const struct design *d, const struct tile *tile, int slice)
{
	const int *lut = &tile->slot[slice * 2], *ff = &tile->slot[FF0 + slice * 2];

	if (ff[0] >= 0 && ff[1] >= 0 && d->cells[ff[0]].slice_set != d->cells[ff[1]].slice_set)
		return false;
	if (lut[0] >= 0 && lut[1] >= 0 && is_carry(d, lut[0]) != is_carry(d, lut[1]))
		return false;
	if (slice == 2 && tile->slot[WRITER] >= 0) /* needs the inputs of both LUTs */
		for (int i = 0; i < 2; i++)
			if (lut[i] >= 0 && d->cells[lut[i]].bond != IN_MEMORY)
				return false;
	return true;
}

static bool tile_is_legal(const struct design *d, const struct tile *tile)
{
	int set = -1;

	for (int i = FF0; i < FF0 + LUTS; i++) {
		int ff = tile->slot[i];

		if (ff >= 0 && set >= 0 && d->cells[ff].tile_set != set)
			return false;
		if (ff >= 0)
			set = d->cells[ff].tile_set;
	}
	return true;
}

void check_places(const struct design *d)
{
	for (int i = 0; i < d->tile_count; i++) {
		bool legal = tile_is_legal(d, &d->tiles[i]);

		for (int slice = 0; slice < LUTS / 2; slice++)
			legal = legal && slice_is_legal(d, &d->tiles[i], slice);
		if (!legal)
			fail("cells at %d, %d cannot stand together", d->tiles[i].x, d->tiles[i].y);
	}
	for (int i = 0; i < d->cell_count; i++) {
		const struct cell *cell = &d->cells[i];
		int partner = cell->partner < 0 ? i : cell->partner;

		if (cell->where != d->cells[partner].where ||
		    d->at[i].position != d->at[partner].position)
			fail("cell %d at %d, %d stands apart from its partner", i, d->at[i].x,
			     d->at[i].y);
	}
}

static bool move_is_legal(const struct design *d)
{
	for (int i = 0; i < moved_count; i++) {
		const struct cell *cell = &d->cells[moved[i].cell];
		const struct tile *tile = &d->tiles[cell->where];

		if (!slice_is_legal(d, tile, d->at[moved[i].cell].position / 2) ||
		    (cell->kind == FF && !tile_is_legal(d, tile)))
			return false;
	}
	return true;
}

/* --- moving ------------------------------------------------------------------------- */

static void put(struct design *d, int index, int where, int position)
{
	struct cell *cell = &d->cells[index];

	if (moved_count == MOST_MOVED)
		fail("a carry chain is longer than a row");
	moved[moved_count++] = (struct moved){ index, cell->where, d->at[index] };
	cell->where = where;
	d->at[index] = cell->kind == BLOCK
			       ? (struct place){ d->sites[where].x, d->sites[where].y, position }
			       : (struct place){ d->tiles[where].x, d->tiles[where].y, position };
}

static int *place_of(struct design *d, int index)
{
	const struct cell *cell = &d->cells[index];

	return cell->kind == BLOCK ? &d->sites[cell->where].cell
				   : &d->tiles[cell->where].slot[slot_of(d, index)];
}

static void take_back(struct design *d)
{
	for (int i = 0; i < moved_count; i++)
		*place_of(d, moved[i].cell) = -1;
	for (int i = 0; i < moved_count; i++) {
		struct cell *cell = &d->cells[moved[i].cell];

		cell->where = moved[i].where;
		d->at[moved[i].cell] = moved[i].at;
		*place_of(d, moved[i].cell) = moved[i].cell;
	}
}

static bool is_wanted(const struct cost *cost, struct heat heat)
{
	double more = cost->wire * heat.wire + cost->timing * heat.timing;

	return more <= 0 || (heat.most > 0 && draw() / 4294967296.0 < exp(-more / heat.most));
}

/* Keeps the move or takes it back; whether it was kept. */
static bool decide(struct design *d, struct heat heat)
{
	struct cost cost = cost_of_move(d);
	bool wanted = is_wanted(&cost, heat);

	if (wanted) {
		for (int i = 0; i < touched_count; i++)
			boxes[touched[i]] = new_boxes[i];
		for (int i = 0; i < delay_count; i++)
			d->connections[delays[i].connection].delay = delays[i].delay;
	} else {
		take_back(d);
	}
	moved_count = 0;
	return wanted;
}

/* What is in two places of one kind changes places. */
static void exchange(struct design *d, int tile, int slot, int other_tile, int other_slot)
{
	int *one = &d->tiles[tile].slot[slot], *other = &d->tiles[other_tile].slot[other_slot];
	int kept = *one;

	*one = *other;
	*other = kept;
	if (*one >= 0)
		put(d, *one, tile, slot % FF0);
	if (*other >= 0)
		put(d, *other, other_tile, other_slot % FF0);
}

static int limited(int place, int first, int last)
{
	return place < first ? first : place > last ? last : place;
}

static int near(int place, int radius, int first, int last)
{
	int low = limited(place - radius, first, last), high = limited(place + radius, first, last);

	return low + below(high - low + 1);
}

static int tile_near(const struct design *d, int x, int y, int radius)
{
	return d->tile_at[near(x, radius, 0, d->columns - 1) +
			  near(y, radius, rows.first, rows.last) * d->columns];
}

/* The cell at the other end of the heaviest of a few connections, or -1 */
static int neighbour(const struct design *d, const struct cell *cell)
{
	float heaviest = -1;
	int found = -1;

	for (int i = 0; i < TRIES && cell->inputs + cell->outputs; i++) {
		int which = below(cell->inputs + cell->outputs);
		const struct connection *c;
		const struct net *net;

		if (which < cell->inputs) {
			c = &d->connections[d->inputs[cell->first_input + which]];
			net = &d->nets[c->net];
		} else {
			net = &d->nets[d->outputs[cell->first_output + which - cell->inputs]];
			c = net->sinks ? &d->connections[net->first + below(net->sinks)] : NULL;
		}
		if (!c || c->weight <= heaviest)
			continue;
		heaviest = c->weight;
		found = which < cell->inputs ? net->driver : d->sinks[c - d->connections];
	}
	return found;
}

/* A tile around the cell, or around where one of its connections leads or half way there;
 * -1 if there is no logic. */
static int tile_for(const struct design *d, int cell, int radius)
{
	int other = below(AIMED) ? -1 : neighbour(d, &d->cells[cell]);
	const struct place *at = &d->at[cell], *to;

	if (other < 0)
		return tile_near(d, at->x, at->y, radius);
	to = &d->at[other];
	if (radius > AIM)
		radius = AIM;
	if (below(2))
		return tile_near(d, to->x, to->y, radius);
	return tile_near(d, (to->x + at->x) / 2, (to->y + at->y) / 2, radius);
}

static bool is_free(const struct design *d, int cell)
{
	return cell < 0 || d->cells[cell].bond == FREE;
}

static bool is_paired(const struct design *d, int cell)
{
	return cell >= 0 && d->cells[cell].partner >= 0;
}

static bool all_free(const struct design *d, int tile, int first, int count)
{
	for (int i = first; i < first + count; i++)
		if (!is_free(d, d->tiles[tile].slot[i]) ||
		    !is_free(d, d->tiles[tile].slot[FF0 + i]))
			return false;
	return true;
}

struct result {
	bool legal, kept;
};

static struct result decide_if_legal(struct design *d, struct heat heat)
{
	if (!move_is_legal(d)) {
		take_back(d);
		moved_count = 0;
		return (struct result){ false, false };
	}
	return (struct result){ true, decide(d, heat) };
}

static struct result move_cell(struct design *d, int index, int radius, struct heat heat)
{
	const struct cell *cell = &d->cells[index];
	int from = cell->where, at = d->at[index].position, to = tile_for(d, index, radius);
	int there = below(LUTS), base = cell->kind == LUT ? 0 : FF0, other;

	if (to < 0 || (to == from && there == at))
		return (struct result){ false, false };
	other = d->tiles[to].slot[base + there];
	if (!is_free(d, other))
		return (struct result){ false, false };
	if (is_paired(d, index) || is_paired(d, other)) {
		if (!all_free(d, from, at, 1) || !all_free(d, to, there, 1))
			return (struct result){ false, false };
		exchange(d, from, at, to, there);
		exchange(d, from, FF0 + at, to, FF0 + there);
	} else {
		exchange(d, from, base + at, to, base + there);
	}
	return decide_if_legal(d, heat);
}

static void move_slice(struct design *d, int index, int radius, struct heat heat)
{
	const struct cell *cell = &d->cells[index];
	int from = cell->where, at = d->at[index].position & ~1, to = tile_for(d, index, radius);
	int there = below(LUTS) & ~1;

	if (to < 0 || (to == from && there == at) || !all_free(d, from, at, 2) ||
	    !all_free(d, to, there, 2))
		return;
	for (int i = 0; i < 2; i++) {
		exchange(d, from, at + i, to, there + i);
		exchange(d, from, FF0 + at + i, to, FF0 + there + i);
	}
	decide_if_legal(d, heat);
}

/* May so many tiles from there on, with chains that do not leave them, change places? */
static bool can_take(const struct design *d, int x, int y, int length)
{
	for (int i = 0; i < length; i++) {
		int tile = x + i < d->columns ? d->tile_at[x + i + y * d->columns] : -1;
		const struct run *run;

		if (tile < 0)
			return false;
		if (d->tiles[tile].run < 0)
			continue;
		run = &d->runs[d->tiles[tile].run];
		if (d->tiles[run->tile].x < x || d->tiles[run->tile].x + run->length > x + length)
			return false;
	}
	return true;
}

static void exchange_tiles(struct design *d, int one, int other)
{
	for (int slot = 0; slot < SLOTS; slot++) {
		int cell = d->tiles[one].slot[slot];

		/* what stays does so in both */
		if (slot < LUTS && (d->tiles[one].taken >> slot & 1))
			continue;
		if (cell >= 0 || d->tiles[other].slot[slot] >= 0)
			exchange(d, one, slot, other, slot);
	}
}

static void exchange_runs(struct design *d, int one, int other, int length)
{
	for (int i = 0; i < length; i++) {
		int kept = d->tiles[one + i].run;

		d->tiles[one + i].run = d->tiles[other + i].run;
		d->tiles[other + i].run = kept;
	}
	for (int i = length - 1; i >= 0; i--) {
		if (d->tiles[one + i].run >= 0)
			d->runs[d->tiles[one + i].run].tile = one + i;
		if (d->tiles[other + i].run >= 0)
			d->runs[d->tiles[other + i].run].tile = other + i;
	}
}

/* The cell's tile, or all that its carry chain goes through */
static void move_tiles(struct design *d, int index, int radius, struct heat heat)
{
	const struct cell *cell = &d->cells[index];
	int from = cell->where, to = tile_for(d, index, radius), length = 1, x, y, shift;
	bool kept;

	if (to < 0)
		return;
	if (d->tiles[from].run >= 0) {
		from = d->runs[d->tiles[from].run].tile;
		length = d->runs[d->tiles[from].run].length;
	}
	x = d->tiles[to].x - (d->at[index].x - d->tiles[from].x);
	y = d->tiles[to].y;
	shift = abs(x - d->tiles[from].x);
	if (x < 0 || (y == d->tiles[from].y && shift < length) || !can_take(d, x, y, length))
		return;
	to = d->tile_at[x + y * d->columns];
	for (int i = 0; i < length; i++)
		if (d->tiles[from + i].taken != d->tiles[to + i].taken)
			return;
	for (int i = 0; i < length; i++)
		exchange_tiles(d, from + i, to + i);
	kept = decide(d, heat);
	if (kept)
		exchange_runs(d, from, to, length);
}

static void move_block(struct design *d, int index, struct heat heat)
{
	int from = d->cells[index].where, to = below(d->site_count), other = d->sites[to].cell;

	if (to == from || d->sites[to].class != d->sites[from].class || !is_free(d, other) ||
	    !is_in(rows, d->sites[to].y))
		return;
	d->sites[to].cell = index;
	d->sites[from].cell = other;
	put(d, index, to, 0);
	if (other >= 0)
		put(d, other, from, 0);
	decide(d, heat);
}

/* What may move */
static void collect(const struct design *d)
{
	free_count = bound_count = block_count = 0;
	for (int i = 0; i < d->cell_count; i++) {
		const struct cell *cell = &d->cells[i];

		if (!is_in(rows, d->at[i].y))
			continue;
		if (cell->bond == FREE && (cell->kind == LUT || cell->kind == FF))
			free_cells[free_count++] = i;
		else if (cell->bond == FREE && cell->kind == BLOCK)
			block_cells[block_count++] = i;
		else if ((cell->bond == IN_CARRY || cell->bond == IN_MEMORY) && cell->kind == LUT)
			bound_cells[bound_count++] = i;
	}
}

struct tally try_moves(struct design *d, double each, int radius, struct heat heat,
		       struct rows among)
{
	struct tally tally = {};
	long left;

	rows = among;
	collect(d);
	left = each * (free_count + bound_count + block_count);
	while (free_count && left-- > 0) {
		int cell = free_cells[below(free_count)], what = below(200);

		if (what < 150) {
			struct result result = move_cell(d, cell, radius, heat);

			tally.legal += result.legal;
			tally.kept += result.kept;
		} else if (what < 188) {
			move_slice(d, cell, radius, heat);
		} else if (what < 199 || !block_count) {
			move_tiles(d,
				   bound_count && below(4) ? bound_cells[below(bound_count)] : cell,
				   radius, heat);
		} else {
			move_block(d, block_cells[below(block_count)], heat);
		}
	}
	return tally;
}

void begin_moves(struct design *d, uint64_t seed)
{
	state = seed * 7919 + 1;
	boxes = array(d->net_count, sizeof(*boxes));
	new_boxes = array(d->net_count, sizeof(*new_boxes));
	wanted = array((d->columns + 1) * (d->rows + 1), sizeof(*wanted));
	for (enum direction i = WEST; i < DIRECTIONS; i++)
		crowd_sums[i] = array((d->columns + 1) * (d->rows + 1), sizeof(*crowd_sums[i]));
	touched = array(d->net_count, sizeof(*touched));
	touch_of = array(d->net_count, sizeof(*touch_of));
	memset(touch_of, -1, d->net_count * sizeof(*touch_of));
	delays = array(d->connection_count, sizeof(*delays));
	last_move = array(d->cell_count, sizeof(*last_move));
	free_cells = array(d->cell_count, sizeof(*free_cells));
	bound_cells = array(d->cell_count, sizeof(*bound_cells));
	block_cells = array(d->cell_count, sizeof(*block_cells));
}
