/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Doorbells: the page that user mode rings, and the status word that shows whether the ring reached
 * the device.
 *
 * Locking: the adapter's mutex is held for everything here, except where noted.
 */
#ifndef KMD_DOORBELL_H
#define KMD_DOORBELL_H

#include "rf_ddi.h"
#include "rf_list.h"
#include "ringfence_drm.h"

struct kmd_file;
struct kmd_memory;
struct kmd_queue;
struct rf_doorbell_page;
struct rf_mem;

enum kmd_doorbell_state {
	KMD_DOORBELL_DISCONNECTED,
	KMD_DOORBELL_CONNECTING, /* inside connect_doorbell */
	KMD_DOORBELL_CONNECTED,
};

/**
 * struct kmd_doorbell - a doorbell of a queue
 * @link: in kmd_adapter.doorbells
 * @queue: its queue
 * @handle: in kmd_file.table
 * @h_doorbell: the miniport's handle
 * @state: where the page points; guarded by doorbell_mutex
 * @token: of the last connection; guarded by mutex
 * @page: user mode's doorbell page
 * @page_offset: where user mode maps it
 * @status: page with the status word; ABORT is final; stored to under wait_lock
 * @status_offset: where user mode maps it
 * @ring: reference of the ring's memory (S3-24)
 * @ring_control: the same of the write pointer's memory
 */
struct kmd_doorbell {
	struct rf_list link;
	struct kmd_queue *queue;
	u32 handle;
	void *h_doorbell;
	enum kmd_doorbell_state state;
	u64 token;
	struct rf_doorbell_page *page;
	u64 page_offset;
	struct rf_mem *status;
	u64 status_offset;
	struct kmd_memory *ring;
	struct kmd_memory *ring_control;
};

/* For a user-mode queue without a doorbell. -EINVAL, -ENOENT, -ENOMEM, limits. */
int kmd_doorbell_create(struct kmd_file *file, struct kmd_queue *queue,
			const struct drm_ringfence_doorbell_create *request,
			struct kmd_doorbell **result);
void kmd_doorbell_destroy(struct kmd_doorbell *doorbell);
/* The device must be in D0, the engine in F0. 0, or -EIO: its queue is lost. */
int kmd_doorbell_connect(struct kmd_doorbell *doorbell);
/* Set the status, then the page, then call the miniport; then poll the ring. */
void kmd_doorbell_disconnect(struct kmd_doorbell *doorbell, enum rf_doorbell_status reason);
/* Set the status ABORT; kmd_adapter_work() disconnects the page. wait_lock held. */
void kmd_doorbell_abort(struct kmd_doorbell *doorbell);
/* True if the status is ABORT. */
bool kmd_doorbell_is_aborted(const struct kmd_doorbell *doorbell);

/*
 * Callback of the miniport: it disconnects a physical doorbell, possibly from inside
 * connect_doorbell of another.
 */
int kmd_disconnect_doorbell(void *h_core, const struct rf_disconnect_doorbell_callback *arguments);

#endif /* KMD_DOORBELL_H */
