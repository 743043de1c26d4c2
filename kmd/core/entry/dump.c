// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The post-mortem dump: first the state of the core, then the state of the device. It changes
 * nothing.
 *
 * Locking: the adapter's mutex; wait_lock for the data that it guards.
 */
#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "scheduling/context.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "kmd.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_writer.h"

static void kmd_dump_nodes(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	u32 i;

	rf_write_list(writer, "nodes");
	for (i = 0; i < adapter->caps.node_count; i++) {
		const struct kmd_node *node = &adapter->nodes[i];

		rf_write_element(writer, i);
		rf_write_number(writer, "state", node->state);
		rf_write_number(writer, "last_submitted", node->last_submitted_id);
		rf_write_number(writer, "last_completed", node->last_completed_id);
		rf_write_number(writer, "packets", node->depth);
		rf_write_number(writer, "preemption_id", node->preemption_id);
		rf_write_number(writer, "preempting", node->preempting);
		rf_write_number(writer, "stalled", node->stalled);
		rf_write_object_end(writer);
	}
	rf_write_list_end(writer);
}

static void kmd_dump_queues(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	struct kmd_queue *queue;

	rf_write_list(writer, "queues");
	rf_list_for_each(queue, &adapter->queues, link) {
		rf_write_element(writer, queue->handle);
		rf_write_number(writer, "handle", queue->handle);
		rf_write_number(writer, "node", queue->node);
		rf_write_number(writer, "user_mode", queue->user_mode);
		rf_write_number(writer, "residence", queue->residency.state);
		rf_write_number(writer, "asleep", queue->residency.parked);
		rf_write_number(writer, "context_state", queue->context->state);
		rf_write_number(writer, "completed", kmd_fence_read(queue->progress->fence));
		rf_write_number(writer, "queued", kmd_queue_last_queued(queue));
		rf_write_number(writer, "packets", queue->packets.count);
		rf_write_number(writer, "trapped", queue->trapped);
		rf_write_number(writer, "error", queue->error);
		rf_write_number(writer, "error_address", queue->error_address);
		rf_write_number(writer, "process_lost", queue->file->lost);
		rf_write_object_end(writer);
	}
	rf_write_list_end(writer);
}

static void kmd_dump_fence(struct kmd_native_fence *native, struct rf_writer *writer)
{
	struct kmd_fence *fence = native->fence;

	rf_write_element(writer, native->handle);
	rf_write_number(writer, "handle", native->handle);
	rf_write_number(writer, "native", fence->is_native);
	rf_write_number(writer, "value", kmd_fence_read(fence));
	rf_write_number(writer, "monitored_value", native->monitored_value);
	rf_write_number(writer, "waiters", fence->waiters.count);
	if (fence->waiters.first)
		rf_write_number(writer, "least_waited", fence->waiters.first->value);
	rf_write_number(writer, "always_signaled", fence->always_signaled);
	rf_write_object_end(writer);
}

static void kmd_dump_fences(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	struct kmd_native_fence *native;

	rf_write_list(writer, "fences");
	rf_list_for_each(native, &adapter->fences, link)
		kmd_dump_fence(native, writer);
	rf_list_for_each(native, &adapter->monitored_fences, link)
		kmd_dump_fence(native, writer);
	rf_write_list_end(writer);
}

static void kmd_dump_statistics(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	unsigned long flags = rf_spin_lock(&adapter->device_lock); /* interrupts update them, too */
	const struct kmd_statistics now = adapter->statistics, *statistics = &now;

	rf_spin_unlock(&adapter->device_lock, flags);
	rf_write_object(writer, "statistics");
	rf_write_number(writer, "interrupts", statistics->interrupts);
	rf_write_number(writer, "lost_interrupts", statistics->lost_interrupts);
	rf_write_number(writer, "evaluate_all", statistics->evaluate_all);
	rf_write_number(writer, "waits", statistics->waits);
	rf_write_number(writer, "wakes", statistics->wakes);
	rf_write_number(writer, "preemption_requests", statistics->preemption_requests);
	rf_write_number(writer, "preemptions", statistics->preemptions);
	rf_write_number(writer, "engine_resets", statistics->engine_resets);
	rf_write_number(writer, "adapter_resets", statistics->adapter_resets);
	rf_write_object_end(writer);
}

static void kmd_dump_kernel(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	rf_write_object(writer, "kernel");
	rf_write_number(writer, "fatal", kmd_adapter_is_wedged(adapter));
	rf_write_number(writer, "tdr_delay", adapter->tdr_delay);
	kmd_dump_nodes(adapter, writer);
	kmd_dump_queues(adapter, writer);
	kmd_dump_fences(adapter, writer);
	kmd_dump_statistics(adapter, writer);
	rf_write_object_end(writer);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

size_t kmd_adapter_dump_hang(struct kmd_adapter *adapter, bool json, char *buffer, size_t size)
{
	struct rf_writer writer = { .buffer = buffer, .size = size, .json = json, .first = true };

	if (json)
		rf_write_text(&writer, "{");
	kmd_dump_kernel(adapter, &writer);
	rf_write_object(&writer, "device");
	if (adapter->ddi->collect_debug_info)
		adapter->ddi->collect_debug_info(adapter->h_adapter, &writer);
	rf_write_object_end(&writer);
	rf_write_text(&writer, json ? "}\n" : "\n");
	return writer.used;
}

size_t kmd_adapter_dump(struct kmd_adapter *adapter, bool json, char *buffer, size_t size)
{
	size_t used;

	rf_mutex_lock(&adapter->mutex);
	used = kmd_adapter_dump_hang(adapter, json, buffer, size);
	rf_mutex_unlock(&adapter->mutex);
	return used;
}
