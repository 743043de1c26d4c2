// SPDX-License-Identifier: Apache-2.0
/*
 * When paths arrive, and what their connections therefore cost.
 *
 * The criticality of a connection is the longest path through it, as a share of the longest
 * of all. Its weight is a high power of that: nearly nothing for most, so that they give
 * way, and 1 for the longest. A weight that could fall at once would let a path swing: short
 * while it weighs, stretched as soon as it does not.
 */

#include "design.h"
#include "reach.h"

#include <math.h>
#include <stdlib.h>

#define AROUND 70.0f /* ps */
#define EXPONENT 8.0f
#define KEPT 0.95f /* of a weight, from one analysis to the next */
#define SPARED 0.05f /* of the longest path: no path may come closer at no cost */
#define SHARE 0.5f /* of what a path has to spare, for one connection of it */

void measure_delays(struct design *d, const struct fabric *fabric)
{
	struct delays *delays = &d->delays;
	struct reach reach;
	float *next[2];
	int sources[] = { find_kind(fabric, "F"), find_kind(fabric, "Q") };

	if (d->columns > fabric->columns || d->rows > fabric->rows)
		fail("the design has %d columns and %d rows, the part %d and %d", d->columns,
		     d->rows, fabric->columns, fabric->rows);
	measure_reach(&reach, fabric, PLACED);
	delays->columns = reach.columns;
	delays->rows = reach.rows;
	for (int from = 0; from < 2; from++) {
		next[from] = delays->between[from] =
			array(INPUTS * (2 * reach.columns + 1) * (2 * reach.rows + 1),
			      sizeof(**delays->between));
		for (enum input input = 0; input < INPUTS; input++)
			for (int y = -reach.rows; y <= reach.rows; y++)
				for (int x = -reach.columns; x <= reach.columns; x++)
					*next[from]++ = AROUND + left_from(&reach, sources[from],
									   input, x, y)
									 ->delay;
	}
	free(reach.left);
}

float delay_of(const struct design *d, int index)
{
	const struct connection *connection = &d->connections[index];
	const struct place *from = &d->at[connection->driver], *to = &d->at[d->sinks[index]];
	const struct delays *delays = &d->delays;
	int columns = to->x - from->x, rows = to->y - from->y;

	if (connection->input == OWN_WIRE)
		return 0;
	if (!columns && !rows)
		return delays->in_tile[connection->from_register][from->position];
	return delays->beyond[connection->from_register][from->position] +
	       delays->between[connection->from_register]
			      [(connection->input * (2 * delays->rows + 1) + rows + delays->rows) *
				       (2 * delays->columns + 1) +
			       columns + delays->columns];
}

double price_of(const struct connection *connection, float delay)
{
	float beyond = delay - connection->limit;

	return connection->weight * delay + (beyond > 0 ? beyond : 0);
}

static int by_net(const void *one, const void *other)
{
	return ((const struct arc *)one)->net - ((const struct arc *)other)->net;
}

void order_nets(struct design *d)
{
	int *first = array(d->connection_count + 1, sizeof(*first)); /* arcs by connection */
	int *arcs = array(d->arc_count, sizeof(*arcs));
	int *waits = array(d->net_count, sizeof(*waits)); /* for so many arcs */
	int done = 0, known = 0;

	qsort(d->arcs, d->arc_count, sizeof(*d->arcs), by_net);
	d->first_arc = array(d->net_count + 1, sizeof(*d->first_arc));
	d->order = array(d->net_count, sizeof(*d->order));
	d->arrival = array(d->net_count, sizeof(*d->arrival));
	d->required = array(d->net_count, sizeof(*d->required));
	for (int i = 0; i < d->arc_count; i++) {
		d->first_arc[d->arcs[i].net + 1]++;
		first[d->arcs[i].connection]++;
		waits[d->arcs[i].net]++;
	}
	for (int i = 0; i < d->net_count; i++)
		d->first_arc[i + 1] += d->first_arc[i];
	for (int i = 0; i < d->connection_count; i++)
		first[i + 1] += first[i];
	for (int i = 0; i < d->arc_count; i++)
		arcs[--first[d->arcs[i].connection]] = i;
	for (int i = 0; i < d->net_count; i++)
		if (!waits[i])
			d->order[known++] = i;
	while (done < known) {
		const struct net *net = &d->nets[d->order[done++]];

		for (int a = first[net->first]; a < first[net->first + net->sinks]; a++) {
			int behind = d->arcs[arcs[a]].net;

			if (!--waits[behind])
				d->order[known++] = behind;
		}
	}
	if (known < d->net_count)
		fail("%d nets depend on themselves", d->net_count - known);
	free(first);
	free(arcs);
	free(waits);
}

