/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Trace events, in the group "ringfence". Handles are those of the process, which client_id
 * names as fdinfo does. Engines signal and wait without the CPU: of that the fence logs
 * tell, and dma_fence's own events of what was exported.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ringfence

#if !defined(RF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RF_TRACE_H

#include <linux/tracepoint.h>

#include "rf_linux.h"

/* clang-format off */

/* A kernel-mode queue got work. */
TRACE_EVENT(ringfence_submit,
	TP_PROTO(struct rf_file *file, u32 queue, u64 progress, u32 bytes),
	TP_ARGS(file, queue, progress, bytes),
	TP_STRUCT__entry(
		__string(dev, dev_name(file->device->drm.dev))
		__field(u64, client_id)
		__field(u32, queue)
		__field(u32, bytes)
		__field(u64, progress)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->client_id = file->drm->client_id;
		__entry->queue = queue;
		__entry->bytes = bytes;
		__entry->progress = progress;
	),
	TP_printk("dev=%s client_id=%llu queue=%x progress=%llu bytes=%u", __get_str(dev),
		  __entry->client_id, __entry->queue, __entry->progress, __entry->bytes)
);

/* The driver was told of a ring; those that go to the device alone are not seen. */
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

/* clang-format on */

/* Tell of a request: before it is carried out, and with its result after that. */
void rf_trace_request_begin(struct rf_file *file, unsigned int request, const void *arguments);
void rf_trace_request_end(struct rf_file *file, unsigned int request, const void *arguments,
			  int result);

#endif /* RF_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE rf_trace
#include <trace/define_trace.h>
