// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output.h"
#include "ringfence_hw.h"
#include "timeline.h"
#include "umd.h"

#define FACTOR 2654435761u
#define ADDEND 40503u
#define CHUNK_BYTES 4096u
#define BUFFERS 4u /* chunks in local memory at the same time */
#define RING_ENTRIES 4096u
#define SUBMISSIONS 1024u /* per queue, at most: all fit the ring, and the memories of a handle */
#define WORDS_PER_CHUNK 14u /* of commands: a wait, the work, a signal */

enum { UPLOAD, COMPUTE, DOWNLOAD };

const char *const rf_job_queue_names[] = { "upload", "compute", "download" };
const char *const rf_job_fence_names[] = { "uploaded", "computed", "downloaded" };

uint64_t rf_job_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* --- input and output ------------------------------------------------------------------ */

/* Read to the end of file: a FIFO or a file of /proc does not report its length. */
static int read_to_end(int file, uint8_t **result, uint64_t *count)
{
	size_t capacity = 1u << 16, used = 0;
	uint8_t *bytes = malloc(capacity), *larger;
	ssize_t got = 1;
	int error = bytes ? 0 : -ENOMEM;

	while (!error && got) {
		if (used == capacity) {
			larger = realloc(bytes, 2 * capacity);
			if (!larger) {
				error = -ENOMEM;
				break;
			}
			bytes = larger;
			capacity *= 2;
		}
		got = read(file, bytes + used, capacity - used);
		if (got < 0 && errno != EINTR)
			error = -errno;
		used += got > 0 ? (size_t)got : 0;
	}
	if (error) {
		free(bytes);
		return error;
	}
	*result = bytes;
	*count = used;
	return 0;
}

int rf_job_read(struct rf_job *job, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	int error = file < 0 ? -errno : 0;
	uint8_t *bytes = NULL;

	if (!error)
		error = read_to_end(file, &bytes, &job->bytes);
	if (file >= 0)
		close(file);
	if (error) {
		fprintf(stderr, "ringfence: cannot read %s: %s\n", path,
			error == -EISDIR ? "it is a directory" : strerror(-error));
		return error;
	}
	job->padded = (job->bytes + 3) / 4 * 4;
	job->chunks = (job->padded + CHUNK_BYTES - 1) / CHUNK_BYTES;
	error = rf_memory_create(job->device, job->padded + 1, RF_MEMORY_SYSTEM, &job->source);
	if (!error)
		error = rf_memory_create(job->device, job->padded + 1, RF_MEMORY_SYSTEM,
					 &job->result);
	if (error)
		fprintf(stderr, "ringfence: no memory for two copies of %" PRIu64 " bytes: %s\n",
			job->bytes, strerror(-error));
	else
		memcpy(rf_memory_map(job->source), bytes, job->bytes);
	free(bytes);
	return error;
}

int rf_job_write(const struct rf_job *job, const char *path)
{
	return rf_output_write(path, rf_memory_map(job->result), job->bytes);
}

int rf_job_check(const struct rf_job *job)
{
	const uint32_t *source = rf_memory_map(job->source);
	const uint32_t *result = rf_memory_map(job->result);
	uint64_t i;

	for (i = 0; i < job->padded / 4; i++) {
		if (result[i] != FACTOR * source[i] + ADDEND) {
			fprintf(stderr, "ringfence: the result is wrong from byte %" PRIu64 "\n",
				i * 4);
			return -EIO;
		}
	}
	return 0;
}

/* --- the work --------------------------------------------------------------------------- */

static uint64_t chunk_bytes(const struct rf_job *job, uint64_t chunk)
{
	uint64_t left = job->padded - chunk * CHUNK_BYTES;

	return left < CHUNK_BYTES ? left : CHUNK_BYTES;
}

static uint64_t buffer_address(const struct rf_job *job, uint64_t chunk)
{
	return rf_memory_address(job->buffers) + chunk % BUFFERS * CHUNK_BYTES;
}

/* Chunk i of a fence is value i + 1. */
static void record_upload(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	if (chunk >= BUFFERS) /* the buffer's previous chunk must be out */
		rf_command_wait(commands, job->fences[DOWNLOAD], chunk - BUFFERS + 1);
	rf_command_copy(commands, buffer_address(job, chunk),
			rf_memory_address(job->source) + chunk * CHUNK_BYTES,
			chunk_bytes(job, chunk));
	rf_command_signal(commands, job->fences[UPLOAD], chunk + 1);
}

static void record_compute(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	uint64_t buffer = buffer_address(job, chunk);

	rf_command_wait(commands, job->fences[UPLOAD], chunk + 1);
	rf_command_vector(commands, RF_VECTOR_AXPB, buffer, buffer, (uint64_t)ADDEND << 32 | FACTOR,
			  chunk_bytes(job, chunk) / 4);
	rf_command_signal(commands, job->fences[COMPUTE], chunk + 1);
}

static void record_download(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	rf_command_wait(commands, job->fences[COMPUTE], chunk + 1);
	rf_command_copy(commands, rf_memory_address(job->result) + chunk * CHUNK_BYTES,
			buffer_address(job, chunk), chunk_bytes(job, chunk));
	rf_command_signal(commands, job->fences[DOWNLOAD], chunk + 1);
}

typedef void record_fn(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk);

static record_fn *const records[] = { record_upload, record_compute, record_download };

