// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The lock of a sync domain, and the pending work that a hold of it leaves.
 *
 * A hold of wait_lock disables interrupts, so it has a bound that does not depend on user mode:
 * KMD_HOLD_UNITS units, of which each step of work spends one. Further work is put on a list of
 * pending work. kmd_wait_unlock() takes steps from these lists, in the order of enum kmd_pending,
 * while there are units; if a list is not empty then, it has the shell call kmd_sync_domain_go_on()
 * from a thread that can be preempted, which begins the next hold. The same happens if the next step
 * is for another adapter than the one whose device the hold has accessed. While wait_lock is free, each
 * list is empty, or a call of kmd_sync_domain_go_on() is pending.
 */
#include "base/sync_domain.h"

#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"

void kmd_sync_domain_init(struct kmd_sync_domain *domain, struct rf_os *os,
			  const struct kmd_pending_steps *steps)
{
	u32 i;

	domain->os = os;
	domain->steps = steps;
	domain->units = KMD_HOLD_UNITS;
	rf_spin_init(&domain->wait_lock, os);
	rf_list_init(&domain->adapters);
	rf_list_init(&domain->shared);
	for (i = 0; i < KMD_PENDING_KINDS; i++)
		rf_list_init(&domain->pending[i]);
	rf_list_init(&domain->busy);
	rf_list_init(&domain->offers);
	for (i = 0; i < RF_PEER_REGION_FENCES; i++)
		rf_list_init(&domain->peers.fences[i].link);
}

unsigned long kmd_wait_lock(struct kmd_sync_domain *domain)
{
	return rf_spin_lock(&domain->wait_lock);
}

void kmd_wait_unlock(struct kmd_sync_domain *domain, unsigned long flags)
{
	kmd_flush_pending(domain);
	domain->units = KMD_HOLD_UNITS; /* of the next hold */
	domain->accessed = NULL;
	rf_spin_unlock(&domain->wait_lock, flags);
}

unsigned long kmd_wait_relock(struct kmd_sync_domain *domain, unsigned long flags)
{
	kmd_wait_unlock(domain, flags);
	return kmd_wait_lock(domain);
}

unsigned long kmd_wait_visits(struct kmd_sync_domain *domain, unsigned long flags,
			      const u32 *visits)
{
	rf_assert_held(&domain->wait_lock);
	while (*visits) {
		kmd_wait_unlock(domain, flags);
		rf_sleep(domain->os, KMD_VISIT_PERIOD);
		flags = kmd_wait_lock(domain);
	}
	return flags;
}

bool kmd_hold_spend(struct kmd_sync_domain *domain)
{
	rf_assert_held(&domain->wait_lock);
	if (!domain->units)
		return false;
	rf_count_round();
	domain->units--;
	return true;
}

unsigned long kmd_hold_step(struct kmd_sync_domain *domain, unsigned long flags)
{
	return kmd_hold_spend(domain) ? flags : kmd_wait_relock(domain, flags);
}

void kmd_hold_access(struct kmd_sync_domain *domain, const struct kmd_adapter *adapter)
{
	rf_assert_held(&domain->wait_lock);
	rf_assert(!domain->accessed || domain->accessed == adapter);
	domain->accessed = adapter;
}

/* Has the next step to wait for the next hold, because this one has accessed another device? */
static bool kmd_pending_is_foreign(struct kmd_sync_domain *domain, u32 kind)
{
	const struct kmd_adapter *adapter = NULL;

	if (domain->accessed && domain->steps->adapter_of[kind])
		adapter = domain->steps->adapter_of[kind](domain);
	return adapter && adapter != domain->accessed;
}

/* The first list that is not empty, or KMD_PENDING_KINDS if all are empty. */
static u32 kmd_pending_first(const struct kmd_sync_domain *domain)
{
	u32 kind = 0;

	while (kind < KMD_PENDING_KINDS && rf_list_empty(&domain->pending[kind]))
		kind++;
	return kind;
}

void kmd_flush_pending(struct kmd_sync_domain *domain)
{
	u32 kind;

	rf_assert_held(&domain->wait_lock);
	if (__atomic_load_n(&domain->any_wedged, __ATOMIC_RELAXED) &&
	    __atomic_exchange_n(&domain->any_wedged, false, __ATOMIC_ACQ_REL))
		domain->steps->wedged(domain);
	/*
	 * terminates: each step takes something from a list, ends a wait, submits a packet or moves
	 * a queue
	 */
	while ((kind = kmd_pending_first(domain)) != KMD_PENDING_KINDS &&
	       !kmd_pending_is_foreign(domain, kind) && kmd_hold_spend(domain))
		domain->steps->of[kind](domain);
	if (kind != KMD_PENDING_KINDS || !rf_list_empty(&domain->busy))
		rf_shell_go_on(domain->os);
}

void kmd_peers_changed_of(struct kmd_sync_domain *domain, struct kmd_peer_fence *peer)
{
	rf_assert_held(&domain->wait_lock);
	if (peer->fence && rf_list_empty(&peer->link))
		rf_list_insert(&peer->link, &domain->pending[KMD_PENDING_PEERS]);
}

void kmd_peers_changed(struct kmd_sync_domain *domain)
{
	u32 i;

	for (i = 0; i < RF_PEER_REGION_FENCES; i++)
		kmd_peers_changed_of(domain, &domain->peers.fences[i]);
}
