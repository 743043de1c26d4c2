/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole bridge on a line of bits, at its smallest divider: TLPs of all streams come
 * through once, whole and in order in both directions, while bytes are lost, flipped
 * and invented, and while either side is slow; the device is reset once for each new
 * link number, and never by a frame that comes twice.
 */
// parameters: -GDivider=4
#include "Vrf_serial_link.h"
#include "serial_line.h"

namespace {

constexpr unsigned Divider = 4;

class Bench {
public:
	Bench() : clock(top), random(rf::seed()), peer(0), in(random, 0), out(random, 0)
	{
		printf("# seed %" PRIu64 "\n", rf::seed());
		top.rx_i = 1;
		top.idle_i = top.rx_tlp_ready_i = 0;
		top.tx_tlp_valid_i = top.tx_read_tlp_valid_i = 0;
		clock.reset();
	}

	/* Until the bridge says that it has this number, as a host does. */
	void reset_link(uint8_t number)
	{
		peer = rf::Peer(number);
		posted.clear();
		read.clear();
		to_device.clear();
		received = rf::Tlp();
		top.tx_tlp_valid_i = top.tx_read_tlp_valid_i = 0;
		word = 0;
		joined = false;
		reset_until = number;
		for (unsigned i = 0; i < 400 && !joined; i++) {
			rf::Bytes line = rf::line_bytes(rf::frame(rf::FrameReset, number, 0, 0));

			for (uint8_t byte : line)
				say(byte);
			frames++;
			run(4000);
		}
		tap.check(joined, "the link was not reset");
	}
	void say(uint8_t byte)
	{
		for (uint8_t b : in.through(byte))
			host_bytes.push_back(b);
	}
	void run(unsigned cycles)
	{
		for (unsigned i = 0; i < cycles; i++)
			cycle();
	}
	void cycle()
	{
		line_in();
		device_in();
		device_out();
		top.eval();
		bool rx = top.rx_tlp_valid_o && top.rx_tlp_ready_i;
		bool tx = top.tx_tlp_valid_i && top.tx_tlp_ready_o;
		bool tx_read = top.tx_read_tlp_valid_i && top.tx_read_tlp_ready_o;

		if (rx)
			take_beat();
		device_resets += device_up && !top.device_rst_no;
		device_up = top.device_rst_no;
		errors += top.error_o;
		activity += top.activity_o;
		if (top.device_rst_no && device_low)
			tap.equal(device_low, 16, "cycles of a reset of the device");
		device_low = top.device_rst_no ? 0 : device_low + 1;
		clock.tick();
		if (tx) {
			word += 2;
			top.tx_tlp_valid_i = 0;
			if (word >= posted.front().payload.size()) {
				accepted.push_back(posted.front().bytes());
				posted.pop_front();
				word = 0;
			}
		}
		if (tx_read) {
			accepted.push_back(read.front().bytes());
			read.pop_front();
			top.tx_read_tlp_valid_i = 0;
		}
		line_out();
		host_takes();
	}

