// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Hardware queues (S3-1, S3-2). Each has a progress fence (S3-47). A user-mode queue has
 * a last-queued word (S3-48) and fence logs (S0-100), and gets its work through its
 * doorbell; a kernel-mode queue has neither (S0-101), see kernel_queue.c.
 *
 * Locking: the adapter's mutex for life. The list of queues is walked by the
 * interrupt service and its deferred part, and is changed under device_lock and
 * wait_lock as well. An interrupt may name a queue until destroy_hw_queue returned,
 * so that a dying queue stays on the list until then. Whoever finds the progress fence
 * by its handle, under wait_lock alone, goes on to the queue and its last-queued word:
 * these are made before it, and freed when it is gone.
 */
#include "core.h"

int kmd_node_flags(struct kmd_adapter *adapter, u32 node, u32 *flags)
{
	struct rf_node_metadata metadata = { 0 };
	const struct rf_query_adapter_info query = {
		.type = RF_QUERY_NODE_METADATA,
		.output = &metadata,
		.output_size = sizeof(metadata),
	};
	int ret;

	if (node >= adapter->caps.node_count)
		return -EINVAL;
	metadata.node_ordinal = rf_index_nospec(node, adapter->caps.node_count);
	ret = adapter->ddi->query_adapter_info(adapter->h_adapter, &query);
	if (!ret)
		*flags = metadata.flags;
	return ret;
}

struct kmd_queue *kmd_queue_called(struct kmd_adapter *adapter, const void *h_hw_queue)
{
	struct kmd_queue *queue;

	rf_list_for_each(queue, kmd_queue_bucket(adapter, h_hw_queue), bucket)
		if (queue->h_hw_queue == h_hw_queue)
			return queue;
	return NULL;
}

static void kmd_queue_link(struct kmd_queue *queue, bool add)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	unsigned long wait_flags = kmd_wait_lock(adapter->domain);
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	if (add) {
		rf_list_insert(&queue->link, &adapter->queues);
		rf_list_insert(&queue->context_link, &queue->context->members);
		kmd_walked_insert(&queue->walked, adapter->queue_round, &adapter->all_queues);
	} else {
		rf_list_remove(&queue->link);
		rf_list_remove(&queue->context_link);
		rf_list_remove(&queue->walked.link);
		rf_list_remove(&queue->noted_link);
	}
	if (add && queue->h_hw_queue)
		rf_list_insert(&queue->bucket, kmd_queue_bucket(adapter, queue->h_hw_queue));
	else if (!add)
		rf_list_remove(&queue->bucket);
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->domain, wait_flags);
}

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

/* What the device knows of the queue: a context of the packet model. */
static int kmd_queue_create_packet_context(struct kmd_queue *queue)
{
	int ret = kmd_packet_context_create(queue->file->adapter, queue, &queue->packet_context);

	if (!ret)
		kmd_queue_link(queue, true);
	return ret;
}

/* Or a hardware queue. */
static int kmd_queue_create_hw(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;
	struct rf_create_hw_queue create = {
		.h_hw_queue = queue,
		.h_hw_context = queue->context->h_hw_context,
		.h_hw_queue_native_progress_fence = queue->progress->fence->native.h_global,
	};
	struct drm_ringfence_fence_mapping mapping;
	int ret;

	kmd_instance_mapping(queue->progress, &mapping);
	create.hw_queue_progress_fence_gpu_va = mapping.current_value_gpu_address;
	if (queue->progress->fence->is_native)
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
	unsigned long flags = kmd_wait_lock(adapter->domain);

	queue->dying = true;
	kmd_schedule_destroy(queue);
	kmd_wait_unlock(adapter->domain, flags);
	if (queue->packet_context)
		kmd_packet_context_destroy(queue->packet_context);
	else
		adapter->ddi->destroy_hw_queue(adapter->h_adapter, &destroy);
	kmd_queue_link(queue, false);
	queue->packet_context = NULL;
	flags = kmd_wait_lock(adapter->domain);
	kmd_schedule_destroyed(queue);
	kmd_wait_unlock(adapter->domain, flags);
}

static void kmd_queue_destroy_logs(struct kmd_queue *queue)
{
	kmd_log_destroy(queue, &queue->logs[KMD_LOG_SIGNAL]);
	kmd_log_destroy(queue, &queue->logs[KMD_LOG_WAIT]);
}

static int kmd_queue_create_logs(struct kmd_queue *queue)
{
	const struct kmd_adapter *adapter = queue->file->adapter;
	u32 bytes = adapter->trace ? KMD_LOG_BYTES_TRACE : KMD_LOG_BYTES;
	int ret;

	ret = kmd_log_create(queue, &queue->logs[KMD_LOG_WAIT], RF_LOG_TYPE_WAITS, bytes);
	if (!ret)
		ret = kmd_log_create(queue, &queue->logs[KMD_LOG_SIGNAL], RF_LOG_TYPE_SIGNALS,
				     bytes);
	if (!ret)
		kmd_queue_publish_log_entries(queue);
	return ret;
}

void kmd_queue_publish_log_entries(struct kmd_queue *queue)
{
	rf_mem_write64(queue->last_queued, 8, queue->logs[KMD_LOG_SIGNAL].entries);
}

/* What only one of the two kinds of queue has, logs apart. */
static int kmd_queue_create_kind(struct kmd_queue *queue)
{
	return queue->user_mode ? kmd_queue_create_last_queued(queue) : kmd_kernel_queue_create(queue);
}

