/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Native fences: which fence has its CurrentValue where, and updates of the two values.
 *
 * Locking: the table is guarded by rf_hw.lock, updates of MonitoredValues by the device lock.
 */
#ifndef RF_FENCE_H
#define RF_FENCE_H

#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_poll.h"
#include "rf_types.h"

struct rf_address_space;
struct rf_hw;

#define RF_FENCE_BUCKETS 64

/* A fence in an address space: where CurrentValue is. */
struct rf_fence_name {
	struct rf_list bucket; /* in rf_fences.bucket */
	const struct rf_address_space *space;
	u64 address;
	void *h_core;
};

/* A fence in all processes. */
struct rf_global_fence {
	struct rf_fence_name name; /* in the system process */
	u64 monitored_address; /* in the system process */
};

/* The same fence in one process. */
struct rf_local_fence {
	struct rf_fence_name name;
};

/**
 * struct rf_fences - all of them
 * @bucket: of rf_fence_name, by space and address; guarded by rf_hw.lock
 * @updates_posted: updates of MonitoredValues that were written to the update port, modulo 2^32;
 *                  DEVICE, as the next two
 * @updating: UPDATE_DONE did not cover them at the last poll
 * @updates: for that
 */
struct rf_fences {
	struct rf_list bucket[RF_FENCE_BUCKETS];
	u32 updates_posted;
	bool updating;
	struct rf_pending updates;
};

void rf_fences_init(struct rf_fences *fences);
/* The device was reset, or is new. */
void rf_fences_restart(struct rf_hw *hw);

int rf_create_native_fence(void *h_adapter, struct rf_create_native_fence *arguments);
int rf_open_native_fence(void *h_adapter, struct rf_open_native_fence *arguments);
int rf_close_native_fence(void *h_adapter, const struct rf_close_native_fence *arguments);
int rf_destroy_native_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments);
int rf_update_monitored_values(void *h_adapter, const struct rf_update_monitored_values *arguments);
int rf_update_current_values_from_cpu(void *h_adapter,
				      const struct rf_update_current_values_from_cpu *arguments);

/* The core's handle of the fence that a record names, or NULL. rf_hw.lock is held. */
void *rf_fence_find(struct rf_hw *hw, const struct rf_address_space *space, u64 current_address);
/* Have waiting queues read CurrentValue once more. Any level. */
void rf_fence_notify_waiting(struct rf_hw *hw);

#endif /* RF_FENCE_H */
