// SPDX-License-Identifier: Apache-2.0
/* Fence logs, and the interrupt that names a queue. */
#include <string.h>

#include "fake.h"

struct trace {
	struct rf_log_entry entries[8192];
	u32 queues[8192];
	u32 types[8192];
	u32 count;
	u32 lost;
};

static void on_event(void *argument, const struct kmd_log_event *event)
{
	struct trace *trace = argument;

	if (event->lost) {
		trace->lost++;
		return;
	}
	assert_true(trace->count < ARRAY_SIZE(trace->entries));
	trace->entries[trace->count] = *event->entry;
	trace->queues[trace->count] = event->queue;
	trace->types[trace->count++] = event->type;
}

/* A world with a fence and a queue, traced, with logs of a page. */
struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *file;
	struct drm_ringfence_queue_create queue;
	struct fake_queue *hw_queue;
	u32 fence;
	struct fake_fence *hw;
	struct trace *trace;
};

static void trace(struct scene *scene)
{
	kmd_adapter_trace(scene->world->device->adapter, on_event, scene->trace);
}

static struct scene scene_new(bool optimized)
{
	struct scene scene = { .world = world_create() };

	scene.fake = &scene.world->fake;
	if (optimized)
		scene.fake->caps.scheduling_caps |=
			RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	world_start(scene.world);
	scene.file = scene.world->file;
	scene.queue = make_queue(scene.file, 0);
	scene.hw_queue = fake_last_queue(scene.fake);
	scene.fence = make_default(scene.file, 0);
	scene.hw = fake_last_fence(scene.fake);
	scene.trace = calloc(1, sizeof(*scene.trace));
	/* where there is no memory to enlarge them, logs stay as they are */
	scene.fake->bus.no_memory = true;
	trace(&scene);
	scene.fake->bus.no_memory = false;
	return scene;
}

static void scene_end(struct scene *scene)
{
	struct trace *trace = scene->trace;

	world_destroy(scene->world);
	free(trace);
}

static void signal_logged(struct scene *scene, u64 value)
{
	fake_signal_logged(scene->fake, scene->hw_queue, scene->hw, scene->fence, value);
}

/* Make the core look at the logs: a fence interrupt of no consequence. */
static void kick(struct scene *scene)
{
	fake_report_handle(scene->fake, scene->hw->core);
}

/* --- buffers --------------------------------------------------------------------------- */

static void two_logs_of_a_page(void **state)
{
	struct scene scene = scene_new(false);
	const struct rf_set_native_fence_log_buffer *waits =
		&scene.hw_queue->logs[RF_LOG_TYPE_WAITS - 1].arguments;
	const struct rf_set_native_fence_log_buffer *signals =
		&scene.hw_queue->logs[RF_LOG_TYPE_SIGNALS - 1].arguments;
	u64 value;

	(void)state;
	assert_int_equal(scene.fake->calls[FAKE_SET_LOG], 2);
	assert_int_equal(scene.queue.log.wait_log_number_of_entries, 84);
	assert_int_equal(scene.queue.log.signal_log_number_of_entries, 84);
	assert_int_equal(waits->number_of_entries, 84);
	assert_int_equal(waits->log_buffer_cpu_va.mem->bytes, 4096);
	assert_ptr_not_equal(waits->log_buffer_cpu_va.mem, signals->log_buffer_cpu_va.mem);
	/* CPU, process and system address are the same memory (S0-102) */
	assert_int_equal(fake_gpu_write(scene.fake, NULL,
					signals->log_buffer_system_process_gpu_va + 40, 0x5a),
			 0);
	assert_int_equal(fake_gpu_read(scene.fake, scene.hw_queue->context->arguments.h_process,
				       scene.queue.log.signal_log_gpu_address + 40, &value),
			 0);
	assert_int_equal(value, 0x5a);
	assert_int_equal(rf_mem_read64(signals->log_buffer_cpu_va.mem, 40), 0x5a);
	scene_end(&scene);
}

static void user_mode_cannot_map_it(void **state)
{
	struct scene scene = scene_new(false);
	void *log = scene.hw_queue->logs[0].arguments.log_buffer_cpu_va.mem->cpu;
	void *pointer;
	u64 offset;
	u32 mapped = 0;

	(void)state;
	rf_mem_write64(scene.hw_queue->logs[0].arguments.log_buffer_cpu_va.mem, 4088, 0x10661066);
	for (offset = 0; offset < 256 * 4096; offset += 4096)
		if (!rf_hosted_map(scene.file, offset, &pointer)) {
			mapped++;
			assert_ptr_not_equal(pointer, log);
			assert_int_not_equal(rf_read_once64((u64 *)((char *)pointer + 4088)),
					     0x10661066);
		}
	assert_int_equal(mapped, 2); /* CurrentValues, last-queued word */
	scene_end(&scene);
}

