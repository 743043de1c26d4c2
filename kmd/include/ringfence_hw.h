/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Generated from rtl/ringfence.toml by tools/generate.py: do not edit.
 *
 * Registers, command packets and memory formats of the device, for kernel
 * and user space. RF_REG_* are offsets in BAR 0; *_MASK are in place.
 */
#ifndef RINGFENCE_HW_H
#define RINGFENCE_HW_H

#include <linux/types.h>

#ifdef __cplusplus
#define RF_HW_ASSERT(condition)		static_assert(condition, #condition)
#else
#define RF_HW_ASSERT(condition)		_Static_assert(condition, #condition)
#endif

/* --- constants --- */

/* PCI vendor id (not assigned by PCI-SIG: project-private) */
#define RF_VENDOR_ID				0x1e5f
/* PCI device id */
#define RF_DEVICE_ID				1
/* PCI class: processing accelerator */
#define RF_CLASS_CODE				0x120000
/* virtual address spaces */
#define RF_VMIDS				16
/* page size of all mappings and of doorbell pages, log2 */
#define RF_PAGE_SHIFT				12
/* BAR 0 offset of doorbell page 0; page i at + i*4096 */
#define RF_DOORBELL_BASE			0x8000
/* doorbell page that takes tokens; it follows the dedicated ones */
#define RF_GLOBAL_PAGE				8
/*
 * doorbell page that other devices write: 8-byte words laid out as the low
 * half of ENTRY of the peer block
 */
#define RF_PEER_PAGE				9
/* fences that devices may signal to each other */
#define RF_PEER_FENCES				64
/* other devices that a device notifies */
#define RF_PEER_TARGETS				4
/* size of a doorbell in its page */
#define RF_DOORBELL_BYTES			8
/* size of BAR 0 */
#define RF_BAR0_BYTES				0x20000
/* size of BAR 4: MSI-X table at 0, PBA at 0x800 */
#define RF_BAR4_BYTES				4096
/* offset of the MSI-X pending bit array in BAR 4 */
#define RF_MSIX_PBA_OFFSET			2048
/* levels of page tables; 512 entries of 8 bytes each */
#define RF_PAGE_TABLE_LEVELS			3
/* MSI-X vectors */
#define RF_MSIX_VECTORS				4
/* most entries in a ring */
#define RF_RING_ENTRIES_MAX			4096
/* a ring must be inside one aligned block of this size */
#define RF_RING_BLOCK_BYTES			0x10000
/* interrupt-ring entries that fence records may not take */
#define RF_INTERRUPT_RESERVED			96
/* fewest entries in the interrupt ring */
#define RF_INTERRUPT_ENTRIES_MIN		128
/* monitored-value updates that may be posted before UPDATE_DONE is read */
#define RF_UPDATE_DEPTH				16
/* low bits of a global-doorbell token; no two queues share them */
#define RF_DOORBELL_TOKEN_INDEX_BITS		12
/* significant bits of a write pointer; the others must be zero */
#define RF_WRITE_POINTER_BITS			48
/*
 * most bytes that an engine still moves when it is preempted; it stops
 * between two of its writes
 */
#define RF_PREEMPTION_CHUNK_BYTES		4096
/* QUANTUM of a queue whose owner asks for nothing, cycles */
#define RF_QUANTUM_DEFAULT			1024
/* MonitoredValue when no CPU waiter exists (S0-9) */
#define RF_MONITORED_NONE			0xffffffffffffffffULL
/* size of one ring_entry */
#define RF_RING_ENTRY_BYTES			16
/* size of one interrupt_record */
#define RF_INTERRUPT_RECORD_BYTES		32
/* size of one log_header */
#define RF_LOG_HEADER_BYTES			40
/* size of one log_entry */
#define RF_LOG_ENTRY_BYTES			48
/* longest command packet, 64-bit words */
#define RF_PACKET_WORDS_MAX			8

/* --- enumerations --- */

/* type field of a register block header */
enum rf_block_type {
	RF_BLOCK_TYPE_DEVICE = 1,
	RF_BLOCK_TYPE_DOORBELL = 2,
	RF_BLOCK_TYPE_SLOT = 3,
	RF_BLOCK_TYPE_FENCE = 4,
	RF_BLOCK_TYPE_INTERRUPT = 5,
	RF_BLOCK_TYPE_TRANSLATION = 6,
	RF_BLOCK_TYPE_COUNTER = 7,
	RF_BLOCK_TYPE_NODE = 8,
	RF_BLOCK_TYPE_PEER = 9,
};

/*
 * nodes; paging, for kernel-mode queues, shares the engine of copy, before
 * all of its queues
 */
enum rf_node {
	RF_NODE_COMPUTE = 0,
	RF_NODE_COPY = 1,
	RF_NODE_PAGING = 2,
};

/* command packet opcodes */
enum rf_opcode {
	RF_OPCODE_NOP = 0,
	RF_OPCODE_SIGNAL = 1,
	RF_OPCODE_WAIT = 2,
	RF_OPCODE_WRITE = 3,
	RF_OPCODE_TIMESTAMP = 4,
	RF_OPCODE_PROGRESS = 5,
	RF_OPCODE_BARRIER = 6,
	RF_OPCODE_SOFTWARE_SIGNAL = 7,
	RF_OPCODE_TRAP = 8,
	RF_OPCODE_COPY = 16,
	RF_OPCODE_FILL = 17,
	RF_OPCODE_VECTOR = 32,
};

/* operation field of VECTOR; 32-bit two's complement elements */
enum rf_vector_operation {
	RF_VECTOR_OPERATION_AXPB = 0,
	RF_VECTOR_OPERATION_ADD = 1,
	RF_VECTOR_OPERATION_XOR = 2,
	RF_VECTOR_OPERATION_MIN = 3,
	RF_VECTOR_OPERATION_MAX = 4,
	RF_VECTOR_OPERATION_SUM = 5,
};

/* kind field of an interrupt record */
enum rf_record_kind {
	RF_RECORD_KIND_FENCE_SIGNALED = 1,
	RF_RECORD_KIND_MONITORED_UPDATE = 2,
	RF_RECORD_KIND_QUEUE_ERROR = 3,
	RF_RECORD_KIND_SOFTWARE_SIGNAL = 4,
	RF_RECORD_KIND_TRAP = 5,
	RF_RECORD_KIND_DOORBELL_PENDING = 6,
	RF_RECORD_KIND_PREEMPTED = 7,
	RF_RECORD_KIND_YIELD = 8,
	RF_RECORD_KIND_ENGINE_HUNG = 9,
};

/* error field of a queue error record and of SLOT_STATUS */
enum rf_queue_error {
	RF_QUEUE_ERROR_NONE = 0,
	RF_QUEUE_ERROR_OPCODE = 1,
	RF_QUEUE_ERROR_LENGTH = 2,
	RF_QUEUE_ERROR_FLAGS = 3,
	RF_QUEUE_ERROR_ALIGNMENT = 4,
	RF_QUEUE_ERROR_RING_ENTRY = 5,
	RF_QUEUE_ERROR_LOG_INDEX = 6,
	RF_QUEUE_ERROR_TRANSLATION = 7,
	RF_QUEUE_ERROR_UNSUPPORTED_REQUEST = 8,
	RF_QUEUE_ERROR_COMPLETER_ABORT = 9,
	RF_QUEUE_ERROR_POISONED = 10,
	RF_QUEUE_ERROR_COMPLETION_TIMEOUT = 11,
	RF_QUEUE_ERROR_BUS_MASTER_DISABLED = 12,
	RF_QUEUE_ERROR_ENGINE = 13,
	RF_QUEUE_ERROR_OPERAND = 14,
	RF_QUEUE_ERROR_ENGINE_RESET = 15,
};

/* result of one memory access */
enum rf_access_status {
	RF_ACCESS_STATUS_OK = 0,
	RF_ACCESS_STATUS_TRANSLATION = 1,
	RF_ACCESS_STATUS_UNSUPPORTED_REQUEST = 2,
	RF_ACCESS_STATUS_COMPLETER_ABORT = 3,
	RF_ACCESS_STATUS_POISONED = 4,
	RF_ACCESS_STATUS_COMPLETION_TIMEOUT = 5,
	RF_ACCESS_STATUS_BUS_MASTER_DISABLED = 6,
};

