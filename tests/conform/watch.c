// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "conform.h"
#include "rf_ddi.h"

struct rf_watch_change rf_watch_change;

/* One device per process is watched. */
static struct {
	pthread_mutex_t mutex; /* guards what follows */
	struct rf_watch_note *notes;
	size_t count, capacity;
	struct rf_watch_note maps[4096];
	size_t map_count;
	unsigned int updating, overlaps;
	size_t taken_away; /* atomic */

	struct rf_ddi ddi; /* what the core calls */
	const struct rf_ddi *real; /* what the driver gave */
	void *h_adapter; /* its own */
	struct rf_dxgk_callbacks callbacks; /* what the driver calls */
	const struct rf_dxgk_callbacks *core; /* what the core gave */
} watch = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void note(struct rf_watch_note entry)
{
	pthread_mutex_lock(&watch.mutex);
	if (watch.count == watch.capacity) {
		watch.capacity = watch.capacity ? 2 * watch.capacity : 1024;
		watch.notes = realloc(watch.notes, watch.capacity * sizeof(entry));
		if (!watch.notes)
			abort();
	}
	watch.notes[watch.count++] = entry;
	pthread_mutex_unlock(&watch.mutex);
}

#define NOTE(...) note((struct rf_watch_note){ __VA_ARGS__ })

/* --- what the driver calls ----------------------------------------------------------- */

static int is_feature_enabled(void *h_core, enum rf_feature_id feature,
			      struct rf_feature_result *result)
{
	int ret = watch.core->is_feature_enabled(h_core, feature, result);

	NOTE(.call = RF_WATCH_IS_FEATURE_ENABLED, .value = feature, .extra = result->enabled);
	return ret;
}

static int query_feature_interface(void *h_core, enum rf_feature_id feature, u16 version,
				   void *table, size_t bytes)
{
	int ret = watch.core->query_feature_interface(h_core, feature, version, table, bytes);

	NOTE(.call = RF_WATCH_QUERY_INTERFACE, .value = feature, .extra = (u64)ret);
	return ret;
}

static void notify_interrupt(void *h_core, const struct rf_notify_interrupt_data *data)
{
	struct rf_notify_interrupt_data changed = *data;
	void *extra = (void *)rf_watch_change.extra_fence;
	u32 i;

	if (data->interrupt_type == RF_INTERRUPT_NATIVE_FENCE_SIGNALED) {
		if (rf_watch_change.on_notify)
			rf_watch_change.on_notify(rf_watch_change.argument);
		if (rf_watch_change.null_array) {
			changed.native_fence_signaled.signaled_native_fence_array = NULL;
			changed.native_fence_signaled.signaled_native_fence_count = 0;
			changed.native_fence_signaled.h_hw_queue = NULL;
		}
		NOTE(.call = RF_WATCH_NOTIFY, .value = data->interrupt_type,
		     .extra = data->native_fence_signaled.node_ordinal,
		     .address = changed.native_fence_signaled.signaled_native_fence_count,
		     .other = changed.native_fence_signaled.h_hw_queue);
		for (i = 0; i < changed.native_fence_signaled.signaled_native_fence_count; i++)
			NOTE(.call = RF_WATCH_NOTIFY_FENCE,
			     .object =
				     changed.native_fence_signaled.signaled_native_fence_array[i]);
	} else if (data->interrupt_type == RF_INTERRUPT_DMA_COMPLETED) {
		NOTE(.call = RF_WATCH_NOTIFY_DMA, .value = data->interrupt_type,
		     .address = data->dma_completed.submission_fence_id);
	} else if (data->interrupt_type == RF_INTERRUPT_DMA_PREEMPTED) {
		NOTE(.call = RF_WATCH_NOTIFY_DMA, .value = data->interrupt_type,
		     .address = data->dma_preempted.preemption_fence_id,
		     .extra = data->dma_preempted.last_completed_fence_id);
	} else if (data->interrupt_type == RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED) {
		NOTE(.call = RF_WATCH_NOTIFY, .value = data->interrupt_type,
		     .other = data->suspend_context_completed.h_hw_context,
		     .address = data->suspend_context_completed.context_suspend_fence);
	} else if (data->interrupt_type == RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE) {
		NOTE(.call = RF_WATCH_NOTIFY, .value = data->interrupt_type,
		     .extra = data->engine_state_change.node_ordinal,
		     .address = data->engine_state_change.new_state);
	} else {
		NOTE(.call = RF_WATCH_NOTIFY, .value = data->interrupt_type);
	}
	watch.core->notify_interrupt(h_core, &changed);
	if (extra) {
		changed.native_fence_signaled.signaled_native_fence_array = &extra;
		changed.native_fence_signaled.signaled_native_fence_count = 1;
		watch.core->notify_interrupt(h_core, &changed);
	}
}

