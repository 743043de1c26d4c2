/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: kmd/core, the graphics kernel
 *
 * The operating system's part of the graphics kernel for one or more adapters of this kind:
 * processes and handles, native fences and their storage, CPU waits and signals, MonitoredValue
 * updates, queues, doorbells and fence logs. It accesses hardware only through a miniport
 * (rf_ddi.h), and its host only through rf_os.h and rf_shell.h. This header is the interface for
 * the shells.
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
struct kmd_opening;
struct kmd_render;

/* A sync domain: adapters that may share fences. -ENOMEM. PASSIVE. */
int kmd_sync_domain_create(struct rf_os *os, struct kmd_sync_domain **domain);
/* Its adapters must have been destroyed before. */
void kmd_sync_domain_destroy(struct kmd_sync_domain *domain);
/*
 * Do a bounded part of the pending work of a sync domain, as rf_shell_go_on() asks for. True: a
 * device is busy; the caller should sleep briefly before it calls again, if it can. Takes no lock
 * that is held while memory is allocated. @work: kmd_adapter_work() of the domain's adapters has to
 * be called soon. PASSIVE.
 */
bool kmd_sync_domain_go_on(struct kmd_sync_domain *domain, bool *work);

/**
 * struct kmd_features - what the operating system enables for an adapter
 * @native_fence: DXGK_FEATURE_NATIVE_FENCE, version 1
 * @optimized_default_fence: SupportOptimizedDefaultFenceType
 * @intra_gpu_fence: SupportIntraGpuFenceType
 * @user_mode_submission: DXGK_FEATURE_USER_MODE_SUBMISSION, version 1
 * @linked_adapters: adapters of a sync domain may be linked; a request may then use both
 */
struct kmd_features {
	bool native_fence;
	bool optimized_default_fence;
	bool intra_gpu_fence;
	bool user_mode_submission;
	bool linked_adapters;
};

/**
 * kmd_adapter_create() - start a device
 * @features: what is enabled; NULL: everything
 *
 * PASSIVE. The shell enables interrupts after this: the device raises none before the first queue
 * exists. Return: 0; the error of the miniport's start_device; -EINVAL for caps or a table that
 * break the rules (S0-45, S0-46, S0-60, C7); -ENOMEM.
 */
int kmd_adapter_create(struct kmd_sync_domain *domain, struct rf_bus *bus, const struct rf_ddi *ddi,
		       const struct kmd_features *features, struct kmd_adapter **adapter);
/* Its files must be closed, and its interrupts disabled. PASSIVE. */
void kmd_adapter_destroy(struct kmd_adapter *adapter);
/* The number of vectors, from 0, for which kmd_adapter_interrupt() has to be called. */
u32 kmd_adapter_vectors(const struct kmd_adapter *adapter);

/*
 * The device is about to be removed: every wait ends with an error, and from now on every request
 * fails that does more than destroy. PASSIVE.
 */
void kmd_adapter_notify_removal(struct kmd_adapter *adapter);

/* Only a restart brings it back: it is wedged, or the device is about to be removed. Any level. */
bool kmd_adapter_is_lost(const struct kmd_adapter *adapter);

/*
 * An interrupt has three parts; a part returns true if the next one has to run: service at level
 * DEVICE, the deferred part at DISPATCH, and work at PASSIVE with no lock held. Deferred parts of
 * one adapter run one at a time.
 */
bool kmd_adapter_interrupt(struct kmd_adapter *adapter, u32 vector);
bool kmd_adapter_dpc(struct kmd_adapter *adapter);
void kmd_adapter_work(struct kmd_adapter *adapter);

/* Least period of the watchdog, in ns */
#define KMD_WATCHDOG_PERIOD_MIN 10000u

/*
 * Find lost interrupts (C6): a waiter whose value CurrentValue has reached in two successive calls
 * is woken and counted. Part of kmd_adapter_watch(); a shell that wants to find them sooner calls
 * this in addition, with a period longer than an interrupt may take. PASSIVE.
 */
void kmd_adapter_watchdog(struct kmd_adapter *adapter);

/*
 * Let the driver find idle engines, which then go to F1 (S3-37, S3-38). A shell that wants this
 * calls it periodically; an engine that had no work between two calls counts as idle. PASSIVE.
 */
void kmd_adapter_look_for_idle(struct kmd_adapter *adapter);
/*
 * True: all engines are in F1, so that no work begins without a request, and no exported fence is
 * pending. Then a shell need not call kmd_adapter_watch() before the next request. PASSIVE.
 */
