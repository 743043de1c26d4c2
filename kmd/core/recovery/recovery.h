/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Recovery from hangs: preemption, reset of an engine, reset of the adapter.
 *
 * Locking: the adapter's mutex is held, and no spinlock.
 */
#ifndef KMD_RECOVERY_H
#define KMD_RECOVERY_H

#include "rf_ddi.h"

struct kmd_adapter;

/* Adapter resets in this time that end recovery */
#define KMD_HANGS_MAX 6
#define KMD_HANGS_TIME 60000000000ull

/**
 * struct kmd_recovery - state of recovery and of the watch; guarded by the mutex
 * @hangs: times of the last resets of the adapter, the oldest first
 * @hang_count: number of these
 * @missed: checks in a row without a response of the device
 * @looked: time of the last check of waiters and queues, by the clock of kmd_adapter_watch()
 * @runnable_before: a queue was runnable at that check
 */
struct kmd_recovery {
	u64 hangs[KMD_HANGS_MAX];
	u32 hang_count;
	u32 missed;
	u64 looked;
	bool runnable_before;
};

/* -ENOMEM */
int kmd_recovery_create(struct kmd_adapter *adapter);
void kmd_recovery_destroy(struct kmd_adapter *adapter);
/* The engine of a node does not respond in time: reset it, or else the adapter. */
void kmd_engine_recover(struct kmd_adapter *adapter, u32 node);
/* Reset a device that was reported lost, or that needs a reset. */
void kmd_adapter_recover_lost(struct kmd_adapter *adapter);
/* Reset the device. @now: of the clock of kmd_adapter_watch(). */
void kmd_adapter_reset(struct kmd_adapter *adapter, const char *reason, u64 now);
/* Check that nodes with work make progress. */
void kmd_nodes_watch(struct kmd_adapter *adapter, u64 now);
/* Preempt nodes that the miniport has reported as HUNG. */
void kmd_nodes_recover_hung(struct kmd_adapter *adapter);

/* Callback of the miniport, called in a reset. */
void kmd_invalidate_hw_context(void *h_core, const struct rf_invalidate_hw_context *arguments);

#endif /* KMD_RECOVERY_H */
