// SPDX-License-Identifier: Apache-2.0
/* Which queues are resident when there are more queues than slots. */
#include "base/adapter.h"
#include "base/file.h"
#include "scheduling/context.h"
#include "fake.h"

#define SLOTS 4
#define MOST 12

struct scene {
	struct world *world;
	struct fake *fake;
	struct rig rigs[MOST];
	struct fake_queue *queues[MOST];
	u32 count;
};

static void open_scene(struct scene *scene)
{
	*scene = (struct scene){ .world = world_create() };
	scene->fake = &scene->world->fake;
	scene->fake->caps.hw_queue_slots = SLOTS;
	scene->fake->residents_max = SLOTS;
	world_start(scene->world);
}

static void close_scene(struct scene *scene)
{
	world_destroy(scene->world);
}

static struct fake_queue *add(struct scene *scene, u32 node, u32 priority)
{
	u32 context = make_context(scene->world->file, node, priority);

	scene->rigs[scene->count] = make_rig_in(scene->world->file, node, context);
	scene->queues[scene->count] = fake_last_queue(scene->fake);
	return scene->queues[scene->count++];
}

/* Every slot is taken by a queue of the node and band that has work. */
static void fill(struct scene *scene, u32 node, u32 priority)
{
	u32 i;

	for (i = 0; i < SLOTS; i++) {
		struct fake_queue *queue = add(scene, node, priority);

		assert_true(queue->resident);
		queue->has_work = true;
	}
}

static u64 evictions(struct scene *scene)
{
	return world_statistics(scene->world).evictions;
}

/* --- in and out ---------------------------------------------------------------------------- */

static void free_slots_are_used_at_once(void **state)
{
	struct scene scene;
	struct fake_queue *late;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 0);
	late = add(&scene, 0, 0);
	assert_false(late->resident);
	assert_int_equal(evictions(&scene), 0);
	/* a queue without work evicts no other, and comes in when it is rung */
	destroy_rig(scene.world->file, &scene.rigs[0]);
	assert_false(late->resident);
	fake_ring(scene.fake, late);
	assert_true(late->resident);
	close_scene(&scene);
}

static void ring_brings_a_queue_in(void **state)
{
	struct scene scene;
	struct fake_queue *late;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 0);
	late = add(&scene, 0, 0);
	fake_ring(scene.fake, late);
	assert_false(late->resident); /* no queue may be evicted yet */
	scene.queues[2]->has_work = false;
	fake_yield(scene.fake, scene.queues[2], RF_YIELD_IDLE);
	assert_true(late->resident);
	assert_false(scene.queues[2]->resident);
	assert_int_equal(evictions(&scene), 1);
	close_scene(&scene);
}

/* Idle before blocked before those that had their turn; the longest so first. */
static void who_can_do_without_makes_room(void **state)
{
	struct scene scene;
	struct fake_queue *late[3];
	u32 i;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 0);
	for (i = 0; i < 3; i++)
		late[i] = add(&scene, 0, 0);
	fake_yield(scene.fake, scene.queues[0], RF_YIELD_QUANTUM);
	fake_yield(scene.fake, scene.queues[1], RF_YIELD_BLOCKED);
	fake_yield(scene.fake, scene.queues[3], RF_YIELD_IDLE);
	fake_yield(scene.fake, scene.queues[2], RF_YIELD_IDLE);
	scene.queues[2]->has_work = false;
	scene.queues[3]->has_work = false;
	fake_ring(scene.fake, late[0]);
	assert_false(scene.queues[3]->resident);
	assert_true(scene.queues[2]->resident);
	fake_ring(scene.fake, late[1]);
	assert_false(scene.queues[2]->resident);
	assert_true(scene.queues[1]->resident);
	scene.queues[1]->has_work = false;
	fake_ring(scene.fake, late[2]);
	assert_false(scene.queues[1]->resident);
	assert_true(scene.queues[0]->resident);
	close_scene(&scene);
}

