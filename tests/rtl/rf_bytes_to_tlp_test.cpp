/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as the receive stream: every TLP beat by beat, at any pace of either side. */
#include "Vrf_bytes_to_tlp.h"
#include "serial_line.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_bytes_to_tlp top;
	rf::Clock<Vrf_bytes_to_tlp> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.valid_i = top.rx_tlp_ready_i = 0;
	clock.reset();
	tap.begin("every TLP as it was");
	for (unsigned i = 0; i < 2000; i++) {
		rf::Tlp sent = rf::random_tlp(random), got;
		rf::Bytes bytes = sent.bytes();
		unsigned in = 20 + random.below(81), out = 10 + random.below(91);
		size_t at = 0;
		bool done = false, first = true;

		tap.equal(top.idle_o, 1, "idle between TLPs");
		for (unsigned c = 0; !done && c < 20000; c++) {
			top.valid_i = at < bytes.size() && (top.valid_i || random.chance(in));
			top.data_i = at < bytes.size() ? bytes[at] : random.next();
			top.last_i = at + 1 == bytes.size();
			top.rx_tlp_ready_i = random.chance(out);
			top.eval();
			tap.check(!top.idle_o || !at, "idle with a TLP");
			if (top.valid_i && top.ready_o)
				at++;
			if (top.rx_tlp_valid_o && top.rx_tlp_ready_i) {
				for (unsigned w = 0; w < 4; w++)
					got.header[w] = top.rx_tlp_hdr_o[3 - w];
				tap.check(got.header == sent.header, "header");
				tap.equal(top.rx_tlp_sop_o, first, "sop");
				first = false;
				done = top.rx_tlp_eop_o;
				tap.check(top.rx_tlp_strb_o == 3 || done, "strb");
				if (top.rx_tlp_strb_o & 1)
					got.payload.push_back(top.rx_tlp_data_o);
				if (top.rx_tlp_strb_o & 2)
					got.payload.push_back(top.rx_tlp_data_o >> 32);
			}
			clock.tick();
		}
		tap.check(got == sent, "TLP", got.payload.size(), sent.payload.size());
	}
	tap.end();
	top.final();
	return tap.status();
}
