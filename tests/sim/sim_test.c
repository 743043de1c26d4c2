// SPDX-License-Identifier: Apache-2.0
/*
 * The simulation library against the stand-in device: accesses, memory,
 * interrupts, knobs, faults, order in time, determinism.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "echo.h"

static uint64_t seed = 1;

/* A world with one enumerated device and 32 KiB of registered memory. */
struct bench {
	struct rfsim_world *world;
	struct rfsim_device *device;
	uint16_t id;
	uint8_t *memory;
	uint64_t bus;
	struct echo_script script;
	uint32_t header[4];

	/* What the tap saw. */
	uint64_t tlps[3];
	uint64_t hash;
	struct rfsim_tlp last[3];
	uint32_t last_header[3][4];
};

#define MEMORY_BYTES 32768

static void tap(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct bench *bench = context;
	uint64_t facts[4] = { tlp->stream, tlp->first_cycle, tlp->last_cycle,
			      rfsim_device_index(device) };
	const uint8_t *parts[3] = { (const uint8_t *)facts, (const uint8_t *)tlp->header,
				    (const uint8_t *)tlp->payload };
	size_t sizes[3] = { sizeof(facts), 16, 4 * tlp->words };
	unsigned int i;
	size_t j;

	bench->tlps[tlp->stream]++;
	bench->last[tlp->stream] = *tlp;
	memcpy(bench->last_header[tlp->stream], tlp->header, 16);
	for (i = 0; i < 3; i++) {
		for (j = 0; j < sizes[i]; j++)
			bench->hash = (bench->hash ^ parts[i][j]) * 0x100000001b3ull;
	}
}

static void bench_add_device(struct bench *bench)
{
	assert_int_equal(rfsim_device_create(bench->world, &bench->device), 0);
	bench->id = (rfsim_device_index(bench->device) + 1) << 8;
	rfsim_tlp_callback(bench->device, tap, bench);
	assert_int_equal(rfsim_enumerate(bench->device), 0);
}

static struct bench *bench_create(const struct rfsim_config *config)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	bench->hash = 0xcbf29ce484222325ull;
	assert_int_equal(rfsim_world_create(config, &bench->world), 0);
	bench_add_device(bench);
	bench->memory = aligned_alloc(4096, MEMORY_BYTES);
	memset(bench->memory, 0, MEMORY_BYTES);
	assert_int_equal(
		rfsim_memory_register(bench->world, bench->memory, MEMORY_BYTES, &bench->bus), 0);
	return bench;
}

static void bench_destroy(struct bench *bench)
{
	const char *verdict = rfsim_world_check(bench->world);

	if (verdict)
		fail_msg("%s", verdict);
	rfsim_world_destroy(bench->world);
	free(bench->memory);
	free(bench);
}

static bool device_idle(void *context)
{
	return rfsim_idle(context);
}

static void settle(struct bench *bench)
{
	assert_int_equal(rfsim_run_until(bench->world, device_idle, bench->world, 50000), 0);
}

static void play(struct bench *bench)
{
	assert_int_equal(echo_play(bench->device, &bench->script, 0), 0);
	bench->script.beats = 0;
	settle(bench);
}

static void add_write(struct bench *bench, uint64_t address, const void *bytes, unsigned int count)
{
	uint32_t words[1024] = { 0 };

	tlp_memory_bytes(bench->header, true, bench->id, 0, address, count);
	memcpy((uint8_t *)words + address % 4, bytes, count);
	echo_tlp(&bench->script, 0, bench->header, words, tlp_length(bench->header));
}

static void add_read(struct bench *bench, uint64_t address, unsigned int count, uint8_t tag)
{
	tlp_memory_bytes(bench->header, false, bench->id, tag, address, count);
	echo_beat(&bench->script, ECHO_READ_STREAM, bench->header, 0);
}

/* Words that completions brought, since the last call. */
static unsigned int captured(struct bench *bench, uint32_t *words)
{
	uint32_t count = 0, zero = 0;

	assert_int_equal(rfsim_bar_read(bench->device, 0, ECHO_CAPTURE, &count, 4), 0);
	assert_int_equal(rfsim_bar_read(bench->device, 2, 0, words, 4 * count), 0);
	assert_int_equal(rfsim_bar_write(bench->device, 0, ECHO_CAPTURE, &zero, 4), 0);
	return count;
}

static void fill(void *bytes, size_t count)
{
	uint8_t *to = bytes;

	while (count--)
		*to++ = rand();
}

/* --- accesses by the host ------------------------------------------------- */

static void enumeration_finds_bars(void **state)
{
	static const uint64_t sizes[6] = { 0x20000, 0, 0x4000, 0, 0x1000, 0 };
	struct bench *bench = bench_create(NULL);
	struct rfsim_bar bar;
	unsigned int i;
	uint32_t value;

	(void)state;
	for (i = 0; i < 6; i++) {
		if (!sizes[i]) {
			assert_int_equal(rfsim_bar(bench->device, i, &bar), -EINVAL);
			continue;
		}
		assert_int_equal(rfsim_bar(bench->device, i, &bar), 0);
		assert_int_equal(bar.bytes, sizes[i]);
		assert_int_equal(bar.address % bar.bytes, 0);
	}
	assert_int_equal(rfsim_config_read(bench->device, 4, 2, &value), 0);
	assert_int_equal(value, 6);
	/* Max payload 256 is code 1 in bits 7:5, max read 512 code 2 in 14:12. */
	value = rfsim_config_find(bench->device, 0x10);
	assert_int_equal(value, 0x40);
	assert_int_equal(rfsim_config_read(bench->device, value + 8, 2, &value), 0);
	assert_int_equal(value, 1u << 5 | 2u << 12);
	bench_destroy(bench);
}

static void config_accesses_of_every_size(void **state)
{
	struct bench *bench = bench_create(NULL);
	uint32_t value;

	(void)state;
	assert_int_equal(rfsim_config_read(bench->device, 0, 4, &value), 0);
	assert_int_equal(value, 0x00011e5f);
	assert_int_equal(rfsim_config_read(bench->device, 2, 2, &value), 0);
	assert_int_equal(value, 0x0001);
	assert_int_equal(rfsim_config_read(bench->device, 1, 1, &value), 0);
	assert_int_equal(value, 0x1e);
	/* A byte write leaves its neighbours. */
	assert_int_equal(rfsim_config_write(bench->device, 0x14, 4, 0x11223344), 0);
	assert_int_equal(rfsim_config_write(bench->device, 0x16, 1, 0xaa), 0);
	assert_int_equal(rfsim_config_read(bench->device, 0x14, 4, &value), 0);
	assert_int_equal(value, 0x11aa3344);
	assert_int_equal(rfsim_config_read(bench->device, 1, 2, &value), -EINVAL);
	assert_int_equal(rfsim_config_read(bench->device, 0, 3, &value), -EINVAL);
	assert_int_equal(rfsim_config_read(bench->device, 4096, 4, &value), -EINVAL);
	bench_destroy(bench);
}

