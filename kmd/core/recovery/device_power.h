/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * D0 and D3, and the adapter's mutex with the device in D0. kmd_adapter_sleep() and
 * kmd_adapter_wake() stand in kmd.h.
 */
#ifndef KMD_DEVICE_POWER_H
#define KMD_DEVICE_POWER_H

struct kmd_adapter;

/* Lock the mutex of an adapter in D0. If it does not wake up it is lost. For what has to be done
 * in any case. */
void kmd_adapter_lock_awake(struct kmd_adapter *adapter);
/*
 * The same for requests, whose process may be killed meanwhile (-EINTR): of any adapter that is
 * not lost (-ENODEV); of one in D0; and to destroy something, of a lost one, too.
 */
int kmd_request_lock(struct kmd_adapter *adapter);
int kmd_request_lock_awake(struct kmd_adapter *adapter);
int kmd_request_lock_destroy(struct kmd_adapter *adapter);
/* D3 -> D0 up to the contexts, which kmd_contexts_resume_all() resumes; -EIO. mutex held. */
int kmd_adapter_power_up(struct kmd_adapter *adapter);

#endif /* KMD_DEVICE_POWER_H */
