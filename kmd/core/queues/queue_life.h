/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Creating and destroying hardware queues.
 *
 * Locking: the adapter's mutex is held, and no spinlock.
 */
#ifndef KMD_QUEUE_LIFE_H
#define KMD_QUEUE_LIFE_H

#include "rf_types.h"

struct kmd_context;
struct kmd_queue;

/* @flags: DRM_RINGFENCE_QUEUE_*. 0 or a negative errno; then a context made for it is destroyed. */
int kmd_queue_create(struct kmd_context *context, u32 flags, struct kmd_queue **result);
void kmd_queue_destroy(struct kmd_queue *queue);
/* Destroy a context that was made for one queue when it has no queue any more. */
void kmd_queue_put_context(struct kmd_context *context);

#endif /* KMD_QUEUE_LIFE_H */
