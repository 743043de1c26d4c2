/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Rings that the driver writes: of kernel-mode queues and of contexts of the packet model.
 *
 * Locking: made and ended at level PASSIVE; otherwise guarded as the queue or the context.
 */
#ifndef RF_KERNEL_RING_H
#define RF_KERNEL_RING_H

#include "rf_mapping.h"
#include "rf_ring.h"
#include "rf_types.h"

struct rf_address_space;
struct rf_hw;

#define RF_SUBMISSIONS 64u /* that a ring holds */
#define RF_SUBMISSION_ENTRIES 2u
#define RF_KERNEL_RING_ENTRIES (RF_SUBMISSIONS * RF_SUBMISSION_ENTRIES)

/**
 * struct rf_kernel_ring - a ring of the driver
 * @buffer: its memory
 * @location: its addresses
 * @written: ring entries written
 * @consumed: of them known to be complete
 */
struct rf_kernel_ring {
	struct rf_buffer buffer;
	struct rf_ring location;
	u64 written;
	u64 consumed;
};

/* Empty. PASSIVE. */
int rf_kernel_ring_create(struct rf_hw *hw, struct rf_address_space *space,
			  struct rf_kernel_ring *ring);
/* The device does not use it any more. PASSIVE. */
void rf_kernel_ring_destroy(struct rf_hw *hw, struct rf_address_space *space,
			    struct rf_kernel_ring *ring);
bool rf_kernel_ring_exists(const struct rf_kernel_ring *ring);
bool rf_kernel_ring_is_full(const struct rf_kernel_ring *ring);
/* Returns the number of the submission; no command goes to the device. Any level, as all that
 * follow. */
u64 rf_kernel_ring_append(struct rf_kernel_ring *ring, u64 address, u32 size, u64 progress);
/* As if nothing had ever been appended. */
void rf_kernel_ring_clear_all(struct rf_kernel_ring *ring);
/* Have a submission that is not complete report another value. */
void rf_kernel_ring_set_progress(struct rf_kernel_ring *ring, u64 submission, u64 value);
/* Have a submission that the device has not begun do nothing. */
void rf_kernel_ring_clear(struct rf_kernel_ring *ring, u64 submission);

#endif /* RF_KERNEL_RING_H */