static int disconnect_callback(void *h_core,
			       const struct rf_disconnect_doorbell_callback *arguments)
{
	int ret;

	NOTE(.call = RF_WATCH_DISCONNECT_CALLBACK, .object = arguments->h_doorbell,
	     .other = arguments->h_hw_queue, .value = arguments->disconnect_reason);
	if (rf_watch_change.on_disconnect)
		rf_watch_change.on_disconnect(rf_watch_change.argument);
	ret = watch.core->disconnect_doorbell(h_core, arguments);
	if (rf_watch_change.on_disconnected)
		rf_watch_change.on_disconnected(rf_watch_change.argument);
	return ret;
}

/* --- what the core calls ------------------------------------------------------------- */

static int start_device(struct rf_start_device *arguments)
{
	int ret;

	watch.core = arguments->callbacks;
	watch.callbacks = *arguments->callbacks;
	watch.callbacks.is_feature_enabled = is_feature_enabled;
	watch.callbacks.query_feature_interface = query_feature_interface;
	watch.callbacks.notify_interrupt = notify_interrupt;
	watch.callbacks.disconnect_doorbell = disconnect_callback;
	arguments->callbacks = &watch.callbacks;
	ret = watch.real->start_device(arguments);
	arguments->callbacks = watch.core;
	watch.h_adapter = arguments->h_adapter;
	return ret;
}

static int query_adapter_info(void *h_adapter, const struct rf_query_adapter_info *arguments)
{
	int ret = watch.real->query_adapter_info(h_adapter, arguments);
	const struct rf_driver_caps *caps = arguments->output;

	NOTE(.call = RF_WATCH_QUERY, .value = arguments->type,
	     .extra = arguments->type == RF_QUERY_DRIVER_CAPS ? caps->scheduling_caps : 0);
	return ret;
}

static int map_gpu_virtual_address(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	int ret = watch.real->map_gpu_virtual_address(h_adapter, arguments);
	const struct rf_watch_note entry = {
		.call = RF_WATCH_MAP,
		.object = arguments->h_process,
		.address = arguments->gpu_virtual_address,
		.value = arguments->flags,
		.mem = arguments->mem,
	};

	if (ret)
		return ret;
	pthread_mutex_lock(&watch.mutex);
	if (watch.map_count == ARRAY_SIZE(watch.maps))
		abort();
	watch.maps[watch.map_count++] = entry;
	pthread_mutex_unlock(&watch.mutex);
	note(entry);
	return 0;
}

static int replace_gpu_page(void *h_adapter, const struct rf_replace_gpu_page *arguments)
{
	size_t i;
	int ret;

	if (rf_watch_change.on_replace)
		rf_watch_change.on_replace(rf_watch_change.argument);
	ret = watch.real->replace_gpu_page(h_adapter, arguments);
	if (ret)
		return ret;
	pthread_mutex_lock(&watch.mutex);
	for (i = 0; i < watch.map_count; i++)
		if (watch.maps[i].object == arguments->h_process &&
		    watch.maps[i].address == arguments->gpu_virtual_address)
			watch.maps[i].mem = arguments->mem;
	pthread_mutex_unlock(&watch.mutex);
	NOTE(.call = RF_WATCH_REPLACE, .object = arguments->h_process,
	     .address = arguments->gpu_virtual_address, .value = arguments->flags,
	     .mem = arguments->mem);
	if (rf_watch_change.on_replace)
		rf_watch_change.on_replace(rf_watch_change.argument);
	return 0;
}

