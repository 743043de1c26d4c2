/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of the partner's framer, at any place of a word, one behind the other or with idle and
 * the COM of SKP sets between them, with gaps: each comes out as it is. With errors, each that is
 * whole still does, and none that is not.
 */
// partner: sim/link
#include <deque>
#include <vector>

#include "Vrf_link_deframe.h"
#include "harness.h"
#include "link_words.h"

extern "C" {
#include "link/crc.h"
#include "link/framer.h"
}

namespace {

using rf::Symbol;

struct Packet {
	enum { Tlp, Nullified, Dllp } kind;
	std::vector<uint8_t> bytes; /* without sequence number and CRC */
	unsigned sequence;

	bool operator==(const Packet &other) const
	{
		return kind == other.kind && bytes == other.bytes && sequence == other.sequence;
	}
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.link_up_i = 1;
		top.valid_i = top.word_i = 0;
		clock.reset();
		tap.equal(top.tlp_valid_o | top.tlp_end_o | top.dllp_valid_o | top.dllp_bad_o |
				  top.error_o,
			  0, "behind a reset");
		line.clear();
		want.clear();
		got.clear();
		words.clear();
		bad_tlps = broken_tlps = bad_dllps = errors = 0;
	}

	/* A packet's symbols with another CRC, if @spoil is not 0. */
	std::vector<Symbol> make(const Packet &packet, uint32_t spoil = 0)
	{
		static const enum packet_kind kinds[] = { PACKET_TLP, PACKET_NULLIFIED_TLP,
							  PACKET_DLLP };
		std::vector<uint8_t> bytes;
		bool dllp = packet.kind == Packet::Dllp;

		if (!dllp) /* reserved bits are covered by the LCRC and ignored */
			bytes = { uint8_t(packet.sequence >> 8 | random.below(16) << 4),
				  uint8_t(packet.sequence) };
		bytes.insert(bytes.end(), packet.bytes.begin(), packet.bytes.end());
		uint32_t crc =
			dllp ? link_dllp_crc(bytes.data()) : link_lcrc(bytes.data(), bytes.size());

		crc ^= spoil ^ (packet.kind == Packet::Nullified ? ~0u : 0);
		for (unsigned i = 0; i < (dllp ? 2 : 4); i++)
			bytes.push_back(crc >> 8 * i);
		unsigned count = framer_make(kinds[packet.kind], bytes.data(), bytes.size(), made);
		std::vector<Symbol> symbols;

		for (unsigned i = 0; i < count; i++)
			symbols.push_back({ made[i].value, made[i].k, false });
		return symbols;
	}

	Packet draw()
	{
		unsigned kind = random.below(100);
		Packet packet = { kind < 50   ? Packet::Tlp
				  : kind < 60 ? Packet::Nullified
					      : Packet::Dllp,
				  {},
				  unsigned(random.below(4096)) };
		unsigned count = packet.kind == Packet::Dllp ? 4
				 : random.chance(20)	     ? 12 /* the shortest */
							     : 4 * (3 + random.below(30));

		for (unsigned i = 0; i < count; i++)
			packet.bytes.push_back(random.next());
		if (packet.kind == Packet::Dllp)
			packet.sequence = 0;
		return packet;
	}

	void add(const std::vector<Symbol> &symbols)
	{
		line.insert(line.end(), symbols.begin(), symbols.end());
	}

	/* Of any number: the next packet may begin at the other place of a word. */
	void between()
	{
		unsigned count = random.chance(50) ? 0 : random.below(6);

		while (count--) {
			bool com = random.chance(30);

			add({ { uint8_t(com ? LINK_COM : 0), com, false } });
		}
	}

