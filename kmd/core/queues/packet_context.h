/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Life of contexts of the packet model.
 *
 * Locking: the adapter's mutex is held, and no spinlock.
 */
#ifndef KMD_PACKET_CONTEXT_H
#define KMD_PACKET_CONTEXT_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_packet_context;
struct kmd_queue;

/* @queue NULL: for paging. The context is not ready. -EBUSY, -ENOMEM. */
int kmd_packet_context_create(struct kmd_adapter *adapter, struct kmd_queue *queue,
			      struct kmd_packet_context **result);
void kmd_packet_context_destroy(struct kmd_packet_context *context);
/* Its allocations are in place, and its packets may run; or they are not. No spinlock held. */
void kmd_packet_context_set_ready(struct kmd_packet_context *context, bool ready);

#endif /* KMD_PACKET_CONTEXT_H */
