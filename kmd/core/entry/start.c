// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Starting and stopping adapters, with the lists and objects that higher layers keep of them. Caps
 * and the feature interface are in caps.c; base/adapter.c has the state of an adapter whose driver
 * broke the contract, and its locking.
 *
 * Locking: start and stop are PASSIVE, and the shell calls no other function of the adapter
 * meanwhile. kmd_sync_domain_go_on() may still visit an adapter that is being stopped:
 * kmd_adapter.visits.
 */
#include "base/adapter.h"
#include "base/handle.h"
#include "base/hash.h"
#include "base/link.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "entry/caps.h"
#include "fences/peer_link.h"
#include "fences/peer_page.h"
#include "interrupts/service.h"
#include "interrupts/walk_step.h"
#include "queues/context_allocation.h"
#include "queues/doorbell.h"
#include "queues/kernel_queue.h"
#include "queues/packet_context.h"
#include "recovery/device_power.h"
#include "recovery/exported_fence.h"
#include "recovery/recovery.h"
#include "scheduling/node.h"
#include "scheduling/schedule.h"
#include "waits/evaluate.h"
#include "waits/peering.h"
#include "waits/propagate.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static const struct kmd_pending_steps kmd_pending_steps = {
	.wedged = kmd_step_wedged,
	.of = {
		[KMD_PENDING_READY] = kmd_step_ready,
		[KMD_PENDING_NOTIFY] = kmd_step_notify,
		[KMD_PENDING_PEERS] = kmd_step_peers,
		[KMD_PENDING_UNARMED] = kmd_step_unarmed,
		[KMD_PENDING_REACHED] = kmd_step_reached,
		[KMD_PENDING_UNSCHEDULED] = kmd_step_unscheduled,
		[KMD_PENDING_WALKING] = kmd_step_walking,
	},
	.adapter_of = {
		[KMD_PENDING_READY] = kmd_adapter_to_advance,
		[KMD_PENDING_NOTIFY] = kmd_adapter_to_notify,
		[KMD_PENDING_PEERS] = kmd_adapter_to_enter,
		[KMD_PENDING_UNARMED] = kmd_adapter_to_arm,
		[KMD_PENDING_UNSCHEDULED] = kmd_adapter_to_schedule,
		[KMD_PENDING_WALKING] = kmd_adapter_to_walk,
	},
};

int kmd_sync_domain_create(struct rf_os *os, struct kmd_sync_domain **result)
{
	struct kmd_sync_domain *domain = rf_alloc(sizeof(*domain));

	if (!domain)
		return -ENOMEM;
	kmd_sync_domain_init(domain, os, &kmd_pending_steps);
	*result = domain;
	return 0;
}

void kmd_sync_domain_destroy(struct kmd_sync_domain *domain)
{
	kmd_peer_region_destroy(domain);
	rf_spin_destroy(&domain->wait_lock);
	rf_free(domain);
}

/* --- callbacks for the miniport (features: S0-45..S0-48) ------------------------ */

static const struct rf_dxgk_callbacks kmd_callbacks = {
	.is_feature_enabled = kmd_is_feature_enabled,
	.query_feature_interface = kmd_query_feature_interface,
	.notify_interrupt = kmd_notify_interrupt,
	.queue_dpc = kmd_queue_dpc,
	.synchronize_execution = kmd_synchronize_execution,
	.invalidate_hw_context = kmd_invalidate_hw_context,
	.disconnect_doorbell = kmd_disconnect_doorbell,
	.create_context_allocation = kmd_create_context_allocation,
	.destroy_context_allocation = kmd_destroy_context_allocation,
};

/* --- life ---------------------------------------------------------------------------- */

static void kmd_adapter_link(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	kmd_peer_links_join(adapter);
	rf_list_insert(&adapter->domain_link, &adapter->sync_domain->adapters);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/*
 * kmd_sync_domain_go_on() may still be using the adapter; after this it cannot find it any more,
 * and no pending work names it.
 */
static void kmd_adapter_unlink(struct kmd_adapter *adapter)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	flags = kmd_wait_visits(domain, flags, &adapter->visits);
	rf_list_remove(&adapter->domain_link);
	kmd_peer_links_left(adapter);
	kmd_link_left(adapter);
	rf_list_remove(&adapter->scheduler->link);
	rf_list_remove(&adapter->walk.link);
	rf_list_remove(&adapter->busy_link);
	kmd_wait_unlock(domain, flags);
}

static void kmd_adapter_init_lists(struct kmd_adapter *adapter)
{
	rf_list_init(&adapter->busy_link);
	rf_list_init(&adapter->users);
	rf_list_init(&adapter->files);
	rf_list_init(&adapter->fences);
	rf_list_init(&adapter->monitored_fences);
	rf_list_init(&adapter->stalled);
	rf_list_init(&adapter->queues);
	rf_list_init(&adapter->contexts);
	rf_list_init(&adapter->doorbells);
	rf_list_init(&adapter->context_allocations);
	rf_list_init(&adapter->notes.signaled);
	rf_list_init(&adapter->notes.queues);
	rf_list_init(&adapter->notes.contexts);
	kmd_hash_init(&adapter->queue_hash);
	kmd_hash_init(&adapter->context_hash);
	kmd_walk_init(&adapter->walk);
}

