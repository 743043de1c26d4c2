// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The slot of a node: see rf_packet_slot.h. */
#include "rf_packet_slot.h"
#include "rf_bus.h"
#include "rf_hw.h"
#include "rf_mapping.h"
#include "rf_os.h"
#include "rf_packet_context.h"
#include "rf_packet_node.h"
#include "rf_poll.h"
#include "rf_slot.h"
#include "rf_space.h"
#include "rf_types.h"
#include "ringfence_hw.h"

void rf_packet_slot_load(struct rf_hw *hw, struct rf_packet_node *node,
			 struct rf_packet_context *context)
{
	/* Remove what other contexts stored there; their stores ended before they left. */
	rf_mem_write64(node->progress.mem, 0, 0);
	rf_wmb();
	rf_slot_write(hw, node->slot, RF_CONTEXT(SAVE_ADDRESS), context->save_address);
	rf_slot_command(hw, node->slot, RF_SLOT_CONTROL_RESTORE_MASK);
	node->loaded = context;
	node->state = RF_PACKET_SLOT_LOADING;
	node->pending = rf_slot_expect_enabled(hw, node->slot);
}

void rf_packet_slot_save(struct rf_hw *hw, struct rf_packet_node *node)
{
	rf_slot_command(hw, node->slot, RF_SLOT_CONTROL_PREEMPT_MASK);
	node->state = RF_PACKET_SLOT_SAVING;
	node->pending = rf_slot_expect_disabled(hw, node->slot);
}

void rf_packet_slot_expect_record(struct rf_hw *hw, const struct rf_packet_node *node)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	rf_vmid_expect_record(hw, node->vmid);
	rf_spin_unlock(&hw->lock, flags);
}

static void rf_packet_slot_disable(struct rf_hw *hw, struct rf_packet_node *node)
{
	if (node->state == RF_PACKET_SLOT_SAVING)
		rf_packet_slot_expect_record(hw, node);
	rf_slot_command(hw, node->slot, RF_SLOT_CONTROL_DISABLE_MASK);
	node->state = RF_PACKET_SLOT_STOPPING;
	node->pending = rf_slot_expect_disabled(hw, node->slot);
	node->pending.mask |= RF_SLOT_STATUS_RESAMPLING_MASK;
}

/* A slot that is loading takes no command before it is loaded. */
void rf_packet_slot_stop(struct rf_hw *hw, struct rf_packet_node *node)
{
	if (node->state == RF_PACKET_SLOT_LOADING)
		node->stop = true;
	else if (node->state == RF_PACKET_SLOT_LOADED || node->state == RF_PACKET_SLOT_SAVING)
		rf_packet_slot_disable(hw, node);
}

void rf_packet_slot_resample(struct rf_hw *hw, const struct rf_packet_node *node)
{
	rf_slot_command(hw, node->slot, RF_SLOT_CONTROL_RESAMPLE_MASK);
}

int rf_packet_slot_poll(struct rf_hw *hw, struct rf_packet_node *node)
{
	int error;

	if (node->state == RF_PACKET_SLOT_LOADING) {
		error = rf_pending_poll(hw, &node->pending);
		if (error)
			return error;
		node->state = RF_PACKET_SLOT_LOADED;
		if (node->stop)
			rf_packet_slot_disable(hw, node);
	}
	return node->state == RF_PACKET_SLOT_STOPPING ? rf_pending_poll(hw, &node->pending) : 0;
}

bool rf_packet_slot_shows_previous(struct rf_hw *hw, struct rf_packet_node *node)
{
	return node->state == RF_PACKET_SLOT_LOADING && rf_pending_poll_once(hw, &node->pending);
}