/* DXGK_NATIVE_FENCE_LOG_TYPE */
enum rf_log_type {
	RF_LOG_TYPE_WAITS = 1,
	RF_LOG_TYPE_SIGNALS = 2,
};

/* DXGK_NATIVE_FENCE_LOG_OPERATION */
enum rf_log_operation {
	RF_LOG_OPERATION_SIGNAL_EXECUTED = 0,
	RF_LOG_OPERATION_WAIT_UNBLOCKED = 1,
};

/* detail of a yield record: why the queue could be swapped */
enum rf_yield_reason {
	RF_YIELD_REASON_BLOCKED = 1,
	RF_YIELD_REASON_IDLE = 2,
	RF_YIELD_REASON_QUANTUM = 3,
};

/* state field of SLOT_STATUS */
enum rf_slot_state {
	RF_SLOT_STATE_DISABLED = 0,
	RF_SLOT_STATE_IDLE = 1,
	RF_SLOT_STATE_RUNNABLE = 2,
	RF_SLOT_STATE_RUNNING = 3,
	RF_SLOT_STATE_WAITING = 4,
	RF_SLOT_STATE_STOPPED_HOST = 5,
	RF_SLOT_STATE_ERROR = 6,
};

/* index of a performance counter */
enum rf_counter {
	RF_COUNTER_RINGS = 0,
	RF_COUNTER_RING_FETCHES = 1,
	RF_COUNTER_COMMAND_FETCHES = 2,
	RF_COUNTER_PACKETS = 3,
	RF_COUNTER_SIGNALS = 4,
	RF_COUNTER_INTERRUPTS_RAISED = 5,
	RF_COUNTER_INTERRUPTS_SUPPRESSED = 6,
	RF_COUNTER_WAITS = 7,
	RF_COUNTER_WAITS_BLOCKED = 8,
	RF_COUNTER_WAITS_RELEASED = 9,
	RF_COUNTER_STALL_ENGINE_CYCLES = 10,
	RF_COUNTER_STALL_FENCE_CYCLES = 11,
	RF_COUNTER_STALL_FETCH_CYCLES = 12,
	RF_COUNTER_TX_WRITE_TLPS = 13,
	RF_COUNTER_TX_WRITE_BYTES = 14,
	RF_COUNTER_TX_READ_TLPS = 15,
	RF_COUNTER_TX_READ_BYTES = 16,
	RF_COUNTER_TX_COMPLETION_TLPS = 17,
	RF_COUNTER_TX_COMPLETION_BYTES = 18,
	RF_COUNTER_TX_MSIX_TLPS = 19,
	RF_COUNTER_RX_WRITE_TLPS = 20,
	RF_COUNTER_RX_WRITE_BYTES = 21,
	RF_COUNTER_RX_READ_TLPS = 22,
	RF_COUNTER_RX_COMPLETION_TLPS = 23,
	RF_COUNTER_RX_COMPLETION_BYTES = 24,
	RF_COUNTER_RX_MALFORMED_TLPS = 25,
	RF_COUNTER_RX_UNSUPPORTED_TLPS = 26,
	RF_COUNTER_RX_UNEXPECTED_COMPLETIONS = 27,
	RF_COUNTER_COMPLETION_TIMEOUTS = 28,
	RF_COUNTER_FAULTS = 29,
	RF_COUNTER_UPDATES = 30,
	RF_COUNTER_BUSY_CYCLES = 31,
};

/* --- the two words that every register block starts with --- */

#define RF_BLOCK_HEADER_IDENTITY		0
#define RF_BLOCK_HEADER_IDENTITY_TYPE_SHIFT	0
#define RF_BLOCK_HEADER_IDENTITY_TYPE_MASK	0xffffULL
#define RF_BLOCK_HEADER_IDENTITY_VERSION_SHIFT	16
#define RF_BLOCK_HEADER_IDENTITY_VERSION_MASK	0xffff0000ULL
#define RF_BLOCK_HEADER_IDENTITY_NEXT_SHIFT	32
#define RF_BLOCK_HEADER_IDENTITY_NEXT_MASK	0xffffffff00000000ULL
#define RF_BLOCK_HEADER_INDEXED			8
#define RF_BLOCK_HEADER_INDEXED_COUNT_SHIFT	0
#define RF_BLOCK_HEADER_INDEXED_COUNT_MASK	0xffffULL
#define RF_BLOCK_HEADER_INDEXED_STRIDE_SHIFT	16
#define RF_BLOCK_HEADER_INDEXED_STRIDE_MASK	0xffff0000ULL
#define RF_BLOCK_HEADER_INDEXED_BASE_SHIFT	32
#define RF_BLOCK_HEADER_INDEXED_BASE_MASK	0xffffffff00000000ULL

/* --- block device --- */

/* Identity, clock, liveness. */
#define RF_DEVICE_BLOCK_OFFSET			0x0
#define RF_DEVICE_BLOCK_VERSION			1

/* ro: Build parameters. */
#define RF_REG_DEVICE_PARAMETERS		0x10
#define RF_DEVICE_PARAMETERS_LOCAL_MEMORY_LOG2_SHIFT	0
#define RF_DEVICE_PARAMETERS_LOCAL_MEMORY_LOG2_MASK	0x3fULL
#define RF_DEVICE_PARAMETERS_SLOTS_SHIFT	8
#define RF_DEVICE_PARAMETERS_SLOTS_MASK		0xff00ULL
#define RF_DEVICE_PARAMETERS_DOORBELLS_SHIFT	16
#define RF_DEVICE_PARAMETERS_DOORBELLS_MASK	0xff0000ULL
#define RF_DEVICE_PARAMETERS_NODES_SHIFT	24
#define RF_DEVICE_PARAMETERS_NODES_MASK		0xf000000ULL
#define RF_DEVICE_PARAMETERS_VECTORS_SHIFT	28
#define RF_DEVICE_PARAMETERS_VECTORS_MASK	0xf0000000ULL
#define RF_DEVICE_PARAMETERS_TAGS_SHIFT		32
#define RF_DEVICE_PARAMETERS_TAGS_MASK		0xff00000000ULL
#define RF_DEVICE_PARAMETERS_MONITORED_SHADOW_SHIFT	40
#define RF_DEVICE_PARAMETERS_MONITORED_SHADOW_MASK	0x10000000000ULL
#define RF_DEVICE_PARAMETERS_VECTOR_ENGINE_SHIFT	41
#define RF_DEVICE_PARAMETERS_VECTOR_ENGINE_MASK	0x20000000000ULL

/*
 * ro: Free-running device time, cycles since reset. Stops while the host
 * stops the clock.
 */
#define RF_REG_DEVICE_TIMESTAMP			0x18

/* ro: Nominal frequency of TIMESTAMP in Hz (a build parameter). */
#define RF_REG_DEVICE_TIMESTAMP_HZ		0x20

/*
 * rw: CPU correlation: a write stores the CPU's time and latches TIMESTAMP;
 * reads return the CPU time last written.
 */
#define RF_REG_DEVICE_CORRELATION		0x28

/* ro: TIMESTAMP latched by the last write of CORRELATION. */
#define RF_REG_DEVICE_CORRELATION_TIMESTAMP	0x30

/*
 * ro: Counts up by one at every read, modulo 2^32; two equal or all-ones
 * reads mean that the device is gone.
 */
#define RF_REG_DEVICE_LIVENESS			0x38

/* ro: Device state. */
#define RF_REG_DEVICE_STATUS			0x40
#define RF_DEVICE_STATUS_IDLE_SHIFT		0
#define RF_DEVICE_STATUS_IDLE_MASK		0x1ULL

/*
 * rw: Cycles after which a read that the link accepted ends as
 * completion_timeout if it has no completion; 0: never.
 */
#define RF_REG_DEVICE_COMPLETION_TIMEOUT	0x48
#define RF_DEVICE_COMPLETION_TIMEOUT_RESET	0x100000ULL

/* wo: Self-test: raises MSI-X vector N for each bit N written as one. */
#define RF_REG_DEVICE_INTERRUPT_TEST		0x50

/* rw: No function; for bring-up. */
#define RF_REG_DEVICE_SCRATCH			0x58

/* --- block doorbell --- */

/* Doorbell models, bindings, and counters of rings. */
#define RF_DOORBELL_BLOCK_OFFSET		0x200
#define RF_DOORBELL_BLOCK_VERSION		1

