// SPDX-License-Identifier: Apache-2.0
/*
 * A host changes what it may write while the device works. Each writable field of
 * configuration space, of the MSI-X table and of the registers has a row below, and a
 * row is swept: the same work is done again and again, and the field is changed in its
 * midst, until there is no cycle from the ring to the end of the work in which it was
 * not; behind a link, where a round takes far longer, in about ROUNDS rounds. The
 * results are compared word for word, and the root complex checks every TLP.
 *
 * That there is a row for every register and field of ringfence.toml is checked by
 * tests/tools/changes_test.py, and for every bit of configuration space by the test
 * device.every_configuration_bit_is_swept, which writes all of them.
 */
#include "victim.h"

#include <stdlib.h>
#include <string.h>

#include "rf_bus.h"

#define COPIED 904u /* bytes; source and destination at odd addresses */
#define FILLED 72u
#define ELEMENTS 90u
#define LOG_ENTRIES 84u
#define HOLD 24u /* most cycles from a change to its end */
#define PERIOD 32u /* cycles between changes in one round, or more */
#define RECORDS 200u
#define LONGEST 4096u /* more cycles than the work takes, stretched behind a link */
#define ROUNDS 40u

enum effect {
	KEEPS, /* every result is right, the interrupt comes */
	QUIET, /* every result is right; records may be lost with the ring */
	STOPS, /* or a queue stops with the error of the row; given its work again, it does it */
	CONTAINED, /* to be written while the slot is disabled: the others do not notice */
	ELSEWHERE, /* swept by the test that is named */
};

struct work;

/**
 * struct change - one row
 * @name: config.REGISTER.FIELD, msix.FIELD, or BLOCK.REGISTER of ringfence.toml, with
 *        .FIELD unless all of its bits are drawn
 * @effect: on the work
 * @error: STOPS: enum rf_queue_error
 * @offset: of the register; of configuration space: its dword
 * @mask: bits to be changed
 * @value: what they become, shifted; ANY: drawn anew each time
 * @make: instead of writing @value
 * @undo: instead of writing the old value
 * @test: ELSEWHERE: its name
 */
struct change {
	const char *name;
	enum effect effect;
	unsigned int error;
	uint64_t offset, mask, value;
	void (*make)(struct work *work);
	void (*undo)(struct work *work);
	bool late; /* undone at the end of a round only */
	const char *test;
};

#define ANY (~0ull - 1)

struct work {
	struct rf_conform *conform;
	struct rf_dev dev;
	struct rf_dev_queue copy, compute;
	struct rf_neighbour neighbour;
	struct rf_spot from, to, in, out, filled, current, monitored, cell;
	struct rf_spot logs[2][2]; /* wait, signal; and what LOG_SWITCH switches to */
	unsigned int log; /* of the two, the one in use */
	uint64_t round;
	unsigned int express, power, msix; /* capabilities */
	uint64_t old; /* of the register under change */
	uint32_t vector[4]; /* the entry of the MSI-X table */
	unsigned int stops, interrupts;
	const struct change *change;
};

static struct rfsim_device *sim(struct work *work)
{
	return work->conform->setup.world.sim;
}

static uint32_t config(struct work *work, unsigned int offset)
{
	uint32_t value = 0;

	RF_CHECK_EQUAL(work->conform, rfsim_config_read(sim(work), offset, 4, &value), 0,
		       "configuration read");
	return value;
}

static void config_write(struct work *work, unsigned int offset, uint32_t value)
{
	RF_CHECK_EQUAL(work->conform, rfsim_config_write(sim(work), offset, 4, value), 0,
		       "configuration write");
}

/* --- the work --------------------------------------------------------------------------- */

static void work_open(struct work *work, struct rf_conform *conform)
{
	struct rf_dev *dev = &work->dev;
	unsigned int i;

	memset(work, 0, sizeof(*work));
	work->conform = conform;
	rf_dev_open(dev, conform, RF_PLACE_SYSTEM);
	work->power = rfsim_config_find(sim(work), 0x01);
	work->express = rfsim_config_find(sim(work), 0x10);
	work->msix = rfsim_config_find(sim(work), 0x11);
	work->from = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 2048, 4096);
	work->to = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 2048, 4096);
	work->in = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 4096, 4096);
	work->out = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 4096, 4096);
	work->filled = rf_dev_alloc(dev, RF_PLACE_LOCAL, 128, 64);
	work->current = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 64);
	work->monitored = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 64);
	work->cell = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_queue_open(&work->copy, dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&work->compute, dev, 1, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	rf_neighbour_open(&work->neighbour, dev, 2, RF_NODE_COMPUTE, RF_PLACE_SYSTEM);
	rf_dev_queue_logs(&work->compute, RF_PLACE_SYSTEM, LOG_ENTRIES);
	rf_dev_queue_logs(&work->copy, RF_PLACE_SYSTEM, LOG_ENTRIES);
	work->logs[0][0] = work->compute.wait_log;
	work->logs[0][1] = work->copy.signal_log;
	for (i = 0; i < 2; i++)
		work->logs[1][i] = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 4096, 4096);
}

