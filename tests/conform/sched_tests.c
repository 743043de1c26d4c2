// SPDX-License-Identifier: Apache-2.0
/*
 * Bands, turns and quanta; and queues that are taken off the device in the middle of
 * their work and put back, into another slot.
 */
#include "victim.h"

#include <string.h>

#include "rf_bus.h"

#define SIM RF_CONFORM_SIM_ONLY
#define CONTEXT_BYTES 256u
#define FAST 1000u /* cycles that nothing of this file needs */

/* --- a queue that may be elsewhere --------------------------------------------------------- */

static void bind(struct rf_dev_queue *queue, unsigned int slot, bool resident)
{
	rf_dev_register_write(queue->dev, RF_REG_DOORBELL_BIND(queue->doorbell),
			      RF_DOORBELL_BIND_BOUND_MASK |
				      (resident ? RF_DOORBELL_BIND_RESIDENT_MASK : 0) |
				      (uint64_t)slot << RF_DOORBELL_BIND_SLOT_SHIFT |
				      0x700ull << RF_DOORBELL_BIND_HANDLE_SHIFT);
}

static void ask_preempt(struct rf_dev_queue *queue, struct rf_spot save)
{
	rf_dev_register_write(queue->dev, RF_REG_SLOT_SAVE_ADDRESS(queue->slot),
			      rf_dev_address(queue->dev, 0, save));
	rf_dev_register_write(queue->dev, RF_REG_SLOT_CONTROL(queue->slot),
			      RF_SLOT_CONTROL_PREEMPT_MASK);
}

/* The next record that is not of a fence; those are counted by value modulo 8. */
static struct rf_interrupt_record await_record(struct rf_dev *dev, unsigned int *signalled)
{
	struct rf_interrupt_record record;
	unsigned int looks;

	for (looks = 0; looks < FAST; looks++) {
		if (!rf_dev_record(dev, &record)) {
			rf_dev_run(dev, 16);
			continue;
		}
		rf_dev_consume(dev);
		if (record.kind != RF_RECORD_KIND_FENCE_SIGNALED)
			return record;
		RF_CHECK(dev->conform, signalled, "an interrupt of a fence");
		signalled[record.value & 7]++;
	}
	rf_conform_fail(dev->conform, __FILE__, __LINE__, "no record comes");
}

static uint64_t await_preempted(struct rf_dev_queue *queue, struct rf_spot save,
				unsigned int *signalled)
{
	struct rf_conform *conform = queue->dev->conform;
	struct rf_interrupt_record record = await_record(queue->dev, signalled);

	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_PREEMPTED, "kind");
	RF_CHECK_EQUAL(conform, record.detail, RF_ACCESS_STATUS_OK, "status of the save");
	RF_CHECK_EQUAL(conform, record.address, rf_dev_address(queue->dev, 0, save), "address");
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(queue), RF_SLOT_STATE_DISABLED, "state");
	RF_CHECK_EQUAL(conform, rf_dev_read(queue->dev, rf_spot_at(save, 0x38)), record.value,
		       "SLOT_STATUS saved and told");
	return record.value;
}

static void restore(struct rf_dev_queue *queue, struct rf_spot save, unsigned int slot)
{
	struct rf_dev *dev = queue->dev;
	unsigned int looks;

	queue->slot = slot;
	rf_dev_register_write(dev, RF_REG_SLOT_SAVE_ADDRESS(slot), rf_dev_address(dev, 0, save));
	rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(slot), RF_SLOT_CONTROL_RESTORE_MASK);
	bind(queue, slot, true);
	for (looks = 0; rf_dev_queue_state(queue) == RF_SLOT_STATE_DISABLED; looks++)
		RF_CHECK(dev->conform, looks < FAST, "the queue does not come back");
}

/* --- the same memory as if never preempted ------------------------------------------------- */

#define BYTES 600u /* of the copies, fills and vectors */

struct program {
	struct rf_dev_queue *queue;
	struct rf_spot fence, monitored, progress, other, cells, source, target, save;
	uint64_t base; /* of the fence's values in this run */
	uint64_t runs;
	unsigned int midway; /* preempted in the midst of an operation */
};

