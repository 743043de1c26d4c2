/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Records of the interrupt ring: which object each is about, and records of nodes whose engine is
 * in reset, which are deferred.
 *
 * Locking: DEVICE, without rf_hw.lock.
 */
#ifndef RF_RECORD_H
#define RF_RECORD_H

#include "rf_signaled.h"
#include "rf_types.h"
#include "ringfence_hw.h"

struct rf_hw;

/* More than all records that are not of fences can be at once */
#define RF_DEFERRED_MAX (2 * RF_INTERRUPT_RESERVED)

/**
 * struct rf_records - those that are not reported yet
 * @deferred: records of nodes that are stopped
 * @count: of them
 * @fences_unknown: there were more, of fences, or some that were lost
 * @nonsense_logged: a record that makes no sense was logged, since the last reset
 */
struct rf_records {
	struct rf_interrupt_record deferred[RF_DEFERRED_MAX];
	u32 count;
	bool fences_unknown;
	bool nonsense_logged;
};

/* Pass a record to the object that it is about, or defer it. False: it names none that exists. */
bool rf_record_handle(struct rf_hw *hw, const struct rf_interrupt_record *record,
		      struct rf_signaled *signaled);
/* Records of any kind were lost, if @lost. Report fences that are unknown, unless a node is
 * stopped: then they are reported later. */
void rf_records_report_unknown(struct rf_hw *hw, bool lost);
/* A node is not stopped any more: take its deferred records. */
void rf_records_handle_deferred(struct rf_hw *hw);
/* The device is being reset: deferred records are void. */
void rf_records_forget_deferred(struct rf_hw *hw);
/* The device was reset. */
void rf_records_restart(struct rf_hw *hw);

#endif /* RF_RECORD_H */
