// SPDX-License-Identifier: Apache-2.0
/*
 * A miniport with a device that is software alone. It is the start for a miniport of your own, and
 * it is the device "miniport:", which has no timing:
 *
 *	cc -shared -fPIC *.c -o mine.so $(pkg-config --cflags ringfence-miniport)
 *	ringfence conform --miniport ./mine.so
 *
 * This file is the DDI. memory.c has the address spaces, and device.c the device, which executes in
 * device_run(): every store to a doorbell calls it, and every other call that may let a queue go
 * on. What it has to tell lies in a list of reports until interrupt_routine passes them to the
 * core. For a device of your own, memory.c writes page tables, device_run() starts the device, and
 * interrupt_routine asks it what happened.
 *
 * It has as many slots and doorbells as queues, no fence logs, no packet model, no power states
 * and nothing to reset.
 *
 * Locking: device.lock guards everything. device_unlock() raises the interrupt, without the lock.
 */
#include "device.h"

#include <stdlib.h>

#define LOCAL_BYTES (256ull << 20)
#define NODES 3u
#define PAGE_BYTES 4096u
#define DOORBELLS 0x8000u /* offset in BAR 0 */

/* --- reports and the interrupt ------------------------------------------------------------- */

struct device *device_lock(void *h_adapter)
{
	struct device *device = h_adapter;

	pthread_mutex_lock(&device->lock);
	return device;
}

void device_unlock(struct device *device)
{
	bool raise = device->count;

	pthread_mutex_unlock(&device->lock);
	if (raise)
		device->bus->raise(device->bus, 0);
}

struct rf_notify_interrupt_data *device_report(struct device *device, const void *object,
					       enum rf_interrupt_type type)
{
	if (device->count == device->capacity) {
		device->capacity = 2 * device->capacity + 16;
		device->reports =
			realloc(device->reports, device->capacity * sizeof(*device->reports));
		if (!device->reports)
			abort();
	}
	device->reports[device->count] = (struct report){ object, { .interrupt_type = type } };
	return &device->reports[device->count++].data;
}

/* @object ends: no interrupt names it any more. */
static void forget(struct device *device, const void *object)
{
	size_t i, kept = 0;

	for (i = 0; i < device->count; i++)
		if (device->reports[i].object != object)
			device->reports[kept++] = device->reports[i];
	device->count = kept;
}

static bool interrupt_routine(void *h_adapter, u32 message_number)
{
	struct device *device = device_lock(h_adapter);
	bool any = device->count;
	size_t i;

	(void)message_number;
	for (i = 0; i < device->count; i++) {
		struct rf_notify_interrupt_data *data = &device->reports[i].data;
		const struct fence *fence = device->reports[i].object;
		void *const *name = &fence->core;

		if (data->interrupt_type == RF_INTERRUPT_NATIVE_FENCE_SIGNALED) {
			data->native_fence_signaled.signaled_native_fence_count = 1;
			data->native_fence_signaled.signaled_native_fence_array = name;
		}
		device->callbacks->notify_interrupt(device->h_core, data);
	}
	device->count = 0;
	if (any)
		device->callbacks->queue_dpc(device->h_core);
	device_unlock(device);
	return any;
}

/* --- fences ----------------------------------------------------------------------------------- */

static int create_fence(void *h_adapter, struct rf_create_native_fence *arguments)
{
	struct fence *fence = malloc(sizeof(*fence));
	struct device *device;

	if (!fence)
		return -ENOMEM;
	device = device_lock(h_adapter);
	*fence = (struct fence){
		.next = device->fences,
		.core = arguments->h_global_native_fence,
		.current_address = arguments->current_value_system_process_gpu_va,
		.monitored_address = arguments->monitored_value_system_process_gpu_va,
	};
	device->fences = fence;
	device_find_values(device);
	arguments->h_global_native_fence = fence;
	device_unlock(device);
	return 0;
}

static int destroy_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments)
{
	struct fence *fence = arguments->h_global_native_fence, **link;
	struct device *device = device_lock(h_adapter);

	for (link = &device->fences; *link != fence; link = &(*link)->next)
		;
	*link = fence->next;
	forget(device, fence);
	device_unlock(device);
	free(fence);
	return 0;
}

/* Packets have addresses, so an instance needs nothing but a handle. */
static int open_fence(void *h_adapter, struct rf_open_native_fence *arguments)
{
	(void)h_adapter;
	arguments->h_local_native_fence = malloc(1);
	return arguments->h_local_native_fence ? 0 : -ENOMEM;
}

static int close_fence(void *h_adapter, const struct rf_close_native_fence *arguments)
{
	(void)h_adapter;
	free(arguments->h_local_native_fence);
	return 0;
}

