// SPDX-License-Identifier: Apache-2.0
/*
 * Waiting queues on the whole device: no queue misses a release, none is released by
 * a value or a word that is not theirs, and a queue that waits holds nothing up.
 */
#include "dev.h"

#include "../../sim/tlp.h"

#define NONE RF_MONITORED_NONE
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- a wait that begins against a write ----------------------------------------------------- */

/* Reads of one word by the device, and their answers. */
struct word_reads {
	uint64_t address;
	unsigned int reads;
};

static void count_word_reads(void *context, struct rfsim_device *device,
			     const struct rfsim_tlp *tlp)
{
	struct word_reads *word = context;

	(void)device;
	word->reads += tlp->stream == RFSIM_READ && tlp_address(tlp->header) == word->address;
}

struct cpu_signal {
	struct rf_dev *dev;
	struct rf_spot cv;
	uint64_t value;
};

/* A CPU's signal: the value, then the notify behind it. */
static void signal_by_cpu(void *context)
{
	struct cpu_signal *signal = context;

	rf_dev_write(signal->dev, signal->cv, signal->value);
	rf_dev_register_write(signal->dev, RF_REG_FENCE_NOTIFY, 1);
}

static void ring_action(void *queue)
{
	rf_dev_ring_now(queue);
}

/*
 * Reads that are old when they arrive: memory is read with the request, and the
 * answer comes 40 cycles later. A notify meanwhile must make the wait read again.
 */
static void old_answers(struct rf_conform *conform, struct rfsim_config *config)
{
	rfsim_config_init(config);
	config->seed = conform->seed;
	config->port.read_early_percent = 100;
	config->port.read_latency_min = config->port.read_latency_max = 40;
}

static void notify_against_insertion(struct rf_conform *conform)
{
	const unsigned int stretch = rf_conform_stretch(conform);
	unsigned int again = 0, waits = 0, stalled = 0, place, after;
	struct rfsim_world *world;
	struct rfsim_config config;
	struct rf_dev_queue queue;
	struct rf_dev dev;

	old_answers(conform, &config);
	rf_conform_restart(conform, &config);
	world = conform->setup.world.simulation;
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);
		struct word_reads word = { .address = dev.system_bus + cv.offset };

		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
		rfsim_tlp_callback(conform->setup.world.sim, count_word_reads, &word);
		for (after = 0; after < 140 * stretch; after += stretch) {
			struct cpu_signal signal = { &dev, cv, 10 };
			uint64_t start, blocked = rf_dev_counter(&dev, RF_COUNTER_WAITS_BLOCKED);

			rf_dev_write(&dev, cv, 9);
			rf_dev_wait(&queue, cv, 10, RF_DEV_NO_LOG);
			rf_dev_append(&queue);
			rf_dev_flush(&dev);
			word.reads = 0;
			start = rfsim_cycle(world) + 10;
			rfsim_at(world, start, ring_action, &queue);
			rfsim_at(world, start + after, signal_by_cpu, &signal);
			rf_dev_run(&dev, 10 + after);
			rf_dev_finish(&queue);
			stalled += rf_dev_counter(&dev, RF_COUNTER_WAITS_BLOCKED) > blocked;
			again += place == RF_PLACE_SYSTEM && word.reads > 1;
			waits++;
		}
		rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
	}
	RF_CHECK(conform, again > 10 && stalled > 10 && stalled < waits,
		 "the sweep missed: %u read again, %u stalled of %u", again, stalled, waits);
	rf_conform_note(conform, "%u waits, %u notified while they read or after, %u stalled",
			waits, again, stalled);
}

