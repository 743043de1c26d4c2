/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the kernel itself has nodes do.
 *
 * Locking: the adapter's mutex is held; it waits, without a spinlock.
 */
#ifndef KMD_PAGING_H
#define KMD_PAGING_H

#include "rf_ddi.h"

struct kmd_adapter;
struct kmd_node;

/* Let the paging node do an operation, and wait for it. 0, -EIO, -ENOMEM. */
int kmd_paging_run(struct kmd_adapter *adapter, struct rf_build_paging_buffer *operation);
/* On return no context is on the node, until the next packet (S4-8). 0 or -EIO. */
int kmd_node_switch_to_null(struct kmd_node *node);

#endif /* KMD_PAGING_H */
