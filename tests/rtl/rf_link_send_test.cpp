/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is sent, read by the partner's receiver of ordered sets, descrambler and deframer: every set
 * and packet is whole, SKP sets come in time, and a request that changes when turn_o says so is
 * what comes next.
 */
// partner: sim/link
#include <algorithm>
#include <vector>

#include "Vrf_link_send.h"
#include "harness.h"

extern "C" {
#include "link/framer.h"
#include "link/scrambler.h"
}

namespace {

enum { Quiet, Ts1, Ts2, Eios, Idle, Packets, Compliance, Loop };

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.request_i = Quiet;
		top.set_i = 0;
		top.scramble_off_i = 0;
		top.packet_valid_i = top.packet_last_i = top.packet_word_i = top.loop_word_i = 0;
		clock.reset();
		scrambler_reset(&scrambler);
		sets = {};
		deframer = {};
		seen.clear();
		count = since_skp = 0;
		longest_skp = 0;
		shortest_skp = ~0u;
	}

	/* A cycle; what is sent goes into seen, unless it is quiet. */
	void tick()
	{
		packets();
		top.eval();
		bool taken = top.packet_valid_i && top.packet_ready_o;

		turned = top.turn_o;
		sent = top.sent_o ? int(top.sent_kind_o) : -1;
		clock.tick();
		if (taken && (at += 2) == count)
			count = 0;
		if (top.tx_idle_o) {
			/* To the partner a SKP set lasts until another symbol. */
			tap.check(sets.count == 0 ||
					  (sets.count == 4 && seen.back().kind == ORDERED_SET_SKP),
				  "electrical idle behind a whole set");
			since_skp = 0;
			return;
		}
		for (unsigned i = 0; i < 2; i++)
			symbol(top.tx_word_o >> (8 * i), top.tx_word_o >> (16 + i) & 1);
	}

	void symbol(uint8_t value, bool k)
	{
		struct lane_symbol symbol = {};
		struct ordered_set set;

		symbol.value = value;
		symbol.k = k;
		since_skp++;
		enum ordered_set_progress progress = ordered_set_receive(&sets, &symbol, &set);
		uint8_t plain = scrambler_symbol(&scrambler, value, k, false);

		tap.check(progress != ORDERED_SET_BROKEN || compliance, "no set is cut");
		if (k && value == LINK_COM && !compliance)
			tap.check(deframer.state == decltype(deframer.state)::DEFRAMER_IDLE,
				  "no packet is cut");
		if (progress == ORDERED_SET_COMPLETE) {
			seen.push_back(set);
			if (set.kind == ORDERED_SET_SKP) {
				longest_skp = std::max(longest_skp, since_skp);
				shortest_skp = std::min(shortest_skp, since_skp);
				since_skp = 0;
			}
		}
		if (progress != ORDERED_SET_OUTSIDE || compliance)
			return;
		symbol.value = plain;
		enum deframer_event event = deframer_receive(&deframer, &symbol);

		tap.check(event != DEFRAMER_ERROR && event != DEFRAMER_LOST_TLP, "framing", value,
			  k);
		if (deframer.state == decltype(deframer.state)::DEFRAMER_IDLE &&
		    event == DEFRAMER_NOTHING)
			idles++;
		if (event == DEFRAMER_TLP || event == DEFRAMER_DLLP) {
			got.emplace_back(deframer.bytes, deframer.bytes + deframer.count);
			tap.equal(event == DEFRAMER_DLLP, got.back().size() == 6, "kind");
		}
	}

	void packets()
	{
		if (!count && random.chance(offer)) {
			bool dllp = random.chance(40);
			unsigned bytes = dllp ? 6 : 4 * (5 + random.below(largest)) + 2;
			std::vector<uint8_t> content;

			for (unsigned i = 0; i < bytes; i++)
				content.push_back(random.next());
			count = framer_make(dllp ? PACKET_DLLP : PACKET_TLP, content.data(), bytes,
					    symbols);
			at = 0;
			given.push_back(content);
		}
		top.packet_valid_i = count != 0;
		top.packet_last_i = at + 2 == count;
		if (count)
			top.packet_word_i = symbols[at].value | symbols[at + 1].value << 8 |
					    symbols[at].k << 16 | symbols[at + 1].k << 17;
	}

	Vrf_link_send top;
	rf::Clock<Vrf_link_send> clock;
	rf::Random random;
	rf::Tap tap;
	struct scrambler scrambler;
	struct ordered_set_receiver sets;
	struct deframer deframer;
	std::vector<struct ordered_set> seen;
	std::vector<std::vector<uint8_t>> given, got;
	struct plain_symbol symbols[PACKET_SYMBOLS];
	unsigned count = 0, at = 0, offer = 0, idles = 0, since_skp = 0, longest_skp = 0;
	unsigned shortest_skp = ~0u;
	unsigned largest = 32;
	int sent = -1;
	bool turned = false, compliance = false;
};

