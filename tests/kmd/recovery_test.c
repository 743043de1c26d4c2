// SPDX-License-Identifier: Apache-2.0
/* Recovery from hangs: what the graphics kernel asks of a miniport, when, and what it
 * does not take from it. The clock is the test's. */
#include <string.h>

#include "base/adapter.h"
#include "scheduling/node.h"
#include "fake.h"

#define SECOND 1000000000ull

struct hang {
	struct world *world;
	struct kmd_adapter *adapter;
	u64 now;
};

static struct hang hang_new(void)
{
	struct hang hang = { .world = world_new() };

	hang.adapter = hang.world->device->adapter;
	return hang;
}

static void tick(struct hang *hang, u64 later)
{
	hang->now += later;
	rf_hosted_watch_progress(hang->world->device, hang->now);
}

static u32 calls(const struct hang *hang, enum fake_call call)
{
	return hang->world->fake.calls[call];
}

/* What an observer was told, and what was true then. */
struct observed {
	struct hang *hang;
	u32 hangs, resets, asked, gone;
	u32 node;
	char dump[4096];
};

static void observe_hang(void *argument, u32 node)
{
	struct observed *observed = argument;
	size_t used = kmd_adapter_dump_hang(observed->hang->adapter, false, observed->dump,
					    sizeof(observed->dump) - 1);

	assert_int_equal(calls(observed->hang, FAKE_RESET_HW_ENGINE), observed->resets);
	assert_in_range(used, 1, sizeof(observed->dump) - 1);
	observed->hangs++;
	observed->node = node;
}

static void observe_reset(void *argument, u32 node, int result)
{
	struct observed *observed = argument;

	observed->resets++;
	assert_int_equal(calls(observed->hang, FAKE_RESET_HW_ENGINE), observed->resets);
	assert_int_equal(node, observed->node);
	assert_int_equal(result, 0);
}

static void observe_preempt(void *argument, struct rf_file *file, u32 queue, u32 node, bool done)
{
	struct observed *observed = argument;

	(void)queue;
	assert_ptr_equal(file, observed->hang->world->file);
	assert_int_equal(node, 1);
	observed->asked += !done;
	observed->gone += done;
}

static const struct kmd_observer observer = {
	.hang = observe_hang,
	.reset = observe_reset,
	.preempt = observe_preempt,
};

/* Position in the diary of the first such call. */
static u32 first(const struct hang *hang, enum fake_call call)
{
	const struct fake *fake = &hang->world->fake;
	u32 i;

	for (i = 0; i < fake->diary_length; i++)
		if (fake->diary[i] == call)
			return i;
	return U32_MAX;
}

/* A user-mode queue that is on the device, and says that it has work. */
static struct drm_ringfence_queue_create busy_queue(struct rf_file *file, u32 node)
{
	struct rig rig = make_rig(file, node);
	struct drm_ringfence_doorbell_connect connect = { .handle = rig.doorbell.handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect), 0);
	rf_write_once64(map(file, rig.queue.last_queued_mmap_offset), 1);
	return rig.queue;
}

static int status_error(struct rf_file *file, u32 queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return (int)status.error;
}

/* A queue of packets, and some in it. */
static u32 submit_packets(struct rf_file *file, u32 node, u32 count)
{
	struct drm_ringfence_queue_submit request = {
		.queue = make_packet_queue(file, node, 0).handle,
		.memory = make_memory(file, 4096, 0).handle,
		.size = 8,
	};

	while (count--)
		assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_SUBMIT, &request), 0);
	return request.queue;
}

static struct rf_file *another_process(struct hang *hang)
{
	struct rf_file *file;

	assert_int_equal(rf_hosted_open(hang->world->device, &file), 0);
	return file;
}

/* --- the watch ------------------------------------------------------------------------- */

