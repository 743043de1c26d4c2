/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The device driver interface between the graphics kernel (kmd/core) and a
 * miniport (kmd/ddi for the device; a fake one in tests/kmd).
 *
 * Functions, structures and fields are those of WDDM 3.2 in C spelling and order
 * (DxgkDdiCreateNativeFence -> create_native_fence, hGlobalNativeFence ->
 * h_global_native_fence); NTSTATUS is 0 or a negative errno; a GPU virtual
 * address is a u64. Comments name everything that WDDM does
 * elsewhere or not at all. Unused flag bits are 0.
 *
 * Handles, C18: an object has a handle of the core and one of the miniport. A field marked
 * [in/out] passes the core's in and the miniport's out; later calls use the miniport's.
 * notify_interrupt uses the core's for fences and the miniport's for queues.
 *
 * Levels (rf_os.h): PASSIVE functions are called with the adapter's DDI mutex
 * held, one at a time, and may sleep. DISPATCH functions are called with a spinlock of the core
 * held, DEVICE functions with the device lock, which the interrupt service also
 * runs under: neither may sleep, both may overlap a PASSIVE function. A miniport protects state
 * that several levels share by locks of its own. It releases them before it calls back; only
 * notify_interrupt and queue_dpc may be called under them.
 */
#ifndef RF_DDI_H
#define RF_DDI_H

#include "rf_bus.h"

struct rf_writer;

/* --- features (S0-45..S0-48) -------------------------------------------------- */

/* DXGK_FEATURE_ID: category in 31:28 (0 driver, 1 OS), sub-id below */
enum rf_feature_id {
	RF_FEATURE_HWSCH = 0,
	RF_FEATURE_HWFLIPQUEUE = 1,
	RF_FEATURE_USER_MODE_SUBMISSION = 4,
	RF_FEATURE_NATIVE_FENCE = 37,
};

/* DXGK_ISFEATUREENABLED_RESULT */
struct rf_feature_result {
	u16 version; /* negotiated version, 0 if not enabled */
	bool enabled;
};

/* DXGKARGCB_FEATURE_NATIVEFENCE_CAPS_1 */
struct rf_feature_native_fence_caps_1 {
	bool support_optimized_default_fence_type;
	bool support_intra_gpu_fence_type;
};

/* DXGKCBINT_FEATURE_NATIVEFENCE_1 */
struct rf_feature_native_fence_1 {
	/* PASSIVE */
	int (*get_os_caps)(void *h_core, struct rf_feature_native_fence_caps_1 *caps);
};

/* --- adapter information ------------------------------------------------------ */

/* DXGKQUERYADAPTERINFOTYPE, with the structure of each answer */
enum rf_query_type {
	RF_QUERY_DRIVER_CAPS = 1, /* struct rf_driver_caps */
	RF_QUERY_NATIVE_FENCE_CAPS = 37, /* struct rf_native_fence_caps */
	RF_QUERY_USER_MODE_SUBMISSION_CAPS = 38, /* struct rf_user_mode_submission_caps */
	/* DxgkDdiGetNodeMetadata; struct rf_node_metadata, node_ordinal filled in */
	RF_QUERY_NODE_METADATA = 0x1000,
	/* DxgkDdiGetStandardAllocationDriverData of type FENCESTORAGE:
	 * struct rf_fence_storage, inputs filled in */
	RF_QUERY_FENCE_STORAGE = 0x1001,
};

/* DXGKARG_QUERYADAPTERINFO: @output is both input and output */
struct rf_query_adapter_info {
	enum rf_query_type type;
	void *output;
	size_t output_size; /* size of the structure */
};

/* DXGK_VIDSCHCAPS */
#define RF_VIDSCH_MULTI_ENGINE_AWARE (1u << 0)
#define RF_VIDSCH_PREEMPTION_AWARE (1u << 2)
#define RF_VIDSCH_NO_DMA_PATCHING (1u << 3)
#define RF_VIDSCH_CANCEL_COMMAND_AWARE (1u << 4)
#define RF_VIDSCH_NO_64_BIT_ATOMICS (1u << 5)
/* HwQueuePacketCap: packets that a node's hardware queue takes; 0: RF_PACKET_CAP_DEFAULT */
#define RF_VIDSCH_HW_QUEUE_PACKET_CAP_SHIFT 7
#define RF_VIDSCH_HW_QUEUE_PACKET_CAP_MASK (0xfu << RF_VIDSCH_HW_QUEUE_PACKET_CAP_SHIFT)
#define RF_PACKET_CAP_DEFAULT 2u
#define RF_VIDSCH_NATIVE_GPU_FENCE (1u << 11)
#define RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT (1u << 12)

/* D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY: how much of the running buffer still executes */
enum rf_graphics_preemption {
	RF_GRAPHICS_PREEMPTION_NONE = 0,
	RF_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY = 100,
	RF_GRAPHICS_PREEMPTION_PRIMITIVE_BOUNDARY = 200,
	RF_GRAPHICS_PREEMPTION_TRIANGLE_BOUNDARY = 300,
	RF_GRAPHICS_PREEMPTION_PIXEL_BOUNDARY = 400,
	RF_GRAPHICS_PREEMPTION_SHADER_BOUNDARY = 500,
};

/* D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY */
enum rf_compute_preemption {
	RF_COMPUTE_PREEMPTION_NONE = 0,
	RF_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY = 100,
	RF_COMPUTE_PREEMPTION_DISPATCH_BOUNDARY = 200,
	RF_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY = 300,
	RF_COMPUTE_PREEMPTION_THREAD_BOUNDARY = 400,
	RF_COMPUTE_PREEMPTION_SHADER_BOUNDARY = 500,
};

/* D3DKMDT_PREEMPTION_CAPS; where engines differ, the coarsest (S4-7) */
struct rf_preemption_caps {
	enum rf_graphics_preemption graphics_preemption_granularity;
	enum rf_compute_preemption compute_preemption_granularity;
};

/**
 * struct rf_driver_caps - DXGK_DRIVERCAPS, as far as used
 * @scheduling_caps: RF_VIDSCH_*
 * @preemption_caps: where running work can be stopped
 * @node_count: nodes, ordinals 0 .. node_count - 1
 * @paging_node: node for the kernel's paging, without user-mode queues
 * @process_count: most processes beside the system process at one time (address spaces; not in
 *                 WDDM)
 * @local_memory_bytes: size of local memory (segment size in WDDM)
 * @timestamp_frequency: ticks per second of log timestamps (in WDDM from
 *                       DxgkDdiCalibrateGpuClock)
 * @hw_queue_slots: hardware queues that may be resident at once, at least 1 (not in WDDM, where
 *                  this is internal to the driver)
 * @packet_node_slots: number of these that a node occupies while it has contexts of the packet
 *                     model, 0 or 1
 * @support_per_engine_tdr: all functions that reset an engine exist
 * @peer_targets: other devices that it can notify of a signal by itself; 0: none, and none of them
 *                notifies it (not in WDDM, as the next one)
 * @chain_uid: adapters with the same number may be linked (LINKED_DEVICE.ChainUid, which WDDM takes
 *             from DxgkDdiLinkDevice): each executes the DMA buffers that the driver of the other
 *             builds; 0: it cannot be linked
 * @peer_page: where other devices do so: offset of a page in BAR 0, which no doorbell has
 */
