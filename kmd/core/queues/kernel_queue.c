// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Kernel-mode queues (S3-1, S3-2): the kernel keeps packets in the order in which they were
 * requested (entry/request_submit.c, entry/request_render.c), and processes the first of them as
 * far as possible.
 *
 *   command buffer   goes to the miniport, which has a ring of its own for each queue, and is
 *                    retried while that is full; or, of a context, to the node, which schedules it
 *                    among those of other contexts (scheduling/node.c)
 *   wait             stays until it is over (S1-22..S1-24)
 *   signal           stays until every command buffer before it is complete, then the kernel
 *                    signals (S1-16)
 *
 * A packet goes through three lists. Pending: not processed yet. Running: given to the device.
 * Finished: its progress value is reached, or the queue is lost; the next thread that may sleep
 * frees it. The queue waits for the progress value of the first running packet as any CPU waiter
 * does, and continues when that wait ends, so no completion is missed. A process that reports
 * progress early, by a packet of its own, harms only itself: what its packets hold is released too
 * early.
 *
 * Locking: wait_lock guards the lists; packets are created and freed under the adapter's mutex. A
 * queue that may be able to continue is put on the list KMD_PENDING_READY and is advanced by
 * kmd_flush_pending(), never from inside the end of a wait.
 */
#include "queues/kernel_queue.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "fences/opening.h"
#include "queues/lost_queue.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/signal.h"
#include "waits/wait.h"
#include "kmd.h"
#include "rf_bus.h"
#include "rf_list.h"
#include "rf_os.h"

int kmd_kernel_queue_find(struct kmd_file *file, u32 handle, struct kmd_queue **result)
{
	struct kmd_queue *queue = kmd_table_find(&file->table, KMD_QUEUE, handle);

	rf_assert_held(&file->adapter->mutex);
	if (!queue)
		return -ENOENT;
	if (queue->user_mode)
		return -EOPNOTSUPP; /* S3-7 */
	kmd_kernel_queue_reap(queue);
	*result = queue;
	return 0;
}

int kmd_kernel_queue_take_room(struct kmd_queue *queue, u32 packets)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (queue->error)
		return -EIO;
	if (packets > KMD_PACKETS_MAX - queue->packets.count - queue->packets.reserved)
		return -EAGAIN;
	return kmd_charge(queue->file, KMD_LIMIT_PACKETS, packets);
}

int kmd_kernel_queue_reserve(struct kmd_queue *queue, u32 packets)
{
	int ret = kmd_kernel_queue_take_room(queue, packets);

	if (!ret)
		queue->packets.reserved += packets;
	return ret;
}

void kmd_kernel_queue_end_reservation(struct kmd_queue *queue, u32 packets, bool use)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	queue->packets.reserved -= packets;
	if (!use)
		kmd_uncharge(queue->file, KMD_LIMIT_PACKETS, packets);
}

/* --- packets -------------------------------------------------------------------------- */

struct kmd_packet *kmd_packet_create(enum kmd_packet_kind kind, u32 signals)
{
	struct kmd_packet *packet =
		rf_alloc(sizeof(*packet) + signals * sizeof(packet->signals[0]));

	if (!packet)
		return NULL;
	rf_list_init(&packet->link);
	rf_list_init(&packet->dma.link);
	packet->kind = kind;
	return packet;
}

void kmd_packet_destroy(struct kmd_packet *packet)
{
	u32 i;

	if (packet->memory)
		kmd_memory_put(packet->memory);
	rf_mem_put(packet->pages);
	if (packet->wait)
		kmd_wait_free(packet->wait);
	for (i = 0; i < packet->count; i++)
		kmd_opening_put(packet->signals[i].opening);
	rf_free(packet);
}

static void kmd_observe_job(struct kmd_queue *queue, const struct kmd_packet *packet,
			    enum kmd_job_step step)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	if (adapter->observer && packet->kind == KMD_PACKET_COMMANDS)
		adapter->observer->job(
			adapter->observer_argument, queue->file->shell, queue->handle, queue->node,
			step, packet->submit.hw_queue_progress_fence_id, queue->packets.count);
}

void kmd_packet_append(struct kmd_queue *queue, struct kmd_packet *packet)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (packet->kind == KMD_PACKET_COMMANDS)
		packet->submit.hw_queue_progress_fence_id = ++queue->packets.submitted;
	rf_list_insert(&packet->link, &queue->packets.pending);
	queue->packets.count++;
	kmd_observe_job(queue, packet, KMD_JOB_SUBMITTED);
	kmd_queue_set_ready(queue);
}

