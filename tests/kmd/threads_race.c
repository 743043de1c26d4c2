// SPDX-License-Identifier: Apache-2.0
/*
 * Several threads at once, under ThreadSanitizer: waits that block, CPU and GPU
 * signals, fences that die under their waiters, rings against disconnects.
 */
#include <sched.h>
#include <string.h>

#include "fake.h"

#define ROUNDS 400
#define WAITERS 4

static struct world *world;

/* --- ping-pong: a lost wake-up hangs it -------------------------------------------------- */

struct pair {
	u32 request, answer; /* fences */
	struct fake_fence *hw_answer;
	u32 failures; /* asserts belong to the main thread */
};

/* The device: answers each request with a GPU signal. */
static void *responder(void *argument)
{
	struct pair *pair = argument;
	u64 value;

	for (value = 1; value <= ROUNDS; value++) {
		if (wait_fence(world->file, pair->request, value, soon(20000)))
			pair->failures++;
		fake_signal(&world->fake, pair->hw_answer, value);
	}
	return NULL;
}

static void *requester(void *argument)
{
	struct pair *pair = argument;
	u64 value;

	for (value = 1; value <= ROUNDS; value++) {
		if (signal_fence(world->file, pair->request, value))
			pair->failures++;
		if (wait_fence(world->file, pair->answer, value, soon(20000)))
			pair->failures++;
	}
	return NULL;
}

static void play(bool late)
{
	struct pair pairs[WAITERS] = { 0 };
	pthread_t threads[2 * WAITERS];
	u32 i;

	world = world_new();
	world->fake.late = late;
	/* it changes no result, whatever it takes for lost */
	assert_int_equal(rf_hosted_watchdog(world->device, 200000), 0);
	for (i = 0; i < WAITERS; i++) {
		pairs[i].request = make_default(world->file, 0);
		pairs[i].answer = make_default(world->file, 0);
		pairs[i].hw_answer = fake_last_fence(&world->fake);
	}
	for (i = 0; i < WAITERS; i++) {
		pthread_create(&threads[2 * i], NULL, responder, &pairs[i]);
		pthread_create(&threads[2 * i + 1], NULL, requester, &pairs[i]);
	}
	for (i = 0; i < 2 * WAITERS; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < WAITERS; i++)
		assert_int_equal(pairs[i].failures, 0);
	print_message("# %llu resamples woke a waiter, of %u updates\n",
		      (unsigned long long)world_statistics(world).resample_hits,
		      world->fake.update_fences);
	world_destroy(world);
}

static void ping_pong(void **state)
{
	(void)state;
	play(false);
	play(true);
}

/* --- many waiters of one fence ------------------------------------------------------------ */

struct crowd {
	u32 fence, other, seed, failures;
};

static void *member(void *argument)
{
	struct crowd *crowd = argument;
	u32 i;

	for (i = 0; i < ROUNDS; i++) {
		struct drm_ringfence_fence_value values[2] = {
			{ .handle = crowd->fence, .value = 1 + (i * 7 + crowd->seed) % ROUNDS },
			{ .handle = crowd->other, .value = 1 + (i * 5 + crowd->seed) % ROUNDS },
		};
		u32 flags = i % 2 ? DRM_RINGFENCE_WAIT_ANY : 0;
		/* some give up */
		int ret = wait_fences(world->file, values, 2, flags, i % 8 ? soon(20000) : 1, 0);

		if (ret && !(ret == -ETIMEDOUT && i % 8 == 0))
			crowd->failures++;
	}
	return NULL;
}

static void crowd(void **state)
{
	struct crowd crowds[WAITERS];
	pthread_t threads[WAITERS];
	struct fake_fence *hw, *hw_other;
	u32 fence, other, i;

	(void)state;
	world = world_new();
	/* it changes no result, whatever it takes for lost */
	assert_int_equal(rf_hosted_watchdog(world->device, 200000), 0);
	fence = make_default(world->file, 0);
	hw = fake_last_fence(&world->fake);
	other = make_default(world->file, 0);
	hw_other = fake_last_fence(&world->fake);
	for (i = 0; i < WAITERS; i++) {
		crowds[i] = (struct crowd){ fence, other, i * 31, 0 };
		pthread_create(&threads[i], NULL, member, &crowds[i]);
	}
	for (i = 1; i <= ROUNDS; i++) {
		fake_signal(&world->fake, hw, i);
		fake_signal(&world->fake, hw_other, i);
		sched_yield();
	}
	for (i = 0; i < WAITERS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(crowds[i].failures, 0);
	}
	assert_int_equal(fake_monitored(&world->fake, hw), U64_MAX);
	assert_int_equal(fake_monitored(&world->fake, hw_other), U64_MAX);
	world_destroy(world);
}

/* --- fences and events that die ------------------------------------------------------------- */

struct victim {
	u32 fence; /* atomic */
	u32 event; /* atomic */
	bool stop; /* atomic */
	u32 canceled;
	u32 failures;
};

