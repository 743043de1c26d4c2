// SPDX-License-Identifier: Apache-2.0
/*
 * What runs with interrupts off is bounded, whatever user mode has made: the wake-ups between
 * two moments at which no spinlock is held are counted, however many waits there are. And
 * what one hold leaves is done by the next ones: no waiter is forgotten, and the device gets
 * every update (kmd/core/waits/evaluate.c).
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/heap.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/storage.h"
#include "recovery/recovery.h"
#include "fake.h"

#define WAITS 10000u
#define FENCES 2000u

/* Wake-ups in one hold of spinlocks. */
struct hold {
	struct world *world;
	u32 now, longest, all;
	int result;
	void (*check)(struct hold *hold);
	u32 holds;
};

/* Before interrupts are held, and after they are let go. */
static void between(void *argument)
{
	struct hold *hold = argument;

	if (hold->world->fake.bus.held)
		return;
	if (hold->now > hold->longest)
		hold->longest = hold->now;
	if (hold->now && hold->check)
		hold->check(hold);
	hold->holds += hold->now != 0;
	hold->now = 0;
}

static void notified(void *argument, int result)
{
	struct hold *hold = argument;

	assert_int_equal(result, hold->result);
	hold->now++;
	hold->all++;
}

static void hold_begin(struct hold *hold, struct world *world)
{
	*hold = (struct hold){ .world = world };
	world->fake.bus.between = between;
	world->fake.bus.between_argument = hold;
}

static void hold_end(struct hold *hold, u32 wakes)
{
	hold->world->fake.bus.between = NULL;
	assert_int_equal(hold->all, wakes);
	assert_in_range(hold->longest, 1, KMD_HOLD_UNITS);
	printf("# %u wake-ups, at most %u in one hold\n", hold->all, hold->longest);
}

/* A file that may have as many waits as it likes */
static void allow(struct world *world)
{
	struct kmd_file *file = world->file->file;

	file->adapter->limits.file[KMD_LIMIT_WAITS] = U32_MAX;
	file->adapter->limits.user[KMD_LIMIT_WAITS] = U32_MAX;
	file->adapter->limits.file[KMD_LIMIT_FENCES] = U32_MAX;
	file->adapter->limits.user[KMD_LIMIT_FENCES] = U32_MAX;
}

static void wait_many(struct hold *hold, u32 fence, u64 first, u32 count, u64 step)
{
	u32 i;

	for (i = 0; i < count; i++)
		assert_int_equal(kmd_fence_notify(hold->world->file->file, fence, first + i * step,
						  false, notified, hold),
				 0);
}

/* --- the wake-ups of one fence ---------------------------------------------------------------- */

static void signal_by_engine(u64 step)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0);
	struct fake_fence *hw = fake_last_fence(&world->fake);
	u32 later;
	struct hold hold;

	allow(world);
	hold_begin(&hold, world);
	wait_many(&hold, fence, 1, WAITS, step);
	later = wait_event(world->file, fence, 2 * WAITS);
	hold.longest = 0;
	fake_signal(&world->fake, hw, WAITS);
	hold_end(&hold, WAITS);
	/* waiters for more keep waiting, and will be woken */
	assert_int_equal(look(world->file, later), -ETIMEDOUT);
	assert_int_equal(fake_monitored(&world->fake, hw), 2 * WAITS - 1);
	fake_signal(&world->fake, hw, 2 * WAITS);
	assert_int_equal(look(world->file, later), 0);
	assert_int_equal(world_statistics(world).lost_interrupts, 0);
	world_destroy(world);
}

static void waits_for_one_value(void **state)
{
	(void)state;
	signal_by_engine(0);
}

static void waits_for_many_values(void **state)
{
	(void)state;
	signal_by_engine(1);
}

static void signal_by_the_cpu(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0);
	struct hold hold;

	(void)state;
	allow(world);
	hold_begin(&hold, world);
	wait_many(&hold, fence, 1, WAITS, 0);
	assert_int_equal(signal_fence(world->file, fence, 1), 0);
	hold_end(&hold, WAITS);
	world_destroy(world);
}

