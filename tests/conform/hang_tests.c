// SPDX-License-Identifier: Apache-2.0
/*
 * Recovery from hangs through the whole driver. The hangs are the device's own: an engine
 * whose requests nobody takes, a completion that never comes, a queue that traps again and
 * again. The clock of the progress watch is the test's.
 */
#include "rf_bus.h"
#include "rf_hosted.h"
#include "ringfence_hosted.h"
#include "ringfence_hw.h"
#include "stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM RF_CONFORM_SIM_ONLY
#define STACK RF_CONFORM_STACK
#define DELAY (2 * SECOND) /* KMD_TDR_DELAY */
#define ABORT DRM_RINGFENCE_DOORBELL_DISCONNECTED_ABORT
#define BYTES 4096u

/* --- the clock of the watch --------------------------------------------------------------- */

static uint64_t now;

/* So much later, in which the device ran for a while, the watch looks. */
static void look(struct rf_conform *conform, uint64_t later)
{
	rfsim_step(conform->setup.world.simulation, 3000);
	now += later;
	rf_hosted_watch_progress(conform->setup.world.hosted_device, now);
}

static struct rf_hosted_recoveries recoveries(struct rf_conform *conform)
{
	struct rf_hosted_recoveries recoveries;

	rf_hosted_recoveries(conform->setup.world.hosted_device, &recoveries);
	return recoveries;
}

static void check_recoveries(struct rf_conform *conform, uint64_t asked, uint64_t answered,
			     uint64_t engines, uint64_t adapters)
{
	struct rf_hosted_recoveries got = recoveries(conform);

	RF_CHECK_EQUAL(conform, got.preemption_requests, asked, "preemptions asked for");
	RF_CHECK_EQUAL(conform, got.preemptions, answered, "preemptions answered");
	RF_CHECK_EQUAL(conform, got.engine_resets, engines, "engine resets");
	RF_CHECK_EQUAL(conform, got.adapter_resets, adapters, "adapter resets");
}

static void write_register(struct rf_conform *conform, uint64_t offset, uint64_t value)
{
	rfsim_bar_write(conform->setup.world.sim, 0, offset, &value, sizeof(value));
}

/* From now on requests of the engine are not accepted. */
static void hold_engine(struct rf_conform *conform, unsigned int node)
{
	write_register(conform, RF_REG_NODE_ENGINE(node), RF_NODE_ENGINE_HOLD_MASK);
}

/* --- processes with work ------------------------------------------------------------------- */

/*
 * A queue of a process of its own that copies or computes, and what it does: nothing, if its node
 * has no engine.
 */
struct process {
	struct rf_device *device;
	struct rf_queue *queue;
	struct rf_memory *memory; /* source, then target */
	struct rf_commands *commands;
	bool moves;
	uint8_t byte;
};

static void process_open_in(struct rf_conform *conform, struct process *process,
			    struct rf_device *device, unsigned int node, uint32_t flags)
{
	struct rf_device_info info;
	uint64_t to, from;

	process->device = device;
	process->byte = 0;
	RF_CHECK_EQUAL(conform,
		       rf_queue_create(device, node, flags & RF_QUEUE_KERNEL ? 0 : 16, flags,
				       &process->queue),
		       0, "rf_queue_create");
	RF_CHECK_EQUAL(conform,
		       rf_memory_create(device, 2 * BYTES, RF_MEMORY_SYSTEM, &process->memory), 0,
		       "rf_memory_create");
	process->commands = stack_commands(conform, process->queue);
	from = rf_memory_address(process->memory);
	to = from + BYTES;
	rf_device_info(device, &info);
	process->moves = node == RF_ENGINE_COPY || info.vector_engine;
	if (node == RF_ENGINE_COPY)
		rf_command_copy(process->commands, to, from, BYTES);
	else if (process->moves)
		rf_command_vector(process->commands, RF_VECTOR_AXPB, to, from, 1, BYTES / 4);
}

static void process_open(struct rf_conform *conform, struct process *process, unsigned int node,
			 uint32_t flags)
{
	struct rf_device *device;

	RF_CHECK_EQUAL(conform, rf_device_open_hosted(conform->setup.world.hosted_device, &device),
		       0, "open");
	process_open_in(conform, process, device, node, flags);
}

static int process_submit(struct process *process)
{
	memset(rf_memory_map(process->memory), ++process->byte, BYTES);
	return rf_queue_submit(process->queue, process->commands);
}

/* What was submitted is done, and right. */
static void process_check(struct rf_conform *conform, struct process *process)
{
	const uint8_t *target = (const uint8_t *)rf_memory_map(process->memory) + BYTES;
	unsigned int i;

	RF_CHECK_EQUAL(conform, rf_queue_wait(process->queue, 20 * SECOND), 0, "rf_queue_wait");
	for (i = 0; i < BYTES && process->moves; i++)
		RF_CHECK_EQUAL(conform, target[i], process->byte, "byte of the target");
}

static void process_work(struct rf_conform *conform, struct process *process)
{
	RF_CHECK_EQUAL(conform, process_submit(process), 0, "submit");
	process_check(conform, process);
}

