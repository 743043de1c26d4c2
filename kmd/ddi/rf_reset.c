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
 * Locking: all PASSIVE, one at a time. Flags that the interrupt service looks at are
 * guarded by rf_miniport.lock.
 */
#include "rf_miniport.h"

/* Looks at a node without any change that make a hang */
#define RF_HANG_LOOKS 100
/* A queue leaves an engine that was reset within some cycles; a look takes longer */
#define RF_LEAVE_LOOKS 10000

/* --- is it alive? ----------------------------------------------------------------------- */

static u64 rf_node_read(struct rf_miniport *miniport, u64 offset, u32 node)
{
	return rf_register_read(miniport,
				offset + (u64)rf_node_engine(node) *
						 miniport->block[RF_BLOCK_TYPE_NODE].stride);
}

#define RF_NODE_READ(miniport, REGISTER, node) \
	rf_node_read(miniport, RF_REGISTER_AT(miniport, NODE, REGISTER, 0), node)

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
	rf_register_write(miniport, RF_REGISTER_AT(miniport, NODE, ENGINE, rf_node_engine(node)),
			  value);
}

/* The queue whose work the engine has, or NULL. */
static struct rf_hw_queue *rf_engine_queue(struct rf_miniport *miniport, u32 node)
{
	u64 engine = RF_NODE_READ(miniport, ENGINE, node);
	u64 status = RF_NODE_READ(miniport, STATUS, node);

	if (!RF_FIELD_GET(RF_NODE_ENGINE_OPERATIONS, engine))
		return NULL;
	return miniport->queue[RF_FIELD_GET(RF_NODE_STATUS_SLOT, status)];
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

/* On return the engine is in reset, and @queue what it was running, or NULL. */
static int rf_engine_stop(struct rf_miniport *miniport, u32 node, struct rf_hw_queue **queue)
{
	int error;

	rf_engine_write(miniport, node, RF_NODE_ENGINE_RESET_MASK);
	error = rf_register_poll(miniport,
				 RF_REGISTER_AT(miniport, NODE, ENGINE, rf_node_engine(node)),
				 RF_NODE_ENGINE_IN_RESET_MASK, RF_NODE_ENGINE_IN_RESET_MASK);
	if (error)
		return error;
	*queue = rf_engine_queue(miniport, node);
	return rf_node_is_stuck(miniport, node) ? -EIO : 0;
}

/* On return the engine works, and @queue, if any, has left it. */
static int rf_engine_go(struct rf_miniport *miniport, u32 node, const struct rf_hw_queue *queue)
{
	u64 status, state;
	int looks;

	rf_engine_write(miniport, node, 0);
	for (looks = 0; queue && looks < RF_LEAVE_LOOKS; looks++) {
		status = rf_register_read(miniport,
					  RF_REGISTER_AT(miniport, SLOT, STATUS, queue->slot));
		if (status == U64_MAX)
			return -EIO;
		state = RF_FIELD_GET(RF_SLOT_STATUS_STATE, status);
		if (state == RF_SLOT_STATE_ERROR || state == RF_SLOT_STATE_DISABLED)
			return 0;
	}
	return queue ? -EIO : 0;
}

void rf_engine_drop(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	struct rf_hw_queue *running = NULL;

	if (rf_engine_queue(miniport, queue->node) != queue)
		return;
	/* it may have ended meanwhile, and another's have begun, which then fails: only a
	 * queue that takes that long comes here */
	if (!rf_engine_stop(miniport, queue->node, &running))
		rf_engine_go(miniport, queue->node, running);
}

static void rf_tell_lost(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	const struct rf_invalidate_hw_context invalidate = { .h_hw_queue = queue };

	if (queue)
		miniport->callbacks->invalidate_hw_context(miniport->h_core, &invalidate);
}

int rf_reset_engine(void *h_adapter, struct rf_reset_engine *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 node = arguments->node_ordinal;
	struct rf_hw_queue *queue = NULL;
	u64 last;
	int error;

	if (node >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	error = rf_engine_stop(miniport, node, &queue);
	if (error)
		return error;
	arguments->last_aborted_fence_id = rf_node_last_completed(miniport, node);
	if (queue && queue->node == node && queue->ring) {
		last = queue->written / 2 - 1;
		arguments->last_aborted_fence_id =
			queue->submission[last % RF_SUBMISSIONS].fence_id;
	}
	rf_tell_lost(miniport, queue);
	return rf_engine_go(miniport, node, queue);
}

/* Records of this node are not reported from now on, or are again. */
static void rf_node_set_stopped(struct rf_miniport *miniport, u32 node, bool stopped)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	miniport->node[node].stopped = stopped;
	rf_spin_unlock(&miniport->lock, flags);
}

int rf_reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 node = arguments->node_ordinal;
	struct rf_hw_queue *queue = NULL;
	int error;

	if (node >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	rf_node_set_stopped(miniport, node, true);
	error = rf_engine_stop(miniport, node, &queue);
	if (error)
		return error;
	rf_tell_lost(miniport, queue);
	return 0;
}

static void rf_tell_deferred(void *context)
{
	struct rf_miniport *miniport = context;

	rf_records_deferred_tell(miniport);
	miniport->callbacks->queue_dpc(miniport->h_core);
}

int rf_resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 node = arguments->node_ordinal;
	struct rf_hw_queue *queue;
	int error;

	if (node >= miniport->nodes || arguments->engine_ordinal)
		return -EINVAL;
	queue = rf_engine_queue(miniport, node);
	/* reports may come from here on: that of the failed operation among them */
	rf_node_set_stopped(miniport, node, false);
	error = rf_engine_go(miniport, node, queue);
	if (!error)
		miniport->callbacks->synchronize_execution(miniport->h_core, rf_tell_deferred,
							   miniport);
	return error;
}

/* --- the function -------------------------------------------------------------------------- */

int rf_reset_from_timeout(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags = rf_spin_lock(&miniport->lock);
	u32 i;

	miniport->resetting = true;
	for (i = 0; i < miniport->nodes; i++) {
		miniport->node[i].preempting = NULL;
		miniport->node[i].preempted = NULL;
		miniport->node[i].stopped = false;
	}
	miniport->deferred_count = 0;
	rf_spin_unlock(&miniport->lock, flags);
	return miniport->bus->ops->reset_function(miniport->bus);
}

int rf_restart_from_timeout(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;
	unsigned long flags;
	int error;

	error = rf_check_alive(miniport);
	if (error)
		return error;
	miniport->updates_posted = 0;
	rf_engines_watch(miniport);
	error = rf_address_restart(miniport);
	if (error)
		return error;
	flags = rf_spin_lock(&miniport->lock);
	rf_interrupt_restart(miniport);
	miniport->resetting = false;
	rf_spin_unlock(&miniport->lock, flags);
	return 0;
}
