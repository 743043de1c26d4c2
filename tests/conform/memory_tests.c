// SPDX-License-Identifier: Apache-2.0
/*
 * Memory protection: the rules of page tables, faults that stop one queue, and what the
 * driver lets a process reach.
 */
#include <stdio.h>

#include "rf_bus.h"
#include "stack.h"
#include "victim.h"

#define V RF_PAGE_TABLE_ENTRY_VALID_MASK
#define R RF_PAGE_TABLE_ENTRY_READ_MASK
#define W RF_PAGE_TABLE_ENTRY_WRITE_MASK
#define X RF_PAGE_TABLE_ENTRY_EXECUTE_MASK
#define U RF_PAGE_TABLE_ENTRY_USER_MASK
#define G RF_PAGE_TABLE_ENTRY_GLOBAL_MASK
#define A RF_PAGE_TABLE_ENTRY_ACCESSED_MASK
#define D RF_PAGE_TABLE_ENTRY_DIRTY_MASK

/* Pages of VMID 3 that nothing else uses, in a table of 2 MiB of their own */
#define PLACE 0x2345600000ull
#define VMID 3u

/* --- the device, by its registers --------------------------------------------------------- */

static uint64_t entry_of(uint64_t physical, uint64_t flags)
{
	return physical >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT | flags;
}

/* A load or store of VMID 3 at @address: @level 4 works, else the level of its fault. */
static void access_page(struct rf_dev *dev, unsigned int slot, uint64_t address, bool store,
			unsigned int level, const char *what)
{
	struct rf_spot cell = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 8);
	const uint64_t other = rf_dev_address(dev, VMID, cell);
	const uint64_t copy[] = { store ? address : other, store ? other : address, 8 };
	struct rf_conform *conform = dev->conform;
	struct rf_dev_queue queue;
	uint64_t status;

	rf_dev_queue_open(&queue, dev, slot, RF_NODE_COPY, VMID, RF_PLACE_LOCAL);
	dev->next[RF_PLACE_LOCAL] = queue.ring.offset; /* for the next queue again */
	rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, copy, 3);
	rf_dev_submit(&queue);
	if (level == 4) {
		rf_dev_finish(&queue);
		rf_dev_settle(dev);
	} else {
		rf_victim_stopped(&queue, RF_QUEUE_ERROR_TRANSLATION, address, store);
		status = rf_dev_register(dev, RF_REG_SLOT_STATUS(slot));
		RF_CHECK(conform,
			 (status & RF_SLOT_STATUS_LEVEL_MASK) >> RF_SLOT_STATUS_LEVEL_SHIFT ==
				 level,
			 "%s: level %llu, want %u", what,
			 (unsigned long long)((status & RF_SLOT_STATUS_LEVEL_MASK) >>
					      RF_SLOT_STATUS_LEVEL_SHIFT),
			 level);
	}
	rf_dev_queue_close(&queue);
}

/* Each rule for an entry, on each level that it holds for; 4: the access is allowed. */
static void rules_of_entries(struct rf_conform *conform)
{
	static const struct {
		const char *name;
		uint64_t entry; /* without the address */
		unsigned int levels; /* mask */
		bool load, store; /* allowed */
	} rules[] = {
		{ "all", V | R | W | A | D, 7, true, true },
		{ "all and what does not count", V | R | W | X | U | G | A | D, 7, true, true },
		{ "read only", V | R | A, 7, true, false },
		{ "not valid", R | W | A | D, 7, false, false },
		{ "write without read", V | W | A | D, 7, false, false },
		{ "execute only", V | X | A | D, 7, false, false },
		{ "not accessed", V | R | W | D, 7, false, false },
		{ "not dirty", V | R | W | A, 7, true, false },
		{ "reserved bit 54", V | R | W | A | D | 1ull << 54, 7, false, false },
		{ "reserved bit 63", V | R | W | A | D | 1ull << 63, 7, false, false },
		{ "a pointer at the last level", V, 1, false, false },
		{ "a misaligned page", V | R | W | A | D | 1ull << 10, 6, false, false },
	};
	unsigned int level, i, store, checks = 0;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	for (i = 0; i < RF_COUNT(rules); i++) {
		for (level = 0; level < RF_PAGE_TABLE_LEVELS; level++) {
			/* The last page of local memory: as such, or in a page from 0 on. */
			uint64_t offset = dev.local_bytes - 4096;
			uint64_t place = PLACE + ((uint64_t)(level + 1) << 30);
			uint64_t physical = RF_DEV_LOCAL | (level ? 0 : offset);

			if (!(rules[i].levels >> level & 1))
				continue;
			place &= ~((4096ull << 9 * level) - 1);
			rf_dev_set_entry(&dev, VMID, place, level,
					 entry_of(physical, rules[i].entry));
			if (!level)
				offset = 0;
			rf_dev_invalidate(&dev, VMID);
			for (store = 0; store < 2; store++, checks++)
				access_page(&dev, 0, place + offset + 64 * store, store,
					    (store ? rules[i].store : rules[i].load) ? 4 : level,
					    rules[i].name);
		}
	}
	rf_conform_note(conform, "%u accesses", checks);
	rf_dev_close(&dev);
}

