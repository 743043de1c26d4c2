// SPDX-License-Identifier: Apache-2.0
/*
 * A fair share: a greedy process takes all that it can get, of slots, of a node's hardware
 * queue and of doorbells, and gives nothing back before it has to. Another process with one
 * queue, of the same band, has its turn all the same, as often as the greedy one has, however many
 * queues and packets that has. (VMIDs: invalidate_test and device.processes_share_a_node.)
 */
#include <stdio.h>

#include "base/file.h"
#include "base/handle.h"
#include "scheduling/queue.h"
#include "fake_device.h"
#include "rf_queue.h"

#define SECOND 1000000000ull
#define SLOTS 4
#define GREEDY 60
#define CAP 4 /* of the fake's hardware queues */

struct scene {
	struct world *world;
	struct fake *fake;
	struct rf_file *greedy, *modest;
	u64 now; /* of the watch */
};

static struct scene scene_new(void)
{
	struct scene scene = { .world = world_create() };

	scene.fake = &scene.world->fake;
	scene.fake->caps.hw_queue_slots = SLOTS;
	scene.fake->residents_max = SLOTS;
	world_start(scene.world);
	scene.greedy = scene.world->file;
	assert_int_equal(rf_hosted_open(scene.world->device, &scene.modest), 0);
	return scene;
}

static void scene_end(struct scene *scene)
{
	rf_hosted_close(scene->modest);
	world_destroy(scene->world);
}

static void tick(struct scene *scene, u64 later)
{
	scene->now += later;
	rf_hosted_watch_progress(scene->world->device, scene->now);
}

/* --- slots ----------------------------------------------------------------------------------- */

/* A queue with work without end. */
static struct fake_queue *busy_queue(struct scene *scene, struct rf_file *file)
{
	struct fake_queue *queue;

	make_rig(file, 0);
	queue = fake_last_queue(scene->fake);
	queue->has_work = true;
	fake_ring(scene->fake, queue);
	return queue;
}

struct turns {
	struct fake_queue *queues[GREEDY + 1]; /* the modest one is the last */
	u32 since[GREEDY + 1]; /* when it came in, if it is in */
	u32 turns[GREEDY + 1];
	u32 now;
};

static void count_turns(struct turns *turns)
{
	u32 i;

	turns->now++;
	for (i = 0; i <= GREEDY; i++) {
		bool is_in = turns->queues[i]->resident;

		turns->turns[i] += is_in && !turns->since[i];
		turns->since[i] = !is_in ? 0 : turns->since[i] ? turns->since[i] : turns->now;
	}
}

/* The quantum of the queue that is resident longest ends. */
static void end_quantum(struct scene *scene, struct turns *turns)
{
	u32 i, first = 0;

	for (i = 1; i <= GREEDY; i++)
		if (turns->since[i] &&
		    (!turns->since[first] || turns->since[i] < turns->since[first]))
			first = i;
	fake_yield(scene->fake, turns->queues[first], RF_YIELD_QUANTUM);
	count_turns(turns);
}

/* All have work all the time. */
static void slots(void **state)
{
	struct scene scene = scene_new();
	struct turns turns = { 0 };
	u32 all = 0, own, i;

	(void)state;
	for (i = 0; i < GREEDY; i++)
		turns.queues[i] = busy_queue(&scene, scene.greedy);
	turns.queues[GREEDY] = busy_queue(&scene, scene.modest);
	count_turns(&turns);
	assert_int_equal(turns.turns[GREEDY], 0);
	for (i = 0; i < 400; i++)
		end_quantum(&scene, &turns);
	own = turns.turns[GREEDY];
	for (i = 0; i < GREEDY; i++) {
		all += turns.turns[i];
		assert_true(turns.turns[i]); /* nor does one of its own starve */
	}
	printf("# turns: %u of one queue, %u of %u\n", own, all, GREEDY);
	/* it is in as often as it can be: in one slot, and out for one turn */
	assert_in_range(own, all / (SLOTS + 1), all);
	scene_end(&scene);
}

/* --- the hardware queue of a node -------------------------------------------------------------- */

static u64 completed(struct rf_file *file, u32 queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_QUEUE_STATUS, &status), 0);
	assert_int_equal(status.error, 0);
	return status.completed;
}

/* Packets of the greedy one's are in many queues, and more than the hardware queue takes. */
static void packets(void **state)
{
	struct scene scene = scene_new();
	u32 memory = make_memory(scene.greedy, 4096, 0).handle;
	u32 own_memory = make_memory(scene.modest, 4096, 0).handle;
	u32 own = make_packet_queue(scene.modest, 0, 0).handle;
	u32 queues[4], i, k;

	(void)state;
	for (i = 0; i < 4; i++)
		queues[i] = make_packet_queue(scene.greedy, 0, 0).handle;
	for (k = 0; k < GREEDY; k++)
		submit_packet(scene.greedy, queues[k % 4], memory, 8);
	for (k = 1; k <= 5; k++) {
		submit_packet(scene.modest, own, own_memory, 16);
		/* what the device has already, one that comes before its turn, and it */
		for (i = 0; i < CAP + 2; i++)
			fake_complete_packet(scene.fake, 0);
		assert_int_equal(completed(scene.modest, own), k);
	}
	for (i = 0; i < GREEDY + 5 - 5 * (CAP + 2); i++)
		fake_complete_packet(scene.fake, 0);
	for (i = 0, k = 0; i < 4; i++)
		k += completed(scene.greedy, queues[i]);
	assert_int_equal(k, GREEDY);
	scene_end(&scene);
}

