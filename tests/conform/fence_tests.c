// SPDX-License-Identifier: Apache-2.0
/* Values, comparison and interrupt of signals. */
#include "dev.h"

#include "../../sim/tlp.h"

#define NONE RF_MONITORED_NONE
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* MonitoredValue lies in system memory, and in local memory where the device can. */
static unsigned int monitored_places(const struct rf_dev *dev)
{
	return dev->shadow ? 2 : 1;
}

/* One signal from record to rest. */
static void signal_now(struct rf_dev_queue *queue, struct rf_spot cv, uint64_t value,
		       struct rf_spot mv)
{
	rf_dev_signal(queue, cv, value, mv, RF_DEV_NO_LOG);
	rf_dev_submit(queue);
	rf_dev_finish(queue);
	rf_dev_settle(queue->dev);
}

/* --- values ------------------------------------------------------------------------------ */

/* With CV=41 and a waiter for 42, MV=41: 41 is silent, 42 interrupts. */
static void interrupt_above_monitored_only(struct rf_conform *conform)
{
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, 41);

	signal_now(&queue, cv, 41, mv);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), 41, "CurrentValue");
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "a record although 41 is not above 41");

	signal_now(&queue, cv, 42, mv);
	RF_CHECK(conform, rf_dev_record(&dev, &record), "no record for 42");
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_FENCE_SIGNALED, "record kind");
	RF_CHECK_EQUAL(conform, record.value, 42, "record value");
	RF_CHECK_EQUAL(conform, record.address, rf_dev_address(&dev, 1, cv), "record address");
	RF_CHECK_EQUAL(conform, record.handle, RF_DEV_HANDLE(0), "record queue");
	RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts");
	rf_dev_close(&dev);
}

/*
 * A signal stores its value, whatever was there: all 64 bits are the user's, twice
 * the same stays that, and a lower one is stored too.
 */
static void last_value_signaled(struct rf_conform *conform)
{
	static const uint64_t values[] = {
		10, 10, 0x4000000000000000, 0x8000000000000000, 0xc000000000000001, UINT64_MAX,
		3,  0,	0xffffffff,	    0x100000000,
	};
	enum rf_place place;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot around = rf_dev_alloc(&dev, place, 24, 64);
		struct rf_spot cv = rf_spot_at(around, 8);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		struct rf_dev_queue queue;

		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COMPUTE, 2, place);
		rf_dev_write(&dev, mv, NONE);
		rf_dev_write(&dev, around, 0x1111);
		rf_dev_write(&dev, rf_spot_at(around, 16), 0x2222);
		for (i = 0; i < COUNT(values); i++) {
			signal_now(&queue, cv, values[i], mv);
			RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), values[i], "CurrentValue");
		}
		/* What lies beside it, such as MonitoredValue, is another's. */
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, around), 0x1111, "word below");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(around, 16)), 0x2222,
			       "word above");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, mv), NONE, "MonitoredValue");
	}
}

/* --- comparison -------------------------------------------------------------------------- */

/* Every pair of values at the edges of signed, unsigned and 32-bit order. */
static void compare_is_unsigned_and_strict(struct rf_conform *conform)
{
	static const uint64_t edges[] = {
		0,
		1,
		0xffffffff,
		0x100000000,
		0x7fffffffffffffff,
		0x8000000000000000,
		0xfffffffffffffffe,
		UINT64_MAX,
	};
	struct rf_interrupt_record records[COUNT(edges) * COUNT(edges)];
	struct rf_dev_queue queue;
	struct rf_dev dev;
	unsigned int place, i, j, count, want;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	for (place = 0; place < monitored_places(&dev); place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		struct rf_spot mv[COUNT(edges)];

		for (j = 0; j < COUNT(edges); j++) {
			mv[j] = rf_dev_alloc(&dev, place, 8, 64);
			rf_dev_write(&dev, mv[j], edges[j]);
		}
		for (i = 0; i < COUNT(edges); i++) {
			for (j = 0; j < COUNT(edges); j++)
				rf_dev_signal(&queue, cv, edges[i], mv[j], RF_DEV_NO_LOG);
			rf_dev_submit(&queue);
			rf_dev_finish(&queue);
			rf_dev_settle(&dev);
			/* Sorted upwards: above monitored j are exactly the edges after it. */
			count = rf_dev_records(&dev, records, COUNT(records));
			want = i;
			RF_CHECK(conform, count == want,
				 "0x%llx was above %u of the monitored values, want %u",
				 (unsigned long long)edges[i], count, want);
			for (j = 0; j < count; j++)
				RF_CHECK_EQUAL(conform, records[j].value, edges[i], "value");
		}
	}
}

