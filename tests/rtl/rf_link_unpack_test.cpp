/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLPs into the replay ring against a model of credits: each whole and with those that it needs,
 * posted ones and completions in their order, a read behind the posted ones that it names; which
 * goes when the other may not, and turns when both may.
 */
#include <deque>
#include <vector>

#include "Vrf_link_unpack.h"
#include "bits.h"
#include "harness.h"

namespace {

enum { Posted = 1, NonPosted = 2, Completion = 4 };

struct Entry {
	bool last, half;
	uint64_t data;
};

struct Tlp {
	unsigned kind, need;
	bool turned_off; /* PME_TO_Ack */
	std::vector<uint16_t> words;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.entry_valid_i = top.read_request_i = top.read_behind_i = 0;
		top.tx_ready_i = top.admits_i = 0;
		clock.reset();
		tap.equal(top.tx_valid_o | top.tx_waits_o | top.consume_o | top.read_done_o |
				  top.ask_l23_o,
			  0, "behind a reset");
		entries.clear();
		tlps.clear();
		words.clear();
		made = entered = behind = 0;
		offered = reading = going = is_read = asked = false;
		posted_may = read_may = last_kind = need = 0;
		idle = 0;
	}

	/* Two DWs of a header are four words, most significant byte first. */
	static void header_words(Tlp &tlp, uint64_t data, bool half)
	{
		for (unsigned i = 0; i < (half ? 2 : 4); i++) {
			unsigned word = data >> (48 - 16 * i) & 0xffff;

			tlp.words.push_back(word >> 8 | (word & 0xff) << 8);
		}
	}

	void add()
	{
		static const unsigned kinds[] = { 0x00, 0x0a, 0x0a, 0x10, 0x14, 0x15 };
		unsigned type = kinds[random.below(6)];
		bool four = random.chance(50), has_data = type == 0 || random.chance(50);
		unsigned length = random.chance(5) ? 0 : 1 + random.below(20);
		uint64_t first = random.next(), second = random.next();
		Tlp tlp = {};

		first = (first & ~(0x7full << 56 | 0x3ffull << 32)) |
			(uint64_t)(has_data << 6 | four << 5 | type) << 56 | (uint64_t)length << 32;
		if (random.chance(50)) /* codes that differ in a bit, too */
			first = (first & ~0xffull) |
				(random.chance(20) ? 0x1b : 0x1b ^ 1u << random.below(8));
		tlp.kind = type >> 1 == 5 ? Completion : Posted;
		tlp.need = has_data ? ((length ? length : 1024) + 3) / 4 : 0;
		tlp.turned_off = type >> 3 == 2 && (first & 0xff) == 0x1b;
		header_words(tlp, first, false);
		header_words(tlp, second, !four);
		entries.push_back({ false, false, first });
		entries.push_back({ !has_data, !four, second });
		unsigned payload = has_data ? std::min(length ? length : 1024, 20u) : 0;
		for (unsigned i = 0; i < payload; i += 2) {
			Entry e = { i + 2 >= payload, i + 1 == payload, random.next() };

			for (unsigned k = 0; k < (e.half ? 2 : 4); k++)
				tlp.words.push_back(e.data >> 16 * k);
			entries.push_back(e);
		}
		tlps.push_back(tlp);
		made++;
	}

	void cycle(unsigned load, unsigned ready, unsigned admits)
	{
		if (made - entered < 12 && random.chance(load))
			add();
		offered = !entries.empty() && (offered || random.chance(80));
		top.entry_valid_i = offered;
		if (offered) {
			const Entry &e = entries.front();

			rf::put(top.entry_i, 65, 1, e.last);
			rf::put(top.entry_i, 64, 1, e.half);
			rf::put(top.entry_i, 0, 64, e.data);
		}
		if (!reading && random.chance(load)) {
			reading = true;
			four = random.chance(50);
			header[0] = random.next();
			header[1] = random.next();
			header[0] = (header[0] & ~(1ull << 61)) | (uint64_t)four << 61;
			behind = made - random.below(std::min<uint64_t>(made - entered, 3) + 1);
			rf::put(top.read_hdr_i, 64, 64, header[0]);
			rf::put(top.read_hdr_i, 0, 64, header[1]);
			top.read_behind_i = behind & 31;
			top.read_request_i = !top.read_request_i;
		}
		/* Who has credits changes now and then; of a read it does so at any time. */
		if (random.below(100) < 5)
			credits = random.chance(admits) << 2 | random.chance(admits) << 1 |
				  random.chance(admits);
		limit = random.below(200) ? limit : random.below(8);
		const bool has_room = need <= limit || limit > 5;

		top.admits_i = credits & (has_room ? 7 : NonPosted);
		top.tx_ready_i = random.chance(ready);
		top.eval();
		bool taken = offered && top.entry_ready_o;
		unsigned consumed = top.consume_o;

		look_at_choice(consumed);
		if (top.tx_valid_o)
			look_at_word();
		tap.check(!(offered || going) || top.tx_waits_o, "a TLP waits");
		idle = offered || going || reading ? 0 : idle + 1;
		tap.check(idle < 4 || !top.tx_waits_o, "nothing waits", idle);
		tap.check(asked || !top.ask_l23_o, "PME_TO_Ack has not entered");
		need = top.need_o;
		clock.tick();
		if (taken) {
			entries.pop_front();
			offered = false;
		}
	}

