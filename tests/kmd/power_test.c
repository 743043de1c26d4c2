// SPDX-License-Identifier: Apache-2.0
/*
 * F-states of engines and D-states of the device: the order of steps, and what brings
 * them back. That no ring is lost is shown in doorbell_test.c.
 */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "queues/lost_queue.h"
#include "fake.h"

struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	struct kmd_adapter *adapter;
	struct rig rig; /* on node 0, connected */
	struct fake_queue *queue;
};

static int connect_rig(struct rf_file *file, const struct rig *rig)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = rig->doorbell.handle };

	return rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect);
}

static void open_scene(struct scene *scene)
{
	scene->world = world_new();
	scene->fake = &scene->world->fake;
	scene->file = scene->world->file;
	scene->adapter = scene->world->device->adapter;
	scene->rig = make_rig(scene->file, 0);
	scene->queue = fake_last_queue(scene->fake);
	assert_int_equal(connect_rig(scene->file, &scene->rig), 0);
	assert_true(scene->queue->resident);
}

static void close_scene(struct scene *scene)
{
	world_destroy(scene->world);
}

static void look_for_idle(struct scene *scene, u32 nodes)
{
	scene->fake->idle = nodes;
	rf_hosted_look_for_idle(scene->world->device);
}

static void forget_diary(struct scene *scene)
{
	scene->fake->diary_length = 0;
}

/* Place of the first such call since the diary was forgotten. */
static u32 first(const struct scene *scene, enum fake_call call)
{
	u32 i;

	for (i = 0; i < scene->fake->diary_length; i++)
		if (scene->fake->diary[i] == call)
			return i;
	fail_msg("call %u was not made", call);
	return 0;
}

static u32 last(const struct scene *scene, enum fake_call call)
{
	u32 i;

	for (i = scene->fake->diary_length; i--;)
		if (scene->fake->diary[i] == call)
			return i;
	fail_msg("call %u was not made", call);
	return 0;
}

static u64 *last_queued(const struct scene *scene)
{
	return map(scene->file, scene->rig.queue.last_queued_mmap_offset);
}

static u64 *control(const struct scene *scene)
{
	return (u64 *)((char *)map(scene->file, scene->rig.memory.mmap_offset) + 2048);
}

/* --- F-states ------------------------------------------------------------------------------ */

/* S3-37, S3-38 */
static void doorbells_come_before_f1(void **state)
{
	struct rig second, other;
	struct scene scene;

	(void)state;
	open_scene(&scene);
	second = make_rig(scene.file, 0);
	other = make_rig(scene.file, 1);
	assert_int_equal(connect_rig(scene.file, &other), 0);
	forget_diary(&scene);
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(scene.fake->f1, 1u << 0);
	assert_true(last(&scene, FAKE_DISCONNECT_DOORBELL) < first(&scene, FAKE_EVICT));
	assert_true(last(&scene, FAKE_EVICT) < first(&scene, FAKE_F1));
	assert_int_equal(scene.fake->calls[FAKE_DISCONNECT_DOORBELL], 1);
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_DISCONNECTED_RETRY);
	assert_int_equal(rig_status(&second), RF_DOORBELL_DISCONNECTED_RETRY);
	assert_int_equal(rig_status(&other), RF_DOORBELL_CONNECTED);
	assert_int_equal(world_statistics(scene.world).f1_transitions, 1);
	/* it is resident already, and a late record of a ring brings no queue in */
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(scene.fake->calls[FAKE_F1], 1);
	*control(&scene) = 1;
	fake_ring(scene.fake, scene.queue);
	assert_false(scene.queue->resident);
	close_scene(&scene);
}

/* By an interrupt, and as the work of whatever thread comes next. */
static void the_driver_reports_by_interrupt(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	scene.fake->hold_preempted = true;
	fake_engine_state(scene.fake, 0, RF_ENGINE_TRANSITION_TO_F1);
	assert_int_equal(wait_fence(scene.file, make_default(scene.file, 1), 1, 0), 0);
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_DISCONNECTED_RETRY);
	assert_int_equal(scene.fake->f1, 0);
	fake_preempted(scene.fake, scene.queue, NULL, 0);
	look_for_idle(&scene, 0);
	assert_int_equal(scene.fake->f1, 1u << 0);
	close_scene(&scene);
}

