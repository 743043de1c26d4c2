/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What follows from a change of waiters, of CurrentValue or of MonitoredValue: waits end, and
 * fences are armed.
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
/* It is signalled no more: waits end with this error, now and from now on. */
void kmd_fence_fail_all_waits(struct kmd_fence *fence, int error);
/* The device may have another MonitoredValue than it was given. */
void kmd_fence_rearm(struct kmd_fence *fence);
/* Is a wait not over although its value is there, and was it so at the last look? Then its
 * interrupt was lost, and it ends now (S2-10, C6). */
void kmd_fence_find_lost_wakeup(struct kmd_fence *fence);
/* Fences that could not be armed because the device was busy are armed now; false: there are more
 * than this hold takes. */
bool kmd_fences_unstall(struct kmd_adapter *adapter);

/* Steps of pending work. */
void kmd_step_unarmed(struct kmd_sync_domain *domain);
void kmd_step_reached(struct kmd_sync_domain *domain);

#endif /* KMD_EVALUATE_H */
