/* SPDX-License-Identifier: Apache-2.0 */
/* VECTOR against the same arithmetic in C. */
#include "Vrf_engine_vector.h"
#include "engine_tests.h"

namespace {

const unsigned opcode_vector = 0x20; /* ringfence.toml */
const unsigned read_vector = 5; /* rf_bus_pkg::ReadVector */
enum { axpb, add, exclusive_or, minimum, maximum, sum, operations };
const char *const names[] = { "axpb", "add", "xor", "min", "max", "sum" };

using Bench = rf::EngineBench<Vrf_engine_vector>;
using Tests = rf::EngineTests<Vrf_engine_vector>;

struct Job {
	unsigned operation;
	uint64_t destination, x, y, count; /* y: A and B for axpb */
	rf::Behaviour behaviour;

	bool two_sources() const { return operation != axpb && operation != sum; }
	rf::Range range() const
	{
		return { destination, destination + (operation == sum ? 8 : 4 * count) };
	}
};

uint32_t element(const rf::Memory &memory, uint64_t address)
{
	uint32_t value;

	memcpy(&value, &memory.bytes[address - memory.base], 4);
	return value;
}

/* The definition of VECTOR, from an element and a partial sum on. */
void apply(const Job &job, const rf::Memory &before, rf::Memory &want, uint64_t first = 0,
	   int64_t total = 0)
{
	for (uint64_t i = first; i < job.count; i++) {
		uint32_t x = element(before, job.x + 4 * i);
		uint32_t y = job.two_sources() ? element(before, job.y + 4 * i) : 0;
		uint32_t f = 0;

		switch (job.operation) {
		case axpb:
			f = (uint32_t)job.y * x + (uint32_t)(job.y >> 32);
			break;
		case add:
			f = x + y;
			break;
		case exclusive_or:
			f = x ^ y;
			break;
		case minimum:
			f = (int32_t)x < (int32_t)y ? x : y;
			break;
		case maximum:
			f = (int32_t)x > (int32_t)y ? x : y;
			break;
		case sum:
			total += (int32_t)x;
			continue;
		}
		memcpy(&want.at(job.destination + 4 * i), &f, 4);
	}
	if (job.operation == sum)
		memcpy(&want.at(job.destination), &total, 8);
}

rf::Task task_of(const Job &job)
{
	rf::Task task = {};

	task.operation = { opcode_vector,
			   job.operation,
			   { job.destination, job.x, job.count, job.operation == sum ? 0 : job.y },
			   job.operation == sum };
	task.behaviour = job.behaviour;
	task.sources = { { job.x, job.x + 4 * job.count } };
	if (job.two_sources())
		task.sources.push_back({ job.y, job.y + 4 * job.count });
	task.destination = job.range();
	task.bytes = 4 * job.count;
	task.apply = [job](const rf::Operation &operation, const rf::Memory &before,
			   rf::Memory &want) {
		apply(job, before, want, operation.progress / 4, operation.partial);
	};
	task.partial_of = [job](const rf::Memory &before, uint64_t progress) {
		int64_t total = 0;

		for (uint64_t i = 0; job.operation == sum && i < progress / 4; i++)
			total += (int32_t)element(before, job.x + 4 * i);
		return total;
	};
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

Job random_job(Bench &bench, rf::Random &random)
{
	Job job = {};

	job.operation = random.below(operations);
	job.count = random.chance(50) ? random.below(12) : random.below(1500);
	job.destination = bench.memory.base + 4 * random.below(0x800);
	if (job.operation == sum)
		job.destination &= ~7ull;
	job.x = bench.memory.base + 0x4000 + 4 * random.below(0x800);
	job.y = bench.memory.base + 0x8000 + 4 * random.below(0x800);
	/* In place, for one source in two operations. */
	if (job.operation != sum && random.chance(30))
		job.destination = job.x;
	else if (job.two_sources() && random.chance(30))
		job.destination = job.y;
	if (job.operation == axpb)
		job.y = random.next();
	job.behaviour = rf::random_behaviour(random);
	return job;
}

} /* namespace */

int main()
{
	Vrf_engine_vector top;
	rf::Random random(rf::seed());
	rf::Tap tap;
	Bench bench(top, random, tap, read_vector);
	Tests tests(bench, [&] { return task_of(random_job(bench, random)); });
	uint64_t &base = bench.memory.base;

	for (unsigned operation = 0; operation < operations; operation++) {
		tap.begin(std::string(names[operation]) +
			  " of 0..9 elements is exact for each combination of alignments");
		for (unsigned phases = 0; phases < 8; phases++) {
			for (unsigned count = 0; count < 10; count++) {
				Job job = {};

				job.operation = operation;
				job.destination = base + 0x1ff0 + (phases & 1) * 4;
				if (operation == sum)
					job.destination &= ~7ull;
				job.x = base + 0x4ff0 + (phases >> 1 & 1) * 4;
				job.y = base + 0x7ff0 + (phases >> 2 & 1) * 4;
				if (operation == axpb)
					job.y = random.next();
				job.count = count;
				run_good(bench, job);
			}
		}
		tap.end();
	}

	tap.begin("every pair of extreme values under every operation");
	{
		const uint32_t extremes[] = { 0,	  1,	      2,	  0xffff,
					      0x10000,	  0x7ffffffe, 0x7fffffff, 0x80000000,
					      0x80000001, 0xffff0000, 0xfffffffe, 0xffffffff };
		const unsigned n = sizeof(extremes) / sizeof(extremes[0]);
		Job job = {};

		job.destination = base;
		job.x = base + 0x4000;
		job.y = base + 0x8000;
		job.count = n * n;
		for (unsigned i = 0; i < n * n; i++) {
			memcpy(&bench.memory.at(job.x + 4 * i), &extremes[i / n], 4);
			memcpy(&bench.memory.at(job.y + 4 * i), &extremes[i % n], 4);
		}
		for (job.operation = add; job.operation < operations; job.operation++)
			run_good(bench, job);
		job.operation = axpb;
		for (unsigned i = 0; i < n * n; i++) {
			job.y = (uint64_t)extremes[i / n] << 32 | extremes[i % n];
			run_good(bench, job);
		}
	}
	tap.end();

	tap.begin("sum carries beyond 32 bits in both signs");
	for (uint8_t byte : { 0x7f, 0x80, 0xff }) {
		Job job = {};

		job.operation = sum;
		job.destination = base;
		job.x = base + 0x4004;
		job.count = 0x2001;
		memset(&bench.memory.at(job.x), byte, 4 * job.count);
		run_good(bench, job);
	}
	tap.end();

	tap.begin("random operations change exactly the destination, in place too");
	for (auto &byte : bench.memory.bytes)
		byte = random.next() >> 32;
	for (int i = 0; i < 1000; i++)
		run_good(bench, random_job(bench, random));
	tap.end();

	tap.begin("no elements: nothing is read; only sum writes");
	for (unsigned operation = 0; operation < operations; operation++) {
		Job job = {};

		job.operation = operation;
		job.destination = base;
		job.x = base + 0x4004;
		job.y = base + 0x8000;
		run_good(bench, job);
		tap.equal(bench.reads.count, 0, "reads");
		tap.equal(bench.writes.count, operation == sum, "writes");
	}
	tap.end();

	tests.all();

	tap.begin("reads of both operands and a write fail: one of them is reported");
	{
		unsigned reads = 0, writes = 0;

		for (int i = 0; i < 600; i++) {
			Job job = {};
			rf::Memory before = bench.memory, want = before;

			job.operation = add;
			job.count = 1000;
			job.destination = base + 4 * random.below(0x800);
			job.x = base + 0x4000 + 4 * random.below(0x800);
			job.y = base + 0x8000 + 4 * random.below(0x800);
			job.behaviour = rf::random_failures(random);
			if (random.chance(70))
				job.behaviour.fail_write = random.below(8);
			if (random.chance(50))
				job.y = job.x; /* its failure comes twice at once */
			else
				job.behaviour.fail_read = random.below(50);
			job.behaviour.bad_read = job.y + random.below(4 * job.count);
			apply(job, before, want);
			Tests(bench).run(task_of(job));
			(bench.failure.store ? writes : reads)++;
			bench.check_failure(job.behaviour, job.range(), before, want);
		}
		tap.check(reads > 100 && writes > 100, "reads and writes told of", reads, writes);
	}
	tap.end();

	tap.begin("limits change in any cycle: the operation keeps those it began with");
	{
		unsigned runs = 0;

		bench.limits_changed = 0;
		for (unsigned i = 0; i < 2 * operations; i++) {
			Job job = random_job(bench, random);

			job.operation = i % operations;
			if (job.operation == sum)
				job.destination &= ~7ull;
			else if (job.operation != axpb)
				job.y = bench.memory.base + 0xa000 + 4 * random.below(0x800);
			job.count = 400;
			job.behaviour = rf::Behaviour();
			job.behaviour.max_payload = 16u << i % 2;
			job.behaviour.max_read = 16u << i / 2 % 3;
			job.behaviour.ready_percent = i < operations ? 100 : 40;
			int cycles = run_good(bench, job);
			for (bench.limits_after = 0; bench.limits_after < cycles;
			     bench.limits_after++, runs++)
				run_good(bench, job);
		}
		bench.limits_after = -1;
		tap.check(bench.limits_changed > runs - runs / 8, "changes that hit",
			  bench.limits_changed, runs);
	}
	tap.end();

	tap.begin("preempted in any cycle, and again: each element once");
	{
		unsigned hits = 0, runs = 0;

		for (unsigned i = 0; i < operations * 8 * 5; i++) {
			static const unsigned counts[] = { 0, 1, 2, 7, 20 };
			Job job = {};

			job.operation = i / 8 % operations;
			job.destination = base + 0x1fe8 + (i & 1) * 4;
			if (job.operation == sum)
				job.destination &= ~7ull;
			job.x = base + 0x4ff0 + (i >> 1 & 1) * 4;
			job.y = base + 0x7ff0 + (i >> 2 & 1) * 4;
			if (job.operation == axpb)
				job.y = random.next();
			else if (job.two_sources() && random.chance(30))
				job.destination = job.y;
			job.count = counts[i / 8 / operations];
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

		for (unsigned bytes : { chunk - 4, chunk, chunk + 4, 2 * chunk + 20 }) {
			const int stride = bytes == chunk ? 1 : 4;
			int cycles = 0;

			/* Another operation and other alignments each time. */
			for (int n = 0; n == 0 || n < cycles; n += stride) {
				Job job = random_job(bench, random);

				while (n == 0 && job.operation != add) /* the longest */
					job = random_job(bench, random);
				job.count = bytes / 4;
				job.behaviour = rf::Behaviour();
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
		tap.check(hits > runs / 2, "preemptions", hits, runs);
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

				/* Sums that only wait for their write could slip through. */
				if (random.chance(30)) {
					job.operation = sum;
					job.destination &= ~7ull;
				}
				job.behaviour = behaviour;
				rf::Task task = task_of(job);
				if (random.chance(30))
					task.operation.progress = 4 * job.count;
				else if (random.chance(50))
					task.operation.progress = 4 * random.below(job.count + 1);
				if (job.operation == sum && task.operation.progress)
					task.operation.partial = random.next();
				tasks.push_back(task);
			}
			untouched +=
				bench.run_queue(tasks, random.below(random.chance(50) ? 20 : 1500));
		}
		printf("# %u given back untouched\n", untouched);
		tap.check(untouched > 400, "given back", untouched);
	}
	tap.end();

	Bench large(top, random, tap, read_vector, 1 << 17);

	tap.begin("two elements per cycle, as far as one read word per cycle allows");
	for (unsigned operation = 0; operation < operations; operation++) {
		Job job = {};

		job.operation = operation;
		job.destination = large.memory.base;
		job.x = large.memory.base + 0x8000;
		job.y = large.memory.base + 0x10004;
		job.count = 0x2000;
		job.behaviour.latency_min = job.behaviour.latency_max = 4;
		uint64_t words = 0x1000 * (job.two_sources() ? 2 : 1);
		uint64_t cycles = run_good(large, job);
		printf("# %s: %" PRIu64 " cycles for %" PRIu64 " words read\n", names[operation],
		       cycles, words);
		tap.check(cycles < words + 150, "cycles", cycles, words + 150);
	}
	tap.end();

	tap.begin("64 KiB preempted: done within a latency, the words of a chunk and 64 cycles");
	for (unsigned latency : { 1u, 100u, 500u }) {
		large.longest_preemption = 0;
		for (int i = 0; i < 40; i++) {
			Job job = {};

			job.operation = random.below(operations);
			job.destination = large.memory.base;
			job.x = large.memory.base + 0x8004;
			job.y = large.memory.base + 0x10000;
			job.count = 0x2000;
			job.behaviour.latency_min = job.behaviour.latency_max = latency;
			run_preempted(large, job, { (int)random.below(4000) });
		}
		printf("# latency %u: at most %" PRIu64 " cycles\n", latency,
		       large.longest_preemption);
	}
	tap.end();

	return tap.status();
}
