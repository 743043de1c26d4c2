// SPDX-License-Identifier: Apache-2.0
/* A miniport without a device; see fake.h. */
#include <string.h>

#include "fake.h"

int fake_enter(struct fake *fake, enum fake_call call)
{
	pthread_mutex_lock(&fake->mutex);
	assert_true(!fake->d3 || call == FAKE_D0 || call == FAKE_STOP_DEVICE);
	fake->diary[fake->diary_length++ % ARRAY_SIZE(fake->diary)] = call;
	fake->calls[call]++;
	pthread_mutex_unlock(&fake->mutex);
	return __atomic_load_n(&fake->fail, __ATOMIC_RELAXED) == call ? -EIO : 0;
}

/* --- addresses --------------------------------------------------------------------------- */

static struct fake_mapping *find_mapping(struct fake *fake, void *h_process, u64 address)
{
	struct fake_mapping *mapping;

	rf_list_for_each(mapping, &fake->mappings, link)
		if (mapping->h_process == h_process && address >= mapping->address &&
		    address - mapping->address < mapping->mem->bytes)
			return mapping;
	return NULL;
}

u64 fake_mem_read64(const struct rf_mem *mem, u64 offset)
{
	if (mem->kind != RF_MEM_SYSTEM)
		return rf_mem_read64(mem, offset);
	return rf_read_once64((const u64 *)(uintptr_t)(mem->address + offset));
}

void fake_mem_write64(struct rf_mem *mem, u64 offset, u64 value)
{
	if (mem->kind != RF_MEM_SYSTEM)
		rf_mem_write64(mem, offset, value);
	else
		rf_write_once64((u64 *)(uintptr_t)(mem->address + offset), value);
}

int fake_gpu_write(struct fake *fake, void *h_process, u64 address, u64 value)
{
	struct fake_mapping *mapping;
	int ret = -EFAULT;

	pthread_mutex_lock(&fake->mutex);
	mapping = find_mapping(fake, h_process, address);
	if (mapping && !(mapping->flags & RF_MAP_READ_ONLY)) {
		rf_mb();
		if (fake->caps.scheduling_caps & RF_VIDSCH_NO_64_BIT_ATOMICS) {
			u64 old = fake_mem_read64(mapping->mem, address - mapping->address);

			value = (old & ~(u64)U32_MAX) | (u32)value;
		}
		fake_mem_write64(mapping->mem, address - mapping->address, value);
		ret = 0;
	}
	pthread_mutex_unlock(&fake->mutex);
	return ret;
}

int fake_gpu_read(struct fake *fake, void *h_process, u64 address, u64 *value)
{
	struct fake_mapping *mapping;
	int ret = -EFAULT;

	pthread_mutex_lock(&fake->mutex);
	mapping = find_mapping(fake, h_process, address);
	if (mapping) {
		*value = fake_mem_read64(mapping->mem, address - mapping->address);
		ret = 0;
	}
	pthread_mutex_unlock(&fake->mutex);
	return ret;
}

u64 fake_physical(struct fake *fake, u64 address)
{
	struct fake_mapping *mapping;
	u64 physical;

	pthread_mutex_lock(&fake->mutex);
	mapping = find_mapping(fake, NULL, address);
	assert_non_null(mapping);
	physical = mapping->mem->address + (address - mapping->address);
	pthread_mutex_unlock(&fake->mutex);
	return physical;
}

/* Is something of the process mapped in that range? */
static bool is_mapped(struct fake *fake, void *h_process, u64 address, u64 bytes)
{
	struct fake_mapping *mapping;

	rf_list_for_each(mapping, &fake->mappings, link)
		if (mapping->h_process == h_process && mapping->address < address + bytes &&
		    address < mapping->address + mapping->mem->bytes)
			return true;
	return false;
}

static int map_gpu(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	struct fake_mapping *mapping = calloc(1, sizeof(*mapping));
	struct fake *fake = h_adapter;

	assert_false(fake->d3);
	assert_true(arguments->mem->kind == RF_MEM_SYSTEM || arguments->mem->kind == RF_MEM_LOCAL);
	mapping->h_process = arguments->h_process;
	mapping->mem = arguments->mem;
	mapping->flags = arguments->flags;
	pthread_mutex_lock(&fake->mutex);
	if (arguments->gpu_virtual_address &&
	    is_mapped(fake, arguments->h_process, arguments->gpu_virtual_address,
		      arguments->mem->bytes)) {
		pthread_mutex_unlock(&fake->mutex);
		free(mapping);
		return -ENOSPC;
	}
	mapping->address = arguments->gpu_virtual_address;
	if (!mapping->address) {
		mapping->address = fake->next_address;
		fake->next_address += mapping->mem->bytes + 4096;
	}
	rf_list_insert(&mapping->link, &fake->mappings);
	pthread_mutex_unlock(&fake->mutex);
	arguments->gpu_virtual_address = mapping->address;
	return 0;
}

/* Both places may be read until the test releases the old one, at point 1. */
static int replace_gpu(void *h_adapter, const struct rf_replace_gpu_page *arguments)
{
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_REPLACE);
	struct fake_mapping *mapping;

	if (ret)
		return ret;
	assert_false(fake->d3);
	if (fake->during_replace)
		fake->during_replace(fake, 0, fake->argument);
	pthread_mutex_lock(&fake->mutex);
	mapping = find_mapping(fake, arguments->h_process, arguments->gpu_virtual_address);
	assert_non_null(mapping);
	assert_true(mapping->address == arguments->gpu_virtual_address);
	assert_int_equal(mapping->flags, arguments->flags);
	assert_int_equal(mapping->mem->bytes, arguments->mem->bytes);
	mapping->mem = arguments->mem;
	pthread_mutex_unlock(&fake->mutex);
	if (fake->during_replace)
		fake->during_replace(fake, 1, fake->argument);
	return 0;
}

/* One that fails is done all the same; the memory would be kept. */
static int unmap_gpu(void *h_adapter, const struct rf_unmap_gpu_virtual_address *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_mapping *mapping;

	assert_false(fake->d3);
	pthread_mutex_lock(&fake->mutex);
	mapping = find_mapping(fake, arguments->h_process, arguments->gpu_virtual_address);
	assert_non_null(mapping);
	assert_ptr_equal(mapping->mem, arguments->mem);
	assert_true(mapping->address == arguments->gpu_virtual_address);
	rf_list_remove(&mapping->link);
	pthread_mutex_unlock(&fake->mutex);
	free(mapping);
	return fake->unmap_fails ? -EIO : 0;
}

