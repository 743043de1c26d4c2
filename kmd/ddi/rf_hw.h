/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The hardware as the lowest layer of the miniport has it: how its registers are accessed, what
 * it has of each kind, and whether it is busy or lost. An h_adapter of the DDI is a struct rf_hw.
 *
 * The other objects of the miniport have structs of their own. struct rf_hw only points to them,
 * so that only a file that includes an object's header can access its fields (rf_miniport.h has
 * all of them).
 *
 * Locking. Three locks guard everything in this folder:
 *
 *   DDI mutex     the core's: PASSIVE functions of the DDI are called one at a time. It guards
 *                 page tables, mappings, doorbells and save areas.
 *   device lock   the core's: a spinlock that its interrupt service holds, and that
 *                 rf_synchronize() takes. It guards the packet model, the interrupt ring and
 *                 updates of MonitoredValues.
 *   rf_hw.lock    guards what the other two share: the tables of fences and queues, slots, VMIDs,
 *                 invalidations, BIND of the doorbells, and resets under way. It is taken inside
 *                 the device lock, never the other way round, and is released before the core
 *                 is called.
 *
 * "DEVICE" in the headers means: the device lock is held.
 */
#ifndef RF_HW_H
#define RF_HW_H

#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_SLOTS_MAX 16
#define RF_SLOT_NONE U32_MAX
#define RF_NODES_MAX (RF_NODE_PAGING + 1u)
#define RF_DOORBELLS_MAX 16

/* A register block, as discovered. */
struct rf_block {
	u64 offset;
	u64 base; /* of its indexed registers */
	u64 stride;
	u32 count;
};

/* What the drivers of this device differ in. */
struct rf_configuration {
	bool optimized; /* report queues, not fences (S0-126) */
	bool global_doorbell; /* one doorbell for all queues (S3-9) */
	u32 scheduling_caps; /* of those that a driver may have or not */
};

/* Objects of higher layers */
struct rf_doorbells;
struct rf_engines;
struct rf_fences;
struct rf_hw_contexts;
struct rf_interrupt_ring;
struct rf_invalidations;
struct rf_packet_queue;
struct rf_peers;
struct rf_power;
struct rf_quarantine;
struct rf_queues;
struct rf_records;
struct rf_save_pages;
struct rf_slots;
struct rf_spaces;

/**
 * struct rf_hw - the device
 * @bus: how it is reached
 * @h_core: of the core, for @callbacks
 * @callbacks: functions of the core
 * @configuration: constant
 * @block: by enum rf_block_type, all 0 if the device does not have it; constant once discovered,
 *         as the next seven
 * @slot_count: slots
 * @doorbell_count: physical doorbells, without the global one
 * @node_count: nodes, the paging node included
 * @monitored_shadow: MonitoredValues in local memory are updated by the update port
 * @vector_engine: the compute node has an engine
 * @local_memory_bytes: local memory
 * @timestamp_hz: rate of timestamps, and of the clock that counts the engines' watchdogs
 * @native_fence: the OS has enabled native fences
 * @lock: see above
 * @next_handle: last handle given out for the device's records; guarded by @lock
 * @resetting: the interrupt ring has no meaning; guarded by @lock
 * @busy: dpc_routine has to poll slots that are loading or stopping; atomic
 * @lost: the device is not waited for until it is reset; atomic
 * @lost_reported: it was reported to the core; DEVICE
 * @engines: rf_engine.h
 * @slots: rf_slot.h
 * @quarantine: rf_quarantine.h
 * @invalidations: rf_invalidation.h
 * @spaces: rf_space.h
 * @fences: rf_fence.h
 * @peers: rf_peer.h
 * @save_pages: rf_save_area.h
 * @queues: rf_queue.h
 * @contexts: rf_hw_context.h
 * @doorbells: rf_doorbell.h
 * @packet_queue: rf_packet_queue.h: RF_NODES_MAX of them
 * @interrupt_ring: rf_interrupt_ring.h
 * @records: rf_record.h
 * @power: rf_power.h
 */
struct rf_hw {
	struct rf_bus *bus;
	void *h_core;
	const struct rf_dxgk_callbacks *callbacks;
	struct rf_configuration configuration;

	struct rf_block block[RF_BLOCK_TYPE_PEER + 1];
	u32 slot_count;
	u32 doorbell_count;
	u32 node_count;
	bool monitored_shadow;
	bool vector_engine;
	u64 local_memory_bytes;
	u64 timestamp_hz;
	bool native_fence;

