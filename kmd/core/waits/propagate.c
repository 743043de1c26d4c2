// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Propagation of cross-adapter signals by the CPU (S0-79..S0-83, S0-87..S0-99).
 *
 * A signal of an engine interrupts its adapter each time, because MonitoredValue is 0 there. A
 * signal of the CPU is stored by the adapter that it was made on. Either way CurrentValue, which all
 * adapters share, is up to date, and what is left is to tell the others:
 *
 *   native opening      update_current_values_from_cpu with NotificationOnly: the driver stores
 *                       nothing, and has the device check its waiting queues (S0-81)
 *   monitored opening   nothing: the kernel waits for its queues (S0-91)
 *
 * Then the waiters of all adapters end, which are in one heap. Queues that wait for the value on the
 * adapter that signalled it were released by the device itself (S0-83).
 *
 * Each notification is pending work of its adapter (KMD_PENDING_NOTIFY), which comes before the end
 * of waits (S0-89): it runs in a hold of wait_lock that accesses no other device. A device in D3 is
 * woken, since one of its queues may wait for the value; when a queue is restored it reads
 * CurrentValue, as after a reset, so a notification that comes meanwhile is not needed.
 *
 * While devices signal to each other (peering.c), this is for signals of the CPU only.
 *
 * A signal with the value 0 does not interrupt, as 0 is not greater than MonitoredValue (C10); every
 * wait for 0 is satisfied without it.
 *
 * Locking: wait_lock.
 */
#include "waits/propagate.h"

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "fences/storage.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"

void kmd_fence_propagate(struct kmd_fence *fence, const struct kmd_opening *source)
{
	struct kmd_opening *opening;

	rf_assert_held(&fence->domain->wait_lock);
	if (!fence->cross_adapter)
		return;
	/* read before the notifications: a later value comes with an interrupt of its own */
	fence->propagated = kmd_fence_read(fence);
	rf_list_for_each(opening, &fence->openings, fence_link)
		if (opening != source && opening->is_native && rf_list_empty(&opening->notify_link))
			rf_list_insert(&opening->notify_link,
				       &fence->domain->pending[KMD_PENDING_NOTIFY]);
}

/* Notify openings of one adapter. */
static void kmd_openings_notify(struct kmd_adapter *adapter, struct kmd_opening **openings,
				u32 count)
{
	struct rf_value_address addresses[DRM_RINGFENCE_OBJECTS_MAX];
	void *handles[DRM_RINGFENCE_OBJECTS_MAX];
	u64 values[DRM_RINGFENCE_OBJECTS_MAX];
	const struct rf_update_current_values_from_cpu update = {
		.native_fence_array = handles,
		.updated_value_array = values,
		.current_value_kernel_cpu_va = addresses,
		.num_fences = count,
		.flags = RF_UPDATE_NOTIFICATION_ONLY,
	};
	u32 i;

	for (i = 0; i < count; i++) {
		handles[i] = openings[i]->h_global;
		values[i] = openings[i]->fence->propagated;
		addresses[i] = kmd_value_address(&openings[i]->current_value);
	}
	kmd_adapter_update_values(adapter, &update);
	adapter->statistics.notifications += count;
}

void kmd_adapter_want_wake(struct kmd_adapter *adapter)
{
	rf_assert_held(&adapter->sync_domain->wait_lock);
	if (rf_list_empty(&adapter->queues))
		return;
	adapter->wake_wanted = true;
	kmd_adapter_set_busy(adapter);
}

struct kmd_adapter *kmd_adapter_to_notify(struct kmd_sync_domain *domain)
{
	return rf_list_first(&domain->pending[KMD_PENDING_NOTIFY], struct kmd_opening, notify_link)
		->adapter;
}

void kmd_step_notify(struct kmd_sync_domain *domain)
{
	struct kmd_adapter *adapter = kmd_adapter_to_notify(domain);
	struct kmd_opening *openings[DRM_RINGFENCE_OBJECTS_MAX];
	struct kmd_opening *opening, *next;
	u32 count = 0;

	rf_assert_held(&domain->wait_lock);
	rf_list_for_each_safe(opening, next, &domain->pending[KMD_PENDING_NOTIFY], notify_link) {
		if (count == ARRAY_SIZE(openings) || opening->adapter != adapter ||
		    !kmd_hold_spend(domain))
			break;
		rf_list_remove(&opening->notify_link);
		openings[count++] = opening;
	}
	if (adapter->in_d3)
		kmd_adapter_want_wake(adapter);
	else if (count && !adapter->resetting && !kmd_adapter_is_wedged(adapter))
		kmd_openings_notify(adapter, openings, count);
}
