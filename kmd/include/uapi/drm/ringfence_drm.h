/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Requests of a Ringfence device: the interface between user mode and the driver, by ioctl on
 * a DRM render node or, in process, by a function call.
 *
 * Rules for every request:
 *
 *   - Opening the file makes a process: an address space and a handle table of
 *     its own. Handles are 32-bit, never 0, and not valid in another file. A destroyed
 *     handle stays invalid when its index is reused. Closing the file destroys everything.
 *   - "in" fields are read, "out" fields written on success only, "pad" and
 *     undefined flag bits must be 0 (-EINVAL).
 *   - Structures grow at their end; bytes that a caller does not pass count as 0.
 *   - Deadlines are absolute nanoseconds of CLOCK_MONOTONIC,
 *     DRM_RINGFENCE_DEADLINE_NEVER means no deadline; repeat a request that a
 *     signal interrupted (-EINTR) unchanged.
 *   - GPU addresses are virtual addresses in the file's address space and constant for the
 *     object's life. mmap offsets are for mmap() of the file; 0 means that user mode has no
 *     mapping.
 *   - Every kind of object has a limit per file (-ENOSPC) and a limit per user for all files
 *     that the user opened (-EDQUOT), which CAP_SYS_RESOURCE lifts. Too many open files are
 *     -EMFILE. The kernel's log, at a limited rate, says which limit was reached;
 *     docs/driver.md has the numbers.
 *   - Errors of every request: -EINVAL bad flag, pad or field; -ENOENT unknown or
 *     stale handle; -EFAULT bad pointer; -ENOMEM; -ENODEV the device is gone, also if
 *     it disappears while the request waits.
 */
#ifndef RINGFENCE_DRM_H
#define RINGFENCE_DRM_H

#include <linux/ioctl.h>
#include <linux/types.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* no deadline */
#define DRM_RINGFENCE_DEADLINE_NEVER (~(__u64)0)

/* Most fences of one wait or signal (D3DDDI_MAX_OBJECT_WAITED_ON, A-18). */
#define DRM_RINGFENCE_OBJECTS_MAX 32

/**
 * struct drm_ringfence_array - elements in user memory
 * @stride: in: bytes from one element to the next; at least the size of the
 *          element documented here, at most 4096; bytes beyond it must be 0
 * @count: in: elements
 * @array: in: pointer to the first
 */
struct drm_ringfence_array {
	__u32 stride;
	__u32 count;
	__u64 array;
};

/* --- discovery ------------------------------------------------------------------ */

/* 1: native fences work (D3DKMT_WDDM_3_1_CAPS.NativeGpuFenceSupported, S0-49) */
#define DRM_RINGFENCE_ADAPTER_NATIVE_FENCE (1u << 0)
/* 1: DEFAULT fences keep MonitoredValue in local memory unless asked otherwise */
#define DRM_RINGFENCE_ADAPTER_OPTIMIZED_FENCE (1u << 1)
/* 1: INTRA_GPU fences can be created */
#define DRM_RINGFENCE_ADAPTER_INTRA_GPU_FENCE (1u << 2)
/* 1: user-mode queues can be created */
#define DRM_RINGFENCE_ADAPTER_USER_MODE_SUBMISSION (1u << 3)
/*
 * 1: engines update 32 bits only (No64BitAtomics). MONITORED fences with a GPU address are then
 * 32 bits wide: user mode reads the low half of CurrentValue. The kernel maintains the upper
 * half by following the value, and therefore refuses to signal or wait for a value that is more
 * than DRM_RINGFENCE_VALUE_DISTANCE_MAX from the present one (-ERANGE, C7)
 */
#define DRM_RINGFENCE_ADAPTER_NO_64_BIT_ATOMICS (1u << 4)
/* see DRM_RINGFENCE_ADAPTER_NO_64_BIT_ATOMICS */
#define DRM_RINGFENCE_VALUE_DISTANCE_MAX 0x7fffffffu

/**
 * struct drm_ringfence_adapter_info - DRM_RINGFENCE_QUERY_ADAPTER
 * @flags: DRM_RINGFENCE_ADAPTER_*
 * @node_count: engine nodes, ordinals 0 .. node_count - 1
 * @fence_value_stride: bytes between values of different fences in one page
 * @doorbell_bytes: size of a doorbell (S3-5), which is at the start of its mapping
 * @doorbell_count: physical doorbells
 * @ring_entries_max: most entries of a ring, a power of two
 * @local_memory_bytes: size of local memory
 * @timestamp_frequency: ticks per second of device timestamps
 * @graphics_preemption: D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY, 0: none (S4-7)
 * @compute_preemption: D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY, 0: none
 * @physical_adapters: 2 while it is linked with another adapter (DRM_RINGFENCE_LINK); else 1
 * @pad: 0
 */
struct drm_ringfence_adapter_info {
	__u32 flags;
	__u32 node_count;
	__u32 fence_value_stride;
	__u32 doorbell_bytes;
	__u32 doorbell_count;
	__u32 ring_entries_max;
	__u64 local_memory_bytes;
	__u64 timestamp_frequency;
	__u32 graphics_preemption;
	__u32 compute_preemption;
	__u32 physical_adapters;
	__u32 pad;
};

/* 1: user-mode queues can be created on this node (S3-4) */
#define DRM_RINGFENCE_NODE_USER_MODE_SUBMISSION (1u << 0)
/* 1: packets of an engine (COPY, FILL, VECTOR) end as an unknown opcode on this node */
#define DRM_RINGFENCE_NODE_NO_ENGINE (1u << 1)

/**
 * struct drm_ringfence_node_info - DRM_RINGFENCE_QUERY_NODE
 * @flags: DRM_RINGFENCE_NODE_*
 * @pad: 0
 */
struct drm_ringfence_node_info {
	__u32 flags;
	__u32 pad;
};

