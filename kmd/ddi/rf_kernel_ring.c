// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Rings that the driver keeps: of kernel-mode queues and of contexts. A ring lies in a
 * page of its own that engines of the process may read but not write, and no user mode
 * sees:
 *
 *   0      ring, two entries per submission: the command buffer, then a PROGRESS packet
 *   2048   the PROGRESS packets
 *   3072   write-pointer record
 *
 * No doorbell is needed: the device is told to read the write-pointer record.
 */
#include "rf_miniport.h"

#define RF_PROGRESS_OFFSET 2048u
#define RF_WRITE_POINTER_OFFSET 3072u

static_assert(RF_KERNEL_RING_ENTRIES * sizeof(struct rf_ring_entry) <= RF_PROGRESS_OFFSET, "page");
static_assert(RF_PROGRESS_OFFSET + RF_SUBMISSIONS * sizeof(struct rf_packet_progress) <=
		      RF_WRITE_POINTER_OFFSET,
	      "page");

int rf_kernel_ring_create(struct rf_miniport *miniport, struct rf_address_space *space,
			  struct rf_kernel_ring *ring)
{
	struct rf_map_gpu_virtual_address map = {
		.h_process = space,
		.flags = RF_MAP_READ_ONLY,
	};
	int error;

	error = rf_mem_create_private(miniport->bus, 1u << RF_PAGE_SHIFT, &ring->mem);
	if (error)
		return error;
	map.mem = ring->mem;
	error = rf_map_gpu_virtual_address(miniport, &map);
	if (error) {
		rf_mem_put(ring->mem);
		ring->mem = NULL;
		return error;
	}
	ring->place = (struct rf_ring){
		.address = map.gpu_virtual_address,
		.write_pointer_address = map.gpu_virtual_address + RF_WRITE_POINTER_OFFSET,
		.write_pointer = { .mem = ring->mem, .offset = RF_WRITE_POINTER_OFFSET },
		.entries = RF_KERNEL_RING_ENTRIES,
	};
	return 0;
}

void rf_kernel_ring_destroy(struct rf_miniport *miniport, struct rf_address_space *space,
			    struct rf_kernel_ring *ring)
{
	rf_unmap_gpu_virtual_address(miniport, &(struct rf_unmap_gpu_virtual_address){
						       .h_process = space,
						       .mem = ring->mem,
						       .gpu_virtual_address = ring->place.address,
					       });
	rf_mem_put(ring->mem);
}

bool rf_kernel_ring_is_full(const struct rf_kernel_ring *ring)
{
	return ring->written - ring->taken > RF_KERNEL_RING_ENTRIES - RF_SUBMISSION_ENTRIES;
}

static void rf_entry_write(struct rf_kernel_ring *ring, u64 index, u64 address, u32 size)
{
	u64 offset = index % RF_KERNEL_RING_ENTRIES * sizeof(struct rf_ring_entry);

	rf_mem_write64(ring->mem, offset, address);
	rf_mem_write64(ring->mem, offset + 8, size); /* flags are 0 */
}

static u64 rf_progress_offset(u64 submission)
{
	return RF_PROGRESS_OFFSET + submission % RF_SUBMISSIONS * sizeof(struct rf_packet_progress);
}

void rf_kernel_ring_set_progress(struct rf_kernel_ring *ring, u64 submission, u64 value)
{
	u64 offset = rf_progress_offset(submission);

	rf_mem_write64(ring->mem, offset,
		       RF_FIELD(RF_PACKET_HEADER_OPCODE, RF_OPCODE_PROGRESS) |
			       RF_FIELD(RF_PACKET_HEADER_WORDS, RF_PACKET_PROGRESS_WORDS_MAX));
	rf_mem_write64(ring->mem, offset + 8, value);
}

u64 rf_kernel_ring_append(struct rf_kernel_ring *ring, u64 address, u32 size, u64 progress)
{
	u64 submission = ring->written / RF_SUBMISSION_ENTRIES;

	rf_kernel_ring_set_progress(ring, submission, progress);
	rf_entry_write(ring, ring->written, address, size);
	rf_entry_write(ring, ring->written + 1,
		       ring->place.address + rf_progress_offset(submission),
		       sizeof(struct rf_packet_progress));
	ring->written += RF_SUBMISSION_ENTRIES;
	rf_wmb();
	rf_mem_write64(ring->mem, RF_WRITE_POINTER_OFFSET, ring->written);
	rf_wmb();
	return submission;
}

void rf_kernel_ring_clear_all(struct rf_kernel_ring *ring)
{
	ring->written = 0;
	ring->taken = 0;
	rf_mem_write64(ring->mem, RF_WRITE_POINTER_OFFSET, 0);
}

void rf_kernel_ring_clear(struct rf_kernel_ring *ring, u64 submission)
{
	rf_entry_write(ring, submission * RF_SUBMISSION_ENTRIES, 0, 0);
	rf_entry_write(ring, submission * RF_SUBMISSION_ENTRIES + 1, 0, 0);
}
