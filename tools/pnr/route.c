// SPDX-License-Identifier: Apache-2.0
/*
 * route: routes a placed ECP5 netlist, by negotiation over wires (PathFinder).
 *
 * At first every net takes the way it likes best, and wires are shared. From round to round a
 * shared wire costs more, and each that was ever shared keeps a part of that, until no two nets
 * share one. The more critical a connection is, the more it looks at time and the less at what
 * wires cost: long paths take the straight ways, the others go around them.
 */

#include "design.h"
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUNDS = 150,
	MENDING = 10, /* from the first in which no wire is shared, for those that had to yield */
};

#define PRESENT 0.5f /* what a shared wire costs in the first round; 1 is what it costs alone */
#define GROWTH 1.1f
#define MOST_PRESENT 1000.0f /* with less of it the last nets share with one after the other */
#define HISTORY 0.5f /* what stays of it */
#define MOST_CRITICAL 0.998f
#define AGAIN 0.99f /* of the longest path: from there on what goes a detour is routed again */
#define DETOUR 30.0f /* ps, more than in an empty device */

struct routing {
	struct space space;
	struct design design;
	int *drivers; /* wire of each net, or NONE */
	int *sinks; /* wire of each connection, or NONE */
	struct tree *trees, *best; /* of each net: now, and when all was best */
	int *order; /* of nets: those with most sinks first */
	float aim; /* of the longest path, ps */
	float *critical; /* of each connection */
	float *least; /* delay of each connection in an empty device */
	bool *again; /* connections to be routed again */
};

static const char help[] =
	"usage: route DATABASE SPEED PERIOD <DESIGN >ROUTES\n"
	"\n"
	"Routes a placed design. DATABASE is nextpnr's chipdb of the part; SPEED is 0 to 3 for\n"
	"the grades 6, 7, 8 and that of the 5G parts; PERIOD the aim in ps. DESIGN is what\n"
	"tools/places.py writes, with pins and wires that are taken. ROUTES has a line for each\n"
	"net: its number, then each wire and the pip that drives it.\n";

/* The most critical sink that its net does not reach yet, or NONE */
static int next_sink(const struct routing *r, const struct net *net)
{
	int next = NONE;

	for (int i = net->first; i < net->first + net->sinks; i++)
		if (r->sinks[i] != NONE && r->space.nodes[r->sinks[i]].branch == NONE &&
		    (next == NONE || r->critical[i] > r->critical[next]))
			next = i;
	return next;
}

static void fail_between(const struct routing *r, int driver, int sink)
{
	char from[NAME], to[NAME];

	wire_name(&r->space.fabric, driver, from);
	wire_name(&r->space.fabric, sink, to);
	fail("there is no way from %s to %s", from, to);
}

static void route_net(struct routing *r, int number)
{
	const struct net *net = &r->design.nets[number];
	struct tree *tree = &r->trees[number];

	begin_growth(&r->space, tree, &r->sinks[net->first], &r->again[net->first], net->sinks);
	for (int i; (i = next_sink(r, net)) != NONE;)
		if (!grow(&r->space, tree, r->sinks[i], r->critical[i]))
			fail_between(r, r->drivers[number], r->sinks[i]);
	settle(&r->space, tree);
	for (int i = net->first; i < net->first + net->sinks; i++)
		if (r->sinks[i] != NONE)
			r->design.connections[i].delay = arrival_at(&r->space, tree, r->sinks[i]);
	end_growth(&r->space, tree);
}

static bool has_to_move(const struct routing *r, int number)
{
	const struct net *net = &r->design.nets[number];
	const struct tree *tree = &r->trees[number];

	for (int i = net->first; i < net->first + net->sinks; i++)
		if (r->again[i])
			return true;
	for (int i = 0; i < tree->count; i++)
		if (r->space.nodes[tree->branches[i].wire].nets > 1)
			return true;
	return false;
}

