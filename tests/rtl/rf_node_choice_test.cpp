/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rf_node_choice under random requests, against a model: which slot a node serves next, and what
 * it says meanwhile, in every cycle from the reset on.
 */
#include "Vrf_node_choice.h"
#include "harness.h"

namespace {

/* Slots in turn: the first requester above the last one that was followed. */
unsigned in_turn(unsigned requests, unsigned last)
{
	for (unsigned i = 1; i <= 16; i++)
		if (requests >> (last + i) % 16 & 1)
			return (last + i) % 16;
	return 16;
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_node_choice top;
	rf::Clock<Vrf_node_choice> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	unsigned served = 0; /* the slot that is served, or was last */
	unsigned last = 15; /* the choice that was followed last */
	unsigned choice = 16; /* made in the cycle before; 16: none */
	bool prefetched = false, free_before = false;
	bool idle = false, kept = false;
	unsigned chosen = 0, same = 0, coming = 0, overtaken = 0, postponed = 0;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.choice_i = 0;
	top.idle_i = top.kept_i = top.halted_i = top.drained_i = top.in_buffer_i = 0;
	tap.begin("the next slot: the kept one, the one that rings, or in turn");
	for (unsigned i = 0; i < 200000; i++) {
		if (i % 500 == 0) { /* from the reset on */
			clock.reset(1);
			served = 0;
			last = 15;
			choice = 16;
			prefetched = free_before = false;
			idle = random.chance(80);
			kept = random.chance(50);
		}
		unsigned calm = i / 1000 % 3; /* how much there is to choose from */
		uint16_t eligible =
			random.chance(calm ? 8 : 60) ? random.next() & random.next() : 0;
		uint16_t turn = eligible & (random.chance(50) ? random.next() : 0xffff);
		uint16_t runnable =
			random.next() & (calm == 2 ? random.next() & random.next() : 0xffff);
		bool ring = random.chance(calm == 1 ? 30 : 10), drained = random.chance(70);
		bool halted = random.chance(20), inside = random.chance(50);
		unsigned ringing = random.below(16);
		bool wanted = eligible, offered = choice < 16;
		bool goes_on = kept && runnable >> served & 1;

		top.choice_i = (uint64_t)ring << 52 | (uint64_t)ringing << 48 |
			       (uint64_t)runnable << 32 | (uint64_t)eligible << 16 | turn;
		top.idle_i = idle;
		top.kept_i = kept;
		top.halted_i = halted;
		top.drained_i = drained;
		top.in_buffer_i = inside;
		top.eval();

		bool free = idle && free_before, chooses = idle && offered && (drained || inside);
		bool takes_same = idle && !offered && goes_on;
		bool takes_coming = ring && free && drained && !offered && !wanted;

		tap.equal(top.chosen_o, chooses, "chosen");
		tap.equal(top.take_same_o, takes_same, "the kept slot goes on");
		tap.equal(top.take_coming_o, takes_coming, "the slot that rings is taken");
		tap.equal(top.waiting_o, wanted || offered, "a slot waits");
		tap.equal(top.prefetch_o, idle && kept && !wanted && !halted, "prefetch");
		tap.equal(top.others_o, (eligible & ~(1u << served)) != 0, "others want the node");
		tap.equal(top.mine_o, eligible >> served & 1, "this one does");
		tap.equal(top.free_o, free, "free");
		tap.equal(top.slot_o, served, "slot");
		tap.equal(top.slot_onehot_o, 1u << served, "slot, one-hot");
		tap.equal(top.load_slot_o,
			  idle && offered ? choice
			  : free	  ? ringing
					  : served,
			  "the slot that is loaded");

		/* A kept slot is left for others only behind the last word fetched ahead. */
		bool asks = idle && !offered && !prefetched;
		unsigned next = asks ? in_turn(turn, last) : 16;

		prefetched = top.prefetch_o;
		free_before = idle && !kept;
		if (chooses) {
			served = last = choice;
			chosen++;
		} else if (takes_coming) {
			served = ringing;
			coming++;
		}
		same += takes_same;
		postponed += idle && offered && !chooses;
		overtaken += takes_same && next < 16;
		choice = next; /* for the next cycle alone, followed or not */
		/* The node begins with what it takes. */
		if (idle)
			idle = !(chooses || takes_same || takes_coming);
		else
			idle = random.chance(30);
		kept = random.chance(idle ? 60 : 50);
		clock.tick();
	}
	tap.check(chosen > 1000 && same > 1000 && coming > 500 && overtaken > 100 &&
			  postponed > 100,
		  "all of it happened", chosen, overtaken);
	tap.end();
	top.final();
	return tap.status();
}
