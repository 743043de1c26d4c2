// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Links. A device that is to notify another one needs the other's peer page in the system process
 * of its own. The bus says whether it routes from the one to the other. A link is made when a fence
 * needs it, by kmd_adapter_work(), and lasts until one of the two adapters leaves.
 *
 * Locking: a link of an adapter is made and ended under its mutex; the other adapter is pinned by
 * kmd_adapter.visits meanwhile, as its mutex may not be taken. An adapter that leaves
 * (kmd_adapter_peers.leaving) is not pinned any more; it ends its own links first, without
 * waiting for others, and then those of the others to it.
 */
#include "fences/peer_link.h"

#include "base/adapter.h"
#include "base/peers.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

void kmd_peer_links_join(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	const struct kmd_adapter *other;
	u32 used = 0;

	rf_assert_held(&domain->wait_lock);
	rf_list_for_each(other, &domain->adapters, domain_link)
		used |= other->peers.bit;
	adapter->peers.bit = ~used & (used + 1);
}

void kmd_peer_links_left(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_adapter *other;

	rf_assert_held(&domain->wait_lock);
	rf_list_for_each(other, &domain->adapters, domain_link) {
		other->peers.wanted &= ~adapter->peers.bit;
		other->peers.refused &= ~adapter->peers.bit;
	}
}

u32 kmd_peer_link_find(const struct kmd_adapter *from, const struct kmd_adapter *to)
{
	u32 i;

	for (i = 0; i < RF_PEER_TARGETS_MAX; i++)
		if (from->peers.targets[i].adapter == to)
			return 1u << i;
	return 0;
}

static void kmd_peer_link_want(struct kmd_adapter *from, const struct kmd_adapter *to)
{
	if (from == to || kmd_peer_link_find(from, to) || !from->peers.bit ||
	    !(to->peers.bit & ~from->peers.refused))
		return;
	from->peers.wanted |= to->peers.bit;
	from->work = true;
	kmd_adapter_set_busy(from);
}

void kmd_peer_links_want(struct kmd_fence *fence)
{
	struct kmd_opening *opening, *other;

	rf_assert_held(&fence->domain->wait_lock);
	rf_list_for_each(opening, &fence->openings, fence_link)
		rf_list_for_each(other, &fence->openings, fence_link)
			kmd_peer_link_want(opening->adapter, other->adapter);
}

/* --- PASSIVE -------------------------------------------------------------------------------- */

/* An adapter that is wanted as a target, pinned, or NULL. */
static struct kmd_adapter *kmd_peer_links_take(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_adapter *other, *found = NULL;

	rf_list_for_each(other, &domain->adapters, domain_link)
		if (!found && (adapter->peers.wanted & other->peers.bit) && !other->peers.leaving)
			found = other;
	if (found) {
		adapter->peers.wanted &= ~found->peers.bit;
		found->visits++;
	}
	kmd_wait_unlock(domain, flags);
	return found;
}

void kmd_peer_links_unpin(struct kmd_adapter *other)
{
	unsigned long flags = kmd_wait_lock(other->sync_domain);

	other->visits--;
	kmd_wait_unlock(other->sync_domain, flags);
}

static int kmd_peer_link_connect(struct kmd_adapter *adapter, const struct kmd_adapter *other,
				 struct rf_connect_peer *connect)
{
	int ret;

	for (connect->target = 0; connect->target < adapter->caps.peer_targets; connect->target++)
		if (!adapter->peers.targets[connect->target].mem)
			break;
	if (connect->target == adapter->caps.peer_targets)
		return -ENOSPC;
	ret = rf_mem_create_peer(adapter->bus, other->bus, RF_BAR_REGISTERS, other->caps.peer_page,
				 &connect->mem);
	if (ret)
		return ret;
	ret = adapter->ddi->connect_peer(adapter->h_adapter, connect);
	if (ret)
		rf_mem_put(connect->mem);
	return ret;
}

static void kmd_peer_link_make(struct kmd_adapter *adapter, struct kmd_adapter *other)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct rf_connect_peer connect;
	int ret = kmd_peer_link_connect(adapter, other, &connect);
	unsigned long flags = kmd_wait_lock(domain);

	if (ret)
		adapter->peers.refused |= other->peers.bit;
	else
		adapter->peers.targets[connect.target] =
			(struct kmd_peer_target){ .adapter = other, .mem = connect.mem };
	kmd_peers_changed(domain);
	kmd_wait_unlock(domain, flags);
}

void kmd_peer_links_make(struct kmd_adapter *adapter)
{
	struct kmd_adapter *other;

	rf_assert_held(&adapter->mutex);
	while ((other = kmd_peer_links_take(adapter))) {
		kmd_peer_link_make(adapter, other);
		kmd_peer_links_unpin(other);
	}
}

void kmd_peer_links_close(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	adapter->peers.leaving = true;
	flags = kmd_wait_visits(domain, flags, &adapter->visits);
	kmd_wait_unlock(domain, flags);
}

static void kmd_peer_link_end_target(struct kmd_adapter *from, u32 target)
{
	const struct rf_disconnect_peer disconnect = {
		.target = target,
		.mem = from->peers.targets[target].mem,
	};
	struct kmd_sync_domain *domain = from->sync_domain;
	struct kmd_peer_target left = { 0 };
	unsigned long flags;

	rf_assert_held(&from->mutex);
	if (!disconnect.mem)
		return;
	if (from->in_d3)
		left.mem = disconnect.mem; /* kmd_peer_links_clean() */
	else
		from->ddi->disconnect_peer(from->h_adapter, &disconnect);
	flags = kmd_wait_lock(domain);
	from->peers.targets[target] = left;
	from->peers.refused = 0; /* there is room for another one */
	kmd_peers_changed(domain);
	kmd_wait_unlock(domain, flags);
	if (!left.mem)
		rf_mem_put(disconnect.mem);
}

void kmd_peer_links_end(struct kmd_adapter *adapter)
{
	u32 i;

	for (i = 0; i < RF_PEER_TARGETS_MAX; i++)
		kmd_peer_link_end_target(adapter, i);
}

void kmd_peer_links_clean(struct kmd_adapter *adapter)
{
	u32 i;

	for (i = 0; i < RF_PEER_TARGETS_MAX; i++)
		if (!adapter->peers.targets[i].adapter)
			kmd_peer_link_end_target(adapter, i);
}

void kmd_peer_link_end(struct kmd_adapter *from, const struct kmd_adapter *to)
{
	u32 i;

	for (i = 0; i < RF_PEER_TARGETS_MAX; i++)
		if (from->peers.targets[i].adapter == to)
			kmd_peer_link_end_target(from, i);
}

/* @left: it ends the link by itself, and has not done so yet */
static struct kmd_adapter *kmd_peer_links_try_pin(struct kmd_adapter *adapter, bool *left)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_adapter *other, *found = NULL;

	*left = false;
	rf_list_for_each(other, &domain->adapters, domain_link) {
		if (!kmd_peer_link_find(other, adapter))
			continue;
		if (other->peers.leaving)
			*left = true;
		else
			found = other;
	}
	if (found)
		found->visits++;
	kmd_wait_unlock(domain, flags);
	return found;
}

struct kmd_adapter *kmd_peer_links_pin(struct kmd_adapter *adapter)
{
	struct kmd_adapter *other;
	bool left;

	while (!(other = kmd_peer_links_try_pin(adapter, &left)) && left)
		rf_sleep(adapter->sync_domain->os, KMD_VISIT_PERIOD);
	return other;
}
