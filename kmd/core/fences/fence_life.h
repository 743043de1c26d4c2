/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Creating and destroying fences and local fences.
 *
 * Locking: the adapter's mutex is held.
 */
#ifndef KMD_FENCE_LIFE_H
#define KMD_FENCE_LIFE_H

#include "rf_types.h"
#include "ringfence_drm.h"

struct kmd_adapter;
struct kmd_fence;
struct kmd_file;
struct kmd_local_fence;
struct kmd_queue;

/*
 * A fence, and its local fence in the creating process. Type and flags as of the request; @queue:
 * the queue if this is its progress fence, or NULL. 0 or a negative errno.
 */
int kmd_fence_create(struct kmd_file *file, u32 type, u32 flags, u64 initial_value,
		     struct kmd_queue *queue, struct kmd_local_fence **local);
/*
 * The shared fence of a token, with a reference (kmd_fence_drop()), or NULL. It may be one of
 * another adapter.
 */
struct kmd_fence *kmd_fence_find_shared(struct kmd_adapter *adapter, u64 token);
/*
 * Another local fence of a fence, which holds a reference of its opening. -ENOENT: a fence of
 * another adapter only.
 */
int kmd_local_fence_create(struct kmd_file *file, struct kmd_fence *fence, u32 flags,
			   struct kmd_queue *queue, struct kmd_local_fence **result);
/* Its handle must be stale, and no wait may use it: see kmd_local_fence_close(). */
void kmd_local_fence_destroy(struct kmd_local_fence *local);
/* Where the process finds the values of the fence. */
void kmd_local_fence_mapping(const struct kmd_local_fence *local,
			     struct drm_ringfence_fence_mapping *mapping);
/* What it is in its process: enum drm_ringfence_fence_type. */
u32 kmd_local_fence_type(const struct kmd_local_fence *local);
/* Check that this process may signal the fence from the CPU. 0, -EOPNOTSUPP or -EACCES. */
int kmd_local_fence_check_signal(const struct kmd_local_fence *local);

#endif /* KMD_FENCE_LIFE_H */
