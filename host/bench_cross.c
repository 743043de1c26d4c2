// SPDX-License-Identifier: Apache-2.0
/*
 * A signal on one device that ends a wait on another, by the CPU's way and from device to device
 * (docs/two-devices.md), with the driver. What a simulation knows of the host are the cycles of its
 * accesses; its instructions take no time there.
 */
#include <errno.h>
#include <inttypes.h>

#include "bench.h"
#include "ringfence.h"
#include "setup.h"

#define CROSS_SIGNALS 1000u
#define TIMED 2u /* the signal whose times are taken: what it uses is in TLBs */

struct side {
	struct rf_device *device;
	struct rf_queue *queue;
	struct rf_commands *commands;
	struct rf_fence *fence; /* of both devices, as this one has it open */
	struct rf_recorder *recorder;
};

struct cross {
	struct rf_setup setup;
	struct side signaller, waiter;
	struct rf_fence *done; /* of the waiter's queue, behind its wait */
	struct rf_event *event;
};

static void open_side(struct cross *cross, unsigned int device, uint32_t node, struct side *side)
{
	side->device = rf_setup_device(&cross->setup, device);
	rf_bench_must(rf_queue_create(side->device, node, 16, 0, &side->queue), "queue");
	rf_bench_must(rf_commands_create(side->queue, 4096, RF_MEMORY_SYSTEM, &side->commands),
		      "commands");
	rf_commands_log(side->commands, 0);
	side->recorder = rf_recorder_create(rf_setup_sim(&cross->setup, device));
	rf_bench_must(side->recorder ? 0 : -ENOMEM, "recorder");
}

static void close_side(struct side *side)
{
	rf_fence_destroy(side->fence);
	rf_queue_destroy(side->queue);
	rf_commands_destroy(side->commands);
	rf_recorder_destroy(side->recorder);
}

static void cross_open(struct cross *cross, const char *device)
{
	struct side *from = &cross->signaller, *to = &cross->waiter;
	uint64_t token;

	rf_bench_must(rf_setup_open_devices(&cross->setup, device, 0), "set-up");
	open_side(cross, 0, RF_ENGINE_COPY, from);
	open_side(cross, 1, RF_ENGINE_COPY, to);
	rf_bench_must(rf_fence_create(from->device, RF_FENCE_DEFAULT, RF_FENCE_CROSS_ADAPTER, 0,
				      &from->fence),
		      "fence");
	rf_bench_must(rf_fence_share(from->fence, &token), "share");
	rf_bench_must(rf_fence_open(to->device, token, 0, &to->fence), "open");
	rf_bench_must(rf_fence_create(to->device, RF_FENCE_DEFAULT, 0, 0, &cross->done), "fence");
	rf_bench_must(rf_event_create(to->device, &cross->event), "event");
}

static void cross_close(struct cross *cross)
{
	rf_event_destroy(cross->event);
	rf_fence_destroy(cross->done);
	close_side(&cross->waiter);
	close_side(&cross->signaller);
	rf_bench_must(rf_setup_destroy(&cross->setup), "the end");
}

static bool world_idle(void *context)
{
	return rfsim_idle(context);
}

static void settle(struct cross *cross)
{
	struct rfsim_world *world = cross->setup.world.simulation;

	rf_bench_must(rfsim_run_until(world, world_idle, world, 100000), "rest");
}

/* The queue of the waiter stands at its wait, and a thread will hear of its end. */
static void begin_wait(struct cross *cross, uint64_t value)
{
	struct side *to = &cross->waiter;

	rf_commands_reset(to->commands);
	rf_command_wait(to->commands, to->fence, value);
	rf_command_signal(to->commands, cross->done, value);
	rf_bench_must(rf_fences_notify(&cross->done, &value, 1, RF_WAIT_ALL, cross->event), "wait");
	rf_bench_must(rf_queue_submit(to->queue, to->commands), "submission");
	settle(cross);
}

/* The thread that waits for the event is the one in which the kernel works. */
static void signal_value(struct cross *cross, uint64_t value)
{
	struct side *from = &cross->signaller;

	rf_commands_reset(from->commands);
	rf_command_signal(from->commands, from->fence, value);
	rf_bench_must(rf_queue_submit(from->queue, from->commands), "submission");
	rf_bench_must(rf_event_wait(cross->event, RF_TIMEOUT_NONE), "wait");
	settle(cross);
}

