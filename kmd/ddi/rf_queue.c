// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Hardware queues. A queue is made as a context that was never in a slot: what it
 * starts with is written to its save area, its ring when its doorbell is made, or at
 * once if the driver keeps it (rf_submit.c).
 */
#include "rf_miniport.h"

static struct rf_list *rf_queue_bucket(struct rf_miniport *miniport, u32 handle)
{
	return &miniport->queues[handle % RF_QUEUE_BUCKETS];
}

struct rf_hw_queue *rf_queue_find_token(struct rf_miniport *miniport, u32 token)
{
	struct rf_hw_queue *queue;
	u32 i;

	for (i = 0; i < RF_QUEUE_BUCKETS; i++)
		rf_list_for_each(queue, &miniport->queues[i], bucket)
			if (queue->token == token)
				return queue;
	return NULL;
}

/* A token that no queue has; there are far fewer queues. lock held. */
static u32 rf_token_find(struct rf_miniport *miniport)
{
	do
		miniport->next_token = miniport->next_token % RF_TOKENS + 1;
	while (rf_queue_find_token(miniport, miniport->next_token));
	return miniport->next_token;
}

static void rf_queue_link(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	queue->handle = ++miniport->next_handle;
	if (miniport->global_doorbell)
		queue->token = rf_token_find(miniport);
	rf_list_insert(&queue->bucket, rf_queue_bucket(miniport, queue->handle));
	rf_list_insert(&queue->context_link, &queue->context->queues);
	rf_spin_unlock(&miniport->lock, flags);
	miniport->queue_count++;
	rf_schedule_count(miniport);
}

/* The queue has no slot; the device sends no more records of it. */
static void rf_queue_free(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	rf_list_remove(&queue->bucket);
	rf_list_remove(&queue->context_link);
	rf_spin_unlock(&miniport->lock, flags);
	miniport->queue_count--;
	rf_schedule_count(miniport);
	rf_save_area_destroy(miniport, &queue->save);
	rf_free(queue);
}

int rf_create_hw_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	const struct rf_global_fence *progress = arguments->h_hw_queue_native_progress_fence;
	struct rf_miniport *miniport = h_adapter;
	struct rf_hw_queue *queue;
	int error;

	/* PROGRESS signals a native fence. */
	if (!(arguments->flags & RF_HW_QUEUE_NATIVE_PROGRESS_FENCE))
		return -EOPNOTSUPP;
	queue = rf_alloc(sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	queue->context = arguments->h_hw_context;
	error = rf_save_area_create(miniport, &queue->save);
	if (error) {
		rf_free(queue);
		return error;
	}
	rf_queue_link(miniport, queue);
	rf_saved_write(queue, RF_CONTEXT(PROGRESS_ADDRESS), progress->name.address);
	rf_saved_write(queue, RF_CONTEXT(PROGRESS_MONITORED_ADDRESS), progress->monitored_address);
	rf_saved_write(queue, RF_CONTEXT(QUANTUM), RF_QUANTUM_DEFAULT);
	if (!(arguments->flags & RF_HW_QUEUE_USER_MODE_SUBMISSION)) {
		error = rf_kernel_ring_create(miniport, queue->context->space, &queue->ring);
		if (error) {
			rf_queue_free(miniport, queue);
			return error;
		}
		rf_queue_set_ring(miniport, queue, &queue->ring.place);
	}
	arguments->h_hw_queue = queue;
	return 0;
}

void rf_destroy_hw_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	/* not just disabled: the record says when the last of it is heard */
	rf_queue_leave(miniport, queue);
	rf_spin_unlock(&miniport->lock, flags);
	flags = rf_queue_lock_settled(miniport, queue);
	if (queue->residence == RF_QUEUE_LEAVING)
		rf_queue_left(miniport, queue);
	rf_spin_unlock(&miniport->lock, flags);
	if (queue->ring.mem)
		rf_kernel_ring_destroy(miniport, queue->context->space, &queue->ring);
	rf_queue_free(miniport, queue);
}

struct rf_hw_queue *rf_queue_find(struct rf_miniport *miniport, u32 handle)
{
	struct rf_hw_queue *queue;

	rf_list_for_each(queue, rf_queue_bucket(miniport, handle), bucket)
		if (queue->handle == handle)
			return queue;
	return NULL;
}

u32 rf_log2(u32 value)
{
	u32 log2 = 0;

	while (value >>= 1)
		log2++;
	return log2;
}

void rf_queue_set_ring(struct rf_miniport *miniport, struct rf_hw_queue *queue,
		       const struct rf_ring *ring)
{
	unsigned long flags = rf_queue_lock_settled(miniport, queue);

	if (!ring) {
		queue->write_pointer.mem = NULL;
		goto unlock;
	}
	queue->write_pointer = ring->write_pointer;
	queue->entries = ring->entries;
	queue->stop_told = false;
	rf_saved_write(queue, RF_CONTEXT(RING_BASE), ring->address);
	rf_saved_write(queue, RF_CONTEXT(WRITE_POINTER_ADDRESS), ring->write_pointer_address);
	rf_saved_write(queue, RF_CONTEXT(CONFIG),
		       RF_FIELD(RF_SLOT_CONFIG_RING_LOG2, rf_log2(ring->entries)) |
			       RF_FIELD(RF_SLOT_CONFIG_NODE, queue->context->node) |
			       RF_FIELD(RF_SLOT_CONFIG_PRIORITY, queue->context->priority) |
			       RF_FIELD(RF_SLOT_CONFIG_TOKEN, queue->token) |
			       RF_FIELD(RF_SLOT_CONFIG_HANDLE, queue->handle));
	rf_saved_write(queue, RF_CONTEXT(POINTERS), 0);
	rf_saved_write(queue, RF_CONTEXT(WRITE_POINTER), 0);
	rf_saved_write(queue, RF_CONTEXT(FLAGS), 0);
	rf_saved_write(queue, RF_CONTEXT(QUANTUM_LEFT), 0);
unlock:
	rf_spin_unlock(&miniport->lock, flags);
}

