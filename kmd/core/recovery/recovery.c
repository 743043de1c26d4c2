// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Recovery from hangs (S3-36, S3-41, S4-2, S4-3, A-1..A-5, A-17).
 *
 *   active      for a node that has queues in slots, or packets, the miniport reports whether the
 *      |        engine makes progress: it asks the device, and no word that a process can write
 *      |        counts, neither for nor against
 *      |  no progress for the TDR delay, or the miniport reported HUNG
 *      v
 *   preempting  first all work is preempted (S4-2): the node's queues leave their slots, its
 *      |        packets are preempted, and no other queue enters
 *      |        when all have left: active again, and they are resumed
 *      |  not all have left after the TDR delay
 *      v
 *   engine reset: the queue that ran is lost, and its process; the others are not affected
 *      |  the engine cannot be reset
 *      v
 *   adapter reset: every queue is lost. The sixth within a minute ends recovery.
 *
 * A queue that waits for a fence or has stopped at a TRAP has no engine, and is not checked; only
 * an exported fence limits its time (exported_fence.c). A thread that waits for an engine with the
 * mutex held recovers the engine itself.
 *
 * Locking: the adapter's mutex throughout, so that no object is created or destroyed meanwhile.
 * Notes come from the interrupt service, under device_lock; which queues are lost, and which may
 * enter a node, is changed under wait_lock.
 */
#include "recovery/recovery.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "interrupts/dpc.h"
#include "queues/lost_queue.h"
#include "scheduling/engine.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/peering.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_hw.h"

int kmd_recovery_create(struct kmd_adapter *adapter)
{
	adapter->recovery = rf_alloc(sizeof(*adapter->recovery));
	return adapter->recovery ? 0 : -ENOMEM;
}

void kmd_recovery_destroy(struct kmd_adapter *adapter)
{
	rf_free(adapter->recovery);
}

/* --- lost queues and processes ------------------------------------------------------ */

static void kmd_recovery_mark_guilty(struct kmd_adapter *adapter)
{
	struct kmd_file *file;

	rf_list_for_each(file, &adapter->files, link)
		if (file->guilty)
			kmd_file_mark_lost(file);
}

/* Mark the queue that was on an engine as lost; NULL: it is not known. */
static struct kmd_queue *kmd_recovery_mark_queue(struct kmd_adapter *adapter,
						 const void *h_hw_queue)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	struct kmd_queue *queue = kmd_queue_find(adapter, h_hw_queue);

	if (queue)
		kmd_queue_mark_lost(queue, RF_QUEUE_ERROR_ENGINE_RESET, 0, true);
	kmd_wait_unlock(adapter->sync_domain, flags);
	return queue;
}

/* Callback of the miniport, called in a reset, under the mutex. */
void kmd_invalidate_hw_context(void *h_core, const struct rf_invalidate_hw_context *arguments)
{
	struct kmd_adapter *adapter = h_core;
	struct kmd_queue *queue = kmd_recovery_mark_queue(adapter, arguments->h_hw_queue);

	if (!queue)
		kmd_adapter_wedge(adapter, "invalidate_hw_context of an unknown queue");
	else if (!(arguments->flags & RF_INVALIDATE_COLLATERAL_DAMAGE))
		kmd_file_mark_lost(queue->file);
}

/* --- callbacks to the shell --------------------------------------------------------- */

static void kmd_observe_hang(struct kmd_adapter *adapter, u32 ordinal)
{
	if (adapter->observer)
		adapter->observer->hang(adapter->observer_argument, ordinal);
}

static void kmd_observe_reset(struct kmd_adapter *adapter, u32 ordinal, int result)
{
	if (adapter->observer)
		adapter->observer->reset(adapter->observer_argument, ordinal, result);
}

/* --- the whole adapter ---------------------------------------------------------------------- */

/* True if there were too many hangs. */
static bool kmd_recovery_count_hang(struct kmd_adapter *adapter, u64 now)
{
	while (adapter->recovery->hang_count &&
	       now - adapter->recovery->hangs[0] >= KMD_HANGS_TIME) {
		memmove(adapter->recovery->hangs, adapter->recovery->hangs + 1,
			(KMD_HANGS_MAX - 1) * sizeof(adapter->recovery->hangs[0]));
		adapter->recovery->hang_count--;
	}
	adapter->recovery->hangs[adapter->recovery->hang_count++] = now;
	return adapter->recovery->hang_count == KMD_HANGS_MAX;
}

/* Before the reset: from now on the device is not accessed. */
static void kmd_recovery_mark_all(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	struct kmd_file *file;

	adapter->resetting = true;
	kmd_peers_forget(adapter, false);
	/* reasons found before this reset do not cause another one */
	__atomic_store_n(&adapter->reset_wanted, false, __ATOMIC_RELEASE);
	kmd_wait_unlock(adapter->sync_domain, flags);
	rf_list_for_each(file, &adapter->files, link)
		kmd_file_mark_lost(file);
}