struct rf_driver_caps {
	u32 scheduling_caps;
	bool support_per_engine_tdr;
	struct rf_preemption_caps preemption_caps;
	u32 node_count;
	u32 paging_node;
	u32 process_count;
	u32 hw_queue_slots;
	u32 packet_node_slots;
	u64 local_memory_bytes;
	u64 timestamp_frequency;
	u32 peer_targets;
	u32 chain_uid;
	u64 peer_page;
};

/**
 * struct rf_native_fence_caps - DXGK_NATIVE_FENCE_CAPS
 * @monitored_value_stride: bytes between values of different fences in one page:
 *                          a power of two from 8 to 4096 (C23); for CV and MV
 * @map_to_gpu_system_process: values are mapped in the system process and
 *                             create_native_fence gets those addresses
 * @minimum_address: least GPU virtual address of a value, or 0
 * @maximum_address: greatest, or 0 for no limit
 */
struct rf_native_fence_caps {
	u32 monitored_value_stride;
	bool map_to_gpu_system_process;
	u64 minimum_address;
	u64 maximum_address;
};

/**
 * struct rf_user_mode_submission_caps - DXGK_USERMODESUBMISSION_CAPS
 * @flags: 0
 * @doorbell_size_in_bytes: of a dedicated doorbell
 * @doorbell_count: physical doorbells (not in WDDM; for information)
 */
struct rf_user_mode_submission_caps {
	u32 flags;
	u32 doorbell_size_in_bytes;
	u32 doorbell_count;
};

#define RF_NODE_RING_BUFFER_FENCE_RELEASE (1u << 1)
#define RF_NODE_USER_MODE_SUBMISSION (1u << 3)
/* Not in WDDM: an engine's packets (COPY, FILL, VECTOR) are unknown opcodes on this node. */
#define RF_NODE_NO_ENGINE (1u << 31)

/* DXGK_NODEMETADATA */
struct rf_node_metadata {
	u32 node_ordinal; /* [in] */
	u32 flags; /* [out] RF_NODE_* */
};

/* D3DDDI_NATIVEFENCE_TYPE */
enum rf_native_fence_type {
	RF_NATIVE_FENCE_TYPE_DEFAULT = 0,
	RF_NATIVE_FENCE_TYPE_INTRA_GPU = 1,
};

/* DXGKARG_FENCESTORAGEVALUETYPE */
enum rf_fence_storage_value_type {
	RF_FENCE_STORAGE_CURRENT_VALUE = 0,
	RF_FENCE_STORAGE_MONITORED_VALUE = 1,
};

/* a segment set is a mask of 1 << enum rf_mem_kind (SYSTEM, LOCAL) */

/* D3DKMDT_FENCESTORAGESURFACEDATA (S0-30, S0-61) */
struct rf_fence_storage {
	u32 physical_adapter_index; /* [in] 0 */
	enum rf_fence_storage_value_type fence_storage_value_type; /* [in] */
	enum rf_native_fence_type fence_storage_type; /* [in] */
	u32 supported_segment_set; /* [out] */
	enum rf_mem_kind preferred_segment; /* [out] one of the set */
};

/* --- processes and GPU virtual addresses -------------------------------------- */

/* DXGKARG_CREATEPROCESS. The system process exists from start_device to
 * stop_device and is named by NULL. */
struct rf_create_process {
	void *h_process; /* [in/out] */
};

/* DXGKARG_DESTROYPROCESS: it has no queue and no mapping. -EIO: as for unmapping */
struct rf_destroy_process {
	void *h_process;
};

#define RF_MAP_READ_ONLY (1u << 0) /* engines may not write (C3) */

/*
 * The driver chooses the address (in WDDM the OS does), unless the address of an earlier mapping
 * of the same size is given, here or on a linked adapter. A ring lies inside one aligned block of RF_RING_BLOCK_BYTES, so memory
 * of up to that size begins such a block. -ENOSPC: no room.
 */
struct rf_map_gpu_virtual_address {
	void *h_process; /* [in] miniport's, NULL: the system process */
	struct rf_mem *mem; /* [in] SYSTEM or LOCAL, all of it; must outlive the mapping */
	u32 flags; /* [in] RF_MAP_* */
	u64 gpu_virtual_address; /* [in/out] 0: any; page aligned, never 0 on return */
};

/*
 * Replace a mapped page by another page, with new flags. An engine that reads meanwhile reads one
 * or the other; on return no access to the old page is possible.
 */
struct rf_replace_gpu_page {
	void *h_process;
	struct rf_mem *mem; /* one page */
	u32 flags; /* RF_MAP_* */
	u64 gpu_virtual_address;
};

/*
 * On return no access through the mapping is possible. -EIO: this is not certain; the driver keeps
 * a reference to the memory, and must be reset by reset_from_timeout. The reference ends when that
 * succeeds, or in stop_device.
 */
struct rf_unmap_gpu_virtual_address {
	void *h_process;
	struct rf_mem *mem;
	u64 gpu_virtual_address;
};

/* --- native fences ------------------------------------------------------------ */

#define RF_NATIVE_FENCE_PRIVATE_DATA_BYTES 64

/* DXGKARG_CREATENATIVEFENCE */
struct rf_create_native_fence {
	void *h_global_native_fence; /* [in/out] */
	enum rf_native_fence_type type;
	u64 current_value_system_process_gpu_va; /* 0 without map_to_gpu_system_process */
	u64 monitored_value_system_process_gpu_va; /* likewise */
	u8 private_driver_data[RF_NATIVE_FENCE_PRIVATE_DATA_BYTES]; /* [in/out] */
	u32 flags; /* 0 */
};

/* DXGKARG_OPENNATIVEFENCE */
struct rf_open_native_fence {
	void *h_global_native_fence; /* miniport's */
	void *h_local_native_fence; /* [in/out] */
	void *h_process; /* miniport's (hDevice in WDDM) */
	u64 current_value_gpu_va;
	u64 monitored_value_gpu_va;
	u32 flags; /* 0 */
	u8 private_driver_data[RF_NATIVE_FENCE_PRIVATE_DATA_BYTES];
};

/* DXGKARG_CLOSENATIVEFENCE */
struct rf_close_native_fence {
	void *h_local_native_fence;
	u32 flags; /* 0 */
};

/* DXGKARG_DESTROYNATIVEFENCE: after return the core frees both values */
struct rf_destroy_native_fence {
	void *h_global_native_fence;
	u32 flags; /* 0 */
};

/*
 * A kernel address of a value. WDDM has a pointer; memory behind BAR 2 has none
 * in user space, so it is named by memory and offset. Use rf_untrusted_value_read(), or
 * rf_private_value_read(), and rf_value_write(). Valid only during the call that passes it
 * (A-9).
 */