/*
 * How urgent each connection is now, and which go a detour that they have no time for. The aim
 * is the period or, where that is out of reach, the best so far: if half the paths were late by
 * it, half of them would be urgent, and none would give way.
 */
static void weigh(struct routing *r, struct timing *timing, float period)
{
	*timing = time_paths(&r->design, period);
	r->aim = fmaxf(period, fminf(r->aim, timing->longest));
	find_critical(&r->design, r->aim, r->critical);
	for (int i = 0; i < r->design.connection_count; i++) {
		float critical = fmaxf(r->critical[i], 0);

		r->again[i] = r->sinks[i] != NONE &&
			      critical * r->aim > AGAIN * fmaxf(period, timing->longest) &&
			      r->design.connections[i].delay > r->least[i] + DETOUR;
		r->critical[i] = MOST_CRITICAL * fminf(critical, 1);
	}
}

/* How many wires are shared; they cost more from now on. */
static int count_shared(struct space *space, int *used)
{
	int shared = 0;

	*used = 0;
	for (int w = 0; w < space->fabric.wires; w++) {
		struct node *node = &space->nodes[w];

		if (!node->nets || node->nets == TAKEN)
			continue;
		++*used;
		if (node->nets > 1) {
			shared++;
			node->history += HISTORY * (node->nets - 1);
		}
	}
	return shared;
}

static int route_round(struct routing *r, bool all)
{
	int routed = 0;

	for (int i = 0; i < r->design.net_count; i++) {
		int net = r->order[i];

		if (r->drivers[net] != NONE && (all || has_to_move(r, net))) {
			route_net(r, net);
			routed++;
		}
	}
	return routed;
}

static void keep_routes(struct routing *r)
{
	for (int i = 0; i < r->design.net_count; i++)
		copy_tree(&r->best[i], &r->trees[i]);
}

/*
 * The last to yield goes a long way; so it goes on for some rounds, which lead it and others back
 * and forth, and the best of those without a shared wire counts.
 */
static void route_all(struct routing *r, float period)
{
	struct space *space = &r->space;
	struct timing timing;
	float best = INFINITY;
	int shared = 0, used, ends = ROUNDS;

	r->aim = INFINITY;
	weigh(r, &timing, period);
	r->aim = INFINITY; /* that of an empty device is out of reach */
	space->present = PRESENT;
	for (int round = 1; round <= ends && (isinf(best) || best > period); round++) {
		int routed = route_round(r, round == 1);

		shared = count_shared(space, &used);
		weigh(r, &timing, period);
		fprintf(stderr,
			"round %2d: %d nets routed, %d wires, %d shared, longest path %.2f ns, %d late\n",
			round, routed, used, shared, timing.longest / 1000, timing.late);
		if (!shared && isinf(best))
			ends = round + MENDING < ROUNDS ? round + MENDING : ROUNDS;
		if (!shared && timing.longest < best) {
			best = timing.longest;
			keep_routes(r);
		}
		if (space->present < MOST_PRESENT)
			space->present *= GROWTH;
	}
	if (isinf(best))
		fail("%d wires are shared after %d rounds", shared, ROUNDS);
	fprintf(stderr, "best: longest path %.2f ns\n", best / 1000);
}

/* --- what comes in and goes out ----------------------------------------------------------- */

/* A pin that has no wire is nextpnr's to route. */
static int read_pin(const struct routing *r)
{
	char name[NAME];
	int x, y;

	if (scanf("%d %d %99s", &x, &y, name) != 3)
		fail("no wire where one should be");
	return x < 0 ? NONE : find_wire(&r->space.fabric, x, y, name);
}

static int by_sinks(const void *one, const void *other)
{
	const struct net *const *a = one, *const *b = other;

	return (*b)->sinks != (*a)->sinks ? (*b)->sinks - (*a)->sinks : (*a)->first - (*b)->first;
}

