// SPDX-License-Identifier: Apache-2.0
/* Fence logs: layout, indices, order, and the change of a log under a running queue. */
#include "dev.h"

#include <string.h>

#include "../../sim/tlp.h"

#define NONE RF_MONITORED_NONE
#define ENTRIES 84 /* in 4096 bytes */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert(sizeof(struct rf_log_header) == 40, "log header");
_Static_assert(sizeof(struct rf_log_entry) == 48, "log entry");
_Static_assert(40 + ENTRIES * 48 <= 4096 && 40 + (ENTRIES + 1) * 48 > 4096, "log entries");

static struct rf_spot entry_spot(struct rf_spot log, uint32_t index)
{
	return rf_spot_at(log, sizeof(struct rf_log_header) + index * sizeof(struct rf_log_entry));
}

/* Ones in every byte, so that what the device leaves out is seen. */
static void soil(struct rf_dev *dev, struct rf_spot spot, uint64_t bytes)
{
	uint64_t i;

	for (i = 0; i < bytes; i += 8)
		rf_dev_write(dev, rf_spot_at(spot, i), UINT64_MAX);
}

static void check_untouched(struct rf_dev *dev, struct rf_spot spot, uint64_t bytes)
{
	uint64_t i;

	for (i = 0; i < bytes; i += 8)
		RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, rf_spot_at(spot, i)), UINT64_MAX,
			       "a word that belongs to no entry");
}

/* A fence operation with a payload of the test's own. */
static void logged(struct rf_dev_queue *queue, enum rf_opcode opcode, struct rf_spot cv,
		   uint64_t value, struct rf_spot mv, uint32_t handle, uint32_t index)
{
	bool signal = opcode == RF_OPCODE_SIGNAL;
	uint64_t operands[4] = { rf_dev_address(queue->dev, queue->vmid, cv), value };
	unsigned int count = 2;

	if (signal)
		operands[count++] = rf_dev_address(queue->dev, queue->vmid, mv);
	operands[count++] = (uint64_t)(signal ? RF_LOG_OPERATION_SIGNAL_EXECUTED
					      : RF_LOG_OPERATION_WAIT_UNBLOCKED)
				    << 32 |
			    handle;
	rf_dev_packet(queue, opcode, signal ? RF_PACKET_SIGNAL_FLAG_LOG : RF_PACKET_WAIT_FLAG_LOG,
		      index, operands, count);
}

static uint64_t now(struct rf_dev *dev)
{
	return rf_dev_register(dev, RF_REG_DEVICE_TIMESTAMP);
}

/* --- one entry ------------------------------------------------------------------------------ */

