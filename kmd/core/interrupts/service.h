/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callbacks of the miniport at level DEVICE; kmd_adapter_interrupt() and kmd_adapter_dpc() are
 * declared in kmd.h.
 */
#ifndef KMD_INTERRUPT_SERVICE_H
#define KMD_INTERRUPT_SERVICE_H

#include "rf_ddi.h"

struct kmd_queue;

void kmd_notify_interrupt(void *h_core, const struct rf_notify_interrupt_data *data);
void kmd_queue_dpc(void *h_core);
void kmd_synchronize_execution(void *h_core, void (*routine)(void *argument), void *argument);

/* The queue's log has new entries. device_lock held. */
void kmd_note_log(struct kmd_queue *queue);

#endif /* KMD_INTERRUPT_SERVICE_H */
