/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transmitting half of the link layer against a receiver that loses frames and
 * Acks: every TLP comes through once and in order, no more of them than the window are
 * unacknowledged, and what can be lost is said again.
 */
// parameters: -GReplayCycles=6000 -GTickCycles=1500
#include "Vrf_serial_transmit.h"
#include "serial_line.h"

namespace {

constexpr unsigned kReplay = 6000, kTick = 1500; /* as the parameters above */

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.tlp_valid_i = top.ack_valid_i = top.nak_i = top.response_i = top.lost_i = 0;
		top.ready_i = top.idle_i = 0;
		top.consumed_i = 0;
		top.link_i = link = random.next();
		clock.reset();
		content.clear();
		frames.clear();
		waiting.clear();
		at = 0;
	}
	void cycle(unsigned ready)
	{
		top.tlp_valid_i = !waiting.empty();
		if (!waiting.empty()) {
			top.tlp_byte_i = waiting.front()[at];
			top.tlp_last_i = at + 1 == waiting.front().size();
		}
		top.ready_i = random.chance(ready);
		top.eval();
		if (top.valid_o && top.ready_i) {
			content.push_back(top.data_o);
			if (top.last_o) {
				frames.push_back(content);
				content.clear();
			}
		}
		if (top.tlp_valid_i && top.tlp_ready_o && ++at == waiting.front().size()) {
			waiting.pop_front();
			stored++;
			at = 0;
		}
		clock.tick();
		top.ack_valid_i = top.nak_i = top.response_i = top.lost_i = 0;
	}
	/* The next frame within so many cycles. */
	rf::Bytes frame(unsigned cycles, unsigned ready = 100)
	{
		for (unsigned c = 0; c < cycles && frames.empty(); c++)
			cycle(ready);
		if (frames.empty())
			return {};
		rf::Bytes result = frames.front();
		frames.pop_front();
		return result;
	}
	/* The next frame with a TLP within so many cycles. */
	rf::Bytes tlp(unsigned cycles)
	{
		for (uint64_t end = clock.cycle + cycles; clock.cycle < end;) {
			rf::Bytes result = frame(end - clock.cycle);

			if (!result.empty() && result[0] & rf::FrameTlp)
				return result;
		}
		return {};
	}
	void ack(uint8_t number, bool nak = false)
	{
		top.ack_valid_i = 1;
		top.ack_i = number;
		top.nak_i = nak;
	}

	uint8_t link = 0;
	Vrf_serial_transmit top;
	rf::Clock<Vrf_serial_transmit> clock;
	rf::Random random;
	rf::Tap tap;
	rf::Bytes content;
	std::deque<rf::Bytes> frames, waiting;
	size_t at = 0;
	uint64_t stored = 0;
};