static void bar_accesses_at_any_byte(void **state)
{
	static uint8_t want[4096], got[4096], part[1200];
	struct rfsim_config config;
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct bench *bench;
		unsigned int n;

		rfsim_config_random(&config, seed + i);
		bench = bench_create(&config);
		fill(want, sizeof(want));
		rfsim_bar_write(bench->device, 2, 0, want, sizeof(want));
		for (n = 0; n < 40; n++) {
			size_t offset = rand() % sizeof(want);
			size_t bytes = rand() % (n % 2 ? 12 : 1200);

			if (bytes > sizeof(want) - offset)
				bytes = sizeof(want) - offset;
			fill(part, bytes);
			memcpy(want + offset, part, bytes);
			assert_int_equal(rfsim_bar_write(bench->device, 2, offset, part, bytes), 0);
			offset = rand() % 64;
			bytes = rand() % (sizeof(want) - 64);
			assert_int_equal(rfsim_bar_read(bench->device, 2, offset, got, bytes), 0);
			assert_memory_equal(got, want + offset, bytes);
		}
		bench_destroy(bench);
	}
}

static void bar_bounds_are_checked(void **state)
{
	struct bench *bench = bench_create(NULL);
	uint64_t value = 0;

	(void)state;
	assert_int_equal(rfsim_bar_write(bench->device, 2, 0x3ff9, &value, 8), -EINVAL);
	assert_int_equal(rfsim_bar_read(bench->device, 2, 0x4000, &value, 1), -EINVAL);
	assert_int_equal(rfsim_bar_read(bench->device, 1, 0, &value, 8), -EINVAL);
	assert_int_equal(rfsim_bar_read(bench->device, 6, 0, &value, 8), -EINVAL);
	assert_int_equal(rfsim_bar_write(bench->device, 2, 0x3ff8, &value, 8), 0);
	bench_destroy(bench);
}

static void aligned_8_byte_store_is_one_tlp(void **state)
{
	struct bench *bench = bench_create(NULL);
	uint64_t value = 0x1122334455667788;
	uint64_t before = bench->tlps[RFSIM_RECEIVE];

	(void)state;
	rfsim_bar_write(bench->device, 2, 16, &value, 8);
	/* Posted: nothing has happened yet. */
	assert_int_equal(bench->tlps[RFSIM_RECEIVE], before);
	assert_false(rfsim_idle(bench->world));
	settle(bench);
	assert_int_equal(bench->tlps[RFSIM_RECEIVE], before + 1);
	assert_int_equal(tlp_type(bench->last_header[RFSIM_RECEIVE]), TLP_MWR64);
	assert_int_equal(tlp_length(bench->last_header[RFSIM_RECEIVE]), 2);
	/* One beat. */
	assert_int_equal(bench->last[RFSIM_RECEIVE].first_cycle,
			 bench->last[RFSIM_RECEIVE].last_cycle);
	bench_destroy(bench);
}

static void link_error_ends_a_tlp(void **state)
{
	struct bench *bench = bench_create(NULL);
	struct rfsim_bar bar;
	uint64_t replies = bench->tlps[RFSIM_POSTED];

	(void)state;
	rfsim_bar(bench->device, 2, &bar);
	/* Of another requester: what comes back is only seen by the tap. */
	tlp_memory_bytes(bench->header, false, 0x0008, 77, bar.address, 4);
	assert_int_equal(rfsim_tlp_send(bench->device, bench->header, NULL, 0, true), 0);
	settle(bench);
	assert_int_equal(bench->tlps[RFSIM_POSTED], replies);
	assert_int_equal(rfsim_tlp_send(bench->device, bench->header, NULL, 0, false), 0);
	settle(bench);
	assert_int_equal(bench->tlps[RFSIM_POSTED], replies + 1);
	assert_int_equal(tlp_tag(bench->last_header[RFSIM_POSTED]), 77);
	bench_destroy(bench);
}

/* --- host memory ---------------------------------------------------------- */

static void memory_registration(void **state)
{
	struct bench *bench = bench_create(NULL);
	static _Alignas(4096) uint8_t buffer[8192];
	uint64_t first, second;

	(void)state;
	assert_true(bench->bus >= 1ull << 32);
	assert_int_equal(rfsim_memory_register(bench->world, buffer + 40, 4096, &first), 0);
	assert_int_equal(first % 4096, 40);
	assert_int_equal(rfsim_memory_unregister(bench->world, first), 0);
	assert_int_equal(rfsim_memory_unregister(bench->world, first), -ENOENT);
	/* Never again the same address. */
	assert_int_equal(rfsim_memory_register(bench->world, buffer + 40, 4096, &second), 0);
	assert_true(second > first + 4096);
	assert_int_equal(rfsim_memory_register_at(bench->world, buffer, 4096, second + 4088),
			 -EEXIST);
	assert_int_equal(rfsim_memory_register_at(bench->world, buffer, 4096, 0x1004), -EINVAL);
	assert_int_equal(rfsim_memory_register_at(bench->world, buffer, 4096, RFSIM_MSI_BASE),
			 -EINVAL);
	assert_int_equal(rfsim_memory_register_at(bench->world, buffer, 4096, (1ull << 55) - 2048),
			 -EINVAL);
	assert_int_equal(rfsim_memory_register_at(bench->world, buffer, 0, 0x1000), -EINVAL);
	assert_int_equal(rfsim_memory_register_at(bench->world, buffer, 4096, 0x1000), 0);
	bench_destroy(bench);
}

static void device_writes_any_bytes(void **state)
{
	static uint8_t want[MEMORY_BYTES];
	struct bench *bench = bench_create(NULL);
	unsigned int i;

	(void)state;
	for (i = 0; i < 60; i++) {
		unsigned int offset = rand() % 3800, bytes = 1 + rand() % 250;
		uint8_t part[256];

		fill(part, bytes);
		memcpy(want + offset, part, bytes);
		add_write(bench, bench->bus + offset, part, bytes);
		play(bench);
		assert_memory_equal(bench->memory, want, sizeof(want));
	}
	bench_destroy(bench);
}

/* Bus addresses below 4 GiB: 3-DW headers in both directions. */
static void memory_below_4_gib(void **state)
{
	struct bench *bench = bench_create(NULL);
	static _Alignas(8) uint32_t low[4] = { 5, 6, 7, 8 };
	uint32_t words[16];

	(void)state;
	assert_int_equal(rfsim_memory_register_at(bench->world, low, 16, 0x3000), 0);
	add_read(bench, 0x3000, 8, 0);
	add_write(bench, 0x3008, "abcdefgh", 8);
	play(bench);
	assert_memory_equal(low + 2, "abcdefgh", 8);
	assert_int_equal(captured(bench, words), 2);
	assert_int_equal(words[0], 5);
	assert_int_equal(words[1], 6);
	bench_destroy(bench);
}

struct sample {
	struct bench *bench;
	uint64_t cycle, value;
};

static void sample_memory(void *context)
{
	struct sample *sample = context;

	sample->cycle = rfsim_cycle(sample->bench->world);
	sample->value = *(uint64_t *)sample->bench->memory;
}

/* A write is in memory from the cycle after its last beat on, not before. */
static void write_is_performed_when_accepted(void **state)
{
	struct bench *bench = bench_create(NULL);
	struct sample samples[200];
	uint64_t begin, i;

	(void)state;
	add_write(bench, bench->bus, "12345678", 8);
	begin = rfsim_cycle(bench->world);
	for (i = 0; i < 200; i++) {
		samples[i].bench = bench;
		assert_int_equal(rfsim_at(bench->world, begin + i, sample_memory, &samples[i]), 0);
	}
	play(bench);
	rfsim_step(bench->world, 200);
	for (i = 0; i < 200; i++) {
		assert_int_equal(samples[i].cycle, begin + i);
		assert_int_equal(samples[i].value != 0,
				 samples[i].cycle > bench->last[RFSIM_POSTED].last_cycle);
	}
	assert_in_range(bench->last[RFSIM_POSTED].last_cycle, begin, begin + 150);
	bench_destroy(bench);
}

