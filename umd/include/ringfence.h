/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Ringfence user-mode driver
 *
 * Records command buffers and submits them to a Ringfence device by ringing a
 * doorbell; waits for fences and signals them. Source and calls are the same for every kind of
 * device: the in-process simulation ("sim:"), a DRM render node ("drm:"), a PCIe function that
 * the process drives itself ("pci:"), a board on a serial line ("serial:").
 *
 * All functions return 0 or a negative errno unless documented otherwise; none
 * changes its outputs on failure. Fence values are unsigned 64-bit; a wait for N
 * is satisfied when the fence's value is N or more. Time-outs are nanoseconds of
 * CLOCK_MONOTONIC from the call. A device and its objects may be used
 * from several threads; each queue and each command recorder by one thread at a time.
 *
 * Objects of two devices cannot be combined, even if both were opened with the same name: a call
 * with objects of both, or with a recorder of another queue, returns -EINVAL. A fence that two
 * devices share has an object on each: see rf_fence_open().
 *
 * After fork() a device still belongs to the parent only. The child may ignore the inherited
 * objects, or destroy and close them, which frees the child's memory and changes nothing for the
 * parent; every other call returns -ENODEV. Values of fences and mapped memory can still be read.
 * The child may open a device of its own.
 */
#ifndef RINGFENCE_H
#define RINGFENCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rf_device;
struct rf_memory;
struct rf_fence;
struct rf_context;
struct rf_queue;
struct rf_commands;
struct rf_event;

#define RF_TIMEOUT_NONE UINT64_MAX /* no time-out */

/* --- errors ------------------------------------------------------------------ */

/* Text for an error of these functions; @error negative or positive. Never NULL; do not free it. */
const char *rf_error_string(int error);
/* Text for the error that rf_queue_status() returns. Never NULL. */
const char *rf_queue_error_string(uint32_t error);
/*
 * Why the last rf_device_open() of this thread failed: a line with the name, its wrong word and
 * what would be right; "" if it did not fail. Valid until the thread's next rf_device_open().
 */
const char *rf_device_open_error(void);

/* --- device ------------------------------------------------------------------ */

/**
 * rf_device_open() - open a device, as one process sees it
 * @name: "sim:" or a device string, as in "sim:seed=7,random" (docs/device-string.md);
 *        "drm:/dev/dri/renderD128", or "drm:" for the first render node of the kernel's driver;
 *        "pci:0000:00:04.0", a function that no kernel driver is bound to;
 *        "serial:/dev/ttyUSB0", a board at the other end of that line;
 *        "miniport:./mine.so", the device of a shared object, "miniport:" the sample in
 *        software (docs/device-string.md); NULL: the value of
 *        RINGFENCE_DEVICE, or if that is not set "sim:" ("drm:" in the shared library). The shared
 *        library loads libringfence-sim for every kind but drm:
 *
 * A pci: device is reset when it is opened. It cannot access host memory: everything that is
 * created is in its local memory, which is small.
 *
 * Each open is a separate process to the device, with its own address space and handles. Opens
 * with the same name share one device. "sim:device=1" is a second device beside "sim:", with the same
 * memory and clock.
 *
 * Return: -ENODEV unknown kind of device, or no such device; -EINVAL malformed name; -EBUSY no
 * address space left, or a kernel driver is bound to the function; -EAGAIN another process
 * uses the function; -EIO the device did not respond; -EACCES, -ENOENT of the node or
 * function.
 */
int rf_device_open(const char *name, struct rf_device **device);
void rf_device_close(struct rf_device *device);

struct rf_device_info {
	uint32_t doorbells; /* dedicated doorbells */
	uint32_t nodes; /* engine nodes */
	uint32_t fence_stride; /* bytes between packed fence values */
	uint64_t local_memory_bytes;
	uint64_t timestamp_hz;
	uint32_t native_fence; /* 1: NativeGpuFenceSupported (S0-49) */
	uint32_t monitored_local; /* 1: MonitoredValue may be in local memory */
	uint32_t vector_engine; /* 0: RF_ENGINE_COMPUTE has no engine for rf_command_vector() */
};

