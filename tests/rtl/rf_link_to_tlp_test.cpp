/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the receive buffer to the device's stream: TLPs of all kinds, with gaps, ends that void
 * them and a device that is seldom ready. What goes back of credits, PME_Turn_Off and the function's
 * number are read of those that were delivered alone.
 */
#include <deque>

#include "Vrf_link_to_tlp.h"
#include "bits.h"
#include "harness.h"

namespace {

struct Entry {
	bool last, error;
	unsigned strb;
	uint64_t data;
};

struct Beat {
	bool sop, eop, error, has_data;
	unsigned strb;
	uint64_t data, header[2]; /* DW 0 and 1; DW 2 and 3 */
};

/* What a delivered TLP gives, a cycle later */
struct Given {
	unsigned freed = 0, data = 0;
	bool turn_off = false;
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.entry_valid_i = top.rx_tlp_ready_i = 0;
		clock.reset();
		tap.equal(top.rx_tlp_valid_o | top.freed_o | top.turn_off_o | top.function_id_o, 0,
			  "behind a reset");
		entries.clear();
		beats.clear();
		given = {};
		function = 0;
	}

	/* Configuration, I/O, messages, completions, memory */
	void add()
	{
		static const unsigned kinds[] = { 0x00, 0x00, 0x00, 0x02, 0x04, 0x04, 0x05,
						  0x0a, 0x0b, 0x10, 0x14, 0x15, 0x17 };
		unsigned kind = kinds[random.below(sizeof(kinds) / sizeof(*kinds))];
		bool has_data = random.chance(50), bad = random.chance(20);
		unsigned length = random.chance(5) ? 0 : 1 + random.below(12);
		uint64_t header[2] = { random.next(), random.next() };

		rf::Random &r = random;
		header[0] &= ~(0x5full << 56 | 0x3ffull << 32);
		header[0] |= (uint64_t)(has_data << 6 | kind) << 56 | (uint64_t)length << 32;
		if (r.chance(70)) /* codes that differ in a bit, too */
			header[0] = (header[0] & ~0xffull) |
				    (r.chance(60) ? 0x19 : 0x19 ^ 1u << r.below(8));
		unsigned payload = has_data ? ((length ? length : 1024) + 1) / 2 : 0;

		if (payload > 20)
			payload = 20; /* shorter than it says: strb tells, the credits are its */
		for (unsigned i = 0; i < 2; i++)
			entries.push_back({ false, false, unsigned(r.below(4)), header[i] });
		for (unsigned i = 0; i < payload; i++)
			entries.push_back({ false, false, unsigned(r.below(4)), r.next() });
		/* One that is void may end anywhere. */
		while (bad && r.chance(40) && entries.size() > 1 && payload + 2 > cut + 1) {
			entries.pop_back();
			cut++;
		}
		unsigned left = payload + 2 - cut;

		cut = 0;
		Entry &end = entries.back();

		end.last = true;
		end.error = bad;
		/* 2: not as long as the header says */
		end.strb = has_data ? 1 + r.below(3) : r.below(2) * 2;
		for (unsigned i = 2; i < left; i++) {
			const Entry &e = entries[entries.size() - left + i];

			beats.push_back({ i == 2,
					  e.last,
					  e.last && e.error,
					  true,
					  e.last ? e.strb : 3,
					  e.data,
					  { header[0], header[1] } });
		}
		if (left == 2 && !bad)
			beats.push_back({ true,
					  true,
					  false,
					  false,
					  end.strb,
					  0,
					  { header[0], header[1] } });
		voids += bad;
	}

	Given gives(const Beat &beat)
	{
		Given result;
		unsigned kind = beat.header[0] >> 56 & 0x1f, length = beat.header[0] >> 32 & 0x3ff;
		bool data = beat.header[0] >> 62 & 1, message = kind >> 3 == 2;

		if (!beat.eop || beat.error)
			return result;
		delivered++;
		if (kind >> 1 != 5) /* completions have no credits */
			result.freed = message || (kind == 0 && data) ? 1 : 2;
		result.data = data ? ((length ? length : 1024) + 3) / 4 : 0;
		result.turn_off = message && (beat.header[0] & 0xff) == 0x19;
		turn_offs += result.turn_off;
		if (kind == 4 && data) {
			function = beat.header[1] >> 48;
			functions++;
		}
		return result;
	}

