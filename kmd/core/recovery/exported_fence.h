/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Values that something outside of the driver waits for: they come within time, or fail.
 * kmd_adapter_watch_exported_fences() stands in kmd.h.
 *
 * Locking: wait_lock, and nothing else.
 */
#ifndef KMD_EXPORTED_FENCE_H
#define KMD_EXPORTED_FENCE_H

#include "rf_list.h"
#include "rf_types.h"

struct kmd_adapter;
struct kmd_wait;

/**
 * struct kmd_exported_fences - of an adapter
 * @undated: waits without a deadline yet, by kmd_wait.exported_link
 * @dated: the others, the earliest deadline first
 * @had_any: the last look found some
 */
struct kmd_exported_fences {
	struct rf_list undated;
	struct rf_list dated;
	bool had_any;
};

/* -ENOMEM. PASSIVE. */
int kmd_exported_fences_create(struct kmd_adapter *adapter);
void kmd_exported_fences_destroy(struct kmd_adapter *adapter);
/* The wait, of the function form and of one progress fence, has to end within time. wait_lock
 * held, here and below. */
void kmd_exported_fence_add(struct kmd_wait *wait);
/* Are there any, or were there any at the last look? */
bool kmd_adapter_has_exported_fences(const struct kmd_adapter *adapter);

#endif /* KMD_EXPORTED_FENCE_H */
