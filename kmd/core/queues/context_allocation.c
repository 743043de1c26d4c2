// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The memory that the driver allocates for contexts of the packet model (S4-9..S4-12). Its address
 * in the system process stays the same for life; the paging node may move its contents while no
 * context that uses it is on its node.
 *
 *   made      filled by INIT_CONTEXT_RESOURCE before the first packet
 *   ready     in a supported segment, mapped: packets may run
 *   evicted   where no packet may use it; moved back by the next submission
 *
 * Locking: the adapter's mutex.
 */
#include "queues/context_allocation.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/gpu_va.h"
#include "queues/packet_context.h"
#include "queues/paging.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static int kmd_context_allocation_get_memory(struct kmd_adapter *adapter,
					     struct kmd_context_allocation *allocation, u64 bytes)
{
	enum rf_mem_kind other =
		allocation->preferred == RF_MEM_LOCAL ? RF_MEM_SYSTEM : RF_MEM_LOCAL;
	int ret = rf_mem_create(adapter->bus, allocation->preferred, bytes, &allocation->mem);

	if (ret && (allocation->supported & 1u << other))
		ret = rf_mem_create(adapter->bus, other, bytes, &allocation->mem);
	return ret;
}

static struct kmd_file *kmd_context_allocation_find_file(struct kmd_adapter *adapter,
							 const void *h_process)
{
	struct kmd_file *file;

	rf_list_for_each(file, &adapter->files, link)
		if (file->h_process == h_process)
			return file;
	return NULL;
}

/* Check the restrictions of S4-9; @file: NULL is the system process. */
static bool kmd_context_allocation_is_allowed(const struct rf_create_context_allocation *arguments,
					      const struct kmd_file *file)
{
	const struct kmd_packet_context *context = arguments->h_context;
	u32 segments = 1u << RF_MEM_SYSTEM | 1u << RF_MEM_LOCAL;

	if (arguments->context_allocation_flags & ~RF_CONTEXT_ALLOCATION_SHARED_ACROSS_CONTEXTS)
		return false;
	if (arguments->context_allocation_flags & RF_CONTEXT_ALLOCATION_SHARED_ACROSS_CONTEXTS) {
		if (context || !file)
			return false;
	} else if (!context || !context->queue || context->queue->file != file) {
		return false;
	}
	if (!arguments->size || !arguments->alignment || arguments->alignment > KMD_PAGE_BYTES ||
	    (arguments->alignment & (arguments->alignment - 1)))
		return false;
	if ((arguments->supported_segment_set | arguments->eviction_segment_set) & ~segments)
		return false;
	return arguments->supported_segment_set & 1u << arguments->preferred_segment;
}

int kmd_create_context_allocation(void *h_core, struct rf_create_context_allocation *arguments)
{
	struct kmd_context_allocation *allocation;
	struct kmd_adapter *adapter = h_core;
	struct kmd_file *file = kmd_context_allocation_find_file(adapter, arguments->h_process);
	int ret;

	if (!kmd_context_allocation_is_allowed(arguments, file))
		return -EINVAL;
	allocation = rf_alloc(sizeof(*allocation));
	if (!allocation)
		return -ENOMEM;
	allocation->file = file;
	allocation->context = arguments->h_context;
	allocation->h_driver = arguments->h_driver_allocation;
	allocation->supported = arguments->supported_segment_set;
	allocation->evicted = arguments->eviction_segment_set;
	allocation->preferred = arguments->preferred_segment;
	ret = kmd_context_allocation_get_memory(adapter, allocation, arguments->size);
	if (ret)
		goto free_allocation;
	ret = kmd_gpu_map(adapter, NULL, allocation->mem, 0, &allocation->address);
	if (ret)
		goto put_mem;
	allocation->mapped = true;
	rf_list_insert(&allocation->link, &adapter->context_allocations);
	arguments->h_allocation = allocation;
	arguments->gpu_virtual_address = allocation->address;
	return 0;

put_mem:
	rf_mem_put(allocation->mem);
free_allocation:
	rf_free(allocation);
	return ret;
}

static void kmd_context_allocation_destroy(struct kmd_adapter *adapter,
					   struct kmd_context_allocation *allocation)
{
	rf_list_remove(&allocation->link);
	if (allocation->mapped)
		kmd_gpu_unmap(adapter, NULL, allocation->mem, allocation->address);
	rf_mem_put(allocation->mem);
	rf_free(allocation);
}

int kmd_destroy_context_allocation(void *h_core,
				   const struct rf_destroy_context_allocation *arguments)
{
	struct kmd_context_allocation *allocation;
	struct kmd_adapter *adapter = h_core;

	rf_list_for_each(allocation, &adapter->context_allocations, link) {
		if (allocation == arguments->h_allocation) {
			kmd_context_allocation_destroy(adapter, allocation);
			return 0;
		}
	}
	return -EINVAL;
}

static int kmd_context_allocation_init(struct kmd_adapter *adapter,
				       struct kmd_context_allocation *allocation)
{
	struct rf_build_paging_buffer operation = {
		.operation = RF_PAGING_INIT_CONTEXT_RESOURCE,
		.init_context_resource = {
			.h_driver_allocation = allocation->h_driver,
			.destination = allocation->address,
		},
	};

	return kmd_paging_run(adapter, &operation);
}

