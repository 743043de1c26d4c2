// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Lists and hash chains of queues.
 *
 * Locking: the list of queues and the hash chains are changed under wait_lock and device_lock, and
 * read under either. An interrupt may name a queue until destroy_hw_queue has returned, so a dying
 * queue stays on the list until then.
 */
#include "scheduling/queue.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "scheduling/context.h"
#include "rf_list.h"
#include "rf_os.h"

struct kmd_queue *kmd_queue_find(struct kmd_adapter *adapter, const void *h_hw_queue)
{
	struct kmd_queue *queue;

	rf_list_for_each(queue, kmd_hash_chain(&adapter->queue_hash, h_hw_queue), chain)
		if (queue->h_hw_queue == h_hw_queue)
			return queue;
	return NULL;
}

void kmd_queue_link(struct kmd_queue *queue, bool add)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	unsigned long wait_flags = kmd_wait_lock(adapter->sync_domain);
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	rf_assert_held(&queue->file->adapter->mutex);
	if (add) {
		rf_list_insert(&queue->link, &adapter->queues);
		rf_list_insert(&queue->context_link, &queue->context->members);
		kmd_walked_insert(&queue->walked, adapter->walk.queue_round,
				  &adapter->walk.all_queues);
	} else {
		rf_list_remove(&queue->link);
		rf_list_remove(&queue->context_link);
		rf_list_remove(&queue->walked.link);
		rf_list_remove(&queue->notes.link);
	}
	if (add && queue->h_hw_queue)
		rf_list_insert(&queue->chain,
			       kmd_hash_chain(&adapter->queue_hash, queue->h_hw_queue));
	else if (!add)
		rf_list_remove(&queue->chain);
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);
}

void kmd_queue_set_ready(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (rf_list_empty(&queue->packets.ready_link))
		rf_list_insert(&queue->packets.ready_link,
			       &queue->file->adapter->sync_domain->pending[KMD_PENDING_READY]);
}
