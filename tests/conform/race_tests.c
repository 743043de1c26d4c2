// SPDX-License-Identifier: Apache-2.0
/*
 * A CPU that starts to wait against a GPU that signals (S0-33 .. S0-44). M is the
 * write of MonitoredValue, R the read of CurrentValue after it, W the write of
 * CurrentValue by a signal, K the comparison for that W, S the CPU's own read after
 * its update. Every race is provoked: the cycle of M is swept over W and K, for every
 * placement of CurrentValue, MonitoredValue, log and interrupt ring, first in a
 * world without jitter, cycle by cycle, then with random latencies and stalls.
 *
 * What must hold, as the device performs one of M and W first and reads the other's
 * word afterwards: if S did not see the last value, the comparison for that value saw
 * the new MonitoredValue, and so there is a record exactly if it is above.
 */
#include "dev.h"

#include "../../sim/tlp.h"

#define NONE RF_MONITORED_NONE
#define LOG_ENTRIES 84
#define LEAD 400 /* cycles from the preparation of a race to W, at the TLP seam */
#define LOAD_BYTES 4096
#define SWEEP 80 /* cycles that M goes before and behind W, at the TLP seam */

enum event {
	EVENT_PERFORMED = 1 << 11,
	EVENT_UPDATED = 1 << 18,
};

/* Which words are in local memory: the bits of a placement. */
enum { CV_LOCAL = 1, MV_LOCAL = 2, LOG_LOCAL = 4, RING_LOCAL = 8, PLACEMENTS = 16 };

struct race {
	struct rf_conform *conform;
	struct rf_dev dev;
	struct rf_dev_queue queues[2]; /* compute, copy */
	struct rf_spot cv, mv, other_cv, other_mv;
	struct rf_spot load[2]; /* where the copy engine writes meanwhile, in either memory */
	unsigned int log_index[2];
	uint64_t signal_cycles; /* from ring to W */
	uint64_t update_cycles; /* from the update's TLP to M */
	uint64_t first_performed; /* of a calibration; 0: not yet */
	unsigned int updates; /* posted */
	unsigned int updates_done; /* seen as events */
};

/* What a race was about and how it ended. */
struct outcome {
	uint64_t sampled; /* S */
	uint64_t final; /* CurrentValue at last */
	unsigned int records;
	unsigned int signal_records; /* of any value */
	unsigned int update_records;
	bool final_record; /* a signal record of the final value */
	bool above_update; /* an update record, of a value above */
};

struct hits {
	unsigned int races, update_only, signal_only, both, newer_than_decided;
};

/* --- a world to race in ------------------------------------------------------------------ */

static void watch(void *context, struct rfsim_device *device, uint64_t cycle, uint64_t events)
{
	struct race *race = context;

	(void)device;
	if (events & EVENT_PERFORMED && !race->first_performed)
		race->first_performed = cycle;
	if (events & EVENT_UPDATED)
		race->updates_done++;
}

/* Behind a link both sides take longer, and M and W are further apart. */
static int sweep_of(const struct race *race)
{
	return SWEEP * (int)rf_conform_stretch(race->conform);
}

static int lead_of(const struct race *race)
{
	return LEAD + 2 * (sweep_of(race) - SWEEP);
}

/* Every cycle; behind a link fewer races, as each takes longer. */
static int step_of(const struct race *race)
{
	int stretch = (int)rf_conform_stretch(race->conform);

	return stretch > 1 ? 4 * stretch : 1;
}

static struct rfsim_world *world_of(struct race *race)
{
	return race->conform->setup.world.simulation;
}

static void prepare(struct race *race, struct rf_spot cv, struct rf_spot mv, uint64_t current,
		    uint64_t monitored)
{
	rf_dev_write(&race->dev, cv, current);
	rf_dev_write(&race->dev, mv, monitored);
}

static void record_signal(struct race *race, unsigned int queue, struct rf_spot cv, uint64_t value,
			  struct rf_spot mv)
{
	rf_dev_signal(&race->queues[queue], cv, value, mv, race->log_index[queue]);
	race->log_index[queue] = (race->log_index[queue] + 1) % LOG_ENTRIES;
}

