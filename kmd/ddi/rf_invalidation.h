/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Invalidations of translations. The device performs one at a time; they have numbers, from 1.
 *
 * Locking: rf_hw.lock is held for every function.
 */
#ifndef RF_INVALIDATION_H
#define RF_INVALIDATION_H

#include "rf_poll.h"
#include "rf_types.h"

struct rf_hw;

/* As a number: all that have begun. */
#define RF_INVALIDATIONS_ALL U64_MAX

/**
 * struct rf_invalidations - guarded by rf_hw.lock
 * @begun: number of the last one
 * @done: number of the last one that is over
 * @pending: of the last one
 */
struct rf_invalidations {
	u64 begun;
	u64 done;
	struct rf_pending pending;
};

/*
 * Is the invalidation over? Then no access through a translation that it removed is in flight, and
 * none will come. 0; -EINPROGRESS; -EIO: that is not known, now or before a reset.
 */
int rf_invalidation_poll(struct rf_hw *hw, u64 number);
/* Begin one, and return its number. All before are over: rf_invalidation_poll() of
 * RF_INVALIDATIONS_ALL has returned 0 in this hold of the lock. */
u64 rf_invalidation_begin(struct rf_hw *hw, u64 vmids, u64 first, u64 last);
/* Sleep until it is over; the lock is released meanwhile, and others may begin. 0, -EIO. PASSIVE. */
int rf_invalidation_await(struct rf_hw *hw, u64 number, unsigned long *flags);
/* Begin one as soon as that is possible, and sleep until it is over. 0, -EIO. PASSIVE. */
int rf_invalidate(struct rf_hw *hw, u64 vmids, u64 first, u64 last, unsigned long *flags);
/* The device was reset, or is new: none is under way. */
void rf_invalidations_restart(struct rf_hw *hw);

#endif /* RF_INVALIDATION_H */
