/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A UART's transmitter: start bit, eight bits lowest first, stop bit, each of exactly
 * Divider cycles; one where nothing is sent.
 */
// parameters: -GDivider=6
#include "Vrf_uart_transmit.h"
#include "harness.h"

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Vrf_uart_transmit top;
	rf::Clock<Vrf_uart_transmit> clock(top);
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	top.valid_i = 0;
	clock.reset();
	tap.begin("each byte as its ten bits, none doubled, in order");
	for (unsigned i = 0; i < 2000; i++) {
		unsigned pause = random.chance(50) ? 0 : random.below(20);
		uint8_t byte = random.next();

		for (unsigned c = 0; c < pause; c++) {
			clock.tick();
			tap.equal(top.tx_o, 1, "quiet");
		}
		top.valid_i = 1;
		top.data_i = byte;
		tap.equal(top.ready_o, 1, "ready");
		for (unsigned c = 0; c < 60; c++) {
			unsigned bit = c / 6;
			bool want = bit == 9 || (bit && (byte >> (bit - 1) & 1));

			clock.tick();
			tap.equal(top.tx_o, want, "bit");
			tap.equal(top.ready_o, 0, "busy");
			top.valid_i = random.chance(50);
			top.data_i = random.next();
		}
		top.valid_i = 0;
		clock.tick();
	}
	tap.end();
	top.final();
	return tap.status();
}
