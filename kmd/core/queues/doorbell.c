// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Doorbells: the page that user mode rings, and the status word that shows whether the ring reached
 * the device (S3-13..S3-21, table 4.1 of the state machines).
 *
 * The order is C11. To disconnect: the status word first, visible to all, then the page, then (in
 * the miniport) a register read, unbinding, and one read of the write pointer. To connect: the page
 * first, then the status word. User mode rings, then reads the status after a full barrier. So for
 * a ring that went to the dummy page, either user mode sees the status as disconnected, or that
 * last read finds the write pointer.
 *
 * Locking: the adapter's mutex for life and for requests. doorbell_mutex guards the list and where
 * pages point; the miniport's callback takes only this one, since it is called from inside the
 * connect_doorbell of another queue. The status word is stored to under wait_lock, where ABORT,
 * which is final, is decided.
 */
#include "queues/doorbell.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/sync_domain.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"
#include "ringfence_hw.h"

bool kmd_doorbell_is_aborted(const struct kmd_doorbell *doorbell)
{
	return rf_private_read64(doorbell->status, 0) == RF_DOORBELL_DISCONNECTED_ABORT;
}

/* wait_lock held */
static void kmd_doorbell_store_status(struct kmd_doorbell *doorbell, enum rf_doorbell_status status)
{
	rf_assert_held(&doorbell->queue->file->adapter->sync_domain->wait_lock);
	if (kmd_adapter_is_wedged(doorbell->queue->file->adapter))
		status = RF_DOORBELL_DISCONNECTED_ABORT;
	if (!kmd_doorbell_is_aborted(doorbell))
		rf_mem_write64(doorbell->status, 0, status);
}

static void kmd_doorbell_set_status(struct kmd_doorbell *doorbell, enum rf_doorbell_status status)
{
	struct kmd_sync_domain *domain = doorbell->queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_doorbell_store_status(doorbell, status);
	kmd_wait_unlock(domain, flags);
	rf_mb(); /* visible to all before the stores that follow */
}

void kmd_doorbell_abort(struct kmd_doorbell *doorbell)
{
	kmd_doorbell_store_status(doorbell, RF_DOORBELL_DISCONNECTED_ABORT);
	doorbell->queue->file->adapter->work = true;
}

/* The status first, then the page. Returns whether it was connected. doorbell_mutex held. */
static bool kmd_doorbell_rotate_away(struct kmd_doorbell *doorbell, enum rf_doorbell_status reason)
{
	bool connected = doorbell->state == KMD_DOORBELL_CONNECTED;

	rf_assert_held(&doorbell->queue->file->adapter->doorbell_mutex);
	kmd_doorbell_set_status(doorbell, reason);
	if (connected)
		rf_doorbell_page_disconnect(doorbell->page);
	doorbell->state = KMD_DOORBELL_DISCONNECTED;
	return connected;
}

/* A lost ring has left its write pointer: poll the ring. No spinlock held. */
static void kmd_doorbell_poll_ring(struct kmd_doorbell *doorbell)
{
	struct kmd_sync_domain *domain = doorbell->queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_schedule_poll_ring(doorbell->queue);
	kmd_wait_unlock(domain, flags);
}

