/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the data link layer, its DLLPs written and read by the partner's codec, and what is
 * sent when.
 */
// partner: sim/link
#include <vector>

#include "Vrf_link_dllp.h"
#include "harness.h"

extern "C" {
#include "link/crc.h"
#include "link/dllp.h"
}

namespace {

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.link_up_i = 0;
		top.dllp_valid_i = top.dllp_i = top.tlp_i = top.known_i = 0;
		top.value_headers_i = top.value_data_i = top.freed_i = 0;
		top.ack_valid_i = top.ack_nak_i = top.ack_sequence_i = 0;
		top.enter_l1_i = top.enter_l23_i = top.quiet_i = top.dllp_ready_i = 0;
		clock.reset();
		tap.equal(top.up_o | top.active_o | top.acknak_valid_o | top.credit_init_o |
				  top.credit_update_o | top.power_granted_o | top.dllp_valid_o,
			  0, "behind a reset");
		sent.clear();
		cycle = 0;
	}

	/* A cycle; every class has other credits. What is sent is noted. */
	void tick(bool ready = true)
	{
		top.dllp_ready_i = ready;
		top.eval();
		top.value_headers_i = headers(top.value_class_o);
		top.value_data_i = data(top.value_class_o);
		top.eval();
		if (top.dllp_valid_o && ready) {
			uint8_t bytes[DLLP_BYTES];
			struct dllp dllp;

			for (unsigned i = 0; i < 4; i++)
				bytes[i] = top.dllp_o >> 8 * i;
			uint16_t crc = link_dllp_crc(bytes);

			bytes[4] = crc;
			bytes[5] = crc >> 8;
			tap.equal(dllp_decode(bytes, &dllp), DLLP_GOOD, "a DLLP");
			sent.push_back(dllp);
			last_ready = top.ack_ready_o;
		}
		clock.tick();
		cycle++;
		top.dllp_valid_i = top.tlp_i = top.freed_i = 0;
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			tick();
	}

	static unsigned headers(unsigned kind) { return kind == 2 ? 0 : 0xa5 + kind; }
	static unsigned data(unsigned kind) { return kind == 2 ? 0 : 0x5c3 + kind; }

	void receive(uint8_t type, unsigned sequence = 0, unsigned headers = 0, unsigned data = 0)
	{
		struct dllp dllp = { type, uint16_t(sequence), uint8_t(headers), uint16_t(data) };
		uint8_t bytes[DLLP_BYTES];

		dllp_encode(&dllp, bytes);
		top.dllp_valid_i = 1;
		top.dllp_i = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t(bytes[3]) << 24;
		tick(false);
	}

	/* Rounds of InitFC of this kind alone, from the first class on; returns how many. */
	unsigned rounds(unsigned base)
	{
		for (unsigned i = 0; i < sent.size(); i++) {
			tap.equal(sent[i].type, base + (i % 3) * 0x10, "P, NP, Cpl");
			tap.equal(sent[i].header_credits, headers(i % 3), "headers");
			tap.equal(sent[i].data_credits, data(i % 3), "data");
		}
		tap.equal(sent.size() % 3, 0, "whole rounds");
		unsigned count = sent.size() / 3;

		sent.clear();
		return count;
	}

	/* InitFC2 is sent from here on. */
	void to_init2()
	{
		reset();
		top.link_up_i = 1;
		run(2);
		top.known_i = 1;
		for (unsigned i = 0;
		     i < 100 && (sent.empty() || sent.back().type != DLLP_INITFC2_P); i++)
			tick();
		sent.erase(sent.begin(), sent.end() - 1);
	}

	void to_active()
	{
		to_init2();
		receive(DLLP_INITFC2_P);
		run(20);
		tap.equal(top.active_o, 1, "DL_Active");
		sent.clear();
	}

	Vrf_link_dllp top;
	rf::Clock<Vrf_link_dllp> clock;
	rf::Random random;
	rf::Tap tap;
	std::vector<struct dllp> sent;
	uint64_t cycle = 0;
	bool last_ready = false;
};