/* --- start, caps, processes ---------------------------------------------------------------- */

static int start_device(struct rf_start_device *arguments)
{
	struct fake *fake = fake_of(arguments->bus);
	int ret = fake_enter(fake, FAKE_START_DEVICE);

	if (ret)
		return ret;
	fake->callbacks = arguments->callbacks;
	fake->h_core = arguments->h_core;
	arguments->h_adapter = fake;
	arguments->interrupt_vectors = 1;
	if (!fake->asks)
		return 0;
	ret = fake->callbacks->is_feature_enabled(fake->h_core, RF_FEATURE_NATIVE_FENCE,
						  &fake->feature_result);
	assert_int_equal(ret, 0);
	fake->interface_result = fake->callbacks->query_feature_interface(
		fake->h_core, RF_FEATURE_NATIVE_FENCE, 1, &fake->feature_table,
		sizeof(fake->feature_table));
	if (!fake->interface_result)
		return fake->feature_table.get_os_caps(fake->h_core, &fake->os_caps);
	return 0;
}

static void stop_device(void *h_adapter)
{
	fake_enter(h_adapter, FAKE_STOP_DEVICE);
}

static int query_adapter_info(void *h_adapter, const struct rf_query_adapter_info *arguments)
{
	struct fake *fake = h_adapter;
	struct rf_fence_storage *storage = arguments->output;
	struct rf_node_metadata *node = arguments->output;

	switch (arguments->type) {
	case RF_QUERY_DRIVER_CAPS:
		assert_int_equal(arguments->output_size, sizeof(fake->caps));
		memcpy(arguments->output, &fake->caps, sizeof(fake->caps));
		return 0;
	case RF_QUERY_NATIVE_FENCE_CAPS:
		assert_int_equal(arguments->output_size, sizeof(fake->native_caps));
		memcpy(arguments->output, &fake->native_caps, sizeof(fake->native_caps));
		return 0;
	case RF_QUERY_USER_MODE_SUBMISSION_CAPS:
		assert_int_equal(arguments->output_size, sizeof(fake->submission_caps));
		memcpy(arguments->output, &fake->submission_caps, sizeof(fake->submission_caps));
		return 0;
	case RF_QUERY_NODE_METADATA:
		assert_int_equal(arguments->output_size, sizeof(*node));
		node->flags =
			node->node_ordinal < FAKE_NODE_KERNEL ? RF_NODE_USER_MODE_SUBMISSION : 0;
		return 0;
	case RF_QUERY_FENCE_STORAGE:
		assert_int_equal(arguments->output_size, sizeof(*storage));
		storage->supported_segment_set = fake->storage_segments;
		storage->preferred_segment = RF_MEM_LOCAL;
		return 0;
	}
	return -EINVAL;
}

static int create_process(void *h_adapter, struct rf_create_process *arguments)
{
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_CREATE_PROCESS);

	if (ret)
		return ret;
	if (fake->processes == fake->caps.process_count)
		return -EBUSY;
	fake->processes++;
	arguments->h_process = malloc(1);
	return 0;
}

static int destroy_process(void *h_adapter, const struct rf_destroy_process *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_mapping *mapping;

	fake_enter(fake, FAKE_DESTROY_PROCESS);
	rf_list_for_each(mapping, &fake->mappings, link)
		assert_ptr_not_equal(mapping->h_process, arguments->h_process);
	fake->processes--;
	free(arguments->h_process);
	return fake->end_fails ? -EIO : 0;
}

/* --- fences ---------------------------------------------------------------------------------- */

static int create_fence(void *h_adapter, struct rf_create_native_fence *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_fence *fence;
	int ret = fake_enter(fake, FAKE_CREATE_FENCE);

	if (ret)
		return ret;
	fence = calloc(1, sizeof(*fence));
	fence->core = arguments->h_global_native_fence;
	fence->arguments = *arguments;
	fence->shadow = arguments->monitored_value_system_process_gpu_va
				? fake_monitored(fake, fence)
				: U64_MAX;
	pthread_mutex_lock(&fake->mutex);
	rf_list_insert(&fence->link, &fake->fences);
	pthread_mutex_unlock(&fake->mutex);
	arguments->h_global_native_fence = fence;
	return 0;
}

static int open_fence(void *h_adapter, struct rf_open_native_fence *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_local *local;
	int ret = fake_enter(fake, FAKE_OPEN_FENCE);

	if (fake->during_open)
		fake->during_open((u32)(uintptr_t)arguments->h_local_native_fence, fake->argument);
	if (ret)
		return ret;
	local = calloc(1, sizeof(*local));
	local->fence = arguments->h_global_native_fence;
	assert_false(local->fence->destroyed);
	local->arguments = *arguments;
	local->fence->opens++;
	arguments->h_local_native_fence = local;
	return 0;
}

static int close_fence(void *h_adapter, const struct rf_close_native_fence *arguments)
{
	struct fake_local *local = arguments->h_local_native_fence;

	fake_enter(h_adapter, FAKE_CLOSE_FENCE);
	assert_true(local->fence->opens);
	local->fence->opens--;
	free(local);
	return 0;
}

u64 fake_current(struct fake *fake, struct fake_fence *fence)
{
	u64 value;

	assert_int_equal(fake_gpu_read(fake, NULL,
				       fence->arguments.current_value_system_process_gpu_va,
				       &value),
			 0);
	return value;
}

u64 fake_monitored(struct fake *fake, struct fake_fence *fence)
{
	u64 value;

	assert_int_equal(fake_gpu_read(fake, NULL,
				       fence->arguments.monitored_value_system_process_gpu_va,
				       &value),
			 0);
	return value;
}

static void record(struct fake *fake, struct fake_fence *fence, struct fake_queue *queue)
{
	pthread_mutex_lock(&fake->mutex);
	fake->record_queue = queue;
	fake->records[fake->produced++ % FAKE_RECORDS] = fence->core;
	fake->interrupts_raised++;
	assert_true(fake->produced - fake->consumed <= FAKE_RECORDS);
	pthread_mutex_unlock(&fake->mutex);
	fake_bus_raise(&fake->bus);
}

static void at_point(struct fake *fake, u32 point)
{
	if (fake->during_update)
		fake->during_update(fake, point, fake->argument);
}

static void update_one(struct fake *fake, const struct fake_update *update)
{
	struct fake_fence *fence = update->fence;
	u64 current;

	assert_false(fence->destroyed);
	fake->update_fences++;
	at_point(fake, 0);
	__atomic_store_n(&fence->shadow, update->value, __ATOMIC_SEQ_CST);
	rf_value_write(update->monitored, update->value);
	rf_mb();
	at_point(fake, 1);
	current = fake_current(fake, fence);
	at_point(fake, 2);
	if (!fake->no_device_resample && current > update->value)
		record(fake, fence, NULL);
}