int rf_device_info(struct rf_device *device, struct rf_device_info *info);

/* --- memory ------------------------------------------------------------------ */

#define RF_MEMORY_SYSTEM 0u
#define RF_MEMORY_LOCAL 1u

/**
 * rf_memory_create() - allocate memory for the device and the CPU
 * @bytes: rounded up to pages
 * @flags: RF_MEMORY_SYSTEM or RF_MEMORY_LOCAL
 *
 * The contents are zero. Return: -EINVAL, -ENOMEM.
 */
int rf_memory_create(struct rf_device *device, uint64_t bytes, uint32_t flags,
		     struct rf_memory **memory);
void rf_memory_destroy(struct rf_memory *memory);
/* GPU virtual address in this process; constant for the memory's life. */
uint64_t rf_memory_address(const struct rf_memory *memory);
/* CPU pointer of system memory; NULL for local memory on devices that cannot map it. */
void *rf_memory_map(struct rf_memory *memory);
/* CPU access to either kind; -ERANGE outside the memory. */
int rf_memory_write(struct rf_memory *memory, uint64_t offset, const void *data, size_t bytes);
int rf_memory_read(struct rf_memory *memory, uint64_t offset, void *data, size_t bytes);

/* --- fences ------------------------------------------------------------------ */

#define RF_FENCE_DEFAULT 0u /* D3DDDI_NATIVEFENCE_TYPE_DEFAULT */
#define RF_FENCE_INTRA_GPU 1u /* engines only: no CPU wait, no CPU signal, no initial value */
#define RF_FENCE_MONITORED 2u /* D3DDDI_MONITORED_FENCE, for kernel-mode queues */

#define RF_FENCE_SHARED 1u /* may be opened by other processes; own pages (S0-27) */
#define RF_FENCE_PLAIN 2u /* MonitoredValue in system memory, for tests and comparison */
/*
 * Through this handle: no signal by CPU or engine; no wait by CPU or engine, even for a value
 * that is reached. Both are refused with -EACCES: calls at once, commands when they are
 * submitted. Reading the value is not a wait.
 */
#define RF_FENCE_NO_SIGNAL 4u
#define RF_FENCE_NO_WAIT 8u
#define RF_FENCE_NO_GPU_ACCESS 16u /* MONITORED: no GPU address, requests only */
/* Keep the value when a process that could signal the fence is lost to a hang. Without
 * it the fence then gets its greatest value permanently, so that every wait ends. */
#define RF_FENCE_NO_SIGNAL_MAX_VALUE_ON_TDR 32u
/*
 * May be opened on other devices, too; implies RF_FENCE_SHARED; not RF_FENCE_INTRA_GPU (S0-75). On a
 * device without native fences it is opened as RF_FENCE_MONITORED, without a GPU address: use
 * rf_queue_wait_for() and rf_queue_signal() there. Where the devices cannot notify each other, each
 * signal by a device, except with the value 0, interrupts the CPU, which does. docs/two-devices.md
 */
#define RF_FENCE_CROSS_ADAPTER 64u

/*
 * That greatest value. A wait for a smaller value that ends by it returns -EIO, because the
 * awaited value was never signalled. A program that signals this value itself must wait for
 * this value, not for a smaller one.
 */
#define RF_FENCE_VALUE_LOST UINT64_MAX

/**
 * rf_fence_create() - create a native fence
 * @initial: first value; must be 0 for RF_FENCE_INTRA_GPU, where a queue signals the first
 *           value
 *
 * Return: -EINVAL, -ENOMEM, -EOPNOTSUPP native fences not enabled.
 */
int rf_fence_create(struct rf_device *device, uint32_t type, uint32_t flags, uint64_t initial,
		    struct rf_fence **fence);
