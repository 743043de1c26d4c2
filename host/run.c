// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence run: a file through the device. Three queues, ordered by native
 * fences only: upload copies a chunk into local memory, compute turns each 32-bit
 * word x into a * x + b there, download copies it back. A chunk is computed while
 * the next is uploaded. The CPU waits for the last value of the last fence.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "commands.h"
#include "ringfence_hw.h"
#include "setup.h"
#include "timeline.h"

#define FACTOR 2654435761u
#define ADDEND 40503u
#define CHUNK_BYTES 4096u
#define BUFFERS 4u /* chunks in local memory at the same time */
#define RING_ENTRIES 4096u
#define SUBMISSIONS 2048u /* per queue, at most: all fit the ring at once */
#define WORDS_PER_CHUNK 14u /* of commands: a wait, the work, a signal */

static const char usage[] =
	"Usage: ringfence run --input FILE [--output FILE] [--device DEVICE]\n"
	"                     [--timeline FILE] [--trace FILE] [--seed N]\n"
	"Streams FILE through a device: copy to local memory, 32-bit words\n"
	"x -> 2654435761 * x + 40503, copy back; checks the result.\n"
	"  --input FILE     what to stream; any size\n"
	"  --output FILE    where the result goes, as long as the input\n"
	"  --device DEVICE  \"sim:\", simulated in process; a render node, \"drm:\", \"drm:NODE\"; a\n"
	"                   bare function, \"pci:0000:00:04.0\", whose memory has to hold it all;\n"
	"                   default: $RINGFENCE_DEVICE, else \"sim:\"\n"
	"With \"sim:\" prints what the device did, and takes\n"
	"  --timeline FILE  trace events, for ui.perfetto.dev\n"
	"  --trace FILE     wave in FST format, for gtkwave (slow, large)\n"
	"  --seed N         of the simulation\n";

struct job {
	struct rf_setup setup;
	struct rf_device *device; /* of it */
	struct rf_timeline *timeline; /* of a simulation */
	const char *name, *input, *output, *timeline_path, *trace, *seed;
	char seeded[40]; /* name with the seed */

	uint64_t bytes; /* of the file */
	uint64_t padded; /* to whole words */
	uint64_t chunks;
	struct rf_memory *source, *result, *buffers;
	struct rf_queue *upload, *compute, *download;
	struct rf_fence *uploaded, *computed, *downloaded;
	struct rf_commands **commands; /* three per submission */
	uint64_t command_count;
};

/* --- input and output ------------------------------------------------------------------ */

static int read_input(struct job *job)
{
	FILE *file = fopen(job->input, "rb");
	struct stat status;

	if (!file || fstat(fileno(file), &status)) {
		fprintf(stderr, "ringfence: cannot read %s: %s\n", job->input, strerror(errno));
		if (file)
			fclose(file);
		return -EIO;
	}
	if (!S_ISREG(status.st_mode)) {
		fprintf(stderr, "ringfence: cannot read %s: it %s\n", job->input,
			S_ISDIR(status.st_mode) ? "is a directory" : "is no file of known size");
		fclose(file);
		return -EIO;
	}
	job->bytes = (uint64_t)status.st_size;
	job->padded = (job->bytes + 3) / 4 * 4;
	job->chunks = (job->padded + CHUNK_BYTES - 1) / CHUNK_BYTES;
	if (rf_memory_create(job->device, job->padded + 1, RF_MEMORY_SYSTEM, &job->source) ||
	    rf_memory_create(job->device, job->padded + 1, RF_MEMORY_SYSTEM, &job->result)) {
		fprintf(stderr, "ringfence: no memory for two copies of %" PRIu64 " bytes\n",
			job->bytes);
		fclose(file);
		return -ENOMEM;
	}
	if (fread(rf_memory_map(job->source), 1, job->bytes, file) != job->bytes) {
		fprintf(stderr, "ringfence: %s ended early\n", job->input);
		fclose(file);
		return -EIO;
	}
	fclose(file);
	return 0;
}

static int write_output(const struct job *job)
{
	FILE *file;
	bool good;

	if (!job->output)
		return 0;
	file = fopen(job->output, "wb");
	good = file && fwrite(rf_memory_map(job->result), 1, job->bytes, file) == job->bytes;
	if (file)
		good = !fclose(file) && good;
	if (!good)
		fprintf(stderr, "ringfence: cannot write %s: %s\n", job->output, strerror(errno));
	return good ? 0 : -EIO;
}

/* Offset of the first wrong byte, or the size of the file. */
static uint64_t check_result(const struct job *job)
{
	const uint32_t *source = rf_memory_map(job->source);
	const uint32_t *result = rf_memory_map(job->result);
	uint64_t i;

	for (i = 0; i < job->padded / 4; i++) {
		if (result[i] != FACTOR * source[i] + ADDEND)
			return i * 4;
	}
	return job->bytes;
}

