/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: kmd/core, the graphics kernel
 *
 * What an operating system's graphics kernel does for one or more adapters of
 * this kind: processes and handles, native fences and their storage, CPU waits
 * and signals, MonitoredValue upkeep, queues, doorbells and fence logs. It reaches
 * hardware through a miniport (rf_ddi.h) only, and its host through rf_os.h and
 * rf_shell.h. This header is its face to the shells.
 */
#ifndef KMD_H
#define KMD_H

#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_shell.h"
#include "ringfence_drm.h"
#include "ringfence_hw.h"

struct kmd_adapter;
struct kmd_sync_domain;
struct kmd_fence;
struct kmd_file;
struct kmd_render;

/* A domain: adapters that may share fences. -ENOMEM. PASSIVE. */
int kmd_sync_domain_create(struct rf_os *os, struct kmd_sync_domain **domain);
/* Its adapters are destroyed before. */
void kmd_sync_domain_destroy(struct kmd_sync_domain *domain);
/* What one hold of the domain's lock left undone, as rf_shell_go_on() asks for: a bounded part of
 * it. True: a device is busy, and whoever calls again sleeps for a moment before, if he can. Takes
 * nothing that is held while memory is allocated. @work: kmd_adapter_work() of its adapters is to
 * be called, soon. PASSIVE. */
bool kmd_sync_domain_go_on(struct kmd_sync_domain *domain, bool *work);

/**
 * struct kmd_features - what the operating system enables for an adapter
 * @native_fence: DXGK_FEATURE_NATIVE_FENCE, version 1
 * @optimized_default_fence: SupportOptimizedDefaultFenceType
 * @intra_gpu_fence: SupportIntraGpuFenceType
 * @user_mode_submission: DXGK_FEATURE_USER_MODE_SUBMISSION, version 1
 */
struct kmd_features {
	bool native_fence;
	bool optimized_default_fence;
	bool intra_gpu_fence;
	bool user_mode_submission;
};

/**
 * kmd_adapter_create() - start a device
 * @features: what is enabled; NULL: everything
 *
 * PASSIVE. The shell turns interrupts on after this: there is nothing to hear of
 * before there is a queue.
 * Return: 0; what the miniport's start_device says; -EINVAL for caps or a table
 * that break the rules (S0-45, S0-46, S0-60, C7); -ENOMEM.
 */
int kmd_adapter_create(struct kmd_sync_domain *domain, struct rf_bus *bus, const struct rf_ddi *ddi,
		       const struct kmd_features *features, struct kmd_adapter **adapter);
/* Its files are closed, and its interrupts off. PASSIVE. */
void kmd_adapter_destroy(struct kmd_adapter *adapter);
/* Vectors, from 0, that kmd_adapter_interrupt() wants to hear of. */
u32 kmd_adapter_vectors(const struct kmd_adapter *adapter);

/*
 * The device is about to go: every wait ends with an error, and from now on every request
 * that does more than destroy. PASSIVE.
 */
void kmd_adapter_notify_removal(struct kmd_adapter *adapter);

/* It does not come back by itself: it was fatal, or the device is about to go. Any level. */
bool kmd_adapter_is_lost(const struct kmd_adapter *adapter);

/*
 * An interrupt has three parts, each run when the one before asks for it by
 * returning true: service at level DEVICE, the deferred part at DISPATCH, and work
 * at PASSIVE with no lock held. Deferred parts of one adapter run one at a time.
 */
bool kmd_adapter_interrupt(struct kmd_adapter *adapter, u32 vector);
bool kmd_adapter_dpc(struct kmd_adapter *adapter);
void kmd_adapter_work(struct kmd_adapter *adapter);

/* Least period of the watchdog, in ns */
#define KMD_WATCHDOG_PERIOD_MIN 10000u

/*
 * Look for interrupts that were lost (C6): a waiter that CurrentValue covers at two looks
 * in a row is woken and counted. Part of kmd_adapter_watch(); a shell that wants to find
 * them sooner calls this in addition, with a period longer than an interrupt may take.
 * PASSIVE.
 */
void kmd_adapter_watchdog(struct kmd_adapter *adapter);

/*
 * Let the driver look for engines that are idle, which go to F1 then (S3-37, S3-38). A
 * shell that wants that calls this again and again; an engine that is idle between two
 * calls is taken for idle. PASSIVE.
 */
