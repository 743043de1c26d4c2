// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Promises: values that somebody outside of the driver counts on, who may hold up what has
 * nothing to do with the process. A promise is kept when the value is reached; else its queue
 * is lost KMD_PROMISE_DELAYS TDR delays after the promise was made, and the promise ends with
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
#include "core.h"

void kmd_promise_make(struct kmd_wait *wait)
{
	rf_list_insert(&wait->promise_link, &wait->adapter->promises_made);
}

static bool kmd_exported_fence_is_any(const struct kmd_adapter *adapter)
{
	return !rf_list_empty(&adapter->promises_made) || !rf_list_empty(&adapter->promises);
}

bool kmd_adapter_owes(const struct kmd_adapter *adapter)
{
	return kmd_exported_fence_is_any(adapter) || adapter->owed;
}

/* The earliest first; a TDR delay that is shorter than it was makes later ones earlier. */
static void kmd_exported_fence_insert(struct kmd_adapter *adapter, struct kmd_wait *wait)
{
	struct rf_list *position = &adapter->promises;

	while (position->prev != &adapter->promises &&
	       rf_list_entry(position->prev, struct kmd_wait, promise_link)->deadline >
		       wait->deadline)
		position = position->prev;
	rf_list_insert(&wait->promise_link, position);
}

static void kmd_exported_fence_set_deadlines(struct kmd_adapter *adapter, u64 now)
{
	while (!rf_list_empty(&adapter->promises_made)) {
		struct kmd_wait *wait =
			rf_list_first(&adapter->promises_made, struct kmd_wait, promise_link);

		rf_list_remove(&wait->promise_link);
		wait->deadline = now + KMD_PROMISE_DELAYS * adapter->tdr_delay;
		kmd_exported_fence_insert(adapter, wait);
	}
}

static struct kmd_wait *kmd_exported_fence_first(struct kmd_adapter *adapter)
{
	if (rf_list_empty(&adapter->promises))
		return NULL;
	return rf_list_first(&adapter->promises, struct kmd_wait, promise_link);
}

/* Its time is up. This ends it, and every other one that the queue owes. */
static void kmd_exported_fence_expire(struct kmd_adapter *adapter, struct kmd_wait *wait)
{
	struct kmd_instance *instance = wait->waiters[0].instance;
	struct kmd_queue *queue = instance->queue;

	kmd_fence_evaluate(instance->fence); /* only its interrupt may be missing */
	/* what the hold leaves of its fence may be this one */
	if (kmd_exported_fence_first(adapter) != wait || !rf_list_empty(&instance->fence->covered_link))
		return;
	if (queue && !queue->error) {
		rf_log_user(adapter->domain->os,
			    "queue %x is lost: a value that it promised did not come",
			    queue->handle);
		kmd_queue_lose(queue, RF_QUEUE_ERROR_ENGINE, 0, false);
	} else {
		kmd_wait_end(wait, -EIO);
	}
}

u64 kmd_adapter_watch_promises(struct kmd_adapter *adapter, u64 now)
{
	struct kmd_domain *domain = adapter->domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_wait *wait;
	u64 next;

	adapter->owed = kmd_exported_fence_is_any(adapter);
	kmd_exported_fence_set_deadlines(adapter, now);
	while ((wait = kmd_exported_fence_first(adapter)) && wait->deadline <= now && kmd_hold_spend(domain))
		kmd_exported_fence_expire(adapter, wait);
	/* what is too much for this hold is for the next look, at once */
	next = wait ? wait->deadline : RF_TIME_NEVER;
	kmd_wait_unlock(domain, flags);
	return next;
}
