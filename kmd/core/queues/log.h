/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fence logs of user-mode queues (S0-100).
 *
 * Locking: the adapter's mutex for life; wait_lock to read.
 */
#ifndef KMD_LOG_H
#define KMD_LOG_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_queue;
struct rf_mem;

#define KMD_LOG_BYTES 4096u /* S0-100 */
#define KMD_LOG_BYTES_TRACE 65536u

/* The logs of a queue; and behind them those that were enlarged, which are no longer read */
enum { KMD_LOG_WAIT, KMD_LOG_SIGNAL, KMD_LOGS, KMD_LOGS_ALL = 2 * KMD_LOGS };

/**
 * struct kmd_log - the fence log of a queue, of one type
 * @mem: the buffer
 * @type: RF_LOG_TYPE_*
 * @entries: capacity, in entries
 * @process_address: in the queue's process
 * @system_address: in the system process
 * @seen: {wraparound count, first free index} read position; guarded by wait_lock
 * @last_timestamp: of the entries read, but for those that are 0; ditto
 */
struct kmd_log {
	struct rf_mem *mem;
	u32 type;
	u32 entries;
	u64 process_address;
	u64 system_address;
	u64 seen;
	u64 last_timestamp;
};

/* Create the logs of a user-mode queue. mutex held, here and below. */
int kmd_logs_create(struct kmd_queue *queue);
void kmd_logs_destroy(struct kmd_queue *queue);
/* While logs are traced, enlarge those of existing queues. D0. */
void kmd_logs_enlarge(struct kmd_adapter *adapter);
/* The device's time begins anew, and no queue is on the device. No spinlock held. */
void kmd_logs_restart(struct kmd_adapter *adapter);
/*
 * Read new entries in the logs of a queue; with @evaluate, evaluate the fences of the signals
 * there. False: this hold has no units left, and there are more entries. wait_lock held.
 */
bool kmd_queue_read_logs(struct kmd_queue *queue, bool evaluate);

#endif /* KMD_LOG_H */
