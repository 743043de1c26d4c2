/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A node: its engine, and the packets that the kernel schedules on it.
 *
 * Locking: wait_lock; notes: device_lock.
 */
#ifndef KMD_NODE_H
#define KMD_NODE_H

#include "base/notes.h"
#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_adapter;
struct kmd_context;
struct kmd_packet_context;
struct kmd_queue;
struct kmd_share;

/* Higher than all priorities of user mode (S4-16) */
#define KMD_RANK_KERNEL RF_PRIORITY_BANDS

/**
 * struct kmd_packet_context - a context of the packet model (queues/packet_context.c)
 * @adapter: its adapter
 * @queue: queue whose packets it runs; NULL: the system context, for paging
 * @node: its node
 * @rank: of its packets
 * @h_context: the miniport's handle
 * @ready: its allocations are in place, and filled; guarded by the mutex and wait_lock
 */
struct kmd_packet_context {
	struct kmd_adapter *adapter;
	struct kmd_queue *queue;
	struct kmd_node *node;
	u32 rank;
	void *h_context;
	bool ready;
};

/**
 * struct kmd_dma - a DMA packet: an entry of a node's hardware queue
 * @link: in kmd_node.waiting or .submitted, or in kmd_share.packets
 * @node: its node
 * @context: its context; NULL: the switch to the null context
 * @rank: higher goes first
 * @address: of the commands in the context's process
 * @size: bytes
 * @flags: RF_SUBMIT_*
 * @continues: the next packet of its context belongs to the same render command
 * @fence_id: 0: assigned when it is submitted
 * @complete: it left the node for good; @result 0, or -EIO: its context is lost
 * @fault: it has faulted, and the device has stopped its context; NULL: a packet of the kernel's
 *
 * All guarded by wait_lock; so are the calls of @complete and @fault.
 */
struct kmd_dma {
	struct rf_list link;
	struct kmd_node *node;
	struct kmd_packet_context *context;
	u32 rank;
	u64 address;
	u32 size;
	u32 flags;
	bool continues;
	u64 fence_id;
	void (*complete)(struct kmd_dma *dma, int result);
	void (*fault)(struct kmd_dma *dma, u32 error, u64 address);
};

/* State of a node's engine */
enum kmd_engine_state {
	KMD_ENGINE_F0,
	KMD_ENGINE_DRAINING, /* its queues leave the device */
	KMD_ENGINE_F1,
};

/**
 * struct kmd_node - one node
 * @adapter: its adapter
 * @ordinal: of the node
 * @state: of its engine; changed under mutex and wait_lock
 * @contexts: number of packet contexts on it; guarded by the adapter's mutex
 * @runnable: by band, the processes with runnable queues, in turn, by kmd_share.link
 * @residents: number of its queues that are in slots, including those that are leaving
 * @waiting: packets of the kernel's that are not submitted, in the order in which they go
 * @turns: by band, the processes with packets that are not submitted, in turn, by
 *         kmd_share.packet_link
 * @submitted: packets in the hardware queue, in its order
 * @depth: of @submitted
 * @last_id: the last fence id assigned, to a packet or a preemption
 * @last_submitted_id: of a packet
 * @last_completed_id: advances as in A-2
 * @preemption_id: of the preemption that is pending; 0: none
 * @kept_id: the first in the hardware queue at the last check of the watch; 0: none
 * @has_had_its_turn: packets that the pending preemption returns go behind those of other processes
 * @split: Windows 7: the context whose render command is partly submitted; or NULL
 * @preempting: its engine is being preempted, or reset: it gets no queues and packets
 * @resetting: it is being reset
 * @stalled: its engine did not respond at the last check; guarded by the mutex
 * @since: time of the first such check, or when @preempting was set; guarded by the mutex
 * @note_idle: note: TRANSITION_TO_F1; guarded by device_lock
 * @note_hung: note: HUNG (S3-41); guarded by device_lock
 * @stopped: from reset_hw_engine to resume_hw_engine; guarded by device_lock
 * @notes: guarded by device_lock; all else is guarded by wait_lock
 */
struct kmd_node {
	struct kmd_adapter *adapter;
	u32 ordinal;
	enum kmd_engine_state state;
	u32 contexts;
	struct rf_list runnable[RF_PRIORITY_BANDS];
	u32 residents;
	struct rf_list waiting;
	struct rf_list turns[RF_PRIORITY_BANDS];
	struct rf_list submitted;
	u32 depth;
	u64 last_id;
	u64 last_submitted_id;
	u64 last_completed_id;
	u64 preemption_id;
	u64 kept_id;
	bool has_had_its_turn;
	struct kmd_packet_context *split;
	bool preempting;
	bool resetting;
	bool stalled;
	u64 since;
	bool note_idle;
	bool note_hung;
	bool stopped;
	struct kmd_node_notes notes;
};

/* -ENOMEM. PASSIVE. */
int kmd_nodes_create(struct kmd_adapter *adapter);
void kmd_nodes_destroy(struct kmd_adapter *adapter);
/* RF_NODE_* of a node; -EINVAL: there is no such node. mutex held. */
int kmd_node_flags(struct kmd_adapter *adapter, u32 node, u32 *flags);
/* The node that an interrupt names; NULL: there is none, and the adapter is wedged. */
struct kmd_node *kmd_node_find(struct kmd_adapter *adapter, u32 ordinal);
/* Take a note of an interrupt; device_lock held. */
void kmd_node_note(struct kmd_adapter *adapter, const struct rf_notify_interrupt_data *data);
/* Handle the notes. wait_lock held, here and below. */
void kmd_nodes_take_notes(struct kmd_adapter *adapter);
/* Submit the packet at once, or have it wait for its turn. */
void kmd_dma_submit(struct kmd_dma *dma);
/*
 * The context is lost: its waiting packets are dropped. @gone: the device has destroyed the
 * context; its submitted packets are dropped, too.
 */
void kmd_node_drop_packets(struct kmd_node *node, const struct kmd_packet_context *context,
			   bool gone);
/*
 * If a packet has kept the engine since the last call, let packets of other processes go first, if
 * there are any.
 */
void kmd_node_take_turns(struct kmd_node *node);
/* Submit packets that can run now. */
void kmd_node_submit_ready(struct kmd_node *node);
/* Preempt the packets in the hardware queue, if there are any and the driver supports it (S4-2). */
void kmd_node_preempt(struct kmd_node *node);
/*
 * The engine was reset, and the hardware queue is empty: packets up to @last_aborted_id are lost,
 * and their processes are guilty; the packets behind it wait again.
 */
void kmd_node_reset(struct kmd_node *node, u64 last_aborted_id);
/* The context is RESUMED: submit its packets. */
void kmd_node_resume_context(const struct kmd_context *context);
/* True if the node takes queues and packets. */
bool kmd_node_is_open(const struct kmd_node *node);

/* The node of a queue, and the share of its process there. */
struct kmd_node *kmd_queue_node(const struct kmd_queue *queue);
struct kmd_share *kmd_queue_share(const struct kmd_queue *queue);

#endif /* KMD_NODE_H */
