// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Functions for an operating system's own fence objects: a function is called when a value is
 * reached, and the kernel stores values for callers other than user mode.
 *
 * Locking: wait_lock.
 */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "fences/fence_value.h"
#include "recovery/exported_fence.h"
#include "scheduling/queue.h"
#include "waits/signal.h"
#include "waits/wait.h"
#include "kmd.h"
#include "rf_os.h"
#include "ringfence_drm.h"

/* Read once: values that the process writes later have no effect. */
static bool kmd_shell_fence_is_queued(const struct kmd_local_fence *local, u64 value)
{
	return local->queue && value <= kmd_queue_last_queued(local->queue);
}

/* The completion of a wait that calls a function. */
static void kmd_shell_fence_complete_wait(struct kmd_wait *wait, int result)
{
	kmd_wait_count_end(wait, result);
	wait->notify(wait->owner, result);
	rf_free(wait);
}

int kmd_fence_notify(struct kmd_file *file, u32 handle, u64 value, bool exported,
		     kmd_notify_fn notify, void *argument)
{
	const struct drm_ringfence_fence_value wanted = { .handle = handle, .value = value };
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	struct kmd_local_fence *local;
	struct kmd_wait *wait;
	unsigned long flags;
	int ret = -EINVAL;

	if (kmd_adapter_is_wedged(file->adapter))
		return -ENODEV;
	wait = kmd_wait_create(file->adapter, 1, false);
	if (!wait)
		return -ENOMEM;
	ret = kmd_wait_charge(wait, file);
	if (ret) {
		kmd_wait_free(wait);
		return ret;
	}
	ret = -EINVAL;
	wait->complete = kmd_shell_fence_complete_wait;
	wait->notify = notify;
	wait->owner = argument;
	flags = kmd_wait_lock(domain);
	local = kmd_table_find(&file->table, KMD_FENCE, handle);
	if (!exported || !local || kmd_shell_fence_is_queued(local, value))
		ret = kmd_wait_begin(file, wait, &wanted);
	if (ret > 0 && exported)
		kmd_exported_fence_add(wait);
	if (ret > 0) {
		wait->adapter->statistics.waits++;
		wait = NULL; /* kmd_shell_fence_complete_wait() frees it */
		ret = 0;
	} else if (!ret) {
		notify(argument, 0);
	}
	kmd_wait_unlock(domain, flags);
	if (wait)
		kmd_wait_free(wait);
	return ret;
}

static int kmd_shell_fence_check_signal(struct kmd_file *file, u32 handle, u64 value,
					struct kmd_signal *signal)
{
	struct kmd_local_fence *local = kmd_table_find(&file->table, KMD_FENCE, handle);
	int ret;

	if (!local)
		return -ENOENT;
	ret = kmd_local_fence_check_signal(local);
	if (ret)
		return ret;
	*signal = (struct kmd_signal){ local->opening, value };
	return kmd_fence_check_signal(local->fence, value);
}

int kmd_fence_may_store(struct kmd_file *file, u32 handle, u64 value)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_signal signal;
	int ret = kmd_shell_fence_check_signal(file, handle, value, &signal);

	kmd_wait_unlock(domain, flags);
	return ret;
}

int kmd_fence_store(struct kmd_file *file, u32 handle, u64 value)
{
	struct kmd_sync_domain *domain = file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_signal signal;
	int ret = kmd_shell_fence_check_signal(file, handle, value, &signal);

	if (!ret && !kmd_adapter_is_wedged(file->adapter))
		ret = kmd_fences_signal(file->adapter, &signal, 1);
	kmd_wait_unlock(domain, flags);
	return ret;
}
