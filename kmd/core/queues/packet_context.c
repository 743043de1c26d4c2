// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Life of packet contexts.
 *
 * Locking: the adapter's mutex, and wait_lock for kmd_packet_context.ready.
 */
#include "queues/packet_context.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "scheduling/context.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "rf_ddi.h"
#include "rf_os.h"

void kmd_packet_context_set_ready(struct kmd_packet_context *context, bool ready)
{
	struct kmd_sync_domain *domain = context->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	context->ready = ready;
	if (ready)
		kmd_node_submit_ready(context->node);
	kmd_wait_unlock(domain, flags);
}

/* A node of the packet model has its slots as long as it has contexts. */
static int kmd_packet_context_get_node(struct kmd_node *node)
{
	int ret = 0;

	if (!node->contexts)
		ret = kmd_schedule_take_slots(node->adapter, node->adapter->caps.packet_node_slots);
	if (!ret)
		node->contexts++;
	return ret;
}

/* If the driver has too few resources, which queues in slots use, these are evicted one by one. */
static int kmd_packet_context_create_hw(struct kmd_adapter *adapter,
					struct rf_create_context *create)
{
	int ret = adapter->ddi->create_context(adapter->h_adapter, create);
	u32 taken = 0;

	while (ret == -EBUSY && !kmd_schedule_take_slots(adapter, 1)) {
		taken++;
		ret = adapter->ddi->create_context(adapter->h_adapter, create);
	}
	if (taken)
		kmd_schedule_give_slots(adapter, taken);
	return ret;
}

static void kmd_packet_context_put_node(struct kmd_node *node)
{
	if (!--node->contexts)
		kmd_schedule_give_slots(node->adapter, node->adapter->caps.packet_node_slots);
}

int kmd_packet_context_create(struct kmd_adapter *adapter, struct kmd_queue *queue,
			      struct kmd_packet_context **result)
{
	struct kmd_packet_context *context = rf_alloc(sizeof(*context));
	u32 node = queue ? queue->node : adapter->caps.paging_node;
	struct rf_create_context create = {
		.h_context = context,
		.h_process = queue ? queue->file->h_process : NULL,
		.node_ordinal = node,
		.flags = queue ? 0 : RF_CONTEXT_SYSTEM,
	};
	int ret;

	rf_assert_held(&adapter->mutex);
	if (!context)
		return -ENOMEM;
	context->adapter = adapter;
	context->queue = queue;
	context->node = &adapter->nodes[node];
	context->rank = queue ? queue->context->priority : KMD_RANK_KERNEL;
	ret = kmd_packet_context_get_node(context->node);
	if (ret)
		goto free_context;
	ret = kmd_packet_context_create_hw(adapter, &create);
	if (ret)
		goto put_node;
	context->h_context = create.h_context;
	*result = context;
	return 0;

put_node:
	kmd_packet_context_put_node(context->node);
free_context:
	rf_free(context);
	return ret;
}

void kmd_packet_context_destroy(struct kmd_packet_context *context)
{
	const struct rf_destroy_context destroy = { .h_context = context->h_context };
	struct kmd_adapter *adapter = context->adapter;
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags;

	rf_assert_held(&context->adapter->mutex);
	kmd_packet_context_set_ready(context, false); /* it gets no more packets */
	adapter->ddi->destroy_context(adapter->h_adapter, &destroy);
	flags = kmd_wait_lock(domain);
	kmd_node_drop_packets(context->node, context, true);
	kmd_wait_unlock(domain, flags);
	kmd_packet_context_put_node(context->node);
	rf_free(context);
}
