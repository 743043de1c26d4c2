// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Deferred work in a thread: at PASSIVE, with the mutex (kmd_adapter_work()), or with no lock held
 * (kmd_sync_domain_go_on()).
 */
#include "base/adapter.h"
#include "base/sync_domain.h"
#include "fences/peer_link.h"
#include "queues/doorbell.h"
#include "queues/kernel_queue.h"
#include "recovery/engine_power.h"
#include "recovery/recovery.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/evaluate.h"
#include "waits/signal.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"

/* In D3, and another adapter has signalled a fence that its queues may wait for */
static bool kmd_adapter_is_to_wake(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	bool wake = adapter->in_d3 && adapter->wake_wanted;

	kmd_wait_unlock(adapter->sync_domain, flags);
	return wake;
}

/*
 * Reset a lost device, disconnect the doorbells of lost queues, free finished packets, and begin or
 * continue state changes of engines. While the device is in D3 all of that waits.
 */
void kmd_adapter_work(struct kmd_adapter *adapter)
{
	struct kmd_doorbell *doorbell;
	struct kmd_queue *queue;
	unsigned long flags;

	if (kmd_adapter_is_to_wake(adapter))
		rf_shell_wake(adapter->bus);
	rf_mutex_lock(&adapter->mutex);
	if (adapter->in_d3) {
		rf_mutex_unlock(&adapter->mutex);
		return;
	}
	flags = kmd_wait_lock(adapter->sync_domain);
	adapter->work = false;
	kmd_wait_unlock(adapter->sync_domain, flags);
	kmd_adapter_recover_lost(adapter);
	kmd_nodes_recover_hung(adapter);
	rf_list_for_each(doorbell, &adapter->doorbells, link)
		if (kmd_doorbell_is_aborted(doorbell))
			kmd_doorbell_disconnect(doorbell, RF_DOORBELL_DISCONNECTED_ABORT);
	rf_list_for_each(queue, &adapter->queues, link)
		if (!queue->user_mode)
			kmd_kernel_queue_reap(queue);
	kmd_engines_drain(adapter);
	if (!kmd_adapter_is_wedged(adapter)) {
		kmd_fences_detach(adapter);
		kmd_peer_links_make(adapter);
	}
	rf_mutex_unlock(&adapter->mutex);
}

/*
 * Run the DPC of the first busy adapter; @work: the result of kmd_adapter_dpc(). wait_lock held;
 * released meanwhile.
 */
static unsigned long kmd_sync_domain_visit_busy(struct kmd_sync_domain *domain, unsigned long flags,
						bool *work)
{
	struct kmd_adapter *adapter;
	bool more, there;

	rf_assert_held(&domain->wait_lock);
	*work = false;
	if (rf_list_empty(&domain->busy))
		return flags;
	adapter = rf_list_first(&domain->busy, struct kmd_adapter, busy_link);
	rf_list_remove(&adapter->busy_link);
	/* the end of a reset evaluates all fences, and the end of D3, too */
	*work = kmd_adapter_wants_reset(adapter) || (adapter->in_d3 && adapter->wake_wanted);
	if (*work)
		return flags;
	more = !kmd_fences_unstall(adapter);
	if (!more)
		kmd_schedule_retry(adapter);
	there = !kmd_adapter_is_wedged(adapter) && !adapter->in_d3 && !adapter->resetting;
	adapter->visits++;
	kmd_wait_unlock(domain, flags);
	if (there)
		*work = kmd_adapter_dpc(adapter);
	flags = kmd_wait_lock(domain);
	adapter->visits--;
	if (more)
		kmd_adapter_set_busy(adapter);
	return flags;
}

bool kmd_sync_domain_go_on(struct kmd_sync_domain *domain, bool *work)
{
	unsigned long flags = kmd_wait_lock(domain);
	bool busy;

	flags = kmd_sync_domain_visit_busy(domain, flags, work);
	kmd_flush_pending(domain);
	busy = !rf_list_empty(&domain->busy);
	kmd_wait_unlock(domain, flags);
	return busy;
}