/* --- other ends ---------------------------------------------------------------------------------- */

static void destroying_a_fence(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0);
	struct hold hold;

	(void)state;
	allow(world);
	hold_begin(&hold, world);
	hold.result = -ECANCELED;
	wait_many(&hold, fence, 1, WAITS, 1);
	destroy_fence(world->file, fence);
	hold_end(&hold, WAITS);
	world_destroy(world);
}

static void closing_a_file(void **state)
{
	struct world *world = world_new();
	struct hold hold;
	u32 i;

	(void)state;
	allow(world);
	hold_begin(&hold, world);
	hold.result = -ECANCELED;
	for (i = 0; i < 10; i++)
		wait_many(&hold, make_default(world->file, 0), 1, WAITS / 10, 1);
	rf_hosted_close(world->file);
	world->file = NULL;
	hold_end(&hold, WAITS);
	world_destroy(world);
}

static void a_fatal_error(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0), i;
	struct hold hold;

	(void)state;
	allow(world);
	hold_begin(&hold, world);
	hold.result = -ENODEV;
	wait_many(&hold, fence, 1, WAITS / 2, 1);
	for (i = 0; i < WAITS / 2; i++)
		if (i < FENCES)
			wait_many(&hold, make_default(world->file, 0), 1, 1, 1);
	fake_report_handle(&world->fake, (void *)(uintptr_t)0xdead);
	hold_end(&hold, WAITS / 2 + FENCES);
	world_destroy(world);
}

/* --- many fences ----------------------------------------------------------------------------------- */

static void null_array(void **state)
{
	struct world *world = world_new();
	struct fake_fence *hw[FENCES];
	struct hold hold;
	u32 i;

	(void)state;
	allow(world);
	hold_begin(&hold, world);
	for (i = 0; i < FENCES; i++) {
		u32 fence = make_default(world->file, 0);

		hw[i] = fake_last_fence(&world->fake);
		wait_many(&hold, fence, 1, 2, 1);
	}
	/* all of them, by a NULL array */
	world->fake.report = FAKE_REPORT_NOTHING;
	for (i = 0; i < FENCES; i++)
		fake_signal(&world->fake, hw[i], 1);
	assert_int_equal(hold.all, 0);
	world->fake.report = FAKE_REPORT_NULL;
	fake_report_handle(&world->fake, NULL);
	hold_end(&hold, FENCES);
	/* every waiter for 2 is armed for, everywhere */
	for (i = 0; i < FENCES; i++)
		assert_int_equal(fake_monitored(&world->fake, hw[i]), 1);
	hold.all = 0;
	hold.longest = 0;
	hold_begin(&hold, world);
	world->fake.report = FAKE_REPORT_EXACT;
	for (i = 0; i < FENCES; i++)
		fake_signal(&world->fake, hw[i], 2);
	hold_end(&hold, FENCES);
	world_destroy(world);
}

/* --- many queues ----------------------------------------------------------------------------------- */

#define QUEUES 1000u
#define PROCESSES 4u

struct crowd {
	struct world *world;
	struct fake *fake;
	struct rf_file *files[PROCESSES];
	struct fake_queue *queues[QUEUES];
	u64 now; /* of the watch */
};

/* Queues with rings of several processes, who may have that many. */
static void crowd_new(struct crowd *crowd, bool optimized)
{
	struct world *world = world_create();
	struct kmd_adapter *adapter;
	u32 i;

	*crowd = (struct crowd){ .world = world, .fake = &world->fake };
	if (optimized)
		world->fake.caps.scheduling_caps |=
			RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	world->fake.residents_max = FAKE_SLOTS;
	world_start(world);
	adapter = world->device->adapter;
	for (i = 0; i < KMD_LIMITS; i++)
		adapter->limits.file[i] = adapter->limits.user[i] = U32_MAX;
	crowd->files[0] = world->file;
	for (i = 1; i < PROCESSES; i++)
		assert_int_equal(rf_hosted_open(world->device, &crowd->files[i]), 0);
	for (i = 0; i < QUEUES; i++) {
		make_rig(crowd->files[i % PROCESSES], i / PROCESSES % 2);
		crowd->queues[i] = fake_last_queue(crowd->fake);
		crowd->queues[i]->has_work = true;
	}
	rf_hosted_longest_hold();
}

