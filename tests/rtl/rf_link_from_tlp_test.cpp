/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device's streams to entries: TLPs as they are, PME_TO_Ack once behind all that the device has
 * to send, reads with the number of posted TLPs before them, accepted when the link has taken them.
 */
#include <deque>

#include "Vrf_link_from_tlp.h"
#include "bits.h"
#include "harness.h"

namespace {

struct Entry {
	bool last, half;
	uint64_t data;
};

struct Beat {
	bool eop;
	unsigned strb; /* 0: of a TLP without payload */
	uint64_t data, header[2];
};

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.tx_tlp_valid_i = top.tx_read_tlp_valid_i = top.turn_off_i = 0;
		top.entry_ready_i = top.read_done_i = 0;
		clock.reset();
		tap.equal(top.entry_valid_o | top.tx_tlp_ready_o | top.tx_read_tlp_ready_o |
				  top.read_request_o | top.read_behind_o,
			  0, "behind a reset");
		beats.clear();
		entries.clear();
		posted = 0;
		requested = reading = asked = message = false;
		done_at = inside = 0;
		quiet = 0;
	}

	void add()
	{
		bool four = random.chance(50), has_data = random.chance(60);
		unsigned words = has_data ? 1 + random.below(9) : 0;
		Beat beat = { !has_data, 0, random.next(), { random.next(), random.next() } };

		beat.header[0] = (beat.header[0] & ~(3ull << 61)) | (uint64_t)has_data << 62 |
				 (uint64_t)four << 61;
		entries.push_back({ false, false, beat.header[0] });
		entries.push_back({ !has_data, !four, beat.header[1] });
		if (!has_data)
			beats.push_back(beat);
		for (unsigned i = 0; i < words; i += 2) {
			beat.eop = i + 2 >= words;
			beat.strb = i + 1 == words ? 1 : 3;
			beat.data = random.next();
			beats.push_back(beat);
			entries.push_back({ beat.eop, beat.strb == 1, beat.data });
		}
	}

	void cycle(unsigned load, unsigned ready)
	{
		if (beats.empty() && random.chance(load))
			add();
		top.tx_tlp_valid_i = !beats.empty() && (valid || random.chance(80));
		valid = top.tx_tlp_valid_i;
		if (valid) {
			const Beat &beat = beats.front();

			top.tx_tlp_data_i = beat.data;
			top.tx_tlp_strb_i = beat.strb;
			top.tx_tlp_eop_i = beat.eop;
			rf::put(top.tx_tlp_hdr_i, 64, 64, beat.header[0]);
			rf::put(top.tx_tlp_hdr_i, 0, 64, beat.header[1]);
		}
		top.entry_ready_i = random.chance(ready);
		/* Nobody turns off twice before the answer. */
		top.turn_off_i = !asked && random.chance(2);
		if (!asked)
			top.function_id_i = random.next();
		reads();
		top.eval();
		if (top.entry_valid_o)
			look();
		bool taken = top.tx_tlp_valid_i && top.tx_tlp_ready_o;
		bool entered = top.entry_valid_o && top.entry_ready_i;
		bool ends = entered && rf::bits(top.entry_o, 65, 1);
		bool read_ready = top.tx_read_tlp_ready_o, request = top.read_request_o;

		tap.check(!read_ready || (reading && requested && done_at <= 2 &&
					  top.read_done_i == request),
			  "a read is accepted that the link has not");
		if (entered && !message)
			entries.pop_front();
		if (entered) {
			inside = ends ? 0 : inside + 1;
			message &= !ends;
		}
		if (taken)
			beats.pop_front();
		valid &= !taken;
		/* It is awaited for some cycles in which the device has nothing. */
		quiet = asked && !message && !top.tx_tlp_valid_i && !inside ? quiet + 1 : 0;
		tap.check(quiet < 4, "PME_TO_Ack does not come");
		was_valid = top.tx_tlp_valid_i;
		asked |= top.turn_off_i;
		if (read_ready) {
			reading = requested = false;
			reads_done++;
		}
		clock.tick();
		if (top.read_request_o != request) {
			tap.check(reading && !requested && !read_ready, "a request without a read");
			tap.equal(top.read_behind_o, posted % 32, "posted TLPs before it");
			requested = true;
			done_at = 3 + random.below(20);
		} else {
			waited = reading && !requested ? waited + 1 : 0;
			tap.check(waited < 4, "a read is not requested");
		}
		posted += ends;
	}

	/* The link takes a read some time after it was asked for. */
	void reads()
	{
		if (!reading)
			reading = random.chance(20);
		top.tx_read_tlp_valid_i = reading;
		if (requested && done_at && --done_at == 2)
			top.read_done_i = top.read_request_o;
		late = requested && top.read_done_i == top.read_request_o ? late + 1 : 0;
		tap.check(late < 6, "a read is not accepted");
	}

	void look()
	{
		uint64_t data = rf::bits(top.entry_o, 0, 64);
		bool last = rf::bits(top.entry_o, 65, 1), half = rf::bits(top.entry_o, 64, 1);

		/* PME_TO_Ack, in the words of the specification: gathered, to the root complex */
		uint64_t first = 0x350000000000001bull | (uint64_t)top.function_id_i << 16;

		if (!message && !inside && asked && data == first && !was_valid) {
			message = true;
			messages++;
		}
		if (message) {
			tap.equal(data, inside ? 0 : first, "PME_TO_Ack");
			tap.equal(last << 1 | half, inside ? 2 : 0, "its end");
			if (inside && top.entry_ready_i)
				asked = false;
			return;
		}
		tap.check(!entries.empty() && top.tx_tlp_valid_i, "an entry without a TLP");
		if (entries.empty())
			return;
		tap.equal(data, entries.front().data, "data");
		tap.equal(last, entries.front().last, "last");
		/* Of the entry of a header that is always whole, and of payload */
		tap.equal(half, entries.front().half, "half");
	}

	Vrf_link_from_tlp top;
	rf::Clock<Vrf_link_from_tlp> clock;
	rf::Random random;
	rf::Tap tap;
	std::deque<Beat> beats;
	std::deque<Entry> entries;
	uint64_t posted = 0, messages = 0, reads_done = 0;
	unsigned done_at = 0, inside = 0, quiet = 0, waited = 0, late = 0;
	bool requested = false, reading = false, asked = false, message = false;
	bool valid = false, was_valid = false;
};

} // namespace

int main()
{
	Bench b;

	for (unsigned load : { 100, 40, 5 }) {
		b.tap.begin("TLPs, messages and reads, a TLP in " + std::to_string(load) +
			    " percent of the cycles");
		for (unsigned round = 0; round < 20; round++) {
			b.reset(); /* amid a TLP */
			b.valid = b.was_valid = false;
			for (unsigned i = 0; i < 3000; i++)
				b.cycle(load, i < 1500 ? 100 : 30);
		}
		b.tap.end();
	}
	b.tap.begin("all of it was there");
	b.tap.check(b.messages > 100 && b.reads_done > 1000, "messages and reads", b.messages,
		    b.reads_done);
	b.tap.end();
	return b.tap.status();
}
