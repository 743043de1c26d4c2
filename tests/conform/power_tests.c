// SPDX-License-Identifier: Apache-2.0
/*
 * F-states, D-states and the end of processes, through the whole driver. In D3 the device
 * is reset and its local memory overwritten: it loses all that a device without power
 * would.
 */
#include "base/adapter.h"
#include "scheduling/node.h"
#include "counted.h"
#include "hosted.h"

#define RETRY DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY
#define CONNECTED DRM_RINGFENCE_DOORBELL_CONNECTED

static struct rf_hosted_device *device_of(struct rf_conform *conform)
{
	return conform->setup.world.hosted_device;
}

static uint64_t status_of(const struct rf_queue *queue)
{
	return __atomic_load_n(queue->status, __ATOMIC_ACQUIRE);
}

static int connect_queue(struct rf_queue *queue)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = queue->doorbell_handle };

	return rf_carrier_request(queue->device->carrier, DRM_RINGFENCE_DOORBELL_CONNECT, &connect);
}

static bool is_f1(struct rf_conform *conform, uint32_t node)
{
	return device_of(conform)->adapter->nodes[node].state == KMD_ENGINE_F1;
}

/* The second look finds that nothing was done since the first. */
static void look_for_idle(struct rf_conform *conform)
{
	rf_hosted_look_for_idle(device_of(conform));
}

static void go_to_f1(struct rf_conform *conform, uint32_t node)
{
	unsigned int i;

	for (i = 0; i < 8 && !is_f1(conform, node); i++) {
		look_for_idle(conform);
		stack_settle(conform);
	}
	RF_CHECK(conform, is_f1(conform, node), "the engine does not get to F1");
}

/* --- F-states ------------------------------------------------------------------------------- */

/* Which of the calls was for the node. */
static size_t f_state_of(struct rf_conform *conform, uint32_t node)
{
	const struct rf_watch_note *note;
	size_t i;

	for (i = 0; (note = rf_watch_find(RF_WATCH_F_STATE, i)); i++)
		if (note->extra == node)
			return i;
	rf_conform_fail(conform, __FILE__, __LINE__, "no F-state of node %u", node);
}

static void idle_engine_goes_to_f1(struct rf_conform *conform)
{
	const struct rf_watch_note *told = NULL;
	struct counted counted;
	unsigned int i;

	counted_open(conform, &counted);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "before");
	stack_settle(conform);
	rf_watch_clear();
	go_to_f1(conform, RF_ENGINE_COMPUTE);
	for (i = 0; (told = rf_watch_find(RF_WATCH_NOTIFY, i)); i++)
		if (told->value == RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE &&
		    told->extra == RF_ENGINE_COMPUTE)
			break;
	RF_CHECK(conform, told, "the driver reported nothing");
	RF_CHECK_EQUAL(conform, told->address, RF_ENGINE_TRANSITION_TO_F1, "state reported");
	RF_CHECK(
		conform,
		rf_watch_position(RF_WATCH_DISCONNECT_DOORBELL, 0) <
			rf_watch_position(RF_WATCH_F_STATE, f_state_of(conform, RF_ENGINE_COMPUTE)),
		"F1 before the doorbell was disconnected");
	RF_CHECK_EQUAL(conform, status_of(counted.queue), RETRY, "status");
	rf_watch_clear();
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "after");
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_F_STATE, 0)->value, 0, "F-state");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_F_STATE, 0) <
			 rf_watch_position(RF_WATCH_CONNECT_DOORBELL, 0),
		 "connected before it was F0");
}

/* Work, also of one that waits, keeps the engine in F0. */
static void busy_engine_stays_in_f0(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_commands *commands = stack_commands(conform, queue);
	unsigned int i;

	rf_command_wait(commands, fence, 1);
	stack_submit(conform, commands);
	stack_settle(conform);
	for (i = 0; i < 5; i++) {
		look_for_idle(conform);
		stack_settle(conform);
	}
	RF_CHECK(conform, !is_f1(conform, RF_ENGINE_COPY), "F1 with work");
	RF_CHECK_EQUAL(conform, status_of(queue), CONNECTED, "status");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 1), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
}