/* --- completions of the root port ----------------------------------------- */

struct completion_check {
	struct rfsim_port_config config;
	uint64_t completions, cuts;
	uint64_t next[256], remaining[256];
	uint8_t order[256];
	unsigned int orders, overtaken;
};

/* The root port obeys the rules too: cuts at its boundary, counts that add up. */
static void check_completion(void *context, struct rfsim_device *device,
			     const struct rfsim_tlp *tlp)
{
	struct completion_check *check = context;
	uint8_t tag = tlp_tag(tlp->header);
	unsigned int bytes;

	(void)device;
	if (tlp->stream == RFSIM_READ) {
		check->next[tag] = tlp_first_byte(tlp->header);
		check->remaining[tag] = tlp_request_bytes(tlp->header);
		check->order[check->orders++] = tag;
		return;
	}
	if (tlp->stream != RFSIM_RECEIVE || !tlp_is_completion(tlp->header))
		return;
	check->completions++;
	assert_true(tlp->words * 4 <= check->config.max_payload);
	assert_int_equal(tlp->words, tlp_length(tlp->header));
	assert_int_equal(tlp_byte_count(tlp->header), check->remaining[tag]);
	assert_int_equal(tlp_lower_address(tlp->header), check->next[tag] & 0x7f);
	bytes = 4 * tlp->words - check->next[tag] % 4;
	if (bytes >= check->remaining[tag]) {
		check->remaining[tag] = 0;
		if (check->order[0] != tag)
			check->overtaken++;
		memmove(check->order, check->order + 1, --check->orders);
		return;
	}
	check->cuts++;
	check->remaining[tag] -= bytes;
	check->next[tag] += bytes;
	assert_int_equal(check->next[tag] % check->config.completion_boundary, 0);
}

static void read_completions(uint64_t knobs, bool may_cut, bool may_overtake)
{
	struct completion_check check = { 0 };
	struct rfsim_config config;
	struct bench *bench;
	unsigned int i, tag;
	uint32_t words[4096];

	rfsim_config_init(&config);
	config.seed = knobs;
	config.port.read_latency_max = 200;
	config.port.read_early_percent = 50;
	config.port.split_percent = may_cut ? 50 : 0;
	config.port.reorder_percent = may_overtake ? 70 : 0;
	config.port.max_payload = 512;
	config.port.completion_boundary = knobs % 2 ? 64 : 128;
	bench = bench_create(&config);
	fill(bench->memory, MEMORY_BYTES);
	check.config = config.port;
	for (i = 0; i < 30; i++) {
		unsigned int total = 0;

		rfsim_tlp_callback(bench->device, check_completion, &check);
		for (tag = 0; tag < 6; tag++) {
			unsigned int offset = rand() % 3500, bytes = 1 + rand() % 500;

			add_read(bench, bench->bus + offset, bytes, tag);
			total += tlp_length(bench->header);
		}
		play(bench);
		rfsim_tlp_callback(bench->device, NULL, NULL);
		assert_int_equal(check.orders, 0);
		assert_int_equal(captured(bench, words), total);
	}
	assert_int_equal(check.cuts != 0, may_cut);
	assert_int_equal(check.overtaken != 0, may_overtake);
	bench_destroy(bench);
}

static void completions_whole_and_in_order(void **state)
{
	(void)state;
	read_completions(seed, false, false);
	read_completions(seed + 1, false, false);
}

static void completions_split_at_boundary(void **state)
{
	(void)state;
	read_completions(seed, true, false);
	read_completions(seed + 1, true, false);
}

static void completions_reordered_across_tags(void **state)
{
	(void)state;
	read_completions(seed, false, true);
	read_completions(seed, true, true);
}

/* Data of every offset and length, pieces in order. */
static void completions_carry_memory(void **state)
{
	struct rfsim_config config;
	struct bench *bench;
	uint32_t words[4096];
	unsigned int i;

	(void)state;
	rfsim_config_random(&config, seed);
	config.port.max_read = 512;
	bench = bench_create(&config);
	fill(bench->memory, MEMORY_BYTES);
	for (i = 0; i < 60; i++) {
		unsigned int offset = rand() % 3500, bytes = 1 + rand() % 500;
		unsigned int count;

		add_read(bench, bench->bus + offset, bytes, 0);
		play(bench);
		count = captured(bench, words);
		assert_int_equal(count, tlp_length(bench->header));
		assert_memory_equal((uint8_t *)words + offset % 4, bench->memory + offset, bytes);
	}
	bench_destroy(bench);
}

static void read_latency_is_exact(void **state)
{
	static const uint32_t latencies[] = { 0, 1, 31, 500 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		struct rfsim_config config;
		struct bench *bench;

		rfsim_config_init(&config);
		config.port.read_latency_min = latencies[i];
		config.port.read_latency_max = latencies[i];
		bench = bench_create(&config);
		add_read(bench, bench->bus, 8, 0);
		play(bench);
		assert_int_equal(bench->last[RFSIM_RECEIVE].first_cycle -
					 bench->last[RFSIM_READ].first_cycle,
				 latencies[i] + 1);
		bench_destroy(bench);
	}
}

static void set_memory(void *context)
{
	struct bench *bench = context;

	memset(bench->memory, 0x22, 8);
}

/* An early read brings what was there at its request, a late one the newest. */
static void early_and_late_reads(void **state)
{
	static const uint32_t percent[] = { 0, 100 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct rfsim_config config;
		struct bench *bench;
		uint32_t words[16];

		rfsim_config_init(&config);
		config.port.read_latency_min = config.port.read_latency_max = 100;
		config.port.read_early_percent = percent[i];
		bench = bench_create(&config);
		memset(bench->memory, 0x11, 8);
		add_read(bench, bench->bus, 8, 0);
		echo_play(bench->device, &bench->script, 0);
		rfsim_at(bench->world, rfsim_cycle(bench->world) + 60, set_memory, bench);
		settle(bench);
		assert_int_equal(captured(bench, words), 2);
		assert_int_equal(words[0], percent[i] ? 0x11111111 : 0x22222222);
		bench_destroy(bench);
	}
}

/* --- faults --------------------------------------------------------------- */

static void faults_hit_the_read_they_name(void **state)
{
	static const struct {
		enum rfsim_fault_kind kind;
		uint32_t marker;
	} cases[] = {
		{ RFSIM_FAULT_UNSUPPORTED, 0xdead0001 },
		{ RFSIM_FAULT_ABORT, 0xdead0004 },
	};
	struct bench *bench = bench_create(NULL);
	struct rfsim_fault fault;
	uint32_t words[16];
	unsigned int i;

	(void)state;
	*(uint32_t *)bench->memory = 0x600d;
	for (i = 0; i < 2; i++) {
		/* The second read of the first page, once. */
		fault = (struct rfsim_fault){ cases[i].kind, bench->bus, bench->bus + 4095, 1, 1 };
		assert_int_equal(rfsim_fault_add(bench->device, &fault), 0);
		add_read(bench, bench->bus + 4096, 4, 0);
		add_read(bench, bench->bus, 4, 1);
		add_read(bench, bench->bus, 4, 2);
		add_read(bench, bench->bus, 4, 3);
		play(bench);
		assert_int_equal(captured(bench, words), 4);
		assert_int_equal(words[0], 0);
		assert_int_equal(words[1], 0x600d);
		assert_int_equal(words[2], cases[i].marker);
		assert_int_equal(words[3], 0x600d);
		assert_int_equal(rfsim_fault_hits(bench->device), i + 1);
		rfsim_fault_clear(bench->device);
	}

	fault = (struct rfsim_fault){ RFSIM_FAULT_POISONED, 0, UINT64_MAX, 0, 1 };
	rfsim_fault_add(bench->device, &fault);
	bench->tlps[RFSIM_RECEIVE] = 0;
	add_read(bench, bench->bus, 4, 0);
	play(bench);
	assert_true(bench->last_header[RFSIM_RECEIVE][0] & TLP_DW0_POISONED);
	captured(bench, words);

	fault.kind = RFSIM_FAULT_SILENCE;
	rfsim_fault_add(bench->device, &fault);
	add_read(bench, bench->bus, 4, 0);
	play(bench);
	rfsim_step(bench->world, 500);
	assert_int_equal(captured(bench, words), 0);
	bench_destroy(bench);
}