/* How long each side takes alone, so that the sweep can be laid around W. */
static void calibrate(struct race *race)
{
	uint64_t start;

	rf_dev_flush(&race->dev);
	rf_dev_settle(&race->dev);
	record_signal(race, 0, race->cv, 1, race->mv);
	rf_dev_append(&race->queues[0]);
	rf_dev_flush(&race->dev);
	rf_dev_settle(&race->dev);
	race->first_performed = 0;
	start = rfsim_cycle(world_of(race));
	rf_dev_ring(&race->queues[0]);
	rf_dev_settle(&race->dev);
	race->signal_cycles = race->first_performed - start;
	if (!race->dev.shadow)
		return;
	rf_dev_update_addresses(&race->dev, race->cv, race->mv);
	rf_dev_flush(&race->dev);
	rf_dev_settle(&race->dev);
	race->first_performed = 0;
	start = rfsim_cycle(world_of(race));
	rf_dev_register_write(&race->dev, RF_REG_FENCE_UPDATE_VALUE, NONE);
	race->updates++;
	rf_dev_settle(&race->dev);
	race->update_cycles = race->first_performed - start;
}

static void race_open(struct race *race, struct rf_conform *conform, unsigned int placement,
		      const struct rfsim_config *config)
{
	unsigned int i;

	*race = (struct race){ .conform = conform };
	rf_conform_restart(conform, config);
	rf_dev_open(&race->dev, conform, placement & RING_LOCAL ? RF_PLACE_LOCAL : RF_PLACE_SYSTEM);
	race->cv = rf_dev_alloc(&race->dev, !!(placement & CV_LOCAL), 8, 64);
	race->mv = rf_dev_alloc(&race->dev, !!(placement & MV_LOCAL), 8, 64);
	race->other_cv = rf_dev_alloc(&race->dev, !!(placement & CV_LOCAL), 8, 64);
	race->other_mv = rf_dev_alloc(&race->dev, !!(placement & MV_LOCAL), 8, 64);
	for (i = 0; i < 2; i++) {
		race->load[i] = rf_dev_alloc(&race->dev, i, LOAD_BYTES, 64);
		rf_dev_queue_open(&race->queues[i], &race->dev, i,
				  i ? RF_NODE_COPY : RF_NODE_COMPUTE, 1 + i, RF_PLACE_LOCAL);
		rf_dev_queue_logs(&race->queues[i], !!(placement & LOG_LOCAL), LOG_ENTRIES);
	}
	rfsim_event_callback(conform->setup.world.sim, EVENT_PERFORMED | EVENT_UPDATED, watch,
			     race);
	prepare(race, race->cv, race->mv, 0, NONE);
	calibrate(race); /* the first time the TLB knows none of the pages */
	calibrate(race);
}

static void race_close(struct race *race)
{
	rfsim_event_callback(race->conform->setup.world.sim, 0, NULL, NULL);
	rf_dev_close(&race->dev);
}

/* --- the two sides ------------------------------------------------------------------------- */

static void ring_action(void *queue)
{
	rf_dev_ring_now(queue);
}

/* W happens LEAD cycles from now, @late more for the second queue if it has work. */
static uint64_t start_signals(struct race *race, int late)
{
	uint64_t now, written;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (race->queues[i].count)
			rf_dev_append(&race->queues[i]);
	}
	rf_dev_flush(&race->dev);
	now = rfsim_cycle(world_of(race));
	written = now + (uint64_t)lead_of(race) + race->signal_cycles;
	for (i = 0; i < 2; i++) {
		if (rf_dev_queue_done(&race->queues[i]) != race->queues[i].write_pointer)
			rfsim_at(world_of(race), written - race->signal_cycles + (i ? late : 0),
				 ring_action, &race->queues[i]);
	}
	return written;
}

static void run_to(struct race *race, uint64_t cycle)
{
	uint64_t now = rfsim_cycle(world_of(race));

	RF_CHECK(race->conform, now <= cycle, "the race began late: %llu cycles",
		 (unsigned long long)(now - cycle));
	rfsim_step(world_of(race), cycle - now);
}

static void await_updates(struct race *race)
{
	unsigned int looks;

	for (looks = 0; looks < 10000; looks++) {
		if ((uint32_t)rf_dev_register(&race->dev, RF_REG_FENCE_UPDATE_DONE) ==
		    race->updates)
			return;
	}
	rf_conform_fail(race->conform, __FILE__, __LINE__, "an update is never done");
}

