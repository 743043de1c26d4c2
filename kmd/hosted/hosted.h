/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The objects of the hosted shell. Included by kmd/hosted, and by tests that build a shell.
 *
 * Locks: rf_hosted.mutex (devices) and rf_file.mutex (its mappings and handles) are
 * leaves but for local_memory.mutex, which is taken inside the latter. rf_hosted.life is taken
 * before any lock of the core.
 */
#ifndef HOSTED_H
#define HOSTED_H

#include "kmd.h"
#include "rf_hosted.h"
#include "rf_list.h"

#define HOSTED_PAGE_BYTES 4096u

/* A free range of local memory, page aligned. */
struct local_range {
	struct rf_list link;
	u64 offset;
	u64 bytes;
};

/**
 * struct local_memory - allocation of BAR 2
 * @mutex: guards @free and @kept
 * @free: free ranges by offset, never two that touch
 * @bytes: size of BAR 2
 * @kept: its saved contents while it is evicted, else NULL
 */
struct local_memory {
	pthread_mutex_t mutex;
	struct rf_list free;
	u64 bytes;
	u8 *kept;
};

int hosted_local_memory_init(struct local_memory *local, u64 bytes);
void hosted_local_memory_destroy(struct local_memory *local);
/* Accesses by user mode, to wherever the memory is. */
void hosted_local_memory_read(const struct rf_mem *mem, u64 offset, void *data, size_t bytes);
void hosted_local_memory_write(struct rf_mem *mem, u64 offset, const void *data, size_t bytes);

/**
 * struct rf_hosted - the graphics kernel of one world
 * @os: what locks and waits go through
 * @domain: the core's
 * @mutex: guards @devices, @device_count and @os.bus
 * @life: held to read by a thread that works for a device of others, to write to end that
 * @devices: by rf_hosted_device.link
 * @device_count: of them; atomic
 */
struct rf_hosted {
	struct rf_os os;
	struct kmd_sync_domain *domain;
	pthread_mutex_t mutex;
	pthread_rwlock_t life;
	struct rf_list devices;
	u32 device_count;
};

/**
 * struct rf_hosted_device - one device
 * @link: in rf_hosted.devices
 * @hosted: its world
 * @bus: how it is reached
 * @adapter: the core's
 * @local: its local memory
 * @work: kmd_adapter_work() is wanted; atomic
 * @leaving: it is being removed, and no other thread works for it; set under rf_hosted.life; atomic
 * @watchdog_period: ns; 0: there is no watchdog thread
 * @watchdog: the thread
 * @watchdog_stop: the thread ends when it is true; atomic
 * @trace: called for each fence log entry, or NULL
 * @trace_argument: of @trace
 * @fence: called for each handle of a fence, or NULL
 * @fence_argument: of @fence
 */
struct rf_hosted_device {
	struct rf_list link;
	struct rf_hosted *hosted;
	struct rf_bus *bus;
	struct kmd_adapter *adapter;
	struct local_memory local;
	bool work;
	bool leaving;
	u64 watchdog_period;
	pthread_t watchdog;
	bool watchdog_stop;
	rf_hosted_trace_fn *trace;
	void *trace_argument;
	rf_hosted_fence_fn *fence;
	void *fence_argument;
};

/**
 * struct rf_file - a process
 * @device: its device
 * @user: number of its user
 * @privileged: has every privilege of enum rf_privilege
 * @file: the core's side
 * @mutex: guards all below
 * @mappings: by struct mapping
 * @next_offset: of the next mapping; never reused
 */
struct rf_file {
	struct rf_hosted_device *device;
	u64 user;
	bool privileged;
	struct kmd_file *file;
	pthread_mutex_t mutex;
	struct rf_list mappings;
	u64 next_offset;
};

/* A request has succeeded; trace.c. */
void hosted_trace_request(const struct rf_hosted_device *device, unsigned int request,
			  const void *arguments);

/* Run the deferred steps of the core, if there are any. No lock of the core is held. */
void hosted_go_on(struct rf_os *os);
/* Is there work for a device, of several? Do it. No lock of the core is held for the second. */
bool hosted_has_work_for_all(struct rf_hosted *hosted);
void hosted_work_for_all(struct rf_hosted *hosted);

void hosted_file_init(struct rf_file *file, struct rf_hosted_device *device);
void hosted_file_destroy(struct rf_file *file);

/* Of the core's, by this thread */
extern _Thread_local unsigned int hosted_locks_held;
/* It is about to access user memory. */
void hosted_assert_no_lock_held(const char *function);

/* Where this process sees it; NULL: nowhere. */
void *hosted_memory_pointer(const struct rf_mem *mem);

/* A read-only view of memory that has a CPU address, or NULL. */
void *hosted_view_create(const struct rf_mem *mem);
void hosted_view_destroy(const struct rf_mem *mem, void *view);

#endif /* HOSTED_H */