uint64_t pack(const struct ordered_set &set)
{
	return uint64_t(set.link < 0) << 41 | uint64_t(set.lane < 0) << 40 |
	       uint64_t(set.link & 0xff) << 32 | uint64_t(set.lane & 0xff) << 24 | set.fts << 16 |
	       set.rate << 8 | set.control;
}

/* The request changes in turn_o alone; every set sent is one that was asked for. */
void changes(Bench &b)
{
	b.tap.begin("sets as asked for, each whole, a change in turn_o in time for the next");
	b.reset();
	std::vector<struct ordered_set> asked;
	struct ordered_set set = {};
	int request = Quiet;

	unsigned changed = 0;

	/* As the LTSSM, not in two cycles one behind the other. */
	for (unsigned i = 0; i < 100000; i++) {
		if (b.turned && i > changed + 1 && b.random.chance(30)) {
			changed = i;
			static const int kinds[] = { Quiet, Ts1, Ts2, Eios, Idle };

			/* For some time without quiet, which ends the time until a SKP set. */
			request = kinds[i & 8192 ? 1 + b.random.below(4) : b.random.below(5)];
			set.kind = request == Ts1   ? ORDERED_SET_TS1
				   : request == Ts2 ? ORDERED_SET_TS2
						    : ORDERED_SET_EIOS;
			set.link = b.random.chance(30) ? LINK_NUMBER_PAD : int(b.random.below(256));
			set.lane = b.random.chance(30) ? LINK_NUMBER_PAD : int(b.random.below(256));
			set.fts = b.random.next();
			set.rate = b.random.next();
			set.control = b.random.next();
			b.top.request_i = request;
			b.top.set_i = pack(set);
		}
		b.tick();
		if (b.sent == Ts1 || b.sent == Ts2 || b.sent == Eios) {
			b.tap.equal(b.sent, request, "the kind is the request's");
			asked.push_back(set);
		}
	}
	for (unsigned i = 0; i < 20; i++) {
		b.top.request_i = Quiet;
		b.tick();
	}
	unsigned skps = 0, at = 0;

	for (const struct ordered_set &one : b.seen) {
		if (one.kind == ORDERED_SET_SKP) {
			skps++;
			continue;
		}
		if (at >= asked.size())
			break;
		const struct ordered_set &want = asked[at++];

		b.tap.equal(one.kind, want.kind, "kind");
		if (one.kind == ORDERED_SET_EIOS)
			continue;
		b.tap.equal(one.link, want.link, "link");
		b.tap.equal(one.lane, want.lane, "lane");
		b.tap.equal(one.fts, want.fts, "N_FTS");
		b.tap.equal(one.rate, want.rate, "rate");
		b.tap.equal(one.control, want.control, "control");
	}
	b.tap.check(asked.size() > 3000, "sets", asked.size());
	b.tap.check(skps > 50, "SKP sets between them", skps);
	b.tap.check(at + 1 >= asked.size(), "all of them were sent", at, asked.size());
	b.tap.end();
}

/* Requests that change in each cycle: what stands behind turn_o is what comes. */
void late_changes(Bench &b)
{
	b.tap.begin("the request in the last word of an item, behind turn_o, is the next one");
	b.reset();
	int want = -1;
	unsigned items = 0;
	bool behind = false; /* turn_o of an item whose last word is in this cycle */

	for (unsigned i = 0; i < 100000; i++) {
		b.top.request_i = Ts1 + b.random.below(4);
		b.tick();
		if (behind)
			want = b.top.request_i;
		behind = false;
		if (b.sent < 0)
			continue;
		if (want >= 0 && b.sent <= Idle) { /* no SKP set is in between */
			b.tap.equal(b.sent, want, "the item");
			items++;
		}
		if (b.sent == Idle || b.sent == Quiet) /* of one word: it is the last, too */
			want = b.top.request_i;
		else
			behind = true;
	}
	b.tap.check(items > 10000, "items", items);
	b.tap.end();
}

/* The time until a SKP set begins behind them. */
void skp_sets_behind(Bench &b)
{
	for (int other : { Quiet, Compliance, Loop }) {
		b.tap.begin("no SKP set sooner than it is due behind " + std::to_string(other));
		b.reset();
		b.compliance = true; /* the partner's receivers do not look */
		b.top.request_i = other;
		for (unsigned i = 0; i < 5001; i++)
			b.tick();
		b.top.request_i = Idle;
		for (unsigned i = 0; i < 8; i++)
			b.tick();
		b.seen.clear();
		b.sets = {};
		b.since_skp = 8; /* words that have left, at most twice as many symbols */
		b.shortest_skp = ~0u;
		for (unsigned i = 0; i < 3000; i++)
			b.tick();
		b.tap.check(b.shortest_skp >= 1164 && b.shortest_skp <= 1180, "the first",
			    b.shortest_skp);
		b.compliance = false;
		b.tap.end();
	}
}