static void set_latency_cpu(struct cross *cross)
{
	struct side *from = &cross->signaller, *to = &cross->waiter;
	uint64_t handed, msix, notified, packet;
	const struct rfsim_tlp *notify;
	struct rfsim_bar bar;

	rf_bench_must(rfsim_bar(rf_setup_sim(&cross->setup, 1), 0, &bar), "BAR 0");
	handed = rf_recorder_event(from->recorder, RF_EVENT_FENCE(RF_NODE_COPY), 0, 0);
	msix = rf_recorder_tlp(from->recorder, RFSIM_POSTED, RFSIM_MSI_BASE, RFSIM_MSI_BYTES,
			       handed)
		       ->first_cycle;
	notify = rf_recorder_tlp(to->recorder, RFSIM_RECEIVE, bar.address + RF_REG_FENCE_NOTIFY, 8,
				 msix);
	notified = notify->last_cycle;
	packet = rf_recorder_event(to->recorder, RF_EVENT_PACKET(RF_NODE_COPY), notified, 0);
	rf_bench_set(CROSS_RELEASE_CPU, (double)(msix - handed + packet - notified),
		     "to the MSI-X: %" PRIu64 ", from the notification: %" PRIu64
		     "; the host's share apart: accesses of %" PRIu64
		     " cycles, and its instructions",
		     msix - handed, packet - notified, notified - msix);
}

/* Cycles from SIGNAL to the waiter's next packet, and what the bus took of them. */
static struct {
	uint64_t all, bus;
} peer_latency;

/* The bus carries a word from device to device, and a read of CurrentValue with its completion. */
static void note_latency_peer(struct cross *cross)
{
	const struct rf_recorder *from = cross->signaller.recorder, *to = cross->waiter.recorder;
	uint64_t handed = rf_recorder_event(from, RF_EVENT_FENCE(RF_NODE_COPY), 0, 0);
	const struct rfsim_tlp *sent, *came, *read, *completion;
	struct rfsim_bar bar;

	rf_bench_must(rfsim_bar(rf_setup_sim(&cross->setup, 1), 0, &bar), "BAR 0");
	sent = rf_recorder_tlp(from, RFSIM_POSTED, bar.address, bar.bytes, handed);
	came = rf_recorder_tlp(to, RFSIM_RECEIVE, bar.address, bar.bytes, handed);
	read = rf_recorder_tlp(to, RFSIM_READ, 0, UINT64_MAX, came->last_cycle);
	completion = rf_recorder_completion(to, read->last_cycle);
	peer_latency.all = rf_recorder_event(to, RF_EVENT_PACKET(RF_NODE_COPY), handed, 0) - handed;
	peer_latency.bus =
		came->last_cycle - sent->last_cycle + completion->first_cycle - read->last_cycle;
}

static uint64_t interrupts(struct cross *cross)
{
	struct rfsim_statistics statistics;

	rfsim_statistics(rf_setup_sim(&cross->setup, 0), &statistics);
	return statistics.transmit.tlps[RFSIM_TLP_MSI];
}

/*
 * One after the other, each ends a wait of a queue on the other device. Returns the interrupts; after
 * the timed one @timed is called.
 */
static uint64_t signal_all(struct cross *cross, uint64_t count, void (*timed)(struct cross *cross))
{
	uint64_t value, before = interrupts(cross);

	for (value = 1; value <= count; value++) {
		begin_wait(cross, value);
		if (value == TIMED) {
			rf_recorder_begin(cross->signaller.recorder);
			rf_recorder_begin(cross->waiter.recorder);
		}
		signal_value(cross, value);
		if (value == TIMED) {
			rf_recorder_end(cross->signaller.recorder);
			rf_recorder_end(cross->waiter.recorder);
			timed(cross);
		}
	}
	rf_bench_must(rf_fence_value(cross->waiter.fence) == count ? 0 : -EIO, "signals");
	return interrupts(cross) - before;
}

static void bench_cpu(void)
{
	struct cross cross = { 0 };

	cross_open(&cross, "sim:devices=2,peer-off=1");
	rf_bench_set(
		INTERRUPTS_CROSS_CPU, (double)signal_all(&cross, CROSS_SIGNALS, set_latency_cpu),
		"one by one, each ends a wait of a queue on the other device; no CPU waits for "
		"the fence");
	cross_close(&cross);
}

/* @bus: device string; signals @count times. Returns the interrupts of the signaller. */
static uint64_t bench_bus(const char *bus, uint64_t count)
{
	struct cross cross = { 0 };
	uint64_t raised;

	cross_open(&cross, bus);
	raised = signal_all(&cross, count, note_latency_peer);
	cross_close(&cross);
	return raised;
}

/* 500 ns are 63 cycles: once from device to device, twice for a read. */
static void bench_peer(void)
{
	rf_bench_set(INTERRUPTS_CROSS_PEER,
		     (double)bench_bus("sim:devices=2,read-latency=0", CROSS_SIGNALS), "the same");
	rf_bench_set(CROSS_RELEASE_PEER, (double)(peer_latency.all - peer_latency.bus),
		     "SIGNAL issued to the waiter's next packet, beside the bus, which takes its "
		     "least: %" PRIu64,
		     peer_latency.bus);
	bench_bus("sim:devices=2,read-latency=126,peer-delay=63", TIMED);
	rf_bench_set(CROSS_RELEASE_PEER_500NS, (double)peer_latency.all,
		     "the same with the bus, which takes 500 ns each way: %" PRIu64,
		     peer_latency.bus);
}

void rf_bench_cross(void)
{
	bench_cpu();
	bench_peer();
}