static void asked_then_reset(void **state)
{
	struct hang hang = hang_new();
	struct fake *fake = &hang.world->fake;
	struct rf_file *innocent = another_process(&hang);
	struct drm_ringfence_queue_create guilty = busy_queue(hang.world->file, 1);
	struct drm_ringfence_queue_create other, beside;
	struct fake_queue *late;

	(void)state;
	fake->on_engine = fake_last_queue(fake);
	other = busy_queue(innocent, 1);
	beside = make_queue(hang.world->file, 0);
	fake->hung = 1u << 1;
	tick(&hang, 0);
	tick(&hang, 2 * SECOND - 1);
	assert_int_equal(calls(&hang, FAKE_EVICT), 0);
	tick(&hang, 1); /* S3-36: 2 s */
	assert_int_equal(calls(&hang, FAKE_EVICT), 2); /* both of the node */
	assert_true(fake->on_engine->leaving);
	/* no queue comes in meanwhile */
	busy_queue(innocent, 1);
	late = fake_last_queue(fake);
	fake_ring(fake, late);
	assert_false(late->resident);
	tick(&hang, 2 * SECOND - 1);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 0);
	tick(&hang, 1);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 1);
	assert_int_equal(calls(&hang, FAKE_RESUME_HW_ENGINE), 1);
	assert_int_equal(calls(&hang, FAKE_RESET_ENGINE), 0);
	assert_int_equal(calls(&hang, FAKE_RESET_ADAPTER), 0);
	assert_true(first(&hang, FAKE_EVICT) < first(&hang, FAKE_RESET_HW_ENGINE));
	/* the guilty process is lost, and no other */
	assert_int_equal(status_error(hang.world->file, guilty.handle),
			 RF_QUEUE_ERROR_ENGINE_RESET);
	assert_int_equal(status_error(hang.world->file, beside.handle),
			 RF_QUEUE_ERROR_ENGINE_RESET);
	assert_int_equal(status_error(innocent, other.handle), 0);
	rf_hosted_close(innocent);
	world_destroy(hang.world);
}

/* A dump shows the hang, not what the reset left of it. */
static void observer_is_told_before_the_reset(void **state)
{
	struct hang hang = hang_new();
	struct observed observed = { .hang = &hang };
	struct fake *fake = &hang.world->fake;

	(void)state;
	kmd_adapter_observe(hang.adapter, &observer, &observed);
	busy_queue(hang.world->file, 1);
	fake->on_engine = fake_last_queue(fake);
	busy_queue(hang.world->file, 1);
	fake->hung = 1u << 1;
	tick(&hang, 0);
	tick(&hang, 2 * SECOND);
	assert_int_equal(observed.asked, 2);
	assert_int_equal(observed.hangs, 0);
	fake_preempted(fake, fake_last_queue(fake), NULL, 0);
	assert_int_equal(observed.gone, 1);
	tick(&hang, 2 * SECOND);
	assert_int_equal(observed.hangs, 1);
	assert_int_equal(observed.resets, 1);
	assert_int_equal(observed.node, 1);
	assert_non_null(strstr(observed.dump, "preempting 1"));
	kmd_adapter_observe(hang.adapter, NULL, NULL);
	world_destroy(hang.world);
}

/* It answers, and gets nowhere: it waits for a fence, say. */
static void who_waits_is_left_alone(void **state)
{
	struct hang hang = hang_new();
	u32 i;

	(void)state;
	busy_queue(hang.world->file, 1);
	for (i = 0; i < 20; i++)
		tick(&hang, SECOND);
	assert_int_equal(calls(&hang, FAKE_EVICT), 0);
	world_destroy(hang.world);
}

/* Words of a process: progress that it makes up, work that it says it has or has not. */
static void words_postpone_nothing(void **state)
{
	u32 way;

	(void)state;
	for (way = 0; way < 3; way++) {
		struct hang hang = hang_new();
		struct fake *fake = &hang.world->fake;
		struct drm_ringfence_queue_create queue = busy_queue(hang.world->file, 1);
		u64 *last_queued = map(hang.world->file, queue.last_queued_mmap_offset);
		u32 i;

		fake->hung = 1u << 1;
		for (i = 0; i < 5; i++) {
			assert_int_equal(calls(&hang, FAKE_EVICT), 0);
			if (way)
				fake_signal(fake, fake_last_fence(fake), i + 1);
			rf_write_once64(last_queued, way == 1 ? i + 2 : 0);
			tick(&hang, SECOND / 2);
		}
		assert_int_equal(calls(&hang, FAKE_EVICT), 1);
		world_destroy(hang.world);
	}
}

/* A node that has nothing is not asked, whatever its engine does for others. */
static void nobody_is_on_the_node(void **state)
{
	struct hang hang = hang_new();
	u32 i;

	(void)state;
	make_queue(hang.world->file, 1); /* without a ring */
	hang.world->fake.hung = 1u << 1;
	for (i = 0; i < 9; i++)
		tick(&hang, SECOND);
	assert_int_equal(calls(&hang, FAKE_ENGINE_STATUS), 0);
	assert_int_equal(world_statistics(hang.world).preemption_requests, 0);
	world_destroy(hang.world);
}

