// SPDX-License-Identifier: Apache-2.0
/*
 * Engines of the fake miniport that hang, and what is reset; see fake.h. A node that hangs
 * lets neither queues nor packets go before it is reset.
 */
#include "fake.h"

bool fake_is_stuck(const struct fake *fake, u32 node)
{
	return (fake->hung >> node & 1) && !fake->obeys;
}

int fake_query_engine_status(void *h_adapter, struct rf_query_engine_status *arguments)
{
	struct fake *fake = h_adapter;

	arguments->responsive = !(fake->hung >> arguments->node_ordinal & 1);
	return fake_enter(fake, FAKE_ENGINE_STATUS);
}

int fake_query_dependent_engine_group(void *h_adapter,
				      struct rf_query_dependent_engine_group *arguments)
{
	struct fake *fake = h_adapter;

	arguments->dependent_node_ordinal_mask =
		fake->group ? fake->group : 1ull << arguments->node_ordinal;
	return fake_enter(fake, FAKE_DEPENDENT_GROUP);
}

static void lose_on_engine(struct fake *fake, u32 node)
{
	const struct rf_invalidate_hw_context invalidate = { .h_hw_queue = fake->on_engine };

	if (!fake->on_engine || fake->on_engine->context->arguments.node_ordinal != node)
		return;
	fake->on_engine = NULL;
	fake->callbacks->invalidate_hw_context(fake->h_core, &invalidate);
}

/* The engine works again, queues that were to leave do, and contexts are suspended. */
static void go_on(struct fake *fake, u32 node)
{
	struct fake_context *context;
	struct fake_queue *queue;

	fake->hung &= ~(1u << node);
	rf_list_for_each(queue, &fake->queues, link)
		if (queue->leaving && queue->context->arguments.node_ordinal == node)
			fake_preempted(fake, queue, NULL, 0);
	rf_list_for_each(context, &fake->contexts, link)
		if (context->suspended && context->acknowledged != context->suspend_fence &&
		    context->arguments.node_ordinal == node)
			fake_acknowledge(fake, context, context->suspend_fence);
}

int fake_reset_engine(void *h_adapter, struct rf_reset_engine *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_node *node = &fake->nodes[arguments->node_ordinal];
	int ret = fake_enter(fake, FAKE_RESET_ENGINE);

	if (ret)
		return ret;
	arguments->last_aborted_fence_id = fake->last_aborted;
	node->count = 0;
	node->preemption = 0;
	node->last_completed = fake->last_aborted;
	node->reported = fake->last_aborted;
	lose_on_engine(fake, arguments->node_ordinal);
	go_on(fake, arguments->node_ordinal);
	return 0;
}

int fake_reset_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_RESET_HW_ENGINE);

	if (ret)
		return ret;
	assert_int_equal(fake->nodes[arguments->node_ordinal].count, 0);
	lose_on_engine(fake, arguments->node_ordinal);
	if (fake->during_reset)
		fake->during_reset(fake);
	return 0;
}

int fake_resume_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_RESUME_HW_ENGINE);

	if (!ret)
		go_on(fake, arguments->node_ordinal);
	return ret;
}

int fake_reset_from_timeout(void *h_adapter)
{
	fake_peers_reset(h_adapter);
	return fake_enter(h_adapter, FAKE_RESET_ADAPTER);
}

int fake_restart_from_timeout(void *h_adapter)
{
	struct fake *fake = h_adapter;
	int ret = fake_enter(fake, FAKE_RESTART_ADAPTER);
	struct fake_queue *queue;
	u32 i;

	if (ret)
		return ret;
	fake->on_engine = NULL;
	for (i = 0; i < FAKE_NODES; i++) {
		fake->nodes[i].count = 0;
		fake->nodes[i].preemption = 0;
		fake->nodes[i].current = NULL;
	}
	rf_list_for_each(queue, &fake->queues, link) {
		if (queue->resident || queue->leaving)
			fake_preempted(fake, queue, NULL, 0);
	}
	fake->hung = 0;
	return 0;
}
