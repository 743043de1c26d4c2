// SPDX-License-Identifier: Apache-2.0
/* Interrupts per signal, and how long the driver keeps interrupts off; with the driver. */
#include <errno.h>
#include <inttypes.h>

#include "bench.h"
#include "rf_hosted.h"
#include "ringfence.h"
#include "setup.h"

#define INTERRUPT_SIGNALS 1000u

struct job {
	struct rf_setup setup;
	struct rf_queue *queue;
	struct rf_fence *fence;
	struct rf_commands *commands;
};

static void job_open(struct job *job)
{
	rf_bench_must(rf_setup_create(&job->setup, NULL, NULL), "set-up");
	rf_bench_must(rf_queue_create(job->setup.device, RF_ENGINE_COPY, 16, 0, &job->queue),
		      "queue");
	rf_bench_must(rf_fence_create(job->setup.device, RF_FENCE_DEFAULT, 0, 0, &job->fence),
		      "fence");
	rf_bench_must(rf_commands_create(job->queue,
					 INTERRUPT_SIGNALS * RF_PACKET_SIGNAL_WORDS_MAX * 8,
					 RF_MEMORY_SYSTEM, &job->commands),
		      "commands");
}

static void job_close(struct job *job)
{
	rf_fence_destroy(job->fence);
	rf_queue_destroy(job->queue);
	rf_commands_destroy(job->commands);
	rf_bench_must(rf_setup_destroy(&job->setup), "the end");
}

static bool world_idle(void *context)
{
	return rfsim_idle(context);
}

static uint64_t interrupts(struct job *job)
{
	struct rfsim_statistics statistics;

	rfsim_statistics(job->setup.world.sim, &statistics);
	return statistics.transmit.tlps[RFSIM_TLP_MSI];
}

/* Signals 1, 2, 3, ... in one submission; the number of MSI-X that they caused. */
static uint64_t signal_all(struct job *job)
{
	uint64_t before = interrupts(job);
	unsigned int i;

	for (i = 1; i <= INTERRUPT_SIGNALS; i++)
		rf_command_signal(job->commands, job->fence, i);
	rf_bench_must(rf_queue_submit(job->queue, job->commands), "submission");
	rf_bench_must(rfsim_run_until(job->setup.world.simulation, world_idle,
				      job->setup.world.simulation, 10000000),
		      "signals");
	rf_bench_must(rf_fence_value(job->fence) == INTERRUPT_SIGNALS ? 0 : -EIO, "signals");
	return interrupts(job) - before;
}

void rf_bench_unwaited(void)
{
	struct job job;

	job_open(&job);
	rf_bench_set(INTERRUPTS_UNWAITED, (double)signal_all(&job), "signals back to back");
	job_close(&job);
}

/* A thousand CPU waits, one for each value, are pending when the signals begin. */
static uint64_t interrupts_all_pending(void)
{
	struct rf_event *event;
	struct job job;
	uint64_t value, count;

	job_open(&job);
	rf_bench_must(rf_event_create(job.setup.device, &event), "event");
	for (value = 1; value <= INTERRUPT_SIGNALS; value++)
		rf_bench_must(rf_fences_notify(&job.fence, &value, 1, RF_WAIT_ALL, event), "wait");
	count = signal_all(&job);
	rf_event_destroy(event);
	job_close(&job);
	return count;
}

/* One after the other: submit a signal, wait for it. */
void rf_bench_waited(void)
{
	struct job job;
	uint64_t value, before;

	job_open(&job);
	before = interrupts(&job);
	for (value = 1; value <= INTERRUPT_SIGNALS; value++) {
		rf_command_signal(job.commands, job.fence, value);
		rf_bench_must(rf_queue_submit(job.queue, job.commands), "submission");
		rf_bench_must(rf_fence_wait(job.fence, value, RF_TIMEOUT_NONE), "wait");
		rf_bench_must(rfsim_run_until(job.setup.world.simulation, world_idle,
					      job.setup.world.simulation, 10000),
			      "rest");
		rf_commands_reset(job.commands);
	}
	rf_bench_set(
		INTERRUPTS_WAITED, (double)(interrupts(&job) - before),
		"waited for one by one; signals back to back, a wait for each pending: %" PRIu64,
		interrupts_all_pending());
	job_close(&job);
}

/* --- interrupts off -------------------------------------------------------------------------------------- */

#define HELD_QUEUES 200

/*
 * The most rounds of loops of the driver (over lists, or polls of a register) in one hold of its
 * spinlocks, with many queues and waits, some runs of the watch, and D3.
 */
void rf_bench_held(void)
{
	struct rf_queue *queues[HELD_QUEUES];
	struct rf_event *event;
	struct job job;
	uint64_t value;
	unsigned int i;

	job_open(&job);
	rf_hosted_longest_hold();
	rf_bench_must(rf_event_create(job.setup.device, &event), "event");
	for (i = 0; i < HELD_QUEUES; i++)
		rf_bench_must(rf_queue_create(job.setup.device,
					      i % 2 ? RF_ENGINE_COPY : RF_ENGINE_COMPUTE, 16, 0,
					      &queues[i]),
			      "queue");
	for (value = 1; value <= INTERRUPT_SIGNALS; value++)
		rf_bench_must(rf_fences_notify(&job.fence, &value, 1, RF_WAIT_ALL, event), "wait");
	signal_all(&job);
	for (i = 0; i < 4; i++)
		rf_hosted_watch_progress(job.setup.world.hosted_device, i * 1000000000ull);
	rf_bench_must(rf_hosted_sleep(job.setup.world.hosted_device), "sleep");
	rf_bench_must(rf_hosted_wake(job.setup.world.hosted_device), "wake");
	for (i = 0; i < HELD_QUEUES; i++)
		rf_queue_destroy(queues[i]);
	rf_event_destroy(event);
	job_close(&job);
	rf_bench_set(HELD_ROUNDS, rf_hosted_longest_hold(), "%u queues, %u waits, D3 and back",
		     HELD_QUEUES, INTERRUPT_SIGNALS);
}
