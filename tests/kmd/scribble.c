// SPDX-License-Identifier: Apache-2.0
/*
 * One thread writes over memory, others use the driver; see scribble.h. What is to be
 * scribbled over is asked of the device: every page that it maps for a process to write, and
 * every mapping of user mode that can be stored to. Nothing that is found there may make the
 * driver read or write elsewhere, run for ever, or take the device for broken.
 */
#include <sched.h>
#include <string.h>

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "scheduling/queue.h"
#include "fake.h"
#include "scribble.h"

#define ROUNDS 24
#define FENCES 4
#define PATTERNS 8

static bool stop;

static bool is_stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_ACQUIRE);
}

static void set_stop(bool value)
{
	__atomic_store_n(&stop, value, __ATOMIC_RELEASE);
}

/* --- words ------------------------------------------------------------------------------------- */

static u64 next_word(u64 *state)
{
	static const u64 ends[PATTERNS] = {
		0,
		1,
		U64_MAX,
		U32_MAX,
		0x30000000ull << 32 | 0x40000000,
		0x80000000ull << 32 | 5,
		1ull << 63,
		84,
	};
	u64 word;

	*state = *state * 6364136223846793005u + 1442695040888963407u;
	word = *state >> 20;
	switch (word % 4) {
	case 0:
		return ends[word / 4 % PATTERNS];
	case 1:
		return word / 4 % 100; /* indexes, handles, values */
	case 2:
		return (word / 4 % 8) << 32 | word / 32 % 90; /* headers of logs */
	default:
		return *state;
	}
}

/* --- over everything ------------------------------------------------------------------------------ */

struct scene {
	struct world *world;
	struct rf_file *files[2];
	u32 fences[FENCES], shared, monitored;
	u64 scribbled;
	u64 state;
	u32 told;
};

/* Engines of processes, those that the driver never heard of too. */
static void scribble_over_mapped(struct scene *scene)
{
	struct fake *fake = &scene->world->fake;
	struct fake_mapping *mapping;

	pthread_mutex_lock(&fake->mutex);
	rf_list_for_each(mapping, &fake->mappings, link) {
		u64 words = mapping->mem->bytes / 8;
		u32 i;

		if (!mapping->h_process || (mapping->flags & RF_MAP_READ_ONLY))
			continue;
		/* user memory, too: what the driver reads of it lies at its beginning */
		for (i = 0; i < 64; i++) {
			u64 place = next_word(&scene->state) % (i % 2 ? words : 8);

			fake_mem_write64(mapping->mem, place * 8, next_word(&scene->state));
			scene->scribbled++;
		}
	}
	pthread_mutex_unlock(&fake->mutex);
}

/* User mode: words of queues. Its memory is mapped for engines as well. */
static void scribble_over_last_queued(struct scene *scene)
{
	struct kmd_adapter *adapter = scene->world->device->adapter;
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);
	struct kmd_queue *queue;

	rf_list_for_each(queue, &adapter->queues, link)
		if (queue->user_mode)
			rf_mem_write64(queue->last_queued, 0, next_word(&scene->state));
	rf_spin_unlock(&domain->wait_lock, flags);
}

static void *scribbler(void *argument)
{
	struct scene *scene = argument;

	while (!is_stopped()) {
		scribble_over_mapped(scene);
		scribble_over_last_queued(scene);
		sched_yield();
	}
	return NULL;
}

/* Interrupts, for no reason that the driver knows of. */
static void *interrupts(void *argument)
{
	struct scene *scene = argument;
	struct fake *fake = &scene->world->fake;

	while (!is_stopped()) {
		pthread_mutex_lock(&fake->mutex);
		/* the ring of a device that is masked or asleep fills up */
		if (fake->produced - fake->consumed < FAKE_RECORDS / 2)
			fake->records[fake->produced++ % FAKE_RECORDS] = NULL;
		pthread_mutex_unlock(&fake->mutex);
		fake_bus_raise(&fake->bus);
		sched_yield();
	}
	return NULL;
}

static void *watch(void *argument)
{
	struct scene *scene = argument;
	struct kmd_adapter *adapter = scene->world->device->adapter;
	u64 now = 0;

	while (!is_stopped()) {
		now += KMD_TDR_DELAY / 4;
		kmd_adapter_watch(adapter, now);
		kmd_adapter_look_for_idle(adapter);
		kmd_adapter_is_idle(adapter);
		sched_yield();
	}
	return NULL;
}

static void tell(void *argument, int result)
{
	u32 *told = argument;

	(void)result;
	__atomic_fetch_add(told, 1, __ATOMIC_SEQ_CST);
}

