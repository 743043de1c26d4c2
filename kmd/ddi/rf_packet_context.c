// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Contexts of the packet model. A context is a ring that the driver keeps and 256 bytes,
 * where the device saves the slot that was loaded with it. These are a GPU-context
 * allocation, which the core makes, fills by way of the paging node, and may move while
 * the context is not loaded (S4-9..S4-12). The system context does that work, and so has
 * memory of the driver's own.
 */
#include "rf_miniport.h"

#define RF_CONTEXT_WORD(REGISTER) (RF_CONTEXT(REGISTER) / 8)

void rf_packet_context_image(const struct rf_packet_context *context,
			     u64 words[RF_CONTEXT_BYTES / 8])
{
	const struct rf_packet_node *node = context->node;
	u32 i;

	for (i = 0; i < RF_CONTEXT_BYTES / 8; i++)
		words[i] = 0;
	words[RF_CONTEXT_WORD(RING_BASE)] = context->ring.place.address;
	words[RF_CONTEXT_WORD(WRITE_POINTER_ADDRESS)] = context->ring.place.write_pointer_address;
	words[RF_CONTEXT_WORD(QUANTUM)] = RF_QUANTUM_DEFAULT;
	words[RF_CONTEXT_WORD(CONFIG)] =
		RF_FIELD(RF_SLOT_CONFIG_RING_LOG2, rf_log2(context->ring.place.entries)) |
		RF_FIELD(RF_SLOT_CONFIG_VMID, node->vmid) |
		RF_FIELD(RF_SLOT_CONFIG_NODE, node->ordinal) |
		RF_FIELD(RF_SLOT_CONFIG_HANDLE, context->handle);
	words[RF_CONTEXT_WORD(PROGRESS_ADDRESS)] = node->progress_address;
	words[RF_CONTEXT_WORD(PROGRESS_MONITORED_ADDRESS)] =
		node->progress_address + RF_PACKET_MONITORED;
}

/* --- save areas ---------------------------------------------------------------------- */

void rf_packet_context_reset(struct rf_packet_context *context)
{
	u64 words[RF_CONTEXT_BYTES / 8];
	u32 i;

	rf_kernel_ring_clear_all(&context->ring);
	context->is_preempted = false;
	rf_packet_context_image(context, words);
	for (i = 0; i < RF_CONTEXT_BYTES / 8; i++)
		rf_mem_write64(context->save, i * 8, words[i]);
}

static int rf_save_create_own(struct rf_miniport *miniport, struct rf_packet_context *context)
{
	struct rf_map_gpu_virtual_address map = { 0 };
	int error = rf_mem_create(miniport->bus, RF_MEM_SYSTEM, RF_CONTEXT_BYTES, &context->save);

	if (error)
		return error;
	map.mem = context->save;
	error = rf_map_gpu_virtual_address(miniport, &map);
	if (error) {
		rf_mem_put(context->save);
		return error;
	}
	context->save_address = map.gpu_virtual_address;
	rf_packet_context_reset(context);
	return 0;
}

/* In local memory a preemption is quickest. */
static int rf_save_create(struct rf_miniport *miniport, struct rf_packet_context *context)
{
	struct rf_create_context_allocation create = {
		.h_process = context->space,
		.h_context = context->h_core,
		.h_driver_allocation = context,
		.size = RF_CONTEXT_BYTES,
		.alignment = RF_CONTEXT_BYTES,
		.supported_segment_set = 1u << RF_MEM_LOCAL | 1u << RF_MEM_SYSTEM,
		.eviction_segment_set = 1u << RF_MEM_SYSTEM,
		.preferred_segment = RF_MEM_LOCAL,
	};
	int error;

	error = miniport->callbacks->create_context_allocation(miniport->h_core, &create);
	if (error)
		return error;
	context->h_allocation = create.h_allocation;
	context->save_address = create.gpu_virtual_address;
	return 0;
}

static void rf_save_destroy(struct rf_miniport *miniport, struct rf_packet_context *context)
{
	const struct rf_destroy_context_allocation destroy = {
		.h_allocation = context->h_allocation,
	};

	if (!context->save) {
		miniport->callbacks->destroy_context_allocation(miniport->h_core, &destroy);
		return;
	}
	rf_unmap_gpu_virtual_address(miniport, &(struct rf_unmap_gpu_virtual_address){
						       .mem = context->save,
						       .gpu_virtual_address = context->save_address,
					       });
	rf_mem_put(context->save);
}

/* --- contexts ------------------------------------------------------------------------ */

int rf_create_context(void *h_adapter, struct rf_create_context *arguments)
{
	bool system = arguments->flags & RF_CONTEXT_SYSTEM;
	struct rf_miniport *miniport = h_adapter;
	struct rf_packet_context *context;
	unsigned long flags;
	int error;

	if (arguments->node_ordinal >= miniport->nodes)
		return -EINVAL;
	context = rf_alloc(sizeof(*context));
	if (!context)
		return -ENOMEM;
	context->h_core = arguments->h_context;
	context->space = system ? &miniport->system : arguments->h_process;
	context->node = &miniport->packet_node[arguments->node_ordinal];
	flags = rf_spin_lock(&miniport->lock);
	context->handle = ++miniport->next_handle;
	rf_spin_unlock(&miniport->lock, flags);

	error = rf_packet_node_get(miniport, context->node, context->space);
	if (error)
		goto free_context;
	error = rf_kernel_ring_create(miniport, context->space, &context->ring);
	if (error)
		goto put_node;
	error = system ? rf_save_create_own(miniport, context) : rf_save_create(miniport, context);
	if (error)
		goto destroy_ring;
	arguments->h_context = context;
	return 0;

destroy_ring:
	rf_kernel_ring_destroy(miniport, context->space, &context->ring);
put_node:
	rf_packet_node_put(miniport, context->node);
free_context:
	rf_free(context);
	return error;
}

void rf_destroy_context(void *h_adapter, const struct rf_destroy_context *arguments)
{
	struct rf_packet_context *context = arguments->h_context;
	struct rf_miniport *miniport = h_adapter;

	rf_packet_node_drop(miniport, context);
	rf_save_destroy(miniport, context);
	rf_kernel_ring_destroy(miniport, context->space, &context->ring);
	rf_packet_node_put(miniport, context->node);
	rf_free(context);
}