struct rf_value_address {
	struct rf_mem *mem;
	u64 offset;
};

static inline u64 rf_value_read(struct rf_value_address value)
{
	return rf_mem_read64(value.mem, value.offset);
}

/* As rf_untrusted_read64() and rf_private_read64(). */
static inline u64 rf_untrusted_value_read(struct rf_value_address value)
{
	return rf_untrusted_read64(value.mem, value.offset);
}

static inline u64 rf_private_value_read(struct rf_value_address value)
{
	return rf_private_read64(value.mem, value.offset);
}

static inline void rf_value_write(struct rf_value_address address, u64 value)
{
	rf_mem_write64(address.mem, address.offset, value);
}

#define RF_UPDATE_FENCES_MAX 16u

/* DXGKARG_UPDATEMONITOREDVALUES: element i of each array is about one fence */
struct rf_update_monitored_values {
	void *const *native_fence_array; /* miniport's global handles */
	const u64 *updated_value_array; /* new MonitoredValues */
	const struct rf_value_address *monitored_value_kernel_cpu_va;
	u32 num_fences; /* 0 .. RF_UPDATE_FENCES_MAX */
	u32 flags; /* 0 */
};

/* DXGK_UPDATECURRENTVALUESFROMCPU_FLAGS */
#define RF_UPDATE_ALWAYS_SIGNALED (1u << 0)
#define RF_UPDATE_NOTIFICATION_ONLY (1u << 1)

/* DXGKARG_UPDATECURRENTVALUESFROMCPU */
struct rf_update_current_values_from_cpu {
	void *const *native_fence_array;
	const u64 *updated_value_array; /* U64_MAX with ALWAYS_SIGNALED (C19) */
	const struct rf_value_address *current_value_kernel_cpu_va;
	u32 num_fences;
	u32 flags; /* RF_UPDATE_* */
};

/* --- signals from device to device ------------------------------------------------ */

/*
 * Not in WDDM, which announces them only. Page i of a region of system memory begins with the
 * CurrentValue of fence i. When the device has written it, it writes a word with {generation, i}
 * to the peer page of each target of that fence, behind the value. When such a word comes with the
 * generation that this device has for fence i, its queues that wait for that CurrentValue read it
 * again; any other word does nothing.
 */
#define RF_PEER_REGION_FENCES 64u
#define RF_PEER_REGION_ALIGN (RF_PEER_REGION_FENCES * 4096u)
#define RF_PEER_TARGETS_MAX 4u
/* Generations are from 1 to this */
#define RF_PEER_GENERATION_MAX 4095u

/* Once. From now on no fence is valid, and again after each reset and D3. */
struct rf_set_peer_region {
	struct rf_mem *mem; /* until stop_device; contiguous and aligned to its size, or -EINVAL */
};

struct rf_connect_peer {
	u32 target; /* 0 .. peer_targets - 1 */
	struct rf_mem *mem; /* the other's peer page, until it is disconnected */
};

struct rf_disconnect_peer {
	u32 target;
	struct rf_mem *mem;
};

/*
 * On return writes of CurrentValue that were made before are visible to all, and later ones send
 * words to @targets.
 */
struct rf_set_peer_fence {
	u32 index;
	u32 targets; /* a bit each; 0: the fence is not valid */
	u32 generation;
};

/* --- hardware contexts ---------------------------------------------------------- */

#define RF_PRIORITY_BANDS 16 /* 0 .. 15, higher first */

/* DXGKARG_CREATEHWCONTEXT: created resumed; holds hardware queues of one node */
struct rf_create_hw_context {
	void *h_hw_context; /* [in/out] */
	void *h_process; /* miniport's (hDevice in WDDM) */
	u32 node_ordinal;
	u32 priority; /* band (in WDDM by DxgkDdiSetHwContextSchedulingProperties) */
};

/* DXGKARG_DESTROYHWCONTEXT: it has no queues */
struct rf_destroy_hw_context {
	void *h_hw_context;
};

/*
 * DXGKARG_SUSPENDCONTEXT. The driver takes every queue of the context off the device
 * (S3-33); doorbells stay connected and rings in place (S3-31). 0: it is
 * suspended, and no interrupt follows; -EINPROGRESS: SUSPEND_CONTEXT_COMPLETED follows
 * with this fence value, after HWQUEUE_PREEMPTED of each of its resident queues. The fence value
 * increases with each call for a context.
 */
struct rf_suspend_context {
	void *h_hw_context;
	u64 context_suspend_fence;
};

/* DXGKARG_RESUMECONTEXT: its queues may be made resident again. Must succeed. */
struct rf_resume_context {
	void *h_hw_context;
};

/* --- hardware queues ----------------------------------------------------------- */

/* D3DDDI_CREATEHWQUEUEFLAGS */
#define RF_HW_QUEUE_DISABLE_GPU_TIMEOUT (1u << 0)
#define RF_HW_QUEUE_USER_MODE_SUBMISSION (1u << 4)
#define RF_HW_QUEUE_NATIVE_PROGRESS_FENCE (1u << 5)

/* DXGKARG_CREATEHWQUEUE, with the hHwContext argument, which names process and node.
 * The queue is not resident. */
struct rf_create_hw_queue {
	void *h_hw_queue; /* [in/out] */
	void *h_hw_context; /* miniport's */
	u32 flags; /* RF_HW_QUEUE_*; without USER_MODE_SUBMISSION the driver has the ring */
	/* miniport's global handle; NULL without NATIVE_PROGRESS_FENCE (S0-62) */
	void *h_hw_queue_native_progress_fence;
	u64 hw_queue_progress_fence_gpu_va; /* its CurrentValue in the queue's process */
};

/* DXGK_SUBMITCOMMANDFLAGS */
#define RF_SUBMIT_PAGING (1u << 0)
#define RF_SUBMIT_PRESENT (1u << 1)
#define RF_SUBMIT_CONTEXT_SWITCH (1u << 6)
#define RF_SUBMIT_RESUBMISSION (1u << 7)

/*
 * DXGKARG_SUBMITCOMMANDTOHWQUEUE, on a kernel-mode queue. The driver makes the progress fence reach
 * @hw_queue_progress_fence_id when this and all earlier submissions are performed (in WDDM with
 * RingBufferFenceRelease; otherwise user mode does).
 */
struct rf_submit_command_to_hw_queue {
	void *h_hw_queue;
	u64 hw_queue_progress_fence_id; /* increases with each submission */
	u64 dma_buffer_virtual_address; /* in the queue's process, 8-byte aligned */
	u32 dma_buffer_size; /* multiple of 8, may be 0 */
	u32 flags; /* RF_SUBMIT_* */
};

/*
 * Residence (not in WDDM, where it is internal to the driver or device). A queue is executed only
 * while it is resident, in one of the device's slots. All other functions work the same for
 * resident queues and others.
 */
struct rf_make_hw_queue_resident {
	void *h_hw_queue;
	bool is_busy; /* [out] resident, but the device is still loading it: as DEVICE_BUSY */
};

