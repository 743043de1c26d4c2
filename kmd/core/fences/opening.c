// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Life of openings. For a native one the miniport has an object (S0-54..S0-59): create is followed
 * by open, another process only opens, the last close is followed by destroy. Interrupts name a
 * fence by the core's global handle, calls of the miniport by the miniport's handle (C18). The
 * miniport does not know monitored fences (S1-1..S1-3): they are values in memory, with a word that
 * is always 0 in the place of a native fence's MonitoredValue.
 *
 * The openings of a cross-adapter fence share one page with CurrentValue, which belongs to no
 * adapter; each is mapped there on its own (S0-76), and has a MonitoredValue of its own that is 0 for
 * life (S0-77, S0-78). Engines do not reach one that is monitored: the kernel signals it for them,
 * with 64 bits (S0-95).
 *
 * Locking: the adapter's mutex for all of life; lists that the deferred part of the interrupt walks,
 * and the openings of a fence, are also changed under wait_lock. A global handle is valid until the
 * miniport's destroy has returned: a pending interrupt may name it until then. No mutex of another
 * adapter is taken: the references of a fence are counted under wait_lock.
 */
#include "fences/opening.h"

#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "fences/peer_page.h"
#include "fences/storage.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "ringfence_drm.h"
#include "ringfence_hw.h"

/* --- the miniport's object ------------------------------------------------------------- */

static int kmd_opening_create_global(struct kmd_opening *opening)
{
	struct kmd_adapter *adapter = opening->adapter;
	struct rf_create_native_fence create = {
		.type = opening->fence->type,
		.current_value_system_process_gpu_va =
			kmd_value_system_address(&opening->current_value),
		.monitored_value_system_process_gpu_va =
			kmd_value_system_address(&opening->monitored),
	};
	int ret;

	ret = kmd_table_insert(&adapter->globals, KMD_FENCE, opening, &opening->handle);
	if (ret)
		return ret;
	create.h_global_native_fence = (void *)(uintptr_t)opening->handle;
	ret = adapter->ddi->create_native_fence(adapter->h_adapter, &create);
	if (ret)
		kmd_table_remove(&adapter->globals, KMD_FENCE, opening->handle);
	else
		opening->h_global = create.h_global_native_fence;
	return ret;
}

static void kmd_opening_destroy_global(struct kmd_opening *opening)
{
	const struct rf_destroy_native_fence destroy = {
		.h_global_native_fence = opening->h_global,
	};
	struct kmd_adapter *adapter = opening->adapter;
	unsigned long wait_flags, flags;

	adapter->ddi->destroy_native_fence(adapter->h_adapter, &destroy);
	/* under wait_lock: the deferred part may be using the note of this fence */
	wait_flags = kmd_wait_lock(adapter->sync_domain);
	flags = rf_spin_lock(&adapter->device_lock);
	kmd_table_remove(&adapter->globals, KMD_FENCE, opening->handle);
	rf_list_remove(&opening->signaled_link);
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);
}

/* --- values -------------------------------------------------------------------------------- */

u32 kmd_opening_current_access(const struct kmd_opening *opening, u32 flags)
{
	u32 access = 0;

	if (opening->fence->type == RF_NATIVE_FENCE_TYPE_DEFAULT)
		access |= KMD_ACCESS_CPU;
	if (opening->gpu_access)
		access |= KMD_ACCESS_GPU;
	if (opening->gpu_access && !(flags & DRM_RINGFENCE_FENCE_NO_SIGNAL))
		access |= KMD_ACCESS_GPU_WRITE;
	return access;
}

static int kmd_opening_create_current(struct kmd_file *file, struct kmd_opening *opening, u32 flags)
{
	struct kmd_fence *fence = opening->fence;
	bool shared = flags & DRM_RINGFENCE_FENCE_SHARED;
	u32 process = opening->is_native ? KMD_ACCESS_SYSTEM_PROCESS : 0;
	/* another process may have more access than this one */
	u32 access = kmd_opening_current_access(opening, shared ? 0 : flags);
	int ret;

	if (fence->cross_adapter)
		return kmd_value_import(file, &fence->current_value, process | access,
					&opening->current_value);
	ret = kmd_value_create(file, fence->type, RF_FENCE_STORAGE_CURRENT_VALUE, process | access,
			       shared ? RF_MEM_SYSTEM
				      : kmd_fence_storage(file->adapter, fence->type,
							  RF_FENCE_STORAGE_CURRENT_VALUE),
			       shared, &opening->current_value);
	fence->current_value = opening->current_value;
	return ret;
}