enum drm_ringfence_query_type {
	DRM_RINGFENCE_QUERY_ADAPTER = 0, /* struct drm_ringfence_adapter_info */
	DRM_RINGFENCE_QUERY_NODE = 1, /* struct drm_ringfence_node_info */
};

/**
 * struct drm_ringfence_query - information about the device
 * @type: in: enum drm_ringfence_query_type
 * @index: in: QUERY_NODE: node ordinal; else 0
 * @size: in/out: bytes at @pointer; receives the size of the driver's structure
 * @pad: 0
 * @pointer: in: buffer, filled up to the smaller of both sizes, the rest zeroed;
 *           0 returns the size only
 *
 * Errors: -EINVAL unknown type or node.
 */
struct drm_ringfence_query {
	__u32 type;
	__u32 index;
	__u32 size;
	__u32 pad;
	__u64 pointer;
};

/* --- memory --------------------------------------------------------------------- */

/* in the device's local memory; otherwise system memory */
#define DRM_RINGFENCE_MEMORY_LOCAL (1u << 0)

/**
 * struct drm_ringfence_memory_create - memory for the device and the CPU
 * @bytes: in: size, not 0; out: rounded up to pages of 4096
 * @flags: in: DRM_RINGFENCE_MEMORY_*
 * @handle: out
 * @gpu_address: out: page aligned
 * @mmap_offset: out: read and write
 * @linked: in: 0, or memory of the same size of the linked process (DRM_RINGFENCE_LINK): the new
 *          memory gets the same address, for commands that both devices execute
 * @pad: 0
 *
 * The contents are zero. Errors: -ENOMEM; -EOPNOTSUPP no memory of that kind; -ENOSPC the
 * file's limit of allocations is reached; -EDQUOT the user's limit of allocations or bytes is;
 * with @linked -EINVAL another size, -EADDRINUSE this process has something else at that address,
 * -ENOLINK there is no linked process.
 */
struct drm_ringfence_memory_create {
	__u64 bytes;
	__u32 flags;
	__u32 handle;
	__u64 gpu_address;
	__u64 mmap_offset;
	__u32 linked;
	__u32 pad;
};

/**
 * struct drm_ringfence_memory_destroy - free memory
 * @handle: in
 * @pad: 0
 *
 * The handle becomes invalid at once. GPU mapping and memory are kept while a doorbell uses
 * them (S3-24), CPU mappings until they are unmapped.
 */
struct drm_ringfence_memory_destroy {
	__u32 handle;
	__u32 pad;
};

/* --- fences --------------------------------------------------------------------- */

enum drm_ringfence_fence_type {
	/* CPU and GPU may wait and signal */
	DRM_RINGFENCE_FENCE_DEFAULT = 0,
	/* engines only: no CPU mapping, wait or signal; a queue signals the first value */
	DRM_RINGFENCE_FENCE_INTRA_GPU = 1,
	/*
	 * D3DDDI_MONITORED_FENCE: no MonitoredValue, each signal by an engine interrupts.
	 * For kernel-mode queues, where the kernel does the waits, and for adapters without
	 * native fences
	 */
	DRM_RINGFENCE_FENCE_MONITORED = 2,
};

/* may be opened by other processes; its values are on pages without others (S0-27) */
#define DRM_RINGFENCE_FENCE_SHARED (1u << 0)
/* DEFAULT: keep MonitoredValue in system memory where the driver would choose local */
#define DRM_RINGFENCE_FENCE_MONITORED_SYSTEM (1u << 1)
/* not INTRA_GPU: through this handle the process may not signal, nor its engines store
 * to the value (-EACCES, A-12) */
#define DRM_RINGFENCE_FENCE_NO_SIGNAL (1u << 2)
/* not INTRA_GPU, not with NO_SIGNAL: through this handle the process may not wait */
#define DRM_RINGFENCE_FENCE_NO_WAIT (1u << 3)
/* MONITORED: no GPU address; signalled and waited for by requests only */
#define DRM_RINGFENCE_FENCE_NO_GPU_ACCESS (1u << 4)
/*
 * keep the value when a process that could signal the fence is lost to a hang; without this
 * flag the fence then gets its greatest value permanently, so that every wait ends
 */
#define DRM_RINGFENCE_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR (1u << 5)
/*
 * not INTRA_GPU (S0-75): processes on other adapters of the driver may open it, too; implies SHARED.
 * There it is DEFAULT if the adapter has native fences, else MONITORED (S0-84, S0-85). MONITORED: as
 * with NO_GPU_ACCESS. Unless the devices notify each other, a signal by an engine interrupts each time,
 * except one with the value 0 (C10)
 */
#define DRM_RINGFENCE_FENCE_CROSS_ADAPTER (1u << 6)

/**
 * struct drm_ringfence_fence_mapping - D3DDDI_NATIVEFENCEMAPPING
 * @current_value_mmap_offset: page with CurrentValue, read only (S0-2); 0 for
 *                             INTRA_GPU. Fences may share a page and its offset
 * @current_value_page_offset: offset of CurrentValue in that page, 8-byte aligned
 * @current_value_gpu_address: read and write for engines, with NO_SIGNAL read only; 0
 *                             with NO_GPU_ACCESS
 * @monitored_value_gpu_address: read only for engines; user mode has no CPU
 *                               mapping of it (S0-7). MONITORED: the word there is
 *                               always 0, so that each signal interrupts; 0 with
 *                               NO_GPU_ACCESS
 */
struct drm_ringfence_fence_mapping {
	__u64 current_value_mmap_offset;
	__u64 current_value_page_offset;
	__u64 current_value_gpu_address;
	__u64 monitored_value_gpu_address;
};