static void other_states_are_not_f1(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	fake_engine_state(scene.fake, 0, RF_ENGINE_HUNG);
	fake_engine_state(scene.fake, 0, RF_ENGINE_ACTIVE);
	look_for_idle(&scene, 0);
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_CONNECTED);
	assert_int_equal(scene.fake->calls[FAKE_F1], 0);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	fake_engine_state(scene.fake, FAKE_NODES, RF_ENGINE_TRANSITION_TO_F1);
	assert_true(kmd_adapter_is_wedged(scene.adapter));
	close_scene(&scene);
}

/* S3-39 */
static void connecting_brings_f0_first(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	look_for_idle(&scene, 1u << 0);
	forget_diary(&scene);
	assert_int_equal(connect_rig(scene.file, &scene.rig), 0);
	assert_true(first(&scene, FAKE_F0) < first(&scene, FAKE_CONNECT_DOORBELL));
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_CONNECTED);
	fake_ring(scene.fake, scene.queue);
	assert_true(scene.queue->resident);
	close_scene(&scene);
}

/* The same while it is still on its way to F1. */
static void connecting_calls_the_transition_off(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	scene.fake->hold_preempted = true;
	look_for_idle(&scene, 1u << 0);
	assert_true(scene.queue->leaving);
	*control(&scene) = 1;
	assert_int_equal(connect_rig(scene.file, &scene.rig), 0);
	fake_preempted(scene.fake, scene.queue, NULL, 0);
	assert_true(scene.queue->resident);
	look_for_idle(&scene, 0);
	assert_int_equal(scene.fake->calls[FAKE_F1], 0);
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_CONNECTED);
	close_scene(&scene);
}

static void an_engine_with_work_is_not_idle(void **state)
{
	struct drm_ringfence_memory_create memory;
	struct drm_ringfence_queue_create kernel;
	struct scene scene;
	u32 fence;

	(void)state;
	open_scene(&scene);
	/* announced, not rung yet */
	*last_queued(&scene) = 1;
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_CONNECTED);
	*last_queued(&scene) = 0;
	/* found in the ring */
	*control(&scene) = 1;
	scene.queue->has_work = true;
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(scene.fake->calls[FAKE_F1], 0);
	assert_true(scene.queue->resident);
	scene.queue->has_work = false;
	/* a kernel-mode queue that waits */
	memory = make_memory(scene.file, 4096, 0);
	kernel = make_kernel_queue(scene.file, 0);
	fence = make_default(scene.file, 0);
	assert_int_equal(queue_wait(scene.file, kernel.handle, fence, 1), 0);
	assert_int_equal(submit_empty(scene.file, kernel.handle, memory.handle), 0);
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(scene.fake->calls[FAKE_F1], 0);
	assert_int_equal(signal_fence(scene.file, fence, 1), 0);
	fake_complete(scene.fake, fake_last_queue(scene.fake));
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(scene.fake->calls[FAKE_F1], 1);
	close_scene(&scene);
}

/* A queue that waits for a fence outside the device continues by itself. */
static void a_sleeper_keeps_its_engine(void **state)
{
	struct fake_fence *hw;
	struct scene scene;
	u32 fence;

	(void)state;
	open_scene(&scene);
	fence = make_default(scene.file, 0);
	hw = fake_last_fence(scene.fake);
	scene.fake->hold_preempted = true;
	look_for_idle(&scene, 1u << 0);
	fake_preempted(scene.fake, scene.queue, hw, 5);
	look_for_idle(&scene, 0);
	assert_int_equal(scene.fake->calls[FAKE_F1], 0);
	assert_int_equal(signal_fence(scene.file, fence, 5), 0);
	assert_true(scene.queue->resident);
	close_scene(&scene);
}

