/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Slots of the device: their registers and commands, what is in which, and whether there are more
 * queues or processes than the device can serve at once.
 *
 * A slot is held by a hardware queue, or by a node for its packets, or is free.
 */
#ifndef RF_SLOT_H
#define RF_SLOT_H

#include "rf_hw.h"
#include "rf_poll.h"
#include "rf_types.h"
#include "ringfence_hw.h"

struct rf_hw_queue;

#define RF_CONTEXT_BYTES 256u /* of a saved context */
/* Offset of a slot's register from its first one, and of its word in a saved context. */
#define RF_CONTEXT(REGISTER) ((u64)(RF_REG_SLOT_##REGISTER(0) - RF_SLOT_INDEXED_BASE))

/* A slot, as checks of the device read it. */
struct rf_slot_observation {
	u32 handle;
	u64 state;
	u32 count; /* checks that found the same */
};

/**
 * struct rf_slots - the slots
 * @queue: the queue that holds the slot, or NULL; guarded by rf_hw.lock
 * @node_slots: bit i: a node holds slot i; guarded by rf_hw.lock
 * @observed: by the last check; DEVICE
 * @queue_count: hardware queues, in slots or not; PASSIVE
 * @process_count: processes; PASSIVE
 */
struct rf_slots {
	struct rf_hw_queue *queue[RF_SLOTS_MAX];
	u32 node_slots;
	struct rf_slot_observation observed[RF_SLOTS_MAX];
	u32 queue_count;
	u32 process_count;
};

/* --- registers; @offset is an RF_CONTEXT() ------------------------------------------------ */

static inline u64 rf_slot_register(struct rf_hw *hw, u32 slot, u64 offset)
{
	return hw->block[RF_BLOCK_TYPE_SLOT].base + slot * hw->block[RF_BLOCK_TYPE_SLOT].stride +
	       offset;
}

static inline u64 rf_slot_read(struct rf_hw *hw, u32 slot, u64 offset)
{
	return rf_register_read(hw, rf_slot_register(hw, slot, offset));
}

static inline void rf_slot_write(struct rf_hw *hw, u32 slot, u64 offset, u64 value)
{
	rf_register_write(hw, rf_slot_register(hw, slot, offset), value);
}

/* @command: RF_SLOT_CONTROL_*_MASK. A slot that is loading takes none. */
static inline void rf_slot_command(struct rf_hw *hw, u32 slot, u64 command)
{
	rf_slot_write(hw, slot, RF_CONTEXT(CONTROL), command);
}

/* The end of a command: the slot is disabled, is enabled, or has read its write pointer. */
struct rf_pending rf_slot_expect_disabled(struct rf_hw *hw, u32 slot);
struct rf_pending rf_slot_expect_enabled(struct rf_hw *hw, u32 slot);
struct rf_pending rf_slot_expect_resampled(struct rf_hw *hw, u32 slot);

/* --- which are free; rf_hw.lock is held --------------------------------------------------- */

/* For a queue; RF_SLOT_NONE. */
u32 rf_slot_find_first_free(const struct rf_hw *hw);
/* For a node; RF_SLOT_NONE. */
u32 rf_slot_find_last_free(const struct rf_hw *hw);

/* --- checks of the device; DEVICE ----------------------------------------------------------- */

/*
 * Has the slot been found in the same state again and again, by checks that are far apart? Then
 * no record about that is on its way.
 */
bool rf_slot_state_persists(struct rf_hw *hw, u32 slot, u32 handle, u64 state);
/* The device was reset. */
void rf_slots_forget_observed(struct rf_hw *hw);

/* --- more than the device serves; PASSIVE --------------------------------------------------- */

void rf_slots_count_queue(struct rf_hw *hw, s32 change);
void rf_slots_count_process(struct rf_hw *hw, s32 change);
/* Write OVERSUBSCRIBED: whether queues have to yield their slots. */
void rf_slots_write_oversubscribed(struct rf_hw *hw);

#endif /* RF_SLOT_H */
