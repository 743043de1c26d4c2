// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Files: a process on an adapter, what it may ask, and its memory. Its end is in
 * process_end.c.
 *
 * Locking: the adapter's mutex for everything that is made or destroyed here.
 */
#include "core.h"

/* --- GPU mappings ------------------------------------------------------------------- */

/* Before engines that work for the process can write there. */
static void kmd_gpu_set_trust(const struct kmd_file *file, struct rf_mem *mem, u32 flags)
{
	if (file && !(flags & RF_MAP_READ_ONLY))
		rf_mem_set_untrusted(mem);
}

int kmd_gpu_map(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem, u32 flags,
		u64 *address)
{
	struct rf_map_gpu_virtual_address map = {
		.h_process = file ? file->h_process : NULL,
		.mem = mem,
		.flags = flags,
	};
	int ret;

	kmd_gpu_set_trust(file, mem, flags);
	ret = adapter->ddi->map_gpu_virtual_address(adapter->h_adapter, &map);
	if (!ret)
		*address = map.gpu_virtual_address;
	return ret;
}

int kmd_gpu_map_at(struct kmd_adapter *adapter, struct rf_mem *mem, u64 address)
{
	struct rf_map_gpu_virtual_address map = { .mem = mem, .gpu_virtual_address = address };

	return adapter->ddi->map_gpu_virtual_address(adapter->h_adapter, &map);
}

int kmd_gpu_replace(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		    u32 flags, u64 address)
{
	const struct rf_replace_gpu_page replace = {
		.h_process = file ? file->h_process : NULL,
		.mem = mem,
		.flags = flags,
		.gpu_virtual_address = address,
	};
	int ret;

	kmd_gpu_set_trust(file, mem, flags);
	ret = adapter->ddi->replace_gpu_page(adapter->h_adapter, &replace);
	if (ret == -EIO)
		kmd_adapter_want_reset(adapter);
	return ret;
}

void kmd_gpu_unmap(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		   u64 address)
{
	const struct rf_unmap_gpu_virtual_address unmap = {
		.h_process = file ? file->h_process : NULL,
		.mem = mem,
		.gpu_virtual_address = address,
	};

	/* else the driver keeps the memory, so that whoever put it may still be accessed */
	if (adapter->ddi->unmap_gpu_virtual_address(adapter->h_adapter, &unmap))
		kmd_adapter_want_reset(adapter);
}

/* --- open and close ------------------------------------------------------------------ */

static int kmd_file_join_user(struct kmd_file *file)
{
	int ret;

	file->user = kmd_user_get(file->adapter, rf_file_user(file->shell));
	if (!file->user)
		return -ENOMEM;
	ret = kmd_charge_user(file, KMD_LIMIT_FILES, 1);
	if (ret)
		kmd_user_put(file->adapter, file->user);
	return ret;
}

void kmd_file_leave_user(struct kmd_file *file)
{
	kmd_uncharge_user(file->adapter, file->user, KMD_LIMIT_FILES, 1);
	kmd_user_put(file->adapter, file->user);
}

int kmd_file_open(struct kmd_adapter *adapter, struct rf_file *shell, struct kmd_file **result)
{
	struct rf_create_process create = { 0 };
	struct kmd_file *file;
	unsigned long flags;
	int ret;

	if (kmd_adapter_is_fatal(adapter))
		return -ENODEV;
	file = rf_alloc(sizeof(*file));
	if (!file)
		return -ENOMEM;
	file->adapter = adapter;
	file->shell = shell;
	ret = kmd_schedule_file_create(file);
	if (ret) {
		rf_free(file);
		return ret;
	}
	ret = kmd_file_join_user(file);
	if (ret) {
		kmd_schedule_file_destroy(file);
		rf_free(file);
		return ret;
	}
	kmd_table_init(&file->table, adapter->domain->os);
	rf_list_init(&file->memories);
	rf_list_init(&file->pages);
	rf_list_init(&file->mappings);
	rf_list_init(&file->instances);
	rf_list_init(&file->events);

	ret = kmd_request_lock_awake(adapter);
	if (ret)
		goto free_file;
	create.h_process = file;
	ret = adapter->ddi->create_process(adapter->h_adapter, &create);
	if (!ret) {
		file->h_process = create.h_process;
		flags = kmd_wait_lock(adapter->domain);
		rf_list_insert(&file->link, &adapter->files);
		kmd_wait_unlock(adapter->domain, flags);
	}
	rf_mutex_unlock(&adapter->mutex);
	if (ret)
		goto free_file;
	*result = file;
	return 0;

free_file:
	kmd_table_destroy(&file->table);
	kmd_file_leave_user(file);
	kmd_schedule_file_destroy(file);
	rf_free(file);
	return ret;
}

