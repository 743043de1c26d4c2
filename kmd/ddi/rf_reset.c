// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Engines that do not answer: is one alive (DxgkDdiQueryEngineStatus), who shares it, its
 * reset alone (DxgkDdiResetEngine, DxgkDdiResetHwEngine, A-3..A-5), and the reset of the
 * whole function (DxgkDdiResetFromTimeout).
 *
 * The reset of an engine is the device's (rtl/engine/README.md): what the engine began is
 * completed, and the queue under way gets the error engine_reset. The queue is the one
 * that the node serves: no other has work in an engine. A node that hangs although its
 * engine has nothing to do is not helped by this, and the function is reset.
 *
 * Locking: PASSIVE, one at a time, without a spinlock. Flags that the interrupt service looks at
 * are guarded by rf_miniport.lock.
 */
#include "rf_miniport.h"

/* Looks at a node without any change that make a hang */
#define RF_HANG_LOOKS 100
/* A slot leaves an engine that was reset within some cycles; a look takes longer */
#define RF_LEAVE_LOOKS 10000

/* --- is it alive? ----------------------------------------------------------------------- */

#define RF_NODE_READ(miniport, REGISTER, node) \
	rf_register_read(miniport, RF_NODE_REGISTER(miniport, REGISTER, node))

static bool rf_node_is_busy(struct rf_miniport *miniport, u32 node)
{
	return RF_NODE_READ(miniport, STATUS, node) & RF_NODE_STATUS_BUSY_MASK;
}

/* Has anything moved since this was asked last? */
static bool rf_node_moved(struct rf_miniport *miniport, u32 ordinal)
{
	struct rf_hw_node *node = &miniport->node[ordinal];
	u64 retired = RF_NODE_READ(miniport, RETIRED, ordinal);
	u64 alive = RF_NODE_READ(miniport, ALIVE, ordinal);
	u64 progress = RF_NODE_READ(miniport, PROGRESS, ordinal);
	bool moved = retired != node->retired || alive != node->alive || progress != node->progress;

	node->retired = retired;
	node->alive = alive;
	node->progress = progress;
	return moved;
}

int rf_query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	bool moved;

	if (arguments->node_ordinal >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	moved = rf_node_moved(miniport, arguments->node_ordinal);
	arguments->responsive = moved || !rf_node_is_busy(miniport, arguments->node_ordinal);
	return 0;
}

int rf_query_dependent_engine_group(void *h_adapter,
				    struct rf_query_dependent_engine_group *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 node;

	if (arguments->node_ordinal >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	arguments->dependent_node_ordinal_mask = 0;
	for (node = 0; node < miniport->nodes; node++)
		if (rf_node_engine(node) == rf_node_engine(arguments->node_ordinal))
			arguments->dependent_node_ordinal_mask |= 1ull << node;
	return 0;
}

/* The device tells of an engine in which nothing moves for a second (S3-37). */
void rf_engines_watch(struct rf_miniport *miniport)
{
	u32 engine;

	for (engine = 0; engine < miniport->block[RF_BLOCK_TYPE_NODE].count; engine++)
		rf_register_write(miniport, RF_REGISTER_AT(miniport, NODE, WATCHDOG, engine),
				  RF_FIELD(RF_NODE_WATCHDOG_CYCLES, miniport->timestamp_hz));
}

/* --- one engine --------------------------------------------------------------------------- */

static void rf_engine_write(struct rf_miniport *miniport, u32 node, u64 value)
{
	rf_register_write(miniport, RF_NODE_REGISTER(miniport, ENGINE, node), value);
}

/* The slot whose work the engine has, or RF_SLOT_NONE. */
static u32 rf_engine_slot(struct rf_miniport *miniport, u32 node)
{
	u64 engine = RF_NODE_READ(miniport, ENGINE, node);
	u64 status = RF_NODE_READ(miniport, STATUS, node);
	u32 slot = (u32)RF_FIELD_GET(RF_NODE_STATUS_SLOT, status);

	if (!RF_FIELD_GET(RF_NODE_ENGINE_OPERATIONS, engine) || slot >= miniport->slots)
		return RF_SLOT_NONE;
	return slot;
}

/* A node that is stuck elsewhere than in its engine. The engine is in reset. */
static bool rf_node_is_stuck(struct rf_miniport *miniport, u32 node)
{
	int looks;

	if (RF_FIELD_GET(RF_NODE_ENGINE_OPERATIONS, RF_NODE_READ(miniport, ENGINE, node)))
		return false;
	rf_node_moved(miniport, node);
	for (looks = 0; looks < RF_HANG_LOOKS; looks++)
		if (!rf_node_is_busy(miniport, node) || rf_node_moved(miniport, node))
			return false;
	return true;
}

/* On return the engine is in reset, and @slot what it was working for. */
static int rf_engine_stop(struct rf_miniport *miniport, u32 node, u32 *slot)
{
	int error;

	rf_engine_write(miniport, node, RF_NODE_ENGINE_RESET_MASK);
	error = rf_register_await(miniport, RF_NODE_REGISTER(miniport, ENGINE, node),
				  RF_NODE_ENGINE_IN_RESET_MASK, RF_NODE_ENGINE_IN_RESET_MASK);
	if (error)
		return error;
	*slot = rf_engine_slot(miniport, node);
	return rf_node_is_stuck(miniport, node) ? -EIO : 0;
}

/* On return the engine works, and @slot, if any, has left it. */
static int rf_engine_go(struct rf_miniport *miniport, u32 node, u32 slot)
{
	u64 status, state;
	int looks;

	rf_engine_write(miniport, node, 0);
	if (slot == RF_SLOT_NONE)
		return 0;
	for (looks = 0; looks < RF_LEAVE_LOOKS; looks++) {
		status = rf_register_read(miniport, RF_REGISTER_AT(miniport, SLOT, STATUS, slot));
		if (status == U64_MAX)
			return -EIO;
		state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);
		if (state == RF_SLOT_STATE_ERROR || state == RF_SLOT_STATE_DISABLED)
			return 0;
		if (looks % RF_READS_PER_LOOK == RF_READS_PER_LOOK - 1)
			rf_sleep(miniport->bus->os, RF_LOOK_PERIOD);
	}
	return -EIO;
}