/* The CPU's side through the update port; M in the cycle @at. Gives S. */
static uint64_t update_by_port(struct race *race, uint64_t at, struct rf_spot cv, struct rf_spot mv,
			       uint64_t monitored)
{
	rf_dev_update_addresses(&race->dev, cv, mv);
	run_to(race, at - race->update_cycles);
	rf_dev_update_now(&race->dev, monitored);
	race->updates++;
	await_updates(race);
	return rf_dev_read(&race->dev, cv);
}

/* Without the port: M is a store of the CPU, full barrier, S. */
static uint64_t update_by_cpu(struct race *race, uint64_t at, struct rf_spot cv, struct rf_spot mv,
			      uint64_t monitored)
{
	run_to(race, at);
	rf_dev_write(&race->dev, mv, monitored);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return rf_dev_read(&race->dev, cv);
}

typedef uint64_t update_fn(struct race *race, uint64_t at, struct rf_spot cv, struct rf_spot mv,
			   uint64_t monitored);

/* --- the verdict ---------------------------------------------------------------------------- */

static struct outcome outcome_of(struct race *race, struct rf_spot cv, uint64_t sampled,
				 uint64_t monitored, const struct rf_interrupt_record *records,
				 unsigned int count)
{
	struct outcome outcome = { .sampled = sampled, .final = rf_dev_read(&race->dev, cv) };
	unsigned int i;

	for (i = 0; i < count; i++) {
		bool update = records[i].kind == RF_RECORD_KIND_MONITORED_UPDATE;
		bool mine = records[i].address == rf_dev_address(&race->dev, 0, cv) ||
			    records[i].address == rf_dev_address(&race->dev, 1, cv) ||
			    records[i].address == rf_dev_address(&race->dev, 2, cv);

		if (!mine)
			continue;
		outcome.records++;
		outcome.update_records += update;
		outcome.signal_records += !update;
		if (update && records[i].value > monitored)
			outcome.above_update = true;
		if (!update && records[i].value == outcome.final)
			outcome.final_record = true;
	}
	return outcome;
}

/* Everything is over: take the records. */
static unsigned int finish(struct race *race, struct rf_interrupt_record *records, unsigned int max)
{
	rf_dev_settle(&race->dev);
	rf_dev_finish(&race->queues[0]);
	rf_dev_finish(&race->queues[1]);
	rf_dev_settle(&race->dev);
	return rf_dev_records(&race->dev, records, max);
}

/* The rule at the head of this file, and what follows from it. */
static void judge(struct race *race, const struct outcome *outcome, uint64_t monitored, bool port,
		  int shift)
{
	struct rf_conform *conform = race->conform;
	bool above = outcome->final > monitored;

	if (outcome->sampled != outcome->final)
		RF_CHECK(conform, outcome->final_record == above,
			 "shift %d: sampled %llu, then %llu with MonitoredValue %llu: %s record",
			 shift, (unsigned long long)outcome->sampled,
			 (unsigned long long)outcome->final, (unsigned long long)monitored,
			 outcome->final_record ? "a" : "no");
	/* No lost wake-up. Through the port the device alone sees to it. */
	if (above)
		RF_CHECK(conform, outcome->records || (!port && outcome->sampled > monitored),
			 "shift %d: nobody is told of %llu above %llu", shift,
			 (unsigned long long)outcome->final, (unsigned long long)monitored);
	RF_CHECK(conform,
		 outcome->update_records <= 1 && outcome->above_update == outcome->update_records,
		 "shift %d: an update record of a value that is not above", shift);
	/* If the update found it above, so does the CPU, which reads later. */
	if (outcome->update_records)
		RF_CHECK(conform, outcome->sampled > monitored,
			 "shift %d: sampled %llu although the update saw more", shift,
			 (unsigned long long)outcome->sampled);
}

static void count_hits(struct hits *hits, const struct outcome *outcome, bool port,
		       uint64_t monitored)
{
	bool second = port ? outcome->update_records > 0 : outcome->sampled > monitored;

	hits->races++;
	hits->update_only += second && !outcome->signal_records;
	hits->signal_only += !second && outcome->signal_records;
	hits->both += second && outcome->signal_records;
}

/* --- one waiter, one signal -------------------------------------------------------------------- */

