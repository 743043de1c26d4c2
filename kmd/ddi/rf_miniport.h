/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The miniport of the Ringfence device: what its files share.
 *
 *   rf_start.c      discovery, start, stop, capabilities
 *   rf_poll.c       waiting for what no record tells of
 *   rf_address.c    address spaces: the only writer of the translation block
 *   rf_page_table.c page tables: the only writer of their entries
 *   rf_kept.c       memory that the device may still reach
 *   rf_fence.c      native fences, monitored and current values
 *   rf_queue.c      hardware queues, log buffers
 *   rf_context.c    the words of a queue, in a slot or saved
 *   rf_schedule.c   queues in and out of slots; hardware contexts, suspended or not
 *   rf_kernel_ring.c rings that the driver keeps
 *   rf_submit.c     submission to kernel-mode queues
 *   rf_packet_context.c contexts of the packet model, and what is saved of them
 *   rf_packet_node.c    the hardware queue of packets of each node
 *   rf_render.c     DMA buffers from render commands
 *   rf_paging.c     what the paging node is to do
 *   rf_reset.c      engines that do not answer; reset of one, or of the device
 *   rf_dump.c       what the device says of itself after a hang
 *   rf_registers.c  its registers by name (generated)
 *   rf_doorbell.c   doorbells
 *   rf_interrupt.c  interrupt ring
 *   rf_check.c      what the interrupt ring did not say; a device that is lost
 *   rf_power.c      idle engines, F-states, D-states
 *
 * Locking. PASSIVE functions come one at a time (the core's DDI mutex) and own
 * doorbells and address spaces. @lock guards what the interrupt service and the
 * scheduler also look at: the tables of fences and queues, which queue is in which slot
 * and which address space has which VMID, BIND of the doorbells, the invalidation of
 * translations, and resets under way. It is taken inside the core's device lock, never the other way
 * round, and is released before the core is called. What belongs to the packet model is
 * guarded by the core's device lock itself, by way of synchronize_execution.
 */
#ifndef RF_MINIPORT_H
#define RF_MINIPORT_H

#include "rf_ddi.h"
#include "rf_list.h"
#include "ringfence_hw.h"

#define RF_FENCE_BUCKETS 64
#define RF_QUEUE_BUCKETS 64
#define RF_PROCESSES_MAX 65536 /* each user may have few of them */
#define RF_TOKENS 0xffffu /* 1 .. */
#define RF_SLOTS_MAX 16
#define RF_NODES_MAX (RF_NODE_PAGING + 1u)
#define RF_DOORBELLS_MAX 16
#define RF_INTERRUPT_LOG2 8
/* More than all records that are not of fences can be at once */
#define RF_DEFERRED_MAX (2 * RF_INTERRUPT_RESERVED)

struct rf_block {
	u64 offset;
	u64 base; /* of its indexed registers */
	u64 stride;
	u32 count;
};

/*
 * An address space. The system process has VMID 0; of the others those with resident
 * queues have one, and keep it until another needs it. Contexts of the packet model use that
 * of their node, which stands for the space of the one that is loaded, or was last.
 */
struct rf_address_space {
	u32 vmid; /* or RF_VMID_NONE */
	struct rf_page_table *root;
	struct rf_list ranges; /* what is mapped, by address */
	u64 next; /* where the search for room begins */
};

#define RF_VMID_NONE U32_MAX
#define RF_SLOT_NONE U32_MAX

/* What the device was told to do, by the register that shows when it has. */
struct rf_pending {
	u64 offset;
	u64 mask;
	u64 value; /* of (register & mask) that says so */
	bool differs; /* any other says so */
	u32 reads; /* so far */
};

/*
 * What a VMID stands for. It changes hands only when every record of queues that had it
 * was read, of which the `preempted` one is the last.
 */
struct rf_vmid {
	struct rf_address_space *space; /* or NULL */
	u32 queues; /* in slots, or their last record was not read */
	bool is_node; /* a node has it for its packets */
	u64 invalidation; /* number of that after which it may be used */
};

/* Invalidations of translations, one at a time; they have numbers, from 1. */
struct rf_invalidations {
	u64 begun;
	u64 done;
	struct rf_pending pending; /* of the last one */
};

/* What a fence is called in an address space: where CurrentValue is. */
struct rf_fence_name {
	struct rf_list bucket; /* in rf_miniport.fences */
	const struct rf_address_space *space;
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

/* A node, as its reset sees it. */
struct rf_hw_node {
	bool stopped; /* from reset to resumption nothing is reported; guarded by lock */
	/* What the last query_engine_status saw; PASSIVE */
	u64 retired;
	u64 alive;
	u64 progress;
};

/* Where a queue's ring is, in its process. */
struct rf_ring {
	u64 address;
	u64 write_pointer_address;
	struct rf_value_address write_pointer; /* the same, for the CPU */
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

/* A hardware context: the queues of a process on a node that are suspended together. */
struct rf_hw_context {
	struct rf_list link; /* in rf_miniport.contexts */
	struct rf_list queues; /* by rf_hw_queue.context_link */
	struct rf_address_space *space;
	u32 node;
	u32 priority;
	u32 residents; /* queues in slots */
	bool suspending; /* once @residents is 0, the core is to be told of */
	u64 suspend_fence; /* this */
};

/* Where the context of a queue is saved. */
struct rf_save_area {
	struct rf_save_page *page;
	u64 offset;
};

enum rf_residence {
	RF_QUEUE_SAVED,
	RF_QUEUE_RESIDENT,
	RF_QUEUE_LEAVING, /* until its `preempted` record was read */
};

/* A hardware queue. */
struct rf_hw_queue {
	struct rf_list bucket; /* in rf_miniport.queues */
	struct rf_list context_link;
	struct rf_hw_context *context;
	struct rf_doorbell *doorbell; /* or NULL */
	u32 handle; /* in the device's records: never used twice */
	u32 token; /* of the global doorbell; 0: none */
	enum rf_residence residence;
	u32 slot; /* unless saved */
	bool loading; /* it has a slot, which was not seen enabled yet and takes no command */
	bool switching; /* one of its logs: it does not leave its slot before that is done */
	bool resuming; /* once it is loaded or saved, it does not stand still any more */
	struct rf_pending pending; /* of loading */
	struct rf_save_area save;
	struct rf_value_address write_pointer; /* its record; no ring: mem is NULL */
	u32 entries; /* of its ring */
	bool error_told; /* the core knows that it is in error; guarded by lock, as the next */
	bool stop_told; /* ... that it stands still */
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

enum rf_packet_slot {
	RF_PACKET_SLOT_EMPTY, /* it makes no access */
	RF_PACKET_SLOT_LOADING, /* a context, and takes no command meanwhile */
	RF_PACKET_SLOT_LOADED,
	RF_PACKET_SLOT_SAVING, /* what is loaded; a record tells when it has */
	RF_PACKET_SLOT_STOPPING, /* without saving it */
};

/* What is told, and done, once the slot makes no access any more. */
struct rf_packet_fault {
	struct rf_packet_context *context; /* that cannot go on; NULL: none */
	u32 error;
	u64 address;
};

/* A node, as the packet model sees it; it holds a slot while there are contexts. */
struct rf_packet_node {
	u32 ordinal;
	u32 contexts; /* made on it */
	u32 slot;
	u32 vmid; /* of what is loaded there */
	struct rf_mem *progress; /* value, and from RF_PACKET_MONITORED on its MonitoredValue */
	u64 progress_address;
	struct rf_packet packets[RF_PACKET_CAP]; /* hardware queue: by the three counts */
	u32 completed, given, submitted; /* free-running; given: to the device */
	u64 last_completed_id;
	u64 preemption_id; /* to be answered; 0: none */
	struct rf_packet_context *loaded; /* in the slot, or on its way; NULL when it is empty */
	enum rf_packet_slot state; /* of the slot */
	struct rf_pending pending; /* of loading, stopping, or a save that is watched */
	bool stop; /* once it is loaded it stops */
	bool held; /* nothing begins: its packets are being taken back */
	struct rf_packet_fault fault;
};

#define RF_PACKET_MONITORED 64u

/* A slot, as rf_check.c saw it last. */
struct rf_slot_look {
	u32 handle;
	u64 state;
	u32 count; /* looks that found the same */
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
	bool global_doorbell; /* one doorbell for all queues (S3-9) */
	u32 scheduling_caps; /* of those that a driver may have or not */

	struct rf_block block[RF_BLOCK_TYPE_NODE + 1];
	u32 slots;
	u32 doorbells;
	u32 nodes;
	bool monitored_shadow;
	u64 local_memory_bytes;
	u64 timestamp_hz;
	bool native_fence; /* enabled by the OS */
	struct rf_feature_native_fence_caps_1 os_caps;

	bool stale; /* the device may know translations that are none any more; atomic */
	struct rf_list kept_tables; /* page tables that it may still read */
	struct rf_mem *kept_mems; /* by rf_mem.next_kept: memory that it may still access */
	struct rf_address_space system; /* the system process */
	u32 processes; /* the others */
	u32 places; /* at which their addresses begin, given out so far */
	u32 queue_count;
	struct rf_list save_pages;

	struct rf_spinlock lock;
	struct rf_list fences[RF_FENCE_BUCKETS];
	struct rf_list queues[RF_QUEUE_BUCKETS];
	struct rf_list contexts;
	struct rf_hw_queue *slot[RF_SLOTS_MAX]; /* who is in it, or NULL */
	struct rf_vmid vmid[RF_VMIDS];
	struct rf_invalidations invalidations;
	u32 next_handle;
	u32 next_token;

	struct rf_hw_node node[RF_NODES_MAX];
	bool resetting; /* the interrupt ring means nothing; guarded by lock */
	/* Records of stopped nodes, told later; interrupt service only */
	struct rf_interrupt_record deferred[RF_DEFERRED_MAX];
	u32 deferred_count;
	bool deferred_unknown; /* and there were more, of fences, or some that were lost */
	/* What the last look at each slot found, for as many looks; interrupt service only */
	struct rf_slot_look looks[RF_SLOTS_MAX];
	bool busy; /* atomic: dpc_routine has to look at slots that are loaded or stopped */
	bool lost; /* atomic: it is not waited for any more, until it is reset */
	bool lost_told; /* interrupt service only */
	bool nonsense_told; /* ditto */

	struct rf_doorbell *bound[RF_DOORBELLS_MAX]; /* by physical doorbell */
	u64 bindings; /* bindings made so far */

	struct rf_packet_node packet_node[RF_NODES_MAX]; /* guarded by the core's device lock */

	u32 updates_posted; /* guarded by the core's device lock, as the next two */
	bool updating; /* the device was not seen to be done with them */
	struct rf_pending updates;
	u64 retired[RF_NODES_MAX]; /* by node, at the last look for idle engines */

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

/* Of a queue's slot; the offset is that in its context. */
#define RF_SLOT_REGISTER(miniport, queue, offset)     \
	((miniport)->block[RF_BLOCK_TYPE_SLOT].base + \
	 (queue)->slot * (miniport)->block[RF_BLOCK_TYPE_SLOT].stride + (offset))
/* Offset of a slot's register, and of its word in a context. */
#define RF_CONTEXT_BYTES 256u /* of a saved context */
#define RF_CONTEXT(REGISTER) ((u64)(RF_REG_SLOT_##REGISTER(0) - RF_SLOT_INDEXED_BASE))

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

/* Find the register blocks and read what the device has; changes nothing. 0, -ENODEV. */
int rf_device_identify(struct rf_miniport *miniport);
/* A device that is gone reads all ones; one that hangs gives the same count twice. 0, -EIO. */
int rf_check_alive(struct rf_miniport *miniport);
/* Push what CPUs sent, and see what the device sent, before this. Any level. */
void rf_device_flush(struct rf_miniport *miniport);

/* A register of the node's engine. */
#define RF_NODE_REGISTER(miniport, REGISTER, node) \
	RF_REGISTER_AT(miniport, NODE, REGISTER, rf_node_engine(node))

/* The engine of a node, which is also the number of its registers (enum rf_node). */
static inline u32 rf_node_engine(u32 node)
{
	return node == RF_NODE_PAGING ? RF_NODE_COPY : node;
}

/* --- rf_poll.c -------------------------------------------------------------------- */

/* ns that a thread sleeps between two looks */
#define RF_LOOK_PERIOD 20000u
/* Reads of a register in one look, with interrupts off or not; and in all looks, until a device
 * that does not do what it was told is lost */
#define RF_READS_PER_LOOK 64u
#define RF_READS_MAX 20000u

/*
 * Has the device done what it was told? 0; -EINPROGRESS: not yet, look again later; -EIO: it is
 * lost, or away. Any level; whoever owns @pending has one look at a time.
 */
int rf_pending_look(struct rf_miniport *miniport, struct rf_pending *pending);
/* The same by one read. */
int rf_pending_look_once(struct rf_miniport *miniport, struct rf_pending *pending);
/* Sleep until (register & @mask) == @value. 0, -EIO. PASSIVE, without a spinlock. */
int rf_register_await(struct rf_miniport *miniport, u64 offset, u64 mask, u64 value);
/* Give rf_miniport.lock, sleep for a moment, and take it again. PASSIVE. */
unsigned long rf_unlock_and_sleep(struct rf_miniport *miniport, unsigned long flags);

/* Do what can be done; true: all of it is. */
typedef bool rf_step_fn(struct rf_miniport *miniport, void *argument);
/*
 * Take @step again and again until it is done, or the device is lost: until a slot that was told
 * to stop has. What the slot has in the node's engine for too long is given up by a reset of
 * that, and the device is lost if that does not help. It sleeps between two steps. PASSIVE,
 * without a spinlock.
 */
void rf_await_stopped(struct rf_miniport *miniport, u32 node, u32 slot, rf_step_fn *step,
		      void *argument);

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
/* One that is to go to such a list. */
struct rf_list *rf_page_table_link(struct rf_page_table *root);

/* --- rf_kept.c -------------------------------------------------------------------- */

/* Translations that are none any more may still be in use. Any level, as the next. */
bool rf_is_stale(const struct rf_miniport *miniport);
void rf_set_stale(struct rf_miniport *miniport);
/* Until the function is reset. PASSIVE, and so all that follow. */
void rf_keep_mem(struct rf_miniport *miniport, struct rf_mem *mem);
void rf_keep_tables(struct rf_miniport *miniport, struct rf_list *tables);
/* It was, and knows nothing any more. */
void rf_forget_kept(struct rf_miniport *miniport);
/* The device is not used any more. */
void rf_end_kept(struct rf_miniport *miniport);

/* --- rf_address.c ----------------------------------------------------------------- */

/* 0, -EIO, -ENOMEM. */
int rf_address_start(struct rf_miniport *miniport);
/* After a reset, whatever the device knew before. -EIO. */
int rf_address_restart(struct rf_miniport *miniport);
void rf_address_stop(struct rf_miniport *miniport);
int rf_create_process(void *h_adapter, struct rf_create_process *arguments);
int rf_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments);
int rf_map_gpu_virtual_address(void *h_adapter, struct rf_map_gpu_virtual_address *arguments);
int rf_replace_gpu_page(void *h_adapter, const struct rf_replace_gpu_page *arguments);
int rf_unmap_gpu_virtual_address(void *h_adapter,
				 const struct rf_unmap_gpu_virtual_address *arguments);

/*
 * Have an address space with a VMID; -EBUSY: all of them belong to such with resident
 * queues; -EINPROGRESS: the device is busy, call again; -EIO. rf_miniport.lock is held, here and
 * below.
 */
int rf_space_assign(struct rf_miniport *miniport, struct rf_address_space *space);
/* A VMID for a node, or 0: all of them belong to such with resident queues. */
u32 rf_node_vmid_take(struct rf_miniport *miniport);
/*
 * Have a node's VMID stand for a space. -EBUSY: not before records about the one that it
 * stands for were read; -EINPROGRESS: the device is busy, call again; -EIO.
 */
int rf_node_vmid_bind(struct rf_miniport *miniport, u32 vmid, struct rf_address_space *space);
/* It is the node's no more; its records may still come. PASSIVE, the lock is not held. */
void rf_node_vmid_give(struct rf_miniport *miniport, u32 vmid);

/* --- rf_context.c ----------------------------------------------------------------- */

/* A save area, all 0. -ENOMEM. PASSIVE, as its end. */
int rf_save_area_create(struct rf_miniport *miniport, struct rf_save_area *area);
void rf_save_area_destroy(struct rf_miniport *miniport, struct rf_save_area *area);
u64 rf_save_area_address(const struct rf_save_area *area);
/* A word of the saved context, by RF_CONTEXT(). */
u64 rf_saved_read(const struct rf_hw_queue *queue, u64 offset);
void rf_saved_write(struct rf_hw_queue *queue, u64 offset, u64 value);
/* A saved context that stands still goes on when it comes in. */
void rf_saved_resume(struct rf_hw_queue *queue);
/*
 * Is the context in the queue's slot? Else it is in the save area, or is being saved there.
 * rf_miniport.lock is held, here and below.
 */
bool rf_queue_in_slot(const struct rf_hw_queue *queue);
/* Wherever it is; of a queue that leaves its slot: what it was when it came in. */
u64 rf_context_read(struct rf_miniport *miniport, struct rf_hw_queue *queue, u64 offset);

/* --- rf_schedule.c ------------------------------------------------------------------ */

int rf_create_hw_context(void *h_adapter, struct rf_create_hw_context *arguments);
void rf_destroy_hw_context(void *h_adapter, const struct rf_destroy_hw_context *arguments);
int rf_suspend_context(void *h_adapter, const struct rf_suspend_context *arguments);
void rf_resume_context(void *h_adapter, const struct rf_resume_context *arguments);
int rf_make_hw_queue_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments);
void rf_evict_hw_queue(void *h_adapter, const struct rf_evict_hw_queue *arguments);
void rf_rearm_hw_queue(void *h_adapter, const struct rf_rearm_hw_queue *arguments);
void rf_query_hw_queue_work(void *h_adapter, struct rf_query_hw_queue_work *arguments);
/* A queue or a process came or went. PASSIVE. */
void rf_schedule_count(struct rf_miniport *miniport);
/* Have a resident queue preempted. rf_miniport.lock is held. */
void rf_queue_leave(struct rf_miniport *miniport, struct rf_hw_queue *queue);
/* It is, and has no slot any more. rf_miniport.lock is held. */
void rf_queue_left(struct rf_miniport *miniport, struct rf_hw_queue *queue);
/*
 * Go on with a queue that is being loaded. 0: it is in its slot, or saved; -EINPROGRESS; -EIO.
 * rf_miniport.lock is held.
 */
int rf_queue_look_loaded(struct rf_miniport *miniport, struct rf_hw_queue *queue);
/* Go on with the next of them; true: some are not loaded yet. DEVICE. */
bool rf_queues_look_loaded(struct rf_miniport *miniport);
/*
 * Take rf_miniport.lock at a moment when the queue is in its slot, or makes no access from
 * there any more, and its context is saved. PASSIVE; it sleeps.
 */
unsigned long rf_queue_lock_settled(struct rf_miniport *miniport, struct rf_hw_queue *queue);
/* One of its logs is switched, or not any more: it leaves afterwards. rf_miniport.lock is held. */
void rf_queue_set_switching(struct rf_miniport *miniport, struct rf_hw_queue *queue,
			    bool switching);
/* Contexts whose last queue has left are suspended. DEVICE. */
void rf_tell_suspended(struct rf_miniport *miniport);
/* The device was reset: nobody is in a slot any more, and the core is told so. DEVICE. */
void rf_slots_forget(struct rf_miniport *miniport);
/* Records of the interrupt service. */
void rf_preempted_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record);
/* A `preempted` record that says of no save that it succeeded: was it about a queue, or a
 * context, that could not be loaded? */
bool rf_restore_failed_record(struct rf_miniport *miniport,
			      const struct rf_interrupt_record *record);
bool rf_packet_restore_failed_record(struct rf_miniport *miniport,
				     const struct rf_interrupt_record *record);
void rf_yield_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record);
void rf_pending_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record);

