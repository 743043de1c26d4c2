/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Records about contexts of the packet model, and checks of the slots of nodes.
 *
 * Locking: DEVICE, without rf_hw.lock.
 */
#ifndef RF_PACKET_RECORD_H
#define RF_PACKET_RECORD_H

#include "rf_types.h"
#include "ringfence_hw.h"

struct rf_hw;

/* Was the record about a context? */
bool rf_packet_record(struct rf_hw *hw, const struct rf_interrupt_record *record);
/* A `preempted` record whose save did not succeed: was it about a context that could not be
 * loaded? */
bool rf_packet_restore_failed_record(struct rf_hw *hw, const struct rf_interrupt_record *record);
/* rf_packet_queues_poll(), and compare the slots of nodes with what is known of them. */
void rf_packet_queues_check(struct rf_hw *hw);

#endif /* RF_PACKET_RECORD_H */
