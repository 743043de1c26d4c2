// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence trace: the main job (job.h), with a trace of queues and CPU. The part of the device
 * comes from its fence logs, read in this process or by trace events of the kernel's driver; the
 * part of the CPU from the program and those events.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "commands.h"
#include "job.h"
#include "kernel_trace.h"
#include "rf_hosted.h"
#include "setup.h"
#include "trace_file.h"
#include "umd.h"

static const char usage[] =
	"Usage: ringfence trace --input FILE [--device DEVICE] [--devices COUNT]\n"
	"                       [--output FILE] [--events FILE] [--json]\n"
	"Streams FILE through a device as run does, and writes a trace: the device's queues from its\n"
	"fence logs, arrows from each signal to its waiters, and the CPU.\n"
	"  --input FILE     input\n"
	"  --device DEVICE  \"sim:\" or a device string (docs/device-string.md), such as\n"
	"                   sim:wave=FILE; \"drm:\", \"drm:NODE\", as root, for tracefs;\n"
	"                   \"pci:0000:00:04.0\"; default: $RINGFENCE_DEVICE, else \"sim:\"\n"
	"  --devices COUNT  1 or 2 simulated devices, as devices= in a device string; default: 1\n"
	"  --output FILE    trace in Perfetto's format, for ui.perfetto.dev\n"
	"  --events FILE    the same as Trace Event JSON\n"
	"  --json           the numbers of events as a JSON object\n";

#define TIMEOUT 60000000000ull

enum { ROW_PROGRAM, ROW_DRIVER, ROWS };
static const char *const rows[ROWS] = { "program", "driver" };

struct trace;

/* What comes from one device. */
struct source {
	struct trace *trace;
	unsigned int device;
};

struct trace {
	struct rf_setup setup;
	struct rf_job job;
	struct source sources[RF_JOB_DEVICES];
	const char *name, *input, *output, *events;
	uint64_t devices; /* of the option, or 0 */
	bool json;
	uint64_t hz;

	pthread_mutex_t lock; /* guards records: the driver calls back on any thread */
	struct rf_stage_record *records;
	size_t record_count, record_capacity;
	unsigned int lost;

	struct rf_cpu_slice *slices;
	size_t slice_count, slice_capacity;

	uint64_t device_ns, cpu_ns, boot_ns; /* one moment; devices of one world have one clock */
};

/* --- what is kept -------------------------------------------------------------------------- */

/* Room for one more element, or the end. */
static void *grow(void *array, size_t count, size_t *capacity, size_t bytes)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 256;
	array = realloc(array, *capacity * bytes);
	if (!array) {
		fprintf(stderr, "ringfence: no memory for the trace\n");
		exit(1);
	}
	return array;
}

static uint64_t nanoseconds(const struct trace *trace, uint64_t ticks)
{
	return ticks / trace->hz * 1000000000u + ticks % trace->hz * 1000000000u / trace->hz;
}

/*
 * An entry of the log of a queue, with handles of the device; queues other than the job's are of no
 * interest.
 */
static void keep_record(const struct source *source, uint32_t queue, struct rf_stage_record record)
{
	struct trace *trace = source->trace;
	unsigned int i;

	for (i = 0; i < trace->job.queue_count; i++)
		if (rf_job_device(i) == source->device && trace->job.queues[i] &&
		    trace->job.queues[i]->handle == queue)
			break;
	if (i == trace->job.queue_count)
		return;
	record.queue = i;
	record.fence = rf_job_fence(&trace->job, source->device, record.fence);
	record.observed = nanoseconds(trace, record.observed);
	record.end = nanoseconds(trace, record.end);
	pthread_mutex_lock(&trace->lock);
	trace->lost += record.lost;
	trace->records = grow(trace->records, trace->record_count, &trace->record_capacity,
			      sizeof(*trace->records));
	trace->records[trace->record_count++] = record;
	pthread_mutex_unlock(&trace->lock);
}

static void on_log(void *context, const struct rf_hosted_log_event *event)
{
	keep_record(context, event->queue,
		    (struct rf_stage_record){
			    .wait = event->wait,
			    .lost = event->lost,
			    .fence = event->fence,
			    .value = event->value,
			    .observed = event->observed,
			    .end = event->end,
		    });
}

static void keep_slice(struct trace *trace, unsigned int row, const char *name, uint64_t begin,
		       uint64_t end)
{
	struct rf_cpu_slice *slice;

	trace->slices = grow(trace->slices, trace->slice_count, &trace->slice_capacity,
			     sizeof(*trace->slices));
	slice = &trace->slices[trace->slice_count++];
	*slice = (struct rf_cpu_slice){ .row = row, .begin = begin, .end = end };
	snprintf(slice->name, sizeof(slice->name), "%s", name);
}

static void on_cpu(void *context, const char *name, uint64_t begin, uint64_t end)
{
	keep_slice(context, ROW_PROGRAM, name, begin, end);
}

