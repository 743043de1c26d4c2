/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The physical layer against the link partner of sim/link/, which also lends its data link layer:
 * training with any lane, every time-out, Recovery, Hot Reset, Disabled, Loopback, L1, L2,
 * Compliance, and packets both ways. A millisecond of the LTSSM is 20 us here.
 *
 * RF_LINK_SEEDS: lanes to train with (50; make link-soak: 1000), silences and loopbacks in proportion
 */
// parameters: -GMillisecond=20
// partner: sim/link
#include <memory>
#include <vector>

#include "Vrf_link_physical.h"
#include "link_lane.h"

namespace {

using namespace rf;

/* How a lane is: what PCI Express allows. */
struct Wires {
	int ppm;
	unsigned skp_length, skp_interval, offset, late;
	bool invert, swap;
	uint8_t link_number;
	bool no_scrambling;
};

const Wires plain = { 0, 3, 1180, 0, 0, false, false, 1, false };

class World {
public:
	explicit World(const Wires &wires, uint64_t seed) :
	    clock(top), random(seed), lane(top, partner)
	{
		struct port_config config = partner_config();

		config.ltssm.link_number = wires.link_number;
		config.ltssm.no_scrambling = wires.no_scrambling;
		config.skp_length = wires.skp_length;
		config.skp_interval = wires.skp_interval;
		config.data_link.deliver = deliver;
		config.data_link.context = &at_partner;
		partner_reset(&partner, &config, seed);
		partner.decoded = true;
		partner.ppm = wires.ppm;
		partner.to_device.offset = wires.offset;
		partner.to_device.invert = wires.invert;
		partner.from_device.invert = wires.swap;

		struct port_config own;

		port_config_init(&own, LTSSM_UPSTREAM_PORT);
		own.data_link.deliver = deliver;
		own.data_link.context = &at_device;
		data_link_reset(&link, &own.data_link);
		lane.scrap = seed & 1;

		lane.reset();
		top.packet_valid_i = top.packet_last_i = top.packet_word_i = 0;
		top.retrain_i = top.enter_l1_i = top.enter_l2_i = 0;
		clock.reset();
		top.rst_ni = 0;
		for (unsigned i = 0; i < wires.late; i++) {
			clock.tick();
			lane.exchange();
		}
		top.rst_ni = top.rx_rst_ni = 1;
	}

	/* A cycle: two symbols each way. */
	void cycle()
	{
		lane.detect();
		/* What is received in another state is no packet. */
		strays += top.received_valid_o && top.state_o != L0 &&
			  top.state_o != CONFIGURATION_IDLE && top.state_o != RECOVERY_IDLE &&
			  top.state_o != RECOVERY_RCVRLOCK;
		if (top.received_valid_o)
			for (unsigned i = 0; i < 2; i++)
				received(link_symbol(top.received_o, i));
		for (unsigned i = 0; i < 2; i++)
			data_link_tick(&link, top.state_o == L0);
		data_link_up(&link, top.link_up_o);
		offer();
		top.eval();
		bool taken = top.packet_valid_i && top.packet_ready_o;

		clock.tick();
		if (taken && (at += 2) == count) {
			data_link_sent(&link, &packet);
			count = 0;
		}
		lane.exchange();
		overflows += top.overflow_o;
		if (top.state_o != state) {
			state = top.state_o;
			entries[state]++;
			since = 0;
		} else {
			since++;
		}
		cycles++;
	}

	void run(unsigned n)
	{
		while (n--)
			cycle();
	}

	bool reaches(unsigned wanted, unsigned limit)
	{
		while (limit--) {
			cycle();
			if (state == wanted)
				return true;
		}
		return false;
	}

	/* Both in L0 */
	bool trains(unsigned limit)
	{
		while (limit--) {
			cycle();
			if (state == L0 && partner.port.ltssm.state == LTSSM_L0)
				return true;
		}
		return false;
	}

	bool active(unsigned limit)
	{
		while (limit--) {
			cycle();
			if (link.state == DL_ACTIVE && partner.port.data_link.state == DL_ACTIVE)
				return true;
		}
		return false;
	}

	/* A TLP with a number, each way if there is room */
	void send()
	{
		static struct link_tlp tlp;

		make(&tlp, sent_down);
		sent_down += partner_send(&partner, &tlp);
		make(&tlp, sent_up);
		sent_up += data_link_send(&link, &tlp);
	}

