// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Waits by CPU threads and kernel-mode queues, and the MonitoredValue that follows from
 * them.
 *
 * A wait holds one waiter per fence. A waiter whose value is reached leaves its
 * fence's heap; when enough have left, the wait is over and its thread or event is
 * told. Whenever a heap changes, its fence is put on the domain's list of unarmed
 * fences, and before wait_lock is released kmd_flush_pending() works the list off:
 *
 *   MonitoredValue := least waited value - 1, or U64_MAX if nobody waits
 *   read CurrentValue again: whatever was signalled before the device knew the
 *   new MonitoredValue raised no interrupt, but is visible by now (S0-39, S0-40)
 *
 * so that outside of wait_lock no waiter is covered by CurrentValue without either
 * being woken or the device being told to interrupt, or its fence being on a list that is
 * still to be worked off.
 *
 * For nobody holds wait_lock, and with it interrupts, for longer than KMD_HOLD_UNITS steps,
 * whatever user mode has made: a hold has so many units, each step spends one, and with the
 * last one it leaves the rest on the lists of the domain,
 *
 *   covered    fences with waiters that are to be ended: their value is reached, or never will
 *   unarmed    fences whose MonitoredValue may be wrong. One that is covered as well is not
 *              armed before the last of those has gone: it would interrupt at once
 *   ready      kernel-mode queues
 *   unscheduled adapters
 *   busy       adapters whose device is at something that no interrupt ends. What waits for that,
 *              fences that could not be armed among it (kmd_adapter.stalled), is tried again a
 *              moment later
 *   walking    adapters all of whose fences, queues, contexts or events are to be looked at,
 *              each in its turn
 *
 * and has the shell call kmd_sync_domain_go_on(), from a thread that may be preempted, which takes
 * the next hold. So the invariant is, whenever wait_lock is free:
 *
 *   a fence with waiters is armed for the least of them, and was read after that; or it is
 *   on one of these lists, and a call of kmd_sync_domain_go_on() is to come; or the adapter
 *   is asleep, is reset or is lost, whose end looks at all fences
 *
 * and what comes after a hold of another's is no worse off than before: it finds a hold of
 * its own, with all units.
 *
 * Locking: wait_lock guards waits, waiters, heaps and armed values.
 * update_monitored_values runs under the adapter's device_lock in addition.
 */
#include "waits/evaluate.h"

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "fences/storage.h"
#include "waits/wait.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_hw.h"

static void kmd_fence_set_reached(struct kmd_fence *fence)
{
	if (rf_list_empty(&fence->reached_link))
		rf_list_insert(&fence->reached_link,
			       &fence->native.adapter->sync_domain->pending[KMD_PENDING_REACHED]);
}

/* Is the least waiter to be ended? */
static bool kmd_fence_is_reached(const struct kmd_fence *fence, u64 value)
{
	return fence->waiters.first && (fence->error || fence->waiters.first->value <= value);
}

/* End what CurrentValue satisfies, and all if it is to come no further; returns whether there
 * was anything. */
static bool kmd_fence_end_reached(struct kmd_fence *fence)
{
	struct kmd_sync_domain *domain = fence->native.adapter->sync_domain;
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
	rf_assert_held(&fence->native.adapter->sync_domain->wait_lock);
	if (fence->native.dying)
		return;
	/* also when nobody is woken: a spurious interrupt recomputes MV (S0-41) */
	kmd_fence_set_unarmed(fence);
	if (fence->always_signaled)
		kmd_fence_store_always(fence);
	/* follow the value of a narrow one, also when nobody waits */
	if (fence->is_32bit)
		kmd_fence_read(fence);
	kmd_fence_end_reached(fence);
}

void kmd_fence_fail_all_waits(struct kmd_fence *fence, int error)
{
	rf_assert_held(&fence->native.adapter->sync_domain->wait_lock);
	fence->error = error;
	kmd_fence_end_reached(fence);
}

static u64 kmd_fence_wanted_monitored_value(const struct kmd_fence *fence)
{
	/* every signal is heard of, and undone */
	if (fence->always_signaled)
		return 0;
	/* a wait for 0 never gets here (C24), so that 0 - 1 does not happen */
	return fence->waiters.first ? fence->waiters.first->value - 1 : RF_MONITORED_NONE;
}

void kmd_fence_rearm(struct kmd_fence *fence)
{
	rf_assert_held(&fence->native.adapter->sync_domain->wait_lock);
	fence->native.unknown = true;
	kmd_fence_evaluate(fence);
}

void kmd_fence_find_lost_wakeup(struct kmd_fence *fence)
{
	const struct kmd_heap_node *first = fence->waiters.first;
	struct kmd_adapter *adapter = fence->native.adapter;
	u64 value;

	rf_assert_held(&fence->native.adapter->sync_domain->wait_lock);
	/* one whose waiters are being ended is not forgotten */
	if (!first || !rf_list_empty(&fence->reached_link))
		return;
	value = kmd_fence_read(fence);
	if (first->value > value) {
		fence->suspect = NULL;
	} else if (fence->suspect != first) {
		fence->suspect = first;
	} else {
		adapter->statistics.lost_interrupts++;
		rf_log_error(adapter->sync_domain->os,
			     "lost interrupt: a waiter for %llu sleeps at value %llu",
			     (unsigned long long)first->value, (unsigned long long)value);
		kmd_fence_evaluate(fence);
	}
}