	Vrf_serial_link top;
	rf::Clock<Vrf_serial_link> clock;
	rf::Random random;
	rf::Tap tap;
	rf::Peer peer;
	rf::Fault in, out;
	std::deque<rf::Tlp> posted, read; /* that the device will send */
	std::deque<rf::Bytes> accepted; /* on their way to the host */
	std::deque<rf::Bytes> to_device; /* on their way to the device */
	uint64_t device_got = 0, host_got = 0, device_resets = 0, errors = 0, activity = 0;
	uint64_t frames = 0; /* that the host said */
	unsigned device_low = 0; /* cycles */
	unsigned device_ready = 100, host_ready = 100;
	bool joined = false, device_up = false;

private:
	/* A bit at a time to the bridge, frames of the peer when there is nothing else. */
	void line_in()
	{
		rf::Bytes content;

		if (joined && host_bytes.empty() && !in_bits && peer.say(content)) {
			for (uint8_t byte : rf::line_bytes(content))
				say(byte);
			frames++;
		}
		if (in_wait) {
			in_wait--;
			return;
		}
		in_wait = Divider - 1;
		if (in_bits) {
			top.rx_i = in_shift & 1;
			in_shift >>= 1;
			in_bits--;
			return;
		}
		top.rx_i = 1;
		if (host_bytes.empty())
			return;
		in_shift = host_bytes.front() | 1u << 8;
		host_bytes.pop_front();
		in_bits = 9;
		top.rx_i = 0;
	}
	void line_out()
	{
		if (!out_bits) {
			if (!top.tx_o) {
				out_bits = 10;
				out_wait = Divider / 2;
				out_shift = 0;
			}
			return;
		}
		if (--out_wait)
			return;
		out_wait = Divider;
		if (--out_bits) {
			out_shift = out_shift >> 1 | top.tx_o << 8;
			return;
		}
		tap.check(top.tx_o, "stop bit");
		for (uint8_t byte : out.through(out_shift >> 1))
			heard(byte);
	}
	void heard(uint8_t byte)
	{
		rf::Bytes content;

		switch (deframer.byte(byte, content)) {
		case rf::Deframer::Good:
			joined |= content[1] == reset_until;
			if (joined)
				peer.heard(content);
			break;
		case rf::Deframer::Bad:
			peer.heard_bad();
			break;
		default:
			break;
		}
	}
	void host_takes()
	{
		rf::Bytes body;

		if (!random.chance(host_ready) || !peer.take(body))
			return;
		tap.check(!accepted.empty() && accepted.front() == body, "TLP to the host",
			  host_got, body.size());
		if (!accepted.empty())
			accepted.pop_front();
		host_got++;
	}
	void device_in() { top.rx_tlp_ready_i = top.device_rst_no && random.chance(device_ready); }
	void take_beat()
	{
		tap.equal(top.rx_tlp_sop_o, !started, "sop");
		started = !top.rx_tlp_eop_o;
		for (unsigned i = 0; i < 4; i++)
			received.header[i] = top.rx_tlp_hdr_o[3 - i];
		if (top.rx_tlp_strb_o & 1)
			received.payload.push_back(top.rx_tlp_data_o);
		if (top.rx_tlp_strb_o & 2)
			received.payload.push_back(top.rx_tlp_data_o >> 32);
		if (!top.rx_tlp_eop_o)
			return;
		tap.check(!to_device.empty() && to_device.front() == received.bytes(),
			  "TLP to the device", device_got);
		if (!to_device.empty())
			to_device.pop_front();
		received = rf::Tlp();
		device_got++;
	}
	void device_out()
	{
		if (!posted.empty() && !top.tx_tlp_valid_i) {
			const rf::Tlp &tlp = posted.front();
			size_t left = tlp.payload.size() - word;

			top.tx_tlp_valid_i = 1;
			for (unsigned i = 0; i < 4; i++)
				top.tx_tlp_hdr_i[3 - i] = tlp.header[i];
			top.tx_tlp_data_i = left ? tlp.payload[word] : 0;
			if (left > 1)
				top.tx_tlp_data_i |= (uint64_t)tlp.payload[word + 1] << 32;
			top.tx_tlp_strb_i = left > 1 ? 3 : left;
			top.tx_tlp_eop_i = left <= 2;
		}
		if (!read.empty()) {
			top.tx_read_tlp_valid_i = 1;
			for (unsigned i = 0; i < 4; i++)
				top.tx_read_tlp_hdr_i[3 - i] = read.front().header[i];
		}
	}