/* Its queue went with an engine or the adapter, and it is told so. */
static void check_lost(struct rf_conform *conform, struct process *process)
{
	struct rf_queue *queue;
	uint64_t address;
	uint32_t error;

	RF_CHECK_EQUAL(conform, rf_queue_status(process->queue, &error, &address), (uint64_t)-EIO,
		       "rf_queue_status");
	RF_CHECK_EQUAL(conform, error, RF_QUEUE_ERROR_ENGINE_RESET, "error");
	if (rf_queue_completed(process->queue) < rf_queue_submitted(process->queue))
		RF_CHECK_EQUAL(conform, rf_queue_wait(process->queue, 0), (uint64_t)-EIO, "wait");
	RF_CHECK_EQUAL(conform, process_submit(process), (uint64_t)-EIO, "submit");
	if (process->queue->status) {
		struct drm_ringfence_doorbell_connect connect = {
			.handle = process->queue->doorbell_handle,
		};

		RF_CHECK_EQUAL(conform, __atomic_load_n(process->queue->status, __ATOMIC_ACQUIRE),
			       ABORT, "doorbell status");
		RF_CHECK_EQUAL(conform,
			       rf_carrier_request(process->device->carrier,
						  DRM_RINGFENCE_DOORBELL_CONNECT, &connect),
			       (uint64_t)-EIO, "reconnect");
	}
	RF_CHECK_EQUAL(conform, rf_queue_create(process->device, 0, 16, 0, &queue), (uint64_t)-EIO,
		       "another queue of the lost process");
}

static void process_close(struct process *process)
{
	rf_commands_destroy(process->commands);
	rf_queue_destroy(process->queue);
	rf_device_close(process->device);
}

/* --- a process that ends before recovery ------------------------------------------------------ */

/* No process waits for the hung engine, and nothing of the ended process remains. */
static void process_ends_while_it_hangs(struct rf_conform *conform)
{
	struct process guilty, behind;
	uint64_t faults = stack_counter(conform, RF_COUNTER_FAULTS);

	process_open(conform, &guilty, RF_ENGINE_COPY, 0);
	process_open(conform, &behind, RF_ENGINE_COPY, 0);
	process_work(conform, &guilty);
	hold_engine(conform, RF_NODE_COPY);
	RF_CHECK_EQUAL(conform, process_submit(&guilty), 0, "submit");
	RF_CHECK_EQUAL(conform, process_submit(&behind), 0, "submit");
	rfsim_step(conform->setup.world.simulation, 2000);
	rf_device_close(guilty.device);
	process_check(conform, &behind);
	process_work(conform, &behind);
	stack_settle(conform);
	/* the root complex would see an access to memory that is given back */
	RF_CHECK_EQUAL(conform, stack_counter(conform, RF_COUNTER_FAULTS), faults, "faults");
	process_close(&behind);
}

/* --- processes that are not recovered -------------------------------------------------------------------- */

static void patient_watch(struct rf_conform *conform)
{
	struct rf_queue *waiting = stack_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_queue *trapped = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_commands *wait = stack_commands(conform, waiting);
	struct rf_commands *trap = stack_commands(conform, trapped);
	struct process busy;
	uint64_t code;
	unsigned int i;

	process_open(conform, &busy, RF_ENGINE_COPY, 0);
	rf_command_wait(wait, fence, 1);
	stack_submit(conform, wait);
	for (i = 0; i < 20; i++)
		rf_command_trap(trap, 7);
	stack_submit(conform, trap);
	now = 0;
	rf_watch_clear();
	for (i = 0; i < 40; i++) {
		/* a queue that traps repeatedly delays no other queue */
		if (i % 2 && !rf_queue_trapped(trapped, &code))
			RF_CHECK_EQUAL(conform, rf_queue_resume(trapped), 0, "resume");
		RF_CHECK_EQUAL(conform, process_submit(&busy), 0, "submit");
		look(conform, SECOND);
		process_check(conform, &busy);
	}
	check_recoveries(conform, 0, 0, 0, 0);
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 1), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, rf_queue_wait(waiting, 20 * SECOND), 0, "the queue that waited");
	RF_CHECK_EQUAL(conform, rf_queue_wait(trapped, 20 * SECOND), 0, "the queue that trapped");
	process_close(&busy);
}

/* An engine that is slow, but moves: asked for nothing, however long it takes. */
static void slow_engine(struct rf_conform *conform)
{
	struct process slow;
	unsigned int i;

	process_open(conform, &slow, RF_ENGINE_COPY, 0);
	now = 0;
	RF_CHECK_EQUAL(conform, process_submit(&slow), 0, "submit");
	for (i = 0; i < 60; i++) {
		hold_engine(conform, RF_NODE_COPY);
		look(conform, SECOND);
		write_register(conform, RF_REG_NODE_ENGINE(RF_NODE_COPY), 0);
		rfsim_step(conform->setup.world.simulation, 8);
	}
	check_recoveries(conform, 0, 0, 0, 0);
	process_check(conform, &slow);
	process_close(&slow);
}

/* --- one engine -------------------------------------------------------------------------------- */

