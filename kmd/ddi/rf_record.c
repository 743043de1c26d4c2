// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Records of the interrupt ring. What is in a record is a value that the device supplies: a record
 * that names what does not exist is treated as a lost one.
 */
#include "rf_record.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_engine.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_packet_record.h"
#include "rf_packet_schedule.h"
#include "rf_queue_record.h"
#include "rf_signaled.h"
#include "rf_types.h"
#include "ringfence_hw.h"

static void rf_engine_hung_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
		.engine_state_change = {
			.node_ordinal = record->node,
			.new_state = RF_ENGINE_HUNG,
		},
	};

	rf_notify(hw, &data);
}

static void rf_preempted_record(struct rf_hw *hw, const struct rf_interrupt_record *record,
				struct rf_signaled *signaled)
{
	struct rf_preemption preemption;

	/* what the queue signalled is reported before */
	rf_signaled_report(hw, signaled);
	preemption = rf_queue_preempted_record(hw, record);
	if (preemption.node_is_idle) /* it may have waited for this record */
		rf_packet_queues_poll(hw);
	rf_report_preempted(hw, &preemption, record);
}

static void rf_record_dispatch(struct rf_hw *hw, const struct rf_interrupt_record *record,
			       struct rf_signaled *signaled)
{
	if (record->kind == RF_RECORD_KIND_PREEMPTED && record->detail != RF_ACCESS_STATUS_OK &&
	    (rf_queue_restore_failed_record(hw, record) ||
	     rf_packet_restore_failed_record(hw, record)))
		return;
	if (rf_packet_record(hw, record))
		return;
	switch (record->kind) {
	case RF_RECORD_KIND_FENCE_SIGNALED:
	case RF_RECORD_KIND_MONITORED_UPDATE:
		rf_signaled_record(hw, record, signaled);
		break;
	case RF_RECORD_KIND_QUEUE_ERROR:
		rf_queue_error_record(hw, record);
		break;
	case RF_RECORD_KIND_TRAP:
	case RF_RECORD_KIND_SOFTWARE_SIGNAL:
		rf_queue_stop_record(hw, record);
		break;
	case RF_RECORD_KIND_ENGINE_HUNG:
		rf_engine_hung_record(hw, record);
		break;
	case RF_RECORD_KIND_DOORBELL_PENDING:
		rf_doorbell_pending_record(hw, record);
		break;
	case RF_RECORD_KIND_PREEMPTED:
		rf_preempted_record(hw, record, signaled);
		break;
	case RF_RECORD_KIND_YIELD:
		rf_queue_yield_record(hw, record);
		break;
	}
}

/* Does it name what exists? */
static bool rf_record_makes_sense(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	if (record->kind >= RF_RECORD_KIND_FENCE_SIGNALED &&
	    record->kind <= RF_RECORD_KIND_ENGINE_HUNG && record->node < hw->node_count &&
	    record->vmid < RF_VMIDS)
		return true;
	if (!hw->records->nonsense_logged)
		rf_log_error(hw->bus->os,
			     "interrupt record of kind %u, node %u, VMID %u makes no sense",
			     record->kind, record->node, record->vmid);
	hw->records->nonsense_logged = true;
	return false;
}

/* --- nodes whose engine is in reset (A-5) ------------------------------------------------ */

static bool rf_record_defer(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	struct rf_records *records = hw->records;
	bool fence = record->kind == RF_RECORD_KIND_FENCE_SIGNALED ||
		     record->kind == RF_RECORD_KIND_MONITORED_UPDATE;

	if (!rf_node_is_stopped(hw, record->node))
		return false;
	/* half of the places are for records that nothing makes up for */
	if (records->count < RF_DEFERRED_MAX / (fence ? 2 : 1))
		records->deferred[records->count++] = *record;
	else
		records->fences_unknown = true;
	return true;
}

bool rf_record_handle(struct rf_hw *hw, const struct rf_interrupt_record *record,
		      struct rf_signaled *signaled)
{
	if (!rf_record_makes_sense(hw, record))
		return false;
	if (!rf_record_defer(hw, record))
		rf_record_dispatch(hw, record, signaled);
	return true;
}

void rf_records_report_unknown(struct rf_hw *hw, bool lost)
{
	u32 node;

	hw->records->fences_unknown |= lost;
	if (!hw->records->fences_unknown)
		return;
	for (node = 0; node < hw->node_count; node++)
		if (rf_node_is_stopped(hw, node))
			return;
	rf_signaled_report_unknown(hw);
	hw->records->fences_unknown = false;
}

void rf_records_handle_deferred(struct rf_hw *hw)
{
	struct rf_records *records = hw->records;
	struct rf_signaled signaled = { 0 };
	u32 i, kept = 0;

	for (i = 0; i < records->count; i++) {
		const struct rf_interrupt_record *record = &records->deferred[i];

		if (rf_node_is_stopped(hw, record->node))
			records->deferred[kept++] = *record;
		else
			rf_record_dispatch(hw, record, &signaled);
	}
	rf_signaled_report(hw, &signaled);
	records->count = kept;
	rf_records_report_unknown(hw, false);
}

void rf_records_forget_deferred(struct rf_hw *hw)
{
	hw->records->count = 0;
}

void rf_records_restart(struct rf_hw *hw)
{
	hw->records->nonsense_logged = false;
}
