// SPDX-License-Identifier: GPL-2.0 OR MIT
/* DDI functions of contexts of the packet model: see rf_packet_context_ddi.h. */
#include "rf_packet_context_ddi.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_kernel_ring.h"
#include "rf_os.h"
#include "rf_packet_context.h"
#include "rf_packet_end.h"
#include "rf_packet_node.h"
#include "rf_packet_queue.h"
#include "rf_space.h"
#include "rf_types.h"

int rf_create_context(void *h_adapter, struct rf_create_context *arguments)
{
	bool system = arguments->flags & RF_CONTEXT_SYSTEM;
	struct rf_packet_context *context;
	struct rf_hw *hw = h_adapter;
	unsigned long flags;
	int error;

	if (arguments->node_ordinal >= hw->node_count)
		return -EINVAL;
	context = rf_alloc(sizeof(*context));
	if (!context)
		return -ENOMEM;
	context->h_core = arguments->h_context;
	context->space = rf_process_space(hw, system ? NULL : arguments->h_process);
	context->node = &hw->packet_queue[arguments->node_ordinal].node;
	flags = rf_spin_lock(&hw->lock);
	context->handle = rf_hw_new_handle(hw);
	rf_spin_unlock(&hw->lock, flags);

	error = rf_packet_node_get(hw, context->node, context->space);
	if (error)
		goto free_context;
	error = rf_kernel_ring_create(hw, context->space, &context->ring);
	if (error)
		goto put_node;
	error = rf_packet_context_save_create(hw, context, system);
	if (error)
		goto destroy_ring;
	arguments->h_context = context;
	return 0;

destroy_ring:
	rf_kernel_ring_destroy(hw, context->space, &context->ring);
put_node:
	rf_packet_node_put(hw, context->node);
free_context:
	rf_free(context);
	return error;
}

void rf_destroy_context(void *h_adapter, const struct rf_destroy_context *arguments)
{
	struct rf_packet_context *context = arguments->h_context;
	struct rf_hw *hw = h_adapter;

	rf_packet_context_drop(hw, context);
	rf_packet_context_save_destroy(hw, context);
	rf_kernel_ring_destroy(hw, context->space, &context->ring);
	rf_packet_node_put(hw, context->node);
	rf_free(context);
}