	void tick()
	{
		clock.tick();
		if (top.tlp_valid_o)
			for (unsigned i = 0; i < 2; i++)
				words.push_back(top.tlp_data_o >> 8 * i);
		if (top.tlp_end_o) {
			tap.check(top.tlp_good_o + top.tlp_nullified_o + top.tlp_broken_o <= 1,
				  "good, nullified or broken");
			if (top.tlp_good_o || top.tlp_nullified_o)
				got.push_back({ top.tlp_good_o ? Packet::Tlp : Packet::Nullified,
						words, top.tlp_sequence_o });
			else
				bad_tlps++;
			broken_tlps += top.tlp_broken_o;
			words.clear();
		} else {
			tap.check(!top.tlp_good_o && !top.tlp_nullified_o, "only at the end");
		}
		if (top.dllp_valid_o) {
			std::vector<uint8_t> bytes;

			for (unsigned i = 0; i < 4; i++)
				bytes.push_back(top.dllp_o >> 8 * i);
			got.push_back({ Packet::Dllp, bytes, 0 });
		}
		bad_dllps += top.dllp_bad_o;
		errors += top.error_o;
	}

	/* All of the line, idle behind it. */
	void run(unsigned gaps = 20)
	{
		for (unsigned i = 0; i < 8; i++)
			line.push_back({ 0, false, false });
		while (line.size() > 1) {
			top.valid_i = !random.chance(gaps);
			top.word_i = random.next() & 0xfffff;
			if (top.valid_i) {
				top.word_i = rf::link_word(line[0], line[1]);
				line.erase(line.begin(), line.begin() + 2);
			}
			tick();
		}
		top.valid_i = 0;
		for (unsigned i = 0; i < 4; i++)
			tick();
	}

	void compare()
	{
		tap.equal(got.size(), want.size(), "packets");
		for (size_t i = 0; i < got.size() && i < want.size(); i++) {
			tap.check(got[i] == want[i], "packet", i);
			if (!(got[i] == want[i]))
				break;
		}
	}

	Vrf_link_deframe top;
	rf::Clock<Vrf_link_deframe> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<Symbol> line;
	std::vector<Packet> want, got;
	std::vector<uint8_t> words;
	struct plain_symbol made[PACKET_SYMBOLS];
	unsigned bad_tlps = 0, broken_tlps = 0, bad_dllps = 0, errors = 0;
};

void whole(Bench &b)
{
	b.tap.begin("whole packets, as they are and in order");
	b.reset();
	for (unsigned i = 0; i < 3000; i++) {
		b.between();
		b.want.push_back(b.draw());
		b.add(b.make(b.want.back()));
	}
	b.run();
	b.compare();
	b.tap.equal(b.bad_tlps + b.bad_dllps + b.errors, 0, "bad ones");
	b.tap.end();

	b.tap.begin("the longest TLP");
	b.reset();
	Packet longest = { Packet::Tlp, std::vector<uint8_t>(16 + 4096 + 4, 0x5a), 0xfff };

	b.want.push_back(longest);
	b.add(b.make(longest));
	b.run(0);
	b.compare();
	b.tap.end();
}

