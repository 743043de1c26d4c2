// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The interrupt ring. The device writes records and fires the vector when the ring goes from
 * caught-up to not; writing CONSUMER re-arms it, and fires again at once if more has come. Fence
 * records may be dropped under the sticky OVERFLOW flag. A record of any kind may be lost if it
 * could not be written.
 *
 * The count of records is a value that the device supplies, and so is what is in a record: more
 * records than the ring holds are an error of the device.
 */
#include "rf_interrupt_ring.h"
#include "rf_bus.h"
#include "rf_hw.h"
#include "rf_mapping.h"
#include "rf_os.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_INTERRUPT_LOG2 8
#define RF_INTERRUPT_ENTRIES (1u << RF_INTERRUPT_LOG2)

static_assert(RF_INTERRUPT_ENTRIES >= RF_INTERRUPT_ENTRIES_MIN, "interrupt ring too small");

int rf_interrupt_ring_start(struct rf_hw *hw)
{
	u64 bytes = RF_INTERRUPT_ENTRIES * sizeof(struct rf_interrupt_record);
	int error =
		rf_buffer_create(hw, NULL, RF_MEM_SYSTEM, bytes, 0, &hw->interrupt_ring->buffer);

	if (error)
		return error;
	rf_interrupt_ring_restart(hw);
	return 0;
}

void rf_interrupt_ring_restart(struct rf_hw *hw)
{
	hw->interrupt_ring->consumer = 0;
	rf_register_write(hw, RF_REGISTER(hw, INTERRUPT, RING_BASE),
			  hw->interrupt_ring->buffer.address);
	rf_register_write(hw, RF_REGISTER(hw, INTERRUPT, CONTROL),
			  RF_INTERRUPT_CONTROL_ENABLE_MASK |
				  RF_FIELD(RF_INTERRUPT_CONTROL_ENTRIES_LOG2, RF_INTERRUPT_LOG2));
}

void rf_interrupt_ring_disable(struct rf_hw *hw)
{
	rf_register_write(hw, RF_REGISTER(hw, INTERRUPT, CONTROL), 0);
}

void rf_interrupt_ring_stop(struct rf_hw *hw)
{
	rf_interrupt_ring_disable(hw);
	/* After the invalidation in this no record is on its way. */
	rf_buffer_destroy(hw, NULL, &hw->interrupt_ring->buffer);
}

int rf_interrupt_ring_check(struct rf_hw *hw)
{
	u64 base = rf_register_read(hw, RF_REGISTER(hw, INTERRUPT, RING_BASE));
	u64 control = rf_register_read(hw, RF_REGISTER(hw, INTERRUPT, CONTROL));

	/* all ones may be a device that is away for a moment */
	if (base == U64_MAX || control == U64_MAX)
		return -EIO;
	if (base != hw->interrupt_ring->buffer.address ||
	    !(control & RF_INTERRUPT_CONTROL_ENABLE_MASK))
		rf_hw_set_lost(hw, "it has forgotten its interrupt ring");
	return 0;
}

int rf_interrupt_ring_producer(struct rf_hw *hw, u32 *producer)
{
	u64 value = rf_register_read(hw, RF_REGISTER(hw, INTERRUPT, PRODUCER));

	if (value == U64_MAX)
		return -ENODEV;
	if (value > U32_MAX || (u32)value - hw->interrupt_ring->consumer > RF_INTERRUPT_ENTRIES)
		return -EIO;
	*producer = (u32)value;
	rf_rmb();
	return 0;
}

struct rf_interrupt_record rf_interrupt_ring_next(struct rf_hw *hw)
{
	struct rf_interrupt_ring *ring = hw->interrupt_ring;
	u64 offset =
		(u64)(ring->consumer++ % RF_INTERRUPT_ENTRIES) * sizeof(struct rf_interrupt_record);
	u64 word = rf_private_read64(ring->buffer.mem, offset);

	return (struct rf_interrupt_record){
		.kind = (u8)word,
		.node = (u8)(word >> 8),
		.vmid = (u8)(word >> 16),
		.detail = (u8)(word >> 24),
		.handle = (u32)(word >> 32),
		.address = rf_private_read64(ring->buffer.mem, offset + 8),
		.value = rf_private_read64(ring->buffer.mem, offset + 16),
	};
}

bool rf_interrupt_ring_overflowed(struct rf_hw *hw)
{
	u64 offset = RF_REGISTER(hw, INTERRUPT, OVERFLOW);
	u64 value = rf_register_read(hw, offset);

	if (!value || value == U64_MAX)
		return false;
	rf_register_write(hw, offset, value);
	return true;
}

void rf_interrupt_ring_rearm(struct rf_hw *hw)
{
	rf_register_write(hw, RF_REGISTER(hw, INTERRUPT, CONSUMER), hw->interrupt_ring->consumer);
}