static uint64_t process_address(struct program *p, struct rf_spot spot)
{
	return rf_dev_address(p->queue->dev, p->queue->vmid, spot);
}

static void record_engine_work(struct program *p)
{
	const uint64_t from = process_address(p, p->source);
	const uint64_t copy[] = { process_address(p, p->target) + 3, from + 5, BYTES };
	const uint64_t fill[] = { process_address(p, p->target) + 1024 + 1, BYTES,
				  0x0123456789abcdefull };
	const uint64_t axpb[] = { process_address(p, p->target), from, BYTES / 4,
				  7ull << 32 | 2654435761u };
	const uint64_t add[] = { process_address(p, p->target) + 1024, from, BYTES / 4, from + 8 };
	const uint64_t sum[] = { process_address(p, p->target) + 2048, from + 4, BYTES / 4, 0 };

	if (p->queue->node == RF_NODE_COMPUTE) {
		rf_dev_packet(p->queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_AXPB, axpb, 4);
		rf_dev_packet(p->queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_ADD, add, 4);
		rf_dev_packet(p->queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_SUM, sum, 4);
	} else {
		rf_dev_packet(p->queue, RF_OPCODE_COPY, 0, 0, copy, 3);
		rf_dev_packet(p->queue, RF_OPCODE_FILL, 0, 0, fill, 3);
	}
}

static void check_engine_work(struct program *p)
{
	static uint8_t source[4096], target[4096], want[4096];
	struct rf_dev *dev = p->queue->dev;
	const uint64_t pattern = 0x0123456789abcdefull;
	uint64_t total = 0;
	unsigned int i;

	rf_dev_read_bytes(dev, p->source, source, sizeof(source));
	rf_dev_read_bytes(dev, p->target, target, sizeof(target));
	memset(want, 0, sizeof(want));
	if (p->queue->node == RF_NODE_COMPUTE) {
		for (i = 0; i < BYTES / 4; i++) {
			uint32_t x, y, z;

			memcpy(&x, source + 4 * i, 4);
			memcpy(&y, source + 4 * i + 8, 4);
			memcpy(&z, source + 4 * i + 4, 4);
			total += (uint64_t)(int64_t)(int32_t)z;
			y += x;
			x = x * 2654435761u + 7;
			memcpy(want + 4 * i, &x, 4);
			memcpy(want + 1024 + 4 * i, &y, 4);
		}
		memcpy(want + 2048, &total, 8);
	} else {
		memcpy(want + 3, source + 5, BYTES);
		for (i = 0; i < BYTES; i++)
			want[1025 + i] = (uint8_t)(pattern >> 8 * ((1025 + i) & 7));
	}
	for (i = 0; i < sizeof(target); i++)
		RF_CHECK_EQUAL(dev->conform, target[i], want[i], "byte of the target");
}

/* Two entries, in which every kind of packet but the stops is there. */
static void record_program(struct program *p)
{
	struct rf_dev_queue *q = p->queue;
	const uint64_t stamp[] = { process_address(p, rf_spot_at(p->cells, 16)) };
	const uint64_t progress[] = { p->base };

	rf_dev_write_packet(q, p->cells, p->base + 1);
	rf_dev_signal(q, p->fence, p->base + 1, p->monitored, 0);
	rf_dev_packet(q, RF_OPCODE_NOP, 0, 0, NULL, 0);
	record_engine_work(p);
	rf_dev_append(q);
	rf_dev_wait(q, p->other, p->base, 0);
	rf_dev_signal(q, p->fence, p->base + 2, p->monitored, RF_DEV_NO_LOG);
	rf_dev_wait(q, p->fence, p->base + 2, RF_DEV_NO_LOG);
	rf_dev_packet(q, RF_OPCODE_BARRIER, 0, 0, NULL, 0);
	rf_dev_packet(q, RF_OPCODE_PROGRESS, 0, 0, progress, 1);
	rf_dev_packet(q, RF_OPCODE_TIMESTAMP, 0, 0, stamp, 1);
	rf_dev_write_packet(q, rf_spot_at(p->cells, 8), p->base + 2);
	rf_dev_signal(q, p->fence, p->base + 3, p->monitored, 1);
	rf_dev_append(q);
}