/* All have work all the time; each is in again before another is in three times. */
static void nobody_of_a_band_starves(void **state)
{
	struct scene scene;
	u32 in[MOST] = { 0 };
	u32 i, round;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 0);
	for (i = SLOTS; i < 10; i++)
		fake_ring(scene.fake, add(&scene, 0, 0));
	for (round = 0; round < 100; round++) {
		struct fake_queue *queue = scene.queues[(round * 7) % scene.count];

		for (i = 0; i < scene.count; i++)
			in[i] += scene.queues[i]->resident;
		if (queue->resident)
			fake_yield(scene.fake, queue, RF_YIELD_QUANTUM);
	}
	for (i = 0; i < scene.count; i++)
		assert_in_range(in[i], 20, 70);
	close_scene(&scene);
}

static void higher_band_comes_first(void **state)
{
	struct fake_queue *low, *equal, *high;
	struct scene scene;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 5);
	low = add(&scene, 0, 4);
	equal = add(&scene, 0, 5);
	high = add(&scene, 0, 6);
	fake_ring(scene.fake, low);
	fake_ring(scene.fake, equal);
	assert_false(low->resident || equal->resident);
	/* no need to wait for a lower band to have had its turn */
	fake_ring(scene.fake, high);
	assert_true(high->resident);
	assert_false(scene.queues[0]->resident);
	/* those of the band that are out come before the lower one, in their order */
	fake_yield(scene.fake, scene.queues[1], RF_YIELD_QUANTUM);
	assert_true(equal->resident);
	fake_yield(scene.fake, scene.queues[2], RF_YIELD_QUANTUM);
	assert_true(scene.queues[0]->resident);
	assert_false(low->resident);
	close_scene(&scene);
}

/* What a slot told of its quantum is nothing to a lower band: it is asked again. */
static void stale_hints_are_asked_for_again(void **state)
{
	struct fake_queue *low;
	struct scene scene;
	u32 i;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 5);
	for (i = 0; i < SLOTS; i++)
		fake_yield(scene.fake, scene.queues[i], RF_YIELD_QUANTUM);
	low = add(&scene, 0, 1);
	fake_ring(scene.fake, low);
	assert_false(low->resident);
	assert_int_equal(scene.fake->calls[FAKE_REARM], SLOTS);
	scene.queues[1]->has_work = false;
	fake_yield(scene.fake, scene.queues[1], RF_YIELD_BLOCKED);
	assert_true(low->resident);
	close_scene(&scene);
}

/* A node has its share of the slots, whatever the bands of another. */
static void no_node_starves(void **state)
{
	struct fake_queue *other, *second, *third;
	struct scene scene;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 9);
	other = add(&scene, 1, 0);
	second = add(&scene, 1, 0);
	third = add(&scene, 1, 0);
	fake_ring(scene.fake, other);
	assert_true(other->resident);
	fake_ring(scene.fake, second);
	assert_true(second->resident);
	/* two of each now */
	fake_ring(scene.fake, third);
	assert_false(third->resident);
	close_scene(&scene);
}

static void breakpoints_and_lost_queues_make_room(void **state)
{
	struct fake_queue *late[2];
	struct scene scene;
	u32 i;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 0);
	for (i = 0; i < 2; i++)
		late[i] = add(&scene, 0, 0);
	fake_stop(scene.fake, scene.queues[1], RF_STOP_TRAP, 1, 0);
	fake_ring(scene.fake, late[0]);
	assert_true(late[0]->resident);
	assert_false(scene.queues[1]->resident);
	fake_fault(scene.fake, scene.queues[3], RF_QUEUE_ERROR_OPCODE, 0);
	fake_ring(scene.fake, late[1]);
	assert_true(late[1]->resident);
	assert_false(scene.queues[3]->resident);
	/* and is not brought in again */
	scene.queues[3]->has_work = true;
	fake_yield(scene.fake, late[1], RF_YIELD_IDLE);
	assert_false(scene.queues[3]->resident);
	close_scene(&scene);
}