/* Token that rf_fence_open() of another process takes; 0 if not shared. */
int rf_fence_share(struct rf_fence *fence, uint64_t *token);
/*
 * @flags: RF_FENCE_NO_SIGNAL or RF_FENCE_NO_WAIT for this handle, or 0. -ENOENT no such fence, or
 * one of another device without RF_FENCE_CROSS_ADAPTER. Devices share fences if they are of one
 * world, as "sim:" and "sim:device=1", and render nodes of the driver do.
 */
int rf_fence_open(struct rf_device *device, uint64_t token, uint32_t flags,
		  struct rf_fence **fence);
/* Waits that are still pending end with -ECANCELED. */
void rf_fence_destroy(struct rf_fence *fence);

/* Current value by a plain load, without a call into the driver (S0-17). */
uint64_t rf_fence_value(const struct rf_fence *fence);
/* CPU signal through the driver (S0-19); -EOPNOTSUPP for RF_FENCE_INTRA_GPU. */
int rf_fence_signal(struct rf_fence *fence, uint64_t value);
/*
 * Block until the value is reached; -ETIMEDOUT, -ECANCELED, -EACCES, -EIO device lost, or the
 * value was reached only by RF_FENCE_VALUE_LOST.
 */
int rf_fence_wait(struct rf_fence *fence, uint64_t value, uint64_t timeout_ns);

/*
 * For debugging: blocking waits of this device that take longer than @timeout_ns return -ETIME,
 * and the driver writes the states of all fences and queues to its log; no value changes.
 * 0, the default: no limit.
 */
void rf_device_debug_waits(struct rf_device *device, uint64_t timeout_ns);

#define RF_WAIT_ALL 0u
#define RF_WAIT_ANY 1u

/*
 * As rf_fence_wait() for 1..32 fences of one device. -EIO with RF_WAIT_ALL if one of
 * them is lost, with RF_WAIT_ANY if no other has reached its value.
 */
int rf_fences_wait(struct rf_fence *const *fences, const uint64_t *values, unsigned int count,
		   uint32_t mode, uint64_t timeout_ns);

/* The event form: returns at once; the event is set when the wait ends (S1-29). */
int rf_event_create(struct rf_device *device, struct rf_event **event);
void rf_event_destroy(struct rf_event *event);
int rf_fences_notify(struct rf_fence *const *fences, const uint64_t *values, unsigned int count,
		     uint32_t mode, struct rf_event *event);
/*
 * 0 set (and cleared again), -ETIMEDOUT, -ECANCELED a fence was destroyed. An event does not
 * report whether a value was lost: compare rf_fence_value().
 */
int rf_event_wait(struct rf_event *event, uint64_t timeout_ns);

/* --- queues ------------------------------------------------------------------ */

#define RF_ENGINE_COMPUTE 0u
#define RF_ENGINE_COPY 1u

#define RF_PRIORITY_MAX 15u

/**
 * rf_context_create() - create a context, for queues with the same priority
 * @priority: band of its queues, 0 .. RF_PRIORITY_MAX, higher first: a node runs nothing of
 *            a lower band while a higher one has work
 *
 * With the kernel driver, every band except 0 needs CAP_SYS_NICE.
 *
 * Return: -EINVAL no such node or band, -EACCES no permission, -ENOMEM.
 */
int rf_context_create(struct rf_device *device, uint32_t node, uint32_t priority,
		      struct rf_context **context);
/* Destroy its queues first. */
void rf_context_destroy(struct rf_context *context);

#define RF_QUEUE_LOCAL 1u /* ring in local memory */
#define RF_QUEUE_KERNEL 2u /* kernel mode: each submission is a call into the driver (S3-2) */
/*
 * Kernel mode, and the kernel schedules each submission as a DMA packet: those of a context of a higher
 * priority preempt those of a lower one (S4-4). Such a queue may broadcast: rf_queue_broadcast().
 */
#define RF_QUEUE_PACKETS 4u