/* First MonitoredValue, then the comparison: whoever is second sees what the other wrote. */
static int update_monitored(void *h_adapter, const struct rf_update_monitored_values *arguments)
{
	struct device *device = device_lock(h_adapter);
	u32 i;

	for (i = 0; i < arguments->num_fences; i++) {
		const struct fence *fence = arguments->native_fence_array[i];

		rf_write_once64(fence->monitored, arguments->updated_value_array[i]);
		rf_mb();
		if (rf_read_once64(fence->current) > arguments->updated_value_array[i])
			device_report_signaled(device, fence, 0);
	}
	device_unlock(device);
	return 0;
}

static int update_current(void *h_adapter,
			  const struct rf_update_current_values_from_cpu *arguments)
{
	struct device *device = device_lock(h_adapter);
	u32 i;

	for (i = 0; i < arguments->num_fences; i++)
		rf_value_write(arguments->current_value_kernel_cpu_va[i],
			       arguments->updated_value_array[i]);
	device_run(device);
	device_unlock(device);
	return 0;
}

/* --- contexts and residence ---------------------------------------------------------------------- */

static int create_context(void *h_adapter, struct rf_create_hw_context *arguments)
{
	struct context *context = malloc(sizeof(*context));

	(void)h_adapter;
	if (!context)
		return -ENOMEM;
	*context = (struct context){ arguments->h_process, arguments->node_ordinal };
	arguments->h_hw_context = context;
	return 0;
}

static void destroy_context(void *h_adapter, const struct rf_destroy_hw_context *arguments)
{
	struct device *device = device_lock(h_adapter);

	forget(device, arguments->h_hw_context);
	device_unlock(device);
	free(arguments->h_hw_context);
}

static int make_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments)
{
	struct queue *queue = arguments->h_hw_queue;
	struct device *device = device_lock(h_adapter);

	queue->resident = true;
	device_sample(device, queue);
	device_run(device);
	device_unlock(device);
	return 0;
}

/* The kernel waits in place of a queue that waits. */
static void leave(struct device *device, struct queue *queue)
{
	struct rf_notify_interrupt_data *data =
		device_report(device, queue, RF_INTERRUPT_HWQUEUE_PREEMPTED);
	u64 bytes, *current = device_find(device, queue->context->process, queue->wait_address,
					  false, &bytes);
	struct fence *fence = queue->waits ? device_find_fence(device, current) : NULL;

	queue->resident = false;
	data->hw_queue_preempted.preempted_hw_queue = queue;
	data->hw_queue_preempted.is_waiting = queue->waits;
	data->hw_queue_preempted.h_native_fence = fence ? fence->core : NULL;
	data->hw_queue_preempted.value = queue->wait_value;
}

static void evict(void *h_adapter, const struct rf_evict_hw_queue *arguments)
{
	struct device *device = device_lock(h_adapter);

	leave(device, arguments->h_hw_queue);
	device_unlock(device);
}

static int suspend_context(void *h_adapter, const struct rf_suspend_context *arguments)
{
	struct device *device = device_lock(h_adapter);
	struct rf_notify_interrupt_data *data;
	bool any = false;
	u32 i;

	for (i = 0; i < QUEUES; i++) {
		struct queue *queue = device->queues[i];

		if (!queue || queue->context != arguments->h_hw_context || !queue->resident)
			continue;
		leave(device, queue);
		any = true;
	}
	if (any) {
		data = device_report(device, arguments->h_hw_context,
				     RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED);
		data->suspend_context_completed.h_hw_context = arguments->h_hw_context;
		data->suspend_context_completed.context_suspend_fence =
			arguments->context_suspend_fence;
	}
	device_unlock(device);
	return any ? -EINPROGRESS : 0;
}

static void resume_context(void *h_adapter, const struct rf_resume_context *arguments)
{
	(void)h_adapter; /* the core makes its queues resident */
	(void)arguments;
}

static void rearm(void *h_adapter, const struct rf_rearm_hw_queue *arguments)
{
	(void)h_adapter; /* there is a slot for each queue, so none reports that it could leave */
	(void)arguments;
}

static void query_work(void *h_adapter, struct rf_query_hw_queue_work *arguments)
{
	struct queue *queue = arguments->h_hw_queue;
	struct device *device = device_lock(h_adapter);

	device_sample(device, queue);
	arguments->has_work = queue->active || queue->read != queue->written;
	device_unlock(device);
}

/* --- queues --------------------------------------------------------------------------------------- */

static int create_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	struct queue *queue = calloc(1, sizeof(*queue));
	struct device *device;
	u32 i;

	if (!queue)
		return -ENOMEM;
	queue->context = arguments->h_hw_context;
	queue->progress = arguments->h_hw_queue_native_progress_fence;
	queue->user_mode = arguments->flags & RF_HW_QUEUE_USER_MODE_SUBMISSION;
	queue->entries = 1; /* until there is a ring */
	device = device_lock(h_adapter);
	for (i = 0; i < QUEUES && device->queues[i]; i++)
		;
	if (i < QUEUES)
		device->queues[i] = queue;
	device_unlock(device);
	arguments->h_hw_queue = queue;
	if (i < QUEUES)
		return 0;
	free(queue);
	return -ENOSPC;
}

