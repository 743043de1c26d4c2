// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Rings of kernel-mode queues. The driver keeps the ring in a page of its own that
 * engines of the process may read but not write, and no user mode sees:
 *
 *   0      ring, two entries per submission: the command buffer, then a PROGRESS packet
 *   2048   the PROGRESS packets
 *   3072   write-pointer record
 *
 * A kernel-mode queue needs no doorbell: the device is told to read the write-pointer
 * record. Whether the ring has room is told by the slot's read pointer, which user mode
 * cannot move, and not by the progress fence, which a packet of user mode's can.
 */
#include "rf_miniport.h"

#define RF_SUBMISSION_ENTRIES 2u
#define RF_KERNEL_RING_ENTRIES (RF_SUBMISSIONS * RF_SUBMISSION_ENTRIES)
#define RF_PROGRESS_OFFSET 2048u
#define RF_WRITE_POINTER_OFFSET 3072u

static_assert(RF_KERNEL_RING_ENTRIES * sizeof(struct rf_ring_entry) <= RF_PROGRESS_OFFSET, "page");
static_assert(RF_PROGRESS_OFFSET + RF_SUBMISSIONS * sizeof(struct rf_packet_progress) <=
		      RF_WRITE_POINTER_OFFSET,
	      "page");

int rf_kernel_ring_create(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	const u64 bytes = 1u << RF_PAGE_SHIFT;
	struct rf_map_gpu_virtual_address map = {
		.h_process = queue->space,
		.flags = RF_MAP_READ_ONLY,
	};
	struct rf_ring ring = { .entries = RF_KERNEL_RING_ENTRIES };
	int error;

	error = rf_device_memory(miniport, bytes, &queue->ring);
	if (error)
		return error;
	map.mem = queue->ring;
	error = rf_map_gpu_virtual_address(miniport, &map);
	if (error) {
		rf_mem_put(queue->ring);
		return error;
	}
	queue->ring_address = map.gpu_virtual_address;
	ring.address = queue->ring_address;
	ring.write_pointer_address = queue->ring_address + RF_WRITE_POINTER_OFFSET;
	rf_queue_set_ring(miniport, queue, &ring);
	return 0;
}

void rf_kernel_ring_destroy(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	/* The record may not be looked at any more, either. */
	rf_register_poll(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, queue->slot),
			 RF_SLOT_STATUS_RESAMPLING_MASK, 0);
	rf_unmap_gpu_virtual_address(miniport, &(struct rf_unmap_gpu_virtual_address){
						       .h_process = queue->space,
						       .mem = queue->ring,
						       .gpu_virtual_address = queue->ring_address,
					       });
	rf_mem_put(queue->ring);
}

static void rf_entry_write(struct rf_hw_queue *queue, u64 address, u32 size)
{
	u64 offset = queue->written++ % RF_KERNEL_RING_ENTRIES * sizeof(struct rf_ring_entry);

	rf_mem_write64(queue->ring, offset, address);
	rf_mem_write64(queue->ring, offset + 8, size); /* flags are 0 */
}

/* Returns the packet's address. */
static u64 rf_progress_write(struct rf_hw_queue *queue, u64 value)
{
	u64 index = queue->written / RF_SUBMISSION_ENTRIES % RF_SUBMISSIONS;
	u64 offset = RF_PROGRESS_OFFSET + index * sizeof(struct rf_packet_progress);

	rf_mem_write64(queue->ring, offset,
		       RF_FIELD(RF_PACKET_HEADER_OPCODE, RF_OPCODE_PROGRESS) |
			       RF_FIELD(RF_PACKET_HEADER_WORDS, RF_PACKET_PROGRESS_WORDS_MAX));
	rf_mem_write64(queue->ring, offset + 8, value);
	return queue->ring_address + offset;
}

static bool rf_ring_is_full(const struct rf_hw_queue *queue)
{
	return queue->written - queue->taken > RF_KERNEL_RING_ENTRIES - RF_SUBMISSION_ENTRIES;
}

int rf_submit_command_to_hw_queue(void *h_adapter,
				  const struct rf_submit_command_to_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	u64 progress;

	if (rf_ring_is_full(queue)) {
		queue->taken = rf_register_read(
			miniport, RF_REGISTER_AT(miniport, SLOT, POINTERS, queue->slot));
		if (queue->taken == U64_MAX)
			return -EIO;
		if (rf_ring_is_full(queue))
			return -EAGAIN;
	}
	queue->submission[queue->written / RF_SUBMISSION_ENTRIES % RF_SUBMISSIONS] =
		(struct rf_submission){ .fence_id = arguments->submission_fence_id,
					.progress = arguments->hw_queue_progress_fence_id };
	miniport->node[queue->node].last_submitted = arguments->submission_fence_id;
	progress = rf_progress_write(queue, arguments->hw_queue_progress_fence_id);
	rf_entry_write(queue, arguments->dma_buffer_virtual_address, arguments->dma_buffer_size);
	rf_entry_write(queue, progress, sizeof(struct rf_packet_progress));
	rf_wmb();
	rf_mem_write64(queue->ring, RF_WRITE_POINTER_OFFSET, queue->written);
	rf_wmb();
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, queue->slot),
			  RF_SLOT_CONTROL_RESAMPLE_MASK);
	return 0;
}

/* Fence id of the queue's first submission that is not complete, or 0. */
static u32 rf_first_incomplete(struct rf_miniport *miniport, const struct rf_hw_queue *queue)
{
	u64 value = rf_register_read(miniport,
				     RF_REGISTER_AT(miniport, SLOT, PROGRESS_VALUE, queue->slot));
	u64 status =
		rf_register_read(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, queue->slot));
	u64 count = queue->written / RF_SUBMISSION_ENTRIES;
	u64 i = count > RF_SUBMISSIONS ? count - RF_SUBMISSIONS : 0;

	/* what failed does not run any more */
	if (RF_FIELD_GET(RF_SLOT_STATUS_STATE, status) == RF_SLOT_STATE_ERROR)
		return 0;
	for (; i < count; i++)
		if (queue->submission[i % RF_SUBMISSIONS].progress > value)
			return queue->submission[i % RF_SUBMISSIONS].fence_id;
	return 0;
}

u32 rf_node_last_completed(struct rf_miniport *miniport, u32 node)
{
	u32 completed = miniport->node[node].last_submitted;
	u32 slot, first;

	for (slot = 0; slot < miniport->slots; slot++) {
		const struct rf_hw_queue *queue = miniport->queue[slot];

		if (!queue || !queue->ring || queue->node != node)
			continue;
		first = rf_first_incomplete(miniport, queue);
		if (first && first - 1 < completed)
			completed = first - 1;
	}
	return completed;
}
