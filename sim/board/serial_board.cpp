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
#include "uart.h"
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
	/* What comes of a byte */
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

struct FaultyLine {
	Terminal &terminal;
	Faults &faults;

	std::string read()
	{
		std::string bytes;

		for (uint8_t byte : terminal.read())
			bytes += faults.line(byte);
		return bytes;
	}
	void write(uint8_t byte) { terminal.write(faults.line(byte)); }
};

volatile sig_atomic_t ended;

void end(int)
{
	ended = 1;
}

/* The pins, a cycle at a time. */
class Pins {
public:
	explicit Pins(FaultyLine &line) : uart(line, DIVIDER)
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
		top.rx_i = uart.send();
		edge();
		uart.receive(top.tx_o);
	}

private:
	void edge()
	{
		top.clk_i = 0;
		top.eval();
		top.clk_i = 1;
		top.eval();
	}

	Vrf_board top;
	Uart<FaultyLine> uart;
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
	FaultyLine line = { terminal, faults };
	Pins pins(line);
	while (!ended)
		pins.cycle();
	printf("%" PRIu64 " bytes lost, %" PRIu64 " flipped, garbage before %" PRIu64 "\n",
	       faults.dropped, faults.flipped, faults.invented);
	return 0;
}
