// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The ring of a queue: see rf_queue_ring.h. */
#include "rf_queue_ring.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_queue.h"
#include "rf_residence.h"
#include "rf_ring.h"
#include "rf_save_area.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

void rf_queue_set_ring(struct rf_hw *hw, struct rf_hw_queue *queue, const struct rf_ring *ring)
{
	struct rf_save_area *save = &queue->save;
	unsigned long flags = rf_queue_lock_stable(hw, queue);

	if (!ring) {
		queue->write_pointer.mem = NULL;
		goto unlock;
	}
	queue->write_pointer = ring->write_pointer;
	queue->entries = ring->entries;
	queue->stop_reported = false;
	rf_save_area_write(save, RF_CONTEXT(RING_BASE), ring->address);
	rf_save_area_write(save, RF_CONTEXT(WRITE_POINTER_ADDRESS), ring->write_pointer_address);
	rf_save_area_write(save, RF_CONTEXT(CONFIG),
			   RF_FIELD(RF_SLOT_CONFIG_RING_LOG2, rf_ring_log2(ring)) |
				   RF_FIELD(RF_SLOT_CONFIG_NODE, queue->context->node) |
				   RF_FIELD(RF_SLOT_CONFIG_PRIORITY, queue->context->priority) |
				   RF_FIELD(RF_SLOT_CONFIG_TOKEN, queue->token) |
				   RF_FIELD(RF_SLOT_CONFIG_HANDLE, queue->handle));
	rf_save_area_write(save, RF_CONTEXT(POINTERS), 0);
	rf_save_area_write(save, RF_CONTEXT(WRITE_POINTER), 0);
	rf_save_area_write(save, RF_CONTEXT(FLAGS), 0);
	rf_save_area_write(save, RF_CONTEXT(QUANTUM_LEFT), 0);
unlock:
	rf_spin_unlock(&hw->lock, flags);
}

struct rf_resample {
	struct rf_hw_queue *queue;
	struct rf_pending pending;
};

/* 0: the slot has done that, or the queue left it; -EINPROGRESS; -EIO. */
static int rf_resample_poll(struct rf_hw *hw, void *argument)
{
	struct rf_resample *resample = argument;

	if (!rf_queue_in_slot(resample->queue))
		return 0;
	return rf_pending_poll(hw, &resample->pending);
}

int rf_queue_resample(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	struct rf_resample resample = {
		.queue = queue,
		.pending = rf_slot_expect_resampled(hw, queue->residence.slot),
	};
	int error;

	rf_queue_command(hw, queue, RF_SLOT_CONTROL_RESAMPLE_MASK);
	error = rf_poll_locked(hw, rf_resample_poll, &resample, &flags);
	rf_spin_unlock(&hw->lock, flags);
	return error;
}

bool rf_queue_record_is_ahead(const struct rf_hw_queue *queue, u64 accepted, u64 read)
{
	u64 record;

	if (!queue->write_pointer.mem)
		return false;
	record = rf_untrusted_value_read(queue->write_pointer);
	return record > accepted && record - read <= queue->entries;
}

/*
 * Entries that were accepted, or that the write-pointer record names and the device would accept.
 * Any other value of the record is an error of user mode, which the device does not accept either.
 */
static bool rf_queue_saved_has_work(const struct rf_hw_queue *queue)
{
	u64 state = rf_save_area_read(&queue->save, RF_CONTEXT(FLAGS));
	u64 read, written;

	if (!queue->write_pointer.mem || (state & RF_SLOT_FLAGS_STOPPED_MASK))
		return false;
	read = rf_save_area_read(&queue->save, RF_CONTEXT(POINTERS));
	written = rf_save_area_read(&queue->save, RF_CONTEXT(WRITE_POINTER));
	if ((state & RF_SLOT_FLAGS_IN_BUFFER_MASK) || written != read)
		return true;
	return rf_queue_record_is_ahead(queue, written, read);
}

void rf_query_hw_queue_work(void *h_adapter, struct rf_query_hw_queue_work *arguments)
{
	const struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);

	arguments->has_work =
		queue->residence.state == RF_QUEUE_SAVED && rf_queue_saved_has_work(queue);
	rf_spin_unlock(&hw->lock, flags);
}