/* After the reset: the device has no queue, no packet and no MonitoredValue. */
static void kmd_recovery_start_over(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	struct kmd_queue *queue;
	u32 i;

	adapter->statistics.adapter_resets++;
	rf_list_for_each(queue, &adapter->queues, link) {
		kmd_queue_mark_lost(queue, RF_QUEUE_ERROR_ENGINE_RESET, 0, true);
		flags = kmd_hold_step(adapter->sync_domain, flags);
	}
	adapter->resetting = false;
	kmd_peers_changed(adapter->sync_domain);
	for (i = 0; i < adapter->caps.node_count; i++) {
		kmd_node_reset(&adapter->nodes[i], adapter->nodes[i].last_completed_id);
		kmd_node_set_preempting(&adapter->nodes[i], false);
	}
	kmd_adapter_walk(adapter, KMD_WALK_REARM | KMD_WALK_MONITORED);
	kmd_adapter_set_busy(adapter); /* retry what waits for the device */
	kmd_wait_unlock(adapter->sync_domain, flags);
}

static void kmd_node_set_stopped(struct kmd_adapter *adapter, u32 ordinal, bool stopped)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	adapter->nodes[ordinal].stopped = stopped;
	rf_spin_unlock(&adapter->device_lock, flags);
}

void kmd_adapter_reset(struct kmd_adapter *adapter, const char *reason, u64 now)
{
	u32 i;

	rf_assert_held(&adapter->mutex);
	rf_log_user(adapter->bus->os, "the adapter %s and is reset", reason);
	adapter->recovery->missed = 0;
	for (i = 0; i < adapter->caps.node_count; i++)
		kmd_node_set_stopped(adapter, i, false);
	if (kmd_recovery_count_hang(adapter, now)) {
		kmd_adapter_wedge(adapter, "the adapter hung too often");
		return;
	}
	kmd_recovery_mark_all(adapter);
	if (adapter->ddi->reset_from_timeout(adapter->h_adapter) ||
	    adapter->ddi->restart_from_timeout(adapter->h_adapter)) {
		kmd_observe_reset(adapter, KMD_NODE_ALL, -EIO);
		kmd_adapter_wedge(adapter, "the adapter cannot be reset");
		return;
	}
	kmd_adapter_run_deferred(adapter);
	kmd_recovery_start_over(adapter);
	kmd_observe_reset(adapter, KMD_NODE_ALL, 0);
}

void kmd_adapter_recover_lost(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool lost = adapter->notes.lost;

	rf_assert_held(&adapter->mutex);
	adapter->notes.lost = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	lost |= kmd_adapter_wants_reset(adapter);
	if (lost && !kmd_adapter_is_wedged(adapter))
		kmd_adapter_reset(adapter, "is lost", rf_time());
}

/* --- one engine ------------------------------------------------------------------------------- */

/* The hardware schedules: between the two calls the engine is stopped. */
static int kmd_recovery_reset_hw_engine(struct kmd_adapter *adapter, u32 ordinal)
{
	const struct rf_hw_engine engine = { .node_ordinal = ordinal };
	int ret;

	ret = adapter->ddi->reset_hw_engine(adapter->h_adapter, &engine);
	if (ret)
		return ret;
	kmd_node_set_stopped(adapter, ordinal, true);
	kmd_adapter_run_deferred(adapter); /* reports from before the reset */
	kmd_node_set_stopped(adapter, ordinal, false);
	return adapter->ddi->resume_hw_engine(adapter->h_adapter, &engine);
}

/* The kernel schedules: the reset returns the last packet that was aborted. */
static int kmd_recovery_reset_packet_engine(struct kmd_adapter *adapter, u32 ordinal)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct rf_reset_engine reset = { .node_ordinal = ordinal };
	unsigned long flags;
	int ret;

	ret = adapter->ddi->reset_engine(adapter->h_adapter, &reset);
	kmd_adapter_run_deferred(adapter);
	if (ret)
		return ret;
	flags = kmd_wait_lock(domain);
	kmd_node_reset(&adapter->nodes[ordinal], reset.last_aborted_fence_id);
	kmd_wait_unlock(domain, flags);
	kmd_recovery_mark_guilty(adapter);
	return 0;
}

static int kmd_recovery_reset_node(struct kmd_adapter *adapter, u32 ordinal)
{
	struct kmd_node *node = &adapter->nodes[ordinal];
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags;
	bool packets;
	int ret;

	rf_log_user(adapter->bus->os, "engine of node %u hangs and is reset", ordinal);
	flags = kmd_wait_lock(domain);
	kmd_node_set_preempting(node, true);
	node->resetting = true;
	packets = node->depth;
	kmd_wait_unlock(domain, flags);

	ret = packets ? kmd_recovery_reset_packet_engine(adapter, ordinal)
		      : kmd_recovery_reset_hw_engine(adapter, ordinal);
	kmd_adapter_run_deferred(adapter);

	flags = kmd_wait_lock(domain);
	node->resetting = false;
	kmd_node_set_preempting(node, false);
	if (!ret)
		adapter->statistics.engine_resets++;
	kmd_wait_unlock(domain, flags);
	kmd_observe_reset(adapter, ordinal, ret);
	return ret;
}

