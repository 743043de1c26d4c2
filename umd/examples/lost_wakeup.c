// SPDX-License-Identifier: Apache-2.0
/*
 * A race on demand. This is a sample driver, on the bare registers of the simulated device, that
 * waits for a fence as the programmer's guide says:
 *
 *   1. look at CurrentValue: is the value reached?
 *   2. store MonitoredValue, so that the device interrupts when CurrentValue is greater
 *   3. look again, since the device may have signalled between 1 and 2
 *   4. sleep until the interrupt
 *
 * With --wrong it leaves out step 3. That works nearly always: a wake-up is lost only if the signal
 * comes in the few cycles between 1 and 2. A hold in the device string moves the signal there:
 *
 *   RINGFENCE_DEVICE=sim:hold=ring@1:+N build/examples/lost_wakeup --wrong
 *   build/ringfence sweep --move ring@1 --against ring@1 --to 200 -- \
 *           build/examples/lost_wakeup --wrong
 *
 * Exit status: 0 woken up, 1 the wake-up was lost, 2 something else.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_string.h"
#include "ringfence_hw.h"

#define SLOT 0
#define VMID 1
#define RING_LOG2 4 /* entries */
#define INTERRUPT_LOG2 7
#define ENTRY(flag) RF_PAGE_TABLE_ENTRY_##flag##_MASK

/* Everything that the device reaches by DMA; each part on a page of its own. */
struct shared {
	_Alignas(4096) uint64_t table[512]; /* one level: leaves of 1 GiB */
	_Alignas(4096) struct rf_ring_entry ring[1 << RING_LOG2];
	_Alignas(4096) uint64_t commands[8];
	_Alignas(4096) _Atomic uint64_t write_pointer;
	_Atomic uint64_t current_value, monitored_value;
	_Alignas(4096) struct rf_interrupt_record records[1 << INTERRUPT_LOG2];
};

static struct shared shared;
static uint64_t shared_bus;
static struct rfsim_world *world;
static struct rfsim_device *device;
static atomic_bool interrupted;

#define BUS(member) (shared_bus + offsetof(struct shared, member))

static void must(int error, const char *what)
{
	if (error < 0) {
		fprintf(stderr, "lost_wakeup: %s: %s\n", what, strerror(-error));
		exit(2);
	}
}

static void reg_write(uint64_t offset, uint64_t value)
{
	must(rfsim_bar_write(device, 0, offset, &value, sizeof(value)), "register write");
}

static uint64_t reg_read(uint64_t offset)
{
	uint64_t value;

	must(rfsim_bar_read(device, 0, offset, &value, sizeof(value)), "register read");
	return value;
}

static void on_interrupt(void *context, struct rfsim_device *from, uint32_t vector)
{
	(void)context;
	(void)from;
	(void)vector;
	interrupted = true;
}

static bool is_interrupted(void *context)
{
	(void)context;
	return interrupted;
}

/* --- set-up --------------------------------------------------------------------------- */

static void open_device(void)
{
	const char *name = getenv("RINGFENCE_DEVICE");
	char problem[RFSIM_STRING_PROBLEM];
	struct rfsim_string string;

	if (rfsim_string_parse(name ? name : "sim:", &string, problem) ||
	    rfsim_string_create(&string, &world, &device, problem)) {
		fprintf(stderr, "lost_wakeup: %s\n", problem);
		exit(2);
	}
	must(rfsim_enumerate(device), "enumeration");
	must(rfsim_msix_enable(device), "MSI-X");
	rfsim_interrupt_callback(device, on_interrupt, NULL);
	must(rfsim_memory_register(world, &shared, sizeof(shared), &shared_bus), "memory");
}

/* Virtual addresses are bus addresses: one leaf maps the GiB that has them all. */
static void map_memory(void)
{
	uint64_t gib = shared_bus >> 30;

	shared.table[gib] = gib << 18 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT | ENTRY(VALID) |
			    ENTRY(READ) | ENTRY(WRITE) | ENTRY(ACCESSED) | ENTRY(DIRTY);
	reg_write(RF_REG_TRANSLATION_ROOT(0), BUS(table) | RF_TRANSLATION_ROOT_VALID_MASK);
	reg_write(RF_REG_TRANSLATION_ROOT(VMID), BUS(table) | RF_TRANSLATION_ROOT_VALID_MASK);
}