static void open_program(struct program *p, struct rf_dev *dev, struct rf_dev_queue *queue,
			 enum rf_place place)
{
	uint8_t bytes[4096];
	unsigned int i;

	memset(p, 0, sizeof(*p));
	p->queue = queue;
	p->fence = rf_dev_alloc(dev, place, 8, 8);
	p->monitored = rf_dev_alloc(dev, dev->shadow ? place : RF_PLACE_SYSTEM, 8, 8);
	p->progress = rf_dev_alloc(dev, place, 8, 8);
	p->other = rf_dev_alloc(dev, place, 8, 8);
	p->cells = rf_dev_alloc(dev, place, 24, 8);
	/* compared byte by byte: where the CPU is quick */
	p->source = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 4096, 4096);
	p->target = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 4096, 4096);
	p->save = rf_dev_alloc(dev, place, CONTEXT_BYTES, 256);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)rf_conform_random(dev->conform, 256);
	rf_dev_write_bytes(dev, p->source, bytes, sizeof(bytes));
	rf_dev_queue_logs(queue, place, 4);
	rf_dev_queue_progress(queue, p->progress, p->monitored);
}

/*
 * The program runs once; @delay cycles after its ring the queue is preempted, and put
 * back into another slot. Returns the state that it was in.
 */
static enum rf_slot_state run_preempted(struct program *p, unsigned int delay, bool release_late)
{
	struct rf_dev_queue *q = p->queue;
	unsigned int signalled[8] = { 0 }, from = q->slot, i;
	uint64_t status, state, packets, signals;
	struct rf_dev *dev = q->dev;
	struct rf_conform *conform = dev->conform;
	struct rf_interrupt_record record;
	struct rf_log_entry entry;
	static const uint8_t zero[4096];

	p->base += 8;
	p->runs++;
	rf_dev_write_bytes(dev, p->target, zero, sizeof(zero));
	record_program(p);
	rf_dev_flush(dev);
	packets = rf_dev_counter(dev, RF_COUNTER_WAITS);
	signals = rf_dev_counter(dev, RF_COUNTER_SIGNALS);
	if (!release_late)
		rf_dev_write(dev, p->other, p->base);
	rf_dev_flush(dev);
	rf_dev_ring(q);
	rf_dev_run(dev, delay);
	ask_preempt(q, p->save);
	status = await_preempted(q, p->save, signalled);
	RF_CHECK(conform, !(status & RF_SLOT_STATUS_ERROR_MASK), "an error, delay %u", delay);

	p->midway += rf_dev_read(dev, rf_spot_at(p->save, 0xc0)) != 0;

