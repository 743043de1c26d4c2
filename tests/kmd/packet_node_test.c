// SPDX-License-Identifier: Apache-2.0
/*
 * The hardware queue of packets of a node, under the real miniport and over a device of
 * registers: what is complete, and what the interrupt ring did not say. A process can write the
 * word that its packets report to, early or with any value; no packet counts as complete, and
 * no memory is freed, before the device has performed it.
 */
#include <string.h>

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "scheduling/node.h"
#include "fake_device.h"
#include "rf_kernel_ring.h"
#include "rf_packet_queue.h"
#include "rf_packet_schedule.h"

#define SECOND 1000000000ull
#define ALL 100000u
#define LOW 1
#define HIGH 5
/* Where what a packet stores is, in its memory */
#define CELL 2048u

/* A process with a context and a command buffer. */
struct process {
	struct device_world *world;
	struct rf_file *file;
	struct drm_ringfence_queue_create queue;
	struct drm_ringfence_memory_create memory;
	u64 *words;
	u32 begun, used; /* words: where the next packet begins, and ends so far */
};

static struct process process_new(struct device_world *world, u32 priority)
{
	struct process process = { .world = world };

	assert_int_equal(rf_hosted_open(world->shell, &process.file), 0);
	process.queue = make_packet_queue(process.file, RF_NODE_COPY, priority);
	process.memory = make_memory(process.file, 4096, 0);
	process.words = map(process.file, process.memory.mmap_offset);
	return process;
}

/* Two processes; paging is done at once, and then packets as a test says. */
struct scene {
	struct device_world *world;
	struct fake_device *device;
	struct process low, high;
	struct rf_packet_queue *queue;
};

static struct scene scene_new(void)
{
	struct scene scene = { .world = device_world_new() };
	struct rf_hw *hw;

	scene.device = &scene.world->device;
	scene.device->has_engines = true;
	scene.device->steps = ALL;
	scene.low = process_new(scene.world, LOW);
	scene.high = process_new(scene.world, HIGH);
	hw = scene.world->shell->adapter->h_adapter;
	scene.queue = &hw->packet_queue[RF_NODE_COPY];
	scene.device->steps = 0;
	return scene;
}

static void scene_end(struct scene *scene)
{
	rf_hosted_close(scene->low.file);
	rf_hosted_close(scene->high.file);
	device_world_destroy(scene->world);
}

/* --- packets ------------------------------------------------------------------------------- */

static u64 header(enum rf_opcode opcode, u64 words)
{
	return RF_FIELD(RF_PACKET_HEADER_OPCODE, opcode) | RF_FIELD(RF_PACKET_HEADER_WORDS, words);
}

static void put_write(struct process *process, u64 value)
{
	u64 *words = &process->words[process->used];

	words[0] = header(RF_OPCODE_WRITE, 3);
	words[1] = process->memory.gpu_address + CELL;
	words[2] = value;
	process->used += 3;
}

/* As the driver's own at the end of each packet. */
static void put_progress(struct process *process, u64 value)
{
	u64 *words = &process->words[process->used];

	words[0] = header(RF_OPCODE_PROGRESS, 2);
	words[1] = value;
	process->used += 2;
}

/* What was put since the last one. */
static int try_submit(struct process *process)
{
	struct drm_ringfence_queue_submit submit = {
		.queue = process->queue.handle,
		.memory = process->memory.handle,
		.offset = process->begun * 8,
		.size = (process->used - process->begun) * 8,
	};

	assert_true(process->used * 8 <= CELL);
	process->begun = process->used;
	return rf_hosted_request(process->file, DRM_RINGFENCE_QUEUE_SUBMIT, &submit);
}

static void submit(struct process *process)
{
	assert_int_equal(try_submit(process), 0);
}

static struct drm_ringfence_queue_status status_of(const struct process *process)
{
	struct drm_ringfence_queue_status status = { .handle = process->queue.handle };