#define LARGE ((65536 - 40) / 48)

/* As user mode sees it. */
static u64 log_entries(const struct scene *scene)
{
	return ((const u64 *)map(scene->file, scene->queue.last_queued_mmap_offset))[1];
}

static void larger_logs_while_tracing(void **state)
{
	struct scene scene = scene_new(false);
	struct rf_set_native_fence_log_buffer *log = &scene.hw_queue->logs[0].arguments;
	struct drm_ringfence_queue_create traced = make_queue(scene.file, 0);
	struct drm_ringfence_queue_create plain;

	(void)state;
	assert_int_equal(traced.log.signal_log_number_of_entries, LARGE);
	assert_int_equal(log_entries(&scene), 84);
	trace(&scene);
	assert_int_equal(log_entries(&scene), LARGE);
	assert_int_equal(log->number_of_entries, LARGE);
	assert_int_equal(log->log_buffer_cpu_va.mem->bytes, 65536);
	assert_int_equal(scene.fake->calls[FAKE_SET_LOG], 6); /* S0-103 */
	trace(&scene); /* once is enough */
	assert_int_equal(scene.fake->calls[FAKE_SET_LOG], 6);

	/* numbers that were in use mean what they did */
	kmd_adapter_trace(scene.world->device->adapter, NULL, NULL);
	assert_int_equal(log_entries(&scene), LARGE);
	plain = make_queue(scene.file, 0);
	assert_int_equal(plain.log.signal_log_number_of_entries, 84);
	scene_end(&scene);
}

static void tracing_begins_in_d3(void **state)
{
	struct scene scene = scene_new(false);
	struct kmd_adapter *adapter = scene.world->device->adapter;
	u32 set = scene.fake->calls[FAKE_SET_LOG];

	(void)state;
	assert_int_equal(kmd_adapter_sleep(adapter), 0);
	trace(&scene);
	assert_int_equal(scene.fake->calls[FAKE_SET_LOG], set);
	assert_int_equal(log_entries(&scene), 84);
	assert_int_equal(kmd_adapter_wake(adapter), 0);
	assert_int_equal(log_entries(&scene), LARGE);
	scene_end(&scene);
}

static void numbers_go_on_in_a_larger_log(void **state)
{
	struct scene scene = scene_new(false);
	u32 i;

	(void)state;
	trace(&scene);
	/* what was recorded before does not begin at 0, and ends where the old log did */
	fake_log_set_word(scene.hw_queue, RF_LOG_TYPE_SIGNALS, 70);
	for (i = 1; i <= 14; i++)
		signal_logged(&scene, i);
	kick(&scene);
	fake_log_set_word(scene.hw_queue, RF_LOG_TYPE_SIGNALS, 1ull << 32);
	for (i = 15; i <= 20; i++)
		signal_logged(&scene, i);
	kick(&scene);
	assert_int_equal(scene.trace->lost, 0);
	assert_int_equal(scene.trace->count, 20);
	for (i = 0; i < 20; i++)
		assert_int_equal(scene.trace->entries[i].fence_value, i + 1);
	scene_end(&scene);
}

static void lost_only_beyond_a_large_log(void **state)
{
	struct scene scene = scene_new(false);
	u64 value = 0;

	(void)state;
	trace(&scene);
	while (value < LARGE)
		signal_logged(&scene, ++value);
	kick(&scene);
	assert_int_equal(scene.trace->lost, 0);
	assert_int_equal(scene.trace->count, LARGE);
	while (value < 2 * LARGE + 1)
		signal_logged(&scene, ++value);
	kick(&scene);
	assert_int_equal(scene.trace->lost, 1);
	scene_end(&scene);
}

/* --- signals while the log is enlarged --- */

struct enlargement {
	struct scene scene;
	u32 at, points;
	u64 value;
};

static void between(void *argument)
{
	struct enlargement *run = argument;

	if (run->points++ == run->at)
		signal_logged(&run->scene, ++run->value);
}

