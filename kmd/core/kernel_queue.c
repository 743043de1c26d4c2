// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Kernel-mode submission (S3-1, S3-2): the kernel hands command buffers to the
 * miniport, which has a ring of its own for each such queue.
 *
 * A packet goes through three lists. Pending: the device has not got it, since its ring
 * is full. Running: the device has it. Finished: its progress value is reached, or the
 * queue is lost; what it holds is given back by the next thread that may sleep. The
 * queue itself waits for the progress value of the first running packet as any CPU
 * waiter does, so that each completion is heard of, and goes on from there.
 *
 * Locking: wait_lock guards the lists; packets are made and freed under the adapter's
 * mutex. A queue that may go on is put on the domain's list of ready queues and is
 * advanced by kmd_domain_settle(), never from inside the end of a wait.
 */
#include "core.h"

/* --- life ----------------------------------------------------------------------------- */

int kmd_kernel_queue_create(struct kmd_queue *queue)
{
	rf_list_init(&queue->pending);
	rf_list_init(&queue->running);
	rf_list_init(&queue->finished);
	rf_list_init(&queue->ready_link);
	queue->completion = kmd_wait_create(queue->file->adapter, 1, false);
	if (!queue->completion)
		return -ENOMEM;
	queue->completion->queue = queue;
	return 0;
}

static void finish_first(struct kmd_queue *queue, struct rf_list *list)
{
	struct kmd_packet *packet = rf_list_first(list, struct kmd_packet, link);

	rf_list_remove(&packet->link);
	rf_list_insert(&packet->link, &queue->finished);
	queue->packets--;
	queue->file->adapter->work = true;
}

static void finish_all(struct kmd_queue *queue)
{
	while (!rf_list_empty(&queue->running))
		finish_first(queue, &queue->running);
	while (!rf_list_empty(&queue->pending))
		finish_first(queue, &queue->pending);
}

void kmd_kernel_queue_destroy(struct kmd_queue *queue)
{
	struct kmd_domain *domain = queue->file->adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);

	kmd_wait_cancel(queue->completion);
	rf_list_remove(&queue->ready_link);
	finish_all(queue);
	kmd_domain_settle(domain);
	rf_spin_unlock(&domain->wait_lock, flags);
	kmd_kernel_queue_reap(queue);
	kmd_wait_free(queue->completion);
}

static void packet_destroy(struct kmd_packet *packet)
{
	kmd_memory_put(packet->memory);
	rf_free(packet);
}

static struct kmd_packet *take_finished(struct kmd_queue *queue)
{
	struct kmd_domain *domain = queue->file->adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);
	struct kmd_packet *packet = NULL;

	if (!rf_list_empty(&queue->finished)) {
		packet = rf_list_first(&queue->finished, struct kmd_packet, link);
		rf_list_remove(&packet->link);
	}
	rf_spin_unlock(&domain->wait_lock, flags);
	return packet;
}

void kmd_kernel_queue_reap(struct kmd_queue *queue)
{
	struct kmd_packet *packet;

	while ((packet = take_finished(queue)))
		packet_destroy(packet);
}

/* --- going on --------------------------------------------------------------------------- */

void kmd_kernel_queue_set_ready(struct kmd_queue *queue)
{
	if (rf_list_empty(&queue->ready_link))
		rf_list_insert(&queue->ready_link, &queue->file->adapter->domain->ready);
}

static u64 progress_of_first(const struct kmd_queue *queue)
{
	return rf_list_first(&queue->running, struct kmd_packet, link)
		->submit.hw_queue_progress_fence_id;
}

static void retire(struct kmd_queue *queue)
{
	u64 completed = kmd_fence_read(queue->progress->fence);

	while (!rf_list_empty(&queue->running) && progress_of_first(queue) <= completed)
		finish_first(queue, &queue->running);
}