static int unmap_gpu_virtual_address(void *h_adapter,
				     const struct rf_unmap_gpu_virtual_address *arguments)
{
	size_t i;

	NOTE(.call = RF_WATCH_UNMAP, .object = arguments->h_process,
	     .address = arguments->gpu_virtual_address, .mem = arguments->mem);
	pthread_mutex_lock(&watch.mutex);
	for (i = 0; i < watch.map_count; i++) {
		if (watch.maps[i].mem == arguments->mem &&
		    watch.maps[i].address == arguments->gpu_virtual_address) {
			watch.maps[i] = watch.maps[--watch.map_count];
			break;
		}
	}
	pthread_mutex_unlock(&watch.mutex);
	return watch.real->unmap_gpu_virtual_address(h_adapter, arguments);
}

static int create_native_fence(void *h_adapter, struct rf_create_native_fence *arguments)
{
	const void *core = arguments->h_global_native_fence;
	int ret = watch.real->create_native_fence(h_adapter, arguments);

	NOTE(.call = RF_WATCH_CREATE_FENCE, .core = core,
	     .object = arguments->h_global_native_fence,
	     .value = arguments->current_value_system_process_gpu_va,
	     .address = arguments->monitored_value_system_process_gpu_va);
	return ret;
}

static int open_native_fence(void *h_adapter, struct rf_open_native_fence *arguments)
{
	const void *core = arguments->h_local_native_fence;
	int ret = watch.real->open_native_fence(h_adapter, arguments);

	NOTE(.call = RF_WATCH_OPEN_FENCE, .core = core, .object = arguments->h_local_native_fence,
	     .other = arguments->h_global_native_fence, .value = arguments->current_value_gpu_va,
	     .address = arguments->monitored_value_gpu_va);
	return ret;
}

static int close_native_fence(void *h_adapter, const struct rf_close_native_fence *arguments)
{
	NOTE(.call = RF_WATCH_CLOSE_FENCE, .object = arguments->h_local_native_fence);
	return watch.real->close_native_fence(h_adapter, arguments);
}

static int destroy_native_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments)
{
	NOTE(.call = RF_WATCH_DESTROY_FENCE, .object = arguments->h_global_native_fence);
	return watch.real->destroy_native_fence(h_adapter, arguments);
}

/*
 * The memory that a kernel address names is named anew for one call, in a page that is
 * unmapped when the call has returned: using the address later faults.
 */
#define LENT_MAX 40

struct lent {
	struct rf_value_address addresses[LENT_MAX];
	struct rf_mem *page;
};

static struct lent lend(const struct rf_value_address *addresses, u32 count)
{
	struct lent lent;
	u32 i;

	lent.page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (lent.page == MAP_FAILED || count > LENT_MAX || count * sizeof(*lent.page) > 4096)
		abort();
	for (i = 0; i < count; i++) {
		lent.page[i] = *addresses[i].mem;
		lent.addresses[i] = (struct rf_value_address){ &lent.page[i], addresses[i].offset };
	}
	return lent;
}

static void take_away(struct lent *lent, u32 count)
{
	/* reserved for a long time: reuse of an address would hide the error */
	if (rf_watch_taken_away() < 16384)
		mprotect(lent->page, 4096, PROT_NONE);
	else
		munmap(lent->page, 4096);
	__atomic_fetch_add(&watch.taken_away, count, __ATOMIC_RELAXED);
}

static int update_monitored_values(void *h_adapter,
				   const struct rf_update_monitored_values *arguments)
{
	struct lent lent = lend(arguments->monitored_value_kernel_cpu_va, arguments->num_fences);
	struct rf_update_monitored_values changed = *arguments;
	int ret;
	u32 i;

	for (i = 0; i < arguments->num_fences; i++)
		NOTE(.call = RF_WATCH_UPDATE_MONITORED, .object = arguments->native_fence_array[i],
		     .value = arguments->updated_value_array[i], .extra = arguments->num_fences);
	changed.monitored_value_kernel_cpu_va = lent.addresses;
	__atomic_fetch_add(&watch.updating, 1, __ATOMIC_SEQ_CST);
	ret = watch.real->update_monitored_values(h_adapter, &changed);
	__atomic_fetch_sub(&watch.updating, 1, __ATOMIC_SEQ_CST);
	take_away(&lent, arguments->num_fences);
	return ret;
}