static int update_all(struct fake *fake)
{
	u32 i;

	fake->updating = true;
	for (i = 0; i < fake->updates_taken; i++)
		update_one(fake, &fake->updates[i]);
	at_point(fake, 3);
	fake->updating = false;
	fake->updates_taken = 0;
	fake->refused = 0;
	return 0;
}

static int update_monitored(void *h_adapter, const struct rf_update_monitored_values *arguments)
{
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_UPDATE_MONITORED);
	u32 i;

	if (ret)
		return ret;
	if (fake->updates_taken && !fake->refused++) {
		at_point(fake, FAKE_POINT_REFUSED);
		return -EBUSY;
	}
	if (fake->updates_taken)
		update_all(fake);
	for (i = 0; i < arguments->num_fences; i++)
		fake->updates[fake->updates_taken++] = (struct fake_update){
			.fence = arguments->native_fence_array[i],
			.monitored = arguments->monitored_value_kernel_cpu_va[i],
			.value = arguments->updated_value_array[i],
		};
	if (!fake->late)
		return update_all(fake);
	if (fake->updates_taken)
		at_point(fake, FAKE_POINT_TAKEN);
	return fake->updates_taken ? -EINPROGRESS : 0;
}

/* What was taken is done before a fence ends. */
static void finish_updates(void *argument)
{
	update_all(argument);
}

static int destroy_fence_ddi(void *h_adapter, const struct rf_destroy_native_fence *arguments)
{
	struct fake_fence *fence = arguments->h_global_native_fence;
	struct fake *fake = h_adapter;

	fake_enter(fake, FAKE_DESTROY_FENCE);
	if (fake->late)
		fake->callbacks->synchronize_execution(fake->h_core, finish_updates, fake);
	assert_int_equal(fence->opens, 0);
	assert_false(fence->destroyed);
	fence->destroyed = true;
	return 0;
}

static int update_current(void *h_adapter,
			  const struct rf_update_current_values_from_cpu *arguments)
{
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_UPDATE_CURRENT);
	u32 i;

	if (ret)
		return ret;
	fake->always_signaled |= arguments->flags & RF_UPDATE_ALWAYS_SIGNALED;
	if (arguments->flags & RF_UPDATE_NOTIFICATION_ONLY) {
		fake->notified_fences += arguments->num_fences;
		fake->last_notified = arguments->native_fence_array[0];
		fake_reread_all(fake);
		if (fake->during_notify)
			fake->during_notify(fake, fake->argument);
		return 0;
	}
	for (i = 0; i < arguments->num_fences; i++) {
		struct fake_fence *fence = arguments->native_fence_array[i];

		assert_false(fence->destroyed);
		assert_true(!(arguments->flags & RF_UPDATE_ALWAYS_SIGNALED) ||
			    arguments->updated_value_array[i] == U64_MAX); /* C19 */
		fake->update_current_fences++;
		rf_mb();
		rf_value_write(arguments->current_value_kernel_cpu_va[i],
			       arguments->updated_value_array[i]);
	}
	rf_mb();
	fake_reread_all(fake);
	return 0;
}

/* --- contexts and residence ---------------------------------------------------------------------- */

/* fake->mutex held; raise after. */
static void report(struct fake *fake, const struct rf_notify_interrupt_data *data)
{
	assert_true(fake->reported - fake->told < FAKE_REPORTS);
	fake->reports[fake->reported++ % FAKE_REPORTS] = *data;
}

void fake_make_report(struct fake *fake, const struct rf_notify_interrupt_data *data)
{
	pthread_mutex_lock(&fake->mutex);
	report(fake, data);
	pthread_mutex_unlock(&fake->mutex);
}

void fake_report(struct fake *fake, const struct rf_notify_interrupt_data *data)
{
	fake_make_report(fake, data);
	fake_bus_raise(&fake->bus);
}

/* Objects that no longer exist are not reported. fake->mutex held. */
static void forget_reports(struct fake *fake, const void *object)
{
	u32 i;

	for (i = fake->told; i != fake->reported; i++) {
		struct rf_notify_interrupt_data *data = &fake->reports[i % FAKE_REPORTS];

		/* the object comes first in all of them */
		if (data->hw_queue_yield.yielding_hw_queue == object)
			data->interrupt_type = (enum rf_interrupt_type)0;
	}
}

static int create_context(void *h_adapter, struct rf_create_hw_context *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_context *context;
	int ret = fake_enter(fake, FAKE_CREATE_CONTEXT);

	if (ret)
		return ret;
	context = calloc(1, sizeof(*context));
	context->arguments = *arguments;
	pthread_mutex_lock(&fake->mutex);
	rf_list_insert(&context->link, &fake->contexts);
	pthread_mutex_unlock(&fake->mutex);
	arguments->h_hw_context = context;
	return 0;
}

static void destroy_context(void *h_adapter, const struct rf_destroy_hw_context *arguments)
{
	struct fake_context *context = arguments->h_hw_context;
	struct fake *fake = h_adapter;
	struct fake_queue *queue;

	fake_enter(fake, FAKE_DESTROY_CONTEXT);
	pthread_mutex_lock(&fake->mutex);
	rf_list_for_each(queue, &fake->queues, link)
		assert_ptr_not_equal(queue->context, context);
	rf_list_remove(&context->link);
	forget_reports(fake, context);
	pthread_mutex_unlock(&fake->mutex);
	free(context);
}

static u32 count_residents(struct fake *fake, const struct fake_context *context)
{
	struct fake_queue *queue;
	u32 count = 0;

	rf_list_for_each(queue, &fake->queues, link)
		count += (!context || queue->context == context) &&
			 (queue->resident || queue->leaving);
	return count;
}

static void report_preempted(struct fake *fake, struct fake_queue *queue, struct fake_fence *fence,
			     u64 value)
{
	assert_true(queue->leaving);
	queue->leaving = false;
	report(fake, &(struct rf_notify_interrupt_data){
			     .interrupt_type = RF_INTERRUPT_HWQUEUE_PREEMPTED,
			     .hw_queue_preempted = {
				     .preempted_hw_queue = queue,
				     .is_waiting = fence,
				     .h_native_fence = fence ? fence->core : NULL,
				     .value = value,
			     },
		     });
}

