/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Received words of TLPs to entries of the buffer, against a model of what they are: any length,
 * also one that is not the header's; digests; TLPs that turn out void; a buffer without room.
 */
#include <deque>
#include <vector>

#include "Vrf_link_pack.h"
#include "harness.h"

namespace {

struct Entry {
	bool last, error;
	unsigned strb;
	uint64_t data;
};

struct Tlp {
	std::vector<uint8_t> bytes;
	bool four, has_data, digest;
	unsigned length;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.rx_valid_i = top.rx_data_i = top.rx_end_i = top.rx_take_i = 0;
		top.room_i = 1;
		clock.reset();
		got.clear();
	}

	/* @extra: DWs more than the header says, or less */
	Tlp draw(int extra = 0)
	{
		Tlp tlp = { {},
			    random.chance(50),
			    random.chance(60),
			    random.chance(30),
			    1 + unsigned(random.below(random.chance(80) ? 12 : 128)) };
		unsigned words = 3 + tlp.four + tlp.has_data * tlp.length + tlp.digest + extra;

		for (unsigned i = 0; i < 4 * words; i++)
			tlp.bytes.push_back(random.next());
		tlp.bytes[0] = (tlp.bytes[0] & 0x9f) | tlp.four << 5 | tlp.has_data << 6;
		tlp.bytes[2] = (tlp.bytes[2] & 0x7c) | tlp.digest << 7 | tlp.length >> 8;
		tlp.bytes[3] = tlp.length;
		return tlp;
	}

	/* Words with gaps; returns whether it was taken. @room: percent of the cycles */
	bool send(const Tlp &tlp, bool good, unsigned room)
	{
		bool taken = false;

		for (size_t i = 0; i < tlp.bytes.size(); i += 2) {
			while (random.chance(20))
				tick(room);
			bool last = i + 2 == tlp.bytes.size();

			/* A bad one may end without a word. */
			top.rx_valid_i = 1;
			top.rx_end_i = last;
			top.rx_data_i = tlp.bytes[i] | tlp.bytes[i + 1] << 8;
			top.room_i = random.chance(room);
			top.eval();
			refused = top.rx_refuse_o;
			taken = top.rx_take_i = last && good && !refused;
			tick(-1);
			top.rx_valid_i = top.rx_end_i = top.rx_take_i = 0;
		}
		return taken;
	}

	void tick(int room)
	{
		if (room >= 0)
			top.room_i = random.chance(room);
		top.eval();
		if (top.valid_o) {
			uint32_t flags = top.entry_o[2];

			got.push_back({ bool(flags >> 3 & 1), bool(flags >> 2 & 1), flags & 3,
					top.entry_o[0] | uint64_t(top.entry_o[1]) << 32 });
			/* Only the end of a void one is put into the last place. */
			tap.check(top.room_i || (got.back().last && got.back().error),
				  "an entry without room");
		}
		clock.tick();
	}

	/* A word of a header, most significant byte first; TD is gone. */
	static uint64_t header(const Tlp &tlp, unsigned place)
	{
		uint32_t word = 0;

		if (place >= 3u + tlp.four)
			return 0;
		for (unsigned i = 0; i < 4; i++)
			word = word << 8 | tlp.bytes[4 * place + i];
		return place ? word : word & ~0x8000u;
	}

	/* Entries of a TLP that has its length */
	static std::vector<Entry> entries(const Tlp &tlp)
	{
		std::vector<Entry> all;

		for (unsigned i = 0; i < 4; i += 2)
			all.push_back(
				{ false, false, 0, header(tlp, i) << 32 | header(tlp, i + 1) });
		for (unsigned i = 0; tlp.has_data && i < tlp.length; i += 2) {
			uint64_t data = 0;

			for (unsigned k = 0; k < 8 && i + k / 4 < tlp.length; k++)
				data |= uint64_t(tlp.bytes[4 * (3 + tlp.four + i) + k]) << 8 * k;
			all.push_back({ false, false, i + 1 == tlp.length ? 1u : 3u, data });
		}
		all.back().last = true;
		return all;
	}

