/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is framed, taken apart by the partner's deframer and checked with its CRCs: all TLPs and
 * DLLPs, each in order, at the length that they have on the wire, and nothing between them when
 * there is more to send.
 */
// partner: sim/link
#include <deque>
#include <vector>

#include "Vrf_link_frame.h"
#include "harness.h"

extern "C" {
#include "link/crc.h"
#include "link/framer.h"
}

namespace {

using Bytes = std::vector<uint8_t>;

struct Tlp {
	unsigned sequence;
	Bytes bytes;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.link_up_i = 1;
		top.training_i = 0;
		top.tlp_valid_i = top.dllp_valid_i = top.packet_ready_i = 0;
		top.tlp_last_i = top.tlp_data_i = top.tlp_sequence_i = top.dllp_i = 0;
		clock.reset();
		tlps.clear();
		dllps.clear();
		want_tlps.clear();
		want_dllps.clear();
		kinds.clear();
		deframer = {};
		at = packet = 0;
	}

	void add_tlp(unsigned dwords)
	{
		Tlp tlp = { unsigned(random.below(4096)), {} };

		for (unsigned i = 0; i < 4 * dwords; i++)
			tlp.bytes.push_back(random.next());
		tlps.push_back(tlp);
		want_tlps.push_back(tlp);
	}

	void add_dllp()
	{
		uint32_t dllp = random.next();

		dllps.push_back(dllp);
		want_dllps.push_back(dllp);
	}

	/* A cycle: the next words are there, the transmitter is ready or not. */
	void tick(unsigned ready)
	{
		top.tlp_valid_i = !tlps.empty();
		if (!tlps.empty()) {
			const Bytes &bytes = tlps.front().bytes;

			top.tlp_sequence_i = tlps.front().sequence;
			top.tlp_data_i = bytes[at] | bytes[at + 1] << 8;
			top.tlp_last_i = at + 2 == bytes.size();
		}
		top.dllp_valid_i = !dllps.empty();
		top.dllp_i = dllps.empty() ? random.next() : dllps.front();
		top.packet_ready_i = random.chance(ready);
		top.eval();
		if (stays) {
			tap.equal(top.packet_valid_o, 1, "an offer stays");
			tap.equal(top.packet_word_o, word, "as it was");
			tap.equal(top.packet_last_o, last, "as it was");
		}
		stays = top.packet_valid_o && !top.packet_ready_i;
		word = top.packet_word_o;
		last = top.packet_last_o;
		bool taken = top.tlp_ready_o && top.tlp_valid_i;
		bool chosen = top.dllp_ready_o && top.dllp_valid_i;
		bool sent = top.packet_valid_o && top.packet_ready_i;

		tap.check(packet == 0 || top.packet_valid_o, "no pause in a packet");
		tap.check(top.busy_o || want_dllps.size() <= dllps.size(),
			  "busy with what was taken");
		idle += !top.packet_valid_o;
		clock.tick();
		if (sent)
			send();
		if (chosen)
			dllps.pop_front();
		if (taken && (at += 2) == tlps.front().bytes.size()) {
			tlps.pop_front();
			at = 0;
		}
	}

	void send()
	{
		enum deframer_event event = DEFRAMER_NOTHING;

		packet++;
		for (unsigned i = 0; i < 2; i++) {
			struct lane_symbol symbol = {};

			symbol.value = word >> 8 * i;
			symbol.k = word >> (16 + i) & 1;
			event = deframer_receive(&deframer, &symbol);
			tap.check(event == DEFRAMER_NOTHING || (i == 1 && last),
				  "a packet ends with its last symbol", event);
			tap.check(event != DEFRAMER_ERROR && event != DEFRAMER_LOST_TLP, "framing");
		}
		tap.check((event != DEFRAMER_NOTHING) == last, "the last word", event);
		if (!last)
			return;
		packet = 0;
		Bytes got(deframer.bytes, deframer.bytes + deframer.count);

		kinds.push_back(event == DEFRAMER_DLLP);
		if (event == DEFRAMER_TLP)
			check_tlp(got);
		else if (event == DEFRAMER_DLLP)
			check_dllp(got);
		else
			tap.check(false, "neither TLP nor DLLP", event);
	}

	void check_tlp(const Bytes &got)
	{
		tap.check(!want_tlps.empty(), "a TLP too many");
		if (want_tlps.empty())
			return;
		Bytes want = { uint8_t(want_tlps[0].sequence >> 8),
			       uint8_t(want_tlps[0].sequence) };

		want.insert(want.end(), want_tlps[0].bytes.begin(), want_tlps[0].bytes.end());
		uint32_t crc = link_lcrc(want.data(), want.size());

		for (unsigned i = 0; i < 4; i++)
			want.push_back(crc >> 8 * i);
		tap.check(got == want, "a TLP with its LCRC", got.size(), want.size());
		want_tlps.pop_front();
	}

	void check_dllp(const Bytes &got)
	{
		tap.check(!want_dllps.empty(), "a DLLP too many");
		if (want_dllps.empty())
			return;
		Bytes want;

		for (unsigned i = 0; i < 4; i++)
			want.push_back(want_dllps[0] >> 8 * i);
		uint16_t crc = link_dllp_crc(want.data());

		want.push_back(crc);
		want.push_back(crc >> 8);
		tap.check(got == want, "a DLLP with its CRC", got.size(), want.size());
		want_dllps.pop_front();
	}