	void cycle(unsigned ready, unsigned rate)
	{
		if (entries.empty())
			add();
		if (!offered)
			offered = random.chance(rate);
		const Entry &e = entries.front();

		top.entry_valid_i = offered;
		rf::put(top.entry_i, 67, 1, offered ? e.last : random.below(2));
		rf::put(top.entry_i, 66, 1, offered ? e.error : random.below(2));
		rf::put(top.entry_i, 64, 2, offered ? e.strb : random.below(4));
		rf::put(top.entry_i, 0, 64, offered ? e.data : random.next());
		top.rx_tlp_ready_i = random.chance(ready);
		top.eval();
		Given next;

		if (top.rx_tlp_valid_o) {
			tap.check(!beats.empty(), "a beat without a TLP");
			if (!beats.empty()) {
				look(beats.front());
				if (top.rx_tlp_ready_i) {
					next = gives(beats.front());
					beats.pop_front();
				}
			}
		}
		tap.equal(top.freed_o, given.freed, "credits");
		if (given.freed)
			tap.equal(top.freed_data_o, given.data, "data credits");
		tap.equal(top.turn_off_o, given.turn_off, "PME_Turn_Off");
		tap.equal(top.function_id_o, given_function, "function");
		bool taken = offered && top.entry_ready_o;

		given = next;
		given_function = function;
		clock.tick();
		if (taken) {
			entries.pop_front();
			offered = false;
		}
	}

	void look(const Beat &beat)
	{
		uint64_t mask = beat.strb == 1	 ? 0xffffffff
				: beat.strb == 2 ? 0xffffffffull << 32
						 : ~0ull;

		tap.equal(top.rx_tlp_sop_o, beat.sop, "first beat");
		tap.equal(top.rx_tlp_eop_o, beat.eop, "last beat");
		tap.equal(top.rx_tlp_error_o, beat.error, "void");
		tap.equal(rf::bits(top.rx_tlp_hdr_o, 64, 64), beat.header[0], "header");
		tap.equal(rf::bits(top.rx_tlp_hdr_o, 0, 64), beat.header[1], "header");
		if (beat.error)
			return;
		tap.equal(top.rx_tlp_strb_o, beat.strb, "DWs");
		if (beat.has_data)
			tap.equal(top.rx_tlp_data_o & mask, beat.data & mask, "data");
	}

	Vrf_link_to_tlp top;
	rf::Clock<Vrf_link_to_tlp> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<Entry> entries;
	std::deque<Beat> beats;
	Given given;
	uint64_t delivered = 0, voids = 0, turn_offs = 0, functions = 0;
	unsigned function = 0, given_function = 0, cut = 0;
	bool offered = false;
};

} // namespace

int main()
{
	Bench b;

	for (unsigned ready : { 100, 60, 10 }) {
		b.tap.begin("TLPs of all kinds, ready in " + std::to_string(ready) +
			    " percent of the cycles");
		for (unsigned round = 0; round < 20; round++) {
			b.reset(); /* amid a TLP */
			b.given_function = 0;
			b.offered = false;
			for (unsigned i = 0; i < 2000; i++)
				b.cycle(ready, i < 1000 ? 100 : 50);
		}
		b.tap.end();
	}
	b.tap.begin("all of it was there");
	b.tap.check(b.delivered > 1000 && b.voids > 300, "TLPs", b.delivered, b.voids);
	b.tap.check(b.turn_offs > 50 && b.functions > 100, "messages and configuration writes",
		    b.turn_offs, b.functions);
	b.tap.end();
	return b.tap.status();
}