static bool kmd_fence_is_armed(const struct kmd_native_fence *native)
{
	return !native->posted && !native->unknown &&
	       native->monitored_value == kmd_fence_wanted_monitored_value(native->fence);
}

/* Those that the device does not go by yet are looked at again when it had a moment. */
static void kmd_fence_stall(struct kmd_adapter *adapter, struct kmd_native_fence **natives,
			    u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (!kmd_fence_is_armed(natives[i]))
			rf_list_insert(&natives[i]->unarmed_link, &adapter->stalled);
	kmd_adapter_set_busy(adapter);
}

/* Those whose value the device has not are sent, and told of in @sent. */
static int kmd_fence_update_monitored_values(struct kmd_adapter *adapter,
					     struct kmd_native_fence **natives, u32 count,
					     bool *sent)
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
		u64 wanted = kmd_fence_wanted_monitored_value(natives[i]->fence);

		sent[i] = natives[i]->unknown || natives[i]->monitored_value != wanted;
		if (!sent[i])
			continue; /* it is posted, and has only to be done */
		handles[k] = natives[i]->h_global;
		values[k] = wanted;
		addresses[k++] = kmd_value_address(&natives[i]->monitored);
		kmd_value_write_old(&natives[i]->monitored, wanted);
	}
	arguments.num_fences = k;
	flags = rf_spin_lock(&adapter->device_lock);
	ret = adapter->ddi->update_monitored_values(adapter->h_adapter, &arguments);
	rf_spin_unlock(&adapter->device_lock, flags);
	if (!ret || ret == -EINPROGRESS)
		adapter->statistics.monitored_updates += k;
	return ret;
}

/* A reset looks at all fences. */
static void kmd_fence_update_failed(struct kmd_adapter *adapter)
{
	kmd_adapter_want_reset(adapter);
	kmd_adapter_set_busy(adapter);
}

/* What the device was told, by what came of it. */
static void kmd_fence_arm(struct kmd_adapter *adapter, struct kmd_native_fence **natives, u32 count)
{
	bool sent[RF_UPDATE_FENCES_MAX];
	int ret = kmd_fence_update_monitored_values(adapter, natives, count, sent);
	bool taken = !ret || ret == -EINPROGRESS;
	u32 i;

	for (i = 0; i < count; i++) {
		/* of those refused the old place has what the device has not */
		natives[i]->unknown = sent[i] && !taken;
		if (!taken)
			continue;
		natives[i]->monitored_value = kmd_fence_wanted_monitored_value(natives[i]->fence);
		/* whatever was posted before is done when more is taken */
		natives[i]->posted = ret && sent[i];
	}
	if (ret == -EINPROGRESS || ret == -EBUSY)
		kmd_fence_stall(adapter, natives, count);
	else if (ret)
		kmd_fence_update_failed(adapter);
}

/* Arm fences from the head of the list, as many as one call of a miniport takes. */
static void kmd_fence_arm_batch(struct kmd_sync_domain *domain)
{
	struct kmd_native_fence *natives[RF_UPDATE_FENCES_MAX];
	struct kmd_native_fence *native, *next;
	struct kmd_adapter *adapter = NULL;
	u32 count = 0;
	u32 i;

	rf_list_for_each_safe(native, next, &domain->pending[KMD_PENDING_UNARMED], unarmed_link) {
		if (count == RF_UPDATE_FENCES_MAX || (adapter && adapter != native->adapter) ||
		    !kmd_hold_spend(domain))
			break;
		rf_list_remove(&native->unarmed_link);
		/* it comes back with the end of the last that is covered */
		if (!rf_list_empty(&native->fence->reached_link))
			continue;
		/* the wake-up from D3 makes up for what is left out */
		if (kmd_fence_is_armed(native) || native->adapter->in_d3 ||
		    native->adapter->resetting || kmd_adapter_is_wedged(native->adapter))
			continue;
		adapter = native->adapter;
		natives[count++] = native;
	}
	if (!count)
		return;
	if (rf_list_empty(&adapter->busy_link))
		kmd_fence_arm(adapter, natives, count);
	else
		kmd_fence_stall(adapter, natives, count); /* it would be asked in vain */
	for (i = 0; i < count; i++)
		if (kmd_fence_end_reached(natives[i]->fence))
			adapter->statistics.resample_hits++;
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

/* What could not be done before is tried again; false: there is more than a hold takes. */
bool kmd_fences_unstall(struct kmd_adapter *adapter)
{
	struct kmd_native_fence *native, *next;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	rf_list_for_each_safe(native, next, &adapter->stalled, unarmed_link) {
		/* with the other half of the hold they are armed */
		if (adapter->sync_domain->units <= KMD_HOLD_UNITS / 2 ||
		    !kmd_hold_spend(adapter->sync_domain))
			return false;
		rf_list_remove(&native->unarmed_link);
		rf_list_insert(&native->unarmed_link,
			       &adapter->sync_domain->pending[KMD_PENDING_UNARMED]);
	}
	return true;
}