int kmd_packet_context_fill(struct kmd_packet_context *context)
{
	struct kmd_context_allocation *allocation;
	struct kmd_adapter *adapter = context->adapter;
	int ret = 0;

	rf_assert_held(&context->adapter->mutex);
	rf_list_for_each(allocation, &adapter->context_allocations, link)
		if (!ret && allocation->context == context)
			ret = kmd_context_allocation_init(adapter, allocation);
	if (!ret)
		kmd_packet_context_set_ready(context, true);
	return ret;
}

/*
 * Move a mapped allocation that no context uses to other memory; it is mapped again if contexts can
 * use it there.
 */
static int kmd_context_allocation_move(struct kmd_adapter *adapter,
				       struct kmd_context_allocation *allocation,
				       enum rf_mem_kind kind)
{
	struct rf_mem *old = allocation->mem, *mem;
	struct rf_build_paging_buffer operation = {
		.operation = RF_PAGING_TRANSFER,
		.transfer = { .source = allocation->address, .bytes = old->bytes },
	};
	int ret;

	ret = rf_mem_create(adapter->bus, kind, old->bytes, &mem);
	if (ret)
		return ret;
	ret = kmd_gpu_map(adapter, NULL, mem, 0, &operation.transfer.destination);
	if (ret)
		goto put_mem;
	ret = kmd_paging_run(adapter, &operation);
	kmd_gpu_unmap(adapter, NULL, mem, operation.transfer.destination);
	if (ret)
		goto put_mem;
	kmd_gpu_unmap(adapter, NULL, old, allocation->address);
	rf_mem_put(old);
	allocation->mem = mem;
	allocation->mapped = false;
	if (!(allocation->supported & 1u << kind))
		return 0;
	ret = kmd_gpu_map_at(adapter, NULL, mem, allocation->address);
	allocation->mapped = !ret;
	return ret;

put_mem:
	rf_mem_put(mem);
	return ret;
}

static bool kmd_context_allocation_is_used_by(const struct kmd_queue *queue,
					      const struct kmd_context_allocation *allocation)
{
	if (!queue->packet_context)
		return false;
	return allocation->context ? queue->packet_context == allocation->context
				   : queue->file == allocation->file;
}

static bool kmd_packet_context_is_in_place(struct kmd_packet_context *context)
{
	struct kmd_context_allocation *allocation;

	rf_list_for_each(allocation, &context->adapter->context_allocations, link)
		if (kmd_context_allocation_is_used_by(context->queue, allocation) &&
		    !allocation->mapped)
			return false;
	return true;
}

int kmd_packet_context_make_ready(struct kmd_packet_context *context)
{
	struct kmd_context_allocation *allocation;
	struct kmd_adapter *adapter = context->adapter;
	int ret = 0;

	rf_assert_held(&context->adapter->mutex);
	if (context->ready)
		return 0;
	rf_list_for_each(allocation, &adapter->context_allocations, link) {
		if (!kmd_context_allocation_is_used_by(context->queue, allocation) ||
		    allocation->mapped)
			continue;
		ret = kmd_gpu_map_at(adapter, NULL, allocation->mem, allocation->address);
		if (ret)
			return ret;
		allocation->mapped = true;
		ret = kmd_context_allocation_move(adapter, allocation, allocation->preferred);
		if (ret && allocation->mapped)
			kmd_gpu_unmap(adapter, NULL, allocation->mem, allocation->address);
		allocation->mapped = !ret;
		if (ret)
			return ret;
	}
	kmd_packet_context_set_ready(context, true);
	return 0;
}

/* An allocation that queues with packets use may be moved only to where they can still use it. */
static bool kmd_context_allocation_may_evict(struct kmd_adapter *adapter,
					     const struct kmd_context_allocation *allocation)
{
	const u32 system = 1u << RF_MEM_SYSTEM;
	const struct kmd_queue *queue;

	if (allocation->mem->kind != RF_MEM_LOCAL || !allocation->mapped)
		return false;
	if (allocation->supported & system)
		return true;
	rf_list_for_each(queue, &adapter->queues, link)
		if (kmd_context_allocation_is_used_by(queue, allocation) && queue->packets.count)
			return false;
	return allocation->evicted & system;
}

static bool kmd_context_allocation_evict(struct kmd_adapter *adapter,
					 struct kmd_context_allocation *allocation)
{
	struct kmd_queue *queue;
	int ret = 0;

	if (!kmd_context_allocation_may_evict(adapter, allocation))
		return false;
	rf_list_for_each(queue, &adapter->queues, link) {
		if (!kmd_context_allocation_is_used_by(queue, allocation))
			continue;
		kmd_packet_context_set_ready(queue->packet_context, false);
		if (!ret)
			ret = kmd_node_switch_to_null(queue->packet_context->node);
	}
	if (!ret)
		ret = kmd_context_allocation_move(adapter, allocation, RF_MEM_SYSTEM);
	rf_list_for_each(queue, &adapter->queues, link)
		if (kmd_context_allocation_is_used_by(queue, allocation) &&
		    kmd_packet_context_is_in_place(queue->packet_context))
			kmd_packet_context_set_ready(queue->packet_context, true);
	return !ret;
}

bool kmd_packet_contexts_evict(struct kmd_adapter *adapter)
{
	struct kmd_context_allocation *allocation;
	bool any = false;

	rf_assert_held(&adapter->mutex);
	rf_list_for_each(allocation, &adapter->context_allocations, link)
		any |= kmd_context_allocation_evict(adapter, allocation);
	return any;
}
