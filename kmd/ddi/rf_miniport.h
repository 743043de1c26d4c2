/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The miniport of the Ringfence device: what its files share.
 *
 *   rf_start.c      discovery, start, stop, capabilities
 *   rf_address.c    address spaces: the only writer of the translation block
 *   rf_page_table.c page tables: the only writer of their entries
 *   rf_fence.c      native fences, monitored and current values
 *   rf_queue.c      hardware queues in slots, log buffers
 *   rf_kernel_ring.c rings that the driver keeps
 *   rf_submit.c     submission to kernel-mode queues
 *   rf_packet_context.c contexts of the packet model, and what is saved of them
 *   rf_packet_node.c    the hardware queue of packets of each node
 *   rf_paging.c     what the paging node is to do
 *   rf_doorbell.c   doorbells
 *   rf_interrupt.c  interrupt ring
 *
 * Locking. PASSIVE functions come one at a time (the core's DDI mutex) and own
 * slots, doorbells and address spaces. @lock guards what the interrupt service
 * also looks at: the table of fences and the slots' queue pointers. It is taken
 * inside the core's device lock, never the other way round, and is released
 * before the core is called. What belongs to the packet model is guarded by the core's
 * device lock itself, by way of synchronize_execution.
 */
#ifndef RF_MINIPORT_H
#define RF_MINIPORT_H

#include "rf_ddi.h"
#include "rf_list.h"
#include "ringfence_hw.h"

#define RF_FENCE_BUCKETS 64
#define RF_SLOTS_MAX 16
#define RF_DOORBELLS_MAX 16
#define RF_INTERRUPT_LOG2 8

struct rf_block {
	u64 offset;
	u64 base; /* of its indexed registers */
	u64 stride;
	u32 count;
};

/* One address space; VMID 0 is the system process. */
struct rf_address_space {
	u32 vmid;
	struct rf_page_table *root; /* NULL: not in use */
	struct rf_list ranges; /* what is mapped, by address */
	u64 next; /* where the search for room begins */
};

/* What a fence is called in an address space: where CurrentValue is. */
struct rf_fence_name {
	struct rf_list bucket; /* in rf_miniport.fences */
	u32 vmid;
	u64 address;
	void *h_core;
};

/* A fence in all processes. */
struct rf_global_fence {
	struct rf_fence_name name; /* in the system process */
	u64 monitored_address; /* system process */
};

/* Its instance in one process. */
struct rf_local_fence {
	struct rf_fence_name name;
};

/* Where a queue's ring is, in its process. */
struct rf_ring {
	u64 address;
	u64 write_pointer_address;
	u32 entries; /* power of two */
};

#define RF_SUBMISSIONS 64u /* that a ring of the driver's holds */
#define RF_SUBMISSION_ENTRIES 2u
#define RF_KERNEL_RING_ENTRIES (RF_SUBMISSIONS * RF_SUBMISSION_ENTRIES)

/* A ring that the driver keeps. */
struct rf_kernel_ring {
	struct rf_mem *mem;
	struct rf_ring place;
	u64 written; /* ring entries written */
	u64 taken; /* of them known to be complete */
};

/* A hardware queue; it holds its slot from creation to destruction. */
struct rf_hw_queue {
	void *h_core;
	struct rf_address_space *space;
	struct rf_global_fence *progress;
	struct rf_doorbell *doorbell; /* or NULL */
	u32 slot;
	u32 node;
	u32 handle; /* in the device's records: never used twice */
	/* Kernel mode, guarded by the core's order of submissions; no memory: user mode */
	struct rf_kernel_ring ring;
};

/* A context of the packet model: what its node's slot is loaded with. */
struct rf_packet_context {
	void *h_core;
	struct rf_address_space *space;
	struct rf_packet_node *node;
	u32 handle; /* in the device's records */
	struct rf_kernel_ring ring;
	struct rf_mem *save; /* system context; for others the core has made it: */
	void *h_allocation;
	u64 save_address; /* in the system process */
	/* preempted: its first packet is still in the ring */
	bool is_preempted;
	u64 preempted_submission;
	u64 preempted_address; /* of the packet's commands */
};

struct rf_packet {
	struct rf_packet_context *context; /* NULL: to the null context */
	u64 fence_id;
	u64 address;
	u32 size;
	u64 submission; /* in the context's ring, once it is there */
};

#define RF_PACKET_CAP 8u /* HwQueuePacketCap */

/* A node, as the packet model sees it; it holds a slot while there are contexts. */
struct rf_packet_node {
	u32 ordinal;
	u32 contexts; /* made on it */
	u32 slot;
	struct rf_mem *progress; /* value, and from RF_PACKET_MONITORED on its MonitoredValue */
	u64 progress_address;
	struct rf_packet packets[RF_PACKET_CAP]; /* hardware queue: by the three counts */
	u32 completed, given, submitted; /* free-running; given: to the device */
	u64 last_completed_id;
	u64 preemption_id; /* to be answered; 0: none */
	struct rf_packet_context *loaded; /* in the slot, or NULL */
	bool loading; /* was not seen enabled yet */
	bool saving;
};

#define RF_NODES_MAX (RF_NODE_PAGING + 1u)
#define RF_PACKET_MONITORED 64u

struct rf_doorbell {
	void *h_core;
	struct rf_hw_queue *queue;
	u32 physical; /* valid while bound */
	bool bound;
	u64 bound_at; /* for choosing the longest bound */
};

struct rf_miniport {
	struct rf_bus *bus;
	void *h_core;
	const struct rf_dxgk_callbacks *callbacks;
	bool optimized; /* report queues, not fences (S0-126) */

	struct rf_block block[RF_BLOCK_TYPE_NODE + 1];
	u32 slots;
	u32 doorbells;
	u32 nodes;
	bool monitored_shadow;
	u64 local_memory_bytes;
	u64 timestamp_hz;
	bool native_fence; /* enabled by the OS */
	struct rf_feature_native_fence_caps_1 os_caps;

	struct rf_address_space space[RF_VMIDS];

	struct rf_spinlock lock;
	struct rf_list fences[RF_FENCE_BUCKETS];
	struct rf_hw_queue *queue[RF_SLOTS_MAX];
	u32 next_handle;

	struct rf_doorbell *bound[RF_DOORBELLS_MAX]; /* by physical doorbell */
	u64 bindings; /* bindings made so far */

	struct rf_packet_node packet_node[RF_NODES_MAX]; /* guarded by the core's device lock */

	u32 updates_posted; /* guarded by the core's device lock */

	struct rf_mem *ring; /* interrupt ring */
	u64 ring_address; /* in the system process */
	u32 consumer; /* interrupt service only */
};

/* --- registers ------------------------------------------------------------------ */

/* Address of a register, by the block's place as discovered. */
#define RF_REGISTER(miniport, BLOCK, REGISTER)                                           \
	((miniport)->block[RF_BLOCK_TYPE_##BLOCK].offset + RF_REG_##BLOCK##_##REGISTER - \
	 RF_##BLOCK##_BLOCK_OFFSET)

#define RF_REGISTER_AT(miniport, BLOCK, REGISTER, index)             \
	((miniport)->block[RF_BLOCK_TYPE_##BLOCK].base +             \
	 (index) * (miniport)->block[RF_BLOCK_TYPE_##BLOCK].stride + \
	 RF_REG_##BLOCK##_##REGISTER(0) - RF_##BLOCK##_INDEXED_BASE)

#define RF_FIELD_GET(FIELD, value) (((value)&FIELD##_MASK) >> FIELD##_SHIFT)
#define RF_FIELD(FIELD, value) (((u64)(value) << FIELD##_SHIFT) & FIELD##_MASK)

static inline u64 rf_register_read(struct rf_miniport *miniport, u64 offset)
{
	return rf_bus_read64(miniport->bus, RF_BAR_REGISTERS, offset);
}

static inline void rf_register_write(struct rf_miniport *miniport, u64 offset, u64 value)
{
	rf_bus_write64(miniport->bus, RF_BAR_REGISTERS, offset, value);
}

/*
 * Read a register until (value & mask) == want. The device answers each poll
 * at once, and what is waited for depends on nothing but the device, so the
 * bound is only met by a dead one. Returns 0 or -EIO. Any level.
 */
int rf_register_poll(struct rf_miniport *miniport, u64 offset, u64 mask, u64 want);
/* The same until (value & mask) != @unwanted. */
int rf_register_poll_not(struct rf_miniport *miniport, u64 offset, u64 mask, u64 unwanted);

/* Push what CPUs sent, and see what the device sent, before this. Any level. */
void rf_device_flush(struct rf_miniport *miniport);

/*
 * Memory that the device reaches, the driver's own: in system memory, or in local
 * memory on a bus without DMA. PASSIVE.
 */
int rf_device_memory(struct rf_miniport *miniport, u64 bytes, struct rf_mem **mem);

/* --- rf_page_table.c -------------------------------------------------------------- */

#define RF_PHYSICAL_LOCAL (1ull << 55) /* in a physical address: local memory */

u64 rf_mem_physical(const struct rf_mem *mem);
/* A root that maps nothing, or NULL. */
struct rf_page_table *rf_page_table_create(struct rf_miniport *miniport);
/* Nothing is mapped any more, and the device does not use it. */
void rf_page_table_destroy(struct rf_page_table *root);
/* As the register TRANSLATION.ROOT has it. */
u64 rf_page_table_root(const struct rf_page_table *root);
/* Map pages that are not. -ENOMEM: some of them may be mapped. */
int rf_page_table_map(struct rf_miniport *miniport, struct rf_page_table *root, u64 address,
		      u64 physical, u64 bytes, bool writable);
/* Unmap pages, mapped or not; tables that are @empty are for rf_page_tables_free(), once
 * the device has forgotten them. */
void rf_page_table_unmap(struct rf_page_table *root, u64 address, u64 bytes, struct rf_list *empty);
void rf_page_tables_free(struct rf_list *tables);

/* --- rf_address.c ----------------------------------------------------------------- */

/* 0, -EIO, -ENOMEM. */
int rf_address_start(struct rf_miniport *miniport);
void rf_address_stop(struct rf_miniport *miniport);
int rf_create_process(void *h_adapter, struct rf_create_process *arguments);
void rf_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments);
int rf_map_gpu_virtual_address(void *h_adapter, struct rf_map_gpu_virtual_address *arguments);
void rf_unmap_gpu_virtual_address(void *h_adapter,
				  const struct rf_unmap_gpu_virtual_address *arguments);

/* --- rf_fence.c ------------------------------------------------------------------- */

int rf_create_native_fence(void *h_adapter, struct rf_create_native_fence *arguments);
int rf_open_native_fence(void *h_adapter, struct rf_open_native_fence *arguments);
int rf_close_native_fence(void *h_adapter, const struct rf_close_native_fence *arguments);
int rf_destroy_native_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments);
int rf_update_monitored_values(void *h_adapter, const struct rf_update_monitored_values *arguments);
int rf_update_current_values_from_cpu(void *h_adapter,
				      const struct rf_update_current_values_from_cpu *arguments);
/* Core's handle of the fence a record names, or NULL. rf_miniport.lock is held. */
void *rf_fence_find(struct rf_miniport *miniport, u32 vmid, u64 current_address);

/* --- rf_queue.c ------------------------------------------------------------------- */

int rf_create_hw_queue(void *h_adapter, struct rf_create_hw_queue *arguments);
void rf_destroy_hw_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments);
void rf_resume_hw_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments);
int rf_set_native_fence_log_buffer(void *h_adapter,
				   const struct rf_set_native_fence_log_buffer *arguments);
int rf_update_native_fence_logs(void *h_adapter,
				const struct rf_update_native_fence_logs *arguments);
/* Give a disabled slot its ring, at count 0. PASSIVE. */
void rf_queue_set_ring(struct rf_miniport *miniport, const struct rf_hw_queue *queue,
		       const struct rf_ring *ring);
/* Stop the slot; on return the device makes no access for it. PASSIVE. */
void rf_queue_stop(struct rf_miniport *miniport, const struct rf_hw_queue *queue);
/* Take the write pointer from the queue's record once. PASSIVE. */
int rf_queue_resample(struct rf_miniport *miniport, const struct rf_hw_queue *queue);
u32 rf_log2(u32 value);
/* Queue with this handle, or NULL. rf_miniport.lock is held. */
struct rf_hw_queue *rf_queue_find(struct rf_miniport *miniport, u32 handle);

/* --- rf_kernel_ring.c ------------------------------------------------------------- */

/* Empty. PASSIVE. */
int rf_kernel_ring_create(struct rf_miniport *miniport, struct rf_address_space *space,
			  struct rf_kernel_ring *ring);
/* The device does not use it any more. PASSIVE. */
void rf_kernel_ring_destroy(struct rf_miniport *miniport, struct rf_address_space *space,
			    struct rf_kernel_ring *ring);
bool rf_kernel_ring_is_full(const struct rf_kernel_ring *ring);
/* Returns which submission it is; the device has to be told to look. Any level, here and
 * below. */
u64 rf_kernel_ring_append(struct rf_kernel_ring *ring, u64 address, u32 size, u64 progress);
/* Have a submission that is not complete report another value. */
void rf_kernel_ring_set_progress(struct rf_kernel_ring *ring, u64 submission, u64 value);
/* Have a submission that the device has not begun do nothing. */
void rf_kernel_ring_clear(struct rf_kernel_ring *ring, u64 submission);

/* --- rf_submit.c ------------------------------------------------------------------ */

int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments);

/* --- rf_packet_context.c ---------------------------------------------------------- */

#define RF_CONTEXT_BYTES (RF_SLOT_INDEXED_STRIDE * 1u)

int rf_create_context(void *h_adapter, struct rf_create_context *arguments);
void rf_destroy_context(void *h_adapter, const struct rf_destroy_context *arguments);
/* What a new context is to find in its save area. */
void rf_packet_context_image(const struct rf_packet_context *context,
			     u64 words[RF_CONTEXT_BYTES / 8]);

/* --- rf_packet_node.c ------------------------------------------------------------- */

/* One more context on the node; -EBUSY: there is no slot for it. PASSIVE. */
int rf_packet_node_get(struct rf_miniport *miniport, struct rf_packet_node *node);
void rf_packet_node_put(struct rf_miniport *miniport, struct rf_packet_node *node);
/* Does a node hold the slot? */
bool rf_packet_node_has(const struct rf_miniport *miniport, u32 slot);
/* Drop a context's packets, and have the device forget it. DEVICE. */
void rf_packet_node_drop(struct rf_miniport *miniport, struct rf_packet_context *context);
int rf_submit_command(void *h_adapter, const struct rf_submit_command *arguments);
int rf_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments);
/* Was the record about a context? Of the interrupt service, here and below. */
bool rf_packet_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record);
/* Records may have been lost. */
void rf_packet_nodes_look(struct rf_miniport *miniport);

/* --- rf_paging.c ------------------------------------------------------------------ */

int rf_build_paging_buffer(void *h_adapter, struct rf_build_paging_buffer *arguments);

/* --- rf_doorbell.c ---------------------------------------------------------------- */

int rf_create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments);
int rf_connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments);
void rf_disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments);
void rf_destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments);
void rf_notify_work_submission(void *h_adapter, const struct rf_notify_work_submission *arguments);

/* --- rf_interrupt.c --------------------------------------------------------------- */

int rf_interrupt_start(struct rf_miniport *miniport);
void rf_interrupt_stop(struct rf_miniport *miniport);
bool rf_interrupt_routine(void *h_adapter, u32 message_number);
void rf_dpc_routine(void *h_adapter);

/* --- rf_start.c ------------------------------------------------------------------- */

/* The miniport; the second one reports interrupts by queue (S0-126). */
extern const struct rf_ddi rf_ringfence_ddi;
extern const struct rf_ddi rf_ringfence_optimized_ddi;

#endif /* RF_MINIPORT_H */
