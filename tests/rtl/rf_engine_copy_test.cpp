/* SPDX-License-Identifier: Apache-2.0 */
/* COPY and FILL against plain memory moves. */
#include "Vrf_engine_copy.h"
#include "engine_tests.h"

namespace {

const unsigned opcode_copy = 0x10, opcode_fill = 0x11; /* ringfence.toml */
const unsigned read_copy = 6; /* rf_bus_pkg::ReadCopy */

using Bench = rf::EngineBench<Vrf_engine_copy>;
using Tests = rf::EngineTests<Vrf_engine_copy>;

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

uint64_t bytes_of(const Job &job)
{
	return job.destination.end - job.destination.start;
}

rf::Task task_of(const Job &job)
{
	rf::Task task = {
		job.operation, job.behaviour, job.sources, job.destination, bytes_of(job), {}, {}
	};

	task.apply = [job](const rf::Operation &, const rf::Memory &before, rf::Memory &want) {
		apply(job, before, want);
	};
	task.partial_of = [](const rf::Memory &, uint64_t) { return 0; };
	return task;
}

uint64_t run_good(Bench &bench, const Job &job)
{
	return Tests(bench).run_good(task_of(job));
}

unsigned run_preempted(Bench &bench, const Job &job, const std::vector<int> &preempts)
{
	return Tests(bench).run_preempted(task_of(job), preempts);
}

} /* namespace */

int main()
{
	Vrf_engine_copy top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, random, tap, read_copy);
	Tests tests(bench, [&] { return task_of(random_job(bench, random)); });
	uint64_t &base = bench.memory.base;

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

		tap.check(cycles <= 6, "cycles, of which two for its words", cycles, 6);
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

	tests.all();

	tap.begin("a read and a write in flight fail: one of them is reported");
	{
		unsigned reads = 0, writes = 0, both = 0;

		for (int i = 0; i < 600; i++) {
			uint64_t bytes = 3000 + random.below(3000);
			Job job = copy_job(base + 0x8000 + random.below(0x1000),
					   base + random.below(0x1000), bytes);
			rf::Memory before = bench.memory, want = before;

			job.behaviour = rf::random_failures(random);
			job.behaviour.fail_write = random.below(8);
			job.behaviour.fail_read = job.behaviour.fail_write + 1 + random.below(12);
			apply(job, before, want);
			Tests(bench).run(task_of(job));
			(bench.failure.store ? writes : reads)++;
			both += (int)bench.reads.count > job.behaviour.fail_read &&
				(int)bench.writes.performed > job.behaviour.fail_write;
			bench.check_failure(job.behaviour, job.destination, before, want);
		}
		tap.check(reads > 50 && writes > 50 && both > 50, "reads and writes told of", reads,
			  writes);
	}
	tap.end();

	tap.begin("preempted in any cycle, and again: each byte of the destination once");
	{
		unsigned hits = 0, runs = 0;

		for (unsigned i = 0; i < 64 * 7; i++) {
			static const unsigned sizes[] = { 0, 1, 7, 8, 9, 24, 57 };
			uint64_t to = base + 0x2fe8 + i % 8, from = base + 0x5ff0 + i / 8 % 8;
			unsigned bytes = sizes[i / 64];
			Job job = random.chance(70) ? copy_job(to, from, bytes)
						    : fill_job(to, bytes, random.next());

			job.behaviour.max_payload = 1u << random.below(3);
			job.behaviour.max_read = 1u << random.below(3);
			job.behaviour.write_latency_max = 1 + random.below(4);
			int cycles = run_good(bench, job);
			for (int n = 0; n < cycles; n++) {
				hits += run_preempted(bench, job,
						      { n, (int)random.below(cycles),
							(int)random.below(cycles) });
				runs++;
			}
		}
		printf("# %u preemptions of %u operations\n", hits, runs);
		tap.check(hits > runs / 2, "preemptions", hits, runs);
	}
	tap.end();

	tap.begin("preempted in any cycle around one chunk and in several chunks");
	{
		const unsigned chunk = rf::preemption_chunk_bytes;
		unsigned hits = 0, runs = 0;

		for (unsigned bytes : { chunk - 1, chunk, chunk + 1, 3 * chunk + 5 }) {
			const int stride = bytes == chunk ? 1 : 4;
			int cycles = 0;

			/* Other alignments each time. */
			for (int n = 0; n == 0 || n < cycles; n += stride) {
				uint64_t to = base + 0x8000 + random.below(0x1000);
				uint64_t from = base + random.below(0x1000);
				Job job = random.chance(80) ? copy_job(to, from, bytes)
							    : fill_job(to, bytes, random.next());

				job.behaviour.max_payload = 8u << random.below(3);
				job.behaviour.latency_max = 1 + random.below(40);
				job.behaviour.reorder = random.chance(50);
				if (n == 0)
					cycles = run_good(bench, job);
				hits += run_preempted(
					bench, job,
					{ n, (int)random.below(cycles), (int)random.below(300) });
				runs++;
			}
		}
		printf("# %u preemptions of %u operations\n", hits, runs);
		tap.check(hits > runs, "preemptions", hits, runs);
	}
	tap.end();

	tap.begin("what is held or offered under a preemption is given back as it came");
	{
		unsigned untouched = 0;

		for (int i = 0; i < 400; i++) {
			std::vector<rf::Task> tasks;
			rf::Behaviour behaviour = rf::random_behaviour(random);

			for (int n = 0; n < 3; n++) {
				Job job = random_job(bench, random);

				/* One word: the least that could slip through. */
				if (random.chance(30))
					job = fill_job(base + 8 * random.below(0x1000), 8,
						       random.next());
				job.behaviour = behaviour;
				if (random.chance(50))
					job.operation.progress = random.below(bytes_of(job) + 1);
				tasks.push_back(task_of(job));
			}
			untouched +=
				bench.run_queue(tasks, random.below(random.chance(50) ? 20 : 1500));
		}
		printf("# %u given back untouched\n", untouched);
		tap.check(untouched > 400, "given back", untouched);
	}
	tap.end();

	tap.begin("limits change in any cycle: the operation keeps those it began with");
	{
		unsigned runs = 0;

		bench.limits_changed = 0;
		for (unsigned i = 0; i < 24; i++) {
			uint64_t to = base + 0x2fe8 + random.below(16);
			uint64_t from = base + 0x5ff0 + random.below(16), bytes = 1600;
			Job job = i % 3 ? copy_job(to, from, bytes) : fill_job(to, bytes, 0x5a5a);

			job.behaviour.max_payload = 16u << i % 2;
			job.behaviour.max_read = 16u << i / 2 % 3;
			job.behaviour.ready_percent = i < 12 ? 100 : 40;
			int cycles = run_good(bench, job);
			for (bench.limits_after = 0; bench.limits_after < cycles;
			     bench.limits_after++, runs++)
				run_good(bench, job);
		}
		tap.check(bench.limits_changed > runs - runs / 8, "changes that hit",
			  bench.limits_changed, runs);
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
			tests.check_abort();
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

	tap.begin("64 KiB preempted: done within a latency, the words of a chunk and 64 cycles");
	for (unsigned latency : { 1u, 100u, 500u }) {
		large.longest_preemption = 0;
		for (int i = 0; i < 40; i++) {
			Job job = copy_job(base + 0x20000 + random.below(0x1000),
					   base + random.below(0x1000), 0x10000);

			job.behaviour.latency_min = job.behaviour.latency_max = latency;
			run_preempted(large, job, { (int)random.below(8000) });
		}
		printf("# latency %u: at most %" PRIu64 " cycles\n", latency,
		       large.longest_preemption);
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
