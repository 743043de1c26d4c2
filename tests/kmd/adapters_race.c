// SPDX-License-Identifier: Apache-2.0
/*
 * Threads on several adapters, under ThreadSanitizer: signals that travel round, and fences that are
 * opened and closed on every adapter meanwhile.
 */
#include <sched.h>
#include <string.h>

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "machine.h"

#define ROUNDS 300
#define DEVICES 3

static struct machine *machine;

/* --- a ring of three: a lost wake-up hangs it --------------------------------------------- */

/* A device of the ring: waits for the fence before it, and signals the one behind it. */
struct station {
	u32 device;
	u32 wait; /* handles on this device */
	struct fake_fence *signal; /* of the engine, or */
	u32 cpu_signal; /* of the CPU */
	u32 failures; /* asserts belong to the main thread */
};

static void *pass_on(void *argument)
{
	struct station *station = argument;
	struct rf_file *file = machine->files[station->device];
	u64 value;

	for (value = 1; value <= ROUNDS; value++) {
		u64 next = station->device == DEVICES - 1 ? value + 1 : value;

		if (wait_fence(file, station->wait, value, soon(20000)))
			station->failures++;
		if (value % 3 && station->signal)
			fake_signal(&machine->fakes[station->device], station->signal, next);
		else if (signal_fence(file, station->cpu_signal, next))
			station->failures++;
	}
	return NULL;
}

/* Another process of a device comes and goes. */
struct visitor {
	u32 device;
	u64 token;
	bool stop; /* atomic */
	u32 failures;
};

static void *visit(void *argument)
{
	struct visitor *visitor = argument;
	struct drm_ringfence_fence_open open = { .share_token = visitor->token };
	struct drm_ringfence_fence_destroy destroy = { 0 };
	struct rf_file *file;

	while (!__atomic_load_n(&visitor->stop, __ATOMIC_RELAXED)) {
		if (rf_hosted_open(machine->devices[visitor->device], &file)) {
			visitor->failures++;
			continue;
		}
		if (rf_hosted_request(file, DRM_RINGFENCE_FENCE_OPEN, &open))
			visitor->failures++;
		destroy.handle = open.handle;
		if (rf_hosted_request(file, DRM_RINGFENCE_FENCE_DESTROY, &destroy))
			visitor->failures++;
		rf_hosted_close(file);
	}
	return NULL;
}

/* @monitored: as of machine_new(); @peers: they signal to each other */
static void ring(u32 monitored, bool peers)
{
	struct station stations[DEVICES] = { 0 };
	struct visitor visitors[DEVICES] = { 0 };
	pthread_t threads[DEVICES], visits[DEVICES];
	u32 i;

	machine = peers ? machine_new_peers(DEVICES) : machine_new(DEVICES, monitored);
	for (i = 0; i < DEVICES; i++) {
		u32 next = (i + 1) % DEVICES;
		bool native = !(monitored >> next & 1);
		struct drm_ringfence_fence_create made = machine_fence(
			machine, next,
			native ? DRM_RINGFENCE_FENCE_DEFAULT : DRM_RINGFENCE_FENCE_MONITORED, 0);

		stations[next].wait = made.handle;
		stations[i].device = i;
		stations[i].cpu_signal = machine_open(machine, i, made.share_token, 0).handle;
		if (!(monitored >> i & 1))
			stations[i].signal = fake_last_fence(&machine->fakes[i]);
		/* the third adapter has it open for moments */
		visitors[i].device = (i + 2) % DEVICES;
		visitors[i].token = made.share_token;
	}
	for (i = 0; i < DEVICES; i++) {
		pthread_create(&threads[i], NULL, pass_on, &stations[i]);
		pthread_create(&visits[i], NULL, visit, &visitors[i]);
	}
	assert_int_equal(signal_fence(machine->files[0], stations[0].wait, 1), 0);
	for (i = 0; i < DEVICES; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < DEVICES; i++) {
		__atomic_store_n(&visitors[i].stop, true, __ATOMIC_RELAXED);
		pthread_join(visits[i], NULL);
	}
	for (i = 0; i < DEVICES; i++) {
		assert_int_equal(stations[i].failures, 0);
		assert_int_equal(visitors[i].failures, 0);
	}
	machine_destroy(machine);
}

