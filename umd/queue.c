// SPDX-License-Identifier: Apache-2.0
/*
 * Queues. Work for a kernel-mode queue is submitted by the driver. Submission to a user-mode queue,
 * in the order of S3-50, each step visible before the next: payload with its PROGRESS packet,
 * last-queued value, ring entry, write-pointer record, doorbell. Then, after a full barrier, the
 * status word shows whether the doorbell was connected (S3-52, C11). A doorbell starts
 * disconnected, so the first submission takes the same path as one after a disconnect.
 */
#include "umd.h"

static void store_release(uint64_t *address, uint64_t value)
{
	__atomic_store_n(address, value, __ATOMIC_RELEASE);
}

/*
 * Stores before it are visible to the device before those after it. A release fence does not
 * order stores to local memory, which may be mapped write-combining.
 */
static void store_barrier(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
#if defined(__x86_64__)
	__builtin_ia32_sfence();
#elif defined(__aarch64__)
	__asm__ volatile("dmb oshst" : : : "memory");
#else
#error "which instruction orders write-combining stores?"
#endif
}

/* --- contexts ------------------------------------------------------------------------ */

int rf_context_create(struct rf_device *device, uint32_t node, uint32_t priority,
		      struct rf_context **result)
{
	struct drm_ringfence_context_create create = { .node = node, .priority = priority };
	struct rf_context *context = malloc(sizeof(*context));
	int error;

	if (!context)
		return -ENOMEM;
	error = rf_request(device, DRM_RINGFENCE_CONTEXT_CREATE, &create);
	if (error) {
		free(context);
		return error;
	}
	*context = (struct rf_context){ device, create.handle, node };
	*result = context;
	return 0;
}

void rf_context_destroy(struct rf_context *context)
{
	if (!context)
		return;
	rf_request(context->device, DRM_RINGFENCE_CONTEXT_DESTROY,
		   &(struct drm_ringfence_context_destroy){ .handle = context->handle });
	free(context);
}

/* --- creation ------------------------------------------------------------------------ */

static int create_doorbell(struct rf_queue *queue, uint64_t control_offset)
{
	struct rf_carrier *carrier = queue->device->carrier;
	struct drm_ringfence_doorbell_create create = {
		.queue = queue->handle,
		.ring_memory = queue->ring->handle,
		.ring_control_memory = queue->ring->handle,
		.ring_control_offset = control_offset,
		.ring_entries = queue->entry_count,
	};
	void *status = NULL;
	int error;

	error = rf_request(queue->device, DRM_RINGFENCE_DOORBELL_CREATE, &create);
	if (error)
		return error;
	queue->doorbell_handle = create.handle;
	error = rf_carrier_doorbell_map(carrier, create.doorbell_mmap_offset,
					queue->device->info.doorbell_bytes, &queue->doorbell);
	if (!error)
		error = rf_carrier_map(carrier, create.status_mmap_offset, PAGE_BYTES, false,
				       &status);
	queue->status = status;
	return error;
}

static int create_ring(struct rf_queue *queue, uint32_t flags)
{
	uint64_t bytes = (uint64_t)queue->entry_count * sizeof(struct rf_ring_entry);
	int error;

	bytes = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	error = rf_memory_create(queue->device, bytes + PAGE_BYTES, flags, &queue->ring);
	if (error)
		return error;
	queue->entries = rf_memory_map(queue->ring);
	if (queue->entries)
		queue->write_pointer = queue->entries + bytes / 8;
	return create_doorbell(queue, bytes);
}

static int map_queue(struct rf_queue *queue, const struct drm_ringfence_queue_create *create)
{
	void *last_queued = NULL;
	int error;

	queue->progress.device = queue->device;
	queue->progress.handle = create->progress_fence;
	queue->progress.flags = RF_FENCE_NO_SIGNAL; /* but by the queue */
	queue->progress.of_queue = true;
	error = rf_fence_map(&queue->progress, &create->progress_mapping);
	if (error || !create->last_queued_mmap_offset)
		return error;
	error = rf_carrier_map(queue->device->carrier, create->last_queued_mmap_offset, PAGE_BYTES,
			       true, &last_queued);
	queue->last_queued = last_queued;
	return error;
}

static bool is_ring_size(const struct rf_device *device, bool kernel, uint32_t entries)
{
	if (kernel)
		return !entries;
	return entries >= 2 && entries <= device->info.ring_entries_max &&
	       !(entries & (entries - 1));
}

