/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Doorbells.
 *
 * Locking: PASSIVE, one caller at a time; what is bound is guarded by rf_hw.lock as well.
 */
#ifndef RF_DOORBELL_H
#define RF_DOORBELL_H

#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_types.h"

struct rf_hw_queue;

struct rf_doorbell {
	struct rf_hw_queue *queue;
	u64 bound_at; /* rf_doorbells.bindings then */
};

/**
 * struct rf_doorbells - all that are bound; PASSIVE
 * @bound: by physical doorbell, or NULL
 * @bindings: made so far
 */
struct rf_doorbells {
	struct rf_doorbell *bound[RF_DOORBELLS_MAX];
	u64 bindings;
};

int rf_create_doorbell(void *h_adapter, struct rf_create_doorbell *arguments);
int rf_connect_doorbell(void *h_adapter, struct rf_connect_doorbell *arguments);
void rf_disconnect_doorbell(void *h_adapter, const struct rf_disconnect_doorbell *arguments);
void rf_destroy_doorbell(void *h_adapter, const struct rf_destroy_doorbell *arguments);
void rf_notify_work_submission(void *h_adapter, const struct rf_notify_work_submission *arguments);

#endif /* RF_DOORBELL_H */
