/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The endpoint as a whole against a link partner: a root complex that sends and
 * answers TLPs, a device side that owns registers, local memory and masters, and
 * monitors that watch the orders in every cycle of every test.
 */
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "Vrf_pcie_tb.h"
#include "../../kmd/include/ringfence_hw.h"
#include "harness.h"
#include "verilated.h"

double sc_time_stamp()
{
	return 0;
}

namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint64_t Bar0 = 0x7800000000ull, Bar2 = 0x0000001f00000000ull, Bar4 = 0xfe001000ull;
constexpr uint16_t Host = 0x0008, Device = 0x0500;
constexpr unsigned LocalBytes = 65536;
constexpr uint64_t Doorbells = 0x8000;

enum Type {
	MRd = 0x00,
	MRdLk = 0x01,
	IO = 0x02,
	Cfg0 = 0x04,
	Cfg1 = 0x05,
	Cpl = 0x0a,
	CplLk = 0x0b,
	FetchAdd = 0x0c,
	Swap = 0x0d,
	CompareSwap = 0x0e,
	Message = 0x10,
};

struct Tlp {
	uint32_t dw[4] = {};
	std::vector<uint32_t> data;
	bool error = false;
	int drop_dwords = 0; /* the payload lies about its length */
	uint64_t cycle = 0; /* first beat accepted (sent by the device) */

	unsigned fmt() const { return dw[0] >> 29; }
	unsigned type() const { return dw[0] >> 24 & 31; }
	unsigned length() const { return (dw[0] & 1023) ? dw[0] & 1023 : 1024; }
	unsigned tag() const
	{
		return (type() == Cpl || type() == CplLk) ? dw[2] >> 8 & 255 : dw[1] >> 8 & 255;
	}
	uint64_t address() const
	{
		return fmt() & 1 ? (uint64_t)dw[2] << 32 | (dw[3] & ~3u) : dw[2] & ~3u;
	}
	unsigned first_be() const { return dw[1] & 15; }
	unsigned last_be() const { return dw[1] >> 4 & 15; }
	unsigned status() const { return dw[1] >> 13 & 7; }
	unsigned byte_count() const { return (dw[1] & 4095) ? dw[1] & 4095 : 4096; }
};

Tlp request(unsigned type, bool with_data, uint64_t address, unsigned dwords, unsigned first,
	    unsigned last, unsigned tag = 0)
{
	Tlp t;
	bool wide = address >> 32;

	t.dw[0] =
		(with_data ? 2u : 0u) << 29 | (wide ? 1u : 0u) << 29 | type << 24 | (dwords & 1023);
	t.dw[1] = (uint32_t)Host << 16 | tag << 8 | last << 4 | first;
	t.dw[2] = wide ? address >> 32 : (uint32_t)address & ~3u;
	t.dw[3] = wide ? (uint32_t)address & ~3u : 0;
	if (with_data)
		t.data.resize(dwords);
	return t;
}

Tlp completion(unsigned tag, unsigned status, unsigned byte_count, unsigned lower,
	       std::vector<uint32_t> data, uint16_t requester = Device)
{
	Tlp t;

	t.dw[0] = (data.empty() ? 0u : 2u) << 29 | Cpl << 24 | (data.size() & 1023);
	t.dw[1] = (uint32_t)Host << 16 | status << 13 | (byte_count & 4095);
	t.dw[2] = (uint32_t)requester << 16 | tag << 8 | lower;
	t.data = std::move(data);
	return t;
}

template <std::size_t N> void put(VlWide<N> &w, unsigned lsb, unsigned bits, uint64_t value)
{
	for (unsigned i = 0; i < bits; i++) {
		unsigned at = lsb + i;
		uint32_t one = 1u << (at % 32);
		w[at / 32] = (value >> i & 1) ? w[at / 32] | one : w[at / 32] & ~one;
	}
}

template <std::size_t N> uint64_t get(const VlWide<N> &w, unsigned lsb, unsigned bits)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bits; i++)
		value |= (uint64_t)(w[(lsb + i) / 32] >> ((lsb + i) % 32) & 1) << i;
	return value;
}

/* What host memory holds: any byte is a function of its address. */
uint8_t host_byte(uint64_t address)
{
	uint64_t x = (address + 1) * 0x9e3779b97f4a7c15ull;

	return x >> 56 ^ x >> 33;
}

struct ReadJob {
	uint64_t address;
	unsigned words, master, id;
};

struct WriteJob {
	uint64_t address; /* 8-byte aligned */
	unsigned first, last;
	std::vector<uint64_t> words;
};

struct Response {
	std::vector<uint64_t> words;
	unsigned status = 0, lasts = 0;
	uint64_t cycle = 0;
};

struct Ring {
	unsigned page;
	uint64_t data;
	bool good;
	uint64_t cycle;
};

class Bench {
public:
	Vrf_pcie_tb top;
	rf::Tap &tap;
	rf::Random random;
	uint64_t cycle = 0;

	/* knobs, percent */
	bool ring_shown = false; /* in the last cycle, with this token */
	uint16_t ring_token = 0;
	unsigned rx_gap = 0, tx_ready = 100, read_ready = 100, local_ready = 100, master_gap = 0;
	unsigned local_latency = 2;
	bool one_message_per_request = false; /* nothing masked: the monitor can pair them */

	std::deque<Tlp> rx;
	std::vector<Tlp> tx, tx_reads;
	std::deque<ReadJob> reads;
	std::deque<WriteJob> writes;
	std::deque<unsigned> interrupts;
	std::map<unsigned, Response> responses; /* by master << 5 | id */
	std::vector<Ring> rings;
	std::vector<unsigned> accepted; /* per write beat: status | last << 4 */
	std::vector<uint64_t> accepted_cycle, write_cycle, read_cycle, interrupt_cycle;
	std::vector<uint64_t> reg = std::vector<uint64_t>(4096);
	Bytes local = Bytes(LocalBytes);
	unsigned register_reads = 0, register_writes = 0;
	uint64_t register_cycle = 0; /* of the last */
	uint64_t register_read_cycle = 0; /* of the last read */
	unsigned malformed = 0, unsupported = 0, unexpected = 0, timeouts = 0, resets = 0;
	unsigned tx_write_bytes = 0, tx_completion_bytes = 0, tx_read_bytes = 0, rx_write_bytes = 0;
	unsigned tx_writes = 0, tx_completions = 0, tx_msix = 0, rx_completions = 0, rx_reads = 0;
	uint64_t rx_last_beat = 0;

	Bench(rf::Tap &t, uint64_t seed) : tap(t), random(seed)
	{
		top.completion_timeout_i = 1000000;
		top.rst_ni = 0;
		for (int i = 0; i < 4; i++)
			step();
		top.rst_ni = 1;
		step();
	}

	void step()
	{
		drive();
		top.clk_i = 0;
		top.eval();
		sample();
		top.clk_i = 1;
		top.eval();
		cycle++;
	}

	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}

	/* Runs until nothing is left to send and the device is idle. */
	bool settle(unsigned bound = 200000)
	{
		for (unsigned quiet = 0; bound--;) {
			step();
			bool done = rx.empty() && reads.empty() && writes.empty() &&
				    interrupts.empty() && top.idle_o;
			quiet = done ? quiet + 1 : 0;
			if (quiet == 20)
				return true;
		}
		tap.check(false, "the device does not become idle");
		return false;
	}

	void send(Tlp t) { rx.push_back(std::move(t)); }

	/* --- host side helpers -------------------------------------------------- */
	Tlp config(unsigned reg_number, bool write, uint32_t data = 0, unsigned be = 15,
		   uint16_t id = Device)
	{
		Tlp t = request(Cfg0, write, 0, 1, be, 0, 0x33);

		t.dw[2] = (uint32_t)id << 16 | reg_number;
		if (write)
			t.data[0] = data;
		size_t before = tx.size();
		send(t);
		for (int i = 0; i < 2000 && tx.size() == before; i++)
			step();
		if (tx.size() == before) {
			tap.check(false, "no completion of a configuration request", reg_number);
			return Tlp();
		}
		return tx.back();
	}
	uint32_t config_read(unsigned r)
	{
		Tlp t = config(r, false);
		return t.data.empty() ? ~0u : t.data[0];
	}
	void config_write(unsigned r, uint32_t v, unsigned be = 15) { config(r, true, v, be); }

	/* What firmware and a driver do. */
	void enumerate(bool large = true)
	{
		config_write(0x10, (uint32_t)Bar0);
		config_write(0x14, Bar0 >> 32);
		config_write(0x18, (uint32_t)Bar2);
		config_write(0x1c, Bar2 >> 32);
		config_write(0x20, (uint32_t)Bar4);
		config_write(0x58, 0x2000 | (large ? 0x20 : 0));
		config_write(0x90, 0x80000000);
		config_write(0x04, 0x6);
	}

	void write(uint64_t address, const std::vector<uint32_t> &data, unsigned first = 15,
		   unsigned last = 15)
	{
		Tlp t = request(MRd, true, address, data.size(), first,
				data.size() == 1 ? 0 : last);

		t.data = data;
		send(t);
	}

	std::vector<Tlp> completions_of(unsigned tag, size_t from = 0)
	{
		std::vector<Tlp> found;

		for (size_t i = from; i < tx.size(); i++)
			if ((tx[i].type() == Cpl || tx[i].type() == CplLk) && tx[i].tag() == tag)
				found.push_back(tx[i]);
		return found;
	}

	void table(unsigned vector, uint64_t address, uint32_t data, bool masked)
	{
		write(Bar4 + vector * 16, { (uint32_t)address, (uint32_t)(address >> 32) });
		write(Bar4 + vector * 16 + 8, { data, masked });
	}