/* 48 bytes at the index that the packet names, 8 in the header, and nothing else. */
static void entry_byte_for_byte(struct rf_conform *conform)
{
	static const uint64_t values[] = { 1, 0x4000000000000000, 0x8000000000000000,
					   0xc000000000000000, UINT64_MAX };
	struct rf_dev_queue queue;
	struct rf_log_entry entry;
	enum rf_place place;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);

		rf_dev_write(&dev, mv, NONE);
		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
		rf_dev_queue_logs(&queue, place, ENTRIES);
		soil(&dev, entry_spot(queue.signal_log, 0), ENTRIES * sizeof(entry));
		soil(&dev, entry_spot(queue.wait_log, 0), ENTRIES * sizeof(entry));
		for (i = 0; i < COUNT(values); i++) {
			uint64_t begin = now(&dev), end;
			uint32_t index = 5 + 3 * i;

			logged(&queue, RF_OPCODE_SIGNAL, cv, values[i], mv, 0xfe000000 + i, index);
			/* Satisfied at once, so it was never observed as unresolved. */
			logged(&queue, RF_OPCODE_WAIT, cv, values[i], mv, 0xba000000 + i, index);
			rf_dev_submit(&queue);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			end = now(&dev);

			entry = rf_dev_log_entry(&dev, queue.signal_log, index);
			RF_CHECK_EQUAL(conform, entry.fence_value, values[i], "value");
			RF_CHECK_EQUAL(conform, entry.fence_handle, 0xfe000000 + i, "handle");
			RF_CHECK_EQUAL(conform, entry.operation_type,
				       RF_LOG_OPERATION_SIGNAL_EXECUTED, "operation");
			RF_CHECK_EQUAL(conform, entry.reserved0 | entry.reserved1, 0, "reserved");
			RF_CHECK_EQUAL(conform, entry.fence_observed_gpu_timestamp, 0, "observed");
			RF_CHECK(conform,
				 entry.fence_end_gpu_timestamp >= begin &&
					 entry.fence_end_gpu_timestamp <= end,
				 "the signal's end is not between submission and completion");
			begin = entry.fence_end_gpu_timestamp;

			entry = rf_dev_log_entry(&dev, queue.wait_log, index);
			RF_CHECK_EQUAL(conform, entry.fence_value, values[i], "value");
			RF_CHECK_EQUAL(conform, entry.fence_handle, 0xba000000 + i, "handle");
			RF_CHECK_EQUAL(conform, entry.operation_type,
				       RF_LOG_OPERATION_WAIT_UNBLOCKED, "operation");
			RF_CHECK_EQUAL(conform, entry.reserved0 | entry.reserved1, 0, "reserved");
			RF_CHECK_EQUAL(conform, entry.fence_observed_gpu_timestamp, 0, "observed");
			RF_CHECK(conform,
				 entry.fence_end_gpu_timestamp >= begin &&
					 entry.fence_end_gpu_timestamp <= end,
				 "the wait's end is not between the signal and completion");

			/* The two entries on either side are unused. */
			check_untouched(&dev, entry_spot(queue.signal_log, index - 2), 96);
			check_untouched(&dev, entry_spot(queue.signal_log, index + 1), 96);
			check_untouched(&dev, entry_spot(queue.wait_log, index + 1), 96);
			RF_CHECK_EQUAL(conform, rf_dev_read(&dev, queue.signal_log),
				       RF_DEV_LOG_STATE(0, index + 1), "signal log's index");
			RF_CHECK_EQUAL(conform, rf_dev_read(&dev, queue.wait_log),
				       RF_DEV_LOG_STATE(0, index + 1), "wait log's index");
		}
		/* The rest of the header is the host's. */
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(queue.signal_log, 8)),
			       RF_LOG_TYPE_SIGNALS, "header's type");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(queue.wait_log, 8)),
			       RF_LOG_TYPE_WAITS, "header's type");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(queue.signal_log, 16)),
			       ENTRIES, "header's entries");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(queue.signal_log, 24)), 0,
			       "header's reserved");
	}
}

/* Queue A waits for (F, V1), queue B signals it: one entry in each of two logs. */
static void two_queue_example(struct rf_conform *conform)
{
	struct rf_log_entry wait, signal;
	struct rf_dev_queue a, b;
	uint64_t begin, blocked;
	enum rf_place place;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);

		rf_dev_write(&dev, mv, NONE);
		rf_dev_queue_open(&a, &dev, 2 * place, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
		rf_dev_queue_open(&b, &dev, 2 * place + 1, RF_NODE_COMPUTE, 2, RF_PLACE_SYSTEM);
		rf_dev_queue_logs(&a, place, ENTRIES);
		rf_dev_queue_logs(&b, place, ENTRIES);
		begin = now(&dev);
		logged(&a, RF_OPCODE_WAIT, cv, 7, mv, 0xf, 0);
		rf_dev_submit(&a);
		rf_dev_await_state(&a, RF_SLOT_STATE_WAITING);
		rf_dev_settle(&dev);
		blocked = now(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, a.wait_log), 0, "index while it waits");
		logged(&b, RF_OPCODE_SIGNAL, cv, 7, mv, 0xf, 0);
		rf_dev_submit(&b);
		rf_dev_finish(&a);
		rf_dev_finish(&b);
		rf_dev_settle(&dev);

		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, a.wait_log), RF_DEV_LOG_STATE(0, 1),
			       "A's wait log");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, a.signal_log), 0, "A's signal log");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, b.wait_log), 0, "B's wait log");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, b.signal_log), RF_DEV_LOG_STATE(0, 1),
			       "B's signal log");
		wait = rf_dev_log_entry(&dev, a.wait_log, 0);
		signal = rf_dev_log_entry(&dev, b.signal_log, 0);
		RF_CHECK_EQUAL(conform, wait.operation_type, RF_LOG_OPERATION_WAIT_UNBLOCKED,
			       "A's operation");
		RF_CHECK_EQUAL(conform, signal.operation_type, RF_LOG_OPERATION_SIGNAL_EXECUTED,
			       "B's operation");
		RF_CHECK_EQUAL(conform, wait.fence_value, 7, "A's value");
		RF_CHECK_EQUAL(conform, signal.fence_value, 7, "B's value");
		/* Seen unresolved before the signal came, and over only after it. */
		RF_CHECK(conform,
			 wait.fence_observed_gpu_timestamp >= begin &&
				 wait.fence_observed_gpu_timestamp <= blocked,
			 "observed outside of [%llu, %llu]: %llu", (unsigned long long)begin,
			 (unsigned long long)blocked,
			 (unsigned long long)wait.fence_observed_gpu_timestamp);
		RF_CHECK(conform,
			 signal.fence_end_gpu_timestamp > blocked &&
				 wait.fence_end_gpu_timestamp >= signal.fence_end_gpu_timestamp,
			 "the ends are not in order");
		RF_CHECK_EQUAL(conform, signal.fence_observed_gpu_timestamp, 0, "B's observed");
	}
}

