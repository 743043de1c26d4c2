/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Exported fences: values on which waiters outside of the driver rely. They are reached within a
 * time limit, or fail. kmd_adapter_watch_exported_fences() is declared in kmd.h.
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
 * @had_any: some were pending at the last check
 */
struct kmd_exported_fences {
	struct rf_list undated;
	struct rf_list dated;
	bool had_any;
};

/* -ENOMEM. PASSIVE. */
int kmd_exported_fences_create(struct kmd_adapter *adapter);
void kmd_exported_fences_destroy(struct kmd_adapter *adapter);
/*
 * Give a wait for one progress fence, made by kmd_fence_notify(), a time limit. wait_lock held,
 * here and below.
 */
void kmd_exported_fence_add(struct kmd_wait *wait);
/* True if any are pending, or were at the last check. */
bool kmd_adapter_has_exported_fences(const struct kmd_adapter *adapter);

#endif /* KMD_EXPORTED_FENCE_H */
