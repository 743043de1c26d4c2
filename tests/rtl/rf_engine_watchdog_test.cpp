/* SPDX-License-Identifier: Apache-2.0 */
/* Which engines are reported, when, and how often. */
#include "Vrf_engine_watchdog.h"
#include "bits.h"
#include "harness.h"

namespace {

const unsigned watchdog_register = 0x748, kind_engine_hung = 9; /* ringfence.toml, node 0 */
const unsigned limit = 50;

class Bench {
public:
	Bench(Vrf_engine_watchdog &top, rf::Tap &tap) : top(top), tap(tap), clock(top)
	{
		top.working_i = top.alive_i = top.record_ready_i = 0;
		rf::put(top.register_i, 87, 1, 0);
		clock.reset();
	}
	void set(uint64_t cycles)
	{
		rf::put_register(top.register_i, true, watchdog_register, cycles);
		clock.tick();
		rf::put(top.register_i, 87, 1, 0);
	}
	uint64_t read()
	{
		rf::put_register(top.register_i, false, watchdog_register, 0);
		clock.tick();
		rf::put(top.register_i, 87, 1, 0);
		return top.register_data_o;
	}
	/* Records that are taken in so many cycles. */
	unsigned run(unsigned cycles, unsigned ready_percent, rf::Random &random)
	{
		unsigned records = 0;

		while (cycles--) {
			top.record_ready_i = random.chance(ready_percent);
			top.eval();
			if (top.record_valid_o && top.record_ready_i) {
				tap.equal(rf::bits(top.record_o, 176, 8), kind_engine_hung, "kind");
				tap.equal(rf::bits(top.record_o, 64, 64), top.alive_i, "ALIVE");
				/* of node 0, and of no queue */
				tap.equal(rf::bits(top.record_o, 128, 48) |
						  rf::bits(top.record_o, 0, 64),
					  0, "the rest of it");
				records++;
			}
			clock.tick();
		}
		return records;
	}

	Vrf_engine_watchdog &top;
	rf::Tap &tap;
	rf::Clock<Vrf_engine_watchdog> clock;
};

} /* namespace */