	/* Nothing of it happens now, whatever is released; the slot is another queue's. */
	state = rf_dev_read(dev, p->fence);
	rf_dev_write(dev, p->other, p->base);
	rf_dev_register_write(dev, RF_REG_FENCE_NOTIFY, 0);
	rf_dev_run(dev, 50);
	RF_CHECK_EQUAL(conform, rf_dev_read(dev, p->fence), state, "value while preempted");
	restore(q, p->save, from ^ 1);
	rf_dev_finish(q);
	rf_dev_settle(dev);
	while (rf_dev_record(dev, &record)) {
		RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_FENCE_SIGNALED, "kind");
		signalled[record.value & 7]++;
	}
	rf_dev_consume(dev);

	/* Each packet once, and in its place. */
	RF_CHECK_EQUAL(conform, rf_dev_read(dev, p->fence), p->base + 3, "fence");
	RF_CHECK_EQUAL(conform, rf_dev_read(dev, p->progress), p->base, "progress fence");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_SLOT_PROGRESS_VALUE(q->slot)), p->base,
		       "PROGRESS_VALUE");
	RF_CHECK_EQUAL(conform, rf_dev_read(dev, p->cells), p->base + 1, "first cell");
	RF_CHECK_EQUAL(conform, rf_dev_read(dev, rf_spot_at(p->cells, 8)), p->base + 2,
		       "second cell");
	check_engine_work(p);
	for (i = 0; i < 4; i++)
		RF_CHECK(conform, signalled[i] == 1, "delay %u: value %u raised %u interrupts",
			 delay, i, signalled[i]);
	RF_CHECK_EQUAL(conform, rf_dev_counter(dev, RF_COUNTER_SIGNALS) - signals, 4, "signals");
	RF_CHECK(conform, rf_dev_counter(dev, RF_COUNTER_WAITS) - packets <= 3, "waits");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_SLOT_SIGNAL_LOG_STATE(q->slot)),
		       RF_DEV_LOG_STATE(p->runs - 1, 4 << 16 | 2), "state of the signal log");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_SLOT_WAIT_LOG_STATE(q->slot)),
		       RF_DEV_LOG_STATE(p->runs - 1, 4 << 16 | 1), "state of the wait log");
	for (i = 0; i < 2; i++) {
		entry = rf_dev_log_entry(dev, q->signal_log, i);
		RF_CHECK_EQUAL(conform, entry.fence_value, p->base + (i ? 3 : 1), "logged signal");
	}
	entry = rf_dev_log_entry(dev, q->wait_log, 0);
	RF_CHECK_EQUAL(conform, entry.fence_value, p->base, "logged wait");
	state = status & RF_SLOT_STATUS_STATE_MASK;
	if (state == RF_SLOT_STATE_WAITING && release_late)
		RF_CHECK(conform, entry.fence_observed_gpu_timestamp, "a wait that stalled");
	RF_CHECK(conform, entry.fence_observed_gpu_timestamp <= entry.fence_end_gpu_timestamp,
		 "order of the timestamps");
	return (enum rf_slot_state)state;
}

static void sweep(struct rf_conform *conform, unsigned int node, enum rf_place place,
		  bool release_late)
{
	const enum rf_slot_state last = release_late ? RF_SLOT_STATE_WAITING : RF_SLOT_STATE_IDLE;
	const unsigned int stretch = rf_conform_stretch(conform);
	unsigned int delay, cut = 0, rest = 0;
	struct rf_dev_queue queue;
	struct program p;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, place);
	rf_dev_queue_open(&queue, &dev, 4, node, 1, place);
	open_program(&p, &dev, &queue, place);
	/* in every cycle until it has ended before its preemption, or stands at its wait */
	for (delay = 0; rest < 16; delay += stretch) {
		bool ended = run_preempted(&p, delay, release_late) == last;

		cut += !ended;
		rest = ended && cut ? rest + 1 : 0;
		RF_CHECK(conform, delay < FAST * stretch, "the program does not end");
	}
	RF_CHECK(conform, cut > 100, "preempted only %u times", cut);
	RF_CHECK(conform, p.midway > 20, "in the midst of an operation only %u times", p.midway);
	rf_conform_note(conform, "%u delays, %u times before the end, %u in an operation", delay,
			cut, p.midway);
	rf_dev_close(&dev);
}

static void preempt_copy_system(struct rf_conform *conform)
{
	sweep(conform, RF_NODE_COPY, RF_PLACE_SYSTEM, false);
}

static void preempt_copy_local(struct rf_conform *conform)
{
	sweep(conform, RF_NODE_COPY, RF_PLACE_LOCAL, false);
}

static void preempt_vector(struct rf_conform *conform)
{
	sweep(conform, RF_NODE_COMPUTE, RF_PLACE_LOCAL, false);
}

static void preempt_wait(struct rf_conform *conform)
{
	sweep(conform, RF_NODE_COPY, RF_PLACE_LOCAL, true);
}

/* --- suspended: rings are kept, nothing runs ------------------------------------------------ */

/*
 * Work that comes while a queue is saved: found without a ring, found behind a ring that
 * still reached the old slot, or told by a ring of a doorbell that is not resident.
 */