static void hang_and_recover(struct rf_conform *conform, unsigned int node)
{
	struct process guilty, behind, beside;
	struct rf_commands *signal;
	struct rf_queue *other;
	struct rf_fence *fence;
	unsigned int i;

	process_open(conform, &guilty, node, 0);
	process_open(conform, &behind, node, 0);
	process_open(conform, &beside, node ^ 1, 0);
	RF_CHECK_EQUAL(conform, rf_queue_create(guilty.device, node ^ 1, 16, 0, &other), 0,
		       "another queue of the guilty process");
	RF_CHECK_EQUAL(conform, rf_fence_create(beside.device, RF_FENCE_DEFAULT, 0, 0, &fence), 0,
		       "fence");
	process_work(conform, &guilty);
	process_work(conform, &behind);
	now = 0;
	look(conform, SECOND);
	hold_engine(conform, node);
	RF_CHECK_EQUAL(conform, process_submit(&guilty), 0, "submit");
	RF_CHECK_EQUAL(conform, process_submit(&behind), 0, "submit");
	rf_watch_clear();
	look(conform, SECOND / 10); /* sees it move for the last time */
	for (i = 0; i < 20; i++) {
		look(conform, SECOND / 10);
		process_work(conform, &beside);
		check_recoveries(conform, 0, 0, 0, 0);
	}
	look(conform, SECOND / 10);
	check_recoveries(conform, 1, 0, 0, 0);
	for (i = 1; i < 20; i++) {
		look(conform, SECOND / 10);
		process_work(conform, &beside);
		check_recoveries(conform, 1, 0, 0, 0);
	}
	signal = stack_commands(conform, beside.queue);
	rf_command_signal(signal, fence, 1);
	stack_submit(conform, signal);
	look(conform, SECOND / 10);
	check_recoveries(conform, 1, 0, 1, 0);
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_EVICT, 0) <
			 rf_watch_position(RF_WATCH_RESET_HW_ENGINE, 0),
		 "reset before the request to preempt");
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_RESET_HW_ENGINE, 0)->extra, node,
		       "node that was reset");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_RESET_HW_ENGINE), 1, "resets");

	check_lost(conform, &guilty);
	process_check(conform, &behind);
	RF_CHECK_EQUAL(conform, rf_fence_wait(fence, 1, 20 * SECOND), 0, "fence of a neighbour");
	for (i = 0; i < 5; i++) {
		process_work(conform, &beside);
		process_work(conform, &behind);
		look(conform, SECOND);
	}
	check_recoveries(conform, 1, 0, 1, 0);
	/* the process that was lost opens the device again */
	rf_commands_destroy(guilty.commands);
	rf_queue_destroy(other);
	rf_queue_destroy(guilty.queue);
	rf_device_close(guilty.device);
	process_open(conform, &guilty, node, 0);
	process_work(conform, &guilty);
	process_close(&guilty);
	process_close(&behind);
}

static void copy_engine_hangs(struct rf_conform *conform)
{
	hang_and_recover(conform, RF_NODE_COPY);
}

static void compute_engine_hangs(struct rf_conform *conform)
{
	hang_and_recover(conform, RF_NODE_COMPUTE);
}

/* The engine goes on just when it is asked: whatever ran is put back and finishes. */
static void answers_in_time(struct rf_conform *conform)
{
	struct process slow;
	unsigned int i;

	process_open(conform, &slow, RF_ENGINE_COPY, 0);
	now = 0;
	hold_engine(conform, RF_NODE_COPY);
	RF_CHECK_EQUAL(conform, process_submit(&slow), 0, "submit");
	for (i = 0; i < 4; i++)
		look(conform, SECOND);
	check_recoveries(conform, 1, 0, 0, 0);
	write_register(conform, RF_REG_NODE_ENGINE(RF_NODE_COPY), 0);
	look(conform, SECOND / 2);
	check_recoveries(conform, 1, 1, 0, 0);
	for (i = 0; i < 10; i++)
		look(conform, SECOND);
	check_recoveries(conform, 1, 1, 0, 0);
	process_check(conform, &slow);
	process_close(&slow);
}

/* The device's own watchdog: HUNG, and the request to preempt, without waiting. */
static void device_reports_hung(struct rf_conform *conform)
{
	const struct rf_watch_note *notify;
	struct process guilty;

	process_open(conform, &guilty, RF_ENGINE_COMPUTE, 0);
	now = 0;
	look(conform, 0);
	write_register(conform, RF_REG_NODE_WATCHDOG(RF_NODE_COMPUTE), 2000);
	process_work(conform, &guilty);
	hold_engine(conform, RF_NODE_COMPUTE);
	rf_watch_clear();
	RF_CHECK_EQUAL(conform, process_submit(&guilty), 0, "submit");
	rfsim_step(conform->setup.world.simulation, 1000);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY), 0, "reports before the limit");
	rfsim_step(conform->setup.world.simulation, 3000 * rf_conform_clock(conform));
	notify = rf_watch_find(RF_WATCH_NOTIFY, 0);
	RF_CHECK(conform, notify && notify->value == RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
		 "HUNG is not reported");
	/* work at PASSIVE is done behind any request */
	rf_queue_trapped(guilty.queue, &(uint64_t){ 0 });
	check_recoveries(conform, 1, 0, 0, 0);
	look(conform, SECOND);
	check_recoveries(conform, 1, 0, 0, 0);
	look(conform, DELAY);
	check_recoveries(conform, 1, 0, 1, 0);
	check_lost(conform, &guilty);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY), 1 + 2,
		       "HUNG, the failed operation, the preemption");
	process_close(&guilty);
}

/* --- what the miniport promises, asked directly ---------------------------------------------- */

static void dependent_group(struct rf_conform *conform)
{
	struct rf_device_info info;
	const struct rf_ddi *ddi;
	void *h_adapter;
	uint32_t node;

	ddi = rf_watch_behind(&h_adapter);
	rf_device_info(conform->setup.device, &info);
	for (node = 0; node < info.nodes; node++) {
		struct rf_query_dependent_engine_group group = { .node_ordinal = node };

		RF_CHECK_EQUAL(conform, ddi->query_dependent_engine_group(h_adapter, &group), 0,
			       "query_dependent_engine_group");
		RF_CHECK_EQUAL(conform, group.dependent_node_ordinal_mask,
			       node == RF_NODE_COMPUTE ? 1 : (1ull << info.nodes) - 2, "mask");
	}
}

