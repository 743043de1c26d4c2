// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Engines of nodes. The reset of an engine is the device's (rtl/engine/README.md): what the engine
 * began is completed, and the queue that the node serves gets the error engine_reset; no other
 * queue has work in an engine. A node that hangs although its engine has nothing to do is not
 * helped by this.
 */
#include "rf_engine.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Reads of a node's counts without any change that make a hang */
#define RF_HANG_READS 100
/* A slot leaves an engine that was reset within some cycles; these polls take longer */
#define RF_LEAVE_POLLS 157
/* Polls of a slot that stops without sleep, of which one is nearly always enough; and all */
#define RF_STOP_POLLS_AWAKE 100u
#define RF_STOP_POLLS_MAX 20000u

bool rf_node_is_stopped(struct rf_hw *hw, u32 node)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool stopped = node < hw->node_count && hw->engines->stopped[node];

	rf_spin_unlock(&hw->lock, flags);
	return stopped;
}

void rf_node_set_stopped(struct rf_hw *hw, u32 node, bool stopped)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	hw->engines->stopped[node] = stopped;
	rf_spin_unlock(&hw->lock, flags);
}

/* --- does it work? ----------------------------------------------------------------------- */

void rf_engines_watch(struct rf_hw *hw)
{
	u32 engine;

	for (engine = 0; engine < hw->block[RF_BLOCK_TYPE_NODE].count; engine++)
		rf_register_write(hw, RF_REGISTER_AT(hw, NODE, WATCHDOG, engine),
				  RF_FIELD(RF_NODE_WATCHDOG_CYCLES, hw->timestamp_hz));
}

bool rf_node_is_busy(struct rf_hw *hw, u32 node)
{
	return RF_NODE_READ(hw, STATUS, node) & RF_NODE_STATUS_BUSY_MASK;
}

bool rf_node_moved(struct rf_hw *hw, u32 node)
{
	struct rf_node_counts *seen = &hw->engines->seen[node];
	const struct rf_node_counts now = {
		.retired = RF_NODE_READ(hw, RETIRED, node),
		.alive = RF_NODE_READ(hw, ALIVE, node),
		.progress = RF_NODE_READ(hw, PROGRESS, node),
	};
	bool moved = now.retired != seen->retired || now.alive != seen->alive ||
		     now.progress != seen->progress;

	*seen = now;
	return moved;
}

/* --- its reset ------------------------------------------------------------------------------ */

static void rf_engine_write(struct rf_hw *hw, u32 node, u64 value)
{
	rf_register_write(hw, RF_NODE_REGISTER(hw, ENGINE, node), value);
}

u32 rf_engine_slot(struct rf_hw *hw, u32 node)
{
	u64 engine = RF_NODE_READ(hw, ENGINE, node);
	u64 status = RF_NODE_READ(hw, STATUS, node);
	u32 slot = (u32)RF_FIELD_GET(RF_NODE_STATUS_SLOT, status);

	if (!RF_FIELD_GET(RF_NODE_ENGINE_OPERATIONS, engine) || slot >= hw->slot_count)
		return RF_SLOT_NONE;
	return slot;
}

/* Is the node stuck elsewhere than in its engine? The engine is in reset. */
static bool rf_node_is_stuck(struct rf_hw *hw, u32 node)
{
	int reads;

	if (RF_FIELD_GET(RF_NODE_ENGINE_OPERATIONS, RF_NODE_READ(hw, ENGINE, node)))
		return false;
	rf_node_moved(hw, node);
	for (reads = 0; reads < RF_HANG_READS; reads++)
		if (!rf_node_is_busy(hw, node) || rf_node_moved(hw, node))
			return false;
	return true;
}

int rf_engine_stop(struct rf_hw *hw, u32 node, u32 *slot)
{
	int error;

	rf_engine_write(hw, node, RF_NODE_ENGINE_RESET_MASK);
	error = rf_register_await(hw, RF_NODE_REGISTER(hw, ENGINE, node),
				  RF_NODE_ENGINE_IN_RESET_MASK, RF_NODE_ENGINE_IN_RESET_MASK);
	if (error)
		return error;
	*slot = rf_engine_slot(hw, node);
	return rf_node_is_stuck(hw, node) ? -EIO : 0;
}

/* @argument: the slot that is to leave its engine. */
static int rf_engine_poll_left(struct rf_hw *hw, void *argument)
{
	const u32 *slot = argument;
	u64 status, state;
	u32 reads;

	for (reads = 0; reads < RF_READS_PER_POLL; reads++) {
		status = rf_register_read(hw, RF_REGISTER_AT(hw, SLOT, STATUS, *slot));
		if (status == U64_MAX)
			return -EIO;
		state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);
		if (state == RF_SLOT_STATE_ERROR || state == RF_SLOT_STATE_DISABLED)
			return 0;
	}
	return -EINPROGRESS;
}

int rf_engine_resume(struct rf_hw *hw, u32 node, u32 slot)
{
	rf_engine_write(hw, node, 0);
	if (slot == RF_SLOT_NONE)
		return 0;
	return rf_poll_bounded(hw, rf_engine_poll_left, &slot, 0, RF_LEAVE_POLLS) ? -EIO : 0;
}

/* --- a slot that stops ------------------------------------------------------------------- */

struct rf_stop_poll {
	rf_poll_fn *poll;
	void *argument;
};

static int rf_stop_poll_unless_lost(struct rf_hw *hw, void *argument)
{
	const struct rf_stop_poll *stop = argument;
	int error = stop->poll(hw, stop->argument);

	return error == -EINPROGRESS && rf_hw_is_lost(hw) ? -EIO : error;
}

static bool rf_stop_await(struct rf_hw *hw, struct rf_stop_poll *stop)
{
	return rf_poll_bounded(hw, rf_stop_poll_unless_lost, stop, RF_STOP_POLLS_AWAKE,
			       RF_STOP_POLLS_MAX) != -EINPROGRESS;
}

void rf_slot_await_stopped(struct rf_hw *hw, u32 node, u32 slot, rf_poll_fn *poll, void *argument)
{
	struct rf_stop_poll stop = { .poll = poll, .argument = argument };
	u32 running;

	if (rf_stop_await(hw, &stop))
		return;
	/* Work of another slot may have begun meanwhile, which then fails: only a slot that takes
	 * that long gets here. */
	if (rf_engine_slot(hw, node) == slot && !rf_engine_stop(hw, node, &running))
		rf_engine_resume(hw, node, running);
	if (!rf_stop_await(hw, &stop))
		rf_hw_set_lost(hw, "a slot does not stop");
}