private:
	unsigned beat = 0; /* of rx.front() */
	bool rx_on = false; /* the beat is on the wire: it stays */
	size_t write_beat = 0;
	bool write_on = false, read_on = false, interrupt_on = false;
	Tlp building;
	bool in_tlp = false;
	bool tx_waiting = false, read_waiting = false;
	VlWide<4> tx_hdr_before, read_hdr_before;
	uint64_t tx_data_before = 0;
	std::deque<std::pair<uint64_t, uint64_t>> register_responses, local_responses;
	uint64_t beats_taken = 0, beats_done = 0;
	std::deque<uint64_t> read_after, interrupt_after;
	uint64_t completion_after = 0;

	void drive()
	{
		/* received stream */
		if (!rx_on && !rx.empty() && !random.chance(rx_gap)) {
			Tlp &t = rx.front();
			size_t dwords = t.data.size() - t.drop_dwords;
			size_t beats = dwords ? (dwords + 1) / 2 : 1;

			rx_on = true;
			top.rx_tlp_sop_i = beat == 0;
			top.rx_tlp_eop_i = beat == beats - 1;
			top.rx_tlp_error_i = t.error && beat == beats - 1;
			for (int i = 0; i < 4; i++)
				top.rx_tlp_hdr_i[3 - i] = t.dw[i];
			uint32_t low = beat * 2 < dwords ? t.data[beat * 2] : 0xdeadbeef;
			uint32_t high = beat * 2 + 1 < dwords ? t.data[beat * 2 + 1] : 0xdeadbeef;
			top.rx_tlp_data_i = (uint64_t)high << 32 | low;
			top.rx_tlp_strb_i = (beat * 2 < dwords) | (beat * 2 + 1 < dwords) << 1;
		}
		top.rx_tlp_valid_i = rx_on;

		top.tx_tlp_ready_i = random.chance(tx_ready);
		top.tx_read_tlp_ready_i = random.chance(read_ready);
		top.local_write_ready_i = random.chance(local_ready);
		top.local_read_ready_i = random.chance(local_ready);

		/* registers answer two cycles after; X in between is a number that is not read */
		top.register_data_i = 0x5555aaaa5555aaaaull;
		if (!register_responses.empty() && register_responses.front().first == cycle) {
			top.register_data_i = register_responses.front().second;
			register_responses.pop_front();
		}
		top.local_read_data_valid_i = 0;
		top.local_read_data_i = 0;
		if (!local_responses.empty() && local_responses.front().first <= cycle) {
			top.local_read_data_valid_i = 1;
			top.local_read_data_i = local_responses.front().second;
			local_responses.pop_front();
		}

		/* masters */
		if (!reads.empty() && !random.chance(master_gap))
			read_on = true;
		top.read_valid_i = read_on;
		if (read_on) {
			const ReadJob &r = reads.front();

			put(top.read_i, 0, 5, r.id);
			put(top.read_i, 5, 4, r.master);
			put(top.read_i, 9, 7, r.words);
			put(top.read_i, 16, 52, r.address >> 3);
		}
		if (!writes.empty() && !random.chance(master_gap))
			write_on = true;
		top.write_valid_i = write_on;
		if (write_on) {
			const WriteJob &w = writes.front();

			put(top.write_i, 0, 1, write_beat == w.words.size() - 1);
			put(top.write_i, 1, 1, write_beat == 0);
			put(top.write_i, 2, 64, w.words[write_beat]);
			put(top.write_i, 66, 8, w.last);
			put(top.write_i, 74, 8, w.first);
			put(top.write_i, 82, 6, w.words.size());
			put(top.write_i, 88, 52, w.address >> 3);
			put(top.write_i, 143, 1, w.address >> 32 != 0);
			put(top.write_i, 140, 1,
			    (w.words.size() == 1 ? w.first : w.last) >> 4 != 0);
			put(top.write_i, 141, 1, w.words.size() == 1 && !(w.first & 15));
			put(top.write_i, 142, 1, w.words.size() > 1 && !(w.first & 15));
		} else {
			put(top.write_i, 2, 64, random.next());
		}
		if (!interrupts.empty() && !random.chance(master_gap))
			interrupt_on = true;
		top.msix_valid_i = interrupt_on;
		if (interrupt_on)
			top.msix_vector_i = interrupts.front();
	}

	void sample()
	{
		if (!top.rst_ni)
			return;
		/* valid stays, and nothing changes, until it is taken */
		if (tx_waiting) {
			bool same = top.tx_tlp_valid_o && top.tx_tlp_data_o == tx_data_before;
			for (int i = 0; i < 4; i++)
				same = same && top.tx_tlp_hdr_o[i] == tx_hdr_before[i];
			tap.check(same, "posted stream changed while it waited");
		}
		if (read_waiting) {
			bool same = top.tx_read_tlp_valid_o;
			for (int i = 0; i < 4; i++)
				same = same && top.tx_read_tlp_hdr_o[i] == read_hdr_before[i];
			tap.check(same, "read stream changed while it waited");
		}
		tx_waiting = top.tx_tlp_valid_o && !top.tx_tlp_ready_i;
		read_waiting = top.tx_read_tlp_valid_o && !top.tx_read_tlp_ready_i;
		tx_hdr_before = top.tx_tlp_hdr_o;
		tx_data_before = top.tx_tlp_data_o;
		read_hdr_before = top.tx_read_tlp_hdr_o;

		if (top.write_accepted_o) {
			accepted.push_back(top.write_accepted_status_o | top.write_accepted_last_o
										 << 4);
			accepted_cycle.push_back(cycle);
			beats_done++;
			tap.check(beats_done <= beats_taken, "a beat accepted that was not given");
		}
		if (top.tx_read_tlp_valid_o) {
			tap.check(!read_after.empty() &&
					  beats_done >= read_after.front(), /* told a cycle late */
				  "a read shown before an earlier write was accepted whole",
				  beats_done, read_after.empty() ? 0 : read_after.front());
		}
		sample_posted();
		if (top.tx_read_tlp_valid_o && top.tx_read_tlp_ready_i) {
			Tlp t;

			for (int i = 0; i < 4; i++)
				t.dw[i] = top.tx_read_tlp_hdr_o[3 - i];
			t.cycle = cycle;
			tx_reads.push_back(t);
			if (!read_after.empty())
				read_after.pop_front();
		}
		if (rx_on && top.rx_tlp_ready_o) {
			rx_on = false;
			if (top.rx_tlp_eop_i) {
				rx.pop_front();
				beat = 0;
				rx_last_beat = cycle;
			} else {
				beat++;
			}
		}
		sample_device();
		malformed += top.event_rx_malformed_o;
		unsupported += top.event_rx_unsupported_o;
		unexpected += top.event_rx_unexpected_o;
		timeouts += top.event_completion_timeout_o;
		resets += top.function_reset_o;
		/* what gives the rest of it is being reset */
		if (top.function_reset_o)
			tap.check(!write_beat && !in_tlp, "a reset cuts a TLP");
		tx_writes += top.event_tx_write_o;
		tx_completions += top.event_tx_completion_o;
		tx_msix += top.event_tx_msix_o;
		rx_completions += top.event_rx_completion_o;
		rx_reads += top.event_rx_read_o;
		if (top.event_tx_write_o)
			tx_write_bytes += 4 * top.event_tx_write_dwords_o;
		if (top.event_tx_completion_o)
			tx_completion_bytes += 4 * top.event_tx_completion_dwords_o;
		if (top.event_tx_read_o)
			tx_read_bytes += 4 * top.event_tx_read_dwords_o;
		if (top.event_rx_write_o)
			rx_write_bytes += 4 * top.event_rx_write_dwords_o;
	}

	size_t rest_of_write() const
	{
		return write_beat ? writes.front().words.size() - write_beat : 0;
	}

	void sample_posted()
	{
		if (!top.tx_tlp_valid_o || !top.tx_tlp_ready_i)
			return;
		tap.check(top.tx_tlp_sop_o == !in_tlp, "sop at the wrong beat");
		if (top.tx_tlp_sop_o) {
			building = Tlp();
			for (int i = 0; i < 4; i++)
				building.dw[i] = top.tx_tlp_hdr_o[3 - i];
			building.cycle = cycle;
			if (building.type() == Cpl || building.type() == CplLk)
				tap.check(beats_done >= completion_after,
					  "a completion passed a write");
		}
		in_tlp = !top.tx_tlp_eop_o;
		for (int i = 0; i < 4; i++)
			tap.check(building.dw[i] == top.tx_tlp_hdr_o[3 - i], "header not held");
		if (!top.tx_tlp_eop_o)
			tap.check(top.tx_tlp_strb_o == 3, "a hole in the payload");
		tap.check(top.tx_tlp_strb_o != 2, "payload strobe 2");
		if (top.tx_tlp_strb_o & 1)
			building.data.push_back((uint32_t)top.tx_tlp_data_o);
		if (top.tx_tlp_strb_o & 2)
			building.data.push_back(top.tx_tlp_data_o >> 32);
		if (!top.tx_tlp_eop_o)
			return;
		unsigned expect = building.fmt() & 2 ? building.length() : 0;
		tap.equal(building.data.size(), expect, "length of a TLP sent");
		if (top.event_tx_msix_o && one_message_per_request) {
			tap.check(!interrupt_after.empty() && beats_done >= interrupt_after.front(),
				  "a message passed a write");
			if (!interrupt_after.empty())
				interrupt_after.pop_front();
		}
		tx.push_back(building);
	}

	void sample_device()
	{
		if (top.read_valid_i && top.read_ready_o) {
			/* a write that has begun counts to its last beat */
			if (top.bus_master_o)
				read_after.push_back(beats_taken + rest_of_write());
			reads.pop_front();
			read_on = false;
			read_cycle.push_back(cycle);
		}
		if (top.msix_valid_i && top.msix_ready_o) {
			interrupt_after.push_back(beats_taken);
			interrupts.pop_front();
			interrupt_on = false;
			interrupt_cycle.push_back(cycle);
		}
		if (get(top.register_o, 87, 1)) {
			bool is_write = get(top.register_o, 86, 1);
			unsigned index = get(top.register_o, 72, 14);
			uint64_t data = get(top.register_o, 8, 64);
			unsigned strobe = get(top.register_o, 0, 8);

			uint64_t offset = index * 8ull - RF_SLOT_INDEXED_BASE;
			bool slot = offset / RF_SLOT_INDEXED_STRIDE < RF_SLOT_INDEXED_COUNT;

			tap.check(strobe != 0, "register access without a byte");
			tap.equal(top.slot_write_o, is_write && slot, "write of a slot");
			tap.equal(top.slot_read_o, !is_write && slot, "read of a slot");
			if (slot)
				tap.equal(top.slot_o, offset / RF_SLOT_INDEXED_STRIDE, "slot");
			register_cycle = cycle;
			tap.check(index < 4096 || !is_write, "register write beyond the registers",
				  index);
			if (is_write) {
				register_writes++;
				for (int b = 0; b < 8; b++)
					if (strobe >> b & 1)
						((uint8_t *)&reg[index % 4096])[b] = data >> b * 8;
			} else {
				register_reads++;
				completion_after = beats_taken;
				tap.check(cycle - register_read_cycle >= 4,
					  "registers are read one at a time");
				register_read_cycle = cycle;
				register_responses.push_back(
					{ cycle + 2, index < 4096 ? reg[index] : 0 });
			}
		}
		if (top.doorbell_valid_o) {
			rings.push_back({ top.doorbell_page_o, top.doorbell_data_o,
					  (bool)top.doorbell_good_o, cycle });
			tap.check(top.doorbell_shown_o, "a ring is shown");
			if (top.doorbell_page_o == RF_GLOBAL_PAGE)
				tap.check(ring_shown && ring_token == top.doorbell_data_o >> 48,
					  "a token is shown a cycle before its ring");
		}
		ring_shown = top.doorbell_shown_o;
		ring_token = top.doorbell_data_o >> 48;
		if (top.local_write_valid_o && top.local_write_ready_i) {
			unsigned at = top.local_write_address_o * 8;

			tap.check(at < LocalBytes, "local address", at);
			for (int b = 0; b < 8; b++)
				if (top.local_write_strobe_o >> b & 1)
					local[at % LocalBytes + b] =
						top.local_write_data_o >> b * 8;
		}
		if (top.local_read_valid_o && top.local_read_ready_i) {
			unsigned at = top.local_read_address_o * 8 % LocalBytes;
			uint64_t word = 0;

			for (int b = 0; b < 8; b++)
				word |= (uint64_t)local[at + b] << b * 8;
			local_responses.push_back(
				{ cycle + 1 + random.below(local_latency), word });
		}
		if (top.response_valid_o) {
			Response &a = responses[get(top.response_o, 75, 4) << 5 |
						get(top.response_o, 70, 5)];

			tap.check(a.lasts == 0, "a response after the last",
				  get(top.response_o, 66, 13), cycle);
			a.status = get(top.response_o, 66, 3);
			if (!a.status)
				a.words.push_back(get(top.response_o, 0, 64));
			a.lasts += get(top.response_o, 69, 1);
			a.cycle = cycle;
			tap.check(!a.status || get(top.response_o, 69, 1),
				  "a failure that is not the last");
		}
		if (top.write_valid_i && top.write_ready_o) {
			beats_taken++;
			write_cycle.push_back(cycle);
			if (++write_beat == writes.front().words.size()) {
				writes.pop_front();
				write_beat = 0;
			}
			write_on = false;
		}
	}
};

/* Random non-empty byte enables of a legal request. */
unsigned some_be(rf::Random &random, bool may_be_empty)
{
	unsigned be = random.below(16);

	return be || may_be_empty ? be : 15;
}

void expect_bytes(uint32_t *mask, unsigned dwords, unsigned first, unsigned last)
{
	for (unsigned i = 0; i < dwords; i++)
		mask[i] = 15;
	if (dwords > 1)
		mask[dwords - 1] = last;
	mask[0] = first;
}

/* Checks the completions of one read and returns its bytes. */
std::vector<uint32_t> collect(Bench &b, const Tlp &read, const std::vector<Tlp> &parts,
			      unsigned payload)
{
	std::vector<uint32_t> data;
	unsigned length = read.length(), first = read.first_be();
	unsigned tail = length == 1 ? first : read.last_be();
	unsigned lead = 0, trail = 0;
	uint64_t at = read.address();

	while (first && !(first >> lead & 1))
		lead++;
	while (tail && !(tail << trail & 8))
		trail++;
	unsigned left = first ? length * 4 - lead - trail : 1;

	for (const Tlp &c : parts) {
		unsigned lower = (at & 127 & ~3u) | (data.empty() ? lead : 0);

		b.tap.equal(c.fmt(), 2, "format of a completion with data");
		b.tap.equal(c.status(), 0, "status");
		b.tap.equal(c.byte_count(), left, "byte count");
		b.tap.equal(c.dw[2] & 127, lower, "lower address");
		b.tap.equal(c.dw[2] >> 16, Host, "requester id");
		b.tap.equal(c.dw[1] >> 16, Device, "completer id");
		b.tap.equal(c.dw[0] & 0x00743000, read.dw[0] & 0x00743000, "class and attributes");
		b.tap.check(c.length() * 4 <= payload, "more than max payload", c.length() * 4,
			    payload);
		at += c.length() * 4;
		data.insert(data.end(), c.data.begin(), c.data.end());
		if (data.size() < length)
			b.tap.equal(at % 128, 0, "cut at a read completion boundary");
		left -= std::min(left, c.length() * 4 - (lower & 3));
	}
	b.tap.equal(data.size(), length, "DWs of all completions");
	return data;
}

void test_configuration(rf::Tap &tap)
{
	Bench b(tap, rf::seed());

	tap.begin("pcie.configuration space: identity, BAR sizes, capabilities, enables");
	tap.equal(b.config_read(0), 0x00011e5f, "vendor and device id");
	tap.equal(b.config_read(8), 0x12000000, "class");
	tap.equal(b.config_read(0x100), 0, "no extended capability");
	uint32_t want[6] = { 0xfffe0004, 0xffffffff, 0xffff000c, 0xffffffff, 0xfffff000, 0 };
	for (unsigned i = 0; i < 6; i++) {
		b.config_write(0x10 + i * 4, 0xffffffff);
		tap.equal(b.config_read(0x10 + i * 4), want[i], "BAR size");
	}
	b.config_write(0x10, 0x00a20000, 4);
	tap.equal(b.config_read(0x10), 0xffa20004, "byte write of a BAR");
	std::set<unsigned> ids;
	for (unsigned at = b.config_read(0x34) & 255, n = 0; at && n < 8; n++) {
		uint32_t head = b.config_read(at);
		ids.insert(head & 255);
		at = head >> 8 & 255;
	}
	tap.check(ids == std::set<unsigned>({ 0x01, 0x10, 0x11 }),
		  "PM, PCIe and MSI-X in the list");
	tap.equal(b.config_read(0x94), 4, "MSI-X table in BAR 4");
	tap.equal(b.config_read(0x98), 0x804, "PBA in BAR 4");
	tap.equal(b.config_read(0x90) >> 16 & 0x7ff, 3, "four vectors");
	b.enumerate();
	tap.equal(b.top.max_payload_words_o, 32, "max payload 256");
	tap.equal(b.top.max_read_words_o, 64, "max read 512");
	b.config_write(0x58, 0x1000);
	tap.equal(b.top.max_payload_words_o, 16, "max payload 128");
	tap.equal(b.top.max_read_words_o, 32, "max read 256");
	tap.equal(b.top.bus_master_o, 1, "bus master");
	b.config_write(0x44, 3);
	tap.equal(b.top.bus_master_o, 0, "no bus mastering in D3hot");
	b.config_write(0x44, 1);
	tap.equal(b.config_read(0x44) & 3, 3, "a write of D1 changes nothing");
	size_t from = b.tx.size();
	b.send(request(MRd, false, Bar0, 1, 15, 0, 9));
	b.settle();
	auto parts = b.completions_of(9, from);
	tap.check(parts.size() == 1 && parts[0].status() == 1,
		  "memory read in D3hot is unsupported");
	b.config_write(0x44, 0);
	b.write(Bar0 + 0x58, { 0x12345678, 0x9abcdef0 });
	b.settle();
	tap.equal(b.reg[0x58 / 8], 0x9abcdef012345678ull, "D0 again, and nothing forgotten");
	Tlp other = request(Cfg0, false, 0, 1, 15, 0, 0x44);
	other.dw[2] = (uint32_t)(Device | 1) << 16;
	b.send(other);
	b.settle();
	tap.equal(b.tx.back().status(), 1, "another function is unsupported");
	tap.check(b.config_read(0x58) & 0x80000, "unsupported request detected");
	b.config_write(0x58, 0x000f0000, 12);
	tap.equal(b.config_read(0x58) & 0xf0000, 0, "error bits cleared by one");
	tap.end();
}

