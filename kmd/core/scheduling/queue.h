/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A hardware queue, and how it is found. It is created and destroyed in queues/queue_life.c; parts
 * of the driver keep their state of a queue in structures of their own.
 *
 * Locking: the adapter's mutex for life. The list of queues is changed under wait_lock and
 * device_lock as well.
 */
#ifndef KMD_QUEUE_H
#define KMD_QUEUE_H

#include "base/notes.h"
#include "base/walk.h"
#include "rf_bus.h"
#include "rf_list.h"
#include "scheduling/residency.h"

struct kmd_adapter;
struct kmd_context;
struct kmd_doorbell;
struct kmd_file;
struct kmd_local_fence;
struct kmd_log;
struct kmd_packet_context;
struct kmd_wait;

/**
 * struct kmd_packets - the packets of a kernel-mode queue (queues/kernel_queue.c)
 * @submitted: progress value of the last submission
 * @pending: packets not yet given to the device, by kmd_packet.link
 * @running: packets given to the device
 * @finished: packets to be freed at PASSIVE
 * @count: number of packets on the first two lists
 * @reserved: number of packets that are charged, and will be appended
 * @completion: wait for the first of @running
 * @ready_link: in KMD_PENDING_READY
 *
 * Guarded by wait_lock.
 */
struct kmd_packets {
	u64 submitted;
	struct rf_list pending;
	struct rf_list running;
	struct rf_list finished;
	u32 count;
	u32 reserved;
	struct kmd_wait *completion;
	struct rf_list ready_link;
};

/**
 * struct kmd_queue - a hardware queue
 * @link: in kmd_adapter.queues
 * @walked: in kmd_walk.all_queues
 * @chain: in kmd_adapter.queue_hash, unless it has a packet context
 * @context_link: in kmd_context.members; guarded as @link
 * @file: process
 * @handle: in kmd_file.table
 * @context: its context
 * @node: that serves it
 * @user_mode: work is submitted through a doorbell; else through the kernel (S3-2)
 * @h_hw_queue: the miniport's handle; NULL with @packet_context
 * @packet_context: kernel mode: context in which the kernel schedules its packets; or NULL
 * @progress: progress fence
 * @last_queued: user mode: page with the last queued value, and the entries of a log
 * @last_queued_offset: where user mode maps it
 * @logs: user mode: KMD_LOGS fence logs (queues/log.h); or NULL
 * @doorbell: user mode: or NULL; guarded by mutex and wait_lock
 * @packets: kernel mode
 * @residency: the scheduler's
 * @notes: of interrupts
 * @dying: it is being destroyed: its logs are not read any more, and it gets no more work; guarded
 *         by wait_lock, as all that follows
 * @trapped: it has stopped at a TRAP packet
 * @trap_code: of that packet
 * @error: enum rf_queue_error, once it is lost
 * @error_address: of the access or packet
 * @halted: the device has stopped it for good
 */
struct kmd_queue {
	struct rf_list link;
	struct kmd_walked walked;
	struct rf_list chain;
	struct rf_list context_link;
	struct kmd_file *file;
	u32 handle;
	struct kmd_context *context;
	u32 node;
	bool user_mode;
	void *h_hw_queue;
	struct kmd_packet_context *packet_context;
	struct kmd_local_fence *progress;
	struct rf_mem *last_queued;
	u64 last_queued_offset;
	struct kmd_log *logs;
	struct kmd_doorbell *doorbell;
	struct kmd_packets packets;
	struct kmd_residency residency;
	struct kmd_queue_notes notes;
	bool dying;
	bool trapped;
	u64 trap_code;
	u32 error;
	u64 error_address;
	bool halted;
};

/*
 * Progress value of the last submission. For a user-mode queue its process writes it: it may be any
 * value, and another one at the next read. wait_lock held.
 */
static inline u64 kmd_queue_last_queued(const struct kmd_queue *queue)
{
	return queue->user_mode ? rf_untrusted_read64(queue->last_queued, 0)
				: queue->packets.submitted;
}

/* The queue with this handle of the miniport, or NULL. wait_lock or device_lock held. */
struct kmd_queue *kmd_queue_find(struct kmd_adapter *adapter, const void *h_hw_queue);
/* Add or remove the queue: interrupts may name it only in between. mutex held, and no spinlock. */
void kmd_queue_link(struct kmd_queue *queue, bool add);
/*
 * A kernel-mode queue may be able to continue, or has to stop: pending work. wait_lock held, here
 * and below.
 */
void kmd_queue_set_ready(struct kmd_queue *queue);
#endif /* KMD_QUEUE_H */
