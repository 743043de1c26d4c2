// SPDX-License-Identifier: Apache-2.0
/* Reads a design and finds what belongs to each of its cells. */

#include "design.h"
#include "reach.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SINKS = 2000 }; /* of a net whose length matters */

void fail(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	exit(1);
}

void *array(int count, int size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		fail("no memory for %d things of %d bytes", count, size);
	return memory;
}

void check_usage(int argc, char **argv, int arguments, const char *help)
{
	bool asked = argc == 2 && !strcmp(argv[1], "--help");

	if (!asked && argc - 1 == arguments)
		return;
	fputs(help, asked ? stdout : stderr);
	exit(asked ? 0 : 2);
}

long argument(const char *text, const char *name, long least, long most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end || value < least || value > most)
		fail("%s is '%s', not %ld to %ld; %s --help tells more", name, text, least, most,
		     program_invocation_short_name);
	return value;
}

int slot_of(const struct design *d, int cell)
{
	switch (d->cells[cell].kind) {
	case LUT:
		return d->at[cell].position;
	case FF:
		return FF0 + d->at[cell].position;
	default:
		return WRITER;
	}
}

/* The next number, of which there has to be one from least to most */
static int number(const char *what, int least, int most)
{
	int value;

	if (scanf("%d", &value) != 1)
		fail("no number where %s should be", what);
	if (value < least || value > most)
		fail("%s is %d, not %d to %d", what, value, least, most);
	return value;
}

static int count(const char *what)
{
	return number(what, 0, 1 << 24);
}

static void read_tiles(struct design *d)
{
	d->columns = number("columns", 1, 1000);
	d->rows = number("rows", 1, 1000);
	for (int i = 0; i < LUTS; i++)
		d->delays.in_tile[0][i] = number("route within a tile", 0, 10000);
	for (int i = 0; i < LUTS; i++)
		d->delays.beyond[0][i] = number("what a route takes more", 0, 10000);
	d->delays.in_tile[1][0] = number("route from a register", 0, 10000);
	for (int i = 1; i < LUTS; i++)
		d->delays.in_tile[1][i] = d->delays.in_tile[1][0];
	d->tile_at = array(d->columns * d->rows, sizeof(*d->tile_at));
	memset(d->tile_at, -1, d->columns * d->rows * sizeof(*d->tile_at));
	d->tile_count = count("tiles");
	d->tiles = array(d->tile_count, sizeof(*d->tiles));
	for (int i = 0; i < d->tile_count; i++) {
		struct tile *tile = &d->tiles[i];

		tile->x = number("column", 0, d->columns - 1);
		tile->y = number("row", 0, d->rows - 1);
		tile->run = -1;
		memset(tile->slot, -1, sizeof(tile->slot));
		d->tile_at[tile->x + tile->y * d->columns] = i;
	}
	d->site_count = count("sites");
	d->sites = array(d->site_count, sizeof(*d->sites));
	for (int i = 0; i < d->site_count; i++)
		d->sites[i] = (struct site){ .class = number("class of a site", 0, 9),
					     .x = number("column", 0, d->columns - 1),
					     .y = number("row", 0, d->rows - 1),
					     .cell = -1 };
}

static void place_in_tile(struct design *d, int index)
{
	const struct place *at = &d->at[index];
	struct cell *cell = &d->cells[index];
	struct tile *tile;

	cell->where = d->tile_at[at->x + at->y * d->columns];
	if (cell->where < 0)
		fail("cell %d stands at %d, %d, where no logic is", index, at->x, at->y);
	tile = &d->tiles[cell->where];
	if (tile->slot[slot_of(d, index)] >= 0)
		fail("cells %d and %d stand in one place", index, tile->slot[slot_of(d, index)]);
	tile->slot[slot_of(d, index)] = index;
	if (cell->kind == LUT && cell->bond == STAYS)
		tile->taken |= 1U << at->position;
}

static void place_at_site(struct design *d, int index)
{
	const struct place *at = &d->at[index];
	struct cell *cell = &d->cells[index];

	cell->where = -1;
	for (int i = 0; i < d->site_count; i++)
		if (d->sites[i].x == at->x && d->sites[i].y == at->y &&
		    d->sites[i].class == cell->tile_set)
			cell->where = i;
	if (cell->where < 0)
		fail("cell %d stands at %d, %d, where no site is", index, at->x, at->y);
	d->sites[cell->where].cell = index;
}

static void read_cells(struct design *d)
{
	d->cell_count = count("cells");
	d->cells = array(d->cell_count, sizeof(*d->cells));
	d->at = array(d->cell_count, sizeof(*d->at));
	for (int i = 0; i < d->cell_count; i++) {
		struct cell *cell = &d->cells[i];

		cell->kind = number("kind of a cell", LUT, OTHER);
		d->at[i].x = number("column", 0, d->columns - 1);
		d->at[i].y = number("row", 0, d->rows - 1);
		d->at[i].position = number("position", 0, LUTS - 1);
		cell->bond = number("bond", STAYS, IN_MEMORY);
		cell->tile_set = number("set", -1, 1 << 24);
		cell->slice_set = number("set", -1, 1 << 24);
		cell->partner = number("partner", -1, d->cell_count - 1);
		if (cell->kind == BLOCK)
			place_at_site(d, i);
		else if (cell->kind != OTHER)
			place_in_tile(d, i);
	}
}