/* No entry is looked at: the address is not one of Sv39, or there is no table. */
static void faults_before_any_entry(struct rf_conform *conform)
{
	static const uint64_t bad[] = { 1ull << 38, 1ull << 39, 1ull << 63, ~0ull << 40 };
	struct rf_dev dev;
	unsigned int i;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_map(&dev, VMID, PLACE, RF_DEV_LOCAL, RF_DEV_READ_WRITE);
	/* 39 bits reach the table also from the upper half */
	rf_dev_map(&dev, VMID, 1ull << 38, RF_DEV_LOCAL, RF_DEV_READ_WRITE);
	rf_dev_invalidate(&dev, VMID);
	access_page(&dev, 0, PLACE, false, 4, "known");
	access_page(&dev, 0, ~0ull << 38, false, 4, "the upper half");
	for (i = 0; i < RF_COUNT(bad); i++) {
		access_page(&dev, 0, (i ? PLACE : 0) ^ bad[i], false, 3, "not canonical");
		access_page(&dev, 0, (i ? PLACE : 0) ^ bad[i], true, 3, "not canonical");
	}
	rf_dev_close(&dev);
}

/* Tables and all that they lead to in local memory: nothing is read over the link. */
static void tables_in_local_memory(struct rf_conform *conform)
{
	struct rf_spot root, middle, cell;
	struct rf_dev_queue queue;
	uint64_t reads, address;
	unsigned int beyond;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_LOCAL);
	rf_dev_need_dma(&dev);
	root = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	middle = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 4096, 4096);
	cell = rf_dev_alloc(&dev, RF_PLACE_LOCAL, 8, 8);
	/* All of local memory is one page of 2 MiB. */
	address = rf_dev_address(&dev, VMID, (struct rf_spot){ RF_PLACE_LOCAL, 0 });
	rf_dev_write(&dev, rf_spot_at(root, (address >> 30) % 512 * 8),
		     entry_of(rf_dev_physical(&dev, middle), V));
	rf_dev_write(&dev, rf_spot_at(middle, (address >> 21) % 512 * 8),
		     entry_of(RF_DEV_LOCAL, RF_DEV_READ_WRITE));
	rf_dev_register_write(&dev, RF_REG_TRANSLATION_ROOT(VMID),
			      rf_dev_physical(&dev, root) | RF_TRANSLATION_ROOT_VALID_MASK);
	rf_dev_invalidate(&dev, VMID);
	reads = rf_dev_counter(&dev, RF_COUNTER_TX_READ_TLPS);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, VMID, RF_PLACE_LOCAL);
	rf_dev_write_packet(&queue, cell, 7);
	rf_dev_submit(&queue);
	rf_dev_finish(&queue);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cell), 7, "the word");
	RF_CHECK_EQUAL(conform, rf_dev_counter(&dev, RF_COUNTER_TX_READ_TLPS), reads, "read TLPs");
	/* Behind local memory there is nothing, though the page goes on. */
	for (beyond = 0; beyond < 2; beyond++) {
		const uint64_t copy[] = { rf_dev_address(&dev, VMID, cell),
					  address + dev.local_bytes - 8 + 8 * beyond, 8 };

		rf_dev_packet(&queue, RF_OPCODE_COPY, 0, 0, copy, 3);
		rf_dev_submit(&queue);
		if (!beyond)
			rf_dev_finish(&queue);
		else
			rf_victim_stopped(&queue, RF_QUEUE_ERROR_TRANSLATION,
					  address + dev.local_bytes, false);
	}
	rf_dev_close(&dev);
}