/* Also reset dependent engines that still hang: they share the engine. */
static int kmd_recovery_reset_group(struct kmd_adapter *adapter, u32 ordinal)
{
	struct rf_query_dependent_engine_group group = { .node_ordinal = ordinal };
	u32 i;
	int ret;

	ret = adapter->ddi->query_dependent_engine_group(adapter->h_adapter, &group);
	if (ret)
		return ret;
	if (!(group.dependent_node_ordinal_mask & 1ull << ordinal)) {
		kmd_adapter_wedge(adapter, "the dependent engine group lacks the engine itself");
		return 0;
	}
	ret = kmd_recovery_reset_node(adapter, ordinal);
	for (i = 0; i < adapter->caps.node_count && !ret; i++)
		if (i != ordinal && (group.dependent_node_ordinal_mask & 1ull << i) &&
		    kmd_engine_is_hung(adapter, i))
			ret = kmd_recovery_reset_node(adapter, i);
	return ret;
}

static void kmd_recovery_reset_group_or_adapter(struct kmd_adapter *adapter, u32 ordinal, u64 now)
{
	kmd_observe_hang(adapter, ordinal);
	if (!adapter->caps.support_per_engine_tdr || kmd_recovery_reset_group(adapter, ordinal))
		kmd_adapter_reset(adapter, "hangs", now);
}

void kmd_engine_recover(struct kmd_adapter *adapter, u32 node)
{
	rf_assert_held(&adapter->mutex);
	kmd_recovery_reset_group_or_adapter(adapter, node, rf_time());
}

/* --- the watch ------------------------------------------------------------------------------- */

static void kmd_recovery_preempt_node(struct kmd_adapter *adapter, u32 ordinal)
{
	struct kmd_node *node = &adapter->nodes[ordinal];
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_node_set_preempting(node, true);
	adapter->statistics.preemption_requests++;
	kmd_schedule_evict_node(adapter, ordinal);
	kmd_node_preempt(node);
	kmd_nodes_end_preemptions(adapter);
	kmd_wait_unlock(domain, flags);
	kmd_adapter_run_deferred(adapter);
}

static void kmd_recovery_watch_node(struct kmd_adapter *adapter, u32 ordinal, u64 now)
{
	struct kmd_node *node = &adapter->nodes[ordinal];

	if (node->since > now)
		node->since = now;
	if (node->preempting) {
		if (now - node->since >= adapter->tdr_delay)
			kmd_recovery_reset_group_or_adapter(adapter, ordinal, now);
		return;
	}
	if (!kmd_node_is_occupied(adapter, ordinal) || !kmd_engine_is_hung(adapter, ordinal)) {
		node->stalled = false;
	} else if (!node->stalled) {
		node->stalled = true;
		node->since = now;
	} else if (now - node->since >= adapter->tdr_delay) {
		node->stalled = false;
		node->since = now;
		kmd_recovery_preempt_node(adapter, ordinal);
	}
}

void kmd_nodes_recover_hung(struct kmd_adapter *adapter)
{
	unsigned long flags;
	bool hung;
	u32 i;

	rf_assert_held(&adapter->mutex);
	for (i = 0; i < adapter->caps.node_count; i++) {
		struct kmd_node *node = &adapter->nodes[i];

		flags = rf_spin_lock(&adapter->device_lock);
		hung = node->note_hung;
		node->note_hung = false;
		rf_spin_unlock(&adapter->device_lock, flags);
		if (!hung || node->preempting)
			continue;
		node->since = U64_MAX; /* set to the time of the next check */
		kmd_recovery_preempt_node(adapter, i);
	}
}

void kmd_adapter_set_tdr_delay(struct kmd_adapter *adapter, u64 delay)
{
	unsigned long flags;

	rf_mutex_lock(&adapter->mutex);
	flags = kmd_wait_lock(adapter->sync_domain);
	adapter->tdr_delay = delay;
	kmd_wait_unlock(adapter->sync_domain, flags);
	rf_mutex_unlock(&adapter->mutex);
}

void kmd_nodes_watch(struct kmd_adapter *adapter, u64 now)
{
	u32 i;

	rf_assert_held(&adapter->mutex);
	for (i = 0; i < adapter->caps.node_count && !kmd_adapter_is_wedged(adapter); i++)
		kmd_recovery_watch_node(adapter, i, now);
}