/* --- the work --------------------------------------------------------------------------- */

static uint64_t chunk_bytes(const struct job *job, uint64_t chunk)
{
	uint64_t left = job->padded - chunk * CHUNK_BYTES;

	return left < CHUNK_BYTES ? left : CHUNK_BYTES;
}

static uint64_t buffer_address(const struct job *job, uint64_t chunk)
{
	return rf_memory_address(job->buffers) + chunk % BUFFERS * CHUNK_BYTES;
}

/* Chunk i of a fence is value i + 1. */
static void record_upload(const struct job *job, struct rf_commands *commands, uint64_t chunk)
{
	if (chunk >= BUFFERS) /* the buffer's previous chunk must be out */
		rf_command_wait(commands, job->downloaded, chunk - BUFFERS + 1);
	rf_command_copy(commands, buffer_address(job, chunk),
			rf_memory_address(job->source) + chunk * CHUNK_BYTES,
			chunk_bytes(job, chunk));
	rf_command_signal(commands, job->uploaded, chunk + 1);
}

static void record_compute(const struct job *job, struct rf_commands *commands, uint64_t chunk)
{
	uint64_t buffer = buffer_address(job, chunk);

	rf_command_wait(commands, job->uploaded, chunk + 1);
	rf_command_vector(commands, RF_VECTOR_AXPB, buffer, buffer, (uint64_t)ADDEND << 32 | FACTOR,
			  chunk_bytes(job, chunk) / 4);
	rf_command_signal(commands, job->computed, chunk + 1);
}

static void record_download(const struct job *job, struct rf_commands *commands, uint64_t chunk)
{
	rf_command_wait(commands, job->computed, chunk + 1);
	rf_command_copy(commands, rf_memory_address(job->result) + chunk * CHUNK_BYTES,
			buffer_address(job, chunk), chunk_bytes(job, chunk));
	rf_command_signal(commands, job->downloaded, chunk + 1);
}

typedef void record_fn(const struct job *job, struct rf_commands *commands, uint64_t chunk);

static int submit_chunks(struct job *job, struct rf_queue *queue, record_fn *record, uint64_t first,
			 uint64_t end)
{
	struct rf_commands **commands = &job->commands[job->command_count];
	uint64_t chunk;
	int error;

	error = rf_commands_create(queue, (end - first) * WORDS_PER_CHUNK * 8, RF_MEMORY_SYSTEM,
				   commands);
	if (error)
		return error;
	job->command_count++;
	for (chunk = first; chunk < end; chunk++)
		record(job, *commands, chunk);
	return rf_queue_submit(queue, *commands);
}

static int submit_all(struct job *job)
{
	uint64_t per_submission = (job->chunks + SUBMISSIONS - 1) / SUBMISSIONS;
	uint64_t first, end;
	int error = 0;

	job->commands = calloc(3 * SUBMISSIONS, sizeof(*job->commands));
	if (!job->commands)
		return -ENOMEM;
	for (first = 0; first < job->chunks && !error; first = end) {
		end = first + per_submission;
		if (end > job->chunks)
			end = job->chunks;
		error = submit_chunks(job, job->upload, record_upload, first, end);
		if (!error)
			error = submit_chunks(job, job->compute, record_compute, first, end);
		if (!error)
			error = submit_chunks(job, job->download, record_download, first, end);
	}
	return error;
}

static int report_stopped(struct job *job)
{
	struct {
		struct rf_queue *queue;
		const char *name;
	} queues[] = { { job->upload, "upload" },
		       { job->compute, "compute" },
		       { job->download, "download" } };
	uint64_t address;
	unsigned int i;
	uint32_t error;

	for (i = 0; i < 3; i++) {
		if (rf_queue_status(queues[i].queue, &error, &address) == -EIO) {
			fprintf(stderr, "ringfence: queue %s stopped: error %u at 0x%" PRIx64 "\n",
				queues[i].name, error, address);
			return -EIO;
		}
	}
	return 0;
}

/* Wait for the last chunk only; look at the value now and then to show progress. */
static int wait_all(struct job *job)
{
	const bool terminal = isatty(STDOUT_FILENO);
	uint64_t shown = 0, value;
	int error;

	while ((error = rf_fence_wait(job->downloaded, job->chunks, 500000000)) == -ETIMEDOUT) {
		value = rf_fence_value(job->downloaded);
		if (terminal || value * 10 / job->chunks != shown)
			printf(terminal ? "\r  %" PRIu64 " of %" PRIu64 " chunks"
					: "  %" PRIu64 " of %" PRIu64 " chunks\n",
			       value, job->chunks);
		fflush(stdout);
		shown = value * 10 / job->chunks;
		error = report_stopped(job);
		if (error)
			return error;
	}
	if (terminal && !error)
		printf("\r");
	return error;
}