static void submission_and_resumption_bring_f0(void **state)
{
	struct drm_ringfence_queue_create kernel;
	struct drm_ringfence_memory_create memory;
	struct fake_queue *queue;
	struct scene scene;
	struct rig rig;
	u32 context;

	(void)state;
	open_scene(&scene);
	memory = make_memory(scene.file, 4096, 0);
	kernel = make_kernel_queue(scene.file, 2);
	queue = fake_last_queue(scene.fake);
	look_for_idle(&scene, 1u << 2);
	assert_int_equal(scene.fake->f1, 1u << 2);
	assert_int_equal(submit_empty(scene.file, kernel.handle, memory.handle), 0);
	assert_int_equal(scene.fake->f1, 0);
	assert_true(queue->resident);
	fake_complete(scene.fake, queue);

	/* work of a suspended context does not count, until it is resumed */
	context = make_context(scene.file, 1, 0);
	rig = make_rig_in(scene.file, 1, context);
	queue = fake_last_queue(scene.fake);
	assert_int_equal(kmd_context_suspend(scene.file->file, context), 0);
	queue->has_work = true;
	look_for_idle(&scene, 1u << 1);
	assert_int_equal(scene.fake->f1, 1u << 1);
	assert_int_equal(kmd_context_resume(scene.file->file, context), 0);
	assert_int_equal(scene.fake->f1, 0);
	assert_true(queue->resident);
	destroy_rig(scene.file, &rig);
	close_scene(&scene);
}

#define PAGING (1u << FAKE_NODE_PAGING)

/* A queue whose packet is on the engine of node 1, which therefore is not idle. */
static u32 queue_at_work(struct scene *scene, u32 *memory)
{
	u32 queue = make_packet_queue(scene->file, 1, 0).handle;

	*memory = make_memory(scene->file, 4096, 0).handle;
	submit_packet(scene->file, queue, *memory, 8);
	look_for_idle(scene, 1u << 1);
	assert_int_equal(scene->fake->f1, 0);
	return queue;
}

/* The packet model: S3-39, S3-40; that a node in F1 gets none is checked by the fake. */
static void packets_keep_their_engine(void **state)
{
	struct scene scene;
	u32 queue, memory;

	(void)state;
	open_scene(&scene);
	queue = queue_at_work(&scene, &memory);
	fake_complete_packet(scene.fake, 1);
	/* the paging node has worked for the context, and rests as well */
	look_for_idle(&scene, 1u << 1 | PAGING);
	assert_int_equal(scene.fake->f1, 1u << 1 | PAGING);
	submit_packet(scene.file, queue, memory, 8);
	assert_int_equal(scene.fake->f1, PAGING);
	fake_complete_packet(scene.fake, 1);
	make_packet_queue(scene.file, 0, 0);
	assert_int_equal(scene.fake->f1, 0);
	close_scene(&scene);
}

/* Its packet is on the engine nevertheless, and may use memory until the engine says it is done. */
static void a_packet_of_a_lost_queue_keeps_its_engine(void **state)
{
	struct kmd_sync_domain *domain;
	struct scene scene;
	unsigned long flags;
	u32 queue, memory;

	(void)state;
	open_scene(&scene);
	queue = queue_at_work(&scene, &memory);
	domain = scene.file->file->adapter->sync_domain;
	flags = kmd_wait_lock(domain);
	kmd_queue_mark_lost(kmd_table_find(&scene.file->file->table, KMD_QUEUE, queue),
			    RF_QUEUE_ERROR_ENGINE, 0, false);
	kmd_wait_unlock(domain, flags);
	look_for_idle(&scene, 1u << 1);
	assert_int_equal(scene.fake->f1, 0);
	fake_complete_packet(scene.fake, 1);
	/* it was found idle, and has only waited for the packet */
	look_for_idle(&scene, 0);
	assert_int_equal(scene.fake->f1, 1u << 1);
	close_scene(&scene);
}

static void a_component_that_fails(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	scene.fake->fail = FAKE_F1;
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(world_statistics(scene.world).f1_transitions, 0);
	scene.fake->fail = FAKE_CALLS;
	assert_int_equal(connect_rig(scene.file, &scene.rig), 0);
	assert_int_equal(scene.fake->calls[FAKE_F0], 0);
	look_for_idle(&scene, 1u << 0);
	assert_int_equal(scene.fake->f1, 1u << 0);
	scene.fake->fail = FAKE_F0;
	assert_int_equal(connect_rig(scene.file, &scene.rig), -ENODEV);
	assert_true(kmd_adapter_is_wedged(scene.adapter));
	scene.fake->fail = FAKE_CALLS;
	close_scene(&scene);
}

/* --- D-states ------------------------------------------------------------------------------ */

