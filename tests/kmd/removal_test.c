// SPDX-License-Identifier: Apache-2.0
/*
 * A device that is removed, or given up by the core: every waiter returns, also one that is about to
 * wait, and one that waits for an object that is made meanwhile. Each request is run with the removal
 * at every point where the core holds no spinlock.
 */
#include <string.h>

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "queues/lost_queue.h"
#include "waits/event.h"
#include "waits/wait.h"
#include "fake.h"
#include "hosted.h"
#include "kmd.h"

#define PATIENCE 10000 /* ms; a waiter that is not woken waits this long */

struct scene {
	struct world *world;
	struct rf_file *file;
	struct rig rig;
	u32 fence, event, context;
	struct kmd_adapter *adapter;
};

static struct scene scene_new(void)
{
	struct scene scene = { .world = world_new() };

	scene.file = scene.world->file;
	scene.adapter = scene.world->device->adapter;
	scene.rig = make_rig(scene.file, 0);
	scene.fence = make_default(scene.file, 0);
	scene.event = make_event(scene.file);
	scene.context = make_context(scene.file, 0, 0);
	return scene;
}

static int event_wait(struct rf_file *file, u32 event)
{
	struct drm_ringfence_event_wait wait = { .handle = event, .deadline = soon(PATIENCE) };

	return rf_hosted_request(file, DRM_RINGFENCE_EVENT_WAIT, &wait);
}

/* --- told, and again ------------------------------------------------------------------- */

struct waiter {
	pthread_t thread;
	struct scene *scene;
	int results[2];
	bool late;
};

static void *waits_twice(void *argument)
{
	struct drm_ringfence_event_wait wait = { .deadline = soon(PATIENCE) };
	struct waiter *waiter = argument;
	u32 i;

	wait.handle = waiter->scene->event;
	for (i = 0; i < 2; i++)
		waiter->results[i] =
			rf_hosted_request(waiter->scene->file, DRM_RINGFENCE_EVENT_WAIT, &wait);
	waiter->late = rf_time() >= wait.deadline;
	return NULL;
}

static u32 users_of(struct scene *scene)
{
	struct kmd_sync_domain *domain = scene->adapter->sync_domain;
	struct kmd_file *file = scene->file->file;
	unsigned long flags = kmd_wait_lock(domain);
	u32 users = rf_list_first(&file->events, struct kmd_event, link)->users;

	kmd_wait_unlock(domain, flags);
	return users;
}

static void every_waiter_of_an_event_is_told(void **state)
{
	struct waiter waiters[2];
	struct scene scene = scene_new();
	u32 i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(waiters); i++) {
		waiters[i].scene = &scene;
		pthread_create(&waiters[i].thread, NULL, waits_twice, &waiters[i]);
	}
	while (users_of(&scene) < ARRAY_SIZE(waiters))
		sched_yield();
	kmd_adapter_notify_removal(scene.adapter);
	for (i = 0; i < ARRAY_SIZE(waiters); i++)
		pthread_join(waiters[i].thread, NULL);
	for (i = 0; i < ARRAY_SIZE(waiters); i++) {
		assert_false(waiters[i].late);
		for (j = 0; j < 2; j++)
			assert_int_equal(waiters[i].results[j], -ENODEV);
	}
	world_destroy(scene.world);
}

/* What was reached before is told first. */
static void news_of_an_event_come_before(void **state)
{
	struct scene scene = scene_new();
	u32 event = wait_event(scene.file, scene.fence, 1);

	(void)state;
	fake_signal(&scene.world->fake, fake_last_fence(&scene.world->fake), 1);
	kmd_adapter_notify_removal(scene.adapter);
	assert_int_equal(look(scene.file, event), 0);
	assert_int_equal(look(scene.file, event), -ENODEV);
	assert_int_equal(look(scene.file, event), -ENODEV);
	assert_int_equal(look(scene.file, scene.event), -ENODEV);
	world_destroy(scene.world);
}

static void *announces(void *argument)
{
	kmd_adapter_notify_removal(argument);
	return NULL;
}

/* A holder of it may wait for the device. */
static void removal_needs_no_mutex(void **state)
{
	struct scene scene = scene_new();
	u32 event = wait_event(scene.file, scene.fence, 1);
	pthread_t thread;
	int result;

	(void)state;
	rf_mutex_lock(&scene.adapter->mutex);
	pthread_create(&thread, NULL, announces, scene.adapter);
	result = event_wait(scene.file, event);
	rf_mutex_unlock(&scene.adapter->mutex);
	pthread_join(thread, NULL);
	assert_int_equal(result, -ENODEV);
	world_destroy(scene.world);
}

/* --- whatever made the core give up ------------------------------------------------------- */