/* Without a waiter MonitoredValue is the greatest number; nothing is above it. */
static void no_waiter_no_interrupt(struct rf_conform *conform)
{
	static const uint64_t values[] = { 0, 1, 0x8000000000000000, UINT64_MAX };
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	struct rf_dev dev;
	unsigned int place, i;

	rf_dev_open(&dev, conform, RF_PLACE_LOCAL);
	rf_dev_queue_open(&queue, &dev, 3, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	for (place = 0; place < monitored_places(&dev); place++) {
		cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
		mv = rf_dev_alloc(&dev, place, 8, 64);
		rf_dev_write(&dev, mv, NONE);
		for (i = 0; i < COUNT(values); i++) {
			signal_now(&queue, cv, values[i], mv);
			RF_CHECK(conform, !rf_dev_record(&dev, &record), "a record for 0x%llx",
				 (unsigned long long)values[i]);
		}
	}
	RF_CHECK_EQUAL(conform, dev.interrupts, 0, "interrupts");
}

/* The whole round: 42 interrupts, the host advances to 42, 42 is then silent, 43 is not. */
static void monitored_value_advances(struct rf_conform *conform)
{
	struct rf_interrupt_record records[4];
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	rf_dev_write(&dev, mv, NONE);
	rf_dev_write(&dev, cv, 41);

	rf_dev_update(&dev, cv, mv, 41); /* waiters for 42 and 43 */
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, mv), 41, "MonitoredValue");
	RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 0, "records: 41 is reached");
	signal_now(&queue, cv, 42, mv);
	RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 1, "records for 42");
	RF_CHECK_EQUAL(conform, records[0].value, 42, "value");

	rf_dev_update(&dev, cv, mv, 42); /* 43 is next */
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, mv), 42, "MonitoredValue");
	RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 0, "records: 42 is not above 42");
	signal_now(&queue, cv, 42, mv);
	RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 0, "records for 42 again");
	signal_now(&queue, cv, 43, mv);
	RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 1, "records for 43");
	RF_CHECK_EQUAL(conform, records[0].value, 43, "value");

	rf_dev_update(&dev, cv, mv, NONE); /* no waiter is left */
	signal_now(&queue, cv, 44, mv);
	RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 4), 0, "records for 44");
	RF_CHECK_EQUAL(conform, dev.interrupts, 2, "interrupts");
}

/* --- update port ------------------------------------------------------------------------- */

struct order {
	uint64_t cv, mv; /* bus addresses */
	unsigned int wrote_mv, read_cv, early;
};

static void watch_update(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct order *order = context;

	(void)device;
	if (tlp->stream == RFSIM_POSTED && tlp_is_memory_write(tlp->header) &&
	    tlp_address(tlp->header) == order->mv)
		order->wrote_mv++;
	if (tlp->stream == RFSIM_READ && tlp_address(tlp->header) == order->cv) {
		order->read_cv++;
		order->early += !order->wrote_mv;
	}
}

/* Stores MonitoredValue, then reads CurrentValue, then compares: above interrupts. */
static void update_stores_reads_compares(struct rf_conform *conform)
{
	static const struct {
		uint64_t current, monitored;
	} cases[] = { { 41, 41 },	   { 42, 41 },	{ 0, 0 },
		      { UINT64_MAX, 0 },   { 5, NONE }, { 0x8000000000000000, 0x7fffffffffffffff },
		      { UINT64_MAX, NONE } };
	struct rf_interrupt_record records[2];
	unsigned int placement, i, count;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (placement = 0; placement < 4; placement++) {
		struct rf_spot cv = rf_dev_alloc(&dev, placement & 1, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, placement >> 1, 8, 64);
		bool both_system = placement == 0;

		for (i = 0; i < COUNT(cases); i++) {
			struct order order = { .cv = dev.system_bus + cv.offset,
					       .mv = dev.system_bus + mv.offset };

			rf_dev_write(&dev, cv, cases[i].current);
			rf_dev_write(&dev, mv, 0x5555);
			if (both_system)
				rfsim_tlp_callback(conform->setup.world.sim, watch_update, &order);
			rf_dev_update(&dev, cv, mv, cases[i].monitored);
			rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
			if (both_system) {
				RF_CHECK_EQUAL(conform, order.wrote_mv, 1, "writes of MV");
				RF_CHECK_EQUAL(conform, order.read_cv, 1, "reads of CV");
				RF_CHECK_EQUAL(conform, order.early, 0, "reads of CV before");
			}
			RF_CHECK_EQUAL(conform, rf_dev_read(&dev, mv), cases[i].monitored,
				       "MonitoredValue");
			RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), cases[i].current,
				       "CurrentValue");
			count = rf_dev_records(&dev, records, 2);
			RF_CHECK_EQUAL(conform, count, cases[i].current > cases[i].monitored,
				       "records");
			if (!count)
				continue;
			RF_CHECK_EQUAL(conform, records[0].kind, RF_RECORD_KIND_MONITORED_UPDATE,
				       "kind");
			RF_CHECK_EQUAL(conform, records[0].value, cases[i].current, "value");
			RF_CHECK_EQUAL(conform, records[0].address, rf_dev_address(&dev, 0, cv),
				       "address");
			RF_CHECK_EQUAL(conform, records[0].detail, 0, "detail");
		}
	}
}