/* One kind of error at a time, between packets that are whole. */
void spoilt(Bench &b)
{
	enum { Crc, Bad, Special, EndElsewhere, Lost, Doubled, Cut, Edb, Kinds };
	static const char *const names[] = {
		"CRC",	"code error", "K symbol",	 "END within",
		"lost", "doubled",    "cut by the next", "EDB and END swapped"
	};

	for (unsigned kind = 0; kind < Kinds; kind++) {
		unsigned tlps = 0, dllps = 0;

		b.tap.begin(std::string("bad packets between whole ones: ") + names[kind]);
		b.reset();
		for (unsigned i = 0; i < 1500; i++) {
			b.between();
			if (i % 2) {
				b.want.push_back(b.draw());
				b.add(b.make(b.want.back()));
				continue;
			}
			Packet packet = b.draw();
			uint32_t bit = packet.kind == Packet::Dllp ? b.random.below(16)
								   : b.random.below(32);
			std::vector<Symbol> symbols = b.make(packet, kind == Crc ? 1u << bit : 0);
			/* Neither the first, without which nothing begins, nor the last. */
			size_t at = 1 + b.random.below(symbols.size() - 2);

			(packet.kind == Packet::Dllp ? dllps : tlps)++;
			switch (kind) {
			case Bad:
				symbols[at].bad = true;
				break;
			case Special:
				symbols[at].value = b.random.chance(50) ? LINK_COM : LINK_PAD;
				symbols[at].k = true;
				break;
			case EndElsewhere:
				symbols[at].value = b.random.chance(50) ? LINK_END : LINK_EDB;
				symbols[at].k = true;
				break;
			case Lost:
				symbols.erase(symbols.begin() + at);
				break;
			case Doubled:
				symbols.insert(symbols.begin() + at, symbols[at]);
				break;
			case Cut:
				symbols.resize(at + 1);
				break;
			case Edb:
				symbols.back().value =
					symbols.back().value == LINK_END ? LINK_EDB : LINK_END;
				break;
			default:
				break;
			}
			b.add(symbols);
			if (kind == Cut) { /* without anything in between */
				b.want.push_back(b.draw());
				b.add(b.make(b.want.back()));
			}
		}
		b.run();
		b.compare();
		b.tap.equal(b.bad_tlps, tlps, "bad TLPs");
		if (kind == Crc || kind == Edb) {
			/* Only a DLLP never ends in EDB. */
			b.tap.equal(b.broken_tlps, 0, "broken TLPs");
			b.tap.equal(b.bad_dllps, kind == Crc ? dllps : 0, "Bad DLLPs");
			b.tap.equal(b.errors, kind == Crc ? 0 : dllps, "Receiver Errors");
		} else if (kind == EndElsewhere) {
			/* At the right place of a word it could be the end; the next one is not. */
			b.tap.check(b.errors >= tlps + dllps, "Receiver Errors", b.errors);
			b.tap.check(b.broken_tlps > tlps / 4 && b.broken_tlps < 3 * tlps / 4,
				    "broken TLPs", b.broken_tlps, tlps);
			b.tap.check(b.bad_dllps > dllps / 8 && b.bad_dllps < dllps, "Bad DLLPs",
				    b.bad_dllps, dllps);
		} else {
			b.tap.equal(b.broken_tlps, tlps, "broken TLPs");
			b.tap.equal(b.bad_dllps, 0, "Bad DLLPs");
			/* The END of a packet that has ended already is one more. */
			b.tap.check(b.errors >= tlps + dllps && b.errors <= 2 * (tlps + dllps),
				    "Receiver Errors", b.errors, tlps + dllps);
		}
		b.tap.end();
	}
}

/* Words stop amid a packet, and the link goes down: what comes behind is of no packet. */
void link_down(Bench &b)
{
	b.tap.begin("the link goes down amid a packet");
	unsigned ended = 0;

	for (unsigned i = 0; i < 300; i++) {
		b.reset();
		std::vector<Symbol> symbols = b.make(b.draw());

		symbols.resize(2 + b.random.below(symbols.size() - 2));
		if (b.random.chance(50)) /* from the upper symbol on */
			symbols.insert(symbols.begin(), { 0, false, false });
		symbols.resize(symbols.size() & ~1u);
		for (size_t k = 0; k < symbols.size(); k += 2) {
			b.top.valid_i = 1;
			b.top.word_i = rf::link_word(symbols[k], symbols[k + 1]);
			b.tick();
		}
		b.top.link_up_i = 0;
		for (unsigned k = 0; k < 3; k++) {
			b.top.valid_i = b.random.chance(50);
			b.top.word_i = b.random.next();
			b.tick();
		}
		/* What came of a TLP is void. */
		ended += b.bad_tlps;
		b.tap.check(b.words.empty() && b.got.empty(), "the end of what came");
		b.tap.equal(b.errors + b.bad_dllps + b.broken_tlps, 0, "no error");
		b.top.valid_i = 0;
		b.tick();
		b.top.link_up_i = 1;
		b.bad_tlps = 0;
		for (unsigned k = 0; k < 5; k++) {
			b.between();
			b.want.push_back(b.draw());
			b.add(b.make(b.want.back()));
		}
		b.run();
		b.compare();
		b.tap.equal(b.errors + b.bad_dllps + b.bad_tlps, 0, "no error behind it");
	}
	b.tap.check(ended > 100, "TLPs that were under way", ended);
	b.tap.end();
}