	assert_int_equal(rf_hosted_request(process->file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	return status;
}

/* Packets complete, of a queue without an error. */
static u64 completed(const struct process *process)
{
	assert_int_equal(status_of(process).error, 0);
	return status_of(process).completed;
}

static u64 cell(const struct process *process)
{
	return process->words[CELL / 8];
}

/* The last id that the node gave. */
static u64 last_id(const struct scene *scene)
{
	return scene->world->shell->adapter->nodes[RF_NODE_COPY].last_id;
}

/* The driver looks, although no interrupt tells it to. */
static void look_at_device(struct scene *scene)
{
	device_world_look(scene->world, SECOND / 2);
}

/* --- what a process writes ahead ------------------------------------------------------------ */

/* The first process stands in its packet, behind a lie about what comes after it. */
static void lie_about_the_next(struct scene *scene)
{
	u64 id = last_id(scene);

	put_progress(&scene->low, id + 3); /* behind its own, and a preemption */
	put_write(&scene->low, 1);
	submit(&scene->low);
	fake_device_run(scene->device, 1);
	put_write(&scene->high, 2);
	submit(&scene->high);
	/* so it was given to the device */
	assert_int_equal(scene->queue->packets[scene->queue->completed % RF_PACKET_CAP].fence_id,
			 id + 3);
	assert_int_equal(completed(&scene->low), 0);
}

/* A packet of another's that has not begun. */
static void another_is_not_complete(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	lie_about_the_next(&scene);
	look_at_device(&scene);
	assert_int_equal(completed(&scene.high), 0);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.high), 1);
	assert_int_equal(cell(&scene.high), 2);
	assert_int_equal(completed(&scene.low), 1);
	assert_int_equal(cell(&scene.low), 1);
	scene_end(&scene);
}

/* Nor one that is done, while what it stored is on its way. */
static void another_is_not_visible(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	lie_about_the_next(&scene);
	scene.device->late = true;
	fake_device_run(scene.device, 2);
	assert_int_equal(
		*fake_device_register(scene.device, RF_REG_SLOT_POINTERS(scene.queue->node.slot)),
		RF_SUBMISSION_ENTRIES);
	look_at_device(&scene);
	assert_int_equal(completed(&scene.high), 0);
	scene.device->late = false;
	fake_device_arrive(scene.device);
	look_at_device(&scene);
	assert_int_equal(completed(&scene.high), 1);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.low), 1);
	scene_end(&scene);
}

/* Nor the process's own: its command buffer is still read. */
static void its_own_is_not_complete(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	put_progress(&scene.low, last_id(&scene) + 2);
	put_write(&scene.low, 1);
	submit(&scene.low);
	put_write(&scene.low, 2);
	submit(&scene.low);
	fake_device_run(scene.device, 1);
	look_at_device(&scene);
	assert_int_equal(completed(&scene.low), 0);
	fake_device_run(scene.device, 2); /* all of the first packet */
	look_at_device(&scene);
	assert_int_equal(completed(&scene.low), 1);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.low), 2);
	assert_int_equal(cell(&scene.low), 2);
	scene_end(&scene);
}

/*
 * The second packet of a process overwrites what the first reported, before anybody looked; then
 * it is preempted. The saved context stands in the second one, and both complete.
 */
static void overwritten_then_preempted(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	put_write(&scene.low, 1);
	submit(&scene.low);
	put_progress(&scene.low, 0xdead);
	put_write(&scene.low, 2);
	submit(&scene.low);
	scene.device->msi_off = true;
	fake_device_run(scene.device, 3);
	scene.device->msi_off = false;
	put_write(&scene.high, 3);
	submit(&scene.high);
	assert_int_equal(completed(&scene.low), 1);
	assert_int_equal(cell(&scene.low), 1);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.high), 1);
	assert_int_equal(completed(&scene.low), 2);
	assert_int_equal(cell(&scene.low), 2);
	scene_end(&scene);
}

/* A packet is preempted behind its last command: it has reported, and does not so again. */
static void preempted_at_its_end(void **state)
{
	struct scene scene = scene_new();
	u64 *pointer;

	(void)state;
	put_write(&scene.low, 1);
	submit(&scene.low);
	scene.device->msi_off = true;
	fake_device_run(scene.device, 2);
	scene.device->msi_off = false;
	pointer = fake_device_register(scene.device, RF_REG_SLOT_POINTERS(scene.queue->node.slot));
	assert_int_equal(*pointer, 2);
	*pointer = 1;
	*fake_device_register(scene.device, RF_REG_SLOT_BUFFER_STATE(scene.queue->node.slot)) = 2;
	put_write(&scene.high, 2);
	submit(&scene.high);
	assert_int_equal(completed(&scene.low), 1);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.high), 1);
	/* and the context goes on */
	put_write(&scene.low, 3);
	submit(&scene.low);
	assert_int_equal(completed(&scene.low), 2);
	assert_int_equal(cell(&scene.low), 3);
	scene_end(&scene);
}

/* --- what no record told of ------------------------------------------------------------------- */

/* The first process has a packet under way. */
static struct scene scene_at_work(void)
{
	struct scene scene = scene_new();

	put_write(&scene.low, 1);
	put_write(&scene.low, 2);
	submit(&scene.low);
	fake_device_run(scene.device, 1);
	assert_int_equal(cell(&scene.low), 1);
	return scene;
}