/* Sixteen posted at once, each of another fence: each is honoured, and none twice. */
static void batch_of_updates(struct rf_conform *conform)
{
	struct rf_interrupt_record records[RF_UPDATE_DEPTH + 1];
	struct rf_spot cv[RF_UPDATE_DEPTH], mv[RF_UPDATE_DEPTH];
	unsigned int i, looks, count;
	uint64_t done;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_LOCAL);
	for (i = 0; i < RF_UPDATE_DEPTH; i++) {
		cv[i] = rf_dev_alloc(&dev, i & 1, 8, 64);
		mv[i] = rf_dev_alloc(&dev, i >> 1 & 1, 8, 64);
		rf_dev_write(&dev, cv[i], 100 + i);
	}
	done = rf_dev_register(&dev, RF_REG_FENCE_UPDATE_DONE);
	for (i = 0; i < RF_UPDATE_DEPTH; i++) {
		rf_dev_update_addresses(&dev, cv[i], mv[i]);
		/* Every third fence is beyond its new MonitoredValue. */
		rf_dev_register_write(&dev, RF_REG_FENCE_UPDATE_VALUE, 100 + i - !(i % 3));
	}
	for (looks = 0; looks < 1000; looks++) {
		if (rf_dev_register(&dev, RF_REG_FENCE_UPDATE_DONE) == done + RF_UPDATE_DEPTH)
			break;
	}
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_FENCE_UPDATE_DONE),
		       done + RF_UPDATE_DEPTH, "updates done, none dropped, none failed");
	for (i = 0; i < RF_UPDATE_DEPTH; i++)
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, mv[i]), 100 + i - !(i % 3),
			       "MonitoredValue");
	count = rf_dev_records(&dev, records, COUNT(records));
	RF_CHECK_EQUAL(conform, count, (RF_UPDATE_DEPTH + 2) / 3, "records");
	for (i = 0; i < count; i++) {
		RF_CHECK_EQUAL(conform, records[i].value, 100 + 3 * i, "record's value");
		RF_CHECK_EQUAL(conform, records[i].address, rf_dev_address(&dev, 0, cv[3 * i]),
			       "record's fence");
	}
}

/* --- atomic values ----------------------------------------------------------------------- */

#define TORN_A 0x00000000ffffffffull
#define TORN_B 0xffffffff00000000ull

/* The device toggles all bits in turn; every reader sees one of the two patterns. */
static void current_value_never_torn(struct rf_conform *conform)
{
	unsigned int seen[2], round, signals, i;
	struct rf_dev_queue queue;
	enum rf_place place;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);

		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		rf_dev_write(&dev, mv, NONE);
		rf_dev_write(&dev, cv, TORN_A);
		seen[0] = seen[1] = 0;
		for (round = 0; round < 4; round++) {
			for (i = 0; i < 3; i++) {
				for (signals = 0; signals < 15; signals++)
					rf_dev_signal(&queue, cv, signals & 1 ? TORN_A : TORN_B, mv,
						      RF_DEV_NO_LOG);
				rf_dev_append(&queue);
			}
			rf_dev_ring(&queue);
			for (i = 0; i < 800; i++) {
				uint64_t value = rf_dev_read(&dev, cv);

				RF_CHECK(conform, value == TORN_A || value == TORN_B,
					 "CurrentValue is torn: 0x%llx", (unsigned long long)value);
				seen[value == TORN_B]++;
				if (place == RF_PLACE_SYSTEM)
					rf_dev_run(&dev, 1);
				else if (i % 32 == 31 &&
					 rf_dev_queue_done(&queue) == queue.write_pointer)
					break;
			}
			rf_dev_finish(&queue);
		}
		RF_CHECK(conform, seen[0] && seen[1], "the sight never changed: %u and %u", seen[0],
			 seen[1]);
	}
	rf_conform_note(conform, "local memory: %u and %u sights of the patterns", seen[0],
			seen[1]);
}