/* Hand over what the ring takes. */
static void submit_pending(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	while (!rf_list_empty(&queue->pending)) {
		struct kmd_packet *packet = rf_list_first(&queue->pending, struct kmd_packet, link);
		int ret;

		packet->submit.h_hw_queue = queue->h_hw_queue;
		ret = adapter->ddi->submit_command_to_hw_queue(adapter->h_adapter, &packet->submit);
		if (ret == -EAGAIN)
			return;
		if (ret) {
			kmd_adapter_set_fatal(adapter, "submit_command_to_hw_queue failed");
			kmd_adapter_abandon(adapter);
			kmd_kernel_queue_set_ready(queue);
			return;
		}
		rf_list_remove(&packet->link);
		rf_list_insert(&packet->link, &queue->running);
	}
}

void kmd_kernel_queue_advance(struct kmd_queue *queue)
{
	rf_list_remove(&queue->ready_link);
	if (queue->error || kmd_adapter_is_fatal(queue->file->adapter)) {
		finish_all(queue);
		return;
	}
	if (queue->dying)
		return;
	retire(queue);
	submit_pending(queue);
	if (queue->completion->over && !rf_list_empty(&queue->running))
		kmd_wait_for_one(queue->completion, queue->progress, progress_of_first(queue));
}

/* --- requests ------------------------------------------------------------------------------ */

static int check_buffer(const struct drm_ringfence_queue_submit *request, const struct rf_mem *mem)
{
	if (request->size % sizeof(u64) || request->offset % sizeof(u64))
		return -EINVAL;
	if (request->size > mem->bytes || request->offset > mem->bytes - request->size)
		return -EINVAL;
	return 0;
}

static int packet_create(struct kmd_file *file, const struct drm_ringfence_queue_submit *request,
			 struct kmd_packet **result)
{
	struct kmd_packet *packet = rf_alloc(sizeof(*packet));
	int ret = -ENOENT;

	if (!packet)
		return -ENOMEM;
	rf_list_init(&packet->link);
	packet->memory = kmd_memory_get(file, request->memory);
	if (!packet->memory)
		goto free_packet;
	ret = check_buffer(request, packet->memory->mem);
	if (ret)
		goto put_memory;
	packet->submit.dma_buffer_virtual_address = packet->memory->gpu_address + request->offset;
	packet->submit.dma_buffer_size = request->size;
	if (request->flags & DRM_RINGFENCE_SUBMIT_PRESENT)
		packet->submit.flags = RF_SUBMIT_PRESENT;
	*result = packet;
	return 0;

put_memory:
	kmd_memory_put(packet->memory);
free_packet:
	rf_free(packet);
	return ret;
}

/* Append the packet and let the queue go on. */
static int enqueue(struct kmd_queue *queue, struct kmd_packet *packet)
{
	struct kmd_domain *domain = queue->file->adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);
	int ret = 0;

	if (queue->error)
		ret = -EIO;
	else if (queue->packets == KMD_PACKETS_MAX)
		ret = -EAGAIN;
	if (!ret) {
		packet->submit.hw_queue_progress_fence_id = ++queue->submitted;
		rf_list_insert(&packet->link, &queue->pending);
		queue->packets++;
		kmd_kernel_queue_set_ready(queue);
		kmd_domain_settle(domain);
	}
	rf_spin_unlock(&domain->wait_lock, flags);
	return ret;
}

static int submit(struct kmd_file *file, struct drm_ringfence_queue_submit *request)
{
	struct kmd_queue *queue = kmd_table_find(&file->table, KMD_QUEUE, request->queue);
	struct kmd_packet *packet = NULL;
	u64 progress;
	int ret;

	if (!queue)
		return -ENOENT;
	if (queue->user_mode)
		return -EOPNOTSUPP; /* S3-7 */
	kmd_kernel_queue_reap(queue);
	ret = packet_create(file, request, &packet);
	if (ret)
		return ret;
	progress = queue->submitted + 1; /* only threads that hold the mutex submit */
	ret = enqueue(queue, packet);
	if (ret) {
		packet_destroy(packet);
		return ret;
	}
	request->progress_value = progress;
	return kmd_adapter_is_fatal(file->adapter) ? -ENODEV : 0;
}

int kmd_request_queue_submit(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_queue_submit *request = arguments;
	int ret;

	if (request->flags & ~DRM_RINGFENCE_SUBMIT_PRESENT)
		return -EINVAL;
	rf_mutex_lock(&file->adapter->mutex);
	ret = submit(file, request);
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}
