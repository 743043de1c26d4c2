// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Hardware queues. A queue holds one of the device's slots from creation to
 * destruction; its ring is given to the slot when its doorbell is made, or at once if
 * the driver keeps it (rf_submit.c).
 */
#include "rf_miniport.h"

/* Looks at a queue that is to stop before its engine is reset; each takes about 1 us */
#define RF_STOP_LOOKS 20000

static void rf_queue_free(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	miniport->queue[queue->slot] = NULL;
	rf_spin_unlock(&miniport->lock, flags);
	rf_free(queue);
}

int rf_create_hw_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_hw_queue *queue;
	unsigned long flags;
	u32 slot;
	int error;

	if (arguments->node_ordinal >= miniport->nodes)
		return -EINVAL;
	/* PROGRESS signals a native fence. */
	if (!(arguments->flags & RF_HW_QUEUE_NATIVE_PROGRESS_FENCE))
		return -EOPNOTSUPP;

	for (slot = 0; slot < miniport->slots; slot++) {
		if (!miniport->queue[slot])
			break;
	}
	if (slot == miniport->slots)
		return -EBUSY;

	queue = rf_alloc(sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	queue->h_core = arguments->h_hw_queue;
	queue->space = arguments->h_process;
	queue->node = arguments->node_ordinal;
	queue->slot = slot;
	queue->progress = arguments->h_hw_queue_native_progress_fence;

	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, PROGRESS_ADDRESS, slot),
			  queue->progress->name.address);
	rf_register_write(miniport,
			  RF_REGISTER_AT(miniport, SLOT, PROGRESS_MONITORED_ADDRESS, slot),
			  queue->progress->monitored_address);

	flags = rf_spin_lock(&miniport->lock);
	queue->handle = ++miniport->next_handle;
	miniport->queue[slot] = queue;
	rf_spin_unlock(&miniport->lock, flags);

	if (!(arguments->flags & RF_HW_QUEUE_USER_MODE_SUBMISSION)) {
		error = rf_kernel_ring_create(miniport, queue);
		if (error) {
			rf_queue_free(miniport, queue);
			return error;
		}
	}
	arguments->h_hw_queue = queue;
	return 0;
}

/* The slot's next queue must not find them. */
static void rf_logs_take_away(struct rf_miniport *miniport, const struct rf_hw_queue *queue)
{
	u64 log_switch = RF_REGISTER_AT(miniport, SLOT, LOG_SWITCH, queue->slot);
	u64 both = RF_SLOT_LOG_SWITCH_WAIT_MASK | RF_SLOT_LOG_SWITCH_SIGNAL_MASK;

	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, LOG_ENTRIES, queue->slot), 0);
	rf_register_write(miniport, log_switch, both);
	rf_register_poll(miniport, log_switch, both, 0);
}

void rf_destroy_hw_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;

	rf_queue_stop(miniport, queue);
	rf_logs_take_away(miniport, queue);
	if (queue->ring)
		rf_kernel_ring_destroy(miniport, queue);
	rf_queue_free(miniport, queue);
}

struct rf_hw_queue *rf_queue_find(struct rf_miniport *miniport, u32 handle)
{
	u32 slot;

	for (slot = 0; slot < miniport->slots; slot++) {
		if (miniport->queue[slot] && miniport->queue[slot]->handle == handle)
			return miniport->queue[slot];
	}
	return NULL;
}

static u32 rf_log2(u32 value)
{
	u32 log2 = 0;

	while (value >>= 1)
		log2++;
	return log2;
}

void rf_queue_set_ring(struct rf_miniport *miniport, struct rf_hw_queue *queue,
		       const struct rf_ring *ring)
{
	u32 slot = queue->slot;

	queue->stopping = false;
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, RING_BASE, slot), ring->address);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, WRITE_POINTER_ADDRESS, slot),
			  ring->write_pointer_address);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, QUANTUM, slot),
			  RF_QUANTUM_DEFAULT);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONFIG, slot),
			  RF_FIELD(RF_SLOT_CONFIG_RING_LOG2, rf_log2(ring->entries)) |
				  RF_FIELD(RF_SLOT_CONFIG_VMID, queue->space->vmid) |
				  RF_FIELD(RF_SLOT_CONFIG_NODE, queue->node) |
				  RF_FIELD(RF_SLOT_CONFIG_HANDLE, queue->handle));
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, POINTERS, slot), 0);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, slot),
			  RF_SLOT_CONTROL_ENABLE_MASK);
}

