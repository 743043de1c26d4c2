// SPDX-License-Identifier: Apache-2.0
/*
 * Command recording: packets of ringfence_hw.h, one after the other. A recorder
 * that ran out of room remembers it instead of failing each call.
 *
 * From its submission to its progress value a recorder is in flight: the device reads its
 * words. Recording then is refused, and its memory outlives its destruction.
 */
#include <assert.h>

#include "umd.h"

static_assert((int)RF_ENGINE_COMPUTE == RF_NODE_COMPUTE && (int)RF_ENGINE_COPY == RF_NODE_COPY,
	      "nodes");
static_assert((int)RF_VECTOR_AXPB == RF_VECTOR_OPERATION_AXPB &&
		      (int)RF_VECTOR_SUM == RF_VECTOR_OPERATION_SUM,
	      "vector operations");

#define HEADER(OPCODE, words, flags, argument)                           \
	((uint64_t)RF_OPCODE_##OPCODE << RF_PACKET_HEADER_OPCODE_SHIFT | \
	 (uint64_t)(words) << RF_PACKET_HEADER_WORDS_SHIFT |             \
	 (uint64_t)(flags) << RF_PACKET_HEADER_FLAGS_SHIFT |             \
	 (uint64_t)(argument) << RF_PACKET_HEADER_ARGUMENT_SHIFT)

/* --- life ---------------------------------------------------------------------------- */

static bool in_flight(const struct rf_commands *commands)
{
	return commands->queue && commands->submitted && !commands->queue->device->inherited &&
	       rf_queue_progressed(commands->queue) < commands->submitted;
}

static void free_commands(struct rf_commands *commands)
{
	if (commands->copied)
		free(commands->words);
	rf_memory_destroy(commands->memory);
	free(commands);
}

void rf_commands_free(struct rf_commands *list)
{
	struct rf_commands *commands;

	while ((commands = list)) {
		list = commands->next;
		free_commands(commands);
	}
}

/*
 * Those that were destroyed and are complete, or @all, off the queue's list. What a kernel-mode
 * queue has in flight the driver holds itself. lock held.
 */
static struct rf_commands *take_complete(struct rf_queue *queue, bool all)
{
	struct rf_commands **link = &queue->commands, *commands, *done = NULL;

	while ((commands = *link)) {
		if (!all && (!commands->destroyed || (queue->ring && in_flight(commands)))) {
			link = &commands->next;
			continue;
		}
		*link = commands->next;
		commands->queue = NULL;
		commands->ready = NULL;
		if (commands->destroyed) {
			commands->next = done;
			done = commands;
		}
	}
	return done;
}

struct rf_commands *rf_commands_detach(struct rf_queue *queue)
{
	struct rf_commands *done;

	pthread_mutex_lock(&queue->device->lock);
	done = take_complete(queue, true);
	pthread_mutex_unlock(&queue->device->lock);
	return done;
}

int rf_commands_create(struct rf_queue *queue, uint64_t bytes, uint32_t memory_flags,
		       struct rf_commands **result)
{
	const uint64_t tail = RF_PACKET_PROGRESS_WORDS_MAX;
	struct rf_commands *commands, *done;
	int error;

	if (bytes > UINT32_MAX - 4096)
		return -EINVAL;
	commands = calloc(1, sizeof(*commands));
	if (!commands)
		return -ENOMEM;
	error = rf_memory_create(queue->device, bytes + tail * 8, memory_flags, &commands->memory);
	if (error)
		goto free_commands;
	commands->queue = queue;
	commands->ready = queue;
	commands->log = true;
	commands->capacity = (uint32_t)(commands->memory->bytes / 8 - tail);
	commands->words = rf_memory_map(commands->memory);
	if (!commands->words) {
		commands->copied = true;
		commands->words = malloc(commands->memory->bytes);
		error = -ENOMEM;
		if (!commands->words)
			goto destroy_memory;
	}
	pthread_mutex_lock(&queue->device->lock);
	done = take_complete(queue, false);
	commands->next = queue->commands;
	queue->commands = commands;
	pthread_mutex_unlock(&queue->device->lock);
	rf_commands_free(done);
	*result = commands;
	return 0;

destroy_memory:
	rf_memory_destroy(commands->memory);
free_commands:
	free(commands);
	return error;
}

