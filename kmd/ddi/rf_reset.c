// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Engines that hang: does one respond (DxgkDdiQueryEngineStatus), which nodes share it, its reset
 * alone (DxgkDdiResetEngine, DxgkDdiResetHwEngine, A-3..A-5), and the reset of the whole function
 * (DxgkDdiResetFromTimeout), which is what helps a node that hangs although its engine has nothing
 * to do.
 */
#include "rf_reset.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_engine.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_packet_end.h"
#include "rf_quarantine.h"
#include "rf_queue_record.h"
#include "rf_record.h"
#include "rf_restart.h"
#include "rf_slot.h"
#include "rf_types.h"

/* --- does it respond? --------------------------------------------------------------------- */

int rf_query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments)
{
	struct rf_hw *hw = h_adapter;
	bool moved;

	if (arguments->node_ordinal >= hw->node_count || arguments->engine_ordinal)
		return -EINVAL;
	moved = rf_node_moved(hw, arguments->node_ordinal);
	arguments->responsive = moved || !rf_node_is_busy(hw, arguments->node_ordinal);
	return 0;
}

int rf_query_dependent_engine_group(void *h_adapter,
				    struct rf_query_dependent_engine_group *arguments)
{
	struct rf_hw *hw = h_adapter;
	u32 node;

	if (arguments->node_ordinal >= hw->node_count || arguments->engine_ordinal)
		return -EINVAL;
	arguments->dependent_node_ordinal_mask = 0;
	for (node = 0; node < hw->node_count; node++)
		if (rf_node_engine(node) == rf_node_engine(arguments->node_ordinal))
			arguments->dependent_node_ordinal_mask |= 1ull << node;
	return 0;
}

/* --- one engine --------------------------------------------------------------------------- */

/* Report the hardware queue whose work the engine had, if it was one. */
static void rf_report_queue_lost(struct rf_hw *hw, u32 slot)
{
	struct rf_invalidate_hw_context invalidate = { 0 };
	unsigned long flags;

	if (slot == RF_SLOT_NONE)
		return;
	flags = rf_spin_lock(&hw->lock);
	invalidate.h_hw_queue = hw->slots->queue[slot];
	rf_spin_unlock(&hw->lock, flags);
	if (invalidate.h_hw_queue)
		hw->callbacks->invalidate_hw_context(hw->h_core, &invalidate);
}

static void rf_handle_deferred_synchronized(void *argument)
{
	struct rf_hw *hw = argument;

	rf_records_handle_deferred(hw);
	rf_queue_dpc(hw);
}

static void rf_node_report_again(struct rf_hw *hw, u32 node)
{
	rf_node_set_stopped(hw, node, false);
	rf_synchronize(hw, rf_handle_deferred_synchronized, hw);
}

/* --- the kernel schedules ------------------------------------------------------------------ */

int rf_reset_engine(void *h_adapter, struct rf_reset_engine *arguments)
{
	u32 node = arguments->node_ordinal, slot;
	struct rf_hw *hw = h_adapter;
	int error;

	if (node >= hw->node_count || arguments->engine_ordinal)
		return -EINVAL;
	/* the packet that failed is reported by what is returned */
	rf_node_set_stopped(hw, node, true);
	error = rf_engine_stop(hw, node, &slot);
	if (error)
		return error;
	rf_report_queue_lost(hw, slot);
	error = rf_engine_resume(hw, node, slot);
	if (error)
		return error;
	arguments->last_aborted_fence_id = rf_packet_queue_abort(hw, node, slot);
	rf_node_report_again(hw, node);
	return 0;
}

/* --- the hardware schedules ---------------------------------------------------------------- */

int rf_reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	u32 node = arguments->node_ordinal, slot;
	struct rf_hw *hw = h_adapter;
	int error;

	if (node >= hw->node_count || arguments->engine_ordinal)
		return -EINVAL;
	rf_node_set_stopped(hw, node, true);
	error = rf_engine_stop(hw, node, &slot);
	if (error)
		return error;
	rf_report_queue_lost(hw, slot);
	return 0;
}

int rf_resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	u32 node = arguments->node_ordinal;
	struct rf_hw *hw = h_adapter;
	int error;

	if (node >= hw->node_count || arguments->engine_ordinal)
		return -EINVAL;
	/* reports may come from here on: that of the failed operation among them */
	rf_node_set_stopped(hw, node, false);
	error = rf_engine_resume(hw, node, rf_engine_slot(hw, node));
	if (!error)
		rf_node_report_again(hw, node);
	return error;
}

/* --- the function -------------------------------------------------------------------------- */

/* From here on no record of before the reset is taken, and no slot polled in the middle of it. */
static void rf_reset_begin(void *argument)
{
	struct rf_hw *hw = argument;
	unsigned long flags = rf_spin_lock(&hw->lock);
	u32 i;

	hw->resetting = true;
	for (i = 0; i < hw->node_count; i++)
		hw->engines->stopped[i] = false;
	rf_spin_unlock(&hw->lock, flags);
	rf_records_forget_deferred(hw);
}

int rf_reset_from_timeout(void *h_adapter)
{
	struct rf_hw *hw = h_adapter;
	int error;

	rf_synchronize(hw, rf_reset_begin, hw);
	error = hw->bus->ops->reset_function(hw->bus);
	if (!error)
		rf_hw_clear_lost(hw);
	if (!error)
		rf_quarantine_release(hw);
	return error;
}

/* The device has no queue in a slot, and no context on a node. */
static void rf_reset_forget(void *argument)
{
	struct rf_hw *hw = argument;

	rf_queues_forget_slots(hw);
	rf_packet_queues_forget(hw);
	rf_queue_dpc(hw);
}

int rf_restart_from_timeout(void *h_adapter)
{
	struct rf_hw *hw = h_adapter;
	unsigned long flags;
	int error;

	rf_synchronize(hw, rf_reset_forget, hw);
	error = rf_hw_restart(hw);
	if (error)
		return error;
	flags = rf_spin_lock(&hw->lock);
	hw->resetting = false;
	rf_spin_unlock(&hw->lock, flags);
	return 0;
}
