/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What removes packets: the end of a context, the reset of an engine, the reset of the device.
 */
#ifndef RF_PACKET_END_H
#define RF_PACKET_END_H

#include "rf_types.h"

struct rf_hw;
struct rf_packet_context;

/* Remove a context's packets, and have the device forget it. PASSIVE; it sleeps. */
void rf_packet_context_drop(struct rf_hw *hw, struct rf_packet_context *context);
/*
 * The engine of the node was reset while it worked for @slot (RF_SLOT_NONE: for none): empty the
 * hardware queue, and return the last id that is complete or aborted. PASSIVE; it sleeps.
 */
u64 rf_packet_queue_abort(struct rf_hw *hw, u32 node, u32 slot);
/* The device was reset, and has nothing of any node. DEVICE. */
void rf_packet_queues_forget(struct rf_hw *hw);

#endif /* RF_PACKET_END_H */
