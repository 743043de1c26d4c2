/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wires of an ECP5 and the switches between them, from nextpnr's database of the part.
 *
 * A wire has one driver at a time. A pip, a programmable interconnect point, lets one wire
 * drive another; its delay grows with the number of pips that the same wire drives.
 *
 * Delays are in ps. Wires and pips are numbers; wire_name() and pip_name() tell what nextpnr
 * calls them.
 */
#ifndef FABRIC_H
#define FABRIC_H

#include <stdbool.h>
#include <stdint.h>

enum { SPEEDS = 4 }; /* grades 6, 7, 8 and that of the 5G parts */
enum { MOST_UPHILL = 64 }; /* wires that can drive one, with some to spare */
enum { NAME = 100 }; /* characters of a wire or pip, with the end */

struct pip_delay {
	float base, load; /* load for each pip that the same wire drives */
};

struct fabric {
	int columns, rows, wires, pips;
	int kinds; /* of wires: of the same length and direction */
	int *first_wire; /* of each tile, and the end */
	uint16_t *tile; /* of each wire: column + row * columns */
	uint16_t *kind; /* of each wire */
	int *first_pip; /* of each wire, and the end: those that it drives through */
	int *to; /* the wire behind a pip; -1: it is not to be used */
	uint16_t *delay; /* of each pip: of delays */
	struct pip_delay *delays;
	const void *database;
};

/* speed is one of SPEEDS */
void read_fabric(struct fabric *fabric, const char *path, int speed);

/* Fails if there is no such wire. */
int find_wire(const struct fabric *fabric, int x, int y, const char *name);

/* Is it a wire of the clock network, which goes everywhere in no time? */
bool is_clock_wire(const struct fabric *fabric, int wire);

/* Of wires whose names begin so, of which there is one */
int find_kind(const struct fabric *fabric, const char *start);

/* Without its tile */
const char *base_name(const struct fabric *fabric, int wire);

void wire_name(const struct fabric *fabric, int wire, char name[static NAME]);
void pip_name(const struct fabric *fabric, int from, int pip, char name[static NAME]);

/* Wires that can drive a wire, with their pips' delays, into from[] and delay[], of which at
 * most that many are filled; returns how many there are. */
int uphill(const struct fabric *fabric, int wire, int *from, int *delay, int most);

/* Takes out the pips from a LUT's inputs to those of its pins that keep() does not allow. */
void limit_permutation(struct fabric *fabric,
		       int (*keep)(const void *context, int x, int y, int lut, int pin, int input),
		       const void *context);

#endif
