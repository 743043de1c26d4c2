// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Evaluation of fences: waits end, and MonitoredValue follows the remaining waiters.
 *
 * A waiter whose value is reached leaves its fence's heap; when enough waiters of a wait have left,
 * the wait completes (wait.c). Whenever a heap changes, its fence is put on the list of unarmed
 * fences. kmd_wait_unlock() arms it, by kmd_flush_pending():
 *
 *   MonitoredValue := least waited value - 1, or U64_MAX without waiters
 *   read CurrentValue again: a signal that the device made before it had the new MonitoredValue
 *   raised no interrupt, but its value is visible by now (S0-39, S0-40)
 *
 * Pending work of this file (enum kmd_pending; base/sync_domain.c explains holds and units):
 *
 *   KMD_PENDING_UNARMED   native fences whose MonitoredValue may be wrong. A fence that is on the
 *                         next list, too, is armed only after the last of its reached waiters has
 *                         ended: armed before, it would interrupt at once
 *   KMD_PENDING_REACHED   fences with waiters that are to be ended: their value is reached, or
 *                         never will be
 *
 * Fences that cannot be armed because the device is busy are on kmd_adapter.stalled; arming is
 * retried a moment later. So this holds whenever wait_lock is free:
 *
 *   a fence with waiters is armed for the least of them, and CurrentValue was read after that; or
 *   it is on one of these lists, and a call of kmd_sync_domain_go_on() is pending; or the adapter
 *   is in D3, is being reset or is lost, and all fences are evaluated at the end of that state
 *
 * The MonitoredValue of a cross-adapter fence is 0 for life (S0-78), so it needs no arming, unless
 * devices signal to each other (peering.c); its waiters end by KMD_PENDING_REACHED, behind the
 * notification of other adapters (propagate.c).
 *
 * Locking: wait_lock guards waits, waiters, heaps and armed values. update_monitored_values runs
 * under the adapter's device_lock in addition.
 */
#include "waits/evaluate.h"

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "fences/storage.h"
#include "waits/peering.h"
#include "waits/propagate.h"
#include "waits/wait.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_hw.h"

static void kmd_fence_set_reached(struct kmd_fence *fence)
{
	if (rf_list_empty(&fence->reached_link))
		rf_list_insert(&fence->reached_link, &fence->domain->pending[KMD_PENDING_REACHED]);
}

/* Has the least waiter to be ended? */
static bool kmd_fence_is_reached(const struct kmd_fence *fence, u64 value)
{
	return fence->waiters.first && (fence->error || fence->waiters.first->value <= value);
}

/*
 * End the waiters that CurrentValue satisfies, and with kmd_fence.error all of them; returns
 * whether a waiter was ended.
 */
static bool kmd_fence_end_reached(struct kmd_fence *fence)
{
	struct kmd_sync_domain *domain = fence->domain;
	bool woken = false;
	u64 value;

	if (!fence->waiters.first)
		return false;
	value = kmd_fence_read(fence);
	while (kmd_fence_is_reached(fence, value)) {
		struct kmd_waiter *waiter =
			container_of(fence->waiters.first, struct kmd_waiter, node);
		struct kmd_wait *wait = waiter->wait;

		if (!kmd_hold_spend(domain)) {
			kmd_fence_set_reached(fence);
			break;
		}
		if (waiter->node.value > value) {
			kmd_wait_end(wait, fence->error);
		} else {
			kmd_waiter_remove(waiter);
			if (!--wait->remaining)
				kmd_wait_end(wait, 0);
		}
		woken = true;
	}
	return woken;
}

void kmd_fence_evaluate(struct kmd_fence *fence)
{
	rf_assert_held(&fence->domain->wait_lock);
	/* also without a waiter to end: a spurious interrupt recomputes MonitoredValue (S0-41) */
	kmd_fence_set_unarmed(fence);
	if (fence->always_signaled)
		kmd_fence_store_always(fence);
	/* follow the value of a 32-bit fence, also without waiters */
	if (fence->is_32bit)
		kmd_fence_read(fence);
	if (fence->cross_adapter && fence->waiters.first)
		kmd_fence_set_reached(fence);
	else
		kmd_fence_end_reached(fence);
}

void kmd_opening_signaled(struct kmd_opening *opening)
{
	kmd_fence_evaluate(opening->fence);
	if (!kmd_fence_is_peered(opening->fence))
		kmd_fence_propagate(opening->fence, opening);
}

static void kmd_fence_propagate_changes(struct kmd_fence *fence, const struct kmd_opening *source)
{
	if (fence->cross_adapter && !kmd_fence_is_peered(fence) &&
	    kmd_fence_read(fence) != fence->propagated)
		kmd_fence_propagate(fence, source);
}

void kmd_opening_check(struct kmd_opening *opening)
{
	kmd_fence_evaluate(opening->fence);
	kmd_fence_propagate_changes(opening->fence, opening);
}

void kmd_fence_check_all(struct kmd_fence *fence)
{
	if (!fence->cross_adapter)
		return;
	kmd_fence_evaluate(fence);
	kmd_fence_propagate_changes(fence, NULL);
}

