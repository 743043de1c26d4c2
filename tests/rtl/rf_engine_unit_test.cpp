/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine's unit whose clock stands when nothing goes on (rf_clock_gate): it wakes for an operation, a
 * register access and a record, and stays awake while memory answers, however long that takes.
 */
// parameters: -DRF_CLOCK_GATES
#include "Vrf_engine_unit_tb.h"
#include "engine_bench.h"

namespace {

/* ringfence.toml: node 1 */
const unsigned engine_register = 0x778, alive_register = 0x780, watchdog_register = 0x788;
const uint64_t reset_bit = 1, hold_bit = 2, in_reset_bit = 4;
const unsigned opcode_copy = 0x10, error_engine_reset = 15, kind_engine_hung = 9;
const unsigned read_copy = 6; /* rf_bus_pkg::ReadCopy */
const unsigned asleep = 100; /* cycles without anything, ample for the clock to stand */

using Top = Vrf_engine_unit_tb;

class Unit {
public:
	Unit(Top &top, rf::Random &random, rf::Tap &tap) :
	    top(top), random(random), tap(tap), bench(top, random, tap, read_copy)
	{
		top.record_ready_i = top.record_show_i = 0;
	}

	void step()
	{
		bench.step();
		if (bench.done) {
			reported++;
			error = bench.failure.error;
		}
	}
	void run(unsigned cycles)
	{
		while (cycles--)
			step();
	}
	void write(unsigned address, uint64_t value)
	{
		rf::put_register(top.register_i, true, address, value);
		step();
		rf::put(top.register_i, 87, 1, 0);
	}
	uint64_t read(unsigned address)
	{
		rf::put_register(top.register_i, false, address, 0);
		step();
		rf::put(top.register_i, 87, 1, 0);
		return top.register_data_o;
	}

	/* A COPY, offered until it is taken; false: it is not. */
	bool offer(const rf::Behaviour &behaviour)
	{
		const uint64_t bytes = 1 + random.below(2000);
		const uint64_t source = bench.memory.base + random.below(0x2000);
		const uint64_t destination = bench.memory.base + 0x8000 + random.below(0x2000);

		want = bench.memory;
		for (uint64_t i = 0; i < bytes; i++)
			want.at(destination + i) =
				bench.memory.bytes[source + i - bench.memory.base];
		bench.expect(behaviour, { { source, source + bytes } },
			     { destination, destination + bytes });
		reported = 0;
		bench.present({ opcode_copy, 0, { destination, source, bytes, 0 } });
		top.eval();
		for (unsigned i = 0; i < asleep && !top.operation_ready_o; i++)
			step();
		const bool taken = top.operation_ready_o;
		step();
		top.operation_valid_i = 0;
		top.eval();
		return taken && top.busy_o;
	}
	/* What was taken is done, and well. */
	void finish(const char *what)
	{
		for (unsigned i = 0; i < 20000 && !reported; i++)
			step();
		tap.equal(reported, 1, what);
		if (!reported) {
			printf("Bail out! the engine hangs\n");
			exit(1);
		}
		tap.equal(error, 0, "error");
		bench.check_memory(want);
	}