static void tell(const struct rf_job *job, const char *what, const char *of, uint64_t begin)
{
	char name[40];

	if (!job->on_cpu)
		return;
	snprintf(name, sizeof(name), "%s %s", what, of);
	job->on_cpu(job->context, name, begin, rf_job_time());
}

static int submit_chunks(struct rf_job *job, unsigned int queue, uint64_t first, uint64_t end)
{
	struct rf_commands **commands = &job->commands[job->command_count];
	uint64_t chunk, begin;
	int error;

	error = rf_commands_create(job->queues[queue], (end - first) * WORDS_PER_CHUNK * 8,
				   RF_MEMORY_SYSTEM, commands);
	if (error)
		return error;
	job->command_count++;
	for (chunk = first; chunk < end; chunk++)
		records[queue](job, *commands, chunk);
	begin = rf_job_time();
	error = rf_queue_submit(job->queues[queue], *commands);
	tell(job, "submit", rf_job_queue_names[queue], begin);
	return error;
}

static int submit_all(struct rf_job *job)
{
	uint64_t per_submission = (job->chunks + SUBMISSIONS - 1) / SUBMISSIONS;
	uint64_t first, end;
	unsigned int queue;
	int error = 0;

	job->commands = calloc(3 * SUBMISSIONS, sizeof(*job->commands));
	if (!job->commands)
		return -ENOMEM;
	for (first = 0; first < job->chunks && !error; first = end) {
		end = first + per_submission;
		if (end > job->chunks)
			end = job->chunks;
		for (queue = 0; queue < RF_JOB_QUEUES && !error; queue++)
			error = submit_chunks(job, queue, first, end);
	}
	return error;
}

static int report_stopped(struct rf_job *job)
{
	uint64_t address;
	unsigned int i;
	uint32_t error;
	int result = 0;

	for (i = 0; i < RF_JOB_QUEUES; i++) {
		if (rf_queue_status(job->queues[i], &error, &address) != -EIO)
			continue;
		fprintf(stderr, "ringfence: queue %s stopped: error %u at 0x%" PRIx64 ": %s\n",
			rf_job_queue_names[i], error, address, rf_queue_error_string(error));
		result = -EIO;
	}
	return result;
}

/* Wait for the last chunk only; poll the value at a low rate to show progress. */
static int wait_all(struct rf_job *job, bool progress)
{
	const bool terminal = isatty(STDOUT_FILENO);
	uint64_t shown = 0, value;
	int error;

	while ((error = rf_fence_wait(job->fences[DOWNLOAD], job->chunks, 500000000)) ==
	       -ETIMEDOUT) {
		value = rf_fence_value(job->fences[DOWNLOAD]);
		if (progress && (terminal || value * 10 / job->chunks != shown))
			printf(terminal ? "\r  %" PRIu64 " of %" PRIu64 " chunks"
					: "  %" PRIu64 " of %" PRIu64 " chunks\n",
			       value, job->chunks);
		fflush(stdout);
		shown = value * 10 / job->chunks;
		error = report_stopped(job);
		if (error)
			return error;
	}
	if (progress && terminal && !error)
		printf("\r");
	/* A value that was reached by the loss of a queue does not mean that the work is done. */
	if (error)
		report_stopped(job);
	return error;
}

void rf_job_name(const struct rf_job *job, struct rf_timeline *timeline)
{
	unsigned int i;

	for (i = 0; i < RF_JOB_QUEUES; i++) {
		/* Slots are given out in this order. */
		rf_timeline_name(timeline, i, rf_job_queue_names[i]);
		rf_timeline_name_fence(timeline, job->fences[i]->handle, rf_job_fence_names[i]);
	}
}

int rf_job_run(struct rf_job *job, int progress)
{
	int error = submit_all(job);
	uint64_t begin;

	if (error)
		report_stopped(job);
	if (error || !job->chunks)
		return error;
	begin = rf_job_time();
	error = wait_all(job, progress);
	tell(job, "wait for", rf_job_fence_names[DOWNLOAD], begin);
	return error;
}

/* --- life -------------------------------------------------------------------------------- */

int rf_job_create(struct rf_job *job)
{
	static const uint32_t nodes[] = { RF_ENGINE_COPY, RF_ENGINE_COMPUTE, RF_ENGINE_COPY };
	struct rf_device *device = job->device;
	unsigned int i;
	int error;

	error = rf_memory_create(device, (uint64_t)BUFFERS * CHUNK_BYTES, RF_MEMORY_LOCAL,
				 &job->buffers);
	for (i = 0; i < RF_JOB_QUEUES && !error; i++)
		error = rf_queue_create(device, nodes[i], RING_ENTRIES, 0, &job->queues[i]);
	for (i = 0; i < RF_JOB_QUEUES && !error; i++)
		error = rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &job->fences[i]);
	if (error)
		fprintf(stderr, "ringfence: cannot create queues and fences: %s\n",
			rf_error_string(error));
	return error;
}

void rf_job_destroy(struct rf_job *job)
{
	unsigned int queue;
	uint64_t i;

	for (queue = 0; queue < RF_JOB_QUEUES; queue++) {
		rf_fence_destroy(job->fences[queue]);
		rf_queue_destroy(job->queues[queue]);
	}
	for (i = 0; i < job->command_count; i++)
		rf_commands_destroy(job->commands[i]);
	free(job->commands);
	rf_memory_destroy(job->buffers);
	rf_memory_destroy(job->result);
	rf_memory_destroy(job->source);
}
