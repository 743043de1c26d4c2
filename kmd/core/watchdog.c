// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The watchdog: finds interrupts that were lost. Off unless a shell calls it (C6).
 *
 * Between a signal and its interrupt a waiter is covered by CurrentValue and still
 * asleep, and that is as it should be. One that is found so twice in a row, with a period
 * between that is longer than an interrupt takes, was forgotten: it is counted, told of
 * in the log, and woken.
 *
 * Locking: wait_lock.
 */
#include "core.h"

static void look_at(struct kmd_adapter *adapter, struct kmd_fence *fence)
{
	const struct kmd_heap_node *first = fence->waiters.first;
	u64 value;

	if (!first)
		return;
	value = kmd_fence_read(fence);
	if (first->value > value) {
		fence->suspect = NULL;
	} else if (fence->suspect != first) {
		fence->suspect = first;
	} else {
		adapter->statistics.lost_interrupts++;
		rf_log_error(adapter->domain->os,
			     "lost interrupt: a waiter for %llu sleeps at value %llu",
			     (unsigned long long)first->value, (unsigned long long)value);
		kmd_fence_evaluate(fence);
	}
}

void kmd_adapter_watchdog(struct kmd_adapter *adapter)
{
	struct kmd_domain *domain = adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);
	struct kmd_native_fence *native;

	rf_list_for_each(native, &adapter->fences, link)
		look_at(adapter, native->fence);
	rf_list_for_each(native, &adapter->monitored_fences, link)
		look_at(adapter, native->fence);
	kmd_domain_settle(domain);
	rf_spin_unlock(&domain->wait_lock, flags);
}