/**
 * struct drm_ringfence_fence_create - D3DKMTCreateNativeFence, for MONITORED
 *                                     D3DKMTCreateSynchronizationObject2
 * @type: in: enum drm_ringfence_fence_type
 * @flags: in: DRM_RINGFENCE_FENCE_*; none for INTRA_GPU but SHARED
 * @initial_value: in: any 64-bit value; 0 for INTRA_GPU
 * @handle: out
 * @pad: 0
 * @share_token: out: unguessable number with which another process opens a
 *               shared fence while any instance of it exists; 0 if not shared
 * @mapping: out
 *
 * Errors: -EOPNOTSUPP native fences, or this type, are not enabled; -ENOSPC the
 * file's limit of fence handles is reached; -EDQUOT the user's limit of fences is: a fence counts
 * for the user who created it, for as long as it exists.
 */
struct drm_ringfence_fence_create {
	__u32 type;
	__u32 flags;
	__u64 initial_value;
	__u32 handle;
	__u32 pad;
	__u64 share_token;
	struct drm_ringfence_fence_mapping mapping;
};

/**
 * struct drm_ringfence_fence_open - D3DKMTOpenNativeFenceFromNtHandle
 * @share_token: in
 * @flags: in: DRM_RINGFENCE_FENCE_NO_SIGNAL or NO_WAIT, for this handle, or 0
 * @handle: out: a separate handle, also in the process that created the fence
 * @type: out: enum drm_ringfence_fence_type, as which it is open on this adapter
 * @pad: 0
 * @mapping: out: new addresses in another process, the same ones in the same process
 *
 * Errors: -ENOENT no such shared fence, or it is one of another adapter and was made without
 * DRM_RINGFENCE_FENCE_CROSS_ADAPTER; -EDQUOT the user's limit of fences, on this adapter; -ENOSPC
 * the file's limit of handles is reached.
 */
struct drm_ringfence_fence_open {
	__u64 share_token;
	__u32 flags;
	__u32 handle;
	__u32 type;
	__u32 pad;
	struct drm_ringfence_fence_mapping mapping;
};

/**
 * struct drm_ringfence_fence_destroy - D3DKMTDestroySynchronizationObject
 * @handle: in
 * @pad: 0
 *
 * Pending waits of this process on this fence end with -ECANCELED; other instances are not
 * affected. A queue's progress fence is destroyed with its queue only (-EBUSY).
 */
struct drm_ringfence_fence_destroy {
	__u32 handle;
	__u32 pad;
};

/**
 * struct drm_ringfence_fence_value - one element of a signal or wait
 * @handle: in
 * @pad: 0
 * @value: in
 */
struct drm_ringfence_fence_value {
	__u32 handle;
	__u32 pad;
	__u64 value;
};

/**
 * struct drm_ringfence_fence_signal - D3DKMTSignalSynchronizationObjectFromCpu
 * @fences: in: 1 .. 32 struct drm_ringfence_fence_value
 * @flags: in: 0
 * @pad: 0
 *
 * On return every CurrentValue is stored, satisfied CPU waiters are woken, and the device
 * checks its waiting queues. A value below the current one is stored too (C25). Nothing is
 * signalled on error.
 * Errors: -EINVAL count; -EOPNOTSUPP INTRA_GPU; -EACCES a progress fence, or NO_SIGNAL.
 */
struct drm_ringfence_fence_signal {
	struct drm_ringfence_array fences;
	__u32 flags;
	__u32 pad;
};

/* satisfied when one fence has reached its value; otherwise when all have */
#define DRM_RINGFENCE_WAIT_ANY (1u << 0)

/* usual debug time-out, in ns */
#define DRM_RINGFENCE_DEBUG_TIMEOUT 500000000ull

/**
 * struct drm_ringfence_fence_wait - D3DKMTWaitForSynchronizationObjectFromCpu
 * @fences: in: 1 .. 32 struct drm_ringfence_fence_value; the same fence may
 *          be listed more than once
 * @deadline: in: blocking form only, else 0; one in the past checks without waiting
 * @flags: in: DRM_RINGFENCE_WAIT_*
 * @event: in: 0: block; otherwise an event, and the request returns at once
 * @debug_timeout: in: blocking form only, else 0: ns after which the wait returns -ETIME
 *                 and the driver logs the states of the file's own fences and queues (at
 *                 most some tens, at a limited rate); 0: none. No value changes (C6a)
 *
 * A fence has reached a value when its CurrentValue is greater or equal,
 * unsigned, at any time since the request began; without WAIT_ANY each fence separately.
 * The event form sets the event when the wait is satisfied, also if it already is. It has no
 * deadline, and ends with the event.
 * Errors: -EINVAL count; -ETIMEDOUT; -ETIME; -ECANCELED a fence was destroyed meanwhile;
 * -EOPNOTSUPP INTRA_GPU; -EACCES NO_WAIT; -EIO the queue of a progress fence is lost,
 * and the value is not reached; -EINTR; event form: -ENOSPC, -EDQUOT the file's, or the
 * user's, limit of such waits is reached.
 */
struct drm_ringfence_fence_wait {
	struct drm_ringfence_array fences;
	__u64 deadline;
	__u32 flags;
	__u32 event;
	__u64 debug_timeout;
};

/**
 * struct drm_ringfence_event_create - create an event, not set
 * @flags: in: 0
 * @handle: out
 *
 * Errors: -ENOSPC, -EDQUOT.
 */
struct drm_ringfence_event_create {
	__u32 flags;
	__u32 handle;
};

/**
 * struct drm_ringfence_event_destroy - end an event and the waits that would set it
 * @handle: in
 * @pad: 0
 *
 * Threads in event_wait return -ECANCELED.
 */
struct drm_ringfence_event_destroy {
	__u32 handle;
	__u32 pad;
};

/**
 * struct drm_ringfence_event_wait - block until the event is set, and clear it
 * @handle: in
 * @flags: in: 0
 * @deadline: in
 *
 * Each setting releases one thread; several settings before a wait count as one.
 * Errors: -ETIMEDOUT; -ECANCELED the event was destroyed, or (returned once) a fence of a wait
 * that would have set it; -EINTR. -ENODEV is returned to each thread, every time.
 */