/* --- rf_fence.c ------------------------------------------------------------------- */

int rf_create_native_fence(void *h_adapter, struct rf_create_native_fence *arguments);
int rf_open_native_fence(void *h_adapter, struct rf_open_native_fence *arguments);
int rf_close_native_fence(void *h_adapter, const struct rf_close_native_fence *arguments);
int rf_destroy_native_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments);
int rf_update_monitored_values(void *h_adapter, const struct rf_update_monitored_values *arguments);
int rf_update_current_values_from_cpu(void *h_adapter,
				      const struct rf_update_current_values_from_cpu *arguments);
/* Core's handle of the fence a record names, or NULL. rf_miniport.lock is held. */
void *rf_fence_find(struct rf_miniport *miniport, const struct rf_address_space *space,
		    u64 current_address);

/* --- rf_queue.c ------------------------------------------------------------------- */

int rf_create_hw_queue(void *h_adapter, struct rf_create_hw_queue *arguments);
void rf_destroy_hw_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments);
void rf_resume_hw_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments);
int rf_set_native_fence_log_buffer(void *h_adapter,
				   const struct rf_set_native_fence_log_buffer *arguments);
int rf_update_native_fence_logs(void *h_adapter,
				const struct rf_update_native_fence_logs *arguments);
/* Give a queue that is not resident its ring, at count 0; NULL: take it away. PASSIVE. */
void rf_queue_set_ring(struct rf_miniport *miniport, struct rf_hw_queue *queue,
		       const struct rf_ring *ring);
