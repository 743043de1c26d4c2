// SPDX-License-Identifier: Apache-2.0
/*
 * A ring beside a disconnection (C11): every interleaving of the steps of user mode
 *
 *   store the write pointer, ring, read the status
 *
 * with those of the core and the miniport, whichever way the doorbell is lost. A ring
 * is heard, or user mode sees that it was not, connects and rings again.
 */
#include "core.h"
#include "fake.h"

enum umd_step { STORE, RING, LOOK, DONE };

enum way {
	CALLBACK, /* the miniport takes it away */
	VICTIM, /* for the doorbell of another queue */
};

struct race {
	struct world *world;
	struct rig rig, other[FAKE_PHYSICAL_DOORBELLS];
	struct fake_queue *queue;
	u32 at[DONE]; /* point before which each step is made */
	u32 points; /* passed so far */
	u32 step;
	u64 status; /* that user mode read */
};

static void ring(struct race *race, u64 value)
{
	struct fake *fake = &race->world->fake;
	u64 stores = fake->bus.stores;
	const struct fake_doorbell *owner;

	rf_hosted_ring(race->rig.page, value);
	if (fake->bus.stores == stores)
		return; /* the dummy page */
	owner = fake->physical[(fake->bus.last_offset - FAKE_DOORBELL_BASE) / 4096];
	/* S3-55: not that of another */
	assert_true(!owner || owner->queue == race->queue);
	if (!owner)
		return;
	if (race->queue->resident)
		race->queue->seen = value;
	else
		fake_ring(fake, race->queue);
}

static void umd_step(struct race *race)
{
	u64 *control = (u64 *)((char *)map(race->world->file, race->rig.memory.mmap_offset) + 2048);

	switch (race->step++) {
	case STORE:
		__atomic_store_n(control, 1, __ATOMIC_SEQ_CST);
		break;
	case RING:
		ring(race, 1);
		break;
	case LOOK:
		race->status = rig_status(&race->rig);
		break;
	}
}

static void at_point(void *argument)
{
	struct race *race = argument;

	while (race->step < DONE && race->at[race->step] == race->points)
		umd_step(race);
	race->points++;
}

static void connect_rig(struct race *race, const struct rig *rig)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = rig->doorbell.handle };

	assert_int_equal(
		rf_hosted_request(race->world->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect), 0);
}

static void disconnect(struct race *race, enum way way)
{
	if (way == VICTIM)
		connect_rig(race, &race->other[0]);
	else
		assert_int_equal(fake_victimize(&race->world->fake, race->queue,
						RF_DOORBELL_DISCONNECTED_RETRY),
				 0);
}

/* Another queue that has nothing to do is in the only slot. */
static void open_race(struct race *race, bool resident)
{
	struct fake *fake;
	u32 i;

	race->world = world_create();
	fake = &race->world->fake;
	fake->caps.hw_queue_slots = 1;
	fake->residents_max = 1;
	world_start(race->world);
	if (!resident) {
		race->other[0] = make_rig(race->world->file, 0);
		fake_yield(fake, fake_last_queue(fake), RF_YIELD_IDLE);
	}
	race->rig = make_rig(race->world->file, 0);
	race->queue = fake_last_queue(fake);
	assert_true(race->queue->resident == resident);
	for (i = resident ? 0 : 1; i < FAKE_PHYSICAL_DOORBELLS; i++)
		race->other[i] = make_rig(race->world->file, 0);
	connect_rig(race, &race->rig);
	for (i = 1; i < FAKE_PHYSICAL_DOORBELLS; i++)
		connect_rig(race, &race->other[i]);
}

/* Returns how many points there were. */
static u32 run(enum way way, bool resident, u32 store, u32 rung, u32 looked)
{
	struct race race = { .at = { store, rung, looked } };
	u32 points;

	open_race(&race, resident);
	race.world->fake.bus.between = at_point;
	race.world->fake.bus.between_argument = &race;
	disconnect(&race, way);
	race.world->fake.bus.between = NULL;
	points = race.points;
	while (race.step < DONE)
		umd_step(&race);
	if (race.status == RF_DOORBELL_DISCONNECTED_RETRY) {
		connect_rig(&race, &race.rig);
		ring(&race, 1);
		race.status = rig_status(&race.rig);
	}
	assert_int_equal(race.status, RF_DOORBELL_CONNECTED);
	assert_int_equal(race.queue->seen, 1);
	world_destroy(race.world);
	return points;
}

static void explore(enum way way, bool resident)
{
	u32 store, rung, looked, runs = 0;
	u32 points = run(way, resident, U32_MAX, U32_MAX, U32_MAX);

	for (store = 0; store <= points; store++)
		for (rung = store; rung <= points; rung++)
			for (looked = rung; looked <= points; looked++, runs++)
				run(way, resident, store, rung, looked);
	print_message("# %u points, %u interleavings\n", points, runs);
	assert_true(runs >= 35);
}

static void every_ring_beside_a_callback(void **state)
{
	(void)state;
	explore(CALLBACK, true);
	explore(CALLBACK, false);
}

static void every_ring_of_a_victim(void **state)
{
	(void)state;
	explore(VICTIM, true);
	explore(VICTIM, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S3-54,S3-55,S3-57.every-ring-beside-a-callback",
		     every_ring_beside_a_callback),
		TEST("S3-53,S3-55,S3-57.every-ring-of-a-victim", every_ring_of_a_victim),
	};

	return cmocka_run_group_tests_name("doorbell", tests, NULL, NULL);
}