/* ro: Doorbell models. */
#define RF_REG_DOORBELL_MODELS			0x210
#define RF_DOORBELL_MODELS_DEDICATED_SHIFT	0
#define RF_DOORBELL_MODELS_DEDICATED_MASK	0xffULL
#define RF_DOORBELL_MODELS_GLOBAL_SHIFT		8
#define RF_DOORBELL_MODELS_GLOBAL_MASK		0x100ULL
#define RF_DOORBELL_MODELS_BASE_SHIFT		16
#define RF_DOORBELL_MODELS_BASE_MASK		0xffffffff0000ULL

/* ro: Rings that moved a write pointer. */
#define RF_REG_DOORBELL_RINGS			0x218

/* ro: Rings with a write pointer below the present one. */
#define RF_REG_DOORBELL_RINGS_STALE		0x220

/* ro: Rings with the present write pointer. */
#define RF_REG_DOORBELL_RINGS_REPEATED		0x228

/*
 * ro: Rings with a write pointer more than the ring size ahead of the read
 * pointer, with reserved bits set, or not by one aligned 8-byte store.
 */
#define RF_REG_DOORBELL_RINGS_RANGE		0x230

/* ro: Rings of an unbound doorbell or an unknown token. */
#define RF_REG_DOORBELL_RINGS_UNMAPPED		0x238

/* w1c: Global rings for tokens without a slot. */
#define RF_REG_DOORBELL_GLOBAL_PENDING		0x240
#define RF_DOORBELL_GLOBAL_PENDING_PENDING_SHIFT	0
#define RF_DOORBELL_GLOBAL_PENDING_PENDING_MASK	0x1ULL
#define RF_DOORBELL_GLOBAL_PENDING_LOST_SHIFT	1
#define RF_DOORBELL_GLOBAL_PENDING_LOST_MASK	0x2ULL
#define RF_DOORBELL_GLOBAL_PENDING_TOKEN_SHIFT	16
#define RF_DOORBELL_GLOBAL_PENDING_TOKEN_MASK	0xffff0000ULL

/*
 * rw: Binding of dedicated doorbell i (doorbells beyond MODELS.dedicated
 * read 0).
 */
#define RF_REG_DOORBELL_BIND(i)			(0x280 + 0x8 * (i))
#define RF_DOORBELL_BIND_COUNT			16
#define RF_DOORBELL_BIND_BOUND_SHIFT		0
#define RF_DOORBELL_BIND_BOUND_MASK		0x1ULL
#define RF_DOORBELL_BIND_RESIDENT_SHIFT		1
#define RF_DOORBELL_BIND_RESIDENT_MASK		0x2ULL
#define RF_DOORBELL_BIND_PENDING_SHIFT		2
#define RF_DOORBELL_BIND_PENDING_MASK		0x4ULL
#define RF_DOORBELL_BIND_SLOT_SHIFT		4
#define RF_DOORBELL_BIND_SLOT_MASK		0xf0ULL
#define RF_DOORBELL_BIND_HANDLE_SHIFT		32
#define RF_DOORBELL_BIND_HANDLE_MASK		0xffffffff00000000ULL

/* --- block slot --- */

/*
 * Queue slots: the descriptor and the state of each resident queue. Write
 * all registers except CONTROL and the log registers only while the slot is
 * disabled. The 32 registers of a slot, as 32 words, are the saved context
 * of its queue; those marked as context are restored.
 */
#define RF_SLOT_BLOCK_OFFSET			0x1000
#define RF_SLOT_BLOCK_VERSION			1
#define RF_SLOT_INDEXED_BASE			0x1100
#define RF_SLOT_INDEXED_COUNT			16
#define RF_SLOT_INDEXED_STRIDE			0x100
/* bit i: register i of an index is part of its saved context */
#define RF_SLOT_CONTEXT_MASK			0x3fe37e3fULL

/* rw: There are more queues than slots. */
#define RF_REG_SLOT_OVERSUBSCRIBED		0x1010
#define RF_SLOT_OVERSUBSCRIBED_OVERSUBSCRIBED_SHIFT	0
#define RF_SLOT_OVERSUBSCRIBED_OVERSUBSCRIBED_MASK	0x1ULL

/*
 * rw: Ring, virtual address in the queue's VMID, 16-byte aligned. The whole
 * ring must be inside one aligned block of RING_BLOCK_BYTES.
 */
#define RF_REG_SLOT_RING_BASE(i)		(0x1100 + 0x100 * (i))

/*
 * rw: Descriptor. A write to an enabled slot changes only the handle in
 * fence records.
 */
#define RF_REG_SLOT_CONFIG(i)			(0x1108 + 0x100 * (i))
#define RF_SLOT_CONFIG_RING_LOG2_SHIFT		0
#define RF_SLOT_CONFIG_RING_LOG2_MASK		0xfULL
#define RF_SLOT_CONFIG_VMID_SHIFT		4
#define RF_SLOT_CONFIG_VMID_MASK		0xf0ULL
#define RF_SLOT_CONFIG_NODE_SHIFT		8
#define RF_SLOT_CONFIG_NODE_MASK		0xf00ULL
#define RF_SLOT_CONFIG_PRIORITY_SHIFT		12
#define RF_SLOT_CONFIG_PRIORITY_MASK		0xf000ULL
#define RF_SLOT_CONFIG_TOKEN_SHIFT		16
#define RF_SLOT_CONFIG_TOKEN_MASK		0xffff0000ULL
#define RF_SLOT_CONFIG_HANDLE_SHIFT		32
#define RF_SLOT_CONFIG_HANDLE_MASK		0xffffffff00000000ULL

/* rw: How long the queue may keep the node while others of its band wait. */
#define RF_REG_SLOT_QUANTUM(i)			(0x1110 + 0x100 * (i))
#define RF_SLOT_QUANTUM_CYCLES_SHIFT		0
#define RF_SLOT_QUANTUM_CYCLES_MASK		0xffffffULL

/*
 * rw: The queue's write-pointer record, virtual address in the queue's VMID,
 * 8-byte aligned; read by RESAMPLE.
 */
#define RF_REG_SLOT_WRITE_POINTER_ADDRESS(i)	(0x1118 + 0x100 * (i))

/*
 * rw: READ pointer: number of entries whose command buffers are complete; a
 * fence value of such a buffer may still be on its way. A write (slot
 * disabled) sets read and write pointer and clears the rest of the queue's
 * state; a write of one half takes the other half from the write pointer.
 * Write it after CONFIG: it takes up the ring size.
 */
#define RF_REG_SLOT_POINTERS(i)			(0x1120 + 0x100 * (i))

/* ro: Write pointer last accepted. RESTORE offers it like a ring. */
#define RF_REG_SLOT_WRITE_POINTER(i)		(0x1128 + 0x100 * (i))

/* wo: Commands; may be written at any time. */
#define RF_REG_SLOT_CONTROL(i)			(0x1130 + 0x100 * (i))
#define RF_SLOT_CONTROL_ENABLE_SHIFT		0
#define RF_SLOT_CONTROL_ENABLE_MASK		0x1ULL
#define RF_SLOT_CONTROL_DISABLE_SHIFT		1
#define RF_SLOT_CONTROL_DISABLE_MASK		0x2ULL
#define RF_SLOT_CONTROL_RESAMPLE_SHIFT		2
#define RF_SLOT_CONTROL_RESAMPLE_MASK		0x4ULL
#define RF_SLOT_CONTROL_RESUME_SHIFT		3
#define RF_SLOT_CONTROL_RESUME_MASK		0x8ULL
#define RF_SLOT_CONTROL_PREEMPT_SHIFT		4
#define RF_SLOT_CONTROL_PREEMPT_MASK		0x10ULL
#define RF_SLOT_CONTROL_RESTORE_SHIFT		5
#define RF_SLOT_CONTROL_RESTORE_MASK		0x20ULL
#define RF_SLOT_CONTROL_REARM_SHIFT		6
#define RF_SLOT_CONTROL_REARM_MASK		0x40ULL