/* If the queue is resident, take the write pointer from its record once. PASSIVE; it sleeps. */
int rf_queue_resample(struct rf_miniport *miniport, struct rf_hw_queue *queue);
u32 rf_log2(u32 value);
/* Queue with this handle, or NULL. rf_miniport.lock is held. */
struct rf_hw_queue *rf_queue_find(struct rf_miniport *miniport, u32 handle);
/* Queue with this token, or NULL. rf_miniport.lock is held. */
struct rf_hw_queue *rf_queue_find_token(struct rf_miniport *miniport, u32 token);

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
/* Nothing was ever appended. */
void rf_kernel_ring_clear_all(struct rf_kernel_ring *ring);
/* Have a submission that is not complete report another value. */
void rf_kernel_ring_set_progress(struct rf_kernel_ring *ring, u64 submission, u64 value);
/* Have a submission that the device has not begun do nothing. */
void rf_kernel_ring_clear(struct rf_kernel_ring *ring, u64 submission);

/* --- rf_submit.c ------------------------------------------------------------------ */

int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments);

/* --- rf_packet_context.c ---------------------------------------------------------- */

int rf_create_context(void *h_adapter, struct rf_create_context *arguments);
void rf_destroy_context(void *h_adapter, const struct rf_destroy_context *arguments);
/* A context with a save area of its own, on no node, is as new. */
void rf_packet_context_reset(struct rf_packet_context *context);
/* What a new context is to find in its save area. */
void rf_packet_context_image(const struct rf_packet_context *context,
			     u64 words[RF_CONTEXT_BYTES / 8]);

