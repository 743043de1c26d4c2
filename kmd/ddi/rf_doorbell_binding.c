// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Registers of doorbells: see rf_doorbell_binding.h. */
#include "rf_doorbell_binding.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_types.h"
#include "ringfence_hw.h"

static void rf_bind_write(struct rf_hw *hw, u32 physical, u64 value)
{
	rf_assert_held(&hw->lock);
	rf_register_write(hw, RF_REGISTER(hw, DOORBELL, BIND(physical)), value);
}

void rf_doorbell_set_resident(struct rf_hw *hw, const struct rf_hw_queue *queue, bool resident)
{
	rf_assert_held(&hw->lock);
	if (!queue->binding.bound)
		return;
	rf_bind_write(hw, queue->binding.physical,
		      RF_DOORBELL_BIND_BOUND_MASK |
			      (resident ? RF_DOORBELL_BIND_RESIDENT_MASK : 0) |
			      RF_FIELD(RF_DOORBELL_BIND_SLOT, queue->residence.slot) |
			      RF_FIELD(RF_DOORBELL_BIND_HANDLE, queue->handle));
}

void rf_doorbell_bind(struct rf_hw *hw, struct rf_hw_queue *queue, u32 physical)
{
	queue->binding = (struct rf_doorbell_binding){ .bound = true, .physical = physical };
	rf_doorbell_set_resident(hw, queue, rf_queue_in_slot(queue));
}

void rf_doorbell_unbind(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	rf_bind_write(hw, queue->binding.physical, 0);
	queue->binding.bound = false;
}

/*
 * A ring is reported once, until the bit is cleared. It is cleared before the core looks for work
 * of the queue: if there is none, because it was found already, the next ring is reported.
 */
void rf_doorbell_clear_pending(struct rf_hw *hw, const struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	if (queue->residence.state != RF_QUEUE_RESIDENT)
		rf_doorbell_set_resident(hw, queue, false);
	rf_spin_unlock(&hw->lock, flags);
	rf_hw_flush(hw);
}

/*
 * The device keeps one token, and whether there were others since it was cleared. What is lost
 * after the clearing has a record of its own, later.
 */
u32 rf_doorbell_clear_global_pending(struct rf_hw *hw, u32 token)
{
	u64 offset = RF_REGISTER(hw, DOORBELL, GLOBAL_PENDING);

	rf_register_write(hw, offset, RF_DOORBELL_GLOBAL_PENDING_PENDING_MASK);
	if (!(rf_register_read(hw, offset) & RF_DOORBELL_GLOBAL_PENDING_LOST_MASK))
		return token;
	rf_register_write(hw, offset, RF_DOORBELL_GLOBAL_PENDING_LOST_MASK);
	return 0;
}
