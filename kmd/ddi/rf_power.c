// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Power. Registers show what the device does: a node is idle when it serves no slot, its engine
 * has no work, no packet was retired since the last call, and none of its slots has anything left,
 * a wait included, since the end of a wait needs no CPU.
 *
 * The device has no clock or power gate for one engine: F1 is a promise that the engine
 * gets no work, which is checked here and which a gate could rely on. D3 is as on any PCI
 * function: registers and local memory are lost. The driver can write all of it again, since no
 * queue is in a slot, no context on a node and no doorbell bound: roots of page tables, the
 * interrupt ring, and whether there are more queues than slots.
 */
#include "rf_power.h"
#include "rf_ddi.h"
#include "rf_engine.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_interrupt_ring.h"
#include "rf_os.h"
#include "rf_packet_queue.h"
#include "rf_queue.h"
#include "rf_restart.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* --- idle engines -------------------------------------------------------------------- */

static bool rf_slot_is_idle(struct rf_hw *hw, u32 slot)
{
	u64 status = rf_slot_read(hw, slot, RF_CONTEXT(STATUS));
	u64 state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);

	return state == RF_SLOT_STATE_DISABLED || state == RF_SLOT_STATE_IDLE ||
	       state == RF_SLOT_STATE_ERROR;
}

static bool rf_slots_are_idle(struct rf_hw *hw, u32 node)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool idle = true;
	u32 slot;

	for (slot = 0; slot < hw->slot_count && idle; slot++) {
		const struct rf_hw_queue *queue = hw->slots->queue[slot];

		if (queue && queue->context->node == node)
			idle = !queue->residence.loading && rf_slot_is_idle(hw, slot);
	}
	rf_spin_unlock(&hw->lock, flags);
	return idle;
}

static bool rf_node_has_work(struct rf_hw *hw, u32 node)
{
	return RF_NODE_READ(hw, STATUS, node) &
	       (RF_NODE_STATUS_BUSY_MASK | RF_NODE_STATUS_ENGINE_BUSY_MASK);
}

static bool rf_node_is_idle(struct rf_hw *hw, u32 node)
{
	u64 retired = RF_NODE_READ(hw, RETIRED, node);
	bool same = retired == hw->power->retired[node];

	hw->power->retired[node] = retired;
	return same && rf_slots_are_idle(hw, node) && !rf_node_has_work(hw, node);
}

/* Nodes that are to be reported, at level DEVICE. */
struct rf_idle_nodes {
	struct rf_hw *hw;
	u32 nodes;
};

static void rf_report_idle(void *argument)
{
	const struct rf_idle_nodes *idle = argument;
	struct rf_hw *hw = idle->hw;
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
		.engine_state_change.new_state = RF_ENGINE_TRANSITION_TO_F1,
	};
	u32 node;

	for (node = 0; node < hw->node_count; node++) {
		if (!(idle->nodes & 1u << node) ||
		    !rf_packet_queue_is_empty(&hw->packet_queue[node]))
			continue;
		data.engine_state_change.node_ordinal = node;
		rf_notify(hw, &data);
	}
	rf_queue_dpc(hw);
}

void rf_look_for_idle(void *h_adapter)
{
	struct rf_hw *hw = h_adapter;
	struct rf_idle_nodes idle = { .hw = hw };
	u32 node;

	for (node = 0; node < hw->node_count; node++)
		if (rf_node_is_idle(hw, node))
			idle.nodes |= 1u << node;
	if (idle.nodes)
		rf_synchronize(hw, rf_report_idle, &idle);
}

/* --- F-states -------------------------------------------------------------------------- */

int rf_set_power_component_f_state(void *h_adapter,
				   const struct rf_set_power_component_f_state *arguments)
{
	struct rf_hw *hw = h_adapter;

	if (arguments->component_index >= hw->node_count || arguments->f_state > 1)
		return -EINVAL;
	if (arguments->f_state && rf_node_has_work(hw, arguments->component_index))
		return -EBUSY;
	return 0;
}

/* --- D-states -------------------------------------------------------------------------- */

static void rf_power_down(struct rf_hw *hw)
{
	rf_interrupt_ring_disable(hw);
	/* all writes that the device sent before have arrived then */
	rf_hw_flush(hw);
}

static int rf_power_up(struct rf_hw *hw)
{
	memset(hw->power->retired, 0, sizeof(hw->power->retired));
	return rf_hw_restart(hw);
}

int rf_set_power_state(void *h_adapter, const struct rf_set_power_state *arguments)
{
	if (arguments->device_power_state == RF_DEVICE_D3) {
		rf_power_down(h_adapter);
		return 0;
	}
	return rf_power_up(h_adapter);
}