/* Another queue of the process, of the packet model, for the same commands. */
static uint32_t packet_queue(struct rf_conform *conform, struct process *process, uint32_t node)
{
	struct drm_ringfence_queue_create create = {
		.node = node,
		.flags = DRM_RINGFENCE_QUEUE_PACKETS,
	};

	RF_CHECK_EQUAL(conform, rf_request(process->device, DRM_RINGFENCE_QUEUE_CREATE, &create), 0,
		       "a context");
	return create.handle;
}

static void submit_packet(struct rf_conform *conform, struct process *process, uint32_t queue)
{
	struct drm_ringfence_queue_submit request = {
		.queue = queue,
		.memory = process->commands->memory->handle,
		.size = process->commands->count * 8,
	};

	memset(rf_memory_map(process->memory), ++process->byte, BYTES);
	RF_CHECK_EQUAL(conform, rf_request(process->device, DRM_RINGFENCE_QUEUE_SUBMIT, &request),
		       0, "a packet");
}

static struct drm_ringfence_queue_status packet_status(struct rf_conform *conform,
						       struct process *process, uint32_t queue)
{
	struct drm_ringfence_queue_status status = { .handle = queue };

	RF_CHECK_EQUAL(conform, rf_request(process->device, DRM_RINGFENCE_QUEUE_STATUS, &status), 0,
		       "status");
	return status;
}

/* The kernel schedules: of two contexts on the node the one that ran is lost. */
static void aborted_id_is_in_range(struct rf_conform *conform)
{
	const struct rf_watch_note *reset;
	struct process guilty, other;
	uint32_t guilty_packets, other_packets;
	unsigned int i;

	process_open(conform, &guilty, RF_ENGINE_COPY, RF_QUEUE_KERNEL);
	process_open(conform, &other, RF_ENGINE_COPY, RF_QUEUE_KERNEL);
	guilty_packets = packet_queue(conform, &guilty, RF_NODE_COPY);
	other_packets = packet_queue(conform, &other, RF_NODE_COPY);
	submit_packet(conform, &guilty, guilty_packets); /* id 1 */
	submit_packet(conform, &other, other_packets); /* id 2 */
	stack_settle(conform);
	hold_engine(conform, RF_NODE_COPY);
	submit_packet(conform, &guilty, guilty_packets); /* id 3 */
	rfsim_step(conform->setup.world.simulation, 2000);
	submit_packet(conform, &guilty, guilty_packets); /* id 4 */
	submit_packet(conform, &other, other_packets); /* id 5 */
	now = 0;
	rf_watch_clear();
	for (i = 0; i < 7; i++)
		look(conform, SECOND);
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_RESET_ENGINE), 1, "resets");
	reset = rf_watch_find(RF_WATCH_RESET_ENGINE, 0);
	RF_CHECK_EQUAL(conform, reset->address, 0, "reset_engine");
	RF_CHECK_EQUAL(conform, reset->value, 3, "LastAbortedFenceId");
	RF_CHECK_EQUAL(conform, packet_status(conform, &guilty, guilty_packets).error,
		       RF_QUEUE_ERROR_ENGINE_RESET, "error of the guilty");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, packet_status(conform, &other, other_packets).error, 0,
		       "error of the other");
	RF_CHECK_EQUAL(conform, packet_status(conform, &other, other_packets).completed, 2,
		       "packets of the other");
	check_recoveries(conform, 1, 0, 1, 0);
	/* the node works on, for hardware queues as well */
	process_work(conform, &other);
	submit_packet(conform, &other, other_packets);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, packet_status(conform, &other, other_packets).completed, 3,
		       "packets of the other");
	process_close(&guilty);
	process_close(&other);
}

/* What was aborted is behind the last completed id: the next preemption says so, too. */
static void aborted_is_completed(struct rf_conform *conform)
{
	struct process guilty, other;
	uint32_t guilty_packets, other_packets;
	unsigned int i;

	process_open(conform, &guilty, RF_ENGINE_COPY, RF_QUEUE_KERNEL);
	process_open(conform, &other, RF_ENGINE_COPY, RF_QUEUE_KERNEL);
	guilty_packets = packet_queue(conform, &guilty, RF_NODE_COPY);
	other_packets = packet_queue(conform, &other, RF_NODE_COPY);
	submit_packet(conform, &guilty, guilty_packets);
	stack_settle(conform);
	hold_engine(conform, RF_NODE_COPY);
	submit_packet(conform, &guilty, guilty_packets);
	now = 0;
	for (i = 0; i < 7; i++)
		look(conform, SECOND);
	check_recoveries(conform, 1, 0, 1, 0);
	hold_engine(conform, RF_NODE_COPY);
	submit_packet(conform, &other, other_packets);
	for (i = 0; i < 4; i++)
		look(conform, SECOND);
	check_recoveries(conform, 2, 0, 1, 0);
	write_register(conform, RF_REG_NODE_ENGINE(RF_NODE_COPY), 0);
	stack_settle(conform);
	check_recoveries(conform, 2, 1, 1, 0);
	RF_CHECK_EQUAL(conform, packet_status(conform, &other, other_packets).completed, 1,
		       "packets of the other");
	process_close(&guilty);
	process_close(&other);
}