static void sleep_scene(struct scene *scene)
{
	assert_int_equal(rf_hosted_sleep(scene->world->device), 0);
	assert_true(scene->fake->d3);
}

/* S3-42, S3-43; that all is suspended and disconnected is checked by the fake */
static void d3_comes_last(void **state)
{
	struct rf_file *second;
	struct scene scene;
	struct rig other;

	(void)state;
	open_scene(&scene);
	assert_int_equal(rf_hosted_open(scene.world->device, &second), 0);
	other = make_rig(second, 1);
	assert_int_equal(connect_rig(second, &other), 0);
	forget_diary(&scene);
	sleep_scene(&scene);
	assert_int_equal(scene.fake->calls[FAKE_SUSPEND], 2);
	assert_true(last(&scene, FAKE_SUSPEND) < first(&scene, FAKE_DISCONNECT_DOORBELL));
	assert_true(last(&scene, FAKE_DISCONNECT_DOORBELL) < first(&scene, FAKE_D3));
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_DISCONNECTED_RETRY);
	assert_int_equal(rig_status(&other), RF_DOORBELL_DISCONNECTED_RETRY);
	/* it is there already */
	assert_int_equal(rf_hosted_sleep(scene.world->device), 0);
	assert_int_equal(scene.fake->calls[FAKE_D3], 1);
	look_for_idle(&scene, ~0u);
	rf_hosted_close(second);
	assert_false(scene.fake->d3);
	close_scene(&scene);
}

/* A packet that runs is preempted, and goes on afterwards. That no context is left on a node,
 * the kernel's own included, is checked by the fake. */
static void packets_sleep(void **state)
{
	struct fake_node *node;
	struct scene scene;
	u32 queue, memory;

	(void)state;
	open_scene(&scene);
	node = &scene.fake->nodes[1];
	memory = make_memory(scene.file, 4096, 0).handle;
	queue = make_packet_queue(scene.file, 1, 0).handle;
	scene.fake->preempts_at_once = true;
	submit_packet(scene.file, queue, memory, 8);
	sleep_scene(&scene);
	assert_int_equal(rf_hosted_wake(scene.world->device), 0);
	assert_int_equal(node->count, 1);
	assert_true(node->packets[0].flags & RF_SUBMIT_RESUBMISSION);
	fake_complete_packet(scene.fake, 1);
	close_scene(&scene);
}

/* S3-44, S3-45 */
static void connecting_wakes_the_device(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	sleep_scene(&scene);
	*control(&scene) = 1;
	forget_diary(&scene);
	assert_int_equal(connect_rig(scene.file, &scene.rig), 0);
	assert_true(first(&scene, FAKE_D0) < first(&scene, FAKE_CONNECT_DOORBELL));
	assert_true(first(&scene, FAKE_CONNECT_DOORBELL) < first(&scene, FAKE_RESUME_CONTEXT));
	assert_true(first(&scene, FAKE_RESUME_CONTEXT) < first(&scene, FAKE_ENTER));
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_CONNECTED);
	assert_int_equal(scene.queue->seen, 1);
	close_scene(&scene);
}

/* From F1 as well, and an engine without work stays there. */
static void both_states_at_once(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	look_for_idle(&scene, 3u);
	sleep_scene(&scene);
	forget_diary(&scene);
	assert_int_equal(connect_rig(scene.file, &scene.rig), 0);
	assert_true(first(&scene, FAKE_D0) < first(&scene, FAKE_F0));
	assert_true(first(&scene, FAKE_F0) < first(&scene, FAKE_CONNECT_DOORBELL));
	assert_int_equal(scene.fake->f1, 1u << 1);
	close_scene(&scene);
}

static void who_was_suspended_before_stays_so(void **state)
{
	struct scene scene;
	struct rig rig;
	u32 context;

	(void)state;
	open_scene(&scene);
	context = make_context(scene.file, 1, 0);
	rig = make_rig_in(scene.file, 1, context);
	assert_int_equal(kmd_context_suspend(scene.file->file, context), 0);
	sleep_scene(&scene);
	assert_int_equal(rf_hosted_wake(scene.world->device), 0);
	assert_true(fake_last_queue(scene.fake)->context->suspended);
	assert_false(scene.queue->context->suspended);
	assert_int_equal(kmd_context_resume(scene.file->file, context), 0);
	assert_false(fake_last_queue(scene.fake)->context->suspended);
	destroy_rig(scene.file, &rig);
	close_scene(&scene);
}

