/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Linked adapters, and pairs of processes on them (S4-24, docs/two-devices.md).
 *
 * An adapter is linked with one other at most. The first pair of processes links the two; the link
 * ends when one of them leaves, or is lost. A pair ends with either process, or with the link. What is
 * on an adapter then goes on there.
 *
 * Locking: wait_lock for all of it. A process uses the other one of its pair between
 * kmd_link_visit() and kmd_link_leave(), with locks of one adapter at a time.
 */
#ifndef KMD_LINK_H
#define KMD_LINK_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_file;

void kmd_link_init(struct kmd_file *file);
/* The other adapter of the link, or NULL. wait_lock held, as below. */
struct kmd_adapter *kmd_adapter_linked(const struct kmd_adapter *adapter);
/* The adapter leaves its domain; its processes have ended. */
void kmd_link_left(struct kmd_adapter *adapter);

/* --- PASSIVE, no spinlock held ---------------------------------------------------------------- */

/*
 * The token of the process. -EOPNOTSUPP: its adapter cannot be linked; -EBUSY: the process is one of
 * a pair, or its adapter is linked with one that is not lost, as in the next.
 */
int kmd_link_offer(struct kmd_file *file, u64 *token);
/*
 * Make the pair with the process of that token, which is used up. -ENOENT: there is none;
 * -EINVAL: it is on the same adapter; -EOPNOTSUPP: the two adapters cannot be linked; -EBUSY.
 */
int kmd_link_join(struct kmd_file *file, u64 token);
/* The process ends: so does its pair, and no request of the other one uses it any more. */
void kmd_link_end(struct kmd_file *file);
/* The other process of the pair, which does not end before kmd_link_leave(); NULL: there is none. */
struct kmd_file *kmd_link_visit(struct kmd_file *file);
void kmd_link_leave(struct kmd_file *other);
/*
 * The address of memory of the other process, which has that size. -ENOLINK: there is no pair;
 * -ENOENT, -EINVAL: another size.
 */
int kmd_link_address(struct kmd_file *file, u32 handle, u64 bytes, u64 *address);

#endif /* KMD_LINK_H */
