// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Peering: a cross-adapter fence is peered while every device that has it open notifies all the
 * others by itself, so that a signal needs the CPU only if a CPU waits. Then MonitoredValue of each
 * opening is for the CPU waiters of all adapters; otherwise it is 0, and the CPU propagates
 * (propagate.c). It can be peered if
 *
 *   its CurrentValue is in the region of the domain, and each opening is native
 *   each device is in use: not asleep, in a reset or lost
 *   each is a target of each other (peer_link.c), which the bus has to route
 *
 * The way from one to the other:
 *
 *   OFF ------> ENTERING ------> ON ------> LEAVING ------> OFF
 *       it can           all have   it cannot       all have
 *                        an entry                   MonitoredValue 0
 *
 *   ENTERING   entries with a new generation are written, one device after the other. MonitoredValue
 *              is 0: what is signalled is propagated by the CPU
 *   to ON      every write of CurrentValue that came before the entry of its device is visible. All
 *              devices are notified once, for these. What comes later is notified by the devices.
 *              MonitoredValues follow the waiters from now on, as those of an ordinary fence
 *              (evaluate.c)
 *   LEAVING    MonitoredValues become 0; the entries are still valid. A signal that found an older
 *              MonitoredValue is visible before it is 0
 *   to OFF     all devices are notified once, for these, as a word of a device may be lost from
 *              here on: entries are made invalid, one device after the other
 *
 * So at each moment a signal is followed by a word of its device, or by an interrupt, or by a
 * notification that begins after it is visible. If an adapter opens or closes the fence, it goes to
 * OFF and begins again. A word that comes late, with an old generation or none, makes a queue read
 * CurrentValue once more at worst.
 *
 * A device that is reset or sleeps has no entry, and none of its queues waits; before it sleeps, its
 * fences go to OFF, since a signal that nobody reports would not wake it.
 *
 * Steps are pending work (KMD_PENDING_PEERS): each changes the state of a fence, or writes an entry
 * of one device.
 *
 * Locking: wait_lock.
 */
#include "waits/peering.h"

#include "base/adapter.h"
#include "base/peers.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/peer_link.h"
#include "fences/peer_page.h"
#include "waits/propagate.h"
#include "waits/wait.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static bool kmd_peers_are_usable(const struct kmd_adapter *adapter)
{
	return adapter->peers.region && !adapter->peers.asleep && !adapter->peers.leaving &&
	       kmd_peer_can_access(adapter);
}

/* Targets of an opening: bits by their numbers; 0: some are missing, and are wanted now. */
static u32 kmd_opening_targets(const struct kmd_opening *opening)
{
	const struct kmd_opening *other;
	bool complete = true;
	u32 targets = 0;

	rf_list_for_each(other, &opening->fence->openings, fence_link) {
		u32 target;

		if (other == opening)
			continue;
		target = kmd_peer_link_find(opening->adapter, other->adapter);
		targets |= target;
		complete &= !!target;
	}
	return complete ? targets : 0;
}

/* Could its signals go from device to device, if all devices were linked? */
static bool kmd_fence_may_peer(const struct kmd_fence *fence)
{
	const struct kmd_opening *opening;
	u32 count = 0;

	rf_list_for_each(opening, &fence->openings, fence_link) {
		if (!opening->is_native || !opening->current_value.page->peer ||
		    !kmd_peers_are_usable(opening->adapter) || count++ > RF_PEER_TARGETS_MAX)
			return false;
	}
	return count > 1 && !fence->always_signaled;
}

static bool kmd_fence_can_peer(const struct kmd_fence *fence)
{
	const struct kmd_opening *opening;

	if (!kmd_fence_may_peer(fence))
		return false;
	rf_list_for_each(opening, &fence->openings, fence_link)
		if (!kmd_opening_targets(opening))
			return false;
	return true;
}

/* The first opening whose device has no entry of this generation, or NULL. */
static struct kmd_opening *kmd_fence_not_entered(const struct kmd_peer_fence *peer)
{
	struct kmd_opening *opening;

	rf_list_for_each(opening, &peer->fence->openings, fence_link)
		if (opening->entered != peer->generation)
			return opening;
	return NULL;
}

/* The first opening whose device has an entry, or NULL. */
static struct kmd_opening *kmd_fence_entered(const struct kmd_peer_fence *peer)
{
	struct kmd_opening *opening;

	rf_list_for_each(opening, &peer->fence->openings, fence_link)
		if (kmd_peer_has_entry(opening->adapter, peer) &&
		    kmd_peer_can_access(opening->adapter))
			return opening;
	return NULL;
}

/* Is MonitoredValue 0 wherever an engine may signal? */
static bool kmd_fence_reports_all(const struct kmd_fence *fence)
{
	const struct kmd_opening *opening;

	rf_list_for_each(opening, &fence->openings, fence_link)
		if (opening->is_native && !kmd_opening_is_armed(opening) &&
		    kmd_peer_can_access(opening->adapter))
			return false;
	return true;
}

static enum kmd_peering kmd_peering_next(const struct kmd_peer_fence *peer)
{
	bool can = kmd_fence_can_peer(peer->fence);

	switch (peer->peering) {
	case KMD_PEERING_OFF:
		return can ? KMD_PEERING_ENTERING : KMD_PEERING_OFF;
	case KMD_PEERING_ENTERING:
		if (!can || peer->changed)
			return KMD_PEERING_OFF;
		return kmd_fence_not_entered(peer) ? KMD_PEERING_ENTERING : KMD_PEERING_ON;
	case KMD_PEERING_ON:
		return can && !peer->changed ? KMD_PEERING_ON : KMD_PEERING_LEAVING;
	case KMD_PEERING_LEAVING:
		break;
	}
	return kmd_fence_reports_all(peer->fence) ? KMD_PEERING_OFF : KMD_PEERING_LEAVING;
}

