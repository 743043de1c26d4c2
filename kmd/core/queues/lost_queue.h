/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Queues and processes whose work is lost. */
#ifndef KMD_LOST_QUEUE_H
#define KMD_LOST_QUEUE_H

#include "rf_types.h"

struct kmd_file;
struct kmd_queue;

/*
 * The queue is lost: waits for it fail. @error: enum rf_queue_error. @halted: the device has
 * stopped it; else the packets that the device has stay until the queue is destroyed. wait_lock
 * held.
 */
void kmd_queue_mark_lost(struct kmd_queue *queue, u32 error, u64 address, bool halted);
/* The process is lost, with all its queues (S3-30). mutex held, and no spinlock. */
void kmd_file_mark_lost(struct kmd_file *file);

#endif /* KMD_LOST_QUEUE_H */
