// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Doorbells: the page that user mode rings, and the word that says whether it did
 * any good (S3-13..S3-21, table 4.1 of the state machines).
 *
 * The order is C11. To disconnect: the status word first, visible to all, then the
 * page, then (in the miniport) a register read, unbinding, and one look at the write
 * pointer. To connect: the page first, then the status word. User mode rings, then
 * reads the status behind a full barrier. So a ring that went to the dummy page is
 * either seen as disconnected, or its write pointer is found by that last look.
 *
 * Locking: the adapter's mutex for life and for requests. doorbell_mutex guards
 * the list and where pages point; the miniport's callback takes only this, since it
 * comes from inside the connect_doorbell of another queue. The status word is
 * stored to under wait_lock, where ABORT, which is final, is decided.
 */
#include "core.h"

/* wait_lock held */
static void store_status(struct kmd_doorbell *doorbell, enum rf_doorbell_status status)
{
	if (kmd_adapter_is_fatal(doorbell->queue->file->adapter))
		status = RF_DOORBELL_DISCONNECTED_ABORT;
	if (rf_private_read64(doorbell->status, 0) != RF_DOORBELL_DISCONNECTED_ABORT)
		rf_mem_write64(doorbell->status, 0, status);
}

static void set_status(struct kmd_doorbell *doorbell, enum rf_doorbell_status status)
{
	struct kmd_domain *domain = doorbell->queue->file->adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);

	store_status(doorbell, status);
	rf_spin_unlock(&domain->wait_lock, flags);
	rf_mb(); /* seen by everybody before what follows */
}

void kmd_doorbell_abort(struct kmd_doorbell *doorbell)
{
	store_status(doorbell, RF_DOORBELL_DISCONNECTED_ABORT);
	doorbell->queue->file->adapter->work = true;
}

/* Status, then page. Returns whether it was connected. doorbell_mutex held. */
static bool rotate_away(struct kmd_doorbell *doorbell, enum rf_doorbell_status reason)
{
	bool connected = doorbell->state == KMD_DOORBELL_CONNECTED;

	set_status(doorbell, reason);
	if (connected)
		rf_doorbell_page_disconnect(doorbell->page);
	doorbell->state = KMD_DOORBELL_DISCONNECTED;
	return connected;
}

/* A ring that went nowhere left its write pointer. No spinlock held. */
static void look_for_work(struct kmd_doorbell *doorbell)
{
	struct kmd_domain *domain = doorbell->queue->file->adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);

	kmd_schedule_look(doorbell->queue);
	kmd_domain_settle(domain);
	rf_spin_unlock(&domain->wait_lock, flags);
}

static void count_victim(struct kmd_adapter *adapter)
{
	unsigned long flags = rf_spin_lock(&adapter->domain->wait_lock);

	adapter->statistics.victims++;
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
}

/* The core's own disconnect; the miniport is told. */
void kmd_doorbell_disconnect(struct kmd_doorbell *doorbell, enum rf_doorbell_status reason)
{
	const struct rf_disconnect_doorbell arguments = { .h_doorbell = doorbell->h_doorbell };
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	bool connected;

	rf_mutex_lock(&adapter->doorbell_mutex);
	connected = rotate_away(doorbell, reason);
	rf_mutex_unlock(&adapter->doorbell_mutex);
	if (connected) {
		adapter->ddi->disconnect_doorbell(adapter->h_adapter, &arguments);
		look_for_work(doorbell);
	}
}

/* Callback of the miniport: it takes the physical doorbell away. */
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
		rotate_away(doorbell, arguments->disconnect_reason);
		look_for_work(doorbell);
		count_victim(adapter);
		ret = 0;
		break;
	}
	rf_mutex_unlock(&adapter->doorbell_mutex);
	return ret;
}

/*
 * Reset a device that is lost, disconnect the doorbells of queues that were lost, free packets
 * that are done, and let engines change their state. While the device is in D3 all of that waits.
 */