/* ro: State. */
#define RF_REG_SLOT_STATUS(i)			(0x1138 + 0x100 * (i))
#define RF_SLOT_STATUS_STATE_SHIFT		0
#define RF_SLOT_STATUS_STATE_MASK		0xfULL
#define RF_SLOT_STATUS_ERROR_SHIFT		4
#define RF_SLOT_STATUS_ERROR_MASK		0xff0ULL
#define RF_SLOT_STATUS_LEVEL_SHIFT		12
#define RF_SLOT_STATUS_LEVEL_MASK		0x3000ULL
#define RF_SLOT_STATUS_STORE_SHIFT		14
#define RF_SLOT_STATUS_STORE_MASK		0x4000ULL
#define RF_SLOT_STATUS_RESAMPLING_SHIFT		15
#define RF_SLOT_STATUS_RESAMPLING_MASK		0x8000ULL
#define RF_SLOT_STATUS_PACKET_WORDS_SHIFT	32
#define RF_SLOT_STATUS_PACKET_WORDS_MASK	0xffffffff00000000ULL

/* ro: Virtual address of the failing access, or of the failing packet. */
#define RF_REG_SLOT_ERROR_ADDRESS(i)		(0x1140 + 0x100 * (i))

/*
 * rw: CurrentValue of the progress fence, VMID 0, 8-byte aligned; 0:
 * PROGRESS is an operand error.
 */
#define RF_REG_SLOT_PROGRESS_ADDRESS(i)		(0x1148 + 0x100 * (i))

/* rw: MonitoredValue of the progress fence, VMID 0. */
#define RF_REG_SLOT_PROGRESS_MONITORED_ADDRESS(i)	(0x1150 + 0x100 * (i))

/* rw: Last progress value performed. */
#define RF_REG_SLOT_PROGRESS_VALUE(i)		(0x1158 + 0x100 * (i))

/*
 * rw: Wait log buffer, VMID 0, 64-byte aligned. Takes effect with
 * LOG_SWITCH, also while the queue runs.
 */
#define RF_REG_SLOT_WAIT_LOG_ADDRESS(i)		(0x1160 + 0x100 * (i))

/* rw: Signal log buffer, VMID 0, 64-byte aligned. As above. */
#define RF_REG_SLOT_SIGNAL_LOG_ADDRESS(i)	(0x1168 + 0x100 * (i))

/* rw: NumberOfEntries of both logs; takes effect with LOG_SWITCH. */
#define RF_REG_SLOT_LOG_ENTRIES(i)		(0x1170 + 0x100 * (i))
#define RF_SLOT_LOG_ENTRIES_WAIT_SHIFT		0
#define RF_SLOT_LOG_ENTRIES_WAIT_MASK		0xffffULL
#define RF_SLOT_LOG_ENTRIES_SIGNAL_SHIFT	16
#define RF_SLOT_LOG_ENTRIES_SIGNAL_MASK		0xffff0000ULL

/*
 * rw: A write makes the registers above effective for the logs named and
 * restarts index and wrap count at 0. Bits read 1 until no write to the old
 * buffer is outstanding; the completion of the read that returns 0 is
 * ordered after the last such write. If STATUS read afterwards shows the
 * slot disabled, its context may have been saved before the switch;
 * otherwise a later save includes it.
 */
#define RF_REG_SLOT_LOG_SWITCH(i)		(0x1178 + 0x100 * (i))
#define RF_SLOT_LOG_SWITCH_WAIT_SHIFT		0
#define RF_SLOT_LOG_SWITCH_WAIT_MASK		0x1ULL
#define RF_SLOT_LOG_SWITCH_SIGNAL_SHIFT		1
#define RF_SLOT_LOG_SWITCH_SIGNAL_MASK		0x2ULL

/* rw: The wait log in use. */
#define RF_REG_SLOT_WAIT_LOG_STATE(i)		(0x1180 + 0x100 * (i))
#define RF_SLOT_WAIT_LOG_STATE_FIRST_FREE_SHIFT	0
#define RF_SLOT_WAIT_LOG_STATE_FIRST_FREE_MASK	0xffffULL
#define RF_SLOT_WAIT_LOG_STATE_ENTRIES_SHIFT	16
#define RF_SLOT_WAIT_LOG_STATE_ENTRIES_MASK	0xffff0000ULL
#define RF_SLOT_WAIT_LOG_STATE_WRAPS_SHIFT	32
#define RF_SLOT_WAIT_LOG_STATE_WRAPS_MASK	0xffffffff00000000ULL

/* rw: The signal log in use. */
#define RF_REG_SLOT_SIGNAL_LOG_STATE(i)		(0x1188 + 0x100 * (i))
#define RF_SLOT_SIGNAL_LOG_STATE_FIRST_FREE_SHIFT	0
#define RF_SLOT_SIGNAL_LOG_STATE_FIRST_FREE_MASK	0xffffULL
#define RF_SLOT_SIGNAL_LOG_STATE_ENTRIES_SHIFT	16
#define RF_SLOT_SIGNAL_LOG_STATE_ENTRIES_MASK	0xffff0000ULL
#define RF_SLOT_SIGNAL_LOG_STATE_WRAPS_SHIFT	32
#define RF_SLOT_SIGNAL_LOG_STATE_WRAPS_MASK	0xffffffff00000000ULL

/*
 * ro: CurrentValue address that the queue waits for, or waited for when its
 * wait was cancelled.
 */
#define RF_REG_SLOT_WAIT_ADDRESS(i)		(0x1190 + 0x100 * (i))

/* ro: Value that it waits for. */
#define RF_REG_SLOT_WAIT_VALUE(i)		(0x1198 + 0x100 * (i))

/*
 * rw: Where PREEMPT writes the context and RESTORE reads it, VMID 0,
 * 256-byte aligned; either memory.
 */
#define RF_REG_SLOT_SAVE_ADDRESS(i)		(0x11a0 + 0x100 * (i))

/*
 * rw: State of the current packet. This and the registers up to QUANTUM_LEFT
 * are valid as of when the queue last left its node.
 */
#define RF_REG_SLOT_FLAGS(i)			(0x11a8 + 0x100 * (i))
#define RF_SLOT_FLAGS_IN_BUFFER_SHIFT		0
#define RF_SLOT_FLAGS_IN_BUFFER_MASK		0x1ULL
#define RF_SLOT_FLAGS_WAIT_OVER_SHIFT		1
#define RF_SLOT_FLAGS_WAIT_OVER_MASK		0x2ULL
#define RF_SLOT_FLAGS_STALLED_SHIFT		2
#define RF_SLOT_FLAGS_STALLED_MASK		0x4ULL
#define RF_SLOT_FLAGS_WAITED_SHIFT		3
#define RF_SLOT_FLAGS_WAITED_MASK		0x8ULL
#define RF_SLOT_FLAGS_STOPPED_SHIFT		4
#define RF_SLOT_FLAGS_STOPPED_MASK		0x10ULL

/* rw: Command buffer, virtual address in the queue's VMID. */
#define RF_REG_SLOT_BUFFER_ADDRESS(i)		(0x11b0 + 0x100 * (i))

/* rw: Position in it. */
#define RF_REG_SLOT_BUFFER_STATE(i)		(0x11b8 + 0x100 * (i))
#define RF_SLOT_BUFFER_STATE_WORDS_SHIFT	0
#define RF_SLOT_BUFFER_STATE_WORDS_MASK		0x1fffffffULL
#define RF_SLOT_BUFFER_STATE_PACKET_WORDS_SHIFT	32
#define RF_SLOT_BUFFER_STATE_PACKET_WORDS_MASK	0x1fffffff00000000ULL

/* rw: Bytes finished of the COPY, FILL or VECTOR at the position. */
#define RF_REG_SLOT_OPERATION_DONE(i)		(0x11c0 + 0x100 * (i))

/* rw: Sum of its elements so far; 0 for a queue of the copy engine. */
#define RF_REG_SLOT_OPERATION_PARTIAL(i)	(0x11c8 + 0x100 * (i))

/* rw: TIMESTAMP when the WAIT at the position was first executed. */
#define RF_REG_SLOT_WAIT_OBSERVED(i)		(0x11d0 + 0x100 * (i))

/* rw: Cycles left of the queue's quantum; 0: a new quantum begins. */
#define RF_REG_SLOT_QUANTUM_LEFT(i)		(0x11d8 + 0x100 * (i))

/* rw: Address of the wait log in use. */
#define RF_REG_SLOT_WAIT_LOG_PLACE(i)		(0x11e0 + 0x100 * (i))