static void assert_others_go_on(struct scene *scene)
{
	put_write(&scene->high, 9);
	submit(&scene->high);
	fake_device_run(scene->device, ALL);
	assert_int_equal(completed(&scene->high), 1);
	assert_int_equal(cell(&scene->high), 9);
	assert_int_equal(scene->device->resets, 0);
}

static void an_error(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	fake_device_set_state(scene.device, scene.queue->node.slot, RF_SLOT_STATE_ERROR,
			      RF_QUEUE_ERROR_OPERAND);
	*fake_device_register(scene.device, RF_REG_SLOT_ERROR_ADDRESS(scene.queue->node.slot)) =
		0x1230;
	/* what was handed over behind it is not done */
	*fake_device_register(scene.device, RF_REG_SLOT_POINTERS(scene.queue->node.slot)) = 2;
	look_at_device(&scene);
	assert_int_equal(status_of(&scene.low).error, RF_QUEUE_ERROR_OPERAND);
	assert_int_equal(status_of(&scene.low).error_address, 0x1230);
	assert_int_equal(status_of(&scene.low).completed, 0);
	assert_others_go_on(&scene);
	scene_end(&scene);
}

/* Its record may be on its way for one look. */
static void a_stop(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	fake_device_set_state(scene.device, scene.queue->node.slot, RF_SLOT_STATE_STOPPED_HOST, 0);
	look_at_device(&scene);
	assert_int_equal(status_of(&scene.low).error, 0);
	look_at_device(&scene);
	assert_int_equal(status_of(&scene.low).error, RF_QUEUE_ERROR_OPCODE);
	assert_others_go_on(&scene);
	scene_end(&scene);
}

/* It was saved, or not: its context is lost, and no other. */
static void a_preemption(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	scene.device->master_off = true;
	put_write(&scene.high, 3);
	submit(&scene.high);
	assert_int_equal(scene.queue->node.state, RF_PACKET_SLOT_SAVING);
	scene.device->master_off = false;
	look_at_device(&scene);
	assert_int_equal(status_of(&scene.low).error, 0);
	look_at_device(&scene);
	assert_int_equal(status_of(&scene.low).error, RF_QUEUE_ERROR_TRANSLATION);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.high), 1);
	assert_int_equal(cell(&scene.high), 3);
	assert_int_equal(scene.device->resets, 0);
	scene_end(&scene);
}

/* It was not requested: the device is reset, and works again. */
static void a_slot_that_forgets(void **state)
{
	struct scene scene = scene_at_work();
	struct process next;

	(void)state;
	fake_device_set_state(scene.device, scene.queue->node.slot, RF_SLOT_STATE_DISABLED, 0);
	look_at_device(&scene);
	assert_int_equal(scene.device->resets, 0);
	look_at_device(&scene);
	look_at_device(&scene);
	assert_int_equal(scene.device->resets, 1);
	assert_int_equal(status_of(&scene.low).error, RF_QUEUE_ERROR_ENGINE_RESET);
	scene.device->steps = ALL;
	next = process_new(scene.world, LOW);
	put_write(&next, 5);
	submit(&next);
	assert_int_equal(completed(&next), 1);
	assert_int_equal(cell(&next), 5);
	rf_hosted_close(next.file);
	scene_end(&scene);
}

/* A write of the host's went nowhere. */
static void a_look_at_the_ring(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.low), 1);
	scene.device->deaf = true;
	put_write(&scene.low, 3);
	submit(&scene.low);
	scene.device->deaf = false;
	look_at_device(&scene);
	assert_int_equal(completed(&scene.low), 1);
	look_at_device(&scene);
	assert_int_equal(completed(&scene.low), 2);
	assert_int_equal(cell(&scene.low), 3);
	assert_others_go_on(&scene);
	scene_end(&scene);
}

/* The report of a packet. */
static void a_completion(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	scene.device->master_off = true;
	fake_device_run(scene.device, ALL);
	scene.device->master_off = false;
	assert_int_equal(completed(&scene.low), 0);
	look_at_device(&scene);
	assert_int_equal(completed(&scene.low), 1);
	assert_others_go_on(&scene);
	scene_end(&scene);
}

/* Nothing is concluded from all ones. */
static void a_device_that_is_away(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	scene.device->memory_off = true;
	look_at_device(&scene);
	scene.device->memory_off = false;
	look_at_device(&scene);
	assert_int_equal(completed(&scene.low), 0);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.low), 1);
	assert_others_go_on(&scene);
	scene_end(&scene);
}

