/* SPDX-License-Identifier: Apache-2.0 */
/* Work that counts how often it was done, and rings of it that race with something. */
#ifndef RF_CONFORM_COUNTED_H
#define RF_CONFORM_COUNTED_H

#include "stack.h"

/*
 * Each execution adds 1 to a word; compute nodes only. One submission at a time. Without a vector
 * engine the queue's progress counts, which does not see that work is done twice.
 */
struct counted {
	struct rf_queue *queue;
	struct rf_commands *commands;
	struct rf_memory *memory;
	bool adds;
	uint32_t want;
};

void counted_open(struct rf_conform *conform, struct counted *counted);
void counted_submit(struct rf_conform *conform, struct counted *counted);
uint32_t counted_done(const struct counted *counted);
/* It was done as often as it was submitted. */
void counted_finish(struct rf_conform *conform, struct counted *counted, const char *when);
/*
 * What rf_queue_submit() does up to the ring, without its reaction to the status:
 * that may have to wait until a disconnect is over.
 */
void counted_publish(struct counted *counted);

struct race {
	struct counted *counted;
	uint64_t status; /* what the ring's sender read */
	bool read;
};

/* Submit and ring; read the status. Actions of rfsim_at(); @argument: struct race */
void ring_now(void *argument);
void read_now(void *argument);

#endif
