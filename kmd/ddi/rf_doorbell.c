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
 * (S3-12): a ring names its queue by the token that connecting gave. A slot knows the
 * token of its queue.
 */
#include "rf_miniport.h"

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
	doorbell->h_core = arguments->h_doorbell;
	doorbell->queue = queue;
	queue->doorbell = doorbell;
	rf_queue_set_ring(h_adapter, queue, &ring);
	arguments->h_doorbell = doorbell;
	return 0;
}

static void rf_bind_write(struct rf_miniport *miniport, u32 physical, u64 value)
{
	rf_register_write(miniport, RF_REGISTER(miniport, DOORBELL, BIND(physical)), value);
}

void rf_doorbell_set_resident(struct rf_miniport *miniport, const struct rf_hw_queue *queue,
			      bool resident)
{
	const struct rf_doorbell *doorbell = queue->doorbell;

	if (!doorbell || !doorbell->bound)
		return;
	rf_bind_write(miniport, doorbell->physical,
		      RF_DOORBELL_BIND_BOUND_MASK |
			      (resident ? RF_DOORBELL_BIND_RESIDENT_MASK : 0) |
			      RF_FIELD(RF_DOORBELL_BIND_SLOT, queue->slot) |
			      RF_FIELD(RF_DOORBELL_BIND_HANDLE, queue->handle));
}

/*
 * A ring is told once, until the bit is cleared: before anybody looks for its work, since
 * there may be none (it was found already), and the next ring is told then.
 */
void rf_doorbell_clear_pending(struct rf_miniport *miniport, const struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	if (queue->residence != RF_QUEUE_RESIDENT)
		rf_doorbell_set_resident(miniport, queue, false);
	rf_spin_unlock(&miniport->lock, flags);
	rf_device_flush(miniport);
}

static void rf_doorbell_unbind(struct rf_miniport *miniport, struct rf_doorbell *doorbell)
{
	unsigned long flags;

	/* Rings that CPUs sent before the page was rotated arrive before this read. */
	rf_device_flush(miniport);
	flags = rf_spin_lock(&miniport->lock);
	rf_bind_write(miniport, doorbell->physical, 0);
	doorbell->bound = false;
	rf_spin_unlock(&miniport->lock, flags);
	rf_queue_resample(miniport, doorbell->queue);
	miniport->bound[doorbell->physical] = NULL;
}

/* Take the longest bound doorbell from its queue. */
static int rf_doorbell_victimise(struct rf_miniport *miniport)
{
	struct rf_doorbell *victim = NULL;
	u32 i;

	for (i = 0; i < miniport->doorbells; i++) {
		if (!victim || miniport->bound[i]->bound_at < victim->bound_at)
			victim = miniport->bound[i];
	}
	if (!victim)
		return -EBUSY;
	miniport->callbacks->disconnect_doorbell(
		miniport->h_core, &(struct rf_disconnect_doorbell_callback){
					  .h_hw_queue = victim->queue,
					  .h_doorbell = victim,
					  .disconnect_reason = RF_DOORBELL_DISCONNECTED_RETRY,
				  });
	rf_doorbell_unbind(miniport, victim);
	return 0;
}

static int rf_doorbell_bind(struct rf_miniport *miniport, struct rf_doorbell *doorbell)
{
	unsigned long flags;
	int error;
	u32 i;

	for (i = 0; i < miniport->doorbells && miniport->bound[i]; i++)
		;
	if (i == miniport->doorbells) {
		error = rf_doorbell_victimise(miniport);
		if (error)
			return error;
		for (i = 0; miniport->bound[i]; i++)
			;
	}
	flags = rf_spin_lock(&miniport->lock);
	doorbell->physical = i;
	doorbell->bound = true;
	rf_doorbell_set_resident(miniport, doorbell->queue, rf_queue_in_slot(doorbell->queue));
	rf_spin_unlock(&miniport->lock, flags);
	doorbell->bound_at = ++miniport->bindings;
	miniport->bound[i] = doorbell;
	return 0;
}

int rf_connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments)
{
	struct rf_doorbell *doorbell = arguments->h_doorbell;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags;
	u64 status;
	int error;

	flags = rf_queue_lock_settled(miniport, doorbell->queue);
	status = rf_context_read(miniport, doorbell->queue, RF_CONTEXT(STATUS));
	rf_spin_unlock(&miniport->lock, flags);
	if (status == U64_MAX || RF_FIELD_GET(RF_SLOT_STATUS_STATE, status) == RF_SLOT_STATE_ERROR)
		return -EIO;
	if (miniport->global_doorbell) {
		/* the page behind the dedicated ones */
		arguments->doorbell_offset =
			RF_DOORBELL_BASE + ((u64)miniport->doorbells << RF_PAGE_SHIFT);
		arguments->doorbell_token = (u64)doorbell->queue->token << RF_WRITE_POINTER_BITS;
		arguments->status = RF_DOORBELL_CONNECTED;
		return rf_queue_resample(miniport, doorbell->queue);
	}
	if (!doorbell->bound) {
		error = rf_doorbell_bind(miniport, doorbell);
		if (error)
			return error;
		error = rf_queue_resample(miniport, doorbell->queue);
		if (error)
			return error;
	}
	arguments->doorbell_offset = RF_DOORBELL_BASE + ((u64)doorbell->physical << RF_PAGE_SHIFT);
	arguments->doorbell_token = 0;
	arguments->status = RF_DOORBELL_CONNECTED;
	return 0;
}

void rf_disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments)
{
	struct rf_doorbell *doorbell = arguments->h_doorbell;
	struct rf_miniport *miniport = h_adapter;

	if (miniport->global_doorbell) {
		rf_device_flush(miniport);
		rf_queue_resample(miniport, doorbell->queue);
	} else if (doorbell->bound) {
		rf_doorbell_unbind(miniport, doorbell);
	}
}

/*
 * The device keeps one token, and whether there were others since it was cleared. What is
 * lost after the clearing is told by a record of its own, later.
 */
u32 rf_global_pending(struct rf_miniport *miniport, u32 token)
{
	u64 offset = RF_REGISTER(miniport, DOORBELL, GLOBAL_PENDING);

	rf_register_write(miniport, offset, RF_DOORBELL_GLOBAL_PENDING_PENDING_MASK);
	if (!(rf_register_read(miniport, offset) & RF_DOORBELL_GLOBAL_PENDING_LOST_MASK))
		return token;
	rf_register_write(miniport, offset, RF_DOORBELL_GLOBAL_PENDING_LOST_MASK);
	return 0;
}

void rf_destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments)
{
	struct rf_doorbell *doorbell = arguments->h_doorbell;

	/* Its ring may go away: the device must not look at it any more. */
	rf_queue_set_ring(h_adapter, doorbell->queue, NULL);
	doorbell->queue->doorbell = NULL;
	rf_free(doorbell);
}

void rf_notify_work_submission(void *h_adapter, const struct rf_notify_work_submission *arguments)
{
	rf_queue_resample(h_adapter, arguments->h_hw_queue);
}
