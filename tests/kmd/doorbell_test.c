// SPDX-License-Identifier: Apache-2.0
/*
 * A ring beside a disconnection (C11): every interleaving of the steps of user mode
 *
 *   store the write pointer, ring, read the status
 *
 * with those of the core and the miniport, whichever way the doorbell is lost. A ring
 * is heard, or user mode sees that it was not, connects and rings again.
 *
 * So it is when the engine goes to F1 or the device to D3, and when another queue wakes
 * the device; what was heard before D3 is executed after it.
 */
#include "base/adapter.h"
#include "scheduling/node.h"
#include "scheduling/schedule.h"
#include "fake.h"

enum umd_step { STORE, RING, LOOK, DONE };

enum way {
	CALLBACK, /* the miniport takes it away */
	VICTIM, /* for the doorbell of another queue */
	F1, /* the engine is idle */
	D3,
	WAKE_UP, /* it is lost in D3 already, and another queue connects */
};

struct race {
	struct world *world;
	struct rig rig, other[FAKE_PHYSICAL_DOORBELLS];
	struct fake_queue *queue;
	u32 at[DONE]; /* point before which each step is made */
	u32 points; /* passed so far */
	bool distinct; /* count those only that differ */
	u64 situation; /* at the last one */
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

/*
 * All that a step of user mode depends on or acts on, as a number that is never the same
 * again: points between which nothing of it has changed are one.
 */
static u64 situation(const struct race *race)
{
	const struct kmd_adapter *adapter = race->world->device->adapter;
	const struct fake *fake = &race->world->fake;
	u64 number = fake->diary_length;

	number = number << 12 | fake->queries;
	number = number << 3 | rig_status(&race->rig);
	number = number << 3 | adapter->nodes[0].state << 1 | adapter->in_d3;
	number = number << 2 | race->queue->resident << 1 | race->queue->leaving;
	return number << 5 | adapter->scheduler->residents << 1 | fake->bus.pending;
}

static void at_point(void *argument)
{
	struct race *race = argument;
	u64 now = situation(race);

	if (race->distinct && now == race->situation)
		return;
	race->situation = now;
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
	switch (way) {
	case CALLBACK:
		assert_int_equal(fake_victimize(&race->world->fake, race->queue,
						RF_DOORBELL_DISCONNECTED_RETRY),
				 0);
		break;
	case VICTIM:
	case WAKE_UP:
		connect_rig(race, &race->other[0]);
		break;
	case F1:
		race->world->fake.idle = 1u << 0;
		rf_hosted_look_for_idle(race->world->device);
		break;
	case D3:
		assert_int_equal(rf_hosted_sleep(race->world->device), 0);
		break;
	}
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
	struct race race = { .at = { store, rung, looked }, .distinct = way >= F1 };
	u32 points;

	open_race(&race, resident);
	if (way == WAKE_UP)
		assert_int_equal(rf_hosted_sleep(race.world->device), 0);
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
	assert_int_equal(rf_hosted_wake(race.world->device), 0);
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

static void every_ring_beside_f1(void **state)
{
	(void)state;
	explore(F1, true);
	explore(F1, false);
}

static void every_ring_beside_d3(void **state)
{
	(void)state;
	explore(D3, true);
	explore(D3, false);
}

static void every_ring_beside_a_wake_up(void **state)
{
	(void)state;
	explore(WAKE_UP, true);
	explore(WAKE_UP, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S3-54,S3-55,S3-57.every-ring-beside-a-callback",
		     every_ring_beside_a_callback),
		TEST("S3-53,S3-55,S3-57.every-ring-of-a-victim", every_ring_of_a_victim),
		TEST("S3-40.every-ring-beside-the-transition-to-f1", every_ring_beside_f1),
		TEST("S3-46.every-ring-beside-the-transition-to-d3", every_ring_beside_d3),
		TEST("S3-46.every-ring-beside-a-wake-up", every_ring_beside_a_wake_up),
	};

	return cmocka_run_group_tests_name("doorbell", tests, NULL, NULL);
}