	struct rf_spinlock lock;
	u32 next_handle;
	bool resetting;
	bool busy;
	bool lost;
	bool lost_reported;

	struct rf_engines *engines;
	struct rf_slots *slots;
	struct rf_quarantine *quarantine;
	struct rf_invalidations *invalidations;
	struct rf_spaces *spaces;
	struct rf_fences *fences;
	struct rf_peers *peers;
	struct rf_save_pages *save_pages;
	struct rf_queues *queues;
	struct rf_hw_contexts *contexts;
	struct rf_doorbells *doorbells;
	struct rf_packet_queue *packet_queue;
	struct rf_interrupt_ring *interrupt_ring;
	struct rf_records *records;
	struct rf_power *power;
};

/* --- registers ----------------------------------------------------------------------- */

/* Offset of a register in BAR 0, in the block's place as discovered. */
#define RF_REGISTER(hw, BLOCK, REGISTER)                                           \
	((hw)->block[RF_BLOCK_TYPE_##BLOCK].offset + RF_REG_##BLOCK##_##REGISTER - \
	 RF_##BLOCK##_BLOCK_OFFSET)

#define RF_REGISTER_AT(hw, BLOCK, REGISTER, index)                                              \
	((hw)->block[RF_BLOCK_TYPE_##BLOCK].base +                                              \
	 (index) * (hw)->block[RF_BLOCK_TYPE_##BLOCK].stride + RF_REG_##BLOCK##_##REGISTER(0) - \
	 RF_##BLOCK##_INDEXED_BASE)

#define RF_FIELD_GET(FIELD, value) (((value)&FIELD##_MASK) >> FIELD##_SHIFT)
#define RF_FIELD(FIELD, value) (((u64)(value) << FIELD##_SHIFT) & FIELD##_MASK)

static inline u64 rf_register_read(struct rf_hw *hw, u64 offset)
{
	return rf_bus_read64(hw->bus, RF_BAR_REGISTERS, offset);
}

static inline void rf_register_write(struct rf_hw *hw, u64 offset, u64 value)
{
	rf_bus_write64(hw->bus, RF_BAR_REGISTERS, offset, value);
}

/* A device that is gone reads all ones; one that hangs gives the same count twice. 0, -EIO. */
int rf_hw_check_alive(struct rf_hw *hw);
/* Push what CPUs sent, and see what the device sent, before this. Any level. */
void rf_hw_flush(struct rf_hw *hw);
/* A handle for the device's records that was never used. rf_hw.lock is held. */
u32 rf_hw_new_handle(struct rf_hw *hw);

/* --- state of the device --------------------------------------------------------------- */

/* Until the next reset no function waits for the device. Any level. */
void rf_hw_set_lost(struct rf_hw *hw, const char *reason);
bool rf_hw_is_lost(const struct rf_hw *hw);
/* The device was reset. */
void rf_hw_clear_lost(struct rf_hw *hw);
/* dpc_routine is to poll what the device was busy with. Any level, and the next three. */
void rf_hw_set_busy(struct rf_hw *hw);
void rf_hw_clear_busy(struct rf_hw *hw);
bool rf_hw_is_busy(const struct rf_hw *hw);
/* The same, and @busy is cleared in the same access. */
bool rf_hw_take_busy(struct rf_hw *hw);
/* rf_hw.lock is not held; takes it. */
bool rf_hw_is_resetting(struct rf_hw *hw);

/* --- the core ---------------------------------------------------------------------------- */

/* DEVICE, without rf_hw.lock; so are all that follow. */
static inline void rf_notify(struct rf_hw *hw, const struct rf_notify_interrupt_data *data)
{
	hw->callbacks->notify_interrupt(hw->h_core, data);
}

static inline void rf_queue_dpc(struct rf_hw *hw)
{
	hw->callbacks->queue_dpc(hw->h_core);
}

/* Set busy, and have dpc_routine called soon. */
void rf_report_busy(struct rf_hw *hw);
/* Report that the device is lost, once. */
void rf_report_lost(struct rf_hw *hw);

/* Call @routine with the device lock held. Without any lock, PASSIVE or DISPATCH. */
static inline void rf_synchronize(struct rf_hw *hw, void (*routine)(void *argument), void *argument)
{
	hw->callbacks->synchronize_execution(hw->h_core, routine, argument);
}

#endif /* RF_HW_H */
