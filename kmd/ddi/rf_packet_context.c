// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Contexts of the packet model. The save area of a context is a GPU-context allocation, which the
 * core makes, fills by packets of the paging node, and may move while the context is not loaded
 * (S4-9..S4-12). The system context does that work, and so has memory of the driver's own.
 */
#include "rf_packet_context.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_kernel_ring.h"
#include "rf_mapping.h"
#include "rf_packet_node.h"
#include "rf_ring.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_CONTEXT_WORD(REGISTER) (RF_CONTEXT(REGISTER) / 8)

void rf_packet_context_image(const struct rf_packet_context *context,
			     u64 words[RF_CONTEXT_BYTES / 8])
{
	const struct rf_packet_node *node = context->node;
	const struct rf_ring *ring = &context->ring.location;
	u32 i;

	for (i = 0; i < RF_CONTEXT_BYTES / 8; i++)
		words[i] = 0;
	words[RF_CONTEXT_WORD(RING_BASE)] = ring->address;
	words[RF_CONTEXT_WORD(WRITE_POINTER_ADDRESS)] = ring->write_pointer_address;
	words[RF_CONTEXT_WORD(QUANTUM)] = RF_QUANTUM_DEFAULT;
	words[RF_CONTEXT_WORD(CONFIG)] = RF_FIELD(RF_SLOT_CONFIG_RING_LOG2, rf_ring_log2(ring)) |
					 RF_FIELD(RF_SLOT_CONFIG_VMID, node->vmid) |
					 RF_FIELD(RF_SLOT_CONFIG_NODE, node->ordinal) |
					 RF_FIELD(RF_SLOT_CONFIG_HANDLE, context->handle);
	words[RF_CONTEXT_WORD(PROGRESS_ADDRESS)] = node->progress.address;
	words[RF_CONTEXT_WORD(PROGRESS_MONITORED_ADDRESS)] =
		node->progress.address + RF_PACKET_MONITORED;
}

bool rf_packet_context_is_system(const struct rf_packet_context *context)
{
	return context->save.mem;
}

void rf_packet_context_reset(struct rf_packet_context *context)
{
	u64 words[RF_CONTEXT_BYTES / 8];
	u32 i;

	rf_kernel_ring_clear_all(&context->ring);
	context->is_preempted = false;
	rf_packet_context_image(context, words);
	for (i = 0; i < RF_CONTEXT_BYTES / 8; i++)
		rf_mem_write64(context->save.mem, i * 8, words[i]);
}

/* --- save areas ---------------------------------------------------------------------- */

static int rf_system_save_create(struct rf_hw *hw, struct rf_packet_context *context)
{
	int error = rf_buffer_create(hw, NULL, RF_MEM_SYSTEM, RF_CONTEXT_BYTES, 0, &context->save);

	if (error)
		return error;
	context->save_address = context->save.address;
	rf_packet_context_reset(context);
	return 0;
}

/* In local memory a preemption is quickest. */
static int rf_process_save_create(struct rf_hw *hw, struct rf_packet_context *context)
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

	error = hw->callbacks->create_context_allocation(hw->h_core, &create);
	if (error)
		return error;
	context->h_allocation = create.h_allocation;
	context->save_address = create.gpu_virtual_address;
	return 0;
}

int rf_packet_context_save_create(struct rf_hw *hw, struct rf_packet_context *context, bool system)
{
	return system ? rf_system_save_create(hw, context) : rf_process_save_create(hw, context);
}

void rf_packet_context_save_destroy(struct rf_hw *hw, struct rf_packet_context *context)
{
	const struct rf_destroy_context_allocation destroy = {
		.h_allocation = context->h_allocation,
	};

	if (rf_packet_context_is_system(context))
		rf_buffer_destroy(hw, NULL, &context->save);
	else
		hw->callbacks->destroy_context_allocation(hw->h_core, &destroy);
}
