// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What the interrupt ring did not say.
 *
 * A record is a write of the device's, and an interrupt is another: neither comes through
 * while bus mastering is off or the function is in D3hot. A ring, a command to a slot and
 * the notification of a signal are writes of the host's, and go nowhere while memory decode
 * is off. Nothing of that is repeated. So now and then the state of everything is compared
 * with what is known of it:
 *
 *   the interrupt ring is not where it was put     a reset that nobody asked for: lost
 *   records are there                              they are taken, and the vector armed
 *   a slot is in error, and no record said so      the error is told
 *   a slot stands still, and no record said so     what the packet asked for is gone: an error
 *   a queue was to leave, and its slot is free     what was saved is in doubt: an error
 *   a queue is in a slot that is free              lost
 *   a slot is idle, and its record is ahead        it is told to look, as by a ring
 *   a slot waits                                   it is told to look, as by a signal
 *
 * A record that is still on its way is not lost: but for errors, which may be told twice,
 * a state counts when it is found by looks that are far apart.
 *
 * Locking: the core's device lock throughout; rf_miniport.lock for what slots hold.
 */
#include "rf_miniport.h"

/* Looks that find the same before it counts */
#define RF_LOOKS 2u

/* --- a device that is busy, or lost --------------------------------------------------- */

bool rf_device_is_lost(const struct rf_miniport *miniport)
{
	return __atomic_load_n(&miniport->lost, __ATOMIC_ACQUIRE);
}

void rf_device_set_lost(struct rf_miniport *miniport, const char *reason)
{
	if (!__atomic_exchange_n(&miniport->lost, true, __ATOMIC_ACQ_REL))
		rf_log_error(miniport->bus->os, "the device is lost: %s", reason);
}

void rf_set_busy(struct rf_miniport *miniport)
{
	__atomic_store_n(&miniport->busy, true, __ATOMIC_RELEASE);
}

void rf_tell_busy(struct rf_miniport *miniport)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DEVICE_BUSY,
	};

	rf_set_busy(miniport);
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	miniport->callbacks->queue_dpc(miniport->h_core);
}

void rf_device_tell_lost(struct rf_miniport *miniport)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DEVICE_LOST,
	};

	if (miniport->lost_told)
		return;
	miniport->lost_told = true;
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	miniport->callbacks->queue_dpc(miniport->h_core);
}

/* All ones may be a device that is away for a moment. */
static int rf_check_programmed(struct rf_miniport *miniport)
{
	u64 base = rf_register_read(miniport, RF_REGISTER(miniport, INTERRUPT, RING_BASE));
	u64 control = rf_register_read(miniport, RF_REGISTER(miniport, INTERRUPT, CONTROL));

	if (base == U64_MAX || control == U64_MAX)
		return -EIO;
	if (base != miniport->ring_address || !(control & RF_INTERRUPT_CONTROL_ENABLE_MASK))
		rf_device_set_lost(miniport, "it has forgotten its interrupt ring");
	return 0;
}

/* --- slots ----------------------------------------------------------------------------- */

bool rf_slot_stays(struct rf_miniport *miniport, u32 slot, u32 handle, u64 state)
{
	struct rf_slot_look *look = &miniport->looks[slot];

	if (look->handle != handle || look->state != state)
		*look = (struct rf_slot_look){ .handle = handle, .state = state };
	return ++look->count >= RF_LOOKS;
}

static struct rf_hw_queue *rf_slot_queue(struct rf_miniport *miniport, u32 slot)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	struct rf_hw_queue *queue = miniport->slot[slot];

	rf_spin_unlock(&miniport->lock, flags);
	return queue;
}

static void rf_slot_check_error(struct rf_miniport *miniport, u32 slot, struct rf_hw_queue *queue,
				u64 status)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool told = queue->error_told;

	queue->error_told = true;
	rf_spin_unlock(&miniport->lock, flags);
	if (!told)
		rf_tell_error(miniport, queue, RF_FIELD_GET(RF_SLOT_STATUS_ERROR, status),
			      rf_register_read(miniport,
					       RF_REGISTER_AT(miniport, SLOT, ERROR_ADDRESS, slot)),
			      status);
}

void rf_slots_check_errors(struct rf_miniport *miniport)
{
	u32 slot;

	for (slot = 0; slot < miniport->slots; slot++) {
		struct rf_hw_queue *queue = rf_slot_queue(miniport, slot);
		u64 status;

		if (!queue)
			continue;
		status = rf_register_read(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, slot));
		if (status != U64_MAX &&
		    RF_FIELD_GET(RF_SLOT_STATUS_STATE, status) == RF_SLOT_STATE_ERROR)
			rf_slot_check_error(miniport, slot, queue, status);
	}
}

