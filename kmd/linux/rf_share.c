// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Shared fences by file descriptor: a file that holds a fence and the flags that restrict its
 * openers. A process that has the descriptor may open the fence; descriptors are passed on by
 * fork() and SCM_RIGHTS only. Like an NT handle the file keeps the fence alive (S0-57, S0-58).
 *
 * A fence for several adapters may be opened on a device other than that of the sharer. Two devices
 * may do so with each other's, so a request for one does not hold ringfence_device.requests of
 * another: the fence is held meanwhile, not its opening there.
 *
 * When the device of the sharer is stopped, also for a reset, its shares end: the files stay, and
 * opening one returns -ENODEV. The module cannot be unloaded while such a file exists.
 */
#include <drm/drm_drv.h>
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "ringfence_drm.h"
#include "rf_linux.h"

/**
 * struct share - what a file descriptor stands for
 * @device: of the sharer; with a reference
 * @link: in ringfence_device.shares
 * @fence: the core's; NULL once the device was stopped. Guarded by ringfence_device.files_mutex
 * @flags: DRM_RINGFENCE_FENCE_NO_SIGNAL and NO_WAIT
 */
struct share {
	struct ringfence_device *device;
	struct list_head link;
	struct kmd_opening *fence;
	u32 flags;
};

/* Take the fence out of the share; NULL if it has none. files_mutex held. */
static struct kmd_opening *rf_share_take_fence(struct share *share)
{
	struct kmd_opening *fence = share->fence;

	if (fence)
		list_del(&share->link);
	share->fence = NULL;
	return fence;
}

/*
 * ringfence_device.requests held. The core may wait for the device, so it is called without the
 * mutex.
 */
static void rf_share_end(struct share *share)
{
	struct kmd_opening *fence;

	mutex_lock(&share->device->files_mutex);
	fence = rf_share_take_fence(share);
	mutex_unlock(&share->device->files_mutex);
	if (fence)
		kmd_fence_end_share(fence);
}

void rf_shares_end(struct ringfence_device *device)
{
	struct share *share, *next;

	list_for_each_entry_safe(share, next, &device->shares, link) rf_share_end(share);
}

static int rf_share_release(struct inode *inode, struct file *file)
{
	struct share *share = file->private_data;
	struct ringfence_device *device = share->device;
	int index;
	bool awake = !rf_power_enter(device, &index); /* false: the device is removed */

	down_read(&device->requests);
	rf_share_end(share);
	up_read(&device->requests);
	if (awake)
		rf_power_exit(device, index);
	kfree(share);
	drm_dev_put(&device->drm);
	return 0;
}

static const struct file_operations share_fops = {
	.owner = THIS_MODULE,
	.release = rf_share_release,
};

static struct share *rf_share_create(struct rf_file *file, u32 handle, u32 flags)
{
	struct ringfence_device *device = file->device;
	struct share *share = kzalloc(sizeof(*share), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!share)
		return ERR_PTR(-ENOMEM);
	share->flags = flags;
	ret = kmd_fence_share(file->file, handle, &share->flags, &share->fence);
	if (ret) {
		kfree(share);
		return ERR_PTR(ret);
	}
	share->device = device;
	drm_dev_get(&device->drm);
	mutex_lock(&device->files_mutex);
	list_add(&share->link, &device->shares);
	mutex_unlock(&device->files_mutex);
	return share;
}

/* Destroy a share without a file. */
static void rf_share_destroy(struct share *share)
{
	struct ringfence_device *device = share->device;

	rf_share_end(share);
	kfree(share);
	drm_dev_put(&device->drm);
}

static int rf_share_to_fd(struct rf_file *file, void *arguments)
{
	struct drm_ringfence_fence_to_fd *request = arguments;
	struct file *shared;
	struct share *share;
	int fd;

	if (request->pad || request->fd)
		return -EINVAL;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	share = rf_share_create(file, request->fence, request->flags);
	if (IS_ERR(share)) {
		put_unused_fd(fd);
		return PTR_ERR(share);
	}
	shared = anon_inode_getfile("[ringfence-fence]", &share_fops, share, O_RDWR);
	if (IS_ERR(shared)) {
		rf_share_destroy(share);
		put_unused_fd(fd);
		return PTR_ERR(shared);
	}
	fd_install(fd, shared);
	request->fd = fd;
	return 0;
}

/* The fence of the share, which the caller has to let go of */
static int rf_share_hold_fence(struct rf_file *file, const struct share *share,
			       struct kmd_fence **fence)
{
	int ret = -ENODEV;

	mutex_lock(&share->device->files_mutex);
	if (share->fence)
		ret = kmd_fence_hold_share(file->file, share->fence, fence);
	mutex_unlock(&share->device->files_mutex);
	return ret;
}

static int rf_share_open(struct rf_file *file, const struct share *share,
			 struct drm_ringfence_fence_from_fd *request)
{
	struct kmd_fence *fence;
	int ret = rf_share_hold_fence(file, share, &fence);

	if (ret)
		return ret;
	ret = kmd_fence_open_held(file->file, fence, share->flags | request->flags,
				  &request->handle, &request->type, &request->mapping);
	kmd_fence_end_hold(fence);
	if (!ret)
		request->flags |= share->flags;
	return ret;
}

static int rf_share_from_fd(struct rf_file *file, void *arguments)
{
	struct drm_ringfence_fence_from_fd *request = arguments;
	struct file *shared = fget(request->fd);
	int ret = -EINVAL;

	if (!shared)
		return -EBADF;
	if (shared->f_op == &share_fops)
		ret = rf_share_open(file, shared->private_data, request);
	fput(shared);
	return ret;
}

int rf_share_request(struct rf_file *file, unsigned int request, void *arguments)
{
	switch (request) {
	case DRM_RINGFENCE_FENCE_TO_FD:
		return rf_share_to_fd(file, arguments);
	case DRM_RINGFENCE_FENCE_FROM_FD:
		return rf_share_from_fd(file, arguments);
	}
	return -EINVAL;
}
