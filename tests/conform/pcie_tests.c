// SPDX-License-Identifier: Apache-2.0
/* The device as a PCI Express function: errors on the bus, and how they are reported. */
#include "victim.h"

#include <errno.h>
#include <string.h>

#include "../../sim/tlp.h"
#include "rf_bus.h"

#define COMMAND 0x04
#define COMMAND_MEMORY 0x2u
#define COMMAND_MASTER 0x4u
#define BAR(i) (0x10 + 4 * (i))
#define BAR_WIDE 0x4u
#define BAR_PREFETCHABLE 0x8u
#define CAPABILITY_EXPRESS 0x10
#define DEVICE_CONTROL 0x08
#define DEVICE_CONTROL_RESET 0x8000u
#define DEVICE_CONTROL_REPORT 0x9u /* correctable errors, unsupported requests */
#define CAPABILITY_POWER 0x01
#define POWER_CONTROL 0x04
#define POWER_STATE 0x3u
#define POWER_D3HOT 0x3u
#define CAPABILITY_MSIX 0x11
#define MSIX_CONTROL 0x02
#define MSIX_ENABLE 0x8000u
#define MSIX_FUNCTION_MASK 0x4000u
#define RESET_CYCLES 64 /* more than a function-level reset takes */

static struct rfsim_device *sim(struct rf_dev *dev)
{
	return dev->conform->setup.world.sim;
}

static uint32_t config(struct rf_dev *dev, unsigned int offset, unsigned int bytes)
{
	uint32_t value = 0;

	RF_CHECK_EQUAL(dev->conform, rfsim_config_read(sim(dev), offset, bytes, &value), 0,
		       "configuration read");
	return value;
}

static void config_write(struct rf_dev *dev, unsigned int offset, unsigned int bytes,
			 uint32_t value)
{
	RF_CHECK_EQUAL(dev->conform, rfsim_config_write(sim(dev), offset, bytes, value), 0,
		       "configuration write");
}

/* --- base address registers ------------------------------------------------------------- */

static uint64_t bar_mask(struct rf_dev *dev, unsigned int index, uint32_t *kind)
{
	uint32_t low = config(dev, BAR(index), 4), high = ~0u, low_mask, high_mask = ~0u;

	config_write(dev, BAR(index), 4, ~0u);
	low_mask = config(dev, BAR(index), 4);
	config_write(dev, BAR(index), 4, low);
	if (low & BAR_WIDE) {
		high = config(dev, BAR(index + 1), 4);
		config_write(dev, BAR(index + 1), 4, ~0u);
		high_mask = config(dev, BAR(index + 1), 4);
		config_write(dev, BAR(index + 1), 4, high);
	}
	*kind = low_mask & 0xf;
	return (uint64_t)high_mask << 32 | (low_mask & ~0xfu);
}

static void bar_sizing(struct rf_conform *conform)
{
	struct rf_dev dev;
	uint64_t value;
	uint32_t kind, low;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	config_write(&dev, COMMAND, 2, COMMAND_MASTER);
	RF_CHECK_EQUAL(conform, -bar_mask(&dev, 0, &kind), RF_BAR0_BYTES, "size of BAR 0");
	RF_CHECK_EQUAL(conform, kind, BAR_WIDE, "kind of BAR 0");
	RF_CHECK_EQUAL(conform, -bar_mask(&dev, 2, &kind), dev.local_bytes, "size of BAR 2");
	RF_CHECK_EQUAL(conform, kind, BAR_WIDE | BAR_PREFETCHABLE, "kind of BAR 2");
	RF_CHECK_EQUAL(conform, (uint32_t)-bar_mask(&dev, 4, &kind), RF_BAR4_BYTES,
		       "size of BAR 4");
	RF_CHECK_EQUAL(conform, kind, 0, "kind of BAR 4");
	config_write(&dev, BAR(5), 4, ~0u);
	RF_CHECK_EQUAL(conform, config(&dev, BAR(5), 4), 0, "BAR 5 does not exist");

	/* memory space off: nothing answers, and a write changes nothing */
	value = 0x1234;
	rfsim_bar_write(sim(&dev), 0, RF_REG_DEVICE_SCRATCH, &value, 8);
	RF_CHECK_EQUAL(conform, -rfsim_bar_read(sim(&dev), 0, RF_REG_DEVICE_SCRATCH, &value, 8),
		       EIO, "a read without memory space");
	config_write(&dev, COMMAND, 2, COMMAND_MASTER | COMMAND_MEMORY);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_SCRATCH), 0,
		       "a write without memory space");

	/* moved away, it no longer answers here; moved back, it does */
	low = config(&dev, BAR(0), 4);
	config_write(&dev, BAR(0), 4, low ^ 0x40000000u);
	RF_CHECK_EQUAL(conform, -rfsim_bar_read(sim(&dev), 0, RF_REG_DEVICE_SCRATCH, &value, 8),
		       EIO, "a read where BAR 0 was");
	config_write(&dev, BAR(0), 4, low);
	rf_dev_register_write(&dev, RF_REG_DEVICE_SCRATCH, 0x5678);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_SCRATCH), 0x5678,
		       "BAR 0 moved back");
	rf_dev_close(&dev);
}

/* --- function-level reset ----------------------------------------------------------------- */

static void function_reset(struct rf_dev *dev)
{
	unsigned int express = rfsim_config_find(sim(dev), CAPABILITY_EXPRESS);

	config_write(dev, express + DEVICE_CONTROL, 2,
		     config(dev, express + DEVICE_CONTROL, 2) | DEVICE_CONTROL_RESET);
	rfsim_step(dev->conform->setup.world.simulation, RESET_CYCLES);
}