/* --- indices ---------------------------------------------------------------------------------- */

/* The header word after each of many entries: the next index, and a wrap at the end. */
static void index_advances_and_wraps(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct rf_dev dev;
	enum rf_place place;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		uint64_t last = 0;

		rf_dev_write(&dev, mv, NONE);
		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
		rf_dev_queue_logs(&queue, place, ENTRIES);
		for (i = 0; i < 2 * ENTRIES + 3; i++) {
			uint64_t want = RF_DEV_LOG_STATE((i + 1) / ENTRIES, (i + 1) % ENTRIES);
			struct rf_log_entry entry;

			rf_dev_signal(&queue, cv, 1000 + i, mv, i % ENTRIES);
			rf_dev_submit(&queue);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			RF_CHECK_EQUAL(conform, rf_dev_read(&dev, queue.signal_log), want,
				       "index word");
			RF_CHECK_EQUAL(
				conform,
				rf_dev_register(&dev, RF_REG_SLOT_SIGNAL_LOG_STATE(queue.slot)),
				want | (uint64_t)ENTRIES << RF_SLOT_SIGNAL_LOG_STATE_ENTRIES_SHIFT,
				"the device's copy");
			entry = rf_dev_log_entry(&dev, queue.signal_log, i % ENTRIES);
			RF_CHECK_EQUAL(conform, entry.fence_value, 1000 + i, "value");
			RF_CHECK(conform, entry.fence_end_gpu_timestamp >= last,
				 "time goes backwards at entry %u", i);
			last = entry.fence_end_gpu_timestamp;
		}
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, queue.wait_log), 0, "wait log");
		/* Whatever index user mode names, the word never goes back. */
		rf_dev_signal(&queue, cv, 1, mv, 50);
		rf_dev_signal(&queue, cv, 2, mv, 10);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, queue.signal_log),
			       RF_DEV_LOG_STATE(3, 11), "index word behind a lower index");
	}
}

struct header_writes {
	uint64_t address;
	unsigned int whole, other;
};

static void watch_header(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct header_writes *writes = context;
	uint64_t address = tlp_address(tlp->header);

	(void)device;
	if (tlp->stream != RFSIM_POSTED || !tlp_is_memory_write(tlp->header))
		return;
	if (address + 4 * tlp->words <= writes->address || address >= writes->address + 40)
		return;
	if (address == writes->address && tlp->words == 2 &&
	    tlp_first_enables(tlp->header) == 0xf && tlp_last_enables(tlp->header) == 0xf)
		writes->whole++;
	else
		writes->other++;
}

/*
 * A reader that looks in every cycle never sees the word go back, which a wrapped
 * index with the old count would be; in system memory it is one TLP of 8 bytes.
 */
