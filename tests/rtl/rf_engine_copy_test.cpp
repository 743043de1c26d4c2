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

/* The failure of an abort: no access of the engine failed. */
void check_abort(Bench &bench)
{
	bench.tap.equal(bench.failure.error, error_engine, "error of an abort");
	bench.tap.equal(bench.failure.level, 0, "level of an abort");
	bench.tap.equal(bench.failure.store, 0, "an abort stores nothing");
	bench.tap.equal(bench.failure.address, 0, "address of an abort");
}

uint64_t run(Bench &bench, const Job &job, int abort_after = -1)
{
	bench.expect(job.behaviour, job.sources, job.destination);
	return bench.run(job.operation, abort_after);
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

/* A job that must succeed in spite of all preemptions; returns how many hit it. */
unsigned run_preempted(Bench &bench, const Job &job, const std::vector<int> &preempts)
{
	rf::Memory want = bench.memory;
	apply(job, bench.memory, want);
	unsigned hits = bench.run_in_parts(task_of(job), want, preempts);

	bench.tap.equal(bench.failure.error, 0, "no failure");
	bench.check_memory(want);
	return hits;
}

/* A job that must succeed; returns its cycles. */
uint64_t run_good(Bench &bench, const Job &job)
{
	rf::Memory want = bench.memory;
	apply(job, bench.memory, want);
	uint64_t cycles = run(bench, job);

	bench.tap.equal(bench.failure.error, 0, "no failure");
	bench.tap.equal(bench.writes.performed_bytes, bytes_of(job), "bytes");
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

	tap.begin("the n-th read or write fails: reported, rest untouched, engine goes on");
	{
		unsigned failures = 0;

		for (int i = 0; i < 600; i++) {
			bench.move_memory();
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
			run(bench, job);
			(bench.failure.store ? writes : reads)++;
			both += (int)bench.reads.count > job.behaviour.fail_read &&
				(int)bench.writes.performed > job.behaviour.fail_write;
			bench.check_failure(job.behaviour, job.destination, before, want);
		}
		tap.check(reads > 50 && writes > 50 && both > 50, "reads and writes told of", reads,
			  writes);
	}
	tap.end();

	tap.begin("abort at any cycle: nothing in flight at done, rest untouched");
	{
		unsigned aborted = 0, finished = 0;

		for (int i = 0; i < 600; i++) {
			bench.move_memory();
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
			check_abort(bench);
			bench.check_part(job.destination, before, want);
		}
		tap.check(aborted > 100 && finished > 20, "aborted and finished", aborted,
			  finished);
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

	tap.begin("preempted at random, random memory: same result, end in bounded time");
	{
		unsigned hits = 0;

		bench.longest_preemption = 0;
		for (int i = 0; i < 600; i++) {
			bench.move_memory();
			Job job = random_job(bench, random);
			std::vector<int> preempts;

			if (random.chance(30)) {
				job.behaviour.ready_percent = 100;
				job.behaviour.word_interval = 1 + random.below(3);
				job.behaviour.latency_min = job.behaviour.latency_max =
					random.below(600);
				job.behaviour.max_read = 16u << random.below(3);
			}
			for (unsigned n = random.below(6); n > 0; n--)
				preempts.push_back(random.below(random.chance(50) ? 40 : 1500));
			hits += run_preempted(bench, job, preempts);
		}
		printf("# %u preemptions, the longest %" PRIu64 " cycles\n", hits,
		       bench.longest_preemption);
		tap.check(hits > 300, "preemptions", hits);
	}
	tap.end();

	tap.begin("an access that fails fails in the end, whatever is preempted before");
	{
		unsigned failures = 0, hits = 0;

		for (int i = 0; i < 400; i++) {
			bench.move_memory();
			Job job = random_job(bench, random);
			rf::Memory before = bench.memory, want = before;
			std::vector<int> preempts;
			rf::Range bad = random.chance(50) && !job.sources.empty() ? job.sources[0]
										  : job.destination;
			uint64_t address = bad.start + random.below(bad.end - bad.start + 1);

			job.behaviour.fail_status = 1 + random.below(6);
			job.behaviour.fail_level = random.below(4);
			(bad.start == job.destination.start ? job.behaviour.bad_write
							    : job.behaviour.bad_read) = address;
			for (unsigned n = random.below(5); n > 0; n--)
				preempts.push_back(random.below(random.chance(50) ? 40 : 600));
			apply(job, before, want);
			hits += bench.run_in_parts(task_of(job), want, preempts);
			bool must_fail = address < bad.end;
			if (!bench.failure.error) {
				tap.check(!must_fail, "fails", address);
				bench.check_memory(want);
				continue;
			}
			failures++;
			bench.check_failure(job.behaviour, job.destination, before, want);
		}
		tap.check(failures > 200 && hits > 100, "failures and preemptions", failures, hits);
	}
	tap.end();

	tap.begin("an abort wins over a preemption");
	{
		unsigned aborted = 0;

		for (int i = 0; i < 600; i++) {
			bench.move_memory();
			Job job = random_job(bench, random);
			rf::Memory before = bench.memory, want = before;
			int abort_after = random.below(random.chance(50) ? 12 : 600);
			int preempt_after = std::max(0, abort_after - 8 + (int)random.below(16));

			apply(job, before, want);
			bench.expect(job.behaviour, job.sources, job.destination);
			int cycles = bench.run(job.operation, abort_after, preempt_after);
			aborted += bench.failure.error != 0;
			if (bench.failure.error)
				check_abort(bench);
			/* In the last two cycles the outcome stands already. */
			else if (bench.preempted)
				tap.check(abort_after >= cycles - 2, "abort before the end",
					  abort_after, cycles);
			bench.check_part(job.destination, before, want);
		}
		tap.check(aborted > 100, "aborted", aborted);
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

	tap.begin("limits change while accesses fail: the address is that of the failure");
	{
		unsigned failures = 0;

		for (int i = 0; i < 600; i++) {
			bench.move_memory();
			Job job = random_job(bench, random);
			rf::Memory before = bench.memory, want = before;

			job.behaviour.fail_status = 1 + random.below(6);
			job.behaviour.fail_level = random.below(4);
			(random.chance(50) ? job.behaviour.fail_read : job.behaviour.fail_write) =
				random.below(12);
			bench.limits_after = random.below(random.chance(50) ? 40 : 400);
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
		bench.limits_after = -1;
		tap.check(failures > 100, "failures provoked", failures);
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
			check_abort(bench);
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