	/* What begins may begin, and is that whose turn it is. */
	void look_at_choice(unsigned consumed)
	{
		bool posted =
			!going && offered && !tlps.empty() && (tlps.front().kind & top.admits_i);
		bool read = !going && reading && behind <= entered && (top.admits_i & NonPosted);

		posted_may = posted ? posted_may + 1 : 0;
		read_may = read ? read_may + 1 : 0;
		posted_there = !going && offered ? posted_there + 1 : 0;
		read_there = !going && reading && behind <= entered ? read_there + 1 : 0;
		tap.check(posted_may < 12 && read_may < 12, "what may go does not", posted_may,
			  read_may);
		if (!consumed)
			return;
		tap.check(!going, "one begins inside another");
		tap.equal(consumed & ~top.admits_i, 0, "credits");
		is_read = consumed == NonPosted;
		/* Both have waited, and both may go. */
		if (posted && read && posted_there > 8 && read_there > 8) {
			tap.check(is_read != (last_kind == NonPosted), "turns", is_read);
			turns++;
		}
		if (is_read) {
			Tlp tlp = {};

			tap.check(reading && behind <= entered, "a read before a posted one");
			header_words(tlp, header[0], false);
			header_words(tlp, header[1], !four);
			words.assign(tlp.words.begin(), tlp.words.end());
			passed += !tlps.empty();
		} else {
			tap.check(!tlps.empty(), "no TLP");
			if (tlps.empty())
				return;
			tap.equal(consumed, tlps.front().kind, "kind");
			tap.equal(need, tlps.front().need, "credits that are asked for");
			words.assign(tlps.front().words.begin(), tlps.front().words.end());
			asked |= tlps.front().turned_off;
			passed_by += reading;
		}
		last_kind = consumed;
		going = true;
		posted_may = read_may = 0;
	}

	void look_at_word()
	{
		tap.check(going && !words.empty(), "a word of no TLP");
		if (!going || words.empty())
			return;
		tap.equal(top.tx_data_o, words.front(), "word");
		tap.equal(top.tx_last_o, words.size() == 1, "last");
		if (!top.tx_ready_i)
			return;
		words.pop_front();
		if (is_read)
			tap.check(top.read_done_o != top.read_request_i, "done before its end");
		if (!words.empty())
			return;
		going = false;
		if (is_read) {
			reading = false;
			reads++;
			return;
		}
		tap.check(!tlps.front().turned_off || top.ask_l23_o, "PME_TO_Ack has entered");
		tlps.pop_front();
		entered++;
		sent++;
	}

	Vrf_link_unpack top;
	rf::Clock<Vrf_link_unpack> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<Entry> entries;
	std::deque<Tlp> tlps;
	std::deque<uint16_t> words;
	uint64_t header[2] = {}, made = 0, entered = 0, behind = 0;
	uint64_t sent = 0, reads = 0, passed = 0, passed_by = 0, turns = 0;
	unsigned credits = 7, limit = 8, need = 0, idle = 0;
	unsigned posted_may = 0, read_may = 0, last_kind = 0;
	unsigned posted_there = 0, read_there = 0; /* cycles, with or without credits */
	bool offered = false, reading = false, four = false, going = false, is_read = false;
	bool asked = false;
};

} // namespace

int main()
{
	Bench b;

	for (unsigned admits : { 100, 50, 20 }) {
		b.tap.begin("TLPs into the ring, each class with credits in " +
			    std::to_string(admits) + " percent of the time");
		for (unsigned round = 0; round < 80; round++) {
			b.reset(); /* amid a TLP */
			for (unsigned i = 0; i < 3000; i++)
				b.cycle(i / 500 % 3 ? 60 : 2, i < 1500 ? 100 : 40, admits);
		}
		b.tap.end();
	}
	b.tap.begin("all of it was there");
	printf("# %" PRIu64 " TLPs, %" PRIu64 " reads; %" PRIu64 " before a posted one, %" PRIu64
	       " behind one\n",
	       b.sent, b.reads, b.passed, b.passed_by);
	b.tap.check(b.sent > 1500 && b.reads > 300, "TLPs", b.sent, b.reads);
	b.tap.check(b.turns > 15, "turns", b.turns);
	b.tap.check(b.passed > 100 && b.passed_by > 100, "of both kinds at a time", b.passed,
		    b.passed_by);
	b.tap.end();
	return b.tap.status();
}
