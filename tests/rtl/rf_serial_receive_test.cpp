/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The receiving half of the link layer: from a sender that obeys the window or not,
 * repeats, skips and breaks frames, every TLP is handed on once, whole and in order;
 * what is acknowledged has left; a duplicate is answered, a gap reported once.
 */
#include "Vrf_serial_receive.h"
#include "serial_line.h"

namespace {

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.byte_valid_i = top.end_i = top.good_i = top.tlp_ready_i = 0;
		top.link_i = link = random.next();
		clock.reset();
		got.clear();
		body.clear();
		responses = losts = resets = acks = 0;
	}
	void cycle(bool ready = true)
	{
		top.tlp_ready_i = ready;
		top.eval();
		if (top.tlp_valid_o && ready) {
			body.push_back(top.tlp_byte_o);
			if (top.tlp_last_o) {
				got.push_back(body);
				body.clear();
			}
		}
		responses += top.response_o;
		losts += top.lost_o;
		resets += top.reset_o;
		if (top.reset_o)
			tap.equal(top.reset_link_o, reset_link, "link number of the reset");
		if (top.ack_valid_o) {
			acks++;
			last_ack = top.ack_o;
			last_nak = top.nak_o;
		}
		clock.tick();
	}
	/* The bytes with their CRC, then the end. */
	void frame(const rf::Bytes &content, bool good = true, unsigned ready = 100)
	{
		for (uint8_t byte : rf::with_crc(content)) {
			top.byte_valid_i = 1;
			top.byte_i = byte;
			cycle(random.chance(ready));
			top.byte_valid_i = 0;
			for (unsigned i = random.below(3); i; i--)
				cycle(random.chance(ready));
		}
		top.end_i = 1;
		top.good_i = good;
		cycle(random.chance(ready));
		top.end_i = top.good_i = 0;
	}
	void drain()
	{
		for (unsigned i = 0; i < 20000 && !(top.idle_o && i > 4); i++)
			cycle();
		tap.equal(top.idle_o, 1, "idle");
	}

	uint8_t link = 0;
	Vrf_serial_receive top;
	rf::Clock<Vrf_serial_receive> clock;
	rf::Random random;
	rf::Tap tap;
	rf::Bytes body;
	std::vector<rf::Bytes> got;
	uint64_t responses = 0, losts = 0, resets = 0, acks = 0;
	uint8_t last_ack = 0, reset_link = 0;
	bool last_nak = false;
};

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Bench b;

	b.tap.begin(
		"expected TLPs in order; others never, whatever comes and however slowly it leaves");
	b.reset();
	{
		std::vector<rf::Bytes> sent;
		uint64_t overruns = 0;

		for (unsigned i = 0; i < 600; i++)
			sent.push_back(rf::random_tlp(b.random).bytes());
		unsigned next = 0; /* of those that the receiver shall have kept */

		for (unsigned i = 0; i < 6000 && next < sent.size(); i++) {
			unsigned ready = i / 200 % 3 ? 100 : 2;
			unsigned kept = next - (uint8_t)(next - b.top.consumed_o);
			bool room = next - kept < 8;
			unsigned choice = b.random.below(10);
			uint8_t nak = b.random.below(2) * rf::FrameNak;

			if (choice < 6) {
				b.frame(rf::frame(rf::FrameTlp | nak, b.link, i, next, sent[next]),
					true, ready);
				overruns += !room;
				next += room;
			} else if (choice == 6) { /* a broken one */
				rf::Bytes body = sent[next];

				body[b.random.below(body.size())] ^= 1;
				b.frame(rf::frame(rf::FrameTlp, b.link, i, next, body), false,
					ready);
			} else if (choice == 7) { /* ahead */
				b.frame(rf::frame(rf::FrameTlp, b.link, i,
						  next + 1 + b.random.below(127), sent[0]),
					true, ready);
			} else if (choice == 8) { /* behind */
				b.frame(rf::frame(rf::FrameTlp, b.link, i,
						  next - 1 - b.random.below(128), sent[0]),
					true, ready);
			} else { /* of another link */
				b.frame(rf::frame(rf::FrameTlp, b.link + 1, i, next, sent[0]), true,
					ready);
			}
			b.tap.check(b.top.consumed_o == (uint8_t)b.got.size(),
				    "acknowledged is what has left", b.top.consumed_o,
				    b.got.size());
		}
		b.drain();
		b.tap.check(overruns > 20, "no frame without room", overruns);
		b.tap.equal(b.got.size(), sent.size(), "TLPs");
		for (size_t i = 0; i < b.got.size() && i < sent.size(); i++)
			b.tap.check(b.got[i] == sent[i], "TLP", i);
	}
	b.tap.end();

	b.tap.begin("a TLP for which there was no room when it began is dropped whole");
	b.reset();
	{
		rf::Bytes first = rf::random_tlp(b.random).bytes(), ninth(272, 0x11);

		for (unsigned i = 0; i < 8; i++)
			b.frame(rf::frame(rf::FrameTlp, b.link, 0, i, first), true, 0);
		/* room comes while it does */
		b.frame(rf::frame(rf::FrameTlp, b.link, 0, 8, ninth), true, 100);
		b.drain();
		b.tap.equal(b.got.size(), 8, "TLPs");
		b.frame(rf::frame(rf::FrameTlp, b.link, 0, 8, ninth));
		b.drain();
		b.tap.equal(b.got.size(), 9, "TLPs");
		b.tap.check(b.got.back() == ninth, "the TLP that came again");
	}
	b.tap.end();

	b.tap.begin("a duplicate is answered, a gap told once until the next good frame");
	b.reset();
	{
		rf::Bytes tlp = rf::random_tlp(b.random).bytes();

		b.frame(rf::frame(rf::FrameTlp, b.link, 0, 0, tlp));
		b.drain();
		b.tap.equal(b.responses, 1, "responses to a TLP");
		b.frame(rf::frame(rf::FrameTlp, b.link, 0, 0, tlp));
		b.tap.equal(b.responses, 2, "responses to a duplicate");
		b.tap.equal(b.losts, 0, "a duplicate is no gap");
		for (unsigned d = 2; d <= 128; d++)
			b.frame(rf::frame(rf::FrameTlp, b.link, 0, 1 - d, tlp));
		b.tap.equal(b.responses, 129, "responses to older ones");
		b.tap.equal(b.losts, 0, "and they are no gap");
		for (unsigned i = 0; i < 3; i++)
			b.frame(rf::frame(0, b.link, 0, 0), false);
		b.tap.equal(b.losts, 1, "told of bad frames");
		b.frame(rf::frame(0, b.link, 0x33, 0));
		b.tap.equal(b.last_ack, 0x33, "Ack");
		b.tap.equal(b.last_nak, 0, "Nak");
		b.frame(rf::frame(rf::FrameNak, b.link, 0x44, 0));
		b.tap.equal(b.last_ack, 0x44, "Ack");
		b.tap.equal(b.last_nak, 1, "Nak");
		b.frame(rf::frame(rf::FrameTlp, b.link, 0, 3, tlp));
		b.tap.equal(b.losts, 2, "told of a gap");
		b.tap.equal(b.got.size(), 1, "TLPs");
		b.acks = 0;
		b.frame(rf::frame(rf::FrameNak, b.link + 1, 0x55, 0));
		b.frame(rf::frame(rf::FrameNak, b.link, 0x55, 0), false);
		b.tap.equal(b.acks, 0, "Acks of bad frames and other links");
	}
	b.tap.end();

	b.tap.begin("a reset of the link counts once, by its number");
	b.reset();
	b.reset_link = b.link + 1;
	b.frame(rf::frame(rf::FrameReset, b.link, 0, 0));
	b.tap.equal(b.resets, 0, "resets to the same number");
	b.tap.equal(b.responses, 1, "responses");
	b.frame(rf::frame(rf::FrameReset, b.link + 1, 0, 0), false);
	b.tap.equal(b.resets, 0, "resets by a bad frame");
	b.frame(rf::frame(rf::FrameReset, b.link + 1, 0, 0));
	b.tap.equal(b.resets, 1, "resets");
	b.tap.end();

	b.tap.begin("frames of every wrong length are no TLPs");
	b.reset();
	for (unsigned length = 0; length < 1100; length++) {
		if (length % 4 == 0 && length >= 16 && length <= 504)
			continue;
		b.frame(rf::frame(rf::FrameTlp, b.link, 0, 0, rf::Bytes(length, 0x22)));
	}
	b.frame({});
	b.tap.equal(b.got.size(), 0, "TLPs");
	b.frame(rf::frame(rf::FrameTlp, b.link, 0, 0, rf::Bytes(272, 0x77)));
	b.drain();
	b.tap.equal(b.got.size(), 1, "TLPs");
	b.tap.check(b.got.size() == 1 && b.got[0] == rf::Bytes(272, 0x77), "the right one");
	b.tap.end();
	b.top.final();
	return b.tap.status();
}