/* A fault stops its queue; how fast others work does not show when it happened. */
static void faults_do_not_slow_others(struct rf_conform *conform)
{
	const uint32_t count = 32768;
	uint64_t cycles[3], start;
	struct rf_dev_queue queue, victim;
	struct rf_spot x;
	struct rf_dev dev;
	unsigned int i, faults = 0;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COMPUTE, 1, RF_PLACE_LOCAL);
	x = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 4 * count, 4096);
	rf_dev_queue_open(&victim, &dev, 1, RF_NODE_COPY, 2, RF_PLACE_LOCAL);
	for (i = 0; i < 3; i++) {
		const uint64_t vector[] = { rf_dev_address(&dev, 1, x), rf_dev_address(&dev, 1, x),
					    count, 1 };

		rf_dev_packet(&queue, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_AXPB, vector, 4);
		rf_dev_append(&queue);
		rf_dev_settle(&dev);
		start = rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP);
		rf_dev_ring(&queue);
		while (rf_dev_queue_done(&queue) != queue.write_pointer) {
			if (i != 1)
				continue;
			/* Meanwhile, one fault after the other. */
			rf_dev_write_packet(&victim, (struct rf_spot){ RF_PLACE_LOCAL, 1 << 23 },
					    1);
			rf_dev_submit(&victim);
			rf_dev_await_state(&victim, RF_SLOT_STATE_ERROR);
			faults++;
			rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(1),
					      RF_SLOT_CONTROL_DISABLE_MASK);
			rf_dev_await_state(&victim, RF_SLOT_STATE_DISABLED);
			rf_dev_register_write(&dev, RF_REG_SLOT_POINTERS(1), victim.write_pointer);
			rf_dev_register_write(&dev, RF_REG_SLOT_CONTROL(1),
					      RF_SLOT_CONTROL_ENABLE_MASK);
		}
		cycles[i] = rf_dev_register(&dev, RF_REG_DEVICE_TIMESTAMP) - start;
	}
	RF_CHECK(conform, faults > 10, "only %u faults", faults);
	for (i = 1; i < 3; i++)
		RF_CHECK(conform, cycles[i] <= cycles[0] + cycles[0] / 20,
			 "%llu cycles before the faults, %llu then, %llu afterwards",
			 (unsigned long long)cycles[0], (unsigned long long)cycles[1],
			 (unsigned long long)cycles[2]);
	rf_conform_note(conform, "%llu cycles, with %u faults of another queue %llu, then %llu",
			(unsigned long long)cycles[0], faults, (unsigned long long)cycles[1],
			(unsigned long long)cycles[2]);
	rf_dev_close(&dev);
}

/* --- the driver -------------------------------------------------------------------------------- */

/* The queue is lost by a fault at @address, and says so. */
static void check_faulted(struct rf_conform *conform, struct rf_queue *queue, uint64_t address)
{
	uint32_t error = 0;
	uint64_t where = 0;

	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 1000000000), (uint64_t)-EIO,
		       "waiting for the queue");
	RF_CHECK_EQUAL(conform, rf_queue_status(queue, &error, &where), (uint64_t)-EIO,
		       "rf_queue_status");
	RF_CHECK_EQUAL(conform, error, RF_QUEUE_ERROR_TRANSLATION, "error of the queue");
	RF_CHECK_EQUAL(conform, where, address, "its address");
}

static void check_works(struct rf_conform *conform, struct rf_queue *queue)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0);

	stack_signal(conform, queue, fence, 1);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 1, "another queue");
}

