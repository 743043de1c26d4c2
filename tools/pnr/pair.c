// SPDX-License-Identifier: Apache-2.0
/*
 * Two processes anneal one design. Each has all of it, knows the same at the beginning of a
 * round, and moves the cells in its part of the rows; then they tell each other where these
 * stand. Where the parts meet changes from round to round, so that cells pass.
 *
 * What one sees of the other's part is as old as the round; the same seed gives the same places.
 */

#include "design.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP 0.618034 /* of the parts' border, from round to round: no two near each other */

/* What one of them says at the end of a round */
struct told {
	struct tally tally;
	struct place *at; /* of each cell */
	int *where;
	struct tile *tiles;
	struct site *sites;
	struct run *runs;
};

static struct told told[2][2]; /* by process, in even and in odd rounds */
static int own; /* which of them this one is */
static int to_other, from_other; /* pipes: a byte when a round is told */
static pid_t other;

static void *shared(int count, int size)
{
	void *memory = mmap(NULL, (size_t)(count + 1) * size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("there is no memory for two processes");
	return memory;
}

void begin_pair(const struct design *d)
{
	int pipes[2][2];

	for (int i = 0; i < 4; i++)
		told[i / 2][i % 2] = (struct told){
			.at = shared(d->cell_count, sizeof(struct place)),
			.where = shared(d->cell_count, sizeof(int)),
			.tiles = shared(d->tile_count, sizeof(struct tile)),
			.sites = shared(d->site_count, sizeof(struct site)),
			.runs = shared(d->run_count, sizeof(struct run)),
		};
	signal(SIGPIPE, SIG_IGN); /* that the other has ended is told by write() */
	if (pipe(pipes[0]) || pipe(pipes[1]))
		fail("there are no pipes for two processes");
	other = fork();
	if (other < 0)
		fail("there can be no second process");
	own = !other;
	to_other = pipes[own][1];
	from_other = pipes[!own][0];
	close(pipes[own][0]);
	close(pipes[!own][1]);
}

struct rows own_rows(const struct design *d, int round)
{
	double part = round * STEP - (int)(round * STEP);
	int border = d->rows * (0.4 + 0.2 * part);

	return own ? (struct rows){ border, d->rows - 1 } : (struct rows){ 0, border - 1 };
}

static void tell(const struct design *d, struct told *t)
{
	memcpy(t->at, d->at, d->cell_count * sizeof(*t->at));
	for (int i = 0; i < d->cell_count; i++)
		t->where[i] = d->cells[i].where;
	memcpy(t->tiles, d->tiles, d->tile_count * sizeof(*t->tiles));
	memcpy(t->sites, d->sites, d->site_count * sizeof(*t->sites));
	memcpy(t->runs, d->runs, d->run_count * sizeof(*t->runs));
	if (write(to_other, "", 1) != 1)
		fail("the other process has ended");
}

/* What stood in the other's rows still does, elsewhere. */
static void hear(struct design *d, const struct told *t, struct rows mine)
{
	char byte;

	if (read(from_other, &byte, 1) != 1)
		fail("the other process has ended");
	for (int i = 0; i < d->cell_count; i++)
		if (!is_in(mine, d->at[i].y)) {
			d->at[i] = t->at[i];
			d->cells[i].where = t->where[i];
		}
	for (int i = 0; i < d->run_count; i++)
		if (!is_in(mine, d->tiles[d->runs[i].tile].y))
			d->runs[i] = t->runs[i];
	for (int i = 0; i < d->tile_count; i++)
		if (!is_in(mine, d->tiles[i].y))
			d->tiles[i] = t->tiles[i];
	for (int i = 0; i < d->site_count; i++)
		if (!is_in(mine, d->sites[i].y))
			d->sites[i] = t->sites[i];
}

double end_round(struct design *d, int round, struct tally tally)
{
	struct told *mine = &told[own][round & 1], *others = &told[!own][round & 1];
	long legal;

	mine->tally = tally;
	tell(d, mine);
	hear(d, others, own_rows(d, round));
	legal = tally.legal + others->tally.legal;
	return legal ? (double)(tally.kept + others->tally.kept) / legal : 0;
}

void end_pair(void)
{
	int status;

	if (own)
		_exit(0);
	if (waitpid(other, &status, 0) != other || status)
		fail("the other process has failed");
}

bool is_first(void)
{
	return !own;
}
