// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Submission to kernel-mode queues. Whether the ring has room is told by the slot's read
 * pointer, which user mode cannot move, and not by the progress fence, which a packet of
 * user mode's can.
 */
#include "rf_miniport.h"

int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;

	if (rf_kernel_ring_is_full(&queue->ring)) {
		queue->ring.taken = rf_register_read(
			miniport, RF_REGISTER_AT(miniport, SLOT, POINTERS, queue->slot));
		if (queue->ring.taken == U64_MAX)
			return -EIO;
		if (rf_kernel_ring_is_full(&queue->ring))
			return -EAGAIN;
	}
	rf_kernel_ring_append(&queue->ring, arguments->dma_buffer_virtual_address,
			      arguments->dma_buffer_size, arguments->hw_queue_progress_fence_id);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, queue->slot),
			  RF_SLOT_CONTROL_RESAMPLE_MASK);
	return 0;
}