/* MonitoredValue: the queue's engines read it, and cannot write it. */
static void monitored_value_is_read_only(struct rf_conform *conform)
{
	static const uint32_t placements[] = { 0, RF_FENCE_INTRA_GPU };
	struct rf_queue *other = stack_queue(conform, RF_ENGINE_COMPUTE);
	unsigned int i, kind;

	for (i = 0; i < RF_COUNT(placements); i++) {
		for (kind = 0; kind < 3; kind++) {
			struct rf_fence *fence = stack_fence(conform, placements[i], 0);
			struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
			struct rf_commands *commands = stack_commands(conform, queue);
			uint64_t before = rf_watching() ? stack_monitored(fence) : 0;

			/* A load, and a signal, which reads it too, go well. */
			rf_command_copy(commands, fence->current_address, fence->monitored_address,
					8);
			rf_command_signal(commands, fence, 5);
			rf_command_barrier(commands);
			if (kind == 0)
				rf_command_write(commands, fence->monitored_address, 3);
			else if (kind == 1)
				rf_command_fill(commands, fence->monitored_address, 8, 3);
			else
				rf_command_copy(commands, fence->monitored_address,
						fence->current_address, 8);
			stack_submit_bad(conform, commands);
			check_faulted(conform, queue, fence->monitored_address);
			RF_CHECK_WATCHED(conform, stack_monitored(fence), before, "MonitoredValue");
			check_works(conform, other);
			rf_queue_destroy(queue);
		}
	}
}

/* What is freed is out of reach at once, also for addresses that were used just before. */
static void freed_memory_is_out_of_reach(struct rf_conform *conform)
{
	struct rf_device *device = conform->setup.device;
	struct rf_queue *other = stack_queue(conform, RF_ENGINE_COMPUTE);
	static const uint32_t kinds[] = { RF_MEMORY_SYSTEM, RF_MEMORY_LOCAL };
	unsigned int i, store;

	for (i = 0; i < RF_COUNT(kinds); i++) {
		for (store = 0; store < 2; store++) {
			struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
			struct rf_commands *commands = stack_commands(conform, queue);
			struct rf_memory *memory, *kept;
			uint64_t address, other_address;

			RF_CHECK(conform, !rf_memory_create(device, 8192, kinds[i], &memory),
				 "rf_memory_create");
			RF_CHECK(conform, !rf_memory_create(device, 8192, kinds[i], &kept),
				 "rf_memory_create");
			address = rf_memory_address(memory) + 4096;
			other_address = rf_memory_address(kept);
			rf_command_copy(commands, store ? address : other_address,
					store ? other_address : address, 64);
			stack_submit(conform, commands);
			stack_settle(conform);
			rf_memory_destroy(memory);
			commands = stack_commands(conform, queue);
			rf_command_copy(commands, store ? address : other_address,
					store ? other_address : address, 64);
			stack_submit_bad(conform, commands);
			check_faulted(conform, queue, address);
			check_works(conform, other);
			rf_queue_destroy(queue);
			rf_memory_destroy(kept);
		}
	}
	RF_CHECK(conform, !rfsim_world_check(conform->setup.world.simulation), "%s",
		 rfsim_world_check(conform->setup.world.simulation));
}

/* Freed while the device is in the middle of it: what it does then, it does not do there. */
static void freed_in_use(struct rf_conform *conform)
{
	struct rf_device *device = conform->setup.device;
	const unsigned int stretch = rf_conform_stretch(conform);
	unsigned int after, faulted = 0, finished = 0;

	for (after = 0; after < 4000 * stretch; after += 200 * stretch) {
		struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
		struct rf_commands *commands = stack_commands(conform, queue);
		struct rf_memory *memory;
		uint64_t address;
		uint32_t error = 0;

		RF_CHECK(conform, !rf_memory_create(device, 16384, RF_MEMORY_SYSTEM, &memory),
			 "rf_memory_create");
		rf_command_fill(commands, rf_memory_address(memory), 16384, 0x55);
		stack_submit(conform, commands);
		rfsim_step(conform->setup.world.simulation, after);
		rf_memory_destroy(memory);
		stack_settle(conform);
		rf_queue_status(queue, &error, &address);
		RF_CHECK(conform, !error || error == RF_QUEUE_ERROR_TRANSLATION, "error %u", error);
		faulted += error != 0;
		finished += !error;
		rf_queue_destroy(queue);
		RF_CHECK(conform, !rfsim_world_check(conform->setup.world.simulation), "%s",
			 rfsim_world_check(conform->setup.world.simulation));
	}
	RF_CHECK(conform, faulted && finished, "%u faulted, %u finished", faulted, finished);
	rf_conform_note(conform, "%u freed under the device, %u behind it", faulted, finished);
}