void rf_commands_destroy(struct rf_commands *commands)
{
	struct rf_device *device;

	if (!commands)
		return;
	device = commands->memory->device;
	pthread_mutex_lock(&device->lock);
	commands->destroyed = true;
	if (commands->queue)
		commands = take_complete(commands->queue, false);
	else
		commands->next = NULL;
	pthread_mutex_unlock(&device->lock);
	rf_commands_free(commands);
}

/* --- recording ------------------------------------------------------------------------- */

static void fail(struct rf_commands *commands, int error)
{
	if (!commands->error)
		commands->error = error;
	commands->ready = NULL;
}

static bool may_record(struct rf_commands *commands)
{
	if (!commands->queue)
		fail(commands, -EINVAL);
	else if (in_flight(commands))
		fail(commands, -EBUSY);
	else
		commands->submitted = 0;
	if (!commands->error)
		commands->ready = commands->queue;
	return !commands->submitted && commands->queue;
}

/* Is it this process's, and may this handle do it? @right: RF_FENCE_NO_* */
static bool may_use(struct rf_commands *commands, const struct rf_fence *fence, uint32_t right)
{
	int error = 0;

	if (!may_record(commands))
		return false;
	if (fence->device != commands->queue->device)
		error = -EINVAL;
	else if (fence->flags & right)
		error = -EACCES;
	if (error)
		fail(commands, error);
	return !error;
}

void rf_commands_reset(struct rf_commands *commands)
{
	if (!may_record(commands))
		return;
	commands->count = 0;
	commands->error = 0;
	commands->ready = commands->queue;
}

void rf_commands_log(struct rf_commands *commands, int on)
{
	commands->log = on;
}

/* Words of a packet, or a packet as a structure of such. */
static void append(struct rf_commands *commands, const void *words, unsigned int count)
{
	if (!may_record(commands))
		return;
	if (count > commands->capacity - commands->count) {
		fail(commands, -ENOSPC);
		return;
	}
	memcpy(&commands->words[commands->count], words, count * 8);
	commands->count += count;
}

void rf_command_raw(struct rf_commands *commands, const uint64_t *words, unsigned int count)
{
	append(commands, words, count);
}

void rf_command_nop(struct rf_commands *commands, unsigned int words)
{
	uint64_t packet[RF_PACKET_NOP_WORDS_MAX] = { HEADER(NOP, words, 0, 0) };

	if (words < RF_PACKET_NOP_WORDS_MIN || words > RF_PACKET_NOP_WORDS_MAX)
		fail(commands, -ENOSPC);
	else
		append(commands, packet, words);
}

/* Of each log of the queue: the kernel may enlarge them. */
static uint32_t log_entries(const struct rf_queue *queue)
{
	if (!queue->last_queued)
		return 0;
	return (uint32_t)__atomic_load_n(&queue->last_queued[1], __ATOMIC_ACQUIRE);
}

/* Log entries are numbered per queue, in the order of recording. */
static uint32_t next_index(uint32_t *next, uint32_t entries)
{
	uint32_t index = *next;

	*next = index + 1 == entries ? 0 : index + 1;
	return index;
}

static uint64_t log_payload(const struct rf_fence *fence, uint32_t operation)
{
	return (uint64_t)operation << 32 | fence->handle;
}

void rf_command_signal(struct rf_commands *commands, struct rf_fence *fence, uint64_t value)
{
	struct rf_queue *queue = commands->queue;
	uint32_t entries;
	struct rf_packet_signal packet = {
		.header = HEADER(SIGNAL, RF_PACKET_SIGNAL_WORDS_MIN, 0, 0),
		.current_address = fence->current_address,
		.value = value,
		.monitored_address = fence->monitored_address,
	};

	if (!may_use(commands, fence, RF_FENCE_NO_SIGNAL))
		return;
	/* Without a ring of its own it is a kernel-mode queue. */
	if (!fence->current_address || (fence->type == RF_FENCE_MONITORED && queue->ring)) {
		fail(commands, -EOPNOTSUPP);
		return;
	}
	entries = log_entries(queue);
	if (commands->log && entries) {
		packet.header =
			HEADER(SIGNAL, RF_PACKET_SIGNAL_WORDS_MAX, RF_PACKET_SIGNAL_FLAG_LOG,
			       next_index(&queue->signal_log_next, entries));
		packet.log_payload = log_payload(fence, RF_LOG_OPERATION_SIGNAL_EXECUTED);
		append(commands, &packet, RF_PACKET_SIGNAL_WORDS_MAX);
	} else {
		append(commands, &packet, RF_PACKET_SIGNAL_WORDS_MIN);
	}
}