/* A signal of the other engine lands in every cycle around the insertion. */
static void insert_against_signal(struct rf_conform *conform, const struct rfsim_config *config,
				  unsigned int step, unsigned int *waits, unsigned int *stalled)
{
	struct rf_dev_queue waiter, signaler;
	struct rfsim_world *world;
	struct rf_spot mv;
	struct rf_dev dev;
	unsigned int place, after;

	rf_conform_restart(conform, config);
	world = conform->setup.world.simulation;
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	rf_dev_queue_open(&signaler, &dev, 1, RF_NODE_COMPUTE, 2, RF_PLACE_LOCAL);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, NONE);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);

		for (after = 0; after < 160; after += step) {
			uint64_t start, blocked = rf_dev_counter(&dev, RF_COUNTER_WAITS_BLOCKED);

			rf_dev_write(&dev, cv, 9);
			rf_dev_wait(&waiter, cv, 10, RF_DEV_NO_LOG);
			rf_dev_append(&waiter);
			rf_dev_signal(&signaler, cv, 10, mv, RF_DEV_NO_LOG);
			rf_dev_append(&signaler);
			rf_dev_flush(&dev);
			start = rfsim_cycle(world) + 100;
			rfsim_at(world, start, ring_action, &waiter);
			rfsim_at(world, start - 60 + after, ring_action, &signaler);
			rf_dev_run(&dev, 100 + after);
			rf_dev_finish(&waiter);
			rf_dev_finish(&signaler);
			*stalled += rf_dev_counter(&dev, RF_COUNTER_WAITS_BLOCKED) > blocked;
			++*waits;
		}
	}
	rf_dev_close(&dev);
}

static void signal_against_insertion(struct rf_conform *conform)
{
	unsigned int waits = 0, stalled = 0, world;
	struct rfsim_config config;

	old_answers(conform, &config);
	insert_against_signal(conform, &config, 1, &waits, &stalled);
	for (world = 0; world < 4; world++) {
		rfsim_config_random(&config, conform->seed * 100 + world);
		insert_against_signal(conform, &config, 4, &waits, &stalled);
	}
	RF_CHECK(conform, stalled > 20 && waits - stalled > 20, "%u of %u waits stalled", stalled,
		 waits);
	rf_conform_note(conform, "%u waits, %u found it by reading, %u stalled first", waits,
			waits - stalled, stalled);
}

/* --- which word, which value ------------------------------------------------------------------- */

/* CurrentValue >= value, unsigned; each queue passes with exactly its value. */
static void wait_is_unsigned(struct rf_conform *conform)
{
	static const uint64_t edges[] = {
		0,
		1,
		0xffffffff,
		0x100000000,
		0x7fffffffffffffff,
		0x8000000000000000,
		0xc000000000000000,
		UINT64_MAX,
	};
	struct rf_dev_queue waiter, writer;
	struct rf_spot cv;
	struct rf_dev dev;
	unsigned int i, j;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	rf_dev_queue_open(&writer, &dev, 1, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
	cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	for (i = 0; i < COUNT(edges); i++) {
		for (j = 0; j < COUNT(edges); j++) {
			uint64_t blocked = rf_dev_counter(&dev, RF_COUNTER_WAITS_BLOCKED);

			rf_dev_write(&dev, cv, edges[i]);
			rf_dev_flush(&dev);
			rf_dev_wait(&waiter, cv, edges[j], RF_DEV_NO_LOG);
			rf_dev_submit(&waiter);
			if (i < j) {
				rf_dev_await_state(&waiter, RF_SLOT_STATE_WAITING);
				rf_dev_settle(&dev);
				rf_dev_write_packet(&writer, cv, edges[j] - 1);
				rf_dev_submit(&writer);
				rf_dev_finish(&writer);
				rf_dev_settle(&dev);
				RF_CHECK_EQUAL(conform, rf_dev_queue_state(&waiter),
					       RF_SLOT_STATE_WAITING, "state at one less");
				rf_dev_write_packet(&writer, cv, edges[j]);
				rf_dev_submit(&writer);
			}
			rf_dev_finish(&waiter);
			rf_dev_finish(&writer);
			RF_CHECK_EQUAL(conform,
				       rf_dev_counter(&dev, RF_COUNTER_WAITS_BLOCKED) - blocked,
				       i < j, "waits that stalled");
		}
	}
}

/* A fence that two processes share lies at another address in each. */
static void shared_fence_matches_by_place(struct rf_conform *conform)
{
	struct rf_dev_queue waiters[2], signaler;
	struct rf_dev dev;
	unsigned int place, i;
	struct rf_spot mv;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < 2; i++)
		rf_dev_queue_open(&waiters[i], &dev, i, i, 1 + i, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&signaler, &dev, 2, RF_NODE_COPY, 3, RF_PLACE_LOCAL);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, NONE);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);

		RF_CHECK(conform,
			 rf_dev_address(&dev, 1, cv) != rf_dev_address(&dev, 2, cv) &&
				 rf_dev_address(&dev, 2, cv) != rf_dev_address(&dev, 3, cv),
			 "the addresses are the same");
		for (i = 0; i < 2; i++) {
			rf_dev_wait(&waiters[i], cv, 5, RF_DEV_NO_LOG);
			rf_dev_submit(&waiters[i]);
			rf_dev_await_state(&waiters[i], RF_SLOT_STATE_WAITING);
		}
		rf_dev_signal(&signaler, cv, 5, mv, RF_DEV_NO_LOG);
		rf_dev_submit(&signaler);
		for (i = 0; i < 2; i++)
			rf_dev_finish(&waiters[i]);
	}
}