/*
 * A waiter for 42 arrives while 42 is signalled; with a load, while the copy engine
 * fills it, and W, M or both queue up behind that.
 */
static struct outcome race_one(struct race *race, update_fn *update, int shift,
			       const struct rf_spot *load)
{
	struct rf_interrupt_record records[8];
	struct outcome outcome;
	uint64_t written, sampled;
	unsigned int count, interrupts = race->dev.interrupts;

	prepare(race, race->cv, race->mv, 41, NONE);
	record_signal(race, 0, race->cv, 42, race->mv);
	if (load) {
		const uint64_t fill[] = { rf_dev_address(&race->dev, race->queues[1].vmid, *load),
					  LOAD_BYTES, 0x5a5a5a5a5a5a5a5a };

		rf_dev_packet(&race->queues[1], RF_OPCODE_FILL, 0, 0, fill, 3);
	}
	written = start_signals(race, -lead_of(race) / 4);
	sampled = update(race, written + shift, race->cv, race->mv, 41);
	count = finish(race, records, 8);
	outcome = outcome_of(race, race->cv, sampled, 41, records, count);
	RF_CHECK_EQUAL(race->conform, outcome.final, 42, "CurrentValue at last");
	RF_CHECK_EQUAL(race->conform, rf_dev_read(&race->dev, race->mv), 41, "MonitoredValue");
	RF_CHECK_EQUAL(race->conform, outcome.records, count, "records of this fence");
	/* The host had taken all records, so one more means one interrupt. */
	RF_CHECK_EQUAL(race->conform, race->dev.interrupts > interrupts, count > 0, "interrupts");
	judge(race, &outcome, 41, update == update_by_port, shift);
	return outcome;
}

static void sweep_one(struct rf_conform *conform, update_fn *update, bool loaded)
{
	bool port = update == update_by_port;
	unsigned int placement, i, races = 0, window = 0;
	struct rfsim_config config;
	int shift;

	rfsim_config_init(&config);
	config.seed = conform->seed;
	if (loaded) {
		/* What the device reads is as old as can be. */
		config.port.read_early_percent = 100;
		config.port.max_payload = 128;
	}
	for (placement = 0; placement < PLACEMENTS; placement++) {
		struct hits hits = { 0 };
		struct outcome outcome;
		struct race race;

		if (!port && placement & MV_LOCAL)
			continue;
		race_open(&race, conform, placement, &config);
		/* The load holds W up for a while. */
		for (shift = -sweep_of(&race); shift <= (loaded ? 2 : 1) * sweep_of(&race);
		     shift += step_of(&race)) {
			for (i = 0; i < (loaded ? 2 : 1); i++) {
				outcome = race_one(&race, update, shift,
						   loaded ? &race.load[i] : NULL);
				count_hits(&hits, &outcome, port, 41);
			}
		}
		race_close(&race);
		RF_CHECK(conform, hits.update_only && hits.signal_only && hits.both,
			 "placement %u: the sweep missed: %u update only, %u both, %u signal only",
			 placement, hits.update_only, hits.both, hits.signal_only);
		races += hits.races;
		window += hits.both;
	}
	rf_conform_note(conform, "%u races, %u inside the window", races, window);
}

static void update_races_signal_loaded(struct rf_conform *conform)
{
	sweep_one(conform, update_by_port, true);
}

static void store_races_signal_loaded(struct rf_conform *conform)
{
	sweep_one(conform, update_by_cpu, true);
}

static void update_races_signal(struct rf_conform *conform)
{
	sweep_one(conform, update_by_port, false);
}

static void store_races_signal(struct rf_conform *conform)
{
	sweep_one(conform, update_by_cpu, false);
}

