/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Signals from the CPU.
 *
 * Locking: wait_lock.
 */
#ifndef KMD_SIGNAL_H
#define KMD_SIGNAL_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_fence;
struct kmd_file;
struct kmd_opening;

/* A fence, by its opening on the adapter that signals, and the value to store. */
struct kmd_signal {
	struct kmd_opening *opening;
	u64 value;
};

/* Signal up to DRM_RINGFENCE_OBJECTS_MAX fences from the CPU; -ENODEV: the driver broke its
 * contract. wait_lock held. */
int kmd_fences_signal(struct kmd_adapter *adapter, const struct kmd_signal *signals, u32 count);
/* Set the fence to the greatest value for good. wait_lock held. */
void kmd_fence_signal_always(struct kmd_fence *fence);
/*
 * The same for all fences that the process could signal. mutex held; wait_lock with
 * @flags, which may be released meanwhile.
 */
unsigned long kmd_file_signal_fences_always(struct kmd_file *file, unsigned long flags);
/*
 * Give engines another page for fences that are always signalled, so that they cannot change what
 * the CPU reads. mutex held.
 */
void kmd_fences_detach(struct kmd_adapter *adapter);

#endif /* KMD_SIGNAL_H */
