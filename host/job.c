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

#define CHUNK_BYTES 4096u
#define BUFFERS 4u /* chunks in local memory at the same time */
#define RING_ENTRIES 4096u
#define SUBMISSIONS 1024u /* per queue, at most: all fit the ring, and the memories of a handle */

/* x -> factor * x + addend, by each device. They do not commute: the order matters. */
static const struct {
	uint32_t factor, addend;
} steps[RF_JOB_DEVICES] = { { 2654435761u, 40503u }, { 1664525u, 1013904223u } };

/* Queues, by their place in rf_job.queues. The last one of a device takes chunks out of it. */
enum { UPLOAD, COMPUTE, DOWNLOAD };
enum { SEND = DOWNLOAD, RECEIVE, FINISH, DOWNLOAD_FINISHED };
enum { ASKED, COPIED };

static const char *const request_names[RF_JOB_REQUESTS] = { "asked", "copied" };

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
	error = rf_memory_create(job->devices[0], job->padded + 1, RF_MEMORY_SYSTEM, &job->source);
	if (!error)
		error = rf_memory_create(job->devices[job->device_count - 1], job->padded + 1,
					 RF_MEMORY_SYSTEM, &job->result);
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

static uint32_t compute(const struct rf_job *job, uint32_t word)
{
	unsigned int i;

	for (i = 0; i < job->device_count; i++)
		if (job->computes[i])
			word = steps[i].factor * word + steps[i].addend;
	return word;
}

