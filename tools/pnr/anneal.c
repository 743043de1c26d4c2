// SPDX-License-Identifier: Apache-2.0
/*
 * anneal: better places for a placed ECP5 netlist, by simulated annealing.
 *
 * nextpnr-ecp5's placers spread a netlist well over the device, and then only make moves
 * that gain something at once, three tiles at most. Here moves that cost something are made
 * too, first often, then seldom: half of what counts is wire, half the delay of paths, the
 * long ones most.
 *
 * The same design, seed and C library give the same places.
 */

#include "design.h"
#include "fabric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUNDS = 400, /* each from an analysis of its own */
	QUIET = 8, /* the last, in which no move costs anything */
	RADIUS = 40, /* tiles, at first */
	LEAST_RADIUS = 2,
};

#define COLD 0.006 /* what a move may cost in the end; a net costs WIRE + TIMING in the mean */
#define WIRE 0.8 /* what all wire counts; less of it leaves a 45F that cannot be routed */
#define TIMING 0.5 /* what all delays count */
#define ACCEPTED 0.44 /* of moves, where annealing is known to gain most: sets the radius */

static const char help[] =
	"usage: anneal DATABASE SPEED PERIOD MOVES SEED HEAT <DESIGN >PLACES\n"
	"\n"
	"Moves the cells of a placed design. DATABASE is nextpnr's chipdb of the part; SPEED is\n"
	"0 to 3 for the grades 6, 7, 8 and that of the 5G parts. PERIOD is the aim in ps, by\n"
	"which it tells how many paths are late; MOVES are tried for each cell, a thousand or\n"
	"two take minutes; SEED is 1 or more; HEAT what a move may cost at first, in thousandths,\n"
	"where all that a net costs is 1300 in the mean: 1000 melts any placement. DESIGN is what\n"
	"tools/places.py writes. PLACES has a line for each cell:\n"
	"its number, column, row, and position in its tile; and one for each net: of its sinks\n"
	"the longest path through there, in thousandths of the longest of all.\n";

static int next_radius(int radius, double kept, int most)
{
	int next = radius * (1 - ACCEPTED + kept) + 0.5;

	return next < LEAST_RADIUS ? LEAST_RADIUS : next > most ? most : next;
}

static void report(int round, const struct timing *timing, const struct cost *cost)
{
	fprintf(stderr,
		"round %3d of %d: wire %.0f tiles, at most %.0f in one, longest path %.2f ns, %d late\n",
		round, ROUNDS, cost->wire, cost->crowd, timing->longest / 1000, timing->late);
}

static void anneal(struct design *design, float period, double moves, double warm)
{
	int radius = RADIUS;

	begin_pair(design);
	for (int round = 0; round <= ROUNDS; round++) {
		struct timing timing = analyze(design, period);
		struct cost cost = whole_cost(design);
		struct heat heat = {
			.wire = cost.wire > 0 ? WIRE * design->net_count / cost.wire : 0,
			.timing = cost.timing > 0 ? TIMING * design->net_count / cost.timing : 0,
			.most = round < ROUNDS - QUIET
					? warm * pow(COLD / warm, (double)round / ROUNDS)
					: 0,
		};

		if (round % 40 == 0 && is_first())
			report(round, &timing, &cost);
		if (round < ROUNDS) {
			struct tally tally = try_moves(design, moves / ROUNDS, radius, heat,
						       own_rows(design, round));

			radius = next_radius(radius, end_round(design, round, tally),
					     design->columns);
		}
	}
	end_pair();
}

static void print_places(const struct design *design)
{
	for (int i = 0; i < design->cell_count; i++)
		printf("%d %d %d %d\n", i, design->at[i].x, design->at[i].y,
		       design->at[i].position);
}

static void print_paths(struct design *design, float period)
{
	float *critical = array(design->connection_count, sizeof(*critical));
	struct timing timing = time_paths(design, period);

	find_critical(design, timing.longest, critical);
	for (int i = 0; i < design->net_count; i++) {
		const struct net *net = &design->nets[i];

		for (int k = net->first; k < net->first + net->sinks; k++)
			printf("%.0f ", 1000 * fmaxf(critical[k], 0));
		putchar('\n');
	}
	free(critical);
}

int main(int argc, char **argv)
{
	static struct design design;
	float period;
	struct fabric fabric;
	long speed, moves, seed, heat;

	check_usage(argc, argv, 6, help);
	speed = argument(argv[2], "SPEED", 0, SPEEDS - 1);
	period = argument(argv[3], "PERIOD", 1, 1000000);
	moves = argument(argv[4], "MOVES", 1, 100000);
	seed = argument(argv[5], "SEED", 1, 1000000);
	heat = argument(argv[6], "HEAT", 7, 10000);
	read_fabric(&fabric, argv[1], speed);
	read_design(&design);
	measure_delays(&design, &fabric);
	check_places(&design);
	begin_moves(&design, seed);
	anneal(&design, period, moves, heat / 1000.0);
	check_places(&design);
	print_places(&design);
	print_paths(&design, period);
	if (fflush(stdout) || ferror(stdout))
		fail("the places cannot be written");
	return 0;
}
