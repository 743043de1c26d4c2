/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Which devices a device can notify: its targets. */
#ifndef KMD_PEER_LINK_H
#define KMD_PEER_LINK_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_fence;

/* The adapter joins its domain, or has left it; wait_lock held, here and below. */
void kmd_peer_links_join(struct kmd_adapter *adapter);
void kmd_peer_links_left(struct kmd_adapter *adapter);
/* The bit of the target that @to is of @from; 0: it is none. */
u32 kmd_peer_link_find(const struct kmd_adapter *from, const struct kmd_adapter *to);
/*
 * Have kmd_adapter_work() link the adapters of the fence, each to each other, unless that was found
 * to be impossible.
 */
void kmd_peer_links_want(struct kmd_fence *fence);

/* --- PASSIVE -------------------------------------------------------------------------------- */

/* Make the links that are wanted. mutex held. */
void kmd_peer_links_make(struct kmd_adapter *adapter);
/* The adapter is about to leave: no other one begins to link to it. No lock held. */
void kmd_peer_links_close(struct kmd_adapter *adapter);
/* End the adapter's own links. mutex held. */
void kmd_peer_links_end(struct kmd_adapter *adapter);
/*
 * Another adapter that has a link to the adapter, and will not leave before
 * kmd_peer_links_unpin(), or NULL: there is none any more. No lock held.
 */
struct kmd_adapter *kmd_peer_links_pin(struct kmd_adapter *adapter);
void kmd_peer_links_unpin(struct kmd_adapter *other);
/*
 * End the link of @from to @to. The mutex of @from is held. In D3 the device is not accessed, and
 * notifies nobody; kmd_peer_links_clean() is called when it is awake.
 */
void kmd_peer_link_end(struct kmd_adapter *from, const struct kmd_adapter *to);
void kmd_peer_links_clean(struct kmd_adapter *adapter);

#endif /* KMD_PEER_LINK_H */
