/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Engines of nodes, by their registers: whether one works, its reset, and slots that have to leave
 * it. Which node an engine serves: rf_node_engine().
 *
 * Locking: PASSIVE, one caller at a time, without a spinlock.
 */
#ifndef RF_ENGINE_H
#define RF_ENGINE_H

#include "rf_hw.h"
#include "rf_poll.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Counts of a node, by which it is seen to move. */
struct rf_node_counts {
	u64 retired;
	u64 alive;
	u64 progress;
};

/**
 * struct rf_engines - the engines
 * @stopped: by node: from the reset of its engine to resumption its records are not reported;
 *           guarded by rf_hw.lock
 * @seen: by node: what the last rf_node_moved() read; PASSIVE
 */
struct rf_engines {
	bool stopped[RF_NODES_MAX];
	struct rf_node_counts seen[RF_NODES_MAX];
};

/* The engine of a node, which is also the number of its registers (enum rf_node). */
static inline u32 rf_node_engine(u32 node)
{
	return node == RF_NODE_PAGING ? RF_NODE_COPY : node;
}

/* A register of the node's engine. */
#define RF_NODE_REGISTER(hw, REGISTER, node) \
	RF_REGISTER_AT(hw, NODE, REGISTER, rf_node_engine(node))

#define RF_NODE_READ(hw, REGISTER, node) rf_register_read(hw, RF_NODE_REGISTER(hw, REGISTER, node))

/* Records of the node are not reported. Takes rf_hw.lock. Any level. */
bool rf_node_is_stopped(struct rf_hw *hw, u32 node);
void rf_node_set_stopped(struct rf_hw *hw, u32 node, bool stopped);

/* Have the device report an engine in which nothing moves for a second (S3-37). */
void rf_engines_watch(struct rf_hw *hw);
/* Does the node serve a slot? */
bool rf_node_is_busy(struct rf_hw *hw, u32 node);
/* Has anything moved since the last call? */
bool rf_node_moved(struct rf_hw *hw, u32 node);
/* The slot whose work the engine has, or RF_SLOT_NONE. */
u32 rf_engine_slot(struct rf_hw *hw, u32 node);
/* On return the engine is in reset, and @slot is what it was working for. -EIO: the node is stuck
 * elsewhere than in its engine. */
int rf_engine_stop(struct rf_hw *hw, u32 node, u32 *slot);
/* On return the engine works, and @slot, if any, has left it. -EIO. */
int rf_engine_resume(struct rf_hw *hw, u32 node, u32 slot);
/*
 * Call @poll until it does not return -EINPROGRESS, or the device is lost: until a slot that was
 * given a command to stop has stopped. If that takes too long, the engine of the node is reset if
 * it works for the slot, and the device is lost if that does not help.
 */
void rf_slot_await_stopped(struct rf_hw *hw, u32 node, u32 slot, rf_poll_fn *poll, void *argument);

#endif /* RF_ENGINE_H */