static uint32_t element(const struct work *work, unsigned int i)
{
	return (uint32_t)(work->round * 2654435761u + i * 40503u);
}

/* The work of a round is submitted; the results of the last one are gone. */
static void work_begin(struct work *work)
{
	struct rf_dev *dev = &work->dev;
	const uint64_t copy[] = { rf_dev_address(dev, 1, work->to) + 3,
				  rf_dev_address(dev, 1, work->from) + 5, COPIED };
	const uint64_t fill[] = { rf_dev_address(dev, 1, work->filled) + 1, FILLED, ++work->round };
	const uint64_t vector[] = { rf_dev_address(dev, 1, work->out) + 4,
				    rf_dev_address(dev, 1, work->in), ELEMENTS, 7ull << 32 | 3 };
	const unsigned int index = work->round % LOG_ENTRIES;
	uint8_t *from = dev->system + work->from.offset;
	uint32_t *in = (uint32_t *)(dev->system + work->in.offset);
	unsigned int i;

	for (i = 0; i < COPIED; i++)
		from[5 + i] = (uint8_t)(element(work, i) >> 8);
	for (i = 0; i < ELEMENTS; i++)
		in[i] = element(work, i);
	memset(dev->system + work->to.offset, 0xee, 2048);
	memset(dev->system + work->out.offset, 0xee, 4096);
	rf_dev_write(dev, work->monitored, work->round - 1);
	rf_dev_packet(&work->copy, RF_OPCODE_COPY, 0, 0, copy, 3);
	rf_dev_packet(&work->copy, RF_OPCODE_FILL, 0, 0, fill, 3);
	rf_dev_signal(&work->copy, work->current, work->round, work->monitored, (int)index);
	rf_dev_append(&work->copy);
	rf_dev_wait(&work->compute, work->current, work->round, (int)index);
	if (dev->vector)
		rf_dev_packet(&work->compute, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_AXPB, vector,
			      4);
	rf_dev_write_packet(&work->compute, work->cell, work->round);
	rf_dev_append(&work->compute);
	rf_dev_flush(dev);
	work->interrupts = dev->interrupts;
	rf_neighbour_work(&work->neighbour);
	rf_dev_ring(&work->compute);
	rf_dev_ring(&work->copy);
}

static void fail(struct work *work, uint64_t cycle, const char *what)
{
	rf_conform_fail(work->conform, __FILE__, __LINE__,
			"%s changed %llu cycles behind the ring, round %llu: %s",
			work->change->name, (unsigned long long)cycle,
			(unsigned long long)work->round, what);
}

static void check_engines(struct work *work, uint64_t cycle)
{
	struct rf_dev *dev = &work->dev;
	const uint8_t *from = dev->system + work->from.offset, *to = dev->system + work->to.offset;
	const uint32_t *out = (uint32_t *)(dev->system + work->out.offset);
	uint8_t filled[128];
	unsigned int i;

	for (i = 0; i < 2048; i++)
		if (to[i] != (i >= 3 && i < 3 + COPIED ? from[i + 2] : 0xee))
			fail(work, cycle, "a byte of COPY is wrong");
	for (i = 0; i < 1024 && dev->vector; i++)
		if (out[i] !=
		    (i >= 1 && i < 1 + ELEMENTS ? 3 * element(work, i - 1) + 7 : 0xeeeeeeee))
			fail(work, cycle, "a word of VECTOR is wrong");
	rf_dev_read_bytes(dev, work->filled, filled, sizeof(filled));
	for (i = 0; i < sizeof(filled); i++)
		if (filled[i] != (i >= 1 && i < 1 + FILLED ? work->round >> i % 8 * 8 & 0xff : 0))
			fail(work, cycle, "a byte of FILL is wrong");
	if (rf_dev_read(dev, work->current) != work->round)
		fail(work, cycle, "CurrentValue is wrong");
	if (rf_dev_read(dev, work->cell) != work->round)
		fail(work, cycle, "WRITE is wrong");
}

/* The entry of this round lies in one of the two logs. */
static bool logged(struct work *work, unsigned int kind)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (rf_dev_log_entry(&work->dev, work->logs[i][kind], work->round % LOG_ENTRIES)
			    .fence_value == work->round)
			return true;
	return false;
}

