// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Slots of the device: see rf_slot.h. */
#include "rf_slot.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Checks that find the same before it counts */
#define RF_SLOT_CHECKS 2u

struct rf_pending rf_slot_expect_disabled(struct rf_hw *hw, u32 slot)
{
	return (struct rf_pending){
		.offset = rf_slot_register(hw, slot, RF_CONTEXT(STATUS)),
		.mask = RF_SLOT_STATUS_STATE_MASK,
		.value = RF_FIELD(RF_SLOT_STATUS_STATE, RF_SLOT_STATE_DISABLED),
	};
}

struct rf_pending rf_slot_expect_enabled(struct rf_hw *hw, u32 slot)
{
	struct rf_pending pending = rf_slot_expect_disabled(hw, slot);

	pending.differs = true;
	return pending;
}

struct rf_pending rf_slot_expect_resampled(struct rf_hw *hw, u32 slot)
{
	return (struct rf_pending){
		.offset = rf_slot_register(hw, slot, RF_CONTEXT(STATUS)),
		.mask = RF_SLOT_STATUS_RESAMPLING_MASK,
	};
}

static bool rf_slot_is_free(const struct rf_hw *hw, u32 slot)
{
	rf_assert_held(&hw->lock);
	return !hw->slots->queue[slot] && !(hw->slots->node_slots & 1u << slot);
}

u32 rf_slot_find_first_free(const struct rf_hw *hw)
{
	u32 slot;

	for (slot = 0; slot < hw->slot_count; slot++)
		if (rf_slot_is_free(hw, slot))
			return slot;
	return RF_SLOT_NONE;
}

u32 rf_slot_find_last_free(const struct rf_hw *hw)
{
	u32 slot = hw->slot_count;

	while (slot--)
		if (rf_slot_is_free(hw, slot))
			return slot;
	return RF_SLOT_NONE;
}

bool rf_slot_state_persists(struct rf_hw *hw, u32 slot, u32 handle, u64 state)
{
	struct rf_slot_observation *observed = &hw->slots->observed[slot];

	if (observed->handle != handle || observed->state != state)
		*observed = (struct rf_slot_observation){ .handle = handle, .state = state };
	return ++observed->count >= RF_SLOT_CHECKS;
}

void rf_slots_forget_observed(struct rf_hw *hw)
{
	memset(hw->slots->observed, 0, sizeof(hw->slots->observed));
}

void rf_slots_write_oversubscribed(struct rf_hw *hw)
{
	bool more = hw->slots->queue_count > hw->slot_count || hw->slots->process_count >= RF_VMIDS;

	rf_register_write(hw, RF_REGISTER(hw, SLOT, OVERSUBSCRIBED), more);
}

void rf_slots_count_queue(struct rf_hw *hw, s32 change)
{
	hw->slots->queue_count += (u32)change;
	rf_slots_write_oversubscribed(hw);
}

void rf_slots_count_process(struct rf_hw *hw, s32 change)
{
	hw->slots->process_count += (u32)change;
	rf_slots_write_oversubscribed(hw);
}
