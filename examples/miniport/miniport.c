// SPDX-License-Identifier: Apache-2.0
/*
 * A miniport with a device that is software alone. It is the start for a miniport of your own, and
 * it is the device "miniport:", which has no timing:
 *
 *	cc -shared -fPIC *.c -o mine.so $(pkg-config --cflags ringfence-miniport)
 *	ringfence conform --miniport ./mine.so
 *
 * This file is the DDI; device.c is the device. The module has run(), so the loader makes one call
 * at a time, and the device executes after each. What it has to tell the core is kept in reports;
 * run() raises the interrupt, and interrupt_routine passes them on. For a device of your own, the
 * functions for memory write page tables, those for queues and doorbells program the device, and
 * interrupt_routine asks it what happened.
 *
 * There are as many slots and doorbells as queues. The loader supplies the functions that the table
 * at the end leaves out: no fence logs, no packet model, no power states, nothing to reset.
 */
#include "device.h"

#define LOCAL_BYTES (256ull << 20)
#define PAGE_BYTES 4096u
#define DOORBELLS 0x8000u /* offset in BAR 0 */

/* --- memory ----------------------------------------------------------------------------------- */

static int map(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	struct device *device = h_adapter;

	return rf_miniport_map(&device->memory, arguments);
}

static int replace(void *h_adapter, const struct rf_replace_gpu_page *arguments)
{
	struct device *device = h_adapter;

	rf_miniport_replace(&device->memory, arguments);
	return 0;
}

static int unmap(void *h_adapter, const struct rf_unmap_gpu_virtual_address *arguments)
{
	struct device *device = h_adapter;

	rf_miniport_unmap(&device->memory, arguments);
	return 0;
}

/* --- fences ----------------------------------------------------------------------------------- */

static int create_fence(void *h_adapter, struct rf_create_native_fence *arguments)
{
	struct fence *fence = malloc(sizeof(*fence));
	struct device *device = h_adapter;

	if (!fence)
		return -ENOMEM;
	*fence = (struct fence){
		.next = device->fences,
		.core = arguments->h_global_native_fence,
		.current = arguments->current_value_system_process_gpu_va,
		.monitored = arguments->monitored_value_system_process_gpu_va,
	};
	device->fences = fence;
	arguments->h_global_native_fence = fence;
	return 0;
}

static int destroy_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments)
{
	struct fence *fence = arguments->h_global_native_fence, **link;
	struct device *device = h_adapter;

	for (link = &device->fences; *link != fence; link = &(*link)->next)
		;
	*link = fence->next;
	rf_reports_forget(&device->reports, fence);
	free(fence);
	return 0;
}

/* First MonitoredValue, then the comparison: whoever is second sees what the other wrote. */
static int update_monitored(void *h_adapter, const struct rf_update_monitored_values *arguments)
{
	struct device *device = h_adapter;
	u32 i;

	for (i = 0; i < arguments->num_fences; i++) {
		const struct fence *fence = arguments->native_fence_array[i];
		u64 value = arguments->updated_value_array[i];

		rf_value_write(arguments->monitored_value_kernel_cpu_va[i], value);
		rf_mb();
		if (rf_read_once64(device_word(device, fence->current)) > value)
			rf_report_fence(&device->reports, fence, fence->core, 0);
	}
	return 0;
}

static int update_current(void *h_adapter,
			  const struct rf_update_current_values_from_cpu *arguments)
{
	u32 i;

	(void)h_adapter;
	for (i = 0; i < arguments->num_fences; i++)
		rf_value_write(arguments->current_value_kernel_cpu_va[i],
			       arguments->updated_value_array[i]);
	return 0;
}

/* --- contexts and residence --------------------------------------------------------------------- */

static int create_context(void *h_adapter, struct rf_create_hw_context *arguments)
{
	struct context *context = malloc(sizeof(*context));
	struct device *device = h_adapter;

	if (!context)
		return -ENOMEM;
	context->space = (struct rf_miniport_space){ &device->memory, arguments->h_process };
	context->node = arguments->node_ordinal;
	arguments->h_hw_context = context;
	return 0;
}

