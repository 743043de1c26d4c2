/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Contexts of the packet model: a ring that the driver writes, and 256 bytes, where the device
 * saves the slot that was loaded with it.
 *
 * Locking: the ring and what was preempted: DEVICE; everything else is constant.
 */
#ifndef RF_PACKET_CONTEXT_H
#define RF_PACKET_CONTEXT_H

#include "rf_kernel_ring.h"
#include "rf_mapping.h"
#include "rf_slot.h"
#include "rf_types.h"

struct rf_address_space;
struct rf_hw;
struct rf_packet_node;

/**
 * struct rf_packet_context - what its node's slot is loaded with
 * @h_core: of the core
 * @space: of its process
 * @node: that it is on
 * @handle: in the device's records
 * @ring: of the driver
 * @save: save area of the system context; of others the core has made it:
 * @h_allocation: this
 * @save_address: of either, in the system process
 * @is_preempted: its first packet is still in the ring
 * @preempted_submission: of that
 * @preempted_address: of that packet's commands
 */
struct rf_packet_context {
	void *h_core;
	struct rf_address_space *space;
	struct rf_packet_node *node;
	u32 handle;
	struct rf_kernel_ring ring;
	struct rf_buffer save;
	void *h_allocation;
	u64 save_address;
	bool is_preempted;
	u64 preempted_submission;
	u64 preempted_address;
};

/* What a new context is to find in its save area. */
void rf_packet_context_image(const struct rf_packet_context *context,
			     u64 words[RF_CONTEXT_BYTES / 8]);
/* Is it the system context, whose save area is the driver's? */
bool rf_packet_context_is_system(const struct rf_packet_context *context);
/* The system context, which is in no slot, becomes as a new one. */
void rf_packet_context_reset(struct rf_packet_context *context);
/* PASSIVE, and its end. @system: it is the system context. */
int rf_packet_context_save_create(struct rf_hw *hw, struct rf_packet_context *context, bool system);
void rf_packet_context_save_destroy(struct rf_hw *hw, struct rf_packet_context *context);

#endif /* RF_PACKET_CONTEXT_H */