/* Create the parts of higher layers; -ENOMEM. */
static int kmd_adapter_create_parts(struct kmd_adapter *adapter)
{
	int ret = kmd_scheduler_create(adapter);

	if (!ret)
		ret = kmd_recovery_create(adapter);
	if (!ret)
		ret = kmd_exported_fences_create(adapter);
	return ret;
}

static void kmd_adapter_free(struct kmd_adapter *adapter)
{
	kmd_exported_fences_destroy(adapter);
	kmd_recovery_destroy(adapter);
	kmd_scheduler_destroy(adapter);
	kmd_table_destroy(&adapter->globals);
	rf_spin_destroy(&adapter->limit_lock);
	rf_spin_destroy(&adapter->device_lock);
	rf_mutex_destroy(&adapter->doorbell_mutex);
	rf_mutex_destroy(&adapter->mutex);
	rf_free(adapter);
}

int kmd_adapter_create(struct kmd_sync_domain *domain, struct rf_bus *bus, const struct rf_ddi *ddi,
		       const struct kmd_features *features, struct kmd_adapter **result)
{
	static const struct kmd_features everything = { true, true, true, true, true };
	struct rf_start_device start = {
		.bus = bus,
		.callbacks = &kmd_callbacks,
	};
	struct kmd_adapter *adapter;
	int ret;

	adapter = rf_alloc(sizeof(*adapter));
	if (!adapter)
		return -ENOMEM;
	adapter->sync_domain = domain;
	adapter->bus = bus;
	adapter->ddi = ddi;
	adapter->features = features ? *features : everything;
	adapter->recover_engine = kmd_engine_recover;
	adapter->tdr_timeout = KMD_TDR_TIMEOUT;
	adapter->tdr_delay = KMD_TDR_DELAY;
	rf_mutex_init(&adapter->mutex);
	rf_mutex_init(&adapter->doorbell_mutex);
	rf_spin_init(&adapter->device_lock, domain->os);
	rf_spin_init(&adapter->limit_lock, domain->os);
	kmd_adapter_init_lists(adapter);
	kmd_table_init(&adapter->globals, domain->os);
	ret = kmd_adapter_create_parts(adapter);
	if (ret)
		goto free_adapter;
	kmd_adapter_link(adapter);

	start.h_core = adapter;
	ret = ddi->start_device(&start);
	if (ret)
		goto unlink_adapter;
	adapter->h_adapter = start.h_adapter;
	adapter->vectors = start.interrupt_vectors;

	ret = kmd_caps_read(adapter);
	if (!ret)
		ret = kmd_nodes_create(adapter);
	if (ret)
		goto stop_device;
	*result = adapter;
	return 0;

stop_device:
	ddi->stop_device(adapter->h_adapter);
unlink_adapter:
	kmd_adapter_unlink(adapter);
free_adapter:
	kmd_adapter_free(adapter);
	return ret;
}

/* On return no other adapter has a link to this one, nor it to another. */
static void kmd_adapter_end_links(struct kmd_adapter *adapter)
{
	struct kmd_adapter *other;

	kmd_peer_links_close(adapter);
	kmd_adapter_lock_awake(adapter);
	kmd_peer_links_end(adapter);
	rf_mutex_unlock(&adapter->mutex);
	while ((other = kmd_peer_links_pin(adapter))) {
		rf_mutex_lock(&other->mutex);
		kmd_peer_link_end(other, adapter);
		rf_mutex_unlock(&other->mutex);
		kmd_peer_links_unpin(other);
	}
}

void kmd_adapter_destroy(struct kmd_adapter *adapter)
{
	kmd_adapter_end_links(adapter);
	kmd_adapter_lock_awake(adapter);
	if (adapter->paging)
		kmd_packet_context_destroy(adapter->paging);
	kmd_adapter_unlink(adapter);
	rf_mutex_unlock(&adapter->mutex);
	adapter->ddi->stop_device(adapter->h_adapter);
	kmd_peer_region_leave(adapter);
	kmd_nodes_destroy(adapter);
	kmd_adapter_free(adapter);
}

u32 kmd_adapter_vectors(const struct kmd_adapter *adapter)
{
	return adapter->vectors;
}

u64 kmd_adapter_frequency(const struct kmd_adapter *adapter)
{
	return adapter->caps.timestamp_frequency;
}

void kmd_adapter_statistics(struct kmd_adapter *adapter, struct kmd_statistics *statistics)
{
	unsigned long wait_flags = kmd_wait_lock(adapter->sync_domain);
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	*statistics = adapter->statistics;
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);
}

void kmd_adapter_observe(struct kmd_adapter *adapter, const struct kmd_observer *observer,
			 void *argument)
{
	unsigned long flags;

	rf_mutex_lock(&adapter->mutex);
	flags = kmd_wait_lock(adapter->sync_domain);
	adapter->observer = observer;
	adapter->observer_argument = argument;
	kmd_wait_unlock(adapter->sync_domain, flags);
	rf_mutex_unlock(&adapter->mutex);
}

/* --- wedged and removed devices ----------------------------------------------------- */

bool kmd_adapter_is_lost(const struct kmd_adapter *adapter)
{
	return kmd_adapter_is_wedged(adapter);
}

/* Takes no mutex: a thread that holds it may be waiting for the device, and its wait ends, too. */
void kmd_adapter_notify_removal(struct kmd_adapter *adapter)
{
	kmd_adapter_mark_wedged(adapter);
	kmd_adapter_fail_all_waits(adapter);
}
