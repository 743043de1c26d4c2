/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * For how long each process used each node.
 *
 * The device does not count that, and a submission in user mode does not call the kernel: it is
 * sampled. At each sample the time since the one before belongs to the processes that have work on
 * the node: unfinished work of a queue in a slot, or the first packet of the hardware queue. Several
 * share it. So a process that polls or works in short bursts gets its part only on average, and the
 * wait of a queue in a slot for a fence counts as use.
 *
 * Locking: wait_lock.
 */
#ifndef KMD_USAGE_H
#define KMD_USAGE_H

struct kmd_adapter;

/* Several times per TDR delay. wait_lock held. */
void kmd_usage_sample(struct kmd_adapter *adapter);

#endif /* KMD_USAGE_H */
