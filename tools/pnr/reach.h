/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a route needs at least, by the kind of the wire where it starts, how many tiles there
 * are to its end, and which of a tile's inputs that is: measured in an empty device.
 */
#ifndef REACH_H
#define REACH_H

#include "fabric.h"

/* Of a LUT, M of a flip-flop, its clock enable, its reset */
enum input { TO_LUT, TO_M, TO_CE, TO_LSR, INPUTS };

#define HOP 60.0f /* ps: what a wire costs where time does not count, besides its delay */

struct left {
	float delay, cost; /* cost is that with HOP for each wire */
};

struct reach {
	int columns, rows; /* to each side: all of the device */
	int kinds;
	struct left *left;
};

/*
 * SEARCHED: what a search may count on; the way to a LUT is that to the nearest of its inputs,
 * which change places. PLACED: what a placement may count on, by one input and without costs.
 */
enum purpose { SEARCHED, PLACED };

void measure_reach(struct reach *reach, const struct fabric *fabric, enum purpose purpose);

struct left *left_from(const struct reach *reach, int kind, enum input input, int columns,
		       int rows);

/* By the name of its wire; that of another cell is as a LUT's. */
enum input input_of(const char *name);

#endif
