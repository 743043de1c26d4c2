// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Doorbells. A doorbell object gets a physical doorbell when it is connected
 * (S3-15). When none is free, the one bound longest ago is taken from its queue,
 * in the order that loses no ring (C11): the core writes the status and rotates
 * the page away, a register read pushes the rings in flight ahead of it, the
 * doorbell is unbound, and the write pointer is sampled once from memory: by the device
 * if the queue is resident, else by the core's query_hw_queue_work.
 *
 * With the global doorbell all objects have the same one, and none is ever taken away
 * (S3-12): a ring names its queue by the token that connecting gave. CONFIG of a slot holds
 * the token of its queue.
 */
#include "rf_doorbell.h"
#include "rf_ddi.h"
#include "rf_doorbell_binding.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_queue_ring.h"
#include "rf_residence.h"
#include "rf_ring.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

int rf_create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments)
{
	const struct rf_ring ring = {
		.address = arguments->ring_buffer_gpu_va,
		.write_pointer_address = arguments->ring_buffer_control_gpu_va,
		.write_pointer = arguments->ring_buffer_control_cpu_va,
		.entries = arguments->ring_buffer_entries,
	};
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_doorbell *doorbell;

	doorbell = rf_alloc(sizeof(*doorbell));
	if (!doorbell)
		return -ENOMEM;
	doorbell->queue = queue;
	rf_queue_set_ring(h_adapter, queue, &ring);
	arguments->h_doorbell = doorbell;
	return 0;
}

/* Take the physical doorbell from its queue. */
static void rf_doorbell_detach(struct rf_hw *hw, struct rf_doorbell *doorbell)
{
	unsigned long flags;

	/* Rings that CPUs sent before the page was rotated arrive before this read. */
	rf_hw_flush(hw);
	flags = rf_spin_lock(&hw->lock);
	rf_doorbell_unbind(hw, doorbell->queue);
	rf_spin_unlock(&hw->lock, flags);
	rf_queue_resample(hw, doorbell->queue);
	hw->doorbells->bound[doorbell->queue->binding.physical] = NULL;
}

/* Take the longest bound doorbell from its queue. */
static int rf_doorbell_victimise(struct rf_hw *hw)
{
	struct rf_doorbell *victim = NULL;
	u32 i;

	for (i = 0; i < hw->doorbell_count; i++) {
		struct rf_doorbell *bound = hw->doorbells->bound[i];

		if (!victim || bound->bound_at < victim->bound_at)
			victim = bound;
	}
	if (!victim)
		return -EBUSY;
	hw->callbacks->disconnect_doorbell(
		hw->h_core, &(struct rf_disconnect_doorbell_callback){
				    .h_hw_queue = victim->queue,
				    .h_doorbell = victim,
				    .disconnect_reason = RF_DOORBELL_DISCONNECTED_RETRY,
			    });
	rf_doorbell_detach(hw, victim);
	return 0;
}

/* A physical doorbell that is free, or RF_DOORBELLS_MAX. */
static u32 rf_doorbell_find_free(const struct rf_hw *hw)
{
	u32 i;

	for (i = 0; i < hw->doorbell_count; i++)
		if (!hw->doorbells->bound[i])
			return i;
	return RF_DOORBELLS_MAX;
}

static int rf_doorbell_attach(struct rf_hw *hw, struct rf_doorbell *doorbell)
{
	struct rf_doorbells *doorbells = hw->doorbells;
	u32 physical = rf_doorbell_find_free(hw);
	unsigned long flags;
	int error;

	if (physical == RF_DOORBELLS_MAX) {
		error = rf_doorbell_victimise(hw);
		if (error)
			return error;
		physical = rf_doorbell_find_free(hw);
	}
	flags = rf_spin_lock(&hw->lock);
	rf_doorbell_bind(hw, doorbell->queue, physical);
	rf_spin_unlock(&hw->lock, flags);
	doorbell->bound_at = ++doorbells->bindings;
	doorbells->bound[physical] = doorbell;
	return 0;
}

int rf_connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments)
{
	struct rf_doorbell *doorbell = arguments->h_doorbell;
	struct rf_hw_queue *queue = doorbell->queue;
	struct rf_hw *hw = h_adapter;
	unsigned long flags;
	u64 status;
	int error;

	flags = rf_queue_lock_stable(hw, queue);
	status = rf_queue_read(hw, queue, RF_CONTEXT(STATUS));
	rf_spin_unlock(&hw->lock, flags);
	if (status == U64_MAX || RF_FIELD_GET(RF_SLOT_STATUS_STATE, status) == RF_SLOT_STATE_ERROR)
		return -EIO;
	if (hw->configuration.global_doorbell) {
		/* the page behind the dedicated ones */
		arguments->doorbell_offset =
			RF_DOORBELL_BASE + ((u64)hw->doorbell_count << RF_PAGE_SHIFT);
		arguments->doorbell_token = (u64)queue->token << RF_WRITE_POINTER_BITS;
		arguments->status = RF_DOORBELL_CONNECTED;
		return rf_queue_resample(hw, queue);
	}
	if (!queue->binding.bound) {
		error = rf_doorbell_attach(hw, doorbell);
		if (error)
			return error;
		error = rf_queue_resample(hw, queue);
		if (error)
			return error;
	}
	arguments->doorbell_offset =
		RF_DOORBELL_BASE + ((u64)queue->binding.physical << RF_PAGE_SHIFT);
	arguments->doorbell_token = 0;
	arguments->status = RF_DOORBELL_CONNECTED;
	return 0;
}

void rf_disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments)
{
	struct rf_doorbell *doorbell = arguments->h_doorbell;
	struct rf_hw *hw = h_adapter;

	if (hw->configuration.global_doorbell) {
		rf_hw_flush(hw);
		rf_queue_resample(hw, doorbell->queue);
	} else if (doorbell->queue->binding.bound) {
		rf_doorbell_detach(hw, doorbell);
	}
}

void rf_destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments)
{
	struct rf_doorbell *doorbell = arguments->h_doorbell;

	/* Its ring may be freed: the device must not read it any more. */
	rf_queue_set_ring(h_adapter, doorbell->queue, NULL);
	rf_free(doorbell);
}

void rf_notify_work_submission(void *h_adapter, const struct rf_notify_work_submission *arguments)
{
	rf_queue_resample(h_adapter, arguments->h_hw_queue);
}