/* rw: Address of the signal log in use. */
#define RF_REG_SLOT_SIGNAL_LOG_PLACE(i)		(0x11e8 + 0x100 * (i))

/* --- block fence --- */

/* MonitoredValue update port and the notify of waiting queues. */
#define RF_FENCE_BLOCK_OFFSET			0x400
#define RF_FENCE_BLOCK_VERSION			1

/* rw: CurrentValue address of the next update, VMID 0, 8-byte aligned. */
#define RF_REG_FENCE_UPDATE_CURRENT		0x410

/* rw: MonitoredValue address of the next update, VMID 0, 8-byte aligned. */
#define RF_REG_FENCE_UPDATE_MONITORED		0x418

/*
 * wo: A write posts {UPDATE_CURRENT, UPDATE_MONITORED, this value}. Of two
 * 4-byte accesses, in either order, the second posts; a write of one of
 * those two registers discards the first. At most update_depth updates may
 * be posted and not done; further ones are dropped and counted.
 */
#define RF_REG_FENCE_UPDATE_VALUE		0x420

/*
 * ro: The barrier register. When a read shows that every posted update is
 * done, no CurrentValue of a signal that used an older MonitoredValue can
 * become visible afterwards.
 */
#define RF_REG_FENCE_UPDATE_DONE		0x428
#define RF_FENCE_UPDATE_DONE_DONE_SHIFT		0
#define RF_FENCE_UPDATE_DONE_DONE_MASK		0xffffffffULL
#define RF_FENCE_UPDATE_DONE_DROPPED_SHIFT	32
#define RF_FENCE_UPDATE_DONE_DROPPED_MASK	0xffff00000000ULL
#define RF_FENCE_UPDATE_DONE_FAILED_SHIFT	48
#define RF_FENCE_UPDATE_DONE_FAILED_MASK	0xffff000000000000ULL

/*
 * wo: Any write makes every waiting queue re-read its CurrentValue: a CPU or
 * another adapter wrote a fence.
 */
#define RF_REG_FENCE_NOTIFY			0x430

/* ro: Bit i: slot i waits. */
#define RF_REG_FENCE_WAITING			0x438

/* ro: State of the wait of each slot; bit i of a field: slot i. */
#define RF_REG_FENCE_WAIT_STAGES		0x440
#define RF_FENCE_WAIT_STAGES_TRANSLATING_SHIFT	0
#define RF_FENCE_WAIT_STAGES_TRANSLATING_MASK	0xffffULL
#define RF_FENCE_WAIT_STAGES_INSERTED_SHIFT	16
#define RF_FENCE_WAIT_STAGES_INSERTED_MASK	0xffff0000ULL
#define RF_FENCE_WAIT_STAGES_READING_SHIFT	32
#define RF_FENCE_WAIT_STAGES_READING_MASK	0xffff00000000ULL
#define RF_FENCE_WAIT_STAGES_STALLED_SHIFT	48
#define RF_FENCE_WAIT_STAGES_STALLED_MASK	0xffff000000000000ULL

/* ro: State of the fence unit. */
#define RF_REG_FENCE_STAGES			0x448
#define RF_FENCE_STAGES_BUSY_SHIFT		0
#define RF_FENCE_STAGES_BUSY_MASK		0xffffULL
#define RF_FENCE_STAGES_FAILED_SHIFT		16
#define RF_FENCE_STAGES_FAILED_MASK		0xffff0000ULL
#define RF_FENCE_STAGES_WRITING_SHIFT		32
#define RF_FENCE_STAGES_WRITING_MASK		0x100000000ULL
#define RF_FENCE_STAGES_COMPARING_SHIFT		33
#define RF_FENCE_STAGES_COMPARING_MASK		0x200000000ULL
#define RF_FENCE_STAGES_UPDATING_SHIFT		34
#define RF_FENCE_STAGES_UPDATING_MASK		0x400000000ULL

/* --- block interrupt --- */

/* Interrupt ring. */
#define RF_INTERRUPT_BLOCK_OFFSET		0x500
#define RF_INTERRUPT_BLOCK_VERSION		1

/*
 * rw: Ring address, VMID 0, 4096-byte aligned; either memory. Written while
 * disabled.
 */
#define RF_REG_INTERRUPT_RING_BASE		0x510

/*
 * rw: Ring control. Enabling resets producer and consumer to 0 and arms the
 * vector.
 */
#define RF_REG_INTERRUPT_CONTROL		0x518
#define RF_INTERRUPT_CONTROL_ENABLE_SHIFT	0
#define RF_INTERRUPT_CONTROL_ENABLE_MASK	0x1ULL
#define RF_INTERRUPT_CONTROL_ENTRIES_LOG2_SHIFT	4
#define RF_INTERRUPT_CONTROL_ENTRIES_LOG2_MASK	0xf0ULL
#define RF_INTERRUPT_CONTROL_VECTOR_SHIFT	8
#define RF_INTERRUPT_CONTROL_VECTOR_MASK	0xf00ULL

/* ro: Records written since enable, free-running 32 bits. */
#define RF_REG_INTERRUPT_PRODUCER		0x520

/*
 * rw: Records taken by the host, free-running 32 bits. A write re-arms the
 * vector, and fires at once if the ring is not empty or OVERFLOW is set.
 */
#define RF_REG_INTERRUPT_CONSUMER		0x528

/*
 * w1c: Records were dropped: fence records for lack of room, or any record
 * while the ring was disabled. Clear it, then evaluate every waiter and
 * check every slot and node.
 */
#define RF_REG_INTERRUPT_OVERFLOW		0x530
#define RF_INTERRUPT_OVERFLOW_OVERFLOW_SHIFT	0
#define RF_INTERRUPT_OVERFLOW_OVERFLOW_MASK	0x1ULL
#define RF_INTERRUPT_OVERFLOW_FAILED_SHIFT	1
#define RF_INTERRUPT_OVERFLOW_FAILED_MASK	0x2ULL

/* --- block peer --- */

/*
 * Fences that devices signal to each other without a CPU. Page i of a region
 * of PEER_FENCES pages in system memory begins with CurrentValue of fence i.
 * When this device has written one, it writes {generation, i} to PEER_PAGE
 * of each target, as one 8-byte store behind the value. When such a word
 * comes and names the generation that ENTRY gave the fence, the queues of
 * this device that wait for that CurrentValue read it again; any other word
 * is counted.
 */
#define RF_PEER_BLOCK_OFFSET			0x600
#define RF_PEER_BLOCK_VERSION			1

/*
 * wo: Where the pages are, as this device addresses them. Write all entries
 * before it is enabled: their reset values are undefined.
 */
#define RF_REG_PEER_REGION			0x610
#define RF_PEER_REGION_ENABLE_SHIFT		0
#define RF_PEER_REGION_ENABLE_MASK		0x1ULL
#define RF_PEER_REGION_ADDRESS_SHIFT		18
#define RF_PEER_REGION_ADDRESS_MASK		0x7ffffffffc0000ULL

/*
 * wo: Virtual address in VMID 0 where PEER_PAGE of target 0 is mapped; those
 * of the other targets follow, a page each.
 */
#define RF_REG_PEER_WINDOW			0x618
#define RF_PEER_WINDOW_ADDRESS_SHIFT		14
#define RF_PEER_WINDOW_ADDRESS_MASK		0x7fffffc000ULL

/* wo: Sets the entry of a fence. */
#define RF_REG_PEER_ENTRY			0x620
#define RF_PEER_ENTRY_INDEX_SHIFT		0
#define RF_PEER_ENTRY_INDEX_MASK		0x3fULL
#define RF_PEER_ENTRY_VALID_SHIFT		6
#define RF_PEER_ENTRY_VALID_MASK		0x40ULL
#define RF_PEER_ENTRY_TARGETS_SHIFT		8
#define RF_PEER_ENTRY_TARGETS_MASK		0xf00ULL
#define RF_PEER_ENTRY_GENERATION_SHIFT		16
#define RF_PEER_ENTRY_GENERATION_MASK		0xfff0000ULL

/* ro: Words for targets, modulo 2^16. */
#define RF_REG_PEER_SENT			0x628
#define RF_PEER_SENT_SENT_SHIFT			0
#define RF_PEER_SENT_SENT_MASK			0xffffULL
#define RF_PEER_SENT_FAILED_SHIFT		16
#define RF_PEER_SENT_FAILED_MASK		0xffff0000ULL