/* --- a device that takes its time --------------------------------------------------------------- */

/* Reads: many looks, and far fewer than make a lost device */
#define LATE 1000u

static const enum fake_slow slows[] = { FAKE_SLOW_LOAD, FAKE_SLOW_STOP, FAKE_SLOW_INVALIDATE };

/* This device goes on with reads only: those of the driver's, and these. */
static void look_long(struct scene *scene)
{
	u32 i, k;

	for (i = 0; i < 12; i++) {
		for (k = 0; k < LATE; k++)
			rf_bus_read64(&scene->device->fake.bus.bus, RF_BAR_REGISTERS,
				      RF_REG_SLOT_STATUS(scene->queue->node.slot));
		look_at_device(scene);
	}
}

/* Packets of two processes in turns: their order holds, and all of them are done. */
static void everything_late(void **state)
{
	u32 i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(slows); i++) {
		struct scene scene = scene_new();

		scene.device->steps = ALL;
		scene.device->slow[slows[i]] = LATE;
		rf_hosted_longest_hold();
		for (k = 1; k <= 3; k++) {
			put_write(&scene.low, k);
			submit(&scene.low);
			put_write(&scene.high, 10 + k);
			submit(&scene.high);
		}
		look_long(&scene);
		assert_in_range(rf_hosted_longest_hold(), 1, KMD_HOLD_ROUNDS);
		assert_int_equal(completed(&scene.low), 3);
		assert_int_equal(completed(&scene.high), 3);
		assert_int_equal(cell(&scene.low), 3);
		assert_int_equal(cell(&scene.high), 13);
		assert_int_equal(scene.device->unheard, 0);
		assert_int_equal(scene.device->resets, 0);
		scene_end(&scene);
	}
}

/* It is given up, and the next process finds it in order. */
static void nothing_ends(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(slows); i++) {
		struct scene scene = scene_new();
		struct process next;

		scene.device->steps = ALL;
		scene.device->slow[slows[i]] = FAKE_FOREVER;
		rf_hosted_longest_hold();
		put_write(&scene.low, 1);
		submit(&scene.low);
		/* it may be lost by now, with all there is */
		put_write(&scene.high, 2);
		assert_true(try_submit(&scene.high) == 0 || scene.device->resets);
		rf_hosted_close(scene.low.file);
		assert_in_range(rf_hosted_longest_hold(), 1, KMD_HOLD_ROUNDS);
		look_at_device(&scene);
		look_at_device(&scene);
		assert_int_equal(scene.device->resets, 1);
		next = process_new(scene.world, LOW);
		scene.device->steps = ALL;
		put_write(&next, 3);
		submit(&next);
		look_at_device(&scene);
		assert_int_equal(completed(&next), 1);
		assert_int_equal(cell(&next), 3);
		scene.low = next;
		scene_end(&scene);
	}
}

/* A packet of @process is on its way into the slot, without a check. */
static void begin_loading(struct scene *scene, struct process *process)
{
	struct drm_ringfence_queue_submit submit = {
		.queue = process->queue.handle,
		.memory = process->memory.handle,
	};

	put_write(process, 1);
	submit.size = process->used * 8;
	process->begun = process->used;
	scene->device->steps = ALL;
	scene->device->slow[FAKE_SLOW_LOAD] = LATE;
	assert_int_equal(kmd_request(process->file->file, DRM_RINGFENCE_QUEUE_SUBMIT, &submit), 0);
	assert_int_equal(scene->queue->node.state, RF_PACKET_SLOT_LOADING);
}

/* Its process ends meanwhile: the slot is emptied, and another's packets run. */
static void ended_while_loading(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	begin_loading(&scene, &scene.low);
	rf_hosted_close(scene.low.file);
	assert_int_equal(scene.device->unheard, 0);
	scene.device->slow[FAKE_SLOW_LOAD] = 0;
	assert_others_go_on(&scene);
	scene.low = process_new(scene.world, LOW);
	scene_end(&scene);
}

/* A packet of higher priority comes meanwhile: the one being loaded is preempted, and comes back. */
static void preempted_while_loading(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	begin_loading(&scene, &scene.low);
	put_write(&scene.high, 2);
	submit(&scene.high);
	look_long(&scene);
	assert_int_equal(completed(&scene.high), 1);
	assert_int_equal(completed(&scene.low), 1);
	assert_int_equal(cell(&scene.low), 1);
	assert_int_equal(scene.device->unheard, 0);
	assert_int_equal(scene.device->resets, 0);
	scene_end(&scene);
}

