// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The packets of a node (S4-1..S4-5, S4-14..S4-18, S4-22, S4-28, A-1, A-2).
 *
 * Each context keeps its own packets in order (queues/kernel_queue.c). Packets that could run now
 * wait here, and go to the hardware queue of the node as long as it has room: by rank; within a
 * rank processes take turns, however many packets they have; within a process by age. Ids count up
 * per node, and reports of the device name them:
 *
 *   DMA_COMPLETED   the packet, and all before it in the hardware queue, are complete
 *   DMA_PREEMPTED   the packets left in the hardware queue are not complete; they wait again,
 *                   before all others of the same rank. A paging packet keeps its id, any other
 *                   gets a new one when it is resubmitted
 *
 * Ids of paging packets are reused, so a completion is looked up in the hardware queue and not
 * judged by its number (S4-18). A packet of a higher rank than one in the hardware queue preempts.
 * One of the same rank waits for at most two checks of the watch: then the hardware queue is
 * preempted for it (a packet may wait for a fence that is never signalled). A driver without
 * PreemptionAware is never asked to preempt (S4-5), and gets the parts of a split render command in
 * sequence, as Windows 7 does it.
 *
 * Locking: wait_lock; notes: device_lock.
 */
#include "scheduling/node.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/notes.h"
#include "base/sync_domain.h"
#include "scheduling/context.h"
#include "scheduling/queue.h"
#include "scheduling/share.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

int kmd_node_flags(struct kmd_adapter *adapter, u32 node, u32 *flags)
{
	struct rf_node_metadata metadata = { 0 };
	const struct rf_query_adapter_info query = {
		.type = RF_QUERY_NODE_METADATA,
		.output = &metadata,
		.output_size = sizeof(metadata),
	};
	int ret;

	rf_assert_held(&adapter->mutex);
	if (node >= adapter->caps.node_count)
		return -EINVAL;
	metadata.node_ordinal = rf_index_nospec(node, adapter->caps.node_count);
	ret = adapter->ddi->query_adapter_info(adapter->h_adapter, &query);
	if (!ret)
		*flags = metadata.flags;
	return ret;
}

static bool kmd_node_is_preemption_aware(const struct kmd_node *node)
{
	return node->adapter->caps.scheduling_caps & RF_VIDSCH_PREEMPTION_AWARE;
}

int kmd_nodes_create(struct kmd_adapter *adapter)
{
	u32 i, band;

	adapter->nodes = rf_alloc(adapter->caps.node_count * sizeof(adapter->nodes[0]));
	if (!adapter->nodes)
		return -ENOMEM;
	for (i = 0; i < adapter->caps.node_count; i++) {
		adapter->nodes[i].adapter = adapter;
		adapter->nodes[i].ordinal = i;
		for (band = 0; band < RF_PRIORITY_BANDS; band++)
			rf_list_init(&adapter->nodes[i].runnable[band]);
		for (band = 0; band < RF_PRIORITY_BANDS; band++)
			rf_list_init(&adapter->nodes[i].turns[band]);
		rf_list_init(&adapter->nodes[i].waiting);
		rf_list_init(&adapter->nodes[i].submitted);
	}
	return 0;
}

void kmd_nodes_destroy(struct kmd_adapter *adapter)
{
	rf_free(adapter->nodes);
}

static void kmd_node_wedge(struct kmd_node *node, const char *reason)
{
	kmd_adapter_set_wedged(node->adapter, reason);
}

/* --- the order of waiting packets ---------------------------------------------------- */

/* The share of the packet's process; NULL: a packet of the kernel's. */
static struct kmd_share *kmd_dma_share(const struct kmd_dma *dma)
{
	const struct kmd_queue *queue = dma->context ? dma->context->queue : NULL;

	return queue ? kmd_queue_share(queue) : NULL;
}

static struct rf_list *kmd_dma_turns(const struct kmd_dma *dma)
{
	return &dma->node->turns[dma->rank];
}

static void kmd_dma_insert_waiting(struct kmd_dma *dma)
{
	struct kmd_share *share = kmd_dma_share(dma);

	rf_list_insert(&dma->link, share ? &share->packets : &dma->node->waiting);
	if (share && rf_list_empty(&share->packet_link))
		rf_list_insert(&share->packet_link, kmd_dma_turns(dma));
}