static void check_records(struct work *work, uint64_t cycle)
{
	struct rf_interrupt_record records[RECORDS];
	uint64_t overflow = rf_dev_register(&work->dev, RF_REG_INTERRUPT_OVERFLOW);
	unsigned int count, i, signals = 0;

	if (overflow)
		rf_dev_register_write(&work->dev, RF_REG_INTERRUPT_OVERFLOW, overflow);
	count = rf_dev_records(&work->dev, records, RECORDS);
	for (i = 0; i < count; i++)
		signals += records[i].kind == RF_RECORD_KIND_FENCE_SIGNALED &&
			   records[i].value == work->round;
	if (work->change->effect == QUIET)
		return;
	if (!overflow && !signals)
		fail(work, cycle, "no record");
	if (work->change->effect == KEEPS) {
		if (signals > 1)
			fail(work, cycle, "several records of one signal");
		if (overflow)
			fail(work, cycle, "a record is lost");
		if (work->dev.interrupts == work->interrupts)
			fail(work, cycle, "no interrupt");
	}
}

static bool done(struct rf_dev_queue *queue)
{
	return rf_dev_queue_done(queue) == queue->write_pointer;
}

/* What of a packet that failed was done is not known: the whole of the round again. */
static void submit_again(struct rf_dev_queue *queue)
{
	rf_dev_queue_close(queue);
	rf_dev_register_write(queue->dev, RF_REG_SLOT_POINTERS(queue->slot),
			      queue->write_pointer - 1);
	rf_dev_register_write(queue->dev, RF_REG_SLOT_CONTROL(queue->slot),
			      RF_SLOT_CONTROL_ENABLE_MASK);
	rf_dev_ring(queue);
}

/* Queues that stopped as the row says begin again; what else does not end is a fault. */
static void work_end(struct work *work, uint64_t cycle)
{
	struct rf_dev_queue *queues[] = { &work->copy, &work->compute, &work->neighbour.queue };
	unsigned int tries, i, left;

	for (tries = 0; tries < 6; tries++) {
		rf_dev_settle(&work->dev);
		for (i = left = 0; i < RF_COUNT(queues); i++) {
			/* a buffer is complete when its stores are on their way */
			if (rf_dev_queue_state(queues[i]) != RF_SLOT_STATE_ERROR) {
				left += !done(queues[i]);
				continue;
			}
			left++;
			/* a page table that cannot be read is a fault of the translation */
			if (work->change->effect != STOPS ||
			    (rf_dev_queue_error(queues[i]) != work->change->error &&
			     rf_dev_queue_error(queues[i]) != RF_QUEUE_ERROR_TRANSLATION))
				rf_conform_fail(work->conform, __FILE__, __LINE__,
						"%s changed %llu cycles behind the ring: slot %u "
						"is in error %u at 0x%llx",
						work->change->name, (unsigned long long)cycle,
						queues[i]->slot, rf_dev_queue_error(queues[i]),
						(unsigned long long)rf_dev_register(
							&work->dev, RF_REG_SLOT_ERROR_ADDRESS(
									    queues[i]->slot)));
			work->stops++;
			submit_again(queues[i]);
		}
		if (!left)
			break;
	}
	if (left)
		fail(work, cycle, "a queue hangs");
	check_engines(work, cycle);
	rf_neighbour_check(&work->neighbour);
	if (!logged(work, 0) || !logged(work, 1))
		fail(work, cycle, "a log entry is missing");
	check_records(work, cycle);
}

/* --- rows --------------------------------------------------------------------------------- */

/* A slot's queue begins anew, behind all that was submitted. */
static void queue_anew(struct work *work, struct rf_dev_queue *queue)
{
	struct rf_dev *dev = &work->dev;
	unsigned int slot = queue->slot;

	rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(slot), RF_SLOT_CONTROL_DISABLE_MASK);
	rf_dev_await_state(queue, RF_SLOT_STATE_DISABLED);
	rf_dev_settle(dev);
	rf_dev_register_write(dev, RF_REG_SLOT_RING_BASE(slot),
			      rf_dev_address(dev, queue->vmid, queue->ring));
	rf_dev_register_write(dev, RF_REG_SLOT_WRITE_POINTER_ADDRESS(slot),
			      rf_dev_address(dev, queue->vmid, queue->write_pointer_record));
	rf_dev_register_write(dev, RF_REG_SLOT_QUANTUM(slot), RF_QUANTUM_DEFAULT);
	rf_dev_register_write(dev, RF_REG_SLOT_CONFIG(slot),
			      4ull << RF_SLOT_CONFIG_RING_LOG2_SHIFT |
				      (uint64_t)queue->vmid << RF_SLOT_CONFIG_VMID_SHIFT |
				      (uint64_t)queue->node << RF_SLOT_CONFIG_NODE_SHIFT |
				      (uint64_t)(slot + 1) << RF_SLOT_CONFIG_TOKEN_SHIFT |
				      (uint64_t)RF_DEV_HANDLE(slot) << RF_SLOT_CONFIG_HANDLE_SHIFT);
	rf_dev_register_write(dev, RF_REG_SLOT_POINTERS(slot), queue->write_pointer);
	rf_dev_register_write(dev, RF_REG_SLOT_WAIT_LOG_ADDRESS(slot), 0);
	rf_dev_register_write(dev, RF_REG_SLOT_SIGNAL_LOG_ADDRESS(slot),
			      rf_dev_address(dev, 0, work->logs[0][1]));
	rf_dev_register_write(dev, RF_REG_SLOT_LOG_ENTRIES(slot),
			      (uint64_t)LOG_ENTRIES << RF_SLOT_LOG_ENTRIES_SIGNAL_SHIFT);
	rf_dev_register_write(dev, RF_REG_SLOT_LOG_SWITCH(slot),
			      RF_SLOT_LOG_SWITCH_WAIT_MASK | RF_SLOT_LOG_SWITCH_SIGNAL_MASK);
	rf_dev_register_write(dev, RF_REG_SLOT_CONTROL(slot), RF_SLOT_CONTROL_ENABLE_MASK);
	rf_dev_settle(dev);
}

