// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Linked adapters. Either can be lost at any moment, which ends the link without a step of its own:
 * a pair counts only while neither adapter is wedged, and an adapter may be linked anew when the one
 * that it was linked with is. See link.h.
 */
#include "base/link.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* --- adapters ---------------------------------------------------------------------------------- */

/*
 * What a linked adapter needs. A DMA buffer that the driver patches is the one adapter's: its
 * addresses are written into it.
 */
static bool kmd_adapter_can_link(const struct kmd_adapter *adapter)
{
	return adapter->features.linked_adapters && adapter->caps.chain_uid &&
	       (adapter->caps.scheduling_caps & RF_VIDSCH_NO_DMA_PATCHING) &&
	       adapter->ddi->create_context && adapter->ddi->render;
}

struct kmd_adapter *kmd_adapter_linked(const struct kmd_adapter *adapter)
{
	struct kmd_adapter *other = adapter->linked;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	if (!other || kmd_adapter_is_wedged(adapter) || kmd_adapter_is_wedged(other))
		return NULL;
	return other;
}

void kmd_link_left(struct kmd_adapter *adapter)
{
	rf_assert_held(&adapter->sync_domain->wait_lock);
	if (adapter->linked)
		adapter->linked->linked = NULL;
	adapter->linked = NULL;
}

static int kmd_adapters_link(struct kmd_adapter *adapter, struct kmd_adapter *other)
{
	if (adapter == other)
		return -EINVAL;
	if (!kmd_adapter_can_link(other) || adapter->caps.chain_uid != other->caps.chain_uid ||
	    adapter->caps.node_count != other->caps.node_count ||
	    adapter->caps.paging_node != other->caps.paging_node)
		return -EOPNOTSUPP;
	if (kmd_adapter_linked(adapter) == other)
		return 0;
	if (kmd_adapter_linked(adapter) || kmd_adapter_linked(other))
		return -EBUSY;
	/* with adapters that are lost */
	kmd_link_left(adapter);
	kmd_link_left(other);
	adapter->linked = other;
	other->linked = adapter;
	return 0;
}

/* --- processes --------------------------------------------------------------------------------- */

void kmd_link_init(struct kmd_file *file)
{
	rf_list_init(&file->pair.offered);
}

/* The other process, or NULL: the pair has ended. */
static struct kmd_file *kmd_link_other(const struct kmd_file *file)
{
	struct kmd_file *other = file->pair.other;

	if (!other || kmd_adapter_is_wedged(file->adapter) || kmd_adapter_is_wedged(other->adapter))
		return NULL;
	return other;
}

/* The pair, if there is one, is no more. */
static void kmd_link_part(struct kmd_file *file)
{
	struct kmd_file *other = file->pair.other;

	if (other)
		other->pair.other = NULL;
	file->pair.other = NULL;
}

static void kmd_link_withdraw(struct kmd_file *file)
{
	rf_list_remove(&file->pair.offered);
	file->pair.token = 0;
}

int kmd_link_offer(struct kmd_file *file, u64 *token)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	u64 new = rf_random();
	unsigned long flags;
	int ret = 0;

	if (!kmd_adapter_can_link(file->adapter))
		return -EOPNOTSUPP;
	flags = kmd_wait_lock(domain);
	if (kmd_link_other(file)) {
		ret = -EBUSY;
	} else if (!file->pair.token) {
		file->pair.token = new;
		rf_list_insert(&file->pair.offered, &domain->offers);
	}
	if (!ret)
		*token = file->pair.token;
	kmd_wait_unlock(domain, flags);
	return ret;
}

/* One entry of the list for each process of the domain at most. */
static struct kmd_file *kmd_link_find_offer(struct kmd_sync_domain *domain, u64 token)
{
	struct kmd_file *file;

	rf_list_for_each(file, &domain->offers, pair.offered)
		if (file->pair.token == token && !kmd_adapter_is_wedged(file->adapter))
			return file;
	return NULL;
}

static int kmd_link_pair(struct kmd_file *file, struct kmd_file *other)
{
	int ret;

	if (!other)
		return -ENOENT;
	if (kmd_link_other(file))
		return -EBUSY;
	ret = kmd_adapters_link(file->adapter, other->adapter);
	if (ret)
		return ret;
	/* with processes of adapters that are lost */
	kmd_link_part(file);
	kmd_link_part(other);
	kmd_link_withdraw(file);
	kmd_link_withdraw(other);
	file->pair.other = other;
	other->pair.other = file;
	return 0;
}

int kmd_link_join(struct kmd_file *file, u64 token)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags;
	int ret;

	if (!kmd_adapter_can_link(file->adapter))
		return -EOPNOTSUPP;
	flags = kmd_wait_lock(domain);
	ret = kmd_link_pair(file, kmd_link_find_offer(domain, token));
	kmd_wait_unlock(domain, flags);
	return ret;
}

void kmd_link_end(struct kmd_file *file)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_link_part(file);
	kmd_link_withdraw(file);
	flags = kmd_wait_visits(domain, flags, &file->pair.visits);
	kmd_wait_unlock(domain, flags);
}

struct kmd_file *kmd_link_visit(struct kmd_file *file)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_file *other = kmd_link_other(file);

	if (other)
		other->pair.visits++;
	kmd_wait_unlock(domain, flags);
	return other;
}

void kmd_link_leave(struct kmd_file *other)
{
	struct kmd_sync_domain *domain = other->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	other->pair.visits--;
	kmd_wait_unlock(domain, flags);
}

/* Memory that is found under wait_lock is there until the end of the hold. */
static int kmd_link_find_address(struct kmd_file *file, u32 handle, u64 bytes, u64 *address)
{
	const struct kmd_file *other = kmd_link_other(file);
	const struct kmd_memory *memory;

	if (!other)
		return -ENOLINK;
	memory = kmd_table_find(&file->pair.other->table, KMD_MEMORY, handle);
	if (!memory)
		return -ENOENT;
	if (memory->mem->bytes != bytes)
		return -EINVAL;
	*address = memory->gpu_address;
	return 0;
}

int kmd_link_address(struct kmd_file *file, u32 handle, u64 bytes, u64 *address)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	int ret = kmd_link_find_address(file, handle, bytes, address);

	kmd_wait_unlock(domain, flags);
	return ret;
}
