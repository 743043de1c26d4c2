/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device with a copy queue, whose ring, commands and page tables are in its local memory: for tests of
 * the simulation library with the real device.
 */
#ifndef UNIT_H
#define UNIT_H

#include "rfsim.h"
#include "ringfence_hw.h"
#include "tlp.h"

#define VMID 1ull
#define SYSTEM_VA 0x40000000ull
#define LOCAL_VA 0x80000000ull

/* Where a unit keeps things in its local memory. */
#define RING 0x0ull
#define COMMANDS 0x1000ull
#define DATA 0x2003ull
#define ROOT 0x8000ull
#define MIDDLE 0x9000ull
#define LAST 0xa000ull

#define LOCAL_MEMORY (1ull << 55) /* in a physical address */

/* A device with one copy queue in slot 0; everything of the queue is local. */
struct unit {
	struct rfsim_world *world;
	struct rfsim_device *device;
	uint64_t entries, commands;
	uint64_t hash;
};

static inline void hash_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct unit *unit = context;
	unsigned int i;

	(void)device;
	unit->hash = (unit->hash ^ tlp->first_cycle ^ tlp->last_cycle << 32) * 0x100000001b3ull;
	for (i = 0; i < 4 + tlp->words; i++)
		unit->hash = (unit->hash ^ (i < 4 ? tlp->header[i] : tlp->payload[i - 4])) *
			     0x100000001b3ull;
}

static inline void write_register(struct unit *unit, uint64_t offset, uint64_t value)
{
	assert_int_equal(rfsim_bar_write(unit->device, 0, offset, &value, 8), 0);
}

static inline void write_local(struct unit *unit, uint64_t offset, const void *data, size_t bytes)
{
	assert_int_equal(rfsim_bar_write(unit->device, 2, offset, data, bytes), 0);
}

static inline uint64_t leaf(uint64_t physical)
{
	return physical >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT | RF_PAGE_TABLE_ENTRY_VALID_MASK |
	       RF_PAGE_TABLE_ENTRY_READ_MASK | RF_PAGE_TABLE_ENTRY_WRITE_MASK |
	       RF_PAGE_TABLE_ENTRY_ACCESSED_MASK | RF_PAGE_TABLE_ENTRY_DIRTY_MASK;
}

static inline uint64_t table(uint64_t offset)
{
	return (LOCAL_MEMORY | offset) >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT |
	       RF_PAGE_TABLE_ENTRY_VALID_MASK;
}

/* Page tables in local memory: it all as one page of 1 GiB, @bus page by page. */
static inline void map(struct unit *unit, uint64_t bus, uint64_t bytes)
{
	const uint64_t zero[512] = { 0 }, local = leaf(LOCAL_MEMORY), middle = table(MIDDLE),
		       last = table(LAST);
	uint64_t offset;

	for (offset = ROOT; offset <= LAST; offset += sizeof(zero))
		write_local(unit, offset, zero, sizeof(zero));
	write_local(unit, ROOT + 8 * (LOCAL_VA >> 30), &local, 8);
	write_local(unit, ROOT + 8 * (SYSTEM_VA >> 30), &middle, 8);
	write_local(unit, MIDDLE, &last, 8);
	for (offset = 0; offset < bytes; offset += 4096) {
		uint64_t entry = leaf(bus + offset);

		write_local(unit, LAST + offset / 512, &entry, 8);
	}
	write_register(unit, RF_REG_TRANSLATION_ROOT(VMID),
		       LOCAL_MEMORY | ROOT | RF_TRANSLATION_ROOT_VALID_MASK);
}

/* Enumerate it and give it its queue; also after its link was down. */
static inline void unit_start(struct unit *unit, uint64_t bus, uint64_t bytes)
{
	unit->entries = unit->commands = 0;
	assert_int_equal(rfsim_enumerate(unit->device), 0);
	assert_int_equal(rfsim_msix_enable(unit->device), RF_MSIX_VECTORS);

	map(unit, bus, bytes);

	write_register(unit, RF_REG_SLOT_RING_BASE(0), LOCAL_VA + RING);
	write_register(unit, RF_REG_SLOT_CONFIG(0),
		       4 | VMID << RF_SLOT_CONFIG_VMID_SHIFT |
			       (uint64_t)RF_NODE_COPY << RF_SLOT_CONFIG_NODE_SHIFT);
	write_register(unit, RF_REG_SLOT_POINTERS(0), 0);
	write_register(unit, RF_REG_DOORBELL_BIND(0),
		       RF_DOORBELL_BIND_BOUND_MASK | RF_DOORBELL_BIND_RESIDENT_MASK);
	write_register(unit, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_ENABLE_MASK);
}

static inline void unit_create(struct unit *unit, struct rfsim_world *world, uint64_t bus,
			       uint64_t bytes)
{
	memset(unit, 0, sizeof(*unit));
	unit->world = world;
	assert_int_equal(rfsim_device_create(world, &unit->device), 0);
	rfsim_tlp_callback(unit->device, hash_tlp, unit);
	unit_start(unit, bus, bytes);
}

/* Submit: copy, then store 1 at flag, behind the copy. */
static inline void unit_copy(struct unit *unit, uint64_t to, uint64_t from, uint64_t bytes,
			     uint64_t flag)
{
	const uint64_t commands[] = {
		RF_OPCODE_COPY | 4 << RF_PACKET_HEADER_WORDS_SHIFT,
		to,
		from,
		bytes,
		RF_OPCODE_BARRIER | 1 << RF_PACKET_HEADER_WORDS_SHIFT,
		RF_OPCODE_WRITE | 3 << RF_PACKET_HEADER_WORDS_SHIFT,
		flag,
		1,
	};
	const struct rf_ring_entry entry = {
		.address = LOCAL_VA + COMMANDS + unit->commands,
		.size = sizeof(commands),
	};

	write_local(unit, COMMANDS + unit->commands, commands, sizeof(commands));
	write_local(unit, RING + 16 * (unit->entries % 16), &entry, sizeof(entry));
	unit->commands += sizeof(commands);
	unit->entries++;
	write_register(unit, RF_DOORBELL_BASE, unit->entries);
}

static inline bool word_is_set(void *context)
{
	return __atomic_load_n((uint64_t *)context, __ATOMIC_ACQUIRE) == 1;
}

static inline void wait_for_word(struct unit *unit, uint64_t *word)
{
	uint64_t status = 0;

	if (!rfsim_wait(unit->world, word_is_set, word, 1000000, 0))
		return;
	rfsim_bar_read(unit->device, 0, RF_REG_SLOT_STATUS(0), &status, 8);
	fail_msg("no flag by cycle %llu, slot status 0x%llx; %s",
		 (unsigned long long)rfsim_cycle(unit->world), (unsigned long long)status,
		 rfsim_world_check(unit->world));
}

#endif