void kmd_memory_close(struct kmd_memory *memory)
{
	u32 handle = memory->handle;

	memory->handle = 0;
	rf_file_memory_destroy(memory->file->shell, handle);
	kmd_memory_put(memory);
}

/* --- memory -------------------------------------------------------------------------- */

static struct kmd_memory *kmd_memory_find(struct kmd_file *file, u32 handle)
{
	struct kmd_memory *memory;

	if (!handle)
		return NULL;
	rf_list_for_each(memory, &file->memories, link)
		if (memory->handle == handle)
			return memory;
	return NULL;
}

struct kmd_memory *kmd_memory_get(struct kmd_file *file, u32 handle)
{
	struct kmd_memory *memory = kmd_memory_find(file, handle);

	if (memory)
		memory->references++;
	return memory;
}

struct kmd_memory *kmd_memory_create(struct kmd_file *file, u64 bytes)
{
	struct kmd_memory *memory = rf_alloc(sizeof(*memory));

	if (!memory)
		return NULL;
	memory->file = file;
	memory->references = 1;
	if (rf_mem_create(file->adapter->bus, RF_MEM_SYSTEM, bytes, &memory->mem))
		goto free_memory;
	if (kmd_gpu_map(file->adapter, file, memory->mem, RF_MAP_READ_ONLY, &memory->gpu_address))
		goto put_mem;
	rf_list_insert(&memory->link, &file->memories);
	return memory;

put_mem:
	rf_mem_put(memory->mem);
free_memory:
	rf_free(memory);
	return NULL;
}

/* Before it is made, with what is asked for. */
static int kmd_memory_charge(struct kmd_memory *memory, u64 bytes, enum kmd_limit kind)
{
	int ret;

	bytes = (bytes + KMD_PAGE_BYTES - 1) & ~(u64)(KMD_PAGE_BYTES - 1);
	ret = kmd_charge(memory->file, KMD_LIMIT_MEMORIES, 1);
	if (ret)
		return ret;
	ret = kmd_charge(memory->file, kind, bytes);
	if (ret) {
		kmd_uncharge(memory->file, KMD_LIMIT_MEMORIES, 1);
		return ret;
	}
	memory->charged = bytes;
	memory->charged_as = kind;
	return 0;
}

static void kmd_memory_uncharge(struct kmd_memory *memory)
{
	if (!memory->charged)
		return;
	kmd_uncharge(memory->file, memory->charged_as, memory->charged);
	kmd_uncharge(memory->file, KMD_LIMIT_MEMORIES, 1);
}

void kmd_memory_put(struct kmd_memory *memory)
{
	if (--memory->references)
		return;
	kmd_gpu_unmap(memory->file->adapter, memory->file, memory->mem, memory->gpu_address);
	rf_list_remove(&memory->link);
	rf_mem_put(memory->mem);
	kmd_memory_uncharge(memory);
	rf_free(memory);
}

static int kmd_memory_create_in_shell(struct kmd_memory *memory,
			       struct drm_ringfence_memory_create *request, enum rf_mem_kind kind)
{
	return rf_file_memory_create(memory->file->shell, kind, request->bytes, &memory->handle,
				     &request->mmap_offset, &memory->mem);
}

/* Something that can be elsewhere leaves local memory; false: there is nothing. */
static bool kmd_memory_make_room(struct kmd_adapter *adapter)
{
	return kmd_packet_contexts_evict(adapter) || kmd_value_page_demote(adapter);
}

static int kmd_memory_create_local(struct kmd_memory *memory,
			       struct drm_ringfence_memory_create *request)
{
	struct kmd_adapter *adapter = memory->file->adapter;
	int ret;

	/* nobody has to go for what will not fit */
	if (request->bytes > adapter->caps.local_memory_bytes)
		return -ENOMEM;
	do
		ret = kmd_memory_create_in_shell(memory, request, RF_MEM_LOCAL);
	while (ret == -ENOMEM && kmd_memory_make_room(adapter));
	return ret;
}