/* RF_INTERRUPT_HWQUEUE_PREEMPTED reports completion, once for each call. */
struct rf_evict_hw_queue {
	void *h_hw_queue;
};

/* Make a resident queue report again by RF_INTERRUPT_HWQUEUE_YIELD that it may be evicted. */
struct rf_rearm_hw_queue {
	void *h_hw_queue;
};

/* Whether a queue that is not resident has work, apart from waiting. */
struct rf_query_hw_queue_work {
	void *h_hw_queue;
	bool has_work; /* [out] */
};

/* Continue a queue that RF_INTERRUPT_HWQUEUE_STOPPED named (not in WDDM). */
struct rf_resume_hw_queue {
	void *h_hw_queue;
};

/* The queue's unfinished work is dropped; on return the device makes no access
 * for it, and it is not resident. Its doorbell is destroyed before. */
struct rf_destroy_hw_queue {
	void *h_hw_queue;
};

/*
 * DXGKARG_SETNATIVEFENCELOGBUFFER. The log type is in the header that
 * @log_buffer_cpu_va points at, already filled in, with index and count 0. On
 * return the device writes to the new buffer only (S0-104). @number_of_entries 0 and all addresses
 * 0 remove the buffer of @log_type (in WDDM only the destruction of the queue does).
 */
struct rf_set_native_fence_log_buffer {
	void *h_hw_queue;
	u32 number_of_entries;
	u32 log_type; /* enum rf_log_type; the same as in the header */
	struct rf_value_address log_buffer_cpu_va;
	u64 log_buffer_gpu_va; /* in the queue's process */
	u64 log_buffer_system_process_gpu_va;
	u32 flags; /* 0 */
};

/* DXGKARG_UPDATENATIVEFENCELOGS: on return all log writes of these queues that the
 * device has performed are visible to the CPU (S0-115) */
struct rf_update_native_fence_logs {
	u32 number_of_queues;
	void *const *h_hw_queue;
	u32 flags; /* 0 */
};

/* --- the packet model ----------------------------------------------------------- */

/*
 * The older model, beside hardware queues: the core schedules the DMA packets of contexts one by
 * one. A node has one hardware queue of packets of all contexts, in the order of submit_command;
 * the driver switches contexts between them. Fence ids increase per node, in one sequence with the
 * ids of preemptions.
 */

#define RF_CONTEXT_SYSTEM (1u << 0) /* SystemContext: for paging; of the system process */

/* DXGKARG_CREATECONTEXT */
struct rf_create_context {
	void *h_context; /* [in/out] */
	void *h_process; /* miniport's; NULL: the system process (hDevice in WDDM) */
	u32 node_ordinal;
	u32 flags; /* RF_CONTEXT_* */
};

/*
 * DXGKARG_DESTROYCONTEXT. Its packets are dropped, and no interrupt names them; on
 * return the device makes no access for it.
 */
struct rf_destroy_context {
	void *h_context;
};

/*
 * DXGKARG_SUBMITCOMMAND. A preempted packet comes back with RESUBMISSION, before other
 * packets of its context: with its old fence id if it is PAGING, otherwise with a new one; it
 * resumes where it stopped. CONTEXT_SWITCH, with size 0: no context is on the
 * node when this is complete (C14).
 */
struct rf_submit_command {
	void *h_context; /* NULL with CONTEXT_SWITCH */
	u32 node_ordinal;
	u32 engine_ordinal; /* 0 */
	u64 submission_fence_id;
	u64 dma_buffer_virtual_address; /* in the context's process, 8-byte aligned */
	u32 dma_buffer_size; /* multiple of 8 */
	u32 flags; /* RF_SUBMIT_* */
};

/* DXGKARG_PREEMPTCOMMAND */
struct rf_preempt_command {
	u64 preemption_fence_id;
	u32 node_ordinal;
	u32 engine_ordinal; /* 0 */
	u32 flags; /* 0 */
};

/* D3DDDI_PATCHLOCATIONLIST */
struct rf_patch_location {
	u32 allocation_index; /* binds the slot; 0: unbinds it */
	u32 slot_id;
	u32 patch_offset; /* of the address in the buffer, bytes */
	u64 allocation_offset;
};

/*
 * DXGKARG_RENDER: build a DMA buffer of whole commands. When it is full, the render command is
 * split: the call is repeated with the next buffer and continues where it ended. Each buffer has a
 * list of all addresses in it (S4-19). A buffer of a split command must leave no slot bound: an
 * entry without an allocation at its end unbinds it.
 *
 * A buffer may be broadcast to a linked adapter. It is built once; then each adapter executes it,
 * is preempted and gets it again by itself, so no driver writes to it any more (S4-24).
 */
struct rf_render {
	struct rf_value_address command; /* user mode may change it at any time */
	u32 command_length;
	const struct rf_patch_location *command_patch_list; /* by offset */
	u32 command_patch_list_size;
	struct rf_value_address dma_buffer;
	u32 dma_size;
	u32 dma_used; /* [out] */
	struct rf_patch_location *patch_list; /* [out] */
	u32 patch_list_room;
	u32 patch_list_size; /* [out] */
	u32 multipass_offset; /* [in/out] initially 0; for the driver */
};

/* DXGKARG_PATCH: only without NoDmaPatching. */
struct rf_patch {
	struct rf_value_address dma_buffer;
	u32 dma_size;
	const u64 *allocation_list; /* addresses in the process; element 0 is unused */
	const struct rf_patch_location *patch_list;
	u32 patch_list_size;
};

/* DXGK_BUILDPAGINGBUFFER_OPERATION */
enum rf_paging_operation {
	RF_PAGING_TRANSFER = 0,
	RF_PAGING_FILL = 1,
	RF_PAGING_INIT_CONTEXT_RESOURCE = 8,
};

/*
 * DXGKARG_BUILDPAGINGBUFFER: commands for the paging node. Addresses are of the system
 * process; unmapped pages fault as for any work.
 */
struct rf_build_paging_buffer {
	enum rf_paging_operation operation;
	struct rf_value_address dma_buffer; /* where the commands go */
	u32 dma_size; /* room there */
	u32 dma_used; /* [out] bytes, multiple of 8 */
	union {
		struct {
			u64 source;
			u64 destination;
			u64 bytes;
		} transfer;
		struct {
			u64 destination;
			u64 bytes;
			u64 pattern;
		} fill;
		struct {
			void *h_driver_allocation; /* as in create_context_allocation */
			u64 destination;
		} init_context_resource;
	};
};

/* --- doorbells ----------------------------------------------------------------- */

/* D3DDDI_DOORBELLSTATUS */
enum rf_doorbell_status {
	RF_DOORBELL_CONNECTED = 0,
	RF_DOORBELL_CONNECTED_NOTIFY_KMD = 1,
	RF_DOORBELL_DISCONNECTED_RETRY = 2,
	RF_DOORBELL_DISCONNECTED_ABORT = 3,
};