static void fails_to_suspend(struct scene *scene)
{
	scene->world->fake.fail = FAKE_SUSPEND;
	assert_int_equal(rf_hosted_sleep(scene->world->device), -ENODEV);
}

static void fails_to_wake(struct scene *scene)
{
	struct drm_ringfence_fence_create create = { 0 };

	assert_int_equal(rf_hosted_sleep(scene->world->device), 0);
	scene->world->fake.fail = FAKE_D0;
	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_FENCE_CREATE, &create),
			 -ENODEV);
}

static void fails_to_turn_on(struct scene *scene)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = scene->rig.doorbell.handle };

	scene->world->fake.idle = 1;
	rf_hosted_look_for_idle(scene->world->device);
	assert_int_equal(scene->world->fake.f1, 1);
	scene->world->fake.fail = FAKE_F0;
	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect),
			 -ENODEV);
}

static void fails_to_signal_for_good(struct scene *scene)
{
	scene->world->fake.fail = FAKE_UPDATE_CURRENT;
	rf_mutex_lock(&scene->adapter->mutex);
	kmd_file_mark_lost(scene->file->file);
	rf_mutex_unlock(&scene->adapter->mutex);
}

static void names_a_queue_that_is_not_there(struct scene *scene)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_STOPPED,
		.hw_queue_stopped.stopped_hw_queue = scene,
	};

	fake_report(&scene->world->fake, &data);
}

static void every_fatal_error_ends_waits(void **state)
{
	static void (*const errors[])(struct scene * scene) = {
		fails_to_suspend,
		fails_to_wake,
		fails_to_turn_on,
		fails_to_signal_for_good,
		names_a_queue_that_is_not_there,
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		struct scene scene = scene_new();
		u32 monitored = make_fence(scene.file, DRM_RINGFENCE_FENCE_MONITORED,
					   DRM_RINGFENCE_FENCE_NO_SIGNAL, 0)
					.handle;
		u32 event = wait_event(scene.file, monitored, 1);

		assert_int_equal(look(scene.file, scene.event), -ETIMEDOUT);
		errors[i](&scene);
		scene.world->fake.fail = FAKE_CALLS;
		assert_int_equal(look(scene.file, event), -ENODEV);
		assert_int_equal(look(scene.file, scene.event), -ENODEV);
		assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_DISCONNECTED_ABORT);
		world_destroy(scene.world);
	}
}

/* --- requests under way -------------------------------------------------------------------- */

struct removal {
	struct scene scene;
	u32 at, points;
	bool acting, done, blocked;
};

static void goes(struct removal *removal)
{
	removal->acting = true;
	removal->done = true;
	kmd_adapter_notify_removal(removal->scene.adapter);
	removal->acting = false;
}

static void between(void *argument)
{
	struct removal *removal = argument;

	if (removal->acting || removal->scene.world->fake.bus.held)
		return;
	if (removal->points++ == removal->at)
		goes(removal);
}

/* The last point: a thread is about to block. */
static void blocks(void *argument)
{
	struct removal *removal = argument;

	if (removal->done)
		return;
	removal->blocked = true;
	goes(removal);
}

/* Each returns the last thing that it was told; -ETIMEDOUT: it would have waited for ever. */
typedef int work(struct scene *scene);

static int makes_an_event(struct scene *scene)
{
	struct drm_ringfence_event_create create = { 0 };
	int ret = rf_hosted_request(scene->file, DRM_RINGFENCE_EVENT_CREATE, &create);

	return ret ? ret : event_wait(scene->file, create.handle);
}

/* As a request that had passed the first look at whether the device is there. */
static int begins_a_wait(struct scene *scene, u32 fence)
{
	const struct drm_ringfence_fence_value value = { .handle = fence, .value = 1 };
	struct kmd_wait *wait = kmd_wait_create(scene->adapter, 1, false);
	struct kmd_sync_domain *domain = scene->adapter->sync_domain;
	unsigned long flags;
	int ret;

	scene->world->fake.bus.between = NULL; /* it went before, or does not go */
	flags = kmd_wait_lock(domain);
	ret = kmd_wait_begin(scene->file->file, wait, &value);

	kmd_wait_cancel(wait);
	kmd_wait_unlock(domain, flags);
	kmd_wait_free(wait);
	return ret > 0 ? -ETIMEDOUT : ret;
}

static int makes_a_fence(struct scene *scene)
{
	struct drm_ringfence_fence_create create = { 0 };
	int ret = rf_hosted_request(scene->file, DRM_RINGFENCE_FENCE_CREATE, &create);

	return ret ? ret : begins_a_wait(scene, create.handle);
}

