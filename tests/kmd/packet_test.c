// SPDX-License-Identifier: Apache-2.0
/* The packet model: order, ids, completion, preemption, and what the driver may not say. */
#include <string.h>

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "queues/suspension.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "fake.h"

#define LOW 2
#define HIGH 9
#define SECOND 1000000000ull
#define CAP 4 /* of the fake's hardware queues */

/* A world with a context of low priority on node 0, and memory for command buffers. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	struct kmd_adapter *adapter;
	struct kmd_node *core; /* node 0, the core's side */
	struct fake_node *node; /* and the device's */
	u32 low;
	u32 memory;
	u64 now; /* of the watch */
};

static struct scene scene_from(struct world *world)
{
	struct scene scene = { .world = world };

	world_start(world);
	scene.fake = &world->fake;
	scene.file = world->file;
	scene.adapter = world->device->adapter;
	scene.core = &scene.adapter->nodes[0];
	scene.node = &world->fake.nodes[0];
	scene.low = make_packet_queue(world->file, 0, LOW).handle;
	scene.memory = make_memory(world->file, 65536, 0).handle;
	return scene;
}

static struct scene scene_new(void)
{
	return scene_from(world_create());
}

static void scene_end(struct scene *scene)
{
	world_destroy(scene->world);
}

/* Buffers are told apart by their sizes. */
static u64 submit(struct scene *scene, u32 queue, u32 size)
{
	struct drm_ringfence_queue_submit request = {
		.queue = queue,
		.memory = scene->memory,
		.size = size,
	};

	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_SUBMIT, &request), 0);
	return request.progress_value;
}

static void expect(const struct scene *scene, u32 index, u32 size, u64 id, u32 flags)
{
	assert_true(index < scene->node->count);
	assert_int_equal(scene->node->packets[index].dma_buffer_size, size);
	assert_int_equal(scene->node->packets[index].submission_fence_id, id);
	assert_int_equal(scene->node->packets[index].flags, flags);
}

static u64 completed(struct scene *scene, u32 queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return status.completed;
}

static int status_error(struct scene *scene, u32 queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	assert_int_equal(rf_hosted_request(scene->file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return (int)status.error;
}

static void tick(struct scene *scene, u64 later)
{
	scene->now += later;
	rf_hosted_watch_progress(scene->world->device, scene->now);
}

/* Node 0 does not respond, until it has been asked to let its work go. */
static void hang(struct scene *scene)
{
	scene->fake->hung = 1;
	tick(scene, 0); /* how far it is */
	tick(scene, 0); /* no further */
	tick(scene, 2 * SECOND);
}

/* --- order and completion ------------------------------------------------------------ */

static void ids_count_up_per_node(void **state)
{
	struct scene scene = scene_new();
	u32 other = make_packet_queue(scene.file, 0, LOW).handle;
	u32 elsewhere = make_packet_queue(scene.file, 1, LOW).handle;
	u32 i;

	(void)state;
	for (i = 0; i < 4; i++)
		assert_int_equal(submit(&scene, i % 2 ? other : scene.low, 8 * (i + 1)), i / 2 + 1);
	submit(&scene, elsewhere, 8);
	for (i = 0; i < 4; i++)
		expect(&scene, i, 8 * (i + 1), i + 1, 0);
	assert_int_equal(scene.fake->nodes[1].packets[0].submission_fence_id, 1);
	scene_end(&scene);
}

static void hardware_queue_is_as_long_as_said(void **state)
{
	struct scene scene = scene_new();
	u32 i;

	(void)state;
	for (i = 0; i < CAP + 3; i++)
		submit(&scene, scene.low, 8 * (i + 1));
	assert_int_equal(scene.node->count, CAP);
	for (i = 0; i < CAP + 3; i++) {
		assert_int_equal(completed(&scene, scene.low), i);
		expect(&scene, 0, 8 * (i + 1), i + 1, 0);
		fake_complete_packet(scene.fake, 0);
	}
	assert_int_equal(completed(&scene, scene.low), CAP + 3);
	assert_int_equal(scene.core->last_completed_id, CAP + 3);
	scene_end(&scene);
}

/* One interrupt for several packets: all up to the one named are done. */
static void completion_covers_earlier_ones(void **state)
{
	struct scene scene = scene_new();
	u32 event, i;

	(void)state;
	for (i = 0; i < 3; i++)
		submit(&scene, scene.low, 8);
	event = wait_event(scene.file, make_packet_queue(scene.file, 1, 0).progress_fence, 1);
	fake_finish_packet(scene.fake, 0);
	fake_finish_packet(scene.fake, 0);
	fake_bus_raise(&scene.fake->bus);
	assert_int_equal(completed(&scene, scene.low), 2);
	assert_int_equal(scene.core->last_completed_id, 2);
	assert_int_equal(look(scene.file, event), -ETIMEDOUT);
	scene_end(&scene);
}

/* The progress fence is in the process's reach: its value affects no other process. */
static void forged_progress(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_create queue = make_packet_queue(scene.file, 0, LOW);
	struct fake_fence *progress = fake_last_fence(scene.fake);
	struct drm_ringfence_memory_destroy destroy = { .handle = scene.memory };

	(void)state;
	submit(&scene, queue.handle, 8);
	submit(&scene, queue.handle, 16);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy), 0);
	fake_signal(scene.fake, progress, 2);
	make_event(scene.file);
	assert_int_equal(scene.fake->nodes[0].count, 2);
	fake_complete_packet(scene.fake, 0);
	fake_complete_packet(scene.fake, 0);
	scene_end(&scene);
}

