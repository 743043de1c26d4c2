// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Programming a device that was reset: see rf_restart.h. */
#include "rf_restart.h"
#include "rf_engine.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_interrupt_ring.h"
#include "rf_peer.h"
#include "rf_record.h"
#include "rf_slot.h"
#include "rf_space.h"

int rf_hw_restart(struct rf_hw *hw)
{
	int error = rf_hw_check_alive(hw);

	if (!error)
		error = rf_spaces_restart(hw);
	if (error)
		return error;
	rf_hw_clear_busy(hw);
	rf_fences_restart(hw);
	rf_peers_restart(hw);
	rf_engines_watch(hw);
	hw->lost_reported = false;
	rf_records_restart(hw);
	rf_slots_forget_observed(hw);
	rf_interrupt_ring_restart(hw);
	rf_slots_write_oversubscribed(hw);
	return 0;
}