static void kmd_peering_set(struct kmd_peer_fence *peer, enum kmd_peering next)
{
	enum kmd_peering before = peer->peering;
	struct kmd_fence *fence = peer->fence;

	peer->peering = next;
	switch (next) {
	case KMD_PEERING_ENTERING:
		peer->generation = peer->generation % RF_PEER_GENERATION_MAX + 1;
		peer->changed = false;
		break;
	case KMD_PEERING_ON:
		kmd_fence_set_unarmed(fence);
		kmd_fence_propagate(fence, NULL);
		break;
	case KMD_PEERING_LEAVING:
		kmd_fence_set_unarmed(fence);
		break;
	case KMD_PEERING_OFF:
		if (before == KMD_PEERING_LEAVING)
			kmd_fence_propagate(fence, NULL);
		break;
	}
}

/* The opening whose entry is to be written in this state, or NULL. */
static struct kmd_opening *kmd_peering_entry(const struct kmd_peer_fence *peer)
{
	switch (peer->peering) {
	case KMD_PEERING_ENTERING:
		return kmd_fence_not_entered(peer);
	case KMD_PEERING_OFF:
		return kmd_fence_entered(peer);
	case KMD_PEERING_ON:
	case KMD_PEERING_LEAVING:
		break;
	}
	return NULL;
}

static void kmd_peering_write_entry(struct kmd_peer_fence *peer, struct kmd_opening *opening)
{
	bool enter = peer->peering == KMD_PEERING_ENTERING;

	kmd_peer_set_entry(opening->adapter, peer, enter ? kmd_opening_targets(opening) : 0);
	if (enter)
		opening->entered = peer->generation;
}

static struct kmd_peer_fence *kmd_peering_first(struct kmd_sync_domain *domain)
{
	return rf_list_first(&domain->pending[KMD_PENDING_PEERS], struct kmd_peer_fence, link);
}

struct kmd_adapter *kmd_adapter_to_enter(struct kmd_sync_domain *domain)
{
	const struct kmd_peer_fence *peer = kmd_peering_first(domain);
	const struct kmd_opening *opening = NULL;

	if (kmd_peering_next(peer) == peer->peering)
		opening = kmd_peering_entry(peer);
	return opening ? opening->adapter : NULL;
}

void kmd_step_peers(struct kmd_sync_domain *domain)
{
	struct kmd_peer_fence *peer = kmd_peering_first(domain);
	enum kmd_peering next = kmd_peering_next(peer);
	struct kmd_opening *opening;

	rf_assert_held(&domain->wait_lock);
	if (next != peer->peering) {
		kmd_peering_set(peer, next);
		return;
	}
	opening = kmd_peering_entry(peer);
	if (opening) {
		kmd_peering_write_entry(peer, opening);
		return;
	}
	/* until something changes, or a MonitoredValue has become 0 */
	rf_list_remove(&peer->link);
	if (peer->peering == KMD_PEERING_OFF && kmd_fence_may_peer(peer->fence))
		kmd_peer_links_want(peer->fence);
}

void kmd_fence_armed(struct kmd_fence *fence)
{
	struct kmd_peer_fence *peer = kmd_fence_peer(fence);

	rf_assert_held(&fence->domain->wait_lock);
	if (peer && peer->peering == KMD_PEERING_LEAVING)
		kmd_peers_changed_of(fence->domain, peer);
}

/* --- devices that are away -------------------------------------------------------------------- */

void kmd_peers_forget(struct kmd_adapter *adapter, bool asleep)
{
	struct kmd_peer_fence *fences = adapter->sync_domain->peers.fences;
	u32 i;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	for (i = 0; i < RF_PEER_REGION_FENCES; i++)
		fences[i].changed |= adapter->peers.entries >> i & 1;
	adapter->peers.asleep = asleep;
	adapter->peers.entries = 0;
	kmd_peers_changed(adapter->sync_domain);
}

static void kmd_peers_set_asleep(struct kmd_adapter *adapter, bool asleep)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	adapter->peers.asleep = asleep;
	kmd_peers_changed(adapter->sync_domain);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/* Has no device an entry for a fence that this adapter has open? */
static bool kmd_peers_are_off(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	const struct kmd_opening *opening;
	bool off = true;
	u32 i;

	for (i = 0; i < RF_PEER_REGION_FENCES; i++) {
		const struct kmd_peer_fence *peer = &domain->peers.fences[i];

		if (!peer->fence)
			continue;
		rf_list_for_each(opening, &peer->fence->openings, fence_link)
			if (opening->adapter == adapter)
				off &= peer->peering == KMD_PEERING_OFF && !kmd_fence_entered(peer);
	}
	kmd_wait_unlock(domain, flags);
	return off;
}

/* Period of checks for the end of pending work, in ns */
#define SUSPEND_PERIOD 20000u

int kmd_peers_suspend(struct kmd_adapter *adapter, u64 deadline)
{
	rf_assert_held(&adapter->mutex);
	kmd_peers_set_asleep(adapter, true);
	while (!kmd_peers_are_off(adapter)) {
		if (rf_time() > deadline)
			return -ETIMEDOUT;
		rf_sleep(adapter->sync_domain->os, SUSPEND_PERIOD);
	}
	return 0;
}

void kmd_peers_resume(struct kmd_adapter *adapter)
{
	kmd_peers_set_asleep(adapter, false);
}
