/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queues that have stopped because a packet needs the host.
 *
 * Locking: wait_lock is held.
 */
#ifndef KMD_STOPPED_QUEUE_H
#define KMD_STOPPED_QUEUE_H

#include "rf_ddi.h"

struct kmd_queue;

/* The queue has stopped for this reason: do what its packet needs. */
void kmd_queue_stopped(struct kmd_queue *queue, enum rf_stop_reason reason, u64 argument,
		       u64 value);
/* Resume the queue behind its packet. */
void kmd_queue_resume_stopped(struct kmd_queue *queue);

#endif /* KMD_STOPPED_QUEUE_H */