/* --- rf_packet_node.c ------------------------------------------------------------- */

/* One more context on the node. -EBUSY: there is no slot, or no VMID. PASSIVE. */
int rf_packet_node_get(struct rf_miniport *miniport, struct rf_packet_node *node,
		       struct rf_address_space *space);
void rf_packet_node_put(struct rf_miniport *miniport, struct rf_packet_node *node);
/* Does a node hold the slot? rf_miniport.lock is held. */
bool rf_packet_node_has(const struct rf_miniport *miniport, u32 slot);
/* Drop a context's packets, and have the device forget it. PASSIVE; it sleeps. */
void rf_packet_node_drop(struct rf_miniport *miniport, struct rf_packet_context *context);
int rf_submit_command(void *h_adapter, const struct rf_submit_command *arguments);
int rf_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments);
/* Was the record about a context? Of the interrupt service, here and below. */
bool rf_packet_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record);
/*
 * The engine of the node was reset while it worked for @slot (RF_SLOT_NONE: for none): empty
 * the hardware queue, and return the last id that is complete or aborted. PASSIVE; it sleeps.
 */
u64 rf_packet_node_abort(struct rf_miniport *miniport, struct rf_packet_node *node, u32 slot);
/* The device was reset, and has nothing of any node. */
void rf_packet_nodes_forget(struct rf_miniport *miniport);
/* Records may have been lost. */
void rf_packet_nodes_look(struct rf_miniport *miniport);
/* The same, and slots of nodes are looked at. */
void rf_packet_nodes_check(struct rf_miniport *miniport);