void kmd_adapter_look_for_idle(struct kmd_adapter *adapter);
/*
 * Are all engines in F1, so that nothing begins without a request, and is no promise to be
 * kept? Then a shell need not look again before the next request. PASSIVE.
 */
bool kmd_adapter_is_idle(struct kmd_adapter *adapter);

/*
 * D0 to D3 (S3-42): all work is suspended, and the device may lose its power and its
 * memory. It comes back with the next request that needs it, connecting a doorbell among
 * them, or by the second function. -EIO: an engine does not let its work go; -ENOMEM:
 * no room for what is in local memory; -ENODEV: the device is lost. PASSIVE, blocks.
 */
int kmd_adapter_sleep(struct kmd_adapter *adapter);
int kmd_adapter_wake(struct kmd_adapter *adapter);
/* How long an engine may make no progress (TdrDelay), in ns, until somebody says otherwise */
#define KMD_TDR_DELAY 2000000000u

/* PASSIVE. */
void kmd_adapter_set_tdr_delay(struct kmd_adapter *adapter, u64 delay);
/* TDR delays in which a promise (kmd_fence_notify()) is kept, or ends with -EIO */
#define KMD_EXPORTED_FENCE_DELAYS 5u
/*
 * The watch, which a shell calls again and again, some times in a TDR delay; @now is a clock
 * of its choice, in ns, that stands still while the device does. Every shell has the same
 * one: it looks
 *
 *   - whether the device answers, and is what it was made to be; else it is reset
 *   - for whatever interrupts ought to have told, and did not: errors, queues that stand
 *     still or have left, rings, waiters whose value is there (kmd_adapter_watchdog())
 *   - whether every engine that has work gets on with it (S3-36). One that does not for the
 *     TDR delay is asked to let its work go (S4-2), and reset if it does not for as long
 *     again (S4-3)
 *   - for promises (kmd_adapter_watch_exported_fences())
 *
 * PASSIVE.
 */
void kmd_adapter_watch(struct kmd_adapter *adapter, u64 now);
/*
 * Part of that, which a shell also calls where the rest would wait: a promise that was made is
 * given its deadline, KMD_EXPORTED_FENCE_DELAYS TDR delays from @now; one whose time is up ends, and
 * with it its queue. Returns when the next one is up, or RF_TIME_NEVER if none is made. Until
 * then a shell calls this again, at the latest then: whatever engines do, in D3 and during
 * recovery too. Called as soon as a promise is made, and again in time, it lets none last
 * longer. Takes no mutex. DISPATCH.
 */
u64 kmd_adapter_watch_exported_fences(struct kmd_adapter *adapter, u64 now);

/*
 * The post-mortem dump of kernel and device: every queue, fence, node, slot, doorbell, stage,
 * engine, TLB entry and counter, as text or as JSON. Returns the bytes that it takes, of
 * which @size are written; there is no 0 behind them. PASSIVE.
 */
size_t kmd_adapter_dump(struct kmd_adapter *adapter, bool json, char *buffer, size_t size);
/* The same, from kmd_observer.hang(), which allocates nothing. */
size_t kmd_adapter_dump_hang(struct kmd_adapter *adapter, bool json, char *buffer, size_t size);

enum kmd_job_step { KMD_JOB_SUBMITTED, KMD_JOB_BEGUN, KMD_JOB_DONE };

/**
 * struct kmd_observer - what a shell is told of, for traces and post mortems
 * @hang: an engine, or the one that it shares, is about to be reset, or with it the adapter;
 *        PASSIVE
 * @reset: that was done, of the node or (KMD_NODE_ALL) of the adapter; 0 or an error. PASSIVE
 * @preempt: the device is asked for a queue of @file, or (@done) has let it go; DISPATCH
 * @job: a command buffer of a kernel-mode queue, by what its progress fence gets, took a
 *       step; @jobs: that the queue has now. DISPATCH
 *
 * All are called with locks held: they call nothing of the core, but for
 * kmd_adapter_dump_hang().
 */
struct kmd_observer {
	void (*hang)(void *argument, u32 node);
	void (*reset)(void *argument, u32 node, int result);
	void (*preempt)(void *argument, struct rf_file *file, u32 queue, u32 node, bool done);
	void (*job)(void *argument, struct rf_file *file, u32 queue, u32 node,
		    enum kmd_job_step step, u64 progress, u32 jobs);
};

