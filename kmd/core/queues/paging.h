/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Work of the kernel's own on nodes.
 *
 * Locking: the adapter's mutex is held; functions wait, without a spinlock.
 */
#ifndef KMD_PAGING_H
#define KMD_PAGING_H

#include "rf_ddi.h"

struct kmd_adapter;
struct kmd_node;

/* Run an operation on the paging node, and wait for it. 0, -EIO, -ENOMEM. */
int kmd_paging_run(struct kmd_adapter *adapter, struct rf_build_paging_buffer *operation);
/* On return the node runs no context, until the next packet (S4-8). 0 or -EIO. */
int kmd_node_switch_to_null(struct kmd_node *node);

#endif /* KMD_PAGING_H */