static int create_queue(struct rf_device *device, uint32_t node, uint32_t context, uint32_t entries,
			uint32_t flags, struct rf_queue **result)
{
	bool kernel = flags == RF_QUEUE_KERNEL || flags == RF_QUEUE_PACKETS;
	struct drm_ringfence_queue_create create = {
		.node = node,
		.flags = kernel ? 0 : DRM_RINGFENCE_QUEUE_USER_MODE_SUBMISSION,
		.context = context,
	};
	struct rf_queue *queue;
	int error;

	if (!is_ring_size(device, kernel, entries) || (!kernel && flags > RF_QUEUE_LOCAL))
		return -EINVAL;
	/* a hardware queue of the kernel reports its progress by a native fence */
	if (flags == RF_QUEUE_PACKETS ||
	    (kernel && !(device->info.flags & DRM_RINGFENCE_ADAPTER_NATIVE_FENCE)))
		create.flags = DRM_RINGFENCE_QUEUE_PACKETS;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	error = rf_request(device, DRM_RINGFENCE_QUEUE_CREATE, &create);
	if (error) {
		free(queue);
		return error;
	}
	queue->device = device;
	queue->handle = create.handle;
	/* A ring of one entry is always full, so rf_queue_submit() leaves the check to the driver. */
	queue->entry_count = kernel ? 1 : entries;
	queue->log = create.log;
	error = map_queue(queue, &create);
	if (!error && !kernel)
		error = create_ring(queue, flags & RF_QUEUE_LOCAL ? RF_MEMORY_LOCAL : 0);
	pthread_mutex_lock(&device->lock);
	queue->next = device->queues;
	device->queues = queue;
	pthread_mutex_unlock(&device->lock);
	if (error) {
		rf_queue_destroy(queue);
		return error;
	}
	*result = queue;
	return 0;
}

int rf_queue_create(struct rf_device *device, uint32_t node, uint32_t entries, uint32_t flags,
		    struct rf_queue **result)
{
	return create_queue(device, node, 0, entries, flags, result);
}

int rf_context_queue_create(struct rf_context *context, uint32_t entries, uint32_t flags,
			    struct rf_queue **result)
{
	return create_queue(context->device, context->node, context->handle, entries, flags,
			    result);
}

static void forget_queue(struct rf_queue *queue)
{
	struct rf_queue **link = &queue->device->queues;

	pthread_mutex_lock(&queue->device->lock);
	while (*link != queue)
		link = &(*link)->next;
	*link = queue->next;
	pthread_mutex_unlock(&queue->device->lock);
}

void rf_queue_destroy(struct rf_queue *queue)
{
	struct rf_commands *commands;
	struct rf_device *device;

	if (!queue)
		return;
	device = queue->device;
	forget_queue(queue);
	commands = rf_commands_detach(queue);
	if (!device->inherited)
		rf_carrier_doorbell_unmap(device->carrier, queue->doorbell);
	rf_unmap(device, (void *)queue->status);
	rf_unmap(device, queue->last_queued);
	rf_fence_unmap(&queue->progress);
	/* The doorbell goes with it. */
	rf_request(device, DRM_RINGFENCE_QUEUE_DESTROY,
		   &(struct drm_ringfence_queue_destroy){ .handle = queue->handle });
	rf_commands_free(commands);
	rf_memory_destroy(queue->ring);
	free(queue);
}

/* --- submission ---------------------------------------------------------------------- */

/* A ring without CPU mapping: the same stores, in the same order, by the carrier. */
static void publish_unmapped(struct rf_queue *queue, const struct rf_ring_entry *entry,
			     uint64_t submitted)
{
	uint64_t slot = (submitted - 1) & (queue->entry_count - 1);

	rf_memory_write(queue->ring, slot * sizeof(*entry), entry, sizeof(*entry));
	rf_memory_write(queue->ring, queue->ring->bytes - PAGE_BYTES, &submitted, 8);
}

static void publish(struct rf_queue *queue, const struct rf_commands *commands, uint64_t submitted)
{
	const struct rf_ring_entry entry = {
		.address = commands->memory->address,
		.size = (commands->count + RF_PACKET_PROGRESS_WORDS_MAX) * 8,
	};
	struct rf_ring_entry *ring = (struct rf_ring_entry *)queue->entries;

	if (!ring) {
		publish_unmapped(queue, &entry, submitted);
		return;
	}
	ring[(submitted - 1) & (queue->entry_count - 1)] = entry;
	store_barrier();
	store_release(queue->write_pointer, submitted);
}

