/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link, physical and data link layer, against the link partner: DL_Active, then numbered TLPs
 * both ways, without and with errors on the lane, with few credits, with Recovery between, with the
 * link lost amid a TLP, with L1 and L2/L3 Ready. All of them come once and in order; without errors
 * no rule is broken.
 *
 * RF_LINK_TLPS: TLPs each way with each of four rates of errors (make link-soak: 250,000; ten times as
 * many go through the adapters as well, in rf_link_endpoint_test), and more losses and entries into L1
 */
// parameters: -GMillisecond=20
// partner: sim/link
#include <memory>
#include <vector>

#include "Vrf_link.h"
#include "link_lane.h"

namespace {

using namespace rf;

/* Bits of errors_o */
enum { Receiver, BadTlp, BadDllp, Rollover, TimeOut, Protocol, Errors };

class World {
public:
	explicit World(uint64_t seed, unsigned headers = 0, unsigned data = 0) :
	    clock(top), random(seed), lane(top, partner)
	{
		struct port_config config = partner_config();

		config.data_link.deliver = deliver;
		config.data_link.context = this;
		if (headers)
			for (struct credits &one : config.data_link.credits)
				one = { uint16_t(headers), uint16_t(data) };
		partner_reset(&partner, &config, seed);
		partner.decoded = true;

		lane.reset();
		top.tx_waits_i = top.tx_valid_i = top.tx_last_i = top.tx_data_i = 0;
		top.rx_refuse_i = top.ask_l1_i = top.ask_l23_i = 0;
		top.need_i = top.consume_i = top.freed_i = top.freed_data_i = 0;
		clock.reset();
		top.rx_rst_ni = 1;
	}

	void cycle()
	{
		lane.detect();
		offer();
		top.eval();
		bool taken = top.tx_valid_i && top.tx_ready_o;

		clock.tick();
		top.consume_i = 0;
		if (taken && (at += 2) == bytes.size()) {
			bytes.clear();
			sent_up++;
		}
		receive();
		for (unsigned i = 0; i < Errors; i++)
			errors[i] += top.errors_o >> i & 1;
		lane.exchange();
		wraps.look(partner.port.data_link);
	}

	void run(unsigned n)
	{
		while (n--)
			cycle();
	}

	bool active(unsigned limit)
	{
		while (limit--) {
			cycle();
			if (top.active_o && partner.port.data_link.state == DL_ACTIVE)
				return true;
		}
		return false;
	}

	/* The partner gets up to that many to send. */
	void send_down(unsigned count)
	{
		static struct link_tlp tlp;

		while (count--) {
			make(&tlp, sent_down);
			sent_down += partner_send(&partner, &tlp);
		}
	}

	/* @count more each way; true when all have come. */
	bool exchange(unsigned count, unsigned limit)
	{
		goal_up += count;
		for (unsigned wanted = sent_down + count; limit--;) {
			if (sent_down < wanted)
				send_down(1);
			cycle();
			if (at_device == wanted && at_partner == goal_up)
				return true;
		}
		return false;
	}

	bool reaches(unsigned state, unsigned limit)
	{
		while (limit--) {
			cycle();
			if (top.state_o == state)
				return true;
		}
		return false;
	}

	/* A TLP has entered, or is about to. */
	bool enters() const { return !bytes.empty(); }

	/* The first TLP from the device is that one. */
	void start_up(uint32_t number) { sent_up = goal_up = at_partner = number; }

	/* The link was down: what was under way is lost, on both sides. */
	void forget()
	{
		sent_down = sent_up = goal_up = at_device = at_partner = 0;
		bytes.clear();
		words.clear();
		for (unsigned &error : errors)
			error = 0;
	}

	Vrf_link top;
	Clock<Vrf_link> clock;
	Random random;
	struct partner partner;
	LinkSerdes<Vrf_link> lane;
	uint32_t sent_down = 0, sent_up = 0, goal_up = 0, at_device = 0, at_partner = 0, wrong = 0;
	unsigned errors[Errors] = {};
	uint32_t most = 32; /* DWs of payload */
	Wraps wraps;
	unsigned refuse = 0; /* percent of the TLPs, for which there is no room */
	unsigned late = 0; /* cycles from consume_i to the first word: rf_link_unpack takes 2 */

private:
	/* Of four, two writes, a read and a completion. */
	void make(struct link_tlp *tlp, uint32_t number) const
	{
		unsigned words = 1 + number % most;

		*tlp = {};
		if (number % 4 == 3)
			tlp_completion(tlp->header, 0x100, TLP_STATUS_SUCCESS, 4 * words, 0x200,
				       number, 0, words);
		else
			tlp_memory_request(tlp->header, number % 4 != 2, 0x100, number, number << 2,
					   words, 0xf, words > 1 ? 0xf : 0);
		for (unsigned i = 0; i < tlp_payload_words(tlp->header); i++)
			tlp->payload[i] = number * 0x9e3779b9u + i;
	}