/* All of the first 256 bytes, and 0 behind them, as the specification has each register. */
void test_configuration_values(rf::Tap &tap)
{
	tap.begin("pcie.configuration space: every register behind a reset, and the rest 0");
	static const std::map<unsigned, uint32_t> values = {
		{ 0x00, 0x00011e5f }, { 0x04, 0x00100000 }, /* a list of capabilities */
		{ 0x08, 0x12000000 }, { 0x10, 0x00000004 }, /* 64 bits */
		{ 0x18, 0x0000000c }, /* 64 bits, prefetchable */
		{ 0x2c, 0x00011e5f }, { 0x34, 0x00000040 },
		{ 0x40, 0x00035001 }, /* power management, version 3 */
		{ 0x44, 0x00000008 }, /* no soft reset, D0 */
		{ 0x50, 0x00029010 }, /* PCI Express, version 2, an endpoint */
		{ 0x54, 0x10008001 }, /* FLR, role-based errors, 256 bytes */
		{ 0x58, 0x00002010 }, /* reads of 512 bytes, relaxed ordering */
		{ 0x5c, 0x00400012 }, /* ASPM optionality, x1, up to 5 GT/s */
		{ 0x60, 0x00120000 }, /* x1, 5 GT/s */
		{ 0x74, 0x00000010 }, /* the time-out can be disabled */
		{ 0x7c, 0x00000006 }, /* 2.5 and 5 GT/s */
		{ 0x80, 0x00000002 }, /* 5 GT/s */
		{ 0x90, 0x00030011 }, /* MSI-X, four vectors */
		{ 0x94, 0x00000004 }, { 0x98, 0x00000804 }, /* in BAR 4 */
	};
	Bench b(tap, rf::seed());

	for (unsigned at = 0; at < 0x200; at += 4) {
		auto found = values.find(at);

		tap.equal(b.config_read(at), found == values.end() ? 0 : found->second,
			  "configuration register");
	}
	static const unsigned words[] = { 16, 32, 64 }; /* more than 512 bytes are not asked for */
	for (unsigned size = 0; size < 6; size++) {
		b.config_write(0x58, size << 12);
		tap.equal(b.top.max_read_words_o, words[std::min(size, 2u)], "max read");
	}
	tap.end();
}

void test_configuration_bits(rf::Tap &tap)
{
	tap.begin("pcie.configuration space: what can be written is kept, byte by byte");
	struct {
		unsigned at;
		uint32_t writable, reset;
	} rows[] = { { 0x04, 0x546, 0x00100000 }, /* COMMAND */
		     { 0x10, 0xfffe0000, 0x4 }, /* BARs: 128 KiB, 64 bits */
		     { 0x14, 0xffffffff, 0 },
		     { 0x18, 0xffff0000, 0xc }, /* 64 KiB, 64 bits, prefetchable */
		     { 0x1c, 0xffffffff, 0 },
		     { 0x20, 0xfffff000, 0 }, /* 4 KiB */
		     { 0x0c, 0xff, 0 }, /* cache line size */
		     { 0x3c, 0xff, 0 }, /* interrupt line */
		     { 0x58, 0x703f, 0x2010 }, /* device control */
		     { 0x60, 0xcb, 0x00120000 }, /* link control */
		     { 0x78, 0x10, 0 }, /* device control 2 */
		     { 0x90, 0xc0000000, 0x00030000 | 0x11 } }; /* MSI-X control */
	const unsigned lines = sizeof(rows) / sizeof(rows[0]);
	uint32_t value[lines];
	Bench b(tap, rf::seed());

	for (unsigned i = 0; i < lines; i++) {
		value[i] = rows[i].reset;
		tap.equal(b.config_read(rows[i].at), value[i], "after reset");
	}
	for (unsigned n = 0; n < 600; n++) {
		unsigned i = b.random.below(lines), be = b.random.below(16);
		uint32_t data = b.random.next(), bytes = 0;

		for (unsigned byte = 0; byte < 4; byte++)
			bytes |= be >> byte & 1 ? 0xffu << 8 * byte : 0;
		if (rows[i].at == 0x58) /* no reset; of payload sizes 128 and 256 bytes only */
			data &= 0xffff7f3f;
		b.config_write(rows[i].at, data, be);
		bytes &= rows[i].writable;
		value[i] = (value[i] & ~bytes) | (data & bytes);
		for (unsigned j = 0; j < lines; j++)
			tap.equal(b.config_read(rows[j].at), value[j], "configuration register");
	}
	tap.end();

	tap.begin("pcie.the function is known by the number of its last configuration write");
	uint16_t id = Device;
	for (unsigned n = 0; n < 200; n++) {
		uint16_t other = b.random.below(1 << 13) << 3;
		bool write = b.random.chance(50);

		if (write)
			id = other;
		b.config(0x3c, write, 0, 15, other);
		b.config(0x0c, false, 0, 15, b.random.below(1 << 13) << 3);
		tap.equal(b.tx.back().dw[1] >> 16, id, "completer id");
	}
	tap.end();
}

void test_writes_and_reads(rf::Tap &tap)
{
	tap.begin("pcie.received writes and reads: every length, offset and byte enable");
	for (unsigned large = 0; large < 2; large++) {
		Bench b(tap, rf::seed() + large);
		unsigned most = large ? 64 : 32;
		Bytes model(LocalBytes), registers(0x8000);

		b.enumerate(large);
		for (unsigned length = 1; length <= most; length++)
			for (unsigned offset = 0; offset < 4; offset++)
				for (unsigned bar = 0; bar < 2; bar++) {
					unsigned at = bar ? 0x3f0 + offset * 4 + length * 512
							  : 0x100 + offset * 4 + length * 256;
					unsigned first = some_be(b.random, length == 1);
					unsigned last = some_be(b.random, false);
					std::vector<uint32_t> data(length), mask(length);
					Bytes &target = bar ? model : registers;

					if (at % 4096 + length * 4 > 4096)
						at -= 512;
					expect_bytes(mask.data(), length, first, last);
					for (unsigned i = 0; i < length; i++) {
						data[i] = b.random.next();
						for (unsigned k = 0; k < 4; k++)
							if (mask[i] >> k & 1)
								target[at + i * 4 + k] =
									data[i] >> k * 8;
					}
					b.write((bar ? Bar2 : Bar0) + at, data, first, last);
					if (length % 8 == 0) {
						b.rx_gap = b.random.below(60);
						b.local_ready = 20 + b.random.below(81);
					}
				}
		b.settle();
		for (unsigned i = 0; i < LocalBytes; i++)
			tap.check(b.local[i] == model[i], "local byte", i);
		for (unsigned i = 0; i < 0x8000; i++)
			tap.check(((uint8_t *)b.reg.data())[i] == registers[i], "register byte", i);

		for (unsigned i = 0; i < LocalBytes; i++)
			b.local[i] = b.random.next();
		for (unsigned length = 1; length <= 1024; length += length < 80 ? 1 : 59)
			for (unsigned offset = 0; offset < (length < 80 ? 3 : 1); offset++) {
				unsigned page = b.random.below(LocalBytes / 4096) * 4096;
				unsigned at =
					page + 4 * (length < 80 ? offset + 30 * b.random.below(30)
								: b.random.below(1025 - length));
				unsigned first = some_be(b.random, false),
					 last = some_be(b.random, false);
				Tlp read = request(MRd, false, Bar2 + at, length, first,
						   length == 1 ? 0 : last, length & 255);
				size_t from = b.tx.size();

				read.dw[0] |= b.random.next() & 0x00743000;
				b.tx_ready = 30 + b.random.below(71);
				b.local_ready = 20 + b.random.below(81);
				b.local_latency = 1 + b.random.below(20);
				b.send(read);
				b.settle();
				auto data = collect(b, read, b.completions_of(read.tag(), from),
						    large ? 256 : 128);
				for (unsigned i = 0; i < data.size(); i++) {
					uint32_t want = 0;
					for (unsigned k = 0; k < 4; k++)
						want |= (uint32_t)b.local[at + i * 4 + k] << k * 8;
					tap.equal(data[i], want, "data of a read");
				}
			}
		for (unsigned first = 0; first < 16; first++) {
			Tlp read = request(MRd, false, Bar0 + 0x104, 1, first, 0, first);
			size_t from = b.tx.size();
			unsigned reads = b.register_reads;

			b.send(read);
			b.settle();
			auto data = collect(b, read, b.completions_of(first, from), 128);
			if (first)
				tap.equal(data.empty() ? 0 : data[0], b.reg[0x100 / 8] >> 32,
					  "register");
			tap.equal(b.register_reads - reads, first != 0,
				  "a read of no byte touches nothing");
		}
		Tlp wide = request(MRd, false, Bar0 + 0x1004, 37, 15, 15, 77);
		size_t from = b.tx.size();
		b.send(wide);
		b.settle();
		auto data = collect(b, wide, b.completions_of(77, from), large ? 256 : 128);
		for (unsigned i = 0; i < data.size(); i++)
			tap.equal(data[i], ((uint32_t *)b.reg.data())[0x1004 / 4 + i],
				  "registers in a row");
		tap.equal(b.malformed + b.unsupported + b.unexpected, 0, "nothing counted as bad");
	}
	tap.end();
}

void test_atomic_order(rf::Tap &tap)
{
	tap.begin(
		"pcie.receive order: a read sees every earlier write, and no half of an 8-byte store");
	Bench b(tap, rf::seed());
	struct Waiting {
		Tlp read;
		std::vector<std::set<uint64_t>> may; /* per word */
	};
	std::map<unsigned, Waiting> waiting;
	std::vector<uint64_t> now(64);
	size_t seen = 0, done = 0;
	unsigned tag = 0;

	b.enumerate();
	seen = b.tx.size();
	b.tx_ready = 60;
	b.rx_gap = 20;
	b.local_ready = 50;
	b.local_latency = 9;
	for (unsigned n = 0; n < 6000 || (!waiting.empty() && n < 60000); n++) {
		if (n < 6000 && b.rx.size() < 4) {
			if (b.random.chance(70)) {
				unsigned at = b.random.below(64),
					 count = 1 + b.random.below(std::min(4u, 64 - at));
				std::vector<uint32_t> data;

				for (unsigned i = 0; i < count; i++) {
					now[at + i] = b.random.next();
					data.push_back((uint32_t)now[at + i]);
					data.push_back(now[at + i] >> 32);
					for (auto &w : waiting)
						w.second.may[at + i].insert(now[at + i]);
				}
				b.write(Bar2 + 0x1000 + at * 8, data);
			} else if (waiting.size() < 8 && !waiting.count(tag)) {
				unsigned at = b.random.below(60);
				Waiting w;

				w.read =
					request(MRd, false, Bar2 + 0x1000 + at * 8, 8, 15, 15, tag);
				for (uint64_t v : now)
					w.may.push_back({ v });
				waiting[tag] = w;
				b.send(w.read);
				tag = (tag + 1) % 32;
			}
		}
		b.step();
		for (; seen < b.tx.size(); seen++) {
			unsigned t = b.tx[seen].tag();
			auto all = b.completions_of(t, seen);
			if (!waiting.count(t)) {
				tap.check(false, "a completion without a request", t);
				continue;
			}
			Waiting &w = waiting[t];
			/* 8 words may be cut in two: look when the first part is here whole */
			std::vector<uint32_t> part = b.tx[seen].data;
			unsigned at = (w.read.address() & 0xfff) / 8 +
				      (8 - b.tx[seen].byte_count() / 4) / 2;
			for (unsigned i = 0; i + 1 < part.size(); i += 2)
				tap.check(w.may[at + i / 2].count((uint64_t)part[i + 1] << 32 |
								  part[i]),
					  "a word that no store wrote whole, or an older one",
					  at + i / 2);
			if (b.tx[seen].byte_count() == part.size() * 4) {
				waiting.erase(t);
				done++;
			}
		}
	}
	tap.check(done > 200, "reads done", done);
	tap.check(waiting.empty(), "every read completed");
	tap.end();
}

void test_doorbells(rf::Tap &tap)
{
	tap.begin("pcie.doorbells: one pulse per ring; good only for one aligned 8-byte store");
	Bench b(tap, rf::seed());

	b.enumerate();
	for (unsigned page = 0; page < 9; page++) {
		b.rings.clear();
		uint64_t base = Bar0 + Doorbells + page * 4096;

		b.write(base, { page, 0x80 });
		b.write(base, { 1 }, 15);
		b.write(base + 4, { 1 }, 15);
		b.write(base, { 1, 2 }, 15, 7);
		b.write(base + 8, { 1, 2 });
		b.write(base + 4, { 1, 2 });
		b.write(base, { 1, 2, 3, 4 });
		b.write(base, { 9 }, 0);
		b.settle();
		tap.equal(b.rings.size(), 9, "rings");
		unsigned good = 0;
		for (auto &r : b.rings) {
			tap.equal(r.page, page, "page");
			good += r.good;
		}
		tap.check(b.rings[0].good && good == 1, "only the first is good", good);
		tap.equal(b.rings[0].data, 0x8000000000ull | page, "write pointer");
	}
	/* a doorbell behind a local write that has to wait */
	b.local_ready = 2;
	for (unsigned n = 0; n < 50; n++) {
		b.rings.clear();
		b.write(Bar2 + 64, { n, n + 1 });
		b.write(Bar0 + Doorbells, { n, 0 });
		for (int i = 0; i < 5000 && b.rings.empty(); i++)
			b.step();
		tap.check(b.rings.size() == 1 && *(uint32_t *)&b.local[64] == n,
			  "the ring came before the write ahead of it", n);
	}
	tap.equal(b.register_writes, 0, "a ring is no register write");
	/* a doorbell behind a register write, which acts one cycle after it came */
	b.rings.clear();
	for (unsigned s = 0; s < RF_SLOT_INDEXED_COUNT; s++) {
		b.write(Bar0 + RF_REG_SLOT_CONTROL(s), { 1, 0 });
		b.write(Bar0 + Doorbells, { s, 0 });
		while (b.rings.size() <= s)
			b.step();
		tap.equal(b.register_writes, s + 1, "register writes before the ring");
		tap.equal(b.rings[s].cycle - b.register_cycle, 2, "the ring waits, no longer");
	}
	tap.end();
}