static void kmd_doorbell_count_victim(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	adapter->statistics.victims++;
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/* A disconnect by the core; the miniport is called as well. */
void kmd_doorbell_disconnect(struct kmd_doorbell *doorbell, enum rf_doorbell_status reason)
{
	const struct rf_disconnect_doorbell arguments = { .h_doorbell = doorbell->h_doorbell };
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	bool connected;

	rf_assert_held(&doorbell->queue->file->adapter->mutex);
	rf_mutex_lock(&adapter->doorbell_mutex);
	connected = kmd_doorbell_rotate_away(doorbell, reason);
	rf_mutex_unlock(&adapter->doorbell_mutex);
	if (connected) {
		adapter->ddi->disconnect_doorbell(adapter->h_adapter, &arguments);
		kmd_doorbell_poll_ring(doorbell);
	}
}

/* Callback of the miniport: it needs the physical doorbell for another queue. */
int kmd_disconnect_doorbell(void *h_core, const struct rf_disconnect_doorbell_callback *arguments)
{
	struct kmd_adapter *adapter = h_core;
	struct kmd_doorbell *doorbell;
	int ret = -EINVAL;

	if (arguments->flags || (arguments->disconnect_reason != RF_DOORBELL_DISCONNECTED_RETRY &&
				 arguments->disconnect_reason != RF_DOORBELL_DISCONNECTED_ABORT))
		return -EINVAL;
	rf_mutex_lock(&adapter->doorbell_mutex);
	rf_list_for_each(doorbell, &adapter->doorbells, link) {
		if (doorbell->h_doorbell != arguments->h_doorbell ||
		    doorbell->queue->h_hw_queue != arguments->h_hw_queue)
			continue;
		kmd_doorbell_rotate_away(doorbell, arguments->disconnect_reason);
		kmd_doorbell_poll_ring(doorbell);
		kmd_doorbell_count_victim(adapter);
		ret = 0;
		break;
	}
	rf_mutex_unlock(&adapter->doorbell_mutex);
	return ret;
}

static int kmd_doorbell_check_ring(const struct drm_ringfence_doorbell_create *request,
				   const struct kmd_memory *ring, const struct kmd_memory *control)
{
	u32 entries = request->ring_entries;
	u64 bytes = (u64)entries * RF_RING_ENTRY_BYTES;
	u64 address;

	if (!entries || entries > RF_RING_ENTRIES_MAX || (entries & (entries - 1)))
		return -EINVAL;
	if (request->ring_offset % RF_RING_ENTRY_BYTES || bytes > ring->mem->bytes ||
	    request->ring_offset > ring->mem->bytes - bytes)
		return -EINVAL;
	/* the device adds the index to the low bits only */
	address = ring->gpu_address + request->ring_offset;
	if (address / RF_RING_BLOCK_BYTES != (address + bytes - 1) / RF_RING_BLOCK_BYTES)
		return -EINVAL;
	if (request->ring_control_offset % sizeof(u64) ||
	    request->ring_control_offset > control->mem->bytes - sizeof(u64))
		return -EINVAL;
	return 0;
}

static int kmd_doorbell_create_hw(struct kmd_doorbell *doorbell,
				  const struct drm_ringfence_doorbell_create *request)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	struct rf_create_doorbell create = {
		.h_hw_queue = doorbell->queue->h_hw_queue,
		.h_doorbell = doorbell,
		.ring_buffer_gpu_va = doorbell->ring->gpu_address + request->ring_offset,
		.ring_buffer_entries = request->ring_entries,
		.ring_buffer_control_cpu_va = { .mem = doorbell->ring_control->mem,
						.offset = request->ring_control_offset },
		.ring_buffer_control_gpu_va =
			doorbell->ring_control->gpu_address + request->ring_control_offset,
	};
	int ret = adapter->ddi->create_doorbell(adapter->h_adapter, &create);

	if (!ret)
		doorbell->h_doorbell = create.h_doorbell;
	return ret;
}

static int kmd_doorbell_create_pages(struct kmd_doorbell *doorbell)
{
	struct kmd_file *file = doorbell->queue->file;
	int ret;

	ret = rf_mem_create(file->adapter->bus, RF_MEM_HOST, KMD_PAGE_BYTES, &doorbell->status);
	if (ret)
		return ret;
	ret = rf_file_expose(file->shell, doorbell->status, false, &doorbell->status_offset);
	if (ret)
		goto put_status;
	/* the dummy has the size of the doorbell that replaces it (S3-6) */
	ret = rf_doorbell_page_create(file->shell,
				      file->adapter->submission_caps.doorbell_size_in_bytes,
				      &doorbell->page_offset, &doorbell->page);
	if (ret)
		goto conceal_status;
	return 0;

conceal_status:
	rf_file_conceal(file->shell, doorbell->status_offset);
put_status:
	rf_mem_put(doorbell->status);
	return ret;
}

static void kmd_doorbell_destroy_pages(struct kmd_doorbell *doorbell)
{
	rf_doorbell_page_destroy(doorbell->page);
	rf_file_conceal(doorbell->queue->file->shell, doorbell->status_offset);
	rf_mem_put(doorbell->status);
}

/* Add or remove the doorbell for the miniport's callback and the deferred part. */
static void kmd_doorbell_link(struct kmd_doorbell *doorbell, bool add)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	unsigned long flags;

	rf_mutex_lock(&adapter->doorbell_mutex);
	flags = kmd_wait_lock(adapter->sync_domain);
	doorbell->queue->doorbell = add ? doorbell : NULL;
	/* the status is ABORT at once if the queue or the device is already lost */
	if (add)
		kmd_doorbell_store_status(doorbell, doorbell->queue->error
							    ? RF_DOORBELL_DISCONNECTED_ABORT
							    : RF_DOORBELL_DISCONNECTED_RETRY);
	if (add)
		kmd_schedule_begin(doorbell->queue);
	kmd_wait_unlock(adapter->sync_domain, flags);
	if (add)
		rf_list_insert(&doorbell->link, &adapter->doorbells);
	else
		rf_list_remove(&doorbell->link);
	rf_mutex_unlock(&adapter->doorbell_mutex);
}

int kmd_doorbell_create(struct kmd_file *file, struct kmd_queue *queue,
			const struct drm_ringfence_doorbell_create *request,
			struct kmd_doorbell **result)
{
	struct kmd_adapter *adapter = file->adapter;
	struct rf_destroy_doorbell destroy;
	struct kmd_doorbell *doorbell;
	int ret;