/*
 * DXGKARG_CREATEDOORBELL. WDDM passes the allocations' driver handles, from which a driver finds
 * their address in the queue's process.
 * The ring holds struct rf_ring_entry; the control is the queue's write-pointer
 * record, an absolute count of entries. Takes no physical doorbell (S3-15).
 */
struct rf_create_doorbell {
	void *h_hw_queue; /* miniport's */
	void *h_doorbell; /* [in/out] */
	u64 ring_buffer_gpu_va; /* 16-byte aligned */
	u32 ring_buffer_entries; /* power of two, 1 .. RF_RING_ENTRIES_MAX */
	struct rf_value_address ring_buffer_control_cpu_va;
	u64 ring_buffer_control_gpu_va; /* 8-byte aligned */
	u32 flags; /* 0 */
};

/* DXGKARG_CONNECTDOORBELL */
struct rf_connect_doorbell {
	void *h_doorbell;
	u32 flags; /* 0 */
	/* [out] KernelCpuVirtualAddress: offset of the doorbell in BAR 0; the core maps
	 * the page around it */
	u64 doorbell_offset;
	/* [out] bits that user mode ORs into each write pointer that it stores: a
	 * global doorbell's token; 0 for a dedicated one (not in WDDM, where it is
	 * private data) */
	u64 doorbell_token;
	enum rf_doorbell_status status; /* [out] CONNECTED or CONNECTED_NOTIFY_KMD */
};

/* DXGKARG_DISCONNECTDOORBELL. The page is already replaced by the dummy page: the driver reads a
 * device register, unbinds, re-samples the write pointer once, and keeps the object. Must
 * succeed. */
struct rf_disconnect_doorbell {
	void *h_doorbell;
	u32 flags; /* 0 */
};

/* DXGKARG_DESTROYDOORBELL: it is disconnected, and the queue is not resident or is being
 * evicted. On return the device does not access the ring. Must succeed. */
struct rf_destroy_doorbell {
	void *h_doorbell;
};

/* DXGKARG_NOTIFYWORKSUBMISSION. Must succeed. */
struct rf_notify_work_submission {
	void *h_hw_queue;
	u32 flags; /* 0 */
};

/* --- power ----------------------------------------------------------------------- */

/* DXGK_ENGINE_STATE */
enum rf_engine_state {
	RF_ENGINE_ACTIVE = 0,
	RF_ENGINE_TRANSITION_TO_F1 = 1,
	RF_ENGINE_HUNG = 2,
};

/*
 * DxgkDdiSetPowerComponentFState. The power component of a node's engine has the node's
 * ordinal. F1: no queue of the node is resident, is connected or has work, until it is F0
 * again.
 */
struct rf_set_power_component_f_state {
	u32 component_index;
	u32 f_state; /* 0 or 1 */
};

/* DEVICE_POWER_STATE */
enum rf_device_power_state {
	RF_DEVICE_D0 = 1,
	RF_DEVICE_D3 = 4,
};

/*
 * DxgkDdiSetPowerState. To D3: every context is suspended, every doorbell disconnected,
 * and local memory saved by the core; on return the device makes no access and raises no
 * interrupt. Until it is back in D0 only stop_device is called. To D0: the device may be as after
 * power-on, including its local memory, which the core restores after this call and before any
 * queue is resident.
 */
struct rf_set_power_state {
	enum rf_device_power_state device_power_state;
};

/* --- engines that do not respond -------------------------------------------------- */

/* DXGKARG_QUERYENGINESTATUS */
struct rf_query_engine_status {
	u32 node_ordinal;
	u32 engine_ordinal; /* 0 */
	bool responsive; /* [out] no work, or progress since the last query */
};

/* DXGKARG_QUERYDEPENDENTENGINEGROUP */
struct rf_query_dependent_engine_group {
	u32 node_ordinal;
	u32 engine_ordinal; /* 0 */
	u64 dependent_node_ordinal_mask; /* [out] includes the node itself */
};

/* DXGKARG_RESETENGINE */
struct rf_reset_engine {
	u32 node_ordinal;
	u32 engine_ordinal; /* 0 */
	u64 last_aborted_fence_id; /* [out] from last completed to last submitted */
};

/* DXGKARG_RESETHWENGINE and DXGKARG_RESUMEHWENGINE */
struct rf_hw_engine {
	u32 node_ordinal;
	u32 engine_ordinal; /* 0 */
};

/* DXGK_INVALIDATEHWCONTEXT_FLAGS */
#define RF_INVALIDATE_COLLATERAL_DAMAGE (1u << 0)

/* DXGKARGCB_INVALIDATEHWCONTEXT; here each queue is a context */
struct rf_invalidate_hw_context {
	void *h_hw_queue; /* miniport's */
	u32 flags; /* RF_INVALIDATE_* */
};

/* --- interrupts ---------------------------------------------------------------- */

/* DXGK_INTERRUPT_TYPE */
enum rf_interrupt_type {
	RF_INTERRUPT_DMA_COMPLETED = 1,
	RF_INTERRUPT_DMA_PREEMPTED = 2,
	RF_INTERRUPT_DMA_PAGE_FAULTED = 9,
	RF_INTERRUPT_MONITORED_FENCE_SIGNALED = 11,
	RF_INTERRUPT_HWQUEUE_PAGE_FAULTED = 12,
	RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED = 17,
	RF_INTERRUPT_NATIVE_FENCE_SIGNALED = 19,
	RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE = 20,
	/* not in WDDM */
	RF_INTERRUPT_HWQUEUE_STOPPED = 0x1000,
	RF_INTERRUPT_HWQUEUE_YIELD = 0x1001, /* once per residence */
	RF_INTERRUPT_HWQUEUE_PREEMPTED = 0x1002,
	RF_INTERRUPT_HWQUEUE_WORK = 0x1003, /* a ring for queues that were not resident */
	RF_INTERRUPT_DEVICE_LOST = 0x1004, /* only reset_from_timeout helps */
	/* the device executes a command whose end raises no interrupt: call dpc_routine again,
	 * from a thread that has slept */
	RF_INTERRUPT_DEVICE_BUSY = 0x1005,
};

/* Why a resident queue may be evicted */
enum rf_yield_kind {
	RF_YIELD_NONE,
	RF_YIELD_BLOCKED, /* it waits for a fence */
	RF_YIELD_IDLE,
	RF_YIELD_QUANTUM, /* it has work, but its quantum is over */
};

/* Why a queue is stopped until resume_hw_queue; everything before is performed */
enum rf_stop_reason {
	RF_STOP_SOFTWARE_SIGNAL, /* the host must signal fence @argument with @value (S1-16) */
	RF_STOP_TRAP, /* a breakpoint of user mode; @argument: its code */
};

/* DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS */
#define RF_INTERRUPT_EVALUATE_LEGACY_MONITORED_FENCES (1u << 2)