/* In the middle of a copy, with a queue waiting, a queue in error and records pending. */
static void reset_everything(struct rf_conform *conform)
{
	static const uint64_t zero_registers[] = {
		RF_REG_DEVICE_CORRELATION,
		RF_REG_DEVICE_SCRATCH,
		RF_REG_DOORBELL_RINGS,
		RF_REG_DOORBELL_RINGS_UNMAPPED,
		RF_REG_SLOT_POINTERS(0),
		RF_REG_SLOT_WRITE_POINTER(0),
		RF_REG_SLOT_STATUS(0),
		RF_REG_SLOT_STATUS(1),
		RF_REG_SLOT_STATUS(2),
		RF_REG_FENCE_UPDATE_DONE,
		RF_REG_FENCE_WAITING,
		RF_REG_INTERRUPT_CONTROL,
		RF_REG_INTERRUPT_PRODUCER,
		RF_REG_INTERRUPT_CONSUMER,
		RF_REG_INTERRUPT_OVERFLOW,
		RF_REG_NODE_STATUS(1),
		RF_REG_NODE_RETIRED(0),
		RF_REG_NODE_RETIRED(1),
		RF_REG_COUNTER_VALUE(RF_COUNTER_RINGS),
		RF_REG_COUNTER_VALUE(RF_COUNTER_SIGNALS),
		RF_REG_COUNTER_VALUE(RF_COUNTER_TX_MSIX_TLPS),
	};
	const uint32_t bytes = 64 << 10;
	struct rf_dev_queue copy, waiter, wrong;
	struct rf_neighbour after;
	uint64_t cycle, operands[3];
	struct rf_dev dev, again;
	unsigned int i, msix;
	struct rf_spot from, cv;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	from = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, bytes, 4096);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_queue_open(&copy, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&waiter, &dev, 1, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&wrong, &dev, 2, RF_NODE_COMPUTE, 1, RF_PLACE_SYSTEM);
	rf_dev_register_write(&dev, RF_REG_DEVICE_SCRATCH, 1);
	rf_dev_register_write(&dev, RF_REG_DEVICE_CORRELATION, 1);
	rf_dev_register_write(&dev, RF_REG_DEVICE_COMPLETION_TIMEOUT, 77777);
	rf_dev_wait(&waiter, cv, 1, RF_DEV_NO_LOG);
	rf_dev_submit(&waiter);
	rf_dev_packet(&wrong, (enum rf_opcode)0xff, 0, 0, NULL, 0);
	rf_dev_submit(&wrong);
	rf_dev_await_state(&waiter, RF_SLOT_STATE_WAITING);
	rf_dev_await_state(&wrong, RF_SLOT_STATE_ERROR);
	operands[0] = rf_dev_address(&dev, 1, rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 4096));
	operands[1] = rf_dev_address(&dev, 1, from);
	operands[2] = bytes;
	rf_dev_packet(&copy, RF_OPCODE_COPY, 0, 0, operands, 3);
	rf_dev_submit(&copy);
	do
		rf_dev_run(&dev, 16);
	while (!rf_dev_register(&dev, RF_REG_NODE_PROGRESS(RF_NODE_COPY)));
	RF_CHECK_EQUAL(conform, rf_dev_queue_done(&copy), 0, "the copy is still under way");

	function_reset(&dev);
	RF_CHECK_EQUAL(conform, config(&dev, COMMAND, 2), 0, "COMMAND after the reset");
	for (i = 0; i < 6; i++)
		RF_CHECK_EQUAL(conform, config(&dev, BAR(i), 4) & ~0xfu, 0, "BAR after the reset");
	msix = rfsim_config_find(sim(&dev), CAPABILITY_MSIX);
	RF_CHECK_EQUAL(conform, config(&dev, msix + MSIX_CONTROL, 2) & MSIX_ENABLE, 0,
		       "MSI-X enable after the reset");
	RF_CHECK_EQUAL(conform, rfsim_enumerate(sim(&dev)), 0, "enumeration after the reset");
	cycle = rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP);
	RF_CHECK(conform, cycle < 20000, "the timestamp goes on at %llu",
		 (unsigned long long)cycle);
	for (i = 0; i < RF_COUNT(zero_registers); i++)
		if (rf_dev_register(&dev, zero_registers[i]))
			rf_conform_fail(conform, __FILE__, __LINE__, "register 0x%llx is kept",
					(unsigned long long)zero_registers[i]);
	for (i = 0; i < 3; i++)
		RF_CHECK_EQUAL(conform,
			       rf_dev_register(&dev, RF_REG_DOORBELL_BIND(i)) &
				       ~RF_DOORBELL_BIND_HANDLE_MASK,
			       0, "binding of a doorbell");
	for (i = 0; i < RF_DEV_VMIDS; i++)
		RF_CHECK(conform,
			 !(rf_dev_register(&dev, RF_REG_TRANSLATION_ROOT(i)) &
			   RF_TRANSLATION_ROOT_VALID_MASK),
			 "the page table of VMID %u is kept", i);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_COMPLETION_TIMEOUT), 0x100000,
		       "COMPLETION_TIMEOUT after the reset");

	/* and it works again */
	RF_CHECK(conform, rfsim_msix_enable(sim(&dev)) > 0, "MSI-X again");
	dev.bus->ops->free_interrupt(dev.bus, 0);
	rf_dev_open(&again, conform, RF_PLACE_SYSTEM);
	rf_neighbour_open(&after, &again, 0, RF_NODE_COPY, RF_PLACE_SYSTEM);
	for (i = 0; i < 20; i++) {
		rf_neighbour_work(&after);
		rf_neighbour_check(&after);
	}
	rf_dev_settle(&again);
	RF_CHECK_EQUAL(conform, again.interrupts, 0, "an interrupt of before the reset");
	rf_dev_close(&again);
}