/* An address of one process is nothing, or its own, in another. */
static void processes_are_apart(struct rf_conform *conform)
{
	struct rf_device *second;
	struct rf_memory *mine, *yours;
	struct rf_commands *commands;
	struct rf_queue *queue;
	uint64_t value = 0x1111;

	second = stack_process(conform);
	RF_CHECK(conform, !rf_memory_create(second, 4096, RF_MEMORY_SYSTEM, &yours),
		 "rf_memory_create");
	RF_CHECK(conform, !rf_memory_create(conform->setup.device, 4096, RF_MEMORY_SYSTEM, &mine),
		 "rf_memory_create");
	rf_memory_write(yours, 0, &value, 8);
	queue = stack_queue(conform, RF_ENGINE_COPY);
	commands = stack_commands(conform, queue);
	rf_command_write(commands, rf_memory_address(yours), 0x2222);
	stack_submit_bad(conform, commands);
	check_faulted(conform, queue, rf_memory_address(yours));
	rf_memory_read(yours, 0, &value, 8);
	RF_CHECK_EQUAL(conform, value, 0x1111, "the other process's memory");
	rf_device_close(second);
}

/* Memory of more than one large page: every part of it, and nothing behind it. */
static void memory_of_large_pages(struct rf_conform *conform)
{
	const uint64_t bytes = 5ull << 20, near = 4096 - 64, step = 512 << 10;
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_commands *commands = stack_commands(conform, queue);
	struct rf_device *device = conform->setup.device;
	uint64_t address, offset, value;
	struct rf_memory *from, *to;

	RF_CHECK(conform, !rf_memory_create(device, bytes, RF_MEMORY_SYSTEM, &from),
		 "rf_memory_create");
	RF_CHECK(conform, !rf_memory_create(device, bytes, RF_MEMORY_SYSTEM, &to),
		 "rf_memory_create");
	for (offset = near; offset + 128 <= bytes; offset += step) {
		for (value = 0; value < 128; value += 8) {
			const uint64_t word = offset + value + 1;

			rf_memory_write(from, offset + value, &word, 8);
		}
		/* over the end of a small page; of a large one every fourth time */
		rf_command_copy(commands, rf_memory_address(to) + offset,
				rf_memory_address(from) + offset, 128);
	}
	stack_submit(conform, commands);
	stack_settle(conform);
	check_works(conform, queue);
	for (offset = 0; offset < bytes; offset += 8) {
		bool copied = offset >= near && (offset - near) % step < 128;

		rf_memory_read(to, offset, &value, 8);
		RF_CHECK(conform, value == (copied ? offset + 1 : 0), "0x%llx at 0x%llx",
			 (unsigned long long)value, (unsigned long long)offset);
	}
	address = rf_memory_address(to) + bytes;
	commands = stack_commands(conform, queue);
	rf_command_write(commands, address, 1);
	stack_submit_bad(conform, commands);
	check_faulted(conform, queue, address);
	RF_CHECK(conform, !rfsim_world_check(conform->setup.world.simulation), "%s",
		 rfsim_world_check(conform->setup.world.simulation));
}

#define SIM RF_CONFORM_SIM_ONLY

#define PORTABLE RF_CONFORM_PORTABLE

const struct rf_conform_test rf_conform_memory_tests[] = {
	{ "device.rules_of_page_table_entries", NULL, RF_CONFORM_DEV, 0, rules_of_entries },
	{ "device.faults_before_any_entry", NULL, RF_CONFORM_DEV, 0, faults_before_any_entry },
	{ "device.tables_in_local_memory", NULL, RF_CONFORM_DEV, 0, tables_in_local_memory },
	{ "device.faults_do_not_slow_others", NULL, RF_CONFORM_DEV, SIM | RF_CONFORM_VECTOR,
	  faults_do_not_slow_others },
	{ "S0-8.monitored_value_is_read_only", NULL, RF_CONFORM_STACK, PORTABLE,
	  monitored_value_is_read_only },
	{ "S3-61.freed_memory_is_out_of_reach", NULL, RF_CONFORM_STACK, SIM,
	  freed_memory_is_out_of_reach },
	{ "S3-61.freed_in_use", NULL, RF_CONFORM_STACK, SIM, freed_in_use },
	{ "device.memory_of_large_pages", NULL, RF_CONFORM_STACK, SIM, memory_of_large_pages },
	{ "S3-61.processes_are_apart", NULL, RF_CONFORM_STACK, PORTABLE, processes_are_apart },
	{ 0 },
};
