// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Monitored fences, as far as they differ from native ones: how the kernel detects that an engine
 * has signalled (S1-18), and how it extends the value of 32-bit engines (C7).
 *
 * An engine with advanced support interrupts after each signal, and the miniport reports that
 * (MONITORED_FENCE_SIGNALED, or the flag of a native interrupt, S0-70): all monitored fences with
 * waiters are evaluated. An engine with basic support only stores the value: they are evaluated
 * whenever a command buffer of a kernel-mode queue completes (S1-19). Fences without waiters cost
 * nothing.
 *
 * Where engines update only 32 bits, memory holds only these. The kernel follows the value: each
 * time it reads it, it adds the signed 32-bit difference to the 64-bit value that it read last.
 * That is right as long as no step is larger than 0x7fffffff, so requests for larger ones are
 * rejected; waiters are ordered by the 64-bit value, across the wrap too (S1-14, S1-15).
 *
 * Locking: wait_lock.
 */
#include "fences/fence_value.h"

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/fence.h"
#include "fences/storage.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"

u64 kmd_fence_read(struct kmd_fence *fence)
{
	u64 value = rf_untrusted_value_read(kmd_value_address(&fence->current_value));

	rf_assert_held(&fence->domain->wait_lock);
	rf_rmb();
	if (fence->always_signaled)
		return U64_MAX;
	if (!fence->is_32bit)
		return value;
	fence->last += (u64)(s64)(s32)((u32)value - (u32)fence->last);
	return fence->last;
}

int kmd_fence_check_signal(struct kmd_fence *fence, u64 value)
{
	u64 now;

	rf_assert_held(&fence->domain->wait_lock);
	if (!fence->is_32bit)
		return 0;
	now = kmd_fence_read(fence);
	if (value - now > DRM_RINGFENCE_VALUE_DISTANCE_MAX &&
	    now - value > DRM_RINGFENCE_VALUE_DISTANCE_MAX)
		return -ERANGE;
	return 0;
}

int kmd_fence_check_wait(const struct kmd_fence *fence, u64 now, u64 value)
{
	if (!fence->is_32bit)
		return 0;
	return value > now && value - now > DRM_RINGFENCE_VALUE_DISTANCE_MAX ? -ERANGE : 0;
}

void kmd_monitored_fence_write(struct kmd_fence *fence, u64 value)
{
	if (fence->is_32bit) {
		fence->last = value;
		value = (u32)value;
	}
	rf_value_write(kmd_value_address(&fence->current_value), value);
}

int kmd_adapter_update_values(struct kmd_adapter *adapter,
			      const struct rf_update_current_values_from_cpu *update)
{
	kmd_hold_access(adapter->sync_domain, adapter);
	if (!adapter->ddi->update_current_values_from_cpu(adapter->h_adapter, update))
		return 0;
	kmd_adapter_set_wedged(adapter, "update_current_values_from_cpu failed");
	return -ENODEV;
}

/* Store the greatest value in one page: the CPU's, or the one that engines access. */
static void kmd_opening_store_always(const struct kmd_opening *opening, struct rf_mem *mem)
{
	struct rf_value_address address = { mem, opening->current_value.offset };
	void *handle = opening->h_global;
	struct kmd_adapter *adapter = opening->adapter;
	const u64 value = opening->fence->is_32bit ? U32_MAX : U64_MAX; /* C19 */
	const struct rf_update_current_values_from_cpu update = {
		.native_fence_array = &handle,
		.updated_value_array = &value,
		.current_value_kernel_cpu_va = &address,
		.num_fences = 1,
		.flags = RF_UPDATE_ALWAYS_SIGNALED,
	};

	if (!mem || rf_untrusted_value_read(address) == value)
		return;
	/* of a cross-adapter fence the notification of its openings follows */
	if (!opening->is_native || opening->fence->cross_adapter) {
		rf_mb();
		rf_value_write(address, value);
		return;
	}
	kmd_adapter_update_values(adapter, &update);
}

void kmd_fence_store_always(struct kmd_fence *fence)
{
	struct kmd_opening *opening;

	rf_assert_held(&fence->domain->wait_lock);
	rf_list_for_each(opening, &fence->openings, fence_link) {
		const struct kmd_value_page *page = opening->current_value.page;

		/* of a cross-adapter fence the pages of all openings are one page */
		kmd_opening_store_always(opening, page->mem);
		kmd_opening_store_always(opening, page->engines);
	}
}

static bool kmd_fence_is_watched(const struct kmd_fence *fence)
{
	return fence->waiters.first || fence->is_32bit || fence->always_signaled ||
	       fence->cross_adapter;
}

static void kmd_opening_set_watched(struct kmd_opening *opening, bool watched)
{
	struct kmd_walk *walk = &opening->adapter->walk;

	if (!watched)
		rf_list_remove(&opening->watched.link);
	else if (rf_list_empty(&opening->watched.link))
		/*
		 * a new wait reads the value itself, so the walk under way need not visit the fence
		 */
		kmd_walked_insert(&opening->watched, walk->round, &walk->watched_fences);
}

void kmd_fence_update_watched(struct kmd_fence *fence)
{
	bool watched = kmd_fence_is_watched(fence);
	struct kmd_opening *opening;

	rf_assert_held(&fence->domain->wait_lock);
	rf_list_for_each(opening, &fence->openings, fence_link)
		kmd_opening_set_watched(opening, watched);
}
