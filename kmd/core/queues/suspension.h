/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Suspension of contexts.
 *
 * Locking: the adapter's mutex is held, and no spinlock, except for the last function.
 */
#ifndef KMD_SUSPENSION_H
#define KMD_SUSPENSION_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_context;
struct kmd_file;

/* Begin the suspension; the context may already be suspended on return. 0, -EIO, -ENODEV. */
int kmd_context_suspend_begin(struct kmd_context *context);
void kmd_context_resume_locked(struct kmd_context *context);
/*
 * Suspend every context that is resumed, of one process or (NULL) of all, and wait for it. -EIO:
 * the engine of *@node does not respond; then, too, they can be resumed.
 */
int kmd_contexts_suspend_all(struct kmd_adapter *adapter, struct kmd_file *file, u32 *node);
/* Resume the contexts that kmd_contexts_suspend_all() has suspended. */
void kmd_contexts_resume_all(struct kmd_adapter *adapter);
/* The device has acknowledged a suspension, possibly not the last one. wait_lock held. */
void kmd_context_acknowledge(struct kmd_context *context, u64 suspend_fence);

#endif /* KMD_SUSPENSION_H */
