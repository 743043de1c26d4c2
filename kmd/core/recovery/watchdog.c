// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The watch: periodic checks for what no interrupt reports.
 *
 * First it checks whether the device responds. A device that does not may be absent only for a
 * moment, so nothing else is done until the next check; if it does not respond then either, it is
 * reset. Next come the notes that interrupts should have left (check_device), then engines and
 * waiters.
 *
 * Waiters: between a signal and its interrupt CurrentValue has reached a waiter that still sleeps;
 * this is normal. If the same waiter is found so in two successive checks, with a period between
 * them that is longer than an interrupt takes, its interrupt was lost: it is counted, logged, and
 * the waiter is woken (S2-10, C6).
 *
 * Locking: the adapter's mutex for the device and its engines; wait_lock for waiters.
 */
#include "base/adapter.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "interrupts/dpc.h"
#include "recovery/recovery.h"
#include "scheduling/node.h"
#include "scheduling/schedule.h"
#include "scheduling/usage.h"
#include "kmd.h"
#include "rf_os.h"

void kmd_adapter_watchdog(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_adapter_walk(adapter, KMD_WALK_LOST);
	kmd_wait_unlock(domain, flags);
}

/* --- the device ---------------------------------------------------------------------------- */

/* Checks in a row without a response, after which the device is lost */
#define MISSED_MAX 2u

/* mutex held, here and below */
static int kmd_watch_check_device(struct kmd_adapter *adapter)
{
	unsigned long flags;
	int ret;

	rf_assert_held(&adapter->mutex);
	if (!adapter->ddi->check_device)
		return 0;
	flags = rf_spin_lock(&adapter->device_lock);
	ret = adapter->ddi->check_device(adapter->h_adapter);
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_adapter_run_deferred(adapter);
	return ret;
}

/* True if the device responded to the last check. @ask: check now. */
static bool kmd_watch_is_there(struct kmd_adapter *adapter, bool ask, u64 now)
{
	rf_assert_held(&adapter->mutex);
	if (kmd_adapter_is_wedged(adapter) || adapter->in_d3)
		return false;
	if (ask && kmd_watch_check_device(adapter)) {
		if (++adapter->recovery->missed >= MISSED_MAX)
			kmd_adapter_reset(adapter, "does not answer", now);
		return false;
	}
	if (ask)
		adapter->recovery->missed = 0;
	kmd_adapter_recover_lost(adapter);
	return !adapter->recovery->missed && !kmd_adapter_is_wedged(adapter);
}

/* --- lost reports ------------------------------------------------------------------- */

/* The device sends hints to enter or leave a slot only once: find lost ones. */
static void kmd_watch_queues(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	bool runnable = kmd_schedule_is_anything_runnable(adapter);
	u32 i;

	kmd_adapter_walk(adapter, KMD_WALK_POLL_RINGS);
	if (runnable && adapter->recovery->runnable_before)
		kmd_schedule_rearm_all(adapter);
	adapter->recovery->runnable_before = runnable;
	for (i = 0; i < adapter->caps.node_count; i++)
		kmd_node_take_turns(&adapter->nodes[i]);
	kmd_usage_sample(adapter);
	kmd_wait_unlock(domain, flags);
}

/* Not so often that a pending interrupt is taken for lost. */
static bool kmd_watch_is_due(struct kmd_adapter *adapter, u64 now)
{
	if (now - adapter->recovery->looked < adapter->tdr_delay / 8)
		return false;
	adapter->recovery->looked = now;
	return true;
}

void kmd_adapter_watch(struct kmd_adapter *adapter, u64 now)
{
	bool look;

	rf_mutex_lock(&adapter->mutex);
	kmd_adapter_run_deferred(adapter);
	look = kmd_watch_is_due(adapter, now);
	if (kmd_watch_is_there(adapter, look, now)) {
		if (look)
			kmd_watch_queues(adapter);
		kmd_nodes_watch(adapter, now);
	}
	rf_mutex_unlock(&adapter->mutex);
	if (look)
		kmd_adapter_watchdog(adapter);
	kmd_adapter_watch_exported_fences(adapter, now);
	kmd_adapter_work(adapter); /* disconnects doorbells of lost queues */
}