/* Returns how many points there were. */
static u32 enlarge_once(u32 at)
{
	struct enlargement run = { .scene = scene_new(false), .at = at };
	u32 i;

	for (i = 0; i < 3; i++)
		signal_logged(&run.scene, ++run.value);
	run.scene.fake->bus.between = between;
	run.scene.fake->bus.between_argument = &run;
	trace(&run.scene);
	run.scene.fake->bus.between = NULL;
	for (i = 0; i < 3; i++)
		signal_logged(&run.scene, ++run.value);
	kick(&run.scene);
	assert_int_equal(run.scene.trace->lost, 0);
	assert_int_equal(run.scene.trace->count, run.value);
	for (i = 0; i < run.value; i++)
		assert_int_equal(run.scene.trace->entries[i].fence_value, i + 1);
	scene_end(&run.scene);
	return run.points;
}

static void none_is_lost_while_it_grows(void **state)
{
	u32 points = enlarge_once(U32_MAX), at;

	(void)state;
	assert_true(points > 4);
	for (at = 0; at < points; at++)
		enlarge_once(at);
}

/* --- reading ------------------------------------------------------------------------------ */

static void entries_in_order(void **state)
{
	struct scene scene = scene_new(false);
	u32 i;

	(void)state;
	for (i = 1; i <= 50; i++)
		signal_logged(&scene, i);
	assert_int_equal(scene.trace->count, 0); /* no waiter: the log is not read */
	kick(&scene);
	assert_int_equal(scene.trace->count, 50);
	for (i = 0; i < 50; i++) {
		assert_int_equal(scene.trace->entries[i].fence_value, i + 1);
		assert_int_equal(scene.trace->entries[i].fence_handle, scene.fence);
		assert_int_equal(scene.trace->entries[i].operation_type,
				 RF_LOG_OPERATION_SIGNAL_EXECUTED);
		assert_int_equal(scene.trace->queues[i], scene.queue.handle);
		assert_int_equal(scene.trace->types[i], RF_LOG_TYPE_SIGNALS);
	}
	kick(&scene);
	assert_int_equal(scene.trace->count, 50); /* each once */
	scene_end(&scene);
}

static void around_the_end(void **state)
{
	/* batches that end before, at and behind the end of the buffer, many times */
	struct scene scene = scene_new(false);
	u64 value = 0;
	u32 batch;

	(void)state;
	for (batch = 1; batch <= 84; batch++) {
		u32 i;

		for (i = 0; i < batch; i++)
			signal_logged(&scene, ++value);
		kick(&scene);
		assert_int_equal(scene.trace->count, value);
		assert_int_equal(scene.trace->entries[value - 1].fence_value, value);
	}
	assert_int_equal(scene.trace->lost, 0);
	assert_int_equal(world_statistics(scene.world).log_overruns, 0);
	scene_end(&scene);
}

static void overrun_is_more_than_a_log(void **state)
{
	static const struct {
		u32 before, burst;
		bool overrun;
	} cases[] = {
		{ 0, 83, false }, { 0, 84, false }, { 0, 85, true },   { 83, 84, false },
		{ 83, 85, true }, { 1, 168, true }, { 10, 840, true },
	};
	u32 i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scene scene = scene_new(false);
		u64 value = 0;

		for (j = 0; j < cases[i].before; j++)
			signal_logged(&scene, ++value);
		kick(&scene);
		for (j = 0; j < cases[i].burst; j++)
			signal_logged(&scene, ++value);
		kick(&scene);
		assert_int_equal(scene.trace->lost, cases[i].overrun);
		assert_int_equal(scene.trace->count, cases[i].overrun ? cases[i].before : value);
		/* and goes on where the device is */
		signal_logged(&scene, ++value);
		kick(&scene);
		assert_int_equal(scene.trace->entries[scene.trace->count - 1].fence_value, value);
		scene_end(&scene);
	}
}

static void wraparound_count_wraps(void **state)
{
	struct scene scene = scene_new(false);

	(void)state;
	/* bring the reader to a count of 2^32 - 1 by an overrun */
	fake_log_set_word(scene.hw_queue, RF_LOG_TYPE_SIGNALS, 0xffffffffull << 32 | 83);
	kick(&scene);
	assert_int_equal(scene.trace->lost, 1);
	signal_logged(&scene, 1); /* index 83, then count 0 */
	signal_logged(&scene, 2);
	kick(&scene);
	assert_int_equal(scene.trace->lost, 1);
	assert_int_equal(scene.trace->count, 2);
	assert_int_equal(scene.trace->entries[1].fence_value, 2);
	scene_end(&scene);
}

