/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two links back to back, the downstream port and the upstream one: training, numbered TLPs both
 * ways, the share of the wire that payload has, Recovery begun by either side, the link lost.
 * Both sides are the same source: what both do wrong alike is not seen here, but in rf_link_test.
 */
#include <algorithm>
#include <vector>

#include "Vrf_link_pair_tb.h"
#include "harness.h"

namespace {

using namespace rf;

enum { Down, Up };

/* States of rf_link_pkg */
enum { DetectQuiet = 0, L0 = 11, RecoveryRcvrLock = 12 };

/* Bits of errors_o */
enum { Receiver, BadTlp, BadDllp, Rollover, TimeOut, Protocol, Errors };

enum { Posted, NonPosted, Completion };

constexpr unsigned microsecond = 125; /* cycles */
constexpr unsigned cold = 48 * 8 * microsecond; /* ample for training from Detect.Quiet */
constexpr unsigned largest = 64; /* DWs of payload */

/* What the wire carries, in symbols */
constexpr unsigned skp_interval = 1180, skp_set = 4;
constexpr unsigned update_interval = 7000; /* of UpdateFCs of both classes, without any reason */
constexpr unsigned dllp = 1 + 4 + 2 + 1; /* SDP, content, CRC, END */

/* @bytes: header and payload; STP, sequence number, LCRC, END */
constexpr unsigned framed(unsigned bytes)
{
	return 1 + 2 + bytes + 4 + 1;
}

/* --- TLPs ------------------------------------------------------------------------------ */

struct Tlp {
	unsigned kind, payload; /* DWs */
	std::vector<uint8_t> bytes;

	unsigned credits() const { return (payload + 3) / 4; }
};

/* Fmt and type, as in byte 0 */
enum : uint8_t { Data = 0x40, FourDw = 0x20, Read = 0x00, Message = 0x10, Completed = 0x0a };

Tlp make_tlp(unsigned kind, unsigned payload, bool four_dw, unsigned port, uint32_t number)
{
	Tlp tlp = { kind, payload, std::vector<uint8_t>(four_dw ? 16 : 12) };
	const uint8_t data = payload ? Data : 0, four = four_dw ? FourDw : 0;

	tlp.bytes[0] = kind == Completion  ? data | Completed
		       : kind == NonPosted ? four | Read
		       : payload	   ? four | Data
					   : FourDw | Message;
	tlp.bytes[2] = payload >> 8;
	tlp.bytes[3] = payload;
	tlp.bytes[5] = port;
	tlp.bytes[6] = number >> 16;
	tlp.bytes[tlp.bytes.size() - 2] = number >> 8;
	tlp.bytes[tlp.bytes.size() - 1] = number;
	for (unsigned i = 0; i < payload; i++) {
		const uint32_t word = (number << 1 | port) * 0x9e3779b9u + i;

		for (unsigned k = 0; k < 4; k++)
			tlp.bytes.push_back(word >> 8 * k);
	}
	return tlp;
}

/* Of four two posted ones, a read and a completion; payloads of 0 to 64 DW in no order */
Tlp mixed(unsigned port, uint32_t number)
{
	const unsigned kind = number % 4 == 2 ? NonPosted : number % 4 == 3 ? Completion : Posted;
	const unsigned payload = kind == NonPosted ? 0 : number * 29 % (largest + 1);

	return make_tlp(kind, payload,
			kind != Completion && (number % 8 < 4 || (kind == Posted && !payload)),
			port, number);
}

Tlp largest_write(unsigned port, uint32_t number)
{
	return make_tlp(Posted, largest, false, port, number);
}

/* --- the pair -------------------------------------------------------------------------- */

/* What a port sent from its first STP to its last END: symbols, packets, sets */
struct Wire {
	uint64_t symbols, tlp_symbols, tlps, dllps, skps, idle;
};

struct Wires {
	unsigned shift; /* bits: lanes whose symbols begin in the upper half of a word */
	int ppm; /* the downstream port's clock is faster */
};

class Pair {
public:
	using Make = Tlp (*)(unsigned port, uint32_t number);

