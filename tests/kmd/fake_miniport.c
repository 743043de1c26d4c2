// SPDX-License-Identifier: Apache-2.0
/* A miniport without a device; see fake.h. */
#include <string.h>

#include "fake.h"

/* The call is noted, and fails if the test wants it to. */
static int enter(struct fake *fake, enum fake_call call)
{
	pthread_mutex_lock(&fake->mutex);
	fake->diary[fake->diary_length++ % ARRAY_SIZE(fake->diary)] = call;
	fake->calls[call]++;
	pthread_mutex_unlock(&fake->mutex);
	return fake->fail == call ? -EIO : 0;
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

int fake_gpu_write(struct fake *fake, void *h_process, u64 address, u64 value)
{
	struct fake_mapping *mapping;
	int ret = -EFAULT;

	pthread_mutex_lock(&fake->mutex);
	mapping = find_mapping(fake, h_process, address);
	if (mapping && !(mapping->flags & RF_MAP_READ_ONLY)) {
		rf_mb();
		if (fake->caps.scheduling_caps & RF_VIDSCH_NO_64_BIT_ATOMICS) {
			u64 old = rf_mem_read64(mapping->mem, address - mapping->address);

			value = (old & ~(u64)U32_MAX) | (u32)value;
		}
		rf_mem_write64(mapping->mem, address - mapping->address, value);
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
		*value = rf_mem_read64(mapping->mem, address - mapping->address);
		ret = 0;
	}
	pthread_mutex_unlock(&fake->mutex);
	return ret;
}

static int map_gpu(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	struct fake_mapping *mapping = calloc(1, sizeof(*mapping));
	struct fake *fake = h_adapter;

	assert_true(arguments->mem->kind == RF_MEM_SYSTEM || arguments->mem->kind == RF_MEM_LOCAL);
	mapping->h_process = arguments->h_process;
	mapping->mem = arguments->mem;
	mapping->flags = arguments->flags;
	pthread_mutex_lock(&fake->mutex);
	mapping->address = fake->next_address;
	fake->next_address += mapping->mem->bytes + 4096;
	rf_list_insert(&mapping->link, &fake->mappings);
	pthread_mutex_unlock(&fake->mutex);
	arguments->gpu_virtual_address = mapping->address;
	return 0;
}

static void unmap_gpu(void *h_adapter, const struct rf_unmap_gpu_virtual_address *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_mapping *mapping;

	pthread_mutex_lock(&fake->mutex);
	mapping = find_mapping(fake, arguments->h_process, arguments->gpu_virtual_address);
	assert_non_null(mapping);
	assert_ptr_equal(mapping->mem, arguments->mem);
	assert_true(mapping->address == arguments->gpu_virtual_address);
	rf_list_remove(&mapping->link);
	pthread_mutex_unlock(&fake->mutex);
	free(mapping);
}

/* --- start, caps, processes ---------------------------------------------------------------- */

static int start_device(struct rf_start_device *arguments)
{
	struct fake *fake = fake_of(arguments->bus);
	int ret = enter(fake, FAKE_START_DEVICE);

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
	enter(h_adapter, FAKE_STOP_DEVICE);
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
			node->node_ordinal == FAKE_NODE_KERNEL ? 0 : RF_NODE_USER_MODE_SUBMISSION;
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
	int ret = enter(fake, FAKE_CREATE_PROCESS);

	if (ret)
		return ret;
	if (fake->processes == FAKE_PROCESSES)
		return -EBUSY;
	fake->processes++;
	arguments->h_process = malloc(1);
	return 0;
}

static void destroy_process(void *h_adapter, const struct rf_destroy_process *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_mapping *mapping;

	enter(fake, FAKE_DESTROY_PROCESS);
	rf_list_for_each(mapping, &fake->mappings, link)
		assert_ptr_not_equal(mapping->h_process, arguments->h_process);
	fake->processes--;
	free(arguments->h_process);
}

/* --- fences ---------------------------------------------------------------------------------- */

static int create_fence(void *h_adapter, struct rf_create_native_fence *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_fence *fence;
	int ret = enter(fake, FAKE_CREATE_FENCE);

	if (ret)
		return ret;
	fence = calloc(1, sizeof(*fence));
	fence->core = arguments->h_global_native_fence;
	fence->arguments = *arguments;
	fence->shadow = U64_MAX;
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
	int ret = enter(fake, FAKE_OPEN_FENCE);

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

	enter(h_adapter, FAKE_CLOSE_FENCE);
	assert_true(local->fence->opens);
	local->fence->opens--;
	free(local);
	return 0;
}

static int destroy_fence_ddi(void *h_adapter, const struct rf_destroy_native_fence *arguments)
{
	struct fake_fence *fence = arguments->h_global_native_fence;

	enter(h_adapter, FAKE_DESTROY_FENCE);
	assert_int_equal(fence->opens, 0);
	assert_false(fence->destroyed);
	fence->destroyed = true;
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

static int update_monitored(void *h_adapter, const struct rf_update_monitored_values *arguments)
{
	struct fake *fake = h_adapter;
	int ret = enter(fake, FAKE_UPDATE_MONITORED);
	u32 i;

	if (ret)
		return ret;
	fake->updating = true;
	for (i = 0; i < arguments->num_fences; i++) {
		struct fake_fence *fence = arguments->native_fence_array[i];
		u64 value = arguments->updated_value_array[i];
		u64 current;

		assert_false(fence->destroyed);
		fake->update_fences++;
		at_point(fake, 0);
		__atomic_store_n(&fence->shadow, value, __ATOMIC_SEQ_CST);
		rf_value_write(arguments->monitored_value_kernel_cpu_va[i], value);
		rf_mb();
		at_point(fake, 1);
		current = fake_current(fake, fence);
		at_point(fake, 2);
		if (!fake->no_device_resample && current > value)
			record(fake, fence, NULL);
	}
	at_point(fake, 3);
	fake->updating = false;
	return 0;
}

static int update_current(void *h_adapter,
			  const struct rf_update_current_values_from_cpu *arguments)
{
	struct fake *fake = h_adapter;
	int ret = enter(fake, FAKE_UPDATE_CURRENT);
	u32 i;

	if (ret)
		return ret;
	fake->always_signaled |= arguments->flags & RF_UPDATE_ALWAYS_SIGNALED;
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
	return 0;
}

/* --- queues and logs ---------------------------------------------------------------------------- */

static int create_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_queue *queue;
	int ret = enter(fake, FAKE_CREATE_QUEUE);

	if (ret)
		return ret;
	queue = calloc(1, sizeof(*queue));
	queue->arguments = *arguments;
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

	enter(fake, FAKE_DESTROY_QUEUE);
	assert_null(queue->doorbell);
	pthread_mutex_lock(&fake->mutex);
	rf_list_remove(&queue->link);
	pthread_mutex_unlock(&fake->mutex);
	free(queue);
}

static int submit(void *h_adapter, const struct rf_submit_command_to_hw_queue *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;
	int ret = enter(h_adapter, FAKE_SUBMIT);

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

	enter(h_adapter, FAKE_RESUME);
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
		fake_store_and_interrupt(fake, queue->arguments.h_process,
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
	int ret = enter(h_adapter, FAKE_SET_LOG);
	struct rf_mem *mem = arguments->log_buffer_cpu_va.mem;

	if (ret)
		return ret;
	assert_true(queue->arguments.flags & RF_HW_QUEUE_USER_MODE_SUBMISSION);
	assert_true(arguments->log_type == RF_LOG_TYPE_WAITS ||
		    arguments->log_type == RF_LOG_TYPE_SIGNALS);
	assert_int_equal(rf_mem_read64(mem, 0), 0);
	assert_int_equal((u32)rf_mem_read64(mem, offsetof(struct rf_log_header, type)),
			 arguments->log_type);
	assert_int_equal(rf_mem_read64(mem, offsetof(struct rf_log_header, number_of_entries)),
			 arguments->number_of_entries);
	queue->logs[arguments->log_type - 1].arguments = *arguments;
	return 0;
}

static int update_logs(void *h_adapter, const struct rf_update_native_fence_logs *arguments)
{
	assert_true(arguments->number_of_queues);
	return enter(h_adapter, FAKE_UPDATE_LOGS);
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

/* --- preemption and reset -------------------------------------------------------------------- */

static void tell_preempted(void *context)
{
	struct fake *fake = context;
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PREEMPTED,
		.dma_preempted = {
			.preemption_fence_id = fake->preempt.preemption_fence_id,
			.last_completed_fence_id = fake->preempted_completed,
			.node_ordinal = fake->preempt.node_ordinal,
		},
	};

	fake->report_preempted = false;
	fake->callbacks->notify_interrupt(fake->h_core, &data);
	fake->callbacks->queue_dpc(fake->h_core);
}

static void preempt_command(void *h_adapter, const struct rf_preempt_command *arguments)
{
	struct fake *fake = h_adapter;

	enter(fake, FAKE_PREEMPT);
	assert_true(arguments->preemption_fence_id > fake->preempt.preemption_fence_id ||
		    arguments->node_ordinal != fake->preempt.node_ordinal);
	fake->preempt = *arguments;
	if (fake->obeys)
		fake->callbacks->synchronize_execution(fake->h_core, tell_preempted, fake);
}

static int query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments)
{
	struct fake *fake = h_adapter;

	arguments->responsive = !(fake->hung >> arguments->node_ordinal & 1);
	return enter(fake, FAKE_ENGINE_STATUS);
}

static int query_dependent_engine_group(void *h_adapter,
					struct rf_query_dependent_engine_group *arguments)
{
	struct fake *fake = h_adapter;

	arguments->dependent_node_ordinal_mask =
		fake->group ? fake->group : 1ull << arguments->node_ordinal;
	return enter(fake, FAKE_DEPENDENT_GROUP);
}

static void lose_on_engine(struct fake *fake, u32 node)
{
	const struct rf_invalidate_hw_context invalidate = { .h_hw_queue = fake->on_engine };

	if (!fake->on_engine || fake->on_engine->arguments.node_ordinal != node)
		return;
	fake->on_engine = NULL;
	fake->callbacks->invalidate_hw_context(fake->h_core, &invalidate);
}

static int reset_engine(void *h_adapter, struct rf_reset_engine *arguments)
{
	struct fake *fake = h_adapter;
	int ret = enter(fake, FAKE_RESET_ENGINE);

	if (ret)
		return ret;
	fake->hung &= ~(1u << arguments->node_ordinal);
	arguments->last_aborted_fence_id = fake->last_aborted;
	lose_on_engine(fake, arguments->node_ordinal);
	return 0;
}

static int reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct fake *fake = h_adapter;
	int ret = enter(fake, FAKE_RESET_HW_ENGINE);

	if (ret)
		return ret;
	lose_on_engine(fake, arguments->node_ordinal);
	if (fake->during_reset)
		fake->during_reset(fake);
	return 0;
}