static void nonsense_is_harmless(void **state)
{
	/* user mode programs the indices: the word may be anything */
	static const u64 words[] = {
		84, 85, U32_MAX, U64_MAX, 0x7fffffffffffffff, 5ull << 32 | 4000000000u, 1, 0,
	};
	struct scene scene = scene_new(false);
	u32 event, i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		fake_log_set_word(scene.hw_queue, RF_LOG_TYPE_SIGNALS, words[i]);
		fake_log_set_word(scene.hw_queue, RF_LOG_TYPE_WAITS, words[i]);
		event = wait_event(scene.file, scene.fence, i + 1);
		fake_signal(scene.fake, scene.hw, i + 1);
		assert_int_equal(look(scene.file, event), 0);
	}
	scene_end(&scene);
}

/* --- what changes while it is read --- */

/*
 * The log lies behind a bus, so that each of its words that the driver reads is one call. What
 * the header says is another word every time; in entries stands anything.
 */
struct scribbler {
	struct rf_mem *log;
	/* what the header says, in turns, from the read @from on; 0 turns: the last for good */
	u64 words[3];
	u32 turns, from;
	u32 headers, entries; /* reads of both */
};

static void scribble(struct fake_bus *bus, u64 offset, void *argument)
{
	const u64 word = offsetof(struct rf_log_header, first_free_entry_index);
	struct scribbler *scribbler = argument;
	u64 place = offset - scribbler->log->address;

	if (place >= scribbler->log->bytes)
		return;
	/* entries and header, and nothing else of the page */
	assert_true(place == word || (place >= RF_LOG_HEADER_BYTES &&
				      place + 8 <= RF_LOG_HEADER_BYTES + 84 * RF_LOG_ENTRY_BYTES));
	if (place != word) {
		scribbler->entries++;
		bus->local[offset / 8] = scribbler->entries * 0x9e3779b97f4a7c15;
		return;
	}
	if (scribbler->headers >= scribbler->from) {
		u32 turn = scribbler->headers - scribbler->from;

		turn = scribbler->turns ? turn % scribbler->turns : turn > 2 ? 2 : turn;
		bus->local[offset / 8] = scribbler->words[turn];
	}
	scribbler->headers++;
}

/* A scene whose log is scribbled over while the core reads it once. */
static void read_scribbled(struct scribbler scribbler, bool optimized)
{
	struct scene scene = { .world = world_create() };

	scene.fake = &scene.world->fake;
	if (optimized)
		scene.fake->caps.scheduling_caps |=
			RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	scene.fake->bus.has_dma = false;
	world_start(scene.world);
	scene.file = scene.world->file;
	scene.queue = make_queue(scene.file, 0);
	scene.hw_queue = fake_last_queue(scene.fake);
	scene.fence = make_default(scene.file, 0);
	scene.hw = fake_last_fence(scene.fake);
	scribbler.log =
		scene.hw_queue->logs[RF_LOG_TYPE_SIGNALS - 1].arguments.log_buffer_cpu_va.mem;
	scene.fake->bus.before_read_argument = &scribbler;
	scene.fake->bus.before_read = scribble;
	scene.fake->record_queue = scene.hw_queue;
	kick(&scene);
	/* no more than a log has, whatever it says */
	assert_in_range(scribbler.headers, 1, 2 + 84);
	assert_in_range(scribbler.entries, 0, 84 * RF_LOG_ENTRY_BYTES / 8);
	/* some entries behind each place that it named: what is none was not gone to */
	scribbler.from = U32_MAX;
	fake_log_set_word(scene.hw_queue, RF_LOG_TYPE_SIGNALS, 1ull << 32 | 7);
	kick(&scene);
	scene.fake->bus.before_read = NULL;
	/* what it said does not last: the reader is somewhere in the log, and goes on */
	fake_log_set_word(scene.hw_queue, RF_LOG_TYPE_SIGNALS, 5ull << 32 | 7);
	kick(&scene);
	signal_logged(&scene, 3);
	kick(&scene);
	assert_int_equal(wait_fence(scene.file, scene.fence, 3, 0), 0);
	world_destroy(scene.world);
}

static void what_changes_while_it_is_read(void **state)
{
	static const u64 words[] = {
		0,
		1,
		83,
		84,
		100, /* behind the log, and some entries before once around and 7 */
		1ull << 32,
		1ull << 32 | 1,
		0x30000000ull << 32 | 0x40000000, /* far behind the buffer, not one entry new */
		0x80000000ull << 32 | 5, /* 2^31 times around */
		0xffffffffull << 32 | 83,
		U64_MAX,
		U32_MAX,
		0x7fffffffffffffff,
		5ull << 32 | 4000000000u,
	};
	u32 i, j, from;

	(void)state;
	for (from = 0; from < 4; from++)
		for (i = 0; i < ARRAY_SIZE(words); i++)
			for (j = 0; j < ARRAY_SIZE(words); j++)
				read_scribbled(
					(struct scribbler){ .words = { words[i], words[j], 2 },
							    .turns = 2 + (i + j) % 2,
							    .from = from },
					(i + from) % 2);
	/* a place that is none, of which the log has heard nothing when its entries are read */
	for (i = 0; i < ARRAY_SIZE(words); i++)
		for (j = 0; j < ARRAY_SIZE(words); j++)
			read_scribbled((struct scribbler){ .words = { 2, words[i], words[j] } },
				       j % 2);
}

