/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace events of the kernel's driver, through tracefs, which is for root. See
 * docs/driver.md for the events.
 */
#ifndef RF_KERNEL_TRACE_H
#define RF_KERNEL_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct rf_kernel_event - one of this process's, or of the device
 * @name: without "ringfence_"
 * @time: ns of CLOCK_MONOTONIC
 * @log: an entry of a fence log ("gpu_signal", "gpu_wait"); what follows is of these
 */
struct rf_kernel_event {
	char name[32];
	uint64_t time;
	bool log, wait, lost;
	uint32_t queue, fence;
	uint64_t value, begin, end;
};

typedef void rf_kernel_event_fn(void *context, const struct rf_kernel_event *event);

/* Forget what was traced and begin. -EACCES, -ENOENT no tracefs, or no such driver. */
int rf_kernel_trace_begin(void);
/*
 * End the trace and report its events.
 * @function: address of the PCIe function
 * @fd: the render node; events of its other users are left out
 */
int rf_kernel_trace_end(const char *function, int fd, rf_kernel_event_fn *tell, void *context);

#endif
