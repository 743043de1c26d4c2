// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Rings that the driver writes. A ring lies in a page of its own that engines of the process may
 * read but not write, and that user mode cannot map:
 *
 *   0      ring, two entries per submission: the command buffer, then a PROGRESS packet
 *   2048   the PROGRESS packets
 *   3072   write-pointer record
 *
 * No doorbell is needed: a command to the slot has the device read the write-pointer record.
 */
#include "rf_kernel_ring.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_mapping.h"
#include "rf_os.h"
#include "rf_ring.h"
#include "rf_space.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_PROGRESS_OFFSET 2048u
#define RF_WRITE_POINTER_OFFSET 3072u

static_assert(RF_KERNEL_RING_ENTRIES * sizeof(struct rf_ring_entry) <= RF_PROGRESS_OFFSET, "page");
static_assert(RF_PROGRESS_OFFSET + RF_SUBMISSIONS * sizeof(struct rf_packet_progress) <=
		      RF_WRITE_POINTER_OFFSET,
	      "page");

int rf_kernel_ring_create(struct rf_hw *hw, struct rf_address_space *space,
			  struct rf_kernel_ring *ring)
{
	struct rf_mem *mem;
	int error = rf_mem_create_private(hw->bus, 1u << RF_PAGE_SHIFT, &mem);

	if (!error)
		error = rf_buffer_map(hw, space, mem, RF_MAP_READ_ONLY, &ring->buffer);
	if (error)
		return error;
	ring->location = (struct rf_ring){
		.address = ring->buffer.address,
		.write_pointer_address = ring->buffer.address + RF_WRITE_POINTER_OFFSET,
		.write_pointer = { .mem = ring->buffer.mem, .offset = RF_WRITE_POINTER_OFFSET },
		.entries = RF_KERNEL_RING_ENTRIES,
	};
	return 0;
}

void rf_kernel_ring_destroy(struct rf_hw *hw, struct rf_address_space *space,
			    struct rf_kernel_ring *ring)
{
	rf_buffer_destroy(hw, space, &ring->buffer);
}

bool rf_kernel_ring_exists(const struct rf_kernel_ring *ring)
{
	return ring->buffer.mem;
}

bool rf_kernel_ring_is_full(const struct rf_kernel_ring *ring)
{
	return ring->written - ring->consumed > RF_KERNEL_RING_ENTRIES - RF_SUBMISSION_ENTRIES;
}

static void rf_ring_entry_write(struct rf_kernel_ring *ring, u64 index, u64 address, u32 size)
{
	u64 offset = index % RF_KERNEL_RING_ENTRIES * sizeof(struct rf_ring_entry);

	rf_mem_write64(ring->buffer.mem, offset, address);
	rf_mem_write64(ring->buffer.mem, offset + 8, size); /* flags are 0 */
}

static u64 rf_progress_offset(u64 submission)
{
	return RF_PROGRESS_OFFSET + submission % RF_SUBMISSIONS * sizeof(struct rf_packet_progress);
}

void rf_kernel_ring_set_progress(struct rf_kernel_ring *ring, u64 submission, u64 value)
{
	u64 offset = rf_progress_offset(submission);

	rf_mem_write64(ring->buffer.mem, offset,
		       RF_FIELD(RF_PACKET_HEADER_OPCODE, RF_OPCODE_PROGRESS) |
			       RF_FIELD(RF_PACKET_HEADER_WORDS, RF_PACKET_PROGRESS_WORDS_MAX));
	rf_mem_write64(ring->buffer.mem, offset + 8, value);
}

u64 rf_kernel_ring_append(struct rf_kernel_ring *ring, u64 address, u32 size, u64 progress)
{
	u64 submission = ring->written / RF_SUBMISSION_ENTRIES;

	rf_kernel_ring_set_progress(ring, submission, progress);
	rf_ring_entry_write(ring, ring->written, address, size);
	rf_ring_entry_write(ring, ring->written + 1,
			    ring->location.address + rf_progress_offset(submission),
			    sizeof(struct rf_packet_progress));
	ring->written += RF_SUBMISSION_ENTRIES;
	rf_wmb();
	rf_mem_write64(ring->buffer.mem, RF_WRITE_POINTER_OFFSET, ring->written);
	rf_wmb();
	return submission;
}

void rf_kernel_ring_clear_all(struct rf_kernel_ring *ring)
{
	ring->written = 0;
	ring->consumed = 0;
	rf_mem_write64(ring->buffer.mem, RF_WRITE_POINTER_OFFSET, 0);
}

void rf_kernel_ring_clear(struct rf_kernel_ring *ring, u64 submission)
{
	rf_ring_entry_write(ring, submission * RF_SUBMISSION_ENTRIES, 0, 0);
	rf_ring_entry_write(ring, submission * RF_SUBMISSION_ENTRIES + 1, 0, 0);
}