/* What is out has slots only once it really is. */
static void slot_is_free_when_the_device_says_so(void **state)
{
	struct fake_queue *late[2];
	struct scene scene;
	u32 i;

	(void)state;
	open_scene(&scene);
	scene.fake->hold_preempted = true;
	fill(&scene, 0, 0);
	for (i = 0; i < 2; i++) {
		late[i] = add(&scene, 0, 0);
		fake_ring(scene.fake, late[i]);
	}
	fake_yield(scene.fake, scene.queues[0], RF_YIELD_QUANTUM);
	fake_yield(scene.fake, scene.queues[1], RF_YIELD_QUANTUM);
	assert_true(scene.queues[0]->leaving);
	assert_true(scene.queues[1]->resident);
	assert_false(late[0]->resident);
	fake_preempted(scene.fake, scene.queues[0], NULL, 0);
	assert_true(late[0]->resident);
	assert_true(scene.queues[1]->leaving);
	/* a ring for one that is leaving is not lost */
	scene.queues[1]->has_work = false;
	fake_ring(scene.fake, scene.queues[1]);
	fake_preempted(scene.fake, scene.queues[1], NULL, 0);
	assert_true(late[1]->resident);
	fake_yield(scene.fake, late[0], RF_YIELD_QUANTUM);
	fake_preempted(scene.fake, late[0], NULL, 0);
	fake_yield(scene.fake, late[1], RF_YIELD_QUANTUM);
	fake_preempted(scene.fake, late[1], NULL, 0);
	assert_true(scene.queues[1]->resident);
	scene.fake->hold_preempted = false;
	close_scene(&scene);
}

/* The device refuses once: another queue must leave, then it is asked again. */
static void busy_device_gets_room(void **state)
{
	struct fake_queue *late;
	struct scene scene;
	u32 i;

	(void)state;
	open_scene(&scene);
	scene.fake->residents_max = 2;
	for (i = 0; i < 2; i++)
		assert_true(add(&scene, 0, 0)->resident);
	late = add(&scene, 0, 0);
	assert_false(late->resident);
	fake_ring(scene.fake, late);
	assert_false(late->resident);
	fake_yield(scene.fake, scene.queues[0], RF_YIELD_IDLE);
	assert_true(late->resident);
	assert_false(scene.queues[0]->resident);
	close_scene(&scene);
}

/* --- a queue that sleeps --------------------------------------------------------------------- */

struct sleeper {
	struct scene scene;
	struct drm_ringfence_fence_create fence;
	struct fake_fence *hw;
	struct fake_queue *queue; /* waits for 5, and is out */
};

static void open_sleeper(struct sleeper *sleeper)
{
	struct scene *scene = &sleeper->scene;

	open_scene(scene);
	fill(scene, 0, 0);
	sleeper->fence = make_fence(scene->world->file, DRM_RINGFENCE_FENCE_DEFAULT, 0, 0);
	sleeper->hw = fake_last_fence(scene->fake);
	scene->fake->hold_preempted = true;
	sleeper->queue = scene->queues[0];
	fake_yield(scene->fake, sleeper->queue, RF_YIELD_BLOCKED);
	fake_ring(scene->fake, add(scene, 0, 0));
	fake_preempted(scene->fake, sleeper->queue, sleeper->hw, 5);
	scene->fake->hold_preempted = false;
}

static void make_room(struct sleeper *sleeper)
{
	fake_yield(sleeper->scene.fake, sleeper->scene.queues[1], RF_YIELD_QUANTUM);
}

static void waiter_sleeps_until_its_value(void **state)
{
	struct sleeper sleeper;

	(void)state;
	open_sleeper(&sleeper);
	make_room(&sleeper);
	assert_false(sleeper.queue->resident);
	/* the device is told, and rings of the queue change nothing */
	assert_int_equal(fake_monitored(sleeper.scene.fake, sleeper.hw), 4);
	fake_ring(sleeper.scene.fake, sleeper.queue);
	assert_false(sleeper.queue->resident);
	fake_signal(sleeper.scene.fake, sleeper.hw, 4);
	assert_false(sleeper.queue->resident);
	fake_signal(sleeper.scene.fake, sleeper.hw, 5);
	assert_true(sleeper.queue->resident);
	assert_true(fake_monitored(sleeper.scene.fake, sleeper.hw) == RF_MONITORED_NONE);
	close_scene(&sleeper.scene);
}

