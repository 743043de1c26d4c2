// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Records about hardware queues: see rf_queue_record.h. */
#include "rf_queue_record.h"
#include "rf_ddi.h"
#include "rf_doorbell_binding.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_residence.h"
#include "rf_save_area.h"
#include "rf_slot.h"
#include "rf_space.h"
#include "rf_suspend.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* --- errors and stops ---------------------------------------------------------------------- */

void rf_report_queue_error(struct rf_hw *hw, struct rf_hw_queue *queue, u64 error, u64 address,
			   u64 status)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PAGE_FAULTED,
		.hw_queue_page_faulted = {
			.faulted_hw_queue = queue,
			.faulted_virtual_address = address,
			.node_ordinal = queue->context->node,
			.page_table_level = (u32)RF_FIELD_GET(RF_SLOT_STATUS_LEVEL, status),
			.page_fault_flags = (u32)RF_FIELD_GET(RF_SLOT_STATUS_STORE, status),
			/* an error is one whatever its number */
			.fault_error_code = error && error <= RF_QUEUE_ERROR_ENGINE_RESET
						    ? (u32)error
						    : RF_QUEUE_ERROR_ENGINE,
		},
	};

	rf_notify(hw, &data);
}

void rf_queue_error_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	struct rf_hw_queue *queue;
	unsigned long flags;

	flags = rf_spin_lock(&hw->lock);
	queue = rf_queue_find(hw, record->handle);
	if (queue)
		queue->error_reported = true;
	rf_spin_unlock(&hw->lock, flags);
	if (queue)
		rf_report_queue_error(hw, queue, record->detail, record->address, record->value);
}

void rf_queue_stop_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = { .interrupt_type = RF_INTERRUPT_HWQUEUE_STOPPED };
	struct rf_hw_queue *queue;
	unsigned long flags;

	flags = rf_spin_lock(&hw->lock);
	queue = rf_queue_find(hw, record->handle);
	if (queue)
		queue->stop_reported = true;
	rf_spin_unlock(&hw->lock, flags);
	if (!queue)
		return;
	data.hw_queue_stopped.stopped_hw_queue = queue;
	data.hw_queue_stopped.reason =
		record->kind == RF_RECORD_KIND_TRAP ? RF_STOP_TRAP : RF_STOP_SOFTWARE_SIGNAL;
	data.hw_queue_stopped.argument = record->address;
	data.hw_queue_stopped.value = record->value;
	rf_notify(hw, &data);
}

/* --- hints of the device ---------------------------------------------------------------------- */

void rf_queue_yield_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	static const enum rf_yield_kind kinds[] = {
		[RF_YIELD_REASON_BLOCKED] = RF_YIELD_BLOCKED,
		[RF_YIELD_REASON_IDLE] = RF_YIELD_IDLE,
		[RF_YIELD_REASON_QUANTUM] = RF_YIELD_QUANTUM,
	};
	struct rf_notify_interrupt_data data = { .interrupt_type = RF_INTERRUPT_HWQUEUE_YIELD };
	struct rf_hw_queue *queue;
	unsigned long flags;

	flags = rf_spin_lock(&hw->lock);
	queue = rf_queue_find(hw, record->handle);
	if (queue && queue->residence.state != RF_QUEUE_RESIDENT)
		queue = NULL;
	rf_spin_unlock(&hw->lock, flags);
	if (!queue || record->detail >= ARRAY_SIZE(kinds))
		return;
	data.hw_queue_yield.yielding_hw_queue = queue;
	data.hw_queue_yield.kind = kinds[record->detail];
	rf_notify(hw, &data);
}

void rf_doorbell_pending_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = { .interrupt_type = RF_INTERRUPT_HWQUEUE_WORK };
	struct rf_hw_queue *queue = NULL;
	unsigned long flags;
	u32 token = 0;
	bool any;

	if (!record->handle)
		token = rf_doorbell_clear_global_pending(hw, (u32)record->address);
	any = !record->handle && !token; /* reported as a NULL queue */
	flags = rf_spin_lock(&hw->lock);
	if (!any)
		queue = record->handle ? rf_queue_find(hw, record->handle)
				       : rf_queue_find_token(hw, token);
	rf_spin_unlock(&hw->lock, flags);
	if (!queue && !any)
		return;
	if (queue && record->handle)
		rf_doorbell_clear_pending(hw, queue);
	data.hw_queue_work.h_hw_queue = queue;
	rf_notify(hw, &data);
}

/* --- preemption ------------------------------------------------------------------------------ */

static void rf_report_left(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PREEMPTED,
		.hw_queue_preempted.preempted_hw_queue = queue,
	};

	rf_notify(hw, &data);
}

