/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * D0 and D3, and the adapter's mutex with the device in D0. kmd_adapter_sleep() and
 * kmd_adapter_wake() are declared in kmd.h.
 */
#ifndef KMD_DEVICE_POWER_H
#define KMD_DEVICE_POWER_H

struct kmd_adapter;

/*
 * Lock the mutex of an adapter in D0; if the wake-up fails, the adapter is wedged. For operations
 * that have to be done in any case.
 */
void kmd_adapter_lock_awake(struct kmd_adapter *adapter);
/*
 * The same for requests; -EINTR: the process is being killed. In this order: the adapter in any
 * power state, but not wedged (-ENODEV); in D0, not wedged; in D0, possibly wedged, to destroy an
 * object.
 */
int kmd_request_lock(struct kmd_adapter *adapter);
int kmd_request_lock_awake(struct kmd_adapter *adapter);
int kmd_request_lock_destroy(struct kmd_adapter *adapter);
/* From D3 to D0, with its contexts; nothing in D0. mutex held. */
void kmd_power_wake(struct kmd_adapter *adapter);
/* D3 to D0; contexts stay suspended until kmd_contexts_resume_all(). -EIO. mutex held. */
int kmd_adapter_power_up(struct kmd_adapter *adapter);

#endif /* KMD_DEVICE_POWER_H */
