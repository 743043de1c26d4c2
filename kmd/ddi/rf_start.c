// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Start and stop of a device. */
#include "rf_start.h"
#include "rf_caps.h"
#include "rf_ddi.h"
#include "rf_discovery.h"
#include "rf_engine.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_interrupt_ring.h"
#include "rf_miniport.h"
#include "rf_peer.h"
#include "rf_quarantine.h"
#include "rf_space.h"
#include "rf_types.h"

/* Program the device. */
static int rf_start_hw(struct rf_hw *hw)
{
	int error;

	rf_fences_restart(hw); /* an earlier start may have posted updates */
	rf_peers_start(hw);
	rf_engines_watch(hw);
	error = rf_spaces_start(hw);
	if (error)
		return error;
	error = rf_interrupt_ring_start(hw);
	if (error)
		rf_spaces_stop(hw);
	return error;
}

int rf_start(struct rf_start_device *arguments, const struct rf_configuration *configuration)
{
	struct rf_miniport *miniport = rf_miniport_create(arguments->bus);
	struct rf_hw *hw;
	int error;

	if (!miniport)
		return -ENOMEM;
	hw = &miniport->hw;
	hw->h_core = arguments->h_core;
	hw->callbacks = arguments->callbacks;
	hw->configuration = *configuration;
	error = rf_discover(hw);
	if (!error)
		error = rf_hw_check_alive(hw);
	if (!error)
		error = rf_caps_query_features(hw);
	if (!error)
		error = rf_start_hw(hw);
	if (error) {
		rf_quarantine_end(hw);
		rf_miniport_destroy(miniport);
		return error;
	}
	arguments->h_adapter = hw;
	arguments->interrupt_vectors = 1;
	return 0;
}

void rf_stop_device(void *h_adapter)
{
	struct rf_hw *hw = h_adapter;

	rf_interrupt_ring_stop(hw);
	rf_peers_stop(hw);
	rf_spaces_stop(hw);
	rf_quarantine_end(hw);
	rf_miniport_destroy(container_of(hw, struct rf_miniport, hw));
}
