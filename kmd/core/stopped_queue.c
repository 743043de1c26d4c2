// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues that stand still because a packet asks something of the host.
 *
 * SOFTWARE_SIGNAL names a fence by its handle in the queue's process, and a value: the
 * kernel signals, as it would by a request of the process, and the queue goes on, so that
 * the signal lies between what is before and what is behind the packet (S1-16). What the
 * process may not signal is an error of the packet. TRAP is a breakpoint of user mode's:
 * the queue stands until user mode says so.
 *
 * Locking: wait_lock; a queue that stands still has one reason at a time.
 */
#include "core.h"

static void kmd_queue_resume_stopped(struct kmd_queue *queue)
{
	const struct rf_resume_hw_queue arguments = { .h_hw_queue = queue->h_hw_queue };
	struct kmd_adapter *adapter = queue->file->adapter;

	adapter->ddi->resume_hw_queue(adapter->h_adapter, &arguments);
	kmd_schedule_look(queue);
}

/* The fence that the packet names, or NULL. */
static struct kmd_fence *kmd_queue_find_signal_fence(const struct kmd_queue *queue)
{
	struct kmd_instance *instance;

	if (queue->stop_argument > U32_MAX)
		return NULL;
	instance = kmd_table_find(&queue->file->table, KMD_FENCE, (u32)queue->stop_argument);
	if (!instance || kmd_instance_check_signal(instance))
		return NULL;
	/* monitored fences are for kernel-mode queues (S0-86) */
	if (queue->user_mode && !instance->fence->is_native)
		return NULL;
	if (kmd_fence_check_signal(instance->fence, queue->stop_value))
		return NULL;
	return instance->fence;
}

static void kmd_queue_software_signal(struct kmd_queue *queue)
{
	const struct kmd_signal signal = { kmd_queue_find_signal_fence(queue), queue->stop_value };

	if (!signal.fence) {
		kmd_queue_lose(queue, RF_QUEUE_ERROR_OPERAND, queue->stop_argument, true);
		return;
	}
	if (!kmd_fences_signal(queue->file->adapter, &signal, 1))
		kmd_queue_resume_stopped(queue);
}

void kmd_queue_stopped(struct kmd_queue *queue)
{
	switch (queue->stop_reason) {
	case RF_STOP_SOFTWARE_SIGNAL:
		kmd_queue_software_signal(queue);
		break;
	case RF_STOP_TRAP:
		queue->trapped = true;
		break;
	}
}

int kmd_request_queue_resume(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_queue_resume *request = arguments;
	struct kmd_domain *domain = file->adapter->domain;
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
