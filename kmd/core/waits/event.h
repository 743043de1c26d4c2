/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Events that user mode waits for.
 *
 * Locking: wait_lock guards all of an event; kmd_event.link is also guarded by the adapter's mutex.
 */
#ifndef KMD_EVENT_H
#define KMD_EVENT_H

#include "base/walk.h"
#include "rf_list.h"
#include "rf_os.h"

struct kmd_file;
struct kmd_wait;

/**
 * struct kmd_event - an event
 * @link: in kmd_file.events
 * @walked: in kmd_walk.all_events
 * @handle: in kmd_file.table
 * @completion: complete while @set, @error or @dead, and once the adapter is wedged
 * @set: a wait is over, and no thread has seen it yet
 * @error: a wait ended with this error, and no thread has seen it yet
 * @dead: destroyed
 * @users: threads in kmd_event_wait(); the last one to leave frees a dead event
 * @waits: waits that will set it, by kmd_wait.event_link
 */
struct kmd_event {
	struct rf_list link;
	struct kmd_walked walked;
	u32 handle;
	struct rf_completion completion;
	bool set;
	int error;
	bool dead;
	u32 users;
	struct rf_list waits;
};

/* -ENOMEM, limits. PASSIVE, no lock held. */
int kmd_event_create(struct kmd_file *file, struct kmd_event **result);
/* Free an event that was not published. */
void kmd_event_discard(struct kmd_file *file, struct kmd_event *event);
/* Give it its handle. -ENOMEM, -ENOSPC. mutex held. */
int kmd_event_publish(struct kmd_file *file, struct kmd_event *event);
/* A wait is over with this result. wait_lock held, here and below. */
void kmd_event_set(struct kmd_event *event, int result);
/* Have the wait set the event when it is over. */
void kmd_event_add(struct kmd_event *event, struct kmd_wait *wait);
/* Its waits end with -ECANCELED, and threads that wait for it return. mutex held. */
void kmd_event_destroy(struct kmd_file *file, struct kmd_event *event);
/*
 * Wait until it is set, and clear it. 0, the error of a wait, -ENOENT, -ETIMEDOUT, -EINTR,
 * -ECANCELED: it was destroyed meanwhile, -ENODEV. PASSIVE, no lock held.
 */
int kmd_event_wait(struct kmd_file *file, u32 handle, u64 deadline);

#endif /* KMD_EVENT_H */