static void crowd_end(struct crowd *crowd)
{
	u32 i;

	for (i = 1; i < PROCESSES; i++)
		rf_hosted_close(crowd->files[i]);
	world_destroy(crowd->world);
}

static_assert(RF_HOLD_ROUNDS_MAX == KMD_HOLD_ROUNDS, "one bound");

/* What all threads have done since: in one hold of spinlocks never too much. */
static void assert_short_holds(const char *what)
{
	u32 longest = rf_hosted_longest_hold();

	printf("# %s: at most %u rounds of loops in one hold\n", what, longest);
	assert_in_range(longest, 1, KMD_HOLD_ROUNDS);
}

static void tick_crowd(struct crowd *crowd)
{
	crowd->now += 2000000000ull;
	rf_hosted_watch_progress(crowd->world->device, crowd->now);
}

/* Each queue has something in its log. */
static void logs_of_queues(void **state)
{
	u32 optimized, i, k;

	(void)state;
	for (optimized = 0; optimized < 2; optimized++) {
		struct crowd crowd;

		crowd_new(&crowd, optimized);
		for (i = 0; i < QUEUES; i++)
			for (k = 1; k < 60; k++)
				fake_log_append(crowd.fake, crowd.queues[i], RF_LOG_TYPE_SIGNALS, 1,
						k, 0);
		/* of each node, or of none */
		for (i = 0; i < 2; i++)
			fake_report(crowd.fake,
				    &(struct rf_notify_interrupt_data){
					    .interrupt_type = RF_INTERRUPT_NATIVE_FENCE_SIGNALED,
					    .native_fence_signaled.node_ordinal = i,
				    });
		rf_hosted_look_for_idle(crowd.world->device);
		assert_int_equal(world_statistics(crowd.world).log_entries, QUEUES * 59);
		assert_short_holds("logs");
		crowd_end(&crowd);
	}
}

static void ignore_event(void *argument, const struct kmd_log_event *event)
{
	(void)argument;
	(void)event;
}

/* One log has more than a hold reads: the rest is read by the next ones. */
static void a_large_log(void **state)
{
	struct crowd crowd = { .world = world_create() };
	struct kmd_adapter *adapter;
	u32 k;

	(void)state;
	crowd.fake = &crowd.world->fake;
	crowd.fake->caps.scheduling_caps |= RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	world_start(crowd.world);
	adapter = crowd.world->device->adapter;
	kmd_adapter_trace(adapter, ignore_event, NULL);
	make_rig(crowd.world->file, 0);
	for (k = 1; k <= 1000; k++)
		fake_log_append(crowd.fake, fake_last_queue(crowd.fake), RF_LOG_TYPE_SIGNALS, 1, k,
				0);
	rf_hosted_longest_hold();
	fake_report(crowd.fake,
		    &(struct rf_notify_interrupt_data){
			    .interrupt_type = RF_INTERRUPT_NATIVE_FENCE_SIGNALED,
			    .native_fence_signaled.h_hw_queue = fake_last_queue(crowd.fake),
		    });
	assert_int_equal(world_statistics(crowd.world).log_entries, 1000);
	assert_short_holds("a large log");
	kmd_adapter_trace(adapter, NULL, NULL);
	world_destroy(crowd.world);
}