	/* All that was sent came, in order. */
	bool delivered(unsigned limit)
	{
		while (limit-- && (at_device.count < sent_down || at_partner.count < sent_up))
			cycle();
		return at_device.count == sent_down && at_partner.count == sent_up &&
		       !at_device.wrong && !at_partner.wrong;
	}

	struct Arrived {
		uint32_t count, wrong;
	};

	Vrf_link_physical top;
	rf::Clock<Vrf_link_physical> clock;
	rf::Random random;
	struct partner partner;
	struct data_link link = {};
	Arrived at_partner = {}, at_device = {};
	uint32_t sent_down = 0, sent_up = 0;
	unsigned state = 0, since = 0, overflows = 0, strays = 0;
	unsigned entries[32] = {};
	uint64_t cycles = 0;
	LinkSerdes<Vrf_link_physical> lane;

private:
	static void make(struct link_tlp *tlp, uint32_t number)
	{
		unsigned words = 1 + number % 32;

		tlp_memory_request(tlp->header, true, 0x100, number, number << 2, words, 0xf,
				   words > 1 ? 0xf : 0);
		for (unsigned i = 0; i < words; i++)
			tlp->payload[i] = number * 0x9e3779b9u + i;
		tlp->digest = 0;
	}

	static void deliver(void *context, const struct link_tlp *tlp)
	{
		Arrived *arrived = static_cast<Arrived *>(context);
		static struct link_tlp wanted;

		make(&wanted, arrived->count++);
		for (unsigned i = 0; i < 4; i++)
			arrived->wrong += tlp->header[i] != wanted.header[i];
		for (unsigned i = 0; i < tlp_payload_words(wanted.header); i++)
			arrived->wrong += tlp->payload[i] != wanted.payload[i];
	}

	void received(const Symbol &came)
	{
		struct lane_symbol symbol = {};

		symbol.value = came.value;
		symbol.k = came.k;
		symbol.code_error = came.bad;
		enum deframer_event event = lane_symbol_is(&symbol, LINK_COM)
						    ? deframer_abort(&deframer)
						    : deframer_receive(&deframer, &symbol);

		data_link_received(&link, event, deframer.bytes, deframer.count);
	}

	/* A packet is under way until its last word is taken. */
	void offer()
	{
		if (!count && top.state_o == L0 && !top.enter_l1_i && !top.enter_l2_i &&
		    data_link_next(&link, &packet)) {
			count = framer_make(packet.kind, packet.bytes, packet.count, symbols);
			at = 0;
		}
		top.packet_valid_i = count != 0;
		top.packet_last_i = at + 2 == count;
		if (count)
			top.packet_word_i = symbols[at].value | symbols[at + 1].value << 8 |
					    symbols[at].k << 16 | symbols[at + 1].k << 17;
	}

