// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Submission to kernel-mode queues. Whether the ring has room is known by the slot's read pointer,
 * which user mode cannot move, and not by the progress fence, which a packet of user mode can.
 */
#include "rf_submit.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_kernel_ring.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* What the device has taken from the ring; nothing new while the queue is leaving. */
static u64 rf_submit_read_pointer(struct rf_hw *hw, const struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	u64 pointer = queue->ring.consumed;

	if (queue->residence.state != RF_QUEUE_LEAVING)
		pointer = rf_queue_read(hw, queue, RF_CONTEXT(POINTERS));
	rf_spin_unlock(&hw->lock, flags);
	return pointer;
}

/* A queue that is not resident is sampled when it is loaded. */
static void rf_submit_resample(struct rf_hw *hw, const struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	rf_queue_command(hw, queue, RF_SLOT_CONTROL_RESAMPLE_MASK);
	rf_spin_unlock(&hw->lock, flags);
}

int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_kernel_ring *ring = &queue->ring;
	struct rf_hw *hw = h_adapter;

	if (rf_kernel_ring_is_full(ring)) {
		u64 consumed = rf_submit_read_pointer(hw, queue);

		/* it goes forward, and never past what was written */
		if (consumed - ring->consumed > ring->written - ring->consumed)
			return -EIO;
		ring->consumed = consumed;
		if (rf_kernel_ring_is_full(ring))
			return -EAGAIN;
	}
	rf_kernel_ring_append(ring, arguments->dma_buffer_virtual_address,
			      arguments->dma_buffer_size, arguments->hw_queue_progress_fence_id);
	rf_submit_resample(hw, queue);
	return 0;
}