static void suspended_rings(struct rf_conform *conform)
{
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rf_spot cell, save;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 2, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	cell = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	save = rf_dev_alloc(&dev, RF_PLACE_LOCAL, CONTEXT_BYTES, 256);
	for (i = 0; i < 16; i++) {
		bool resident = i & 1, ring = i & 2, early = i & 4;

		bind(&queue, queue.slot, resident);
		rf_dev_write_packet(&queue, cell, i + 1);
		if (!early) {
			ask_preempt(&queue, save);
			await_preempted(&queue, save, NULL);
		}
		rf_dev_append(&queue);
		if (ring)
			rf_dev_ring(&queue);
		if (ring && !resident) {
			record = await_record(&dev, NULL);
			RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_DOORBELL_PENDING,
				       "kind");
			RF_CHECK_EQUAL(conform, record.handle, 0x700, "handle");
		}
		if (early) {
			ask_preempt(&queue, save);
			await_preempted(&queue, save, NULL);
		}
		rf_dev_run(&dev, 200);
		RF_CHECK(conform, early || rf_dev_read(&dev, cell) == i, "it runs while suspended");
		restore(&queue, save, 2 + i % 4);
		rf_dev_await(&dev, cell, i + 1);
		rf_dev_finish(&queue);
	}
	rf_dev_close(&dev);
}

/* PREEMPT of a disabled slot does nothing; failed reads and writes are reported. */
static void preempt_again(struct rf_conform *conform)
{
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rf_spot save;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 2, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	save = rf_dev_alloc(&dev, RF_PLACE_LOCAL, CONTEXT_BYTES, 256);
	ask_preempt(&queue, save);
	await_preempted(&queue, save, NULL);
	ask_preempt(&queue, save);
	rf_dev_settle(&dev);
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "a record of a second preemption");

	rf_dev_register_write(&dev, RF_REG_SLOT_SAVE_ADDRESS(2), RF_DEV_NOWHERE);
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_RESTORE_MASK);
	record = await_record(&dev, NULL);
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_PREEMPTED, "kind");
	RF_CHECK_EQUAL(conform, record.detail, RF_ACCESS_STATUS_TRANSLATION, "status");
	RF_CHECK_EQUAL(conform, record.address, RF_DEV_NOWHERE, "address");
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(&queue), RF_SLOT_STATE_DISABLED, "state");

	restore(&queue, save, 2);
	rf_dev_register_write(&dev, RF_REG_SLOT_SAVE_ADDRESS(2), RF_DEV_NOWHERE);
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_PREEMPT_MASK);
	record = await_record(&dev, NULL);
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_PREEMPTED, "kind");
	RF_CHECK_EQUAL(conform, record.detail, RF_ACCESS_STATUS_TRANSLATION, "status");
	RF_CHECK_EQUAL(conform, record.handle, RF_DEV_HANDLE(2), "handle");
	rf_dev_close(&dev);
}

/* A queue that is stopped stays so where it is put. */
static void stopped_elsewhere(struct rf_conform *conform)
{
	const uint64_t code[] = { 77 };
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rf_spot cell, save;
	struct rf_dev dev;
	uint64_t status;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 2, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	cell = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	save = rf_dev_alloc(&dev, RF_PLACE_LOCAL, CONTEXT_BYTES, 256);
	rf_dev_packet(&queue, RF_OPCODE_TRAP, 0, 0, code, 1);
	rf_dev_write_packet(&queue, cell, 1);
	rf_dev_submit(&queue);
	record = await_record(&dev, NULL);
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_TRAP, "kind");
	ask_preempt(&queue, save);
	status = await_preempted(&queue, save, NULL);
	RF_CHECK_EQUAL(conform, status & RF_SLOT_STATUS_STATE_MASK, RF_SLOT_STATE_STOPPED_HOST,
		       "state saved");
	restore(&queue, save, 5);
	rf_dev_run(&dev, 200);
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(&queue), RF_SLOT_STATE_STOPPED_HOST, "state");
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cell), 0, "cell");
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(5), RF_SLOT_CONTROL_RESUME_MASK);
	rf_dev_await(&dev, cell, 1);
	rf_dev_finish(&queue);
	rf_dev_close(&dev);
}

/* --- bands, turns, quanta -------------------------------------------------------------------- */

struct runner {
	struct rf_dev_queue queue;
	struct rf_spot buffer, cell;
	unsigned int count;
};