	rf_assert_held(&file->adapter->mutex);
	ret = kmd_charge(file, KMD_LIMIT_DOORBELLS, 1);
	if (ret)
		return ret;
	doorbell = rf_alloc(sizeof(*doorbell));
	if (!doorbell) {
		ret = -ENOMEM;
		goto uncharge;
	}
	ret = -ENOENT;
	doorbell->queue = queue;
	rf_list_init(&doorbell->link);
	doorbell->ring = kmd_memory_get(file, request->ring_memory);
	if (!doorbell->ring)
		goto free_doorbell;
	doorbell->ring_control = kmd_memory_get(file, request->ring_control_memory);
	if (!doorbell->ring_control)
		goto put_ring;
	ret = kmd_doorbell_check_ring(request, doorbell->ring, doorbell->ring_control);
	if (ret)
		goto put_control;
	ret = rf_mem_vmap(doorbell->ring_control->mem); /* the driver reads the write pointer */
	if (ret)
		goto put_control;
	ret = kmd_doorbell_create_pages(doorbell);
	if (ret)
		goto put_control;
	ret = kmd_doorbell_create_hw(doorbell, request);
	if (ret)
		goto destroy_pages;
	ret = kmd_table_insert(&file->table, KMD_DOORBELL, doorbell, &doorbell->handle);
	if (ret)
		goto destroy_hw_doorbell;
	kmd_doorbell_link(doorbell, true);
	*result = doorbell;
	return 0;

destroy_hw_doorbell:
	destroy.h_doorbell = doorbell->h_doorbell;
	adapter->ddi->destroy_doorbell(adapter->h_adapter, &destroy);
destroy_pages:
	kmd_doorbell_destroy_pages(doorbell);
put_control:
	kmd_memory_put(doorbell->ring_control);
put_ring:
	kmd_memory_put(doorbell->ring);
free_doorbell:
	rf_free(doorbell);
uncharge:
	kmd_uncharge(file, KMD_LIMIT_DOORBELLS, 1);
	return ret;
}

/* Without a ring the queue has no work any more. */
static void kmd_doorbell_detach_queue(struct kmd_doorbell *doorbell)
{
	struct kmd_sync_domain *domain = doorbell->queue->file->adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	doorbell->queue->doorbell = NULL;
	kmd_schedule_end(doorbell->queue);
	kmd_wait_unlock(domain, flags);
}

void kmd_doorbell_destroy(struct kmd_doorbell *doorbell)
{
	const struct rf_destroy_doorbell destroy = { .h_doorbell = doorbell->h_doorbell };
	struct kmd_file *file = doorbell->queue->file;

	rf_assert_held(&doorbell->queue->file->adapter->mutex);
	kmd_table_remove(&file->table, KMD_DOORBELL, doorbell->handle);
	kmd_doorbell_disconnect(doorbell, RF_DOORBELL_DISCONNECTED_RETRY);
	kmd_doorbell_detach_queue(doorbell);
	file->adapter->ddi->destroy_doorbell(file->adapter->h_adapter, &destroy);
	kmd_doorbell_link(doorbell, false);
	kmd_doorbell_destroy_pages(doorbell);
	kmd_memory_put(doorbell->ring_control);
	kmd_memory_put(doorbell->ring);
	kmd_uncharge(file, KMD_LIMIT_DOORBELLS, 1);
	rf_free(doorbell);
}

/* True: it is connected already. */
static bool kmd_doorbell_begin_connect(struct kmd_doorbell *doorbell)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	bool connected;

	rf_mutex_lock(&adapter->doorbell_mutex);
	connected = doorbell->state == KMD_DOORBELL_CONNECTED;
	if (!connected)
		doorbell->state = KMD_DOORBELL_CONNECTING;
	rf_mutex_unlock(&adapter->doorbell_mutex);
	return connected;
}

/* The page, then the status; neither if the miniport has disconnected it meanwhile. */
static void kmd_doorbell_end_connect(struct kmd_doorbell *doorbell,
				     const struct rf_connect_doorbell *answer)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;

	rf_mutex_lock(&adapter->doorbell_mutex);
	doorbell->token = answer->doorbell_token;
	if (doorbell->state == KMD_DOORBELL_CONNECTING) {
		rf_doorbell_page_connect(doorbell->page, answer->doorbell_offset);
		doorbell->state = KMD_DOORBELL_CONNECTED;
		rf_mb();
		kmd_doorbell_set_status(doorbell, answer->status);
	}
	rf_mutex_unlock(&adapter->doorbell_mutex);
}

int kmd_doorbell_connect(struct kmd_doorbell *doorbell)
{
	struct rf_connect_doorbell arguments = { .h_doorbell = doorbell->h_doorbell };
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	int ret;

	rf_assert_held(&doorbell->queue->file->adapter->mutex);
	if (kmd_doorbell_begin_connect(doorbell))
		return 0;
	ret = adapter->ddi->connect_doorbell(adapter->h_adapter, &arguments);
	if (!ret && arguments.status != RF_DOORBELL_CONNECTED &&
	    arguments.status != RF_DOORBELL_CONNECTED_NOTIFY_KMD) {
		kmd_adapter_wedge(adapter, "connect_doorbell gave no status of a connection");
		ret = -EIO;
	}
	if (ret) {
		rf_mutex_lock(&adapter->doorbell_mutex);
		kmd_doorbell_rotate_away(doorbell, RF_DOORBELL_DISCONNECTED_ABORT);
		rf_mutex_unlock(&adapter->doorbell_mutex);
		return -EIO;
	}
	kmd_doorbell_end_connect(doorbell, &arguments);
	kmd_doorbell_poll_ring(doorbell);
	return 0;
}