/* --- preemption ---------------------------------------------------------------------- */

static void higher_priority_preempts(void **state)
{
	struct scene scene = scene_new();
	u32 high = make_packet_queue(scene.file, 0, HIGH).handle;

	(void)state;
	submit(&scene, scene.low, 8);
	submit(&scene, scene.low, 16);
	submit(&scene, high, 24);
	/* asked for, in the middle of the first: nothing else moves until it is answered */
	assert_int_equal(scene.node->hardware_preemptions, 1);
	assert_int_equal(scene.node->preemption, 3);
	assert_int_equal(scene.node->count, 2);
	submit(&scene, high, 32);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 1);

	fake_answer_preemption(scene.fake, 0);
	expect(&scene, 0, 24, 4, 0);
	expect(&scene, 1, 32, 5, 0);
	expect(&scene, 2, 8, 6, RF_SUBMIT_RESUBMISSION);
	expect(&scene, 3, 16, 7, RF_SUBMIT_RESUBMISSION);
	fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(&scene, high), 1);
	assert_int_equal(completed(&scene, scene.low), 0);
	scene_end(&scene);
}

static void equals_wait(void **state)
{
	struct scene scene = scene_new();
	u32 equal = make_packet_queue(scene.file, 0, LOW).handle;
	u32 lower = make_packet_queue(scene.file, 0, LOW - 1).handle;
	u32 i;

	(void)state;
	submit(&scene, lower, 8);
	fake_complete_packet(scene.fake, 0);
	for (i = 0; i < CAP; i++)
		submit(&scene, scene.low, 8);
	submit(&scene, lower, 48);
	submit(&scene, equal, 56);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 0);
	for (i = 0; i < CAP; i++)
		fake_complete_packet(scene.fake, 0);
	/* and the older one of the lower priority goes behind */
	expect(&scene, 0, 56, 6, 0);
	expect(&scene, 1, 48, 7, 0);
	scene_end(&scene);
}

/* What was complete when the preemption came is not run again; the rest is, in its order. */
static void only_the_rest_is_resubmitted(void **state)
{
	struct scene scene = scene_new();
	u32 high = make_packet_queue(scene.file, 0, HIGH).handle;
	u32 i;

	(void)state;
	for (i = 0; i < CAP + 1; i++)
		submit(&scene, scene.low, 8 * (i + 1));
	submit(&scene, high, 80);
	fake_finish_packet(scene.fake, 0);
	fake_finish_packet(scene.fake, 0);
	fake_answer_preemption(scene.fake, 0); /* one interrupt tells all three */
	assert_int_equal(scene.core->last_completed_id, 2);
	assert_int_equal(completed(&scene, scene.low), 2);
	expect(&scene, 0, 80, CAP + 2, 0);
	expect(&scene, 1, 24, CAP + 3, RF_SUBMIT_RESUBMISSION);
	expect(&scene, 2, 32, CAP + 4, RF_SUBMIT_RESUBMISSION);
	expect(&scene, 3, 40, CAP + 5, 0); /* the device had not got it before */
	for (i = 0; i < 4; i++)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(&scene, scene.low), CAP + 1);
	scene_end(&scene);
}