struct drm_ringfence_event_wait {
	__u32 handle;
	__u32 flags;
	__u64 deadline;
};

/* --- queues --------------------------------------------------------------------- */

/**
 * struct drm_ringfence_log_detail - D3DDDI_NATIVEFENCELOGDETAIL
 * @wait_log_number_of_entries: entries of the wait log, when the queue is created
 * @signal_log_number_of_entries: entries of the signal log, likewise
 * @wait_log_gpu_address: of the log's header
 * @signal_log_gpu_address: of the log's header
 *
 * User mode programs log indices into its packets; it has no CPU mapping (S0-105).
 */
struct drm_ringfence_log_detail {
	__u32 wait_log_number_of_entries;
	__u32 signal_log_number_of_entries;
	__u64 wait_log_gpu_address;
	__u64 signal_log_gpu_address;
};

/* the highest band without CAP_SYS_NICE, and the band of a queue without a context: a node runs
 * nothing of a lower band while a higher one has work */
#define DRM_RINGFENCE_PRIORITY_NORMAL 0u

/**
 * struct drm_ringfence_context_create - D3DKMTCreateContextVirtual
 * @node: in: node of its queues
 * @priority: in: band of its queues, 0 .. 15, higher first; a node runs nothing of a lower
 *            band while a higher one has work
 * @flags: in: 0
 * @handle: out
 *
 * Queues of a context are suspended and resumed together. Errors: -EINVAL no such node
 * or band; -EACCES a band above DRM_RINGFENCE_PRIORITY_NORMAL without CAP_SYS_NICE; -ENOSPC,
 * -EDQUOT.
 */
struct drm_ringfence_context_create {
	__u32 node;
	__u32 priority;
	__u32 flags;
	__u32 handle;
};

/**
 * struct drm_ringfence_context_destroy - D3DKMTDestroyContext
 * @handle: in
 * @pad: 0
 *
 * Errors: -EBUSY it has queues.
 */
struct drm_ringfence_context_destroy {
	__u32 handle;
	__u32 pad;
};

/* user mode rings a doorbell; otherwise the kernel submits (S3-2) */
#define DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION (1u << 0)
/*
 * the kernel submits, and schedules each packet: the packet model. Packets of a context of
 * a higher priority preempt those of a lower one on the node (S4-4)
 */
#define DRM_RINGFENCE_QUEUE_PACKETS (1u << 1)

/**
 * struct drm_ringfence_queue_create - D3DKMTCreateHwQueue, with the flag
 *                                     D3DKMTCreateHwQueueForUserModeSubmission
 * @node: in: node ordinal
 * @flags: in: DRM_RINGFENCE_QUEUE_*
 * @handle: out
 * @progress_fence: out: handle of the queue's progress fence (S3-47): any thread
 *                  of the process may wait for it, only the queue signals it
 * @progress_mapping: out
 * @last_queued_mmap_offset: out: page, read and write, whose first 64-bit word is
 *                           the last queued progress value (S3-48), 0 at first, and
 *                           whose second is the number of entries of each of its logs:
 *                           it grows when the kernel begins to trace them (S0-119);
 *                           whose third is the GPU address of the signal log's header,
 *                           to be read after the second: it changes then, and the old
 *                           buffer stays mapped; kernel-mode queue: 0
 * @log: out: kernel-mode queue: 0, it has none (S0-101)
 * @context: in: context of the same node; 0: a new one of band
 *           DRM_RINGFENCE_PRIORITY_NORMAL
 * @pad: 0
 *
 * A user-mode queue gets work by its doorbell only (S3-7), a kernel-mode queue by
 * DRM_RINGFENCE_QUEUE_SUBMIT only (S3-8). Errors: -EOPNOTSUPP the node takes no
 * user-mode queues; -EINVAL no such node, or the context is of another; -ENOENT no such
 * context; -EACCES the node is the kernel's own, for paging; -EBUSY with
 * DRM_RINGFENCE_QUEUE_PACKETS: no slot is left for the node; -ENOSPC, -EDQUOT the
 * file's, or the user's, limit of queues, contexts or fences is reached.
 */
struct drm_ringfence_queue_create {
	__u32 node;
	__u32 flags;
	__u32 handle;
	__u32 progress_fence;
	struct drm_ringfence_fence_mapping progress_mapping;
	__u64 last_queued_mmap_offset;
	struct drm_ringfence_log_detail log;
	__u32 context;
	__u32 pad;
};

/**
 * struct drm_ringfence_queue_destroy - end a queue, its doorbell and progress fence
 * @handle: in
 * @flags: in, DRM_RINGFENCE_QUEUE_DESTROY_*
 * @deadline: in, with FINISH: absolute time in ns; else 0
 *
 * Does not wait; unfinished work is dropped. With FINISH the doorbell is disconnected, and the
 * request waits for the work that was queued by then (last_queued) before it destroys the queue;
 * -ETIMEDOUT and -EIO (the queue is lost) leave the queue unchanged.
 */
struct drm_ringfence_queue_destroy {
	__u32 handle;
	__u32 flags;
	__u64 deadline;
};

/* wait for queued work first */
#define DRM_RINGFENCE_QUEUE_DESTROY_FINISH (1u << 0)

/**
 * struct drm_ringfence_queue_status - progress and errors of a queue
 * @handle: in
 * @error: out: 0, or enum rf_queue_error of ringfence_hw.h: the queue is lost
 * @error_address: out: GPU address of the failing access or packet
 * @last_queued: out: value of the last-queued word; kernel-mode queue: the
 *               progress value of the last submission
 * @completed: out: value of the progress fence; work is pending exactly while
 *             @last_queued is greater (S3-51)
 * @trapped: out: 1: the queue is stopped at a TRAP packet, until DRM_RINGFENCE_QUEUE_RESUME
 * @pad: 0
 * @trap_code: out: of that packet
 */
