/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Waits of CPU threads, events, functions and kernel-mode queues for fences.
 *
 * Locking: wait_lock is held for everything here, except where PASSIVE is noted.
 */
#ifndef KMD_WAIT_H
#define KMD_WAIT_H

#include "base/heap.h"
#include "kmd.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"

struct kmd_adapter;
struct kmd_fence;
struct kmd_file;
struct kmd_local_fence;
struct kmd_opening;
struct kmd_wait;

/**
 * struct kmd_waiter - one fence of a wait
 * @node: in kmd_fence.waiters, by value
 * @wait: its wait
 * @local: local fence through which the fence was named
 * @local_link: in kmd_local_fence.waiters; on no list: it is not in the heap any more
 * @is_suspect: it was kmd_opening.suspect of an opening, and may still be
 */
struct kmd_waiter {
	struct kmd_heap_node node;
	struct kmd_wait *wait;
	struct kmd_local_fence *local;
	struct rf_list local_link;
	bool is_suspect;
};

/**
 * struct kmd_wait - a wait for fences
 * @adapter: for the statistics
 * @charged: the file that is charged, if the wait outlives its request; else NULL
 * @over: it has ended, with @result
 * @result: 0 or a negative errno
 * @remaining: waiters that still have to be satisfied
 * @count: of @waiters
 * @complete: called once when it is over; from then on that function owns the wait
 * @owner: for @complete: the waiting object
 * @completion: of a thread that is blocked: complete when over
 * @event_link: of an event: in kmd_event.waits
 * @notify: of a function: it, and @owner is its argument
 * @exported_link: in a list of struct kmd_exported_fences, if it has a time limit
 * @deadline: its time limit, once it is known
 * @waiters: the fences
 */
struct kmd_wait {
	struct kmd_adapter *adapter;
	struct kmd_file *charged;
	bool over;
	int result;
	u32 remaining;
	u32 count;
	void (*complete)(struct kmd_wait *wait, int result);
	void *owner;
	struct rf_completion completion;
	struct rf_list event_link;
	kmd_notify_fn notify;
	struct rf_list exported_link;
	u64 deadline;
	struct kmd_waiter waiters[];
};

/*
 * A wait for @count fences, all of them or any. It counts as over until it begins; its end
 * completes @completion. NULL: no memory. PASSIVE.
 */
struct kmd_wait *kmd_wait_create(struct kmd_adapter *adapter, u32 count, bool any);
/* Charge a wait that will outlive its request to the file until it ends. -ENOSPC, -EDQUOT. */
int kmd_wait_charge(struct kmd_wait *wait, struct kmd_file *file);
/* The wait must be over. PASSIVE. */
void kmd_wait_free(struct kmd_wait *wait);
/* Begin a wait for one fence; the same wait can be used repeatedly. */
void kmd_wait_for_one(struct kmd_wait *wait, struct kmd_local_fence *local, u64 value);
/*
 * Find the fences, and begin the wait for those that are not reached; fences that are reached are
 * not armed (S0-44). 0: it is over already; 1: it has begun; else a negative errno.
 */
int kmd_wait_begin(struct kmd_file *file, struct kmd_wait *wait,
		   const struct drm_ringfence_fence_value *values);
/* End the wait without kmd_wait.complete(). */
void kmd_wait_cancel(struct kmd_wait *wait);
/* End the wait, and call kmd_wait.complete(). */
void kmd_wait_end(struct kmd_wait *wait, int result);
/* For kmd_wait.complete(): count and uncharge a wait that user mode made. */
void kmd_wait_count_end(struct kmd_wait *wait, int result);

/* Remove a waiter from its fence; its wait begins or continues. */
void kmd_waiter_remove(struct kmd_waiter *waiter);
/* The waits through this handle end; false: some are left, for the next hold. */
bool kmd_local_fence_end_waits(struct kmd_local_fence *local, int result);
/* The MonitoredValue that the fence should have. */
u64 kmd_fence_wanted_monitored_value(const struct kmd_fence *fence);
/* Has the device this value, and uses it? */
bool kmd_opening_is_armed(const struct kmd_opening *opening);
/* The MonitoredValue of the fence may be wrong: pending work. */
void kmd_fence_set_unarmed(struct kmd_fence *fence);

#endif /* KMD_WAIT_H */
