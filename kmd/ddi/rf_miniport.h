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
 *   rf_preempt.c    preemption of what an engine runs
 *   rf_reset.c      engines that do not answer; reset of one, or of the device
 *   rf_dump.c       what the device says of itself after a hang
 *   rf_registers.c  its registers by name (generated)
 *   rf_doorbell.c   doorbells
 *   rf_interrupt.c  interrupt ring
 *
 * Locking. PASSIVE functions come one at a time (the core's DDI mutex) and own
 * slots, doorbells and address spaces. @lock guards what the interrupt service
 * also looks at: the table of fences, the slots' queue pointers, preemptions and resets
 * under way. It is taken
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
#define RF_NODES_MAX 4
/* More than all records that are not of fences can be at once */
#define RF_DEFERRED_MAX (2 * RF_INTERRUPT_RESERVED)
#define RF_SUBMISSIONS 64u /* that the ring of a kernel-mode queue takes */

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

/* A submission of a kernel-mode queue. */
struct rf_submission {
	u32 fence_id;
	u64 progress; /* value of the progress fence when it is complete */
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
	struct rf_submission submission[RF_SUBMISSIONS]; /* the last ones, in their order */
	bool stopping; /* it is not put back on the device any more; guarded by lock */
};

/* A node, as preemption and reset see it; guarded by lock but for the samples. */
struct rf_hw_node {
	u32 last_submitted; /* submission fence id; guarded by the core's order of submissions */
	/* A preemption that is not answered yet, and what its answer says */
	struct rf_hw_queue *preempting;
	u32 preemption_fence_id;
	u32 last_completed;
	struct rf_hw_queue *preempted; /* off the engine, to be put back */
	bool saved; /* its context lies in the save area */
	bool stopped; /* from reset_hw_engine to resume_hw_engine: nothing is reported */
	/* What the last query_engine_status saw; PASSIVE */
	u64 retired;
	u64 alive;
	u64 progress;
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

	struct rf_hw_node node[RF_NODES_MAX];
	struct rf_mem *save; /* saved contexts, by slot */
	u64 save_address; /* in the system process */
	bool resetting; /* the interrupt ring means nothing; guarded by lock */
	/* Records of stopped nodes, told later; interrupt service only */
	struct rf_interrupt_record deferred[RF_DEFERRED_MAX];
	u32 deferred_count;
	bool deferred_unknown; /* and there were more, of fences, or some that were lost */

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

/* A device that is gone reads all ones; one that hangs gives the same count twice. 0, -EIO. */
int rf_check_alive(struct rf_miniport *miniport);
/* Push what CPUs sent, and see what the device sent, before this. Any level. */
void rf_device_flush(struct rf_miniport *miniport);

/*
 * Memory that the device reaches, the driver's own: in system memory, or in local
 * memory on a bus without DMA. PASSIVE.
 */
int rf_device_memory(struct rf_miniport *miniport, u64 bytes, struct rf_mem **mem);

/* The engine of a node, which is also the number of its registers (enum rf_node). */
static inline u32 rf_node_engine(u32 node)
{
	return node == RF_NODE_PAGING ? RF_NODE_COPY : node;
}

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
/* The same page tables again, after a reset. */
int rf_address_restart(struct rf_miniport *miniport);
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
void rf_queue_set_ring(struct rf_miniport *miniport, struct rf_hw_queue *queue,
		       const struct rf_ring *ring);
/* Stop the slot; on return the device makes no access for it. PASSIVE. */
void rf_queue_stop(struct rf_miniport *miniport, struct rf_hw_queue *queue);
/* Take the write pointer from the queue's record once. PASSIVE. */
int rf_queue_resample(struct rf_miniport *miniport, const struct rf_hw_queue *queue);
/* Submission fence id before that of the first incomplete one on @node. Nobody submits. */
u32 rf_node_last_completed(struct rf_miniport *miniport, u32 node);
/* Queue with this handle, or NULL. rf_miniport.lock is held. */
struct rf_hw_queue *rf_queue_find(struct rf_miniport *miniport, u32 handle);

/* --- rf_submit.c ------------------------------------------------------------------ */

/* The ring of a kernel-mode queue; the slot is enabled with it. PASSIVE. */
int rf_kernel_ring_create(struct rf_miniport *miniport, struct rf_hw_queue *queue);
/* The slot is stopped. PASSIVE. */
void rf_kernel_ring_destroy(struct rf_miniport *miniport, struct rf_hw_queue *queue);
int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments);

/* --- rf_preempt.c ----------------------------------------------------------------- */

int rf_preempt_start(struct rf_miniport *miniport);
void rf_preempt_stop(struct rf_miniport *miniport);
void rf_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments);
/* The device says that a queue is off the engine, its context saved or not. DEVICE. */
void rf_preempted_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record);
/* Put back what was preempted. DISPATCH. */
void rf_preempted_resume(struct rf_miniport *miniport);
/* The queue leaves the device for good: who waits for its preemption has it. PASSIVE. */
void rf_preempt_forget(struct rf_miniport *miniport, struct rf_hw_queue *queue);

/* --- rf_reset.c ------------------------------------------------------------------- */

void rf_engines_watch(struct rf_miniport *miniport);
/* Reset the engine if it has work of the queue's. PASSIVE. */
void rf_engine_drop(struct rf_miniport *miniport, struct rf_hw_queue *queue);
int rf_query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments);
int rf_query_dependent_engine_group(void *h_adapter,
				    struct rf_query_dependent_engine_group *arguments);
int rf_reset_engine(void *h_adapter, struct rf_reset_engine *arguments);
int rf_reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments);
int rf_resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments);
int rf_reset_from_timeout(void *h_adapter);
int rf_restart_from_timeout(void *h_adapter);

/* --- rf_dump.c -------------------------------------------------------------------- */

void rf_collect_debug_info(void *h_adapter, struct rf_writer *writer);

/* --- rf_doorbell.c ---------------------------------------------------------------- */

int rf_create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments);
int rf_connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments);
void rf_disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments);
void rf_destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments);
void rf_notify_work_submission(void *h_adapter, const struct rf_notify_work_submission *arguments);

/* --- rf_interrupt.c --------------------------------------------------------------- */

int rf_interrupt_start(struct rf_miniport *miniport);
/* The same ring again, after a reset. */
void rf_interrupt_restart(struct rf_miniport *miniport);
/* What nodes that are not stopped any more had to say meanwhile. DEVICE. */
void rf_records_deferred_tell(struct rf_miniport *miniport);
void rf_interrupt_stop(struct rf_miniport *miniport);
bool rf_interrupt_routine(void *h_adapter, u32 message_number);
void rf_dpc_routine(void *h_adapter);

/* --- rf_start.c ------------------------------------------------------------------- */

/* The miniport; the second one reports interrupts by queue (S0-126). */
extern const struct rf_ddi rf_ringfence_ddi;
extern const struct rf_ddi rf_ringfence_optimized_ddi;

#endif /* RF_MINIPORT_H */
