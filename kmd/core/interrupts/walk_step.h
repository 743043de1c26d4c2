/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The operations of a walk (base/walk.h) on each object. */
#ifndef KMD_WALK_STEP_H
#define KMD_WALK_STEP_H

struct kmd_adapter;
struct kmd_sync_domain;

/* A step of pending work: visit an object of the first adapter. wait_lock held. */
void kmd_step_walking(struct kmd_sync_domain *domain);
struct kmd_adapter *kmd_adapter_to_walk(struct kmd_sync_domain *domain);

#endif /* KMD_WALK_STEP_H */
