/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: the hosted shell
 *
 * The graphics kernel in the caller's own process, over any struct rf_bus: what
 * the kernel module is to a render node. User-mode drivers use it as they use a
 * file: open, request, map, close. Needs no privilege.
 *
 * Everything may be called from several threads, but no other call on an object
 * may be under way when it is destroyed. Errors are negative errno values.
 */
#ifndef RF_HOSTED_H
#define RF_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rf_bus;
struct rf_ddi;
struct rf_file;
struct rf_hosted;
struct rf_hosted_device;
struct rf_doorbell_page;

/**
 * rf_hosted_create() - a graphics kernel for the devices of one world
 *
 * Fences may be shared between its devices. -ENOMEM.
 */
int rf_hosted_create(struct rf_hosted **hosted);
/* Its devices are removed before. */
void rf_hosted_destroy(struct rf_hosted *hosted);

/**
 * rf_hosted_add_device() - start a device
 * @bus: how to reach it; all buses of one rf_hosted are of the same world
 * @ddi: its miniport
 *
 * -ENODEV, -EIO from the miniport; -EINVAL caps that break the rules (S0-46).
 */
int rf_hosted_add_device(struct rf_hosted *hosted, struct rf_bus *bus, const struct rf_ddi *ddi,
			 struct rf_hosted_device **device);
/* Its files are closed before. */
void rf_hosted_remove_device(struct rf_hosted_device *device);

/**
 * rf_hosted_watchdog() - find lost interrupts periodically
 * @period: ns between checks, at least 10000 and longer than the latency of an interrupt; 0: off,
 *          which is the default
 *
 * A thread of its own, which also runs the simulated clock. -EINVAL the period; -ENOMEM.
 */
int rf_hosted_watchdog(struct rf_hosted_device *device, uint64_t period);
/* Waiters that only the watchdog woke. */
uint64_t rf_hosted_lost_interrupts(struct rf_hosted_device *device);
/*
 * The most rounds of loops (over lists, or polls of a register) that a thread of the process has
 * made in one hold of the core's spinlocks, that is with interrupts off; resets the maximum.
 */
unsigned int rf_hosted_longest_hold(void);
#define RF_HOLD_ROUNDS_MAX 2048u /* what it may be (docs/driver.md) */

/**
 * rf_hosted_sleep() - D0 to D3, as at a system's suspension
 *
 * The device may be reset and its memory overwritten after this. It wakes up with the next
 * request that needs it, or by rf_hosted_wake(). -EIO an engine does not let its work go;
 * -ENOMEM; -ENODEV the device is lost.
 */
int rf_hosted_sleep(struct rf_hosted_device *device);
int rf_hosted_wake(struct rf_hosted_device *device);
/* Engines that are idle from one call to the next go to F1. */
void rf_hosted_look_for_idle(struct rf_hosted_device *device);
/*
 * rf_hosted_watch_progress() - find engines that hang, and recover
 * @now: ns of a clock that stands still while the simulated clock does
 *
 * An engine with work that makes no progress for the TDR delay (2 s by default) is preempted, and
 * reset if it does not answer for another TDR delay. To be called several times in a TDR delay,
 * from any thread.
 */
void rf_hosted_watch_progress(struct rf_hosted_device *device, uint64_t now);
void rf_hosted_set_tdr_delay(struct rf_hosted_device *device, uint64_t delay);

/* What recovery did so far. */
struct rf_hosted_recoveries {
	uint64_t preemption_requests;
	uint64_t preemptions; /* of these, answered */
	uint64_t engine_resets;
	uint64_t adapter_resets;
};
void rf_hosted_recoveries(struct rf_hosted_device *device, struct rf_hosted_recoveries *recoveries);

/**
 * rf_hosted_dump() - dump the state of kernel and device, for a post-mortem
 * @json: as JSON; else as text, which leaves out fields that are 0
 * @text: receives it, for free()
 *
 * -ENOMEM.
 */
int rf_hosted_dump(struct rf_hosted_device *device, bool json, char **text);

/*
 * The device's part of the dump, of a device that was not added. Does not change the state of the
 * device. Also -ENODEV.
 */
int rf_hosted_dump_bus(struct rf_bus *bus, bool json, char **text);

