/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Trace events, in the group "ringfence". Handles are those of the process, which client_id
 * names as fdinfo does; rings are nodes. Exported fences have the events of dma_fence.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ringfence

#if !defined(RF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RF_TRACE_H

#include <linux/tracepoint.h>

#include "rf_linux.h"

/* Registration of the events of fence logs: called for the first and the last listener. */
int rf_trace_logs_begin(void);
void rf_trace_logs_end(void);

/* clang-format off */

/*
 * Command buffers of kernel-mode queues, with the fields that the events of gpu_scheduler
 * have: the entity is the queue, and the id what its progress fence gets.
 */
DECLARE_EVENT_CLASS(ringfence_job,
	TP_PROTO(struct rf_file *file, u32 queue, u32 node, u64 progress, u32 jobs),
	TP_ARGS(file, queue, node, progress, jobs),
	TP_STRUCT__entry(
		__string(dev, dev_name(file->device->drm.dev))
		__field(u64, client_id)
		__field(u32, entity)
		__field(u64, id)
		__field(u32, ring)
		__field(u32, job_count)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->client_id = file->drm->client_id;
		__entry->entity = queue;
		__entry->id = progress;
		__entry->ring = node;
		__entry->job_count = jobs;
	),
	TP_printk("dev=%s entity=%x, id=%llu, ring=node%u, job count:%u, client_id:%llu",
		  __get_str(dev), __entry->entity, __entry->id, __entry->ring,
		  __entry->job_count, __entry->client_id)
);
#define JOB_EVENT(name)                                                                           \
	DEFINE_EVENT(ringfence_job, name,                                                         \
		TP_PROTO(struct rf_file *file, u32 queue, u32 node, u64 progress, u32 jobs),      \
		TP_ARGS(file, queue, node, progress, jobs))
/* It was submitted (drm_sched_job), the device has it (drm_run_job), and it is done or given
 * up (drm_sched_process_job). */
JOB_EVENT(ringfence_submit);
JOB_EVENT(ringfence_run);
JOB_EVENT(ringfence_done);

/*
 * What engines signalled and waited for, from the log of a queue: when that is read, which is
 * at the next interrupt of a fence, or when the queue ends. Times are the device's. lost: entries
 * were overwritten at this place; the other fields are not valid.
 */
DECLARE_EVENT_CLASS(ringfence_log,
	TP_PROTO(struct rf_file *file, u32 queue, bool lost, const struct rf_log_entry *log),
	TP_ARGS(file, queue, lost, log),
	TP_STRUCT__entry(
		__string(dev, dev_name(file->device->drm.dev))
		__field(u64, client_id)
		__field(u32, queue)
		__field(u32, fence)
		__field(u64, value)
		__field(u64, begin)
		__field(u64, end)
		__field(bool, lost)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->client_id = file->drm->client_id;
		__entry->queue = queue;
		__entry->fence = log ? log->fence_handle : 0;
		__entry->value = log ? log->fence_value : 0;
		__entry->begin = log ? log->fence_observed_gpu_timestamp : 0;
		__entry->end = log ? log->fence_end_gpu_timestamp : 0;
		__entry->lost = lost;
	),
	TP_printk("dev=%s client_id=%llu queue=%x fence=%x value=%llu begin=%llu end=%llu lost=%d",
		  __get_str(dev), __entry->client_id, __entry->queue, __entry->fence,
		  __entry->value, __entry->begin, __entry->end, __entry->lost)
);
#define LOG_EVENT(name)                                                                           \
	DEFINE_EVENT_FN(ringfence_log, name,                                                      \
		TP_PROTO(struct rf_file *file, u32 queue, bool lost,                              \
			 const struct rf_log_entry *log),                                       \
		TP_ARGS(file, queue, lost, log), rf_trace_logs_begin, rf_trace_logs_end)
LOG_EVENT(ringfence_gpu_signal);
LOG_EVENT(ringfence_gpu_wait);

/* QUEUE_NOTIFY. Doorbell stores of user mode go to the device only and have no event. */
TRACE_EVENT(ringfence_ring,
	TP_PROTO(struct rf_file *file, u32 queue),
	TP_ARGS(file, queue),
	TP_STRUCT__entry(
		__string(dev, dev_name(file->device->drm.dev))
		__field(u64, client_id)
		__field(u32, queue)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->client_id = file->drm->client_id;
		__entry->queue = queue;
	),
	TP_printk("dev=%s client_id=%llu queue=%x", __get_str(dev), __entry->client_id,
		  __entry->queue)
);

