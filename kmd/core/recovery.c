// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Recovery from hangs (S3-36, S3-41, S4-2, S4-3, A-1..A-5, A-17).
 *
 *   active      progress of the queues is looked at; none for the TDR delay while there is
 *      |        work: the miniport is asked whether the engine responds
 *      |  it does not, or the miniport reported HUNG
 *      v
 *   preempting  the engine is asked to let its work go, before anything else (S4-2)
 *      |        answered: active again, whatever ran goes on when its turn comes
 *      |  no answer for the TDR delay
 *      v
 *   engine reset, of all nodes that share the engine: the queue that ran is lost, and the
 *      |        process that made it; the others never notice
 *      |  the engine cannot be reset
 *      v
 *   adapter reset: every queue is lost. The sixth within a minute ends recovery.
 *
 * A queue that waits for a fence or stands at a TRAP has no engine, and is not looked at.
 *
 * Locking: the adapter's mutex throughout, so that nothing is made or destroyed
 * meanwhile. Notes come from the interrupt service, under device_lock; what is lost, and
 * fence ids of submissions, under wait_lock.
 */
#include "core.h"

void kmd_synchronize_execution(void *h_core, void (*function)(void *context), void *context)
{
	struct kmd_adapter *adapter = h_core;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	function(context);
	rf_spin_unlock(&adapter->device_lock, flags);
}

/* The deferred part of what a miniport reported other than by an interrupt. */
static void run_deferred(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool queued = adapter->dpc_queued;

	adapter->dpc_queued = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	if (queued)
		kmd_adapter_dpc(adapter);
}

/* --- submission fence ids (A-2) ----------------------------------------------------------- */

void kmd_node_update_completed(struct kmd_adapter *adapter, u32 ordinal)
{
	struct kmd_node *node = &adapter->nodes[ordinal];
	u32 completed = node->last_submitted;
	struct kmd_queue *queue;

	rf_list_for_each(queue, &adapter->queues, link) {
		const struct kmd_packet *first;

		if (queue->user_mode || queue->node != ordinal || rf_list_empty(&queue->running))
			continue;
		first = rf_list_first(&queue->running, struct kmd_packet, link);
		if (!queue->error && first->submit.submission_fence_id <= completed)
			completed = first->submit.submission_fence_id - 1;
	}
	node->last_completed = completed;
}

/* --- who is lost ---------------------------------------------------------------------------- */

/* wait_lock held */
static void lose_file(struct kmd_file *file)
{
	struct kmd_queue *queue;

	if (file->lost)
		return;
	file->lost = true;
	rf_list_for_each(queue, &file->adapter->queues, link)
		if (queue->file == file)
			kmd_queue_lose(queue, RF_QUEUE_ERROR_ENGINE_RESET, 0, false);
	kmd_fences_give_up(file);
}

void kmd_invalidate_hw_context(void *h_core, const struct rf_invalidate_hw_context *arguments)
{
	struct kmd_adapter *adapter = h_core;
	struct kmd_domain *domain = adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);
	struct kmd_queue *queue;
	bool found = false;

	rf_list_for_each(queue, &adapter->queues, link) {
		if (queue->h_hw_queue != arguments->h_hw_queue)
			continue;
		found = true;
		kmd_queue_lose(queue, RF_QUEUE_ERROR_ENGINE_RESET, 0, true);
		if (!(arguments->flags & RF_INVALIDATE_COLLATERAL_DAMAGE))
			lose_file(queue->file);
		break;
	}
	if (!found) {
		kmd_adapter_set_fatal(adapter, "invalidate_hw_context of an unknown queue");
		kmd_adapter_abandon(adapter);
	}
	kmd_domain_settle(domain);
	rf_spin_unlock(&domain->wait_lock, flags);
}

/* --- the whole adapter ---------------------------------------------------------------------- */

static void end_recovery(struct kmd_adapter *adapter, const char *reason)
{
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);

	kmd_adapter_set_fatal(adapter, reason);
	kmd_adapter_abandon(adapter);
	kmd_domain_settle(adapter->domain);
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
}

/* Is this hang one too many? */
static bool count_hang(struct kmd_adapter *adapter, u64 now)
{
	while (adapter->hang_count && now - adapter->hangs[0] >= KMD_HANGS_TIME) {
		memmove(adapter->hangs, adapter->hangs + 1,
			(KMD_HANGS_MAX - 1) * sizeof(adapter->hangs[0]));
		adapter->hang_count--;
	}
	adapter->hangs[adapter->hang_count++] = now;
	return adapter->hang_count == KMD_HANGS_MAX;
}

/* Before the reset: from now on the device is left alone. */
static void lose_all(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);
	struct kmd_file *file;

	adapter->resetting = true;
	rf_list_for_each(file, &adapter->files, link)
		lose_file(file);
	kmd_domain_settle(adapter->domain);
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
}

