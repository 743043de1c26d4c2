/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of bytes: exactly the bytes of the format, at any pace of either side. */
#include "Vrf_frame_transmit.h"
#include "serial_line.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_frame_transmit top;
	rf::Clock<Vrf_frame_transmit> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.valid_i = top.ready_i = 0;
	clock.reset();
	tap.begin("every frame as the format has it");
	for (unsigned i = 0; i < 500; i++) {
		rf::Bytes content = rf::frame(random.next(), random.next(), random.next(),
					      random.next(), rf::random_tlp(random).bytes());
		rf::Bytes want = rf::line_bytes(content), got;
		unsigned in = 30 + 70 * random.below(2), out = 10 + random.below(91);
		size_t at = 0;

		for (unsigned c = 0; got.size() < want.size() && c < 50000; c++) {
			/* valid and its byte stay until ready */
			if (!top.valid_i)
				top.valid_i = at < content.size() && random.chance(in);
			top.data_i = at < content.size() ? content[at] : random.next();
			top.last_i = at + 1 == content.size();
			top.ready_i = random.chance(out);
			top.eval();
			bool taken = top.valid_i && top.ready_o;

			if (top.valid_o && top.ready_i)
				got.push_back(top.data_o);
			clock.tick();
			if (taken) {
				at++;
				top.valid_i = 0;
			}
		}
		tap.check(got == want, "bytes", got.size(), want.size());
		top.valid_i = 0;
		top.eval();
		tap.equal(top.valid_o, 0, "bytes after the end");
	}
	tap.end();
	top.final();
	return tap.status();
}