/* The same with every knob drawn at random, half of them under load; M anywhere around W. */
static void jitter_one(struct rf_conform *conform, update_fn *update, unsigned int rounds)
{
	bool port = update == update_by_port;
	struct hits hits = { 0 };
	unsigned int placement, round;

	for (placement = 0; placement < PLACEMENTS; placement++) {
		struct rfsim_config config;
		struct race race;

		if (!port && placement & MV_LOCAL)
			continue;
		rfsim_config_random(&config, conform->seed * 1000 + placement);
		race_open(&race, conform, placement, &config);
		for (round = 0; round < rounds; round++) {
			int sweep = sweep_of(&race);
			int shift =
				(int)rf_conform_random(conform, 2 * (unsigned int)sweep) - sweep;
			struct outcome outcome = race_one(&race, update, shift,
							  round & 1 ? &race.load[shift & 1] : NULL);

			count_hits(&hits, &outcome, port, 41);
		}
		race_close(&race);
	}
	RF_CHECK(conform, hits.update_only && hits.signal_only && hits.both,
		 "missed: %u update only, %u both, %u signal only", hits.update_only, hits.both,
		 hits.signal_only);
	rf_conform_note(conform, "%u races with random latencies, %u inside the window", hits.races,
			hits.both);
}

static void update_races_signal_jitter(struct rf_conform *conform)
{
	jitter_one(conform, update_by_port, 40);
}

static void store_races_signal_jitter(struct rf_conform *conform)
{
	jitter_one(conform, update_by_cpu, 60);
}

/* --- one waiter, two signals -------------------------------------------------------------------- */

/*
 * 41 -> 42 -> 43 around one decision, by one queue or by two engines that race each
 * other: the last one may be either, and it is the one that must not be lost.
 */
static struct outcome race_two(struct race *race, update_fn *update, int shift, bool engines,
			       unsigned int late, struct hits *hits)
{
	bool port = update == update_by_port;
	struct rf_interrupt_record records[8];
	struct outcome outcome;
	uint64_t written, sampled;
	unsigned int count, i;

	prepare(race, race->cv, race->mv, 41, NONE);
	record_signal(race, 0, race->cv, 42, race->mv);
	record_signal(race, engines, race->cv, 43, race->mv);
	written = start_signals(race, late);
	sampled = update(race, written + shift, race->cv, race->mv, 41);
	count = finish(race, records, 8);
	outcome = outcome_of(race, race->cv, sampled, 41, records, count);
	RF_CHECK(race->conform, engines || outcome.final == 43, "CurrentValue at last: %llu",
		 (unsigned long long)outcome.final);
	judge(race, &outcome, 41, port, shift);
	count_hits(hits, &outcome, port, 41);
	/* The CPU may read 43 while the device decided about 42. */
	for (i = 0; i < count; i++)
		hits->newer_than_decided += records[i].value == 42 && sampled == 43;
	return outcome;
}

static void sweep_two(struct rf_conform *conform, update_fn *update, bool engines)
{
	bool port = update == update_by_port;
	struct hits hits = { 0 };
	unsigned int placement;
	int shift;

	for (placement = 0; placement < PLACEMENTS; placement++) {
		struct race race;

		if (!port && placement & MV_LOCAL)
			continue;
		race_open(&race, conform, placement, NULL);
		/* Every cycle near W, where the decisions are; every third further off. */
		for (shift = -sweep_of(&race); shift <= sweep_of(&race);
		     shift += (shift >= -24 && shift < 60 ? 1 : 3) * step_of(&race))
			race_two(&race, update, shift, engines,
				 engines ? rf_conform_random(conform, 40) : 0, &hits);
		race_close(&race);
	}
	RF_CHECK(conform, hits.update_only && hits.signal_only && hits.both,
		 "the sweep missed: %u update only, %u both, %u signal only", hits.update_only,
		 hits.both, hits.signal_only);
	RF_CHECK(conform, hits.newer_than_decided, "a decision was never older than the sight");
	rf_conform_note(conform, "%u races, %u inside the window, %u newer than decided",
			hits.races, hits.both, hits.newer_than_decided);
}

static void last_of_two_signals(struct rf_conform *conform)
{
	sweep_two(conform, update_by_port, false);
}

static void last_of_two_engines(struct rf_conform *conform)
{
	sweep_two(conform, update_by_port, true);
}

static void last_of_two_signals_stored(struct rf_conform *conform)
{
	sweep_two(conform, update_by_cpu, true);
}

/*
 * 43 is written while the device decides about 42, and the host answers 42 by
 * raising MonitoredValue from 41 to 42: 43 is above both, its record must come.
 */