void test_unsupported(rf::Tap &tap)
{
	tap.begin("pcie.unsupported requests are answered, or counted when posted");
	Bench b(tap, rf::seed());

	b.enumerate();
	/* The byte count is what a reader would have got, an operand, else 4 (2.2.9). */
	struct Case {
		Tlp tlp;
		unsigned bytes;
		const char *name;
	};
	std::vector<Case> cases = {
		{ request(MRd, false, 0x1000, 1, 15, 0, 1), 4, "read outside" },
		{ request(MRd, false, Bar2 + LocalBytes, 3, 14, 3, 2), 9, "read behind BAR 2" },
		{ request(MRd, false, 0x1000, 1024, 15, 15, 12), 4096, "longest read outside" },
		{ request(MRdLk, false, Bar2, 1, 6, 0, 3), 2, "locked read" },
		{ request(IO, false, 0x100, 1, 1, 0, 4), 4, "I/O read" },
		{ request(IO, true, 0x100, 1, 15, 0, 5), 4, "I/O write" },
		{ request(Cfg1, false, 0x05000000, 1, 2, 0, 6), 4, "type 1 read" },
		{ request(Cfg1, true, 0x05000000, 1, 15, 0, 7), 4, "type 1 write" },
		{ request(FetchAdd, true, Bar2, 1, 0, 0, 8), 4, "fetch and add of 4 bytes" },
		{ request(FetchAdd, true, Bar2, 2, 0, 0, 8), 8, "fetch and add of 8 bytes" },
		{ request(Swap, true, Bar2, 1, 0, 0, 9), 4, "swap of 4 bytes" },
		{ request(Swap, true, Bar2, 2, 0, 0, 9), 8, "swap of 8 bytes" },
		{ request(CompareSwap, true, Bar2, 2, 0, 0, 10), 4, "compare of 4 bytes" },
		{ request(CompareSwap, true, Bar2, 4, 0, 0, 10), 8, "compare of 8 bytes" },
		{ request(CompareSwap, true, Bar2, 8, 0, 0, 10), 16, "compare of 16 bytes" },
	};
	Bytes before = b.local;
	for (auto &c : cases) {
		size_t from = b.tx.size();
		unsigned count = b.unsupported;

		b.send(c.tlp);
		b.settle();
		auto parts = b.completions_of(c.tlp.tag(), from);
		tap.check(parts.size() == 1 && b.tx.size() == from + 1, c.name, parts.size(), 1);
		if (parts.empty())
			continue;
		tap.equal(parts[0].status(), 1, c.name);
		tap.equal(parts[0].fmt(), 0, c.name);
		tap.equal(parts[0].type(), c.tlp.type() == MRdLk ? CplLk : Cpl, c.name);
		tap.equal(parts[0].byte_count(), c.bytes, c.name);
		tap.equal(b.unsupported, count + 1, c.name);
	}
	unsigned count = b.unsupported;
	size_t from = b.tx.size();
	b.write(0x2000, { 1 });
	b.write(Bar2 + LocalBytes, { 1, 2 });
	Tlp poisoned = request(MRd, true, Bar2, 2, 15, 15);
	poisoned.dw[0] |= 1 << 14;
	b.send(poisoned);
	Tlp message = request(Message, false, 0, 0, 0, 0);
	message.dw[0] |= 1u << 29;
	b.send(message);
	message.dw[0] |= 2u << 29 | 1;
	message.data.resize(1);
	b.send(message);
	b.settle();
	tap.equal(b.unsupported, count + 3, "posted writes");
	tap.equal(b.tx.size(), from, "nothing sent for posted ones");
	b.config_write(4, 4);
	b.write(Bar2, { 1, 2 });
	from = b.tx.size();
	b.send(request(MRd, false, Bar2, 1, 15, 0, 40));
	b.settle();
	tap.equal(b.completions_of(40, from).at(0).status(), 1, "memory space disabled");
	tap.check(b.local == before, "nothing of all that was performed");
	tap.equal(b.malformed, 0, "none is malformed");
	tap.end();
}

/* The host sent it when it was allowed to; Device Control was written meanwhile. */
void test_payload_lowered(rf::Tap &tap)
{
	tap.begin("pcie.a completion of a read in flight may have the max payload of before");
	Bench b(tap, rf::seed());

	b.enumerate();
	b.reads.push_back({ 0x10000, 32, 1, 1 });
	b.reads.push_back({ 0x20000, 32, 1, 2 });
	b.run(30);
	b.config_write(0x58, 0x2000); /* 128 bytes */
	tap.equal(b.top.max_payload_words_o, 16, "max payload 128");
	for (unsigned n = 0; n < 2; n++)
		b.send(completion(b.tx_reads[n].tag(), 0, 256, 0, std::vector<uint32_t>(64)));
	b.run(200);
	for (unsigned n = 1; n <= 2; n++)
		tap.equal(b.responses[1 << 5 | n].lasts, 1, "responses delivered");
	tap.equal(b.malformed, 0, "malformed");
	/* nothing is in flight any more */
	b.send(request(MRd, true, Bar2, 64, 15, 15));
	b.settle();
	tap.equal(b.malformed, 1, "a write of more than 128 bytes");
	tap.end();
}

void test_malformed(rf::Tap &tap)
{
	tap.begin("pcie.malformed TLPs are dropped and counted, and harm nothing behind them");
	Bench b(tap, rf::seed());
	std::vector<Tlp> zoo;
	auto add = [&](Tlp t) { zoo.push_back(t); };

	b.enumerate(false); /* max payload 128 */
	Tlp t = request(MRd, true, Bar2 + 64, 4, 15, 15);
	t.drop_dwords = 1;
	add(t);
	t.drop_dwords = 2;
	add(t);
	t = request(MRd, true, Bar2 + 64, 4, 15, 15);
	t.data.resize(5);
	add(t);
	t.data.resize(6);
	add(t);
	t.data.resize(300);
	add(t);
	t = request(MRd, true, Bar2 + 64, 33, 15, 15);
	add(t); /* beyond max payload */
	t = request(MRd, true, Bar2 + 64, 1, 15, 0);
	t.dw[0] &= ~1023u;
	add(t); /* 1024 DWs */
	t = request(MRd, true, Bar2 + 0xffc, 2, 15, 15);
	add(t); /* 4 KiB */
	t = request(MRd, false, Bar2 + 0xf00, 65, 15, 15);
	add(t);
	t = request(MRd, false, Bar2 + 4, 1024, 15, 15);
	add(t);
	t = request(MRd, true, Bar2 + 64, 2, 15, 0);
	add(t); /* byte enables */
	t = request(MRd, true, Bar2 + 64, 2, 0, 15);
	add(t);
	t = request(MRd, true, Bar2 + 64, 1, 15, 15);
	add(t);
	t = request(MRd, false, Bar2 + 64, 1, 15, 3);
	add(t);
	t = request(MRd, false, Bar2 + 64, 1, 15, 0);
	t.data.resize(1);
	add(t); /* read with payload */
	t = request(MRd, true, Bar2 + 64, 2, 15, 15);
	t.dw[0] |= 4u << 29;
	add(t); /* prefix */
	t = request(MRd, true, Bar2 + 64, 2, 15, 15);
	t.error = true;
	add(t);
	t = request(MRd, true, Bar2 + 64, 32, 15, 15);
	t.error = true;
	add(t);
	t = request(Cfg0, false, 0, 2, 15, 15);
	add(t);
	t = request(Cfg0, true, 0x10, 1, 15, 1);
	add(t);
	t = request(IO, true, 0x10, 2, 15, 15);
	add(t);
	for (unsigned type : { 3u, 6u, 7u, 8u, 9u, 15u, 24u, 27u, 31u })
		add(request(type, false, 0x100, 1, 15, 0));
	t = request(MRdLk, true, Bar2 + 64, 1, 15, 0);
	add(t);
	t = completion(0, 0, 8, 0, { 1, 2 });
	t.drop_dwords = 1;
	add(t);
	/* headers of the length that their type does not have */
	for (Tlp other : { request(IO, false, 0x10, 1, 15, 0), request(Cfg0, false, 0, 1, 15, 0),
			   request(Cfg1, false, 0, 1, 15, 0), completion(0, 0, 4, 0, { 1 }) }) {
		other.dw[0] |= 1u << 29;
		add(other);
	}
	add(request(Message, false, 0, 0, 0, 0));
	t = completion(0, 0, 4, 0, { 1 });
	t.dw[0] |= 1u << 29 | 1u << 24;
	add(t); /* the same, of a locked read */

	Bytes before = b.local;
	for (unsigned round = 0; round < 3; round++) {
		for (auto &bad : zoo) {
			unsigned count = b.malformed;
			size_t from = b.tx.size();

			b.rx_gap = round * 30;
			b.send(bad);
			b.settle();
			tap.equal(b.malformed, count + !bad.error,
				  "counted once; not what the link layer dropped");
			tap.equal(b.tx.size(), from, "not answered");
			b.write(Bar2 + 0x400, { round + 1, 7 });
			b.send(request(MRd, false, Bar2 + 0x400, 2, 15, 15, 5));
			b.settle();
			auto parts = b.completions_of(5, from);
			tap.check(parts.size() == 1 && parts[0].data.size() == 2 &&
					  parts[0].data[0] == round + 1,
				  "the next ones work");
		}
	}
	*(uint32_t *)&b.local[0x400] = 0;
	*(uint32_t *)&b.local[0x404] = 0;
	tap.check(b.local == before, "nothing written");
	tap.equal(b.config_read(0x58) >> 16 & 15, 4, "Fatal Error Detected");
	b.config_write(0x58, 4 << 16 | 0x2000);
	for (auto &bad : zoo)
		if (bad.error)
			b.send(bad);
	b.settle();
	tap.equal(b.config_read(0x58) >> 16 & 15, 0, "no error that the link layer has seen");
	tap.equal(b.unsupported + b.unexpected + b.register_writes + b.rings.size(), 0,
		  "no side effect");
	tap.end();
}

/* The root complex's memory: responses reads of the device, with the given luck. */
class HostMemory {
public:
	unsigned fail = 0, lose = 0, poison = 0, junk = 0;
	struct Pending {
		uint64_t at;
		unsigned left;
		uint64_t cycle; /* of the read TLP */
		bool lost = false;
	};
	std::map<unsigned, Pending> pending; /* by tag */
	std::map<unsigned, unsigned> fate; /* by number of the read: status wanted */
	unsigned junked = 0;

	HostMemory(Bench &bench, unsigned max_payload) : b(bench), payload(max_payload)
	{
		seen = b.tx_reads.size();
	}

	void step()
	{
		for (; seen < b.tx_reads.size(); seen++) {
			const Tlp &t = b.tx_reads[seen];
			uint64_t a = t.address();

			b.tap.equal(t.dw[0] & 0x1ff0fc00, 0, "header of a read");
			b.tap.equal(t.dw[1] >> 16, Device, "requester id of a read");
			b.tap.equal(t.fmt(), a >> 32 ? 1 : 0, "3 or 4 DW header");
			b.tap.check((a & 4095) + t.length() * 4 <= 4096, "a read crosses a page");
			b.tap.check(!pending.count(t.tag()), "a tag used twice", t.tag());
			pending[t.tag()] = { a, t.length() * 4, t.cycle };
			if (b.random.chance(lose)) {
				pending[t.tag()].lost = true;
				fate[seen] = 5;
			}
			order[t.tag()] = seen;
		}
		if (b.rx.size() > 2 || pending.empty())
			return;
		if (b.random.chance(junk)) {
			unsigned kind = b.random.below(4);
			unsigned tag = kind ? 16 + b.random.below(200) : b.random.below(16);
			std::vector<uint32_t> data(2);
			/* a tag out of range, another function's, a wrong byte count */
			b.send(completion(tag, 0, kind ? 8 : 3000, 0, data,
					  kind == 1 ? 0x0600 : Device));
			junked++;
			return;
		}
		auto it = pending.begin();
		std::advance(it, b.random.below(pending.size()));
		if (it->second.lost)
			return;
		unsigned tag = it->first;
		Pending &p = it->second;
		if (b.random.chance(fail) && !fate.count(order[tag])) {
			unsigned status = b.random.chance(50) ? 1 : 4;
			b.send(completion(tag, status, p.left, p.at & 127, {}));
			fate[order[tag]] = status == 1 ? 2 : 3;
			pending.erase(it);
			return;
		}
		unsigned most = std::min(p.left, payload - (unsigned)(p.at % 64));
		unsigned size = most;
		if (b.random.chance(60)) {
			unsigned cut = 64 * (1 + b.random.below(4)) - p.at % 64;
			size = std::min(most, cut);
		}
		if (size < p.left) /* a cut lies on a read completion boundary */
			size -= (p.at + size) % 64;
		std::vector<uint32_t> data(size / 4);
		for (unsigned i = 0; i < size; i++)
			data[i / 4] |= (uint32_t)host_byte(p.at + i) << i % 4 * 8;
		Tlp t = completion(tag, 0, p.left, p.at & 127, data);
		if (b.random.chance(poison) && !fate.count(order[tag])) {
			t.dw[0] |= 1 << 14;
			fate[order[tag]] = 4;
		}
		b.send(t);
		p.at += size;
		p.left -= size;
		if (!p.left)
			pending.erase(it);
	}

private:
	Bench &b;
	unsigned payload;
	size_t seen = 0;
	std::map<unsigned, size_t> order;
};

