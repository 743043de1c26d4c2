// SPDX-License-Identifier: Apache-2.0
/*
 * MonitoredValues leave local memory while a signal reads one and a wait begins: every
 * interleaving of the steps of an engine
 *
 *   write CurrentValue, translate the address of MonitoredValue, read it there, interrupt
 *
 * with those of the core, and of a wait that begins at any point where another thread could
 * begin it. The device's part of the contract is that a page is replaced when no access to
 * the old one is under way any more.
 */
#include "fake.h"

enum engine_step { WRITE, TRANSLATE, READ, INTERRUPT, STEPS };

#define VALUE 42u
#define NEVER U32_MAX

struct race {
	struct world *world;
	u32 fence;
	struct fake_fence *hw;
	void *h_process; /* whose address of MonitoredValue the engine uses; NULL: the system's */
	u64 address;
	u64 old; /* where it is in local memory */
	u32 at[STEPS]; /* point before which each step is made */
	u32 wait_at; /* ditto, the wait */
	u32 event;
	u32 points; /* passed so far */
	u64 situation; /* at the last one */
	u32 step;
	struct rf_value_address monitored; /* as translated */
	bool waits, found_old, interrupts;
};

static struct fake_mapping *mapping_of(const struct race *race)
{
	struct fake_mapping *mapping;

	rf_list_for_each(mapping, &race->world->fake.mappings, link)
		if (mapping->h_process == race->h_process && race->address >= mapping->address &&
		    race->address - mapping->address < mapping->mem->bytes)
			return mapping;
	return NULL;
}

static void engine_step(struct race *race)
{
	const struct fake_mapping *mapping;

	switch (race->step++) {
	case WRITE:
		assert_int_equal(
			fake_gpu_write(&race->world->fake, NULL,
				       race->hw->arguments.current_value_system_process_gpu_va,
				       VALUE),
			0);
		break;
	case TRANSLATE:
		mapping = mapping_of(race);
		race->monitored = (struct rf_value_address){
			.mem = mapping->mem,
			.offset = race->address - mapping->address,
		};
		race->found_old = mapping->mem->kind == RF_MEM_LOCAL;
		break;
	case READ:
		race->interrupts = VALUE > rf_value_read(race->monitored);
		break;
	case INTERRUPT:
		if (race->interrupts)
			fake_report_handle(&race->world->fake, race->hw->core);
		break;
	}
}

/*
 * What the core has done that the engine or a wait could notice, as a number that is never
 * the same again: points between which nothing of it has changed are one.
 */
static u64 situation(const struct race *race)
{
	const struct fake *fake = &race->world->fake;
	u64 number = fake->diary_length;

	number = number << 2 | (mapping_of(race)->mem->kind == RF_MEM_LOCAL) << 1 | !fake->bus.held;
	return number << 8 | (u8)fake->bus.local[race->old / 8];
}

static void *wait_thread(void *argument)
{
	struct race *race = argument;
	const struct drm_ringfence_fence_value value = { .handle = race->fence, .value = VALUE };

	return (void *)(intptr_t)wait_fences(race->world->file, &value, 1, 0, 0, race->event);
}

/* Another thread waits: this one has the demotion's locks. */
static void begin_wait(struct race *race)
{
	pthread_t thread;
	void *result;

	race->waits = true;
	assert_int_equal(pthread_create(&thread, NULL, wait_thread, race), 0);
	pthread_join(thread, &result);
	assert_null(result);
}

static void at_point(struct race *race)
{
	u64 now = situation(race);

	if (now == race->situation)
		return;
	race->situation = now;
	while (race->step < STEPS && race->at[race->step] == race->points)
		engine_step(race);
	if (race->wait_at == race->points++ && !race->world->fake.bus.held)
		begin_wait(race);
}

static void between(void *argument)
{
	at_point(argument);
}

static void during_update(struct fake *fake, u32 point, void *argument)
{
	(void)fake;
	(void)point;
	at_point(argument);
}