/* Whichever way the race went: heard and done once, or not heard, connected and done once. */
static void judge(struct rf_conform *conform, struct counted *counted, const struct race *race,
		  unsigned int delay, unsigned int *heard)
{
	if (race->status == RETRY) {
		while (status_of(counted->queue) == RETRY)
			RF_CHECK_EQUAL(conform, connect_queue(counted->queue), 0, "connect");
		rf_carrier_ring(counted->queue->doorbell, counted->queue->submitted);
	} else {
		RF_CHECK_EQUAL(conform, race->status, CONNECTED, "status");
		++*heard;
	}
	RF_CHECK_EQUAL(conform, rf_queue_wait(counted->queue, 20 * SECOND), 0, "rf_queue_wait");
	stack_settle(conform);
	RF_CHECK(conform, counted_done(counted) == counted->want,
		 "ring after %u cycles: %u executions, not %u", delay, counted_done(counted),
		 counted->want);
}

static void begin_race(struct rf_conform *conform, struct race *race, unsigned int delay,
		       unsigned int gap)
{
	uint64_t now = rfsim_cycle(conform->setup.world.simulation);

	RF_CHECK(conform,
		 !rfsim_at(conform->setup.world.simulation, now + delay, ring_now, race) &&
			 !rfsim_at(conform->setup.world.simulation, now + delay + gap, read_now,
				   race),
		 "rfsim_at");
}

static void end_race(struct rf_conform *conform, const struct race *race)
{
	while (!race->read)
		rfsim_step(conform->setup.world.simulation, 1);
}

static void rings_race_with_f1(struct rf_conform *conform)
{
	static const unsigned int gaps[] = { 0, 20 };
	const unsigned int stretch = rf_conform_stretch(conform);
	unsigned int delay, i, rounds = 0, heard = 0;
	struct kmd_statistics statistics;
	uint64_t begin, length = 0;
	struct counted counted;

	counted_open(conform, &counted);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "before");
	for (delay = 0; delay < 300 * stretch; delay += stretch)
		for (i = 0; i < 2; i++, rounds++) {
			struct race race = { .counted = &counted };

			/* Behind a link the ring may have been done between both looks. */
			if (stretch > 1) {
				counted_submit(conform, &counted);
				counted_finish(conform, &counted, "before the race");
			}
			stack_settle(conform);
			look_for_idle(conform);
			RF_CHECK_EQUAL(conform, status_of(counted.queue), CONNECTED, "status");
			begin = rfsim_cycle(conform->setup.world.simulation);
			begin_race(conform, &race, delay, gaps[i]);
			look_for_idle(conform);
			look_for_idle(conform);
			length = rfsim_cycle(conform->setup.world.simulation) - begin;
			end_race(conform, &race);
			judge(conform, &counted, &race, delay, &heard);
			if (status_of(counted.queue) == RETRY)
				RF_CHECK_EQUAL(conform, connect_queue(counted.queue), 0, "connect");
		}
	kmd_adapter_statistics(device_of(conform)->adapter, &statistics);
	rf_conform_note(conform,
			"%u rings in cycles 0..%u of a transition of %llu: %u CONNECTED, %u "
			"RETRY, %llu times F1",
			rounds, delay - stretch, (unsigned long long)length, heard, rounds - heard,
			(unsigned long long)statistics.f1_transitions);
	RF_CHECK(conform, heard > 20 && rounds - heard > 20,
		 "the window was missed: %u of %u heard, length %llu", heard, rounds,
		 (unsigned long long)length);
}

/* --- D-states ------------------------------------------------------------------------------- */

static void go_to_d3(struct rf_conform *conform)
{
	RF_CHECK_EQUAL(conform, rf_hosted_sleep(device_of(conform)), 0, "rf_hosted_sleep");
	stack_lose_power(conform);
}

