// SPDX-License-Identifier: Apache-2.0
/*
 * Reads a chipdb of nextpnr-ecp5: little-endian, its pointers relative to themselves. Tiles
 * of the same content share one location type. What of it nothing here needs is skipped.
 */

#include "fabric.h"
#include "design.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct slice {
	int32_t offset; /* from here */
	uint32_t size;
};

struct location {
	int16_t x, y;
};

struct pip_info {
	struct location from, to; /* relative to the pip's tile */
	int16_t from_index, to_index;
	int16_t delay;
	int8_t tile_type, type;
	int16_t permutation;
	int16_t padding;
};

struct pip_locator {
	struct location where; /* relative to the wire's tile */
	int32_t index;
};

struct wire_info {
	int32_t name; /* a pointer */
	int16_t type, tile_wire;
	struct slice uphill, downhill, pins;
};

struct location_type {
	struct slice bels, wires, pips;
};

struct delay_info {
	int32_t least_base, base, least_load, load;
};

struct speed_grade {
	struct slice cells, pips;
};

struct chip {
	int32_t columns, rows, tiles, names;
	struct slice locations, location_type, globals, tile_types, packages, pads, tile_info,
		speeds;
};

_Static_assert(sizeof(struct pip_info) == 20 && sizeof(struct wire_info) == 32 &&
		       sizeof(struct chip) == 80,
	       "as in the database");

enum {
	PERMUTES = 0x4000, /* in permutation: lut << 4 | pin << 2 | input */
	MOST_KINDS = 128, /* that a node (search.h) tells apart */
	KIND = 4, /* characters of a name that tell the kind of a wire */
};

static const void *at(const struct slice *slice)
{
	return (const char *)slice + slice->offset;
}

static const struct chip *chip_of(const struct fabric *fabric)
{
	return (const struct chip *)((const char *)fabric->database +
				     *(const int32_t *)fabric->database);
}

static const struct location_type *type_of(const struct fabric *fabric, int tile)
{
	const struct chip *chip = chip_of(fabric);
	const int32_t *types = at(&chip->location_type);

	return (const struct location_type *)at(&chip->locations) + types[tile];
}

static const struct wire_info *wire_info(const struct fabric *fabric, int wire)
{
	int tile = fabric->tile[wire];

	return (const struct wire_info *)at(&type_of(fabric, tile)->wires) + wire -
	       fabric->first_wire[tile];
}

static const char *name_of(const struct wire_info *info)
{
	return (const char *)&info->name + info->name;
}

static int beside(const struct fabric *fabric, int tile, struct location by)
{
	return tile + by.x + by.y * fabric->columns;
}

static const struct pip_info *pip_info(const struct fabric *fabric, int tile, int index)
{
	return (const struct pip_info *)at(&type_of(fabric, tile)->pips) + index;
}

static const void *map(const char *path)
{
	int file = open(path, O_RDONLY);
	struct stat status;
	void *memory;

	if (file < 0 || fstat(file, &status))
		fail("%s cannot be read", path);
	memory = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (memory == MAP_FAILED || status.st_size < (int)sizeof(struct chip))
		fail("%s is no database of a part", path);
	close(file);
	return memory;
}

/* The start of a name tells which way a wire leads and how far. */
static int kind_of(const char *name, char (*kinds)[KIND + 1], int *count)
{
	char start[KIND + 1];

	snprintf(start, sizeof(start), "%s", name);
	if (!strchr("HV", *start))
		start[1] = 0; /* an input or output of a cell */
	for (int i = 0; i < *count; i++)
		if (!strcmp(kinds[i], start))
			return i;
	if (*count == MOST_KINDS)
		fail("the wires are of more than %d kinds", MOST_KINDS);
	strcpy(kinds[*count], start);
	return (*count)++;
}

static void read_wires(struct fabric *fabric, int tiles)
{
	static char kinds[MOST_KINDS][KIND + 1];

	fabric->first_wire = array(tiles + 1, sizeof(*fabric->first_wire));
	for (int t = 0; t < tiles; t++)
		fabric->first_wire[t + 1] = fabric->first_wire[t] + type_of(fabric, t)->wires.size;
	fabric->wires = fabric->first_wire[tiles];
	fabric->tile = array(fabric->wires, sizeof(*fabric->tile));
	fabric->kind = array(fabric->wires, sizeof(*fabric->kind));
	for (int t = 0; t < tiles; t++)
		for (int w = fabric->first_wire[t]; w < fabric->first_wire[t + 1]; w++) {
			fabric->tile[w] = t;
			fabric->kind[w] =
				kind_of(name_of(wire_info(fabric, w)), kinds, &fabric->kinds);
		}
}