static void another_delay(void **state)
{
	struct hang hang = hang_new();

	(void)state;
	busy_queue(hang.world->file, 0);
	rf_hosted_set_tdr_delay(hang.world->device, 10 * SECOND);
	hang.world->fake.hung = 1;
	tick(&hang, 0);
	tick(&hang, 10 * SECOND - 1);
	assert_int_equal(calls(&hang, FAKE_EVICT), 0);
	tick(&hang, 1);
	assert_int_equal(calls(&hang, FAKE_EVICT), 1);
	world_destroy(hang.world);
}

static void answer_ends_it(void **state)
{
	struct hang hang = hang_new();
	struct fake *fake = &hang.world->fake;
	u32 i;

	(void)state;
	busy_queue(hang.world->file, 0);
	fake->hung = 1;
	tick(&hang, 0);
	tick(&hang, 2 * SECOND);
	assert_int_equal(world_statistics(hang.world).preemption_requests, 1);
	assert_int_equal(world_statistics(hang.world).preemptions, 0);
	fake_last_queue(fake)->has_work = true;
	fake_preempted(fake, fake_last_queue(fake), NULL, 0);
	assert_true(fake_last_queue(fake)->resident);
	tick(&hang, 2 * SECOND);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 0);
	assert_int_equal(world_statistics(hang.world).preemptions, 1);
	/* at once, again and again */
	fake->obeys = true;
	for (i = 0; i < 9; i++)
		tick(&hang, 2 * SECOND);
	assert_true(calls(&hang, FAKE_EVICT) > 2);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 0);
	world_destroy(hang.world);
}

static void hung_is_acted_on_at_once(void **state)
{
	struct hang hang = hang_new();
	struct fake *fake = &hang.world->fake;
	struct drm_ringfence_queue_create queue = busy_queue(hang.world->file, 2 - 1);

	(void)state;
	tick(&hang, 5 * SECOND);
	fake->hung = 1u << 1;
	fake_engine_state(fake, 1, RF_ENGINE_HUNG);
	status_error(hang.world->file, queue.handle); /* work is done behind a request */
	assert_int_equal(calls(&hang, FAKE_EVICT), 1);
	fake_engine_state(fake, 1, RF_ENGINE_HUNG);
	status_error(hang.world->file, queue.handle);
	assert_int_equal(calls(&hang, FAKE_EVICT), 1);
	tick(&hang, SECOND); /* the delay begins here */
	tick(&hang, 2 * SECOND - 1);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 0);
	tick(&hang, 1);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 1);
	world_destroy(hang.world);
}

/* --- rules that a miniport may break --------------------------------------------------------- */

static void hang_nodes(struct hang *hang, u32 nodes)
{
	hang->world->fake.hung = nodes;
	tick(hang, 0); /* how far it is */
	tick(hang, 0); /* no further */
	tick(hang, 2 * SECOND);
	tick(hang, 2 * SECOND);
}

static void hang_node(struct hang *hang, u32 node)
{
	hang_nodes(hang, 1u << node);
}

static void group_of_engines(void **state)
{
	struct hang hang = hang_new();
	struct rf_file *other;

	(void)state;
	busy_queue(hang.world->file, 1);
	hang.world->fake.group = 6;
	hang_node(&hang, 1);
	/* node 2 does not hang */
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 1);
	assert_int_equal(calls(&hang, FAKE_RESET_ENGINE), 0);
	world_destroy(hang.world);

	hang = hang_new();
	busy_queue(hang.world->file, 1);
	other = another_process(&hang);
	submit_packets(other, 2, 1);
	hang.world->fake.group = 6;
	hang_nodes(&hang, 6);
	/* the kernel schedules node 2 */
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 1);
	assert_int_equal(calls(&hang, FAKE_RESET_ENGINE), 1);
	assert_false(hang.adapter->wedged);
	rf_hosted_close(other);
	world_destroy(hang.world);

	hang = hang_new();
	busy_queue(hang.world->file, 1);
	hang.world->fake.group = 4;
	hang_node(&hang, 1);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 0);
	assert_true(hang.adapter->wedged);
	world_destroy(hang.world);
}

static void interrupt_of_node(struct fake *fake)
{
	fake_engine_state(fake, 1, RF_ENGINE_ACTIVE);
}

