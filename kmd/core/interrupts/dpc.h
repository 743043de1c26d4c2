/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The deferred part of interrupts. kmd_adapter_dpc() is declared in kmd.h. */
#ifndef KMD_DPC_H
#define KMD_DPC_H

struct kmd_adapter;

/*
 * Run the deferred part if interrupts, or calls of the miniport, have queued it. PASSIVE or
 * DISPATCH, no spinlock held.
 */
void kmd_adapter_run_deferred(struct kmd_adapter *adapter);

#endif /* KMD_DPC_H */