/* DXGKARGCB_NOTIFY_INTERRUPT_DATA; valid only during the call */
struct rf_notify_interrupt_data {
	enum rf_interrupt_type interrupt_type;
	union {
		/* everything submitted to the node before it is complete too */
		struct {
			u64 submission_fence_id;
			u32 node_ordinal;
			u32 engine_ordinal;
		} dma_completed;
		/* Packets after @last_completed_fence_id are preempted (S4-28); all up to it
		 * were reported by dma_completed */
		struct {
			u64 preemption_fence_id;
			u64 last_completed_fence_id;
			u32 node_ordinal;
			u32 engine_ordinal;
		} dma_preempted;
		/* The packet's context is lost, and all its packets are dropped */
		struct {
			u64 faulted_fence_id;
			u64 faulted_virtual_address;
			u32 node_ordinal;
			u32 engine_ordinal;
			u32 fault_error_code; /* enum rf_queue_error */
		} dma_page_faulted;
		struct {
			u32 node_ordinal;
			u32 engine_ordinal;
			/* 0 with array NULL: the set is unknown, evaluate all (S0-66) */
			u32 signaled_native_fence_count;
			/* core's global handles, all live (S0-65); read only without the
			 * optimized cap */
			void *const *signaled_native_fence_array;
			/* miniport's queue handle; NULL: unknown, evaluate the queues of
			 * the engine; read only with the optimized cap (S0-126) */
			void *h_hw_queue;
		} native_fence_signaled;
		struct {
			u32 node_ordinal;
			u32 engine_ordinal;
		} monitored_fence_signaled;
		/* also for every other error that stops a queue; see the error code */
		struct {
			u64 faulted_fence_id; /* progress value last reached */
			u64 faulted_virtual_address;
			void *faulted_hw_queue; /* miniport's */
			u32 node_ordinal;
			u32 engine_ordinal;
			u32 page_fault_flags; /* 1: a store */
			u32 page_table_level;
			u32 fault_error_code; /* enum rf_queue_error */
		} hw_queue_page_faulted;
		/* at most one outstanding per queue; @argument and @value are user mode's */
		struct {
			void *stopped_hw_queue; /* miniport's */
			enum rf_stop_reason reason;
			u64 argument;
			u64 value;
		} hw_queue_stopped;
		struct {
			void *yielding_hw_queue; /* miniport's */
			enum rf_yield_kind kind;
		} hw_queue_yield;
		/* the queue is no longer resident */
		struct {
			void *preempted_hw_queue; /* miniport's */
			bool is_waiting; /* for the fence and value below */
			void *h_native_fence; /* core's; NULL: it waits for a word that is no fence */
			u64 value;
		} hw_queue_preempted;
		struct {
			void *h_hw_queue; /* miniport's; NULL: any queue that is not resident */
		} hw_queue_work;
		struct {
			void *h_hw_context; /* miniport's */
			u64 context_suspend_fence;
		} suspend_context_completed;
		struct {
			u32 node_ordinal;
			u32 engine_ordinal;
			enum rf_engine_state new_state;
		} engine_state_change;
	};
	u32 flags; /* RF_INTERRUPT_* */
};

/* DXGKARGCB_DISCONNECTDOORBELL */
struct rf_disconnect_doorbell_callback {
	void *h_hw_queue; /* miniport's */
	void *h_doorbell; /* miniport's */
	u32 flags; /* 0 */
	enum rf_doorbell_status disconnect_reason; /* RETRY or ABORT */
};

/* ContextAllocationFlags */
#define RF_CONTEXT_ALLOCATION_SHARED_ACROSS_CONTEXTS (1u << 0)

/*
 * DXGKARGCB_CREATECONTEXTALLOCATION. A GPU-context allocation belongs to one context,
 * not to a system context. A device-context allocation (SHARED_ACROSS_CONTEXTS) belongs to one
 * process, not to the system process, and names no context (S4-9). While a packet of its context
 * is on the node, an allocation is at its address, which never changes. Its contents are kept when
 * it is moved (S4-12).
 */
struct rf_create_context_allocation {
	u32 context_allocation_flags; /* RF_CONTEXT_ALLOCATION_* */
	void *h_process; /* miniport's (hDevice in WDDM) */
	void *h_context; /* core's, or NULL */
	void *h_driver_allocation;
	u64 size;
	u64 alignment; /* power of two, up to a page */
	u32 supported_segment_set; /* where it may be used */
	u32 eviction_segment_set; /* where it may be kept otherwise */
	enum rf_mem_kind preferred_segment;
	void *h_allocation; /* [out] */
	u64 gpu_virtual_address; /* [out] in the system process, as registers need it */
};

/* DXGKARGCB_DESTROYCONTEXTALLOCATION */
struct rf_destroy_context_allocation {
	void *h_allocation;
};

/**
 * struct rf_dxgk_callbacks - DXGKRNL_INTERFACE, functions of the core for the miniport
 */
struct rf_dxgk_callbacks {
	/**
	 * @is_feature_enabled: whether the OS enabled a feature, and in which version.
	 * Returns 0, or -EINVAL for an unknown feature. PASSIVE.
	 */
	int (*is_feature_enabled)(void *h_core, enum rf_feature_id feature,
				  struct rf_feature_result *result);
	/**
	 * @query_feature_interface: copy the table of an enabled feature at its
	 * negotiated @version; @bytes is that of the table. Returns 0, or -EINVAL.
	 * PASSIVE.
	 */
	int (*query_feature_interface)(void *h_core, enum rf_feature_id feature, u16 version,
				       void *table, size_t bytes);
	/**
	 * @notify_interrupt: report the reason of an interrupt. DEVICE: from
	 * interrupt_routine, or from a function of synchronize_execution. The core only takes
	 * notes; a DPC must be queued before interrupt_routine returns.
	 */
	void (*notify_interrupt)(void *h_core, const struct rf_notify_interrupt_data *data);
	/** @queue_dpc: run dpc_routine, then act on the notes. DEVICE. */
	void (*queue_dpc)(void *h_core);
	/**
	 * @synchronize_execution: DxgkCbSynchronizeExecution: call @routine at level
	 * DEVICE with the device lock held, as interrupt_routine is, so that it may call
	 * notify_interrupt. The caller of the miniport acts on the notes. PASSIVE or
	 * DISPATCH.
	 */
	void (*synchronize_execution)(void *h_core, void (*routine)(void *argument),
				      void *argument);
	/**
	 * @invalidate_hw_context: the queue was running on an engine that is reset. Its process
	 * loses its device, or with COLLATERAL_DAMAGE only the queue. Only from inside
	 * reset_engine and reset_hw_engine. PASSIVE.
	 */
	void (*invalidate_hw_context)(void *h_core,
				      const struct rf_invalidate_hw_context *arguments);
	/**
	 * @disconnect_doorbell: writes the reason to the status word and maps the dummy page. On
	 * return no ring of that doorbell is in flight from a CPU; after a read of a device
	 * register none is on the bus, and the physical doorbell is free. Does not call the
	 * disconnect_doorbell DDI.
	 * Returns 0, also if it was disconnected already; -EINVAL for an unknown queue
	 * or doorbell. PASSIVE, also from inside connect_doorbell of another.
	 */
	int (*disconnect_doorbell)(void *h_core,
				   const struct rf_disconnect_doorbell_callback *arguments);
	/**
	 * @create_context_allocation: from inside create_context only. It is initialised
	 * by INIT_CONTEXT_RESOURCE before the context's first packet. -EINVAL: violates the
	 * restrictions above; -ENOMEM. PASSIVE.
	 */
	int (*create_context_allocation)(void *h_core,
					 struct rf_create_context_allocation *arguments);
	/**
	 * @destroy_context_allocation: -EINVAL: no such allocation. From inside
	 * destroy_context, or create_context that fails. PASSIVE.
	 */
	int (*destroy_context_allocation)(void *h_core,
					  const struct rf_destroy_context_allocation *arguments);
};

