/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Log buffers of a queue.
 *
 * Locking: PASSIVE, one caller at a time; they take rf_hw.lock.
 */
#ifndef RF_QUEUE_LOG_H
#define RF_QUEUE_LOG_H

#include "rf_ddi.h"

/* 0, -EINVAL, -EIO. On return the device does not write to the old buffer. It sleeps. */
int rf_set_native_fence_log_buffer(void *h_adapter,
				   const struct rf_set_native_fence_log_buffer *arguments);
int rf_update_native_fence_logs(void *h_adapter,
				const struct rf_update_native_fence_logs *arguments);

#endif /* RF_QUEUE_LOG_H */