static void index_word_is_one_write(struct rf_conform *conform)
{
	unsigned int i, j, changes[2] = { 0, 0 };
	struct rf_dev_queue queue;
	enum rf_place place;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		struct header_writes writes = { 0 };
		uint64_t last = 0;

		rf_dev_write(&dev, mv, NONE);
		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		rf_dev_queue_logs(&queue, place, 3);
		writes.address = dev.system_bus + queue.signal_log.offset;
		if (place == RF_PLACE_SYSTEM)
			rfsim_tlp_callback(conform->setup.world.sim, watch_header, &writes);
		for (i = 0; i < 10; i++) {
			for (j = 0; j < 12; j++)
				rf_dev_signal(&queue, cv, 12 * i + j, mv, (12 * i + j) % 3);
			rf_dev_append(&queue);
		}
		rf_dev_ring(&queue);
		for (i = 0; i < 200000 && last != RF_DEV_LOG_STATE(40, 0); i++) {
			uint64_t word = rf_dev_read(&dev, queue.signal_log);

			RF_CHECK(conform, word >= last && (uint32_t)word < 3,
				 "index word 0x%llx after 0x%llx", (unsigned long long)word,
				 (unsigned long long)last);
			changes[place] += word != last;
			last = word;
			if (place == RF_PLACE_SYSTEM)
				rf_dev_run(&dev, 1);
		}
		RF_CHECK_EQUAL(conform, last, RF_DEV_LOG_STATE(40, 0), "index word at last");
		rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
		if (place == RF_PLACE_SYSTEM) {
			RF_CHECK_EQUAL(conform, writes.whole, 120, "writes of the index word");
			RF_CHECK_EQUAL(conform, writes.other, 0, "other writes to the header");
			RF_CHECK_EQUAL(conform, changes[place], 120, "changes seen");
		}
	}
	rf_conform_note(conform, "120 entries of either log, %u and %u steps seen", changes[0],
			changes[1]);
}

/* A log of 64 KiB: entries lie across pages; the last index wraps. */
static void long_log_crosses_pages(struct rf_conform *conform)
{
	const uint32_t entries = (65536 - 40) / 48;
	unsigned int crossing = 0, next = 0;
	struct rf_dev_queue queue;
	enum rf_place place;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		uint32_t index;

		rf_dev_write(&dev, mv, NONE);
		rf_dev_write(&dev, cv, UINT64_MAX);
		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		rf_dev_queue_logs(&queue, place, entries);
		for (index = 0; index < entries; index++) {
			uint64_t first = 40 + 48ull * index;
			bool crosses = first / 4096 != (first + 47) / 4096;
			struct rf_log_entry entry;

			/* Those across pages, and their neighbours, and the ends. */
			if (!crosses && index && index != entries - 1 && index != next)
				continue;
			next = crosses ? index + 1 : 0;
			crossing += crosses;
			rf_dev_wait(&queue, cv, 5000 + index, index);
			rf_dev_submit(&queue);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			entry = rf_dev_log_entry(&dev, queue.wait_log, index);
			RF_CHECK_EQUAL(conform, entry.fence_value, 5000 + index, "value");
			RF_CHECK_EQUAL(conform, entry.fence_handle, queue.slot, "handle");
			RF_CHECK_EQUAL(conform, entry.operation_type,
				       RF_LOG_OPERATION_WAIT_UNBLOCKED, "operation");
			RF_CHECK(conform, entry.fence_end_gpu_timestamp, "no end time");
			RF_CHECK_EQUAL(conform, rf_dev_read(&dev, queue.wait_log),
				       index == entries - 1 ? RF_DEV_LOG_STATE(1, 0)
							    : RF_DEV_LOG_STATE(0, index + 1),
				       "index word");
		}
	}
	RF_CHECK(conform, crossing >= 20, "only %u entries crossed a page", crossing);
	rf_conform_note(conform, "%u entries across a page", crossing);
}

