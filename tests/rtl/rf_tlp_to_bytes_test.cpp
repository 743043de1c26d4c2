/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two transmit streams as bytes: every TLP whole, those of a stream in order, and a read
 * request behind every posted TLP that was accepted before it; neither stream starves.
 */
#include "Vrf_tlp_to_bytes.h"
#include "serial_line.h"

namespace {

struct Stream {
	std::deque<rf::Tlp> tlps;
	size_t word = 0; /* of the first of them */
};

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_tlp_to_bytes top;
	rf::Clock<Vrf_tlp_to_bytes> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;
	Stream posted, read;
	std::deque<rf::Tlp> accepted;
	rf::Bytes bytes;
	uint64_t tlps[2] = { 0, 0 };

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.tx_tlp_valid_i = top.tx_read_tlp_valid_i = top.ready_i = 0;
	clock.reset();
	bool last = false; // byte of a TLP
	int waits = -1; /* the stream that must not come next: 0 read, 1 posted; -1: none */

	tap.begin("idle behind a reset, and the first TLP may be of either stream");
	tap.equal(top.idle_o, 1, "idle");
	for (unsigned i = 0; i < 2; i++) {
		bool taken = false;

		top.tx_tlp_valid_i = !i;
		top.tx_read_tlp_valid_i = i;
		top.tx_tlp_strb_i = 0;
		top.tx_tlp_eop_i = 1;
		top.ready_i = 1;
		for (unsigned c = 0; c < 40 && !taken; c++) {
			top.eval();
			taken = i ? top.tx_read_tlp_ready_o : top.tx_tlp_ready_o;
			clock.tick();
		}
		tap.check(taken, "the first TLP is taken", i);
		top.tx_tlp_valid_i = top.tx_read_tlp_valid_i = top.ready_i = 0;
		clock.reset();
	}
	tap.end();

	tap.begin("every TLP once and whole, in the order of acceptance");
	for (unsigned c = 0; c < 200000; c++) {
		unsigned phase = c / 20000 % 5;
		unsigned in[] = { 100, 50, 10, 100, 0 }, out[] = { 100, 100, 50, 20, 100 };

		if (posted.tlps.empty() && random.chance(in[phase]))
			posted.tlps.push_back(rf::random_tlp(random));
		if (read.tlps.empty() && random.chance(in[phase])) {
			read.tlps.push_back(rf::random_tlp(random));
			read.tlps.front().payload.clear();
		}
		if (!posted.tlps.empty() && (top.tx_tlp_valid_i || random.chance(70))) {
			const rf::Tlp &tlp = posted.tlps.front();
			size_t left = tlp.payload.size() - posted.word;

			top.tx_tlp_valid_i = 1;
			for (unsigned i = 0; i < 4; i++)
				top.tx_tlp_hdr_i[3 - i] = tlp.header[i];
			top.tx_tlp_data_i = random.next();
			if (left)
				top.tx_tlp_data_i =
					tlp.payload[posted.word] | (top.tx_tlp_data_i >> 32 << 32);
			if (left > 1)
				top.tx_tlp_data_i = tlp.payload[posted.word] |
						    (uint64_t)tlp.payload[posted.word + 1] << 32;
			top.tx_tlp_strb_i = left > 1 ? 3 : left;
			top.tx_tlp_eop_i = left <= 2;
		}
		if (!read.tlps.empty()) {
			top.tx_read_tlp_valid_i = 1;
			for (unsigned i = 0; i < 4; i++)
				top.tx_read_tlp_hdr_i[3 - i] = read.tlps.front().header[i];
		}
		top.ready_i = random.chance(out[phase]);
		top.eval();
		if (top.valid_o && top.ready_i) {
			bytes.push_back(top.data_o);
			tap.check(!top.tx_tlp_ready_o && !top.tx_read_tlp_ready_o,
				  "no byte while a beat is taken");
		}
		bool over = last; // in the cycle before

		last = top.valid_o && top.ready_i && top.last_o;
		bool posted_taken = top.tx_tlp_valid_i && top.tx_tlp_ready_o;
		bool read_taken = top.tx_read_tlp_valid_i && top.tx_read_tlp_ready_o;
		bool quiet = top.idle_o;

		tap.equal((posted_taken && top.tx_tlp_eop_i) || read_taken, over,
			  "the last beat is taken behind the last byte");
		tap.check(!quiet || !(posted.word || top.tx_tlp_valid_i || top.tx_read_tlp_valid_i),
			  "idle with a TLP");
		/* A stream that waits since the TLP before comes next. */
		if (over) {
			tap.check(waits != (int)posted_taken, "a stream twice beside the other");
			bool other = read_taken ? top.tx_tlp_valid_i : top.tx_read_tlp_valid_i;

			waits = other ? !read_taken : -1;
		}
		clock.tick();
		if (posted_taken) {
			top.tx_tlp_valid_i = 0;
			posted.word += 2;
			if (posted.word >= posted.tlps.front().payload.size()) {
				accepted.push_back(posted.tlps.front());
				posted = Stream();
				tlps[0]++;
			}
		}
		if (read_taken) {
			top.tx_read_tlp_valid_i = 0;
			accepted.push_back(read.tlps.front());
			read = Stream();
			tlps[1]++;
		}
		if (!over)
			continue;
		tap.equal(accepted.size(), 1, "TLPs accepted");
		tap.check(!accepted.empty() && accepted.front().bytes() == bytes, "bytes");
		accepted.clear();
		bytes.clear();
	}
	tap.equal(top.idle_o, 1, "idle at the end");
	tap.check(tlps[0] > 300 && tlps[1] > 300, "one of the streams starved", tlps[0], tlps[1]);
	tap.end();
	top.final();
	return tap.status();
}