/**
 * rf_queue_create() - create a queue; a user-mode queue gets a doorbell
 * @entries: ring entries, power of two, 2..4096; one less may be in flight; 0 for
 *           RF_QUEUE_KERNEL and RF_QUEUE_PACKETS, where the driver has the ring
 * @flags:   0 or one of RF_QUEUE_*
 *
 * A kernel-mode queue has no fence logs and no doorbell. There may be more queues than
 * the device runs at a time: they take turns.
 * Return: -EINVAL, -ENOMEM, -EOPNOTSUPP node takes no user-mode queues (S3-4), -EBUSY with
 * RF_QUEUE_PACKETS: no slot is left for the node.
 */
int rf_queue_create(struct rf_device *device, uint32_t node, uint32_t entries, uint32_t flags,
		    struct rf_queue **queue);
/* In a context, on its node; rf_queue_create() makes a context of band 0 for the queue. */
int rf_context_queue_create(struct rf_context *context, uint32_t entries, uint32_t flags,
			    struct rf_queue **queue);
/* Does not wait: unfinished work of a busy queue is dropped. */
void rf_queue_destroy(struct rf_queue *queue);

/**
 * rf_queue_submit() - submit a recorded command buffer to the device
 *
 * Stores payload, ring entry and write pointer in the order of S3-50 and rings
 * the doorbell. No call into the driver while the doorbell is connected (S3-21);
 * otherwise it reconnects and rings the same write pointer again. On a kernel-mode
 * queue the driver does all of it.
 *
 * The buffer is in flight until its progress value is reached. Meanwhile it must not be recorded
 * into or reset (later submissions of it return -EBUSY until it is reset when it is complete),
 * and cannot be submitted to a user-mode queue again. On a kernel-mode queue each submission has
 * its own progress value.
 *
 * Return, without any effect: -EAGAIN the ring is full, -EBUSY the buffer is in flight, -EINVAL
 * it is recorded for another queue, or a command names an object of another device, -EACCES a
 * command uses a fence beyond the rights of its handle. -EIO the queue is lost.
 */
int rf_queue_submit(struct rf_queue *queue, struct rf_commands *commands);
/**
 * rf_queue_wait_for() - hold later submissions to a kernel-mode queue
 *
 * Until each of 1..32 fences has reached its value. This call and later submissions return at
 * once (S1-22..S1-24); earlier submissions are not held. For any fence except
 * RF_FENCE_INTRA_GPU.
 *
 * Return: -EOPNOTSUPP a user-mode queue, whose waits are commands; -EACCES; -EAGAIN, -EIO
 * as of rf_queue_submit().
 */
int rf_queue_wait_for(struct rf_queue *queue, struct rf_fence *const *fences,
		      const uint64_t *values, unsigned int count);
/**
 * rf_queue_signal() - have 1..32 fences signalled in the order of a kernel-mode queue
 *
 * By the CPU, when everything submitted before is complete and nothing later has begun (S1-16):
 * for fences that no engine can write. Returns at once, as above.
 */
int rf_queue_signal(struct rf_queue *queue, struct rf_fence *const *fences, const uint64_t *values,
		    unsigned int count);
/* Progress value of the last submission, and of the last one completed. */
uint64_t rf_queue_submitted(const struct rf_queue *queue);
uint64_t rf_queue_completed(const struct rf_queue *queue);
/* Block until everything submitted so far is complete; -EIO the queue is lost. */
int rf_queue_wait(struct rf_queue *queue, uint64_t timeout_ns);
/* The progress fence, owned by the queue: rf_fence_destroy() does not destroy it. */
struct rf_fence *rf_queue_progress(struct rf_queue *queue);
/* 0, or -EIO if the queue was stopped by an error, with the device's reason in the arguments. */
int rf_queue_status(struct rf_queue *queue, uint32_t *error, uint64_t *address);
/* 0 and the code if the queue is stopped at an rf_command_trap(), or -EAGAIN. */
int rf_queue_trapped(struct rf_queue *queue, uint64_t *code);
/* Continue after the TRAP; -EINVAL the queue is not stopped at one. */
int rf_queue_resume(struct rf_queue *queue);