static void interrupt_before_resume(void **state)
{
	struct hang hang = hang_new();
	struct kmd_adapter *adapter = hang.adapter;

	(void)state;
	busy_queue(hang.world->file, 1);
	/* inside reset_hw_engine the engine may still report */
	hang.world->fake.during_reset = interrupt_of_node;
	hang_node(&hang, 1);
	assert_false(adapter->wedged);
	/* when it has returned, not */
	adapter->nodes[1].stopped = true;
	interrupt_of_node(&hang.world->fake);
	assert_true(adapter->wedged);
	world_destroy(hang.world);
}

static void aborted_id_out_of_range(void **state)
{
	static const struct {
		u32 aborted;
		bool fatal;
	} cases[] = { { 1, true }, { 2, false }, { 3, false }, { 4, false }, { 5, true } };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct hang hang = hang_new();
		struct fake *fake = &hang.world->fake;

		submit_packets(hang.world->file, 1, 4);
		fake_complete_packet(fake, 1);
		fake_complete_packet(fake, 1);
		fake->last_aborted = cases[i].aborted;
		hang_node(&hang, 1);
		assert_int_equal(calls(&hang, FAKE_PREEMPT), 1);
		assert_int_equal(calls(&hang, FAKE_RESET_ENGINE), 1);
		assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 0);
		assert_int_equal(hang.adapter->wedged, cases[i].fatal);
		world_destroy(hang.world);
	}
}

static void node_that_does_not_exist(void **state)
{
	struct hang hang = hang_new();

	(void)state;
	fake_engine_state(&hang.world->fake, FAKE_NODES, RF_ENGINE_HUNG);
	assert_true(hang.adapter->wedged);
	world_destroy(hang.world);
}

/* --- submission fence ids ------------------------------------------------------------------------ */

static void last_completed_advances(void **state)
{
	struct hang hang = hang_new();
	struct rf_file *file = hang.world->file, *other = another_process(&hang);
	struct fake *fake = &hang.world->fake;
	const struct kmd_node *node = &hang.adapter->nodes[1];
	u32 first_queue, second_queue;

	(void)state;
	first_queue = submit_packets(file, 1, 2); /* 1, 2 */
	second_queue = submit_packets(other, 1, 2); /* 3, 4 */
	assert_int_equal(node->last_submitted_id, 4);
	assert_int_equal(node->last_completed_id, 0);
	fake_complete_packet(fake, 1);
	assert_int_equal(node->last_completed_id, 1);
	/* a preemption completes nothing; the rest gets new ids: 6 to 8 */
	fake->hung = 1u << 1;
	tick(&hang, 0);
	tick(&hang, 0);
	tick(&hang, 2 * SECOND);
	assert_int_equal(calls(&hang, FAKE_PREEMPT), 1);
	fake_answer_preemption(fake, 1);
	assert_int_equal(node->last_completed_id, 1);
	assert_int_equal(node->last_submitted_id, 8);
	/* the reset of the engine: up to what it reports */
	fake->last_aborted = 6;
	hang_node(&hang, 1);
	assert_int_equal(calls(&hang, FAKE_RESET_ENGINE), 1);
	assert_int_equal(status_error(file, first_queue), RF_QUEUE_ERROR_ENGINE_RESET);
	assert_int_equal(status_error(other, second_queue), 0);
	assert_int_equal(node->last_completed_id, 6);
	/* the reset of the adapter: nothing is left to complete */
	fake->fail = FAKE_RESET_ENGINE;
	hang_node(&hang, 1);
	assert_int_equal(calls(&hang, FAKE_RESET_ADAPTER), 1);
	assert_int_equal(calls(&hang, FAKE_RESTART_ADAPTER), 1);
	assert_int_equal(node->depth, 0);
	assert_int_equal(node->last_completed_id, 6);
	assert_int_equal(status_error(other, second_queue), RF_QUEUE_ERROR_ENGINE_RESET);
	fake->fail = FAKE_CALLS;
	rf_hosted_close(other);
	world_destroy(hang.world);
}

/* --- the adapter ------------------------------------------------------------------------------------ */

static void hang_adapter(struct hang *hang)
{
	struct rf_file *file = another_process(hang);

	busy_queue(file, 0);
	hang->world->fake.fail = FAKE_RESUME_HW_ENGINE;
	hang_node(hang, 0);
	hang->world->fake.fail = FAKE_CALLS;
	rf_hosted_close(file);
}