static void lost_link_loses_everything(void **state)
{
	struct rfsim_fault fault = { RFSIM_FAULT_LINK_DOWN, 0, UINT64_MAX, 0, 1 };
	struct bench *bench = bench_create(NULL);
	uint64_t value = 7, cycle;

	(void)state;
	rfsim_fault_add(bench->device, &fault);
	add_read(bench, bench->bus, 4, 0);
	add_write(bench, bench->bus, "lost", 4);
	assert_int_equal(echo_play(bench->device, &bench->script, 0), 0);
	rfsim_step(bench->world, 300);
	assert_int_equal(bench->memory[0], 0);
	cycle = rfsim_cycle(bench->world);
	assert_int_equal(rfsim_bar_read(bench->device, 2, 0, &value, 8), -ENOLINK);
	assert_int_equal(value, UINT64_MAX);
	assert_int_equal(rfsim_cycle(bench->world), cycle);
	assert_int_equal(rfsim_bar_write(bench->device, 2, 0, &value, 8), 0);
	assert_true(rfsim_idle(bench->world));
	rfsim_link_set(bench->device, true);
	assert_int_equal(rfsim_bar_read(bench->device, 2, 0, &value, 8), 0);
	assert_int_equal(value, 0);
	bench_destroy(bench);
}

/* --- interrupts ----------------------------------------------------------- */

struct interrupts {
	struct bench *bench;
	unsigned int count;
	uint32_t data[16];
	uint64_t cycle[16];
	unsigned int depth;
	bool access; /* the callback reads a register */
};

static void on_interrupt(void *context, struct rfsim_device *device, uint32_t data)
{
	struct interrupts *seen = context;
	uint32_t value;

	assert_int_equal(seen->depth++, 0);
	seen->data[seen->count] = data;
	seen->cycle[seen->count++] = rfsim_cycle(seen->bench->world);
	if (seen->access)
		assert_int_equal(rfsim_bar_read(device, 2, 0, &value, 4), 0);
	seen->depth--;
}

static void add_msi(struct bench *bench, uint32_t vector)
{
	add_write(bench, RFSIM_MSI_BASE, &vector, 4);
}

static void interrupts_come_in_order(void **state)
{
	struct interrupts seen = { 0 };
	struct rfsim_config config;
	struct rfsim_statistics statistics;
	unsigned int i;

	(void)state;
	rfsim_config_init(&config);
	config.port.msi_delay_max = 100;
	seen.bench = bench_create(&config);
	seen.access = true;
	assert_int_equal(rfsim_msix_enable(seen.bench->device), 4);
	rfsim_interrupt_callback(seen.bench->device, on_interrupt, &seen);
	for (i = 0; i < 8; i++)
		add_msi(seen.bench, i);
	play(seen.bench);
	assert_int_equal(seen.count, 8);
	for (i = 0; i < 8; i++)
		assert_int_equal(seen.data[i], i);
	rfsim_statistics(seen.bench->device, &statistics);
	assert_int_equal(statistics.interrupts, 8);
	assert_int_equal(statistics.transmit.tlps[RFSIM_TLP_MSI], 8);
	bench_destroy(seen.bench);
}

static void interrupt_delay_is_exact(void **state)
{
	static const uint32_t delays[] = { 0, 40 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct interrupts seen = { 0 };
		struct rfsim_config config;

		rfsim_config_init(&config);
		config.port.msi_delay_min = config.port.msi_delay_max = delays[i];
		seen.bench = bench_create(&config);
		rfsim_interrupt_callback(seen.bench->device, on_interrupt, &seen);
		add_msi(seen.bench, 3);
		play(seen.bench);
		assert_int_equal(seen.count, 1);
		assert_int_equal(seen.cycle[0],
				 seen.bench->last[RFSIM_POSTED].last_cycle + 1 + delays[i]);
		bench_destroy(seen.bench);
	}
}

static void held_interrupts_wait_for_release(void **state)
{
	struct interrupts seen = { .bench = bench_create(NULL) };

	(void)state;
	rfsim_interrupt_callback(seen.bench->device, on_interrupt, &seen);
	rfsim_interrupts_hold(seen.bench->world);
	rfsim_interrupts_hold(seen.bench->world);
	add_msi(seen.bench, 1);
	add_msi(seen.bench, 2);
	play(seen.bench);
	rfsim_step(seen.bench->world, 100);
	assert_int_equal(seen.count, 0);
	rfsim_interrupts_release(seen.bench->world);
	assert_int_equal(seen.count, 0);
	rfsim_interrupts_release(seen.bench->world);
	assert_int_equal(seen.count, 2);
	assert_int_equal(seen.data[1], 2);
	bench_destroy(seen.bench);
}

/* --- time ----------------------------------------------------------------- */

struct record {
	struct bench *bench;
	unsigned int *next, mine, position;
	uint64_t cycle;
	int step_error;
};

static void on_action(void *context)
{
	struct record *record = context;
	uint32_t value;

	record->cycle = rfsim_cycle(record->bench->world);
	record->position = (*record->next)++;
	record->step_error = rfsim_step(record->bench->world, 1);
	assert_int_equal(rfsim_bar_read(record->bench->device, 2, 0, &value, 4), -EDEADLK);
	assert_int_equal(
		rfsim_run_until(record->bench->world, device_idle, record->bench->world, 1),
		-EDEADLK);
	assert_int_equal(rfsim_wait(record->bench->world, device_idle, record->bench->world, 1, 0),
			 -EDEADLK);
}

static void actions_run_in_their_cycle(void **state)
{
	struct bench *bench = bench_create(NULL);
	struct record records[64];
	unsigned int next = 0, i;
	uint64_t now = rfsim_cycle(bench->world);

	(void)state;
	for (i = 0; i < 64; i++) {
		records[i] = (struct record){ .bench = bench, .next = &next };
		assert_int_equal(rfsim_at(bench->world, now + i * 37 % 16, on_action, &records[i]),
				 0);
	}
	assert_false(rfsim_idle(bench->world));
	rfsim_step(bench->world, 16);
	assert_int_equal(next, 64);
	for (i = 0; i < 64; i++) {
		assert_int_equal(records[i].cycle, now + i * 37 % 16);
		assert_int_equal(records[i].step_error, -EDEADLK);
		/* Of one cycle: in the order of the calls. */
		if (i >= 16)
			assert_true(records[i].position > records[i - 16].position);
	}
	assert_int_equal(rfsim_at(bench->world, now, on_action, records), -EINVAL);
	bench_destroy(bench);
}