void initialisation(Bench &b)
{
	b.tap.begin("nothing in DL_Inactive; InitFC1 until the credits are known");
	b.reset();
	b.top.known_i = 1;
	b.run(100);
	b.tap.check(b.sent.empty(), "nothing", b.sent.size());
	b.top.known_i = 0;
	b.top.link_up_i = 1;
	for (unsigned i = 0; i < 1000; i++) {
		b.tick(b.random.chance(30));
		if (i % 50 == 0)
			b.top.tlp_i = 1; /* says nothing yet */
	}
	for (unsigned i = 0; i < 3 && b.sent.size() % 3; i++)
		b.tick();
	b.tap.check(b.rounds(DLLP_INITFC1_P) > 50, "rounds of InitFC1");
	b.tick();
	b.top.known_i = 1;
	b.run(2);
	b.tap.equal(b.rounds(DLLP_INITFC1_P), 1, "this one ends");
	b.run(300);
	b.tap.equal(b.rounds(DLLP_INITFC2_P), 100, "InitFC2");
	b.tap.equal(b.top.active_o, 0, "not yet active");
	b.tap.end();

	static const struct {
		const char *name;
		int type;
		bool leaves;
	} all[] = { { "InitFC2-P", DLLP_INITFC2_P, true },
		    { "InitFC2-Cpl", DLLP_INITFC2_CPL, true },
		    { "UpdateFC-NP", DLLP_UPDATEFC_NP, true },
		    { "a TLP", -1, true },
		    { "InitFC1-P", DLLP_INITFC1_P, false },
		    { "Ack", DLLP_ACK, false },
		    { "PM_Request_Ack", DLLP_PM_REQUEST_ACK, false },
		    { "channel 1", DLLP_INITFC2_P + 1, false } };

	for (const auto &one : all) {
		b.tap.begin(std::string("InitFC2 and ") + one.name);
		b.to_init2();
		if (one.type < 0) {
			b.top.tlp_i = 1;
			b.tick(false);
		} else {
			b.receive(one.type);
		}
		b.run(10);
		b.tap.equal(b.top.active_o, 0, "not before four rounds");
		b.run(1);
		b.tap.equal(b.top.active_o, one.leaves, "DL_Active");
		b.tap.equal(b.rounds(DLLP_INITFC2_P), 4, "rounds of InitFC2");
		b.run(50);
		if (one.leaves)
			b.tap.check(b.sent.empty(), "nothing more", b.sent.size());
		b.top.link_up_i = 0;
		b.tick();
		b.sent.clear();
		b.run(20);
		b.tap.check(!b.top.active_o && b.sent.empty(), "DL_Inactive");
		b.top.link_up_i = 1;
		b.run(40);
		b.tap.check(b.sent.size() > 9 && b.sent[0].type == DLLP_INITFC1_P,
			    "from the start");
		b.tap.equal(b.top.active_o, 0, "what was received then is forgotten");
		b.tap.end();
	}
}

void received(Bench &b)
{
	b.tap.begin("what is received, by kind");
	b.to_active();
	unsigned known = 0;

	for (unsigned i = 0; i < 20000; i++) {
		uint8_t type = b.random.chance(50) ? 0x10 * b.random.below(16) : b.random.next();
		unsigned sequence = b.random.below(4096), headers = b.random.below(256);
		unsigned data = b.random.below(4096);
		/* Flow control of channel 0, of a class that there is */
		bool credit = type >= 0x40 && (type & 0x3f) < 0x30 && (type & 0xf) == 0;
		bool acknak = type == DLLP_ACK || type == DLLP_NAK;

		b.receive(type, sequence, headers, data);
		known += credit || acknak;
		b.tap.equal(b.top.acknak_valid_o, acknak, "Ack or Nak");
		b.tap.equal(b.top.credit_init_o, credit && (type & 0x40), "InitFC");
		b.tap.equal(b.top.credit_update_o, credit && !(type & 0x40), "UpdateFC");
		b.tap.equal(b.top.power_granted_o, type == DLLP_PM_REQUEST_ACK, "PM_Request_Ack");
		if (acknak) {
			b.tap.equal(b.top.acknak_nak_o, type == DLLP_NAK, "Nak");
			b.tap.equal(b.top.acknak_sequence_o, sequence, "number");
		}
		if (credit) {
			b.tap.equal(b.top.credit_class_o, type >> 4 & 3, "class");
			b.tap.equal(b.top.credit_headers_o, headers, "headers");
			b.tap.equal(b.top.credit_data_o, data, "data");
		}
		b.tick(false);
		b.tap.check(!b.top.acknak_valid_o && !b.top.credit_init_o &&
				    !b.top.credit_update_o && !b.top.power_granted_o,
			    "once");
	}
	b.tap.check(known > 5000, "of interest", known);
	b.top.link_up_i = 0;
	b.run(3);
	for (unsigned type = 0; type < 256; type++) {
		b.receive(type);
		b.tap.check(!b.top.acknak_valid_o && !b.top.credit_init_o &&
				    !b.top.credit_update_o && !b.top.power_granted_o,
			    "none in DL_Inactive", type);
	}
	b.tap.end();
}

