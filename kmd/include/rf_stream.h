/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The command stream of a queue in software (ringfence_hw.h), for miniports that are loaded and for
 * models: the ring, or what the kernel has submitted; command buffers; packets; what the engines
 * do. A miniport of a device that has packets of its own reads by rf_stream_begin() and
 * rf_stream_read(), and translates. A device without one of the engines leaves its packets to
 * rf_stream_work().
 *
 * User space only. Calls for one stream do not overlap. tests/model compares rf_stream_work() with
 * the RTL.
 */
#ifndef RF_STREAM_H
#define RF_STREAM_H

#include <time.h>

#include "rf_ddi.h"
#include "ringfence_hw.h"

/**
 * struct rf_stream_space - memory that the packets of a queue reach, and the queue's first error
 * @find: where @address is in this process; @bytes: how many bytes follow it there. NULL: it is not
 *        mapped, or @store is true and it may not be written
 * @argument: first argument of @find
 * @error: enum rf_queue_error; 0: none. Set by the functions below; the queue must stop
 * @error_address: address that could not be reached, or address of the bad packet
 * @error_store: the access was a store
 */
struct rf_stream_space {
	void *(*find)(void *argument, u64 address, bool store, u64 *bytes);
	void *argument;
	u32 error;
	u64 error_address;
	bool error_store;
};

static inline void rf_stream_fail(struct rf_stream_space *space, u32 error, u64 address, bool store)
{
	space->error = error;
	space->error_address = address;
	space->error_store = store;
}

/*
 * Where @address is; NULL: the space has an error. @bytes: in: wanted; out: at most that, and at
 * most what lies there in one piece.
 */
static inline void *rf_stream_reach(struct rf_stream_space *space, u64 address, bool store,
				    u32 alignment, u64 *bytes)
{
	u64 room = 0;
	void *place = space->find(space->argument, address, store, &room);

	if (place && address % alignment == 0) {
		*bytes = *bytes < room ? *bytes : room;
		return place;
	}
	rf_stream_fail(space,
		       address % alignment ? RF_QUEUE_ERROR_ALIGNMENT : RF_QUEUE_ERROR_TRANSLATION,
		       address, store);
	return NULL;
}

/* One aligned word of 8 bytes. */
static inline u64 *rf_stream_word(struct rf_stream_space *space, u64 address, bool store)
{
	u64 bytes = sizeof(u64);

	return rf_stream_reach(space, address, store, sizeof(u64), &bytes);
}

/* --- reading ------------------------------------------------------------------------------ */

/* Least and most words, and a bit for each node. */
#define RF_STREAM_FORMAT(name, nodes)                                                         \
	{                                                                                     \
		RF_OPCODE_##name, RF_PACKET_##name##_WORDS_MIN, RF_PACKET_##name##_WORDS_MAX, \
			nodes                                                                 \
	}
#define RF_STREAM_ANY_NODE (1u << RF_NODE_COPY | 1u << RF_NODE_COMPUTE)