struct drm_ringfence_queue_status {
	__u32 handle;
	__u32 error;
	__u64 error_address;
	__u64 last_queued;
	__u64 completed;
	__u32 trapped;
	__u32 pad;
	__u64 trap_code;
};

/**
 * struct drm_ringfence_queue_resume - continue a queue that is stopped at a TRAP packet
 * @handle: in
 * @flags: in: 0
 *
 * Errors: -EINVAL it is not stopped at one; -EIO the queue is lost.
 */
struct drm_ringfence_queue_resume {
	__u32 handle;
	__u32 flags;
};

/**
 * struct drm_ringfence_queue_notify - D3DKMTNotifyWorkSubmission
 * @handle: in: queue
 * @flags: in: 0
 *
 * Required after each ring with status CONNECTED_NOTIFY_KMD (S3-20); the driver gets exactly
 * one notification per request. Errors: -EINVAL also for an unknown queue
 * (A-15); -EOPNOTSUPP a kernel-mode queue.
 */
struct drm_ringfence_queue_notify {
	__u32 handle;
	__u32 flags;
};

/* presentation, which only the kernel submits (S3-3) */
#define DRM_RINGFENCE_SUBMIT_PRESENT (1u << 0)

/**
 * struct drm_ringfence_queue_submit - D3DKMTSubmitCommandToHwQueue
 * @queue: in: a kernel-mode queue
 * @flags: in: DRM_RINGFENCE_SUBMIT_*
 * @memory: in: memory that holds the command buffer
 * @size: in: bytes of it, a multiple of 8; 0: only make progress
 * @offset: in: of the command buffer in its memory, a multiple of 8
 * @progress_value: out: value of the progress fence when all work of the buffer is
 *                  performed; increases by one with each submission
 *
 * The kernel appends the PROGRESS packet. The memory's handle may be destroyed at once; its
 * contents must not change before the buffer is complete.
 * Errors: -EOPNOTSUPP a user-mode queue; -EINVAL outside the memory or misaligned;
 * -EAGAIN too many packets of this queue, file or user are pending; -EIO the queue is lost.
 */
struct drm_ringfence_queue_submit {
	__u32 queue;
	__u32 flags;
	__u32 memory;
	__u32 size;
	__u64 offset;
	__u64 progress_value;
};

/**
 * struct drm_ringfence_patch_location - D3DDDI_PATCHLOCATIONLIST: an address in commands
 * @allocation: index in the list of allocations, from 1; 0: none, the slot is unbound
 * @slot: binding point of the device for the address, less than
 *        DRM_RINGFENCE_PATCH_SLOTS
 * @patch_offset: of the address in the commands, bytes, multiple of 8
 * @pad: 0
 * @allocation_offset: added to the allocation's address
 */
struct drm_ringfence_patch_location {
	__u32 allocation;
	__u32 slot;
	__u32 patch_offset;
	__u32 pad;
	__u64 allocation_offset;
};

/* most slots, allocations and patches of one drm_ringfence_queue_render */
#define DRM_RINGFENCE_PATCH_SLOTS 32u
#define DRM_RINGFENCE_RENDER_ALLOCATIONS 64u
#define DRM_RINGFENCE_RENDER_PATCHES 512u

/**
 * struct drm_ringfence_queue_render - D3DKMTRender: commands from which the driver builds
 *                                     DMA buffers, as many as needed
 * @queue: in: with DRM_RINGFENCE_QUEUE_PACKETS
 * @flags: in: 0
 * @memory: in: memory of the process that holds the commands; they are copied
 * @size: in: of the commands, bytes, multiple of 8
 * @offset: in: of the commands in @memory, multiple of 8
 * @allocations: in: handles of memory, elements of 32 bits
 * @patches: in: struct drm_ringfence_patch_location, by offset
 * @progress_value: out: value of the progress fence when all of it is complete
 * @linked_queue: in: 0, or a queue of the linked process (DRM_RINGFENCE_LINK), on the same node,
 *                that gets the same DMA buffers (BroadcastContext)
 * @pad: 0
 * @linked_progress_value: out: with @linked_queue: as @progress_value, of that queue; else 0
 *
 * Packets of other queues may run between the DMA buffers (S4-22). With @linked_queue the DMA buffers
 * are built once, and no driver changes them (S4-24); each adapter splits, preempts and resubmits
 * them by itself. Either queue gets all of them, or none; but if @queue, or its adapter, is lost
 * or destroyed while the request is carried out, then the linked queue may have them although the
 * request fails: its last_queued value says so. If the driver patches
 * addresses, they come from @patches; otherwise the commands contain them. Errors:
 * -EOPNOTSUPP the queue is of another kind; -ENOENT a handle; -EINVAL invalid commands or
 * lists, or lists that leave a slot bound from one DMA buffer to the next
 * (S4-20); -EAGAIN too many packets are waiting, of either queue; -EIO a queue is lost; -ENOLINK
 * there is no linked process, or its adapter is lost; with @linked_queue also -EOPNOTSUPP a device
 * reaches no host memory, and -EINVAL the queues are on different nodes.
 */
struct drm_ringfence_queue_render {
	__u32 queue;
	__u32 flags;
	__u32 memory;
	__u32 size;
	__u64 offset;
	struct drm_ringfence_array allocations;
	struct drm_ringfence_array patches;
	__u64 progress_value;
	__u32 linked_queue;
	__u32 pad;
	__u64 linked_progress_value;
};

/**
 * struct drm_ringfence_queue_wait - D3DKMTSubmitWaitForSyncObjectsToHwQueue
 * @queue: in: a kernel-mode queue
 * @flags: in: 0
 * @fences: in: 1 .. 32 struct drm_ringfence_fence_value
 *
 * Returns at once (S1-22). Later submissions to the queue do not begin before every fence has
 * reached its value, each separately and at any time since this request. Earlier submissions are
 * not held. A destroyed fence, or the progress fence of a lost queue, no longer holds the queue.
 * Errors: -EOPNOTSUPP a user-mode queue, or INTRA_GPU; -EACCES NO_WAIT; -EAGAIN and -EIO
 * as of queue_submit.
 */