	explicit Pair(const Wires &wires, Make maker, uint64_t seed) : random(seed), make(maker)
	{
		const int64_t period = 8000000; /* fs */

		ports[Down].period = period - wires.ppm * (period / 1000000) / 2;
		ports[Up].period = period + wires.ppm * (period / 1000000) / 2;
		ports[Up].next = random.below(period);
		top.shift_i = wires.shift;
		top.down_clk_i = top.up_clk_i = top.rst_ni = 0;
		top.cut_i = top.replace_i = top.word_i = top.detect_done_i = 0;
		top.tx_waits_i = top.tx_valid_i = top.tx_last_i = top.tx_data_i = 0;
		top.need_i = top.consume_i = top.freed_i = top.freed_data_i = 0;
		top.eval();
		run(4);
		top.rst_ni = 1;
		top.eval();
	}

	/* An edge of the clock that is next */
	void edge()
	{
		const unsigned side = ports[Up].next < ports[Down].next;
		Port &port = ports[side];

		port.next += port.period;
		clock(side, 0);
		offer(side);
		top.eval();
		const bool taken = (top.tx_valid_i & top.tx_ready_o) >> side & 1;

		watch(side);
		clock(side, 1);
		top.eval();
		port.cycles++;
		accepted(side, taken);
		receive(side);
		for (unsigned i = 0; i < Errors; i++)
			port.errors[i] += top.errors_o >> (Errors * side + i) & 1;
		if (state(side) != port.state) {
			port.state = state(side);
			port.recoveries += port.state == RecoveryRcvrLock;
			port.downs += port.state == DetectQuiet;
		}
	}

	/* @n: cycles of the downstream port */
	void run(unsigned n)
	{
		const uint64_t end = ports[Down].cycles + n;

		while (ports[Down].cycles < end)
			edge();
	}

	template <class Done> bool until(unsigned limit, Done done)
	{
		const uint64_t end = ports[Down].cycles + limit;

		while (!done()) {
			if (ports[Down].cycles >= end)
				return false;
			edge();
		}
		return true;
	}

	bool active(unsigned limit = cold)
	{
		return until(limit, [this] { return top.active_o == 3 && in(L0); });
	}

	/* All TLPs that were asked for have come. */
	bool done(unsigned limit)
	{
		return until(limit, [this] {
			return ports[Down].received == ports[Up].goal &&
			       ports[Up].received == ports[Down].goal;
		});
	}

	bool in(unsigned wanted) const { return state(Down) == wanted && state(Up) == wanted; }

	unsigned state(unsigned side) const { return top.state_o >> 5 * side & 31; }

	/* A TS1 with the numbers of the link, in place of what lane @side carries */
	void insert_ts1(unsigned side)
	{
		const uint32_t words[] = { 0x101bc, 0x0ff00, 0x00002, 0x04a4a,
					   0x04a4a, 0x04a4a, 0x04a4a, 0x04a4a };

		for (uint32_t word : words) {
			const uint64_t now = ports[side].cycles;

			top.replace_i = 1 << side;
			top.word_i = word;
			while (ports[side].cycles == now)
				edge();
		}
		top.replace_i = 0;
	}

	/* The link was down: what was under way is lost. */
	void forget()
	{
		for (Port &port : ports) {
			port.goal = port.sent = port.received = 0;
			port.offered = Tlp();
			port.words.clear();
			std::fill(port.errors, port.errors + Errors, 0);
		}
	}

	struct Port {
		uint64_t period, next = 0, cycles = 0;
		unsigned state = 0, recoveries = 0, downs = 0;
		uint32_t goal = 0, sent = 0, received = 0, wrong = 0;
		unsigned errors[Errors] = {};
		bool sizes[largest + 1] = {}; /* that were received */
		/* the TLP that enters, if it has bytes */
		Tlp offered;
		size_t at = 0;
		unsigned asked = 0, since = 2; /* cycles that need_i stands; since consume_i */
		unsigned freed = 0, freed_data = 0;
		std::vector<uint8_t> words;
		/* what is sent */
		bool in_packet = false, in_tlp = false;
		unsigned in_skp = 0;
		uint64_t first = 0; /* cycle of the first STP */
		Wire now = {}, wire = {};
	};

	Vrf_link_pair_tb top;
	Port ports[2];
	Random random;

private:
	void clock(unsigned side, bool high)
	{
		(side == Down ? top.down_clk_i : top.up_clk_i) = high;
	}

	template <class Signal>
	static void put(Signal &signal, unsigned side, unsigned width, unsigned value)
	{
		const Signal mask = Signal((1u << width) - 1) << width * side;

		signal = (signal & ~mask) | (Signal(value) << width * side & mask);
	}