static void *waits_on_the_dying(void *argument)
{
	struct victim *victim = argument;

	while (!__atomic_load_n(&victim->stop, __ATOMIC_ACQUIRE)) {
		u32 fence = __atomic_load_n(&victim->fence, __ATOMIC_ACQUIRE);
		int ret = wait_fence(world->file, fence, 1, soon(20000));

		victim->canceled += ret == -ECANCELED;
		if (ret && ret != -ECANCELED && ret != -ENOENT)
			victim->failures++;
	}
	return NULL;
}

static void *waits_on_the_dying_event(void *argument)
{
	struct victim *victim = argument;

	while (!__atomic_load_n(&victim->stop, __ATOMIC_ACQUIRE)) {
		struct drm_ringfence_event_wait wait = {
			.handle = __atomic_load_n(&victim->event, __ATOMIC_ACQUIRE),
			.deadline = soon(20000),
		};
		int ret = rf_hosted_request(world->file, DRM_RINGFENCE_EVENT_WAIT, &wait);

		victim->canceled += ret == -ECANCELED;
		if (ret && ret != -ECANCELED && ret != -ENOENT)
			victim->failures++;
	}
	return NULL;
}

static void dying(void **state)
{
	struct victim fences = { 0 }, events = { 0 };
	pthread_t threads[2];
	u32 fence, event;
	u32 i;

	(void)state;
	world = world_new();
	fence = make_default(world->file, 0);
	event = make_event(world->file);
	fences.fence = fence;
	events.event = event;
	pthread_create(&threads[0], NULL, waits_on_the_dying, &fences);
	pthread_create(&threads[1], NULL, waits_on_the_dying_event, &events);
	for (i = 0; i < ROUNDS; i++) {
		u32 next_fence = make_default(world->file, 0);
		u32 next_event = make_event(world->file);

		sched_yield();
		__atomic_store_n(&fences.fence, next_fence, __ATOMIC_RELEASE);
		__atomic_store_n(&events.event, next_event, __ATOMIC_RELEASE);
		destroy_fence(world->file, fence);
		destroy_event(world->file, event);
		fence = next_fence;
		event = next_event;
	}
	__atomic_store_n(&fences.stop, true, __ATOMIC_RELEASE);
	__atomic_store_n(&events.stop, true, __ATOMIC_RELEASE);
	/* until the threads have seen it: one may be about to wait */
	while (signal_fence(world->file, fence, 1))
		;
	destroy_event(world->file, event);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert_int_equal(fences.failures, 0);
	assert_int_equal(events.failures, 0);
	print_message("# %u waits and %u event waits were cancelled\n", fences.canceled,
		      events.canceled);
	assert_true(fences.canceled > 0);
	world_destroy(world);
}

/* --- rings against disconnects (C11) ---------------------------------------------------------- */

/*
 * User mode stores the write pointer's record, rings, and reads the status behind a
 * barrier; on RETRY it connects and rings again. Another thread plays the driver,
 * which takes the doorbell away and then samples the record once. In the end every
 * write pointer that user mode believes to be rung is known to the device.
 */
struct ringer {
	struct rig rig;
	u64 *record;
	bool stop; /* atomic */
	u64 pointer; /* the last */
	u32 failures, retries;
};

static void *rings(void *argument)
{
	struct ringer *ringer = argument;
	struct drm_ringfence_doorbell_connect connect = { .handle = ringer->rig.doorbell.handle };

	while (!__atomic_load_n(&ringer->stop, __ATOMIC_ACQUIRE)) {
		u64 pointer = ++ringer->pointer;

		rf_write_once64(ringer->record, pointer);
		for (;;) {
			rf_mb();
			rf_hosted_ring(ringer->rig.page, pointer);
			rf_mb();
			if (rig_status(&ringer->rig) == DRM_RINGFENCE_DOORBELL_CONNECTED)
				break;
			ringer->retries++;
			if (rf_hosted_request(world->file, DRM_RINGFENCE_DOORBELL_CONNECT,
					      &connect))
				ringer->failures++;
		}
	}
	return NULL;
}