static int resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct fake *fake = h_adapter;
	int ret = enter(fake, FAKE_RESUME_HW_ENGINE);

	if (!ret)
		fake->hung &= ~(1u << arguments->node_ordinal);
	return ret;
}

static int reset_from_timeout(void *h_adapter)
{
	struct fake *fake = h_adapter;

	fake->hung = 0;
	fake->on_engine = NULL;
	return enter(fake, FAKE_RESET_ADAPTER);
}

static int restart_from_timeout(void *h_adapter)
{
	return enter(h_adapter, FAKE_RESTART_ADAPTER);
}

void fake_answer_preemption(struct fake *fake)
{
	fake->report_preempted = true;
	fake_bus_raise(&fake->bus);
}

void fake_report_hung(struct fake *fake, u32 node)
{
	fake->hung_node = node;
	fake->report_hung = true;
	fake_bus_raise(&fake->bus);
}

/* --- the interrupt service ---------------------------------------------------------------------- */

static bool interrupt_routine(void *h_adapter, u32 message_number)
{
	struct fake *fake = h_adapter;

	assert_int_equal(message_number, 0);
	if (fake->updating)
		fake->isr_while_updating++;
	notify_fences(fake);
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
	if (fake->report_preempted)
		tell_preempted(fake);
	if (fake->report_hung) {
		const struct rf_notify_interrupt_data data = {
			.interrupt_type = RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
			.engine_state_change = { .node_ordinal = fake->hung_node,
						 .new_state = RF_ENGINE_HUNG },
		};

		fake->report_hung = false;
		fake->callbacks->notify_interrupt(fake->h_core, &data);
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
	int ret = enter(h_adapter, FAKE_CREATE_DOORBELL);

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
	int ret = enter(fake, FAKE_CONNECT_DOORBELL);
	int i;

	if (ret)
		return ret;
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

	enter(fake, FAKE_DISCONNECT_DOORBELL);
	assert_true(doorbell->physical >= 0);
	fake->physical[doorbell->physical] = NULL;
	doorbell->physical = -1;
	doorbell->queue->resampled++;
}

static void destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments)
{
	struct fake_doorbell *doorbell = arguments->h_doorbell;

	enter(h_adapter, FAKE_DESTROY_DOORBELL);
	assert_int_equal(doorbell->physical, -1);
	doorbell->queue->doorbell = NULL;
	free(doorbell);
}

