// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Suspension of hardware contexts: see rf_suspend.h. */
#include "rf_suspend.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_queue.h"
#include "rf_residence.h"
#include "rf_types.h"

int rf_suspend_context(void *h_adapter, const struct rf_suspend_context *arguments)
{
	struct rf_hw_context *context = arguments->h_hw_context;
	struct rf_hw *hw = h_adapter;
	struct rf_hw_queue *queue;
	unsigned long flags;
	bool suspending;

	flags = rf_spin_lock(&hw->lock);
	rf_list_for_each(queue, &context->queues, context_link)
		rf_queue_leave(hw, queue);
	suspending = context->residents;
	context->suspending = suspending;
	context->suspend_fence = arguments->context_suspend_fence;
	rf_spin_unlock(&hw->lock, flags);
	return suspending ? -EINPROGRESS : 0;
}

void rf_resume_context(void *h_adapter, const struct rf_resume_context *arguments)
{
	struct rf_hw_context *context = arguments->h_hw_context;
	struct rf_hw *hw = h_adapter;
	unsigned long flags = rf_spin_lock(&hw->lock);

	/* a suspension that is not over is not reported */
	context->suspending = false;
	rf_spin_unlock(&hw->lock, flags);
}

/* A context that is suspended and not reported yet, or NULL. */
static struct rf_hw_context *rf_find_suspended(struct rf_hw *hw)
{
	struct rf_hw_context *context;

	rf_assert_held(&hw->lock);
	rf_list_for_each(context, &hw->contexts->contexts, link) {
		if (!context->suspending || context->residents)
			continue;
		return context;
	}
	return NULL;
}

void rf_report_suspended(struct rf_hw *hw)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED,
	};
	struct rf_hw_context *context;
	unsigned long flags;

	do {
		flags = rf_spin_lock(&hw->lock);
		context = rf_find_suspended(hw);
		if (context) {
			context->suspending = false;
			data.suspend_context_completed.h_hw_context = context;
			data.suspend_context_completed.context_suspend_fence =
				context->suspend_fence;
		}
		rf_spin_unlock(&hw->lock, flags);
		if (context)
			rf_notify(hw, &data);
	} while (context);
}