	static unsigned kind(const struct link_tlp &tlp)
	{
		return tlp_is_completion(tlp.header) ? 2 : tlp_has_data(tlp.header) ? 0 : 1;
	}

	bool differs(const struct link_tlp &got, uint32_t number) const
	{
		static struct link_tlp wanted;

		make(&wanted, number);
		for (unsigned i = 0; i < 4; i++)
			if (got.header[i] != wanted.header[i])
				return true;
		for (unsigned i = 0; i < tlp_payload_words(wanted.header); i++)
			if (got.payload[i] != wanted.payload[i])
				return true;
		return false;
	}

	static void deliver(void *context, const struct link_tlp *tlp)
	{
		World *world = static_cast<World *>(context);

		world->wrong += world->differs(*tlp, world->at_partner++);
	}

	/* A TLP that enters has credits: those for what it needed a cycle ago. */
	void offer()
	{
		if (bytes.empty() && sent_up < goal_up && top.active_o) {
			static struct link_tlp tlp;
			static uint8_t buffer[LINK_TLP_BYTES];

			make(&tlp, sent_up);
			top.need_i = (tlp_payload_words(tlp.header) + 3) / 4;
			top.eval();
			if (asked && top.admits_o >> kind(tlp) & 1) {
				bytes.assign(buffer, buffer + tlp_to_bytes(&tlp, buffer));
				at = 0;
				pause = late;
				top.consume_i = 1 << kind(tlp);
			}
			asked = bytes.empty();
		}
		top.tx_valid_i = !bytes.empty() && !pause;
		pause -= pause != 0;
		top.tx_waits_i = !bytes.empty() || sent_up < goal_up;
		if (!bytes.empty())
			top.tx_data_i = bytes[at] | bytes[at + 1] << 8;
		top.tx_last_i = at + 2 == bytes.size();
	}

	void receive()
	{
		top.rx_refuse_i = random.chance(refuse);
		top.eval();
		top.freed_i = 0;
		if (top.rx_valid_o)
			for (unsigned i = 0; i < 2; i++)
				words.push_back(top.rx_data_o >> 8 * i);
		if (!top.rx_end_o)
			return;
		if (top.rx_take_o) {
			static struct link_tlp tlp;

			tlp = {};
			if (!tlp_from_bytes(words.data(), words.size(), &tlp))
				wrong++;
			wrong += differs(tlp, at_device++);
			if (kind(tlp) < 2)
				top.freed_i = 1 << kind(tlp);
			top.freed_data_i = (tlp_payload_words(tlp.header) + 3) / 4;
		}
		words.clear();
	}