/* --- rf_render.c ------------------------------------------------------------------ */

int rf_render(void *h_adapter, struct rf_render *arguments);
int rf_patch(void *h_adapter, const struct rf_patch *arguments);

/* --- rf_paging.c ------------------------------------------------------------------ */

int rf_build_paging_buffer(void *h_adapter, struct rf_build_paging_buffer *arguments);
/* --- rf_reset.c ------------------------------------------------------------------- */

void rf_engines_watch(struct rf_miniport *miniport);
/* If the engine works for the slot, it is reset. PASSIVE. */
void rf_engine_give_up(struct rf_miniport *miniport, u32 node, u32 slot);
/* Program a device that was reset. -EIO: it does not come back. PASSIVE. */
int rf_device_restart(struct rf_miniport *miniport);
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

/* Let rings reach the queue's slot, or set the doorbell's pending bit. rf_miniport.lock is
 * held. */
void rf_doorbell_set_resident(struct rf_miniport *miniport, const struct rf_hw_queue *queue,
			      bool resident);
/* The next ring is told again, if the queue is not in a slot. */
void rf_doorbell_clear_pending(struct rf_miniport *miniport, const struct rf_hw_queue *queue);

/*
 * A ring of the global doorbell for a queue without a slot: its token, or 0 if there were
 * others. Interrupt service.
 */