static void notify_work(void *h_adapter, const struct rf_notify_work_submission *arguments)
{
	struct fake_queue *queue = arguments->h_hw_queue;

	enter(h_adapter, FAKE_NOTIFY);
	queue->notified++;
}

const struct rf_ddi fake_ddi = {
	.start_device = start_device,
	.stop_device = stop_device,
	.query_adapter_info = query_adapter_info,
	.create_process = create_process,
	.destroy_process = destroy_process,
	.map_gpu_virtual_address = map_gpu,
	.unmap_gpu_virtual_address = unmap_gpu,
	.create_native_fence = create_fence,
	.open_native_fence = open_fence,
	.close_native_fence = close_fence,
	.destroy_native_fence = destroy_fence_ddi,
	.update_monitored_values = update_monitored,
	.update_current_values_from_cpu = update_current,
	.create_hw_queue = create_queue,
	.destroy_hw_queue = destroy_queue,
	.submit_command_to_hw_queue = submit,
	.resume_hw_queue = resume,
	.set_native_fence_log_buffer = set_log,
	.update_native_fence_logs = update_logs,
	.create_doorbell = create_doorbell,
	.connect_doorbell = connect_doorbell,
	.disconnect_doorbell = disconnect_doorbell,
	.destroy_doorbell = destroy_doorbell,
	.notify_work_submission = notify_work,
	.preempt_command = preempt_command,
	.query_engine_status = query_engine_status,
	.query_dependent_engine_group = query_dependent_engine_group,
	.reset_engine = reset_engine,
	.reset_hw_engine = reset_hw_engine,
	.resume_hw_engine = resume_hw_engine,
	.reset_from_timeout = reset_from_timeout,
	.restart_from_timeout = restart_from_timeout,
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
	fake->next_address = 0x100000;
	fake->caps = (struct rf_driver_caps){
		.scheduling_caps = RF_VIDSCH_NATIVE_GPU_FENCE | RF_VIDSCH_MULTI_ENGINE_AWARE,
		.support_per_engine_tdr = true,
		.node_count = FAKE_NODES,
		.process_count = FAKE_PROCESSES,
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
