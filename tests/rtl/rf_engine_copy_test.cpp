/* SPDX-License-Identifier: Apache-2.0 */
/* COPY and FILL against plain memory moves. */
#include "Vrf_engine_copy.h"
#include "engine_bench.h"

namespace {

const unsigned opcode_copy = 0x10, opcode_fill = 0x11; /* ringfence.toml */
const unsigned read_copy = 6; /* rf_bus_pkg::ReadCopy */
const unsigned error_engine = 13;

using Bench = rf::EngineBench<Vrf_engine_copy>;

struct Job {
	rf::Operation operation;
	rf::Behaviour behaviour;
	std::vector<rf::Range> sources;
	rf::Range destination;
};

/* Writes what the packet asks for into `want`; the definition of COPY and FILL. */
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

Job copy_job(uint64_t destination, uint64_t source, uint64_t bytes)
{
	Job job = {};

	job.operation = { opcode_copy, 0, { destination, source, bytes, 0 } };
	job.sources = { { source, source + bytes } };
	job.destination = { destination, destination + bytes };
	return job;
}

Job fill_job(uint64_t destination, uint64_t bytes, uint64_t pattern)
{
	Job job = {};

	job.operation = { opcode_fill, 0, { destination, bytes, pattern, 0 } };
	job.destination = { destination, destination + bytes };
	return job;
}

Job random_job(Bench &bench, rf::Random &random)
{
	uint64_t bytes = random.chance(50) ? random.below(40) : random.below(6000);
	bool upper = random.chance(50);
	uint64_t half = bench.memory.base + (upper ? 0x8000 : 0);
	uint64_t other = bench.memory.base + (upper ? 0 : 0x8000);
	/* Near a page boundary or anywhere. */
	uint64_t destination = half + (random.chance(30) ? 0xfc0 : 0) + random.below(0x1000);
	uint64_t source = other + (random.chance(30) ? 0xfc0 : 0) + random.below(0x1000);
	Job job = random.chance(75) ? copy_job(destination, source, bytes)
				    : fill_job(destination, bytes, random.next());

	job.behaviour = rf::random_behaviour(random);
	return job;
}

uint64_t run(Bench &bench, const Job &job, int abort_after = -1)
{
	bench.expect(job.behaviour, job.sources, job.destination);
	return bench.run(job.operation, abort_after);
}

/* A job that must succeed; returns its cycles. */
uint64_t run_good(Bench &bench, const Job &job)
{
	rf::Memory want = bench.memory;
	apply(job, bench.memory, want);
	uint64_t cycles = run(bench, job);

	bench.tap.equal(bench.failure.error, 0, "no failure");
	bench.tap.equal(bench.writes.performed_bytes, job.destination.end - job.destination.start,
			"bytes");
	bench.check_memory(want);
	return cycles;
}

} /* namespace */