/* An index at or above NumberOfEntries stops that queue before it does anything. */
static void bad_index_stops_one_queue(struct rf_conform *conform)
{
	static const struct {
		bool wait, no_log;
		uint32_t index;
	} cases[] = { { false, false, ENTRIES }, { true, false, ENTRIES }, { false, false, 0xffff },
		      { true, false, 0xffff },	 { false, true, 0 },	   { true, true, 0 } };
	struct rf_interrupt_record records[4];
	struct rf_dev_queue good, bad;
	struct rf_spot good_cv, mv;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, NONE);
	good_cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_queue_open(&good, &dev, dev.slots - 1, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_logs(&good, RF_PLACE_SYSTEM, ENTRIES);
	for (i = 0; i < COUNT(cases); i++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		struct rf_spot after = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		unsigned int looks;

		rf_dev_queue_open(&bad, &dev, i, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
		if (!cases[i].no_log) {
			rf_dev_queue_logs(&bad, RF_PLACE_SYSTEM, ENTRIES);
			soil(&dev, rf_spot_at(bad.signal_log, 40), 4056);
			soil(&dev, rf_spot_at(bad.wait_log, 40), 4056);
		}
		logged(&bad, cases[i].wait ? RF_OPCODE_WAIT : RF_OPCODE_SIGNAL, cv,
		       cases[i].wait ? 0 : 5, mv, 1, cases[i].index);
		rf_dev_write_packet(&bad, after, 1);
		rf_dev_submit(&bad);
		for (looks = 0; looks < 1000 && !rf_dev_queue_error(&bad); looks++)
			;
		RF_CHECK_EQUAL(conform, rf_dev_queue_error(&bad), RF_QUEUE_ERROR_LOG_INDEX,
			       "error");
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_queue_state(&bad), RF_SLOT_STATE_ERROR, "state");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), 0, "CurrentValue");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, after), 0, "the next packet");
		if (!cases[i].no_log) {
			check_untouched(&dev, rf_spot_at(bad.signal_log, 40), 4056);
			check_untouched(&dev, rf_spot_at(bad.wait_log, 40), 4056);
		}
		RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 1, "records");
		RF_CHECK_EQUAL(conform, records[0].kind, RF_RECORD_KIND_QUEUE_ERROR, "kind");
		RF_CHECK_EQUAL(conform, records[0].detail, RF_QUEUE_ERROR_LOG_INDEX, "detail");
		RF_CHECK_EQUAL(conform, records[0].handle, RF_DEV_HANDLE(i), "handle");

		/* The others go on, up to the last index. */
		rf_dev_signal(&good, good_cv, i + 1, mv, ENTRIES - 1);
		rf_dev_submit(&good);
		rf_dev_finish(&good);
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, good_cv), i + 1, "the other queue");
	}
}

/* A value that could not be written is not logged: a zero entry, and the old index. */
static void failed_signal_is_not_logged(struct rf_conform *conform)
{
	struct rf_log_entry entry, zero = { 0 };
	struct rf_dev_queue queue;
	enum rf_place place;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		struct rf_spot nowhere = { RF_PLACE_LOCAL, dev.local_bytes + 64 };

		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
		rf_dev_queue_logs(&queue, place, ENTRIES);
		rf_dev_write(&dev, mv, NONE);
		rf_dev_signal(&queue, cv, 1, mv, 0);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		rf_dev_signal(&queue, nowhere, 2, mv, 1);
		rf_dev_submit(&queue);
		rf_dev_await_state(&queue, RF_SLOT_STATE_ERROR);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_queue_error(&queue), RF_QUEUE_ERROR_TRANSLATION,
			       "error");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, queue.signal_log), RF_DEV_LOG_STATE(0, 1),
			       "index word");
		entry = rf_dev_log_entry(&dev, queue.signal_log, 1);
		RF_CHECK(conform, !memcmp(&entry, &zero, sizeof(entry)),
			 "the log tells of value %llu", (unsigned long long)entry.fence_value);
	}
}

/* --- another log ---------------------------------------------------------------------------------- */

/*
 * The log moves while the queue signals without pause. When LOG_SWITCH reads 0, the
 * old log is as it will stay, and what comes goes to the new one, from index 0.
 */
static void switch_under_load(struct rf_conform *conform, const struct rfsim_config *config,
			      enum rf_place place, unsigned int *switches, unsigned int *loaded)
{
	static uint8_t old[4096], later[4096];
	struct rf_spot cv, mv, logs[2];
	struct rf_dev_queue queue;
	uint32_t value = 0, index = 0;
	struct rf_dev dev;
	unsigned int i, j;

