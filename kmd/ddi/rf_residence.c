// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues in and out of slots (docs/scheduling.md).
 *
 * In: the context goes from its save area to a free slot. When the slot is seen enabled, now or by
 * the DPC, the doorbell is bound to it, and the write pointer is sampled once more after that: a
 * ring before the binding only set a bit that the binding clears, and its write-pointer record was
 * stored before it. What is asked of a queue that is loading (to leave, to resume) is done then.
 * Out: rings are made to set the doorbell's pending bit first, so that each one is in the saved
 * write pointer or is reported; then the slot is preempted, which ends with a `preempted` record.
 */
#include "rf_residence.h"
#include "rf_ddi.h"
#include "rf_doorbell_binding.h"
#include "rf_engine.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_queue.h"
#include "rf_save_area.h"
#include "rf_slot.h"
#include "rf_space.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* --- in -------------------------------------------------------------------------------- */

static void rf_queue_restore(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	u64 config = rf_save_area_read(&queue->save, RF_CONTEXT(CONFIG));
	u32 slot = queue->residence.slot;

	config &= ~RF_SLOT_CONFIG_VMID_MASK;
	config |= RF_FIELD(RF_SLOT_CONFIG_VMID, queue->context->space->vmid);
	rf_save_area_write(&queue->save, RF_CONTEXT(CONFIG), config);
	rf_wmb();
	rf_slot_write(hw, slot, RF_CONTEXT(SAVE_ADDRESS), rf_save_area_address(&queue->save));
	rf_slot_command(hw, slot, RF_SLOT_CONTROL_RESTORE_MASK);
	queue->residence.loading = true;
	queue->residence.pending = rf_slot_expect_enabled(hw, slot);
}

/* Carry out what was asked of the queue before its slot took commands. */
static void rf_queue_loaded(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	u32 slot = queue->residence.slot;
	struct rf_pending resampling = rf_slot_expect_resampled(hw, slot);

	queue->residence.loading = false;
	if (queue->residence.state == RF_QUEUE_LEAVING) {
		rf_slot_command(hw, slot, RF_SLOT_CONTROL_PREEMPT_MASK);
		return;
	}
	if (queue->residence.resuming)
		rf_slot_command(hw, slot, RF_SLOT_CONTROL_RESUME_MASK);
	queue->residence.resuming = false;
	rf_doorbell_set_resident(hw, queue, true);
	rf_slot_command(hw, slot, RF_SLOT_CONTROL_RESAMPLE_MASK);
	/* Nearly always the device has read the record when this returns. A write pointer that is
	 * stored later is accepted by its ring, and not before. */
	rf_pending_poll(hw, &resampling);
}

/* 0: the queue is in its slot, or saved; -EINPROGRESS; -EIO. */
static int rf_queue_poll_loaded(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	int error;

	rf_assert_held(&hw->lock);
	if (!queue->residence.loading)
		return 0;
	error = rf_pending_poll(hw, &queue->residence.pending);
	if (!error)
		rf_queue_loaded(hw, queue);
	return error;
}

/* The first that is loading, or NULL. */
static struct rf_hw_queue *rf_queue_find_loading(const struct rf_hw *hw)
{
	u32 slot;

	rf_assert_held(&hw->lock);
	for (slot = 0; slot < hw->slot_count; slot++) {
		struct rf_hw_queue *queue = hw->slots->queue[slot];

		if (queue && queue->residence.loading)
			return queue;
	}
	return NULL;
}

bool rf_queues_poll_loading(struct rf_hw *hw)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	struct rf_hw_queue *queue = rf_queue_find_loading(hw);
	bool more = false;

	if (queue) {
		/* a device that is away is polled again by rf_check_device() */
		more = rf_queue_poll_loaded(hw, queue) != -EIO && rf_queue_find_loading(hw);
	}
	rf_spin_unlock(&hw->lock, flags);
	return more;
}