static int update_current_values_from_cpu(void *h_adapter,
					  const struct rf_update_current_values_from_cpu *arguments)
{
	struct lent lent = lend(arguments->current_value_kernel_cpu_va, arguments->num_fences);
	struct rf_update_current_values_from_cpu changed = *arguments;
	int ret;
	u32 i;

	for (i = 0; i < arguments->num_fences; i++)
		NOTE(.call = RF_WATCH_UPDATE_CURRENT, .object = arguments->native_fence_array[i],
		     .value = arguments->updated_value_array[i], .extra = arguments->num_fences);
	changed.current_value_kernel_cpu_va = lent.addresses;
	ret = watch.real->update_current_values_from_cpu(h_adapter, &changed);
	take_away(&lent, arguments->num_fences);
	return ret;
}

static int create_hw_context(void *h_adapter, struct rf_create_hw_context *arguments)
{
	int ret = watch.real->create_hw_context(h_adapter, arguments);

	NOTE(.call = RF_WATCH_CREATE_CONTEXT, .object = arguments->h_hw_context,
	     .value = arguments->node_ordinal, .extra = arguments->priority);
	return ret;
}

static int suspend_context(void *h_adapter, const struct rf_suspend_context *arguments)
{
	int ret = watch.real->suspend_context(h_adapter, arguments);

	NOTE(.call = RF_WATCH_SUSPEND, .object = arguments->h_hw_context,
	     .value = arguments->context_suspend_fence, .extra = (u64)ret);
	return ret;
}

static void resume_context(void *h_adapter, const struct rf_resume_context *arguments)
{
	NOTE(.call = RF_WATCH_RESUME_CONTEXT, .object = arguments->h_hw_context);
	watch.real->resume_context(h_adapter, arguments);
}

static int make_hw_queue_resident(void *h_adapter, struct rf_make_hw_queue_resident *arguments)
{
	int ret = watch.real->make_hw_queue_resident(h_adapter, arguments);

	NOTE(.call = RF_WATCH_ENTER, .object = arguments->h_hw_queue, .extra = (u64)ret);
	return ret;
}

static void evict_hw_queue(void *h_adapter, const struct rf_evict_hw_queue *arguments)
{
	NOTE(.call = RF_WATCH_EVICT, .object = arguments->h_hw_queue);
	watch.real->evict_hw_queue(h_adapter, arguments);
}

static int create_hw_queue(void *h_adapter, struct rf_create_hw_queue *arguments)
{
	int ret = watch.real->create_hw_queue(h_adapter, arguments);

	NOTE(.call = RF_WATCH_CREATE_QUEUE, .object = arguments->h_hw_queue,
	     .other = arguments->h_hw_queue_native_progress_fence, .value = arguments->flags,
	     .address = (uintptr_t)arguments->h_hw_context);
	return ret;
}

static void destroy_hw_queue(void *h_adapter, const struct rf_destroy_hw_queue *arguments)
{
	NOTE(.call = RF_WATCH_DESTROY_QUEUE, .object = arguments->h_hw_queue);
	watch.real->destroy_hw_queue(h_adapter, arguments);
}

static int submit_command_to_hw_queue(void *h_adapter,
				      const struct rf_submit_command_to_hw_queue *arguments)
{
	NOTE(.call = RF_WATCH_SUBMIT, .object = arguments->h_hw_queue,
	     .value = arguments->hw_queue_progress_fence_id,
	     .address = arguments->dma_buffer_virtual_address,
	     .extra = (u64)arguments->flags << 32 | arguments->dma_buffer_size);
	return watch.real->submit_command_to_hw_queue(h_adapter, arguments);
}