static void on_stall(void *context)
{
	struct trace *trace = context;

	rf_setup_stalled(&trace->setup);
}

static void on_kernel(void *context, const struct rf_kernel_event *event)
{
	const struct source *source = context;

	if (!event->log) {
		keep_slice(source->trace, ROW_DRIVER, event->name, event->time, event->time);
		return;
	}
	keep_record(source, event->queue,
		    (struct rf_stage_record){
			    .wait = event->wait,
			    .lost = event->lost,
			    .fence = event->fence,
			    .value = event->value,
			    .observed = event->begin,
			    .end = event->end,
		    });
}

static const char *fence_name(void *context, uint32_t fence)
{
	const struct trace *trace = context;

	return rf_job_fence_name(&trace->job, fence);
}

/* --- clocks ---------------------------------------------------------------------------------- */

static uint64_t boot_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A queue stores a TIMESTAMP between two reads of the CPU's clock. */
static int tie_clocks(struct trace *trace)
{
	struct rf_queue *queue = trace->job.queues[0];
	struct rf_commands *commands = NULL;
	struct rf_memory *memory = NULL;
	uint64_t before, after, ticks;
	int error;

	error = rf_memory_create(trace->setup.device, 8, RF_MEMORY_SYSTEM, &memory);
	if (!error)
		error = rf_commands_create(queue, 64, RF_MEMORY_SYSTEM, &commands);
	if (!error) {
		rf_command_timestamp(commands, rf_memory_address(memory));
		before = rf_job_time();
		error = rf_queue_submit(queue, commands);
	}
	if (!error)
		error = rf_queue_wait(queue, TIMEOUT);
	if (!error) {
		after = rf_job_time();
		error = rf_memory_read(memory, 0, &ticks, sizeof(ticks));
		trace->device_ns = nanoseconds(trace, ticks);
		trace->cpu_ns = before + (after - before) / 2;
		trace->boot_ns = trace->cpu_ns + (boot_time() - rf_job_time());
	}
	rf_commands_destroy(commands);
	rf_memory_destroy(memory);
	if (error)
		fprintf(stderr, "ringfence: the device writes no timestamp: %s\n",
			rf_error_string(error));
	return error;
}

/* --- tracing --------------------------------------------------------------------------------- */

static int begin_tracing(struct trace *trace)
{
	unsigned int i;
	int error;

	for (i = 0; i < trace->job.device_count; i++) {
		trace->sources[i] = (struct source){ trace, i };
		if (trace->setup.world.hosted_device)
			rf_hosted_trace(rf_setup_hosted(&trace->setup, i), on_log,
					&trace->sources[i]);
	}
	if (trace->setup.world.hosted_device)
		return 0;
	error = rf_kernel_trace_begin();
	if (error)
		fprintf(stderr, "ringfence: no trace events: %s\n",
			geteuid() ? "tracefs is for root" : strerror(-error));
	return error;
}

/* The interrupt for a wait that began before its signal makes the driver read all logs. */
static int have_logs_read(struct trace *trace, unsigned int device)
{
	struct rf_queue *queue = trace->job.queues[device * RF_JOB_QUEUES_EACH];
	struct rf_commands *commands = NULL;
	struct rf_event *event = NULL;
	struct rf_fence *fence = NULL;
	const uint64_t value = 1;
	int error;

	error = rf_fence_create(trace->job.devices[device], RF_FENCE_DEFAULT, 0, 0, &fence);
	if (!error)
		error = rf_event_create(trace->job.devices[device], &event);
	if (!error)
		error = rf_fences_notify(&fence, &value, 1, RF_WAIT_ALL, event);
	if (!error)
		error = rf_commands_create(queue, 64, RF_MEMORY_SYSTEM, &commands);
	if (!error) {
		rf_commands_log(commands, 0);
		rf_command_signal(commands, fence, value);
		error = rf_queue_submit(queue, commands);
	}
	if (!error)
		error = rf_event_wait(event, TIMEOUT);
	if (!error)
		error = rf_queue_wait(queue, TIMEOUT);
	rf_commands_destroy(commands);
	rf_event_destroy(event);
	rf_fence_destroy(fence);
	return error;
}

static int end_tracing(struct trace *trace)
{
	char function[16];
	unsigned int i;
	int error;

	if (trace->setup.world.hosted_device) {
		for (i = 0; i < trace->job.device_count; i++)
			rf_hosted_trace(rf_setup_hosted(&trace->setup, i), NULL, NULL);
		return 0;
	}
	error = rf_setup_function(&trace->setup, trace->name, function);
	if (!error)
		error = rf_kernel_trace_end(function, rf_device_fd(trace->setup.device), on_kernel,
					    &trace->sources[0]);
	if (error)
		fprintf(stderr, "ringfence: cannot read the trace: %s\n", strerror(-error));
	return error;
}