	struct deframer deframer = {};
	struct link_packet packet = {};
	struct plain_symbol symbols[PACKET_SYMBOLS];
	unsigned count = 0, at = 0;
};

Tap tap;

std::unique_ptr<World> in_l0(uint64_t seed = 1)
{
	auto world = std::make_unique<World>(plain, seed);

	tap.check(world->trains(cold), "L0", world->state, L0);
	return world;
}

void trains_with_every_lane(unsigned seeds)
{
	tap.begin("L0 within 100 us of Detect.Active with any lane: clocks, wires, SKP sets");
	uint64_t longest = 0;

	for (unsigned i = 0; i < seeds; i++) {
		uint64_t seed = rf::seed() * 100000 + i;
		rf::Random random(seed);
		Wires wires;

		wires.skp_length = 1 + random.below(5);
		wires.skp_interval = 1180 + random.below(359);
		wires.ppm = int(random.below(1201)) - 600; /* 300 on each side */
		wires.offset = random.below(10);
		wires.late = random.below(30 * microsecond);
		wires.invert = random.chance(50);
		wires.swap = random.chance(50);
		wires.link_number = random.below(256);
		wires.no_scrambling = random.chance(10);
		/* The partner cannot drop the only SKP of its own sets; ours have three. */
		World world(wires, seed);

		world.lane.stop = random.chance(50);
		bool good = world.reaches(DETECT_ACTIVE, cold);
		uint64_t begin = world.cycles;

		good = good && world.trains(cold);
		uint64_t took = world.cycles - begin;

		tap.check(good, "L0", seed, world.state);
		tap.check(took >= 1024 * 8 && took <= 100 * microsecond, "cycles", took, seed);
		longest = took > longest ? took : longest;
		tap.equal(world.top.rx_invert_o, wires.invert, "polarity");
		tap.check(world.active(20 * microsecond), "data link active", seed);
		for (unsigned k = 0; k < 8; k++) {
			world.send();
			world.run(200);
		}
		tap.check(world.delivered(4000), "TLPs both ways", seed, world.at_device.count);
		world.run(20 * microsecond);
		tap.equal(world.entries[RECOVERY_RCVRLOCK], 0, "no Recovery");
		tap.equal(world.overflows, 0, "no overflow");
		tap.equal(world.strays, 0, "no words of training");
		tap.equal(world.partner.port.receiver_errors, 0, "the partner hears no error");
		no_violation(tap, world.partner);
	}
	printf("# longest %.1f us in %u lanes\n", double(longest) / microsecond, seeds);
	tap.end();
}

void no_receiver()
{
	tap.begin("without a receiver, detection comes again every 12 ms");
	World world(plain, 1);

	world.lane.present = false;
	world.partner.to_device.silent = true;
	for (unsigned i = 0; i < 5; i++) {
		if (i)
			tap.check(world.reaches(DETECT_QUIET, microsecond), "nothing detected");
		uint64_t begin = world.cycles;

		tap.check(world.reaches(DETECT_ACTIVE, 13 * millisecond), "detection");
		uint64_t took = world.cycles - begin;

		tap.check(took + 10 >= 12 * millisecond &&
				  took <= 12 * millisecond + 2 * microsecond,
			  "cycles", took, 12 * millisecond);
	}
	tap.equal(world.entries[POLLING_ACTIVE], 0, "no Polling");
	tap.end();
}

void compliance()
{
	tap.begin("a load that never speaks: compliance pattern; training once it does");
	World world(plain, 1);
	const unsigned pattern[] = { 0xbc, 0xb5, 0xbc, 0x4a };

	world.partner.to_device.silent = true;
	tap.check(world.reaches(POLLING_ACTIVE, cold), "Polling.Active");
	tap.check(world.reaches(POLLING_COMPLIANCE, 25 * millisecond), "Polling.Compliance");
	world.run(100);
	for (unsigned i = 0; i < 4 && (world.top.tx_word_o & 0xff00) != 0xb500; i++)
		world.cycle();
	for (unsigned i = 0; i < 1000; i += 2) {
		tap.equal(world.top.tx_word_o, 1 << 16 | pattern[i % 4] | pattern[(i + 1) % 4] << 8,
			  "pattern");
		tap.equal(world.top.tx_idle_o, 0, "no electrical idle");
		world.cycle();
	}
	world.partner.to_device.silent = false;
	tap.check(world.trains(2 * cold), "L0");
	tap.end();
}

/*
 * The device hears nothing any more: from the state on, or of idle states from 110 cycles before
 * their end of the one before, when eight TS2s have come and sixteen are not sent yet.
 */
void time_out(unsigned state, unsigned next, unsigned ms, enum ltssm_directive directive,
	      bool itself = false)
{
	auto world = std::make_unique<World>(plain, 1);

	tap.begin(std::string("time-out of ") +
		  ltssm_state_name(static_cast<enum ltssm_state>(state)) + " to " +
		  ltssm_state_name(static_cast<enum ltssm_state>(next)));
	if (state >= RECOVERY_RCVRLOCK) {
		tap.check(world->trains(cold), "L0");
		partner_direct(&world->partner, directive);
		world->top.retrain_i = world->lane.mute = itself;
	}
	if (state == CONFIGURATION_IDLE || state == RECOVERY_IDLE) {
		tap.check(world->reaches(state - 1, cold), "the state before");
		world->run(110);
		world->lane.mute = true;
	}
	tap.check(world->reaches(state, cold), "the state", world->state, state);
	world->lane.mute = true;
	world->top.retrain_i = 0;

	uint64_t begin = world->cycles;

	while (world->state == state && world->cycles - begin <= 60 * millisecond)
		world->cycle();

	uint64_t took = world->cycles - begin;

	tap.equal(world->state, next, "the state behind");
	/* Never early; what was still on its way may begin the time anew. */
	tap.check(took + 10 >= ms * millisecond && took <= ms * millisecond + 300, "cycles", took,
		  ms * millisecond);
	tap.end();
}

void time_outs()
{
	time_out(POLLING_ACTIVE, POLLING_COMPLIANCE, 24, LTSSM_TRAIN);
	time_out(POLLING_CONFIGURATION, DETECT_QUIET, 48, LTSSM_TRAIN);
	time_out(CONFIGURATION_LINKWIDTH_START, DETECT_QUIET, 24, LTSSM_TRAIN);
	time_out(CONFIGURATION_LINKWIDTH_ACCEPT, DETECT_QUIET, 2, LTSSM_TRAIN);
	time_out(CONFIGURATION_LANENUM_WAIT, DETECT_QUIET, 2, LTSSM_TRAIN);
	time_out(CONFIGURATION_LANENUM_ACCEPT, DETECT_QUIET, 2, LTSSM_TRAIN);
	time_out(CONFIGURATION_COMPLETE, DETECT_QUIET, 2, LTSSM_TRAIN);
	time_out(CONFIGURATION_IDLE, RECOVERY_RCVRLOCK, 2, LTSSM_TRAIN);
	time_out(RECOVERY_RCVRLOCK, DETECT_QUIET, 24, LTSSM_TRAIN, true);
	time_out(RECOVERY_RCVRLOCK, CONFIGURATION_LINKWIDTH_START, 24, LTSSM_RETRAIN);
	time_out(RECOVERY_RCVRCFG, DETECT_QUIET, 48, LTSSM_RETRAIN);
	time_out(RECOVERY_IDLE, RECOVERY_RCVRLOCK, 2, LTSSM_RETRAIN);
	time_out(HOT_RESET, DETECT_QUIET, 2, LTSSM_RESET_LINK);
	time_out(DISABLED, DETECT_QUIET, 2, LTSSM_DISABLE);

	/* A signal that is none leads to Detect instead of Compliance. */
	tap.begin("time-out of Polling.Active with a signal to Detect");
	World world(plain, 1);

	world.partner.to_device.error_every = 1;
	world.partner.to_device.error_kinds = 1 << CHANNEL_FLIP;
	tap.check(world.reaches(POLLING_ACTIVE, cold), "Polling.Active");
	tap.check(world.reaches(DETECT_QUIET, 25 * millisecond), "Detect.Quiet", world.state);
	tap.check(world.entries[POLLING_COMPLIANCE] == 0, "no Compliance");
	tap.end();

	/* The second time that idle does not come, Recovery is not tried again. */
	tap.begin("Recovery.Idle times out once to Recovery, then to Detect");
	auto other = in_l0();

	for (unsigned i = 0; i < 2; i++) {
		if (i == 0)
			partner_direct(&other->partner, LTSSM_RETRAIN);
		tap.check(other->reaches(RECOVERY_RCVRCFG, cold), "Recovery.RcvrCfg");
		other->run(110);
		other->lane.mute = true;
		tap.check(other->reaches(RECOVERY_IDLE, cold), "Recovery.Idle", other->state);
		tap.check(other->reaches(i ? DETECT_QUIET : RECOVERY_RCVRLOCK, 3 * millisecond),
			  "the state behind", other->state, i);
		other->lane.mute = false;
	}
	tap.end();

	tap.begin("L0 without SKP sets for 128 us to Recovery, and back");
	other = in_l0();
	other->lane.mute = true;
	uint64_t begin = other->cycles;

	tap.check(other->reaches(RECOVERY_RCVRLOCK, 140 * microsecond), "Recovery");
	tap.check(other->cycles - begin >= 120 * microsecond, "cycles", other->cycles - begin);
	other->lane.mute = false;
	tap.check(other->trains(cold), "L0");
	tap.end();
}

void recovery()
{
	tap.begin("Recovery from either side, and from both at once, loses no TLP");
	auto world = in_l0();

	tap.check(world->active(20 * microsecond), "active");
	for (unsigned i = 0; i < 60; i++) {
		for (unsigned k = world->random.below(8); k; k--)
			world->send();
		world->run(world->random.below(2 * microsecond));
		unsigned before = world->entries[L0];

		world->top.retrain_i = i % 3 != 0;
		if (i % 3 != 1)
			partner_direct(&world->partner, LTSSM_RETRAIN);
		tap.check(world->reaches(RECOVERY_RCVRLOCK, 10 * microsecond), "Recovery", i);
		world->top.retrain_i = 0;
		tap.check(world->trains(cold), "L0", i);
		tap.check(world->entries[L0] > before, "L0 again", i);
		tap.equal(world->top.link_up_o, 1, "LinkUp");
	}
	tap.check(world->delivered(20 * microsecond), "TLPs", world->at_device.count,
		  world->sent_down);
	tap.equal(world->entries[DETECT_QUIET], 0, "never down");
	no_violation(tap, world->partner);
	tap.end();
}

void hot_reset()
{
	tap.begin("Hot Reset while the partner wants it, then training");
	auto world = in_l0();

	partner_direct(&world->partner, LTSSM_RESET_LINK);
	tap.check(world->reaches(HOT_RESET, cold), "Hot Reset");
	tap.equal(world->top.link_up_o, 0, "LinkUp");
	world->run(5 * millisecond);
	tap.equal(world->state, HOT_RESET, "as long as TS1s ask for it");
	partner_direct(&world->partner, LTSSM_TRAIN);
	tap.check(world->trains(2 * cold), "L0", world->state);
	no_violation(tap, world->partner);
	tap.end();
}

void disabled()
{
	tap.begin("Disabled: quiet until the partner trains again");
	auto world = in_l0();

	partner_direct(&world->partner, LTSSM_DISABLE);
	tap.check(world->reaches(DISABLED, cold), "Disabled");
	world->run(10 * millisecond);
	tap.equal(world->state, DISABLED, "stays");
	tap.equal(world->top.tx_idle_o, 1, "electrical idle");
	tap.equal(world->top.link_up_o, 0, "LinkUp");
	partner_direct(&world->partner, LTSSM_TRAIN);
	tap.check(world->trains(2 * cold), "L0", world->state);
	no_violation(tap, world->partner);
	tap.end();
}

void loopback(unsigned rounds)
{
	tap.begin("Loopback: all symbols come back, with clocks apart and any SKP sets");
	for (unsigned i = 0; i < rounds; i++) {
		Wires wires = plain;

		wires.skp_length = 2 + i % 4;
		wires.ppm = i % 3 ? (i & 1 ? 600 : -600) : 0;
		wires.invert = i & 4;
		World world(wires, i);

		if (i & 8)
			tap.check(world.trains(cold), "L0");
		partner_direct(&world.partner, LTSSM_LOOP);
		tap.check(world.reaches(LOOPBACK_ACTIVE, 2 * cold), "Loopback.Active", world.state);
		/* What was on its way when the partner began with idle is no error. */
		world.run(200);
		tap.equal(world.partner.port.ltssm.state, LTSSM_LOOPBACK_ACTIVE, "the partner");
		world.partner.port.looped = world.partner.port.looped_wrong = 0;
		world.run(20 * millisecond);
		tap.equal(world.state, LOOPBACK_ACTIVE, "stays");
		tap.check(world.partner.port.looped > 50000, "symbols", world.partner.port.looped);
		tap.equal(world.partner.port.looped_wrong, 0, "wrong ones");
		tap.equal(world.overflows, 0, "overflows");
		partner_direct(&world.partner, LTSSM_TRAIN);
		tap.check(world.reaches(LOOPBACK_EXIT, millisecond), "Loopback.Exit");
		tap.check(world.trains(2 * cold), "L0", world.state);
	}
	tap.end();
}

void to_power_state(World &world, uint8_t type, unsigned state)
{
	data_link_ask_power(&world.link, type);
	for (unsigned i = 0; i < cold && !world.link.power_granted; i++)
		world.cycle();
	tap.check(world.link.power_granted, "granted");
	/* Whatever packet is under way ends first. */
	world.run(20);
	(type == DLLP_PM_ENTER_L1 ? world.top.enter_l1_i : world.top.enter_l2_i) = 1;
	tap.check(world.reaches(state, 2 * microsecond), "the state", world.state, state);
	world.top.enter_l1_i = world.top.enter_l2_i = 0;
	data_link_power_done(&world.link);
	world.run(10 * millisecond);
	tap.equal(world.state, state, "stays");
	tap.equal(world.top.tx_idle_o, 1, "electrical idle");
}

void power()
{
	tap.begin("L1, ended by either side");
	auto world = in_l0();

	tap.check(world->active(20 * microsecond), "active");
	for (unsigned i = 0; i < 6; i++) {
		to_power_state(*world, DLLP_PM_ENTER_L1, L1_IDLE);
		tap.equal(world->top.link_up_o, 1, "LinkUp");
		tap.equal(world->partner.port.ltssm.state, LTSSM_L1_IDLE, "the partner");
		if (i & 1) {
			partner_direct(&world->partner, LTSSM_RETRAIN);
		} else {
			world->top.retrain_i = 1;
			world->cycle();
		}
		tap.check(world->reaches(RECOVERY_RCVRLOCK, microsecond), "Recovery", world->state);
		world->top.retrain_i = 0;
		tap.check(world->trains(cold), "L0", world->state);
		world->send();
		tap.check(world->delivered(10 * microsecond), "TLPs");
	}
	no_violation(tap, world->partner);
	tap.end();

	tap.begin("L2, ended by the partner");
	to_power_state(*world, DLLP_PM_ENTER_L23, L2_IDLE);
	tap.equal(world->top.link_up_o, 0, "LinkUp");
	world->run(70 * millisecond); /* longer than any time-out */
	partner_direct(&world->partner, LTSSM_OFF);
	world->run(millisecond);
	tap.equal(world->state, L2_IDLE, "stays");
	partner_direct(&world->partner, LTSSM_TRAIN);
	tap.check(world->trains(2 * cold), "L0", world->state);
	no_violation(tap, world->partner);
	tap.end();

	tap.begin("L1 without the partner's EIOS to Recovery");
	world = in_l0();
	world->top.enter_l1_i = 1;
	tap.check(world->reaches(L1_ENTRY, microsecond), "L1.Entry");
	world->top.enter_l1_i = 0;
	world->lane.mute = true;
	tap.check(world->reaches(RECOVERY_RCVRLOCK, 3 * millisecond), "Recovery");
	tap.end();

	tap.begin("an EIOS that nobody asked for leads to Recovery");
	world = in_l0();
	partner_direct(&world->partner, LTSSM_ENTER_L0S);
	tap.check(world->reaches(RECOVERY_RCVRLOCK, 4 * microsecond), "Recovery");
	partner_direct(&world->partner, LTSSM_TRAIN);
	tap.check(world->trains(cold), "L0", world->state);
	tap.end();
}

void errors(unsigned silences)
{
	tap.begin("symbols with errors: the link stays or comes back, and no TLP is lost");
	auto world = in_l0();

	tap.check(world->active(20 * microsecond), "active");
	world->partner.to_device.error_every = 3000;
	world->partner.to_device.error_kinds = (1 << CHANNEL_FAULT_KINDS) - 1;
	for (unsigned i = 0; i < 100; i++) {
		world->send();
		world->run(500);
	}
	world->partner.to_device.error_every = 0;
	tap.check(world->trains(cold), "L0", world->state);
	tap.equal(world->at_device.wrong, 0, "wrong TLPs");
	tap.check(world->link.counters.bad_tlps + world->link.counters.bad_dllps > 0, "errors");
	if (!world->entries[DETECT_QUIET])
		tap.check(world->delivered(100 * microsecond), "TLPs", world->at_device.count,
			  world->sent_down);
	tap.end();

	tap.begin("silence at any time, of any length: L0 again");
	unsigned begun[32] = {}, states = 0; /* in which state the first one begins */

	for (unsigned i = 0; i < silences; i++) {
		World one(plain, i);

		/* Detect.Quiet takes 12 ms, and all behind it to L0 70 us. */
		one.run(one.random.below(100) < 20
				? one.random.below(12 * millisecond)
				: 12 * millisecond + one.random.below(120 * microsecond));
		begun[one.state]++;
		for (unsigned k = 0; k < 3; k++) {
			bool &silent = one.random.chance(50) ? one.lane.mute
							     : one.partner.to_device.silent;

			silent = true;
			one.lane.stop = one.random.chance(50);
			one.run(one.random.below(one.random.chance(50) ? 100 : 30 * millisecond));
			silent = false;
			one.run(one.random.below(40 * microsecond));
		}
		tap.check(one.trains(160 * millisecond), "L0", one.state, i);
	}
	for (unsigned number : begun)
		states += number != 0;
	tap.check(begun[L0] > 5, "silences that begin in L0", begun[L0]);
	tap.check(begun[DETECT_QUIET] > 0, "in Detect.Quiet", begun[DETECT_QUIET]);
	tap.check(begun[POLLING_ACTIVE] > 5, "in Polling.Active", begun[POLLING_ACTIVE]);
	printf("# %u states, L0 %u times\n", states, begun[L0]);
	tap.end();
}

} // namespace

int main()
{
	const char *soak = getenv("RF_LINK_SEEDS");
	const unsigned seeds = soak ? strtoul(soak, nullptr, 0) : 50;

	printf("# seed %" PRIu64 "\n", rf::seed());
	trains_with_every_lane(seeds);
	no_receiver();
	compliance();
	time_outs();
	recovery();
	hot_reset();
	disabled();
	loopback(seeds / 5);
	power();
	errors(seeds / 2);
	return tap.status();
}