void kmd_fence_fail_all_waits(struct kmd_fence *fence, int error)
{
	rf_assert_held(&fence->domain->wait_lock);
	fence->error = error;
	kmd_fence_end_reached(fence);
}

/* Does a process of an adapter that is not lost have a right to signal it? */
static bool kmd_fence_can_be_signaled(const struct kmd_fence *fence)
{
	const struct kmd_opening *opening;

	rf_list_for_each(opening, &fence->openings, fence_link)
		if (!opening->lost && opening->signalers)
			return true;
	return false;
}

bool kmd_opening_fail_waits(struct kmd_opening *opening)
{
	struct kmd_local_fence *local;

	rf_assert_held(&opening->fence->domain->wait_lock);
	opening->lost = true;
	/* what it has signalled before counts */
	if (opening->fence->cross_adapter) {
		kmd_fence_end_reached(opening->fence);
		kmd_fence_propagate_changes(opening->fence, NULL);
	}
	if (!kmd_fence_can_be_signaled(opening->fence)) {
		kmd_fence_fail_all_waits(opening->fence, -ENODEV);
		return true;
	}
	rf_list_for_each(local, &opening->locals, opening_link)
		if (!kmd_local_fence_end_waits(local, -ENODEV))
			return false;
	return true;
}

void kmd_opening_rearm(struct kmd_opening *opening)
{
	rf_assert_held(&opening->fence->domain->wait_lock);
	opening->unknown = true;
	kmd_opening_check(opening);
}

/* 0: it interrupts nobody (C10). */
static void kmd_opening_find_lost_signal(struct kmd_opening *opening)
{
	struct kmd_fence *fence = opening->fence;
	u64 value;

	if (!fence->cross_adapter || kmd_fence_is_peered(fence))
		return;
	value = kmd_fence_read(fence);
	if (value == fence->propagated || !value) {
		opening->suspect_value = 0;
	} else if (opening->suspect_value != value) {
		opening->suspect_value = value;
	} else {
		opening->adapter->statistics.lost_interrupts++;
		rf_log_error(opening->adapter->bus->os,
			     "lost interrupt: the value %llu is not propagated",
			     (unsigned long long)value);
		kmd_fence_propagate(fence, NULL);
	}
}

void kmd_opening_find_lost_wakeup(struct kmd_opening *opening)
{
	struct kmd_fence *fence = opening->fence;
	const struct kmd_heap_node *first = fence->waiters.first;
	struct kmd_adapter *adapter = opening->adapter;
	u64 value;

	kmd_opening_find_lost_signal(opening);

	rf_assert_held(&fence->domain->wait_lock);
	/* no lost interrupt: its waiters are being ended */
	if (!first || !rf_list_empty(&fence->reached_link))
		return;
	value = kmd_fence_read(fence);
	if (first->value > value) {
		opening->suspect = NULL;
	} else if (opening->suspect != first) {
		opening->suspect = first;
		container_of(fence->waiters.first, struct kmd_waiter, node)->is_suspect = true;
	} else {
		adapter->statistics.lost_interrupts++;
		rf_log_error(adapter->bus->os,
			     "lost interrupt: a waiter for %llu sleeps at value %llu",
			     (unsigned long long)first->value, (unsigned long long)value);
		kmd_opening_signaled(opening);
	}
}

/* Fences whose new value the device does not use yet are retried a moment later. */
static void kmd_fence_stall(struct kmd_adapter *adapter, struct kmd_opening **openings, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (!kmd_opening_is_armed(openings[i]))
			rf_list_insert(&openings[i]->unarmed_link, &adapter->stalled);
	kmd_adapter_set_busy(adapter);
}

/* Send the values that the device does not have; @sent returns which. */
static int kmd_fence_update_monitored_values(struct kmd_adapter *adapter,
					     struct kmd_opening **openings, u32 count, bool *sent)
{
	struct rf_value_address addresses[RF_UPDATE_FENCES_MAX];
	void *handles[RF_UPDATE_FENCES_MAX];
	u64 values[RF_UPDATE_FENCES_MAX];
	struct rf_update_monitored_values arguments = {
		.native_fence_array = handles,
		.updated_value_array = values,
		.monitored_value_kernel_cpu_va = addresses,
	};
	unsigned long flags;
	u32 i, k = 0;
	int ret;

	for (i = 0; i < count; i++) {
		u64 wanted = kmd_fence_wanted_monitored_value(openings[i]->fence);

		sent[i] = openings[i]->unknown || openings[i]->monitored_value != wanted;
		if (!sent[i])
			continue; /* the device has the value, and only has to use it */
		handles[k] = openings[i]->h_global;
		values[k] = wanted;
		addresses[k++] = kmd_value_address(&openings[i]->monitored);
		kmd_value_write_old(&openings[i]->monitored, wanted);
	}
	arguments.num_fences = k;
	kmd_hold_access(adapter->sync_domain, adapter);
	flags = rf_spin_lock(&adapter->device_lock);
	ret = adapter->ddi->update_monitored_values(adapter->h_adapter, &arguments);
	rf_spin_unlock(&adapter->device_lock, flags);
	if (!ret || ret == -EINPROGRESS)
		adapter->statistics.monitored_updates += k;
	return ret;
}

