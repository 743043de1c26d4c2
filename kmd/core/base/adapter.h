/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An adapter: one device. Its locks are described in sync_domain.h.
 *
 * The structure links the objects of higher layers: this header knows them only as pointers and
 * lists.
 */
#ifndef KMD_ADAPTER_H
#define KMD_ADAPTER_H

#include "base/handle.h"
#include "base/hash.h"
#include "base/limit.h"
#include "base/notes.h"
#include "base/peers.h"
#include "base/walk.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

struct kmd_exported_fences;
struct kmd_node;
struct kmd_packet_context;
struct kmd_recovery;
struct kmd_scheduler;
struct kmd_sync_domain;

#define KMD_PAGE_BYTES 4096u

/* Nodes of an adapter, and its slots: a hold of wait_lock may visit all of them */
#define KMD_NODES_MAX 16u
#define KMD_SLOTS_MAX 64u

/**
 * struct kmd_adapter - one device
 * @sync_domain: its sync domain
 * @domain_link: in kmd_sync_domain.adapters
 * @bus: the bus that it is on
 * @ddi: its miniport
 * @h_adapter: the miniport's handle
 * @vectors: interrupt vectors that it uses
 *
 * What the device can do, constant once it is started:
 * @features: what the operating system enables
 * @asked_native_fence: the miniport asked for DXGK_FEATURE_NATIVE_FENCE (S0-45)
 * @caps: what the miniport reported
 * @native_caps: the same; valid with @native_fence
 * @submission_caps: the same; valid with @user_mode_submission
 * @native_fence: feature enabled and advertised: native-fence DDIs may be called
 * @user_mode_submission: the same for user-mode queues
 * @optimized_interrupt: interrupts name the queue, not the fences (S0-126)
 * @value_stride: bytes between values of different fences in one page
 * @packet_cap: capacity of a node's hardware queue, in packets
 *
 * @mutex: see sync_domain.h
 * @doorbell_mutex: ditto
 * @device_lock: ditto
 * @limit_lock: ditto
 *
 * Its state:
 * @wedged: the driver broke the contract, or the device is gone: it is no longer used; atomic
 * @waits_failed: once @wedged: the walk that ends every wait has begun; guarded by wait_lock
 * @in_d3: changed under @mutex, wait_lock and @device_lock
 * @resetting: between the two halves of a reset, no access to the device; guarded by wait_lock
 * @reset_wanted: the driver needs a reset of the device; atomic
 * @wake_wanted: in D3: kmd_adapter_work() has to wake the device; guarded by wait_lock
 * @work: kmd_adapter_work() has something to do; guarded by wait_lock
 * @busy_link: in kmd_sync_domain.busy
 * @visits: threads that found the adapter in that list and use it without wait_lock;
 *          guarded by wait_lock
 * @tdr_timeout: ns for which a thread waits for an engine
 * @tdr_delay: ns without progress, by the clock of kmd_adapter_watch(), after which an engine is
 *             preempted, and after as long again reset; changed under @mutex and wait_lock
 *
 * Its objects:
 * @limits: of files and users; written before there are any
 * @users: by kmd_user.link; guarded by @limit_lock
 * @files: by kmd_file.link; guarded by @mutex and wait_lock
 * @fences: native fences, by kmd_opening.link; guarded by @mutex and wait_lock
 * @monitored_fences: the others; ditto
 * @stalled: native fences that are armed only when the device is no longer busy, by
 *           kmd_opening.unarmed_link; guarded by wait_lock
 * @globals: global fence handles, which interrupts name (C18)
 * @queues: by kmd_queue.link; guarded by @mutex, wait_lock and @device_lock
 * @queue_hash: by kmd_queue.chain; guarded as @queues
 * @contexts: by kmd_context.link; guarded as @queues
 * @context_hash: by kmd_context.chain; guarded as @queues
 * @doorbells: by kmd_doorbell.link; guarded by @mutex and @doorbell_mutex
 * @context_allocations: by kmd_context_allocation.link; guarded by @mutex
 * @paging: the kernel's context on the paging node, or NULL; guarded by @mutex
 * @nodes: by ordinal, as many as the caps report
 * @scheduler: scheduling/schedule.h
 * @recovery: recovery/recovery.h
 * @exported_fences: recovery/exported_fence.h
 * @recover_engine: kmd_engine_recover(), for paging, a lower layer; called with @mutex held
 * @peers: base/peers.h
 * @linked: the adapter that it is linked with, or NULL: base/link.h; guarded by wait_lock
 * @walk: base/walk.h
 * @notes: base/notes.h
 *
 * @observer: the shell's callbacks, or NULL; guarded by @mutex and wait_lock
 * @observer_argument: its argument
 * @trace: log trace or NULL; guarded by wait_lock
 * @trace_argument: its argument
 * @statistics: guarded by wait_lock; interrupts by @device_lock
 * @usage_sampled: time of the last sample of scheduling/usage.h, in ns; guarded by wait_lock
 */
