// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Events: how user mode learns of a wait without blocking in it (S1-29).
 *
 * An event is set by any number of waits and cleared by whoever sees it. A thread
 * that waits for the event blocks without a lock, and keeps the event's memory by
 * being counted as a user.
 *
 * Locking: wait_lock; making and destroying in addition under the adapter's mutex.
 */
#include "core.h"

static bool kmd_event_has_news(const struct kmd_event *event)
{
	return event->set || event->error || event->dead;
}

/* Nobody sets it any more, and whoever waits is told. */
static bool kmd_event_is_over(const struct kmd_file *file, const struct kmd_event *event)
{
	return kmd_event_has_news(event) || kmd_adapter_is_fatal(file->adapter);
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
	wait->complete = kmd_event_complete_wait;
	wait->owner = event;
	rf_list_insert(&wait->event_link, &event->waits);
}

/* End its waits; false: some are left, for the next hold. wait_lock held. */
static bool kmd_event_cancel_waits(struct kmd_domain *domain, struct kmd_event *event)
{
	while (!rf_list_empty(&event->waits) && kmd_hold_spend(domain))
		kmd_wait_end(rf_list_first(&event->waits, struct kmd_wait, event_link), -ECANCELED);
	return rf_list_empty(&event->waits);
}

static void kmd_event_free(struct kmd_event *event)
{
	rf_completion_destroy(&event->completion);
	rf_free(event);
}

int kmd_request_event_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_event_create *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_event *event;
	unsigned long flags;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_charge(file, KMD_LIMIT_EVENTS, 1);
	if (ret)
		return ret;
	event = rf_alloc(sizeof(*event));
	if (!event) {
		kmd_uncharge(file, KMD_LIMIT_EVENTS, 1);
		return -ENOMEM;
	}
	rf_completion_init(&event->completion, adapter->domain->os);
	rf_list_init(&event->waits);

	ret = kmd_request_lock(adapter);
	if (ret)
		goto free_event;
	ret = kmd_table_insert(&file->table, KMD_EVENT, event, &event->handle);
	if (!ret) {
		flags = kmd_wait_lock(adapter->domain);
		rf_list_insert(&event->link, &file->events);
		kmd_walked_insert(&event->walked, adapter->walk_round, &adapter->all_events);
		kmd_wait_unlock(adapter->domain, flags);
		request->handle = event->handle;
	}
	rf_mutex_unlock(&adapter->mutex);
free_event:
	if (ret) {
		kmd_event_free(event);
		kmd_uncharge(file, KMD_LIMIT_EVENTS, 1);
	}
	return ret;
}

void kmd_event_destroy(struct kmd_file *file, struct kmd_event *event)
{
	struct kmd_domain *domain = file->adapter->domain;
	unsigned long flags;
	bool last;

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

int kmd_request_event_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_event_destroy *request = arguments;
	struct kmd_event *event;
	int ret;

	if (request->pad)
		return -EINVAL;
	ret = rf_mutex_lock_killable(&file->adapter->mutex);
	if (ret)
		return ret;
	event = kmd_table_find(&file->table, KMD_EVENT, request->handle);
	if (event)
		kmd_event_destroy(file, event);
	rf_mutex_unlock(&file->adapter->mutex);
	return event ? 0 : -ENOENT;
}

/* What there is to tell, which is then told. wait_lock held. */
static int kmd_event_take_news(struct kmd_file *file, struct kmd_event *event)
{
	int ret = 0;

	if (event->dead)
		return -ECANCELED;
	/* to each thread, and again and again */
	if (kmd_adapter_is_fatal(file->adapter) && !event->set)
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

int kmd_request_event_wait(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_event_wait *request = arguments;
	struct kmd_domain *domain = file->adapter->domain;
	struct kmd_event *event;
	unsigned long flags;
	bool last;
	int ret = 0;

	if (request->flags)
		return -EINVAL;

	flags = kmd_wait_lock(domain);
	event = kmd_table_find(&file->table, KMD_EVENT, request->handle);
	if (!event) {
		kmd_wait_unlock(domain, flags);
		return -ENOENT;
	}
	event->users++;
	/* another thread may take the news between completion and lock */
	while (!ret && !kmd_event_is_over(file, event)) {
		kmd_wait_unlock(domain, flags);
		ret = rf_completion_wait_interruptible(&event->completion, request->deadline);
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
