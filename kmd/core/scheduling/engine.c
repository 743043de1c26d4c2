// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The engine of a node: whether it is in F0, and whether it is being preempted (S4-2).
 *
 * Locking: the adapter's mutex; wait_lock in addition to change the state that decides which queues
 * and packets get to the engine.
 */
#include "scheduling/engine.h"

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "scheduling/node.h"
#include "scheduling/schedule.h"
#include "rf_ddi.h"
#include "rf_os.h"

/* wait_lock held */
void kmd_engine_set_f0(struct kmd_adapter *adapter, u32 node)
{
	rf_assert_held(&adapter->sync_domain->wait_lock);
	adapter->nodes[node].state = KMD_ENGINE_F0;
	kmd_schedule_retry(adapter);
}

int kmd_engine_set_f_state(struct kmd_adapter *adapter, u32 node, u32 f_state)
{
	const struct rf_set_power_component_f_state arguments = {
		.component_index = node,
		.f_state = f_state,
	};

	rf_assert_held(&adapter->mutex);
	return adapter->ddi->set_power_component_f_state(adapter->h_adapter, &arguments);
}

int kmd_engine_power_up(struct kmd_adapter *adapter, u32 node)
{
	enum kmd_engine_state state = adapter->nodes[node].state;
	unsigned long flags;

	rf_assert_held(&adapter->mutex);
	if (state == KMD_ENGINE_F0)
		return 0;
	if (state == KMD_ENGINE_F1 && kmd_engine_set_f_state(adapter, node, 0)) {
		kmd_adapter_wedge(adapter, "an engine does not come back to F0");
		return -EIO;
	}
	flags = kmd_wait_lock(adapter->sync_domain);
	kmd_engine_set_f0(adapter, node);
	kmd_wait_unlock(adapter->sync_domain, flags);
	return 0;
}

bool kmd_engine_is_hung(struct kmd_adapter *adapter, u32 ordinal)
{
	struct rf_query_engine_status status = { .node_ordinal = ordinal };

	rf_assert_held(&adapter->mutex);
	return adapter->ddi->query_engine_status(adapter->h_adapter, &status) || !status.responsive;
}

/* True if the node has packets, or queues in slots. */
bool kmd_node_is_occupied(struct kmd_adapter *adapter, u32 ordinal)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	bool occupied = adapter->nodes[ordinal].depth || !kmd_schedule_is_empty(adapter, ordinal);

	kmd_wait_unlock(adapter->sync_domain, flags);
	return occupied;
}

/* Close or open the node for queues and packets. wait_lock held. */
void kmd_node_set_preempting(struct kmd_node *node, bool preempting)
{
	rf_assert_held(&node->adapter->sync_domain->wait_lock);
	node->preempting = preempting;
	if (preempting)
		return;
	kmd_schedule_retry(node->adapter);
	kmd_node_submit_ready(node);
}

void kmd_nodes_end_preemptions(struct kmd_adapter *adapter)
{
	u32 i;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	for (i = 0; i < adapter->caps.node_count; i++) {
		struct kmd_node *node = &adapter->nodes[i];

		if (!node->preempting || node->resetting || node->depth ||
		    !kmd_schedule_is_empty(adapter, i))
			continue;
		adapter->statistics.preemptions++;
		kmd_node_set_preempting(node, false);
	}
}
