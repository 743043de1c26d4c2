/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Which way the signals of a cross-adapter fence take: by the CPU, or from device to device.
 *
 * Locking: wait_lock, except where PASSIVE is noted.
 */
#ifndef KMD_PEERING_H
#define KMD_PEERING_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_fence;
struct kmd_sync_domain;

/* An opening of a cross-adapter fence has the MonitoredValue that it should have. */
void kmd_fence_armed(struct kmd_fence *fence);
/*
 * The device was reset, or is in D3: it has no entry any more; @asleep: of kmd_adapter_peers.
 */
void kmd_peers_forget(struct kmd_adapter *adapter, bool asleep);
/*
 * Before a device sleeps: its fences are signalled by the CPU when this returns. -ETIMEDOUT: not
 * before the deadline (ns). PASSIVE, with the mutex.
 */
int kmd_peers_suspend(struct kmd_adapter *adapter, u64 deadline);
/* It does not sleep after all, or not any more. PASSIVE. */
void kmd_peers_resume(struct kmd_adapter *adapter);

/* A step of pending work, and the adapter whose device it accesses, or NULL. */
void kmd_step_peers(struct kmd_sync_domain *domain);
struct kmd_adapter *kmd_adapter_to_enter(struct kmd_sync_domain *domain);

#endif /* KMD_PEERING_H */