static void ring(void *context)
{
	struct bench *bench = context;
	uint64_t value = 1;

	assert_int_equal(rfsim_bar_write(bench->device, 2, 0, &value, 8), 0);
}

static void write_in_the_cycle_is_presented_in_it(void **state)
{
	struct bench *bench = bench_create(NULL);
	uint64_t cycle = rfsim_cycle(bench->world) + 33;

	(void)state;
	rfsim_at(bench->world, cycle, ring, bench);
	settle(bench);
	assert_int_equal(bench->last[RFSIM_RECEIVE].first_cycle, cycle);
	bench_destroy(bench);
}

static bool never(void *context)
{
	(void)context;
	return false;
}

static bool memory_set(void *context)
{
	struct bench *bench = context;

	return bench->memory[0] != 0;
}

static void time_stands_still_while_idle(void **state)
{
	struct bench *bench = bench_create(NULL);
	uint64_t cycle;

	(void)state;
	settle(bench);
	cycle = rfsim_cycle(bench->world);
	assert_int_equal(rfsim_wait(bench->world, never, NULL, 1000, 0), -ETIMEDOUT);
	assert_int_equal(rfsim_wait(bench->world, never, NULL, 1000, 5), -ETIMEDOUT);
	assert_int_equal(rfsim_cycle(bench->world), cycle);
	/* With something under way it goes on, to the cycle of the event. */
	add_write(bench, bench->bus, "x", 1);
	echo_play(bench->device, &bench->script, 0);
	assert_int_equal(rfsim_wait(bench->world, memory_set, bench, 1000, 0), 0);
	assert_int_equal(rfsim_cycle(bench->world), bench->last[RFSIM_POSTED].last_cycle + 1);
	/* Cycles run out before idleness does. */
	rfsim_at(bench->world, rfsim_cycle(bench->world) + 5000, ring, bench);
	cycle = rfsim_cycle(bench->world);
	assert_int_equal(rfsim_wait(bench->world, never, NULL, 1000, -1), -ETIMEDOUT);
	assert_int_equal(rfsim_cycle(bench->world), cycle + 1000);
	bench_destroy(bench);
}

/* --- rates and back-pressure ---------------------------------------------- */

/* 64-bit writes of 128 bytes take 152 on the wire: 38 cycles at 4 a cycle. */
static void link_rate_limits_both_directions(void **state)
{
	static uint8_t bytes[4096];
	struct rfsim_statistics before, after;
	struct rfsim_config config;
	struct bench *bench;
	uint64_t cycles;
	unsigned int i;

	(void)state;
	rfsim_config_init(&config);
	config.port.transmit_rate = 4;
	config.port.receive_rate = 4;
	config.port.max_payload = 128;
	bench = bench_create(&config);
	for (i = 0; i < 15; i++)
		add_write(bench, bench->bus + 128 * i, bytes, 128);
	play(bench);
	cycles = bench->last[RFSIM_POSTED].last_cycle;
	for (i = 0; i < 15; i++)
		add_write(bench, bench->bus + 128 * i, bytes, 128);
	rfsim_statistics(bench->device, &before);
	bench->tlps[RFSIM_POSTED] = 0;
	echo_play(bench->device, &bench->script, 0);
	while (bench->tlps[RFSIM_POSTED] < 1)
		rfsim_step(bench->world, 1);
	cycles = bench->last[RFSIM_POSTED].first_cycle;
	settle(bench);
	rfsim_statistics(bench->device, &after);
	assert_int_equal(after.transmit.wire_bytes - before.transmit.wire_bytes, 15 * 152);
	/* From the first beat of the first to the first beat of the last. */
	assert_int_equal(bench->last[RFSIM_POSTED].first_cycle - cycles, 14 * 38);

	bench->tlps[RFSIM_RECEIVE] = 0;
	rfsim_bar_write(bench->device, 2, 0, bytes, 4096);
	while (bench->tlps[RFSIM_RECEIVE] < 1)
		rfsim_step(bench->world, 1);
	cycles = bench->last[RFSIM_RECEIVE].first_cycle;
	settle(bench);
	assert_int_equal(bench->tlps[RFSIM_RECEIVE], 32);
	assert_int_equal(bench->last[RFSIM_RECEIVE].first_cycle - cycles, 31 * 38);
	bench_destroy(bench);
}

static void ready_ports_never_stall(void **state)
{
	static uint8_t bytes[4096];
	struct rfsim_statistics statistics;
	struct rfsim_port_config port;
	struct bench *bench = bench_create(NULL);
	unsigned int i;

	(void)state;
	for (i = 0; i < 16; i++) {
		add_write(bench, bench->bus + 64 * i, bytes, 64);
		add_read(bench, bench->bus + 64 * i, 64, i);
	}
	play(bench);
	rfsim_statistics(bench->device, &statistics);
	assert_int_equal(statistics.transmit.stalls, 0);
	assert_int_equal(statistics.transmit.tlps[RFSIM_TLP_MEMORY_WRITE], 16);
	assert_int_equal(statistics.transmit.payload_bytes[RFSIM_TLP_MEMORY_WRITE], 1024);
	assert_int_equal(statistics.transmit.tlps[RFSIM_TLP_MEMORY_READ], 16);
	assert_int_equal(statistics.cycles, rfsim_cycle(bench->world));

	/* The same with every port busy half of the time. */
	rfsim_port_config(bench->device, &port);
	port.posted_stall_percent = port.read_stall_percent = 50;
	port.receive_gap_percent = 50;
	assert_int_equal(rfsim_port_configure(bench->device, &port), 0);
	for (i = 0; i < 16; i++) {
		add_write(bench, bench->bus + 64 * i, bytes, 64);
		add_read(bench, bench->bus + 64 * i, 64, i);
	}
	bench->tlps[RFSIM_RECEIVE] = 0;
	play(bench);
	rfsim_statistics(bench->device, &statistics);
	assert_true(statistics.transmit.stalls > 100);
	/* A completion of 64 bytes is 8 beats; gaps make it longer. */
	assert_true(bench->last[RFSIM_RECEIVE].last_cycle - bench->last[RFSIM_RECEIVE].first_cycle >
		    7);
	port.posted_stall_percent = 101;
	assert_int_equal(rfsim_port_configure(bench->device, &port), -EINVAL);
	bench_destroy(bench);
}

/* --- determinism ---------------------------------------------------------- */

/* Some of everything, under the knobs of one seed. */
static uint64_t run(uint64_t knobs, uint64_t *cycles)
{
	struct interrupts seen = { 0 };
	struct rfsim_config config;
	struct bench *bench;
	uint8_t bytes[512];
	uint64_t hash;
	unsigned int i;

	rfsim_config_random(&config, knobs);
	bench = bench_create(&config);
	seen.bench = bench;
	rfsim_interrupt_callback(bench->device, on_interrupt, &seen);
	memset(bytes, 0x5a, sizeof(bytes));
	for (i = 0; i < 10; i++) {
		add_write(bench, bench->bus + 100 * i, bytes, 100);
		add_read(bench, bench->bus + 77 * i, 120, i);
	}
	add_msi(bench, 1);
	echo_play(bench->device, &bench->script, 0);
	rfsim_bar_read(bench->device, 2, 5, bytes, sizeof(bytes));
	rfsim_wait(bench->world, never, NULL, 20000, 0);
	*cycles = rfsim_cycle(bench->world);
	hash = bench->hash;
	assert_int_equal(seen.count, 1);
	bench_destroy(bench);
	return hash;
}

