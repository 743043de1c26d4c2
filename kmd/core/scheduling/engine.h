/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The engine of a node: its F-state, and preemption of all its work.
 *
 * Locking: the adapter's mutex; wait_lock where noted.
 */
#ifndef KMD_ENGINE_H
#define KMD_ENGINE_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_node;

/* On return the engine is in F0 (S3-39); -EIO. mutex held. */
int kmd_engine_power_up(struct kmd_adapter *adapter, u32 node);
/* Mark the engine as F0 for the scheduler. wait_lock held. */
void kmd_engine_set_f0(struct kmd_adapter *adapter, u32 node);
/* Have the miniport set the F-state. mutex held, here and below. */
int kmd_engine_set_f_state(struct kmd_adapter *adapter, u32 node, u32 f_state);
/* True if the engine has made no progress since the last call. */
bool kmd_engine_is_hung(struct kmd_adapter *adapter, u32 node);
/* True if the node has packets, or queues in slots. */
bool kmd_node_is_occupied(struct kmd_adapter *adapter, u32 ordinal);
/* Close or open the node for queues and packets. wait_lock held, here and below. */
void kmd_node_set_preempting(struct kmd_node *node, bool preempting);
/* Open the nodes whose preemption is complete. */
void kmd_nodes_end_preemptions(struct kmd_adapter *adapter);

#endif /* KMD_ENGINE_H */