/* What a process asks for; what is answered is its own affair, as long as it is an answer. */
static void use_queue(struct scene *scene, struct rf_file *file,
		      const struct drm_ringfence_queue_create *queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue->handle };
	struct drm_ringfence_queue_notify notify = { .handle = queue->handle };
	u32 i;

	rf_hosted_request(file, DRM_RINGFENCE_QUEUE_STATUS, &status);
	rf_hosted_request(file, DRM_RINGFENCE_QUEUE_NOTIFY, &notify);
	for (i = 0; i < 4; i++)
		if (kmd_fence_notify(file->file, queue->progress_fence, 1 + i, true, tell,
				     &scene->told))
			tell(&scene->told, 0);
	wait_fence(file, queue->progress_fence, 3, soon(1));
}

static void use_fences(struct scene *scene, struct rf_file *file)
{
	struct drm_ringfence_fence_value values[FENCES];
	u32 event = make_event(file), i;

	for (i = 0; i < FENCES; i++)
		values[i] = (struct drm_ringfence_fence_value){ .handle = scene->fences[i],
								.value = 90 + i };
	if (file == scene->files[0]) {
		wait_fences(file, values, FENCES, DRM_RINGFENCE_WAIT_ANY, 0, event);
		signal_fence(file, scene->fences[1], 5);
		wait_fence(file, scene->monitored, 7, soon(1));
		signal_fence(file, scene->monitored, 7);
		wait_fence(file, scene->shared, U64_MAX, soon(1));
	}
	look(file, event);
	destroy_event(file, event);
}

static void one_round(struct scene *scene, u32 round)
{
	struct rf_file *file = scene->files[round % 2];
	struct drm_ringfence_memory_create memory = make_memory(file, 8192, 0);
	struct rig rig = make_rig(file, round % 2);
	struct drm_ringfence_queue_create kernel = make_kernel_queue(file, FAKE_NODE_KERNEL);
	struct drm_ringfence_queue_create packets = make_packet_queue(file, 0, round % 3);
	struct drm_ringfence_queue_render render = {
		.queue = packets.handle,
		.memory = memory.handle,
		.size = 4096,
	};
	struct drm_ringfence_queue_destroy destroy = { 0 };
	char *dump = NULL;

	submit_empty(file, kernel.handle, memory.handle);
	submit_empty(file, packets.handle, memory.handle);
	rf_hosted_request(file, DRM_RINGFENCE_QUEUE_RENDER, &render);
	use_queue(scene, file, &rig.queue);
	use_queue(scene, file, &kernel);
	use_queue(scene, file, &packets);
	use_fences(scene, file);
	if (round % 8 == 1 && !rf_hosted_dump(scene->world->device, round % 16 == 1, &dump))
		free(dump);
	if (round % 8 == 2)
		kmd_adapter_trace(scene->world->device->adapter, NULL, NULL);
	destroy_rig(file, &rig);
	destroy.handle = kernel.handle;
	rf_hosted_request(file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy);
	destroy.handle = packets.handle;
	rf_hosted_request(file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy);
}

static void run(bool optimized)
{
	struct scene scene = { .world = world_create(), .state = 11 };
	pthread_t threads[3];
	u32 round, i;

	if (optimized)
		scene.world->fake.caps.scheduling_caps |=
			RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	scene.world->fake.report = FAKE_REPORT_LEGACY; /* every interrupt is about everything */
	scene.world->fake.scribbled = true;
	scene.world->fake.idle = 3;
	scene.world->fake.render_words = 64;
	scene.world->fake.late = optimized;
	world_start(scene.world);
	scene.files[0] = scene.world->file;
	assert_int_equal(rf_hosted_open(scene.world->device, &scene.files[1]), 0);
	for (i = 0; i < FENCES; i++)
		scene.fences[i] = make_default(scene.files[0], i);
	scene.shared = make_fence(scene.files[0], DRM_RINGFENCE_FENCE_DEFAULT,
				  DRM_RINGFENCE_FENCE_SHARED, 0)
			       .handle;
	scene.monitored = make_fence(scene.files[0], DRM_RINGFENCE_FENCE_MONITORED, 0, 0).handle;
	set_stop(false);
	pthread_create(&threads[0], NULL, scribbler, &scene);
	pthread_create(&threads[1], NULL, interrupts, &scene);
	pthread_create(&threads[2], NULL, watch, &scene);
	for (round = 0; round < ROUNDS; round++)
		one_round(&scene, round);
	set_stop(true);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	/* the device is not lost, and each promise ended once */
	assert_false(kmd_adapter_is_wedged(scene.world->device->adapter));
	assert_int_equal(scene.told, ROUNDS * 3 * 4);
	assert_true(scene.scribbled > ROUNDS * 64);
	assert_int_equal(world_statistics(scene.world).adapter_resets, 0);
	rf_hosted_close(scene.files[1]);
	world_destroy(scene.world);
}

void scribble_over_everything(void **state)
{
	(void)state;
	run(false);
	run(true);
}