/* From now on @address stands for @spot, once invalidated. */
static void move_page(struct rf_dev *dev, unsigned int vmid, uint64_t address, struct rf_spot spot)
{
	rf_dev_map(dev, vmid, address, rf_dev_physical(dev, spot), RF_DEV_READ_WRITE);
}

/* The same address in two processes is two words: one's signal is not the other's. */
static void same_address_is_not_same_word(struct rf_conform *conform)
{
	struct rf_dev_queue waiter, signaler;
	struct rf_spot cv[2];
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	cv[0] = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	cv[1] = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 2, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&signaler, &dev, 1, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	/* In VMID 2 the first fence's address means the second fence. */
	move_page(&dev, 2, rf_dev_address(&dev, 2, cv[0]), cv[1]);
	move_page(&dev, 1, rf_dev_address(&dev, 2, cv[0]), cv[0]);
	rf_dev_invalidate(&dev, 2);
	rf_dev_invalidate(&dev, 1);

	rf_dev_wait(&waiter, cv[0], 7, RF_DEV_NO_LOG);
	rf_dev_submit(&waiter);
	rf_dev_await_state(&waiter, RF_SLOT_STATE_WAITING);
	signaler.vmid = 2; /* whose addresses the packets carry; the slot is VMID 1 */
	rf_dev_write_packet(&signaler, cv[0], 7);
	signaler.vmid = 1;
	rf_dev_submit(&signaler);
	rf_dev_finish(&signaler);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv[0]), 7, "the signaller's word");
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv[1]), 0, "the waiter's word");
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(&waiter), RF_SLOT_STATE_WAITING, "state");
}

/* Value reached before the wait: it passes without ever waiting. */
static void satisfied_at_once(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct rf_dev dev;
	unsigned int place;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		struct rf_spot cv = rf_dev_alloc(&dev, place, 8, 64);

		rf_dev_queue_open(&queue, &dev, place, RF_NODE_COPY, 1, place);
		rf_dev_write(&dev, cv, 10);
		rf_dev_wait(&queue, cv, 0, RF_DEV_NO_LOG);
		rf_dev_wait(&queue, cv, 9, RF_DEV_NO_LOG);
		rf_dev_wait(&queue, cv, 10, RF_DEV_NO_LOG);
		rf_dev_submit(&queue);
		rf_dev_finish(&queue);
	}
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_WAITS), 6, "waits");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_WAITS_BLOCKED), 0, "stalled");
}

