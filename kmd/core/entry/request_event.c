// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: events. Locking: the adapter's mutex for life. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "entry/requests.h"
#include "recovery/device_power.h"
#include "waits/event.h"
#include "rf_os.h"
#include "ringfence_drm.h"

int kmd_request_event_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_event_create *request = arguments;
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_event *event = NULL;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_event_create(file, &event);
	if (ret)
		return ret;
	ret = kmd_request_lock(adapter);
	if (ret)
		goto discard_event;
	ret = kmd_event_publish(file, event);
	if (!ret)
		request->handle = event->handle;
	rf_mutex_unlock(&adapter->mutex);
discard_event:
	if (ret)
		kmd_event_discard(file, event);
	return ret;
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

int kmd_request_event_wait(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_event_wait *request = arguments;

	if (request->flags)
		return -EINVAL;
	return kmd_event_wait(file, request->handle, request->deadline);
}
