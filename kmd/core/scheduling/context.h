/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A context: queues of a process on a node that are suspended and resumed together
 * (queues/suspension.h).
 *
 * Locking: the adapter's mutex for life; wait_lock for the state; device_lock in addition for the
 * fence value and the note.
 */
#ifndef KMD_CONTEXT_H
#define KMD_CONTEXT_H

#include "base/walk.h"
#include "rf_list.h"
#include "rf_os.h"

struct kmd_file;

enum kmd_context_state {
	KMD_CONTEXT_RESUMED,
	KMD_CONTEXT_SUSPENDING, /* not acknowledged yet */
	KMD_CONTEXT_SUSPENDED,
};

/**
 * struct kmd_context - queues of a process on a node that are suspended together
 * @link: in kmd_adapter.contexts
 * @walked: in kmd_walk.all_contexts
 * @chain: in kmd_adapter.context_hash
 * @noted_link: in kmd_adapter_notes.contexts; guarded by device_lock
 * @members: its queues, by kmd_queue.context_link; guarded by mutex and wait_lock
 * @file: process
 * @handle: in kmd_file.table; 0: made for one queue, and ends with it
 * @node: of its queues
 * @priority: band of its queues, less than RF_PRIORITY_BANDS
 * @h_hw_context: the miniport's handle
 * @queues: number of queues; guarded by the mutex
 * @state: guarded by wait_lock
 * @held: suspended by kmd_contexts_suspend_all(); guarded by the mutex
 * @suspend_fence: of the last suspension; guarded by wait_lock and device_lock
 * @note_suspended: note: a suspension was acknowledged, with the value below; device_lock
 * @acknowledged: fence value of the last acknowledgement; device_lock
 * @completion: complete unless SUSPENDING, or if @dead
 * @dead: destroyed; guarded by wait_lock
 * @users: threads that wait for the suspension; the last one to leave frees a dead context
 */
struct kmd_context {
	struct rf_list link;
	struct kmd_walked walked;
	struct rf_list chain;
	struct rf_list noted_link;
	struct rf_list members;
	struct kmd_file *file;
	u32 handle;
	u32 node;
	u32 priority;
	void *h_hw_context;
	u32 queues;
	enum kmd_context_state state;
	bool held;
	u64 suspend_fence;
	bool note_suspended;
	u64 acknowledged;
	struct rf_completion completion;
	bool dead;
	u32 users;
};

/*
 * Create a context without a handle. -EINVAL, -EACCES, -ENOMEM, limits. mutex held, here and below.
 */
int kmd_context_create(struct kmd_file *file, u32 node, u32 priority, struct kmd_context **context);
/* It must have no queues. */
void kmd_context_destroy(struct kmd_context *context);
/* Free a dead context when the last waiting thread has left. wait_lock not held. */
void kmd_context_free(struct kmd_context *context);

#endif /* KMD_CONTEXT_H */