	std::deque<uint8_t> host_bytes;
	rf::Deframer deframer;
	rf::Tlp received;
	size_t word = 0;
	unsigned in_wait = 0, in_bits = 0, in_shift = 0, out_wait = 0, out_bits = 0, out_shift = 0;
	uint8_t reset_until = 0;
	bool started = false;
};

void traffic(Bench &b, const char *name, uint8_t link, unsigned tlps, unsigned fault,
	     unsigned words = 64)
{
	unsigned sent[2] = { 0, 0 };
	uint64_t first[2] = { b.host_got, b.device_got }, faults = b.in.count + b.out.count;
	uint64_t end, good = b.activity, bad = b.errors, frames = b.frames;

	b.tap.begin(name);
	b.reset_link(link);
	b.in.permille = b.out.permille = fault;
	for (end = b.clock.cycle + 40000000; b.clock.cycle < end;) {
		if (sent[0] < tlps && b.posted.size() + b.read.size() < 4) {
			rf::Tlp tlp = rf::random_tlp(b.random, words);

			if (b.random.chance(40)) {
				tlp.payload.clear();
				b.read.push_back(tlp);
			} else {
				b.posted.push_back(tlp);
			}
			sent[0]++;
		}
		if (sent[1] < tlps && b.to_device.size() < 12) {
			rf::Tlp tlp = rf::random_tlp(b.random, words);

			b.to_device.push_back(tlp.bytes());
			b.peer.send(tlp);
			sent[1]++;
		}
		b.cycle();
		if (b.host_got - first[0] == tlps && b.device_got - first[1] == tlps)
			break;
	}
	b.tap.equal(b.host_got - first[0], tlps, "TLPs to the host");
	b.tap.equal(b.device_got - first[1], tlps, "TLPs to the device");
	b.in.permille = b.out.permille = 0;
	b.run(200 * 10 * Divider);
	b.tap.equal(b.peer.overruns, 0, "TLPs for which the host had no room");
	if (fault)
		b.tap.check(b.in.count + b.out.count - faults > 20 && b.peer.duplicates &&
				    b.peer.naks,
			    "faults, duplicates, Naks", b.peer.duplicates, b.peer.naks);
	else
		b.tap.equal(b.peer.naks + b.peer.duplicates, 0,
			    "Naks and duplicates on a good line");
	if (fault) {
		b.tap.check(b.errors - bad > 10, "errors told", b.errors - bad);
	} else {
		b.tap.equal(b.errors - bad, 0, "errors told");
		b.tap.equal(b.activity - good, b.frames - frames, "good frames told");
	}
	b.tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	Bench b;

	b.tap.begin("a reset holds the device for 16 cycles, and there is no link");
	b.tap.equal(b.top.device_rst_no, 0, "device");
	b.tap.equal(b.top.link_o, 0, "link");
	b.run(100);
	b.tap.equal(b.top.device_rst_no, 1, "device");
	b.tap.equal(b.top.link_o, 0, "link");
	b.tap.end();
	traffic(b, "a good line", 0x55, 150, 0);
	traffic(b, "bytes lost, flipped and invented, 2 in a thousand each", 0xaa, 100, 2);
	traffic(b, "... and 6 in a thousand each, short TLPs", 0xff, 100, 6, 8);
	b.device_ready = 1;
	traffic(b, "a slow device", 0, 60, 0);
	b.device_ready = 1;
	b.host_ready = 0;
	b.tap.begin("a host that does not read stalls the device, and loses nothing");
	b.reset_link(5);
	for (unsigned i = 0; i < 20; i++)
		b.posted.push_back(rf::random_tlp(b.random, 4));
	b.run(2000 * 10 * Divider);
	b.tap.check(b.posted.size() >= 11, "TLPs that wait", b.posted.size());
	b.host_ready = 100;
	b.run(12000 * 10 * Divider);
	b.tap.equal(b.posted.size() + b.accepted.size(), 0, "TLPs that wait");
	b.tap.end();

	b.tap.begin("the device is reset for a new link number, and only then");
	uint64_t resets = b.device_resets;
	b.reset_link(6);
	b.tap.equal(b.device_resets, resets + 1, "resets");
	b.reset_link(6);
	b.reset_link(6);
	b.tap.equal(b.device_resets, resets + 1, "resets by the same number");
	b.tap.equal(b.top.link_o, 1, "link");
	b.tap.end();

	b.tap.begin("idle is told once the device is and everything has arrived");
	b.device_ready = b.host_ready = 100;
	b.reset_link(7);
	b.run(20 * 10 * Divider);
	b.tap.equal(b.peer.idle, 0, "idle while the device is not");
	b.top.idle_i = 1;
	b.run(20 * 10 * Divider);
	b.tap.equal(b.peer.idle, 1, "idle");
	b.tap.end();
	b.top.final();
	return b.tap.status();
}
