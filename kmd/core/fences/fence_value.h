/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The CurrentValue of a fence, as the CPU reads and writes it.
 *
 * Locking: wait_lock is held for everything here.
 */
#ifndef KMD_FENCE_VALUE_H
#define KMD_FENCE_VALUE_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_fence;
struct rf_update_current_values_from_cpu;

/*
 * CurrentValue now; engines of its processes may change it at any moment. What the signaller wrote
 * before the value is visible after this read.
 */
u64 kmd_fence_read(struct kmd_fence *fence);
/*
 * Check that the fence may be signalled with @value, or waited for while it has the value @now. 0
 * or -ERANGE (C7).
 */
int kmd_fence_check_signal(struct kmd_fence *fence, u64 value);
int kmd_fence_check_wait(const struct kmd_fence *fence, u64 now, u64 value);
/* Store a monitored fence's value from the CPU. */
void kmd_monitored_fence_write(struct kmd_fence *fence, u64 value);
/* Values that the CPU signals, or has signalled, for the adapter's device. 0, or -ENODEV: it is wedged. */
int kmd_adapter_update_values(struct kmd_adapter *adapter,
			      const struct rf_update_current_values_from_cpu *update);
/* Store the greatest value of an always-signalled fence in each page that does not have it. */
void kmd_fence_store_always(struct kmd_fence *fence);
/*
 * While its value matters, a fence is evaluated when an interrupt names no fence: it has waiters,
 * or 32 bits, or is always signalled, or other adapters may have it open. Call this when one of
 * these may have changed.
 */
void kmd_fence_update_watched(struct kmd_fence *fence);

#endif /* KMD_FENCE_VALUE_H */