	/* A TLP enters with the credits for what it needed a cycle ago; the next one asks meanwhile. */
	void offer(unsigned side)
	{
		Port &port = ports[side];
		const bool more = port.sent + !port.offered.bytes.empty() < port.goal;
		unsigned consumed = 0;

		port.since++;
		if (port.offered.bytes.empty() && more && (top.active_o >> side & 1)) {
			Tlp tlp = make(side, port.sent);

			if (port.asked >= 1 && port.since >= 2 &&
			    (top.admits_o >> (3 * side + tlp.kind) & 1)) {
				consumed = 1 << tlp.kind;
				port.offered = std::move(tlp);
				port.at = 0;
				port.since = port.asked = 0;
			} else {
				put(top.need_i, side, 9, tlp.credits());
				port.asked++;
			}
		} else if (port.since >= 1 && more) {
			put(top.need_i, side, 9,
			    make(side, port.sent + !port.offered.bytes.empty()).credits());
			port.asked++;
		}
		const std::vector<uint8_t> &bytes = port.offered.bytes;

		put(top.consume_i, side, 3, consumed);
		put(top.tx_waits_i, side, 1, !bytes.empty() || more);
		put(top.tx_valid_i, side, 1, !bytes.empty());
		put(top.tx_last_i, side, 1, port.at + 2 == bytes.size());
		if (!bytes.empty())
			put(top.tx_data_i, side, 16, bytes[port.at] | bytes[port.at + 1] << 8);
		put(top.freed_i, side, 2, port.freed);
		put(top.freed_data_i, side, 9, port.freed_data);
		put(top.detect_done_i, side, 1, top.detect_o >> side & 1);
	}

	void accepted(unsigned side, bool taken)
	{
		Port &port = ports[side];

		if (!taken || (port.at += 2) < port.offered.bytes.size())
			return;
		port.offered = Tlp();
		port.sent++;
	}

	void receive(unsigned side)
	{
		Port &port = ports[side];

		port.freed = 0;
		if (top.rx_valid_o >> side & 1)
			for (unsigned i = 0; i < 2; i++)
				port.words.push_back(top.rx_data_o >> (16 * side + 8 * i));
		if (!(top.rx_end_o >> side & 1))
			return;
		if (top.rx_take_o >> side & 1) {
			const Tlp wanted = make(!side, port.received++);

			port.wrong += port.words != wanted.bytes;
			port.sizes[wanted.payload] = true;
			port.freed = wanted.kind == Completion ? 0 : 1 << wanted.kind;
			port.freed_data = wanted.credits();
		}
		port.words.clear();
	}

	/* What a port sends is known by its K symbols, which are not scrambled. */
	void watch(unsigned side)
	{
		enum { Stp = 0xfb, Sdp = 0x5c, End = 0xfd, Com = 0xbc, Skp = 0x1c };
		Port &port = ports[side];
		Wire &now = port.now;
		const uint32_t word = top.sent_o >> 18 * side & 0x3ffff;

		for (unsigned i = 0; i < 2; i++) {
			const unsigned value = word >> 8 * i & 0xff;
			const bool k = word >> (16 + i) & 1;

			if (k && value == Stp && now.symbols == 0)
				port.first = port.cycles;
			if (now.symbols == 0 && !(k && value == Stp))
				continue;
			now.symbols++;
			if (k && (value == Stp || value == Sdp)) {
				port.in_packet = true;
				port.in_tlp = value == Stp;
				(port.in_tlp ? now.tlps : now.dllps)++;
			}
			now.tlp_symbols += port.in_packet && port.in_tlp;
			now.skps += k && value == Com;
			if (!port.in_packet && !(k && (value == Com || value == Skp)))
				now.idle++;
			if (k && value == End) {
				port.in_packet = false;
				if (port.in_tlp)
					port.wire = now;
			}
		}
	}