static void report_acknowledged(struct fake *fake, struct fake_context *context, u64 suspend_fence)
{
	context->acknowledged = suspend_fence;
	report(fake, &(struct rf_notify_interrupt_data){
			     .interrupt_type = RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED,
			     .suspend_context_completed = { context, suspend_fence },
		     });
}

/* No queue leaves the node until the test says so. */
static bool is_held(const struct fake *fake, const struct fake_context *context)
{
	return fake->hold_preempted || fake_is_stuck(fake, context->arguments.node_ordinal);
}

static void leave(struct fake *fake, struct fake_queue *queue)
{
	queue->resident = false;
	queue->leaving = true;
	if (!is_held(fake, queue->context))
		report_preempted(fake, queue, NULL, 0);
}

static int suspend_context(void *h_adapter, const struct rf_suspend_context *arguments)
{
	struct fake_context *context = arguments->h_hw_context;
	struct fake *fake = h_adapter;
	struct fake_queue *queue;
	int ret = fake_enter(fake, FAKE_SUSPEND);

	if (ret)
		return ret;
	pthread_mutex_lock(&fake->mutex);
	assert_true(arguments->context_suspend_fence > context->suspend_fence);
	context->suspend_fence = arguments->context_suspend_fence;
	context->suspended = true;
	if (count_residents(fake, context)) {
		rf_list_for_each(queue, &fake->queues, link)
			if (queue->context == context && queue->resident)
				leave(fake, queue);
		if (!is_held(fake, context))
			report_acknowledged(fake, context, context->suspend_fence);
		ret = -EINPROGRESS;
	} else {
		context->acknowledged = context->suspend_fence;
	}
	pthread_mutex_unlock(&fake->mutex);
	if (ret && !fake->hold_preempted)
		fake_bus_raise(&fake->bus);
	return ret;
}

static void resume_context(void *h_adapter, const struct rf_resume_context *arguments)
{
	struct fake_context *context = arguments->h_hw_context;
	struct fake *fake = h_adapter;

	fake_enter(fake, FAKE_RESUME_CONTEXT);
	pthread_mutex_lock(&fake->mutex);
	context->suspended = false;
	pthread_mutex_unlock(&fake->mutex);
}

static u64 written(const struct fake_queue *queue)
{
	if (!queue->doorbell)
		return 0;
	return rf_value_read(queue->doorbell->arguments.ring_buffer_control_cpu_va);
}

void fake_sample(struct fake_queue *queue)
{
	if (written(queue) > queue->seen)
		queue->seen = written(queue);
}

static int make_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_ENTER);

	if (ret)
		return ret;
	pthread_mutex_lock(&fake->mutex);
	assert_false(queue->resident);
	assert_false(queue->leaving);
	assert_false(queue->context->suspended);
	assert_false(fake->f1 & 1u << queue->context->arguments.node_ordinal);
	assert_true(queue->doorbell ||
		    !(queue->arguments.flags & RF_HW_QUEUE_USER_MODE_SUBMISSION));
	if (count_residents(fake, NULL) >= fake->residents_max) {
		ret = -EBUSY;
	} else if (fake->late && !queue->refused) {
		queue->refused = true;
		ret = -EINPROGRESS;
	} else {
		queue->refused = false;
		arguments->is_busy = fake->late;
		fake_sample(queue);
		queue->resident = true;
	}
	pthread_mutex_unlock(&fake->mutex);
	return ret;
}

static void evict(void *h_adapter, const struct rf_evict_hw_queue *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;
	struct fake *fake = h_adapter;

	fake_enter(fake, FAKE_EVICT);
	pthread_mutex_lock(&fake->mutex);
	assert_true(queue->resident);
	leave(fake, queue);
	pthread_mutex_unlock(&fake->mutex);
	if (!fake->hold_preempted)
		fake_bus_raise(&fake->bus);
}

static void rearm(void *h_adapter, const struct rf_rearm_hw_queue *arguments)
{
	const struct fake_queue *queue = arguments->h_hw_queue;

	fake_enter(h_adapter, FAKE_REARM);
	assert_true(queue->resident);
}

static void query_work(void *h_adapter, struct rf_query_hw_queue_work *arguments)
{
	const struct fake_queue *queue = arguments->h_hw_queue;
	struct fake *fake = h_adapter;

	pthread_mutex_lock(&fake->mutex);
	assert_false(fake->d3);
	fake->queries++;
	arguments->has_work = queue->has_work || queue->submitted != queue->completed ||
			      written(queue) > queue->seen;
	pthread_mutex_unlock(&fake->mutex);
}

static void report_yield(struct fake *fake, struct fake_queue *queue, enum rf_yield_kind kind)
{
	assert_true(queue->resident);
	report(fake, &(struct rf_notify_interrupt_data){
			     .interrupt_type = RF_INTERRUPT_HWQUEUE_YIELD,
			     .hw_queue_yield = { queue, kind },
		     });
}

void fake_yield(struct fake *fake, struct fake_queue *queue, enum rf_yield_kind kind)
{
	pthread_mutex_lock(&fake->mutex);
	report_yield(fake, queue, kind);
	pthread_mutex_unlock(&fake->mutex);
	fake_bus_raise(&fake->bus);
}

void fake_preempted(struct fake *fake, struct fake_queue *queue, struct fake_fence *fence,
		    u64 value)
{
	pthread_mutex_lock(&fake->mutex);
	report_preempted(fake, queue, fence, value);
	pthread_mutex_unlock(&fake->mutex);
	fake_bus_raise(&fake->bus);
}

void fake_ring(struct fake *fake, struct fake_queue *queue)
{
	bool resident;

	pthread_mutex_lock(&fake->mutex);
	queue->has_work = true;
	resident = queue->resident;
	if (!resident)
		report(fake, &(struct rf_notify_interrupt_data){
				     .interrupt_type = RF_INTERRUPT_HWQUEUE_WORK,
				     .hw_queue_work = { queue },
			     });
	pthread_mutex_unlock(&fake->mutex);
	if (!resident)
		fake_bus_raise(&fake->bus);
}

void fake_acknowledge(struct fake *fake, struct fake_context *context, u64 suspend_fence)
{
	pthread_mutex_lock(&fake->mutex);
	report_acknowledged(fake, context, suspend_fence);
	pthread_mutex_unlock(&fake->mutex);
	fake_bus_raise(&fake->bus);
}