void kmd_adapter_work(struct kmd_adapter *adapter)
{
	struct kmd_doorbell *doorbell;
	struct kmd_queue *queue;
	unsigned long flags;

	rf_mutex_lock(&adapter->mutex);
	if (adapter->asleep) {
		rf_mutex_unlock(&adapter->mutex);
		return;
	}
	flags = rf_spin_lock(&adapter->domain->wait_lock);
	adapter->work = false;
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
	kmd_adapter_recover_lost(adapter);
	kmd_nodes_recover_hung(adapter);
	rf_list_for_each(doorbell, &adapter->doorbells, link)
		if (rf_private_read64(doorbell->status, 0) == RF_DOORBELL_DISCONNECTED_ABORT)
			kmd_doorbell_disconnect(doorbell, RF_DOORBELL_DISCONNECTED_ABORT);
	rf_list_for_each(queue, &adapter->queues, link)
		if (!queue->user_mode)
			kmd_kernel_queue_reap(queue);
	kmd_engines_work(adapter);
	if (!kmd_adapter_is_fatal(adapter))
		kmd_fences_detach(adapter);
	rf_mutex_unlock(&adapter->mutex);
}

/* --- life ----------------------------------------------------------------------------- */

static int check_ring(const struct drm_ringfence_doorbell_create *request,
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

static int hw_doorbell_create(struct kmd_doorbell *doorbell,
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

static int pages_create(struct kmd_doorbell *doorbell)
{
	struct kmd_file *file = doorbell->queue->file;
	int ret;

	ret = rf_mem_create(file->adapter->bus, RF_MEM_HOST, KMD_PAGE_BYTES, &doorbell->status);
	if (ret)
		return ret;
	rf_mem_write64(doorbell->status, 0, RF_DOORBELL_DISCONNECTED_RETRY);
	ret = rf_file_expose(file->shell, doorbell->status, false, &doorbell->status_offset);
	if (ret)
		goto put_status;
	/* as large as the doorbell that takes the dummy's place (S3-6) */
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

static void pages_destroy(struct kmd_doorbell *doorbell)
{
	rf_doorbell_page_destroy(doorbell->page);
	rf_file_conceal(doorbell->queue->file->shell, doorbell->status_offset);
	rf_mem_put(doorbell->status);
}

/* Make the doorbell known to the callback and to the deferred part, or unknown. */
static void link_doorbell(struct kmd_doorbell *doorbell, bool add)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	unsigned long flags;

	rf_mutex_lock(&adapter->doorbell_mutex);
	flags = rf_spin_lock(&adapter->domain->wait_lock);
	doorbell->queue->doorbell = add ? doorbell : NULL;
	/* a queue that was lost before has no use for a doorbell; nor on a device that is */
	if (add)
		store_status(doorbell, doorbell->queue->error ? RF_DOORBELL_DISCONNECTED_ABORT
							      : RF_DOORBELL_DISCONNECTED_RETRY);
	if (add)
		kmd_schedule_begin(doorbell->queue);
	kmd_domain_settle(adapter->domain);
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
	if (add)
		rf_list_insert(&doorbell->link, &adapter->doorbells);
	else
		rf_list_remove(&doorbell->link);
	rf_mutex_unlock(&adapter->doorbell_mutex);
}

static int doorbell_create(struct kmd_file *file, struct kmd_queue *queue,
			   const struct drm_ringfence_doorbell_create *request,
			   struct kmd_doorbell **result)
{
	struct kmd_adapter *adapter = file->adapter;
	struct rf_destroy_doorbell destroy;
	struct kmd_doorbell *doorbell;
	int ret;

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
	ret = check_ring(request, doorbell->ring, doorbell->ring_control);
	if (ret)
		goto put_control;
	ret = rf_mem_vmap(doorbell->ring_control->mem); /* the driver reads the write pointer */
	if (ret)
		goto put_control;
	ret = pages_create(doorbell);
	if (ret)
		goto put_control;
	ret = hw_doorbell_create(doorbell, request);
	if (ret)
		goto destroy_pages;
	ret = kmd_table_insert(&file->table, KMD_DOORBELL, doorbell, &doorbell->handle);
	if (ret)
		goto destroy_hw_doorbell;
	link_doorbell(doorbell, true);
	*result = doorbell;
	return 0;

destroy_hw_doorbell:
	destroy.h_doorbell = doorbell->h_doorbell;
	adapter->ddi->destroy_doorbell(adapter->h_adapter, &destroy);
destroy_pages:
	pages_destroy(doorbell);
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

/* The queue does nothing any more without a ring. */
static void take_ring_away(struct kmd_doorbell *doorbell)
{
	struct kmd_domain *domain = doorbell->queue->file->adapter->domain;
	unsigned long flags = rf_spin_lock(&domain->wait_lock);

	doorbell->queue->doorbell = NULL;
	kmd_schedule_end(doorbell->queue);
	kmd_domain_settle(domain);
	rf_spin_unlock(&domain->wait_lock, flags);
}

void kmd_doorbell_destroy(struct kmd_doorbell *doorbell)
{
	const struct rf_destroy_doorbell destroy = { .h_doorbell = doorbell->h_doorbell };
	struct kmd_file *file = doorbell->queue->file;

	kmd_table_remove(&file->table, KMD_DOORBELL, doorbell->handle);
	kmd_doorbell_disconnect(doorbell, RF_DOORBELL_DISCONNECTED_RETRY);
	take_ring_away(doorbell);
	file->adapter->ddi->destroy_doorbell(file->adapter->h_adapter, &destroy);
	link_doorbell(doorbell, false);
	pages_destroy(doorbell);
	kmd_memory_put(doorbell->ring_control);
	kmd_memory_put(doorbell->ring);
	kmd_uncharge(file, KMD_LIMIT_DOORBELLS, 1);
	rf_free(doorbell);
}

/* --- connecting -------------------------------------------------------------------------- */

/* Returns whether there is nothing to do. */
static bool begin_connect(struct kmd_doorbell *doorbell)
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

/* The page, then the status; neither if the miniport took it back meanwhile. */
static void end_connect(struct kmd_doorbell *doorbell, const struct rf_connect_doorbell *answer)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;

	rf_mutex_lock(&adapter->doorbell_mutex);
	doorbell->token = answer->doorbell_token;
	if (doorbell->state == KMD_DOORBELL_CONNECTING) {
		rf_doorbell_page_connect(doorbell->page, answer->doorbell_offset);
		doorbell->state = KMD_DOORBELL_CONNECTED;
		rf_mb();
		set_status(doorbell, answer->status);
	}
	rf_mutex_unlock(&adapter->doorbell_mutex);
}

static int connect_awake(struct kmd_doorbell *doorbell)
{
	struct rf_connect_doorbell arguments = { .h_doorbell = doorbell->h_doorbell };
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	int ret;

	if (begin_connect(doorbell))
		return 0;
	ret = adapter->ddi->connect_doorbell(adapter->h_adapter, &arguments);
	if (!ret && arguments.status != RF_DOORBELL_CONNECTED &&
	    arguments.status != RF_DOORBELL_CONNECTED_NOTIFY_KMD) {
		kmd_adapter_fail(adapter, "connect_doorbell gave no status of a connection");
		ret = -EIO;
	}
	if (ret) {
		rf_mutex_lock(&adapter->doorbell_mutex);
		rotate_away(doorbell, RF_DOORBELL_DISCONNECTED_ABORT);
		rf_mutex_unlock(&adapter->doorbell_mutex);
		return -EIO;
	}
	end_connect(doorbell, &arguments);
	look_for_work(doorbell);
	return 0;
}

/* D0 and F0 first; contexts that D3 suspended come last (S3-39, S3-44, S3-45). */
static int connect(struct kmd_doorbell *doorbell)
{
	struct kmd_adapter *adapter = doorbell->queue->file->adapter;
	int ret;

	if (rf_private_read64(doorbell->status, 0) == RF_DOORBELL_DISCONNECTED_ABORT)
		return -EIO;
	ret = kmd_adapter_power_up(adapter);
	if (!ret)
		ret = kmd_engine_use(adapter, doorbell->queue->node);
	if (!ret)
		ret = connect_awake(doorbell);
	kmd_contexts_release(adapter);
	return ret;
}

/* --- requests ------------------------------------------------------------------------------ */

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
		ret = doorbell_create(file, queue, request, &doorbell);
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
	ret = doorbell ? connect(doorbell) : -ENOENT;
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