/* Right CRCs, but of a length that no packet has. */
void lengths(Bench &b)
{
	b.tap.begin("TLPs of less than three DW and DLLPs of another length are bad");
	b.reset();
	unsigned tlps = 0, dllps = 0;

	for (unsigned count = 0; count < 12; count += 2, tlps++)
		b.add(b.make({ Packet::Tlp, std::vector<uint8_t>(count, 1), 7 }));
	for (unsigned count = 0; count <= 12; count += 2) {
		Packet packet = { Packet::Dllp, std::vector<uint8_t>(count, 1), 0 };
		std::vector<uint8_t> bytes = packet.bytes;

		if (count == 4)
			continue;
		dllps++;
		/* The CRC of DLLPs over them: the one that ends as a good one. */
		uint16_t crc = 0xffff;

		for (uint8_t byte : bytes) {
			crc ^= byte;
			for (unsigned i = 0; i < 8; i++)
				crc = crc >> 1 ^ (crc & 1 ? 0xd008 : 0);
		}
		crc = ~crc;
		bytes.push_back(crc);
		bytes.push_back(crc >> 8);
		unsigned symbols = framer_make(PACKET_DLLP, bytes.data(), bytes.size(), b.made);

		for (unsigned i = 0; i < symbols; i++)
			b.add({ { b.made[i].value, b.made[i].k, false } });
	}
	b.run();
	b.compare();
	b.tap.equal(b.bad_tlps, tlps, "bad TLPs");
	b.tap.equal(b.bad_dllps, dllps, "bad DLLPs");
	b.tap.end();
}

/* Anywhere, also STP and SDP out of nothing: whole packets that have their symbols all come. */
void noise(Bench &b)
{
	b.tap.begin("random errors: all whole packets and no others");
	b.reset();
	unsigned hurt = 0;

	for (unsigned i = 0; i < 20000; i++) {
		static const uint8_t specials[] = { LINK_STP, LINK_SDP, LINK_END, LINK_EDB,
						    LINK_COM, LINK_SKP, LINK_PAD, LINK_IDL };
		Packet packet = b.draw();
		std::vector<Symbol> symbols = b.make(packet);
		bool spoil = b.random.chance(20);

		b.between();
		if (spoil) {
			size_t at = b.random.below(symbols.size()), inner = at ? at : 1;

			hurt++;
			switch (b.random.below(4)) {
			case 0:
				symbols[at].bad = true;
				break;
			case 1:
				symbols.erase(symbols.begin() + inner);
				break;
			case 2:
				symbols.insert(symbols.begin() + inner, { 0, false, true });
				break;
			default:
				symbols[at].value ^= specials[b.random.below(8)] | 1;
				symbols[at].k = !symbols[at].k;
				break;
			}
		} else {
			b.want.push_back(packet);
		}
		b.add(symbols);
		/* In idle, too; but an END would make a packet whole that has lost its own. */
		if (!spoil && b.random.chance(5))
			b.add({ { specials[b.random.below(8)], true, b.random.chance(30) } });
	}
	b.run();
	b.compare();
	b.tap.check(hurt > 3000 && b.bad_tlps > 1000 && b.errors > 3000, "errors", b.errors, hurt);
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	whole(b);
	spoilt(b);
	lengths(b);
	link_down(b);
	noise(b);
	return b.tap.status();
}