bool fake_step(struct fake *fake, u32 choice)
{
	struct fake_context *context;
	struct fake_queue *queue;
	bool busy = false, any = false;
	u32 i = 0;

	pthread_mutex_lock(&fake->mutex);
	rf_list_for_each(queue, &fake->queues, link) {
		busy |= queue->has_work || queue->leaving;
		if (i++ % 4 != choice % 4 || fake->reported - fake->told > FAKE_REPORTS / 2)
			continue;
		if (queue->leaving) {
			report_preempted(fake, queue, NULL, 0);
			any = true;
		} else if (queue->resident) {
			queue->has_work = queue->has_work && choice % 8 > 4;
			report_yield(fake, queue,
				     queue->has_work ? RF_YIELD_QUANTUM : RF_YIELD_IDLE);
			any = true;
		}
	}
	rf_list_for_each(context, &fake->contexts, link) {
		if (context->acknowledged == context->suspend_fence ||
		    count_residents(fake, context))
			continue;
		report_acknowledged(fake, context, context->suspend_fence);
		any = true;
	}
	pthread_mutex_unlock(&fake->mutex);
	if (any)
		fake_bus_raise(&fake->bus);
	return busy;
}

/* --- queues and logs ---------------------------------------------------------------------------- */

static int create_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_queue *queue;
	int ret = fake_enter(fake, FAKE_CREATE_QUEUE);

	if (ret)
		return ret;
	queue = calloc(1, sizeof(*queue));
	queue->arguments = *arguments;
	queue->context = arguments->h_hw_context;
	pthread_mutex_lock(&fake->mutex);
	rf_list_insert(&queue->link, &fake->queues);
	pthread_mutex_unlock(&fake->mutex);
	arguments->h_hw_queue = queue;
	return 0;
}

static void destroy_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;
	struct fake *fake = h_adapter;

	fake_enter(fake, FAKE_DESTROY_QUEUE);
	assert_null(queue->doorbell);
	pthread_mutex_lock(&fake->mutex);
	rf_list_remove(&queue->link);
	forget_reports(fake, queue);
	pthread_mutex_unlock(&fake->mutex);
	free(queue);
}

static int submit(void *h_adapter, const struct rf_submit_command_to_hw_queue *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;
	int ret = fake_enter(h_adapter, FAKE_SUBMIT);

	if (ret)
		return ret;
	assert_false(queue->arguments.flags & RF_HW_QUEUE_USER_MODE_SUBMISSION);
	if (queue->submitted - queue->completed == FAKE_RING)
		return -EAGAIN;
	queue->ring[queue->submitted++ % FAKE_RING] = *arguments;
	return 0;
}

static void resume(void *h_adapter, const struct rf_resume_hw_queue *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;

	fake_enter(h_adapter, FAKE_RESUME);
	assert_true(queue->stopped);
	queue->stopped = false;
}

void fake_stop(struct fake *fake, struct fake_queue *queue, enum rf_stop_reason reason,
	       u64 argument, u64 value)
{
	assert_false(queue->stopped);
	queue->stopped = true;
	fake->stop_queue = queue;
	fake->stop_reason = reason;
	fake->stop_argument = argument;
	fake->stop_value = value;
	fake_bus_raise(&fake->bus);
}

void fake_complete(struct fake *fake, struct fake_queue *queue)
{
	u64 value;

	assert_true(queue->submitted != queue->completed);
	value = queue->ring[queue->completed++ % FAKE_RING].hw_queue_progress_fence_id;
	if (queue->arguments.flags & RF_HW_QUEUE_NATIVE_PROGRESS_FENCE)
		fake_signal(fake, queue->arguments.h_hw_queue_native_progress_fence, value);
	else
		fake_store_and_interrupt(fake, queue->context->arguments.h_process,
					 queue->arguments.hw_queue_progress_fence_gpu_va, value);
}

void fake_store(struct fake *fake, void *h_process, u64 address, u64 value)
{
	assert_int_equal(fake_gpu_write(fake, h_process, address, value), 0);
}

void fake_store_and_interrupt(struct fake *fake, void *h_process, u64 address, u64 value)
{
	fake_store(fake, h_process, address, value);
	fake->monitored_signaled = true;
	if (fake->report != FAKE_REPORT_NOTHING)
		fake_bus_raise(&fake->bus);
}

static int set_log(void *h_adapter, const struct rf_set_native_fence_log_buffer *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;
	int ret = fake_enter(h_adapter, FAKE_SET_LOG);
	struct rf_mem *mem = arguments->log_buffer_cpu_va.mem;

	if (ret)
		return ret;
	assert_true(queue->arguments.flags & RF_HW_QUEUE_USER_MODE_SUBMISSION);
	assert_true(arguments->log_type == RF_LOG_TYPE_WAITS ||
		    arguments->log_type == RF_LOG_TYPE_SIGNALS);
	if (!((struct fake *)h_adapter)->scribbled) {
		assert_int_equal(rf_mem_read64(mem, 0), 0);
		assert_int_equal((u32)rf_mem_read64(mem, offsetof(struct rf_log_header, type)),
				 arguments->log_type);
		assert_int_equal(
			rf_mem_read64(mem, offsetof(struct rf_log_header, number_of_entries)),
			arguments->number_of_entries);
	}
	queue->logs[arguments->log_type - 1].arguments = *arguments;
	return 0;
}

static int update_logs(void *h_adapter, const struct rf_update_native_fence_logs *arguments)
{
	assert_true(arguments->number_of_queues);
	return fake_enter(h_adapter, FAKE_UPDATE_LOGS);
}

void fake_log_set_word(struct fake_queue *queue, u32 type, u64 word)
{
	rf_mb();
	rf_mem_write64(queue->logs[type - 1].arguments.log_buffer_cpu_va.mem, 0, word);
}

void fake_log_append(struct fake *fake, struct fake_queue *queue, u32 type, u32 handle, u64 value,
		     u64 observed)
{
	struct rf_set_native_fence_log_buffer *log = &queue->logs[type - 1].arguments;
	struct rf_mem *mem = log->log_buffer_cpu_va.mem;
	u64 word = rf_mem_read64(mem, 0);
	u32 index = (u32)word;
	u64 entry = RF_LOG_HEADER_BYTES + (u64)index * RF_LOG_ENTRY_BYTES;
	u32 operation = type == RF_LOG_TYPE_WAITS ? RF_LOG_OPERATION_WAIT_UNBLOCKED
						  : RF_LOG_OPERATION_SIGNAL_EXECUTED;

	rf_mem_write64(mem, entry + offsetof(struct rf_log_entry, fence_value), value);
	rf_mem_write64(mem, entry + offsetof(struct rf_log_entry, fence_handle),
		       (u64)operation << 32 | handle);
	rf_mem_write64(mem, entry + offsetof(struct rf_log_entry, fence_observed_gpu_timestamp),
		       observed);
	rf_mem_write64(mem, entry + offsetof(struct rf_log_entry, fence_end_gpu_timestamp),
		       ++fake->time);
	word = index + 1 == log->number_of_entries ? ((word >> 32) + 1) << 32 : word + 1;
	fake_log_set_word(queue, type, word);
}