static int rf_queue_enter(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	u32 slot = rf_slot_find_first_free(hw);
	int error;

	if (slot == RF_SLOT_NONE)
		return -EBUSY;
	error = rf_space_assign(hw, queue->context->space);
	if (error)
		return error;
	queue->residence.slot = slot;
	rf_queue_restore(hw, queue);
	queue->residence.state = RF_QUEUE_RESIDENT;
	hw->slots->queue[slot] = queue;
	rf_vmid_expect_record(hw, queue->context->space->vmid);
	queue->context->residents++;
	return 0;
}

int rf_make_hw_queue_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);
	int error = rf_queue_enter(hw, queue);

	if (!error)
		arguments->is_busy = rf_queue_poll_loaded(hw, queue) == -EINPROGRESS;
	if (arguments->is_busy)
		rf_hw_set_busy(hw);
	rf_spin_unlock(&hw->lock, flags);
	return error;
}

/* --- out ------------------------------------------------------------------------------- */

void rf_queue_leave(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	struct rf_residence *residence = &queue->residence;

	rf_assert_held(&hw->lock);
	if (residence->state != RF_QUEUE_RESIDENT)
		return;
	residence->state = RF_QUEUE_LEAVING;
	rf_doorbell_set_resident(hw, queue, false);
	/* else it is preempted when that is over */
	if (!residence->loading && !residence->switching)
		rf_slot_command(hw, residence->slot, RF_SLOT_CONTROL_PREEMPT_MASK);
}

void rf_queue_set_switching(struct rf_hw *hw, struct rf_hw_queue *queue, bool switching)
{
	struct rf_residence *residence = &queue->residence;

	rf_assert_held(&hw->lock);
	residence->switching = switching;
	if (!switching && residence->state == RF_QUEUE_LEAVING)
		rf_slot_command(hw, residence->slot, RF_SLOT_CONTROL_PREEMPT_MASK);
}

void rf_queue_left(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	struct rf_residence *residence = &queue->residence;

	rf_assert_held(&hw->lock);
	hw->slots->queue[residence->slot] = NULL;
	queue->context->residents--;
	residence->state = RF_QUEUE_SAVED;
	residence->loading = false;
	if (residence->resuming)
		rf_queue_resume_saved(queue);
	residence->resuming = false;
}

void rf_evict_hw_queue(void *h_adapter, const struct rf_evict_hw_queue *arguments)
{
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);

	rf_queue_leave(hw, arguments->h_hw_queue);
	rf_spin_unlock(&hw->lock, flags);
}

/* --- neither ---------------------------------------------------------------------------- */

/* Is its slot enabled, or does the queue make no access from there any more? */
static bool rf_queue_is_stable(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	struct rf_pending stopping = rf_slot_expect_disabled(hw, queue->residence.slot);

	rf_assert_held(&hw->lock);
	if (queue->residence.state == RF_QUEUE_SAVED)
		return true;
	if (rf_queue_poll_loaded(hw, queue) == -EINPROGRESS)
		return false;
	if (queue->residence.state != RF_QUEUE_LEAVING)
		return true;
	/* the words are in place before the slot is disabled */
	if (rf_pending_poll_once(hw, &stopping) == -EINPROGRESS)
		return false;
	rf_rmb();
	return true;
}

/* Its record may come between two polls, and the slot be another queue's then. */
static int rf_queue_poll_stable(struct rf_hw *hw, void *argument)
{
	struct rf_hw_queue *queue = argument;
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool stable = rf_queue_is_stable(hw, queue);

	rf_spin_unlock(&hw->lock, flags);
	return stable ? 0 : -EINPROGRESS;
}

unsigned long rf_queue_lock_stable(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	/* it may be evicted as soon as it is in */
	while (!rf_queue_is_stable(hw, queue)) {
		u32 slot = queue->residence.slot;

		rf_spin_unlock(&hw->lock, flags);
		rf_slot_await_stopped(hw, queue->context->node, slot, rf_queue_poll_stable, queue);
		flags = rf_spin_lock(&hw->lock);
	}
	return flags;
}
