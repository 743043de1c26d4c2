/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The interrupt ring: memory to which the device writes records.
 *
 * Locking: DEVICE; started and stopped at level PASSIVE, while no interrupt is delivered.
 */
#ifndef RF_INTERRUPT_RING_H
#define RF_INTERRUPT_RING_H

#include "rf_mapping.h"
#include "rf_types.h"
#include "ringfence_hw.h"

struct rf_hw;

/**
 * struct rf_interrupt_ring - the ring
 * @buffer: it lies there, in the system process
 * @consumer: records read, modulo 2^32
 */
struct rf_interrupt_ring {
	struct rf_buffer buffer;
	u32 consumer;
};

/* 0, -ENOMEM, -EIO. */
int rf_interrupt_ring_start(struct rf_hw *hw);
/* The device has nothing in its ring, and begins at its start. */
void rf_interrupt_ring_restart(struct rf_hw *hw);
/* No record begins after the device has read this; rf_hw_flush() waits for those before. */
void rf_interrupt_ring_disable(struct rf_hw *hw);
void rf_interrupt_ring_stop(struct rf_hw *hw);
/* Is the ring where it was put? Else the device is lost. -EIO: the device is away. */
int rf_interrupt_ring_check(struct rf_hw *hw);

/* Records that the device has written, modulo 2^32. 0; -ENODEV: the device is gone, or away; -EIO:
 * there are more than the ring holds. */
int rf_interrupt_ring_producer(struct rf_hw *hw, u32 *producer);
/* The next record, of which there is one. */
struct rf_interrupt_record rf_interrupt_ring_next(struct rf_hw *hw);
/* Were records lost? Clears the flags before the core evaluates anything. */
bool rf_interrupt_ring_overflowed(struct rf_hw *hw);
/* Have the device interrupt at the next record after those that were read. */
void rf_interrupt_ring_rearm(struct rf_hw *hw);

#endif /* RF_INTERRUPT_RING_H */