static int submit_command(void *h_adapter, const struct rf_submit_command *arguments)
{
	NOTE(.call = RF_WATCH_SUBMIT_COMMAND, .object = arguments->h_context,
	     .value = arguments->submission_fence_id,
	     .address = arguments->dma_buffer_virtual_address,
	     .extra = (u64)arguments->flags << 32 | arguments->dma_buffer_size);
	return watch.real->submit_command(h_adapter, arguments);
}

static int preempt_command(void *h_adapter, const struct rf_preempt_command *arguments)
{
	NOTE(.call = RF_WATCH_PREEMPT, .value = arguments->preemption_fence_id,
	     .extra = arguments->node_ordinal);
	return watch.real->preempt_command(h_adapter, arguments);
}

static int patch(void *h_adapter, const struct rf_patch *arguments)
{
	u32 unbound = 0, i;

	for (i = 0; i < arguments->patch_list_size; i++)
		unbound += !arguments->patch_list[i].allocation_index;
	NOTE(.call = RF_WATCH_PATCH, .value = arguments->patch_list_size, .extra = unbound);
	return watch.real->patch(h_adapter, arguments);
}

static int build_paging_buffer(void *h_adapter, struct rf_build_paging_buffer *arguments)
{
	NOTE(.call = RF_WATCH_BUILD_PAGING, .value = arguments->operation);
	return watch.real->build_paging_buffer(h_adapter, arguments);
}

static int set_native_fence_log_buffer(void *h_adapter,
				       const struct rf_set_native_fence_log_buffer *arguments)
{
	NOTE(.call = RF_WATCH_SET_LOG, .object = arguments->h_hw_queue,
	     .value = arguments->log_type, .extra = arguments->number_of_entries,
	     .address = arguments->log_buffer_system_process_gpu_va,
	     .mem = arguments->log_buffer_cpu_va.mem);
	return watch.real->set_native_fence_log_buffer(h_adapter, arguments);
}

static int update_native_fence_logs(void *h_adapter,
				    const struct rf_update_native_fence_logs *arguments)
{
	u32 i;

	for (i = 0; i < arguments->number_of_queues; i++)
		NOTE(.call = RF_WATCH_UPDATE_LOGS, .object = arguments->h_hw_queue[i]);
	return watch.real->update_native_fence_logs(h_adapter, arguments);
}

static int create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments)
{
	int ret = watch.real->create_doorbell(h_adapter, arguments);

	NOTE(.call = RF_WATCH_CREATE_DOORBELL, .object = arguments->h_doorbell,
	     .other = arguments->h_hw_queue, .address = arguments->ring_buffer_gpu_va);
	return ret;
}

static int connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments)
{
	int ret = rf_watch_change.connect_error;

	if (!ret)
		ret = watch.real->connect_doorbell(h_adapter, arguments);
	if (!ret && rf_watch_change.connect_status)
		arguments->status = (enum rf_doorbell_status)rf_watch_change.connect_status;
	NOTE(.call = RF_WATCH_CONNECT_DOORBELL, .object = arguments->h_doorbell,
	     .address = arguments->doorbell_offset, .value = arguments->status);
	return ret;
}

static void disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments)
{
	NOTE(.call = RF_WATCH_DISCONNECT_DOORBELL, .object = arguments->h_doorbell);
	watch.real->disconnect_doorbell(h_adapter, arguments);
}

static void destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments)
{
	NOTE(.call = RF_WATCH_DESTROY_DOORBELL, .object = arguments->h_doorbell);
	watch.real->destroy_doorbell(h_adapter, arguments);
}

static void notify_work_submission(void *h_adapter,
				   const struct rf_notify_work_submission *arguments)
{
	NOTE(.call = RF_WATCH_NOTIFY_WORK, .object = arguments->h_hw_queue);
	watch.real->notify_work_submission(h_adapter, arguments);
}

static bool interrupt_routine(void *h_adapter, u32 message_number)
{
	bool ret;

	if (__atomic_load_n(&watch.updating, __ATOMIC_SEQ_CST))
		__atomic_fetch_add(&watch.overlaps, 1, __ATOMIC_SEQ_CST);
	NOTE(.call = RF_WATCH_INTERRUPT);
	ret = watch.real->interrupt_routine(h_adapter, message_number);
	if (__atomic_load_n(&watch.updating, __ATOMIC_SEQ_CST))
		__atomic_fetch_add(&watch.overlaps, 1, __ATOMIC_SEQ_CST);
	return ret;
}

