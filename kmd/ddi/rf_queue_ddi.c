// SPDX-License-Identifier: GPL-2.0 OR MIT
/* DDI functions of hardware queues: see rf_queue_ddi.h. */
#include "rf_queue_ddi.h"
#include "rf_ddi.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_kernel_ring.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_queue_ring.h"
#include "rf_residence.h"
#include "rf_save_area.h"
#include "rf_slot.h"
#include "ringfence_hw.h"

/* The queue has no slot; the device sends no more records of it. */
static void rf_queue_free(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	rf_queue_unlink(hw, queue);
	rf_save_area_destroy(hw, &queue->save);
	rf_free(queue);
}

int rf_create_hw_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	const struct rf_global_fence *progress = arguments->h_hw_queue_native_progress_fence;
	struct rf_hw *hw = h_adapter;
	struct rf_hw_queue *queue;
	int error;

	/* PROGRESS signals a native fence. */
	if (!(arguments->flags & RF_HW_QUEUE_NATIVE_PROGRESS_FENCE))
		return -EOPNOTSUPP;
	queue = rf_alloc(sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	queue->context = arguments->h_hw_context;
	error = rf_save_area_create(hw, &queue->save);
	if (error)
		goto free_queue;
	error = rf_queue_link(hw, queue);
	if (error)
		goto destroy_save_area;
	rf_save_area_write(&queue->save, RF_CONTEXT(PROGRESS_ADDRESS), progress->name.address);
	rf_save_area_write(&queue->save, RF_CONTEXT(PROGRESS_MONITORED_ADDRESS),
			   progress->monitored_address);
	rf_save_area_write(&queue->save, RF_CONTEXT(QUANTUM), RF_QUANTUM_DEFAULT);
	if (!(arguments->flags & RF_HW_QUEUE_USER_MODE_SUBMISSION)) {
		error = rf_kernel_ring_create(hw, queue->context->space, &queue->ring);
		if (error) {
			rf_queue_free(hw, queue);
			return error;
		}
		rf_queue_set_ring(hw, queue, &queue->ring.location);
	}
	arguments->h_hw_queue = queue;
	return 0;

destroy_save_area:
	rf_save_area_destroy(hw, &queue->save);
free_queue:
	rf_free(queue);
	return error;
}

void rf_destroy_hw_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);

	/* preempted, not just disabled: after the `preempted` record no other record comes */
	rf_queue_leave(hw, queue);
	rf_spin_unlock(&hw->lock, flags);
	flags = rf_queue_lock_stable(hw, queue);
	if (queue->residence.state == RF_QUEUE_LEAVING)
		rf_queue_left(hw, queue);
	rf_spin_unlock(&hw->lock, flags);
	if (rf_kernel_ring_exists(&queue->ring))
		rf_kernel_ring_destroy(hw, queue->context->space, &queue->ring);
	rf_queue_free(hw, queue);
}

void rf_resume_hw_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);

	queue->stop_reported = false;
	if (queue->residence.state == RF_QUEUE_SAVED)
		rf_queue_resume_saved(queue);
	else if (!rf_queue_command(hw, queue, RF_SLOT_CONTROL_RESUME_MASK))
		queue->residence.resuming = true;
	rf_spin_unlock(&hw->lock, flags);
}

void rf_rearm_hw_queue(void *h_adapter, const struct rf_rearm_hw_queue *arguments)
{
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);

	rf_queue_command(hw, arguments->h_hw_queue, RF_SLOT_CONTROL_REARM_MASK);
	rf_spin_unlock(&hw->lock, flags);
}
