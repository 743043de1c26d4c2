// SPDX-License-Identifier: Apache-2.0
//
// A board in a PCIe slot, as far as its serial line shows it: the Verilated rf_link_board with a
// pseudo-terminal on its UART pins. Its link is that of rf_link_endpoint with the partner of sim/link/ at the
// other end, or a list of LTSSM states, each for a while, the last one for ever. The SERDES' registers are
// memory.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../number.h"
#include "../link_serdes.h"
#include "Vrf_link_board.h"
#include "ringfence_version.h"
#include "terminal.h"
#include "uart.h"
#include "verilated.h"

namespace {

const char usage[] =
	"Usage: rf-link-board [--link | --states N,N...] [OPTION]... LINK\n"
	"The console of a board in a PCIe slot, simulated on a pseudo-terminal, to which LINK\n"
	"will point.\n"
	"  --link           train the link with a simulated root port; a millisecond of its\n"
	"                   time-outs is 20 microseconds\n"
	"  --states N,N...  states of its LTSSM, one behind the other (default: to L0)\n"
	"  --no-clock       the slot gives no reference clock\n"
	"  --errors N       so many bad TLPs\n"
	"  --switches       a bitstream with Switches=1; the words of gears and clock compensation\n"
	"                   are written only while the SERDES is held in reset\n"
	"  --forgets        when it is let go, it has the words of the bitstream again\n";

volatile sig_atomic_t ended;

void end(int)
{
	ended = 1;
}

/* The slot's side of the link, at two edges of the link's clock in one of the board's */
class Slot {
public:
	explicit Slot(Vrf_link_board &board) : top(board), serdes(board, partner)
	{
		struct port_config config;

		port_config_init(&config, LTSSM_DOWNSTREAM_PORT);
		config.ltssm.millisecond = 2 * Millisecond;
		partner_reset(&partner, &config, 1);
		partner.decoded = true;
		serdes.reset();
		restart();
	}
	/* The SERDES is reset, and with it the link. */
	void restart()
	{
		top.link_rst_ni = top.rx_rst_ni = 0;
		partner_direct(&partner, LTSSM_OFF);
		reset = Millisecond;
	}
	void cycle()
	{
		if (reset && !--reset) {
			top.link_rst_ni = top.rx_rst_ni = 1;
			partner_direct(&partner, LTSSM_TRAIN);
		}
		serdes.detect();
		top.link_clk_i = 0;
		top.eval();
		top.link_clk_i = 1;
		top.eval();
		serdes.exchange();
	}
	bool hears() const { return !top.rx_idle_i; }
	bool has_symbols() const { return hears() && !reset; }

private:
	static constexpr unsigned Millisecond = 20 * 125; /* cycles, as rf_link_board has it */

	Vrf_link_board &top;
	struct partner partner = {};
	LinkSerdes<Vrf_link_board> serdes;
	unsigned reset = 0;
};

class Board {
public:
	static constexpr unsigned stay = 4000; /* cycles in a state */

	Board(Terminal &end, const std::vector<unsigned> &list, bool trained, bool clocked,
	      bool switched, bool forgetful, uint64_t errors) :
	    slot(top),
	    uart(end, DIVIDER), states(list), clock(clocked), switches(switched),
	    forgets(forgetful), bad_tlps(errors)
	{
		if (switches)
			build();
		top.script_i = !trained;
		top.rx_i = 1;
		top.rst_ni = 0;
		/* Two symbols a cycle; all else as it is by default */
		top.build_i = switches ? 12 : 4;
		for (unsigned i = 0; i < 8; i++)
			edge();
		top.rst_ni = 1;
	}
	void cycle()
	{
		if (top.script_i)
			script();
		else
			trained();
		top.sci_data_i = memory[top.sci_common_o][top.sci_address_o];
		if (top.sci_write_o && (held() || !switches || top.sci_common_o || !gears()))
			memory[top.sci_common_o][top.sci_address_o] = top.sci_data_o;
		if (forgets && was_held && !held())
			build();
		was_held = held();
		top.rx_i = uart.send();
		edge();
		uart.receive(top.tx_o);
	}

private:
	bool held() const { return top.settings_o & 8; }
	bool gears() const
	{
		return top.sci_address_o == 0x02 || top.sci_address_o == 0x04 ||
		       top.sci_address_o == 0x1f;
	}
	/* The eight words of docs/board.md, as Switches = 1 has them in the bitstream */
	void build()
	{
		memory[0][0x02] = 0x0c;
		memory[0][0x04] = 0x10;
		memory[0][0x1f] = 0x0b;
	}
	void edge()
	{
		for (unsigned half = 0; half < 2; half++) {
			top.clk_i = half;
			if (top.script_i) {
				top.link_clk_i = top.rx_clk_i = clock;
				top.eval();
				top.link_clk_i = top.rx_clk_i = 0;
			} else if (clock) {
				slot.cycle();
			}
			top.eval();
			top.errors_i = 0;
		}
		top.clk_i = 0;
		top.eval();
	}
	/* What the SERDES shows; @signal: of the slot's transmitter; @symbols: they are found */
	void show(bool active, bool signal, bool symbols, bool present)
	{
		/* step 6: it runs; 1: it waits for the PLL */
		top.status_i = clock | symbols << 1 | (clock ? symbols ? 6 : 2 : 1) << 2 |
			       !clock << 5 | !symbols << 6 | !signal << 7 | symbols << 8 | 1 << 10 |
			       (present || (top.settings_o & 1)) << 11 | active << 13;
		top.flags_i = 8 | clock << 2 | signal << 1 | symbols;
	}
	void trained()
	{
		if (top.restart_o)
			slot.restart();
		show(clock && top.active_o, clock && slot.hears(), clock && slot.has_symbols(),
		     clock && top.state_o > 1);
	}
	void script()
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
		show(up, signal, signal, signal);
	}

	Vrf_link_board top;
	Slot slot;
	Uart<Terminal> uart;
	const std::vector<unsigned> &states;
	const bool clock, switches, forgets;
	bool was_held = false;
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
	bool clocked = true, trained = false, switches = false, forgets = false;

	for (int i = 1; i < argc; i++) {
		std::string option = argv[i];

		if (option == "--states" && i + 1 < argc) {
			states = states_of(argv[++i]);
		} else if (option == "--errors" && i + 1 < argc) {
			errors = number_of(argv[++i], 1000000);
		} else if (option == "--link") {
			trained = true;
		} else if (option == "--switches") {
			switches = true;
		} else if (option == "--forgets") {
			switches = forgets = true;
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
	Board board(terminal, states, trained, clocked, switches, forgets, errors);
	while (!ended)
		board.cycle();
	return 0;
}