/* A ring for any of them, and the watch asks them all. */
static void rings_of_queues(void **state)
{
	struct crowd crowd;
	u32 i;

	(void)state;
	crowd_new(&crowd, false);
	fake_report(crowd.fake, &(struct rf_notify_interrupt_data){
					.interrupt_type = RF_INTERRUPT_HWQUEUE_WORK,
				});
	assert_int_equal(world_statistics(crowd.world).interrupts, 1);
	for (i = 0; i < QUEUES; i++)
		if (crowd.queues[i]->resident)
			fake_yield(crowd.fake, crowd.queues[i], RF_YIELD_QUANTUM);
	tick_crowd(&crowd);
	assert_short_holds("rings");
	crowd_end(&crowd);
}

/* Engines are switched off and on, and busy ones hang. */
static void engines_of_queues(void **state)
{
	struct crowd crowd;
	u32 i;

	(void)state;
	crowd_new(&crowd, false);
	for (i = 0; i < QUEUES; i++)
		crowd.queues[i]->has_work = false;
	fake_engine_state(crowd.fake, 0, RF_ENGINE_TRANSITION_TO_F1);
	rf_hosted_look_for_idle(crowd.world->device);
	while (fake_step(crowd.fake, 0))
		;
	rf_hosted_look_for_idle(crowd.world->device);
	assert_int_equal(crowd.fake->f1, 1);
	assert_short_holds("F1");
	crowd.fake->hung = 1u << 1;
	for (i = 0; i < 6; i++)
		tick_crowd(&crowd);
	assert_true(world_statistics(crowd.world).engine_resets);
	assert_short_holds("an engine's reset");
	crowd_end(&crowd);
}

static void resets_of_queues(void **state)
{
	struct crowd crowd;

	(void)state;
	crowd_new(&crowd, false);
	rf_mutex_lock(&crowd.world->device->adapter->mutex);
	kmd_adapter_reset(crowd.world->device->adapter, "is tested", crowd.now);
	rf_mutex_unlock(&crowd.world->device->adapter->mutex);
	tick_crowd(&crowd);
	assert_int_equal(world_statistics(crowd.world).adapter_resets, 1);
	assert_short_holds("a reset");
	crowd_end(&crowd);
}

/* The device is given up: everybody hears of it. */
static void a_loss_of_queues(void **state)
{
	struct crowd crowd;
	u32 events[2000], i;

	(void)state;
	crowd_new(&crowd, false);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		events[i] = make_event(crowd.files[i % PROCESSES]);
	rf_hosted_longest_hold();
	fake_report_handle(crowd.fake, (void *)(uintptr_t)0xdead);
	rf_hosted_look_for_idle(crowd.world->device);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		assert_int_equal(look(crowd.files[i % PROCESSES], events[i]), -ENODEV);
	assert_short_holds("a loss");
	crowd_end(&crowd);
}

/* --- between two holds -------------------------------------------------------------------------------- */

/*
 * The invariant of evaluate.c, when wait_lock is not held: a fence with a waiter is armed for
 * the least of them and was read since, or is on a list of what is to be done.
 */
static void check_invariant(struct hold *hold)
{
	struct kmd_adapter *adapter = hold->world->device->adapter;
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_opening *native;

	rf_list_for_each(native, &adapter->fences, link) {
		const struct kmd_fence *fence = native->fence;
		u64 value = rf_value_read(kmd_value_address(&fence->current_value));
		bool listed = !rf_list_empty(&native->unarmed_link) ||
			      !rf_list_empty(&fence->reached_link) ||
			      !rf_list_empty(&adapter->walk.link);

		if (!fence->waiters.first || listed)
			continue;
		assert_true(fence->waiters.first->value > value);
		assert_true(native->monitored_value == fence->waiters.first->value - 1);
	}
	if (rf_list_empty(&domain->pending[KMD_PENDING_UNARMED]) &&
	    rf_list_empty(&domain->pending[KMD_PENDING_REACHED]) &&
	    rf_list_empty(&domain->pending[KMD_PENDING_WALKING]) &&
	    rf_list_empty(&domain->pending[KMD_PENDING_READY]))
		return;
	/* and the work item does it */
	assert_true(__atomic_load_n(&domain->os->unsettled, __ATOMIC_ACQUIRE) ||
		    hold->world->fake.bus.delivering);
}