/* The reset that follows evaluates all fences. */
static void kmd_fence_update_failed(struct kmd_adapter *adapter)
{
	kmd_adapter_want_reset(adapter);
	kmd_adapter_set_busy(adapter);
}

/* Update MonitoredValues, and record the result. */
static void kmd_fence_arm(struct kmd_adapter *adapter, struct kmd_opening **openings, u32 count)
{
	bool sent[RF_UPDATE_FENCES_MAX];
	int ret = kmd_fence_update_monitored_values(adapter, openings, count, sent);
	bool taken = !ret || ret == -EINPROGRESS;
	u32 i;

	for (i = 0; i < count; i++) {
		/* after an error the old page has a value that the device does not have */
		openings[i]->unknown = sent[i] && !taken;
		if (!taken)
			continue;
		openings[i]->monitored_value = kmd_fence_wanted_monitored_value(openings[i]->fence);
		/* once the device accepts more, earlier posted values are in use */
		openings[i]->posted = ret && sent[i];
	}
	if (ret == -EINPROGRESS || ret == -EBUSY)
		kmd_fence_stall(adapter, openings, count);
	else if (ret)
		kmd_fence_update_failed(adapter);
}

struct kmd_adapter *kmd_adapter_to_arm(struct kmd_sync_domain *domain)
{
	return rf_list_first(&domain->pending[KMD_PENDING_UNARMED], struct kmd_opening,
			     unarmed_link)
		->adapter;
}

/*
 * A signal that found the older MonitoredValue is visible: it ends waits, and is propagated if that
 * is for the CPU.
 */
static void kmd_opening_sent(struct kmd_opening *opening)
{
	if (kmd_fence_end_reached(opening->fence))
		opening->adapter->statistics.resample_hits++;
	kmd_fence_propagate_changes(opening->fence, opening);
	if (kmd_opening_is_armed(opening))
		kmd_fence_armed(opening->fence);
}

/* Arm fences from the head of the list, at most as many as one call of the miniport takes. */
static void kmd_fence_arm_batch(struct kmd_sync_domain *domain)
{
	struct kmd_opening *openings[RF_UPDATE_FENCES_MAX];
	struct kmd_opening *opening, *next;
	struct kmd_adapter *adapter = kmd_adapter_to_arm(domain);
	u32 count = 0;
	u32 i;

	rf_list_for_each_safe(opening, next, &domain->pending[KMD_PENDING_UNARMED], unarmed_link) {
		if (count == RF_UPDATE_FENCES_MAX || adapter != opening->adapter ||
		    !kmd_hold_spend(domain))
			break;
		rf_list_remove(&opening->unarmed_link);
		/* it is put on the list again when the last of its reached waiters ends */
		if (!rf_list_empty(&opening->fence->reached_link))
			continue;
		/* the end of D3 or of the reset arms all fences */
		if (kmd_opening_is_armed(opening) || adapter->in_d3 || adapter->resetting ||
		    kmd_adapter_is_wedged(adapter))
			continue;
		openings[count++] = opening;
	}
	if (!count)
		return;
	if (rf_list_empty(&adapter->busy_link))
		kmd_fence_arm(adapter, openings, count);
	else
		kmd_fence_stall(adapter, openings, count); /* the device would refuse it */
	for (i = 0; i < count; i++)
		kmd_opening_sent(openings[i]);
}

static void kmd_fence_end_first_reached(struct kmd_fence *fence)
{
	rf_list_remove(&fence->reached_link);
	kmd_fence_set_unarmed(fence);
	kmd_fence_end_reached(fence);
}

void kmd_step_unarmed(struct kmd_sync_domain *domain)
{
	rf_assert_held(&domain->wait_lock);
	kmd_fence_arm_batch(domain);
}

void kmd_step_reached(struct kmd_sync_domain *domain)
{
	rf_assert_held(&domain->wait_lock);
	kmd_fence_end_first_reached(rf_list_first(&domain->pending[KMD_PENDING_REACHED],
						  struct kmd_fence, reached_link));
}

/* Retry what the device could not do before; false: a hold is too short for all. */
bool kmd_fences_unstall(struct kmd_adapter *adapter)
{
	struct kmd_opening *opening, *next;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	rf_list_for_each_safe(opening, next, &adapter->stalled, unarmed_link) {
		/* half of the units of this hold are for arming them */
		if (adapter->sync_domain->units <= KMD_HOLD_UNITS / 2 ||
		    !kmd_hold_spend(adapter->sync_domain))
			return false;
		rf_list_remove(&opening->unarmed_link);
		rf_list_insert(&opening->unarmed_link,
			       &adapter->sync_domain->pending[KMD_PENDING_UNARMED]);
	}
	return true;
}
