/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is behind a root port: the Verilated rf_device, or a device at the other end
 * of a serial line. Which Verilated one it is (with or without the shadow of monitored
 * values, or the tests' stand-in) is decided by the library that is linked. Not
 * thread-safe: the world's lock covers it.
 *
 * A cycle is: fill the inputs, settle (outputs become valid), read the outputs, clock
 * (the rising edge).
 */
#ifndef RFSIM_DEVICE_MODEL_H
#define RFSIM_DEVICE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs of one cycle; header[0] is word 0 of the TLP header. */
struct device_inputs {
	uint64_t data;
	uint32_t header[4];
	uint8_t strb;
	bool error, valid, sop, eop;
	bool posted_ready, read_ready;
};

/* One beat of the posted stream as the device drives it. */
struct device_beat {
	uint64_t data;
	uint32_t header[4];
	uint8_t strb;
	bool valid, sop, eop;
};

struct device_outputs {
	struct device_beat posted;
	uint32_t read_header[4];
	uint64_t trace;
	bool read_valid;
	bool receive_ready;
	bool idle;
	bool gone; /* the link is down; for good, if the model has no @link */
	bool read_departed; /* a read on show is taken, ready or not; ready frees its credits */
};

struct device_model;

/* What a root port or somebody at the card does. It is trained anew after all but OUT. */
enum device_link_event {
	DEVICE_LINK_OUT, /* the card is pulled out: silence */
	DEVICE_LINK_IN, /* it is there again, once both ends have noticed that it was not */
	DEVICE_LINK_RETRAIN, /* Recovery; nothing is lost */
	DEVICE_LINK_HOT_RESET,
	DEVICE_LINK_PERST, /* PERST# for a moment */
};

/**
 * struct device_ops - a device.
 * @destroy: end it
 * @settle: outputs of this cycle from its inputs and the state
 * @clock: the edge
 * @trace_open: write an FST file from now on; 0, or the error of a call on the file; -ESPIPE it
 *              is none that can be written at random places; -EOPNOTSUPP
 * @trace_close: and no more; 0 if there was none, or not all of it could be written: why
 * @link: something happens to its link; NULL: it has none
 * @link_times, @link_symbols: as rfsim_link_times() and rfsim_link_symbols(); NULL without a link
 */
struct device_ops {
	void (*destroy)(struct device_model *model);
	void (*settle)(struct device_model *model, const struct device_inputs *inputs,
		       struct device_outputs *outputs);
	void (*clock)(struct device_model *model);
	int (*trace_open)(struct device_model *model, const char *path);
	int (*trace_close)(struct device_model *model);
	void (*link)(struct device_model *model, enum device_link_event event);
	void (*link_times)(struct device_model *model, uint64_t *received, uint64_t *sent);
	void (*link_symbols)(struct device_model *model, uint64_t *dllps, uint64_t *skps);
};

struct device_model {
	const struct device_ops *ops;
};

/* Create and reset; NULL without memory. @assertions: of struct rfsim_config. */
struct device_model *verilated_create(bool assertions);

/* Can those write waves? */
bool verilated_has_waves(void);

/*
 * The file whose linked_create() makes the same device; NULL: RFSIM_LINK_LIBRARY is. A model of another
 * device leaves this undefined.
 */
const char *verilated_link_library(void) __attribute__((weak));

/**
 * struct linked_options - a device behind its PCIe link.
 * @assertions: of struct rfsim_config
 * @errors: one symbol in so many is received wrongly, each way; 0: none
 * @seed: of these
 */
struct linked_options {
	bool assertions;
	uint32_t errors;
	uint64_t seed;
};

/* Create, reset and train it; NULL without memory. It is in a library of its own. */
struct device_model *linked_create(const struct linked_options *options);

/* As verilated_create(), with waves if rfsim_waves() was called. */
struct device_model *model_create(bool assertions);

/* As linked_create(); rfsim_link() has found it. */
struct device_model *linked_model_create(const struct linked_options *options);

/* Open a line and reset the link; see rfsim_device_open_serial(). */
int serial_open(const char *path, struct device_model **model);

#ifdef __cplusplus
}
#endif

#endif