/* --- linked devices ------------------------------------------------------------------ */

/**
 * rf_device_link() - link two devices, as this process sees them
 *
 * Then commands of a queue of either may be broadcast to a queue of the other (S4-24). A device of a
 * process is linked with one other, and a device of the machine too. The link ends when one of the two
 * is closed, or lost; what was submitted to the other one goes on there. docs/two-devices.md
 *
 * Return: -EOPNOTSUPP the devices are not of one kind and one world, their drivers patch addresses, or
 * this driver cannot (drm:); -EBUSY one of them is linked already; -EINVAL it is the same one.
 */
int rf_device_link(struct rf_device *device, struct rf_device *other);

/**
 * rf_linked_memory_create() - allocate memory on two linked devices, at one GPU address
 * @devices: the two
 * @bytes, @flags: as of rf_memory_create(), for each
 * @memories: one for each; each device accesses its own
 *
 * Return: -ENOLINK the devices are not linked; -EADDRINUSE no address is free on both; and as
 * rf_memory_create().
 */
int rf_linked_memory_create(struct rf_device *const devices[2], uint64_t bytes, uint32_t flags,
			    struct rf_memory *memories[2]);

/**
 * rf_queue_broadcast() - submit a recorded command buffer to queues of two linked devices
 * @queue: for which it is recorded
 * @other: queue of the linked device, on the same node; both with RF_QUEUE_PACKETS
 *
 * The driver builds DMA buffers of the commands once, as many as they need, and both devices execute
 * them, each in its own order and with packets of other queues in between. Addresses in the commands
 * are those of memory that both devices have there (rf_linked_memory_create()). @commands may be
 * recorded into again at once.
 *
 * Return, without any effect: -EAGAIN too much is queued, -ENOLINK, -EINVAL, -EOPNOTSUPP, -EIO a queue
 * is lost. If @queue is lost during the call, @other may have the commands: see
 * rf_queue_submitted(), rf_queue_status().
 */
int rf_queue_broadcast(struct rf_queue *queue, struct rf_queue *other,
		       struct rf_commands *commands);

/* --- other fences of Linux ----------------------------------------------------- */

/*
 * On a render node only, otherwise -EOPNOTSUPP. An exported fence signals in bounded time, with
 * an error if the queue is lost or destroyed: drivers, compositors and poll() may wait for it.
 * A queue that does not reach the value in five TDR delays of the driver (10 s) is lost, whatever
 * progress it makes. So export only work that completes soon.
 */

/* The file descriptor of the render node, for libdrm and its syncobjs; owned by the device. */
int rf_device_fd(struct rf_device *device);
/* A sync_file of everything submitted so far. */
int rf_queue_export(struct rf_queue *queue, int *fd);
/* The same as a point of a timeline syncobj, or with 0 as the fence of a binary one. */
int rf_queue_export_point(struct rf_queue *queue, uint32_t syncobj, uint64_t point);
/*
 * Signal @value when the sync_file, or the syncobj's point, does. Returns at once; -EINVAL
 * @fd is no sync_file, or the syncobj has no fence there yet.
 */
int rf_fence_import(struct rf_fence *fence, uint64_t value, int fd);
int rf_fence_import_point(struct rf_fence *fence, uint64_t value, uint32_t syncobj, uint64_t point);
/* Add one to an eventfd when the fence has reached @value, or can no longer reach it. */
int rf_fence_eventfd(struct rf_fence *fence, uint64_t value, int fd);
/*
 * A file descriptor for a fence made with RF_FENCE_SHARED: every process that receives it, by a
 * socket or from its parent, may open the fence. @flags: RF_FENCE_NO_SIGNAL or RF_FENCE_NO_WAIT
 * remove that right from all of them; restrictions of @fence apply to them too. The fence lives as
 * long as the descriptor. -EINVAL it is not shared, or no right would remain.
 */
