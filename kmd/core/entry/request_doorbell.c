// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: doorbells. Locking: the adapter's mutex. */
#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "entry/requests.h"
#include "queues/doorbell.h"
#include "queues/suspension.h"
#include "recovery/device_power.h"
#include "scheduling/engine.h"
#include "scheduling/queue.h"
#include "rf_os.h"

/* D0 and F0 first; contexts that D3 suspended are resumed last (S3-39, S3-44, S3-45). */
static int kmd_request_connect(struct kmd_doorbell *doorbell)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	int ret;

	if (kmd_doorbell_is_aborted(doorbell))
		return -EIO;
	ret = kmd_adapter_power_up(adapter);
	if (!ret)
		ret = kmd_engine_power_up(adapter, doorbell->queue->node);
	if (!ret)
		ret = kmd_doorbell_connect(doorbell);
	kmd_contexts_resume_all(adapter);
	return ret;
}

int kmd_request_doorbell_create(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_doorbell_create *request = arguments;
	struct kmd_doorbell *doorbell = NULL;
	struct kmd_queue *queue;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_request_lock_awake(file->adapter);
	if (ret)
		return ret;
	queue = kmd_table_find(&file->table, KMD_QUEUE, request->queue);
	if (!queue)
		ret = -ENOENT;
	else if (!queue->user_mode)
		ret = -EOPNOTSUPP; /* S3-8 */
	else if (queue->doorbell)
		ret = -EBUSY;
	else
		ret = kmd_doorbell_create(file, queue, request, &doorbell);
	if (!ret) {
		request->handle = doorbell->handle;
		request->doorbell_mmap_offset = doorbell->page_offset;
		request->status_mmap_offset = doorbell->status_offset;
	}
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

int kmd_request_doorbell_connect(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_doorbell_connect *request = arguments;
	struct kmd_doorbell *doorbell;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = kmd_request_lock(file->adapter);
	if (ret)
		return ret;
	doorbell = kmd_table_find(&file->table, KMD_DOORBELL, request->handle);
	ret = doorbell ? kmd_request_connect(doorbell) : -ENOENT;
	if (!ret)
		request->token = doorbell->token;
	rf_mutex_unlock(&file->adapter->mutex);
	return ret;
}

int kmd_request_doorbell_destroy(struct kmd_file *file, void *arguments)
{
	const struct drm_ringfence_doorbell_destroy *request = arguments;
	struct kmd_doorbell *doorbell;
	int ret;

	if (request->pad)
		return -EINVAL;
	ret = kmd_request_lock_destroy(file->adapter);
	if (ret)
		return ret;
	doorbell = kmd_table_find(&file->table, KMD_DOORBELL, request->handle);
	if (doorbell)
		kmd_doorbell_destroy(doorbell);
	rf_mutex_unlock(&file->adapter->mutex);
	return doorbell ? 0 : -ENOENT;
}
