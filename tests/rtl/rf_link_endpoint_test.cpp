/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link with the adapters of the TLP streams, between a device that is this test and the link
 * partner: TLPs of all kinds both ways by the rules of docs/hardware/attaching.md, with device
 * clocks of several rates, with errors on the lane, without credits, with a device that takes
 * nothing, with the link lost at any time, with a partner whose Acks, Naks, replays and UpdateFCs are
 * unusual. Throughput; PME_Turn_Off; L1.
 *
 * RF_LINK_TLPS: TLPs each way with each of four rates of errors (make link-soak: 2,500,000), and more losses
 */
// parameters: -GMillisecond=20
// partner: sim/link
#include <deque>
#include <utility>
#include <vector>

#include "Vrf_link_endpoint.h"
#include "link_lane.h"

namespace {

using namespace rf;

enum { Receiver, BadTlp, BadDllp, Rollover, TimeOut, Protocol, Errors };

/* One beat of the posted stream; words as in the streams */
struct Beat {
	uint32_t header[4];
	uint64_t data;
	uint8_t strb;
	bool eop;
};

/* Numbers tell TLPs apart: the payload and the tag are made of them. */
void fill(struct link_tlp *tlp, uint32_t number)
{
	for (unsigned i = 0; i < tlp_payload_words(tlp->header); i++)
		tlp->payload[i] = number * 0x9e3779b9u + i;
	tlp->digest = ~number;
}

/* To the device: of eight, four writes, two completions, a read and a configuration write */
void make_down(struct link_tlp *tlp, uint32_t number)
{
	unsigned words = 1 + number % 64;
	uint64_t address = number << 2 | (number % 3 ? 0 : uint64_t(7) << 36);

	*tlp = {};
	switch (number % 8) {
	case 2:
	case 5:
		tlp_completion(tlp->header, 0x100, TLP_STATUS_SUCCESS, 4 * words, 0x200, number, 0,
			       words);
		break;
	case 3:
		tlp_memory_request(tlp->header, false, 0x100, number, address, words, 0xf,
				   words > 1 ? 0xf : 0);
		break;
	case 7:
		tlp->header[0] = TLP_CFGWR0 << 24 | 1;
		tlp->header[1] = 0x100 << 16 | (number & 0xff) << 8 | 0xf;
		tlp->header[2] = (0x300 + number % 16) << 16 | 0x40;
		break;
	default:
		tlp_memory_request(tlp->header, true, 0x100, number, address, words, 0xf,
				   words > 1 ? 0xf : 0);
	}
	if (number % 5 == 0)
		tlp->header[0] |= TLP_DW0_DIGEST;
	fill(tlp, number);
}

constexpr unsigned completion_words = 16;

/* To the device: completions of 64 bytes alone */
void make_completion(struct link_tlp *tlp, uint32_t number)
{
	*tlp = {};
	tlp_completion(tlp->header, 0x100, TLP_STATUS_SUCCESS, 4 * completion_words, 0x200, number,
		       0, completion_words);
	fill(tlp, number);
}

/* From the device, posted stream: of three, two writes and a completion */
void make_posted(struct link_tlp *tlp, uint32_t number, unsigned words)
{
	words = words ? words : 1 + number % 64;
	*tlp = {};
	if (number % 3 == 2)
		tlp_completion(tlp->header, 0x200,
			       number % 2 ? TLP_STATUS_SUCCESS : TLP_STATUS_UNSUPPORTED, 4 * words,
			       0x100, number, 0, number % 2 ? words : 0);
	else
		tlp_memory_request(tlp->header, true, 0x200, number,
				   number << 2 | (number & 1 ? uint64_t(5) << 40 : 0), words, 0xf,
				   words > 1 ? 0xf : 0);
	fill(tlp, number);
}

void make_read(struct link_tlp *tlp, uint32_t number)
{
	*tlp = {};
	tlp_memory_request(tlp->header, false, 0x200, number,
			   number << 3 | (number & 1 ? uint64_t(9) << 40 : 0), 1 + number % 32, 0xf,
			   number % 32 ? 0xf : 0);
}

bool same(const struct link_tlp &got, const struct link_tlp &wanted)
{
	for (unsigned i = 0; i < 4; i++)
		if (got.header[i] != wanted.header[i])
			return false;
	for (unsigned i = 0; i < tlp_payload_words(wanted.header); i++)
		if (got.payload[i] != wanted.payload[i])
			return false;
	return true;
}

class World {
public:
	/* @rate: device cycles in a thousand of the link */
	explicit World(uint64_t seed, unsigned rate = 500,
		       const struct credits *credits = nullptr) :
	    clock(top),
	    random(seed), lane(top, partner), rate(rate)
	{
		struct port_config config = partner_config();

		config.data_link.deliver = deliver;
		config.data_link.context = this;
		for (unsigned i = 0; credits && i < CREDIT_CLASSES; i++)
			config.data_link.credits[i] = credits[i];
		partner_reset(&partner, &config, seed);
		partner.decoded = true;
		lane.reset();
		top.device_clk_i = 0;
		top.rx_tlp_ready_i = top.tx_tlp_valid_i = top.tx_read_tlp_valid_i = 0;
		top.tx_tlp_eop_i = top.tx_tlp_strb_i = top.d3hot_i = 0;
		top.tx_tlp_data_i = 0;
		clock.reset();
		top.rx_rst_ni = 1;
	}

