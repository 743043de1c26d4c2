// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Pages of the region. The region is made for the first fence that could be signalled from device to
 * device, and then lives as long as the domain; each adapter imports all of it at its first such
 * fence. A page is free again when its fence is gone and no device has a valid entry for it.
 *
 * Locking: wait_lock for who has which page; the adapter's mutex for its import.
 */
#include "fences/peer_page.h"

#include "base/adapter.h"
#include "base/peers.h"
#include "base/sync_domain.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* False: there is no memory. */
static bool kmd_peer_region_create(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct rf_mem *mem = NULL;
	bool there = domain->peers.mem;

	kmd_wait_unlock(domain, flags);
	if (there)
		return true;
	if (rf_mem_create(adapter->bus, RF_MEM_HOST, RF_PEER_REGION_ALIGN, &mem))
		return false;
	flags = kmd_wait_lock(domain);
	if (!domain->peers.mem) {
		domain->peers.mem = mem;
		mem = NULL;
	}
	kmd_wait_unlock(domain, flags);
	rf_mem_put(mem); /* that of another thread came first */
	return true;
}

static u32 kmd_peer_index(const struct kmd_sync_domain *domain, const struct kmd_peer_fence *peer)
{
	return (u32)(peer - domain->peers.fences);
}

/* Fences for which a device has a valid entry. A wedged device is not used any more. */
static u64 kmd_peer_entries(const struct kmd_sync_domain *domain)
{
	const struct kmd_adapter *adapter;
	u64 entries = 0;

	rf_list_for_each(adapter, &domain->adapters, domain_link)
		if (!kmd_adapter_is_wedged(adapter))
			entries |= adapter->peers.entries;
	return entries;
}

static struct kmd_peer_fence *kmd_peer_page_take(struct kmd_sync_domain *domain,
						 struct kmd_fence *fence)
{
	struct kmd_peer_fence *peer, *found = NULL;
	unsigned long flags = kmd_wait_lock(domain);
	u64 entries = kmd_peer_entries(domain);
	u32 i;

	for (i = 0; i < RF_PEER_REGION_FENCES && !found; i++) {
		peer = &domain->peers.fences[i];
		if (peer->fence || (entries >> i & 1))
			continue;
		peer->fence = fence;
		peer->peering = KMD_PEERING_OFF;
		peer->changed = false;
		found = peer;
	}
	kmd_wait_unlock(domain, flags);
	return found;
}

struct kmd_peer_fence *kmd_peer_page_claim(struct kmd_adapter *adapter, struct kmd_fence *fence,
					   struct rf_mem **page)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_peer_fence *peer;
	unsigned long flags;
	u32 offset;

	if (!adapter->caps.peer_targets || !kmd_peer_region_create(adapter))
		return NULL;
	peer = kmd_peer_page_take(domain, fence);
	if (!peer)
		return NULL;
	if (rf_mem_page(domain->peers.mem, (u64)kmd_peer_index(domain, peer) * KMD_PAGE_BYTES,
			page)) {
		flags = kmd_wait_lock(domain);
		kmd_peer_page_release(peer);
		kmd_wait_unlock(domain, flags);
		return NULL;
	}
	/* processes that had an earlier fence there could write all of it */
	for (offset = 0; offset < KMD_PAGE_BYTES; offset += sizeof(u64))
		rf_mem_write64(*page, offset, 0);
	return peer;
}

void kmd_peer_page_release(struct kmd_peer_fence *peer)
{
	peer->fence = NULL;
	rf_list_remove(&peer->link);
}

/* --- entries ------------------------------------------------------------------------------ */

bool kmd_peer_can_access(const struct kmd_adapter *adapter)
{
	return !adapter->in_d3 && !adapter->resetting && !kmd_adapter_is_wedged(adapter);
}

bool kmd_peer_has_entry(const struct kmd_adapter *adapter, const struct kmd_peer_fence *peer)
{
	return adapter->peers.entries >> kmd_peer_index(adapter->sync_domain, peer) & 1;
}

void kmd_peer_set_entry(struct kmd_adapter *adapter, const struct kmd_peer_fence *peer, u32 targets)
{
	const struct rf_set_peer_fence fence = {
		.index = kmd_peer_index(adapter->sync_domain, peer),
		.targets = targets,
		.generation = peer->generation,
	};

	kmd_hold_access(adapter->sync_domain, adapter);
	adapter->ddi->set_peer_fence(adapter->h_adapter, &fence);
	if (targets)
		adapter->peers.entries |= 1ull << fence.index;
	else
		adapter->peers.entries &= ~(1ull << fence.index);
}

/* --- on an adapter ------------------------------------------------------------------------ */

static void kmd_peer_region_import(struct kmd_adapter *adapter)
{
	struct rf_set_peer_region region;
	unsigned long flags;
	int ret;

	adapter->peers.no_region = true;
	if (!adapter->caps.peer_targets ||
	    rf_mem_import(adapter->bus, adapter->sync_domain->peers.mem, &region.mem))
		return;
	ret = adapter->ddi->set_peer_region(adapter->h_adapter, &region);
	if (ret) {
		rf_mem_put(region.mem);
		return;
	}
	flags = kmd_wait_lock(adapter->sync_domain);
	adapter->peers.region = region.mem;
	kmd_wait_unlock(adapter->sync_domain, flags);
}

struct rf_mem *kmd_peer_page_import(struct kmd_adapter *adapter, const struct kmd_peer_fence *peer)
{
	u64 offset = (u64)kmd_peer_index(adapter->sync_domain, peer) * KMD_PAGE_BYTES;
	struct rf_mem *page;

	rf_assert_held(&adapter->mutex);
	if (!adapter->peers.region && !adapter->peers.no_region)
		kmd_peer_region_import(adapter);
	if (!adapter->peers.region || rf_mem_page(adapter->peers.region, offset, &page))
		return NULL;
	return page;
}

void kmd_peer_region_destroy(struct kmd_sync_domain *domain)
{
	rf_mem_put(domain->peers.mem);
}

void kmd_peer_region_leave(struct kmd_adapter *adapter)
{
	rf_mem_put(adapter->peers.region);
}