void test_requester(rf::Tap &tap)
{
	tap.begin("pcie.requester: data, order, failures and time-outs of reads in flight");
	for (unsigned round = 0; round < 4; round++) {
		Bench b(tap, rf::seed() + round);
		b.enumerate(round & 1);
		HostMemory host(b, round & 1 ? 256 : 128);
		std::map<unsigned, ReadJob> open;
		unsigned finished = 0, failures[8] = {}, most = 0, started = 0;

		b.rx_gap = 10 * round;
		b.read_ready = 100 - 20 * round;
		b.master_gap = 20 * (round & 1);
		if (round >= 2) {
			host.fail = 2;
			host.poison = 2;
			host.lose = 2;
			host.junk = 5;
			b.top.completion_timeout_i = 6000;
		}
		for (unsigned n = 0; n < 120000 && finished < 1200; n++) {
			unsigned key = b.random.below(7) << 5 | b.random.below(32);
			if (b.reads.size() < 3 && started < 1200 && !open.count(key)) {
				uint64_t page = b.random.chance(50) ? b.random.below(0xfffff)
								    : b.random.next() >> 21;
				ReadJob r;

				r.words = b.random.chance(30) ? 1 : 1 + b.random.below(64);
				r.address = (page << 12 & ((1ull << 55) - 4096)) +
					    8 * b.random.below(513 - r.words);
				r.master = key >> 5;
				r.id = key & 31;
				open[key] = r;
				b.reads.push_back(r);
				started++;
			}
			host.step();
			b.step();
			most = std::max(most, (unsigned)host.pending.size());
			/* a lost request stays lost until its tag can only be free again */
			for (auto it = host.pending.begin(); it != host.pending.end();)
				if (it->second.lost && b.cycle > it->second.cycle + 2 * 6000 - 200)
					it = host.pending.erase(it);
				else
					++it;
			for (auto it = b.responses.begin(); it != b.responses.end();) {
				if (!it->second.lasts) {
					++it;
					continue;
				}
				Response &a = it->second;
				tap.check(open.count(it->first), "a response without a request",
					  it->first);
				ReadJob &r = open[it->first];
				failures[a.status]++;
				if (!a.status)
					tap.equal(a.words.size(), r.words, "words of a response");
				for (unsigned i = 0; i < a.words.size(); i++) {
					uint64_t want = 0;
					for (unsigned k = 0; k < 8; k++)
						want |= (uint64_t)host_byte(r.address + i * 8 + k)
							<< k * 8;
					tap.equal(a.words[i], want, "word of a response");
				}
				open.erase(it->first);
				it = b.responses.erase(it);
				finished++;
			}
		}
		tap.equal(finished, 1200, "every read answered once");
		tap.check(most == 16, "sixteen in flight", most, 16);
		unsigned want[8] = {};
		for (auto &f : host.fate)
			want[f.second]++;
		if (round < 2) {
			tap.equal(failures[0], 1200, "all good");
			tap.equal(b.unexpected, 0, "nothing unexpected");
		} else {
			for (unsigned s : { 2u, 3u, 4u, 5u }) {
				tap.check(want[s] > 0, "every kind of failure was tried", s);
				tap.equal(failures[s], want[s], "failures reported");
			}
			tap.equal(b.timeouts, want[5], "time-outs counted");
			tap.check(b.unexpected >= host.junked, "unexpected completions",
				  b.unexpected, host.junked);
		}
		printf("# round %u: reads 1200, most in flight %u, UR %u, CA %u, poisoned %u, time-out %u, junk %u\n",
		       round, most, failures[2], failures[3], failures[4], failures[5],
		       host.junked);
	}
	tap.end();
}

/* The bytes that a write of the device must carry. */
std::map<uint64_t, uint8_t> bytes_of(const WriteJob &w)
{
	std::map<uint64_t, uint8_t> bytes;

	for (size_t i = 0; i < w.words.size(); i++) {
		unsigned strobe = i == 0 ? w.first : i == w.words.size() - 1 ? w.last : 255;
		for (unsigned k = 0; k < 8; k++)
			if (strobe >> k & 1)
				bytes[w.address + i * 8 + k] = w.words[i] >> k * 8;
	}
	return bytes;
}

std::map<uint64_t, uint8_t> bytes_of(rf::Tap &tap, const Tlp &t)
{
	std::map<uint64_t, uint8_t> bytes;
	std::vector<uint32_t> mask(t.length());

	tap.equal(t.dw[0] & 0x9ff0fc00, 0, "type, class, attributes of a write");
	tap.equal(t.fmt() & 1, t.address() >> 32 != 0, "3 or 4 DW header of a write");
	tap.equal(t.dw[1] >> 16, Device, "requester id of a write");
	tap.check((t.address() & 4095) + t.length() * 4 <= 4096, "a write crosses a page");
	tap.check(t.length() == 1 ? t.last_be() == 0 && t.first_be() != 0
				  : t.first_be() != 0 && t.last_be() != 0,
		  "byte enables of a write", t.dw[1]);
	expect_bytes(mask.data(), t.length(), t.first_be(), t.last_be());
	for (unsigned i = 0; i < t.data.size(); i++)
		for (unsigned k = 0; k < 4; k++)
			if (mask[i] >> k & 1)
				bytes[t.address() + i * 4 + k] = t.data[i] >> k * 8;
	return bytes;
}

unsigned strobe_from(unsigned low, unsigned high) /* bytes low .. high */
{
	return (0xffu << low) & (0xffu >> (7 - high)) & 0xff;
}

void test_device_writes(rf::Tap &tap)
{
	tap.begin("pcie.device writes: every length and strobe; one pulse per beat, in order");
	Bench b(tap, rf::seed());
	b.enumerate();
	for (unsigned round = 0; round < 3; round++) {
		std::vector<WriteJob> all;
		size_t from = b.tx.size(), pulses = b.accepted.size(), beats = 0;

		b.tx_ready = round == 0 ? 100 : 30 + 30 * round;
		b.master_gap = round == 1 ? 30 : 0;
		for (unsigned words = 1; words <= 32; words++)
			for (unsigned low = 0; low < 8; low++)
				for (unsigned high = words == 1 ? low : 0; high < 8; high++) {
					WriteJob w;

					if (words > 4 && words < 31 && (low ^ high ^ words) & 3)
						continue;
					w.address = (b.random.chance(50) ? 0x1234567000ull
									 : 0x89abc000ull) +
						    8 * b.random.below(513 - words);
					w.first = words == 1 ? strobe_from(low, high)
							     : strobe_from(low, 7);
					w.last = words == 1 ? b.random.below(256)
							    : strobe_from(0, high);
					for (unsigned i = 0; i < words; i++)
						w.words.push_back(b.random.next());
					beats += words;
					all.push_back(w);
				}
		for (auto &w : all)
			b.writes.push_back(w);
		b.settle();
		tap.equal(b.tx.size() - from, all.size(), "one TLP per write");
		for (size_t i = 0; i < all.size() && from + i < b.tx.size(); i++)
			tap.check(bytes_of(tap, b.tx[from + i]) == bytes_of(all[i]),
				  "bytes of a write", i);
		tap.equal(b.accepted.size() - pulses, beats, "pulses");
		for (size_t i = 0; i < all.size(); i++)
			for (size_t k = 0; k < all[i].words.size() && pulses < b.accepted.size();
			     k++, pulses++)
				tap.equal(b.accepted[pulses], k == all[i].words.size() - 1 ? 16 : 0,
					  "status and last of a pulse");
	}
	tap.equal(b.tx_writes, b.tx.size() - b.tx_completions, "writes counted");

	/* bus mastering off: dropped, in order with writes still on their way */
	const unsigned readers[][2] = { { 2, 9 }, { 13, 22 }, { 0, 31 } };
	Bench c(tap, rf::seed());
	c.enumerate();
	for (unsigned master = 0; master < 2; master++) {
		size_t from = c.tx.size(), pulses = c.accepted.size();

		c.config_write(4, master ? 6 : 2);
		from = c.tx.size();
		for (unsigned n = 0; n < 6; n++)
			c.writes.push_back({ 0x1000 + n * 256, n & 1 ? 0xf0u : 0xffu,
					     n & 2 ? 0x0fu : 0xffu, std::vector<uint64_t>(1 + n) });
		for (const auto &r : readers)
			if (!master)
				c.reads.push_back({ 0x4000, 4, r[0], r[1] });
		c.settle(300);
		tap.equal(c.tx.size() - from, master ? 6 : 0, "writes sent");
		tap.equal(c.accepted.size() - pulses, 21, "pulses with and without bus mastering");
		for (; pulses < c.accepted.size(); pulses++)
			tap.equal(c.accepted[pulses] & 15, master ? 0 : 6,
				  "status without bus mastering");
		if (!master) {
			for (const auto &r : readers)
				tap.equal(c.responses[r[0] << 5 | r[1]].status, 6,
					  "read without bus mastering");
			tap.equal(c.tx_reads.size(), 0, "no read TLP");
			c.responses.clear();
		}
	}
	tap.end();
}

void test_latency(rf::Tap &tap)
{
	tap.begin("pcie.latency: write, read, message and ring");
	Bench b(tap, rf::seed());
	b.enumerate();
	b.table(1, 0xfee00000, 0x41, false);
	b.settle();

	b.writes.push_back({ 0x2000, 255, 255, std::vector<uint64_t>(8) });
	b.writes.push_back({ 0x3000, 255, 255, std::vector<uint64_t>(1) });
	b.settle();
	tap.equal(b.accepted_cycle[0] - b.write_cycle[0], 2,
		  "write beat accepted on the posted stream, and told");
	tap.equal(b.accepted_cycle[8] - b.write_cycle[0], 10, "nine beats, two TLPs, no bubble");
	b.reads.push_back({ 0x2000, 1, 0, 0 });
	b.reads.push_back({ 0x4000, 2, 0, 1 });
	b.run(10);
	tap.equal(b.tx_reads.at(0).cycle - b.read_cycle.at(0), 1, "read to read stream");
	tap.equal(b.tx_reads.at(1).cycle - b.read_cycle.at(0), 2, "a read per cycle");
	b.send(completion(b.tx_reads[0].tag(), 0, 8, 0, { 1, 2 }));
	b.run(12);
	printf("# completion to response %" PRIu64 " cycles\n",
	       b.responses[0].cycle - b.rx_last_beat);
	b.send(completion(b.tx_reads[1].tag(), 0, 16, 0, { 1, 2, 3, 4 }));
	b.settle();
	tap.check(b.responses[0].cycle > 0 && b.responses[1].lasts == 1, "answered");
	b.interrupts.push_back(1);
	b.settle();
	printf("# message request to TLP %" PRIu64 " cycles\n",
	       b.tx.back().cycle - b.interrupt_cycle.back());
	tap.check(b.tx.back().cycle - b.interrupt_cycle.back() <= 2, "message in two cycles");
	b.write(Bar0 + Doorbells, { 1, 0 });
	b.settle();
	printf("# ring to doorbell pulse %" PRIu64 " cycles\n",
	       b.rings.at(0).cycle - b.rx_last_beat);
	tap.check(b.rings.at(0).cycle - b.rx_last_beat <= 2, "ring in two cycles");
	size_t sent = b.tx.size();
	b.send(request(MRd, false, Bar0 + 0x18, 2, 15, 15, 1));
	b.settle();
	printf("# register read to completion %" PRIu64 " cycles\n",
	       b.tx.at(sent).cycle - b.rx_last_beat);
	tap.end();
}

void test_orders(rf::Tap &tap)
{
	tap.begin("pcie.transmit orders hold under load (monitors), events add up");
	for (unsigned round = 0; round < 3; round++) {
		Bench b(tap, rf::seed() + 17 * round);
		unsigned reads, asked = 0, interrupts = 0, master_reads = 0, writes = 0;
		uint64_t write_bytes = 0;

		b.enumerate();
		for (unsigned v = 0; v < 4; v++)
			b.table(v, v & 1 ? 0xfee00000 : 0x45fee00000ull, v, false);
		b.settle();
		HostMemory host(b, 256);
		size_t from = b.tx.size();
		reads = b.tx_completions;
		b.one_message_per_request = true;
		b.tx_ready = 50 + 25 * round;
		b.read_ready = 40 + 30 * round;
		b.rx_gap = 20;
		b.master_gap = 10;
		for (unsigned n = 0; n < 8000; n++) {
			if (b.writes.size() < 3 && b.random.chance(40)) {
				unsigned words = 1 + b.random.below(b.random.chance(80) ? 4 : 32);
				unsigned low = b.random.below(8), high = b.random.below(8);
				WriteJob w = { 0x800000 + b.random.below(256) * 4096,
					       0,
					       strobe_from(0, high),
					       {} };

				w.first = strobe_from(low, words == 1 ? std::max(low, high) : 7);
				for (unsigned i = 0; i < words; i++)
					w.words.push_back(b.random.next());
				writes++;
				b.writes.push_back(w);
			}
			unsigned id = master_reads % 32;
			if (b.reads.size() < 2 && b.random.chance(30) &&
			    (master_reads < 32 || b.responses[id].lasts)) {
				b.responses.erase(id);
				b.reads.push_back({ 0x100000 + b.random.below(64) * 4096,
						    1 + (unsigned)b.random.below(8), 0, id });
				master_reads++;
			}
			if (b.interrupts.size() < 2 && b.random.chance(10)) {
				b.interrupts.push_back(b.random.below(4));
				interrupts++;
			}
			if (b.rx.size() < 3 && asked - (b.tx_completions - reads) < 7 &&
			    b.random.chance(30)) {
				b.send(request(MRd, false, Bar0 + 8 * b.random.below(4000),
					       1 + b.random.below(2), 15, 0, asked & 31));
				if (b.rx.back().length() == 2)
					b.rx.back().dw[1] |= 0xf0;
				asked++;
			}
			host.step();
			b.step();
		}
		for (unsigned n = 0;
		     n < 20000 && !(b.reads.empty() && host.pending.empty() && b.top.idle_o); n++) {
			host.step();
			b.step();
		}
		b.settle();
		tap.equal(b.tx_completions - reads, asked, "completions");
		tap.equal(b.tx_msix, interrupts, "messages");
		tap.equal(b.tx_writes, writes, "writes");
		tap.equal(b.tx.size() - from, asked + interrupts + writes, "posted TLPs");
		tap.equal(b.tx_reads.size(), master_reads, "reads");
		for (size_t i = from; i < b.tx.size(); i++)
			if (b.tx[i].type() == 0)
				write_bytes += b.tx[i].data.size() * 4;
		tap.equal(b.tx_write_bytes + 4 * b.tx_msix, write_bytes, "bytes written");
		tap.check(b.tx_read_bytes > 0 && b.rx_completions >= master_reads,
			  "read bytes, completions");
		tap.check(asked > 100 && interrupts > 100 && master_reads > 100, "there was load");
	}
	tap.end();
}

