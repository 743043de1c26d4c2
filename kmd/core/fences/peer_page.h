/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Pages of the region of a domain, each for the CurrentValue of one cross-adapter fence. PASSIVE.
 */
#ifndef KMD_PEER_PAGE_H
#define KMD_PEER_PAGE_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_fence;
struct kmd_peer_fence;
struct kmd_sync_domain;
struct rf_mem;

/*
 * A page for a fence, zeroed, as host memory. NULL: none is free, or the adapter's device cannot
 * signal to others. Takes wait_lock.
 */
struct kmd_peer_fence *kmd_peer_page_claim(struct kmd_adapter *adapter, struct kmd_fence *fence,
					   struct rf_mem **page);
/* The fence ends, or gets no page after all. wait_lock held. */
void kmd_peer_page_release(struct kmd_peer_fence *peer);
/* The same page on an adapter's bus; NULL: its device cannot use the region. mutex held. */
struct rf_mem *kmd_peer_page_import(struct kmd_adapter *adapter, const struct kmd_peer_fence *peer);
/* No device of the domain uses it any more; the same of an adapter. */
void kmd_peer_region_destroy(struct kmd_sync_domain *domain);
void kmd_peer_region_leave(struct kmd_adapter *adapter);

/* --- entries; wait_lock held ---------------------------------------------------------------- */

/* Can the device be accessed, and does an engine of it signal anything? */
bool kmd_peer_can_access(const struct kmd_adapter *adapter);
bool kmd_peer_has_entry(const struct kmd_adapter *adapter, const struct kmd_peer_fence *peer);
/* @targets: bits of other devices; 0: it has no entry any more */
void kmd_peer_set_entry(struct kmd_adapter *adapter, const struct kmd_peer_fence *peer,
			u32 targets);

#endif /* KMD_PEER_PAGE_H */
