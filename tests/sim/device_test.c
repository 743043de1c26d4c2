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

#include "unit.h"

#define BYTES 5000

static uint64_t seed = 1;
static const struct rfsim_config no_link;

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
	unit_copy(&first, SYSTEM_VA + 5, LOCAL_VA + DATA, BYTES, flag_va);
	wait_for_word(&first, &flags[0]);
	assert_memory_equal(host + 5, want, BYTES);
	unit_copy(&second, LOCAL_VA + DATA + 1, SYSTEM_VA + 5, BYTES, flag_va + 8);
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
