/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations shared by the files of the user-mode driver. The kernel-mode driver is reached
 * through a carrier (carrier.h); this code does not depend on which one.
 */
#ifndef RF_UMD_H
#define RF_UMD_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "carrier.h"
#include "drm/ringfence_drm.h"
#include "ringfence.h"
#include "ringfence_hw.h"

#define PAGE_BYTES 4096u

struct rf_device {
	struct rf_carrier *carrier;
	struct drm_ringfence_adapter_info info;
	bool vector_engine;
	uint64_t debug_timeout; /* of blocking waits; atomic */
	bool inherited; /* by fork(): the parent's, and left alone (device.c) */
	struct rf_device *next; /* of this process; device.c */
	pthread_mutex_t lock; /* guards the lists of queues and of their recorders */
	struct rf_queue *queues;
	/* that it was linked with, and may be gone: to compare only; atomic */
	const struct rf_device *linked;
};

struct rf_memory {
	struct rf_device *device;
	uint32_t handle;
	uint32_t flags; /* RF_MEMORY_* */
	uint64_t bytes;
	uint64_t address;
	void *cpu; /* NULL: no CPU mapping on this carrier */
};

struct rf_fence {
	struct rf_device *device;
	uint32_t handle;
	uint32_t type;
	uint32_t flags; /* RF_FENCE_NO_SIGNAL, RF_FENCE_NO_WAIT: what this handle may not do */
	bool of_queue; /* the progress fence of a queue, which ends it */
	uint64_t token; /* 0: not shared */
	const uint64_t *value; /* NULL: INTRA_GPU */
	uint64_t current_address;
	uint64_t monitored_address;
};

struct rf_context {
	struct rf_device *device;
	uint32_t handle;
	uint32_t node;
};

struct rf_queue {
	struct rf_device *device;
	struct rf_memory *
		ring; /* NULL: kernel mode; else entries, then the write-pointer record in a page of its own */
	uint64_t *entries; /* CPU address of the ring, or NULL: through rf_memory_write() */
	uint64_t *write_pointer; /* the record, or NULL */
	const uint64_t *status; /* doorbell status word */
	uint64_t *last_queued; /* [1]: entries of each log; [2]: address of the signal log */
	struct rf_carrier_doorbell *doorbell;
	uint64_t token;
	uint64_t submitted; /* user mode: also the write pointer, one entry each */
	uint32_t entry_count;
	uint32_t handle;
	uint32_t doorbell_handle;
	struct drm_ringfence_log_detail log; /* when the queue was made */
	uint32_t wait_log_next;
	uint32_t signal_log_next;
	struct rf_fence progress;
	struct rf_queue *next; /* of the device */
	struct rf_commands *commands; /* all of its recorders */
};

/*
 * While a submission has not reached its progress value it is in flight: the words and the
 * memory belong to the device.
 */
struct rf_commands {
	struct rf_queue *queue; /* NULL: was destroyed */
	struct rf_commands *next; /* of the queue */
	struct rf_memory *memory;
	uint64_t submitted; /* progress value of the last submission; 0: none */
	const struct rf_queue *ready; /* submit need not look closer; NULL submitted, or an error */
	bool destroyed; /* by its owner, in flight; freed when it is complete */
	uint64_t *words; /* in @memory if that is mapped, else a copy of it */
	uint32_t count;
	uint32_t capacity; /* without the PROGRESS packet that submit appends */
	bool copied; /* @words is a copy */
	bool log;
	int error; /* the first of recording */
};

struct rf_event {
	struct rf_device *device;
	uint32_t handle;
};

/* One request; a signal's interruption is not the caller's business. */
static inline int rf_request(struct rf_device *device, unsigned int request, void *arguments)
{
	int error;

	if (device->inherited)
		return -ENODEV;
	do {
		error = rf_carrier_request(device->carrier, request, arguments);
	} while (error == -EINTR);
	return error;
}

static inline void rf_unmap(struct rf_device *device, void *pointer)
{
	if (!device->inherited)
		rf_carrier_unmap(device->carrier, pointer);
}

/* rf_memory_create(), at the address of memory of the linked process; 0: anywhere. device.c */
int rf_memory_create_at(struct rf_device *device, uint64_t bytes, uint32_t flags, uint32_t linked,
			struct rf_memory **memory);
/* Elements of a request that names @count fences of @device; -EINVAL. fence.c. */
int rf_fence_values(struct rf_device *device, struct rf_fence *const *fences,
		    const uint64_t *values, unsigned int count,
		    struct drm_ringfence_fence_value elements[DRM_RINGFENCE_OBJECTS_MAX]);
/* Fill in a fence from its mapping, and undo it; fence.c. */
int rf_fence_map(struct rf_fence *fence, const struct drm_ringfence_fence_mapping *mapping);
/* Of a handle, which is destroyed if this fails; @token: 0 if it is not known. */
int rf_fence_make(struct rf_device *device, uint32_t handle, uint32_t type, uint32_t flags,
		  uint64_t token, const struct drm_ringfence_fence_mapping *mapping,
		  struct rf_fence **fence);
void rf_fence_unmap(const struct rf_fence *fence);

/* What is complete. */
static inline uint64_t rf_queue_progressed(const struct rf_queue *queue)
{
	return __atomic_load_n(queue->progress.value, __ATOMIC_ACQUIRE);
}

/*
 * commands.c: detach the recorders of a queue that is being destroyed; its progress is not read
 * after this. Returns those already destroyed by their owner, to be freed once the device is done.
 */
struct rf_commands *rf_commands_detach(struct rf_queue *queue);
void rf_commands_free(struct rf_commands *list);

#endif