void test_deadlock(rf::Tap &tap)
{
	tap.begin(
		"pcie.both transmit streams blocked: posted writes and completions still come in");
	Bench b(tap, rf::seed());
	b.enumerate();
	for (unsigned n = 0; n < 6; n++)
		b.reads.push_back({ 0x10000 + n * 4096, 32, 1, n });
	b.run(30);
	tap.equal(b.tx_reads.size(), 6, "reads out");
	b.tx_ready = b.read_ready = 0;
	b.writes.push_back({ 0x2000, 255, 255, std::vector<uint64_t>(4) });
	b.reads.push_back({ 0x20000, 1, 1, 20 });
	b.reads.push_back({ 0x21000, 1, 1, 21 });
	size_t from = b.tx.size();
	for (unsigned n = 0; n < 8; n++)
		b.send(request(MRd, false, Bar2 + n * 64, 2, 15, 15, n));
	for (unsigned n = 0; n < 300; n++) {
		b.write(Bar2 + 0x4000 + n * 8, { n, ~n });
		b.write(Bar0 + 0x800 + n % 64 * 8, { n, n });
		if (n % 50 == 0) {
			std::vector<uint32_t> data(64);
			b.send(completion(b.tx_reads[n / 50].tag(), 0, 256, 0, data));
		}
	}
	for (int i = 0; i < 20000 && !b.rx.empty(); i++)
		b.step();
	b.run(200);
	tap.equal(b.rx.size(), 0, "everything received");
	tap.equal(b.register_writes, 300, "register writes performed");
	tap.equal(*(uint32_t *)&b.local[0x4000 + 299 * 8], 299, "local writes performed");
	for (unsigned n = 0; n < 6; n++)
		tap.equal(b.responses[1 << 5 | n].lasts, 1, "responses delivered");
	tap.equal(b.tx.size(), from, "nothing sent");
	b.tx_ready = b.read_ready = 100;
	b.run(400);
	tap.equal(b.tx.size() - from, 9, "then a write and eight completions");
	tap.equal(b.tx_reads.size(), 8, "and two reads");

	/* requests beyond the queue wait at the door and lose nothing */
	b.tx_ready = 0;
	from = b.tx.size();
	for (unsigned n = 0; n < 14; n++)
		b.send(request(MRd, false, Bar2 + 0x4000 + n * 8, 1, 15, 0, 0x40 + n));
	b.run(300);
	b.tx_ready = 100;
	b.run(400);
	tap.equal(b.tx.size() - from, 14, "fourteen requests, fourteen completions");
	for (unsigned n = 0; n < 14 && from + n < b.tx.size(); n++)
		tap.check(b.tx[from + n].tag() == 0x40 + n && b.tx[from + n].data.at(0) == n,
			  "in order, each with its own", b.tx[from + n].tag(), 0x40 + n);

	/* a blocked read stream alone holds back nothing posted */
	b.read_ready = 0;
	b.reads.push_back({ 0x22000, 1, 1, 22 });
	b.run(5);
	from = b.tx.size();
	for (unsigned n = 0; n < 20; n++)
		b.writes.push_back({ 0x3000, 255, 255, std::vector<uint64_t>(4) });
	b.run(120);
	tap.equal(b.tx.size() - from, 20, "writes pass a blocked read");
	tap.end();
}

/* With the tag of a read that is under way, for another function. */
void test_foreign_completion(rf::Tap &tap)
{
	tap.begin("pcie.a completion for another requester is unexpected");
	Bench b(tap, rf::seed());

	b.enumerate();
	for (unsigned bit = 0; bit < 16; bit++) {
		const unsigned answered = b.responses.size(), unexpected = b.unexpected;

		b.reads.push_back({ 0x10000, 1, 0, bit });
		b.run(20);
		const unsigned tag = b.tx_reads.back().tag();

		b.send(completion(tag, 0, 8, 0, { 1, 2 }, Device ^ 1 << bit));
		b.run(40);
		tap.equal(b.responses.size(), answered, "no response to ours");
		tap.equal(b.unexpected, unexpected + 1, "and is counted");
		b.send(completion(tag, 0, 8, 0, { 1, 2 }));
		b.run(40);
		tap.equal(b.responses.size(), answered + 1, "the response is");
		tap.equal(b.unexpected, unexpected + 1, "counted once");
	}
	tap.end();
}

void test_quarantine(rf::Tap &tap)
{
	tap.begin("pcie.a late completion of a timed-out read is never taken for a new one");
	Bench b(tap, rf::seed());
	b.enumerate();
	b.top.completion_timeout_i = 500;
	for (unsigned n = 0; n < 16; n++)
		b.reads.push_back({ 0x10000 + n * 4096, 4, 0, n });
	b.run(700);
	tap.equal(b.timeouts, 16, "sixteen time-outs");
	for (unsigned n = 0; n < 16; n++)
		tap.equal(b.responses[n].status, 5, "reported as time-out");
	b.responses.clear();
	b.reads.push_back({ 0x30000, 4, 1, 1 });
	b.run(20);
	tap.equal(b.tx_reads.size(), 16, "all tags in quarantine");
	/* the late one ends the quarantine of its tag, half of one does not */
	unsigned late = b.tx_reads[5].tag();
	b.send(completion(b.tx_reads[3].tag(), 0, 32, 0, { 1, 2, 3, 4 }));
	b.run(30);
	tap.equal(b.tx_reads.size(), 16, "half a response frees nothing");
	b.send(completion(late, 0, 32, 0, { 1, 2, 3, 4, 5, 6, 7, 8 }));
	b.run(40);
	tap.check(b.responses.empty(), "late data is dropped");
	tap.equal(b.unexpected, 2, "and is counted");
	tap.equal(b.tx_reads.size(), 17, "the tag is used again");
	tap.equal(b.tx_reads.back().tag(), late, "that tag");
	b.send(completion(late, 0, 32, 0, { 1, 2, 3, 4, 5, 6, 7, 8 }));
	b.run(40);
	tap.equal(b.responses[1 << 5 | 1].words.size(), 4, "new data goes to the new request");
	b.run(700);
	for (unsigned n = 0; n < 15; n++)
		b.reads.push_back({ 0x40000, 1, 2, n });
	b.run(60);
	tap.equal(b.tx_reads.size(), 32, "quarantine ends after twice the time-out");

	/* A part of a response, poisoned, comes in any cycle around the time-out: one
	   of both ends the request, and the tag rests for twice the time-out. */
	unsigned by_time = 0, by_poison = 0;
	for (unsigned delay = 0; delay < 60; delay++) {
		Bench d(tap, rf::seed() + delay);
		d.enumerate();
		d.top.completion_timeout_i = 200;
		d.reads.push_back({ 0x10000, 16, 0, 0 });
		d.run(5 + 180 + delay);
		Tlp part = completion(0, 0, 128, 0, std::vector<uint32_t>(16));
		part.dw[0] |= 1 << 14;
		d.send(part);
		d.run(60);
		tap.equal(d.responses[0].lasts, 1, "answered once");
		by_time += d.responses[0].status == 5;
		by_poison += d.responses[0].status == 4;
		for (unsigned n = 0; n < 16; n++)
			d.reads.push_back({ 0x20000, 1, 1, n });
		while (d.tx_reads.size() < 17 && d.cycle < 2000)
			d.step();
		uint64_t reused = 0;
		for (size_t i = 1; i < d.tx_reads.size(); i++)
			if (d.tx_reads[i].tag() == d.tx_reads[0].tag())
				reused = d.tx_reads[i].cycle - d.tx_reads[0].cycle;
		tap.check(reused >= 395, "tag used again too early", reused, 395);
	}
	tap.check(by_time > 5 && by_poison > 5, "both sides of the race were hit", by_time,
		  by_poison);

	/* disabled by the driver, and by the operating system */
	Bench c(tap, rf::seed());
	c.enumerate();
	c.top.completion_timeout_i = 50;
	c.config_write(0x78, 0x10);
	c.reads.push_back({ 0x10000, 4, 0, 0 });
	c.run(1000);
	tap.equal(c.timeouts, 0, "disabled in device control 2");
	c.config_write(0x78, 0);
	c.top.completion_timeout_i = 0;
	c.run(1000);
	tap.equal(c.timeouts, 0, "0 is never");
	c.top.completion_timeout_i = 50;
	c.run(100);
	tap.equal(c.timeouts, 1, "enabled again");
	tap.check(c.config_read(0x58) & 0x20000, "non-fatal error detected");
	tap.end();
}

void test_abort_status(rf::Tap &tap)
{
	tap.begin("pcie.status registers say what came back");
	Bench b(tap, rf::seed());
	b.enumerate();
	b.config_write(4, 0x46);
	unsigned want[3] = { 0x20000000, 0x10000000, 0x81000000 };
	for (unsigned n = 0; n < 3; n++) {
		b.reads.push_back({ 0x10000, 1, 0, n });
		b.run(20);
		Tlp t = completion(
			b.tx_reads.back().tag(),
			n == 0	 ? 1
			: n == 1 ? 4
				 : 0,
			8, 0, n == 2 ? std::vector<uint32_t>({ 1, 2 }) : std::vector<uint32_t>());
		t.dw[0] |= n == 2 ? 1u << 14 : 0;
		b.send(t);
		b.settle();
		tap.equal(b.responses[n].status, 2 + n, "status of the response");
		tap.equal(b.config_read(4) & 0xf9000000, want[n], "status register");
		b.config_write(4, 0xffff0046);
		tap.equal(b.config_read(4), 0x00100046, "cleared");
	}
	tap.end();
}

void test_function_reset(rf::Tap &tap)
{
	tap.begin("pcie.function-level reset: answered first, no TLP cut, what must stay stays");
	Bench b(tap, rf::seed());
	b.enumerate();
	b.table(0, 0xfee00000, 7, false);
	b.settle();
	b.reads.push_back({ 0x10000, 4, 0, 1 });
	b.run(10);
	tap.check(b.config_read(0x58) & 0x200000, "transactions pending");
	b.tx_ready = 0;
	b.writes.push_back({ 0x2000, 255, 255, std::vector<uint64_t>(8) });
	b.run(10);
	size_t from = b.tx.size();
	Tlp t = request(Cfg0, true, 0, 1, 15, 0, 0x21);
	t.dw[2] = (uint32_t)Device << 16 | 0x58;
	t.data[0] = 0xa020;
	b.send(t);
	b.run(200);
	tap.equal(b.resets, 0, "not before its completion has left");
	b.tx_ready = 100;
	b.run(60);
	tap.check(b.resets >= 4, "a pulse of some cycles", b.resets);
	tap.equal(b.tx.size() - from, 2, "the write whole, then the completion");
	tap.equal(b.tx.back().tag(), 0x21, "completion");
	tap.equal(b.config_read(4), 0x00100000, "command cleared");
	tap.equal(b.config_read(0x10), 4, "BAR cleared");
	tap.equal(b.config_read(0x90) >> 31, 0, "MSI-X disabled");
	tap.equal(b.config_read(0x58), 0x2030, "max payload kept, nothing pending");
	b.send(completion(b.tx_reads[0].tag(), 0, 32, 0, std::vector<uint32_t>(8)));
	b.run(60);
	tap.check(b.responses.empty(), "a response from before goes to nobody");
	b.enumerate();
	b.reads.push_back({ 0x10000, 1, 0, 1 });
	b.run(10);
	b.send(completion(b.tx_reads.back().tag(), 0, 8, 0, { 1, 2 }));
	b.send(request(MRd, false, Bar4 + 12, 1, 15, 0, 3));
	b.settle();
	tap.equal(b.responses[1].lasts, 1, "reads work again");
	tap.equal(b.tx.back().data.at(0), 1, "vector masked again");
	tap.end();
}

/* A write that begins in any cycle around that of the configuration write */
void test_reset_meets_write(rf::Tap &tap)
{
	tap.begin(
		"pcie.function-level reset: no write is cut that begins before or after it is asked");
	for (unsigned after = 0; after < 40; after++) {
		Bench b(tap, rf::seed() + after);
		b.enumerate();
		b.settle();
		b.master_gap = 0;
		b.tx_ready = after % 2 ? 100 : 60;
		Tlp t = request(Cfg0, true, 0, 1, 15, 0, 0x21);
		t.dw[2] = (uint32_t)Device << 16 | 0x58;
		t.data[0] = 0xa020;
		b.send(t);
		b.run(after);
		for (unsigned n = 0; n < 3; n++)
			b.writes.push_back({ 0x2000, 255, 255, std::vector<uint64_t>(4 + n) });
		b.run(200);
		tap.check(b.resets >= 4, "reset", b.resets);
	}
	tap.end();
}