static int kmd_opening_create_values(struct kmd_file *file, struct kmd_opening *opening, u32 flags)
{
	enum rf_native_fence_type type = opening->fence->type;
	bool shared = flags & DRM_RINGFENCE_FENCE_SHARED;
	/*
	 * values of shared fences, and CurrentValues that each signal reads, are in system memory
	 */
	bool system =
		shared || !opening->is_native || (flags & DRM_RINGFENCE_FENCE_MONITORED_SYSTEM);
	u32 process = opening->is_native ? KMD_ACCESS_SYSTEM_PROCESS : 0;
	int ret;

	ret = kmd_opening_create_current(file, opening, flags);
	if (ret || !opening->gpu_access)
		return ret;
	ret = kmd_value_create(
		file, type, RF_FENCE_STORAGE_MONITORED_VALUE, process | KMD_ACCESS_GPU,
		system ? RF_MEM_SYSTEM
		       : kmd_fence_storage(file->adapter, type, RF_FENCE_STORAGE_MONITORED_VALUE),
		shared, &opening->monitored);
	if (ret)
		kmd_value_destroy(file->adapter, &opening->current_value);
	return ret;
}

static void kmd_opening_destroy_values(struct kmd_opening *opening)
{
	if (opening->gpu_access)
		kmd_value_destroy(opening->adapter, &opening->monitored);
	kmd_value_destroy(opening->adapter, &opening->current_value);
}

/* No engine has these addresses yet; for INTRA_GPU fences a queue stores the first value. */
static void kmd_opening_write_values(struct kmd_opening *opening, u64 initial_value)
{
	struct kmd_fence *fence = opening->fence;

	if (!fence->cross_adapter && !opening->is_native)
		kmd_monitored_fence_write(fence, initial_value);
	else if (!fence->cross_adapter && fence->type == RF_NATIVE_FENCE_TYPE_DEFAULT)
		rf_value_write(kmd_value_address(&opening->current_value), initial_value);
	if (opening->gpu_access)
		rf_value_write(kmd_value_address(&opening->monitored), opening->monitored_value);
	rf_wmb();
}

/* --- life ---------------------------------------------------------------------------------- */

static int kmd_opening_alloc(struct kmd_file *file, struct kmd_fence *fence, bool is_native,
			     u32 flags, struct kmd_opening **result)
{
	struct kmd_adapter *adapter = file->adapter;
	struct kmd_opening *opening = rf_alloc(sizeof(*opening));
	int ret;

	if (!opening)
		return -ENOMEM;
	ret = kmd_charge_user(file, KMD_LIMIT_FENCES, 1);
	if (ret) {
		rf_free(opening);
		return ret;
	}
	opening->user = kmd_user_share(adapter, file->user);
	opening->fence = fence;
	opening->adapter = adapter;
	opening->is_native = is_native;
	opening->gpu_access = !(flags & DRM_RINGFENCE_FENCE_NO_GPU_ACCESS) &&
			      (is_native || !fence->cross_adapter);
	/* every signal interrupts: of a monitored fence, and for other adapters (S0-78) */
	opening->monitored_value = is_native && !fence->cross_adapter ? RF_MONITORED_NONE : 0;
	rf_list_init(&opening->fence_link);
	rf_list_init(&opening->link);
	rf_list_init(&opening->walked.link);
	rf_list_init(&opening->watched.link);
	rf_list_init(&opening->locals);
	rf_list_init(&opening->notify_link);
	rf_list_init(&opening->unarmed_link);
	rf_list_init(&opening->signaled_link);
	*result = opening;
	return 0;
}

static void kmd_opening_free(struct kmd_opening *opening)
{
	kmd_uncharge_user(opening->adapter, opening->user, KMD_LIMIT_FENCES, 1);
	kmd_user_put(opening->adapter, opening->user);
	rf_free(opening);
}

/* An adapter has opened or closed it. */
static void kmd_fence_openings_changed(struct kmd_fence *fence)
{
	struct kmd_peer_fence *peer = kmd_fence_peer(fence);

	if (!peer)
		return;
	peer->changed = true;
	kmd_peers_changed_of(fence->domain, peer);
}