struct drm_ringfence_queue_wait {
	__u32 queue;
	__u32 flags;
	struct drm_ringfence_array fences;
};

/**
 * struct drm_ringfence_queue_signal - D3DKMTSubmitSignalSyncObjectsToHwQueue
 * @queue: in: a kernel-mode queue
 * @flags: in: 0
 * @fences: in: 1 .. 32 struct drm_ringfence_fence_value
 *
 * The kernel signals in the queue's order: when everything before is complete, and
 * before anything later begins (S1-16). If the handle is destroyed meanwhile, the signal still
 * reaches other processes that share the fence.
 * Errors: -EOPNOTSUPP a user-mode queue, or INTRA_GPU; -EACCES a progress fence, or
 * NO_SIGNAL; -EAGAIN and -EIO as of queue_submit.
 */
struct drm_ringfence_queue_signal {
	__u32 queue;
	__u32 flags;
	struct drm_ringfence_array fences;
};

/* --- linked adapters -------------------------------------------------------------- */

/**
 * struct drm_ringfence_link - link the process with one on another adapter
 * @token: in: 0, or the token of the other process; out: with 0: the token of this process, an
 *         unguessable number, until it is used
 * @flags: in: 0
 * @pad: 0
 *
 * Then each of the two processes may broadcast commands to queues of the other one, and create memory
 * at the addresses of the other one's: a process that gives its token away lets the other one submit
 * work to its queues. The adapters are linked with each other from their first such pair of processes
 * on, as long as both are there. A process is linked with one other, and an adapter with one other.
 * The link of the processes ends when one of them closes its file, or one of the devices is lost; what
 * was submitted to the other device goes on.
 *
 * Errors: -EOPNOTSUPP the adapters are of different kinds, their drivers patch DMA buffers, or this
 * kernel does not link adapters; -ENOENT no process has this token; -EINVAL it is on the same
 * adapter; -EBUSY a process or an adapter is linked already.
 */
struct drm_ringfence_link {
	__u64 token;
	__u32 flags;
	__u32 pad;
};

/* --- doorbells ------------------------------------------------------------------ */

/* values of the status word, D3DDDI_DOORBELLSTATUS */
enum drm_ringfence_doorbell_status {
	/* a ring submits */
	DRM_RINGFENCE_DOORBELL_CONNECTED = 0,
	/* a ring submits, and must be followed by DRM_RINGFENCE_QUEUE_NOTIFY */
	DRM_RINGFENCE_DOORBELL_CONNECTED_NOTIFY = 1,
	/* a ring has no effect: connect, and ring again */
	DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY = 2,
	/* the queue is lost */
	DRM_RINGFENCE_DOORBELL_DISCONNECTED_ABORT = 3,
};

/**
 * struct drm_ringfence_doorbell_create - D3DKMTCreateDoorbell
 * @queue: in: a queue without a doorbell
 * @flags: in: 0
 * @ring_memory: in: memory that holds the ring
 * @ring_control_memory: in: memory that holds the write-pointer record
 * @ring_offset: in: of the ring in its memory, multiple of 16. The ring crosses no multiple
 *               of 64 KiB in GPU addresses; at the start of memory below 2 MiB none does
 * @ring_control_offset: in: of the 64-bit write pointer, multiple of 8
 * @ring_entries: in: power of two, 1 .. ring_entries_max
 * @handle: out
 * @doorbell_mmap_offset: out: page, write only; a doorbell of doorbell_bytes at
 *                        its start. Stores to it never fault, in any state
 * @status_mmap_offset: out: page, read only; its first 64-bit word is an enum
 *                      drm_ringfence_doorbell_status, written by the driver only
 *
 * Created disconnected, with status RETRY, on a dummy page (S3-14). Both addresses are constant
 * for the doorbell's life. The ring's entries are struct rf_ring_entry.
 * Errors: -EINVAL outside the memory, misaligned or across 64 KiB; -EBUSY the queue has
 * one; -EOPNOTSUPP a kernel-mode queue (S3-8); -ENOSPC, -EDQUOT.
 */
struct drm_ringfence_doorbell_create {
	__u32 queue;
	__u32 flags;
	__u32 ring_memory;
	__u32 ring_control_memory;
	__u64 ring_offset;
	__u64 ring_control_offset;
	__u32 ring_entries;
	__u32 handle;
	__u64 doorbell_mmap_offset;
	__u64 status_mmap_offset;
};

/**
 * struct drm_ringfence_doorbell_connect - D3DKMTConnectDoorbell
 * @handle: in
 * @flags: in: 0
 * @token: out: bits to OR into every write pointer stored to the doorbell
 *
 * Connecting a connected doorbell changes nothing. Another queue's doorbell may be disconnected
 * for it. After the request, and after every ring, user mode must execute a full barrier and read
 * the status word; RETRY: connect and ring the same write pointer again. Errors: -EIO the queue is
 * lost; its status is ABORT permanently.
 */
struct drm_ringfence_doorbell_connect {
	__u32 handle;
	__u32 flags;
	__u64 token;
};

/**
 * struct drm_ringfence_doorbell_destroy - D3DKMTDestroyDoorbell
 * @handle: in
 * @pad: 0
 *
 * Ring and control memory are kept (S3-23).
 */
struct drm_ringfence_doorbell_destroy {
	__u32 handle;
	__u32 pad;
};

/* --- other fences of Linux -------------------------------------------------------- */

/*
 * Requests of the kernel module only. An exported value is a dma_fence: its work must already be
 * queued, and it always signals within five of the driver's TDR delays (10 s; module parameter
 * tdr_ms) after it was created. If the value has not come by then, whatever the queue does or waits
 * for, the queue is lost and the dma_fence ends with -EIO. So export a value whose work completes
 * soon. For a value that is submitted later use an eventfd, or a syncobj point that is exported
 * later and can be waited for in advance (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT).
 */