	std::vector<uint8_t> bytes, words;
	size_t at = 0;
	unsigned pause = 0;
	bool asked = false; /* need_i stood in the cycle before */
};

Tap tap;

void good(const World &world)
{
	tap.equal(world.wrong, 0, "each once and in order");
	tap.equal(world.errors[Protocol], 0, "protocol errors");
	tap.equal(world.partner.port.data_link.counters.protocol_errors, 0, "the partner's");
	tap.equal(world.partner.port.data_link.counters.overflows, 0, "TLPs without credits");
}

void clean()
{
	tap.begin("DL_Active, and TLPs both ways by every rule; numbers wrap");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active", world.top.state_o, world.top.active_o);
	tap.check(world.exchange(5000, 800000), "TLPs", world.at_device, world.at_partner);
	world.run(20 * microsecond);
	good(world);
	no_violation(tap, world.partner);
	acks_in_time(tap, world.partner, 500);
	for (unsigned i = 0; i < Errors; i++)
		tap.equal(world.errors[i], 0, "errors");
	tap.equal(world.partner.port.data_link.counters.naks_received, 0, "no Nak");
	tap.end();
}

/* One link throughout, so that its sequence numbers go on. Payloads up to the largest, 256 bytes. */
void errors()
{
	const char *soak = getenv("RF_LINK_TLPS");
	unsigned tlps = soak ? strtoul(soak, nullptr, 0) : 2000;
	/* At one in 500 the specification itself sends some links to Detect: eight training sets are 128 symbols. */
	const std::vector<unsigned> rates =
		soak ? std::vector<unsigned>{ 10000000, 1000000, 100000, 10000 }
		     : std::vector<unsigned>{ 20000, 2000, 1000 };
	World world(rf::seed() * 10);
	Progress progress("rf_link", uint64_t(tlps) * rates.size());
	const struct data_link_counters &counters = world.partner.port.data_link.counters;

	world.most = 64;
	for (unsigned every : rates) {
		tap.begin("an error in " + std::to_string(every) + " symbols each way, " +
			  std::to_string(tlps) + " TLPs");
		const unsigned receiver = world.errors[Receiver], acks = world.partner.watch.acks,
			       naks_before = counters.naks_received;

		tap.check(world.at_device || world.active(cold), "DL_Active");
		for (struct channel *one :
		     { &world.partner.to_device, &world.partner.from_device }) {
			one->error_every = every;
			one->error_kinds = 1 << CHANNEL_FLIP | 1 << CHANNEL_DISPARITY;
		}
		for (unsigned left = tlps; left;) {
			unsigned some = left < 2000 ? left : 2000;

			if (!world.exchange(some, 4000000)) {
				tap.check(false, "TLPs", world.at_device, world.at_partner);
				break;
			}
			left -= some;
			progress.at(world.at_device);
		}
		good(world);
		/* Most symbols are those of TLPs, of some hundred bytes each. */
		uint64_t expected = uint64_t(tlps) * 50 / every;
		unsigned naks = counters.naks_received - naks_before,
			 seen = world.errors[Receiver] - receiver;

		/* A flipped bit seldom makes a code that is good: then it is a Bad TLP. */
		tap.check(seen >= expected / 2, "Receiver Errors", seen, expected);
		tap.check(naks >= expected / 10, "Naks", naks, expected);
		acks_in_time(tap, world.partner, acks + tlps / 100);
		printf("# %u Receiver Errors, %u Naks from and in all %u to the device, %u "
		       "time-outs; %u Acks judged, %u symbol times at most\n",
		       seen, naks, counters.naks_sent, world.errors[TimeOut],
		       world.partner.watch.acks - acks, world.partner.watch.ack_longest);
		tap.end();
	}

	tap.begin("sequence numbers of that link have wrapped, both ways");
	wrapped(tap, world.partner, world.wraps, uint64_t(tlps) * rates.size() / SEQUENCE_NUMBERS);
	tap.end();
}

/* What the partner does wrong on purpose, and its name in Advanced Error Reporting. */
void error_kinds()
{
	tap.begin("each error has its own name");
	World world(rf::seed());
	struct data_link_knobs &knobs = world.partner.port.data_link.knobs;
	unsigned wanted[Errors] = {};

	tap.check(world.active(cold), "DL_Active");
	tap.check(world.exchange(20, 20000), "TLPs", world.at_device, world.at_partner);
	for (unsigned i = 0; i < 30; i++) {
		struct channel_fault fault = { world.partner.to_device.symbols + 20 + i,
					       CHANNEL_FLIP, 1 };

		switch (i % 5) {
		case 0:
			knobs.spoil_tlps = 1;
			wanted[BadTlp]++;
			break;
		case 1:
			knobs.lose_tlps = 1;
			wanted[BadTlp]++;
			break;
		case 2:
			knobs.spoil_dllps = 1;
			knobs.only = DLLP_ACK;
			wanted[BadDllp]++;
			break;
		case 3: /* nobody's error */
			(i & 1 ? knobs.nullify_tlps : knobs.double_tlps) = 1;
			break;
		default: /* one bit of a code: never a good one; disparity, and a frame, may be wrong later */
			channel_fault(&world.partner.to_device, &fault);
			wanted[Receiver]++;
		}
		tap.check(world.exchange(20, 40000), "TLPs", world.at_device, world.at_partner);
		/* Behind a TLP that was lost, the next one is the first that tells. */
		tap.equal(world.errors[BadTlp], wanted[BadTlp], "Bad TLP");
		tap.equal(world.errors[BadDllp], wanted[BadDllp], "Bad DLLP");
		tap.check(world.errors[Receiver] >= wanted[Receiver] &&
				  world.errors[Receiver] <= 3 * wanted[Receiver],
			  "Receiver Error", world.errors[Receiver], wanted[Receiver]);
	}
	good(world);
	tap.end();
}

void no_room()
{
	tap.begin("TLPs for which there is no room come again");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active");
	world.refuse = 20;
	tap.check(world.exchange(1000, 2000000), "TLPs", world.at_device, world.at_partner);
	good(world);
	tap.equal(world.errors[BadTlp], 0, "Bad TLPs");
	tap.check(world.partner.port.data_link.counters.naks_received > 100, "Naks",
		  world.partner.port.data_link.counters.naks_received);
	tap.end();
}

void lost_link()
{
	tap.begin("the link lost amid TLPs, with and without a recovered clock: then all is new");
	World world(rf::seed());

	for (unsigned i = 0; i < (getenv("RF_LINK_TLPS") ? 20 : 8); i++) {
		unsigned naks = world.partner.port.data_link.counters.naks_received;

		tap.check(world.active(2 * cold), "DL_Active", i, world.top.state_o);
		world.forget();
		tap.check(world.exchange(100, 40000), "TLPs", world.at_device, world.at_partner);
		good(world);
		for (unsigned k = 0; k < Errors; k++)
			tap.equal(world.errors[k], 0, "no error of the time before");
		tap.equal(world.partner.port.data_link.counters.naks_received, naks, "no Nak");
		world.goal_up += 30;
		world.exchange(30, 300 + world.random.below(1000));
		world.lane.stop = i & 1;
		world.lane.mute = true;
		world.partner.from_device.silent = true;
		tap.check(world.reaches(DETECT_QUIET, 30 * millisecond), "down", world.top.state_o);
		world.run(4);
		tap.equal(world.top.active_o, 0, "not DL_Active");
		world.lane.mute = world.partner.from_device.silent = false;
	}
	tap.end();
}

void power()
{
	tap.begin("L1 while it is asked for, left for every TLP of either side");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active");
	world.top.ask_l1_i = 1;
	for (unsigned i = 0; i < 12; i++) {
		tap.check(world.reaches(L1_IDLE, 100 * microsecond), "L1", world.top.state_o, i);
		world.run(millisecond + world.random.below(microsecond));
		tap.equal(world.top.state_o, L1_IDLE, "stays");
		tap.equal(world.partner.port.ltssm.state, LTSSM_L1_IDLE, "the partner");
		tap.equal(world.top.tx_idle_o, 1, "electrical idle");
		if (i % 3 == 0)
			partner_direct(&world.partner, LTSSM_RETRAIN);
		else if (i % 3 == 1)
			world.goal_up++;
		else
			tap.check(world.exchange(3, cold), "TLPs", world.at_device,
				  world.at_partner);
		tap.check(i % 3 == 2 || world.reaches(RECOVERY_RCVRLOCK, cold), "Recovery",
			  world.top.state_o);
	}
	world.top.ask_l1_i = 0;
	world.run(100 * microsecond);
	if (world.top.state_o == L1_IDLE)
		partner_direct(&world.partner, LTSSM_RETRAIN);
	tap.check(world.reaches(L0, cold), "L0", world.top.state_o);
	world.at_partner = world.sent_up;
	tap.check(world.exchange(50, cold), "TLPs", world.at_device, world.at_partner);
	good(world);
	no_violation(tap, world.partner);
	tap.end();

	tap.begin("TLPs that come while L1 is agreed on are not lost");
	for (unsigned i = 0; i < (getenv("RF_LINK_TLPS") ? 60 : 24); i++) {
		World one(rf::seed() * 1000 + i);

		tap.check(one.active(cold), "DL_Active");
		one.top.ask_l1_i = 1;
		/* From the first PM_Enter_L1, 10 us after the last TLP, to L1 */
		one.run(10 * microsecond + one.random.below(4 * microsecond));
		tap.check(one.exchange(1 + i % 5, 4 * cold), "TLPs", one.at_device, one.at_partner);
		tap.check(one.reaches(L1_IDLE, cold), "L1", one.top.state_o);
		good(one);
		no_violation(tap, one.partner);
	}
	tap.end();

	tap.begin("no L1 with a TLP that enters as it is asked for, at any cycle");
	World race(rf::seed());
	struct data_link_knobs &knobs = race.partner.port.data_link.knobs;
	unsigned entered = 0, kept = 0;

	race.late = 2;
	tap.check(race.active(cold), "DL_Active");
	for (int when = -6; when <= 3; when++) {
		const uint32_t number = race.sent_up;

		/* Idle for long, so it is asked for at once. No Ack comes, so a TLP in the ring stays. */
		race.run(20 * microsecond);
		knobs.drop_dllps = 1000000;
		knobs.only = DLLP_ACK;
		for (int i = -6; i <= 6; i++) {
			race.goal_up += i == when;
			race.top.ask_l1_i |= i == 0;
			race.cycle();
		}
		const bool enters = race.enters() || race.sent_up != number;

		tap.equal(race.reaches(L1_IDLE, 5 * microsecond), !enters, "L1");
		tap.equal(race.enters() || race.sent_up != number, enters, "enters or waits");
		(enters ? entered : kept)++;
		race.top.ask_l1_i = 0;
		knobs.drop_dllps = 0;
		tap.check(race.exchange(1, cold), "TLPs", race.at_device, race.at_partner);
	}
	tap.check(entered >= 3 && kept >= 3, "before and behind", entered, kept);
	good(race);
	no_violation(tap, race.partner);
	tap.end();

	tap.begin("behind L1 a TLP waits for all of its credits");
	/* 16 of 24 are taken: L1 wants 8, which are too few for the next TLP, of 62 DW. */
	World few(rf::seed(), 4, 24);

	few.most = 64;
	few.start_up(60);
	tap.check(few.active(cold), "DL_Active");
	few.partner.port.data_link.knobs.drop_dllps = 1000000;
	few.partner.port.data_link.knobs.only = DLLP_UPDATEFC_P;
	few.top.ask_l1_i = 1;
	few.goal_up++;
	tap.check(few.reaches(L1_IDLE, 100 * microsecond), "L1", few.top.state_o);
	tap.equal(few.at_partner, 61, "TLPs before it");
	few.goal_up++;
	tap.check(few.reaches(L0, cold), "L0", few.top.state_o);
	few.run(5 * microsecond);
	tap.equal(few.enters() || few.sent_up != 61, false, "without credits");
	few.partner.port.data_link.knobs.drop_dllps = 0;
	tap.check(few.exchange(0, cold), "TLPs", few.at_device, few.at_partner);
	good(few);
	no_violation(tap, few.partner);
	tap.end();

	tap.begin("Recovery while L1 is asked for, then L1");
	World other(rf::seed());

	tap.check(other.active(cold), "DL_Active");
	other.partner.port.data_link.knobs.drop_dllps = 1000000;
	other.partner.port.data_link.knobs.only = DLLP_PM_REQUEST_ACK;
	other.top.ask_l1_i = 1;
	other.run(30 * microsecond);
	tap.equal(other.top.state_o, L0, "no answer");
	partner_direct(&other.partner, LTSSM_RETRAIN);
	tap.check(other.reaches(RECOVERY_RCVRLOCK, 10 * microsecond), "Recovery");
	other.partner.port.data_link.knobs.drop_dllps = 0;
	/* Nobody waits for the L1 that was asked for before; it is asked for anew after 10 us. */
	tap.check(other.exchange(5, 8 * microsecond), "TLPs", other.at_device, other.at_partner);
	tap.check(other.reaches(L1_IDLE, cold), "L1", other.top.state_o);
	good(other);
	tap.end();

	for (int missing : { DLLP_ACK, DLLP_UPDATEFC_P }) {
		tap.begin(missing == DLLP_ACK
				  ? "no L2/L3 Ready before all TLPs are acknowledged"
				  : "no L2/L3 Ready without credits for the largest TLP");
		/* The first TLP, a write of a DW, takes one of the credits. */
		World world(rf::seed(), 4, 8);

		tap.check(world.active(cold), "DL_Active");
		world.partner.port.data_link.knobs.drop_dllps = 1000000;
		world.partner.port.data_link.knobs.only = missing;
		world.goal_up = 1;
		while (!world.at_partner && world.clock.cycle < 2 * cold)
			world.cycle();
		world.top.ask_l23_i = 1;
		tap.check(!world.reaches(L2_IDLE, 15 * microsecond), "L2");
		world.partner.port.data_link.knobs.drop_dllps = 0;
		tap.check(world.reaches(L2_IDLE, 200 * microsecond), "L2", world.top.state_o);
		tap.equal(world.at_partner, 1, "TLPs before it");
		tap.end();
	}

	tap.begin("L2/L3 Ready behind all TLPs, then training anew");
	World last(rf::seed());

	tap.check(last.active(cold), "DL_Active");
	last.goal_up = 20;
	while (last.sent_up < 20 && last.clock.cycle < 2 * cold)
		last.cycle();
	last.top.ask_l23_i = 1;
	tap.check(last.reaches(L2_IDLE, 100 * microsecond), "L2", last.top.state_o);
	tap.equal(last.at_partner, 20, "TLPs before it");
	last.run(millisecond);
	tap.equal(last.top.active_o, 0, "DL_Active");
	tap.equal(last.partner.port.ltssm.state, LTSSM_L2_IDLE, "the partner");
	last.top.ask_l23_i = 0;
	partner_direct(&last.partner, LTSSM_OFF);
	last.run(millisecond);
	partner_direct(&last.partner, LTSSM_TRAIN);
	tap.check(last.active(2 * cold), "DL_Active", last.top.state_o);
	last.forget();
	tap.check(last.exchange(50, cold), "TLPs", last.at_device, last.at_partner);
	good(last);
	no_violation(tap, last.partner);
	tap.end();
}

void few_credits()
{
	tap.begin("one TLP's credits of each class");
	World world(rf::seed(), 1, 8);

	tap.check(world.active(cold), "DL_Active");
	tap.check(world.exchange(1000, 1000000), "TLPs", world.at_device, world.at_partner);
	good(world);
	tap.end();
}

void recovery()
{
	tap.begin("Recovery at any time, then all TLPs");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active");
	for (unsigned i = 0; i < 20; i++) {
		world.goal_up += 20;
		world.run(400 + 37 * i);
		partner_direct(&world.partner, LTSSM_RETRAIN);
		tap.check(world.exchange(20, 100000), "TLPs", world.at_device, world.at_partner);
	}
	good(world);
	tap.end();

	tap.begin("Recovery ends with a packet, where the line spoilt the idle symbols");
	World spoilt(rf::seed());
	struct channel &line = spoilt.partner.to_device;
	unsigned streaming = 0; /* cycles in which the partner was in L0 */

	tap.check(spoilt.active(cold), "DL_Active");
	spoilt.send_down(40);
	partner_direct(&spoilt.partner, LTSSM_RETRAIN);
	tap.check(spoilt.reaches(RECOVERY_RCVRLOCK, 2000), "Recovery");
	/* The stream's first packet ends 70 symbols into it; its first gap comes ten times as late. */
	for (unsigned i = 0; i < 5000 && streaming < 100; i++) {
		const unsigned state = spoilt.partner.port.ltssm.state;

		spoilt.cycle();
		if (state == LTSSM_L0 && spoilt.top.state_o == L0)
			break;
		streaming += state == LTSSM_L0 && spoilt.top.state_o == RECOVERY_IDLE;
		/* An error in every other word: four words of idle in a row lead to L0, too. */
		const struct channel_fault fault = { line.symbols, CHANNEL_DISPARITY, 1 };

		if (state == LTSSM_RECOVERY_IDLE && i % 2 == 0)
			channel_fault(&line, &fault);
	}
	tap.equal(spoilt.top.state_o, L0, "L0 before the stream pauses");
	tap.check(streaming > 20 && streaming < 100, "for a packet", streaming);
	tap.check(spoilt.exchange(20, 100000), "TLPs", spoilt.at_device, spoilt.at_partner);
	good(spoilt);
	tap.end();

	tap.begin("without Acks the fourth replay retrains the link, and then goes on");
	World silent(rf::seed());

	tap.check(silent.active(cold), "DL_Active");
	silent.partner.port.data_link.knobs.hold_acks = true;
	tap.check(silent.exchange(4, 8000), "TLPs", silent.at_device, silent.at_partner);
	silent.run(5 * 1000); /* five time-outs */
	tap.check(silent.errors[TimeOut] >= 4, "time-outs", silent.errors[TimeOut]);
	tap.check(silent.errors[Rollover] >= 1, "REPLAY_NUM rolled over", silent.errors[Rollover]);
	silent.partner.port.data_link.knobs.hold_acks = false;
	tap.check(silent.exchange(50, 100000), "TLPs", silent.at_device, silent.at_partner);
	good(silent);
	tap.end();
}

} // namespace

int main()
{
	printf("# seed %" PRIu64 "\n", rf::seed());
	clean();
	errors();
	error_kinds();
	no_room();
	lost_link();
	power();
	few_credits();
	recovery();
	return tap.status();
}