/* Insert before the others of its rank: it was submitted before them. */
static void kmd_dma_insert_preempted(struct kmd_dma *dma)
{
	struct kmd_share *share = kmd_dma_share(dma);
	struct rf_list *packets = share ? &share->packets : &dma->node->waiting;

	rf_list_insert(&dma->link, packets->next);
	if (!share)
		return;
	rf_list_remove(&share->packet_link);
	rf_list_insert(&share->packet_link, kmd_dma_turns(dma)->next);
}

/* @turn: other processes of its rank have the next turn. */
static void kmd_dma_remove_waiting(struct kmd_dma *dma, bool turn)
{
	struct kmd_share *share = kmd_dma_share(dma);
	bool more;

	rf_list_remove(&dma->link);
	if (!share)
		return;
	more = !rf_list_empty(&share->packets);
	if (turn || !more)
		rf_list_remove(&share->packet_link);
	if (turn && more)
		rf_list_insert(&share->packet_link, kmd_dma_turns(dma));
}

/* NULL: the null context */
static bool kmd_packet_context_may_run(const struct kmd_packet_context *context)
{
	if (!context)
		return true;
	return context->ready &&
	       (!context->queue || context->queue->context->state == KMD_CONTEXT_RESUMED);
}

/* True if the packet has to wait for the rest of a split command. */
static bool kmd_node_would_split(const struct kmd_node *node, const struct kmd_dma *dma)
{
	return node->split && kmd_packet_context_may_run(node->split) && dma->context &&
	       dma->context != node->split;
}

static struct kmd_dma *kmd_node_first_runnable_of(const struct kmd_node *node,
						  struct rf_list *packets)
{
	struct kmd_dma *dma;

	rf_list_for_each(dma, packets, link)
		if (kmd_packet_context_may_run(dma->context) && !kmd_node_would_split(node, dma))
			return dma;
	return NULL;
}

/* The next packet of a rank, or NULL. */
static struct kmd_dma *kmd_node_first_of_rank(struct kmd_node *node, u32 rank)
{
	struct kmd_share *share;
	struct kmd_dma *dma;

	rf_list_for_each(share, &node->turns[rank], packet_link) {
		dma = kmd_node_first_runnable_of(node, &share->packets);
		if (dma)
			return dma;
	}
	return NULL;
}

static struct kmd_dma *kmd_node_first_runnable(struct kmd_node *node)
{
	struct kmd_dma *dma = kmd_node_first_runnable_of(node, &node->waiting);
	u32 rank = RF_PRIORITY_BANDS;

	while (!dma && rank--)
		dma = kmd_node_first_of_rank(node, rank);
	return dma;
}

/* --- to the device ------------------------------------------------------------------- */

static void kmd_node_submit_dma(struct kmd_node *node, struct kmd_dma *dma)
{
	struct kmd_adapter *adapter = node->adapter;
	struct rf_submit_command arguments = {
		.h_context = dma->context ? dma->context->h_context : NULL,
		.node_ordinal = node->ordinal,
		.dma_buffer_virtual_address = dma->address,
		.dma_buffer_size = dma->size,
		.flags = dma->flags,
	};

	if (!dma->fence_id)
		dma->fence_id = ++node->last_id;
	if (dma->fence_id > node->last_submitted_id)
		node->last_submitted_id = dma->fence_id;
	arguments.submission_fence_id = dma->fence_id;
	if (!kmd_node_is_preemption_aware(node))
		node->split = dma->continues ? dma->context : NULL;
	kmd_dma_remove_waiting(dma, true);
	rf_list_insert(&dma->link, &node->submitted);
	node->depth++;
	kmd_hold_access(adapter->sync_domain, adapter);
	if (adapter->ddi->submit_command(adapter->h_adapter, &arguments))
		kmd_node_wedge(node, "submit_command failed");
}

static void kmd_node_request_preemption(struct kmd_node *node)
{
	struct kmd_adapter *adapter = node->adapter;
	const struct rf_preempt_command arguments = {
		.preemption_fence_id = ++node->last_id,
		.node_ordinal = node->ordinal,
	};

	node->preemption_id = arguments.preemption_fence_id;
	kmd_hold_access(adapter->sync_domain, adapter);
	if (adapter->ddi->preempt_command(adapter->h_adapter, &arguments))
		kmd_node_wedge(node, "preempt_command failed");
}

