// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "scheduling/usage.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "kmd.h"
#include "rf_list.h"
#include "rf_os.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"

/* Of a queue in a slot. What a process says of its own queue concerns its own share only. */
static bool kmd_usage_has_work(const struct kmd_queue *queue)
{
	if (queue->user_mode)
		return kmd_queue_last_queued(queue) != kmd_fence_read(queue->progress->fence);
	return !rf_list_empty(&queue->packets.running);
}

/* The queue whose packet the node executes, or NULL */
static struct kmd_queue *kmd_usage_packet_queue(struct kmd_node *node)
{
	const struct kmd_dma *dma;

	if (rf_list_empty(&node->submitted))
		return NULL;
	dma = rf_list_first(&node->submitted, struct kmd_dma, link);
	return dma->context ? dma->context->queue : NULL;
}

static u32 kmd_usage_count(struct kmd_adapter *adapter, u32 node)
{
	struct kmd_queue *queue;
	u32 count = 0;

	rf_list_for_each(queue, &adapter->scheduler->in_slots, residency.slot_link)
		count += queue->node == node && kmd_usage_has_work(queue);
	return count + !!kmd_usage_packet_queue(&adapter->nodes[node]);
}

static void kmd_usage_charge(struct kmd_adapter *adapter, u32 node, u32 share)
{
	struct kmd_queue *queue = kmd_usage_packet_queue(&adapter->nodes[node]);

	if (queue)
		queue->file->engine_time[node] += share;
	rf_list_for_each(queue, &adapter->scheduler->in_slots, residency.slot_link)
		if (queue->node == node && kmd_usage_has_work(queue))
			queue->file->engine_time[node] += share;
}

void kmd_usage_sample(struct kmd_adapter *adapter)
{
	u64 now = rf_time(), elapsed = now - adapter->usage_sampled;
	u64 most = adapter->tdr_delay / 4; /* nothing is known of a pause of the watch */
	u32 i, count;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	adapter->usage_sampled = now;
	if (elapsed > most)
		elapsed = most;
	if (elapsed > U32_MAX)
		elapsed = U32_MAX;
	for (i = 0; i < adapter->caps.node_count; i++) {
		count = kmd_usage_count(adapter, i);
		if (count)
			kmd_usage_charge(adapter, i, (u32)elapsed / count);
	}
}

u32 kmd_file_engine_times(struct kmd_file *file, u64 *ns, u32 count)
{
	struct kmd_adapter *adapter = file->adapter;
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	u32 i;

	kmd_usage_sample(adapter);
	for (i = 0; i < adapter->caps.node_count && i < count; i++)
		ns[i] = file->engine_time[i];
	kmd_wait_unlock(adapter->sync_domain, flags);
	return i;
}
