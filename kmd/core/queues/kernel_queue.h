/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Kernel-mode queues and their packets.
 *
 * Locking: packets are created and freed under the adapter's mutex; lists of them are guarded by
 * wait_lock.
 */
#ifndef KMD_KERNEL_QUEUE_H
#define KMD_KERNEL_QUEUE_H

#include "rf_ddi.h"
#include "rf_list.h"
#include "scheduling/node.h"
#include "waits/signal.h"

struct kmd_file;
struct kmd_memory;
struct kmd_queue;
struct kmd_sync_domain;
struct kmd_wait;
struct rf_mem;

#define KMD_PACKETS_MAX 1024u /* of a queue */

enum kmd_packet_kind {
	KMD_PACKET_COMMANDS, /* a command buffer for the device */
	KMD_PACKET_WAIT, /* block the packets behind it */
	KMD_PACKET_SIGNAL, /* signal from the CPU (S1-16, S2-19) */
};

/**
 * struct kmd_packet - an operation of a kernel-mode queue, in its order
 * @link: in kmd_packets.pending, .running or .finished
 * @kind: determines which of the following are used
 * @submit: COMMANDS: the command buffer, as given to the miniport
 * @dma: COMMANDS, for a context: the packet, as given to the node
 * @memory: COMMANDS: memory of the command buffer
 * @pages: COMMANDS: pages of @memory that packets of a linked adapter use, too; or NULL
 * @wait: WAIT: the wait, which began with the request
 * @count: SIGNAL: of @signals
 * @signals: SIGNAL: with a reference of each fence
 */
struct kmd_packet {
	struct rf_list link;
	enum kmd_packet_kind kind;
	struct rf_submit_command_to_hw_queue submit;
	struct kmd_dma dma;
	struct kmd_memory *memory;
	struct rf_mem *pages;
	struct kmd_wait *wait;
	u32 count;
	struct kmd_signal signals[];
};

/* Create the kernel-mode part of a queue; its progress fence exists. -ENOMEM. */
int kmd_kernel_queue_create(struct kmd_queue *queue);
/* The device must have finished with the queue. */
void kmd_kernel_queue_destroy(struct kmd_queue *queue);
/* A kernel-mode queue, or an error: -ENOENT, -EOPNOTSUPP. mutex held. */
int kmd_kernel_queue_find(struct kmd_file *file, u32 handle, struct kmd_queue **result);
/* Free finished packets. mutex held. */
void kmd_kernel_queue_reap(struct kmd_queue *queue);
/* A wait for @count fences whose end lets the queue continue. NULL: no memory. PASSIVE. */
struct kmd_wait *kmd_kernel_queue_wait_create(struct kmd_queue *queue, u32 count);
/* @signals: number of signals to allocate. NULL: no memory. PASSIVE. */
struct kmd_packet *kmd_packet_create(enum kmd_packet_kind kind, u32 signals);
/* Frees the packet, and releases memory, wait and fences. mutex held. */
void kmd_packet_destroy(struct kmd_packet *packet);
/*
 * Reserve room for packets that are appended next. 0, -EIO or -EAGAIN. wait_lock held, here and
 * below.
 */
int kmd_kernel_queue_take_room(struct kmd_queue *queue, u32 packets);
/*
 * The same for packets that are appended later, and the end of it: they are appended next (@use),
 * or not at all. The lock may be released in between.
 */
int kmd_kernel_queue_reserve(struct kmd_queue *queue, u32 packets);
void kmd_kernel_queue_end_reservation(struct kmd_queue *queue, u32 packets, bool use);
/* Append behind all others of the queue. A command buffer gets its progress value. */
void kmd_packet_append(struct kmd_queue *queue, struct kmd_packet *packet);

/* A step of pending work: a queue advances as far as it can. */
void kmd_step_ready(struct kmd_sync_domain *domain);
struct kmd_adapter *kmd_adapter_to_advance(struct kmd_sync_domain *domain);

#endif /* KMD_KERNEL_QUEUE_H */
