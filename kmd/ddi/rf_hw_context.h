/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Hardware contexts: the queues of a process on a node that are suspended together.
 *
 * Locking: rf_hw.lock guards the list and what changes of a context; they are made and ended at
 * level PASSIVE.
 */
#ifndef RF_HW_CONTEXT_H
#define RF_HW_CONTEXT_H

#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_types.h"

struct rf_address_space;

/**
 * struct rf_hw_context - a hardware context
 * @link: in rf_hw_contexts.contexts
 * @queues: by rf_hw_queue.context_link
 * @space: of its process
 * @node: of its queues
 * @priority: ditto
 * @residents: its queues in slots
 * @suspending: once @residents is 0 the core is notified of
 * @suspend_fence: this
 */
struct rf_hw_context {
	struct rf_list link;
	struct rf_list queues;
	struct rf_address_space *space;
	u32 node;
	u32 priority;
	u32 residents;
	bool suspending;
	u64 suspend_fence;
};

struct rf_hw_contexts {
	struct rf_list contexts;
};

void rf_hw_contexts_init(struct rf_hw_contexts *contexts);
int rf_create_hw_context(void *h_adapter, struct rf_create_hw_context *arguments);
void rf_destroy_hw_context(void *h_adapter, const struct rf_destroy_hw_context *arguments);

#endif /* RF_HW_CONTEXT_H */