/* Between SKP sets: the interval, or what is under way when it is over. */
void skp_sets(Bench &b)
{
	static const struct {
		int request;
		unsigned longest; /* symbols of an item, 1180 are between */
	} all[] = { { Ts1, 16 }, { Ts2, 16 }, { Idle, 2 }, { Packets, 150 } };

	for (const auto &one : all) {
		b.tap.begin("SKP sets in time, three SKPs each, " + std::to_string(one.request));
		b.reset();
		b.top.request_i = one.request;
		b.offer = one.request == Packets ? 90 : 0;
		for (unsigned i = 0; i < 59 * 1180 + 100; i++)
			b.tick();
		unsigned skps = 0;

		for (const struct ordered_set &set : b.seen)
			skps += set.kind == ORDERED_SET_SKP;
		b.tap.check(skps >= 117 && skps <= 118, "one every 1180 symbols", skps);
		b.tap.check(b.longest_skp <= 1180 + one.longest, "the longest time", b.longest_skp);
		/* Idle ends with each word, so nothing delays a set. */
		if (one.request == Idle)
			b.tap.equal(b.shortest_skp, 1180, "the shortest time");
		b.tap.end();
	}
	b.offer = 0;
}

void packets(Bench &b)
{
	b.tap.begin("packets come whole and in order, with SKP sets and idle between them");
	b.reset();
	b.given.clear();
	b.got.clear();
	b.top.request_i = Ts1; /* the first COM sets both scramblers */
	for (unsigned i = 0; i < 50; i++)
		b.tick();
	b.offer = 30;
	b.top.request_i = Packets;
	for (unsigned i = 0; i < 100000; i++) {
		/* Out of L0 and back at any time: a packet under way ends first. */
		if (b.turned && b.random.chance(1))
			b.top.request_i = b.top.request_i == Packets ? Ts1 : Packets;
		b.top.set_i = 0;
		b.tick();
	}
	b.offer = 0;
	b.top.request_i = Packets;
	for (unsigned i = 0; i < 1000; i++)
		b.tick();
	b.tap.check(b.given.size() > 400, "packets", b.given.size());
	b.tap.equal(b.got.size(), b.given.size(), "all of them");
	b.tap.check(b.got == b.given, "as they were given");
	b.tap.check(b.idles > 1000, "idle");
	b.tap.end();

	b.tap.begin("SKP sets that become due during a long packet follow it");
	b.reset();
	b.given.clear();
	b.got.clear();
	b.largest = 1024;
	b.offer = 100;
	b.top.request_i = Packets;
	for (unsigned i = 0; i < 200000; i++)
		b.tick();
	unsigned skps = 0;

	for (const struct ordered_set &set : b.seen)
		skps += set.kind == ORDERED_SET_SKP;
	/* Of four in one packet the last is dropped; most packets are shorter. */
	b.tap.check(skps >= 320 && skps <= 339, "SKP sets", skps);
	b.tap.end();
	b.offer = 0;
}

void others(Bench &b)
{
	b.tap.begin("compliance pattern and looped words as they are, without SKP sets");
	static const uint16_t pattern[] = { 0x1bc, 0xb5, 0x1bc, 0x4a };

	b.reset();
	b.compliance = true;
	b.top.request_i = Compliance;
	for (unsigned i = 0; i < 10 && b.top.tx_word_o != 0x14abc; i++)
		b.tick();
	for (unsigned i = 0; i < 2000; i++) {
		unsigned low = pattern[i % 2 * 2], high = pattern[i % 2 * 2 + 1];

		b.tick();
		b.tap.equal(b.top.tx_word_o,
			    (low & 0xff) | (high & 0xff) << 8 | (low >> 8) << 16 |
				    (high >> 8) << 17,
			    "pattern");
	}
	/* A pattern that turn_o says can be changed is the last one. */
	for (unsigned i = 0; i < 200; i++) {
		b.top.request_i = Compliance;
		for (unsigned k = 0; k < 10 + i % 2 || !b.turned; k++)
			b.tick();
		b.top.request_i = Loop;
		b.top.loop_word_i = 0x15555;
		for (unsigned k = 0; k < 4; k++)
			b.tick();
		b.tap.equal(b.top.tx_word_o, 0x15555, "the other one");
	}
	b.top.request_i = Loop;
	uint32_t before[3] = {};

	for (unsigned i = 0; i < 4000; i++) {
		before[2] = before[1];
		before[1] = before[0];
		before[0] = b.random.next() & 0x3ffff;
		b.top.loop_word_i = before[0];
		b.tick();
		if (i > 10)
			b.tap.equal(b.top.tx_word_o, before[1], "looped");
	}
	b.compliance = false;
	b.tap.end();

	b.tap.begin("without scrambling, idle is 0");
	b.reset();
	b.compliance = true;
	b.top.scramble_off_i = 1;
	b.top.request_i = Idle;
	for (unsigned i = 0; i < 100; i++) {
		b.tick();
		if (i > 4)
			b.tap.equal(b.top.tx_word_o, 0, "idle");
	}
	b.compliance = false;
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	changes(b);
	late_changes(b);
	skp_sets(b);
	skp_sets_behind(b);
	packets(b);
	others(b);
	return b.tap.status();
}