	void compare(const std::vector<Entry> &want)
	{
		tap.equal(got.size(), want.size(), "entries");
		for (size_t i = 0; i < got.size() && i < want.size(); i++) {
			tap.equal(got[i].last, want[i].last, "last");
			if (want[i].last)
				tap.equal(got[i].error << 2 | got[i].strb,
					  want[i].error << 2 | want[i].strb, "error, DWs");
			/* The DW behind an odd length is anything. */
			uint64_t mask = want[i].last && want[i].strb == 1 ? 0xffffffff : ~0ull;

			tap.equal(got[i].data & mask, want[i].data & mask, "data");
		}
		got.clear();
	}

	Vrf_link_pack top;
	rf::Clock<Vrf_link_pack> clock;
	rf::Random random;
	rf::Tap tap;
	std::vector<Entry> got;
	bool refused = false;
};

void whole(Bench &b)
{
	b.tap.begin("TLPs of any length, with and without a digest");
	b.reset();
	for (unsigned i = 0; i < 3000; i++) {
		Tlp tlp = b.draw();

		b.tap.equal(b.send(tlp, true, 100), 1, "taken");
		b.compare(b.entries(tlp));
	}
	b.tap.end();

	b.tap.begin("a length that is not the header's is told by the DWs of the last entry");
	b.reset();
	unsigned shorter = 0, longer = 0;

	for (unsigned i = 0; i < 3000; i++) {
		int extra = b.random.chance(50) ? 1 + int(b.random.below(4))
						: -1 - int(b.random.below(4));
		Tlp tlp = b.draw(extra < 0 ? 0 : extra);

		if (extra < 0) {
			if (tlp.bytes.size() < 12 + 4 * unsigned(-extra))
				continue;
			tlp.bytes.resize(tlp.bytes.size() + 4 * extra);
		}
		/* Half a DW too much, too */
		if (b.random.chance(20))
			tlp.bytes.resize(tlp.bytes.size() + 2);
		(extra < 0 ? shorter : longer)++;
		b.tap.equal(b.send(tlp, true, 100), 1, "taken");
		b.tap.check(!b.got.empty() && b.got.back().last && !b.got.back().error &&
				    b.got.back().strb == 2,
			    "the last entry", b.got.empty() ? 0 : b.got.back().strb);
		for (size_t k = 0; k + 1 < b.got.size(); k++)
			b.tap.equal(b.got[k].last, 0, "one last entry");
		b.got.clear();
	}
	b.tap.check(shorter > 500 && longer > 1000, "TLPs", shorter, longer);
	b.tap.end();
}

void voids(Bench &b)
{
	b.tap.begin("a TLP that is not taken ends as void, if any of it was passed on");
	b.reset();
	unsigned ended = 0;

	for (unsigned i = 0; i < 3000; i++) {
		Tlp tlp = b.draw(), next = b.draw();

		/* It may be cut anywhere. */
		tlp.bytes.resize(2 * (1 + b.random.below(tlp.bytes.size() / 2)));
		b.send(tlp, false, 100);
		for (size_t k = 0; k < b.got.size(); k++)
			b.tap.equal(b.got[k].last && b.got[k].error, k + 1 == b.got.size(), "end");
		ended += !b.got.empty();
		b.got.clear();
		b.send(next, true, 100);
		b.compare(b.entries(next));
	}
	b.tap.check(ended > 1500, "TLPs that were begun", ended);
	b.tap.end();
}

void no_room(Bench &b)
{
	b.tap.begin("a TLP of which an entry has no room is refused whole");
	b.reset();
	unsigned refused = 0, taken = 0;

	for (unsigned i = 0; i < 4000; i++) {
		Tlp tlp = b.draw();

		if (b.send(tlp, true, 80)) {
			taken++;
			b.compare(b.entries(tlp));
			continue;
		}
		refused++;
		b.tap.equal(b.refused, 1, "refused");
		for (size_t k = 0; k < b.got.size(); k++)
			b.tap.equal(b.got[k].last && b.got[k].error, k + 1 == b.got.size(), "end");
		b.got.clear();
	}
	b.tap.check(refused > 500 && taken > 500, "TLPs", refused, taken);
	b.tap.end();
}

} // namespace

int main()
{
	Bench b;

	whole(b);
	voids(b);
	no_room(b);
	return b.tap.status();
}