/*
 * The service has noted that all is complete, the deferred part has not run: then the
 * driver answers at interrupt level, and the hardware does not hear of it.
 */
static void nothing_left_to_preempt(void **state)
{
	struct scene scene = scene_new();
	u32 high = make_packet_queue(scene.file, 0, HIGH).handle;

	(void)state;
	submit(&scene, scene.low, 8);
	fake_finish_packet(scene.fake, 0);
	kmd_adapter_interrupt(scene.adapter, 0);
	assert_int_equal(scene.core->depth, 1);
	submit(&scene, high, 16);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 1);
	assert_int_equal(scene.node->hardware_preemptions, 0);
	assert_int_equal(scene.core->preemption_id, 0);
	assert_int_equal(scene.core->last_completed_id, 1);
	expect(&scene, 0, 16, 3, 0);
	scene_end(&scene);
}

static void preempted_at_once(void **state)
{
	struct scene scene = scene_new();
	u32 high = make_packet_queue(scene.file, 0, HIGH).handle;
	u32 i;

	(void)state;
	scene.fake->preempts_at_once = true;
	for (i = 1; i <= 20; i++) {
		submit(&scene, scene.low, 8);
		submit(&scene, high, 16);
		expect(&scene, 0, 16, scene.node->packets[0].submission_fence_id, 0);
		while (scene.node->count)
			fake_complete_packet(scene.fake, 0);
		assert_int_equal(completed(&scene, scene.low), i);
		assert_int_equal(completed(&scene, high), i);
	}
	scene_end(&scene);
}

/* --- paging packets ------------------------------------------------------------------ */

struct paging {
	struct kmd_dma dma;
	u32 completions;
};

static void paging_complete(struct kmd_dma *dma, int result)
{
	assert_int_equal(result, 0);
	container_of(dma, struct paging, dma)->completions++;
}

/* The paging node's work beside others' on one node, as a driver may have it. */
static void submit_paging(struct scene *scene, struct paging *paging, u32 size)
{
	unsigned long flags;

	*paging = (struct paging){
		.dma = {
			.node = scene->core,
			.rank = KMD_RANK_KERNEL,
			.size = size,
			.flags = RF_SUBMIT_PAGING,
			.complete = paging_complete,
		},
	};
	flags = rf_spin_lock(&scene->adapter->sync_domain->wait_lock);
	kmd_dma_submit(&paging->dma);
	rf_spin_unlock(&scene->adapter->sync_domain->wait_lock, flags);
}

static void preempted_paging(void **state)
{
	struct scene scene = scene_new();
	u32 top = make_packet_queue(scene.file, 0, (RF_PRIORITY_BANDS - 1)).handle;
	struct paging paging[2];

	(void)state;
	scene.fake->paging_stands = true;
	submit_paging(&scene, &paging[0], 0);
	submit(&scene, scene.low, 8);
	submit_paging(&scene, &paging[1], 0); /* preempts what is between */
	assert_int_equal(scene.node->preemption, 3);
	submit(&scene, top, 16);
	fake_answer_preemption(scene.fake, 0);

	/* the first comes back with its own id, though that of the preemption is greater, and
	 * before whatever waits, of any priority */
	expect(&scene, 0, 0, 1, RF_SUBMIT_PAGING | RF_SUBMIT_RESUBMISSION);
	expect(&scene, 1, 0, 4, RF_SUBMIT_PAGING);
	expect(&scene, 2, 16, 5, 0);
	expect(&scene, 3, 8, 6, RF_SUBMIT_RESUBMISSION); /* and this one with a new one */
	while (scene.node->count)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(paging[0].completions, 1);
	assert_int_equal(paging[1].completions, 1);
	assert_int_equal(scene.core->last_completed_id, 6);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	scene_end(&scene);
}

/* A second preemption, and a completion of an id that was given long ago. */
static void paging_id_is_used_again_and_again(void **state)
{
	struct scene scene = scene_new();
	struct paging paging;
	u32 i;

	(void)state;
	scene.fake->paging_stands = true;
	submit_paging(&scene, &paging, 0);
	for (i = 0; i < 5; i++) {
		hang(&scene);
		fake_answer_preemption(scene.fake, 0);
		assert_int_equal(scene.node->packets[0].submission_fence_id, 1);
	}
	submit(&scene, scene.low, 8);
	expect(&scene, 1, 8, 7, 0);
	fake_complete_packet(scene.fake, 0);
	assert_int_equal(paging.completions, 1);
	assert_int_equal(scene.core->last_completed_id, 1);
	fake_complete_packet(scene.fake, 0);
	assert_int_equal(scene.core->last_completed_id, 7);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	scene_end(&scene);
}

