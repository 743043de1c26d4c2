/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fences that this device and others signal to each other without a CPU: the region of their
 * CurrentValues, the pages of other devices that this one writes, and the entries of the fences.
 *
 * Locking: PASSIVE, one caller at a time, but for the entries, which are written under a lock of
 * the core.
 */
#ifndef RF_PEER_H
#define RF_PEER_H

#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_mapping.h"
#include "rf_types.h"

/**
 * struct rf_peers - what is told to the device again after a reset; PASSIVE
 * @region: physical address of the region; 0: none
 * @window: in the system process, a page for each target. Where no device is connected it is memory
 *          that nobody reads. No memory: none was connected yet
 */
struct rf_peers {
	u64 region;
	struct rf_buffer window;
};

/* Has the device the registers for it? */
bool rf_peers_are_supported(const struct rf_hw *hw);
/* An earlier start may have left something. */
void rf_peers_start(struct rf_hw *hw);
/* After a reset: region and window are as before, and no entry is valid. */
void rf_peers_restart(struct rf_hw *hw);
/* Nothing is sent any more. */
void rf_peers_stop(struct rf_hw *hw);

int rf_set_peer_region(void *h_adapter, const struct rf_set_peer_region *arguments);
int rf_connect_peer(void *h_adapter, const struct rf_connect_peer *arguments);
void rf_disconnect_peer(void *h_adapter, const struct rf_disconnect_peer *arguments);
void rf_set_peer_fence(void *h_adapter, const struct rf_set_peer_fence *arguments);

#endif /* RF_PEER_H */