int main()
{
	Vrf_engine_copy top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, random, tap, read_copy);
	uint64_t base = bench.memory.base;

	tap.begin("COPY of 0..24 bytes is exact for each pair of alignments");
	for (unsigned d = 0; d < 8; d++)
		for (unsigned s = 0; s < 8; s++)
			for (unsigned bytes = 0; bytes <= 24; bytes++)
				run_good(bench,
					 copy_job(base + 0x2ff0 + d, base + 0x5ff0 + s, bytes));
	tap.end();

	tap.begin("random COPY and FILL change exactly the destination");
	for (int i = 0; i < 1500; i++)
		run_good(bench, random_job(bench, random));
	tap.end();

	tap.begin("an operation of zero bytes is done at once, without an access");
	{
		uint64_t cycles = run_good(bench, copy_job(base + 3, base + 0x105, 0));

		tap.check(cycles <= 4, "cycles", cycles, 4);
		run_good(bench, fill_job(base + 3, 0, 1));
		tap.equal(bench.reads.count + bench.writes.count, 0, "requests");
	}
	tap.end();

	tap.begin("page-aligned buffers move in full-size requests only");
	for (unsigned payload : { 16u, 32u }) {
		Job job = copy_job(base + 0x8000, base + 0x1000, 0x4000);

		job.behaviour.max_payload = payload;
		run_good(bench, job);
		tap.equal(bench.writes.count, 0x4000 / 8 / payload, "writes");
		tap.equal(bench.reads.count, 0x4000 / 8 / 32, "reads");
	}
	tap.end();

	tap.begin("the n-th read or write fails: reported, rest untouched, engine goes on");
	{
		unsigned failures = 0;

		for (int i = 0; i < 600; i++) {
			Job job = random_job(bench, random);
			rf::Memory before = bench.memory, want = before;
			int n = random.below(12);

			job.behaviour.fail_status = 1 + random.below(6);
			job.behaviour.fail_level = random.below(4);
			(random.chance(50) ? job.behaviour.fail_read : job.behaviour.fail_write) =
				n;
			apply(job, before, want);
			run(bench, job);
			if ((int)bench.reads.count <= job.behaviour.fail_read ||
			    (int)bench.writes.performed <= job.behaviour.fail_write) {
				tap.equal(bench.failure.error, 0, "no failure");
				bench.check_memory(want);
				continue;
			}
			failures++;
			bench.check_failure(job.behaviour, job.destination, before, want);
		}
		tap.check(failures > 100, "failures provoked", failures);
	}
	tap.end();

	tap.begin("abort at any cycle: nothing in flight at done, rest untouched");
	{
		unsigned aborted = 0, finished = 0;

		for (int i = 0; i < 600; i++) {
			Job job = random_job(bench, random);
			rf::Memory before = bench.memory, want = before;

			apply(job, before, want);
			run(bench, job, random.below(random.chance(50) ? 12 : 1500));
			if (bench.failure.error == 0) {
				finished++;
				bench.check_memory(want);
				continue;
			}
			aborted++;
			tap.equal(bench.failure.error, error_engine, "error of an abort");
			bench.check_part(job.destination, before, want);
		}
		tap.check(aborted > 100 && finished > 20, "aborted and finished", aborted,
			  finished);
	}
	tap.end();

	tap.begin("an operation accepted while one runs follows it, without overlap");
	for (int i = 0; i < 200; i++) {
		Job first = random_job(bench, random), second = random_job(bench, random);
		/* The limits are the function's; both operations run under the same. */
		second.behaviour.max_payload = first.behaviour.max_payload;
		second.behaviour.max_read = first.behaviour.max_read;
		rf::Memory want = bench.memory;
		unsigned before = bench.operations_done;

		apply(first, bench.memory, want);
		bench.expect(first.behaviour, first.sources, first.destination);
		bench.offer(first.operation);
		unsigned vmid = bench.vmid = random.below(16);
		bench.offer(second.operation);

		/* An abort now hits the first, unless that is done already. */
		bool abort = random.chance(30) && bench.operations_done == before && !top.done_o;
		bool until_done = random.chance(50); /* as a node holds it */
		top.abort_i = abort;
		while (bench.operations_done == before) {
			bench.step();
			top.abort_i = abort && until_done;
		}
		top.abort_i = 0;
		if (abort && bench.failure.error)
			tap.equal(bench.failure.error, error_engine, "error of an abort");
		else
			bench.check_memory(want);

		want = bench.memory;
		apply(second, bench.memory, want);
		bench.reads.begin(second.behaviour, vmid, second.sources);
		bench.writes.begin(second.behaviour, vmid, second.destination);
		while (bench.operations_done == before + 1)
			bench.step();
		tap.equal(bench.failure.error, 0, "the abort of one spares the next");
		bench.check_memory(want);
	}
	tap.end();

	Bench large(top, random, tap, read_copy, 1 << 18);

	base = large.memory.base;
	tap.begin("64 KiB with memory of one word per cycle: a word per cycle");
	{
		Job job = copy_job(base + 0x20000, base + 0x3, 0x10000);

		job.behaviour.latency_min = job.behaviour.latency_max = 4;
		uint64_t cycles = run_good(large, job);
		printf("# %" PRIu64 " cycles for 8192 words\n", cycles);
		tap.check(cycles < 8192 + 100, "cycles", cycles, 8192 + 100);
		cycles = run_good(large, fill_job(base + 0x20000, 0x10000, random.next()));
		printf("# FILL %" PRIu64 " cycles for 8192 words\n", cycles);
		tap.check(cycles < 8192 + 60, "cycles of FILL", cycles, 8192 + 60);
	}
	tap.end();

	tap.begin("64 KiB at 4 us read latency: at least 0.9 of a link of 4 bytes per cycle");
	for (unsigned words : { 16u, 64u }) {
		Job job = copy_job(base + 0x20000, base + 0x1000, 0x10000);

		job.behaviour.latency_min = job.behaviour.latency_max = 500;
		job.behaviour.word_interval = 2;
		job.behaviour.max_read = words;
		job.behaviour.max_payload = 16;
		uint64_t cycles = run_good(large, job);
		printf("# %" PRIu64 " cycles for 16384 word times, reads of %u words\n", cycles,
		       words);
		tap.check((cycles - 500) * 9 < 16384 * 10, "cycles", cycles, 500 + 16384 * 10 / 9);
		tap.equal(large.reads.most_outstanding, 16, "reads in flight");
	}
	tap.end();

	return tap.status();
}