/* A signal with a waiter comes from the node while its engine stands still. */
static void quiet_until_resumed(struct rf_conform *conform)
{
	const struct rf_hw_engine engine = { .node_ordinal = RF_NODE_COPY };
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_queue *beside = stack_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct rf_fence *other = stack_fence(conform, 0, 0);
	struct rf_event *event = stack_notify(conform, fence, 1);
	struct rf_event *told = stack_notify(conform, other, 1);
	const struct rf_ddi *ddi;
	void *h_adapter;

	ddi = rf_watch_behind(&h_adapter);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, ddi->reset_hw_engine(h_adapter, &engine), 0, "reset_hw_engine");
	rf_watch_clear();
	stack_signal(conform, queue, fence, 1);
	stack_signal(conform, beside, other, 1);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), 1, "the signal was made");
	RF_CHECK(conform, stack_is_set(told), "an interrupt of another node");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY), 1, "reports");
	RF_CHECK_EQUAL(conform, rf_watch_find(RF_WATCH_NOTIFY, 0)->extra, RF_NODE_COMPUTE,
		       "node that reported");
	RF_CHECK(conform, !stack_is_set(event), "the node reported before it was resumed");
	RF_CHECK_EQUAL(conform, ddi->resume_hw_engine(h_adapter, &engine), 0, "resume_hw_engine");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY), 2, "reports");
	look(conform, 0); /* runs the deferred part, as the core does behind a reset */
	RF_CHECK(conform, stack_is_set(event), "the report was lost");
}

/* --- fences of a lost process --------------------------------------------------------------------- */

static struct rf_fence *share(struct rf_conform *conform, struct rf_device *from,
			      struct rf_device *to, uint32_t type, uint32_t flags)
{
	struct rf_fence *fence;
	uint64_t token;

	RF_CHECK_EQUAL(conform, rf_fence_create(from, type, flags | RF_FENCE_SHARED, 1, &fence), 0,
		       "rf_fence_create");
	RF_CHECK_EQUAL(conform, rf_fence_share(fence, &token), 0, "rf_fence_share");
	RF_CHECK_EQUAL(conform, rf_fence_open(to, token, 0, &fence), 0, "rf_fence_open");
	return fence;
}

static void fences_of_the_lost(struct rf_conform *conform)
{
	struct process guilty, innocent;
	struct rf_fence *native, *monitored, *kept, *own;
	struct rf_event *at_native, *at_monitored, *at_kept;
	struct rf_commands *commands;
	unsigned int i;

	process_open(conform, &guilty, RF_ENGINE_COPY, 0);
	process_open(conform, &innocent, RF_ENGINE_COMPUTE, 0);
	native = share(conform, guilty.device, innocent.device, RF_FENCE_DEFAULT, 0);
	monitored = share(conform, guilty.device, innocent.device, RF_FENCE_MONITORED, 0);
	kept = share(conform, guilty.device, innocent.device, RF_FENCE_MONITORED,
		     RF_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR);
	RF_CHECK_EQUAL(conform, rf_fence_create(innocent.device, RF_FENCE_DEFAULT, 0, 1, &own), 0,
		       "rf_fence_create");
	at_native = stack_notify(conform, native, 1000);
	at_monitored = stack_notify(conform, monitored, UINT64_MAX);
	at_kept = stack_notify(conform, kept, 2);
	/* an engine waits for it, too */
	commands = stack_commands(conform, innocent.queue);
	rf_command_wait(commands, native, 100);
	rf_command_signal(commands, native, 7);
	rf_command_signal(commands, own, 2);
	rf_command_wait(commands, native, 5000);
	stack_submit(conform, commands);

	hold_engine(conform, RF_NODE_COPY);
	RF_CHECK_EQUAL(conform, process_submit(&guilty), 0, "submit");
	now = 0;
	for (i = 0; i < 4; i++)
		look(conform, SECOND);
	RF_CHECK(conform, !stack_is_set(at_native) && !stack_is_set(at_monitored),
		 "signalled before the reset");
	for (i = 0; i < 2; i++)
		look(conform, SECOND);
	check_lost(conform, &guilty);
	RF_CHECK(conform, stack_is_set(at_native), "waiter of the native fence");
	RF_CHECK(conform, stack_is_set(at_monitored), "waiter of the monitored fence");
	RF_CHECK(conform, !stack_is_set(at_kept), "waiter of a fence that keeps its value");
	RF_CHECK_EQUAL(conform, rf_fence_value(monitored), UINT64_MAX, "monitored fence");
	RF_CHECK_EQUAL(conform, rf_fence_value(kept), 1, "fence that keeps its value");
	/* the engine's waits pass, and its signal in between changes nothing for long */
	RF_CHECK_EQUAL(conform, rf_queue_wait(innocent.queue, 20 * SECOND), 0,
		       "the engine that waits");
	RF_CHECK_EQUAL(conform, rf_fence_value(own), 2, "a fence of the innocent");
	RF_CHECK_EQUAL(conform, rf_fence_value(native), UINT64_MAX, "native fence");
	RF_CHECK_EQUAL(conform, rf_fence_signal(native, 3), 0, "a signal by the CPU");
	RF_CHECK_EQUAL(conform, rf_fence_value(native), UINT64_MAX, "native fence after it");
	RF_CHECK_EQUAL(conform, rf_fence_signal(kept, 2), 0, "a signal by the CPU");
	RF_CHECK(conform, stack_is_set(at_kept), "the fence is not dead");
	process_close(&guilty);
	RF_CHECK_EQUAL(conform, rf_fence_wait(native, UINT64_MAX, 0), 0, "a later wait");
}

