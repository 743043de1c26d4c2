/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Which queues are in the slots of the device (docs/scheduling.md).
 *
 * Locking: wait_lock is held for everything here, except where PASSIVE is noted.
 */
#ifndef KMD_SCHEDULE_H
#define KMD_SCHEDULE_H

#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_adapter;
struct kmd_context;
struct kmd_file;
struct kmd_queue;
struct kmd_sync_domain;

/**
 * struct kmd_scheduler - the slots of an adapter
 * @link: in KMD_PENDING_UNSCHEDULED
 * @adapter: its adapter
 * @runnable: number of runnable queues
 * @in_slots: resident queues, including those that are leaving, by kmd_residency.slot_link
 * @residents: number of these
 * @leaving: number of those that are leaving
 * @taken_slots: slots that nodes of the packet model have taken
 * @turns: counter, the time of kmd_residency.since
 */
struct kmd_scheduler {
	struct rf_list link;
	struct kmd_adapter *adapter;
	u32 runnable;
	struct rf_list in_slots;
	u32 residents;
	u32 leaving;
	u32 taken_slots;
	u64 turns;
};

/* -ENOMEM. PASSIVE, here and in the next five. */
int kmd_scheduler_create(struct kmd_adapter *adapter);
void kmd_scheduler_destroy(struct kmd_adapter *adapter);
/* The scheduler's part of a queue: -ENOMEM. */
int kmd_schedule_queue_init(struct kmd_queue *queue);
void kmd_schedule_queue_free(struct kmd_queue *queue);
/* The shares of a process: -ENOMEM. */
int kmd_schedule_file_create(struct kmd_file *file);
void kmd_schedule_file_destroy(struct kmd_file *file);

/* The queue has a ring now. */
void kmd_schedule_begin(struct kmd_queue *queue);
/* Check its ring for work: a ring of its doorbell may have been lost. */
void kmd_schedule_poll_ring(struct kmd_queue *queue);
/* It is no longer runnable: it does not enter a slot. */
void kmd_schedule_remove(struct kmd_queue *queue);
/* Its ring is taken away. */
void kmd_schedule_end(struct kmd_queue *queue);
/* The miniport is about to destroy it; it has been destroyed. */
void kmd_schedule_destroy(struct kmd_queue *queue);
void kmd_schedule_destroyed(struct kmd_queue *queue);
/* It is lost: it leaves its slot, unless the device has stopped it. */
void kmd_schedule_lost(struct kmd_queue *queue);

/* Reports of the device: preempted, and hints to leave */
void kmd_schedule_preempted(struct kmd_queue *queue, bool is_waiting, void *h_native_fence,
			    u64 value);
void kmd_schedule_yield(struct kmd_queue *queue, enum rf_yield_kind kind);

/* All queues of a context: the miniport is about to evict them; they may enter again. */
void kmd_schedule_suspend(struct kmd_context *context);
void kmd_schedule_resume(struct kmd_context *context);

/*
 * Take slots away from queues, and wait until they are free; -EBUSY: there are too few; -ENODEV.
 * PASSIVE, no spinlock held, here and in the next.
 */
int kmd_schedule_take_slots(struct kmd_adapter *adapter, u32 count);
void kmd_schedule_give_slots(struct kmd_adapter *adapter, u32 count);

/* Evict all queues of the node. */
void kmd_schedule_evict_node(struct kmd_adapter *adapter, u32 node);
/* Queues that could not enter before may do so now. */
void kmd_schedule_retry(struct kmd_adapter *adapter);
/* True if the node has no queue in a slot. */
bool kmd_schedule_is_empty(struct kmd_adapter *adapter, u32 node);
/* True if a queue of the node is runnable; or one of the adapter. */
bool kmd_schedule_has_runnable(const struct kmd_adapter *adapter, u32 node);
bool kmd_schedule_is_anything_runnable(const struct kmd_adapter *adapter);
/* True if the queue, which is not resident, has work or is parked. */
bool kmd_schedule_has_work(struct kmd_queue *queue);
/* Hints may have been lost: have queues in slots report again whether they could leave. */
void kmd_schedule_rearm_all(struct kmd_adapter *adapter);

/* A step of pending work. */
void kmd_step_unscheduled(struct kmd_sync_domain *domain);
struct kmd_adapter *kmd_adapter_to_schedule(struct kmd_sync_domain *domain);

#endif /* KMD_SCHEDULE_H */
