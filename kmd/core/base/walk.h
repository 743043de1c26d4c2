/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Walks: an operation on every fence, queue, context or event of an adapter, a few of them in each
 * hold of wait_lock. The operations are in interrupts/walk_step.c.
 *
 * Each object is on a list of its kind. Those already visited in the walk under way are at the end
 * of the list, and carry its number.
 *
 * Locking: wait_lock for everything here.
 */
#ifndef KMD_WALK_H
#define KMD_WALK_H

#include "rf_list.h"
#include "rf_types.h"

#define KMD_WALK_NATIVE (1u << 0) /* evaluate native fences whose values matter */
#define KMD_WALK_MONITORED (1u << 1) /* evaluate monitored fences */
#define KMD_WALK_REARM (1u << 2) /* kmd_opening_rearm() of native fences */
#define KMD_WALK_FAIL_WAITS (1u << 3) /* fail all waits with -ENODEV, set doorbells to ABORT */
#define KMD_WALK_LOST (1u << 4) /* kmd_opening_find_lost_wakeup() */
#define KMD_WALK_POLL_RINGS (1u << 5) /* kmd_schedule_poll_ring() of queues */
#define KMD_WALK_READY (1u << 6) /* kmd_queue_set_ready() of kernel-mode queues */
#define KMD_WALK_LOGS (1u << 7) /* read the logs of queues */
#define KMD_WALK_EVALUATE (1u << 8) /* logs of queues on kmd_walk.nodes, and the fences in them */
#define KMD_WALK_ARM (1u << 9) /* evaluate all fences, and arm them */

#define KMD_WALK_WATCHED_FENCES (KMD_WALK_NATIVE | KMD_WALK_MONITORED | KMD_WALK_LOST)
#define KMD_WALK_ALL_FENCES (KMD_WALK_REARM | KMD_WALK_FAIL_WAITS | KMD_WALK_ARM)
#define KMD_WALK_FENCES (KMD_WALK_WATCHED_FENCES | KMD_WALK_ALL_FENCES)
#define KMD_WALK_QUEUES                                                               \
	(KMD_WALK_FAIL_WAITS | KMD_WALK_POLL_RINGS | KMD_WALK_READY | KMD_WALK_LOGS | \
	 KMD_WALK_EVALUATE)

/**
 * struct kmd_walked - an object on such a list
 * @link: in a list of struct kmd_walk
 * @round: number of the last walk that has visited it
 */
struct kmd_walked {
	struct rf_list link;
	u64 round;
};

/**
 * struct kmd_walk - the walk of an adapter, and the lists of its objects
 * @link: in KMD_PENDING_WALKING
 * @what: KMD_WALK_*, of the walk under way
 * @nodes: for KMD_WALK_EVALUATE
 * @round: number of the walk over fences, contexts and events
 * @queue_round: number of the walk over queues, a separate one: a log entry that is read may begin
 *               a walk over fences, but none over queues
 * @all_fences: native and monitored ones, by kmd_opening.walked
 * @watched_fences: those whose values matter, by kmd_opening.watched
 * @all_queues: by kmd_queue.walked
 * @all_contexts: by kmd_context.walked
 * @all_events: by kmd_event.walked
 */
struct kmd_walk {
	struct rf_list link;
	u32 what;
	u32 nodes;
	u64 round;
	u64 queue_round;
	struct rf_list all_fences;
	struct rf_list watched_fences;
	struct rf_list all_queues;
	struct rf_list all_contexts;
	struct rf_list all_events;
};

void kmd_walk_init(struct kmd_walk *walk);
/* Add an object to a list. The walk under way, the @round-th, does not visit it. */
void kmd_walked_insert(struct kmd_walked *walked, u64 round, struct rf_list *list);
/* The next object on the list to be visited, or NULL: all were visited. */
struct kmd_walked *kmd_walk_next(struct rf_list *list, u64 round);

#endif /* KMD_WALK_H */
