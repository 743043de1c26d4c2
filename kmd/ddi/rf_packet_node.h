/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Nodes of the packet model: the slot, the VMID and the progress word that a node holds while
 * there are contexts on it.
 *
 * Locking: DEVICE (the core's device lock, by rf_synchronize() or in the interrupt service), but
 * for rf_packet_node_get() and _put().
 */
#ifndef RF_PACKET_NODE_H
#define RF_PACKET_NODE_H

#include "rf_mapping.h"
#include "rf_poll.h"
#include "rf_types.h"

struct rf_address_space;
struct rf_hw;
struct rf_packet_context;

#define RF_PACKET_MONITORED 64u

enum rf_packet_slot_state {
	RF_PACKET_SLOT_EMPTY, /* it makes no access */
	RF_PACKET_SLOT_LOADING, /* a context, and takes no command meanwhile */
	RF_PACKET_SLOT_LOADED,
	RF_PACKET_SLOT_SAVING, /* what is loaded; a record reports the end of it */
	RF_PACKET_SLOT_STOPPING, /* without saving it */
};

/**
 * struct rf_packet_node - a node
 * @ordinal: constant
 * @contexts: made on it; PASSIVE
 * @slot: that it holds while there are; constant meanwhile, as the next three
 * @vmid: of the context that is loaded there
 * @progress: the word where PROGRESS packets store their fence ids, and from RF_PACKET_MONITORED on
 *            its MonitoredValue, which is 0
 * @loaded: the context in the slot, or on its way; NULL when it is empty
 * @state: of the slot
 * @pending: of loading, stopping, or a save that is polled
 * @stop: once it is loaded it is to be stopped
 */
struct rf_packet_node {
	u32 ordinal;
	u32 contexts;
	u32 slot;
	u32 vmid;
	struct rf_buffer progress;
	struct rf_packet_context *loaded;
	enum rf_packet_slot_state state;
	struct rf_pending pending;
	bool stop;
};

/* One more context on the node. -EBUSY: there is no slot, or no VMID. PASSIVE; takes rf_hw.lock. */
int rf_packet_node_get(struct rf_hw *hw, struct rf_packet_node *node,
		       struct rf_address_space *space);
void rf_packet_node_put(struct rf_hw *hw, struct rf_packet_node *node);

#endif /* RF_PACKET_NODE_H */