/* Whenever the reset comes: nothing sent is cut, nothing old comes back. */
static void reset_at_any_time(struct rf_conform *conform)
{
	unsigned int round, i;

	for (round = 0; round < 24; round++) {
		struct rf_neighbour one, two;
		struct rf_dev dev, again;
		uint64_t operands[3];

		rf_conform_restart(conform, NULL);
		rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
		rf_neighbour_open(&one, &dev, 0, RF_NODE_COPY, RF_PLACE_SYSTEM);
		rf_neighbour_open(&two, &dev, 1, RF_NODE_COMPUTE, RF_PLACE_LOCAL);
		for (i = 0; i < 4; i++) {
			operands[0] = rf_dev_address(&dev, 2, one.cells);
			operands[1] = 64;
			operands[2] = i;
			rf_dev_packet(&one.queue, RF_OPCODE_FILL, 0, 0, operands, 3);
			rf_neighbour_work(&one);
			rf_neighbour_work(&two);
		}
		rf_dev_run(&dev, rf_conform_random(conform, 500));
		function_reset(&dev);
		RF_CHECK_EQUAL(conform, rfsim_enumerate(sim(&dev)), 0, "enumeration");
		RF_CHECK(conform, rfsim_msix_enable(sim(&dev)) > 0, "MSI-X again");
		dev.bus->ops->free_interrupt(dev.bus, 0);
		rf_dev_open(&again, conform, RF_PLACE_LOCAL);
		rf_neighbour_open(&one, &again, 0, RF_NODE_COPY, RF_PLACE_SYSTEM);
		rf_neighbour_work(&one);
		rf_neighbour_check(&one);
		rf_dev_close(&again);
	}
	rf_conform_note(conform, "%u resets", round);
}

/* --- bus mastering ------------------------------------------------------------------------- */

static void bus_master_disabled(struct rf_conform *conform)
{
	struct rf_neighbour neighbour;
	struct rf_dev_queue queue;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_LOCAL);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 1, RF_NODE_COPY, RF_PLACE_LOCAL);
	/* Page tables lie in system memory: the TLB has to know what is used here. */
	rf_neighbour_work(&neighbour);
	rf_neighbour_check(&neighbour);
	rf_dev_warm(&dev, 2, 0, dev.interrupt_ring);
	rf_dev_warm(&dev, 2, 1, queue.ring);
	rf_dev_packet(&queue, RF_OPCODE_NOP, 0, 0, NULL, 0);
	rf_dev_append(&queue);

	config_write(&dev, COMMAND, 2, COMMAND_MEMORY);
	rf_neighbour_work(&neighbour);
	rf_dev_ring(&queue);
	rf_victim_stopped(&queue, RF_QUEUE_ERROR_BUS_MASTER_DISABLED,
			  rf_dev_address(&dev, 1, queue.ring), false);
	rf_neighbour_work(&neighbour);
	rf_neighbour_check(&neighbour);
	RF_CHECK_EQUAL(conform, dev.interrupts, 0, "an interrupt without bus mastering");

	/* the interrupt was kept; the queue starts again where it was */
	config_write(&dev, COMMAND, 2, COMMAND_MEMORY | COMMAND_MASTER);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts when bus mastering is back");
	rf_dev_queue_close(&queue);
	rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_ENABLE_MASK);
	rf_dev_finish(&queue);
	rf_dev_close(&dev);
}

/* A store that bus mastering swallows is an error of the queue that made it. */
static void bus_master_disabled_store(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct rf_spot target;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_LOCAL);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
	target = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 8);
	rf_dev_warm(&dev, 1, 0, dev.interrupt_ring);
	rf_dev_warm(&dev, 1, 1, target);
	rf_dev_warm(&dev, 1, 1, queue.ring);
	rf_dev_warm(&dev, 1, 1, queue.commands);
	config_write(&dev, COMMAND, 2, COMMAND_MEMORY);
	rf_dev_write_packet(&queue, target, 7);
	rf_dev_submit(&queue);
	rf_victim_stopped(&queue, RF_QUEUE_ERROR_BUS_MASTER_DISABLED,
			  rf_dev_address(&dev, 1, target), true);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, target), 0, "the store");
	rf_dev_close(&dev);
}

/* --- power ----------------------------------------------------------------------------------- */

/*
 * D3hot for longer than a link waits before it goes to L1: configuration space is there, nothing else
 * is, an error is reported, and in D0 all is as before.
 */
static void d3hot_and_back(struct rf_conform *conform)
{
	struct rfsim_statistics before, after;
	struct rf_neighbour neighbour;
	unsigned int power, express, i;
	uint64_t value, awake, cycles;
	struct rfsim_world *world = conform->setup.world.simulation;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 0, RF_NODE_COPY, RF_PLACE_SYSTEM);
	power = rfsim_config_find(sim(&dev), CAPABILITY_POWER) + POWER_CONTROL;
	express = rfsim_config_find(sim(&dev), CAPABILITY_EXPRESS);
	config_write(&dev, express + DEVICE_CONTROL, 2,
		     config(&dev, express + DEVICE_CONTROL, 2) | DEVICE_CONTROL_REPORT);
	for (i = 0; i < 8; i++) {
		rf_neighbour_work(&neighbour);
		rf_neighbour_check(&neighbour);
		rf_dev_register_write(&dev, RF_REG_DEVICE_SCRATCH, i + 1);
		rf_dev_settle(&dev);
		awake = rfsim_cycle(world);
		config(&dev, power, 2);
		awake = rfsim_cycle(world) - awake;
		config_write(&dev, power, 2, POWER_D3HOT);
		rfsim_step(world, i ? rf_conform_random(conform, 8000) : 4000);
		cycles = rfsim_cycle(world);
		RF_CHECK_EQUAL(conform, config(&dev, power, 2) & POWER_STATE, POWER_D3HOT,
			       "power state");
		cycles = rfsim_cycle(world) - cycles;
		/* Recovery takes longer than an access. */
		RF_CHECK(conform, i || rf_conform_clock(conform) == 1 || cycles > 2 * awake,
			 "the link was not in L1: an access took %llu cycles, %llu in D0",
			 (unsigned long long)cycles, (unsigned long long)awake);
		rfsim_step(world, rf_conform_random(conform, 8000));
		rfsim_statistics(sim(&dev), &before);
		RF_CHECK_EQUAL(conform,
			       -rfsim_bar_read(sim(&dev), 0, RF_REG_DEVICE_SCRATCH, &value, 8), EIO,
			       "a read in D3hot");
		rf_dev_settle(&dev);
		rfsim_statistics(sim(&dev), &after);
		RF_CHECK_EQUAL(conform,
			       after.errors[RFSIM_ERROR_CORRECTABLE] -
				       before.errors[RFSIM_ERROR_CORRECTABLE],
			       1, "ERR_COR in D3hot");
		rfsim_step(world, rf_conform_random(conform, 8000));
		config_write(&dev, power, 2, 0);
		RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_SCRATCH), i + 1,
			       "SCRATCH");
	}
	rf_neighbour_work(&neighbour);
	rf_neighbour_check(&neighbour);
	rf_dev_close(&dev);
}