static void rings_against_disconnects(void **state)
{
	struct ringer ringer = { .rig = { .queue = { 0 } } };
	struct fake_queue *queue;
	u64 device = 0;
	pthread_t thread;
	u32 victims;

	(void)state;
	world = world_new();
	ringer.rig = make_rig(world->file, 0);
	queue = fake_last_queue(&world->fake);
	ringer.record = (u64 *)((char *)map(world->file, ringer.rig.memory.mmap_offset) + 2048);
	pthread_create(&thread, NULL, rings, &ringer);
	for (victims = 0; victims < ROUNDS; victims++) {
		struct rf_disconnect_doorbell_callback arguments = {
			.h_hw_queue = queue,
			.h_doorbell = queue->doorbell,
			.disconnect_reason = RF_DOORBELL_DISCONNECTED_RETRY,
		};

		while (rig_status(&ringer.rig) != DRM_RINGFENCE_DOORBELL_CONNECTED)
			sched_yield();
		assert_int_equal(
			world->fake.callbacks->disconnect_doorbell(world->fake.h_core, &arguments),
			0);
		/* the one look after the callback; the fake unbinds when it binds again */
		device = rf_value_read(queue->doorbell->arguments.ring_buffer_control_cpu_va);
	}
	__atomic_store_n(&ringer.stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	pthread_mutex_lock(&world->fake.bus.mutex);
	if (world->fake.bus.last_value > device)
		device = world->fake.bus.last_value;
	pthread_mutex_unlock(&world->fake.bus.mutex);
	print_message("# %u disconnects, %u retries, %llu rings\n", victims, ringer.retries,
		      (unsigned long long)ringer.pointer);
	if (rig_status(&ringer.rig) != DRM_RINGFENCE_DOORBELL_CONNECTED)
		fake_unbind(&world->fake, queue);
	assert_int_equal(ringer.failures, 0);
	assert_true(ringer.retries > ROUNDS / 2);
	assert_int_equal(device, ringer.pointer);
	world_destroy(world);
}

/* --- more queues than slots, which come and go ------------------------------------------------ */

#define SWAP_SLOTS 3
#define SWAP_QUEUES 8 /* of each thread */
#define SWAP_ROUNDS 150

struct swapper {
	pthread_t thread;
	u32 context;
	u32 failures;
	struct rig rigs[SWAP_QUEUES];
	struct fake_queue *queues[SWAP_QUEUES];
};

static bool swapping;

/* Choices in their order would stay in step with the turns of queues, which then never end. */
static void *device(void *argument)
{
	u64 random = 1;

	(void)argument;
	do {
		random = random * 6364136223846793005 + 1442695040888963407;
		sched_yield();
	} while (fake_step(&world->fake, (u32)(random >> 33)) ||
		 __atomic_load_n(&swapping, __ATOMIC_SEQ_CST));
	return NULL;
}

static void *swapper(void *argument)
{
	struct swapper *swapper = argument;
	struct kmd_file *file = world->file->file;
	u32 i;

	for (i = 0; i < SWAP_ROUNDS; i++) {
		fake_ring(&world->fake, swapper->queues[i * 5 % SWAP_QUEUES]);
		if (i % 7 == 0 && kmd_context_suspend(file, swapper->context))
			swapper->failures++;
		fake_ring(&world->fake, swapper->queues[i * 3 % SWAP_QUEUES]);
		if (i % 7 == 0 && kmd_context_resume(file, swapper->context))
			swapper->failures++;
		sched_yield();
	}
	return NULL;
}

static void *comes_and_goes(void *argument)
{
	u32 *failures = argument;
	u32 i;

	for (i = 0; i < SWAP_ROUNDS / 3; i++) {
		struct drm_ringfence_queue_create create = { .node = 2 };
		struct drm_ringfence_queue_destroy destroy = { 0 };

		if (rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_CREATE, &create))
			(*failures)++;
		destroy.handle = create.handle;
		sched_yield();
		if (rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy))
			(*failures)++;
	}
	return NULL;
}

static void come_and_go(bool late)
{
	struct swapper swappers[WAITERS] = { 0 };
	pthread_t works, other;
	u32 i, j, failures = 0;

	world = world_create();
	world->fake.caps.hw_queue_slots = SWAP_SLOTS;
	world->fake.residents_max = SWAP_SLOTS;
	world->fake.hold_preempted = true;
	world->fake.late = late;
	world_start(world);
	for (i = 0; i < WAITERS; i++) {
		swappers[i].context = make_context(world->file, i % 2, i / 2);
		for (j = 0; j < SWAP_QUEUES; j++) {
			swappers[i].rigs[j] = make_rig_in(world->file, i % 2, swappers[i].context);
			swappers[i].queues[j] = fake_last_queue(&world->fake);
		}
	}
	swapping = true;
	pthread_create(&works, NULL, device, NULL);
	for (i = 0; i < WAITERS; i++)
		pthread_create(&swappers[i].thread, NULL, swapper, &swappers[i]);
	pthread_create(&other, NULL, comes_and_goes, &failures);
	for (i = 0; i < WAITERS; i++)
		pthread_join(swappers[i].thread, NULL);
	pthread_join(other, NULL);
	__atomic_store_n(&swapping, false, __ATOMIC_SEQ_CST);
	/* it ends when every ring was answered */
	pthread_join(works, NULL);
	assert_int_equal(failures, 0);
	for (i = 0; i < WAITERS; i++)
		assert_int_equal(swappers[i].failures, 0);
	print_message("# %llu residences\n",
		      (unsigned long long)world_statistics(world).residences);
	world->fake.hold_preempted = false;
	world_destroy(world);
}

static void queues_come_and_go(void **state)
{
	(void)state;
	come_and_go(false);
	come_and_go(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-36,S0-38.ping-pong-of-cpu-and-gpu-signals", ping_pong),
		TEST("A-18.a-crowd-of-waiters", crowd),
		TEST("fences-and-events-die-under-their-waiters", dying),
		TEST("C11,S3-27,S3-28.rings-against-disconnects", rings_against_disconnects),
		TEST("A-6.queues-come-and-go-and-are-suspended", queues_come_and_go),
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