static void d3_is_last_and_connecting_wakes(struct rf_conform *conform)
{
	struct counted counted[3];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		counted_open(conform, &counted[i]);
		counted_submit(conform, &counted[i]);
		counted_finish(conform, &counted[i], "before");
	}
	rf_watch_clear();
	go_to_d3(conform);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_SUSPEND), 3, "contexts suspended");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_DISCONNECT_DOORBELL), 3, "disconnected");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_SUSPEND, 2) <
			 rf_watch_position(RF_WATCH_DISCONNECT_DOORBELL, 0),
		 "disconnected before all were suspended");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_DISCONNECT_DOORBELL, 2) <
			 rf_watch_position(RF_WATCH_POWER, 0),
		 "D3 before all were disconnected");
	for (i = 0; i < 3; i++)
		RF_CHECK_EQUAL(conform, status_of(counted[i].queue), RETRY, "status");
	rf_watch_clear();
	counted_submit(conform, &counted[1]);
	counted_finish(conform, &counted[1], "after");
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_POWER, 0)->value, RF_DEVICE_D0, "state");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_POWER, 0) <
				 rf_watch_position(RF_WATCH_CONNECT_DOORBELL, 0) &&
			 rf_watch_position(RF_WATCH_CONNECT_DOORBELL, 0) <
				 rf_watch_position(RF_WATCH_RESUME_CONTEXT, 0),
		 "order of the wake-up");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_RESUME_CONTEXT), 3, "contexts resumed");
	for (i = 0; i < 3; i++) {
		counted_submit(conform, &counted[i]);
		counted_finish(conform, &counted[i], "all of them");
	}
}

static void rings_race_with_d3(struct rf_conform *conform)
{
	unsigned int delay, rounds = 0, heard = 0;
	struct counted counted, other;

	counted_open(conform, &counted);
	counted_open(conform, &other);
	counted_submit(conform, &counted);
	counted_finish(conform, &counted, "before");
	for (delay = 0; delay < 720; delay += 18, rounds++) {
		struct race race = { .counted = &counted };

		stack_settle(conform);
		begin_race(conform, &race, delay, 0);
		RF_CHECK_EQUAL(conform, rf_hosted_sleep(device_of(conform)), 0, "sleep");
		end_race(conform, &race);
		stack_lose_power(conform);
		if (rounds % 2) { /* another one wakes the device */
			counted_submit(conform, &other);
			counted_finish(conform, &other, "another queue");
		}
		RF_CHECK_EQUAL(conform, rf_hosted_wake(device_of(conform)), 0, "wake");
		judge(conform, &counted, &race, delay, &heard);
		if (status_of(counted.queue) == RETRY)
			RF_CHECK_EQUAL(conform, connect_queue(counted.queue), 0, "connect");
	}
	rf_conform_note(conform, "%u rings in cycles 0..719: %u CONNECTED, %u RETRY", rounds, heard,
			rounds - heard);
	RF_CHECK(conform, heard > 5 && rounds - heard > 5, "the window was missed: %u of %u heard",
		 heard, rounds);
}