static int create_objects(struct job *job)
{
	struct rf_device *device = job->device;
	int error;

	error = rf_memory_create(device, (uint64_t)BUFFERS * CHUNK_BYTES, RF_MEMORY_LOCAL,
				 &job->buffers);
	if (!error)
		error = rf_queue_create(device, RF_ENGINE_COPY, RING_ENTRIES, 0, &job->upload);
	if (!error)
		error = rf_queue_create(device, RF_ENGINE_COMPUTE, RING_ENTRIES, 0, &job->compute);
	if (!error)
		error = rf_queue_create(device, RF_ENGINE_COPY, RING_ENTRIES, 0, &job->download);
	if (!error)
		error = rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &job->uploaded);
	if (!error)
		error = rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &job->computed);
	if (!error)
		error = rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &job->downloaded);
	return error;
}

static void destroy_objects(struct job *job)
{
	uint64_t i;

	rf_fence_destroy(job->downloaded);
	rf_fence_destroy(job->computed);
	rf_fence_destroy(job->uploaded);
	rf_queue_destroy(job->download);
	rf_queue_destroy(job->compute);
	rf_queue_destroy(job->upload);
	for (i = 0; i < job->command_count; i++)
		rf_commands_destroy(job->commands[i]);
	free(job->commands);
	rf_memory_destroy(job->buffers);
	rf_memory_destroy(job->result);
	rf_memory_destroy(job->source);
}

/* --- what a driver developer wants to see -------------------------------------------------- */

static void print_latency(const char *name, const struct rf_latency *latency)
{
	if (!latency->count) {
		printf("  %-42s none\n", name);
		return;
	}
	printf("  %-42s %5" PRIu64 " %7.1f %6" PRIu64 "   (%" PRIu64 ")\n", name, latency->least,
	       (double)latency->sum / (double)latency->count, latency->most, latency->count);
}

static uint64_t counter(struct job *job, enum rf_counter index)
{
	return rf_setup_register(&job->setup, RF_REG_COUNTER_VALUE(index));
}

static void print_traffic(const char *name, const struct rfsim_traffic *traffic)
{
	printf("  %-12s %8" PRIu64 " reads, %8" PRIu64 " writes of %10" PRIu64 " bytes, %8" PRIu64
	       " completions of %10" PRIu64 " bytes, %" PRIu64 " MSI-X\n",
	       name, traffic->tlps[RFSIM_TLP_MEMORY_READ], traffic->tlps[RFSIM_TLP_MEMORY_WRITE],
	       traffic->payload_bytes[RFSIM_TLP_MEMORY_WRITE], traffic->tlps[RFSIM_TLP_COMPLETION],
	       traffic->payload_bytes[RFSIM_TLP_COMPLETION], traffic->tlps[RFSIM_TLP_MSI]);
}

