/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What interrupts report, for miniports that are loaded and whose device is in the same process, so
 * that it keeps no records of its own: reports are kept until interrupt_routine passes them to the
 * core. A report names an object; it is forgotten when that is destroyed. Queues and contexts are
 * named by the miniport's handles, as in rf_ddi.h.
 *
 * Calls for one list do not overlap. After a report the caller raises the interrupt.
 */
#ifndef RF_MINIPORT_REPORTS_H
#define RF_MINIPORT_REPORTS_H

#include <stdlib.h>

#include "rf_miniport_module.h"
#include "rf_stream.h"

/* @object: of the miniport. @core: the core's handle of a fence. */
struct rf_report {
	const void *object;
	void *core;
	struct rf_notify_interrupt_data data;
};

/* In the order in which they were added; initially zeroed. */
struct rf_reports {
	struct rf_report *list;
	size_t count, capacity;
};

/*
 * A report of @type about @object, for the functions below. The caller fills in the rest of what is
 * returned before the next call. Without memory the process ends.
 */
static inline struct rf_notify_interrupt_data *
rf_report(struct rf_reports *reports, const void *object, enum rf_interrupt_type type)
{
	struct rf_report *report;

	if (reports->count == reports->capacity) {
		reports->capacity = 2 * reports->capacity + 16;
		reports->list = realloc(reports->list, reports->capacity * sizeof(*reports->list));
		if (!reports->list)
			abort();
	}
	report = &reports->list[reports->count++];
	*report = (struct rf_report){ .object = object, .data.interrupt_type = type };
	return &report->data;
}

/* A native fence. @core: the core's handle. @node: where the signal was. */
static inline void rf_report_fence(struct rf_reports *reports, const void *fence, void *core,
				   u32 node)
{
	rf_report(reports, fence, RF_INTERRUPT_NATIVE_FENCE_SIGNALED)
		->native_fence_signaled.node_ordinal = node;
	reports->list[reports->count - 1].core = core;
}

/* Some monitored fence. */
static inline void rf_report_monitored_fence(struct rf_reports *reports, u32 node)
{
	rf_report(reports, NULL, RF_INTERRUPT_MONITORED_FENCE_SIGNALED)
		->monitored_fence_signaled.node_ordinal = node;
}

/* The error of the queue's stream. @progressed: last value of its progress fence. */
static inline void rf_report_error(struct rf_reports *reports, void *queue,
				   const struct rf_stream *stream, u64 progressed)
{
	struct rf_notify_interrupt_data *data =
		rf_report(reports, queue, RF_INTERRUPT_HWQUEUE_PAGE_FAULTED);

	data->hw_queue_page_faulted.faulted_fence_id = progressed;
	data->hw_queue_page_faulted.faulted_virtual_address = stream->space.error_address;
	data->hw_queue_page_faulted.faulted_hw_queue = queue;
	data->hw_queue_page_faulted.node_ordinal = stream->node;
	data->hw_queue_page_faulted.page_fault_flags = stream->space.error_store;
	data->hw_queue_page_faulted.fault_error_code = stream->space.error;
}

/* The queue is stopped until resume_hw_queue. */
static inline void rf_report_stopped(struct rf_reports *reports, void *queue,
				     enum rf_stop_reason reason, u64 argument, u64 value)
{
	struct rf_notify_interrupt_data *data =
		rf_report(reports, queue, RF_INTERRUPT_HWQUEUE_STOPPED);

	data->hw_queue_stopped.stopped_hw_queue = queue;
	data->hw_queue_stopped.reason = reason;
	data->hw_queue_stopped.argument = argument;
	data->hw_queue_stopped.value = value;
}

/*
 * The queue is no longer resident. @is_waiting: for @fence (the core's handle; NULL: for another
 * word) to reach @value.
 */
static inline void rf_report_preempted(struct rf_reports *reports, void *queue, bool is_waiting,
				       void *fence, u64 value)
{
	struct rf_notify_interrupt_data *data =
		rf_report(reports, queue, RF_INTERRUPT_HWQUEUE_PREEMPTED);

	data->hw_queue_preempted.preempted_hw_queue = queue;
	data->hw_queue_preempted.is_waiting = is_waiting;
	data->hw_queue_preempted.h_native_fence = fence;
	data->hw_queue_preempted.value = value;
}

/* A queue that is not resident has work. */
static inline void rf_report_work(struct rf_reports *reports, void *queue)
{
	rf_report(reports, queue, RF_INTERRUPT_HWQUEUE_WORK)->hw_queue_work.h_hw_queue = queue;
}

/* suspend_context, which returned -EINPROGRESS, is complete. */
static inline void rf_report_suspended(struct rf_reports *reports,
				       const struct rf_suspend_context *arguments)
{
	struct rf_notify_interrupt_data *data =
		rf_report(reports, arguments->h_hw_context, RF_INTERRUPT_SUSPEND_CONTEXT_COMPLETED);

	data->suspend_context_completed.h_hw_context = arguments->h_hw_context;
	data->suspend_context_completed.context_suspend_fence = arguments->context_suspend_fence;
}

/* @object ends: no interrupt names it any more. */
static inline void rf_reports_forget(struct rf_reports *reports, const void *object)
{
	size_t i, kept = 0;

	for (i = 0; i < reports->count; i++)
		if (reports->list[i].object != object)
			reports->list[kept++] = reports->list[i];
	reports->count = kept;
}

/* For interrupt_routine, whose result is returned: pass all reports to the core. */
static inline bool rf_reports_deliver(struct rf_reports *reports,
				      const struct rf_dxgk_callbacks *callbacks, void *h_core)
{
	bool any = reports->count;
	size_t i;

	for (i = 0; i < reports->count; i++) {
		struct rf_report *report = &reports->list[i];

		if (report->data.interrupt_type == RF_INTERRUPT_NATIVE_FENCE_SIGNALED) {
			report->data.native_fence_signaled.signaled_native_fence_count = 1;
			report->data.native_fence_signaled.signaled_native_fence_array =
				&report->core;
		}
		callbacks->notify_interrupt(h_core, &report->data);
	}
	reports->count = 0;
	if (any)
		callbacks->queue_dpc(h_core);
	return any;
}

static inline void rf_reports_destroy(struct rf_reports *reports)
{
	free(reports->list);
}

#endif /* RF_MINIPORT_REPORTS_H */
