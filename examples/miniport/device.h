/* SPDX-License-Identifier: Apache-2.0 */
/* What the DDI (miniport.c) and the device (device.c) of the sample share. */
#ifndef DEVICE_H
#define DEVICE_H

#include "rf_miniport_memory.h"
#include "rf_miniport_reports.h"
#include "rf_stream.h"

#define QUEUES 64u

/* @current, @monitored: addresses of the values, in the system process. */
struct fence {
	struct fence *next;
	void *core;
	u64 current, monitored;
};

struct context {
	struct rf_miniport_space space; /* its process */
	u32 node;
};

struct queue {
	struct device *device;
	struct context *context;
	u32 index; /* of its slot, and of its doorbell */
	struct rf_stream stream;
	struct fence *progress;
	u64 progressed; /* last value of that */
	bool resident; /* it is executed */
	bool stopped; /* until resume_hw_queue */
	bool connected; /* its doorbell is */
	bool active; /* it executes the command buffer that was read last */
	bool waits; /* the next packet is a WAIT that is not satisfied */
	u64 wait_address, wait_value; /* of the last WAIT */
};

struct device {
	const struct rf_dxgk_callbacks *callbacks;
	void *h_core;
	struct rf_miniport_memory memory;
	struct rf_reports reports;
	struct fence *fences;
	struct queue *queues[QUEUES];
};

/* Execute until every resident queue waits or has no work. */
void device_run(struct device *device);
/* A word of the system process. */
u64 *device_word(struct device *device, u64 address);
/* The fence with this CurrentValue, or NULL. */
struct fence *device_find_fence(struct device *device, const u64 *current);

#endif
