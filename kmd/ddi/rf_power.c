// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Power. The device tells by registers what it does: a node is idle when it serves no
 * slot, its engine has no work, no packet was retired since the last look, and none of its
 * slots has anything left, were it only a wait, since the end of one needs no CPU.
 *
 * The device has no clock or power gate for one engine: F1 is a promise that the engine
 * gets no work, which is checked here and which a gate could rely on. D3 is as on any PCI
 * function: what the device knew is gone, registers and local memory. All of it is known
 * here, since no queue is in a slot, no context on a node and no doorbell bound: roots of
 * page tables, the interrupt ring, and whether there are more queues than slots.
 */
#include "rf_miniport.h"

/* --- idle engines -------------------------------------------------------------------- */

static bool rf_slot_is_idle(struct rf_miniport *miniport, u32 slot)
{
	u64 status = rf_register_read(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, slot));
	u64 state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);

	return state == RF_SLOT_STATE_DISABLED || state == RF_SLOT_STATE_IDLE ||
	       state == RF_SLOT_STATE_ERROR;
}

static bool rf_slots_are_idle(struct rf_miniport *miniport, u32 node)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool idle = true;
	u32 slot;

	for (slot = 0; slot < miniport->slots && idle; slot++)
		if (miniport->slot[slot] && miniport->slot[slot]->context->node == node)
			idle = !miniport->slot[slot]->loading && rf_slot_is_idle(miniport, slot);
	rf_spin_unlock(&miniport->lock, flags);
	return idle;
}

static bool rf_node_is_busy(struct rf_miniport *miniport, u32 node)
{
	return rf_register_read(miniport, RF_NODE_REGISTER(miniport, STATUS, node)) &
	       (RF_NODE_STATUS_BUSY_MASK | RF_NODE_STATUS_ENGINE_BUSY_MASK);
}

static bool rf_node_is_idle(struct rf_miniport *miniport, u32 node)
{
	u64 retired = rf_register_read(miniport, RF_NODE_REGISTER(miniport, RETIRED, node));
	bool same = retired == miniport->retired[node];

	miniport->retired[node] = retired;
	return same && rf_slots_are_idle(miniport, node) && !rf_node_is_busy(miniport, node);
}

/* What there is to tell, at level DEVICE. */
struct rf_idle_nodes {
	struct rf_miniport *miniport;
	u32 nodes;
};

static void rf_tell_idle(void *argument)
{
	const struct rf_idle_nodes *idle = argument;
	struct rf_miniport *miniport = idle->miniport;
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
		.engine_state_change.new_state = RF_ENGINE_TRANSITION_TO_F1,
	};
	u32 node;

	for (node = 0; node < miniport->nodes; node++) {
		if (!(idle->nodes & 1u << node) ||
		    miniport->packet_node[node].completed != miniport->packet_node[node].submitted)
			continue;
		data.engine_state_change.node_ordinal = node;
		miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	}
	miniport->callbacks->queue_dpc(miniport->h_core);
}

void rf_look_for_idle(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_idle_nodes idle = { .miniport = miniport };
	u32 node;

	for (node = 0; node < miniport->nodes; node++)
		if (rf_node_is_idle(miniport, node))
			idle.nodes |= 1u << node;
	if (idle.nodes)
		miniport->callbacks->synchronize_execution(miniport->h_core, rf_tell_idle, &idle);
}

/* --- F-states -------------------------------------------------------------------------- */

int rf_set_power_component_f_state(void *h_adapter,
				   const struct rf_set_power_component_f_state *arguments)
{
	struct rf_miniport *miniport = h_adapter;

	if (arguments->component_index >= miniport->nodes || arguments->f_state > 1)
		return -EINVAL;
	if (arguments->f_state && rf_node_is_busy(miniport, arguments->component_index))
		return -EBUSY;
	return 0;
}

/* --- D-states -------------------------------------------------------------------------- */

static void rf_power_down(struct rf_miniport *miniport)
{
	u64 control = RF_REGISTER(miniport, INTERRUPT, CONTROL);

	rf_register_write(miniport, control, 0);
	/* nothing that the device sent before is on its way any more */
	rf_device_flush(miniport);
}

static int rf_power_up(struct rf_miniport *miniport)
{
	memset(miniport->retired, 0, sizeof(miniport->retired));
	return rf_device_restart(miniport);
}

int rf_set_power_state(void *h_adapter, const struct rf_set_power_state *arguments)
{
	if (arguments->device_power_state == RF_DEVICE_D3) {
		rf_power_down(h_adapter);
		return 0;
	}
	return rf_power_up(h_adapter);
}