/* In the midst of an operation, with a waiter, and data in local memory. */
static void work_goes_on_after_d3(struct rf_conform *conform)
{
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_memory *local, *memory;
	struct rf_commands *commands;
	uint64_t words[512], i, done;
	struct rf_event *event;
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);

	RF_CHECK_EQUAL(
		conform,
		rf_memory_create(conform->setup.device, sizeof(words), RF_MEMORY_LOCAL, &local), 0,
		"rf_memory_create");
	RF_CHECK_EQUAL(conform, rf_memory_create(conform->setup.device, 1 << 17, 0, &memory), 0,
		       "rf_memory_create");
	for (i = 0; i < 512; i++)
		words[i] = i * 0x0101010101010101;
	rf_memory_write(local, 0, words, sizeof(words));
	event = stack_notify(conform, fence, 1);
	commands = stack_commands(conform, queue);
	rf_command_fill(commands, rf_memory_address(memory), 1 << 17, ~0ull);
	rf_command_copy(commands, rf_memory_address(memory), rf_memory_address(local),
			sizeof(words));
	rf_command_signal(commands, fence, 1);
	stack_submit(conform, commands);
	rfsim_step(conform->setup.world.simulation, 2000);
	go_to_d3(conform);
	for (done = 0; done < 1 << 17 && ((uint8_t *)rf_memory_map(memory))[done]; done++)
		;
	RF_CHECK(conform, done && done < 1 << 17, "stopped in the midst: %llu bytes",
		 (unsigned long long)done);
	RF_CHECK(conform, !stack_is_set(event), "the wait is over");
	RF_CHECK_EQUAL(conform, rf_hosted_wake(device_of(conform)), 0, "rf_hosted_wake");
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "the waiter sleeps on");
	RF_CHECK(conform, !memcmp(rf_memory_map(memory), words, sizeof(words)),
		 "local memory was lost");
	for (i = sizeof(words); i < 1 << 17; i++)
		RF_CHECK(conform, ((uint8_t *)rf_memory_map(memory))[i] == 0xff, "byte %llu",
			 (unsigned long long)i);
}

/* --- processes that end ----------------------------------------------------------------------- */

static void queue_that_finishes(struct rf_conform *conform)
{
	struct drm_ringfence_queue_destroy destroy = {
		.flags = DRM_RINGFENCE_QUEUE_DESTROY_FINISH,
		.deadline = RF_TIME_NEVER,
	};
	struct rf_memory *memory;
	struct rf_commands *commands;
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	unsigned int i;

	RF_CHECK_EQUAL(conform, rf_memory_create(conform->setup.device, 1 << 16, 0, &memory), 0,
		       "rf_memory_create");
	commands = stack_commands(conform, queue);
	rf_command_fill(commands, rf_memory_address(memory), 1 << 16, ~0ull);
	stack_submit(conform, commands);
	rf_watch_clear();
	destroy.handle = queue->handle;
	RF_CHECK_EQUAL(
		conform,
		rf_carrier_request(queue->device->carrier, DRM_RINGFENCE_QUEUE_DESTROY, &destroy),
		0, "destroy");
	for (i = 0; i < 1 << 16; i++)
		RF_CHECK(conform, ((uint8_t *)rf_memory_map(memory))[i] == 0xff, "byte %u", i);
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_DISCONNECT_DOORBELL, 0) <
				 rf_watch_position(RF_WATCH_DESTROY_DOORBELL, 0) &&
			 rf_watch_position(RF_WATCH_DESTROY_DOORBELL, 0) <
				 rf_watch_position(RF_WATCH_DESTROY_QUEUE, 0),
		 "order");
}

#define ENDS 200

