// SPDX-License-Identifier: Apache-2.0
/*
 * Everything at once, for the sanitizers to look at. Makers put the handles of what they have
 * made where destroyers find them; a process comes and goes; the device sleeps, wakes and has
 * an engine reset; then the whole device is reset, and then removed, under them all. Every
 * promised callback for a value is called once; in the end there are no waiters.
 */
#include <sched.h>
#include <string.h>

#include "../time_scale.h"
#include "base/adapter.h"
#include "recovery/device_power.h"
#include "recovery/recovery.h"
#include "fake.h"
#include "hosted.h"
#include "kmd.h"
#include "life_loops.h"

#define ROUNDS 3
#define TURNS 120 /* of each maker, before the device goes */
#define MAKERS 2
#define PLACES 8

enum kind { QUEUE, FENCE, EVENT, KINDS };

/**
 * struct loops - what the threads share; all of it is atomic
 * @stop: the device went, and everybody ends
 * @handles: of what there is, 0: none, or taken by a thread that destroys it
 * @turns: that makers have done
 * @begun: functions that are to be called
 * @told: that were
 * @late: requests that did not end in time
 */
struct loops {
	struct world *world;
	struct kmd_adapter *adapter;
	bool stop;
	u32 handles[KINDS][PLACES];
	u32 turns;
	u32 begun, told;
	u32 late;
};

static void tell(void *argument, int result)
{
	struct loops *loops = argument;

	(void)result;
	__atomic_fetch_add(&loops->told, 1, __ATOMIC_RELAXED);
}

static bool stopped(struct loops *loops)
{
	return __atomic_load_n(&loops->stop, __ATOMIC_ACQUIRE);
}

static void destroy(struct loops *loops, struct rf_file *file, enum kind kind, u32 handle)
{
	struct drm_ringfence_fence_destroy fence = { .handle = handle };
	struct drm_ringfence_event_destroy event = { .handle = handle };
	struct drm_ringfence_queue_destroy queue = { .handle = handle };

	(void)loops;
	if (!handle)
		return;
	if (kind == QUEUE)
		rf_hosted_request(file, DRM_RINGFENCE_QUEUE_DESTROY, &queue);
	else if (kind == FENCE)
		rf_hosted_request(file, DRM_RINGFENCE_FENCE_DESTROY, &fence);
	else
		rf_hosted_request(file, DRM_RINGFENCE_EVENT_DESTROY, &event);
}

/* In the place of what was there, which goes. */
static void publish(struct loops *loops, enum kind kind, u32 place, u32 handle)
{
	u32 old = __atomic_exchange_n(&loops->handles[kind][place % PLACES], handle,
				      __ATOMIC_ACQ_REL);

	destroy(loops, loops->world->file, kind, old);
}

static u32 pick(struct loops *loops, enum kind kind, u32 place)
{
	return __atomic_load_n(&loops->handles[kind][place % PLACES], __ATOMIC_ACQUIRE);
}

static void count_late(struct loops *loops, u64 begin)
{
	if (rf_time() - begin > time_limit(60) * 1000000000ull)
		__atomic_fetch_add(&loops->late, 1, __ATOMIC_RELAXED);
}

/* --- makers ------------------------------------------------------------------------------- */

static void notify(struct loops *loops, struct rf_file *file, u32 fence, bool promised)
{
	__atomic_fetch_add(&loops->begun, 1, __ATOMIC_RELAXED);
	if (kmd_fence_notify(file->file, fence, 1, promised, tell, loops))
		__atomic_fetch_sub(&loops->begun, 1, __ATOMIC_RELAXED);
}

static void make_a_queue(struct loops *loops, u32 turn)
{
	struct drm_ringfence_queue_create create = {
		.flags = turn % 3 ? DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION : 0,
	};
	struct rf_file *file = loops->world->file;
	void *last_queued;

	if (rf_hosted_request(file, DRM_RINGFENCE_QUEUE_CREATE, &create))
		return;
	if (turn % 3 && !rf_hosted_map(file, create.last_queued_mmap_offset, &last_queued))
		rf_write_once64(last_queued, 1);
	notify(loops, file, create.progress_fence, true);
	publish(loops, QUEUE, turn, create.handle);
	notify(loops, file, create.progress_fence, true);
}

static void wait_for(struct loops *loops, u32 fence, u32 event)
{
	struct drm_ringfence_fence_value one = { .handle = fence, .value = 2 };
	struct drm_ringfence_event_wait wait = { .handle = event, .deadline = soon(2) };
	struct rf_file *file = loops->world->file;
	u64 begin = rf_time();

	wait_fences(file, &one, 1, 0, soon(2), 0);
	wait_fences(file, &one, 1, 0, 0, event);
	rf_hosted_request(file, DRM_RINGFENCE_EVENT_WAIT, &wait);
	count_late(loops, begin);
}

