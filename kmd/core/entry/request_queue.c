// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: queues. Locking: the adapter's mutex. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "entry/process_end.h"
#include "entry/requests.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "fences/fence_value.h"
#include "queues/log.h"
#include "queues/queue_life.h"
#include "queues/stopped_queue.h"
#include "recovery/device_power.h"
#include "scheduling/context.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "ringfence_drm.h"

/* Check the arguments. 0 or -EINVAL. */
static int kmd_request_check_queue(const struct drm_ringfence_queue_create *request)
{
	u32 kinds = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION | DRM_RINGFENCE_QUEUE_PACKETS;

	if ((request->flags & ~kinds) || request->flags == kinds || request->pad)
		return -EINVAL;
	return 0;
}

/* Check that the node takes a queue of this kind (S3-4). mutex held. */
static int kmd_request_check_node(struct kmd_adapter *adapter,
				  const struct drm_ringfence_queue_create *request)
{
	bool user_mode = request->flags & DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION;
	u32 flags;
	int ret = kmd_node_flags(adapter, request->node, &flags);

	rf_assert_held(&adapter->mutex);
	if (ret)
		return ret;
	if (user_mode && !(flags & RF_NODE_USER_MODE_SUBMISSION))
		return -EOPNOTSUPP;
	return request->node == adapter->caps.paging_node ? -EACCES : 0;
}

/* The context that the request names, or a new one for this queue. */
static int kmd_request_find_context(struct kmd_file *file,
				    const struct drm_ringfence_queue_create *request,
				    struct kmd_context **context)
{
	if (!request->context)
		return kmd_context_create(file, request->node, 0, context);
	*context = kmd_table_find(&file->table, KMD_CONTEXT, request->context);
	if (!*context)
		return -ENOENT;
	return (*context)->node == request->node ? 0 : -EINVAL;
}

/* The driver keeps a ring for such a queue, so it may enter a slot at once. */
static void kmd_request_schedule_queue(struct kmd_queue *queue)
{
	struct kmd_sync_domain *domain = queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_schedule_begin(queue);
	kmd_wait_unlock(domain, flags);
}

/* @logs NULL: a kernel-mode queue has none. */
static struct drm_ringfence_log_detail kmd_request_log_detail(const struct kmd_log *logs)
{
	if (!logs)
		return (struct drm_ringfence_log_detail){ 0 };
	return (struct drm_ringfence_log_detail){
		.wait_log_number_of_entries = logs[KMD_LOG_WAIT].entries,
		.signal_log_number_of_entries = logs[KMD_LOG_SIGNAL].entries,
		.wait_log_gpu_address = logs[KMD_LOG_WAIT].process_address,
		.signal_log_gpu_address = logs[KMD_LOG_SIGNAL].process_address,
	};
}

int kmd_request_queue_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_queue_create *request = arguments;
	bool user_mode = request->flags & DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_context *context = NULL;
	struct kmd_queue *queue = NULL;
	int ret = kmd_request_check_queue(request);

	if (ret)
		return ret;
	if (user_mode && !adapter->user_mode_submission)
		return -EOPNOTSUPP;

	ret = kmd_request_lock_awake(adapter);
	if (ret)
		return ret;
	/* a lost process has to open the device again (S3-30) */
	ret = file->lost ? -EIO : kmd_request_check_node(adapter, request);
	if (!ret)
		ret = kmd_request_find_context(file, request, &context);
	if (!ret) {
		ret = kmd_queue_create(context, request->flags, &queue);
		if (ret)
			kmd_queue_put_context(context);
	}
	if (!ret && !user_mode && !queue->packet_context)
		kmd_request_schedule_queue(queue);
	if (!ret) {
		request->handle = queue->handle;
		request->progress_fence = queue->progress->handle;
		kmd_local_fence_mapping(queue->progress, &request->progress_mapping);
		request->last_queued_mmap_offset = queue->last_queued_offset;
		request->log = kmd_request_log_detail(queue->logs);
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

int kmd_request_queue_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_queue_destroy *request = arguments;
	struct kmd_queue *queue;
	int ret;

	if (request->flags & ~DRM_RINGFENCE_QUEUE_DESTROY_FINISH ||
	    (!request->flags && request->deadline))
		return -EINVAL;
	if (request->flags) {
		ret = kmd_queue_finish(file, request->handle, request->deadline);
		if (ret)
			return ret;
	}
	ret = kmd_request_lock_destroy(file->adapter);
	if (ret)
		return ret;
	queue = kmd_table_find(&file->table, KMD_QUEUE, request->handle);
	if (queue)
		kmd_queue_destroy(queue);
	rf_mutex_unlock(&file->adapter->mutex);
	return queue ? 0 : -ENOENT;
}

int kmd_request_queue_status(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_queue_status *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_queue *queue;
	unsigned long flags;
	int ret;

	if (request->pad)
		return -EINVAL;
	ret = kmd_request_lock(adapter);
	if (ret)
		return ret;
	queue = kmd_table_find(&file->table, KMD_QUEUE, request->handle);
	if (queue) {
		flags = kmd_wait_lock(adapter->sync_domain);
		request->error = queue->error;
		request->error_address = queue->error_address;
		request->trapped = queue->trapped;
		request->trap_code = queue->trapped ? queue->trap_code : 0;
		/* in this order: completed work was queued before */
		request->completed = kmd_fence_read(queue->progress->fence);
		request->last_queued = kmd_queue_last_queued(queue);
		kmd_wait_unlock(adapter->sync_domain, flags);
	}
	rf_mutex_unlock(&adapter->mutex);
	return queue ? 0 : -ENOENT;
}

int kmd_request_queue_notify(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_queue_notify *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_queue *queue;
	unsigned long flags;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_request_lock_awake(adapter);
	if (ret)
		return ret;
	ret = -EINVAL; /* */
	queue = kmd_table_find(&file->table, KMD_QUEUE, request->handle);
	if (queue)
		ret = queue->user_mode ? 0 : -EOPNOTSUPP;
	if (!ret) {
		const struct rf_notify_work_submission notify = {
			.h_hw_queue = queue->h_hw_queue,
		};

		adapter->ddi->notify_work_submission(adapter->h_adapter, &notify);
		flags = kmd_wait_lock(adapter->sync_domain);
		kmd_schedule_poll_ring(queue);
		kmd_wait_unlock(adapter->sync_domain, flags);
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

int kmd_request_queue_resume(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_queue_resume *request = arguments;
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_queue *queue;
	unsigned long flags;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_request_lock_awake(file->adapter);
	if (ret)
		return ret;
	ret = -ENOENT;
	queue = kmd_table_find(&file->table, KMD_QUEUE, request->handle);
	if (queue) {
		flags = kmd_wait_lock(domain);
		ret = queue->error ? -EIO : queue->trapped ? 0 : -EINVAL;
		if (!ret) {
			queue->trapped = false;
			kmd_queue_resume_stopped(queue);
		}
		kmd_wait_unlock(domain, flags);
	}
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}