/* A reset must end in time, whatever the link does with a read of before it. */
void test_reset_with_blocked_read(rf::Tap &tap)
{
	tap.begin("pcie.function-level reset does not wait for a read without credits");
	Bench b(tap, rf::seed());
	b.enumerate();
	b.settle();
	b.read_ready = 0;
	b.reads.push_back({ 0x10000, 4, 0, 1 });
	b.run(10);
	tap.check(b.top.tx_read_tlp_valid_o, "a read waits for credits");
	b.config_write(0x58, 0xa020);
	b.run(100);
	tap.check(b.resets >= 4, "reset meanwhile", b.resets);
	tap.equal(b.config_read(0x58) & 0x200000, 0, "nothing pending for the host");
	b.enumerate();
	b.reads.push_back({ 0x20000, 1, 0, 2 });
	b.run(100);
	tap.equal(b.tx_reads.size(), 0, "none has left");
	b.read_ready = 100;
	b.run(20);
	tap.equal(b.tx_reads.size(), 2, "both leave");
	tap.equal(b.tx_reads.at(0).address(), 0x10000, "the old one as it was shown");
	tap.check(b.tx_reads[0].tag() != b.tx_reads[1].tag(), "its tag is not used again");
	b.send(completion(b.tx_reads[0].tag(), 0, 32, 0, std::vector<uint32_t>(8)));
	b.send(completion(b.tx_reads[1].tag(), 0, 8, 0, { 1, 2 }));
	b.settle();
	tap.equal(b.responses.count(1), 0, "a response from before goes to nobody");
	tap.equal(b.responses[2].lasts, 1, "the new one to its reader");
	tap.end();
}

void test_msix(rf::Tap &tap)
{
	tap.begin("pcie.MSI-X: table and PBA behind BAR 4, masked messages pend, message format");
	Bench b(tap, rf::seed());
	b.enumerate();
	for (unsigned v = 0; v < 4; v++)
		b.table(v, v & 1 ? 0x12fee00000ull + v * 4 : 0xfee00000 + v * 4, 0x100 + v, true);
	b.settle();
	for (unsigned v : { 2u, 0u, 3u, 1u, 2u })
		b.interrupts.push_back(v);
	b.settle();
	tap.equal(b.tx_msix, 0, "masked");
	b.send(request(MRd, false, Bar4 + 0x800, 2, 15, 15, 1));
	b.send(request(MRd, false, Bar4 + 0x14, 5, 15, 15, 2));
	b.settle();
	tap.equal(b.completions_of(1).at(0).data[0], 15, "pending bits");
	auto words = b.completions_of(2).at(0).data;
	tap.check(words == std::vector<uint32_t>({ 0x12, 0x101, 1, 0xfee00008, 0 }),
		  "table entry 1 and 2");
	for (unsigned v = 0; v < 4; v++) {
		b.write(Bar4 + v * 16 + 12, { 0 });
		b.settle();
		tap.equal(b.tx_msix, v + 1, "sent once on unmask");
		const Tlp &m = b.tx.back();
		tap.equal(m.data.at(0), 0x100 + v, "data");
		tap.equal(m.address(), v & 1 ? 0x12fee00000ull + v * 4 : 0xfee00000 + v * 4,
			  "address");
		tap.equal(m.dw[0], v & 1 ? 0x60000001 : 0x40000001, "header");
		tap.equal(m.dw[1], (uint32_t)Device << 16 | 15, "byte enables");
	}
	b.top.msix_test_i = 0xa;
	b.top.msix_test_valid_i = 1;
	b.step();
	b.top.msix_test_valid_i = 0;
	b.settle();
	tap.equal(b.tx_msix, 6, "self-test of two vectors");
	b.config_write(4, 2);
	b.interrupts.push_back(3);
	b.settle();
	tap.equal(b.tx_msix, 6, "not without bus mastering");
	b.config_write(4, 6);
	b.settle();
	tap.equal(b.tx_msix, 7, "but after it");
	tap.end();
}

/* A store that was sent behind a read and may pass it: old or new, in any cycle. */
void test_table_race(rf::Tap &tap)
{
	tap.begin("pcie.a read of the MSI-X table races a store to it");
	Bench b(tap, rf::seed());
	uint32_t value = 0x1000;
	unsigned old = 0, changed = 0;

	b.enumerate();
	b.table(1, value, 5, true);
	b.settle();
	for (unsigned delay = 0; delay < 40; delay++) {
		size_t from = b.tx.size();

		b.send(request(MRd, false, Bar4 + 16, 1, 15, 0, delay & 31));
		b.run(2 + delay);
		b.write(Bar4 + 16, { value + 0x1000 });
		b.settle();
		auto parts = b.completions_of(delay & 31, from);
		uint32_t seen = parts.empty() || parts[0].data.empty() ? 0 : parts[0].data[0];

		tap.check(seen == value || seen == value + 0x1000, "old or new", seen, value);
		old += seen == value;
		changed += seen == value + 0x1000;
		value += 0x1000;
	}
	tap.check(old && changed, "both sides of the race were hit", old, changed);
	tap.end();
}

/* --- errors and messages ---------------------------------------------------------- */

constexpr unsigned ErrCor = 0x30, ErrNonfatal = 0x31, ErrFatal = 0x33;
constexpr unsigned Serr = 0x100; /* of Command */
enum { EnableCor = 1, EnableNonfatal = 2, EnableFatal = 4, EnableUnsupported = 8 };

/* A message with one DW of data, or without; routing 4: for the receiver */
Tlp message(unsigned code, bool with_data = false, unsigned routing = 4)
{
	Tlp t;

	t.dw[0] = (with_data ? 3u : 1u) << 29 | (0x10 | routing) << 24 | with_data;
	t.dw[1] = (uint32_t)Host << 16 | code;
	t.data.resize(with_data);
	return t;
}

std::vector<Tlp> error_messages(const Bench &b, size_t from = 0)
{
	std::vector<Tlp> found;

	for (size_t i = from; i < b.tx.size(); i++)
		if (b.tx[i].type() >> 3 == 2)
			found.push_back(b.tx[i]);
	return found;
}

/* Base Specification 6.2: what each error is, and by which enables it is reported. */
enum Severity { Advisory, Nonfatal, Fatal };

struct Error {
	const char *name;
	Severity severity;
	bool unsupported; /* an Unsupported Request */
	void (*cause)(Bench &b);
};

const Error errors[] = {
	{ "malformed TLP", Fatal, false,
	  [](Bench &b) { b.send(request(MRd, false, Bar2 + 0xffc, 2, 15, 15)); } },
	{ "link's fatal error", Fatal, false,
	  [](Bench &b) {
		  b.top.link_error_fatal_i = 1;
		  b.step();
		  b.top.link_error_fatal_i = 0;
	  } },
	{ "link's correctable error", Advisory, false,
	  [](Bench &b) {
		  b.top.link_error_correctable_i = 1;
		  b.step();
		  b.top.link_error_correctable_i = 0;
	  } },
	{ "read of nothing", Advisory, true,
	  [](Bench &b) { b.send(request(MRd, false, 0x1000, 1, 15, 0, 1)); } },
	{ "write to nowhere", Nonfatal, true, [](Bench &b) { b.write(0x1000, { 1 }); } },
	{ "Vendor_Defined Type 0", Nonfatal, true, [](Bench &b) { b.send(message(0x7e)); } },
	{ "Vendor_Defined Type 0 with data", Nonfatal, true,
	  [](Bench &b) { b.send(message(0x7e, true, 2)); } },
	{ "a message of no known code", Nonfatal, true, [](Bench &b) { b.send(message(0x12)); } },
	{ "poisoned write", Nonfatal, false,
	  [](Bench &b) {
		  Tlp t = request(MRd, true, Bar2, 2, 15, 15);

		  t.dw[0] |= 1 << 14;
		  b.send(t);
	  } },
	{ "poisoned Set_Slot_Power_Limit", Nonfatal, false,
	  [](Bench &b) {
		  Tlp t = message(0x50, true);

		  t.data[0] = 0x3ff;
		  t.dw[0] |= 1 << 14;
		  b.send(t);
	  } },
	{ "unexpected completion", Advisory, false,
	  [](Bench &b) {
		  b.send(completion(9, 0, 8, 0, { 1, 2 }));
	  } },
	{ "poisoned completion", Nonfatal, false,
	  [](Bench &b) {
		  b.reads.push_back({ 0x10000, 1, 0, 0 });
		  b.run(20);
		  Tlp t = completion(b.tx_reads.back().tag(), 0, 8, 0, { 1, 2 });

		  t.dw[0] |= 1u << 14;
		  b.send(t);
	  } },
	{ "time-out", Nonfatal, false,
	  [](Bench &b) {
		  b.reads.push_back({ 0x10000, 1, 0, 0 });
		  b.run(600);
	  } },
};

void test_errors(rf::Tap &tap)
{
	for (const Error &error : errors) {
		tap.begin(std::string("pcie.errors: ") + error.name);
		Bench b(tap, rf::seed());

		b.enumerate();
		b.top.completion_timeout_i = 300;
		for (unsigned set = 0; set < 32; set++) {
			bool serr = set & 16, ur = !error.unsupported || (set & EnableUnsupported);
			unsigned status = error.unsupported ? 8 : 0, code = 0;

			if (error.severity == Advisory) {
				code = (set & EnableCor) && ur ? ErrCor : 0;
				status |= 1;
			} else if (error.severity == Nonfatal) {
				code = serr || ((set & EnableNonfatal) && ur) ? ErrNonfatal : 0;
				status |= 2;
			} else {
				code = serr || (set & EnableFatal) ? ErrFatal : 0;
				status |= 4;
			}
			b.config_write(0x04, 0x6 | (serr ? Serr : 0));
			b.config_write(0x58, 0x2020 | (set & 15));
			size_t from = b.tx.size();
			unsigned msix = b.tx_msix;

			b.responses.clear();
			error.cause(b);
			b.settle();
			std::vector<Tlp> sent = error_messages(b, from);

			tap.equal(sent.size(), code != 0, "messages");
			if (sent.size() == 1) {
				tap.equal(sent[0].dw[0], 0x30000000, "DW 0");
				tap.equal(sent[0].dw[1], (uint32_t)Device << 16 | code, "DW 1");
				tap.equal(sent[0].dw[2] | sent[0].dw[3], 0, "reserved");
			}
			tap.equal(b.tx_msix, msix, "counted as MSI-X");
			tap.equal(b.config_read(0x58) >> 16 & 15, status, "Device Status");
			tap.equal(b.config_read(0x04) >> 30 & 1, serr && error.severity != Advisory,
				  "Signaled System Error");
			b.config_write(0x58, 0x000f2020);
			b.config_write(0x04, 0xffff0006);
			tap.equal(b.config_read(0x04) >> 16, 0x10, "Status is cleared");
			b.run(700); /* a tag's quarantine */
		}
		tap.equal(b.config_read(0x54), 0x10008001, "no power limit");
		tap.end();
	}
}

/* Errors of one kind merge while a message waits, and none is forgotten. */
void test_errors_pending(rf::Tap &tap)
{
	tap.begin("pcie.errors while nothing can be sent: one message of each kind at least");
	Bench b(tap, rf::seed());

	b.enumerate();
	b.config_write(0x58, 0x202f);
	b.tx_ready = 0;
	b.writes.push_back({ 0x2000, 255, 255, std::vector<uint64_t>(8) });
	b.run(10);
	for (unsigned i = 0; i < 50; i++) {
		b.send(message(0x7e));
		b.send(request(MRd, false, Bar2 + 0xffc, 2, 15, 15));
		b.top.link_error_correctable_i = i & 1;
		b.run(4);
	}
	b.top.link_error_correctable_i = 0;
	b.run(20);
	b.tx_ready = 100;
	b.settle();
	unsigned codes[3] = {};
	std::vector<Tlp> sent = error_messages(b);

	for (const Tlp &t : sent)
		codes[t.dw[1] & 3 ? (t.dw[1] & 3) / 2 + 1 : 0]++;
	tap.check(codes[0] && codes[1] && codes[2] && sent.size() <= 4, "messages", sent.size());
	tap.equal(b.tx[b.tx.size() - sent.size() - 1].fmt() & 2, 2, "behind the write");

	/* An error in every cycle around the message of the one before: never less than one after
	   the last, and as many as there were if they are far enough apart. */
	for (unsigned distance = 1; distance < 40; distance++) {
		size_t from = b.tx.size();
		uint64_t last = 0;

		for (unsigned i = 0; i < 10; i++) {
			b.top.link_error_correctable_i = 1;
			b.step();
			last = b.cycle;
			b.top.link_error_correctable_i = 0;
			b.run(distance);
		}
		b.settle();
		sent = error_messages(b, from);
		tap.check(sent.size() <= 10 && (distance < 12 || sent.size() == 10), "messages",
			  sent.size(), distance);
		tap.check(!sent.empty() && sent.back().cycle > last, "after the last error");
	}
	tap.end();
}

