// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Log buffers of a queue: see rf_queue_log.h. */
#include "rf_queue_log.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_queue.h"
#include "rf_residence.h"
#include "rf_save_area.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Where the two logs' registers differ. */
struct rf_log_registers {
	u64 address, state, place;
	u64 entries_mask, switch_mask;
	u32 entries_shift;
};

static const struct rf_log_registers rf_log_registers[] = {
	[RF_LOG_TYPE_WAITS] = { RF_CONTEXT(WAIT_LOG_ADDRESS), RF_CONTEXT(WAIT_LOG_STATE),
				RF_CONTEXT(WAIT_LOG_PLACE), RF_SLOT_LOG_ENTRIES_WAIT_MASK,
				RF_SLOT_LOG_SWITCH_WAIT_MASK, RF_SLOT_LOG_ENTRIES_WAIT_SHIFT },
	[RF_LOG_TYPE_SIGNALS] = { RF_CONTEXT(SIGNAL_LOG_ADDRESS), RF_CONTEXT(SIGNAL_LOG_STATE),
				  RF_CONTEXT(SIGNAL_LOG_PLACE), RF_SLOT_LOG_ENTRIES_SIGNAL_MASK,
				  RF_SLOT_LOG_SWITCH_SIGNAL_MASK,
				  RF_SLOT_LOG_ENTRIES_SIGNAL_SHIFT },
};

/* The queue is in its slot. rf_hw.lock is held, and is released while the device is waited for. */
static int rf_log_switch(struct rf_hw *hw, struct rf_hw_queue *queue,
			 const struct rf_log_registers *log, u64 address, u64 entries,
			 unsigned long *flags)
{
	u32 slot = queue->residence.slot;
	int error;

	rf_assert_held(&hw->lock);
	rf_slot_write(hw, slot, log->address, address);
	rf_slot_write(hw, slot, RF_CONTEXT(LOG_ENTRIES), entries);
	rf_slot_write(hw, slot, RF_CONTEXT(LOG_SWITCH), log->switch_mask);
	rf_queue_set_switching(hw, queue, true);
	rf_spin_unlock(&hw->lock, *flags);
	/* The read that shows the bit clear lies behind the last write to the old log. */
	error = rf_register_await(hw, rf_slot_register(hw, slot, RF_CONTEXT(LOG_SWITCH)),
				  log->switch_mask, 0);
	*flags = rf_spin_lock(&hw->lock);
	rf_queue_set_switching(hw, queue, false);
	return error;
}

static void rf_log_set_saved(struct rf_save_area *save, const struct rf_log_registers *log,
			     u64 address, u64 entries, u32 number_of_entries)
{
	rf_save_area_write(save, log->address, address);
	rf_save_area_write(save, RF_CONTEXT(LOG_ENTRIES), entries);
	rf_save_area_write(save, log->place, address);
	/* the state of both logs has the fields of one */
	rf_save_area_write(save, log->state,
			   RF_FIELD(RF_SLOT_WAIT_LOG_STATE_ENTRIES, number_of_entries));
}

int rf_set_native_fence_log_buffer(void *h_adapter,
				   const struct rf_set_native_fence_log_buffer *arguments)
{
	u64 address = arguments->log_buffer_system_process_gpu_va;
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	const struct rf_log_registers *log;
	struct rf_hw *hw = h_adapter;
	unsigned long flags;
	int error = 0;
	u64 entries;

	if (arguments->log_type != RF_LOG_TYPE_WAITS && arguments->log_type != RF_LOG_TYPE_SIGNALS)
		return -EINVAL;
	log = &rf_log_registers[arguments->log_type];
	flags = rf_queue_lock_stable(hw, queue);
	entries = rf_queue_read(hw, queue, RF_CONTEXT(LOG_ENTRIES)) & ~log->entries_mask;
	entries |= (u64)arguments->number_of_entries << log->entries_shift;
	if (rf_queue_in_slot(queue))
		error = rf_log_switch(hw, queue, log, address, entries, &flags);
	else
		rf_log_set_saved(&queue->save, log, address, entries, arguments->number_of_entries);
	rf_spin_unlock(&hw->lock, flags);
	return error;
}

int rf_update_native_fence_logs(void *h_adapter,
				const struct rf_update_native_fence_logs *arguments)
{
	/* The completion of a read pushes every write before it (S0-115). */
	if (arguments->number_of_queues)
		rf_hw_flush(h_adapter);
	return 0;
}