/* Local memory is lost in D3: user mode's, and MonitoredValues with waiters. */
static void local_memory_is_restored(void **state)
{
	struct drm_ringfence_memory_create memory;
	struct fake_fence *hw;
	struct scene scene;
	u64 value = 0x1234;
	u32 fence, event;

	(void)state;
	open_scene(&scene);
	memory = make_memory(scene.file, 8192, DRM_RINGFENCE_MEMORY_LOCAL);
	assert_int_equal(rf_hosted_memory_write(scene.file, memory.handle, 4096, &value, 8), 0);
	fence = make_default(scene.file, 0);
	hw = fake_last_fence(scene.fake);
	event = wait_event(scene.file, fence, 7);
	assert_int_equal(fake_monitored(scene.fake, hw), 6);
	sleep_scene(&scene);
	/* read and written where it is now */
	assert_int_equal(rf_hosted_memory_read(scene.file, memory.handle, 4096, &value, 8), 0);
	assert_int_equal(value, 0x1234);
	value = 0x5678;
	assert_int_equal(rf_hosted_memory_write(scene.file, memory.handle, 0, &value, 8), 0);
	assert_int_equal(rf_hosted_wake(scene.world->device), 0);
	assert_int_equal(rf_hosted_memory_read(scene.file, memory.handle, 0, &value, 8), 0);
	assert_int_equal(value, 0x5678);
	assert_int_equal(rf_hosted_memory_read(scene.file, memory.handle, 4096, &value, 8), 0);
	assert_int_equal(value, 0x1234);
	assert_int_equal(fake_monitored(scene.fake, hw), 6);
	fake_signal(scene.fake, hw, 7);
	assert_int_equal(look(scene.file, event), 0);
	close_scene(&scene);
}

/* Waits begin and end in D3; the device learns of it when it is awake. */
static void waits_go_on_in_d3(void **state)
{
	struct drm_ringfence_fence_value one;
	u32 fences[3], event, early;
	struct fake_fence *hw[3];
	struct scene scene;
	u32 i;

	(void)state;
	open_scene(&scene);
	for (i = 0; i < 3; i++) {
		fences[i] = make_default(scene.file, 0);
		hw[i] = fake_last_fence(scene.fake);
	}
	event = make_event(scene.file);
	early = wait_event(scene.file, fences[1], 3);
	/* signalled by the device, and its interrupt comes too late */
	scene.fake->report = FAKE_REPORT_NOTHING;
	fake_signal(scene.fake, hw[1], 3);
	sleep_scene(&scene);
	assert_int_equal(look(scene.file, early), 0);
	one = (struct drm_ringfence_fence_value){ .handle = fences[0], .value = 9 };
	assert_int_equal(wait_fences(scene.file, &one, 1, 0, 0, event), 0);
	assert_int_equal(wait_fence(scene.file, fences[2], 4, soon(2)), -ETIMEDOUT);
	assert_true(scene.fake->d3);
	assert_int_equal(rf_hosted_wake(scene.world->device), 0);
	assert_int_equal(fake_monitored(scene.fake, hw[0]), 8);
	assert_int_equal(fake_monitored(scene.fake, hw[1]), U64_MAX);
	assert_int_equal(fake_monitored(scene.fake, hw[2]), U64_MAX);
	close_scene(&scene);
}

/* A queue may wait for it. */
static void a_signal_wakes_the_device(void **state)
{
	struct drm_ringfence_queue_create kernel;
	struct drm_ringfence_memory_create memory;
	struct fake_queue *queue;
	struct scene scene;
	u32 fence, event;

	(void)state;
	open_scene(&scene);
	memory = make_memory(scene.file, 4096, 0);
	kernel = make_kernel_queue(scene.file, 0);
	queue = fake_last_queue(scene.fake);
	fence = make_default(scene.file, 0);
	event = wait_event(scene.file, fence, 2);
	assert_int_equal(queue_wait(scene.file, kernel.handle, fence, 2), 0);
	assert_int_equal(submit_empty(scene.file, kernel.handle, memory.handle), 0);
	sleep_scene(&scene);
	assert_int_equal(signal_fence(scene.file, fence, 2), 0);
	assert_false(scene.fake->d3);
	assert_int_equal(look(scene.file, event), 0);
	assert_int_equal(queue->submitted, 1);
	assert_true(queue->resident);
	fake_complete(scene.fake, queue);
	close_scene(&scene);
}

