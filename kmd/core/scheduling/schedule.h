/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Which queues are in the slots of the device (docs/scheduling.md).
 *
 * Locking: wait_lock is held for everything here, but where PASSIVE is said.
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
 * @runnable: queues that could run and are not resident
 * @in_slots: queues that are resident, those that are leaving included, by
 *            kmd_residency.slot_link
 * @residents: of these
 * @leaving: those that are leaving
 * @taken_slots: slots that nodes of the packet model have taken
 * @turns: counts what kmd_residency.since is about
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
/* What the scheduler has of a queue: -ENOMEM. */
int kmd_schedule_queue_init(struct kmd_queue *queue);
void kmd_schedule_queue_free(struct kmd_queue *queue);
/* The shares of a process: -ENOMEM. */
int kmd_schedule_file_create(struct kmd_file *file);
void kmd_schedule_file_destroy(struct kmd_file *file);

/* The queue has a ring now. */
void kmd_schedule_begin(struct kmd_queue *queue);
/* Look for work in its ring: a ring of its doorbell may not have been heard. */
void kmd_schedule_poll_ring(struct kmd_queue *queue);
/* It does not come in again. */
void kmd_schedule_remove(struct kmd_queue *queue);
/* Its ring goes away. */
void kmd_schedule_end(struct kmd_queue *queue);
/* The miniport is about to destroy it; has done so. */
void kmd_schedule_destroy(struct kmd_queue *queue);
void kmd_schedule_destroyed(struct kmd_queue *queue);
/* It is lost: it leaves the device, unless that has stopped it. */
void kmd_schedule_lost(struct kmd_queue *queue);

/* Notes of the interrupt service */
void kmd_schedule_preempted(struct kmd_queue *queue, bool is_waiting, void *h_native_fence,
			    u64 value);
void kmd_schedule_yield(struct kmd_queue *queue, enum rf_yield_kind kind);

/* All queues of a context: the miniport is about to evict them; they may come in again. */
void kmd_schedule_suspend(struct kmd_context *context);
void kmd_schedule_resume(struct kmd_context *context);

/* Take so many slots away from queues, and wait until they are free; -EBUSY: there are not so
 * many; -ENODEV. PASSIVE, no spinlock held, here and in the next. */
int kmd_schedule_take_slots(struct kmd_adapter *adapter, u32 count);
void kmd_schedule_give_slots(struct kmd_adapter *adapter, u32 count);

/* All queues of the node leave. */
void kmd_schedule_evict_node(struct kmd_adapter *adapter, u32 node);
/* Queues that could not come in before may do so now. */
void kmd_schedule_retry(struct kmd_adapter *adapter);
/* Has the node no queue in a slot? */
bool kmd_schedule_is_empty(struct kmd_adapter *adapter, u32 node);
/* Is one of the node's queues runnable, or one of the adapter's? */
bool kmd_schedule_has_runnable(const struct kmd_adapter *adapter, u32 node);
bool kmd_schedule_is_anything_runnable(const struct kmd_adapter *adapter);
/* Could the queue, which is out, do anything but wait for a ring? */
bool kmd_schedule_has_work(struct kmd_queue *queue);
/* Hints may have been lost: ask queues in slots again whether they could leave. */
void kmd_schedule_rearm_all(struct kmd_adapter *adapter);

/* A step of pending work. */
void kmd_step_unscheduled(struct kmd_sync_domain *domain);

#endif /* KMD_SCHEDULE_H */