static int run_job(struct trace *trace)
{
	int error = rf_job_create(&trace->job);
	unsigned int i;

	if (!error && trace->setup.timeline)
		rf_job_name(&trace->job, trace->setup.timeline);
	if (!error)
		error = tie_clocks(trace);
	if (error)
		return error;
	error = rf_job_run(&trace->job, 0);
	for (i = 0; i < trace->job.device_count && !error; i++)
		error = have_logs_read(trace, i);
	if (error)
		fprintf(stderr, "ringfence: trace failed: %s\n", rf_error_string(error));
	return error ? error : rf_job_check(&trace->job);
}

static int write_files(const struct trace *trace, const struct rf_trace *file)
{
	int error = 0;

	if (trace->output)
		error = rf_trace_write_perfetto(file, trace->output);
	if (!error && trace->events)
		error = rf_trace_write_json(file, trace->events);
	return error;
}

static void print_summary(const struct trace *trace, const struct rf_stage *stages, size_t count)
{
	size_t arrows = 0, waits = 0, i;

	for (i = 0; i < count; i++) {
		arrows += stages[i].wait_count;
		waits += stages[i].wait;
	}
	if (trace->json)
		printf("{\"work\": %zu, \"waits\": %zu, \"arrows\": %zu, \"cpu\": %zu, \"lost\": %u}\n",
		       count - waits, waits, arrows, trace->slice_count, trace->lost);
	else
		printf("%zu stages of work, %zu of waiting, %zu arrows; %zu entries of the CPU\n",
		       count - waits, waits, arrows, trace->slice_count);
	if (trace->lost)
		fprintf(stderr, "ringfence: logs overran %u times, which is missing\n",
			trace->lost);
}

static int write_trace(struct trace *trace)
{
	struct rf_trace_row queues[RF_JOB_QUEUES];
	struct rf_trace file = {
		.device = trace->name,
		.device_count = trace->job.device_count,
		.queues = queues,
		.queue_count = trace->job.queue_count,
		.fence_name = fence_name,
		.context = trace,
		.rows = rows,
		.row_count = trace->setup.world.hosted_device ? ROW_DRIVER : ROWS,
		.slices = trace->slices,
		.slice_count = trace->slice_count,
		.device_ns = trace->device_ns,
		.cpu_ns = trace->cpu_ns,
		.boot_ns = trace->boot_ns,
	};
	struct rf_stage *stages;
	long count =
		rf_stages_build(trace->records, trace->record_count, trace->device_ns, &stages);
	unsigned int i;
	int error;

	if (count < 0)
		return (int)count;
	for (i = 0; i < trace->job.queue_count; i++)
		queues[i] = (struct rf_trace_row){ trace->job.stages[i].queue, rf_job_device(i) };
	file.stages = stages;
	file.stage_count = (size_t)count;
	error = write_files(trace, &file);
	if (!error)
		print_summary(trace, stages, (size_t)count);
	free(stages);
	return error;
}

static int trace_job(struct trace *trace)
{
	struct rf_device_info info;
	unsigned int i;
	int error;

	trace->job.device_count = rf_setup_count(&trace->setup);
	for (i = 0; i < trace->job.device_count; i++)
		trace->job.devices[i] = rf_setup_device(&trace->setup, i);
	trace->job.on_cpu = on_cpu;
	trace->job.on_stall = on_stall;
	trace->job.context = trace;
	rf_device_info(trace->setup.device, &info);
	trace->hz = info.timestamp_hz;
	error = rf_job_read(&trace->job, trace->input);
	if (!error)
		error = begin_tracing(trace);
	if (error)
		return error;
	error = run_job(trace);
	if (end_tracing(trace) && !error)
		error = -EIO;
	return error ? error : write_trace(trace);
}

/* --- arguments --------------------------------------------------------------------------------- */

static int parse(struct trace *trace, int argc, char **argv)
{
	const struct rf_option options[] = {
		{ "input", .text = &trace->input },
		{ "device", .text = &trace->name },
		{ "devices", .number = &trace->devices, .least = 1, .most = RF_SETUP_DEVICES },
		{ "output", .text = &trace->output },
		{ "events", .text = &trace->events },
		{ "json", .flag = &trace->json },
		{ 0 },
	};

	if (rf_parse_arguments(argc, argv, usage, options))
		return -EINVAL;
	trace->name = rf_setup_name(trace->name);
	if (!trace->input) {
		fprintf(stderr, "ringfence: --input is missing\n%s", usage);
		return -EINVAL;
	}
	return 0;
}

int rf_main_trace(int argc, char **argv)
{
	struct trace trace = { .lock = PTHREAD_MUTEX_INITIALIZER };
	int error;

	if (parse(&trace, argc, argv))
		return 2;
	if (rf_setup_open_devices(&trace.setup, trace.name, trace.devices))
		return 1;
	error = trace_job(&trace);
	rf_job_destroy(&trace.job);
	if (rf_setup_destroy(&trace.setup) && !error)
		error = -EIO;
	free(trace.records);
	free(trace.slices);
	return error ? 1 : 0;
}
