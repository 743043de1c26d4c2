/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MSI-X table alone, against a model that knows per vector whether a message
 * is owed. Whoever sends takes an offer at a random time.
 */
#include "Vrf_msix.h"
#include "harness.h"
#include "verilated.h"

double sc_time_stamp()
{
	return 0;
}

namespace {

constexpr unsigned Vectors = 4;

struct Bench {
	Vrf_msix top;
	rf::Tap &tap;
	rf::Random random;
	unsigned ready = 100;

	/* the model */
	bool owed[Vectors] = {}, masked[Vectors] = { true, true, true, true };
	uint64_t address[Vectors] = {};
	uint32_t data[Vectors] = {};
	unsigned requests[Vectors] = {}, merged[Vectors] = {}, sent[Vectors] = {},
		 tested[Vectors] = {};
	bool taken = false, all_held = true; /* enables and function mask, a cycle ago */

	explicit Bench(rf::Tap &t) : tap(t), random(rf::seed())
	{
		top.enable_i = 1;
		top.bus_master_i = 1;
		top.rst_ni = 0;
		step();
		step();
		top.rst_ni = 1;
		for (unsigned v = 0; v < Vectors; v++)
			entry(v, random.next() & ~3ull, random.next());
	}

	bool held(unsigned v) const { return masked[v] || all_held; }

	void step()
	{
		top.message_ready_i = random.chance(ready);
		top.clk_i = 0;
		top.eval();
		if (top.rst_ni)
			sample();
		all_held = !top.enable_i || top.function_mask_i || !top.bus_master_i;
		top.clk_i = 1;
		top.eval();
	}

	void sample()
	{
		auto offers = [&] {
			bool any = false;

			for (unsigned v = 0; v < Vectors; v++)
				any |= owed[v] && !held(v);
			return any;
		};

		tap.check(top.idle_o == !offers(), "idle");
		taken = false;
		if (top.request_valid_i && top.request_ready_o) {
			unsigned v = top.request_vector_i;

			taken = true;
			if (v < Vectors) {
				tap.check(!owed[v] || held(v), "a request merged with an offer");
				requests[v]++;
				merged[v] += owed[v];
				owed[v] = true;
			}
		}
		bool offered = top.message_valid_o;

		tap.check(!offered || !top.read_i, "a message in the cycle of a read");
		tap.check(!offered || offers(), "an offer without a request");
		if (offered && top.message_ready_i) {
			unsigned found = Vectors;

			for (unsigned v = 0; v < Vectors; v++)
				if (owed[v] && !held(v) &&
				    top.message_address_o == address[v] >> 2 &&
				    top.message_data_o == data[v] &&
				    top.message_four_dw_o == (address[v] >> 32 != 0))
					found = v;
			tap.check(found < Vectors, "a message of no armed vector",
				  top.message_data_o);
			if (found < Vectors) {
				sent[found]++;
				owed[found] = false;
			}
		}
		for (unsigned v = 0; v < Vectors; v++)
			if (top.test_valid_i && top.test_i >> v & 1) {
				tested[v]++;
				merged[v] += owed[v];
				owed[v] = true;
			}
		if (top.write_i && top.write_address_i < Vectors * 2) {
			unsigned v = top.write_address_i / 2;
			uint64_t w = top.write_data_i;
			bool low = top.write_strobe_i & 15, high = top.write_strobe_i & 0xf0;

			if (top.write_address_i & 1) {
				if (low)
					data[v] = w;
				if (high)
					masked[v] = w >> 32 & 1;
			} else {
				if (low)
					address[v] =
						(address[v] & ~0xffffffffull) | (w & 0xfffffffc);
				if (high)
					address[v] = (address[v] & 0xffffffff) | (w >> 32 << 32);
			}
		}
	}

	void write(unsigned at, uint64_t value, unsigned strobe)
	{
		top.write_i = 1;
		top.write_address_i = at / 8;
		top.write_data_i = value;
		top.write_strobe_i = strobe;
		step();
		top.write_i = 0;
	}

	void entry(unsigned v, uint64_t a, uint32_t d)
	{
		write(v * 16, a, 255);
		write(v * 16 + 8, d, 15);
	}

	void mask(unsigned v, bool m) { write(v * 16 + 8, (uint64_t)m << 32, 0xf0); }

	bool fire(unsigned v)
	{
		top.request_valid_i = 1;
		top.request_vector_i = v;
		step();
		top.request_valid_i = 0;
		return taken;
	}

	uint64_t read(unsigned at)
	{
		top.read_i = 1;
		top.read_address_i = at / 8;
		step();
		top.read_i = 0;
		return top.read_data_o; /* one cycle later */
	}