/* --- the adapter ----------------------------------------------------------------------------------- */

/* The command fetch of a queue never gets its answer, and there is no time-out for it. */
static void hang_adapter(struct rf_conform *conform, struct process *process)
{
	struct rfsim_fault fault = { .kind = RFSIM_FAULT_SILENCE, .last = UINT64_MAX, .count = 1 };
	unsigned int i;

	write_register(conform, RF_REG_DEVICE_COMPLETION_TIMEOUT, 0);
	stack_settle(conform);
	rfsim_fault_clear(conform->setup.world.sim);
	RF_CHECK_EQUAL(conform, rfsim_fault_add(conform->setup.world.sim, &fault), 0, "fault");
	process_submit(process);
	for (i = 0; i < 7; i++)
		look(conform, SECOND);
}

static void adapter_is_reset(struct rf_conform *conform)
{
	struct process guilty, innocent, again;
	struct rf_fence *fence = stack_fence(conform, 0, 4);
	struct rf_event *event;

	process_open(conform, &guilty, RF_ENGINE_COPY, 0);
	process_open(conform, &innocent, RF_ENGINE_COMPUTE, RF_QUEUE_KERNEL);
	process_work(conform, &guilty);
	process_work(conform, &innocent);
	now = 0;
	rf_watch_clear();
	hang_adapter(conform, &guilty);
	check_recoveries(conform, 1, 0, 0, 1);
	RF_CHECK(conform,
		 rf_watch_position(RF_WATCH_EVICT, 0) <
				 rf_watch_position(RF_WATCH_RESET_HW_ENGINE, 0) &&
			 rf_watch_position(RF_WATCH_RESET_HW_ENGINE, 0) <
				 rf_watch_position(RF_WATCH_RESET_ADAPTER, 0) &&
			 rf_watch_position(RF_WATCH_RESET_ADAPTER, 0) <
				 rf_watch_position(RF_WATCH_RESTART_ADAPTER, 0),
		 "order of the attempts");
	check_lost(conform, &guilty);
	check_lost(conform, &innocent);
	process_close(&guilty);
	process_close(&innocent);
	/* new work, and fences made before it, as ever; here lost too, but open */
	process_open(conform, &again, RF_ENGINE_COPY, 0);
	process_work(conform, &again);
	RF_CHECK_EQUAL(conform, rf_fence_create(again.device, RF_FENCE_DEFAULT, 0, 0, &fence), 0,
		       "fence");
	event = stack_notify(conform, fence, 9);
	RF_CHECK(conform, !stack_is_set(event), "set before the signal");
	stack_signal(conform, again.queue, fence, 9);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "an interrupt behind the reset");
	look(conform, SECOND);
	check_recoveries(conform, 1, 0, 0, 1);
	process_close(&again);
}

static void too_many_adapter_hangs(struct rf_conform *conform)
{
	struct process process;
	unsigned int i;

	/* engine resets do not count */
	now = 0;
	for (i = 0; i < 7; i++) {
		unsigned int looks;

		process_open(conform, &process, RF_ENGINE_COPY, 0);
		hold_engine(conform, RF_NODE_COPY);
		RF_CHECK_EQUAL(conform, process_submit(&process), 0, "submit");
		for (looks = 0; looks < 6; looks++)
			look(conform, SECOND);
		check_lost(conform, &process);
		process_close(&process);
	}
	RF_CHECK_EQUAL(conform, recoveries(conform).engine_resets, 7, "engine resets");
	/* five resets of the adapter in a minute are recovered from, any number over more */
	for (i = 0; i < 7; i++) {
		process_open(conform, &process, RF_ENGINE_COPY, 0);
		process_work(conform, &process);
		hang_adapter(conform, &process);
		check_lost(conform, &process);
		process_close(&process);
		now += 6 * SECOND; /* 13 s for each */
		RF_CHECK_EQUAL(conform, recoveries(conform).adapter_resets, i + 1, "resets");
	}
	now += 60 * SECOND;
	for (i = 0; i < 5; i++) {
		process_open(conform, &process, RF_ENGINE_COPY, 0);
		process_work(conform, &process);
		hang_adapter(conform, &process);
		process_close(&process);
	}
	RF_CHECK_EQUAL(conform, recoveries(conform).adapter_resets, 12, "resets");
	process_open(conform, &process, RF_ENGINE_COPY, 0);
	process_work(conform, &process);
	hang_adapter(conform, &process);
	RF_CHECK_EQUAL(conform, recoveries(conform).adapter_resets, 12, "resets");
	RF_CHECK_EQUAL(conform, rf_queue_wait(process.queue, 0), (uint64_t)-ENODEV,
		       "a wait when recovery has ended");
	/* recovery has ended: let the lost reads end, so that everything can be closed */
	write_register(conform, RF_REG_DEVICE_COMPLETION_TIMEOUT, 1000);
	stack_settle(conform);
}

/* --- the dump ---------------------------------------------------------------------------------- */

/*
 * The number behind a path of names and element numbers, such as "device/slot/index/3/wait_value".
 * The dump is machine-made: no white space, no names that need escapes.
 */
