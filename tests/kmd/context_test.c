// SPDX-License-Identifier: Apache-2.0
/* Contexts: suspension, its fence values and its acknowledgement. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "queues/suspension.h"
#include "scheduling/context.h"
#include "fake.h"

struct scene {
	struct world *world;
	struct fake *fake;
	u32 context;
	struct kmd_context *core;
	struct rig rigs[2];
	struct fake_queue *queues[2];
	struct fake_context *hw;
};

static void open_scene(struct scene *scene)
{
	int i;

	scene->world = world_new();
	scene->fake = &scene->world->fake;
	scene->context = make_context(scene->world->file, 1, 3);
	scene->core = kmd_table_find(&scene->world->file->file->table, KMD_CONTEXT, scene->context);
	assert_non_null(scene->core);
	for (i = 0; i < 2; i++) {
		scene->rigs[i] = make_rig_in(scene->world->file, 1, scene->context);
		scene->queues[i] = fake_last_queue(scene->fake);
	}
	scene->hw = scene->queues[0]->context;
}

/* Whatever the device was still asked for, it does. */
static void close_scene(struct scene *scene)
{
	struct fake_context *context;
	struct fake_queue *queue;

	scene->fake->hold_preempted = false;
	rf_list_for_each(queue, &scene->fake->queues, link)
		if (queue->leaving)
			fake_preempted(scene->fake, queue, NULL, 0);
	rf_list_for_each(context, &scene->fake->contexts, link)
		if (context->suspended)
			fake_acknowledge(scene->fake, context, context->suspend_fence);
	world_destroy(scene->world);
}

static int suspend(struct scene *scene)
{
	return kmd_context_suspend(scene->world->file->file, scene->context);
}

static void resume(struct scene *scene)
{
	assert_int_equal(kmd_context_resume(scene->world->file->file, scene->context), 0);
}

/* Ask, and do not wait. */
static void begin(struct scene *scene)
{
	struct kmd_adapter *adapter = scene->world->device->adapter;

	rf_mutex_lock(&adapter->mutex);
	assert_int_equal(kmd_context_suspend_begin(scene->core), 0);
	rf_mutex_unlock(&adapter->mutex);
}

static bool is_fatal(const struct scene *scene)
{
	return kmd_adapter_is_wedged(scene->world->device->adapter);
}

static void queues_belong_to_a_context(void **state)
{
	struct drm_ringfence_queue_create create = { .node = 0 };
	struct drm_ringfence_context_create wrong = { .node = FAKE_NODES };
	struct drm_ringfence_context_destroy destroy;
	struct scene scene;

	(void)state;
	open_scene(&scene);
	assert_ptr_equal(scene.queues[1]->context, scene.hw);
	assert_int_equal(scene.hw->arguments.node_ordinal, 1);
	assert_int_equal(scene.hw->arguments.priority, 3);
	/* a queue on another node than its context's; no such node; no such band */
	create.context = scene.context;
	assert_int_equal(rf_hosted_request(scene.world->file, DRM_RINGFENCE_QUEUE_CREATE, &create),
			 -EINVAL);
	assert_int_equal(rf_hosted_request(scene.world->file, DRM_RINGFENCE_CONTEXT_CREATE, &wrong),
			 -EINVAL);
	wrong = (struct drm_ringfence_context_create){ .priority = RF_PRIORITY_BANDS };
	assert_int_equal(rf_hosted_request(scene.world->file, DRM_RINGFENCE_CONTEXT_CREATE, &wrong),
			 -EINVAL);
	/* it outlives its queues, and they do not outlive it */
	destroy = (struct drm_ringfence_context_destroy){ .handle = scene.context };
	assert_int_equal(
		rf_hosted_request(scene.world->file, DRM_RINGFENCE_CONTEXT_DESTROY, &destroy),
		-EBUSY);
	destroy_rig(scene.world->file, &scene.rigs[0]);
	destroy_rig(scene.world->file, &scene.rigs[1]);
	assert_int_equal(
		rf_hosted_request(scene.world->file, DRM_RINGFENCE_CONTEXT_DESTROY, &destroy), 0);
	close_scene(&scene);
}