static void read_runs(struct design *d)
{
	d->run_count = count("runs");
	d->runs = array(d->run_count, sizeof(*d->runs));
	for (int i = 0; i < d->run_count; i++) {
		int x = number("column", 0, d->columns - 1);
		int y = number("row", 0, d->rows - 1);

		d->runs[i].length = number("length of a run", 1, d->columns - x);
		d->runs[i].tile = d->tile_at[x + y * d->columns];
		for (int k = 0; k < d->runs[i].length; k++) {
			if (d->tile_at[x + k + y * d->columns] < 0)
				fail("run %d leaves the logic", i);
			d->tiles[d->tile_at[x + k + y * d->columns]].run = i;
		}
	}
}

static void read_nets(struct design *d)
{
	int next = 0;

	d->net_count = count("nets");
	d->connection_count = count("connections");
	d->nets = array(d->net_count, sizeof(*d->nets));
	d->connections = array(d->connection_count, sizeof(*d->connections));
	d->sinks = array(d->connection_count, sizeof(*d->sinks));
	for (int i = 0; i < d->net_count; i++) {
		struct net *net = &d->nets[i];
		bool from_register;

		net->driver = number("driver", 0, d->cell_count - 1);
		from_register = number("register", 0, 1);
		net->start = number("start", -1, 1 << 24);
		net->sinks = number("sinks", 0, d->connection_count - next);
		net->first = next;
		net->ignored = net->sinks > MOST_SINKS;
		net->branching = fmaxf(1, 0.6f * powf(net->sinks + 1, 0.4f));
		for (int k = 0; k < net->sinks; k++, next++) {
			d->sinks[next] = number("sink", 0, d->cell_count - 1);
			d->connections[next] =
				(struct connection){ .net = i,
						     .driver = net->driver,
						     .from_register = from_register,
						     .input = number("input", OWN_WIRE,
								     INPUTS - 1) };
		}
	}
}

/* A connection is told by its net and its number there. */
static int connection(const struct design *d)
{
	const struct net *net = &d->nets[number("net", 0, d->net_count - 1)];

	return net->first + number("sink", 0, net->sinks - 1);
}

static void read_paths(struct design *d)
{
	d->arc_count = count("arcs");
	d->arcs = array(d->arc_count, sizeof(*d->arcs));
	for (int i = 0; i < d->arc_count; i++) {
		d->arcs[i].net = number("net", 0, d->net_count - 1);
		d->arcs[i].connection = connection(d);
		d->arcs[i].delay = number("delay", 0, 1 << 24);
	}
	d->end_count = count("ends");
	d->ends = array(d->end_count, sizeof(*d->ends));
	d->setups = array(d->end_count, sizeof(*d->setups));
	for (int i = 0; i < d->end_count; i++) {
		d->ends[i] = connection(d);
		d->setups[i] = number("setup", 0, 1 << 24);
	}
}

static void index_cells(struct design *d)
{
	int *seen = array(d->net_count, sizeof(*seen)); /* where of nets_of */
	int inputs = 0, outputs = 0, nets = 0;

	for (int i = 0; i < d->connection_count; i++)
		d->cells[d->sinks[i]].inputs += !d->nets[d->connections[i].net].ignored;
	for (int i = 0; i < d->net_count; i++)
		d->cells[d->nets[i].driver].outputs += !d->nets[i].ignored;
	for (int i = 0; i < d->cell_count; i++) {
		struct cell *cell = &d->cells[i];

		cell->first_input = inputs;
		cell->first_output = outputs;
		inputs += cell->inputs;
		outputs += cell->outputs;
		cell->inputs = 0;
		cell->outputs = 0;
	}
	d->inputs = array(inputs, sizeof(*d->inputs));
	d->outputs = array(outputs, sizeof(*d->outputs));
	d->nets_of = array(inputs + outputs, sizeof(*d->nets_of));
	for (int i = 0; i < d->connection_count; i++) {
		struct cell *cell = &d->cells[d->sinks[i]];

		if (!d->nets[d->connections[i].net].ignored)
			d->inputs[cell->first_input + cell->inputs++] = i;
	}
	for (int i = 0; i < d->net_count; i++) {
		struct cell *cell = &d->cells[d->nets[i].driver];

		if (!d->nets[i].ignored)
			d->outputs[cell->first_output + cell->outputs++] = i;
	}
	memset(seen, -1, d->net_count * sizeof(*seen));
	for (int i = 0; i < d->cell_count; i++) {
		struct cell *cell = &d->cells[i];

		cell->first_net = nets;
		for (int k = 0; k < cell->inputs + cell->outputs; k++) {
			int net = k < cell->inputs
					  ? d->connections[d->inputs[cell->first_input + k]].net
					  : d->outputs[cell->first_output + k - cell->inputs];

			if (seen[net] < cell->first_net) {
				seen[net] = nets;
				d->nets_of[nets++].net = net;
			}
			d->nets_of[seen[net]].count++;
		}
		cell->nets = nets - cell->first_net;
	}
	free(seen);
}

void read_design(struct design *design)
{
	read_tiles(design);
	read_cells(design);
	read_runs(design);
	read_nets(design);
	read_paths(design);
	index_cells(design);
	order_nets(design);
}
