/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main job: a file through one device, or through two.
 *
 * On one device, three queues, ordered by native fences only: upload copies a chunk into local
 * memory, compute turns each 32-bit word x into a * x + b there, download copies it back. A chunk is
 * computed while the next is uploaded. The CPU waits for the last value of the last fence.
 *
 * A device without a vector engine leaves the words as they are; all else is the same.
 *
 * Two devices are a pipeline: upload, compute and send on the first one, receive, finish (another
 * a * x + b) and download on the second one. A fence that both have open says that a chunk was sent,
 * another one that it was received. Devices share no memory: the second one asks the program to copy
 * the chunk from memory of the first one to memory of the second one.
 */
#ifndef RF_JOB_H
#define RF_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "ringfence.h"

#define RF_JOB_DEVICES 2
#define RF_JOB_QUEUES_EACH 3 /* on a device */
#define RF_JOB_QUEUES (RF_JOB_DEVICES * RF_JOB_QUEUES_EACH)
#define RF_JOB_REQUESTS 2 /* fences between the second device and the program */

struct rf_job;

/**
 * struct rf_job_stage - what a queue does with each chunk
 * @queue: name of the queue
 * @fence: name of the fence that it signals, to i + 1 behind chunk i
 * @node: of the queue
 * @words: of its commands for a chunk, at most
 * @record: these commands
 */
struct rf_job_stage {
	const char *queue, *fence;
	uint32_t node, words;
	void (*record)(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk);
};

/**
 * struct rf_job - the processing of one file; zeroed at first
 * @devices: of the caller
 * @device_count: 1 or 2
 * @computes: whether a device has a vector engine
 * @on_cpu: called for each activity of the CPU, with its begin and end in ns of CLOCK_MONOTONIC;
 *          or NULL
 * @on_stall: called while a wait takes long, in intervals of real time
 * @context: of both
 * @bytes: size of the file
 * @chunks: number of chunks
 * @stages: what the queues do, in the order of a chunk, RF_JOB_QUEUES_EACH on each device
 * @queue_count: of queues, and stages
 * @fences: that the queues signal
 * @opened: of these, on the other device: those between the devices, else NULL
 * @requests: by which the second device asks for a copy, and the program answers
 */
struct rf_job {
	struct rf_device *devices[RF_JOB_DEVICES];
	unsigned int device_count;
	bool computes[RF_JOB_DEVICES];
	void (*on_cpu)(void *context, const char *name, uint64_t begin, uint64_t end);
	void (*on_stall)(void *context);
	void *context;

	uint64_t bytes;
	uint64_t chunks;
	const struct rf_job_stage *stages;
	unsigned int queue_count;
	struct rf_queue *queues[RF_JOB_QUEUES];
	struct rf_fence *fences[RF_JOB_QUEUES], *opened[RF_JOB_QUEUES];
	struct rf_fence *requests[RF_JOB_REQUESTS];

	uint64_t padded; /* to whole words */
	struct rf_memory *source, *result;
	struct rf_memory *buffers[RF_JOB_DEVICES]; /* local */
	struct rf_memory *passed[RF_JOB_DEVICES]; /* what the program copies from and to */
	struct rf_commands **commands; /* one per queue and submission */
	uint64_t command_count;
};

uint64_t rf_job_time(void); /* ns of CLOCK_MONOTONIC */

/* The device of a queue: an index of @devices. */
static inline unsigned int rf_job_device(unsigned int queue)
{
	return queue / RF_JOB_QUEUES_EACH;
}

/*
 * The number of a fence of the job, by its handle on a device: one number if both have it open. And
 * its name. RF_JOB_FENCES and "fence": it is none of the job's.
 */
#define RF_JOB_FENCES (RF_JOB_QUEUES + RF_JOB_REQUESTS)
unsigned int rf_job_fence(const struct rf_job *job, unsigned int device, uint32_t handle);
const char *rf_job_fence_name(const struct rf_job *job, unsigned int fence);

/* 0 or a negative errno; all but rf_job_run() print the reason on stderr. */
int rf_job_read(struct rf_job *job, const char *path);
int rf_job_create(struct rf_job *job);
/* Name its queues and fences in a timeline of the devices; nothing else has queues there. */
struct rf_timeline;
void rf_job_name(const struct rf_job *job, struct rf_timeline *timeline);
/* Submit everything, and wait; shows how far it is on stdout if @progress. */
int rf_job_run(struct rf_job *job, int progress);
/* The result is what the CPU computes. */
int rf_job_check(const struct rf_job *job);
int rf_job_write(const struct rf_job *job, const char *path);
/* Whatever of it there is. */
void rf_job_destroy(struct rf_job *job);

#endif