static void invariant_between_holds(void **state)
{
	struct world *world = world_new();
	u32 fences[3], i;
	struct fake_fence *hw[3];
	struct hold hold;

	(void)state;
	allow(world);
	hold_begin(&hold, world);
	for (i = 0; i < 3; i++) {
		fences[i] = make_default(world->file, 0);
		hw[i] = fake_last_fence(&world->fake);
		wait_many(&hold, fences[i], 1, 2000, 1);
	}
	hold.check = check_invariant;
	fake_signal(&world->fake, hw[0], 1000);
	fake_signal(&world->fake, hw[1], 1500);
	assert_int_equal(signal_fence(world->file, fences[2], 700), 0);
	assert_in_range(hold.holds, 3200 / KMD_HOLD_UNITS, 3200);
	hold_end(&hold, 3200);
	for (i = 0; i < 3; i++)
		fake_signal(&world->fake, hw[i], 2000);
	assert_int_equal(hold.all, 6000);
	world_destroy(world);
}

/* A fence that is signalled again while its waiters are being woken: no waiter is forgotten. */
static struct fake_fence *again;

static void signal_again(struct hold *hold)
{
	struct fake_fence *hw = again;

	again = NULL;
	if (hw)
		fake_signal(&hold->world->fake, hw, 2 * WAITS);
}

static void signal_between_holds(void **state)
{
	struct world *world = world_new();
	u32 fence = make_default(world->file, 0);
	struct hold hold;

	(void)state;
	allow(world);
	again = fake_last_fence(&world->fake);
	hold_begin(&hold, world);
	wait_many(&hold, fence, 1, WAITS, 1);
	hold.check = signal_again;
	fake_signal(&world->fake, again, WAITS / 2);
	assert_null(again);
	hold_end(&hold, WAITS);
	world_destroy(world);
}

/* --- the heap -------------------------------------------------------------------------------------------- */

#define NODES 100000u

/* Nodes that a step touches: those on right spines, and above. */
static void steps_of_the_heap(void **state)
{
	struct kmd_heap_node *nodes = calloc(NODES, sizeof(*nodes));
	struct kmd_heap heap = { 0 };
	u32 i, deepest = 0;

	(void)state;
	for (i = 0; i < NODES; i++)
		kmd_heap_insert(&heap, &nodes[i], NODES - i);
	for (i = 0; i < NODES; i++)
		if (nodes[i].rank > deepest)
			deepest = nodes[i].rank;
	assert_in_range(deepest, 1, 17); /* log2(NODES + 1) */
	for (i = NODES; i--;) {
		assert_ptr_equal(heap.first, &nodes[i]);
		kmd_heap_remove(&heap, &nodes[i]);
	}
	free(nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("one-value-many-waits", waits_for_one_value),
		TEST("many-values-many-waits", waits_for_many_values),
		TEST("a-signal-of-the-cpu", signal_by_the_cpu),
		TEST("destroying-a-fence", destroying_a_fence),
		TEST("closing-a-file", closing_a_file),
		TEST("a-fatal-error", a_fatal_error),
		TEST("S0-66.a-null-array", null_array),
		TEST("S0-40.the-invariant-between-two-holds", invariant_between_holds),
		TEST("S0-40.a-signal-between-two-holds", signal_between_holds),
		TEST("logs-of-queues", logs_of_queues),
		TEST("a-large-log", a_large_log),
		TEST("rings-of-queues", rings_of_queues),
		TEST("engines-of-queues", engines_of_queues),
		TEST("resets-of-queues", resets_of_queues),
		TEST("a-loss-of-queues", a_loss_of_queues),
		TEST("the-heap-takes-short-steps", steps_of_the_heap),
	};

	return cmocka_run_group_tests_name("bounded", tests, NULL, NULL);
}