/* --- before TDR ---------------------------------------------------------------------- */

static void preemption_comes_before_tdr(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	submit(&scene, scene.low, 8);
	tick(&scene, 2 * SECOND); /* it responds */
	tick(&scene, 2 * SECOND);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 0);
	hang(&scene);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 1);
	fake_answer_preemption(scene.fake, 0);
	assert_int_equal(scene.node->count, 1);
	hang(&scene);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 2);
	assert_int_equal(scene.fake->calls[FAKE_RESET_ENGINE], 0);
	/* a packet that does not leave hangs, and its process is lost */
	scene.fake->last_aborted = scene.node->packets[0].submission_fence_id;
	tick(&scene, 2 * SECOND);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 2);
	assert_int_equal(scene.fake->calls[FAKE_RESET_ENGINE], 1);
	assert_int_equal(scene.fake->calls[FAKE_RESET_ADAPTER], 0);
	assert_int_equal(status_error(&scene, scene.low), RF_QUEUE_ERROR_ENGINE_RESET);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	scene_end(&scene);
}

static void idle_nodes_are_not_watched(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	hang(&scene);
	scene.fake->hung = 0;
	submit(&scene, scene.low, 8);
	fake_complete_packet(scene.fake, 0);
	hang(&scene);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 0);
	scene_end(&scene);
}

/* A packet of the kernel's own cannot be lost. */
static void hung_paging_is_fatal(void **state)
{
	struct scene scene = scene_new();
	struct paging paging;

	(void)state;
	scene.fake->paging_stands = true;
	submit_paging(&scene, &paging, 0);
	hang(&scene);
	scene.fake->last_aborted = scene.node->packets[0].submission_fence_id;
	tick(&scene, 2 * SECOND);
	assert_true(kmd_adapter_is_wedged(scene.adapter));
	assert_int_equal(paging.completions, 0);
	scene_end(&scene);
}

/* Packets of others on the node are not lost with the one that hung. */
static void only_the_hung_is_lost(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = { .size = 24 };
	struct rf_file *other;

	(void)state;
	assert_int_equal(rf_hosted_open(scene.world->device, &other), 0);
	request.queue = make_packet_queue(other, 0, LOW).handle;
	request.memory = make_memory(other, 4096, 0).handle;
	submit(&scene, scene.low, 8); /* 1 */
	submit(&scene, scene.low, 16); /* 2 */
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_QUEUE_SUBMIT, &request), 0);
	hang(&scene);
	scene.fake->last_aborted = 1;
	tick(&scene, 2 * SECOND);
	assert_int_equal(scene.fake->calls[FAKE_RESET_ENGINE], 1);
	assert_int_equal(scene.node->count, 1);
	expect(&scene, 0, 24, scene.core->last_id, RF_SUBMIT_RESUBMISSION);
	assert_int_equal(status_error(&scene, scene.low), RF_QUEUE_ERROR_ENGINE_RESET);
	fake_complete_packet(scene.fake, 0);
	rf_hosted_close(other);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	scene_end(&scene);
}

/* --- Windows 7 ----------------------------------------------------------------------- */

static struct scene windows_7(void)
{
	struct world *world = world_create();

	world->fake.caps.scheduling_caps &= ~RF_VIDSCH_PREEMPTION_AWARE;
	return scene_from(world);
}

static void nobody_is_preempted(void **state)
{
	struct scene scene = windows_7();
	u32 high = make_packet_queue(scene.file, 0, HIGH).handle;
	u32 i;

	(void)state;
	for (i = 0; i < CAP + 2; i++)
		submit(&scene, scene.low, 8);
	submit(&scene, high, 80);
	assert_int_equal(scene.node->count, CAP);
	fake_complete_packet(scene.fake, 0);
	expect(&scene, CAP - 1, 80, CAP + 1, 0); /* before those that still wait */
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 0);
	hang(&scene);
	scene.fake->last_aborted = scene.node->packets[0].submission_fence_id;
	tick(&scene, 2 * SECOND);
	assert_int_equal(scene.fake->calls[FAKE_PREEMPT], 0);
	assert_int_equal(scene.fake->calls[FAKE_RESET_ENGINE], 1);
	scene_end(&scene);
}