static int connect_doorbell(struct rf_queue *queue)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = queue->doorbell_handle };
	int error = rf_request(queue->device, DRM_RINGFENCE_DOORBELL_CONNECT, &connect);

	queue->token = connect.token;
	return error;
}

/* The status after the doorbell decides on further steps; the ring entry is not written again. */
static int finish_ring(struct rf_queue *queue, uint64_t status)
{
	struct drm_ringfence_queue_notify notify = { .handle = queue->handle };
	int error;

	while (status == DRM_RINGFENCE_DOORBELL_DISCONNECTED_RETRY) {
		error = connect_doorbell(queue);
		if (error)
			return error == -ENODEV ? error : -EIO;
		rf_carrier_ring(queue->doorbell, queue->submitted | queue->token);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		status = __atomic_load_n(queue->status, __ATOMIC_ACQUIRE);
	}
	if (status == DRM_RINGFENCE_DOORBELL_CONNECTED_NOTIFY)
		return rf_request(queue->device, DRM_RINGFENCE_QUEUE_NOTIFY, &notify);
	return status == DRM_RINGFENCE_DOORBELL_CONNECTED ? 0 : -EIO;
}

/* The driver appends the progress. */
static int submit_by_driver(struct rf_queue *queue, struct rf_commands *commands)
{
	struct drm_ringfence_queue_submit submit = {
		.queue = queue->handle,
		.memory = commands->memory->handle,
		.size = commands->count * 8,
	};
	int error;

	if (commands->copied)
		rf_memory_write(commands->memory, 0, commands->words, submit.size);
	error = rf_request(queue->device, DRM_RINGFENCE_QUEUE_SUBMIT, &submit);
	if (!error) {
		queue->submitted = submit.progress_value;
		commands->submitted = submit.progress_value;
		commands->ready = NULL;
	}
	return error;
}

/* -EIO for a queue that is lost, else @otherwise. A connected one is not. */
static int lost_or(struct rf_queue *queue, int otherwise)
{
	uint64_t address;
	uint32_t error;

	if (__atomic_load_n(queue->status, __ATOMIC_ACQUIRE) == DRM_RINGFENCE_DOORBELL_CONNECTED)
		return otherwise;
	return rf_queue_status(queue, &error, &address) == -EIO ? -EIO : otherwise;
}

/* Of commands that were submitted before, or are not fit for this queue. */
static int check_commands(struct rf_queue *queue, const struct rf_commands *commands)
{
	if (queue->device->inherited)
		return -ENODEV;
	if (commands->queue != queue)
		return -EINVAL;
	if (commands->error)
		return commands->error;
	/* The driver's own packet behind them reports progress, for each submission another. */
	if (!queue->ring || rf_queue_progressed(queue) >= commands->submitted)
		return 0;
	return lost_or(queue, -EBUSY);
}

/* Without room in the ring. */
static int submit_otherwise(struct rf_queue *queue, struct rf_commands *commands)
{
	if (queue->device->inherited)
		return -ENODEV;
	return queue->ring ? lost_or(queue, -EAGAIN) : submit_by_driver(queue, commands);
}

int rf_queue_submit(struct rf_queue *queue, struct rf_commands *commands)
{
	uint64_t submitted = queue->submitted + 1;
	uint64_t *tail = &commands->words[commands->count];
	uint64_t status;
	int error;

	if (commands->ready != queue) {
		error = check_commands(queue, commands);
		if (error)
			return error;
	}
	/*
	 * One entry stays free: the device reports progress before it gives the
	 * entry back.
	 */
	if (queue->submitted - rf_queue_progressed(queue) >= queue->entry_count - 1)
		return submit_otherwise(queue, commands);

	tail[0] = (uint64_t)RF_OPCODE_PROGRESS << RF_PACKET_HEADER_OPCODE_SHIFT |
		  (uint64_t)RF_PACKET_PROGRESS_WORDS_MAX << RF_PACKET_HEADER_WORDS_SHIFT;
	tail[1] = submitted;
	if (commands->copied)
		rf_memory_write(commands->memory, 0, commands->words,
				(commands->count + RF_PACKET_PROGRESS_WORDS_MAX) * 8);

	store_release(queue->last_queued, submitted);
	store_barrier();
	publish(queue, commands, submitted);
	queue->submitted = submitted;
	store_barrier();
	rf_carrier_ring(queue->doorbell, submitted | queue->token);
	commands->submitted = submitted;
	commands->ready = NULL;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	status = __atomic_load_n(queue->status, __ATOMIC_ACQUIRE);
	if (status == DRM_RINGFENCE_DOORBELL_CONNECTED)
		return 0;
	return finish_ring(queue, status);
}