	void cycle()
	{
		lane.detect();
		/* The two clocks' edges are at different times. */
		for (phase += rate; phase >= 1000; phase -= 1000)
			device_cycle();
		clock.tick();
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
			if (top.device_rst_no && partner.port.data_link.state == DL_ACTIVE)
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

	/* More of each kind; true when all have come. */
	bool exchange(unsigned down, unsigned posted, unsigned reads, unsigned limit)
	{
		goal_down += down;
		goal_posted += posted;
		goal_reads += reads;
		while (limit--) {
			cycle();
			if (at_device == goal_down && at_partner == goal_posted &&
			    reads_at_partner == goal_reads)
				return true;
		}
		return false;
	}

	/* The link was down: what was under way is lost, on both sides. */
	void forget()
	{
		goal_down = sent_down = at_device = 0;
		goal_posted = made_posted = accepted_posted = at_partner = 0;
		goal_reads = offered_reads = accepted_reads = reads_at_partner = 0;
		behind.clear();
		beats.clear();
		for (unsigned &error : errors)
			error = 0;
	}

	Vrf_link_endpoint top;
	Clock<Vrf_link_endpoint> clock;
	Random random;
	struct partner partner;
	LinkSerdes<Vrf_link_endpoint> lane;
	unsigned errors[Errors] = {};
	unsigned rx_ready = 90, tx_valid = 90; /* percent */
	unsigned words = 0; /* of all posted TLPs; 0: any */
	void (*make)(struct link_tlp *tlp, uint32_t number) = make_down; /* to the device */
	Wraps wraps;
	uint32_t goal_down = 0, sent_down = 0, at_device = 0;
	uint32_t goal_posted = 0, made_posted = 0, accepted_posted = 0, at_partner = 0;
	uint32_t goal_reads = 0, offered_reads = 0, accepted_reads = 0, reads_at_partner = 0;
	unsigned wrong = 0, passed = 0, voids = 0, resets = 0, turned_off = 0, bytes = 0;
	unsigned told_correctable = 0, told_fatal = 0; /* pulses of link_status_o */

private:
	/* Words of a header, as in hdr[127:0] */
	template <class Wide> static void put(Wide &wide, const uint32_t *header)
	{
		for (unsigned i = 0; i < 4; i++)
			wide[3 - i] = header[i];
	}

	void device_cycle()
	{
		if (sent_down < goal_down) {
			static struct link_tlp tlp;

			make(&tlp, sent_down);
			sent_down += partner_send(&partner, &tlp);
		}
		if (!top.device_rst_no) {
			top.tx_tlp_valid_i = top.tx_read_tlp_valid_i = top.rx_tlp_ready_i = 0;
			resets += was_active;
			was_active = in_tlp = false;
		} else {
			was_active = true;
			offer_posted();
			offer_read();
			top.rx_tlp_ready_i = random.chance(rx_ready);
		}
		top.eval();
		bool posted = top.tx_tlp_valid_i && top.tx_tlp_ready_o;
		bool read = top.tx_read_tlp_valid_i && top.tx_read_tlp_ready_o;

		if (top.device_rst_no && top.rx_tlp_valid_o)
			receive(top.rx_tlp_ready_i);
		else
			wrong += std::exchange(stays, false);
		top.device_clk_i = 1;
		top.eval();
		told_correctable += top.link_status_o >> 1 & 1;
		told_fatal += top.link_status_o & 1;
		top.device_clk_i = 0;
		top.eval();
		if (posted) {
			accepted_posted += beats.front().eop;
			beats.pop_front();
			top.tx_tlp_valid_i = 0;
		}
		if (read) {
			/* It has entered the ring: nothing can be in its way any more. */
			accepted_reads++;
			top.tx_read_tlp_valid_i = 0;
		}
	}

	/* The stream may pause anywhere; an offer stays. */
	void offer_posted()
	{
		if (top.tx_tlp_valid_i)
			return;
		if (beats.empty() && made_posted < goal_posted) {
			static struct link_tlp tlp;
			Beat beat;

			make_posted(&tlp, made_posted++, words);
			unsigned count = tlp_payload_words(tlp.header);

			for (unsigned i = 0; i < 4; i++)
				beat.header[i] = tlp.header[i];
			for (unsigned i = 0; i == 0 || i < count; i += 2) {
				beat.data = tlp.payload[i] | (uint64_t)tlp.payload[i + 1] << 32;
				beat.strb = count == 0 ? 0 : count == i + 1 ? 1 : 3;
				beat.eop = i + 2 >= count;
				beats.push_back(beat);
			}
		}
		if (beats.empty() || !random.chance(tx_valid))
			return;
		top.tx_tlp_valid_i = 1;
		put(top.tx_tlp_hdr_i, beats.front().header);
		top.tx_tlp_data_i = beats.front().data;
		top.tx_tlp_strb_i = beats.front().strb;
		top.tx_tlp_eop_i = beats.front().eop;
	}

	/* Behind the posted TLPs that were accepted before. */
	void offer_read()
	{
		if (top.tx_read_tlp_valid_i || offered_reads == goal_reads || !random.chance(50))
			return;
		static struct link_tlp tlp;

		make_read(&tlp, offered_reads++);
		behind.push_back(accepted_posted);
		top.tx_read_tlp_valid_i = 1;
		put(top.tx_read_tlp_hdr_i, tlp.header);
	}

	void receive(bool taken)
	{
		stays = !taken;
		if (!taken)
			return;
		if (top.rx_tlp_sop_o) {
			wrong += in_tlp;
			came = {};
			count = 0;
			for (unsigned i = 0; i < 4; i++)
				came.header[i] = top.rx_tlp_hdr_o[3 - i];
		}
		wrong += !top.rx_tlp_sop_o && !in_tlp;
		for (unsigned i = 0; i < 2; i++)
			if (top.rx_tlp_strb_o >> i & 1)
				came.payload[count++] = top.rx_tlp_data_o >> (32 * i);
		in_tlp = !top.rx_tlp_eop_o;
		wrong += top.rx_tlp_error_o && !top.rx_tlp_eop_o;
		if (in_tlp)
			return;
		if (top.rx_tlp_error_o) {
			voids++;
			return;
		}
		if (came.header[0] >> 27 == 6) { /* a message: PME_Turn_Off */
			turned_off++;
			return;
		}
		static struct link_tlp wanted;

		make(&wanted, at_device++);
		wanted.header[0] &= ~TLP_DW0_DIGEST;
		wrong += !same(came, wanted) || count != tlp_payload_words(wanted.header);
	}

	static void deliver(void *context, const struct link_tlp *tlp)
	{
		World *world = static_cast<World *>(context);
		static struct link_tlp wanted;

		if (tlp_is_memory_read(tlp->header)) {
			make_read(&wanted, world->reads_at_partner++);
			world->wrong +=
				world->behind.empty() || world->behind.front() > world->at_partner;
			world->passed +=
				!world->behind.empty() && world->behind.front() < world->at_partner;
			if (!world->behind.empty())
				world->behind.pop_front();
		} else if (tlp->header[0] >> 24 == 0x35) { /* PME_TO_Ack */
			world->wrong += (tlp->header[1] & 0xff) != 0x1b ||
					world->at_partner != world->goal_posted;
			world->turned_off += 0x10000;
			world->requester = tlp->header[1] >> 16;
			return;
		} else {
			make_posted(&wanted, world->at_partner++, world->words);
			world->bytes += 4 * tlp_payload_words(tlp->header);
		}
		world->wrong += !same(*tlp, wanted);
	}

	std::deque<Beat> beats;
	std::deque<uint32_t> behind; /* posted TLPs that are before each read */
	struct link_tlp came = {};
	unsigned rate, phase = 0, count = 0;
	bool in_tlp = false, was_active = false, stays = false;

public:
	unsigned requester = 0;
};

Tap tap;

void good(const World &world)
{
	tap.equal(world.wrong, 0, "each once, whole and in order");
	tap.equal(world.accepted_reads, world.reads_at_partner, "reads that were accepted");
	tap.equal(world.errors[Protocol], 0, "protocol errors");
	tap.equal(world.partner.port.data_link.counters.protocol_errors, 0, "the partner's");
	tap.equal(world.partner.port.data_link.counters.overflows, 0, "TLPs without credits");
	tap.equal(world.partner.port.data_link.counters.malformed, 0, "malformed TLPs");
}

void clocks()
{
	for (unsigned rate : { 500, 1000, 620, 250 }) {
		tap.begin("TLPs of all kinds both ways, device clock of " +
			  std::to_string(rate * 125 / 1000) + " MHz");
		World world(rf::seed() + rate, rate);

		tap.check(world.active(cold), "DL_Active");
		for (unsigned i = 0; i < 5; i++) {
			world.rx_ready = i == 1 ? 60 : 100;
			world.tx_valid = i == 2 ? 40 : 100;
			tap.check(world.exchange(600, 400, 200, 400000), "TLPs", world.at_device,
				  world.at_partner);
		}
		good(world);
		no_violation(tap, world.partner);
		acks_in_time(tap, world.partner, 300);
		tap.equal(world.voids, 0, "void TLPs");
		tap.check(world.passed > 20, "reads that later TLPs passed", world.passed);
		tap.equal(world.partner.port.data_link.counters.naks_received, 0, "Naks");
		tap.end();
	}
}

/* One link throughout, so that its sequence numbers go on. */
void errors()
{
	const char *soak = getenv("RF_LINK_TLPS");
	const uint32_t tlps = soak ? strtoul(soak, nullptr, 0) : 1500, portion = 1500;
	/* At one in 500 the specification itself sends some links to Detect: eight training sets are 128 symbols. */
	const std::vector<unsigned> rates =
		soak ? std::vector<unsigned>{ 10000000, 1000000, 100000, 10000 }
		     : std::vector<unsigned>{ 20000, 2000, 1000 };
	World world(rf::seed() * 10);
	Progress progress("rf_link_endpoint", uint64_t(tlps) * rates.size());
	const struct data_link_counters &counters = world.partner.port.data_link.counters;

	for (unsigned every : rates) {
		tap.begin("an error in " + std::to_string(every) + " symbols each way");
		const unsigned voids = world.voids, told = world.told_correctable,
			       acks = world.partner.watch.acks;

		tap.check(world.at_device || world.active(cold), "DL_Active");
		for (struct channel *one :
		     { &world.partner.to_device, &world.partner.from_device }) {
			one->error_every = every;
			one->error_kinds = 1 << CHANNEL_FLIP | 1 << CHANNEL_DISPARITY;
		}
		for (uint32_t left = tlps; left;) {
			const uint32_t some = left < portion ? left : portion, reads = some / 3;

			if (!world.exchange(some, some - reads, reads, 4000000)) {
				tap.check(false, "TLPs", world.at_device, world.at_partner);
				break;
			}
			left -= some;
			progress.at(world.at_device);
		}
		good(world);
		/* TLPs have more than 100 symbols on average. One with an error is void to the device,
		 * unless it has not been seen to begin. */
		const uint64_t spoilt = uint64_t(tlps) * 100 / every;

		tap.check(world.voids - voids >= spoilt / 4, "void TLPs", world.voids - voids,
			  spoilt);
		tap.check(world.told_correctable - told >= spoilt / 4 && world.told_fatal == 0,
			  "the device is told", world.told_correctable - told, world.told_fatal);
		acks_in_time(tap, world.partner, acks + tlps / 100);
		printf("# %u void TLPs, %u errors told, %u Naks from and %u to the device, %u "
		       "time-outs; %u Acks judged, %u symbol times at most\n",
		       world.voids - voids, world.told_correctable - told, counters.naks_received,
		       counters.naks_sent, world.errors[TimeOut], world.partner.watch.acks - acks,
		       world.partner.watch.ack_longest);
		tap.end();
	}

	tap.begin("sequence numbers of that link have wrapped, both ways");
	const uint64_t all = uint64_t(tlps) * rates.size();

	/* A campaign of millions owes more than a thousand. */
	wrapped(tap, world.partner, world.wraps, all < 1000000 ? all / SEQUENCE_NUMBERS : 1001);
	tap.end();
}

void told()
{
	tap.begin(
		"the device is told of its link and of errors, one pulse for one far from others");
	for (unsigned rate : { 500, 1000, 250 }) {
		World world(rf::seed() + rate, rate);
		struct data_link &link = world.partner.port.data_link;

		tap.check(world.active(cold), "DL_Active");
		tap.equal(world.top.link_status_o >> 2, 1 << 7 | 1 << 1 | 1,
			  "2.5 GT/s, one lane, the slot's clock");
		tap.check(world.exchange(100, 100, 20, 100000), "TLPs");
		tap.equal(world.told_correctable, 0, "none without an error");
		for (unsigned i = 0; i < 10; i++) {
			(i & 1 ? link.knobs.spoil_tlps : link.knobs.spoil_dllps) = 1;
			tap.check(world.exchange(3, 3, 1, 100000), "TLPs");
			world.run(10 * microsecond);
			tap.equal(world.told_correctable, i + 1, "correctable errors");
		}
		tap.equal(world.errors[BadTlp] + world.errors[BadDllp], 10, "errors of the link");
		good(world);
		tap.equal(world.told_fatal, 0, "fatal errors");
		/* Acks of what was never sent */
		link.expected = (link.expected + 1000) % 4096;
		world.exchange(0, 1, 0, 2000);
		tap.check(world.errors[Protocol] > 0, "Data Link Protocol Errors",
			  world.errors[Protocol]);
		tap.check(world.told_fatal > 0 && world.told_fatal <= world.errors[Protocol],
			  "fatal errors", world.told_fatal);
	}
	tap.end();
}

void few_credits()
{
	tap.begin("one TLP's credits of each class");
	static const struct credits few[] = { { 1, 16 }, { 1, 1 }, { 1, 16 } };
	World world(rf::seed(), 500, few);

	tap.check(world.active(cold), "DL_Active");
	tap.check(world.exchange(300, 300, 100, 1000000), "TLPs", world.at_device,
		  world.at_partner);
	good(world);
	tap.end();

	tap.begin("a read without credits stays offered, and posted TLPs pass it");
	static const struct credits no_reads[] = { { 0, 0 }, { 2, 0 }, { 0, 0 } };
	World other(rf::seed(), 500, no_reads);

	tap.check(other.active(cold), "DL_Active");
	other.partner.port.data_link.knobs.hold_credits = CREDIT_ALL;
	other.exchange(0, 100, 10, 100000);
	tap.equal(other.at_partner, 100, "posted TLPs");
	tap.equal(other.accepted_reads, 2, "reads that have credits");
	tap.equal(other.offered_reads, 3, "the next one is offered");
	other.partner.port.data_link.knobs.hold_credits = 0;
	/* Far more than the 32 that a read's place is counted in */
	tap.check(other.exchange(20, 0, 0, 100000), "all", other.at_device, other.reads_at_partner);
	good(other);
	tap.end();

	tap.begin("posted TLPs without credits let earlier reads go, and no later ones");
	static const struct credits no_posted[] = { { 2, 64 }, { 0, 0 }, { 0, 0 } };
	World third(rf::seed(), 500, no_posted);

	tap.check(third.active(cold), "DL_Active");
	third.partner.port.data_link.knobs.hold_credits = CREDIT_ALL;
	third.goal_posted = 30;
	third.run(4000);
	tap.check(third.at_partner < 4, "posted TLPs that have credits", third.at_partner);
	third.goal_reads = 1;
	third.run(4000);
	tap.equal(third.accepted_reads, 0, "behind the posted ones");
	third.partner.port.data_link.knobs.hold_credits = 0;
	tap.check(third.exchange(20, 0, 0, 100000), "all", third.at_device, third.at_partner);
	good(third);
	tap.end();
}

void slow_device()
{
	tap.begin("a device that takes nothing for a while: nothing is lost");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active");
	for (unsigned i = 0; i < 4; i++) {
		world.rx_ready = 0;
		world.exchange(800, 30, 10, 30000);
		tap.equal(world.at_partner, 30 * (i + 1), "posted TLPs");
		world.rx_ready = 50;
		tap.check(world.exchange(0, 0, 0, 1000000), "TLPs", world.at_device,
			  world.at_partner);
	}
	good(world);
	tap.equal(world.errors[BadTlp], 0, "Bad TLPs");
	tap.end();
}

/* Completions alone, which have infinite credits, until the buffer is full */
void full_buffer()
{
	tap.begin("completions for which there is no room come again");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active");
	static struct link_tlp tlp;
	const uint32_t number = 8 * 60 + 2; /* a completion */
	unsigned sent = 0, seen = 0;

	make_down(&tlp, number);
	world.rx_ready = 0;
	for (unsigned i = 0; i < 200000 && seen < 80; i++) {
		if (i == 60000) { /* 25 in 512 entries, 32 that are sent again, 16 that wait */
			tap.check(sent > 25 && sent <= 25 + 32 + 16, "completions sent", sent);
			world.rx_ready = 100;
		}
		sent += sent < 80 && partner_send(&world.partner, &tlp);
		world.at_device = number;
		world.cycle();
		seen += world.at_device != number;
	}
	tap.equal(seen, 80, "all came");
	tap.check(world.partner.port.data_link.counters.naks_received > 0, "Naks",
		  world.partner.port.data_link.counters.naks_received);
	world.at_device = 0;
	good(world);
	tap.end();
}

void void_tlps()
{
	tap.begin("TLPs that turn out void, of any length");
	World world(rf::seed());
	struct data_link_knobs &knobs = world.partner.port.data_link.knobs;

	tap.check(world.active(cold), "DL_Active");
	for (unsigned i = 0; i < 300; i++) {
		(i % 3 == 0   ? knobs.spoil_tlps
		 : i % 3 == 1 ? knobs.nullify_tlps
			      : knobs.double_tlps) = 1;
		tap.check(world.exchange(1 + i % 3, i & 1, 0, 20000), "TLPs", world.at_device,
			  world.at_partner);
	}
	/* An Ack between the two copies of a TLP is early to the partner, which counts a TLP as sent
	 * when both are. */
	unsigned &early = world.partner.port.data_link.counters.protocol_errors;

	tap.check(early <= 100, "Acks between copies", early);
	early = 0;
	good(world);
	tap.check(world.voids > 100, "void TLPs", world.voids);
	tap.check(world.errors[BadTlp] > 50, "Bad TLPs", world.errors[BadTlp]);
	tap.end();
}

void lost_link()
{
	tap.begin("the link lost at any time: reset, then all is new");
	World world(rf::seed());

	for (unsigned i = 0; i < (getenv("RF_LINK_TLPS") ? 30 : 12); i++) {
		tap.check(world.active(2 * cold), "DL_Active", i, world.top.state_o);
		tap.check(world.exchange(60, 40, 20, 60000), "TLPs", world.at_device,
			  world.at_partner);
		good(world);
		world.exchange(60, 40, 20, world.random.below(6000));
		if (i % 3 == 2) {
			partner_direct(&world.partner, LTSSM_RESET_LINK);
			tap.check(world.reaches(HOT_RESET, cold), "Hot Reset");
			partner_direct(&world.partner, LTSSM_TRAIN);
		} else {
			world.lane.stop = i & 1;
			world.lane.mute = true;
			world.partner.from_device.silent = true;
			tap.check(world.reaches(DETECT_QUIET, 40 * millisecond), "down");
			world.lane.mute = world.partner.from_device.silent = false;
		}
		world.run(20);
		tap.equal(world.top.device_rst_no, 0, "the device's reset");
		tap.equal(world.resets, i + 1, "once each time");
		/* A TLP that the device had not taken whole is gone. */
		world.wrong = 0;
		world.forget();
	}
	tap.end();
}

void power()
{
	tap.begin("D3hot leads to L1; a TLP of either side ends it");
	World world(rf::seed());

	tap.check(world.active(cold), "DL_Active");
	tap.check(world.exchange(50, 50, 10, 40000), "TLPs");
	world.top.d3hot_i = 1;
	for (unsigned i = 0; i < 4; i++) {
		tap.check(world.reaches(L1_IDLE, 100 * microsecond), "L1", world.top.state_o);
		world.run(10 * microsecond);
		tap.check(world.exchange(i == 0, i == 1, i == 2, cold) || i == 3, "TLPs", i);
	}
	good(world);
	no_violation(tap, world.partner);
	tap.end();

	tap.begin("PME_Turn_Off is answered behind all posted TLPs, then L2/L3 Ready");
	World other(rf::seed());
	struct link_tlp tlp = {};

	tap.check(other.active(cold), "DL_Active");
	tap.check(other.exchange(8, 10, 10, 40000), "TLPs");
	/* Broadcast from the root complex, code 0x19 */
	tlp.header[0] = 0x33000000;
	tlp.header[1] = 0x01000019;
	/* It is behind the TLPs of a stream that does not pause. */
	other.tx_valid = 100;
	other.goal_posted += 20;
	tap.check(partner_send(&other.partner, &tlp), "PME_Turn_Off");
	tap.check(other.reaches(L2_IDLE, 200 * microsecond), "L2", other.top.state_o);
	tap.equal(other.turned_off, 0x10001, "PME_Turn_Off, PME_TO_Ack");
	tap.equal(other.requester, 0x307, "of the last configuration write's function");
	tap.equal(other.at_partner, 30, "posted TLPs before it");
	good(other);
	no_violation(tap, other.partner);
	tap.end();
}

/* --- a partner with unusual times -------------------------------------------------------- */

/* By the specification the replay timer ends 711 to 1422 symbol times behind a TLP of 128 bytes. */
void late_acks()
{
	tap.begin("Acks that come just before the replay timer ends: nothing is sent again");
	World world(rf::seed());
	struct data_link &link = world.partner.port.data_link;

	world.words = 32;
	link.config.ack_latency = 680;
	tap.check(world.active(cold), "DL_Active");
	tap.check(world.exchange(0, 300, 100, 400000), "TLPs", world.at_partner);
	tap.equal(world.errors[TimeOut], 0, "time-outs");
	tap.equal(link.counters.duplicates, 0, "TLPs that came again");
	good(world);
	no_violation(tap, world.partner);
	tap.end();

	tap.begin("Acks behind the replay timer: TLPs come again, and count once");
	World other(rf::seed());
	struct data_link &late = other.partner.port.data_link;

	late.config.ack_latency = 2000;
	tap.check(other.active(cold), "DL_Active");
	for (unsigned i = 0; i < 20; i++) {
		const unsigned twice = late.counters.duplicates;

		tap.check(other.exchange(2, 1, i & 1, 8000), "TLPs", other.at_partner);
		other.run(1000);
		tap.equal(other.errors[TimeOut], i + 1, "time-outs");
		tap.check(late.counters.duplicates > twice, "TLPs that came again");
		tap.check(data_link_empty(&late), "nothing is left");
	}
	/* A repetition is acknowledged at once. */
	tap.equal(other.errors[Rollover], 0, "REPLAY_NUM rolled over");
	good(other);
	no_violation(tap, other.partner);
	tap.end();
}

void lost_acks()
{
	tap.begin("a lost Ack: the next one counts for both, or the replay timer ends");
	World world(rf::seed());
	struct data_link &link = world.partner.port.data_link;

	tap.check(world.active(cold), "DL_Active");
	link.knobs.only = DLLP_ACK;
	for (unsigned i = 0; i < 20; i++) {
		const unsigned sent = link.counters.acks_sent;

		link.knobs.drop_dllps = 1;
		tap.check(world.exchange(0, 1, 0, 1000), "a TLP", world.at_partner);
		for (unsigned wait = 0; wait < 500 && link.knobs.drop_dllps; wait++)
			world.cycle();
		tap.equal(link.counters.acks_sent, sent + 1, "an Ack, lost");
		/* The timer has 711 symbol times at least; the other Ack takes 250 with its TLP. */
		world.run(100);
		tap.check(world.exchange(0, 0, 1, 1000), "a TLP", world.reads_at_partner);
		world.run(2000);
		tap.equal(world.errors[TimeOut], i, "time-outs, with a later Ack");
		tap.equal(link.counters.duplicates, i, "repetitions");

		link.knobs.drop_dllps = 1;
		tap.check(world.exchange(0, 1, 0, 1000), "a TLP", world.at_partner);
		/* 1422 symbol times and a short TLP */
		world.run(1000);
		tap.equal(world.errors[TimeOut], i + 1, "time-outs, without one");
		tap.equal(link.counters.duplicates, i + 1, "repetitions");
		tap.check(data_link_empty(&link) && !link.knobs.drop_dllps, "nothing is left");
	}
	tap.equal(world.errors[Rollover], 0, "REPLAY_NUM rolled over");
	good(world);
	no_violation(tap, world.partner);
	tap.end();
}

void naks()
{
	tap.begin("a Nak of a good TLP: it comes again, without the replay timer");
	World world(rf::seed());
	struct data_link &link = world.partner.port.data_link;

	tap.check(world.active(cold), "DL_Active");
	for (unsigned i = 0; i < 100; i++) {
		link.knobs.nak_tlps = 1;
		tap.check(world.exchange(3, 2 + i % 7, 1 + i % 3, 10000), "TLPs", world.at_partner);
		tap.equal(link.counters.naks_sent, i + 1, "Naks");
	}
	tap.equal(world.errors[TimeOut], 0, "time-outs");
	tap.equal(link.counters.duplicates, 0, "TLPs that came twice");
	good(world);
	no_violation(tap, world.partner);
	tap.end();

	/* A Nak comes once for a TLP (3.6.3.1), then the replay timer has to end. REPLAY_NUM allows three
	 * replays; the fourth is behind Recovery (3.6.2.1). */
	tap.begin(
		"the same TLP refused up to four times: time-outs, at last Recovery, once delivered");
	for (unsigned i = 0; i < 12; i++) {
		const unsigned refused = 1 + i % 4, rolls = refused == 4;
		World other(rf::seed() * 12 + i);
		struct data_link &refuses = other.partner.port.data_link;

		tap.check(other.active(cold), "DL_Active");
		tap.check(other.exchange(5, 5, 2, 10000), "TLPs");
		const unsigned recoveries = other.partner.port.ltssm.entries[LTSSM_RECOVERY_IDLE];

		refuses.knobs.nak_tlps = refused;
		tap.check(other.exchange(0, 1 + i / 4, 0, 20000), "TLPs", other.at_partner);
		tap.equal(refuses.counters.naks_sent, 1, "Naks");
		tap.equal(other.errors[TimeOut], refused - 1, "time-outs");
		tap.equal(other.errors[Rollover], rolls, "REPLAY_NUM rolled over");
		tap.equal(other.partner.port.ltssm.entries[LTSSM_RECOVERY_IDLE], recoveries + rolls,
			  "Recovery");
		tap.equal(refuses.counters.downs, 0, "the link was never down");
		good(other);
	}
	tap.end();
}

/* A replay timer that ends before the device's Ack is due */
void early_replays()
{
	tap.begin("TLPs of a partner that repeats them too early count once");
	World world(rf::seed());
	struct data_link &link = world.partner.port.data_link;

	link.config.replay_limit = 60;
	tap.check(world.active(cold), "DL_Active");
	tap.equal(link.replay.limit, 60, "its timer");
	for (unsigned i = 0; i < 100; i++)
		tap.check(world.exchange(1 + i % 4, 2, 1, 20000), "TLPs", world.at_device);
	tap.check(link.replay.timeouts >= 50, "its time-outs", link.replay.timeouts);
	tap.equal(world.errors[BadTlp] + world.errors[TimeOut], 0, "errors");
	tap.equal(link.counters.naks_received, 0, "Naks");
	/* Each repetition is acknowledged at once, long before the fourth. */
	tap.equal(link.replay.rollovers, 0, "its REPLAY_NUM rolled over");
	tap.check(world.voids >= 50, "repetitions, void to the device", world.voids);
	good(world);
	no_violation(tap, world.partner);
	tap.end();
}

void seldom_updates()
{
	tap.begin("UpdateFCs that are lost: the device waits for the next ones, however late");
	static const struct credits two[] = { { 2, 0 }, { 0, 0 }, { 0, 0 } };

	for (unsigned interval : { 1000, 7500, 40000 }) {
		World world(rf::seed(), 500, two);
		struct data_link &link = world.partner.port.data_link;

		link.config.update_interval = interval;
		tap.check(world.active(cold), "DL_Active");
		tap.check(world.exchange(20, 21, 5, 40000), "TLPs");
		world.run(200);
		const unsigned recoveries = world.partner.port.ltssm.entries[LTSSM_RECOVERY_IDLE];

		for (unsigned i = 0; i < 4; i++) {
			const uint32_t before = world.at_partner;

			link.knobs.drop_dllps = 1000000;
			link.knobs.only = DLLP_UPDATEFC_P;
			world.exchange(5, 6, 2, 30000);
			/* Two writes, and the completion behind them */
			tap.equal(world.at_partner, before + 3, "posted TLPs that have credits");
			tap.equal(world.reads_at_partner, world.goal_reads, "reads");
			link.knobs.drop_dllps = 0;
			/* The next one, and those that it lets go */
			tap.check(world.exchange(0, 0, 0, interval / 2 + 2000), "the others",
				  world.at_partner, before + 6);
		}
		tap.equal(world.partner.port.ltssm.entries[LTSSM_RECOVERY_IDLE], recoveries,
			  "Recovery");
		tap.equal(world.errors[TimeOut], 0, "time-outs");
		good(world);
		no_violation(tap, world.partner);
	}
	tap.end();
}

/* Nothing else is sent that an Ack could wait for. */
void ack_latency()
{
	tap.begin("an Ack within 237 symbol times of a TLP");
	World world(rf::seed());
	const struct watch &watch = world.partner.watch;

	tap.check(world.active(cold), "DL_Active");
	for (unsigned i = 0; i < 300; i++) {
		tap.check(world.exchange(1 + i % 3, 0, 0, 4000), "TLPs", world.at_device);
		world.run(200 + world.random.below(400));
	}
	acks_in_time(tap, world.partner, 300);
	/* An UpdateFC of 8 symbols or a SKP set may be in its way. */
	tap.check(watch.ack_longest <= watch.ack_limit, "symbol times", watch.ack_longest,
		  watch.ack_limit);
	printf("# %u of %u symbol times\n", watch.ack_longest, watch.ack_limit);
	good(world);
	no_violation(tap, world.partner);
	tap.end();
}

/* --- throughput ---------------------------------------------------------------------------- */

void throughput()
{
	tap.begin("256-byte writes of the device: 210 MB/s and more");
	static const struct credits many[] = { { 127, 2047 }, { 0, 0 }, { 0, 0 } };
	World world(rf::seed(), 500, many);

	tap.check(world.active(cold), "DL_Active");
	world.tx_valid = 100;
	world.words = 64;
	tap.check(world.exchange(0, 50, 0, 40000), "TLPs");
	world.bytes = 0;
	uint64_t begin = world.clock.cycle;

	world.goal_reads = 50;
	world.exchange(0, 1000, 0, 60000);
	tap.equal(world.reads_at_partner, 50, "reads have their turn");
	tap.check(world.exchange(0, 500, 0, 400000), "TLPs");
	double rate = world.bytes * 125.0 / double(world.clock.cycle - begin);

	/* Of three, one is a completion, and half of these are without data. */
	printf("# %.0f MB/s\n", rate);
	tap.check(rate >= 210, "MB/s", uint64_t(rate), 210);
	good(world);
	tap.end();
}

/*
 * What the wire gives: STP, sequence number, header, payload, LCRC, END; four symbols of a SKP set
 * in each interval. DLLPs of the partner, which serve the device's TLPs, are not counted.
 */
void completions()
{
	const unsigned tlp_symbols = 1 + 2 + 12 + 4 * completion_words + 4 + 1;
	const unsigned dllp_symbols = 8, skp_symbols = 4;

	for (bool reads : { false, true }) {
		tap.begin(std::string("completions of 64 bytes") +
			  (reads ? ", a read for each" : "") + ": 95 % of the wire and more");
		World world(rf::seed());
		const struct data_link_counters &counters = world.partner.port.data_link.counters;

		tap.check(world.active(cold), "DL_Active");
		world.make = make_completion;
		world.rx_ready = 100;
		tap.check(world.exchange(100, 0, 0, 40000), "TLPs");
		/* More than go in that time */
		world.goal_down = 1000000;
		world.goal_reads = reads ? 1000000 : 0;
		world.run(2000);
		const uint64_t begin = world.lane.symbols, first = world.at_device,
			       dllps = counters.acks_sent + counters.updates_sent;

		world.run(200000);
		const double symbols = double(world.lane.symbols - begin),
			     sets = symbols / world.partner.port.config.skp_interval,
			     others = double(counters.acks_sent + counters.updates_sent - dllps);
		const double given = symbols - skp_symbols * sets - dllp_symbols * others;
		const double came = double(world.at_device - first) * tlp_symbols;

		printf("# %.2f %% of the wire, %.1f MB/s; %.0f DLLPs, %u reads\n",
		       100 * came / given,
		       double(world.at_device - first) * 4 * completion_words * 250 / symbols,
		       others, world.reads_at_partner);
		tap.check(came >= 0.95 * given && came <= 1.01 * given, "symbols", uint64_t(came),
			  uint64_t(given));
		tap.check(!reads || world.reads_at_partner > 1000, "reads", world.reads_at_partner);
		tap.equal(world.wrong, 0, "each once, whole and in order");
		tap.equal(counters.naks_received, 0, "Naks");
		no_violation(tap, world.partner);
		tap.end();
	}
}

} // namespace

void first_tlp()
{
	tap.begin("TLPs that either side sends as soon as it may");
	for (unsigned i = 0; i < 8; i++) {
		World world(rf::seed() * 8 + i, 300 + 100 * i);

		tap.check(world.exchange(3, 3, 1, cold + 40 * microsecond), "TLPs", world.at_device,
			  i);
		tap.equal(world.wrong, 0, "in order");
	}
	tap.end();
}

int main()
{
	printf("# seed %" PRIu64 "\n", rf::seed());
	first_tlp();
	clocks();
	errors();
	told();
	few_credits();
	slow_device();
	full_buffer();
	void_tlps();
	lost_link();
	power();
	ack_latency();
	late_acks();
	lost_acks();
	naks();
	early_replays();
	seldom_updates();
	throughput();
	completions();
	return tap.status();
}
