/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Hardware queues: the state of each, the handles by which records name them, and the words of
 * their contexts.
 *
 * The context of a queue is 32 words, which are a slot's registers while the queue is resident,
 * and else lie in its save area. What the driver reads or writes of a queue is the same in both
 * places; only commands (SLOT.CONTROL, LOG_SWITCH) need a slot.
 *
 * Locking: rf_hw.lock, but for what says otherwise.
 */
#ifndef RF_QUEUE_H
#define RF_QUEUE_H

#include "rf_ddi.h"
#include "rf_kernel_ring.h"
#include "rf_list.h"
#include "rf_poll.h"
#include "rf_save_area.h"
#include "rf_token.h"
#include "rf_types.h"

struct rf_hw;
struct rf_hw_context;

#define RF_QUEUE_BUCKETS 64

enum rf_residence_state {
	RF_QUEUE_SAVED,
	RF_QUEUE_RESIDENT,
	RF_QUEUE_LEAVING, /* until its `preempted` record was read */
};

/**
 * struct rf_residence - whether a queue is in a slot; see rf_residence.h
 * @state: saved, resident or leaving
 * @slot: unless it is saved
 * @loading: the slot was not seen enabled yet, and takes no command
 * @switching: the device is switching one of its logs: the queue does not leave before that is done
 * @resuming: once it is loaded or saved, it is to be resumed
 * @pending: of loading
 */
struct rf_residence {
	enum rf_residence_state state;
	u32 slot;
	bool loading;
	bool switching;
	bool resuming;
	struct rf_pending pending;
};

/* The physical doorbell of a queue; see rf_doorbell_binding.h. */
struct rf_doorbell_binding {
	bool bound;
	u32 physical; /* valid while bound */
};

/**
 * struct rf_hw_queue - a hardware queue
 * @bucket: in rf_queues.bucket
 * @context_link: in rf_hw_context.queues
 * @context: constant
 * @handle: in the device's records: never used twice
 * @token: of the global doorbell; 0: none
 * @residence: is it in a slot?
 * @binding: its physical doorbell
 * @save: its save area
 * @write_pointer: its write-pointer record; @mem is NULL while it has no ring
 * @entries: of its ring
 * @error_reported: its error was reported to the core
 * @stop_reported: its stop was reported to the core
 * @ring: of a kernel-mode queue, else without memory; guarded by the core's order of submissions
 */
struct rf_hw_queue {
	struct rf_list bucket;
	struct rf_list context_link;
	struct rf_hw_context *context;
	u32 handle;
	u32 token;
	struct rf_residence residence;
	struct rf_doorbell_binding binding;
	struct rf_save_area save;
	struct rf_value_address write_pointer;
	u32 entries;
	bool error_reported;
	bool stop_reported;
	struct rf_kernel_ring ring;
};

/**
 * struct rf_queues - all of them
 * @bucket: of rf_hw_queue, by handle
 * @tokens: for the global doorbell
 */
struct rf_queues {
	struct rf_list bucket[RF_QUEUE_BUCKETS];
	struct rf_tokens tokens;
};

void rf_queues_init(struct rf_queues *queues);
/* Give the queue a handle and, with the global doorbell, a token; have it found. -ENOSPC: all
 * tokens are taken. PASSIVE; takes rf_hw.lock. */
int rf_queue_link(struct rf_hw *hw, struct rf_hw_queue *queue);
/* It has no slot, and the device sends no more records of it. */
void rf_queue_unlink(struct rf_hw *hw, struct rf_hw_queue *queue);

/* --- rf_hw.lock is held for all that follow ------------------------------------------------- */

/* The queue with this handle, or NULL. */
struct rf_hw_queue *rf_queue_find(struct rf_hw *hw, u32 handle);
/* The queue with this token, or NULL. */
struct rf_hw_queue *rf_queue_find_token(struct rf_hw *hw, u32 token);
/* Is its context in its slot? Else it is in the save area, or is being saved there. */
bool rf_queue_in_slot(const struct rf_hw_queue *queue);
/* If it is in its slot, give that a command, and return true. */
bool rf_queue_command(struct rf_hw *hw, const struct rf_hw_queue *queue, u64 command);
/* A word of the context, by RF_CONTEXT(); of a queue that leaves its slot: as it came in. */
u64 rf_queue_read(struct rf_hw *hw, const struct rf_hw_queue *queue, u64 offset);
/* A queue that is stopped is resumed when it comes in. It is not in a slot. */
void rf_queue_resume_saved(struct rf_hw_queue *queue);

#endif /* RF_QUEUE_H */