static void cpu_signal_wakes_a_sleeper(void **state)
{
	struct sleeper sleeper;

	(void)state;
	open_sleeper(&sleeper);
	assert_int_equal(signal_fence(sleeper.scene.world->file, sleeper.fence.handle, 9), 0);
	make_room(&sleeper);
	assert_true(sleeper.queue->resident);
	close_scene(&sleeper.scene);
}

/* The value came while the queue was on its way out. */
static void value_that_is_there_needs_no_sleep(void **state)
{
	struct fake_queue *queue;
	struct fake_fence *hw;
	struct scene scene;
	u32 updates;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 0);
	make_default(scene.world->file, 0);
	hw = fake_last_fence(scene.fake);
	queue = scene.queues[0];
	scene.fake->hold_preempted = true;
	fake_yield(scene.fake, queue, RF_YIELD_BLOCKED);
	fake_ring(scene.fake, add(&scene, 0, 0));
	fake_signal(scene.fake, hw, 5);
	updates = scene.fake->calls[FAKE_UPDATE_MONITORED];
	fake_preempted(scene.fake, queue, hw, 5);
	/* S0-44 */
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_MONITORED], updates);
	scene.fake->hold_preempted = false;
	fake_yield(scene.fake, scene.queues[1], RF_YIELD_QUANTUM);
	assert_true(queue->resident);
	close_scene(&scene);
}

/* The fence is destroyed: the device shall find that out. */
static void destroyed_fence_wakes_a_sleeper(void **state)
{
	struct sleeper sleeper;

	(void)state;
	open_sleeper(&sleeper);
	destroy_fence(sleeper.scene.world->file, sleeper.fence.handle);
	make_room(&sleeper);
	assert_true(sleeper.queue->resident);
	close_scene(&sleeper.scene);
}

/* A word that is no fence is not watched: the queue keeps its place in the turn. */
static void waiter_for_no_fence_takes_turns(void **state)
{
	struct fake_queue *queue;
	struct scene scene;

	(void)state;
	open_scene(&scene);
	fill(&scene, 0, 0);
	queue = scene.queues[0];
	fake_yield(scene.fake, queue, RF_YIELD_BLOCKED);
	fake_ring(scene.fake, add(&scene, 0, 0));
	assert_false(queue->resident);
	fake_yield(scene.fake, scene.queues[1], RF_YIELD_QUANTUM);
	assert_true(queue->resident);
	close_scene(&scene);
}

static void sleeper_is_suspended_and_destroyed(void **state)
{
	struct sleeper sleeper;
	struct kmd_context *context;
	struct kmd_file *file;

	(void)state;
	open_sleeper(&sleeper);
	file = sleeper.scene.world->file->file;
	context = rf_list_first(&file->adapter->contexts, struct kmd_context, link);
	assert_int_equal(kmd_context_suspend(file, context->handle), 0);
	fake_signal(sleeper.scene.fake, sleeper.hw, 5);
	make_room(&sleeper);
	assert_false(sleeper.queue->resident);
	assert_int_equal(kmd_context_resume(file, context->handle), 0);
	assert_true(sleeper.queue->resident);
	close_scene(&sleeper.scene);
	/* and one that ends asleep */
	open_sleeper(&sleeper);
	destroy_rig(sleeper.scene.world->file, &sleeper.scene.rigs[0]);
	assert_true(fake_monitored(sleeper.scene.fake, sleeper.hw) == RF_MONITORED_NONE);
	fake_signal(sleeper.scene.fake, sleeper.hw, 5);
	close_scene(&sleeper.scene);
}