/* Whatever writes the word releases; only signals compare with MonitoredValue. */
static void any_write_releases(struct rf_conform *conform)
{
	static const struct {
		enum rf_opcode opcode;
		enum rf_node node;
		const char *name;
	} writers[] = {
		{ RF_OPCODE_WRITE, RF_NODE_COPY, "WRITE" },
		{ RF_OPCODE_TIMESTAMP, RF_NODE_COMPUTE, "TIMESTAMP" },
		{ RF_OPCODE_COPY, RF_NODE_COPY, "COPY" },
		{ RF_OPCODE_FILL, RF_NODE_COPY, "FILL" },
		{ RF_OPCODE_VECTOR, RF_NODE_COMPUTE, "VECTOR" },
		{ RF_OPCODE_PROGRESS, RF_NODE_COPY, "PROGRESS" },
	};
	struct rf_dev_queue waiter, nodes[2];
	struct rf_spot source, mv;
	struct rf_dev dev;
	unsigned int place, i, j;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	for (i = 0; i < 2; i++)
		rf_dev_queue_open(&nodes[i], &dev, 1 + i, i, 2, RF_PLACE_SYSTEM);
	source = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 256, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	for (i = 0; i < 256; i += 8)
		rf_dev_write(&dev, rf_spot_at(source, i), 0x100000001);
	for (place = RF_PLACE_SYSTEM; place <= RF_PLACE_LOCAL; place++) {
		for (i = 0; i < COUNT(writers); i++) {
			struct rf_dev_queue *writer = &nodes[writers[i].node];
			struct rf_spot around = rf_dev_alloc(&dev, place, 256, 64);
			struct rf_spot cv = rf_spot_at(around, 104);
			uint64_t target = rf_dev_address(&dev, 2, cv);
			uint64_t operands[4] = { target, 0x100000001, 0, 0 };
			unsigned int count = 2;

			if (writers[i].opcode == RF_OPCODE_VECTOR && !dev.vector)
				continue;
			switch (writers[i].opcode) {
			case RF_OPCODE_TIMESTAMP:
				count = 1;
				break;
			case RF_OPCODE_COPY: /* the word in the midst of many */
				operands[0] = rf_dev_address(&dev, 2, around);
				operands[1] = rf_dev_address(&dev, 2, source);
				operands[2] = 256;
				count = 3;
				break;
			case RF_OPCODE_FILL:
				operands[0] = rf_dev_address(&dev, 2, around);
				operands[1] = 256;
				operands[2] = 0x100000001;
				count = 3;
				break;
			case RF_OPCODE_VECTOR: /* x * 1 + 0 over the whole */
				operands[0] = rf_dev_address(&dev, 2, around);
				operands[1] = rf_dev_address(&dev, 2, source);
				operands[2] = 64;
				operands[3] = 1;
				count = 4;
				break;
			case RF_OPCODE_PROGRESS:
				rf_dev_write(&dev, mv, NONE);
				rf_dev_queue_progress(writer, cv, mv);
				operands[0] = 0x100000001;
				count = 1;
				break;
			default:
				break;
			}
			rf_dev_wait(&waiter, cv, 2, RF_DEV_NO_LOG);
			rf_dev_submit(&waiter);
			rf_dev_await_state(&waiter, RF_SLOT_STATE_WAITING);
			rf_dev_packet(writer, writers[i].opcode, 0, 0, operands, count);
			rf_dev_submit(writer);
			rf_dev_finish(writer);
			rf_dev_settle(&dev);
			RF_CHECK(conform, rf_dev_queue_done(&waiter) == waiter.write_pointer,
				 "%s does not release", writers[i].name);
			for (j = 0; j < 256 && count > 2; j += 8)
				RF_CHECK_EQUAL(conform, rf_dev_read(&dev, rf_spot_at(around, j)),
					       0x100000001, writers[i].name);
		}
	}
	RF_CHECK_EQUAL(conform, dev.interrupts, 0, "interrupts");
}

/* --- translation changes -------------------------------------------------------------------------- */

/* After an invalidation the wait is on the word that its address now means. */
static void invalidation_moves_waits(struct rf_conform *conform)
{
	struct rf_dev_queue waiter, other, writer;
	struct rf_spot cv[2], calm;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	cv[0] = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	cv[1] = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	calm = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 2, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&other, &dev, 1, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&writer, &dev, 2, RF_NODE_COMPUTE, 3, RF_PLACE_SYSTEM);
	rf_dev_wait(&other, calm, 1, RF_DEV_NO_LOG);
	rf_dev_submit(&other);

	for (i = 0; i < 2; i++) {
		struct rf_spot before = rf_spot_at(cv[0], 64 * i),
			       after = rf_spot_at(cv[1], 64 * i);
		/* First round: the value is there already. Second: it comes later. */
		uint64_t there = i ? 9 : 10;

		rf_dev_write(&dev, after, there);
		move_page(&dev, 2, rf_dev_address(&dev, 2, before), before);
		rf_dev_invalidate(&dev, 2);
		rf_dev_wait(&waiter, before, 10, RF_DEV_NO_LOG);
		rf_dev_submit(&waiter);
		rf_dev_await_state(&waiter, RF_SLOT_STATE_WAITING);
		rf_dev_settle(&dev);

		move_page(&dev, 2, rf_dev_address(&dev, 2, before), after);
		rf_dev_invalidate(&dev, 2);
		if (i) {
			rf_dev_settle(&dev);
			/* The word it waited on before is another's now. */
			rf_dev_write_packet(&writer, before, 10);
			rf_dev_submit(&writer);
			rf_dev_finish(&writer);
			rf_dev_settle(&dev);
			RF_CHECK_EQUAL(conform, rf_dev_queue_state(&waiter), RF_SLOT_STATE_WAITING,
				       "state after a write to the old word");
			rf_dev_write_packet(&writer, after, 10);
			rf_dev_submit(&writer);
		}
		rf_dev_finish(&waiter);
	}
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(&other), RF_SLOT_STATE_WAITING,
		       "state of the queue of another VMID");
}