static void read_pins(struct routing *r)
{
	struct design *d = &r->design;
	int count;

	for (int i = 0; i < d->net_count; i++) {
		r->drivers[i] = read_pin(r);
		for (int k = d->nets[i].first; k < d->nets[i].first + d->nets[i].sinks; k++) {
			r->sinks[k] = read_pin(r);
			if (r->drivers[i] == NONE)
				r->sinks[k] = NONE;
		}
		if (r->drivers[i] != NONE)
			plant(&r->space, &r->trees[i], r->drivers[i]);
	}
	if (scanf("%d", &count) != 1)
		fail("no number of wires that are taken");
	while (count-- > 0) {
		int wire = read_pin(r);

		if (wire != NONE)
			r->space.nodes[wire].nets = TAKEN;
	}
}

static void find_least(struct routing *r)
{
	for (int i = 0; i < r->design.connection_count; i++) {
		struct connection *connection = &r->design.connections[i];

		if (r->sinks[i] != NONE)
			r->least[i] =
				least_delay(&r->space, r->drivers[connection->net], r->sinks[i]);
		connection->delay = r->least[i];
	}
}

static int may_permute(const void *context, int x, int y, int lut, int pin, int input)
{
	const struct design *d = context;
	int tile = x < d->columns && y < d->rows ? d->tile_at[x + y * d->columns] : -1;

	for (int k = lut & ~1; tile >= 0 && k <= (lut | 1); k++) {
		int cell = d->tiles[tile].slot[k];

		if (cell >= 0 && (d->cells[cell].bond == IN_MEMORY ||
				  (d->cells[cell].bond == IN_CARRY && pin / 2 != input / 2)))
			return 0;
	}
	return 1;
}

static void order_by_sinks(struct routing *r)
{
	const struct net **nets = array(r->design.net_count, sizeof(*nets));

	for (int i = 0; i < r->design.net_count; i++)
		nets[i] = &r->design.nets[i];
	qsort(nets, r->design.net_count, sizeof(*nets), by_sinks);
	for (int i = 0; i < r->design.net_count; i++)
		r->order[i] = nets[i] - r->design.nets;
	free(nets);
}

static void print_routes(const struct routing *r)
{
	for (int net = 0; net < r->design.net_count; net++) {
		const struct tree *tree = &r->best[net];

		printf("%d", net);
		for (int i = 0; i < tree->count; i++) {
			const struct branch *branch = &tree->branches[i];
			char wire[NAME], pip[NAME] = "-";

			wire_name(&r->space.fabric, branch->wire, wire);
			if (branch->pip != NONE)
				pip_name(&r->space.fabric, branch->driver, branch->pip, pip);
			printf(" %s %s", wire, pip);
		}
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	static struct routing r;
	struct design *d = &r.design;
	long speed, period;

	check_usage(argc, argv, 3, help);
	speed = argument(argv[2], "SPEED", 0, SPEEDS - 1);
	period = argument(argv[3], "PERIOD", 1, 1000000);
	read_space(&r.space, argv[1], speed);
	read_design(d);
	r.drivers = array(d->net_count, sizeof(*r.drivers));
	r.order = array(d->net_count, sizeof(*r.order));
	r.trees = array(d->net_count, sizeof(*r.trees));
	r.best = array(d->net_count, sizeof(*r.best));
	r.sinks = array(d->connection_count, sizeof(*r.sinks));
	r.critical = array(d->connection_count, sizeof(*r.critical));
	r.least = array(d->connection_count, sizeof(*r.least));
	r.again = array(d->connection_count, sizeof(*r.again));
	read_pins(&r);
	measure_space(&r.space); /* takes seconds: what is wrong with the input was told before */
	find_least(&r);
	order_by_sinks(&r);
	limit_permutation(&r.space.fabric, may_permute, d);
	route_all(&r, period);
	print_routes(&r);
	if (fflush(stdout) || ferror(stdout))
		fail("the routes cannot be written");
	return 0;
}
