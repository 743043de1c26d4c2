/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Openings: making and destroying a fence's part on an adapter.
 *
 * Locking: the adapter's mutex is held.
 */
#ifndef KMD_OPENING_H
#define KMD_OPENING_H

#include "rf_types.h"

struct kmd_fence;
struct kmd_file;
struct kmd_opening;

/* How engines and user mode may access CurrentValue through a handle with these flags. */
u32 kmd_opening_current_access(const struct kmd_opening *opening, u32 flags);
/*
 * The first opening of a fence that nobody knows yet, with a reference. Flags of the request;
 * @initial_value: of a fence whose values are stored here. 0 or a negative errno.
 */
int kmd_opening_create(struct kmd_file *file, struct kmd_fence *fence, bool is_native, u32 flags,
		       u64 initial_value, struct kmd_opening **opening);
/*
 * The opening on the file's adapter, with a reference: made if there is none, native if the adapter
 * has native fences (S0-84, S0-85). The caller has a reference of the fence. -ENOENT: there is none,
 * and it is no cross-adapter fence; errors of making it.
 */
int kmd_opening_get(struct kmd_file *file, struct kmd_fence *fence, struct kmd_opening **opening);
/* Drop a reference; the last one destroys the opening, and the last opening the fence. */
void kmd_opening_put(struct kmd_opening *opening);
/* Drop a reference of the fence itself. Takes wait_lock; any mutex may be held. */
void kmd_fence_drop(struct kmd_fence *fence);

#endif /* KMD_OPENING_H */
