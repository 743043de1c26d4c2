// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Waits. A wait holds one waiter per fence. A waiter whose value is reached leaves its fence's
 * heap; when enough have left, the wait is over, and its completion function is called.
 *
 * Each change of a heap puts its fence on the list of unarmed fences, unless its MonitoredValue does
 * not depend on waiters: see evaluate.c.
 *
 * Locking: wait_lock guards waits, waiters and heaps.
 */
#include "waits/wait.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/heap.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"
#include "ringfence_hw.h"

u64 kmd_fence_wanted_monitored_value(const struct kmd_fence *fence)
{
	/* every signal interrupts: to be undone, or for other adapters (S0-79) */
	if (fence->always_signaled || (fence->cross_adapter && !kmd_fence_is_peered(fence)))
		return 0;
	/* 0 - 1 cannot happen: a wait for 0 never has a waiter (C24) */
	return fence->waiters.first ? fence->waiters.first->value - 1 : RF_MONITORED_NONE;
}

bool kmd_opening_is_armed(const struct kmd_opening *opening)
{
	return !opening->posted && !opening->unknown &&
	       opening->monitored_value == kmd_fence_wanted_monitored_value(opening->fence);
}

void kmd_fence_set_unarmed(struct kmd_fence *fence)
{
	struct kmd_opening *opening;

	rf_assert_held(&fence->domain->wait_lock);
	rf_list_for_each(opening, &fence->openings, fence_link) {
		/* each signal interrupts: of a monitored fence, and most of a cross-adapter one */
		if (!opening->is_native || (fence->cross_adapter && kmd_opening_is_armed(opening)))
			continue;
		if (rf_list_empty(&opening->unarmed_link))
			rf_list_insert(&opening->unarmed_link,
				       &fence->domain->pending[KMD_PENDING_UNARMED]);
	}
}

static void kmd_fence_forget_suspect(struct kmd_fence *fence, const struct kmd_heap_node *node)
{
	struct kmd_opening *opening;

	rf_list_for_each(opening, &fence->openings, fence_link)
		if (opening->suspect == node)
			opening->suspect = NULL;
}

/*
 * The openings of a cross-adapter fence are always watched. @count: waiters with which one is the
 * first that came, or the last went.
 */
static void kmd_fence_waiters_changed(struct kmd_fence *fence, u32 count)
{
	if (!fence->cross_adapter && fence->waiters.count == count)
		kmd_fence_update_watched(fence);
	kmd_fence_set_unarmed(fence);
}

static void kmd_waiter_add(struct kmd_waiter *waiter, u64 value)
{
	struct kmd_local_fence *local = waiter->local;

	waiter->is_suspect = false;
	kmd_heap_insert(&local->fence->waiters, &waiter->node, value);
	rf_list_insert(&waiter->local_link, &local->waiters);
	kmd_fence_waiters_changed(local->fence, 1);
}

void kmd_waiter_remove(struct kmd_waiter *waiter)
{
	struct kmd_fence *fence = waiter->local->fence;

	rf_assert_held(&waiter->wait->adapter->sync_domain->wait_lock);
	if (waiter->is_suspect)
		kmd_fence_forget_suspect(fence, &waiter->node);
	kmd_heap_remove(&fence->waiters, &waiter->node);
	rf_list_remove(&waiter->local_link);
	kmd_fence_waiters_changed(fence, 0);
}

void kmd_wait_cancel(struct kmd_wait *wait)
{
	u32 i;

	rf_assert_held(&wait->adapter->sync_domain->wait_lock);
	for (i = 0; i < wait->count; i++)
		if (!rf_list_empty(&wait->waiters[i].local_link))
			kmd_waiter_remove(&wait->waiters[i]);
	rf_list_remove(&wait->exported_link);
	wait->over = true;
}

void kmd_wait_end(struct kmd_wait *wait, int result)
{
	rf_assert_held(&wait->adapter->sync_domain->wait_lock);
	kmd_wait_cancel(wait);
	wait->result = result;
	wait->complete(wait, result);
}

void kmd_wait_count_end(struct kmd_wait *wait, int result)
{
	rf_assert_held(&wait->adapter->sync_domain->wait_lock);
	if (!result)
		wait->adapter->statistics.wakes++;
	if (wait->charged)
		kmd_uncharge(wait->charged, KMD_LIMIT_WAITS, 1);
}