struct toggle {
	struct rf_dev *dev;
	struct rf_spot spot;
	bool on, second;
	uint64_t writes;
};

/* One store of all bits every few cycles, or as often as a link takes them, until it is switched off. */
static void toggle_bits(void *context)
{
	struct toggle *toggle = context;
	struct rf_conform *conform = toggle->dev->conform;
	struct rfsim_world *world = conform->setup.world.simulation;

	if (!toggle->on)
		return;
	toggle->second = !toggle->second;
	toggle->writes++;
	rf_dev_write(toggle->dev, toggle->spot, toggle->second ? TORN_B : TORN_A);
	rfsim_at(world,
		 rfsim_cycle(world) +
			 (3 + rf_conform_random(conform, 5)) * rf_conform_stretch(conform),
		 toggle_bits, toggle);
}

static void toggle_start(struct toggle *toggle, struct rf_dev *dev, struct rf_spot spot)
{
	*toggle = (struct toggle){ .dev = dev, .spot = spot, .on = true };
	toggle_bits(toggle);
}

/*
 * The CPU toggles MonitoredValue while signals compare with it. 1 is above neither
 * pattern, but above the halves that are 0; 2^64-2 is above both, but not above
 * halves that are all ones.
 */
static void monitored_value_never_torn(struct rf_conform *conform)
{
	unsigned int place, round, i, count, writes = 0;
	struct rf_interrupt_record records[32];
	struct rf_dev_queue queue;
	struct toggle toggle;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = 0; place < monitored_places(&dev); place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, place, 8, 64);

		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
		toggle_start(&toggle, &dev, mv);
		for (round = 0; round < 12; round++) {
			uint64_t value = round & 1 ? UINT64_MAX - 1 : 1;

			for (i = 0; i < 15; i++)
				rf_dev_signal(&queue, cv, value, mv, RF_DEV_NO_LOG);
			rf_dev_submit(&queue);
			rf_dev_finish(&queue);
			rf_dev_run(&dev, 400); /* the last decisions */
			count = rf_dev_records(&dev, records, COUNT(records));
			RF_CHECK_EQUAL(conform, count, round & 1 ? 15 : 0, "records");
		}
		toggle.on = false;
		rf_dev_settle(&dev);
		writes += toggle.writes;
	}
	rf_conform_note(conform, "180 decisions per place while MV changed %u times", writes);
}

/* The other way round: the update port toggles it, the CPU looks. */
static void update_never_torn(struct rf_conform *conform)
{
	unsigned int place, i, seen[2] = { 0, 0 };
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, place, 8, 64);

		rf_dev_write(&dev, mv, TORN_A);
		rf_dev_update_addresses(&dev, cv, mv);
		for (i = 0; i < 600; i++) {
			uint64_t value;

			if (i % 8 == 0)
				rf_dev_register_write(&dev, RF_REG_FENCE_UPDATE_VALUE,
						      i & 8 ? TORN_A : TORN_B);
			if (place == RF_PLACE_SYSTEM)
				rf_dev_run(&dev, 3);
			value = rf_dev_read(&dev, mv);
			RF_CHECK(conform, value == TORN_A || value == TORN_B,
				 "MonitoredValue is torn: 0x%llx", (unsigned long long)value);
			seen[value == TORN_B]++;
		}
		RF_CHECK(conform, seen[0] && seen[1], "the sight never changed");
		rf_dev_settle(&dev);
	}
}

/*
 * The CPU toggles CurrentValue while a queue waits for 2^64-2, which is above both
 * patterns but not above all ones; notified all the time, it reads and never passes.
 */