struct kmd_adapter {
	struct kmd_sync_domain *sync_domain;
	struct rf_list domain_link;
	struct rf_bus *bus;
	const struct rf_ddi *ddi;
	void *h_adapter;
	u32 vectors;

	struct kmd_features features;
	bool asked_native_fence;
	struct rf_driver_caps caps;
	struct rf_native_fence_caps native_caps;
	struct rf_user_mode_submission_caps submission_caps;
	bool native_fence;
	bool user_mode_submission;
	bool optimized_interrupt;
	u32 value_stride;
	u32 packet_cap;

	struct rf_mutex mutex;
	struct rf_mutex doorbell_mutex;
	struct rf_spinlock device_lock;
	struct rf_spinlock limit_lock;

	bool wedged;
	bool waits_failed;
	bool in_d3;
	bool resetting;
	bool reset_wanted;
	bool wake_wanted;
	bool work;
	struct rf_list busy_link;
	u32 visits;
	u64 tdr_timeout;
	u64 tdr_delay;

	struct kmd_limits limits;
	struct rf_list users;
	struct rf_list files;
	struct rf_list fences;
	struct rf_list monitored_fences;
	struct rf_list stalled;
	struct kmd_table globals;
	struct rf_list queues;
	struct kmd_hash queue_hash;
	struct rf_list contexts;
	struct kmd_hash context_hash;
	struct rf_list doorbells;
	struct rf_list context_allocations;
	struct kmd_packet_context *paging;
	struct kmd_node *nodes;
	struct kmd_scheduler *scheduler;
	struct kmd_recovery *recovery;
	struct kmd_exported_fences *exported_fences;
	void (*recover_engine)(struct kmd_adapter *adapter, u32 node);
	struct kmd_adapter_peers peers;
	struct kmd_adapter *linked;
	struct kmd_walk walk;
	struct kmd_adapter_notes notes;

	const struct kmd_observer *observer;
	void *observer_argument;
	kmd_trace_fn trace;
	void *trace_argument;
	struct kmd_statistics statistics;
	u64 usage_sampled;
};

static inline bool kmd_adapter_is_wedged(const struct kmd_adapter *adapter)
{
	return __atomic_load_n(&adapter->wedged, __ATOMIC_ACQUIRE);
}

/*
 * The driver broke the contract (S0-65), for a @reason that is logged: the device is no longer
 * used. Any level. Every wait ends with -ENODEV, and every doorbell becomes ABORT, with the next
 * kmd_wait_unlock(); a caller at level DEVICE has to make sure that one follows.
 */
void kmd_adapter_set_wedged(struct kmd_adapter *adapter, const char *reason);
/* The same without a line in the log, for a device that was removed. Was it not marked before? */
bool kmd_adapter_mark_wedged(struct kmd_adapter *adapter);
/* kmd_adapter_set_wedged(), and then fail all waits. No spinlock held, here and below. */
void kmd_adapter_wedge(struct kmd_adapter *adapter, const char *reason);
/* All waits of an adapter that is marked as wedged end. */
void kmd_adapter_fail_all_waits(struct kmd_adapter *adapter);
/* The driver needs a reset of the device, which follows soon. Any level. */
void kmd_adapter_want_reset(struct kmd_adapter *adapter);

static inline bool kmd_adapter_wants_reset(const struct kmd_adapter *adapter)
{
	return __atomic_load_n(&adapter->reset_wanted, __ATOMIC_ACQUIRE);
}

/* The device is busy: what it cannot do now is retried a moment later. wait_lock held. */
void kmd_adapter_set_busy(struct kmd_adapter *adapter);

/* Begin a walk for @what, KMD_WALK_*; a walk that is under way restarts, for both. */
void kmd_adapter_walk(struct kmd_adapter *adapter, u32 what);
/* A step of pending work: all waits of wedged adapters begin to fail. */
void kmd_step_wedged(struct kmd_sync_domain *domain);

#endif /* KMD_ADAPTER_H */