/* --- every order of the steps ----------------------------------------------------------------- */

/*
 * One slot and two queues, one of which waits for a fence. The device tells and preempts
 * as it likes; rings and the signal come at any time. In the end, when the device has
 * answered everything, every queue with work was resident.
 */
enum step { RING_A, RING_B, IDLE_IN, BLOCKED_IN, PREEMPTED, SIGNAL, STEPS };

#define DEPTH 8

struct order {
	struct scene scene;
	struct fake_fence *fence;
	u32 taken[STEPS];
};

static struct fake_queue *in_slot(const struct order *order)
{
	u32 i;

	for (i = 0; i < 2; i++)
		if (order->scene.queues[i]->resident)
			return order->scene.queues[i];
	return NULL;
}

static struct fake_queue *on_its_way(const struct order *order)
{
	u32 i;

	for (i = 0; i < 2; i++)
		if (order->scene.queues[i]->leaving)
			return order->scene.queues[i];
	return NULL;
}

/* Queue A waits for the fence until it is signalled; B never does. */
static bool is_blocked(const struct order *order, const struct fake_queue *queue)
{
	return queue == order->scene.queues[0] && queue->has_work && !order->taken[SIGNAL];
}

static bool can(const struct order *order, enum step step)
{
	const struct fake_queue *queue = in_slot(order);

	switch (step) {
	case RING_A:
	case RING_B:
	case SIGNAL:
		return !order->taken[step];
	case IDLE_IN:
		return queue && !queue->has_work && order->taken[step] < 3;
	case BLOCKED_IN:
		return queue && is_blocked(order, queue) && order->taken[step] < 2;
	case PREEMPTED:
		return on_its_way(order);
	default:
		return false;
	}
}

static void take(struct order *order, enum step step)
{
	struct fake *fake = order->scene.fake;
	struct fake_queue *queue;

	order->taken[step]++;
	switch (step) {
	case RING_A:
	case RING_B:
		fake_ring(fake, order->scene.queues[step - RING_A]);
		break;
	case IDLE_IN:
		fake_yield(fake, in_slot(order), RF_YIELD_IDLE);
		break;
	case BLOCKED_IN:
		fake_yield(fake, in_slot(order), RF_YIELD_BLOCKED);
		break;
	case PREEMPTED:
		queue = on_its_way(order);
		fake_preempted(fake, queue, is_blocked(order, queue) ? order->fence : NULL, 1);
		break;
	case SIGNAL:
		fake_signal(fake, order->fence, 1);
		break;
	default:
		break;
	}
	/* a resident queue does its work, if it can */
	queue = in_slot(order);
	if (queue && queue->has_work && !is_blocked(order, queue))
		queue->has_work = false;
}

/* The device goes on; every queue that was rung gets its work done. */
static void finish(struct order *order)
{
	u32 rounds;

	for (rounds = 0; rounds < 12; rounds++) {
		enum step step;

		for (step = RING_A; step < STEPS; step++) {
			if (step == IDLE_IN)
				order->taken[step] = 0;
			if (can(order, step))
				take(order, step);
		}
	}
	assert_false(order->scene.queues[0]->has_work);
	assert_false(order->scene.queues[1]->has_work);
	assert_false(kmd_adapter_is_wedged(order->scene.world->device->adapter));
}

static void open_order(struct order *order)
{
	*order = (struct order){ 0 };
	order->scene.world = world_create();
	order->scene.fake = &order->scene.world->fake;
	order->scene.fake->caps.hw_queue_slots = 1;
	order->scene.fake->residents_max = 1;
	order->scene.fake->hold_preempted = true;
	world_start(order->scene.world);
	add(&order->scene, 0, 0);
	add(&order->scene, 0, 0);
	make_default(order->scene.world->file, 0);
	order->fence = fake_last_fence(order->scene.fake);
}