/* There is no context from which the queue could continue. */
static void rf_report_context_lost(struct rf_hw *hw, struct rf_hw_queue *queue, u64 address)
{
	rf_report_queue_error(hw, queue, RF_QUEUE_ERROR_TRANSLATION, address,
			      RF_SLOT_STATUS_STORE_MASK);
}

void rf_report_preemption_lost(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	rf_report_left(hw, queue);
	rf_report_queue_error(hw, queue, RF_QUEUE_ERROR_BUS_MASTER_DISABLED, 0, 0);
}

/* The queue that is being loaded from there, or NULL. */
static struct rf_hw_queue *rf_queue_find_restoring(const struct rf_hw *hw, u64 address)
{
	u32 slot;

	rf_assert_held(&hw->lock);
	for (slot = 0; slot < hw->slot_count; slot++) {
		struct rf_hw_queue *queue = hw->slots->queue[slot];

		if (queue && queue->residence.loading &&
		    rf_save_area_address(&queue->save) == address)
			return queue;
	}
	return NULL;
}

/*
 * Nothing was loaded: the record has the handle, node and VMID of the queue that was in the slot
 * before, and only its address is that of this queue.
 */
bool rf_queue_restore_failed_record(struct rf_hw *hw, const struct rf_interrupt_record *record)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	struct rf_hw_queue *queue = rf_queue_find_restoring(hw, record->address);

	if (queue) {
		rf_vmid_record_done(hw, queue->context->space->vmid);
		rf_queue_left(hw, queue);
	}
	rf_spin_unlock(&hw->lock, flags);
	if (!queue)
		return false;
	rf_report_left(hw, queue);
	rf_report_context_lost(hw, queue, record->address);
	rf_report_suspended(hw);
	return true;
}

/* What a queue that was saved waits for. */
static void rf_preemption_find_wait(struct rf_hw *hw, struct rf_preemption *preemption)
{
	const struct rf_hw_queue *queue = preemption->queue;

	preemption->is_waiting = true;
	preemption->value = rf_save_area_read(&queue->save, RF_CONTEXT(WAIT_VALUE));
	preemption->h_native_fence =
		rf_fence_find(hw, queue->context->space,
			      rf_save_area_read(&queue->save, RF_CONTEXT(WAIT_ADDRESS)));
}

struct rf_preemption rf_queue_preempted_record(struct rf_hw *hw,
					       const struct rf_interrupt_record *record)
{
	struct rf_preemption preemption = { 0 };
	struct rf_hw_queue *queue;
	unsigned long flags;

	flags = rf_spin_lock(&hw->lock);
	rf_vmid_record_done(hw, record->vmid);
	queue = rf_queue_find(hw, record->handle);
	/* else it was destroyed meanwhile */
	if (queue && queue->residence.state == RF_QUEUE_LEAVING) {
		rf_queue_left(hw, queue);
		preemption.queue = queue;
		if (RF_FIELD_GET(RF_SLOT_STATUS_STATE, record->value) == RF_SLOT_STATE_WAITING)
			rf_preemption_find_wait(hw, &preemption);
	}
	preemption.node_is_idle = rf_vmid_is_idle_node(hw, record->vmid);
	rf_spin_unlock(&hw->lock, flags);
	return preemption;
}

void rf_report_preempted(struct rf_hw *hw, const struct rf_preemption *preemption,
			 const struct rf_interrupt_record *record)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PREEMPTED,
		.hw_queue_preempted = {
			.preempted_hw_queue = preemption->queue,
			.is_waiting = preemption->is_waiting,
			.value = preemption->value,
			.h_native_fence = preemption->h_native_fence,
		},
	};

	if (preemption->queue)
		rf_notify(hw, &data);
	if (preemption->queue && record->detail != RF_ACCESS_STATUS_OK)
		rf_report_context_lost(hw, preemption->queue, record->address);
	rf_report_suspended(hw);
}

void rf_queues_forget_slots(struct rf_hw *hw)
{
	unsigned long flags;
	u32 i;

	for (i = 0; i < hw->slot_count; i++) {
		struct rf_hw_queue *queue;

		flags = rf_spin_lock(&hw->lock);
		queue = hw->slots->queue[i];
		if (queue)
			rf_queue_left(hw, queue);
		rf_spin_unlock(&hw->lock, flags);
		if (queue)
			rf_report_left(hw, queue);
	}
	flags = rf_spin_lock(&hw->lock);
	rf_vmids_forget_records(hw);
	rf_spin_unlock(&hw->lock, flags);
	rf_report_suspended(hw);
}