static const char *skip_value(const char *at)
{
	unsigned int depth = 0;
	bool quoted = false;

	for (;; at++) {
		if (*at == '"')
			quoted = !quoted;
		if (quoted)
			continue;
		if (!depth && (*at == ',' || *at == '}' || *at == ']'))
			return at;
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
	}
}

static const char *find_member(struct rf_conform *conform, const char *at, const char *name,
			       size_t length)
{
	unsigned long index = strtoul(name, NULL, 10);
	bool list = *at == '[';

	for (at++; *at != '}' && *at != ']'; at += *at == ',') {
		if (list && !index--)
			return at;
		if (!list && !strncmp(at + 1, name, length) && at[1 + length] == '"')
			return at + length + 3;
		at = skip_value(list ? at : strchr(at, ':') + 1);
	}
	rf_conform_fail(conform, __FILE__, __LINE__, "the dump has no %s", name);
}

static const char *dump_find(struct rf_conform *conform, const char *json, const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");

		json = find_member(conform, json, path, length);
		path += length + (path[length] == '/');
	}
	return json;
}

static uint64_t dump_number(struct rf_conform *conform, const char *json, const char *path)
{
	return strtoull(dump_find(conform, json, path), NULL, 10);
}

static bool dump_says(struct rf_conform *conform, const char *json, const char *path,
		      const char *word)
{
	const char *at = dump_find(conform, json, path);

	return *at == '"' && !strncmp(at + 1, word, strlen(word)) && at[1 + strlen(word)] == '"';
}

/* What the test set up, number by number; and that looking changed nothing. */
static void dump_is_true(struct rf_conform *conform)
{
	struct rf_queue *waiting = stack_queue(conform, RF_ENGINE_COMPUTE); /* slot 0 */
	struct rf_fence *fence = stack_fence(conform, 0, 7);
	struct rf_commands *commands = stack_commands(conform, waiting);
	struct rf_hosted_device *hosted = conform->setup.world.hosted_device;
	struct process guilty; /* slot 1 */
	char *json, *again, *text;
	uint64_t i, found = 0, progress;
	char path[64];

	process_open(conform, &guilty, RF_ENGINE_COPY, 0);
	process_work(conform, &guilty);
	stack_settle(conform);
	hold_engine(conform, RF_NODE_COPY);
	rf_command_wait(commands, fence, 4711);
	stack_submit(conform, commands);
	RF_CHECK_EQUAL(conform, process_submit(&guilty), 0, "submit");
	rfsim_step(conform->setup.world.simulation, 5000);
	progress = rf_setup_register(&conform->setup, 0, RF_REG_NODE_RETIRED(RF_NODE_COPY));
	RF_CHECK_EQUAL(conform, rf_hosted_dump(hosted, true, &json), 0, "rf_hosted_dump");

#define NUMBER(path) dump_number(conform, json, path)
	/* the kernel */
	RF_CHECK_EQUAL(conform, NUMBER("kernel/queues/0/queued"), 1, "queued");
	RF_CHECK_EQUAL(conform, NUMBER("kernel/queues/0/completed"), 0, "completed");
	RF_CHECK_EQUAL(conform, NUMBER("kernel/queues/1/node"), RF_NODE_COPY, "node");
	RF_CHECK_EQUAL(conform, NUMBER("kernel/queues/1/queued"), 2, "queued");
	RF_CHECK_EQUAL(conform, NUMBER("kernel/queues/1/completed"), 1, "completed");
	RF_CHECK_EQUAL(conform, NUMBER("kernel/fences/1/value"), 7, "value of the fence");
	/* slots, waits, doorbells */
	RF_CHECK(conform, dump_says(conform, json, "device/slot/index/0/status/state", "waiting"),
		 "state of the queue that waits");
	RF_CHECK_EQUAL(conform, NUMBER("device/slot/index/0/wait_value"), 4711, "wait value");
	RF_CHECK_EQUAL(conform, NUMBER("device/slot/index/0/wait_address"), fence->current_address,
		       "wait address");
	RF_CHECK_EQUAL(conform, NUMBER("device/slot/index/0/config/vmid"), 1, "VMID");
	RF_CHECK(conform, dump_says(conform, json, "device/slot/index/1/status/state", "running"),
		 "state of the queue that hangs");
	RF_CHECK_EQUAL(conform, NUMBER("device/slot/index/1/config/vmid"), 2, "VMID");
	RF_CHECK_EQUAL(conform, NUMBER("device/slot/index/1/pointers"), 1, "read pointer");
	RF_CHECK_EQUAL(conform, NUMBER("device/slot/index/1/write_pointer"), 2, "write pointer");
	RF_CHECK(conform, dump_says(conform, json, "device/slot/index/2/status/state", "disabled"),
		 "state of an empty slot");
	RF_CHECK_EQUAL(conform, NUMBER("device/fence/waiting"), 1, "slots that wait");
	RF_CHECK_EQUAL(conform, NUMBER("device/fence/wait_stages/inserted"), 1, "inserted");
	RF_CHECK_EQUAL(conform, NUMBER("device/fence/wait_stages/stalled"), 1, "stalled");
	RF_CHECK_EQUAL(conform, NUMBER("device/fence/wait_stages/translating"), 0, "translating");
	RF_CHECK_EQUAL(conform, NUMBER("device/fence/stages/busy"), 0, "fence unit");
	/* the one that rang first has the first doorbell */
	RF_CHECK_EQUAL(conform, NUMBER("device/doorbell/bind/0/slot"), 1, "doorbell 0");
	RF_CHECK_EQUAL(conform, NUMBER("device/doorbell/bind/1/bound"), 1, "doorbell 1");
	RF_CHECK_EQUAL(conform, NUMBER("device/doorbell/bind/1/slot"), 0, "doorbell 1");
	RF_CHECK_EQUAL(conform, NUMBER("device/doorbell/bind/2/bound"), 0, "doorbell 2");
	/* engines and counters */
	RF_CHECK_EQUAL(conform, NUMBER("device/node/index/0/status/busy"), 0, "compute node");
	RF_CHECK_EQUAL(conform, NUMBER("device/node/index/1/status/busy"), 1, "copy node");
	RF_CHECK_EQUAL(conform, NUMBER("device/node/index/1/status/slot"), 1, "slot served");
	RF_CHECK_EQUAL(conform, NUMBER("device/node/index/1/engine/operations"), 1, "operations");
	RF_CHECK_EQUAL(conform, NUMBER("device/node/index/1/engine/hold"), 1, "hold");
	RF_CHECK_EQUAL(conform, NUMBER("device/node/index/1/retired"), progress, "retired");
	RF_CHECK_EQUAL(conform, NUMBER("device/counter/value/waits"), 1, "waits");
	RF_CHECK_EQUAL(conform, NUMBER("device/counter/value/faults"), 0, "faults");
	/* the TLB knows where the fence is */
	for (i = 0; i < 64 && !found; i++) {
		uint64_t offset, page = fence->current_address & ~4095ull;
		struct rf_mem *mem;

		snprintf(path, sizeof(path), "device/tlb/%u/virtual", (unsigned int)i);
		if (NUMBER(path) != page)
			continue;
		snprintf(path, sizeof(path), "device/tlb/%u/vmid", (unsigned int)i);
		if (NUMBER(path) != 1)
			continue;
		mem = rf_watch_memory(page, &offset);
		snprintf(path, sizeof(path), "device/tlb/%u/physical", (unsigned int)i);
		RF_CHECK_EQUAL(conform, NUMBER(path), mem->address + offset, "physical address");
		found++;
	}
	RF_CHECK_EQUAL(conform, found, 1, "the fence's page in the TLB");
	/* looking changed nothing: the second look says the same but for the time */
	RF_CHECK_EQUAL(conform, rf_hosted_dump(hosted, true, &again), 0, "rf_hosted_dump");
	RF_CHECK_EQUAL(conform, dump_number(conform, again, "device/node/index/1/alive"),
		       NUMBER("device/node/index/1/alive"), "ALIVE");
	RF_CHECK_EQUAL(conform, dump_number(conform, again, "device/slot/index/0/wait_value"), 4711,
		       "wait value");
	/* text has what JSON has, but for what is 0 */
	RF_CHECK_EQUAL(conform, rf_hosted_dump(hosted, false, &text), 0, "rf_hosted_dump");
	RF_CHECK(conform, strstr(text, "wait_value 0x1267\n"), "text without the wait value");
	RF_CHECK(conform, strstr(text, "state waiting\n"), "text without the state");
	RF_CHECK(conform, strstr(text, "operations 1\n"), "text without the operations");
	RF_CHECK_EQUAL(conform, rf_fence_signal(fence, 4711), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, rf_queue_wait(waiting, 20 * SECOND), 0, "the queue that waited");
#undef NUMBER
	free(json);
	free(again);
	free(text);
}

