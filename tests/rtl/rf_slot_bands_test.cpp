/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bands and turns against what they are said to be: random sets of runnable slots, two
 * nodes that take one of those in turn, keep it for a while and report it as served.
 */
#include "Vrf_slot_bands.h"
#include "../../kmd/include/ringfence_hw.h"
#include "harness.h"

using namespace rf;

static Tap tap;

enum : unsigned { SLOTS = 16, NODES = 2 };

struct Bench {
	Vrf_slot_bands top;
	Random random;
	unsigned node[SLOTS] = {}, rank[SLOTS] = {}; /* node that serves, paging before bands */
	uint64_t turns[SLOTS] = {};
	uint16_t runnable = 0;

	explicit Bench(uint64_t seed_value) : random(seed_value)
	{
		top.config_i = top.runnable_i = top.ready_i = top.served_i = 0;
		Clock<Vrf_slot_bands>(top).reset();
	}
	void edge()
	{
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
	}
	void config(unsigned s, unsigned config_node, unsigned priority)
	{
		top.config_i = 1 << s;
		top.config_slot_i = s;
		top.config_node_i = config_node;
		top.config_priority_i = priority;
		node[s] = config_node == RF_NODE_PAGING ? RF_NODE_COPY : config_node;
		rank[s] = (config_node == RF_NODE_PAGING ? 16 : 0) + priority;
		edge();
		top.config_i = 0;
	}
	/* each of them to its node */
	void run(uint16_t of)
	{
		uint16_t copy = 0;

		for (unsigned s = 0; s < SLOTS; s++)
			copy |= (node[s] == RF_NODE_COPY) << s;
		runnable = of;
		top.runnable_i = (uint32_t)(of & copy) << 16 | (of & ~copy);
	}
	uint16_t eligible() const { return top.eligible_o >> 16 | top.eligible_o; }
	uint16_t turn() const { return top.turn_o >> 16 | top.turn_o; }
	void settle()
	{
		for (unsigned i = 0; i < 20; i++)
			edge();
	}
	uint16_t best(uint16_t of)
	{
		uint16_t result = 0;

		for (unsigned s = 0; s < SLOTS; s++) {
			bool beaten = false;

			for (unsigned o = 0; o < SLOTS; o++)
				beaten |= of >> o & 1 && node[o] == node[s] && rank[o] > rank[s];
			if (of >> s & 1 && !beaten)
				result |= 1 << s;
		}
		return result;
	}
};

static void eligible(uint64_t seed_value)
{
	Bench b(seed_value);
	uint64_t settled = 0;

	tap.begin("the highest band of each node is eligible, the paging node before all");
	for (unsigned part = 0; part < 60; part++) {
		b.runnable = b.top.runnable_i = b.top.ready_i = 0;
		for (unsigned s = 0; s < SLOTS; s++)
			b.config(s, b.random.below(4) ? b.random.below(2) : +RF_NODE_PAGING,
				 b.random.below(part % 3 ? 3 : 16));
		b.settle();
		unsigned age = 0; /* cycles since other slots became runnable */

		for (unsigned i = 0; i < 400; i++) {
			if (b.random.chance(i % 200 < 100 ? 2 : 60)) {
				b.run(b.random.next() & (i % 2 ? b.random.next() : ~0ull));
				age = 0;
			}
			b.top.ready_i = b.random.chance(80) ? 0xffff : b.random.next() & 0xffff;
			uint16_t ready = b.top.ready_i, best = b.best(b.runnable);
			b.edge();
			age++;
			/* the scan has come to each of them, then to each of their band */
			if (age > 20) {
				tap.check(!(b.eligible() & ~best), "a lower band is eligible");
				for (unsigned n = 0; n < NODES; n++)
					tap.equal((b.top.eligible_o >> 16 * n & 0xffff) != 0,
						  (b.top.runnable_i >> 16 * n & 0xffff) != 0,
						  "a slot of the node is eligible");
			}
			if (age > 37)
				tap.equal(b.eligible(), best, "eligible");
			settled += age > 37;
			tap.check(!(b.top.eligible_o & ~b.top.runnable_i),
				  "eligible for another node");
			tap.check(!(b.turn() & ~b.eligible()), "in turn, not eligible");
			tap.check(!(b.turn() & ~ready), "in turn, not ready");
			/* those of one node are of one band */
			for (unsigned s = 0; s < SLOTS; s++)
				for (unsigned o = 0; o < s; o++)
					if (b.eligible() >> s & b.eligible() >> o & 1 &&
					    b.node[s] == b.node[o])
						tap.equal(b.rank[s], b.rank[o], "bands");
			for (unsigned s = 0; s < SLOTS; s++) {
				tap.equal(b.top.serves0_o >> s & 1, b.node[s] == RF_NODE_COMPUTE,
					  "node");
				tap.equal(b.top.serves1_o >> s & 1, b.node[s] == RF_NODE_COPY,
					  "node");
			}
		}
	}
	tap.check(settled > 1000, "the scan had time", settled);
	tap.end();
}