/* S3-31, S3-32, S3-33, S3-34 */
static void suspended_queues_are_off_the_device(void **state)
{
	struct drm_ringfence_doorbell_connect connect;
	struct scene scene;

	(void)state;
	open_scene(&scene);
	connect =
		(struct drm_ringfence_doorbell_connect){ .handle = scene.rigs[0].doorbell.handle };
	assert_int_equal(
		rf_hosted_request(scene.world->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect), 0);
	assert_true(scene.queues[0]->resident && scene.queues[1]->resident);
	assert_int_equal(suspend(&scene), 0);
	assert_false(scene.queues[0]->resident || scene.queues[1]->resident);
	assert_int_equal(rig_status(&scene.rigs[0]), RF_DOORBELL_CONNECTED);
	/* rings do not bring them in; they are remembered */
	fake_ring(scene.fake, scene.queues[0]);
	fake_ring(scene.fake, scene.queues[1]);
	assert_false(scene.queues[0]->resident || scene.queues[1]->resident);
	resume(&scene);
	assert_true(scene.queues[0]->resident && scene.queues[1]->resident);
	/* and a ring without a record */
	assert_int_equal(suspend(&scene), 0);
	scene.queues[0]->has_work = true;
	scene.queues[1]->has_work = false;
	resume(&scene);
	assert_true(scene.queues[0]->resident);
	assert_false(scene.queues[1]->resident);
	close_scene(&scene);
}

/* S3-35 */
static void doorbell_of_a_suspended_queue_changes_hands(void **state)
{
	struct drm_ringfence_doorbell_connect connect;
	struct scene scene;

	(void)state;
	open_scene(&scene);
	connect =
		(struct drm_ringfence_doorbell_connect){ .handle = scene.rigs[0].doorbell.handle };
	assert_int_equal(
		rf_hosted_request(scene.world->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect), 0);
	assert_int_equal(suspend(&scene), 0);
	assert_int_equal(
		fake_victimize(scene.fake, scene.queues[0], RF_DOORBELL_DISCONNECTED_RETRY), 0);
	assert_int_equal(rig_status(&scene.rigs[0]), RF_DOORBELL_DISCONNECTED_RETRY);
	assert_int_equal(
		rf_hosted_request(scene.world->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect), 0);
	assert_int_equal(rig_status(&scene.rigs[0]), RF_DOORBELL_CONNECTED);
	assert_false(scene.queues[0]->resident);
	scene.queues[0]->has_work = true;
	resume(&scene);
	assert_true(scene.queues[0]->resident);
	close_scene(&scene);
}

/* */
static void suspending_twice_is_one(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	assert_int_equal(suspend(&scene), 0);
	scene.fake->hold_preempted = true; /* no interrupt comes */
	assert_int_equal(suspend(&scene), 0);
	assert_int_equal(scene.core->state, KMD_CONTEXT_SUSPENDED);
	assert_int_equal(scene.fake->calls[FAKE_SUSPEND], 2);
	assert_int_equal(scene.core->suspend_fence, 2);
	close_scene(&scene);
}

/* of suspend, resume, suspend, the first acknowledgement is not the second's. */
static void stale_acknowledgement_is_ignored(void **state)
{
	struct scene scene;
	int i;

	(void)state;
	open_scene(&scene);
	scene.fake->hold_preempted = true;
	begin(&scene);
	resume(&scene);
	assert_int_equal(scene.core->state, KMD_CONTEXT_RESUMED);
	begin(&scene);
	fake_acknowledge(scene.fake, scene.hw, 1);
	assert_int_equal(scene.core->state, KMD_CONTEXT_SUSPENDING);
	for (i = 0; i < 2; i++)
		fake_preempted(scene.fake, scene.queues[i], NULL, 0);
	assert_int_equal(scene.core->state, KMD_CONTEXT_SUSPENDING);
	fake_acknowledge(scene.fake, scene.hw, 2);
	assert_int_equal(scene.core->state, KMD_CONTEXT_SUSPENDED);
	resume(&scene);
	/* late once more */
	fake_acknowledge(scene.fake, scene.hw, 2);
	assert_int_equal(scene.core->state, KMD_CONTEXT_RESUMED);
	assert_false(is_fatal(&scene));
	close_scene(&scene);
}