/* --- reads that fail --------------------------------------------------------------------------- */

/* What is read, by what; each leaves the spot that is read. */
struct failing_read {
	const char *name;
	enum rf_node node;
	struct rf_spot (*prepare)(struct rf_dev_queue *queue);
};

static struct rf_spot fail_ring(struct rf_dev_queue *queue)
{
	rf_dev_packet(queue, RF_OPCODE_NOP, 0, 0, NULL, 0);
	return queue->ring;
}

static struct rf_spot fail_command(struct rf_dev_queue *queue)
{
	rf_dev_packet(queue, RF_OPCODE_NOP, 0, 0, NULL, 0);
	return queue->commands;
}

static struct rf_spot fail_wait(struct rf_dev_queue *queue)
{
	struct rf_spot cv = rf_dev_alloc(queue->dev, RF_PLACE_SYSTEM, 8, 8);

	rf_dev_wait(queue, cv, 1, RF_DEV_NO_LOG);
	return cv;
}

static struct rf_spot fail_monitored(struct rf_dev_queue *queue)
{
	struct rf_spot cv = rf_dev_alloc(queue->dev, RF_PLACE_LOCAL, 8, 8);
	struct rf_spot mv = rf_dev_alloc(queue->dev, RF_PLACE_SYSTEM, 8, 8);

	rf_dev_write(queue->dev, mv, RF_MONITORED_NONE);
	rf_dev_signal(queue, cv, 5, mv, RF_DEV_NO_LOG);
	return mv;
}

static struct rf_spot fail_copy(struct rf_dev_queue *queue)
{
	struct rf_spot from = rf_dev_alloc(queue->dev, RF_PLACE_SYSTEM, 256, 256);
	struct rf_spot to = rf_dev_alloc(queue->dev, RF_PLACE_LOCAL, 256, 256);
	const uint64_t operands[] = { rf_dev_address(queue->dev, queue->vmid, to),
				      rf_dev_address(queue->dev, queue->vmid, from), 256 };

	rf_dev_packet(queue, RF_OPCODE_COPY, 0, 0, operands, 3);
	return from;
}

static struct rf_spot fail_vector(struct rf_dev_queue *queue, bool y)
{
	struct rf_spot in[2] = { rf_dev_alloc(queue->dev, RF_PLACE_SYSTEM, 256, 256),
				 rf_dev_alloc(queue->dev, RF_PLACE_SYSTEM, 256, 256) };
	struct rf_spot out = rf_dev_alloc(queue->dev, RF_PLACE_LOCAL, 256, 256);
	const uint64_t operands[] = { rf_dev_address(queue->dev, queue->vmid, out),
				      rf_dev_address(queue->dev, queue->vmid, in[0]), 64,
				      rf_dev_address(queue->dev, queue->vmid, in[1]) };

	rf_dev_packet(queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_ADD, operands, 4);
	return in[y];
}

static struct rf_spot fail_x(struct rf_dev_queue *queue)
{
	return fail_vector(queue, false);
}

static struct rf_spot fail_y(struct rf_dev_queue *queue)
{
	return fail_vector(queue, true);
}

static const struct failing_read failing_reads[] = {
	{ "ring", RF_NODE_COPY, fail_ring },	    { "command", RF_NODE_COPY, fail_command },
	{ "wait", RF_NODE_COMPUTE, fail_wait },	    { "monitored", RF_NODE_COPY, fail_monitored },
	{ "copy source", RF_NODE_COPY, fail_copy }, { "vector x", RF_NODE_COMPUTE, fail_x },
	{ "vector y", RF_NODE_COMPUTE, fail_y },
};

/* If MonitoredValue cannot be read, the fence is reported as signalled. */
static void expect_signaled(struct rf_dev_queue *queue)
{
	struct rf_interrupt_record record;

	rf_dev_await_state(queue, RF_SLOT_STATE_ERROR);
	rf_dev_settle(queue->dev);
	RF_CHECK(queue->dev->conform, rf_dev_record(queue->dev, &record), "no record");
	RF_CHECK_EQUAL(queue->dev->conform, record.kind, RF_RECORD_KIND_FENCE_SIGNALED,
		       "record kind");
	RF_CHECK_EQUAL(queue->dev->conform, record.value, 5, "record value");
}

