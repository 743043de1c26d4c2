/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation alone: the edges of windows and memories, the answer two cycles
 * behind the grant, a fair share for every port, register access during lookups.
 */
#include <deque>

#include "Vrf_translate.h"
#include "harness.h"

namespace {

constexpr unsigned kPorts = 14, kLocalLog2 = 16;
constexpr uint64_t kWindows = 0x2800;

template <class Wide> void put(Wide &wide, unsigned lsb, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned bit = lsb + i;

		wide[bit / 32] &= ~(1u << (bit % 32));
		wide[bit / 32] |= static_cast<uint32_t>((value >> i) & 1) << (bit % 32);
	}
}

struct Window {
	uint64_t base, limit, delta;
};

struct Answer {
	unsigned port;
	bool fault, local;
	uint64_t page;
};

class Bench {
public:
	Vrf_translate top;
	rf::Clock<Vrf_translate> clock{ top };
	rf::Random random{ rf::seed() };
	rf::Tap &tap;
	Window system[16] = {}, local[16] = {};

	explicit Bench(rf::Tap &t) : tap(t)
	{
		top.request_valid_i = 0;
		top.invalidate_busy_i = 0;
		top.old_in_flight_i = 0;
		set_register(false, false, 0, 0, 0);
		clock.reset();
		for (unsigned i = 0; i < 20; i++)
			clock.tick();
		for (auto &w : system)
			w = { ~0xfffull, 0xfff, 0 };
		for (auto &w : local)
			w = { ~0xfffull, 0xfff, 0 };
	}
	~Bench() { top.final(); }

	void set_register(bool valid, bool write, uint64_t address, uint64_t data, unsigned strobe)
	{
		put(top.register_i, 0, 8, strobe);
		put(top.register_i, 8, 64, data);
		put(top.register_i, 72, 14, address >> 3);
		put(top.register_i, 86, 1, write);
		put(top.register_i, 87, 1, valid);
	}

	void write(uint64_t address, uint64_t data)
	{
		set_register(true, true, address, data, 0xff);
		clock.tick();
		set_register(false, false, 0, 0, 0);
	}

	uint64_t read(uint64_t address)
	{
		set_register(true, false, address, 0, 0xff);
		clock.tick();
		set_register(false, false, 0, 0, 0);
		top.eval();
		return top.register_data_o;
	}

	void set(unsigned vmid, bool is_local, Window w)
	{
		uint64_t at = kWindows + 0x40 * vmid + (is_local ? 0x20 : 0);

		write(at, w.base);
		write(at + 8, w.limit);
		write(at + 16, w.delta);
		w.base &= ~0xfffull;
		w.limit |= 0xfff;
		w.delta &= ~0xfffull;
		(is_local ? local : system)[vmid] = w;
	}

	Answer reference(unsigned port, unsigned vmid, uint64_t va) const
	{
		const Window &l = local[vmid], &s = system[vmid];

		if (va >= l.base && va <= l.limit)
			return { port, ((va + l.delta) >> kLocalLog2) != 0, true,
				 (va + l.delta) >> 12 };
		if (va >= s.base && va <= s.limit)
			return { port, ((va + s.delta) >> 55) != 0, false, (va + s.delta) >> 12 };
		return { port, true, false, 0 };
	}

	void check_answer(const Answer &want)
	{
		tap.check(top.answer_valid_o, "answer two cycles behind the grant");
		tap.equal(top.answer_port_o, want.port, "port");
		tap.equal(top.answer_fault_o, want.fault, "fault");
		tap.equal(top.answer_level_o, 0, "level");
		if (!want.fault) {
			tap.equal(top.answer_local_o, want.local, "memory");
			tap.equal(top.answer_page_o, want.page, "page");
		}
	}

	Answer ask(unsigned port, unsigned vmid, uint64_t va)
	{
		put(top.request_i, port * 57, 57, (uint64_t)vmid << 53 | (va >> 12) << 1);
		top.request_valid_i = 1u << port;
		top.eval();
		tap.equal(top.request_ready_o, 1u << port, "granted at once when alone");
		clock.tick();
		top.request_valid_i = 0;
		clock.tick();
		check_answer(reference(port, vmid, va));
		return reference(port, vmid, va);
	}
};