/* The kernel copies the commands. */
int rf_queue_broadcast(struct rf_queue *queue, struct rf_queue *other, struct rf_commands *commands)
{
	struct drm_ringfence_queue_render render = {
		.queue = queue->handle,
		.memory = commands->memory->handle,
		.size = commands->count * 8,
		.allocations = { .stride = sizeof(uint32_t) },
		.patches = { .stride = sizeof(struct drm_ringfence_patch_location) },
		.linked_queue = other->handle,
	};
	int error = check_commands(queue, commands);

	if (error)
		return error;
	if (__atomic_load_n(&queue->device->linked, __ATOMIC_RELAXED) != other->device)
		return -ENOLINK;
	if (commands->copied)
		rf_memory_write(commands->memory, 0, commands->words, render.size);
	error = rf_request(queue->device, DRM_RINGFENCE_QUEUE_RENDER, &render);
	if (error)
		return error;
	queue->submitted = render.progress_value;
	other->submitted = render.linked_progress_value;
	return 0;
}

/* --- packets of the kernel ------------------------------------------------------------ */

int rf_queue_wait_for(struct rf_queue *queue, struct rf_fence *const *fences,
		      const uint64_t *values, unsigned int count)
{
	struct drm_ringfence_fence_value elements[DRM_RINGFENCE_OBJECTS_MAX];
	struct drm_ringfence_queue_wait wait = {
		.queue = queue->handle,
		.fences = { sizeof(elements[0]), count, (uintptr_t)elements },
	};
	int error = rf_fence_values(queue->device, fences, values, count, elements);

	return error ? error : rf_request(queue->device, DRM_RINGFENCE_QUEUE_WAIT, &wait);
}

int rf_queue_signal(struct rf_queue *queue, struct rf_fence *const *fences, const uint64_t *values,
		    unsigned int count)
{
	struct drm_ringfence_fence_value elements[DRM_RINGFENCE_OBJECTS_MAX];
	struct drm_ringfence_queue_signal signal = {
		.queue = queue->handle,
		.fences = { sizeof(elements[0]), count, (uintptr_t)elements },
	};
	int error = rf_fence_values(queue->device, fences, values, count, elements);

	return error ? error : rf_request(queue->device, DRM_RINGFENCE_QUEUE_SIGNAL, &signal);
}

/* --- progress ------------------------------------------------------------------------ */

uint64_t rf_queue_submitted(const struct rf_queue *queue)
{
	return queue->submitted;
}

uint64_t rf_queue_completed(const struct rf_queue *queue)
{
	return rf_queue_progressed(queue);
}

int rf_queue_wait(struct rf_queue *queue, uint64_t timeout_ns)
{
	return rf_fence_wait(&queue->progress, queue->submitted, timeout_ns);
}

struct rf_fence *rf_queue_progress(struct rf_queue *queue)
{
	return &queue->progress;
}

int rf_queue_trapped(struct rf_queue *queue, uint64_t *code)
{
	struct drm_ringfence_queue_status status = { .handle = queue->handle };
	int result = rf_request(queue->device, DRM_RINGFENCE_QUEUE_STATUS, &status);

	if (result)
		return result;
	if (!status.trapped)
		return -EAGAIN;
	*code = status.trap_code;
	return 0;
}

int rf_queue_resume(struct rf_queue *queue)
{
	struct drm_ringfence_queue_resume resume = { .handle = queue->handle };

	return rf_request(queue->device, DRM_RINGFENCE_QUEUE_RESUME, &resume);
}

int rf_queue_status(struct rf_queue *queue, uint32_t *error, uint64_t *address)
{
	struct drm_ringfence_queue_status status = { .handle = queue->handle };
	int result = rf_request(queue->device, DRM_RINGFENCE_QUEUE_STATUS, &status);

	if (result)
		return result;
	*error = status.error;
	*address = status.error_address;
	return status.error ? -EIO : 0;
}