static u32 index_of(const struct device *device, const struct queue *queue)
{
	u32 i;

	for (i = 0; device->queues[i] != queue; i++)
		;
	return i;
}

static void destroy_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments)
{
	struct device *device = device_lock(h_adapter);

	device->queues[index_of(device, arguments->h_hw_queue)] = NULL;
	forget(device, arguments->h_hw_queue);
	device_unlock(device);
	free(arguments->h_hw_queue);
}

static int submit(void *h_adapter, const struct rf_submit_command_to_hw_queue *arguments)
{
	struct queue *queue = arguments->h_hw_queue;
	struct device *device = device_lock(h_adapter);
	bool room = queue->written - queue->read < SUBMISSIONS - 1; /* one may be executing */

	if (room)
		queue->submissions[queue->written++ % SUBMISSIONS] = *arguments;
	device_run(device);
	device_unlock(device);
	return room ? 0 : -EAGAIN;
}

static void resume_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments)
{
	struct device *device = device_lock(h_adapter);

	((struct queue *)arguments->h_hw_queue)->stopped = false;
	device_run(device);
	device_unlock(device);
}

/* This device writes no logs; the core finds each signal by its value. */
static int set_log(void *h_adapter, const struct rf_set_native_fence_log_buffer *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return 0;
}

static int update_logs(void *h_adapter, const struct rf_update_native_fence_logs *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return 0;
}

/* --- doorbells: the queue is the object, and its place the physical one ------------------------------ */

static int create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments)
{
	struct queue *queue = arguments->h_hw_queue;
	struct device *device = device_lock(h_adapter);

	queue->ring = arguments->ring_buffer_gpu_va;
	queue->entries = arguments->ring_buffer_entries;
	queue->control = arguments->ring_buffer_control_gpu_va;
	queue->written = queue->read = 0;
	device_unlock(device);
	arguments->h_doorbell = queue;
	return 0;
}

static int connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments)
{
	struct queue *queue = arguments->h_doorbell;
	struct device *device = device_lock(h_adapter);

	queue->connected = true;
	device_sample(device, queue);
	device_run(device);
	arguments->doorbell_offset = DOORBELLS + index_of(device, queue) * PAGE_BYTES;
	arguments->doorbell_token = 0;
	arguments->status = RF_DOORBELL_CONNECTED;
	device_unlock(device);
	return 0;
}

static void disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments)
{
	struct queue *queue = arguments->h_doorbell;
	struct device *device = device_lock(h_adapter);

	queue->connected = false;
	device_sample(device, queue);
	device_run(device);
	device_unlock(device);
}

static void destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments)
{
	struct queue *queue = arguments->h_doorbell;
	struct device *device = device_lock(h_adapter);

	queue->written = queue->read; /* the ring is not read any more */
	queue->control = 0;
	device_unlock(device);
}

static void notify_work(void *h_adapter, const struct rf_notify_work_submission *arguments)
{
	(void)h_adapter; /* connect_doorbell never asks for it */
	(void)arguments;
}

/* A queue that is not resident has work: the core makes it resident. */
static void store(struct rf_miniport_bus *bus, u64 offset, u64 value)
{
	struct device *device = device_lock(bus->device);
	u64 index = (offset - DOORBELLS) / PAGE_BYTES;
	struct queue *queue = offset >= DOORBELLS && index < QUEUES ? device->queues[index] : NULL;

	if (queue && queue->connected) {
		device_offer(queue, value);
		if (!queue->resident)
			device_report(device, queue, RF_INTERRUPT_HWQUEUE_WORK)
				->hw_queue_work.h_hw_queue = queue;
		device_run(device);
	}
	device_unlock(device);
}

/* --- start and capabilities --------------------------------------------------------------------------- */

static int start_device(struct rf_start_device *arguments)
{
	struct rf_miniport_bus *bus = rf_miniport_bus(arguments->bus);
	struct rf_feature_native_fence_caps_1 os_caps;
	struct rf_feature_native_fence_1 table;
	struct rf_feature_result result;
	struct device *device;
	int ret = arguments->callbacks->is_feature_enabled(arguments->h_core,
							   RF_FEATURE_NATIVE_FENCE, &result);

	if (!ret)
		ret = arguments->callbacks->query_feature_interface(
			arguments->h_core, RF_FEATURE_NATIVE_FENCE, 1, &table, sizeof(table));
	if (!ret)
		ret = table.get_os_caps(arguments->h_core, &os_caps);
	if (ret)
		return ret;
	device = calloc(1, sizeof(*device));
	if (!device)
		return -ENOMEM;
	pthread_mutex_init(&device->lock, NULL);
	device->bus = bus;
	device->callbacks = arguments->callbacks;
	device->h_core = arguments->h_core;
	device->next_address = 1ull << 20;
	bus->device = device;
	arguments->h_adapter = device;
	arguments->interrupt_vectors = 1;
	return 0;
}

