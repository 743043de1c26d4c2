// SPDX-License-Identifier: Apache-2.0
/*
 * fuzz [--seed N] [--rounds N] [--seconds N]: rounds with seeds N, N + 1, ... until
 * one of both is used up. Prints TAP.
 */
#include "fuzz.h"
#include "strings.h"

#include "../../host/arguments.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rf_sim_bus.h"

#define JOBS 24 /* of the good queues in a round */
#define PATIENCE 600000 /* cycles that one of them may take */
#define STRINGS 1000 /* device strings in a round */
#define TIMEOUT 20000 /* cycles until the device gives a read up */

static const char usage[] = "Usage: fuzz [--seed N] [--rounds N] [--seconds N]\n";

/* --- what dev.c asks of its bench ------------------------------------------------------------ */

void rf_conform_fail(struct rf_conform *conform, const char *file, int line, const char *format,
		     ...)
{
	const char *violation = conform->setup.world.simulation
					? rfsim_world_check(conform->setup.world.simulation)
					: NULL;
	const char *base = strrchr(file, '/');
	va_list arguments;

	printf("# %s:%d: ", base ? base + 1 : file, line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	if (violation)
		printf("# the device broke a rule: %s\n", violation);
	printf("# repeat with: make fuzz SEED=%" PRIu64 " ROUNDS=1\n", conform->seed);
	printf("not ok 1 - good queues, answers and rules under random TLPs and queues\n1..1\n");
	exit(1);
}

/* Nothing is skipped: the simulated device has all that a test may need. */
void rf_conform_skip(struct rf_conform *conform, const char *format, ...)
{
	rf_conform_fail(conform, __FILE__, __LINE__, "%s", format);
}

uint64_t rf_conform_random(struct rf_conform *conform, uint64_t below)
{
	uint64_t x = conform->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	conform->random = x;
	return x * 0x2545f4914f6cdd1dull % below;
}

/* --- a round ------------------------------------------------------------------------------------ */

/* A port whose rates let a round end in time; latencies and orders as they come. */
static void draw_config(struct fuzz *fuzz, struct rfsim_config *config)
{
	rfsim_config_random(config, fuzz->conform.seed);
	config->port.transmit_rate = config->port.receive_rate = 0;
	if (config->port.max_payload < 256)
		config->port.max_payload = 128 << draw(fuzz, 2);
}

/* Reads of the playground fail now and then, in any way. */
static void draw_fault(struct fuzz *fuzz)
{
	struct rfsim_fault fault = { .kind = (enum rfsim_fault_kind)draw(fuzz, 4) };

	fault.first = fuzz->dev.system_bus + fuzz->playground[RF_PLACE_SYSTEM].offset;
	fault.last = fault.first + FUZZ_SYSTEM_BYTES - 1;
	fault.skip = draw(fuzz, 200);
	fault.count = 1 + draw(fuzz, 3);
	rfsim_fault_clear(fuzz->conform.setup.world.sim);
	rfsim_fault_add(fuzz->conform.setup.world.sim, &fault);
}

static void job(struct fuzz *fuzz, bool queues, bool tlps)
{
	struct rf_dev *dev = &fuzz->dev;
	uint64_t start, liveness, burst;

	good_begin(fuzz);
	start = rfsim_cycle(fuzz->conform.setup.world.simulation);
	do {
		if (queues)
			queues_act(fuzz);
		for (burst = draw(fuzz, 8); tlps && burst; burst--)
			tlps_act(fuzz);
		if (chance(fuzz, 30))
			peers_act(fuzz);
		rf_dev_run(dev, draw(fuzz, 200));
		if (chance(fuzz, 30))
			queues_records(fuzz);
		RF_CHECK(&fuzz->conform,
			 rfsim_cycle(fuzz->conform.setup.world.simulation) - start < PATIENCE,
			 "a good queue hangs: states %u and %u", rf_dev_queue_state(&fuzz->copy),
			 rf_dev_queue_state(&fuzz->vector));
	} while (!good_done(fuzz) || chance(fuzz, 80));
	good_check(fuzz);
	liveness = rf_dev_register(dev, RF_REG_DEVICE_LIVENESS);
	RF_CHECK(&fuzz->conform, rf_dev_register(dev, RF_REG_DEVICE_LIVENESS) > liveness,
		 "the device is gone");
}

static void run_round(struct fuzz *fuzz, uint64_t seed)
{
	struct rf_conform *conform = &fuzz->conform;
	struct rfsim_config config;
	const char *violation, *wrong;
	unsigned int jobs;
	bool queues, tlps;

	memset(fuzz, 0, sizeof(*fuzz));
	conform->seed = seed;
	conform->random = (seed + 1) * 0x9e3779b97f4a7c15ull | 1;
	wrong = fuzz_strings(seed, STRINGS, &fuzz->strings);
	if (wrong)
		rf_conform_fail(conform, __FILE__, __LINE__, "device string %s", wrong);
	draw_config(fuzz, &config);
	if (rfsim_world_create(&config, &conform->setup.world.simulation) ||
	    rfsim_device_create(conform->setup.world.simulation, &conform->setup.world.sim) ||
	    rf_sim_bus_create(conform->setup.world.simulation, conform->setup.world.sim,
			      &conform->bus))
		rf_conform_fail(conform, __FILE__, __LINE__, "cannot set up the simulation");
	queues = !chance(fuzz, 25);
	tlps = !queues || chance(fuzz, 60);

	rf_dev_open(&fuzz->dev, conform, chance(fuzz, 50) ? RF_PLACE_LOCAL : RF_PLACE_SYSTEM);
	rf_dev_register_write(&fuzz->dev, RF_REG_DEVICE_COMPLETION_TIMEOUT, TIMEOUT);
	good_open(fuzz);
	queues_open(fuzz);
	tlps_open(fuzz);
	peers_open(fuzz);
	for (jobs = 0; jobs < JOBS; jobs++) {
		if (queues && chance(fuzz, 20))
			draw_fault(fuzz);
		job(fuzz, queues, tlps);
	}
	tlps_close(fuzz);
	queues_close(fuzz);
	rfsim_fault_clear(conform->setup.world.sim);
	good_begin(fuzz);
	rf_dev_finish(&fuzz->copy);
	rf_dev_finish(&fuzz->vector);
	rf_dev_settle(&fuzz->dev);
	good_check(fuzz);
	peers_close(fuzz);
	rf_dev_close(&fuzz->dev);
	violation = rfsim_world_check(conform->setup.world.simulation);
	RF_CHECK(conform, !violation, "%s", violation);
	rf_sim_bus_destroy(conform->bus);
	rfsim_world_destroy(conform->setup.world.simulation);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, rounds = UINT64_MAX, buffers = 0, errors = 0, records = 0, tlps = 0;
	uint64_t seconds = UINT64_MAX, answered = 0, jobs = 0, strings = 0, words = 0, came = 0,
		 round;
	time_t start = time(NULL);
	const struct rf_option options[] = {
		{ "seed", .number = &seed },
		{ "rounds", .number = &rounds },
		{ "seconds", .number = &seconds },
		{ 0 },
	};
	static struct fuzz fuzz;

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (round = 0; round < rounds && (uint64_t)(time(NULL) - start) < seconds; round++) {
		printf("# seed %" PRIu64 "\n", seed + round);
		run_round(&fuzz, seed + round);
		buffers += fuzz.buffers;
		errors += fuzz.errors;
		records += fuzz.records;
		tlps += fuzz.tlps;
		answered += fuzz.answered;
		words += fuzz.peers.sent;
		came += fuzz.peers.came;
		jobs += fuzz.jobs;
		strings += fuzz.strings;
	}
	printf("# %" PRIu64 " rounds, %" PRIu64 " good jobs; %" PRIu64 " TLPs, %" PRIu64
	       " answered; %" PRIu64 " words to the peer page, %" PRIu64 " in mailboxes; %" PRIu64
	       " command buffers, %" PRIu64 " queue errors, %" PRIu64 " records; %" PRIu64
	       " device strings that were right, of %" PRIu64 "\n",
	       round, jobs, tlps, answered, words, came, buffers, errors, records, strings,
	       round * STRINGS);
	printf("ok 1 - good queues, answers and rules under random TLPs and queues\n1..1\n");
	return 0;
}