/* A queue whose one buffer counts its cell up to @count. */
static void runner_open(struct runner *r, struct rf_dev *dev, unsigned int slot, unsigned int node,
			unsigned int band, uint32_t quantum, unsigned int count)
{
	struct rf_ring_entry entry;
	struct rf_spot buffer;
	uint64_t config;
	unsigned int i;

	buffer = rf_dev_alloc(dev, RF_PLACE_SYSTEM, count * 24ull, 64);
	r->buffer = buffer;
	r->count = count;
	rf_dev_queue_open(&r->queue, dev, slot, node, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_close(&r->queue);
	config = rf_dev_register(dev, RF_REG_SLOT_CONFIG(slot));
	rf_dev_register_write(dev, RF_REG_SLOT_CONFIG(slot),
			      config | (uint64_t)band << RF_SLOT_CONFIG_PRIORITY_SHIFT);
	rf_dev_register_write(dev, RF_REG_SLOT_QUANTUM(slot), quantum);
	rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(slot), RF_SLOT_CONTROL_ENABLE_MASK);
	r->cell = rf_dev_alloc(dev, RF_PLACE_LOCAL, 8, 8);
	for (i = 0; i < count; i++) {
		const uint64_t words[] = { (uint64_t)RF_OPCODE_WRITE
							   << RF_PACKET_HEADER_OPCODE_SHIFT |
						   3ull << RF_PACKET_HEADER_WORDS_SHIFT,
					   rf_dev_address(dev, 1, r->cell), i + 1 };

		rf_dev_write_bytes(dev, rf_spot_at(buffer, i * 24ull), words, sizeof(words));
	}
	entry = (struct rf_ring_entry){ .address = rf_dev_address(dev, 1, buffer),
					.size = count * 24 };
	rf_dev_write_bytes(dev, r->queue.ring, &entry, sizeof(entry));
	r->queue.write_pointer = 1;
	rf_dev_write(dev, r->queue.write_pointer_record, 1);
	rf_dev_flush(dev);
}

/* A miss of the TLB is dearer the shorter the turn. */
static void runner_warm(struct runner *r, unsigned int slot)
{
	uint64_t offset;

	for (offset = 0; offset < r->count * 24ull; offset += 4096)
		rf_dev_warm(r->queue.dev, slot, 1, rf_spot_at(r->buffer, offset));
	rf_dev_warm(r->queue.dev, slot, 1, rf_spot_at(r->buffer, r->count * 24ull - 8));
	rf_dev_warm(r->queue.dev, slot, 1, r->queue.ring);
	rf_dev_warm(r->queue.dev, slot, 1, r->cell);
}

static uint64_t counted(struct runner *r)
{
	return rf_dev_read(r->queue.dev, r->cell);
}

/* It has begun: fetched, over however slow a link, and counts. */
static void await_counting(struct runner *r)
{
	unsigned int looks;

	for (looks = 0; !counted(r); looks++) {
		RF_CHECK(r->queue.dev->conform, looks < FAST, "slot %u does not run",
			 r->queue.slot);
		rf_dev_run(r->queue.dev, 16);
	}
}

/* A higher band starts at once, and nothing of a lower one moves while it has work. */
static void bands_in_order(struct rf_conform *conform)
{
	struct runner low, middle, high;
	struct rf_dev dev;
	uint64_t before;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	runner_open(&low, &dev, 3, RF_NODE_COPY, 2, 0, 600);
	runner_open(&middle, &dev, 1, RF_NODE_COPY, 7, 0, 300);
	runner_open(&high, &dev, 2, RF_NODE_PAGING, 0, 0, 100);
	rf_dev_ring(&low.queue);
	await_counting(&low);
	rf_dev_ring(&middle.queue);
	await_counting(&middle);
	before = counted(&low);
	rf_dev_ring(&high.queue);
	rf_dev_finish(&high.queue);
	RF_CHECK(conform, counted(&middle) < 300, "the paging node waited for another");
	rf_dev_run(&dev, 100);
	RF_CHECK_EQUAL(conform, counted(&low), before, "the lowest band meanwhile");
	rf_dev_finish(&middle.queue);
	RF_CHECK(conform, counted(&low) < 600, "the lower band ended first");
	rf_dev_finish(&low.queue);
	rf_dev_close(&dev);
}