static void stop_device(void *h_adapter)
{
	struct device *device = h_adapter;

	pthread_mutex_destroy(&device->lock);
	free(device->reports);
	free(device);
}

static int query_adapter_info(void *h_adapter, const struct rf_query_adapter_info *arguments)
{
	struct rf_user_mode_submission_caps *submission = arguments->output;
	struct rf_fence_storage *storage = arguments->output;
	struct rf_native_fence_caps *fences = arguments->output;
	struct rf_node_metadata *node = arguments->output;
	struct rf_driver_caps *caps = arguments->output;

	(void)h_adapter;
	switch (arguments->type) {
	case RF_QUERY_DRIVER_CAPS:
		*caps = (struct rf_driver_caps){
			.scheduling_caps =
				RF_VIDSCH_MULTI_ENGINE_AWARE | RF_VIDSCH_NATIVE_GPU_FENCE,
			.node_count = NODES,
			.paging_node = RF_NODE_PAGING,
			.process_count = PROCESSES,
			.hw_queue_slots = QUEUES,
			.local_memory_bytes = LOCAL_BYTES,
			.timestamp_frequency = 1000000000,
		};
		return 0;
	case RF_QUERY_NATIVE_FENCE_CAPS:
		*fences = (struct rf_native_fence_caps){ .monitored_value_stride = 64,
							 .map_to_gpu_system_process = true };
		return 0;
	case RF_QUERY_USER_MODE_SUBMISSION_CAPS:
		submission->doorbell_size_in_bytes = 8;
		submission->doorbell_count = QUEUES;
		return 0;
	case RF_QUERY_NODE_METADATA:
		node->flags =
			node->node_ordinal == RF_NODE_PAGING ? 0 : RF_NODE_USER_MODE_SUBMISSION;
		return 0;
	case RF_QUERY_FENCE_STORAGE:
		/* the CPU waits for DEFAULT fences, so their CurrentValue is in its memory */
		storage->preferred_segment =
			storage->fence_storage_value_type == RF_FENCE_STORAGE_MONITORED_VALUE ||
					storage->fence_storage_type ==
						RF_NATIVE_FENCE_TYPE_INTRA_GPU
				? RF_MEM_LOCAL
				: RF_MEM_SYSTEM;
		storage->supported_segment_set =
			1u << RF_MEM_SYSTEM | 1u << storage->preferred_segment;
		return 0;
	}
	return -EINVAL;
}

static bool is_idle(struct rf_miniport_bus *bus)
{
	(void)bus; /* it has executed all it can when a call returns */
	return true;
}

static const struct rf_ddi ddi = {
	.start_device = start_device,
	.stop_device = stop_device,
	.query_adapter_info = query_adapter_info,
	.create_process = device_create_process,
	.destroy_process = device_destroy_process,
	.map_gpu_virtual_address = device_map_gpu,
	.replace_gpu_page = device_replace_gpu,
	.unmap_gpu_virtual_address = device_unmap_gpu,
	.create_native_fence = create_fence,
	.open_native_fence = open_fence,
	.close_native_fence = close_fence,
	.destroy_native_fence = destroy_fence,
	.update_monitored_values = update_monitored,
	.update_current_values_from_cpu = update_current,
	.create_hw_context = create_context,
	.destroy_hw_context = destroy_context,
	.suspend_context = suspend_context,
	.resume_context = resume_context,
	.create_hw_queue = create_queue,
	.destroy_hw_queue = destroy_queue,
	.submit_command_to_hw_queue = submit,
	.make_hw_queue_resident = make_resident,
	.evict_hw_queue = evict,
	.rearm_hw_queue = rearm,
	.query_hw_queue_work = query_work,
	.resume_hw_queue = resume_queue,
	.set_native_fence_log_buffer = set_log,
	.update_native_fence_logs = update_logs,
	.create_doorbell = create_doorbell,
	.connect_doorbell = connect_doorbell,
	.disconnect_doorbell = disconnect_doorbell,
	.destroy_doorbell = destroy_doorbell,
	.notify_work_submission = notify_work,
	.interrupt_routine = interrupt_routine,
};

const struct rf_miniport_module rf_miniport_module = {
	RF_MINIPORT_MODULE_HEADER,
	.name = "sample",
	.local_memory_bytes = LOCAL_BYTES,
	.ddi = &ddi,
	.store = store,
	.is_idle = is_idle,
};