DECLARE_EVENT_CLASS(ringfence_fence,
	TP_PROTO(struct rf_file *file, u32 count, u32 fence, u64 value, int result),
	TP_ARGS(file, count, fence, value, result),
	TP_STRUCT__entry(
		__string(dev, dev_name(file->device->drm.dev))
		__field(u64, client_id)
		__field(u32, count)
		__field(u32, fence)
		__field(u64, value)
		__field(int, result)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->client_id = file->drm->client_id;
		__entry->count = count;
		__entry->fence = fence;
		__entry->value = value;
		__entry->result = result;
	),
	TP_printk("dev=%s client_id=%llu fence=%x value=%llu fences=%u result=%d",
		  __get_str(dev), __entry->client_id, __entry->fence, __entry->value,
		  __entry->count, __entry->result)
);
#define FENCE_EVENT(name)                                                                     \
	DEFINE_EVENT(ringfence_fence, name,                                                   \
		TP_PROTO(struct rf_file *file, u32 count, u32 fence, u64 value, int result), \
		TP_ARGS(file, count, fence, value, result))
/* Requests for one or more fences, of which the first is shown. Signals are the CPU's. */
FENCE_EVENT(ringfence_signal);
FENCE_EVENT(ringfence_wait_begin);
FENCE_EVENT(ringfence_wait_end);

/* A queue is being preempted (done=0), or has been (done=1). */
TRACE_EVENT(ringfence_preempt,
	TP_PROTO(struct rf_file *file, u32 queue, u32 node, bool done),
	TP_ARGS(file, queue, node, done),
	TP_STRUCT__entry(
		__string(dev, dev_name(file->device->drm.dev))
		__field(u64, client_id)
		__field(u32, queue)
		__field(u32, node)
		__field(bool, done)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->client_id = file->drm->client_id;
		__entry->queue = queue;
		__entry->node = node;
		__entry->done = done;
	),
	TP_printk("dev=%s client_id=%llu ring=node%u queue=%x done=%d", __get_str(dev),
		  __entry->client_id, __entry->node, __entry->queue, __entry->done)
);

/* The engine of a node was reset, or all of the device (node=-1). */
TRACE_EVENT(ringfence_reset,
	TP_PROTO(struct ringfence_device *device, int node, int result),
	TP_ARGS(device, node, result),
	TP_STRUCT__entry(
		__string(dev, dev_name(device->drm.dev))
		__field(int, node)
		__field(int, result)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->node = node;
		__entry->result = result;
	),
	TP_printk("dev=%s node=%d result=%d", __get_str(dev), __entry->node, __entry->result)
);

DECLARE_EVENT_CLASS(ringfence_device,
	TP_PROTO(struct ringfence_device *device, int number),
	TP_ARGS(device, number),
	TP_STRUCT__entry(
		__string(dev, dev_name(device->drm.dev))
		__field(int, number)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->number = number;
	),
	TP_printk("dev=%s number=%d", __get_str(dev), __entry->number)
);
#define DEVICE_EVENT(name)                                              \
	DEFINE_EVENT(ringfence_device, name,                            \
		TP_PROTO(struct ringfence_device *device, int number), \
		TP_ARGS(device, number))
/* Interrupt service; number: the vector. */
DEVICE_EVENT(ringfence_interrupt);
/* The device is started, before use and after a reset; number: 0 or an error. Stopped: 0. */
DEVICE_EVENT(ringfence_start);
DEVICE_EVENT(ringfence_stop);
/* It goes to D3, and comes back; number: 0 or an error. */
DEVICE_EVENT(ringfence_sleep);
DEVICE_EVENT(ringfence_wake);
/* An engine hangs, and will be reset; number: the node. */
DEVICE_EVENT(ringfence_hang);

/* clang-format on */

/* Emit the events of a request: before it is executed, and after it with its result. */
void rf_trace_request_begin(struct rf_file *file, const struct kmd_call *call);
void rf_trace_request_end(struct rf_file *file, const struct kmd_call *call, int result);

#endif /* RF_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE rf_trace
#include <trace/define_trace.h>
