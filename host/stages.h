/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stages of queues, from fence logs. The entries of a queue, in their order, divide its time into
 * stages: a wait that stalled, from the observation of the stall to the end of the wait; and work,
 * from the previous entry to the next signal. A wait depends on the stage that ended with the
 * signal of its value, and so does the stage after the wait.
 */
#ifndef RF_STAGES_H
#define RF_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RF_STAGE_QUEUES 16
#define RF_STAGE_WAITS 8 /* of one stage, at most; more are left out */

/* An entry of a fence log; times are the device's, in ns. */
struct rf_stage_record {
	unsigned int queue; /* 0.. */
	bool wait;
	bool lost; /* entries were overwritten before they were read */
	uint32_t fence;
	uint64_t value;
	uint64_t observed; /* 0: the wait did not stall */
	uint64_t end;
};

/**
 * struct rf_stage - a slice of a queue's time
 * @id: 1.., in no order of time
 * @wait: the queue waits; else it works
 * @fence: fence that is waited for, or signalled at the end
 * @value: value that is waited for, or signalled
 * @waits: ids of the stages whose signals it waited for
 */
struct rf_stage {
	uint64_t id;
	unsigned int queue;
	bool wait;
	uint32_t fence;
	uint64_t value;
	uint64_t begin, end;
	uint64_t waits[RF_STAGE_WAITS];
	unsigned int wait_count;
};

/*
 * @records: of each queue in the order of its log; those of both its logs, in any mixture
 * @begin: when the first work of each queue may have begun
 * @stages: receives them, for free()
 * Returns their number, or -ENOMEM.
 */
long rf_stages_build(const struct rf_stage_record *records, size_t count, uint64_t begin,
		     struct rf_stage **stages);

#endif