int kmd_request_memory_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_memory_create *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_memory *memory;
	int ret;

	if (!request->bytes || (request->flags & ~DRM_RINGFENCE_MEMORY_LOCAL))
		return -EINVAL;
	if (request->bytes > U64_MAX - KMD_PAGE_BYTES)
		return -ENOMEM;
	memory = rf_alloc(sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	memory->file = file;
	memory->references = 1;
	ret = kmd_memory_charge(memory, request->bytes,
			    request->flags & DRM_RINGFENCE_MEMORY_LOCAL ? KMD_LIMIT_LOCAL_BYTES
									: KMD_LIMIT_SYSTEM_BYTES);
	if (ret)
		goto free_memory;

	ret = kmd_request_lock_awake(adapter);
	if (ret)
		goto uncharge;
	ret = request->flags & DRM_RINGFENCE_MEMORY_LOCAL
		      ? kmd_memory_create_local(memory, request)
		      : kmd_memory_create_in_shell(memory, request, RF_MEM_SYSTEM);
	if (ret)
		goto unlock;
	ret = kmd_gpu_map(adapter, file, memory->mem, 0, &memory->gpu_address);
	if (ret)
		goto destroy_handle;
	rf_list_insert(&memory->link, &file->memories);
	request->bytes = memory->mem->bytes;
	request->handle = memory->handle;
	request->gpu_address = memory->gpu_address;
	rf_mutex_unlock(&adapter->mutex);
	return 0;

destroy_handle:
	rf_file_memory_destroy(file->shell, memory->handle);
	rf_mem_put(memory->mem);
unlock:
	rf_mutex_unlock(&adapter->mutex);
uncharge:
	kmd_memory_uncharge(memory);
free_memory:
	rf_free(memory);
	return ret;
}

int kmd_request_memory_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_memory_destroy *request = arguments;
	struct kmd_memory *memory;
	int ret;

	if (request->pad)
		return -EINVAL;
	ret = kmd_request_lock_destroy(file->adapter);
	if (ret)
		return ret;
	memory = kmd_memory_find(file, request->handle);
	if (memory)
		kmd_memory_close(memory);
	rf_mutex_unlock(&file->adapter->mutex);
	return memory ? 0 : -ENOENT;
}

/* --- discovery ------------------------------------------------------------------------ */

static bool kmd_query_is_local_storage(struct kmd_file *file, enum rf_native_fence_type type,
				   enum rf_fence_storage_value_type value)
{
	return kmd_fence_storage(file->adapter, type, value) == RF_MEM_LOCAL;
}

static void kmd_query_fill_adapter(struct kmd_file *file, struct drm_ringfence_adapter_info *info)
{
	const struct kmd_adapter *adapter = file->adapter;

	info->fence_value_stride = adapter->value_stride;
	if (adapter->caps.scheduling_caps & RF_VIDSCH_NO_64_BIT_ATOMICS)
		info->flags |= DRM_RINGFENCE_ADAPTER_NO_64_BIT_ATOMICS;
	if (adapter->native_fence) {
		info->flags |= DRM_RINGFENCE_ADAPTER_NATIVE_FENCE;
		if (kmd_query_is_local_storage(file, RF_NATIVE_FENCE_TYPE_DEFAULT,
					   RF_FENCE_STORAGE_MONITORED_VALUE))
			info->flags |= DRM_RINGFENCE_ADAPTER_OPTIMIZED_FENCE;
		if (adapter->features.intra_gpu_fence)
			info->flags |= DRM_RINGFENCE_ADAPTER_INTRA_GPU_FENCE;
	}
	if (adapter->user_mode_submission) {
		info->flags |= DRM_RINGFENCE_ADAPTER_USER_MODE_SUBMISSION;
		info->doorbell_bytes = adapter->submission_caps.doorbell_size_in_bytes;
		info->doorbell_count = adapter->submission_caps.doorbell_count;
		info->ring_entries_max = RF_RING_ENTRIES_MAX;
	}
	info->node_count = adapter->caps.node_count;
	info->local_memory_bytes = adapter->caps.local_memory_bytes;
	info->timestamp_frequency = adapter->caps.timestamp_frequency;
	info->graphics_preemption = adapter->caps.preemption_caps.graphics_preemption_granularity;
	info->compute_preemption = adapter->caps.preemption_caps.compute_preemption_granularity;
}

