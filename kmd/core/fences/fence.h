/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fences: the fence itself, its part on an adapter, and its local fence in a process.
 *
 * Locking: the adapter's mutex for life; values and waiters under wait_lock.
 */
#ifndef KMD_FENCE_H
#define KMD_FENCE_H

#include "base/heap.h"
#include "base/walk.h"
#include "fences/storage.h"
#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_adapter;
struct kmd_file;
struct kmd_queue;
struct kmd_user;

/**
 * struct kmd_native_fence - a fence on one adapter
 * @fence: the fence
 * @adapter: the adapter
 * @link: in kmd_adapter.fences; of a monitored fence in kmd_adapter.monitored_fences
 * @walked: in kmd_walk.all_fences
 * @watched: in kmd_walk.watched_fences, while its value matters: kmd_fence_update_watched()
 * @monitored: where MonitoredValue is; of a monitored fence a word that is always 0, if it has GPU
 *             access; all else below is for native fences only
 * @monitored_value: the value that was last given to the device
 * @unknown: the device may have another value than @monitored_value
 * @posted: the device may not use @monitored_value yet
 * @dying: it is being destroyed, and is not evaluated any more
 * @unarmed_link: in KMD_PENDING_UNARMED or kmd_adapter.stalled
 * @signaled_link: in kmd_adapter_notes.signaled; guarded by device_lock
 * @handle: the core's global handle, which interrupts name
 * @h_global: the miniport's handle
 */
struct kmd_native_fence {
	struct kmd_fence *fence;
	struct kmd_adapter *adapter;
	struct rf_list link;
	struct kmd_walked walked;
	struct kmd_walked watched;
	struct kmd_value monitored;
	u64 monitored_value;
	bool unknown;
	bool posted;
	bool dying;
	struct rf_list unarmed_link;
	struct rf_list signaled_link;
	u32 handle;
	void *h_global;
};

/**
 * struct kmd_fence - a native or a monitored fence, independent of adapters
 * @is_native: it is a native fence
 * @gpu_access: engines can access it
 * @is_32bit: engines update the low 32 bits of CurrentValue, and memory holds only these (C7)
 * @last: with @is_32bit: the 64-bit CurrentValue when it was last read; guarded by wait_lock
 * @type: DEFAULT or INTRA_GPU; a monitored fence is stored like a DEFAULT one
 * @user: user that is charged, as long as the fence lives; with a reference
 * @share_token: token with which other processes open it; 0: not shared
 * @shared_link: in kmd_sync_domain.shared
 * @references: of local fences, shares and signal packets; guarded by the adapter's mutex
 * @current_value: where CurrentValue is
 * @waiters: CPU waiters by value; guarded by wait_lock, as all that follows
 * @reached_link: in KMD_PENDING_REACHED
 * @suspect: the waiter whose value was already reached at the last check of the watchdog, or NULL
 * @error: 0, or the error of waits whose value is not reached: its queue is lost, or the device
 * @always_signaled: the process that was to signal it is lost: it has the greatest value for good
 *                   (A-10, A-11)
 * @keeps_value: it is never made always signalled (NoSignalMaxValueOnTdr); constant
 * @native: its part on the adapter that it was made on
 */
struct kmd_fence {
	bool is_native;
	bool gpu_access;
	bool is_32bit;
	u64 last;
	enum rf_native_fence_type type;
	struct kmd_user *user;
	u64 share_token;
	struct rf_list shared_link;
	u32 references;
	struct kmd_value current_value;
	struct kmd_heap waiters;
	struct rf_list reached_link;
	const struct kmd_heap_node *suspect;
	int error;
	bool always_signaled;
	bool keeps_value;
	struct kmd_native_fence native;
};

/**
 * struct kmd_local_fence - a fence in a process
 * @link: in kmd_file.local_fences
 * @file: process
 * @fence: fence
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
	u32 handle;
	u32 flags;
	void *h_local;
	struct kmd_mapping *current_mapping;
	struct kmd_mapping *monitored_mapping;
	struct kmd_queue *queue;
	struct rf_list waiters;
};

#endif /* KMD_FENCE_H */