/* The device goes on while an entry is copied, up to @word. */
struct device_goes_on {
	struct rf_mem *log;
	u64 word;
	bool done;
};

static void go_on(struct fake_bus *bus, u64 offset, void *argument)
{
	struct device_goes_on *device = argument;
	u64 place = offset - device->log->address;

	if (device->done || place < RF_LOG_HEADER_BYTES || place >= device->log->bytes)
		return;
	device->done = true;
	bus->local[(device->log->address + offsetof(struct rf_log_header, first_free_entry_index)) /
		   8] = device->word;
}

static void overwritten_while_it_is_copied(void **state)
{
	static const struct {
		u64 word;
		u32 lost;
	} cases[] = {
		{ 2, 0 },
		{ LARGE - 1, 0 },
		{ 1ull << 32, 0 }, /* the device may be at this entry: told, and looked at */
		{ 1ull << 32 | 1, 1 },
		{ 7ull << 32, 1 },
		{ LARGE, 1 }, /* no place in the log */
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct device_goes_on device = { .word = cases[i].word };
		struct scene scene = { .world = world_create() };

		scene.fake = &scene.world->fake;
		scene.fake->bus.has_dma = false;
		world_start(scene.world);
		scene.file = scene.world->file;
		scene.trace = calloc(1, sizeof(*scene.trace));
		trace(&scene);
		scene.queue = make_queue(scene.file, 0);
		scene.hw_queue = fake_last_queue(scene.fake);
		scene.fence = make_default(scene.file, 0);
		scene.hw = fake_last_fence(scene.fake);
		device.log = scene.hw_queue->logs[RF_LOG_TYPE_SIGNALS - 1]
				     .arguments.log_buffer_cpu_va.mem;
		signal_logged(&scene, 1);
		scene.fake->bus.before_read_argument = &device;
		scene.fake->bus.before_read = go_on;
		kick(&scene);
		scene.fake->bus.before_read = NULL;
		assert_true(device.done);
		assert_int_equal(scene.trace->lost, cases[i].lost);
		assert_int_equal(scene.trace->count, !cases[i].lost);
		scene_end(&scene);
	}
}

static void flushed_before_it_is_read(void **state)
{
	struct scene scene = scene_new(false);
	struct drm_ringfence_queue_create other = make_queue(scene.file, 1);

	(void)state;
	(void)other;
	signal_logged(&scene, 1);
	kick(&scene);
	/* one call, for the one queue with news */
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_LOGS], 1);
	kick(&scene);
	assert_int_equal(scene.fake->calls[FAKE_UPDATE_LOGS], 1);
	scene_end(&scene);
}

static void two_queue_example(void **state)
{
	struct scene scene = scene_new(false);
	struct drm_ringfence_queue_create a = make_queue(scene.file, 1);
	struct fake_queue *hw_a = fake_last_queue(scene.fake);
	u32 i, waits = 0, signals = 0;

	(void)state;
	scene.fake->time = 100;
	signal_logged(&scene, 1); /* on B */
	fake_log_append(scene.fake, hw_a, RF_LOG_TYPE_WAITS, scene.fence, 1, 50);
	kick(&scene);
	assert_int_equal(scene.trace->count, 2);
	for (i = 0; i < 2; i++) {
		const struct rf_log_entry *entry = &scene.trace->entries[i];

		assert_int_equal(entry->fence_value, 1);
		if (scene.trace->types[i] == RF_LOG_TYPE_WAITS) {
			waits++;
			assert_int_equal(scene.trace->queues[i], a.handle);
			assert_int_equal(entry->operation_type, RF_LOG_OPERATION_WAIT_UNBLOCKED);
			assert_true(entry->fence_observed_gpu_timestamp <=
				    entry->fence_end_gpu_timestamp);
		} else {
			signals++;
			assert_int_equal(scene.trace->queues[i], scene.queue.handle);
			assert_int_equal(entry->operation_type, RF_LOG_OPERATION_SIGNAL_EXECUTED);
		}
	}
	assert_int_equal(waits, 1);
	assert_int_equal(signals, 1);
	scene_end(&scene);
}