/* ro: Words of other devices, modulo 2^16. */
#define RF_REG_PEER_RECEIVED			0x630
#define RF_PEER_RECEIVED_GOOD_SHIFT		0
#define RF_PEER_RECEIVED_GOOD_MASK		0xffffULL
#define RF_PEER_RECEIVED_STALE_SHIFT		16
#define RF_PEER_RECEIVED_STALE_MASK		0xffff0000ULL
#define RF_PEER_RECEIVED_MALFORMED_SHIFT	32
#define RF_PEER_RECEIVED_MALFORMED_MASK		0xffff00000000ULL
#define RF_PEER_RECEIVED_FLOODS_SHIFT		48
#define RF_PEER_RECEIVED_FLOODS_MASK		0xffff000000000000ULL

/* --- block translation --- */

/*
 * Page tables of every VMID: RISC-V Sv39, three levels, leaves of 4 KiB, 2
 * MiB and 1 GiB. A load needs V, R and A of its leaf, a store also W and D;
 * U, X and G are ignored; bits 63:54 must be 0. Bit 55 of a physical address
 * selects local memory. Page tables are read physically, from either memory.
 */
#define RF_TRANSLATION_BLOCK_OFFSET		0x2400
#define RF_TRANSLATION_BLOCK_VERSION		2
#define RF_TRANSLATION_INDEXED_BASE		0x2480
#define RF_TRANSLATION_INDEXED_COUNT		16
#define RF_TRANSLATION_INDEXED_STRIDE		0x8

/*
 * rw: A write drops the translations between INVALIDATE_FIRST and
 * INVALIDATE_LAST of the VMIDs named by its 16 bits, and makes every waiting
 * queue translate and read again. Bits read 1 until this is done and no
 * access with an older translation is in flight. A write before that
 * requests a further round, over whole address spaces if the present round
 * has not begun.
 */
#define RF_REG_TRANSLATION_INVALIDATE		0x2410

/*
 * rw: First virtual address of the range, bits 38:12. Write it while
 * INVALIDATE reads 0.
 */
#define RF_REG_TRANSLATION_INVALIDATE_FIRST	0x2418

/*
 * rw: Last virtual address of the range, bits 38:12. Write it while
 * INVALIDATE reads 0.
 */
#define RF_REG_TRANSLATION_INVALIDATE_LAST	0x2420
#define RF_TRANSLATION_INVALIDATE_LAST_RESET	0x7fffffffffULL

/*
 * rw: A write reads one entry of the TLB, for a dump: TLB_TAG and TLB_PAGE
 * hold it when BUSY reads 0.
 */
#define RF_REG_TRANSLATION_TLB_SELECT		0x2428
#define RF_TRANSLATION_TLB_SELECT_WAY_SHIFT	0
#define RF_TRANSLATION_TLB_SELECT_WAY_MASK	0x1ULL
#define RF_TRANSLATION_TLB_SELECT_SET_SHIFT	8
#define RF_TRANSLATION_TLB_SELECT_SET_MASK	0xff00ULL
#define RF_TRANSLATION_TLB_SELECT_SETS_LOG2_SHIFT	16
#define RF_TRANSLATION_TLB_SELECT_SETS_LOG2_MASK	0xf0000ULL
#define RF_TRANSLATION_TLB_SELECT_BUSY_SHIFT	20
#define RF_TRANSLATION_TLB_SELECT_BUSY_MASK	0x100000ULL

/* ro: Tag of the entry that was read last. */
#define RF_REG_TRANSLATION_TLB_TAG		0x2430
#define RF_TRANSLATION_TLB_TAG_OCCUPIED_SHIFT	0
#define RF_TRANSLATION_TLB_TAG_OCCUPIED_MASK	0x1ULL
#define RF_TRANSLATION_TLB_TAG_WRITABLE_SHIFT	1
#define RF_TRANSLATION_TLB_TAG_WRITABLE_MASK	0x2ULL
#define RF_TRANSLATION_TLB_TAG_VMID_SHIFT	4
#define RF_TRANSLATION_TLB_TAG_VMID_MASK	0xf0ULL
#define RF_TRANSLATION_TLB_TAG_PAGE_SHIFT	12
#define RF_TRANSLATION_TLB_TAG_PAGE_MASK	0x7ffffff000ULL

/* ro: Page of that entry. */
#define RF_REG_TRANSLATION_TLB_PAGE		0x2438
#define RF_TRANSLATION_TLB_PAGE_ADDRESS_SHIFT	12
#define RF_TRANSLATION_TLB_PAGE_ADDRESS_MASK	0xfffffffffff000ULL

/* rw: Root page table of VMID i. Takes effect with INVALIDATE. */
#define RF_REG_TRANSLATION_ROOT(i)		(0x2480 + 0x8 * (i))
#define RF_TRANSLATION_ROOT_VALID_SHIFT		0
#define RF_TRANSLATION_ROOT_VALID_MASK		0x1ULL
#define RF_TRANSLATION_ROOT_ADDRESS_SHIFT	12
#define RF_TRANSLATION_ROOT_ADDRESS_MASK	0xfffffffffff000ULL

/* --- block node --- */

/* Nodes and their engines. */
#define RF_NODE_BLOCK_OFFSET			0x700
#define RF_NODE_BLOCK_VERSION			2
#define RF_NODE_INDEXED_BASE			0x720
#define RF_NODE_INDEXED_COUNT			2
#define RF_NODE_INDEXED_STRIDE			0x40

/* ro: State of the node. */
#define RF_REG_NODE_STATUS(i)			(0x720 + 0x40 * (i))
#define RF_NODE_STATUS_BUSY_SHIFT		0
#define RF_NODE_STATUS_BUSY_MASK		0x1ULL
#define RF_NODE_STATUS_SLOT_SHIFT		4
#define RF_NODE_STATUS_SLOT_MASK		0xf0ULL
#define RF_NODE_STATUS_ENGINE_BUSY_SHIFT	8
#define RF_NODE_STATUS_ENGINE_BUSY_MASK		0x100ULL

/* ro: Bytes that the engine has finished of its current work. */
#define RF_REG_NODE_PROGRESS(i)			(0x728 + 0x40 * (i))

/* ro: Packets retired since reset. */
#define RF_REG_NODE_RETIRED(i)			(0x730 + 0x40 * (i))

/* rw: Reset of the node's engine, and its accesses in flight. */
#define RF_REG_NODE_ENGINE(i)			(0x738 + 0x40 * (i))
#define RF_NODE_ENGINE_RESET_SHIFT		0
#define RF_NODE_ENGINE_RESET_MASK		0x1ULL
#define RF_NODE_ENGINE_HOLD_SHIFT		1
#define RF_NODE_ENGINE_HOLD_MASK		0x2ULL
#define RF_NODE_ENGINE_IN_RESET_SHIFT		2
#define RF_NODE_ENGINE_IN_RESET_MASK		0x4ULL
#define RF_NODE_ENGINE_OPERATIONS_SHIFT		8
#define RF_NODE_ENGINE_OPERATIONS_MASK		0x700ULL
#define RF_NODE_ENGINE_READS_SHIFT		16
#define RF_NODE_ENGINE_READS_MASK		0x7f0000ULL
#define RF_NODE_ENGINE_WRITES_SHIFT		24
#define RF_NODE_ENGINE_WRITES_MASK		0x7f000000ULL
#define RF_NODE_ENGINE_WORDS_SHIFT		32
#define RF_NODE_ENGINE_WORDS_MASK		0x3ff00000000ULL

/*
 * ro: Sum of reads answered, writes performed and operations done by the
 * engine since the function's reset, modulo 2^32: it changes while the
 * engine is alive.
 */
#define RF_REG_NODE_ALIVE(i)			(0x740 + 0x40 * (i))

/*
 * rw: If the engine has an operation and ALIVE does not change for this
 * long, one engine_hung record is raised.
 */
#define RF_REG_NODE_WATCHDOG(i)			(0x748 + 0x40 * (i))
#define RF_NODE_WATCHDOG_CYCLES_SHIFT		0
#define RF_NODE_WATCHDOG_CYCLES_MASK		0xffffffffULL