u32 rf_global_pending(struct rf_miniport *miniport, u32 token);

/* --- rf_check.c ------------------------------------------------------------------- */

/* From now on nobody waits for the device, until it is reset. Any level. */
void rf_device_set_lost(struct rf_miniport *miniport, const char *reason);
bool rf_device_is_lost(const struct rf_miniport *miniport);
/* dpc_routine is to look what the device was busy with. Any level. */
void rf_set_busy(struct rf_miniport *miniport);
static inline bool rf_is_busy(const struct rf_miniport *miniport)
{
	return __atomic_load_n(&miniport->busy, __ATOMIC_ACQUIRE);
}
/* Have dpc_routine called soon for that. DEVICE. */
void rf_tell_busy(struct rf_miniport *miniport);
/* Tell the core, once. Interrupt service, here and below. */
void rf_device_tell_lost(struct rf_miniport *miniport);
/* Queues in slots that are in error and of which nothing was told. */
void rf_slots_check_errors(struct rf_miniport *miniport);
int rf_check_device(void *h_adapter);
/*
 * Has the slot been found so again and again, by looks that are far apart? Whatever it had
 * to tell of that has been told by then, or never is.
 */
bool rf_slot_stays(struct rf_miniport *miniport, u32 slot, u32 handle, u64 state);