/* use a sync_file; otherwise a point of a syncobj */
#define DRM_RINGFENCE_SYNC_FILE (1u << 0)

/**
 * struct drm_ringfence_fence_export - create a dma_fence for a value
 * @fence: in: progress fence of a queue
 * @flags: in: DRM_RINGFENCE_SYNC_FILE or 0
 * @value: in: at most the queue's last queued value
 * @syncobj: in: handle; SYNC_FILE: 0
 * @fd: in: 0; out: SYNC_FILE: the sync_file
 * @point: in: of a timeline syncobj; 0: of a binary one, whose fence is replaced
 *
 * The dma_fence ends with an error if the value does not come in time or the queue is lost
 * (-EIO), if the queue is destroyed (-ECANCELED) or the device is gone (-ENODEV). It counts as a
 * wait until it ends. Errors: -EINVAL no progress fence of a queue, or value not queued yet; -EIO
 * the queue is lost; -EMFILE; -ENOSPC, -EDQUOT.
 */
struct drm_ringfence_fence_export {
	__u32 fence;
	__u32 flags;
	__u64 value;
	__u32 syncobj;
	__s32 fd;
	__u64 point;
};

/**
 * struct drm_ringfence_fence_import - have a dma_fence signal a value
 * @fence: in: a fence that the process may signal
 * @flags: in: DRM_RINGFENCE_SYNC_FILE or 0
 * @value: in
 * @syncobj: in: handle; SYNC_FILE: 0
 * @fd: in: SYNC_FILE: the sync_file; else 0
 * @point: in: of a timeline syncobj; 0: of a binary one
 *
 * Returns at once. The value is signalled when the dma_fence is, also with an error; queues and
 * threads can wait for it as usual. The import ends with the file at the latest, and counts as a
 * wait until it ends. Errors: those of fence_signal; -EINVAL the syncobj has no fence there yet,
 * or @fd is no sync_file; -ENOSPC, -EDQUOT.
 */
struct drm_ringfence_fence_import {
	__u32 fence;
	__u32 flags;
	__u64 value;
	__u32 syncobj;
	__s32 fd;
	__u64 point;
};

/**
 * struct drm_ringfence_fence_eventfd - signal an eventfd at a value
 * @fence: in
 * @fd: in: the eventfd
 * @value: in: may be submitted later
 *
 * The eventfd's counter is incremented when the value is reached, at once if it already is, or
 * when it can no longer be reached; until then it counts as a wait. Errors: those of fence_wait
 * with an event; -EBADF, -EINVAL no eventfd.
 */
struct drm_ringfence_fence_eventfd {
	__u32 fence;
	__s32 fd;
	__u64 value;
};

/**
 * struct drm_ringfence_fence_to_fd - share a fence by a file descriptor
 * @fence: in: a fence that was created with DRM_RINGFENCE_FENCE_SHARED
 * @flags: in: DRM_RINGFENCE_FENCE_NO_SIGNAL or NO_WAIT: rights that receivers do not get; or 0
 * @fd: out: close-on-exec
 * @pad: 0
 *
 * The descriptor is passed on like any other, by a socket or to a child; every process that has it
 * may open the fence. Restrictions of @fence apply too, so no process passes on more rights than it
 * has. The fence and its value exist at least as long as the descriptor, also without any handle.
 * The descriptor cannot be read, mapped or waited for.
 * Errors: -EINVAL the fence is not shared, or no right would remain; -EMFILE.
 */
struct drm_ringfence_fence_to_fd {
	__u32 fence;
	__u32 flags;
	__s32 fd;
	__u32 pad;
};

/**
 * struct drm_ringfence_fence_from_fd - open the fence of a file descriptor
 * @fd: in: it stays open
 * @flags: in: DRM_RINGFENCE_FENCE_NO_SIGNAL or NO_WAIT, for this handle, or 0; out: with
 *         those of the descriptor added
 * @handle: out: a separate handle, also in the process that created the fence
 * @type: out: enum drm_ringfence_fence_type
 * @mapping: out: with NO_SIGNAL engines of the process may not store to the value
 *
 * Errors: -EBADF; -EINVAL no fence of this driver, one of another device that was created without
 * DRM_RINGFENCE_FENCE_CROSS_ADAPTER, or no right would remain; -ENOSPC the file's limit of fence
 * handles is reached; -EDQUOT the user's limit of fences, on this adapter; -ENODEV the device that
 * the descriptor was created on was reset or removed since.
 */
struct drm_ringfence_fence_from_fd {
	__s32 fd;
	__u32 flags;
	__u32 handle;
	__u32 type;
	struct drm_ringfence_fence_mapping mapping;
};

/* --- request numbers ------------------------------------------------------------ */

enum drm_ringfence_request {
	DRM_RINGFENCE_QUERY = 0x00,
	DRM_RINGFENCE_MEMORY_CREATE,
	DRM_RINGFENCE_MEMORY_DESTROY,
	DRM_RINGFENCE_FENCE_CREATE,
	DRM_RINGFENCE_FENCE_OPEN,
	DRM_RINGFENCE_FENCE_DESTROY,
	DRM_RINGFENCE_FENCE_SIGNAL,
	DRM_RINGFENCE_FENCE_WAIT,
	DRM_RINGFENCE_EVENT_CREATE,
	DRM_RINGFENCE_EVENT_DESTROY,
	DRM_RINGFENCE_EVENT_WAIT,
	DRM_RINGFENCE_QUEUE_CREATE,
	DRM_RINGFENCE_QUEUE_DESTROY,
	DRM_RINGFENCE_QUEUE_STATUS,
	DRM_RINGFENCE_QUEUE_NOTIFY,
	DRM_RINGFENCE_DOORBELL_CREATE,
	DRM_RINGFENCE_DOORBELL_CONNECT,
	DRM_RINGFENCE_DOORBELL_DESTROY,
	DRM_RINGFENCE_QUEUE_SUBMIT,
	DRM_RINGFENCE_QUEUE_WAIT,
	DRM_RINGFENCE_QUEUE_SIGNAL,
	DRM_RINGFENCE_QUEUE_RESUME,
	DRM_RINGFENCE_CONTEXT_CREATE,
	DRM_RINGFENCE_CONTEXT_DESTROY,
	DRM_RINGFENCE_QUEUE_RENDER,
	DRM_RINGFENCE_LINK,
	DRM_RINGFENCE_REQUESTS, /* how many */

