// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Closing local fences. The interrupt of a last signal through a cross-adapter fence may come when its
 * opening is gone, and then names nothing. So the others are notified here if the value has changed,
 * behind the end of all accesses by engines of the process.
 *
 * Locking: the adapter's mutex; wait_lock.
 */
#include "waits/close.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_life.h"
#include "fences/opening.h"
#include "waits/evaluate.h"
#include "waits/wait.h"
#include "rf_list.h"
#include "rf_os.h"

static void kmd_local_fence_unlink(struct kmd_local_fence *local)
{
	struct kmd_sync_domain *domain = local->file->adapter->sync_domain;
	unsigned long flags;

	/* no wait begins after this */
	kmd_table_remove(&local->file->table, KMD_FENCE, local->handle);
	flags = kmd_wait_lock(domain);
	local->fence->references++;
	rf_list_remove(&local->link);
	rf_list_remove(&local->opening_link);
	local->opening->signalers -= !(local->flags & DRM_RINGFENCE_FENCE_NO_SIGNAL);
	while (!kmd_local_fence_end_waits(local, -ECANCELED))
		flags = kmd_wait_relock(domain, flags);
	kmd_wait_unlock(domain, flags);
}

void kmd_local_fence_close(struct kmd_local_fence *local)
{
	struct kmd_fence *fence = local->fence;
	unsigned long flags;

	rf_assert_held(&local->file->adapter->mutex);
	kmd_local_fence_unlink(local);
	kmd_local_fence_destroy(local);
	flags = kmd_wait_lock(fence->domain);
	kmd_fence_check_all(fence);
	kmd_wait_unlock(fence->domain, flags);
	kmd_fence_drop(fence);
}