/* --- rf_interrupt.c --------------------------------------------------------------- */

/* An error that a queue stands in, as the device says. */
void rf_tell_error(struct rf_miniport *miniport, struct rf_hw_queue *queue, u64 error, u64 address,
		   u64 status);
/* A record that was lost must not be waited for: the queue left its slot, and is lost. */
void rf_tell_preemption_lost(struct rf_miniport *miniport, struct rf_hw_queue *queue);

int rf_interrupt_start(struct rf_miniport *miniport);
/* The device has nothing in its ring, and begins at its start. */
void rf_interrupt_restart(struct rf_miniport *miniport);
/* What nodes that are not stopped any more had to say meanwhile. DEVICE. */
void rf_records_deferred_tell(struct rf_miniport *miniport);
void rf_interrupt_stop(struct rf_miniport *miniport);
bool rf_interrupt_routine(void *h_adapter, u32 message_number);
void rf_dpc_routine(void *h_adapter);

/* --- rf_power.c ------------------------------------------------------------------- */

void rf_look_for_idle(void *h_adapter);
int rf_set_power_component_f_state(void *h_adapter,
				   const struct rf_set_power_component_f_state *arguments);
int rf_set_power_state(void *h_adapter, const struct rf_set_power_state *arguments);

/* --- rf_start.c ------------------------------------------------------------------- */

/*
 * The miniport; the second one reports interrupts by queue (S0-126), the third one gives
 * all queues one doorbell (S3-9), the fourth one patches addresses (NoDmaPatching 0), and
 * the fifth one leaves preemption out as well (S4-5).
 */
extern const struct rf_ddi rf_ringfence_ddi;
extern const struct rf_ddi rf_ringfence_optimized_ddi;
extern const struct rf_ddi rf_ringfence_global_doorbell_ddi;
extern const struct rf_ddi rf_ringfence_patching_ddi;
extern const struct rf_ddi rf_ringfence_windows7_ddi;

#endif /* RF_MINIPORT_H */
