// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Records about contexts of the packet model: see rf_packet_record.h. */
#include "rf_packet_record.h"
#include "rf_hw.h"
#include "rf_mapping.h"
#include "rf_packet_context.h"
#include "rf_packet_node.h"
#include "rf_packet_queue.h"
#include "rf_packet_schedule.h"
#include "rf_packet_slot.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* The queue whose slot is loaded with the context of that handle, or NULL. */
static struct rf_packet_queue *rf_packet_queue_find(struct rf_hw *hw, u32 handle)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++) {
		const struct rf_packet_context *loaded = hw->packet_queue[i].node.loaded;

		if (loaded && loaded->handle == handle)
			return &hw->packet_queue[i];
	}
	return NULL;
}

static void rf_packet_saved_record(struct rf_hw *hw, struct rf_packet_queue *queue,
				   const struct rf_interrupt_record *record)
{
	if (queue->node.state != RF_PACKET_SLOT_SAVING || record->detail != RF_ACCESS_STATUS_OK) {
		/* nothing was saved, and this was the record */
		queue->node.state = RF_PACKET_SLOT_LOADED;
		rf_packet_queue_fault(hw, queue, RF_QUEUE_ERROR_TRANSLATION, record->address);
		return;
	}
	rf_packet_queue_slot_left(hw, queue);
	rf_packet_queue_saved(hw, queue);
}

bool rf_packet_restore_failed_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	u32 i;

	for (i = 0; i < RF_NODES_MAX; i++) {
		struct rf_packet_queue *queue = &hw->packet_queue[i];

		if (queue->node.state != RF_PACKET_SLOT_LOADING ||
		    queue->node.loaded->save_address != record->address)
			continue;
		queue->node.state = RF_PACKET_SLOT_LOADED; /* it takes commands, and has nothing */
		rf_packet_queue_fault(hw, queue, RF_QUEUE_ERROR_TRANSLATION, record->address);
		return true;
	}
	return false;
}

bool rf_packet_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	struct rf_packet_queue *queue = rf_packet_queue_find(hw, record->handle);

	if (!queue)
		return false;
	switch (record->kind) {
	case RF_RECORD_KIND_PREEMPTED:
		if (queue->node.state == RF_PACKET_SLOT_STOPPING)
			return false; /* it was to be saved before: the record is only counted */
		rf_packet_saved_record(hw, queue, record);
		return true;
	case RF_RECORD_KIND_QUEUE_ERROR:
		rf_packet_queue_fault(hw, queue, record->detail, record->address);
		return true;
	case RF_RECORD_KIND_TRAP:
	case RF_RECORD_KIND_SOFTWARE_SIGNAL:
		/* a packet that stops is not resumed */
		rf_packet_queue_fault(hw, queue, RF_QUEUE_ERROR_OPCODE, record->address);
		return true;
	case RF_RECORD_KIND_FENCE_SIGNALED:
		rf_packet_queue_poll(hw, queue);
		rf_packet_queue_advance(hw, queue);
		/* the fence may be one that packets of the process signal */
		return record->address == queue->node.progress.address && !record->vmid;
	}
	return false;
}

/* --- checks ---------------------------------------------------------------------------------- */

static void rf_packet_queue_check(struct rf_hw *hw, struct rf_packet_queue *queue)
{
	static const struct rf_interrupt_record lost = {
		.detail = RF_ACCESS_STATUS_BUS_MASTER_DISABLED
	};
	const struct rf_packet_node *node = &queue->node;
	u64 status, state;
	bool stays;

	if (!rf_packet_queue_slot_is_ready(hw, queue) || !node->loaded)
		return;
	status = rf_slot_read(hw, node->slot, RF_CONTEXT(STATUS));
	if (status == U64_MAX)
		return;
	state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);
	stays = rf_slot_state_persists(hw, node->slot, node->loaded->handle, state);
	if (state == RF_SLOT_STATE_ERROR)
		rf_packet_queue_fault(hw, queue, (u32)RF_FIELD_GET(RF_SLOT_STATUS_ERROR, status),
				      rf_slot_read(hw, node->slot, RF_CONTEXT(ERROR_ADDRESS)));
	else if (state == RF_SLOT_STATE_STOPPED_HOST && stays)
		rf_packet_queue_fault(hw, queue, RF_QUEUE_ERROR_OPCODE, 0);
	else if (state == RF_SLOT_STATE_DISABLED && stays && node->state == RF_PACKET_SLOT_SAVING)
		rf_packet_saved_record(hw, queue, &lost);
	else if (state == RF_SLOT_STATE_DISABLED && stays)
		rf_hw_set_lost(hw, "a slot has forgotten its context");
	else if (state == RF_SLOT_STATE_IDLE && stays && queue->completed != queue->issued)
		rf_packet_slot_resample(hw, node);
}

void rf_packet_queues_check(struct rf_hw *hw)
{
	u32 i;

	rf_packet_queues_poll(hw);
	for (i = 0; i < RF_NODES_MAX && !rf_hw_is_lost(hw); i++)
		if (hw->packet_queue[i].node.contexts && hw->packet_queue[i].node.loaded)
			rf_packet_queue_check(hw, &hw->packet_queue[i]);
}