/* */
static void value_not_issued_is_fatal(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	scene.fake->hold_preempted = true;
	begin(&scene);
	assert_false(is_fatal(&scene));
	fake_acknowledge(scene.fake, scene.hw, 2);
	assert_true(is_fatal(&scene));
	assert_int_equal(suspend(&scene), -ENODEV);
	scene.fake->hold_preempted = false;
	close_scene(&scene);
}

/* */
static void no_acknowledgement_in_time_resets_the_engine(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	scene.fake->hung = 1u << scene.hw->arguments.node_ordinal;
	scene.fake->on_engine = scene.queues[0];
	scene.world->device->adapter->tdr_timeout = 1000000;
	assert_int_equal(suspend(&scene), -EIO);
	assert_int_equal(scene.fake->calls[FAKE_RESET_HW_ENGINE], 1);
	assert_int_equal(scene.fake->calls[FAKE_RESUME_HW_ENGINE], 1);
	assert_false(is_fatal(&scene));
	assert_int_equal(rig_status(&scene.rigs[0]), RF_DOORBELL_DISCONNECTED_ABORT);
	close_scene(&scene);
}

/* S3-64 */
static void kernel_submission_waits_for_resume(void **state)
{
	struct scene scene;
	struct drm_ringfence_queue_create create = { .node = 1 };
	struct drm_ringfence_memory_create memory;
	struct fake_queue *kernel;
	u32 event;

	(void)state;
	open_scene(&scene);
	create.context = scene.context;
	memory = make_memory(scene.world->file, 4096, 0);
	assert_int_equal(rf_hosted_request(scene.world->file, DRM_RINGFENCE_QUEUE_CREATE, &create),
			 0);
	kernel = fake_last_queue(scene.fake);
	assert_true(kernel->resident);
	assert_int_equal(suspend(&scene), 0);
	assert_int_equal(submit_empty(scene.world->file, create.handle, memory.handle), 0);
	event = wait_event(scene.world->file, create.progress_fence, 1);
	assert_false(kernel->resident);
	assert_int_equal(look(scene.world->file, event), -ETIMEDOUT);
	resume(&scene);
	assert_true(kernel->resident);
	fake_complete(scene.fake, kernel);
	assert_int_equal(look(scene.world->file, event), 0);
	close_scene(&scene);
}

/* A queue that dies while its context is being suspended does not hold that up. */
static void queue_is_destroyed_while_suspending(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	scene.fake->hold_preempted = true;
	begin(&scene);
	destroy_rig(scene.world->file, &scene.rigs[0]);
	fake_preempted(scene.fake, scene.queues[1], NULL, 0);
	fake_acknowledge(scene.fake, scene.hw, 1);
	assert_int_equal(scene.core->state, KMD_CONTEXT_SUSPENDED);
	resume(&scene);
	close_scene(&scene);
}

/* --- every order of the steps ------------------------------------------------------------ */

enum step { SUSPEND, RESUME, PREEMPTED, ACKNOWLEDGE, RING, STEPS };

#define DEPTH 10

/*
 * The host suspends and resumes, a CPU rings; the device preempts and acknowledges what
 * it was asked for, also late. In each order of these: the queue is in the device only
 * while its context is resumed, the state is SUSPENDED only when the last suspension was
 * acknowledged, and a ring is never forgotten.
 */
struct order {
	struct scene scene;
	u64 issued, acknowledged; /* suspensions */
	bool resumed;
	bool suspended; /* the last one was acknowledged, or needed none */
};