/* --- the optimised interrupt ------------------------------------------------------------------ */

static void queue_names_the_fences_by_its_log(void **state)
{
	/* E1..E3 needed no interrupt of their own, E4 raises one: all wake (S0-129) */
	struct scene scene = scene_new(true);
	u32 second = make_default(scene.file, 0);
	struct fake_fence *second_hw = fake_last_fence(scene.fake);
	u32 v1 = wait_event(scene.file, scene.fence, 1);
	u32 v2 = wait_event(scene.file, scene.fence, 2);
	u32 v3 = wait_event(scene.file, second, 3);
	u32 v4 = wait_event(scene.file, second, 4);

	(void)state;
	scene.fake->report = FAKE_REPORT_NOTHING;
	signal_logged(&scene, 1);
	signal_logged(&scene, 2);
	assert_int_equal(look(scene.file, v1), -ETIMEDOUT);
	scene.fake->report = FAKE_REPORT_EXACT;
	fake_signal_logged(scene.fake, scene.hw_queue, second_hw, second, 3);
	assert_int_equal(look(scene.file, v1), 0);
	assert_int_equal(look(scene.file, v2), 0);
	assert_int_equal(look(scene.file, v3), 0);
	assert_int_equal(look(scene.file, v4), -ETIMEDOUT);
	scene_end(&scene);
}

static void null_queue_reads_the_engine(void **state)
{
	struct scene scene = scene_new(true);
	struct drm_ringfence_queue_create same = make_queue(scene.file, 0);
	struct fake_queue *hw_same = fake_last_queue(scene.fake);
	struct drm_ringfence_queue_create elsewhere = make_queue(scene.file, 1);
	struct fake_queue *hw_elsewhere = fake_last_queue(scene.fake);
	u32 event = wait_event(scene.file, scene.fence, 1);

	(void)state;
	(void)same;
	(void)elsewhere;
	scene.fake->report = FAKE_REPORT_NULL; /* of node 0 */
	fake_log_append(scene.fake, hw_elsewhere, RF_LOG_TYPE_SIGNALS, scene.fence, 7, 0);
	fake_signal_logged(scene.fake, hw_same, scene.hw, scene.fence, 1);
	assert_int_equal(look(scene.file, event), 0);
	assert_int_equal(scene.trace->count, 1);
	scene_end(&scene);
}

static void overrun_falls_back_to_live_values(void **state)
{
	struct scene scene = scene_new(true);
	u32 second = make_default(scene.file, 0);
	struct fake_fence *second_hw = fake_last_fence(scene.fake);
	u32 event = wait_event(scene.file, scene.fence, 1);
	u32 i;

	(void)state;
	scene.fake->report = FAKE_REPORT_NOTHING;
	signal_logged(&scene, 1);
	/* its entry is overwritten by those of another fence */
	for (i = 1; i <= 100; i++)
		fake_signal_logged(scene.fake, scene.hw_queue, second_hw, second, i);
	scene.fake->report = FAKE_REPORT_EXACT;
	wait_event(scene.file, second, 101);
	fake_signal_logged(scene.fake, scene.hw_queue, second_hw, second, 101);
	assert_int_equal(look(scene.file, event), 0);
	assert_true(scene.trace->lost > 0);
	scene_end(&scene);
}

static void logged_values_are_hints(void **state)
{
	/* user mode logs a value that was never signalled: no waiter wakes */
	struct scene scene = scene_new(true);
	u32 event = wait_event(scene.file, scene.fence, 10);

	(void)state;
	fake_log_append(scene.fake, scene.hw_queue, RF_LOG_TYPE_SIGNALS, scene.fence, 10, 0);
	fake_log_append(scene.fake, scene.hw_queue, RF_LOG_TYPE_SIGNALS, 0xdeadbeef, 10, 0);
	scene.fake->record_queue = scene.hw_queue;
	kick(&scene);
	assert_int_equal(scene.trace->count, 2);
	assert_int_equal(look(scene.file, event), -ETIMEDOUT);
	scene_end(&scene);
}

