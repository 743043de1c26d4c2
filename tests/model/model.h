/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device as its programmer sees it, in plain C: processes with memory at addresses,
 * queues of one node each that execute packets one after another, waits that block, logs.
 * It shares the formats of ringfence_hw.h with the device, and nothing else. What the engines do
 * is in rf_stream.h, which miniports use too. It knows no time: a timestamp is noted, and its word
 * left alone.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rf_stream.h"
#include "ringfence_hw.h"

#define MODEL_RANGES 64
#define MODEL_LOG 4096
#define MODEL_STAMPS 256

/* Memory at an address; the same memory may be in several processes. */
struct model_range {
	uint64_t address;
	uint64_t bytes;
	uint8_t *data;
	bool writable;
};

struct model_process {
	struct model_range ranges[MODEL_RANGES];
	unsigned int count;
};

struct model_log_entry {
	uint32_t type; /* RF_LOG_TYPE_* */
	uint32_t fence, operation;
	uint64_t value;
};

struct model_queue {
	struct model_process *process;
	bool copies; /* COPY and FILL; else VECTOR */
	uint64_t *words; /* all that was submitted */
	size_t count, next;
	uint64_t progress;
	struct rf_stream_space space; /* of the process; an error stands for ever */
	struct model_log_entry log[MODEL_LOG];
	unsigned int log_count;
	uint8_t *stamps[MODEL_STAMPS]; /* in order */
	unsigned int stamp_count;
};

/* Before anything else. */
void model_init(struct model_queue *queue, struct model_process *process, bool copies);
void model_map(struct model_process *process, uint64_t address, uint8_t *data, uint64_t bytes,
	       bool writable);
void model_submit(struct model_queue *queue, const uint64_t *words, size_t count);
/* Execute a packet; false: there is none, or it cannot go on. */
bool model_step(struct model_queue *queue);
/* Nothing is left, or ever will be. */
bool model_is_done(const struct model_queue *queue);

#endif