static void read_pips(struct fabric *fabric)
{
	int next = 0;

	fabric->first_pip = array(fabric->wires + 1, sizeof(*fabric->first_pip));
	for (int w = 0; w < fabric->wires; w++)
		fabric->first_pip[w + 1] =
			fabric->first_pip[w] + wire_info(fabric, w)->downhill.size;
	fabric->pips = fabric->first_pip[fabric->wires];
	fabric->to = array(fabric->pips, sizeof(*fabric->to));
	fabric->delay = array(fabric->pips, sizeof(*fabric->delay));
	for (int w = 0; w < fabric->wires; w++) {
		const struct wire_info *info = wire_info(fabric, w);
		const struct pip_locator *locator = at(&info->downhill);

		for (uint32_t i = 0; i < info->downhill.size; i++, next++) {
			int tile = beside(fabric, fabric->tile[w], locator[i].where);
			const struct pip_info *pip = pip_info(fabric, tile, locator[i].index);

			fabric->to[next] =
				fabric->first_wire[beside(fabric, tile, pip->to)] + pip->to_index;
			fabric->delay[next] = pip->delay;
		}
	}
}

static void read_delays(struct fabric *fabric, int speed)
{
	const struct chip *chip = chip_of(fabric);
	const struct speed_grade *grade = (const struct speed_grade *)at(&chip->speeds) + speed;
	const struct delay_info *info = at(&grade->pips);

	fabric->delays = array(grade->pips.size, sizeof(*fabric->delays));
	for (uint32_t i = 0; i < grade->pips.size; i++)
		fabric->delays[i] = (struct pip_delay){ info[i].base, info[i].load };
}

void read_fabric(struct fabric *fabric, const char *path, int speed)
{
	const struct chip *chip;

	*fabric = (struct fabric){ .database = map(path) };
	chip = chip_of(fabric);
	if (chip->columns * chip->rows != chip->tiles || chip->tiles > UINT16_MAX ||
	    chip->location_type.size != (uint32_t)chip->tiles || chip->speeds.size != SPEEDS)
		fail("%s is no database of a part", path);
	fabric->columns = chip->columns;
	fabric->rows = chip->rows;
	read_wires(fabric, chip->tiles);
	read_pips(fabric);
	read_delays(fabric, speed);
}

int find_wire(const struct fabric *fabric, int x, int y, const char *name)
{
	int tile = x + y * fabric->columns;

	if (x < 0 || x >= fabric->columns || y < 0 || y >= fabric->rows)
		fail("there is no tile %d, %d", x, y);
	for (int w = fabric->first_wire[tile]; w < fabric->first_wire[tile + 1]; w++)
		if (!strcmp(name_of(wire_info(fabric, w)), name))
			return w;
	fail("there is no wire %s in tile %d, %d", name, x, y);
}

const char *base_name(const struct fabric *fabric, int wire)
{
	return name_of(wire_info(fabric, wire));
}

bool is_clock_wire(const struct fabric *fabric, int wire)
{
	return !strncmp(base_name(fabric, wire), "G_", 2);
}

int find_kind(const struct fabric *fabric, const char *start)
{
	for (int w = 0; w < fabric->wires; w++)
		if (!strncmp(base_name(fabric, w), start, strlen(start)))
			return fabric->kind[w];
	fail("there is no wire %s", start);
}

void wire_name(const struct fabric *fabric, int wire, char name[static NAME])
{
	int tile = fabric->tile[wire];

	snprintf(name, NAME, "X%d/Y%d/%s", tile % fabric->columns, tile / fabric->columns,
		 name_of(wire_info(fabric, wire)));
}

void pip_name(const struct fabric *fabric, int from, int pip, char name[static NAME])
{
	const struct wire_info *source = wire_info(fabric, from);
	const struct pip_locator *locator =
		(const struct pip_locator *)at(&source->downhill) + pip - fabric->first_pip[from];
	int tile = beside(fabric, fabric->tile[from], locator->where);
	const struct pip_info *info = pip_info(fabric, tile, locator->index);

	snprintf(name, NAME, "X%d/Y%d/%d_%d_%s->%d_%d_%s", tile % fabric->columns,
		 tile / fabric->columns, info->from.x, info->from.y, name_of(source), info->to.x,
		 info->to.y, name_of(wire_info(fabric, fabric->to[pip])));
}

int uphill(const struct fabric *fabric, int wire, int *from, int *delay, int most)
{
	const struct wire_info *info = wire_info(fabric, wire);
	const struct pip_locator *locator = at(&info->uphill);
	int count = info->uphill.size;

	for (int i = 0; i < count && i < most; i++) {
		int tile = beside(fabric, fabric->tile[wire], locator[i].where);
		const struct pip_info *pip = pip_info(fabric, tile, locator[i].index);

		from[i] = fabric->first_wire[beside(fabric, tile, pip->from)] + pip->from_index;
		delay[i] = pip->delay;
	}
	return count;
}

void limit_permutation(struct fabric *fabric,
		       int (*keep)(const void *context, int x, int y, int lut, int pin, int input),
		       const void *context)
{
	for (int w = 0; w < fabric->wires; w++) {
		const struct wire_info *info = wire_info(fabric, w);
		const struct pip_locator *locator = at(&info->downhill);

		for (uint32_t i = 0; i < info->downhill.size; i++) {
			int tile = beside(fabric, fabric->tile[w], locator[i].where);
			int flags = pip_info(fabric, tile, locator[i].index)->permutation;

			if (flags & PERMUTES &&
			    !keep(context, tile % fabric->columns, tile / fabric->columns,
				  flags >> 4 & 7, flags >> 2 & 3, flags & 3))
				fabric->to[fabric->first_pip[w] + i] = -1;
		}
	}
}