	Top &top;
	rf::Random &random;
	rf::Tap &tap;
	rf::EngineBench<Top> bench;
	rf::Memory want{ 0, 0, random };
	unsigned reported = 0, error = 0;
};

/* Memory that answers, or is done, so late that the clock would stand meanwhile */
rf::Behaviour slow()
{
	rf::Behaviour behaviour;

	behaviour.latency_min = behaviour.write_latency_min = 2 * asleep;
	behaviour.latency_max = behaviour.write_latency_max = 3 * asleep;
	return behaviour;
}

void operations(Unit &unit)
{
	unit.tap.begin("an operation wakes it, and keeps it awake while memory is slow");
	for (unsigned i = 0; i < 20; i++) {
		unit.run(asleep);
		unit.tap.check(unit.offer(i & 1 ? slow() : rf::Behaviour()), "taken", i);
		unit.finish("done");
	}
	unit.tap.end();
}

void registers(Unit &unit)
{
	unit.tap.begin("a register access wakes it");
	for (unsigned i = 0; i < 20; i++) {
		const uint64_t value = 1 + unit.random.below(1u << 30);

		unit.run(asleep);
		unit.write(watchdog_register, value);
		unit.run(asleep);
		unit.tap.equal(unit.read(watchdog_register), value, "WATCHDOG");
		unit.run(asleep);
		unit.write(engine_register, hold_bit);
		unit.run(asleep);
		unit.tap.equal(unit.read(engine_register), hold_bit, "ENGINE");
		unit.run(asleep);
		unit.write(engine_register, 0);
		unit.run(asleep);
		unit.tap.equal(unit.read(engine_register), 0, "ENGINE");
		unit.run(1);
		unit.tap.equal(unit.top.register_data_o, 0, "nothing is read");
		unit.run(asleep);
		unit.tap.check(unit.read(alive_register) != 0, "ALIVE");
	}
	unit.write(watchdog_register, 0);
	unit.tap.end();

	unit.tap.begin("a reset without an operation ends, however long it is held");
	unit.run(asleep);
	unit.write(engine_register, reset_bit);
	unit.run(asleep);
	unit.tap.equal(unit.read(engine_register), reset_bit | in_reset_bit, "in reset");
	unit.run(asleep);
	unit.write(engine_register, 0);
	unit.run(asleep);
	unit.tap.equal(unit.read(engine_register), 0, "ENGINE");
	unit.tap.check(unit.offer(rf::Behaviour()), "taken");
	unit.finish("done");
	unit.tap.end();
}

/* An engine that hangs, and is reset while its record waits, with accesses in flight or without. */
void records(Unit &unit)
{
	unit.tap.begin("a record waits for a reader, and is taken once");
	for (unsigned i = 0; i < 20; i++) {
		const bool in_flight = i & 1;
		rf::Behaviour behaviour = slow();

		unit.run(asleep);
		unit.write(watchdog_register, asleep / 2);
		if (!in_flight)
			unit.write(engine_register, hold_bit);
		unit.tap.check(unit.offer(behaviour), "taken", i);
		unit.run(asleep);
		unit.tap.check(unit.top.record_valid_o, "a record", i);
		unit.write(engine_register, reset_bit);
		unit.run(5 * asleep); /* what is in flight ends */
		unit.tap.equal(unit.read(engine_register) & ~0x700ull, reset_bit | in_reset_bit,
			       "in reset, nothing in flight");
		unit.tap.equal(unit.reported, 0, "not reported yet");
		unit.run(asleep);
		unit.write(engine_register, 0);
		unit.run(asleep);
		unit.tap.equal(unit.reported, 1, "reported");
		unit.tap.equal(unit.error, error_engine_reset, "error");
		unit.tap.equal(unit.read(engine_register), 0, "ENGINE");
		unit.run(asleep);
		unit.tap.check(unit.top.record_valid_o, "the record waits", i);
		unit.top.record_ready_i = 1;
		unit.step();
		unit.top.record_ready_i = 0;
		unit.run(2 * asleep);
		unit.tap.check(!unit.top.record_valid_o, "it has been taken", i);
	}
	unit.write(watchdog_register, 0);
	unit.run(asleep);
	unit.tap.check(unit.offer(rf::Behaviour()), "taken");
	unit.finish("done");
	unit.tap.end();
}

} /* namespace */

int main()
{
	Top top;
	rf::Random random(rf::seed());
	rf::Tap tap;

	printf("# seed %" PRIu64 "\n", rf::seed());
	rf::put(top.register_i, 87, 1, 0);
	Unit unit(top, random, tap);

	operations(unit);
	registers(unit);
	records(unit);
	return tap.status();
}