/**
 * struct rf_hosted_log_event - an entry of a fence log
 * @queue: handle of the queue
 * @wait: of a wait; else of a signal
 * @lost: entries were overwritten at this place before they were read; fields below are not valid
 * @fence: handle of the fence, as written by user mode
 * @value: signalled, or waited for
 * @observed: device's timestamp when the wait stalled, or 0
 * @end: when the value was signalled, or the wait over
 */
struct rf_hosted_log_event {
	uint32_t queue;
	bool wait;
	bool lost;
	uint32_t fence;
	uint64_t value;
	uint64_t observed;
	uint64_t end;
};

typedef void rf_hosted_trace_fn(void *argument, const struct rf_hosted_log_event *event);

/*
 * Call @function for every log entry that is read from now on, which happens at interrupts; NULL
 * ends that. Queues created meanwhile have longer logs. @function calls no function of this file,
 * and is called on any thread.
 */
void rf_hosted_trace(struct rf_hosted_device *device, rf_hosted_trace_fn *function, void *argument);

/*
 * Call @function when a process has made or opened a fence, with its handle, which is what fence logs
 * call it; @token: that of the fence, also on other devices, or 0: it is not shared. For files
 * that are opened later. @function calls no function of this file, and is called on any thread.
 */
typedef void rf_hosted_fence_fn(void *argument, uint32_t handle, uint64_t token);
void rf_hosted_trace_fences(struct rf_hosted_device *device, rf_hosted_fence_fn *function,
			    void *argument);

/*
 * Open a process with an address space of its own; -EBUSY none left. The first function opens a
 * privileged one, the second one with the given rights.
 */
int rf_hosted_open(struct rf_hosted_device *device, struct rf_file **file);
/*
 * @user: number of the user; limits of a user apply to all files of that user together
 * @privileged: may use every priority band and exceed the limits of a user
 *
 * -EMFILE: the user has as many files as a user may have.
 */
int rf_hosted_open_as(struct rf_hosted_device *device, uint64_t user, bool privileged,
		      struct rf_file **file);
/* Destroys whatever the file still owns; its mappings become invalid. */
void rf_hosted_close(struct rf_file *file);

/**
 * rf_hosted_request() - what an ioctl is to the kernel module
 * @request: enum drm_ringfence_request
 * @arguments: the request's structure of ringfence_drm.h
 *
 * Returns 0 or a negative errno; -ENOTTY for an unknown request.
 */
int rf_hosted_request(struct rf_file *file, unsigned int request, void *arguments);

/**
 * rf_hosted_map() - what mmap() is to the kernel module, for a whole object
 * @offset: an mmap offset that a request gave, but not a doorbell's
 * @pointer: receives the address, the same each time, valid until the object is
 *           destroyed; read-only offsets give memory that faults on a store (S0-2)
 *
 * -EINVAL no such offset; -EOPNOTSUPP memory that has no CPU address on this bus:
 * use rf_hosted_memory_read() and rf_hosted_memory_write().
 */
int rf_hosted_map(struct rf_file *file, uint64_t offset, void **pointer);

/* CPU access to memory of either kind, by its handle. -ENOENT; -ERANGE outside. */
int rf_hosted_memory_read(struct rf_file *file, uint32_t handle, uint64_t offset, void *data,
			  size_t bytes);
int rf_hosted_memory_write(struct rf_file *file, uint32_t handle, uint64_t offset, const void *data,
			   size_t bytes);

/**
 * rf_hosted_doorbell() - the page behind a doorbell_mmap_offset; NULL if none
 * @bytes: receives the size of the mapping, whole pages
 *
 * A doorbell of a simulated BAR has no address, so that a store to it is
 * rf_hosted_ring(). The page is valid until the doorbell is destroyed.
 */
struct rf_doorbell_page *rf_hosted_doorbell(struct rf_file *file, uint64_t offset, uint64_t *bytes);

/*
 * Store @value to the doorbell: one 64-bit write on the bus, or nothing while the
 * page is the dummy. Not a request: no part of the driver runs (S3-21).
 */
void rf_hosted_ring(struct rf_doorbell_page *page, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif /* RF_HOSTED_H */