/* --- what the driver may not do ------------------------------------------------------ */

static void refused_preemption_is_fatal(void **state)
{
	struct scene scene = scene_new();
	u32 high = make_packet_queue(scene.file, 0, HIGH).handle;
	struct drm_ringfence_queue_submit request = {
		.queue = high,
		.memory = scene.memory,
		.size = 8,
	};

	(void)state;
	submit(&scene, scene.low, 8);
	scene.fake->fail = FAKE_PREEMPT;
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_SUBMIT, &request),
			 -ENODEV);
	assert_true(kmd_adapter_is_wedged(scene.adapter));
	scene.fake->fail = FAKE_CALLS;
	scene_end(&scene);
}

static void refused_packet_is_fatal(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_submit request = {
		.queue = scene.low,
		.memory = scene.memory,
		.size = 8,
	};

	(void)state;
	scene.fake->fail = FAKE_SUBMIT_COMMAND;
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_SUBMIT, &request),
			 -ENODEV);
	scene.fake->fail = FAKE_CALLS;
	scene_end(&scene);
}

/* Each case on a node with packets 1 and 2 in the hardware queue, and preemption 3 asked. */
static void false_reports_are_fatal(void **state)
{
	static const struct {
		struct rf_notify_interrupt_data data;
		bool fatal;
	} cases[] = {
		{ { .interrupt_type = RF_INTERRUPT_DMA_PREEMPTED, .dma_preempted = { 3, 0 } },
		  false },
		{ { .interrupt_type = RF_INTERRUPT_DMA_PREEMPTED, .dma_preempted = { 3, 1 } },
		  true }, /* a preemption completes nothing */
		{ { .interrupt_type = RF_INTERRUPT_DMA_PREEMPTED, .dma_preempted = { 2, 0 } },
		  true },
		{ { .interrupt_type = RF_INTERRUPT_DMA_PREEMPTED, .dma_preempted = { 0, 0 } },
		  true },
		{ { .interrupt_type = RF_INTERRUPT_DMA_PREEMPTED,
		    .dma_preempted = { 3, 0, FAKE_NODES } },
		  true },
		{ { .interrupt_type = RF_INTERRUPT_DMA_PREEMPTED, .dma_preempted = { 3, 0, 1 } },
		  true }, /* not asked for there */
		{ { .interrupt_type = RF_INTERRUPT_DMA_COMPLETED, .dma_completed = { 1 } }, false },
		{ { .interrupt_type = RF_INTERRUPT_DMA_COMPLETED, .dma_completed = { 2 } }, false },
		{ { .interrupt_type = RF_INTERRUPT_DMA_COMPLETED, .dma_completed = { 3 } }, true },
		{ { .interrupt_type = RF_INTERRUPT_DMA_COMPLETED, .dma_completed = { 0 } }, true },
		{ { .interrupt_type = RF_INTERRUPT_DMA_COMPLETED, .dma_completed = { 1, 1 } },
		  true },
		{ { .interrupt_type = RF_INTERRUPT_DMA_PAGE_FAULTED, .dma_page_faulted = { 9 } },
		  true },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scene scene = scene_new();
		u32 high = make_packet_queue(scene.file, 0, HIGH).handle;

		submit(&scene, scene.low, 8);
		submit(&scene, scene.low, 8);
		submit(&scene, high, 8);
		assert_int_equal(scene.node->preemption, 3);
		scene.node->preemption = 0; /* it tells what follows instead */
		fake_report(scene.fake, &cases[i].data);
		assert_int_equal(kmd_adapter_is_wedged(scene.adapter), cases[i].fatal);
		assert_int_equal(scene.core->last_completed_id,
				 cases[i].fatal || cases[i].data.interrupt_type !=
							   RF_INTERRUPT_DMA_COMPLETED
					 ? 0
					 : cases[i].data.dma_completed.submission_fence_id);
		scene_end(&scene);
	}
}