/* The first packet waits for a value that is never signalled. */
static void a_packet_without_end(void **state)
{
	struct scene scene = scene_new();
	u32 memory = make_memory(scene.greedy, 4096, 0).handle;
	u32 own_memory = make_memory(scene.modest, 4096, 0).handle;
	u32 own = make_packet_queue(scene.modest, 0, 0).handle;
	u32 queue = make_packet_queue(scene.greedy, 0, 0).handle;
	u32 round;

	(void)state;
	for (round = 0; round < CAP + 1; round++)
		submit_packet(scene.greedy, queue, memory, 8);
	for (round = 1; round <= 3; round++) {
		tick(&scene, SECOND); /* no other process needs the node */
		tick(&scene, SECOND);
		assert_int_equal(scene.fake->nodes[0].preemption, 0);
		submit_packet(scene.modest, own, own_memory, 16);
		assert_int_equal(scene.fake->nodes[0].preemption, 0);
		tick(&scene, SECOND / 2);
		if (!scene.fake->nodes[0].preemption)
			tick(&scene, SECOND / 2);
		fake_answer_preemption(scene.fake, 0);
		assert_int_equal(scene.fake->nodes[0].packets[0].dma_buffer_size, 16);
		fake_complete_packet(scene.fake, 0);
		assert_int_equal(completed(scene.modest, own), round);
		/* and it goes on, in its order */
		assert_int_equal(scene.fake->nodes[0].packets[0].dma_buffer_size, 8);
		assert_int_equal(completed(scene.greedy, queue), 0);
	}
	for (round = 0; round < CAP + 1; round++)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(scene.greedy, queue), CAP + 1);
	/* a process takes turns with others, and not with itself */
	submit_packet(scene.greedy, queue, memory, 8);
	submit_packet(scene.greedy, make_packet_queue(scene.greedy, 0, 0).handle, memory, 8);
	tick(&scene, SECOND);
	tick(&scene, SECOND);
	tick(&scene, SECOND);
	assert_int_equal(scene.fake->nodes[0].preemption, 0);
	fake_complete_packet(scene.fake, 0);
	fake_complete_packet(scene.fake, 0);
	scene_end(&scene);
}

/* Both have packets without end: each is on the engine as often as the other. */
static void packets_without_end(void **state)
{
	struct scene scene = scene_new();
	u32 memory = make_memory(scene.greedy, 4096, 0).handle;
	u32 own_memory = make_memory(scene.modest, 4096, 0).handle;
	u32 own = make_packet_queue(scene.modest, 0, 0).handle;
	u32 count[2] = { 0 }, round;

	(void)state;
	for (round = 0; round < CAP; round++)
		submit_packet(scene.greedy, make_packet_queue(scene.greedy, 0, 0).handle, memory,
			      8);
	submit_packet(scene.modest, own, own_memory, 16);
	for (round = 0; round < 40; round++) {
		tick(&scene, SECOND / 2);
		if (scene.fake->nodes[0].preemption)
			fake_answer_preemption(scene.fake, 0);
		count[scene.fake->nodes[0].packets[0].dma_buffer_size == 16]++;
	}
	assert_in_range(count[1], 15, 25);
	for (round = 0; round < CAP + 1; round++)
		fake_complete_packet(scene.fake, 0);
	assert_int_equal(completed(scene.modest, own), 1);
	scene_end(&scene);
}

/* --- doorbells ----------------------------------------------------------------------------------- */

static void connect(struct rf_file *file, const struct rig *rig)
{
	struct drm_ringfence_doorbell_connect request = { .handle = rig->doorbell.handle };

	assert_int_equal(rf_hosted_request(file, DRM_RINGFENCE_DOORBELL_CONNECT, &request), 0);
}

/*
 * There are fewer than the greedy one connects, again and again: the other has lost its own
 * before it can ring. What it has written is done with each connection nevertheless.
 */
static void doorbells(void **state)
{
	struct device_world *world = device_world_new();
	struct rig greedy[8], modest;
	const struct kmd_queue *queue;
	struct rf_hw_queue *hw;
	struct rf_file *file;
	u64 *write_pointer;
	u32 i, round;

	(void)state;
	world->device.has_engines = true;
	assert_int_equal(rf_hosted_open(world->shell, &file), 0);
	modest = make_rig(file, 0);
	queue = kmd_table_find(&file->file->table, KMD_QUEUE, modest.queue.handle);
	hw = queue->h_hw_queue;
	write_pointer = (u64 *)map(file, modest.memory.mmap_offset) + 2048 / 8;
	for (i = 0; i < ARRAY_SIZE(greedy); i++)
		greedy[i] = make_rig(world->file, i % 2);
	for (round = 1; round <= 20; round++) {
		for (i = 0; i < ARRAY_SIZE(greedy); i++)
			connect(world->file, &greedy[i]);
		assert_int_equal(rig_status(&modest), RF_DOORBELL_DISCONNECTED_RETRY);
		rf_write_once64(write_pointer, round); /* of commands of no bytes */
		connect(file, &modest);
		assert_int_equal(rig_status(&modest), RF_DOORBELL_CONNECTED);
		assert_int_equal(hw->residence.state, RF_QUEUE_RESIDENT);
		assert_int_equal(*fake_device_register(&world->device,
						       RF_REG_SLOT_POINTERS(hw->residence.slot)),
				 round);
	}
	rf_hosted_close(file);
	device_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("slots", slots),
		TEST("packets", packets),
		TEST("a-packet-without-end", a_packet_without_end),
		TEST("packets-without-end", packets_without_end),
		TEST("doorbells", doorbells),
	};

	return cmocka_run_group_tests_name("fair share", tests, NULL, NULL);
}
