// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Export of fences as dma_fence (sync_file, syncobj), import of dma_fences, and eventfd.
 *
 * Export: a dma_fence stands for a value that its queue has been given to signal. The core calls
 * rf_value_fence_signal() when the value is reached or can no longer be reached; rf_power.c limits
 * the time until then. Import: when the dma_fence signals, a work item stores the value. The
 * callback itself does not, because it runs under the locks of the signalling driver, which may be
 * those of the core.
 *
 * Code that signals, here and in the interrupt thread, allocates no memory and takes no lock under
 * which memory is allocated, so not ringfence_device.requests.
 */
#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <linux/dma-fence.h>
#include <linux/dma-fence-chain.h>
#include <linux/eventfd.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sync_file.h>

#include "ringfence_drm.h"
#include "rf_linux.h"

/* --- out ------------------------------------------------------------------------------ */

/**
 * struct value_fence - a value as a dma_fence
 * @base: each in a context of its own: user mode stores the values of a queue, so that one value
 *        does not imply the values before it
 * @lock: the dma_fence's
 * @name: its timeline's
 */
struct value_fence {
	struct dma_fence base;
	spinlock_t lock;
	char name[32];
};

static struct value_fence *rf_to_value_fence(struct dma_fence *base)
{
	return container_of(base, struct value_fence, base);
}

static const char *rf_value_fence_driver_name(struct dma_fence *base)
{
	return "ringfence";
}

static const char *rf_value_fence_timeline_name(struct dma_fence *base)
{
	return rf_to_value_fence(base)->name;
}

/* Each fence holds a reference of the module, which contains its functions. */
static void rf_value_fence_release(struct dma_fence *base)
{
	dma_fence_free(base);
	module_put(THIS_MODULE);
}

static const struct dma_fence_ops value_fence_ops = {
	.get_driver_name = rf_value_fence_driver_name,
	.get_timeline_name = rf_value_fence_timeline_name,
	.release = rf_value_fence_release,
};

/* Called by the core, once. */
static void rf_value_fence_signal(void *argument, int result)
{
	struct value_fence *fence = argument;

	if (result)
		dma_fence_set_error(&fence->base, result);
	dma_fence_signal(&fence->base);
	dma_fence_put(&fence->base);
}

static struct value_fence *rf_value_fence_create(u32 handle, u64 value)
{
	struct value_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);

	if (!fence)
		return NULL;
	spin_lock_init(&fence->lock);
	snprintf(fence->name, sizeof(fence->name), "%s/%x", current->comm, handle);
	__module_get(THIS_MODULE);
	dma_fence_init(&fence->base, &value_fence_ops, &fence->lock, dma_fence_context_alloc(1),
		       value);
	return fence;
}

static struct dma_fence *rf_sync_make_fence(struct rf_file *file, u32 handle, u64 value)
{
	struct value_fence *fence = rf_value_fence_create(handle, value);
	int ret;

	if (!fence)
		return ERR_PTR(-ENOMEM);
	dma_fence_get(&fence->base);
	ret = kmd_fence_notify(file->file, handle, value, true, rf_value_fence_signal, fence);
	if (ret) {
		dma_fence_put(&fence->base);
		dma_fence_put(&fence->base);
		return ERR_PTR(ret);
	}
	rf_power_fence_exported(file->device);
	return &fence->base;
}

static int rf_sync_export_file(struct dma_fence *fence, s32 *result)
{
	struct sync_file *file;
	int fd = get_unused_fd_flags(O_CLOEXEC);

	if (fd < 0)
		return fd;
	file = sync_file_create(fence);
	if (!file) {
		put_unused_fd(fd);
		return -ENOMEM;
	}
	fd_install(fd, file->file);
	*result = fd;
	return 0;
}

static int rf_sync_export_point(struct rf_file *file, struct dma_fence *fence, u32 handle,
				u64 point)
{
	struct dma_fence_chain *chain = NULL;
	struct drm_syncobj *syncobj = drm_syncobj_find(file->drm, handle);

	if (!syncobj)
		return -ENOENT;
	if (point) {
		chain = dma_fence_chain_alloc();
		if (!chain) {
			drm_syncobj_put(syncobj);
			return -ENOMEM;
		}
		drm_syncobj_add_point(syncobj, chain, fence, point);
	} else {
		drm_syncobj_replace_fence(syncobj, fence);
	}
	drm_syncobj_put(syncobj);
	return 0;
}

static int rf_sync_fence_export(struct rf_file *file, void *arguments)
{
	struct drm_ringfence_fence_export *request = arguments;
	struct dma_fence *fence;
	int ret;

	if ((request->flags & ~DRM_RINGFENCE_SYNC_FILE) || request->fd ||
	    (request->flags && (request->syncobj || request->point)))
		return -EINVAL;
	fence = rf_sync_make_fence(file, request->fence, request->value);
	if (IS_ERR(fence))
		return PTR_ERR(fence);
	if (request->flags & DRM_RINGFENCE_SYNC_FILE)
		ret = rf_sync_export_file(fence, &request->fd);
	else
		ret = rf_sync_export_point(file, fence, request->syncobj, request->point);
	dma_fence_put(fence);
	return ret;
}

/* --- in ------------------------------------------------------------------------------- */

/**
 * struct import - a value that follows a dma_fence
 * @from: the dma_fence
 * @callback: called when @from signals; queues @work
 * @work: stores the value
 * @file: process of the fence
 * @link: in rf_file.imports
 * @handle: of the fence
 * @value: for it
 */
