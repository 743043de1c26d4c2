// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Promises: values that somebody outside of the driver counts on, who may hold up what has
 * nothing to do with the process. A promise is kept when the value is reached; else its queue
 * is lost KMD_EXPORTED_FENCE_DELAYS TDR delays after the promise was made, and the promise ends with
 * -EIO.
 *
 * Nothing moves that deadline. The words of the process are asked once, when the promise is
 * made: neither its last-queued value nor its progress counts after that, since both are in its
 * reach. D3, F1, a reset and a suspension stop what the queue does, and not the clock; that
 * stops only if all of the machine does. As long as there is a promise, and until the look
 * after the one that ended the last, the adapter is not idle (kmd_adapter_is_idle()): no shell
 * ends its watch before a queue that was lost has left.
 *
 * The deadline is fixed by the first look of the watch after the promise was made: the clock is
 * the shell's.
 *
 * Locking: wait_lock alone, since who holds the mutex may wait for memory, and whoever was to
 * give that back for what was promised. The device is asked for nothing but to let the queue
 * go, if it has it.
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

/* The earliest first; a TDR delay that is shorter than it was makes later ones earlier. */
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

/* Its time is up. This ends it, and every other one that the queue owes. */
static void kmd_exported_fence_expire(struct kmd_adapter *adapter, struct kmd_wait *wait)
{
	struct kmd_local_fence *local = wait->waiters[0].local;
	struct kmd_queue *queue = local->queue;

	kmd_fence_evaluate(local->fence); /* only its interrupt may be missing */
	/* what the hold leaves of its fence may be this one */
	if (kmd_exported_fence_first(adapter) != wait ||
	    !rf_list_empty(&local->fence->reached_link))
		return;
	if (queue && !queue->error) {
		rf_log_user(adapter->sync_domain->os,
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
	/* what is too much for this hold is for the next look, at once */
	next = wait ? wait->deadline : RF_TIME_NEVER;
	kmd_wait_unlock(domain, flags);
	return next;
}