static void start_interrupts(void)
{
	reg_write(RF_REG_INTERRUPT_RING_BASE, BUS(records));
	reg_write(RF_REG_INTERRUPT_CONTROL,
		  RF_INTERRUPT_CONTROL_ENABLE_MASK |
			  (uint64_t)INTERRUPT_LOG2 << RF_INTERRUPT_CONTROL_ENTRIES_LOG2_SHIFT);
}

static void start_queue(void)
{
	reg_write(RF_REG_SLOT_RING_BASE(SLOT), BUS(ring));
	reg_write(RF_REG_SLOT_WRITE_POINTER_ADDRESS(SLOT), BUS(write_pointer));
	reg_write(RF_REG_SLOT_QUANTUM(SLOT), RF_QUANTUM_DEFAULT);
	reg_write(RF_REG_SLOT_CONFIG(SLOT),
		  (uint64_t)RING_LOG2 << RF_SLOT_CONFIG_RING_LOG2_SHIFT |
			  (uint64_t)VMID << RF_SLOT_CONFIG_VMID_SHIFT |
			  (uint64_t)RF_NODE_COPY << RF_SLOT_CONFIG_NODE_SHIFT |
			  1ull << RF_SLOT_CONFIG_TOKEN_SHIFT);
	reg_write(RF_REG_SLOT_POINTERS(SLOT), 0);
	reg_write(RF_REG_SLOT_CONTROL(SLOT), RF_SLOT_CONTROL_ENABLE_MASK);
	reg_write(RF_REG_DOORBELL_BIND(0), RF_DOORBELL_BIND_BOUND_MASK |
						   RF_DOORBELL_BIND_RESIDENT_MASK |
						   (uint64_t)SLOT << RF_DOORBELL_BIND_SLOT_SHIFT);
	/* Both are over when a register can be read. */
	(void)reg_read(RF_REG_DEVICE_LIVENESS);
}

/* --- the driver ------------------------------------------------------------------------ */

/* One command buffer with one packet: SIGNAL of @value. */
static void submit_signal(uint64_t value)
{
	const uint64_t packet[] = {
		(uint64_t)RF_OPCODE_SIGNAL << RF_PACKET_HEADER_OPCODE_SHIFT |
			4ull << RF_PACKET_HEADER_WORDS_SHIFT,
		BUS(current_value),
		value,
		BUS(monitored_value),
	};

	memcpy(shared.commands, packet, sizeof(packet));
	shared.ring[0] = (struct rf_ring_entry){ .address = BUS(commands), .size = sizeof(packet) };
	shared.write_pointer = 1;
	reg_write(RF_DOORBELL_BASE, 1);
}

/* Is the device still there, and has the queue no error? As any careful driver asks. */
static bool works(void)
{
	uint64_t liveness = reg_read(RF_REG_DEVICE_LIVENESS);

	return reg_read(RF_REG_DEVICE_LIVENESS) != liveness &&
	       (reg_read(RF_REG_SLOT_STATUS(SLOT)) & RF_SLOT_STATUS_STATE_MASK) >>
			       RF_SLOT_STATUS_STATE_SHIFT !=
		       RF_SLOT_STATE_ERROR;
}

/* True if it was woken up, or did not need to sleep. */
static bool wait_for(uint64_t value, bool wrong)
{
	if (shared.current_value >= value)
		return true;
	if (!works())
		exit(2);
	shared.monitored_value = value - 1;
	if (!wrong && shared.current_value >= value) /* the one line */
		return true;
	/* Time ends when nothing can happen any more. */
	return !rfsim_wait(world, is_interrupted, NULL, UINT64_MAX, 0);
}

int main(int argc, char **argv)
{
	bool wrong = argc == 2 && !strcmp(argv[1], "--wrong");
	char problem[RFSIM_STRING_PROBLEM];
	bool woken;

	if (argc > 1 && !wrong) {
		fputs("usage: lost_wakeup [--wrong]\n", stderr);
		return 2;
	}
	open_device();
	map_memory();
	start_interrupts();
	start_queue();
	shared.monitored_value = UINT64_MAX; /* nobody waits */
	submit_signal(1);
	must(rfsim_step(world, 400), "other work"); /* of the CPU */
	woken = wait_for(1, wrong);
	if (woken)
		puts("woken up");
	else
		printf("lost wake-up: the fence is %llu, and the driver sleeps\n",
		       (unsigned long long)shared.current_value);
	if (rfsim_string_close(device, problem))
		fprintf(stderr, "lost_wakeup: %s\n", problem);
	rfsim_world_destroy(world);
	return woken ? 0 : 1;
}
