// SPDX-License-Identifier: Apache-2.0
/*
 * The simulation library with the real device: every knob, no violation; two
 * devices that pass data through one host buffer; the same run twice; the same behind PCIe links.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rfsim.h"
#include "ringfence_hw.h"
#include "tlp.h"

#define BYTES 5000
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

static uint64_t seed = 1;
static const struct rfsim_config no_link;

/* A device with one copy queue in slot 0; everything of the queue is local. */
struct unit {
	struct rfsim_world *world;
	struct rfsim_device *device;
	uint64_t entries, commands;
	uint64_t hash;
};

static void hash_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct unit *unit = context;
	unsigned int i;

	(void)device;
	unit->hash = (unit->hash ^ tlp->first_cycle ^ tlp->last_cycle << 32) * 0x100000001b3ull;
	for (i = 0; i < 4 + tlp->words; i++)
		unit->hash = (unit->hash ^ (i < 4 ? tlp->header[i] : tlp->payload[i - 4])) *
			     0x100000001b3ull;
}

static void write_register(struct unit *unit, uint64_t offset, uint64_t value)
{
	assert_int_equal(rfsim_bar_write(unit->device, 0, offset, &value, 8), 0);
}

static void write_local(struct unit *unit, uint64_t offset, const void *data, size_t bytes)
{
	assert_int_equal(rfsim_bar_write(unit->device, 2, offset, data, bytes), 0);
}

static uint64_t leaf(uint64_t physical)
{
	return physical >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT | RF_PAGE_TABLE_ENTRY_VALID_MASK |
	       RF_PAGE_TABLE_ENTRY_READ_MASK | RF_PAGE_TABLE_ENTRY_WRITE_MASK |
	       RF_PAGE_TABLE_ENTRY_ACCESSED_MASK | RF_PAGE_TABLE_ENTRY_DIRTY_MASK;
}

static uint64_t table(uint64_t offset)
{
	return (LOCAL_MEMORY | offset) >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT |
	       RF_PAGE_TABLE_ENTRY_VALID_MASK;
}

/* Page tables in local memory: it all as one page of 1 GiB, @bus page by page. */
static void map(struct unit *unit, uint64_t bus, uint64_t bytes)
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

