/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Whether a queue is in a slot of the device. */
#ifndef KMD_RESIDENCY_H
#define KMD_RESIDENCY_H

#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_wait;

enum kmd_residency_state {
	KMD_QUEUE_OUT,
	KMD_QUEUE_RESIDENT,
	KMD_QUEUE_LEAVING, /* until the device reports that it has left its slot */
};

/**
 * struct kmd_residency - the scheduler's state of a queue
 * @state: whether it is in a slot
 * @yield: the last hint that it could leave, since it entered its slot
 * @since: when that hint came, or when it entered, by kmd_scheduler.turns
 * @runnable_link: in kmd_share.queues, if it is runnable
 * @slot_link: in kmd_scheduler.in_slots
 * @ringless: its ring was taken away while it was leaving
 * @parked: it was preempted while it waited for a fence whose value is not reached yet
 * @parked_wait: wait for that fence
 *
 * Guarded by wait_lock.
 */
struct kmd_residency {
	enum kmd_residency_state state;
	enum rf_yield_kind yield;
	u64 since;
	struct rf_list runnable_link;
	struct rf_list slot_link;
	bool ringless;
	bool parked;
	struct kmd_wait *parked_wait;
};

#endif /* KMD_RESIDENCY_H */