/* Each gets its quantum in each round: 500 cycles against twice 1000. */
static void quantum_shares(struct rf_conform *conform)
{
	uint64_t share, others[2];
	struct runner r[3];
	unsigned int i, rounds;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < 3; i++)
		runner_open(&r[i], &dev, 1 + 3 * i, RF_NODE_COMPUTE, 5, i ? 1000 : 500, 1500);
	for (i = 0; i < 3; i++)
		runner_warm(&r[i], 3);
	for (i = 0; i < 3; i++)
		rf_dev_ring(&r[i].queue);
	/* behind a link rounds are longer than the quanta, so that it may end anywhere in one */
	rounds = rf_conform_stretch(conform) > 1 ? 14 : 5;
	rf_dev_run(&dev, rf_conform_clock(conform) * (500 + 2500 * rounds));
	share = counted(&r[0]);
	for (i = 0; i < 2; i++) {
		others[i] = counted(&r[1 + i]);
		RF_CHECK(conform, others[i] > share * 17 / 10 && others[i] < share * 23 / 10,
			 "%llu packets in 1000 cycles' turns against %llu in 500",
			 (unsigned long long)others[i], (unsigned long long)share);
	}
	rf_conform_note(conform, "%llu : %llu : %llu packets", (unsigned long long)share,
			(unsigned long long)others[0], (unsigned long long)others[1]);
	for (i = 0; i < 3; i++)
		rf_dev_finish(&r[i].queue);
	rf_dev_close(&dev);
}

/* A waiting queue keeps the rest of its quantum, and its place in the round. */
static void quantum_remainder(struct rf_conform *conform)
{
	struct rf_spot fence;
	struct runner long_one, waiter;
	struct rf_dev dev;
	uint64_t left, again;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	runner_open(&long_one, &dev, 4, RF_NODE_COMPUTE, 5, 400, 1500);
	runner_open(&waiter, &dev, 5, RF_NODE_COMPUTE, 5, 4000, 1);
	fence = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	for (i = 0; i < 4; i++)
		rf_dev_write_packet(&waiter.queue, waiter.cell, 10 + i);
	rf_dev_wait(&waiter.queue, fence, 1, RF_DEV_NO_LOG);
	for (i = 0; i < 4; i++)
		rf_dev_write_packet(&waiter.queue, waiter.cell, 20 + i);
	rf_dev_wait(&waiter.queue, fence, 2, RF_DEV_NO_LOG);
	rf_dev_submit(&waiter.queue);
	rf_dev_await_state(&waiter.queue, RF_SLOT_STATE_WAITING);
	rf_dev_ring(&long_one.queue);
	rf_dev_run(&dev, 1000);
	left = rf_dev_register(&dev, RF_REG_SLOT_QUANTUM_LEFT(5));
	RF_CHECK(conform, left > 3000 && left < 4000, "%llu cycles left", (unsigned long long)left);
	rf_dev_write(&dev, fence, 1);
	rf_dev_register_write(&dev, RF_REG_FENCE_NOTIFY, 0);
	rf_dev_await(&dev, waiter.cell, 23);
	rf_dev_await_state(&waiter.queue, RF_SLOT_STATE_WAITING);
	rf_dev_run(&dev, 100);
	again = rf_dev_register(&dev, RF_REG_SLOT_QUANTUM_LEFT(5));
	RF_CHECK(conform, again < left && again > left - 1000, "%llu cycles left, then %llu",
		 (unsigned long long)left, (unsigned long long)again);
	rf_dev_write(&dev, fence, 2);
	rf_dev_register_write(&dev, RF_REG_FENCE_NOTIFY, 0);
	rf_dev_finish(&waiter.queue);
	rf_dev_finish(&long_one.queue);
	rf_dev_close(&dev);
}