/*
 * The page moves while the wait is being inserted, in every cycle of that: with a TLB
 * that knows all other pages, and with one that knows none.
 */
static void invalidation_against_insertion(struct rf_conform *conform)
{
	static const unsigned int cycles[] = { 200, 400 };
	const unsigned int stretch = rf_conform_stretch(conform);
	struct rfsim_config config;
	struct rf_dev_queue waiter;
	struct rf_spot cv[2];
	struct rf_dev dev;
	unsigned int cold, after, inserted[2] = { 0 };
	uint64_t address;

	old_answers(conform, &config);
	rf_conform_restart(conform, &config);
	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	cv[0] = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	cv[1] = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	rf_dev_write(&dev, cv[1], 10);
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 2, RF_PLACE_SYSTEM);
	address = rf_dev_address(&dev, 2, cv[0]);
	rf_dev_warm(&dev, 1, 2, waiter.ring);
	rf_dev_warm(&dev, 1, 2, waiter.commands);
	for (cold = 0; cold < 2; cold++) {
		bool waits = false;

		if (!cold) {
			rf_dev_register_write(&dev, RF_REG_TRANSLATION_INVALIDATE_FIRST, address);
			rf_dev_register_write(&dev, RF_REG_TRANSLATION_INVALIDATE_LAST, address);
		} else {
			rf_dev_register_write(&dev, RF_REG_TRANSLATION_INVALIDATE_FIRST, 0);
			rf_dev_register_write(&dev, RF_REG_TRANSLATION_INVALIDATE_LAST, UINT64_MAX);
		}
		for (after = 0; after < cycles[cold] * stretch; after += stretch) {
			move_page(&dev, 2, address, cv[0]);
			rf_dev_invalidate(&dev, 2);
			rf_dev_wait(&waiter, cv[0], 10, RF_DEV_NO_LOG);
			rf_dev_append(&waiter);
			rf_dev_flush(&dev);
			rf_dev_ring(&waiter);
			rf_dev_run(&dev, after);
			waits = rf_dev_register(&dev, RF_REG_FENCE_WAITING) & 1;
			RF_CHECK(conform, after || !waits, "it waits at once");
			move_page(&dev, 2, address, cv[1]);
			rf_dev_invalidate(&dev, 2);
			rf_dev_finish(&waiter);
			if (!waits)
				inserted[cold] = after + 1;
		}
		RF_CHECK(conform, waits, "it does not wait %u cycles after the ring", after);
	}
	rf_conform_note(conform, "the wait stands after %u cycles, %u with a cold TLB", inserted[0],
			inserted[1]);
}

/* --- many ---------------------------------------------------------------------------------------------- */

/*
 * Fifteen queues wait for fifteen values of one fence, on both nodes; the sixteenth,
 * which shares a node with half of them, signals one value after the other. Each
 * passes with its value, none before.
 */
static void waiters_pass_in_order_of_values(struct rf_conform *conform)
{
	struct rf_dev_queue queues[16];
	struct rf_spot cv, mv;
	struct rf_dev dev;
	unsigned int i, last, value;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	last = dev.slots - 1;
	cv = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, NONE);
	for (i = 0; i <= last; i++) {
		rf_dev_queue_open(&queues[i], &dev, i, i & 1, 1 + i % 3, RF_PLACE_SYSTEM);
		/* Queues may share a doorbell: the last one bound rings. */
		if (i == last)
			break;
		rf_dev_wait(&queues[i], cv, last - i, RF_DEV_NO_LOG);
		rf_dev_submit(&queues[i]);
		rf_dev_await_state(&queues[i], RF_SLOT_STATE_WAITING);
	}
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_FENCE_WAITING), (1u << last) - 1,
		       "waiting");
	for (value = 1; value <= last; value++) {
		rf_dev_signal(&queues[last], cv, value, mv, RF_DEV_NO_LOG);
		rf_dev_submit(&queues[last]);
		rf_dev_finish(&queues[last]);
		rf_dev_settle(&dev);
		/* Slot last - value has just passed, and those behind it did before. */
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_FENCE_WAITING),
			       (1u << (last - value)) - 1, "waiting");
	}
}