static void kmd_packet_finish_first(struct kmd_queue *queue, struct rf_list *list)
{
	struct kmd_packet *packet = rf_list_first(list, struct kmd_packet, link);

	if (packet->wait)
		kmd_wait_cancel(packet->wait);
	rf_list_remove(&packet->link);
	rf_list_insert(&packet->link, &queue->packets.finished);
	queue->packets.count--;
	kmd_uncharge(queue->file, KMD_LIMIT_PACKETS, 1);
	kmd_observe_job(queue, packet, KMD_JOB_DONE);
	queue->file->adapter->work = true;
}

static void kmd_packet_finish_pending(struct kmd_queue *queue)
{
	while (!rf_list_empty(&queue->packets.pending))
		kmd_packet_finish_first(queue, &queue->packets.pending);
}

/* The device has no packet of the queue any more. */
static void kmd_packet_finish_all(struct kmd_queue *queue)
{
	while (!rf_list_empty(&queue->packets.running))
		kmd_packet_finish_first(queue, &queue->packets.running);
	kmd_packet_finish_pending(queue);
}

static struct kmd_packet *kmd_packet_take_finished(struct kmd_queue *queue)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_packet *packet = NULL;

	if (!rf_list_empty(&queue->packets.finished)) {
		packet = rf_list_first(&queue->packets.finished, struct kmd_packet, link);
		rf_list_remove(&packet->link);
	}
	kmd_wait_unlock(domain, flags);
	return packet;
}

void kmd_kernel_queue_reap(struct kmd_queue *queue)
{
	struct kmd_packet *packet;

	rf_assert_held(&queue->file->adapter->mutex);
	while ((packet = kmd_packet_take_finished(queue)))
		kmd_packet_destroy(packet);
}

/* --- life ----------------------------------------------------------------------------- */

/* The completion of the queue's waits. */
static void kmd_kernel_queue_complete_wait(struct kmd_wait *wait, int result)
{
	(void)result; /* the result does not matter: the queue checks its packets */
	kmd_queue_set_ready(wait->owner);
}

struct kmd_wait *kmd_kernel_queue_wait_create(struct kmd_queue *queue, u32 count)
{
	struct kmd_wait *wait = kmd_wait_create(queue->file->adapter, count, false);

	if (wait) {
		wait->complete = kmd_kernel_queue_complete_wait;
		wait->owner = queue;
	}
	return wait;
}

int kmd_kernel_queue_create(struct kmd_queue *queue)
{
	rf_list_init(&queue->packets.pending);
	rf_list_init(&queue->packets.running);
	rf_list_init(&queue->packets.finished);
	rf_list_init(&queue->packets.ready_link);
	queue->packets.completion = kmd_kernel_queue_wait_create(queue, 1);
	return queue->packets.completion ? 0 : -ENOMEM;
}

void kmd_kernel_queue_destroy(struct kmd_queue *queue)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_wait_cancel(queue->packets.completion);
	rf_list_remove(&queue->packets.ready_link);
	kmd_packet_finish_all(queue);
	kmd_wait_unlock(domain, flags);
	kmd_kernel_queue_reap(queue);
	kmd_wait_free(queue->packets.completion);
}

/* --- advancing ---------------------------------------------------------------------- */

static u64 kmd_packet_progress_of_first(const struct kmd_queue *queue)
{
	return rf_list_first(&queue->packets.running, struct kmd_packet, link)
		->submit.hw_queue_progress_fence_id;
}

/* A packet is not complete before its node has removed it, whatever the progress fence says. */
static bool kmd_packet_is_with_node(const struct kmd_queue *queue)
{
	const struct kmd_packet *packet =
		rf_list_first(&queue->packets.running, struct kmd_packet, link);

	return !rf_list_empty(&packet->dma.link);
}

static void kmd_kernel_queue_retire(struct kmd_queue *queue)
{
	u64 completed = kmd_fence_read(queue->progress->fence);
	bool any = false;

	while (!rf_list_empty(&queue->packets.running) &&
	       kmd_packet_progress_of_first(queue) <= completed &&
	       !kmd_packet_is_with_node(queue)) {
		if (!kmd_hold_spend(queue->file->adapter->sync_domain)) {
			kmd_queue_set_ready(queue);
			break;
		}
		kmd_packet_finish_first(queue, &queue->packets.running);
		any = true;
	}
	if (any)
		kmd_adapter_walk(queue->file->adapter, KMD_WALK_MONITORED);
}

/*
 * The node has completed a packet: only this function signals the progress fence of such a queue.
 */
static void kmd_packet_complete_dma(struct kmd_dma *dma, int result)
{
	struct kmd_packet *packet = container_of(dma, struct kmd_packet, dma);
	struct kmd_queue *queue = dma->context->queue;
	const struct kmd_signal signal = {
		.opening = queue->progress->opening,
		.value = packet->submit.hw_queue_progress_fence_id,
	};

	if (!result && !queue->error)
		kmd_fences_signal(queue->file->adapter, &signal, 1);
}