static void wait_never_reads_torn(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct toggle toggle;
	enum rf_place place;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);

		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		toggle_start(&toggle, &dev, cv);
		rf_dev_wait(&queue, cv, UINT64_MAX - 1, RF_DEV_NO_LOG);
		rf_dev_submit(&queue);
		rf_dev_await_state(&queue, RF_SLOT_STATE_WAITING);
		for (i = 0; i < 200; i++) {
			rf_dev_register_write(&dev, RF_REG_FENCE_NOTIFY, 1);
			rf_dev_run(&dev, 7 + i % 13);
		}
		toggle.on = false;
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_queue_state(&queue), RF_SLOT_STATE_WAITING, "state");
		rf_dev_write(&dev, cv, UINT64_MAX - 1);
		rf_dev_register_write(&dev, RF_REG_FENCE_NOTIFY, 1);
		rf_dev_finish(&queue);
	}
}

/* --- no CPU ------------------------------------------------------------------------------- */

/* Requests to the device behind the ring. */
struct requests {
	uint64_t doorbell; /* bus address */
	bool rung;
	unsigned int count;
};

static void count_requests(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct requests *requests = context;

	(void)device;
	if (tlp->stream != RFSIM_RECEIVE || tlp_is_completion(tlp->header))
		return;
	requests->count += requests->rung;
	requests->rung |= tlp_address(tlp->header) == requests->doorbell;
}

/*
 * A queue of one engine waits, a signal of the other engine releases it. From the
 * ring of the signaller to the waiter's next packet no request reaches the device:
 * no CPU instruction takes part, and no interrupt is raised.
 */
static void release_without_cpu(struct rf_conform *conform)
{
	struct rf_dev_queue waiter, signaler;
	unsigned int placement, waits = 0;
	struct rfsim_bar bar;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	RF_CHECK_EQUAL(conform, rfsim_bar(conform->setup.world.sim, 0, &bar), 0, "BAR 0");
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&signaler, &dev, 1, RF_NODE_COMPUTE, 2, RF_PLACE_LOCAL);
	for (placement = 0; placement < 8; placement++) {
		struct rf_dev_queue *a = placement & 1 ? &signaler : &waiter;
		struct rf_dev_queue *b = placement & 1 ? &waiter : &signaler;
		struct rf_spot cv = rf_dev_alloc(&dev, placement >> 1 & 1, 8, 64);
		struct rf_spot mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		struct rf_spot after = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
		/* 11 releases a waiter for 10 as 10 does (value or greater). */
		uint64_t value = placement & 4 ? 11 : 10;
		struct requests requests = { .doorbell = bar.address + RF_DOORBELL_BASE +
							 b->doorbell * 4096ull };

		rf_dev_write(&dev, mv, NONE);
		rf_dev_wait(a, cv, 10, RF_DEV_NO_LOG);
		rf_dev_write_packet(a, after, 0xaaaa);
		rf_dev_submit(a);
		rf_dev_await_state(a, RF_SLOT_STATE_WAITING);
		rf_dev_signal(b, cv, 9, mv, RF_DEV_NO_LOG);
		rf_dev_submit(b);
		rf_dev_finish(b);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_queue_state(a), RF_SLOT_STATE_WAITING,
			       "state, although 9 is not enough");
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, after), 0, "packet after the wait");

		rf_dev_signal(b, cv, value, mv, RF_DEV_NO_LOG);
		rfsim_tlp_callback(conform->setup.world.sim, count_requests, &requests);
		rf_dev_submit(b);
		rf_dev_await(&dev, after, 0xaaaa); /* looks at host memory only */
		rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
		RF_CHECK(conform, requests.rung, "the doorbell was not rung");
		RF_CHECK_EQUAL(conform, requests.count, 0, "requests of the CPU");
		waits++;
	}
	RF_CHECK_EQUAL(conform, dev.interrupts, 0, "interrupts");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_WAITS_RELEASED), waits, "releases");
}

