/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who ran when, from fence logs. A queue's entries, in their order, cut its time into
 * stages: a wait that stalled, from when that was seen to its end; and work, from the entry
 * before to the signal behind it. What a wait was for is the stage that ended with the
 * signal of that value: the stage behind the wait depends on it.
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
	bool lost; /* there were others, which nobody read */
	uint32_t fence;
	uint64_t value;
	uint64_t observed; /* 0: the wait did not stall */
	uint64_t end;
};

/**
 * struct rf_stage - a slice of a queue's time
 * @id: 1.., in no order of time
 * @wait: it waits; else it works
 * @fence: that it waits for, or signals at its end
 * @value: ditto
 * @waits: ids of the stages whose signals it had to wait for
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
