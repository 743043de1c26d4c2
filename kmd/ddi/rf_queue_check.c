// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Slots of queues, compared with what is known of the queues: see rf_check.c. A record that is
 * still on its way is not lost: but for errors, which may be reported twice, a state counts when
 * it is found by checks that are far apart (rf_slot_state_persists()).
 */
#include "rf_queue_check.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_queue_record.h"
#include "rf_queue_ring.h"
#include "rf_residence.h"
#include "rf_slot.h"
#include "rf_space.h"
#include "rf_suspend.h"
#include "rf_types.h"
#include "ringfence_hw.h"

static struct rf_hw_queue *rf_slot_queue(struct rf_hw *hw, u32 slot)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	struct rf_hw_queue *queue = hw->slots->queue[slot];

	rf_spin_unlock(&hw->lock, flags);
	return queue;
}

static void rf_slot_check_error(struct rf_hw *hw, u32 slot, struct rf_hw_queue *queue, u64 status)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool reported = queue->error_reported;

	queue->error_reported = true;
	rf_spin_unlock(&hw->lock, flags);
	if (!reported)
		rf_report_queue_error(hw, queue, RF_FIELD_GET(RF_SLOT_STATUS_ERROR, status),
				      rf_slot_read(hw, slot, RF_CONTEXT(ERROR_ADDRESS)), status);
}

void rf_queues_check_errors(struct rf_hw *hw)
{
	u32 slot;

	for (slot = 0; slot < hw->slot_count; slot++) {
		struct rf_hw_queue *queue = rf_slot_queue(hw, slot);
		u64 status;

		if (!queue)
			continue;
		status = rf_slot_read(hw, slot, RF_CONTEXT(STATUS));
		if (status != U64_MAX &&
		    RF_FIELD_GET(RF_SLOT_STATUS_STATE, status) == RF_SLOT_STATE_ERROR)
			rf_slot_check_error(hw, slot, queue, status);
	}
}

static void rf_slot_check_disabled(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool leaving = queue->residence.state == RF_QUEUE_LEAVING;

	if (leaving) {
		rf_vmid_record_done(hw, queue->context->space->vmid);
		rf_queue_left(hw, queue);
	}
	rf_spin_unlock(&hw->lock, flags);
	if (leaving) {
		rf_report_preemption_lost(hw, queue);
		rf_report_suspended(hw);
	} else {
		rf_hw_set_lost(hw, "a slot has forgotten its queue");
	}
}

static void rf_slot_check_stopped(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool reported = queue->stop_reported;

	rf_spin_unlock(&hw->lock, flags);
	if (!reported)
		rf_report_queue_error(hw, queue, RF_QUEUE_ERROR_BUS_MASTER_DISABLED, 0, 0);
}

static void rf_slot_check_idle(struct rf_hw *hw, u32 slot, const struct rf_hw_queue *queue)
{
	u64 accepted = rf_slot_read(hw, slot, RF_CONTEXT(WRITE_POINTER));

	if (accepted != U64_MAX && rf_queue_record_is_ahead(queue, accepted, accepted))
		rf_slot_command(hw, slot, RF_SLOT_CONTROL_RESAMPLE_MASK);
}

/* The slot of a queue that is loading may show the queue before it; the DPC polls it. */
static bool rf_slot_is_loaded(struct rf_hw *hw, const struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool loading = queue->residence.loading;

	rf_spin_unlock(&hw->lock, flags);
	if (loading)
		rf_report_busy(hw);
	return !loading;
}

static void rf_slot_check(struct rf_hw *hw, u32 slot, bool *waiting)
{
	struct rf_hw_queue *queue = rf_slot_queue(hw, slot);
	u64 status, state;
	bool stays;

	if (!queue || !rf_slot_is_loaded(hw, queue))
		return;
	status = rf_slot_read(hw, slot, RF_CONTEXT(STATUS));
	if (status == U64_MAX)
		return;
	state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);
	stays = rf_slot_state_persists(hw, slot, queue->handle, state);
	switch (state) {
	case RF_SLOT_STATE_ERROR:
		rf_slot_check_error(hw, slot, queue, status);
		break;
	case RF_SLOT_STATE_DISABLED:
		if (stays)
			rf_slot_check_disabled(hw, queue);
		break;
	case RF_SLOT_STATE_STOPPED_HOST:
		if (stays)
			rf_slot_check_stopped(hw, queue);
		break;
	case RF_SLOT_STATE_IDLE:
		if (stays)
			rf_slot_check_idle(hw, slot, queue);
		break;
	case RF_SLOT_STATE_WAITING:
		*waiting |= stays;
		break;
	}
}

void rf_queues_check(struct rf_hw *hw)
{
	bool waiting = false;
	u32 slot;

	for (slot = 0; slot < hw->slot_count && !rf_hw_is_lost(hw); slot++)
		rf_slot_check(hw, slot, &waiting);
	if (waiting)
		rf_fence_notify_waiting(hw);
}
