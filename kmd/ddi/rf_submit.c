// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Submission to kernel-mode queues. Whether the ring has room is told by the slot's read
 * pointer, which user mode cannot move, and not by the progress fence, which a packet of
 * user mode's can.
 */
#include "rf_miniport.h"

/* What the device has taken from the ring; nothing new while the queue is leaving. */
static u64 rf_read_pointer(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	u64 pointer = queue->ring.taken;

	if (queue->residence != RF_QUEUE_LEAVING)
		pointer = rf_context_read(miniport, queue, RF_CONTEXT(POINTERS));
	rf_spin_unlock(&miniport->lock, flags);
	return pointer;
}

/* A queue that is not resident is looked at when it comes to be so. */
static void rf_tell_device(struct rf_miniport *miniport, const struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	if (rf_queue_in_slot(queue))
		rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
				  RF_SLOT_CONTROL_RESAMPLE_MASK);
	rf_spin_unlock(&miniport->lock, flags);
}

int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;

	if (rf_kernel_ring_is_full(&queue->ring)) {
		u64 taken = rf_read_pointer(miniport, queue);

		/* it goes forward, and never past what was written */
		if (taken - queue->ring.taken > queue->ring.written - queue->ring.taken)
			return -EIO;
		queue->ring.taken = taken;
		if (rf_kernel_ring_is_full(&queue->ring))
			return -EAGAIN;
	}
	rf_kernel_ring_append(&queue->ring, arguments->dma_buffer_virtual_address,
			      arguments->dma_buffer_size, arguments->hw_queue_progress_fence_id);
	rf_tell_device(miniport, queue);
	return 0;
}