static void sixth_hang_in_a_minute(void **state)
{
	struct hang hang = hang_new();
	u32 i;

	(void)state;
	/* engine resets do not count */
	busy_queue(hang.world->file, 1);
	fake_last_queue(&hang.world->fake)->has_work = true;
	for (i = 0; i < 10; i++)
		hang_node(&hang, 1);
	assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 10);
	/* each takes 4 s: the first and the sixth are 60 s apart, and so on */
	for (i = 0; i < 12; i++) {
		hang_adapter(&hang);
		hang.now += 8 * SECOND;
	}
	assert_int_equal(calls(&hang, FAKE_RESET_ADAPTER), 12);
	assert_false(hang.adapter->wedged);
	/* one second less: the sixth ends it */
	hang.now += 60 * SECOND;
	for (i = 0; i < 5; i++) {
		hang_adapter(&hang);
		hang.now += 8 * SECOND - SECOND / 4;
	}
	assert_int_equal(calls(&hang, FAKE_RESET_ADAPTER), 17);
	assert_false(hang.adapter->wedged);
	hang_adapter(&hang);
	assert_int_equal(calls(&hang, FAKE_RESET_ADAPTER), 17);
	assert_true(hang.adapter->wedged);
	world_destroy(hang.world);
}

static void reset_that_fails_is_fatal(void **state)
{
	static const enum fake_call parts[] = { FAKE_RESET_ADAPTER, FAKE_RESTART_ADAPTER };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		struct hang hang = hang_new();
		struct fake *fake = &hang.world->fake;
		u32 event;

		event = wait_event(hang.world->file, make_default(hang.world->file, 0), 1);
		hang.adapter->caps.support_per_engine_tdr = false;
		busy_queue(hang.world->file, 0);
		fake->fail = parts[i];
		hang_node(&hang, 0);
		assert_int_equal(calls(&hang, FAKE_RESET_HW_ENGINE), 0);
		assert_int_equal(calls(&hang, FAKE_RESET_ADAPTER), 1);
		assert_true(hang.adapter->wedged);
		assert_int_not_equal(look(hang.world->file, event), -ETIMEDOUT);
		fake->fail = FAKE_CALLS;
		world_destroy(hang.world);
	}
}

/* --- fences of a lost process ----------------------------------------------------------------------------- */

static void fences_get_their_greatest_value(void **state)
{
	struct hang hang = hang_new();
	struct fake *fake = &hang.world->fake;
	struct rf_file *file = hang.world->file;
	u32 native = make_default(file, 5);
	struct fake_fence *hw = fake_last_fence(fake);
	u32 monitored = make_fence(file, DRM_RINGFENCE_FENCE_MONITORED, 0, 5).handle;
	u32 kept = make_fence(file, DRM_RINGFENCE_FENCE_MONITORED,
			      DRM_RINGFENCE_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR, 5)
			   .handle;
	u32 kept_native = make_fence(file, DRM_RINGFENCE_FENCE_DEFAULT,
				     DRM_RINGFENCE_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR, 5)
				  .handle;
	u32 event = wait_event(file, native, 6);

	(void)state;
	busy_queue(file, 0);
	fake->on_engine = fake_last_queue(fake);
	hang_node(&hang, 0);
	assert_true(fake->always_signaled);
	/* a wait that has begun, and one that begins now */
	assert_int_equal(wait_fence(file, native, U64_MAX, 0), 0);
	assert_int_equal(wait_fence(file, monitored, U64_MAX, 0), 0);
	assert_int_equal(wait_fence(file, kept, 6, 0), -ETIMEDOUT);
	assert_int_equal(wait_fence(file, kept_native, 6, 0), -ETIMEDOUT);
	assert_int_equal(look(file, event), 0);
	/* a signal by an engine interrupts, and is undone; one by a CPU is none */
	fake_signal(fake, hw, 7);
	assert_true(fake_current(fake, hw) == U64_MAX);
	assert_int_equal(signal_fence(file, native, 8), 0);
	assert_true(fake_current(fake, hw) == U64_MAX);
	world_destroy(hang.world);
}

/* Another process that has the fence. */
struct sharer {
	struct rf_file *file;
	struct drm_ringfence_fence_open open;
	void *h_process;
	const u64 *value; /* as its CPU sees it */
};