static void newer_while_deciding(struct rf_conform *conform)
{
	unsigned int placement, races = 0, overlapped = 0;
	unsigned int late, sweep;

	for (placement = 0; placement < PLACEMENTS; placement++) {
		struct rf_interrupt_record records[8];
		struct race race;

		race_open(&race, conform, placement, NULL);
		if (placement & MV_LOCAL && !race.dev.shadow) {
			race_close(&race);
			continue;
		}
		sweep = (unsigned int)sweep_of(&race);
		for (late = 0; late < 2 * sweep; late += (unsigned int)step_of(&race)) {
			unsigned int count, i, of[2] = { 0, 0 };
			uint64_t written, final;

			prepare(&race, race.cv, race.mv, 41, 41);
			record_signal(&race, 0, race.cv, 42, race.mv);
			record_signal(&race, 1, race.cv, 43, race.mv);
			written = start_signals(&race, late);
			if (race.dev.shadow)
				update_by_port(&race, written + rf_conform_random(conform, sweep),
					       race.cv, race.mv, 42);
			else
				update_by_cpu(&race, written + rf_conform_random(conform, sweep),
					      race.cv, race.mv, 42);
			count = finish(&race, records, 8);
			for (i = 0; i < count; i++) {
				if (records[i].kind == RF_RECORD_KIND_FENCE_SIGNALED)
					of[records[i].value == 43]++;
			}
			final = rf_dev_read(&race.dev, race.cv);
			RF_CHECK(conform, final == 42 || final == 43, "CurrentValue at last");
			RF_CHECK(conform, of[1] == 1, "late %u: %u records of 43", late, of[1]);
			RF_CHECK(conform, of[0] <= 1, "late %u: %u records of 42", late, of[0]);
			races++;
			/* The update reached the comparison for 42 first. */
			overlapped += !of[0];
		}
		race_close(&race);
	}
	rf_conform_note(conform, "%u races, in %u the new value came before the older decision",
			races, overlapped);
	RF_CHECK(conform, overlapped && overlapped < races, "%u of %u races overlapped", overlapped,
		 races);
}

/* --- further rows of the matrix ----------------------------------------------------------------- */

struct reads {
	uint64_t cv;
	unsigned int count;
};

static void count_reads(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct reads *reads = context;

	(void)device;
	reads->count += tlp->stream == RFSIM_READ && tlp_address(tlp->header) == reads->cv;
}

static void set_posted_stall(struct race *race, unsigned int percent)
{
	struct rfsim_port_config config;

	rfsim_port_config(race->conform->setup.world.sim, &config);
	config.posted_stall_percent = percent;
	RF_CHECK_EQUAL(race->conform, rfsim_port_configure(race->conform->setup.world.sim, &config),
		       0, "port configuration");
}

/*
 * W waits at the edge of the device while the update comes: R may not pass it, so
 * the update is not done before W is performed, and then finds it.
 */
static void update_waits_for_write_in_flight(struct rf_conform *conform)
{
	unsigned int after, placement, updates_held = 0;

	/* CurrentValue lies in system memory: bit 0 is clear. */
	for (placement = 0; placement < PLACEMENTS; placement += MV_LOCAL) {
		struct rf_interrupt_record records[4];
		struct race race;

		race_open(&race, conform, placement, NULL);
		for (after = 0; after < 40; after++) {
			struct reads reads = { .cv = race.dev.system_bus + race.cv.offset };
			unsigned int updates, count;
			uint64_t written;

			prepare(&race, race.cv, race.mv, 41, NONE);
			record_signal(&race, 0, race.cv, 42, race.mv);
			rf_dev_update_addresses(&race.dev, race.cv, race.mv);
			written = start_signals(&race, 0);
			run_to(&race, written - 20);
			set_posted_stall(&race, 100);
			run_to(&race, written + after);
			updates = race.updates_done;
			rfsim_tlp_callback(conform->setup.world.sim, count_reads, &reads);
			rf_dev_update_now(&race.dev, 41);
			race.updates++;
			rf_dev_run(&race.dev, 200);
			RF_CHECK_EQUAL(conform, rf_dev_read(&race.dev, race.cv), 41,
				       "CurrentValue, whose write is in flight");
			RF_CHECK_EQUAL(conform, reads.count, 0, "reads that passed the write");
			RF_CHECK_EQUAL(conform, race.updates_done, updates, "updates done");
			set_posted_stall(&race, 0);
			rfsim_tlp_callback(conform->setup.world.sim, NULL, NULL);
			await_updates(&race);
			RF_CHECK_EQUAL(conform, rf_dev_read(&race.dev, race.cv), 42, "S");
			count = finish(&race, records, 4);
			RF_CHECK(conform, count >= 1, "after %u: no record", after);
			updates_held++;
		}
		race_close(&race);
	}
	rf_conform_note(conform, "%u updates behind a write that was held back", updates_held);
}

