// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Signalled fences. If fence records were lost, the set of signalled fences is unknown and the core
 * evaluates every waiter (the NULL array, S0-66, S0-67), of monitored fences as well, since their
 * records are the same (S0-70).
 */
#include "rf_signaled.h"
#include "rf_ddi.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_space.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Lost records may be of any fence, and of any node, which matters where queues are reported. */
void rf_signaled_report_unknown(struct rf_hw *hw)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_NATIVE_FENCE_SIGNALED,
		.flags = RF_INTERRUPT_EVALUATE_LEGACY_MONITORED_FENCES,
	};
	u32 nodes = hw->configuration.optimized ? hw->node_count : 1;
	u32 node;

	for (node = 0; node < nodes; node++) {
		data.native_fence_signaled.node_ordinal = node;
		rf_notify(hw, &data);
	}
}

void rf_signaled_report(struct rf_hw *hw, struct rf_signaled *signaled)
{
	struct rf_notify_interrupt_data data = { .interrupt_type =
							 RF_INTERRUPT_NATIVE_FENCE_SIGNALED };

	if (!signaled->count && !signaled->unknown)
		return;
	data.native_fence_signaled.node_ordinal = signaled->node;
	if (!signaled->unknown) {
		data.native_fence_signaled.signaled_native_fence_count = signaled->count;
		data.native_fence_signaled.signaled_native_fence_array = signaled->fence;
	}
	rf_notify(hw, &data);
	signaled->count = 0;
	signaled->unknown = false;
}

static void rf_signaled_add(struct rf_signaled *signaled, void *fence)
{
	u32 i;

	for (i = 0; i < signaled->count; i++) {
		if (signaled->fence[i] == fence)
			return;
	}
	if (signaled->count == RF_SIGNALED_MAX)
		signaled->unknown = true;
	else
		signaled->fence[signaled->count++] = fence;
}

/* S0-126, S0-127: name the queue, or none for an update that no queue made. */
static void rf_signaled_report_queue(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = { .interrupt_type =
							 RF_INTERRUPT_NATIVE_FENCE_SIGNALED };
	unsigned long flags;

	data.native_fence_signaled.node_ordinal = record->node;
	flags = rf_spin_lock(&hw->lock);
	if (record->kind == RF_RECORD_KIND_FENCE_SIGNALED)
		data.native_fence_signaled.h_hw_queue = rf_queue_find(hw, record->handle);
	rf_spin_unlock(&hw->lock, flags);
	rf_notify(hw, &data);
}

/*
 * No native fence: a monitored one, or one that was destroyed since, or none at all, if a command
 * of user mode signals an address without a fence.
 */
static void rf_signaled_report_monitored(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_MONITORED_FENCE_SIGNALED,
		.monitored_fence_signaled.node_ordinal = record->node,
	};

	rf_notify(hw, &data);
}

void rf_signaled_record(struct rf_hw *hw, const struct rf_interrupt_record *record,
			struct rf_signaled *signaled)
{
	unsigned long flags;
	void *fence;

	if (hw->configuration.optimized) {
		rf_signaled_report_queue(hw, record);
		return;
	}
	/* One report is of one node. */
	if (record->node != signaled->node)
		rf_signaled_report(hw, signaled);
	signaled->node = record->node;

	flags = rf_spin_lock(&hw->lock);
	fence = rf_fence_find(hw, rf_vmid_space(hw, record->vmid), record->address);
	rf_spin_unlock(&hw->lock, flags);
	if (fence)
		rf_signaled_add(signaled, fence);
	else
		rf_signaled_report_monitored(hw, record);
}