int rf_job_check(const struct rf_job *job)
{
	const uint32_t *source = rf_memory_map(job->source);
	const uint32_t *result = rf_memory_map(job->result);
	uint64_t i;

	for (i = 0; i < job->padded / 4; i++) {
		if (result[i] != compute(job, source[i])) {
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

static uint64_t place(uint64_t chunk)
{
	return chunk % BUFFERS * CHUNK_BYTES;
}

static uint64_t buffer_address(const struct rf_job *job, unsigned int device, uint64_t chunk)
{
	return rf_memory_address(job->buffers[device]) + place(chunk);
}

/* What the chunk replaces in one of BUFFERS places must be out. */
static void wait_for_place(struct rf_commands *commands, struct rf_fence *out, uint64_t chunk)
{
	if (chunk >= BUFFERS)
		rf_command_wait(commands, out, chunk - BUFFERS + 1);
}

static void record_copy(const struct rf_job *job, struct rf_commands *commands, uint64_t to,
			uint64_t from, uint64_t chunk)
{
	rf_command_copy(commands, to, from, chunk_bytes(job, chunk));
}

static void record_step(const struct rf_job *job, struct rf_commands *commands, unsigned int device,
			uint64_t chunk)
{
	uint64_t buffer = buffer_address(job, device, chunk);

	if (!job->computes[device])
		return;
	rf_command_vector(commands, RF_VECTOR_AXPB, buffer, buffer,
			  (uint64_t)steps[device].addend << 32 | steps[device].factor,
			  chunk_bytes(job, chunk) / 4);
}

/* Chunk i of a fence is value i + 1. */
static void record_upload(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	wait_for_place(commands, job->fences[DOWNLOAD], chunk);
	record_copy(job, commands, buffer_address(job, 0, chunk),
		    rf_memory_address(job->source) + chunk * CHUNK_BYTES, chunk);
	rf_command_signal(commands, job->fences[UPLOAD], chunk + 1);
}

static void record_compute(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	rf_command_wait(commands, job->fences[UPLOAD], chunk + 1);
	record_step(job, commands, 0, chunk);
	rf_command_signal(commands, job->fences[COMPUTE], chunk + 1);
}

static void record_download(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	rf_command_wait(commands, job->fences[COMPUTE], chunk + 1);
	record_copy(job, commands, rf_memory_address(job->result) + chunk * CHUNK_BYTES,
		    buffer_address(job, 0, chunk), chunk);
	rf_command_signal(commands, job->fences[DOWNLOAD], chunk + 1);
}

/* The other device must have received what the chunk replaces in the memory that is passed. */
static void record_send(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	rf_command_wait(commands, job->fences[COMPUTE], chunk + 1);
	wait_for_place(commands, job->opened[RECEIVE], chunk);
	record_copy(job, commands, rf_memory_address(job->passed[0]) + place(chunk),
		    buffer_address(job, 0, chunk), chunk);
	rf_command_signal(commands, job->fences[SEND], chunk + 1);
}

/* The program copies what was sent into memory of this device, when it is asked. */
static void record_receive(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	rf_command_wait(commands, job->opened[SEND], chunk + 1);
	rf_command_signal(commands, job->requests[ASKED], chunk + 1);
	rf_command_wait(commands, job->requests[COPIED], chunk + 1);
	wait_for_place(commands, job->fences[DOWNLOAD_FINISHED], chunk);
	record_copy(job, commands, buffer_address(job, 1, chunk),
		    rf_memory_address(job->passed[1]) + place(chunk), chunk);
	rf_command_signal(commands, job->fences[RECEIVE], chunk + 1);
}

static void record_finish(const struct rf_job *job, struct rf_commands *commands, uint64_t chunk)
{
	rf_command_wait(commands, job->fences[RECEIVE], chunk + 1);
	record_step(job, commands, 1, chunk);
	rf_command_signal(commands, job->fences[FINISH], chunk + 1);
}

static void record_download_finished(const struct rf_job *job, struct rf_commands *commands,
				     uint64_t chunk)
{
	rf_command_wait(commands, job->fences[FINISH], chunk + 1);
	record_copy(job, commands, rf_memory_address(job->result) + chunk * CHUNK_BYTES,
		    buffer_address(job, 1, chunk), chunk);
	rf_command_signal(commands, job->fences[DOWNLOAD_FINISHED], chunk + 1);
}

#define WORDS 14u /* a wait, the work, a signal */
#define WORDS_BETWEEN 28u /* up to three waits, the work, two signals */

static const struct rf_job_stage on_one[] = {
	[UPLOAD] = { "upload", "uploaded", RF_ENGINE_COPY, WORDS, record_upload },
	[COMPUTE] = { "compute", "computed", RF_ENGINE_COMPUTE, WORDS, record_compute },
	[DOWNLOAD] = { "download", "downloaded", RF_ENGINE_COPY, WORDS, record_download },
};

static const struct rf_job_stage on_two[] = {
	[UPLOAD] = { "upload", "uploaded", RF_ENGINE_COPY, WORDS, record_upload },
	[COMPUTE] = { "compute", "computed", RF_ENGINE_COMPUTE, WORDS, record_compute },
	[SEND] = { "send", "sent", RF_ENGINE_COPY, WORDS_BETWEEN, record_send },
	[RECEIVE] = { "receive", "received", RF_ENGINE_COPY, WORDS_BETWEEN, record_receive },
	[FINISH] = { "finish", "finished", RF_ENGINE_COMPUTE, WORDS, record_finish },
	[DOWNLOAD_FINISHED] = { "download", "downloaded", RF_ENGINE_COPY, WORDS,
				record_download_finished },
};

/* The fence whose last value means that everything is done. */
static unsigned int last_queue(const struct rf_job *job)
{
	return job->queue_count - 1;
}

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

	error = rf_commands_create(job->queues[queue], (end - first) * job->stages[queue].words * 8,
				   RF_MEMORY_SYSTEM, commands);
	if (error)
		return error;
	job->command_count++;
	for (chunk = first; chunk < end; chunk++)
		job->stages[queue].record(job, *commands, chunk);
	begin = rf_job_time();
	error = rf_queue_submit(job->queues[queue], *commands);
	tell(job, "submit", job->stages[queue].queue, begin);
	return error;
}

static int submit_all(struct rf_job *job)
{
	uint64_t per_submission = (job->chunks + SUBMISSIONS - 1) / SUBMISSIONS;
	uint64_t first, end;
	unsigned int queue;
	int error = 0;

	job->commands = calloc(job->queue_count * SUBMISSIONS, sizeof(*job->commands));
	if (!job->commands)
		return -ENOMEM;
	for (first = 0; first < job->chunks && !error; first = end) {
		end = first + per_submission;
		if (end > job->chunks)
			end = job->chunks;
		for (queue = 0; queue < job->queue_count && !error; queue++)
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

	for (i = 0; i < job->queue_count; i++) {
		if (rf_queue_status(job->queues[i], &error, &address) != -EIO)
			continue;
		fprintf(stderr, "ringfence: queue %s stopped: error %u at 0x%" PRIx64 ": %s\n",
			job->stages[i].queue, error, address, rf_queue_error_string(error));
		result = -EIO;
	}
	return result;
}

/* Wait, and poll the last fence at a low rate to show progress. */
static int wait_for(struct rf_job *job, struct rf_fence *fence, uint64_t awaited, bool progress)
{
	const struct rf_fence *last = job->fences[last_queue(job)];
	const bool terminal = isatty(STDOUT_FILENO);
	uint64_t shown = 0, value;
	int error;

	while ((error = rf_fence_wait(fence, awaited, 500000000)) == -ETIMEDOUT) {
		value = rf_fence_value(last);
		if (progress && (terminal || value * 10 / job->chunks != shown))
			printf(terminal ? "\r  %" PRIu64 " of %" PRIu64 " chunks"
					: "  %" PRIu64 " of %" PRIu64 " chunks\n",
			       value, job->chunks);
		fflush(stdout);
		shown = value * 10 / job->chunks;
		error = report_stopped(job);
		if (error)
			return error;
		job->on_stall(job->context);
	}
	return error;
}

/* Copy each chunk from device to device when the second one asks for it. */
static int pass_chunks(struct rf_job *job, bool progress)
{
	char *to = rf_memory_map(job->passed[1]);
	const char *from = rf_memory_map(job->passed[0]);
	uint64_t chunk, begin;
	int error = 0;

	for (chunk = 0; chunk < job->chunks && !error; chunk++) {
		error = wait_for(job, job->requests[ASKED], chunk + 1, progress);
		if (error)
			break;
		begin = rf_job_time();
		memcpy(to + place(chunk), from + place(chunk), chunk_bytes(job, chunk));
		error = rf_fence_signal(job->requests[COPIED], chunk + 1);
		tell(job, "copy", "a chunk", begin);
	}
	return error;
}

/* What is lost on one device ends the waits of the other one, which goes on. */
static bool is_lost(const struct rf_job *job)
{
	unsigned int i;

	for (i = 0; i < job->queue_count; i++)
		if (rf_fence_value(job->fences[i]) == RF_FENCE_VALUE_LOST)
			return true;
	return false;
}

static int wait_all(struct rf_job *job, bool progress)
{
	int error = job->device_count > 1 ? pass_chunks(job, progress) : 0;

	if (!error)
		error = wait_for(job, job->fences[last_queue(job)], job->chunks, progress);
	if (progress && isatty(STDOUT_FILENO) && !error)
		printf("\r");
	/* A value that was reached by the loss of a queue does not mean that the work is done. */
	if (!error && is_lost(job))
		error = -EIO;
	if (error)
		report_stopped(job);
	return error;
}

/* The handle of a fence on a device, or NULL. The queues' come first, then the requests. */
static const struct rf_fence *fence_on(const struct rf_job *job, unsigned int fence,
				       unsigned int device)
{
	if (fence >= RF_JOB_QUEUES)
		return device ? job->requests[fence - RF_JOB_QUEUES] : NULL;
	return rf_job_device(fence) == device ? job->fences[fence] : job->opened[fence];
}

unsigned int rf_job_fence(const struct rf_job *job, unsigned int device, uint32_t handle)
{
	unsigned int i;

	for (i = 0; i < RF_JOB_FENCES; i++) {
		const struct rf_fence *fence = fence_on(job, i, device);

		if (fence && fence->handle == handle)
			break;
	}
	return i;
}

const char *rf_job_fence_name(const struct rf_job *job, unsigned int fence)
{
	if (fence < job->queue_count)
		return job->stages[fence].fence;
	return fence >= RF_JOB_QUEUES && fence < RF_JOB_FENCES
		       ? request_names[fence - RF_JOB_QUEUES]
		       : "fence";
}

void rf_job_name(const struct rf_job *job, struct rf_timeline *timeline)
{
	unsigned int i;

	for (i = 0; i < job->queue_count; i++) /* slots are given out in this order */
		rf_timeline_name(timeline, rf_job_device(i), i % RF_JOB_QUEUES_EACH,
				 job->stages[i].queue);
	for (i = 0; i < job->queue_count; i++)
		rf_timeline_name_fence(timeline, rf_job_device(i), job->fences[i]->handle,
				       job->stages[i].fence);
	for (i = 0; i < RF_JOB_REQUESTS; i++)
		if (job->requests[i])
			rf_timeline_name_fence(timeline, 1, job->requests[i]->handle,
					       request_names[i]);
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
	tell(job, "wait for", job->stages[last_queue(job)].fence, begin);
	return error;
}

/* --- life -------------------------------------------------------------------------------- */

/* What one device has. */
static int create_on(struct rf_job *job, unsigned int device)
{
	struct rf_device *on = job->devices[device];
	unsigned int first = device * RF_JOB_QUEUES_EACH, i;
	struct rf_device_info info;
	int error;

	rf_device_info(on, &info);
	job->computes[device] = info.vector_engine;
	error = rf_memory_create(on, (uint64_t)BUFFERS * CHUNK_BYTES, RF_MEMORY_LOCAL,
				 &job->buffers[device]);
	for (i = first; i < first + RF_JOB_QUEUES_EACH && !error; i++)
		error = rf_queue_create(on, job->stages[i].node, RING_ENTRIES, 0, &job->queues[i]);
	for (i = first; i < first + RF_JOB_QUEUES_EACH && !error; i++)
		error = rf_fence_create(on, RF_FENCE_DEFAULT,
					job->device_count > 1 && (i == SEND || i == RECEIVE)
						? RF_FENCE_CROSS_ADAPTER
						: 0,
					0, &job->fences[i]);
	return error;
}

/* Open the fence of a queue on the other device. */
static int open_fence(struct rf_job *job, unsigned int queue)
{
	uint64_t token;
	int error = rf_fence_share(job->fences[queue], &token);

	if (!error)
		error = rf_fence_open(job->devices[!rf_job_device(queue)], token, 0,
				      &job->opened[queue]);
	return error;
}

static int connect_devices(struct rf_job *job)
{
	unsigned int i;
	int error = open_fence(job, SEND);

	if (!error)
		error = open_fence(job, RECEIVE);
	for (i = 0; i < RF_JOB_REQUESTS && !error; i++)
		error = rf_fence_create(job->devices[1], RF_FENCE_DEFAULT, 0, 0, &job->requests[i]);
	for (i = 0; i < RF_JOB_DEVICES && !error; i++)
		error = rf_memory_create(job->devices[i], (uint64_t)BUFFERS * CHUNK_BYTES,
					 RF_MEMORY_SYSTEM, &job->passed[i]);
	return error;
}

int rf_job_create(struct rf_job *job)
{
	unsigned int i;
	int error = 0;

	job->stages = job->device_count > 1 ? on_two : on_one;
	job->queue_count = job->device_count * RF_JOB_QUEUES_EACH;
	for (i = 0; i < job->device_count && !error; i++)
		error = create_on(job, i);
	if (!error && job->device_count > 1)
		error = connect_devices(job);
	if (error)
		fprintf(stderr, "ringfence: cannot create queues and fences: %s\n",
			rf_error_string(error));
	return error;
}

void rf_job_destroy(struct rf_job *job)
{
	unsigned int queue, i;
	uint64_t command;

	for (queue = 0; queue < RF_JOB_QUEUES; queue++) {
		rf_fence_destroy(job->opened[queue]);
		rf_fence_destroy(job->fences[queue]);
		rf_queue_destroy(job->queues[queue]);
	}
	for (i = 0; i < RF_JOB_REQUESTS; i++)
		rf_fence_destroy(job->requests[i]);
	for (command = 0; command < job->command_count; command++)
		rf_commands_destroy(job->commands[command]);
	free(job->commands);
	for (i = 0; i < RF_JOB_DEVICES; i++) {
		rf_memory_destroy(job->buffers[i]);
		rf_memory_destroy(job->passed[i]);
	}
	rf_memory_destroy(job->result);
	rf_memory_destroy(job->source);
}