/* --- signals -------------------------------------------------------------------------------------- */

void fake_signal_step(struct fake *fake, struct fake_signal *signal)
{
	struct fake_fence *fence = signal->fence;

	switch (signal->step++) {
	case 0:
		assert_int_equal(
			fake_gpu_write(fake, NULL,
				       fence->arguments.current_value_system_process_gpu_va,
				       signal->value),
			0);
		fake_written(
			fake,
			fake_physical(fake, fence->arguments.current_value_system_process_gpu_va));
		break;
	case 1:
		if (signal->queue)
			fake_log_append(fake, signal->queue, RF_LOG_TYPE_SIGNALS,
					signal->user_handle, signal->value, 0);
		break;
	case 2:
		rf_mb();
		signal->monitored = __atomic_load_n(&fence->shadow, __ATOMIC_SEQ_CST);
		break;
	case 3:
		if (signal->value > signal->monitored)
			record(fake, fence, signal->queue);
		break;
	}
}

void fake_signal(struct fake *fake, struct fake_fence *fence, u64 value)
{
	fake_signal_logged(fake, NULL, fence, 0, value);
}

void fake_signal_logged(struct fake *fake, struct fake_queue *queue, struct fake_fence *fence,
			u32 user_handle, u64 value)
{
	struct fake_signal signal = {
		.fence = fence,
		.queue = queue,
		.user_handle = user_handle,
		.value = value,
	};

	while (signal.step < FAKE_SIGNAL_STEPS)
		fake_signal_step(fake, &signal);
}

struct fake_fence *fake_last_fence(struct fake *fake)
{
	assert_false(rf_list_empty(&fake->fences));
	return rf_list_entry(fake->fences.prev, struct fake_fence, link);
}

struct fake_queue *fake_last_queue(struct fake *fake)
{
	assert_false(rf_list_empty(&fake->queues));
	return rf_list_entry(fake->queues.prev, struct fake_queue, link);
}

void fake_fault(struct fake *fake, struct fake_queue *queue, u32 error, u64 address)
{
	fake->fault_queue = queue;
	fake->fault_error = error;
	fake->fault_address = address;
	fake_bus_raise(&fake->bus);
}

void fake_report_handle(struct fake *fake, void *core)
{
	fake->records[fake->produced++ % FAKE_RECORDS] = core;
	fake_bus_raise(&fake->bus);
}

/* --- interrupts ------------------------------------------------------------------------------------- */

static void notify_fences(struct fake *fake)
{
	const bool optimized =
		fake->caps.scheduling_caps & RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_NATIVE_FENCE_SIGNALED,
	};
	void *handles[FAKE_RECORDS];
	u32 count = 0;

	pthread_mutex_lock(&fake->mutex);
	while (fake->consumed != fake->produced)
		handles[count++] = fake->records[fake->consumed++ % FAKE_RECORDS];
	pthread_mutex_unlock(&fake->mutex);
	if (!count || fake->report == FAKE_REPORT_NOTHING)
		return;
	if (optimized) {
		data.native_fence_signaled.h_hw_queue =
			fake->report == FAKE_REPORT_NULL ? NULL : fake->record_queue;
	} else if (fake->report == FAKE_REPORT_EXACT) {
		data.native_fence_signaled.signaled_native_fence_array = handles;
		data.native_fence_signaled.signaled_native_fence_count = count;
	} else if (fake->report == FAKE_REPORT_LEGACY) {
		data.flags = RF_INTERRUPT_EVALUATE_LEGACY_MONITORED_FENCES;
	}
	fake->callbacks->notify_interrupt(fake->h_core, &data);
}

/* Hardware that cannot tell the two kinds apart says so by the flag (S0-71). */
static void notify_monitored(struct fake *fake)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_MONITORED_FENCE_SIGNALED,
	};

	if (fake->report == FAKE_REPORT_LEGACY) {
		data.interrupt_type = RF_INTERRUPT_NATIVE_FENCE_SIGNALED;
		data.flags = RF_INTERRUPT_EVALUATE_LEGACY_MONITORED_FENCES;
	} else if (fake->report == FAKE_REPORT_NULL) {
		data.interrupt_type = RF_INTERRUPT_NATIVE_FENCE_SIGNALED;
	}
	fake->callbacks->notify_interrupt(fake->h_core, &data);
}

static void tell_reports(struct fake *fake)
{
	struct rf_notify_interrupt_data data;
	bool any;

	for (;;) {
		pthread_mutex_lock(&fake->mutex);
		any = fake->told != fake->reported;
		if (any)
			data = fake->reports[fake->told++ % FAKE_REPORTS];
		pthread_mutex_unlock(&fake->mutex);
		if (!any)
			return;
		if (data.interrupt_type == RF_INTERRUPT_DMA_COMPLETED &&
		    data.dma_completed.node_ordinal < FAKE_NODES)
			fake->nodes[data.dma_completed.node_ordinal].reported =
				data.dma_completed.submission_fence_id;
		if (data.interrupt_type)
			fake->callbacks->notify_interrupt(fake->h_core, &data);
	}
}

static bool interrupt_routine(void *h_adapter, u32 message_number)
{
	struct fake *fake = h_adapter;

	assert_int_equal(message_number, 0);
	if (fake->updating)
		fake->isr_while_updating++;
	notify_fences(fake);
	tell_reports(fake);
	if (fake->monitored_signaled)
		notify_monitored(fake);
	fake->monitored_signaled = false;
	if (fake->stop_queue) {
		const struct rf_notify_interrupt_data data = {
			.interrupt_type = RF_INTERRUPT_HWQUEUE_STOPPED,
			.hw_queue_stopped = {
				.stopped_hw_queue = fake->stop_queue,
				.reason = fake->stop_reason,
				.argument = fake->stop_argument,
				.value = fake->stop_value,
			},
		};

		fake->stop_queue = NULL;
		fake->callbacks->notify_interrupt(fake->h_core, &data);
	}
	if (fake->fault_queue) {
		const struct rf_notify_interrupt_data data = {
			.interrupt_type = RF_INTERRUPT_HWQUEUE_PAGE_FAULTED,
			.hw_queue_page_faulted = {
				.faulted_hw_queue = fake->fault_queue,
				.faulted_virtual_address = fake->fault_address,
				.fault_error_code = fake->fault_error,
			},
		};

		fake->callbacks->notify_interrupt(fake->h_core, &data);
		fake->fault_queue = NULL;
	}
	fake->callbacks->queue_dpc(fake->h_core);
	return true;
}