/* After it: the device has nothing of anybody's, and knows of no waiter. */
static void start_over(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);
	struct kmd_native_fence *native;
	struct kmd_queue *queue;
	u32 i;

	adapter->resetting = false;
	adapter->statistics.adapter_resets++;
	rf_list_for_each(queue, &adapter->queues, link)
		kmd_queue_lose(queue, RF_QUEUE_ERROR_ENGINE_RESET, 0, true);
	for (i = 0; i < adapter->caps.node_count; i++) {
		adapter->nodes[i].last_completed = adapter->nodes[i].last_submitted;
		adapter->nodes[i].preempting = false;
	}
	rf_list_for_each(native, &adapter->fences, link)
		kmd_fence_rearm(native->fence);
	kmd_monitored_fences_evaluate(adapter);
	kmd_domain_settle(adapter->domain);
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
}

static void set_stopped(struct kmd_adapter *adapter, u32 ordinal, bool stopped)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	adapter->nodes[ordinal].stopped = stopped;
	rf_spin_unlock(&adapter->device_lock, flags);
}

static void reset_adapter(struct kmd_adapter *adapter, u64 now)
{
	u32 i;

	rf_log_error(adapter->domain->os, "the adapter hangs and is reset");
	for (i = 0; i < adapter->caps.node_count; i++)
		set_stopped(adapter, i, false);
	if (count_hang(adapter, now)) {
		end_recovery(adapter, "the adapter hung too often");
		return;
	}
	lose_all(adapter);
	if (adapter->ddi->reset_from_timeout(adapter->h_adapter) ||
	    adapter->ddi->restart_from_timeout(adapter->h_adapter)) {
		end_recovery(adapter, "the adapter cannot be reset");
		return;
	}
	start_over(adapter);
}

/* --- one engine ------------------------------------------------------------------------------- */

static bool has_user_mode_queues(struct kmd_adapter *adapter, u32 ordinal)
{
	struct kmd_queue *queue;

	rf_list_for_each(queue, &adapter->queues, link)
		if (queue->user_mode && queue->node == ordinal)
			return true;
	return false;
}

/* The hardware schedules: the engine stands still between the two. */
static int reset_hw_engine(struct kmd_adapter *adapter, u32 ordinal)
{
	const struct rf_hw_engine engine = { .node_ordinal = ordinal };
	int ret;

	ret = adapter->ddi->reset_hw_engine(adapter->h_adapter, &engine);
	if (ret)
		return ret;
	set_stopped(adapter, ordinal, true);
	run_deferred(adapter); /* what was reported before */
	set_stopped(adapter, ordinal, false);
	return adapter->ddi->resume_hw_engine(adapter->h_adapter, &engine);
}

/* The kernel schedules: it has to know how far the engine came. */
static int reset_packet_engine(struct kmd_adapter *adapter, u32 ordinal)
{
	const struct kmd_node *node = &adapter->nodes[ordinal];
	struct rf_reset_engine reset = { .node_ordinal = ordinal };
	u32 completed = node->last_completed;
	int ret = adapter->ddi->reset_engine(adapter->h_adapter, &reset);

	if (!ret && (reset.last_aborted_fence_id < completed ||
		     reset.last_aborted_fence_id > node->last_submitted))
		kmd_adapter_set_fatal(adapter, "LastAbortedFenceId is out of range");
	return ret;
}

static void set_busy(struct kmd_adapter *adapter, u32 ordinal, bool busy)
{
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);
	struct kmd_queue *queue;

	adapter->nodes[ordinal].busy = busy;
	if (!busy) {
		rf_list_for_each(queue, &adapter->queues, link)
			if (!queue->user_mode && queue->node == ordinal)
				kmd_kernel_queue_set_ready(queue);
		kmd_node_update_completed(adapter, ordinal);
		kmd_domain_settle(adapter->domain);
	}
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
}

static int reset_node(struct kmd_adapter *adapter, u32 ordinal)
{
	int ret;

	rf_log_error(adapter->domain->os, "engine of node %u hangs and is reset", ordinal);
	set_busy(adapter, ordinal, true);
	ret = has_user_mode_queues(adapter, ordinal) ? reset_hw_engine(adapter, ordinal)
						     : reset_packet_engine(adapter, ordinal);
	set_busy(adapter, ordinal, false);
	run_deferred(adapter);
	adapter->nodes[ordinal].preempting = false;
	if (!ret)
		adapter->statistics.engine_resets++;
	return ret;
}

/* All nodes of the group go with it. */
static int reset_group(struct kmd_adapter *adapter, u32 ordinal)
{
	struct rf_query_dependent_engine_group group = { .node_ordinal = ordinal };
	u32 i;
	int ret;

	ret = adapter->ddi->query_dependent_engine_group(adapter->h_adapter, &group);
	if (ret)
		return ret;
	if (!(group.dependent_node_ordinal_mask & 1ull << ordinal)) {
		end_recovery(adapter, "the dependent engine group lacks the engine itself");
		return 0;
	}
	for (i = 0; i < adapter->caps.node_count && !ret; i++)
		if (group.dependent_node_ordinal_mask & 1ull << i)
			ret = reset_node(adapter, i);
	return ret;
}

