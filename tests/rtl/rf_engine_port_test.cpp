/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine is reset at every cycle of its work, behind memory of any latency, order and
 * back-pressure. Memory (stream_memory.h) checks each request of either life: one that is
 * answered twice, not at all, or into the next life is an error here.
 */
#include "Vrf_engine_port_tb.h"
#include "engine_bench.h"

namespace {

/* ringfence.toml: node 1 */
const unsigned engine_register = 0x778, alive_register = 0x780;
const uint64_t reset_bit = 1, hold_bit = 2, in_reset_bit = 4;
const unsigned opcode_copy = 0x10, opcode_fill = 0x11;
const unsigned error_none = 0, error_engine_reset = 15;
const unsigned read_copy = 6; /* rf_bus_pkg::ReadCopy */

using Top = Vrf_engine_port_tb;
using Bench = rf::EngineBench<Top>;

struct Job {
	rf::Operation operation;
	std::vector<rf::Range> sources;
	rf::Range destination;
};

Job random_job(Bench &bench, rf::Random &random)
{
	uint64_t bytes = random.chance(30) ? random.below(40) : random.below(3000);
	uint64_t source = bench.memory.base + random.below(0x2000);
	uint64_t destination = bench.memory.base + 0x8000 + random.below(0x2000);
	Job job = {};

	if (random.chance(75)) {
		job.operation = { opcode_copy, 0, { destination, source, bytes, 0 } };
		job.sources = { { source, source + bytes } };
	} else {
		job.operation = { opcode_fill, 0, { destination, bytes, random.next(), 0 } };
	}
	job.destination = { destination, destination + bytes };
	return job;
}

void apply(const Job &job, const rf::Memory &before, rf::Memory &want)
{
	for (uint64_t i = 0; i < job.destination.end - job.destination.start; i++) {
		uint64_t address = job.destination.start + i;

		if (job.operation.opcode == opcode_fill)
			want.at(address) = job.operation.operand[2] >> (address % 8 * 8);
		else
			want.at(address) = before.bytes[job.operation.operand[1] + i - before.base];
	}
}

class Port {
public:
	Port(Top &top, Bench &bench, rf::Tap &tap) : top(top), bench(bench), tap(tap) {}