/* The completion of a wait that a thread is blocked in. */
static void kmd_wait_wake_thread(struct kmd_wait *wait, int result)
{
	kmd_wait_count_end(wait, result);
	rf_completion_complete(&wait->completion);
}

struct kmd_wait *kmd_wait_create(struct kmd_adapter *adapter, u32 count, bool any)
{
	struct kmd_wait *wait = rf_alloc(sizeof(*wait) + count * sizeof(wait->waiters[0]));
	u32 i;

	if (!wait)
		return NULL;
	wait->adapter = adapter;
	wait->complete = kmd_wait_wake_thread;
	wait->over = true;
	wait->count = count;
	wait->remaining = any ? 1 : count;
	rf_completion_init(&wait->completion, adapter->sync_domain->os);
	rf_list_init(&wait->event_link);
	rf_list_init(&wait->exported_link);
	for (i = 0; i < count; i++) {
		wait->waiters[i].wait = wait;
		rf_list_init(&wait->waiters[i].local_link);
	}
	return wait;
}

int kmd_wait_charge(struct kmd_wait *wait, struct kmd_file *file)
{
	int ret = kmd_charge(file, KMD_LIMIT_WAITS, 1);

	if (!ret)
		wait->charged = file;
	return ret;
}

/* A wait that is charged and has begun is uncharged in kmd_wait_end(). */
void kmd_wait_free(struct kmd_wait *wait)
{
	if (wait->charged)
		kmd_uncharge(wait->charged, KMD_LIMIT_WAITS, 1);
	rf_completion_destroy(&wait->completion);
	rf_free(wait);
}

void kmd_wait_for_one(struct kmd_wait *wait, struct kmd_local_fence *local, u64 value)
{
	rf_assert_held(&wait->adapter->sync_domain->wait_lock);
	wait->over = false;
	wait->remaining = 1;
	wait->waiters[0].local = local;
	kmd_waiter_add(&wait->waiters[0], value);
}

int kmd_wait_begin(struct kmd_file *file, struct kmd_wait *wait,
		   const struct drm_ringfence_fence_value *values)
{
	u32 blocked = 0; /* bit i: fence i is not reached */
	u64 now;
	u32 i;

	rf_assert_held(&wait->adapter->sync_domain->wait_lock);
	for (i = 0; i < wait->count; i++) {
		struct kmd_local_fence *local =
			kmd_table_find(&file->table, KMD_FENCE, values[i].handle);

		if (!local)
			return -ENOENT;
		if (local->fence->type == RF_NATIVE_FENCE_TYPE_INTRA_GPU)
			return -EOPNOTSUPP;
		if (local->flags & DRM_RINGFENCE_FENCE_NO_WAIT)
			return -EACCES;
		now = kmd_fence_read(local->fence);
		if (kmd_fence_check_wait(local->fence, now, values[i].value))
			return -ERANGE;
		if (now < values[i].value)
			blocked |= 1u << i;
		wait->waiters[i].local = local;
	}
	for (i = 0; i < wait->count; i++)
		if (!(blocked & (1u << i)) && !--wait->remaining)
			return 0;
	if (kmd_adapter_is_wedged(wait->adapter))
		return -ENODEV; /* its waits have failed already, and this one would never end */
	for (i = 0; i < wait->count; i++)
		if ((blocked & (1u << i)) && wait->waiters[i].local->fence->error)
			return wait->waiters[i].local->fence->error;

	for (i = 0; i < wait->count; i++)
		if (blocked & (1u << i))
			kmd_waiter_add(&wait->waiters[i], values[i].value);
	wait->over = false;
	return 1;
}

bool kmd_local_fence_end_waits(struct kmd_local_fence *local, int result)
{
	struct kmd_sync_domain *domain = local->fence->domain;

	rf_assert_held(&domain->wait_lock);
	while (!rf_list_empty(&local->waiters) && kmd_hold_spend(domain))
		kmd_wait_end(rf_list_first(&local->waiters, struct kmd_waiter, local_link)->wait,
			     result);
	return rf_list_empty(&local->waiters);
}