static void recover(struct kmd_adapter *adapter, u32 ordinal, u64 now)
{
	if (!adapter->caps.support_per_engine_tdr || reset_group(adapter, ordinal))
		reset_adapter(adapter, now);
}

/* --- the watch ------------------------------------------------------------------------------- */

static void request_preemption(struct kmd_adapter *adapter, u32 ordinal)
{
	struct kmd_node *node = &adapter->nodes[ordinal];
	const struct rf_preempt_command arguments = {
		.preemption_fence_id = ++node->preemption_id,
		.node_ordinal = ordinal,
	};
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);

	node->preempting = true;
	adapter->statistics.preemption_requests++;
	adapter->ddi->preempt_command(adapter->h_adapter, &arguments);
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
	run_deferred(adapter);
}

/* Does the node have work of queues that get on by themselves? Sums up their progress. */
static bool has_work(struct kmd_adapter *adapter, u32 ordinal, u64 *progress)
{
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);
	struct kmd_queue *queue;
	bool work = false;

	*progress = 0;
	rf_list_for_each(queue, &adapter->queues, link) {
		u64 completed, queued;

		if (queue->node != ordinal || queue->error || queue->trapped)
			continue;
		/* in this order: what is completed was queued before */
		completed = kmd_fence_read(queue->progress->fence);
		queued = queue->user_mode ? rf_mem_read64(queue->last_queued, 0) : queue->submitted;
		*progress += completed;
		work |= queued > completed; /* S3-51 */
	}
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
	return work;
}

static bool take_answer(struct kmd_adapter *adapter, struct kmd_node *node)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	bool answered = node->note_preempted && node->preempted_id == node->preemption_id;
	u32 completed = node->preempted_completed;

	node->note_preempted = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	if (!answered)
		return false;
	if (completed > node->last_submitted)
		kmd_adapter_set_fatal(adapter, "LastCompletedFenceId is out of range");
	adapter->statistics.preemptions++;
	return true;
}

/* Does the engine say that it is alive? It is asked often, to compare with the last time. */
static bool is_responsive(struct kmd_adapter *adapter, u32 ordinal)
{
	struct rf_query_engine_status status = { .node_ordinal = ordinal };

	return !adapter->ddi->query_engine_status(adapter->h_adapter, &status) && status.responsive;
}

static void watch_node(struct kmd_adapter *adapter, u32 ordinal, u64 now)
{
	struct kmd_node *node = &adapter->nodes[ordinal];
	u64 progress;
	bool work;

	if (node->since > now)
		node->since = now;
	if (node->preempting) {
		if (take_answer(adapter, node)) {
			node->preempting = false;
		} else if (now - node->since >= adapter->tdr_delay) {
			recover(adapter, ordinal, now);
		}
		return;
	}
	work = has_work(adapter, ordinal, &progress);
	if (!work || progress != node->progress || is_responsive(adapter, ordinal)) {
		node->progress = progress;
		node->stalled = false;
	} else if (!node->stalled) {
		node->stalled = true;
		node->since = now;
	} else if (now - node->since >= adapter->tdr_delay) {
		node->stalled = false;
		node->since = now;
		request_preemption(adapter, ordinal);
	}
}

void kmd_nodes_recover_hung(struct kmd_adapter *adapter)
{
	unsigned long flags;
	bool hung;
	u32 i;

	for (i = 0; i < adapter->caps.node_count; i++) {
		struct kmd_node *node = &adapter->nodes[i];

		flags = rf_spin_lock(&adapter->device_lock);
		hung = node->note_hung;
		node->note_hung = false;
		rf_spin_unlock(&adapter->device_lock, flags);
		if (!hung || node->preempting)
			continue;
		node->since = U64_MAX; /* until the next look */
		request_preemption(adapter, i);
	}
}

void kmd_adapter_set_tdr_delay(struct kmd_adapter *adapter, u64 delay)
{
	rf_mutex_lock(&adapter->mutex);
	adapter->tdr_delay = delay;
	rf_mutex_unlock(&adapter->mutex);
}

void kmd_adapter_watch_progress(struct kmd_adapter *adapter, u64 now)
{
	u32 i;

	rf_mutex_lock(&adapter->mutex);
	run_deferred(adapter);
	for (i = 0; i < adapter->caps.node_count && !kmd_adapter_is_fatal(adapter); i++)
		watch_node(adapter, i, now);
	rf_mutex_unlock(&adapter->mutex);
	kmd_adapter_work(adapter); /* doorbells of who was lost */
}