/* No look of the watch, no interrupt: the DPC comes again for a VMID that is late. */
static void bound_by_the_dpc(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	scene.device->steps = ALL;
	scene.device->slow[FAKE_SLOW_INVALIDATE] = LATE;
	put_write(&scene.low, 1);
	submit(&scene.low);
	put_write(&scene.high, 2);
	submit(&scene.high);
	assert_int_equal(completed(&scene.low), 1);
	assert_int_equal(completed(&scene.high), 1);
	scene_end(&scene);
}

/* While a context is being dropped the node is to be preempted: nothing is saved of an empty slot. */
static struct rf_packet_queue *dropping;
static struct rf_hw *dropped;

static void preempt_meanwhile(struct fake_device *device)
{
	u32 i;

	(void)device;
	if (!dropping)
		return;
	/* so that these looks see the end of it, unless they let the node alone */
	dropping->preemption_id = 0x7fffffff;
	for (i = 0; i < 200; i++) {
		dropped->busy = false;
		rf_packet_queues_poll(dropped);
	}
	dropping->preemption_id = 0;
}

static void preempted_while_it_ends(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	dropping = scene.queue;
	dropped = scene.world->shell->adapter->h_adapter;
	/* so long that the thread that ends it sleeps */
	scene.device->slow[FAKE_SLOW_STOP] = 10 * LATE;
	scene.device->during_sleep = preempt_meanwhile;
	rf_hosted_close(scene.low.file);
	scene.device->during_sleep = NULL;
	dropping = NULL;
	scene.device->slow[FAKE_SLOW_STOP] = 0;
	assert_int_equal(scene.queue->node.state, RF_PACKET_SLOT_EMPTY);
	assert_others_go_on(&scene);
	scene.low = process_new(scene.world, LOW);
	scene_end(&scene);
}

/* A context that cannot be loaded, in a slot that has another's handle. */
static void a_load_that_fails(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	scene.device->steps = ALL;
	put_write(&scene.high, 1);
	submit(&scene.high);
	put_write(&scene.low, 1);
	submit(&scene.low);
	assert_int_equal(completed(&scene.high), 1);
	assert_int_equal(completed(&scene.low), 1);
	scene.device->load_fails = true;
	put_write(&scene.high, 2);
	submit(&scene.high);
	scene.device->load_fails = false;
	assert_int_equal(status_of(&scene.high).error, RF_QUEUE_ERROR_TRANSLATION);
	assert_int_equal(scene.device->resets, 0);
	put_write(&scene.low, 3);
	submit(&scene.low);
	fake_device_run(scene.device, ALL);
	assert_int_equal(completed(&scene.low), 2);
	assert_int_equal(cell(&scene.low), 3);
	scene_end(&scene);
}

/* An error whose slot takes its time to stop: told once, and others go on. */
static void an_error_late(void **state)
{
	struct scene scene = scene_at_work();

	(void)state;
	scene.device->slow[FAKE_SLOW_STOP] = LATE;
	fake_device_set_state(scene.device, scene.queue->node.slot, RF_SLOT_STATE_ERROR,
			      RF_QUEUE_ERROR_OPERAND);
	look_at_device(&scene);
	look_at_device(&scene);
	assert_int_equal(status_of(&scene.low).error, RF_QUEUE_ERROR_OPERAND);
	assert_int_equal(status_of(&scene.low).completed, 0);
	scene.device->slow[FAKE_SLOW_STOP] = 0;
	assert_others_go_on(&scene);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("another-is-not-complete", another_is_not_complete),
		TEST("another-is-not-visible", another_is_not_visible),
		TEST("its-own-is-not-complete", its_own_is_not_complete),
		TEST("overwritten-then-preempted", overwritten_then_preempted),
		TEST("preempted-at-its-end", preempted_at_its_end),
		TEST("an-error", an_error),
		TEST("a-stop", a_stop),
		TEST("a-preemption", a_preemption),
		TEST("a-slot-that-forgets", a_slot_that_forgets),
		TEST("a-look-at-the-ring", a_look_at_the_ring),
		TEST("a-completion", a_completion),
		TEST("a-device-that-is-away", a_device_that_is_away),
		TEST("everything-late", everything_late),
		TEST("nothing-ends", nothing_ends),
		TEST("ended-while-loading", ended_while_loading),
		TEST("preempted-while-loading", preempted_while_loading),
		TEST("a-load-that-fails", a_load_that_fails),
		TEST("an-error-late", an_error_late),
		TEST("bound-by-the-dpc", bound_by_the_dpc),
		TEST("preempted-while-it-ends", preempted_while_it_ends),
	};

	return cmocka_run_group_tests_name("hardware queue of packets", tests, NULL, NULL);
}
