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
	KMD_QUEUE_LEAVING, /* until the device says that it is out */
};

/**
 * struct kmd_residency - of a queue; the scheduler's
 * @state: is it in the device?
 * @yield: the last hint since it came in that it could leave
 * @since: when that was, or when it came in, by kmd_scheduler.turns
 * @runnable_link: in kmd_share.queues, if it is runnable
 * @slot_link: in kmd_scheduler.in_slots
 * @ringless: its ring was taken away while it was leaving
 * @parked: it was preempted while it waited for a fence that has not its value yet
 * @parked_wait: wait for that
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