/* True if the packet has to wait for one of lower rank in the hardware queue. */
static bool kmd_node_is_held_up(const struct kmd_node *node, const struct kmd_dma *dma)
{
	const struct kmd_dma *other;

	rf_list_for_each(other, &node->submitted, link)
		if (other->rank < dma->rank)
			return true;
	return false;
}

static void kmd_node_take_notes(struct kmd_node *node);

void kmd_node_submit_ready(struct kmd_node *node)
{
	struct kmd_dma *dma;

	rf_assert_held(&node->adapter->sync_domain->wait_lock);
	while (!node->preemption_id && !node->preempting && !kmd_adapter_is_wedged(node->adapter)) {
		dma = kmd_node_first_runnable(node);
		if (!dma)
			return;
		if (kmd_node_is_preemption_aware(node) && kmd_node_is_held_up(node, dma))
			kmd_node_request_preemption(node);
		else if (node->depth < node->adapter->packet_cap)
			kmd_node_submit_dma(node, dma);
		else
			return;
		kmd_node_take_notes(node); /* the device may acknowledge either at once */
	}
}

void kmd_dma_submit(struct kmd_dma *dma)
{
	rf_assert_held(&dma->node->adapter->sync_domain->wait_lock);
	kmd_dma_insert_waiting(dma);
	kmd_node_submit_ready(dma->node);
}

/* --- reports of the device ------------------------------------------------------------ */

struct kmd_node *kmd_node_find(struct kmd_adapter *adapter, u32 ordinal)
{
	if (ordinal < adapter->caps.node_count && adapter->nodes)
		return &adapter->nodes[ordinal];
	kmd_adapter_set_wedged(adapter, "interrupt names a node that does not exist");
	return NULL;
}

void kmd_node_note(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data)
{
	struct kmd_node_notes *notes;
	struct kmd_node *node;
	u32 ordinal;

	rf_assert_held(&adapter->device_lock);
	switch (data->interrupt_type) {
	case RF_INTERRUPT_DMA_COMPLETED:
		ordinal = data->dma_completed.node_ordinal;
		break;
	case RF_INTERRUPT_DMA_PREEMPTED:
		ordinal = data->dma_preempted.node_ordinal;
		break;
	default:
		ordinal = data->dma_page_faulted.node_ordinal;
		break;
	}
	node = kmd_node_find(adapter, ordinal);
	if (!node)
		return;
	notes = &node->notes;
	switch (data->interrupt_type) {
	case RF_INTERRUPT_DMA_COMPLETED:
		notes->completed = true;
		notes->completed_id = data->dma_completed.submission_fence_id;
		break;
	case RF_INTERRUPT_DMA_PREEMPTED:
		notes->preempted = true;
		notes->preemption_id = data->dma_preempted.preemption_fence_id;
		notes->last_completed_id = data->dma_preempted.last_completed_fence_id;
		break;
	default:
		notes->faulted = true;
		notes->fault_id = data->dma_page_faulted.faulted_fence_id;
		notes->fault_error = data->dma_page_faulted.fault_error_code;
		notes->fault_address = data->dma_page_faulted.faulted_virtual_address;
		break;
	}
}

static struct kmd_dma *kmd_node_find_submitted(struct kmd_node *node, u64 fence_id)
{
	struct kmd_dma *dma;

	rf_list_for_each(dma, &node->submitted, link)
		if (dma->fence_id == fence_id)
			return dma;
	return NULL;
}

/* Remove a packet from the hardware queue. */
static void kmd_dma_take_out(struct kmd_dma *dma)
{
	rf_list_remove(&dma->link);
	dma->node->depth--;
}

static void kmd_node_packet_completed(struct kmd_node *node, u64 fence_id)
{
	struct kmd_dma *last = kmd_node_find_submitted(node, fence_id), *dma;

	if (!last) {
		kmd_node_wedge(node, "completion of a packet that was not submitted");
		return;
	}
	do {
		dma = rf_list_first(&node->submitted, struct kmd_dma, link);
		kmd_dma_take_out(dma);
		node->last_completed_id = dma->fence_id;
		dma->complete(dma, 0);
	} while (dma != last);
}