bool kmd_adapter_is_idle(struct kmd_adapter *adapter);

/*
 * D0 to D3 (S3-42): all work is suspended, and the device may lose its power and its memory. It
 * comes back with the next request that needs it (connecting a doorbell is one), or by the second
 * function. -EIO: an engine cannot be preempted; -ENOMEM: no room for the contents of local
 * memory; -ENODEV: the device is lost. PASSIVE, blocks.
 */
int kmd_adapter_sleep(struct kmd_adapter *adapter);
int kmd_adapter_wake(struct kmd_adapter *adapter);
/* Default time that an engine may make no progress (TdrDelay), in ns */
#define KMD_TDR_DELAY 2000000000u

/* PASSIVE. */
void kmd_adapter_set_tdr_delay(struct kmd_adapter *adapter, u64 delay);
/*
 * TDR delays after which an exported fence (kmd_fence_notify()) that is not signalled ends with
 * -EIO
 */
#define KMD_EXPORTED_FENCE_DELAYS 5u
/*
 * The watch, which a shell calls periodically, several times in a TDR delay; @now is a clock of the
 * shell's choice, in ns, that stops when the clock of the device stops (system suspend, a
 * simulation that is halted). It is the same for all shells. It checks
 *
 *   - that the device responds and still has its configuration; else it is reset
 *   - for everything that a lost interrupt should have reported: errors, queues that are stopped or
 *     have left their slots, doorbell rings, waiters whose value is reached
 *     (kmd_adapter_watchdog())
 *   - that every engine with work makes progress (S3-36). One that makes none for the TDR delay is
 *     preempted (S4-2), and reset if it is not preempted within another TDR delay (S4-3)
 *   - exported fences (kmd_adapter_watch_exported_fences())
 *
 * PASSIVE.
 */
void kmd_adapter_watch(struct kmd_adapter *adapter, u64 now);
/*
 * The last part of the watch, which a shell also calls where the other parts would block. A new
 * exported fence gets its deadline, KMD_EXPORTED_FENCE_DELAYS TDR delays from @now; one whose
 * deadline has passed ends with -EIO, and its queue is lost. Returns the earliest deadline, or
 * RF_TIME_NEVER if no exported fence is pending. The shell calls this as soon as a fence is
 * exported, and again at that time at the latest: whatever engines do, in D3 and during recovery
 * too. Then no exported fence lasts longer. Takes no mutex. DISPATCH.
 */
u64 kmd_adapter_watch_exported_fences(struct kmd_adapter *adapter, u64 now);

/*
 * The post-mortem dump of kernel and device: every queue, fence, node, slot, doorbell, stage,
 * engine, TLB entry and counter, as text or as JSON. Returns the size of the dump in bytes, of
 * which at most @size are written, without a terminating 0. PASSIVE.
 */
size_t kmd_adapter_dump(struct kmd_adapter *adapter, bool json, char *buffer, size_t size);
/* The same, from kmd_observer.hang(); allocates nothing. */
size_t kmd_adapter_dump_hang(struct kmd_adapter *adapter, bool json, char *buffer, size_t size);

enum kmd_job_step { KMD_JOB_SUBMITTED, KMD_JOB_BEGUN, KMD_JOB_DONE };

/**
 * struct kmd_observer - callbacks to the shell, for traces and post mortems
 * @hang: an engine, or the one that it shares, or the whole adapter is about to be reset; PASSIVE
 * @reset: the reset is done, of the node or (KMD_NODE_ALL) of the adapter; 0 or an error. PASSIVE
 * @preempt: a queue of @file is being preempted, or (@done) has left the device; DISPATCH
 * @job: a command buffer of a kernel-mode queue, named by the value for its progress fence, has
 *       reached a step; @jobs: number of jobs of the queue now. DISPATCH
 *
 * All are called with locks held: they call no function of the core except kmd_adapter_dump_hang().
 */
struct kmd_observer {
	void (*hang)(void *argument, u32 node);
	void (*reset)(void *argument, u32 node, int result);
	void (*preempt)(void *argument, struct rf_file *file, u32 queue, u32 node, bool done);
	void (*job)(void *argument, struct rf_file *file, u32 queue, u32 node,
		    enum kmd_job_step step, u64 progress, u32 jobs);
};

#define KMD_NODE_ALL U32_MAX