/* --- block counter --- */

/* Performance counters, 64 bits, free-running since reset. */
#define RF_COUNTER_BLOCK_OFFSET			0x800
#define RF_COUNTER_BLOCK_VERSION		1

/* ro: Counter i, see enum counter. */
#define RF_REG_COUNTER_VALUE(i)			(0x840 + 0x8 * (i))
#define RF_COUNTER_VALUE_COUNT			32

/* --- page tables --- */

#define RF_PAGE_TABLE_ENTRY_VALID_SHIFT		0
#define RF_PAGE_TABLE_ENTRY_VALID_MASK		0x1ULL
#define RF_PAGE_TABLE_ENTRY_READ_SHIFT		1
#define RF_PAGE_TABLE_ENTRY_READ_MASK		0x2ULL
#define RF_PAGE_TABLE_ENTRY_WRITE_SHIFT		2
#define RF_PAGE_TABLE_ENTRY_WRITE_MASK		0x4ULL
#define RF_PAGE_TABLE_ENTRY_EXECUTE_SHIFT	3
#define RF_PAGE_TABLE_ENTRY_EXECUTE_MASK	0x8ULL
#define RF_PAGE_TABLE_ENTRY_USER_SHIFT		4
#define RF_PAGE_TABLE_ENTRY_USER_MASK		0x10ULL
#define RF_PAGE_TABLE_ENTRY_GLOBAL_SHIFT	5
#define RF_PAGE_TABLE_ENTRY_GLOBAL_MASK		0x20ULL
#define RF_PAGE_TABLE_ENTRY_ACCESSED_SHIFT	6
#define RF_PAGE_TABLE_ENTRY_ACCESSED_MASK	0x40ULL
#define RF_PAGE_TABLE_ENTRY_DIRTY_SHIFT		7
#define RF_PAGE_TABLE_ENTRY_DIRTY_MASK		0x80ULL
#define RF_PAGE_TABLE_ENTRY_PAGE_SHIFT		10
#define RF_PAGE_TABLE_ENTRY_PAGE_MASK		0x1ffffffffffc00ULL
#define RF_PAGE_TABLE_ENTRY_LOCAL_SHIFT		53
#define RF_PAGE_TABLE_ENTRY_LOCAL_MASK		0x20000000000000ULL
#define RF_PAGE_TABLE_ENTRY_RESERVED_SHIFT	54
#define RF_PAGE_TABLE_ENTRY_RESERVED_MASK	0xffc0000000000000ULL

/* --- command packets --- */

#define RF_PACKET_HEADER_OPCODE_SHIFT		0
#define RF_PACKET_HEADER_OPCODE_MASK		0xffULL
#define RF_PACKET_HEADER_WORDS_SHIFT		8
#define RF_PACKET_HEADER_WORDS_MASK		0xff00ULL
#define RF_PACKET_HEADER_FLAGS_SHIFT		16
#define RF_PACKET_HEADER_FLAGS_MASK		0xffff0000ULL
#define RF_PACKET_HEADER_ARGUMENT_SHIFT		32
#define RF_PACKET_HEADER_ARGUMENT_MASK		0xffffffff00000000ULL

#define RF_PACKET_NOP_WORDS_MIN			1
#define RF_PACKET_NOP_WORDS_MAX			8
#define RF_PACKET_NOP_ARGUMENT_MASK		0x0U

/**
 * struct rf_packet_nop - Nothing; 1 to 8 words, the payload is ignored.
 * @header: RF_PACKET_HEADER_*
 */
struct rf_packet_nop {
	__u64 header;
};
RF_HW_ASSERT(sizeof(struct rf_packet_nop) == 8);

#define RF_PACKET_SIGNAL_WORDS_MIN		4
#define RF_PACKET_SIGNAL_WORDS_MAX		5
/* write a log entry at index ARGUMENT[15:0] of the signal log */
#define RF_PACKET_SIGNAL_FLAG_LOG		0x1
#define RF_PACKET_SIGNAL_ARGUMENT_MASK		0xffffU

/**
 * struct rf_packet_signal - CurrentValue := VALUE, log entry, compare,
 * interrupt, in this order (docs/architecture.md). Starts when every earlier
 * packet of the queue has performed its writes. With flag LOG 5 words, without
 * 4.
 * @header: RF_PACKET_HEADER_*
 * @current_address: CurrentValue, 8-byte aligned
 * @value: new value
 * @monitored_address: MonitoredValue, 8-byte aligned
 * @log_payload: hNativeFence in 31:0, OperationType in 63:32
 */
struct rf_packet_signal {
	__u64 header;
	__u64 current_address;
	__u64 value;
	__u64 monitored_address;
	__u64 log_payload;
};
RF_HW_ASSERT(sizeof(struct rf_packet_signal) == 40);

#define RF_PACKET_WAIT_WORDS_MIN		3
#define RF_PACKET_WAIT_WORDS_MAX		4
/*
 * write a log entry at index ARGUMENT[15:0] of the wait log when the wait is
 * satisfied
 */
#define RF_PACKET_WAIT_FLAG_LOG			0x1
#define RF_PACKET_WAIT_ARGUMENT_MASK		0xffffU

/**
 * struct rf_packet_wait - Blocks the queue until CurrentValue >= VALUE,
 * unsigned. With flag LOG 4 words, without 3.
 * @header: RF_PACKET_HEADER_*
 * @current_address: CurrentValue, 8-byte aligned
 * @value: value to wait for
 * @log_payload: hNativeFence in 31:0, OperationType in 63:32
 */
struct rf_packet_wait {
	__u64 header;
	__u64 current_address;
	__u64 value;
	__u64 log_payload;
};
RF_HW_ASSERT(sizeof(struct rf_packet_wait) == 32);

#define RF_PACKET_WRITE_WORDS_MIN		3
#define RF_PACKET_WRITE_WORDS_MAX		3
#define RF_PACKET_WRITE_ARGUMENT_MASK		0x0U

/**
 * struct rf_packet_write - One aligned 8-byte store; releases waiters on that
 * address, raises no interrupt.
 * @header: RF_PACKET_HEADER_*
 * @address: 8-byte aligned
 * @value: stored
 */
struct rf_packet_write {
	__u64 header;
	__u64 address;
	__u64 value;
};
RF_HW_ASSERT(sizeof(struct rf_packet_write) == 24);

#define RF_PACKET_TIMESTAMP_WORDS_MIN		2
#define RF_PACKET_TIMESTAMP_WORDS_MAX		2
#define RF_PACKET_TIMESTAMP_ARGUMENT_MASK	0x0U

/**
 * struct rf_packet_timestamp - Stores TIMESTAMP when every earlier packet of
 * the queue has performed its writes.
 * @header: RF_PACKET_HEADER_*
 * @address: 8-byte aligned
 */
struct rf_packet_timestamp {
	__u64 header;
	__u64 address;
};
RF_HW_ASSERT(sizeof(struct rf_packet_timestamp) == 16);

#define RF_PACKET_PROGRESS_WORDS_MIN		2
#define RF_PACKET_PROGRESS_WORDS_MAX		2
#define RF_PACKET_PROGRESS_ARGUMENT_MASK	0x0U

/**
 * struct rf_packet_progress - SIGNAL, without log, of the queue's progress
 * fence (SLOT.progress_address), in VMID 0.
 * @header: RF_PACKET_HEADER_*
 * @value: new value
 */
struct rf_packet_progress {
	__u64 header;
	__u64 value;
};
RF_HW_ASSERT(sizeof(struct rf_packet_progress) == 16);

#define RF_PACKET_BARRIER_WORDS_MIN		1
#define RF_PACKET_BARRIER_WORDS_MAX		1
#define RF_PACKET_BARRIER_ARGUMENT_MASK		0x0U

/**
 * struct rf_packet_barrier - Later packets start when every earlier packet of
 * the queue has performed its writes.
 * @header: RF_PACKET_HEADER_*
 */
struct rf_packet_barrier {
	__u64 header;
};
RF_HW_ASSERT(sizeof(struct rf_packet_barrier) == 8);

#define RF_PACKET_SOFTWARE_SIGNAL_WORDS_MIN	3
#define RF_PACKET_SOFTWARE_SIGNAL_WORDS_MAX	3
#define RF_PACKET_SOFTWARE_SIGNAL_ARGUMENT_MASK	0x0U