	rf_conform_restart(conform, config);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, place, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, NONE);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	rf_dev_queue_logs(&queue, place, ENTRIES);
	logs[0] = queue.signal_log;
	logs[1] = queue.wait_log; /* not in use otherwise */
	for (i = 0; i < 24; i++) {
		struct rf_spot from = logs[i & 1], to = logs[!(i & 1)];
		uint64_t before, after;

		soil(&dev, rf_spot_at(to, 40), 480);
		rf_dev_write(&dev, to, 0);
		for (j = 0; j < 12; j++, index = (index + 1) % 10)
			rf_dev_signal(&queue, cv, ++value, mv, index);
		rf_dev_submit(&queue);
		rf_dev_register_write(&dev, RF_REG_SLOT_SIGNAL_LOG_ADDRESS(0),
				      rf_dev_address(&dev, 0, to));
		rf_dev_run(&dev, rf_conform_random(conform, 400));
		rf_dev_register_write(&dev, RF_REG_SLOT_LOG_SWITCH(0),
				      RF_SLOT_LOG_SWITCH_SIGNAL_MASK);
		while (rf_dev_register(&dev, RF_REG_SLOT_LOG_SWITCH(0)))
			;
		rf_dev_read_bytes(&dev, from, old, 40 + 480);
		before = rf_dev_read(&dev, cv);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		rf_dev_read_bytes(&dev, from, later, 40 + 480);
		RF_CHECK(conform, !memcmp(old, later, 40 + 480),
			 "the old log changed after switch %u", i);
		after = value - before;
		/* The old log has all that the new one has not. */
		if (after) {
			struct rf_log_entry entry;
			uint64_t word = rf_dev_read(&dev, to);

			entry = rf_dev_log_entry(&dev, to, (index + 9) % 10);
			RF_CHECK_EQUAL(conform, entry.fence_value, value,
				       "last value in the new log");
			/* From 0: two rounds of ten are at most two indices that went down. */
			RF_CHECK(conform, (uint32_t)word == (index ? index : 10) && word >> 32 <= 2,
				 "index word of the new log: 0x%llx", (unsigned long long)word);
			++*loaded;
		}
		++*switches;
	}
	rf_dev_close(&dev);
}

static void log_switches_under_load(struct rf_conform *conform)
{
	unsigned int switches = 0, loaded = 0, world;
	struct rfsim_config config;

	rfsim_config_init(&config);
	switch_under_load(conform, &config, RF_PLACE_SYSTEM, &switches, &loaded);
	switch_under_load(conform, &config, RF_PLACE_LOCAL, &switches, &loaded);
	/* A write that is held back at the edge of the device is not over. */
	config.port.posted_stall_percent = 90;
	switch_under_load(conform, &config, RF_PLACE_SYSTEM, &switches, &loaded);
	for (world = 0; world < 4; world++) {
		rfsim_config_random(&config, conform->seed * 10 + world);
		switch_under_load(conform, &config, world & 1, &switches, &loaded);
	}
	RF_CHECK(conform, loaded > switches / 4, "%u of %u switches came under load", loaded,
		 switches);
	rf_conform_note(conform, "%u switches, %u with signals still to come", switches, loaded);
}

/* --- payload, value, log, index, record, message ------------------------------------------------------ */

/*
 * What one buffer does, in the order in which it must be seen. A spy, another
 * requester on the bus, reads those that lie in local memory without pause, later
 * ones first; those in system memory are looked at in host memory whenever a TLP of
 * the device arrives. If something is seen, everything before it must be there: in
 * host memory at once, in local memory for every read that begins afterwards.
 */
enum step { PAYLOAD, VALUE, ENTRY, INDEX, RECORD, MESSAGE, STEPS };

#define SPY 0x0042 /* requester id */

struct watch {
	struct rf_conform *conform;
	struct rf_dev *dev;
	uint64_t local_bar;
	bool on;
	struct rf_spot spots[STEPS]; /* the last word of each */
	uint64_t wanted[STEPS];
	unsigned int due; /* steps that reads sent now must see */
	unsigned int chain_due; /* ... that the chain under way must see */
	unsigned int chain_left;
	unsigned int seen; /* steps seen so far */
	unsigned int partial; /* sights of some steps but not all */
	const char *wrong;
};