static void destroy_context(void *h_adapter, const struct rf_destroy_hw_context *arguments)
{
	struct device *device = h_adapter;

	rf_reports_forget(&device->reports, arguments->h_hw_context);
	free(arguments->h_hw_context);
}

static int make_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments)
{
	struct queue *queue = arguments->h_hw_queue;

	(void)h_adapter;
	queue->resident = true;
	rf_stream_sample(&queue->stream);
	return 0;
}

/* The kernel waits in place of a queue that waits. */
static void leave(struct queue *queue)
{
	u64 bytes, *current = rf_miniport_find_in(&queue->context->space, queue->wait_address,
						  false, &bytes);
	struct fence *fence = queue->waits ? device_find_fence(queue->device, current) : NULL;

	queue->resident = false;
	rf_report_preempted(&queue->device->reports, queue, queue->waits,
			    fence ? fence->core : NULL, queue->wait_value);
}

static void evict(void *h_adapter, const struct rf_evict_hw_queue *arguments)
{
	(void)h_adapter;
	leave(arguments->h_hw_queue);
}

static int suspend_context(void *h_adapter, const struct rf_suspend_context *arguments)
{
	struct device *device = h_adapter;
	struct queue *queue;
	u32 i;

	for (i = 0; i < QUEUES; i++) {
		queue = device->queues[i];
		if (queue && queue->context == arguments->h_hw_context && queue->resident)
			leave(queue);
	}
	rf_report_suspended(&device->reports, arguments);
	return -EINPROGRESS;
}

/* --- queues ------------------------------------------------------------------------------------- */

static int create_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	struct device *device = h_adapter;
	struct queue *queue;
	u32 index = 0;

	while (index < QUEUES && device->queues[index])
		index++;
	if (index == QUEUES)
		return -ENOSPC;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	queue->device = device;
	queue->context = arguments->h_hw_context;
	queue->index = index;
	queue->stream.space.find = rf_miniport_find_in;
	queue->stream.space.argument = &queue->context->space;
	queue->stream.node = queue->context->node;
	queue->stream.of_kernel = !(arguments->flags & RF_HW_QUEUE_USER_MODE_SUBMISSION);
	queue->progress = arguments->h_hw_queue_native_progress_fence;
	device->queues[index] = queue;
	arguments->h_hw_queue = queue;
	return 0;
}

static void destroy_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments)
{
	struct queue *queue = arguments->h_hw_queue;
	struct device *device = h_adapter;

	device->queues[queue->index] = NULL;
	rf_reports_forget(&device->reports, queue);
	free(queue);
}

static int submit(void *h_adapter, const struct rf_submit_command_to_hw_queue *arguments)
{
	struct queue *queue = arguments->h_hw_queue;

	(void)h_adapter;
	return rf_stream_submit(&queue->stream, arguments);
}

static void resume_queue(void *h_adapter, const struct rf_resume_hw_queue *arguments)
{
	struct queue *queue = arguments->h_hw_queue;

	(void)h_adapter;
	queue->stopped = false;
}

/* --- doorbells: each queue has its own; the queue is the object ------------------------------------ */

static int create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments)
{
	struct queue *queue = arguments->h_hw_queue;

	(void)h_adapter;
	rf_stream_set_ring(&queue->stream, arguments);
	arguments->h_doorbell = queue;
	return 0;
}

static int connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments)
{
	struct queue *queue = arguments->h_doorbell;

	(void)h_adapter;
	queue->connected = true;
	rf_stream_sample(&queue->stream);
	arguments->doorbell_offset = DOORBELLS + queue->index * PAGE_BYTES;
	arguments->doorbell_token = 0;
	arguments->status = RF_DOORBELL_CONNECTED;
	return 0;
}

static void disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments)
{
	struct queue *queue = arguments->h_doorbell;

	(void)h_adapter;
	queue->connected = false;
	rf_stream_sample(&queue->stream);
}

static void destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments)
{
	struct queue *queue = arguments->h_doorbell;

	(void)h_adapter;
	rf_stream_remove_ring(&queue->stream);
}