static void switch_logs(struct work *work)
{
	struct rf_dev *dev = &work->dev;

	work->log ^= 1;
	rf_dev_register_write(dev, RF_REG_SLOT_WAIT_LOG_ADDRESS(1),
			      rf_dev_address(dev, 0, work->logs[work->log][0]));
	rf_dev_register_write(dev, RF_REG_SLOT_SIGNAL_LOG_ADDRESS(0),
			      rf_dev_address(dev, 0, work->logs[work->log][1]));
	rf_dev_register_write(dev, RF_REG_SLOT_LOG_SWITCH(1), RF_SLOT_LOG_SWITCH_WAIT_MASK);
	rf_dev_register_write(dev, RF_REG_SLOT_LOG_SWITCH(0), RF_SLOT_LOG_SWITCH_SIGNAL_MASK);
}

static void nothing(struct work *work)
{
	(void)work;
}

/* The tables of VMID 1 stand elsewhere as well: an access finds the same by either. */
static void move_root(struct work *work)
{
	struct rf_dev *dev = &work->dev;
	unsigned int table = RF_DEV_TABLES - 1;

	memcpy(dev->tables + table * 512, dev->tables + 512, 4096);
	rf_dev_register_write(dev, RF_REG_TRANSLATION_ROOT(1),
			      (dev->tables_bus + 4096ull * table) | RF_TRANSLATION_ROOT_VALID_MASK);
}

static void invalidate(struct work *work)
{
	rf_dev_register_write(&work->dev, RF_REG_TRANSLATION_INVALIDATE, 0xf);
}

static void interrupt_ring_anew(struct work *work)
{
	struct rf_dev *dev = &work->dev;
	uint64_t enable = RF_INTERRUPT_CONTROL_ENABLE_MASK |
			  (uint64_t)dev->interrupt_log2 << RF_INTERRUPT_CONTROL_ENTRIES_LOG2_SHIFT;
	unsigned int looks;

	rf_dev_register_write(dev, RF_REG_INTERRUPT_CONTROL, enable & ~1ull);
	for (looks = 0; rf_dev_register(dev, RF_REG_INTERRUPT_CONTROL) & 1; looks++)
		RF_CHECK(work->conform, looks < 1000, "the interrupt ring stays enabled");
	rf_dev_register_write(dev, RF_REG_INTERRUPT_RING_BASE,
			      rf_dev_address(dev, 0, dev->interrupt_ring));
	dev->consumer = 0;
	rf_dev_register_write(dev, RF_REG_INTERRUPT_CONTROL, enable);
}

static void disable(struct work *work)
{
	rf_dev_register_write(&work->dev, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_DISABLE_MASK);
}

static void enable(struct work *work)
{
	rf_dev_await_state(&work->copy, RF_SLOT_STATE_DISABLED);
	rf_dev_register_write(&work->dev, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_ENABLE_MASK);
}

static void hold_engine(struct work *work)
{
	rf_dev_register_write(&work->dev, RF_REG_NODE_ENGINE(RF_NODE_COPY),
			      RF_NODE_ENGINE_HOLD_MASK);
}

static void release_engine(struct work *work)
{
	rf_dev_register_write(&work->dev, RF_REG_NODE_ENGINE(RF_NODE_COPY), 0);
}

static void reset_engine(struct work *work)
{
	rf_dev_register_write(&work->dev, RF_REG_NODE_ENGINE(RF_NODE_COPY),
			      RF_NODE_ENGINE_RESET_MASK);
}

static void resume_engine(struct work *work)
{
	unsigned int looks;

	for (looks = 0; !(rf_dev_register(&work->dev, RF_REG_NODE_ENGINE(RF_NODE_COPY)) &
			  RF_NODE_ENGINE_IN_RESET_MASK);
	     looks++)
		RF_CHECK(work->conform, looks < 1000, "the engine's reset never ends");
	release_engine(work);
}