static void during_replace(struct fake *fake, u32 point, void *argument)
{
	struct race *race = argument;

	(void)fake;
	at_point(race);
	/* what was translated before is read before the old page is out of use */
	if (point && race->step == READ && race->monitored.mem->kind == RF_MEM_LOCAL)
		engine_step(race);
}

static void open_race(struct race *race, bool of_system)
{
	struct drm_ringfence_fence_create fence;
	struct fake_mapping *mapping;
	struct fake *fake;

	race->world = world_new();
	fake = &race->world->fake;
	fence = make_fence(race->world->file, DRM_RINGFENCE_FENCE_DEFAULT, 0, 0);
	race->fence = fence.handle;
	race->event = make_event(race->world->file);
	race->hw = fake_last_fence(fake);
	race->address = race->hw->arguments.monitored_value_system_process_gpu_va;
	if (!of_system) {
		race->address = fence.mapping.monitored_value_gpu_address;
		rf_list_for_each(mapping, &fake->mappings, link)
			if (mapping->h_process)
				race->h_process = mapping->h_process;
	}
	mapping = mapping_of(race);
	assert_int_equal(mapping->mem->kind, RF_MEM_LOCAL);
	race->old = mapping->mem->address + race->address - mapping->address;
}

/* Returns how many points there were. */
static u32 run(bool of_system, const u32 at[STEPS], u32 wait_at, u32 *found_old)
{
	struct race race = { .at = { at[0], at[1], at[2], at[3] }, .wait_at = wait_at };
	struct fake *fake;

	open_race(&race, of_system);
	fake = &race.world->fake;
	fake->bus.between = between;
	fake->bus.between_argument = &race;
	fake->during_update = during_update;
	fake->during_replace = during_replace;
	fake->argument = &race;
	make_memory(race.world->file, FAKE_LOCAL_BYTES, DRM_RINGFENCE_MEMORY_LOCAL);
	fake->bus.between = NULL;
	fake->during_update = NULL;
	fake->during_replace = NULL;
	while (race.step < STEPS)
		engine_step(&race);
	assert_int_equal(mapping_of(&race)->mem->kind, RF_MEM_SYSTEM);
	assert_int_equal(world_statistics(race.world).demotions, 1);
	if (race.waits)
		assert_int_equal(look(race.world->file, race.event), 0);
	else
		assert_false(race.interrupts); /* S0-22 */
	assert_int_equal(fake_monitored(fake, race.hw), RF_MONITORED_NONE);
	*found_old += race.found_old;
	world_destroy(race.world);
	return race.points;
}

/*
 * The engine's steps at every choice of points; the wait at every point, and none at all.
 * That of the interrupt does not matter: it is heard of at once or when the core lets it.
 */
static void explore(bool of_system)
{
	static const u32 never[STEPS] = { NEVER, NEVER, NEVER, NEVER };
	u32 written, translated, read, waited, runs = 0, old = 0;
	u32 points = run(of_system, never, 0, &old);

	for (written = 0; written <= points; written++)
		for (translated = written; translated <= points; translated++)
			for (read = translated; read <= points; read++)
				for (waited = 0; waited <= points; waited++, runs++)
					run(of_system, (u32[]){ written, translated, read, read },
					    waited < points ? waited : NEVER, &old);
	print_message("# %u points, %u interleavings, %u of them with the old page\n", points, runs,
		      old);
	assert_true(old && old < runs);
}

static void signals_of_a_process(void **state)
{
	(void)state;
	explore(false);
}

static void signals_of_the_device(void **state)
{
	(void)state;
	explore(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-31,S0-36.a-signal-and-a-wait-beside-a-demotion", signals_of_a_process),
		TEST("S0-31,S0-36.a-progress-signal-beside-a-demotion", signals_of_the_device),
	};

	return cmocka_run_group_tests_name("demotion", tests, NULL, NULL);
}
