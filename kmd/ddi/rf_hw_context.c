// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Hardware contexts: see rf_hw_context.h; their suspension is in rf_suspend.c. */
#include "rf_hw_context.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_list.h"
#include "rf_os.h"

void rf_hw_contexts_init(struct rf_hw_contexts *contexts)
{
	rf_list_init(&contexts->contexts);
}

int rf_create_hw_context(void *h_adapter, struct rf_create_hw_context *arguments)
{
	struct rf_hw *hw = h_adapter;
	struct rf_hw_context *context;
	unsigned long flags;

	if (arguments->node_ordinal >= hw->node_count || arguments->priority >= RF_PRIORITY_BANDS)
		return -EINVAL;
	context = rf_alloc(sizeof(*context));
	if (!context)
		return -ENOMEM;
	context->space = arguments->h_process;
	context->node = arguments->node_ordinal;
	context->priority = arguments->priority;
	rf_list_init(&context->queues);
	flags = rf_spin_lock(&hw->lock);
	rf_list_insert(&context->link, &hw->contexts->contexts);
	rf_spin_unlock(&hw->lock, flags);
	arguments->h_hw_context = context;
	return 0;
}

void rf_destroy_hw_context(void *h_adapter, const struct rf_destroy_hw_context *arguments)
{
	struct rf_hw_context *context = arguments->h_hw_context;
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);

	rf_list_remove(&context->link);
	rf_spin_unlock(&hw->lock, flags);
	rf_free(context);
}