static u32 explore(const enum step *path, u32 length)
{
	enum step longer[DEPTH];
	struct order order;
	u32 i, orders = 1;
	bool next[STEPS];
	int step;

	open_order(&order);
	for (i = 0; i < length; i++) {
		take(&order, path[i]);
		longer[i] = path[i];
	}
	for (step = 0; step < STEPS; step++)
		next[step] = length < DEPTH && can(&order, (enum step)step);
	finish(&order);
	order.scene.fake->hold_preempted = false;
	close_scene(&order.scene);
	for (step = 0; step < STEPS; step++) {
		if (!next[step])
			continue;
		longer[length] = (enum step)step;
		orders += explore(longer, length + 1);
	}
	return orders;
}

static void every_order_of_swapping(void **state)
{
	u32 orders = explore(NULL, 0);

	(void)state;
	print_message("# %u orders\n", orders);
	assert_true(orders > 200);
}

/* --- a queue that is being destroyed --------------------------------------------------------- */

static struct fake_queue *late_queue;

/* Right behind the call of the miniport, while the core still knows the queue. */
static void ring_behind_destruction(void *argument)
{
	struct scene *scene = argument;

	if (!late_queue || scene->fake->calls[FAKE_DESTROY_QUEUE] != 1)
		return;
	fake_ring(scene->fake, late_queue);
	late_queue = NULL;
}

/* It is of kernel mode, idle, and has a slot; the miniport is not asked to evict it. */
static void destroyed_queue_is_nobodys_victim(void **state)
{
	struct drm_ringfence_queue_destroy destroy;
	struct fake_queue *late;
	struct scene scene;
	u32 i;

	(void)state;
	open_scene(&scene);
	destroy = (struct drm_ringfence_queue_destroy){
		.handle = make_kernel_queue(scene.world->file, 0).handle,
	};
	assert_true(fake_last_queue(scene.fake)->resident);
	fake_yield(scene.fake, fake_last_queue(scene.fake), RF_YIELD_IDLE);
	for (i = 1; i < SLOTS; i++)
		add(&scene, 0, 0)->has_work = true;
	late = add(&scene, 0, 0);
	assert_false(late->resident);
	late_queue = late;
	scene.fake->bus.between = ring_behind_destruction;
	scene.fake->bus.between_argument = &scene;
	assert_int_equal(
		rf_hosted_request(scene.world->file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
	scene.fake->bus.between = NULL;
	assert_null(late_queue);
	assert_int_equal(evictions(&scene), 0);
	assert_true(late->resident);
	close_scene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("free-slots-are-used-at-once", free_slots_are_used_at_once),
		TEST("ring-brings-a-queue-in", ring_brings_a_queue_in),
		TEST("who-can-do-without-makes-room", who_can_do_without_makes_room),
		TEST("nobody-of-a-band-starves", nobody_of_a_band_starves),
		TEST("higher-band-comes-first", higher_band_comes_first),
		TEST("stale-hints-are-asked-for-again", stale_hints_are_asked_for_again),
		TEST("no-node-starves", no_node_starves),
		TEST("breakpoints-and-lost-queues-make-room",
		     breakpoints_and_lost_queues_make_room),
		TEST("slot-is-free-when-the-device-says-so", slot_is_free_when_the_device_says_so),
		TEST("busy-device-gets-room", busy_device_gets_room),
		TEST("waiter-sleeps-until-its-value", waiter_sleeps_until_its_value),
		TEST("cpu-signal-wakes-a-sleeper", cpu_signal_wakes_a_sleeper),
		TEST("value-that-is-there-needs-no-sleep", value_that_is_there_needs_no_sleep),
		TEST("destroyed-fence-wakes-a-sleeper", destroyed_fence_wakes_a_sleeper),
		TEST("waiter-for-no-fence-takes-turns", waiter_for_no_fence_takes_turns),
		TEST("sleeper-is-suspended-and-destroyed", sleeper_is_suspended_and_destroyed),
		TEST("every-order-of-swapping", every_order_of_swapping),
		TEST("a-destroyed-queue-is-nobodys-victim", destroyed_queue_is_nobodys_victim),
	};

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