#define KMD_NODE_ALL U32_MAX

/* From now on, or until @observer is NULL, and what it points to stays that long. PASSIVE. */
void kmd_adapter_observe(struct kmd_adapter *adapter, const struct kmd_observer *observer,
			 void *argument);

/*
 * A process on an adapter: an open file. -EMFILE: its user has as many as he may have; -EBUSY
 * no address space left. PASSIVE.
 */
int kmd_file_open(struct kmd_adapter *adapter, struct rf_file *shell, struct kmd_file **file);
/* Destroys all that it still owns. No request is under way. PASSIVE. */
void kmd_file_close(struct kmd_file *file);

/* Usual time that an engine may take to answer, in ns */
#define KMD_TDR_TIMEOUT 2000000000ull

/**
 * kmd_context_suspend() - take the queues of a context off the device
 * @handle: of the context in @file
 *
 * On return nothing of them is executed and the device does not access their rings or
 * command buffers; doorbells stay connected, and work may still be submitted (S3-31,
 * S3-32, S3-64). PASSIVE, blocks.
 * Return: 0; -ENOENT; -ECANCELED: it was resumed or destroyed meanwhile; -EIO: the engine
 * does not answer.
 */
int kmd_context_suspend(struct kmd_file *file, u32 handle);
/* Let them go on, with what was submitted meanwhile (S3-34). 0, -ENOENT. PASSIVE. */
int kmd_context_resume(struct kmd_file *file, u32 handle);

/* Of the largest request */
#define KMD_ARGUMENT_BYTES_MAX 128

/**
 * struct kmd_call - a request of ringfence_drm.h on its way
 * @request: enum drm_ringfence_request
 * @arguments: its structure, in kernel memory; a call that fails leaves it as it was
 * @given: a copy of it, for that
 * @values: what its array of fences holds
 * @answer: what is to be copied to user memory
 * @answer_bytes: of it
 * @render: what the arrays of a render command hold, or NULL
 *
 * How long an access to user memory takes is up to whoever owns that: a page may come from
 * another process, or never. So a call has three steps, and only the first and the last,
 * which are made with no lock held, access user memory. PASSIVE. Any number of threads.
 */
struct kmd_call {
	unsigned int request;
	void *arguments;
	u8 given[KMD_ARGUMENT_BYTES_MAX];
	union {
		struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX];
		union {
			struct drm_ringfence_adapter_info adapter;
			struct drm_ringfence_node_info node;
		} answer;
	};
	u32 answer_bytes;
	struct kmd_render *render;
};

/*
 * Copy what the request's arrays hold; of those that are the shell's own there is nothing. Not
 * 0: that was all.
 */
int kmd_call_begin(struct kmd_call *call, unsigned int request, void *arguments);
/* May block. 0 or a negative errno as documented there; -ENOTTY unknown request. */
int kmd_call_carry_out(struct kmd_call *call, struct kmd_file *file);
/* Copy the answer, and free. @result: of the step before, or why that was left out. */
int kmd_call_end(struct kmd_call *call, int result);
/* All three, for a shell that has no locks around requests. */
int kmd_request(struct kmd_file *file, unsigned int request, void *arguments);

/* @result: 0, or why the value will not be reached: as of DRM_RINGFENCE_FENCE_WAIT */
typedef void (*kmd_notify_fn)(void *argument, int result);

/**
 * kmd_fence_notify() - call a function when a fence has reached a value, once
 * @handle: of the fence
 * @promised: @notify has to be called within time: the fence has to be a queue's progress
 *            fence, and the value one that the queue has been given already (-EINVAL); the
 *            shell calls kmd_adapter_watch_exported_fences() next, which sees to it
 * @notify: called at DISPATCH, with locks held: it calls nothing of the core
 *
 * PASSIVE.
 * Return: 0: @notify was called, or will be, before the file is closed at the latest;
 * else -ENOMEM, -ENODEV, -ENOSPC, -EDQUOT, or as of DRM_RINGFENCE_FENCE_WAIT, and it never is.
 */
int kmd_fence_notify(struct kmd_file *file, u32 handle, u64 value, bool promised,
		     kmd_notify_fn notify, void *argument);

/*
 * Something of the shell's that waits for the file: it counts as one of its waits. -ENOSPC: the
 * file has as many as it may have; -EDQUOT: its user. Any level.
 */
