// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Preemption of what an engine runs (DxgkDdiPreemptCommand, A-1, S4-14).
 *
 * The device has a scheduler of its own, so that to preempt a node is to take the queue
 * that it serves off: SLOT_CONTROL.preempt stops it in the midst of its work and saves its
 * context, the preempted record is the answer, and the queue is put back at once behind it,
 * to go on when its turn comes. A node that serves nobody is not touched: the answer is
 * given at the level of interrupts without one.
 *
 * Locking: rf_miniport.lock guards what is under way. It is also held while a queue is put
 * back, so that one that is being destroyed is not: rf_preempt_forget() comes first.
 */
#include "rf_miniport.h"

#define RF_CONTEXT_BYTES 256u
/* A restore takes some hundred cycles; each look at it takes longer than one. */
#define RF_RESTORE_LOOKS 10000

int rf_preempt_start(struct rf_miniport *miniport)
{
	struct rf_map_gpu_virtual_address map = { 0 };
	int error;

	error = rf_device_memory(miniport, RF_SLOTS_MAX * RF_CONTEXT_BYTES, &miniport->save);
	if (error)
		return error;
	map.mem = miniport->save;
	error = rf_map_gpu_virtual_address(miniport, &map);
	if (error) {
		rf_mem_put(miniport->save);
		return error;
	}
	miniport->save_address = map.gpu_virtual_address;
	return 0;
}

void rf_preempt_stop(struct rf_miniport *miniport)
{
	rf_unmap_gpu_virtual_address(miniport,
				     &(struct rf_unmap_gpu_virtual_address){
					     .mem = miniport->save,
					     .gpu_virtual_address = miniport->save_address,
				     });
	rf_mem_put(miniport->save);
}

/* --- the request ------------------------------------------------------------------------ */

/* An answer, for rf_preempt_tell() at level DEVICE. */
struct rf_preempt_answer {
	struct rf_miniport *miniport;
	u32 node;
	u32 preemption_fence_id;
	u32 last_completed;
};

static void rf_preempt_tell(void *context)
{
	const struct rf_preempt_answer *answer = context;
	struct rf_miniport *miniport = answer->miniport;
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PREEMPTED,
		.dma_preempted = {
			.preemption_fence_id = answer->preemption_fence_id,
			.last_completed_fence_id = answer->last_completed,
			.node_ordinal = answer->node,
		},
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	miniport->callbacks->queue_dpc(miniport->h_core);
}

/* The queue that the node serves, or NULL. lock held. */
static struct rf_hw_queue *rf_node_serves(struct rf_miniport *miniport, u32 node)
{
	u64 status = rf_register_read(miniport,
				      RF_REGISTER_AT(miniport, NODE, STATUS, rf_node_engine(node)));
	struct rf_hw_queue *queue;

	if (status == U64_MAX || !(status & RF_NODE_STATUS_BUSY_MASK))
		return NULL;
	queue = miniport->queue[RF_FIELD_GET(RF_NODE_STATUS_SLOT, status)];
	return queue && queue->node == node ? queue : NULL;
}

void rf_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_hw_node *node = &miniport->node[arguments->node_ordinal];
	struct rf_preempt_answer answer = {
		.miniport = miniport,
		.node = arguments->node_ordinal,
		.preemption_fence_id = arguments->preemption_fence_id,
		.last_completed = rf_node_last_completed(miniport, arguments->node_ordinal),
	};
	unsigned long flags = rf_spin_lock(&miniport->lock);
	struct rf_hw_queue *queue = node->preempting;
	bool ask = !queue;

	/* One request to a queue is enough, however often the core asks. */
	if (ask)
		queue = rf_node_serves(miniport, arguments->node_ordinal);
	if (queue && !queue->stopping) {
		node->preempting = queue;
		node->preemption_fence_id = answer.preemption_fence_id;
		node->last_completed = answer.last_completed;
		if (ask) {
			rf_register_write(
				miniport, RF_REGISTER_AT(miniport, SLOT, SAVE_ADDRESS, queue->slot),
				miniport->save_address + (u64)queue->slot * RF_CONTEXT_BYTES);
			rf_register_write(miniport,
					  RF_REGISTER_AT(miniport, SLOT, CONTROL, queue->slot),
					  RF_SLOT_CONTROL_PREEMPT_MASK);
		}
	} else {
		queue = NULL;
	}
	rf_spin_unlock(&miniport->lock, flags);
	if (!queue)
		miniport->callbacks->synchronize_execution(miniport->h_core, rf_preempt_tell,
							   &answer);
}

/* --- the answer --------------------------------------------------------------------------- */

/* The preemption of @queue is over. True: @answer says what to tell. lock held. */
static bool rf_preempt_end(struct rf_miniport *miniport, const struct rf_hw_queue *queue,
			   struct rf_preempt_answer *answer)
{
	struct rf_hw_node *node = &miniport->node[queue->node];

	if (node->preempting != queue)
		return false;
	node->preempting = NULL;
	*answer = (struct rf_preempt_answer){
		.miniport = miniport,
		.node = queue->node,
		.preemption_fence_id = node->preemption_fence_id,
		.last_completed = node->last_completed,
	};
	return true;
}

void rf_preempted_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	struct rf_hw_queue *queue = rf_queue_find(miniport, record->handle);
	struct rf_preempt_answer answer;
	bool tell = queue && rf_preempt_end(miniport, queue, &answer);

	/* A queue in error stays where it is. */
	if (tell && !RF_FIELD_GET(RF_SLOT_STATUS_ERROR, record->value)) {
		miniport->node[queue->node].preempted = queue;
		miniport->node[queue->node].saved = record->detail == RF_ACCESS_STATUS_OK;
	}
	rf_spin_unlock(&miniport->lock, flags);
	if (tell)
		rf_preempt_tell(&answer);
}

/* A context that could not be saved is still in the slot. lock held. */
static void rf_put_back(struct rf_miniport *miniport, const struct rf_hw_queue *queue, bool saved)
{
	u64 status = RF_REGISTER_AT(miniport, SLOT, STATUS, queue->slot);
	int looks;

	rf_register_write(miniport, RF_REGISTER_AT(miniport, SLOT, CONTROL, queue->slot),
			  saved ? RF_SLOT_CONTROL_RESTORE_MASK : RF_SLOT_CONTROL_ENABLE_MASK);
	/* Who stops the slot next must not come before it is enabled. */
	for (looks = 0; looks < RF_RESTORE_LOOKS; looks++)
		if (RF_FIELD_GET(RF_SLOT_STATUS_STATE, rf_register_read(miniport, status)) !=
		    RF_SLOT_STATE_DISABLED)
			return;
	rf_log_error(miniport->bus->os, "slot %u is not restored", queue->slot);
}

void rf_preempted_resume(struct rf_miniport *miniport)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	u32 i;

	for (i = 0; i < miniport->nodes; i++) {
		struct rf_hw_node *node = &miniport->node[i];

		if (node->preempted && !node->preempted->stopping && !miniport->resetting)
			rf_put_back(miniport, node->preempted, node->saved);
		node->preempted = NULL;
	}
	rf_spin_unlock(&miniport->lock, flags);
}

void rf_preempt_forget(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	struct rf_preempt_answer answer;
	bool tell;

	queue->stopping = true;
	if (miniport->node[queue->node].preempted == queue)
		miniport->node[queue->node].preempted = NULL;
	tell = rf_preempt_end(miniport, queue, &answer);
	rf_spin_unlock(&miniport->lock, flags);
	if (tell)
		miniport->callbacks->synchronize_execution(miniport->h_core, rf_preempt_tell,
							   &answer);
}