/* A process with work of several kinds, at some point of it. */
static void one_process(struct rf_conform *conform)
{
	struct rf_commands *commands;
	struct rf_device_info info;
	struct rf_device *device;
	struct rf_memory *memory;
	struct rf_queue *queue;
	uint64_t address;
	unsigned int i, queues = 1 + (unsigned int)rf_conform_random(conform, 3);

	RF_CHECK_EQUAL(conform, rf_device_open_hosted(device_of(conform), &device), 0, "a process");
	rf_device_info(device, &info);
	RF_CHECK_EQUAL(conform,
		       rf_memory_create(device, 1 << 16,
					rf_conform_random(conform, 2) ? RF_MEMORY_LOCAL : 0,
					&memory),
		       0, "rf_memory_create");
	address = rf_memory_address(memory);
	for (i = 0; i < queues; i++) {
		uint32_t node = (uint32_t)rf_conform_random(conform, 2);
		uint32_t flags = rf_conform_random(conform, 3) ? 0 : RF_QUEUE_KERNEL;
		struct rf_fence *fence;

		RF_CHECK_EQUAL(conform,
			       rf_queue_create(device, node, flags ? 0 : 16, flags, &queue), 0,
			       "rf_queue_create");
		RF_CHECK_EQUAL(conform, rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &fence), 0,
			       "rf_fence_create");
		RF_CHECK_EQUAL(conform, rf_commands_create(queue, 200, 0, &commands), 0,
			       "rf_commands_create");
		switch (rf_conform_random(conform, 3)) {
		case 0: /* waits for ever */
			rf_command_wait(commands, fence, 1);
			break;
		case 1:
			rf_command_signal(commands, fence, 1);
			break;
		}
		if (node == RF_ENGINE_COPY)
			rf_command_fill(commands, address, 1 << 15, i);
		else if (info.vector_engine)
			rf_command_vector(commands, RF_VECTOR_AXPB, address, address,
					  3ull << 32 | 1, 1 << 10);
		else
			rf_command_write(commands, address, i);
		RF_CHECK_EQUAL(conform, rf_queue_submit(queue, commands), 0, "rf_queue_submit");
	}
	rfsim_step(conform->setup.world.simulation, rf_conform_random(conform, 3000));
	rf_watch_clear();
	rf_device_close(device);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_DESTROY_QUEUE), queues, "queues destroyed");
	for (i = 0; i < queues; i++)
		RF_CHECK(conform,
			 rf_watch_position(RF_WATCH_SUSPEND, i) <
				 rf_watch_position(RF_WATCH_DESTROY_QUEUE, 0),
			 "a queue destroyed before all were suspended");
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_DESTROY_QUEUE, queues - 1) <
			 rf_watch_position(RF_WATCH_UNMAP, rf_watch_count(RF_WATCH_UNMAP) - 1),
		 "memory taken from living queues");
}

/* DMA to memory that was freed fails the run: the root complex does not know it. */
static void processes_end_at_any_moment(struct rf_conform *conform)
{
	struct counted counted[2];
	unsigned int end, i;

	for (i = 0; i < 2; i++)
		counted_open(conform, &counted[i]);
	for (end = 0; end < ENDS; end++) {
		for (i = 0; i < 2; i++)
			counted_submit(conform, &counted[i]);
		one_process(conform);
		for (i = 0; i < 2; i++)
			counted_finish(conform, &counted[i], "of another process");
		RF_CHECK(conform, !rfsim_world_check(conform->setup.world.simulation),
			 "after end %u: %s", end,
			 rfsim_world_check(conform->setup.world.simulation));
	}
	RF_CHECK_EQUAL(conform, stack_counter(conform, RF_COUNTER_FAULTS), 0, "translation faults");
	rf_conform_note(conform, "%u ends, seed 0x%llx", ENDS, (unsigned long long)conform->seed);
}

#define STACK RF_CONFORM_STACK
#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_power_tests[] = {
	{ "S3-37.idle_engine_goes_to_f1", "S3-38 S3-39", STACK, SIM, idle_engine_goes_to_f1 },
	{ "S3-37.busy_engine_stays_in_f0", NULL, STACK, SIM, busy_engine_stays_in_f0 },
	{ "S3-40.rings_race_with_f1", "S3-39", STACK, SIM, rings_race_with_f1 },
	{ "S3-42.d3_is_last_and_connecting_wakes", "S3-44 S3-45", STACK, SIM,
	  d3_is_last_and_connecting_wakes },
	{ "S3-43.work_goes_on_after_d3", "S3-46", STACK, SIM, work_goes_on_after_d3 },
	{ "S3-46.rings_race_with_d3", NULL, STACK, SIM, rings_race_with_d3 },
	{ "S3-58.queue_that_finishes", NULL, STACK, SIM, queue_that_finishes },
	{ "S3-61.processes_end_at_any_moment", "S3-59 S3-60", STACK, SIM,
	  processes_end_at_any_moment },
	{ 0 },
};
