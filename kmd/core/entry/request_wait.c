// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: signals and waits of CPU threads (S1-7, S1-25..S1-28). Locking: wait_lock. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "entry/requests.h"
#include "entry/snapshot.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "fences/fence_value.h"
#include "waits/event.h"
#include "waits/signal.h"
#include "waits/wait.h"
#include "kmd.h"
#include "rf_os.h"
#include "ringfence_drm.h"

int kmd_request_fence_signal(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_fence_signal *request = call->arguments;
	const struct drm_ringfence_fence_value *values = call->values;
	struct kmd_signal signals[DRM_RINGFENCE_OBJECTS_MAX];
	struct kmd_adapter *adapter = file->adapter;
	unsigned long flags;
	bool asleep;
	u32 i;
	int ret = 0;

	if (request->flags || request->pad)
		return -EINVAL;
	flags = kmd_wait_lock(adapter->sync_domain);
	for (i = 0; i < request->fences.count && !ret; i++) {
		struct kmd_local_fence *local =
			kmd_table_find(&file->table, KMD_FENCE, values[i].handle);

		ret = local ? kmd_local_fence_check_signal(local) : -ENOENT;
		if (!ret)
			ret = kmd_fence_check_signal(local->fence, values[i].value);
		if (!ret)
			signals[i] = (struct kmd_signal){ local->opening, values[i].value };
	}
	if (!ret)
		ret = kmd_fences_signal(adapter, signals, request->fences.count);
	asleep = !ret && adapter->in_d3;
	kmd_wait_unlock(adapter->sync_domain, flags);
	if (asleep)
		ret = kmd_adapter_wake(adapter);
	return ret;
}

/* 0, -ETIMEDOUT, -EINTR, or -ETIME if the debug time-out is reached first (C6a). */
static int kmd_wait_block(struct kmd_wait *wait, const struct drm_ringfence_fence_wait *request)
{
	u64 now = rf_time();
	u64 debug = now + request->debug_timeout;
	int ret;

	if (!request->debug_timeout || debug < now || debug >= request->deadline)
		return rf_completion_wait_interruptible(&wait->completion, request->deadline);
	ret = rf_completion_wait_interruptible(&wait->completion, debug);
	return ret == -ETIMEDOUT ? -ETIME : ret;
}

int kmd_request_fence_wait(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_fence_wait *request = call->arguments;
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_event *event = NULL;
	struct kmd_wait *wait;
	unsigned long flags;
	int ret;

	if ((request->flags & ~DRM_RINGFENCE_WAIT_ANY) ||
	    (request->event && (request->deadline || request->debug_timeout)))
		return -EINVAL;
	wait = kmd_wait_create(file->adapter, request->fences.count,
			       request->flags & DRM_RINGFENCE_WAIT_ANY);
	if (!wait)
		return -ENOMEM;
	ret = request->event ? kmd_wait_charge(wait, file) : 0;
	if (ret) {
		kmd_wait_free(wait);
		return ret;
	}

	flags = kmd_wait_lock(domain);
	if (request->event) {
		event = kmd_table_find(&file->table, KMD_EVENT, request->event);
		if (!event) {
			ret = -ENOENT;
			goto not_begun;
		}
	}
	ret = kmd_wait_begin(file, wait, call->values);
	if (ret <= 0) {
		if (!ret && event)
			kmd_event_set(event, 0);
		goto not_begun;
	}
	if (event)
		kmd_event_add(event, wait);
	wait->adapter->statistics.waits++;
	kmd_wait_unlock(domain, flags);
	if (event)
		return 0;

	ret = kmd_wait_block(wait, request);

	flags = kmd_wait_lock(domain);
	if (wait->over) {
		ret = wait->result;
	} else {
		if (ret == -ETIME)
			kmd_snapshot_log(file); /* with this wait in it */
		kmd_wait_end(wait, ret);
	}
	kmd_wait_unlock(domain, flags);
	kmd_wait_free(wait);
	return ret;

not_begun:
	kmd_wait_unlock(domain, flags);
	kmd_wait_free(wait);
	return ret;
}