void rf_resume_hw_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments)
{
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);

	queue->stop_told = false;
	if (rf_queue_in_slot(queue))
		rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
				  RF_SLOT_CONTROL_RESUME_MASK);
	else if (queue->residence == RF_QUEUE_SAVED)
		rf_saved_resume(queue);
	else
		queue->resuming = true;
	rf_spin_unlock(&miniport->lock, flags);
}

/* 0: the slot has done that, or the queue left it; -EINPROGRESS; -EIO. */
static int rf_look_resampled(struct rf_miniport *miniport, struct rf_hw_queue *queue,
			     struct rf_pending *pending)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	int error = 0;

	if (rf_queue_in_slot(queue))
		error = rf_pending_look(miniport, pending);
	rf_spin_unlock(&miniport->lock, flags);
	return error;
}

int rf_queue_resample(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	struct rf_pending pending = {
		.offset = RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(STATUS)),
		.mask = RF_SLOT_STATUS_RESAMPLING_MASK,
	};
	int error;

	if (rf_queue_in_slot(queue))
		rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(CONTROL)),
				  RF_SLOT_CONTROL_RESAMPLE_MASK);
	rf_spin_unlock(&miniport->lock, flags);
	while ((error = rf_look_resampled(miniport, queue, &pending)) == -EINPROGRESS)
		rf_sleep(miniport->bus->os, RF_LOOK_PERIOD);
	return error;
}

/* --- logs --------------------------------------------------------------------------- */

/* Where the two logs' registers differ. */
struct rf_log_registers {
	u64 address, state, place;
	u64 entries_mask, switch_mask;
	u32 entries_shift;
};

static const struct rf_log_registers rf_logs[] = {
	[RF_LOG_TYPE_WAITS] = { RF_CONTEXT(WAIT_LOG_ADDRESS), RF_CONTEXT(WAIT_LOG_STATE),
				RF_CONTEXT(WAIT_LOG_PLACE), RF_SLOT_LOG_ENTRIES_WAIT_MASK,
				RF_SLOT_LOG_SWITCH_WAIT_MASK, RF_SLOT_LOG_ENTRIES_WAIT_SHIFT },
	[RF_LOG_TYPE_SIGNALS] = { RF_CONTEXT(SIGNAL_LOG_ADDRESS), RF_CONTEXT(SIGNAL_LOG_STATE),
				  RF_CONTEXT(SIGNAL_LOG_PLACE), RF_SLOT_LOG_ENTRIES_SIGNAL_MASK,
				  RF_SLOT_LOG_SWITCH_SIGNAL_MASK,
				  RF_SLOT_LOG_ENTRIES_SIGNAL_SHIFT },
};

/* The queue is in its slot. The lock is given while the device is waited for. */
static int rf_log_switch(struct rf_miniport *miniport, struct rf_hw_queue *queue,
			 const struct rf_log_registers *log, u64 address, u64 entries,
			 unsigned long *flags)
{
	u64 log_switch = RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(LOG_SWITCH));
	int error;

	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, log->address), address);
	rf_register_write(miniport, RF_SLOT_REGISTER(miniport, queue, RF_CONTEXT(LOG_ENTRIES)),
			  entries);
	rf_register_write(miniport, log_switch, log->switch_mask);
	rf_queue_set_switching(miniport, queue, true);
	rf_spin_unlock(&miniport->lock, *flags);
	/* The read that shows the bit clear lies behind the last write to the old log. */
	error = rf_register_await(miniport, log_switch, log->switch_mask, 0);
	*flags = rf_spin_lock(&miniport->lock);
	rf_queue_set_switching(miniport, queue, false);
	return error;
}

int rf_set_native_fence_log_buffer(void *h_adapter,
				   const struct rf_set_native_fence_log_buffer *arguments)
{
	u64 address = arguments->log_buffer_system_process_gpu_va;
	struct rf_hw_queue *queue = arguments->h_hw_queue;
	struct rf_miniport *miniport = h_adapter;
	const struct rf_log_registers *log;
	unsigned long flags;
	int error = 0;
	u64 entries;

	if (arguments->log_type != RF_LOG_TYPE_WAITS && arguments->log_type != RF_LOG_TYPE_SIGNALS)
		return -EINVAL;
	log = &rf_logs[arguments->log_type];
	flags = rf_queue_lock_settled(miniport, queue);
	entries = rf_context_read(miniport, queue, RF_CONTEXT(LOG_ENTRIES)) & ~log->entries_mask;
	entries |= (u64)arguments->number_of_entries << log->entries_shift;
	if (rf_queue_in_slot(queue)) {
		error = rf_log_switch(miniport, queue, log, address, entries, &flags);
	} else {
		rf_saved_write(queue, log->address, address);
		rf_saved_write(queue, RF_CONTEXT(LOG_ENTRIES), entries);
		rf_saved_write(queue, log->place, address);
		/* the state of both logs has the fields of one */
		rf_saved_write(
			queue, log->state,
			RF_FIELD(RF_SLOT_WAIT_LOG_STATE_ENTRIES, arguments->number_of_entries));
	}
	rf_spin_unlock(&miniport->lock, flags);
	return error;
}

int rf_update_native_fence_logs(void *h_adapter,
				const struct rf_update_native_fence_logs *arguments)
{
	/* The completion of a read pushes every write before it (S0-115). */
	if (arguments->number_of_queues)
		rf_device_flush(h_adapter);
	return 0;
}