/* Each kind of read of a queue, failing in this way, stops that queue and no other. */
static void failed_reads(struct rf_conform *conform, enum rfsim_fault_kind kind,
			 enum rf_queue_error error)
{
	/* Shorter than a serial line takes, so only for reads without a completion. */
	const uint32_t timeout = kind == RFSIM_FAULT_SILENCE ? 3000 : 0;
	struct rf_neighbour same, other;
	unsigned int i, failed = 0;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	if (timeout)
		rf_dev_register_write(&dev, RF_REG_DEVICE_COMPLETION_TIMEOUT, timeout);
	rf_neighbour_open(&same, &dev, 6, RF_NODE_COPY, RF_PLACE_SYSTEM);
	rf_neighbour_open(&other, &dev, 7, RF_NODE_COMPUTE, RF_PLACE_SYSTEM);
	for (i = 0; i < RF_COUNT(failing_reads); i++) {
		const struct failing_read *read = &failing_reads[i];
		struct rfsim_fault fault = { .kind = kind };
		struct rf_dev_queue queue;
		struct rf_spot spot;

		if (!dev.vector && (read->prepare == fail_x || read->prepare == fail_y))
			continue;
		rf_dev_queue_open(&queue, &dev, i % 6, read->node, 1, RF_PLACE_SYSTEM);
		spot = read->prepare(&queue);
		fault.first = dev.system_bus + spot.offset;
		fault.last = fault.first + 7;
		rfsim_fault_add(sim(&dev), &fault);
		rf_neighbour_work(&same);
		rf_dev_submit(&queue);
		rf_neighbour_work(&other);
		if (read->prepare == fail_monitored)
			expect_signaled(&queue);
		rf_victim_stopped(&queue, error, rf_dev_address(&dev, 1, spot), false);
		failed++;
		RF_CHECK(conform, rfsim_fault_hits(sim(&dev)) >= failed, "%s: never read",
			 read->name);
		RF_CHECK_EQUAL(conform, rf_dev_queue_done(&queue), read->prepare == fail_monitored,
			       read->name);
		rf_neighbour_work(&same);
		rf_neighbour_work(&other);
		rf_neighbour_check(&same);
		rf_neighbour_check(&other);
		rfsim_fault_clear(sim(&dev));

		/* the same queue, started anew, does the same work */
		rf_dev_queue_close(&queue);
		rf_dev_run(&dev, 2 * timeout);
		rf_dev_write(&dev, spot, rf_dev_read(&dev, spot) | (read->prepare == fail_wait));
		rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(queue.slot),
				      RF_SLOT_CONTROL_ENABLE_MASK);
		rf_dev_finish(&queue);
		rf_dev_queue_close(&queue);
	}
	if (kind == RFSIM_FAULT_SILENCE)
		RF_CHECK(conform, rf_dev_counter(&dev, RF_COUNTER_COMPLETION_TIMEOUTS) >= failed,
			 "time-outs are not counted");
	rf_dev_close(&dev);
}

static void read_unsupported(struct rf_conform *conform)
{
	failed_reads(conform, RFSIM_FAULT_UNSUPPORTED, RF_QUEUE_ERROR_UNSUPPORTED_REQUEST);
}

static void read_aborted(struct rf_conform *conform)
{
	failed_reads(conform, RFSIM_FAULT_ABORT, RF_QUEUE_ERROR_COMPLETER_ABORT);
}

static void read_poisoned(struct rf_conform *conform)
{
	failed_reads(conform, RFSIM_FAULT_POISONED, RF_QUEUE_ERROR_POISONED);
}

static void read_timeout(struct rf_conform *conform)
{
	failed_reads(conform, RFSIM_FAULT_SILENCE, RF_QUEUE_ERROR_COMPLETION_TIMEOUT);
}

/* --- what is received ------------------------------------------------------------------------ */

/* Stores by BAR 2 and the ring behind them: the device fetches what was stored. */
static void ring_behind_local_write(struct rf_conform *conform)
{
	struct rf_dev_queue queue;
	struct rf_spot cell;
	struct rf_dev dev;
	uint64_t i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
	cell = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 8);
	for (i = 1; i <= 300; i++) {
		rf_dev_write_packet(&queue, cell, i);
		rf_dev_submit(&queue);
		rf_dev_run(&dev, rf_conform_random(conform, 60));
		rf_dev_finish(&queue);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cell), i, "what the last buffer wrote");
	}
	rf_dev_close(&dev);
}

/* Each kind of TLP that is not for a device, counted and without effect. */
static void strange_tlps(struct rf_conform *conform)
{
	uint32_t header[4], payload[2] = { 0x55, 0 };
	struct rf_neighbour neighbour;
	uint64_t counts[3], address;
	struct rfsim_bar bar;
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 0, RF_NODE_COPY, RF_PLACE_SYSTEM);
	RF_CHECK_EQUAL(conform, rfsim_bar(sim(&dev), 0, &bar), 0, "BAR 0");
	for (i = 0; i < 3; i++)
		counts[i] = rf_dev_counter(&dev, RF_COUNTER_RX_MALFORMED_TLPS + i);
	address = bar.address + RF_REG_DEVICE_SCRATCH;

	/* malformed: payload longer than said; no type; crosses a page; not what the link dropped */
	tlp_memory_request(header, true, 0x100, 0, address, 1, 0xf, 0);
	rfsim_tlp_send(sim(&dev), header, payload, 2, false);
	tlp_memory_request(header, true, 0x100, 0, address, 2, 0xf, 0xf);
	rfsim_tlp_send(sim(&dev), header, payload, 2, true);
	header[0] |= 0x1bu << 24;
	rfsim_tlp_send(sim(&dev), header, payload, 2, false);
	tlp_memory_request(header, true, 0x100, 0, bar.address + 0xffc, 2, 0xf, 0xf);
	rfsim_tlp_send(sim(&dev), header, payload, 2, false);
	/* unsupported: a write to nowhere, a poisoned write */
	tlp_memory_request(header, true, 0x100, 0, 0x700000000000ull, 2, 0xf, 0xf);
	rfsim_tlp_send(sim(&dev), header, payload, 2, false);
	tlp_memory_request(header, true, 0x100, 0, address, 2, 0xf, 0xf);
	header[0] |= TLP_DW0_POISONED;
	rfsim_tlp_send(sim(&dev), header, payload, 2, false);
	/* unexpected: a completion for an unused tag, one for another requester */
	tlp_completion(header, 0, TLP_STATUS_SUCCESS, 8, 0, 15, 0, 2);
	rfsim_tlp_send(sim(&dev), header, payload, 2, false);
	tlp_completion(header, 0, TLP_STATUS_ABORT, 8, 0x4444, 3, 0, 0);
	rfsim_tlp_send(sim(&dev), header, NULL, 0, false);

	rf_neighbour_work(&neighbour);
	rf_neighbour_check(&neighbour);
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_RX_MALFORMED_TLPS) - counts[0], 3,
		       "malformed TLPs");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_RX_UNSUPPORTED_TLPS) - counts[1], 2,
		       "unsupported TLPs");
	RF_CHECK_EQUAL(conform,
		       rf_dev_counter(&dev, RF_COUNTER_RX_UNEXPECTED_COMPLETIONS) - counts[2], 2,
		       "unexpected completions");
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_SCRATCH), 0, "SCRATCH");
	rf_dev_close(&dev);
}