/* An interrupt that was on its way when the device went. */
static void interrupts_in_d3_are_not_served(void **state)
{
	struct scene scene;
	u32 event, fence;

	(void)state;
	open_scene(&scene);
	fence = make_default(scene.file, 0);
	event = wait_event(scene.file, fence, 1);
	sleep_scene(&scene);
	fake_report_handle(scene.fake, fake_last_fence(scene.fake)->core);
	assert_int_equal(scene.fake->consumed, scene.fake->produced - 1);
	assert_int_equal(look(scene.file, event), -ETIMEDOUT);
	close_scene(&scene);
}

static void an_engine_that_does_not_let_go(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	scene.adapter->tdr_timeout = 2000000;
	scene.fake->hung = 1u << 0;
	scene.fake->on_engine = scene.queue;
	assert_int_equal(rf_hosted_sleep(scene.world->device), -EIO);
	assert_int_equal(scene.fake->calls[FAKE_D3], 0);
	assert_int_equal(scene.fake->calls[FAKE_RESET_HW_ENGINE], 1);
	assert_int_equal(rig_status(&scene.rig), RF_DOORBELL_DISCONNECTED_ABORT);
	assert_false(kmd_adapter_is_wedged(scene.adapter));
	/* without the work that hung it sleeps */
	sleep_scene(&scene);
	close_scene(&scene);
}

static void a_device_that_does_not_come_back(void **state)
{
	struct scene scene;

	(void)state;
	open_scene(&scene);
	sleep_scene(&scene);
	scene.fake->fail = FAKE_D0;
	assert_int_equal(connect_rig(scene.file, &scene.rig), -ENODEV);
	assert_true(kmd_adapter_is_wedged(scene.adapter));
	assert_int_equal(rf_hosted_wake(scene.world->device), -ENODEV);
	scene.fake->fail = FAKE_CALLS;
	close_scene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S3-37,S3-38.doorbells-come-before-f1", doorbells_come_before_f1),
		TEST("S3-37.the-driver-reports-by-interrupt", the_driver_reports_by_interrupt),
		TEST("S3-37.other-states-are-not-f1", other_states_are_not_f1),
		TEST("S3-39.connecting-brings-f0-first", connecting_brings_f0_first),
		TEST("S3-39.connecting-calls-the-transition-off",
		     connecting_calls_the_transition_off),
		TEST("S3-40,S3-51.an-engine-with-work-is-not-idle",
		     an_engine_with_work_is_not_idle),
		TEST("S3-40.a-sleeper-keeps-its-engine", a_sleeper_keeps_its_engine),
		TEST("S3-39.submission-and-resumption-bring-f0",
		     submission_and_resumption_bring_f0),
		TEST("S3-39,S3-40.packets-keep-their-engine", packets_keep_their_engine),
		TEST("S3-38.a-packet-of-a-lost-queue-keeps-its-engine",
		     a_packet_of_a_lost_queue_keeps_its_engine),
		TEST("S3-38.a-component-that-fails", a_component_that_fails),
		TEST("S3-42,S3-43.d3-comes-last", d3_comes_last),
		TEST("S3-42.packets-sleep", packets_sleep),
		TEST("S3-44,S3-45,S3-46.connecting-wakes-the-device", connecting_wakes_the_device),
		TEST("S3-39,S3-45.both-states-at-once", both_states_at_once),
		TEST("S3-45.who-was-suspended-before-stays-so", who_was_suspended_before_stays_so),
		TEST("S3-43.local-memory-is-restored", local_memory_is_restored),
		TEST("device.waits-go-on-in-d3", waits_go_on_in_d3),
		TEST("device.a-signal-wakes-the-device", a_signal_wakes_the_device),
		TEST("device.interrupts-in-d3-are-not-served", interrupts_in_d3_are_not_served),
		TEST("A-8,S3-43.an-engine-that-does-not-let-go", an_engine_that_does_not_let_go),
		TEST("S3-44.a-device-that-does-not-come-back", a_device_that_does_not_come_back),
	};

	return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