/*
 * Sets the observer; NULL removes it. @observer and @argument must stay valid until then. PASSIVE.
 */
void kmd_adapter_observe(struct kmd_adapter *adapter, const struct kmd_observer *observer,
			 void *argument);

/*
 * A process on an adapter: an open file. -EMFILE: its user has reached the limit of open files;
 * -EBUSY: no address space left. PASSIVE.
 */
int kmd_file_open(struct kmd_adapter *adapter, struct rf_file *shell, struct kmd_file **file);
/* Destroys all that it still owns. No request may be under way. PASSIVE. */
void kmd_file_close(struct kmd_file *file);

/* Usual time limit for an engine to respond, in ns */
#define KMD_TDR_TIMEOUT 2000000000ull

/**
 * kmd_context_suspend() - take the queues of a context off the device
 * @handle: of the context in @file
 *
 * On return none of their commands is executed and the device does not access their rings or
 * command buffers; doorbells stay connected, and work may still be submitted (S3-31, S3-32, S3-64).
 * PASSIVE, blocks. Return: 0; -ENOENT; -ECANCELED: it was resumed or destroyed meanwhile; -EIO: the
 * engine does not respond.
 */
int kmd_context_suspend(struct kmd_file *file, u32 handle);
/* Resume them, with what was submitted meanwhile (S3-34). 0, -ENOENT. PASSIVE. */
int kmd_context_resume(struct kmd_file *file, u32 handle);

/* Size of the largest argument structure of a request */
#define KMD_ARGUMENT_BYTES_MAX 128

/**
 * struct kmd_call - a request of ringfence_drm.h while it is carried out
 * @request: enum drm_ringfence_request
 * @arguments: its structure, in kernel memory; a call that fails leaves it unchanged
 * @given: a copy of it, to restore it
 * @values: elements of its array of fences
 * @answer: what is to be copied to user memory
 * @answer_bytes: size of @answer
 * @render: elements of the arrays of a render command, or NULL
 *
 * An access to user memory may take any time: another process may serve the page fault, or not. So
 * a call has three steps, and only the first and the last, which are made with no lock held, access
 * user memory. PASSIVE. Any number of threads.
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
 * Copy the arrays of the request from user memory; a request of the shell's own has none. Not 0:
 * the call has ended, with no further step.
 */
int kmd_call_begin(struct kmd_call *call, unsigned int request, void *arguments);
/* May block. 0 or a negative errno as documented there; -ENOTTY unknown request. */
int kmd_call_carry_out(struct kmd_call *call, struct kmd_file *file);
/*
 * Copy the answer to user memory, and free. @result: of kmd_call_carry_out(), or why it was left
 * out.
 */
int kmd_call_end(struct kmd_call *call, int result);
/* All three steps, for a shell that holds no locks around requests. */
int kmd_request(struct kmd_file *file, unsigned int request, void *arguments);

/* @result: 0, or why the value will not be reached: as of DRM_RINGFENCE_FENCE_WAIT */
typedef void (*kmd_notify_fn)(void *argument, int result);

/**
 * kmd_fence_notify() - call a function when a fence has reached a value, once
 * @handle: of the fence
 * @exported: the fence is exported: @notify has to be called within a time limit. The fence has to
 *            be a queue's progress fence, and the value one that has already been queued (-EINVAL);
 *            the shell calls kmd_adapter_watch_exported_fences() next, which enforces the limit
 * @notify: called at DISPATCH, with locks held: it calls no function of the core
 *
 * PASSIVE. Return: 0: @notify was called, or will be, before the file is closed at the latest; else
 * -ENOMEM, -ENODEV, -ENOSPC, -EDQUOT, or as of DRM_RINGFENCE_FENCE_WAIT, and it is never called.
 */
int kmd_fence_notify(struct kmd_file *file, u32 handle, u64 value, bool exported,
		     kmd_notify_fn notify, void *argument);

/* The memory of a handle, with a reference, or NULL. Up to DISPATCH. */
struct rf_mem *kmd_file_memory(struct kmd_file *file, u32 handle);
/* Bytes of user memory, RF_MEM_SYSTEM or RF_MEM_LOCAL, that are charged to the file. Any level. */
u64 kmd_file_memory_bytes(struct kmd_file *file, enum rf_mem_kind kind);
/*
 * For how long work of the file was on each node, in ns, as sampled by kmd_adapter_watch() and here
 * (scheduling/usage.h): for at most @count nodes. Returns their number. Up to DISPATCH.
 */
