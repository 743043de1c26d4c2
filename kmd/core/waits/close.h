/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The end of a local fence: of its handle, its waits, and the last signal through it. */
#ifndef KMD_CLOSE_H
#define KMD_CLOSE_H

struct kmd_local_fence;

/*
 * The handle is stale from now on; waits through it end with -ECANCELED; then it is destroyed.
 * PASSIVE: the mutex is held, and no spinlock.
 */
void kmd_local_fence_close(struct kmd_local_fence *local);

#endif /* KMD_CLOSE_H */