/* The three situations in which the last completed id advances: the second and third. */
static void reset_completes_what_it_aborted(void **state)
{
	static const struct {
		u64 aborted;
		bool fatal;
	} cases[] = { { 0, true }, { 1, false }, { 2, false }, { 3, false }, { 4, true } };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scene scene = scene_new();
		unsigned long flags;
		u32 j;

		for (j = 0; j < 3; j++)
			submit(&scene, scene.low, 8);
		fake_complete_packet(scene.fake, 0);
		assert_int_equal(scene.core->last_completed_id, 1);
		flags = kmd_wait_lock(scene.adapter->sync_domain);
		kmd_node_reset(scene.core, cases[i].aborted);
		kmd_wait_unlock(scene.adapter->sync_domain, flags);
		assert_int_equal(kmd_adapter_is_wedged(scene.adapter), cases[i].fatal);
		assert_int_equal(scene.core->last_completed_id,
				 cases[i].fatal ? 1 : cases[i].aborted);
		scene_end(&scene);
	}
}

/* --- suspension -------------------------------------------------------------------------- */

static struct kmd_context *group_of(struct scene *scene, u32 handle)
{
	struct kmd_queue *queue;

	rf_list_for_each(queue, &scene->adapter->queues, link)
		if (queue->handle == handle)
			return queue->context;
	return NULL;
}

/* What the node had of it comes back, and others go on meanwhile. */
static void suspended_packets_wait(void **state)
{
	struct scene scene = scene_new();
	u32 other = make_packet_queue(scene.file, 0, LOW).handle;
	struct kmd_context *group = group_of(&scene, scene.low);
	unsigned long flags;

	(void)state;
	scene.fake->preempts_at_once = true;
	submit(&scene, scene.low, 8);
	submit(&scene, other, 16);
	submit(&scene, scene.low, 24);
	rf_mutex_lock(&scene.adapter->mutex);
	assert_int_equal(kmd_context_suspend_begin(group), 0);
	rf_mutex_unlock(&scene.adapter->mutex);
	assert_int_equal(scene.node->count, 1);
	expect(&scene, 0, 16, scene.node->packets[0].submission_fence_id, RF_SUBMIT_RESUBMISSION);
	submit(&scene, scene.low, 32);
	assert_int_equal(scene.node->count, 1);
	fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(&scene, other), 1);
	rf_mutex_lock(&scene.adapter->mutex);
	kmd_context_resume_locked(group);
	rf_mutex_unlock(&scene.adapter->mutex);
	flags = rf_spin_lock(&scene.adapter->sync_domain->wait_lock);
	assert_int_equal(scene.core->depth, 3);
	rf_spin_unlock(&scene.adapter->sync_domain->wait_lock, flags);
	assert_int_equal(scene.node->packets[0].dma_buffer_size, 8);
	while (scene.node->count)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(&scene, scene.low), 3);
	scene_end(&scene);
}

/* --- ends ---------------------------------------------------------------------------- */

static void faulted_context_is_lost_alone(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_create other = make_packet_queue(scene.file, 0, LOW);
	struct drm_ringfence_queue_status status = { .handle = scene.low };
	u32 i;

	(void)state;
	for (i = 0; i < CAP; i++)
		submit(&scene, i % 2 ? other.handle : scene.low, 8 * (i + 1));
	submit(&scene, scene.low, 80);
	submit(&scene, other.handle, 88);
	fake_fault_packet(scene.fake, 0, RF_QUEUE_ERROR_OPCODE, 0x1234);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	assert_int_equal(status.error, RF_QUEUE_ERROR_OPCODE);
	assert_int_equal(status.error_address, 0x1234);
	assert_int_equal(scene.node->count, 3);
	expect(&scene, 2, 88, 5, 0);
	while (scene.node->count)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(&scene, other.handle), 3);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	scene_end(&scene);
}

static void busy_context_is_destroyed(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_create other = make_packet_queue(scene.file, 0, LOW);
	struct drm_ringfence_queue_destroy destroy = { .handle = scene.low };
	u32 high, i;

	(void)state;
	for (i = 0; i < CAP + 4; i++)
		submit(&scene, i % 2 ? other.handle : scene.low, 8);
	/* also between a preemption and its answer */
	high = make_packet_queue(scene.file, 0, HIGH).handle;
	submit(&scene, high, 8);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
	fake_answer_preemption(scene.fake, 0);
	for (i = 0; i < 5; i++)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(&scene, other.handle), 4);
	assert_int_equal(scene.node->count, 0);
	/* and with its process */
	submit(&scene, other.handle, 8);
	scene_end(&scene);
}

