// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The interrupt service. One run of it takes as many records as the ring has entries, at the most,
 * and reads a bounded number of registers. If records were lost, slots and packet queues are
 * polled for what they reported (rf_check.c has the rest).
 */
#include "rf_interrupt.h"
#include "rf_hw.h"
#include "rf_interrupt_ring.h"
#include "rf_packet_schedule.h"
#include "rf_queue_check.h"
#include "rf_record.h"
#include "rf_residence.h"
#include "rf_signaled.h"
#include "rf_types.h"
#include "ringfence_hw.h"

bool rf_interrupt_routine(void *h_adapter, u32 message_number)
{
	struct rf_signaled signaled = { 0 };
	struct rf_hw *hw = h_adapter;
	bool unknown = false;
	u32 producer;
	int error;

	(void)message_number;
	if (rf_hw_is_resetting(hw) || rf_hw_is_lost(hw))
		return true; /* of before the reset */
	error = rf_interrupt_ring_producer(hw, &producer);
	if (error == -ENODEV)
		return false; /* rf_check_device() polls it again */
	if (error) {
		rf_hw_set_lost(hw, "more records than the interrupt ring holds");
		rf_report_lost(hw);
		return true;
	}
	while (hw->interrupt_ring->consumer != producer) {
		const struct rf_interrupt_record record = rf_interrupt_ring_next(hw);

		unknown |= !rf_record_handle(hw, &record, &signaled);
	}
	rf_signaled_report(hw, &signaled);
	unknown |= rf_interrupt_ring_overflowed(hw);
	if (unknown) {
		rf_packet_queues_poll(hw);
		rf_queues_check_errors(hw);
	}
	rf_records_report_unknown(hw, unknown);
	rf_queue_dpc(hw);
	rf_interrupt_ring_rearm(hw);
	return true;
}

/* Continue with what the device was busy with. */
static void rf_poll_busy(void *argument)
{
	struct rf_hw *hw = argument;

	if (rf_hw_is_resetting(hw))
		return;
	rf_packet_queues_poll(hw);
	if (rf_queues_poll_loading(hw))
		rf_report_busy(hw);
	if (rf_hw_is_lost(hw))
		rf_report_lost(hw);
}

void rf_dpc_routine(void *h_adapter)
{
	struct rf_hw *hw = h_adapter;

	/* the interrupt service has reported everything else */
	if (rf_hw_take_busy(hw))
		rf_synchronize(hw, rf_poll_busy, hw);
}