static void kmd_packet_fault_dma(struct kmd_dma *dma, u32 error, u64 address)
{
	kmd_queue_mark_lost(dma->context->queue, error, address, true);
}

static void kmd_packet_submit_to_node(struct kmd_queue *queue, struct kmd_packet *packet)
{
	struct kmd_dma *dma = &packet->dma;

	rf_list_remove(&packet->link);
	rf_list_insert(&packet->link, &queue->packets.running);
	dma->node = queue->packet_context->node;
	dma->context = queue->packet_context;
	dma->rank = queue->packet_context->rank;
	dma->address = packet->submit.dma_buffer_virtual_address;
	dma->size = packet->submit.dma_buffer_size;
	dma->flags = packet->submit.flags;
	dma->complete = kmd_packet_complete_dma;
	dma->fault = kmd_packet_fault_dma;
	kmd_observe_job(queue, packet, KMD_JOB_BEGUN);
	kmd_dma_submit(dma);
}

/* Each of these returns whether the first pending packet has left the pending list. */
static bool kmd_packet_submit_first(struct kmd_queue *queue, struct kmd_packet *packet)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	int ret;

	if (queue->packet_context) {
		kmd_packet_submit_to_node(queue, packet);
		return true;
	}
	packet->submit.h_hw_queue = queue->h_hw_queue;
	kmd_hold_access(adapter->sync_domain, adapter);
	ret = adapter->ddi->submit_command_to_hw_queue(adapter->h_adapter, &packet->submit);
	if (ret == -EAGAIN)
		return false;
	if (ret) {
		kmd_adapter_set_wedged(adapter, "submit_command_to_hw_queue failed");
		kmd_queue_set_ready(queue);
		return false;
	}
	rf_list_remove(&packet->link);
	rf_list_insert(&packet->link, &queue->packets.running);
	kmd_observe_job(queue, packet, KMD_JOB_BEGUN);
	kmd_schedule_poll_ring(queue);
	return true;
}

static bool kmd_packet_pass_wait(struct kmd_queue *queue, struct kmd_packet *packet)
{
	if (!packet->wait->over)
		return false;
	kmd_packet_finish_first(queue, &queue->packets.pending);
	return true;
}

static bool kmd_packet_signal_first(struct kmd_queue *queue, struct kmd_packet *packet)
{
	if (!rf_list_empty(&queue->packets.running))
		return false;
	kmd_fences_signal(queue->file->adapter, packet->signals, packet->count);
	kmd_packet_finish_first(queue, &queue->packets.pending);
	return true;
}

static bool kmd_packet_take_first(struct kmd_queue *queue)
{
	struct kmd_packet *packet = rf_list_first(&queue->packets.pending, struct kmd_packet, link);

	switch (packet->kind) {
	case KMD_PACKET_COMMANDS:
		return kmd_packet_submit_first(queue, packet);
	case KMD_PACKET_WAIT:
		return kmd_packet_pass_wait(queue, packet);
	case KMD_PACKET_SIGNAL:
		return kmd_packet_signal_first(queue, packet);
	}
	return false;
}

static void kmd_kernel_queue_advance(struct kmd_queue *queue)
{
	rf_list_remove(&queue->packets.ready_link);
	if (kmd_adapter_is_wedged(queue->file->adapter) || queue->halted) {
		if (queue->packet_context)
			kmd_node_drop_packets(queue->packet_context->node, queue->packet_context,
					      true);
		kmd_packet_finish_all(queue);
		return;
	}
	/* lost, but the device may still execute its packets: these stay until it has stopped */
	if (queue->error) {
		kmd_packet_finish_pending(queue);
		return;
	}
	if (queue->dying || queue->file->adapter->in_d3)
		return;
	kmd_kernel_queue_retire(queue);
	while (!rf_list_empty(&queue->packets.pending)) {
		if (!kmd_hold_spend(queue->file->adapter->sync_domain)) {
			kmd_queue_set_ready(queue);
			break;
		}
		if (!kmd_packet_take_first(queue))
			break;
	}
	if (queue->packets.completion->over && !rf_list_empty(&queue->packets.running))
		kmd_wait_for_one(queue->packets.completion, queue->progress,
				 kmd_packet_progress_of_first(queue));
}

static struct kmd_queue *kmd_queue_to_advance(struct kmd_sync_domain *domain)
{
	return rf_list_first(&domain->pending[KMD_PENDING_READY], struct kmd_queue,
			     packets.ready_link);
}

struct kmd_adapter *kmd_adapter_to_advance(struct kmd_sync_domain *domain)
{
	return kmd_queue_to_advance(domain)->file->adapter;
}

void kmd_step_ready(struct kmd_sync_domain *domain)
{
	rf_assert_held(&domain->wait_lock);
	kmd_kernel_queue_advance(kmd_queue_to_advance(domain));
}
