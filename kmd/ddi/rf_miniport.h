/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The miniport of the Ringfence device: what its files share.
 *
 *   rf_start.c      discovery, start, stop, capabilities
 *   rf_address.c    address spaces: the only writer of the translation block
 *   rf_page_table.c page tables: the only writer of their entries
 *   rf_fence.c      native fences, monitored and current values
 *   rf_queue.c      hardware queues in slots, log buffers
 *   rf_submit.c     rings of kernel-mode queues
 *   rf_doorbell.c   doorbells
 *   rf_interrupt.c  interrupt ring
 *
 * Locking. PASSIVE functions come one at a time (the core's DDI mutex) and own
 * slots, doorbells and address spaces. @lock guards what the interrupt service
 * also looks at: the table of fences and the slots' queue pointers. It is taken
 * inside the core's device lock, never the other way round, and is released
 * before the core is called.
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

/* A hardware queue; it holds its slot from creation to destruction. */
struct rf_hw_queue {
	void *h_core;
	struct rf_address_space *space;
	struct rf_global_fence *progress;
	struct rf_doorbell *doorbell; /* or NULL */
	u32 slot;
	u32 node;
	u32 handle; /* in the device's records: never used twice */
	/* Kernel mode: what rf_submit.c keeps, guarded by the core's order of submissions. */
	struct rf_mem *ring; /* NULL: user mode */
	u64 ring_address; /* in the queue's process */
	u64 written; /* ring entries written */
	u64 taken; /* of them known to be complete */
};

/* Where a queue's ring is, in its process. */
struct rf_ring {
	u64 address;
	u64 write_pointer_address;
	u32 entries; /* power of two */
};

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

/* Push what CPUs sent, and see what the device sent, before this. Any level. */
void rf_device_flush(struct rf_miniport *miniport);

/*
 * Memory that the device reaches, the driver's own: in system memory, or in local
 * memory on a bus without DMA. PASSIVE.
 */
int rf_device_memory(struct rf_miniport *miniport, u64 bytes, struct rf_mem **mem);

/* --- rf_page_table.c -------------------------------------------------------------- */

/* Bytes of a leaf of a level: 4 KiB, 2 MiB, 1 GiB. */
#define RF_LEAF_BYTES(level) (1ull << (RF_PAGE_SHIFT + 9 * (level)))
#define RF_PHYSICAL_LOCAL (1ull << 55) /* in a physical address: local memory */

/* Of the page at @offset. */
u64 rf_mem_physical(const struct rf_mem *mem, u64 offset);
/* A root that maps nothing, or NULL. */
struct rf_page_table *rf_page_table_create(struct rf_miniport *miniport);
/* Nothing is mapped any more, and the device does not use it. */
void rf_page_table_destroy(struct rf_page_table *root);
/* As the register TRANSLATION.ROOT has it. */
u64 rf_page_table_root(const struct rf_page_table *root);
/*
 * Map pages; those that were mapped already are what is asked for now, once the device
 * has forgotten them. -ENOMEM: a part of them may be mapped.
 */
int rf_page_table_map(struct rf_miniport *miniport, struct rf_page_table *root, u64 address,
		      u64 physical, u64 bytes, bool writable);
/*
 * Unmap pages, mapped or not; tables that are @empty are for rf_page_tables_free(), once
 * the device has forgotten them. -ENOMEM: a leaf beyond the range could not be split, so
 * that a part of it is still mapped; never if all that one map made is unmapped.
 */
int rf_page_table_unmap(struct rf_miniport *miniport, struct rf_page_table *root, u64 address,
			u64 bytes, struct rf_list *empty);
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
/* Queue with this handle, or NULL. rf_miniport.lock is held. */
struct rf_hw_queue *rf_queue_find(struct rf_miniport *miniport, u32 handle);

/* --- rf_submit.c ------------------------------------------------------------------ */

/* The ring of a kernel-mode queue; the slot is enabled with it. PASSIVE. */
int rf_kernel_ring_create(struct rf_miniport *miniport, struct rf_hw_queue *queue);
/* The slot is stopped. PASSIVE. */
void rf_kernel_ring_destroy(struct rf_miniport *miniport, struct rf_hw_queue *queue);
int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments);

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