/* Its completion is known to the service, but not to the deferred part, when it goes. */
static void destroyed_behind_its_completion(void **state)
{
	struct scene scene = scene_new();
	struct drm_ringfence_queue_destroy destroy = { .handle = scene.low };
	u32 other = make_packet_queue(scene.file, 0, LOW).handle;

	(void)state;
	submit(&scene, other, 8);
	submit(&scene, scene.low, 8);
	fake_finish_packet(scene.fake, 0);
	fake_finish_packet(scene.fake, 0);
	kmd_adapter_interrupt(scene.adapter, 0);
	assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_DESTROY, &destroy), 0);
	kmd_adapter_dpc(scene.adapter);
	assert_int_equal(completed(&scene, other), 1);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	scene_end(&scene);
}

static void requests_are_checked(void **state)
{
	struct scene scene = scene_new();
	static const struct {
		u32 node, flags;
		int result;
	} cases[] = {
		{ 0, DRM_RINGFENCE_QUEUE_PACKETS, 0 },
		{ 0, DRM_RINGFENCE_QUEUE_PACKETS | DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
		  -EINVAL },
		{ FAKE_NODE_KERNEL, DRM_RINGFENCE_QUEUE_PACKETS, 0 },
		{ FAKE_NODE_KERNEL, DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION, -EOPNOTSUPP },
		{ FAKE_NODE_PAGING, DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION, -EOPNOTSUPP },
		{ FAKE_NODE_PAGING, DRM_RINGFENCE_QUEUE_PACKETS, -EACCES },
		{ FAKE_NODE_PAGING, 0, -EACCES },
		{ FAKE_NODES, DRM_RINGFENCE_QUEUE_PACKETS, -EINVAL },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drm_ringfence_queue_create create = {
			.node = cases[i].node,
			.flags = cases[i].flags,
		};

		assert_int_equal(rf_hosted_request(scene.file, DRM_RINGFENCE_QUEUE_CREATE, &create),
				 cases[i].result);
	}
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("ids-count-up-per-node", ids_count_up_per_node),
		TEST("the-hardware-queue-is-as-long-as-said", hardware_queue_is_as_long_as_said),
		TEST("a-completion-covers-earlier-ones", completion_covers_earlier_ones),
		TEST("a-forged-progress-completes-nothing", forged_progress),
		TEST("S4-4,S4-14,S4-17.a-higher-priority-preempts", higher_priority_preempts),
		TEST("equals-wait-for-each-other", equals_wait),
		TEST("S4-17,S4-28,A-2.only-the-rest-is-resubmitted", only_the_rest_is_resubmitted),
		TEST("A-1.nothing-left-to-preempt", nothing_left_to_preempt),
		TEST("preemptions-answered-at-once", preempted_at_once),
		TEST("S4-15,S4-16,S4-17.preempted-paging-comes-first-with-its-id",
		     preempted_paging),
		TEST("S4-15,S4-18.a-paging-id-is-used-again", paging_id_is_used_again_and_again),
		TEST("S4-2.preemption-comes-before-tdr", preemption_comes_before_tdr),
		TEST("S4-3.hung-paging-is-fatal", hung_paging_is_fatal),
		TEST("S4-3,A-3.only-the-hung-is-lost", only_the_hung_is_lost),
		TEST("idle-nodes-are-not-watched", idle_nodes_are_not_watched),
		TEST("S4-5.without-PreemptionAware-nobody-is-preempted", nobody_is_preempted),
		TEST("S4-1.a-refused-preemption-is-fatal", refused_preemption_is_fatal),
		TEST("a-refused-packet-is-fatal", refused_packet_is_fatal),
		TEST("S4-28,A-2.false-reports-are-fatal", false_reports_are_fatal),
		TEST("A-2.a-reset-completes-what-it-aborted", reset_completes_what_it_aborted),
		TEST("S3-31,S3-33.suspended-packets-wait", suspended_packets_wait),
		TEST("a-faulted-context-is-lost-alone", faulted_context_is_lost_alone),
		TEST("a-busy-context-is-destroyed", busy_context_is_destroyed),
		TEST("destroyed-behind-its-completion", destroyed_behind_its_completion),
		TEST("S3-4.requests-are-checked", requests_are_checked),
	};

	return cmocka_run_group_tests_name("packet", tests, NULL, NULL);
}