static void unit_create(struct unit *unit, struct rfsim_world *world, uint64_t bus, uint64_t bytes)
{
	memset(unit, 0, sizeof(*unit));
	unit->world = world;
	assert_int_equal(rfsim_device_create(world, &unit->device), 0);
	rfsim_tlp_callback(unit->device, hash_tlp, unit);
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

/* Submit: copy, then store 1 at flag, behind the copy. */
static void unit_copy(struct unit *unit, uint64_t to, uint64_t from, uint64_t flag)
{
	const uint64_t commands[] = {
		RF_OPCODE_COPY | 4 << RF_PACKET_HEADER_WORDS_SHIFT,
		to,
		from,
		BYTES,
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

static bool word_is_set(void *context)
{
	return __atomic_load_n((uint64_t *)context, __ATOMIC_ACQUIRE) == 1;
}

static void wait_for_word(struct unit *unit, uint64_t *word)
{
	uint64_t status = 0;

	if (!rfsim_wait(unit->world, word_is_set, word, 1000000, 0))
		return;
	rfsim_bar_read(unit->device, 0, RF_REG_SLOT_STATUS(0), &status, 8);
	fail_msg("no flag by cycle %llu, slot status 0x%llx; %s",
		 (unsigned long long)rfsim_cycle(unit->world), (unsigned long long)status,
		 rfsim_world_check(unit->world));
}

static bool world_is_idle(void *context)
{
	return rfsim_idle(context);
}

static void check_world(struct rfsim_world *world)
{
	const char *verdict = rfsim_world_check(world);

	if (verdict)
		fail_msg("%s", verdict);
}

/* --- tests ---------------------------------------------------------------- */

static void local_memory_under_every_knob(void **state)
{
	static uint8_t want[4096], got[4096], part[1200];
	struct rfsim_config config;
	struct rfsim_device *device;
	struct rfsim_world *world;
	unsigned int i, n;

	(void)state;
	for (i = 0; i < 12; i++) {
		rfsim_config_random(&config, seed + i);
		assert_int_equal(rfsim_world_create(&config, &world), 0);
		assert_int_equal(rfsim_device_create(world, &device), 0);
		assert_int_equal(rfsim_enumerate(device), 0);
		for (n = 0; n < sizeof(want); n++)
			want[n] = rand();
		assert_int_equal(rfsim_bar_write(device, 2, 0, want, sizeof(want)), 0);
		for (n = 0; n < 40; n++) {
			size_t offset = rand() % sizeof(want);
			size_t bytes = rand() % (n % 2 ? 12 : 1200), j;

			if (bytes > sizeof(want) - offset)
				bytes = sizeof(want) - offset;
			for (j = 0; j < bytes; j++)
				part[j] = rand();
			memcpy(want + offset, part, bytes);
			assert_int_equal(rfsim_bar_write(device, 2, offset, part, bytes), 0);
			offset = rand() % 64;
			bytes = rand() % (sizeof(want) - 64);
			assert_int_equal(rfsim_bar_read(device, 2, offset, got, bytes), 0);
			assert_memory_equal(got, want + offset, bytes);
		}
		check_world(world);
		rfsim_world_destroy(world);
	}
}

/*
 * The first device copies a block from its local memory to host memory, the
 * second from there to its own. Gives a hash over all TLPs, and the cycles.
 */
static uint64_t exchange(uint64_t knobs, const struct rfsim_config *link, uint64_t *cycles)
{
	static _Alignas(4096) uint8_t host[8192];
	static uint8_t want[BYTES], got[BYTES];
	uint64_t *flags = (uint64_t *)(host + 8192 - 64);
	uint64_t flag_va = SYSTEM_VA + 8192 - 64;
	struct unit first, second;
	struct rfsim_config config;
	struct rfsim_world *world;
	uint64_t bus, hash;
	unsigned int i;

	memset(host, 0, sizeof(host));
	for (i = 0; i < BYTES; i++)
		want[i] = i * 7 + (i >> 8);
	rfsim_config_random(&config, knobs);
	config.link = link->link;
	config.link_errors = link->link_errors;
	assert_int_equal(rfsim_world_create(&config, &world), 0);
	assert_int_equal(rfsim_memory_register(world, host, sizeof(host), &bus), 0);
	unit_create(&first, world, bus, sizeof(host));
	unit_create(&second, world, bus, sizeof(host));

	write_local(&first, DATA, want, BYTES);
	unit_copy(&first, SYSTEM_VA + 5, LOCAL_VA + DATA, flag_va);
	wait_for_word(&first, &flags[0]);
	assert_memory_equal(host + 5, want, BYTES);
	unit_copy(&second, LOCAL_VA + DATA + 1, SYSTEM_VA + 5, flag_va + 8);
	wait_for_word(&second, &flags[1]);
	assert_int_equal(rfsim_bar_read(second.device, 2, DATA + 1, got, BYTES), 0);
	assert_memory_equal(got, want, BYTES);
	assert_int_equal(host[4] | host[5 + BYTES], 0);

	/* And then nothing is left to do anywhere. */
	assert_int_equal(rfsim_run_until(world, world_is_idle, world, 100000), 0);
	check_world(world);
	*cycles = rfsim_cycle(world);
	hash = first.hash ^ second.hash * 31;
	rfsim_world_destroy(world);
	return hash;
}

/* Without a VC capability the device serves each traffic class, and answers in it. */
static void answers_in_the_class_of_the_request(void **state)
{
	static const uint32_t bits[] = {
		0,
		1u << 20,
		3u << 20,
		7u << 20,
		TLP_DW0_RELAXED,
		TLP_DW0_NO_SNOOP | 5u << 20,
		TLP_DW0_ID_ORDER,
	};
	struct rfsim_statistics before, after;
	struct rfsim_device *device;
	struct rfsim_world *world;
	struct rfsim_bar bar;
	uint32_t header[4];
	unsigned int i;

	(void)state;
	assert_int_equal(rfsim_world_create(NULL, &world), 0);
	assert_int_equal(rfsim_device_create(world, &device), 0);
	assert_int_equal(rfsim_enumerate(device), 0);
	assert_int_equal(rfsim_bar(device, 0, &bar), 0);
	rfsim_statistics(device, &before);
	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		tlp_memory_bytes(header, false, 0x0300, (uint8_t)i, bar.address, 8);
		header[0] |= bits[i];
		assert_int_equal(rfsim_tlp_send(device, header, NULL, 0, false), 0);
	}
	assert_int_equal(rfsim_step(world, 2000), 0);
	rfsim_statistics(device, &after);
	assert_int_equal(after.transmit.tlps[RFSIM_TLP_COMPLETION] -
				 before.transmit.tlps[RFSIM_TLP_COMPLETION],
			 i);
	assert_null(rfsim_world_check(world));
	rfsim_world_destroy(world);
}

static void two_devices_share_a_buffer(void **state)
{
	uint64_t cycles, i;

	(void)state;
	for (i = 0; i < 6; i++)
		exchange(seed + i, &no_link, &cycles);
}

static void check_that_runs_repeat(const struct rfsim_config *link)
{
	uint64_t first, second, other, first_cycles, second_cycles, other_cycles;

	first = exchange(seed, link, &first_cycles);
	second = exchange(seed, link, &second_cycles);
	other = exchange(seed + 1, link, &other_cycles);
	assert_int_equal(first, second);
	assert_int_equal(first_cycles, second_cycles);
	assert_int_not_equal(first, other);
}

static void same_seed_same_run(void **state)
{
	(void)state;
	check_that_runs_repeat(&no_link);
}

/* --- behind a link --------------------------------------------------------- */

static void links_share_a_buffer(void **state)
{
	const struct rfsim_config link = { .link = RFSIM_LINK_GEN1X1 };
	uint64_t cycles;

	(void)state;
	exchange(seed, &link, &cycles);
}

/* The same errors, too; and there are some. */
static void links_with_errors_repeat(void **state)
{
	const struct rfsim_config link = { .link = RFSIM_LINK_GEN1X1 };
	const struct rfsim_config errors = { .link = RFSIM_LINK_GEN1X1, .link_errors = 500 };
	uint64_t good_cycles, bad_cycles;

	(void)state;
	check_that_runs_repeat(&errors);
	exchange(seed, &link, &good_cycles);
	exchange(seed, &errors, &bad_cycles);
	assert_true(bad_cycles > good_cycles);
}

/* TIMESTAMP counts the device's clock, which has half the rate of the world's. */
static void its_clock_has_half_the_rate(void **state)
{
	struct rfsim_config config;
	struct rfsim_device *device;
	struct rfsim_world *world;
	uint64_t first, second, hz;

	(void)state;
	rfsim_config_init(&config);
	config.link = RFSIM_LINK_GEN1X1;
	assert_int_equal(rfsim_world_create(&config, &world), 0);
	assert_int_equal(rfsim_device_create(world, &device), 0);
	assert_int_equal(rfsim_enumerate(device), 0);
	assert_int_equal(rfsim_bar_read(device, 0, RF_REG_DEVICE_TIMESTAMP_HZ, &hz, 8), 0);
	assert_int_equal(hz, RFSIM_HZ / 2);
	assert_int_equal(rfsim_bar_read(device, 0, RF_REG_DEVICE_TIMESTAMP, &first, 8), 0);
	first -= rfsim_cycle(world) / 2;
	assert_int_equal(rfsim_step(world, 20000), 0);
	assert_int_equal(rfsim_bar_read(device, 0, RF_REG_DEVICE_TIMESTAMP, &second, 8), 0);
	second -= rfsim_cycle(world) / 2;
	assert_true(second - first <= 1 || first - second <= 1);
	check_world(world);
	rfsim_world_destroy(world);
}

static void what_links_do_not_have_is_refused(void **state)
{
	struct rfsim_config config;
	struct rfsim_device *device;
	struct rfsim_world *world;

	(void)state;
	rfsim_config_init(&config);
	config.link_errors = 2000;
	assert_int_equal(rfsim_world_create(&config, &world), -EINVAL);
	config.link = RFSIM_LINK_GEN1X1;
	config.link_errors = RFSIM_LINK_ERRORS_LEAST - 1;
	assert_int_equal(rfsim_world_create(&config, &world), -EINVAL);
	config.link = 2;
	config.link_errors = 0;
	assert_int_equal(rfsim_world_create(&config, &world), -EINVAL);
	config.link = RFSIM_LINK_GEN1X1;
	assert_int_equal(rfsim_world_create(&config, &world), 0);
	assert_int_equal(rfsim_device_create(world, &device), 0);
	assert_int_equal(rfsim_trace(device, "wave.fst"), -EOPNOTSUPP);
	rfsim_world_destroy(world);
	assert_int_equal(rfsim_world_create(NULL, &world), 0);
	assert_int_equal(rfsim_device_create(world, &device), 0);
	assert_int_equal(rfsim_link_event(device, RFSIM_LINK_RETRAIN), -EOPNOTSUPP);
	rfsim_world_destroy(world);
}

int main(void)
{
#define TEST(function)                                          \
	{                                                       \
		"device." #function, function, NULL, NULL, NULL \
	}
	const struct CMUnitTest tests[] = {
		TEST(local_memory_under_every_knob), TEST(answers_in_the_class_of_the_request),
		TEST(two_devices_share_a_buffer),    TEST(same_seed_same_run),
		TEST(links_share_a_buffer),	     TEST(links_with_errors_repeat),
		TEST(its_clock_has_half_the_rate),   TEST(what_links_do_not_have_is_refused),
	};

	if (getenv("RF_SEED"))
		seed = strtoull(getenv("RF_SEED"), NULL, 0);
	srand(seed);
	printf("# RF_SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