static inline bool rf_stream_check(struct rf_stream_space *space, u64 address, u64 room, u32 node,
				   u64 header)
{
	static const struct {
		u8 opcode, least, most, nodes;
	} formats[] = {
		RF_STREAM_FORMAT(NOP, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(SIGNAL, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(WAIT, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(WRITE, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(TIMESTAMP, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(PROGRESS, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(BARRIER, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(SOFTWARE_SIGNAL, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(TRAP, RF_STREAM_ANY_NODE),
		RF_STREAM_FORMAT(COPY, 1u << RF_NODE_COPY),
		RF_STREAM_FORMAT(FILL, 1u << RF_NODE_COPY),
		RF_STREAM_FORMAT(VECTOR, 1u << RF_NODE_COMPUTE),
	};
	u32 opcode = (header & RF_PACKET_HEADER_OPCODE_MASK) >> RF_PACKET_HEADER_OPCODE_SHIFT;
	u32 count = (header & RF_PACKET_HEADER_WORDS_MASK) >> RF_PACKET_HEADER_WORDS_SHIFT, i;

	for (i = 0; i < ARRAY_SIZE(formats) && formats[i].opcode != opcode; i++)
		;
	if (i == ARRAY_SIZE(formats) || !(formats[i].nodes & 1u << node))
		rf_stream_fail(space, RF_QUEUE_ERROR_OPCODE, address, false);
	else if (count < formats[i].least || count > formats[i].most || count > room)
		rf_stream_fail(space, RF_QUEUE_ERROR_LENGTH, address, false);
	return !space->error;
}

#define RF_STREAM_SUBMISSIONS 64u

/**
 * struct rf_stream - the commands of a queue
 * @space: memory of its process. With an error the queue stops for good
 * @node: enum rf_node
 * @of_kernel: a kernel-mode queue: @submissions in place of a ring
 * @ring: address of the ring
 * @entries: number of its entries, a power of two; 0: there is no ring
 * @control: address of the write-pointer record
 * @written: entries, or submissions, that may be read
 * @read: entries, or submissions, that have been read
 * @at: address of the next packet
 * @end: address of the end of the command buffer
 * @submissions: at the counts above modulo RF_STREAM_SUBMISSIONS
 *
 * Initially zeroed, but for @space, @node and @of_kernel.
 */
struct rf_stream {
	struct rf_stream_space space;
	u32 node;
	bool of_kernel;
	u64 ring, entries, control;
	u64 written, read;
	u64 at, end;
	struct rf_submit_command_to_hw_queue submissions[RF_STREAM_SUBMISSIONS];
};

/* For create_doorbell. */
static inline void rf_stream_set_ring(struct rf_stream *stream,
				      const struct rf_create_doorbell *arguments)
{
	stream->ring = arguments->ring_buffer_gpu_va;
	stream->entries = arguments->ring_buffer_entries;
	stream->control = arguments->ring_buffer_control_gpu_va;
	stream->written = stream->read = 0;
}

/* For destroy_doorbell: the ring is not read any more. */
static inline void rf_stream_remove_ring(struct rf_stream *stream)
{
	stream->entries = 0;
	stream->written = stream->read;
}

/* User mode has rung with this write pointer: take it, if it is possible. */
static inline void rf_stream_offer(struct rf_stream *stream, u64 written)
{
	if (written > stream->written && written - stream->read <= stream->entries &&
	    !(written >> RF_WRITE_POINTER_BITS))
		stream->written = written;
}

/* The same for the write pointer in memory, if there is a ring. */
static inline void rf_stream_sample(struct rf_stream *stream)
{
	const u64 *control;
	u64 bytes;

	if (!stream->entries)
		return;
	control = stream->space.find(stream->space.argument, stream->control, false, &bytes);
	if (control)
		rf_stream_offer(stream, __atomic_load_n(control, __ATOMIC_ACQUIRE));
}

/* As submit_command_to_hw_queue: 0 or -EAGAIN. */
static inline int rf_stream_submit(struct rf_stream *stream,
				   const struct rf_submit_command_to_hw_queue *arguments)
{
	if (stream->written - stream->read >= RF_STREAM_SUBMISSIONS - 1) /* the last one is kept */
		return -EAGAIN;
	stream->submissions[stream->written++ % RF_STREAM_SUBMISSIONS] = *arguments;
	return 0;
}

/* The submission that was read last, in a kernel-mode queue. */
static inline const struct rf_submit_command_to_hw_queue *
rf_stream_submission(const struct rf_stream *stream)
{
	return &stream->submissions[(stream->read - 1) % RF_STREAM_SUBMISSIONS];
}

static inline bool rf_stream_has_entry(const struct rf_stream *stream)
{
	return stream->read != stream->written;
}

/* Read the next entry, which gives @at and @end. False: the space has an error. */
static inline bool rf_stream_begin(struct rf_stream *stream)
{
	u64 entry, size, *address, *word;

	if (stream->of_kernel) {
		stream->read++;
		stream->at = rf_stream_submission(stream)->dma_buffer_virtual_address;
		stream->end = stream->at + rf_stream_submission(stream)->dma_buffer_size;
		return true;
	}
	entry = stream->ring + stream->read % stream->entries * RF_RING_ENTRY_BYTES;
	address = rf_stream_word(&stream->space, entry, false);
	word = address ? rf_stream_word(&stream->space, entry + 8, false) : NULL;
	if (!word)
		return false;
	stream->at = __atomic_load_n(address, __ATOMIC_RELAXED);
	size = __atomic_load_n(word, __ATOMIC_RELAXED); /* above it flags, which are 0 */
	if (stream->at % 8 || size % 8 || size >> 32) {
		rf_stream_fail(&stream->space, RF_QUEUE_ERROR_RING_ENTRY, entry, false);
		return false;
	}
	stream->end = stream->at + size;
	stream->read++;
	return true;
}

/**
 * rf_stream_read() - read the packet at @at, which is before @end, and check its header
 * @packet: receives the words; those that it does not have are 0
 *
 * Returns the number of words, by which the caller moves @at; 0: the space has an error.
 */
static inline u32 rf_stream_read(struct rf_stream *stream, u64 packet[RF_PACKET_WORDS_MAX])
{
	u64 room = (stream->end - stream->at) / sizeof(u64);
	u32 count = 1, i;
	u64 *word;

	memset(packet, 0, RF_PACKET_WORDS_MAX * sizeof(*packet));
	for (i = 0; i < count; i++) {
		word = rf_stream_word(&stream->space, stream->at + i * sizeof(u64), false);
		if (!word)
			return 0;
		packet[i] = __atomic_load_n(word, __ATOMIC_RELAXED); /* user mode may change it */
		if (i == 0 &&
		    !rf_stream_check(&stream->space, stream->at, room, stream->node, packet[0]))
			return 0;
		count = (packet[0] & RF_PACKET_HEADER_WORDS_MASK) >> RF_PACKET_HEADER_WORDS_SHIFT;
	}
	return count;
}

/* --- engines: a range is worked on in pieces, as its pages may be anywhere -------------------- */

static inline void rf_stream_work_copy(struct rf_stream_space *space,
				       const struct rf_packet_copy *packet)
{
	u64 done, bytes;
	char *from, *to;

	for (done = 0; done < packet->bytes; done += bytes) {
		bytes = packet->bytes - done;
		from = rf_stream_reach(space, packet->source + done, false, 1, &bytes);
		to = from ? rf_stream_reach(space, packet->destination + done, true, 1, &bytes)
			  : NULL;
		if (!to)
			return;
		memmove(to, from, bytes);
	}
}

static inline void rf_stream_work_fill(struct rf_stream_space *space,
				       const struct rf_packet_fill *packet)
{
	u64 done, bytes, i;
	char *to;

	for (done = 0; done < packet->bytes; done += bytes) {
		bytes = packet->bytes - done;
		to = rf_stream_reach(space, packet->destination + done, true, 1, &bytes);
		if (!to)
			return;
		for (i = 0; i < bytes; i++)
			to[i] = packet->pattern >> (packet->destination + done + i) % 8 * 8;
	}
}

/* What VECTOR stores, but for SUM. */
static inline u32 rf_stream_element(u32 operation, u32 x, u32 y, u64 scalars)
{
	switch (operation) {
	case RF_VECTOR_OPERATION_AXPB:
		return (u32)scalars * x + (u32)(scalars >> 32);
	case RF_VECTOR_OPERATION_ADD:
		return x + y;
	case RF_VECTOR_OPERATION_XOR:
		return x ^ y;
	case RF_VECTOR_OPERATION_MIN:
		return (s32)x < (s32)y ? x : y;
	}
	return (s32)x > (s32)y ? x : y;
}

static inline void rf_stream_work_vector(struct rf_stream_space *space,
					 const struct rf_packet_vector *packet)
{
	u32 operation = packet->header >> RF_PACKET_HEADER_ARGUMENT_SHIFT, *x, *y, *to;
	bool sums = operation == RF_VECTOR_OPERATION_SUM;
	bool has_y = !sums && operation != RF_VECTOR_OPERATION_AXPB;
	u64 done, bytes, i, sum = 0, *place;

	if (operation > RF_VECTOR_OPERATION_SUM || packet->count >> 30)
		return rf_stream_fail(space, RF_QUEUE_ERROR_OPERAND, packet->destination, false);
	for (done = 0; done < packet->count * 4; done += bytes) {
		bytes = packet->count * 4 - done;
		to = x = y = rf_stream_reach(space, packet->x + done, false, 4, &bytes);
		if (x && has_y)
			to = y = rf_stream_reach(space, packet->y + done, false, 4, &bytes);
		if (y && !sums)
			to = rf_stream_reach(space, packet->destination + done, true, 4, &bytes);
		if (!to)
			return;
		for (i = 0; i < bytes / 4; i++) {
			if (sums)
				sum += (u64)(s32)x[i];
			else
				to[i] = rf_stream_element(operation, x[i], y[i], packet->y);
		}
	}
	place = sums ? rf_stream_word(space, packet->destination, true) : NULL;
	if (place)
		*place = sum;
}

static inline u64 rf_stream_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (u64)time.tv_sec * 1000000000u + (u64)time.tv_nsec;
}

/*
 * Do what a packet does that only stores: WRITE, TIMESTAMP (in ns), COPY, FILL, VECTOR. Others do
 * nothing. The space may have an error.
 */
static inline void rf_stream_work(struct rf_stream_space *space, const u64 *packet)
{
	u8 opcode = packet[0] & RF_PACKET_HEADER_OPCODE_MASK;
	u64 *word;

	switch (opcode) {
	case RF_OPCODE_WRITE:
	case RF_OPCODE_TIMESTAMP:
		word = rf_stream_word(space, packet[1], true);
		if (word)
			__atomic_store_n(word,
					 opcode == RF_OPCODE_WRITE ? packet[2] : rf_stream_now(),
					 __ATOMIC_RELEASE);
		return;
	case RF_OPCODE_COPY:
		return rf_stream_work_copy(space, (const void *)packet);
	case RF_OPCODE_FILL:
		return rf_stream_work_fill(space, (const void *)packet);
	case RF_OPCODE_VECTOR:
		return rf_stream_work_vector(space, (const void *)packet);
	}
}

#endif /* RF_STREAM_H */