static int set_power_component_f_state(void *h_adapter,
				       const struct rf_set_power_component_f_state *arguments)
{
	NOTE(.call = RF_WATCH_F_STATE, .extra = arguments->component_index,
	     .value = arguments->f_state);
	return watch.real->set_power_component_f_state(h_adapter, arguments);
}

static int set_power_state(void *h_adapter, const struct rf_set_power_state *arguments)
{
	NOTE(.call = RF_WATCH_POWER, .value = arguments->device_power_state);
	return watch.real->set_power_state(h_adapter, arguments);
}

/* --- preemption and reset ---------------------------------------------------------------- */

static int query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments)
{
	int ret = watch.real->query_engine_status(h_adapter, arguments);

	NOTE(.call = RF_WATCH_ENGINE_STATUS, .value = arguments->responsive,
	     .extra = arguments->node_ordinal);
	return ret;
}

static int reset_engine(void *h_adapter, struct rf_reset_engine *arguments)
{
	int ret = watch.real->reset_engine(h_adapter, arguments);

	NOTE(.call = RF_WATCH_RESET_ENGINE, .value = arguments->last_aborted_fence_id,
	     .extra = arguments->node_ordinal, .address = (uint64_t)ret);
	return ret;
}

static int reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	int ret = watch.real->reset_hw_engine(h_adapter, arguments);

	NOTE(.call = RF_WATCH_RESET_HW_ENGINE, .value = (uint64_t)ret,
	     .extra = arguments->node_ordinal);
	if (rf_watch_change.on_reset)
		rf_watch_change.on_reset(rf_watch_change.argument);
	return ret;
}

static int resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	NOTE(.call = RF_WATCH_RESUME_HW_ENGINE, .extra = arguments->node_ordinal);
	return watch.real->resume_hw_engine(h_adapter, arguments);
}

static int reset_from_timeout(void *h_adapter)
{
	int ret = watch.real->reset_from_timeout(h_adapter);

	NOTE(.call = RF_WATCH_RESET_ADAPTER, .value = (uint64_t)ret);
	return ret;
}

static int restart_from_timeout(void *h_adapter)
{
	int ret = watch.real->restart_from_timeout(h_adapter);

	NOTE(.call = RF_WATCH_RESTART_ADAPTER, .value = (uint64_t)ret);
	return ret;
}

const struct rf_ddi *rf_watch(const struct rf_ddi *ddi)
{
	watch.real = ddi;
	watch.count = 0;
	watch.map_count = 0;
	rf_watch_change = (struct rf_watch_change){ 0 };
	watch.ddi = *ddi;
	watch.ddi.start_device = start_device;
	watch.ddi.query_adapter_info = query_adapter_info;
	watch.ddi.map_gpu_virtual_address = map_gpu_virtual_address;
	watch.ddi.replace_gpu_page = replace_gpu_page;
	watch.ddi.unmap_gpu_virtual_address = unmap_gpu_virtual_address;
	watch.ddi.create_native_fence = create_native_fence;
	watch.ddi.open_native_fence = open_native_fence;
	watch.ddi.close_native_fence = close_native_fence;
	watch.ddi.destroy_native_fence = destroy_native_fence;
	watch.ddi.update_monitored_values = update_monitored_values;
	watch.ddi.update_current_values_from_cpu = update_current_values_from_cpu;
	watch.ddi.create_hw_context = create_hw_context;
	watch.ddi.suspend_context = suspend_context;
	watch.ddi.resume_context = resume_context;
	watch.ddi.make_hw_queue_resident = make_hw_queue_resident;
	watch.ddi.evict_hw_queue = evict_hw_queue;
	watch.ddi.create_hw_queue = create_hw_queue;
	watch.ddi.destroy_hw_queue = destroy_hw_queue;
	watch.ddi.submit_command_to_hw_queue = submit_command_to_hw_queue;
	watch.ddi.submit_command = submit_command;
	watch.ddi.preempt_command = preempt_command;
	watch.ddi.patch = patch;
	watch.ddi.build_paging_buffer = build_paging_buffer;
	watch.ddi.set_native_fence_log_buffer = set_native_fence_log_buffer;
	watch.ddi.update_native_fence_logs = update_native_fence_logs;
	watch.ddi.create_doorbell = create_doorbell;
	watch.ddi.connect_doorbell = connect_doorbell;
	watch.ddi.disconnect_doorbell = disconnect_doorbell;
	watch.ddi.destroy_doorbell = destroy_doorbell;
	watch.ddi.notify_work_submission = notify_work_submission;
	watch.ddi.set_power_component_f_state = set_power_component_f_state;
	watch.ddi.set_power_state = set_power_state;
	watch.ddi.query_engine_status = query_engine_status;
	watch.ddi.reset_engine = reset_engine;
	watch.ddi.reset_hw_engine = reset_hw_engine;
	watch.ddi.resume_hw_engine = resume_hw_engine;
	watch.ddi.reset_from_timeout = reset_from_timeout;
	watch.ddi.restart_from_timeout = restart_from_timeout;
	watch.ddi.interrupt_routine = interrupt_routine;
	return &watch.ddi;
}