void rf_engine_give_up(struct rf_miniport *miniport, u32 node, u32 slot)
{
	u32 running;

	if (rf_engine_slot(miniport, node) == slot && !rf_engine_stop(miniport, node, &running))
		rf_engine_go(miniport, node, running);
}

/* The hardware queue whose work the engine had, if it was one. */
static void rf_tell_lost(struct rf_miniport *miniport, u32 slot)
{
	struct rf_invalidate_hw_context invalidate = { 0 };
	unsigned long flags;

	if (slot == RF_SLOT_NONE)
		return;
	flags = rf_spin_lock(&miniport->lock);
	invalidate.h_hw_queue = miniport->slot[slot];
	rf_spin_unlock(&miniport->lock, flags);
	if (invalidate.h_hw_queue)
		miniport->callbacks->invalidate_hw_context(miniport->h_core, &invalidate);
}

/* Records of this node are not reported from now on, or are again. */
static void rf_node_set_stopped(struct rf_miniport *miniport, u32 node, bool stopped)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	miniport->node[node].stopped = stopped;
	rf_spin_unlock(&miniport->lock, flags);
}

static void rf_tell_deferred(void *argument)
{
	struct rf_miniport *miniport = argument;

	rf_records_deferred_tell(miniport);
	miniport->callbacks->queue_dpc(miniport->h_core);
}

static void rf_node_report_again(struct rf_miniport *miniport, u32 node)
{
	rf_node_set_stopped(miniport, node, false);
	miniport->callbacks->synchronize_execution(miniport->h_core, rf_tell_deferred, miniport);
}

/* --- the kernel schedules ------------------------------------------------------------------ */

int rf_reset_engine(void *h_adapter, struct rf_reset_engine *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 node = arguments->node_ordinal, slot;
	int error;

	if (node >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	/* that the packet failed is told by what is returned */
	rf_node_set_stopped(miniport, node, true);
	error = rf_engine_stop(miniport, node, &slot);
	if (error)
		return error;
	rf_tell_lost(miniport, slot);
	error = rf_engine_go(miniport, node, slot);
	if (error)
		return error;
	arguments->last_aborted_fence_id =
		rf_packet_node_abort(miniport, &miniport->packet_node[node], slot);
	rf_node_report_again(miniport, node);
	return 0;
}

/* --- the hardware schedules ---------------------------------------------------------------- */

int rf_reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 node = arguments->node_ordinal, slot;
	int error;

	if (node >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	rf_node_set_stopped(miniport, node, true);
	error = rf_engine_stop(miniport, node, &slot);
	if (error)
		return error;
	rf_tell_lost(miniport, slot);
	return 0;
}

int rf_resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 node = arguments->node_ordinal;
	int error;

	if (node >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	/* reports may come from here on: that of the failed operation among them */
	rf_node_set_stopped(miniport, node, false);
	error = rf_engine_go(miniport, node, rf_engine_slot(miniport, node));
	if (!error)
		rf_node_report_again(miniport, node);
	return error;
}

/* --- the function -------------------------------------------------------------------------- */

/* Of what was looked at before, nothing is found in the midst of the reset. */
static void rf_set_resetting(void *argument)
{
	struct rf_miniport *miniport = argument;
	unsigned long flags = rf_spin_lock(&miniport->lock);
	u32 i;

	miniport->resetting = true;
	for (i = 0; i < miniport->nodes; i++)
		miniport->node[i].stopped = false;
	miniport->deferred_count = 0;
	rf_spin_unlock(&miniport->lock, flags);
}

int rf_reset_from_timeout(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;
	int error;

	miniport->callbacks->synchronize_execution(miniport->h_core, rf_set_resetting, miniport);
	error = miniport->bus->ops->reset_function(miniport->bus);
	if (!error)
		__atomic_store_n(&miniport->lost, false, __ATOMIC_RELEASE);
	if (!error)
		rf_forget_kept(miniport);
	return error;
}

static void rf_forget(void *argument)
{
	struct rf_miniport *miniport = argument;

	rf_slots_forget(miniport);
	rf_packet_nodes_forget(miniport);
	miniport->callbacks->queue_dpc(miniport->h_core);
}

int rf_restart_from_timeout(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags;
	int error;

	miniport->callbacks->synchronize_execution(miniport->h_core, rf_forget, miniport);
	error = rf_device_restart(miniport);
	if (error)
		return error;
	flags = rf_spin_lock(&miniport->lock);
	miniport->resetting = false;
	rf_spin_unlock(&miniport->lock, flags);
	return 0;
}

int rf_device_restart(struct rf_miniport *miniport)
{
	int error = rf_check_alive(miniport);

	if (!error)
		error = rf_address_restart(miniport);
	if (error)
		return error;
	__atomic_store_n(&miniport->busy, false, __ATOMIC_RELEASE);
	miniport->updating = false;
	miniport->updates_posted =
		(u32)rf_register_read(miniport, RF_REGISTER(miniport, FENCE, UPDATE_DONE));
	rf_engines_watch(miniport);
	rf_interrupt_restart(miniport);
	rf_schedule_count(miniport);
	return 0;
}
