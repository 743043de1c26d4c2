/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fences: the fence itself, its opening on an adapter, and its local fence in a process.
 *
 * A fence is above adapters, an opening is its part on one of them. A fence has one opening, on the
 * adapter that it was made on, or (@cross_adapter) one on each adapter where a process has it open:
 * native where the adapter has native fences, monitored where it has none (S0-84, S0-85).
 *
 * Locking: the adapter's mutex for an opening's life; values, waiters, the openings of a fence and
 * its life under wait_lock.
 */
#ifndef KMD_FENCE_H
#define KMD_FENCE_H

#include "base/heap.h"
#include "base/peers.h"
#include "base/walk.h"
#include "fences/storage.h"
#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_adapter;
struct kmd_file;
struct kmd_queue;
struct kmd_sync_domain;
struct kmd_user;

/**
 * struct kmd_opening - a fence on one adapter
 * @fence: the fence
 * @adapter: the adapter
 * @fence_link: in kmd_fence.openings
 * @link: in kmd_adapter.fences; of a monitored one in kmd_adapter.monitored_fences
 * @walked: in kmd_walk.all_fences
 * @watched: in kmd_walk.watched_fences, while its value matters: kmd_fence_update_watched()
 * @is_native: the miniport has an object of it; else it is monitored here
 * @gpu_access: engines of this adapter can access it
 * @references: of local fences, shares and signal packets; guarded by the adapter's mutex
 * @locals: its local fences, by kmd_local_fence.opening_link; guarded by the mutex and wait_lock
 * @signalers: of @locals, those that may signal; guarded by wait_lock
 * @user: user that is charged, as long as the opening lives; with a reference
 * @current_value: where engines find CurrentValue, and the CPU too unless @fence.cross_adapter
 * @monitored: where MonitoredValue is; of a monitored fence a word that is always 0, if it has GPU
 *             access
 * @suspect: the waiter whose value was already reached at the last check of the watchdog, or NULL
 * @suspect_value: of a cross-adapter fence: CurrentValue then, if it was not propagated
 * @entered: generation of the entry that its device has, or had; guarded by wait_lock
 * @lost: its adapter is lost, and signals nothing any more; guarded by wait_lock
 * @notify_link: in KMD_PENDING_NOTIFY; all from here on is for native ones only
 * @monitored_value: the value that was last given to the device
 * @unknown: the device may have another value than @monitored_value
 * @posted: the device may not use @monitored_value yet
 * @unarmed_link: in KMD_PENDING_UNARMED or kmd_adapter.stalled
 * @signaled_link: in kmd_adapter_notes.signaled; guarded by device_lock
 * @handle: the core's global handle, which interrupts name
 * @h_global: the miniport's handle
 */
struct kmd_opening {
	struct kmd_fence *fence;
	struct kmd_adapter *adapter;
	struct rf_list fence_link;
	struct rf_list link;
	struct kmd_walked walked;
	struct kmd_walked watched;
	bool is_native;
	bool gpu_access;
	u32 references;
	struct rf_list locals;
	u32 signalers;
	struct kmd_user *user;
	struct kmd_value current_value;
	struct kmd_value monitored;
	const struct kmd_heap_node *suspect;
	u64 suspect_value;
	u32 entered;
	bool lost;
	struct rf_list notify_link;
	u64 monitored_value;
	bool unknown;
	bool posted;
	struct rf_list unarmed_link;
	struct rf_list signaled_link;
	u32 handle;
	void *h_global;
};

/**
 * struct kmd_fence - a native or a monitored fence, independent of adapters
 * @domain: of its adapters
 * @cross_adapter: other adapters may open it; MonitoredValue is 0 on each (S0-78)
 * @is_32bit: engines update the low 32 bits of CurrentValue, and memory holds only these (C7)
 * @last: with @is_32bit: the 64-bit CurrentValue when it was last read; guarded by wait_lock
 * @type: DEFAULT or INTRA_GPU; a monitored fence is stored like a DEFAULT one
 * @share_token: token with which other processes open it; 0: not shared
 * @shared_link: in kmd_sync_domain.shared
 * @references: of openings, and of threads that are about to open it; guarded by wait_lock
 * @openings: by kmd_opening.fence_link; guarded by wait_lock
 * @current_value: where the CPU finds CurrentValue: that of the opening, or (@cross_adapter) a page
 *                 that belongs to no adapter (S0-76)
 * @propagated: of a cross-adapter fence: CurrentValue when its openings were last notified
 * @waiters: CPU waiters by value; guarded by wait_lock, as all that follows
 * @reached_link: in KMD_PENDING_REACHED
 * @error: 0, or the error of waits whose value is not reached: its queue is lost, or the device
 * @always_signaled: the process that was to signal it is lost: it has the greatest value for good
 *                   (A-10, A-11)
 * @keeps_value: it is never made always signalled (NoSignalMaxValueOnTdr); constant
 */
struct kmd_fence {
	struct kmd_sync_domain *domain;
	bool cross_adapter;
	bool is_32bit;
	u64 last;
	enum rf_native_fence_type type;
	u64 share_token;
	struct rf_list shared_link;
	u32 references;
	struct rf_list openings;
	struct kmd_value current_value;
	u64 propagated;
	struct kmd_heap waiters;
	struct rf_list reached_link;
	int error;
	bool always_signaled;
	bool keeps_value;
};

/**
 * struct kmd_local_fence - a fence in a process
 * @link: in kmd_file.local_fences
 * @file: process
 * @fence: fence
 * @opening: of the fence on the process's adapter, with a reference
 * @opening_link: in kmd_opening.locals
 * @handle: in kmd_file.table
 * @flags: DRM_RINGFENCE_FENCE_NO_SIGNAL and NO_WAIT
 * @h_local: the miniport's handle; native fences only
 * @current_mapping: CurrentValue's page in the process
 * @monitored_mapping: MonitoredValue's, or NULL
 * @queue: queue whose progress fence it is, or NULL; the queue outlives it
 * @waiters: waits of this process, by kmd_waiter.local_link; guarded by wait_lock
 */
struct kmd_local_fence {
	struct rf_list link;
	struct kmd_file *file;
	struct kmd_fence *fence;
	struct kmd_opening *opening;
	struct rf_list opening_link;
	u32 handle;
	u32 flags;
	void *h_local;
	struct kmd_mapping *current_mapping;
	struct kmd_mapping *monitored_mapping;
	struct kmd_queue *queue;
	struct rf_list waiters;
};

/* Its page in the region of the domain, or NULL. */
static inline struct kmd_peer_fence *kmd_fence_peer(const struct kmd_fence *fence)
{
	return fence->cross_adapter ? fence->current_value.page->peer : NULL;
}

/* Do signals of engines go from device to device, so that MonitoredValue is for CPU waiters only? */
static inline bool kmd_fence_is_peered(const struct kmd_fence *fence)
{
	const struct kmd_peer_fence *peer = kmd_fence_peer(fence);

	return peer && peer->peering == KMD_PEERING_ON;
}

#endif /* KMD_FENCE_H */