static void update(struct work *work)
{
	rf_dev_update_addresses(&work->dev, work->current, work->monitored);
	rf_dev_register_write(&work->dev, RF_REG_FENCE_UPDATE_VALUE, work->round - 1);
}

/* As an operating system moves a vector: masked, and unmasked when it is whole. */
static void move_vector(struct work *work)
{
	static const uint32_t masked = 1;
	const uint32_t elsewhere[] = { (uint32_t)rf_conform_random(work->conform, ~0u) & ~3u,
				       (uint32_t)rf_conform_random(work->conform, ~0u),
				       (uint32_t)rf_conform_random(work->conform, ~0u) };

	rfsim_bar_read(sim(work), 4, 0, work->vector, sizeof(work->vector));
	rfsim_bar_write(sim(work), 4, 12, &masked, 4);
	rfsim_bar_write(sim(work), 4, 0, elsewhere, sizeof(elsewhere));
}

static void vector_back(struct work *work)
{
	rfsim_bar_write(sim(work), 4, 0, work->vector, sizeof(work->vector));
}

#define FIELD(field, result, from, bits, to, ...)                                           \
	{                                                                                   \
		.name = field, .effect = result, .offset = from, .mask = bits, .value = to, \
		##__VA_ARGS__                                                               \
	}
#define CONFIG(field, result, from, bits, to, ...) \
	FIELD("config." field, result, from, bits, to, ##__VA_ARGS__)
#define WHOLE(name, result, REGISTER, ...) \
	FIELD(name, result, RF_REG_##REGISTER, ~0ull, ANY, ##__VA_ARGS__)
#define SLOT(name, REGISTER) WHOLE("slot." name, CONTAINED, SLOT_##REGISTER(0), .late = true)
#define CONTROL(name, BIT)                                                \
	FIELD("slot.control." name, KEEPS, RF_REG_SLOT_CONTROL(0), ~0ull, \
	      RF_SLOT_CONTROL_##BIT##_MASK, .undo = nothing)
#define BY(field, result, function, back, ...)                                                 \
	{                                                                                      \
		.name = field, .effect = result, .make = function, .undo = back, ##__VA_ARGS__ \
	}
#define MASTER_ERROR .error = RF_QUEUE_ERROR_BUS_MASTER_DISABLED
#define POWER 0x1000 /* offsets from a capability */
#define EXPRESS 0x2000
#define MSIX 0x3000

static const struct change changes[] = {
	CONFIG("command.memory", KEEPS, 0x04, 0x2, 0),
	CONFIG("command.master", STOPS, 0x04, 0x4, 0, MASTER_ERROR),
	CONFIG("command.parity_response", KEEPS, 0x04, 0x40, ANY),
	CONFIG("command.serr", KEEPS, 0x04, 0x100, ANY),
	CONFIG("command.interrupt_disable", KEEPS, 0x04, 0x400, ANY),
	CONFIG("cache_line_size", KEEPS, 0x0c, 0xff, ANY),
	CONFIG("bar0", KEEPS, 0x10, 0xfffe0000, ANY),
	CONFIG("bar1", KEEPS, 0x14, 0xffffffff, ANY),
	CONFIG("bar2", KEEPS, 0x18, 0xfffff000, ANY),
	CONFIG("bar3", KEEPS, 0x1c, 0xffffffff, ANY),
	CONFIG("bar4", KEEPS, 0x20, 0xfffff000, ANY),
	CONFIG("interrupt_line", KEEPS, 0x3c, 0xff, ANY),
	CONFIG("power_state", STOPS, POWER + 4, 0x3, 0x3, MASTER_ERROR),
	CONFIG("device_control.reporting", KEEPS, EXPRESS + 8, 0xf, ANY),
	CONFIG("device_control.relaxed_ordering", KEEPS, EXPRESS + 8, 0x10, ANY),
	/* they stay, so that the next round begins with them */
	CONFIG("device_control.max_payload", KEEPS, EXPRESS + 8, 0x20, ANY, .undo = nothing),
	CONFIG("device_control.max_read", KEEPS, EXPRESS + 8, 0x7000, ANY, .undo = nothing),
	CONFIG("device_control.function_reset", ELSEWHERE, EXPRESS + 8, 0x8000, 0,
	       .test = "device.function_reset_at_any_time"),
	CONFIG("link_control", KEEPS, EXPRESS + 0x10, 0xcb, ANY),
	CONFIG("device_control_2.timeout_disable", KEEPS, EXPRESS + 0x28, 0x10, ANY),
	CONFIG("msix.enable", KEEPS, MSIX, 0x80000000, 0),
	CONFIG("msix.mask", KEEPS, MSIX, 0x40000000, 0x40000000),

	BY("msix.entry", KEEPS, move_vector, vector_back),

	WHOLE("device.correlation", KEEPS, DEVICE_CORRELATION),
	/* longer than a read takes: a later completion would be unexpected */
	FIELD("device.completion_timeout", KEEPS, RF_REG_DEVICE_COMPLETION_TIMEOUT, ~0ull, 2000),
	WHOLE("device.interrupt_test", KEEPS, DEVICE_INTERRUPT_TEST),
	WHOLE("device.scratch", KEEPS, DEVICE_SCRATCH),

	WHOLE("doorbell.global_pending", KEEPS, DOORBELL_GLOBAL_PENDING),
	WHOLE("doorbell.bind", KEEPS, DOORBELL_BIND(0)),

	WHOLE("slot.oversubscribed", KEEPS, SLOT_OVERSUBSCRIBED),
	SLOT("ring_base", RING_BASE),
	SLOT("config", CONFIG),
	SLOT("quantum", QUANTUM),
	SLOT("write_pointer_address", WRITE_POINTER_ADDRESS),
	SLOT("pointers", POINTERS),
	CONTROL("enable", ENABLE),
	BY("slot.control.disable", KEEPS, disable, enable),
	CONTROL("resample", RESAMPLE),
	CONTROL("resume", RESUME),
	{ .name = "slot.control.preempt",
	  .effect = ELSEWHERE,
	  .test = "S4-27.preempted_copy_queue_in_system_memory" },
	CONTROL("restore", RESTORE),
	CONTROL("rearm", REARM),
	SLOT("progress_address", PROGRESS_ADDRESS),
	SLOT("progress_monitored_address", PROGRESS_MONITORED_ADDRESS),
	SLOT("progress_value", PROGRESS_VALUE),
	WHOLE("slot.wait_log_address", KEEPS, SLOT_WAIT_LOG_ADDRESS(1)),
	WHOLE("slot.signal_log_address", KEEPS, SLOT_SIGNAL_LOG_ADDRESS(0)),
	WHOLE("slot.log_entries", KEEPS, SLOT_LOG_ENTRIES(0)),
	BY("slot.log_switch", KEEPS, switch_logs, nothing),
	SLOT("wait_log_state", WAIT_LOG_STATE),
	SLOT("signal_log_state", SIGNAL_LOG_STATE),
	SLOT("save_address", SAVE_ADDRESS),
	SLOT("flags", FLAGS),
	SLOT("buffer_address", BUFFER_ADDRESS),
	SLOT("buffer_state", BUFFER_STATE),
	SLOT("operation_done", OPERATION_DONE),
	SLOT("operation_partial", OPERATION_PARTIAL),
	SLOT("wait_observed", WAIT_OBSERVED),
	SLOT("quantum_left", QUANTUM_LEFT),
	SLOT("wait_log_place", WAIT_LOG_PLACE),
	SLOT("signal_log_place", SIGNAL_LOG_PLACE),

	WHOLE("fence.update_current", KEEPS, FENCE_UPDATE_CURRENT),
	WHOLE("fence.update_monitored", KEEPS, FENCE_UPDATE_MONITORED),
	BY("fence.update_value", KEEPS, update, nothing),
	WHOLE("fence.notify", KEEPS, FENCE_NOTIFY, .undo = nothing),

	WHOLE("peer.region", KEEPS, PEER_REGION),
	WHOLE("peer.window", KEEPS, PEER_WINDOW),
	WHOLE("peer.entry", KEEPS, PEER_ENTRY),

	WHOLE("interrupt.ring_base", QUIET, INTERRUPT_RING_BASE, .undo = interrupt_ring_anew,
	      .late = true),
	FIELD("interrupt.control.enable", QUIET, RF_REG_INTERRUPT_CONTROL,
	      RF_INTERRUPT_CONTROL_ENABLE_MASK, 0, .undo = interrupt_ring_anew),
	FIELD("interrupt.control.entries_log2", QUIET, RF_REG_INTERRUPT_CONTROL,
	      RF_INTERRUPT_CONTROL_ENTRIES_LOG2_MASK, 7 << RF_INTERRUPT_CONTROL_ENTRIES_LOG2_SHIFT,
	      .undo = interrupt_ring_anew, .late = true),
	FIELD("interrupt.control.vector", QUIET, RF_REG_INTERRUPT_CONTROL,
	      RF_INTERRUPT_CONTROL_VECTOR_MASK, ANY, .undo = interrupt_ring_anew, .late = true),
	WHOLE("interrupt.consumer", QUIET, INTERRUPT_CONSUMER, .undo = interrupt_ring_anew,
	      .late = true),
	WHOLE("interrupt.overflow", KEEPS, INTERRUPT_OVERFLOW, .undo = nothing),

	BY("translation.invalidate", KEEPS, invalidate, nothing),
	WHOLE("translation.invalidate_first", KEEPS, TRANSLATION_INVALIDATE_FIRST),
	WHOLE("translation.invalidate_last", KEEPS, TRANSLATION_INVALIDATE_LAST),
	WHOLE("translation.tlb_select", KEEPS, TRANSLATION_TLB_SELECT),
	FIELD("translation.root", KEEPS, RF_REG_TRANSLATION_ROOT(1), 0, 0, .make = move_root),

	BY("node.engine.reset", STOPS, reset_engine, resume_engine,
	   .error = RF_QUEUE_ERROR_ENGINE_RESET),
	BY("node.engine.hold", KEEPS, hold_engine, release_engine),
	FIELD("node.watchdog", KEEPS, RF_REG_NODE_WATCHDOG(RF_NODE_COPY), ~0ull, 1),
};

/* --- a sweep ------------------------------------------------------------------------------ */

static bool is_config(const struct change *change)
{
	return !strncmp(change->name, "config.", 7);
}

static unsigned int config_offset(struct work *work, const struct change *change)
{
	const unsigned int capability[] = { 0, work->power, work->express, work->msix };

	return capability[change->offset >> 12] + (change->offset & 0xfff);
}

static uint64_t field_read(struct work *work, const struct change *change)
{
	if (is_config(change))
		return config(work, config_offset(work, change));
	return change->offset ? rf_dev_register(&work->dev, change->offset) : 0;
}

static void field_write(struct work *work, const struct change *change, uint64_t value)
{
	if (is_config(change))
		config_write(work, config_offset(work, change), (uint32_t)value);
	else
		rf_dev_register_write(&work->dev, change->offset, value);
}

static void make(struct work *work)
{
	const struct change *change = work->change;
	uint64_t value = change->value;

	if (change->make) {
		change->make(work);
		return;
	}
	if (value == ANY)
		value = (rf_conform_random(work->conform, 1ull << 32) << 32 |
			 rf_conform_random(work->conform, 1ull << 32)) &
			change->mask;
	field_write(work, change, (work->old & ~change->mask) | value);
}

static void undo(struct work *work)
{
	if (work->change->effect == CONTAINED)
		queue_anew(work, &work->copy);
	else if (work->change->undo)
		work->change->undo(work);
	else
		field_write(work, work->change, work->old);
}

/* The queue whose slot was written has done anything or nothing; the others wait for it. */
static void end_contained(struct work *work, uint64_t cycle)
{
	static const struct change none = { .name = "nothing", .effect = KEEPS };
	const struct change *change = work->change;
	struct rf_interrupt_record records[RECORDS];

	rf_dev_settle(&work->dev);
	rf_neighbour_check(&work->neighbour);
	undo(work);
	rf_dev_write(&work->dev, work->current, work->round);
	rf_dev_register_write(&work->dev, RF_REG_FENCE_NOTIFY, 1);
	rf_dev_finish(&work->compute);
	if (rf_dev_read(&work->dev, work->cell) != work->round)
		fail(work, cycle, "WRITE of another queue is wrong");
	rf_dev_settle(&work->dev);
	rf_dev_records(&work->dev, records, RECORDS);
	rf_dev_register_write(&work->dev, RF_REG_INTERRUPT_OVERFLOW, 3);
	/* it works again */
	work->change = &none;
	work_begin(work);
	work_end(work, cycle);
	work->change = change;
}

/* One round with changes, the first in @cycle; the cycles with one are noted in @hit. */
static void round_of_changes(struct work *work, uint64_t cycle, uint64_t length, bool *hit)
{
	struct rfsim_world *world = work->conform->setup.world.simulation;
	bool late = work->change->late;
	uint64_t start;

	work_begin(work);
	start = rfsim_cycle(world);
	rfsim_step(world, cycle);
	do {
		uint64_t now = rfsim_cycle(world) - start, again;

		hit[now] = true;
		make(work);
		if (!late) {
			rfsim_step(world, rf_conform_random(work->conform, HOLD));
			undo(work);
		}
		again = cycle + (rfsim_cycle(world) - start - cycle + PERIOD) / PERIOD * PERIOD;
		rfsim_step(world, again - (rfsim_cycle(world) - start));
	} while (rfsim_cycle(world) - start <= length);
	if (work->change->effect == CONTAINED) {
		end_contained(work, cycle);
		return;
	}
	if (late)
		undo(work);
	work_end(work, cycle);
}

static void sweep(struct work *work, const struct change *change)
{
	struct rfsim_world *world = work->conform->setup.world.simulation;
	const uint64_t most = LONGEST * rf_conform_stretch(work->conform);
	bool *hit = calloc(2 * most, sizeof(*hit));
	uint64_t start, length, cycle;
	unsigned int rounds = 0;

	work->change = change;
	work->stops = 0;
	work->old = field_read(work, change);
	work_begin(work);
	start = rfsim_cycle(world);
	while (!rfsim_idle(world))
		rfsim_step(world, 1);
	length = rfsim_cycle(world) - start;
	RF_CHECK(work->conform, hit, "no memory");
	RF_CHECK(work->conform, length && length < most, "the work takes %llu cycles",
		 (unsigned long long)length);
	work_end(work, 0);
	for (cycle = 0; cycle <= length;
	     cycle += rf_conform_stride(work->conform, length, ROUNDS)) {
		if (hit[cycle])
			continue;
		round_of_changes(work, cycle, length, hit);
		rounds++;
	}
	free(hit);
	if (change->effect == STOPS && !work->stops)
		fail(work, 0, "no queue ever stopped");
	rf_conform_note(work->conform, "%s: %u rounds of %llu cycles", change->name, rounds,
			(unsigned long long)length);
}

/* The rows whose names begin so. */
static void sweep_all(struct rf_conform *conform, const char *begin)
{
	struct work work;
	unsigned int i, rows = 0;

	for (i = 0; i < RF_COUNT(changes); i++) {
		if (changes[i].effect == ELSEWHERE ||
		    strncmp(changes[i].name, begin, strlen(begin)))
			continue;
		rf_conform_restart(conform, NULL);
		work_open(&work, conform);
		sweep(&work, &changes[i]);
		rf_dev_close(&work.dev);
		rows++;
	}
	RF_CHECK(conform, rows, "no row");
}

static void change_config(struct rf_conform *conform)
{
	sweep_all(conform, "config.");
}

static void change_msix(struct rf_conform *conform)
{
	sweep_all(conform, "msix.");
}

static void change_device(struct rf_conform *conform)
{
	sweep_all(conform, "device.");
}

static void change_doorbell(struct rf_conform *conform)
{
	sweep_all(conform, "doorbell.");
}

static void change_slot(struct rf_conform *conform)
{
	sweep_all(conform, "slot.");
}

static void change_fence(struct rf_conform *conform)
{
	sweep_all(conform, "fence.");
	sweep_all(conform, "peer.");
}

static void change_interrupt(struct rf_conform *conform)
{
	sweep_all(conform, "interrupt.");
}

static void change_translation(struct rf_conform *conform)
{
	sweep_all(conform, "translation.");
}

static void change_node(struct rf_conform *conform)
{
	sweep_all(conform, "node.");
}

/* What configuration space lets be written has a row, and a row can be written. */
static void every_bit(struct rf_conform *conform)
{
	uint32_t rows[64] = { 0 }, old, ones, zeros, bits;
	struct rfsim_bar local;
	struct work work;
	unsigned int i, reset;

	work_open(&work, conform);
	for (i = 0; i < RF_COUNT(changes); i++)
		if (is_config(&changes[i]))
			rows[config_offset(&work, &changes[i]) / 4] |= (uint32_t)changes[i].mask;
	rfsim_bar(sim(&work), 2, &local);
	rows[0x18 / 4] &= (uint32_t)-local.bytes;
	reset = (work.express + 8) / 4; /* Initiate Function Level Reset reads 0 */
	for (i = 0; i < 1024; i++) {
		uint32_t keep = i == reset ? 0x8000 : 0;

		old = config(&work, 4 * i);
		config_write(&work, 4 * i, ~keep);
		ones = config(&work, 4 * i);
		config_write(&work, 4 * i, 0);
		zeros = config(&work, 4 * i);
		config_write(&work, 4 * i, old);
		bits = (ones ^ zeros) | keep;
		if (bits != (i < 64 ? rows[i] : 0))
			rf_conform_fail(conform, __FILE__, __LINE__,
					"dword 0x%x: bits 0x%x can be written, 0x%x have a row",
					4 * i, bits, i < 64 ? rows[i] : 0);
	}
	rf_dev_close(&work.dev);
}

const struct rf_conform_test rf_conform_change_tests[] = {
	{ "device.every_configuration_bit_is_swept", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  every_bit },
	{ "device.configuration_changed_at_any_time", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  change_config },
	{ "device.vector_moved_at_any_time", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  change_msix },
	{ "device.device_registers_written_at_any_time", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  change_device },
	{ "device.doorbell_registers_written_at_any_time", NULL, RF_CONFORM_DEV,
	  RF_CONFORM_SIM_ONLY, change_doorbell },
	{ "device.slot_registers_written_at_any_time", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  change_slot },
	{ "device.fence_registers_written_at_any_time", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  change_fence },
	{ "device.interrupt_registers_written_at_any_time", NULL, RF_CONFORM_DEV,
	  RF_CONFORM_SIM_ONLY, change_interrupt },
	{ "device.translation_registers_written_at_any_time", NULL, RF_CONFORM_DEV,
	  RF_CONFORM_SIM_ONLY, change_translation },
	{ "device.node_registers_written_at_any_time", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  change_node },
	{ 0 },
};