/* A queue that is not resident has work: the core makes it resident. */
static void store(struct rf_miniport_bus *bus, u64 offset, u64 value)
{
	struct device *device = bus->device;
	u64 index = (offset - DOORBELLS) / PAGE_BYTES;
	struct queue *queue = index < QUEUES ? device->queues[index] : NULL;

	if (!queue || !queue->connected)
		return;
	rf_stream_offer(&queue->stream, value);
	if (!queue->resident)
		rf_report_work(&device->reports, queue);
}

/* --- execution and interrupts -------------------------------------------------------------------- */

static void run(struct rf_miniport_bus *bus)
{
	struct device *device = bus->device;

	device_run(device);
	if (device->reports.count)
		bus->raise(bus, 0);
}

static bool is_idle(struct rf_miniport_bus *bus)
{
	(void)bus; /* run() executes all that can be executed */
	return true;
}

static bool interrupt_routine(void *h_adapter, u32 message_number)
{
	struct device *device = h_adapter;

	(void)message_number;
	return rf_reports_deliver(&device->reports, device->callbacks, device->h_core);
}

/* --- start and capabilities --------------------------------------------------------------------- */

static int start_device(struct rf_start_device *arguments)
{
	struct rf_miniport_bus *bus = rf_miniport_bus(arguments->bus);
	int ret = rf_miniport_ask_for_native_fences(arguments);
	struct device *device;

	if (ret)
		return ret;
	device = calloc(1, sizeof(*device));
	if (!device)
		return -ENOMEM;
	device->memory.bus = bus;
	device->callbacks = arguments->callbacks;
	device->h_core = arguments->h_core;
	bus->device = device;
	arguments->h_adapter = device;
	arguments->interrupt_vectors = 1;
	return 0;
}

static void stop_device(void *h_adapter)
{
	struct device *device = h_adapter;

	rf_reports_destroy(&device->reports);
	free(device);
}

static int query_adapter_info(void *h_adapter, const struct rf_query_adapter_info *arguments)
{
	static const struct rf_miniport_caps caps = {
		.driver.scheduling_caps = RF_VIDSCH_MULTI_ENGINE_AWARE | RF_VIDSCH_NATIVE_GPU_FENCE,
		.driver.node_count = 3,
		.driver.paging_node = RF_NODE_PAGING,
		.driver.process_count = 1024,
		.driver.hw_queue_slots = QUEUES,
		.driver.local_memory_bytes = LOCAL_BYTES,
		.driver.timestamp_frequency = 1000000000,
		.native_fence.monitored_value_stride = 64,
		.native_fence.map_to_gpu_system_process = true,
		.submission.doorbell_size_in_bytes = 8,
		.submission.doorbell_count = QUEUES,
	};

	(void)h_adapter;
	return rf_miniport_answer(&caps, arguments);
}

static const struct rf_ddi ddi = {
	.start_device = start_device,
	.stop_device = stop_device,
	.query_adapter_info = query_adapter_info,
	.map_gpu_virtual_address = map,
	.replace_gpu_page = replace,
	.unmap_gpu_virtual_address = unmap,
	.create_native_fence = create_fence,
	.destroy_native_fence = destroy_fence,
	.update_monitored_values = update_monitored,
	.update_current_values_from_cpu = update_current,
	.create_hw_context = create_context,
	.destroy_hw_context = destroy_context,
	.suspend_context = suspend_context,
	.make_hw_queue_resident = make_resident,
	.evict_hw_queue = evict,
	.create_hw_queue = create_queue,
	.destroy_hw_queue = destroy_queue,
	.submit_command_to_hw_queue = submit,
	.resume_hw_queue = resume_queue,
	.create_doorbell = create_doorbell,
	.connect_doorbell = connect_doorbell,
	.disconnect_doorbell = disconnect_doorbell,
	.destroy_doorbell = destroy_doorbell,
	.interrupt_routine = interrupt_routine,
};

const struct rf_miniport_module rf_miniport_module = {
	RF_MINIPORT_MODULE_HEADER,
	.name = "sample",
	.local_memory_bytes = LOCAL_BYTES,
	.ddi = &ddi,
	.store = store,
	.run = run,
	.is_idle = is_idle,
};