static void dpc_routine(void *h_adapter)
{
	(void)h_adapter;
}

/* --- doorbells ----------------------------------------------------------------------------------------- */

static int create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments)
{
	struct fake_doorbell *doorbell;
	int ret = fake_enter(h_adapter, FAKE_CREATE_DOORBELL);

	if (ret)
		return ret;
	doorbell = calloc(1, sizeof(*doorbell));
	doorbell->queue = arguments->h_hw_queue;
	doorbell->queue->doorbell = doorbell;
	doorbell->arguments = *arguments;
	doorbell->physical = -1;
	arguments->h_doorbell = doorbell;
	return 0;
}

void fake_unbind(struct fake *fake, struct fake_queue *queue)
{
	struct fake_doorbell *doorbell = queue->doorbell;

	pthread_mutex_lock(&fake->mutex);
	if (doorbell->physical >= 0) {
		fake->physical[doorbell->physical] = NULL;
		doorbell->physical = -1;
		queue->resampled++;
		if (queue->resident)
			fake_sample(queue);
	}
	pthread_mutex_unlock(&fake->mutex);
}

int fake_victimize(struct fake *fake, struct fake_queue *queue, enum rf_doorbell_status reason)
{
	struct fake_doorbell *doorbell = queue->doorbell;
	const struct rf_disconnect_doorbell_callback arguments = {
		.h_hw_queue = queue,
		.h_doorbell = doorbell,
		.disconnect_reason = reason,
	};
	int ret = fake->callbacks->disconnect_doorbell(fake->h_core, &arguments);

	if (!ret)
		fake_unbind(fake, queue);
	return ret;
}

static int connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments)
{
	struct fake_doorbell *doorbell = arguments->h_doorbell;
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_CONNECT_DOORBELL);
	int i;

	if (ret)
		return ret;
	assert_false(fake->f1 & 1u << doorbell->queue->context->arguments.node_ordinal);
	/* taken back by the callback, not unbound yet */
	fake_unbind(fake, doorbell->queue);
	pthread_mutex_lock(&fake->mutex);
	for (i = 0; i < FAKE_PHYSICAL_DOORBELLS; i++)
		if (!fake->physical[i])
			break;
	pthread_mutex_unlock(&fake->mutex);
	if (i == FAKE_PHYSICAL_DOORBELLS) {
		/* from inside the connect_doorbell of another (S3-53) */
		i = 0;
		assert_int_equal(fake_victimize(fake, fake->physical[0]->queue,
						RF_DOORBELL_DISCONNECTED_RETRY),
				 0);
	}
	pthread_mutex_lock(&fake->mutex);
	fake->physical[i] = doorbell;
	doorbell->physical = i;
	pthread_mutex_unlock(&fake->mutex);
	arguments->doorbell_offset = FAKE_DOORBELL_BASE + (u64)i * 4096;
	arguments->doorbell_token = 0;
	arguments->status =
		fake->notify_status ? RF_DOORBELL_CONNECTED_NOTIFY_KMD : RF_DOORBELL_CONNECTED;
	if (fake->during_disconnect)
		fake->during_disconnect(fake, fake->argument);
	return 0;
}

static void disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments)
{
	struct fake_doorbell *doorbell = arguments->h_doorbell;
	struct fake *fake = h_adapter;

	fake_enter(fake, FAKE_DISCONNECT_DOORBELL);
	assert_true(doorbell->physical >= 0);
	fake->physical[doorbell->physical] = NULL;
	doorbell->physical = -1;
	doorbell->queue->resampled++;
	if (doorbell->queue->resident)
		fake_sample(doorbell->queue);
}

static void destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments)
{
	struct fake_doorbell *doorbell = arguments->h_doorbell;

	fake_enter(h_adapter, FAKE_DESTROY_DOORBELL);
	assert_int_equal(doorbell->physical, -1);
	doorbell->queue->doorbell = NULL;
	free(doorbell);
}

static void notify_work(void *h_adapter, const struct rf_notify_work_submission *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;

	fake_enter(h_adapter, FAKE_NOTIFY);
	queue->notified++;
}

/* --- power ---------------------------------------------------------------------------------------------- */

void fake_engine_state(struct fake *fake, u32 node, enum rf_engine_state state)
{
	fake_report(fake,
		    &(struct rf_notify_interrupt_data){
			    .interrupt_type = RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
			    .engine_state_change = { .node_ordinal = node, .new_state = state },
		    });
}

static void tell_idle(void *context)
{
	struct fake *fake = context;
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
		.engine_state_change.new_state = RF_ENGINE_TRANSITION_TO_F1,
	};
	u32 node;

	for (node = 0; node < FAKE_NODES; node++) {
		data.engine_state_change.node_ordinal = node;
		if (fake->idle & 1u << node)
			fake->callbacks->notify_interrupt(fake->h_core, &data);
	}
	fake->callbacks->queue_dpc(fake->h_core);
}

static void look_for_idle(void *h_adapter)
{
	struct fake *fake = h_adapter;

	assert_false(fake->d3);
	fake->callbacks->synchronize_execution(fake->h_core, tell_idle, fake);
}

/* The DDI guarantees that no queue is on the engine or can get there. */
static void check_engine(struct fake *fake, u32 node)
{
	struct fake_queue *queue;

	assert_int_equal(fake->nodes[node].count, 0);
	rf_list_for_each(queue, &fake->queues, link) {
		if (queue->context->arguments.node_ordinal != node)
			continue;
		assert_false(queue->resident || queue->leaving);
		assert_true(!queue->doorbell || queue->doorbell->physical < 0);
	}
}

static int set_f_state(void *h_adapter, const struct rf_set_power_component_f_state *arguments)
{
	struct fake *fake = h_adapter;
	u32 node = 1u << arguments->component_index;
	int ret = fake_enter(fake, arguments->f_state ? FAKE_F1 : FAKE_F0);

	assert_true(arguments->component_index < FAKE_NODES && arguments->f_state <= 1);
	assert_int_equal(!!(fake->f1 & node), !arguments->f_state);
	if (ret)
		return ret;
	if (arguments->f_state)
		check_engine(fake, arguments->component_index);
	fake->f1 ^= node;
	return 0;
}

