// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What the interrupt ring did not report.
 *
 * A record is a write of the device, and an interrupt is another: both are dropped while bus
 * mastering is off or the function is in D3hot. A ring, a command to a slot and the notification
 * of a signal are writes of the host, and are dropped while memory decode is off. None of them is
 * repeated. So now and then the state of everything is compared with what is known of it:
 *
 *   the interrupt ring is not where it was put     a reset that the driver did not make: lost
 *   records are there                              they are taken, and the vector armed
 *   a slot is in error, and no record said so      the error is reported
 *   a slot is stopped, and no record said so       what the packet asked for is gone: an error
 *   a queue was to leave, and its slot is free     what was saved is in doubt: an error
 *   a queue is in a slot that is free              lost
 *   a slot is idle, and its record is ahead        it samples the record, as after a ring
 *   a slot waits                                   it reads the fence again, as after a signal
 *
 * A record that is still on its way is not lost: but for errors, which may be reported twice,
 * a state counts when it is found by checks that are far apart.
 */
#include "rf_check.h"
#include "rf_engine.h"
#include "rf_hw.h"
#include "rf_interrupt.h"
#include "rf_interrupt_ring.h"
#include "rf_os.h"
#include "rf_packet_record.h"
#include "rf_queue_check.h"
#include "rf_types.h"

/* May anything be reported? */
static bool rf_check_is_allowed(struct rf_hw *hw)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool may = !hw->resetting;
	u32 node;

	/* a node that is stopped reports nothing */
	for (node = 0; node < hw->node_count; node++)
		may &= !hw->engines->stopped[node];
	rf_spin_unlock(&hw->lock, flags);
	return may;
}

static int rf_check_all(struct rf_hw *hw)
{
	int error = rf_interrupt_ring_check(hw);

	if (error || rf_hw_is_lost(hw))
		return error;
	if (!rf_interrupt_routine(hw, 0))
		return -EIO;
	rf_packet_queues_check(hw);
	rf_queues_check(hw);
	rf_queue_dpc(hw);
	return 0;
}

int rf_check_device(void *h_adapter)
{
	struct rf_hw *hw = h_adapter;
	int error = 0;

	if (!rf_check_is_allowed(hw))
		return 0;
	if (!rf_hw_is_lost(hw))
		error = rf_check_all(hw);
	if (rf_hw_is_lost(hw))
		rf_report_lost(hw);
	return error;
}
