/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames out of bytes: each as sent and good; after any garbage the next but one at the
 * latest; one that is broken in any single place is not good.
 */
#include "Vrf_frame_receive.h"
#include "serial_line.h"

namespace {

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void byte(uint8_t data)
	{
		top.valid_i = 1;
		top.data_i = data;
		clock.tick();
		if (top.valid_o)
			content.push_back(top.data_o);
		if (top.end_o) {
			ends++;
			if (top.good_o)
				good.push_back(content);
			content.clear();
		}
		top.valid_i = 0;
		for (unsigned i = random.below(3); i; i--) {
			clock.tick();
			tap.check(!top.valid_o && !top.end_o && !top.good_o, "out of nothing");
		}
	}
	rf::Bytes random_content()
	{
		return rf::frame(random.next(), random.next(), random.next(), random.next(),
				 rf::random_tlp(random).bytes());
	}

	Vrf_frame_receive top;
	rf::Clock<Vrf_frame_receive> clock;
	rf::Random random;
	rf::Tap tap;
	rf::Bytes content;
	std::vector<rf::Bytes> good;
	uint64_t ends = 0;
};

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Bench b;

	b.top.valid_i = 0;
	b.clock.reset();

	b.tap.begin("the CRC is that of Ethernet");
	b.tap.equal(rf::crc32({ '1', '2', '3', '4', '5', '6', '7', '8', '9' }), 0xcbf43926,
		    "check value of the model");
	for (uint8_t byte : { 0x7e, '1' + 0, '2' + 0, '3' + 0, '4' + 0, '5' + 0, '6' + 0, '7' + 0,
			      '8' + 0, '9' + 0, 0x26, 0x39, 0xf4, 0xcb, 0x7e })
		b.byte(byte);
	b.tap.equal(b.good.size(), 1, "good frames");
	b.tap.end();

	b.tap.begin("every frame as it was sent, with one flag or more between two");
	for (unsigned i = 0; i < 500; i++) {
		rf::Bytes sent = b.random_content(), line = rf::line_bytes(sent);

		b.good.clear();
		b.ends = 0;
		for (size_t at = b.random.below(2); at < line.size(); at++)
			b.byte(line[at]);
		b.tap.equal(b.good.size(), 1, "good frames");
		b.tap.equal(b.ends, 1, "ends");
		if (b.good.size() == 1)
			b.tap.check(b.good[0] == rf::with_crc(sent), "content");
	}
	b.tap.end();

	b.tap.begin("behind a reset a frame begins, wherever in one that came");
	for (unsigned i = 0; i < 500; i++) {
		rf::Bytes sent = b.random_content(), line = rf::line_bytes(sent);
		size_t cut = 1 + b.random.below(line.size());

		for (size_t at = 0; at < cut; at++)
			b.byte(line[at]);
		if (b.random.chance(30))
			b.byte(0x7d);
		b.top.rst_ni = 0;
		b.top.eval();
		b.tap.check(!b.top.valid_o && !b.top.end_o && !b.top.good_o, "out of a reset");
		b.clock.reset(1);
		b.tap.check(!b.top.valid_o && !b.top.end_o && !b.top.good_o, "behind a reset");
		b.good.clear();
		b.content.clear();
		b.ends = 0;
		for (size_t at = b.random.below(2); at < line.size(); at++)
			b.byte(line[at]);
		b.tap.equal(b.ends, 1, "ends");
		b.tap.check(b.good.size() == 1 && b.good[0] == rf::with_crc(sent), "content");
	}
	b.tap.end();

	b.tap.begin("garbage costs one frame at most");
	for (unsigned i = 0; i < 500; i++) {
		for (unsigned g = b.random.below(60); g; g--)
			b.byte(b.random.chance(10) ? 0x7d : b.random.next());
		b.good.clear();
		rf::Bytes second;
		for (unsigned f = 0; f < 2; f++) {
			second = b.random_content();
			for (uint8_t byte : rf::line_bytes(second))
				b.byte(byte);
		}
		b.tap.check(!b.good.empty() && b.good.back() == rf::with_crc(second), "content");
	}
	b.tap.end();

	b.tap.begin("a frame that lost, gained or changed one byte ends and is not good");
	for (unsigned i = 0; i < 2000; i++) {
		rf::Bytes line = rf::line_bytes(b.random_content());
		size_t at = 1 + b.random.below(line.size() - 2);

		switch (b.random.below(3)) {
		case 0:
			line.erase(line.begin() + at);
			break;
		case 1:
			line.insert(line.begin() + at, b.random.next());
			break;
		default:
			line[at] ^= 1 + b.random.below(255);
		}
		b.good.clear();
		b.ends = 0;
		for (uint8_t byte : line)
			b.byte(byte);
		b.byte(0x7e);
		b.tap.equal(b.good.size(), 0, "good frames");
		b.tap.check(b.ends > 0, "no end");
	}
	b.tap.end();
	b.top.final();
	return b.tap.status();
}
