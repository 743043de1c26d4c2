// SPDX-License-Identifier: Apache-2.0
//
// A board in a PCIe slot, as far as its serial line shows it: the Verilated rf_link_console with a
// pseudo-terminal on its UART pins, and a link that is a list of LTSSM states, each for a while, the
// last one for ever. The SERDES' registers are memory.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../number.h"
#include "Vrf_link_console.h"
#include "ringfence_version.h"
#include "terminal.h"
#include "uart.h"
#include "verilated.h"

namespace {

const char usage[] =
	"Usage: rf-link-board [--states N,N...] [--no-clock] [--errors N] LINK\n"
	"The console of a board in a PCIe slot, simulated on a pseudo-terminal, to which LINK\n"
	"will point.\n"
	"  --states N,N...  states of its LTSSM, one behind the other (default: to L0)\n"
	"  --no-clock       the slot gives no reference clock\n"
	"  --errors N       so many bad TLPs\n";

volatile sig_atomic_t ended;

void end(int)
{
	ended = 1;
}

class Board {
public:
	static constexpr unsigned stay = 4000; /* cycles in a state */

	Board(Terminal &end, const std::vector<unsigned> &list, bool clocked, uint64_t errors) :
	    uart(end, DIVIDER), states(list), clock(clocked), bad_tlps(errors)
	{
		top.rx_i = 1;
		top.rst_ni = 0;
		top.build_i = 4; /* two symbols a cycle; all else as it is by default */
		for (unsigned i = 0; i < 8; i++)
			edge();
		top.rst_ni = 1;
	}
	void cycle()
	{
		link();
		top.rx_i = uart.send();
		edge();
		uart.receive(top.tx_o);
	}

private:
	void edge()
	{
		for (unsigned half = 0; half < 2; half++) {
			top.link_clk_i = top.rx_clk_i = clock;
			top.clk_i = half;
			top.eval();
			top.link_clk_i = top.rx_clk_i = 0;
			top.eval();
			top.errors_i = 0;
		}
		top.clk_i = 0;
		top.eval();
	}
	/* What the SERDES and the link would show */
	void link()
	{
		bool up, signal;

		if (top.restart_o)
			place = time = 0;
		if (++time == stay && place + 1 < states.size()) {
			time = 0;
			place++;
		}
		top.state_i = clock ? states[place] : 0;
		up = top.state_i == 11;
		signal = clock && top.state_i > 1;
		if (up && bad_tlps && time % 64 == 0) {
			top.errors_i = 1 << 1;
			bad_tlps--;
		}
		/* step 6: it runs; 1: it waits for the PLL */
		top.status_i = clock | signal << 1 | (clock ? signal ? 6 : 2 : 1) << 2 |
			       !clock << 5 | !signal << 6 | !signal << 7 | signal << 8 | 1 << 10 |
			       (signal || (top.settings_o & 1)) << 11 | up << 13;
		top.flags_i = 8 | clock << 2 | signal << 1 | signal;
		top.sci_data_i = memory[top.sci_common_o][top.sci_address_o];
		if (top.sci_write_o)
			memory[top.sci_common_o][top.sci_address_o] = top.sci_data_o;
	}

	Vrf_link_console top;
	Uart<Terminal> uart;
	const std::vector<unsigned> &states;
	const bool clock;
	uint64_t bad_tlps;
	uint8_t memory[2][64] = {};
	unsigned place = 0, time = 0;
};

uint64_t number_of(const char *text, uint64_t most)
{
	uint64_t number;

	if (rf_number(text, &number) || number > most) {
		fprintf(stderr, "rf-link-board: '%s' is no number that it can be\n", text);
		exit(2);
	}
	return number;
}

std::vector<unsigned> states_of(const std::string &text)
{
	std::vector<unsigned> states;

	for (size_t begin = 0; begin <= text.size();) {
		size_t comma = std::min(text.find(',', begin), text.size());

		states.push_back(number_of(text.substr(begin, comma - begin).c_str(), 23));
		begin = comma + 1;
	}
	return states;
}

} // namespace

int main(int argc, char **argv)
{
	std::vector<unsigned> states = { 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11 };
	std::string link_path;
	uint64_t errors = 0;
	bool clocked = true;

	for (int i = 1; i < argc; i++) {
		std::string option = argv[i];

		if (option == "--states" && i + 1 < argc) {
			states = states_of(argv[++i]);
		} else if (option == "--errors" && i + 1 < argc) {
			errors = number_of(argv[++i], 1000000);
		} else if (option == "--no-clock") {
			clocked = false;
		} else if (option == "--help") {
			fputs(usage, stdout);
			return 0;
		} else if (option == "--version") {
			puts("rf-link-board (Ringfence) " RF_VERSION);
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
	signal(SIGINT, end);
	signal(SIGTERM, end);
	Terminal terminal("rf-link-board", link_path, ended);
	Board board(terminal, states, clocked, errors);
	while (!ended)
		board.cycle();
	return 0;
}