/* All slots wait, and the CPU signals: one notify is for all. */
static void notify_is_for_all(struct rf_conform *conform)
{
	struct rf_dev_queue queues[16];
	struct rf_spot cv[2];
	struct rf_dev dev;
	unsigned int i, half;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	half = (1u << dev.slots / 2) - 1; /* of the bits of WAITING */
	cv[0] = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	cv[1] = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	for (i = 0; i < dev.slots; i++) {
		rf_dev_queue_open(&queues[i], &dev, i, i & 1, 1 + i % 3, RF_PLACE_SYSTEM);
		rf_dev_wait(&queues[i], cv[i / (dev.slots / 2)], 3, RF_DEV_NO_LOG);
		rf_dev_submit(&queues[i]);
		rf_dev_await_state(&queues[i], RF_SLOT_STATE_WAITING);
	}
	rf_dev_write(&dev, cv[0], 3);
	rf_dev_register_write(&dev, RF_REG_FENCE_NOTIFY, 1);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_FENCE_WAITING), half << dev.slots / 2,
		       "waiting");
	rf_dev_write(&dev, cv[1], 4);
	rf_dev_register_write(&dev, RF_REG_FENCE_NOTIFY, 1);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_FENCE_WAITING), 0, "waiting");
	for (i = 0; i < dev.slots; i++)
		RF_CHECK_EQUAL(conform, rf_dev_queue_done(&queues[i]), 1, "entries completed");
}

/* A wait that is given up: a later signal runs nothing, the word is free. */
static void cancelled_wait_stays_quiet(struct rf_conform *conform)
{
	struct rf_dev_queue waiter, writer;
	struct rf_spot cv, after;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	after = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_queue_open(&waiter, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&writer, &dev, 1, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_wait(&waiter, cv, 1, RF_DEV_NO_LOG);
	rf_dev_write_packet(&waiter, after, 1);
	rf_dev_submit(&waiter);
	rf_dev_await_state(&waiter, RF_SLOT_STATE_WAITING);
	rf_dev_queue_close(&waiter);
	rf_dev_write_packet(&writer, cv, 1);
	rf_dev_submit(&writer);
	rf_dev_finish(&writer);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_queue_state(&waiter), RF_SLOT_STATE_DISABLED, "state");
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, after), 0, "packet after the wait");
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_FENCE_WAITING), 0, "waiting");
}

#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_wait_tests[] = {
	{ "S0-21.notify_against_insertion", NULL, RF_CONFORM_DEV, SIM, notify_against_insertion },
	{ "S0-21.signal_against_insertion", NULL, RF_CONFORM_DEV, SIM, signal_against_insertion },
	{ "S0-21.wait_is_unsigned", NULL, RF_CONFORM_DEV, 0, wait_is_unsigned },
	{ "S0-21.shared_fence_matches_by_place", NULL, RF_CONFORM_DEV, 0,
	  shared_fence_matches_by_place },
	{ "S0-21.same_address_is_not_same_word", NULL, RF_CONFORM_DEV, 0,
	  same_address_is_not_same_word },
	{ "S0-21.satisfied_at_once", NULL, RF_CONFORM_DEV, 0, satisfied_at_once },
	{ "S0-21.any_write_releases", NULL, RF_CONFORM_DEV, 0, any_write_releases },
	{ "S0-21.invalidation_moves_waits", NULL, RF_CONFORM_DEV, 0, invalidation_moves_waits },
	{ "S0-21.invalidation_against_insertion", NULL, RF_CONFORM_DEV, SIM,
	  invalidation_against_insertion },
	{ "S0-21.waiters_pass_in_order_of_values", NULL, RF_CONFORM_DEV, 0,
	  waiters_pass_in_order_of_values },
	{ "S0-21.notify_is_for_all", NULL, RF_CONFORM_DEV, 0, notify_is_for_all },
	{ "S0-21.cancelled_wait_stays_quiet", NULL, RF_CONFORM_DEV, 0, cancelled_wait_stays_quiet },
	{ 0 },
};
