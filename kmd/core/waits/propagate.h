/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Signals of cross-adapter fences reach the other adapters.
 *
 * Locking: wait_lock is held for everything here.
 */
#ifndef KMD_PROPAGATE_H
#define KMD_PROPAGATE_H

struct kmd_adapter;
struct kmd_fence;
struct kmd_opening;
struct kmd_sync_domain;

/*
 * CurrentValue has changed: have all openings notified but @source, on whose adapter the device
 * knows it; NULL: none does. Nothing for a fence of one adapter.
 */
void kmd_fence_propagate(struct kmd_fence *fence, const struct kmd_opening *source);

/* In D3: have kmd_adapter_work() wake the device, if it has queues. */
void kmd_adapter_want_wake(struct kmd_adapter *adapter);

/* A step of pending work, and the adapter that it is for. */
void kmd_step_notify(struct kmd_sync_domain *domain);
struct kmd_adapter *kmd_adapter_to_notify(struct kmd_sync_domain *domain);

#endif /* KMD_PROPAGATE_H */
