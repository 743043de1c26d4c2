// SPDX-License-Identifier: Apache-2.0
//
// A simulated board: the Verilated rf_board with a pseudo-terminal on its UART pins,
// bit by bit. Faults of a real line are simulated by the number of bytes in a million, in
// each direction, that are lost, have a flipped bit, or follow inserted bytes.
//
// LINK belongs to one board: that of a running board is not replaced, that of a board that
// was killed is, and no other file.
//
// While no host reads what the board sends, its clock stands still. SIGTERM ends it; it
// then prints the number of faults.

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <signal.h>

#include "../number.h"
#include "terminal.h"
#include "Vrf_board.h"
#include "ringfence_version.h"
#include "verilated.h"

namespace {

const char usage[] = "Usage: rf-serial-board [--drop N] [--flip N] [--garbage N] [--seed N] LINK\n"
		     "A simulated board on a pseudo-terminal, to which LINK will point.\n"
		     "  --drop, --flip, --garbage N   so many bytes in a million\n";

struct Faults {
	uint64_t drop = 0, flip = 0, garbage = 0;
	uint64_t random = 1;
	uint64_t dropped = 0, flipped = 0, invented = 0;

	uint64_t next()
	{
		random ^= random >> 12;
		random ^= random << 25;
		random ^= random >> 27;
		return random * 0x2545f4914f6cdd1dull >> 16;
	}
	bool happens(uint64_t often, uint64_t &count)
	{
		bool now = often && next() % 1000000 < often;

		count += now;
		return now;
	}
	std::string line(uint8_t byte)
	{
		std::string result;

		if (happens(garbage, invented))
			for (uint64_t count = next() % 32; count; count--)
				result += (char)next();
		if (happens(drop, dropped))
			return result;
		if (happens(flip, flipped))
			byte ^= 1 << next() % 8;
		return result + (char)byte;
	}
};

volatile sig_atomic_t ended;

void end(int)
{
	ended = 1;
}

/* The pins, a cycle at a time. */
class Pins {
public:
	Pins(Terminal &end, Faults &what) : terminal(end), faults(what)
	{
		top.clk_i = 0;
		top.rx_i = 1;
		top.arst_ni = 0;
		for (int i = 0; i < 4; i++)
			edge();
		top.arst_ni = 1;
	}
	void cycle()
	{
		receive();
		edge();
		transmit();
	}

private:
	static constexpr unsigned divider = DIVIDER;

	void edge()
	{
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
	}
	void receive()
	{
		if (receive_wait) {
			receive_wait--;
			return;
		}
		receive_wait = divider - 1;
		if (receive_bits) {
			top.rx_i = receive_shift & 1;
			receive_shift >>= 1;
			receive_bits--;
			return;
		}
		top.rx_i = 1;
		if (waiting.empty()) {
			for (uint8_t byte : terminal.read())
				waiting += faults.line(byte);
			if (waiting.empty()) {
				/* looked at again a byte later */
				receive_wait = 10 * divider - 1;
				return;
			}
		}
		receive_shift = (uint8_t)waiting[0] | 1u << 8;
		waiting.erase(0, 1);
		receive_bits = 9;
		top.rx_i = 0;
	}
	void transmit()
	{
		if (!transmit_bits) {
			if (top.tx_o)
				return;
			transmit_bits = 10;
			transmit_wait = divider / 2;
			return;
		}
		if (--transmit_wait)
			return;
		transmit_wait = divider;
		if (--transmit_bits)
			transmit_shift = transmit_shift >> 1 | top.tx_o << 8;
		else
			terminal.write(faults.line(transmit_shift >> 1));
	}

	Vrf_board top;
	Terminal &terminal;
	Faults &faults;
	std::string waiting;
	unsigned receive_wait = 0, receive_bits = 0, receive_shift = 0;
	unsigned transmit_wait = 0, transmit_bits = 0, transmit_shift = 0;
};

uint64_t parse(const std::string &option, const char *text)
{
	uint64_t number;

	if (rf_number(text, &number) || (option != "--seed" && number > 1000000)) {
		fprintf(stderr, "rf-serial-board: %s %s: no number that it can be\n",
			option.c_str(), text);
		exit(2);
	}
	return number;
}

} // namespace

int main(int argc, char **argv)
{
	Faults faults;
	std::string link_path;

	for (int i = 1; i < argc; i++) {
		std::string option = argv[i];
		uint64_t *number = option == "--drop"	   ? &faults.drop
				   : option == "--flip"	   ? &faults.flip
				   : option == "--garbage" ? &faults.garbage
				   : option == "--seed"	   ? &faults.random
							   : nullptr;

		if (number && i + 1 < argc) {
			*number = parse(option, argv[++i]);
		} else if (option == "--help") {
			fputs(usage, stdout);
			return 0;
		} else if (option == "--version") {
			puts("rf-serial-board (Ringfence) " RF_VERSION);
			return 0;
		} else if (option[0] == '-' || !link_path.empty()) {
			fputs(usage, stderr);
			return 2;
		} else {
			link_path = option;
		}
	}
	if (link_path.empty()) {
		fputs(usage, stderr);
		return 2;
	}
	faults.random = faults.random * 2 + 1;

	Terminal terminal("rf-serial-board", link_path, ended);
	signal(SIGINT, end);
	signal(SIGTERM, end);
	Pins pins(terminal, faults);
	while (!ended)
		pins.cycle();
	printf("%" PRIu64 " bytes lost, %" PRIu64 " flipped, garbage before %" PRIu64 "\n",
	       faults.dropped, faults.flipped, faults.invented);
	return 0;
}
