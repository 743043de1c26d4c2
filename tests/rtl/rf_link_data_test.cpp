/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data link layer's parts together: which packets count as received, and what confirms the
 * other side's credits in FC_INIT2 (3.4.1): an InitFC2, an UpdateFC or a good TLP, and no bad one.
 * All else is compared in rf_link_test.cpp.
 */
// partner: sim/link
#include <vector>

#include "Vrf_link_data.h"
#include "harness.h"
#include "link_words.h"

extern "C" {
#include "link/crc.h"
#include "link/framer.h"
}

namespace {

enum { InitFc1 = 0x40, UpdateFc = 0x80, InitFc2 = 0xc0 };

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	/* The link is up, and the other side's InitFC1s have come. */
	void to_init2()
	{
		top.link_up_i = top.training_i = 0;
		top.received_valid_i = top.received_i = 0;
		top.packet_ready_i = 1;
		top.tx_valid_i = top.tx_last_i = top.tx_data_i = 0;
		top.need_i = top.consume_i = top.rx_refuse_i = 0;
		top.freed_i = top.freed_data_i = 0;
		top.enter_l1_i = top.enter_l23_i = top.quiet_i = 0;
		clock.reset();
		top.link_up_i = 1;
		run(10);
		for (unsigned kind = 0; kind < 3; kind++)
			tap.equal(dllp(InitFc1 | kind << 4), 1, "an InitFC1 is a packet");
		run(400);
		tap.equal(top.up_o, 1, "FC_INIT2");
		tap.equal(top.active_o, 0, "not confirmed yet");
	}

	void run(unsigned cycles)
	{
		while (cycles--) {
			clock.tick();
			packets += top.received_packet_o;
			ends += top.rx_end_o;
		}
	}

	/* Packets that were seen of it: one or none */
	unsigned receive(enum packet_kind kind, const std::vector<uint8_t> &bytes)
	{
		struct plain_symbol made[PACKET_SYMBOLS];
		unsigned count = framer_make(kind, bytes.data(), bytes.size(), made);

		packets = 0;
		for (unsigned i = 0; i < count; i += 2) {
			const rf::Symbol low = { made[i].value, made[i].k, false };
			const rf::Symbol high = { made[i + 1].value, made[i + 1].k, false };

			top.received_valid_i = 1;
			top.received_i = rf::link_word(low, high);
			run(1);
			top.received_valid_i = 0;
			if (random.chance(30))
				run(1);
		}
		top.received_valid_i = 1; /* idle */
		top.received_i = 0;
		run(8);
		return packets;
	}

	unsigned dllp(unsigned type, bool spoilt = false)
	{
		std::vector<uint8_t> bytes = { uint8_t(type), 8, 1, 0 }; /* 32 headers, 256 data */
		uint16_t crc = link_dllp_crc(bytes.data()) ^ spoilt;

		bytes.push_back(crc);
		bytes.push_back(crc >> 8);
		return receive(PACKET_DLLP, bytes);
	}

	unsigned tlp(bool spoilt)
	{
		std::vector<uint8_t> bytes = { 0, 0 }; /* sequence number */

		for (unsigned i = 0; i < 12; i++)
			bytes.push_back(i ? random.next() : 0);
		uint32_t crc = link_lcrc(bytes.data(), bytes.size()) ^ spoilt;

		for (unsigned i = 0; i < 4; i++)
			bytes.push_back(crc >> 8 * i);
		return receive(PACKET_TLP, bytes);
	}

	Vrf_link_data top;
	rf::Clock<Vrf_link_data> clock;
	rf::Random random;
	rf::Tap tap;
	unsigned packets = 0, ends = 0;
};

} // namespace

int main()
{
	Bench b;

	b.tap.begin("nothing but what the other side says confirms its credits");
	b.to_init2();
	b.run(2000);
	b.tap.equal(b.top.active_o, 0, "without a word");
	b.tap.equal(b.dllp(InitFc2, true), 0, "a bad DLLP is no packet");
	b.ends = 0;
	b.tap.equal(b.tlp(true), 0, "a bad TLP is no packet");
	b.tap.equal(b.ends, 1, "it ends");
	b.tap.equal(b.dllp(InitFc1), 1, "an InitFC1 is one");
	b.run(1000);
	b.tap.equal(b.top.active_o, 0, "none of them confirms");
	b.tap.end();

	b.tap.begin("an InitFC2, an UpdateFC or a good TLP confirms them");
	for (unsigned kind = 0; kind < 3; kind++) {
		b.to_init2();
		b.tap.equal(kind == 0	? b.dllp(InitFc2)
			    : kind == 1 ? b.dllp(UpdateFc)
					: b.tlp(false),
			    1, "a packet");
		b.run(1000);
		b.tap.equal(b.top.active_o, 1, "DL_Active");
	}
	b.tap.end();
	return b.tap.status();
}