static void ring_of_native_adapters(void **state)
{
	(void)state;
	ring(0, false);
}

static void ring_with_a_monitored_adapter(void **state)
{
	(void)state;
	ring(4, false);
}

static void ring_of_peers(void **state)
{
	(void)state;
	ring(0, true);
}

/* --- one side sleeps ------------------------------------------------------------------------- */

struct sleeper {
	bool stop; /* atomic */
	u32 sleeps, failures;
};

static void *fall_asleep(void *argument)
{
	struct sleeper *sleeper = argument;

	while (!__atomic_load_n(&sleeper->stop, __ATOMIC_RELAXED)) {
		if (rf_hosted_sleep(machine->devices[1]))
			sleeper->failures++;
		sleeper->sleeps++;
		if (rf_hosted_wake(machine->devices[1]))
			sleeper->failures++;
	}
	return NULL;
}

/* The second device sleeps and is woken, while the first one signals what its thread waits for. */
static void signal_to_a_sleeper(bool peers)
{
	struct sleeper sleeper = { 0 };
	struct drm_ringfence_fence_create made;
	struct fake_fence *fence;
	pthread_t thread;
	u32 handle;
	u64 value;

	machine = peers ? machine_new_peers(2) : machine_new(2, 0);
	made = machine_fence(machine, 0, DRM_RINGFENCE_FENCE_DEFAULT, 0);
	fence = fake_last_fence(&machine->fakes[0]);
	handle = machine_open(machine, 1, made.share_token, 0).handle;
	make_kernel_queue(machine->files[1], 0);
	pthread_create(&thread, NULL, fall_asleep, &sleeper);
	for (value = 1; value <= ROUNDS; value++) {
		fake_signal(&machine->fakes[0], fence, value);
		assert_int_equal(wait_fence(machine->files[1], handle, value, soon(20000)), 0);
	}
	__atomic_store_n(&sleeper.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_int_equal(sleeper.failures, 0);
	print_message("# asleep %u times\n", sleeper.sleeps);
	machine_destroy(machine);
}

static void signals_to_a_sleeper(void **state)
{
	(void)state;
	signal_to_a_sleeper(false);
}

static void signals_to_a_sleeping_peer(void **state)
{
	(void)state;
	signal_to_a_sleeper(true);
}

/* --- linked devices ------------------------------------------------------------------------------ */

#define BROADCASTS 150

/**
 * struct broadcast - what the threads share
 * @token: of the process on the first device for the next one on the second
 * @stop: atomic, as all that follows
 * @done: broadcasts that both devices took, and those that were refused
 */
struct broadcast {
	u64 token;
	bool stop;
	u32 done, refused, failures;
};

static bool broadcast_is_over(struct broadcast *broadcast)
{
	return __atomic_load_n(&broadcast->stop, __ATOMIC_RELAXED);
}

static u64 offer_link(struct rf_file *file)
{
	struct drm_ringfence_link link = { 0 };

	return rf_hosted_request(file, DRM_RINGFENCE_LINK, &link) ? 0 : link.token;
}

/* The report has been taken by the core. */
static bool is_told(struct fake *fake)
{
	bool told;

	pthread_mutex_lock(&fake->mutex);
	told = fake->told == fake->reported;
	pthread_mutex_unlock(&fake->mutex);
	return told;
}

/*
 * Packets of a device are done. No context is destroyed meanwhile: a driver reports what is complete
 * before it destroys one.
 */
static void *execute(void *argument)
{
	struct fake *fake = argument;
	struct broadcast *broadcast = fake->argument;
	struct kmd_adapter *adapter = machine->devices[fake != &machine->fakes[0]]->adapter;

	while (!broadcast_is_over(broadcast)) {
		unsigned long flags;
		bool any;

		rf_mutex_lock(&adapter->mutex);
		flags = kmd_wait_lock(adapter->sync_domain);
		any = fake->nodes[0].count;
		if (any)
			fake_finish_packet(fake, 0);
		kmd_wait_unlock(adapter->sync_domain, flags);
		if (any)
			fake_bus_raise(&fake->bus);
		while (!is_told(fake))
			sched_yield();
		rf_mutex_unlock(&adapter->mutex);
		if (!any)
			sched_yield();
	}
	return NULL;
}

/* A process on the second device comes, is linked, and goes in the midst of broadcasts. */
static void *come_and_go(void *argument)
{
	struct broadcast *broadcast = argument;
	u64 token = broadcast->token;

	while (!broadcast_is_over(broadcast)) {
		struct drm_ringfence_link link = { .token = token };
		struct rf_file *file;

		if (rf_hosted_open(machine->devices[1], &file)) {
			__atomic_fetch_add(&broadcast->failures, 1, __ATOMIC_RELAXED);
			continue;
		}
		make_packet_queue(file, 0, 0);
		if (rf_hosted_request(file, DRM_RINGFENCE_LINK, &link))
			__atomic_fetch_add(&broadcast->failures, 1, __ATOMIC_RELAXED);
		rf_sleep(&machine->hosted->os, 1000000);
		rf_hosted_close(file);
		token = offer_link(machine->files[0]);
	}
	return NULL;
}

/* Handles of the other process can be guessed: its only queue is one of the first. */
static void *send(void *argument)
{
	struct broadcast *broadcast = argument;
	struct rf_file *file = machine->files[0];
	struct drm_ringfence_queue_create queue = make_packet_queue(file, 0, 0);
	struct drm_ringfence_memory_create memory = make_memory(file, 4096, 0);
	u32 turn;

	for (turn = 0; __atomic_load_n(&broadcast->done, __ATOMIC_RELAXED) < BROADCASTS; turn++) {
		struct drm_ringfence_queue_render render = {
			.queue = queue.handle,
			.memory = memory.handle,
			.size = 64,
			.linked_queue = queue.handle + turn % 5 - 2,
		};
		int ret = rf_hosted_request(file, DRM_RINGFENCE_QUEUE_RENDER, &render);

		if (!ret)
			__atomic_fetch_add(&broadcast->done, 1, __ATOMIC_RELAXED);
		else
			__atomic_fetch_add(&broadcast->refused, 1, __ATOMIC_RELAXED);
		if (ret && ret != -ENOENT && ret != -ENOLINK && ret != -EAGAIN && ret != -EIO &&
		    ret != -EOPNOTSUPP)
			__atomic_fetch_add(&broadcast->failures, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void broadcasts_to_a_process_that_ends(void **state)
{
	struct broadcast broadcast = { 0 };
	pthread_t senders[2], devices[2], other;
	u32 i;

	(void)state;
	machine = machine_new_linked(2);
	broadcast.token = offer_link(machine->files[0]);
	for (i = 0; i < 2; i++) {
		machine->fakes[i].argument = &broadcast;
		pthread_create(&devices[i], NULL, execute, &machine->fakes[i]);
		pthread_create(&senders[i], NULL, send, &broadcast);
	}
	pthread_create(&other, NULL, come_and_go, &broadcast);
	for (i = 0; i < 2; i++)
		pthread_join(senders[i], NULL);
	__atomic_store_n(&broadcast.stop, true, __ATOMIC_RELAXED);
	pthread_join(other, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(devices[i], NULL);
	assert_int_equal(broadcast.failures, 0);
	assert_true(broadcast.refused > 0);
	print_message("# %u broadcasts, %u refused\n", broadcast.done, broadcast.refused);
	machine_destroy(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a-ring-of-native-adapters", ring_of_native_adapters),
		TEST("a-ring-with-a-monitored-adapter", ring_with_a_monitored_adapter),
		TEST("a-ring-of-peers", ring_of_peers),
		TEST("signals-to-a-device-that-sleeps", signals_to_a_sleeper),
		TEST("signals-to-a-peer-that-sleeps", signals_to_a_sleeping_peer),
		TEST("broadcasts-to-a-process-that-ends", broadcasts_to_a_process_that_ends),
	};

	return cmocka_run_group_tests_name("adapters", tests, NULL, NULL);
}