int main()
{
	Vrf_engine_watchdog top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, tap);

	tap.begin("limit 0, as a reset leaves it: nobody is ever told of");
	tap.equal(bench.read(), 0, "WATCHDOG");
	top.working_i = 1;
	tap.equal(bench.run(5000, 100, random), 0, "records");
	tap.end();

	tap.begin("one record, not before the limit, and soon after");
	for (unsigned round = 0; round < 50; round++) {
		top.working_i = 0;
		bench.run(2, 100, random);
		bench.set(limit);
		tap.equal(bench.read(), limit, "WATCHDOG");
		top.alive_i = random.next();
		top.working_i = 1;
		bench.run(2, 0, random);
		tap.equal(bench.run(limit - 4, 100, random), 0, "records before the limit");
		tap.equal(bench.run(10, 100, random), 1, "records at the limit");
		tap.equal(bench.run(1000, 50, random), 0, "records after it");
		top.alive_i++;
		tap.equal(bench.run(limit - 4, 100, random), 0, "records once it moved");
		tap.equal(bench.run(100, 30, random), 1, "records of the next hang");
	}
	tap.end();

	tap.begin("who moves, or has no work, is not told of");
	for (unsigned i = 0; i < 500; i++) {
		unsigned kind = random.below(2);

		if (kind)
			top.alive_i++;
		else
			top.working_i = !top.working_i;
		tap.equal(bench.run(kind ? random.below(limit - 2) : 1, 100, random), 0, "records");
		if (!top.working_i)
			top.working_i = 1;
	}
	tap.end();
	tap.begin("a record stays as it is until it is taken, whatever moves meanwhile");
	for (unsigned round = 0; round < 50; round++) {
		uint32_t stood = random.next();

		top.working_i = 0;
		bench.run(2, 100, random);
		bench.set(limit);
		top.alive_i = stood;
		top.working_i = 1;
		bench.run(limit + 5, 0, random);
		for (unsigned i = 0; i < 3 * limit; i++) {
			tap.check(top.record_valid_o, "the record is on offer");
			tap.equal(rf::bits(top.record_o, 64, 64), stood, "where it stood");
			top.alive_i += random.below(4);
			if (random.chance(20))
				bench.set(random.below(limit));
			else
				bench.clock.tick();
		}
		top.record_ready_i = 1;
		bench.clock.tick();
	}
	tap.end();

	tap.begin("a limit that is passed already counts from its write");
	top.working_i = 0;
	bench.run(2, 100, random);
	bench.set(10 * limit);
	top.working_i = 1;
	tap.equal(bench.run(5 * limit, 100, random), 0, "records before");
	bench.set(limit);
	tap.equal(bench.run(limit - 4, 100, random), 0, "records before the new limit");
	tap.equal(bench.run(10, 100, random), 1, "records at the new limit");
	bench.set(limit);
	tap.equal(bench.run(5 * limit, 100, random), 0, "records of the same hang");
	tap.end();

	tap.begin("a limit of 0 ends a count, whether it stands or moves then");
	for (unsigned round = 0; round < 50; round++) {
		top.alive_i++;
		bench.set(limit);
		bench.run(2 + random.below(limit - 4), 100, random);
		top.alive_i += random.below(2);
		bench.set(0);
		tap.equal(bench.run(3 * limit, 100, random), 0, "records");
		/* ... and the next one begins anew */
		bench.set(limit);
		top.alive_i += random.below(2);
		tap.equal(bench.run(limit - 4, 100, random), 0, "records before the limit");
		tap.equal(bench.run(10, 100, random), 1, "records at the limit");
	}
	tap.end();

	tap.begin("a reset takes limit, count and record");
	for (unsigned round = 0; round < 50; round++) {
		/* also with ALIVE and the count as a reset leaves them */
		top.alive_i = round % 2 ? top.alive_i + 1 : (top.alive_i | 3) + 1;
		bench.set(limit);
		bench.run(round % 4 ? random.below(2 * limit) : 0, 0, random);
		top.rst_ni = 0;
		top.eval();
		tap.equal(top.record_valid_o, 0, "record in a reset");
		top.rst_ni = 1;
		top.eval();
		tap.equal(bench.read(), 0, "WATCHDOG");
		tap.equal(bench.run(2 * limit, 100, random), 0, "records");
		bench.set(limit);
		tap.equal(bench.run(limit - 4, 100, random), 0, "records before the limit");
		tap.equal(bench.run(10, 100, random), 1, "records at the limit");
	}
	tap.end();

	tap.begin(
		"a read of WATCHDOG alone is answered, a write of its upper half changes nothing");
	bench.set(limit);
	for (unsigned address = watchdog_register & ~0xff; address < watchdog_register + 0x200;
	     address += 8) {
		for (unsigned access = 0; access < 4; access++) {
			bool valid = access & 1, write = access & 2;

			rf::put_register(top.register_i, write, address, 3, write ? 0xf0 : 0xff);
			rf::put(top.register_i, 87, 1, valid);
			bench.clock.tick();
			tap.equal(top.register_data_o,
				  valid && !write && address == watchdog_register ? limit : 0,
				  "response");
			if (write && address != watchdog_register) {
				rf::put(top.register_i, 0, 8, 0xff);
				bench.clock.tick();
			}
		}
		rf::put(top.register_i, 87, 1, 0);
	}
	tap.equal(bench.read(), limit, "WATCHDOG at the end");
	tap.end();

	tap.begin("WATCHDOG is written with its first byte, and with no other");
	for (unsigned strobe = 0; strobe < 256; strobe++) {
		bench.set(limit);
		rf::put_register(top.register_i, true, watchdog_register, limit + 1, strobe);
		bench.clock.tick();
		tap.equal(bench.read(), limit + (strobe & 1), "WATCHDOG");
	}
	tap.end();
	return tap.status();
}