const struct rf_ddi *rf_watch_behind(void **h_adapter)
{
	*h_adapter = watch.h_adapter;
	return watch.real;
}

bool rf_watching(void)
{
	return watch.real;
}

static void need_watch(void)
{
	if (!rf_watching())
		rf_conform_skip(NULL, "looks at what core and miniport say");
}

/* --- notes --------------------------------------------------------------------------- */

void rf_watch_clear(void)
{
	pthread_mutex_lock(&watch.mutex);
	watch.count = 0;
	pthread_mutex_unlock(&watch.mutex);
}

size_t rf_watch_count(enum rf_watch_call call)
{
	size_t i, count = 0;

	need_watch();
	pthread_mutex_lock(&watch.mutex);
	for (i = 0; i < watch.count; i++)
		count += watch.notes[i].call == call;
	pthread_mutex_unlock(&watch.mutex);
	return count;
}

size_t rf_watch_position(enum rf_watch_call call, size_t index)
{
	size_t i, found = SIZE_MAX;

	need_watch();
	pthread_mutex_lock(&watch.mutex);
	for (i = 0; i < watch.count && found == SIZE_MAX; i++) {
		if (watch.notes[i].call == call && !index--)
			found = i;
	}
	pthread_mutex_unlock(&watch.mutex);
	return found;
}

const struct rf_watch_note *rf_watch_find(enum rf_watch_call call, size_t index)
{
	size_t position = rf_watch_position(call, index);

	return position == SIZE_MAX ? NULL : &watch.notes[position];
}

size_t rf_watch_taken_away(void)
{
	return __atomic_load_n(&watch.taken_away, __ATOMIC_RELAXED);
}

unsigned int rf_watch_overlaps(void)
{
	need_watch();
	return __atomic_load_n(&watch.overlaps, __ATOMIC_SEQ_CST);
}

/* --- memory by GPU address ----------------------------------------------------------- */

static const struct rf_watch_note *find_map(uint64_t address)
{
	size_t i;

	need_watch();
	for (i = 0; i < watch.map_count; i++) {
		if (address - watch.maps[i].address < watch.maps[i].mem->bytes)
			return &watch.maps[i];
	}
	return NULL;
}

struct rf_mem *rf_watch_memory(uint64_t address, uint64_t *offset)
{
	const struct rf_watch_note *map = find_map(address);

	if (!map)
		return NULL;
	*offset = address - map->address;
	return rf_mem_vmap(map->mem) ? NULL : map->mem; /* tests access it as the driver does */
}

uint32_t rf_watch_map_flags(uint64_t address)
{
	const struct rf_watch_note *map = find_map(address);

	return map ? (uint32_t)map->value : UINT32_MAX;
}

uint64_t rf_watch_read(uint64_t address)
{
	uint64_t offset;
	struct rf_mem *mem = rf_watch_memory(address, &offset);

	return mem ? rf_mem_read64(mem, offset) : 0xdead;
}