	bool empty() const
	{
		return tlps.empty() && dllps.empty() && want_tlps.empty() && want_dllps.empty();
	}

	Vrf_link_frame top;
	rf::Clock<Vrf_link_frame> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<Tlp> tlps, want_tlps;
	std::deque<uint32_t> dllps, want_dllps;
	std::vector<bool> kinds; /* of packets sent: a DLLP */
	struct deframer deframer;
	size_t at = 0;
	unsigned packet = 0, idle = 0;
	bool stays = false, last = false;
	uint32_t word = 0;
};

/* A training begins in each cycle of a DLLP; the transmitter is not ready for @stalled cycles then. */
void training_amid(Bench &b, uint32_t dllp, unsigned stalled, const char *what)
{
	for (unsigned before = 0; before < 8; before++) {
		b.reset();
		b.dllps.push_back(dllp);
		b.want_dllps.push_back(dllp);
		for (unsigned i = 0; i < before; i++)
			b.tick(100);
		b.top.training_i = 1;
		for (unsigned i = 0; i < stalled; i++)
			b.tick(0);
		for (unsigned i = 0; i < 30; i++)
			b.tick(100);
		b.tap.check(b.empty(), what, before);
	}
}

} // namespace

int main()
{
	Bench b;

	b.tap.begin("TLPs and DLLPs at random, with a transmitter that is busy at times");
	b.reset();
	for (unsigned i = 0; i < 50000; i++) {
		if (b.random.chance(2))
			b.add_tlp(3 + b.random.below(40));
		if (b.random.chance(3))
			b.add_dllp();
		b.tick(i & 1024 ? 100 : 60);
	}
	for (unsigned i = 0; i < 20000 && !b.empty(); i++)
		b.tick(100);
	b.tap.check(b.empty(), "all of them");
	b.tap.check(b.kinds.size() > 1500, "packets", b.kinds.size());
	b.tap.end();

	b.tap.begin("no idle between packets, 8 symbols and what they carry");
	b.reset();
	unsigned words = 0;

	for (unsigned i = 0; i < 100; i++) {
		b.add_tlp(3 + i % 9);
		words += (8 + 4 * (3 + i % 9)) / 2;
	}
	b.tick(100);
	b.tick(100);
	b.idle = 0;
	for (unsigned i = 0; i < words; i++)
		b.tick(100);
	b.tap.equal(b.idle, 0, "idle");
	b.tap.check(b.empty(), "all of them");
	for (unsigned i = 0; i < 100; i++)
		b.add_dllp();
	b.tick(100);
	b.tick(100);
	b.idle = 0;
	for (unsigned i = 0; i < 400; i++)
		b.tick(100);
	b.tap.equal(b.idle, 0, "idle");
	b.tap.check(b.empty(), "all of them");
	b.tap.end();

	b.tap.begin("a DLLP waits for the TLP under way alone");
	b.reset();
	for (unsigned i = 0; i < 3; i++)
		b.add_tlp(64);
	for (unsigned i = 0; i < 10; i++)
		b.tick(100);
	b.add_dllp();
	b.add_dllp();
	for (unsigned i = 0; i < 1000; i++)
		b.tick(100);
	b.tap.check(b.kinds == std::vector<bool>({ false, true, true, false, false }), "order");
	b.tap.check(b.empty(), "all of them");
	b.tap.end();

	b.tap.begin("what waits when the link goes down is not sent when it is up again");
	b.reset();
	b.add_tlp(3);
	for (unsigned i = 0; i < 4; i++)
		b.tick(0);
	b.tlps.clear();
	b.want_tlps.clear();
	b.top.link_up_i = 0;
	b.stays = false;
	b.tick(0);
	b.stays = false;
	b.tick(0);
	b.tap.equal(b.top.packet_valid_o, 0, "nothing is offered");
	b.top.link_up_i = 1;
	b.add_tlp(5);
	for (unsigned i = 0; i < 30; i++)
		b.tick(100);
	b.tap.check(b.empty() && b.kinds.size() == 1, "the next one alone", b.kinds.size());
	b.tap.end();

	b.tap.begin("a PM DLLP that has not begun is dropped by a training; nothing else is");
	for (unsigned kind = 0; kind < 256; kind++) {
		const bool dropped = (kind & 0xf8) == 0x20;

		b.reset();
		b.dllps.push_back(kind | 0x12345600);
		if (!dropped)
			b.want_dllps.push_back(b.dllps.front());
		for (unsigned i = 0; i < 5; i++)
			b.tick(0);
		b.add_tlp(3);
		b.top.training_i = 1;
		b.stays = false;
		for (unsigned i = 0; i < 3; i++) {
			b.tick(0);
			b.stays = false;
		}
		b.top.training_i = 0;
		for (unsigned i = 0; i < 30; i++)
			b.tick(100);
		b.tap.check(b.empty() && b.kinds.size() == 2 - dropped, "packets", b.kinds.size(),
			    kind);
	}
	/* In whichever cycle the training begins: another DLLP, whose later bytes would be a PM DLLP's */
	training_amid(b, 0x20202010, 3, "another DLLP is sent whole");
	training_amid(b, 0x20, 0, "one that has begun is sent whole");
	b.tap.end();
	return b.tap.status();
}