/* A slot of the band that its node has is eligible in the cycle after it is runnable. */
static void at_once(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("slots of the present band come and go at once, others within 17 cycles");
	for (unsigned s = 0; s < SLOTS; s++)
		b.config(s, s & 1, s / 4); /* bands of two slots of each node */
	b.settle();
	b.top.ready_i = 0xffff;
	for (unsigned part = 0; part < 400; part++) {
		unsigned s = b.random.below(SLOTS), t = s ^ 2, lower = s - 4, cycles = 0;

		b.run(1 << s | (s < 4 ? 0 : 1 << lower));
		while (!(b.eligible() >> s & 1) && ++cycles < 30)
			b.edge();
		tap.check(cycles <= 18, "a higher band takes the node", cycles);
		b.settle();
		tap.equal(b.eligible(), 1 << s, "alone");
		for (unsigned i = 0; i < 20; i++) {
			uint16_t of = b.random.next() & (1 << s | 1 << t);

			b.run(of);
			b.edge();
			tap.equal(b.eligible(), of, "of the present band");
		}
		if (s >= 4) {
			b.run(1 << lower);
			for (cycles = 0; !(b.eligible() >> lower & 1) && cycles < 30; cycles++)
				b.edge();
			tap.check(cycles <= 19, "a lower band follows", cycles);
		}
	}
	tap.end();
}

static void rounds(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("nobody is in turn twice before everybody eligible was once");
	for (unsigned part = 0; part < 40; part++) {
		/* who wants to run stays the same: the higher half, or all below it */
		uint16_t mask = b.random.next() & (part % 2 ? 0x00ff : 0xffff);
		uint16_t round = 0; /* those that had their quantum in it */
		uint64_t turns[SLOTS] = {};
		unsigned without[NODES] = {}, away = 0;

		b.run(0);
		for (unsigned s = 0; s < SLOTS; s++) /* which begins a round, too */
			b.config(s, s & 1, s / 8);
		b.run(mask);
		b.top.ready_i = 0xffff;
		b.settle();
		b.settle();
		uint16_t best = b.best(mask);

		for (unsigned i = 0; i < 1200; i++) {
			/* Sometimes none is runnable for a while; the round goes on behind that. */
			if (!away && b.random.chance(3))
				away = 1 + b.random.below(6);
			else if (away)
				away--;
			b.run(away ? 0 : mask);
			b.top.served_i = 0;
			for (unsigned n = 0; n < NODES; n++) {
				uint16_t of = n ? 0xaaaa : 0x5555, turn = b.turn() & of;
				unsigned s = b.random.below(SLOTS / 2) * 2 + n;

				without[n] = turn || away || !(best & of) ? 0 : without[n] + 1;
				tap.check(without[n] <= 5, "a round follows the other", without[n],
					  5);
				if (away || !(turn >> s & 1) || b.random.chance(30))
					continue;
				tap.check(!(round >> s & 1), "it had its quantum in this round", s);
				b.top.served_i |= 1 << s;
				round |= 1 << s;
				turns[s]++;
				if (!(best & of & ~round))
					round &= ~of;
			}
			b.edge();
		}
		b.top.served_i = 0;
		for (unsigned s = 0; s < SLOTS; s++) {
			tap.equal(turns[s] != 0, best >> s & 1, "everybody eligible has turns");
			b.turns[s] += turns[s];
		}
	}
	for (unsigned s = 0; s < SLOTS; s++)
		tap.check(b.turns[s] > 20, "each had many turns", s, b.turns[s]);
	tap.end();
}

/* Whatever was eligible before. */
static void behind_a_reset(uint64_t seed_value)
{
	Bench b(seed_value);

	tap.begin("no slot is eligible behind a reset, until it has its node again");
	tap.equal(b.top.eligible_o, 0, "eligible at first");
	for (unsigned s = 0; s < 16; s++)
		b.config(s, s & 1, 1);
	b.top.ready_i = 0xffff;
	b.top.runnable_i = 0xaaaa5555;
	for (unsigned i = 0; i < 100; i++)
		b.edge();
	tap.equal(b.top.eligible_o, 0xaaaa5555, "eligible");
	tap.equal(b.top.turn_o, 0xaaaa5555, "in turn");
	b.top.runnable_i = 0;
	b.top.rst_ni = 0;
	b.top.eval();
	b.top.rst_ni = 1;
	for (unsigned i = 0; i < 60; i++) {
		b.top.eval();
		tap.equal(b.top.eligible_o, 0, "eligible");
		tap.equal(b.top.turn_o, 0, "in turn");
		tap.equal(b.top.serves0_o | b.top.serves1_o, 0, "of a node");
		b.edge();
	}
	tap.end();
}

int main()
{
	uint64_t s = seed();

	printf("# RF_SEED=%" PRIu64 "\n", s);
	eligible(s);
	at_once(s + 2);
	rounds(s + 1);
	behind_a_reset(s + 3);
	return tap.status();
}