int kmd_request_query(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_query *request = call->arguments;
	struct kmd_adapter *adapter = file->adapter;
	u32 flags = 0;
	int ret;

	if (request->pad || (request->type == DRM_RINGFENCE_QUERY_ADAPTER && request->index))
		return -EINVAL;
	ret = kmd_request_lock(adapter);
	if (ret)
		return ret;
	switch (request->type) {
	case DRM_RINGFENCE_QUERY_ADAPTER:
		call->answer.adapter = (struct drm_ringfence_adapter_info){ 0 };
		call->answer_bytes = sizeof(call->answer.adapter);
		kmd_query_fill_adapter(file, &call->answer.adapter);
		break;
	case DRM_RINGFENCE_QUERY_NODE:
		call->answer.node = (struct drm_ringfence_node_info){ 0 };
		call->answer_bytes = sizeof(call->answer.node);
		ret = kmd_node_flags(adapter, request->index, &flags);
		if (adapter->user_mode_submission && (flags & RF_NODE_USER_MODE_SUBMISSION))
			call->answer.node.flags = DRM_RINGFENCE_NODE_USER_MODE_SUBMISSION;
		break;
	default:
		ret = -EINVAL;
		break;
	}
	rf_mutex_unlock(&adapter->mutex);
	return ret;
}

/* No lock held. */
static int kmd_call_copy_answer(struct kmd_call *call)
{
	static const u8 zero[64];
	struct drm_ringfence_query *request = call->arguments;
	u32 size = call->answer_bytes;
	u32 space = request->size;
	u32 offset;

	request->size = size;
	if (!request->pointer)
		return 0;
	if (rf_copy_to_user(request->pointer, &call->answer, space < size ? space : size))
		return -EFAULT;
	for (offset = size; offset < space; offset += sizeof(zero)) {
		u32 rest = space - offset;

		if (rf_copy_to_user(request->pointer + offset, zero,
				    rest < sizeof(zero) ? rest : sizeof(zero)))
			return -EFAULT;
	}
	return 0;
}

/* --- the one entry ---------------------------------------------------------------------- */

/**
 * struct request - how a request is carried out
 * @bytes: of its arguments
 * @function: this; or
 * @on_call: this, of one with arrays or an answer
 * @copy: copies its arrays before
 * @array: for @copy: where they are in the arguments
 * @on_fatal: also on a device that is not used any more
 */
struct request {
	u32 bytes;
	int (*function)(struct kmd_file *file, void *arguments);
	int (*on_call)(struct kmd_file *file, struct kmd_call *call);
	int (*copy)(struct kmd_call *call, size_t array);
	size_t array;
	bool on_fatal;
};

static int kmd_call_copy_fence_values(struct kmd_call *call, size_t array)
{
	const u8 *arguments = call->arguments;

	return kmd_copy_fence_values((const struct drm_ringfence_array *)(arguments + array),
				     call->values);
}

static int kmd_call_copy_render(struct kmd_call *call, size_t array)
{
	(void)array; /* it has three */
	return kmd_render_copy(call);
}

