// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Signals from the CPU: by a request (S1-7, S1-25..S1-27), by a packet of a kernel-mode queue or by
 * a packet that has the host signal (S1-16).
 *
 * The miniport stores the value of a native fence, and has the device check its waiting queues
 * (C21). A monitored fence is a word in memory: engines never wait for it, the kernel does so for
 * them (S1-22), so a store is sufficient.
 *
 * In D3 a native fence is a word in memory, too: no queue is in the device that could wait for it.
 *
 * A fence that is always signalled has its greatest value at once, and engines are
 * kept from it as soon as possible: engines of innocent processes that share it get another page in
 * place of the page of its value. Their signals there are seen by their waits, interrupt, and are
 * undone; CPUs never see them.
 *
 * A cross-adapter fence is signalled through its opening on the adapter of the request: native, the
 * driver stores the value (S0-88); monitored, the kernel does (S0-96). Then it is propagated.
 *
 * Locking: wait_lock.
 */
#include "waits/signal.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "fences/storage.h"
#include "fences/value_move.h"
#include "waits/evaluate.h"
#include "waits/propagate.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"

static void kmd_signal_in_d3(const struct rf_update_current_values_from_cpu *update)
{
	u32 i;

	rf_mb();
	for (i = 0; i < update->num_fences; i++)
		rf_value_write(update->current_value_kernel_cpu_va[i],
			       update->updated_value_array[i]);
}

static int kmd_signal_native(struct kmd_adapter *adapter, const struct kmd_signal *signals,
			     u32 count)
{
	struct rf_value_address addresses[DRM_RINGFENCE_OBJECTS_MAX];
	void *handles[DRM_RINGFENCE_OBJECTS_MAX];
	u64 values[DRM_RINGFENCE_OBJECTS_MAX];
	struct rf_update_current_values_from_cpu update = {
		.native_fence_array = handles,
		.updated_value_array = values,
		.current_value_kernel_cpu_va = addresses,
	};
	u32 i;

	for (i = 0; i < count; i++) {
		const struct kmd_opening *opening = signals[i].opening;

		if (!opening->is_native || opening->fence->always_signaled)
			continue;
		handles[update.num_fences] = opening->h_global;
		values[update.num_fences] = signals[i].value;
		addresses[update.num_fences] = kmd_value_address(&opening->current_value);
		update.num_fences++;
	}
	if (!update.num_fences)
		return 0;
	if (adapter->in_d3) {
		kmd_signal_in_d3(&update);
		return 0;
	}
	return kmd_adapter_update_values(adapter, &update);
}

static void kmd_signal_monitored(const struct kmd_signal *signals, u32 count)
{
	u32 i;

	rf_mb(); /* earlier stores are visible before the value */
	for (i = 0; i < count; i++)
		if (!signals[i].opening->is_native && !signals[i].opening->fence->always_signaled)
			kmd_monitored_fence_write(signals[i].opening->fence, signals[i].value);
}

void kmd_fence_signal_always(struct kmd_fence *fence)
{
	bool first = !fence->always_signaled;
	struct kmd_opening *opening;

	rf_assert_held(&fence->domain->wait_lock);
	fence->always_signaled = true;
	kmd_fence_update_watched(fence);
	kmd_fence_store_always(fence);
	if (!first)
		return;
	/* kmd_adapter_work() replaces the page for engines, of other adapters a moment later */
	rf_list_for_each(opening, &fence->openings, fence_link) {
		opening->adapter->work = true;
		if (fence->cross_adapter)
			kmd_adapter_set_busy(opening->adapter);
	}
	kmd_fence_evaluate(fence);
	kmd_fence_propagate(fence, NULL);
	if (kmd_fence_peer(fence))
		kmd_peers_changed_of(fence->domain, kmd_fence_peer(fence));
}

static void kmd_fence_detach(struct kmd_adapter *adapter, struct kmd_opening *opening)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	struct kmd_fence *fence = opening->fence;
	unsigned long flags;

	/* only its own process could signal a fence that is not shared, and that process is lost */
	if (!fence->always_signaled || !fence->share_token || !opening->gpu_access ||
	    opening->current_value.page->engines)
		return;
	kmd_value_detach(adapter, &opening->current_value, fence->is_32bit ? U32_MAX : U64_MAX);
	/* a signal before the replacement was the last one to be stored here */
	flags = kmd_wait_lock(domain);
	kmd_fence_evaluate(fence);
	kmd_wait_unlock(domain, flags);
}

void kmd_fences_detach(struct kmd_adapter *adapter)
{
	struct kmd_opening *opening;

	rf_assert_held(&adapter->mutex);
	rf_list_for_each(opening, &adapter->fences, link)
		kmd_fence_detach(adapter, opening);
	rf_list_for_each(opening, &adapter->monitored_fences, link)
		kmd_fence_detach(adapter, opening);
}

unsigned long kmd_file_signal_fences_always(struct kmd_file *file, unsigned long flags)
{
	struct kmd_local_fence *local;

	rf_assert_held(&file->adapter->sync_domain->wait_lock);
	rf_list_for_each(local, &file->local_fences, link) {
		if (!local->queue && !(local->flags & DRM_RINGFENCE_FENCE_NO_SIGNAL) &&
		    !local->fence->keeps_value)
			kmd_fence_signal_always(local->fence);
		flags = kmd_hold_step(file->adapter->sync_domain, flags);
	}
	return flags;
}

/* A device notifies others of stores of its own only. */
static void kmd_signal_report(struct kmd_opening *opening)
{
	kmd_fence_evaluate(opening->fence);
	kmd_fence_propagate(opening->fence, opening);
}

int kmd_fences_signal(struct kmd_adapter *adapter, const struct kmd_signal *signals, u32 count)
{
	int ret = kmd_signal_native(adapter, signals, count);
	u32 i;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	kmd_signal_monitored(signals, count);
	for (i = 0; i < count; i++)
		kmd_signal_report(signals[i].opening);
	return ret;
}