static int set_power(void *h_adapter, const struct rf_set_power_state *arguments)
{
	struct fake *fake = h_adapter;
	bool d3 = arguments->device_power_state == RF_DEVICE_D3;
	int ret = fake_enter(fake, d3 ? FAKE_D3 : FAKE_D0);
	struct fake_context *context;
	u32 i;

	assert_int_equal(fake->d3, !d3);
	fake->d3 = d3; /* if it fails to come back, it says yes to everything */
	if (ret)
		return ret;
	if (!d3)
		return 0;
	assert_int_equal(count_residents(fake, NULL), 0);
	rf_list_for_each(context, &fake->contexts, link)
		assert_true(context->suspended);
	for (i = 0; i < FAKE_PHYSICAL_DOORBELLS; i++)
		assert_null(fake->physical[i]);
	for (i = 0; i < FAKE_NODES; i++)
		assert_true(!fake->nodes[i].count && !fake->nodes[i].current);
	/* S3-43: local memory is lost, and all in it is safe */
	memset(fake->bus.local, 0xee, sizeof(fake->bus.local));
	fake_peers_reset(fake);
	return 0;
}

const struct rf_ddi fake_ddi = {
	.start_device = start_device,
	.stop_device = stop_device,
	.query_adapter_info = query_adapter_info,
	.create_process = create_process,
	.destroy_process = destroy_process,
	.map_gpu_virtual_address = map_gpu,
	.replace_gpu_page = replace_gpu,
	.unmap_gpu_virtual_address = unmap_gpu,
	.create_native_fence = create_fence,
	.open_native_fence = open_fence,
	.close_native_fence = close_fence,
	.destroy_native_fence = destroy_fence_ddi,
	.update_monitored_values = update_monitored,
	.update_current_values_from_cpu = update_current,
	.set_peer_region = fake_set_peer_region,
	.connect_peer = fake_connect_peer,
	.disconnect_peer = fake_disconnect_peer,
	.set_peer_fence = fake_set_peer_fence,
	.create_hw_context = create_context,
	.destroy_hw_context = destroy_context,
	.suspend_context = suspend_context,
	.resume_context = resume_context,
	.make_hw_queue_resident = make_resident,
	.evict_hw_queue = evict,
	.rearm_hw_queue = rearm,
	.query_hw_queue_work = query_work,
	.create_hw_queue = create_queue,
	.destroy_hw_queue = destroy_queue,
	.submit_command_to_hw_queue = submit,
	.resume_hw_queue = resume,
	.create_context = fake_create_context,
	.destroy_context = fake_destroy_context,
	.submit_command = fake_submit_command,
	.preempt_command = fake_preempt_command,
	.build_paging_buffer = fake_build_paging_buffer,
	.render = fake_render,
	.patch = fake_patch,
	.set_native_fence_log_buffer = set_log,
	.update_native_fence_logs = update_logs,
	.create_doorbell = create_doorbell,
	.connect_doorbell = connect_doorbell,
	.disconnect_doorbell = disconnect_doorbell,
	.destroy_doorbell = destroy_doorbell,
	.notify_work_submission = notify_work,
	.look_for_idle = look_for_idle,
	.set_power_component_f_state = set_f_state,
	.set_power_state = set_power,
	.query_engine_status = fake_query_engine_status,
	.query_dependent_engine_group = fake_query_dependent_engine_group,
	.reset_engine = fake_reset_engine,
	.reset_hw_engine = fake_reset_hw_engine,
	.resume_hw_engine = fake_resume_hw_engine,
	.reset_from_timeout = fake_reset_from_timeout,
	.restart_from_timeout = fake_restart_from_timeout,
	.interrupt_routine = interrupt_routine,
	.dpc_routine = dpc_routine,
};

void fake_init(struct fake *fake)
{
	memset(fake, 0, sizeof(*fake));
	fake_bus_init(&fake->bus);
	pthread_mutex_init(&fake->mutex, NULL);
	rf_list_init(&fake->mappings);
	rf_list_init(&fake->fences);
	rf_list_init(&fake->queues);
	rf_list_init(&fake->contexts);
	rf_list_init(&fake->packet_contexts);
	fake->context_segments = 1u << RF_MEM_LOCAL | 1u << RF_MEM_SYSTEM;
	fake->eviction_segments = 1u << RF_MEM_SYSTEM;
	fake->render_words = 64;
	fake->residents_max = FAKE_SLOTS;
	fake->next_address = 0x100000;
	fake->caps = (struct rf_driver_caps){
		.scheduling_caps = RF_VIDSCH_NATIVE_GPU_FENCE | RF_VIDSCH_MULTI_ENGINE_AWARE |
				   RF_VIDSCH_PREEMPTION_AWARE |
				   4u << RF_VIDSCH_HW_QUEUE_PACKET_CAP_SHIFT,
		.preemption_caps = { RF_GRAPHICS_PREEMPTION_PRIMITIVE_BOUNDARY,
				     RF_COMPUTE_PREEMPTION_DISPATCH_BOUNDARY },
		.support_per_engine_tdr = true,
		.node_count = FAKE_NODES,
		.paging_node = FAKE_NODE_PAGING,
		.process_count = FAKE_PROCESSES,
		.hw_queue_slots = FAKE_SLOTS,
		.local_memory_bytes = FAKE_LOCAL_BYTES,
		.timestamp_frequency = 125000000,
	};
	fake->native_caps = (struct rf_native_fence_caps){
		.monitored_value_stride = 64,
		.map_to_gpu_system_process = true,
	};
	fake->submission_caps = (struct rf_user_mode_submission_caps){
		.doorbell_size_in_bytes = 8,
		.doorbell_count = FAKE_PHYSICAL_DOORBELLS,
	};
	fake->asks = true;
	fake->storage_segments = 1u << RF_MEM_SYSTEM | 1u << RF_MEM_LOCAL;
	fake->fail = FAKE_CALLS;
}

void fake_destroy(struct fake *fake)
{
	assert_true(rf_list_empty(&fake->mappings));
	assert_true(rf_list_empty(&fake->queues));
	assert_true(rf_list_empty(&fake->contexts));
	assert_true(rf_list_empty(&fake->packet_contexts));
	assert_int_equal(fake->processes, 0);
	assert_int_equal(fake->isr_while_updating, 0);
	while (!rf_list_empty(&fake->fences)) {
		struct fake_fence *fence = rf_list_first(&fake->fences, struct fake_fence, link);

		assert_true(fence->destroyed);
		rf_list_remove(&fence->link);
		free(fence);
	}
	pthread_mutex_destroy(&fake->mutex);
	fake_bus_destroy(&fake->bus);
}