#define FENCES(name) \
	.copy = kmd_call_copy_fence_values, .array = offsetof(struct drm_ringfence_##name, fences)
/* Too many do not compile: they divide by 0. */
#define BYTES(name)                            \
	(sizeof(struct drm_ringfence_##name) / \
	 (sizeof(struct drm_ringfence_##name) <= KMD_ARGUMENT_BYTES_MAX))

static const struct request requests[DRM_RINGFENCE_REQUESTS] = {
	[DRM_RINGFENCE_QUERY] = { BYTES(query), .on_call = kmd_request_query },
	[DRM_RINGFENCE_MEMORY_CREATE] = { BYTES(memory_create), kmd_request_memory_create },
	[DRM_RINGFENCE_MEMORY_DESTROY] = { BYTES(memory_destroy), kmd_request_memory_destroy,
					   .on_fatal = true },
	[DRM_RINGFENCE_FENCE_CREATE] = { BYTES(fence_create), kmd_request_fence_create },
	[DRM_RINGFENCE_FENCE_OPEN] = { BYTES(fence_open), kmd_request_fence_open },
	[DRM_RINGFENCE_FENCE_DESTROY] = { BYTES(fence_destroy), kmd_request_fence_destroy,
					  .on_fatal = true },
	[DRM_RINGFENCE_FENCE_SIGNAL] = { BYTES(fence_signal), .on_call = kmd_request_fence_signal,
					 FENCES(fence_signal) },
	[DRM_RINGFENCE_FENCE_WAIT] = { BYTES(fence_wait), .on_call = kmd_request_fence_wait,
				       FENCES(fence_wait) },
	[DRM_RINGFENCE_EVENT_CREATE] = { BYTES(event_create), kmd_request_event_create },
	[DRM_RINGFENCE_EVENT_DESTROY] = { BYTES(event_destroy), kmd_request_event_destroy,
					  .on_fatal = true },
	[DRM_RINGFENCE_EVENT_WAIT] = { BYTES(event_wait), kmd_request_event_wait,
				       .on_fatal = true },
	[DRM_RINGFENCE_QUEUE_CREATE] = { BYTES(queue_create), kmd_request_queue_create },
	[DRM_RINGFENCE_QUEUE_DESTROY] = { BYTES(queue_destroy), kmd_request_queue_destroy,
					  .on_fatal = true },
	[DRM_RINGFENCE_QUEUE_STATUS] = { BYTES(queue_status), kmd_request_queue_status },
	[DRM_RINGFENCE_QUEUE_NOTIFY] = { BYTES(queue_notify), kmd_request_queue_notify },
	[DRM_RINGFENCE_DOORBELL_CREATE] = { BYTES(doorbell_create), kmd_request_doorbell_create },
	[DRM_RINGFENCE_DOORBELL_CONNECT] = { BYTES(doorbell_connect),
					     kmd_request_doorbell_connect },
	[DRM_RINGFENCE_DOORBELL_DESTROY] = { BYTES(doorbell_destroy), kmd_request_doorbell_destroy,
					     .on_fatal = true },
	[DRM_RINGFENCE_QUEUE_SUBMIT] = { BYTES(queue_submit), kmd_request_queue_submit },
	[DRM_RINGFENCE_QUEUE_WAIT] = { BYTES(queue_wait), .on_call = kmd_request_queue_wait,
				       FENCES(queue_wait) },
	[DRM_RINGFENCE_QUEUE_SIGNAL] = { BYTES(queue_signal), .on_call = kmd_request_queue_signal,
					 FENCES(queue_signal) },
	[DRM_RINGFENCE_QUEUE_RESUME] = { BYTES(queue_resume), kmd_request_queue_resume },
	[DRM_RINGFENCE_QUEUE_RENDER] = { BYTES(queue_render), .on_call = kmd_request_queue_render,
					 .copy = kmd_call_copy_render },
	[DRM_RINGFENCE_CONTEXT_CREATE] = { BYTES(context_create), kmd_request_context_create },
	[DRM_RINGFENCE_CONTEXT_DESTROY] = { BYTES(context_destroy), kmd_request_context_destroy,
					    .on_fatal = true },
};

int kmd_call_begin(struct kmd_call *call, unsigned int request, void *arguments)
{
	call->request = request;
	call->arguments = arguments;
	call->answer_bytes = 0;
	call->render = NULL;
	if (request >= DRM_RINGFENCE_REQUESTS)
		return 0;
	request = rf_index_nospec(request, DRM_RINGFENCE_REQUESTS);
	memcpy(call->given, arguments, requests[request].bytes);
	return requests[request].copy ? requests[request].copy(call, requests[request].array) : 0;
}

int kmd_call_carry_out(struct kmd_call *call, struct kmd_file *file)
{
	const struct request *request;
	int ret;

	if (call->request >= DRM_RINGFENCE_REQUESTS)
		return -ENOTTY;
	request = &requests[rf_index_nospec(call->request, DRM_RINGFENCE_REQUESTS)];
	if (kmd_adapter_is_fatal(file->adapter) && !request->on_fatal)
		return -ENODEV;
	ret = request->on_call ? request->on_call(file, call)
			       : request->function(file, call->arguments);
	/* whatever failed because of that */
	if (ret && kmd_adapter_is_fatal(file->adapter) && !request->on_fatal)
		ret = -ENODEV;
	return ret;
}

int kmd_call_end(struct kmd_call *call, int result)
{
	rf_free(call->render);
	if (!result && call->answer_bytes)
		result = kmd_call_copy_answer(call);
	if (result && call->request < DRM_RINGFENCE_REQUESTS)
		memcpy(call->arguments, call->given,
		       requests[rf_index_nospec(call->request, DRM_RINGFENCE_REQUESTS)].bytes);
	return result;
}

int kmd_request(struct kmd_file *file, unsigned int request, void *arguments)
{
	struct kmd_call call;
	int ret = kmd_call_begin(&call, request, arguments);

	if (ret)
		return ret;
	return kmd_call_end(&call, kmd_call_carry_out(&call, file));
}
