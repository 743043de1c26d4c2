/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine between its node and memory: gives it one operation, follows it to its
 * done, and checks what every engine promises (rtl/engine/README.md).
 */
#ifndef RF_TEST_ENGINE_BENCH_H
#define RF_TEST_ENGINE_BENCH_H

#include <algorithm>
#include <functional>

#include "stream_memory.h"

namespace rf {

const unsigned preemption_chunk_bytes = 4096; /* ringfence.toml */

struct Operation {
	unsigned opcode, operation;
	uint64_t operand[4];
	bool reduces = false; /* all of its progress comes before its only write */
	uint64_t progress = 0, partial = 0; /* of the parts before a preemption */
};

/* An operation and what it must do. */
struct Task {
	Operation operation;
	Behaviour behaviour;
	std::vector<Range> sources;
	Range destination;
	uint64_t bytes; /* progress of the whole */
	/* Does the operation from its progress on. */
	std::function<void(const Operation &, const Memory &before, Memory &want)> apply;
	/* What the first bytes come to. */
	std::function<uint64_t(const Memory &before, uint64_t progress)> partial_of;

	std::vector<Range> sources_left() const
	{
		std::vector<Range> left = sources;

		for (auto &range : left)
			range.start += operation.progress;
		return left;
	}
	Range destination_left() const
	{
		return { destination.start + (operation.reduces ? 0 : operation.progress),
			 destination.end };
	}
};

struct Failure {
	unsigned error, level, store;
	uint64_t address;
};

template <class Model> class EngineBench {
public:
	EngineBench(Model &top, Random &random, Tap &tap, unsigned read_master,
		    size_t size = 1 << 16) :
	    top(top),
	    random(random), tap(tap), memory(0x123456789000, size, random),
	    reads(top, memory, random, tap, read_master), writes(top, memory, random, tap),
	    clock(top)
	{
		top.operation_valid_i = 0;
		top.abort_i = top.preempt_i = 0;
		top.read_ready_i = top.write_ready_i = top.write_data_ready_i = 0;
		top.response_valid_i = top.write_done_i = 0;
		top.max_payload_words_i = 32;
		top.max_read_words_i = 64;
		clock.reset();
	}

	void step()
	{
		bool accepts = top.operation_valid_i && top.operation_ready_o;

		/* The words of an operation come one a cycle, from its acceptance on. */
		if (accepts) {
			accepted = words;
			coming = 1;
			top.word_i = words[0];
		} else if (coming < accepted.size()) {
			top.word_i = accepted[coming++];
		} else if (top.operation_valid_i) {
			top.word_i = words[0];
		} else {
			top.word_i = random.next();
		}
		top.clk_i = 0;
		reads.drive(clock.cycle);
		writes.drive(clock.cycle);
		top.eval();
		reads.sample(clock.cycle);
		writes.sample(clock.cycle);
		done = top.done_o;
		if (done) {
			operations_done++;
			failure.error = bits(top.failure_o, 67, 8);
			failure.level = bits(top.failure_o, 65, 2);
			failure.store = bits(top.failure_o, 64, 1);
			failure.address = bits(top.failure_o, 0, 64);
			preempted = top.preempted_o;
			progress = top.progress_o;
			partial = top.partial_o;
			tap.check(!preempted || !failure.error, "a failure is not a preemption");
			tap.check(reads.outstanding() == 0, "reads in flight at done",
				  reads.outstanding());
			tap.check(writes.outstanding() == 0, "writes in flight at done",
				  writes.outstanding());
		}
		clock.tick();
	}

	/* Tells the ports what the next operation may access. */
	void expect(const Behaviour &b, std::vector<Range> sources, Range destination,
		    bool goes_on = false)
	{
		vmid = random.below(16);
		reads.begin(b, vmid, sources);
		writes.begin(b, vmid, destination, goes_on);
		top.max_payload_words_i = b.max_payload;
		top.max_read_words_i = b.max_read;
	}

	/*
	 * A host writes Device Control: other limits, which hold from the next operation on. In
	 * the cycle of the start they are those of reads already, and not yet those of writes.
	 */
	void change_limits(bool start)
	{
		top.max_payload_words_i = 1u << random.below(7);
		top.max_read_words_i = 1u << random.below(7);
		if (start)
			reads.behaviour.max_read = top.max_read_words_i;
		limits_changed++;
	}

	void begin(const Task &task)
	{
		reads.begin(task.behaviour, vmid, task.sources_left());
		writes.begin(task.behaviour, vmid, task.destination_left());
	}

	void present(const Operation &operation)
	{
		top.operation_i = (uint64_t)operation.progress << 20 |
				  (uint64_t)operation.opcode << 12 | operation.operation << 4 |
				  vmid;
		words.assign(operation.operand, operation.operand + 3);
		if (operation.opcode == RF_OPCODE_VECTOR) { /* else three of them */
			words.insert(words.begin(), operation.partial);
			words.push_back(operation.operand[3]);
		}
		top.operation_valid_i = 1;
	}

	void offer(const Operation &operation)
	{
		present(operation);
		top.eval();
		while (!top.operation_ready_o)
			step();
		step();
		top.operation_valid_i = 0;
	}

	/*
	 * Runs one operation to its done; abort_after and preempt_after >= 0 abort or
	 * preempt it so many cycles after its acceptance. Returns the cycles from
	 * acceptance to done.
	 */
	uint64_t run(const Operation &operation, int abort_after = -1, int preempt_after = -1)
	{
		offer(operation);
		uint64_t start = clock.cycle;
		unsigned refused = 0;

		for (done = false; !done;) {
			int64_t now = clock.cycle - start;

			/* Half of the aborts stay until done, as a node holds them; all do until the
			 * operation starts. */
			top.abort_i =
				abort_after >= 0 && now >= abort_after &&
				(now == abort_after || abort_after & 1 || now <= start_after());
			if (now == preempt_after)
				refused = reads.refused + writes.refused;
			top.preempt_i = preempt_after >= 0 && now >= preempt_after;
			if (limits_after >= 0 && now == limits_after + start_after())
				change_limits(limits_after == 0);
			tap.check(top.busy_o != top.done_o, "busy from acceptance to done");
			tap.check(now < 2 + start_after() || operation.reduces ||
					  top.progress_o <=
						  operation.progress + writes.performed_bytes,
				  "progress counts what is performed", top.progress_o,
				  operation.progress + writes.performed_bytes);
			step();
			check_alive(now);
		}
		top.abort_i = top.preempt_i = 0;
		tap.check(!top.busy_o, "not busy after done");
		tap.equal(top.progress_o, progress, "progress stays after done");
		performed = writes.performed_bytes;
		if (!operation.reduces) {
			performed += operation.progress;
			tap.equal(progress, performed, "progress at done");
		}
		uint64_t cycles = clock.cycle - start;
		if (preempt_after >= 0 && cycles > (unsigned)preempt_after)
			check_latency(cycles - preempt_after,
				      reads.refused + writes.refused - refused);
		return cycles;
	}

	/* Cycles from the one behind the acceptance: when an operation starts. */
	int start_after() const { return (int)accepted.size() - 1; }

	void check_alive(uint64_t cycles)
	{
		if (cycles <= 2000000)
			return;
		printf("Bail out! the engine hangs\n");
		exit(1);
	}

	/*
	 * From preempt_i to done at most: the latency of an access, the words of one
	 * chunk, and 64 cycles; and those in which the memory took nothing.
	 */
	void check_latency(uint64_t cycles, unsigned refused)
	{
		const Behaviour &b = reads.behaviour;
		uint64_t bound = std::max(b.latency_max, b.write_latency_max) +
				 preemption_chunk_bytes / 8 * b.word_interval + 64;

		tap.check(cycles <= bound + refused, "cycles from preempt to done", cycles, bound);
		longest_preemption = std::max(longest_preemption, cycles);
	}

	/*
	 * Runs a task in parts: the n-th is preempted preempts[n] cycles after its
	 * acceptance, until the operation is done or has failed. Returns the number of
	 * preemptions.
	 */
	unsigned run_in_parts(Task task, const Memory &want, const std::vector<int> &preempts)
	{
		for (unsigned part = 0;; part++) {
			const Memory before = memory;

			expect(task.behaviour, task.sources_left(), task.destination_left(),
			       part != 0);
			run(task.operation, -1, part < preempts.size() ? preempts[part] : -1);
			if (failure.error)
				return part;
			check_progress(task, before, want);
			if (!preempted)
				return part;
			tap.check(part < preempts.size(), "preempted without a request");
			task.operation.progress = progress;
			task.operation.partial = partial;
		}
	}

	/*
	 * Offers all tasks, one behind the other, and preempts them preempt_after cycles
	 * later until all are reported. What was held then must come back untouched.
	 * Returns how many did.
	 */
	unsigned run_queue(const std::vector<Task> &tasks, unsigned preempt_after)
	{
		unsigned taken = 0, reported = 0, untouched = 0, refused = 0;
		uint64_t now = 0, done_at = 0;
		std::vector<uint64_t> accepted_at;
		Memory before = memory;

		top.max_payload_words_i = tasks[0].behaviour.max_payload;
		top.max_read_words_i = tasks[0].behaviour.max_read;
		vmid = random.below(16);
		begin(tasks[0]);
		for (; reported < tasks.size(); now++) {
			if (taken < tasks.size() && !top.operation_valid_i)
				present(tasks[taken].operation);
			top.preempt_i = now >= preempt_after;
			if (now == preempt_after)
				refused = reads.refused + writes.refused;
			top.eval();
			bool accept = top.operation_valid_i && top.operation_ready_o;
			step();
			if (accept) {
				taken++;
				accepted_at.push_back(now);
				top.operation_valid_i = 0;
			}
			check_alive(now);
			if (!done)
				continue;

			const Task &task = tasks[reported];
			Memory want = before;
			uint64_t start = accepted_at[reported] + 1 + start_after();
			if (reported)
				start = std::max(start, done_at);
			task.apply(task.operation, before, want);
			tap.equal(failure.error, 0, "no failure");
			check_progress(task, before, want);
			if (preempt_after < start) {
				bool complete = !task.operation.reduces &&
						task.operation.progress == task.bytes;

				tap.equal(preempted, !complete, "held, and preempted");
				tap.equal(progress, task.operation.progress, "progress as it came");
				tap.equal(partial, task.operation.partial, "partial as it came");
				tap.equal(reads.count + writes.count, 0, "requests");
				untouched++;
			}
			done_at = now;
			before = memory;
			if (++reported < tasks.size())
				begin(tasks[reported]);
		}
		if (now > preempt_after)
			check_latency(now - preempt_after,
				      reads.refused + writes.refused - refused);
		top.preempt_i = 0;
		step();
		tap.check(!top.busy_o, "not busy when all are reported");
		return untouched;
	}

	/* What was reported at a done is what memory holds. */
	void check_progress(const Task &task, const Memory &before, const Memory &want)
	{
		const Operation &operation = task.operation;
		Range written = { task.destination.start + operation.progress,
				  task.destination.start + progress };

		if (preempted) {
			tap.check(progress >= operation.progress && progress <= task.bytes,
				  "progress of a part", progress, operation.progress);
			if (!operation.reduces && progress != operation.progress)
				tap.equal(written.end %
						  (8 * std::min(task.behaviour.max_payload, 32u)),
					  0, "preempted between full writes");
			tap.equal(partial,
				  operation.partial + task.partial_of(before, progress) -
					  task.partial_of(before, operation.progress),
				  "partial result");
		} else {
			tap.equal(progress, task.bytes, "progress of the whole");
		}
		if (operation.reduces)
			check_memory(preempted ? before : want);
		else
			check_memory(before.with(want, written));
	}

	/* After an early end: the failure and the part that was written. */
	void check_failure(const Behaviour &b, Range destination, const Memory &before,
			   const Memory &want)
	{
		uint64_t good = destination.start + performed;

		if ((b.fail_write >= 0 || b.bad_write) && failure.store) {
			tap.equal(failure.address, writes.failed_address, "failed write");
			tap.equal(failure.address, good, "a failed write starts at progress");
		} else {
			tap.equal(failure.store, 0, "a read failed");
			tap.check(std::count(reads.failed.begin(), reads.failed.end(),
					     failure.address),
				  "failed read", failure.address, reads.failed_address);
		}
		tap.equal(failure.error, b.fail_status + 6, "queue error of the status");
		tap.equal(failure.level, b.fail_level, "level");
		check_part(destination, before, want);
	}

	/* 4 GiB begin in the midst of one of three parts of memory: of one operand. */
	void move_memory() { memory.base = 0x123500000000 - 0x1800 - 0x4000 * random.below(3); }

	/* Bytes performed are as wanted, none outside the destination changed. */
	void check_part(Range destination, const Memory &before, const Memory &want)
	{
		uint64_t good = destination.start + performed;

		for (size_t i = 0; i < memory.bytes.size(); i++) {
			uint64_t address = memory.base + i;

			if (address >= destination.start && address < good)
				tap.equal(memory.bytes[i], want.bytes[i], "byte before progress");
			else if (address < destination.start || address >= destination.end)
				tap.equal(memory.bytes[i], before.bytes[i], "byte outside");
		}
	}

	void check_memory(const Memory &want)
	{
		if (memory.bytes == want.bytes)
			return;
		for (size_t i = 0; i < memory.bytes.size(); i++)
			tap.equal(memory.bytes[i], want.bytes[i], "byte of memory");
	}

	Model &top;
	Random &random;
	Tap &tap;
	Memory memory;
	ReadPort<Model> reads;
	WritePort<Model> writes;
	Clock<Model> clock;
	Failure failure = {};
	bool done = false, preempted = false; /* with the last done, as all of these */
	std::vector<uint64_t> words, accepted; /* of the operation offered, accepted last */
	size_t coming = 0; /* of the latter, the next one to come */
	uint64_t progress = 0, partial = 0;
	uint64_t performed = 0; /* bytes of the destination, in all parts */
	uint64_t longest_preemption = 0;
	unsigned operations_done = 0;
	unsigned vmid = 0;
	int limits_after = -1; /* run() changes the limits so long after the acceptance */
	unsigned limits_changed = 0;
};

} /* namespace rf */

#endif