void rf_command_signal_skipped(struct rf_commands *commands, struct rf_fence *fence, uint64_t value)
{
	struct rf_queue *queue = commands->queue;
	struct rf_log_entry entry = {
		.fence_value = value,
		.fence_handle = fence->handle,
		.operation_type = RF_LOG_OPERATION_SIGNAL_EXECUTED,
	};
	uint64_t address, words[sizeof(entry) / 8];
	uint32_t entries, i;

	if (!may_use(commands, fence, RF_FENCE_NO_SIGNAL))
		return;
	entries = log_entries(queue);
	if (!commands->log || !entries)
		return;
	address = __atomic_load_n(&queue->last_queued[2], __ATOMIC_RELAXED) + RF_LOG_HEADER_BYTES +
		  (uint64_t)next_index(&queue->signal_log_next, entries) * RF_LOG_ENTRY_BYTES;
	memcpy(words, &entry, sizeof(words));
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		rf_command_write(commands, address + 8 * i, words[i]);
}

void rf_command_wait(struct rf_commands *commands, struct rf_fence *fence, uint64_t value)
{
	struct rf_queue *queue = commands->queue;
	uint32_t entries;
	struct rf_packet_wait packet = {
		.header = HEADER(WAIT, RF_PACKET_WAIT_WORDS_MIN, 0, 0),
		.current_address = fence->current_address,
		.value = value,
	};

	if (!may_use(commands, fence, RF_FENCE_NO_WAIT))
		return;
	/* The CPU signals it by a store, which does not release a waiting queue. */
	if (fence->type == RF_FENCE_MONITORED) {
		fail(commands, -EOPNOTSUPP);
		return;
	}
	entries = log_entries(queue);
	if (commands->log && entries) {
		packet.header = HEADER(WAIT, RF_PACKET_WAIT_WORDS_MAX, RF_PACKET_WAIT_FLAG_LOG,
				       next_index(&queue->wait_log_next, entries));
		packet.log_payload = log_payload(fence, RF_LOG_OPERATION_WAIT_UNBLOCKED);
		append(commands, &packet, RF_PACKET_WAIT_WORDS_MAX);
	} else {
		append(commands, &packet, RF_PACKET_WAIT_WORDS_MIN);
	}
}

void rf_command_software_signal(struct rf_commands *commands, struct rf_fence *fence,
				uint64_t value)
{
	const uint64_t packet[] = { HEADER(SOFTWARE_SIGNAL, 3, 0, 0), fence->handle, value };

	if (may_use(commands, fence, RF_FENCE_NO_SIGNAL))
		append(commands, packet, 3);
}

void rf_command_trap(struct rf_commands *commands, uint64_t code)
{
	const uint64_t packet[] = { HEADER(TRAP, 2, 0, 0), code };

	append(commands, packet, 2);
}

void rf_command_write(struct rf_commands *commands, uint64_t address, uint64_t value)
{
	const uint64_t packet[] = { HEADER(WRITE, 3, 0, 0), address, value };

	append(commands, packet, 3);
}

void rf_command_timestamp(struct rf_commands *commands, uint64_t address)
{
	const uint64_t packet[] = { HEADER(TIMESTAMP, 2, 0, 0), address };

	append(commands, packet, 2);
}

void rf_command_barrier(struct rf_commands *commands)
{
	const uint64_t packet[] = { HEADER(BARRIER, 1, 0, 0) };

	append(commands, packet, 1);
}

void rf_command_copy(struct rf_commands *commands, uint64_t destination, uint64_t source,
		     uint64_t bytes)
{
	const uint64_t packet[] = { HEADER(COPY, 4, 0, 0), destination, source, bytes };

	append(commands, packet, 4);
}

void rf_command_fill(struct rf_commands *commands, uint64_t destination, uint64_t bytes,
		     uint64_t pattern)
{
	const uint64_t packet[] = { HEADER(FILL, 4, 0, 0), destination, bytes, pattern };

	append(commands, packet, 4);
}

void rf_command_vector(struct rf_commands *commands, enum rf_vector operation, uint64_t destination,
		       uint64_t x, uint64_t y, uint64_t count)
{
	const uint64_t packet[] = { HEADER(VECTOR, 5, 0, operation), destination, x, count, y };

	if ((unsigned int)operation > RF_VECTOR_SUM)
		fail(commands, -EINVAL);
	else if (!commands->memory->device->vector_engine)
		fail(commands, -EOPNOTSUPP);
	else
		append(commands, packet, 5);
}