	/* Also counts what is reported while it takes a cycle. */
	void step()
	{
		const bool reads = rf::is_read(top.register_i);

		if (!rf::is_access(top.register_i)) /* the answers of blocks are ORed */
			rf::put_no_access(top.register_i, noise.chance(50),
					  noise.chance(50) ? engine_register : alive_register,
					  noise.next());
		bench.step();
		tap.check(reads || !top.register_data_o, "data without a read",
			  top.register_data_o);
		if (bench.done) {
			reported++;
			error = bench.failure.error;
			if (error == error_engine_reset) {
				tap.equal(bench.failure.address, 0, "address of a reset");
				tap.equal(bench.failure.level + bench.failure.store, 0,
					  "level of a reset");
			}
		}
	}
	void write(uint64_t value, unsigned strobe = 0xff)
	{
		rf::put_register(top.register_i, true, engine_register, value, strobe);
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

	/* A job runs for `cycles`, or less if it is done before. */
	void run(const Job &job, unsigned cycles)
	{
		offered(job);
		while (cycles-- && !reported)
			step();
	}
	void offered(const Job &job)
	{
		bench.expect(behaviour, job.sources, job.destination);
		reported = 0;
		bench.offer(job.operation);
	}
	/* Nothing is reported about the engine until the end of this. */
	void reset()
	{
		unsigned before, polls = 0;

		write(reset_bit);
		step();
		before = reported;
		while (!(read(engine_register) & in_reset_bit)) {
			tap.check(++polls < 100000, "the reset never ends");
			if (polls >= 100000)
				exit(1);
		}
		tap.equal(bench.reads.outstanding(), 0, "reads in flight in reset");
		tap.equal(bench.writes.outstanding(), 0, "writes in flight in reset");
		for (int i = 0; i < 20; i++)
			step();
		tap.equal(reported, before, "reported during the reset");
		write(0);
		for (int i = 0; i < 8; i++)
			step();
	}
	/* Every count is back at 0, and a whole job runs. */
	void check_whole(const Job &job)
	{
		rf::Memory want = bench.memory;

		tap.equal(read(engine_register), 0, "ENGINE after a reset");
		apply(job, bench.memory, want);
		run(job, 1000000);
		tap.equal(reported, 1, "the next operation is done");
		tap.equal(error, error_none, "the next operation is good");
		bench.check_memory(want);
		step();
		tap.equal(read(engine_register), 0, "ENGINE after the next operation");
	}

	Top &top;
	Bench &bench;
	rf::Tap &tap;
	rf::Behaviour behaviour;
	unsigned reported = 0, error = 0;
	rf::Random noise{ rf::seed() };
};

/*
 * Bytes hold what they held or what they were to hold, or are 0, which is counted; outside
 * nothing changed.
 */
unsigned check_cut(Bench &bench, const Job &job, const rf::Memory &before)
{
	rf::Memory want = before;
	unsigned neither = 0;

	apply(job, before, want);
	for (size_t i = 0; i < bench.memory.bytes.size(); i++) {
		uint64_t address = bench.memory.base + i;
		uint8_t byte = bench.memory.bytes[i];

		if (address < job.destination.start || address >= job.destination.end)
			bench.tap.equal(byte, before.bytes[i], "byte outside");
		else if (byte != before.bytes[i] && byte != want.bytes[i]) {
			bench.tap.equal(byte, 0, "byte that is neither old nor new");
			neither++;
		}
	}
	return neither;
}

} /* namespace */

int main()
{
	Top top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	top.mute_i = 0;
	rf::put(top.register_i, 87, 1, 0);
	Bench bench(top, random, tap, read_copy);
	Port port(top, bench, tap);

	tap.begin("ENGINE and ALIVE are 0 behind a reset of the device, and the engine works");
	tap.equal(port.read(engine_register), 0, "ENGINE");
	tap.equal(port.read(alive_register), 0, "ALIVE");
	port.check_whole(random_job(bench, random));
	tap.end();

	tap.begin("reset at every cycle of an operation: no tag, no word, no response is left");
	{
		unsigned hit = 0, missed = 0;

		for (int round = 0; round < 12; round++) {
			port.behaviour = rf::random_behaviour(random);
			port.behaviour.latency_max = std::min(port.behaviour.latency_max, 60u);
			port.behaviour.write_latency_max =
				std::min(port.behaviour.write_latency_max, 60u);
			for (unsigned at = 0; at < 250; at++) {
				Job job = random_job(bench, random);
				rf::Memory before = bench.memory;

				port.run(job, at);
				if (port.reported) {
					missed++;
					continue;
				}
				port.reset();
				tap.equal(port.reported, 1, "reported once");
				if (port.error == error_engine_reset)
					hit++;
				else /* done in the very cycle of the register's write */
					tap.equal(port.error, error_none, "error");
				tap.equal(check_cut(bench, job, before), 0,
					  "bytes that are neither old nor new");
				port.check_whole(random_job(bench, random));
			}
		}
		tap.check(hit > 800, "resets in the midst of an operation", hit);
		tap.check(missed > 50, "operations that were done before", missed);
	}
	tap.end();

	tap.begin("an engine that holds back its words: the write is completed with zeros");
	{
		unsigned padded = 0;

		for (int i = 0; i < 400; i++) {
			Job job = random_job(bench, random);
			rf::Memory before = bench.memory;

			port.behaviour = rf::random_behaviour(random);
			port.run(job, 20 + random.below(200));
			if (port.reported)
				continue;
			top.mute_i = 1;
			if (i & 1) /* memory leaves a word of the engine standing */
				bench.writes.set_ready_percent(3);
			for (unsigned wait = random.below(30); wait--;)
				port.step();
			port.reset();
			top.mute_i = 0;
			padded += check_cut(bench, job, before) != 0;
			port.check_whole(random_job(bench, random));
		}
		tap.check(padded > 20, "writes that were completed with zeros", padded);
	}
	tap.end();

	tap.begin("an engine that is late with a word, by ten cycles: its words are written");
	for (int i = 0; i < 400; i++) {
		Job job = random_job(bench, random);
		rf::Memory before = bench.memory;

		port.behaviour = rf::random_behaviour(random);
		port.run(job, 20 + random.below(200));
		if (port.reported)
			continue;
		top.mute_i = 1;
		port.write(reset_bit);
		for (unsigned late = random.below(10); late--;)
			port.step();
		top.mute_i = 0;
		port.reset();
		tap.equal(check_cut(bench, job, before), 0, "bytes that are neither old nor new");
		port.check_whole(random_job(bench, random));
	}
	tap.end();

	tap.begin("two operations that the engine has are both reported");
	for (unsigned at = 0; at < 60; at++) {
		Job first = random_job(bench, random);

		port.behaviour = rf::random_behaviour(random);
		/* Long enough for the second one to be held. */
		first.operation = { opcode_fill,
				    0,
				    { bench.memory.base + 0x8000, 0x4000, random.next(), 0 } };
		first.sources.clear();
		first.destination = { bench.memory.base + 0x8000, bench.memory.base + 0xc000 };
		port.offered(first);
		bench.offer(first.operation);
		for (unsigned i = 0; i < at; i++)
			port.step();
		tap.equal(port.read(engine_register) >> 8 & 7, 2, "operations");
		port.reset();
		tap.equal(port.reported, 2, "reported");
		tap.equal(port.error, error_engine_reset, "error");
		port.check_whole(random_job(bench, random));
	}
	tap.end();

	tap.begin("a preemption is told through the port, but not in the place of a reset");
	{
		unsigned preempted = 0, cut = 0;

		for (int i = 0; i < 400; i++) {
			Job job = random_job(bench, random);

			port.behaviour = rf::random_behaviour(random);
			port.run(job, random.below(100));
			if (port.reported)
				continue;
			top.preempt_i = 1;
			if (random.chance(50)) {
				for (unsigned wait = random.below(12); wait-- && !port.reported;)
					port.step();
				if (!port.reported) {
					port.reset();
					cut += !bench.preempted;
				}
			}
			while (!port.reported)
				port.step();
			top.preempt_i = 0;
			tap.equal(port.reported, 1, "reported once");
			tap.equal(port.error != error_none && bench.preempted, 0, "told as both");
			preempted += bench.preempted;
			port.check_whole(random_job(bench, random));
		}
		tap.check(preempted > 50 && cut > 50, "preempted, and reset before that", preempted,
			  cut);
	}
	tap.end();

	tap.begin("a reset while a failure waits to be told tells of no address");
	{
		unsigned failed = 0, hit = 0;

		for (int i = 0; i < 400; i++) {
			Job job = random_job(bench, random);

			port.behaviour = rf::random_failures(random);
			port.behaviour.bad_write = job.destination.start;
			port.run(job, random.below(400));
			failed += port.reported && port.error != error_none;
			if (port.reported)
				continue;
			port.reset();
			hit += port.error == error_engine_reset;
			port.behaviour = rf::random_behaviour(random);
			port.check_whole(random_job(bench, random));
		}
		tap.check(failed > 50 && hit > 50, "failures, and resets", failed, hit);
	}
	tap.end();

	tap.begin("reset of an engine without work: nothing is reported");
	port.behaviour = rf::random_behaviour(random); /* the last one may have had failures */
	port.reported = 0;
	port.reset();
	tap.equal(port.reported, 0, "reported");
	port.check_whole(random_job(bench, random));
	tap.end();

	tap.begin("HOLD: the engine hangs, an abort does not help, a reset does");
	for (unsigned at = 0; at < 60; at++) {
		Job job = random_job(bench, random);
		uint64_t alive;

		port.behaviour = rf::random_behaviour(random);
		port.behaviour.latency_max = port.behaviour.latency_min;
		port.behaviour.write_latency_max = port.behaviour.write_latency_min;
		port.run(job, at);
		if (port.reported)
			continue;
		port.write(hold_bit);
		for (unsigned i = 0; i < 2000; i++)
			port.step();
		if (port.reported)
			continue; /* nothing of it was left to ask for */
		alive = port.read(alive_register);
		top.abort_i = 1;
		for (unsigned i = 0; i < 500; i++)
			port.step();
		tap.equal(port.reported, 0, "reported while it hangs");
		tap.equal(port.read(alive_register), alive, "ALIVE of a hung engine");
		top.abort_i = 0;
		port.reset();
		tap.equal(port.reported, 1, "reported");
		tap.equal(port.error, error_engine_reset, "error");
		port.check_whole(random_job(bench, random));
	}
	tap.end();

	tap.begin("HOLD for a while: requests wait, and the operation is done as if they had not");
	{
		unsigned held = 0;

		for (unsigned at = 0; at < 200; at++) {
			Job job = random_job(bench, random);
			rf::Memory want = bench.memory;

			apply(job, bench.memory, want);
			port.behaviour = rf::random_behaviour(random);
			port.run(job, at % 100);
			if (port.reported)
				continue;
			port.write(hold_bit);
			for (unsigned i = 0; i < 200; i++)
				port.step();
			held += !port.reported;
			port.write(0);
			for (unsigned i = 0; i < 100000 && !port.reported; i++)
				port.step();
			tap.equal(port.reported, 1, "reported once");
			tap.equal(port.error, error_none, "error");
			bench.check_memory(want);
			port.step();
		}
		tap.check(held > 20, "operations that were held", held);
	}
	tap.end();

	tap.begin("ENGINE is written with its first byte, and with no other");
	for (unsigned strobe = 0; strobe < 256; strobe++) {
		port.write(0);
		port.write(hold_bit, strobe);
		tap.equal(port.read(engine_register), strobe & 1 ? hold_bit : 0, "ENGINE");
	}
	port.write(0);
	tap.end();

	tap.begin("ALIVE counts what is answered, performed and done");
	{
		Job job = random_job(bench, random);
		uint64_t alive = port.read(alive_register);

		port.run(job, 1000000);
		port.step();
		tap.equal(port.read(alive_register),
			  alive + bench.reads.count + bench.writes.count + 1, "ALIVE");
	}
	tap.end();
	return tap.status();
}