const struct rf_conform_test rf_conform_hang_tests[] = {
	{ "S3-36.who_waits_traps_or_works_is_left_alone", "S3-51", STACK, SIM, patient_watch },
	{ "S3-36.slow_engine_is_left_alone", NULL, STACK, SIM, slow_engine },
	{ "S3-36.hung_copy_engine_is_reset", "S4-2 S4-3 S3-29 S3-30", STACK, SIM,
	  copy_engine_hangs },
	{ "S3-36.hung_compute_engine_is_reset", "S4-2 S4-3 S3-29 S3-30", STACK,
	  SIM | RF_CONFORM_VECTOR, compute_engine_hangs },
	{ "S3-60.process_ends_while_its_engine_hangs", "S3-61", STACK, SIM,
	  process_ends_while_it_hangs },
	{ "S4-2.engine_that_answers_in_time_is_not_reset", "S4-14", STACK, SIM, answers_in_time },
	{ "S3-41.device_reports_hung", "S3-37 S4-2", STACK, SIM | RF_CONFORM_VECTOR,
	  device_reports_hung },
	{ "A-4.group_includes_the_node", NULL, STACK, SIM, dependent_group },
	{ "A-3.aborted_id_is_in_range", "S4-3", STACK, SIM, aborted_id_is_in_range },
	{ "A-2.aborted_is_completed", "S4-2", STACK, SIM, aborted_is_completed },
	{ "A-5.quiet_until_resumed", NULL, STACK, SIM, quiet_until_resumed },
	{ "A-11.fences_of_the_lost_get_their_greatest_value", NULL, STACK, SIM,
	  fences_of_the_lost },
	{ "A-2.adapter_reset_and_restart", NULL, STACK, SIM, adapter_is_reset },
	{ "device.dump_is_true", NULL, STACK, SIM, dump_is_true },
	{ "A-17.sixth_adapter_hang_ends_recovery", NULL, STACK, SIM, too_many_adapter_hangs },
	{ 0 },
};