static bool kmd_dma_is_lost(const struct kmd_dma *dma)
{
	return dma->context && dma->context->queue && dma->context->queue->error;
}

/* All packets in the hardware queue have been removed by the device, and are to be resubmitted. */
static void kmd_node_requeue(struct kmd_node *node)
{
	struct kmd_dma *dma;

	while (!rf_list_empty(&node->submitted)) {
		dma = rf_list_entry(node->submitted.prev, struct kmd_dma, link);
		kmd_dma_take_out(dma);
		if (kmd_dma_is_lost(dma)) {
			dma->complete(dma, -EIO);
			continue;
		}
		dma->flags |= RF_SUBMIT_RESUBMISSION;
		if (!(dma->flags & RF_SUBMIT_PAGING))
			dma->fence_id = 0;
		kmd_dma_insert_preempted(dma);
		if (node->has_had_its_turn && kmd_dma_share(dma)) {
			rf_list_remove(&kmd_dma_share(dma)->packet_link);
			rf_list_insert(&kmd_dma_share(dma)->packet_link, kmd_dma_turns(dma));
		}
	}
	node->has_had_its_turn = false;
	node->preemption_id = 0;
}

static void kmd_node_packets_preempted(struct kmd_node *node, u64 preemption_id,
				       u64 last_completed_id)
{
	if (!preemption_id || preemption_id != node->preemption_id)
		kmd_node_wedge(node, "preemption that was not asked for");
	else if (last_completed_id != node->last_completed_id) /* completes no packet */
		kmd_node_wedge(node, "preemption names another last completed packet");
	else
		kmd_node_requeue(node);
}

static void kmd_node_packet_faulted(struct kmd_node *node, u64 fence_id, u32 error, u64 address)
{
	struct kmd_dma *dma = kmd_node_find_submitted(node, fence_id);

	if (!dma || !dma->context)
		kmd_node_wedge(node, "fault of a packet that was not submitted");
	else if (!dma->fault)
		kmd_node_wedge(node, "fault of paging");
	else
		dma->fault(dma, error, address);
}

/* The completion is handled first: it came before the other reports. */
static void kmd_node_take_notes(struct kmd_node *node)
{
	struct kmd_adapter *adapter = node->adapter;
	unsigned long flags = rf_spin_lock(&adapter->device_lock);
	const struct kmd_node_notes notes = node->notes;
	bool busy = adapter->notes.busy;

	node->notes = (struct kmd_node_notes){ 0 };
	adapter->notes.busy = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	if (busy)
		kmd_adapter_set_busy(adapter);
	if (notes.completed)
		kmd_node_packet_completed(node, notes.completed_id);
	if (notes.faulted)
		kmd_node_packet_faulted(node, notes.fault_id, notes.fault_error,
					notes.fault_address);
	if (notes.preempted)
		kmd_node_packets_preempted(node, notes.preemption_id, notes.last_completed_id);
}

void kmd_nodes_take_notes(struct kmd_adapter *adapter)
{
	u32 i;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	for (i = 0; i < adapter->caps.node_count; i++) {
		kmd_node_take_notes(&adapter->nodes[i]);
		kmd_node_submit_ready(&adapter->nodes[i]);
	}
}

/* --- contexts that are lost or destroyed -------------------------------------------- */

static void kmd_node_drop_from(struct rf_list *list, const struct kmd_packet_context *context)
{
	struct kmd_dma *dma, *next;

	rf_list_for_each_safe(dma, next, list, link) {
		if (dma->context != context)
			continue;
		if (list == &dma->node->submitted)
			kmd_dma_take_out(dma);
		else
			kmd_dma_remove_waiting(dma, false);
		dma->complete(dma, -EIO);
	}
}

/* The list of waiting packets of the context's process. */
static struct rf_list *kmd_node_waiting_of(struct kmd_node *node,
					   const struct kmd_packet_context *context)
{
	return context->queue ? &kmd_queue_share(context->queue)->packets : &node->waiting;
}