/* The waiter leaves while 42 is written: an interrupt is allowed, a wrong value is not. */
static void raising_races_signal(struct rf_conform *conform)
{
	unsigned int placement, spurious = 0, silent = 0;
	int shift;

	for (placement = 0; placement < PLACEMENTS; placement += 5) {
		struct rf_interrupt_record records[4];
		struct race race;

		race_open(&race, conform, placement, NULL);
		for (shift = -SWEEP; shift <= SWEEP; shift++) {
			unsigned int count;
			uint64_t written;

			prepare(&race, race.cv, race.mv, 41, 41);
			record_signal(&race, 0, race.cv, 42, race.mv);
			written = start_signals(&race, 0);
			update_by_port(&race, written + shift, race.cv, race.mv, 42);
			count = finish(&race, records, 4);
			/* The update itself never reports: 42 is not above 42. */
			RF_CHECK(conform, count <= 1, "shift %d: %u records", shift, count);
			RF_CHECK(conform,
				 !count || (records[0].kind == RF_RECORD_KIND_FENCE_SIGNALED &&
					    records[0].value == 42),
				 "shift %d: record of kind %u, value %llu", shift, records[0].kind,
				 (unsigned long long)records[0].value);
			spurious += count;
			silent += !count;
		}
		race_close(&race);
	}
	RF_CHECK(conform, spurious && silent, "%u and %u", spurious, silent);
	rf_conform_note(conform, "%u raced ahead of the waiter that left, %u did not", spurious,
			silent);
}

/* A waiter for a value long reached: R finds it, and S does. */
static void late_waiter_is_told(struct rf_conform *conform)
{
	struct rf_interrupt_record records[2];
	unsigned int placement;

	for (placement = 0; placement < PLACEMENTS; placement++) {
		struct race race;
		uint64_t sampled;

		race_open(&race, conform, placement, NULL);
		prepare(&race, race.cv, race.mv, 50, 60);
		rf_dev_flush(&race.dev);
		sampled = update_by_port(&race, rfsim_cycle(world_of(&race)) + LEAD, race.cv,
					 race.mv, 41);
		RF_CHECK_EQUAL(conform, sampled, 50, "S");
		RF_CHECK_EQUAL(conform, finish(&race, records, 2), 1, "records");
		RF_CHECK_EQUAL(conform, records[0].kind, RF_RECORD_KIND_MONITORED_UPDATE, "kind");
		RF_CHECK_EQUAL(conform, records[0].value, 50, "value");
		race_close(&race);
	}
}

/* Two fences in one batch of updates, each signalled by an engine of its own. */
static void batch_races_two_signals(struct rf_conform *conform)
{
	struct hits hits[2] = { { 0 } };
	unsigned int placement;
	int shift;

	for (placement = 0; placement < PLACEMENTS; placement += 3) {
		struct rf_interrupt_record records[8];
		struct race race;

		race_open(&race, conform, placement, NULL);
		for (shift = -SWEEP; shift <= SWEEP; shift += 2) {
			struct outcome outcome;
			uint64_t written, sampled[2];
			unsigned int count;

			prepare(&race, race.cv, race.mv, 41, NONE);
			prepare(&race, race.other_cv, race.other_mv, 41, NONE);
			record_signal(&race, 0, race.cv, 42, race.mv);
			record_signal(&race, 1, race.other_cv, 42, race.other_mv);
			written = start_signals(&race, rf_conform_random(conform, 20));
			rf_dev_update_addresses(&race.dev, race.cv, race.mv);
			run_to(&race, written + shift - race.update_cycles);
			rf_dev_update_now(&race.dev, 41);
			rf_dev_update_addresses(&race.dev, race.other_cv, race.other_mv);
			rf_dev_update_now(&race.dev, 41);
			race.updates += 2;
			await_updates(&race);
			sampled[0] = rf_dev_read(&race.dev, race.cv);
			sampled[1] = rf_dev_read(&race.dev, race.other_cv);
			count = finish(&race, records, 8);
			outcome = outcome_of(&race, race.cv, sampled[0], 41, records, count);
			judge(&race, &outcome, 41, true, shift);
			count_hits(&hits[0], &outcome, true, 41);
			outcome = outcome_of(&race, race.other_cv, sampled[1], 41, records, count);
			judge(&race, &outcome, 41, true, shift);
			count_hits(&hits[1], &outcome, true, 41);
		}
		race_close(&race);
	}
	RF_CHECK(conform, hits[0].both && hits[1].both, "the windows were missed");
	rf_conform_note(conform, "%u races, inside the windows %u and %u", hits[0].races,
			hits[0].both, hits[1].both);
}