struct import {
	struct dma_fence *from;
	struct dma_fence_cb callback;
	struct work_struct work;
	struct rf_file *file;
	struct list_head link;
	u32 handle;
	u64 value;
};

static void rf_sync_free_import(struct import *import)
{
	kmd_file_uncharge_wait(import->file->file);
	dma_fence_put(import->from);
	kfree(import);
}

/* Works in D3 too: the value is a word in memory, and no queue in the device waits for it. */
static void rf_sync_store_value_work(struct work_struct *work)
{
	struct import *import = container_of(work, struct import, work);
	struct rf_file *file = import->file;
	bool cookie = dma_fence_begin_signalling();

	/* a fence whose handle was destroyed meanwhile has no waiters; the error is ignored */
	kmd_fence_store(file->file, import->handle, import->value);
	spin_lock_irq(&file->sync_lock);
	list_del(&import->link);
	spin_unlock_irq(&file->sync_lock);
	dma_fence_end_signalling(cookie);
	rf_sync_free_import(import);
}

static void rf_sync_from_signaled(struct dma_fence *from, struct dma_fence_cb *callback)
{
	struct import *import = container_of(callback, struct import, callback);

	queue_work(import->file->device->domain->sync_queue, &import->work);
}

static int rf_sync_find_fence(struct rf_file *file,
			      const struct drm_ringfence_fence_import *request,
			      struct dma_fence **fence)
{
	if (!(request->flags & DRM_RINGFENCE_SYNC_FILE))
		return drm_syncobj_find_fence(file->drm, request->syncobj, request->point, 0,
					      fence);
	*fence = sync_file_get_fence(request->fd);
	return *fence ? 0 : -EINVAL;
}

static int rf_sync_fence_import(struct rf_file *file, void *arguments)
{
	const struct drm_ringfence_fence_import *request = arguments;
	const bool is_file = request->flags & DRM_RINGFENCE_SYNC_FILE;
	struct import *import;
	int ret;

	if ((request->flags & ~DRM_RINGFENCE_SYNC_FILE) ||
	    (is_file ? request->syncobj || request->point : request->fd))
		return -EINVAL;
	ret = kmd_fence_may_store(file->file, request->fence, request->value);
	if (ret)
		return ret;
	ret = kmd_file_charge_wait(file->file);
	if (ret)
		return ret;
	import = kzalloc(sizeof(*import), GFP_KERNEL_ACCOUNT);
	if (!import) {
		kmd_file_uncharge_wait(file->file);
		return -ENOMEM;
	}
	import->file = file;
	import->handle = request->fence;
	import->value = request->value;
	INIT_WORK(&import->work, rf_sync_store_value_work);
	ret = rf_sync_find_fence(file, request, &import->from);
	if (ret) {
		kmd_file_uncharge_wait(file->file);
		kfree(import);
		return ret;
	}
	spin_lock_irq(&file->sync_lock);
	list_add_tail(&import->link, &file->imports);
	spin_unlock_irq(&file->sync_lock);
	if (dma_fence_add_callback(import->from, &import->callback, rf_sync_from_signaled))
		queue_work(file->device->domain->sync_queue, &import->work); /* it has signalled */
	return 0;
}

/* --- eventfd -------------------------------------------------------------------------- */

static void rf_sync_signal_eventfd(void *argument, int result)
{
	eventfd_signal(argument);
	eventfd_ctx_put(argument);
}

static int rf_sync_fence_eventfd(struct rf_file *file, void *arguments)
{
	const struct drm_ringfence_fence_eventfd *request = arguments;
	struct eventfd_ctx *eventfd = eventfd_ctx_fdget(request->fd);
	int ret;

	if (IS_ERR(eventfd))
		return PTR_ERR(eventfd);
	ret = kmd_fence_notify(file->file, request->fence, request->value, false,
			       rf_sync_signal_eventfd, eventfd);
	if (ret)
		eventfd_ctx_put(eventfd);
	return ret;
}

int rf_sync_request(struct rf_file *file, unsigned int request, void *arguments)
{
	switch (request) {
	case DRM_RINGFENCE_FENCE_EXPORT:
		return rf_sync_fence_export(file, arguments);
	case DRM_RINGFENCE_FENCE_IMPORT:
		return rf_sync_fence_import(file, arguments);
	case DRM_RINGFENCE_FENCE_EVENTFD:
		return rf_sync_fence_eventfd(file, arguments);
	}
	return -EINVAL;
}

/* --- the end ---------------------------------------------------------------------------- */

void rf_sync_init(struct rf_file *file)
{
	spin_lock_init(&file->sync_lock);
	INIT_LIST_HEAD(&file->imports);
}

void rf_sync_end_imports(struct rf_file *file)
{
	struct import *import, *next;
	LIST_HEAD(ended);

	spin_lock_irq(&file->sync_lock);
	list_for_each_entry_safe(
		import, next, &file->imports,
		link) if (dma_fence_remove_callback(import->from, &import->callback))
		list_move(&import->link, &ended);
	spin_unlock_irq(&file->sync_lock);
	list_for_each_entry_safe(import, next, &ended, link) rf_sync_free_import(import);
	flush_workqueue(file->device->domain->sync_queue); /* the others have signalled */
}

void rf_sync_destroy(struct rf_file *file)
{
	WARN_ON(!list_empty(&file->imports));
}