/* TD of a TLP whose digest the link took off: it means nothing. */
static void digest_bit(struct rf_conform *conform)
{
	uint32_t header[4], payload[2] = { 0x55, 0 };
	struct rfsim_bar bar;
	struct rf_dev dev;
	uint64_t count;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	count = rf_dev_counter(&dev, RF_COUNTER_RX_MALFORMED_TLPS);
	RF_CHECK_EQUAL(conform, rfsim_bar(sim(&dev), 0, &bar), 0, "BAR 0");
	tlp_memory_request(header, true, 0x100, 0, bar.address + RF_REG_DEVICE_SCRATCH, 2, 0xf,
			   0xf);
	header[0] |= TLP_DW0_DIGEST;
	rfsim_tlp_send(sim(&dev), header, payload, 2, false);
	RF_CHECK_EQUAL(conform, rf_dev_register(&dev, RF_REG_DEVICE_SCRATCH), 0x55, "SCRATCH");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_RX_MALFORMED_TLPS), count,
		       "malformed TLPs");
	rf_dev_close(&dev);
}

/* --- messages --------------------------------------------------------------------------------- */

#define COMMAND_SERR 0x100u
#define STATUS 0x06
#define STATUS_SIGNALED 0x4000u
#define DEVICE_CAPABILITIES 0x04
#define DEVICE_CAPABILITIES_POWER 0x0ffc0000u /* Captured Slot Power Limit, scale and value */
#define DEVICE_STATUS 0x0a
#define DEVICE_STATUS_ERRORS 0xfu /* correctable, non-fatal, fatal, unsupported request */
#define ENABLE_UNSUPPORTED 8u /* of Device Control, beside one bit for each severity */

/* An error, what it is by 6.2 of the base specification, and the TLP that causes it. */
struct bus_error {
	const char *name;
	enum rfsim_error severity;
	bool unsupported;
	unsigned int words;
	void (*make)(uint32_t *header, uint64_t bar2);
};

static void make_malformed(uint32_t *header, uint64_t bar2)
{
	tlp_memory_request(header, true, 0x100, 0, bar2 + 0xffc, 2, 0xf, 0xf);
}

static void make_read(uint32_t *header, uint64_t bar2)
{
	(void)bar2;
	tlp_memory_request(header, false, 0x100, 0x77, 0x700000000000ull, 1, 0xf, 0);
}

static void make_write(uint32_t *header, uint64_t bar2)
{
	(void)bar2;
	tlp_memory_request(header, true, 0x100, 0, 0x700000000000ull, 2, 0xf, 0xf);
}

static void make_poisoned(uint32_t *header, uint64_t bar2)
{
	tlp_memory_request(header, true, 0x100, 0, bar2, 2, 0xf, 0xf);
	header[0] |= TLP_DW0_POISONED;
}

static void make_vendor(uint32_t *header, uint64_t bar2)
{
	(void)bar2;
	tlp_message(header, TLP_MSG_LOCAL, 0x100, TLP_VENDOR_TYPE_0);
}

static void make_unexpected(uint32_t *header, uint64_t bar2)
{
	(void)bar2;
	tlp_completion(header, 0, TLP_STATUS_SUCCESS, 8, 0, 15, 0, 2);
}

static const struct bus_error bus_errors[] = {
	{ "malformed TLP", RFSIM_ERROR_FATAL, false, 2, make_malformed },
	{ "read of nothing", RFSIM_ERROR_CORRECTABLE, true, 0, make_read },
	{ "write to nowhere", RFSIM_ERROR_NONFATAL, true, 2, make_write },
	{ "poisoned write", RFSIM_ERROR_NONFATAL, false, 2, make_poisoned },
	{ "Vendor_Defined Type 0", RFSIM_ERROR_NONFATAL, true, 0, make_vendor },
	{ "unexpected completion", RFSIM_ERROR_CORRECTABLE, false, 2, make_unexpected },
};