void edges(Bench &b)
{
	const uint64_t top_page = ~0xfffull;

	b.tap.begin("after reset every window is closed, from the first page to the last");
	for (unsigned v = 0; v < 16; v++)
		for (uint64_t va : { uint64_t(0), uint64_t(0x1000), uint64_t(1) << 63, top_page })
			b.tap.check(b.ask(v % kPorts, v, va).fault, "fault");
	b.tap.end();

	b.tap.begin("base and limit are the first and the last page of a window");
	b.set(3, false, { 0x12345000, 0x12347fff, 0x7000000000 });
	b.set(3, true, { 0x12348000, 0x12348fff, 0ull - 0x12345000 });
	for (uint64_t va = 0x12343000; va <= 0x1234a000; va += 0x1000)
		b.ask(va >> 12 & 7, 3, va);
	b.tap.check(b.ask(0, 3, 0x12344000).fault && !b.ask(0, 3, 0x12345000).fault,
		    "below and at base");
	b.tap.check(!b.ask(0, 3, 0x12348000).fault && b.ask(0, 3, 0x12349000).fault,
		    "at and above limit");
	b.tap.check(b.ask(0, 2, 0x12345000).fault && b.ask(0, 4, 0x12345000).fault,
		    "other VMIDs have no window");
	b.tap.end();

	b.tap.begin("a window of the whole space, and one page at its end");
	b.set(5, false, { 0, ~0ull, 0x3000 });
	for (uint64_t va : { uint64_t(0), top_page, top_page - 0x2000, uint64_t(1) << 54 })
		b.ask(13, 5, va);
	b.set(6, false, { top_page, ~0ull, 0x5000 });
	b.tap.check(!b.ask(1, 6, top_page).fault && b.ask(1, 6, top_page - 0x1000).fault,
		    "one page");
	b.tap.end();

	b.tap.begin("no window leads behind its memory");
	b.set(7, false, { 0x100000000000, 0x1000ffffffff, (1ull << 55) - 0x100000000000 - 0x2000 });
	b.tap.check(!b.ask(2, 7, 0x100000001000).fault, "the last page of 55 bits");
	b.tap.check(b.ask(2, 7, 0x100000002000).fault, "bit 55");
	b.set(7, false, { 0x100000000000, 0x1000ffffffff, 1ull << 63 });
	b.tap.check(b.ask(2, 7, 0x100000000000).fault, "bit 63");
	b.set(8, true, { 0x4000, 0xfffff, 0ull - 0x4000 });
	b.tap.check(!b.ask(2, 8, 0x4000 + 0xf000).fault && b.ask(2, 8, 0x4000 + 0x10000).fault,
		    "size of local memory");
	b.set(8, true, { 0x4000, 0xfffff, 1ull << 55 });
	b.tap.check(b.ask(2, 8, 0x4000).fault, "high bits of a local address");
	b.tap.end();
}

