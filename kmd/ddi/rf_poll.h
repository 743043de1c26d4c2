/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Waiting for the end of a command whose end no record reports, but a register shows: without
 * sleep at any level, or with sleep at level PASSIVE.
 */
#ifndef RF_POLL_H
#define RF_POLL_H

#include "rf_types.h"

struct rf_hw;

/* ns that a thread sleeps between two polls */
#define RF_POLL_PERIOD 20000u
/* Reads of a register in one poll, which may be with interrupts off; and in all polls of one
 * command, after which the device is lost */
#define RF_READS_PER_POLL 64u
#define RF_READS_MAX 20000u

/**
 * struct rf_pending - a command under way, by the register that shows its end
 * @offset: of the register
 * @mask: bits of it that count
 * @value: of (register & @mask) that shows the end
 * @differs: any other value shows the end
 * @reads: so far
 *
 * Guarded as the object that it belongs to: it is polled by one caller at a time.
 */
struct rf_pending {
	u64 offset;
	u64 mask;
	u64 value;
	bool differs;
	u32 reads;
};

/* 0: it has ended; -EINPROGRESS: not yet, poll again later; -EIO: the device is lost, or away. Any
 * level. */
int rf_pending_poll(struct rf_hw *hw, struct rf_pending *pending);
/* The same by one read. */
int rf_pending_poll_once(struct rf_hw *hw, struct rf_pending *pending);

/* -EINPROGRESS: poll again. */
typedef int rf_poll_fn(struct rf_hw *hw, void *argument);

/* Call @poll until it returns anything but -EINPROGRESS, and sleep between two calls. PASSIVE,
 * without a spinlock. */
int rf_poll(struct rf_hw *hw, rf_poll_fn *poll, void *argument);
/* The same with rf_hw.lock held, which is released while the thread sleeps. PASSIVE. */
int rf_poll_locked(struct rf_hw *hw, rf_poll_fn *poll, void *argument, unsigned long *flags);
/* As rf_poll(), but without sleep after the first @awake calls, and -EINPROGRESS after @most. */
int rf_poll_bounded(struct rf_hw *hw, rf_poll_fn *poll, void *argument, u32 awake, u32 most);
/* Sleep until (register & @mask) == @value. 0, -EIO. PASSIVE, without a spinlock. */
int rf_register_await(struct rf_hw *hw, u64 offset, u64 mask, u64 value);

#endif /* RF_POLL_H */
