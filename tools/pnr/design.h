/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A placed netlist of an ECP5, as the annealer and the router see it.
 *
 * A tile of logic has eight places for a LUT, eight for a flip-flop, two of each a slice,
 * and one for the writer of a distributed memory. Larger cells have sites of their own. What
 * a cell is for does not matter here; what it may stand beside does (moves.c).
 *
 * Times are in ps, distances in tiles. All of it is read from text (tools/places.py writes
 * it); a mistake there ends the program with a line that names it.
 */
#ifndef DESIGN_H
#define DESIGN_H

#include <stdbool.h>
#include <stdint.h>

enum { LUTS = 8, FF0 = 8, WRITER = 16, SLOTS = 17 }; /* of a tile */

enum kind { LUT, FF, MEMORY_WRITER, BLOCK, OTHER };

/* How a cell may move: by itself, with all its tile, or not at all. */
enum bond { STAYS, FREE, IN_CARRY, IN_MEMORY };

/* What every move looks at of many cells stands by itself, in cache. */
struct place {
	int16_t x, y;
	int16_t position; /* of a LUT or flip-flop in its tile, 0 to 7 */
};

struct cell {
	enum kind kind;
	enum bond bond;
	int where; /* tile, or site of a block */
	int partner; /* flip-flop of a LUT, or LUT of a flip-flop, that share a wire; or -1 */
	/* What flip-flops must have in common: in a tile, and in a slice. Of a block its class. */
	int tile_set, slice_set;
	/* Of design.inputs and the like; what nets are that are ignored is not among them. */
	int inputs, first_input;
	int outputs, first_output;
	int nets, first_net; /* each net once */
};

struct tile {
	int x, y;
	int slot[SLOTS]; /* the cell there, or -1 */
	int run; /* of carry cells, or -1 */
	unsigned int taken; /* places of LUTs that stay */
};

struct site {
	int class, x, y;
	int cell; /* or -1 */
};

/* Tiles side by side that a carry chain goes through */
struct run {
	int tile, length;
};

struct net {
	int driver;
	int start; /* when its value is there behind the clock, or -1: it comes through logic */
	int first, sinks; /* connections */
	float branching; /* wire that it takes, in halves of its box */
	bool ignored; /* drives half the device: no place is near all of it */
};

struct connection {
	int net, driver;
	bool from_register;
	int8_t input; /* an enum input (reach.h), or OWN_WIRE: it needs no route */
	float delay;
	float weight; /* what a ps of it costs */
	float limit; /* from where on it costs more, since its path would be a long one */
};

/* Through a cell: from the end of a connection to the net it drives */
struct arc {
	int net, connection;
	float delay;
};

enum { OWN_WIRE = -1 };

struct pins { /* of a cell on a net */
	int net, count;
};

/*
 * What a route takes: within a tile, and to another one, by how far away that is to each side.
 * The latter is what it takes in an empty device, and something for the way around others, and
 * for the wires of the LUT that it comes from.
 */
struct delays {
	float in_tile[2][LUTS], beyond[2][LUTS]; /* from a LUT, from a register at a position */
	int columns, rows;
	float *between[2];
};

struct design {
	int columns, rows;
	struct delays delays;
	struct tile *tiles; /* row by row, in a row from left to right */
	struct site *sites;
	struct cell *cells;
	struct place *at; /* of each cell */
	struct run *runs;
	struct net *nets;
	struct connection *connections;
	int *sinks; /* cell of each connection */
	struct arc *arcs; /* by net */
	int *ends; /* connections where paths end */
	float *setups; /* what each of these needs before its clock */
	int tile_count, site_count, cell_count, run_count, net_count, connection_count;
	int arc_count, end_count;
	int *tile_at; /* of column + row * columns, or -1 */
	int *inputs; /* connections, cell by cell */
	int *outputs; /* nets, cell by cell */
	struct pins *nets_of; /* nets, cell by cell */
	int *first_arc; /* of each net, and the end */
	int *order; /* of nets, each behind those that it depends on */
	float *arrival, *required; /* of each net at its driver */
};

/* Ends the program with a text. */
__attribute__((format(printf, 1, 2), noreturn)) void fail(const char *format, ...);

/* Zeroed memory for count things; ends the program if there is none. */
void *array(int count, int size);

/* Ends the program with its help if that is asked for, or with a usage error if there are not so
 * many arguments. */
void check_usage(int argc, char **argv, int arguments, const char *help);

/* A number of the command line, named as in the help; ends the program if it is no such one. */
long argument(const char *text, const char *name, long least, long most);

/* From standard input */
void read_design(struct design *design);

/* Of its tile */
int slot_of(const struct design *design, int cell);

/* --- delay.c --- */

/* Takes the nets into an order; fails if there is a loop. */
void order_nets(struct design *design);

struct fabric;

/* What routes take in such a part; fails if the design is larger. */
void measure_delays(struct design *design, const struct fabric *fabric);

/* What a route takes, by the places of both cells */
float delay_of(const struct design *design, int connection);

struct timing {
	float longest;
	int late; /* ends beyond the period */
};

/*
 * Delays, arrivals and weights of all connections as cells stand now. A weight falls by no
 * more than a few percent a call.
 */
struct timing analyze(struct design *design, float period);

/* With the delays that connections have */
struct timing time_paths(struct design *design, float period);

/* How urgent each connection is by those arrivals: 1 if a path through it takes the period */
void find_critical(struct design *design, float period, float *critical);

/* The cost of a connection if it had that delay */
double price_of(const struct connection *connection, float delay);

/* --- moves.c --- */

struct cost {
	double wire, timing; /* tiles, where they are crowded more; weighted ps */
	float crowd; /* wires along rows, of one direction, wanted in the tile where most are */
};

/* What one of each costs, and how much more a move may cost: 0, none */
struct heat {
	double wire, timing, most;
};

void begin_moves(struct design *design, uint64_t seed);

/* All of it, by the weights of the last analysis */
struct cost whole_cost(struct design *design);

struct rows {
	int first, last;
};

static inline bool is_in(struct rows rows, int y)
{
	return y >= rows.first && y <= rows.last;
}

struct tally {
	long legal, kept; /* moves of single cells */
};

/*
 * So many moves tried for each cell in some rows, each no further than radius, or to what the
 * cell is connected to. Nothing else moves.
 */
struct tally try_moves(struct design *design, double each, int radius, struct heat heat,
		       struct rows rows);

/* Fails, with the place, if cells stand together that must not. */
void check_places(const struct design *design);

/* --- pair.c --- */

/* From here on there are two processes. */
void begin_pair(const struct design *design);

/* Whether this one speaks for both */
bool is_first(void);

/* Those of a round that this one may move cells in */
struct rows own_rows(const struct design *design, int round);

/* What both moved is known to both; returns the share of legal moves that was made. */
double end_round(struct design *design, int round, struct tally tally);

/* Returns in the first alone. */
void end_pair(void);

#endif