void random_load(Bench &b)
{
	struct Request {
		unsigned vmid;
		uint64_t va;
		unsigned waited;
	} requests[kPorts];
	unsigned asking = 0, worst = 0;
	uint64_t grants[kPorts] = {}, cycles = 20000, answers = 0, reads = 0;
	std::deque<std::pair<uint64_t, Answer>> expected;
	bool asked_register = false;
	uint64_t want_register = 0;

	b.tap.begin("random lookups of all ports, with register reads in between");
	for (unsigned v = 0; v < 16; v++) {
		b.set(v, false,
		      { v * 0x1000000ull, v * 0x1000000ull + 0xffffff, 0x5550000000 + v * 0x1000 });
		b.set(v, true,
		      { 0x800000000 + v * 0x10000ull, 0x800000000 + v * 0x10000ull + 0x17fff,
			0ull - 0x800000000 - v * 0x10000ull });
	}
	for (unsigned i = 0; i < cycles; i++) {
		bool full = i > cycles / 2;

		for (unsigned p = 0; p < kPorts; p++) {
			if (!(asking >> p & 1) && (full || b.random.chance(10))) {
				Request &r = requests[p];

				r.vmid = b.random.below(16);
				r.va = b.random.chance(50) ? r.vmid * 0x1000000ull +
								     (b.random.below(0x1400) << 12)
							   : 0x800000000 + r.vmid * 0x10000 +
								     (b.random.below(0x1a) << 12);
				r.waited = 0;
				asking |= 1u << p;
				put(b.top.request_i, p * 57, 57,
				    (uint64_t)r.vmid << 53 | (r.va >> 12) << 1);
			}
		}
		b.top.request_valid_i = asking;
		bool ask_register = b.random.chance(10);
		unsigned vmid = b.random.below(16);

		b.set_register(ask_register, false, kWindows + vmid * 0x40 + 0x28, 0, 0xff);
		b.top.eval();
		if (asked_register)
			b.tap.equal(b.top.register_data_o, want_register,
				    "register read during lookups");
		else
			b.tap.equal(b.top.register_data_o, 0, "quiet");
		asked_register = ask_register;
		reads += ask_register;
		want_register = b.local[vmid].limit;

		unsigned ready = b.top.request_ready_o & asking;

		b.tap.check((ready & (ready - 1)) == 0, "one grant", ready);
		b.tap.check(!ask_register || !ready, "no lookup beside a register read");
		b.tap.check(ready || !asking || ask_register,
			    "a lookup in every cycle in which somebody asks");
		if (!expected.empty() && expected.front().first == i) {
			b.check_answer(expected.front().second);
			expected.pop_front();
			answers++;
		} else {
			b.tap.check(!b.top.answer_valid_o, "an answer that nobody asked for");
		}
		for (unsigned p = 0; p < kPorts; p++) {
			if (ready >> p & 1) {
				expected.push_back({ i + 2, b.reference(p, requests[p].vmid,
									requests[p].va) });
				asking &= ~(1u << p);
				grants[p] += full;
			} else if (asking >> p & 1) {
				worst = std::max(worst, ++requests[p].waited);
			}
		}
		b.clock.tick();
	}
	b.tap.check(answers > 10000 && reads > 500, "something happened", answers, reads);
	for (unsigned p = 0; p < kPorts; p++)
		b.tap.check(grants[p] > cycles / 2 / kPorts / 2, "fair share of a port", grants[p]);
	b.tap.check(worst <= 24, "longest wait, with one register read in ten cycles", worst, 24);
	b.tap.end();
	b.top.request_valid_i = 0;
	b.set_register(false, false, 0, 0, 0);
}

void invalidation(Bench &b)
{
	b.tap.begin("INVALIDATE: one pulse per round, a write meanwhile is a further round");
	unsigned pulses = 0, named = 0;
	bool epoch = b.top.epoch_o;

	b.top.old_in_flight_i = 1;
	b.write(0x2410, 0x0011);
	b.tap.equal(b.read(0x2410), 0x11, "busy from the next cycle");
	for (unsigned i = 0; i < 20; i++) {
		pulses += b.top.flush_o;
		named |= b.top.invalidate_o;
		b.clock.tick();
	}
	b.tap.equal(b.top.epoch_o, !epoch, "a new epoch");
	b.write(0x2410, 0x0100);
	b.tap.equal(b.read(0x2410), 0x111, "both busy");
	b.top.old_in_flight_i = 0;
	b.clock.tick();
	b.top.old_in_flight_i = 1; /* of the second round */
	for (unsigned i = 0; i < 20; i++) {
		b.clock.tick();
		pulses += b.top.flush_o;
		named |= b.top.invalidate_o;
	}
	b.tap.equal(b.read(0x2410), 0x100, "the first is done");
	b.top.old_in_flight_i = 0;
	b.top.invalidate_busy_i = 1;
	for (unsigned i = 0; i < 20; i++)
		b.clock.tick();
	b.tap.equal(b.read(0x2410), 0x100, "waits for the wait unit too");
	b.top.invalidate_busy_i = 0;
	b.clock.tick();
	b.clock.tick();
	b.tap.equal(b.read(0x2410), 0, "done");
	b.tap.equal(named, 0x111, "VMIDs named to the wait unit");
	b.tap.check(pulses >= 1 && pulses <= 2, "pulses", pulses);
	b.tap.equal(b.top.epoch_o, epoch, "two epochs later");
	b.tap.end();
}

} /* namespace */

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	rf::Tap tap;
	Bench bench(tap);

	printf("# seed %" PRIu64 "\n", rf::seed());
	edges(bench);
	random_load(bench);
	invalidation(bench);
	return tap.status();
}
