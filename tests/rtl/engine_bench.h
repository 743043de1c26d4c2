/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine between its node and memory: gives it one operation, follows it to its
 * done, and checks what every engine promises (rtl/engine/README.md).
 */
#ifndef RF_TEST_ENGINE_BENCH_H
#define RF_TEST_ENGINE_BENCH_H

#include "stream_memory.h"

namespace rf {

struct Operation {
	unsigned opcode, operation;
	uint64_t operand[4];
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
		top.abort_i = 0;
		top.read_ready_i = top.write_ready_i = top.write_data_ready_i = 0;
		top.answer_valid_i = top.write_done_i = 0;
		top.max_payload_words_i = 32;
		top.max_read_words_i = 64;
		clock.reset();
	}

	void step()
	{
		top.clk_i = 0;
		reads.drive(clock.cycle);
		writes.drive(clock.cycle);
		top.eval();
		reads.sample(clock.cycle);
		writes.sample(clock.cycle);
		done = top.done_o;
		if (done) {
			operations_done++;
			failure.error = field(top.failure_o, 67, 8);
			failure.level = field(top.failure_o, 65, 2);
			failure.store = field(top.failure_o, 64, 1);
			failure.address = field(top.failure_o, 0, 64);
			tap.check(reads.outstanding() == 0, "reads in flight at done",
				  reads.outstanding());
			tap.check(writes.outstanding() == 0, "writes in flight at done",
				  writes.outstanding());
		}
		clock.tick();
	}

	/* Tells the ports what the next operation may access. */
	void expect(const Behaviour &b, std::vector<Range> sources, Range destination)
	{
		vmid = random.below(16);
		reads.begin(b, vmid, sources);
		writes.begin(b, vmid, destination);
		top.max_payload_words_i = b.max_payload;
		top.max_read_words_i = b.max_read;
	}

	void offer(const Operation &operation)
	{
		for (int i = 0; i < 4; i++)
			set_field(top.operation_i, 192 - 64 * i, 64, operation.operand[i]);
		set_field(top.operation_i, 256, 4, vmid);
		set_field(top.operation_i, 260, 4, random.below(16));
		set_field(top.operation_i, 264, 8, operation.operation);
		set_field(top.operation_i, 272, 8, operation.opcode);
		top.operation_valid_i = 1;
		top.eval();
		while (!top.operation_ready_o)
			step();
		step();
		top.operation_valid_i = 0;
	}

	/*
	 * Runs one operation to its done; abort_after >= 0 aborts it so many cycles
	 * after its acceptance. Returns the cycles from acceptance to done.
	 */
	uint64_t run(const Operation &operation, int abort_after = -1)
	{
		offer(operation);
		uint64_t start = clock.cycle;

		for (done = false; !done;) {
			int64_t now = clock.cycle - start;

			/* Half of the aborts stay until done, as a node holds them. */
			top.abort_i = abort_after >= 0 && (now == abort_after ||
							   (abort_after & 1 && now > abort_after));
			tap.check(top.busy_o != top.done_o, "busy from acceptance to done");
			tap.check(now < 2 || top.progress_o <= writes.performed_bytes,
				  "progress counts what is performed", top.progress_o,
				  writes.performed_bytes);
			step();
			if (now > 2000000) {
				tap.check(false, "an operation ends");
				printf("Bail out! the engine hangs\n");
				exit(1);
			}
		}
		top.abort_i = 0;
		tap.check(!top.busy_o, "not busy after done");
		tap.equal(top.progress_o, writes.performed_bytes, "progress at done");
		return clock.cycle - start;
	}

	/* After an early end: the failure and the part that was written. */
	void check_failure(const Behaviour &b, Range destination, const Memory &before,
			   const Memory &want)
	{
		uint64_t good = destination.start + writes.performed_bytes;

		if (b.fail_write >= 0 && failure.store) {
			tap.equal(failure.address, writes.failed_address, "failed write");
			tap.equal(failure.address, good, "a failed write starts at progress");
		} else {
			tap.equal(failure.store, 0, "a read failed");
			tap.equal(failure.address, reads.failed_address, "failed read");
		}
		tap.equal(failure.error, b.fail_status + 6, "queue error of the status");
		tap.equal(failure.level, b.fail_level, "level");
		check_part(destination, before, want);
	}

	/* Bytes up to progress are as wanted, none outside the destination changed. */
	void check_part(Range destination, const Memory &before, const Memory &want)
	{
		uint64_t good = destination.start + writes.performed_bytes;

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
	bool done = false;
	unsigned operations_done = 0;
	unsigned vmid = 0;
};

} /* namespace rf */

#endif
