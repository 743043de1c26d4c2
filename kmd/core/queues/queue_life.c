// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Hardware queues (S3-1, S3-2). Each has a progress fence (S3-47). A user-mode queue has a
 * last-queued word (S3-48) and fence logs (S0-100), and gets its work through its doorbell; a
 * kernel-mode queue has neither (S0-101), see kernel_queue.c.
 *
 * Locking: the adapter's mutex for life. The interrupt service and its deferred part walk the list
 * of queues, so it is changed under device_lock and wait_lock as well. An interrupt may name a
 * queue until destroy_hw_queue has returned, so a dying queue stays on the list until then. A
 * thread that finds the progress fence by its handle, under wait_lock alone, accesses the queue and
 * its last-queued word: these are created before the fence, and freed after it.
 */
#include "queues/queue_life.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "queues/context_allocation.h"
#include "queues/doorbell.h"
#include "queues/kernel_queue.h"
#include "queues/log.h"
#include "queues/packet_context.h"
#include "scheduling/context.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/close.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"
#include "ringfence_drm.h"

static int kmd_queue_create_last_queued(struct kmd_queue *queue)
{
	struct kmd_file *file = queue->file;
	int ret;

	ret = rf_mem_create(file->adapter->bus, RF_MEM_HOST, KMD_PAGE_BYTES, &queue->last_queued);
	if (ret)
		return ret;
	ret = rf_file_expose(file->shell, queue->last_queued, true, &queue->last_queued_offset);
	if (ret)
		rf_mem_put(queue->last_queued);
	return ret;
}

static void kmd_queue_destroy_last_queued(struct kmd_queue *queue)
{
	rf_file_conceal(queue->file->shell, queue->last_queued_offset);
	rf_mem_put(queue->last_queued);
}

/* The queue's object on the device: a context of the packet model. */
static int kmd_queue_create_packet_context(struct kmd_queue *queue)
{
	struct kmd_packet_context *context;
	int ret = kmd_packet_context_create(queue->file->adapter, queue, &context);

	if (ret)
		return ret;
	ret = kmd_packet_context_fill(context);
	if (ret) {
		kmd_packet_context_destroy(context);
		return ret;
	}
	queue->packet_context = context;
	kmd_queue_link(queue, true);
	return 0;
}

/* The queue's object on the device: a hardware queue. */
static int kmd_queue_create_hw(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	struct rf_create_hw_queue create = {
		.h_hw_queue = queue,
		.h_hw_context = queue->context->h_hw_context,
		.h_hw_queue_native_progress_fence = queue->progress->opening->h_global,
	};
	struct drm_ringfence_fence_mapping mapping;
	int ret;

	kmd_local_fence_mapping(queue->progress, &mapping);
	create.hw_queue_progress_fence_gpu_va = mapping.current_value_gpu_address;
	if (queue->progress->opening->is_native)
		create.flags |= RF_HW_QUEUE_NATIVE_PROGRESS_FENCE;
	if (queue->user_mode)
		create.flags |= RF_HW_QUEUE_USER_MODE_SUBMISSION;
	ret = adapter->ddi->create_hw_queue(adapter->h_adapter, &create);
	if (ret)
		return ret;
	queue->h_hw_queue = create.h_hw_queue;
	kmd_queue_link(queue, true);
	return 0;
}

static void kmd_queue_destroy_hw(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	const struct rf_destroy_hw_queue destroy = { .h_hw_queue = queue->h_hw_queue };
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	queue->dying = true;
	kmd_schedule_destroy(queue);
	kmd_wait_unlock(adapter->sync_domain, flags);
	if (queue->packet_context)
		kmd_packet_context_destroy(queue->packet_context);
	else
		adapter->ddi->destroy_hw_queue(adapter->h_adapter, &destroy);
	kmd_queue_link(queue, false);
	queue->packet_context = NULL;
	flags = kmd_wait_lock(adapter->sync_domain);
	kmd_schedule_destroyed(queue);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/* The parts that only one of the two kinds of queue has, except logs. */
static int kmd_queue_create_kind(struct kmd_queue *queue)
{
	return queue->user_mode ? kmd_queue_create_last_queued(queue)
				: kmd_kernel_queue_create(queue);
}

static void kmd_queue_destroy_kind(struct kmd_queue *queue)
{
	if (queue->user_mode)
		kmd_queue_destroy_last_queued(queue);
	else
		kmd_kernel_queue_destroy(queue);
}

int kmd_queue_create(struct kmd_context *context, u32 flags, struct kmd_queue **result)
{
	bool user_mode = flags & DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION;
	struct kmd_file *file = context->file;
	struct kmd_queue *queue;
	int ret;

	rf_assert_held(&context->file->adapter->mutex);
	ret = kmd_charge(file, KMD_LIMIT_QUEUES, 1);
	if (ret)
		return ret;
	queue = rf_alloc(sizeof(*queue));
	if (!queue) {
		ret = -ENOMEM;
		goto uncharge;
	}
	queue->file = file;
	queue->context = context;
	queue->node = context->node;
	queue->user_mode = user_mode;
	rf_list_init(&queue->chain);
	rf_list_init(&queue->notes.link);
	ret = kmd_schedule_queue_init(queue);
	if (ret)
		goto free_queue;
	ret = kmd_queue_create_kind(queue);
	if (ret)
		goto free_sleep;
	ret = kmd_fence_create(file,
			       file->adapter->native_fence ? DRM_RINGFENCE_FENCE_DEFAULT
							   : DRM_RINGFENCE_FENCE_MONITORED,
			       0, 0, queue, &queue->progress);
	if (ret)
		goto destroy_kind;
	ret = flags & DRM_RINGFENCE_QUEUE_PACKETS ? kmd_queue_create_packet_context(queue)
						  : kmd_queue_create_hw(queue);
	if (ret)
		goto destroy_progress;
	ret = user_mode ? kmd_logs_create(queue) : 0;
	if (ret)
		goto destroy_device_queue;
	ret = kmd_table_insert(&file->table, KMD_QUEUE, queue, &queue->handle);
	if (ret)
		goto destroy_device_queue;
	context->queues++;
	*result = queue;
	return 0;

destroy_device_queue:
	kmd_queue_destroy_hw(queue);
	kmd_logs_destroy(queue);
destroy_progress:
	kmd_local_fence_close(queue->progress);
destroy_kind:
	kmd_queue_destroy_kind(queue);
free_sleep:
	kmd_schedule_queue_free(queue);
free_queue:
	rf_free(queue);
uncharge:
	kmd_uncharge(file, KMD_LIMIT_QUEUES, 1);
	return ret;
}

/* A context without a handle is destroyed with its queue. */
void kmd_queue_put_context(struct kmd_context *context)
{
	if (!context->queues && !context->handle)
		kmd_context_destroy(context);
}

void kmd_queue_destroy(struct kmd_queue *queue)
{
	struct kmd_context *context = queue->context;

	rf_assert_held(&queue->file->adapter->mutex);
	kmd_table_remove(&queue->file->table, KMD_QUEUE, queue->handle);
	if (queue->doorbell)
		kmd_doorbell_destroy(queue->doorbell);
	kmd_queue_destroy_hw(queue);
	kmd_logs_destroy(queue);
	kmd_local_fence_close(queue->progress);
	kmd_queue_destroy_kind(queue);
	kmd_schedule_queue_free(queue);
	kmd_uncharge(queue->file, KMD_LIMIT_QUEUES, 1);
	rf_free(queue);
	context->queues--;
	kmd_queue_put_context(context);
}