static void rf_slot_check_free(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool leaving = queue->residence == RF_QUEUE_LEAVING;

	if (leaving) {
		struct rf_vmid *vmid = &miniport->vmid[queue->context->space->vmid];

		if (vmid->queues)
			vmid->queues--;
		rf_queue_left(miniport, queue);
	}
	rf_spin_unlock(&miniport->lock, flags);
	if (leaving) {
		rf_tell_preemption_lost(miniport, queue);
		rf_tell_suspended(miniport);
	} else {
		rf_device_set_lost(miniport, "a slot has forgotten its queue");
	}
}

static void rf_slot_check_stopped(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool told = queue->stop_told;

	rf_spin_unlock(&miniport->lock, flags);
	if (!told)
		rf_tell_error(miniport, queue, RF_QUEUE_ERROR_BUS_MASTER_DISABLED, 0, 0);
}

/* Has the queue's record a write pointer that the device has not, and would take? */
static bool rf_is_behind(const struct rf_hw_queue *queue, u64 accepted)
{
	u64 record;

	if (!queue->write_pointer.mem)
		return false;
	record = rf_untrusted_value_read(queue->write_pointer);
	return record > accepted && record - accepted <= queue->entries;
}

static void rf_slot_check_idle(struct rf_miniport *miniport, u32 slot, struct rf_hw_queue *queue)
{
	u64 accepted =
		rf_register_read(miniport, RF_REGISTER_AT(miniport, SLOT, WRITE_POINTER, slot));

	if (accepted != U64_MAX && rf_is_behind(queue, accepted))
		rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, slot),
				  RF_SLOT_CONTROL_RESAMPLE_MASK);
}

/* Else its slot may show what was there before, and the DPC looks. */
static bool rf_slot_is_loaded(struct rf_miniport *miniport, const struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool loading = queue->loading;

	rf_spin_unlock(&miniport->lock, flags);
	if (loading)
		rf_tell_busy(miniport);
	return !loading;
}

static void rf_slot_check(struct rf_miniport *miniport, u32 slot, bool *waiting)
{
	struct rf_hw_queue *queue = rf_slot_queue(miniport, slot);
	u64 status, state;
	bool stays;

	if (!queue || !rf_slot_is_loaded(miniport, queue))
		return;
	status = rf_register_read(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, slot));
	if (status == U64_MAX)
		return;
	state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);
	stays = rf_slot_stays(miniport, slot, queue->handle, state);
	switch (state) {
	case RF_SLOT_STATE_ERROR:
		rf_slot_check_error(miniport, slot, queue, status);
		break;
	case RF_SLOT_STATE_DISABLED:
		if (stays)
			rf_slot_check_free(miniport, queue);
		break;
	case RF_SLOT_STATE_STOPPED_HOST:
		if (stays)
			rf_slot_check_stopped(miniport, queue);
		break;
	case RF_SLOT_STATE_IDLE:
		if (stays)
			rf_slot_check_idle(miniport, slot, queue);
		break;
	case RF_SLOT_STATE_WAITING:
		*waiting |= stays;
		break;
	}
}

/* --- all of it ------------------------------------------------------------------------- */

static bool rf_check_may(struct rf_miniport *miniport)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool may = !miniport->resetting;
	u32 node;

	/* a node that is stopped reports nothing */
	for (node = 0; node < miniport->nodes; node++)
		may &= !miniport->node[node].stopped;
	rf_spin_unlock(&miniport->lock, flags);
	return may;
}

static int rf_check(struct rf_miniport *miniport)
{
	bool waiting = false;
	int error;
	u32 slot;

	error = rf_check_programmed(miniport);
	if (error || rf_device_is_lost(miniport))
		return error;
	if (!rf_interrupt_routine(miniport, 0))
		return -EIO;
	rf_packet_nodes_check(miniport);
	for (slot = 0; slot < miniport->slots && !rf_device_is_lost(miniport); slot++)
		rf_slot_check(miniport, slot, &waiting);
	if (waiting)
		rf_register_write(miniport, RF_REGISTER(miniport, FENCE, NOTIFY), 1);
	miniport->callbacks->queue_dpc(miniport->h_core);
	return 0;
}

int rf_check_device(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;
	int error = 0;

	if (!rf_check_may(miniport))
		return 0;
	if (!rf_device_is_lost(miniport))
		error = rf_check(miniport);
	if (rf_device_is_lost(miniport))
		rf_device_tell_lost(miniport);
	return error;
}
