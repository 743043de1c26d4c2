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
struct kmd_sync_domain;

/* Read CurrentValue and end the waits that it satisfies. */
void kmd_fence_evaluate(struct kmd_fence *fence);
/* The fence will not be signalled any more: waits end with this error, now and from now on. */
void kmd_fence_fail_all_waits(struct kmd_fence *fence, int error);
/*
 * The device may have another MonitoredValue than kmd_native_fence.monitored_value: send it again.
 */
void kmd_fence_rearm(struct kmd_fence *fence);
/*
 * If the least waiter's value is reached, and was so in the last call, its interrupt was lost: end
 * its wait (S2-10, C6).
 */
void kmd_fence_find_lost_wakeup(struct kmd_fence *fence);
/*
 * Put fences that could not be armed because the device was busy on the list of unarmed fences;
 * false: there are more than this hold takes.
 */
bool kmd_fences_unstall(struct kmd_adapter *adapter);

/* Steps of pending work. */
void kmd_step_unarmed(struct kmd_sync_domain *domain);
void kmd_step_reached(struct kmd_sync_domain *domain);

#endif /* KMD_EVALUATE_H */