	void drain()
	{
		ready = 100;
		for (int i = 0; i < 20; i++)
			step();
		for (unsigned v = 0; v < Vectors; v++)
			tap.check(!owed[v] || held(v), "a message lost", v);
	}
};

void test_each(rf::Tap &tap)
{
	tap.begin("msix.every vector: masked after reset, pends, sent exactly once on unmask");
	Bench b(tap);
	for (unsigned v = 0; v < Vectors; v++) {
		tap.equal(b.read(v * 16 + 8) >> 32, 1, "mask after reset");
		for (int i = 0; i < 3; i++)
			tap.check(b.fire(v), "a masked request is taken");
		b.drain();
		tap.equal(b.sent[v], 0, "not sent while masked");
		tap.equal(b.read(0x800), 1u << v, "pending");
		uint32_t rewritten = 0x5000 + v;
		b.entry(v, 0xfee00000ull + (v & 1 ? 1ull << 32 : 0) + v * 4, rewritten);
		b.mask(v, false);
		b.drain();
		tap.equal(b.sent[v], 1, "sent once, with the entry as it is now");
		tap.equal(b.read(0x800), 0, "nothing pending");
		tap.check(b.fire(v), "taken");
		tap.equal(b.sent[v], 1, "not in the cycle of the request");
		b.step();
		tap.equal(b.sent[v], 2, "sent one cycle after the request");
		b.mask(v, true);
	}
	b.mask(0, false);
	tap.check(b.fire(0), "taken");
	tap.equal(b.sent[0], 2, "another vector was chosen last");
	b.step();
	tap.equal(b.sent[0], 3, "sent one cycle after the request");
	b.mask(0, true);
	for (unsigned v = Vectors; v < 16; v++)
		tap.check(b.fire(v), "a vector that does not exist is swallowed", v);
	b.drain();
	tap.equal(b.read(0x800), 0, "without a trace");
	tap.end();
}

void test_holds(rf::Tap &tap)
{
	tap.begin(
		"msix.function mask, enable and bus mastering hold messages back, and withdraw offers");
	Bench b(tap);
	b.mask(2, false);
	for (unsigned kind = 0; kind < 4; kind++) {
		unsigned before = b.sent[2];
		auto hold = [&](bool on) {
			if (kind == 0)
				b.top.function_mask_i = on;
			else if (kind == 1)
				b.top.enable_i = !on;
			else if (kind == 2)
				b.top.bus_master_i = !on;
			else
				b.mask(2, on);
		};
		b.ready = 0;
		b.fire(2);
		b.step();
		tap.equal(b.top.message_valid_o, 1, "on offer");
		tap.check(!b.fire(2), "a second request waits for the first");
		hold(true);
		b.step(); /* heeded one cycle later */
		b.drain();
		tap.equal(b.sent[2], before, "withdrawn");
		tap.equal(b.read(0x800), 4, "and pending");
		hold(false);
		b.drain();
		tap.equal(b.sent[2], before + 1, "sent once");
	}
	b.mask(2, true);
	b.fire(2);
	b.mask(1, false);
	b.top.reset_i = 1;
	b.step();
	b.top.reset_i = 0;
	b.owed[2] = false;
	b.masked[1] = true;
	tap.equal(b.read(0x800), 0, "function-level reset clears pending bits");
	tap.equal(b.read(0x18) >> 32, 1, "and masks");
	tap.end();
}

void test_random(rf::Tap &tap)
{
	tap.begin("msix.random requests, masks and table writes: no loss, no double");
	Bench b(tap);
	unsigned withheld = 0;

	for (unsigned n = 0; n < 200000; n++) {
		b.ready = n / 1000 % 3 * 45 + 5;
		if (!b.top.request_valid_i || b.taken) {
			b.top.request_valid_i = b.random.chance(40);
			b.top.request_vector_i = b.random.below(Vectors);
		}
		b.top.test_valid_i = b.random.chance(3);
		b.top.test_i = b.random.next();
		if (b.random.chance(2))
			b.top.function_mask_i = b.random.chance(40);
		if (b.random.chance(2))
			b.top.enable_i = b.random.chance(60);
		b.top.write_i = b.random.chance(25);
		b.top.write_address_i = b.random.below(Vectors * 2);
		b.top.write_data_i = b.random.next();
		if (b.top.write_address_i == 0) /* below 4 GiB now and then */
			b.top.write_data_i = (uint32_t)b.top.write_data_i;
		b.top.write_strobe_i = b.random.chance(40) ? 255 : b.random.chance(50) ? 15 : 0xf0;
		withheld += b.top.request_valid_i && b.held(b.top.request_vector_i);
		b.step();
		if (n % 16 == 0) {
			unsigned v = b.random.below(Vectors);
			unsigned pending = 0;

			b.top.write_i = 0; /* rf_pcie reads in no cycle of a write */
			for (unsigned i = 0; i < Vectors; i++)
				pending |= b.owed[i] << i;
			uint64_t seen = b.read(0x800);
			tap.equal(seen, pending, "PBA");
			tap.equal(b.read(v * 16), b.address[v], "address");
			tap.equal(b.read(v * 16 + 8), (uint64_t)b.masked[v] << 32 | b.data[v],
				  "data and mask");
		}
	}
	b.top.request_valid_i = b.top.test_valid_i = b.top.write_i = 0;
	b.top.function_mask_i = 0;
	b.top.enable_i = 1;
	for (unsigned v = 0; v < Vectors; v++)
		b.mask(v, false);
	b.drain();
	for (unsigned v = 0; v < Vectors; v++) {
		tap.equal(b.sent[v] + b.merged[v], b.requests[v] + b.tested[v],
			  "sent and merged against asked");
		tap.check(b.sent[v] > 1000 && b.merged[v] > 100, "both happened", b.sent[v],
			  b.merged[v]);
	}
	tap.check(withheld > 1000, "requests met a mask");
	tap.end();
}

} /* namespace */

int main()
{
	rf::Tap tap;

	test_each(tap);
	test_holds(tap);
	test_random(tap);
	return tap.status();
}