	/* of the kernel module only */
	DRM_RINGFENCE_FENCE_EXPORT = 0x50,
	DRM_RINGFENCE_FENCE_IMPORT,
	DRM_RINGFENCE_FENCE_EVENTFD,
	DRM_RINGFENCE_FENCE_TO_FD,
	DRM_RINGFENCE_FENCE_FROM_FD,
};

/* DRM_IOWR(DRM_COMMAND_BASE + request, type), without the need for libdrm's headers */
#define DRM_RINGFENCE_IOWR(request, type) _IOWR('d', 0x40 + (request), type)

#define DRM_IOCTL_RINGFENCE_QUERY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUERY, struct drm_ringfence_query)
#define DRM_IOCTL_RINGFENCE_MEMORY_CREATE \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_MEMORY_CREATE, struct drm_ringfence_memory_create)
#define DRM_IOCTL_RINGFENCE_MEMORY_DESTROY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_MEMORY_DESTROY, struct drm_ringfence_memory_destroy)
#define DRM_IOCTL_RINGFENCE_FENCE_CREATE \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_CREATE, struct drm_ringfence_fence_create)
#define DRM_IOCTL_RINGFENCE_FENCE_OPEN \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_OPEN, struct drm_ringfence_fence_open)
#define DRM_IOCTL_RINGFENCE_FENCE_DESTROY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_DESTROY, struct drm_ringfence_fence_destroy)
#define DRM_IOCTL_RINGFENCE_FENCE_SIGNAL \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_SIGNAL, struct drm_ringfence_fence_signal)
#define DRM_IOCTL_RINGFENCE_FENCE_WAIT \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_WAIT, struct drm_ringfence_fence_wait)
#define DRM_IOCTL_RINGFENCE_EVENT_CREATE \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_EVENT_CREATE, struct drm_ringfence_event_create)
#define DRM_IOCTL_RINGFENCE_EVENT_DESTROY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_EVENT_DESTROY, struct drm_ringfence_event_destroy)
#define DRM_IOCTL_RINGFENCE_EVENT_WAIT \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_EVENT_WAIT, struct drm_ringfence_event_wait)
#define DRM_IOCTL_RINGFENCE_QUEUE_CREATE \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_CREATE, struct drm_ringfence_queue_create)
#define DRM_IOCTL_RINGFENCE_QUEUE_DESTROY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_DESTROY, struct drm_ringfence_queue_destroy)
#define DRM_IOCTL_RINGFENCE_QUEUE_STATUS \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_STATUS, struct drm_ringfence_queue_status)
#define DRM_IOCTL_RINGFENCE_QUEUE_NOTIFY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_NOTIFY, struct drm_ringfence_queue_notify)
#define DRM_IOCTL_RINGFENCE_DOORBELL_CREATE \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_DOORBELL_CREATE, struct drm_ringfence_doorbell_create)
#define DRM_IOCTL_RINGFENCE_DOORBELL_CONNECT \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_DOORBELL_CONNECT, struct drm_ringfence_doorbell_connect)
#define DRM_IOCTL_RINGFENCE_DOORBELL_DESTROY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_DOORBELL_DESTROY, struct drm_ringfence_doorbell_destroy)
#define DRM_IOCTL_RINGFENCE_QUEUE_SUBMIT \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_SUBMIT, struct drm_ringfence_queue_submit)
#define DRM_IOCTL_RINGFENCE_QUEUE_WAIT \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_WAIT, struct drm_ringfence_queue_wait)
#define DRM_IOCTL_RINGFENCE_QUEUE_SIGNAL \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_SIGNAL, struct drm_ringfence_queue_signal)
#define DRM_IOCTL_RINGFENCE_QUEUE_RESUME \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_RESUME, struct drm_ringfence_queue_resume)
#define DRM_IOCTL_RINGFENCE_CONTEXT_CREATE \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_CONTEXT_CREATE, struct drm_ringfence_context_create)
#define DRM_IOCTL_RINGFENCE_CONTEXT_DESTROY \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_CONTEXT_DESTROY, struct drm_ringfence_context_destroy)
#define DRM_IOCTL_RINGFENCE_QUEUE_RENDER \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_QUEUE_RENDER, struct drm_ringfence_queue_render)
#define DRM_IOCTL_RINGFENCE_LINK DRM_RINGFENCE_IOWR(DRM_RINGFENCE_LINK, struct drm_ringfence_link)
#define DRM_IOCTL_RINGFENCE_FENCE_EXPORT \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_EXPORT, struct drm_ringfence_fence_export)
#define DRM_IOCTL_RINGFENCE_FENCE_IMPORT \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_IMPORT, struct drm_ringfence_fence_import)
#define DRM_IOCTL_RINGFENCE_FENCE_EVENTFD \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_EVENTFD, struct drm_ringfence_fence_eventfd)
#define DRM_IOCTL_RINGFENCE_FENCE_TO_FD \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_TO_FD, struct drm_ringfence_fence_to_fd)
#define DRM_IOCTL_RINGFENCE_FENCE_FROM_FD \
	DRM_RINGFENCE_IOWR(DRM_RINGFENCE_FENCE_FROM_FD, struct drm_ringfence_fence_from_fd)

#if defined(__cplusplus)
}
#endif

#endif /* RINGFENCE_DRM_H */
