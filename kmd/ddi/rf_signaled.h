/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Records about signalled fences, and what the core is notified of.
 *
 * Locking: DEVICE, without rf_hw.lock.
 */
#ifndef RF_SIGNALED_H
#define RF_SIGNALED_H

#include "rf_types.h"
#include "ringfence_hw.h"

struct rf_hw;

#define RF_SIGNALED_MAX 32

/**
 * struct rf_signaled - fences that records of one run of the interrupt service name
 * @node: of all of them
 * @count: of @fence
 * @unknown: there were more: the core evaluates every waiter of the node
 * @fence: the core's
 */
struct rf_signaled {
	u32 node;
	u32 count;
	bool unknown;
	void *fence[RF_SIGNALED_MAX];
};

/* Add what the record names, or report it at once if it is no native fence. */
void rf_signaled_record(struct rf_hw *hw, const struct rf_interrupt_record *record,
			struct rf_signaled *signaled);
/* Report those that were added, and begin anew. */
void rf_signaled_report(struct rf_hw *hw, struct rf_signaled *signaled);
/* Records were lost: report that any fence may have been signalled. */
void rf_signaled_report_unknown(struct rf_hw *hw);

#endif /* RF_SIGNALED_H */
