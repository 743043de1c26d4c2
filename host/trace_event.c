// SPDX-License-Identifier: Apache-2.0
/* A trace in Trace Event JSON: all times are the CPU's, in microseconds from the first on. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "arguments.h"
#include "output.h"
#include "trace_file.h"

/* Devices, then the CPU */
#define DEVICE_PROCESS(device) (1 + (device))
#define CPU_PROCESS(trace) DEVICE_PROCESS((trace)->device_count)

void rf_trace_device_name(const struct rf_trace *trace, unsigned int device, char *name,
			  size_t bytes)
{
	if (trace->device_count > 1)
		snprintf(name, bytes, "device %u of %s", device, trace->device);
	else
		snprintf(name, bytes, "%s", trace->device);
}

static unsigned int process_of(const struct rf_trace *trace, const struct rf_stage *stage)
{
	return DEVICE_PROCESS(trace->queues[stage->queue].device);
}

void rf_trace_stage_name(const struct rf_trace *trace, const struct rf_stage *stage, char *name,
			 size_t bytes)
{
	snprintf(name, bytes, "%s %s %" PRIu64, stage->wait ? "wait" : "signal",
		 trace->fence_name(trace->context, stage->fence), stage->value);
}

static uint64_t cpu_time(const struct rf_trace *trace, uint64_t device_ns)
{
	return trace->cpu_ns + (device_ns - trace->device_ns);
}

static uint64_t first_time(const struct rf_trace *trace)
{
	uint64_t first = trace->cpu_ns;
	size_t i;

	for (i = 0; i < trace->stage_count; i++)
		if (cpu_time(trace, trace->stages[i].begin) < first)
			first = cpu_time(trace, trace->stages[i].begin);
	for (i = 0; i < trace->slice_count; i++)
		if (trace->slices[i].begin < first)
			first = trace->slices[i].begin;
	return first;
}

static void print_name(FILE *file, unsigned int process, unsigned int thread, const char *name)
{
	fprintf(file,
		",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s_name\",\"args\":{\"name\":",
		process, thread, thread ? "thread" : "process");
	rf_print_json_string(file, name);
	fprintf(file, "}}");
}

/* The rest of an event behind its fields: where, when. */
static void print_place(FILE *file, unsigned int process, unsigned int thread, uint64_t ns)
{
	fprintf(file, ",\"pid\":%u,\"tid\":%u,\"ts\":%.3f", process, thread, (double)ns * 1e-3);
}

static void print_slice(FILE *file, unsigned int process, unsigned int row, const char *name,
			uint64_t begin, uint64_t end)
{
	fprintf(file, ",\n{\"name\":");
	rf_print_json_string(file, name);
	print_place(file, process, row + 1, begin);
	if (begin == end)
		fprintf(file, ",\"ph\":\"i\",\"s\":\"t\"}");
	else
		fprintf(file, ",\"ph\":\"X\",\"dur\":%.3f}", (double)(end - begin) * 1e-3);
}

/* An arrow from the end of one stage into the beginning of another. */
static void print_arrow(FILE *file, const struct rf_trace *trace, const struct rf_stage *from,
			const struct rf_stage *to, uint64_t id, uint64_t first)
{
	fprintf(file, ",\n{\"ph\":\"s\",\"cat\":\"fence\",\"name\":\"fence\",\"id\":%" PRIu64, id);
	print_place(file, process_of(trace, from), from->queue + 1,
		    cpu_time(trace, from->end) - first);
	fprintf(file,
		"},\n{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"fence\",\"name\":\"fence\",\"id\":%" PRIu64,
		id);
	print_place(file, process_of(trace, to), to->queue + 1, cpu_time(trace, to->begin) - first);
	fputc('}', file);
}

static void print_stages(FILE *file, const struct rf_trace *trace, uint64_t first)
{
	uint64_t arrows = 0;
	unsigned int wait;
	char name[64];
	size_t i;

	for (i = 0; i < trace->stage_count; i++) {
		const struct rf_stage *stage = &trace->stages[i];

		rf_trace_stage_name(trace, stage, name, sizeof(name));
		print_slice(file, process_of(trace, stage), stage->queue, name,
			    cpu_time(trace, stage->begin) - first,
			    cpu_time(trace, stage->end) - first);
		for (wait = 0; wait < stage->wait_count; wait++)
			print_arrow(file, trace, &trace->stages[stage->waits[wait] - 1], stage,
				    ++arrows, first);
	}
}

int rf_trace_write_json(const struct rf_trace *trace, const char *path)
{
	uint64_t first = first_time(trace);
	FILE *file = rf_output_open(path);
	char device[RF_TRACE_DEVICE];
	unsigned int row;
	size_t i;

	if (!file)
		return -EIO;
	fprintf(file,
		"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"device_ns\":%" PRIu64
		",\"cpu_ns\":%" PRIu64 ",\"first_ns\":%" PRIu64 "},\"traceEvents\":[\n",
		trace->device_ns, trace->cpu_ns, first);
	fprintf(file,
		"{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_sort_index\","
		"\"args\":{\"sort_index\":0}}",
		DEVICE_PROCESS(0));
	for (row = 0; row < trace->device_count; row++) {
		rf_trace_device_name(trace, row, device, sizeof(device));
		print_name(file, DEVICE_PROCESS(row), 0, device);
	}
	print_name(file, CPU_PROCESS(trace), 0, "CPU");
	for (row = 0; row < trace->queue_count; row++)
		print_name(file, DEVICE_PROCESS(trace->queues[row].device), row + 1,
			   trace->queues[row].name);
	for (row = 0; row < trace->row_count; row++)
		print_name(file, CPU_PROCESS(trace), row + 1, trace->rows[row]);
	print_stages(file, trace, first);
	for (i = 0; i < trace->slice_count; i++)
		print_slice(file, CPU_PROCESS(trace), trace->slices[i].row, trace->slices[i].name,
			    trace->slices[i].begin - first, trace->slices[i].end - first);
	fprintf(file, "\n]}\n");
	return rf_output_close(file, path);
}