static void kmd_opening_link(struct kmd_opening *opening)
{
	struct kmd_adapter *adapter = opening->adapter;
	struct kmd_fence *fence = opening->fence;
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	fence->references++;
	rf_list_insert(&opening->fence_link, &fence->openings);
	rf_list_insert(&opening->link,
		       opening->is_native ? &adapter->fences : &adapter->monitored_fences);
	/* the walk under way does not visit it */
	kmd_walked_insert(&opening->walked, adapter->walk.round, &adapter->walk.all_fences);
	kmd_fence_update_watched(fence);
	kmd_fence_openings_changed(fence);
	if (fence->always_signaled) {
		adapter->work = true; /* engines get another page */
		kmd_adapter_set_busy(adapter);
	}
	kmd_wait_unlock(adapter->sync_domain, flags);
}

int kmd_opening_create(struct kmd_file *file, struct kmd_fence *fence, bool is_native, u32 flags,
		       u64 initial_value, struct kmd_opening **result)
{
	struct kmd_opening *opening;
	int ret;

	rf_assert_held(&file->adapter->mutex);
	ret = kmd_opening_alloc(file, fence, is_native, flags, &opening);
	if (ret)
		return ret;
	ret = kmd_opening_create_values(file, opening, flags);
	if (ret)
		goto free_opening;
	kmd_opening_write_values(opening, initial_value);
	if (is_native)
		ret = kmd_opening_create_global(opening);
	if (ret)
		goto destroy_values;
	opening->references = 1;
	kmd_opening_link(opening);
	*result = opening;
	return 0;

destroy_values:
	kmd_opening_destroy_values(opening);
free_opening:
	kmd_opening_free(opening);
	return ret;
}

/* Only a thread with the mutex of that adapter adds or removes its opening. */
static struct kmd_opening *kmd_opening_find(const struct kmd_adapter *adapter,
					    struct kmd_fence *fence)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	struct kmd_opening *opening, *found = NULL;

	rf_list_for_each(opening, &fence->openings, fence_link)
		if (opening->adapter == adapter)
			found = opening;
	kmd_wait_unlock(adapter->sync_domain, flags);
	return found;
}

int kmd_opening_get(struct kmd_file *file, struct kmd_fence *fence, struct kmd_opening **result)
{
	struct kmd_opening *opening = kmd_opening_find(file->adapter, fence);

	rf_assert_held(&file->adapter->mutex);
	if (!opening && !fence->cross_adapter)
		return -ENOENT;
	if (!opening)
		return kmd_opening_create(file, fence, file->adapter->native_fence,
					  DRM_RINGFENCE_FENCE_SHARED, 0, result);
	opening->references++;
	*result = opening;
	return 0;
}

/* No queue waits through it any more, and a last signal is found by kmd_local_fence_close(). */
static void kmd_opening_clear_entry(struct kmd_opening *opening)
{
	const struct kmd_peer_fence *peer = kmd_fence_peer(opening->fence);

	if (peer && kmd_peer_has_entry(opening->adapter, peer) &&
	    kmd_peer_can_access(opening->adapter))
		kmd_peer_set_entry(opening->adapter, peer, 0);
}

static void kmd_opening_destroy(struct kmd_opening *opening)
{
	struct kmd_fence *fence = opening->fence;
	unsigned long flags = kmd_wait_lock(fence->domain);

	rf_assert_held(&opening->adapter->mutex);
	kmd_opening_clear_entry(opening);
	kmd_fence_openings_changed(fence);
	/* notes may name it until the miniport's destroy has returned, but it is not armed any more */
	rf_list_remove(&opening->fence_link);
	rf_list_remove(&opening->link);
	rf_list_remove(&opening->walked.link);
	rf_list_remove(&opening->watched.link);
	rf_list_remove(&opening->notify_link);
	rf_list_remove(&opening->unarmed_link);
	kmd_wait_unlock(fence->domain, flags);

	if (opening->is_native)
		kmd_opening_destroy_global(opening);
	kmd_opening_destroy_values(opening);
	kmd_opening_free(opening);
	kmd_fence_drop(fence);
}

void kmd_opening_put(struct kmd_opening *opening)
{
	rf_assert_held(&opening->adapter->mutex);
	if (!--opening->references)
		kmd_opening_destroy(opening);
}

void kmd_fence_drop(struct kmd_fence *fence)
{
	unsigned long flags = kmd_wait_lock(fence->domain);
	bool last = !--fence->references;

	if (last) {
		rf_list_remove(&fence->reached_link);
		rf_list_remove(&fence->shared_link);
		if (kmd_fence_peer(fence))
			kmd_peer_page_release(kmd_fence_peer(fence));
	}
	kmd_wait_unlock(fence->domain, flags);
	if (!last)
		return;
	if (fence->cross_adapter)
		kmd_value_destroy_host(&fence->current_value);
	rf_free(fence);
}