static void find_arrivals(struct design *d)
{
	for (int i = 0; i < d->net_count; i++) {
		int net = d->order[i];
		float latest = d->nets[net].start >= 0 ? d->nets[net].start : -INFINITY;

		for (int a = d->first_arc[net]; a < d->first_arc[net + 1]; a++) {
			const struct connection *c = &d->connections[d->arcs[a].connection];

			latest = fmaxf(latest, d->arrival[c->net] + c->delay + d->arcs[a].delay);
		}
		d->arrival[net] = latest;
	}
}

static float arrival_at(const struct design *d, const struct connection *c)
{
	return d->arrival[c->net] + c->delay;
}

/* Takes note that a path through a connection has so much time left behind it. */
static void require(struct design *d, struct connection *c, float by, float *spare)
{
	*spare = fminf(*spare, by - arrival_at(d, c));
	d->required[c->net] = fminf(d->required[c->net], by - c->delay);
}

/* What the longest path through each connection has left of a time */
static void find_spare(struct design *d, float longest, float *spare)
{
	for (int i = 0; i < d->connection_count; i++)
		spare[i] = longest;
	for (int i = 0; i < d->net_count; i++)
		d->required[i] = INFINITY;
	for (int i = 0; i < d->end_count; i++)
		require(d, &d->connections[d->ends[i]], longest - d->setups[i], &spare[d->ends[i]]);
	for (int i = d->net_count - 1; i >= 0; i--) {
		int net = d->order[i];

		for (int a = d->first_arc[net]; a < d->first_arc[net + 1]; a++)
			require(d, &d->connections[d->arcs[a].connection],
				d->required[net] - d->arcs[a].delay, &spare[d->arcs[a].connection]);
	}
}

static void set_weights(struct design *d, float longest)
{
	float *spare = array(d->connection_count, sizeof(*spare));

	find_spare(d, longest, spare);
	for (int i = 0; i < d->connection_count; i++) {
		struct connection *c = &d->connections[i];
		float weight = powf(fmaxf(1 - spare[i] / longest, 0), EXPONENT);

		c->weight = fmaxf(weight, KEPT * c->weight);
		c->limit = c->delay + fmaxf(spare[i] - SPARED * longest, 0) * SHARE;
	}
	free(spare);
}

struct timing time_paths(struct design *d, float period)
{
	struct timing timing = { .longest = 1 };

	find_arrivals(d);
	for (int i = 0; i < d->end_count; i++) {
		float time = arrival_at(d, &d->connections[d->ends[i]]) + d->setups[i];

		timing.longest = fmaxf(timing.longest, time);
		timing.late += time > period;
	}
	return timing;
}

struct timing analyze(struct design *d, float period)
{
	struct timing timing;

	for (int i = 0; i < d->connection_count; i++)
		d->connections[i].delay = delay_of(d, i);
	timing = time_paths(d, period);
	set_weights(d, timing.longest);
	return timing;
}

void find_critical(struct design *d, float period, float *critical)
{
	find_spare(d, period, critical);
	for (int i = 0; i < d->connection_count; i++)
		critical[i] = 1 - critical[i] / period;
}
