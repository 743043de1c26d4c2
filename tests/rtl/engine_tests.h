/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that are the same for every engine: of operations that an engine draws at random. */
#ifndef RF_TEST_ENGINE_TESTS_H
#define RF_TEST_ENGINE_TESTS_H

#include "engine_bench.h"

namespace rf {

const unsigned error_engine = 13; /* ringfence.toml, of an abort */

template <class Model> class EngineTests {
public:
	using Draw = std::function<Task()>; /* for all(): in the memory where it is now */

	explicit EngineTests(EngineBench<Model> &bench, Draw draw = nullptr) :
	    bench(bench), random(bench.random), tap(bench.tap), draw(draw)
	{
	}

	Memory wanted(const Task &task)
	{
		Memory want = bench.memory;

		task.apply(task.operation, bench.memory, want);
		return want;
	}

	uint64_t run(const Task &task, int abort_after = -1, int preempt_after = -1)
	{
		bench.expect(task.behaviour, task.sources, task.destination);
		return bench.run(task.operation, abort_after, preempt_after);
	}

	/* A task that must succeed; returns its cycles. */
	uint64_t run_good(const Task &task)
	{
		Memory want = wanted(task);
		uint64_t cycles = run(task);

		tap.equal(bench.failure.error, 0, "no failure");
		tap.equal(bench.writes.performed_bytes,
			  task.destination.end - task.destination.start, "bytes");
		bench.check_memory(want);
		return cycles;
	}

	/* One that must succeed in spite of all preemptions; returns how many hit it. */
	unsigned run_preempted(const Task &task, const std::vector<int> &preempts)
	{
		Memory want = wanted(task);
		unsigned hits = bench.run_in_parts(task, want, preempts);

		tap.equal(bench.failure.error, 0, "no failure");
		bench.check_memory(want);
		return hits;
	}

	/* The failure of an abort: no access of the engine failed. */
	void check_abort()
	{
		tap.equal(bench.failure.error, error_engine, "error of an abort");
		tap.equal(bench.failure.level, 0, "level of an abort");
		tap.equal(bench.failure.store, 0, "an abort stores nothing");
		tap.equal(bench.failure.address, 0, "address of an abort");
	}

	void all()
	{
		an_access_fails(
			"the n-th read or write fails: reported, rest untouched, engine goes on",
			false);
		an_access_fails(
			"limits change while accesses fail: the address is that of the failure",
			true);
		aborted_in_any_cycle();
		first_failure();
		preempted_at_random();
		fails_in_the_end();
		abort_wins();
	}

private:
	Task draw_elsewhere()
	{
		bench.move_memory();
		return draw();
	}

	Task draw_with_failure()
	{
		Task task = draw_elsewhere();

		task.behaviour.fail_status = 1 + random.below(6);
		task.behaviour.fail_level = random.below(4);
		return task;
	}

	std::vector<int> some_preempts(unsigned count, unsigned late)
	{
		std::vector<int> preempts;

		while (count--)
			preempts.push_back(random.below(random.chance(50) ? 40 : late));
		return preempts;
	}

	void an_access_fails(const char *name, bool limits_change)
	{
		unsigned failures = 0;

		tap.begin(name);
		for (int i = 0; i < 600; i++) {
			Task task = draw_with_failure();
			Behaviour &b = task.behaviour;
			Memory before = bench.memory, want = wanted(task);

			(random.chance(50) ? b.fail_read : b.fail_write) = random.below(12);
			if (limits_change)
				bench.limits_after = random.below(random.chance(50) ? 40 : 400);
			run(task);
			if ((int)bench.reads.count <= b.fail_read ||
			    (int)bench.writes.performed <= b.fail_write) {
				tap.equal(bench.failure.error, 0, "no failure");
				bench.check_memory(want);
				continue;
			}
			failures++;
			bench.check_failure(b, task.destination, before, want);
		}
		bench.limits_after = -1;
		tap.check(failures > 100, "failures provoked", failures);
		tap.end();
	}

	void aborted_in_any_cycle()
	{
		unsigned aborted = 0, finished = 0;

		tap.begin("abort at any cycle: nothing in flight at done, rest untouched");
		for (int i = 0; i < 600; i++) {
			Task task = draw_elsewhere();
			Memory before = bench.memory, want = wanted(task);

			run(task, random.below(random.chance(50) ? 16 : 2000));
			if (bench.failure.error == 0) {
				finished++;
				bench.check_memory(want);
				continue;
			}
			aborted++;
			check_abort();
			bench.check_part(task.destination, before, want);
		}
		tap.check(aborted > 100 && finished > 20, "aborted and finished", aborted,
			  finished);
		tap.end();
	}

	void first_failure()
	{
		unsigned aborted = 0, failures = 0;

		tap.begin("of a failed access and an abort, the first is reported, as a whole");
		for (int i = 0; i < 400; i++) {
			Task task = draw_with_failure();
			Behaviour &b = task.behaviour;
			Memory before = bench.memory, want = wanted(task);

			(random.chance(50) ? b.fail_read : b.fail_write) = random.below(4);
			run(task, random.below(random.chance(50) ? 40 : 400));
			if (bench.failure.error == error_engine) {
				aborted++;
				check_abort();
			} else if (bench.failure.error) {
				failures++;
				bench.check_failure(b, task.destination, before, want);
			}
			bench.check_part(task.destination, before, want);
		}
		tap.check(aborted > 100 && failures > 50, "aborts and failures", aborted, failures);
		tap.end();
	}

	void preempted_at_random()
	{
		unsigned hits = 0;

		tap.begin("preempted at random, random memory: same result, end in bounded time");
		bench.longest_preemption = 0;
		for (int i = 0; i < 600; i++) {
			Task task = draw_elsewhere();
			Behaviour &b = task.behaviour;

			if (random.chance(30)) {
				b.ready_percent = 100;
				b.word_interval = 1 + random.below(3);
				b.latency_min = b.latency_max = random.below(600);
				b.max_read = 16u << random.below(3);
			}
			hits += run_preempted(task, some_preempts(random.below(6), 1500));
		}
		printf("# %u preemptions, the longest %" PRIu64 " cycles\n", hits,
		       bench.longest_preemption);
		tap.check(hits > 300, "preemptions", hits);
		tap.end();
	}

	void fails_in_the_end()
	{
		unsigned failures = 0, hits = 0;

		tap.begin("an access that fails fails in the end, whatever is preempted before");
		for (int i = 0; i < 400; i++) {
			Task task = draw_with_failure();
			Memory before = bench.memory, want = wanted(task);
			bool store = task.sources.empty() || random.chance(50);
			Range bad = store ? task.destination
					  : task.sources[random.below(task.sources.size())];
			uint64_t address = bad.start + random.below(bad.end - bad.start + 1);

			(store ? task.behaviour.bad_write : task.behaviour.bad_read) = address;
			hits += bench.run_in_parts(task, want, some_preempts(random.below(5), 600));
			if (!bench.failure.error) {
				tap.check(address >= bad.end, "fails", address);
				bench.check_memory(want);
				continue;
			}
			failures++;
			bench.check_failure(task.behaviour, task.destination, before, want);
		}
		tap.check(failures > 200 && hits > 100, "failures and preemptions", failures, hits);
		tap.end();
	}

	void abort_wins()
	{
		unsigned aborted = 0;

		tap.begin("an abort wins over a preemption");
		for (int i = 0; i < 600; i++) {
			Task task = draw_elsewhere();
			Memory before = bench.memory, want = wanted(task);
			int abort_after = random.below(random.chance(50) ? 12 : 600);
			int preempt_after = std::max(0, abort_after - 8 + (int)random.below(16));
			int cycles = run(task, abort_after, preempt_after);

			aborted += bench.failure.error != 0;
			if (bench.failure.error)
				check_abort();
			/* In the last two cycles the outcome stands already. */
			else if (bench.preempted)
				tap.check(abort_after >= cycles - 2, "abort before the end",
					  abort_after, cycles);
			bench.check_part(task.destination, before, want);
		}
		tap.check(aborted > 100, "aborted", aborted);
		tap.end();
	}

	EngineBench<Model> &bench;
	Random &random;
	Tap &tap;
	Draw draw;
};

} /* namespace rf */

#endif