/* Errors without end, MSI-X, writes, completions: each gets through. */
void test_errors_meet(rf::Tap &tap)
{
	for (bool stalls : { false, true }) {
		tap.begin(std::string("pcie.errors among writes, MSI-X and completions") +
			  (stalls ? ", slowly" : ""));
		Bench b(tap, rf::seed() + stalls);

		b.enumerate();
		b.config_write(0x58, 0x202f);
		for (unsigned v = 0; v < 4; v++)
			b.table(v, 0xfee00000 + v * 4, v, false);
		b.settle();
		b.tx_ready = stalls ? 40 : 100;
		b.master_gap = stalls ? 30 : 0;
		size_t from = b.tx.size();
		unsigned msix = b.tx_msix, reads = 0;

		for (unsigned i = 0; i < 6000; i++) {
			b.top.link_error_correctable_i = b.random.chance(50);
			if (b.writes.size() < 2)
				b.writes.push_back(
					{ 0x2000, 255, 255, std::vector<uint64_t>(1 + i % 16, i) });
			if (i % 40 == 0 && i < 4000)
				b.interrupts.push_back(i / 40 % 4);
			if (i % 100 == 0)
				b.send(request(MRd, false, Bar2, 1, 15, 0, reads++ & 31));
			b.step();
		}
		b.top.link_error_correctable_i = 0;
		b.settle();
		unsigned completions = 0;

		for (size_t i = from; i < b.tx.size(); i++)
			completions += b.tx[i].type() == Cpl;
		/* One whose vector waits merges. */
		tap.check(b.tx_msix - msix >= (stalls ? 60 : 100), "MSI-X messages",
			  b.tx_msix - msix);
		tap.check(b.tx_msix - msix <= 100, "MSI-X messages", b.tx_msix - msix);
		tap.equal(completions, reads, "completions");
		tap.check(error_messages(b, from).size() > 50, "error messages",
			  error_messages(b, from).size());
		tap.end();
	}
}

/* A write without bus mastering takes the path of the others and is dropped at its end. */
void test_errors_behind_dropped_writes(rf::Tap &tap)
{
	tap.begin("pcie.errors behind writes that are dropped: the message is sent");
	Bench b(tap, rf::seed());

	b.enumerate();
	b.config_write(0x04, 0x2);
	b.config_write(0x58, 0x202f);
	for (unsigned gap = 0; gap < 16; gap++) {
		size_t from = b.tx.size();

		b.writes.push_back({ 0x10000, 0xff, gap & 1 ? 0xffu : 0, { 1 } });
		if (gap & 1)
			b.writes.back().words.push_back(2);
		b.run(gap);
		b.write(0x1000, { 1 }); /* to nowhere */
		b.settle();
		tap.check(error_messages(b, from).size() > 0, "a message", gap);
		tap.equal(b.tx.size() - from, error_messages(b, from).size(), "no write");
	}
	tap.end();
}

void test_errors_power(rf::Tap &tap)
{
	tap.begin("pcie.errors in D3hot: of a TLP at once, a time-out's in D0");
	Bench b(tap, rf::seed());

	b.enumerate();
	b.config_write(0x58, 0x202f);
	b.top.completion_timeout_i = 300;
	tap.equal(b.top.d3hot_o, 0, "D0");
	b.reads.push_back({ 0x10000, 1, 0, 0 });
	b.run(20);
	b.config_write(0x44, 3);
	b.run(2);
	tap.equal(b.top.d3hot_o, 1, "D3hot");
	size_t from = b.tx.size();
	b.write(Bar2, { 1 });
	b.run(40);
	tap.equal(error_messages(b, from).size(), 1, "for the write");
	b.run(500);
	tap.equal(b.timeouts, 1, "a time-out");
	tap.equal(error_messages(b, from).size(), 1, "none for the time-out");
	b.config(0x44, true, 0);
	b.run(40);
	tap.equal(b.top.d3hot_o, 0, "D0 again");
	tap.equal(error_messages(b, from).size(), 2, "for the time-out");

	/* A reset forgets, and takes back what was not sent. */
	b.reads.push_back({ 0x10000, 1, 0, 1 });
	b.run(20);
	b.config_write(0x44, 3);
	b.run(500);
	tap.equal(b.timeouts, 2, "a time-out");
	from = b.tx.size();
	b.config_write(0x58, 0xa02f);
	b.run(100);
	tap.check(b.resets > 0, "reset");
	b.config_write(0x58, 0x202f);
	b.run(100);
	tap.equal(error_messages(b, from).size(), 0, "forgotten");
	tap.end();

	tap.begin("pcie.a function-level reset in any cycle of an error message");
	unsigned sent = 0;

	for (unsigned delay = 0; delay < 40; delay++) {
		Bench d(tap, rf::seed() + delay);

		d.enumerate();
		d.config_write(0x58, 0x202f);
		Tlp t = request(Cfg0, true, 0, 1, 15, 0, 0x21);

		t.dw[2] = (uint32_t)Device << 16 | 0x58;
		t.data[0] = 0xa02f;
		d.send(t);
		d.run(delay);
		d.top.link_error_fatal_i = 1;
		d.step();
		d.top.link_error_fatal_i = 0;
		d.run(100);
		tap.check(d.resets > 0, "reset");
		tap.check(error_messages(d).size() <= 1, "once");
		sent += error_messages(d).size();
		d.config_write(0x58, 0x202f);
		d.write(0x1000, { 1 });
		d.settle();
		tap.equal(error_messages(d).back().dw[1] & 255, ErrNonfatal, "messages go on");
	}
	tap.check(sent > 0 && sent < 40, "sent before the reset", sent);
	tap.end();
}

void test_messages(rf::Tap &tap)
{
	tap.begin("pcie.received messages: what each code is");
	Bench b(tap, rf::seed());
	const std::set<unsigned> known = { 0x00, 0x14, 0x19, 0x40, 0x41, 0x43,
					   0x44, 0x45, 0x47, 0x48, 0x50, 0x7f };
	const std::set<unsigned> any_class = {
		0x40, 0x41, 0x43, 0x44, 0x45, 0x47, 0x48, 0x7e, 0x7f
	};

	b.enumerate();
	for (unsigned code = 0; code < 256; code++) {
		for (bool with_data : { false, true }) {
			unsigned before = b.unsupported, bad = b.malformed;

			b.send(message(code, with_data));
			b.settle();
			if (code == 0x50 && !with_data) {
				tap.equal(b.malformed, bad + 1, "a power limit without data");
				continue;
			}
			tap.equal(b.malformed, bad, "malformed");
			tap.equal(b.unsupported - before, !known.count(code), "unsupported");
		}
		/* Traffic classes (2.2.8): checked of those that the specification lists. */
		Tlp t = message(code, code == 0x50);
		unsigned bad = b.malformed;

		t.dw[0] |= 3 << 20;
		b.send(t);
		b.settle();
		if (any_class.count(code))
			tap.equal(b.malformed, bad, "any traffic class");
		else if (known.count(code))
			tap.equal(b.malformed, bad + 1, "traffic class not 0");
	}
	Tlp t = message(0x50, true);

	t.dw[0]++;
	t.data.resize(2);
	unsigned bad = b.malformed;
	b.send(t);
	b.settle();
	tap.equal(b.malformed, bad + 1, "a power limit of two DWs");
	tap.end();

	tap.begin("pcie.the slot's power limit is captured");
	Bench c(tap, rf::seed());

	c.enumerate();
	for (unsigned i = 0; i < 50; i++) {
		uint32_t data = c.random.next();

		t = message(0x50, true);
		t.data[0] = data;
		c.send(t);
		c.settle();
		tap.equal(c.config_read(0x54), 0x10008001 | (data & 0x3ff) << 18,
			  "Device Capabilities");
	}
	uint32_t before = c.config_read(0x54);
	t.error = true;
	t.data[0] = ~t.data[0];
	c.send(t);
	c.settle();
	tap.equal(c.config_read(0x54), before, "one that the link found bad");
	c.config_write(0x54, ~0u);
	tap.equal(c.config_read(0x54), before, "read only");
	c.config_write(0x58, 0xa020);
	c.run(100);
	tap.check(c.resets > 0, "reset");
	tap.equal(c.config_read(0x54), before, "a function-level reset keeps it");
	tap.end();
}

void test_link_registers(rf::Tap &tap)
{
	tap.begin("pcie.registers of the link");
	Bench b(tap, rf::seed());

	b.enumerate();
	tap.equal(b.config_read(0x5c), 0x00400012, "Link Capabilities without a link");
	tap.equal(b.config_read(0x60) >> 16, 0x0012, "Link Status");
	tap.equal(b.config_read(0x7c), 0x6, "Link Capabilities 2");
	tap.equal(b.config_read(0x80), 0x2, "Link Control 2");
	b.top.link_speed_i = 1;
	b.top.link_width_i = 1;
	b.top.link_slot_clock_i = 1;
	tap.equal(b.config_read(0x5c), 0x00400011, "Link Capabilities: 2.5 GT/s, ASPM optionality");
	tap.equal(b.config_read(0x60) >> 16, 0x1011, "Link Status: slot clock");
	tap.equal(b.config_read(0x7c), 0x2, "Link Capabilities 2");
	tap.equal(b.config_read(0x80), 0, "Link Control 2");
	b.top.link_speed_i = 2;
	b.top.link_width_i = 4;
	tap.equal(b.config_read(0x5c), 0x00400042, "5 GT/s, four lanes");
	tap.equal(b.config_read(0x60) >> 16, 0x1042, "Link Status");
	tap.equal(b.top.extended_synch_o, 0, "Extended Synch");
	/* Retrain Link and Link Disable are a downstream port's. */
	b.config_write(0x60, 0xff);
	tap.equal(b.config_read(0x60) & 0xffff, 0xcb, "Link Control");
	tap.equal(b.top.extended_synch_o, 1, "Extended Synch");
	b.config_write(0x58, 0xa020);
	b.run(100);
	tap.equal(b.top.extended_synch_o, 1, "kept by a function-level reset");
	b.config_write(0x60, 0x4b);
	tap.equal(b.top.extended_synch_o, 0, "Extended Synch");
	tap.end();
}

/* TD says that a digest was sent; it is taken off before. */
void test_digest(rf::Tap &tap)
{
	tap.begin("pcie.TD is ignored");
	Bench b(tap, rf::seed());

	b.enumerate();
	Tlp t = request(MRd, true, Bar2 + 64, 2, 15, 15);
	t.dw[0] |= 1 << 15;
	t.data = { 0x1111, 0x2222 };
	b.send(t);
	t = request(MRd, false, Bar2 + 64, 2, 15, 15, 5);
	t.dw[0] |= 1 << 15;
	b.send(t);
	b.settle();
	auto parts = b.completions_of(5);
	tap.check(parts.size() == 1 && parts[0].data == std::vector<uint32_t>({ 0x1111, 0x2222 }),
		  "a write and a read");
	tap.equal(parts.at(0).dw[0] >> 15 & 1, 0, "no digest in the answer");
	b.reads.push_back({ 0x10000, 1, 0, 0 });
	b.run(20);
	t = completion(b.tx_reads.back().tag(), 0, 8, 0, { 7, 8 });
	t.dw[0] |= 1 << 15;
	b.send(t);
	b.settle();
	tap.equal(b.responses[0].words.size(), 1, "a completion");
	tap.equal(b.malformed + b.unsupported + b.unexpected, 0, "errors");
	tap.end();
}

void test_fuzz(rf::Tap &tap)
{
	tap.begin("pcie.random TLPs: nothing hangs");
	Bench b(tap, rf::seed());
	b.enumerate();
	b.top.completion_timeout_i = 2000;
	b.tx_ready = 70;
	b.rx_gap = 10;
	unsigned asked = 0;
	for (unsigned n = 0; n < 3000; n++) {
		Tlp t;

		for (auto &d : t.dw)
			d = b.random.next();
		if (b.random.chance(60)) /* mostly something it knows */
			t.dw[0] = (t.dw[0] & ~0xff00ff00u) | b.random.below(4) << 29 |
				  b.random.below(14) << 24;
		if (b.random.chance(70))
			t.dw[0] = (t.dw[0] & ~1023u) | b.random.below(20);
		if (b.random.chance(50)) {
			t.dw[2] = t.fmt() & 1 ? Bar2 >> 32 : (uint32_t)Bar4 + b.random.below(4096);
			t.dw[3] = (uint32_t)Bar2 + b.random.below(LocalBytes);
		}
		if (t.type() == Cfg0 && t.fmt() == 2)
			t.dw[2] |= 0xf00; /* extended space: keep the set-up */
		if (t.fmt() & 2)
			t.data.resize(b.random.chance(80) ? std::min(t.length(), 200u)
							  : 1 + b.random.below(100));
		t.error = b.random.chance(5);
		b.send(t);
		if (b.reads.empty()) {
			b.reads.push_back({ b.random.below(1 << 20) * 8 & ~0x1ffull, 8, asked % 7,
					    asked / 7 % 32 });
			asked++;
		}
		b.run(40);
		b.responses.clear();
	}
	b.settle();
	b.tx_ready = 100;
	tap.equal(b.config_read(0), 0x00011e5f, "alive");
	b.write(Bar2 + 8, { 3, 4 });
	b.send(request(MRd, false, Bar2 + 8, 2, 15, 15, 6));
	size_t from = b.tx.size();
	b.settle();
	auto parts = b.completions_of(6, from);
	tap.check(parts.size() == 1 && parts[0].data == std::vector<uint32_t>({ 3, 4 }),
		  "and works");
	tap.check(b.malformed > 100 && b.unsupported > 100 && b.unexpected > 10,
		  "it saw all kinds");
	tap.end();
}

} /* namespace */

int main()
{
	rf::Tap tap;

	test_configuration(tap);
	test_configuration_values(tap);
	test_configuration_bits(tap);
	test_writes_and_reads(tap);
	test_atomic_order(tap);
	test_doorbells(tap);
	test_unsupported(tap);
	test_payload_lowered(tap);
	test_malformed(tap);
	test_requester(tap);
	test_device_writes(tap);
	test_latency(tap);
	test_orders(tap);
	test_deadlock(tap);
	test_foreign_completion(tap);
	test_quarantine(tap);
	test_abort_status(tap);
	test_function_reset(tap);
	test_reset_meets_write(tap);
	test_reset_with_blocked_read(tap);
	test_msix(tap);
	test_table_race(tap);
	test_errors(tap);
	test_errors_behind_dropped_writes(tap);
	test_errors_pending(tap);
	test_errors_meet(tap);
	test_errors_power(tap);
	test_messages(tap);
	test_link_registers(tap);
	test_digest(tap);
	test_fuzz(tap);
	return tap.status();
}