static int finish(struct scene *scene, u32 queue)
{
	struct drm_ringfence_queue_destroy destroy = {
		.handle = queue,
		.flags = DRM_RINGFENCE_QUEUE_DESTROY_FINISH,
		.deadline = soon(PATIENCE),
	};

	return rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy);
}

static int makes_a_queue(struct scene *scene)
{
	struct drm_ringfence_queue_create create = {
		.flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
	};
	int ret = rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_CREATE, &create);

	if (ret)
		return ret;
	rf_write_once64(map(scene->file, create.last_queued_mmap_offset), 1);
	return finish(scene, create.handle);
}

static int waits_for_a_fence(struct scene *scene)
{
	return wait_fence(scene->file, scene->fence, 1, soon(PATIENCE));
}

static int has_an_event_set(struct scene *scene)
{
	const struct drm_ringfence_fence_value one = { .handle = scene->fence, .value = 1 };
	int ret = wait_fences(scene->file, &one, 1, 0, 0, scene->event);

	return ret ? ret : event_wait(scene->file, scene->event);
}

static int waits_for_an_event(struct scene *scene)
{
	return event_wait(scene->file, scene->event);
}

static int finishes_a_queue(struct scene *scene)
{
	return finish(scene, scene->rig.queue.handle);
}

static int suspends_a_context(struct scene *scene)
{
	int ret = kmd_context_suspend(scene->file->file, scene->context);

	/* or it was before */
	return ret == -EIO ? -ETIMEDOUT : -ENODEV;
}

static void tell(void *argument, int result)
{
	*(int *)argument = result;
}

static int wants_to_be_told(struct scene *scene)
{
	static int told;
	int ret;

	told = -ETIMEDOUT;
	ret = kmd_fence_notify(scene->file->file, scene->fence, 1, false, tell, &told);
	return ret ? ret : told;
}

/* The status word is what user mode looks at. */
static int status_of(const struct rig *rig)
{
	return rig_status(rig) == RF_DOORBELL_DISCONNECTED_ABORT ? -ENODEV : -ETIMEDOUT;
}

static int connects_a_doorbell(struct scene *scene)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = scene->rig.doorbell.handle };

	rf_hosted_request(scene->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect);
	return status_of(&scene->rig);
}

static int makes_a_doorbell(struct scene *scene)
{
	struct drm_ringfence_doorbell_destroy destroy = { .handle = scene->rig.doorbell.handle };
	struct drm_ringfence_doorbell_create *create = &scene->rig.doorbell;

	if (rf_hosted_request(scene->file, DRM_RINGFENCE_DOORBELL_DESTROY, &destroy) ||
	    rf_hosted_request(scene->file, DRM_RINGFENCE_DOORBELL_CREATE, create))
		return -ENODEV;
	scene->rig.status = map(scene->file, create->status_mmap_offset);
	return status_of(&scene->rig);
}

static void nobody_waits_on_a_device_that_goes(void **state)
{
	static work *const works[] = {
		makes_an_event,	  makes_a_fence,       makes_a_queue,	 waits_for_a_fence,
		has_an_event_set, waits_for_an_event,  finishes_a_queue, suspends_a_context,
		wants_to_be_told, connects_a_doorbell, makes_a_doorbell,
	};
	u32 i, points = 0;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(works); i++) {
		struct removal removal = { .done = true };

		for (removal.at = 0; removal.done && !removal.blocked; removal.at++) {
			struct fake_bus *bus;
			u64 late = soon(PATIENCE);
			int result;

			removal.scene = scene_new();
			removal.points = 0;
			removal.done = false;
			rf_write_once64(map(removal.scene.file,
					    removal.scene.rig.queue.last_queued_mmap_offset),
					1);
			bus = &removal.scene.world->fake.bus;
			bus->between_argument = &removal;
			bus->between = between;
			bus->blocks = blocks;
			result = works[i](&removal.scene);
			bus->between = NULL;
			bus->blocks = NULL;
			if (removal.done && (result != -ENODEV || rf_time() >= late))
				fail_msg("request %u, removal at point %u: %d", i, removal.at,
					 result);
			points += removal.done;
			world_destroy(removal.scene.world);
		}
	}
	print_message("# %u points\n", points);
	assert_true(points > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every-waiter-of-an-event-is-told", every_waiter_of_an_event_is_told),
		TEST("news-of-an-event-come-before", news_of_an_event_come_before),
		TEST("removal-needs-no-mutex", removal_needs_no_mutex),
		TEST("S0-65.every-fatal-error-ends-waits", every_fatal_error_ends_waits),
		TEST("nobody-waits-on-a-device-that-goes", nobody_waits_on_a_device_that_goes),
	};

	return cmocka_run_group_tests_name("removal", tests, NULL, NULL);
}