/* DXGK_START_INFO and DXGKRNL_INTERFACE */
struct rf_start_device {
	struct rf_bus *bus; /* [in] the device; bus->os is for the locks */
	void *h_core; /* [in] first argument of every callback */
	const struct rf_dxgk_callbacks *callbacks; /* [in] live until stop_device */
	void *h_adapter; /* [out] miniport's */
	/* [out] number of vectors, from 0, for which the shell must call the interrupt
	 * service */
	u32 interrupt_vectors;
};

/**
 * struct rf_ddi - DRIVER_INITIALIZATION_DATA, the miniport's functions
 *
 * All return 0 or a negative errno. A failed function leaves nothing behind.
 * Those that "must succeed" return void.
 */
struct rf_ddi {
	/**
	 * @start_device: start the device; queries its features (S0-45). On return it may
	 * interrupt. -ENODEV not a Ringfence device, -EIO it did not respond. PASSIVE.
	 */
	int (*start_device)(struct rf_start_device *arguments);
	/** @stop_device: on return the device makes no access; frees everything. PASSIVE. */
	void (*stop_device)(void *h_adapter);
	/** @query_adapter_info: -EINVAL for an unknown type or a wrong size. PASSIVE. */
	int (*query_adapter_info)(void *h_adapter, const struct rf_query_adapter_info *arguments);

	/** @create_process: an address space; -EBUSY: all are in use. PASSIVE. */
	int (*create_process)(void *h_adapter, struct rf_create_process *arguments);
	/** @destroy_process: 0, -EIO. PASSIVE. */
	int (*destroy_process)(void *h_adapter, const struct rf_destroy_process *arguments);
	/** @map_gpu_virtual_address: PASSIVE. */
	int (*map_gpu_virtual_address)(void *h_adapter,
				       struct rf_map_gpu_virtual_address *arguments);
	/**
	 * @replace_gpu_page: -EINVAL: the device cannot address it, nothing has changed; -EIO:
	 * as for unmapping, for both pages. PASSIVE.
	 */
	int (*replace_gpu_page)(void *h_adapter, const struct rf_replace_gpu_page *arguments);
	/** @unmap_gpu_virtual_address: 0, -EIO. PASSIVE. */
	int (*unmap_gpu_virtual_address)(void *h_adapter,
					 const struct rf_unmap_gpu_virtual_address *arguments);

	/** @create_native_fence: the global object; its values are in memory already. PASSIVE. */
	int (*create_native_fence)(void *h_adapter, struct rf_create_native_fence *arguments);
	/** @open_native_fence: an instance in a process. PASSIVE. */
	int (*open_native_fence)(void *h_adapter, struct rf_open_native_fence *arguments);
	/** @close_native_fence: PASSIVE. */
	int (*close_native_fence)(void *h_adapter, const struct rf_close_native_fence *arguments);
	/**
	 * @destroy_native_fence: after the last close (S0-58). On return the device no longer
	 * stores its MonitoredValue. PASSIVE.
	 */
	int (*destroy_native_fence)(void *h_adapter,
				    const struct rf_destroy_native_fence *arguments);
	/**
	 * @update_monitored_values: make the device use new MonitoredValues. On return no
	 * CurrentValue of a signal that used an older one can become visible (S0-39).
	 * -EINPROGRESS: the device has not confirmed it yet; a later call that returns 0, also
	 * one with no fences, confirms it. -EBUSY: earlier calls are not confirmed either, and
	 * this call had no effect. Other failures: reset the adapter. DEVICE.
	 */
	int (*update_monitored_values)(void *h_adapter,
				       const struct rf_update_monitored_values *arguments);
	/**
	 * @update_current_values_from_cpu: barrier, write each CurrentValue, then make the
	 * device check its waiting queues. Failure is fatal. DISPATCH.
	 */
	int (*update_current_values_from_cpu)(
		void *h_adapter, const struct rf_update_current_values_from_cpu *arguments);

	/** @set_peer_region: may be left out with the next three if peer_targets is 0. PASSIVE. */
	int (*set_peer_region)(void *h_adapter, const struct rf_set_peer_region *arguments);
	/** @connect_peer: an error as of replace_gpu_page. PASSIVE. */
	int (*connect_peer)(void *h_adapter, const struct rf_connect_peer *arguments);
	/** @disconnect_peer: if the device may still write there, the driver has a reference. PASSIVE. */
	void (*disconnect_peer)(void *h_adapter, const struct rf_disconnect_peer *arguments);
	/** @set_peer_fence: DISPATCH. */
	void (*set_peer_fence)(void *h_adapter, const struct rf_set_peer_fence *arguments);

	/** @create_hw_context: -EINVAL: no such node, no such band. PASSIVE. */
	int (*create_hw_context)(void *h_adapter, struct rf_create_hw_context *arguments);
	/** @destroy_hw_context: PASSIVE. */
	void (*destroy_hw_context)(void *h_adapter, const struct rf_destroy_hw_context *arguments);
	/** @suspend_context: 0, -EINPROGRESS. PASSIVE. */
	int (*suspend_context)(void *h_adapter, const struct rf_suspend_context *arguments);
	/** @resume_context: PASSIVE. */
	void (*resume_context)(void *h_adapter, const struct rf_resume_context *arguments);

	/** @create_hw_queue: PASSIVE. */
	int (*create_hw_queue)(void *h_adapter, struct rf_create_hw_queue *arguments);
	/** @destroy_hw_queue: PASSIVE. */
	void (*destroy_hw_queue)(void *h_adapter, const struct rf_destroy_hw_queue *arguments);
	/**
	 * @submit_command_to_hw_queue: -EAGAIN: no room, nothing happened; try again when
	 * earlier submissions have completed. Other failures are fatal.
	 * One at a time per queue. DISPATCH.
	 */
	int (*submit_command_to_hw_queue)(void *h_adapter,
					  const struct rf_submit_command_to_hw_queue *arguments);
	/**
	 * @make_hw_queue_resident: a queue of a context that is not suspended, with a known
	 * ring. Earlier rings are found. -EBUSY: another queue must be evicted first;
	 * -EINPROGRESS: the device is busy; call again soon; -EIO: the device does not execute
	 * commands and must be reset; other failures are fatal. DISPATCH.
	 */
	int (*make_hw_queue_resident)(void *h_adapter, struct rf_make_hw_queue_resident *arguments);
	/** @evict_hw_queue: a resident queue. DISPATCH. */
	void (*evict_hw_queue)(void *h_adapter, const struct rf_evict_hw_queue *arguments);
	/** @rearm_hw_queue: DISPATCH. */
	void (*rearm_hw_queue)(void *h_adapter, const struct rf_rearm_hw_queue *arguments);
	/** @query_hw_queue_work: DISPATCH. */
	void (*query_hw_queue_work)(void *h_adapter, struct rf_query_hw_queue_work *arguments);
	/** @resume_hw_queue: DISPATCH. */
	void (*resume_hw_queue)(void *h_adapter, const struct rf_resume_hw_queue *arguments);
	/**
	 * @set_native_fence_log_buffer: once per log type of a user-mode queue, and
	 * again for a new buffer, also while the queue runs. PASSIVE.
	 */
	int (*set_native_fence_log_buffer)(void *h_adapter,
					   const struct rf_set_native_fence_log_buffer *arguments);
	/** @update_native_fence_logs: DISPATCH. */
	int (*update_native_fence_logs)(void *h_adapter,
					const struct rf_update_native_fence_logs *arguments);