static void logs_of_other_processes(void **state)
{
	/* handles in a log are the signaller's; a waiter elsewhere still wakes */
	struct scene scene = scene_new(true);
	struct drm_ringfence_fence_create shared =
		make_fence(scene.file, 0, DRM_RINGFENCE_FENCE_SHARED, 0);
	struct fake_fence *hw = fake_last_fence(scene.fake);
	struct drm_ringfence_fence_open open = { .share_token = shared.share_token };
	struct rf_file *other;
	u32 event;

	(void)state;
	assert_int_equal(rf_hosted_open(scene.world->device, &other), 0);
	assert_int_equal(rf_hosted_request(other, DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	event = wait_event(other, open.handle, 5);
	fake_signal_logged(scene.fake, scene.hw_queue, hw, shared.handle, 5);
	assert_int_equal(look(other, event), 0);
	rf_hosted_close(other);
	scene_end(&scene);
}

/* --- times ------------------------------------------------------------------------------- */

/* An entry of the signal log with that time. */
static void append_at(struct scene *scene, u64 value, u64 time)
{
	scene->fake->time = time - 1;
	fake_log_append(scene->fake, scene->hw_queue, RF_LOG_TYPE_SIGNALS, scene->fence, value, 0);
}

/* 0 is no time: it is taken, and so is whatever comes behind it and not before the last time. */
static void zero_and_equal_times(void **state)
{
	static const u64 times[] = { 0, 100, 100, 0, 0, 100, 101, 0, 101, U64_MAX, 0, U64_MAX };
	struct scene scene = scene_new(false);
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(times); i++)
		append_at(&scene, i + 1, times[i]);
	kick(&scene);
	assert_int_equal(scene.trace->count, ARRAY_SIZE(times));
	for (i = 0; i < ARRAY_SIZE(times); i++)
		assert_int_equal(scene.trace->entries[i].fence_end_gpu_timestamp, times[i]);
	assert_int_equal(world_statistics(scene.world).log_refused, 0);
	scene_end(&scene);
}

/* The signal log moves when it grows; a command that names the old place writes to nothing that counts. */
static void old_buffers_stay_mapped(void **state)
{
	struct scene scene = scene_new(false);
	const u64 *words = map(scene.file, scene.queue.last_queued_mmap_offset);
	void *h_process = scene.hw_queue->context->arguments.h_process;
	u64 old = scene.queue.log.signal_log_gpu_address;

	(void)state;
	assert_int_equal(words[2], old);
	trace(&scene);
	assert_int_equal(words[1], LARGE);
	assert_int_not_equal(words[2], old);
	assert_int_equal(words[2],
			 scene.hw_queue->logs[RF_LOG_TYPE_SIGNALS - 1].arguments.log_buffer_gpu_va);
	assert_int_equal(fake_gpu_write(scene.fake, h_process, old + RF_LOG_HEADER_BYTES, 5), 0);
	append_at(&scene, 1, 100);
	kick(&scene);
	assert_int_equal(scene.trace->count, 1);
	assert_int_equal(scene.trace->entries[0].fence_value, 1);
	scene_end(&scene); /* nothing stays mapped */
}

/* Entry by entry: whether it is behind the last one with a time, in one reading or several. */
static void times_never_go_back(void **state)
{
	static const struct {
		u64 time;
		bool refused;
	} entries[] = {
		{ 100, false }, { 99, true }, { 100, false }, { 0, false },  { 99, true },
		{ 1, true },	{ 0, false }, { 101, false }, { 100, true }, { 102, false },
	};
	u32 step, i, taken, refused;

	(void)state;
	for (step = 1; step <= ARRAY_SIZE(entries); step++) {
		struct scene scene = scene_new(false);

		for (i = taken = refused = 0; i < ARRAY_SIZE(entries); i++) {
			append_at(&scene, i + 1, entries[i].time);
			if ((i + 1) % step == 0)
				kick(&scene);
		}
		kick(&scene);
		for (i = 0; i < ARRAY_SIZE(entries); i++) {
			refused += entries[i].refused;
			if (!entries[i].refused)
				assert_int_equal(scene.trace->entries[taken++].fence_value, i + 1);
		}
		assert_int_equal(scene.trace->count, taken);
		assert_int_equal(world_statistics(scene.world).log_refused, refused);
		assert_int_equal(world_statistics(scene.world).log_entries, ARRAY_SIZE(entries));
		scene_end(&scene);
	}
}

/* The two logs of a queue, and those of two queues, have times of their own. */
static void times_are_of_one_log(void **state)
{
	struct scene scene = scene_new(false);
	struct fake_queue *other;

	(void)state;
	make_queue(scene.file, 0);
	other = fake_last_queue(scene.fake);
	append_at(&scene, 1, 100);
	scene.fake->time = 49;
	fake_log_append(scene.fake, scene.hw_queue, RF_LOG_TYPE_WAITS, scene.fence, 1, 0);
	fake_log_append(scene.fake, other, RF_LOG_TYPE_SIGNALS, scene.fence, 1, 0);
	kick(&scene);
	assert_int_equal(scene.trace->count, 3);
	assert_int_equal(world_statistics(scene.world).log_refused, 0);
	scene_end(&scene);
}

/* Its value is a reason to look at the fence, whatever time it has. */
static void refused_entry_wakes(void **state)
{
	struct scene scene = scene_new(true);
	u32 event = wait_event(scene.file, scene.fence, 10);

	(void)state;
	append_at(&scene, 1, 100);
	scene.fake->time = 9; /* of the next entry: 10 */
	signal_logged(&scene, 10);
	assert_int_equal(look(scene.file, event), 0);
	assert_int_equal(world_statistics(scene.world).log_refused, 1);
	scene_end(&scene);
}

/* Without power a device forgets the time; what it wrote before is read with the old one. */
static void times_begin_anew_after_d3(void **state)
{
	struct scene scene = scene_new(false);
	struct kmd_adapter *adapter = scene.world->device->adapter;

	(void)state;
	append_at(&scene, 1, 100);
	kick(&scene);
	append_at(&scene, 2, 200);
	append_at(&scene, 3, 150);
	assert_int_equal(kmd_adapter_sleep(adapter), 0);
	assert_int_equal(kmd_adapter_wake(adapter), 0);
	append_at(&scene, 4, 7);
	kick(&scene);
	assert_int_equal(scene.trace->count, 3);
	assert_int_equal(scene.trace->entries[2].fence_value, 4);
	assert_int_equal(world_statistics(scene.world).log_refused, 1);
	scene_end(&scene);
}

/* A larger log goes on where the other one ended. */
static void times_go_on_in_a_larger_log(void **state)
{
	struct scene scene = scene_new(false);

	(void)state;
	append_at(&scene, 1, 100);
	trace(&scene);
	append_at(&scene, 2, 99);
	append_at(&scene, 3, 100);
	kick(&scene);
	assert_int_equal(scene.trace->count, 2);
	assert_int_equal(scene.trace->entries[1].fence_value, 3);
	assert_int_equal(world_statistics(scene.world).log_refused, 1);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-100,S0-102,S0-103.two-logs-of-a-page", two_logs_of_a_page),
		TEST("S0-105.user-mode-cannot-map-it", user_mode_cannot_map_it),
		TEST("S0-119,S0-103.larger-logs-while-tracing", larger_logs_while_tracing),
		TEST("S0-119.tracing-that-begins-in-d3-wakes-nobody", tracing_begins_in_d3),
		TEST("S0-119.numbers-go-on-in-a-larger-log", numbers_go_on_in_a_larger_log),
		TEST("S0-119.lost-only-beyond-a-large-log", lost_only_beyond_a_large_log),
		TEST("S0-119,S0-104.none-is-lost-while-it-grows", none_is_lost_while_it_grows),
		TEST("S0-108,S0-110,S0-125.entries-in-order", entries_in_order),
		TEST("S0-116.around-the-end", around_the_end),
		TEST("S0-117,S0-118,S0-119,C9.an-overrun-is-more-than-a-log",
		     overrun_is_more_than_a_log),
		TEST("C9.the-wraparound-count-wraps", wraparound_count_wraps),
		TEST("log-contents-are-untrusted", nonsense_is_harmless),
		TEST("whatever-changes-while-it-is-read", what_changes_while_it_is_read),
		TEST("S0-117.overwritten-while-it-is-copied", overwritten_while_it_is_copied),
		TEST("S0-114.flushed-before-it-is-read", flushed_before_it_is_read),
		TEST("S0-124.two-queue-example", two_queue_example),
		TEST("S0-126,S0-129.the-queue-names-fences-by-its-log",
		     queue_names_the_fences_by_its_log),
		TEST("S0-127.a-null-queue-reads-the-engine", null_queue_reads_the_engine),
		TEST("S0-118,S0-128.overrun-falls-back-to-live-values",
		     overrun_falls_back_to_live_values),
		TEST("logged-values-are-hints", logged_values_are_hints),
		TEST("S0-126.waiters-of-other-processes-wake", logs_of_other_processes),
		TEST("S0-121.zero-and-equal-times", zero_and_equal_times),
		TEST("S0-121.times-never-go-back", times_never_go_back),
		TEST("S0-119.old-buffers-stay-mapped", old_buffers_stay_mapped),
		TEST("S0-121.times-are-of-one-log", times_are_of_one_log),
		TEST("S0-121.a-refused-entry-wakes", refused_entry_wakes),
		TEST("S0-121,S3-42.times-begin-anew-after-d3", times_begin_anew_after_d3),
		TEST("S0-121.times-go-on-in-a-larger-log", times_go_on_in_a_larger_log),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