int kmd_file_charge_wait(struct kmd_file *file);
void kmd_file_uncharge_wait(struct kmd_file *file);

/*
 * Store to a fence as DRM_RINGFENCE_FENCE_SIGNAL does, and with its errors; or find out
 * whether that may be done. Up to DISPATCH.
 */
int kmd_fence_store(struct kmd_file *file, u32 handle, u64 value);
int kmd_fence_may_store(struct kmd_file *file, u32 handle, u64 value);

/**
 * kmd_fence_share() - hold a fence, for others to open
 * @handle: of one that was made to be shared
 * @flags: DRM_RINGFENCE_FENCE_NO_SIGNAL, NO_WAIT: what may not be done; receives what the
 *         handle may not do in addition
 * @fence: lives until kmd_fence_end_share(), or as long as it is open
 *
 * PASSIVE, here and below. -ENOENT; -EINVAL not shared, or nothing would be left to do.
 */
int kmd_fence_share(struct kmd_file *file, u32 handle, u32 *flags, struct kmd_fence **fence);
/* As DRM_RINGFENCE_FENCE_OPEN; -EINVAL also for a fence of another adapter. */
int kmd_fence_open_share(struct kmd_file *file, struct kmd_fence *fence, u32 flags, u32 *handle,
			 u32 *type, struct drm_ringfence_fence_mapping *mapping);
/* Before the adapter is destroyed. */
void kmd_fence_end_share(struct kmd_fence *fence);

/**
 * struct kmd_log_event - one fence log entry, as the trace sees it
 * @file: the process
 * @queue: handle of the queue in it
 * @type: RF_LOG_TYPE_WAITS or RF_LOG_TYPE_SIGNALS
 * @lost: entries that were overwritten before they were read (S0-119); then @entry
 *        is NULL
 * @entry: copy of the entry; its handle, value and operation are what user mode
 *         says
 */
struct kmd_log_event {
	struct rf_file *file;
	u32 queue;
	u32 type;
	bool lost;
	const struct rf_log_entry *entry;
};

typedef void (*kmd_trace_fn)(void *argument, const struct kmd_log_event *event);

/*
 * Tell of every log entry read from now on; NULL stops. DISPATCH is the level of
 * @function. Logs get 64 KiB instead of 4 when tracing starts, as far as there is memory,
 * and keep them (S0-119). PASSIVE.
 */
void kmd_adapter_trace(struct kmd_adapter *adapter, kmd_trace_fn function, void *argument);

/**
 * struct kmd_statistics - what an adapter did
 * @interrupts: calls of kmd_adapter_interrupt()
 * @fences_listed: fences named by interrupts
 * @evaluate_all: interrupts that left the set open (NULL array)
 * @evaluate_legacy: of these, with legacy monitored fences to be evaluated (S0-70)
 * @monitored_updates: MonitoredValues changed
 * @resample_hits: waiters that only the re-read after an update caught (S0-40)
 * @waits: waits that had to block or were left to an event
 * @wakes: waits that ended well after that
 * @log_entries: fence log entries read
 * @log_overruns: times that a log had overrun
 * @lost_interrupts: waiters that only the watchdog woke
 * @residences: times that a queue was made resident
 * @evictions: times that one had to make room
 * @victims: doorbells that the miniport took away
 * @f1_transitions: times that an engine went to F1
 * @preemption_requests: preempt_command calls
 * @preemptions: of these, answered
 * @engine_resets: engines that were reset
 * @demotions: pages of MonitoredValues that left local memory for what needs the room
 * @adapter_resets: times that the whole device was
 */
struct kmd_statistics {
	u64 interrupts;
	u64 fences_listed;
	u64 evaluate_all;
	u64 evaluate_legacy;
	u64 monitored_updates;
	u64 resample_hits;
	u64 waits;
	u64 wakes;
	u64 log_entries;
	u64 log_overruns;
	u64 lost_interrupts;
	u64 residences;
	u64 evictions;
	u64 victims;
	u64 f1_transitions;
	u64 preemption_requests;
	u64 preemptions;
	u64 engine_resets;
	u64 demotions;
	u64 adapter_resets;
};

void kmd_adapter_statistics(struct kmd_adapter *adapter, struct kmd_statistics *statistics);

#endif /* KMD_H */