/* Each error with each set of enables: its message if it is enabled, and no other. */
static void error_messages(struct rf_conform *conform)
{
	static const uint32_t payload[2];
	struct rfsim_statistics before, after;
	unsigned int express, i, set, kind;
	struct rf_neighbour neighbour;
	struct rfsim_bar bar;
	struct rf_dev dev;
	uint32_t header[4];

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_neighbour_open(&neighbour, &dev, 0, RF_NODE_COPY, RF_PLACE_SYSTEM);
	RF_CHECK_EQUAL(conform, rfsim_bar(sim(&dev), 2, &bar), 0, "BAR 2");
	express = rfsim_config_find(sim(&dev), CAPABILITY_EXPRESS);
	for (i = 0; i < RF_COUNT(bus_errors); i++) {
		const struct bus_error *error = &bus_errors[i];

		for (set = 0; set < 32; set++) {
			bool serr = (set & 16) && error->severity != RFSIM_ERROR_CORRECTABLE;
			bool enabled = (set >> error->severity & 1) &&
				       (!error->unsupported || (set & ENABLE_UNSUPPORTED));
			uint32_t status = 1u << error->severity |
					  (error->unsupported ? ENABLE_UNSUPPORTED : 0);

			config_write(&dev, COMMAND, 2,
				     COMMAND_MEMORY | COMMAND_MASTER |
					     (set & 16 ? COMMAND_SERR : 0));
			config_write(&dev, express + DEVICE_CONTROL, 2,
				     (config(&dev, express + DEVICE_CONTROL, 2) & ~0xfu) |
					     (set & 15));
			rfsim_statistics(sim(&dev), &before);
			error->make(header, bar.address);
			rfsim_tlp_send(sim(&dev), header, payload, error->words, false);
			rf_neighbour_work(&neighbour);
			rf_dev_settle(&dev);
			rfsim_statistics(sim(&dev), &after);
			for (kind = 0; kind < RFSIM_ERRORS; kind++)
				if (after.errors[kind] - before.errors[kind] !=
				    (kind == error->severity && (enabled || serr)))
					rf_conform_fail(
						conform, __FILE__, __LINE__,
						"%s, enables 0x%02x: %u messages of kind %u",
						error->name, set,
						(unsigned int)(after.errors[kind] -
							       before.errors[kind]),
						kind);
			RF_CHECK_EQUAL(conform,
				       config(&dev, express + DEVICE_STATUS, 2) &
					       DEVICE_STATUS_ERRORS,
				       status, error->name);
			RF_CHECK_EQUAL(conform, config(&dev, STATUS, 2) & STATUS_SIGNALED,
				       serr ? STATUS_SIGNALED : 0, "Signaled System Error");
			config_write(&dev, express + DEVICE_STATUS, 2, DEVICE_STATUS_ERRORS);
			config_write(&dev, STATUS, 2, 0xffff);
			RF_CHECK_EQUAL(conform,
				       config(&dev, express + DEVICE_STATUS, 2) &
					       DEVICE_STATUS_ERRORS,
				       0, "Device Status, cleared");
		}
	}
	rf_neighbour_check(&neighbour);
	config_write(&dev, COMMAND, 2, COMMAND_MEMORY | COMMAND_MASTER);
	rf_dev_close(&dev);
}

/* The last one is in Device Capabilities, read only; a function-level reset keeps it. */
static void slot_power_limit(struct rf_conform *conform)
{
	uint32_t header[4], payload, want = 0;
	struct rfsim_statistics statistics;
	unsigned int express, i;
	struct rf_dev dev, again;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	express = rfsim_config_find(sim(&dev), CAPABILITY_EXPRESS);
	for (i = 0; i < 20; i++) {
		/* 25 W first: value 250, scale 0.1; then any */
		payload = i ? (uint32_t)rf_conform_random(conform, 1ull << 32) : 0x1fa;
		tlp_message(header, TLP_MSGD_LOCAL, 0x100, TLP_SET_SLOT_POWER_LIMIT);
		rfsim_tlp_send(sim(&dev), header, &payload, 1, false);
		rf_dev_settle(&dev);
		want = (payload & 0x3ff) << 18;
		RF_CHECK_EQUAL(conform,
			       config(&dev, express + DEVICE_CAPABILITIES, 4) &
				       DEVICE_CAPABILITIES_POWER,
			       want, "Captured Slot Power Limit");
	}
	config_write(&dev, express + DEVICE_CAPABILITIES, 4, ~0u);
	function_reset(&dev);
	RF_CHECK_EQUAL(conform,
		       config(&dev, express + DEVICE_CAPABILITIES, 4) & DEVICE_CAPABILITIES_POWER,
		       want, "Captured Slot Power Limit after a reset");
	RF_CHECK_EQUAL(conform, config(&dev, express + DEVICE_STATUS, 2) & DEVICE_STATUS_ERRORS, 0,
		       "an error");
	rfsim_statistics(sim(&dev), &statistics);
	RF_CHECK_EQUAL(conform, statistics.transmit.tlps[RFSIM_TLP_MESSAGE], 0, "an answer");
	RF_CHECK_EQUAL(conform, rfsim_enumerate(sim(&dev)), 0, "enumeration");
	RF_CHECK(conform, rfsim_msix_enable(sim(&dev)) > 0, "MSI-X again");
	dev.bus->ops->free_interrupt(dev.bus, 0);
	rf_dev_open(&again, conform, RF_PLACE_SYSTEM);
	rf_dev_close(&again);
}

/* Messages that an endpoint ignores, or takes, are no errors; Vendor_Defined Type 0 is one. */
static void received_messages(struct rf_conform *conform)
{
	/* Unlock; PM_Active_State_Nak; the former hot-plug messages. PME_Turn_Off ends a link. */
	static const uint8_t ignored[] = { 0x00, 0x14, 0x40, 0x41, 0x43,
					   0x44, 0x45, 0x47, 0x48, TLP_VENDOR_TYPE_1 };
	unsigned int express, i;
	uint32_t header[4];
	struct rf_dev dev;
	uint64_t count;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	express = rfsim_config_find(sim(&dev), CAPABILITY_EXPRESS);
	count = rf_dev_counter(&dev, RF_COUNTER_RX_UNSUPPORTED_TLPS);
	for (i = 0; i < RF_COUNT(ignored); i++) {
		tlp_message(header, TLP_MSG_LOCAL, 0x100, (enum tlp_message)ignored[i]);
		rfsim_tlp_send(sim(&dev), header, NULL, 0, false);
	}
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_RX_UNSUPPORTED_TLPS), count,
		       "unsupported TLPs");
	RF_CHECK_EQUAL(conform, config(&dev, express + DEVICE_STATUS, 2) & DEVICE_STATUS_ERRORS, 0,
		       "an error");
	for (i = 0; i < 2; i++) {
		static const uint32_t payload[1];

		tlp_message(header, i ? TLP_MSGD_LOCAL : TLP_MSG_LOCAL, 0x100, TLP_VENDOR_TYPE_0);
		rfsim_tlp_send(sim(&dev), header, payload, i, false);
		rf_dev_settle(&dev);
		RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_RX_UNSUPPORTED_TLPS),
			       count + i + 1, "unsupported TLPs");
	}
	RF_CHECK_EQUAL(conform, config(&dev, express + DEVICE_STATUS, 2) & DEVICE_STATUS_ERRORS,
		       0xa, "Unsupported Request, Non-Fatal Error");
	rf_dev_close(&dev);
}