	Make make;
};

Tap tap;

constexpr Wires plain = { 0, 0 };

/* Each once, whole and in order, and nothing that a rule forbids */
void good(const Pair &pair)
{
	for (const Pair::Port &port : pair.ports) {
		tap.equal(port.wrong, 0, "TLPs that differ");
		tap.equal(port.errors[Protocol], 0, "Data Link Protocol Errors");
	}
}

void no_errors(const Pair &pair)
{
	good(pair);
	for (const Pair::Port &port : pair.ports)
		for (unsigned i = 0; i < Errors; i++)
			tap.equal(port.errors[i], 0, "errors");
}

void exchange(Pair &pair, unsigned down, unsigned up, unsigned limit)
{
	pair.ports[Down].goal += down;
	pair.ports[Up].goal += up;
	tap.check(pair.done(limit), "TLPs", pair.ports[Down].received, pair.ports[Up].received);
}

void numbered()
{
	static const Wires all[] = { { 0, 0 }, { 1, 600 }, { 2, -600 }, { 3, 100 } };

	for (const Wires &wires : all) {
		const unsigned tlps = &wires == all ? 4200 : 1000; /* numbers wrap */

		tap.begin("reset to DL_Active, and " + std::to_string(tlps) +
			  " TLPs each way: shift " + std::to_string(wires.shift) + ", " +
			  std::to_string(wires.ppm) + " ppm");
		Pair pair(wires, mixed, rf::seed());

		tap.check(pair.active(), "DL_Active", pair.state(Down), pair.state(Up));
		for (const Pair::Port &port : pair.ports)
			tap.equal(port.recoveries, 0, "trained at once");
		exchange(pair, tlps, tlps, tlps * 200);
		/* Nothing comes again, and the last Acks arrive. */
		pair.run(20 * microsecond);
		no_errors(pair);
		for (const Pair::Port &port : pair.ports) {
			tap.equal(port.received, tlps, "each once");
			tap.equal(std::count(port.sizes, port.sizes + largest + 1, true),
				  largest + 1, "payloads of 0 to 64 DW");
			tap.equal(port.recoveries, 0, "no Recovery");
			tap.equal(port.downs, 0, "never down");
		}
		tap.end();
	}
}

/* The least and the most symbols for @tlps writes: the framing, and what goes between them */
struct Bounds {
	uint64_t least, most;
};

Bounds bounds(unsigned tlps, unsigned bytes, bool both)
{
	/* Both ways, an Ack and an UpdateFC go with each. No symbol is idle: one way, too, the Ack of
	 * a TLP comes amid the next one, and is looked up before that one ends. */
	const unsigned each = framed(bytes) + (both ? 2 * dllp : 0);
	/* Sets and DLLPs that come with time take their part of the wire, too. */
	const double skps = double(skp_set) / skp_interval;
	const double updates = 2.0 * dllp / update_interval;

	/* The first DLLPs may be older TLPs', the last ones come behind the last TLP. */
	return { uint64_t(tlps * each / (1 - skps)) - 4 * dllp,
		 uint64_t(tlps * each / (1 - skps - updates)) + 4 * dllp };
}

void throughput(unsigned senders, const char *which)
{
	constexpr unsigned tlps = 500, bytes = 4 * largest;
	const bool both = senders == 3;

	tap.begin(std::string("256-byte writes ") + which + " as fast as the framing lets them");
	Pair pair(plain, largest_write, rf::seed());

	tap.check(pair.active(), "DL_Active");
	exchange(pair, senders & 1 ? tlps : 0, senders & 2 ? tlps : 0, tlps * 200);
	pair.run(microsecond);
	no_errors(pair);
	for (unsigned side : { Down, Up }) {
		const Wire &wire = pair.ports[side].wire;
		const Bounds wanted = bounds(tlps, 12 + bytes, both);

		if (!(senders >> side & 1))
			continue;
		printf("# %s port: %.1f MB/s, %.1f %% of the symbols; %" PRIu64 " DLLPs, %" PRIu64
		       " SKP sets, %" PRIu64 " symbols of idle\n",
		       side == Down ? "downstream" : "upstream",
		       tlps * bytes / (double(wire.symbols) * 0.004),
		       100.0 * tlps * bytes / double(wire.symbols), wire.dllps, wire.skps,
		       wire.idle);
		tap.equal(wire.tlps, tlps, "each TLP once");
		tap.equal(wire.tlp_symbols, tlps * framed(12 + bytes), "symbols of a TLP");
		tap.equal(wire.symbols,
			  wire.tlp_symbols + dllp * wire.dllps + skp_set * wire.skps + wire.idle,
			  "symbols of all kinds");
		tap.check(wire.symbols >= wanted.least, "too few", wire.symbols, wanted.least);
		tap.check(wire.symbols <= wanted.most, "too many", wire.symbols, wanted.most);
		tap.equal(wire.idle, 0, "idle symbols");
		const uint64_t intervals = wire.symbols / update_interval + 1;

		tap.check(wire.dllps <= (both ? 2 * tlps : 0) + 2 * intervals, "DLLPs", wire.dllps);
		tap.check(wire.skps + 1 >= wire.symbols / skp_interval &&
				  wire.skps <= wire.symbols / skp_interval + 1,
			  "SKP sets", wire.skps, wire.symbols / skp_interval);
	}
	tap.end();
}

void recovery()
{
	tap.begin("Recovery begun by either side amid TLPs loses none");
	Pair pair({ 3, 300 }, mixed, rf::seed());

	tap.check(pair.active(), "DL_Active");
	for (unsigned i = 0; i < 40; i++) {
		const unsigned side = i & 1;

		pair.ports[Down].goal += 30;
		pair.ports[Up].goal += 30;
		pair.run(300 + pair.random.below(1000));
		pair.insert_ts1(!side);
		tap.check(pair.until(100, [&] { return pair.state(side) != L0; }), "Recovery", i);
		tap.equal(pair.state(side), RecoveryRcvrLock, "Recovery");
		tap.equal(pair.state(!side), L0, "one side begins");
		tap.check(pair.done(60 * microsecond), "TLPs", pair.ports[Down].received,
			  pair.ports[Up].received);
		for (const Pair::Port &port : pair.ports)
			tap.equal(port.recoveries, i + 1, "each side once");
		tap.check(pair.in(L0), "L0", pair.state(Down), pair.state(Up));
	}
	good(pair);
	for (const Pair::Port &port : pair.ports) {
		tap.equal(port.received, 40 * 30, "each once");
		tap.equal(port.downs, 0, "never down");
	}
	tap.end();

	tap.begin("without Acks the fourth replay of either side begins Recovery");
	for (unsigned side : { Down, Up }) {
		Pair::Port &port = pair.ports[side];

		port.goal += 40;
		pair.run(600);
		const uint32_t before = pair.ports[!side].received;

		pair.top.cut_i = 1 << !side;
		tap.check(pair.until(100 * microsecond, [&] { return pair.state(side) != L0; }),
			  "Recovery");
		tap.equal(pair.state(side), RecoveryRcvrLock, "Recovery");
		tap.equal(pair.state(!side), L0, "one side begins");
		tap.equal(port.errors[Rollover], 1, "REPLAY_NUM rolled over");
		tap.check(pair.ports[!side].received > before, "TLPs that are not acknowledged",
			  pair.ports[!side].received, before);
		pair.top.cut_i = 0;
		tap.check(pair.done(60 * microsecond), "TLPs", pair.ports[!side].received,
			  port.goal);
		pair.run(20 * microsecond);
		tap.check(pair.in(L0), "L0", pair.state(Down), pair.state(Up));
	}
	good(pair);
	tap.end();
}

void lost_link()
{
	tap.begin("the link lost amid TLPs, on one lane or both: trained anew, all is new");
	Pair pair({ 1, -300 }, mixed, rf::seed());

	for (unsigned cut = 0; cut < 4; cut++) {
		tap.check(pair.active(2 * cold), "DL_Active", cut, pair.top.state_o);
		exchange(pair, 100, 100, 40000);
		no_errors(pair);
		if (!cut)
			continue;
		const unsigned downs[] = { pair.ports[Down].downs, pair.ports[Up].downs };

		pair.ports[Down].goal += 50;
		pair.ports[Up].goal += 50;
		pair.run(500 + pair.random.below(1000));
		pair.top.cut_i = cut;
		tap.check(pair.until(3 * cold,
				     [&] {
					     return pair.ports[Down].downs > downs[Down] &&
						    pair.ports[Up].downs > downs[Up];
				     }),
			  "down", pair.state(Down), pair.state(Up));
		pair.run(2);
		tap.equal(pair.top.active_o, 0, "not DL_Active");
		tap.equal(pair.top.up_o, 0, "not DL_Up");
		pair.forget();
		pair.top.cut_i = 0;
	}
	tap.end();
}

} // namespace

int main()
{
	printf("# seed %" PRIu64 "\n", rf::seed());
	numbered();
	throughput(1 << Down, "one way, downstream,");
	throughput(1 << Up, "one way, upstream,");
	throughput(1 << Down | 1 << Up, "both ways");
	recovery();
	lost_link();
	return tap.status();
}
