/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Evaluation after a change of waiters, of CurrentValue or of MonitoredValue: waits end, and fences
 * are armed.
 *
 * Locking: wait_lock is held for everything here.
 */
#ifndef KMD_EVALUATE_H
#define KMD_EVALUATE_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_fence;
struct kmd_opening;
struct kmd_sync_domain;

/* Read CurrentValue and end the waits that it satisfies. */
void kmd_fence_evaluate(struct kmd_fence *fence);
/*
 * The same after a signal by an engine of this adapter; the other openings of a cross-adapter fence
 * are notified first (S0-80), unless its device has done so.
 */
void kmd_opening_signaled(struct kmd_opening *opening);
/* The same if it is not known whether there was a signal. */
void kmd_opening_check(struct kmd_opening *opening);
/*
 * The same of a cross-adapter fence, after a signal by an adapter that does not report it any more;
 * nothing for another fence.
 */
void kmd_fence_check_all(struct kmd_fence *fence);
/* The fence will not be signalled any more: waits end with this error, now and from now on. */
void kmd_fence_fail_all_waits(struct kmd_fence *fence, int error);
/*
 * Its adapter is lost: end what only that adapter could signal, and the waits of its processes.
 * False: some are left, for the next hold.
 */
bool kmd_opening_fail_waits(struct kmd_opening *opening);
/*
 * The device may have another MonitoredValue than kmd_opening.monitored_value: send it again.
 */
void kmd_opening_rearm(struct kmd_opening *opening);
/*
 * If the least waiter's value is reached, and was so in the last call, its interrupt was lost: end
 * its wait (S2-10, C6). The same if the value of a cross-adapter fence was not propagated.
 */
void kmd_opening_find_lost_wakeup(struct kmd_opening *opening);
/*
 * Put fences that could not be armed because the device was busy on the list of unarmed fences;
 * false: there are more than this hold takes.
 */
bool kmd_fences_unstall(struct kmd_adapter *adapter);

/* Steps of pending work. */
void kmd_step_unarmed(struct kmd_sync_domain *domain);
void kmd_step_reached(struct kmd_sync_domain *domain);
/* The adapter that the next step of arming is for. */
struct kmd_adapter *kmd_adapter_to_arm(struct kmd_sync_domain *domain);

#endif /* KMD_EVALUATE_H */