void active(Bench &b)
{
	b.tap.begin("Ack and Nak before UpdateFC, UpdateFC before PM");
	b.to_active();
	b.top.enter_l1_i = 1;
	b.top.freed_i = 3;
	b.top.ack_valid_i = 1;
	b.top.ack_nak_i = 1;
	b.top.ack_sequence_i = 0xabc;
	b.tick(false);
	b.tick(false); /* nothing is lost while it waits */
	b.tick();
	b.tap.equal(b.last_ready, 1, "the Nak is sent");
	b.top.ack_nak_i = 0;
	b.top.ack_sequence_i = 0x123;
	b.tick();
	b.top.ack_valid_i = 0;
	b.run(4);
	b.tap.equal(b.sent.size(), 6, "DLLPs");
	static const uint8_t order[] = { DLLP_NAK,	   DLLP_ACK,	     DLLP_UPDATEFC_P,
					 DLLP_UPDATEFC_NP, DLLP_PM_ENTER_L1, DLLP_PM_ENTER_L1 };

	for (unsigned i = 0; i < 6 && i < b.sent.size(); i++)
		b.tap.equal(b.sent[i].type, order[i], "order");
	b.tap.equal(b.sent[0].sequence, 0xabc, "Nak's number");
	b.tap.equal(b.sent[1].sequence, 0x123, "Ack's number");
	for (unsigned kind = 0; kind < 2; kind++) {
		b.tap.equal(b.sent[2 + kind].header_credits, b.headers(kind), "headers");
		b.tap.equal(b.sent[2 + kind].data_credits, b.data(kind), "data");
	}
	b.top.enter_l1_i = 0;
	b.top.enter_l23_i = 1;
	b.sent.clear();
	b.tick();
	b.tap.equal(b.sent.back().type, DLLP_PM_ENTER_L23, "PM_Enter_L23");
	b.top.enter_l23_i = 0;
	b.sent.clear();
	b.run(5);
	b.tap.check(b.sent.empty(), "no more");
	b.tap.end();

	b.tap.begin("nothing while it shall be quiet, and all of it afterwards");
	b.to_active();
	b.top.quiet_i = 1;
	b.top.enter_l1_i = b.top.ack_valid_i = 1;
	b.top.freed_i = 3;
	b.run(20);
	b.tap.equal(b.top.ack_ready_o, 0, "the Ack is not taken");
	b.tap.check(b.sent.empty(), "nothing");
	b.top.quiet_i = b.top.enter_l1_i = 0;
	b.tick();
	b.tap.equal(b.last_ready, 1, "now it is");
	b.top.ack_valid_i = 0;
	b.run(3);
	b.tap.equal(b.sent.size(), 3, "Ack and UpdateFCs");
	b.tap.end();

	b.tap.begin("a TLP that is freed while its UpdateFC is sent has another one");
	b.to_active();
	b.top.freed_i = 2;
	b.tick();
	b.top.freed_i = 2;
	b.tick();
	b.run(5);
	b.tap.equal(b.sent.size(), 2, "UpdateFCs");
	b.tap.end();

	b.tap.begin("UpdateFC of both classes within 30 us");
	b.to_active();
	uint64_t last[2] = { b.cycle, b.cycle };
	unsigned count = 0;

	for (unsigned i = 0; i < 40000; i++) {
		if (i > 20000 && b.random.below(5000) == 0)
			b.top.freed_i = 1 + b.random.below(2);
		b.tick(b.random.chance(50));
		for (const struct dllp &one : b.sent) {
			unsigned kind = one.type == DLLP_UPDATEFC_NP;

			b.tap.check(b.cycle - last[kind] <= 7500 / 2, "in time",
				    b.cycle - last[kind]);
			last[kind] = b.cycle;
			count++;
		}
		b.sent.clear();
	}
	b.tap.check(count >= 20 && count < 50, "UpdateFCs", count);
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	initialisation(b);
	received(b);
	active(b);
	return b.tap.status();
}
