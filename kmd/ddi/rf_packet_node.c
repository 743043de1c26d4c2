// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Nodes of the packet model: see rf_packet_node.h. */
#include "rf_packet_node.h"
#include "rf_bus.h"
#include "rf_hw.h"
#include "rf_mapping.h"
#include "rf_os.h"
#include "rf_slot.h"
#include "rf_space.h"
#include "rf_types.h"

/* Hardware queues take slots from the other end. */
static int rf_node_slot_alloc(struct rf_hw *hw, struct rf_packet_node *node)
{
	u32 slot = rf_slot_find_last_free(hw);

	if (slot == RF_SLOT_NONE)
		return -EBUSY;
	node->slot = slot;
	return 0;
}

/* The paging node serves the system process only, all others only processes of user mode. */
static int rf_packet_vmid_alloc(struct rf_hw *hw, struct rf_packet_node *node,
				const struct rf_address_space *space)
{
	bool system = space == rf_process_space(hw, NULL);

	node->vmid = system ? 0 : rf_node_vmid_alloc(hw);
	return !node->vmid && !system ? -EBUSY : 0;
}

int rf_packet_node_get(struct rf_hw *hw, struct rf_packet_node *node,
		       struct rf_address_space *space)
{
	bool first = !node->contexts;
	unsigned long flags;
	int error = 0;

	if (first)
		error = rf_buffer_create(hw, NULL, RF_MEM_SYSTEM, 2 * RF_PACKET_MONITORED, 0,
					 &node->progress);
	if (error)
		return error;
	flags = rf_spin_lock(&hw->lock);
	if (first)
		error = rf_node_slot_alloc(hw, node);
	if (first && !error)
		error = rf_packet_vmid_alloc(hw, node, space);
	if (!error) {
		node->contexts++;
		hw->slots->node_slots |= 1u << node->slot;
	}
	rf_spin_unlock(&hw->lock, flags);
	if (error && first)
		rf_buffer_destroy(hw, NULL, &node->progress);
	return error;
}

void rf_packet_node_put(struct rf_hw *hw, struct rf_packet_node *node)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool last = !--node->contexts;

	if (last)
		hw->slots->node_slots &= ~(1u << node->slot);
	rf_spin_unlock(&hw->lock, flags);
	if (last && node->vmid)
		rf_node_vmid_free(hw, node->vmid);
	if (last)
		rf_buffer_destroy(hw, NULL, &node->progress);
}