static void print_report(struct job *job, uint64_t cycles, double seconds)
{
	const struct rf_latencies *latencies = rf_timeline_latencies(job->timeline);
	struct rfsim_statistics statistics;
	struct rf_device_info info;

	rf_device_info(job->device, &info);
	printf("\nCycles                                       least    mean   most   (how often)\n");
	print_latency("doorbell TLP -> ring read TLP", &latencies->ring_to_read);
	print_latency("fence packet -> value performed", &latencies->signal);
	print_latency("value performed -> waiter's next packet", &latencies->release);
	print_latency("value performed -> MSI-X TLP", &latencies->interrupt);

	printf("\nInterrupts: %" PRIu64 " raised, %" PRIu64 " suppressed, for %" PRIu64
	       " signals; %" PRIu64 " waits, of which %" PRIu64 " blocked\n",
	       counter(job, RF_COUNTER_INTERRUPTS_RAISED),
	       counter(job, RF_COUNTER_INTERRUPTS_SUPPRESSED), counter(job, RF_COUNTER_SIGNALS),
	       counter(job, RF_COUNTER_WAITS), counter(job, RF_COUNTER_WAITS_BLOCKED));

	rfsim_statistics(job->setup.sim, &statistics);
	printf("\nOn the link\n");
	print_traffic("to device", &statistics.receive);
	print_traffic("from device", &statistics.transmit);

	printf("\nSimulated time: %" PRIu64 " cycles, %.3f ms at %" PRIu64
	       " MHz; %.0f cycles per second of real time\n",
	       cycles, (double)cycles * 1e3 / (double)info.timestamp_hz,
	       info.timestamp_hz / 1000000, seconds > 0 ? (double)cycles / seconds : 0.0);

	printf("\nQueues over time\n");
	rf_timeline_print(job->timeline, stdout, 72);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int write_timeline(struct job *job)
{
	struct rf_device_info info;
	int error;

	if (!job->timeline_path)
		return 0;
	rf_device_info(job->device, &info);
	error = rf_timeline_write(job->timeline, job->timeline_path, info.timestamp_hz);
	if (error)
		fprintf(stderr, "ringfence: cannot write %s: %s\n", job->timeline_path,
			strerror(-error));
	return error;
}

static int start_timeline(struct job *job)
{
	job->timeline = rf_timeline_create(job->setup.world, job->setup.sim);
	if (!job->timeline)
		return -ENOMEM;
	/* Slots are given out in this order. */
	rf_timeline_name(job->timeline, 0, "upload");
	rf_timeline_name(job->timeline, 1, "compute");
	rf_timeline_name(job->timeline, 2, "download");
	return 0;
}

static int work(struct job *job)
{
	int error = submit_all(job);

	return !error && job->chunks ? wait_all(job) : error;
}

static int work_and_report(struct job *job)
{
	uint64_t begin = job->setup.world ? rfsim_cycle(job->setup.world) : 0;
	double start = now(), seconds;
	int error = work(job);

	if (error)
		return error;
	seconds = now() - start;
	if (!job->setup.world) {
		printf("\n%s: %.3f s\n", job->name, seconds);
		return 0;
	}
	print_report(job, rfsim_cycle(job->setup.world) - begin, seconds);
	return write_timeline(job);
}

static int run_job(struct job *job)
{
	uint64_t wrong;
	int error;

	error = read_input(job);
	if (!error)
		error = create_objects(job);
	if (!error && job->setup.world)
		error = start_timeline(job);
	if (error)
		return error;

	printf("%s: %" PRIu64 " bytes in %" PRIu64 " chunks\n", job->input, job->bytes,
	       job->chunks);
	error = work_and_report(job);
	if (error)
		return error;
	wrong = check_result(job);
	if (wrong < job->bytes) {
		fprintf(stderr, "ringfence: the result is wrong from byte %" PRIu64 "\n", wrong);
		return -EIO;
	}
	printf("\nThe result is what the CPU computes.\n");
	return write_output(job);
}

static int parse(struct job *job, int argc, char **argv)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "output", required_argument, NULL, 'o' },
		{ "device", required_argument, NULL, 'd' },
		{ "timeline", required_argument, NULL, 't' },
		{ "trace", required_argument, NULL, 'w' },
		{ "seed", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 'i':
			job->input = optarg;
			break;
		case 'o':
			job->output = optarg;
			break;
		case 'd':
			job->name = optarg;
			break;
		case 't':
			job->timeline_path = optarg;
			break;
		case 'w':
			job->trace = optarg;
			break;
		case 's':
			job->seed = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (!job->input || optind != argc) {
		fprintf(stderr, "ringfence: %s\n%s",
			job->input ? "too many arguments" : "--input is missing", usage);
		return 2;
	}
	return 0;
}

static int open_device(struct job *job)
{
	int error = rf_setup_open(&job->setup, job->name);

	if (error)
		return error;
	job->device = job->setup.device;
	if (job->trace && rfsim_trace(job->setup.sim, job->trace)) {
		fprintf(stderr, "ringfence: cannot write %s\n", job->trace);
		rf_setup_destroy(&job->setup);
		return -EIO;
	}
	return 0;
}

static int close_device(struct job *job)
{
	rf_timeline_destroy(job->timeline);
	if (job->trace)
		rfsim_trace(job->setup.sim, NULL);
	return rf_setup_destroy(&job->setup);
}

/* A simulation, with its seed; or none of what is for a simulation only. */
static int choose_device(struct job *job)
{
	uint64_t seed;

	job->name = rf_setup_name(job->name);
	if (strncmp(job->name, "sim:", 4) && (job->timeline_path || job->trace || job->seed)) {
		fprintf(stderr, "ringfence: --timeline, --trace and --seed are for sim:, not %s\n",
			job->name);
		return -EINVAL;
	}
	if (!job->seed)
		return 0;
	if (rf_parse_number(job->seed, "--seed", &seed))
		return -EINVAL;
	snprintf(job->seeded, sizeof(job->seeded), "sim:seed=%" PRIu64, seed);
	job->name = job->seeded;
	return 0;
}

int rf_main_run(int argc, char **argv)
{
	struct job job = { 0 };
	int error;

	if (parse(&job, argc, argv) || choose_device(&job))
		return 2;
	if (open_device(&job))
		return 1;
	error = run_job(&job);
	if (error)
		fprintf(stderr, "ringfence: run failed: %s\n", strerror(-error));
	destroy_objects(&job);
	if (close_device(&job) && !error)
		error = -EIO;
	return error ? 1 : 0;
}
