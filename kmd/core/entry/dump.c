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
#include "queues/doorbell.h"
#include "recovery/recovery.h"
#include "scheduling/context.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "kmd.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"
#include "rf_writer.h"

static const char *const engine_state_names[] = {
	[KMD_ENGINE_F0] = "F0",
	[KMD_ENGINE_DRAINING] = "draining",
	[KMD_ENGINE_F1] = "F1",
};

static const char *const residency_names[] = {
	[KMD_QUEUE_OUT] = "out",
	[KMD_QUEUE_RESIDENT] = "resident",
	[KMD_QUEUE_LEAVING] = "leaving",
};

static const char *const context_state_names[] = {
	[KMD_CONTEXT_RESUMED] = "resumed",
	[KMD_CONTEXT_SUSPENDING] = "suspending",
	[KMD_CONTEXT_SUSPENDED] = "suspended",
};

static const char *const doorbell_state_names[] = {
	[KMD_DOORBELL_DISCONNECTED] = "disconnected",
	[KMD_DOORBELL_CONNECTING] = "connecting",
	[KMD_DOORBELL_CONNECTED] = "connected",
};

/* The number of a process in the dump: processes are numbered as they opened the device. */
static u32 kmd_dump_process_number(struct kmd_adapter *adapter, const struct kmd_file *file)
{
	struct kmd_file *other;
	u32 number = 0;

	rf_list_for_each(other, &adapter->files, link) {
		number++;
		if (other == file)
			return number;
	}
	return 0;
}

/* How long the engine of the node has not responded, in ns, at the last check of the watch */
static u64 kmd_dump_stalled_time(struct kmd_adapter *adapter, const struct kmd_node *node)
{
	u64 looked = adapter->recovery->looked;

	return node->stalled && looked > node->since ? looked - node->since : 0;
}

static void kmd_dump_nodes(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	u32 i;

	rf_write_list(writer, "nodes");
	for (i = 0; i < adapter->caps.node_count; i++) {
		const struct kmd_node *node = &adapter->nodes[i];

		rf_write_element(writer, i);
		rf_write_string(writer, "state", engine_state_names[node->state]);
		rf_write_number(writer, "last_submitted", node->last_submitted_id);
		rf_write_number(writer, "last_completed", node->last_completed_id);
		rf_write_number(writer, "packets", node->depth);
		rf_write_number(writer, "preemption_id", node->preemption_id);
		rf_write_number(writer, "preempting", node->preempting);
		rf_write_number(writer, "stalled", node->stalled);
		rf_write_number(writer, "stalled_ns", kmd_dump_stalled_time(adapter, node));
		rf_write_object_end(writer);
	}
	rf_write_list_end(writer);
}

static const char *kmd_dump_doorbell(const struct kmd_doorbell *doorbell)
{
	if (!doorbell)
		return "none";
	return kmd_doorbell_is_aborted(doorbell) ? "aborted"
						 : doorbell_state_names[doorbell->state];
}

static void kmd_dump_queues(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	struct kmd_queue *queue;

	rf_write_list(writer, "queues");
	rf_list_for_each(queue, &adapter->queues, link) {
		rf_write_element(writer, queue->handle);
		rf_write_number(writer, "handle", queue->handle);
		rf_write_number(writer, "process", kmd_dump_process_number(adapter, queue->file));
		rf_write_number(writer, "node", queue->node);
		rf_write_number(writer, "priority", queue->context->priority);
		rf_write_number(writer, "user_mode", queue->user_mode);
		rf_write_string(writer, "residence", residency_names[queue->residency.state]);
		rf_write_number(writer, "asleep", queue->residency.parked);
		rf_write_string(writer, "context_state",
				context_state_names[queue->context->state]);
		if (queue->user_mode)
			rf_write_string(writer, "doorbell", kmd_dump_doorbell(queue->doorbell));
		rf_write_number(writer, "progress_address",
				kmd_value_system_address(&queue->progress->fence->current_value));
		rf_write_number(writer, "completed", kmd_fence_read(queue->progress->fence));
		rf_write_number(writer, "queued", kmd_queue_last_queued(queue));
		rf_write_number(writer, "packets", queue->packets.count);
		rf_write_number(writer, "trapped", queue->trapped);
		rf_write_number(writer, "trap_code", queue->trap_code);
		rf_write_number(writer, "error", queue->error);
		rf_write_number(writer, "error_address", queue->error_address);
		rf_write_number(writer, "process_lost", queue->file->lost);
		rf_write_object_end(writer);
	}
	rf_write_list_end(writer);
}

static void kmd_dump_fence(struct kmd_opening *opening, struct rf_writer *writer)
{
	struct kmd_fence *fence = opening->fence;

	rf_write_element(writer, opening->handle);
	rf_write_number(writer, "handle", opening->handle);
	rf_write_number(writer, "native", opening->is_native);
	rf_write_number(writer, "value", kmd_fence_read(fence));
	rf_write_number(writer, "monitored_value", opening->monitored_value);
	rf_write_number(writer, "waiters", fence->waiters.count);
	if (fence->waiters.first)
		rf_write_number(writer, "least_waited", fence->waiters.first->value);
	rf_write_number(writer, "always_signaled", fence->always_signaled);
	rf_write_number(writer, "cross_adapter", fence->cross_adapter);
	rf_write_number(writer, "peered", kmd_fence_is_peered(fence));
	rf_write_object_end(writer);
}

static void kmd_dump_fences(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	struct kmd_opening *opening;

	rf_write_list(writer, "fences");
	rf_list_for_each(opening, &adapter->fences, link)
		kmd_dump_fence(opening, writer);
	rf_list_for_each(opening, &adapter->monitored_fences, link)
		kmd_dump_fence(opening, writer);
	rf_write_list_end(writer);
}

/* Fences of a process that its engines can access, and where they see CurrentValue. */
static void kmd_dump_local_fences(struct kmd_file *file, struct rf_writer *writer)
{
	struct kmd_local_fence *local;

	rf_write_list(writer, "fences");
	rf_list_for_each(local, &file->local_fences, link) {
		if (!local->current_mapping || !local->current_mapping->gpu_address)
			continue;
		rf_write_element(writer, local->handle);
		rf_write_number(writer, "handle", local->handle);
		rf_write_number(writer, "fence", local->opening->handle);
		rf_write_number(writer, "current_address",
				local->current_mapping->gpu_address +
					local->opening->current_value.offset);
		rf_write_number(writer, "queue", local->queue ? local->queue->handle : 0);
		rf_write_object_end(writer);
	}
	rf_write_list_end(writer);
}

static void kmd_dump_processes(struct kmd_adapter *adapter, struct rf_writer *writer)
{
	struct kmd_file *file;
	u32 number = 0;

	rf_write_list(writer, "processes");
	rf_list_for_each(file, &adapter->files, link) {
		rf_write_element(writer, ++number);
		rf_write_number(writer, "process", number);
		rf_write_number(writer, "pid", rf_file_pid(file->shell));
		rf_write_number(writer, "lost", file->lost);
		kmd_dump_local_fences(file, writer);
		rf_write_object_end(writer);
	}
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
	kmd_dump_processes(adapter, writer);
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