/* As many queues of one band as there are slots, which always have work: none starves. */
static void nobody_starves(struct rf_conform *conform)
{
	uint64_t least = UINT64_MAX, most = 0;
	struct runner r[16];
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < dev.slots; i++)
		runner_open(&r[i], &dev, i, RF_NODE_COPY, 0, 300, 400);
	for (i = 0; i < dev.slots; i++) {
		bind(&r[i].queue, i, true);
		rf_dev_ring(&r[i].queue);
	}
	rf_dev_run(&dev, rf_conform_clock(conform) * dev.slots * 320 * 3);
	for (i = 0; i < dev.slots; i++) {
		uint64_t count = counted(&r[i]);

		least = count < least ? count : least;
		most = count > most ? count : most;
	}
	RF_CHECK(conform, least && most < least * 2, "from %llu to %llu packets",
		 (unsigned long long)least, (unsigned long long)most);
	rf_conform_note(conform, "from %llu to %llu packets", (unsigned long long)least,
			(unsigned long long)most);
	rf_dev_close(&dev);
}

/* --- more queues than slots -------------------------------------------------------------------- */

static void expect_yield(struct rf_dev *dev, unsigned int slot, enum rf_yield_reason reason)
{
	struct rf_interrupt_record record = await_record(dev, NULL);

	RF_CHECK_EQUAL(dev->conform, record.kind, RF_RECORD_KIND_YIELD, "kind");
	RF_CHECK_EQUAL(dev->conform, record.handle, RF_DEV_HANDLE(slot), "handle");
	RF_CHECK_EQUAL(dev->conform, record.detail, reason, "reason");
}

static void yields(struct rf_conform *conform)
{
	struct rf_interrupt_record record;
	struct rf_dev_queue blocked;
	struct rf_spot fence;
	struct runner spent;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&blocked, &dev, 2, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	fence = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_settle(&dev);
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "nobody asked");
	rf_dev_register_write(&dev, RF_REG_SLOT_OVERSUBSCRIBED, 1);
	expect_yield(&dev, 2, RF_YIELD_REASON_IDLE);
	rf_dev_wait(&blocked, fence, 1, RF_DEV_NO_LOG);
	rf_dev_submit(&blocked);
	rf_dev_await_state(&blocked, RF_SLOT_STATE_WAITING);
	rf_dev_settle(&dev);
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "it told already");
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(2), RF_SLOT_CONTROL_REARM_MASK);
	expect_yield(&dev, 2, RF_YIELD_REASON_BLOCKED);

	rf_dev_register_write(&dev, RF_REG_SLOT_OVERSUBSCRIBED, 0);
	runner_open(&spent, &dev, 6, RF_NODE_COMPUTE, 0, 300, 500);
	rf_dev_ring(&spent.queue);
	rf_dev_register_write(&dev, RF_REG_SLOT_OVERSUBSCRIBED, 1);
	expect_yield(&dev, 6, RF_YIELD_REASON_QUANTUM);
	rf_dev_finish(&spent.queue);
	rf_dev_close(&dev);
}

const struct rf_conform_test rf_conform_sched_tests[] = {
	{ "S4-27.preempted_copy_queue_in_system_memory", "S4-22 S4-23 S4-25", RF_CONFORM_DEV, SIM,
	  preempt_copy_system },
	{ "S4-27.preempted_copy_queue_in_local_memory", "S4-22 S4-23 S4-25", RF_CONFORM_DEV, SIM,
	  preempt_copy_local },
	{ "S4-27.preempted_vector_queue", "S4-22 S4-23 S4-25", RF_CONFORM_DEV,
	  SIM | RF_CONFORM_VECTOR, preempt_vector },
	{ "S4-26.wait_preempted_and_resumed", "S4-27", RF_CONFORM_DEV, SIM, preempt_wait },
	{ "device.suspended_queue_keeps_its_rings", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  suspended_rings },
	{ "device.preempt_of_nobody_and_to_nowhere", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  preempt_again },
	{ "device.stopped_queue_stays_stopped_elsewhere", NULL, RF_CONFORM_DEV,
	  RF_CONFORM_ROOT_COMPLEX, stopped_elsewhere },
	{ "device.bands_in_order", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX, bands_in_order },
	{ "device.quantum_shares", NULL, RF_CONFORM_DEV, SIM, quantum_shares },
	{ "device.quantum_remainder", NULL, RF_CONFORM_DEV, SIM, quantum_remainder },
	{ "device.nobody_starves_in_a_band", NULL, RF_CONFORM_DEV, SIM, nobody_starves },
	{ "device.yields_once_for_each_reason", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  yields },
	{ 0 },
};
