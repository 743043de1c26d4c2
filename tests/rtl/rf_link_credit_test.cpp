/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two counts that never wrap, of what was advertised and what was used, say what is admitted: with
 * minimal, many and infinite credits, through many rounds of the counters. Behind each TLP nothing is
 * admitted for a cycle.
 */
#include "Vrf_link_credit.h"
#include "harness.h"

namespace {

class Bench {
public:
	Bench() : clock(top), random(rf::seed()) { printf("# seed %" PRIu64 "\n", rf::seed()); }

	void reset()
	{
		top.link_up_i = 1;
		top.init_i = top.update_i = top.class_i = top.headers_i = top.data_i = 0;
		top.need_i = top.consume_i = top.freed_i = top.freed_data_i = 0;
		top.value_class_i = 0;
		clock.reset();
	}

	void tick()
	{
		clock.tick();
		top.init_i = top.update_i = top.consume_i = top.freed_i = 0;
		top.eval();
	}

	void received(bool init, unsigned kind, uint64_t headers, uint64_t data)
	{
		top.init_i = init;
		top.update_i = !init;
		top.class_i = kind;
		top.headers_i = headers & 255;
		top.data_i = data & 4095;
		tick();
	}

	/* What came counts two cycles later. */
	unsigned admits(unsigned need)
	{
		tick();
		tick();
		top.need_i = need;
		top.eval();
		return top.admits_o;
	}

	void consume(unsigned kind, unsigned need)
	{
		top.need_i = need;
		top.consume_i = 1 << kind;
		tick();
		tap.equal(top.admits_o >> kind & 1, 0, "behind a TLP");
	}

	void value(unsigned kind, uint64_t headers, uint64_t data, const char *what)
	{
		top.value_class_i = kind;
		top.eval();
		tap.equal(top.value_headers_o, headers & 255, what);
		tap.equal(top.value_data_o, data & 4095, what);
	}

	Vrf_link_credit top;
	rf::Clock<Vrf_link_credit> clock;
	rf::Random random;
	rf::Tap tap;
};

void start(Bench &b)
{
	b.tap.begin("nothing is admitted before all classes are known; the first InitFC counts");
	b.reset();
	b.received(false, 0, 9, 99); /* an UpdateFC of an unknown class is none */
	for (unsigned kind = 0; kind < 3; kind++) {
		b.tap.equal(b.top.known_o, 0, "not all are known");
		b.tap.equal(b.admits(0), 0, "nothing");
		b.received(true, kind, 1, 16);
	}
	b.tap.equal(b.top.known_o, 1, "known");
	b.tap.equal(b.admits(16), 7, "room for one");
	b.tap.equal(b.admits(17), 2, "reads have no data");
	for (unsigned kind = 0; kind < 3; kind++)
		b.received(true, kind, 0, 200); /* InitFC2, or late ones */
	b.tap.equal(b.admits(17), 2, "as before");
	b.consume(0, 16);
	b.tap.equal(b.admits(0), 6, "no posted header is left");
	b.consume(1, 5);
	b.consume(2, 3);
	b.tap.equal(b.admits(0), 0, "none at all");
	b.received(false, 2, 2, 16);
	b.tap.equal(b.admits(13), 4, "one more, with what the first left");
	b.tap.equal(b.admits(14), 0, "and no more");
	b.received(false, 1, 2, 16);
	b.tap.equal(b.admits(13), 6, "a read");
	b.tap.end();

	b.tap.begin("DL_Inactive forgets all");
	b.top.freed_i = 1;
	b.top.freed_data_i = 3;
	b.tick();
	b.top.freed_i = 2;
	b.tick();
	b.top.link_up_i = 0;
	b.tick();
	b.top.link_up_i = 1;
	b.tap.equal(b.top.known_o, 0, "unknown");
	b.value(0, 16, 64, "posted");
	b.value(1, 8, 8, "non-posted");
	for (unsigned kind = 0; kind < 3; kind++)
		b.received(true, kind, 1, 16);
	b.tap.equal(b.admits(16), 7, "room for one again");
	for (unsigned kind = 0; kind < 3; kind++)
		b.consume(kind, 1);
	b.tap.equal(b.admits(0), 0, "and no more");
	b.tap.end();
}

/* A class that has @headers and @data of room; infinite if 0. */
void rounds(Bench &b, unsigned kind, unsigned headers, unsigned data)
{
	b.tap.begin("class " + std::to_string(kind) + ", " + std::to_string(headers) +
		    " headers, " + std::to_string(data) + " data credits");
	b.reset();
	uint64_t headers_limit = headers, data_limit = data, headers_used = 0, data_used = 0;
	unsigned refused = 0;

	for (unsigned i = 0; i < 3; i++)
		b.received(true, i, i == kind ? headers : 1, i == kind ? data : 16);
	for (unsigned i = 0; i < 40000; i++) {
		unsigned need = b.random.below(data && data < 256 ? data + 1 : 257);
		unsigned cost = kind == 1 ? 0 : need;
		bool want = (!headers || headers_used + 1 <= headers_limit) &&
			    (!data || data_used + cost <= data_limit);

		b.tap.equal(b.admits(need) >> kind & 1, want, "admitted");
		refused += !want;
		if (want && b.random.chance(60)) {
			b.consume(kind, need);
			headers_used++;
			data_used += cost;
		}
		if (b.random.below(1000) <
		    (i & 2048 ? 300 : 3)) { /* some of what is used gets free */
			if (headers)
				headers_limit +=
					b.random.below(headers_used + headers + 1 - headers_limit);
			if (data)
				data_limit += b.random.below(data_used + data + 1 - data_limit);
			/* What is infinite stays so: the fields mean nothing. */
			b.received(false, kind, headers ? headers_limit : b.random.next(),
				   data ? data_limit : b.random.next());
		}
		b.tap.equal(b.admits(16) & ~(1 << kind), 7 & ~(1 << kind), "the others");
	}
	b.tap.check(headers_used > 2000, "rounds", headers_used);
	b.tap.check(refused > 20 || (!headers && (!data || kind == 1)), "refused", refused);
	b.tap.end();
}

void receiver(Bench &b)
{
	b.tap.begin("what is advertised: the buffer, and all that was freed");
	b.reset();
	uint64_t headers[2] = { 16, 8 }, data[2] = { 64, 8 };

	for (unsigned i = 0; i < 20000; i++) {
		for (unsigned kind = 0; kind < 2; kind++)
			b.value(kind, headers[kind], data[kind], "counts");
		b.value(2, 0, 0, "completions are infinite");
		unsigned kind = b.random.below(3), freed = b.random.below(257);

		b.top.freed_i = kind == 2 ? 0 : 1 << kind;
		b.top.freed_data_i = freed;
		b.tick();
		if (kind < 2) {
			headers[kind]++;
			data[kind] += freed;
		}
	}
	b.tap.end();
}

} // namespace

int main()
{
	static const unsigned sizes[][2] = { { 1, 16 }, { 127, 2047 }, { 8, 64 },
					     { 0, 64 }, { 8, 0 },      { 0, 0 } };
	Bench b;

	start(b);
	for (unsigned kind = 0; kind < 3; kind++)
		for (const auto &size : sizes)
			rounds(b, kind, size[0], size[1]);
	receiver(b);
	return b.tap.status();
}
