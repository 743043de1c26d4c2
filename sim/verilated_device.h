/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Verilated rf_device as C functions. Which device it is (with or without
 * the shadow of monitored values, or the tests' stand-in) is decided by the
 * library that is linked. Not thread-safe: the world's lock covers it.
 *
 * A cycle is: fill the inputs, settle (combinational outputs become valid),
 * read the outputs, clock (the rising edge).
 */
#ifndef RFSIM_VERILATED_DEVICE_H
#define RFSIM_VERILATED_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs of one cycle; header[0] is word 0 of the TLP header. */
struct verilated_inputs {
	uint64_t data;
	uint32_t header[4];
	uint8_t strb;
	bool error, valid, sop, eop;
	bool posted_ready, read_ready;
};

/* One beat of the posted stream as the device drives it. */
struct verilated_beat {
	uint64_t data;
	uint32_t header[4];
	uint8_t strb;
	bool valid, sop, eop;
};

struct verilated_outputs {
	struct verilated_beat posted;
	uint32_t read_header[4];
	uint64_t trace;
	bool read_valid;
	bool receive_ready;
	bool idle;
};

struct verilated_device;

/* Create and reset; NULL without memory. */
struct verilated_device *verilated_create(void);
void verilated_destroy(struct verilated_device *device);

void verilated_settle(struct verilated_device *device, const struct verilated_inputs *inputs,
		      struct verilated_outputs *outputs);
void verilated_clock(struct verilated_device *device);

/* Write an FST file from now on; 0 or -EIO. */
int verilated_trace_open(struct verilated_device *device, const char *path);
void verilated_trace_close(struct verilated_device *device);

#ifdef __cplusplus
}
#endif
#endif