	/** @create_context: -EBUSY: the node has no slot; -EINVAL: no such node. PASSIVE. */
	int (*create_context)(void *h_adapter, struct rf_create_context *arguments);
	/** @destroy_context: PASSIVE. */
	void (*destroy_context)(void *h_adapter, const struct rf_destroy_context *arguments);
	/**
	 * @render: -ENOSPC: the buffer is full, and there are more commands; -EINVAL: invalid
	 * commands. PASSIVE.
	 */
	int (*render)(void *h_adapter, struct rf_render *arguments);
	/** @patch: write the addresses into a buffer that render built. PASSIVE. */
	int (*patch)(void *h_adapter, const struct rf_patch *arguments);
	/**
	 * @submit_command: append to the node's hardware queue, which has room for
	 * HwQueuePacketCap packets. Failure is fatal. DISPATCH.
	 */
	int (*submit_command)(void *h_adapter, const struct rf_submit_command *arguments);
	/**
	 * @preempt_command: stop the node inside a packet, as the caps say, and empty its
	 * hardware queue; answered by one DMA_PREEMPTED. If everything was complete and
	 * reported, that comes at once, without touching the hardware. Needed with
	 * PreemptionAware. Failure is fatal (S4-1). DISPATCH.
	 */
	int (*preempt_command)(void *h_adapter, const struct rf_preempt_command *arguments);
	/** @build_paging_buffer: -ENOSPC: the buffer is too small. PASSIVE. */
	int (*build_paging_buffer)(void *h_adapter, struct rf_build_paging_buffer *arguments);

	/** @create_doorbell: PASSIVE. */
	int (*create_doorbell)(void *h_adapter, struct rf_create_doorbell *arguments);
	/**
	 * @connect_doorbell: bind a physical doorbell, if necessary one of another queue, by the
	 * disconnect_doorbell callback. The queue's write-pointer record is read once. -EIO:
	 * the queue is lost. PASSIVE.
	 */
	int (*connect_doorbell)(void *h_adapter, struct rf_connect_doorbell *arguments);
	/** @disconnect_doorbell: PASSIVE. */
	void (*disconnect_doorbell)(void *h_adapter,
				    const struct rf_disconnect_doorbell *arguments);
	/** @destroy_doorbell: PASSIVE. */
	void (*destroy_doorbell)(void *h_adapter, const struct rf_destroy_doorbell *arguments);
	/** @notify_work_submission: PASSIVE. */
	void (*notify_work_submission)(void *h_adapter,
				       const struct rf_notify_work_submission *arguments);

	/**
	 * @look_for_idle: called periodically (in WDDM a driver has its own timers): report by
	 * GPU_ENGINE_STATE_CHANGE each engine that had no work since the last call and whose
	 * queues wait only for rings. PASSIVE.
	 */
	void (*look_for_idle)(void *h_adapter);
	/** @set_power_component_f_state: failure: it is F0. To F0 must succeed. PASSIVE. */
	int (*set_power_component_f_state)(void *h_adapter,
					   const struct rf_set_power_component_f_state *arguments);
	/** @set_power_state: to D3 must succeed; -EIO: the device does not respond. PASSIVE. */
	int (*set_power_state)(void *h_adapter, const struct rf_set_power_state *arguments);
	/** @query_engine_status: PASSIVE. */
	int (*query_engine_status)(void *h_adapter, struct rf_query_engine_status *arguments);
	/** @query_dependent_engine_group: PASSIVE. */
	int (*query_dependent_engine_group)(void *h_adapter,
					    struct rf_query_dependent_engine_group *arguments);
	/**
	 * @reset_engine: on return the engine is ready, and the hardware queue of packets is
	 * empty. A packet that was running is the last aborted one; a running hardware queue was
	 * reported by invalidate_hw_context. Nothing is submitted to the node meanwhile.
	 * Failure: reset the adapter. PASSIVE.
	 */
	int (*reset_engine)(void *h_adapter, struct rf_reset_engine *arguments);
	/**
	 * @reset_hw_engine: the same with an empty hardware queue, but the engine is stopped on
	 * return, and raises no interrupt, until resume_hw_engine. PASSIVE.
	 */
	int (*reset_hw_engine)(void *h_adapter, const struct rf_hw_engine *arguments);
	/** @resume_hw_engine: failure: reset the adapter. PASSIVE. */
	int (*resume_hw_engine)(void *h_adapter, const struct rf_hw_engine *arguments);
	/**
	 * @reset_from_timeout: on return the device makes no access to memory. Every
	 * queue is lost; objects stay until they are destroyed. Those that were resident are
	 * reported as preempted before restart_from_timeout returns. PASSIVE.
	 */
	int (*reset_from_timeout)(void *h_adapter);
	/** @restart_from_timeout: the device works again, for new queues. PASSIVE. */
	int (*restart_from_timeout)(void *h_adapter);

	/**
	 * @collect_debug_info: DxgkDdiCollectDbgInfo: write the visible state of the device, as
	 * members of an object, without changing it. Optional. PASSIVE.
	 */
	void (*collect_debug_info)(void *h_adapter, struct rf_writer *writer);

	/**
	 * @check_device: not in WDDM, optional; called periodically. Report what the interrupt
	 * service missed: records without an interrupt, and, because writes of records may
	 * fail, the state of slots, queues and nodes. A device that needs a reset is reported as
	 * DEVICE_LOST. -EIO: it does not respond, perhaps only briefly. DEVICE, with the device
	 * lock held.
	 */
	int (*check_device)(void *h_adapter);

	/**
	 * @interrupt_routine: DxgkDdiInterruptRoutine. True: the interrupt was the
	 * device's. DEVICE, with the device lock held.
	 */
	bool (*interrupt_routine)(void *h_adapter, u32 message_number);
	/** @dpc_routine: DxgkDdiDpcRoutine, after queue_dpc or while the device is busy. DISPATCH. */
	void (*dpc_routine)(void *h_adapter);
};

#endif /* RF_DDI_H */