/* --- interrupts ------------------------------------------------------------------------------- */

static volatile unsigned int fired[RF_MSIX_VECTORS];

static void on_vector(void *argument, unsigned int vector)
{
	(void)argument;
	fired[vector]++;
}

static void expect_fired(struct rf_dev *dev, const unsigned int *counts)
{
	unsigned int i;

	rf_dev_settle(dev);
	for (i = 0; i < RF_MSIX_VECTORS; i++)
		if (fired[i] != counts[i])
			rf_conform_fail(dev->conform, __FILE__, __LINE__,
					"vector %u fired %u times, want %u", i, fired[i],
					counts[i]);
}

/* The self-test raises each vector; a masked one pends, and is sent once when unmasked. */
static void vectors(struct rf_conform *conform)
{
	unsigned int counts[RF_MSIX_VECTORS] = { 0 }, i, msix;
	const uint32_t masked = 1, unmasked = 0;
	uint64_t pending = 0;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	dev.bus->ops->free_interrupt(dev.bus, 0);
	memset((void *)fired, 0, sizeof(fired));
	for (i = 0; i < RF_MSIX_VECTORS; i++)
		RF_CHECK_EQUAL(conform,
			       dev.bus->ops->request_interrupt(dev.bus, i, on_vector, NULL), 0,
			       "request_interrupt");
	for (i = 0; i < RF_MSIX_VECTORS; i++) {
		rf_dev_register_write(&dev, RF_REG_DEVICE_INTERRUPT_TEST, 1u << i);
		counts[i]++;
		expect_fired(&dev, counts);
	}
	rf_dev_register_write(&dev, RF_REG_DEVICE_INTERRUPT_TEST, (1u << RF_MSIX_VECTORS) - 1);
	for (i = 0; i < RF_MSIX_VECTORS; i++)
		counts[i]++;
	expect_fired(&dev, counts);

	/* the vector's own mask: raised twice, sent once */
	for (i = 0; i < RF_MSIX_VECTORS; i++) {
		rfsim_bar_write(sim(&dev), 4, 16 * i + 12, &masked, 4);
		rf_dev_register_write(&dev, RF_REG_DEVICE_INTERRUPT_TEST, 1u << i);
		rf_dev_register_write(&dev, RF_REG_DEVICE_INTERRUPT_TEST, 1u << i);
		expect_fired(&dev, counts);
		rfsim_bar_read(sim(&dev), 4, RF_MSIX_PBA_OFFSET, &pending, 8);
		RF_CHECK_EQUAL(conform, pending, 1u << i, "pending bits");
		rfsim_bar_write(sim(&dev), 4, 16 * i + 12, &unmasked, 4);
		counts[i]++;
		expect_fired(&dev, counts);
		rfsim_bar_read(sim(&dev), 4, RF_MSIX_PBA_OFFSET, &pending, 8);
		RF_CHECK_EQUAL(conform, pending, 0, "pending bits when unmasked");
	}

	/* the function's mask */
	msix = rfsim_config_find(sim(&dev), CAPABILITY_MSIX);
	config_write(&dev, msix + MSIX_CONTROL, 2, MSIX_ENABLE | MSIX_FUNCTION_MASK);
	rf_dev_register_write(&dev, RF_REG_DEVICE_INTERRUPT_TEST, 5);
	expect_fired(&dev, counts);
	config_write(&dev, msix + MSIX_CONTROL, 2, MSIX_ENABLE);
	counts[0]++;
	counts[2]++;
	expect_fired(&dev, counts);
	for (i = 1; i < RF_MSIX_VECTORS; i++)
		dev.bus->ops->free_interrupt(dev.bus, i);
	rf_dev_close(&dev);
}

const struct rf_conform_test rf_conform_pcie_tests[] = {
	{ "device.bar_sizing", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX, bar_sizing },
	{ "device.function_reset_resets_everything", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  reset_everything },
	{ "device.function_reset_at_any_time", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  reset_at_any_time },
	{ "device.bus_master_off_stops_the_queue", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  bus_master_disabled },
	{ "device.bus_master_off_swallows_no_store", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  bus_master_disabled_store },
	{ "device.d3hot_and_back", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX, d3hot_and_back },
	{ "device.read_unsupported_stops_its_queue", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  read_unsupported },
	{ "device.read_aborted_stops_its_queue", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  read_aborted },
	{ "device.read_poisoned_stops_its_queue", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  read_poisoned },
	{ "device.read_timeout_stops_its_queue", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  read_timeout },
	{ "device.ring_behind_local_write", NULL, RF_CONFORM_DEV, 0, ring_behind_local_write },
	{ "device.strange_tlps_are_counted", NULL, RF_CONFORM_DEV, RF_CONFORM_SIM_ONLY,
	  strange_tlps },
	{ "device.digest_bit_means_nothing", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  digest_bit },
	{ "device.errors_are_reported_as_enabled", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  error_messages },
	{ "device.slot_power_limit_is_captured", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX,
	  slot_power_limit },
	{ "device.messages_are_ignored_or_unsupported", NULL, RF_CONFORM_DEV,
	  RF_CONFORM_ROOT_COMPLEX, received_messages },
	{ "device.vectors", NULL, RF_CONFORM_DEV, RF_CONFORM_ROOT_COMPLEX, vectors },
	{ 0 },
};
