/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The slot of a node: loading, saving and stopping. What the device does over time is a state of
 * the slot; no function waits for it at level DEVICE: the record or the DPC continues.
 *
 * Locking: DEVICE.
 */
#ifndef RF_PACKET_SLOT_H
#define RF_PACKET_SLOT_H

#include "rf_types.h"

struct rf_hw;
struct rf_packet_context;
struct rf_packet_node;

/* The slot is empty, and the node's VMID stands for the context's space. */
void rf_packet_slot_load(struct rf_hw *hw, struct rf_packet_node *node,
			 struct rf_packet_context *context);
/* The slot is loaded; a `preempted` record follows. */
void rf_packet_slot_save(struct rf_hw *hw, struct rf_packet_node *node);
/* What is loaded, or is on its way, is not saved. */
void rf_packet_slot_stop(struct rf_hw *hw, struct rf_packet_node *node);
/* A save was seen to be over whose `preempted` record is to come: that counts as any other. */
void rf_packet_slot_expect_record(struct rf_hw *hw, const struct rf_packet_node *node);
/* Have the device read the write-pointer record. The slot is loaded. */
void rf_packet_slot_resample(struct rf_hw *hw, const struct rf_packet_node *node);
/*
 * Continue with a slot that is loading or stopping. 0: it takes commands, or is empty, or is being
 * saved, or, if its state is still STOPPING, has stopped; -EINPROGRESS; -EIO: the device is lost,
 * or away.
 */
int rf_packet_slot_poll(struct rf_hw *hw, struct rf_packet_node *node);
/* Does the slot still show the context before? */
bool rf_packet_slot_shows_previous(struct rf_hw *hw, struct rf_packet_node *node);

#endif /* RF_PACKET_SLOT_H */
