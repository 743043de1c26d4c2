// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Exported fences: values on which waiters outside of the driver rely, which may block work of
 * other processes. Each is signalled when the value is reached; else its queue is lost
 * KMD_EXPORTED_FENCE_DELAYS TDR delays after the export, and the wait ends with -EIO.
 *
 * Nothing moves that deadline. Values that the process can write are read once, at the export:
 * neither its last-queued value nor its progress counts after that. D3, F1, a reset and a
 * suspension stop the queue, but not the clock, which stops only if the whole machine does. As long
 * as an exported fence is pending, and until the next check after the last one ended, the adapter
 * is not idle (kmd_adapter_is_idle()): no shell ends its watch before a lost queue has left its
 * slot.
 *
 * The deadline is set by the first check of the watch after the export: the clock is the shell's.
 *
 * Locking: wait_lock alone. A thread that holds the mutex may wait for memory, and reclaim may wait
 * for an exported fence. The only operation of the device is to evict the queue, if it is resident.
 */
#include "recovery/exported_fence.h"

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "queues/lost_queue.h"
#include "scheduling/queue.h"
#include "waits/evaluate.h"
#include "waits/wait.h"
#include "kmd.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_hw.h"

int kmd_exported_fences_create(struct kmd_adapter *adapter)
{
	struct kmd_exported_fences *exported = rf_alloc(sizeof(*exported));

	if (!exported)
		return -ENOMEM;
	rf_list_init(&exported->undated);
	rf_list_init(&exported->dated);
	adapter->exported_fences = exported;
	return 0;
}

void kmd_exported_fences_destroy(struct kmd_adapter *adapter)
{
	rf_free(adapter->exported_fences);
}

void kmd_exported_fence_add(struct kmd_wait *wait)
{
	rf_assert_held(&wait->adapter->sync_domain->wait_lock);
	rf_list_insert(&wait->exported_link, &wait->adapter->exported_fences->undated);
}

static bool kmd_exported_fence_is_any(const struct kmd_adapter *adapter)
{
	return !rf_list_empty(&adapter->exported_fences->undated) ||
	       !rf_list_empty(&adapter->exported_fences->dated);
}

bool kmd_adapter_has_exported_fences(const struct kmd_adapter *adapter)
{
	rf_assert_held(&adapter->sync_domain->wait_lock);
	return kmd_exported_fence_is_any(adapter) || adapter->exported_fences->had_any;
}

/*
 * The earliest first; after the TDR delay was shortened, a new deadline may be earlier than others.
 */
static void kmd_exported_fence_insert(struct kmd_adapter *adapter, struct kmd_wait *wait)
{
	struct rf_list *position = &adapter->exported_fences->dated;

	while (position->prev != &adapter->exported_fences->dated &&
	       rf_list_entry(position->prev, struct kmd_wait, exported_link)->deadline >
		       wait->deadline)
		position = position->prev;
	rf_list_insert(&wait->exported_link, position);
}

static void kmd_exported_fence_set_deadlines(struct kmd_adapter *adapter, u64 now)
{
	while (!rf_list_empty(&adapter->exported_fences->undated)) {
		struct kmd_wait *wait = rf_list_first(&adapter->exported_fences->undated,
						      struct kmd_wait, exported_link);

		rf_list_remove(&wait->exported_link);
		wait->deadline = now + KMD_EXPORTED_FENCE_DELAYS * adapter->tdr_delay;
		kmd_exported_fence_insert(adapter, wait);
	}
}

static struct kmd_wait *kmd_exported_fence_first(struct kmd_adapter *adapter)
{
	if (rf_list_empty(&adapter->exported_fences->dated))
		return NULL;
	return rf_list_first(&adapter->exported_fences->dated, struct kmd_wait, exported_link);
}

/* Its deadline has passed. This ends the wait, and all other exported fences of the queue. */
static void kmd_exported_fence_expire(struct kmd_adapter *adapter, struct kmd_wait *wait)
{
	struct kmd_local_fence *local = wait->waiters[0].local;
	struct kmd_queue *queue = local->queue;

	kmd_fence_evaluate(local->fence); /* perhaps only its interrupt is missing */
	/* this wait may be among those that the next hold ends */
	if (kmd_exported_fence_first(adapter) != wait ||
	    !rf_list_empty(&local->fence->reached_link))
		return;
	if (queue && !queue->error) {
		rf_log_user(adapter->bus->os,
			    "queue %x is lost: a value that it promised did not come",
			    queue->handle);
		kmd_queue_mark_lost(queue, RF_QUEUE_ERROR_ENGINE, 0, false);
	} else {
		kmd_wait_end(wait, -EIO);
	}
}

u64 kmd_adapter_watch_exported_fences(struct kmd_adapter *adapter, u64 now)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_wait *wait;
	u64 next;

	adapter->exported_fences->had_any = kmd_exported_fence_is_any(adapter);
	kmd_exported_fence_set_deadlines(adapter, now);
	while ((wait = kmd_exported_fence_first(adapter)) && wait->deadline <= now &&
	       kmd_hold_spend(domain))
		kmd_exported_fence_expire(adapter, wait);
	/* if this hold has no units left, the next call is due at once */
	next = wait ? wait->deadline : RF_TIME_NEVER;
	kmd_wait_unlock(domain, flags);
	return next;
}