void kmd_node_drop_packets(struct kmd_node *node, const struct kmd_packet_context *context,
			   bool gone)
{
	rf_assert_held(&node->adapter->sync_domain->wait_lock);
	kmd_node_take_notes(node); /* the packets that completed before */
	if (gone)
		kmd_node_drop_from(&node->submitted, context);
	kmd_node_drop_from(kmd_node_waiting_of(node, context), context);
	if (node->split == context)
		node->split = NULL;
	kmd_node_submit_ready(node);
}

/* --- turns ---------------------------------------------------------------------------- */

/* True if a packet of another process could run. */
static bool kmd_node_is_wanted(struct kmd_node *node, const struct kmd_dma *first)
{
	const struct kmd_share *mine = kmd_dma_share(first);
	struct kmd_share *share;
	struct kmd_dma *dma;

	if (!mine)
		return false;
	rf_list_for_each(dma, &node->submitted, link)
		if (dma->rank == first->rank && kmd_dma_share(dma) != mine)
			return true;
	rf_list_for_each(share, &node->turns[first->rank], packet_link)
		if (share != mine && kmd_node_first_runnable_of(node, &share->packets))
			return true;
	return false;
}

void kmd_node_take_turns(struct kmd_node *node)
{
	u64 kept_id = node->kept_id;
	struct kmd_dma *first;

	rf_assert_held(&node->adapter->sync_domain->wait_lock);
	node->kept_id = 0;
	if (!node->depth || node->preemption_id || node->preempting ||
	    !kmd_node_is_preemption_aware(node))
		return;
	first = rf_list_first(&node->submitted, struct kmd_dma, link);
	node->kept_id = first->fence_id;
	if (first->fence_id != kept_id || !kmd_node_is_wanted(node, first))
		return;
	node->has_had_its_turn = true;
	kmd_node_request_preemption(node);
	kmd_node_take_notes(node);
}

/* --- hung nodes ----------------------------------------------------------------- */

void kmd_node_preempt(struct kmd_node *node)
{
	rf_assert_held(&node->adapter->sync_domain->wait_lock);
	if (node->depth && !node->preemption_id && kmd_node_is_preemption_aware(node)) {
		kmd_node_request_preemption(node);
		kmd_node_take_notes(node);
	}
}

/* Drop the packets up to @last_aborted_id; their processes are guilty. */
static void kmd_node_lost_work(struct kmd_node *node, u64 last_aborted_id)
{
	struct kmd_dma *dma, *last = kmd_node_find_submitted(node, last_aborted_id);

	while (last) {
		dma = rf_list_first(&node->submitted, struct kmd_dma, link);
		if (!dma->context || !dma->context->queue) {
			kmd_node_wedge(node, "a packet of the kernel hangs");
			return;
		}
		kmd_dma_take_out(dma);
		dma->complete(dma, -EIO);
		dma->context->queue->file->guilty = true;
		if (dma == last)
			return;
	}
}

void kmd_node_reset(struct kmd_node *node, u64 last_aborted_id)
{
	rf_assert_held(&node->adapter->sync_domain->wait_lock);
	if (last_aborted_id < node->last_completed_id ||
	    last_aborted_id > node->last_submitted_id) {
		kmd_node_wedge(node, "reset names a packet that is complete or was not submitted");
		return;
	}
	node->last_completed_id = last_aborted_id;
	kmd_node_lost_work(node, last_aborted_id);
	kmd_node_requeue(node);
}

bool kmd_node_is_open(const struct kmd_node *node)
{
	return node->state == KMD_ENGINE_F0 && !node->preempting;
}

void kmd_node_resume_context(const struct kmd_context *context)
{
	struct kmd_queue *queue;

	rf_assert_held(&context->file->adapter->sync_domain->wait_lock);
	rf_list_for_each(queue, &context->members, context_link)
		if (queue->packet_context)
			kmd_node_submit_ready(queue->packet_context->node);
}

struct kmd_node *kmd_queue_node(const struct kmd_queue *queue)
{
	return &queue->file->adapter->nodes[queue->node];
}

struct kmd_share *kmd_queue_share(const struct kmd_queue *queue)
{
	return &queue->file->shares[queue->node * RF_PRIORITY_BANDS + queue->context->priority];
}
