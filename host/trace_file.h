/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace as files: Perfetto's protobuf, and Trace Event JSON. Rows of a device are its
 * queues, rows of the CPU whatever is named. The time of the devices and CPU time are tied to each
 * other at one moment.
 */
#ifndef RF_TRACE_FILE_H
#define RF_TRACE_FILE_H

#include <stdint.h>

#include "stages.h"

/* What a CPU did, or an instant where begin == end; ns of CLOCK_MONOTONIC. */
struct rf_cpu_slice {
	char name[64];
	unsigned int row;
	uint64_t begin, end;
};

/* A queue, and which device it is of. */
struct rf_trace_row {
	const char *name;
	unsigned int device;
};

/**
 * struct rf_trace - what to write
 * @device: the name of the device, or the devices
 * @device_count: how many
 * @queues: rows of the devices
 * @fence_name: of a fence of a stage, in a buffer of the caller's
 * @stages: in no order of time
 * @rows: names of the rows of the CPU
 * @device_ns: a time of the device
 * @cpu_ns: of CLOCK_MONOTONIC, the same moment
 * @boot_ns: and of CLOCK_BOOTTIME
 */
struct rf_trace {
	const char *device;
	unsigned int device_count;
	const struct rf_trace_row *queues;
	unsigned int queue_count;
	const char *(*fence_name)(void *context, uint32_t fence);
	void *context;
	const struct rf_stage *stages;
	size_t stage_count;
	const char *const *rows;
	unsigned int row_count;
	const struct rf_cpu_slice *slices;
	size_t slice_count;
	uint64_t device_ns, cpu_ns, boot_ns;
};

/* 0, or a negative errno and a line on stderr. */
int rf_trace_write_perfetto(const struct rf_trace *trace, const char *path);
int rf_trace_write_json(const struct rf_trace *trace, const char *path);

#define RF_TRACE_DEVICE 4096 /* bytes that are enough */
/* The name of one of the devices: "sim:", or "device 1 of sim:devices=2" */
void rf_trace_device_name(const struct rf_trace *trace, unsigned int device, char *name,
			  size_t bytes);

/* "wait uploaded 3" or "signal uploaded 3" */
void rf_trace_stage_name(const struct rf_trace *trace, const struct rf_stage *stage, char *name,
			 size_t bytes);

#endif
