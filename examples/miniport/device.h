/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The software device of the sample miniport: what it knows of fences, contexts and queues
 * (miniport.c creates them), and what the files call of one another.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <pthread.h>

#include "rf_miniport_module.h"
#include "ringfence_hw.h"

#define QUEUES 64u
#define PROCESSES 1024u
#define SUBMISSIONS 64u /* of a kernel-mode queue */

/* An address range of a process; NULL: the system process. */
struct mapping {
	struct mapping *next;
	const void *process;
	struct rf_mem *mem;
	u64 address;
	u32 flags;
};

/* @current, @monitored: where the values at these addresses of the system process are. */
struct fence {
	struct fence *next;
	void *core;
	u64 current_address, monitored_address;
	u64 *current, *monitored;
};

struct context {
	void *process;
	u32 node;
};

/**
 * struct queue - a hardware queue
 * @context: process and node
 * @progress: its progress fence
 * @progressed: the last value of that
 * @user_mode: it has a ring; else @submissions
 * @resident: it may execute
 * @stopped: until resume_hw_queue
 * @failed: for good
 * @connected: its doorbell is
 * @ring: address of the entries
 * @entries: their number
 * @control: address of the write-pointer record
 * @written: entries that the device knows of
 * @read: entries whose execution began
 * @submissions: of the kernel, at these counts modulo SUBMISSIONS
 * @active: it executes the last entry that was read
 * @buffer: address of its commands
 * @words: their number
 * @at: how many of them are done
 * @waits: the WAIT there waits for the word at @wait_address to reach @wait_value
 */
struct queue {
	struct context *context;
	struct fence *progress;
	u64 progressed;
	bool user_mode, resident, stopped, failed, connected;
	u64 ring, entries, control, written, read;
	struct rf_submit_command_to_hw_queue submissions[SUBMISSIONS];
	bool active;
	u64 buffer;
	u32 words, at;
	bool waits;
	u64 wait_address, wait_value;
};

/* Something to tell the core, about @object. */
struct report {
	const void *object;
	struct rf_notify_interrupt_data data;
};

/* @lock guards everything below. @queues: by doorbell. @reports: @count of them. */
struct device {
	struct rf_miniport_bus *bus;
	const struct rf_dxgk_callbacks *callbacks;
	void *h_core;
	pthread_mutex_t lock;
	struct mapping *mappings;
	struct fence *fences;
	struct queue *queues[QUEUES];
	u64 next_address;
	u32 processes;
	struct report *reports;
	size_t count, capacity;
};

/* --- miniport.c --- */

struct device *device_lock(void *h_adapter);
/* Also raises the interrupt, if there are reports. */
void device_unlock(struct device *device);
/* Have the interrupt routine tell the core about @object. The caller fills in the rest. */
struct rf_notify_interrupt_data *device_report(struct device *device, const void *object,
					       enum rf_interrupt_type type);

/* --- memory.c; the lock is held for the first three --- */

/*
 * Where @address of a process is, and in @bytes how many bytes follow it there. NULL: it is not
 * mapped, or may not be written.
 */
void *device_find(struct device *device, const void *process, u64 address, bool store, u64 *bytes);
/* The fence of this CurrentValue, or NULL. */
struct fence *device_find_fence(struct device *device, const u64 *current);
/* Where the values of all fences are now. */
void device_find_values(struct device *device);

int device_map_gpu(void *h_adapter, struct rf_map_gpu_virtual_address *arguments);
int device_replace_gpu(void *h_adapter, const struct rf_replace_gpu_page *arguments);
int device_unmap_gpu(void *h_adapter, const struct rf_unmap_gpu_virtual_address *arguments);
int device_create_process(void *h_adapter, struct rf_create_process *arguments);
int device_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments);

/* --- device.c; the lock is held --- */

/* Execute until every resident queue waits or has no work. */
void device_run(struct device *device);
/* Read the write-pointer record of a user-mode queue. */
void device_sample(struct device *device, struct queue *queue);
/* Entries up to @written are there, if that is possible. */
void device_offer(struct queue *queue, u64 written);
/* Report that CurrentValue of @fence is above MonitoredValue. */
void device_report_signaled(struct device *device, const struct fence *fence, u32 node);

#endif