static void *make(void *argument)
{
	struct loops *loops = argument;
	struct rf_file *file = loops->world->file;
	u32 turn;

	for (turn = 0; !stopped(loops); turn++) {
		struct drm_ringfence_fence_create fence = { .flags = DRM_RINGFENCE_FENCE_SHARED };
		struct drm_ringfence_event_create event = { 0 };
		struct kmd_opening *share = NULL;
		u32 flags = 0;

		make_a_queue(loops, turn);
		if (!rf_hosted_request(file, DRM_RINGFENCE_FENCE_CREATE, &fence)) {
			notify(loops, file, fence.handle, false);
			kmd_fence_share(file->file, fence.handle, &flags, &share);
			publish(loops, FENCE, turn, fence.handle);
		}
		if (!rf_hosted_request(file, DRM_RINGFENCE_EVENT_CREATE, &event))
			publish(loops, EVENT, turn, event.handle);
		wait_for(loops, pick(loops, FENCE, turn + 1), pick(loops, EVENT, turn + 3));
		signal_fence(file, pick(loops, FENCE, turn + 2), turn);
		if (share)
			kmd_fence_end_share(share);
		__atomic_fetch_add(&loops->turns, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* One that waits as long as it takes: only its event's end, or the device's, ends that. */
static void *wait_for_ever(void *argument)
{
	struct loops *loops = argument;
	struct rf_file *file = loops->world->file;
	u32 turn;

	for (turn = 0; !stopped(loops); turn++) {
		struct drm_ringfence_fence_value one = { .handle = pick(loops, FENCE, turn),
							 .value = U64_MAX };
		struct drm_ringfence_event_wait wait = { .handle = pick(loops, EVENT, turn),
							 .deadline = RF_TIME_NEVER };

		if (turn % 2)
			rf_hosted_request(file, DRM_RINGFENCE_EVENT_WAIT, &wait);
		else
			wait_fences(file, &one, 1, 0, RF_TIME_NEVER, 0);
		sched_yield();
	}
	return NULL;
}

/* --- destroyers --------------------------------------------------------------------------- */

static void *unmake(void *argument)
{
	struct loops *loops = argument;
	u32 turn = 0;

	while (!stopped(loops)) {
		publish(loops, (enum kind)(turn % KINDS), turn / KINDS, 0);
		turn += 7;
		sched_yield();
	}
	return NULL;
}

/* Another process, with an object of each kind, and no clean-up. */
static void *come_and_go(void *argument)
{
	struct loops *loops = argument;

	while (!stopped(loops)) {
		struct drm_ringfence_queue_create queue = {
			.flags = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
		};
		struct drm_ringfence_fence_create fence = { 0 };
		struct drm_ringfence_event_create event = { 0 };
		struct rf_file *file;

		if (rf_hosted_open(loops->world->device, &file))
			continue;
		if (!rf_hosted_request(file, DRM_RINGFENCE_QUEUE_CREATE, &queue))
			notify(loops, file, queue.progress_fence, true);
		rf_hosted_request(file, DRM_RINGFENCE_EVENT_CREATE, &event);
		if (!rf_hosted_request(file, DRM_RINGFENCE_FENCE_CREATE, &fence)) {
			struct drm_ringfence_fence_value one = { .handle = fence.handle,
								 .value = 1 };

			notify(loops, file, fence.handle, false);
			wait_fences(file, &one, 1, 0, 0, event.handle);
		}
		rf_hosted_close(file);
	}
	return NULL;
}

static void *sleep_and_reset(void *argument)
{
	struct loops *loops = argument;
	struct rf_hosted_device *device = loops->world->device;
	u64 now = 0;

	while (!stopped(loops)) {
		rf_hosted_look_for_idle(device);
		rf_hosted_sleep(device);
		rf_hosted_wake(device);
		rf_hosted_watch_progress(device, now += 1000);
		kmd_adapter_watch_exported_fences(loops->adapter, now);
		kmd_adapter_lock_awake(loops->adapter);
		if (!kmd_adapter_is_wedged(loops->adapter))
			kmd_engine_recover(loops->adapter, 0);
		rf_mutex_unlock(&loops->adapter->mutex);
		sched_yield();
	}
	return NULL;
}

/* --- rounds ------------------------------------------------------------------------------- */

static void reset_all(struct loops *loops)
{
	kmd_adapter_lock_awake(loops->adapter);
	__atomic_store_n(&loops->world->fake.fail, FAKE_RESET_HW_ENGINE, __ATOMIC_RELAXED);
	kmd_engine_recover(loops->adapter, 0);
	__atomic_store_n(&loops->world->fake.fail, FAKE_CALLS, __ATOMIC_RELAXED);
	rf_mutex_unlock(&loops->adapter->mutex);
}

static void round_of(bool reset, bool late)
{
	static void *(*const functions[])(void *argument) = {
		make, make, wait_for_ever, unmake, come_and_go, sleep_and_reset,
	};
	pthread_t threads[ARRAY_SIZE(functions)];
	struct loops loops = { .world = world_new() };
	u32 i;

	loops.adapter = loops.world->device->adapter;
	loops.world->fake.late = late;
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_create(&threads[i], NULL, functions[i], &loops);
	while (__atomic_load_n(&loops.turns, __ATOMIC_RELAXED) < MAKERS * TURNS)
		sched_yield();
	if (reset)
		reset_all(&loops);
	kmd_adapter_notify_removal(loops.adapter);
	__atomic_store_n(&loops.stop, true, __ATOMIC_RELEASE);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	rf_hosted_close(loops.world->file);
	loops.world->file = NULL;
	assert_int_equal(loops.late, 0);
	assert_true(loops.begun > TURNS);
	assert_int_equal(loops.told, loops.begun);
	print_message("# %u turns, %u told\n", loops.turns, loops.told);
	world_destroy(loops.world);
}

void life_loops(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < ROUNDS; i++)
		round_of(i % 2, i > 0);
}