static bool can(const struct order *order, enum step step)
{
	switch (step) {
	case SUSPEND:
		return order->issued < 3;
	case RESUME:
		return !order->resumed;
	case PREEMPTED:
		return order->scene.queues[0]->leaving;
	case ACKNOWLEDGE:
		/* the device tells in order, and not before the queue is out */
		return order->acknowledged < order->issued && !order->scene.queues[0]->leaving &&
		       !order->scene.queues[0]->resident;
	case RING:
		return !order->scene.queues[0]->has_work;
	default:
		return false;
	}
}

static void take(struct order *order, enum step step)
{
	struct scene *scene = &order->scene;
	u32 calls;

	switch (step) {
	case SUSPEND:
		calls = scene->fake->calls[FAKE_SUSPEND];
		order->suspended = !scene->queues[0]->resident && !scene->queues[0]->leaving;
		begin(scene);
		assert_int_equal(scene->fake->calls[FAKE_SUSPEND], calls + 1);
		order->issued++;
		order->resumed = false;
		if (order->suspended)
			order->acknowledged = order->issued;
		break;
	case RESUME:
		resume(scene);
		order->resumed = true;
		order->suspended = false;
		break;
	case PREEMPTED:
		fake_preempted(scene->fake, scene->queues[0], NULL, 0);
		break;
	case ACKNOWLEDGE:
		fake_acknowledge(scene->fake, scene->hw, ++order->acknowledged);
		order->suspended = !order->resumed && order->acknowledged == order->issued;
		break;
	case RING:
		fake_ring(scene->fake, scene->queues[0]);
		break;
	default:
		break;
	}
}

static void check(const struct order *order)
{
	const struct fake_queue *queue = order->scene.queues[0];

	assert_false(is_fatal(&order->scene));
	if (!order->resumed)
		assert_false(queue->resident);
	else if (queue->has_work)
		assert_true(queue->resident || queue->leaving);
	assert_int_equal(order->scene.core->state == KMD_CONTEXT_SUSPENDED, order->suspended);
}

static u32 explore(const enum step *path, u32 length)
{
	struct order order = { .resumed = true };
	enum step longer[DEPTH];
	u32 i, orders = 1;
	bool next[STEPS];
	int step;

	open_scene(&order.scene);
	destroy_rig(order.scene.world->file, &order.scene.rigs[1]);
	order.scene.fake->hold_preempted = true;
	for (i = 0; i < length; i++) {
		take(&order, path[i]);
		check(&order);
		longer[i] = path[i];
	}
	for (step = 0; step < STEPS; step++)
		next[step] = length < DEPTH && can(&order, (enum step)step);
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

static void every_order_of_suspension(void **state)
{
	u32 orders = explore(NULL, 0);

	(void)state;
	print_message("# %u orders\n", orders);
	assert_true(orders > 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("queues-belong-to-a-context", queues_belong_to_a_context),
		TEST("S3-31,S3-32,S3-33,S3-34.suspended-queues-are-off-the-device",
		     suspended_queues_are_off_the_device),
		TEST("S3-35.doorbell-of-a-suspended-queue-changes-hands",
		     doorbell_of_a_suspended_queue_changes_hands),
		TEST("A-7.suspending-twice-is-one", suspending_twice_is_one),
		TEST("A-6.stale-acknowledgement-is-ignored", stale_acknowledgement_is_ignored),
		TEST("A-6.value-not-issued-is-fatal", value_not_issued_is_fatal),
		TEST("A-8.no-acknowledgement-in-time-resets-the-engine",
		     no_acknowledgement_in_time_resets_the_engine),
		TEST("S3-64.kernel-submission-waits-for-resume",
		     kernel_submission_waits_for_resume),
		TEST("queue-is-destroyed-while-suspending", queue_is_destroyed_while_suspending),
		TEST("A-6,S3-32,S3-34.every-order-of-suspension", every_order_of_suspension),
	};

	return cmocka_run_group_tests_name("context", tests, NULL, NULL);
}