static struct sharer share(struct hang *hang, const struct drm_ringfence_fence_create *fence)
{
	struct sharer sharer = { .open.share_token = fence->share_token };
	const struct fake_mapping *mapping;

	assert_int_equal(rf_hosted_open(hang->world->device, &sharer.file), 0);
	assert_int_equal(rf_hosted_request(sharer.file, DRM_RINGFENCE_FENCE_OPEN, &sharer.open), 0);
	rf_list_for_each(mapping, &hang->world->fake.mappings, link)
		if (mapping->address / 4096 == sharer.open.mapping.current_value_gpu_address / 4096)
			sharer.h_process = mapping->h_process;
	sharer.value =
		(const u64 *)((const char *)map(sharer.file,
						sharer.open.mapping.current_value_mmap_offset) +
			      sharer.open.mapping.current_value_page_offset);
	return sharer;
}

static u64 seen_by_engine(struct hang *hang, const struct sharer *sharer)
{
	u64 value = 0;

	assert_int_equal(fake_gpu_read(&hang->world->fake, sharer->h_process,
				       sharer->open.mapping.current_value_gpu_address, &value),
			 0);
	return value;
}

/* Engines of other processes that share the fence continue, and signal it. */
static void signals_do_not_touch_storage(void **state)
{
	static const u32 types[] = { DRM_RINGFENCE_FENCE_DEFAULT, DRM_RINGFENCE_FENCE_MONITORED };
	struct hang hang;
	struct fake *fake;
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		struct drm_ringfence_fence_create fence;
		struct sharer before, after;
		void *core;

		hang = hang_new();
		fake = &hang.world->fake;
		fence = make_fence(hang.world->file, types[i], DRM_RINGFENCE_FENCE_SHARED, 5);
		core = types[i] == DRM_RINGFENCE_FENCE_DEFAULT ? fake_last_fence(fake)->core : NULL;
		before = share(&hang, &fence);
		busy_queue(hang.world->file, 0);
		fake->on_engine = fake_last_queue(fake);
		hang_node(&hang, 0);
		after = share(&hang, &fence);
		assert_true(*before.value == U64_MAX);
		assert_true(seen_by_engine(&hang, &before) == U64_MAX);

		assert_int_equal(fake_gpu_write(fake, before.h_process,
						before.open.mapping.current_value_gpu_address, 7),
				 0);
		assert_true(*before.value == U64_MAX);
		assert_true(*after.value == U64_MAX);
		/* its waits see it until the interrupt that MonitoredValue 0 brings */
		assert_int_equal(seen_by_engine(&hang, &after), 7);
		if (core)
			fake_report_handle(fake, core);
		else
			fake_store_and_interrupt(fake, after.h_process,
						 after.open.mapping.current_value_gpu_address, 8);
		assert_true(seen_by_engine(&hang, &before) == U64_MAX);
		rf_hosted_close(before.file);
		rf_hosted_close(after.file);
		world_destroy(hang.world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S3-36,S4-2,S4-3.asked-then-reset", asked_then_reset),
		TEST("an-observer-is-told-before-the-reset", observer_is_told_before_the_reset),
		TEST("S3-36.who-waits-is-left-alone", who_waits_is_left_alone),
		TEST("S3-36.words-of-a-process-postpone-nothing", words_postpone_nothing),
		TEST("S3-36.a-node-without-anybody-is-not-asked", nobody_is_on_the_node),
		TEST("S3-36.another-delay", another_delay),
		TEST("S4-2.an-answer-ends-it", answer_ends_it),
		TEST("S3-41.hung-is-acted-on-at-once", hung_is_acted_on_at_once),
		TEST("A-4.a-group-is-reset-and-has-the-node", group_of_engines),
		TEST("A-5.no-interrupt-before-resume", interrupt_before_resume),
		TEST("A-3.aborted-id-out-of-range-is-fatal", aborted_id_out_of_range),
		TEST("interrupt-of-no-node-is-fatal", node_that_does_not_exist),
		TEST("A-2.last-completed-advances-in-three-situations", last_completed_advances),
		TEST("A-17.the-sixth-hang-in-a-minute", sixth_hang_in_a_minute),
		TEST("a-reset-that-fails-is-fatal", reset_that_fails_is_fatal),
		TEST("A-10,A-11.fences-get-their-greatest-value", fences_get_their_greatest_value),
		TEST("A-10.signals-do-not-touch-storage", signals_do_not_touch_storage),
	};

	return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