/* No waiter before and after: no write raises an interrupt. */
static void no_waiter_races_in_silence(struct rf_conform *conform)
{
	struct rf_interrupt_record records[2];
	unsigned int placement;
	int shift;

	for (placement = 0; placement < PLACEMENTS; placement += 5) {
		struct race race;

		race_open(&race, conform, placement, NULL);
		for (shift = -SWEEP; shift <= SWEEP; shift += 4) {
			uint64_t written;

			prepare(&race, race.cv, race.mv, 41, NONE);
			record_signal(&race, 0, race.cv, UINT64_MAX, race.mv);
			written = start_signals(&race, 0);
			update_by_port(&race, written + shift, race.cv, race.mv, NONE);
			RF_CHECK_EQUAL(conform, finish(&race, records, 2), 0, "records");
		}
		RF_CHECK_EQUAL(conform, race.dev.interrupts, 0, "interrupts");
		race_close(&race);
	}
}

#define SIM RF_CONFORM_SIM_ONLY
#define PORT (RF_CONFORM_SIM_ONLY | RF_CONFORM_SHADOW)

const struct rf_conform_test rf_conform_race_tests[] = {
	{ "S0-36.update_races_signal", "S0-33 S0-34 S0-39 S0-43", RF_CONFORM_DEV, PORT,
	  update_races_signal },
	{ "S0-36.store_races_signal", "S0-39 S0-43", RF_CONFORM_DEV, SIM, store_races_signal },
	{ "S0-36.update_races_signal_loaded", "S0-39 S0-43", RF_CONFORM_DEV, PORT,
	  update_races_signal_loaded },
	{ "S0-36.store_races_signal_loaded", "S0-39 S0-43", RF_CONFORM_DEV, SIM,
	  store_races_signal_loaded },
	{ "S0-36.update_races_signal_jitter", "S0-39 S0-43", RF_CONFORM_DEV, PORT,
	  update_races_signal_jitter },
	{ "S0-36.store_races_signal_jitter", "S0-39 S0-43", RF_CONFORM_DEV, SIM,
	  store_races_signal_jitter },
	{ "S0-43.last_of_two_signals", "S0-36 S0-39 S0-42", RF_CONFORM_DEV, PORT,
	  last_of_two_signals },
	{ "S0-43.last_of_two_engines", "S0-36 S0-39 S0-42", RF_CONFORM_DEV, PORT,
	  last_of_two_engines },
	{ "S0-43.last_of_two_signals_stored", "S0-36 S0-42", RF_CONFORM_DEV, SIM,
	  last_of_two_signals_stored },
	{ "S0-37.newer_while_deciding", "S0-43", RF_CONFORM_DEV, SIM, newer_while_deciding },
	{ "S0-35.update_waits_for_write_in_flight", "S0-33 S0-39", RF_CONFORM_DEV, PORT,
	  update_waits_for_write_in_flight },
	{ "S0-36.raising_races_signal", "S0-11 S0-14 S0-34", RF_CONFORM_DEV, PORT,
	  raising_races_signal },
	{ "S0-34.late_waiter_is_told", "S0-36 S0-44", RF_CONFORM_DEV, PORT, late_waiter_is_told },
	{ "S0-36.batch_races_two_signals", "S0-72 S0-43", RF_CONFORM_DEV, PORT,
	  batch_races_two_signals },
	{ "S0-9.no_waiter_races_in_silence", "S0-14 S0-34", RF_CONFORM_DEV, PORT,
	  no_waiter_races_in_silence },
	{ 0 },
};