static const char *const step_names[] = { "payload", "value",  "log entry",
					  "index",   "record", "message" };

static bool is_local(const struct watch *watch, unsigned int step)
{
	return step < MESSAGE && watch->spots[step].place == RF_PLACE_LOCAL;
}

static bool is_reached(const struct watch *watch, unsigned int step, uint64_t word)
{
	/* The end of a log entry is a time, the others are known. */
	return step == ENTRY ? word != 0 : word == watch->wanted[step];
}

/* @step is there: so are those before it. */
static void see(struct watch *watch, unsigned int step)
{
	unsigned int before;

	watch->seen |= 1u << step;
	for (before = 0; before < step; before++) {
		if (is_local(watch, before))
			watch->due |= 1u << before;
		else if (!is_reached(watch, before, rf_dev_read(watch->dev, watch->spots[before])))
			watch->wrong = step_names[step];
		else
			watch->seen |= 1u << before;
	}
}

static void send_chain(struct watch *watch)
{
	uint32_t header[TLP_HEADER_WORDS];
	unsigned int step;

	watch->chain_due = watch->due;
	for (step = MESSAGE; step-- > 0;) {
		if (!is_local(watch, step))
			continue;
		tlp_memory_request(header, false, SPY, step,
				   watch->local_bar + watch->spots[step].offset, 2, 0xf, 0xf);
		rfsim_tlp_send(watch->conform->setup.world.sim, header, NULL, 0, false);
		watch->chain_left++;
	}
}

static void spy_on(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct watch *watch = context;
	unsigned int step;

	(void)device;
	if (tlp->stream != RFSIM_POSTED)
		return;
	if (tlp_is_completion(tlp->header) && tlp_requester(tlp->header) == SPY) {
		step = tlp_tag(tlp->header);
		if (is_reached(watch, step, tlp->payload[0] | (uint64_t)tlp->payload[1] << 32)) {
			see(watch, step);
			/* The rest of the chain reads later. */
			watch->chain_due |= watch->due;
		} else if (watch->chain_due & 1u << step) {
			watch->wrong = step_names[step];
		}
		if (!--watch->chain_left) {
			watch->partial += watch->seen && ~watch->seen & ((1u << MESSAGE) - 1);
			if (watch->on)
				send_chain(watch);
		}
		return;
	}
	if (!tlp_is_memory_write(tlp->header))
		return;
	if (tlp_address(tlp->header) - RFSIM_MSI_BASE < RFSIM_MSI_BYTES) {
		see(watch, MESSAGE);
		return;
	}
	for (step = 0; step < MESSAGE; step++) {
		uint64_t first = tlp_address(tlp->header);
		uint64_t word = watch->dev->system_bus + watch->spots[step].offset;

		/* Its own word comes with this TLP, what is before it came earlier. */
		if (!is_local(watch, step) && word >= first && word < first + 4 * tlp->words)
			see(watch, step);
	}
}