static void kmd_queue_destroy_kind(struct kmd_queue *queue)
{
	if (queue->user_mode)
		kmd_queue_destroy_last_queued(queue);
	else
		kmd_kernel_queue_destroy(queue);
}

static int kmd_queue_create(struct kmd_context *context, u32 flags, struct kmd_queue **result)
{
	bool user_mode = flags & DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION;
	struct kmd_file *file = context->file;
	struct kmd_queue *queue;
	int ret;

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
	rf_list_init(&queue->bucket);
	rf_list_init(&queue->noted_link);
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
	ret = user_mode ? kmd_queue_create_logs(queue) : 0;
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
	kmd_queue_destroy_logs(queue);
destroy_progress:
	kmd_instance_close(queue->progress);
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

/* A context that nobody else knows of ends with its queue. */
static void kmd_queue_put_context(struct kmd_context *context)
{
	if (!context->queues && !context->handle)
		kmd_context_destroy(context);
}

void kmd_queue_destroy(struct kmd_queue *queue)
{
	struct kmd_context *context = queue->context;

	kmd_table_remove(&queue->file->table, KMD_QUEUE, queue->handle);
	if (queue->doorbell)
		kmd_doorbell_destroy(queue->doorbell);
	kmd_queue_destroy_hw(queue);
	kmd_queue_destroy_logs(queue);
	kmd_instance_close(queue->progress);
	kmd_queue_destroy_kind(queue);
	kmd_schedule_queue_free(queue);
	kmd_uncharge(queue->file, KMD_LIMIT_QUEUES, 1);
	rf_free(queue);
	context->queues--;
	kmd_queue_put_context(context);
}

void kmd_queue_lose(struct kmd_queue *queue, u32 error, u64 address, bool halted)
{
	struct kmd_fence *progress = queue->progress->fence;

	queue->halted |= halted;
	if (queue->packet_context)
		kmd_node_forget(queue->packet_context->node, queue->packet_context, halted);
	if (!queue->user_mode)
		kmd_kernel_queue_set_ready(queue);
	if (queue->error)
		return; /* the first reason counts */
	queue->error = error;
	queue->error_address = address;
	kmd_schedule_lose(queue);
	/* what it finished is finished; what is missing never comes */
	kmd_fence_evaluate(progress);
	kmd_fence_abandon(progress, -EIO);
	if (queue->doorbell)
		kmd_doorbell_abort(queue->doorbell);
}

/* --- requests ------------------------------------------------------------------------ */

/* Whether the request makes sense. */
static int kmd_request_check_queue(const struct drm_ringfence_queue_create *request)
{
	u32 kinds = DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION | DRM_RINGFENCE_QUEUE_PACKETS;

	if ((request->flags & ~kinds) || request->flags == kinds || request->pad)
		return -EINVAL;
	return 0;
}

/* Whether the node takes a queue of this kind (S3-4). mutex held. */
static int kmd_request_check_node(struct kmd_adapter *adapter, const struct drm_ringfence_queue_create *request)
{
	bool user_mode = request->flags & DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION;
	u32 flags;
	int ret = kmd_node_flags(adapter, request->node, &flags);

	if (ret)
		return ret;
	if (user_mode && !(flags & RF_NODE_USER_MODE_SUBMISSION))
		return -EOPNOTSUPP;
	return request->node == adapter->caps.paging_node ? -EACCES : 0;
}

/* The context that the request names, or one of the queue's own. */
static int kmd_request_find_context(struct kmd_file *file, const struct drm_ringfence_queue_create *request,
			struct kmd_context **context)
{
	if (!request->context)
		return kmd_context_create(file, request->node, 0, context);
	*context = kmd_table_find(&file->table, KMD_CONTEXT, request->context);
	if (!*context)
		return -ENOENT;
	return (*context)->node == request->node ? 0 : -EINVAL;
}

/* A queue that the driver keeps a ring for may come in at once. */
static void kmd_request_schedule_queue(struct kmd_queue *queue)
{
	struct kmd_domain *domain = queue->file->adapter->domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_schedule_begin(queue);
	kmd_wait_unlock(domain, flags);
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
	/* a process that is lost opens the device anew (S3-30) */
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
		const struct kmd_log *wait = &queue->logs[KMD_LOG_WAIT];
		const struct kmd_log *signal = &queue->logs[KMD_LOG_SIGNAL];

		request->handle = queue->handle;
		request->progress_fence = queue->progress->handle;
		kmd_instance_mapping(queue->progress, &request->progress_mapping);
		request->last_queued_mmap_offset = queue->last_queued_offset;
		request->log = (struct drm_ringfence_log_detail){
			.wait_log_number_of_entries = wait->entries,
			.signal_log_number_of_entries = signal->entries,
			.wait_log_gpu_address = wait->process_address,
			.signal_log_gpu_address = signal->process_address,
		};
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
		flags = kmd_wait_lock(adapter->domain);
		request->error = queue->error;
		request->error_address = queue->error_address;
		request->trapped = queue->trapped;
		request->trap_code = queue->trapped ? queue->stop_argument : 0;
		/* in this order: what is completed was queued before */
		request->completed = kmd_fence_read(queue->progress->fence);
		request->last_queued = kmd_queue_last_queued(queue);
		kmd_wait_unlock(adapter->domain, flags);
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
		flags = kmd_wait_lock(adapter->domain);
		kmd_schedule_look(queue);
		kmd_wait_unlock(adapter->domain, flags);
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}