/**
 * struct rf_packet_software_signal - Requests a signal by the host: raises a
 * software_signal record {FENCE, VALUE} when every earlier packet has
 * performed its writes. The queue stops until SLOT_CONTROL.resume.
 * @header: RF_PACKET_HEADER_*
 * @fence: passed on
 * @value: passed on
 */
struct rf_packet_software_signal {
	__u64 header;
	__u64 fence;
	__u64 value;
};
RF_HW_ASSERT(sizeof(struct rf_packet_software_signal) == 24);

#define RF_PACKET_TRAP_WORDS_MIN		2
#define RF_PACKET_TRAP_WORDS_MAX		2
#define RF_PACKET_TRAP_ARGUMENT_MASK		0x0U

/**
 * struct rf_packet_trap - Raises a trap record with CODE. The queue stops
 * until SLOT_CONTROL.resume.
 * @header: RF_PACKET_HEADER_*
 * @code: passed on
 */
struct rf_packet_trap {
	__u64 header;
	__u64 code;
};
RF_HW_ASSERT(sizeof(struct rf_packet_trap) == 16);

#define RF_PACKET_COPY_WORDS_MIN		4
#define RF_PACKET_COPY_WORDS_MAX		4
#define RF_PACKET_COPY_ARGUMENT_MASK		0x0U

/**
 * struct rf_packet_copy - Copies BYTES from SOURCE to DESTINATION, any
 * alignment. The ranges must not overlap (otherwise the destination's contents
 * are undefined). Copy node only.
 * @header: RF_PACKET_HEADER_*
 * @destination: byte address
 * @source: byte address
 * @bytes: 0 .. 2^32-1
 */
struct rf_packet_copy {
	__u64 header;
	__u64 destination;
	__u64 source;
	__u64 bytes;
};
RF_HW_ASSERT(sizeof(struct rf_packet_copy) == 32);

#define RF_PACKET_FILL_WORDS_MIN		4
#define RF_PACKET_FILL_WORDS_MAX		4
#define RF_PACKET_FILL_ARGUMENT_MASK		0x0U

/**
 * struct rf_packet_fill - Fills BYTES at DESTINATION with PATTERN; byte i of
 * the destination is byte ((DESTINATION + i) mod 8) of the pattern. Copy node
 * only.
 * @header: RF_PACKET_HEADER_*
 * @destination: byte address
 * @bytes: 0 .. 2^32-1
 * @pattern: 8 bytes
 */
struct rf_packet_fill {
	__u64 header;
	__u64 destination;
	__u64 bytes;
	__u64 pattern;
};
RF_HW_ASSERT(sizeof(struct rf_packet_fill) == 32);

#define RF_PACKET_VECTOR_WORDS_MIN		5
#define RF_PACKET_VECTOR_WORDS_MAX		5
#define RF_PACKET_VECTOR_ARGUMENT_MASK		0xffU

/**
 * struct rf_packet_vector - DESTINATION[i] := f(X[i], Y[i]) over COUNT 32-bit
 * elements, modulo 2^32. ARGUMENT[7:0] is enum vector_operation: axpb is A *
 * X[i] + B; add, xor, min, max use X[i] and Y[i], min and max signed; sum
 * stores the 64-bit sum of the sign-extended X[i] at DESTINATION. DESTINATION
 * may equal X or Y; other overlaps leave the destination's contents undefined.
 * Compute node only.
 * @header: RF_PACKET_HEADER_*
 * @destination: 4-byte aligned (sum: 8)
 * @x: 4-byte aligned
 * @count: elements, 0 .. 2^30-1
 * @y: add, xor, min, max: Y, 4-byte aligned; axpb: A in 31:0, B in 63:32;
 *   sum: 0
 */
struct rf_packet_vector {
	__u64 header;
	__u64 destination;
	__u64 x;
	__u64 count;
	__u64 y;
};
RF_HW_ASSERT(sizeof(struct rf_packet_vector) == 40);

/* --- records in memory --- */

/**
 * struct rf_ring_entry - One submission. Entry i of the ring is write-pointer
 * count i modulo the ring size.
 * @address: command buffer, virtual address in the queue's VMID, 8-byte
 *   aligned
 * @size: bytes, a multiple of 8; 0 is legal and does nothing
 * @flags: must be 0
 */
struct rf_ring_entry {
	__u64 address;
	__u32 size;
	__u32 flags;
};
RF_HW_ASSERT(sizeof(struct rf_ring_entry) == 16);
RF_HW_ASSERT(__builtin_offsetof(struct rf_ring_entry, address) == 0);
RF_HW_ASSERT(__builtin_offsetof(struct rf_ring_entry, size) == 8);
RF_HW_ASSERT(__builtin_offsetof(struct rf_ring_entry, flags) == 12);

/**
 * struct rf_interrupt_record - The device writes the first 24 bytes.
 * @kind: enum record_kind
 * @node: node
 * @vmid: address space of ADDRESS
 * @detail: queue_error: enum queue_error; monitored_update: 1 if an access
 *   failed and VALUE is unknown; preempted: enum access_status; yield: enum
 *   yield_reason; else 0
 * @handle: kernel queue handle; 0 for monitored_update and engine_hung
 * @address: fence records: CurrentValue address; engine_hung: ALIVE;
 *   queue_error: failing address; software_signal, trap: argument;
 *   doorbell_pending: token or 0; preempted: SAVE_ADDRESS
 * @value: fence records: the value; queue_error: {level, store} as in
 *   SLOT_STATUS bits 14:12; software_signal: value; preempted: SLOT_STATUS
 *   as it was; else 0
 * @reserved: not written
 */
struct rf_interrupt_record {
	__u8 kind;
	__u8 node;
	__u8 vmid;
	__u8 detail;
	__u32 handle;
	__u64 address;
	__u64 value;
	__u64 reserved;
};
RF_HW_ASSERT(sizeof(struct rf_interrupt_record) == 32);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, kind) == 0);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, node) == 1);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, vmid) == 2);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, detail) == 3);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, handle) == 4);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, address) == 8);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, value) == 16);
RF_HW_ASSERT(__builtin_offsetof(struct rf_interrupt_record, reserved) == 24);

/**
 * struct rf_log_header - DXGK_NATIVE_FENCE_LOG_HEADER; the device writes the
 * first 8 bytes, as one access.
 * @first_free_entry_index: index of the next entry
 * @wraparound_count: times the index returned to 0
 * @type: enum log_type
 * @pad: 0
 * @number_of_entries: entries after this header
 * @reserved: 0
 */
struct rf_log_header {
	__u32 first_free_entry_index;
	__u32 wraparound_count;
	__u32 type;
	__u32 pad;
	__u64 number_of_entries;
	__u64 reserved[2];
};
RF_HW_ASSERT(sizeof(struct rf_log_header) == 40);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_header, first_free_entry_index) == 0);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_header, wraparound_count) == 4);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_header, type) == 8);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_header, pad) == 12);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_header, number_of_entries) == 16);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_header, reserved) == 24);

/**
 * struct rf_log_entry - DXGK_NATIVE_FENCE_LOG_ENTRY
 * @fence_value: value signalled or waited for
 * @fence_handle: hNativeFence, from the packet
 * @operation_type: enum log_operation, from the packet
 * @reserved0: written 0
 * @fence_observed_gpu_timestamp: for waits that stalled: when the
 *   unresolved wait was seen; otherwise 0
 * @reserved1: written 0
 * @fence_end_gpu_timestamp: when the operation completed
 */
struct rf_log_entry {
	__u64 fence_value;
	__u32 fence_handle;
	__u32 operation_type;
	__u64 reserved0;
	__u64 fence_observed_gpu_timestamp;
	__u64 reserved1;
	__u64 fence_end_gpu_timestamp;
};
RF_HW_ASSERT(sizeof(struct rf_log_entry) == 48);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_entry, fence_value) == 0);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_entry, fence_handle) == 8);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_entry, operation_type) == 12);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_entry, reserved0) == 16);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_entry, fence_observed_gpu_timestamp) == 24);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_entry, reserved1) == 32);
RF_HW_ASSERT(__builtin_offsetof(struct rf_log_entry, fence_end_gpu_timestamp) == 40);


#undef RF_HW_ASSERT

#endif /* RINGFENCE_HW_H */
