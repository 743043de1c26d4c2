// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * State of an adapter that every layer may set: it is wedged, it needs a reset, its device is busy.
 *
 * Locking: kmd_adapter.wedged is set once, at any level, and read without a lock. Each function
 * that begins a wait checks it first, under wait_lock; every existing wait is ended, under
 * wait_lock, after it was set. So no wait can begin that is never ended.
 */
#include "base/adapter.h"

#include "base/sync_domain.h"
#include "base/walk.h"
#include "rf_list.h"
#include "rf_os.h"

bool kmd_adapter_mark_wedged(struct kmd_adapter *adapter)
{
	bool first = !__atomic_exchange_n(&adapter->wedged, true, __ATOMIC_ACQ_REL);

	__atomic_store_n(&adapter->sync_domain->any_wedged, true, __ATOMIC_RELEASE);
	return first;
}

void kmd_adapter_set_wedged(struct kmd_adapter *adapter, const char *reason)
{
	if (kmd_adapter_mark_wedged(adapter))
		rf_log_error(adapter->bus->os, "fatal driver error: %s", reason);
}

void kmd_adapter_fail_all_waits(struct kmd_adapter *adapter)
{
	kmd_wait_unlock(adapter->sync_domain, kmd_wait_lock(adapter->sync_domain));
}

void kmd_adapter_wedge(struct kmd_adapter *adapter, const char *reason)
{
	kmd_adapter_set_wedged(adapter, reason);
	kmd_adapter_fail_all_waits(adapter);
}

void kmd_adapter_want_reset(struct kmd_adapter *adapter)
{
	__atomic_store_n(&adapter->reset_wanted, true, __ATOMIC_RELEASE);
}

void kmd_adapter_set_busy(struct kmd_adapter *adapter)
{
	rf_assert_held(&adapter->sync_domain->wait_lock);
	if (rf_list_empty(&adapter->busy_link))
		rf_list_insert(&adapter->busy_link, &adapter->sync_domain->busy);
}

void kmd_step_wedged(struct kmd_sync_domain *domain)
{
	struct kmd_adapter *adapter;

	rf_assert_held(&domain->wait_lock);
	rf_list_for_each(adapter, &domain->adapters, domain_link) {
		if (!kmd_adapter_is_wedged(adapter) || adapter->waits_failed)
			continue;
		adapter->waits_failed = true;
		kmd_adapter_walk(adapter, KMD_WALK_FAIL_WAITS);
		kmd_peers_changed(domain);
	}
}

void kmd_adapter_walk(struct kmd_adapter *adapter, u32 what)
{
	rf_assert_held(&adapter->sync_domain->wait_lock);
	/* objects already visited in this walk are visited again */
	adapter->walk.what |= what;
	adapter->walk.round += !!(what & KMD_WALK_FENCES);
	adapter->walk.queue_round += !!(what & KMD_WALK_QUEUES);
	if (rf_list_empty(&adapter->walk.link))
		rf_list_insert(&adapter->walk.link,
			       &adapter->sync_domain->pending[KMD_PENDING_WALKING]);
}