/* 1000 signals without a waiter, from both engines, to both memories. */
static void unwaited_signals_are_silent(struct rf_conform *conform)
{
	struct rfsim_statistics statistics;
	struct rf_dev_queue queues[2];
	unsigned int sent = 0, i;
	struct rf_spot cv[2], mv;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < 2; i++) {
		rf_dev_queue_open(&queues[i], &dev, i, i ? RF_NODE_COPY : RF_NODE_COMPUTE, 1, i);
		cv[i] = rf_dev_alloc(&dev, i, 8, 64);
	}
	mv = rf_dev_alloc(&dev, dev.shadow ? RF_PLACE_LOCAL : RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, NONE);
	while (sent < 1000) {
		for (i = 0; i < 2; i++) {
			unsigned int count;

			for (count = 0; count < 10; count++)
				rf_dev_signal(&queues[i], cv[i], ++sent, mv, RF_DEV_NO_LOG);
			rf_dev_submit(&queues[i]);
		}
		rf_dev_finish(&queues[0]);
		rf_dev_finish(&queues[1]);
	}
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv[1]), 1000, "CurrentValue");
	rfsim_statistics(conform->setup.world.sim, &statistics);
	RF_CHECK_EQUAL(conform, statistics.transmit.tlps[RFSIM_TLP_MSI], 0, "MSIs");
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_INTERRUPT_PRODUCER), 0, "records");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_SIGNALS), 1000, "signals");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_INTERRUPTS_SUPPRESSED), 1000,
		       "decisions against");
	rf_conform_note(conform, "1000 signals, 0 interrupts");
}

/* A progress fence is one more fence, named by the host, not by the queue. */
static void progress_is_a_signal(struct rf_conform *conform)
{
	struct rf_interrupt_record records[2];
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	uint64_t value;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 5, RF_NODE_COMPUTE, 3, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_queue_progress(&queue, cv, mv);
	rf_dev_write(&dev, mv, 1);
	for (value = 1; value <= 2; value++) {
		rf_dev_packet(&queue, RF_OPCODE_PROGRESS, 0, 0, &value, 1);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), value, "CurrentValue");
		RF_CHECK_EQUAL(conform,
			       rf_dev_register(&dev, RF_REG_SLOT_PROGRESS_VALUE(queue.slot)), value,
			       "PROGRESS_VALUE");
		RF_CHECK_EQUAL(conform, rf_dev_records(&dev, records, 2), value == 2, "records");
	}
	RF_CHECK_EQUAL(conform, records[0].address, rf_dev_address(&dev, 0, cv), "record address");
	RF_CHECK_EQUAL(conform, records[0].vmid, 0, "record address space");
	RF_CHECK_EQUAL(conform, records[0].handle, RF_DEV_HANDLE(5), "record queue");
}

const struct rf_conform_test rf_conform_fence_tests[] = {
	{ "S0-12.interrupt_above_monitored_only", "S0-1 S0-13 S0-14 S0-20", RF_CONFORM_DEV, 0,
	  interrupt_above_monitored_only },
	{ "S0-1.last_value_signaled", "S0-4 S0-20 S0-23 S0-24", RF_CONFORM_DEV, 0,
	  last_value_signaled },
	{ "S0-13.compare_is_unsigned_and_strict", "S0-6 S0-14", RF_CONFORM_DEV, 0,
	  compare_is_unsigned_and_strict },
	{ "S0-9.no_waiter_no_interrupt", "S0-14", RF_CONFORM_DEV, 0, no_waiter_no_interrupt },
	{ "S0-16.monitored_value_advances", "S0-6 S0-9 S0-10 S0-11 S0-12", RF_CONFORM_DEV,
	  RF_CONFORM_SHADOW, monitored_value_advances },
	{ "S0-33.update_stores_reads_compares", "S0-7 S0-10 S0-34", RF_CONFORM_DEV,
	  RF_CONFORM_SHADOW | RF_CONFORM_ROOT_COMPLEX, update_stores_reads_compares },
	{ "S0-72.batch_of_updates", "S0-11 S0-33 S0-34", RF_CONFORM_DEV, RF_CONFORM_SHADOW,
	  batch_of_updates },
	{ "S0-5.current_value_never_torn", NULL, RF_CONFORM_DEV, 0, current_value_never_torn },
	{ "S0-5.monitored_value_never_torn", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  monitored_value_never_torn },
	{ "S0-5.update_never_torn", NULL, RF_CONFORM_DEV, RF_CONFORM_SHADOW, update_never_torn },
	{ "S0-5.wait_never_reads_torn", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  wait_never_reads_torn },
	{ "S0-21.release_without_cpu", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  release_without_cpu },
	{ "S0-22.unwaited_signals_are_silent", "S0-9 S0-14", RF_CONFORM_DEV,
	  RF_CONFORM_ROOT_COMPLEX, unwaited_signals_are_silent },
	{ "S3-47.progress_is_a_signal", "S0-13 S0-14", RF_CONFORM_DEV, 0, progress_is_a_signal },
	{ 0 },
};
