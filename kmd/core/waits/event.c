// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Events: user mode learns from an event that a wait is over, without blocking in that wait
 * (S1-29).
 *
 * An event is set by any number of waits, and cleared by the thread that sees it. A thread that
 * waits for the event blocks without a lock, and is counted as a user, which keeps the event's
 * memory.
 *
 * Locking: wait_lock; creating and destroying in addition under the adapter's mutex.
 */
#include "waits/event.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "waits/wait.h"
#include "rf_list.h"
#include "rf_os.h"

static bool kmd_event_has_news(const struct kmd_event *event)
{
	return event->set || event->error || event->dead;
}

/* Threads need not wait any longer: the event has a result, or the adapter is wedged. */
static bool kmd_event_is_over(const struct kmd_file *file, const struct kmd_event *event)
{
	return kmd_event_has_news(event) || kmd_adapter_is_wedged(file->adapter);
}

void kmd_event_set(struct kmd_event *event, int result)
{
	if (result)
		event->error = result;
	else
		event->set = true;
	rf_completion_complete(&event->completion);
}

/* The completion of a wait that sets an event. */
static void kmd_event_complete_wait(struct kmd_wait *wait, int result)
{
	kmd_wait_count_end(wait, result);
	kmd_event_set(wait->owner, result);
	rf_list_remove(&wait->event_link);
	rf_free(wait);
}

void kmd_event_add(struct kmd_event *event, struct kmd_wait *wait)
{
	rf_assert_held(&wait->adapter->sync_domain->wait_lock);
	wait->complete = kmd_event_complete_wait;
	wait->owner = event;
	rf_list_insert(&wait->event_link, &event->waits);
}

/* End its waits; false: some are left, for the next hold. wait_lock held. */
static bool kmd_event_cancel_waits(struct kmd_sync_domain *domain, struct kmd_event *event)
{
	rf_assert_held(&domain->wait_lock);
	while (!rf_list_empty(&event->waits) && kmd_hold_spend(domain))
		kmd_wait_end(rf_list_first(&event->waits, struct kmd_wait, event_link), -ECANCELED);
	return rf_list_empty(&event->waits);
}

int kmd_event_create(struct kmd_file *file, struct kmd_event **result)
{
	struct kmd_event *event;
	int ret;

	ret = kmd_charge(file, KMD_LIMIT_EVENTS, 1);
	if (ret)
		return ret;
	event = rf_alloc(sizeof(*event));
	if (!event) {
		kmd_uncharge(file, KMD_LIMIT_EVENTS, 1);
		return -ENOMEM;
	}
	rf_completion_init(&event->completion, file->adapter->sync_domain->os);
	rf_list_init(&event->waits);
	*result = event;
	return 0;
}

static void kmd_event_free(struct kmd_event *event)
{
	rf_completion_destroy(&event->completion);
	rf_free(event);
}

void kmd_event_discard(struct kmd_file *file, struct kmd_event *event)
{
	kmd_event_free(event);
	kmd_uncharge(file, KMD_LIMIT_EVENTS, 1);
}

int kmd_event_publish(struct kmd_file *file, struct kmd_event *event)
{
	struct kmd_adapter *adapter = file->adapter;
	unsigned long flags;
	int ret;

	rf_assert_held(&file->adapter->mutex);
	ret = kmd_table_insert(&file->table, KMD_EVENT, event, &event->handle);
	if (ret)
		return ret;
	flags = kmd_wait_lock(adapter->sync_domain);
	rf_list_insert(&event->link, &file->events);
	kmd_walked_insert(&event->walked, adapter->walk.round, &adapter->walk.all_events);
	kmd_wait_unlock(adapter->sync_domain, flags);
	return 0;
}

void kmd_event_destroy(struct kmd_file *file, struct kmd_event *event)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags;
	bool last;

	rf_assert_held(&file->adapter->mutex);
	kmd_table_remove(&file->table, KMD_EVENT, event->handle);
	flags = kmd_wait_lock(domain);
	rf_list_remove(&event->link);
	rf_list_remove(&event->walked.link);
	while (!kmd_event_cancel_waits(domain, event))
		flags = kmd_wait_relock(domain, flags);
	event->dead = true;
	rf_completion_complete(&event->completion);
	last = !event->users;
	kmd_wait_unlock(domain, flags);
	if (last)
		kmd_event_free(event);
	kmd_uncharge(file, KMD_LIMIT_EVENTS, 1);
}

/* Return the result of the event and clear it. wait_lock held. */
static int kmd_event_take_news(struct kmd_file *file, struct kmd_event *event)
{
	int ret = 0;

	rf_assert_held(&file->adapter->sync_domain->wait_lock);
	if (event->dead)
		return -ECANCELED;
	/* not cleared: each thread gets this error, every time */
	if (kmd_adapter_is_wedged(file->adapter) && !event->set)
		return -ENODEV;
	if (event->error) {
		ret = event->error;
		event->error = 0;
	} else {
		event->set = false;
	}
	if (!kmd_event_is_over(file, event))
		rf_completion_reset(&event->completion);
	return ret;
}

int kmd_event_wait(struct kmd_file *file, u32 handle, u64 deadline)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_event *event;
	unsigned long flags;
	bool last;
	int ret = 0;

	flags = kmd_wait_lock(domain);
	event = kmd_table_find(&file->table, KMD_EVENT, handle);
	if (!event) {
		kmd_wait_unlock(domain, flags);
		return -ENOENT;
	}
	event->users++;
	/* between completion and lock another thread may have cleared the event */
	while (!ret && !kmd_event_is_over(file, event)) {
		kmd_wait_unlock(domain, flags);
		ret = rf_completion_wait_interruptible(&event->completion, deadline);
		flags = kmd_wait_lock(domain);
	}
	if (kmd_event_is_over(file, event))
		ret = kmd_event_take_news(file, event);
	last = !--event->users && event->dead;
	kmd_wait_unlock(domain, flags);
	if (last)
		kmd_event_free(event);
	return ret;
}