int rf_fence_to_fd(struct rf_fence *fence, uint32_t flags, int *fd);
/*
 * As rf_fence_open(); @fd stays open. -EINVAL @fd is no fence of this driver, or one of another device
 * without RF_FENCE_CROSS_ADAPTER; -ENODEV the device that rf_fence_to_fd() was called for was reset or
 * removed since.
 */
int rf_fence_from_fd(struct rf_device *device, int fd, uint32_t flags, struct rf_fence **fence);

/* --- command recording ------------------------------------------------------- */

/*
 * A recorder writes packets for one queue (log entries are numbered per queue) into its own
 * memory. An error of recording is stored and returned by rf_queue_submit(): -ENOSPC the memory
 * is full; -EOPNOTSUPP a user-mode queue signals RF_FENCE_MONITORED (S0-86), or any queue waits
 * for it (use rf_queue_wait_for()); -EINVAL, -EACCES, -EBUSY as for rf_queue_submit().
 * Addresses are GPU virtual addresses.
 */
int rf_commands_create(struct rf_queue *queue, uint64_t bytes, uint32_t memory_flags,
		       struct rf_commands **commands);
/* May be called in flight: the memory is kept until it is complete, or its queue destroyed. */
void rf_commands_destroy(struct rf_commands *commands);
/* Discard what was recorded; the last submission must be complete, see rf_queue_submit(). */
void rf_commands_reset(struct rf_commands *commands);

void rf_command_nop(struct rf_commands *commands, unsigned int words);
void rf_command_signal(struct rf_commands *commands, struct rf_fence *fence, uint64_t value);
/*
 * In the place of rf_command_signal(), if a linked device signals the fence: it leaves an entry in the
 * signal log with the timestamp 0, which is found with the queue's next signal, and nothing else.
 */
void rf_command_signal_skipped(struct rf_commands *commands, struct rf_fence *fence,
			       uint64_t value);
void rf_command_wait(struct rf_commands *commands, struct rf_fence *fence, uint64_t value);
/*
 * A signal by the CPU, in the order of the queue, which stops meanwhile (S1-16). The queue is
 * lost if the process may not signal the fence when the packet is executed.
 */
void rf_command_software_signal(struct rf_commands *commands, struct rf_fence *fence,
				uint64_t value);
/* A breakpoint: the queue stops here until rf_queue_resume(). */
void rf_command_trap(struct rf_commands *commands, uint64_t code);
void rf_command_write(struct rf_commands *commands, uint64_t address, uint64_t value);
void rf_command_timestamp(struct rf_commands *commands, uint64_t address);
void rf_command_barrier(struct rf_commands *commands);
void rf_command_copy(struct rf_commands *commands, uint64_t destination, uint64_t source,
		     uint64_t bytes);
void rf_command_fill(struct rf_commands *commands, uint64_t destination, uint64_t bytes,
		     uint64_t pattern);

enum rf_vector {
	RF_VECTOR_AXPB, /* destination[i] = a * x[i] + b */
	RF_VECTOR_ADD,
	RF_VECTOR_XOR,
	RF_VECTOR_MIN,
	RF_VECTOR_MAX,
	RF_VECTOR_SUM, /* one 64-bit word: the sum of x */
};

/*
 * y: address of the second operand; axpb: b << 32 | a; sum: 0. Submitting is refused with
 * -EOPNOTSUPP on a device without a vector engine (rf_device_info).
 */
void rf_command_vector(struct rf_commands *commands, enum rf_vector operation, uint64_t destination,
		       uint64_t x, uint64_t y, uint64_t count);
/* Any words, for tests of the device. */
void rf_command_raw(struct rf_commands *commands, const uint64_t *words, unsigned int count);

/* Whether signals and waits recorded from now on write fence log entries: 1 (default) or 0. */
void rf_commands_log(struct rf_commands *commands, int on);

#ifdef __cplusplus
}
#endif

#endif