static void order_in_placement(struct rf_conform *conform, unsigned int placement,
			       const struct rfsim_config *config, unsigned int rounds,
			       unsigned int *partial)
{
	struct watch watch = { .conform = conform };
	struct rf_spot payload, source, cv, mv, entry;
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rfsim_bar bar;
	struct rf_dev dev;
	unsigned int i, step;

	rf_conform_restart(conform, config);
	rf_dev_open(&dev, conform, placement >> 4 & 1);
	if (placement & 8 && !dev.shadow) {
		rf_dev_close(&dev);
		return;
	}
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	payload = rf_dev_alloc(&dev, placement & 1, 128, 64);
	cv = rf_dev_alloc(&dev, placement >> 1 & 1, 8, 64);
	rf_dev_queue_logs(&queue, placement >> 2 & 1, ENTRIES);
	mv = rf_dev_alloc(&dev, placement >> 3 & 1, 8, 64);
	source = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 128, 64);
	RF_CHECK_EQUAL(conform, rfsim_bar(conform->setup.world.sim, 2, &bar), 0, "BAR 2");
	watch.dev = &dev;
	watch.local_bar = bar.address;
	for (i = 0; i < rounds; i++) {
		const uint64_t operands[] = { rf_dev_address(&dev, 1, payload),
					      rf_dev_address(&dev, 1, source), 128 };

		entry = entry_spot(queue.signal_log, i);
		watch.spots[PAYLOAD] = rf_spot_at(payload, 120);
		watch.spots[VALUE] = cv;
		watch.spots[ENTRY] = rf_spot_at(entry, 40);
		watch.spots[INDEX] = queue.signal_log;
		watch.spots[RECORD] = rf_spot_at(dev.interrupt_ring, 32 * i + 16);
		watch.wanted[PAYLOAD] = 0xabc0000 + i;
		watch.wanted[VALUE] = watch.wanted[RECORD] = i + 1;
		watch.wanted[INDEX] = i + 1;
		watch.due = watch.seen = 0;
		rf_dev_write(&dev, rf_spot_at(source, 120), 0xabc0000 + i);
		rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, operands, 3);
		rf_dev_signal(&queue, cv, i + 1, mv, i);
		rf_dev_append(&queue);
		rf_dev_flush(&dev);
		rfsim_tlp_callback(conform->setup.world.sim, spy_on, &watch);
		watch.on = true;
		rf_dev_ring(&queue);
		rf_dev_run(&dev, i); /* the chain begins in another cycle each time */
		send_chain(&watch);
		rf_dev_finish(&queue);
		rf_dev_run(&dev, 300);
		watch.on = false;
		rf_dev_settle(&dev);
		rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
		RF_CHECK(conform, !watch.wrong,
			 "placement %u, round %u: %s is seen although something before it is not, "
			 "or not seen although something behind it is",
			 placement, i, watch.wrong);
		RF_CHECK_EQUAL(conform, watch.chain_left, 0, "reads without an answer");
		for (step = 0; step < MESSAGE; step++)
			RF_CHECK(conform,
				 is_reached(&watch, step, rf_dev_read(&dev, watch.spots[step])),
				 "placement %u: the %s is missing", placement, step_names[step]);
		RF_CHECK(conform, watch.seen & 1u << MESSAGE, "no MSI");
		RF_CHECK(conform, rf_dev_record(&dev, &record), "no record");
		rf_dev_consume(&dev);
	}
	*partial += watch.partial;
	rf_dev_close(&dev);
}

static void order_in_every_placement(struct rf_conform *conform)
{
	unsigned int placement, partial = 0;
	struct rfsim_config config;

	for (placement = 0; placement < 32; placement++) {
		rfsim_config_init(&config);
		config.seed = conform->seed;
		order_in_placement(conform, placement, &config, 16, &partial);
		rfsim_config_random(&config, conform->seed * 64 + placement);
		order_in_placement(conform, placement, &config, 8, &partial);
	}
	RF_CHECK(conform, partial > 100, "only %u sights in the midst", partial);
	rf_conform_note(conform, "%u sights in the midst of a signal", partial);
}

const struct rf_conform_test rf_conform_log_tests[] = {
	{ "S0-106.entry_byte_for_byte", "S0-107 S0-108 S0-123", RF_CONFORM_DEV, 0,
	  entry_byte_for_byte },
	{ "S0-124.two_queue_example", "S0-107 S0-108", RF_CONFORM_DEV, 0, two_queue_example },
	{ "S0-109.index_advances_and_wraps", "S0-110 S0-116 S0-121", RF_CONFORM_DEV, 0,
	  index_advances_and_wraps },
	{ "S0-120.index_word_is_one_write", "S0-109 S0-110 S0-116", RF_CONFORM_DEV,
	  RF_CONFORM_ROOT_COMPLEX, index_word_is_one_write },
	{ "S0-116.long_log_crosses_pages", "S0-106 S0-109", RF_CONFORM_DEV, 0,
	  long_log_crosses_pages },
	{ "S0-106.bad_index_stops_one_queue", NULL, RF_CONFORM_DEV, 0, bad_index_stops_one_queue },
	{ "S0-106.failed_signal_is_not_logged", "S0-121", RF_CONFORM_DEV, 0,
	  failed_signal_is_not_logged },
	{ "S0-104.log_switches_under_load", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  log_switches_under_load },
	{ "S0-111.order_in_every_placement", "S0-112 S0-113", RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  order_in_every_placement },
	{ 0 },
};