u32 kmd_file_engine_times(struct kmd_file *file, u64 *ns, u32 count);
/* Cycles of the device per second. Any level. */
u64 kmd_adapter_frequency(const struct kmd_adapter *adapter);

/*
 * Charge a wait of the shell's to the file. -ENOSPC: the file has reached its limit; -EDQUOT: its
 * user has. Any level.
 */
int kmd_file_charge_wait(struct kmd_file *file);
void kmd_file_uncharge_wait(struct kmd_file *file);

/*
 * Store to a fence as DRM_RINGFENCE_FENCE_SIGNAL does, and with its errors; or check whether that
 * is allowed. Up to DISPATCH.
 */
int kmd_fence_store(struct kmd_file *file, u32 handle, u64 value);
int kmd_fence_may_store(struct kmd_file *file, u32 handle, u64 value);

/**
 * kmd_fence_share() - hold an opening of a fence, so that other processes can open the fence
 * @handle: of a fence that was made to be shared
 * @flags: DRM_RINGFENCE_FENCE_NO_SIGNAL, NO_WAIT: what may not be done; on return with the
 *         restrictions of the handle added
 * @share: keeps the fence alive until kmd_fence_end_share()
 *
 * PASSIVE, here and below. -ENOENT; -EINVAL: not shared, or neither signal nor wait would be left.
 */
int kmd_fence_share(struct kmd_file *file, u32 handle, u32 *flags, struct kmd_opening **share);
/* To be called before the adapter that it was shared on is destroyed. */
void kmd_fence_end_share(struct kmd_opening *share);
/*
 * The fence of a share, which does not end meanwhile, for a file that opens it; it lives until the
 * hold ends, although its adapter may go. -EINVAL: it is one of another adapter and was not made for
 * several, or both are not of one sync domain. Takes wait_lock only.
 */
int kmd_fence_hold_share(const struct kmd_file *file, const struct kmd_opening *share,
			 struct kmd_fence **fence);
void kmd_fence_end_hold(struct kmd_fence *fence);
/* As DRM_RINGFENCE_FENCE_OPEN. */
int kmd_fence_open_held(struct kmd_file *file, struct kmd_fence *fence, u32 flags, u32 *handle,
			u32 *type, struct drm_ringfence_fence_mapping *mapping);

/**
 * struct kmd_log_event - one fence log entry, as the trace reports it
 * @file: the process
 * @queue: handle of the queue in it
 * @type: RF_LOG_TYPE_WAITS or RF_LOG_TYPE_SIGNALS
 * @lost: entries that were overwritten before they were read (S0-119); then @entry is NULL
 * @entry: copy of the entry; its handle, value and operation come from user mode
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
 * Report every log entry that is read from now on; NULL stops. @function is called at DISPATCH.
 * When tracing starts, logs are enlarged from 4 KiB to 64 KiB as far as there is memory, and stay
 * so (S0-119). PASSIVE.
 */
void kmd_adapter_trace(struct kmd_adapter *adapter, kmd_trace_fn function, void *argument);

/**
 * struct kmd_statistics - counters of an adapter
 * @interrupts: calls of kmd_adapter_interrupt()
 * @fences_listed: fences named by interrupts
 * @evaluate_all: interrupts that named no fences (NULL array)
 * @evaluate_legacy: of these, with legacy monitored fences to be evaluated (S0-70)
 * @monitored_updates: MonitoredValues changed
 * @resample_hits: waiters that only the re-read after an update caught (S0-40)
 * @waits: waits that had to block or were left to an event
 * @wakes: of these, waits that ended without an error
 * @notifications: openings of cross-adapter fences notified of signals on another adapter (S0-80)
 * @log_entries: fence log entries read
 * @log_overruns: overruns of logs
 * @log_refused: of @log_entries, those whose timestamp goes back, which the trace does not report
 * @lost_interrupts: waiters woken by the watchdog
 * @residences: times that a queue was made resident
 * @evictions: times that a queue was evicted to make room
 * @victims: doorbells that the miniport disconnected
 * @f1_transitions: times that an engine went to F1
 * @preemption_requests: preempt_command calls
 * @preemptions: of these, acknowledged
 * @engine_resets: engines that were reset
 * @demotions: pages of MonitoredValues that were moved out of local memory to make room
 * @adapter_resets: resets of the whole device
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
	u64 notifications;
	u64 log_entries;
	u64 log_overruns;
	u64 log_refused;
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