static void same_seed_same_cycles_same_tlps(void **state)
{
	uint64_t i, different = 0, last = 0;

	(void)state;
	for (i = 0; i < 8; i++) {
		uint64_t first_cycles, second_cycles;
		uint64_t first = run(seed + i, &first_cycles);
		uint64_t second = run(seed + i, &second_cycles);

		assert_int_equal(first, second);
		assert_int_equal(first_cycles, second_cycles);
		different += first != last;
		last = first;
	}
	/* And seeds do make a difference. */
	assert_int_equal(different, 8);
}

/* --- several devices ------------------------------------------------------ */

/* The first writes a buffer, the second reads it, in one order of clocks. */
static void two_devices_share_a_buffer(void **state)
{
	static uint32_t want[256];
	uint32_t words[4096];
	struct bench *first = bench_create(NULL), *second;
	unsigned int i;

	(void)state;
	second = calloc(1, sizeof(*second));
	second->world = first->world;
	bench_add_device(second);
	assert_int_not_equal(first->id, second->id);
	fill(want, sizeof(want));
	for (i = 0; i < 8; i++) {
		add_write(first, first->bus + 128 * i, want + 32 * i, 128);
		add_read(second, first->bus + 128 * i, 128, i);
	}
	assert_int_equal(echo_play(first->device, &first->script, 0), 0);
	settle(first);
	assert_int_equal(echo_play(second->device, &second->script, 0), 0);
	settle(first);
	assert_int_equal(captured(second, words), 256);
	assert_memory_equal(words, want, sizeof(want));
	assert_int_equal(captured(first, words), 0);
	free(second);
	bench_destroy(first);
}

/* --- requests between devices ------------------------------------------------ */

#define WINDOW 0x400u /* in BAR 2 of the other device, behind what it captures */
#define WINDOW_BYTES 1024u

/* Two devices of one world, of which the first may reach a part of the second. */
struct peers {
	struct bench *first, *second;
	uint64_t window; /* its bus address */
};

static struct peers peers_create(const struct rfsim_config *config)
{
	struct peers peers = { .first = bench_create(config) };
	struct rfsim_bar bar;

	peers.second = calloc(1, sizeof(*peers.second));
	peers.second->world = peers.first->world;
	bench_add_device(peers.second);
	assert_int_equal(rfsim_bar(peers.second->device, 2, &bar), 0);
	peers.window = bar.address + WINDOW;
	assert_int_equal(
		rfsim_peer_open(peers.first->device, peers.second->device, 2, WINDOW, WINDOW_BYTES),
		0);
	return peers;
}

static void peers_destroy(struct peers *peers)
{
	free(peers->second);
	bench_destroy(peers->first);
}

/* What the host finds there. */
static uint32_t word_in_window(struct peers *peers, uint64_t offset)
{
	uint32_t word;

	assert_int_equal(rfsim_bar_read(peers->second->device, 2, WINDOW + offset, &word, 4), 0);
	return word;
}

static void requests_reach_another_device(void **state)
{
	static uint32_t want[128];
	uint32_t words[4096];
	struct rfsim_config config;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct peers peers;

		rfsim_config_random(&config, seed + i);
		config.port.peer_delay_max = 40 * i;
		if (i < 3) /* then the data come in order, and are compared */
			config.port.reorder_percent = 0;
		peers = peers_create(&config);
		fill(want, sizeof(want));
		for (k = 0; k < 128; k += 16)
			add_write(peers.first, peers.window + 4 * k, want + k, 64);
		/* a read pushes the writes before it */
		add_read(peers.first, peers.window, 64, 3);
		for (k = 1; k < 8; k++)
			add_read(peers.first, peers.window + 64 * k, 64, 3 + k);
		play(peers.first);
		for (k = 0; k < 128; k++)
			assert_int_equal(word_in_window(&peers, 4 * k), want[k]);
		assert_int_equal(captured(peers.first, words), 128);
		if (!config.port.reorder_percent)
			assert_memory_equal(words, want, sizeof(want));
		assert_int_equal(captured(peers.second, words), 0);
		peers_destroy(&peers);
	}
}

/* Seen by the host in the cycle in which the write for the other device is sent to it. */
struct arrival {
	struct bench *first;
	uint64_t value, cycle;
	unsigned int count;
};

static void arrives(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct arrival *arrival = context;

	(void)device;
	if (tlp->stream != RFSIM_RECEIVE || tlp_requester(tlp->header) != arrival->first->id)
		return;
	if (!arrival->count++)
		arrival->cycle = tlp->first_cycle;
	arrival->value = *(volatile uint64_t *)arrival->first->memory;
	/* the value that was written before it is there, and they come in order */
	assert_true(arrival->value >= arrival->count);
	assert_int_equal(tlp->payload[0], arrival->count);
}

static void writes_keep_their_order(void **state)
{
	static const uint32_t delays[][2] = { { 0, 0 }, { 500, 500 }, { 0, 300 } };
	struct rfsim_config config;
	struct arrival arrival;
	uint64_t number, sent;
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct peers peers;

		rfsim_config_init(&config);
		config.seed = seed + i;
		config.port.peer_delay_min = delays[i][0];
		config.port.peer_delay_max = delays[i][1];
		peers = peers_create(&config);
		arrival = (struct arrival){ .first = peers.first };
		rfsim_tlp_callback(peers.second->device, arrives, &arrival);
		for (number = 1; number <= 8; number++) {
			add_write(peers.first, peers.first->bus, &number, 8);
			add_write(peers.first, peers.window + 8 * number, &number, 8);
		}
		sent = rfsim_cycle(peers.first->world);
		play(peers.first);
		assert_int_equal(arrival.count, 8);
		assert_true(arrival.cycle >= sent + delays[i][0]);
		peers_destroy(&peers);
	}
}

/* Of a root complex that does not route: no error of the device. */
static void requests_are_refused(void **state)
{
	struct rfsim_config config;
	struct peers peers;
	uint32_t words[4096], number = 7;

	(void)state;
	rfsim_config_init(&config);
	config.port.peer_off = 1;
	peers = peers_create(&config);
	add_write(peers.first, peers.window, &number, 4);
	add_read(peers.first, peers.window, 4, 1);
	play(peers.first);
	assert_int_equal(captured(peers.first, words), 1);
	assert_int_equal(words[0], 0xdead0001);
	assert_int_equal(word_in_window(&peers, 0), 0);
	peers_destroy(&peers);
}

static void peers_end_with_violations(struct peers *peers, uint64_t count)
{
	assert_int_equal(rfsim_violations(peers->first->world, RFSIM_RULE_UNMAPPED), count);
	assert_non_null(strstr(rfsim_world_check(peers->first->world), "that was not opened"));
	rfsim_world_destroy(peers->first->world);
	free(peers->first->memory);
	free(peers->first);
	free(peers->second);
}