static bool rf_slot_await_disabled(struct rf_miniport *miniport, u32 slot)
{
	u64 status;
	int looks;

	for (looks = 0; looks < RF_STOP_LOOKS; looks++) {
		status = rf_register_read(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, slot));
		if (status == U64_MAX ||
		    RF_FIELD_GET(RF_SLOT_STATUS_STATE, status) == RF_SLOT_STATE_DISABLED)
			return true;
	}
	return false;
}

void rf_queue_stop(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	rf_preempt_forget(miniport, queue);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, queue->slot),
			  RF_SLOT_CONTROL_DISABLE_MASK);
	if (rf_slot_await_disabled(miniport, queue->slot))
		return;
	/* what it has in an engine takes too long, or hangs, and nobody wants it any more */
	rf_engine_drop(miniport, queue);
	if (!rf_slot_await_disabled(miniport, queue->slot))
		rf_log_error(miniport->bus->os, "slot %u does not stop", queue->slot);
}

void rf_resume_hw_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments)
{
	const struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;

	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, queue->slot),
			  RF_SLOT_CONTROL_RESUME_MASK);
}

int rf_queue_resample(struct rf_miniport *miniport, const struct rf_hw_queue *queue)
{
	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, queue->slot),
			  RF_SLOT_CONTROL_RESAMPLE_MASK);
	return rf_register_poll(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, queue->slot),
				RF_SLOT_STATUS_RESAMPLING_MASK, 0);
}

/* --- logs --------------------------------------------------------------------------- */

int rf_set_native_fence_log_buffer(void *h_adapter,
				   const struct rf_set_native_fence_log_buffer *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	u64 entries = RF_REGISTER_AT(miniport, SLOT, LOG_ENTRIES, queue->slot);
	u64 log_switch = RF_REGISTER_AT(miniport, SLOT, LOG_SWITCH, queue->slot);
	u64 value = rf_register_read(miniport, entries);
	u64 address, bit;

	switch (arguments->log_type) {
	case RF_LOG_TYPE_WAITS:
		address = RF_REGISTER_AT(miniport, SLOT, WAIT_LOG_ADDRESS, queue->slot);
		bit = RF_SLOT_LOG_SWITCH_WAIT_MASK;
		value &= ~RF_SLOT_LOG_ENTRIES_WAIT_MASK;
		value |= RF_FIELD(RF_SLOT_LOG_ENTRIES_WAIT, arguments->number_of_entries);
		break;
	case RF_LOG_TYPE_SIGNALS:
		address = RF_REGISTER_AT(miniport, SLOT, SIGNAL_LOG_ADDRESS, queue->slot);
		bit = RF_SLOT_LOG_SWITCH_SIGNAL_MASK;
		value &= ~RF_SLOT_LOG_ENTRIES_SIGNAL_MASK;
		value |= RF_FIELD(RF_SLOT_LOG_ENTRIES_SIGNAL, arguments->number_of_entries);
		break;
	default:
		return -EINVAL;
	}
	rf_register_write(miniport, address, arguments->log_buffer_system_process_gpu_va);
	rf_register_write(miniport, entries, value);
	rf_register_write(miniport, log_switch, bit);
	/* The read that shows the bit clear lies behind the last write to the old log. */
	return rf_register_poll(miniport, log_switch, bit, 0);
}

int rf_update_native_fence_logs(void *h_adapter,
				const struct rf_update_native_fence_logs *arguments)
{
	/* The completion of a read pushes every write before it (S0-115). */
	if (arguments->number_of_queues)
		rf_device_flush(h_adapter);
	return 0;
}
