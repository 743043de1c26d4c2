/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main job: a file through a device. Three queues, ordered by native fences only:
 * upload copies a chunk into local memory, compute turns each 32-bit word x into
 * a * x + b there, download copies it back. A chunk is computed while the next is
 * uploaded. The CPU waits for the last value of the last fence.
 */
#ifndef RF_JOB_H
#define RF_JOB_H

#include <stdint.h>

#include "ringfence.h"

#define RF_JOB_QUEUES 3

/**
 * struct rf_job - the processing of one file; zeroed at first
 * @device: of the caller
 * @on_cpu: called for each activity of the CPU, with its begin and end in ns of CLOCK_MONOTONIC;
 *          or NULL
 * @context: of @on_cpu
 * @bytes: size of the file
 * @chunks: number of chunks
 * @queues: upload, compute, download
 * @fences: that each signals, to i + 1 behind chunk i
 */
struct rf_job {
	struct rf_device *device;
	void (*on_cpu)(void *context, const char *name, uint64_t begin, uint64_t end);
	void *context;

	uint64_t bytes;
	uint64_t chunks;
	struct rf_queue *queues[RF_JOB_QUEUES];
	struct rf_fence *fences[RF_JOB_QUEUES];

	uint64_t padded; /* to whole words */
	struct rf_memory *source, *result, *buffers;
	struct rf_commands **commands; /* three per submission */
	uint64_t command_count;
};

extern const char *const rf_job_queue_names[RF_JOB_QUEUES];
extern const char *const rf_job_fence_names[RF_JOB_QUEUES];

uint64_t rf_job_time(void); /* ns of CLOCK_MONOTONIC */

/* 0 or a negative errno; all but rf_job_run() print the reason on stderr. */
int rf_job_read(struct rf_job *job, const char *path);
int rf_job_create(struct rf_job *job);
/* Name its queues and fences in a timeline of the device; nothing else has queues there. */
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