static void what_is_not_open_is_not_reached(void **state)
{
	struct peers peers = peers_create(NULL);
	static const uint32_t across[2] = { 7, 7 };
	uint32_t words[4096], number = 7;
	uint64_t end = peers.window + WINDOW_BYTES;

	(void)state;
	/* before it, across its end, and behind it */
	add_write(peers.first, peers.window - 4, &number, 4);
	add_write(peers.first, end - 4, across, 8);
	add_read(peers.first, end, 4, 1);
	play(peers.first);
	assert_int_equal(captured(peers.first, words), 1);
	assert_int_equal(words[0], 0xdead0001);
	assert_int_equal(word_in_window(&peers, WINDOW_BYTES - 4), 0);
	/* the other way nothing is open */
	add_write(peers.second, peers.first->bus, &number, 4);
	play(peers.second);
	assert_int_equal(rfsim_violations(peers.first->world, RFSIM_RULE_UNMAPPED), 3);
	rfsim_peer_close(peers.first->device, peers.second->device);
	add_write(peers.first, peers.window, &number, 4);
	play(peers.first);
	assert_int_equal(word_in_window(&peers, 0), 0);
	peers_end_with_violations(&peers, 4);
}

static void windows_are_checked(void **state)
{
	struct peers peers = peers_create(NULL);
	struct rfsim_device *first = peers.first->device, *second = peers.second->device;
	unsigned int i;

	(void)state;
	assert_int_equal(rfsim_peer_open(first, first, 2, 0, 4), -EINVAL);
	assert_int_equal(rfsim_peer_open(first, second, 1, 0, 4), -EINVAL);
	assert_int_equal(rfsim_peer_open(first, second, 6, 0, 4), -EINVAL);
	assert_int_equal(rfsim_peer_open(first, second, 2, 16384 - 4, 8), -EINVAL);
	assert_int_equal(rfsim_peer_open(first, second, 2, 0, 0), -EINVAL);
	for (i = 1; i < 16; i++)
		assert_int_equal(rfsim_peer_open(first, second, 2, 0, 4), 0);
	assert_int_equal(rfsim_peer_open(first, second, 2, 0, 4), -ENOSPC);
	peers_destroy(&peers);
}

/* The other device is not there any more. */
static void a_link_between_goes_down(void **state)
{
	struct rfsim_config config;
	struct peers peers;
	uint32_t words[4096], number = 7;

	(void)state;
	rfsim_config_init(&config);
	config.port.peer_delay_min = config.port.peer_delay_max = 200;
	peers = peers_create(&config);
	add_write(peers.first, peers.window, &number, 4);
	add_read(peers.first, peers.window, 4, 1);
	assert_int_equal(echo_play(peers.first->device, &peers.first->script, 0), 0);
	assert_int_equal(rfsim_step(peers.first->world, 100), 0);
	rfsim_link_set(peers.second->device, false);
	settle(peers.first);
	assert_int_equal(captured(peers.first, words), 1);
	assert_int_equal(words[0], 0xdead0001);
	peers_destroy(&peers);
}

/* --- a device of its own ---------------------------------------------------- */

/* Each device has its own memory at one address, with its permissions, and reaches no BAR of another. */
static void memory_behind_an_iommu_is_of_one_device(void **state)
{
	static uint64_t pages[2][512] __attribute__((aligned(4096)));
	struct rfsim_config config;
	uint32_t words[4096], number = 7;
	struct peers peers;

	(void)state;
	rfsim_config_init(&config);
	config.iommu = true;
	peers = peers_create(&config);
	memset(pages, 0, sizeof(pages));
	assert_int_equal(rfsim_iommu_map(peers.first->device, pages[0], 4096, 0x10000, true, true),
			 0);
	assert_int_equal(
		rfsim_iommu_map(peers.second->device, pages[1], 4096, 0x10000, true, false), 0);
	assert_int_equal(rfsim_iommu_map(peers.first->device, pages[1], 8, 0x10ff8, true, true),
			 -EEXIST);
	add_write(peers.first, 0x10000, "of first", 8);
	add_read(peers.second, 0x10000, 8, 1);
	play(peers.first);
	play(peers.second);
	assert_memory_equal(pages[0], "of first", 8);
	assert_int_equal(captured(peers.second, words), 2);
	assert_int_equal(words[0] | words[1] | pages[1][0], 0);
	assert_null(rfsim_world_check(peers.first->world));

	/* read-only, of the world, of the BAR, and no longer mapped */
	add_write(peers.second, 0x10000, &number, 4);
	play(peers.second);
	add_write(peers.first, peers.first->bus, &number, 4);
	add_write(peers.first, peers.window, &number, 4);
	play(peers.first);
	assert_int_equal(rfsim_iommu_unmap(peers.first->device, 0x10000), 0);
	assert_int_equal(rfsim_iommu_unmap(peers.first->device, 0x10000), -ENOENT);
	add_write(peers.first, 0x10000, &number, 4);
	play(peers.first);
	assert_int_equal(rfsim_violations(peers.first->world, RFSIM_RULE_UNMAPPED), 4);
	assert_int_equal(pages[1][0], 0);
	assert_int_equal(word_in_window(&peers, 0), 0);
	rfsim_world_destroy(peers.first->world);
	free(peers.first->memory);
	free(peers.first);
	free(peers.second);
}

static void there_is_no_iommu_without_the_word(void **state)
{
	static uint64_t page[512] __attribute__((aligned(4096)));
	struct bench *bench = bench_create(NULL);

	(void)state;
	assert_int_equal(rfsim_iommu_map(bench->device, page, 4096, 0x10000, true, true), -EINVAL);
	assert_int_equal(rfsim_iommu_unmap(bench->device, 0x10000), -ENOENT);
	bench_destroy(bench);
}

/*
 * A device is exchanged while it has an MSI, reads and requests to the other device on their way:
 * none of them arrives, the new device knows nothing of the old one, and the other one goes on.
 */
static void a_device_is_exchanged(void **state)
{
	struct interrupts seen = { 0 };
	struct rfsim_config config;
	uint32_t words[4096], number = 7;
	struct rfsim_bar bar;
	struct peers peers;

	(void)state;
	rfsim_config_init(&config);
	config.port.peer_delay_min = config.port.peer_delay_max = 400;
	config.port.msi_delay_min = config.port.msi_delay_max = 400;
	config.port.read_latency_min = config.port.read_latency_max = 400;
	peers = peers_create(&config);
	seen.bench = peers.first;
	rfsim_interrupt_callback(peers.first->device, on_interrupt, &seen);
	assert_int_equal(rfsim_bar_write(peers.first->device, 2, 64, &number, 4), 0);
	add_msi(peers.first, 1);
	add_write(peers.first, peers.window, &number, 4);
	add_read(peers.first, peers.first->bus, 64, 1);
	assert_int_equal(echo_play(peers.first->device, &peers.first->script, 0), 0);
	peers.first->script.beats = 0;
	assert_int_equal(rfsim_step(peers.first->world, 200), 0);
	assert_int_equal(rfsim_device_replug(peers.first->device), 0);
	assert_int_equal(rfsim_bar(peers.first->device, 0, &bar), -EINVAL);
	settle(peers.first);
	assert_int_equal(seen.count, 0);
	assert_int_equal(word_in_window(&peers, 0), 0);

	assert_int_equal(rfsim_enumerate(peers.first->device), 0);
	assert_int_equal(captured(peers.first, words), 0);
	assert_int_equal(rfsim_bar_read(peers.first->device, 2, 64, words, 4), 0);
	assert_int_equal(words[0], 0);
	add_write(peers.first, peers.first->bus, &number, 4);
	play(peers.first);
	assert_int_equal(*(uint32_t *)peers.first->memory, number);
	add_write(peers.second, peers.first->bus + 8, &number, 4);
	play(peers.second);
	assert_int_equal(*(uint32_t *)(peers.first->memory + 8), number);
	peers_destroy(&peers);
}