/* Lose so many of a hundred frames and Acks. */
void lossy(Bench &b, unsigned percent, bool nak)
{
	std::vector<rf::Bytes> sent;
	rf::Bytes content, body, response;
	size_t got = 0;

	b.tap.begin(std::to_string(percent) + " % lost, " + (nak ? "with" : "without") +
		    " Naks: every TLP once, in order");
	b.reset();

	rf::Peer peer(b.link);

	b.stored = 0;
	for (unsigned i = 0; i < 600; i++) {
		sent.push_back(rf::random_tlp(b.random).bytes());
		b.waiting.push_back(sent.back());
	}
	for (unsigned i = 0; i < 60000 && got < sent.size(); i++) {
		/* A slow taker acknowledges what is being sent again. */
		unsigned taking = i / 32 % 2 ? 15 : 60;

		content = b.frame(6100, 100);
		b.tap.check(!content.empty(), "silence");
		if (content.empty())
			break;
		if (b.random.chance(percent)) {
			if (nak)
				peer.heard_bad();
		} else {
			b.tap.equal(content[1], b.link, "link number");
			peer.heard(content);
		}
		while (b.random.chance(taking) && peer.take(body)) {
			b.tap.check(got < sent.size() && body == sent[got], "TLP", got);
			got++;
		}
		b.tap.check(b.stored <= got + 8, "stored beyond the window", b.stored, got);
		if (peer.say(response) && !b.random.chance(percent))
			b.ack(response[2], response[0] & rf::FrameNak);
	}
	b.tap.equal(got, sent.size(), "TLPs");
	b.tap.equal(peer.overruns, 0, "TLPs for which there was no room");
	b.tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Bench b;

	lossy(b, 0, true);
	lossy(b, 5, true);
	lossy(b, 30, true);
	lossy(b, 30, false);

	b.tap.begin("frames say whom they acknowledge, and that something is lost, once");
	b.reset();
	b.tap.check(b.frame(20) == rf::frame(0, b.link, 0, 0), "the Ack after a reset");
	b.tap.check(b.frame(1000).empty(), "nothing without a reason");
	b.top.consumed_i = 0x99;
	b.top.response_i = 1;
	b.tap.check(b.frame(20) == rf::frame(0, b.link, 0x99, 0), "an Ack");
	b.top.lost_i = 1;
	b.tap.check(b.frame(20) == rf::frame(rf::FrameNak, b.link, 0x99, 0), "a Nak");
	for (unsigned i = 0; i < 3; i++) {
		b.tap.check(b.frame(1500) == rf::frame(rf::FrameTick, b.link, 0x99, 0), "a tick");
		b.tap.check(b.frame(400).empty(), "nothing twice");
	}
	b.top.idle_i = 1;
	b.tap.check(b.frame(20) == rf::frame(rf::FrameIdle, b.link, 0x99, 0), "idle");
	b.tap.check(b.frame(400).empty(), "once");
	b.top.idle_i = 0;
	b.tap.check(b.frame(1500) == rf::frame(rf::FrameTick, b.link, 0x99, 0), "and no more");
	b.tap.end();

	b.tap.begin("a Nak has the TLPs sent again at once, from the oldest on");
	b.reset();
	for (unsigned i = 0; i < 3; i++)
		b.waiting.push_back(rf::Bytes(16, 0x51 + i));
	b.frame(20);
	for (unsigned i = 0; i < 3; i++)
		b.tap.equal(b.frame(200)[3], i, "sequence number");
	b.ack(1, true);
	for (unsigned i = 1; i < 3; i++)
		b.tap.check(b.frame(100) ==
				    rf::frame(rf::FrameTlp, b.link, 0, i, rf::Bytes(16, 0x51 + i)),
			    "sent again", i);
	b.tap.end();

	b.tap.begin("a Nak bit beside no Ack says nothing");
	b.reset();
	b.waiting.push_back(rf::Bytes(16, 0x71));
	b.frame(20);
	b.tap.equal(b.frame(200)[3], 0, "sequence number");
	b.top.nak_i = 1;
	b.tap.check(b.frame(400).empty(), "sent again");
	b.tap.end();

	b.tap.begin("what is not acknowledged is sent again when no Ack came for long enough");
	b.reset();
	for (unsigned i = 0; i < 3; i++)
		b.waiting.push_back(rf::Bytes(16, 0x81 + i));
	for (unsigned i = 0; i < 3; i++)
		b.tap.equal(b.tlp(200)[3], i, "sequence number");
	for (unsigned i = 1; i < 3; i++) { /* each Ack begins the time anew */
		b.tap.check(b.tlp(kReplay - 500).empty(), "sent again too early", i);
		b.ack(i);
	}
	for (unsigned i = 0; i < 3; i++) {
		b.tap.check(b.tlp(kReplay - 100).empty(), "sent again too early", i);
		b.tap.check(b.tlp(300) ==
				    rf::frame(rf::FrameTlp, b.link, 0, 2, rf::Bytes(16, 0x83)),
			    "the one that was not acknowledged", i);
	}
	b.ack(3);
	b.tap.check(b.tlp(3 * kReplay).empty(), "sent again when all was acknowledged");
	/* Time passes only while there is something to wait for. */
	b.waiting.push_back(rf::Bytes(16, 0x91));
	b.tap.equal(b.tlp(200)[3], 3, "sequence number");
	b.tap.check(b.tlp(kReplay - 100).empty(), "sent again too early");
	b.tap.equal(b.tlp(300)[3], 3, "sequence number");
	/* ... whatever part of it would have passed meanwhile */
	for (unsigned i = 4; i < 8; i++) {
		b.ack(i);
		b.tap.check(b.tlp(kReplay * i / 10).empty(),
			    "sent again when all was acknowledged");
		b.waiting.push_back(rf::Bytes(16, 0x91 + i));

		rf::Bytes sent = rf::frame(rf::FrameTlp, b.link, 0, i, rf::Bytes(16, 0x91 + i));

		b.tap.check(b.tlp(200) == sent, "sent", i);
		b.tap.check(b.tlp(kReplay - 100).empty(), "sent again too early", i);
		b.tap.check(b.tlp(300) == sent, "sent again", i);
	}
	b.tap.end();

	b.tap.begin("ticks come at their rate");
	b.reset();
	b.frame(20);
	uint64_t last = 0;
	for (unsigned i = 0; i < 4; i++) {
		b.tap.check(b.frame(2 * kTick) == rf::frame(rf::FrameTick, b.link, 0, 0), "a tick");
		if (last)
			b.tap.equal(b.clock.cycle - last, kTick, "cycles between two");
		last = b.clock.cycle;
	}
	b.tap.end();

	b.tap.begin("what is acknowledged while it is sent again is not sent any more");
	b.reset();
	for (unsigned i = 0; i < 7; i++)
		b.waiting.push_back(rf::Bytes(16, 0x61 + i));
	b.frame(20);
	for (unsigned i = 0; i < 6; i++)
		b.tap.equal(b.frame(200)[3], i, "sequence number");
	b.ack(0, true);
	b.frame(100); /* one had begun */
	b.tap.equal(b.frame(100)[3], 0, "sent again");
	b.ack(6);
	b.tap.equal(b.frame(100)[3], 1, "the one that had begun");
	b.tap.equal(b.frame(100)[3], 6, "sequence number");
	b.tap.end();

	b.tap.begin("what is not acknowledged is no idleness");
	b.reset();
	b.frame(20);
	b.top.idle_i = 1;
	b.waiting.push_back(rf::Bytes(16, 0x31));
	b.frame(20); /* was idle while it came in */
	b.tap.check(b.frame(200) == rf::frame(rf::FrameTlp, b.link, 0, 0, rf::Bytes(16, 0x31)),
		    "the TLP");
	b.tap.check(b.frame(1600) == rf::frame(rf::FrameTick, b.link, 0, 1), "not idle");
	b.ack(1);
	b.tap.check(b.frame(20) == rf::frame(rf::FrameIdle, b.link, 0, 1), "idle");
	b.tap.end();

	b.tap.begin("Acks of what was never sent are ignored");
	b.reset();
	b.waiting.push_back(rf::Bytes(16, 0x41));
	b.frame(20);
	b.frame(200);
	for (unsigned number = 2; number < 256; number++) {
		b.ack(number);
		b.cycle(100);
	}
	for (unsigned i = 0; i < 8; i++)
		b.waiting.push_back(rf::Bytes(16, 0x42 + i));
	for (unsigned i = 0; i < 2000; i++)
		b.cycle(100);
	b.tap.equal(b.waiting.size(), 1, "room for seven");
	b.tap.end();
	b.top.final();
	return b.tap.status();
}