static void replug_in_the_cycle(void *context, struct rfsim_device *device,
				const struct rfsim_tlp *tlp)
{
	int *result = context;

	(void)tlp;
	*result = rfsim_device_replug(device);
}

static void a_device_is_not_exchanged_in_the_cycle(void **state)
{
	struct bench *bench = bench_create(NULL);
	uint32_t value;
	int result = 0;

	(void)state;
	rfsim_tlp_callback(bench->device, replug_in_the_cycle, &result);
	assert_int_equal(rfsim_config_read(bench->device, 0, 4, &value), 0);
	assert_int_equal(result, -EDEADLK);
	bench_destroy(bench);
}

/* --- observation ---------------------------------------------------------- */

static void on_event(void *context, struct rfsim_device *device, uint64_t cycle, uint64_t events)
{
	uint64_t *seen = context;

	(void)device;
	(void)cycle;
	assert_int_equal(events & ~3ull, 0);
	seen[0] += events & 1;
	seen[1] += events >> 1 & 1;
}

static void events_are_masked(void **state)
{
	struct bench *bench = bench_create(NULL);
	uint64_t seen[2] = { 0, 0 };

	(void)state;
	/* Bit 0: script started; bit 1: beat played; bit 2 (not asked for): completion. */
	rfsim_event_callback(bench->device, 3, on_event, seen);
	add_write(bench, bench->bus, "12345678", 8);
	add_read(bench, bench->bus, 8, 0);
	play(bench);
	assert_int_equal(seen[0], 1);
	assert_int_equal(seen[1], 2);
	bench_destroy(bench);
}

static void trace_is_written_on_request(void **state)
{
	char folder[] = "/tmp/rfsim_trace_XXXXXX";
	struct bench *bench = bench_create(NULL);
	struct stat file;
	char path[64];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/wave.fst", folder);
	assert_int_equal(rfsim_trace(bench->device, "/nonexistent/x.fst"), -ENOENT);
	assert_int_equal(rfsim_trace(bench->device, folder), -EISDIR);
	assert_int_equal(rfsim_trace(bench->device, path), 0);
	rfsim_step(bench->world, 100);
	assert_int_equal(rfsim_trace(bench->device, NULL), 0);
	assert_int_equal(rfsim_trace(bench->device, NULL), 0);
	assert_int_equal(stat(path, &file), 0);
	assert_true(file.st_size > 200);
	unlink(path);
	/* nothing but the wave was left there */
	assert_int_equal(rmdir(folder), 0);
	bench_destroy(bench);
}

/* What a path stands for is written to, and what cannot be a wave is left as it is. */
static void trace_replaces_no_file(void **state)
{
	char folder[] = "/tmp/rfsim_trace_XXXXXX", path[64], link[64], fifo[64];
	struct bench *bench = bench_create(NULL);
	struct stat before, after;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/wave.fst", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("wave.fst", link), 0);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(stat(path, &before), 0);

	assert_int_equal(rfsim_trace(bench->device, fifo), -ESPIPE);
	assert_int_equal(rfsim_trace(bench->device, "/dev/null"), -ESPIPE);
	assert_int_equal(rfsim_trace(bench->device, link), 0);
	rfsim_step(bench->world, 100);
	assert_int_equal(rfsim_trace(bench->device, NULL), 0);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_true(after.st_size > 200);
	assert_int_equal(lstat(link, &after), 0);
	assert_true(S_ISLNK(after.st_mode));
	assert_int_equal(lstat(fifo, &after), 0);
	assert_true(S_ISFIFO(after.st_mode));
	unlink(link);
	unlink(fifo);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
	bench_destroy(bench);
}

/* A file that may not grow is a disk that is full: an error at the end, no signal. */
static void trace_of_a_full_disk(void **state)
{
	static const rlim_t sizes[] = { 0, 1, 300, 400, 1000 };
	char folder[] = "/tmp/rfsim_trace_XXXXXX", path[64];
	struct rlimit before, limit;
	unsigned int i;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/wave.fst", folder);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct bench *bench = bench_create(NULL);
		int error;

		limit = (struct rlimit){ sizes[i], before.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		error = rfsim_trace(bench->device, path);
		if (!error) {
			rfsim_step(bench->world, 1000);
			error = rfsim_trace(bench->device, NULL);
		}
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(error, -EFBIG);
		bench_destroy(bench);
	}
	signal(SIGXFSZ, SIG_DFL);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

static void bad_configurations_are_refused(void **state)
{
	struct rfsim_config config;
	struct rfsim_world *world;

	(void)state;
	rfsim_config_init(&config);
	config.port.max_payload = 192;
	assert_int_equal(rfsim_world_create(&config, &world), -EINVAL);
	rfsim_config_init(&config);
	config.port.completion_boundary = 256;
	assert_int_equal(rfsim_world_create(&config, &world), -EINVAL);
	rfsim_config_init(&config);
	config.port.read_latency_min = config.port.read_latency_max + 1;
	assert_int_equal(rfsim_world_create(&config, &world), -EINVAL);
}

int main(void)
{
#define TEST(function)                                       \
	{                                                    \
		"sim." #function, function, NULL, NULL, NULL \
	}
	const struct CMUnitTest tests[] = {
		TEST(enumeration_finds_bars),
		TEST(config_accesses_of_every_size),
		TEST(bar_accesses_at_any_byte),
		TEST(bar_bounds_are_checked),
		TEST(aligned_8_byte_store_is_one_tlp),
		TEST(link_error_ends_a_tlp),
		TEST(memory_registration),
		TEST(device_writes_any_bytes),
		TEST(memory_below_4_gib),
		TEST(write_is_performed_when_accepted),
		TEST(completions_whole_and_in_order),
		TEST(completions_split_at_boundary),
		TEST(completions_reordered_across_tags),
		TEST(completions_carry_memory),
		TEST(read_latency_is_exact),
		TEST(early_and_late_reads),
		TEST(faults_hit_the_read_they_name),
		TEST(lost_link_loses_everything),
		TEST(interrupts_come_in_order),
		TEST(interrupt_delay_is_exact),
		TEST(held_interrupts_wait_for_release),
		TEST(actions_run_in_their_cycle),
		TEST(write_in_the_cycle_is_presented_in_it),
		TEST(time_stands_still_while_idle),
		TEST(link_rate_limits_both_directions),
		TEST(ready_ports_never_stall),
		TEST(same_seed_same_cycles_same_tlps),
		TEST(two_devices_share_a_buffer),
		TEST(requests_reach_another_device),
		TEST(writes_keep_their_order),
		TEST(requests_are_refused),
		TEST(what_is_not_open_is_not_reached),
		TEST(windows_are_checked),
		TEST(a_link_between_goes_down),
		TEST(memory_behind_an_iommu_is_of_one_device),
		TEST(there_is_no_iommu_without_the_word),
		TEST(a_device_is_exchanged),
		TEST(a_device_is_not_exchanged_in_the_cycle),
		TEST(events_are_masked),
		TEST(trace_is_written_on_request),
		TEST(trace_replaces_no_file),
		TEST(trace_of_a_full_disk),
		TEST(bad_configurations_are_refused),
	};

	if (getenv("RF_SEED"))
		seed = strtoull(getenv("RF_SEED"), NULL, 0);
	srand(seed);
	printf("# RF_SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
